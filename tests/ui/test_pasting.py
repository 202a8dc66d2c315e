"""Pasting into the window one came from: when it is done, in which order, and what is said when it could not be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from handovers import PACK, TIDE, HandoverDouble
from PySide6.QtCore import QEvent
from PySide6.QtGui import QClipboard
from PySide6.QtWidgets import QApplication
from samples import StaticBackend
from waiting import wait_until

from tray_app.desktop import paste_x11
from tray_app.desktop.paste_x11 import OLD_TERMINAL, PLAIN, Keys, Window
from tray_app.ui import pasting as pasting_module
from tray_app.ui.handover_window import HandoverWindow
from tray_app.ui.pasting import Pasting
from tray_app.ui.search_window import SearchWindow

EDITOR = Window(7, 4_000_001, ("code", "Code"))
OTHER = Window(8, 4_000_002, ("kitty", "kitty"))


class Screen:
    """The X server's place: which window is active, what pastes there, whether it takes it."""

    def __init__(self) -> None:
        self.active: Window | None = EDITOR
        self.keys: Keys | None = PLAIN
        self.takes = True
        self.looks = 0
        self.pasted: list[tuple[Window, bool]] = []
        """Windows, and whether ours was hidden by then."""
        self.ours: Any = None

    def active_window(self) -> Window | None:
        self.looks += 1
        return self.active

    def look_at(self, _window: Window) -> Keys | None:
        return self.keys

    def paste_into(self, window: Window) -> bool:
        self.pasted.append((window, not self.ours.isVisible()))
        return self.takes


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    made = Screen()
    for name in ("active_window", "look_at", "paste_into"):
        monkeypatch.setattr(paste_x11, name, getattr(made, name))
    monkeypatch.setattr(pasting_module, "possible", lambda: True)
    return made


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"general.paste": True}


@pytest.fixture
def pasting(app: QApplication, screen: Screen, settings: dict[str, Any]) -> Iterator[Pasting]:
    made = Pasting(settings.__getitem__)
    yield made
    made.close()
    made.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def search(app: QApplication, backend: StaticBackend, screen: Screen, pasting: Pasting) -> Iterator[SearchWindow]:
    made = screen.ours = SearchWindow(backend, pasting=pasting)
    made.present()
    made.bar.field.setText("retry with backoff last week")
    wait_until(lambda: made.list.current_row() is not None and made.list.current_row().hit is not None)  # type: ignore[union-attr]
    yield made
    made.shut_down()
    made.hide()
    made.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def handover(app: QApplication, memory: HandoverDouble, screen: Screen, pasting: Pasting) -> Iterator[HandoverWindow]:
    made = screen.ours = HandoverWindow(memory, pasting)
    made.open(TIDE)
    wait_until(lambda: made.flow.pack is not None and bool(made.flow.pack.pack))
    yield made
    made.shut_down()
    made.hide()
    made.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def copied(mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> str:
    return QApplication.clipboard().text(mode)


# --- which window ----------------------------------------------------------------------------------------------------
def test_the_window_that_was_active_is_remembered(pasting: Pasting, screen: Screen) -> None:
    assert not pasting.ready
    pasting.remember()
    assert pasting.ready
    screen.active = None
    pasting.remember()
    assert not pasting.ready


def test_from_a_window_of_ours_one_came_from_the_same(
    pasting: Pasting, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    pasting.remember()
    monkeypatch.setattr(paste_x11.os, "getpid", lambda: 4_000_003)
    screen.active = Window(9, 4_000_003)
    pasting.remember()
    screen.ours = type("Hidden", (), {"isVisible": lambda self: False})()
    assert pasting.paste("x", lambda: None, lambda: None)
    wait_until(lambda: screen.pasted == [(EDITOR, True)])


def test_with_the_setting_off_nothing_is_asked(pasting: Pasting, screen: Screen, settings: dict[str, Any]) -> None:
    settings["general.paste"] = False
    pasting.remember()
    assert screen.looks == 0
    assert not pasting.ready
    assert not pasting.paste("x", lambda: pytest.fail("hidden"), lambda: pytest.fail("missed"))


@pytest.mark.parametrize(("platform", "can"), [("xcb", True), ("wayland", False), ("windows", False), ("cocoa", False)])
def test_where_it_can_be(
    app: QApplication, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch, platform: str, can: bool
) -> None:
    monkeypatch.setattr(pasting_module.QGuiApplication, "platformName", staticmethod(lambda: platform))
    made = Pasting(settings.__getitem__)
    assert (pasting_module.possible(), made.on) == (can, can)
    monkeypatch.setattr(paste_x11, "active_window", lambda: None if can else pytest.fail("asked"))
    made.remember()
    assert not made.ready
    made.close()


# --- the search window -----------------------------------------------------------------------------------------------
def test_into_the_chat_from_the_search_window(search: SearchWindow, screen: Screen) -> None:
    search.copies.copy_for_chat()
    wait_until(lambda: screen.pasted == [(EDITOR, True)])
    assert copied() == "fenced m-20 of s-upload\n"
    assert not search.isVisible()


def test_an_old_terminal_pastes_the_selection(search: SearchWindow, screen: Screen) -> None:
    screen.keys = OLD_TERMINAL
    set_to: list[QClipboard.Mode] = []
    put = pasting_module.clipboard.put

    def watch(text: str, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> bool:
        set_to.append(mode)
        return put(text, mode) if mode == QClipboard.Mode.Clipboard else True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pasting_module.clipboard, "put", watch)
        search.copies.copy_for_chat()
        wait_until(lambda: screen.pasted == [(EDITOR, True)])
    assert set_to == [QClipboard.Mode.Clipboard, QClipboard.Mode.Selection]


@pytest.mark.parametrize("hidden_before", [True, False])
def test_it_is_said_when_that_could_not_be(search: SearchWindow, screen: Screen, hidden_before: bool) -> None:
    screen.takes = False
    if not hidden_before:
        screen.keys = None
    search.copies.copy_for_chat()
    said = "Copied, but not pasted. Go to the chat and paste it there."
    wait_until(lambda: said in search.foot.text)
    assert search.isVisible()
    assert len(screen.pasted) == hidden_before
    assert copied() == "fenced m-20 of s-upload\n"


def test_with_the_setting_off_it_is_copied_as_ever(search: SearchWindow, screen: Screen, settings: dict[str, Any]) -> None:
    settings["general.paste"] = False
    search.copies.copy_for_chat()
    wait_until(lambda: "Copied as a quotation for the chat" in search.foot.text)
    assert search.isVisible()
    assert screen.pasted == []


def test_other_copies_are_not_pasted(search: SearchWindow, screen: Screen) -> None:
    search.copies.copy_passage()
    search.copies.copy_resume_command()
    QApplication.processEvents()
    assert (screen.pasted, search.isVisible()) == ([], True)


# --- the hand-over window --------------------------------------------------------------------------------------------
def test_the_pack_into_the_chat(handover: HandoverWindow, screen: Screen) -> None:
    assert handover.foot.chat.text() == "Paste into chat"
    assert handover.foot.chat.toolTip() == "Paste into chat (Ctrl+Return)"
    handover.foot.chat.click()
    wait_until(lambda: screen.pasted == [(EDITOR, True)])
    assert copied() == PACK
    assert not handover.isVisible()


def test_a_chat_that_is_gone(handover: HandoverWindow, screen: Screen) -> None:
    screen.keys = None
    handover.foot.chat.click()
    wait_until(lambda: handover.strip.text == "Copied, but not pasted. Go to the chat and paste it there.")
    assert handover.isVisible()
    assert handover.foot.chat.text() == "Copy for chat"
    screen.active = OTHER
    handover.open(TIDE)
    assert handover.foot.chat.text() == "Paste into chat"


def test_the_button_says_what_it_does(handover: HandoverWindow, pasting: Pasting, settings: dict[str, Any]) -> None:
    settings["general.paste"] = False
    pasting.setting_changed()
    assert handover.foot.chat.text() == "Copy for chat"
    handover.foot.chat.click()
    assert handover.strip.text == "Copied. Go to the chat and paste it there."
    assert handover.isVisible()
