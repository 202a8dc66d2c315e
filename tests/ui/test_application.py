"""What ties the windows, the tray, the key and the indexer together; off screen, with a backend of samples."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from handovers import HandoverDouble
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from surroundings import Login, SettledBackend

from tray_app.desktop import autostart
from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.records import Counters, IndexReport, Progress
from tray_app.state import State
from tray_app.ui import application as application_module
from tray_app.ui import notices, theme
from tray_app.ui.application import Application
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.first_run import FirstRun
from tray_app.ui.hotkey.base import Grabbed, Outcome, Press, Refused, Sequence
from tray_app.ui.hotkey.manager import HotkeyState
from tray_app.ui.window_commands import pause_left


class Engine:
    """An engine whose passes the test begins and ends."""

    def __init__(self) -> None:
        self.wake = threading.Event()
        self.passes = 0
        self.pause: tuple[bool, str | None] = (False, None)
        self.fault: KnownError | None = None
        self.warmed = self.namings = 0

    def embed_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> bool:
        return True

    def index_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> IndexReport:
        self.wake.clear()
        self.passes += 1
        if self.fault is not None:
            raise self.fault
        report(Progress(phase="reading", done=1, total=2))
        return IndexReport(totals=Counters(chunks=20, sessions=2), sources=(), problems=(), elapsed_s=0.0)

    def watch(self, stop: Callable[[], bool], changed: Callable[[], None]) -> None:
        while not stop():
            time.sleep(0.005)

    def paused(self) -> tuple[bool, str | None]:
        return self.pause

    def warm(self) -> None:
        self.warmed += 1

    def name_topics(self, stop: Callable[[], bool]) -> int:
        self.namings += 1
        return 1 if self.namings == 1 else 0


class Keys:
    """A hotkey back end that grants all but `taken`."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.press: Callable[[Press], None] = lambda press: None

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        if str(sequence) in self.taken:
            return Refused("taken", str(sequence))
        self.press = pressed
        return Grabbed(str(sequence), lambda: None)

    def close(self) -> None:
        """Nothing is held."""


class Stage:
    def __init__(self, app: QApplication, folder: Path) -> None:
        self.app = app
        self.backend, self.engine, self.keys, self.login = SettledBackend(), Engine(), Keys(), Login()
        self.paths = Paths.from_environment({"BACKSCROLL_HOME": str(folder)}).ensure()
        self.state = State(self.paths.state_file)
        self.state.change(first_run_done=True)
        self.application: Application | None = None

    def make(self) -> Application:
        self.application = Application(self.app, self.backend, self.engine, self.paths, self.backend.real, self.state)
        return self.application


@pytest.fixture
def stage(app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    made = Stage(app, tmp_path)
    monkeypatch.setattr(application_module, "choose", lambda describe, platform: made.keys)
    monkeypatch.setattr(autostart, "for_this_system", lambda: made.login)
    yield made
    if made.application is not None:
        assert made.application.end()
        application = made.application
        for window in (application.window, application.settings_dialog, application.health_window, application.handover):
            if window is not None:
                window.deleteLater()
        made.application.deleteLater()
    app.setQuitOnLastWindowClosed(True)
    app.processEvents()


def test_an_ordinary_start_opens_the_window(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=False)
    assert application.window.isVisible()
    qtbot.waitUntil(lambda: stage.engine.passes == 1)
    qtbot.waitUntil(lambda: application.tray.facts.passages == 12_345)
    assert application.tray.facts.skipped == 3
    assert application.tray.facts.hotkey == "Ctrl+Alt+Space"


def test_in_the_background_nothing_opens(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=True)
    qtbot.waitUntil(lambda: stage.engine.passes == 1)
    assert not any(window.isVisible() for window in (application.window, application.first_run) if window is not None)


def test_the_key_shows_and_hides(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=True)
    stage.keys.press(Press())
    qtbot.waitUntil(lambda: application.window.isVisible() and application.window.isActiveWindow())
    qtbot.wait(220)
    stage.keys.press(Press())
    qtbot.waitUntil(lambda: not application.window.isVisible())


def test_other_processes_may_ask(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=True)
    threading.Thread(target=application.commands.show).start()
    qtbot.waitUntil(lambda: application.window.isVisible() and application.window.isActiveWindow())
    threading.Thread(target=application.commands.toggle).start()
    qtbot.waitUntil(lambda: not application.window.isVisible())


def test_first_run_comes_first_and_once(stage: Stage, qtbot: QtBot) -> None:
    stage.state.change(first_run_done=False)
    application = stage.make()
    application.start(background=False)
    assert isinstance(application.first_run, FirstRun)
    assert not application.window.isVisible()
    first = application.first_run
    qtbot.waitUntil(lambda: len(first.found.chosen()) == 5)
    for _ in range(4):
        first.go_on.click()
    assert application.first_run is None
    assert application.window.isVisible()
    qtbot.waitUntil(lambda: ("kimi", True) in stage.backend.asked("set_source"))
    assert ("index.days", 0) in stage.backend.asked("set_config")
    assert stage.state.read().first_run_done is True
    assert stage.login.on is False


def test_in_the_background_the_first_run_waits_for_the_person(stage: Stage, qtbot: QtBot) -> None:
    stage.state.change(first_run_done=False)
    application = stage.make()
    application.start(background=True)
    assert application.first_run is None
    application.show_window()
    first = application.first_run
    assert first is not None and first.isVisible()
    application.toggle_window()
    assert application.first_run is first
    first.skip.click()
    assert application.window.isVisible()
    qtbot.wait(50)
    assert stage.backend.asked("set_source") == []


def test_first_run_turns_on_the_start_at_login(stage: Stage, qtbot: QtBot) -> None:
    stage.state.change(first_run_done=False)
    application = stage.make()
    application.start(background=False)
    first = application.first_run
    assert first is not None
    first.key.login.setChecked(True)
    for _ in range(4):
        first.go_on.click()
    qtbot.waitUntil(lambda: stage.login.on)


def test_a_key_that_fails_leaves_the_old_one_and_the_setting(stage: Stage, qtbot: QtBot) -> None:
    stage.keys.taken.add("Ctrl+Alt+X")
    application = stage.make()
    application.start(background=True)
    application.open_settings("general")
    dialog = application.settings_dialog
    assert dialog is not None
    dialog.keyWanted.emit("Ctrl+Alt+X")
    assert "Ctrl+Alt+X is taken by another program." in dialog.general.key_state.words.text()
    assert stage.backend.real["general.hotkey"] == "Ctrl+Alt+Space"
    dialog.keyWanted.emit("Ctrl+Alt+B")
    qtbot.waitUntil(lambda: stage.backend.real["general.hotkey"] == "Ctrl+Alt+B")
    dialog.keyWanted.emit("")
    qtbot.waitUntil(lambda: stage.backend.real["general.hotkey"] == "")
    assert application.hotkey.state == HotkeyState("unset")


def test_a_key_that_is_taken_at_the_start_is_told(stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "TELL_MS", 5)
    stage.keys.taken.add("Ctrl+Alt+Space")
    application = stage.make()
    notes: list[str] = []
    monkeypatch.setattr(application.tray, "note", lambda title, text, warning=False: notes.append(text))
    application.start(background=True)
    qtbot.waitUntil(lambda: notes == ["Ctrl+Alt+Space is taken by another program."])
    application.tray.noteClicked.emit()
    assert application.settings_dialog is not None and application.settings_dialog.isVisible()


@pytest.mark.parametrize("wanted", [True, False])
def test_hides_when_left_only_where_wanted(stage: Stage, monkeypatch: pytest.MonkeyPatch, wanted: bool) -> None:
    stage.backend.real.set("general.hide_on_blur", wanted)
    application = stage.make()
    application.start(background=False)
    monkeypatch.setattr(QApplication, "applicationState", staticmethod(lambda: Qt.ApplicationState.ApplicationInactive))
    application._hide_if_left()
    assert application.window.isVisible() is not wanted


def test_the_present_key_while_recording_is_recorded_not_obeyed(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=True)
    application.open_settings("general")
    dialog = application.settings_dialog
    assert dialog is not None
    dialog.general.key.start()
    stage.keys.press(Press())
    assert not dialog.general.key.recording
    assert not application.window.isVisible()


def test_settings_are_felt_at_once(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=True)
    application.open_settings()
    dialog = application.settings_dialog
    assert dialog is not None
    dialog.keep("general.theme", "dark")
    qtbot.waitUntil(lambda: theme.current().name == "dark")
    dialog.keep("general.language", "zh_CN")
    qtbot.waitUntil(lambda: dialog.windowTitle() == "设置")
    assert application.menu.settings.text() == "设置…"
    dialog.keep("general.tray_icon", "light")
    qtbot.waitUntil(lambda: application.tray._shown == ("idle", "on-light"))


def test_the_search_window_makes_room(stage: Stage) -> None:
    application = stage.make()
    application.start(background=False)
    application.window.settingsRequested.emit()
    assert application.settings_dialog is not None and application.settings_dialog.isVisible()
    assert not application.window.isVisible()


def test_a_failed_pass_is_shown_once(stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    application = stage.make()
    monkeypatch.setattr(application.tray, "note", lambda title, text, warning=False: notes.append(title))
    stage.engine.fault = KnownError("disk_full", "Disk full", "The disk is full.", "")
    application.start(background=True)
    qtbot.waitUntil(lambda: application.tray.facts.state == "attention")
    assert application.tray.facts.attention == "The disk is full. Nothing more is read until there is room."
    application.update_now()
    qtbot.waitUntil(lambda: stage.engine.passes == 2)
    qtbot.wait(50)
    assert notes == ["Disk full"]
    stage.engine.fault = None
    application.update_now()
    qtbot.waitUntil(lambda: application.tray.facts.state == "idle")
    assert application.tray.facts.attention == ""


def test_pause_from_the_tray(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=True)
    qtbot.waitUntil(lambda: stage.engine.passes == 1)

    def pause(name: str, argument: Any) -> None:
        if name == "pause":
            stage.engine.pause = (True, None)

    stage.backend.before = pause
    application.menu.pause_open_end.trigger()
    qtbot.waitUntil(lambda: application.tray.facts.state == "paused")
    assert stage.backend.asked("pause") == [None]
    stage.engine.pause = (False, None)
    application.menu.resume.trigger()
    qtbot.waitUntil(lambda: application.tray.facts.state == "idle")


@pytest.mark.parametrize("agreed", [True, False])
def test_rebuild_asks_first(stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, agreed: bool) -> None:
    def ask(cls: type, parent: QWidget | None, *texts: str) -> bool:
        return agreed

    monkeypatch.setattr(ConfirmDialog, "ask", classmethod(ask))
    application = stage.make()
    application.start(background=True)
    application.menu.rebuild.trigger()
    if agreed:
        qtbot.waitUntil(lambda: stage.backend.asked("rebuild") == [None])
    else:
        qtbot.wait(50)
        assert stage.backend.asked("rebuild") == []


def test_without_tray_and_key_closing_ends_the_program(stage: Stage, qtbot: QtBot) -> None:
    stage.keys.taken.add("Ctrl+Alt+Space")
    application = stage.make()
    application.start(background=True)
    assert not QGuiApplication.quitOnLastWindowClosed()
    application.tray.available.emit(False)
    assert QGuiApplication.quitOnLastWindowClosed()
    assert application.window.isVisible()
    assert application.notices.no_tray_words().startswith("This desktop has no tray. ")
    application.tray.available.emit(True)
    assert not QGuiApplication.quitOnLastWindowClosed()


def test_without_tray_the_key_is_named(stage: Stage) -> None:
    application = stage.make()
    application.start(background=True)
    application.tray.available.emit(False)
    assert not QGuiApplication.quitOnLastWindowClosed()
    words = "This desktop has no tray. Ctrl+Alt+Space and the application menu still open this window."
    assert application.notices.no_tray_words() == words


def test_the_end_is_quick_and_can_be_asked_twice(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=False)
    qtbot.waitUntil(lambda: stage.engine.passes == 1)
    begin = time.monotonic()
    assert application.end()
    assert application.end()
    assert time.monotonic() - begin < 1.0
    assert application.indexer.isFinished()


def test_pause_left() -> None:
    assert pause_left(False, None) == 0
    assert pause_left(True, None) == math.inf
    later = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    assert 290 < pause_left(True, later) <= 300
    assert pause_left(True, "2020-01-01T00:00:00Z") == 0


def test_the_window_has_loaded_what_a_question_needs(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=True)
    assert stage.engine.warmed == 0
    application.show_window()
    qtbot.waitUntil(lambda: stage.engine.warmed == 1)


def test_what_is_said_of_meaning_leads_to_its_settings(stage: Stage) -> None:
    application = stage.make()
    application.start(background=False)
    application.window.meaningRequested.emit()
    dialog = application.settings_dialog
    assert dialog is not None and dialog.isVisible()
    assert dialog.stack.currentWidget() is dialog.meaning


def test_days_that_were_named_are_asked_for_again(stage: Stage, qtbot: QtBot) -> None:
    application = stage.make()
    application.start(background=False)
    qtbot.waitUntil(lambda: stage.engine.namings == 1 and len(stage.backend.asked("topics")) >= 2)
    application._setting_changed("topics.maker", "ollama")
    qtbot.waitUntil(lambda: stage.engine.namings == 2)


def test_the_hand_over_opens_from_the_menu_and_from_the_search_window(stage: Stage, qtbot: QtBot) -> None:
    stage.backend = HandoverDouble()
    application = stage.make()
    application.start(background=False)
    application.menu.handover.trigger()
    window = application.handover
    assert window is not None and window.isVisible() and not application.window.isVisible()
    qtbot.waitUntil(lambda: window.flow.project == "tide-api")
    application.window.handoverRequested.emit("ledger")
    assert application.handover is window
    qtbot.waitUntil(lambda: window.flow.project == "ledger")


def test_the_session_of_a_draft_is_read_in_the_search_window(stage: Stage, qtbot: QtBot) -> None:
    stage.backend = HandoverDouble()
    application = stage.make()
    application.start(background=True)
    application.open_handover()
    assert application.handover is not None
    application.handover.session_wanted.emit("codex", "r-2")
    qtbot.waitUntil(lambda: application.window.pane.view is not None and application.window.pane.view.session == "r-2")
    assert application.window.isVisible()
