"""Codex: finding its session files, reading one of them, and the command that resumes it.

Owns folders, names and ids. What the lines mean is in `codex_reading`. Codex' databases are not read: everything in them
stands in the session files too, and their version numbers rise with every release.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources import codex_lines as shapes
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Report, Session, Stop, Stopped, Unit
from tray_app.sources.codex_reading import CodexReading, Memory, one_line
from tray_app.sources.codex_turns import Revised
from tray_app.sources.jsonl import STOP_EVERY, Records
from tray_app.sources.lines import Line
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import files_under

FOLDERS = ("sessions", "archived_sessions")
SUFFIXES = (".jsonl", ".jsonl.zst", ".json")
SIDECARS = ("history.jsonl", "session_index.jsonl")
INDEX_BYTES = 16 << 20
DOCUMENT_BYTES = 64 << 20

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_NAME_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)")


class CodexAdapter:
    """Sessions of the Codex command line, IDE extension and app, of all three generations of their format."""

    agent = "codex"
    name = "Codex"
    version = 1
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        return [home.agent_folder("CODEX_HOME", ".codex")]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """Session files below `sessions` and `archived_sessions`; a folder without these is taken for one of them."""
        folders = [root / name for name in FOLDERS if (root / name).is_dir()]
        for folder in folders or [root]:
            archived = "archived_sessions" in (folder.name, root.name)
            for found in files_under(folder, _is_session, report, self.agent):
                yield Unit(
                    agent=self.agent,
                    root=root,
                    path=found.path,
                    session=_named_id(found.path) or _stem(found.path),
                    size=found.size,
                    mtime_ns=found.mtime_ns,
                    inode=found.inode,
                    preference=2 * (not found.path.name.endswith(".zst")) + (not archived),
                    archived=archived,
                )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        if unit.path.suffix == ".json":
            document = _document(unit.path)
            if document is not None:
                return self._read_document(unit, document, limits, stop)
        try:
            return self._read_lines(unit, checkpoint, limits, stop)
        except Revised:
            return self._read_lines(unit, None, limits, stop)

    def _read_lines(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        memory = _restored(checkpoint)
        with Records(unit.path, self.agent, checkpoint if memory else None, limits, stop) as records:
            resumed = records.resumed and memory is not None
            if memory is None or not resumed:
                memory = _fresh(unit.path)
            seq = checkpoint.seq if checkpoint is not None and resumed else 0
            reading = CodexReading(memory, records, limits, seq, _name_time(unit.path))
            for line in records:
                reading.take(line)
            if not resumed and not records.records and not records.skipped:
                raise NotReady("no whole line yet")
            state = reading.finish()
            return self._result(unit, reading, records, records.checkpoint(reading.seq, state), resumed)

    def _read_document(self, unit: Unit, document: shapes.Document, limits: Limits, stop: Stop) -> Reading:
        with Records(unit.path, self.agent, None, limits, stop) as records:
            memory = _fresh(unit.path)
            if document.session is not None:
                memory.id = document.session.id or memory.id
                memory.start = shapes.millis(document.session.timestamp)
                memory.header = True
            reading = CodexReading(memory, records, limits, 0, _name_time(unit.path))
            for number, item in enumerate(document.items, 1):
                if number % STOP_EVERY == 0 and stop():
                    raise Stopped
                records.records += 1
                reading.take(Line(bytes(item), 0, number))
            reading.finish()
            return self._result(unit, reading, records, None, False)

    def _result(
        self, unit: Unit, reading: CodexReading, records: Records, checkpoint: Checkpoint | None, resumed: bool
    ) -> Reading:
        memory = reading.memory
        title = _indexed_title(unit.root, memory.id)
        return Reading(
            session=reading.session(title, unit.archived),
            messages=reading.collector.messages(),
            usage=reading.usage,
            problems=[_about_header(problem, memory) for problem in records.problems],
            checkpoint=checkpoint,
            bytes_read=records.bytes_read or unit.size,
            records=records.records,
            recognised=reading.recognised,
            skipped=records.skipped,
            unknown=reading.unknown.total(),
            unknown_kinds=reading.unknown,
            repeated=reading.repeated,
            truncated=reading.collector.truncated,
            resumed=resumed,
            growing=records.growing,
        )

    def resume_command(self, session: Session) -> str:
        if not session.id:
            return ""
        name = argument(session.id)
        resume = f"codex resume {name}"
        return in_folder(session.cwd, f"codex unarchive {name} && {resume}" if session.archived else resume)


def _is_session(name: str) -> bool:
    return name.endswith(SUFFIXES) and not name.startswith(".") and name not in SIDECARS


def _named_id(path: Path) -> str:
    found = _UUID.findall(path.name)
    return found[-1].lower() if found else ""


def _stem(path: Path) -> str:
    return re.sub(r"\.(jsonl|json)(\.zst)?$", "", path.name)


def _fresh(path: Path) -> Memory:
    named = _named_id(path)
    return Memory(id=named or _stem(path), sure=bool(named))


def _restored(checkpoint: Checkpoint | None) -> Memory | None:
    """The memory that a checkpoint carries; None if there is none, or another version of us wrote it."""
    if checkpoint is None:
        return None
    try:
        return msgspec.msgpack.decode(checkpoint.state, type=Memory)
    except (msgspec.DecodeError, UnicodeError):
        return None


def _name_time(path: Path) -> int:
    """When the session began, as its file's name tells: by a version 7 UUID (UTC), else by the local time in it."""
    named = _named_id(path).replace("-", "")
    if len(named) == 32 and named[12] == "7":
        return int(named[:12], 16)
    stamp = _NAME_TIME.search(path.name)
    if stamp is None:
        return 0
    try:
        day, hour, minute, second = stamp.groups()
        return round(datetime.fromisoformat(f"{day}T{hour}:{minute}:{second}").timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return 0


def _document(path: Path) -> shapes.Document | None:
    """The file as one JSON document; None if it is none, or too large to be read at once."""
    if path.stat().st_size > DOCUMENT_BYTES:
        return None
    try:
        return shapes.DOCUMENT.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        return None


def _indexed_title(root: Path, session: str) -> str:
    """The name in `session_index.jsonl`, '' if that file is missing, unreadable or silent about this session."""
    index = root / "session_index.jsonl"
    try:
        facts = index.stat()
        return _titles(index, facts.st_mtime_ns, facts.st_size).get(session, "")
    except OSError:
        return ""


class _Titled(msgspec.Struct):
    id: str
    thread_name: str


@functools.lru_cache(maxsize=4)
def _titles(index: Path, mtime_ns: int, size: int) -> dict[str, str]:
    """Names by session id, of one state of the file (so that ten thousand sessions cost one reading of it)."""
    decoder = msgspec.json.Decoder(_Titled)
    named: dict[str, str] = {}
    with index.open("rb") as stream:
        for line in stream.read(INDEX_BYTES).split(b"\n"):
            try:
                entry = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
                continue
            if entry.thread_name.strip():
                named[entry.id] = one_line(entry.thread_name)
    return named


def _about_header(problem: Problem, memory: Memory) -> Problem:
    """A first line that cannot be read is the session's header: said as such."""
    if problem.line != 1 or memory.header or problem.kind not in ("bad_json", "bad_record"):
        return problem
    reason = "the session's header is damaged: its folder is unknown"
    return msgspec.structs.replace(problem, kind="torn_header", reason=reason)
