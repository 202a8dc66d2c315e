"""Work off the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tray_app.errors import AppError, KnownError
from tray_app.ui.tasks import Tasks


@pytest.fixture
def tasks(app: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


def test_the_result_comes_back_to_the_gui_thread(tasks: Tasks, qtbot: QtBot) -> None:
    seen: list[tuple[bool, bool]] = []
    main = threading.get_ident()
    owner = QObject()
    tasks.run(owner, threading.get_ident, lambda worker: seen.append((worker != main, threading.get_ident() == main)))
    qtbot.waitUntil(lambda: seen == [(True, True)])


def test_an_error_goes_to_failed_or_to_everybody(tasks: Tasks, qtbot: QtBot) -> None:
    def work() -> None:
        raise KnownError("disk_full", "Disk full", "x")

    own: list[AppError] = []
    owner = QObject()
    tasks.run(owner, work, None, own.append)
    qtbot.waitUntil(lambda: [fault.code for fault in own] == ["disk_full"])
    with qtbot.waitSignal(tasks.faulted) as told:
        tasks.run(owner, work)
    assert told.args[0].code == "disk_full"


def test_a_bug_is_logged_and_told(tasks: Tasks, qtbot: QtBot, allow_log: Callable[[str], None]) -> None:
    allow_log("a task failed")
    own: list[AppError] = []
    owner = QObject()
    tasks.run(owner, lambda: 1 // 0, None, own.append)
    qtbot.waitUntil(lambda: [fault.code for fault in own] == ["bug"])


def test_nothing_comes_to_an_object_that_is_gone(tasks: Tasks, qtbot: QtBot) -> None:
    import shiboken6

    seen: list[int] = []
    owner, other, gate = QObject(), QObject(), threading.Event()
    tasks.run(owner, gate.wait, lambda _set: seen.append(1))
    shiboken6.delete(owner)
    gate.set()
    done: list[int] = []
    tasks.run(other, lambda: 2, done.append)
    qtbot.waitUntil(lambda: done == [2])
    qtbot.wait(30)
    assert seen == []


def test_nothing_comes_after_the_end(app: QApplication, qtbot: QtBot) -> None:
    made = Tasks()
    seen: list[int] = []
    owner, gate = QObject(), threading.Event()
    made.run(owner, gate.wait, lambda _set: seen.append(1))
    made.close()
    gate.set()
    made.run(owner, lambda: 1, seen.append)
    qtbot.wait(50)
    assert seen == []
