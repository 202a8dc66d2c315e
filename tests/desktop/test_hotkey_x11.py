"""The X11 back end on a real X server: presses, lock keys, conflicts, a change of the keyboard map."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from rig import Rig

from tray_app.ui.hotkey.base import Press
from tray_app.ui.hotkey.manager import Hotkey
from tray_app.ui.hotkey.x11 import X11Hotkey

pytestmark = pytest.mark.desktop


def make(rig: Rig) -> tuple[Hotkey, list[Press]]:
    import xcffib

    hotkey = Hotkey(X11Hotkey(lambda: xcffib.connect(display=rig.environ["DISPLAY"])))
    presses: list[Press] = []
    hotkey.pressed.connect(presses.append)
    return hotkey, presses


@pytest.fixture
def screen(rig: Rig) -> Rig:
    rig.screen()
    return rig


def test_a_press_comes_through(qtbot: QtBot, screen: Rig) -> None:
    hotkey, presses = make(screen)
    assert hotkey.apply("Ctrl+Alt+Space").name == "active"
    screen.key("ctrl+alt+space")
    qtbot.waitUntil(lambda: len(presses) == 1, timeout=3000)
    assert presses[0].time > 0
    screen.key("ctrl+space", "alt+space", "ctrl+alt+shift+space", "space")
    qtbot.wait(100)
    assert len(presses) == 1
    hotkey.close()


def test_lock_keys_do_not_matter(qtbot: QtBot, screen: Rig) -> None:
    hotkey, presses = make(screen)
    hotkey.apply("Ctrl+Alt+Space")
    screen.key("Caps_Lock", "Num_Lock")
    screen.key("ctrl+alt+space")
    qtbot.waitUntil(lambda: len(presses) == 1, timeout=3000)
    hotkey.close()


def test_a_held_key_counts_once(qtbot: QtBot, screen: Rig) -> None:
    hotkey, presses = make(screen)
    hotkey.apply("Ctrl+Alt+Space")
    screen.run("xdotool", "keydown", "ctrl", "keydown", "alt", "keydown", "space")
    qtbot.wait(1200)
    screen.run("xdotool", "keyup", "space", "keyup", "alt", "keyup", "ctrl")
    qtbot.wait(250)
    assert len(presses) == 1
    screen.key("ctrl+alt+space")
    qtbot.waitUntil(lambda: len(presses) == 2, timeout=3000)
    hotkey.close()


def test_a_key_of_another_program_is_refused_and_left_to_it(qtbot: QtBot, screen: Rig) -> None:
    other, other_presses = make(screen)
    assert other.apply("Ctrl+Alt+X").name == "active"
    hotkey, presses = make(screen)
    assert hotkey.apply("Ctrl+Alt+X").name == "taken"
    assert hotkey.apply("Ctrl+Alt+Space").name == "active"
    failed = hotkey.apply("Ctrl+Alt+X")
    assert (failed.name, failed.text, failed.reason) == ("active", "Ctrl+Alt+Space", "taken")
    screen.key("ctrl+alt+x")
    qtbot.waitUntil(lambda: len(other_presses) == 1, timeout=3000)
    screen.key("ctrl+alt+space")
    qtbot.waitUntil(lambda: len(presses) == 1, timeout=3000)
    hotkey.close()
    qtbot.wait(250)
    screen.key("ctrl+alt+x")
    qtbot.waitUntil(lambda: len(other_presses) == 2, timeout=3000)
    other.close()
    assert make(screen)[0].apply("Ctrl+Alt+X").name == "active"


def test_the_old_key_is_let_go(qtbot: QtBot, screen: Rig) -> None:
    hotkey, presses = make(screen)
    hotkey.apply("Ctrl+Alt+Space")
    hotkey.apply("Ctrl+Alt+B")
    screen.key("ctrl+alt+space")
    qtbot.wait(100)
    assert presses == []
    screen.key("ctrl+alt+b")
    qtbot.waitUntil(lambda: len(presses) == 1, timeout=3000)
    hotkey.close()


def test_another_keyboard_map(qtbot: QtBot, screen: Rig) -> None:
    """The key of the letter moves with it: on a keyboard with another layout another key is meant."""
    hotkey, presses = make(screen)
    hotkey.apply("Ctrl+Alt+Z")
    import xcffib

    connection: Any = xcffib.connect(display=screen.environ["DISPLAY"])
    setup = connection.get_setup()
    first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
    answer = connection.core.GetKeyboardMapping(first, count).reply()
    width, symbols = answer.keysyms_per_keycode, list(answer.keysyms)
    at = {symbols[row * width]: row for row in reversed(range(count))}
    y, z = at[ord("y")], at[ord("z")]
    rows = symbols[y * width : (y + 1) * width], symbols[z * width : (z + 1) * width]
    connection.core.ChangeKeyboardMappingChecked(1, first + y, width, rows[1]).check()
    connection.core.ChangeKeyboardMappingChecked(1, first + z, width, rows[0]).check()
    qtbot.waitUntil(lambda: list(hotkey.backend._codes.values()) == [first + y], timeout=3000)  # type: ignore[attr-defined]
    screen.run("xdotool", "keydown", "ctrl", "keydown", "alt", "key", str(first + y), "keyup", "alt", "keyup", "ctrl")
    qtbot.waitUntil(lambda: len(presses) == 1, timeout=3000)
    connection.disconnect()
    hotkey.close()


def test_the_server_goes_away(qtbot: QtBot, screen: Rig) -> None:
    hotkey, _presses = make(screen)
    hotkey.apply("Ctrl+Alt+Space")
    screen.close()
    qtbot.waitUntil(lambda: hotkey.state.name == "unsupported", timeout=3000)
    assert hotkey.state.reason in ("lost", "no_display")
    hotkey.close()
