"""One field of a draft beside the active one, with what can be done about it.

The row in focus shows real buttons, the others small glyph-and-word links, so that one can see where one is; both need the
same height, so nothing moves.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tray_app.records.memory import LIST_FIELDS
from tray_app.ui import icons, painting, theme
from tray_app.ui.buttons import Button
from tray_app.ui.controls import Glyph, Hairline, Label, LinkButton
from tray_app.ui.handover_edit import InPlaceEditor
from tray_app.ui.handover_fields import as_text, compared, from_text, proposed, shown
from tray_app.ui.handover_spans import SpanText
from tray_app.ui.handover_texts import texts
from tray_app.ui.text_layout import tip

LABEL, COLUMN = 84, 24
ACCEPTED, DISCARDED = "accepted", "discarded"


class _Upright:
    """For a button in a column of rows: up and down are the column's, not steps from button to button."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)  # type: ignore[misc]


class UndoLink(_Upright, LinkButton):
    """Takes a decision back."""


class ChoiceButton(_Upright, Button):
    """A real button while its row is the current one, else a glyph and a word."""

    def __init__(self, glyph: str, look: str, parent: QWidget) -> None:
        super().__init__("", parent, glyph=glyph)
        self._look = look
        """primary | plain | quiet: while it is real"""
        self.real = False
        self.came: Any = None

    def set_real(self, real: bool) -> None:
        if real != self.real:
            self.real = real
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        now = theme.current()
        if self.real:
            width = painting.text_width(now, "row", self._plain_text(), 600) + now.px(26)
            return QSize(int(width + (now.px(22) if self._look == "primary" else 0)) + 1, now.size("button"))
        return QSize(int(painting.text_width(now, "detail", self._plain_text())) + now.px(18) + 2, now.size("button"))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.came is not None:
            self.came()

    def look(self) -> tuple[QColor | None, QColor | None, QColor]:
        now = theme.current()
        if self._look == "primary":
            name = "accent_pressed" if self.isDown() else "accent_hover" if self._over else "accent"
            return now[name], None, now["on_accent"]
        if self._look == "plain":
            return super().look()
        return self._pressed_ground(None), None, now["text"]

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.real:
            glyph, self._glyph = self._glyph, self._glyph if self._look == "primary" else ""
            super().paintEvent(event)
            self._glyph = glyph
            return
        now = theme.current()
        painter = QPainter(self)
        side = now.px(12)
        middle = self.height() / 2
        ink = now["text" if self._over else "text2"]
        icons.draw_glyph(painter, self._glyph, 0, middle - side / 2, side, ink)
        top = middle - now.face("detail").line / 2
        width = painting.draw_text(painter, now.px(17), top, "detail", self._plain_text(), ink)
        if self._over:
            painter.fillRect(QRectF(now.px(17), top + now.face("detail").line - 2, width, 1), ink)


class DraftRow(QWidget):
    accepted = Signal(str, object)
    """Field and edited value (None: the draft's own)."""
    discarded = Signal(str)
    taken_back = Signal(str)
    current_wanted = Signal(str)

    def __init__(self, field: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.field = field
        self.active: Any = ""
        self.draft: Any = ""
        self.edited: Any = None
        self.evidence = ""
        self.decision = ""
        self._editor: InPlaceEditor | None = None
        self.label = Label("", "row_strong", "text", self)
        self.label.setFixedWidth(now.px(LABEL))
        self.label.setMinimumHeight(now.face("body").line)
        self.old = SpanText(self)
        self.new = SpanText(self)
        self.accept_button = ChoiceButton("check", "primary", self)
        self.edit_button = ChoiceButton("edit", "plain", self)
        self.discard_button = ChoiceButton("close", "quiet", self)
        self.choices = (self.accept_button, self.edit_button, self.discard_button)
        # Straight in this widget: the focus ring is drawn in the parent of what has the focus, and needs room there.
        self._choosing = QHBoxLayout()
        self._choosing.setContentsMargins(0, 0, 0, 0)
        for choice in self.choices:
            choice.came = lambda: self.current_wanted.emit(self.field)
            self._choosing.addWidget(choice)
        self._choosing.addStretch(1)
        self._done = QWidget(self)
        done = QHBoxLayout(self._done)
        done.setContentsMargins(0, 0, 0, 0)
        done.setSpacing(now.px(6))
        self._tick = Glyph("check", 12, "accent_text", self._done)
        self.decided = Label("", "label", "accent_text", self._done)
        self.undo_link = UndoLink("", self._done, color="text2")
        done.addWidget(self._tick)
        done.addWidget(self.decided)
        done.addSpacing(now.px(6))
        done.addWidget(self.undo_link)
        done.addStretch(1)
        self._done.setMinimumHeight(now.size("button"))
        self._right = QVBoxLayout()
        self._right.setContentsMargins(0, 0, 0, 0)
        self._right.setSpacing(0)
        self._right.addWidget(self.new)
        self._right.addSpacing(now.px(4))
        self._right.addLayout(self._choosing)
        self._right.addWidget(self._done)
        self._right.addStretch(1)
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self.old)
        left.addStretch(1)
        row = QHBoxLayout()
        row.setContentsMargins(0, now.px(10), 0, now.px(8))
        row.setSpacing(0)
        row.addWidget(self.label, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(left, 1)
        row.addSpacing(now.px(COLUMN))
        row.addLayout(self._right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(Hairline(self))
        self.accept_button.clicked.connect(self.accept)
        self.edit_button.clicked.connect(self.begin_edit)
        self.discard_button.clicked.connect(self.discard)
        self.undo_link.clicked.connect(self.take_back)
        self.retranslate()

    @property
    def waiting(self) -> bool:
        """The draft would change this field, and nothing was decided yet."""
        return not self.decision and bool(self.draft) and proposed(self.field, self.active, self.draft) != self.active

    def show_values(self, active: Any, draft: Any, evidence: str) -> None:
        self._end_edit()
        self.active, self.draft, self.edited, self.evidence, self.decision = active, draft, None, evidence, ""
        self.setToolTip(tip(evidence))
        self._redraw()

    def clear(self) -> None:
        empty: Any = () if self.field in LIST_FIELDS else ""
        self.show_values(empty, empty, "")

    def _redraw(self) -> None:
        new = self.edited if self.edited is not None else proposed(self.field, self.active, self.draft)
        same = new == self.active
        if self.field == "files":
            self.old.set_lines(compared(self.field, self.active, self.active), "text2" if self.decision else "text")
        else:
            self.old.set_lines(shown(self.field, self.active), "text2" if self.decision else "text")
        if not self.old.lines:
            self.old.set_words("–", "text3")
        if same:
            self.new.set_words(self.tr("Unchanged"))
        else:
            self.new.set_lines(compared(self.field, self.active, new), "text")
        self.new.setToolTip(tip(self.evidence))
        self._show_choices(self.waiting and self._editor is None)
        self._done.setVisible(bool(self.decision))
        kept = self.decision != DISCARDED
        self._tick.set_glyph("check" if kept else "close", "accent_text" if kept else "text2")
        self.decided.set_look(color="accent_text" if kept else "text2")
        self.decided.setText(self.tr("Accepted") if kept else self.tr("Discarded"))
        self.setVisible(bool(self.active) or bool(self.draft))

    # --- focus -------------------------------------------------------------------------------------------------------
    def set_current(self, current: bool) -> None:
        for choice in self.choices:
            choice.set_real(current)
        self._choosing.setSpacing(theme.current().px(8 if current else 16))

    def _show_choices(self, shown: bool) -> None:
        for choice in self.choices:
            choice.setVisible(shown)

    def take_focus(self) -> None:
        if self._editor is not None:
            self._editor.begin()
        elif self.waiting:
            self.accept_button.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.decision:
            self.undo_link.setFocus(Qt.FocusReason.OtherFocusReason)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.waiting:
            self.current_wanted.emit(self.field)
        super().mousePressEvent(event)

    # --- decisions ---------------------------------------------------------------------------------------------------
    def accept(self) -> None:
        self.decision = ACCEPTED
        self._redraw()
        self.accepted.emit(self.field, self.edited)

    def discard(self) -> None:
        self.decision = DISCARDED
        self._redraw()
        self.discarded.emit(self.field)

    def take_back(self) -> None:
        self.taken_back.emit(self.field)

    def undo(self) -> str:
        """Nothing was decided of this field; gives what had been."""
        decision, self.decision, self.edited = self.decision, "", None
        self._redraw()
        return decision

    def begin_edit(self) -> None:
        """The draft's text in a field; saving it accepts it."""
        if self._editor is not None:
            return
        self.current_wanted.emit(self.field)
        value = self.edited if self.edited is not None else proposed(self.field, self.active, self.draft)
        editor = InPlaceEditor(as_text(self.field, value), texts.field(self.field), self)
        editor.save.setText(self.tr("Accept"))
        editor.saved.connect(self._save)
        editor.cancelled.connect(self._cancel)
        self._editor = editor
        self.new.hide()
        self._show_choices(False)
        self._right.insertWidget(0, editor)
        editor.show()
        editor.begin()

    def leave(self) -> None:
        if self._editor is not None:
            if self._editor.changed:
                self._editor.submit()
            else:
                self._end_edit()
                self._redraw()

    def _save(self, text: str) -> None:
        self.edited = from_text(self.field, text)
        self._end_edit()
        self.accept()

    def _cancel(self) -> None:
        self._end_edit()
        self._redraw()
        self.take_focus()

    def _end_edit(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            editor.hide()
            self._right.removeWidget(editor)
            editor.deleteLater()
            self.new.show()

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self._redraw()
        super().changeEvent(event)

    def retranslate(self) -> None:
        name = texts.field(self.field)
        self.label.setText(name)
        self.undo_link.setText(self.tr("Undo"))
        self.undo_link.setAccessibleName(self.tr("Undo: {field}").format(field=name))
        for button, word, key in (
            (self.accept_button, self.tr("Accept"), "A"),
            (self.edit_button, self.tr("Edit"), "E"),
            (self.discard_button, self.tr("Discard"), "D"),
        ):
            button.setText(word)
            button.setToolTip(f"{word} ({key})")
            button.setAccessibleName(self.tr("{action}: {field}", "a button for a field").format(action=word, field=name))
