"""When passes are made, what is said of them, and how the thread ends; with a source that the test drives."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tray_app.errors import AppError, KnownError
from tray_app.records import Counters, IndexReport, Progress
from tray_app.ui import indexer_thread
from tray_app.ui.indexer_thread import IndexerThread


class Source:
    """Counts passes; `during` runs in each of them."""

    def __init__(self) -> None:
        self.wake = threading.Event()
        self.passes = 0
        self.fills = 0
        self.filling: Callable[[Callable[[], bool]], bool] = lambda stop: True
        self.during: Callable[[Callable[[Progress], None], Callable[[], bool]], None] = lambda report, stop: None
        self.changed: Callable[[], None] | None = None
        self.watch_fault: Exception | None = None
        self.watches = 0

    def index_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> IndexReport:
        self.wake.clear()
        self.passes += 1
        self.during(report, stop)
        return IndexReport(totals=Counters(), sources=(), problems=(), elapsed_s=0.0, stopped=stop())

    def embed_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> bool:
        self.fills += 1
        return self.filling(stop)

    def watch(self, stop: Callable[[], bool], changed: Callable[[], None]) -> None:
        self.watches += 1
        if self.watch_fault is not None:
            raise self.watch_fault
        self.changed = changed
        while not stop():
            time.sleep(0.005)


class Rig:
    def __init__(self, **settings: Any) -> None:
        self.source = Source()
        self.settings = {"index.watch": True, "index.sweep_minutes": 30, **settings}
        self.pause = 0.0
        self.clock: Callable[[], float] = time.monotonic
        self.wall: Callable[[], float] = time.time
        self.thread = IndexerThread(
            self.source, self.settings.__getitem__, lambda: self.pause, clock=lambda: self.clock(), wall=lambda: self.wall()
        )
        self.states: list[str] = []
        self.reports: list[IndexReport] = []
        self.faults: list[AppError] = []
        self.progress: list[Progress] = []
        self.watching: list[bool] = []
        self.thread.state_changed.connect(self.states.append)
        self.thread.passed.connect(self.reports.append)
        self.thread.failed.connect(self.faults.append)
        self.thread.progressed.connect(self.progress.append)
        self.thread.watching_changed.connect(self.watching.append)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SETTLE_S": 0.02, "LEAST_GAP_S": 0.05, "LONGEST_WAIT_S": 0.2, "PAUSE_LOOK_S": 0.01}.items():
        monkeypatch.setattr(indexer_thread, name, value)


@pytest.fixture
def rig(qapp: Any) -> Iterator[Rig]:
    made = Rig()
    yield made
    assert made.thread.end(2000)


def test_a_pass_at_the_start_then_rest(qtbot: QtBot, rig: Rig) -> None:
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.states == ["indexing", "idle"] and len(rig.reports) == 1)
    qtbot.wait(300)
    assert rig.source.passes == 1


def test_vectors_are_made_after_a_pass_and_again_when_told_so(qtbot: QtBot, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer_thread, "FILL_AGAIN_S", 0.05)
    outcomes = iter([False, False])
    rig.source.filling = lambda stop: next(outcomes, True)
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.fills >= 3)
    assert rig.source.passes == 1
    assert rig.states == ["indexing", "idle"]


def test_a_change_interrupts_vectors_within_a_second(qtbot: QtBot, rig: Rig) -> None:
    stops: list[float] = []

    def fill(stop: Callable[[], bool]) -> bool:
        while not stop():
            time.sleep(0.01)
        stops.append(time.monotonic())
        return False

    rig.source.filling = fill
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.fills == 1)
    begun = time.monotonic()
    rig.thread.changed()
    qtbot.waitUntil(lambda: rig.source.passes == 2)
    assert stops[0] - begun < 1
    rig.pause = 60.0
    qtbot.waitUntil(lambda: rig.states[-1] == "paused")
    assert rig.thread.end(1000)


def test_vectors_that_fail_do_not_keep_it_from_reading(qtbot: QtBot, rig: Rig, allow_log: Callable[[str], None]) -> None:
    allow_log("vectors could not be made: ValueError")

    def fail(stop: Callable[[], bool]) -> bool:
        raise ValueError

    rig.source.filling = fail
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.fills == 1)
    rig.thread.update_now()
    qtbot.waitUntil(lambda: rig.source.passes == 2)
    qtbot.wait(100)
    assert rig.source.fills == 1
    assert rig.faults == []


def test_changes_are_gathered_into_one_pass(qtbot: QtBot, rig: Rig) -> None:
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes == 1 and rig.source.changed is not None)
    for _ in range(20):
        rig.thread.changed()
    qtbot.waitUntil(lambda: rig.source.passes == 2)
    qtbot.wait(150)
    assert rig.source.passes == 2


def test_a_stream_of_changes_does_not_keep_it_busy(qtbot: QtBot, rig: Rig) -> None:
    """The rest is at least eight times the pass, so that a file that grows all day costs about a ninth of a core."""
    rig.source.during = lambda report, stop: time.sleep(0.05)
    rig.thread.start()
    begin = time.monotonic()
    while time.monotonic() - begin < 1.5:
        rig.thread.changed()
        qtbot.wait(10)
    assert 2 <= rig.source.passes <= 5


def test_the_engine_can_ask_for_a_pass(qtbot: QtBot, rig: Rig) -> None:
    """A source ticked from the command line sets the engine's event, and is watched from then on."""
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes == 1)
    before = rig.source.watches
    rig.source.wake.set()
    qtbot.waitUntil(lambda: rig.source.passes == 2 and rig.source.watches > before)


def test_the_sweep_comes_without_a_word_from_the_system(qtbot: QtBot) -> None:
    rig = Rig(**{"index.sweep_minutes": 0.005, "index.watch": False})
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes >= 3)
    assert rig.source.watches == 0
    assert rig.thread.end(2000)


def test_where_nothing_can_be_watched_it_polls_and_says_so(qtbot: QtBot, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer_thread, "POLL_S", 0.1)
    rig.source.watch_fault = OSError(28, "No space left on device")
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.watching == [False])
    assert rig.thread.watching is False
    qtbot.waitUntil(lambda: rig.source.passes >= 3)


def test_watching_is_tried_again(qtbot: QtBot, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer_thread, "WATCH_AGAIN_S", (0.05,))
    monkeypatch.setattr(indexer_thread, "WATCH_HOLDS_S", 0.2)
    rig.source.watch_fault = OSError(24, "Too many open files")
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.watches >= 2)
    rig.source.watch_fault = None
    qtbot.waitUntil(lambda: rig.watching == [False, True])


def test_paused_from_the_start_makes_no_pass(qtbot: QtBot, rig: Rig) -> None:
    rig.pause = math.inf
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.states == ["paused"])
    rig.thread.update_now()
    qtbot.wait(100)
    assert rig.source.passes == 0
    rig.pause = 0.0
    rig.thread.look_again()
    qtbot.waitUntil(lambda: rig.source.passes == 1)
    assert rig.states[:2] == ["paused", "indexing"]


def test_a_pause_ends_by_itself(qtbot: QtBot, rig: Rig) -> None:
    end = time.monotonic() + 0.3
    rig.thread._pause_left = lambda: max(end - time.monotonic(), 0.0)
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes == 1)
    assert time.monotonic() >= end


def test_a_pause_stops_a_running_pass_which_is_made_again(qtbot: QtBot, rig: Rig) -> None:
    def work(report: Callable[[Progress], None], stop: Callable[[], bool]) -> None:
        while rig.source.passes == 1 and not stop():
            time.sleep(0.005)

    rig.source.during = work
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes == 1)
    rig.pause = math.inf
    qtbot.waitUntil(lambda: "paused" in rig.states)
    assert rig.reports[0].stopped
    rig.pause = 0.0
    rig.thread.look_again()
    qtbot.waitUntil(lambda: rig.source.passes == 2)


def test_the_end_interrupts_a_pass(qtbot: QtBot, rig: Rig) -> None:
    def work(report: Callable[[Progress], None], stop: Callable[[], bool]) -> None:
        while not stop():
            time.sleep(0.005)

    rig.source.during = work
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes == 1)
    begin = time.monotonic()
    assert rig.thread.end(1000)
    assert time.monotonic() - begin < 1.0


def test_progress_comes_at_most_ten_times_a_second(qtbot: QtBot, rig: Rig) -> None:
    def work(report: Callable[[Progress], None], stop: Callable[[], bool]) -> None:
        begin = time.monotonic()
        done = 0
        while time.monotonic() - begin < 0.45:
            done += 1
            report(Progress(phase="reading", done=done, total=1_000_000))
        report(Progress(phase="finishing"))

    rig.source.during = work
    rig.thread.start()
    qtbot.waitUntil(lambda: len(rig.reports) == 1)
    reading = [progress for progress in rig.progress if progress.phase == "reading"]
    assert 1 <= len(reading) <= 6
    assert rig.progress[-1].phase == "finishing"


def test_a_failed_pass_is_told_and_made_again_later(qtbot: QtBot, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer_thread, "FAULT_REST_S", (0.1,))

    def work(report: Callable[[Progress], None], stop: Callable[[], bool]) -> None:
        if rig.source.passes == 1:
            raise KnownError("disk_full", "Disk full", "The disk is full.", "Make room.")

    rig.source.during = work
    rig.thread.start()
    qtbot.waitUntil(lambda: len(rig.faults) == 1)
    assert rig.faults[0].code == "disk_full"
    assert rig.states == ["indexing", "failed"]
    qtbot.waitUntil(lambda: rig.source.passes == 2)
    qtbot.waitUntil(lambda: rig.states[-1:] == ["idle"])


def test_an_error_of_ours_does_not_end_the_thread(
    qtbot: QtBot, rig: Rig, monkeypatch: pytest.MonkeyPatch, allow_log: Callable[[str], None]
) -> None:
    allow_log("the pass ended by an error of ours")
    monkeypatch.setattr(indexer_thread, "FAULT_REST_S", (0.02,))

    def work(report: Callable[[Progress], None], stop: Callable[[], bool]) -> None:
        if rig.source.passes == 1:
            raise ZeroDivisionError

    rig.source.during = work
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes == 2)
    assert rig.faults[0].code == "bug"


def test_after_the_machine_slept_one_pass_comes_a_little_later(qtbot: QtBot, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer_thread, "WAKE_REST_S", 0.3)
    jump = [0.0]
    rig.wall = lambda: time.time() + jump[0]
    rig.thread.start()
    qtbot.waitUntil(lambda: rig.source.passes == 1 and rig.states[-1:] == ["idle"])
    qtbot.wait(100)
    woke = time.monotonic()
    jump[0] = 8 * 3600.0
    for _ in range(50):
        rig.thread.changed()
    qtbot.waitUntil(lambda: rig.source.passes == 2, timeout=3000)
    assert time.monotonic() - woke >= 0.25
    qtbot.wait(300)
    assert rig.source.passes <= 3
