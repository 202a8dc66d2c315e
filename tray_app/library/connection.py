"""Opening index.duckdb: options, the full-text extension, locks and damage.

Owns the one connection of the process that owns the file. Every thread takes a cursor of its own from it. A file that
cannot be read is set aside and made anew, because everything in it can be rebuilt from the sessions.
"""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import logging
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from tray_app.errors import KnownError
from tray_app.library import migrations

log = logging.getLogger(__name__)

MEMORY_LIMIT = "256MB"
SPARE = "32MB"
TEMP_LIMIT = "4GB"
SPILL = "spill"
STORAGE_VERSION = "v1.4.0"
"""Written so that long text is stored with zstd; read by every 1.4 and newer."""

DAMAGED = "damaged"
DEATHS = 2
"""So often may the program die while it opens a file before that file is set aside."""

DAMAGE = re.compile(r"[Cc]orrupt|computed checksum|read enough bytes|not a valid DuckDB|Failed to load metadata pointer")
_PASSING = re.compile(r"Too many open files|Cannot allocate memory|Input/output error|Is a directory")

Connection = duckdb.DuckDBPyConnection


class OpenedIndex:
    """An open index file. `fts` says whether the packaged extension could be loaded, `fts_reason` why not.

    `set_aside` is the path of a damaged file that was replaced, or None. Cursors live on when the file is attached anew.
    """

    def __init__(self, connection: Connection, path: Path, fts_reason: str, set_aside: Path | None) -> None:
        self.connection, self.path, self.fts_reason, self.set_aside = connection, path, fts_reason, set_aside
        self._mending = threading.Lock()
        self._broken = False

    @property
    def fts(self) -> bool:
        return not self.fts_reason

    def cursor(self) -> Connection:
        """A cursor for the calling thread. Cheap; close it when done. Raises KnownError if the file cannot be attached anew
        after a fault."""
        if self._broken:
            self._mend()
        cursor = self.connection.cursor()
        cursor.execute("use library")
        return cursor

    def close(self) -> None:
        """Let go of the file, even where a thread still holds a cursor."""
        for step in ("checkpoint library", "detach library"):
            with contextlib.suppress(duckdb.Error):
                self.connection.execute(step)
        self.connection.close()

    @contextlib.contextmanager
    def faults(self) -> Iterator[None]:
        """What the database raises inside, as KnownError where it is the world's fault: `disk_full` or `index_damaged`."""
        try:
            yield
        except duckdb.Error as fault:
            text = str(fault)
            full, damaged = is_full(text), bool(DAMAGE.search(text))
            if full or damaged or "invalidated" in text or isinstance(fault, duckdb.FatalException):
                self._broken = True  # also after a full disk: a checkpoint that failed leaves the file closed even to readers
                if damaged and not full:
                    opening_note(self.path).write_text(DAMAGED, "utf-8")
                with contextlib.suppress(KnownError):
                    self._mend()
            if full:
                raise disk_full(self.path, fault) from fault
            if damaged:
                raise KnownError(
                    "index_damaged",
                    "The index was damaged",
                    "A part of it could no longer be read. It is made anew from your sessions.",
                    "The damaged file is kept beside it until the next time.",
                ) from fault
            raise

    def _mend(self) -> None:
        """Attach the file anew; a damaged one is set aside first. Raises KnownError."""
        with self._mending:
            if not self._broken:
                return
            with contextlib.suppress(duckdb.Error):
                self.connection.execute("detach library")
            with _world_faults(self.path):
                if died_opening(self.path):
                    self.set_aside = _set_aside(self.path)
                    log.error("the index file was damaged and is kept as %s", self.set_aside.name)
                _attach(self.connection, self.path, load_fts=self.fts)
            self._broken = False

    def spare_memory(self) -> None:
        """Let go of what was read from the file and is kept only to be at hand: 75 MB after 100,000 vectors were loaded."""
        with contextlib.closing(self.cursor()) as cursor:
            for limit in (SPARE, MEMORY_LIMIT):
                with contextlib.suppress(duckdb.OutOfMemoryException):  # somebody needs more just now
                    cursor.execute(f"set memory_limit='{limit}'")

    def guard_files(self) -> None:
        """The log beside the file is made whenever it is needed: for this user only, like the file."""
        if os.name == "posix":
            for suffix in ("", ".wal"):
                with contextlib.suppress(FileNotFoundError):
                    file = Path(f"{self.path}{suffix}")
                    if file.stat().st_mode & 0o077:
                        file.chmod(0o600)


def open_index(path: Path, *, load_fts: bool = True) -> OpenedIndex:
    """Open or make the index file.

    Raises KnownError `index_locked` (another process has it), `index_newer` (made by a newer program), `disk_full`,
    `index_unwritable` or `index_unopenable`.
    """
    with _world_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        aside = None
        if died_opening(path):
            aside = _set_aside(path)
            log.error("the index file could not be opened again and again and is kept as %s", aside.name)
        try:
            return _open(path, load_fts, aside)
        except duckdb.Error as fault:
            raise_for_the_world(fault, path)
            aside = _set_aside(path)
            log.error("the index file was damaged (%s) and is kept as %s", type(fault).__name__, aside.name)
            return _open(path, load_fts, aside)


@contextlib.contextmanager
def _world_faults(path: Path) -> Iterator[None]:
    """What opening may raise, as KnownError. The note that opening began is taken back: only a death leaves it."""
    try:
        yield
    except duckdb.Error as fault:
        raise_for_the_world(fault, path)
        raise _unopenable(path, type(fault).__name__) from fault
    except OSError as fault:
        if fault.errno == errno.ENOSPC:
            raise disk_full(path, fault) from fault
        if fault.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise _unwritable(path) from fault
        raise _unopenable(path, fault.strerror or type(fault).__name__) from fault
    finally:
        with contextlib.suppress(OSError):
            opening_note(path).unlink(missing_ok=True)


def died_opening(path: Path) -> bool:
    """Whether the file must be set aside unopened: damage showed while it was in use, or the program died twice while it
    opened it (a log whose replay aborts the process would end every start). Notes that opening begins now."""
    marker = opening_note(path)
    try:
        said = marker.read_text("utf-8").split()
    except FileNotFoundError:
        said = []
    if said[:1] == [DAMAGED]:
        return True
    died = len(said) == 2 and said[1].isdigit() and not _is_alive(said[0])
    tries = int(said[1]) if died else 0
    if tries >= DEATHS:
        return True
    marker.write_text(f"{os.getpid()} {tries + 1}", "utf-8")
    return False


def _is_alive(pid: str) -> bool:
    """Whether a process is there. Only asked where asking does no harm."""
    if os.name != "posix" or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return int(pid) != os.getpid()


def opening_note(path: Path) -> Path:
    return path.with_name(path.name + ".opening")


def _open(path: Path, load_fts: bool, aside: Path | None) -> OpenedIndex:
    connection = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "threads": "1",  # a second one bought no time here and cost a tenth more CPU, in searches and passes alike
            "checkpoint_threshold": "64MB",  # a pass writes its own at the end; at 16 MB it was every second batch
            "memory_limit": MEMORY_LIMIT,
            "temp_directory": str(path.parent / SPILL),
            "max_temp_directory_size": TEMP_LIMIT,
        },
    )
    try:
        connection.execute("set preserve_insertion_order=false")
        reason = _load_fts(connection) if load_fts else "switched off"
        _attach(connection, path, load_fts=not reason)
    except BaseException:
        connection.close()
        raise
    return OpenedIndex(connection, path, reason, aside)


def _attach(connection: Connection, path: Path, *, load_fts: bool) -> None:
    """The file as `library`, with a current schema, readable, for this user only."""
    old_mask = os.umask(0o077)
    try:
        connection.execute(f"attach {quoted(str(path))} as library (storage_version '{STORAGE_VERSION}')")
        cursor = connection.cursor()  # the connection itself never uses the file: else it could not detach it
        try:
            cursor.execute("use library")
            migrations.migrate(cursor, path, fts=load_fts)
            _probe(cursor)
        finally:
            cursor.close()
    finally:
        os.umask(old_mask)


def _probe(connection: Connection) -> None:
    """Read a little of every table, so that damage shows now and not at the first question."""
    for table in migrations.TABLES:
        connection.execute(f"select * from {table} limit 1").fetchall()
    connection.execute("select count(*), max(id) from chunks").fetchone()


def extension_file() -> Path | None:
    """The full-text extension that ships as a package, for exactly this DuckDB; None if it is not there."""
    bases = [Path(base) for base in [getattr(sys, "_MEIPASS", "")] if base]
    spec = importlib.util.find_spec("duckdb_extension_fts")
    if spec and spec.submodule_search_locations:
        bases += [Path(folder) for folder in spec.submodule_search_locations]
    for base in bases:
        for file in base.glob(f"**/v{duckdb.__version__}/fts.duckdb_extension"):
            return file
    return None


def _load_fts(connection: Connection) -> str:
    """'' when loaded, else why not. Search works without it."""
    file = extension_file()
    if file is None:
        return f"no full-text extension for DuckDB {duckdb.__version__} is installed"
    try:
        connection.execute(f"load {quoted(str(file))}")
    except duckdb.Error as fault:
        log.error("the full-text extension did not load: %s", str(fault).splitlines()[0])
        return str(fault).splitlines()[0]
    return ""


def raise_for_the_world(fault: Exception, path: Path) -> None:
    """KnownError for what is not damage: a lock, a newer file, a full disk, a folder that cannot be written, no memory."""
    text = str(fault).replace(str(path.parent), "")
    if "Could not set lock" in text or "being used by another process" in text or "Conflicting lock" in text:
        pid = re.search(r"PID (\d+)", text)
        raise KnownError(
            "index_locked",
            "The index is in use",
            f"Another process{f' (PID {pid[1]})' if pid else ''} has the index file open.",
            "Quit the other Backscroll, or wait a moment and try again.",
        ) from fault
    if isinstance(fault, migrations.NewerSchema):
        raise KnownError(
            "index_newer",
            "The index is newer than this program",
            "It was made by a newer Backscroll.",
            "Update Backscroll, or remove the index file: it is rebuilt from your sessions.",
        ) from fault
    if is_full(text):
        raise disk_full(path, fault) from fault
    if "Permission denied" in text or "read-only" in text.lower():
        raise _unwritable(path) from fault
    if isinstance(fault, duckdb.OutOfMemoryException) or _PASSING.search(text):
        raise _unopenable(path, text.splitlines()[0]) from fault


def is_full(text: str) -> bool:
    return "No space left" in text or "space left on" in text or "File too large" in text or "Disk quota" in text


def _unwritable(path: Path) -> KnownError:
    return KnownError(
        "index_unwritable", "The index cannot be written", f"{path.parent} is not writable.", "Give this user write access."
    )


def _unopenable(path: Path, reason: str) -> KnownError:
    return KnownError(
        "index_unopenable",
        "The index cannot be opened",
        f"{path.name}: {reason}.",
        "Try again; if it stays so, remove the index file: it is rebuilt from your sessions.",
    )


def disk_full(path: Path, fault: Exception | None = None) -> KnownError:
    """The error for a full disk, with what is free there."""
    try:
        free = f"{shutil.disk_usage(path.parent).free / 1e6:,.0f} MB are free there."
    except OSError:
        free = "Nothing is free there."
    return KnownError(
        "disk_full",
        "No space left",
        f"The disk that holds the index is full. {free}",
        "Make room; indexing goes on by itself, and what is in can still be found.",
    )


def remove_index(path: Path) -> None:
    """Remove the index file (closed) with all that may hold words from it: its log, files set aside, spilled memory."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink(missing_ok=True)
    shutil.rmtree(path.parent / SPILL, ignore_errors=True)


def _set_aside(path: Path) -> Path:
    """Keep a damaged file under another name; only the last one, since each is as large as the index."""
    for older in path.parent.glob(f"{path.name}.corrupt-*"):
        older.unlink(missing_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.corrupt-{stamp}")
    for suffix in ("", ".wal"):
        old = path.with_name(path.name + suffix)
        if old.exists():
            old.replace(aside.with_name(aside.name + suffix))
    return aside


def quoted(text: str) -> str:
    """A string as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def arrow(columns: Mapping[str, Any]) -> Any:
    """Columns (numpy arrays of numbers, lists of str or of bytes; no nulls) as an Arrow table that DuckDB reads in place."""
    from arro3.core import Array, DataType, Table

    made: dict[str, Any] = {}
    for name, values in columns.items():
        if isinstance(values, list):
            binary = bool(values) and isinstance(values[0], bytes)
            made[name] = Array(values, type=DataType.binary() if binary else DataType.string())
        elif values.dtype == bool:
            made[name] = Array(values.tolist(), type=DataType.bool())
        else:
            made[name] = Array(values)
    return Table.from_pydict(made)


@contextlib.contextmanager
def registered(cursor: Connection, name: str, columns: Mapping[str, Any]) -> Iterator[None]:
    """Rows under a name that SQL on this cursor can read, for the length of the block."""
    cursor.register(name, arrow(columns))
    try:
        yield
    finally:
        cursor.unregister(name)


def insert(cursor: Connection, table: str, columns: Mapping[str, Any], order: str = "") -> None:
    """Append rows given by column (bulk: executemany costs 20 ms a row here)."""
    with registered(cursor, "incoming", columns):
        names = ", ".join(f'"{name}"' for name in columns)
        cursor.execute(f"insert into {table} ({names}) select {names} from incoming {order}")
