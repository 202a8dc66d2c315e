"""Means of languages, and the background of a library."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from tray_app.library.centring import Background, Calibration, Facts, Means, Survey, centre, unit

DIMS = 8


def some(count: int, seed: int, *, about: float = 0.0) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return unit(dice.standard_normal((count, DIMS)).astype(np.float32) + np.float32(about))


def codes(*values: int) -> np.ndarray:
    return np.array(values, np.int8)


def calibration(seed: int = 3) -> Calibration:
    languages = codes(*[0, 1] * 10)
    return Calibration(some(20, seed, about=1), languages, some(20, seed + 1, about=2), languages)


def test_means_are_those_of_each_language_however_they_are_counted_in() -> None:
    vectors, languages = some(30, 1), codes(*[0, 1, 1] * 10)
    whole = Means.of(vectors, languages)
    assert whole.counts.tolist() == [10, 20, 0, 0]
    assert np.allclose(whole.rows[1], vectors[languages == 1].mean(axis=0), atol=1e-6)
    assert not whole.rows[2:].any()
    pieces = Means.none(DIMS)
    for start in range(0, 30, 7):
        pieces = pieces.joined(vectors[start : start + 7], languages[start : start + 7])
    assert np.allclose(pieces.rows, whole.rows, atol=1e-6)
    assert pieces.counts.tolist() == whole.counts.tolist()


def test_few_vectors_of_a_language_trust_the_fixed_ones() -> None:
    fixed = Means(np.array([9, 9, 9, 9]), np.ones((4, DIMS), np.float32))
    own = Means(np.array([0, 200, 1_800, 0]), np.full((4, DIMS), 3, np.float32))
    assert own.shrunk(fixed).rows[:, 0].tolist() == pytest.approx([1.0, 2.0, 2.8, 1.0])


def test_a_language_without_any_gets_the_mean_of_the_others() -> None:
    means = Means(np.array([2, 2, 0, 0]), np.array([[1] * DIMS, [3] * DIMS, [0] * DIMS, [0] * DIMS], np.float32))
    assert means.filled().rows[:, 0].tolist() == [1, 3, 2, 2]
    assert not Means.none(DIMS).filled().rows.any()


def test_centred_vectors_are_of_length_one_and_their_mean_is_near_nothing() -> None:
    vectors, languages = some(400, 5, about=1), codes(*[0, 1] * 200)
    made = centre(vectors, languages, Means.of(vectors, languages))
    assert made.dtype == np.float32
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    assert np.linalg.norm(vectors.mean(axis=0)) > 0.5
    assert np.linalg.norm(made.mean(axis=0)) < 0.1
    assert not unit(np.zeros((1, DIMS), np.float32)).any()


def test_facts_are_the_same_after_being_stored() -> None:
    background = Background(0.2, 0.5, 7)
    facts = Facts(Means.of(some(9, 2), codes(*[0] * 9)), calibration(), background)
    again = Facts.unpacked(facts.packed(), facts.calibration.packed(), DIMS)
    assert again.background == background
    assert again.documents.counts.tolist() == [9, 0, 0, 0]
    assert np.array_equal(again.documents.rows, facts.documents.rows)
    assert np.allclose(again.means.rows, facts.means.rows, atol=1e-3)  # the fixed vectors are kept as float16
    assert again.calibrated
    empty = Facts.unpacked(None, None, DIMS)
    assert (empty.calibrated, empty.background, empty.dims) == (False, None, DIMS)
    assert not empty.means.rows.any()
    assert np.allclose(empty.question(some(1, 4)[0], 1), some(1, 4)[0], atol=1e-6)


def test_a_question_loses_the_mean_of_questions_in_its_language() -> None:
    facts = Facts(Means.none(DIMS), calibration())
    asked = some(1, 11, about=1)[0]
    expected = unit(asked - facts.question_means.rows[1])
    assert np.allclose(facts.question(asked * 4, 1), expected, atol=1e-5)
    assert facts.question(asked, 1).dtype == np.float32


def test_the_background_is_that_of_all_pairs() -> None:
    vectors, languages = some(50, 8, about=1), codes(*[0, 1] * 25)
    facts = Facts(Means.of(vectors, languages), calibration())
    sessions = np.arange(50, dtype=np.int32) // 5
    survey = Survey(facts, vectors[:45], languages[:45], sessions[:45])
    survey.add(vectors[:20], languages[:20], sessions[:20])
    survey.add(vectors[20:], languages[20:], sessions[20:])
    found = survey.background()
    pairs = centre(vectors, languages, facts.means) @ facts.questions().T
    assert found is not None
    assert found.size == 50
    best = pairs.max(axis=0)
    assert [found.top50, found.top99] == pytest.approx(np.quantile(best, [0.5, 0.99]).tolist(), abs=1e-5)
    centred = centre(vectors, languages, facts.means)
    others = centred @ centred[:45].T
    others[sessions[:, None] == sessions[None, :45]] = -np.inf
    assert [found.apart50, found.apart99] == pytest.approx(np.quantile(others.max(axis=0), [0.5, 0.99]).tolist(), abs=1e-5)
    nothing = Survey(facts, vectors[:0], languages[:0], sessions[:0])
    assert nothing.background() is None
    nothing.add(vectors, languages, sessions)
    alone = nothing.background()
    assert alone is not None and alone.apart50 is None and alone.apart99 is None


def test_strength_is_told_by_the_library_where_it_can_be() -> None:
    strays = Background(0.2, 0.4, 100)
    assert [strays.strength(0.2), strays.strength(0.4), strays.strength(0.1)] == pytest.approx([0.0, 1.0, -0.5])
    own = msgspec.structs.replace(strays, apart50=0.5, apart99=0.6)
    assert [own.strength(0.5), own.strength(0.6)] == pytest.approx([0.0, 1.0])
    narrow = msgspec.structs.replace(strays, apart50=0.5, apart99=0.5)
    assert narrow.strength(0.55) == pytest.approx(1.0)
