"""One question, from the request to the answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo

import msgspec

from tray_app.clock import iso
from tray_app.library.reading import Reader
from tray_app.recall import candidates as pool
from tray_app.recall.answer import Composer
from tray_app.recall.candidates import Candidate, Demands
from tray_app.recall.query import MOST, ParsedQuery, parse
from tray_app.recall.scope import Scope, scope_of
from tray_app.recall.verdict import Verdict, judge, share
from tray_app.recall.words import Terms, as_typed, find_terms, holding
from tray_app.records import Answer, SearchRequest, TimeRange, Understood
from tray_app.sources.base import Session
from tray_app.text.segment import content_tokens, is_unspaced, query_tokens
from tray_app.text.timeref import TimeRef, understand

MENU = 5
CHECKED = 5
"""Passages whose words are counted for the verdict."""
MOST_HITS = 200
SAID_LEAST = 0.3
SHORTEST_LITERAL, LONGEST_LITERAL, LITERAL_WORDS = 2, 200, 3


class _Question(msgspec.Struct, frozen=True, kw_only=True):
    """The question as it was understood. `text` is without operators and time words, `span` the understood time."""

    text: str
    words: list[str]
    parsed: ParsedQuery
    span: tuple[int, int] | None
    narrowed: bool
    """A filter was given or a time was meant, if only 'recently': what lies there may be shown without any word."""
    now: int
    limit: int
    sessions: int
    dedupe: bool
    fresh_first: bool


class Searcher:
    """Answers questions on one library. `resume_command` gives an agent's command for a session; `found_share` is the
    setting `search.found_share`."""

    def __init__(self, resume_command: Callable[[str, Session], str], found_share: Callable[[], float]) -> None:
        self.resume_command, self.found_share = resume_command, found_share

    def search(self, request: SearchRequest, reader: Reader, now: datetime, *, snapshot: str, indexing: bool) -> Answer:
        """The answer. `now` is aware and sets the zone in which days are meant. Raises UsageError for a filter that cannot
        be meant. Call it inside `reader.snapshot()`."""
        started = time.perf_counter()
        zone = now.tzinfo or UTC
        parsed = parse(request, zone)
        ref = None if request.ignore_time else understand(parsed.text, now)
        text = _without(parsed.text, ref)
        words, ignored = content_tokens(text)
        words = list(dict.fromkeys(words + [word for phrase in parsed.phrases for word in query_tokens(phrase)]))
        question = _Question(
            text=text, words=words, parsed=parsed, span=_span(ref), now=int(now.timestamp() * 1000),
            limit=min(request.limit, MOST_HITS), sessions=request.max_sessions, dedupe=request.dedupe,
            fresh_first=request.fresh_first,
            narrowed=bool(ref or parsed.filters) or parsed.since is not None or parsed.until is not None,
        )  # fmt: skip
        scope = scope_of(parsed, reader, request.exclude_session)
        terms = find_terms(reader, words, parsed.phrases) if words else Terms((), (), "none")
        hits, tier = self._hits(question, terms, reader, scope)
        composer = Composer(reader, now, terms.shown() | frozenset(words), self.resume_command)
        sessions = composer.sessions(hits, question.span is not None and bool(words))
        missing = as_typed((text, *parsed.phrases), terms.missing)
        verdict = self._judge(question, terms, tier, hits, composer.titles, missing, reader, scope)
        found = verdict.found and bool(hits)
        return Answer(
            found=found, verdict=verdict.word, reason=verdict.reason, reason_code=verdict.code, missing=missing,
            engine="fts", tier=tier, snapshot=snapshot, sessions=sessions, hits=sum(len(one.hits) for one in sessions), indexing=indexing,
            understood=Understood(
                query=text, words=tuple(words), ignored=tuple(ignored), phrases=parsed.phrases, excluded=parsed.excluded,
                time=_range(parsed, ref, hard=not words, zone=zone), filters=dict(parsed.filters),
            ),
            fallback_menu=None if found or not sessions or not words else composer.menu(text, sessions, MENU),
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
        )  # fmt: skip

    def _hits(self, question: _Question, terms: Terms, reader: Reader, scope: Scope) -> tuple[list[Candidate], str]:
        """What is shown, best first, and the tier that answered."""
        if scope.unknown or scope.apart:
            return [], terms.tier
        parsed, span, now = question.parsed, question.span, question.now
        demands = Demands(parsed)

        def chosen(found: list[Candidate]) -> list[Candidate]:
            return pool.choose(found, reader, scope, demands, question.limit, question.sessions, dedupe=question.dedupe)

        if not question.words and not parsed.phrases and question.narrowed:
            return chosen(pool.latest(reader, scope, span, question.limit * 4, now)), terms.tier
        most = pool.CHECKED_POOL if parsed.phrases or parsed.excluded else max(pool.POOL, question.limit)
        found = [] if terms.impossible or not terms.groups else pool.by_words(reader, terms, scope, span, most, now)
        if scope.roles:
            found = pool.narrow(found, reader, terms, scope.roles)
        if span and question.words:
            found += pool.also_inside(found, reader, scope, span, now)
        found = pool.adjust(found, span)
        hits = chosen(pool.freshest_first(found) if question.fresh_first else found)
        if hits:
            return hits, terms.tier
        hits = chosen(self._literally(question, terms, reader, scope))
        return hits, "substring" if hits else "none"

    def _literally(self, question: _Question, terms: Terms, reader: Reader, scope: Scope) -> list[Candidate]:
        """The last tier: the question as a piece of text, wherever it stands. Reads all text, so only where that may help:
        for a phrase, for signs, for a piece of a word. (A piece of Chinese is found by its pairs, or is nowhere.)"""
        phrases = question.parsed.phrases
        wanted = (phrases[0] if phrases else question.text).strip()
        if not SHORTEST_LITERAL <= len(wanted) <= LONGEST_LITERAL or any(is_unspaced(word[0]) for word in terms.missing):
            return []
        if question.words and not phrases and (not terms.missing or len(wanted.split()) > LITERAL_WORDS):
            return []
        found = pool.among(reader, reader.containing(wanted, question.limit * 4), scope, question.now)
        pool.fill(found, reader, scope.roles)
        held = pool.fold(wanted)
        return [candidate for candidate in found if held in pool.fold(candidate.text)]

    def _judge(
        self,
        question: _Question,
        terms: Terms,
        tier: str,
        hits: list[Candidate],
        titles: Mapping[int, str],
        missing: Sequence[str],
        reader: Reader,
        scope: Scope,
    ) -> Verdict:
        if not hits:
            return self._nothing(question, reader, scope)
        if not question.words and tier != "substring":
            return Verdict("likely", "recent", "What was said there, newest first.")
        words = question.words
        held = max(_held(words, terms, hit.text, titles.get(hit.session_id, "")) for hit in hits[:CHECKED])
        verdict = judge(words, held, tier, missing, self.found_share(), phrases=bool(question.parsed.phrases))
        if question.parsed.cut and not verdict.found:
            return Verdict(verdict.word, "too_long", f"The question is too long; its first {MOST:,} characters were used.")
        return verdict

    def _nothing(self, question: _Question, reader: Reader, scope: Scope) -> Verdict:
        parsed = question.parsed
        if not reader.statistics()[0]:
            return Verdict("nothing", "empty_index", "Nothing is indexed yet.")
        if scope.unknown:
            return Verdict(
                "nothing", "filter_unknown", f"Nothing is known for {scope.unknown}:{parsed.filters[scope.unknown]}."
            )
        if scope.apart:
            return Verdict("nothing", "nothing_matches", "No session fits all of these filters.")
        if parsed.since is not None or parsed.until is not None or (question.span and not question.words):
            return Verdict("nothing", "nothing_in_time", "Nothing was said about it in that time.")
        if parsed.excluded:
            return Verdict("nothing", "excluded_all", "Nothing is left beside the words to leave out.")
        if not question.words and not question.narrowed:
            return Verdict("nothing", "no_words", "There is no word to search for.")
        return Verdict("nothing", "nothing_matches", "None of these words was ever said here.")


def _held(words: Sequence[str], terms: Terms, text: str, title: str) -> float:
    """Share of the question's weight that a passage holds. Its session's title counts with it, since that is what the
    passage is about, as long as the passage itself says a good part."""
    said = holding(words, text)
    alone = share(words, terms.groups, terms.documents, said)
    if alone < SAID_LEAST or not title:
        return alone
    return share(words, terms.groups, terms.documents, said | holding(words, title))


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
