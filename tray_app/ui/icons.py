"""Glyphs, agents' marks, the application's and the tray's icons.

Owns reading the drawings under resources/icons and tinting them. Holds pixmaps only as a cache that is dropped when the
theme changes.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from tray_app.paths import resource
from tray_app.ui import theme

TRAY_SIZES = (16, 22, 24, 32, 44, 48, 64)
APP_SIZES = (16, 22, 24, 32, 44, 48, 64, 128, 256, 512)
TRAY_STATES = ("idle", "indexing", "paused", "attention")
TRAY_VARIANTS = ("on-light", "on-dark", "mask")

ROLE_GLYPHS = {
    "user": "you",
    "assistant": "reply",
    "tool_call": "tool",
    "tool_result": "tool",
    "reasoning": "info",
    "summary": "pack",
    "note": "card",
}
"""Which drawing stands for who spoke."""
SHARED_MARKS = {"codebuddy": "workbuddy"}
"""Agents of one maker that share one format and one mark."""

_pixmaps: dict[tuple[str, int, float, str], QPixmap] = {}
_listening = False


def glyph(name: str, size: int, color: QColor, dpr: float = 1.0) -> QPixmap:
    """An interface glyph, `size` logical pixels square, in one colour, for a device of this pixel ratio."""
    return _tinted(f"ui/{name}", size, color, dpr)


def agent_mark(agent: str, size: int, color: QColor, dpr: float = 1.0) -> QPixmap:
    """The mark of an agent; that of `other` for one we have none for."""
    return _tinted(f"agents/{_known_agent(agent)}", size, color, dpr)


def glyph_icon(name: str, size: int, color: QColor, disabled: QColor | None = None) -> QIcon:
    """A glyph as an icon for menus and buttons, at one and two device pixels."""
    icon = QIcon()
    for ratio in (1.0, 2.0):
        icon.addPixmap(glyph(name, size, color, ratio))
        if disabled is not None:
            icon.addPixmap(glyph(name, size, disabled, ratio), QIcon.Mode.Disabled)
    return icon


def draw_glyph(painter: QPainter, name: str, x: float, y: float, size: int, color: QColor) -> None:
    """Paint an interface glyph with its corner at x, y."""
    painter.drawPixmap(QRectF(x, y, size, size).topLeft(), glyph(name, size, color, _ratio(painter)))


def draw_mark(painter: QPainter, agent: str, x: float, y: float, size: int, color: QColor) -> None:
    """Paint an agent's mark with its corner at x, y."""
    painter.drawPixmap(QRectF(x, y, size, size).topLeft(), agent_mark(agent, size, color, _ratio(painter)))


@lru_cache(maxsize=1)
def app_icon() -> QIcon:
    """The product's icon in all sizes a desktop asks for."""
    drawing = _drawing("app/backscroll")
    icon = QIcon()
    for size in APP_SIZES:
        icon.addPixmap(_render(drawing, size, 1.0))
    return icon


@lru_cache(maxsize=16)
def tray_icon(state: str, variant: str) -> QIcon:
    """The tray's icon. `state`: idle, indexing, paused, attention; `variant`: on-light, on-dark, mask (macOS)."""
    if state not in TRAY_STATES or variant not in TRAY_VARIANTS:
        raise ValueError(f"no tray icon for {state!r}, {variant!r}")
    drawing = _drawing(f"tray/tray-{state}-{variant}")
    icon = QIcon()
    for size in TRAY_SIZES:
        icon.addPixmap(_render(drawing, size, 1.0))
    icon.setIsMask(variant == "mask")
    return icon


def drop_cache() -> None:
    """Forget the tinted pixmaps."""
    _pixmaps.clear()


def _tinted(name: str, size: int, color: QColor, dpr: float) -> QPixmap:
    global _listening
    if not _listening:
        theme.notifier().changed.connect(drop_cache)
        _listening = True
    key = (name, size, dpr, color.name(QColor.NameFormat.HexArgb))
    found = _pixmaps.get(key)
    if found is None:
        found = _render(_drawing(name).replace("#000", color.name()), size, dpr)
        _pixmaps[key] = found
    return found


def _render(drawing: str, size: int, dpr: float) -> QPixmap:
    pixels = max(round(size * dpr), 1)
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    pixmap.setDevicePixelRatio(dpr)
    return pixmap


@lru_cache(maxsize=128)
def _drawing(name: str) -> str:
    return resource(f"icons/{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def _known_agent(agent: str) -> str:
    folder = resource("icons/agents")
    agent = SHARED_MARKS.get(agent, agent)
    return agent if agent.replace("_", "").isalnum() and (folder / f"{agent}.svg").is_file() else "other"


def _ratio(painter: QPainter) -> float:
    device = painter.device()
    return float(device.devicePixelRatioF()) if device is not None else 1.0
