"""What lies in our own folders and need not: files of writings that never ended, damaged files that were set aside; and folders
that others of this machine can look into. Removes nothing.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from tray_app.insight.findings import counted, finding
from tray_app.paths import Paths, shorten
from tray_app.records import Finding

OLD_S = 3600.0
"""What is younger may be just being written."""
UNFINISHED = ("*.tmp", "*.part", "*.part.wal", "*.fresh", "*.fresh.wal", "spill/*")
ASIDE = ("*.corrupt-*", "*.damaged", "*.damaged-*")
NAMED = 3


def findings(paths: Paths, now: float) -> list[Finding]:
    """`now` in epoch seconds. Raises OSError for a folder that cannot be listed."""
    found = []
    folders = [paths.config, paths.data, paths.data / "snapshots", paths.runtime]
    for space in sorted((paths.data / "spaces").glob("*/")):
        folders += [space, space / "snapshots"]
    unfinished = [(file, size) for file, size, changed in _files(folders, UNFINISHED) if now - changed > OLD_S]
    if unfinished:
        found.append(
            _listed(
                "leftover_files", unfinished, "of writings that never ended",
                "Nothing needs them; they can be deleted.",
            )
        )  # fmt: skip
    aside = [(file, size) for file, size, _ in _files(folders, ASIDE)]
    if aside:
        found.append(
            _listed(
                "set_aside_kept", aside, "that were damaged and set aside",
                "When all is found again that you miss, delete them.",
            )
        )  # fmt: skip
    return found + _open_folders(paths)


def _listed(code: str, files: list[tuple[Path, int]], which: str, remedy: str) -> Finding:
    size = sum(size for _, size in files)
    names = ", ".join(shorten(file) for file, _ in files[:NAMED]) + (", …" if len(files) > NAMED else "")
    megabytes = f"{size / 1e6:,.1f} MB"
    return finding(
        code, "info", f"{counted(len(files), 'file')} {which} ({megabytes})", f"{names}.", remedy,
        count=str(len(files)), bytes=str(size), path=str(files[0][0]), listed=names,
    )  # fmt: skip


def _files(folders: Iterable[Path], patterns: Iterable[str]) -> Iterator[tuple[Path, int, float]]:
    """Path, bytes and moment of the last change (epoch seconds)."""
    for folder in folders:
        for pattern in patterns:
            for file in sorted(folder.glob(pattern)):
                with contextlib.suppress(FileNotFoundError):
                    facts = file.lstat()
                    if stat.S_ISREG(facts.st_mode):
                        yield file, facts.st_size, facts.st_mtime


def _open_folders(paths: Paths) -> list[Finding]:
    """Each start closes our folders for others; another program may have opened one since."""
    if os.name != "posix":
        return []
    found = []
    for folder in dict.fromkeys(paths.folders):
        with contextlib.suppress(FileNotFoundError):
            facts = folder.stat()
            foreign = facts.st_uid != os.getuid()
            if foreign or facts.st_mode & 0o077:
                found.append(
                    finding(
                        "folder_open", "warn", "Other users of this machine can look into a folder of ours" if not foreign
                        else "A folder of ours belongs to another user", shorten(folder),
                        f"chmod 700 '{folder}'" if not foreign else f"chown -R {os.getuid()} '{folder}'",
                        path=str(folder), foreign="1" if foreign else "",
                    )
                )  # fmt: skip
    return found
