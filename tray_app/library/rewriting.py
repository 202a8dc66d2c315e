"""A library written anew, so that what was taken out of it is gone from the file too.

Deleting only marks blocks of a DuckDB file as free: their bytes stay until something is written over them. Owns the copying
of every table into a new file, and the exchange of the two. The caller holds off all readers and writers for the exchange.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import duckdb

from tray_app.library.connection import STORAGE_VERSION, OpenedIndex, open_index, quoted
from tray_app.library.migrations import FTS

WANTED = "rewrite"
"""Key in `meta` that says that something was taken out which must be gone from the file."""


def copy_out(opened: OpenedIndex) -> Path:
    """Copy what the library holds now into a new file beside it, whose path it gives. Nothing may be written meanwhile; it
    may be read. Raises KnownError where the disk is full."""
    target = fresh_file(opened.path)
    drop(target)
    with opened.faults():
        open_index(target).close()
        cursor = opened.connection.cursor()
        try:
            cursor.execute(f"attach {quoted(str(target))} as fresh (storage_version '{STORAGE_VERSION}')")
            try:
                _copy_tables(cursor)
                cursor.execute("checkpoint fresh")
            finally:
                with contextlib.suppress(duckdb.Error):
                    cursor.execute("rollback")
                cursor.execute("detach fresh")
        except BaseException:
            drop(target)
            raise
        finally:
            cursor.close()
    return target


def exchange(target: Path, file: Path) -> bool:
    """Put the new file in the place of the old one, which nobody has open, and remove what damaged copies and spilled rows
    stand beside it. Gives False, and changes nothing, where a log shows that the old one was not closed whole."""
    if _log_of(file).exists() or _log_of(target).exists():
        drop(target)
        return False
    os.replace(target, file)
    for leftover in [*file.parent.glob(f"{file.name}.corrupt-*"), *(file.parent / "spill").glob("*")]:
        with contextlib.suppress(OSError):  # derived and useless: the next rewriting tries again
            leftover.unlink()
    return True


def fresh_file(file: Path) -> Path:
    return file.with_name(file.name + ".fresh")


def drop(file: Path) -> None:
    """Remove a library's file with its log."""
    for path in (_log_of(file), file):
        path.unlink(missing_ok=True)


def _copy_tables(cursor: duckdb.DuckDBPyConnection) -> None:
    names = cursor.execute(
        "select l.schema_name, l.table_name from duckdb_tables() l join duckdb_tables() f on f.database_name = 'fresh' "
        "and f.schema_name = l.schema_name and f.table_name = l.table_name where l.database_name = 'library' order by 1, 2"
    ).fetchall()
    cursor.execute("set preserve_insertion_order=true")
    try:
        cursor.execute("begin")
        for schema, name in names:
            table = f'"{schema}"."{name}"'
            rest = {f"{FTS}.post": "order by termid, docid", f"{FTS}.dict": "where df > 0"}.get(f"{schema}.{name}", "")
            cursor.execute(f"delete from fresh.{table}")
            cursor.execute(f"insert into fresh.{table} by name select * from library.{table} {rest}")
        cursor.execute("delete from fresh.meta where key = ?", [WANTED])
        cursor.execute(f"insert or replace into fresh.meta select 'sorted_postings', count(*)::varchar from fresh.{FTS}.post")
        cursor.execute("commit")
    finally:
        cursor.execute("set preserve_insertion_order=false")


def _log_of(file: Path) -> Path:
    return file.with_name(file.name + ".wal")
