"""Pasting into another program's window under X11: the window is activated, then the keys for "paste" are sent by XTEST.

Owns which keys paste in which program, and the rule that nothing is sent unless exactly that window has the keyboard. Knows
no clipboard and no Qt, and never sends Enter. Every call opens a connection of its own and may run on any thread.
"""

from __future__ import annotations

import logging
import os
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

log = logging.getLogger(__name__)

KEYS_UP_S = 1.0
"""How long what the person presses besides modifiers may stay down: a held Enter would repeat in the other window."""
MODIFIERS_UP_S = 0.3
"""After this, modifiers that are still held are released for the person."""
ACTIVE_S = 0.5
LOOK_S = 0.01
SHIFT_ROW, LOCK_ROW, CONTROL_ROW = 0, 1, 2
MODIFIERS = 1 | 4 | 8 | 64  # Shift, Control, Alt and Super in a key event's state
KEYSYMS = {"v": 0x76, "Insert": 0xFF63}
KEY_PRESS, KEY_RELEASE = 2, 3
SOURCE_PAGER = 2


@dataclass(frozen=True)
class Keys:
    """What pastes in a program. `primary`: what it pastes is the selection, not the clipboard."""

    key: str = "v"
    control: bool = True
    shift: bool = False
    primary: bool = False


@dataclass(frozen=True)
class Window:
    """A window of some program. The display gives the ids of a program that ended to the next one that starts, so the rest
    belongs to it: `process` (0 where the program does not say) and `classes`, its WM_CLASS."""

    id: int
    process: int = 0
    classes: tuple[str, ...] = ()

    @property
    def ours(self) -> bool:
        return self.process == os.getpid()


PLAIN = Keys()
TERMINAL = Keys(shift=True)
OLD_TERMINAL = Keys("Insert", control=False, shift=True, primary=True)
CLASSES: dict[str, Keys] = {
    **dict.fromkeys(
        (
            "alacritty", "com.mitchellh.ghostty", "com.raggesilver.blackbox", "contour", "cool-retro-term", "deepin-terminal",
            "dev.warp.warp", "foot", "footclient", "ghostty", "gnome-terminal", "gnome-terminal-server", "guake", "hyper", "kgx",
            "kitty", "konsole", "lxterminal", "mate-terminal", "org.gnome.console", "org.gnome.ptyxis", "org.gnome.terminal",
            "org.kde.konsole", "org.wezfurlong.wezterm", "ptyxis", "qterminal", "rio", "sakura", "st", "st-256color", "tabby",
            "terminator", "terminology", "tilda", "tilix", "wezterm", "xfce4-terminal", "yakuake",
        ),
        TERMINAL,
    ),
    **dict.fromkeys(("rxvt", "urxvt", "urxvtc", "uxterm", "xterm"), OLD_TERMINAL),
}  # fmt: skip
"""WM_CLASS in lower case, the name or the class of it."""

Connect = Callable[[], Any]
"""Gives a connection; a test may give another display's."""


def keys_for(classes: Iterable[str]) -> Keys:
    """What pastes in a window with this WM_CLASS (its name, its class)."""
    return next((CLASSES[name.lower()] for name in classes if name.lower() in CLASSES), PLAIN)


def active_window(connect: Connect | None = None) -> Window | None:
    """The window that has the keyboard, as the window manager says; None where there is none or nobody says."""
    with _screen(connect) as screen:
        window = screen.active() if screen is not None else 0
        return screen.describe(window) if screen is not None and window else None
    return None


def look_at(window: Window, connect: Connect | None = None) -> Keys | None:
    """What will paste there; None if nothing can. Waits until the person holds no key but modifiers (up to a second)."""
    with _screen(connect) as screen:
        if screen is None or not screen.can_send() or not screen.takes(window):
            return None
        keys = keys_for(window.classes)
        if screen.keycode(keys.key) and _until(lambda: not screen.held()[1], KEYS_UP_S):
            return keys
    return None


def paste_into(window: Window, connect: Connect | None = None) -> bool:
    """Activate that window and press there what pastes. False: nothing was sent, because the window is gone, is ours or does
    not take the keyboard, because the person holds a key, or because this display cannot do it."""
    with _screen(connect) as screen:
        if screen is None or not screen.can_send() or not screen.takes(window):
            return False
        keys = keys_for(window.classes)
        screen.activate(window.id)
        if not _until(lambda: screen.has_keyboard(window.id), ACTIVE_S):
            return False
        return screen.release_modifiers() and screen.has_keyboard(window.id) and screen.press(keys)
    return False


class _Screen:
    def __init__(self, connection: Any) -> None:
        self._connection, self._core = connection, connection.core
        setup = connection.get_setup()
        self._root = setup.roots[connection.pref_screen].root
        self._first, self._count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1

    # --- windows -----------------------------------------------------------------------------------------------------
    def active(self) -> int:
        data = self._property(self._root, "_NET_ACTIVE_WINDOW")
        return struct.unpack_from("=I", data)[0] if len(data) >= 4 else 0

    def describe(self, window: int) -> Window:
        data = self._property(window, "_NET_WM_PID")
        process = struct.unpack_from("=I", data)[0] if len(data) >= 4 else 0
        names = [part.decode("utf-8", "replace") for part in self._property(window, "WM_CLASS").split(b"\0") if part]
        return Window(window, process, tuple(names))

    def takes(self, window: Window) -> bool:
        """It is still there, the same one, and not ours."""
        return self.describe(window.id) == window and not window.ours

    def activate(self, window: int) -> None:
        import xcffib.xproto

        x: Any = xcffib.xproto
        data = x.ClientMessageData.synthetic([SOURCE_PAGER, 0, 0, 0, 0], "5I")
        event = x.ClientMessageEvent.synthetic(32, window, self._atom("_NET_ACTIVE_WINDOW"), data)
        mask = x.EventMask.SubstructureRedirect | x.EventMask.SubstructureNotify
        self._core.SendEvent(False, self._root, mask, event.pack())
        self._connection.flush()

    def has_keyboard(self, window: int) -> bool:
        """It is the active one, and the keyboard's focus is in it: the window manager may say so before the focus is there."""
        if self.active() != window:
            return False
        focus = self._core.GetInputFocus().reply().focus
        while focus not in (0, 1, window, self._root):
            focus = self._core.QueryTree(focus).reply().parent
        return bool(focus == window)

    def _property(self, window: int, name: str) -> bytes:
        answer = self._core.GetProperty(False, window, self._atom(name), 0, 0, 256).reply()
        return bytes(answer.value.buf())

    def _atom(self, name: str) -> int:
        return int(self._core.InternAtom(False, len(name), name).reply().atom)

    # --- keys --------------------------------------------------------------------------------------------------------
    def can_send(self) -> bool:
        return bool(self._core.QueryExtension(5, "XTEST").reply().present)

    def keycode(self, key: str) -> int:
        """The key that gives this in the layout in force, else in any other one; 0 if none does."""
        answer = self._core.GetKeyboardMapping(self._first, self._count).reply()
        width, symbols, wanted = answer.keysyms_per_keycode, list(answer.keysyms), KEYSYMS[key]
        group = self._core.QueryPointer(self._root).reply().mask >> 13 & 3
        now = min(2 * group, width - 1)
        for column in (now, *range(width)):
            if wanted in (found := symbols[column::width]):
                return int(self._first + found.index(wanted))
        return 0

    def held(self) -> tuple[set[int], set[int]]:
        """Keycodes that are down: modifiers, and all others. Lock keys are neither."""
        bits = list(self._core.QueryKeymap().reply().keys)
        down = {8 * byte + bit for byte, value in enumerate(bits) for bit in range(8) if value >> bit & 1}
        rows = self._modifier_rows()
        locks = set(rows[LOCK_ROW])
        modifiers = {code for row in rows for code in row} - locks
        return down & modifiers, down - modifiers - locks

    def release_modifiers(self) -> bool:
        """Nothing is held any more. What the person does hold is released and stays so: to press it again would leave it
        down for good if the person has let go meanwhile."""
        _until(lambda: not self.held()[0], MODIFIERS_UP_S)
        for code in self.held()[0]:
            self._fake(KEY_RELEASE, code)
        held = self.held()
        return not held[0] and not held[1] and not self._core.QueryPointer(self._root).reply().mask & MODIFIERS

    def press(self, keys: Keys) -> bool:
        rows = self._modifier_rows()
        code = self.keycode(keys.key)
        wanted = ([CONTROL_ROW] if keys.control else []) + ([SHIFT_ROW] if keys.shift else [])
        if not code or not all(rows[row] for row in wanted):
            return False
        codes = [*(rows[row][0] for row in wanted), code]
        for one in codes:
            self._fake(KEY_PRESS, one)
        for one in reversed(codes):
            self._fake(KEY_RELEASE, one)
        self._core.GetInputFocus().reply()  # all of it has arrived
        return True

    def _fake(self, kind: int, code: int) -> None:
        import xcffib.xtest

        self._connection(xcffib.xtest.key).FakeInput(kind, code, 0, 0, 0, 0, 0)

    def _modifier_rows(self) -> list[list[int]]:
        answer = self._core.GetModifierMapping().reply()
        width, codes = answer.keycodes_per_modifier, list(answer.keycodes)
        return [[code for code in codes[row * width : (row + 1) * width] if code] for row in range(8)]


@contextmanager
def _screen(connect: Connect | None) -> Iterator[_Screen | None]:
    """None where no display can be used. A display or window that goes away meanwhile ends the block."""
    try:
        import xcffib
        import xcffib.xproto  # without it xcffib cannot connect
    except ImportError as fault:
        log.info("nothing can be pasted: %s", fault)
        yield None
        return
    try:
        connection = (connect or xcffib.connect)()
    except (xcffib.XcffibException, OSError) as fault:
        log.info("nothing can be pasted: %s", fault)
        yield None
        return
    try:
        yield _Screen(connection)
    except xcffib.XcffibException as fault:
        log.info("the window or the display went away: %s", type(fault).__name__)
    finally:
        connection.disconnect()


def _until(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(LOOK_S)
    return True
