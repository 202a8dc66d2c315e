"""When a Claude Code session took place, in spite of single records with a wrong clock.

Owns the reading of timestamps and the rule for a session's bounds. Knows nothing of lines or files.

The rule: the times of the messages, in the order of the file, are put into groups that lie within ten minutes of each
other. A group of at most three messages is taken for a wrong clock, and left out of the bounds, when it breaks the order of
the file by more than an hour: it goes back behind both groups before it and the file then goes on later (a dip), or it runs
ahead of both groups behind it and what was before was earlier too (a spike). Work resumed on another day keeps the order,
so it always counts.
"""

from __future__ import annotations

from datetime import UTC, datetime

HOUR = 3_600_000
GROUP = 600_000
FEW = 3
EARLIEST = 946_684_800_000
LATEST = 4_102_444_800_000
"""2000-01-01 and 2100-01-01: a time outside is no time."""


def milliseconds(value: object) -> int:
    """A timestamp as epoch milliseconds UTC; 0 if it is missing or cannot be one. Text without a zone is taken as UTC."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
            number = moment.timestamp() * 1000
        except (ValueError, OverflowError):
            return 0
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value) if value > 100_000_000_000 else float(value) * 1000
    else:
        return 0
    return round(number) if EARLIEST <= number < LATEST else 0


Group = tuple[int, int, int]
"""Earliest, latest, and how many."""


class Bounds:
    """Gathers times in the order of the file. `carry` and `Bounds(*carry)` go on where an earlier reading ended."""

    def __init__(self, low: int = 0, high: int = 0, groups: list[Group] | None = None) -> None:
        self._low, self._high = low, high
        self._groups: list[Group] = list(groups or [])

    def add(self, time: int) -> None:
        if not time:
            return
        if self._groups:
            low, high, count = self._groups[-1]
            if low - GROUP <= time <= high + GROUP:
                self._groups[-1] = (min(low, time), max(high, time), count + 1)
                return
        self._groups.append((time, time, 1))

    def _right(self) -> list[bool]:
        """For each group, whether its clock is believed."""
        groups = self._groups
        total = sum(count for _, _, count in groups)
        right: list[bool] = []
        for place, (low, high, count) in enumerate(groups):
            before = [groups[other] for other in range(place) if right[other]][-2:]
            after = groups[place + 1 : place + 3]
            wild = False
            if count <= FEW and count * 2 < total:
                dip = bool(before) and high < min(group[0] for group in before) - HOUR
                spike = bool(after) and low > max(group[1] for group in after) + HOUR
                wild = (dip and (not after or high < after[0][0] - HOUR)) or (
                    spike and (not before or low > before[-1][1] + HOUR)
                )
            right.append(not wild)
        return right

    def _over(self, groups: list[Group]) -> tuple[int, int]:
        lows = [low for low, _, _ in groups] + ([self._low] if self._low else [])
        highs = [high for _, high, _ in groups] + ([self._high] if self._high else [])
        return min(lows, default=0), max(highs, default=0)

    def span(self) -> tuple[int, int]:
        """Start and end; (0, 0) where no time is known."""
        return self._over([group for group, right in zip(self._groups, self._right(), strict=True) if right])

    def carry(self) -> tuple[int, int, list[Group]]:
        """What a later reading needs: the bounds of all but the last four groups, and those groups."""
        believed = zip(self._groups[:-4], self._right(), strict=False)
        low, high = self._over([group for group, right in believed if right])
        return low, high, self._groups[-4:]
