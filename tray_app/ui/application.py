"""The running tray application: who is told what when something happens.

Owns the windows, the tray, the hotkey and the indexer thread, and what ties them together. Lives in the GUI thread; every
call to the backend goes through `Tasks`.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from tray_app.desktop import autostart
from tray_app.paths import Paths
from tray_app.records import Status
from tray_app.service.backend import Backend
from tray_app.settings import Settings
from tray_app.state import State
from tray_app.ui import i18n, theme
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.controls import FocusRing
from tray_app.ui.first_run import Choices, FirstRun, carry_out
from tray_app.ui.handover_window import HandoverWindow
from tray_app.ui.health_window import HealthWindow
from tray_app.ui.hotkey.base import Press
from tray_app.ui.hotkey.manager import Hotkey, HotkeyState, choose
from tray_app.ui.index_news import IndexNews
from tray_app.ui.indexer_thread import IndexerThread
from tray_app.ui.notices import Notices
from tray_app.ui.pasting import Pasting
from tray_app.ui.reading_cost import Speed
from tray_app.ui.search_window import SearchWindow
from tray_app.ui.settings_dialog import SettingsDialog
from tray_app.ui.standing import Standing
from tray_app.ui.tasks import Tasks
from tray_app.ui.topic_namer import TopicNamer
from tray_app.ui.tray import Tray
from tray_app.ui.tray_menu import TrayMenu
from tray_app.ui.window_commands import Indexing, WindowCommands, pause_left

log = logging.getLogger(__name__)

BLUR_MS = 150
"""The focus may be between two of our own windows for so long."""


class Application(QObject):
    """`engine` also indexes, where this process is the owner (it is, in the tray)."""

    def __init__(
        self, app: QApplication, backend: Backend, engine: Indexing, paths: Paths, settings: Settings, state: State
    ) -> None:
        super().__init__(app)
        self._app, self._backend, self._engine = app, backend, engine
        self._paths, self._settings, self._state = paths, settings, state
        self._ended = False
        self._first_run_due = False
        self.commands = WindowCommands(self)
        self.tasks = Tasks(self)
        theme.apply(app, settings["general.theme"])
        i18n.install(app, settings["general.language"])
        self.ring = FocusRing(app)
        self.pasting = Pasting(settings.__getitem__, self)
        self.window = SearchWindow(backend, state, settings, pasting=self.pasting)
        self.settings_dialog: SettingsDialog | None = None
        self.health_window: HealthWindow | None = None
        self.handover: HandoverWindow | None = None
        self.first_run: FirstRun | None = None
        self.menu = TrayMenu(self)
        self.tray = Tray(self.menu, settings["general.tray_icon"], self)
        self.hotkey = Hotkey(choose(self._hotkey_words, QGuiApplication.platformName()), self)
        self.standing = Standing(self.hotkey, self.tray, self)
        self.notices = Notices(app, self.tray, self.hotkey, self.window, self)
        self.indexer = IndexerThread(engine, settings.__getitem__, lambda: pause_left(*engine.paused()), self)
        self.speed = Speed(self)
        self.indexer.passed.connect(self.speed.learn)
        self.namer = TopicNamer(engine, self)
        self.indexer.passed.connect(lambda _report: self.namer.look())
        self.news = IndexNews(self.indexer, backend, self.tasks, self.tray, self.window, self)
        self._connect()

    # --- beginning and end -----------------------------------------------------------------------------------------
    def start(self, *, background: bool) -> None:
        """Show the tray, take the key, begin to index, and open what is to be seen first."""
        self._app.setQuitOnLastWindowClosed(False)
        self.tray.start()
        if self.hotkey.apply(self._settings["general.hotkey"]).name == "taken":
            self.notices.tell_key_later()
        self.news.ask_status()
        self.indexer.start()
        self._first_run_due = not self._state.read().first_run_done
        if not background:
            self.show_window()

    def end(self) -> bool:
        """Let go of everything. True when nothing of ours runs any more."""
        if self._ended:
            return True
        self._ended = True
        self.notices.end()
        self.news.close()
        self.namer.end()
        self.hotkey.close()
        self.tray.close()
        self._make_room()
        self.window.shut_down()
        if self.handover is not None:
            self.handover.shut_down()
        for window in (self.settings_dialog, self.health_window, self.first_run, self.handover):
            if window is not None:
                window.hide()
        self.pasting.close()
        self.tasks.close()
        return self.indexer.end()

    def quit(self) -> None:
        self._app.quit()

    def _connect(self) -> None:
        self.commands.toggleAsked.connect(self.toggle_window)
        self.commands.showAsked.connect(self.show_window)
        self.commands.quitAsked.connect(self.quit)
        self.menu.searchChosen.connect(self.show_window)
        self.menu.pauseChosen.connect(self.pause)
        self.menu.resumeChosen.connect(self.resume)
        self.menu.updateChosen.connect(self.update_now)
        self.menu.rebuildChosen.connect(self.ask_rebuild)
        self.menu.handoverChosen.connect(self.open_handover)
        self.menu.healthChosen.connect(self.open_health)
        self.menu.settingsChosen.connect(self.open_settings)
        self.menu.quitChosen.connect(self.quit)
        self.tray.toggled.connect(lambda: self.toggle_window())
        self.tasks.faulted.connect(self.notices.faulted)
        self.notices.window_wanted.connect(self.show_window)
        self.notices.health_wanted.connect(self.open_health)
        self.notices.settings_wanted.connect(self.open_settings)
        self.hotkey.pressed.connect(self._pressed)
        self.hotkey.changed.connect(self._hotkey_is)
        self.news.readFirst.connect(self.notices.read_first)
        self.news.troubled.connect(self.notices.troubled)
        self.window.healthRequested.connect(self.open_health)
        self.window.settingsRequested.connect(self.open_settings)
        self.window.handoverRequested.connect(self.open_handover)
        self.window.presented.connect(
            lambda: self.tasks.run(self, self._engine.warm, failed=lambda fault: log.info("%s", fault))
        )
        self.namer.named.connect(self.window.topics_changed)
        self.window.flow.status_came.connect(self.news.status_is)
        self.window.meaningRequested.connect(lambda: self.open_settings("meaning"))
        self._app.applicationStateChanged.connect(self._app_state_is)

    def _app_state_is(self, state: Qt.ApplicationState) -> None:
        active = state == Qt.ApplicationState.ApplicationActive
        if active and sys.platform == "darwin" and not self._any_window():
            # A second start only brings us to the front there, and there may be no icon in the menu bar.
            self.show_window()
        elif not active:
            QTimer.singleShot(BLUR_MS, self, self._hide_if_left)

    def _hide_if_left(self) -> None:
        """The person clicked elsewhere, and wants the window to go then."""
        left = self._app.applicationState() != Qt.ApplicationState.ApplicationActive
        asking = self._app.activeModalWidget() is not None or self._app.activePopupWidget() is not None
        if (
            left
            and not asking
            and not self.notices.no_tray
            and self.window.isVisible()
            and self._settings["general.hide_on_blur"]
        ):
            self.window.dismiss()

    # --- the window ------------------------------------------------------------------------------------------------
    def show_window(self) -> None:
        """Bring the window; before the first run is done, the first run."""
        if self._first_run_due:
            self._open_first_run()
            return
        self._when_hidden_for_good(self.window.present)

    def toggle_window(self, press: Press | None = None) -> None:
        """Bring the window, or hide it if it has the keyboard. `press`: of the key that did it, for the focus."""
        if self._first_run_due:
            self._open_first_run()
            return

        def toggle() -> None:
            self.window.toggle()
            activate = getattr(self.hotkey.backend, "activate", None)
            if activate is not None and press is not None and press.time and self.window.isVisible():
                QTimer.singleShot(0, self, lambda: activate(int(self.window.winId()), press.time))

        self._when_hidden_for_good(toggle)

    def _when_hidden_for_good(self, then: Callable[[], None], tries: int = 10) -> None:
        """A window shown again before the system has taken the focus from it would never count as active: Qt has
        forgotten that it was, and no news of it comes. So that is waited for, some milliseconds."""
        handle = self.window.windowHandle()
        leaving = not self.window.isVisible() and handle is not None and QGuiApplication.focusWindow() == handle
        if leaving and tries:
            QTimer.singleShot(10, self, lambda: self._when_hidden_for_good(then, tries - 1))
        else:
            then()

    def _pressed(self, press: Press) -> None:
        recorder = self._recorder()
        if recorder is not None:
            recorder.take(self.hotkey.state.text)
            return
        if press.token:
            os.environ["XDG_ACTIVATION_TOKEN"] = press.token
        self.toggle_window(press)

    def _recorder(self) -> Any:
        """The field that waits for a key now, if any."""
        fields = []
        if self.settings_dialog is not None:
            fields.append(self.settings_dialog.general.key)
        if self.first_run is not None:
            fields.append(self.first_run.key.key)
        return next((field for field in fields if field.recording), None)

    def _any_window(self) -> bool:
        return any(window.isVisible() for window in self._app.topLevelWidgets())

    # --- indexing --------------------------------------------------------------------------------------------------
    def pause(self, minutes: float | None) -> None:
        self.tasks.run(self, lambda: self._backend.pause(minutes), self._pause_changed)

    def resume(self) -> None:
        self.tasks.run(self, self._backend.resume, self._pause_changed)

    def update_now(self) -> None:
        self.indexer.update_now()

    def ask_rebuild(self) -> None:
        """Rebuild, after saying what that means."""
        agreed = ConfirmDialog.ask(
            self._parent(),
            self.tr("Rebuild the index?"),
            self.tr("Every session is read anew, in the background. Search goes on with what is in."),
            self.tr("Keep it"),
            self.tr("Rebuild index"),
        )
        if agreed:
            self.tasks.run(self, self._backend.rebuild, lambda _none: self.indexer.update_now())

    def _pause_changed(self, status: Status) -> None:
        self.indexer.look_again()
        self.news.status_is(status)

    def _sources_changed(self) -> None:
        self.indexer.look_again()
        self.indexer.update_now()

    # --- windows of their own --------------------------------------------------------------------------------------
    def open_settings(self, page: str = "") -> None:
        if self.settings_dialog is None:
            dialog = SettingsDialog(self._backend, self.tasks, self._paths, autostart.for_this_system(), speed=self.speed)
            dialog.settingChanged.connect(self._setting_changed)
            dialog.keyWanted.connect(self._key_wanted)
            dialog.sourcesChanged.connect(self._sources_changed)
            dialog.rereadWanted.connect(self.indexer.update_now)
            dialog.rebuildWanted.connect(self.ask_rebuild)
            dialog.cleared.connect(self._sources_changed)
            dialog.healthRequested.connect(self.open_health)
            dialog.set_hotkey(self.hotkey.state)
            self.settings_dialog = dialog
        self._make_room()
        self.settings_dialog.open(page)

    def open_health(self) -> None:
        if self.health_window is None:
            window = HealthWindow(self._backend, self.tasks)
            window.retryRequested.connect(self.update_now)
            window.settingsRequested.connect(self.open_settings)
            window.draftsRequested.connect(self.open_handover)
            window.rebuildRequested.connect(self.ask_rebuild)
            self.indexer.passed.connect(window.pass_ended)
            self.health_window = window
        self._make_room()
        self.health_window.open()

    def open_handover(self, project: str = "") -> None:
        """The hand-over of a project; of the one looked at last if none is named."""
        if self.handover is None:
            self.handover = HandoverWindow(self._backend, self.pasting)
            self.handover.session_wanted.connect(self._read_session)
        self._make_room()
        self.handover.open(project)

    def _read_session(self, agent: str, session: str) -> None:
        def read() -> None:
            self.window.present()
            self.window.open_session(agent, session)

        self._when_hidden_for_good(read)

    def _make_room(self) -> None:
        """The search window stays on top of all others, so it goes before another one of ours comes."""
        if self.window.isVisible():
            self.window.dismiss()

    def _open_first_run(self) -> None:
        if self.first_run is not None:
            self.first_run.raise_()
            self.first_run.activateWindow()
            return
        self.first_run = FirstRun(self._backend, self.tasks, speed=self.speed.bytes_a_second)
        self.first_run.finished.connect(self._first_run_done)
        self.first_run.keyWanted.connect(self._key_wanted)
        self.first_run.faulted.connect(self.notices.faulted)
        self.first_run.set_hotkey(self.hotkey.state)
        self.first_run.open()

    def _first_run_done(self, choices: Choices) -> None:
        assert self.first_run is not None
        known = self.first_run.found.known()
        self.first_run.deleteLater()
        self.first_run = None
        self._first_run_due = False
        self._remember(first_run_done=True)

        self.tasks.run(self, lambda: carry_out(self._backend, choices, known), lambda _none: self._sources_changed())
        if choices.login:
            self.tasks.run(self, lambda: autostart.for_this_system().set(True))
        self.show_window()

    def _remember(self, **fields: Any) -> None:
        try:
            self._state.change(**fields)
        except OSError as fault:
            log.warning("state was not kept: %s", fault.strerror)

    def _parent(self) -> Any:
        for window in (self.settings_dialog, self.health_window, self.handover, self.window):
            if window is not None and window.isVisible():
                return window
        return None

    # --- settings --------------------------------------------------------------------------------------------------
    def _setting_changed(self, key: str, value: object) -> None:
        if key == "general.theme":
            theme.apply(self._app, str(value))
        elif key == "general.language":
            i18n.install(self._app, str(value))
            self.tray.retranslate()
        elif key == "general.tray_icon":
            self.tray.set_panel(str(value))
        elif key == "general.paste":
            self.pasting.setting_changed()
        elif key.startswith("index."):
            self.indexer.look_again()
        elif key.startswith("meaning."):
            self.window.flow.refresh_status()
        elif key.startswith("topics."):
            self.window.topics_changed()
            self.namer.look(at_once=True)

    def _key_wanted(self, key: str) -> None:
        state = self.hotkey.apply(key)
        if not key or state.name == "waiting" or (state.name == "active" and not state.reason):
            self.tasks.run(self, lambda: self._backend.set_config("general.hotkey", key))

    def _hotkey_is(self, state: HotkeyState) -> None:
        self.tray.set_facts(hotkey=state.text if state.name == "active" and not state.fixed else "")
        for window in (self.settings_dialog, self.first_run):
            if window is not None:
                window.set_hotkey(state)

    def _hotkey_words(self) -> str:
        return self.tr("Open Backscroll's search")
