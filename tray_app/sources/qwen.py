"""Qwen Code: finding its session files, and the adapter that reads one.

Owns folders, names and the resume command. What the lines mean is in `qwen_reading`; the whole-file documents of its first
versions are those of Gemini CLI, see `gemini_reading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.sources.base import Checkpoint, Context, Limits, Reading, Report, Session, Stop, Unit
from tray_app.sources.gemini_document import read_document
from tray_app.sources.qwen_log import read_log
from tray_app.sources.qwen_reading import QwenMemory, QwenReading
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import files_under

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
FOLDERS = ("projects", "tmp")
NOT_ENTERED = frozenset({"tool-results", "tool-outputs", "checkpoints", "file-history", "node_modules", ".git"})
HOLDERS = frozenset({"chats", "subagents"})


class QwenAdapter:
    """Sessions of Qwen Code: one JSON-lines file each, before that one document each.

    Messages stand in the order of the file, and what was said before a rewind is kept. The person is who the record's
    provenance says; records older than that mark are the person's if they carry no subtype of the program's.
    """

    agent = "qwen"
    name = "Qwen Code"
    version = 2
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        """The folder of QWEN_HOME, else ~/.qwen."""
        return [home.agent_folder("QWEN_HOME", ".qwen")]

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        """Files in the `chats` (and `subagents`) folders below `projects` and `tmp`; a folder without these two is searched
        for any session file."""
        folders = [root / name for name in FOLDERS if (root / name).is_dir()]
        for folder in folders or [root]:
            for found in files_under(folder, _wanted, report, self.agent, enter=_entered):
                parts = found.path.relative_to(folder).parts[:-1]
                if folders and not HOLDERS.intersection(parts):
                    continue
                side = "subagents" in parts
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
                    parent=found.path.parent.name if side and UUID.fullmatch(found.path.parent.name) else "",
                )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """See `base.Adapter.read`. A whole-file document has no checkpoint."""
        if unit.path.suffix == ".json":
            return read_document(unit, limits, stop)
        return read_log(unit, checkpoint, limits, stop, QwenMemory, QwenReading)

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && qwen --resume <id>`: that of the parent for a sub-agent, which cannot be resumed itself."""
        target = session.parent if session.kind == "subagent" else session.id
        return in_folder(session.cwd, f"qwen --resume {argument(target)}") if UUID.fullmatch(target) else ""


def _wanted(name: str) -> bool:
    return name.endswith((".jsonl", ".json")) and not name.endswith(".meta.json") and name not in ("logs.json", "history.jsonl")


def _entered(folder: Path) -> bool:
    return folder.name not in NOT_ENTERED
