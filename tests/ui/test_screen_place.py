"""Where a window may stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QSize

from tray_app.ui.screen_place import MARGIN, brought_in, centred, fit, upper

SCREEN = QRect(0, 0, 1920, 1080)
LEFT = QRect(-1280, 0, 1280, 1024)


def test_fit() -> None:
    least = QSize(560, 400)
    assert fit(QSize(960, 640), least, SCREEN) == QSize(960, 640)
    assert fit(QSize(100, 100), least, SCREEN) == least
    assert fit(QSize(3840, 2160), least, SCREEN) == QSize(1920 - 2 * MARGIN, 1080 - 2 * MARGIN)
    assert fit(QSize(960, 640), least, QRect(0, 0, 500, 300)) == QSize(468, 268)


def test_upper_is_at_22_percent_or_higher_where_it_must() -> None:
    assert upper(QSize(960, 640), SCREEN) == QRect(480, 238, 960, 640)
    assert upper(QSize(960, 1000), SCREEN).top() == 1080 - MARGIN - 1000
    assert upper(QSize(960, 2000), SCREEN).top() == 0


def test_centred() -> None:
    assert centred(QSize(920, 580), SCREEN) == QRect(500, 250, 920, 580)


@pytest.mark.parametrize(
    "window",
    [QRect(5000, 200, 900, 600), QRect(-3000, -900, 900, 600), QRect(0, 0, 3840, 2160), QRect(1700, 200, 900, 600)],
)
def test_a_window_from_a_screen_that_is_gone_is_brought_in(window: QRect) -> None:
    placed = brought_in(window, [SCREEN], SCREEN)
    assert SCREEN.contains(placed)


def test_a_window_that_can_be_seen_stays() -> None:
    for window in (QRect(100, 100, 900, 600), QRect(-1200, 10, 900, 600), QRect(-100, 100, 900, 600)):
        assert brought_in(window, [SCREEN, LEFT], SCREEN) == window


@given(
    st.integers(-9000, 9000), st.integers(-9000, 9000), st.integers(0, 9000), st.integers(0, 9000),
    st.sampled_from([SCREEN, QRect(0, 0, 640, 480), QRect(-800, 50, 800, 600)]),
)  # fmt: skip
def test_at_least_80_percent_is_always_on_a_screen(x: int, y: int, width: int, height: int, screen: QRect) -> None:
    placed = brought_in(QRect(x, y, width, height), [screen], screen)
    seen = placed.intersected(screen)
    assert seen.width() * seen.height() >= 0.8 * placed.width() * placed.height()
