"""The vectors in memory: exact scans, few bytes, parts of passages, and what a newer matrix shares with a former one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.library import matrix as module
from tray_app.library.centring import Calibration, Facts, Means, centre, unit
from tray_app.library.matrix import Draft, Labels, Matrix

DIMS = 16


def vectors_of(count: int, seed: int) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return unit(dice.standard_normal((count, DIMS)).astype(np.float32) + np.float32(0.5))


def labels_of(ids: list[int], *, marks: int = 1_000, parts: list[int] | None = None) -> Labels:
    count = len(ids)
    return Labels(
        np.array(ids, np.int32), np.array(parts or [0] * count, np.int8), np.array([number % 2 for number in ids], np.int8),
        np.arange(marks, marks + count, dtype=np.int64),
    )  # fmt: skip


def facts_of(vectors: np.ndarray, languages: np.ndarray) -> Facts:
    return Facts(Means.of(vectors, languages), Calibration.unpacked(None, DIMS))


def made(ids: list[int], seed: int = 1, *, small: bool = False) -> tuple[Matrix, np.ndarray]:
    labels, vectors = labels_of(ids), vectors_of(len(ids), seed)
    facts = facts_of(vectors, labels.languages)
    draft = Draft(0, facts, small=small)
    draft.add(labels, vectors)
    return draft.finished(), centre(vectors, labels.languages, facts.means)


@pytest.mark.parametrize("rows", [5, 64])
def test_a_scan_gives_the_cosines_of_centred_vectors(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", rows)
    matrix, centred = made(list(range(41)))
    query = unit(vectors_of(1, 9)[0])
    found = matrix.scan(query)
    assert found.dtype == np.float32
    assert np.allclose(found, centred @ query, atol=1e-5)
    assert np.allclose(matrix.scan(query.astype(np.float64)), found, atol=1e-6)


def test_as_bytes_a_scan_is_nearly_the_same_in_a_quarter_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WIDENED", 7)
    exact, centred = made(list(range(300)))
    small, _ = made(list(range(300)), small=True)
    query = unit(vectors_of(1, 9)[0])
    assert small.nbytes * 4 == exact.nbytes
    assert np.allclose(small.scan(query), centred @ query, atol=0.02)


def test_of_a_passage_its_best_part_counts() -> None:
    labels = labels_of([7, 3, 7, 5], parts=[0, 0, 1, 0])
    vectors = vectors_of(4, 2)
    draft = Draft(0, facts_of(vectors, labels.languages), small=False)
    draft.add(labels, vectors)
    ids, values = draft.finished().best_by_chunk(np.array([0.1, 0.2, 0.7, 0.3], np.float32))
    assert ids.tolist() == [3, 5, 7]
    assert values.tolist() == pytest.approx([0.2, 0.3, 0.7])


def test_without_any_vector_there_is_nothing_to_find() -> None:
    empty = Matrix.none(Facts.unpacked(None, None, DIMS))
    found = empty.scan(np.zeros(DIMS, np.float32))
    assert len(empty) == len(found) == 0
    assert [column.tolist() for column in empty.best_by_chunk(found)] == [[], []]
    assert empty.holds(np.array([4], np.int64)).tolist() == [False]


@given(
    st.lists(st.integers(0, 60), unique=True, max_size=60), st.sets(st.integers(0, 60)), st.integers(0, 20), st.booleans(),
    st.integers(3, 20),
)  # fmt: skip
def test_a_newer_matrix_equals_one_made_from_nothing(ids: list[int], gone: set[int], more: int, small: bool, rows: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ROWS", rows)
        first, _ = made(ids, small=small) if ids else (None, None)
        query = unit(vectors_of(1, 9)[0])
        before = first.scan(query) if first else None
        stays = np.array([number not in gone for number in ids], bool)
        left = [number for number in ids if number not in gone]
        new = list(range(100, 100 + more))
        vectors = np.concatenate([vectors_of(len(ids), 1)[stays], vectors_of(more, 5)]) if ids else vectors_of(more, 5)
        languages = np.array([number % 2 for number in left + new], np.int8)
        facts = facts_of(vectors_of(24, 7), np.array([0, 1] * 12, np.int8))
        draft = Draft(0, facts, small=small, former=first, stays=stays if first else None)
        draft.add(labels_of(new, marks=9_000), vectors_of(more, 5))
        newer = draft.finished()
        assert newer.ids.tolist() == left + new
        expected = centre(vectors, languages, facts.means) @ query
        assert np.allclose(newer.scan(query), expected, atol=0.05 if small else 1e-4)
        if first is not None:  # searches under way still use it
            assert np.array_equal(first.scan(query), before)
            assert first.holds(newer.labels.marks).tolist() == [True] * len(left) + [False] * more
