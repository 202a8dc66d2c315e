"""The hotkey under X11: a passive grab of the key on the root window, on a connection of our own.

Owns that connection and the notifier that reads it. A key that another program holds is reported by the server
(AccessError), so a conflict is never silent. Grabbed with the four combinations of Caps Lock and Num Lock, because X
counts those as modifiers; grabbed anew when the keyboard map changes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier

from tray_app.ui.hotkey.base import FUNCTION_KEYS, Grabbed, Outcome, Press, Refused, Sequence, Unsupported

log = logging.getLogger(__name__)

SHIFT, LOCK, CONTROL, ALT, NUM_LOCK, SUPER = 1, 2, 4, 8, 16, 64
MASKS = {"Shift": SHIFT, "Ctrl": CONTROL, "Alt": ALT, "Meta": SUPER}
LOCKS = (0, LOCK, NUM_LOCK, LOCK | NUM_LOCK)
KEYSYMS = {
    "Space": 0x20, "Tab": 0xFF09, "Return": 0xFF0D, "Enter": 0xFF8D, "Esc": 0xFF1B, "Backspace": 0xFF08, "Del": 0xFFFF,
    "Ins": 0xFF63, "Home": 0xFF50, "End": 0xFF57, "PgUp": 0xFF55, "PgDown": 0xFF56, "Up": 0xFF52, "Down": 0xFF54,
    "Left": 0xFF51, "Right": 0xFF53, "Pause": 0xFF13, "Print": 0xFF61,
    **{name: 0xFFBE + index for index, name in enumerate(FUNCTION_KEYS)},
}  # fmt: skip
SOURCE_PAGER = 2
REPEAT_MS = 2


def keysym(key: str) -> int:
    """The X keysym of a key as we write it: for one character, that character's (letters in lower case)."""
    return KEYSYMS[key] if key in KEYSYMS else ord(key.lower())


class X11Hotkey:
    """`connect` gives a connection; a test may give another display's."""

    def __init__(self, connect: Callable[[], Any] | None = None) -> None:
        self._connect = connect
        self._connection: Any = None
        self._notifier: QSocketNotifier | None = None
        self._owner = QObject()
        self._grabs: dict[Sequence, Callable[[Press], None]] = {}
        self._codes: dict[Sequence, int] = {}
        self._settled: Callable[[Outcome], None] | None = None
        self._held: dict[int, int | None] = {}
        """Keys seen pressed, with the time they were released at; None while they are held."""

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        failed = self._open()
        if failed:
            return failed
        self._settled = settled
        import xcffib

        try:
            refused = self._take(sequence)
        except xcffib.ConnectionException as fault:
            return self._lost(str(fault))
        if refused:
            return refused
        self._grabs[sequence] = pressed
        return Grabbed(str(sequence), lambda: self._release(sequence))

    def close(self) -> None:
        for sequence in list(self._grabs):
            self._release(sequence)
        if self._notifier:
            self._notifier.setEnabled(False)
            self._notifier = None
        if self._connection is not None:
            self._connection.disconnect()
            self._connection = None

    def activate(self, window: int, time: int) -> None:
        """Ask the window manager to give our window the focus, with the time of the key press, as a task bar would:
        Qt does not know of that press and would be taken for a program that steals the focus."""
        if self._connection is None:
            return
        import xcffib
        import xcffib.xproto as x

        atom = self._connection.core.InternAtom(False, 18, "_NET_ACTIVE_WINDOW").reply().atom
        data = x.ClientMessageData.synthetic([SOURCE_PAGER, time, 0, 0, 0], "5I")
        event = x.ClientMessageEvent.synthetic(32, window, atom, data)
        mask = x.EventMask.SubstructureRedirect | x.EventMask.SubstructureNotify
        try:
            self._connection.core.SendEvent(False, self._root, mask, event.pack())
            self._connection.flush()
        except xcffib.ConnectionException as fault:
            self._lost(str(fault))

    def _open(self) -> Unsupported | None:
        if self._connection is not None:
            return None
        try:
            import xcffib
            import xcffib.xproto  # without it xcffib cannot connect
        except ImportError as fault:
            return Unsupported("no_library", str(fault))
        try:
            connection = (self._connect or xcffib.connect)()
        except (xcffib.ConnectionException, OSError) as fault:
            return Unsupported("no_display", str(fault), again=True)
        setup = connection.get_setup()
        self._connection, self._root = connection, setup.roots[connection.pref_screen].root
        self._read_keyboard()
        self._notifier = QSocketNotifier(connection.get_file_descriptor(), QSocketNotifier.Type.Read, self._owner)
        self._notifier.activated.connect(self._read)
        return None

    def _read_keyboard(self) -> None:
        setup = self._connection.get_setup()
        count = setup.max_keycode - setup.min_keycode + 1
        answer = self._connection.core.GetKeyboardMapping(setup.min_keycode, count).reply()
        width = answer.keysyms_per_keycode
        self._keyboard: dict[int, int] = {}
        # The first column wins: on a keyboard with a second alphabet, Latin letters may stand in a later group only.
        for column in range(width):
            for row in range(count):
                symbol = answer.keysyms[row * width + column]
                if symbol:
                    self._keyboard.setdefault(symbol, setup.min_keycode + row)

    def _take(self, sequence: Sequence) -> Refused | None:
        import xcffib.xproto as x

        code = self._keyboard.get(keysym(sequence.key))
        if code is None:
            return Refused("no_such_key", sequence.key)
        modifiers = sum(MASKS[name] for name in sequence.modifiers)
        taken: list[int] = []
        for lock in LOCKS:
            mode = x.GrabMode.Async
            request = self._connection.core.GrabKeyChecked(True, self._root, modifiers | lock, code, mode, mode)
            try:
                request.check()
            except x.AccessError:
                # Only what this call took: another grab of ours on the same key stays.
                for mask in taken:
                    self._connection.core.UngrabKey(code, self._root, modifiers | mask)
                self._connection.flush()
                return Refused("taken", str(sequence))
            taken.append(lock)
        self._codes[sequence] = code
        return None

    def _release(self, sequence: Sequence) -> None:
        self._grabs.pop(sequence, None)
        code = self._codes.pop(sequence, None)
        if code is None or self._connection is None:
            return
        import xcffib

        modifiers = sum(MASKS[name] for name in sequence.modifiers)
        try:
            for lock in LOCKS:
                self._connection.core.UngrabKey(code, self._root, modifiers | lock)
            self._connection.flush()
        except xcffib.ConnectionException as fault:
            log.info("the display went away while a key was released: %s", fault)

    def _read(self) -> None:
        import xcffib
        import xcffib.xproto as x

        events: list[Any] = []
        try:
            while (event := self._connection.poll_for_event()) is not None:
                events.append(event)
        except xcffib.ConnectionException as fault:
            outcome = self._lost(str(fault))
            if self._settled:
                self._settled(outcome)
            return
        for event in events:
            if isinstance(event, x.KeyReleaseEvent):
                self._held[event.detail] = event.time
            elif isinstance(event, x.KeyPressEvent):
                # A held key is released and pressed again at the same moment, over and over; the two may come in two
                # readings.
                known = event.detail in self._held
                released = self._held.get(event.detail)
                self._held[event.detail] = None
                if not known or (released is not None and event.time - released > REPEAT_MS):
                    self._press(event)
            elif isinstance(event, x.MappingNotifyEvent) and event.request == x.Mapping.Keyboard:
                self._keyboard_changed()

    def _press(self, event: Any) -> None:
        state = event.state & (SHIFT | CONTROL | ALT | SUPER)
        for sequence, pressed in list(self._grabs.items()):
            if self._codes.get(sequence) == event.detail and sum(MASKS[name] for name in sequence.modifiers) == state:
                pressed(Press(time=event.time))
                return

    def _keyboard_changed(self) -> None:
        self._read_keyboard()
        for sequence, pressed in list(self._grabs.items()):
            if self._keyboard.get(keysym(sequence.key)) == self._codes.get(sequence):
                continue
            self._release(sequence)
            refused = self._take(sequence)
            if refused is None:
                self._grabs[sequence] = pressed
            elif self._settled:
                self._settled(refused)

    def _lost(self, detail: str) -> Unsupported:
        """The server is gone; every grab went with it."""
        if self._notifier:
            self._notifier.setEnabled(False)
        self._notifier, self._connection = None, None
        self._grabs.clear()
        self._codes.clear()
        return Unsupported("lost", detail, again=True)
