"""Editing in place: a field that grows with its text, and the keys written under it.

Ctrl+Enter hands the text over, Esc gives up. Owns no meaning of the text.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from tray_app.ui import painting, theme
from tray_app.ui.buttons import Button
from tray_app.ui.elided import cap_width, draw_cap

MOST_LINES = 12
RING = 3


class GrowingEdit(QPlainTextEdit):
    """Plain text, as high as it needs up to `MOST_LINES`."""

    submitted = Signal()
    cancelled = Signal()
    grew = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(4)
        self.setPlainText(text)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self._fit()

    def lines(self) -> int:
        return max(round(self.document().size().height()), 1)  # a plain document counts its height in lines

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        shown = min(self.lines(), MOST_LINES)
        high = round(shown * metrics.lineSpacing()) + 2 * 4 + 2 * (3 + 1) + 2  # its own margin, the sheet's padding and outline
        scrolls = Qt.ScrollBarPolicy.ScrollBarAsNeeded if self.lines() > MOST_LINES else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if self.verticalScrollBarPolicy() != scrolls:
            self.setVerticalScrollBarPolicy(scrolls)
        if high != self.height() or self.minimumHeight() != high:
            self.setFixedHeight(high)
            self.grew.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_ours(event):
            event.accept()  # the window's Esc must not close it from under an open field
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_ours(event):
            (self.cancelled if event.key() == Qt.Key.Key_Escape else self.submitted).emit()
        else:
            super().keyPressEvent(event)


def _is_ours(event: QKeyEvent) -> bool:
    if event.key() == Qt.Key.Key_Escape:
        return True
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class HintButton(Button):
    """Key caps and the word for what they do; a click does the same. Tab passes it by: the keys are at hand."""

    def __init__(self, caps: tuple[str, ...], text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._caps = caps
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        now = theme.current()
        width = painting.text_width(now, "detail", self._plain_text())
        width += sum(cap_width(cap) + now.px(4) for cap in self._caps) + now.px(2)
        return QSize(int(width) + 2, now.px(22))

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        left = 0.0
        for cap in self._caps:
            left += draw_cap(painter, left, (self.height() - now.size("keycap")) / 2, cap) + now.px(4)
        top = (self.height() - now.face("detail").line) / 2
        ink = now["text" if self._over or self.isDown() else "text2"]
        width = painting.draw_text(painter, left + now.px(2), top, "detail", self._plain_text(), ink)
        if self._over:
            painter.fillRect(QRectF(left + now.px(2), top + now.face("detail").line - 2, width, 1), ink)


class InPlaceEditor(QWidget):
    """The field with its keys under it. `saved` carries the text."""

    saved = Signal(str)
    cancelled = Signal()
    grew = Signal()

    def __init__(self, text: str, name: str, parent: QWidget | None = None, *, hint: str = "") -> None:
        super().__init__(parent)
        now = theme.current()
        self._before = text
        self.edit = GrowingEdit(text, self)
        self.edit.setAccessibleName(name)
        self.edit.setPlaceholderText(hint)
        self.save = HintButton(("Ctrl", "↵"), self.tr("Save"), self)
        self.cancel = HintButton(("Esc",), self.tr("Cancel"), self)
        self.keys = QHBoxLayout()
        self.keys.setContentsMargins(0, now.px(4), 0, 0)
        self.keys.setSpacing(now.px(16))
        self.keys.addWidget(self.save)
        self.keys.addWidget(self.cancel)
        self.keys.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(RING, RING, RING, 0)  # for the focus ring, which is drawn around the field
        column.setSpacing(0)
        column.addWidget(self.edit)
        column.addLayout(self.keys)
        self.setFocusProxy(self.edit)
        self.edit.submitted.connect(self.submit)
        self.edit.cancelled.connect(self.cancelled)
        self.edit.grew.connect(self.grew)
        self.save.clicked.connect(self.submit)
        self.cancel.clicked.connect(self.cancelled)

    @property
    def text(self) -> str:
        return self.edit.toPlainText()

    @property
    def changed(self) -> bool:
        return self.text != self._before

    def submit(self) -> None:
        self.saved.emit(self.text)

    def begin(self, *, select: bool = False) -> None:
        """Take the keyboard, the cursor at the end."""
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)
        if select:
            self.edit.selectAll()
