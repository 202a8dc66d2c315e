"""A row of words of which one is chosen, with counts: a filter. Wraps where the room is short.

Arrow keys move within it, Tab passes it as one; the chosen one differs by ground and weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from tray_app.ui import i18n, painting, theme
from tray_app.ui.buttons import Button


class _Chip(Button):
    def __init__(self, key: str, parent: QWidget) -> None:
        super().__init__("", parent)
        self.key, self.count = key, 0
        self.setCheckable(True)

    def say(self, word: str, count: int) -> None:
        self.count = count
        self.setText(word)
        self.setAccessibleName(f"{word} {i18n.count(count)}")
        self.adjustSize()

    def sizeHint(self) -> QSize:
        now = theme.current()
        width = painting.text_width(now, "label", self._plain_text(), 600) + now.px(22)
        return QSize(int(width + painting.text_width(now, "detail", i18n.count(self.count))) + 1, now.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        chosen = self.isChecked()
        if chosen or self._over:
            painting.fill_rounded(painter, QRectF(self.rect()), now.radii["control"], now["hover"])
        top = (self.height() - now.face("detail").line) / 2
        ink = now["text" if chosen else "text2"]
        wide = painting.draw_text(painter, now.px(8), top, "detail", self._plain_text(), ink, weight=600 if chosen else 500)
        painting.draw_text(painter, now.px(8) + wide + now.px(6), top, "detail", i18n.count(self.count), now["text2"])


class ChipFilter(QWidget):
    """`chosen` carries the key of the chip that was pressed."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: dict[str, _Chip] = {}
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(lambda chip: self.chosen.emit(chip.key))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_chips(self, chips: Sequence[tuple[str, str, int]], current: str) -> None:
        """Key, word and count of each, in this order."""
        wanted = [key for key, _word, _count in chips]
        for key in [key for key in self._chips if key not in wanted]:
            chip = self._chips.pop(key)
            self._group.removeButton(chip)
            chip.hide()
            chip.deleteLater()
        for key, word, count in chips:
            if key not in self._chips:
                chip = _Chip(key, self)
                self._group.addButton(chip)
                self._chips[key] = chip
                chip.show()
            self._chips[key].say(word, count)
        self._chips = {key: self._chips[key] for key in wanted}
        for before, after in pairwise(wanted):
            QWidget.setTabOrder(self._chips[before], self._chips[after])
        if current in self._chips:
            self._chips[current].setChecked(True)
        self._place(self.width())
        self.updateGeometry()

    @property
    def chips(self) -> dict[str, Button]:
        return dict(self._chips)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(width, move=False)

    def sizeHint(self) -> QSize:
        return QSize(theme.current().px(200), self._place(self.width(), move=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width())

    def _place(self, width: int, *, move: bool = True) -> int:
        gap = theme.current().px(4)
        left = top = 0
        line = theme.current().px(24)
        for chip in self._chips.values():
            size = chip.sizeHint()
            if left and left + size.width() > width:
                left, top = 0, top + line + gap
            if move:
                chip.setGeometry(left, top, size.width(), size.height())
            left += size.width() + gap
        return top + line
