"""The hand-over window: what the next session of a project should know, and what the last ones left.

Owns what is shown of which project and what is written when; how it lies is `handover_frame`'s, what is asked
`handover_flow`'s, copies and upkeep `handover_actions`'. Never blocks: everything from the backend comes by a signal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit

from tray_app.errors import AppError
from tray_app.records import CardView, CheckpointState, CheckpointView, MemoryView, PackView, ProjectView, Remembered
from tray_app.records.memory import FIELDS
from tray_app.service.backend import Backend
from tray_app.ui import icons, wording
from tray_app.ui.handover_actions import HandoverActions
from tray_app.ui.handover_edit import GrowingEdit
from tray_app.ui.handover_fields import value_of
from tray_app.ui.handover_flow import HandoverFlow
from tray_app.ui.handover_frame import CARD, DRAFT, MEMORIES, PACK, TABS, HandoverFrame
from tray_app.ui.pasting import Pasting
from tray_app.ui.text_layout import tip

ACTION_KEYS = (
    ("Ctrl+Shift+C", "card"), ("Ctrl+Shift+P", "pack"), ("Ctrl+Return", "chat"), ("Ctrl+R", "resume"), ("Ctrl+S", "export"),
    ("Ctrl+O", "folder"),
)  # fmt: skip


class HandoverWindow(HandoverFrame):
    """`open` brings it, on a project if one is named."""

    session_wanted = Signal(str, str)
    """Agent and session that the person wants to read."""

    def __init__(self, backend: Backend, pasting: Pasting | None = None) -> None:
        super().__init__()
        self.setWindowIcon(icons.app_icon())
        self._backend, self.pasting = backend, pasting
        self.flow = HandoverFlow(backend, self)
        self.actions_ = HandoverActions(self, backend)
        self._undo: Callable[[], None] | None = None
        if pasting is not None:
            pasting.changed.connect(lambda: self.foot.set_pastes(pasting.ready))
            self.foot.set_pastes(pasting.ready)
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        flow = self.flow
        flow.spaces_came.connect(lambda spaces: self.column.show_spaces(spaces, flow.space))
        flow.projects_came.connect(self._projects_came)
        flow.cache_came.connect(self.column.show_cache)
        flow.mended.connect(self._mended)
        flow.state_came.connect(self._state_came)
        flow.card_came.connect(self._card_came)
        flow.memories_came.connect(self._memories_came)
        flow.pack_came.connect(self._pack_came)
        flow.failed.connect(self._failed)
        self.column.chosen.connect(self.choose)
        self.column.space_chosen.connect(self._choose_space)
        self.head.chooser.activated.connect(lambda at: self.choose(self.column.model.rows[at].name))
        self.look_again.clicked.connect(flow.refresh)
        self.card.saved.connect(self._save_fields)
        self.draft.accepted.connect(self._accept)
        self.draft.discarded.connect(self._discard)
        self.draft.taken_back.connect(self._take_back)
        self.draft.all_accepted.connect(self._accept_all)
        self.draft.all_discarded.connect(self._discard_all)
        self.draft.session_wanted.connect(self.session_wanted)
        self.history.restored.connect(self._put_back)
        self.memories.added.connect(self._add_memory)
        self.memories.changed.connect(self._change_memory)
        self.memories.archived.connect(lambda number: self._move_memory(number, "archived"))
        self.memories.restored.connect(lambda number: self._move_memory(number, "active"))
        self.memories.state_wanted.connect(flow.ask_memories)
        self.pack.budget_changed.connect(flow.set_budget)
        self.strip.undone.connect(self.undo)
        for keys in (QKeySequence(Qt.Key.Key_Escape), QKeySequence(QKeySequence.StandardKey.Close)):
            QShortcut(keys, self).activated.connect(self.close)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self).activated.connect(self._undo_by_key)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self).activated.connect(self._find)
        QShortcut(QKeySequence(QKeySequence.StandardKey.New), self).activated.connect(self._new_memory)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Refresh), self).activated.connect(flow.refresh)
        for written, name in ACTION_KEYS:
            QShortcut(QKeySequence(written), self).activated.connect(lambda name=name: self.actions_.do(name))
        for number, tab in enumerate(TABS, 1):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self).activated.connect(lambda tab=tab: self._go_by_key(tab))

    # --- coming and going --------------------------------------------------------------------------------------------
    def open(self, project: str = "") -> None:
        """Bring the window; on this project, else on the one looked at last, else the first that has something."""
        if self.pasting is not None:
            self.pasting.remember()
        self.place()
        seen = self.isVisible()
        if any(one.name == project for one in self.flow.projects):
            self.choose(project)
        self.show()
        self.raise_()
        self.activateWindow()
        if not seen:
            self._find()
        self.flow.refresh(project)

    def shut_down(self) -> None:
        """Before the program ends: what is being typed is written, nothing further is asked."""
        self._leave()
        self.flow.close()
        self.actions_.close()

    def _find(self) -> None:
        (self.head.chooser if self.collapsed else self.column.filter).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _new_memory(self) -> None:
        if self.tab not in (CARD, MEMORIES):
            self.go_to(MEMORIES)
        if self.flow.project and self.memories.add.isVisible():
            self.memories.begin_new()

    def _go_by_key(self, tab: str) -> None:
        if tab != PACK or self.narrow:
            self.go_to(tab)
            if tab == DRAFT:
                self.draft.begin()

    # --- what comes --------------------------------------------------------------------------------------------------
    def _projects_came(self, projects: list[ProjectView]) -> None:
        wanted, self.flow.wanted = self.flow.wanted or self.flow.project, ""
        if all(one.name != wanted for one in projects):
            wanted = self._first(projects)
        self.column.show_projects(projects, wanted)
        self.show_empty(not projects)
        self.pack.show_budget(self.flow.budget or self.pack.slider.value())
        if wanted != self.flow.project:
            self.choose(wanted)
        self._tell_head()

    @staticmethod
    def _first(projects: list[ProjectView]) -> str:
        """The one that was worked on last, of those that are no drawer for loose things."""
        real = [one for one in projects if one.state != "reserved"] or projects
        return max(real, key=lambda one: one.last_activity or "").name if real else ""

    def choose(self, project: str) -> None:
        """Look at a project; what is being typed for another is saved first."""
        if project == self.flow.project:
            return
        self._leave()
        self._undo = None
        self.strip.say("")
        self.memories.clear()
        self.draft.forget()
        self.flow.memory_state = self.memories.show_state("active")
        self.flow.choose(project)
        self.column.list.select(project)
        self.card.show_state(None)
        self.draft.show_state(None)
        self.history.show_state(None)
        self.pack.show_pack(None, has_card=False)
        self.set_count(DRAFT, 0)
        self._tell_head()

    def _choose_space(self, space: str | None) -> None:
        self._leave()
        self.flow.choose_space(space)
        self.choose("")

    def _leave(self) -> None:
        self.card.leave()
        self.memories.leave()
        self.draft.leave()

    def _tell_head(self) -> None:
        view, pack = self.flow.view(), self.flow.pack
        resume = pack.resume if pack is not None else None
        self.head.show_project(view, resume)
        at = self.column.model.place(self.flow.project)
        self.head.chooser.setCurrentIndex(at)
        self.set_count(MEMORIES, view.memories if view is not None else 0)
        card = self.flow.card
        has_card = card is not None and bool(card.markdown)
        self.foot.allow(
            card=has_card,
            export=has_card,
            folder=view is not None and view.state == "present" and bool(view.folder),
            resume=resume is not None and bool(resume.command),
            pack=pack is not None and bool(pack.pack),
            chat=pack is not None and bool(pack.pack),
        )

    def _state_came(self, state: CheckpointState) -> None:
        self.card.show_state(state)
        self.draft.show_state(state)
        self.history.show_state(state)
        self.pack.set_has_card(state.active is not None)
        self.set_count(DRAFT, 1 if state.draft is not None and self.draft.waiting else 0)

    def _card_came(self, _card: CardView) -> None:
        self._tell_head()

    def _memories_came(self, memories: list[MemoryView]) -> None:
        self.memories.show_memories(memories)

    def _pack_came(self, pack: PackView) -> None:
        state = self.flow.state
        self.pack.show_pack(pack, has_card=state is not None and state.active is not None)
        self._tell_head()

    def _mended(self, sentence: str) -> None:
        if sentence:
            self.notice.say("warn", self.tr("Memory was damaged and has been restored from its journal."), color="warn")
            self.notice.setToolTip(tip(sentence))
            self.notice.setAccessibleDescription(sentence)
        else:
            self.notice.be_silent()

    def _failed(self, fault: AppError) -> None:
        self.answer(wording.error_text(fault), "warn")

    # --- answers and undo --------------------------------------------------------------------------------------------
    def answer(self, words: str, glyph: str = "check", undo: Callable[[], None] | None = None) -> None:
        """Say what was done, with the way to take it back."""
        if undo is not None:
            self._undo = undo
        self.strip.say(words, glyph=glyph, undo=undo is not None)

    def undo(self) -> None:
        """Take back what was written last."""
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def _undo_by_key(self) -> None:
        """Ctrl+Z: in a field that has something to take back, it is the field's."""
        focus = QApplication.focusWidget()
        typing = isinstance(focus, QLineEdit) and focus.isUndoAvailable()
        typing = typing or (isinstance(focus, GrowingEdit) and focus.document().isUndoAvailable())
        if typing and isinstance(focus, (QLineEdit, GrowingEdit)):
            focus.undo()
        else:
            self.undo()

    # --- the card ----------------------------------------------------------------------------------------------------
    def _save_fields(self, fields: dict[str, Any]) -> None:
        state, project = self.flow.state, self.flow.project
        active = state.active if state is not None else None
        before = {name: value_of(active, name) for name in fields}

        def back() -> None:
            self.flow.put_fields(before, lambda _state: self.answer(self.tr("Taken back")), project=project)

        def refused(_fault: AppError) -> None:
            if self.flow.project == project:
                self.card.reopen(fields)

        self.flow.put_fields(fields, lambda _state: self.answer(self.tr("Saved"), undo=back), refused, project=project)

    def _put_back(self, point: CheckpointView) -> None:
        state, project = self.flow.state, self.flow.project
        before = {name: value_of(state.active if state is not None else None, name) for name in FIELDS}

        def back() -> None:
            self.flow.put_fields(before, lambda _state: self.answer(self.tr("Taken back")), project=project)

        self.flow.put_fields(
            {name: value_of(point, name) for name in FIELDS},
            lambda _state: self.answer(self.tr("Put back"), undo=back),
            project=project,
        )

    # --- the draft ---------------------------------------------------------------------------------------------------
    def _accept(self, field: str, edited: Any) -> None:
        project, space, backend = self.flow.project, self.flow.space, self._backend

        def call() -> CheckpointState:
            if edited is None:
                return backend.promote_draft(project, [field], space=space)
            backend.put_checkpoint(project, {field: edited or None}, space=space)
            return self._without(project, field)

        self.flow.write(call, lambda _state: self.answer(self.tr("Accepted")), lambda _fault: self.draft.refuse(field))

    def _discard(self, field: str) -> None:
        project = self.flow.project
        self.flow.write(
            lambda: self._without(project, field),
            lambda _state: self.answer(self.tr("Discarded")),
            lambda _fault: self.draft.refuse(field),
        )

    def _without(self, project: str, field: str) -> CheckpointState:
        """The draft without a field; an empty one is put away. On a thread."""
        space = self.flow.space
        state = self._backend.put_checkpoint(project, {field: None}, draft=True, space=space)
        if state.draft is not None and not any(value_of(state.draft, name) for name in FIELDS):
            return self._backend.discard_draft(project, space=space)
        return state

    def _take_back(self, field: str, active: Any, draft: Any, decision: str) -> None:
        project, space, backend = self.flow.project, self.flow.space, self._backend

        def call() -> CheckpointState:
            if decision == "accepted":
                backend.put_checkpoint(project, {field: active or None}, space=space)
            return backend.put_checkpoint(project, {field: draft}, draft=True, space=space)

        self.flow.write(call, lambda _state: self.answer(self.tr("Taken back")))

    def _accept_all(self) -> None:
        space = self.flow.space
        self._settle(
            lambda project: self._backend.promote_draft(project, None, space=space), self.tr("Draft accepted"), taken=True
        )

    def _discard_all(self) -> None:
        space = self.flow.space
        self._settle(lambda project: self._backend.discard_draft(project, space=space), self.tr("Draft discarded"), taken=False)

    def _settle(self, call: Callable[[str], CheckpointState], words: str, *, taken: bool) -> None:
        """The whole draft at once. `taken`: into the active one, which then has to be put back too."""
        state, project, space, backend = self.flow.state, self.flow.project, self.flow.space, self._backend
        if state is None or state.draft is None:
            return
        draft = {name: value for name in FIELDS if (value := value_of(state.draft, name))}
        before = {name: value_of(state.active, name) or None for name in draft}

        def put_back() -> CheckpointState:
            if taken:
                backend.put_checkpoint(project, before, space=space)
            return backend.put_checkpoint(project, draft, draft=True, space=space)

        def done(_state: CheckpointState) -> None:
            self.draft.forget()
            self.answer(words, undo=lambda: self.flow.write(put_back, lambda _s: self.answer(self.tr("Taken back"))))

        self.flow.write(lambda: call(project), done)

    # --- memories ----------------------------------------------------------------------------------------------------
    def _add_memory(self, kind: str, text: str) -> None:
        project, space = self.flow.project, self.flow.space

        def done(found: Remembered) -> None:
            if found.created:
                self.answer(self.tr("Written down"), undo=lambda: self._move_memory(found.memory.id, "archived", quiet=True))
            else:
                self.answer(self.tr("That was known already"), "info")

        self.flow.write(
            lambda: self._backend.remember(project, kind, "", text, space=space),
            done,
            lambda _fault: self.memories.reopen(0, kind, text),
        )

    def _change_memory(self, number: int, text: str) -> None:
        space = self.flow.space
        before = next((one for one in self.flow.memories if one.id == number), None)

        def back() -> None:
            if before is not None:
                self.flow.write(
                    lambda: self._backend.update_memory(number, before.title, before.content, space=space),
                    lambda _found: self.answer(self.tr("Taken back")),
                )

        self.flow.write(
            lambda: self._backend.update_memory(number, self._title(before), text, space=space),
            lambda _found: self.answer(self.tr("Saved"), undo=back),
            lambda _fault: self.memories.reopen(number, "", text),
        )

    @staticmethod
    def _title(before: MemoryView | None) -> str | None:
        """A title that only repeats the beginning of the text is made anew with it."""
        made = before is not None and before.content.lstrip(" \t#*->").startswith(before.title.rstrip("…"))
        return "" if made else None

    def _move_memory(self, number: int, state: str, *, quiet: bool = False) -> None:
        space = self.flow.space
        other = "active" if state == "archived" else "archived"
        words = self.tr("Taken back") if quiet else self.tr("Archived") if state == "archived" else self.tr("Restored")
        undo = None if quiet else lambda: self._move_memory(number, other, quiet=True)
        self.flow.write(
            lambda: self._backend.set_memory_state(number, state, space=space), lambda _found: self.answer(words, undo=undo)
        )

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange:
            self.column.list.viewport().update()
            if self.isActiveWindow() and self.flow.projects:
                self.flow.refresh()  # agents write too
        elif event.type() == QEvent.Type.LanguageChange:
            self._tell_head()
        super().changeEvent(event)
