"""Search inside the conversation that is being read: a field, how many messages have it, and where one is.

Knows nothing of the session: it says what is looked for and is told which messages have it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tray_app.ui import painting, theme
from tray_app.ui.buttons import GlyphButton
from tray_app.ui.controls import Field
from tray_app.ui.elided import Label

WAIT_MS = 120


class FindBar(QWidget):
    """A row of 40 px under the head of the reading pane."""

    looked_for = Signal(str)
    went = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFixedHeight(now.px(40))
        self._found: list[str] = []
        self._at = -1
        self._field = Field(glyph="search")
        self._count = Label("", "detail", "text2")
        self._before = GlyphButton("chevron-up", glyph_size=14)
        self._after = GlyphButton("chevron-down", glyph_size=14)
        self._close = GlyphButton("close", glyph_size=14)
        row = QHBoxLayout(self)
        row.setContentsMargins(now.px(24), 0, now.px(16), 0)
        row.setSpacing(now.px(6))
        row.addWidget(self._field, 1)
        row.addWidget(self._count)
        for button in (self._before, self._after, self._close):
            row.addWidget(button)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(lambda: self.looked_for.emit(self._field.text()))
        self._field.textChanged.connect(lambda _text: self._wait.start())
        self._before.clicked.connect(lambda: self.step(-1))
        self._after.clicked.connect(lambda: self.step(1))
        self._close.clicked.connect(self.close_bar)
        self.retranslate()
        self._tell()

    @property
    def text(self) -> str:
        return self._field.text()

    @property
    def field(self) -> Field:
        return self._field

    @property
    def count_text(self) -> str:
        return self._count.text()

    def open(self) -> None:
        self.show()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def close_bar(self) -> None:
        self._wait.stop()
        self.hide()
        self.closed.emit()

    def set_found(self, messages: Sequence[str]) -> None:
        """Which messages have it, in order; the first is gone to."""
        self._found, self._at = list(messages), -1
        if self._found:
            self.step(1)
        self._tell()

    def step(self, by: int) -> None:
        """To the next or previous message that has it, round the end."""
        if not self._found:
            return
        self._at = (self._at + by) % len(self._found)
        self._tell()
        self.went.emit(self._found[self._at])

    def retranslate(self) -> None:
        self._field.setPlaceholderText(self.tr("Find in this session"))
        self._field.setAccessibleName(self.tr("Find in this session"))
        self._before.set_name(self.tr("Previous message with it"), "Shift+Enter")
        self._after.set_name(self.tr("Next message with it"), "Enter")
        self._close.set_name(self.tr("Close"), "Esc")
        self._tell()

    def _tell(self) -> None:
        if self._found:
            words = self.tr("{place} of {total}").format(place=self._at + 1, total=len(self._found))
        else:
            words = self.tr("Not found") if self._field.text().strip() else ""
        self._count.setText(words)
        for button in (self._before, self._after):
            button.setEnabled(len(self._found) > 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        now = theme.current()
        painter.fillRect(self.rect(), now["bg"])
        painting.hairline(painter, 0, self.height() - 1, self.width(), now["line"])
