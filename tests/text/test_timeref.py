"""Time words: the range people mean, and no range where a word means something else."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.timeref import understand

SHANGHAI = ZoneInfo("Asia/Shanghai")
SUNDAY = datetime(2026, 5, 10, 9, 0, tzinfo=SHANGHAI)
MONDAY = datetime(2026, 5, 11, 9, 0, tzinfo=SHANGHAI)


def show(query: str, now: datetime) -> str:
    found = understand(query, now)
    if not found:
        return "none"
    assert query[found.span[0] : found.span[1]] == found.words
    if not found.start or not found.end:
        return f"{found.words}: no range"
    shape = "%m-%d" if found.start.hour == found.end.hour == 0 else "%m-%dT%H"
    return f"{found.words}: {found.start.strftime(shape)}..{found.end.strftime(shape)}"


@pytest.mark.parametrize(
    ("query", "on_sunday", "on_monday"),
    [
        ("today", "05-10..05-11", "05-11..05-12"),
        ("今天", "05-10..05-11", "05-11..05-12"),
        ("yesterday", "05-09..05-10", "05-10..05-11"),
        ("昨天", "05-09..05-10", "05-10..05-11"),
        ("the day before yesterday", "05-08..05-09", "05-09..05-10"),
        ("前天", "05-08..05-09", "05-09..05-10"),
        ("大前天", "05-07..05-08", "05-08..05-09"),
        ("this week", "05-04..05-11", "05-11..05-18"),
        ("本周", "05-04..05-11", "05-11..05-18"),
        ("这周", "05-04..05-11", "05-11..05-18"),
        ("last week", "04-27..05-04", "05-04..05-11"),
        ("上周", "04-27..05-04", "05-04..05-11"),
        ("上个星期", "04-27..05-04", "05-04..05-11"),
        ("上上周", "04-20..04-27", "04-27..05-04"),
        ("this month", "05-01..06-01", "05-01..06-01"),
        ("这个月", "05-01..06-01", "05-01..06-01"),
        ("last month", "04-01..05-01", "04-01..05-01"),
        ("上个月", "04-01..05-01", "04-01..05-01"),
        ("上月", "04-01..05-01", "04-01..05-01"),
        ("3 days ago", "05-07..05-08", "05-08..05-09"),
        ("three days ago", "05-07..05-08", "05-08..05-09"),
        ("三天前", "05-07..05-08", "05-08..05-09"),
        ("十二天前", "04-28..04-29", "04-29..04-30"),
        ("two weeks ago", "04-23..04-30", "04-24..05-01"),
        ("两周前", "04-23..04-30", "04-24..05-01"),
        ("2个月前", "03-01..04-01", "03-01..04-01"),
        ("a month ago", "04-01..05-01", "04-01..05-01"),
        ("last Monday", "05-04..05-05", "05-04..05-05"),
        ("on Monday", "05-04..05-05", "05-11..05-12"),
        ("last Sunday", "05-03..05-04", "05-10..05-11"),
        ("上周三", "04-29..04-30", "05-06..05-07"),
        ("上上周三", "04-22..04-23", "04-29..04-30"),
        ("周三", "05-06..05-07", "05-06..05-07"),
        ("星期三", "05-06..05-07", "05-06..05-07"),
        ("礼拜天", "05-10..05-11", "05-10..05-11"),
        ("本周一", "05-04..05-05", "05-11..05-12"),
        ("前几天", "05-05..05-10", "05-06..05-11"),
        ("the other day", "05-05..05-10", "05-06..05-11"),
        ("last weekend", "05-02..05-04", "05-09..05-11"),
        ("上周末", "05-02..05-04", "05-09..05-11"),
        ("this morning", "05-10T05..05-10T12", "05-11T05..05-11T12"),
        ("今天早上", "05-10T05..05-10T12", "05-11T05..05-11T12"),
        ("今早", "05-10T05..05-10T12", "05-11T05..05-11T12"),
        ("昨晚", "05-09T18..05-10T06", "05-10T18..05-11T06"),
        ("昨天晚上", "05-09T18..05-10T06", "05-10T18..05-11T06"),
        ("last night", "05-09T18..05-10T06", "05-10T18..05-11T06"),
        ("yesterday afternoon", "05-09T12..05-09T18", "05-10T12..05-10T18"),
        ("上周三下午", "04-29T12..04-29T18", "05-06T12..05-06T18"),
    ],
)
def test_relative_forms(query: str, on_sunday: str, on_monday: str) -> None:
    assert show(query, SUNDAY) == f"{query}: {on_sunday}"
    assert show(query, MONDAY) == f"{query}: {on_monday}"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("in March", "2026-03-01..2026-04-01"),
        ("in December", "2025-12-01..2026-01-01"),
        ("March 2025", "2025-03-01..2025-04-01"),
        ("3月", "2026-03-01..2026-04-01"),
        ("十一月", "2025-11-01..2025-12-01"),
        ("2025年12月", "2025-12-01..2026-01-01"),
        ("11月3号", "2025-11-03..2025-11-04"),
        ("11月3日", "2025-11-03..2025-11-04"),
        ("十一月三号", "2025-11-03..2025-11-04"),
        ("5月3号", "2026-05-03..2026-05-04"),
        ("2026年4月30日", "2026-04-30..2026-05-01"),
        ("二月二十九号", "2024-02-29..2024-03-01"),
        ("3号", "2026-05-03..2026-05-04"),
        ("28号", "2026-04-28..2026-04-29"),
        ("31号", "2026-03-31..2026-04-01"),
        ("Nov 3", "2025-11-03..2025-11-04"),
        ("on May 3rd", "2026-05-03..2026-05-04"),
        ("3rd of November", "2025-11-03..2025-11-04"),
        ("3 Nov 2024", "2024-11-03..2024-11-04"),
        ("2026-05-03", "2026-05-03..2026-05-04"),
        ("2026/5/3", "2026-05-03..2026-05-04"),
        ("2026-04", "2026-04-01..2026-05-01"),
    ],
)
def test_absolute_forms(query: str, expected: str) -> None:
    found = understand(f"what {query} 的 fix", MONDAY)
    assert found and found.start and found.end
    assert found.words == query
    assert f"{found.start.date()}..{found.end.date()}" == expected
    assert found.explicit == query.startswith(("2026-", "2026/"))


@pytest.mark.parametrize("query", ["最近", "recently"])
def test_recently_has_no_range(query: str) -> None:
    assert show(f"{query} changed", MONDAY) == f"{query}: no range"


@pytest.mark.parametrize(
    "query",
    [
        *("it may fail", "march on", "the august one", "3 bugs", "port 3111", "v2026-11", "10.0.3", "2026-02-31", "2026-13-01"),
        *(
            "monday.com api",
            "mondays",
            "todayish",
            "每周三例会",
            "下周三",
            "3号店",
            "1号线",
            "第3号",
            "A3号的",
            "12个月",
            "2.3月",
            "一周年",
        ),
        *("日志里", "三个", "周期任务", "月亮", "error 5 days", "path/2026-11-03/x", "week", "天气", "sun java", "9f-11", ""),
    ],
)
def test_other_senses_are_left_alone(query: str) -> None:
    assert understand(query, MONDAY) is None


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("昨天 logsift 修了哪个 bug", "昨天"),
        ("上周一直报错的那个", "上周"),
        ("周三日志里的报错", "周三"),
        ("last week or yesterday", "last week"),
        ("what did we do yesterday morning", "yesterday morning"),
        ("LAST  WEEK", "LAST  WEEK"),
    ],
)
def test_the_first_and_longest_expression_wins(query: str, words: str) -> None:
    found = understand(query, MONDAY)
    assert found and found.words == words


def test_a_day_is_as_long_as_its_zone_says() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    found = understand("yesterday", datetime(2026, 3, 30, 8, tzinfo=berlin))
    assert found and found.start and found.end
    assert (found.start.isoformat(), found.end.isoformat()) == ("2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00")
    assert found.end.timestamp() - found.start.timestamp() == 23 * 3600


def test_now_must_be_aware() -> None:
    with pytest.raises(ValueError, match="aware"):
        understand("today", datetime(2026, 1, 1))


WORDS = st.sampled_from(
    [
        "today",
        "昨天",
        "上",
        "周",
        "三",
        "last",
        "week",
        "in",
        "May",
        "3",
        "月",
        "号",
        "11",
        "-",
        "2026",
        "前",
        "天",
        "个",
        "ago",
        "days",
        "十",
        "两",
        "最近",
        "morning",
        "night",
        "monday",
        "早上",
        "末",
        "/",
        ".",
        "",
    ]
)


@given(
    st.lists(WORDS, max_size=8).map("".join) | st.lists(WORDS, max_size=8).map(" ".join),
    st.datetimes(datetime(2001, 1, 1), datetime(2090, 1, 1)),
)
def test_ranges_are_half_open_and_inside_the_query(query: str, now: datetime) -> None:
    found = understand(query, now.replace(tzinfo=SHANGHAI))
    if found:
        assert query[found.span[0] : found.span[1]] == found.words != ""
        assert (found.start is None) == (found.end is None)
        if found.start and found.end:
            assert found.start.timestamp() < found.end.timestamp()
            assert found.start.tzinfo is SHANGHAI
