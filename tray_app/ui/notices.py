"""What the person is told without having asked: notes of the tray, that there is no tray, and what follows for closing.

Owns where a click on the last note leads, and whether the program may live without a window. Opens nothing itself: what is
to be opened is given to it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from tray_app.errors import AppError, KnownError
from tray_app.ui import wording
from tray_app.ui.hotkey.manager import Hotkey
from tray_app.ui.hotkey_texts import HotkeyTexts
from tray_app.ui.search_window import SearchWindow
from tray_app.ui.tray import Tray

log = logging.getLogger(__name__)

TELL_MS = 1500
"""What was wrong at the start is told so much later: the tray has our icon by then."""


class Notices(QObject):
    window_wanted = Signal()
    health_wanted = Signal()
    settings_wanted = Signal(str)
    """A page of the settings."""

    def __init__(
        self, app: QApplication, tray: Tray, hotkey: Hotkey, window: SearchWindow, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._app, self._tray, self._hotkey, self._window = app, tray, hotkey, window
        self.no_tray = False
        self._ended = False
        self._leads: Callable[[], None] = self.window_wanted.emit
        tray.available.connect(self._tray_is)
        tray.noteClicked.connect(lambda: self._leads())
        hotkey.changed.connect(lambda _state: self._set_quit_rule())

    def end(self) -> None:
        """The program ends: nothing more is said."""
        self._ended = True

    # --- the tray ----------------------------------------------------------------------------------------------------
    def _tray_is(self, there: bool) -> None:
        self.no_tray = not there
        self._set_quit_rule()
        if there or self._ended:
            return
        log.info("no tray came")
        self.window_wanted.emit()
        self._window.foot.answer(self.no_tray_words(), "info", "text2")

    def no_tray_words(self) -> str:
        """That there is no tray, and what works instead."""
        first = self.tr("This desktop has no tray.")
        if self._hotkey.state.name == "active" and self._hotkey.state.text:
            second = self.tr("{key} and the application menu still open this window.").format(key=self._hotkey.state.text)
        elif os.environ.get("XDG_CURRENT_DESKTOP", "").upper().find("GNOME") >= 0:
            second = self.tr("Install the AppIndicator extension, or bind “backscroll toggle” to a key.")
        else:
            second = self.tr("Bind “backscroll toggle” to a key, or open Backscroll from the application menu.")
        return wording.two_sentences(first, second)

    def _set_quit_rule(self) -> None:
        """Without tray and key, a closed window could not be had back, and nobody would know that we run."""
        self._app.setQuitOnLastWindowClosed(self.no_tray and self._hotkey.state.name != "active")

    # --- notes -------------------------------------------------------------------------------------------------------
    def read_first(self, title: str, text: str) -> None:
        """The first index is finished; nobody needs a note who sees it."""
        if not self._window.isVisible():
            self._leads = self.window_wanted.emit
            self._tray.note(title, text)

    def troubled(self, title: str, text: str) -> None:
        """A pass failed."""
        self._leads = self.health_wanted.emit
        self._tray.note(title, text, warning=True)

    def tell_key_later(self) -> None:
        """The key could not be had at the start: said once, a moment later, with the way to choose another."""
        QTimer.singleShot(TELL_MS, self, self._tell_key)

    def _tell_key(self) -> None:
        if self._hotkey.state.name == "taken":
            self._leads = lambda: self.settings_wanted.emit("general")
            words = HotkeyTexts().sentence(self._hotkey.state)
            self._tray.note(self.tr("The hotkey is not active"), words, warning=True)

    def faulted(self, fault: AppError) -> None:
        """Something the person asked for did not work, and no window of its own can say so."""
        if not isinstance(fault, KnownError):
            log.error("%s", fault)
        if self._window.isVisible():
            self._window.foot.answer(wording.error_text(fault), "warn", "warn")
        else:
            self._tray.note(fault.title, wording.error_text(fault), warning=True)
