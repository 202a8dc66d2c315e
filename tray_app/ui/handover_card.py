"""The Card tab: the active checkpoint as labels and text, edited in place, field by field or all at once.

Owns the rows and what is being edited; writing is the flow's. An open field is never taken away by news: those wait.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from tray_app.records import CheckpointState
from tray_app.records.memory import FIELDS
from tray_app.ui import theme
from tray_app.ui.controls import Hairline, Label, PlainButton, QuietButton
from tray_app.ui.handover_edit import HintButton
from tray_app.ui.handover_fields import FieldRow, from_text, value_of
from tray_app.ui.handover_texts import texts
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.settings_rows import give_line

MOST_OF_HEIGHT = 0.58
"""What stands below keeps the rest."""


class CardTab(QWidget):
    saved = Signal(dict)
    """Fields that were changed, with their values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        side = now.px(24)
        self._state: CheckpointState | None = None
        self._waiting: CheckpointState | None = None
        self._all = False
        self.when = Label("", "detail", "text2", self)
        self.edit = QuietButton("", self, glyph="edit")
        head = QHBoxLayout()
        head.setContentsMargins(side, now.px(8), side, 0)
        head.addWidget(self.when, 1)
        head.addWidget(self.edit)
        self.head = QWidget(self)
        self.head.setLayout(head)

        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget(self.area.viewport())  # where it will be: a change of parent styles all of it anew
        self.rows = {name: FieldRow(name, inner) for name in FIELDS}
        column = QVBoxLayout(inner)
        column.setContentsMargins(side, now.px(4), side, now.px(8))  # above: for the focus ring of the first row
        column.setSpacing(0)
        for row in self.rows.values():
            column.addWidget(row)
            row.edit_wanted.connect(self.edit_field)
            row.saved.connect(lambda _field, _text: self.save())
            row.cancelled.connect(lambda _field: self.cancel())
            row.grew.connect(self._fit)
        column.addStretch(1)
        self.area.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.area.viewport().setAutoFillBackground(False)
        OverlayBar(self.area)

        self.keys = QWidget(self)
        keys = QHBoxLayout(self.keys)
        keys.setContentsMargins(side + now.px(96), 0, side, now.px(8))
        keys.setSpacing(now.px(16))
        self.save_key = HintButton(("Ctrl", "↵"), "", self.keys)
        self.cancel_key = HintButton(("Esc",), "", self.keys)
        keys.addWidget(self.save_key)
        keys.addWidget(self.cancel_key)
        keys.addStretch(1)
        self.keys.hide()

        self.empty = QWidget(self)
        self.nothing = Label("", "title", "text", self.empty)
        self.nothing_more = Label("", "body", "text2", self.empty, wrap=True)
        self.first = PlainButton("", self.empty, glyph="edit")
        words = QVBoxLayout(self.empty)
        words.setContentsMargins(side, now.px(20), side, now.px(16))
        words.setSpacing(now.px(4))
        words.addWidget(give_line(self.nothing, "title"))
        words.addWidget(self.nothing_more)
        words.addSpacing(now.px(8))
        words.addWidget(self.first, 0, Qt.AlignmentFlag.AlignLeft)
        self.empty.hide()

        self.line = Hairline(self)
        self.below = QVBoxLayout()
        self.below.setContentsMargins(0, 0, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.area)
        column.addWidget(self.keys)
        column.addWidget(self.empty)
        line = QHBoxLayout()
        line.setContentsMargins(side, 0, side, 0)
        line.addWidget(self.line)
        column.addLayout(line)
        column.addLayout(self.below, 1)
        column.addStretch(0)

        self.edit.clicked.connect(self.edit_all)
        self.first.clicked.connect(self.edit_all)
        self.save_key.clicked.connect(self.save)
        self.cancel_key.clicked.connect(self.cancel)
        QShortcut(QKeySequence("Ctrl+E"), self, context=Qt.ShortcutContext.WindowShortcut).activated.connect(self._asked)
        self.retranslate()

    @property
    def editing(self) -> bool:
        return any(row.editor is not None for row in self.rows.values())

    @property
    def edits_all(self) -> bool:
        """All fields are open: they need the room of what stands below."""
        return self._all

    def _show_below(self, shown: bool) -> None:
        self.line.setVisible(shown)
        item = self.below.itemAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.setVisible(shown)

    # --- showing -----------------------------------------------------------------------------------------------------
    def show_state(self, state: CheckpointState | None) -> None:
        """The state of the project that is looked at; None while it is being asked for."""
        if self.editing and state is not None and self._state is not None and state.project == self._state.project:
            self._waiting = state
            return
        self._close()
        self._state = state
        active = state.active if state is not None else None
        self.when.setText(texts.saved(active) if active is not None else "")
        for name, row in self.rows.items():
            value = value_of(active, name)
            row.show_value(value)
            row.setVisible(bool(value))
        self.head.setVisible(active is not None)
        self.area.setVisible(active is not None)
        self.empty.setVisible(state is not None and active is None)
        self._fit()

    # --- editing -----------------------------------------------------------------------------------------------------
    def edit_field(self, name: str) -> None:
        """One field. Another that is open is saved first."""
        if self._all or self.rows[name].editor is not None:
            return
        if self.editing:
            self.save()
        self.rows[name].edit().begin()
        self._fit()
        self.area.ensureWidgetVisible(self.rows[name])

    def edit_all(self) -> None:
        """All fields, with one pair of keys under them."""
        if self._state is None:
            return
        kept = {name: row.editor.text for name, row in self.rows.items() if row.editor is not None}
        self._close()
        self._all = True
        self.empty.hide()
        self.head.show()
        self.area.show()
        self.edit.setEnabled(False)
        self.keys.show()
        self._show_below(False)
        for name, row in self.rows.items():
            row.show()
            editor = row.edit(keys=False)
            if name in kept:
                editor.edit.setPlainText(kept[name])
        self._fit()
        self.rows["goal"].edit().begin()
        self.area.verticalScrollBar().setValue(0)

    def save(self) -> None:
        """Hand over what was changed, and go back to reading."""
        changed: dict[str, Any] = {}
        for name, row in self.rows.items():
            if row.editor is not None:
                value = from_text(name, row.editor.text)
                if value != row.value:
                    changed[name] = value
        for name, value in changed.items():
            self.rows[name].show_value(value)  # what comes back may differ in detail (paths, secrets); till then this stands
        self._end()
        if changed:
            self.saved.emit(changed)

    def cancel(self) -> None:
        """Give up what was typed."""
        self._end()

    def leave(self) -> None:
        """Somebody goes to another project: nothing that was typed is lost."""
        if self.editing:
            self.save()

    def reopen(self, fields: dict[str, Any]) -> None:
        """A write was refused: what was typed is there again."""
        for name, value in fields.items():
            row = self.rows[name]
            row.show()
            editor = row.edit()
            editor.edit.setPlainText("\n".join(value) if isinstance(value, tuple) else str(value))
            editor.begin()
        self.empty.hide()
        self.head.show()
        self.area.show()
        self._fit()

    def _end(self) -> None:
        self._close()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.show_state(waiting)
            return
        for row in self.rows.values():
            row.setVisible(bool(row.value))
        has = any(row.value for row in self.rows.values())
        self.head.setVisible(has)
        self.area.setVisible(has)
        self.empty.setVisible(not has)
        self._fit()

    def _close(self) -> None:
        self._all = False
        self.keys.hide()
        self._show_below(True)
        self.edit.setEnabled(True)
        for row in self.rows.values():
            row.close_editor()

    def _asked(self) -> None:
        if self.isVisible() and not self._all:
            self.edit_all()

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def _fit(self) -> None:
        """The card is as high as it is, up to a share of the tab; then it scrolls."""
        inner = self.area.widget()
        layout = inner.layout() if inner is not None else None
        if layout is None or not self.area.isVisibleTo(self):
            return
        for row in self.rows.values():
            if not row.isHidden():
                row.refit()
        layout.invalidate()
        layout.activate()
        wanted = layout.heightForWidth(max(self.width(), 1)) if layout.hasHeightForWidth() else layout.sizeHint().height()
        room = self.height() - self.head.height()
        room = room - self.keys.sizeHint().height() if self._all else round(room * MOST_OF_HEIGHT)
        self.area.setFixedHeight(max(min(wanted, room), theme.current().px(60)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.edit.setText(self.tr("Edit"))
        self.edit.setToolTip(self.tr("Edit all fields (Ctrl+E)"))
        self.save_key.setText(self.tr("Save"))
        self.cancel_key.setText(self.tr("Cancel"))
        self.nothing.setText(self.tr("No card yet"))
        self.nothing_more.setText(
            self.tr(
                "A card says where the work stands: the goal, what is done, what comes next. The next session reads it first."
            )
        )
        self.first.setText(self.tr("Write the first one"))
        active = self._state.active if self._state is not None else None
        self.when.setText(texts.saved(active) if active is not None else "")
