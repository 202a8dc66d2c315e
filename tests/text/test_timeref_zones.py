"""Time words as a whole: written in every form a day is found again, in every zone a day is as long as it is there."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tray_app.text.timeref import TimeRef, understand

ZONES = [
    ZoneInfo(name)
    for name in (
        *("Europe/Berlin", "America/New_York", "Asia/Shanghai", "Pacific/Apia", "Australia/Lord_Howe"),
        *("America/Sao_Paulo", "Asia/Kathmandu", "America/St_Johns", "Africa/Cairo"),
    )
]
HOUR = timedelta(hours=1)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_DIGITS = "〇一二三四五六七八九"
moments = st.datetimes(datetime(2012, 1, 2), datetime(2036, 12, 30))


def ordinal(day: int) -> str:
    return f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def chinese(number: int) -> str:
    """1 to 99."""
    tens, ones = divmod(number, 10)
    return f"{'' if tens < 2 else _DIGITS[tens]}{'十' if tens else ''}{_DIGITS[ones] if ones else ''}"


def written_out(day: date) -> list[str]:
    """A day with its year."""
    year, month, name = day.year, day.month, _MONTHS[day.month - 1]
    return [
        *(day.isoformat(), f"{year}/{month}/{day.day}", f"{year}.{month}.{day.day}", f"{day.day:02}.{month:02}.{year}"),
        *(f"on {name} {day.day}, {year}", f"on {name[:3]} {day.day} {year}", f"on {day.day} {name} {year}"),
        *(f"on {name} {ordinal(day.day)}, {year}", f"on the {ordinal(day.day)} of {name} {year}"),
        *(f"{_WEEKDAYS[day.weekday()]}, {name} {ordinal(day.day)} {year}", f"{year} 年 {month}月{day.day}日".replace(" ", "")),
        *(f"{year}年{month}月{day.day}号", f"{year}年{chinese(month)}月{chinese(day.day)}日"),
        "".join(_DIGITS[int(digit)] for digit in str(year)) + f"年{chinese(month)}月{chinese(day.day)}號",
    ]


def of_this_year(day: date) -> list[str]:
    """A day less than a year back, without its year."""
    month, name = day.month, _MONTHS[day.month - 1]
    return [
        *(f"on {name} {day.day}", f"on {ordinal(day.day)} {name}", f"on the {ordinal(day.day)} of {name}"),
        *(f"{month}月{day.day}号", f"{chinese(month)}月{chinese(day.day)}日", f"{month}月{day.day}日那天"),
    ]


def counted(days: int) -> list[str]:
    """A day so many back, 2 to 99."""
    return [f"{days} days ago", f"{days} days back", f"{days}天前", f"{chinese(days)}天前", f"{days}天之前"]


def of_its_week(day: date, today: date) -> list[str]:
    weeks = ((today - timedelta(days=today.weekday())) - (day - timedelta(days=day.weekday()))).days // 7
    name, short = _WEEKDAYS[day.weekday()], "一二三四五六日"[day.weekday()]
    if weeks == 1:
        return [
            f"{name} last week",
            f"last week on {name}",
            f"上周{short}",
            f"上个星期{short}",
            f"上個禮拜{short}",
            f"上周{day.weekday() + 1}",
        ]
    if weeks == 2:
        return [f"上上周{short}", f"{name} of the week before last"]
    return [f"这周{short}", f"本周{short}", f"this {name}"] if weeks == 0 else []


def holding(day: date, today: date) -> list[str]:
    """Longer stretches that hold a day of the past."""
    month, name = day.month, _MONTHS[day.month - 1]
    third = min((day.day - 1) // 10, 2)
    back = (today - day).days
    return [
        *(
            f"in {name} {day.year}",
            f"{name} of {day.year}",
            f"{day.year}年{month}月",
            f"{day.year}-{month:02}",
            f"in {day.year}",
        ),
        *(f"Q{(month + 2) // 3} {day.year}", f"{day.year}年第{(month + 2) // 3}季度"),
        *(f"{day.year}年{'上' if month < 7 else '下'}半年", f"{('early', 'mid', 'late')[third]} {name} {day.year}"),
        *(f"{day.year}年{month}月{'上中下'[third]}旬", f"{day.year}年{month}月{'初中底'[third]}"),
        *(f"in the last {back} days", f"over the past {back} days", f"最近{back}天", f"近{back}天"),
        f"between {day.isoformat()} and {(day + timedelta(days=3)).isoformat()}",
        f"from {name} {day.day}, {day.year} to {_MONTHS[today.month - 1]} {today.day}, {today.year}",
        f"{day.year}年{month}月{day.day}号到{today.year}年{today.month}月{today.day}号",
    ]


def check(query: str, now: datetime, day: date, *, exactly: bool) -> None:
    found = understand(query, now)
    assert found and found.start and found.end, query
    noon = datetime.combine(day, time(12), now.tzinfo)
    assert found.start <= noon < found.end, query
    assert found.words == query and found.spans == ((0, len(query)),), query
    assert found.start.date() == day and found.end.date() == day + timedelta(days=1) if exactly else True, query


@settings(max_examples=40, deadline=None)
@given(moments, st.integers(8, 99), st.sampled_from(ZONES[:3]))
def test_a_day_is_found_again_in_every_form(moment: datetime, back: int, zone: ZoneInfo) -> None:
    now = moment.replace(tzinfo=zone)
    day = moment.date() - timedelta(days=back)
    for query in written_out(day) + of_this_year(day):
        check(query, now, day, exactly=True)
    for query in holding(day, moment.date()) + counted(back):
        check(query, now, day, exactly=False)


@settings(max_examples=40, deadline=None)
@given(moments, st.integers(2, 20))
def test_a_near_day_is_found_again(moment: datetime, back: int) -> None:
    now, day = moment.replace(tzinfo=ZONES[0]), moment.date() - timedelta(days=back)
    for query in of_its_week(day, moment.date()):
        check(query, now, day, exactly=True)
    for query in counted(back):
        check(query, now, day, exactly=back <= 7)


@settings(max_examples=60, deadline=None)
@given(moments, st.sampled_from(ZONES))
def test_days_and_weeks_meet_without_a_gap(moment: datetime, zone: ZoneInfo) -> None:
    now = moment.replace(tzinfo=UTC).astimezone(zone)

    def bounds(query: str) -> tuple[float, float]:
        found = understand(query, now)
        assert found and found.start and found.end
        assert found.start.tzinfo is found.end.tzinfo is zone
        return found.start.timestamp(), found.end.timestamp()

    today, yesterday, before = bounds("today"), bounds("昨天"), bounds("the day before yesterday")
    assert today[0] <= now.timestamp() < today[1]
    assert (before[1], yesterday[1]) == (yesterday[0], today[0])
    assert 22.5 * 3600 <= yesterday[1] - yesterday[0] <= 25.5 * 3600
    this, last = bounds("this week"), bounds("上周")
    assert last[1] == this[0] <= today[0] and today[1] <= this[1]
    hours = bounds("in the last 24 hours")
    assert hours == (now.timestamp() - 24 * 3600, now.timestamp())


@pytest.mark.parametrize(
    ("zone", "now", "query", "start", "end"),
    [
        ("Europe/Berlin", "2026-03-30T08:00", "yesterday", "2026-03-29T00:00+01:00", "2026-03-30T00:00+02:00"),
        ("Europe/Berlin", "2026-10-26T08:00", "昨天", "2026-10-25T00:00+02:00", "2026-10-26T00:00+01:00"),
        ("Europe/Berlin", "2026-03-29T09:00", "last night", "2026-03-28T18:00+01:00", "2026-03-29T05:00+02:00"),
        ("America/New_York", "2026-11-02T08:00", "last week", "2026-10-26T00:00-04:00", "2026-11-02T00:00-05:00"),
        ("America/Sao_Paulo", "2018-11-05T08:00", "yesterday", "2018-11-04T01:00-02:00", "2018-11-05T00:00-02:00"),
        ("Australia/Lord_Howe", "2026-10-05T08:00", "yesterday", "2026-10-04T00:00+10:30", "2026-10-05T00:00+11:00"),
        ("Pacific/Apia", "2011-12-31T08:00", "the day before yesterday", "2011-12-29T00:00-10:00", "2011-12-31T00:00+14:00"),
    ],
)
def test_days_that_are_longer_or_shorter(zone: str, now: str, query: str, start: str, end: str) -> None:
    found = understand(query, datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone)))
    assert found and found.start and found.end
    assert (found.start.isoformat(timespec="minutes"), found.end.isoformat(timespec="minutes")) == (start, end)


def test_a_day_that_was_left_out_is_none() -> None:
    assert understand("yesterday", datetime(2011, 12, 31, 8, tzinfo=ZoneInfo("Pacific/Apia"))) is None


def test_hours_are_counted_in_real_time_through_the_hour_that_comes_twice() -> None:
    now = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)
    found = understand("in the last 2 hours", now)
    assert found and found.start and found.start.isoformat() == "2026-10-25T01:30:00+02:00"


WORDS = st.sampled_from(
    [
        *("today", "昨天", "上", "周", "三", "last", "week", "in", "May", "3", "月", "号", "11", "-", "2026", "前", "天", "个"),
        *(
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
            ":",
            "the",
            "5th",
            "of",
            "before",
        ),
        *(
            "since",
            "and",
            "or",
            "to",
            "到",
            "之前",
            "以后",
            "下午",
            "点",
            "半",
            "季度",
            "年",
            "去",
            "今",
            "every",
            "每",
            "not",
            "国庆",
        ),
        *("Q3", "12:30", "pm", "11/03", "a", "few", "weeks", "end", "底", "的", "(", '"', "'", ""),
    ]
)


def is_sound(query: str, found: TimeRef | None, zone: ZoneInfo) -> bool:
    if found is None:
        return True
    assert found.spans[0] == found.span and query[slice(*found.span)] == found.words != ""
    flat = [place for span in found.spans for place in span]
    assert flat == sorted(flat) and flat[0] >= 0 and flat[-1] <= len(query)
    assert all(start < end for start, end in found.spans)
    assert found.label.strip() and 0 < found.sure <= 1
    for moment in (found.start, found.end):
        assert moment is None or moment.tzinfo is zone
    if found.start and found.end:
        assert found.start.timestamp() < found.end.timestamp()
    return True


@settings(max_examples=400, deadline=None)
@given(st.lists(WORDS, max_size=9).map("".join) | st.lists(WORDS, max_size=9).map(" ".join), moments, st.sampled_from(ZONES))
def test_any_words_of_time_give_a_sound_range(query: str, moment: datetime, zone: ZoneInfo) -> None:
    assert is_sound(query, understand(query, moment.replace(tzinfo=zone)), zone)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.datetimes(datetime(1971, 1, 1), datetime(8999, 12, 31)))
def test_any_text_at_any_time_is_taken(query: str, moment: datetime) -> None:
    zone = ZONES[2]
    assert is_sound(query, understand(query, moment.replace(tzinfo=zone)), zone)
    assert is_sound(f"{query} 999 years ago", understand(f"{query} 999 years ago", moment.replace(tzinfo=zone)), zone)


@pytest.mark.parametrize(
    "text", ["上周" * 1000, "may " * 500, "“" * 2000, "1-" * 1000, "前" * 2000, "today 昨天 " * 200, "a" * 2000]
)
def test_a_long_question_is_read_at_once(text: str) -> None:
    now = datetime(2026, 11, 20, 10, tzinfo=ZONES[2])
    understand(text, now)
    started = datetime.now(UTC)
    understand(text, now)
    assert datetime.now(UTC) - started < HOUR / 3600
