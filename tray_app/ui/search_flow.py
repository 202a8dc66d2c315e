"""What the search window asks, and when: the question, its filters, the waiting after a key, stale answers.

Owns no widget. The window sets the question and shows what is emitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from tray_app.records import Answer, SearchRequest, SessionItem, Status
from tray_app.service.backend import Backend
from tray_app.ui import i18n, wording
from tray_app.ui.chip_row import ChipFacts
from tray_app.ui.queries import Lane
from tray_app.ui.text_layout import one_line

TYPING_MS = 80
"""After the last key, before a question is asked."""
SESSIONS = 200
"""Of the latest sessions so many are known for the empty window and the filters' menu."""
FILTERS = ("agent", "project", "role", "since")


class SearchFlow(QObject):
    """One question at a time. `answered` is never an answer to an older question."""

    answered = Signal(object)
    emptied = Signal()
    failed = Signal(object)
    sessions_came = Signal(object)
    status_came = Signal(object)

    def __init__(self, backend: Backend, limit: Callable[[], int], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._backend, self._limit = backend, limit
        self.text = ""
        self.filters: dict[str, str] = {}
        self.ignore_time = False
        self.answer: Answer | None = None
        self.sessions: list[SessionItem] = []
        self.status: Status | None = None
        self._search = Lane("search", self)
        self._listing = Lane("sessions", self)
        self._stating = Lane("status", self)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self.ask)

    @property
    def empty(self) -> bool:
        """There is no question."""
        return not self.text.strip()

    def set_text(self, text: str) -> None:
        """The field's text is another one. Asked after a moment without keys; at once when it is empty."""
        if text == self.text:
            return
        self.text = text
        if self.empty:
            self._typing.stop()
            self._search.drop()
            self.ignore_time = False
            self.answer = None
            self.emptied.emit()
        else:
            self._typing.start()

    def set_filter(self, key: str, value: str) -> None:
        self.filters[key] = value
        self.ask()

    def without(self, facts: ChipFacts) -> str | None:
        """Take out what a chip says. Returns the text the field should have, None where it stays."""
        if facts.origin == "filter":
            self.filters.pop("since" if facts.key == "time" else facts.key, None)
        elif facts.origin == "query":
            return self._without_operator(facts.key)
        else:
            time = self.answer.understood.time if self.answer is not None else None
            if time is not None and time.hard and time.words and time.words in self.text:
                return " ".join(self.text.replace(time.words, " ").split())
            self.ignore_time = True
        self.ask()
        return None

    def clear(self) -> None:
        """No question, no filters."""
        self.filters = {}
        self.ignore_time = False
        self.set_text("")

    def ask(self) -> None:
        """Ask now what stands there."""
        self._typing.stop()
        if self.empty:
            self.emptied.emit()
            return
        request = self.request()
        self._search.ask(lambda: self._backend.search(request), self._answered, self.failed.emit)

    def look_further(self) -> None:
        """Ask again without the time that was understood and without filters."""
        self.filters = {}
        self.ignore_time = True
        self.ask()

    def request(self) -> SearchRequest:
        """The question as it stands."""
        fields: dict[str, Any] = {key: self.filters[key] for key in FILTERS if key in self.filters}
        return SearchRequest(query=self.text, limit=self._limit(), ignore_time=self.ignore_time, **fields)

    def refresh(self) -> None:
        """Ask for the latest sessions and the status."""
        self._listing.ask(lambda: self._backend.sessions(limit=SESSIONS), self._listed, self.failed.emit)
        self.refresh_status()

    def refresh_status(self) -> None:
        self._stating.ask(self._backend.status, self._stated, self.failed.emit)

    def close(self) -> None:
        self._typing.stop()
        for lane in (self._search, self._listing, self._stating):
            lane.close()

    def chips(self) -> list[ChipFacts]:
        """What was understood, and the filters that are set."""
        made: list[ChipFacts] = []
        understood = self.answer.understood if self.answer is not None and not self.empty else None
        time = understood.time if understood is not None else None
        if time is not None and "since" not in self.filters and (time.first_day or time.last_day or time.words):
            words = one_line(time.words)
            days = i18n.day_range(time.first_day, time.last_day)
            made.append(
                ChipFacts("time", words[:1].upper() + words[1:] if words else days, days if words else "", origin="understood")
            )
        if understood is not None:
            for key, value in understood.filters.items():
                if key not in self.filters:
                    made.append(ChipFacts(key, wording.filter_value(key, one_line(value)), value=value, origin="query"))
        for key, value in self.filters.items():
            if key == "since":
                made.append(ChipFacts("time", i18n.day_range(value, None), value=value))
            else:
                made.append(ChipFacts(key, wording.filter_value(key, one_line(value)), value=value))
        return made

    def agents(self) -> list[str]:
        """Agents that have sessions, in the order of their latest."""
        return list(dict.fromkeys(item.agent for item in self.sessions))

    def projects(self) -> list[str]:
        """The projects of the latest sessions, at most twenty."""
        return list(dict.fromkeys(item.project for item in self.sessions if item.project))[:20]

    def _without_operator(self, key: str) -> str:
        pattern = rf'(?<!\S)-?{re.escape(key)}:(?:"[^"]*"|\S+)'
        return " ".join(re.sub(pattern, " ", self.text, flags=re.IGNORECASE).split())

    def _answered(self, answer: Answer) -> None:
        self.answer = answer
        self.answered.emit(answer)

    def _listed(self, items: list[SessionItem]) -> None:
        self.sessions = items
        self.sessions_came.emit(items)

    def _stated(self, status: Status) -> None:
        self.status = status
        self.status_came.emit(status)
