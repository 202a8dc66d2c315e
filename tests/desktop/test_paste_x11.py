"""Pasting into another program's window on a real X server: the right keys, into exactly that window, else nothing."""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rig import Rig, wait_for

from tray_app.desktop import paste_x11
from tray_app.desktop.paste_x11 import OLD_TERMINAL, PLAIN, TERMINAL, Window, active_window, keys_for, look_at, paste_into

SHIFT, CONTROL = 0x02000000, 0x04000000
V, INSERT = 0x56, 0x01000006
MODIFIER_KEYS = range(0x01000020, 0x01000024)


class Target:
    """A program with one text field, shown and active."""

    def __init__(self, rig: Rig, name: str = "editor") -> None:
        self.rig, self.file = rig, rig._folder / f"{name}-{time.monotonic_ns()}.jsonl"
        program = str(Path(__file__).with_name("paste_target.py"))
        self.process = rig.start(sys.executable, program, name, str(self.file), QT_QPA_PLATFORM="xcb")
        wait_for(lambda: self.told("window"), 20)
        number = int(self.told("window")[0])
        wait_for(lambda: (active := active_window(on(rig))) is not None and active.id == number)
        self.window = Window(number, self.process.pid, (name, name))
        assert active_window(on(rig)) == self.window

    def told(self, kind: str) -> list[Any]:
        if not self.file.exists():
            return []
        return [value for name, value in map(json.loads, self.file.read_text().splitlines()) if name == kind]

    @property
    def text(self) -> str:
        return str((self.told("text") or [""])[-1])

    def pressed(self) -> list[tuple[int, int]]:
        """Key presses, with their modifiers; those of modifiers left out."""
        return [(key, modifiers) for key, modifiers in self.told("key") if key not in MODIFIER_KEYS]

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(5)


def on(rig: Rig) -> Callable[[], Any]:
    import xcffib

    return lambda: xcffib.connect(display=rig.environ["DISPLAY"])


@pytest.fixture
def desktop(rig: Rig) -> Rig:
    rig.screen()
    rig.window_manager()
    return rig


def copy(rig: Rig, text: str) -> None:
    file = rig._folder / "copied"
    file.write_text(text, encoding="utf-8")
    rig.start("xclip", "-quiet", "-selection", "clipboard", "-in", str(file))
    wait_for(lambda: rig.run("xclip", "-selection", "clipboard", "-out", check=False) == text)


# --- which keys (no desktop needed) ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("classes", "keys"),
    [
        (["gnome-terminal-server", "Gnome-terminal"], TERMINAL),
        (["konsole", "konsole"], TERMINAL),
        (["kitty", "kitty"], TERMINAL),
        (["Alacritty", "Alacritty"], TERMINAL),
        (["org.wezfurlong.wezterm", "org.wezfurlong.wezterm"], TERMINAL),
        (["foot", "foot"], TERMINAL),
        (["tilix", "Tilix"], TERMINAL),
        (["terminator", "Terminator"], TERMINAL),
        (["xfce4-terminal", "Xfce4-terminal"], TERMINAL),
        (["notes", "st-256color"], TERMINAL),
        (["xterm", "XTerm"], OLD_TERMINAL),
        (["notes", "URxvt"], OLD_TERMINAL),
        (["code", "Code"], PLAIN),
        (["xterminal", "stx"], PLAIN),
        ([], PLAIN),
    ],
)
def test_keys_of_a_program(classes: list[str], keys: paste_x11.Keys) -> None:
    assert keys_for(classes) == keys


def test_without_a_display() -> None:
    def refuse() -> Any:
        raise OSError("no display")

    assert (active_window(refuse), look_at(Window(7), refuse), paste_into(Window(7), refuse)) == (None, None, False)


# --- on a display ----------------------------------------------------------------------------------------------------
@pytest.mark.desktop
def test_text_comes_into_the_window_one_came_from(desktop: Rig) -> None:
    target = Target(desktop)
    other = Target(desktop, "other")
    copy(desktop, "重试 with backoff")
    assert look_at(target.window, on(desktop)) == PLAIN
    assert paste_into(target.window, on(desktop))
    wait_for(lambda: target.text == "重试 with backoff")
    assert active_window(on(desktop)) == target.window
    assert target.pressed() == [(V, CONTROL)]
    assert (other.text, other.pressed()) == ("", [])


@pytest.mark.desktop
@pytest.mark.parametrize(
    ("name", "keys", "sent"),
    [("xterm", OLD_TERMINAL, (INSERT, SHIFT)), ("konsole", TERMINAL, (V, SHIFT | CONTROL))],
)
def test_a_terminal_gets_its_own_keys(desktop: Rig, name: str, keys: paste_x11.Keys, sent: tuple[int, int]) -> None:
    target = Target(desktop, name)
    assert look_at(target.window, on(desktop)) == keys
    assert paste_into(target.window, on(desktop))
    wait_for(lambda: target.pressed() == [sent])


@pytest.mark.desktop
def test_a_window_that_is_gone_gets_nothing_and_nobody_else_does(desktop: Rig) -> None:
    target = Target(desktop)
    target.end()
    other = Target(desktop, "other")  # the display gives it the same id
    assert look_at(target.window, on(desktop)) is None
    assert not paste_into(target.window, on(desktop))
    assert not paste_into(Window(0), on(desktop))
    assert not paste_into(Window(other.window.id + 77), on(desktop))
    desktop.key("a")
    wait_for(lambda: other.pressed() == [(0x41, 0)])


@pytest.mark.desktop
def test_a_window_of_ours_gets_nothing(desktop: Rig) -> None:
    target = Target(desktop)
    connection = on(desktop)()
    name = "_NET_WM_PID"
    atom = connection.core.InternAtom(False, len(name), name).reply().atom
    own = struct.pack("=I", os.getpid())
    connection.core.ChangePropertyChecked(0, target.window.id, atom, 6, 32, 1, own).check()
    connection.disconnect()
    window = active_window(on(desktop))
    assert window is not None and window.ours
    assert look_at(window, on(desktop)) is None
    assert not paste_into(window, on(desktop))


@pytest.mark.desktop
def test_a_window_that_does_not_become_active_gets_nothing(rig: Rig) -> None:
    """No window manager: nobody activates anything."""
    rig.screen()
    connection = on(rig)()
    import xcffib.xproto as x

    root = connection.get_setup().roots[0].root
    window = connection.generate_id()
    connection.core.CreateWindowChecked(24, window, root, 0, 0, 50, 50, 0, x.WindowClass.InputOutput, 0, 0, []).check()
    connection.core.MapWindowChecked(window).check()
    began = time.monotonic()
    assert active_window(on(rig)) is None
    assert look_at(Window(window), on(rig)) == PLAIN
    assert not paste_into(Window(window), on(rig))
    assert 0.4 < time.monotonic() - began < 5
    connection.disconnect()


@pytest.mark.desktop
def test_held_modifiers_are_let_go_and_stay_so(desktop: Rig) -> None:
    target = Target(desktop)
    desktop.run("xdotool", "keydown", "ctrl", "keydown", "alt", "keydown", "super")
    assert paste_into(target.window, on(desktop))
    wait_for(lambda: (V, CONTROL) in target.pressed())
    desktop.run("xdotool", "keyup", "ctrl", "keyup", "alt", "keyup", "super")
    desktop.key("b")
    wait_for(lambda: target.pressed()[-1] == (0x42, 0))
    assert target.pressed() == [(V, CONTROL), (0x42, 0)]


@pytest.mark.desktop
def test_a_held_key_is_waited_for(desktop: Rig) -> None:
    """An Enter would repeat in the other window, and send what is there."""
    target = Target(desktop)
    desktop.run("xdotool", "keydown", "F9")
    assert look_at(target.window, on(desktop)) is None
    assert not paste_into(target.window, on(desktop))
    later = threading.Timer(0.2, lambda: desktop.run("xdotool", "keyup", "F9"))
    later.start()
    assert look_at(target.window, on(desktop)) == PLAIN
    later.join()
    assert (V, CONTROL) not in target.pressed()


@pytest.mark.desktop
def test_another_keyboard_layout(desktop: Rig) -> None:
    """The letter is looked up, not the place of its key: v and k changed places."""
    target = Target(desktop)
    connection = on(desktop)()
    setup = connection.get_setup()
    first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
    answer = connection.core.GetKeyboardMapping(first, count).reply()
    width, symbols = answer.keysyms_per_keycode, list(answer.keysyms)
    at = {symbols[row * width]: row for row in reversed(range(count))}
    k, v = at[ord("k")], at[ord("v")]
    rows = symbols[k * width : (k + 1) * width], symbols[v * width : (v + 1) * width]
    connection.core.ChangeKeyboardMappingChecked(1, first + k, width, rows[1]).check()
    connection.core.ChangeKeyboardMappingChecked(1, first + v, width, rows[0]).check()
    connection.disconnect()
    assert paste_into(target.window, on(desktop))
    wait_for(lambda: target.pressed() == [(V, CONTROL)])
