"""Looking at what may be slow: a folder on a disk that does not answer, a keyring that waits for a person.

Owns the time each look has. They run side by side; one that does not end in time, or that fails, becomes a finding, and one that
hangs is not begun a second time before it has ended.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from tray_app.errors import AppError
from tray_app.insight.findings import finding
from tray_app.records import Finding
from tray_app.worker import Job

log = logging.getLogger(__name__)

T = TypeVar("T")

LIMIT_S = 5.0
"""All looks together have so long; what is usual is a tenth of a second."""


class Looks(Generic[T]):
    """One for a program. Safe from several threads."""

    def __init__(self, seconds: float = LIMIT_S) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._late: dict[str, Job[T]] = {}
        """Looks that did not end in their time."""

    def run(self, looks: Mapping[str, Callable[[], T]]) -> tuple[dict[str, T], list[Finding]]:
        """What each look gave, by its name; and a finding for each that gave nothing."""
        jobs = {name: self._begun(name, look) for name, look in looks.items()}
        ends = time.monotonic() + self._seconds
        given: dict[str, T] = {}
        found: list[Finding] = []
        for name, job in jobs.items():
            if job is None:
                found.append(_not_checked(name, "it hangs since the last check-up"))
            elif not job.wait(max(ends - time.monotonic(), 0.0)):
                with self._lock:
                    self._late[name] = job
                found.append(_not_checked(name, f"no answer within {self._seconds:g} s"))
            else:
                try:
                    given[name] = job.result()
                except AppError as fault:
                    found.append(_not_checked(name, fault.message.rstrip(".")))
                except Exception as fault:
                    log.warning("the check-up could not look at %s (%s: %s)", name, type(fault).__name__, fault)
                    found.append(_not_checked(name, type(fault).__name__))
        return given, found

    def _begun(self, name: str, look: Callable[[], T]) -> Job[T] | None:
        with self._lock:
            late = self._late.get(name)
            if late is not None and not late.done:
                return None
            self._late.pop(name, None)
        job = Job(look)
        threading.Thread(target=job.run, name=f"check-{name}", daemon=True).start()
        return job


WORDS = {
    "files": "the session files",
    "proof": "sessions read once more",
    "keyring": "the keyring",
    "agents": "the configs of agents",
    "leftovers": "our own folders",
    "log": "the log",
    "backups": "the backups of memory",
    "service": "the socket",
    "tray": "the tray",
}


def _not_checked(name: str, reason: str) -> Finding:
    return finding(
        "not_checked", "warn", f"Not checked: {WORDS.get(name, name)}", f"{reason[:1].upper()}{reason[1:]}.",
        "See whether its disk or service answers, then check again: backscroll doctor", what=name, reason=reason,
    )  # fmt: skip
