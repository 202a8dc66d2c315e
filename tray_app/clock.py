"""The one clock. `BACKSCROLL_NOW` (ISO 8601 with zone) pretends another moment; with `TZ` it fixes 'yesterday'."""

from __future__ import annotations

import os
from datetime import UTC, datetime, tzinfo

from tray_app.errors import UsageError

YEARS = range(1971, 9000)
"""Of a moment that is given: days can be counted both ways from it."""


def now(zone: tzinfo, given: str | None = None) -> datetime:
    """The moment of asking, aware. A moment that is given keeps its own zone; the pretended clock is told in `zone`.

    Raises UsageError for a text that is no moment.
    """
    if given:
        moment = _parsed(given)
        return moment if moment.tzinfo else moment.replace(tzinfo=zone)
    pretended = os.environ.get("BACKSCROLL_NOW", "").strip()
    if pretended:
        moment = _parsed(pretended)
        return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)
    return datetime.now(zone)


def iso(ms: int) -> str | None:
    """Epoch ms as ISO 8601 in UTC, None for 0 and for what no calendar holds."""
    if not ms:
        return None
    try:
        moment = datetime.fromtimestamp(ms / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _parsed(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as fault:
        raise UsageError("bad_moment", "Not a moment", f"{text!a} is no date and time in ISO 8601.") from fault
    if moment.year not in YEARS:
        raise UsageError("bad_moment", "Not a moment", f"{text!a} is outside the years {YEARS[0]} to {YEARS[-1]}.")
    return moment
