"""Stretches of a person's calendar, and how one time word narrows another.

Owns the arithmetic: what recurs (a weekday, a month, the 5th), parts of a day or of a month, the clock, and the way from a
wall clock to a zone. Knows no words. Wall times are naive; a stretch that was counted in hours from now is aware already and
is narrowed by nothing.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER, HALF, YEAR = range(8)
"""Grains. HOUR is any part of a day, WEEK any few days."""
AROUND = timedelta(hours=1)
NIGHT_ENDS = 4
"""O'clock: who asks earlier is still in the night, and in the day, that began the evening before."""


class Asked(NamedTuple):
    """The moment of asking: `wall` as the person's clock shows it, naive; `now` aware; `query` as it was typed."""

    now: datetime
    wall: datetime
    query: str

    @property
    def today(self) -> date:
        return self.wall.date()


class Stretch(NamedTuple):
    """Half open; None is an open end."""

    start: datetime | None
    end: datetime | None
    grain: int


class Part(NamedTuple):
    """Hours of a day; above 24 they are those of the next one."""

    first: int
    last: int
    past: bool = False
    """Said of today before it has begun, it is that of yesterday: 'the middle of the night'."""


class Clock(NamedTuple):
    hour: int
    """0..23, or up to 30 for the small hours of the next day."""
    minute: int
    certain: bool
    """False: 3 may be 15."""


class Cycle(NamedTuple):
    """What recurs every `unit` (WEEK, MONTH or YEAR): `make` gives it for the first day of one, None if that one lacks it."""

    unit: int
    make: Callable[[date], Stretch | None]
    grain: int


class Share(NamedTuple):
    """0 the beginning, 1 the middle, 2 the end of something longer; or a week of a month."""

    third: int
    is_edge: bool = False
    """Of a year: its end is its last two months, late in it any of its last four."""
    week: int | None = None
    """0 the first week of a month, -1 the last."""
    cycle: Cycle | None = None
    """Not a week, but what recurs weekly: the first Tuesday."""
    is_half: bool = False
    """`third` 0 is the first half, 1 the second."""


Value = Stretch | Cycle | Part | Clock | Share
_TRIES = 14
"""Units looked through: a 29 February may be eight years away, a 31st two months."""


# --- making ----------------------------------------------------------------------------------------------------------
def at(day: date, hour: int = 0) -> datetime:
    return datetime.combine(day, time()) + timedelta(hours=hour)


def days(first: date, count: int, grain: int = DAY) -> Stretch:
    return Stretch(at(first), at(first + timedelta(days=count)), grain)


def back(asked: Asked, count: int) -> date:
    return asked.today - timedelta(days=count)


def first_of(unit: int, day: date) -> date:
    """The first day of the week, month, quarter, half year or year that holds the day."""
    if unit == WEEK:
        return day - timedelta(days=day.weekday())
    months = {MONTH: 1, QUARTER: 3, HALF: 6, YEAR: 12}[unit]
    return day.replace(month=(day.month - 1) // months * months + 1, day=1)


def move(unit: int, day: date, count: int) -> date:
    """So many units later; a day that the month lacks becomes its last one."""
    if unit in (DAY, WEEK):
        return day + timedelta(days=count * (7 if unit == WEEK else 1))
    months = count * {MONTH: 1, QUARTER: 3, HALF: 6, YEAR: 12}[unit]
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1])) if year >= 1 else date.min


def unit_back(unit: int, count: int, asked: Asked) -> Stretch:
    """The whole week, month, quarter, half or year so many before this one."""
    first = move(unit, first_of(unit, asked.today), -count)
    return Stretch(at(first), at(move(unit, first, 1)), unit)


def weekday(number: int) -> Cycle:
    return Cycle(WEEK, lambda monday: days(monday + timedelta(days=number), 1), DAY)


def weekend() -> Cycle:
    return Cycle(WEEK, lambda monday: days(monday + timedelta(days=5), 2, WEEK), WEEK)


def month_day(day: int) -> Cycle:
    return Cycle(MONTH, lambda first: _day_or_none(first.year, first.month, day), DAY)


def year_day(month: int, day: int) -> Cycle | None:
    """None for a day that no year has."""
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(2024, month)[1]:
        return None
    return Cycle(YEAR, lambda first: _day_or_none(first.year, month, day), DAY)


def year_days(month: int, day: int, last_month: int, last_day: int) -> Cycle | None:
    """From a day of the year to another, which is included."""
    first, last = year_day(month, day), year_day(last_month, last_day)
    if not first or not last or (last_month, last_day) < (month, day):
        return None
    return Cycle(YEAR, lambda year: _from_to(first.make(year), last.make(year)), WEEK)


def year_months(month: int, count: int, grain: int) -> Cycle:
    """So many months from that one on; they may reach into the next year."""

    def make(first: date) -> Stretch:
        begin = first.replace(month=month)
        return Stretch(at(begin), at(move(MONTH, begin, count)), grain)

    return Cycle(YEAR, make, grain)


def _day_or_none(year: int, month: int, day: int) -> Stretch | None:
    return days(date(year, month, day), 1) if 1 <= day <= monthrange(year, month)[1] else None


def _from_to(first: Stretch | None, last: Stretch | None) -> Stretch | None:
    return Stretch(first.start, last.end, WEEK) if first and last else None


# --- what recurs -----------------------------------------------------------------------------------------------------
def _occurrences(cycle: Cycle, day: date, step: int) -> Iterator[Stretch]:
    anchor = first_of(cycle.unit, day)
    for count in range(_TRIES):
        found = cycle.make(move(cycle.unit, anchor, step * count))
        if found:
            yield found


def latest(cycle: Cycle, asked: Asked) -> Stretch | None:
    """The latest one that has begun."""
    return next((one for one in _occurrences(cycle, asked.today, -1) if one.start and one.start <= asked.wall), None)


def ended(cycle: Cycle, asked: Asked) -> Stretch | None:
    """The latest one that was over before today."""
    today = at(asked.today)
    return next((one for one in _occurrences(cycle, asked.today, -1) if one.end and one.end <= today), None)


def current(cycle: Cycle, asked: Asked) -> Stretch | None:
    """That of this week, month or year, be it still to come."""
    return cycle.make(first_of(cycle.unit, asked.today))


def within(cycle: Cycle, outer: Stretch, asked: Asked) -> Stretch | None:
    """The latest one that begins in the stretch: of those that have begun, if any has."""
    if outer.start is None or outer.end is None:
        return None
    found: Stretch | None = None
    for one in _occurrences(cycle, (outer.end - timedelta(microseconds=1)).date(), -1):
        if one.start is None or one.start < outer.start:
            break
        if one.start < outer.end:
            found = one
            if one.start <= asked.wall:
                break
    return found


def first_from(cycle: Cycle, moment: datetime) -> Stretch | None:
    return next((one for one in _occurrences(cycle, moment.date(), 1) if one.start and one.start >= moment), None)


def last_until(cycle: Cycle, moment: datetime) -> Stretch | None:
    return next((one for one in _occurrences(cycle, moment.date(), -1) if one.start and one.start <= moment), None)


# --- narrowing -------------------------------------------------------------------------------------------------------
_SHARES = {
    WEEK: ((0, 2), (1, 4), (3, 7)),
    MONTH: ((0, 10), (10, 20), (20, 31)),
    YEAR: ((0, 4), (4, 8), (8, 12)),
}
"""Days of a week and of a month, months of a year."""
_EDGES = ((0, 3), (4, 8), (10, 12))


def share_of(whole: Stretch, share: Share) -> Stretch | None:
    """The beginning, the middle or the end; of a night or a morning its halves. None of what has no such."""
    start, end, third = whole.start, whole.end, share.third
    if start is None or end is None or start.tzinfo:
        return None
    if share.cycle and share.week is not None:
        found = [one for one in _occurrences(share.cycle, end.date(), -1) if one.start and start <= one.start < end][::-1]
        return found[share.week] if whole.grain == MONTH and share.week < len(found) else None
    if share.week is not None:
        first = end - timedelta(days=7) if share.week < 0 else start + timedelta(days=7 * share.week)
        return Stretch(first, min(end, first + timedelta(days=7)), WEEK) if whole.grain == MONTH else None
    if share.is_half:
        middle = at(move(MONTH, start.date(), 6)) if whole.grain == YEAR else start + timedelta(days=(end - start).days // 2)
        return Stretch(middle if third else start, end if third else middle, WEEK) if whole.grain >= WEEK else None
    if whole.grain == HOUR:
        half = start + (end - start) / 2
        return Stretch(start if third == 0 else half, half if third == 0 else end, HOUR)
    if whole.grain in (QUARTER, HALF):
        size = (end - start).days // 3
        first, last = start + timedelta(days=size * third), start + timedelta(days=size * (third + 1))
        return Stretch(first, end if third == 2 else last, MONTH)
    if whole.grain not in _SHARES:
        return None
    low, high = (_EDGES if share.is_edge and whole.grain == YEAR else _SHARES[whole.grain])[third]
    if whole.grain == YEAR:
        day = start.date()
        return Stretch(at(move(MONTH, day, low)), at(move(MONTH, day, high)), QUARTER)
    return Stretch(start + timedelta(days=low), min(end, start + timedelta(days=high)), WEEK)


def part_of(day: Stretch, part: Part, asked: Asked) -> Stretch | None:
    if day.start is None or day.start.tzinfo:
        return None
    start = day.start
    if (
        start == at(asked.today)
        and start + timedelta(hours=part.first) > asked.wall
        and (part.past or asked.wall.hour < NIGHT_ENDS)
    ):
        start -= timedelta(days=1)
    return Stretch(start + timedelta(hours=part.first), start + timedelta(hours=part.last), HOUR)


def hour_of(part: Part, clock: Clock) -> Clock:
    """Three in the afternoon is 15; two at night is that of the next day."""
    hour = clock.hour
    if part.last > 24:
        hour = hour + 24 if hour < 6 else 24 if hour == 12 else hour + 12 if hour < 12 else hour
    elif part.last <= 6 and hour == 12:
        hour = 0
    elif part.first >= 11 and hour < 12 and not (part.first == 11 and hour == 11):
        hour += 12
    return Clock(hour, clock.minute, True)


def around(clock: Clock, outer: Stretch) -> Stretch | None:
    """An hour each side of it, in a day or a part of one; an uncertain three o'clock of a whole day is that of the afternoon."""
    if outer.start is None or outer.end is None or outer.start.tzinfo:
        return None
    hours = [clock.hour]
    if not clock.certain and 1 <= clock.hour <= 12:
        other = (clock.hour + 12) % 24
        hours = [other, clock.hour] if outer.grain == DAY and clock.hour < 7 else [clock.hour, other]
    midnight = at(outer.start.date())
    for day in range(2):
        for hour in hours:
            moment = midnight + timedelta(days=day, hours=hour, minutes=clock.minute)
            if outer.start <= moment < outer.end or (hour >= 24 and outer.grain == DAY):
                return Stretch(moment - AROUND, moment + AROUND, MINUTE)
    return None


def latest_clock(clock: Clock, asked: Asked) -> Stretch | None:
    """The latest such hour that has come."""
    hours = [clock.hour] if clock.certain else [clock.hour, clock.hour % 12, clock.hour % 12 + 12]
    moments = [at(asked.today, hour - 24 * day) + timedelta(minutes=clock.minute) for hour in hours for day in range(3)]
    moment = max((one for one in moments if one <= asked.wall), default=None)
    return Stretch(moment - AROUND, moment + AROUND, MINUTE) if moment else None


def hours(first: Value, last: Value, asked: Asked) -> Stretch | None:
    """From the one hour to the other, of which one at least is only a clock: three to five yesterday."""
    if isinstance(last, Stretch) and last.start and last.grain == MINUTE and isinstance(first, Clock):
        end = last.start + AROUND
        starts = _clock_moments(first, end.date())
        start = max((one for one in starts if end.tzinfo is None and one < end), default=None)
        return Stretch(start, end, HOUR) if start else None
    begun = latest_clock(first, asked) if isinstance(first, Clock) else first
    if not isinstance(begun, Stretch) or not begun.start or begun.start.tzinfo or not isinstance(last, Clock):
        return None
    start = begun.start + AROUND
    return Stretch(start, min(one for one in _clock_moments(last, start.date()) if one > start), HOUR)


def _clock_moments(clock: Clock, day: date) -> list[datetime]:
    """When it is so late, the day before, that day and the next."""
    turns = [clock.hour] if clock.certain else [clock.hour % 12, clock.hour % 12 + 12]
    return [at(day, hour + 24 * more) + timedelta(minutes=clock.minute) for more in (-1, 0, 1) for hour in turns]


def rank(value: Value) -> int:
    """The longer of two is narrowed by the shorter."""
    if isinstance(value, Clock):
        return MINUTE
    return HOUR if isinstance(value, Part) else value.grain if isinstance(value, Stretch | Cycle) else -1


def narrow(one: Value, other: Value, asked: Asked) -> Value | None:
    """What both together mean; None where they do not go together."""
    if isinstance(one, Cycle) and isinstance(other, Cycle) and one.grain == other.grain:
        return (one if one.unit > other.unit else other) if one.unit != other.unit else None  # Tuesday, 3 March
    outer, inner = (one, other) if rank(one) >= rank(other) else (other, one)
    if isinstance(outer, Cycle) and isinstance(inner, Stretch):
        outer, inner = inner, outer
    if isinstance(outer, Cycle):
        if isinstance(inner, Part | Clock) and outer.grain not in (DAY, HOUR):
            return None
        if isinstance(inner, Cycle) and inner.unit > outer.grain:
            return None
        cycle, grain = outer, (inner.cycle.grain if inner.cycle else WEEK) if isinstance(inner, Share) else rank(inner)
        return Cycle(cycle.unit, lambda anchor: _narrowed(cycle.make(anchor), inner, asked), grain)
    if isinstance(outer, Part):
        return hour_of(outer, inner) if isinstance(inner, Clock) else None
    return _narrowed(outer, inner, asked) if isinstance(outer, Stretch) else None


def _narrowed(outer: Stretch | None, inner: Value, asked: Asked) -> Stretch | None:
    if outer is None:
        return None
    if isinstance(inner, Cycle):
        return within(inner, outer, asked)
    if isinstance(inner, Share):
        return share_of(outer, inner)
    if isinstance(inner, Part):
        return part_of(outer, inner, asked) if outer.grain == DAY else None
    if isinstance(inner, Clock):
        return around(inner, outer) if outer.grain in (DAY, HOUR) else None
    return common(outer, inner)


def common(one: Stretch, other: Stretch) -> Stretch | None:
    """Where both are; None where they only touch, or one is counted in hours from now."""
    marks = [mark for mark in (*one[:2], *other[:2]) if mark is not None]
    if len({mark.tzinfo is None for mark in marks}) != 1:
        return None
    starts, ends = [x.start for x in (one, other) if x.start], [x.end for x in (one, other) if x.end]
    start, end = max(starts, default=None), min(ends, default=None)
    if start and end and start >= end:
        return None
    return Stretch(start, end, min(one.grain, other.grain))


# --- zones -----------------------------------------------------------------------------------------------------------
def place(wall: datetime, zone: tzinfo) -> datetime:
    """The moment a wall clock shows this; of two the earlier one, in a gap the moment as far behind its beginning."""
    if wall.tzinfo is None:
        wall = wall.replace(tzinfo=zone)
    return wall.astimezone(UTC).astimezone(zone)
