"""What settings pages are made of: the page with its head, and the row of a name, a consequence and a control.

Owns layout only; what a control does is its page's. Rows stand between hairlines, there are no group boxes.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from tray_app.ui import i18n, theme
from tray_app.ui.controls import Chooser, Hairline, Label, Switch


def give_line(label: Label, face: str) -> Label:
    """Give a label the line height of its kind of text; a QLabel of one line is only as high as its font."""
    label.setMinimumHeight(theme.current().face(face).line)
    return label


class Page(QWidget):
    """Title, one sentence, then rows. Sub-classes put rows in with `add_row`, and say their texts in `retranslate`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.title = Label("", "display", "text", self)
        self.sentence = Label("", "body", "text2", self, wrap=True)
        self.head_right = QHBoxLayout()
        head = QVBoxLayout()
        head.setSpacing(0)
        head.addWidget(give_line(self.title, "display"))
        head.addWidget(give_line(self.sentence, "body"))
        top = QHBoxLayout()
        top.setSpacing(now.px(16))
        top.addLayout(head, 1)
        top.addLayout(self.head_right)
        self.head_right.setAlignment(Qt.AlignmentFlag.AlignTop)

        inner = QWidget()
        inner.setAutoFillBackground(False)
        self.rows = QVBoxLayout(inner)
        self.rows.setContentsMargins(now.px(28), 0, now.px(28), now.px(24))
        self.rows.setSpacing(0)
        self.rows.addWidget(Hairline(inner))
        self._stretch_at = 1
        self.rows.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        self.area.viewport().setAutoFillBackground(False)

        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(20), 0, 0)
        column.setSpacing(now.px(20))
        box = QWidget(self)
        box.setLayout(top)
        top.setContentsMargins(now.px(28), 0, now.px(28), 0)
        column.addWidget(box)
        column.addWidget(self.area, 1)

    def add_row(self, row: QWidget, *, line: bool = True) -> None:
        self.rows.insertWidget(self._stretch_at, row)
        self._stretch_at += 1
        if line:
            self.rows.insertWidget(self._stretch_at, Hairline())
            self._stretch_at += 1

    def clear_rows(self) -> None:
        """Take all rows out, and the lines under them."""
        while self._stretch_at > 1:
            self._stretch_at -= 1
            item = self.rows.takeAt(self._stretch_at)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def retranslate(self) -> None:
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


class SettingRow(QWidget):
    """A name and its consequence at the left, the control at the right; `below` stands under both."""

    def __init__(self, control: QWidget, parent: QWidget | None = None, *, below: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.control = control
        self.name = Label("", "row", "text", self)
        self.help = Label("", "detail", "text2", self, wrap=True)
        self.name.setBuddy(control)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(give_line(self.name, "row"))
        words.addWidget(give_line(self.help, "detail"))
        line = QHBoxLayout()
        line.setSpacing(now.px(24))
        line.addLayout(words, 1)
        line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        # 4 px at the right keep the focus ring of the control whole.
        column.setContentsMargins(0, now.px(10), now.px(4), now.px(10))
        column.setSpacing(now.px(6))
        column.addLayout(line)
        if below is not None:
            column.addWidget(below)

    def set_texts(self, name: str, help_text: str) -> None:
        self.name.setText(name)
        self.help.setText(help_text)
        self.help.setVisible(bool(help_text))
        self.control.setAccessibleName(name)
        self.control.setAccessibleDescription(help_text)

    def mousePressEvent(self, event: object) -> None:
        # A click anywhere in the row of a switch is meant for the switch.
        if isinstance(self.control, Switch) and self.control.isEnabled():
            self.control.setFocus(Qt.FocusReason.MouseFocusReason)
            self.control.click()


class Choice(Chooser):
    """A closed choice between values; `chosen` comes only when the person chose."""

    chosen = Signal(str)

    def __init__(self, values: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for value in values:
            self.addItem(value, value)
        self.activated.connect(lambda _index: self.chosen.emit(self.value()))

    def value(self) -> str:
        return str(self.currentData())

    def set_value(self, value: str) -> None:
        self.setCurrentIndex(max(self.findData(value), 0))

    def set_words(self, words: dict[str, str]) -> None:
        for index in range(self.count()):
            self.setItemText(index, words.get(str(self.itemData(index)), str(self.itemData(index))))
        self.updateGeometry()


class Number(QSpinBox):
    """A whole number, kept when the person is done with it (Enter or leaving the field), not at each key."""

    ring_radius = 6
    is_field = True
    entered = Signal(int)

    def __init__(self, least: int, most: int, step: int = 1, parent: QWidget | None = None, *, width: int = 130) -> None:
        super().__init__(parent)
        self.setRange(least, most)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setKeyboardTracking(False)
        # The style sheet's field is the spin box itself; the line edit inside must not draw another one.
        self.lineEdit().setProperty("plain", True)
        self.setLocale(i18n.locale())
        self.setFixedWidth(theme.current().px(width))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._kept = self.value()
        self.editingFinished.connect(self._done)

    def set_number(self, value: int) -> None:
        self._kept = value
        self.setValue(value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._place()

    def _place(self) -> None:
        # A spin box that has a style sheet and no buttons gives its text one pixel.
        self.lineEdit().setGeometry(self.rect().adjusted(9, 1, -9, -1))

    def wheelEvent(self, event: object) -> None:
        """Scrolling the page must not change a number it passes over."""
        event.ignore()  # type: ignore[attr-defined]

    def _done(self) -> None:
        if self.value() != self._kept:
            self._kept = self.value()
            self.entered.emit(self._kept)
