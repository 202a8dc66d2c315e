"""F1: the keys of the search window, in a panel over it. Any key or click closes it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from tray_app.ui import painting, theme
from tray_app.ui.elided import KeyCap, Label


class KeysOverlay(QWidget):
    """Covers its parent while it is open."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.no_ring = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._panel = QWidget(self)
        self._grid = QGridLayout(self._panel)
        now = theme.current()
        self._grid.setContentsMargins(now.px(24), now.px(20), now.px(24), now.px(20))
        self._grid.setHorizontalSpacing(now.px(16))
        self._grid.setVerticalSpacing(now.px(5))
        self._title = Label("", "title", "text")
        self._grid.addWidget(self._title, 0, 0, 1, 4)
        self._words: list[Label] = []
        for place, (caps, _words) in enumerate(self.keys()):
            rows = (len(self.keys()) + 1) // 2
            line, column = 1 + place % rows, 2 * (place // rows)
            holder = QWidget()
            row = QHBoxLayout(holder)
            row.setContentsMargins(now.px(12) if column else 0, 0, 0, 0)
            row.setSpacing(now.px(4))
            for cap in caps:
                row.addWidget(KeyCap(cap))
            row.addStretch(1)
            word = Label("", "body", "text")
            self._words.append(word)
            self._grid.addWidget(holder, line, column)
            self._grid.addWidget(word, line, column + 1)
        self.hide()
        self.retranslate()

    def keys(self) -> list[tuple[tuple[str, ...], str]]:
        """All keys with what they do."""
        return [
            (("↑", "↓"), self.tr("Move through the results")),
            (("Ctrl", "↑", "↓"), self.tr("Move by session")),
            (("↵",), self.tr("Read the conversation")),
            (("→", "←"), self.tr("To the right side and back")),
            (("Tab",), self.tr("Filters")),
            (("Alt", "1…9"), self.tr("Choose a candidate")),
            (("Ctrl", "I"), self.tr("Why a passage is there")),
            (("Ctrl", "F"), self.tr("Find in the conversation")),
            (("Ctrl", "C"), self.tr("Copy the passage with its citation")),
            (("Ctrl", "↵"), self.tr("Copy into the chat")),
            (("Ctrl", "R"), self.tr("Copy the resume command")),
            (("Ctrl", "H"), self.tr("Hand-over of this project")),
            (("Ctrl", "E"), self.tr("Export the session as markdown")),
            (("Ctrl", ","), self.tr("Settings")),
            (("F1",), self.tr("These keys")),
            (("Esc",), self.tr("Clear, then hide")),
        ]

    def open(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self._place()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def retranslate(self) -> None:
        self._title.setText(self.tr("Keys"))
        for label, (_caps, words) in zip(self._words, self.keys(), strict=True):
            label.setText(words)
        spoken = "; ".join(f"{' '.join(caps)}: {words}" for caps, words in self.keys())
        self.setAccessibleName(self.tr("Keys"))
        self.setAccessibleDescription(spoken)
        self._place()

    def _place(self) -> None:
        self._panel.adjustSize()
        room = self.rect()
        self._panel.move(max((room.width() - self._panel.width()) // 2, 0), max((room.height() - self._panel.height()) // 2, 0))

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
            self._close()

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self._close()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        veil = QColor(now["bg"])
        veil.setAlphaF(0.8)
        corner = float(now.radii["window"])
        painting.fill_rounded(painter, QRectF(self.rect()), corner, veil)
        painting.fill_rounded(painter, QRectF(self._panel.geometry()), now.radii["dialog"], now["raised"], now["control"])
