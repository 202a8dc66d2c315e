"""pi: finding its session files, and the adapter that reads one.

Owns folders, names and the resume command. What the lines mean is in `pi_reading`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.sources.base import Checkpoint, Context, Limits, Reading, Report, Session, Stop, Unit
from tray_app.sources.pi_reading import PiMemory, PiReading, is_id, named_id
from tray_app.sources.qwen_log import read_log
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import files_under

NOT_ENTERED = frozenset({"node_modules", ".git"})


class PiAdapter:
    """Sessions of pi, versions 1 to 3 of their format.

    Messages stand in the order of the file, and all branches of the tree are kept: what was said on a branch that was left
    was said all the same. A command that the person ran with `!` is a tool call with its result.
    """

    agent = "pi"
    name = "pi"
    version = 1
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        """The `sessions` folder of PI_CODING_AGENT_DIR, else of ~/.pi/agent."""
        return [home.agent_folder("PI_CODING_AGENT_DIR", ".pi/agent") / "sessions"]

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        """All .jsonl files below `root`: a folder for each workspace, a file `<time>_<id>.jsonl` for each session."""
        for found in files_under(root, _wanted, report, self.agent, enter=_entered):
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=named_id(found.path.name) or found.path.stem,
                size=found.size,
                mtime_ns=found.mtime_ns,
                inode=found.inode,
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """See `base.Adapter.read`."""
        return read_log(unit, checkpoint, limits, stop, PiMemory, PiReading)

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && pi --session <id>`."""
        return in_folder(session.cwd, f"pi --session {argument(session.id)}") if is_id(session.id) else ""


def _wanted(name: str) -> bool:
    return name.endswith(".jsonl") and not name.startswith(".")


def _entered(folder: Path) -> bool:
    return folder.name not in NOT_ENTERED
