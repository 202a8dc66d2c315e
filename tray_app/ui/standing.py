"""What only the tray application knows, for the check-up: whether its icon is in a tray, and how it stands with the key.

Owns what was last seen of both. The check-up asks on a thread of its own, and what it gets was looked at on the window's. Its texts
are English as all of the check-up's; Index health says them in the language in force.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, qVersion
from PySide6.QtGui import QGuiApplication

from tray_app.records import Finding
from tray_app.ui.hotkey.manager import Hotkey, HotkeyState
from tray_app.ui.hotkey_texts import COMMAND, HotkeyTexts
from tray_app.ui.tray import Tray

WAIT_S = 0.5
"""The window's thread looks anew when it is asked; where it is busy for longer, what it saw before counts."""


class _English(HotkeyTexts):
    @staticmethod
    def tr(text: str) -> str:
        return text


class Standing(QObject):
    _asked = Signal(object)
    """threading.Event, to be set when all was looked at."""

    def __init__(self, hotkey: Hotkey, tray: Tray, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hotkey, self._tray = hotkey, tray
        self._found: tuple[Finding, ...] = ()
        self._asked.connect(self._look)
        hotkey.changed.connect(lambda _state: self._look())
        tray.available.connect(lambda _there: self._look())

    def findings(self) -> Sequence[Finding]:
        """As it is now. From any thread."""
        done = threading.Event()
        self._asked.emit(done)
        done.wait(WAIT_S)
        return self._found

    def _look(self, done: threading.Event | None = None) -> None:
        self._found = (of_tray(self._tray.present), of_hotkey(self._hotkey.state))
        if done is not None:
            done.set()


def of_tray(present: bool) -> Finding:
    platform, version = QGuiApplication.platformName(), qVersion()
    where = {"platform": platform, "qt": version}
    if present:
        return Finding(
            code="tray_there", severity="ok", title="The icon is in the tray", detail=f"Qt {version} on {platform}.", remedy="", params=where
        )  # fmt: skip
    return Finding(
        code="tray_missing", severity="info", title="This desktop shows no tray", detail=f"Qt {version} on {platform} finds none; all else works.",
        remedy=f"On GNOME, install the extension AppIndicator. The window opens by the key, or with: {COMMAND}", params=where,
    )  # fmt: skip


def of_hotkey(state: HotkeyState) -> Finding:
    given = {
        "name": state.name,
        "key": state.text,
        "wanted": state.wanted,
        "reason": state.reason,
        "fixed": "1" if state.fixed else "",
    }
    sentence = _English().sentence(state)
    if state.name == "active" and not state.reason:
        return Finding(
            code="hotkey_active",
            severity="ok",
            title=f"{state.text or 'The key'} opens the search",
            detail=sentence,
            remedy="",
            params=given,
        )
    refused = state.name in ("taken", "active")
    return Finding(
        code="hotkey_refused" if refused else "hotkey_none", severity="warn" if refused else "info",
        title=f"The key {state.wanted} could not be had" if refused else "No key opens the search", detail=sentence,
        remedy=f"Choose another one under General in the settings, or bind this command to a key: {COMMAND}", params=given,
    )  # fmt: skip


def state_of(finding: Finding) -> HotkeyState:
    """The state that a finding was made of."""
    given = finding.params
    return HotkeyState(
        given.get("name", ""),
        given.get("key", ""),
        given.get("wanted", ""),
        given.get("reason", ""),
        fixed=bool(given.get("fixed")),
    )
