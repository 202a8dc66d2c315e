"""memory.duckdb itself: opening, reading every row of it, applying one change, making it anew.

Owns the connection and the rows' tables. What the file should hold is not known here (`opening` compares it with the
journal); the tables of words and vectors belong to `searching`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import numpy as np

from tray_app.library.connection import STORAGE_VERSION, Connection, insert, quoted, registered
from tray_app.library.memory import schema as schemas
from tray_app.library.memory import searching, vectors
from tray_app.library.memory.faults import Damaged
from tray_app.library.memory.journal import write_whole
from tray_app.library.memory.rows import TABLES, as_columns, from_columns
from tray_app.library.memory.schema import WORDS, definition, upgraded
from tray_app.library.memory.state import Entry, State
from tray_app.library.migrations import NewerSchema

MEMORY_LIMIT, SPARE = "48MB", "20MB"
"""What the database may hold, and what it keeps of the file when nothing is done with it."""
ROW_GROUP = 16_384
"""Rows that are read, or written anew, at least: an eighth of the usual, for what is so small (words are found twice as fast)."""
SPILL = "memory-spill"
ROWS = 1_000
"""Rows that are read at a time."""
CHECKPOINT_AT = 1 << 20
"""Bytes of the log beside the file from which on it is written into the file: that costs 0.1 to 0.5 s with 10,000 memories, so
not at every change; what the log holds is in the journal too."""


class MemoryFile:
    """An open file. `cursor` is used under the store's lock; `find` has one of its own, so that it need not wait for who
    writes."""

    def __init__(self, path: Path, *, create: str = "") -> None:
        """`create` is the definition of its tables where there is none yet. Raises duckdb.Error; Damaged for a file without
        our tables."""
        self.path = path
        self.connection = _connected(path.parent / SPILL)
        mask = os.umask(0o077)
        try:
            self.connection.execute(
                f"attach {quoted(str(path))} as library (storage_version '{STORAGE_VERSION}', row_group_size {ROW_GROUP})"
            )
            shutil.rmtree(path.parent / SPILL, ignore_errors=True)  # of a process that was killed: the file is ours alone now
            self.cursor = self.connection.cursor()
            self.cursor.execute("use library")
            if create:
                self.cursor.execute(f"begin; {create}; commit")
                self._note("schema", schemas.MEMORY_SCHEMA)
            self.schema = _schema_of(self.cursor)
            self.words = searching.Words(self.cursor)
            self._reader = self.connection.cursor()
            self._reader.execute("use library")
            self._reading = threading.Lock()
            self._closed = False
        except BaseException:
            self.connection.close()
            raise
        finally:
            os.umask(mask)

    def close(self) -> None:
        """Write the log into the file and let go of both. Idempotent."""
        with self._reading:
            if self._closed:
                return
            self._closed = True
            self._reader.close()
            with contextlib.suppress(duckdb.Error):  # the log stays then, and is read at the next opening
                self.cursor.execute("checkpoint library")
            self.cursor.close()
            with contextlib.suppress(duckdb.Error):
                self.connection.execute("detach library")
            self.connection.close()

    def find(self, table: str, words: Sequence[str]) -> list[tuple[int, float]] | None:
        """See `searching.find`; None where the file was closed meanwhile. Raises duckdb.Error."""
        with self._reading:
            if self._closed:
                return None
            self._reader.execute("begin")
            try:
                return searching.find(self._reader, table, words)
            finally:
                with contextlib.suppress(duckdb.Error):  # what was wrong is being told already
                    self._reader.execute("rollback")

    def load(self) -> State:
        """Every row. Raises duckdb.Error, Damaged."""
        return _load(self.cursor, self.schema)

    def verify(self) -> None:
        """Read what `load` does not, so that every block in use has been checked. Raises duckdb.Error."""
        self.cursor.execute("select count(*), sum(memory), sum(octet_length(vector)) from vectors").fetchall()
        for schema in WORDS.values():
            self.cursor.execute(f"select sum(termid), sum(docid), sum(tf), sum(len) from {schema}.post").fetchall()
            self.cursor.execute(f"select sum(termid), sum(length(term)), sum(df) from {schema}.dict").fetchall()

    def apply(self, before: State, after: State, entry: Entry) -> None:
        """Write one change, with the words it changes, in one transaction. Raises duckdb.Error; then nothing is changed."""
        cursor = self.cursor
        cursor.execute("begin")
        try:
            for table in TABLES:
                self._apply_to(table, before, after, entry)
            self.words.follow(before, after, entry)
            vectors.follow(cursor, before, after, entry)
            self._note("seq", entry.seq)
            for table, top in entry.ids.items():
                self._note(f"ids:{table}", top)
            cursor.execute("commit")
        except BaseException:
            with contextlib.suppress(duckdb.Error):
                cursor.execute("rollback")
            self.words.forget()
            raise

    def settle(self) -> None:
        """Write the log into the file when it has become long. Raises duckdb.Error."""
        try:
            size = log_of(self.path).stat().st_size
        except FileNotFoundError:
            return
        if size > CHECKPOINT_AT:
            self.words.tidy()
            self.cursor.execute("checkpoint library")
            self.spare_memory()
        elif os.name == "posix" and log_of(self.path).stat().st_mode & 0o077:
            log_of(self.path).chmod(0o600)

    def spare_memory(self) -> None:
        """Let go of most of what was read from the file."""
        for limit in (SPARE, MEMORY_LIMIT):
            with contextlib.suppress(duckdb.OutOfMemoryException):  # it goes as far as it can
                self.cursor.execute(f"set memory_limit='{limit}'")

    def fill(self, state: State, kept: vectors.Stored | None, *, words: bool) -> None:
        """Write a whole state into the empty file. Raises duckdb.Error."""
        self.cursor.execute("begin")
        for table, rows in state.tables.items():
            if rows:
                insert(self.cursor, f'"{table}"', as_columns(table, [rows[number] for number in sorted(rows)]))
        if kept is not None:
            vectors.append(self.cursor, kept)
        self.note(state)
        self.cursor.execute("commit")
        if words:
            self.words.make_anew(state)
        self.cursor.execute("checkpoint library")

    def note(self, state: State) -> None:
        """Which change the file stands at, and the highest ids, where it does not say so yet. Raises duckdb.Error."""
        said = _notes(self.cursor)
        for key, value in (("seq", state.seq), *((f"ids:{table}", top) for table, top in state.ids.items())):
            if said.get(key) != str(value):
                self._note(key, value)

    def _apply_to(self, table: str, before: State, after: State, entry: Entry) -> None:
        old, new = before.tables[table], after.tables[table]
        if entry.whole:
            self.cursor.execute(f'delete from "{table}"')
            changed = list(new.values())
        else:
            touched = {row.id for row in entry.puts.get(table, ())} | set(entry.deletes.get(table, ()))
            if table == "memories":
                touched |= {number for number, _, _ in entry.used}
            leaving = [number for number in touched if number in old]
            changed = [new[number] for number in sorted(touched) if number in new]
            if leaving:
                with registered(self.cursor, "leaving", {"id": np.array(leaving, np.int64)}):
                    self.cursor.execute(f'delete from "{table}" where id in (select id from leaving)')
        if changed:
            insert(self.cursor, f'"{table}"', as_columns(table, changed))

    def _note(self, key: str, value: int) -> None:
        self.cursor.execute(f"insert or replace into meta values ({quoted(key)}, {quoted(str(value))})")


def log_of(path: Path) -> Path:
    """The database's own log beside a file: what is not yet in it."""
    return path.with_name(path.name + ".wal")


def write_file(path: Path, state: State, kept: vectors.Stored | None = None, *, words: bool = True) -> None:
    """Make the file of a state, whole or not at all; one that is there is replaced. Without `words` it is a snapshot.
    Raises duckdb.Error, OSError."""

    def make(part: Path) -> None:
        log_of(part).unlink(missing_ok=True)
        try:
            made = MemoryFile(part, create=definition(derived=words))
            try:
                made.fill(state, kept, words=words)
            finally:
                made.close()
        finally:
            log_of(part).unlink(missing_ok=True)
        log_of(path).unlink(missing_ok=True)  # of the file whose place it takes

    write_whole(path, make)


def read_file(path: Path) -> State:
    """The rows of a file that nobody has open, a snapshot's for example, which is only read. Raises duckdb.Error, Damaged,
    NewerSchema."""
    if not path.is_file():
        raise Damaged("no file")
    connection = _connected(path.parent / SPILL)
    try:
        connection.execute(f"attach {quoted(str(path))} as library (read_only)")
        connection.execute("use library")
        return _load(connection, _schema_of(connection))
    finally:
        connection.close()


def _connected(spill: Path) -> Connection:
    return duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "threads": "1",
            "memory_limit": MEMORY_LIMIT,
            "temp_directory": str(spill),
            "max_temp_directory_size": "1GB",
        },
    )


def _schema_of(cursor: Connection) -> int:
    known = cursor.execute(
        "select count(*) from duckdb_tables() where database_name = 'library' and schema_name = 'main' and table_name = 'meta'"
    ).fetchone()
    if not known or not known[0]:
        raise Damaged("no tables")
    found = _notes(cursor).get("schema", "")
    if not found.isdigit():
        raise Damaged("no schema")
    if int(found) > schemas.MEMORY_SCHEMA:
        raise NewerSchema(f"schema {found}")
    return int(found)


def _notes(cursor: Connection) -> dict[str, str]:
    return dict(cursor.execute("select key, value from meta").fetchall())


def _load(cursor: Connection, schema: int) -> State:
    notes = _notes(cursor)
    listed = cursor.execute(
        "select table_name from duckdb_tables() where database_name = 'library' and schema_name = 'main'"
    ).fetchall()
    tables: dict[str, dict[int, Any]] = {}
    ids: dict[str, int] = {}
    count = 0
    try:
        for (table,) in listed:
            if table in ("meta", "vectors"):
                continue
            found = cursor.execute(f'select * from "{table}"')
            names = [column[0] for column in found.description or ()]
            made = from_columns(table, names)
            while some := found.fetchmany(ROWS):
                for values in some:
                    now = upgraded(table, made(values), schema)
                    if now is not None:
                        tables.setdefault(now[0], {})[now[1].id] = now[1]
                        count += 1
        if sum(map(len, tables.values())) != count:
            raise Damaged("an id twice")
        for table in TABLES:
            ids[table] = max(int(notes.get(f"ids:{table}", "0")), max(tables.get(table, ()), default=0))
        return State(tables, ids, int(notes.get("seq", "0")))
    except (msgspec.ValidationError, msgspec.DecodeError, ValueError) as fault:
        raise Damaged("rows that are none") from fault
