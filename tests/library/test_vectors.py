"""The tables of vectors: writing, what is missing, increments, ids that are given twice, an older file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from tray_app.library import vectors
from tray_app.library.centring import Background, Calibration, Means, unit
from tray_app.library.connection import OpenedIndex, open_index
from tray_app.library.matrix import Matrix
from tray_app.library.rows import ChunkRow
from tray_app.library.store import Store
from tray_app.library.vectors import Amounts, Found, VectorWriter

DIMS = 8


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenedIndex]:
    made = open_index(tmp_path / "index.duckdb")
    yield made
    made.close()


def add_chunks(opened: OpenedIndex, *ids: int, kind: str = "round", time: int = 0, size: int = 9) -> None:
    store = Store(opened)
    with store.transaction():
        rows = [
            ChunkRow(id=one, session_id=one // 10, round=0, kind=kind, time=time + one, pieces=((one, 0, size),), size=size)
            for one in ids
        ]
        store.add_chunks(rows, [(["word"], 1) for _ in ids])
    store.close()


def remove_session(opened: OpenedIndex, session: int) -> None:
    store = Store(opened)
    with store.transaction():
        store.remove_chunks([session])
    store.close()


def vector(number: int, parts: int = 1) -> np.ndarray:
    return unit(np.random.default_rng(number).standard_normal((parts, DIMS)).astype(np.float32))


def embed(opened: OpenedIndex, *ids: int, key: str = "a|m|8||unit", refuse: tuple[int, ...] = (), parts: int = 1) -> int:
    """Vectors of these passages; how many were kept."""
    with VectorWriter(opened) as writer:
        space = writer.open_space(key, DIMS)
        rows = vectors.passage_rows(writer.cursor, [*ids, *refuse])
        found = [Found(one, rows[one], one % 2, vector(one, parts)) for one in ids]
        return writer.add(space, found, [(one, rows[one], "refused") for one in refuse])


def load(
    opened: OpenedIndex, former: Matrix | None = None, key: str = "a|m|8||unit", exact: int = 1 << 20, most: int = 1 << 20
) -> Matrix:
    cursor = opened.cursor()
    cursor.execute("begin")
    made = vectors.load(cursor, key, former, lambda: False, exact=exact, most=most)
    cursor.close()
    assert made is not None
    return made


def rows_of(matrix: Matrix) -> list[tuple[int, int, int]]:
    return sorted(zip(matrix.ids.tolist(), matrix.parts.tolist(), matrix.languages.tolist(), strict=True))


def test_what_was_written_is_read(opened: OpenedIndex) -> None:
    add_chunks(opened, 1, 2, 3)
    assert embed(opened, 1, 2) == 2
    assert embed(opened, 3, parts=2) == 1
    matrix = load(opened)
    assert rows_of(matrix) == [(1, 0, 1), (2, 0, 0), (3, 0, 1), (3, 1, 1)]
    with pytest.MonkeyPatch.context():
        query = vector(77)[0]
        expected = {1: vector(1)[0], 2: vector(2)[0]}
        cursor = opened.cursor()
        space = vectors.space_of(cursor, "a|m|8||unit")
        assert space is not None
        for labels, found in vectors.blocks(cursor, space, np.array([1, 2], np.int32)):
            for number, row in zip(labels.ids.tolist(), found, strict=True):
                assert np.allclose(row, expected[number], atol=1e-3)
        assert matrix.scan(query).shape == (4,)


def test_means_are_counted_as_vectors_come(opened: OpenedIndex) -> None:
    add_chunks(opened, *range(1, 9))
    embed(opened, 1, 2, 3)
    embed(opened, 4, 5, 6, 7, 8)
    cursor = opened.cursor()
    space = vectors.space_of(cursor, "a|m|8||unit")
    assert space is not None
    facts = vectors.facts_of(cursor, space)
    whole = Means.of(np.concatenate([vector(one) for one in range(1, 9)]), np.array([one % 2 for one in range(1, 9)], np.int8))
    assert facts.documents.counts.tolist() == [4, 4, 0, 0]
    assert np.allclose(facts.documents.rows, whole.rows, atol=1e-5)
    assert not facts.calibrated


def test_what_is_missing_comes_newest_talk_first_and_tools_last(opened: OpenedIndex) -> None:
    add_chunks(opened, 1, 2, 3)
    add_chunks(opened, 4, 5, kind="tool", time=1_000)
    add_chunks(opened, 6, kind="summary", time=500)
    cursor = opened.cursor()
    assert vectors.missing(cursor, -1).tolist() == [6, 3, 2, 1, 5, 4]
    embed(opened, 3, 5, refuse=(2,))
    assert vectors.missing(cursor, 0).tolist() == [6, 1, 4]
    assert vectors.missing(cursor, 1).tolist() == [6, 3, 2, 1, 5, 4]
    assert vectors.amounts(cursor, "a|m|8||unit") == Amounts(vectors=2, refused=1, missing=3)
    assert vectors.amounts(cursor, "other") == Amounts(0, 0, 6)


def test_a_passage_that_is_gone_or_another_by_now_gets_no_vector(opened: OpenedIndex) -> None:
    add_chunks(opened, 1, 2, 3)
    with VectorWriter(opened) as writer:
        space = writer.open_space("a|m|8||unit", DIMS)
        rows = vectors.passage_rows(writer.cursor, [1, 2, 3])
    remove_session(opened, 0)
    add_chunks(opened, 1, size=20)
    add_chunks(opened, 3)
    with VectorWriter(opened) as writer:
        kept = writer.add(space, [Found(one, rows[one], 0, vector(one)) for one in (1, 2, 3)], [(1, rows[1], "zero")])
    assert kept == 1
    assert rows_of(load(opened)) == [(3, 0, 0)]
    assert vectors.amounts(opened.cursor(), space.key) == Amounts(1, 0, 1)


def test_a_passage_has_its_last_vector_alone(opened: OpenedIndex) -> None:
    add_chunks(opened, 1, 2)
    embed(opened, 1, 2, parts=3)
    embed(opened, 1)
    embed(opened, refuse=(2,))
    assert rows_of(load(opened)) == [(1, 0, 1)]
    embed(opened, 2)
    assert vectors.amounts(opened.cursor(), "a|m|8||unit") == Amounts(2, 0, 0)


def test_only_what_is_new_is_read_again(opened: OpenedIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    add_chunks(opened, *range(30))
    embed(opened, *range(25))
    first = load(opened)
    read: list[int] = []
    plain = vectors.blocks

    def counted(cursor: object, space: object, ids: np.ndarray) -> object:
        read.extend(ids.tolist())
        return plain(cursor, space, ids)  # type: ignore[arg-type]

    monkeypatch.setattr(vectors, "blocks", counted)
    embed(opened, 25, 26, 3)  # 3 anew
    remove_session(opened, 1)
    second = load(opened, first)
    assert sorted(read) == [3, 25, 26]
    assert rows_of(second) == [(one, 0, one % 2) for one in [*range(10), *range(20, 27)]]
    fresh = load(opened)
    query = vector(99)[0]
    assert np.allclose(*(one.best_by_chunk(one.scan(query))[1] for one in (second, fresh)), atol=1e-5)


def test_an_id_that_is_given_again_does_not_keep_the_former_vector(opened: OpenedIndex) -> None:
    add_chunks(opened, 1, 2)
    embed(opened, 1, 2)
    matrix = load(opened)
    remove_session(opened, 0)
    add_chunks(opened, 1, 2)
    cursor = opened.cursor()
    assert vectors.standing(cursor, matrix, [1, 2]) == set()
    embed(opened, 2)
    assert vectors.standing(cursor, matrix, [1, 2]) == set()
    newer = load(opened, matrix)
    assert vectors.standing(cursor, newer, [1, 2]) == {2}
    assert vectors.standing(cursor, newer, []) == set()


def test_beyond_its_memory_vectors_are_bytes_and_beyond_that_the_newest(opened: OpenedIndex) -> None:
    add_chunks(opened, *range(20))
    embed(opened, *range(20))
    exact = load(opened, exact=20 * DIMS * 4)
    assert exact.base is None
    small = load(opened, exact, exact=20 * DIMS * 4 - 1)
    assert small.base is not None
    assert rows_of(small) == rows_of(exact)
    fewer = load(opened, small, exact=0, most=5 * DIMS)
    assert sorted(fewer.ids.tolist()) == [15, 16, 17, 18, 19]
    assert sorted(load(opened, fewer).ids.tolist()) == list(range(20))


def test_loading_stops_when_it_is_told_to(opened: OpenedIndex) -> None:
    add_chunks(opened, 1)
    embed(opened, 1)
    assert vectors.load(opened.cursor(), "a|m|8||unit", None, lambda: True) is None


def test_a_space_that_is_not_there_is_empty(opened: OpenedIndex) -> None:
    assert len(load(opened, key="none")) == 0
    assert vectors.space_of(opened.cursor(), "it's") is None


def test_the_fixed_texts_and_the_survey_stay_with_their_space(opened: OpenedIndex) -> None:
    add_chunks(opened, 1, 2)
    embed(opened, 1)
    with VectorWriter(opened) as writer:
        space = writer.open_space("a|m|8||unit", DIMS)
        two = np.array([0, 1], np.int8)
        writer.calibrate(space, Calibration(vector(5, 2), two, vector(6, 2), two))
        background = Background(0.2, 0.5, 1)
        writer.describe(space, vectors.facts_of(writer.cursor, space), background)
    embed(opened, 2)
    facts = vectors.facts_of(opened.cursor(), space)
    assert facts.calibrated
    assert facts.background == background
    assert facts.documents.counts.tolist() == [1, 1, 0, 0]
    assert load(opened).facts.background == background


def test_other_spaces_go_when_the_new_one_is_whole(opened: OpenedIndex) -> None:
    add_chunks(opened, 1, 2)
    embed(opened, 1, refuse=(2,), key="old")
    embed(opened, 1, 2)
    with VectorWriter(opened) as writer:
        space = writer.open_space("a|m|8||unit", DIMS)
        assert [one.key for one in vectors.spaces(writer.cursor)] == ["old", "a|m|8||unit"]
        assert writer.keep_only(space)
        assert not writer.keep_only(space)
    cursor = opened.cursor()
    assert cursor.execute("select distinct space from vectors").fetchall() == [(space.id,)]
    assert cursor.execute("select count(*) from refused").fetchone() == (0,)


def test_a_file_of_schema_2_keeps_its_words_and_gets_the_tables(tmp_path: Path) -> None:
    file = tmp_path / "index.duckdb"
    opened = open_index(file)
    add_chunks(opened, 1, 2)
    opened.close()
    with duckdb.connect(str(file)) as connection:
        for table in ("vectors", "vector_spaces", "refused", "topics"):
            connection.execute(f"drop table {table}")
        connection.execute(
            "create table embeddings(chunk_id integer not null, space varchar not null, dims integer, vector blob)"
        )
        connection.execute("update meta set value = '2' where key = 'schema'")
    opened = open_index(file)
    try:
        assert opened.set_aside is None
        cursor = opened.cursor()
        assert cursor.execute("select value from meta where key = 'schema'").fetchone() == ("3",)
        assert cursor.execute("select term, df from fts_main_passages.dict").fetchall() == [("word", 2)]
        assert embed(opened, 1, 2) == 2
        with pytest.raises(duckdb.CatalogException):
            cursor.execute("select * from embeddings")
    finally:
        opened.close()


def test_memory_is_given_back_and_the_file_can_still_be_read(opened: OpenedIndex) -> None:
    add_chunks(opened, 1)
    embed(opened, 1)
    opened.spare_memory()
    assert opened.cursor().execute("select current_setting('memory_limit')").fetchone() == ("244.1 MiB",)
    assert len(load(opened)) == 1
