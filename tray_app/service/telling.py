"""Progress on its way to who asked, without the work waiting for it.

A caller that does not read (its terminal is held, or it was stopped) must not hold up a pass over the sessions, and with it
everybody else. So a thread sends what is reported, and the work only leaves it there.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

from tray_app.records import Progress

GAP_S = 0.1
"""Between two reports of reading, which come by the thousand."""
WAITING = 100
"""Reports that wait to be sent, at most: the oldest leave first."""


class Telling:
    """Used as a block around the work: when it ends, what was reported is sent, or the caller is gone. `send` raises OSError
    when it is."""

    def __init__(self, send: Callable[[Progress], None]) -> None:
        self._send, self._thread = send, threading.Thread(target=self._run, name="service-progress", daemon=True)
        self._reports: deque[Progress] = deque(maxlen=WAITING)
        self._changed = threading.Condition()
        self._ended, self._last = False, float("-inf")

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.phase == "reading" and now - self._last < GAP_S:
            return
        self._last = now
        with self._changed:
            self._reports.append(progress)
            self._changed.notify_all()
        if self._thread.ident is None:
            self._thread.start()

    def __enter__(self) -> Telling:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._reports or self._ended)
                if not self._reports:
                    return
                progress = self._reports.popleft()
            try:
                self._send(progress)
            except OSError:
                return  # the caller has gone; that does not stop the work
