"""The tables of vectors: what is in, what is missing, writing, and reading all of them into a matrix.

Owns `vector_spaces`, `vectors` and `refused`. What a vector is of and how it is made is not known here.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import duckdb
import msgspec
import numpy as np

from tray_app.library.centring import Background, Calibration, Facts, Floats
from tray_app.library.connection import Connection, OpenedIndex, insert, quoted, registered
from tray_app.library.matrix import EXACT_BYTES, MOST_BYTES, ROWS, Draft, Ids, Labels, Marks, Matrix, among

KIND_LAST = "tool"
"""What tools answered is filled after all talk."""


class SpaceRow(NamedTuple):
    id: int
    key: str
    dims: int


class Amounts(NamedTuple):
    """Passages with vectors of a space, those that were refused, and those that have neither."""

    vectors: int
    refused: int
    missing: int


class Found(msgspec.Struct, gc=False):
    """Vectors of one passage: (parts, dims), in its language. `row` is the passage as it was when its text was read."""

    id: int
    row: tuple[object, ...]
    language: int
    vectors: Floats


_PASSAGE = "session_id, round, kind, time, pieces"


# --- reading ---------------------------------------------------------------------------------------------------------------
def spaces(cursor: Connection) -> list[SpaceRow]:
    return [SpaceRow(*row) for row in cursor.execute("select id, key, dims from vector_spaces order by id").fetchall()]


def space_of(cursor: Connection, key: str) -> SpaceRow | None:
    rows = cursor.execute(f"select id, key, dims from vector_spaces where key = {quoted(key)}").fetchall()
    return SpaceRow(*rows[0]) if rows else None


def facts_of(cursor: Connection, space: SpaceRow) -> Facts:
    row = cursor.execute(f"select facts, calibration from vector_spaces where id = {int(space.id)}").fetchone()
    facts, calibration = row or (None, None)
    return Facts.unpacked(facts, calibration, space.dims)


def amounts(cursor: Connection, key: str) -> Amounts:
    """5 ms for 100,000."""
    space = space_of(cursor, key)
    number = -1 if space is None else space.id
    row = cursor.execute(
        f"select (select count(distinct chunk_id) from vectors where space = {number}), "
        f"(select count(*) from refused where space = {number}), (select count(*) from chunks)"
    ).fetchone()
    made, refused, passages = row or (0, 0, 0)
    return Amounts(made, refused, max(passages - made - refused, 0))


def missing(cursor: Connection, space: int) -> Ids:
    """Passages that have no vector and were not refused: talk before tools, the newest first (12 ms for 100,000)."""
    found = cursor.execute(
        f"select id from chunks where id not in (select chunk_id from vectors where space = {int(space)}) "
        f"and id not in (select chunk_id from refused where space = {int(space)}) "
        f"order by kind = {quoted(KIND_LAST)}, time desc, id desc"
    ).fetchnumpy()["id"]
    return np.asarray(found, np.int32)


def passage_rows(cursor: Connection, ids: Sequence[int]) -> dict[int, tuple[object, ...]]:
    """What tells whether a passage is still the same: its row, by id."""
    listed = ", ".join(str(int(number)) for number in ids)
    rows = cursor.execute(f"select id, {_PASSAGE} from chunks where id in ({listed})").fetchall() if listed else []
    return {row[0]: row[1:] for row in rows}


def standing(cursor: Connection, matrix: Matrix, ids: Sequence[int]) -> set[int]:
    """Those of these passages whose vector in the matrix is still theirs (3 ms for 200 among 100,000)."""
    listed = ", ".join(str(int(number)) for number in ids)
    if not listed:
        return set()
    found = cursor.execute(
        f"select chunk_id, mark from vectors where space = {int(matrix.space)} and chunk_id in ({listed})"
    ).fetchnumpy()
    held = matrix.holds(np.asarray(found["mark"], np.int64))
    return {int(number) for number in np.asarray(found["chunk_id"])[held]}


def sessions_of(cursor: Connection, space: SpaceRow) -> tuple[Ids, Ids]:
    """The passages that have vectors of a space, and the session of each: parallel, by id."""
    found = cursor.execute(
        f"select id, session_id from chunks where id in (select chunk_id from vectors where space = {int(space.id)}) order by id"
    ).fetchnumpy()
    return np.asarray(found["id"], np.int32), np.asarray(found["session_id"], np.int32)


def blocks(cursor: Connection, space: SpaceRow, ids: Ids) -> Iterator[tuple[Labels, Floats]]:
    """The vectors of these passages as they are stored (float16 of length one, here float32), at most about `ROWS` passages at
    a time."""
    ids = np.sort(ids)
    for start in range(0, len(ids), ROWS):
        wanted = ids[start : start + ROWS]
        with registered(cursor, "wanted_vectors", {"id": wanted}):
            found = cursor.execute(
                f"select chunk_id, part, language, mark, vector from vectors where space = {int(space.id)} "
                f"and chunk_id between {int(wanted[0])} and {int(wanted[-1])} and chunk_id in (select id from wanted_vectors)"
            ).fetchnumpy()
        blobs = list(found["vector"])
        labels = Labels(
            np.asarray(found["chunk_id"], np.int32), np.asarray(found["part"], np.int8),
            np.asarray(found["language"], np.int8), np.asarray(found["mark"], np.int64),
        )  # fmt: skip
        yield labels, np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), space.dims).astype(np.float32)


def load(
    cursor: Connection,
    key: str,
    former: Matrix | None,
    stop: Callable[[], bool],
    *,
    exact: int = EXACT_BYTES,
    most: int = MOST_BYTES,
) -> Matrix | None:
    """All vectors of a space, with what stays of `former`; None where `stop` said so. One moment of the library: call it
    inside a transaction. `exact`, `most`: see `matrix`."""
    space = space_of(cursor, key)
    if space is None:
        return Matrix.none(Facts.unpacked(None, None, 0))
    facts = facts_of(cursor, space)
    found = cursor.execute(f"select chunk_id, mark from vectors where space = {int(space.id)}").fetchnumpy()
    ids, marks = np.asarray(found["chunk_id"], np.int32), np.asarray(found["mark"], np.int64)
    small = len(ids) * space.dims * 4 > exact
    if small and len(ids) * space.dims > most:
        ids, marks = _newest(cursor, space, ids, marks, most // space.dims)
    known = np.sort(marks)
    if (
        former is not None
        and former.space == space.id
        and former.facts.dims == space.dims
        and (former.base is not None) == small
    ):
        stays = among(former.labels.marks, known)
        draft = Draft(space.id, facts, small=small, former=former, stays=stays)
        lacking = np.unique(ids[~former.holds(marks)])
    else:
        former = None
        draft = Draft(space.id, facts, small=small)
        lacking = np.unique(ids)
    for labels, vectors in blocks(cursor, space, lacking):
        if stop():
            return None
        new = among(labels.marks, known)
        if former is not None:
            new &= ~former.holds(labels.marks)
        draft.add(labels, vectors) if new.all() else draft.add(labels.chosen(new), vectors[new])
    return draft.finished()


def _newest(cursor: Connection, space: SpaceRow, ids: Ids, marks: Marks, most: int) -> tuple[Ids, Marks]:
    """Only those of the newest passages, so that memory stays bounded."""
    kept = cursor.execute(
        f"select v.mark from vectors v join chunks c on c.id = v.chunk_id where v.space = {int(space.id)} "
        f"order by c.time desc, v.mark limit {int(most)}"
    ).fetchnumpy()["mark"]
    chosen = among(marks, np.sort(np.asarray(kept, np.int64)))
    return ids[chosen], marks[chosen]


# --- writing ---------------------------------------------------------------------------------------------------------------
class VectorWriter:
    """Writes vectors; the caller lets no pass run meanwhile. Short transactions; close it when done."""

    def __init__(self, opened: OpenedIndex) -> None:
        self.opened = opened
        self.cursor = opened.cursor()

    def __enter__(self) -> VectorWriter:
        return self

    def __exit__(self, *fault: object) -> None:
        self.cursor.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self.opened.faults():
            self.cursor.execute("begin")
            try:
                yield
                self.cursor.execute("commit")
            except BaseException:
                with contextlib.suppress(duckdb.Error):
                    self.cursor.execute("rollback")
                raise
            self.opened.guard_files()

    def open_space(self, key: str, dims: int) -> SpaceRow:
        """The space with that key, made if it is not there."""
        with self._transaction():
            found = space_of(self.cursor, key)
            if found is not None:
                return found
            row = self.cursor.execute("select coalesce(max(id), -1) + 1 from vector_spaces").fetchone()
            made = SpaceRow(int(row[0]) if row else 0, key, dims)
            self.cursor.execute("insert into vector_spaces values (?, ?, ?, null, null)", list(made))
            return made

    def calibrate(self, space: SpaceRow, calibration: Calibration) -> None:
        """Keep the vectors of the fixed questions and statements."""
        with self._transaction():
            self.cursor.execute("update vector_spaces set calibration = ? where id = ?", [calibration.packed(), space.id])

    def add(self, space: SpaceRow, found: Sequence[Found], refused: Sequence[tuple[int, tuple[object, ...], str]]) -> int:
        """Keep vectors of length one, and the reasons (id, row, reason) why passages have none; leaves out passages that are
        gone or others by now. Gives how many passages were kept or refused."""
        with self._transaction():
            now = passage_rows(self.cursor, [one.id for one in found] + [one[0] for one in refused])
            kept = [one for one in found if now.get(one.id) == one.row]
            turned_down = [one for one in refused if now.get(one[0]) == one[1]]
            ids = [one.id for one in kept] + [one[0] for one in turned_down]
            if not ids:
                return 0
            listed = ", ".join(map(str, ids))
            for table in ("vectors", "refused"):
                self.cursor.execute(f"delete from {table} where space = {int(space.id)} and chunk_id in ({listed})")
            if kept:
                self._insert(space, kept)
            if turned_down:
                columns = {
                    "chunk_id": np.array([one[0] for one in turned_down], np.int32),
                    "space": np.full(len(turned_down), space.id, np.int32), "reason": [one[2] for one in turned_down],
                }  # fmt: skip
                insert(self.cursor, "refused", columns)
        return len(ids)

    def _insert(self, space: SpaceRow, kept: Sequence[Found]) -> None:
        counts = [len(one.vectors) for one in kept]
        vectors = np.concatenate([one.vectors for one in kept])
        languages = np.repeat(np.array([one.language for one in kept], np.int8), counts)
        held = self.cursor.execute(f"select facts from vector_spaces where id = {int(space.id)}").fetchone()
        facts = Facts.unpacked(held[0] if held else None, None, space.dims)
        raw, width = vectors.astype("<f2").tobytes(), 2 * space.dims
        start = secrets.randbits(62)
        insert(self.cursor, "vectors", {
            "chunk_id": np.repeat(np.array([one.id for one in kept], np.int32), counts),
            "part": np.concatenate([np.arange(count, dtype=np.int32) for count in counts]),
            "space": np.full(len(vectors), space.id, np.int32), "language": languages,
            "mark": np.arange(start, start + len(vectors), dtype=np.int64),
            "vector": [raw[at : at + width] for at in range(0, len(raw), width)],
        })  # fmt: skip
        self._write_facts(space, facts.having(facts.documents.joined(vectors, languages)))

    def describe(self, space: SpaceRow, facts: Facts, background: Background | None) -> None:
        """Keep means that were counted anew, and a background."""
        with self._transaction():
            self._write_facts(space, facts.against(background))

    def _write_facts(self, space: SpaceRow, facts: Facts) -> None:
        self.cursor.execute("update vector_spaces set facts = ? where id = ?", [facts.packed(), space.id])

    def keep_only(self, space: SpaceRow) -> bool:
        """Remove all other spaces with their vectors; whether there were any."""
        if all(other.id == space.id for other in spaces(self.cursor)):
            return False
        with self._transaction():
            for table, column in (("vectors", "space"), ("refused", "space"), ("vector_spaces", "id")):
                self.cursor.execute(f"delete from {table} where {column} <> ?", [space.id])
        return True
