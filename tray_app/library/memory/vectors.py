"""Vectors of memories: derived from their texts, as float16 of length one, for each embedding space by its key.

Owns the table `vectors`. `mark` says of which text a vector was made, so that none outlives a change of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tray_app.library.connection import Connection, insert, quoted, registered
from tray_app.library.memory.rows import MemoryRow
from tray_app.library.memory.searching import text_of
from tray_app.library.memory.state import Entry, State

Floats = NDArray[np.float32]


class Stored(NamedTuple):
    """Rows of the table: memory, space, mark, vector."""

    rows: Sequence[tuple[int, str, str, bytes]]


class Held(NamedTuple):
    """The vectors of active memories in one space: ids rising, (n,) int32; unit rows, (n, dims) float32."""

    ids: NDArray[np.int32]
    matrix: Floats


def mark_of(row: MemoryRow) -> str:
    """Another text for another title or content."""
    return hashlib.blake2b(f"{row.title}\n{row.content}".encode(), digest_size=8).hexdigest()


def held(cursor: Connection, state: State, space: str) -> Held:
    """Those of active memories whose text is still the one they were made of. Raises duckdb.Error."""
    rows = cursor.execute(f"select memory, mark, vector from vectors where space = {quoted(space)} order by memory").fetchall()
    memories = state.rows(MemoryRow)
    kept = [(number, blob) for number, mark, blob in rows if _is_of(memories.get(number), mark)]
    if not kept:
        return Held(np.empty(0, np.int32), np.empty((0, 0), np.float32))
    size = len(kept[-1][1])  # a model that was changed under the same key leaves others behind
    kept = [one for one in kept if len(one[1]) == size]
    dims = size // 2
    matrix = np.frombuffer(b"".join(blob for _, blob in kept), "<f2").reshape(len(kept), dims).astype(np.float32)
    matrix.flags.writeable = False
    return Held(np.array([number for number, _ in kept], np.int32), matrix)


def put(cursor: Connection, state: State, space: str, vectors: Mapping[int, Floats], rows: Mapping[int, MemoryRow]) -> None:
    """Keep vectors (of any length but 0 and infinite), in one transaction; those of memories that are gone, or whose text is another than
    in `rows` by now, are left out. Raises duckdb.Error."""
    memories = state.rows(MemoryRow)
    kept = []
    for number, vector in vectors.items():
        row = memories.get(number)
        if row is not None and mark_of(rows.get(number, row)) == mark_of(row):
            wide = np.asarray(vector, np.float64)
            length = float(np.linalg.norm(wide))
            if 0 < length < np.inf:
                kept.append((number, space, mark_of(row), (wide / length).astype("<f2").tobytes()))
    if kept:
        cursor.execute("begin")
        try:
            with registered(cursor, "leaving", {"id": np.array([one[0] for one in kept], np.int64)}):
                cursor.execute(f"delete from vectors where space = {quoted(space)} and memory in (select id from leaving)")
            append(cursor, Stored(kept))
            cursor.execute("commit")
        except BaseException:
            cursor.execute("rollback")
            raise


def lacking(state: State, known: Held) -> list[MemoryRow]:
    """Active memories that have no vector yet, newest first."""
    have = set(known.ids.tolist())
    rows = [row for row in state.rows(MemoryRow).values() if row.id not in have and text_of(row) is not None]
    return sorted(rows, key=lambda row: -row.id)


def stored(cursor: Connection, state: State) -> Stored:
    """All that are still of a memory, to be carried into a new file. Raises duckdb.Error."""
    memories = state.rows(MemoryRow)
    rows = cursor.execute("select memory, space, mark, vector from vectors").fetchall()
    return Stored([row for row in rows if row[0] in memories and mark_of(memories[row[0]]) == row[2]])


def append(cursor: Connection, vectors: Stored) -> None:
    """Add rows. Raises duckdb.Error."""
    if vectors.rows:
        memories, spaces, marks, blobs = (list(column) for column in zip(*vectors.rows, strict=True))
        columns = {"memory": np.array(memories, np.int64), "space": spaces, "mark": marks, "vector": blobs}
        insert(cursor, "vectors", columns)


def follow(cursor: Connection, before: State, after: State, entry: Entry) -> None:
    """Drop those of memories that a change took out or worded anew, inside its transaction. Raises duckdb.Error."""
    if entry.whole:
        kept = stored(cursor, after)
        cursor.execute("delete from vectors")
        append(cursor, kept)
        return
    old, new = before.rows(MemoryRow), after.rows(MemoryRow)
    touched = {row.id for row in entry.puts.get("memories", ())} | set(entry.deletes.get("memories", ()))
    gone = [
        number for number in touched if number in old and (number not in new or mark_of(old[number]) != mark_of(new[number]))
    ]
    if gone:
        with registered(cursor, "leaving", {"id": np.array(gone, np.int64)}):
            cursor.execute("delete from vectors where memory in (select id from leaving)")


def _is_of(row: MemoryRow | None, mark: str) -> bool:
    return row is not None and text_of(row) is not None and mark_of(row) == mark


NONE = Held(np.empty(0, np.int32), np.empty((0, 0), np.float32))
