"""What the page Meaning is made of: radio rows with their consequence, fields under them, the line that says what a test
said.

Owns layout only: names at 28, consequences and fields at 150, as minima.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from tray_app.ui import painting, theme
from tray_app.ui.controls import Glyph, Label, PlainButton, Radio
from tray_app.ui.settings_rows import give_line

NAME_AT, FIELD_AT, ROW = 28, 150, 36


def at_first_line(glyph: Glyph, face: str) -> QVBoxLayout:
    """A glyph in the middle of the first line of the words beside it, however many lines these take."""
    holder = QVBoxLayout()
    holder.setContentsMargins(0, max((theme.current().face(face).line - glyph.height()) // 2, 0), 0, 0)
    holder.addWidget(glyph)
    holder.addStretch(1)
    return holder


class RadioRow(QWidget):
    """A radio button, its name, what it means, and a lock or a cloud. The whole row chooses."""

    def __init__(self, value: str, glyph: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.value = value
        self.radio = Radio("", self)
        self.name = Label("", "row", "text", self)
        self.consequence = Label("", "detail", "text2", self, wrap=True)
        self.name.setMinimumWidth(now.px(FIELD_AT - NAME_AT - 8))
        line = QHBoxLayout(self)
        # 4 px at the left keep the focus ring whole.
        line.setContentsMargins(now.px(4), now.px(6), now.px(4), now.px(6))
        line.setSpacing(now.px(8))
        line.addWidget(self.radio)
        line.addWidget(give_line(self.name, "row"))
        line.addWidget(give_line(self.consequence, "detail"), 1)
        self.mark = Glyph(glyph or "lock", 14, "text2", self)
        self.mark.setVisible(bool(glyph))
        line.addWidget(self.mark)
        self.setMinimumHeight(now.px(ROW))
        self.radio.toggled.connect(self._weigh)

    def set_texts(self, name: str, consequence: str) -> None:
        self.name.setText(name)
        self.consequence.setText(consequence)
        self.radio.setAccessibleName(name)
        self.radio.setAccessibleDescription(consequence)

    def name_width(self) -> int:
        """What the name needs, chosen or not."""
        return int(painting.text_width(theme.current(), "row_strong", self.name.text())) + 2

    def set_name_width(self, width: int) -> None:
        """Make all consequences begin at one place."""
        self.name.setMinimumWidth(max(width, theme.current().px(FIELD_AT - NAME_AT - 8)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.radio.setFocus(Qt.FocusReason.MouseFocusReason)
            self.radio.click()

    def _weigh(self, chosen: bool) -> None:
        self.name.set_look(face="row_strong" if chosen else "row")


class Fields(QWidget):
    """The fields of the chosen row, a name before each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(now.px(NAME_AT), now.px(2), now.px(4), now.px(10))
        self._grid.setHorizontalSpacing(now.px(8))
        self._grid.setVerticalSpacing(now.px(8))
        self._grid.setColumnMinimumWidth(0, now.px(FIELD_AT - NAME_AT - 8))
        self._grid.setColumnStretch(1, 1)
        self._names: list[Label] = []

    def set_name_width(self, width: int) -> None:
        """Begin where the consequences of rows with names of this width begin."""
        now = theme.current()
        self._grid.setColumnMinimumWidth(0, max(width + 1, now.px(FIELD_AT - NAME_AT - 8)))

    def add_field(self, *widgets: QWidget, wide: int = 0) -> Label:
        """A line with a name and what stands at 150; the widget number `wide` takes the room there is
        (−1: none does)."""
        name = Label("", "body", "text2", self)
        holder = QWidget(self)
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.current().px(8))
        for place, widget in enumerate(widgets):
            line.addWidget(widget, 1 if place == wide else 0)
        if wide < 0:
            line.addStretch(1)
        at = self._grid.rowCount()
        self._grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
        name.setFixedHeight(theme.current().size("field"))
        self._grid.addWidget(holder, at, 1)
        self._names.append(name)
        return name

    def add_under(self, widget: QWidget, *, whole: bool = False) -> None:
        """A widget in the column of the fields, or over both."""
        at = self._grid.rowCount()
        if whole:
            self._grid.addWidget(widget, at, 0, 1, 2)
        else:
            self._grid.addWidget(widget, at, 1)


class Outcome(QWidget):
    """One sentence with a glyph: what a test said, or what is wrong with a field. Empty: it takes no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.glyph = Glyph("check", 14, "accent_text", self)
        self.words = Label("", "detail", "text2", self, wrap=True)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(now.px(6))
        line.addLayout(at_first_line(self.glyph, "detail"))
        said = QVBoxLayout()
        said.addWidget(give_line(self.words, "detail"))
        said.addStretch(1)
        line.addLayout(said, 1)
        self.hide()

    @property
    def text(self) -> str:
        return "" if self.isHidden() else self.words.text()

    def say(self, words: str, glyph: str = "check", color: str = "accent_text") -> None:
        self.setVisible(bool(words))
        self.words.setText(words)
        self.words.set_look(color="text" if glyph == "warn" else "text2")
        self.glyph.set_glyph(glyph, color)
        self.setAccessibleName(words)


class TrialRow(QWidget):
    """A button that tries a back end, and what came of it beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = PlainButton("", self)
        self.outcome = Outcome(self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.current().px(12))
        line.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.outcome, 1)
        line.addStretch(0)
        # its first line beside the button's words
        now = theme.current()
        self.outcome.setContentsMargins(0, (now.size("button") - now.face("detail").line) // 2, 0, 0)
