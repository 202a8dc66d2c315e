"""The frame: where it is placed, how large, and what it remembers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QApplication

from tray_app.state import State
from tray_app.ui import screen_place, theme
from tray_app.ui.launcher import MARGIN, Launcher, shadow


@pytest.mark.parametrize("size", [QSize(5000, 200), QSize(100, 90), QSize(3840, 2160)])
def test_a_kept_size_never_leaves_the_screen(app: QApplication, tmp_path: Path, size: QSize) -> None:
    state = State(tmp_path / "state.json")
    screen = app.primaryScreen()
    state.remember_window(screen.name(), size.width(), size.height())
    window = Launcher(state)
    window.place(screen)
    free = screen.availableGeometry()
    shown = QRect(
        window.pos().x() + MARGIN, window.pos().y() + MARGIN, window.content_size().width(), window.content_size().height()
    )
    seen = shown.intersected(free)
    assert seen == shown
    assert shown.width() >= 560
    window.deleteLater()


def test_one_line_and_full_share_their_top_edge(app: QApplication) -> None:
    window = Launcher()
    window.place()
    top, width = window.y(), window.width()
    window.set_one_line(True)
    assert window.height() == theme.current().size("query_row") + 2 * MARGIN
    window.place()
    assert (window.y(), window.width()) == (top, width)
    window.set_one_line(False)
    assert (window.y(), window.width()) == (top, width)
    window.deleteLater()


def test_the_default_size_is_not_written_down(app: QApplication, tmp_path: Path) -> None:
    state = State(tmp_path / "state.json")
    window = Launcher(state)
    window.set_content_size(window._default_size())
    window.remember_size()
    assert state.read().window_sizes == {}
    window.set_content_size(QSize(610, 450))
    window.remember_size()
    assert state.read().window_sizes == {app.primaryScreen().name(): (610, 450)}
    window.deleteLater()


def test_a_window_on_a_lost_screen_comes_back(app: QApplication) -> None:
    window = Launcher()
    window.show()
    window.move(5000, 200)
    window._screen_gone(app.primaryScreen())
    home = screen_place.screen_with_pointer().availableGeometry()
    assert home.contains(window.geometry().center())
    window.hide()
    window.deleteLater()


@pytest.mark.parametrize("dark", [False, True])
def test_the_shadow_fades_outwards(app: QApplication, dark: bool) -> None:
    image = shadow(dark, 2.0).toImage()
    assert image.width() == 2 * (4 * MARGIN + 1)
    middle = image.height() // 2
    alphas = [image.pixelColor(x, middle).alpha() for x in range(2 * MARGIN)]
    assert alphas == sorted(alphas)
    assert alphas[0] < 12
    assert alphas[-1] > 20
