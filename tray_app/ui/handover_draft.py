"""The Draft tab: what a finished session would change, beside what is active, decided field by field.

Owns the rows, which of them is the current one, and what was decided since the draft was first shown. A accepts, E edits,
D discards, U takes back; writing is the window's, by signals.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from tray_app.records import CheckpointState, CheckpointView
from tray_app.records.memory import FIELDS
from tray_app.ui import theme
from tray_app.ui.controls import ElidedLabel, Glyph, Hairline, Label, LinkButton, QuietButton
from tray_app.ui.handover_draft_row import COLUMN, LABEL, DraftRow
from tray_app.ui.handover_fields import value_of
from tray_app.ui.handover_texts import texts
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.settings_rows import give_line


class _Area(QScrollArea):
    """Scrolls by wheel and by what has the focus; the arrow keys go from field to field."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()


class DraftTab(QWidget):
    accepted = Signal(str, object)
    """Field, and the value if it was edited (None: as it is)."""
    discarded = Signal(str)
    taken_back = Signal(str, object, object, str)
    """Field, its active value before, its value in the draft, and what had been decided."""
    all_accepted = Signal()
    all_discarded = Signal()
    session_wanted = Signal(str, str)
    """Agent and session that the draft is from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        side = now.px(24)
        self._draft: CheckpointView | None = None
        self._project = ""
        self._current = ""
        self.rows: dict[str, DraftRow] = {}
        self.active_head = Label("", "label", "text2", self)
        self.draft_head = Label("", "label", "text2", self)
        head = QHBoxLayout()
        head.setContentsMargins(0, now.px(12), 0, now.px(8))
        head.setSpacing(0)
        head.addSpacing(now.px(LABEL))
        head.addWidget(self.active_head, 1)
        head.addSpacing(now.px(COLUMN))
        head.addWidget(self.draft_head, 1)
        self.area = _Area(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget(self.area.viewport())  # where it will be: a change of parent styles all of it anew
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(side, 0, side, now.px(16))
        self._column.setSpacing(0)
        self._column.addLayout(head)
        self._column.addWidget(Hairline(inner))
        for name in FIELDS:
            row = DraftRow(name, inner)
            self.rows[name] = row
            self._column.addWidget(row)
            row.current_wanted.connect(self._set_current)
            row.accepted.connect(self._accept)
            row.discarded.connect(self._discard)
            row.taken_back.connect(self._take_back)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, now.px(12), 0, 0)
        foot.setSpacing(now.px(8))
        self.evidence = ElidedLabel("", "detail", "text2", inner)
        self.session = LinkButton("", inner)
        foot.addWidget(Glyph("info", 14, "text2", inner))
        foot.addWidget(self.evidence, 1)
        foot.addWidget(self.session)
        self._column.addLayout(foot)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, now.px(12), 0, 0)
        buttons.setSpacing(now.px(4))
        self.accept_all = QuietButton("", inner, glyph="check", flush=True)
        self.discard_all = QuietButton("", inner, glyph="close")
        buttons.addWidget(self.accept_all)
        buttons.addWidget(self.discard_all)
        buttons.addStretch(1)
        self._column.addLayout(buttons)
        self._column.addStretch(1)
        self.area.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.area.viewport().setAutoFillBackground(False)
        OverlayBar(self.area)
        self.none = QWidget(self)
        words = QVBoxLayout(self.none)
        words.setContentsMargins(side, now.px(20), side, 0)
        words.setSpacing(now.px(4))
        self.nothing = Label("", "title", "text", self.none)
        self.nothing_more = Label("", "body", "text2", self.none, wrap=True)
        words.addWidget(give_line(self.nothing, "title"))
        words.addWidget(self.nothing_more)
        words.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.area)
        column.addWidget(self.none)
        self.area.hide()
        self.session.clicked.connect(self._show_session)
        self.accept_all.clicked.connect(self.all_accepted)
        self.discard_all.clicked.connect(self.all_discarded)
        self.retranslate()

    @property
    def waiting(self) -> int:
        """Fields that nothing was decided of yet."""
        return sum(row.waiting for row in self.rows.values())

    # --- showing -----------------------------------------------------------------------------------------------------
    def show_state(self, state: CheckpointState | None) -> None:
        """A draft is shown as it was first met, with what was decided since; another one replaces it."""
        draft = state.draft if state is not None else None
        if state is not None and state.project == self._project and self._is_known(draft):
            return
        self._project = state.project if state is not None else ""
        self._draft = draft
        self._current = ""
        active = state.active if state is not None else None
        self.area.setVisible(draft is not None)
        self.none.setVisible(draft is None and state is not None)
        if draft is None:
            for row in self.rows.values():
                row.clear()
            return
        for name, row in self.rows.items():
            row.show_values(value_of(active, name), value_of(draft, name), draft.evidence.get(name, ""))
        self._set_heads(active, draft)
        first = next((name for name, row in self.rows.items() if row.waiting), "")
        self._set_current(first)
        self._tell()

    def _is_known(self, draft: CheckpointView | None) -> bool:
        """What came is what our own decisions made of the one on show, or will make of it in a moment."""
        if self._draft is None:
            return draft is None
        if draft is None:
            return any(row.decision for row in self.rows.values())
        left = {name: value_of(draft, name) for name in self.rows}
        return all(left[name] == row.draft or (bool(row.decision) and not left[name]) for name, row in self.rows.items())

    def forget(self) -> None:
        """What was decided is settled: the next state is shown as it is."""
        self._draft = None
        self._project = ""
        for row in self.rows.values():
            row.clear()

    def _set_heads(self, active: CheckpointView | None, draft: CheckpointView) -> None:
        now = self.tr("Active, {day}").format(day=texts.day(active.updated or active.created)) if active else self.tr("Active")
        self.active_head.setText(now)
        self.draft_head.setText(self.tr("Draft, {day}").format(day=texts.day(draft.updated or draft.created, clock=True)))

    # --- the current row ---------------------------------------------------------------------------------------------
    def _set_current(self, name: str) -> None:
        self._current = name
        for field, row in self.rows.items():
            row.set_current(field == name)
        self._tell()

    def _tell(self) -> None:
        row = self.rows.get(self._current)
        evidence = row.evidence if row is not None else ""
        if self._draft is None:
            return
        self.evidence.setText(
            self.tr("{field}: {evidence}").format(field=texts.field(self._current), evidence=evidence)
            if evidence
            else self.tr("Each line of the draft has evidence in the session.")
        )
        self.session.setVisible(bool(self._draft.source_session))
        self.accept_all.setEnabled(self.waiting > 0)
        self.discard_all.setEnabled(self.waiting > 0)

    def begin(self) -> None:
        """Take the keyboard at the current row."""
        row = self.rows.get(self._current)
        if row is not None:
            row.take_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.rows.get(self._current)
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._go(-1 if key == Qt.Key.Key_Up else 1)
        elif row is None or event.modifiers() not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            event.ignore()
        elif key == Qt.Key.Key_A and row.waiting:
            row.accept()
        elif key in (Qt.Key.Key_E, Qt.Key.Key_F2) and row.waiting:
            row.begin_edit()
        elif key == Qt.Key.Key_D and row.waiting:
            row.discard()
        elif key == Qt.Key.Key_U and row.decision:
            row.take_back()
        else:
            event.ignore()

    def _go(self, step: int) -> None:
        """To the next field that the draft would change."""
        names = [name for name, row in self.rows.items() if row.waiting or row.decision]
        if not names:
            return
        at = names.index(self._current) + step if self._current in names else 0
        name = names[min(max(at, 0), len(names) - 1)]
        self._set_current(name)
        self.rows[name].take_focus()
        self.area.ensureWidgetVisible(self.rows[name])

    # --- decisions ---------------------------------------------------------------------------------------------------
    def _accept(self, name: str, value: Any) -> None:
        self._current = name  # the focus has left its buttons, which are gone
        self.accepted.emit(name, value)
        self._after()

    def _discard(self, name: str) -> None:
        self._current = name
        self.discarded.emit(name)
        self._after()

    def _take_back(self, name: str) -> None:
        row = self.rows[name]
        decision = row.undo()
        self.taken_back.emit(name, row.active, row.draft, decision)
        self._set_current(name)
        row.take_focus()

    def _after(self) -> None:
        """On to the next field; with none left, to what can be taken back."""
        order = list(self.rows)
        here = order.index(self._current) if self._current in order else -1
        after = [name for name in order[here + 1 :] + order[: here + 1] if self.rows[name].waiting]
        self._set_current(after[0] if after else self._current)
        if after:
            self.rows[after[0]].take_focus()
        elif self._current:
            self.rows[self._current].take_focus()

    def refuse(self, name: str) -> None:
        """A write did not work: the field waits again."""
        self.rows[name].undo()
        self._set_current(name)

    def leave(self) -> None:
        """Fields that are being edited are accepted as they stand: nothing that was typed is lost."""
        for row in self.rows.values():
            row.leave()

    def _show_session(self) -> None:
        if self._draft is not None:
            self.session_wanted.emit(self._draft.source_agent, self._draft.source_session)

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.session.setText(self.tr("Show the session"))
        self.accept_all.setText(self.tr("Accept all"))
        self.discard_all.setText(self.tr("Discard draft"))
        self.nothing.setText(self.tr("No draft waits"))
        self.nothing_more.setText(
            self.tr("When a session of this project is finished, what it changed is drafted here for you to accept.")
        )
        self._tell()
