"""The foot of the hand-over window: what can be taken out of it, and the line that answers.

Owns which of the quiet actions are beside each other and which are in the menu; does nothing itself.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QWidget

from tray_app.ui import painting, theme
from tray_app.ui.buttons import Button
from tray_app.ui.controls import ElidedLabel, Glyph, PlainButton, PrimaryButton, QuietButton
from tray_app.ui.handover_edit import HintButton

MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta)
MENU = ("archive", "backfill", "changelog", "cleanup", "backup")


class HandoverFoot(QWidget):
    """56 px: quiet actions at the left, copies at the right. `wanted` carries the name of an action."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.export = QuietButton("", self, glyph="export")
        self.folder = QuietButton("", self, glyph="project")
        self.resume = QuietButton("", self, glyph="resume")
        self.more = QuietButton("", self, glyph="chevron-up")
        self.card = PlainButton("", self, glyph="card")
        self.chat = PlainButton("", self, glyph="into-chat")
        self.pack = PrimaryButton("", self, glyph="copy")
        self._quiet = (self.resume, self.folder, self.export)
        """In the order in which they go into the menu when room is short."""
        self._busy = False
        self._pastes = False
        row = QHBoxLayout(self)
        row.setContentsMargins(now.px(14), 0, now.px(20), 0)
        row.setSpacing(0)
        buttons: dict[str, Button] = {
            "export": self.export, "folder": self.folder, "resume": self.resume, "card": self.card, "chat": self.chat, "pack": self.pack,
        }  # fmt: skip
        for name, button in buttons.items():
            if name == "card":
                row.addWidget(self.more)
                row.addStretch(1)
            row.addWidget(button)
            if name in ("card", "chat"):
                row.addSpacing(now.px(8))
            button.clicked.connect(lambda _on=False, name=name: self.wanted.emit(name))
        self.more.clicked.connect(self.open_menu)
        self.setFixedHeight(now.px(56))
        self.retranslate()

    def allow(self, **can: bool) -> None:
        """Which actions there is something for now: export, folder, resume, card, chat, pack."""
        for name, possible in can.items():
            getattr(self, name).setEnabled(possible)

    def set_pastes(self, pastes: bool) -> None:
        """Whether the pack goes into the chat by itself, or is only copied for it."""
        if pastes != self._pastes:
            self._pastes = pastes
            self.retranslate()

    def set_busy(self, busy: bool) -> None:
        """Something of the menu is under way; it is not begun twice."""
        self._busy = busy

    def open_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        size = menu.sizeHint()
        place = self.more.mapToGlobal(QPoint(0, -size.height() - 4))
        menu.popup(place)

    def menu(self) -> QMenu:
        menu = QMenu(self)
        words = {
            "archive": self.tr("Archive finished sessions now"),
            "backfill": self.tr("Archive earlier sessions too…"),
            "changelog": self.tr("Take in the project's changelogs"),
            "cleanup": self.tr("Clean up…"),
            "backup": self.tr("Back up memory now"),
        }
        for name, button in (("export", self.export), ("folder", self.folder), ("resume", self.resume)):
            if button.isHidden():
                action = menu.addAction(button.text())
                action.setEnabled(button.isEnabled())
                action.triggered.connect(lambda _on=False, name=name: self.wanted.emit(name))
        if not menu.isEmpty():
            menu.addSeparator()
        for name in MENU:
            action = menu.addAction(words[name])
            action.setObjectName(name)
            action.setEnabled(not self._busy)
            action.triggered.connect(lambda _on=False, name=name: self.wanted.emit(name))
            if name == "changelog":
                menu.addSeparator()
        return menu

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """What there is no room for is in the menu only: words are never cut."""
        layout = self.layout()
        if layout is None:
            return
        for left_out in range(len(self._quiet) + 1):
            for place, button in enumerate(self._quiet):
                button.setVisible(place >= left_out)
            layout.invalidate()
            if layout.minimumSize().width() <= self.width():
                return

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), theme.current()["sunken"])

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.export.setText(self.tr("Export markdown"))
        self.folder.setText(self.tr("Open folder"))
        self.resume.setText(self.tr("Copy resume command"))
        self.more.setText(self.tr("More"))
        self.card.setText(self.tr("Copy card"))
        self.chat.setText(self.tr("Paste into chat") if self._pastes else self.tr("Copy for chat"))
        self.pack.setText(self.tr("Copy pack"))
        for button, keys in ((self.card, "Ctrl+Shift+C"), (self.chat, "Ctrl+Return"), (self.resume, "Ctrl+R")):
            key = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
            button.setToolTip(f"{button.text()} ({key})")
        self._fit()


class AnswerStrip(QWidget):
    """One line over the foot that says what was done, with the way to take it back. It lies over what is there, so nothing
    moves, and goes with the next key or click elsewhere."""

    undone = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        now = theme.current()
        self._glyph = Glyph("check", 14, "accent_text", self)
        self.words = ElidedLabel("", "detail", "text", self)
        self.undo = HintButton(("Ctrl", "Z"), "", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(now.px(20), 0, now.px(20), 0)
        row.setSpacing(now.px(8))
        row.addWidget(self._glyph)
        row.addWidget(self.words, 1)
        row.addWidget(self.undo)
        self.undo.clicked.connect(self.undone)
        self.setFixedHeight(now.px(32))
        self.hide()

    def say(self, words: str, *, glyph: str = "check", undo: bool = False) -> None:
        """Answer; '' goes."""
        self._glyph.set_glyph(glyph, {"check": "accent_text", "warn": "warn"}.get(glyph, "text2"))
        self.words.setText(words)
        self.setAccessibleName(words)
        self.undo.setText(self.tr("Undo"))
        self.undo.setVisible(undo)
        app = QApplication.instance()
        if app is not None and bool(words) != (not self.isHidden()):
            # Only while it says something: every event of the program would pass through here.
            (app.installEventFilter if words else app.removeEventFilter)(self)
        self.setVisible(bool(words))
        self.raise_()

    @property
    def text(self) -> str:
        """What it says; '' while it says nothing."""
        return self.words.text() if not self.isHidden() else ""

    def lie(self, left: int, bottom: int, width: int) -> None:
        self.setGeometry(left, bottom - self.height(), width, self.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() not in MODIFIERS and isinstance(watched, QWidget) and watched.window() is self.window():
                self.say("")
        elif kind == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget):
            inside = watched is self or self.isAncestorOf(watched)
            if watched.window() is self.window() and not inside:
                self.say("")
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), now["sunken"])
        painting.hairline(painter, 0, 0, self.width(), now["line"])
