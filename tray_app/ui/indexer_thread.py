"""The thread that keeps the index up to date: loops `engine.index_once`, makes vectors while nothing is to be read, and waits.

Owns when a pass runs: at start, after a change (settled, and never so often that passing takes more than about a ninth
of the time), after the sweep interval, when asked, and after the machine woke up, a little later. Says what happens by
queued signals that carry frozen records, at most ten a second. Touches no widget and no database.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QObject, QThread, Signal

from tray_app.errors import AppError, BugError
from tray_app.records import IndexReport, Progress

log = logging.getLogger(__name__)

PROGRESS_S = 0.1
SETTLE_S = 1.0
"""A pass begins so long after the first change, so that a burst of writes is one pass."""
LEAST_GAP_S = 2.0
GAP_TIMES_PASS = 8
"""The rest between two passes is at least this many times the length of the last one."""
POLL_S = 60.0
"""The rest between passes where the system tells of no changes."""
LONGEST_WAIT_S = 30.0
PAUSE_LOOK_S = 1.0
FILL_AGAIN_S = 3.0
"""So long after vectors could not all be made, because a service rests or a pass came in between, it is tried again."""
WAKE_JUMP_S = 60.0
"""Clock and monotonic clock apart by more than this during one wait: the machine slept."""
WAKE_REST_S = 10.0
FAULT_REST_S = (30.0, 60.0, 120.0, 300.0, 600.0)
WATCH_AGAIN_S = (5.0, 30.0, 120.0, 600.0)
WATCH_HOLDS_S = 1.0
NICENESS = 10


class IndexSource(Protocol):
    """What the engine gives this thread."""

    wake: threading.Event
    """Set by the engine when a pass is wanted at once (a source ticked, a rule changed), whoever asked."""

    def index_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> IndexReport: ...

    def embed_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> bool:
        """Make vectors of what has none. True: nothing is left to do before something changes; False: call again."""
        ...

    def watch(self, stop: Callable[[], bool], changed: Callable[[], None]) -> None:
        """Blocks; calls `changed()` when a source's folder changes; returns on stop. Raises where it cannot watch."""
        ...


class IndexerThread(QThread):
    """`pause_left` gives the seconds that indexing is paused for (0: not paused, inf: until resumed), wherever the pause
    was asked for. `setting` reads `index.watch` and `index.sweep_minutes`."""

    progressed = Signal(object)
    """Progress"""
    passed = Signal(object)
    """IndexReport of a pass that ended or was stopped."""
    failed = Signal(object)
    """AppError: a pass could not be made. It is tried again later."""
    state_changed = Signal(str)
    """idle | indexing | paused | failed"""
    watching_changed = Signal(bool)
    """False: the system tells of no changes; sources are looked at every minute."""

    def __init__(
        self,
        source: IndexSource,
        setting: Callable[[str], Any],
        pause_left: Callable[[], float],
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("indexer")
        self._source, self._setting, self._pause_left = source, setting, pause_left
        self._clock, self._wall = clock, wall
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._nudged = False
        """The engine's event was set by us, to compute anew what is due."""
        self._asked = True
        self._changed_at: float | None = None
        self._not_before = float("-inf")
        self._last_end = float("-inf")
        self._last_length = 0.0
        self._faults = 0
        self._rearm = threading.Event()
        self._state = ""
        self._watching = True
        self._last_progress = float("-inf")
        self._pause_looked = float("-inf")
        self._paused = False
        self._fill_faults = 0
        self._fill_at = float("-inf")

    # --- called from other threads ---------------------------------------------------------------------------------
    def update_now(self) -> None:
        """Make a pass as soon as possible, whatever the rest between passes; not while paused."""
        with self._lock:
            self._asked = True
            self._not_before = float("-inf")
        self._nudge()

    def look_again(self) -> None:
        """Pause, sources or settings are different: look at them now."""
        self._pause_looked = float("-inf")
        self._rearm.set()
        self._nudge()

    def changed(self) -> None:
        """Something in a source's folder is new."""
        with self._lock:
            first = self._changed_at is None
            if first:
                self._changed_at = self._clock()
        if first:
            self._nudge()

    def end(self, wait_ms: int = 1000) -> bool:
        """Stop at the next file border. True when the thread has ended within the time."""
        self._stop.set()
        self._rearm.set()
        self._nudge()
        return self.wait(wait_ms)

    @property
    def state(self) -> str:
        return self._state

    @property
    def watching(self) -> bool:
        return self._watching

    # --- the thread ------------------------------------------------------------------------------------------------
    def run(self) -> None:
        _lower_priority(self)
        watcher = threading.Thread(target=self._watch, name="watch", daemon=True)
        watcher.start()
        while not self._stop.is_set():
            left = self._pause_left()
            self._paused = left > 0
            if self._paused:
                self._say("paused")
                self._rest(min(left, LONGEST_WAIT_S))
                continue
            rest = self._due_in()
            if rest > 0:
                if self._state != "failed":
                    self._say("idle")
                self._rest(rest if self._fill() else min(max(self._fill_at - self._clock(), 0.0), self._due_in()))
                continue
            self._make_pass()
        self._rearm.set()
        watcher.join(0.5)

    def _fill(self) -> bool:
        """Make vectors until a pass is due; whether nothing is left to do."""
        if self._clock() < self._fill_at:
            return False
        try:
            done = self._source.embed_once(lambda progress: None, self._must_read)
            self._fill_faults = 0
        except Exception as fault:
            # Reading goes on: words find without vectors. A full or damaged disk is told by the next pass.
            log.warning("vectors could not be made: %s", fault if isinstance(fault, AppError) else type(fault).__name__)
            rest = FAULT_REST_S[min(self._fill_faults, len(FAULT_REST_S) - 1)]
            self._fill_faults += 1
            self._fill_at = self._clock() + rest
            return False
        if not done:
            self._fill_at = self._clock() + FILL_AGAIN_S
        return done

    def _must_read(self) -> bool:
        """A pass is due, or something was asked of this thread."""
        return self._must_stop() or self._source.wake.is_set() or self._due_in() <= 0

    def _due_in(self) -> float:
        """Seconds until the next pass is due; 0: now."""
        now = self._clock()
        with self._lock:
            if self._asked:
                due = now
            else:
                interval = float(self._setting("index.sweep_minutes")) * 60
                if not self._watching:
                    interval = min(interval, POLL_S)
                due = self._last_end + interval
                if self._changed_at is not None:
                    gap = max(LEAST_GAP_S, GAP_TIMES_PASS * self._last_length)
                    due = min(due, max(self._changed_at + SETTLE_S, self._last_end + gap))
            due = max(due, self._not_before)
        return max(due - now, 0.0)

    def _rest(self, seconds: float) -> None:
        """Wait, at most `LONGEST_WAIT_S`, until something is asked; notices that the machine slept meanwhile."""
        before, before_wall = self._clock(), self._wall()
        if self._source.wake.wait(min(seconds, LONGEST_WAIT_S)):
            self._source.wake.clear()
            with self._lock:
                own, self._nudged = self._nudged, False
                self._asked = self._asked or not own
            if not own:
                self._rearm.set()
        passed, passed_wall = self._clock() - before, self._wall() - before_wall
        if abs(passed_wall - passed) > WAKE_JUMP_S or passed > LONGEST_WAIT_S + WAKE_JUMP_S:
            with self._lock:
                # Everything wakes up at once then; one pass, after the others have had their turn.
                self._asked = True
                self._not_before = self._clock() + WAKE_REST_S

    def _make_pass(self) -> None:
        with self._lock:
            self._asked = False
            self._changed_at = None
        self._say("indexing")
        start = self._clock()
        try:
            report = self._source.index_once(self._report, self._must_stop)
        except AppError as fault:
            self._fault(fault)
        except Exception as fault:
            log.exception("the pass ended by an error of ours")
            self._fault(
                BugError("bug", "Indexing stopped", f"An error ended the pass ({type(fault).__name__}).", "See the log.")
            )
        else:
            self._faults = 0
            if report.stopped:
                with self._lock:
                    self._asked = True
            self._say("idle")
            self.passed.emit(report)
        with self._lock:
            self._last_end = self._clock()
            self._last_length = self._last_end - start

    def _fault(self, fault: AppError) -> None:
        rest = FAULT_REST_S[min(self._faults, len(FAULT_REST_S) - 1)]
        self._faults += 1
        with self._lock:
            self._asked = True
            self._not_before = self._clock() + rest
        self._say("failed")
        self.failed.emit(fault)

    def _must_stop(self) -> bool:
        if self._stop.is_set():
            return True
        now = self._clock()
        if now - self._pause_looked >= PAUSE_LOOK_S:
            self._pause_looked = now
            self._paused = self._pause_left() > 0
        return self._paused

    def _report(self, progress: Progress) -> None:
        now = self._clock()
        if now - self._last_progress >= PROGRESS_S or progress.phase != "reading":
            self._last_progress = now
            self.progressed.emit(progress)

    def _say(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)

    def _nudge(self) -> None:
        with self._lock:
            self._nudged = True
        self._source.wake.set()

    # --- the helper thread that waits for the system's word --------------------------------------------------------
    def _watch(self) -> None:
        faults = 0
        while not self._stop.is_set():
            self._rearm.clear()
            rest: float | None = None
            if self._setting("index.watch"):
                # After a fault, only a watch that has held for a while counts as one.
                holds = threading.Timer(WATCH_HOLDS_S, self._tell_watching, (True,))
                holds.daemon = True
                if faults:
                    holds.start()
                try:
                    self._source.watch(lambda: self._stop.is_set() or self._rearm.is_set(), self.changed)
                    faults = 0
                except Exception as fault:
                    # Whatever the reason (too many watches, a network folder), asking every minute still works.
                    log.info("changes are not told here (%s); looking every minute", fault)
                    rest = WATCH_AGAIN_S[min(faults, len(WATCH_AGAIN_S) - 1)]
                    faults += 1
                holds.cancel()
                if faults:
                    self._tell_watching(False)
            if not self._stop.is_set() and not self._rearm.is_set():
                self._rearm.wait(rest if rest is not None else LONGEST_WAIT_S)

    def _tell_watching(self, watching: bool) -> None:
        if watching != self._watching:
            self._watching = watching
            self._nudge()
            self.watching_changed.emit(watching)


def _lower_priority(thread: QThread) -> None:
    """Others first. On Linux niceness belongs to the thread; elsewhere Qt knows how."""
    if sys.platform.startswith("linux"):
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        except OSError as fault:
            log.info("the indexer keeps its priority: %s", fault)
    else:
        thread.setPriority(QThread.Priority.LowPriority)
