"""How long to leave a back end alone after a fault. Owns the figures; whoever asks does the waiting."""

from __future__ import annotations

from collections.abc import Callable
from random import random as chance
from typing import Protocol

FIRST_S, LONGEST_S = 2.0, 600.0
DOUBLINGS = 20


class Fault(Protocol):
    """EmbedFault or ServiceFault."""

    final: bool
    retry_after: float | None


def rest_after(fault: Fault, failures: int, random: Callable[[], float] = chance) -> float | None:
    """Seconds to wait before asking again, after `failures` in a row (from 1); None where asking again is of no use.

    Doubles from 2 s to 10 minutes, of which between half and all is waited, so that not everybody comes back at once. What the
    service asks for is waited in full, and a little longer, but not over 10 minutes.
    """
    if fault.final:
        return None
    if fault.retry_after is not None:
        return min(max(fault.retry_after, 0.5) * (1 + 0.1 * random()), LONGEST_S)
    longest: float = min(FIRST_S * 2 ** min(max(failures, 1) - 1, DOUBLINGS), LONGEST_S)
    return longest * (0.5 + 0.5 * random())
