"""What is wrong with a back end, and until when it is left alone.

Questions and passages rest apart: a service that is slow with sixteen passages may still answer a question. What only the person
can mend keeps both away. Owns no waiting and no thread; who uses it holds a lock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from tray_app.embed.base import EmbedFault, MeaningState
from tray_app.embed.rests import rest_after

QUESTIONS, PASSAGES = "questions", "passages"


class Troubles:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._faults: dict[str, EmbedFault] = {}
        self._failures: dict[str, int] = {}
        self._until: dict[str, float] = {}

    def note(self, what: str, fault: EmbedFault) -> float:
        """Another one in a row; gives the seconds of rest, inf where asking again is of no use."""
        self._faults[what] = fault
        self._failures[what] = self._failures.get(what, 0) + 1
        rest = rest_after(fault, self._failures[what])
        self._until[what] = math.inf if rest is None else self._clock() + rest
        return math.inf if rest is None else rest

    def passed(self, what: str) -> None:
        """It answered."""
        for kept in (self._faults, self._failures, self._until):
            kept.pop(what, None)

    def resting(self, what: str) -> EmbedFault | None:
        """The fault that keeps us from asking now."""
        for name, fault in self._faults.items():
            if (name == what or fault.final) and self._clock() < self._until[name]:
                return fault
        return None

    def rest(self, what: str) -> float:
        """Seconds until it may be asked again; 0: now, inf: not before the person changes something."""
        fault = self.resting(what)
        if fault is None:
            return 0.0
        return math.inf if fault.final else max(self._until[what] - self._clock(), 0.0)


def state_of(fault: EmbedFault) -> MeaningState:
    """What a question is told that got no vector."""
    return MeaningState(fault.code, f"{fault.message} {fault.hint}".strip())


def unexpected(fault: Exception) -> EmbedFault:
    """An error of ours, as whoever asked is told of it."""
    return EmbedFault("embedding_bad_answer", "An error of ours", f"The model failed ({type(fault).__name__}).", "See the log.")
