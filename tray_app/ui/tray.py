"""The icon in the tray: its state, its tooltip, its clicks, and the few notes it may show.

Owns the QSystemTrayIcon and waits for a tray that comes later than we do (login). Nothing in the application depends on
it: without a tray every way in still works.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon

from tray_app.ui import icons
from tray_app.ui.tray_menu import TrayFacts, TrayMenu, TrayTexts

LOOK_MS = 1000
LOOKS = 30
LATER_MS = 60_000
NOTE_GAP_S = 60.0
TOOLTIP_CHARS = 127
"""What Windows shows of a tooltip."""


class Tray(QObject):
    toggled = Signal()
    """A left click, where the system gives them to us."""
    available = Signal(bool)
    """True: the icon is there. False: no tray came within half a minute (it is still looked for)."""
    noteClicked = Signal()

    def __init__(self, menu: TrayMenu, panel: str, parent: QObject | None = None, system: str = sys.platform) -> None:
        """`panel`: auto | light | dark, what the icon is drawn for."""
        super().__init__(parent)
        self.facts = TrayFacts()
        self._menu, self._panel, self._system = menu, panel, system
        self._texts = TrayTexts()
        self._icon = QSystemTrayIcon(self)
        self._icon.setContextMenu(menu.menu)
        self._icon.activated.connect(self._activated)
        self._icon.messageClicked.connect(self.noteClicked)
        self._shown: tuple[str, str] | None = None
        self._looks = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _scheme: self._draw())
        self._draw()

    @property
    def present(self) -> bool:
        """Whether the icon is in a tray. Never ask QSystemTrayIcon.isVisible: it is true with no tray at all."""
        return self._icon.isVisible() and QSystemTrayIcon.isSystemTrayAvailable()

    def start(self) -> None:
        """Show the icon now, or as soon as there is a tray."""
        self._look()

    def set_facts(self, **changes: Any) -> None:
        """Fields of TrayFacts that are different now."""
        facts = replace(self.facts, **changes)
        if facts == self.facts:
            return
        self.facts = facts
        self._menu.facts = facts
        self._menu.refresh()
        self._tell()
        self._draw()

    def set_panel(self, panel: str) -> None:
        self._panel = panel
        self._draw()

    def retranslate(self) -> None:
        self._menu.refresh()
        self._tell()

    def note(self, title: str, text: str, *, warning: bool = False) -> None:
        """A notification. Callers see to it that it is rare, and that it holds no conversation text."""
        if self.present and QSystemTrayIcon.supportsMessages():
            kind = QSystemTrayIcon.MessageIcon.Warning if warning else QSystemTrayIcon.MessageIcon.Information
            self._icon.showMessage(title, text, kind)

    def close(self) -> None:
        self._timer.stop()
        self._icon.hide()

    def _look(self) -> None:
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._timer.stop()
            self._icon.show()
            self._tell()
            self.available.emit(True)
            return
        self._looks += 1
        if self._looks == LOOKS:
            self.available.emit(False)
        # At login the panel may come after us; one that comes much later is still used.
        self._timer.start(LOOK_MS if self._looks < LOOKS else LATER_MS)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        # On macOS any click opens the menu. A double click is two single ones, the second of which comes as its own
        # reason and must not undo the first.
        if self._system != "darwin" and reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.toggled.emit()

    def _tell(self) -> None:
        text = self._texts.tooltip(self.facts)
        short = text if len(text) <= TOOLTIP_CHARS else text[: TOOLTIP_CHARS - 1] + "…"
        if self._icon.toolTip() != short:
            self._icon.setToolTip(short)

    def _draw(self) -> None:
        wanted = (self.facts.state, icon_variant(self._panel, self._system))
        if wanted != self._shown:
            self._shown = wanted
            self._icon.setIcon(icons.tray_icon(*wanted))


def icon_variant(panel: str, system: str) -> str:
    """on-light | on-dark | mask: which drawing the panel asks for."""
    if system == "darwin":
        return "mask"
    if panel in ("light", "dark"):
        return f"on-{panel}"
    if system == "win32" and _windows_taskbar_is_light():
        return "on-light"
    # No panel of Linux tells its colour; nearly all are dark.
    return "on-dark"


def _windows_taskbar_is_light() -> bool:
    import winreg

    path = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
    registry: Any = winreg
    try:
        with registry.OpenKey(registry.HKEY_CURRENT_USER, path) as key:
            return bool(registry.QueryValueEx(key, "SystemUsesLightTheme")[0])
    except OSError:
        return False
