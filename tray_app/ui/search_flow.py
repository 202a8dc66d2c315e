"""What the search window asks, and when: the question, its filters, the waiting after a key, stale answers.

Owns no widget. The window sets the question and shows what is emitted.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from tray_app.errors import AppError
from tray_app.records import Answer, Embedding, SearchRequest, SessionItem, Status, TimeRange, TopicCard
from tray_app.service.backend import Backend
from tray_app.ui import i18n, wording
from tray_app.ui.chip_row import ChipFacts
from tray_app.ui.queries import Lane
from tray_app.ui.text_layout import one_line

log = logging.getLogger(__name__)

TYPING_MS = 80
"""After the last key, before a question is asked."""
SESSIONS = 200
"""Of the latest sessions so many are known for the empty window and the filters' menu."""
LATE_MS = 700
"""After an answer that meaning was too late for: its vector is there by then, and kept for when the same is asked again."""
FILLING_MS, WAITING_MS = 2_000, 10_000
"""So long after a status the next one is asked for, while the window is open and meaning has something to do."""
TOPIC_DAYS = 14
TOPICS_REST_S = 60.0
"""While the index grows, the days' topics are asked for at most this often."""
FILTERS = ("agent", "project", "role", "since")


class SearchFlow(QObject):
    """One question at a time. `answered` is never an answer to an older question."""

    answered = Signal(object)
    emptied = Signal()
    failed = Signal(object)
    sessions_came = Signal(object)
    status_came = Signal(object)
    topics_came = Signal(object)
    late = Signal()
    """Meaning took too long for the answer that is shown, and would take part by now."""

    def __init__(self, backend: Backend, limit: Callable[[], int], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._backend, self._limit = backend, limit
        self.text = ""
        self.filters: dict[str, str] = {}
        self.ignore_time = False
        self.answer: Answer | None = None
        self.sessions: list[SessionItem] = []
        self.status: Status | None = None
        self.topics: list[TopicCard] | None = None
        """What the latest days were about; None until it is known."""
        self.explaining = False
        """Answers say why each passage is there."""
        self._topics_old = True
        self._topics_asked = float("-inf")
        self._search = Lane("search", self)
        self._listing = Lane("sessions", self)
        self._stating = Lane("status", self)
        self._telling = Lane("topics", self)
        self._looking = QTimer(self)
        self._looking.setSingleShot(True)
        self._looking.timeout.connect(self.refresh_status)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LATE_MS)
        self._late.timeout.connect(self.late)
        self._late_for = ""
        """The question that was asked again for it; once is enough."""
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
        self._late.stop()
        self._late_for = ""
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
        return SearchRequest(
            query=self.text, limit=self._limit(), ignore_time=self.ignore_time, explain=self.explaining, **fields
        )

    def explain(self, wanted: bool) -> None:
        """From now on answers say why each passage is there, or do not. Asks again where the last one did not say it."""
        self.explaining = wanted
        answer = self.answer
        if wanted and answer is not None and any(hit.explain is None for group in answer.sessions for hit in group.hits):
            self.ask()

    def refresh(self) -> None:
        """Ask for the latest sessions and the status."""
        self._listing.ask(lambda: self._backend.sessions(limit=SESSIONS), self._listed, self.failed.emit)
        self.refresh_status()

    def refresh_status(self) -> None:
        self._stating.ask(self._backend.status, self._stated, self.failed.emit)

    def topics_are_old(self) -> None:
        """The index is another one now, or the day is."""
        self._topics_old = True

    def refresh_topics(self, *, at_once: bool = True) -> None:
        """Ask for the days' topics, where those that are known may not be true any more: the index is another one, or some
        time has passed (they are named in the background). Not `at_once`: only if some time has passed."""
        rested = time.monotonic() - self._topics_asked >= TOPICS_REST_S
        if not self._telling.busy and (rested or (at_once and self._topics_old)):
            self._topics_old, self._topics_asked = False, time.monotonic()
            self._telling.ask(lambda: self._backend.topics(days=TOPIC_DAYS), self._told, self._not_told)

    def look_again(self, embedding: Embedding) -> None:
        """While the library is worked through for meaning, ask for the status now and then: no pass tells of it."""
        if embedding.backend != "off" and (embedding.state in ("filling", "waiting") or embedding.missing):
            self._looking.start(FILLING_MS if embedding.state == "filling" else WAITING_MS)

    def close(self) -> None:
        self._typing.stop()
        self._looking.stop()
        self._late.stop()
        for lane in (self._search, self._listing, self._stating, self._telling):
            lane.close()

    def chips(self) -> list[ChipFacts]:
        """What was understood, and the filters that are set."""
        made: list[ChipFacts] = []
        understood = self.answer.understood if self.answer is not None and not self.empty else None
        time = understood.time if understood is not None else None
        if time is not None and "since" not in self.filters and (time.first_day or time.last_day or time.words):
            words = one_line(time.words)
            days = range_days(time)
            said = words[:1].upper() + words[1:] if words and not (time.hard and days) else ""
            made.append(ChipFacts("time", said or days, days if said else "", origin="understood"))
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
        if answer.meaning == "late" and self._late_for != self.text:
            self._late_for = self.text
            self._late.start()
        if self.status is not None and self.status.embedding.backend != "off":
            # The foot should not say another thing than the answer does.
            known = self.status.embedding.state in ("waiting", "stopped")
            if known != answer.meaning.startswith("embedding_"):
                self.refresh_status()

    def _listed(self, items: list[SessionItem]) -> None:
        self.sessions = items
        self.sessions_came.emit(items)

    def _told(self, cards: list[TopicCard]) -> None:
        self.topics = cards
        self.topics_came.emit(cards)

    def _not_told(self, fault: AppError) -> None:
        log.info("no topics: %s", fault.code)
        self._topics_old = True
        if self.topics is None:
            self._told([])

    def _stated(self, status: Status) -> None:
        self.status = status
        self.status_came.emit(status)


def range_days(time: TimeRange) -> str:
    """The days of a range that was understood, with hours where it is a part of a day."""
    return i18n.time_range(time.first_day, time.last_day, time.start, time.end)
