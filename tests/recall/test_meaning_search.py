"""Searching by words and meaning together, on a library whose vectors were made by a small deterministic back end."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import pytest
from world import World

from tray_app.embed.base import LATE, EmbedFault

STORM = "storm broke window"
"""Three words that nobody said. Those of the weather sessions mean the same."""
WEATHER = {"weather", "weather-new", "weather-zh"}


# --- both legs -------------------------------------------------------------------------------------------------------------
def test_what_shares_no_word_with_the_question_is_found(meant: World) -> None:
    answer = meant.ask(STORM)
    assert set(meant.sessions(STORM)[:3]) == WEATHER
    assert (answer.engine, answer.meaning, answer.meaning_note, answer.tier) == ("hybrid", "on", "", "none")
    assert answer.missing == ("storm", "broke", "window")
    assert not answer.found  # meaning alone is no proof
    first = meant.hits(STORM)[0]
    assert (first.reasons, first.matched, first.marks) == (("meaning",), (), ())
    assert first.snippet


def test_across_languages(meant: World) -> None:
    assert "weather-zh" in meant.sessions("the gale smashed the skylight of our roof")[:3]
    assert set(meant.sessions("那次暴风砸坏天窗怎么办")[:3]) == WEATHER


@pytest.mark.parametrize(
    ("mode", "engine", "meaning", "found"),
    [("words", "fts", "off", []), ("meaning", "vector", "on", WEATHER), ("auto", "hybrid", "on", WEATHER)],
)
def test_modes(meant: World, mode: str, engine: str, meaning: str, found: set[str]) -> None:
    answer = meant.ask(STORM, mode=mode)
    assert (answer.engine, answer.meaning) == (engine, meaning)
    assert set(meant.sessions(STORM, mode=mode)[:3]) == set(found)


def test_words_alone_ask_nothing_of_the_back_end(meant: World) -> None:
    meant.ask("a question that nobody asked", mode="words")
    meant.ask("agent:codex")
    meant.ask("yesterday")
    meant.ask("a question that somebody asked")
    assert "a question that somebody asked" in meant.embedder.asked
    assert {"a question that nobody asked", "agent:codex", "yesterday", ""}.isdisjoint(meant.embedder.asked)


def test_what_is_asked_of_it_is_the_question_without_operators_and_times(meant: World) -> None:
    meant.ask('agent:claude yesterday "the gale" -oracle zeppelin mooring')
    assert {text for text in meant.embedder.asked if "zeppelin" in text} == {"zeppelin mooring the gale"}


def test_the_legs_are_weighed_by_the_mode_and_the_setting(meant: World) -> None:
    query = "the lighthouse storm that broke a window"  # one word of the lamp, the meaning of the weather
    assert meant.sessions(query, mode="words")[0] == "lamp"
    assert meant.sessions(query, mode="meaning")[0] in WEATHER
    meant.engine.settings.set("meaning.share", 0.0)
    try:
        assert meant.sessions(query)[0] == "lamp"
        meant.engine.settings.set("meaning.share", 1.0)
        assert meant.sessions(query) == meant.sessions(query, mode="meaning")
    finally:
        meant.engine.settings.unset("meaning.share")


def test_why_a_hit_is_shown(meant: World) -> None:
    first = meant.hits("the tempest that broke the greenhouse window")[0]
    assert first.reasons == ("words", "meaning")
    assert meant.hits("yesterday " + STORM)[0].reasons == ("meaning", "date")
    assert meant.hits("lamp flickers at dusk", mode="words")[0].reasons == ("words",)
    dated = meant.hits(
        "九月暴风砸坏天窗", limit=50
    )  # perhaps not when it was said: no border, and no reason for what lies elsewhere
    assert {hit.outside_time for hit in dated} == {False}
    assert {"date" in hit.reasons for hit in dated} == {True, False}
    assert all(("date" in hit.reasons) == (hit.date_text[:7] == "2026-09") for hit in dated)


def test_scores_are_explained_on_demand_alone(meant: World) -> None:
    query = "the tempest that broke the greenhouse window"
    assert {hit.explain for hit in meant.hits(query)} == {None}
    plain, explained = meant.ask(query), meant.ask(query, explain=True)
    assert [one.session for one in plain.sessions] == [one.session for one in explained.sessions]
    hits = meant.hits(query, explain=True)
    assert all(hit.explain is not None for hit in hits)
    first = hits[0].explain
    assert first is not None
    assert (first.words_rank, first.words_score, first.kind_weight, first.inside_time, first.quotes_question) == (
        1, 1.0, 1.0, False, False,
    )  # fmt: skip
    assert first.words == ("tempest", "greenhous")
    assert 0 < first.similarity <= 1
    assert first.meaning_rank is not None
    far = hits[-1].explain
    assert far is not None
    assert (far.words_rank, far.words_score) == (None, 0.0)
    assert far.meaning_score < first.meaning_score
    dated = meant.hits("yesterday " + STORM, explain=True)
    assert [hit.explain.inside_time for hit in dated if hit.explain] == [not hit.outside_time for hit in dated]


def test_a_beside_passage_lends_its_share(meant: World) -> None:
    hits = {hit.seq: hit for hit in meant.hits(STORM, explain=True) if "glazier" in hit.text or "cottage" in hit.text}
    assert len(hits) == 2
    assert all(hit.explain is not None and hit.explain.neighbour > 0 for hit in hits.values())


# --- words that must stand there -------------------------------------------------------------------------------------------
def test_a_phrase_is_never_left_out_for_what_is_meant(meant: World) -> None:
    hits = meant.hits(f'"the tempest" {STORM}')
    assert hits
    assert all("the tempest" in hit.text.casefold() for hit in hits)
    assert meant.ask('"storm broke window"').sessions == ()
    assert meant.ask(f'"gale storm" {STORM}').verdict == "nothing"


def test_what_is_excluded_stays_out_whatever_it_means(meant: World) -> None:
    hits = meant.hits(f"{STORM} -gale -天窗")
    assert hits
    assert all("gale" not in hit.text and "天窗" not in hit.text for hit in hits)


@pytest.mark.parametrize(("query", "found"), [("tempest", {"weather", "weather-new"}), ("gale skylight", {"weather", "weather-new"}), ("暴风", {"weather-zh"})])  # fmt: skip
def test_a_name_of_one_or_two_words_shows_only_what_holds_a_word_of_it(meant: World, query: str, found: set[str]) -> None:
    assert set(meant.sessions(query)) == found
    explained = [hit.explain for hit in meant.hits(query, explain=True)]
    assert all(one is not None and one.words_rank is not None for one in explained)  # if only for its session's title
    assert meant.ask(query).meaning == "on"


@pytest.mark.parametrize("query", ["storm", "storm window"])
def test_where_a_word_of_it_was_never_said_what_is_meant_is_shown(meant: World, query: str) -> None:
    assert set(meant.sessions(query)[:3]) == WEATHER
    assert not meant.ask(query).found


def test_a_name_that_nobody_said_shows_only_what_is_nearer_than_by_chance(meant: World) -> None:
    assert meant.ask("zanzibar").verdict == "nothing"
    assert set(meant.sessions("storm")) < set(meant.sessions(STORM))


# --- filters ---------------------------------------------------------------------------------------------------------------
def test_filters_hold_for_what_is_meant(meant: World) -> None:
    assert meant.sessions(f"agent:codex {STORM}") in ([], ["codex"])
    assert set(meant.sessions(f"project:greenhouse {STORM}")) == {"weather", "weather-zh"}
    assert {hit.kind for hit in meant.hits(f"kind:tool {STORM}")} <= {"tool"}
    new = next(one.session for one in meant.ask(STORM).sessions if one.project == "cottage")
    assert set(meant.sessions(f"session:{new[:8]} {STORM}")) == {"weather-new"}
    assert set(meant.sessions(STORM, exclude_session=new)[:2]) == {"weather", "weather-zh"}
    assert "weather-new" not in meant.sessions(STORM, exclude_session=new)


def test_a_role_shows_its_own_messages_of_what_is_meant(meant: World) -> None:
    assert set(meant.sessions(f"role:user {STORM}")[:3]) == WEATHER
    hits = meant.hits(f"role:user {STORM}")
    assert {hit.role for hit in hits} == {"user"}
    assert all("plywood" not in hit.text and "胶合板" not in hit.text for hit in hits)
    assert {hit.role for hit in meant.hits(f"role:assistant {STORM}")} == {"assistant"}
    assert "weather" not in meant.sessions("role:user gale plywood nailed over")  # the words were the assistant's


def test_times_hold_for_what_is_meant(meant: World) -> None:
    assert meant.sessions(f"before:2026-09-15 {STORM}")[0] == "weather"
    assert not {"weather-new", "weather-zh"} & set(meant.sessions(f"before:2026-09-15 {STORM}"))
    hits = meant.hits(f"yesterday {STORM}")
    assert [hit.outside_time for hit in hits] == sorted(hit.outside_time for hit in hits)
    assert meant.sessions(f"yesterday {STORM}")[0] == "weather-new"
    assert {"weather", "weather-zh"} <= set(meant.sessions(f"yesterday {STORM}"))
    assert meant.sessions(f"2026-09-18 {STORM}")[0] == "weather-zh"


def test_limits_and_folding_hold(meant: World) -> None:
    assert len(meant.hits(STORM, limit=2)) == 2
    assert len(meant.ask(STORM, max_sessions=2).sessions) == 2
    query = "linter before commits everywhere"
    assert sum("linter" in hit.text for hit in meant.hits(query)) == 1
    assert not any(hit.restored_by_fill for hit in meant.hits(query, fill_after_dedupe=True))  # no place is empty
    hits = meant.hits(query, fill_after_dedupe=True, limit=50)
    assert [hit.restored_by_fill for hit in hits] == [False] * (len(hits) - 2) + [True] * 2
    assert all("linter" in hit.text for hit in hits[-2:])


# --- how sure --------------------------------------------------------------------------------------------------------------
def test_words_and_meaning_together_may_be_enough(meant: World) -> None:
    answer = meant.ask("which storm harmed the greenhouse window and tore plywood")
    assert (answer.found, answer.reason_code) == (True, "found_meaning")
    assert meant.sessions("which storm harmed the greenhouse window and tore plywood")[0] == "weather"
    assert answer.fallback_menu is None
    words = meant.ask("which storm harmed the greenhouse window and tore plywood", mode="words")
    assert not words.found


def test_nothing_is_found_while_a_name_is_unsaid(meant: World) -> None:
    answer = meant.ask("which storm harmed the greenhouse window of Zanzibar")
    assert (answer.found, answer.verdict, answer.reason_code) == (False, "unsure", "missing_words")
    assert "zanzibar" in answer.missing


def test_a_question_that_is_given_back_stands_behind_its_answer(meant: World) -> None:
    query = "Why does the lighthouse lamp flicker at dusk?"
    assert meant.sessions(query)[:2] == ["lamp", "lamp-echo"]
    given_back = [hit.explain.quotes_question for hit in meant.hits(query, explain=True) if hit.explain]
    assert given_back[:2] == [False, True]
    assert meant.ask(query).found


@pytest.mark.parametrize("mode", ["words", "auto", "meaning"])
def test_a_question_that_was_only_given_back_is_not_found(meant: World, mode: str) -> None:
    answer = meant.ask("Which catamaran crosses the fjord around midnight?", mode=mode)
    assert meant.sessions("Which catamaran crosses the fjord around midnight?", mode=mode)[0] == "fjord-echo"
    assert (answer.found, answer.verdict, answer.reason_code) == (False, "unsure", "quoted_back")


# --- the menu --------------------------------------------------------------------------------------------------------------
def test_the_menu_numbers_candidates_and_tells_what_their_days_were_about(meant: World) -> None:
    answer = meant.ask("what did the linter in Zanzibar say of the shed")
    menu = answer.fallback_menu
    assert menu is not None
    assert [entry.index for entry in menu.sessions] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [entry.session for entry in menu.sessions] == [one.session for one in answer.sessions[:9]]
    assert len(answer.sessions) > 9
    days = list(dict.fromkeys(entry.date_text for entry in menu.sessions))
    assert [day.day for day in menu.days] == days[:3]
    assert all(day.topics and day.sessions >= 1 for day in menu.days)
    assert {day.day: day.topics for day in menu.days}["2026-09-24"] == ("Always run the linter",)


# --- where meaning cannot answer -------------------------------------------------------------------------------------------
@contextlib.contextmanager
def faulty(meant: World, fault: Exception) -> Iterator[None]:
    meant.embedder.fault = fault
    try:
        yield
    finally:
        meant.embedder.fault = None
        meant.engine.sense.try_again()


def test_after_a_fault_words_answer_and_the_reason_is_told(meant: World) -> None:
    with faulty(meant, EmbedFault("embedding_busy", "Busy", "It is busy.", "Later.")):
        answer = meant.ask("the lighthouse lamp on busy days")
        assert (answer.engine, answer.meaning, answer.meaning_note) == ("fts", "embedding_busy", "It is busy. Later.")
        assert meant.sessions("the lighthouse lamp on busy days")[0] == "lamp"
        assert meant.sessions("another storm broke some window") == meant.sessions(
            "another storm broke some window", mode="words"
        )
    assert meant.ask("the lighthouse lamp on busy days").meaning == "on"


def test_what_comes_too_late_is_there_the_next_time(meant: World) -> None:
    meant.embedder.hold = threading.Event()
    try:
        answer = meant.ask("the lighthouse lamp on late days", patience_ms=1)
        assert (answer.engine, answer.meaning, answer.meaning_note) == ("fts", "late", LATE.note)
        assert answer.sessions
    finally:
        meant.embedder.hold.set()
    answer = meant.ask("the lighthouse lamp on late days")
    assert (answer.engine, answer.meaning) == ("hybrid", "on")
    meant.embedder.hold = None


def test_switched_off_words_answer_and_nothing_is_said(meant: World) -> None:
    meant.engine.settings.set("meaning.backend", "off")
    try:
        for mode in ("auto", "meaning"):
            answer = meant.ask("the lighthouse lamp", mode=mode)
            assert (answer.engine, answer.meaning, answer.meaning_note) == ("fts", "off", "")
            assert answer.found
    finally:
        meant.engine.settings.set("meaning.backend", "builtin")


def test_a_library_without_vectors_says_so(meant: World) -> None:
    meant.embedder.model = "another"
    meant.engine.sense.try_again()
    try:
        answer = meant.ask("the lighthouse lamp on empty days")
        assert (answer.engine, answer.meaning) == ("fts", "empty")
        assert answer.meaning_note
        assert answer.sessions
    finally:
        meant.embedder.model = "concepts"
        meant.engine.sense.try_again()
    assert meant.ask(STORM).meaning == "on"


def test_the_same_question_has_the_same_answer(meant: World) -> None:
    first, second = meant.ask(STORM, explain=True), meant.ask(STORM, explain=True)
    assert first.sessions == second.sessions
