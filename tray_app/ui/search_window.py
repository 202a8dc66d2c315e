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
from tray_app.ui.rows import Row
from tray_app.ui.search_copies import SearchCopies
from tray_app.ui.search_frame import DOUBT, NOTHING, RECENT, RESULTS, SearchFrame
from tray_app.ui.search_keys import SearchKeys


class SearchWindow(SearchFrame):
    """`present`, `toggle` and `dismiss` are what the tray and the hotkey call; `index_changed` and `set_progress` what the
    indexer's signals are connected to."""

    healthRequested = Signal()
    settingsRequested = Signal()
    dismissed = Signal()

    def __init__(
        self,
        backend: Backend,
        state: State | None = None,
        settings: Settings | None = None,
        *,
        composited: bool | None = None,
    ) -> None:
        super().__init__(backend, state, settings or Settings(), composited=composited)
        self.setWindowTitle("Backscroll")
        self.setWindowIcon(icons.app_icon())
        self._progress: Progress | None = None
        self._fault: AppError | None = None
        self._asked = ""
        """The question that the rows answer."""
        self.copies = SearchCopies(self, backend)
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
        self.empty.days.opened.connect(self._open_day)
        self.empty.days.left.connect(self.focus_query)
        self.pane.left.connect(self.leave_pane)
        self.pane.hit_wanted.connect(self._step_hit)
        self.foot.health_wanted.connect(self.healthRequested)
        self.overlay.closed.connect(self.focus_query)
        self.flow.answered.connect(self._answered)
        self.flow.emptied.connect(self._show_recent)
        self.flow.failed.connect(self._failed)
        self.flow.sessions_came.connect(self._sessions_came)
        self.flow.status_came.connect(self._status_came)

    # --- coming and going --------------------------------------------------------------------------------------------
    def present(self) -> None:
        """Show the window where the pointer is, with the keyboard in its field; what was typed is selected."""
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
        if answer.verdict == "unsure" and menu is not None and menu.sessions and (_is_asked(answer) or not answer.sessions):
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
        self.empty.show_status(status, self._progress)
        self._speak()

    # --- the one speaking line ---------------------------------------------------------------------------------------
    def _speak(self) -> None:
        answer, status = self.flow.answer, self.flow.status
        embedding = status.embedding if status is not None else None
        if self._fault is not None:
            self.notice.say("warn", wording.error_text(self._fault), color="warn")
        elif self.mode == RESULTS and answer is not None and _is_doubtful(answer):
            self.notice.say("question", wording.reason_text(answer), color="text")
        elif embedding is not None and embedding.backend != "off" and embedding.state in ("failed", "refused", "offline"):
            words = self.tr("Words only: meaning cannot be searched just now.")
            self.notice.say("warn", words, color="warn", link=self.tr("Open settings"), action="settings")
        elif self.mode == NOTHING and answer is not None:
            facts = self._droppable()
            link = ""
            if facts is not None:
                drop = self.tr("Search all time") if facts.key == "time" else self.tr("Search without {filter}")
                link = drop.format(filter=facts.words)
            self.notice.say("question", wording.reason_text(answer), color="text", link=link, action="drop")
        elif self._progress is not None and (self.mode != RECENT or self.empty.shows_days):
            self.notice.say("refresh", self.tr("Still reading. What is in already can be found already."))
        else:
            self.notice.be_silent()

    def _droppable(self) -> ChipFacts | None:
        """The filter without which something might be found: the one set last, else the time that was understood."""
        facts = self.flow.chips()
        return facts[-1] if facts else None

    def _follow_notice(self, action: str) -> None:
        if action == "settings":
            self.settingsRequested.emit()
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

    def _open_day(self, agent: str, session: str) -> None:
        self.reading = True
        self.list.select_anchor(f"session:{session}")
        self.pane.show_hit(session, agent, "", (), 0, 0)
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

    def leave_pane(self) -> None:
        """←: back to the list."""
        if self._narrow:
            self.show_right(reading=False)
        self.focus_query()

    def _words(self, row: Row) -> tuple[str, ...]:
        if row.hit is not None:
            stood = (row.hit.text[start:end] for start, end in row.hit.marks)
            return tuple(dict.fromkeys((*stood, *row.hit.matched)))
        answer = self.flow.answer
        return answer.understood.words if answer is not None and self.mode == DOUBT else ()

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


def _is_asked(answer: Answer) -> bool:
    """A sentence that awaits one answer, told by its small words. A few key words are looked through instead: there the
    passages themselves say more than candidates, and the line above them says the doubt."""
    understood = answer.understood
    return len(understood.ignored) >= 2 or "?" in understood.query or "？" in understood.query


def _is_doubtful(answer: Answer) -> bool:
    """Passages are shown, but one should know why they may not be what was meant."""
    return answer.verdict == "unsure" or (answer.reason_code == "missing_words" and bool(answer.missing))
