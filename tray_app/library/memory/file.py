"""memory.duckdb itself: opening, reading every row of it, applying one change, making it anew.

Owns the connection and the rows' tables. What the file should hold is not known here (`opening` compares it with the
journal); the tables of words and vectors belong to `searching`.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import numpy as np

from tray_app.library.connection import STORAGE_VERSION, Connection, insert, quoted, registered
from tray_app.library.memory import searching, vectors
from tray_app.library.memory.faults import Damaged
from tray_app.library.memory.journal import write_whole
from tray_app.library.memory.rows import TABLES, as_columns, from_columns
from tray_app.library.memory.schema import MEMORY_SCHEMA, WORDS, definition, upgraded
from tray_app.library.memory.state import Entry, State
from tray_app.library.migrations import NewerSchema

MEMORY_LIMIT = "64MB"
SPILL = "memory-spill"
CHECKPOINT_AT = 1 << 20
"""Bytes of the log beside the file from which on it is written into the file: 25 ms with 10,000 memories, so not at every
change; what the log holds is in the journal too."""


class MemoryFile:
    """An open file. One cursor, used under the store's lock."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Raises duckdb.Error; Damaged for a file without our tables unless it is to be made (`create`)."""
        self.path = path
        self.connection = _connected(path.parent / SPILL)
        mask = os.umask(0o077)
        try:
            self.connection.execute(f"attach {quoted(str(path))} as library (storage_version '{STORAGE_VERSION}')")
            self.cursor = self.connection.cursor()
            self.cursor.execute("use library")
            if create:
                self.cursor.execute(f"begin; {definition()}; commit")
                self._note("schema", MEMORY_SCHEMA)
            self.schema = _schema_of(self.cursor)
            self.words = searching.Words(self.cursor)
        except BaseException:
            self.connection.close()
            raise
        finally:
            os.umask(mask)

    def close(self) -> None:
        """Write the log into the file and let go of both."""
        with contextlib.suppress(duckdb.Error):  # the log stays then, and is read at the next opening
            self.cursor.execute("checkpoint library")
        self.cursor.close()
        with contextlib.suppress(duckdb.Error):
            self.connection.execute("detach library")
        self.connection.close()

    @property
    def log(self) -> Path:
        return self.path.with_name(self.path.name + ".wal")

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

    def settle(self, *, force: bool = False) -> None:
        """Write the log into the file when it has become long. Raises duckdb.Error."""
        try:
            size = self.log.stat().st_size
        except FileNotFoundError:
            return
        if force or size > CHECKPOINT_AT:
            self.words.tidy()
            self.cursor.execute("checkpoint library")
        elif os.name == "posix" and self.log.stat().st_mode & 0o077:
            self.log.chmod(0o600)

    def fill(self, state: State, kept: vectors.Stored | None, *, words: bool) -> None:
        """Write a whole state into the empty file. Raises duckdb.Error."""
        self.cursor.execute("begin")
        for table, rows in state.tables.items():
            if rows:
                insert(self.cursor, f'"{table}"', as_columns(table, [rows[number] for number in sorted(rows)]))
        if kept is not None:
            vectors.append(self.cursor, kept)
        self.note_ids(state)
        self.cursor.execute("commit")
        if words:
            self.words.make_anew(state)
        self.cursor.execute("checkpoint library")

    def note_ids(self, state: State) -> None:
        """Which change the file stands at, and the highest ids. Raises duckdb.Error."""
        self._note("seq", state.seq)
        for table, top in state.ids.items():
            self._note(f"ids:{table}", top)

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


def write_file(path: Path, state: State, kept: vectors.Stored | None = None, *, words: bool = True) -> None:
    """Make the file of a state, whole or not at all; one that is there is replaced. Without `words` it is a snapshot.
    Raises duckdb.Error, OSError."""

    def make(part: Path) -> None:
        log = part.with_name(part.name + ".wal")
        log.unlink(missing_ok=True)
        try:
            made = MemoryFile(part, create=True)
            try:
                made.fill(state, kept, words=words)
            finally:
                made.close()
        finally:
            log.unlink(missing_ok=True)

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
    if int(found) > MEMORY_SCHEMA:
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
    try:
        for (table,) in listed:
            if table in ("meta", "vectors"):
                continue
            found = cursor.execute(f'select * from "{table}"')
            names = [column[0] for column in found.description or ()]
            made = map(from_columns(table, names), found.fetchall())
            rows = [row for row in (upgraded(table, fields, schema) for fields in made) if row is not None]
            tables[table] = {row.id: row for row in rows}
            ids[table] = max(int(notes.get(f"ids:{table}", "0")), max(tables[table], default=0))
            if len(tables[table]) != len(rows):
                raise Damaged("an id twice")
        return State(tables, ids, int(notes.get("seq", "0")))
    except (msgspec.ValidationError, msgspec.DecodeError, ValueError) as fault:
        raise Damaged("rows that are none") from fault
