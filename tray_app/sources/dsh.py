"""DeepSeek Harness (DSH): where its sessions lie, which generation of a log counts, and reading it.

Owns discovery under `$DSH_HOME`, the choice between generations of the same session by their content, and the checkpoint.
What rows mean is in `dsh_fold`, how frames are cut in `frames`. Writes, locks and creates nothing under `$DSH_HOME`: one
foreign file there makes DSH refuse all sessions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Report, Session, Stop, Unit
from tray_app.sources.dsh_events import Glance, milliseconds
from tray_app.sources.dsh_fold import Fold, Memory, Reread
from tray_app.sources.frames import LogLines
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import Found, files_under, unreadable

LOG_NAME = re.compile(r"session(\.v([1-9][0-9]*))?\.jsonl(\.zstd)?")
REGISTRY_MOST = 16 << 20
_ESCAPED = re.compile(r"(?:~[0-9A-F]{4})+")
_GLANCE = msgspec.json.Decoder(Glance)
_MEMORY = msgspec.msgpack.Decoder(Memory)


class _Global(msgspec.Struct, frozen=True):
    archived: list[str] = msgspec.field(default_factory=list, name="archivedSessionIds")


class _Registry(msgspec.Struct, frozen=True):
    all: _Global = msgspec.field(default_factory=_Global, name="global")


class DshAdapter:
    """Sessions of the DeepSeek Harness, every generation from the first plain logs to v5."""

    agent = "dsh"
    name = "DSH"
    version = 1
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        return [home.agent_folder("DSH_HOME", ".dsh")]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """One unit a session folder; `root` is DSH's home or a folder of sessions. Its highest generation is the path."""
        base = root / "sessions" if (root / "sessions").is_dir() else root
        archived = self._archived(root, base, report)
        folders: dict[Path, list[Found]] = {}
        for found in files_under(base, lambda name: bool(LOG_NAME.fullmatch(name)), report, self.agent, depth=2):
            if found.path.parent != base:
                folders.setdefault(found.path.parent, []).append(found)
        for folder, logs in folders.items():
            logs.sort(key=lambda found: _rank(found.path), reverse=True)
            first, session = logs[0], session_name(folder.name)
            yield Unit(
                agent=self.agent,
                root=root,
                path=first.path,
                session=session,
                size=first.size,
                mtime_ns=first.mtime_ns,
                inode=first.inode,
                others=tuple(found.path for found in logs[1:]),
                archived=session in archived,
            )

    def _archived(self, root: Path, base: Path, report: Report) -> frozenset[str]:
        """Ids that the workspace registry lists as archived. A registry that cannot be read is reported: none is then."""
        path = (root if base != root else root.parent) / "storages" / "workspace.json"
        try:
            with path.open("rb") as stream:
                data = stream.read(REGISTRY_MOST)
            return frozenset(msgspec.json.decode(data, type=_Registry).all.archived)
        except (FileNotFoundError, NotADirectoryError):
            return frozenset()
        except OSError as fault:
            report(unreadable(path, fault, self.agent))
        except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
            report(
                Problem(
                    path=str(path),
                    line=0,
                    offset=0,
                    kind="bad_json",
                    reason="the list of archived sessions cannot be read",
                    agent=self.agent,
                )
            )
        return frozenset()

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """Read the generation that counts, from the checkpoint if it was made of that one and nothing else has changed."""
        logs = (unit.path, *unit.others)
        memory = _remembered(checkpoint)
        if checkpoint is not None and memory is not None:
            path = unit.path.parent / memory.file
            if path in logs and memory.others == _marks(logs, path):
                try:
                    return self._read_log(unit, path, memory, checkpoint, limits, stop)
                except Reread:
                    checkpoint = None
        marks = {path: _marks(logs, path) for path in logs}  # before any is read: what grows meanwhile is read anew
        path, problems = (unit.path, []) if len(logs) == 1 else self._choose(logs, limits, stop)
        memory = Memory(file=path.name, others=marks[path], id=unit.session)
        reading = self._read_log(unit, path, memory, None, limits, stop)
        return msgspec.structs.replace(reading, problems=[*problems, *reading.problems])

    def _read_log(
        self, unit: Unit, path: Path, memory: Memory, checkpoint: Checkpoint | None, limits: Limits, stop: Stop
    ) -> Reading:
        with LogLines(path, self.agent, checkpoint, limits, stop) as log:
            if checkpoint is not None and not log.resumed:
                raise Reread
            fold = Fold(log, memory, checkpoint.seq if checkpoint else 0, limits)
            for line in log:
                fold.take(line)
            if checkpoint is None and not fold.records and not log.skipped:
                raise NotReady("nothing in it is whole yet")
            if checkpoint is None and not memory.has_header:
                log.note(1, 0, "torn_header", "no header: the session is named after its folder", skip=False)
            return Reading(
                session=fold.session(unit.archived),
                messages=fold.collected.messages(),
                usage=fold.usage,
                problems=log.problems,
                checkpoint=log.checkpoint(fold.seq, msgspec.msgpack.encode(memory)),
                bytes_read=log.bytes_read,
                records=fold.records,
                recognised=fold.recognised,
                skipped=log.skipped,
                unknown=fold.unknown.total(),
                unknown_kinds=fold.unknown,
                repeated=fold.repeated,
                truncated=fold.collected.truncated,
                resumed=checkpoint is not None,
                growing=log.growing,
            )

    def _choose(self, logs: tuple[Path, ...], limits: Limits, stop: Stop) -> tuple[Path, list[Problem]]:
        """The generation whose last event is the latest, then the one with more messages, then the highest number.

        DSH itself takes the highest number, but a refused migration leaves it behind while the old log goes on. Raises
        what the best readable one raises if none can be read.
        """
        best: tuple[int, int, tuple[int, int]] | None = None
        chosen, problems = logs[0], []
        refusal: NotReady | OSError | None = None
        for path in logs:
            try:
                score = (*self._weigh(path, limits, stop), _rank(path))
            except NotReady as fault:
                refusal = refusal or fault
                continue
            except OSError as fault:
                refusal = refusal or fault
                problems.append(unreadable(path, fault, self.agent))
                continue
            if best is None or score > best:
                best, chosen = score, path
        if best is None and refusal is not None:
            raise refusal
        return chosen, problems

    def _weigh(self, path: Path, limits: Limits, stop: Stop) -> tuple[int, int]:
        """Time of the last event and count of messages said."""
        latest = said = 0
        with LogLines(path, self.agent, None, limits, stop) as log:
            for line in log:
                try:
                    glance = _GLANCE.decode(line.data)
                except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
                    continue  # counted when the chosen log is read
                latest = max(latest, milliseconds(glance.time))
                said += glance.type in ("user/message", "assistant/message")
            if not log.end:
                raise NotReady("nothing in it is whole yet")
        return latest, said

    def resume_command(self, session: Session) -> str:
        """DSH has no command for it but the option of the terminal profile, where that is installed."""
        if not session.id or session.kind == "subagent":
            return ""
        return in_folder(session.cwd, f"dsh --profile tui --resume {argument(session.id)}")


def session_name(folder: str) -> str:
    """The session id that a folder name stands for: `~002F` is `/`, by UTF-16 unit."""
    return _ESCAPED.sub(lambda run: bytes.fromhex(run.group().replace("~", "")).decode("utf-16-be", "replace"), folder)


def _rank(path: Path) -> tuple[int, int]:
    """Generation number, and 1 for a compressed log."""
    name = LOG_NAME.fullmatch(path.name)
    return (int(name.group(2) or 0), int(bool(name.group(3)))) if name else (-1, 0)


def _marks(logs: tuple[Path, ...], chosen: Path) -> dict[str, tuple[int, int]]:
    """Size and mtime of the logs that were not chosen, by name; those that are gone or refused are left out."""
    marks: dict[str, tuple[int, int]] = {}
    for path in logs:
        if path != chosen:
            try:
                info = path.stat()
            except OSError:  # said when the generations are weighed
                continue
            marks[path.name] = (info.st_size, info.st_mtime_ns)
    return marks


def _remembered(checkpoint: Checkpoint | None) -> Memory | None:
    if checkpoint is None:
        return None
    try:
        return _MEMORY.decode(checkpoint.state)
    except (msgspec.DecodeError, UnicodeError, ValueError):  # made by an older version of this adapter
        return None
