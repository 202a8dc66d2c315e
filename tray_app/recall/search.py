"""One question, from the request to the answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo

from tray_app.clock import iso
from tray_app.library import postings
from tray_app.library.reading import Reader
from tray_app.recall import candidates as pool
from tray_app.recall.answer import Composer
from tray_app.recall.candidates import Candidate, Scope
from tray_app.recall.query import ParsedQuery, parse
from tray_app.recall.verdict import Verdict, judge, share
from tray_app.recall.words import Terms, find_terms
from tray_app.records import Answer, SearchRequest, TimeRange, Understood
from tray_app.sources.base import Session
from tray_app.text.segment import content_tokens, query_tokens, tokens
from tray_app.text.timeref import TimeRef, understand

MENU = 5
CHECKED = 5
"""Passages whose words are counted for the verdict."""


class Searcher:
    """Answers questions on one library. `resume_command` gives an agent's command for a session; `found_share` is the
    setting `search.found_share`."""

    def __init__(self, resume_command: Callable[[str, Session], str], found_share: Callable[[], float]) -> None:
        self.resume_command, self.found_share = resume_command, found_share

    def search(self, request: SearchRequest, reader: Reader, now: datetime, *, snapshot: str, indexing: bool) -> Answer:
        """The answer. `now` is aware and sets the zone in which days are meant."""
        started = time.perf_counter()
        zone = now.tzinfo or UTC
        parsed = parse(request, zone)
        ref = None if request.ignore_time else understand(parsed.text, now)
        text = _without(parsed.text, ref)
        words, ignored = content_tokens(text)
        words = list(dict.fromkeys(words + [word for phrase in parsed.phrases for word in query_tokens(phrase)]))
        understood = Understood(
            query=text, words=tuple(words), ignored=tuple(ignored), phrases=parsed.phrases, excluded=parsed.excluded,
            time=_range(parsed, ref, hard=not words, zone=zone), filters=dict(parsed.filters),
        )  # fmt: skip
        scope = pool.scope_of(parsed, reader, request.exclude_session)
        span = _span(ref)
        terms = Terms((), (), "none")
        verdict: Verdict | None = None
        found: list[Candidate] = []
        if scope.nothing:
            verdict = Verdict(
                "nothing", "filter_unknown", f"Nothing is known for {scope.nothing}:{parsed.filters[scope.nothing]}."
            )
        elif not words:
            found = self._recent(reader, scope, span, request.limit, asked=bool(ref or parsed.filters or parsed.bounds))
        else:
            terms = find_terms(reader.cursor, words)
            found = pool.by_words(reader, terms, scope, span)
            if span:
                found += pool.also_inside(found, reader, scope, span)
            found = pool.adjust(found, span, int(now.timestamp() * 1000))
            if request.fresh_first:
                found.sort(key=lambda candidate: (candidate.ahead, -candidate.chunk.time))
        hits = pool.unique(found, reader, parsed, request.limit, dedupe=request.dedupe)
        tier = terms.tier
        if words and not hits and not scope.nothing:
            hits = self._literally(text, parsed, reader, scope, request)
            tier = "substring" if hits else "none"
        composer = Composer(reader, now, words, self.resume_command, request.max_sessions)
        sessions = composer.sessions(hits, span is not None and bool(words))
        if verdict is None:
            verdict = self._judge(words, terms, tier, hits, reader, parsed)
        found_it = verdict.found and bool(hits)
        return Answer(
            found=found_it, verdict=verdict.word, reason=verdict.reason, reason_code=verdict.code, missing=terms.missing,
            engine="fts", tier=tier, understood=understood, snapshot=snapshot, sessions=sessions,
            hits=sum(len(session.hits) for session in sessions),
            fallback_menu=None if found_it or not sessions or not words else composer.menu(text, sessions, MENU),
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2), indexing=indexing,
        )  # fmt: skip

    def _recent(
        self, reader: Reader, scope: Scope, span: tuple[int, int] | None, limit: int, *, asked: bool
    ) -> list[Candidate]:
        """No words, only filters or a time: what lies there, newest first."""
        if not asked:
            return []
        condition = " and ".join(filter(None, [scope.condition, "c.time >= ? and c.time < ?" if span else ""])) or "true"
        ids = reader.latest_chunks(limit * 4, condition, (*scope.values, *(span or ())))
        chunks = reader.chunks(ids)
        return [Candidate(chunks[number], 1.0 - place / (len(ids) + 1)) for place, number in enumerate(ids) if number in chunks]

    def _literally(
        self, text: str, parsed: ParsedQuery, reader: Reader, scope: Scope, request: SearchRequest
    ) -> list[Candidate]:
        """The last tier: the question as a piece of text, wherever it stands."""
        wanted = (parsed.phrases[0] if parsed.phrases else text).strip()
        if len(wanted) < 2:
            return []
        ids = reader.containing(wanted, request.limit, scope.condition or "true", scope.values)
        chunks = reader.chunks(ids)
        found = [Candidate(chunks[number], 0.5 - place / 1e4) for place, number in enumerate(ids) if number in chunks]
        pool.fill(found, reader)
        held = [candidate for candidate in found if pool.fold(wanted) in pool.fold(candidate.text)]
        return pool.unique(held, reader, parsed, request.limit, dedupe=request.dedupe)

    def _judge(
        self, words: list[str], terms: Terms, tier: str, hits: list[Candidate], reader: Reader, parsed: ParsedQuery
    ) -> Verdict:
        if not hits:
            return self._nothing(words, reader, parsed)
        if not words:
            return Verdict("likely", "recent", "What was said there, newest first.")
        best = max(
            share(words, terms.groups, terms.statistics[0], set(tokens(candidate.text)) | _single(words, candidate.text))
            for candidate in hits[:CHECKED]
        )
        return judge(words, best, tier, terms.missing, self.found_share(), phrases=bool(parsed.phrases))

    def _nothing(self, words: list[str], reader: Reader, parsed: ParsedQuery) -> Verdict:
        if not postings.statistics(reader.cursor)[0]:
            return Verdict("nothing", "empty_index", "Nothing is indexed yet.")
        if parsed.excluded and not words:
            return Verdict("nothing", "excluded_all", "Only words to leave out were given.")
        if parsed.since is not None or parsed.until is not None:
            return Verdict("nothing", "nothing_in_time", "Nothing was said about it in that time.")
        if not words:
            return Verdict("nothing", "no_words", "There is no word to search for.")
        return Verdict("nothing", "nothing_matches", "None of these words was ever said here.")


def _single(words: list[str], text: str) -> set[str]:
    """One-character words stand anywhere in a run, not only where tokens are cut."""
    return {word for word in words if len(word) == 1 and word in text}


def _without(text: str, ref: TimeRef | None) -> str:
    if ref is None:
        return text
    return " ".join((text[: ref.span[0]] + " " + text[ref.span[1] :]).split())


def _span(ref: TimeRef | None) -> tuple[int, int] | None:
    if ref is None or (ref.start is None and ref.end is None):
        return None
    start = int(ref.start.timestamp() * 1000) if ref.start else 0
    end = int(ref.end.timestamp() * 1000) if ref.end else 1 << 53
    return start, end


def _range(parsed: ParsedQuery, ref: TimeRef | None, *, hard: bool, zone: tzinfo) -> TimeRange | None:
    if parsed.since is not None or parsed.until is not None:
        start = datetime.fromtimestamp(parsed.since / 1000, zone) if parsed.since is not None else None
        end = datetime.fromtimestamp(parsed.until / 1000, zone) if parsed.until is not None else None
        return _time_range(" ".join(parsed.bounds), start, end, hard=True)
    if ref is None or (ref.start is None and ref.end is None):
        return None
    return _time_range(ref.words, ref.start, ref.end, hard=hard)


def _time_range(words: str, start: datetime | None, end: datetime | None, *, hard: bool) -> TimeRange:
    return TimeRange(
        words=words,
        start=iso(int(start.timestamp() * 1000)) if start else None,
        end=iso(int(end.timestamp() * 1000)) if end else None,
        first_day=start.date().isoformat() if start else None,
        last_day=(end - timedelta(microseconds=1)).date().isoformat() if end else None,
        hard=hard,
    )
