"""Small strokes that every painted widget uses: text on its line, rounded grounds, hairlines.

Pure functions on a QPainter; they know the theme and nothing else.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from tray_app.ui.theme import Theme, current


def text_width(theme: Theme, face: str, text: str, weight: int | None = None) -> float:
    """How wide a text is in a kind of text, in logical pixels."""
    return QFontMetricsF(theme.font(face, weight)).horizontalAdvance(text)


def elide(
    theme: Theme,
    face: str,
    text: str,
    width: float,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    weight: int | None = None,
) -> str:
    """The text, shortened with an ellipsis to at most this width."""
    return QFontMetricsF(theme.font(face, weight)).elidedText(text, mode, max(width, 0.0))


def draw_text(
    painter: QPainter, x: float, top: float, face: str, text: str, color: QColor, *, weight: int | None = None
) -> float:
    """Draw one line of text whose line box begins at `top`; returns its width.

    The base line comes from the line box, not from the font that happens to draw, so that a line does not shift when
    one hanzi brings in a taller font.
    """
    theme = current()
    font = theme.font(face, weight)
    kind = theme.face(face)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(QPointF(x, round(top + kind.line / 2 + 0.36 * kind.size)), text)
    return QFontMetricsF(font).horizontalAdvance(text)


def fill_rounded(
    painter: QPainter, rect: QRectF, radius: float, ground: QColor | None, outline: QColor | None = None, stroke: float = 1.0
) -> None:
    """A rounded ground, with an outline inside its edge if one is given."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if outline is None:
        painter.setPen(Qt.PenStyle.NoPen)
    else:
        painter.setPen(QPen(outline, stroke))
        inset = stroke / 2
        rect = rect.adjusted(inset, inset, -inset, -inset)
        radius = max(radius - inset, 0)
    if ground is None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setBrush(ground)
    painter.drawRoundedRect(rect, radius, radius)


def rounded_path(rect: QRectF, top: float, bottom: float) -> QPainterPath:
    """A rectangle with one radius at the two upper corners and another at the two lower ones."""
    path = QPainterPath()
    path.moveTo(rect.left() + top, rect.top())
    path.lineTo(rect.right() - top, rect.top())
    if top:
        path.arcTo(rect.right() - 2 * top, rect.top(), 2 * top, 2 * top, 90, -90)
    path.lineTo(rect.right(), rect.bottom() - bottom)
    if bottom:
        path.arcTo(rect.right() - 2 * bottom, rect.bottom() - 2 * bottom, 2 * bottom, 2 * bottom, 0, -90)
    path.lineTo(rect.left() + bottom, rect.bottom())
    if bottom:
        path.arcTo(rect.left(), rect.bottom() - 2 * bottom, 2 * bottom, 2 * bottom, 270, -90)
    path.lineTo(rect.left(), rect.top() + top)
    if top:
        path.arcTo(rect.left(), rect.top(), 2 * top, 2 * top, 180, -90)
    path.closeSubpath()
    return path


def hairline(painter: QPainter, x: float, y: float, length: float, color: QColor, *, vertical: bool = False) -> None:
    """A line of one device pixel, whatever the scale."""
    device = painter.device()
    width = 1.0 / (device.devicePixelRatioF() if device is not None else 1.0)
    rect = QRectF(x, y, width, length) if vertical else QRectF(x, y, length, width)
    painter.fillRect(rect, color)
