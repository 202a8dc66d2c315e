"""Candidates from both legs, what their texts must hold, and what was said twice."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from tray_app.library.kept import Passages
from tray_app.library.postings import Scores, TermGroup
from tray_app.library.reading import MessageText
from tray_app.recall.candidates import (
    CLOCK_SLACK,
    INSIDE_MOST,
    NOTHING,
    SHORT_SPAN,
    Candidate,
    Demands,
    also_inside,
    among,
    by_words,
    choose,
    fill,
    latest,
    narrow,
    together,
)
from tray_app.recall.nearness import Meant
from tray_app.recall.query import parse
from tray_app.recall.scope import Scope
from tray_app.recall.words import Terms
from tray_app.records import SearchRequest

SIZE = 60
NOW = 1_000 * SIZE
EVERYTHING = Scope()
FREE = Demands(parse(SearchRequest(query="x"), UTC))
Said = tuple[str, str]


class Shelf:
    """A library of passages 1 to 59, one a second, six a session, as far as candidates ask for it. `texts`: who says what."""

    def __init__(self, texts: dict[int, list[Said]] | None = None, scores: Scores = NOTHING) -> None:
        numbers = np.arange(SIZE)
        self.texts, self.scores = texts or {}, scores
        self.facts = Passages(
            numbers > 0, (numbers // 6).astype(np.int32), numbers * 1_000, (numbers % 2).astype(np.int8), ("round", "tool")
        )
        self.read: list[int] = []

    def passages(self) -> Passages:
        return self.facts

    def weigh(self, groups: object, required: object) -> Scores:
        return self.scores

    def pieces(self, ids: Iterable[int]) -> dict[int, tuple[tuple[int, int, int], ...]]:
        wanted = list(ids)
        self.read += wanted
        return {
            one: tuple((100 * one + n, 0, len(text)) for n, (_, text) in enumerate(self.texts.get(one, ()))) for one in wanted
        }

    def messages(self, ids: Iterable[int]) -> dict[int, MessageText]:
        found = {}
        for number in ids:
            role, text = self.texts[number // 100][number % 100]
            found[number] = MessageText(number, number // 600, 0, f"m{number}", role, "", 1, text, 0)
        return found


def scored(**values: float) -> Scores:
    """`p7=0.5`: passage 7."""
    return Scores(np.array([int(name[1:]) for name in values], np.int64), np.array([*values.values()], np.float64))


def near(floor: float = 0.0, **values: float) -> Meant:
    return Meant(scored(**values), floor, None)


def saying(text: str) -> Candidate:
    made = Candidate(1, 1, 1, "round", 1.0)
    made.parts = [(MessageText(1, 1, 0, "m", "user", "", 1, text, 0), text)]
    return made


def ids(candidates: list[Candidate]) -> list[int]:
    return [one.id for one in candidates]


def met(
    shelf: Shelf,
    words: Scores,
    meant: Meant | None = None,
    span: tuple[int, int] | None = None,
    most: int = 9,
    *,
    both: bool = False,
) -> list[Candidate]:
    return together(shelf, words, meant, span, most, NOW, both=both)  # type: ignore[arg-type]


# --- both legs -------------------------------------------------------------------------------------------------------------
def test_words_alone_are_shares_of_their_best() -> None:
    found = met(Shelf(), scored(p7=2.0, p8=8.0, p20=4.0))
    assert [(one.id, one.words_score, one.words_rank) for one in found] == [(8, 1.0, 1), (20, 0.5, 2), (7, 0.25, 3)]
    assert [(one.session_id, one.time, one.kind) for one in found] == [
        (1, 8_000, "round"),
        (3, 20_000, "round"),
        (1, 7_000, "tool"),
    ]
    assert {(one.meaning_score, one.meaning_rank, one.similarity) for one in found} == {(0.0, None, 0.0)}


def test_both_legs_each_know_their_score_and_rank() -> None:
    found = {one.id: one for one in met(Shelf(), scored(p7=2.0, p8=8.0), near(0.2, p8=0.3, p30=0.6, p31=0.1))}
    assert {number: (one.words_score, one.words_rank) for number, one in found.items()} == {
        7: (0.25, 2), 8: (1.0, 1), 30: (0.0, None), 31: (0.0, None),
    }  # fmt: skip
    assert {number: one.meaning_rank for number, one in found.items()} == {7: None, 8: 2, 30: 1, 31: 3}
    assert {number: one.similarity for number, one in found.items()} == {7: 0.0, 8: 0.3, 30: 0.6, 31: 0.1}
    assert {number: round(one.meaning_score, 6) for number, one in found.items()} == {7: 0.0, 8: 0.25, 30: 1.0, 31: 0.0}


def test_a_passage_of_one_leg_beyond_its_best_ones_is_known_where_the_other_has_it() -> None:
    found = {one.id: one for one in met(Shelf(), scored(p1=9.0, p2=8.0, p3=1.0), near(p3=0.9), most=2)}
    assert sorted(found) == [1, 2, 3]
    assert (found[3].words_score, found[3].words_rank, found[3].meaning_rank) == (pytest.approx(1 / 9), None, 1)


def test_where_words_must_stand_meaning_adds_none() -> None:
    found = met(Shelf(), scored(p7=2.0), near(p7=0.3, p30=0.6), both=True)
    assert [(one.id, one.meaning_score) for one in found] == [(7, 0.5)]
    assert met(Shelf(), NOTHING, near(p30=0.6), both=True) == []


def test_as_many_of_each_leg_inside_an_understood_time() -> None:
    words = scored(p1=9.0, p2=8.0, p40=1.0, p41=2.0, p42=3.0)
    span = (40_000, 42_000)
    assert sorted(ids(met(Shelf(), words, span=span, most=2))) == [1, 2, 40, 41]
    found = {one.id: one.words_rank for one in met(Shelf(), words, near(p40=0.1, p3=0.9), span=span, most=1)}
    assert found == {1: 1, 3: None, 40: None, 41: None}


def test_what_is_dated_ahead_is_marked() -> None:
    found = together(Shelf(), scored(p7=1.0, p8=1.0), None, None, 9, 8_000 - CLOCK_SLACK - 1, both=False)  # type: ignore[arg-type]
    assert {one.id: one.ahead for one in found} == {7: False, 8: True}


def test_nothing_from_nothing() -> None:
    assert met(Shelf(), NOTHING) == met(Shelf(), NOTHING, near(0.5)) == []


def test_only_what_is_admitted_is_weighed() -> None:
    shelf = Shelf(scores=scored(p7=1.0, p8=2.0))
    only = np.zeros(SIZE, np.bool_)
    only[8] = True
    assert by_words(shelf, Terms((), (), "words"), EVERYTHING).ids.tolist() == [7, 8]  # type: ignore[arg-type]
    found = by_words(shelf, Terms((), (), "words"), Scope(only))  # type: ignore[arg-type]
    assert (found.ids.tolist(), found.values.tolist()) == ([8], [2.0])


# --- by time ---------------------------------------------------------------------------------------------------------------
def test_the_latest_come_first_and_what_is_dated_ahead_last() -> None:
    found = latest(Shelf(), EVERYTHING, (50_000, 99_000), 99, 57_000 - CLOCK_SLACK - 1)  # type: ignore[arg-type]
    assert ids(found) == [56, 55, 54, 53, 52, 51, 50, 59, 58, 57]
    assert all(first.score > second.score > 0 for first, second in pairwise(found))
    assert len(latest(Shelf(), EVERYTHING, None, 3, NOW)) == 3  # type: ignore[arg-type]


def test_a_short_time_that_was_named_is_evidence_by_itself() -> None:
    known = met(Shelf(), scored(p50=1.0))
    more = also_inside(known, Shelf(), EVERYTHING, (50_000, 53_000), NOW)  # type: ignore[arg-type]
    assert [(one.id, one.score, one.words_score) for one in more] == [(52, 0.0, 0.0), (51, 0.0, 0.0)]
    assert len(also_inside([], Shelf(), EVERYTHING, (0, SHORT_SPAN), NOW)) == INSIDE_MOST  # type: ignore[arg-type]
    assert also_inside([], Shelf(), EVERYTHING, (0, SHORT_SPAN + 1), NOW) == []  # type: ignore[arg-type]


def test_named_passages_keep_their_order_and_are_admitted_or_not() -> None:
    found = among(Shelf(), [9, 3, 0, 500, 7], Scope(Shelf().facts.kind == 1), NOW)  # type: ignore[arg-type]
    assert ids(found) == [9, 3, 7]
    assert 0.5 >= found[0].score > found[1].score > found[2].score


# --- who says it -----------------------------------------------------------------------------------------------------------
def test_speakers_keep_the_share_that_is_theirs() -> None:
    shelf = Shelf(
        {
            1: [("user", "heron pond"), ("assistant", "noted")],
            2: [("user", "heron"), ("assistant", "pond")],
            3: [("user", "hello"), ("assistant", "heron pond")],
            4: [("user", "a bird by the water"), ("assistant", "indeed")],
            5: [("assistant", "a bird by the water")],
            6: [("user", "what else"), ("assistant", "well")],
        }
    )
    terms = Terms((TermGroup("heron", (1,), 5), TermGroup("pond", (2,), 5)), (), "words", documents=100)
    both = near(p4=0.9, p5=0.8, p3=0.7)
    found = met(shelf, scored(p1=4.0, p2=4.0, p3=4.0), both)
    found += [Candidate(6, 1, 6_000, "round", 0.0)]  # there for its time alone
    kept = narrow(found, shelf, terms, ("user",))  # type: ignore[arg-type]
    assert {one.id: one.words_score for one in kept} == pytest.approx({1: 1.0, 2: 0.5, 4: 0.0})
    assert {one.id: one.text for one in kept} == {1: "heron pond", 2: "heron", 4: "a bird by the water"}


# --- what must stand in it -------------------------------------------------------------------------------------------------
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


# --- the choice ------------------------------------------------------------------------------------------------------------
TWICE: dict[int, list[Said]] = {
    1: [("user", "Run the linter.")],
    2: [("user", "Order the seeds.")],
    7: [("user", "run  the LINTER.")],
    13: [("user", "Run the linter.")],
    14: [("user", "Feed the heron.")],
}


def chosen(
    shelf: Shelf, limit: int = 9, sessions: int = 0, *, dedupe: bool = True, refill: bool = False, query: str = "x"
) -> list[Candidate]:
    found = met(shelf, scored(p1=9.0, p7=8.0, p13=7.0, p2=6.0, p14=5.0))
    demands = Demands(parse(SearchRequest(query=query), UTC))
    return choose(found, shelf, EVERYTHING, demands, limit, sessions, dedupe=dedupe, refill=refill)  # type: ignore[arg-type]


def test_the_same_in_several_sessions_is_one_with_its_places() -> None:
    found = chosen(Shelf(TWICE))
    assert ids(found) == [1, 2, 14]
    assert found[0].duplicates == [(1, 7_000), (2, 13_000)]
    assert [one.restored for one in found] == [False, False, False]
    assert ids(chosen(Shelf(TWICE), dedupe=False)) == [1, 7, 13, 2, 14]


def test_what_was_folded_fills_the_places_that_are_left() -> None:
    found = chosen(Shelf(TWICE), refill=True)
    assert [(one.id, one.restored) for one in found] == [(1, False), (2, False), (14, False), (7, True), (13, True)]
    assert [(one.id, one.restored) for one in chosen(Shelf(TWICE), 4, refill=True)] == [
        (1, False),
        (2, False),
        (14, False),
        (7, True),
    ]
    assert ids(chosen(Shelf(TWICE), 3, refill=True)) == [1, 2, 14]


def test_sessions_are_as_many_as_were_asked_for() -> None:
    assert ids(chosen(Shelf(TWICE), sessions=1)) == [1, 2]
    assert ids(chosen(Shelf(TWICE), sessions=1, dedupe=False)) == [1, 2]
    assert ids(chosen(Shelf(TWICE), sessions=2, refill=True)) == [1, 2, 14, 13]


def test_what_does_not_hold_what_it_must_takes_no_place() -> None:
    assert ids(chosen(Shelf(TWICE), 2, query='"the seeds"')) == [2]
    assert ids(chosen(Shelf(TWICE), 2, query="x -linter")) == [2, 14]
    assert chosen(Shelf()) == []  # their messages are gone


def test_the_same_in_one_session_is_one_only_where_all_of_it_is_the_same() -> None:
    long = "The very same beginning of both of them, " * 5
    shelf = Shelf({1: [("user", long + "a")], 2: [("user", long + "b")], 3: [("user", long + "a")]})
    found = choose(met(shelf, scored(p1=3.0, p2=2.0, p3=1.0)), shelf, EVERYTHING, FREE, 9, 0, dedupe=True)  # type: ignore[arg-type]
    assert ids(found) == [1, 2]
    assert found[0].duplicates == []


def test_texts_are_read_once_and_no_more_than_needed() -> None:
    shelf = Shelf({number: [("user", f"number {number}")] for number in range(1, SIZE)})
    found = met(shelf, Scores(np.arange(1, SIZE), np.arange(SIZE, 1, -1).astype(np.float64)), most=SIZE)
    assert len(choose(found, shelf, EVERYTHING, FREE, 3, 0, dedupe=True)) == 3  # type: ignore[arg-type]
    assert len(shelf.read) == len(set(shelf.read)) < 10
    before = list(shelf.read)
    fill(found[:3], shelf)  # type: ignore[arg-type]
    assert shelf.read == before


def test_a_candidate_is_told_apart_by_nothing_shared() -> None:
    first, second = saying("a"), Candidate(2, 1, 1, "round", 1.0)
    first.duplicates.append((1, 1))
    assert (second.duplicates, second.parts) == ([], [])
    assert msgspec.structs.replace(first).text == "a"
