"""First run: nothing is agreed to that was not gone on from."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from surroundings import SettledBackend

from tray_app.ui.first_run import Choices, FirstRun, carry_out
from tray_app.ui.folder_dialog import FolderDialog
from tray_app.ui.hotkey.manager import HotkeyState
from tray_app.ui.source_rows import SourceTick
from tray_app.ui.tasks import Tasks


@pytest.fixture
def settled() -> SettledBackend:
    return SettledBackend()


@pytest.fixture
def run(app: QApplication, qtbot: QtBot, settled: SettledBackend) -> Iterator[FirstRun]:
    tasks = Tasks()
    made = FirstRun(settled, tasks)
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: len(made.found.chosen()) == 5)
    yield made
    tasks.close()


def ticks(run: FirstRun) -> list[SourceTick]:
    return [tick for tick in run.findChildren(SourceTick) if not tick.isHidden()]


def finished(run: FirstRun, qtbot: QtBot, act: object) -> Choices:
    with qtbot.waitSignal(run.finished) as done:
        act()  # type: ignore[operator]
    assert not run.isVisible()
    choices: Choices = done.args[0]
    return choices


def test_enter_goes_through_all_four_steps(run: FirstRun, qtbot: QtBot) -> None:
    titles = []
    for _ in range(3):
        titles.append((run.step_words.text(), run.title.text()))
        QTest.keyClick(run, Qt.Key.Key_Return)
    titles.append((run.step_words.text(), run.title.text()))
    assert titles == [
        ("Step 1 of 4", "Find what was said"),
        ("Step 2 of 4", "What may Backscroll read?"),
        ("Step 3 of 4", "How far back?"),
        ("Step 4 of 4", "One key to find it"),
    ]
    assert run.go_on.text() == "Start"
    run.key.login.click()
    choices = finished(run, qtbot, lambda: QTest.keyClick(run, Qt.Key.Key_Return))
    everything = ("claude_code", "codex", "kimi", "memory", "codex:/archive")
    assert choices == Choices(sources=everything, days=0, login=True)


def test_skipped_at_once_agrees_to_nothing(run: FirstRun, qtbot: QtBot) -> None:
    assert finished(run, qtbot, lambda: QTest.keyClick(run, Qt.Key.Key_Escape)) == Choices(None, None, None)


def test_closing_the_window_is_skipping(run: FirstRun, qtbot: QtBot) -> None:
    assert finished(run, qtbot, run.close) == Choices(None, None, None)


def test_skipped_in_the_middle_keeps_what_was_agreed_to(run: FirstRun, qtbot: QtBot) -> None:
    run.go_on.click()
    ticks(run)[2].click()
    run.go_on.click()
    assert finished(run, qtbot, run.skip.click) == Choices(("claude_code", "codex", "memory", "codex:/archive"), None, None)


def test_back_keeps_the_answers(run: FirstRun) -> None:
    assert not run.back.isEnabled()
    run.go_on.click()
    ticks(run)[0].click()
    run.back.click()
    run.go_on.click()
    assert not ticks(run)[0].isChecked()


def test_the_sum_of_what_is_ticked(run: FirstRun) -> None:
    assert run.found.sum.text() == "497 sessions, 15 files, 656 MB"
    ticks(run)[3].click()
    assert run.found.sum.text() == "497 sessions, 655 MB"
    for tick in ticks(run):
        tick.setChecked(False)
    assert run.found.sum.text() == "0 sessions"


def test_the_whole_row_ticks(run: FirstRun) -> None:
    run.go_on.click()
    tick = ticks(run)[0]
    QTest.mouseClick(tick, Qt.MouseButton.LeftButton, pos=tick.rect().center())
    assert not tick.isChecked()
    QTest.keyClick(tick, Qt.Key.Key_Space)
    assert tick.isChecked()
    assert tick.accessibleName() == "Claude Code, 318 sessions, 412 MB"


def test_what_it_will_cost(run: FirstRun, qtbot: QtBot, settled: SettledBackend) -> None:
    qtbot.waitUntil(lambda: run.time._status is not None)
    run.time.set_figures(msgspec.structs.replace(settled.status(), sources=()), 0, 500_000, None)
    assert run.time.days() == 0
    assert run.time.cost.text() == "At most 66,000 passages and 197 MB on disk; about 2 min of reading in the background."
    run.time._radios[90].setChecked(True)
    assert run.time.cost.text() == "At most 66,000 passages, 197 MB on disk and 2 min of reading in the background."
    for tick in ticks(run):
        tick.setChecked(False)
    assert run.time.cost.text() == "There is nothing to read yet."


def test_what_it_will_cost_by_an_index_that_is_there(run: FirstRun, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: run.time._status is not None)
    run.time._radios[30].setChecked(True)
    own = "About 2,300 passages, 40.3 MB on disk and 1 min of reading in the background, by this machine's own figures."
    assert run.time.cost.text() == own


def test_a_folder_added_by_hand_is_ticked(run: FirstRun, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FolderDialog, "ask", classmethod(lambda cls, agents, parent=None: ("dsh", "/old")))
    ticks(run)[0].click()
    run.found.add.click()
    qtbot.waitUntil(lambda: "dsh:/old" in run.found.chosen())
    assert "claude_code" not in run.found.chosen()


def test_nothing_found(app: QApplication, qtbot: QtBot, settled: SettledBackend) -> None:
    settled.listed = [source for source in settled.listed if not source.found]
    tasks = Tasks()
    made = FirstRun(settled, tasks)
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: settled.asked("sources") != [] and made.found._loaded)
    assert made.found._note.text().startswith("No sessions were found.")
    assert made.found.sum.text() == ""
    tasks.close()


def test_the_key_shows_its_state(run: FirstRun, qtbot: QtBot) -> None:
    run.set_hotkey(HotkeyState("taken", "", "Ctrl+Alt+Space", "taken"))
    assert run.key.key_state.words.text() == "Ctrl+Alt+Space is taken by another program."
    run._go(3)
    run.key.key.start()
    with qtbot.waitSignal(run.keyWanted) as wanted:
        QTest.keyClick(run.key.key, Qt.Key.Key_F9)
    assert wanted.args == ["F9"]


def test_carried_out(settled: SettledBackend) -> None:
    known = settled.sources()
    carry_out(settled, Choices(("kimi", "memory"), 90, None), known)
    assert settled.asked("set_config") == [("index.days", 90)]
    assert settled.asked("set_source") == [
        ("claude_code", False),
        ("codex", False),
        ("kimi", True),
        ("codex:/archive", False),
    ]
    settled.calls.clear()
    carry_out(settled, Choices(None, None, None), known)
    assert settled.calls == []
