"""Aider: the history of talks it keeps in each repository, one session for each run of the program.

Owns where such files are looked for (in the folders that sessions of other agents name, and in folders added by hand; no
project is walked) and how one is cut into runs. What stands in a run is in `aider_runs`.
"""

from __future__ import annotations

import functools
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.aider_runs import Run, read_run, runs_of
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Report, Session, Stop, Unit
from tray_app.sources.lines import utf16_text
from tray_app.sources.resume import in_folder
from tray_app.sources.walk import files_under, unreadable

HISTORY = ".aider.chat.history.md"
FILE_BYTES = 64 << 20
FOLDER_DEPTH = 4
"""Levels looked at in a folder that was added by hand."""
SKIPPED = frozenset({"node_modules", ".git", ".venv", "venv", "target", "dist", "build", "site-packages"})


class AiderAdapter:
    """Each run is a session: its id is the file with the moment the run began, which never changes."""

    agent = "aider"
    name = "Aider"
    version = 1
    confidence = "fixtures"

    def roots(self, home: SourcesHome) -> list[Path]:
        """Aider's own folder: it holds no talks, but is there where Aider is used, and small enough to be watched."""
        return [home.home / ".aider"]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """The runs in the home and the workspaces that sessions name; below a folder added by hand in every history."""
        if root != context.home.home / ".aider":
            found = files_under(root, lambda name: name == HISTORY, report, self.agent, depth=FOLDER_DEPTH, enter=_entered)
            for one in found:
                yield from self._units(root, one.path, report)
            return
        seen: set[tuple[int, int]] = set()
        for path in _candidates(context):
            try:
                info = path.stat()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as fault:
                report(unreadable(path, fault, self.agent))
                continue
            identity = (info.st_dev, info.st_ino)
            if info.st_ino and identity in seen:
                continue
            seen.add(identity)
            yield from self._units(root, path, report)

    def _units(self, root: Path, path: Path, report: Report) -> Iterator[Unit]:
        try:
            info = path.stat()
            if not stat.S_ISREG(info.st_mode):
                report(
                    Problem(path=str(path), line=0, offset=0, kind="unreadable", reason="not a regular file", agent=self.agent)
                )
                return
            runs = _runs(path, info.st_mtime_ns, info.st_size)
        except OSError as fault:
            report(unreadable(path, fault, self.agent))
            return
        for run in runs:
            yield Unit(
                agent=self.agent,
                root=root,
                path=path,
                session=f"{path}#{run.name}",
                size=run.end - run.start,
                mtime_ns=run.written_ms * 1_000_000 or info.st_mtime_ns,
                inode=0,
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """One run, whole: what is added to it changes its size, and no other run."""
        name = unit.session.removeprefix(f"{unit.path}#")
        data = _bytes(unit.path)
        run = next((run for run in runs_of(data) if run.name == name), None)
        if run is None:
            raise NotReady("the run is no longer in the file")
        return read_run(unit, run, data, limits, stop)

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && aider --restore-chat-history`: it goes on from the file, not from one run of it."""
        return in_folder(session.cwd, "aider --restore-chat-history")


def _entered(folder: Path) -> bool:
    return folder.name not in SKIPPED


def _candidates(context: Context) -> Iterator[Path]:
    yield context.home.home / HISTORY
    for workspace in dict.fromkeys(context.workspaces):
        folder = Path(workspace)
        if _usable(folder, context.home):
            yield folder / HISTORY


def _usable(folder: Path, home: SourcesHome) -> bool:
    """Whether a workspace may be looked into: an absolute folder, and inside the home where that is all that counts."""
    if not folder.is_absolute() or "\x00" in str(folder):
        return False
    try:
        return not home.confined or folder.resolve().is_relative_to(home.home.resolve())
    except (OSError, RuntimeError):  # a loop of links: there is nothing to read in it
        return False


def _bytes(path: Path) -> bytes:
    """The file, or its newest part where it is larger than anybody's talks."""
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(size - FILE_BYTES, 0))
        data = stream.read(FILE_BYTES)
    if codec := utf16_text(data[:4]):
        return data[2:].decode(codec, "replace").encode("utf-8", "replace")
    return data


@functools.lru_cache(maxsize=256)
def _runs(path: Path, mtime_ns: int, size: int) -> tuple[Run, ...]:
    """The runs of one state of a file, so that an unchanged one is not read again."""
    return tuple(runs_of(_bytes(path)))
