"""How the cost of a function grows with its input, as a ratio: no clock of any machine decides a test."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

TIMES = 2
FACTOR = 8
BOUND = 40
"""Eight times the text takes 64 times as long where the cost is a square, and 8 to 16 times where it is not."""
LEAST_S = 0.0005
"""What is shorter than this is measured as this: below it the clock's own steps count."""


def cost(work: Callable[[], object]) -> float:
    """Seconds of processor time, the least of some tries. Other tests' objects are not walked through meanwhile."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return min(_once(work) for _ in range(TIMES))
    finally:
        if collecting:
            gc.enable()


def grows_with_length_only(work: Callable[[str], object], piece: str, size: int = 8_000) -> bool:
    """Whether `work` takes no more than in proportion for a text made of `piece`. `size`: characters of the shorter text."""

    def text(length: int) -> str:
        return (piece * (length // len(piece) + 1))[:length]

    short, long = text(size), text(FACTOR * size)
    return cost(lambda: work(long)) < BOUND * max(cost(lambda: work(short)), LEAST_S)


def _once(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun
