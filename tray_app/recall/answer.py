"""Candidates into what a front end shows: hits by session, marks, snippets, dates, anchors, the numbered menu."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime

from tray_app.clock import iso
from tray_app.library.reading import Reader
from tray_app.library.rows import COPY_MARK, SessionRow
from tray_app.recall.candidates import JOINT, Candidate
from tray_app.recall.fusion import KIND_WEIGHTS
from tray_app.recall.words import Terms, holding
from tray_app.records import Explanation, FallbackMenu, Hit, MenuDay, MenuSession, SessionHits
from tray_app.sources.base import Session
from tray_app.text.dates import date_text, human_age, local_day
from tray_app.text.snippet import find_marks, snippet

RECENT_DAYS = 7
MENU_DAYS = 3
SNIPPET = 150
"""Columns of a snippet: what three lines of a list show, so that the words found stand in them. Wide characters take two."""
PREVIEW = 80
MEANT_LEAST = 0.5
"""From this share of the nearest on, meaning is given as a reason."""
SCORE_STEP = 1e-6
"""Hits that follow each other differ by at least so much."""


def session_facts(row: SessionRow) -> Session:
    """A stored session as its adapter knows sessions, for the resume command."""
    return Session(
        id=row.native.partition(COPY_MARK)[0], cwd=row.cwd, title=row.title, start=row.start, end=row.end, kind=row.kind, parent=row.parent,
        archived=row.archived,
    )  # fmt: skip


def parent_titles(reader: Reader, rows: Iterable[SessionRow]) -> dict[tuple[str, str], str]:
    """Titles of the sessions that sub-agents among these worked for, by agent and native id."""
    return reader.titles((row.agent, row.parent) for row in rows if row.kind == "subagent" and row.parent)


class Composer:
    """Builds the answer's parts for one question asked at `now`. `words` are marked where they stand. `terms`: each hit is explained
    by these."""

    def __init__(
        self,
        reader: Reader,
        now: datetime,
        words: frozenset[str],
        resume_command: Callable[[str, Session], str],
        terms: Terms | None = None,
    ) -> None:
        self.reader, self.now, self.words, self.resume_command, self.terms = reader, now, words, resume_command, terms
        self.zone = now.tzinfo or UTC
        self.titles: dict[int, str] = {}
        """Titles of the sessions met, by session id."""
        self.today = local_day(int(now.timestamp() * 1000), self.zone)

    def sessions(self, hits: Sequence[Candidate], timed: bool) -> tuple[SessionHits, ...]:
        """Hits (best first) grouped by session, best session first; ranks count over all, and scores fall with the rank.
        `timed`: a time was understood."""
        places = self._places(hits)
        wanted = {hit.session_id for hit in hits} | {number for also in places.values() for number, _ in also}
        rows = self.reader.sessions(wanted)
        self.titles = {number: row.title for number, (row, _) in rows.items()}
        hits = [hit for hit in hits if hit.session_id in rows]  # a session may leave while a question is answered
        grouped: dict[int, list[Hit]] = {}
        least = math.inf
        for rank, hit in enumerate(hits, 1):
            least = min(round(hit.score, 6), least - SCORE_STEP)
            grouped.setdefault(hit.session_id, []).append(self._hit(rank, least, hit, rows, places[hit.id], timed))
        above = parent_titles(self.reader, (rows[number][0] for number in grouped))
        return tuple(self._session(rows[number][0], group, above) for number, group in grouped.items())

    def _places(self, hits: Sequence[Candidate]) -> dict[int, list[tuple[int, int]]]:
        """Further sessions that hold what a hit says, with its time there: forks and resumes, and what was folded."""
        copies = self.reader.copies_of({message.id for hit in hits for message, _ in hit.parts})
        places: dict[int, list[tuple[int, int]]] = {}
        for hit in hits:
            also = [(number, message.time) for message, _ in hit.parts for number in copies.get(message.id, [])]
            by_session = {number: time for number, time in reversed([*also, *hit.duplicates]) if number != hit.session_id}
            places[hit.id] = sorted(by_session.items(), key=lambda place: (-place[1], -place[0]))
        return places

    def _session(self, row: SessionRow, hits: list[Hit], above: Mapping[tuple[str, str], str]) -> SessionHits:
        return SessionHits(
            session=row.native, agent=row.agent, workspace=row.cwd, project=row.project, title=row.title,
            start=iso(row.start), end=iso(row.end), start_date_text=date_text(row.start, self.zone),
            end_date_text=date_text(row.end, self.zone), score=hits[0].score,
            resume_command=self.resume_command(row.agent, session_facts(row)), hits=tuple(hits), kind=row.kind,
            parent=row.parent, parent_title=above.get((row.agent, row.parent), ""), gone=row.gone, messages=row.messages,
        )  # fmt: skip

    def _hit(
        self,
        rank: int,
        score: float,
        hit: Candidate,
        rows: Mapping[int, tuple[SessionRow, str]],
        places: Sequence[tuple[int, int]],
        timed: bool,
    ) -> Hit:
        text = hit.text
        marks = find_marks(text, self.words) if self.words else []
        ranges = _ranges(hit)
        best = _best(text, ranges, marks)
        message = hit.parts[best][0]
        start, end = ranges[best]
        inside = [mark for mark in marks if start <= mark[0] < end]
        cut, _ = snippet(text, inside or marks, _snippet_width(text, start, end))
        time = message.time or hit.time
        age = (self.today - local_day(time, self.zone)).days if time else 0
        also = [(rows[number][0].native, iso(moment) or "") for number, moment in places if number in rows]
        return Hit(
            rank=rank, score=round(score, 6), time=iso(time), date_text=date_text(time, self.zone),
            date_human=human_age(age) if time else "", age_days=age, is_recent=bool(time) and 0 <= age <= RECENT_DAYS,
            role=message.role, kind=hit.kind, message_id=message.native,
            message_ids=tuple(dict.fromkeys(message.native for message, _ in hit.parts)), seq=message.seq, text=text,
            marks=tuple(marks), snippet=cut, snippet_marks=tuple(find_marks(cut, self.words) if self.words else ()),
            matched=tuple(dict.fromkeys(text[start:end] for start, end in marks)), tool=message.tool,
            reasons=_reasons(hit, bool(marks), timed),
            path=rows[hit.session_id][1], offset=message.offset, duplicate_count=len(also),
            duplicate_times=tuple(moment for _, moment in also), duplicate_sessions=tuple(native for native, _ in also),
            outside_time=timed and hit.outside, restored_by_fill=hit.restored,
            explain=_explained(hit, text, self.terms, timed) if self.terms else None,
        )  # fmt: skip

    def menu(self, question: str, sessions: Sequence[SessionHits], most: int) -> FallbackMenu:
        """Numbered candidates, one a session, best first; and what the days were about that the first of them fall on."""
        entries = []
        for number, session in enumerate(sessions[:most], 1):
            hit = session.hits[0]
            preview = hit.snippet if len(hit.snippet) <= PREVIEW else hit.snippet[:PREVIEW].rstrip() + "…"
            entries.append(
                MenuSession(
                    index=number, label=f"{hit.date_text} · {preview}", session=session.session, agent=session.agent,
                    project=session.project, title=session.title, date_text=hit.date_text, preview=hit.snippet,
                    message_id=hit.message_id,
                )
            )  # fmt: skip
        days = dict.fromkeys(date.fromisoformat(entry.date_text).toordinal() for entry in entries if entry.date_text)
        chosen = list(days)[:MENU_DAYS]
        cards = self.reader.topic_cards(chosen) if chosen else {}
        about = tuple(
            MenuDay(
                day=card.day,
                date_text=card.date_text,
                topics=tuple(topic.label for topic in card.topics),
                sessions=card.sessions,
            )
            for card in (cards[day] for day in chosen if day in cards)
        )
        return FallbackMenu(question=question, sessions=tuple(entries), days=about)


def _reasons(hit: Candidate, words: bool, timed: bool) -> tuple[str, ...]:
    """Why a hit is shown, the strongest first where words are not."""
    meaning = hit.meaning_score >= MEANT_LEAST
    there = (("words", words), ("meaning", meaning), ("date", timed and hit.inside))
    return tuple(reason for reason, is_there in there if is_there)


def _explained(hit: Candidate, text: str, terms: Terms, timed: bool) -> Explanation:
    held = holding(terms.shown(), text)
    asked = [group.word for group in terms.asked if group.word in held]
    translated = [bridge.form for bridge in terms.bridges.standing(held) if bridge.foreign]
    return Explanation(
        words_rank=hit.words_rank, words_score=round(hit.words_score, 4), meaning_rank=hit.meaning_rank,
        meaning_score=round(hit.meaning_score, 4), similarity=round(hit.similarity, 4), neighbour=round(hit.neighbour, 4),
        kind_weight=KIND_WEIGHTS.get(hit.kind, 1.0), inside_time=timed and hit.inside,
        words=tuple(dict.fromkeys(asked)), translated=tuple(dict.fromkeys(translated)), quotes_question=hit.quotes,
    )  # fmt: skip


def _snippet_width(text: str, start: int, end: int) -> int:
    """Code points that fill the columns, by the share of wide characters in the part that is shown."""
    part = text[start:end][:2_000]
    wide = sum(character >= "\u2e80" for character in part) if not part.isascii() else 0
    return round(SNIPPET / (1 + wide / len(part))) if part else SNIPPET


def _ranges(hit: Candidate) -> list[tuple[int, int]]:
    """Where each part stands in the hit's text."""
    ranges = []
    at = 0
    for _, text in hit.parts:
        ranges.append((at, at + len(text)))
        at += len(text) + len(JOINT)
    return ranges


def _best(text: str, ranges: Sequence[tuple[int, int]], marks: Sequence[tuple[int, int]]) -> int:
    """Index of the part that holds most different words; of equals the first, which was said and not merely repeated."""
    held = [{text[first:last].casefold() for first, last in marks if start <= first < end} for start, end in ranges]
    return max(range(len(ranges)), key=lambda part: (len(held[part]), -part))
