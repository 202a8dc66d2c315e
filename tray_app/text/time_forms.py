"""What a time form is, the counting that both languages share, and the forms that are written in digits alone.

Owns the shape of the tables in `time_forms_en` and `time_forms_zh`. Expressions are compiled when a question first holds one
of a form's keys. All of them see folded text: lower case, half-width, simplified, with what is quoted or an identifier
blanked out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import NamedTuple

from tray_app.text import time_spans as spans
from tray_app.text.numerals import Amount
from tray_app.text.time_spans import DAY, HOUR, MINUTE, MONTH, WEEK, YEAR, Asked, Cycle, Stretch, Value


class Mark(Enum):
    VAGUE = 1
    """Time is meant, but no range."""
    VOID = 2
    """No reference, and what follows at once belongs to it: every Tuesday at 3pm."""
    IMPOSSIBLE = 3
    """A day that does not exist; what stands before it at once is no reference either."""
    NOW = 4
    """The end of a range: until now."""


COMPANY: frozenset[str] = frozenset()


class Weak(NamedTuple):
    """A value that counts only beside another time word, or behind one of these prepositions."""

    value: Value
    needs: frozenset[str] = COMPANY


Meaning = Value | Weak | Mark | None
Resolve = Callable[[re.Match[str], Asked], Meaning]


class Form:
    """One way of saying a time. Tried only on a text that holds one of `keys`; `sure` is 0..1; `explicit` may filter hard."""

    __slots__ = ("_compiled", "explicit", "keys", "resolve", "shape", "sure")

    def __init__(self, keys: str, shape: str, resolve: Resolve, *, sure: float = 0.9, explicit: bool = False) -> None:
        self.keys, self.shape, self.resolve = tuple(keys.split()), shape, resolve
        self.sure, self.explicit = sure, explicit
        self._compiled: re.Pattern[str] | None = None

    def find(self, text: str) -> Iterator[re.Match[str]]:
        if self._compiled is None:
            self._compiled = re.compile(self.shape, re.ASCII)
        return self._compiled.finditer(text)


# --- counting back ---------------------------------------------------------------------------------------------------
_DAY_SLACK = ((10, 0), (24, 1), (45, 2), (10**9, 3))
_WEEK_SLACK = ((2, 2), (4, 3), (10**9, 4))
_MONTH_SLACK = ((1, 7), (10**9, 14))
_YEAR_SLACK = ((1, 45), (10**9, 90))
_SLACK = {DAY: _DAY_SLACK, WEEK: _WEEK_SLACK, MONTH: _MONTH_SLACK, YEAR: _YEAR_SLACK}
"""Days each side of a count that was said exactly, by the greatest count they hold for: the further, the less is meant."""
_HALF = {DAY: (2, 10), MONTH: (15, 3), YEAR: (182, 21)}


def ago(unit: int, amount: Amount, asked: Asked) -> Stretch | None:
    """So long before now: a day for a few days, with some slack for more, a span for a vague amount; hours to the minute."""
    least, most = amount
    if unit in (MINUTE, HOUR):
        minutes = 60 if unit == HOUR else 1
        slack = max(30 if unit == HOUR else 5, minutes * least * (0.25 if unit == HOUR else 0.5))
        return _before_now(asked, most * minutes + slack, max(least * minutes - slack, 0))
    if most == 0.5 and unit == DAY:
        return _before_now(asked, 600, 120)
    if most == 0.5 and unit in _HALF:
        count, slack_days = _HALF[unit]
        return spans.days(spans.back(asked, count + slack_days), 2 * slack_days + 1, WEEK)
    slack_days = next(days for limit, days in _SLACK[unit] if most <= limit)
    if unit == DAY and least != most:
        slack_days = 0
    first, last = _back(unit, most, asked.today), _back(unit, least, asked.today)
    first, last = first - timedelta(days=slack_days), min(last + timedelta(days=slack_days), asked.today)
    grain = DAY if first == last else MONTH if unit >= MONTH else WEEK
    return spans.days(first, (last - first).days + 1, grain) if first <= last else None


def lately(unit: int, amount: Amount, asked: Asked) -> Stretch:
    """From so long ago until now, today being whole."""
    if unit in (MINUTE, HOUR):
        return _before_now(asked, amount.most * (60 if unit == HOUR else 1), 0)
    first = _back(unit, amount.most, asked.today)
    return spans.days(first, (asked.today - first).days + 1, WEEK)


def _before_now(asked: Asked, first: float, last: float) -> Stretch:
    """Minutes are counted in real time, whatever the clocks did."""
    now = asked.now.astimezone(UTC)
    return Stretch(now - timedelta(minutes=first), now - timedelta(minutes=last), MINUTE)


def _back(unit: int, count: float, today: date) -> date:
    whole = int(count)
    day = spans.move(unit, today, -whole)
    rest = {DAY: 1, WEEK: 7, MONTH: 30, YEAR: 365}[unit] * (count - whole)
    return day - timedelta(days=round(rest))


def stretch_or_mark(cycle: Cycle | None) -> Meaning:
    return Mark.IMPOSSIBLE if cycle is None else cycle


# --- digits ----------------------------------------------------------------------------------------------------------
BOUND_WORDS = frozenset({"on", "since", "before", "after", "until", "till", "by", "from", "between", "through"})
_AT = BOUND_WORDS | {"at", "around", "about"}
_DAY_FIRST = ("Europe/", "Africa/", "Australia/", "Pacific/Auckland", "America/Sao_Paulo", "America/Argentina", "Asia/Kolkata")
"""Zones in which 11/03 is the 11th of March; elsewhere, as in China and the United States, it is the 3rd of November."""
_DAY_AFTER = re.compile(r"\s?(?:那|当天|晚上|早上|上午|下午)")
OUTSIDE = r"(?<![\w.\-/:])"
END = r"(?![\w\-/:]|\.\d)"


def _iso_day(match: re.Match[str], asked: Asked) -> Meaning:
    try:
        day = date(int(match["year"]), int(match["month"]), int(match["day"]))
        if match["hour"] is None:
            return spans.days(day, 1)
        moment = datetime(day.year, day.month, day.day, int(match["hour"]), int(match["minute"]))
        if match["zone"]:
            zone = match["zone"].upper().replace("Z", "+00:00")
            moment = datetime.fromisoformat(f"{moment.isoformat()}{zone}").astimezone(UTC)
    except ValueError:
        return Mark.IMPOSSIBLE
    return Stretch(moment - spans.AROUND, moment + spans.AROUND, MINUTE)


def _iso_month(match: re.Match[str], asked: Asked) -> Meaning:
    first = date(int(match["year"]), int(match["month"]), 1)
    return Stretch(spans.at(first), spans.at(spans.move(MONTH, first, 1)), MONTH)


def _iso_range(match: re.Match[str], asked: Asked) -> Meaning:
    try:
        first, last = date.fromisoformat(match[1]), date.fromisoformat(match[2])
    except ValueError:
        return Mark.IMPOSSIBLE
    return spans.days(first, (last - first).days + 1, WEEK) if first <= last else Mark.IMPOSSIBLE


def _is_day_first(asked: Asked, first: int, second: int) -> bool:
    if first > 12 or second > 12:
        return first > 12
    return getattr(asked.now.tzinfo, "key", "").startswith(_DAY_FIRST)


def _slashed(match: re.Match[str], asked: Asked) -> Meaning:
    """11/03: the month first unless that is impossible or the zone writes the day first; a bare one needs its zero."""
    first, second = int(match[1]), int(match[2])
    day, month = (first, second) if _is_day_first(asked, first, second) else (second, first)
    cycle = spans.year_day(month, day)
    if cycle is None:
        return None
    if match["year"]:
        return spans.narrow(_year(int(match["year"])), cycle, asked) or Mark.IMPOSSIBLE
    if _DAY_AFTER.match(match.string, match.end()):
        return cycle
    padded = len(match[1]) == len(match[2]) == 2 and "0" in (match[1][0], match[2][0])
    return cycle if padded else Weak(cycle, BOUND_WORDS)


def _dotted(match: re.Match[str], asked: Asked) -> Meaning:
    cycle = spans.year_day(int(match[2]), int(match[1]))
    return (cycle and spans.narrow(_year(int(match[3])), cycle, asked)) or Mark.IMPOSSIBLE


def _year(year: int) -> Stretch:
    return Stretch(spans.at(date(year, 1, 1)), spans.at(date(year + 1, 1, 1)), YEAR)


def year_alone(match: re.Match[str], asked: Asked) -> Meaning:
    year = int(match["year"])
    return (
        Weak(_year(year), (_AT | {"in", "during", "back in", "of"}) - {"on", "at", "around", "about"})
        if year <= asked.now.year + 1
        else None
    )


def clock(match: re.Match[str], asked: Asked) -> Meaning:
    """15:30, 3pm. 'At 02:00' alone is when something runs, or a line and a column."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = match["half"]
    if half and 1 <= hour <= 12:
        return Weak(spans.Clock(hour % 12 + (12 if half[0] == "p" else 0), minute, True), _AT - {"on"})
    if half or hour > 23:
        return None
    return Weak(spans.Clock(hour, minute, len(match["hour"]) == 2 or hour > 12), _AT - {"on", "at"})


_UNITS_AFTER = r"(?!\s*(?:ms|s|m?px|bytes?|[kmg]b|lines?|rows?|files?|requests?|items?|times|tests?|tokens?|records?|users?|errors?|commits?|tickets?|steps?|passed|failed|of)\b)"
DIGIT_FORMS = (
    Form(
        "20",
        rf"{OUTSIDE}(20\d\d-\d\d-\d\d)\s?(?:\.\.|~|to|到|至)\s?(20\d\d-\d\d-\d\d){END}",
        _iso_range,
        sure=1.0,
        explicit=True,
    ),
    Form(
        "20",
        rf"{OUTSIDE}(?P<year>20\d\d)(?P<sign>[-/.])(?P<month>\d{{1,2}})(?P=sign)(?P<day>\d{{1,2}})"
        rf"(?:t(?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d(?:\.\d{{1,9}})?)?(?P<zone>z|[+-]\d\d:?\d\d)?)?{END}",
        _iso_day,
        sure=1.0,
        explicit=True,
    ),
    Form("20", rf"{OUTSIDE}(?P<year>20\d\d)-(?P<month>0[1-9]|1[0-2]){END}", _iso_month, sure=1.0, explicit=True),
    Form("/", rf"{OUTSIDE}(\d{{1,2}})/(\d{{1,2}})(?:/(?P<year>20\d\d))?{END}{_UNITS_AFTER}", _slashed, sure=0.6),
    Form(".", rf"{OUTSIDE}([0-3]?\d)\.([01]?\d)\.(20\d\d){END}", _dotted, sure=0.9),
    Form("20", rf"(?<!\w)(?P<year>20\d\d)(?!\w|[:.]\d|%){_UNITS_AFTER}", year_alone, sure=0.8),
    Form(
        ": am pm a.m p.m",
        r"(?<![\w:.])(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))(?::[0-5]\d)?(?:\s?(?P<half>[ap]\.?m\b\.?))?(?![\w:])",
        clock,
        sure=0.6,
    ),
    Form("am pm a.m p.m", r"(?<![\w:.])(?P<hour>\d{1,2})(?P<minute>)\s?(?P<half>[ap]\.?m\b\.?)(?!\w)", clock, sure=0.7),
)
