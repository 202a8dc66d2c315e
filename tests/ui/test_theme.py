"""The tokens become palette, fonts and style sheet; a change is told once."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle

from tray_app.ui import theme

PAIRS = (
    ("text", "bg", 4.5), ("text", "sunken", 4.5), ("text", "sel", 4.5), ("text2", "sel", 4.5), ("text3", "sel", 4.5),
    ("accent_text", "sel", 4.5), ("mark_text", "mark", 4.5), ("on_accent", "accent", 4.5), ("warn", "bg", 4.5),
    ("danger", "raised", 4.5), ("control", "bg", 3.0), ("control", "sunken", 3.0), ("focus", "bg", 3.0),
)  # fmt: skip


def luminance(color: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


@pytest.mark.parametrize("name", ["light", "dark"])
def test_contrast_is_enough(name: str) -> None:
    made = theme.build(name)
    for ink, ground, least in PAIRS:
        one, two = sorted((luminance(made[ink]), luminance(made[ground])), reverse=True)
        assert (one + 0.05) / (two + 0.05) >= least, (ink, ground)


def test_sizes_follow_the_system_font() -> None:
    assert theme.build("light", 13).face("query").size == 20
    assert theme.build("light", 26).face("query").size == 40
    assert theme.build("light", 26).size("query_row") == 112
    assert theme.build("light", 9).face("reason").size == 11  # never smaller


def test_apply_sets_the_palette_and_tells_once(app: QApplication) -> None:
    told: list[str] = []
    theme.notifier().changed.connect(lambda: told.append(theme.current().name))
    theme.apply(app, "dark")
    assert app.palette().color(QPalette.ColorRole.Window) == theme.build("dark")["bg"]
    assert theme.build("dark")["raised"].name() in app.styleSheet()
    theme.apply(app, "dark")
    assert told == ["dark"]


def test_system_choice_without_a_scheme_is_light(app: QApplication) -> None:
    theme.apply(app, "dark")
    assert theme.apply(app, "system").name == "light"


def test_caret_is_two_pixels_under_the_style_sheet(app: QApplication) -> None:
    field = QLineEdit()
    assert app.style().pixelMetric(QStyle.PixelMetric.PM_TextCursorWidth, None, field) == 2
