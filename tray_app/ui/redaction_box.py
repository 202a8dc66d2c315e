"""Trying out what is hidden: a text goes in, and what would be stored of it stands below.

Owns the two fields and the marks in the lower one. Nothing of what is pasted is kept, sent or logged, and both fields are
emptied as soon as the box is out of sight.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from tray_app.text.clean import clean
from tray_app.text.redact import Found, explain
from tray_app.ui import i18n, theme, wording
from tray_app.ui.controls import Label
from tray_app.ui.settings_rows import give_line
from tray_app.ui.text_layout import utf16_marks

LONGEST = 50_000
"""Characters that are looked at: longer than nearly every message, and done while nobody notices (about 40 ms)."""
SETTLE_MS = 120
NAMES_SHOWN = 4


class PlainField(QPlainTextEdit):
    """A field of a few lines that wraps and remembers nothing: no undo."""

    ring_radius = 6
    is_field = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFont(now.font("code"))
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFixedHeight(now.px(76))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


class RedactionBox(QWidget):
    """A name and its consequence, a field to paste into, and what would be stored of that."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._hiding = True
        self.name = Label("", "row", "text", self)
        self.help = Label("", "detail", "text2", self, wrap=True)
        self.given = PlainField(self)
        self.outcome = Label("", "detail", "text2", self, wrap=True)
        self.stored = PlainField(self)
        self.stored.setReadOnly(True)
        self.name.setBuddy(self.given)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(10), now.px(4), now.px(12))
        column.setSpacing(0)
        column.addWidget(give_line(self.name, "row"))
        column.addWidget(give_line(self.help, "detail"))
        column.addSpacing(now.px(8))
        column.addWidget(self.given)
        column.addSpacing(now.px(8))
        column.addWidget(give_line(self.outcome, "detail"))
        column.addSpacing(now.px(4))
        column.addWidget(self.stored)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self.look)
        self.given.textChanged.connect(self._settle.start)
        theme.notifier().changed.connect(self.look)
        self.retranslate()

    def set_hiding(self, hiding: bool) -> None:
        """Whether secrets are hidden at all, as the switch above stands."""
        self._hiding = hiding
        self.look()

    def look(self) -> None:
        """Show what would be stored of the text as it stands."""
        text = self.given.toPlainText()
        shown = clean(text[:LONGEST])
        found = explain(shown) if self._hiding else []
        stored, marks = as_stored(shown, found)
        self.stored.setVisible(bool(text.strip()))
        self.stored.setPlainText(stored)
        self.stored.setExtraSelections(self._selections(stored, marks))
        self.outcome.setText(self._outcome(text, found))
        self.stored.setAccessibleDescription(self.outcome.text())

    def retranslate(self) -> None:
        self.name.setText(self.tr("Try it"))
        self.help.setText(self.tr("Paste a text and see what would be stored of it. Nothing of it is kept or logged."))
        self.given.setPlaceholderText(self.tr("Text with a key or a password"))
        self.given.setAccessibleName(self.tr("Text to try"))
        self.given.setAccessibleDescription(self.help.text())
        self.stored.setAccessibleName(self.tr("As it would be stored"))
        self.look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Out of sight, out of memory; a window that is only minimised keeps it."""
        if not event.spontaneous():
            self.given.clear()
            self._settle.stop()
            self.look()
        super().hideEvent(event)

    def _outcome(self, text: str, found: Sequence[Found]) -> str:
        if not text.strip():
            return self.tr("When the rules change, everything is read anew in the background.")
        if not self._hiding:
            said = self.tr("Secrets are not hidden now: the text would be stored as it is.")
        elif not found:
            said = self.tr("Nothing in it would be hidden.")
        else:
            names = list(dict.fromkeys(one.name for one in found))
            listed = self.tr(", ", "between listed names").join(names[:NAMES_SHOWN])
            if len(names) > NAMES_SHOWN:
                listed += " …"
            said = self.tr("%Ln parts would be hidden: {names}.", "", len(found)).format(names=listed)
        if len(text) > LONGEST:
            rest = self.tr("Only the first {count} characters are looked at.").format(count=i18n.count(LONGEST))
            said = wording.two_sentences(said, rest)
        return said

    def _selections(self, text: str, marks: Sequence[tuple[int, int]]) -> list[QTextEdit.ExtraSelection]:
        now = theme.current()
        look = QTextCharFormat()
        look.setBackground(now["mark"])
        look.setForeground(now["mark_text"])
        look.setFontWeight(600)
        made = []
        for start, length in utf16_marks(text, tuple(marks)):
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.stored.document())
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            selection.cursor, selection.format = cursor, look
            made.append(selection)
        return made


def as_stored(text: str, found: Sequence[Found]) -> tuple[str, list[tuple[int, int]]]:
    """The text with each secret as its mark, and where the marks stand in it (code points)."""
    stored, marks, at = "", [], 0
    for one in found:
        stored += text[at : one.start]
        start = len(stored)
        stored += f"[secret: {one.name}]"
        marks.append((start, len(stored)))
        at = one.end
    return stored + text[at:], marks
