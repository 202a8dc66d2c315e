"""Time words: what range of time a question means.

Owns a table of forms for English and Chinese. A range is half-open and made of whole local days (or parts of one), as aware
datetimes in the zone of `now`; forms with a month or a day but no year mean the latest one that has begun.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import NamedTuple

Range = tuple[datetime, datetime] | None


class TimeRef(NamedTuple):
    words: str
    """What in the question said it."""
    span: tuple[int, int]
    """Where, in code points."""
    start: datetime | None
    end: datetime | None
    """Both None: time was meant, but no range ('recently')."""
    explicit: bool
    """True for a written-out date (2026-11-03), which may filter hard."""


class _Form(NamedTuple):
    shape: re.Pattern[str]
    resolve: Callable[[re.Match[str], datetime], Range]
    explicit: bool = False
    vague: bool = False


def understand(query: str, now: datetime) -> TimeRef | None:
    """The first time expression of a question (of those that begin there, the longest); None: none.

    `now` must be aware; its zone is the person's. A form that names an impossible day (2026-02-31) is not an expression.
    """
    if now.tzinfo is None:
        raise ValueError("now must be aware")
    best: TimeRef | None = None
    for form in _FORMS:
        for match in form.shape.finditer(query):
            if best and (match.start(), -match.end()) >= (best.span[0], -best.span[1]):
                break
            span = form.resolve(match, now)
            if span or form.vague:
                start, end = span or (None, None)
                best = TimeRef(match[0], match.span(), start, end, form.explicit)
                break
    return best


# --- days, weeks, months ---------------------------------------------------------------------------------------------
def _at(day: date, hour: int, now: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=now.tzinfo)


def _days(first: date, count: int, now: datetime) -> Range:
    return _at(first, 0, now), _at(first + timedelta(days=count), 0, now)


def _ago(days: int, now: datetime) -> date:
    return now.date() - timedelta(days=days)


def _week(back: int, now: datetime) -> Range:
    return _days(_ago(now.weekday() + 7 * back, now), 7, now)


def _month_of(year: int, month: int, now: datetime) -> Range:
    first = date(year, month, 1)
    return _at(first, 0, now), _at(date(year + month // 12, month % 12 + 1, 1), 0, now)


def _months_ago(back: int, now: datetime) -> Range:
    year, month = divmod(now.year * 12 + now.month - 1 - back, 12)
    return _month_of(year, month + 1, now) if year >= 1 else None


def _day_of(year: int, month: int, day: int, now: datetime) -> Range:
    try:
        return _days(date(year, month, day), 1, now)
    except ValueError:
        return None


def _year_day(text: str | None, month: int, day: int, now: datetime) -> Range:
    """A day of a month; without a year the latest that has begun (29 February: in the latest year that has one)."""
    if text:
        return _day_of(int(text), month, day, now)
    for year in range(now.year, now.year - 9, -1):
        found = _day_of(year, month, day, now)
        if found and found[0] <= now:
            return found
    return None


def _day_only(day: int, now: datetime) -> Range:
    for back in range(3):
        year, month = divmod(now.year * 12 + now.month - 1 - back, 12)
        found = _day_of(year, month + 1, day, now)
        if found and found[0] <= now:
            return found
    return None


def _year_month(text: str | None, month: int, now: datetime) -> Range:
    if not 1 <= month <= 12:
        return None
    if text:
        return _month_of(int(text), month, now)
    return _month_of(now.year - (month > now.month), month, now)


_PARTS = {
    **dict.fromkeys(("morning", "早上", "早晨", "上午", "早"), (5, 12)),
    **dict.fromkeys(("noon", "中午"), (11, 14)),
    **dict.fromkeys(("afternoon", "下午"), (12, 18)),
    **dict.fromkeys(("evening", "傍晚"), (17, 24)),
    **dict.fromkeys(("night", "晚上", "夜里", "晚", "夜"), (18, 30)),
    **dict.fromkeys(("凌晨",), (0, 6)),
}


def _part(name: str | None, day: date, now: datetime) -> Range:
    """A part of a day; a night ends at six the next morning."""
    first, last = _PARTS[name.lower()] if name else (0, 24)
    return _at(day, first, now), _at(day + timedelta(days=last // 24), last % 24, now)


# --- numbers and names -----------------------------------------------------------------------------------------------
_ENGLISH_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_CHINESE_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "〇": 0,
    "日": 7,
    "天": 7,
}
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _number(text: str) -> int:
    """Digits, English words to twelve, Chinese numerals to 99."""
    text = text.lower()
    if text.isdecimal():
        return int(text)
    if text in ("a", "an"):
        return 1
    if text in _ENGLISH_NUMBERS:
        return _ENGLISH_NUMBERS.index(text)
    tens, ten, ones = text.rpartition("十")
    return (_CHINESE_DIGITS.get(tens, 1) * 10 if ten else 0) + _CHINESE_DIGITS.get(ones, 0)


def _month_number(name: str) -> int:
    return _MONTH_NAMES.index(name[:3].lower()) + 1


def _weekday(name: str) -> int:
    return _DAY_NAMES.index(name[:3].lower()) if name.isascii() else (_CHINESE_DIGITS[name] - 1)


_EN_NUMBER = r"(?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_ZH_NUMBER = r"(?P<n>\d{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_ZH_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_ZH_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])"
_EN_PART = r"(?:\s+(?P<part>morning|afternoon|evening|night))?"
_ZH_PART = r"(?:的?(?P<part>早上|早晨|上午|中午|下午|傍晚|晚上|夜里|凌晨))?"
_WEEKDAY_NAMES = r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_MONTH_FULL = r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december)"
_MONTH_ANY = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ZH_WEEKDAY = (
    r"(?P<weekday>一(?![直起共些样下定个次条点段周种旦])|[二三四五六](?![个次条点段种十百分])|日(?![志期记常程])|天(?![气天]))"
)
_ZH_WEEK = r"(?:周|星期|礼拜)"
_ZH_AFTER = r"(?=$|[\s,，。.?？!！、;；:：的我你他们那早晚上下中凌当之前后说聊定改做讨写发修]|左右)"


def _en(shape: str, resolve: Callable[[re.Match[str], datetime], Range], *, vague: bool = False) -> _Form:
    return _Form(re.compile(rf"(?<![\w./\-])(?:{shape})(?![\w/\-]|\.\w)", re.IGNORECASE | re.ASCII), resolve, vague=vague)


def _zh(shape: str, resolve: Callable[[re.Match[str], datetime], Range], *, vague: bool = False) -> _Form:
    return _Form(re.compile(shape), resolve, vague=vague)


def _last_weekday(match: re.Match[str], now: datetime, nearest: int) -> Range:
    """The latest such day at least `nearest` days back."""
    back = (now.weekday() - _weekday(match["weekday"]) - nearest) % 7 + nearest
    return _part(match["part"], _ago(back, now), now)


def _weekday_of_week(match: re.Match[str], now: datetime, weeks_back: int) -> Range:
    return _part(match["part"], _ago(now.weekday() + 7 * weeks_back - _weekday(match["weekday"]), now), now)


def _count_back(match: re.Match[str], now: datetime, unit: str) -> Range:
    count = _number(match["n"])
    if unit == "day":
        return _days(_ago(count, now), 1, now)
    if unit == "week":
        return _days(_ago(7 * count + 3, now), 7, now)
    return _months_ago(count, now)


def _iso_day(match: re.Match[str], now: datetime) -> Range:
    return _day_of(int(match["year"]), int(match["month"]), int(match["day"]), now)


_ZH_BACK = {"大前": 3, "前": 2, "昨": 1, "今": 0}
_FORMS: tuple[_Form, ...] = (
    _Form(
        re.compile(r"(?<![\w.\-/])(?P<year>20\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?![\w\-/]|\.\d)", re.ASCII),
        _iso_day,
        True,
    ),
    _Form(
        re.compile(r"(?<![\w.\-/])(?P<year>20\d\d)-(?P<month>0[1-9]|1[0-2])(?![\w\-/]|\.\d)", re.ASCII),
        lambda m, now: _year_month(m["year"], int(m["month"]), now),
        True,
    ),
    # days
    _en(r"today", lambda m, now: _days(now.date(), 1, now)),
    _en(r"this\s+(?P<part>morning|afternoon|evening)", lambda m, now: _part(m["part"], now.date(), now)),
    _en(r"tonight", lambda m, now: _part("night", now.date(), now)),
    _en(r"last\s+night", lambda m, now: _part("night", _ago(1, now), now)),
    _en(r"(?:the\s+)?day\s+before\s+yesterday", lambda m, now: _days(_ago(2, now), 1, now)),
    _en(rf"yesterday{_EN_PART}", lambda m, now: _part(m["part"], _ago(1, now), now)),
    _en(r"the\s+other\s+day|a\s+(?:few|couple\s+of)\s+days\s+ago", lambda m, now: _days(_ago(5, now), 5, now)),
    _zh(
        r"(?P<day>大前|前|昨|今)(?:天|日(?![志期记常程]))" + _ZH_PART,
        lambda m, now: _part(m["part"], _ago(_ZH_BACK[m["day"]], now), now),
    ),
    _zh(r"(?P<day>昨|今|前)(?P<part>早|晚|夜)(?:上)?", lambda m, now: _part(m["part"], _ago(_ZH_BACK[m["day"]], now), now)),
    _zh(r"前(?:几|些|两三)天|前阵子?|几天(?:之)?前", lambda m, now: _days(_ago(5, now), 5, now)),
    _en(rf"{_EN_NUMBER}\s+days?\s+ago", lambda m, now: _count_back(m, now, "day")),
    _en(rf"{_EN_NUMBER}\s+weeks?\s+ago", lambda m, now: _count_back(m, now, "week")),
    _en(rf"{_EN_NUMBER}\s+months?\s+ago", lambda m, now: _count_back(m, now, "month")),
    _zh(rf"{_ZH_NUMBER}\s*天(?:之|以)?前", lambda m, now: _count_back(m, now, "day")),
    _zh(rf"{_ZH_NUMBER}\s*(?:周|个?星期|个?礼拜)(?:之|以)?前", lambda m, now: _count_back(m, now, "week")),
    _zh(rf"{_ZH_NUMBER}\s*个月(?:之|以)?前", lambda m, now: _count_back(m, now, "month")),
    # weeks
    _en(r"this\s+week", lambda m, now: _week(0, now)),
    _en(r"last\s+week", lambda m, now: _week(1, now)),
    _en(r"(?:the\s+)?week\s+before\s+last", lambda m, now: _week(2, now)),
    _en(r"last\s+weekend", lambda m, now: _days(_ago(now.weekday() + 2, now), 2, now)),
    _en(rf"last\s+{_WEEKDAY_NAMES}{_EN_PART}", lambda m, now: _last_weekday(m, now, 1)),
    _en(rf"(?:on\s+)?{_WEEKDAY_NAMES}{_EN_PART}", lambda m, now: _last_weekday(m, now, 0)),
    _en(rf"this\s+{_WEEKDAY_NAMES}{_EN_PART}", lambda m, now: _weekday_of_week(m, now, 0)),
    _zh(rf"上上(?:周|个?星期|个?礼拜){_ZH_WEEKDAY}{_ZH_PART}", lambda m, now: _weekday_of_week(m, now, 2)),
    _zh(rf"上(?:周|个?星期|个?礼拜){_ZH_WEEKDAY}{_ZH_PART}", lambda m, now: _weekday_of_week(m, now, 1)),
    _zh(rf"[这本]个?{_ZH_WEEK}{_ZH_WEEKDAY}{_ZH_PART}", lambda m, now: _weekday_of_week(m, now, 0)),
    _zh(
        rf"(?<![每下这本上一二两三四五六七八九十几个\d]){_ZH_WEEK}{_ZH_WEEKDAY}{_ZH_PART}",
        lambda m, now: _last_weekday(m, now, 0),
    ),
    _zh(r"上上(?:周|个?星期|个?礼拜)(?!末)", lambda m, now: _week(2, now)),
    _zh(r"(?<!上)上(?:周|个?星期|个?礼拜)(?!末)", lambda m, now: _week(1, now)),
    _zh(r"[这本]个?(?:周|星期|礼拜)(?!末)", lambda m, now: _week(0, now)),
    _zh(r"上个?周末", lambda m, now: _days(_ago(now.weekday() + 2, now), 2, now)),
    # months
    _en(r"this\s+month", lambda m, now: _months_ago(0, now)),
    _en(r"last\s+month", lambda m, now: _months_ago(1, now)),
    _zh(r"(?:本|这个|这)月(?!份?报)", lambda m, now: _months_ago(0, now)),
    _zh(r"上个?月", lambda m, now: _months_ago(1, now)),
    _en(
        rf"(?:in|during|since|last)\s+{_MONTH_FULL}(?:,?\s+(?P<year>20\d\d))?",
        lambda m, now: _year_month(m["year"], _month_number(m["month"]), now),
    ),
    _en(rf"{_MONTH_FULL},?\s+(?P<year>20\d\d)", lambda m, now: _year_month(m["year"], _month_number(m["month"]), now)),
    _en(
        rf"(?:on\s+)?{_MONTH_ANY}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>20\d\d))?",
        lambda m, now: _year_day(m["year"], _month_number(m["month"]), int(m["day"]), now),
    ),
    _en(
        rf"(?:on\s+)?(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH_ANY}(?:,?\s+(?P<year>20\d\d))?",
        lambda m, now: _year_day(m["year"], _month_number(m["month"]), int(m["day"]), now),
    ),
    _zh(
        rf"(?:(?P<year>20\d\d)年)?(?<![\d十个第.]){_ZH_MONTH}月{_ZH_DAY}(?:号|日(?![志期记常程])){_ZH_PART}",
        lambda m, now: _chinese_day(m, now),
    ),
    _zh(
        rf"(?:(?P<year>20\d\d)年)?(?<![\d十个第.]){_ZH_MONTH}月份?(?![\d一二三四五六七八九十饼球亮光薪报])",
        lambda m, now: _year_month(m["year"], _number(m["month"]), now),
    ),
    _en(r"on\s+the\s+(?P<day>\d{1,2})(?:st|nd|rd|th)", lambda m, now: _day_only(int(m["day"]), now)),
    _zh(rf"(?<![\w第.#\-]){_ZH_DAY}号{_ZH_AFTER}", lambda m, now: _day_only(_number(m["day"]), now)),
    # no range
    _en(r"recently|lately", lambda m, now: None, vague=True),
    _zh(r"最近|近期|近来", lambda m, now: None, vague=True),
)


def _chinese_day(match: re.Match[str], now: datetime) -> Range:
    found = _year_day(match["year"], _number(match["month"]), _number(match["day"]), now)
    return _part(match["part"], found[0].date(), now) if found and match["part"] else found
