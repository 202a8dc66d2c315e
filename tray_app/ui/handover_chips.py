"""A row of words of which one is chosen, with counts: a filter. Wraps where the room is short.

Arrow keys move within it, Tab passes it as one; the chosen one differs by ground and weight.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from tray_app.ui import i18n, painting, theme
from tray_app.ui.buttons import Button


class _Chip(Button):
    stepped = Signal(int)

    def __init__(self, key: str, parent: QWidget) -> None:
        super().__init__("", parent)
        self.key, self.count = key, 0
        self.setCheckable(True)

    def say(self, word: str, count: int) -> None:
        self.count = count
        self.setText(word)
        self.setAccessibleName(f"{word} {i18n.count(count)}")
        self.adjustSize()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

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
    """`chosen` carries the key of the chip that was pressed. All chips are made at once, so that Tab meets them where they
    stand; those with nothing to choose are hidden."""

    chosen = Signal(str)

    def __init__(self, keys: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.all = {key: _Chip(key, self) for key in keys}
        self._group = QButtonGroup(self)
        for chip in self.all.values():
            chip.hide()
            chip.stepped.connect(self._step)
            self._group.addButton(chip)
        self._group.buttonClicked.connect(lambda chip: self._choose(chip.key))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_chips(self, chips: Sequence[tuple[str, str, int]], current: str) -> None:
        """Key, word and count of each that there is something of."""
        wanted = {key: (word, count) for key, word, count in chips}
        for key, chip in self.all.items():
            if key in wanted:
                chip.say(*wanted[key])
            chip.setVisible(key in wanted)
        self._mark(current)
        self._place(self.width())
        self.updateGeometry()

    @property
    def chips(self) -> dict[str, Button]:
        """Those that can be chosen."""
        return {key: chip for key, chip in self.all.items() if not chip.isHidden()}

    def _mark(self, current: str) -> None:
        for key, chip in self.all.items():
            chip.setChecked(key == current)
            # Tab comes to the chosen one; the arrows go on from there.
            chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus if key == current else Qt.FocusPolicy.ClickFocus)

    def _choose(self, key: str) -> None:
        self._mark(key)
        self.chosen.emit(key)

    def _step(self, step: int) -> None:
        shown = list(self.chips)
        here = next((at for at, key in enumerate(shown) if self.all[key].hasFocus()), 0)
        key = shown[min(max(here + step, 0), len(shown) - 1)]
        self._choose(key)
        if key in self.chips:
            self.all[key].setFocus(Qt.FocusReason.TabFocusReason)

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
        for chip in self.chips.values():
            size = chip.sizeHint()
            if left and left + size.width() > width:
                left, top = 0, top + line + gap
            if move:
                chip.setGeometry(left, top, size.width(), size.height())
            left += size.width() + gap
        return top + line
