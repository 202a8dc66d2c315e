"""Words and lines that only show: labels that shorten, key caps, hairlines.

Owns no input; everything here is painted from the theme in force and speaks its whole text to screen readers.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from tray_app.ui import icons, painting, text_layout, theme

ARROWS = {"↓": "down", "↑": "up"}


class Label(QLabel):
    """Plain text in one of the kinds of text and one colour of the theme. Wraps if asked."""

    def __init__(
        self, text: str = "", face: str = "body", color: str = "text", parent: QWidget | None = None, *, wrap: bool = False
    ) -> None:
        super().__init__(parent)
        self._face, self._color = face, color
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setText(text)
        self._dress()

    def set_look(self, face: str | None = None, color: str | None = None) -> None:
        self._face, self._color = face or self._face, color or self._color
        self._dress()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._dress()
        super().changeEvent(event)

    def _dress(self) -> None:
        now = theme.current()
        font = now.font(self._face)
        if font != self.font():
            self.setFont(font)
        palette = self.palette()
        if palette.color(self.foregroundRole()) != now[self._color]:
            palette.setColor(self.foregroundRole(), now[self._color])
            self.setPalette(palette)


class ElidedLabel(QLabel):
    """One line that shortens with an ellipsis; the whole text is its tooltip then, and always its accessible name."""

    def __init__(
        self,
        text: str = "",
        face: str = "body",
        color: str = "text",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._face, self._color, self._mode = face, color, mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text)
        self._tell()
        self.updateGeometry()

    def set_look(self, face: str | None = None, color: str | None = None) -> None:
        self._face, self._color = face or self._face, color or self._color
        self.updateGeometry()
        self.update()

    def shown_text(self) -> str:
        """What of the text can be seen now."""
        return painting.elide(theme.current(), self._face, self.text(), self.width(), self._mode)

    def sizeHint(self) -> QSize:
        now = theme.current()
        return QSize(int(painting.text_width(now, self._face, self.text())) + 2, now.face(self._face).line)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.current().px(24), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        top = (self.height() - now.face(self._face).line) / 2
        painting.draw_text(painter, 0, top, self._face, self.shown_text(), now[self._color])

    def _tell(self) -> None:
        self.setToolTip(text_layout.tip(self.text()) if self.shown_text() != self.text() else "")


class KeyCap(QWidget):
    """A key's name on a small cap: [Esc], [Tab], [↓]."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(int(cap_width(self._text)), theme.current().size("keycap"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        draw_cap(QPainter(self), 0, 0, self._text)


class Hairline(QWidget):
    """A line of one device pixel between regions."""

    def __init__(self, parent: QWidget | None = None, *, vertical: bool = False) -> None:
        super().__init__(parent)
        self._vertical = vertical
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        length = self.height() if self._vertical else self.width()
        painting.hairline(QPainter(self), 0, 0, length, theme.current()["line"], vertical=self._vertical)


class Glyph(QWidget):
    """An interface glyph (or, with `agent`, an agent's mark) that stands in a layout."""

    def __init__(
        self, name: str, size: int = 16, color: str = "text2", parent: QWidget | None = None, *, agent: bool = False
    ) -> None:
        super().__init__(parent)
        self._name, self._size, self._color, self._agent = name, size, color, agent
        side = theme.current().px(size)
        self.setFixedSize(side, side)

    def set_glyph(self, name: str, color: str | None = None) -> None:
        self._name, self._color = name, color or self._color
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        draw = icons.draw_mark if self._agent else icons.draw_glyph
        draw(QPainter(self), self._name, 0, 0, self.width(), theme.current()[self._color])


def cap_width(text: str) -> float:
    """How wide the cap of a key is, in logical pixels."""
    now = theme.current()
    if text in ARROWS or text in ("↵", "→", "←"):
        return now.px(20)
    return max(painting.text_width(now, "reason", text, 500) + now.px(11), now.px(20))


def draw_cap(painter: QPainter, x: float, y: float, text: str) -> float:
    """Paint a key cap with its corner at x, y; returns its width."""
    now = theme.current()
    width, height = cap_width(text), now.size("keycap")
    painting.fill_rounded(painter, QRectF(x, y, width, height), now.radii["box"], now["key"], now["keyline"])
    left = x + (width - painting.text_width(now, "reason", text, 500)) / 2
    top = y + (height - now.face("reason").line) / 2
    painting.draw_text(painter, left, top, "reason", text, now["text"], weight=500)
    return width
