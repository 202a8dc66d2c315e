"""The way from the server to the owner of the files: made at the first call, and again when it was lost.

Owns the connection, the folder the server speaks for, and the reading of what is new where no tray does that. The tools are
answered on threads of its own, so that the protocol is answered meanwhile and the process can end at any time.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tray_app.errors import AppError
from tray_app.service.backend import Backend

log = logging.getLogger(__name__)

IDLE_S = 60.0
"""As owner, the files are let go of after so long without a question."""
FRESH_S = 600.0
"""Without a tray, what is new is read again after so long, when something is asked."""
FIRST_S = 10.0
"""How long the very first question waits for the first reading."""
WORKERS = 8


def folder_here() -> str:
    """The folder this server was started in, which is that of its agent; '' where there is none any more."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


class Link:
    """`backend` is whoever answers. `make` connects; `is_owner` says whether this process holds the files."""

    def __init__(
        self, make: Callable[[], Backend], folder: str, is_owner: Callable[[Backend], bool] = lambda backend: False
    ) -> None:
        self.folder = folder
        self._make, self._is_owner = make, is_owner
        self._lock = threading.Lock()
        self._backend: Backend | None = None
        self._reading = threading.Lock()
        self._read_at = float("-inf")

    def backend(self) -> Backend:
        """Raises KnownError when nobody can answer now; the next call tries again."""
        with self._lock:
            if self._backend is None:
                self._backend = self._make()
            return self._backend

    def keep_fresh(self, backend: Backend) -> None:
        """Without a tray nobody reads what is new: do it in the background from time to time."""
        if time.monotonic() - self._read_at > FRESH_S and self._is_owner(backend):
            threading.Thread(target=self._read, args=(backend,), name="mcp-reading", daemon=True).start()

    def warm(self) -> None:
        """Find the owner, or become it, before somebody waits for an answer. What fails is told to the first call."""
        try:
            self.keep_fresh(self.backend())
        except AppError as error:
            log.info("not connected yet: %s", error.code)
        except Exception:
            log.exception("not connected yet")

    def first_reading(self) -> bool:
        """Read what is ticked, for as long as somebody can be kept waiting; whether there was anything to read."""
        backend = self.backend()
        if not any(source.enabled for source in backend.sources()):
            return False
        reading = threading.Thread(target=self._read, args=(backend,), name="mcp-reading", daemon=True)
        reading.start()
        reading.join(FIRST_S)
        return True

    def close(self) -> None:
        with self._lock:
            backend, self._backend = self._backend, None
        close: Callable[[], None] | None = getattr(backend, "close", None)
        if close is not None:
            close()

    def _read(self, backend: Backend) -> None:
        with self._reading:
            if time.monotonic() - self._read_at < FRESH_S:
                return
            self._read_at = time.monotonic()
            try:
                if not backend.status().paused and any(source.enabled for source in backend.sources()):
                    backend.index(vectors=True)
            except AppError as error:
                log.info("what is new was not read: %s", error.code)
            except Exception:
                log.exception("what is new was not read")


class Workers:
    """Threads that carry out calls. They are daemons: a call that hangs on a lost owner does not keep the process alive."""

    def __init__(self, count: int = WORKERS) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], Any]] = queue.SimpleQueue()
        self._count, self._started = count, False
        self._lock = threading.Lock()

    def begin(self, job: Callable[[], Any]) -> None:
        """Carry out a job, which raises nothing."""
        with self._lock:
            if not self._started:
                self._started = True
                for number in range(self._count):
                    threading.Thread(target=self._work, name=f"mcp-call-{number}", daemon=True).start()
        self._jobs.put(job)

    def _work(self) -> None:
        while True:
            self._jobs.get()()
