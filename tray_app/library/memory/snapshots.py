"""Snapshots: whole copies of the memory beside it, from which it is made again when its file is damaged.

Owns their names (kind, moment, change they stand at, number of memories), which are kept, and the check that each can be
read. A snapshot is written from the rows in memory, not copied from the file, so that it never inherits a damaged block; it
holds no words or vectors.
"""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tray_app.library.memory.faults import Damaged, world_faults
from tray_app.library.memory.file import read_file, write_file
from tray_app.library.memory.journal import write_whole
from tray_app.library.memory.state import State

log = logging.getLogger(__name__)

DAILY, BEFORE, NEWEST = 7, 5, 2
"""So many days are kept, so many of those made before a migration, a clean-up or a restore, and always the newest ones."""
_NAME = re.compile(r"memory-(\d{8}-\d{6})-(manual|daily|before)-(\d+)-(\d+)\.duckdb")


class Snapshot(NamedTuple):
    """`created` in epoch ms; `kind`: manual | daily | before (a migration, a clean-up, a restore); `seq`: the change it
    stands at."""

    path: Path
    created: int
    kind: str
    seq: int
    memories: int
    bytes: int


class Facts(NamedTuple):
    """For the status: `bytes` of the database with its log, entries of the journal, snapshots newest first."""

    path: Path
    bytes: int
    schema: int
    journal_entries: int
    snapshots: list[Snapshot]
    mended: str


class Snapshots:
    """One folder. Used under the store's lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def listed(self) -> list[Snapshot]:
        """Newest first. Raises OSError."""
        found = []
        for path in self.folder.glob("memory-*.duckdb"):
            match = _NAME.fullmatch(path.name)
            if match:
                moment = datetime.strptime(match[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
                size = path.stat().st_size
                found.append(Snapshot(path, int(moment.timestamp() * 1000), match[2], int(match[3]), int(match[4]), size))
        return sorted(found, key=lambda one: (one.seq, one.created, one.path.name), reverse=True)

    def take(self, state: State, kind: str, now: int) -> Path:
        """Write one, and read it again. Raises KnownError, Damaged."""
        path = self._path(state, kind, now)
        with world_faults(path):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_file(path, state, words=False)
            if not read_file(path).same_as(state):
                path.unlink()
                raise Damaged("a snapshot that is not what was written")
        return path

    def keep_copy(self, file: Path, state: State, now: int) -> Path:
        """Keep a file that nobody has open as it is, before it is migrated. Raises OSError."""
        path = self._path(state, "before", now)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, lambda part: shutil.copyfile(file, part))
        return path

    def newest_good(self, above: int = -1) -> State | None:
        """The state in the newest one that can be read, if it stands later than `above`; those that cannot be read are put
        aside. Raises NewerSchema, KnownError, OSError."""
        for snapshot in self.listed():
            if snapshot.seq <= above:
                return None
            try:
                with world_faults(snapshot.path):
                    return read_file(snapshot.path)
            except Damaged as fault:
                log.error("the snapshot %s cannot be read (%s)", snapshot.path.name, fault)
                snapshot.path.replace(snapshot.path.with_name(snapshot.path.name + ".damaged"))
        return None

    def prune(self) -> int:
        """Remove what is too old; gives the change up to which no snapshot needs the journal any more. Raises OSError."""
        found = self.listed()
        kept = {one.path for one in found[:NEWEST]} | {one.path for one in found if one.kind == "manual"}
        days: dict[int, Path] = {}
        for one in found:
            if one.kind == "daily":
                days.setdefault(one.created // 86_400_000, one.path)
        kept |= set(list(days.values())[:DAILY])
        kept |= {one.path for one in [one for one in found if one.kind == "before"][:BEFORE]}
        for one in found:
            if one.path not in kept:
                one.path.unlink()
        for leftover in [*self.folder.glob("*.part"), *self.folder.glob("*.part.wal")]:
            with contextlib.suppress(FileNotFoundError):
                leftover.unlink()
        automatic = [one.seq for one in found if one.path in kept and one.kind == "daily"]
        needed = [one.seq for one in found[:NEWEST]]
        return min([*automatic, *needed]) if len(needed) == NEWEST else 0

    def _path(self, state: State, kind: str, now: int) -> Path:
        moment = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%d-%H%M%S")
        return self.folder / f"memory-{moment}-{kind}-{state.seq}-{len(state.tables['memories'])}.duckdb"


def opens(snapshot: Snapshot) -> None:
    """Read all of one; nothing where it is gone meanwhile. Raises KnownError, Damaged."""
    if snapshot.path.exists():
        with world_faults(snapshot.path):
            read_file(snapshot.path)
