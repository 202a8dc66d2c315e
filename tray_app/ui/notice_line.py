"""The one speaking line over the list: a glyph, a sentence, and a link where something can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tray_app.ui import painting, theme
from tray_app.ui.buttons import LinkButton
from tray_app.ui.elided import ElidedLabel, Glyph


class NoticeLine(QWidget):
    """The row of 40 px. `followed` tells which link was pressed."""

    followed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFixedHeight(now.size("notice_row"))
        row = QHBoxLayout(self)
        row.setContentsMargins(now.px(20), 0, now.px(20), 0)
        row.setSpacing(now.px(8))
        self._glyph = Glyph("info", 14, "text2")
        self._words = ElidedLabel("", "body", "text")
        self._link = LinkButton()
        row.addWidget(self._glyph)
        row.addWidget(self._words, 1)
        row.addWidget(self._link)
        self._action = ""
        self._link.clicked.connect(lambda: self.followed.emit(self._action))
        self.hide()

    @property
    def words(self) -> str:
        """What it says; '' while it says nothing."""
        return self._words.text() if not self.isHidden() else ""

    @property
    def link(self) -> LinkButton:
        return self._link

    def say(self, glyph: str, words: str, *, color: str = "text2", link: str = "", action: str = "") -> None:
        """Say something. `action` is what `followed` carries when the link is pressed."""
        self._glyph.set_glyph(glyph, color)
        self._words.setText(words)
        self.setAccessibleName(words)
        self._link.setText(link)
        self._link.setVisible(bool(link))
        self._link.updateGeometry()
        self._action = action
        self.show()

    def be_silent(self) -> None:
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painting.hairline(QPainter(self), 0, self.height() - 1, self.width(), theme.current()["line"])
