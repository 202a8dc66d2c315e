"""Recall: the memories that answer a question, by words and by meaning.

Two lists, each of at most `max(3 * limit, 24)` active memories, are joined by reciprocal rank (k = 60). Then log-like kinds are
held back: changelog entries and session summaries weigh less, and each make up a third of the results at most. Who names kinds
gets them unweighed. Drafts, and what was superseded or archived, are never found.

Owns the lists, the joining and the counting of use. Knows no model: a question's vector comes from whoever calls.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec
import numpy as np

from tray_app.embed.base import Asked, QueryVector
from tray_app.errors import KnownError
from tray_app.library.memory.rows import MemoryRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.memories import check_kind
from tray_app.memory.names import name_key
from tray_app.memory.projects import Projects, now_ms
from tray_app.memory.views import memory_view, superseded_of
from tray_app.records import MemoryView
from tray_app.text.glossary import Form, expand
from tray_app.text.segment import content_tokens, tokens
from tray_app.text.snippet import find_marks

log = logging.getLogger(__name__)

RRF_K = 60
LEAST_POOL, POOL_TIMES = 24, 3
WEIGHTS = {"changelog": 0.78, "session": 0.88}
"""Of kinds that are held back; 1 for all others."""
MOST_SHARE = 3
"""A kind that is held back makes up one of so many results at most, but one at least."""
QUERY_CHARS = 2_000
WAIT_S = 0.15
"""So long the question's vector is waited for, from the beginning of the recall on: then words answer alone."""
OTHERWISE = 0.5
"""Weight of another word for a term of the question, by the glossary, beside the question's own words."""
OTHERWISE_LOOKED_AT = 100
MARKED_CHARS = 6_000
MOST_MATCHED = 12

Begin = Callable[[str], Asked]
"""Has a question embedded in the background."""


class _Words(NamedTuple):
    """Memories by words, best first, and the tokens that they were looked for by."""

    ids: list[int]
    tokens: frozenset[str]


def recall(
    store: MemoryStore,
    projects: Projects,
    query: str,
    *,
    project: str | None = None,
    limit: int = 8,
    kinds: Iterable[str] = (),
    begin: Begin | None = None,
) -> list[MemoryView]:
    """The memories that answer a question, best first; the use of each is counted. `project`: of this one alone, by any of its
    names; `begin`: None finds by words alone.

    The same memories give the same answer. Raises UsageError `no_such_project`, `bad_kind`."""
    wanted = frozenset(kinds)
    for kind in wanted:
        check_kind(kind)
    key = name_key(projects.find(project)) if project else ""
    question = " ".join(query.split())[:QUERY_CHARS]
    if not question or limit < 1:
        return []
    asked = begin(question) if begin is not None else None
    rows = store.rows(MemoryRow)
    found = _Found(rows, key, wanted, max(POOL_TIMES * limit, LEAST_POOL))
    words = _by_words(store, question, found)
    near = _by_meaning(store, asked, found)
    scores = joined(words.ids, near)
    chosen = in_order(scores, rows, limit, weighed=not wanted)
    _count_use(store, chosen)
    return _views(store.rows(MemoryRow), chosen, scores, words.tokens)


class _Found:
    """Which memories count (`project` is the key of a name, '' for all), and how many of them a list takes."""

    def __init__(self, rows: Mapping[int, MemoryRow], project: str, kinds: frozenset[str], pool: int) -> None:
        self.rows, self.pool = rows, pool
        active = [row for row in rows.values() if row.state == "active"]
        if kinds:
            active = [row for row in active if row.kind in kinds]
        if project:
            names = {name for name in {row.project for row in active} if name_key(name) == project}
            active = [row for row in active if row.project in names]
        self._ids = {row.id for row in active}

    def first(self, ids: Iterable[int], most: int = 0) -> list[int]:
        """As many as a list takes, or `most`."""
        return list(islice(filter(self._ids.__contains__, ids), most or self.pool))


def _by_words(store: MemoryStore, question: str, found: _Found) -> _Words:
    sought, _ = content_tokens(question)
    said = dict(store.find_memories(sought)) if sought else {}
    forms = [form for term in expand(question) for form in (*term.foreign, *term.alike)]
    others = list(dict.fromkeys(token for form in forms for token in form.tokens if token not in sought))
    scores = {number: said[number] for number in found.first(said)}
    held: set[str] = set()
    if others:
        said_otherwise = dict(store.find_memories(others))
        for number in found.first(said_otherwise, OTHERWISE_LOOKED_AT):
            standing = _standing(forms, found.rows[number])
            if standing:
                scores[number] = said.get(number, 0.0) + OTHERWISE * said_otherwise[number]
                held |= standing
    ranked = sorted(scores, key=lambda number: (-scores[number], -number))
    return _Words(ranked[: found.pool], frozenset(sought) | held)


def _standing(forms: Sequence[Form], row: MemoryRow) -> set[str]:
    """The tokens of the forms that stand whole in a memory."""
    said = set(tokens(f"{row.title}\n{row.content}"))
    return {token for form in forms if said.issuperset(form.tokens) for token in form.tokens}


def _by_meaning(store: MemoryStore, asked: Asked | None, found: _Found) -> list[int]:
    """The nearest memories that point the same way at all; none where the question has no vector (yet)."""
    vector = asked.wait(WAIT_S) if asked is not None else None
    if not isinstance(vector, QueryVector):
        return []
    ids, matrix = store.vectors(vector.space)
    if not len(ids) or matrix.shape[1] != len(vector.vector):
        return []
    near = matrix @ vector.vector
    order = np.lexsort((-ids, -near))[: int(np.count_nonzero(near > 0))]
    return found.first(ids[order].tolist())


def joined(*lists: Sequence[int]) -> dict[int, float]:
    """Reciprocal ranks added up, by id."""
    scores: dict[int, float] = {}
    for ids in lists:
        for rank, number in enumerate(ids, 1):
            scores[number] = scores.get(number, 0.0) + 1 / (RRF_K + rank)
    return scores


def in_order(scores: dict[int, float], rows: Mapping[int, MemoryRow], limit: int, *, weighed: bool) -> list[int]:
    """The best memories, of equals the later one first. `weighed`: hold log-like kinds back; `scores` become the weighed ones."""
    if weighed:
        for number in scores:
            scores[number] *= WEIGHTS.get(rows[number].kind, 1.0)
    most = max(1, limit // MOST_SHARE)
    taken: dict[str, int] = dict.fromkeys(WEIGHTS, 0) if weighed else {}
    chosen: list[int] = []
    for number in sorted(scores, key=lambda number: (-scores[number], -number)):
        kind = rows[number].kind
        if kind in taken:
            if taken[kind] == most:
                continue
            taken[kind] += 1
        chosen.append(number)
        if len(chosen) == limit:
            break
    return chosen


def _count_use(store: MemoryStore, chosen: Sequence[int]) -> None:
    """One durable write for all of them. An answer is given even where nothing can be written."""
    if not chosen:
        return
    now = now_ms()
    try:
        with store.change() as change:
            rows = store.rows(MemoryRow)
            for number in chosen:
                row = rows.get(number)
                if row is not None:
                    change.put(msgspec.structs.replace(row, use_count=row.use_count + 1, last_used=now))
    except KnownError as fault:
        log.warning("the use of memories was not counted: %s", fault.code)


def _views(
    rows: Mapping[int, MemoryRow], chosen: Sequence[int], scores: Mapping[int, float], sought: frozenset[str]
) -> list[MemoryView]:
    superseded = superseded_of(rows)
    return [
        memory_view(rows[number], superseded, scores[number], _matched(rows[number], sought))
        for number in chosen
        if number in rows
    ]


def _matched(row: MemoryRow, sought: frozenset[str]) -> list[str]:
    """The words of the question as they stand in a memory, in lower case."""
    text = f"{row.title}\n{row.content}"[:MARKED_CHARS]
    return list(dict.fromkeys(text[start:end].casefold() for start, end in find_marks(text, sought)))[:MOST_MATCHED]
