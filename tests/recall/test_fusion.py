"""How two lists become one: exact scores on small lists, and what holds for any."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.recall.candidates import Candidate
from tray_app.recall.fusion import (
    AFTERWARDS,
    COVERED_NONE,
    COVERED_WELL,
    FRESH_SHARE,
    INSIDE_TIME,
    KIND_WEIGHTS,
    LATELY,
    NEAR_EQUAL,
    NEIGHBOUR,
    QUOTED,
    SESSION,
    SESSION_BEST,
    SWAY,
    UNSURE_TIME,
    WEEK_MS,
    adjust,
    freshest_first,
    hold_back,
    in_order,
    words_share,
)

ALONE = 1 + SESSION / SESSION_BEST
"""What a passage that is alone in its session has of a score of 1."""
SPAN = (100, 200)


def candidate(
    number: int,
    words: float,
    meaning: float = 0.0,
    *,
    time: int = 1,
    session: int | None = None,
    kind: str = "round",
    ahead: bool = False,
) -> Candidate:
    """Alone in its session where none is named."""
    return Candidate(
        number,
        number if session is None else session,
        time,
        kind,
        words,
        words_score=words,
        meaning_score=meaning,
        ahead=ahead,
    )


def ids(candidates: list[Candidate]) -> list[int]:
    return [one.id for one in candidates]


def scores(candidates: list[Candidate]) -> dict[int, float]:
    return {one.id: one.score for one in candidates}


# --- both legs -------------------------------------------------------------------------------------------------------------
def test_the_legs_are_added_at_their_shares() -> None:
    found = [candidate(10, 1.0, 0.0), candidate(20, 0.0, 1.0), candidate(30, 0.5, 0.5)]
    assert scores(adjust(found, None, 0.7)) == pytest.approx({10: 0.7 * ALONE, 20: 0.3 * ALONE, 30: 0.5 * ALONE})
    assert ids(adjust(found, None, 0.7)) == [10, 30, 20]
    assert ids(adjust(found, None, 0.3)) == [20, 30, 10]
    assert scores(adjust(found, None)) == pytest.approx({10: ALONE, 20: 0.0, 30: 0.5 * ALONE})


@pytest.mark.parametrize(
    ("meaning", "coverage", "share"),
    [
        (0.0, 0.0, 1.0),
        (0.0, 1.0, 1.0),
        (1.0, 0.0, 0.0),
        (1.0, 1.0, 0.0),
        (0.4, 0.0, 0.6 - SWAY),
        (0.4, COVERED_NONE, 0.6 - SWAY),
        (0.4, (COVERED_NONE + COVERED_WELL) / 2, 0.6),
        (0.4, COVERED_WELL, 0.6 + SWAY),
        (0.4, 9.0, 0.6 + SWAY),
        (0.9, 0.0, 0.0),
        (0.1, 1.0, 1.0),
    ],
)
def test_what_words_count(meaning: float, coverage: float, share: float) -> None:
    assert words_share(meaning, coverage) == pytest.approx(share)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 2), st.floats(0, 2))
def test_words_count_more_the_more_is_covered_and_the_less_meaning_is_asked_for(
    first: float, second: float, covered: float, better: float
) -> None:
    (less, more), (badly, well) = sorted((first, second)), sorted((covered, better))
    assert 0 <= words_share(first, covered) <= 1
    assert words_share(more, badly) <= words_share(less, badly) + 1e-9
    assert words_share(less, badly) <= words_share(less, well) + 1e-9


# --- neighbours, sessions, kinds -------------------------------------------------------------------------------------------
def test_neighbours_in_a_session_lend_each_other_a_share() -> None:
    found = adjust([candidate(1, 0.5, session=1), candidate(2, 1.0, session=1)], None)
    support = SESSION * 1.5 / SESSION_BEST
    assert scores(found) == pytest.approx({1: 0.5 + NEIGHBOUR * 1.0 + support, 2: 1.0 + NEIGHBOUR * 0.5 + support})
    assert {one.id: one.neighbour for one in found} == pytest.approx({1: NEIGHBOUR, 2: NEIGHBOUR * 0.5})


def test_of_two_neighbours_the_better_counts() -> None:
    found = adjust([candidate(1, 0.2, session=1), candidate(2, 0.1, session=1), candidate(3, 0.8, session=1)], None)
    assert {one.id: one.neighbour for one in found} == pytest.approx(
        {1: 0.1 * NEIGHBOUR, 2: 0.8 * NEIGHBOUR, 3: 0.1 * NEIGHBOUR}
    )


def test_what_another_session_says_beside_it_lends_nothing() -> None:
    found = adjust([candidate(1, 0.5, session=1), candidate(2, 1.0, session=2)], None)
    assert scores(found) == pytest.approx({1: 0.5 * ALONE, 2: ALONE})
    assert {one.neighbour for one in found} == {0.0}


def test_a_neighbour_is_near_in_meaning_as_well() -> None:
    found = adjust([candidate(1, 0.0, 0.5, session=1), candidate(2, 0.4, 1.0, session=1)], None, 0.5)
    assert {one.id: one.neighbour for one in found} == pytest.approx({1: NEIGHBOUR * 0.7, 2: NEIGHBOUR * 0.25})


def test_a_session_that_says_much_about_it_supports_each_of_its_passages() -> None:
    found = adjust([candidate(10 * number, score, session=1) for number, score in enumerate((1.0, 0.8, 0.6, 0.4))], None)
    support = SESSION * (1.0 + 0.8 + 0.6) / SESSION_BEST  # the best ones only
    assert scores(found) == pytest.approx({0: 1.0 + support, 10: 0.8 + support, 20: 0.6 + support, 30: 0.4 + support})
    assert ids(adjust([candidate(10, 0.8, session=1), candidate(20, 0.8, session=1), candidate(30, 0.85)], None))[-1] == 30


@pytest.mark.parametrize(("kind", "weight"), [*KIND_WEIGHTS.items(), ("of a newer program", 1.0)])
def test_kinds_have_their_weights(kind: str, weight: float) -> None:
    (found,) = adjust([candidate(1, 1.0, kind=kind)], None)
    assert found.score == pytest.approx(weight * ALONE)


def test_talk_stands_before_tools_and_these_before_reasoning() -> None:
    kinds = ["reasoning", "tool", "round"]
    ranked = adjust([candidate(10 * number, 1.0, kind=kind) for number, kind in enumerate(kinds)], None)
    assert [one.kind for one in ranked] == ["round", "tool", "reasoning"]


# --- time ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("time", "more", "outside"),
    [
        (99, 0.0, True),
        (100, 1.0, False),
        (199, 1.0, False),
        (200, AFTERWARDS, True),
        (200 + WEEK_MS - 1, AFTERWARDS, True),
        (200 + WEEK_MS, 0.0, True),
    ],
)
def test_inside_an_understood_time_then_the_week_after_then_the_rest(time: int, more: float, outside: bool) -> None:
    (found,) = adjust([candidate(1, 1.0, time=time)], SPAN)
    assert (found.score, found.outside) == (pytest.approx(ALONE + more * INSIDE_TIME), outside)
    assert found.inside is not outside
    (found,) = adjust([candidate(1, 1.0, time=time)], SPAN, sure=False)
    assert (found.score, found.outside) == (pytest.approx(ALONE + more * UNSURE_TIME), False)
    assert found.inside is not outside
    (found,) = adjust([candidate(1, 1.0, time=time)], None)
    assert (found.score, found.inside, found.outside) == (pytest.approx(ALONE), False, False)


def test_all_inside_stands_before_all_outside() -> None:
    found = adjust(
        [
            candidate(1, 1.0, time=50, session=1),
            candidate(2, 1.0, time=50, session=1),
            candidate(10, 0.0, time=150),
            candidate(20, 0.0, time=200),
            candidate(30, 0.0, time=200 + WEEK_MS),
        ],
        SPAN,
    )
    assert ids(found) == [10, 2, 1, 20, 30]
    assert [one.outside for one in found] == [False, True, True, True, True]


@pytest.mark.parametrize("lately", [False, True])
def test_the_best_that_lies_outside_comes_after_the_worst_inside(lately: bool) -> None:
    """With all that can be added: neighbours, a session full of it, the week after, and being the newest."""
    outside = [candidate(number, 1.0, 1.0, time=200 + number, session=1) for number in range(3)]
    found = adjust([*outside, candidate(10, 0.0, time=150)], SPAN, 0.5, lately=lately)
    assert found[0].id == 10
    assert max(one.score for one in found if one.outside) < INSIDE_TIME * (1 - NEAR_EQUAL)


def test_a_time_that_may_be_meant_otherwise_is_a_help_and_no_border() -> None:
    found = [candidate(1, 1.0, time=50), candidate(10, 0.3, time=150), candidate(20, 0.9, time=150)]
    assert ids(adjust(found, SPAN, sure=False)) == [20, 1, 10]
    assert not any(one.outside for one in found)
    assert ids(adjust(found, SPAN)) == [20, 10, 1]


# --- how it is now ---------------------------------------------------------------------------------------------------------
def test_asked_how_it_is_now_the_newest_that_answers_well_gains_most() -> None:
    found = [candidate(1, 1.0, time=10), candidate(10, 0.9, time=20), candidate(20, 0.8, time=30), candidate(30, 0.3, time=40)]
    assert scores(adjust(found, None, lately=True)) == pytest.approx(
        {1: ALONE, 10: 0.9 * ALONE + LATELY / 2, 20: 0.8 * ALONE + LATELY, 30: 0.3 * ALONE}
    )
    assert ids(adjust(found, None, lately=True)) == [20, 10, 1, 30]
    assert ids(adjust(found, None)) == [1, 10, 20, 30]


def test_the_only_one_that_answers_well_gains_nothing() -> None:
    assert scores(adjust([candidate(1, 1.0, time=10), candidate(10, 0.1, time=20)], None, lately=True))[1] == pytest.approx(
        ALONE
    )
    assert adjust([], None, lately=True) == []


def test_what_is_dated_ahead_is_never_the_newest() -> None:
    found = [candidate(1, 1.0, time=10), candidate(10, 0.9, time=20), candidate(20, 0.95, time=99, ahead=True)]
    assert scores(adjust(found, None, lately=True)) == pytest.approx({1: ALONE, 10: 0.9 * ALONE + LATELY, 20: 0.95 * ALONE})


# --- questions given back --------------------------------------------------------------------------------------------------
def test_what_merely_gives_the_question_back_is_lowered() -> None:
    found = adjust([candidate(1, 1.0), candidate(10, 0.7)], None)
    found[0].quotes = True
    found = hold_back(found)
    assert scores(found) == pytest.approx({1: QUOTED * ALONE, 10: 0.7 * ALONE})
    assert ids(found) == [10, 1]


def test_it_stays_inside_the_time_that_it_is_in() -> None:
    found = adjust([candidate(1, 1.0, time=150), candidate(10, 1.0, time=50), candidate(20, 0.7, time=150)], SPAN)
    for one in found:
        one.quotes = one.id in (1, 10)
    found = hold_back(found)
    assert scores(found) == pytest.approx({1: INSIDE_TIME + QUOTED * ALONE, 10: QUOTED * ALONE, 20: INSIDE_TIME + 0.7 * ALONE})
    assert ids(found) == [20, 1, 10]


def test_a_time_that_may_be_meant_otherwise_keeps_nothing_from_being_lowered() -> None:
    found = adjust(
        [candidate(number, 1.0, 1.0, time=150 + number, session=1) for number in range(3)], SPAN, 0.5, sure=False, lately=True
    )
    before = scores(found)
    assert max(before.values()) < INSIDE_TIME
    for one in found:
        one.quotes = True
    assert scores(hold_back(found)) == pytest.approx({number: QUOTED * score for number, score in before.items()})


# --- order -----------------------------------------------------------------------------------------------------------------
def test_of_nearly_equal_ones_the_newer_comes_first_and_what_is_dated_ahead_last() -> None:
    near = 1 - NEAR_EQUAL / 2
    ranked = adjust(
        [
            candidate(10, 1.0, time=5),
            candidate(20, near, time=9),
            candidate(30, near, time=99, ahead=True),
            candidate(40, 1 - 2 * NEAR_EQUAL, time=50),
        ],
        None,
    )
    assert ids(ranked) == [20, 10, 30, 40]


def test_of_equal_ones_of_one_moment_the_later_in_the_library() -> None:
    assert ids(in_order([candidate(1, 1.0), candidate(3, 1.0), candidate(2, 1.0)])) == [3, 2, 1]


def test_the_freshest_first_only_among_what_answers_well() -> None:
    ranked = [candidate(1, 1.0, time=1), candidate(2, FRESH_SHARE, time=9), candidate(3, FRESH_SHARE - 0.01, time=99)]
    assert ids(freshest_first(ranked)) == [2, 1, 3]
    assert ids(freshest_first([candidate(1, 1.0, time=1), candidate(2, 1.0, time=99, ahead=True)])) == [1, 2]
    assert freshest_first([]) == []


def test_the_freshest_first_inside_the_understood_time_and_then_outside() -> None:
    found = adjust(
        [
            candidate(1, 1.0, time=110),
            candidate(10, 0.9, time=120),
            candidate(20, 0.1, time=130),
            candidate(30, 1.0, time=50),
            candidate(40, 0.9, time=60),
        ],
        SPAN,
    )
    assert ids(freshest_first(found)) == [10, 1, 20, 40, 30]


SHARE = st.floats(0, 1)
ROWS = st.lists(
    st.tuples(
        SHARE, SHARE, st.integers(0, 400), st.integers(0, 3), st.sampled_from([*KIND_WEIGHTS]), st.booleans(), st.booleans()
    ),
    max_size=14,
)
WAYS = st.tuples(st.none() | st.just(SPAN), SHARE, st.booleans(), st.booleans())
Row = tuple[float, float, int, int, str, bool, bool]
Way = tuple[tuple[int, int] | None, float, bool, bool]


def made(rows: list[Row]) -> list[Candidate]:
    found = []
    for number, (words, meaning, time, session, kind, ahead, quotes) in enumerate(rows):
        found.append(candidate(number, words, meaning, time=time, session=session, kind=kind, ahead=ahead))
        found[-1].quotes = quotes
    return found


def ranked(found: list[Candidate], way: Way) -> list[Candidate]:
    span, share, sure, lately = way
    return hold_back(adjust(found, span, share, sure=sure, lately=lately))


@given(ROWS, WAYS, st.randoms(use_true_random=False))
def test_the_order_is_the_same_however_they_came(rows: list[Row], way: Way, random: object) -> None:
    straight, mixed = made(rows), made(rows)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    first, second = ranked(straight, way), ranked(mixed, way)
    assert sorted(ids(first)) == list(range(len(rows)))
    assert [(one.id, one.score, one.outside) for one in first] == [(one.id, one.score, one.outside) for one in second]
    assert ids(freshest_first(first)) == ids(freshest_first(second))
    assert ids(in_order(first)) == ids(in_order(second)) == ids(first)


@given(ROWS, WAYS)
def test_scores_fall_in_bands_and_no_time_is_mixed(rows: list[Row], way: Way) -> None:
    found = ranked(made(rows), way)
    for first, second in pairwise(found):
        assert second.score <= first.score / (1 - NEAR_EQUAL) + 1e-9
        assert first.outside <= second.outside
    assert all(one.score >= 0 for one in found)
    fresh = freshest_first(found)
    assert sorted(ids(fresh)) == sorted(ids(found))
    assert all(first.outside <= second.outside for first, second in pairwise(fresh))
