"""One question, from the request to the answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import msgspec

from tray_app.library.postings import K1
from tray_app.library.reading import Reader
from tray_app.recall import candidates as pool
from tray_app.recall.answer import Composer
from tray_app.recall.candidates import Candidate, Demands
from tray_app.recall.fusion import adjust, freshest_first, hold_back, words_share
from tray_app.recall.nearness import Ask, Meant, find_near
from tray_app.recall.query import MOST
from tray_app.recall.question import Question, understand_request
from tray_app.recall.quoting import quotes_question
from tray_app.recall.scope import Scope, scope_of
from tray_app.recall.verdict import Evidence, Verdict, judge, weigh
from tray_app.recall.words import Terms, as_typed, find_terms
from tray_app.records import Answer, SearchRequest
from tray_app.sources.base import Session
from tray_app.text.segment import is_unspaced

MENU = 9
"""Candidates that the menu numbers: there are keys for so many."""
CHECKED = 5
"""Passages whose words are counted for the verdict."""
LOOKED_INTO = 12
"""Passages that are looked into for questions given back."""
SHORTEST_LITERAL, LONGEST_LITERAL, LITERAL_WORDS = 2, 200, 3
SHORT = 2
"""Words of a question that is a name rather than a description: where passages hold them all, only such are shown."""


class Found(msgspec.Struct):
    """What was found, best first, the tier of words that answered, and how the leg of meaning stands."""

    hits: list[Candidate]
    tier: str
    engine: str = "fts"
    meant: Meant | None = None
    meaning: str = "off"
    note: str = ""


class Values(msgspec.Struct, frozen=True):
    """Settings of the search as they stand: `search.found_share`, `search.found_evidence`, and `meaning.share` as fusion takes it."""

    found_share: float
    found_evidence: float
    meaning_share: float


class Searcher:
    """Answers questions on one library. `resume_command` gives an agent's command for a session; `ask` makes vectors of
    questions (None: words alone)."""

    def __init__(
        self, resume_command: Callable[[str, Session], str], values: Callable[[], Values], ask: Ask | None = None
    ) -> None:
        self.resume_command, self.values, self.ask = resume_command, values, ask

    def search(self, request: SearchRequest, reader: Reader, now: datetime, *, snapshot: str, indexing: bool) -> Answer:
        """The answer. `now` is aware and sets the zone in which days are meant. Raises UsageError for a filter that cannot
        be meant. Call it inside `reader.snapshot()`."""
        started = time.perf_counter()
        values = self.values()
        question = understand_request(request, now)
        ask = self.ask if request.mode != "words" and question.meant else None
        asked = ask(question.meant) if ask else None  # embedded in the background while the words are looked up
        parsed = question.parsed
        scope = scope_of(parsed, reader, request.exclude_session)
        terms = find_terms(reader, question.words, parsed.phrases, question.text) if question.words else Terms((), (), "none")
        weights = weigh(question.words, terms)
        found = Found([], terms.tier)
        if not (scope.unknown or scope.apart):
            meant, found.meaning, found.note = (
                find_near(reader, asked, scope, request.patience_ms / 1000) if asked else (None, "off", "")
            )
            found.meant = meant
            found.engine = "fts" if meant is None else "vector" if request.mode == "meaning" else "hybrid"
            share = 1.0 if request.mode == "meaning" else values.meaning_share
            self._look(question, terms, weights, reader, scope, found, share if meant else 0.0)
        shown = terms.shown() | frozenset(question.words)
        composer = Composer(reader, now, shown, self.resume_command, terms if request.explain else None)
        sessions = composer.sessions(found.hits, question.span is not None and bool(question.words))
        missing = as_typed((question.text, *parsed.phrases), terms.missing)
        verdict = self._judge(question, terms, weights, found, composer.titles, missing, reader, scope, values)
        sure = verdict.found and bool(found.hits)
        return Answer(
            found=sure, verdict=verdict.word, reason=verdict.reason, reason_code=verdict.code, missing=missing,
            engine=found.engine, tier=found.tier, snapshot=snapshot, sessions=sessions, hits=sum(len(one.hits) for one in sessions),
            indexing=indexing, meaning=found.meaning, meaning_note=found.note,
            understood=question.understood(tuple(dict.fromkeys(form for _, form in terms.translated))),
            fallback_menu=None if sure or not sessions or not question.words else composer.menu(question.text, sessions, MENU),
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
        )  # fmt: skip

    def _look(
        self,
        question: Question,
        terms: Terms,
        weights: Mapping[str, float],
        reader: Reader,
        scope: Scope,
        found: Found,
        meaning_share: float,
    ) -> None:
        """Fill in the hits, best first, and the tier that answered."""
        parsed, span, now = question.parsed, question.span, question.now
        demands = Demands(parsed)

        def chosen(candidates: Sequence[Candidate]) -> list[Candidate]:
            return pool.choose(
                candidates, reader, scope, demands, question.limit, question.sessions, dedupe=question.dedupe, refill=question.refill
            )  # fmt: skip

        if not question.words and not parsed.phrases and question.narrowed:
            found.hits = chosen(pool.latest(reader, scope, span, question.limit * 4, now))
            return
        most = pool.CHECKED_POOL if parsed.phrases or parsed.excluded else max(pool.POOL, question.limit)
        nothing = terms.impossible or not terms.groups
        words = pool.NOTHING if nothing else pool.by_words(reader, terms, scope)
        best = float(words.values.max(initial=0.0))
        coverage = best / ((K1 + 1) * sum(weights.values())) if best else 0.0
        literal = bool(parsed.phrases) or (0 < len(question.words) <= SHORT and not terms.missing and not nothing)
        candidates = pool.together(reader, words, found.meant, span, most, now, both=literal)
        if len(question.words) <= SHORT and not len(words.ids):
            candidates = [one for one in candidates if found.meant and found.meant.is_near(one.similarity)]
        if scope.roles:
            candidates = pool.narrow(candidates, reader, terms, scope.roles)
        if span and question.words:
            candidates += pool.also_inside(candidates, reader, scope, span, now)
        ranked = adjust(candidates, span, words_share(meaning_share, coverage), sure=question.sure, lately=question.lately)
        pool.fill(ranked[:LOOKED_INTO], reader, scope.roles)
        for candidate in ranked[:LOOKED_INTO]:
            candidate.quotes = quotes_question(candidate, weights)
        ranked = hold_back(ranked)
        found.hits = chosen(freshest_first(ranked) if question.fresh_first else ranked)
        if found.hits:
            return
        found.hits = chosen(self._literally(question, terms, reader, scope))
        found.tier = "substring" if found.hits else "none"

    def _literally(self, question: Question, terms: Terms, reader: Reader, scope: Scope) -> list[Candidate]:
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
        question: Question,
        terms: Terms,
        weights: Mapping[str, float],
        found: Found,
        titles: Mapping[int, str],
        missing: Sequence[str],
        reader: Reader,
        scope: Scope,
        values: Values,
    ) -> Verdict:
        if not found.hits:
            return self._nothing(question, reader, scope)
        if not question.words and found.tier != "substring":
            return Verdict("likely", "recent", "What was said there, newest first.")
        evidence = Evidence.of(
            found.hits[:CHECKED], weights, terms, titles, found.meant, question.text, timed=question.span is not None
        )
        phrases = bool(question.parsed.phrases)
        verdict = judge(evidence, found.tier, missing, values.found_share, values.found_evidence, phrases=phrases)
        if question.parsed.cut and not verdict.found:
            return Verdict(verdict.word, "too_long", f"The question is too long; its first {MOST:,} characters were used.")
        return verdict

    def _nothing(self, question: Question, reader: Reader, scope: Scope) -> Verdict:
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
