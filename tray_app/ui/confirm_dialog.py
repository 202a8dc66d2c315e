"""The question before something is lost: the safe answer has the focus, and both answers name their outcome."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from tray_app.ui import theme
from tray_app.ui.controls import DangerButton, Label, PlainButton

WIDTH = 380


class ConfirmDialog(QDialog):
    def __init__(self, title: str, text: str, keep: str, lose: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setWindowTitle(title)
        self.setAccessibleDescription(text)
        self.keep = PlainButton(keep, self)
        self.lose = DangerButton(lose, self)
        self.keep.clicked.connect(self.reject)
        self.lose.clicked.connect(self.accept)
        self.keep.setDefault(True)
        # The arrow and the return key stay with the safe answer; the other needs Tab or the pointer.
        buttons = QHBoxLayout()
        buttons.setSpacing(now.px(8))
        buttons.addStretch(1)
        buttons.addWidget(self.keep)
        buttons.addWidget(self.lose)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(20), now.px(20), now.px(20), now.px(20))
        column.setSpacing(now.px(4))
        column.addWidget(Label(title, "title", "text", self, wrap=True))
        column.addWidget(Label(text, "body", "text2", self, wrap=True))
        column.addSpacing(now.px(16))
        column.addLayout(buttons)
        self.setFixedWidth(now.px(WIDTH))
        self.keep.setFocus()

    @classmethod
    def ask(cls, parent: QWidget | None, title: str, text: str, keep: str, lose: str) -> bool:
        """True when the person chose the loss."""
        dialog = cls(title, text, keep, lose, parent)
        try:
            return dialog.exec() == QDialog.DialogCode.Accepted
        finally:
            dialog.deleteLater()
