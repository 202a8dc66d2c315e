"""Buttons, painted from the theme: primary, plain, quiet, destroying, glyph only, link, chip-like.

All are QPushButton, so that keys, mnemonics and screen readers work as they do everywhere.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from tray_app.ui import icons, painting, theme


class Button(QPushButton):
    """What all kinds share: pointer-over state, text and glyph in a row of 28 px. Sub-classes say their colours."""

    ring_radius = 6

    def __init__(self, text: str = "", parent: QWidget | None = None, *, glyph: str = "", flush: bool = False) -> None:
        super().__init__(text, parent)
        self._glyph = glyph
        self._flush = flush
        """What it says begins at its left edge but for the room of a focus ring, in line with what stands above."""
        self._over = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAutoDefault(False)

    def set_glyph(self, name: str) -> None:
        self._glyph = name
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        now = theme.current()
        width = painting.text_width(now, "row", self._plain_text(), 600) + now.px(26)
        if self._glyph:
            width += now.px(22)
        if self._flush:
            width -= now.px(9)
        return QSize(int(width) + 1, now.size("button"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._over = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._over = False
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        ground, outline, ink = self.look()
        if ground is not None or outline is not None:
            painting.fill_rounded(painter, QRectF(self.rect()), now.radii["control"], ground, outline)
        text = self._plain_text()
        weight = self.weight()
        width = painting.text_width(now, "row", text, weight)
        gap = now.px(22) if self._glyph else 0
        left = now.px(4) if self._flush else (self.width() - width - gap) / 2
        if self._glyph:
            side = now.px(16)
            icons.draw_glyph(painter, self._glyph, left, (self.height() - side) / 2, side, ink)
        top = (self.height() - now.face("row").line) / 2
        painting.draw_text(painter, left + gap, top, "row", text, ink, weight=weight)

    def look(self) -> tuple[QColor | None, QColor | None, QColor]:
        """Ground, outline and ink in the state it is in."""
        now = theme.current()
        if not self.isEnabled():
            return None, now["line"], now["text3"]
        return self._pressed_ground(now["raised"]), now["control"], now["text"]

    def weight(self) -> int:
        return 500

    def _pressed_ground(self, rest: QColor | None) -> QColor | None:
        now = theme.current()
        if self.isDown() or self.isChecked():
            return now["track"]
        return now["hover"] if self._over else rest

    def _plain_text(self) -> str:
        return self.text().replace("&&", "\0").replace("&", "").replace("\0", "&")


class PlainButton(Button):
    """The ordinary button: raised, with an outline."""


class PrimaryButton(Button):
    """The one button of a window that goes on."""

    def look(self) -> tuple[QColor | None, QColor | None, QColor]:
        now = theme.current()
        if not self.isEnabled():
            return now["hover"], None, now["text3"]
        name = "accent_pressed" if self.isDown() else "accent_hover" if self._over else "accent"
        return now[name], None, now["on_accent"]

    def weight(self) -> int:
        return 600


class QuietButton(Button):
    """A button that shows no frame until the pointer is over it."""

    def look(self) -> tuple[QColor | None, QColor | None, QColor]:
        now = theme.current()
        return self._pressed_ground(None), None, now["text" if self.isEnabled() else "text3"]


class DangerButton(Button):
    """A button that destroys something. Its text says what."""

    def look(self) -> tuple[QColor | None, QColor | None, QColor]:
        ground, outline, ink = super().look()
        return ground, outline, theme.current()["danger"] if self.isEnabled() else ink


class GlyphButton(QuietButton):
    """A square button with a glyph and no words. What it does is its tooltip and its accessible name."""

    def __init__(
        self, glyph: str, name: str = "", parent: QWidget | None = None, *, size: int = 28, glyph_size: int = 16
    ) -> None:
        super().__init__("", parent, glyph=glyph)
        self._size, self._glyph_size = size, glyph_size
        self.set_name(name)

    def set_name(self, name: str, keys: str = "") -> None:
        """What it does, and the key that does the same."""
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({keys})" if keys else name)

    def sizeHint(self) -> QSize:
        side = theme.current().px(self._size)
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        ground, _outline, _ink = self.look()
        if ground is not None:
            painting.fill_rounded(painter, QRectF(self.rect()), now.radii["control"], ground)
        side = now.px(self._glyph_size)
        ink = now["text2" if self.isEnabled() else "text3"]
        icons.draw_glyph(painter, self._glyph, (self.width() - side) / 2, (self.height() - side) / 2, side, ink)


class LinkButton(Button):
    """Words with a line under them that lead somewhere, with a glyph in front if one is given."""

    ring_radius = 3

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, glyph: str = "", face: str = "detail", color: str = "accent_text",
        glyph_color: str = ""
    ) -> None:  # fmt: skip
        super().__init__(text, parent, glyph=glyph)
        self._face, self._color, self._glyph_color = face, color, glyph_color or color
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        now = theme.current()
        width = painting.text_width(now, self._face, self._plain_text())
        return QSize(int(width) + 2 + self._gap(), now.face(self._face).line + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        face = now.face(self._face)
        top = (self.height() - face.line) / 2
        gap = self._gap()
        if self._glyph:
            side = now.px(14)
            icons.draw_glyph(painter, self._glyph, 0, (self.height() - side) / 2, side, now[self._glyph_color])
        ink = now[self._color if self.isEnabled() else "text3"]
        width = painting.draw_text(painter, gap, top, self._face, self._plain_text(), ink)
        line = QColor(ink)
        line.setAlphaF(1.0 if self._over or self.isDown() else 0.6)
        painter.fillRect(QRectF(gap, round(top + face.line / 2 + 0.36 * face.size) + 2, width, 1), line)

    def _gap(self) -> int:
        return theme.current().px(20) if self._glyph else 0
