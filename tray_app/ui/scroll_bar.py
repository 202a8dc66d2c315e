"""A scroll bar that lies over its content, so that grounds reach the edge and no row is laid out anew when it appears."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar

WIDTH = 12


class OverlayBar(QScrollBar):
    """Takes the place of a scroll area's vertical bar and does what that one would."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(Qt.Orientation.Vertical, area)
        self._area = area
        self._real = area.verticalScrollBar()
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._real.rangeChanged.connect(self._follow_range)
        self._real.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._real.setValue)
        area.installEventFilter(self)
        self._follow_range(self._real.minimum(), self._real.maximum())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._lie()
        return super().eventFilter(watched, event)

    def _lie(self) -> None:
        self.setGeometry(self._area.width() - WIDTH, 0, WIDTH, self._area.height())
        self._follow_range(self._real.minimum(), self._real.maximum())
        self.raise_()

    def _follow_range(self, least: int, most: int) -> None:
        self.setPageStep(self._real.pageStep())
        self.setSingleStep(self._real.singleStep())
        self.setRange(least, most)
        self.setValue(self._real.value())
        self.setVisible(most > least)
