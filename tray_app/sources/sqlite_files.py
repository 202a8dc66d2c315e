"""SQLite databases of other programs, read without leaving a trace.

Owns the way a database is opened: never written, never locked against its owner for longer than a query, and no `-wal` or
`-shm` file made beside it. Knows no tables. The four ways, by what stands beside the file:

- a `-wal` with its `-shm` (the owner runs, or crashed): shared, with the index of the log opened read-only;
- a `-wal` alone (copied or restored folder): SQLite would have to make the `-shm`, so both are copied to a private folder;
- no `-wal`, but a file in that mode: as immutable, and once more if it changed meanwhile;
- a file with a rollback journal: plainly read-only, or as a copy where a crash left a journal to be played back.
"""

from __future__ import annotations

import errno
import functools
import os
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from tray_app.sources.base import NotReady, Stop, Stopped

T = TypeVar("T")

MAGIC = b"SQLite format 3\x00"
TRIES = 3
BUSY_SECONDS = 0.5
STOP_STEPS = 20_000
"""Steps of SQLite's machine between two looks at `stop`: some milliseconds."""
COPY_BYTES = 1 << 30
VALUE_BYTES = 256 << 20
"""A value beyond this is refused by SQLite itself: a row must not fill the memory."""
BESIDE = ("-wal", "-shm", "-journal")

Facts = tuple[tuple[int, int, int], ...]
"""Size, time and inode of the database, its log and its journal; -1 where there is none."""


class Database:
    """An open database, inside one reading transaction. Only tables count: no views, no virtual ones."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._columns: dict[str, frozenset[str]] = {}
        for name, sql in self.rows("select name, sql from sqlite_master where type = 'table'"):
            if isinstance(name, str) and isinstance(sql, str) and not sql.lower().lstrip().startswith("create virtual"):
                self._columns[name] = frozenset()

    def has(self, table: str, *columns: str) -> bool:
        """Whether there is such a table with all these columns."""
        return table in self._columns and self.columns(table) >= set(columns)

    def columns(self, table: str) -> frozenset[str]:
        """Names of a table's columns; empty if there is no such table."""
        if table not in self._columns:
            return frozenset()
        if not self._columns[table]:
            quoted = table.replace('"', '""')
            self._columns[table] = frozenset(str(row[1]) for row in self.rows(f'pragma table_info("{quoted}")'))
        return self._columns[table]

    def rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Rows of a query, one after the other. Text comes as str (bad bytes replaced), blobs as bytes."""
        with closing(self._connection.execute(sql, values)) as cursor:
            yield from cursor


def read_database(path: Path, work: Callable[[Database], T], stop: Stop = lambda: False) -> T:
    """What `work` makes of the database. It may be called again, if the file changed meanwhile.

    Raises NotReady for an empty file, Stopped, and OSError with a readable `strerror` for a file that is no database, is
    damaged, or stays locked.
    """
    for attempt in range(TRIES):
        before = facts(path)
        fault: Exception | None = None
        try:
            opened, steady = _way(path, before, attempt)
            result = _run(opened, work, stop)
        except sqlite3.Error as error:
            fault, steady = error, False
        if fault is None and (steady or facts(path)[:2] == before[:2]):
            return result
        if fault is not None and attempt + 1 == TRIES:
            raise _told(fault) from fault
    return result


def facts(path: Path) -> Facts:
    """What tells one state of a database from another. Raises OSError if there is no database."""
    info = path.stat()
    found = [(info.st_size, info.st_mtime_ns, info.st_ino)]
    for suffix in BESIDE:
        try:
            info = path.with_name(path.name + suffix).stat()
            found.append((info.st_size, info.st_mtime_ns, info.st_ino))
        except OSError:
            found.append((-1, 0, 0))
    return tuple(found)


def _way(path: Path, state: Facts, attempt: int) -> tuple[tuple[str, object], bool]:
    """How to open the file: a URI, with an object to be kept alive; and whether the result is good even if it changes."""
    _, log, index, journal = state
    with path.open("rb") as stream:
        head = stream.read(100)
    if not head:  # SQLite would delete a log that stands beside an empty file
        raise NotReady("the database is empty")
    if not head.startswith(MAGIC):
        raise OSError(errno.EILSEQ, "not a SQLite database")
    uri = _uri(path)
    if log[0] > 0:
        if index[0] > 0 and attempt < TRIES - 1:
            return (f"{uri}?mode=ro&readonly_shm=1", None), True
        return _copied(path, state), True
    if len(head) > 18 and head[18] == 2:
        return (f"{uri}?mode=ro&immutable=1", None), False
    if journal[0] > 0 and attempt:
        return _copied(path, state), True
    return (f"{uri}?mode=ro", None), True


def _uri(path: Path) -> str:
    """The path as SQLite takes it. A share of another machine must not stand where a URI has the host: it refuses these."""
    text = path.absolute().as_posix()
    return f"file://{'' if text.startswith('/') else '/'}{quote(os.fsencode(text), safe='/:')}"


def _run(opened: tuple[str, object], work: Callable[[Database], T], stop: Stop) -> T:
    uri, _ = opened
    asked = False

    def pulse() -> bool:
        nonlocal asked
        asked = asked or stop()
        return asked

    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
        connection.text_factory = _text
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES)
        connection.execute("pragma trusted_schema = off")
        connection.execute("pragma query_only = on")
        connection.set_progress_handler(pulse, STOP_STEPS)
        try:
            connection.execute("begin")
            return work(Database(connection))
        except sqlite3.Error:
            if asked:
                raise Stopped from None
            raise


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _told(fault: Exception) -> OSError:
    words = str(fault)
    if "locked" in words or "busy" in words:
        return OSError(errno.EBUSY, "the database is locked by its program")
    if "no such column" in words or "no such table" in words:
        return OSError(errno.EILSEQ, "the database has another shape than known")
    return OSError(errno.EIO, "the database is damaged")


# --- copies ------------------------------------------------------------------------------------------------------------
class _Copy:
    """A private copy of a database and its log, deleted when nobody needs it any more."""

    def __init__(self, path: Path, state: Facts) -> None:
        size = sum(max(part[0], 0) for part in state)
        if size > COPY_BYTES or size * 2 > shutil.disk_usage(tempfile.gettempdir()).free:
            raise OSError(errno.EFBIG, "the database is too large to be copied")
        folder = Path(tempfile.mkdtemp(prefix="backscroll-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = folder / "copy.db"
        shutil.copyfile(path, self.path)
        for suffix in ("-wal", "-journal"):
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                shutil.copyfile(beside, self.path.with_name(self.path.name + suffix))


def _copied(path: Path, state: Facts) -> tuple[str, object]:
    copy = _kept(os.fspath(path), state)
    return f"{_uri(copy.path)}?mode=rw", copy


@functools.lru_cache(maxsize=1)
def _kept(path: str, state: Facts) -> _Copy:
    """One copy for one state of a database, so that a thousand sessions in it cost one."""
    return _Copy(Path(path), state)
