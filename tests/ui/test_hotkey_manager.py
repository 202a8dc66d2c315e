"""The one hotkey: its states, a change that keeps the old key, presses, and asking again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tray_app.ui.hotkey import manager as manager_module
from tray_app.ui.hotkey.base import Grabbed, Outcome, Press, Refused, Sequence, Unsupported, Waiting
from tray_app.ui.hotkey.manager import Hotkey, HotkeyState, choose
from tray_app.ui.hotkey.none import NoHotkey
from tray_app.ui.hotkey.portal import PortalHotkey
from tray_app.ui.hotkey.windows import ALREADY_REGISTERED, MOD_NOREPEAT, WindowsHotkey
from tray_app.ui.hotkey.x11 import X11Hotkey


class Backend:
    """Grants keys unless they are in `taken`; a test can answer later through `later`."""

    def __init__(self, *, taken: tuple[str, ...] = (), outcome: Outcome | None = None) -> None:
        self.taken, self.outcome = taken, outcome
        self.held: list[str] = []
        self.press: Callable[[Press], None] = lambda press: None
        self.later: Callable[[Outcome], None] = lambda outcome: None
        self.asked = 0
        self.closed = False

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        self.asked += 1
        self.press, self.later = pressed, settled
        if self.outcome is not None:
            return self.outcome
        if str(sequence) in self.taken:
            return Refused("taken", str(sequence))
        self.held.append(str(sequence))
        return Grabbed(str(sequence), lambda: self.held.remove(str(sequence)))

    def close(self) -> None:
        self.closed = True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_active_and_unset(qapp: Any) -> None:
    backend = Backend()
    hotkey = Hotkey(backend)
    assert hotkey.apply("ctrl+alt+space") == HotkeyState("active", "Ctrl+Alt+Space", "ctrl+alt+space")
    assert hotkey.apply("") == HotkeyState("unset")
    assert backend.held == []


def test_a_new_key_is_taken_before_the_old_one_is_let_go(qapp: Any) -> None:
    backend = Backend(taken=("Ctrl+Alt+X",))
    hotkey = Hotkey(backend)
    hotkey.apply("Ctrl+Alt+Space")
    failed = hotkey.apply("Ctrl+Alt+X")
    assert failed == HotkeyState("active", "Ctrl+Alt+Space", "Ctrl+Alt+X", "taken", "Ctrl+Alt+X")
    assert backend.held == ["Ctrl+Alt+Space"]
    assert hotkey.apply("Ctrl+Alt+Y").text == "Ctrl+Alt+Y"
    assert backend.held == ["Ctrl+Alt+Y"]
    hotkey.close()
    assert backend.held == []
    assert backend.closed


def test_taken_at_the_start(qapp: Any) -> None:
    hotkey = Hotkey(Backend(taken=("Ctrl+Alt+Space",)))
    assert hotkey.apply("Ctrl+Alt+Space").name == "taken"


@pytest.mark.parametrize("text", ["A", "Ctrl+Space", "Ctrl+Foo"])
def test_what_is_no_hotkey_is_not_asked_for(qapp: Any, text: str) -> None:
    backend = Backend()
    assert Hotkey(backend).apply(text).name == "taken"
    assert backend.asked == 0


def test_presses_are_debounced_and_a_held_key_counts_once(qtbot: QtBot, clock: Clock) -> None:
    backend = Backend()
    hotkey = Hotkey(backend, clock=clock)
    presses: list[Press] = []
    hotkey.pressed.connect(presses.append)
    hotkey.apply("Ctrl+Alt+Space")
    for step in (0.0, 0.15, 0.15, 0.15, 0.25, 0.1, 0.3):
        clock.now += step
        backend.press(Press(time=int(clock.now * 1000)))
    assert len(presses) == 3


def test_the_answer_may_come_later(qapp: Any) -> None:
    backend = Backend(outcome=Waiting())
    hotkey = Hotkey(backend)
    seen: list[HotkeyState] = []
    hotkey.changed.connect(seen.append)
    assert hotkey.apply("Ctrl+Alt+Space").name == "waiting"
    backend.later(Grabbed("Ctrl+Alt+Leertaste", lambda: None, fixed=True))
    assert hotkey.state == HotkeyState("active", "Ctrl+Alt+Leertaste", "Ctrl+Alt+Space", fixed=True)
    assert [state.name for state in seen] == ["waiting", "active"]


def test_an_answer_to_an_earlier_question_is_dropped(qapp: Any) -> None:
    backend = Backend(outcome=Waiting())
    hotkey = Hotkey(backend)
    hotkey.apply("Ctrl+Alt+Space")
    late = backend.later
    hotkey.apply("")
    late(Refused("denied"))
    assert hotkey.state == HotkeyState("unset")


def test_asks_again_where_it_may_be_there_later(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manager_module, "AGAIN_S", (0.01, 0.01))
    backend = Backend(outcome=Unsupported("no_portal", again=True))
    hotkey = Hotkey(backend)
    assert hotkey.apply("Ctrl+Alt+Space").name == "unsupported"
    qtbot.waitUntil(lambda: backend.asked >= 3, timeout=2000)
    backend.outcome = None
    qtbot.waitUntil(lambda: hotkey.state.name == "active", timeout=2000)
    hotkey.close()


def test_does_not_ask_again_where_it_never_will_be(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manager_module, "AGAIN_S", (0.01,))
    backend = Backend(outcome=Unsupported("no_app_id"))
    Hotkey(backend).apply("Ctrl+Alt+Space")
    qtbot.wait(60)
    assert backend.asked == 1


def test_choice_of_back_end(qapp: Any) -> None:
    assert isinstance(choose(str, "xcb", {}, "linux"), X11Hotkey)
    assert isinstance(choose(str, "wayland", {}, "linux"), PortalHotkey)
    assert isinstance(choose(str, "xcb", {"WAYLAND_DISPLAY": "wayland-0"}, "linux"), PortalHotkey)
    assert isinstance(choose(str, "offscreen", {}, "linux"), NoHotkey)


def test_no_session_bus_is_a_state_not_an_error(qapp: Any) -> None:
    hotkey = Hotkey(PortalHotkey(str, {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"}))
    state = hotkey.apply("Ctrl+Alt+Space")
    assert (state.name, state.reason) == ("unsupported", "no_bus")
    hotkey.close()


def test_no_display_is_a_state_not_an_error(qapp: Any) -> None:
    xcffib = pytest.importorskip("xcffib")
    hotkey = Hotkey(X11Hotkey(lambda: xcffib.connect(display=":987")))
    state = hotkey.apply("Ctrl+Alt+Space")
    assert (state.name, state.reason) == ("unsupported", "no_display")
    hotkey.close()


class User32:
    """RegisterHotKey of a system on which error 1409 says that a key is taken."""

    def __init__(self) -> None:
        self.held: dict[int, tuple[int, int]] = {}
        self.foreign: set[tuple[int, int]] = set()
        self.error = 0

    def RegisterHotKey(self, window: None, number: int, modifiers: int, key: int) -> int:
        if (modifiers, key) in self.foreign or (modifiers, key) in self.held.values():
            self.error = ALREADY_REGISTERED
            return 0
        self.held[number] = (modifiers, key)
        return 1

    def UnregisterHotKey(self, window: None, number: int) -> int:
        del self.held[number]
        return 1


def test_windows_releases_only_its_own(qapp: Any) -> None:
    user32 = User32()
    taken = (3 | MOD_NOREPEAT, 0x58)
    user32.foreign.add(taken)
    hotkey = Hotkey(WindowsHotkey(user32, lambda: user32.error))
    assert hotkey.apply("Ctrl+Alt+X").name == "taken"
    assert hotkey.apply("Ctrl+Alt+Space").name == "active"
    assert hotkey.apply("Ctrl+Alt+X") == HotkeyState("active", "Ctrl+Alt+Space", "Ctrl+Alt+X", "taken", "error 1409")
    assert list(user32.held.values()) == [(3 | MOD_NOREPEAT, 0x20)]
    hotkey.apply("Ctrl+Alt+Y")
    assert list(user32.held.values()) == [(3 | MOD_NOREPEAT, 0x59)]
    hotkey.close()
    assert user32.held == {}
    assert user32.foreign == {taken}


def test_windows_hears_its_message(qapp: Any) -> None:
    import ctypes

    from PySide6.QtCore import QByteArray

    from tray_app.ui.hotkey.windows import WM_HOTKEY, _Message

    backend = WindowsHotkey(User32(), lambda: 0)
    hotkey = Hotkey(backend)
    presses: list[Press] = []
    hotkey.pressed.connect(presses.append)
    hotkey.apply("Ctrl+Alt+Space")
    for message, number in ((0x100, 1), (WM_HOTKEY, 99), (WM_HOTKEY, 1)):
        found = _Message(message=message, wparam=number)
        backend._filter.nativeEventFilter(QByteArray(b"windows_dispatcher_MSG"), ctypes.addressof(found))
    assert len(presses) == 1
    hotkey.close()


class Carbon:
    """As much of Carbon as is used; `press` plays the system."""

    def __init__(self) -> None:
        self.held: list[int] = []
        self.handler: Any = None
        self.number = 0

    def GetApplicationEventTarget(self) -> int:
        return 1

    def InstallEventHandler(self, target: int, handler: Any, *rest: Any) -> int:
        self.handler = handler
        return 0

    def RegisterEventHotKey(self, code: int, masks: int, name: Any, target: int, options: int, reference: Any) -> int:
        if code in self.held:
            return -9878
        self.held.append(code)
        reference._obj.value = code
        self.number = name.id
        return 0

    def UnregisterEventHotKey(self, reference: Any) -> int:
        self.held.remove(reference.value)
        return 0

    def GetEventParameter(self, event: int, name: int, kind: int, actual: None, size: int, length: None, out: Any) -> int:
        out._obj.id = self.number
        return 0


def test_macos_by_its_stand_in(qapp: Any) -> None:
    from tray_app.ui.hotkey.macos import MacHotkey

    carbon = Carbon()
    hotkey = Hotkey(MacHotkey(carbon))
    presses: list[Press] = []
    hotkey.pressed.connect(presses.append)
    assert hotkey.apply("Ctrl+Alt+Space").name == "active"
    assert carbon.held == [0x31]
    carbon.handler(None, None, None)
    assert len(presses) == 1
    carbon.held.append(0x07)
    assert hotkey.apply("Ctrl+Alt+X").reason == "taken"
    assert hotkey.apply("Ctrl+Alt+F20").reason == "no_such_key"
    hotkey.close()
    assert carbon.held == [0x07]
