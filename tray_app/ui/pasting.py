"""Pasting into the window the person came from, where the setting and the system allow it: under X11.

Owns which window that was, and the order of things: the text stands in the clipboard while ours has the focus, ours hides,
the other gets the keys on a thread. What is pasted, and what is said when it could not be, is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QClipboard, QGuiApplication

from tray_app.desktop import paste_x11
from tray_app.desktop.paste_x11 import Keys, Window
from tray_app.ui import clipboard
from tray_app.ui.tasks import Tasks

KEY = "general.paste"
LEFT_MS = 200
"""After our windows lost the focus, the window manager has said by now who got it."""
HIDING_MS, HIDING_TRIES = 10, 20
"""A window shown again before the system has taken the focus from it would never count as active."""


def possible() -> bool:
    """Whether this system lets a program press keys for the person, without asking each time."""
    return QGuiApplication.platformName() == "xcb"


class Pasting(QObject):
    """One for the application; lives in the GUI thread. `setting` gives a setting's value by its key."""

    changed = Signal()
    """`ready` may be another now."""

    def __init__(self, setting: Callable[[str], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._setting = setting
        self._window: Window | None = None
        self._tasks = Tasks(self, threads=1)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._app_state_is)

    def close(self) -> None:
        self._tasks.close()

    @property
    def on(self) -> bool:
        return bool(self._setting(KEY)) and possible()

    @property
    def ready(self) -> bool:
        """There is a window to paste into."""
        return self.on and self._window is not None

    def remember(self) -> None:
        """Before a window of ours comes: the one that is active now. Ours do not count; from them one came from the same.
        A round trip or two to the display server, as showing a window is; none with the setting off."""
        if not self.on:
            return
        window = paste_x11.active_window()
        if window != self._window and not (window is not None and window.ours):
            self._window = window
            self.changed.emit()

    def setting_changed(self) -> None:
        self.changed.emit()

    def paste(self, text: str, hide: Callable[[], object], missed: Callable[[], object]) -> bool:
        """Paste what stands in the clipboard, `text`, after `hide`; `missed` if that could not be. False, and neither is
        called: there is nothing to paste into."""
        window = self._window
        if not self.on or window is None:
            return False

        def looked(keys: Keys | None) -> None:
            if keys is None:
                self._forget(missed)
                return
            if keys.primary:
                clipboard.put(text, QClipboard.Mode.Selection)
            hide()
            self._tasks.run(self, lambda: paste_x11.paste_into(window), lambda done: None if done else self._forget(missed))

        self._tasks.run(self, lambda: paste_x11.look_at(window), looked)
        return True

    def _forget(self, missed: Callable[[], object], tries: int = HIDING_TRIES) -> None:
        """That window takes nothing; it is not tried again."""
        focus = QGuiApplication.focusWindow()
        if focus is not None and not focus.isVisible() and tries:
            QTimer.singleShot(HIDING_MS, self, lambda: self._forget(missed, tries - 1))
            return
        self._window = None
        self.changed.emit()
        missed()

    def _app_state_is(self, state: Qt.ApplicationState) -> None:
        """The person may come back by a click from yet another window."""
        if state != Qt.ApplicationState.ApplicationActive and self.on:
            QTimer.singleShot(LEFT_MS, self, self.remember)
