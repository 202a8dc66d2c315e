"""Painted controls: switch, tick, radio, bar, tabs, chooser, field, and the focus ring.

Fusion's own do not take the theme's accent. Each is a sub-class of Qt's control, so that its keys and what it tells
screen readers come with it. Buttons and labels are in `buttons` and `elided`, and can be had from here too.
"""

from __future__ import annotations

import time

import shiboken6
from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QFocusFrame,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QTabBar,
    QWidget,
)

from tray_app.ui import icons, painting, theme
from tray_app.ui.buttons import DangerButton, GlyphButton, LinkButton, PlainButton, PrimaryButton, QuietButton
from tray_app.ui.elided import ElidedLabel, Glyph, Hairline, KeyCap, Label

__all__ = [
    "Bar", "Chooser", "DangerButton", "ElidedLabel", "Field", "FocusRing", "Glyph", "GlyphButton", "Hairline", "KeyCap",
    "Label", "LinkButton", "PlainButton", "PrimaryButton", "QuietButton", "Radio", "Switch", "TabRow", "Tick",
]  # fmt: skip

REPAINT_SECONDS = 0.25
"""A bar is painted at most this often."""


class Tick(QCheckBox):
    """A tick box with its words."""

    ring_radius = 4

    def sizeHint(self) -> QSize:
        return _choice_size(self.text())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        side = theme.current().size("box")
        draw_tick(painter, 0, (self.height() - side) / 2, on=self.isChecked(), enabled=self.isEnabled(), down=self.isDown())
        _draw_choice_text(painter, self.text(), self.height(), self.isEnabled())


class Radio(QRadioButton):
    """A radio button with its words."""

    ring_radius = 8

    def sizeHint(self) -> QSize:
        return _choice_size(self.text())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = now.size("box")
        box = QRectF(0, (self.height() - side) / 2, side, side)
        on = self.isChecked()
        edge = "line" if not self.isEnabled() else "accent" if on else "control"
        ground = now["track"] if self.isDown() else now["raised"]
        painter.setPen(QPen(now[edge], 1.5 if on else 1))
        painter.setBrush(ground)
        painter.drawEllipse(box.adjusted(0.75, 0.75, -0.75, -0.75))
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now["accent" if self.isEnabled() else "text3"])
            painter.drawEllipse(box.center(), side * 0.25, side * 0.25)
        _draw_choice_text(painter, self.text(), self.height(), self.isEnabled())


class Switch(QCheckBox):
    """On or off, 32 × 18. On shows a tick in its knob, off an outline with a grey knob. Its text is not drawn: give it
    a label beside it, and an accessible name."""

    ring_radius = 9

    def sizeHint(self) -> QSize:
        now = theme.current()
        width, height = now.measures["switch"]
        return QSize(now.px(width), now.px(height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        size = self.sizeHint()
        body = QRectF(0, (self.height() - size.height()) / 2, size.width(), size.height())
        radius = body.height() / 2
        knob = body.height() - 6
        if self.isChecked():
            ground = now["accent_pressed" if self.isDown() else "accent"] if self.isEnabled() else now["track"]
            painting.fill_rounded(painter, body, radius, ground)
            place = QRectF(body.right() - knob - 3, body.top() + 3, knob, knob)
            painting.fill_rounded(painter, place, knob / 2, now["on_accent"] if self.isEnabled() else now["bg"])
            painter.setPen(QPen(ground, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
            x, y, unit = place.left(), place.top(), knob / 12
            painter.drawPolyline(
                [
                    QPointF(x + 3.4 * unit, y + 6.2 * unit),
                    QPointF(x + 5.3 * unit, y + 8.1 * unit),
                    QPointF(x + 8.7 * unit, y + 4 * unit),
                ]
            )
        else:
            ground = now["track"] if self.isDown() else now["raised"]
            painting.fill_rounded(painter, body, radius, ground, now["control" if self.isEnabled() else "line"])
            place = QRectF(body.left() + 3, body.top() + 3, knob, knob)
            painting.fill_rounded(painter, place, knob / 2, now["control" if self.isEnabled() else "track"])


class Bar(QProgressBar):
    """Progress, 4 px high. Painted at most four times a second, and only when a pixel would change."""

    def __init__(self, parent: QWidget | None = None, width: int = 120) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setTextVisible(False)
        self.setFixedSize(now.px(width), max(now.size("progress"), 4))
        self.setRange(0, 1000)
        self._painted = -1
        self._when = 0.0
        self._share = (0.0, 0.0)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(lambda: self.set_share(*self._share))

    def set_share(self, done: float, total: float) -> None:
        """How much of `total` is done. What lies in between two paints is not shown; the last of it is, a little later."""
        self._share = (done, total)
        share = min(max(done / total, 0.0), 1.0) if total > 0 else 0.0
        pixel = round(share * self.width() * self.devicePixelRatioF())
        if pixel == self._painted:
            return
        rested = time.monotonic() - self._when
        if share < 1.0 and rested < REPAINT_SECONDS:
            self._late.start(round((REPAINT_SECONDS - rested) * 1000) + 1)
            return
        self._painted, self._when = pixel, time.monotonic()
        self.setValue(round(share * 1000))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        radius = now.radii["bar"]
        painting.fill_rounded(painter, QRectF(self.rect()), radius, now["track"])
        share = (self.value() - self.minimum()) / max(self.maximum() - self.minimum(), 1)
        if share > 0:
            filled = QRectF(0, 0, max(self.width() * share, self.height()), self.height())
            painting.fill_rounded(painter, filled, radius, now["accent"])


class TabRow(QTabBar):
    """Tabs as words in a row of 36 px, with a line of 2 px under the current one; a count beside the words is the tab's
    data. The focus ring is drawn around the current one: words begin `INSET` px within the row."""

    no_ring = True
    INSET = 6

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)

    def tabSizeHint(self, index: int) -> QSize:
        now = theme.current()
        width = painting.text_width(now, "row", self.tabText(index), 600) + now.px(20)
        if self.tabData(index) is not None:
            width += painting.text_width(now, "detail", str(self.tabData(index))) + now.px(6)
        return QSize(int(width) + 1, now.size("tab_row"))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painting.hairline(painter, 0, self.height() - 1, self.width(), now["line"])
        for index in range(self.count()):
            if not self.isTabVisible(index):
                continue
            rect = self.tabRect(index)
            here = index == self.currentIndex()
            top = rect.top() + (rect.height() - now.face("row").line) / 2
            ink = now["text" if here else "text2"]
            left = rect.left() + now.px(self.INSET)
            width = painting.draw_text(painter, left, top, "row", self.tabText(index), ink, weight=600 if here else 500)
            if self.tabData(index) is not None:
                painting.draw_text(painter, left + width + now.px(6), top + 1, "detail", str(self.tabData(index)), now["text2"])
            if here:
                painter.fillRect(QRect(left, self.height() - 2, rect.width() - now.px(20), 2), now["accent"])
            if here and self.hasFocus():
                ring = QRectF(rect.left(), top - now.px(3), rect.width() - now.px(8), now.face("row").line + now.px(6))
                painting.fill_rounded(painter, ring, now.radii["control"], None, now["focus"], 2)


class Chooser(QComboBox):
    """One of a few, closed: a field with its words and a chevron."""

    ring_radius = 6
    is_field = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        now = theme.current()
        texts = [self.itemText(index) for index in range(self.count())] or [""]
        widest = max(painting.text_width(now, "body", text) for text in texts)
        return QSize(int(widest) + now.px(46), now.size("field"))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.current().px(80), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        enabled = self.isEnabled()
        edge = "focus" if self.hasFocus() else "control" if enabled else "line"
        painting.fill_rounded(painter, QRectF(self.rect()), now.radii["control"], now["raised" if enabled else "bg"], now[edge])
        top = (self.height() - now.face("body").line) / 2
        room = self.width() - now.px(40)
        text = painting.elide(now, "body", self.currentText(), room)
        painting.draw_text(painter, now.px(10), top, "body", text, now["text" if enabled else "text3"])
        side = now.px(14)
        y = (self.height() - side) / 2
        icons.draw_glyph(
            painter, "chevron-down", self.width() - side - now.px(9), y, side, now["text2" if enabled else "text3"]
        )


class Field(QLineEdit):
    """A field of one line, with a glyph inside at the left if one is given, and an error state that says its sentence to
    screen readers too (show the sentence itself in a `Label` under it)."""

    ring_radius = 6
    is_field = True

    def __init__(self, placeholder: str = "", parent: QWidget | None = None, *, glyph: str = "") -> None:
        super().__init__(parent)
        self._glyph = glyph
        self._error = ""
        self.setPlaceholderText(placeholder)
        if glyph:
            self.setTextMargins(theme.current().px(20), 0, 0, 0)

    @property
    def error(self) -> str:
        return self._error

    def set_error(self, sentence: str) -> None:
        """What is wrong with the text; '' when nothing is."""
        self._error = sentence
        self.setAccessibleDescription(sentence)
        left = theme.current().px(20) if self._glyph else 0
        self.setTextMargins(left, 0, theme.current().px(22) if sentence else 0, 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        now = theme.current()
        side = now.px(14)
        y = (self.height() - side) / 2
        painter = QPainter(self)
        if self._glyph:
            icons.draw_glyph(painter, self._glyph, now.px(8), y, side, now["text2"])
        if self._error:
            painting.fill_rounded(painter, QRectF(self.rect()), now.radii["control"], None, now["danger"], 1.5)
            icons.draw_glyph(painter, "warn", self.width() - side - now.px(8), y, side, now["danger"])


class FocusRing(QObject):
    """The one focus ring of a window: a frame that goes with the keyboard's focus.

    Make one for the application (a second one takes over). Lists show their focus as the selected row, and a widget with `no_ring = True` shows its
    own, so these get none.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._frame: _RingFrame | None = None
        before, FocusRing._in_force = FocusRing._in_force, self
        if before is not None:
            before._let_go()
        app.focusChanged.connect(self._move)

    _in_force: FocusRing | None = None

    def _let_go(self) -> None:
        if self._frame is not None and shiboken6.isValid(self._frame):
            self._frame.setWidget(None)  # type: ignore[arg-type]
            self._frame.deleteLater()
        self._frame = None

    def _move(self, _old: QWidget | None, now: QWidget | None) -> None:
        if FocusRing._in_force is not self:
            return
        self._let_go()
        if now is not None and _wants_ring(now):
            self._frame = _RingFrame(now)


class _RingFrame(QFocusFrame):
    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget.window())
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._field = bool(getattr(widget, "is_field", isinstance(widget, (QLineEdit, QPlainTextEdit, QSpinBox))))
        self._radius = float(getattr(widget, "ring_radius", 6))
        self.setWidget(widget)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        gap = 2 if self._field else 0
        box = QRectF(self.rect()).adjusted(gap, gap, -gap, -gap)
        painting.fill_rounded(painter, box, self._radius + (2 if self._field else 4), None, theme.current()["focus"], 2)


def _wants_ring(widget: QWidget) -> bool:
    return not (isinstance(widget, QAbstractItemView) or getattr(widget, "no_ring", False) or widget.isWindow())


def draw_tick(painter: QPainter, x: float, y: float, *, on: bool, enabled: bool = True, down: bool = False) -> None:
    """Paint a tick box of 16 px with its corner at x, y (lists of sources paint it in their rows)."""
    now = theme.current()
    side = now.size("box")
    box = QRectF(x, y, side, side)
    radius = now.radii["box"]
    if not on:
        painting.fill_rounded(painter, box, radius, now["track" if down else "raised"], now["control" if enabled else "line"])
        return
    painting.fill_rounded(painter, box, radius, now["accent_pressed" if down else "accent"] if enabled else now["track"])
    ink = now["on_accent" if enabled else "text3"]
    painter.setPen(QPen(ink, 1.75, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    unit = side / 16
    painter.drawPolyline(
        [
            QPointF(x + 4 * unit, y + 8.3 * unit),
            QPointF(x + 6.9 * unit, y + 11.2 * unit),
            QPointF(x + 12 * unit, y + 5.2 * unit),
        ]
    )


def _choice_size(text: str) -> QSize:
    now = theme.current()
    width = now.size("box") + (now.px(8) + painting.text_width(now, "body", text) if text else 0)
    return QSize(int(width) + 1, max(now.face("body").line, now.size("box")))


def _draw_choice_text(painter: QPainter, text: str, height: int, enabled: bool) -> None:
    if not text:
        return
    now = theme.current()
    top = (height - now.face("body").line) / 2
    ink = now["text" if enabled else "text3"]
    painting.draw_text(painter, now.size("box") + now.px(8), top, "body", text.replace("&", ""), ink)
