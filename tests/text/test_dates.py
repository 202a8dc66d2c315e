"""Days: the person's day, across midnight and clock changes."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.dates import age_days, date_text, date_tokens, day_start, human_age, local_day, local_zone
from tray_app.text.segment import query_tokens

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def test_work_after_midnight_belongs_to_the_local_day() -> None:
    moment, now = at("2026-03-09T17:30:00+00:00"), at("2026-03-10T01:00:00+00:00")
    assert date_text(moment, SHANGHAI) == "2026-03-10"
    assert age_days(moment, now, SHANGHAI) == 0
    assert age_days(at("2026-03-09T10:00:00+00:00"), now, SHANGHAI) == 1


def test_a_day_of_23_hours_is_one_day() -> None:
    assert age_days(at("2026-03-28T23:30:00+01:00"), at("2026-03-30T00:10:00+02:00"), BERLIN) == 2
    assert day_start(date(2026, 3, 30), BERLIN).timestamp() - day_start(date(2026, 3, 29), BERLIN).timestamp() == 23 * 3600


def test_the_date_as_words() -> None:
    assert date_tokens(at("2026-11-25T01:00:00+08:00"), SHANGHAI) == [
        *("2026-11-25", "2026-11", "wednesday", "november", "周", "周三", "三", "星", "星期", "期三", "11", "月", "25", "日")
    ]
    assert date_tokens(0, SHANGHAI) == []
    assert date_text(0, SHANGHAI) == ""


@pytest.mark.parametrize("query", ["2026-11-25", "2026-11", "Wednesday", "november", "周三", "星期三", "11月25日"])
def test_a_date_is_found_as_people_write_it(query: str) -> None:
    assert set(query_tokens(query)) <= set(date_tokens(at("2026-11-25T12:00:00+08:00"), SHANGHAI))


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, "today"),
        (1, "yesterday"),
        (-1, "tomorrow"),
        (2, "2 days ago"),
        (5, "5 days ago"),
        (13, "13 days ago"),
        (14, "2 weeks ago"),
        (21, "3 weeks ago"),
        (59, "8 weeks ago"),
        (60, "2 months ago"),
        (729, "24 months ago"),
        (730, "2 years ago"),
        (-2, "in 2 days"),
        (-30, "in 4 weeks"),
    ],
)
def test_ages(days: int, words: str) -> None:
    assert human_age(days) == words


def test_the_zone_is_the_one_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    assert local_zone() == SHANGHAI
    monkeypatch.setenv("TZ", ":Europe/Berlin")
    assert local_zone() == BERLIN


@pytest.mark.parametrize("name", ["", "No/Such_Zone", "../../etc/passwd", "CST-8"])
def test_any_other_name_gives_the_system_zone(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TZ", name)
    zone = local_zone()
    moment = datetime(2026, 6, 1, 12, tzinfo=zone)
    assert moment.utcoffset() == datetime(2026, 6, 1, 12).astimezone().utcoffset()
    assert datetime.fromtimestamp(moment.timestamp(), zone) == moment
    assert (
        local_day(at("2026-06-01T12:00:00+00:00"), zone)
        == datetime.fromtimestamp(at("2026-06-01T12:00:00+00:00") / 1000).date()
    )


@given(
    st.integers(0, 4_000_000_000_000),
    st.sampled_from([SHANGHAI, BERLIN, ZoneInfo("America/Sao_Paulo"), ZoneInfo("Pacific/Apia")]),
)
def test_a_moment_lies_in_its_day(time_ms: int, zone: ZoneInfo) -> None:
    day = local_day(time_ms, zone)
    assert day_start(day, zone).timestamp() * 1000 <= time_ms + 3_600_000
    assert time_ms < day_start(day + timedelta(days=1), zone).timestamp() * 1000 + 3_600_000
