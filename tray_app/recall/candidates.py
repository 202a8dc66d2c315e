"""Candidate passages: filters, scores of both legs, neighbours, kinds, time, phrases, and folding what was said twice."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tray_app.library import postings
from tray_app.library.reading import ChunkView, MessageText, Reader
from tray_app.recall.query import ParsedQuery
from tray_app.recall.words import Terms
from tray_app.text.segment import fold_text

POOL = 160
"""Passages ranked in full for a question."""
NEIGHBOUR = 0.3
"""Share of a passage's score that the passages beside it in its session get."""
KIND_WEIGHTS = {"round": 1.0, "summary": 0.9, "note": 0.9, "tool": 0.9, "reasoning": 0.6}
INSIDE_TIME = 1.0
"""What lies inside an understood time ranks above all that lies outside: at least one whole best score."""
SHORT_SPAN = 8 * 86_400_000
INSIDE_MOST = 40
WEEK_MS = 7 * 86_400_000
SAME_CHARS = 120
CLOCK_SLACK = 10 * 60_000


class Scope(msgspec.Struct, frozen=True):
    """The filters of a question as SQL over chunks (alias c), with bound values. `nothing`: they admit no session."""

    condition: str = ""
    values: tuple[object, ...] = ()
    nothing: str = ""
    """Name of the filter that admits nothing, '' otherwise."""


class Candidate(msgspec.Struct):
    """A passage on its way to the answer."""

    chunk: ChunkView
    score: float
    words_score: float = 0.0
    outside: bool = False
    ahead: bool = False
    """Dated in the future: never preferred for being new."""
    messages: list[MessageText] = []
    duplicates: list[tuple[int, int]] = []
    """Further places with the same content: (session id, time)."""

    def texts(self) -> list[str]:
        """The text of each piece, in order."""
        by_id = {message.id: message.text for message in self.messages}
        return [by_id[number][start:end] for number, start, end in self.chunk.pieces if number in by_id]

    @property
    def text(self) -> str:
        return "\n\n".join(self.texts())


def scope_of(parsed: ParsedQuery, reader: Reader, exclude_session: str | None) -> Scope:
    """Filters and hard times as a condition."""
    conditions: list[str] = []
    values: list[object] = []
    filters = parsed.filters
    wanted = {name: filters.get(name) for name in ("agent", "project", "session")}
    if any(wanted.values()):
        rows = reader.matching_sessions(agent=_agent(wanted["agent"]), project=wanted["project"], native=wanted["session"])
        if not rows:
            return Scope(nothing=next(name for name, value in wanted.items() if value))
        conditions.append(f"c.session_id in ({', '.join(str(row.id) for row in rows)})")
    if exclude_session:
        rows = reader.matching_sessions(native=exclude_session)
        if rows:
            conditions.append(f"c.session_id not in ({', '.join(str(row.id) for row in rows)})")
    if kind := filters.get("kind"):
        conditions.append("c.kind = ?")
        values.append({"message": "round", "talk": "round", "tool_call": "tool", "tool_result": "tool"}.get(kind, kind))
    if parsed.since is not None:
        conditions.append("c.time >= ?")
        values.append(parsed.since)
    if parsed.until is not None:
        conditions.append("c.time < ? and c.time > 0")
        values.append(parsed.until)
    return Scope(" and ".join(conditions), tuple(values))


def _agent(name: str | None) -> str | None:
    """Agent names as people write them: claude, claude-code, 'Claude Code'."""
    if not name:
        return None
    plain = name.lower().replace("-", "_").replace(" ", "_")
    return {"claude": "claude_code", "cc": "claude_code", "deepseek": "dsh"}.get(plain, plain)


def by_words(reader: Reader, terms: Terms, scope: Scope, span: tuple[int, int] | None) -> list[Candidate]:
    """Passages by BM25, with scores made comparable: the best is 1. `span` is an understood time (epoch ms, half open)."""
    rows = postings.scores(reader.cursor, terms.groups, POOL, scope.condition, scope.values, terms.statistics)
    if span:
        inside = " and ".join(filter(None, [scope.condition, "c.time >= ? and c.time < ?"]))
        found = dict(rows)
        for number, score in postings.scores(
            reader.cursor, terms.groups, POOL, inside, (*scope.values, *span), terms.statistics
        ):
            found.setdefault(number, score)
        rows = sorted(found.items(), key=lambda row: -row[1])
    if not rows:
        return []
    best = rows[0][1] or 1.0
    chunks = reader.chunks(number for number, _ in rows)
    return [Candidate(chunks[number], score / best, words_score=score / best) for number, score in rows if number in chunks]


def also_inside(found: list[Candidate], reader: Reader, scope: Scope, span: tuple[int, int]) -> list[Candidate]:
    """What else was said in a short understood time, without any of the question's words: when somebody names a day, the day
    itself is evidence. Newest first, below what holds words."""
    if span[1] - span[0] > SHORT_SPAN:
        return []
    condition = " and ".join(filter(None, [scope.condition, "c.time >= ? and c.time < ?"]))
    known = {candidate.chunk.id for candidate in found}
    ids = [number for number in reader.latest_chunks(INSIDE_MOST, condition, (*scope.values, *span)) if number not in known]
    chunks = reader.chunks(ids)
    return [Candidate(chunks[number], 0.0) for number in ids if number in chunks]


def adjust(candidates: list[Candidate], span: tuple[int, int] | None, now: int) -> list[Candidate]:
    """Spread to neighbours, weigh kinds, put what lies inside the understood time first. Best first; the newer of equals,
    with `now` in epoch ms so that what a wrong clock dated ahead comes last among them."""
    by_place = {(candidate.chunk.session_id, candidate.chunk.id): candidate for candidate in candidates}
    spread: dict[int, float] = {}
    for candidate in candidates:
        for step in (-1, 1):
            other = by_place.get((candidate.chunk.session_id, candidate.chunk.id + step))
            if other is not None:
                spread[other.chunk.id] = max(spread.get(other.chunk.id, 0.0), NEIGHBOUR * candidate.words_score)
    for candidate in candidates:
        weight = KIND_WEIGHTS.get(candidate.chunk.kind, 1.0)
        candidate.ahead = candidate.chunk.time > now + CLOCK_SLACK
        candidate.score = weight * (candidate.words_score + spread.get(candidate.chunk.id, 0.0))
        if span:
            start, end = span
            time = candidate.chunk.time
            if start <= time < end:
                candidate.score += INSIDE_TIME
            elif end <= time < end + WEEK_MS:
                candidate.score += INSIDE_TIME * 0.1
            candidate.outside = not start <= time < end
    return sorted(candidates, key=_order)


def _order(candidate: Candidate) -> tuple[float, bool, int, int]:
    return (-round(candidate.score, 9), candidate.ahead, -candidate.chunk.time, -candidate.chunk.id)


def fill(candidates: Sequence[Candidate], reader: Reader) -> None:
    """Fetch the texts of candidates that have none yet."""
    lacking = [candidate for candidate in candidates if not candidate.messages]
    wanted = {piece[0] for candidate in lacking for piece in candidate.chunk.pieces}
    messages = reader.messages(wanted)
    for candidate in lacking:
        ids = dict.fromkeys(piece[0] for piece in candidate.chunk.pieces)
        candidate.messages = [messages[number] for number in ids if number in messages]


def holds(candidate: Candidate, parsed: ParsedQuery) -> bool:
    """Phrases are there, excluded words are not, and the role fits. Needs the texts."""
    if role := parsed.filters.get("role"):
        roles = {"tool": ("tool_call", "tool_result"), "person": ("user",), "agent": ("assistant",)}.get(role, (role,))
        if not any(message.role in roles for message in candidate.messages):
            return False
    if not parsed.phrases and not parsed.excluded:
        return True
    text = fold(candidate.text)
    return all(fold(phrase) in text for phrase in parsed.phrases) and not any(fold(word) in text for word in parsed.excluded)


def fold(text: str) -> str:
    """For literal comparison: compatibility forms, case, traditional characters and white space folded."""
    return " ".join(fold_text(text).casefold().split())


def unique(
    candidates: Sequence[Candidate], reader: Reader, parsed: ParsedQuery, limit: int, *, dedupe: bool
) -> list[Candidate]:
    """The first `limit` candidates that hold what they must; the same words in several places become one."""
    kept: list[Candidate] = []
    seen: dict[tuple[str, str], Candidate] = {}
    covered: set[tuple[int, frozenset[int]]] = set()
    for start in range(0, len(candidates), limit * 2):
        group = candidates[start : start + limit * 2]
        fill(group, reader)
        for candidate in group:
            if not candidate.messages or not holds(candidate, parsed):
                continue
            if dedupe:
                same = (candidate.chunk.session_id, frozenset(piece[0] for piece in candidate.chunk.pieces))
                if same in covered:  # another piece of messages that a better hit shows already
                    continue
                covered.add(same)
                key = (candidate.chunk.kind, fold(candidate.text)[:SAME_CHARS])
                first = seen.get(key)
                if first is not None:
                    if first.chunk.session_id != candidate.chunk.session_id:
                        first.duplicates.append((candidate.chunk.session_id, candidate.chunk.time))
                    continue
                seen[key] = candidate
            if len(kept) < limit:
                kept.append(candidate)
        if len(kept) >= limit:
            break
    return kept
