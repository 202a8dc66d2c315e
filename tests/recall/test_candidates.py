"""How candidates are weighed and put in order, and what their texts must hold."""

from __future__ import annotations

from datetime import UTC
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.library.reading import MessageText
from tray_app.recall.candidates import (
    INSIDE_TIME,
    NEAR_EQUAL,
    NEIGHBOUR,
    WEEK_MS,
    Candidate,
    Demands,
    adjust,
    freshest_first,
)
from tray_app.recall.query import parse
from tray_app.records import SearchRequest


def candidate(
    number: int, score: float, time: int = 1, *, session: int = 1, kind: str = "round", ahead: bool = False
) -> Candidate:
    return Candidate(number, session, time, kind, score, words_score=score, ahead=ahead)


def saying(text: str) -> Candidate:
    made = candidate(1, 1.0)
    made.parts = [(MessageText(1, 1, 0, "m", "user", "", 1, text, 0), text)]
    return made


def ids(candidates: list[Candidate]) -> list[int]:
    return [one.id for one in candidates]


def test_the_better_comes_first() -> None:
    assert ids(adjust([candidate(1, 0.5), candidate(10, 1.0, session=2)], None)) == [10, 1]


def test_neighbours_in_a_session_lend_each_other_a_share() -> None:
    beside = adjust([candidate(1, 0.5), candidate(2, 1.0), candidate(7, 0.55, session=2)], None)
    assert ids(beside) == [2, 1, 7]
    assert beside[0].score == pytest.approx(1.0 + NEIGHBOUR * 0.5)
    assert beside[1].score == pytest.approx(0.5 + NEIGHBOUR)
    apart = adjust([candidate(1, 0.5), candidate(2, 1.0, session=9)], None)
    assert apart[1].score == pytest.approx(0.5)


def test_tools_and_reasoning_weigh_less_than_talk() -> None:
    kinds = ["reasoning", "tool", "round"]
    ranked = adjust([candidate(10 * n, 1.0, session=n, kind=kind) for n, kind in enumerate(kinds)], None)
    assert [one.kind for one in ranked] == ["round", "tool", "reasoning"]


def test_of_nearly_equal_ones_the_newer_comes_first_and_what_is_dated_ahead_last() -> None:
    near = 1 - NEAR_EQUAL / 2
    ranked = adjust(
        [
            candidate(10, 1.0, time=5),
            candidate(20, near, time=9, session=2),
            candidate(30, near, time=99, session=3, ahead=True),
            candidate(40, 1 - 2 * NEAR_EQUAL, time=50, session=4),
        ],
        None,
    )
    assert ids(ranked) == [20, 10, 30, 40]


def test_all_inside_the_understood_time_stands_before_all_outside() -> None:
    span = (100, 200)
    ranked = adjust(
        [
            candidate(1, 1.0, time=50),
            candidate(2, 1.0, time=50),
            candidate(10, 0.0, time=150, session=2),
            candidate(20, 0.0, time=200, session=3),
            candidate(30, 0.0, time=200 + WEEK_MS, session=4),
        ],
        span,
    )
    assert ids(ranked)[0] == 10
    assert [one.outside for one in ranked] == [False, True, True, True, True]
    assert ranked[-1].id == 30
    assert max(one.score for one in ranked if one.outside) < INSIDE_TIME


def test_the_freshest_first_only_among_what_answers_well() -> None:
    ranked = [candidate(1, 1.0, time=1), candidate(2, 0.6, time=9), candidate(3, 0.2, time=99)]
    assert ids(freshest_first(ranked)) == [2, 1, 3]
    assert freshest_first([]) == []


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), st.booleans()), max_size=12))
def test_any_candidates_keep_their_number_and_fall_in_bands(rows: list[tuple[float, int, bool]]) -> None:
    made = [candidate(10 * n, score, time=time, session=n, ahead=ahead) for n, (score, time, ahead) in enumerate(rows)]
    ranked = adjust(list(made), None)
    assert sorted(ids(ranked)) == sorted(ids(made))
    for first, second in pairwise(ranked):
        assert second.score <= first.score / (1 - NEAR_EQUAL) + 1e-9


@pytest.mark.parametrize(
    ("query", "text", "met"),
    [
        ('"SKIP  locked"', "for update skip\nLOCKED", True),
        ('"skip locked"', "skip the locked", False),
        ('"數據庫"', "这个数据库", True),
        ('"ｆｕｌｌ"', "FULL width", True),
        ("x -go", "google and algorithm", True),
        ("x -go", "we go", False),
        ("x -go", "GO!", False),
        ("x -幂等", "没有幂等键", False),
        ("x -c++", "in C++ only", False),
        ("x -.env", "read .env first", False),
        ('x -"two words"', "two  words", False),
        ("x", "anything", True),
    ],
)
def test_demands_on_the_text(query: str, text: str, met: bool) -> None:
    assert Demands(parse(SearchRequest(query=query), UTC)).met_by(saying(text)) is met
