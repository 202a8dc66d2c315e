"""A question, or passages, handed to a back end: what comes of them, now or soon.

Owns these forms alone, so that who uses vectors need not know who makes them.
"""

from __future__ import annotations

import threading

from tray_app.embed.base import LATE, OFF, EmbedFault, MeaningState, QueryVector, Space, Vectors
from tray_app.embed.batches import Refusal
from tray_app.worker import Job


class Question:
    """See `Asked`: a question that is being embedded, or was before."""

    def __init__(self, job: Job[QueryVector | MeaningState] | None, known: QueryVector | MeaningState = OFF) -> None:
        self._job, self._known = job, known

    def wait(self, seconds: float) -> QueryVector | MeaningState:
        """Its vector, or why it is not there after so long."""
        if self._job is None:
            return self._known
        return self._job.result() if self._job.wait(max(seconds, 0.0)) else LATE


class Embedded:
    """Passages on their way: outcomes by place as they come, and the fault that ended it. `leave()`: end after this call."""

    def __init__(self) -> None:
        self.outcomes: dict[int, Vectors | Refusal] = {}
        self.fault: EmbedFault | None = None
        self.seconds = 0.0
        self.space: Space | None = None
        self._leaving = threading.Event()
        self._done = threading.Event()

    def leave(self) -> None:
        self._leaving.set()

    @property
    def leaving(self) -> bool:
        return self._leaving.is_set()

    def give_up(self) -> None:
        """It is left for later: nothing was asked."""
        self.fault = EmbedFault("embedding_off", "Left for later", "The back end was let go of before its turn came.")
        self.end()

    def end(self) -> None:
        """Nothing more comes."""
        self._done.set()

    def wait(self, seconds: float) -> bool:
        return self._done.wait(seconds)
