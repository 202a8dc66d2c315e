"""Questions go to a worker; only the newest answer comes back, on the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from waiting import wait_until

from tray_app.errors import AppError, KnownError
from tray_app.ui.queries import Lane

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def lane() -> Iterator[Lane]:
    made = Lane("test")
    yield made
    made.close()


def never(fault: object) -> None:
    raise AssertionError(f"not expected: {fault}")


def test_a_stale_answer_is_dropped(lane: Lane) -> None:
    gate = threading.Event()
    came: list[str] = []

    def slow() -> str:
        gate.wait(5)
        return "old"

    lane.ask(slow, came.append, never)
    lane.ask(lambda: "skipped", came.append, never)  # never starts: a newer one follows
    lane.ask(lambda: "new", came.append, never)
    gate.set()
    wait_until(lambda: bool(came))
    assert came == ["new"]
    assert not lane.busy


def test_answers_come_on_the_gui_thread(lane: Lane) -> None:
    threads: list[str] = []
    lane.ask(lambda: threads.append(threading.current_thread().name), lambda _value: threads.append("gui"), never)
    wait_until(lambda: len(threads) == 2)
    assert threads[0].startswith("ui-test")
    assert threads[1] == "gui"


def test_errors_are_told(lane: Lane) -> None:
    told: list[AppError] = []

    def fails() -> None:
        raise KnownError("disk_full", "Disk full", "No room.")

    lane.ask(fails, never, told.append)
    wait_until(lambda: bool(told))
    assert told[0].code == "disk_full"


def test_an_unforeseen_error_is_logged_and_told(lane: Lane, caplog: pytest.LogCaptureFixture) -> None:
    told: list[AppError] = []
    lane.ask(lambda: [][1], never, told.append)
    wait_until(lambda: bool(told))
    assert (told[0].code, told[0].message) == ("backend_failed", "IndexError")
    assert "IndexError" in caplog.text


def test_nothing_comes_after_the_end(lane: Lane) -> None:
    gate = threading.Event()
    lane.ask(lambda: gate.wait(5), never, never)
    lane.close()
    gate.set()
    lane.ask(lambda: 1, never, never)
    assert not lane.busy
