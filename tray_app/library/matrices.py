"""The matrix of one library in memory: loaded in a thread when first asked for, kept up to date by increments, given back.

Owns when it is loaded; what is in it is `vectors`' business. Nobody who asks waits unless he says so.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from tray_app.errors import KnownError
from tray_app.library.matrix import Matrix

log = logging.getLogger(__name__)

LEAST_GAP_S = 1.0
GAP_TIMES_LOAD = 10
"""The rest between two loads is at least this many times the length of the last one: while vectors are being filled in, each
search would load some."""
FAULT_REST_S = 30.0


class Matrices:
    """`load(key, former)` gives the matrix of a space, or None where it cannot be had now. Safe from several threads."""

    def __init__(self, load: Callable[[str, Matrix | None], Matrix | None]) -> None:
        self._load = load
        self._changed = threading.Condition()
        self._key = ""
        self._matrix: Matrix | None = None
        self._state = 0
        self._loaded = -1
        self._loading = False
        self._not_before = float("-inf")
        self._used = float("-inf")

    def of(self, key: str, wait_s: float = 0.0) -> Matrix | None:
        """The matrix of a space, perhaps one load older than the library; None while there is none, for which up to `wait_s`
        seconds are waited."""
        with self._changed:
            self._used = time.monotonic()
            if key != self._key:
                self._key, self._matrix, self._loaded, self._not_before = key, None, -1, float("-inf")
            if self._loaded != self._state and not self._loading and self._used >= self._not_before:
                self._loading = True
                threading.Thread(target=self._run, name="vectors", daemon=True).start()
            if self._matrix is None and wait_s > 0:
                self._changed.wait_for(lambda: self._matrix is not None or not self._loading, wait_s)
            return self._matrix

    def outdated(self) -> None:
        """The library is another than it was."""
        with self._changed:
            self._state += 1

    def drop(self) -> None:
        """Forget the matrix."""
        with self._changed:
            self._key, self._matrix, self._loaded = "", None, -1

    @property
    def holds(self) -> bool:
        return self._matrix is not None

    def release_idle(self, seconds: float) -> bool:
        """Forget it when nobody asked for so long; whether it is still held."""
        with self._changed:
            if self._matrix is not None and time.monotonic() - self._used >= seconds:
                self._key, self._matrix, self._loaded = "", None, -1
            return self._matrix is not None or self._loading

    def _run(self) -> None:
        with self._changed:
            key, former, state = self._key, self._matrix, self._state
        started = time.monotonic()
        made, rest = None, 0.0
        try:
            made = self._load(key, former)
        except KnownError as fault:
            log.warning("vectors could not be loaded: %s", fault.code)
            rest = FAULT_REST_S
        except Exception:
            log.exception("vectors could not be loaded")
            rest = FAULT_REST_S
        finally:
            with self._changed:
                self._loading = False
                now = time.monotonic()
                if key == self._key:
                    if former is not None:
                        rest = max(rest, LEAST_GAP_S, GAP_TIMES_LOAD * (now - started))
                    self._not_before = now + rest
                    if made is not None:
                        self._matrix, self._loaded = made, state
                self._changed.notify_all()
