"""The lexical leg: the words of a question against the postings, tier after tier, never empty while any word is near.

words (with their stems and parts) → prefix → close spelling → substring. A word that no passage holds is tried in the next
tiers on its own, and named as missing if nothing is near it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tray_app.library import postings
from tray_app.library.connection import Connection
from tray_app.library.postings import TermGroup
from tray_app.text.segment import is_unspaced

NEAR_WEIGHT = 0.5
"""A near word (prefix, spelling) counts half: the person did not write it."""
SHORTEST_PREFIX = 3
SHORTEST_SPELLING = 5


class Terms(msgspec.Struct, frozen=True):
    """The question's words as the dictionary knows them. `tier` is the deepest that was needed."""

    groups: tuple[TermGroup, ...]
    missing: tuple[str, ...]
    tier: str
    statistics: tuple[int, float] = (0, 1.0)
    """Documents, and their mean length in tokens."""


def find_terms(cursor: Connection, words: Sequence[str]) -> Terms:
    """Look words up; what the dictionary lacks is sought as a prefix, then as a slip of the pen."""
    statistics = postings.statistics(cursor)
    exact = postings.lookup(cursor, words) if statistics[0] else {}
    if not statistics[0]:
        return Terms((), tuple(words), "none")
    groups: list[TermGroup] = []
    missing: list[str] = []
    tiers = {"words"} if exact else set()
    for word in words:
        group = exact.get(word)
        if len(word) == 1 and is_unspaced(word):
            pairs = postings.containing(cursor, word)
            group = _joined(word, group, pairs)
            if group:
                tiers.add("words")
        if group is None and not is_unspaced(word[0]):
            group, tier = _near(cursor, word)
            if group:
                tiers.add(tier)
        if group is None:
            missing.append(word)
        else:
            groups.append(group)
    deepest = next((tier for tier in ("words", "prefix", "close") if tier in tiers), "none")
    return Terms(tuple(groups), tuple(missing), deepest, statistics)


def _near(cursor: Connection, word: str) -> tuple[TermGroup | None, str]:
    if len(word) >= SHORTEST_PREFIX:
        group = postings.beginning(cursor, word)
        if group:
            return msgspec.structs.replace(group, weight=NEAR_WEIGHT), "prefix"
    if len(word) >= SHORTEST_SPELLING and word.isalpha():
        group = postings.spelled_like(cursor, word)
        if group:
            return msgspec.structs.replace(group, weight=NEAR_WEIGHT), "close"
    return None, "none"


def _joined(word: str, one: TermGroup | None, more: TermGroup | None) -> TermGroup | None:
    if one is None or more is None:
        return one or more
    ids = tuple(dict.fromkeys(one.termids + more.termids))
    return TermGroup(word, ids, one.df + more.df)
