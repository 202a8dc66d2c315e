"""What the tray tells the check-up: from any thread, in English, and again in the language of the windows."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tray_app.ui import i18n
from tray_app.ui.health_states import HealthStates
from tray_app.ui.hotkey.base import Grabbed, Outcome, Refused, Unsupported
from tray_app.ui.hotkey.manager import Hotkey, HotkeyState
from tray_app.ui.standing import Standing, of_hotkey, of_tray, state_of
from tray_app.ui.tray import Tray
from tray_app.ui.tray_menu import TrayMenu


class Desktop:
    """A system that answers as it is told."""

    answer: Outcome = Unsupported("no_portal")

    def grab(self, sequence: object, pressed: object, settled: object) -> Outcome:
        return self.answer

    def close(self) -> None: ...


@pytest.fixture
def desktop(app: QApplication) -> Desktop:
    return Desktop()


@pytest.fixture
def standing(app: QApplication, desktop: Desktop) -> Iterator[Standing]:
    hotkey = Hotkey(desktop)
    tray = Tray(TrayMenu(), "dark")
    yield Standing(hotkey, tray)
    hotkey.close()
    tray.close()


def codes(standing: Standing) -> list[tuple[str, str]]:
    return [(one.code, one.severity) for one in standing.findings()]


def test_without_a_tray_and_a_key(standing: Standing, desktop: Desktop) -> None:
    assert codes(standing) == [("tray_missing", "info"), ("hotkey_none", "info")]
    standing._hotkey.apply("Ctrl+Alt+Space")
    assert codes(standing)[1] == ("hotkey_none", "info")
    assert standing.findings()[1].detail.startswith("This desktop gives programs no global key.")


def test_a_key_that_is_taken_or_refused(standing: Standing, desktop: Desktop) -> None:
    for reason, said in (("taken", "is taken by another program."), ("denied", "")):
        desktop.answer = Refused(reason)
        standing._hotkey.apply("Ctrl+Alt+Space")
        one = standing.findings()[1]
        assert (one.code, one.severity, one.params["reason"]) == ("hotkey_refused", "warn", reason)
        assert said in one.detail and one.remedy


def test_a_key_that_is_ours(standing: Standing, desktop: Desktop) -> None:
    desktop.answer = Grabbed("Ctrl+Alt+Space", lambda: None)
    standing._hotkey.apply("Ctrl+Alt+Space")
    one = standing.findings()[1]
    assert (one.code, one.severity, one.title) == ("hotkey_active", "ok", "Ctrl+Alt+Space opens the search")
    desktop.answer = Refused("taken")
    standing._hotkey.apply("Ctrl+Alt+K")  # the old one is kept
    one = standing.findings()[1]
    assert (one.code, one.detail) == ("hotkey_refused", "Ctrl+Alt+K is taken by another program. Ctrl+Alt+Space stays active.")


def test_it_is_looked_at_on_the_thread_of_the_window(standing: Standing, qtbot: QtBot) -> None:
    told: list[list[tuple[str, str]]] = []
    asking = threading.Thread(target=lambda: told.append(codes(standing)))
    asking.start()
    qtbot.waitUntil(lambda: bool(told))
    asking.join()
    assert told == [[("tray_missing", "info"), ("hotkey_none", "info")]]


def test_a_window_that_is_busy_is_not_waited_for(standing: Standing) -> None:
    standing.findings()
    told: list[list[tuple[str, str]]] = []
    asking = threading.Thread(target=lambda: told.append(codes(standing)))
    asking.start()
    asking.join(30)  # the event loop does not turn meanwhile
    assert told == [[("tray_missing", "info"), ("hotkey_none", "info")]]


@pytest.mark.parametrize(
    "state",
    [
        HotkeyState("active", "Meta+K", "Meta+K", fixed=True),
        HotkeyState("taken", "", "Ctrl+Alt+Space", "taken"),
        HotkeyState("unsupported", "", "Ctrl+Alt+Space", "no_bus"),
        HotkeyState("waiting", wanted="Ctrl+Alt+Space"),
        HotkeyState("unset"),
    ],
)
def test_the_windows_say_the_same_in_their_language(app: QApplication, state: HotkeyState) -> None:
    one = of_hotkey(state)
    assert state_of(one) == state
    said = HealthStates().said(one, 0)
    assert said == (one.title.replace("The key ", ""), one.detail)
    i18n.install(app, "zh_CN")
    try:
        chinese = HealthStates().said(one, 0)
        assert of_hotkey(state) == one  # the check-up stays English
    finally:
        i18n.install(app, "en")
    assert chinese is not None and chinese[0] != said[0] and chinese[1] != said[1]


def test_the_icon_in_the_tray(app: QApplication) -> None:
    assert (of_tray(True).code, of_tray(True).severity) == ("tray_there", "ok")
    assert "offscreen" in of_tray(True).detail
