"""The tray: icon, tooltip, menu, clicks; what is said where there is no tray."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from tray_app.records import Departure, Progress
from tray_app.ui import i18n, icons, tray
from tray_app.ui.tray import Tray, icon_variant
from tray_app.ui.tray_menu import TrayFacts, TrayMenu, TrayTexts

SENT = tuple(
    Departure(what=what, host=host)
    for what, host in (("meaning", "api.one.com"), ("topics", "box:11434"), ("topics", "box:11434"))
)


@pytest.fixture
def menu(app: QApplication) -> TrayMenu:
    return TrayMenu()


def texts(menu: TrayMenu) -> list[str]:
    return [action.text() if not action.isSeparator() else "–" for action in menu.menu.actions() if action.isVisible()]


def test_the_menu_in_its_order(menu: TrayMenu) -> None:
    menu.facts = TrayFacts(passages=12_345, sessions=812, skipped=3, hotkey="Ctrl+Alt+Space")
    menu.menu.aboutToShow.emit()
    assert texts(menu) == [
        "Open search",
        "12,345 passages from 812 sessions · 3 skipped",
        "–",
        "Pause indexing",
        "Update now",
        "Rebuild index…",
        "–",
        "Hand-over card…",
        "Index health…",
        "Settings…",
        "–",
        "Quit",
    ]
    assert [action.text() for action in menu.pause.actions()] == ["For 30 minutes", "Until I resume"]
    assert not menu.status.isEnabled()
    assert menu.search.shortcut().toString() == "Ctrl+Alt+Space"


def test_paused_offers_to_resume(menu: TrayMenu) -> None:
    same = menu.menu
    menu.facts = TrayFacts(state="paused", passages=1, sessions=1)
    menu.refresh()
    assert texts(menu)[1] == "Paused · 1 passage from 1 session"
    assert "Resume indexing" in texts(menu) and "Pause indexing" not in texts(menu)
    assert not menu.update_now.isEnabled()
    assert menu.menu is same


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        (TrayFacts(), "Nothing read yet"),
        (TrayFacts(state="indexing"), "Reading"),
        (
            TrayFacts(state="indexing", progress=Progress(phase="reading", done=214, total=1812), passages=10, sessions=2),
            "Reading, 214 of 1,812 · 10 passages from 2 sessions",
        ),
        (TrayFacts(state="paused", paused_until="2026-11-30T14:30:00Z", passages=2, sessions=1), None),
        (TrayFacts(passages=2, sessions=1), "2 passages from 1 session"),
    ],
)
def test_status_line(app: QApplication, facts: TrayFacts, line: str | None) -> None:
    until = i18n.clock(i18n.local("2026-11-30T14:30:00Z"))
    assert TrayTexts().status_line(facts) == (line or f"Paused until {until} · 2 passages from 1 session")


def test_the_tooltip_says_what_is_wrong(app: QApplication) -> None:
    facts = TrayFacts(passages=2, sessions=1, attention="The disk is full.", watching=False)
    assert TrayTexts().tooltip(facts).splitlines() == [
        "Backscroll",
        "2 passages from 1 session",
        "The disk is full.",
        "The system tells of no changes; sources are looked at every minute.",
    ]


def test_the_tooltip_says_what_leaves_the_machine(app: QApplication) -> None:
    last = [TrayTexts().tooltip(TrayFacts(leaves=leaves)).splitlines()[-1] for leaves in (None, (), SENT)]
    assert last == ["Nothing read yet", "Nothing leaves this machine", "Sends text to 2 services"]


def test_every_choice_is_said(menu: TrayMenu, qtbot: QtBot) -> None:
    for action, signal, arguments in (
        (menu.search, menu.searchChosen, []),
        (menu.pause_a_while, menu.pauseChosen, [30.0]),
        (menu.pause_open_end, menu.pauseChosen, [None]),
        (menu.resume, menu.resumeChosen, []),
        (menu.update_now, menu.updateChosen, []),
        (menu.rebuild, menu.rebuildChosen, []),
        (menu.health, menu.healthChosen, []),
        (menu.settings, menu.settingsChosen, []),
        (menu.quit, menu.quitChosen, []),
    ):
        with qtbot.waitSignal(signal) as chosen:
            action.trigger()
        assert chosen.args == arguments


@pytest.mark.parametrize(("system", "toggles"), [("linux", True), ("win32", True), ("darwin", False)])
def test_a_left_click_toggles_except_on_macos(
    menu: TrayMenu, monkeypatch: pytest.MonkeyPatch, system: str, toggles: bool
) -> None:
    monkeypatch.setattr(tray, "_windows_taskbar_is_light", lambda: False)
    icon = Tray(menu, "auto", system=system)
    seen: list[bool] = []
    icon.toggled.connect(lambda: seen.append(True))
    for reason in (QSystemTrayIcon.ActivationReason.Context, QSystemTrayIcon.ActivationReason.DoubleClick):
        icon._activated(reason)
    assert seen == []
    icon._activated(QSystemTrayIcon.ActivationReason.Trigger)
    assert bool(seen) is toggles
    icon.close()


@pytest.mark.parametrize(
    ("panel", "system", "variant"),
    [
        ("auto", "linux", "on-dark"),
        ("light", "linux", "on-light"),
        ("dark", "win32", "on-dark"),
        ("auto", "darwin", "mask"),
        ("light", "darwin", "mask"),
    ],
)
def test_icon_variant(panel: str, system: str, variant: str) -> None:
    assert icon_variant(panel, system) == variant


@pytest.mark.parametrize("state", icons.TRAY_STATES)
@pytest.mark.parametrize("variant", icons.TRAY_VARIANTS)
def test_icons_exist_in_all_sizes_from_any_folder(
    app: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, state: str, variant: str
) -> None:
    monkeypatch.chdir(tmp_path)
    icon = icons.tray_icon(state, variant)
    for size in (16, 22, 24, 32, 48, 64):
        assert icon.pixmap(size, size).width() == size


def test_the_icon_is_drawn_only_when_the_state_changes(menu: TrayMenu, monkeypatch: pytest.MonkeyPatch) -> None:
    icon = Tray(menu, "auto")
    drawn: list[str] = []
    monkeypatch.setattr(icon._icon, "setIcon", lambda _icon: drawn.append(icon.facts.state))
    for number in range(5):
        icon.set_facts(state="indexing", passages=number)
    icon.set_facts(state="idle")
    assert drawn == ["indexing", "idle"]
    icon.close()


def test_no_tray_is_told_once_and_looked_for_further(menu: TrayMenu, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tray, "LOOK_MS", 5)
    monkeypatch.setattr(tray, "LATER_MS", 5)
    monkeypatch.setattr(tray, "LOOKS", 3)
    there = [False]
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: there[0]))
    icon = Tray(menu, "auto")
    told: list[bool] = []
    icon.available.connect(told.append)
    icon.start()
    qtbot.waitUntil(lambda: told == [False])
    assert not icon.present
    qtbot.wait(40)
    assert told == [False]
    there[0] = True
    qtbot.waitUntil(lambda: told == [False, True])
    icon.close()
