"""The search window: one line to type in, results at the left, the conversation at the right.

Owns what is shown for which answer. How its parts lie is `search_frame`'s. What is asked is `search_flow`'s, keys are
`search_keys`', copies `search_copies`'. Never blocks: everything from the backend comes by a signal.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QApplication

from tray_app.errors import AppError
from tray_app.records import Answer, Progress, SessionItem, Status
from tray_app.service.backend import Backend
from tray_app.settings import Settings
from tray_app.state import State
from tray_app.ui import i18n, icons, rows, wording
from tray_app.ui.chip_row import ChipFacts
from tray_app.ui.pasting import Pasting
from tray_app.ui.rows import Row
from tray_app.ui.search_copies import SearchCopies
from tray_app.ui.search_frame import DOUBT, NOTHING, RECENT, RESULTS, SearchFrame
from tray_app.ui.search_keys import SearchKeys
from tray_app.ui.search_why import SearchWhy
from tray_app.ui.speaking import SETTINGS, is_asked, what_to_say


class SearchWindow(SearchFrame):
    """`present`, `toggle` and `dismiss` are what the tray and the hotkey call; `index_changed` and `set_progress` what the
    indexer's signals are connected to."""

    healthRequested = Signal()
    settingsRequested = Signal()
    handoverRequested = Signal(str)
    """The hand-over of a project ('' where none is known)."""
    meaningRequested = Signal()
    """The settings, at Meaning."""
    presented = Signal()
    dismissed = Signal()

    def __init__(
        self,
        backend: Backend,
        state: State | None = None,
        settings: Settings | None = None,
        *,
        composited: bool | None = None,
        pasting: Pasting | None = None,
    ) -> None:
        super().__init__(backend, state, settings or Settings(), composited=composited)
        self.setWindowTitle("Backscroll")
        self.setWindowIcon(icons.app_icon())
        self.pasting = pasting
        self._progress: Progress | None = None
        self._fault: AppError | None = None
        self._asked = ""
        """The question that the rows answer."""
        self.copies = SearchCopies(self, backend)
        self.reasons = SearchWhy(self)
        self.keys = SearchKeys(self)
        self._connect()
        self.retranslate()
        self._show_recent()

    def _connect(self) -> None:
        self.bar.field.textChanged.connect(self._typed)
        self.bar.cleared.connect(self.clear)
        self.bar.recent_wanted.connect(self.grow)
        self.bar.dragged.connect(self.drag)
        self.chips.removed.connect(self._remove)
        self.chips.filter_chosen.connect(self._add_filter)
        self.notice.followed.connect(self._follow_notice)
        self.list.chosen.connect(self._chose)
        self.list.opened.connect(self.open_row)
        self.empty.days.opened.connect(self.open_session)
        self.empty.days.left.connect(self.focus_query)
        self.pane.left.connect(self.leave_pane)
        self.pane.card_wanted.connect(self.open_handover)
        self.pane.hit_wanted.connect(self._step_hit)
        self.foot.health_wanted.connect(self.healthRequested)
        self.foot.meaning_wanted.connect(self.meaningRequested)
        self.overlay.closed.connect(self.focus_query)
        self.flow.answered.connect(self._answered)
        self.flow.emptied.connect(self._show_recent)
        self.flow.failed.connect(self._failed)
        self.flow.sessions_came.connect(self._sessions_came)
        self.flow.status_came.connect(self._status_came)
        self.flow.late.connect(self._ask_again)
        self.flow.topics_came.connect(self.empty.set_cards)

    # --- coming and going --------------------------------------------------------------------------------------------
    def present(self) -> None:
        """Show the window where the pointer is, with the keyboard in its field; what was typed is selected."""
        if self.pasting is not None:
            self.pasting.remember()
        line = self._settings["general.window_form"] == "line" and self.flow.empty
        if not self.isVisible():
            self.set_form(one_line=line)
            self.place()
        self.show()
        self.raise_()
        self.activateWindow()
        self.focus_query()
        self.bar.field.selectAll()
        self.flow.refresh()
        self.flow.refresh_topics()
        self.presented.emit()

    def toggle(self) -> None:
        """What the hotkey does: hide the window if it has the keyboard, else bring it."""
        if self.isVisible() and self.isActiveWindow():
            self.dismiss()
        else:
            self.present()

    def dismiss(self) -> None:
        """Hide."""
        self.remember_size()
        self.hide()
        self.dismissed.emit()

    def shut_down(self) -> None:
        """Before the program ends: no further answers."""
        self.flow.close()
        self.pane.close_lanes()
        self.copies.close()

    # --- what the indexer tells --------------------------------------------------------------------------------------
    def set_progress(self, progress: Progress | None) -> None:
        """How far reading is; None or 'idle': nothing is being read."""
        self._progress = progress if progress is not None and progress.phase != "idle" else None
        self.foot.show_progress(self._progress)
        self.empty.show_status(self.flow.status, self._progress)
        self._speak()

    def index_changed(self) -> None:
        """There is something new in the index: what is shown is asked for again; the selection stays."""
        self.flow.refresh()
        self.topics_changed(at_once=False)
        self._ask_again()

    def topics_changed(self, *, at_once: bool = True) -> None:
        """The days may have other topics now: they are asked for if somebody looks."""
        self.flow.topics_are_old()
        if self.isVisible() or self.flow.topics is None:
            self.flow.refresh_topics(at_once=at_once)

    def _ask_again(self) -> None:
        """The same question may have a better answer now; not while something is read."""
        if not self.flow.empty and not self.reading:
            self.flow.ask()

    # --- answers -----------------------------------------------------------------------------------------------------
    def _typed(self, text: str) -> None:
        self.foot.answer("")
        self.bar.show_clear(bool(text))
        if text:
            self.grow()
        self.flow.set_text(text)

    def _answered(self, answer: Answer) -> None:
        self._fault = None
        menu = answer.fallback_menu
        self.reading = False
        if answer.verdict == "unsure" and menu is not None and menu.sessions and (is_asked(answer) or not answer.sessions):
            self.set_mode(DOUBT)
            self.empty.show_topics(menu.days)
            self.reading = not menu.days  # with no topics to show, the right side reads the chosen candidate
            self.show_right()
            further = bool(answer.sessions) or answer.understood.time is not None or bool(self.flow.filters)
            self.list.show_rows(rows.of_menu(answer, menu, further=further))
        elif answer.sessions:
            self.set_mode(RESULTS)
            self.show_right()
            self.list.show_rows(rows.of_answer(answer), keep=self.flow.text == self._asked)
        else:
            self.set_mode(NOTHING)
            self.list.show_rows([])
            self.show_right()
        self._asked = self.flow.text
        self._after_answer(answer)
        self.reasons.follow_answer()

    def _after_answer(self, answer: Answer) -> None:
        hits = answer.hits or sum(len(group.hits) for group in answer.sessions)
        if self.mode != RESULTS:
            words = ""
        elif self._progress is not None or answer.indexing:
            words = self.tr("%Ln passages so far", "", hits)
        else:
            words = wording.passages_in_sessions(hits, len(answer.sessions))
        self.bar.count.setText(words)
        self.foot.retranslate()  # the age of the index goes on
        self.chips.count.setText(wording.passages(hits) if self.mode == RESULTS else "")
        self.show_chips()
        self._speak()

    def show_further(self) -> None:
        """None of the candidates: the passages, weak as they are, or the question asked wider."""
        answer = self.flow.answer
        if answer is not None and answer.sessions and self.mode == DOUBT:
            self.set_mode(RESULTS)
            self.show_right()
            self.list.show_rows(rows.of_answer(answer))
            self._after_answer(answer)
        else:
            self.flow.look_further()

    def _failed(self, fault: AppError) -> None:
        self._fault = fault
        self._speak()

    def _show_recent(self) -> None:
        self.set_mode(RECENT)
        self.reading = False
        self.reasons.close()
        self.empty.show_sessions(self.flow.sessions)
        self.show_right()
        self.list.show_rows(rows.of_sessions(self.flow.sessions))
        self.show_chips()
        self._speak()

    def _sessions_came(self, items: list[SessionItem]) -> None:
        self.chips.set_choices(self.flow.agents(), self.flow.projects(), i18n.now().date())
        if self.mode == RECENT:
            self.empty.show_sessions(items)
            self.list.show_rows(rows.of_sessions(items))

    def _status_came(self, status: Status) -> None:
        self._progress = status.progress if status.indexing else self._progress
        self.foot.show_status(status)
        self.bar.set_leaves(*self.foot.leaves())
        self.bar.set_meaning(*self.foot.meaning.glyph_and_words())
        self.empty.show_status(status, self._progress)
        self._speak()
        if self.isVisible():
            self.flow.look_again(status.embedding)

    # --- the one speaking line ---------------------------------------------------------------------------------------
    def _speak(self) -> None:
        answer = self.flow.answer
        said = what_to_say(
            self._fault,
            answer if self.mode == RESULTS else None,
            answer if self.mode == NOTHING else None,
            self._droppable(),
            reading=self._progress is not None and (self.mode != RECENT or self.empty.shows_days),
        )
        if said is None:
            self.notice.be_silent()
        else:
            self.notice.say(said.glyph, said.words, color=said.color, link=said.link, action=said.action)

    def _droppable(self) -> ChipFacts | None:
        """The filter without which something might be found: the one set last, else the time that was understood."""
        facts = self.flow.chips()
        return facts[-1] if facts else None

    def _follow_notice(self, action: str) -> None:
        if action == SETTINGS:
            self.meaningRequested.emit()
        elif (facts := self._droppable()) is not None:
            self._remove(facts)

    # --- chips -------------------------------------------------------------------------------------------------------
    def open_chips(self) -> None:
        """Tab: the row of filters, by hand."""
        self.grow()
        self._opened_chips = True
        self.show_chips()
        self.chips.focus_first()

    def _remove(self, facts: ChipFacts) -> None:
        text = self.flow.without(facts)
        if text is not None:
            self.bar.field.setText(text)
        self.show_chips()
        self.focus_query()

    def _add_filter(self, key: str, value: str) -> None:
        self.flow.set_filter(key, value)
        self.show_chips()
        self.focus_query()

    def clear(self) -> bool:
        """Empty the field, take the filters away, close what was opened. False if there was nothing to clear."""
        if self.flow.empty and not self.flow.filters and not self.reading and not self._opened_chips:
            return False
        self._opened_chips = False
        self.flow.clear()
        self.bar.field.clear()
        self._show_recent()
        self.focus_query()
        return True

    # --- the right side ----------------------------------------------------------------------------------------------
    def _chose(self, row: Row | None) -> None:
        self.reasons.show(row)
        if self.mode == RESULTS or self.reading:
            if row is not None and row.kind != rows.FURTHER:
                self.show_row(row)
            elif self.mode == RESULTS:
                self.pane.clear()

    def show_row(self, row: Row) -> None:
        """Show a row's conversation at the right."""
        hits = sorted(row.group.hits, key=lambda hit: hit.seq) if row.group is not None else []
        place = next((number for number, hit in enumerate(hits, 1) if hit.message_id == row.message_id), 0)
        self.pane.show_hit(row.session, row.agent, row.message_id, self._words(row), place, len(hits))

    def open_row(self, row: Row) -> None:
        """Enter: read the conversation, or go on where a row says so."""
        if row.kind == rows.FURTHER:
            self.show_further()
            return
        if self.mode in (RECENT, DOUBT):
            self.reading = True
            self.show_row(row)
        self.show_right(reading=True)
        self.pane.return_to_hit()
        self.pane.transcript.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_session(self, agent: str, session: str, message: str = "") -> None:
        """Read a session, from a message of it or from its beginning."""
        self.reading = True
        self.list.select_anchor(f"session:{session}")
        self.pane.show_hit(session, agent, message, (), 0, 0)
        self.show_right(reading=True)
        self.pane.transcript.setFocus(Qt.FocusReason.OtherFocusReason)

    def enter_right(self) -> bool:
        """→: the keyboard goes to what stands at the right. False if nothing is there."""
        if self.right.currentWidget() is self.empty and not self._narrow:
            return self.empty.enter()
        row = self.list.current_row()
        if row is None or row.kind == rows.FURTHER:
            return False
        self.open_row(row)
        return True

    def open_handover(self) -> None:
        """Ctrl+H: the hand-over of the project that the chosen row, or what is being read, belongs to."""
        row, view = self.list.current_row(), self.pane.view
        project = row.project if row is not None else ""
        if not project and view is not None and (self.reading or row is None):
            project = view.project
        self.handoverRequested.emit(project)

    def leave_pane(self) -> None:
        """←: back to the list."""
        if self._narrow:
            self.show_right(reading=False)
        self.focus_query()

    def _words(self, row: Row) -> tuple[str, ...]:
        answer = self.flow.answer
        across = answer.understood.translated if answer is not None else ()
        if row.hit is not None:
            text = row.hit.text
            stood = (text[start:end] for start, end in (*row.hit.marks, *rows.find_marks(text, (), across)))
            return tuple(dict.fromkeys((*stood, *row.hit.matched)))
        return (*answer.understood.words, *across) if answer is not None and self.mode == DOUBT else ()

    def _step_hit(self, step: int) -> None:
        row = self.list.current_row()
        if row is None or row.group is None:
            return
        hits = sorted(row.group.hits, key=lambda hit: hit.seq)
        at = next((number for number, hit in enumerate(hits) if hit.message_id == row.message_id), 0) + step
        if 0 <= at < len(hits):
            self.list.select_anchor(f"hit:{row.session}:{hits[at].message_id}")

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def retranslate(self) -> None:
        self.list.setAccessibleName(self.tr("Results"))
        self.foot.retranslate()
        self.bar.retranslate()
        self.why.retranslate()
        if self.mode == RECENT:
            self._show_recent()
        elif self.flow.answer is not None:
            self._answered(self.flow.answer)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.foot.answer("")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() == QEvent.Type.ActivationChange:
            self.list.viewport().update()
            if not self.isActiveWindow() and self.isVisible() and self._hides_on_blur():
                self.dismiss()
        super().changeEvent(event)

    def _hides_on_blur(self) -> bool:
        busy = QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None
        return bool(self._settings["general.hide_on_blur"]) and not busy and not self.bar.field.composing
