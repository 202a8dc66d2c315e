"""Candidates into what a front end shows: hits by session, marks, snippets, dates, anchors, the numbered menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from tray_app.clock import iso
from tray_app.library.reading import Reader
from tray_app.library.rows import SessionRow
from tray_app.recall.candidates import Candidate
from tray_app.records import FallbackMenu, Hit, MenuSession, SessionHits
from tray_app.sources.base import Session
from tray_app.text.dates import date_text, human_age, local_day
from tray_app.text.snippet import find_marks, snippet

RECENT_DAYS = 7
SNIPPET = 240
PREVIEW = 80
JOINT = "\n\n"


def session_facts(row: SessionRow) -> Session:
    """A stored session as its adapter knows sessions, for the resume command."""
    return Session(
        id=row.native, cwd=row.cwd, title=row.title, start=row.start, end=row.end, kind=row.kind, parent=row.parent,
        archived=row.archived,
    )  # fmt: skip


class Composer:
    """Builds the answer's parts for one question asked at `now`."""

    def __init__(
        self,
        reader: Reader,
        now: datetime,
        words: Sequence[str],
        resume_command: Callable[[str, Session], str],
        max_sessions: int,
    ) -> None:
        self.reader, self.now, self.words = reader, now, frozenset(words)
        self.resume_command, self.max_sessions = resume_command, max_sessions

    def sessions(self, hits: Sequence[Candidate], timed: bool) -> tuple[SessionHits, ...]:
        """Hits grouped by session, best session first, ranks counted over all. `timed`: a time was understood."""
        elsewhere = self._elsewhere(hits)
        wanted = {candidate.chunk.session_id for candidate in hits}
        wanted |= {number for candidate in hits for number, _ in candidate.duplicates}
        wanted |= {number for places in elsewhere.values() for number in places}
        rows = self.reader.sessions(wanted)
        paths = self.reader.paths({candidate.chunk.session_id for candidate in hits})
        grouped: dict[int, list[Hit]] = {}
        rank = 0
        for candidate in hits:
            number = candidate.chunk.session_id
            if number not in rows or (self.max_sessions and number not in grouped and len(grouped) >= self.max_sessions):
                continue
            rank += 1
            grouped.setdefault(number, []).append(
                self._hit(rank, candidate, rows, elsewhere.get(candidate.chunk.id, []), paths.get(number, ""), timed)
            )
        return tuple(self._session(rows[number], group) for number, group in grouped.items())

    def _elsewhere(self, hits: Sequence[Candidate]) -> dict[int, list[int]]:
        """Sessions that hold copies of a hit's messages, by chunk id."""
        copies = self.reader.copies_of({message.id for candidate in hits for message in candidate.messages})
        places: dict[int, list[int]] = {}
        for candidate in hits:
            found = dict.fromkeys(number for message in candidate.messages for number in copies.get(message.id, []))
            places[candidate.chunk.id] = [number for number in found if number != candidate.chunk.session_id]
        return places

    def _session(self, row: SessionRow, hits: list[Hit]) -> SessionHits:
        zone = self.now.tzinfo or UTC
        return SessionHits(
            session=row.native, agent=row.agent, workspace=row.cwd, project=row.project, title=row.title,
            start=iso(row.start), end=iso(row.end), start_date_text=date_text(row.start, zone) if row.start else "",
            end_date_text=date_text(row.end, zone) if row.end else "", score=hits[0].score,
            resume_command=self.resume_command(row.agent, session_facts(row)), hits=tuple(hits), kind=row.kind,
            parent=row.parent, gone=row.gone, messages=row.messages,
        )  # fmt: skip

    def _hit(
        self,
        rank: int,
        candidate: Candidate,
        rows: dict[int, SessionRow],
        elsewhere: Sequence[int],
        path: str,
        timed: bool,
    ) -> Hit:
        texts = candidate.texts()
        text = JOINT.join(texts)
        marks = find_marks(text, self.words) if self.words else []
        best = self._best(texts, marks)
        cut, cut_marks = snippet(text, _preferring(marks, texts, best), SNIPPET)
        message = next(m for m in candidate.messages if m.id == candidate.chunk.pieces[best][0])
        time = message.time or candidate.chunk.time
        zone = self.now.tzinfo or UTC
        age = (local_day(int(self.now.timestamp() * 1000), zone) - local_day(time, zone)).days if time else 0
        also = [number for number in dict.fromkeys([*elsewhere, *(n for n, _ in candidate.duplicates)]) if number in rows]
        return Hit(
            rank=rank, score=round(candidate.score, 6), time=iso(time), date_text=date_text(time, zone) if time else "",
            date_human=human_age(age) if time else "", age_days=age, is_recent=bool(time) and 0 <= age <= RECENT_DAYS,
            role=message.role, kind=candidate.chunk.kind, message_id=message.native,
            message_ids=tuple(dict.fromkeys(m.native for m in candidate.messages)), seq=message.seq, text=text,
            marks=tuple(marks), snippet=cut, snippet_marks=tuple(cut_marks),
            matched=tuple(dict.fromkeys(text[start:end] for start, end in marks)), tool=message.tool,
            reasons=tuple(reason for reason, there in (("words", bool(marks)), ("date", timed and not candidate.outside)) if there),
            path=path, offset=message.offset, duplicate_count=len(also),
            duplicate_times=tuple(filter(None, (iso(time) for _, time in candidate.duplicates))),
            duplicate_sessions=tuple(rows[number].native for number in also), outside_time=timed and candidate.outside,
        )  # fmt: skip

    def _best(self, texts: Sequence[str], marks: Sequence[tuple[int, int]]) -> int:
        """Index of the piece that holds most different words; of equals, what was said and not merely repeated."""
        whole = JOINT.join(texts)
        held: list[set[str]] = []
        at = 0
        for text in texts:
            held.append({whole[start:end].casefold() for start, end in marks if at <= start < at + len(text)})
            at += len(text) + len(JOINT)
        return max(range(len(texts)), key=lambda piece: (len(held[piece]), -piece))

    def menu(self, question: str, sessions: Sequence[SessionHits], most: int) -> FallbackMenu:
        """Numbered candidates: one a session, best first."""
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
        return FallbackMenu(question=question, sessions=tuple(entries))


def _preferring(marks: list[tuple[int, int]], texts: Sequence[str], best: int) -> list[tuple[int, int]]:
    """Marks of the best piece alone, so that the snippet comes from the message the hit names."""
    start = sum(len(text) + len(JOINT) for text in texts[:best])
    inside = [mark for mark in marks if start <= mark[0] < start + len(texts[best])]
    return inside or marks
