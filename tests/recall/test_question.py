"""What is understood of a question: operators, time words, and what is left to search for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.errors import UsageError
from tray_app.recall.question import MOST_HITS, SURE, Question, understand_request
from tray_app.records import SearchRequest, TimeRange

NOW = datetime(2026, 10, 1, 9, tzinfo=timezone(timedelta(hours=8)))
"""A Thursday."""


def asked(query: str, now: datetime = NOW, **more: object) -> Question:
    return understand_request(SearchRequest(query=query, **more), now)  # type: ignore[arg-type]


def ms(year: int, month: int, day: int, hour: int = 0) -> int:
    return int(datetime(year, month, day, hour, tzinfo=NOW.tzinfo).timestamp() * 1000)


def time_of(question: Question) -> TimeRange:
    assert question.time is not None
    return question.time


# --- words -----------------------------------------------------------------------------------------------------------------
def test_words_and_what_is_ignored() -> None:
    question = asked("what did we say about the pool size")
    assert (question.text, question.words) == ("what did we say about the pool size", ["pool", "size"])
    assert "what" in question.ignored
    assert (question.time, question.span, question.sure, question.lately, question.narrowed) == (None, None, True, False, False)
    assert question.meant == "what did we say about the pool size"


def test_words_of_phrases_are_words_each_once() -> None:
    question = asked('pool "the pool size" "twelve connections"')
    assert question.words == ["pool", "the", "size", "twelv", "connection"]
    assert question.text == "pool"
    assert question.meant == "pool the pool size twelve connections"


@pytest.mark.parametrize("query", ["", "  ", "agent:codex", "yesterday", '"?!"', "?!"])
def test_without_words_nothing_is_meant(query: str) -> None:
    assert (asked(query).words, asked(query).meant) == ([], "")


def test_operators_time_words_phrases_and_exclusions_at_once() -> None:
    question = asked('agent:codex yesterday "twelve connections" pool -oracle after:2026-09-01')
    assert (question.text, question.words) == ("pool", ["pool", "twelv", "connection"])
    assert question.meant == "pool twelve connections"
    assert question.span == (ms(2026, 9, 30), ms(2026, 10, 1))
    time = time_of(question)
    assert (time.words, time.first_day, time.last_day, time.hard) == ("after:2026-09-01", "2026-09-01", None, True)
    assert (time.start, time.end) == ("2026-08-31T16:00:00.000Z", None)
    understood = question.understood(("十二",))
    assert (understood.query, understood.words, understood.phrases) == (
        "pool",
        ("pool", "twelv", "connection"),
        ("twelve connections",),
    )
    assert (understood.excluded, understood.translated, understood.filters) == (("oracle",), ("十二",), {"agent": "codex"})
    assert understood.time == time


# --- time ------------------------------------------------------------------------------------------------------------------
def test_time_words_leave_the_text_and_set_a_soft_range() -> None:
    question = asked("昨天 队列")
    assert (question.text, question.words, question.meant) == ("队列", ["队列"], "队列")
    assert question.span == (ms(2026, 9, 30), ms(2026, 10, 1))
    time = time_of(question)
    assert (time.words, time.first_day, time.last_day, time.hard) == ("昨天", "2026-09-30", "2026-09-30", False)
    assert (time.start, time.end) == ("2026-09-29T16:00:00.000Z", "2026-09-30T16:00:00.000Z")
    assert (question.sure, question.narrowed) == (True, True)


def test_time_words_in_several_places_are_all_cut() -> None:
    question = asked("last week we met on Tuesday about the queue")
    assert question.text == "we met about the queue"
    assert time_of(question).words == "last week Tuesday"
    assert question.span == (ms(2026, 9, 22), ms(2026, 9, 23))


def test_a_part_of_a_day_is_meant_to_the_hour() -> None:
    question = asked("上周三下午讨论的缓存")
    assert (question.text, question.words) == ("讨论的缓存", ["缓存"])
    assert question.span is not None
    start, end = question.span
    assert ms(2026, 9, 23, 12) <= start < end <= ms(2026, 9, 23, 19)
    assert (time_of(question).first_day, time_of(question).last_day) == ("2026-09-23", "2026-09-23")


def test_a_time_alone_is_hard() -> None:
    question = asked("yesterday")
    assert (question.text, question.words) == ("", [])
    assert time_of(question).hard
    assert question.narrowed


def test_a_time_open_to_one_side() -> None:
    since, before = asked("pool since September 20"), asked("pool before September 20")
    assert since.span is not None
    assert before.span is not None
    assert since.span[0] == ms(2026, 9, 20)
    assert since.span[1] > ms(2026, 12, 31)
    assert before.span == (0, ms(2026, 9, 20))
    assert (time_of(before).start, time_of(before).first_day, time_of(before).last_day) == (None, None, "2026-09-19")


def test_recently_is_no_range_and_still_narrows() -> None:
    question = asked("recently pool")
    assert (question.text, question.span, question.time, question.narrowed) == ("pool", None, None, True)


def test_a_month_that_the_talk_may_be_about_is_not_sure() -> None:
    assert 0 < SURE < 1
    assert (asked("九月毛利").sure, asked("今年九月毛利").sure, asked("毛利").sure) == (False, True, True)
    assert asked("九月毛利").span == (ms(2026, 9, 1), ms(2026, 10, 1)) == asked("今年九月毛利").span


def test_a_time_that_is_to_be_ignored_is_words() -> None:
    question = asked("pool yesterday", ignore_time=True)
    assert (question.text, question.words) == ("pool yesterday", ["pool", "yesterday"])
    assert (question.time, question.span, question.narrowed) == (None, None, False)


def test_days_are_those_of_the_zone_of_now() -> None:
    assert asked("yesterday pool", NOW.astimezone(UTC)).span != asked("yesterday pool").span
    assert time_of(asked("after:2026-09-01 pool", NOW.astimezone(UTC))).start == "2026-09-01T00:00:00.000Z"


@pytest.mark.parametrize(
    "query", ["pool since:2026-09-01", "pool agent:codex", "agent:codex", "yesterday pool", "pool before:2026-09"]
)
def test_filters_and_times_narrow(query: str) -> None:
    assert asked(query).narrowed
    assert asked("pool", since="2026-09-01").narrowed
    assert asked("pool", agent="codex").narrowed


# --- how it is now ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("query", "lately"),
    [
        ("what is the current timeout", True),
        ("our current schema", True),
        ("Current schema", True),
        ("currently which pool", True),
        ("the LATEST port of the gateway", True),
        ("which pool do we use these days", True),
        ("现在用哪个端口", True),
        ("目前的超时是多少", True),
        ("端口當前是多少", True),
        ("最新的方案", True),
        ("electric current", False),
        ("concurrent queue", False),
        ("alternating current sensor", False),
        ("who presented the relatest thing", False),
        ("端口是多少", False),
        ("", False),
    ],
)
def test_whether_it_is_asked_how_something_is_now(query: str, lately: bool) -> None:
    assert asked(query).lately is lately


# --- the rest of the request -----------------------------------------------------------------------------------------------
def test_what_else_was_asked_for() -> None:
    question = asked("pool", limit=10**9, max_sessions=3, dedupe=False, fill_after_dedupe=True, fresh_first=True)
    assert (question.limit, question.sessions, question.dedupe, question.refill, question.fresh_first) == (
        MOST_HITS,
        3,
        False,
        True,
        True,
    )
    question = asked("pool", limit=7)
    assert (question.limit, question.sessions, question.dedupe, question.refill, question.fresh_first) == (
        7,
        0,
        True,
        False,
        False,
    )
    assert question.now == int(NOW.timestamp() * 1000)


def test_a_bound_that_is_no_moment_is_refused() -> None:
    with pytest.raises(UsageError) as told:
        asked("pool", until="soon")
    assert told.value.code == "bad_moment"


PIECES = st.sampled_from(
    ["pool", "昨天", "yesterday", "last week", "on Tuesday", "before:2026-10-01", "after:", "agent:codex", '"a b"', "-x", "九月", "现在",
     "since March", "2026-02-31", "recently", "，", "的", "\x00", "\ud800", "🚀", "３月", "from 3 to 5"]
)  # fmt: skip
QUERIES = st.one_of(
    st.text(st.characters(), max_size=60), st.lists(PIECES, max_size=8).map(" ".join), st.lists(PIECES, max_size=5).map("".join)
)


@given(QUERIES, st.booleans())
def test_any_question_is_understood(query: str, ignore: bool) -> None:
    question = asked(query, ignore_time=ignore)
    assert len(set(question.words)) == len(question.words)
    assert question.text == " ".join(question.text.split())
    assert bool(question.meant) <= bool(question.words)
    if question.span:
        assert question.span[0] <= question.span[1]
        assert not ignore
    if question.time:
        assert question.narrowed
        assert question.time.start or question.time.end
    assert question.understood(()).query == question.text
