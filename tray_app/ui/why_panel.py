"""The panel under the list that says why the chosen passage stands where it stands.

Its height never changes with what it says, so that the list above it stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from tray_app.records import Answer, Hit
from tray_app.ui import painting, theme, wording
from tray_app.ui.buttons import GlyphButton
from tray_app.ui.elided import ElidedLabel, Glyph, Label
from tray_app.ui.why_texts import NOT, Line, texts

LINES = 5


class WhyPanel(QWidget):
    """Five lines: words, which they are, meaning, date, place."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._engine = ""
        self._title = Label("", "label", "text2")
        self._close = GlyphButton("close", size=20, glyph_size=12)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        grid = QGridLayout()
        grid.setHorizontalSpacing(now.px(6))
        grid.setVerticalSpacing(now.px(2))
        self._rows: list[tuple[Glyph, Label, ElidedLabel]] = []
        for line in range(LINES):
            glyph, name, said = Glyph("words", 12, "text2"), Label("", "detail", "text2"), ElidedLabel("", "detail", "text")
            grid.addWidget(glyph, line, 0)
            grid.addWidget(name, line, 1)
            grid.addWidget(said, line, 2)
            self._rows.append((glyph, name, said))
        grid.setColumnMinimumWidth(1, now.px(60))
        grid.setColumnStretch(2, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(20), now.px(8), now.px(16), now.px(12))
        column.setSpacing(now.px(4))
        column.addLayout(head)
        column.addLayout(grid)
        self._close.clicked.connect(self.closed)
        self.hide()
        self.retranslate()

    @property
    def text(self) -> str:
        """What it says now, in one sentence."""
        return "; ".join(f"{name.text()}: {said.text()}" for _glyph, name, said in self._rows if name.text())

    def show_hit(self, hit: Hit | None, answer: Answer) -> None:
        """Say why a hit of this answer is there."""
        time = answer.understood.time
        called = wording.quoted(time.words) if time is not None and time.words else ""
        self._engine = answer.engine
        self._title.setText(texts.title(self._engine))
        self.say(texts.lines(hit, answer.hits, called) if hit is not None else ())

    def say(self, lines: Sequence[Line]) -> None:
        """Show the lines; none: nothing is chosen."""
        for place, (glyph, name, said) in enumerate(self._rows):
            drawn, called, words = lines[place] if place < len(lines) else ("words", "", "")
            glyph.setVisible(bool(called))
            glyph.set_glyph(drawn)
            name.setText(called)
            said.setText(words)
            said.set_look(color="text3" if words == NOT else "text")
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(self.text)

    def retranslate(self) -> None:
        self._title.setText(texts.title(self._engine))
        self._close.set_name(self.tr("Close"), "Esc")

    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painter.fillRect(QRect(event.rect()), now["sunken"])
        painting.hairline(painter, 0, 0, self.width(), now["line"])
