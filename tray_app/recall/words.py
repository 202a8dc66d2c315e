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
MOST_SOUGHT = 2


class Terms(msgspec.Struct, frozen=True):
    """The question's words as the dictionary knows them. `tier` is the nearest that answered."""

    groups: tuple[TermGroup, ...]
    missing: tuple[str, ...]
    tier: str
    statistics: tuple[int, float] = (0, 1.0)
    """Documents, and their mean length in tokens."""


def find_terms(cursor: Connection, words: Sequence[str]) -> Terms:
    """Look words up; what the dictionary lacks is sought as a prefix (the last word, which may be half typed) or as a slip
    of the pen. In a long question only a few words are sought so: each costs a reading of the dictionary."""
    statistics = postings.statistics(cursor)
    if not statistics[0]:
        return Terms((), tuple(words), "none")
    exact = postings.lookup(cursor, words)
    groups: list[TermGroup] = []
    missing: list[str] = []
    tiers = {"words"} if exact else set()
    sought = 0
    for place, word in enumerate(words):
        group = exact.get(word)
        if len(word) == 1 and is_unspaced(word):
            group = _joined(word, group, postings.containing(cursor, word))
            if group:
                tiers.add("words")
        if group is None and not is_unspaced(word[0]) and sought < MOST_SOUGHT:
            prefix = len(word) >= SHORTEST_PREFIX and (place == len(words) - 1 or not exact)
            slips = (2 if len(word) >= 8 else 1) if word.isalpha() and len(word) >= SHORTEST_SPELLING else 0
            if prefix or slips:
                sought += 1
            near, tier = postings.near(cursor, word, prefix=prefix, slips=slips)
            if near:
                group = msgspec.structs.replace(near, weight=NEAR_WEIGHT)
                tiers.add(tier)
        if group is None:
            missing.append(word)
        else:
            groups.append(group)
    deepest = next((tier for tier in ("words", "prefix", "close") if tier in tiers), "none")
    return Terms(tuple(groups), tuple(missing), deepest, statistics)


def _joined(word: str, one: TermGroup | None, more: TermGroup | None) -> TermGroup | None:
    if one is None or more is None:
        return one or more
    ids = tuple(dict.fromkeys(one.termids + more.termids))
    return TermGroup(word, ids, one.df + more.df)
