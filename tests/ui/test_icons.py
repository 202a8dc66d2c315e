"""Glyphs are tinted and cached, unknown agents get a mark, icons are there at every size a desktop asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from tray_app.ui import icons, theme

pytestmark = pytest.mark.usefixtures("app")


def test_glyph_has_its_colour_and_its_pixels() -> None:
    found = icons.glyph("search", 16, QColor("#B3261E"), 2.0)
    assert (found.width(), found.devicePixelRatio()) == (32, 2.0)
    image = found.toImage()
    drawn = {image.pixelColor(x, y).name() for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() == 255}
    assert drawn == {"#b3261e"}


@pytest.mark.parametrize("agent", ["nobody_knows", "../ui/search", "", "Codex\0"])
def test_unknown_agents_get_the_other_mark(agent: str) -> None:
    color = QColor("black")
    assert icons.agent_mark(agent, 14, color).toImage() == icons.agent_mark("other", 14, color).toImage()
    assert icons.agent_mark("codex", 14, color).toImage() != icons.agent_mark("other", 14, color).toImage()


def test_every_role_has_a_glyph() -> None:
    for name in icons.ROLE_GLYPHS.values():
        assert not icons.glyph(name, 14, QColor("black")).isNull()


@pytest.mark.parametrize("state", icons.TRAY_STATES)
@pytest.mark.parametrize("variant", icons.TRAY_VARIANTS)
def test_tray_icons_are_there_from_anywhere(state: str, variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    icon = icons.tray_icon(state, variant)
    assert icon.isMask() == (variant == "mask")
    for size in icons.TRAY_SIZES:
        pixmap = icon.pixmap(size, size)
        assert pixmap.width() == size
        image = pixmap.toImage()
        assert any(image.pixelColor(x, y).alpha() > 128 for x in range(size) for y in range(size))


def test_tray_states_differ_by_shape() -> None:
    images = [icons.tray_icon(state, "mask").pixmap(22, 22).toImage() for state in icons.TRAY_STATES]
    assert all(images[one] != images[two] for one in range(4) for two in range(one))


def test_tray_icon_of_no_state_is_refused() -> None:
    with pytest.raises(ValueError, match="no tray icon"):
        icons.tray_icon("happy", "mask")


def test_cache_is_dropped_with_the_theme(app: QApplication) -> None:
    icons.glyph("search", 16, QColor("black"))
    assert icons._pixmaps
    theme.apply(app, "dark")
    assert not icons._pixmaps


def test_app_icon_has_large_sizes() -> None:
    assert {size.width() for size in icons.app_icon().availableSizes()} >= {16, 48, 256, 512}
