"""One thread of our own for calls that may take long: what it does can be waited for, or left to finish.

Owns the thread and the order of what waits for it. A daemon: a call that hangs does not keep the program from ending.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

NICENESS = 10


class Job(Generic[T]):
    """Something that is being done. `result` raises what the call raised. `instead` is done in its place where it is given up, so
    that nobody waits for it in vain; without that, it is never done."""

    def __init__(self, call: Callable[[], T], instead: Callable[[], T] | None = None) -> None:
        self._call, self._instead = call, instead
        self._done = threading.Event()
        self._value: T | None = None
        self._fault: BaseException | None = None

    @property
    def done(self) -> bool:
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether it is done within so long."""
        return self._done.wait(seconds)

    def result(self) -> T:
        """What the call gave; only when done."""
        if self._fault is not None:
            raise self._fault
        return self._value  # type: ignore[return-value]

    def give_up(self) -> None:
        """It will not be done."""
        if self._instead is not None:
            self._call = self._instead
            self.run()

    def run(self) -> None:
        try:
            self._value = self._call()
        except BaseException as fault:  # whoever asks for the result gets it
            self._fault = fault
        finally:
            self._done.set()


class Worker:
    """Does jobs one after the other: the newest first where more than one waits, of which at most `most` are kept; an older one
    is given up (`Job`). `low`: others first, where the system lets a thread say so."""

    def __init__(self, name: str, *, most: int = 4, low: bool = False) -> None:
        self._name, self._most, self._low = name, most, low
        self._change = threading.Condition()
        self._waiting: deque[Job[object]] = deque()
        self._thread: threading.Thread | None = None
        self._busy = False

    def submit(self, job: Job[T]) -> Job[T]:
        with self._change:
            self._waiting.append(job)  # type: ignore[arg-type]
            oldest = self._waiting.popleft() if len(self._waiting) > self._most else None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._change.notify()
        if oldest is not None:
            oldest.give_up()  # not inside: it may take the lock of whoever submits
        return job

    def settle(self, seconds: float) -> bool:
        """Give up what waits, and wait at most so long for what is being done; whether nothing is."""
        with self._change:
            given_up = list(self._waiting)
            self._waiting.clear()
        for job in given_up:
            job.give_up()
        with self._change:
            return self._change.wait_for(lambda: not self._busy, seconds)

    def _run(self) -> None:
        if self._low and sys.platform.startswith("linux"):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while True:
            with self._change:
                if not self._change.wait_for(lambda: bool(self._waiting), IDLE_S):
                    self._thread = None
                    return
                job = self._waiting.pop()
                self._busy = True
            job.run()
            with self._change:
                self._busy = False
                self._change.notify_all()


IDLE_S = 60.0
"""A thread that had nothing to do for so long ends; the next job starts another."""
