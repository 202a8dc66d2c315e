"""Memories of a project: filter by kind and state, add, edit in place, archive, restore.

Owns the panel and what is open in it; what is written goes out by signals. News waits while something is being edited.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from tray_app.records import MemoryView
from tray_app.records.memory import KINDS, STATES
from tray_app.ui import clipboard, theme
from tray_app.ui.buttons import LinkButton
from tray_app.ui.controls import Chooser, Hairline, Label, PlainButton
from tray_app.ui.handover_chips import ChipFilter
from tray_app.ui.handover_edit import RING, InPlaceEditor
from tray_app.ui.handover_memory_list import KIND, SIDE, MemoryList
from tray_app.ui.handover_texts import texts
from tray_app.ui.settings_rows import give_line

WRITABLE = tuple(kind for kind in KINDS if kind not in ("checkpoint", "handoff", "session", "changelog"))
"""What a person writes; the others are made from sessions, changelogs and the card."""


class OpenMemory(QWidget):
    """A memory in its row: kind at the left (a chooser for a new one), the field, the keys, and what else can be done."""

    def __init__(self, memory: MemoryView | None, kind: str, *, locked: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.memory = memory
        self.kind: Chooser | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(now.px(SIDE), now.px(8) - RING, now.px(SIDE) - RING, now.px(8))
        row.setSpacing(0)
        if memory is None:
            self.kind = Chooser(self)
            for name in WRITABLE:
                self.kind.addItem(texts.kind(name), name)
            self.kind.setCurrentIndex(max(self.kind.findData(kind), 0))
            self.kind.setAccessibleName(self.tr("Kind of the new memory"))
            column = QVBoxLayout()
            column.setContentsMargins(0, RING + now.px(2), 0, 0)
            column.addWidget(self.kind)
            column.addStretch(1)
            row.addLayout(column)
            row.addSpacing(now.px(12) - RING)
        else:
            label = give_line(Label(texts.kind(memory.kind), "detail", "text2", self), "detail")
            label.setFixedWidth(now.px(KIND - 8))
            label.setContentsMargins(0, now.px(7) + RING, 0, 0)
            column = QVBoxLayout()
            column.addWidget(label)
            column.addStretch(1)
            row.addLayout(column)
            row.addSpacing(now.px(8) - 1 - RING)
        self.editor = InPlaceEditor(
            memory.content if memory is not None else "", self.tr("Text of the memory"), self,
            hint=self.tr("One lasting statement about this project"),
        )  # fmt: skip
        row.addWidget(self.editor, 1)
        self.away = LinkButton("", self.editor, color="text2")
        self.editor.keys.addWidget(self.away)
        self.away.setVisible(memory is not None)
        if memory is not None:
            self.away.setText(self.tr("Archive") if memory.state != "archived" else self.tr("Restore"))
        if locked:
            self.editor.edit.setReadOnly(True)
            self.editor.save.hide()
            self.editor.cancel.setText(self.tr("Close"))


class MemoriesPanel(QWidget):
    added = Signal(str, str)
    """Kind and text of a new memory."""
    changed = Signal(int, str)
    """Id and text of one that was edited."""
    archived = Signal(int)
    restored = Signal(int)
    state_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        side = now.px(SIDE)
        self._open: OpenMemory | None = None
        self._waiting: list[MemoryView] | None = None
        self.state = "active"
        self.title = Label("", "title", "text", self)
        self.states = Chooser(self)
        self.add = PlainButton("", self, glyph="plus")
        head = QHBoxLayout()
        head.setContentsMargins(side, now.px(12), side, now.px(4))
        head.setSpacing(now.px(8))
        head.addWidget(self.title, 1)
        head.addWidget(self.states)
        head.addWidget(self.add)
        self.kinds = ChipFilter(("", *KINDS), self)
        chips = QHBoxLayout()
        chips.setContentsMargins(side - now.px(8), now.px(4), side - now.px(8), now.px(8))
        chips.addWidget(self.kinds)
        line = QHBoxLayout()
        line.setContentsMargins(side, 0, side, 0)
        line.addWidget(Hairline(self))
        self.list = MemoryList(self)
        self.none = Label("", "body", "text2", self, wrap=True)
        self.none.setContentsMargins(side, now.px(12), side, 0)
        self.none.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(chips)
        column.addLayout(line)
        column.addWidget(self.none)
        column.addWidget(self.list, 1)
        for name in STATES:
            self.states.addItem("", name)
        self.states.activated.connect(self._choose_state)
        self.add.clicked.connect(self.begin_new)
        self.kinds.chosen.connect(self.choose_kind)
        self.list.edit_wanted.connect(self.edit)
        self.list.archive_wanted.connect(self.put_away)
        self.list.menu_wanted.connect(self._menu)
        self.retranslate()

    # --- showing -----------------------------------------------------------------------------------------------------
    def show_memories(self, memories: Sequence[MemoryView]) -> None:
        """Those of one state, all kinds. The chosen one stays chosen."""
        if self._open is not None:
            self._waiting = list(memories)
            return
        rows = self.list.rows
        before = rows.memory(self.list.currentIndex().row())
        top = self.list.verticalScrollBar().value()
        rows.set_all(memories)
        counts = rows.counts()
        if rows.kind not in counts:
            rows.set_kind("")
        at = rows.row_of(before.id) if before is not None else -1
        if at >= 0:
            self.list.setCurrentIndex(rows.index(at))
        self.list.verticalScrollBar().setValue(top)
        self._tell()

    def clear(self) -> None:
        """Another project: nothing is known of it yet."""
        self._close()
        self._waiting = None
        self.list.rows.set_kind("")
        self.list.rows.set_all(())
        self.kinds.show_chips((), "")
        self.none.hide()

    def show_state(self, state: str) -> str:
        """Stand at a state without asking for it."""
        self.state = state
        self.states.setCurrentIndex(STATES.index(state))
        return state

    def choose_kind(self, kind: str) -> None:
        self.leave()
        self.list.rows.set_kind(kind)
        self._tell()

    def _choose_state(self, at: int) -> None:
        self.leave()
        self.state = str(self.states.itemData(at))
        self.list.rows.set_kind("")
        self.state_wanted.emit(self.state)

    def _tell(self) -> None:
        rows = self.list.rows
        counts = rows.counts()
        known = [kind for kind in ("", *KINDS) if counts.get(kind) or not kind]
        self.kinds.show_chips([(kind, texts.kinds(kind), counts.get(kind, 0)) for kind in known], rows.kind)
        self.kinds.setVisible(bool(rows.all))
        self.none.setVisible(not rows.rows and self._open is None)
        self.add.setVisible(self.state == "active")

    # --- editing -----------------------------------------------------------------------------------------------------
    def begin_new(self) -> None:
        """An empty row on top."""
        self.leave()
        self.list.rows.begin_new()
        kind = self.list.rows.kind
        self._hold(0, OpenMemory(None, kind if kind in WRITABLE else "decision", locked=False))
        self.none.hide()

    def edit(self, number: int) -> None:
        """Open one; of what is not active only the text is shown, with the way back."""
        if self._open is not None and self._open.memory is not None and self._open.memory.id == number:
            return
        self.leave()
        row = self.list.rows.row_of(number)
        memory = self.list.rows.memory(row)
        if memory is not None:
            self._hold(row, OpenMemory(memory, memory.kind, locked=memory.state != "active"))

    def _hold(self, row: int, opened: OpenMemory) -> None:
        self._open = opened
        editor = opened.editor
        self.list.hold(row, opened)
        editor.saved.connect(self._save)
        editor.cancelled.connect(self._cancel)
        editor.grew.connect(lambda: QTimer.singleShot(0, self, self._fit))
        opened.away.clicked.connect(self._away)
        editor.begin()

    def _fit(self) -> None:
        if self._open is not None:
            layout = self._open.layout()
            if layout is not None:
                layout.activate()
            self.list.fit(self._open)

    def _save(self, text: str) -> None:
        opened = self._open
        if opened is None:
            return
        changed, kind = opened.editor.changed, opened.kind.currentData() if opened.kind is not None else ""
        self._end()
        if not text.strip() or not changed:
            return
        if opened.memory is None:
            self.added.emit(str(kind), text)
        else:
            self.changed.emit(opened.memory.id, text)

    def _cancel(self) -> None:
        self._end()

    def _away(self) -> None:
        opened = self._open
        self._end()
        if opened is not None and opened.memory is not None:
            (self.restored if opened.memory.state == "archived" else self.archived).emit(opened.memory.id)

    def leave(self) -> None:
        """Nothing that was typed is lost: it is saved."""
        if self._open is not None:
            if self._open.editor.edit.isReadOnly():
                self._end()
            else:
                self._open.editor.submit()

    def reopen(self, number: int, kind: str, text: str) -> None:
        """A write was refused: what was typed is there again. `number` 0: a new memory."""
        if number:
            self.edit(number)
        else:
            self.begin_new()
            if self._open is not None and self._open.kind is not None:
                self._open.kind.setCurrentIndex(max(self._open.kind.findData(kind), 0))
        if self._open is not None:
            self._open.editor.edit.setPlainText(text)
            self._open.editor.begin()

    def put_away(self, number: int) -> None:
        """Del: archive, or take back what is archived."""
        memory = self.list.rows.memory(self.list.rows.row_of(number))
        if memory is not None:
            (self.restored if memory.state == "archived" else self.archived).emit(number)

    def _end(self) -> None:
        had = self._open is not None and self._open.isAncestorOf(QGuiApplication.focusObject() or self)  # type: ignore[arg-type]
        self._close()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.show_memories(waiting)
        self._tell()
        if had:
            self.list.setFocus()

    def _close(self) -> None:
        if self._open is not None:
            self._open = None
            self.list.let_go()

    def _menu(self, number: int, place: QPoint) -> None:
        memory = self.list.rows.memory(self.list.rows.row_of(number))
        if memory is None:
            return
        menu = QMenu(self)
        menu.addAction(self.tr("Edit") if memory.state == "active" else self.tr("Read")).triggered.connect(
            lambda: self.edit(number)
        )
        menu.addAction(self.tr("Copy")).triggered.connect(lambda: clipboard.put(memory.content))
        menu.addSeparator()
        away = self.tr("Archive") if memory.state != "archived" else self.tr("Restore")
        menu.addAction(away).triggered.connect(lambda: self.put_away(number))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Memories"))
        self.add.setText(self.tr("Add"))
        self.add.setToolTip(self.tr("Write down a memory (Ctrl+N)"))
        self.states.setAccessibleName(self.tr("State of the memories"))
        self.list.setAccessibleName(self.tr("Memories"))
        self.list.setAccessibleDescription(self.tr("F2 edits, Del archives"))
        self.none.setText(self.tr("None. What a session learns for good is written down here, by agents and by you."))
        for at, name in enumerate(STATES):
            self.states.setItemText(at, texts.memory_state(name))
        self.states.updateGeometry()
        self._tell()
