"""Looking for session files without being led astray.

Owns: loops by symbolic links, unreadable folders, dangling links, pipes and folders that are named like session files.
Each bad entry is reported and the rest goes on. Nothing is opened here.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from tray_app.records import Problem
from tray_app.sources.base import Report

DEPTH = 12


class Found(msgspec.Struct, frozen=True):
    """A regular file that was found. `size` in bytes."""

    path: Path
    size: int
    mtime_ns: int
    inode: int


def files_under(
    root: Path,
    wanted: Callable[[str], bool],
    report: Report,
    agent: str,
    *,
    depth: int = DEPTH,
    enter: Callable[[Path], bool] = lambda folder: True,
) -> Iterator[Found]:
    """Regular files below `root` whose name is `wanted`, in no set order, each real file once.

    Links are followed; a folder already seen (by device and inode) is not entered again. `enter` decides on folders by
    their path. A root that does not exist gives nothing; one that cannot be read is reported.
    """
    seen_folders: set[tuple[int, int]] = set()
    seen_files: set[tuple[int, int]] = set()
    waiting = [(root, 0)]
    while waiting:
        folder, level = waiting.pop()
        try:
            here = folder.stat()
            if (here.st_dev, here.st_ino) in seen_folders:
                continue
            seen_folders.add((here.st_dev, here.st_ino))
            entries = list(os.scandir(folder))
        except FileNotFoundError:
            continue
        except OSError as fault:
            report(unreadable(folder, fault, agent))
            continue
        for entry in entries:
            path = folder / entry.name
            try:
                named = wanted(entry.name)
                if entry.is_dir() and not named:
                    if level < depth and enter(path):
                        waiting.append((path, level + 1))
                    continue
                if not named:
                    continue
                info = entry.stat()
                if not stat.S_ISREG(info.st_mode):
                    report(
                        Problem(path=str(path), line=0, offset=0, kind="unreadable", reason="not a regular file", agent=agent)
                    )
                    continue
                identity = (info.st_dev, info.st_ino) if info.st_ino else (0, hash(str(path)))
                if identity in seen_files:
                    continue
                seen_files.add(identity)
                yield Found(path, info.st_size, info.st_mtime_ns, info.st_ino)
            except OSError as fault:
                report(unreadable(path, fault, agent))


def unreadable(path: Path, fault: OSError, agent: str) -> Problem:
    """The problem record for a path the system refuses."""
    return Problem(
        path=str(path), line=0, offset=0, kind="unreadable", reason=fault.strerror or type(fault).__name__, agent=agent
    )
