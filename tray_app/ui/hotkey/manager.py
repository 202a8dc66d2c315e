"""The one hotkey of the application: its state, its presses, and a change of key that cannot lose the old one.

Owns the choice of back end, the wait of 200 ms between two presses, and asking again where a system may be ready later
(a desktop portal just after login). A new key is taken before the old one is let go of.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from tray_app.ui.hotkey.base import Grabbed, HotkeyBackend, Outcome, Press, Refused, SequenceFault, Unsupported, parse
from tray_app.ui.hotkey.none import NoHotkey

DEBOUNCE_S = 0.2
AGAIN_S = (2, 5, 15, 30, 60)


@dataclass(frozen=True)
class HotkeyState:
    """What the settings show. `name`: active | taken | unsupported | unset | waiting.

    `text` is the key in force ('' if none), `wanted` the one last asked for; they differ when a new key failed and the
    old one was kept. `reason` is a code of `base` or of SequenceFault.
    """

    name: str
    text: str = ""
    wanted: str = ""
    reason: str = ""
    detail: str = ""
    fixed: bool = False


class Hotkey(QObject):
    pressed = Signal(object)
    """Press"""
    changed = Signal(object)
    """HotkeyState"""

    def __init__(
        self, backend: HotkeyBackend, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.backend = backend
        self.state = HotkeyState("unset")
        self._clock = clock
        self._grabbed: Grabbed | None = None
        self._wanted = ""
        self._asked = 0
        self._last_press = float("-inf")
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._ask_again)
        self._tries = 0

    def apply(self, text: str) -> HotkeyState:
        """Take this key instead of the present one ('' takes none). The state says how that went."""
        self._tries = 0
        return self._apply(text.strip())

    def close(self) -> None:
        self._again.stop()
        if self._grabbed:
            self._grabbed.release()
            self._grabbed = None
        self.backend.close()

    def _apply(self, text: str) -> HotkeyState:
        self._again.stop()
        self._wanted = text
        self._asked += 1
        if not text:
            if self._grabbed:
                self._grabbed.release()
                self._grabbed = None
            return self._set(HotkeyState("unset"))
        try:
            sequence = parse(text)
        except SequenceFault as fault:
            return self._failed(Refused(fault.code, text))
        if self._grabbed and not self._grabbed.fixed and self._grabbed.text == str(sequence):
            return self._set(HotkeyState("active", self._grabbed.text, str(sequence)))
        asked = self._asked
        outcome = self.backend.grab(sequence, self._press, lambda later: self._settle_later(later, asked))
        return self._settle(outcome, asked)

    def _settle_later(self, outcome: Outcome, asked: int) -> None:
        self._settle(outcome, asked)

    def _settle(self, outcome: Outcome, asked: int) -> HotkeyState:
        """`asked` tells a late answer to an earlier question from one to the present question."""
        if asked != self._asked:
            return self.state
        if isinstance(outcome, Grabbed):
            old, self._grabbed = self._grabbed, outcome
            if old and not old.fixed:
                old.release()
            self._tries = 0
            return self._set(HotkeyState("active", outcome.text, self._wanted, fixed=outcome.fixed))
        if isinstance(outcome, Refused | Unsupported):
            return self._failed(outcome)
        return self._set(HotkeyState("waiting", wanted=self._wanted))

    def _failed(self, outcome: Refused | Unsupported) -> HotkeyState:
        if isinstance(outcome, Unsupported):
            self._grabbed = None
            if outcome.again:
                self._again.start(int(AGAIN_S[min(self._tries, len(AGAIN_S) - 1)] * 1000))
                self._tries += 1
            name = "unsupported"
        else:
            name = "active" if self._grabbed else "taken"
        text = self._grabbed.text if self._grabbed else ""
        return self._set(HotkeyState(name, text, self._wanted, outcome.reason, outcome.detail))

    def _ask_again(self) -> None:
        self._apply(self._wanted)

    def _set(self, state: HotkeyState) -> HotkeyState:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
        return state

    def _press(self, press: Press) -> None:
        # The moment of the press itself where the system tells it: we may have been busy since.
        now = press.time / 1000 if press.time else self._clock()
        quiet = not 0 <= now - self._last_press < DEBOUNCE_S
        # Measured from the last press seen, so that a key that repeats while it is held counts once.
        self._last_press = now
        if quiet:
            self.pressed.emit(press)


def choose(
    describe: Callable[[], str], platform_name: str, environ: Mapping[str, str] | None = None, system: str = sys.platform
) -> HotkeyBackend:
    """The back end for this system. `platform_name` is Qt's ('xcb', 'wayland', …); `describe` names the action."""
    env = os.environ if environ is None else environ
    if system == "win32":
        from tray_app.ui.hotkey.windows import WindowsHotkey

        return WindowsHotkey()
    if system == "darwin":
        from tray_app.ui.hotkey.macos import MacHotkey

        return MacHotkey()
    # Under XWayland a grab works only while an X window has the focus, so the session decides, not Qt's plugin.
    if platform_name.startswith("wayland") or (platform_name == "xcb" and env.get("WAYLAND_DISPLAY")):
        from tray_app.ui.hotkey.portal import PortalHotkey

        return PortalHotkey(describe, env)
    if platform_name == "xcb":
        from tray_app.ui.hotkey.x11 import X11Hotkey

        return X11Hotkey()
    return NoHotkey("not_this_system", platform_name)
