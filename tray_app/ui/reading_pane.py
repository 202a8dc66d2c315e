"""The right-hand side: the conversation around the chosen passage, with its head, its hits, and a search inside.

Owns which window of which session is shown, and asks for it on a lane of its own. Copies and exports are the window's:
the pane only says that they are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from tray_app.errors import AppError
from tray_app.records import SessionView
from tray_app.service.backend import Backend
from tray_app.ui import i18n, icons, painting, theme, wording
from tray_app.ui.buttons import GlyphButton
from tray_app.ui.elided import ElidedLabel, Label
from tray_app.ui.find_bar import FindBar
from tray_app.ui.queries import Lane
from tray_app.ui.rows import detail_line, session_title
from tray_app.ui.text_layout import one_line
from tray_app.ui.transcript import EITHER_SIDE, Transcript

WINDOW = 2 * EITHER_SIDE + 1


class ReadingPane(QWidget):
    """Head of 60 px, find bar when wanted, transcript."""

    copy_wanted = Signal()
    chat_wanted = Signal()
    resume_wanted = Signal()
    card_wanted = Signal()
    export_wanted = Signal()
    text_copied = Signal(str)
    hit_wanted = Signal(int)
    """Previous (−1) or next (1) hit of this session."""
    left = Signal()

    def __init__(self, backend: Backend, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._backend = backend
        self._lane = Lane("read", self)
        self._whole = Lane("find", self)
        self.view: SessionView | None = None
        self._wanted: tuple[str, str, str] = ("", "", "")
        self._words: tuple[str, ...] = ()
        self.transcript = Transcript()
        self.find_bar = FindBar()
        self._head = _Head()
        self._said = Label("", "body", "text2", wrap=True)
        self._said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._said.setMargin(theme.current().px(40))
        self._pages = QStackedWidget()
        self._pages.addWidget(self.transcript)
        self._pages.addWidget(self._said)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self.find_bar)
        column.addWidget(self._pages, 1)
        self._head.copy.clicked.connect(self.copy_wanted)
        self._head.chat.clicked.connect(self.chat_wanted)
        self._head.resume.clicked.connect(self.resume_wanted)
        self._head.card.clicked.connect(self.card_wanted)
        self._head.export.clicked.connect(self.export_wanted)
        self._head.before.clicked.connect(lambda: self.hit_wanted.emit(-1))
        self._head.after.clicked.connect(lambda: self.hit_wanted.emit(1))
        self.transcript.copy_wanted.connect(self.text_copied)
        self.transcript.edge_reached.connect(self._extend)
        self.find_bar.looked_for.connect(self._look_for)
        self.find_bar.went.connect(self._go_to_found)
        self.find_bar.closed.connect(self._end_find)
        before: QWidget = self.transcript
        for button in (*self._head.buttons, self._head.before, self._head.after):
            QWidget.setTabOrder(before, button)
            before = button
        self.find_bar.hide()
        self.retranslate()

    # --- showing -----------------------------------------------------------------------------------------------------
    def show_hit(self, session: str, agent: str, message: str, words: Sequence[str], place: int, hits: int) -> None:
        """Show a session around a message ('' for its end), with words marked. `place` of `hits` (from 1; 0 of 0: none)."""
        self._words = tuple(words)
        self._head.set_hits(place, hits)
        same = self.view is not None and self.view.session == session and self._wanted[1] == agent
        if same and self._wanted == (session, agent, message):
            # The same passage again (the index grew, a word was typed): what is being read stays where it is.
            if self.find_bar.isHidden():
                self.transcript.set_words(self._words)
            return
        self._wanted = (session, agent, message)
        if same and self.find_bar.isHidden() and message:
            self.transcript.set_words(self._words)
            if self.transcript.set_hit(message):
                self._lane.drop()
                self._tell_place()
                return
        self.find_bar.hide()
        self._ask(session, agent, message)

    def return_to_hit(self) -> None:
        """Bring the hit back into view."""
        if self._wanted[2]:
            self.transcript.scroll_to(self._wanted[2])

    def clear(self) -> None:
        """Show nothing."""
        self._lane.drop()
        self._whole.drop()
        self._wanted = ("", "", "")
        self.view = None
        self.transcript.clear_session()
        self._head.show_view(None, "")
        self._say("")

    def close_lanes(self) -> None:
        self._lane.close()
        self._whole.close()

    def open_find(self) -> None:
        """Ctrl+F"""
        if self.view is not None:
            self.find_bar.open()

    def retranslate(self) -> None:
        self.transcript.setAccessibleName(self.tr("Conversation"))
        self._head.retranslate()
        self.find_bar.retranslate()
        if self.view is not None:
            self._tell_place()
            self.transcript.rebuild()

    def _ask(self, session: str, agent: str, message: str) -> None:
        def call() -> SessionView:
            if message:
                return self._backend.show(session, around=message, limit=WINDOW, agent=agent or None)
            return self._backend.show(session, first=0, limit=WINDOW, agent=agent or None)

        self._lane.ask(call, self._show, self._fail)

    def _show(self, view: SessionView) -> None:
        self.view = view
        self._pages.setCurrentWidget(self.transcript)
        self.transcript.show_session(view, self._wanted[2], self._words)
        self._tell_place()

    def _fail(self, fault: AppError) -> None:
        self.view = None
        self.transcript.clear_session()
        self._head.show_view(None, "")
        self._say(wording.error_text(fault))

    def _say(self, words: str) -> None:
        self._said.setText(words)
        self._pages.setCurrentWidget(self._said)

    def _tell_place(self) -> None:
        view = self.view
        if view is None:
            return
        message = self._wanted[2]
        place = next((one.index for one in view.messages if one.message_id == message), -1)
        partial = len(view.messages) < view.total
        where = (
            self.tr("message {place} of {total}").format(place=i18n.count(place + 1), total=i18n.count(view.total))
            if partial and place >= 0
            else wording.messages(view.total)
        )
        self._head.show_view(view, where)

    def _extend(self, first: int) -> None:
        view = self.view
        if view is None:
            return
        session, agent = view.session, self._wanted[1]

        def extended(found: SessionView) -> None:
            self.view = found
            self.transcript.show_window(found)

        self._lane.ask(
            lambda: self._backend.show(session, first=first, limit=WINDOW, agent=agent or None),
            extended,
            lambda _fault: self.transcript.edge_failed(),
        )

    # --- find inside -------------------------------------------------------------------------------------------------
    def _look_for(self, text: str) -> None:
        view = self.view
        wanted = text.strip().casefold()
        if view is None or not wanted:
            self._whole.drop()
            self.find_bar.set_found([])
            self.transcript.set_words(self._words)
            return
        session, agent, total = view.session, self._wanted[1], view.total

        def call() -> list[str]:
            whole = self._backend.show(session, first=0, limit=max(total, 1), agent=agent or None)
            return [message.message_id for message in whole.messages if wanted in message.text.casefold()]

        def found(ids: list[str]) -> None:
            self.transcript.set_words((text.strip(),))
            self.find_bar.set_found(ids)

        self._whole.ask(call, found, lambda _fault: self.find_bar.set_found([]))

    def _go_to_found(self, message: str) -> None:
        view = self.view
        if view is None:
            return
        words = (self.find_bar.text.strip(),)
        self.transcript.set_words(words)
        if self.transcript.set_hit(message):
            self._wanted = (view.session, self._wanted[1], message)
            self._tell_place()
            return
        before, self._words = self._words, words
        self._wanted = (view.session, self._wanted[1], message)

        def shown(found: SessionView) -> None:
            self._show(found)
            self._words = before

        agent = self._wanted[1]
        self._lane.ask(
            lambda: self._backend.show(view.session, around=message, limit=WINDOW, agent=agent or None), shown, self._fail
        )

    def _end_find(self) -> None:
        self._whole.drop()
        self.transcript.set_words(self._words)
        self.transcript.setFocus()

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Left:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), theme.current()["bg"])

    @property
    def head(self) -> _Head:
        return self._head


class _Head(QWidget):
    """Title and what it is at the left, what can be done with it at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFixedHeight(now.size("preview_head"))
        self._agent = ""
        self._place, self._hits = 0, 0
        self.title = ElidedLabel("", "title", "text")
        self.detail = ElidedLabel("", "detail", "text2")
        self.hits = Label("", "detail", "text2")
        self.copy = GlyphButton("copy")
        self.chat = GlyphButton("into-chat")
        self.resume = GlyphButton("resume")
        self.card = GlyphButton("card")
        self.export = GlyphButton("export")
        self.before = GlyphButton("chevron-up", size=20, glyph_size=12)
        self.after = GlyphButton("chevron-down", size=20, glyph_size=12)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(24), now.px(7), now.px(16), now.px(6))
        column.setSpacing(0)
        upper, lower = QHBoxLayout(), QHBoxLayout()
        upper.setSpacing(0)
        lower.setSpacing(now.px(4))
        upper.addWidget(self.title, 1)
        for button in self.buttons:
            upper.addWidget(button)
        lower.addSpacing(now.px(18))
        lower.addWidget(self.detail, 1)
        lower.addSpacing(now.px(8))
        for part in (self.hits, self.before, self.after):
            lower.addWidget(part)
        lower.addSpacing(now.px(4))
        column.addLayout(upper)
        column.addLayout(lower)
        self.show_view(None, "")

    @property
    def buttons(self) -> tuple[GlyphButton, ...]:
        return (self.copy, self.chat, self.resume, self.card, self.export)

    def show_view(self, view: SessionView | None, where: str) -> None:
        shown = view is not None
        for part in self.buttons:
            part.setVisible(shown)
        self._agent = view.agent if view is not None else ""
        self.title.setText(session_title(view.title) if view is not None else "")
        if view is not None:
            what = [detail_line(view.agent, view.project, i18n.day_and_clock(i18n.local(view.start))), where]
            if view.gone:
                what.append(self.tr("source deleted"))
            self.detail.setText(" · ".join(part for part in what if part))
            self.resume.setEnabled(bool(one_line(view.resume_command)))
        else:
            self.detail.setText("")
        self._show_hits()
        self.update()

    def set_hits(self, place: int, hits: int) -> None:
        self._place, self._hits = place, hits
        self._show_hits()

    def retranslate(self) -> None:
        self.copy.set_name(self.tr("Copy with citation"), "Ctrl+C")
        self.chat.set_name(self.tr("Copy into the chat"), "Ctrl+Enter")
        self.resume.set_name(self.tr("Copy the resume command"), "Ctrl+R")
        self.card.set_name(self.tr("Hand-over of this project"), "Ctrl+H")
        self.export.set_name(self.tr("Export the session as markdown"), "Ctrl+E")
        self.before.set_name(self.tr("Previous hit"))
        self.after.set_name(self.tr("Next hit"))
        self._show_hits()

    def _show_hits(self) -> None:
        shown = self._hits > 0 and bool(self._agent)
        self.hits.setText(self.tr("Hit {place} of {hits}").format(place=self._place, hits=self._hits))
        for part in (self.hits, self.before, self.after):
            part.setVisible(shown)
        self.before.setEnabled(self._place > 1)
        self.after.setEnabled(self._place < self._hits)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), now["bg"])
        painting.hairline(painter, 0, self.height() - 1, self.width(), now["line"])
        if self._agent:
            side = now.px(12)
            y = self.detail.geometry().center().y() + 1 - side / 2
            icons.draw_mark(painter, self._agent, now.px(24), y, side, now["text2"])
