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
from typing import TYPE_CHECKING, Any

from tray_app.errors import AppError
from tray_app.service.backend import Backend

if TYPE_CHECKING:
    import asyncio

log = logging.getLogger(__name__)

IDLE_S = 60.0
"""As owner, the files are let go of after so long without a question."""
FRESH_S = 600.0
"""Where no tray reads, what is new is read again after so long, when something is asked."""
FIRST_S = 10.0
"""How long the very first question waits for the first reading."""
MAKING_S = 0.5
"""How long the end waits for a connection that is just being made."""
WORKERS = 32
"""Calls at the same time. A call that was cancelled may still hold its thread until its pass is done."""


def folder_here() -> str:
    """The folder this server was started in, which is that of its agent; '' where there is none any more."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


class Link:
    """`backend` is whoever answers, here or in another process. `make` connects."""

    def __init__(self, make: Callable[[], Backend], folder: str) -> None:
        self.folder = folder
        self._make = make
        self._lock = threading.Lock()
        self._backend: Backend | None = None
        self._reading = threading.Lock()
        self._looked_at = self._read_at = float("-inf")

    def backend(self) -> Backend:
        """Raises KnownError when nobody can answer now; the next call tries again."""
        with self._lock:
            if self._backend is None:
                self._backend = self._make()
            return self._backend

    def keep_fresh(self, backend: Backend) -> None:
        """Where no tray does it, read what is new in the background from time to time: also for an owner that is a server
        like this one, which is not asked for anything by its own agent."""
        if time.monotonic() - self._looked_at > FRESH_S:
            self._looked_at = time.monotonic()
            self._begin_reading(backend)

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
        self._begin_reading(backend, wanted=True).join(FIRST_S)
        return True

    def close(self) -> None:
        """Let go. A connection that is only being made just now is not waited for: nobody has been answered on it."""
        if not self._lock.acquire(timeout=MAKING_S):
            return
        try:
            backend, self._backend = self._backend, None
        finally:
            self._lock.release()
        close: Callable[[], None] | None = getattr(backend, "close", None)
        if close is not None:
            close()

    def _begin_reading(self, backend: Backend, *, wanted: bool = False) -> threading.Thread:
        reading = threading.Thread(target=self._read, args=(backend, wanted), name="mcp-reading", daemon=True)
        reading.start()
        return reading

    def _read(self, backend: Backend, wanted: bool) -> None:
        """A pass, unless there was one just now. `wanted`: even where a tray makes them."""
        with self._reading:
            if time.monotonic() - self._read_at < FRESH_S:
                return
            try:
                status = backend.status()
                tended = status.owner.kind == "tray"
                if status.paused or (tended and not wanted) or not any(source.enabled for source in status.sources):
                    return
                self._read_at = time.monotonic()
                backend.index(vectors=True)
            except AppError as error:
                log.info("what is new was not read: %s", error.code)
            except Exception:
                log.exception("what is new was not read")


def soon(loop: asyncio.AbstractEventLoop, act: Callable[[], object]) -> None:
    """Have the loop do something, from a thread; nothing where it has ended, for nobody waits any more."""
    try:
        loop.call_soon_threadsafe(act)
    except RuntimeError:
        return


class Workers:
    """Threads that carry out calls, as many as are busy at once. They are daemons: a call that hangs on a lost owner does not
    keep the process alive."""

    def __init__(self, most: int = WORKERS) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], Any]] = queue.SimpleQueue()
        self._most, self._count, self._under_way = most, 0, 0
        self._lock = threading.Lock()

    def begin(self, job: Callable[[], Any]) -> None:
        """Carry out a job, which raises nothing."""
        with self._lock:
            self._under_way += 1
            if self._under_way > self._count < self._most:
                self._count += 1
                threading.Thread(target=self._work, name=f"mcp-call-{self._count}", daemon=True).start()
        self._jobs.put(job)

    def _work(self) -> None:
        while True:
            try:
                self._jobs.get()()
            finally:
                with self._lock:
                    self._under_way -= 1
