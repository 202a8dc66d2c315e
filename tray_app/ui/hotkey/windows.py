"""The hotkey on Windows: RegisterHotKey for the GUI thread, WM_HOTKEY read by a native event filter.

Owns the ids it registered and releases only those. Checked with a stand-in for user32; not tried on a real Windows.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication

from tray_app.ui.hotkey.base import FUNCTION_KEYS, Grabbed, Outcome, Press, Refused, Sequence

WM_HOTKEY = 0x0312
MOD_NOREPEAT = 0x4000
MASKS = {"Alt": 1, "Ctrl": 2, "Shift": 4, "Meta": 8}
ALREADY_REGISTERED = 1409
VIRTUAL_KEYS = {
    "Space": 0x20, "Tab": 0x09, "Return": 0x0D, "Enter": 0x0D, "Esc": 0x1B, "Backspace": 0x08, "Del": 0x2E, "Ins": 0x2D,
    "Home": 0x24, "End": 0x23, "PgUp": 0x21, "PgDown": 0x22, "Up": 0x26, "Down": 0x28, "Left": 0x25, "Right": 0x27,
    "Pause": 0x13, "Print": 0x2C, ";": 0xBA, "=": 0xBB, "+": 0xBB, ",": 0xBC, "-": 0xBD, ".": 0xBE, "/": 0xBF, "`": 0xC0,
    "[": 0xDB, "\\": 0xDC, "]": 0xDD, "'": 0xDE,
    **{name: 0x70 + index for index, name in enumerate(FUNCTION_KEYS)},
}  # fmt: skip


class _Message(ctypes.Structure):
    """MSG, with types that exist on every system so that it can be tested anywhere."""

    _fields_ = [
        ("window", ctypes.c_void_p),
        ("message", ctypes.c_uint),
        ("wparam", ctypes.c_size_t),
        ("lparam", ctypes.c_ssize_t),
        ("time", ctypes.c_uint32),
        ("x", ctypes.c_long),
        ("y", ctypes.c_long),
    ]


def virtual_key(key: str) -> int:
    """Letters and digits are their own ASCII codes."""
    return VIRTUAL_KEYS[key] if key in VIRTUAL_KEYS else ord(key)


class _Filter(QAbstractNativeEventFilter):
    def __init__(self, pressed: Callable[[int], None]) -> None:
        super().__init__()
        self._pressed = pressed

    def nativeEventFilter(self, kind: QByteArray | bytes | bytearray | memoryview, message: int) -> object:
        name = bytes(kind.data()) if isinstance(kind, QByteArray) else bytes(kind)
        if name in (b"windows_dispatcher_MSG", b"windows_generic_MSG"):
            found = _Message.from_address(int(message))
            if found.message == WM_HOTKEY:
                self._pressed(int(found.wparam))
        return False, 0


class WindowsHotkey:
    """`user32` and `last_error` are ctypes' own, or a test's."""

    def __init__(self, user32: Any = None, last_error: Callable[[], int] | None = None) -> None:
        if user32 is None:
            user32 = ctypes.WinDLL("user32", use_last_error=True)  # type: ignore[attr-defined]
            last_error = ctypes.get_last_error  # type: ignore[attr-defined]
        self._user32: Any = user32
        self._last_error = last_error or (lambda: 0)
        self._ids = itertools.count(1)
        self._grabs: dict[int, Callable[[Press], None]] = {}
        self._filter = _Filter(self._pressed)
        application = QCoreApplication.instance()
        if application:
            application.installNativeEventFilter(self._filter)

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        number = next(self._ids)
        masks = sum(MASKS[name] for name in sequence.modifiers) | MOD_NOREPEAT
        if not self._user32.RegisterHotKey(None, number, masks, virtual_key(sequence.key)):
            fault = self._last_error()
            return Refused("taken" if fault == ALREADY_REGISTERED else "denied", f"error {fault}")
        self._grabs[number] = pressed
        return Grabbed(str(sequence), lambda: self._release(number))

    def close(self) -> None:
        for number in list(self._grabs):
            self._release(number)
        application = QCoreApplication.instance()
        if application:
            application.removeNativeEventFilter(self._filter)

    def _release(self, number: int) -> None:
        if self._grabs.pop(number, None):
            self._user32.UnregisterHotKey(None, number)

    def _pressed(self, number: int) -> None:
        handler = self._grabs.get(number)
        if handler:
            handler(Press())
