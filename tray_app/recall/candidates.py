"""Candidate passages: by words, by time, weighed and put in order; their texts, what these must hold, and what was said twice."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec
import numpy as np

from tray_app.library.postings import Scores, best
from tray_app.library.reading import MessageText, Reader
from tray_app.recall.query import ParsedQuery
from tray_app.recall.scope import Scope
from tray_app.recall.words import Terms, held_weight
from tray_app.text.segment import fold_text

POOL = 160
"""Passages ranked in full for a question."""
CHECKED_POOL = 480
"""The same where many may fall to what their text must or must not hold."""
ROLE_POOL = 80
"""Passages whose speakers are told apart."""
NEIGHBOUR = 0.3
"""Share of a passage's score that the passages beside it in its session get."""
KIND_WEIGHTS = {"round": 1.0, "summary": 0.9, "note": 0.9, "tool": 0.9, "reasoning": 0.6}
INSIDE_TIME = 1.5
"""What lies inside an understood time ranks above all that lies outside, whose scores stay below this."""
NEAR_EQUAL = 0.01
"""Scores nearer to each other than this say nothing: the newer comes first."""
FRESH_SHARE = 0.5
"""Share of the best score from which on the freshest may be put first."""
SHORT_SPAN = 8 * 86_400_000
INSIDE_MOST = 40
WEEK_MS = 7 * 86_400_000
SAME_CHARS = 120
CLOCK_SLACK = 10 * 60_000
LEAST_MORE = 5
"""So many more are looked at than shown: some say the same."""
JOINT = "\n\n"
"""Between the messages of a passage where it is shown."""

_AHEAD = 1 << 60


class Candidate(msgspec.Struct):
    """A passage on its way to the answer."""

    id: int
    session_id: int
    time: int
    kind: str
    score: float
    words_score: float = 0.0
    outside: bool = False
    ahead: bool = False
    """Dated in the future: never preferred for being new."""
    parts: list[tuple[MessageText, str]] = []
    """Its messages, each with the piece of its text that belongs to the passage. Filled by `fill`."""
    duplicates: list[tuple[int, int]] = []
    """Further places with the same content: (session id, time)."""

    @property
    def text(self) -> str:
        return JOINT.join(text for _, text in self.parts)


def _made(reader: Reader, rows: Sequence[tuple[int, float]], top: float, now: int) -> list[Candidate]:
    passages = reader.passages()
    return [
        Candidate(
            number, int(passages.session[number]), time := int(passages.time[number]), passages.kinds[passages.kind[number]],
            score / top, score / top, ahead=time > now + CLOCK_SLACK,
        )
        for number, score in rows
    ]  # fmt: skip


def by_words(reader: Reader, terms: Terms, scope: Scope, span: tuple[int, int] | None, most: int, now: int) -> list[Candidate]:
    """Passages by BM25, with scores made comparable: the best is 1. `most` of all, and as many inside
    `span`, an understood time (epoch ms, half open)."""
    found = reader.weigh(terms.groups, terms.required)
    if scope.mask is not None:
        kept = scope.mask[found.ids]
        found = Scores(found.ids[kept], found.values[kept])
    rows = best(found, most)
    if not rows:
        return []
    top = rows[0][1]
    if span:
        time = reader.passages().time[found.ids]
        inside = (time >= span[0]) & (time < span[1])
        known = {number for number, _ in rows}
        rows += [row for row in best(Scores(found.ids[inside], found.values[inside]), most) if row[0] not in known]
    return _made(reader, rows, top, now)


def latest(reader: Reader, scope: Scope, span: tuple[int, int] | None, limit: int, now: int) -> list[Candidate]:
    """Passages by time, newest first, those that a wrong clock dated ahead last. Scores fall evenly from 1."""
    passages = reader.passages()
    ids = np.flatnonzero(scope.within(passages, span))
    time = passages.time[ids]
    rows = best(Scores(ids, np.where(time > now + CLOCK_SLACK, time - _AHEAD, time)), limit)
    return _made(reader, [(number, 1.0 - place / (len(rows) + 1)) for place, (number, _) in enumerate(rows)], 1.0, now)


def among(reader: Reader, ids: Sequence[int], scope: Scope, now: int) -> list[Candidate]:
    """These passages, as far as they are admitted, in this order and below all that was found by words."""
    mask = scope.within(reader.passages(), None)
    kept = [number for number in ids if number < len(mask) and mask[number]]
    return _made(reader, [(number, 0.5 - place / 1e4) for place, number in enumerate(kept)], 1.0, now)


def also_inside(found: list[Candidate], reader: Reader, scope: Scope, span: tuple[int, int], now: int) -> list[Candidate]:
    """What else was said in a short understood time, without any of the question's words: when somebody names a day, the day
    itself is evidence. Newest first, below what holds words."""
    if span[1] - span[0] > SHORT_SPAN:
        return []
    known = {candidate.id for candidate in found}
    more = [candidate for candidate in latest(reader, scope, span, INSIDE_MOST, now) if candidate.id not in known]
    for candidate in more:
        candidate.score = candidate.words_score = 0.0
    return more


def narrow(candidates: Sequence[Candidate], reader: Reader, terms: Terms, roles: Collection[str]) -> list[Candidate]:
    """Candidates as far as these speakers said the words: the share of the score that their messages hold."""
    chosen = sorted(candidates, key=lambda candidate: -candidate.words_score)[:ROLE_POOL]
    fill(chosen, reader)
    kept = []
    for candidate in chosen:
        whole = held_weight(terms, candidate.text)
        candidate.parts = [part for part in candidate.parts if part[0].role in roles]
        theirs = held_weight(terms, candidate.text)
        if theirs and whole:
            candidate.words_score *= theirs / whole
            kept.append(candidate)
    return kept


def adjust(candidates: list[Candidate], span: tuple[int, int] | None) -> list[Candidate]:
    """Spread to neighbours, weigh kinds, put what lies inside the understood time first. Best first; where scores say
    nothing the newer first."""
    by_id = {candidate.id: candidate for candidate in candidates}
    for candidate in candidates:
        beside = [by_id.get(candidate.id - 1), by_id.get(candidate.id + 1)]
        spread = max((other.words_score for other in beside if other and other.session_id == candidate.session_id), default=0.0)
        candidate.score = KIND_WEIGHTS.get(candidate.kind, 1.0) * (candidate.words_score + NEIGHBOUR * spread)
        if span:
            start, end = span
            if start <= candidate.time < end:
                candidate.score += INSIDE_TIME
            elif end <= candidate.time < end + WEEK_MS:
                candidate.score += INSIDE_TIME * 0.1
            candidate.outside = not start <= candidate.time < end
    return _newer_of_equals(sorted(candidates, key=lambda candidate: (-candidate.score, -candidate.id)))


def _newer_of_equals(ranked: list[Candidate]) -> list[Candidate]:
    """Within each stretch of nearly equal scores the newer first, what is dated ahead last."""
    ordered: list[Candidate] = []
    start = 0
    while start < len(ranked):
        end = start + 1
        while end < len(ranked) and ranked[end].score >= ranked[start].score * (1 - NEAR_EQUAL):
            end += 1
        ordered += sorted(ranked[start:end], key=by_freshness)
        start = end
    return ordered


def freshest_first(ranked: Sequence[Candidate]) -> list[Candidate]:
    """What answers about as well as the best, by time; what answers worse stays behind it as it was."""
    least = FRESH_SHARE * ranked[0].score if ranked else 0.0
    good = [candidate for candidate in ranked if candidate.score >= least]
    return sorted(good, key=by_freshness) + [candidate for candidate in ranked if candidate.score < least]


def by_freshness(candidate: Candidate) -> tuple[bool, int, int]:
    """Sorts the newer first, what is dated ahead last."""
    return candidate.ahead, -candidate.time, -candidate.id


def fill(candidates: Sequence[Candidate], reader: Reader, roles: Collection[str] = ()) -> None:
    """Fetch the texts of candidates that have none yet; of these speakers only, where some are named."""
    lacking = [candidate for candidate in candidates if not candidate.parts]
    pieces = reader.pieces(candidate.id for candidate in lacking)
    messages = reader.messages({piece[0] for parts in pieces.values() for piece in parts})
    for candidate in lacking:
        candidate.parts = [
            (message, message.text[start:end])
            for number, start, end in pieces.get(candidate.id, ())
            if (message := messages.get(number)) and (not roles or message.role in roles)
        ]


class Demands:
    """What a passage's text must hold (all quoted phrases) and must not (words with a minus)."""

    def __init__(self, parsed: ParsedQuery) -> None:
        self.phrases = [fold(phrase) for phrase in parsed.phrases]
        self.excluded = [_whole_word(fold(word)) for word in parsed.excluded if fold(word)]

    def met_by(self, candidate: Candidate) -> bool:
        if not self.phrases and not self.excluded:
            return True
        text = fold(candidate.text)
        return all(phrase in text for phrase in self.phrases) and not any(word.search(text) for word in self.excluded)


def _whole_word(word: str) -> re.Pattern[str]:
    """`-go` leaves out 'go' and not 'google'; scripts without spaces have no such borders."""
    start = r"(?<![a-z0-9_])" if word[0].isascii() and word[0].isalnum() else ""
    end = r"(?![a-z0-9_])" if word[-1].isascii() and word[-1].isalnum() else ""
    return re.compile(start + re.escape(word) + end)


def fold(text: str) -> str:
    """For literal comparison: compatibility forms, case, traditional characters and white space folded."""
    return " ".join(fold_text(text).casefold().split())


def choose(
    candidates: Sequence[Candidate],
    reader: Reader,
    scope: Scope,
    demands: Demands,
    limit: int,
    most_sessions: int,
    *,
    dedupe: bool,
) -> list[Candidate]:
    """The first `limit` candidates that hold what they must, out of at most `most_sessions` sessions (0: any number); the
    same words in several places become one. The group that is read last is looked through for more places."""
    kept: list[Candidate] = []
    sessions: set[int] = set()
    seen: dict[tuple[str, str], Candidate] = {}
    covered: set[tuple[int, frozenset[int]]] = set()
    start, size = 0, limit + LEAST_MORE
    while start < len(candidates) and len(kept) < limit:
        group = candidates[start : start + size]
        start += size
        fill(group, reader, scope.roles)
        for candidate in group:
            if not candidate.parts or not demands.met_by(candidate):
                continue
            if dedupe and _repeats(candidate, seen, covered):
                continue
            if len(kept) < limit and (not most_sessions or candidate.session_id in sessions or len(sessions) < most_sessions):
                sessions.add(candidate.session_id)
                kept.append(candidate)
    return kept


def _repeats(candidate: Candidate, seen: dict[tuple[str, str], Candidate], covered: set[tuple[int, frozenset[int]]]) -> bool:
    """Whether a better candidate says the same already; if in another session, that one counts this place."""
    same = (candidate.session_id, frozenset(message.id for message, _ in candidate.parts))
    if same in covered:  # another piece of the same messages
        return True
    covered.add(same)
    text = fold(candidate.text)
    first = seen.setdefault((candidate.kind, text[:SAME_CHARS]), candidate)
    if first is candidate:
        return False
    if first.session_id == candidate.session_id:
        return fold(first.text) == text
    first.duplicates.append((candidate.session_id, candidate.time))
    return True
