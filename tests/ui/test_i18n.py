"""Dates, ages and counts in both languages; a change of language without a restart."""

from __future__ import annotations

from datetime import date

import pytest
import samples
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget

from tray_app.errors import KnownError
from tray_app.ui import i18n, wording


@pytest.fixture
def chinese(app: QApplication) -> None:
    assert i18n.install(app, "zh_CN") == "zh_CN"


@pytest.fixture
def english(app: QApplication) -> None:
    assert i18n.install(app, "en") == "en"


@pytest.mark.usefixtures("english")
def test_english_dates() -> None:
    assert i18n.day("2026-11-25") == "Wed 25 Nov"
    assert i18n.day("2025-11-25") == "Tue 25 Nov 2025"
    assert i18n.day(None) == ""
    assert i18n.named_day(date(2026, 11, 30)) == "Today"
    assert i18n.named_day(date(2026, 11, 29)) == "Yesterday"
    assert i18n.named_day(date(2026, 11, 27)) == "Friday 27 November"
    assert i18n.short_name_of_day("2026-11-26") == "Thursday"
    assert i18n.timeline_date("2026-11-26") == "26 Nov"
    assert i18n.day_range("2026-11-23", "2026-11-29") == "23 – 29 Nov"
    assert i18n.day_range("2026-10-28", "2026-11-03") == "28 Oct – 3 Nov"
    assert i18n.day_range("2026-11-23", None) == "since 23 Nov"
    assert i18n.day_range(None, "2026-11-29") == "before 30 Nov"
    assert i18n.day_range("2026-11-23", "2026-11-23") == "Mon 23 Nov"
    assert i18n.day_range(None, None) == ""


@pytest.mark.usefixtures("chinese")
def test_chinese_dates() -> None:
    assert i18n.day("2026-11-25") == "11月25日 周三"
    assert i18n.day("2025-11-25") == "2025年11月25日 周二"
    assert i18n.named_day(date(2026, 11, 29)) == "昨天"
    assert i18n.day_range("2026-11-23", "2026-11-29") == "11月23日 – 29日"
    assert i18n.day_range("2026-11-23", None) == "11月23日 起"
    assert i18n.day_range(None, "2026-10-11") == "10月12日 之前"
    assert i18n.day_and_clock(i18n.local("2026-11-25T16:02:00Z")).startswith("2026年11月25日 周三")


RANGES = (
    ("2026-11-29", "2026-11-29", "2026-11-29T00:00:00Z", "2026-11-30T00:00:00Z", "Sun 29 Nov", "11月29日 周日"),
    ("2026-11-23", "2026-11-29", "2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z", "23 – 29 Nov", "11月23日 – 29日"),
    ("2026-11-29", "2026-11-29", "2026-11-29T18:00:00Z", "2026-11-30T00:00:00Z", "Sun 29 Nov, 18:00 – 24:00", "11月29日 周日 18:00 – 24:00"),
    ("2026-11-30", "2026-11-30", "2026-11-30T06:00:00Z", "2026-11-30T12:00:00Z", "Mon 30 Nov, 06:00 – 12:00", "11月30日 周一 06:00 – 12:00"),
    ("2026-11-28", "2026-11-29", "2026-11-28T22:00:00Z", "2026-11-29T05:00:00Z", "28 Nov, 22:00 – 29 Nov, 05:00", "11月28日 22:00 – 11月29日 05:00"),
    ("2026-11-03", None, "2026-11-03T00:00:00Z", None, "since 3 Nov", "11月3日 起"),
    ("2026-11-03", None, "2026-11-03T14:00:00Z", None, "since 3 Nov, 14:00", "11月3日 14:00 起"),
    (None, "2026-10-11", None, "2026-10-12T00:00:00Z", "before 12 Oct", "10月12日 之前"),
    (None, "2026-10-12", None, "2026-10-12T09:30:00Z", "before 12 Oct, 09:30", "10月12日 09:30 之前"),
    (None, None, None, None, "", ""),
)  # fmt: skip


@pytest.mark.parametrize(("first", "last", "start", "end", "english", "chinese"), RANGES)
def test_ranges_of_time(
    app: QApplication,
    first: str | None,
    last: str | None,
    start: str | None,
    end: str | None,
    english: str,
    chinese: str,
) -> None:
    assert i18n.time_range(first, last, start, end) == english
    i18n.install(app, "zh_CN")
    assert i18n.time_range(first, last, start, end) == chinese


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (-1, "today"), (0, "today"), (1, "yesterday"), (2, "2 days ago"), (20, "20 days ago"), (21, "3 weeks ago"),
        (59, "8 weeks ago"), (60, "2 months ago"), (729, "24 months ago"), (730, "2 years ago"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("english")
def test_ages(days: int, words: str) -> None:
    assert i18n.age(days) == words


@pytest.mark.usefixtures("chinese")
def test_chinese_ages() -> None:
    assert [i18n.age(days) for days in (0, 1, 5, 21, 60, 800)] == ["今天", "昨天", "5 天前", "3 周前", "2 个月前", "2 年前"]


@pytest.mark.usefixtures("english")
def test_ages_of_moments(set_timezone: object) -> None:
    set_timezone("UTC")  # type: ignore[operator]
    ages = {"2026-11-30T14:03:30Z": "just now", "2026-11-30T13:52:00Z": "12 min ago", "2026-11-30T11:04:00Z": "3 h ago"}
    assert {moment: i18n.since(i18n.local(moment)) for moment in ages} == ages
    assert i18n.since(i18n.local("2026-11-29T21:40:00Z")) == "21:40"
    assert i18n.updated(i18n.local("2026-11-30T14:03:56Z")) == "Updated 4 s ago"
    assert i18n.updated(None) == "Not read yet"
    assert i18n.time_left(170) == "about 3 min left"
    assert i18n.time_left(None) == ""


@pytest.mark.usefixtures("english")
def test_counts_and_sizes() -> None:
    assert i18n.count(12345) == "12,345"
    assert [i18n.byte_size(size) for size in (812, 1_600_000, 2_100_000_000)] == ["812 B", "1.6 MB", "2.1 GB"]
    assert wording.passages_in_sessions(12345, 812) == "12,345 passages in 812 sessions"
    assert wording.passages_in_sessions(1, 1) == "1 passage in 1 session"


@pytest.mark.usefixtures("chinese")
def test_chinese_counts() -> None:
    assert wording.passages_in_sessions(12345, 812) == "812 个会话，12,345 段"
    assert wording.skipped(3) == "跳过 3"
    assert (wording.outside_time("上周"), wording.outside_time("last week")) == ("不在上周", "不在 last week")


def test_a_change_of_language_reaches_open_windows(app: QApplication) -> None:
    class Listener(QWidget):
        told = 0

        def changeEvent(self, event: QEvent) -> None:
            self.told += event.type() == QEvent.Type.LanguageChange

    listener = Listener()
    i18n.install(app, "zh_CN")
    app.processEvents()
    assert listener.told > 0
    assert (i18n.language(), wording.agent_name("memory")) == ("zh_CN", "记忆文件")
    i18n.install(app, "en")
    assert wording.agent_name("memory") == "Memory files"


def test_agents_have_their_own_names(app: QApplication) -> None:
    assert wording.agent_name("claude_code") == "Claude Code"
    assert wording.agent_name("brand_new") == "Brand New"


@pytest.mark.usefixtures("chinese")
def test_errors_and_reasons_are_said_by_their_codes() -> None:
    assert (
        wording.error_text(KnownError("no_such_session", "No such session", "There is no session 'x'."))
        == "此会话已不在索引里。"
    )
    assert wording.error_text(KnownError("brand_new", "New", "It broke.", "Mend it.")) == "It broke. Mend it."
    missing = samples.answer(reason_code="missing_words", missing=("redis", "kafka"))
    assert wording.reason_text(missing) == "没有任何一段含有「redis」、「kafka」。"
    assert wording.reason_text(samples.answer(reason_code="brand_new", reason="As it is.")) == "As it is."
