"""Which folders are there, and where the git repository begins that they lie in.

Owns the looking at the disk and its patience: it happens in a thread that is given up where a mount does not answer, and that
mount is left alone until it did. Never runs git, changes nothing. What cannot be looked at is not known, which is not the same
as gone.
"""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
import stat
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tray_app.memory.names import is_foreign
from tray_app.worker import Job

PATIENCE_S = 0.25
"""So long a single look-up may take before the mount counts as one that does not answer."""
DEEPEST = 64
"""Folders above a folder that are looked at."""
POINTER_BYTES = 4_096
_WORKTREE = re.compile(r"gitdir:\s*(.+?)[/\\]\.git[/\\]worktrees[/\\][^/\\]+\s*\Z")
_MOUNTS = re.compile(r"/|/mnt|/net|/media(?:/[^/]+)?|/run/media(?:/[^/]+)?|/Volumes|/home|/Users|/workspaces?")
"""Where disks are hung in: what is missing directly below may be a disk that is not plugged in, or another machine's."""


class Place(msgspec.Struct, frozen=True):
    """`there`: None where that is not known. `top` is the folder of the git repository, '' if there is none or it is not known;
    of a linked worktree that of the repository itself."""

    there: bool | None = None
    top: str = ""


class Places:
    """Safe from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stuck: list[_Look] = []
        self._listings: dict[str, Job[tuple[str, ...] | None]] = {}

    def folders_in(self, folder: str) -> tuple[str, ...] | None:
        """The names of the folders directly in a folder, sorted; None where it cannot be looked at."""
        if is_foreign(folder):
            return None
        with self._lock:
            job = self._listings.get(folder)
            if job is not None and not job.done:
                return None
            job = self._listings[folder] = Job(lambda: _folders_in(folder))
        threading.Thread(target=job.run, name="places", daemon=True).start()
        return job.result() if job.wait(PATIENCE_S) else None

    def look(self, folders: Iterable[str]) -> dict[str, Place]:
        """What is known of each folder. Takes milliseconds, and a fraction of a second more for a mount that hangs."""
        found = {folder: Place() for folder in folders}
        left = [folder for folder in found if not is_foreign(folder)]
        with self._lock:
            self._stuck = [look for look in self._stuck if not look.done.is_set()]
            barred = [_area(look.current) for look in self._stuck]
        left = _outside(left, barred)
        while left:
            look = _Look(left)
            look.start()
            while not look.done.wait(PATIENCE_S):
                if look.current == look.seen:
                    break
                look.seen = look.current
            found.update(look.found.copy())
            if look.done.is_set():
                break
            with self._lock:
                self._stuck.append(look)
            left = _outside([folder for folder in left if folder not in look.found], [_area(look.current)])
        return found


class _Look:
    """One thread looking at folders, one after the other."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = folders
        self.found: dict[str, Place] = {}
        self.current = self.seen = ""
        self.done = threading.Event()
        self._tops: dict[str, str] = {}

    def start(self) -> None:
        threading.Thread(target=self._run, name="places", daemon=True).start()

    def _run(self) -> None:
        try:
            for folder in self._folders:
                self.current = folder
                self.found[folder] = Place(_is_there(folder), self._top(folder))
        finally:
            self.done.set()

    def _top(self, folder: str) -> str:
        """The nearest folder at or above that holds a `.git`; what was learned on the way is kept for the next ones."""
        way = []
        top = ""
        for _ in range(DEEPEST):
            if folder in self._tops:
                top = self._tops[folder]
                break
            way.append(folder)
            top = _repository(folder)
            above = os.path.dirname(folder)  # noqa: PTH120 - strings are half the time of paths
            if top or above == folder:
                break
            folder = above
        self._tops.update(dict.fromkeys(way, top))
        return top


def _repository(folder: str) -> str:
    """The folder of the repository that begins here, '' if none does."""
    git = os.path.join(folder, ".git")
    try:
        mode = os.stat(git).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        return ""
    if stat.S_ISDIR(mode):
        return folder
    if not stat.S_ISREG(mode):
        return ""
    try:
        with Path(git).open("rb") as stream:
            pointer = stream.read(POINTER_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return folder
    linked = _WORKTREE.match(pointer.strip())
    if linked is None:
        return folder
    main = os.path.normpath(os.path.join(folder, linked[1]))
    return main if os.path.isdir(os.path.join(main, ".git")) else folder  # noqa: PTH112


def _folders_in(folder: str) -> tuple[str, ...] | None:
    try:
        with os.scandir(folder) as entries:
            return tuple(sorted(entry.name for entry in entries if _is_folder(entry)))
    except (OSError, ValueError):
        return None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_there(folder: str) -> bool | None:
    """None: not known, as with a disk that is not plugged in."""
    try:
        return stat.S_ISDIR(os.stat(folder).st_mode)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError):
        return None
    above = folder
    while (higher := os.path.dirname(above)) != above:  # noqa: PTH120
        above = higher
        with contextlib.suppress(OSError, ValueError):
            if stat.S_ISDIR(os.stat(above).st_mode):  # noqa: PTH116
                return None if _MOUNTS.fullmatch(above) or above == os.path.dirname(above) else False  # noqa: PTH120
    return None


def _outside(folders: Sequence[str], areas: Sequence[str]) -> list[str]:
    return [
        folder
        for folder in folders
        if not any(folder == area or folder.startswith(area.rstrip("/\\") + os.sep) for area in areas)
    ]


def _area(folder: str) -> str:
    """What hangs where this folder hangs: its mount, as far as that can be told without asking the disk; else the folder."""
    if sys.platform.startswith("linux"):
        mounts = [mount for mount in _mounts() if mount != "/" and (folder == mount or folder.startswith(mount + "/"))]
        return max(mounts, key=len, default=folder)
    if sys.platform == "darwin":
        parts = folder.split("/")
        return "/".join(parts[:3]) if parts[1:2] == ["Volumes"] else folder
    drive = os.path.splitdrive(folder)[0]
    return drive or folder


def _mounts() -> list[str]:
    """Mount points as the kernel lists them: asks no file system."""
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
    fields = (line.split(" ") for line in lines)
    unescaped = re.compile(r"\\([0-7]{3})")
    return [
        posixpath.normpath(unescaped.sub(lambda match: chr(int(match[1], 8)), parts[4])) for parts in fields if len(parts) > 4
    ]
