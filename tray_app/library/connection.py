"""Opening index.duckdb: options, the full-text extension, locks and damage.

Owns the one connection of the process that owns the file. Every thread takes a cursor of its own from it. A file that
cannot be read is set aside and made anew, because everything in it can be rebuilt from the sessions.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from tray_app.errors import KnownError
from tray_app.library import migrations

log = logging.getLogger(__name__)

MEMORY_LIMIT = "256MB"
TEMP_LIMIT = "4GB"
STORAGE_VERSION = "v1.4.0"
"""Written so that long text is stored with zstd; read by every 1.4 and newer."""

Connection = duckdb.DuckDBPyConnection


class OpenedIndex:
    """An open index file. `fts` says whether the packaged extension could be loaded, `fts_reason` why not.

    `set_aside` is the path of a damaged file that was replaced, or None.
    """

    def __init__(self, connection: Connection, path: Path, fts_reason: str, set_aside: Path | None) -> None:
        self.connection, self.path, self.fts_reason, self.set_aside = connection, path, fts_reason, set_aside

    @property
    def fts(self) -> bool:
        return not self.fts_reason

    def cursor(self) -> Connection:
        """A cursor for the calling thread. Cheap; close it when done."""
        cursor = self.connection.cursor()
        cursor.execute("use library")
        return cursor

    def close(self) -> None:
        with contextlib.suppress(duckdb.Error):
            self.connection.execute("checkpoint")
        self.connection.close()


def open_index(path: Path, *, load_fts: bool = True) -> OpenedIndex:
    """Open or make the index file.

    Raises KnownError `index_locked` (another process has it), `index_newer` (made by a newer program), `disk_full` or
    `index_unopenable`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        return _open(path, load_fts, None)
    except duckdb.Error as fault:
        problem: Exception = fault
    _raise_for_the_world(problem, path)
    aside = _set_aside(path)
    log.error("the index file was damaged (%s) and is kept as %s", type(problem).__name__, aside.name)
    return _open(path, load_fts, aside)


def _open(path: Path, load_fts: bool, aside: Path | None) -> OpenedIndex:
    temp = path.parent / "spill"
    old_mask = os.umask(0o077)
    try:
        connection = duckdb.connect(
            ":memory:",
            config={
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "threads": "2",
                "memory_limit": MEMORY_LIMIT,
                "temp_directory": str(temp),
                "max_temp_directory_size": TEMP_LIMIT,
            },
        )
        try:
            connection.execute(f"attach {quoted(str(path))} as library (storage_version '{STORAGE_VERSION}')")
            connection.execute("use library")
            connection.execute("set preserve_insertion_order=false")
            reason = _load_fts(connection) if load_fts else "switched off"
            migrations.migrate(connection, path, fts=not reason)
            _probe(connection)
        except BaseException:
            connection.close()
            raise
    finally:
        os.umask(old_mask)
    return OpenedIndex(connection, path, reason, aside)


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


def _raise_for_the_world(fault: Exception, path: Path) -> None:
    """KnownError for what is not damage: a lock, a newer file, a full disk, a folder that cannot be written."""
    text = str(fault)
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
    if "No space left" in text or "space left on device" in text.lower():
        raise disk_full(path, fault) from fault
    if "Permission denied" in text or "Read-only file system" in text or "read-only" in text.lower():
        raise KnownError(
            "index_unwritable", "The index cannot be written", f"{path.parent} is not writable.", "Give this user write access."
        ) from fault


def disk_full(path: Path, fault: Exception | None = None) -> KnownError:
    """The error for a full disk, with what is free there."""
    import shutil

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


def _set_aside(path: Path) -> Path:
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
