"""Has a chat model name the days' topics, where one is chosen: beside everything else, as it may take long.

Owns the thread. It belongs to nobody who waits: a service that hangs delays neither a pass nor the end of the program.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from tray_app.errors import AppError

log = logging.getLogger(__name__)

REST_S = 60.0
"""Between two rounds, however often something changes."""


class NameSource(Protocol):
    """What the engine gives it."""

    def name_topics(self, stop: Callable[[], bool]) -> int:
        """Name a few days; how many were. 0: there is nothing to name, or it cannot be done now."""
        ...


class TopicNamer(QObject):
    named = Signal()
    """Days have other topics now."""
    _ended = Signal(int)

    def __init__(self, source: NameSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._begun = float("-inf")
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.timeout.connect(lambda: self.look(at_once=True))
        self._ended.connect(self._after)

    def look(self, *, at_once: bool = False) -> None:
        """Something may be to be named: the index or a setting is another one. One round at a time; not `at_once`: only
        after a rest."""
        left = REST_S - (time.monotonic() - self._begun)
        if self._stop.is_set() or self._thread is not None:
            return
        if left > 0 and not at_once:
            self._due.start(round(left * 1000))
            return
        self._due.stop()
        self._begun = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="topics", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Begin nothing more; a round that runs ends by itself after the day it is at."""
        self._stop.set()
        self._due.stop()

    def _run(self) -> None:
        done = 0
        try:
            done = self._source.name_topics(self._stop.is_set)
        except Exception as fault:  # words name the days meanwhile; what a service does is said by the engine's check-up
            log.info("topics were not named: %s", fault if isinstance(fault, AppError) else type(fault).__name__)
        if not self._stop.is_set():
            self._ended.emit(done)

    def _after(self, done: int) -> None:
        self._thread = None
        if done:
            self.named.emit()
            self.look()  # there may be more days than one round names
