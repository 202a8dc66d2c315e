"""Labels cut out of what somebody said: which words they take, and that no text whatever breaks or stalls the cutting."""

from __future__ import annotations

import unicodedata

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.key_phrases import (
    COLUMNS,
    columns,
    fit,
    headline,
    is_alike,
    key_phrases,
    take_apart,
    title_headline,
)
from tray_app.text.prose import LOOKED_AT, MOST, prose


def label(message: str, **rarity: float) -> str | None:
    found = headline(take_apart(prose(message)), rarity)
    return found.label if found else None


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Can you please move the job queue off Redis and into Postgres with SKIP LOCKED?", "Move the job queue off Redis"),
        ("ok, now the wildcard cert expires in 6 days and the renew keeps failing", "Wildcard cert expires in 6 days"),
        ("test_seat_hold_expires fails in CI about one time in twenty, never here.", "test_seat_hold_expires fails in CI"),
        ("The photo server behind nginx answers 502 about once in fifty requests", "Photo server behind nginx answers 502"),
        ("hi! I'd like to strip the query string by default, thanks", "Strip the query string by default"),
        ("how did we pick the connection pool size?", "How did we pick the connection pool size"),
        ("帮我看一下夏令时切换后潮汐时间差一小时的报表", "夏令时切换后潮汐时间差一小时的报表"),
        (
            "我现在有一个需求就是用户在上传文件的时候如果网络中断了希望能够自动从断点继续上传",
            "用户在上传文件的时候如果网络中断了",
        ),
        ("docker compose up 之后 postgres 容器一直 restarting，日志说 data directory 权限不对", "postgres 容器一直 restarting"),
        ("What's the difference between RWMutex and Mutex in our session cache?", "What's the difference between RWMutex…"),
        ("Lösch bitte die alten Migrationen", "Lösch bitte die alten Migrationen"),
        ("对了，那个退单次数统计放哪", "退单次数统计放哪"),
        ("小程序登录一会儿行一会儿不行，后端日志贴在下面了，你先不要改代码", "小程序登录一会儿行一会儿不行"),
        ("bme280 温度气压都 ok，humidity always 0。接线没问题", "bme280 温度气压都 ok，humidity always 0"),
        ("Лог сервера растёт слишком быстро", "Лог сервера растёт слишком быстро"),
    ],
)
def test_labels_are_what_was_said(message: str, expected: str) -> None:
    assert label(message) == expected


@pytest.mark.parametrize(
    "message",
    [
        *("ok thanks", "hi", "Yes, please.", "that works!", "👍", "/compact", "...", "", "42", "ok that is fine, go on"),
        *("继续", "好的，谢谢", "可以了", "嗯嗯", "你好", "行", "是的，就这样吧"),
        "https://example.org/a/b?c=d",
        "[Image #1]",
        "```\nfoo(bar)\n```",
    ],
)
def test_what_says_nothing_gives_no_label(message: str) -> None:
    assert label(message) is None


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("Look at @src/app/main.py:12 and /tmp/x9/out/ too", ["Look at main.py and", "too"]),
        ("see [the guide](https://e.org/x) for GB/s and and/or", ["see the guide for GB/s and and/or"]),
        ("> quoted line\nmine", ["mine"]),
        ("- **first** point\n2. `second` one", ["first point", "second one"]),
        ("fails:\n```\n$ make\nerror[E0499]: cannot borrow `x` twice\n```", ["fails", "error[E0499]: cannot borrow x twice"]),
        ('{"errcode":40001,"errmsg":"invalid credential"} again', ["again", "40001 invalid credential"]),
        ("const x = 1;\nreturn x;\nwhat is x", ["what is x"]),
        ("key [secret: token] was d41d8cd98f00b204e9800998ecf8427e here", ["key", "was", "here"]),
        ("第一句。第二句！第三句", ["第一句", "第二句", "第三句"]),
        ("Version 2.4.0 is out. Next", ["Version 2.4.0 is out", "Next"]),
    ],
)
def test_prose_is_told_from_the_rest(message: str, sentences: list[str]) -> None:
    assert [one.text for one in prose(message)] == sentences


def test_what_is_said_first_counts_more() -> None:
    assert label("Deadlock in bookings. Timeouts in payments.") == "Deadlock in bookings"


def test_rare_words_decide() -> None:
    message = "the queue worker restarts, the tide almanac drifts"
    common = {"queue": 0.0, "worker": 0.0, "restart": 0.0}
    assert label(message, **common) == "Tide almanac drifts"


def test_the_line_of_an_error_stands_in_where_nothing_else_was_said() -> None:
    assert (
        label("```\nTypeError: Failed to fetch dynamically imported module\n```") == "TypeError: Failed to fetch dynamically…"
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("登录接口 40163", "登录接口 40163"),
        ("E0499 in the aggregator", "E0499 in the aggregator"),
        ("packaging", "packaging"),
        ("Move the job queue from Redis Streams to Postgres", "Move the job queue from Redis Streams"),
        ("Nightly restic backup fails: repository is already locked", "Nightly restic backup fails"),
        ("夏令时切换以后西班牙港口的潮汐时间全部差一小时，需要改前端", "西班牙港口的潮汐时间全部差一小时"),
    ],
)
def test_titles_are_kept_where_they_fit(title: str, expected: str) -> None:
    found = title_headline(title, {})
    assert found is not None
    assert found.label == expected


@pytest.mark.parametrize(
    "title", ["", "New session", "Untitled", "新会话", "新的对话 2", "New Chat - 2026-11-02", "...", "Session #4"]
)
def test_titles_that_name_nothing(title: str) -> None:
    assert title_headline(title, {}) is None


def test_phrases_that_come_up_again_stand_first() -> None:
    messages = [take_apart(prose(text)) for text in ("the retry budget is gone", "raise the retry budget", "a tide almanac")]
    assert key_phrases(messages, {}, 2) == ["retry budget", "tide almanac"]
    assert key_phrases([take_apart(prose("库存表锁了"))], {}) == ["库存表锁"]
    assert key_phrases([], {}) == []


def test_alike() -> None:
    assert is_alike(frozenset("abc"), frozenset("abd"))
    assert not is_alike(frozenset("abc"), frozenset("ade"))
    assert not is_alike(frozenset(), frozenset("a"))


def test_fitting() -> None:
    assert fit("short") == "short"
    assert fit("潮汐" * 20) == "潮汐" * 9 + "潮…"
    assert fit("one two three four five", 12) == "one two…"
    assert columns(fit("👨‍👩‍👧‍👦" * 40)) <= COLUMNS


SCRAPS = st.sampled_from(
    ["ok, ", "please ", "帮我", "的时候", "```\n", "> ", "[", "](", "/tmp/", "C:\\x\\", "{\"a\":", "，", ". ", "\n", "E0277 ", "夏令时", "…",
     "http://", "and ", "to ", "error: ", "“", "(", "\u0301", "👨‍👩‍👧", "\ufffc", " · ", "<b>", "import x", "- ", "——"]
)  # fmt: skip
MESSAGES = st.one_of(st.text(max_size=400), st.lists(st.one_of(SCRAPS, st.text(max_size=12)), max_size=60).map("".join))


@given(MESSAGES, st.floats(0, 1))
def test_any_text_gives_a_label_that_can_be_shown(message: str, rarity: float) -> None:
    spoken = take_apart(prose(message))
    assert len(spoken.sentences) == len(spoken.terms) <= MOST + 2
    for sentence, terms in zip(spoken.sentences, spoken.terms, strict=True):
        assert all(0 <= term.start < term.end <= len(sentence.text) for term in terms)
    found = [headline(spoken, dict.fromkeys(spoken.tokens, rarity), least=0.0), title_headline(message, {})]
    labels = [one.label for one in found if one] + key_phrases([spoken, spoken], {})
    for one in labels:
        assert one == one.strip()
        assert any(map(str.isalnum, one))
        assert columns(one) <= COLUMNS
        assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in one if character > "\x9f")
    assert found == [headline(spoken, dict.fromkeys(spoken.tokens, rarity), least=0.0), title_headline(message, {})]


@pytest.mark.parametrize(
    "scrap",
    ["a", "a ", "a/", "a.b/", "[", "[a](", "{\"", "```\n", "> ", "<a", "潮", "，", "潮汐 ", "- ", "and ", "ok, ", "帮我", "\\", ":", "(", "`", "0x", "http://", "error: "],
)  # fmt: skip
def test_time_is_linear(scrap: str) -> None:
    def look(message: str) -> None:
        for text in (message, message[:LOOKED_AT] + "\nwhat about the tide tables"):
            headline(take_apart(prose(text)), {}, least=0.0)
            title_headline(text[:160], {})

    assert grows_with_length_only(look, scrap, LOOKED_AT // 4)
