"""Topic cards: what each local day was about, kept in the library and made anew only for days whose talk changed.

Owns which moments are a day, when a card is out of date, and how many are made at a time. A card is asked for while the index
may be written: then what is missing is made in memory, and kept after the next pass by the one who writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date, datetime, timedelta, tzinfo

import msgspec
import numpy as np
from numpy.typing import NDArray

from tray_app.desktop.keys import key_for
from tray_app.errors import KnownError
from tray_app.insight.chat import chat_host, complete
from tray_app.insight.topic_chat import PARTS, card_named, question
from tray_app.insight.topic_words import Part, card_of, parts_of_day, tokens_of
from tray_app.library import topics as kept
from tray_app.library.connection import Connection
from tray_app.library.reading import Reader
from tray_app.library.store import Store
from tray_app.library.topics import Card, Talk
from tray_app.records import TopicCard
from tray_app.settings import Settings
from tray_app.text.dates import day_start

WORDS = "words"
CHATS = ("ollama", "openai")
RULES = 1
"""Raise it when the rules by which cards are made change: all are made anew then."""
MESSAGES, CHARS = 200, 2_000
"""Messages of a day that are looked at, and code points of each."""
ASKED_S = 0.15
"""How long a question for cards may spend on making those that are missing; the rest come after the next pass."""
PASS_S = 3.0
"""The same after a pass; the rest after the next one."""
NAMED_AT_ONCE, NAMED_DAYS = 5, 30
"""Days that a chat model is asked about at a time, and of how many days with talk, the newest."""
GROWN = 1.5
"""Today is named anew when it has so many times the rounds it had."""
REPEATED = 3
"""Sessions in which the person puts the same words before a question."""
REMEMBERED = 64

_DAY_MS = 86_400_000
_MIX = np.uint64(0x9E3779B97F4A7C15)


class DayTalk(msgspec.Struct, frozen=True):
    """The talk of a library by local day: `talk` in order of time, the rows of a day being first <= row < last, and its mark."""

    talk: Talk
    rows: dict[int, tuple[int, int]]
    marks: dict[int, str]

    @classmethod
    def none(cls) -> DayTalk:
        nothing = np.empty(0, np.int64)
        return cls(Talk(nothing, nothing, nothing, nothing, nothing), {}, {})


class TopicFault(msgspec.Struct, frozen=True):
    """Why the chat model named no topics when it was last asked; words did meanwhile. `code` as in `ServiceFault`."""

    code: str
    message: str
    hint: str = ""


class _Job(msgspec.Struct, frozen=True):
    """A day that the chat model is to name. `before`: mark and maker of the card that is kept of it."""

    day: int
    mark: str
    before: tuple[str, str]
    card: TopicCard
    parts: list[Part]


class Topics:
    """Answers for cards, and the keeping of them. One for all libraries; safe to call from several threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.fault: TopicFault | None = None
        self._made: dict[tuple[int, str], TopicCard] = {}

    @property
    def chat(self) -> str:
        """The chat model that names topics, with its back end; '' where none does."""
        kind, model = self.settings["topics.maker"], self.settings["topics.model"].strip()
        return f"{kind}:{model}" if kind in CHATS and model else ""

    @property
    def host(self) -> str:
        """Where the chat model is asked; '' where none is, or where what it is told stays on this machine."""
        kind, _, model = self.chat.partition(":")
        try:
            return chat_host(self.settings["topics.url"], model, kind) if kind else ""
        except KnownError:  # an address that cannot be used: nothing is sent to it
            return ""

    def newest(self, reader: Reader, zone: tzinfo, now: datetime, days: int) -> list[TopicCard]:
        """Cards of the last so many local days with talk, newest first. Where time runs out, days without any card are left
        out."""
        if self.settings["topics.maker"] == "off":
            return []
        cursor = reader.cursor
        found = day_talk(cursor, zone, now, most=max(days, 0))
        known = kept.cards(cursor, found.rows)
        ends = time.monotonic() + ASKED_S
        cards: list[TopicCard] = []
        for day in sorted(found.rows, reverse=True):
            card = known[day].card if day in known else None
            if card is None or known[day].mark != found.marks[day]:
                card = self._remembered(cursor, found, day, zone, make_it=not cards or time.monotonic() < ends) or card
            if card is not None and card.topics:
                cards.append(card)
        return cards

    def kept_days(self, reader: Reader) -> int:
        """Of how many days a card is kept."""
        if self.settings["topics.maker"] == "off":
            return 0
        return sum(bool(card.card.topics) for card in kept.cards(reader.cursor).values())

    def _remembered(self, cursor: Connection, found: DayTalk, day: int, zone: tzinfo, *, make_it: bool) -> TopicCard | None:
        key = (day, found.marks[day])
        card = self._made.get(key)
        if card is None and make_it:
            card, _ = make(cursor, found, day, zone)
            if len(self._made) >= REMEMBERED:
                self._made.clear()
            self._made[key] = card
        return card

    def refresh(self, store: Store, zone: tzinfo, now: datetime, stop: Callable[[], bool], seconds: float = PASS_S) -> int:
        """Bring the cards that are kept in line with the talk, newest day first; gives how many days wait for the next time. For
        the one who writes, after a pass. A card by a chat model that is out of date gives way to one of words, save today's."""
        known = kept.marks(store.cursor)
        if self.settings["topics.maker"] == "off":
            found, gone, waiting = DayTalk.none(), list(known), []
        else:
            found, chat = day_talk(store.cursor, zone, now), self.chat
            today = now.astimezone(zone).date().toordinal()

            def holds(day: int) -> bool:
                mark, maker = known.get(day, ("", "?"))
                return maker in (WORDS, chat) and (mark == found.marks[day] or (maker != WORDS and day == today))

            gone = [day for day in known if day not in found.rows]
            waiting = sorted((day for day in found.rows if not holds(day)), reverse=True)
        if not gone and not waiting:
            return 0
        ends = time.monotonic() + seconds
        made: list[Card] = []
        while waiting and time.monotonic() < ends and not stop():
            day = waiting.pop(0)
            made.append(Card(day, found.marks[day], WORDS, make(store.cursor, found, day, zone)[0]))
        with store.transaction():
            kept.remove_cards(store.cursor, [*gone, *(day for day in waiting if day in known)])
            kept.replace_cards(store.cursor, made)
        return len(waiting)

    def name(
        self,
        reading: Callable[[], AbstractContextManager[Reader]],
        writing: Callable[[], AbstractContextManager[Store]],
        zone: tzinfo,
        now: datetime,
        stop: Callable[[], bool],
        ask: Callable[..., str] = complete,
    ) -> int:
        """Let the chat model that is set name the newest days with a card that it has not named yet, at most `NAMED_AT_ONCE`; gives how many it
        did. Asks without holding anything: `reading` and `writing` are entered for moments. Never raises for what the service
        does: that is `fault`, and words stay."""
        chat = self.chat
        if not chat:
            self.fault = None
            return 0
        kind, model = chat.split(":", 1)
        with reading() as reader:
            jobs = self._jobs(reader.cursor, zone, now, chat)
        done = 0
        for job in jobs:
            if stop():
                break
            try:
                host = chat_host(self.settings["topics.url"], model, kind)
                key = key_for("topics", host).value if host else ""
                answer = ask(question(job.parts), model=model, url=self.settings["topics.url"], key=key, kind=kind)
            except KnownError as fault:
                self.fault = TopicFault(fault.code, fault.message, fault.hint)
                break
            self.fault = None
            card = card_named(job.card, job.parts, answer, model) or job.card  # not asked again for the same talk
            if stop():
                break
            with writing() as store, store.transaction():
                if kept.marks(store.cursor).get(job.day) == job.before:  # else the talk is another now, or was forgotten
                    kept.replace_cards(store.cursor, [Card(job.day, job.mark, chat, card)])
            done += 1
        return done

    def _jobs(self, cursor: Connection, zone: tzinfo, now: datetime, chat: str) -> list[_Job]:
        found = day_talk(cursor, zone, now, most=NAMED_DAYS)
        known = kept.cards(cursor, found.rows)
        jobs: list[_Job] = []
        for day in sorted(found.rows, reverse=True):
            before = known.get(day)
            if len(jobs) == NAMED_AT_ONCE:
                break
            if before is None or (before.maker == chat and before.mark == found.marks[day]):
                continue
            card, parts = make(cursor, found, day, zone)
            if card.topics and (before.maker != chat or card.rounds >= GROWN * before.card.rounds):
                parts.sort(key=lambda part: -len(part.rounds))
                jobs.append(_Job(day, found.marks[day], (before.mark, before.maker), card, parts[:PARTS]))
        return jobs


def make(cursor: Connection, found: DayTalk, day: int, zone: tzinfo) -> tuple[TopicCard, list[Part]]:
    """The card of one day, by words, and what it was made of."""
    first, last = found.rows[day]
    talk = found.talk
    rounds: dict[tuple[int, int], int] = {}
    for session, seq, moment in zip(
        talk.session[first:last].tolist(), talk.round[first:last].tolist(), talk.time[first:last].tolist(), strict=True
    ):
        rounds.setdefault((session, seq), moment)
    said = kept.said(cursor, talk.id[first:last].tolist(), MESSAGES, CHARS)
    parents = kept.parents(cursor)
    sessions = {session for session, _ in rounds}
    speakers = kept.speakers(cursor, sessions | {parents[one] for one in sessions if one in parents})
    parts = parts_of_day(
        date.fromordinal(day),
        zone,
        [(session, seq, moment) for (session, seq), moment in rounds.items()],
        said,
        speakers,
        parents,
    )
    rarity = kept.rarity(cursor, tokens_of(parts))
    card = card_of(date.fromordinal(day), parts, rarity, lambda tokens: kept.sessions_with(cursor, tokens) >= REPEATED)
    return card, parts


def day_talk(cursor: Connection, zone: tzinfo, now: datetime, most: int | None = None) -> DayTalk:
    """The talk up to the end of today, by local day, of the newest so many days (None: of all). Days that have not come yet are
    a clock's mistake."""
    end = day_start(now.astimezone(zone).date() + timedelta(days=1), zone)
    talk = kept.talk(cursor, until=int(end.timestamp() * 1000))
    if not len(talk.time) or most == 0:
        return DayTalk(talk, {}, {})
    begins, ordinals = midnights(talk.time, zone)
    place = np.searchsorted(begins, talk.time, side="right") - 1
    firsts = np.flatnonzero(np.diff(place, prepend=-1))
    if most is not None and most < len(firsts):
        start = int(firsts[-most])
        talk = Talk(talk.id[start:], talk.session[start:], talk.round[start:], talk.time[start:], talk.size[start:])
        place, firsts = place[start:], firsts[-most:] - start
    lasts = [*firsts[1:].tolist(), len(place)]
    days = [ordinals[number] for number in place[firsts].tolist()]
    sums = np.add.reduceat(_hashes(cursor, talk), firsts)
    rows = dict(zip(days, zip(firsts.tolist(), lasts, strict=True), strict=True))
    marks = {day: f"{RULES}-{total:016x}-{rows[day][1] - rows[day][0]}" for day, total in zip(days, sums.tolist(), strict=True)}
    return DayTalk(talk, rows, marks)


def midnights(times: NDArray[np.int64], zone: tzinfo) -> tuple[NDArray[np.int64], list[int]]:
    """When the local days begin that these moments (in order) may belong to, and which days these are."""
    epoch = date(1970, 1, 1).toordinal()
    utc_days = np.unique(times // _DAY_MS) + epoch
    wanted = sorted({int(day) + more for day in utc_days.tolist() for more in (-1, 0, 1)})
    begins = [int(day_start(date.fromordinal(day), zone).timestamp() * 1000) for day in wanted]
    return np.array(begins, np.int64), wanted


def _hashes(cursor: Connection, talk: Talk) -> NDArray[np.uint64]:
    """One number a passage, of which session, round, moment and size it is; the same in any library."""
    sessions, place = np.unique(talk.session, return_inverse=True)
    speakers = kept.speakers(cursor, sessions.tolist())
    marks = np.array([speakers[number].mark if number in speakers else 0 for number in sessions.tolist()], np.uint64)
    mixed = marks[place]
    for column in (talk.round, talk.time, talk.size):
        mixed = (mixed ^ column.astype(np.uint64)) * _MIX
        mixed ^= mixed >> np.uint64(29)
    return mixed
