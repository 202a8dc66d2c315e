"""The hotkey on macOS: Carbon's RegisterEventHotKey through ctypes, the one way that needs no permission.

Owns one event handler and the keys it registered. Written after Apple's headers and checked with a stand-in for the
framework; not tried on a Mac.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import itertools
from collections.abc import Callable
from typing import Any

from tray_app.ui.hotkey.base import Grabbed, Outcome, Press, Refused, Sequence, Unsupported

MASKS = {"Meta": 0x0100, "Shift": 0x0200, "Alt": 0x0800, "Ctrl": 0x1000}
KEYBOARD_CLASS = int.from_bytes(b"keyb", "big")
HOTKEY_PRESSED = 5
DIRECT_OBJECT = int.from_bytes(b"----", "big")
TYPE_HOTKEY_ID = int.from_bytes(b"hkid", "big")
SIGNATURE = int.from_bytes(b"BkSc", "big")
ALREADY_EXISTS = -9878
# Key codes name places on the keyboard, not letters (Events.h, kVK_*).
KEY_CODES = {
    "A": 0x00, "S": 0x01, "D": 0x02, "F": 0x03, "H": 0x04, "G": 0x05, "Z": 0x06, "X": 0x07, "C": 0x08, "V": 0x09,
    "B": 0x0B, "Q": 0x0C, "W": 0x0D, "E": 0x0E, "R": 0x0F, "Y": 0x10, "T": 0x11, "1": 0x12, "2": 0x13, "3": 0x14,
    "4": 0x15, "6": 0x16, "5": 0x17, "=": 0x18, "+": 0x18, "9": 0x19, "7": 0x1A, "-": 0x1B, "8": 0x1C, "0": 0x1D,
    "]": 0x1E, "O": 0x1F, "U": 0x20, "[": 0x21, "I": 0x22, "P": 0x23, "Return": 0x24, "L": 0x25, "J": 0x26, "'": 0x27,
    "K": 0x28, ";": 0x29, "\\": 0x2A, ",": 0x2B, "/": 0x2C, "N": 0x2D, "M": 0x2E, ".": 0x2F, "Tab": 0x30, "Space": 0x31,
    "`": 0x32, "Backspace": 0x33, "Esc": 0x35, "Enter": 0x4C, "F5": 0x60, "F6": 0x61, "F7": 0x62, "F3": 0x63, "F8": 0x64,
    "F9": 0x65, "F11": 0x67, "F13": 0x69, "F16": 0x6A, "F14": 0x6B, "F10": 0x6D, "F12": 0x6F, "F15": 0x71, "Home": 0x73,
    "PgUp": 0x74, "Del": 0x75, "F4": 0x76, "End": 0x77, "F2": 0x78, "PgDown": 0x79, "F1": 0x7A, "Left": 0x7B,
    "Right": 0x7C, "Down": 0x7D, "Up": 0x7E,
}  # fmt: skip


class _HotkeyId(ctypes.Structure):
    _fields_ = [("signature", ctypes.c_uint32), ("id", ctypes.c_uint32)]


class _EventType(ctypes.Structure):
    _fields_ = [("event_class", ctypes.c_uint32), ("kind", ctypes.c_uint32)]


_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class MacHotkey:
    """`carbon` is the framework, or a test's stand-in."""

    def __init__(self, carbon: Any = None) -> None:
        self._carbon: Any = carbon if carbon is not None else _load()
        self._numbers = itertools.count(1)
        self._grabs: dict[int, tuple[ctypes.c_void_p, Callable[[Press], None]]] = {}
        self._handler = _HANDLER(self._handle)
        self._installed = False

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        if self._carbon is None:
            return Unsupported("no_library", "Carbon")
        code = KEY_CODES.get(sequence.key)
        if code is None:
            return Refused("no_such_key", sequence.key)
        target = self._carbon.GetApplicationEventTarget()
        if not self._installed:
            kinds = _EventType(KEYBOARD_CLASS, HOTKEY_PRESSED)
            fault = self._carbon.InstallEventHandler(target, self._handler, 1, ctypes.byref(kinds), None, None)
            if fault:
                return Unsupported("not_this_system", f"InstallEventHandler {fault}")
            self._installed = True
        number, reference = next(self._numbers), ctypes.c_void_p()
        masks = sum(MASKS[name] for name in sequence.modifiers)
        name = _HotkeyId(SIGNATURE, number)
        fault = self._carbon.RegisterEventHotKey(code, masks, name, target, 0, ctypes.byref(reference))
        if fault:
            return Refused("taken" if fault == ALREADY_EXISTS else "denied", f"error {fault}")
        self._grabs[number] = (reference, pressed)
        return Grabbed(str(sequence), lambda: self._release(number))

    def close(self) -> None:
        for number in list(self._grabs):
            self._release(number)

    def _release(self, number: int) -> None:
        found = self._grabs.pop(number, None)
        if found:
            self._carbon.UnregisterEventHotKey(found[0])

    def _handle(self, call: int | None, event: int | None, data: int | None) -> int:
        found = _HotkeyId()
        fault = self._carbon.GetEventParameter(
            event, DIRECT_OBJECT, TYPE_HOTKEY_ID, None, ctypes.sizeof(found), None, ctypes.byref(found)
        )
        if fault:
            return int(fault)
        entry = self._grabs.get(int(found.id))
        if entry:
            entry[1](Press())
        return 0


def _load() -> Any:
    name = ctypes.util.find_library("Carbon")
    if not name:
        return None
    carbon = ctypes.CDLL(name)
    pointer = ctypes.c_void_p
    carbon.GetApplicationEventTarget.restype = pointer
    carbon.InstallEventHandler.argtypes = [pointer, _HANDLER, ctypes.c_ulong, pointer, pointer, pointer]
    carbon.RegisterEventHotKey.argtypes = [ctypes.c_uint32, ctypes.c_uint32, _HotkeyId, pointer, ctypes.c_uint32, pointer]
    carbon.UnregisterEventHotKey.argtypes = [pointer]
    word = ctypes.c_uint32
    carbon.GetEventParameter.argtypes = [pointer, word, word, pointer, ctypes.c_ulong, pointer, pointer]
    return carbon
