"""The portal back end against a portal of the test's own, over a real session bus."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from rig import Rig, wait_for

from tray_app.ui.hotkey.base import Press
from tray_app.ui.hotkey.manager import Hotkey
from tray_app.ui.hotkey.portal import PortalHotkey

pytestmark = pytest.mark.desktop
FAKE = Path(__file__).with_name("fake_portal.py")


class Portal:
    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.process: Any = None

    def start(self, *options: str) -> None:
        self.process = self.rig.start(sys.executable, str(FAKE), *options)
        wait_for(lambda: "portal.Desktop" in self.rig.run("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus",
                                                           "/", "org.freedesktop.DBus.ListNames"))  # fmt: skip

    def ask(self, member: str) -> None:
        self.rig.run(
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop", f"org.backscroll.Control.{member}",
        )  # fmt: skip


@pytest.fixture
def portal(rig: Rig) -> Portal:
    rig.bus()
    return Portal(rig)


def make(rig: Rig) -> Hotkey:
    return Hotkey(PortalHotkey(lambda: "Open search", rig.environ))


def test_bound_pressed_changed_and_closed(qtbot: QtBot, rig: Rig, portal: Portal) -> None:
    portal.start()
    hotkey = make(rig)
    presses: list[Press] = []
    hotkey.pressed.connect(presses.append)
    assert hotkey.apply("Ctrl+Alt+Space").name == "waiting"
    qtbot.waitUntil(lambda: hotkey.state.name == "active", timeout=5000)
    assert (hotkey.state.text, hotkey.state.fixed) == ("Press CTRL+ALT+space", True)
    portal.ask("Press")
    qtbot.waitUntil(lambda: len(presses) == 1, timeout=5000)
    assert presses == [Press(token="token-42")]
    portal.ask("Rebind")
    qtbot.waitUntil(lambda: hotkey.state.text == "Press LOGO+b", timeout=5000)
    portal.ask("Close")
    qtbot.waitUntil(lambda: hotkey.state.reason == "lost", timeout=5000)
    # It is asked for again by itself.
    qtbot.waitUntil(lambda: hotkey.state.name == "active", timeout=8000)
    hotkey.close()


def test_an_older_portal_needs_no_registration(qtbot: QtBot, rig: Rig, portal: Portal) -> None:
    portal.start("--no-registry")
    hotkey = make(rig)
    hotkey.apply("Ctrl+Alt+Space")
    qtbot.waitUntil(lambda: hotkey.state.name == "active", timeout=5000)
    hotkey.close()


@pytest.mark.parametrize(
    ("option", "name", "reason"),
    [
        ("--unknown-app", "unsupported", "no_app_id"),
        ("--no-shortcuts", "unsupported", "no_portal"),
        ("--refuse", "taken", "denied"),
    ],
)
def test_what_can_go_wrong(qtbot: QtBot, rig: Rig, portal: Portal, option: str, name: str, reason: str) -> None:
    portal.start(option)
    hotkey = make(rig)
    hotkey.apply("Ctrl+Alt+Space")
    qtbot.waitUntil(lambda: (hotkey.state.name, hotkey.state.reason) == (name, reason), timeout=5000)
    hotkey.close()


def test_a_portal_that_comes_after_us(qtbot: QtBot, rig: Rig, portal: Portal) -> None:
    hotkey = make(rig)
    hotkey.apply("Ctrl+Alt+Space")
    qtbot.waitUntil(lambda: hotkey.state.reason == "no_portal", timeout=5000)
    portal.start()
    qtbot.waitUntil(lambda: hotkey.state.name == "active", timeout=10_000)
    hotkey.close()


def test_the_bus_goes_away(qtbot: QtBot, rig: Rig, portal: Portal) -> None:
    portal.start()
    hotkey = make(rig)
    hotkey.apply("Ctrl+Alt+Space")
    qtbot.waitUntil(lambda: hotkey.state.name == "active", timeout=5000)
    rig.close()
    qtbot.waitUntil(lambda: hotkey.state.name == "unsupported", timeout=5000)
    hotkey.close()
