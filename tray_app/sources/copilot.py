"""Copilot CLI: finding its session files, the workspace.yaml beside them, and the adapter that reads one.

Owns folders, names and the resume command. What the events mean is in `copilot_reading`, the documents of its first
versions in `copilot_document`. `session-store.db` is not read: what was said stands in the session files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tray_app.paths import SourcesHome
from tray_app.sources import gemini_words as words
from tray_app.sources.base import Checkpoint, Context, Limits, Reading, Report, Session, Stop, Unit
from tray_app.sources.copilot_document import read_document
from tray_app.sources.copilot_reading import CopilotMemory, CopilotReading
from tray_app.sources.copilot_yaml import plain_values
from tray_app.sources.qwen_log import read_log
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import files_under

EVENTS = "events.jsonl"
WORKSPACE = "workspace.yaml"
YAML_LIMIT = 64 * 1024
FOLDERS = ("session-state", "history-session-state")
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,127}")
_NAMED = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class CopilotCliAdapter:
    """Sessions of GitHub Copilot CLI: a file of events each, alone or in a folder, before that one document each.

    What a sub-agent says in the same file is kept; what it was told is a note.
    """

    agent = "copilot_cli"
    name = "Copilot CLI"
    version = 1
    confidence = "fixtures"

    def roots(self, home: SourcesHome) -> list[Path]:
        """The folder of COPILOT_HOME, else ~/.copilot."""
        return [home.agent_folder("COPILOT_HOME", ".copilot")]

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        """`session-state/<id>.jsonl`, `session-state/<id>/events.jsonl` and `history-session-state/*.json`; a folder without
        these two is taken for the first."""
        folders = [root / name for name in FOLDERS if (root / name).is_dir()]
        for folder in folders or [root]:
            for found in files_under(folder, _wanted, report, self.agent, depth=1):
                inside = found.path.parent != folder
                if inside != (found.path.name == EVENTS):
                    continue
                workspace = found.path.parent / WORKSPACE
                yield Unit(
                    agent=self.agent,
                    root=root,
                    path=found.path,
                    session=found.path.parent.name if inside else _named(found.path.stem),
                    size=found.size,
                    mtime_ns=found.mtime_ns,
                    inode=found.inode,
                    others=(workspace,) if inside and workspace.is_file() else (),
                    preference=2 if inside else int(found.path.suffix == ".jsonl"),
                )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """See `base.Adapter.read`. Folder, branch and title may also stand in the workspace.yaml beside the events."""
        if unit.path.suffix == ".json":
            return read_document(unit, limits, stop)
        reading = read_log(unit, checkpoint, limits, stop, CopilotMemory, CopilotReading)
        known = _workspace(unit)
        session = reading.session
        for rank, name in ((words.RANK_MODEL, "summary"), (words.RANK_PERSON, "name")):
            title = words.one_line(known.get(name, ""))
            if title and rank >= session.title_rank:
                session = msgspec.structs.replace(session, title=title, title_rank=rank)
        cwd, branch = session.cwd or known.get("cwd", ""), session.branch or known.get("branch", "")
        return msgspec.structs.replace(reading, session=msgspec.structs.replace(session, cwd=cwd, branch=branch))

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && copilot --resume <id>`."""
        return in_folder(session.cwd, f"copilot --resume {argument(session.id)}") if _ID.fullmatch(session.id) else ""


def _wanted(name: str) -> bool:
    return name.endswith((".jsonl", ".json")) and not name.startswith(".")


def _named(stem: str) -> str:
    """The session's id in the name of its file: `<id>`, or `session_<id>_<time>`."""
    found = _NAMED.search(stem)
    return found[0] if found else stem


def _workspace(unit: Unit) -> dict[str, str]:
    for path in unit.others:
        try:
            with path.open("rb") as stream:
                return plain_values(stream.read(YAML_LIMIT).decode("utf-8", "replace"))
        except OSError:  # a side file: the session is read all the same
            continue
    return {}
