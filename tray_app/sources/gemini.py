"""Gemini CLI: finding its session files, and the adapter that reads one.

Owns folders, names and the resume command, and the way from lines to the fold. What a record says is in `gemini_records`,
how records change each other in `gemini_fold`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources import gemini_words as words
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Report, Session, Stop, Unit
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.gemini_document import read_document
from tray_app.sources.gemini_fold import Fold, Memory, Revised, is_message
from tray_app.sources.gemini_folders import folder_of
from tray_app.sources.gemini_records import RECORD
from tray_app.sources.gemini_words import text_of
from tray_app.sources.jsonl import Records
from tray_app.sources.lines import Line
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import files_under

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
PREFIX = "session-"
NOT_ENTERED = frozenset({"tool-outputs", "tool_outputs", "checkpoints", "logs", "images", "bin", "node_modules", ".git"})


class GeminiCliAdapter:
    """Sessions of Gemini CLI: one JSON-lines file each, before that one document each.

    A slash command with words is a note, one without is left out; what the program told the person (info, warnings,
    errors) was said by nobody. The parent model's orders to a sub-agent are notes.
    """

    agent = "gemini_cli"
    name = "Gemini CLI"
    version = 1
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        """`.gemini/tmp` in the folder of GEMINI_CLI_HOME, else in the home folder."""
        return [home.agent_folder("GEMINI_CLI_HOME", ".") / ".gemini" / "tmp"]

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        """`<project>/chats/session-*.jsonl` (and .json), and the sub-agents' files in `chats/<session>/`."""
        for found in files_under(root, _wanted, report, self.agent, depth=4, enter=_entered):
            parts = found.path.relative_to(root).parts[:-1]
            holder = found.path.parent.name
            side = "chats" in parts[:-1] and holder != "chats"
            if not (side or holder == "chats" or found.path.name.startswith(PREFIX)):
                continue
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=found.path.stem,
                size=found.size,
                mtime_ns=found.mtime_ns,
                inode=found.inode,
                preference=int(found.path.suffix == ".jsonl"),
                kind="subagent" if side else "main",
                parent=holder if side else "",
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """See `base.Adapter.read`. Records that change what an earlier reading gave cause the file to be read whole."""
        if unit.path.suffix == ".json":
            return read_document(unit, limits, stop)
        try:
            return _read_lines(unit, checkpoint, limits, stop)
        except Revised:
            return _read_lines(unit, None, limits, stop)

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && gemini --resume <id>`: that of the parent for a sub-agent, which cannot be resumed itself."""
        target = session.parent if session.kind == "subagent" else session.id
        return in_folder(session.cwd, f"gemini --resume {argument(target)}") if UUID.fullmatch(target) else ""


def _wanted(name: str) -> bool:
    return name.endswith((".jsonl", ".json")) and name not in ("logs.json", "projects.json")


def _entered(folder: Path) -> bool:
    return folder.name not in NOT_ENTERED


def _read_lines(unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
    memory = None
    if checkpoint is not None:
        try:
            memory = msgspec.msgpack.decode(checkpoint.state, type=Memory)
        except (msgspec.MsgspecError, ValueError):
            checkpoint = None
    with Records(unit.path, unit.agent, checkpoint, limits, stop) as records:
        if checkpoint is None or memory is None or not records.resumed:
            fold = Fold(unit, limits, Memory(), 0, resumed=False)
        else:
            fold = Fold(unit, limits, memory, checkpoint.seq, resumed=True)
        recognised, unknown = 0, UnknownKinds()
        for line in records:
            recognised += _take(fold, records, line, unknown)
        if not records.records and not records.skipped and not records.resumed:
            raise NotReady("no whole record yet")
        messages = fold.messages()
        return Reading(
            session=fold.session(folder_of(unit.path, unit.root, fold.memory.digest)),
            messages=messages,
            usage=list(fold.usage.values()),
            problems=[_about_header(problem, fold.memory) for problem in records.problems],
            checkpoint=records.checkpoint(fold.seq, msgspec.msgpack.encode(fold.memory)),
            bytes_read=records.bytes_read,
            records=records.records,
            recognised=recognised,
            skipped=records.skipped,
            unknown=unknown.total(),
            unknown_kinds=unknown,
            repeated=fold.repeated,
            truncated=fold.truncated,
            resumed=records.resumed,
            growing=records.growing,
        )


def _take(fold: Fold, records: Records, line: Line, unknown: UnknownKinds) -> bool:
    """Fold one line in. True if it is of a known kind."""
    record = records.decode(line, RECORD)
    if record is None:
        return False
    if isinstance(record.rewind_to, str):
        fold.rewind(record.rewind_to)
    elif bytes(record.set).startswith(b"{"):
        change = words.inner(record.set, RECORD)
        if change is not None:
            fold.facts(change, header=False)
            fold.merge(change.messages, line.offset)
    elif is_message(record):
        fold.message(record, text_of(record.id) or f"{fold.unit.session}:{line.number}", line.offset)
    elif text_of(record.session_id) or text_of(record.project_hash):
        fold.facts(record, header=True)
        fold.merge(record.messages, line.offset)
    else:
        unknown.met(record.type)
        return False
    return True


def _about_header(problem: Problem, memory: Memory) -> Problem:
    """A first line that cannot be read is the session's header: said as such."""
    if memory.headed or problem.line != 1 or problem.kind not in ("bad_json", "bad_record"):
        return problem
    return msgspec.structs.replace(problem, kind="torn_header", reason="the session's header is damaged")
