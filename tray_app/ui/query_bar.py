"""The top row: the search glyph, the field, how much was found, and how to clear it.

In the one-line form its right side says how to see the recent sessions, and what leaves the machine.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QMouseEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from tray_app.ui import theme
from tray_app.ui.buttons import QuietButton
from tray_app.ui.elided import Glyph, Hairline, KeyCap, Label


class QueryField(QLineEdit):
    """The field. Keys that move the list, copy or open go to the window (see `SearchWindow`), not to the text."""

    no_ring = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("plain", True)
        self.setFrame(False)
        self.setMaxLength(20_000)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def composing(self) -> bool:
        """An input method is in the middle of a word: Enter, Esc and arrows belong to it."""
        return bool(self._preedit)

    _preedit = ""

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._preedit = event.preeditString()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Up and Down do nothing in a field of one line; let the window have them.
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Escape):
            event.ignore()
            return
        super().keyPressEvent(event)


class ClearButton(QuietButton):
    """[Esc] Clear: the key's cap and the word are one button."""

    def __init__(self, cap: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(4, 0, 4, 0)
        self._row.setSpacing(theme.current().px(8))
        self._cap, self._word = KeyCap(cap), Label("", "detail", "text2")
        for part in (self._cap, self._word):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._row.addWidget(part)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_word(self, word: str) -> None:
        self._word.setText(word)
        self.setAccessibleName(word)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        hint = self._row.sizeHint()
        return QSize(hint.width(), theme.current().size("button"))


class QueryBar(QWidget):
    """The row of 56 px. Dragging it moves the window."""

    cleared = Signal()
    recent_wanted = Signal()
    dragged = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFixedHeight(now.size("query_row"))
        row = QHBoxLayout(self)
        row.setContentsMargins(now.px(20), 0, now.px(16), 0)
        row.setSpacing(0)
        self._glyph = Glyph("search", 20, "text2")
        self.field = QueryField()
        self.count = Label("", "detail", "text2")
        self.clear = ClearButton("Esc")
        self.recent = ClearButton("↓")
        self._gap = Hairline(vertical=True)
        self._gap.setFixedHeight(now.px(16))
        self.leaves = Glyph("lock", 14, "text2")
        row.addWidget(self._glyph)
        row.addSpacing(now.px(14))
        row.addWidget(self.field, 1)
        row.addSpacing(now.px(16))
        row.addWidget(self.count)
        row.addSpacing(now.px(12))
        row.addWidget(self.clear)
        self._tail = QWidget()
        tail = QHBoxLayout(self._tail)
        tail.setContentsMargins(0, 0, now.px(8), 0)
        tail.setSpacing(now.px(14))
        self.meaning = Glyph("meaning", 14, "text2")
        self.meaning.hide()
        for part in (self.recent, self._gap, self.meaning, self.leaves):
            tail.addWidget(part)
        row.addWidget(self._tail)
        self.clear.clicked.connect(self.cleared)
        self.recent.clicked.connect(self.recent_wanted)
        self._narrow = False
        self.set_one_line(False)
        self._press: QPoint | None = None
        self.retranslate()
        self.dress()

    def set_one_line(self, one_line: bool) -> None:
        """Which right side is shown."""
        self._one_line = one_line
        self._tail.setVisible(one_line)
        self.show_clear(not one_line and bool(self.field.text()))

    def set_narrow(self, narrow: bool) -> None:
        """Under 700 px the count leaves this row."""
        self._narrow = narrow
        self.show_clear(bool(self.field.text()))

    def show_clear(self, shown: bool) -> None:
        """Show the button, and the count beside it where there is room."""
        self.clear.setVisible(shown and not self._one_line)
        self.count.setVisible(shown and not self._one_line and not self._narrow)

    def set_leaves(self, glyph: str, words: str) -> None:
        """What leaves the machine, as glyph, tooltip and accessible name."""
        self.leaves.set_glyph(glyph)
        self.leaves.setToolTip(words)
        self.leaves.setAccessibleName(words)

    def set_meaning(self, glyph: str, color: str, words: str) -> None:
        """How meaning stands, where that is worth a glyph ('' for none); as tooltip and accessible name too."""
        self.meaning.setVisible(bool(glyph))
        if glyph:
            self.meaning.set_glyph(glyph, color)
        self.meaning.setToolTip(words)
        self.meaning.setAccessibleName(words)

    def retranslate(self) -> None:
        self.field.setPlaceholderText(self.tr("What was it about?"))
        self.field.setAccessibleName(self.tr("Search what was said"))
        self.clear.set_word(self.tr("Clear"))
        self.recent.set_word(self.tr("Recent"))

    def dress(self) -> None:
        """Font and colours of the theme in force."""
        now = theme.current()
        self.field.setFont(now.font("query"))
        palette = self.field.palette()
        palette.setColor(QPalette.ColorRole.PlaceholderText, now["text3"])
        palette.setColor(QPalette.ColorRole.Text, now["text"])
        self.field.setPalette(palette)
        self.field.setFixedHeight(now.face("query").line + 4)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press is not None and (event.position().toPoint() - self._press).manhattanLength() > 6:
            self._press = None
            self.dragged.emit()
