"""Work off the GUI thread, with its outcome brought back to it.

Owns a pool of a few threads. Never touch a widget inside `work`; `done` and `failed` run in the GUI thread, and not at
all when the object they belong to is gone.
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


class Tasks(QObject):
    """Make one for the application."""

    faulted = Signal(object)
    """AppError of work that was given no `failed`."""
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None, threads: int = 2) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(threads, "task")
        self._closed = False
        self._ended.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        owner: QObject,
        work: Callable[[], T],
        done: Callable[[T], object] | None = None,
        failed: Callable[[AppError], object] | None = None,
    ) -> None:
        """Do `work` on a thread; then `done` with its result, or `failed` with its AppError. `owner` is the object whose
        end makes both void."""
        if self._closed:
            return

        def bring(future: Future[T]) -> None:
            if not self._closed and shiboken6.isValid(self) and not future.cancelled():
                self._ended.emit(lambda: self._deliver(owner, future, done, failed))

        self._pool.submit(work).add_done_callback(bring)

    def close(self, *, finish: bool = False) -> None:
        """Let what runs end by itself and start nothing more (with `finish`, what waits its turn is done too); outcomes are not
        told any more."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=not finish)

    def _call(self, closure: Callable[[], None]) -> None:
        closure()

    def _deliver(
        self,
        owner: QObject,
        future: Future[Any],
        done: Callable[[Any], object] | None,
        failed: Callable[[AppError], object] | None,
    ) -> None:
        if self._closed or not shiboken6.isValid(owner):
            return
        fault = future.exception()
        if fault is None:
            if done is not None:
                done(future.result())
            return
        if not isinstance(fault, AppError):
            log.error("a task failed", exc_info=fault)
            fault = BugError("bug", "That did not work", f"An error of ours came up ({type(fault).__name__}).", "See the log.")
        (failed or self.faulted.emit)(fault)
