"""The one clock, and moments as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from tray_app import clock
from tray_app.errors import UsageError

SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_the_real_clock_is_told_in_the_zone() -> None:
    found = clock.now(SHANGHAI)
    assert found.tzinfo is SHANGHAI
    assert abs(found - datetime.now(UTC)) < timedelta(seconds=5)


def test_a_given_moment_keeps_its_own_zone() -> None:
    found = clock.now(SHANGHAI, "2026-03-10T09:00:00+02:00")
    assert found == datetime(2026, 3, 10, 7, tzinfo=UTC)
    assert found.utcoffset() == timedelta(hours=2)
    assert clock.now(SHANGHAI, "2026-03-10T09:00:00").utcoffset() == timedelta(hours=8)


def test_the_pretended_clock_is_told_in_the_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_NOW", " 2026-03-10T01:00:00Z ")
    found = clock.now(SHANGHAI)
    assert (found.hour, found.tzinfo) == (9, SHANGHAI)
    assert clock.now(SHANGHAI, "2026-03-11T00:00:00Z").day == 11  # what is given wins
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-03-10T01:00:00")
    assert clock.now(timezone(timedelta(hours=-5))).hour == 1


@pytest.mark.parametrize(
    "text", ["soon", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z", "\ud800"]
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        clock.now(UTC, text)


def test_iso() -> None:
    assert clock.iso(0) is None
    assert clock.iso(1_772_442_000_005) == "2026-03-02T09:00:00.005Z"
    assert clock.iso(-1) == "1969-12-31T23:59:59.999Z"
    assert clock.iso(10**18) is None
    assert clock.iso(-(10**18)) is None
