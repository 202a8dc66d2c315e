"""Kimi: where Kimi Code and the older kimi-cli keep their sessions, and the adapter that reads both.

Owns discovery by the shape of what is found, the choice of the reader, and the resume command. The journal of Kimi Code is
`kimi_reading`'s business, the history of kimi-cli `kimi_legacy`'s, the files beside them `kimi_facts`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tray_app.paths import SourcesHome
from tray_app.sources import kimi_facts as facts
from tray_app.sources.base import Checkpoint, Context, Limits, Reading, Report, Session, Stop, Unit
from tray_app.sources.jsonl import Records
from tray_app.sources.kimi_legacy import LegacyReading
from tray_app.sources.kimi_memory import remembered
from tray_app.sources.kimi_reading import Revised, WireReading
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import Found, files_under

SESSIONS = "sessions"
AGENTS = "agents"
SUBAGENTS = "subagents"
MAIN_AGENT = "main"
WIRE = "wire.jsonl"
STATE = "state.json"
WORK_APP = "Library/Application Support/kimi-desktop/daimon-share/daimon/runtime/kimi-code/home"
DEPTH = 4
"""Folders from a context file up to the one whose name is the hash of the workspace, at most."""
NOT_ENTERED = frozenset({"notify", "logs", "blobs", "cron", "node_modules", ".git"})

_CONTEXT = re.compile(r"context(_sub(_\d+)?)?\.jsonl")
_BUCKET = re.compile(r"(kaos-.+_)?[0-9a-f]{32}")
_BARE = re.compile(r"[^_]+\.jsonl")
_PLAIN_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]*")


class KimiAdapter:
    """Adapter for Kimi Code 1.x and 2.x, Kimi Work, and kimi-cli.

    Kimi Code 2.1 was recorded; kimi-cli was tested on its maker's own small sessions only. Choices: an undone exchange is
    not given out, a cleared one is; what the main model wrote to a sub-agent is a note; a skill called with arguments is a
    note '/name args', one without is left out; a migrated session names the old one as its parent.
    """

    agent = "kimi"
    name = "Kimi"
    version = 1
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        """Kimi Code's folder (KIMI_CODE_HOME), kimi-cli's (KIMI_SHARE_DIR), that of the desktop application on macOS."""
        usual = home.agent_folder("KIMI_CODE_HOME", ".kimi-code")
        return [usual, home.agent_folder("KIMI_SHARE_DIR", ".kimi"), home.home / WORK_APP]

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        """Sessions below `root/sessions`, or below `root` where that is such a folder itself."""
        top = root / SESSIONS if (root / SESSIONS).is_dir() else root
        for found in files_under(top, _wanted, report, self.agent, enter=_entered):
            unit = self._unit(root, found)
            if unit is not None:
                yield unit

    def _unit(self, root: Path, found: Found) -> Unit | None:
        folder = found.path.parent
        parent, preference = "", 1
        others: tuple[Path, ...] = ()
        if found.path.name == WIRE:
            if folder.parent.name != AGENTS:
                return None
            owner = folder.parent.parent
            if folder.name == MAIN_AGENT:
                session, others = owner.name, _existing(owner / STATE)
            else:
                session, parent = f"{owner.name}.{folder.name}", owner.name
            preference = 2
        elif _CONTEXT.fullmatch(found.path.name):
            others = (*_archives(found.path), *_existing(folder / WIRE, folder / STATE))
            if folder.parent.name == SUBAGENTS:
                parent = folder.parent.parent.name
                session = f"{parent}.{folder.name}"
            elif found.path.stem == "context":
                session = folder.name
            else:
                parent, others = folder.name, ()
                session = f"{parent}.{found.path.stem}"
        elif _BUCKET.fullmatch(folder.name) and _BARE.fullmatch(found.path.name):
            session, preference, others = found.path.stem, 0, _archives(found.path)
        else:
            return None
        return Unit(
            agent=self.agent,
            root=root,
            path=found.path,
            session=session,
            size=found.size,
            mtime_ns=found.mtime_ns,
            inode=found.inode,
            others=others,
            preference=preference,
            kind="subagent" if parent else "main",
            parent=parent,
        )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """See `base.Adapter.read`. Read whole if a new record takes back what was given out before it."""
        if unit.path.name != WIRE:
            return self._read_legacy(unit, limits, stop)
        try:
            reading = self._read_wire(unit, checkpoint if remembered(checkpoint) is not None else None, limits, stop)
        except Revised:
            reading = self._read_wire(unit, None, limits, stop)
        owner = unit.path.parent.parent.parent
        state = facts.state_of(owner / STATE)
        session = reading.session
        folder = facts.cwd_of(state)
        if not folder:
            folder = session.cwd or facts.folder_of(_home(unit.root), owner.name, owner.parent.name)
        changes: dict[str, str | int | bool] = {"cwd": folder, "archived": facts.is_archived(state)}
        if unit.kind == "main":
            title, rank = facts.title_of(state)
            if title:
                changes |= {"title": title, "title_rank": rank}
            changes |= {"parent": facts.parent_of(state), "start": session.start or facts.created(state)}
        return msgspec.structs.replace(reading, session=msgspec.structs.replace(session, **changes))

    def _read_wire(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        with Records(unit.path, self.agent, checkpoint, limits, stop) as records:
            return WireReading(unit, records, limits, checkpoint).read()

    def _read_legacy(self, unit: Unit, limits: Limits, stop: Stop) -> Reading:
        folder = unit.path.parent
        reader = LegacyReading(unit, limits, stop)
        reading = reader.read((*_archives(unit.path), unit.path), folder / WIRE)
        state = facts.state_of(folder / STATE) if unit.kind == "main" else facts.State()
        title, rank = facts.old_title_of(state, reader.prompt)
        places = [facts.old_folder_of(_home(unit.root), above.name) for above in list(unit.path.parents)[:DEPTH]]
        session = msgspec.structs.replace(
            reading.session,
            cwd=next((place for place in places if place), ""),
            title=title,
            title_rank=rank,
            archived=facts.is_archived(state),
            start=reading.session.start or unit.mtime_ns // 1_000_000,  # no times at all: the last writing is one
            end=reading.session.end or unit.mtime_ns // 1_000_000,
        )
        return msgspec.structs.replace(reading, session=session)

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && kimi -S <id>`: it refuses any other folder. That of the parent for a sub-agent."""
        target = session.parent if session.kind == "subagent" else session.id
        return in_folder(session.cwd, f"kimi -S {argument(target)}") if _PLAIN_ID.fullmatch(target) else ""


def _wanted(name: str) -> bool:
    return name.endswith(".jsonl")


def _entered(folder: Path) -> bool:
    return folder.name not in NOT_ENTERED


def _home(root: Path) -> Path:
    """Kimi's own folder, also where its folder of sessions was given."""
    return root.parent if root.name == SESSIONS else root


def _existing(*paths: Path) -> tuple[Path, ...]:
    return tuple(path for path in paths if path.is_file())


def _archives(path: Path) -> tuple[Path, ...]:
    """What stood in a context file before (`<name>_1.jsonl` and so on), oldest first. A sub-agent's has none."""
    if path.stem.startswith("context_"):
        return ()
    numbered = re.compile(re.escape(path.stem) + r"_(\d{1,9})\.jsonl")
    try:
        found = [(int(match[1]), other) for other in path.parent.iterdir() if (match := numbered.fullmatch(other.name))]
    except OSError:
        return ()
    return tuple(other for _, other in sorted(found) if other.is_file())
