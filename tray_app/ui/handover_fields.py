"""The fields of a checkpoint as text, and one of them as a row that can be read and edited in place."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tray_app.records import CheckpointView
from tray_app.records.memory import LIST_FIELDS
from tray_app.ui import theme
from tray_app.ui.elided import Label
from tray_app.ui.handover_diff import CODE, Line, Span, compare_items, compare_prose, item_lines, plain_lines
from tray_app.ui.handover_edit import InPlaceEditor
from tray_app.ui.handover_spans import SpanText
from tray_app.ui.handover_texts import texts

GROWING = ("done", "files")
"""Fields of a draft that are added to what there is; the others take its place."""


def value_of(point: CheckpointView | None, field: str) -> Any:
    """A field's value; '' or () where nothing is known."""
    if point is None:
        return () if field in LIST_FIELDS else ""
    return getattr(point, field)


def as_text(field: str, value: Any) -> str:
    """A value as it is edited: of a list, an item a line."""
    return "\n".join(value) if field in LIST_FIELDS else str(value)


def from_text(field: str, text: str) -> Any:
    """What was edited as a value."""
    if field not in LIST_FIELDS:
        return text.strip()
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def shown(field: str, value: Any) -> tuple[Line, ...]:
    """A value to be read."""
    if field == "files":
        spans: list[Span] = []
        for path in value:
            spans += [Span(" ")] if spans else []
            spans.append(Span(path, CODE))
        return (Line(tuple(spans)),) if spans else ()
    return item_lines(value) if field in LIST_FIELDS else plain_lines(value)


def compared(field: str, old: Any, new: Any) -> tuple[Line, ...]:
    """What is another in `new`: lists by item, prose by word."""
    if field in LIST_FIELDS:
        return compare_items(old, new, bullet=field != "files", mono=field == "files")
    return compare_prose(old, new)


def proposed(field: str, active: Any, draft: Any) -> Any:
    """What a field is once the draft's value is taken over: `done` and `files` grow, the others are replaced; what the draft
    does not know stays."""
    if not draft:
        return active
    if field in GROWING:
        known = {" ".join(item.split()) for item in active}
        return (*active, *(item for item in draft if " ".join(item.split()) not in known))
    return draft


class FieldRow(QWidget):
    """Label of 96, then the text; F2, Enter or a click edits it in place."""

    edit_wanted = Signal(str)
    saved = Signal(str, str)
    """Field and text."""
    cancelled = Signal(str)
    grew = Signal()

    def __init__(self, field: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.field = field
        self.value: Any = () if field in LIST_FIELDS else ""
        self.editor: InPlaceEditor | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.label = Label("", "row_strong", "text", self)
        self.label.setFixedWidth(now.px(96))
        self.label.setMinimumHeight(now.face("body").line)
        self.text = SpanText(self)
        self._body = QVBoxLayout()
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.addWidget(self.text)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, now.px(4), 0, now.px(4))
        row.setSpacing(0)
        row.addWidget(self.label, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self._body, 1)
        self.retranslate()

    def show_value(self, value: Any) -> None:
        self.value = value
        self.text.set_lines(shown(self.field, value))
        self._name()

    def edit(self, *, keys: bool = True) -> InPlaceEditor:
        """Open the field; with `keys`, what they do is written under it."""
        if self.editor is not None:
            return self.editor
        hint = self.tr("One item a line") if self.field in LIST_FIELDS else ""
        editor = InPlaceEditor(as_text(self.field, self.value), texts.field(self.field), self, hint=hint)
        editor.save.setVisible(keys)
        editor.cancel.setVisible(keys)
        editor.saved.connect(lambda text: self.saved.emit(self.field, text))
        editor.cancelled.connect(lambda: self.cancelled.emit(self.field))
        editor.grew.connect(self.grew)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.label.setContentsMargins(0, theme.current().px(8), 0, 0)
        self.text.hide()
        self._body.addWidget(editor)
        editor.show()  # at once: the height that is asked for next counts it
        self.editor = editor
        return editor

    def close_editor(self) -> None:
        """Back to the text."""
        editor, self.editor = self.editor, None
        if editor is None:
            return
        had = editor.edit.hasFocus()
        editor.hide()
        self._body.removeWidget(editor)
        editor.deleteLater()
        self.label.setContentsMargins(0, 0, 0, 0)
        self.text.show()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if had:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def refit(self) -> None:
        """Its height follows what is in it, at once."""
        layout = self.layout()
        self._body.invalidate()
        if layout is not None:
            layout.invalidate()
            layout.activate()
        self.updateGeometry()

    def retranslate(self) -> None:
        self.label.setText(texts.field(self.field))
        self._name()

    def _name(self) -> None:
        self.setAccessibleName(f"{texts.field(self.field)}: {self.text.accessibleName()}")
        self.setAccessibleDescription(self.tr("F2 edits"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.editor is None and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.edit_wanted.emit(self.field)
        else:
            event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if (
            self.editor is None
            and event.button() == Qt.MouseButton.LeftButton
            and self.rect().contains(event.position().toPoint())
        ):
            self.edit_wanted.emit(self.field)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
