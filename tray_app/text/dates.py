"""Days as words: what date a passage carries, and how long ago it was.

Owns local-day arithmetic: a day is the person's day, from midnight to midnight of their zone, however long it is.
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tray_app.text.segment import tokens

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_UNITS = ((14, 1, "day"), (60, 7, "week"), (730, 30, "month"), (10**9, 365, "year"))
"""Ages below the first number of days are told in this unit, of so many days."""
_CHINESE_DAYS = "一二三四五六日"


def local_day(time_ms: int, zone: tzinfo) -> date:
    """The person's day of a moment (epoch milliseconds)."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=time_ms)).astimezone(zone).date()


def day_start(day: date, zone: tzinfo) -> datetime:
    """The first moment of a day, aware."""
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def age_days(time_ms: int, now_ms: int, zone: tzinfo) -> int:
    """Midnights between the two moments: 0 is today, 1 yesterday, negative in the future."""
    return (local_day(now_ms, zone) - local_day(time_ms, zone)).days


def date_text(time_ms: int, zone: tzinfo) -> str:
    """The local day as YYYY-MM-DD; '' where the time is unknown (0)."""
    return local_day(time_ms, zone).isoformat() if time_ms else ""


def date_tokens(time_ms: int, zone: tzinfo) -> list[str]:
    """What is indexed beside a passage: day, month, weekday and month name, the Chinese forms; nothing for time 0."""
    return list(_day_tokens(local_day(time_ms, zone))) if time_ms else []


@lru_cache(maxsize=1024)
def _day_tokens(day: date) -> tuple[str, ...]:
    chinese = _CHINESE_DAYS[day.weekday()]
    words = f"{day.isoformat()} {_WEEKDAYS[day.weekday()]} {_MONTHS[day.month - 1]} 周{chinese} 星期{chinese} {day.month}月{day.day}日"
    return tuple(dict.fromkeys(tokens(words)))


def human_age(days: int) -> str:
    """'today', 'yesterday', '5 days ago', '3 weeks ago', 'in 2 days'."""
    if days in (-1, 0, 1):
        return ("today", "yesterday", "tomorrow")[days]
    size = abs(days)
    days_in_unit, name = next((unit, name) for limit, unit, name in _UNITS if size < limit)
    count = size // days_in_unit
    words = f"{count} {name}{'s' if count > 1 else ''}"
    return f"{words} ago" if days > 0 else f"in {words}"


def local_zone() -> tzinfo:
    """The person's zone: TZ if it names one, else the system's, with its daylight saving rules."""
    name = os.environ.get("TZ", "").removeprefix(":")
    if name:
        return _named_zone(name) or _SystemZone()
    link = Path("/etc/localtime")
    if link.is_symlink():
        _, found, name = str(link.resolve()).partition("/zoneinfo/")
        if found:
            return _named_zone(name) or _SystemZone()
    return _SystemZone()


def _named_zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None  # a POSIX rule such as CST-8, or no zone data on this machine: the C library knows


class _SystemZone(tzinfo):
    """What the C library says, for every moment by itself."""

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        return (datetime.now() if dt is None else dt.replace(tzinfo=None)).astimezone().utcoffset()

    def dst(self, dt: datetime | None) -> timedelta | None:
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        return (datetime.now() if dt is None else dt.replace(tzinfo=None)).astimezone().tzname()

    def fromutc(self, dt: datetime) -> datetime:
        return dt.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)
