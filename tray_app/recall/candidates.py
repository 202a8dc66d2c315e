"""Candidate passages: by words, by meaning, by time; their texts, what these must hold, and what was said twice."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tray_app.library.postings import Scores, best
from tray_app.library.reading import MessageText, Reader
from tray_app.recall.nearness import Meant
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
SHORT_SPAN = 8 * 86_400_000
INSIDE_MOST = 40
SAME_CHARS = 120
CLOCK_SLACK = 10 * 60_000
LEAST_MORE = 5
"""So many more are looked at than shown: some say the same."""
JOINT = "\n\n"
"""Between the messages of a passage where it is shown."""

_AHEAD = 1 << 60
NOTHING = Scores(np.zeros(0, np.int64), np.zeros(0))


class Candidate(msgspec.Struct):
    """A passage on its way to the answer. The scores of the two legs are shares of their best, 0 to 1."""

    id: int
    session_id: int
    time: int
    kind: str
    score: float
    words_score: float = 0.0
    words_rank: int | None = None
    meaning_score: float = 0.0
    meaning_rank: int | None = None
    similarity: float = 0.0
    """Cosine with the question, languages centred."""
    neighbour: float = 0.0
    """What the passages beside it added."""
    quotes: bool = False
    """An answer that merely gives the question back."""
    restored: bool = False
    """Folded into another, and shown again to fill the list."""
    inside: bool = False
    """It stands in the time that was understood."""
    outside: bool = False
    """It does not, and that time parts what is shown."""
    ahead: bool = False
    """Dated in the future: never preferred for being new."""
    parts: list[tuple[MessageText, str]] = []
    """Its messages, each with the piece of its text that belongs to the passage. Filled by `fill`."""
    duplicates: list[tuple[int, int]] = []
    """Further places with the same content: (session id, time)."""

    @property
    def text(self) -> str:
        return JOINT.join(text for _, text in self.parts)


def _made(reader: Reader, ids: Sequence[int], scores: Sequence[float], now: int) -> list[Candidate]:
    passages = reader.passages()
    return [
        Candidate(
            number, int(passages.session[number]), time := int(passages.time[number]), passages.kinds[passages.kind[number]],
            score, score, ahead=time > now + CLOCK_SLACK,
        )
        for number, score in zip(ids, scores, strict=True)
    ]  # fmt: skip


def by_words(reader: Reader, terms: Terms, scope: Scope) -> Scores:
    """BM25 of all passages that are admitted and hold any of the words."""
    found = reader.weigh(terms.groups, terms.required)
    if scope.mask is None:
        return found
    kept = scope.mask[found.ids]
    return Scores(found.ids[kept], found.values[kept])


def together(
    reader: Reader, words: Scores, meant: Meant | None, span: tuple[int, int] | None, most: int, now: int, *, both: bool
) -> list[Candidate]:
    """The best `most` of each leg, and as many inside `span`, an understood time (epoch ms, half open), with both scores made
    comparable: the best of a leg is 1. `both`: only what words found."""
    time = reader.passages().time
    ranks: list[dict[int, int]] = []
    chosen: dict[int, None] = {}
    for leg in (words, meant.scores if meant else NOTHING):
        rows = best(leg, most)
        ranks.append({number: rank for rank, (number, _) in enumerate(rows, 1)})
        if span:
            at = time[leg.ids]
            inside = (at >= span[0]) & (at < span[1])
            rows += best(Scores(leg.ids[inside], leg.values[inside]), most)
        if leg is words or not both:
            chosen.update(dict.fromkeys(number for number, _ in rows))
    numbers = np.fromiter(chosen, np.int64, len(chosen))
    top = float(words.values.max(initial=0.0)) or 1.0
    found = _made(reader, list(chosen), (_looked_up(words, numbers) / top).tolist(), now)
    near = _looked_up(meant.scores, numbers) if meant else np.zeros(len(found))
    shares = meant.share(near) if meant else near
    for candidate, similarity, share in zip(found, near.tolist(), shares.tolist(), strict=True):
        candidate.similarity, candidate.meaning_score = similarity, share
        candidate.words_rank, candidate.meaning_rank = ranks[0].get(candidate.id), ranks[1].get(candidate.id)
    return found


def _looked_up(scores: Scores, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """The values of these ids, 0 where there is none."""
    if not len(scores.ids) or not len(numbers):
        return np.zeros(len(numbers))
    dense = np.zeros(max(int(scores.ids.max()), int(numbers.max())) + 1)
    dense[scores.ids] = scores.values
    return np.asarray(dense[numbers])


def latest(reader: Reader, scope: Scope, span: tuple[int, int] | None, limit: int, now: int) -> list[Candidate]:
    """Passages by time, newest first, those that a wrong clock dated ahead last. Scores fall evenly from 1."""
    passages = reader.passages()
    ids = np.flatnonzero(scope.within(passages, span))
    time = passages.time[ids]
    rows = best(Scores(ids, np.where(time > now + CLOCK_SLACK, time - _AHEAD, time)), limit)
    return _made(reader, [number for number, _ in rows], [1.0 - place / (len(rows) + 1) for place in range(len(rows))], now)


def among(reader: Reader, ids: Sequence[int], scope: Scope, now: int) -> list[Candidate]:
    """These passages, as far as they are admitted, in this order and below all that was found by words."""
    mask = scope.within(reader.passages(), None)
    kept = [number for number in ids if number < len(mask) and mask[number]]
    return _made(reader, kept, [0.5 - place / 1e4 for place in range(len(kept))], now)


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
    """Candidates as far as these speakers said the words: the share of the score that their messages hold. What holds none of
    the words, and is there by its meaning, stays as long as one of these speakers is in it."""
    chosen = sorted(candidates, key=lambda candidate: -max(candidate.words_score, candidate.meaning_score))[:ROLE_POOL]
    fill(chosen, reader)
    kept = []
    for candidate in chosen:
        whole = held_weight(terms, candidate.text)
        candidate.parts = [part for part in candidate.parts if part[0].role in roles]
        theirs = held_weight(terms, candidate.text)
        if theirs:
            candidate.words_score *= theirs / whole
        if theirs or (candidate.parts and not whole and candidate.meaning_score):
            kept.append(candidate)
    return kept


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
    refill: bool = False,
) -> list[Candidate]:
    """The first `limit` candidates that hold what they must, out of at most `most_sessions` sessions (0: any number); the
    same words in several places become one. The group that is read last is looked through for more places. `refill`: where
    fewer than `limit` are left, what was folded comes after them."""
    kept: list[Candidate] = []
    folded: list[Candidate] = []
    sessions: set[int] = set()
    seen: dict[tuple[str, str], Candidate] = {}
    covered: set[tuple[int, frozenset[int]]] = set()

    def has_room(candidate: Candidate) -> bool:
        return len(kept) < limit and (not most_sessions or candidate.session_id in sessions or len(sessions) < most_sessions)

    start, size = 0, limit + LEAST_MORE
    while start < len(candidates) and len(kept) < limit:
        group = candidates[start : start + size]
        start += size
        fill(group, reader, scope.roles)
        for candidate in group:
            if not candidate.parts or not demands.met_by(candidate):
                continue
            if dedupe and _repeats(candidate, seen, covered):
                folded.append(candidate)
            elif has_room(candidate):
                sessions.add(candidate.session_id)
                kept.append(candidate)
    for candidate in folded if refill else ():
        if has_room(candidate):
            candidate.restored = True
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
