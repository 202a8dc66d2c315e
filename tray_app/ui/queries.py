"""Asking the backend without ever blocking the window.

Owns the worker threads. A `Lane` has one worker and one current question: a newer question makes the older one stale, its
answer is dropped. Answers come to the GUI thread by a queued signal; nothing here touches a widget off it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

from tray_app.errors import AppError, BugError

log = logging.getLogger(__name__)
T = TypeVar("T")


class Lane(QObject):
    """One thing being asked at a time, the newest."""

    _came = Signal(int, object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=f"ui-{name}")
        self._generation = 0
        self._pending: Future[None] | None = None
        self._then: Callable[[Any], None] | None = None
        self._otherwise: Callable[[AppError], None] | None = None
        self._closed = False
        self._came.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """An answer to the newest question is still to come."""
        return self._then is not None

    def ask(self, call: Callable[[], T], then: Callable[[T], None], otherwise: Callable[[AppError], None]) -> None:
        """Run `call` on the worker; `then` gets its value, `otherwise` its error, both on the GUI thread, unless
        something newer was asked meanwhile."""
        if self._closed:
            return
        self.drop()
        self._then, self._otherwise = then, otherwise
        self._pending = self._pool.submit(self._run, self._generation, call)

    def drop(self) -> None:
        """What was asked is not wanted any more."""
        self._generation += 1
        self._then = self._otherwise = None
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None

    def close(self) -> None:
        """No further answers; the worker ends with what it is doing."""
        self.drop()
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, generation: int, call: Callable[[], Any]) -> None:
        if generation != self._generation:
            return
        value, fault = None, None
        try:
            value = call()
        except AppError as known:
            fault = known
        except Exception as unknown:  # the thread must not die silently: the window shows it and the log has the trace
            log.exception("a question to the backend failed")
            fault = BugError("backend_failed", "Something went wrong", str(type(unknown).__name__), "The log has the details.")
        if not self._closed and shiboken6.isValid(self):
            self._came.emit(generation, value, fault)

    def _deliver(self, generation: int, value: Any, fault: AppError | None) -> None:
        if generation != self._generation or self._closed:
            return
        then, otherwise = self._then, self._otherwise
        self._then = self._otherwise = self._pending = None
        if fault is not None and otherwise is not None:
            otherwise(fault)
        elif fault is None and then is not None:
            then(value)
