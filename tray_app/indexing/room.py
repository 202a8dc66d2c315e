"""Budgets: how many passages are kept, the newest files first, and what finds no room.

Order is by the time of the file: it is known before a file is read, so that what is let in and what is taken out agree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import msgspec


class Budgets(msgspec.Struct, frozen=True):
    """Counts of passages; `oldest_ns` is the border of the window of days (file time), 0 for none."""

    per_source: int
    total: int
    oldest_ns: int = 0


class Held(msgspec.Struct, frozen=True, gc=False):
    """A file whose session is in the index, with its number of passages."""

    session_id: int
    agent: str
    mtime_ns: int
    passages: int


class Room:
    """What the held files leave free. `held` comes newest first."""

    def __init__(self, budgets: Budgets, held: Sequence[Held]) -> None:
        self.budgets, self.held = budgets, held
        self._sums: dict[str, tuple[list[int], list[int]]] = {}
        """By agent, and under '' for all: file times (negative, so that they rise) and passages up to each."""
        for one in held:
            for name in (one.agent, ""):
                times, sums = self._sums.setdefault(name, ([], []))
                times.append(-one.mtime_ns)
                sums.append((sums[-1] if sums else 0) + one.passages)

    def left(self, agent: str, mtime_ns: int) -> int:
        """How many passages a file of that time may have: newer ones come first, older ones make room."""
        return min(
            self.budgets.per_source - self._newer(agent, mtime_ns),
            self.budgets.total - self._newer("", mtime_ns),
        )

    def _newer(self, name: str, mtime_ns: int) -> int:
        times, sums = self._sums.get(name, ([], []))
        place = bisect_right(times, -mtime_ns)
        return sums[place - 1] if place else 0

    def beyond(self) -> dict[int, int]:
        """Sessions that find no room, with the number of their passages. The newest stays even if it alone is too much."""
        out: dict[int, int] = {}
        kept: dict[str, int] = {}
        total = 0
        for one in self.held:
            mine = kept.get(one.agent, 0)
            over_source = mine and mine + one.passages > self.budgets.per_source
            over_total = total and total + one.passages > self.budgets.total
            if over_source or over_total:
                out[one.session_id] = one.passages
            else:
                kept[one.agent] = mine + one.passages
                total += one.passages
        return out
