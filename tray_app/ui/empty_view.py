"""What stands at the right while the field is empty: the days, or how far reading is while there is little to show."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from tray_app.records import MenuDay, Progress, SessionItem, Status, TopicCard
from tray_app.ui import i18n, theme, wording
from tray_app.ui.days_view import DaysView, timeline, timeline_of_topics, topics
from tray_app.ui.elided import Label

FEW = 3
"""With fewer sessions than this the days say less than how far reading is."""


class EmptyView(QWidget):
    """Days, topics, or a few sentences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.days = DaysView()
        self._head = Label("", "title", "text")
        self._more = Label("", "body", "text2", wrap=True)
        words = QWidget()
        column = QVBoxLayout(words)
        now = theme.current()
        column.setContentsMargins(now.px(24), now.px(40), now.px(40), now.px(24))
        column.setSpacing(now.px(8))
        column.addWidget(self._head)
        column.addWidget(self._more)
        column.addStretch(1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.days)
        self._pages.addWidget(words)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._pages)
        self._items: Sequence[SessionItem] = ()
        self._topics: Sequence[MenuDay] | None = None
        self._cards: Sequence[TopicCard] | None = None
        self._status: Status | None = None
        self._progress: Progress | None = None
        self.retranslate()

    @property
    def words(self) -> QLabel:
        """The sentence that is shown in place of the days."""
        return self._more

    @property
    def shows_days(self) -> bool:
        return self._pages.currentWidget() is self.days

    def show_sessions(self, items: Sequence[SessionItem]) -> None:
        """The timeline of these sessions."""
        self._items, self._topics = items, None
        self._redraw()

    def set_cards(self, cards: Sequence[TopicCard] | None) -> None:
        """What the latest days were about; none: their sessions stand there instead. None: not known yet, and nothing
        stands there that would have to make way."""
        self._cards = cards
        if self._topics is None:
            self._redraw()

    def show_topics(self, days: Sequence[MenuDay]) -> None:
        """What was talked about on these days."""
        self._topics = days
        self._redraw()

    def show_status(self, status: Status | None, progress: Progress | None) -> None:
        """How far reading is."""
        self._status, self._progress = status, progress
        if self._topics is None and len(self._items) < FEW:
            self._redraw()

    def retranslate(self) -> None:
        self.days.setAccessibleName(self.tr("What was talked about, by day"))
        self._redraw()

    def _redraw(self) -> None:
        if self._topics is not None:
            self.days.show_rows(topics(self._topics, self.tr("What was talked about then")))
            self._pages.setCurrentWidget(self.days)
            return
        if len(self._items) >= FEW:
            title = self.tr("By day")
            if self._cards is None:
                self.days.show_rows([])
            else:
                self.days.show_rows(timeline_of_topics(self._cards, title) or timeline(self._items, title))
            self._pages.setCurrentWidget(self.days)
            return
        progress, status = self._progress, self._status
        if progress is not None and progress.total:
            self._head.setText(self.tr("Still reading"))
            left = i18n.time_left(progress.eta_s)
            self._more.setText(wording.of(progress.done, progress.total) + (f" · {left}" if left else ""))
        elif progress is not None:
            self._head.setText(self.tr("Still reading"))
            self._more.setText(self.tr("%Ln sessions so far", "", progress.sessions))
        elif status is not None and not any(source.enabled for source in status.sources):
            self._head.setText(self.tr("No source is on"))
            self._more.setText(self.tr("Turn one on in the settings, under Sources. Only what is turned on is read."))
        elif status is not None and not self._items:
            self._head.setText(self.tr("Nothing has been read yet"))
            self._more.setText(self.tr("Sessions appear here as soon as an agent has written one."))
        else:
            self._head.setText("")
            self._more.setText("")
        self._pages.setCurrentIndex(1)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), theme.current()["bg"])

    def enter(self) -> bool:
        """Take the keyboard."""
        return self.shows_days and self._topics is None and self.days.enter()
