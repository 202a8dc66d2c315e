"""A slider, painted: a track of 4 px and a knob of 16."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from tray_app.ui import painting, theme


class Slider(QAbstractSlider):
    """Values snap to `singleStep`. Arrows move by a step, Page keys by a page, Home and End to the ends."""

    ring_radius = 8

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(lambda _value: self.update())

    def sizeHint(self) -> QSize:
        now = theme.current()
        return QSize(now.px(120), now.px(20))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        steps = {
            Qt.Key.Key_Left: -self.singleStep(),
            Qt.Key.Key_Down: -self.singleStep(),
            Qt.Key.Key_Right: self.singleStep(),
            Qt.Key.Key_Up: self.singleStep(),
            Qt.Key.Key_PageUp: self.pageStep(),
            Qt.Key.Key_PageDown: -self.pageStep(),
        }
        if key in steps:
            self.setValue(self.value() + steps[Qt.Key(key)])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.setValue(self.minimum() if key == Qt.Key.Key_Home else self.maximum())
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._go(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def _go(self, x: float) -> None:
        knob = self._knob()
        share = min(max((x - knob / 2) / max(self.width() - knob, 1), 0.0), 1.0)
        wanted = self.minimum() + share * (self.maximum() - self.minimum())
        step = max(self.singleStep(), 1)
        self.setValue(round(wanted / step) * step)

    def _knob(self) -> int:
        return theme.current().px(16)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        knob = self._knob()
        middle = self.height() / 2
        share = (self.value() - self.minimum()) / max(self.maximum() - self.minimum(), 1)
        at = knob / 2 + share * (self.width() - knob)
        painting.fill_rounded(painter, QRectF(0, middle - 2, self.width(), 4), now.radii["bar"], now["track"])
        painting.fill_rounded(painter, QRectF(0, middle - 2, at, 4), now.radii["bar"], now["accent"])
        place = QRectF(at - knob / 2 + 1, middle - knob / 2 + 1, knob - 2, knob - 2)
        painting.fill_rounded(painter, place, place.height() / 2, now["raised"], now["accent"], 2)
