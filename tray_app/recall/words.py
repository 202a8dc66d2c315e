"""The lexical leg: the words of a question in the dictionary, tier after tier, never empty while any word is near.

words (with their stems and parts) → prefix → close spelling → substring. A word that no passage holds is tried in the next
tiers on its own, and named as missing if nothing is near it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from tray_app.library.postings import TermGroup, idf
from tray_app.library.reading import Reader
from tray_app.recall.crossing import Bridges, cross, wanted
from tray_app.text.glossary import expand
from tray_app.text.segment import fold_text, is_unspaced, iter_words, query_tokens, tokens, word_tokens
from tray_app.text.snippet import find_marks

NEAR_WEIGHT = 0.5
"""A near word (prefix, spelling) counts half: the person did not write it."""
SHORTEST_PREFIX = 3
SHORTEST_SPELLING = 5
MOST_SOUGHT = 2
ENOUGH = 3
"""With so many words found, neither near ones are sought nor what holds a lone character: each costs a reading of the
dictionary, and changes little beside the others."""
MOST_POSTINGS = 100_000
"""A lone character beside other words that stands in more places says nothing, and costs much: it is let go."""
MOST_WORDS = 48
"""Words that are ranked by; of a longer question (a pasted log) its rarest."""


class Terms(msgspec.Struct, frozen=True):
    """The question's words as the dictionary knows them. `tier` is the nearest that answered."""

    groups: tuple[TermGroup, ...]
    missing: tuple[str, ...]
    tier: str
    documents: int = 0
    """Passages in the index."""
    required: frozenset[int] = frozenset()
    """Terms of quoted phrases: all must be there."""
    impossible: bool = False
    """A quoted phrase holds a word that no passage holds."""
    bridges: Bridges = Bridges()
    """What else the question's terms are called, as far as any passage says it."""
    others: int = 0
    """How many of the groups are these: the last ones."""

    @property
    def asked(self) -> tuple[TermGroup, ...]:
        """The groups of the question's own words."""
        return self.groups[: len(self.groups) - self.others]

    @property
    def translated(self) -> tuple[tuple[str, str], ...]:
        """Terms of the question, and what the other language calls them."""
        return tuple((bridge.source, bridge.form) for bridge in self.bridges.found if bridge.foreign)

    def shown(self) -> frozenset[str]:
        """All words that count as found where they stand."""
        return frozenset(word for group in self.groups for word in (group.word, *group.terms))


def find_terms(reader: Reader, words: Sequence[str], phrases: Sequence[str] = (), text: str = "") -> Terms:
    """Look words up; what the dictionary lacks is sought as a prefix (the last word, which may be half typed) or as a slip
    of the pen, unless enough words are found without. `text` is the question without phrases and operators: its terms are
    sought as the glossary knows them, too."""
    documents, _ = reader.statistics()
    if not documents:
        return Terms((), tuple(words), "none")
    known = expand(text) if words and text else ()
    found = reader.lookup(list(dict.fromkeys([*words, *wanted(known)])))
    exact = {word: found[word] for word in words if word in found}
    groups: list[TermGroup] = []
    missing: list[str] = []
    tiers = {"words"} if exact else set()
    sought = 0
    for place, word in enumerate(words):
        group = exact.get(word)
        if _is_lone(word) and len(exact) < ENOUGH:
            more = reader.containing_character(word)
            if more and len(words) > 1 and more.df > MOST_POSTINGS:
                if group is None:
                    continue
            elif more:
                group = _joined(word, group, more)
                tiers.add("words")
        if group is None and not is_unspaced(word[0]) and sought < MOST_SOUGHT and len(exact) < ENOUGH:
            prefix = len(word) >= SHORTEST_PREFIX and (place == len(words) - 1 or not exact)
            slips = (2 if len(word) >= 8 else 1) if word.isalpha() and len(word) >= SHORTEST_SPELLING else 0
            if prefix or slips:
                sought += 1
                near, tier = reader.near(word, prefix=prefix, slips=slips)
                if near:
                    group = msgspec.structs.replace(near, weight=NEAR_WEIGHT)
                    tiers.add(tier)
        if group is None:
            missing.append(word)
        else:
            groups.append(group)
    quoted = [word for phrase in phrases for word in query_tokens(phrase) if not _is_lone(word)]
    required = frozenset(exact[word].termids[0] for word in quoted if word in exact)
    if len(groups) > MOST_WORDS:
        always = [group for group in groups if required.intersection(group.termids)]
        rare = sorted((group for group in groups if group not in always), key=lambda group: group.df)
        groups = [*always, *rare[: max(MOST_WORDS - len(always), 0)]]
    bridges, others = cross(known, found, documents, {termid for group in groups for termid in group.termids})
    if others:
        tiers.add("translated")
    deepest = next((tier for tier in ("words", "prefix", "close", "translated") if tier in tiers), "none")
    impossible = any(word not in exact for word in quoted)
    return Terms((*groups, *others), tuple(missing), deepest, documents, required, impossible, bridges, len(others))


def as_typed(texts: Sequence[str], missing: Collection[str]) -> tuple[str, ...]:
    """The words of a question that hold these tokens, as the person wrote them but in lower case: a token may be a stem or a pair of
    characters, which nobody reads."""
    named: dict[str, None] = {}
    for text in texts if missing else ():
        for word, _ in iter_words(fold_text(text)):
            if not is_unspaced(word[0]):
                if not set(missing).isdisjoint(word_tokens(word)):
                    named[word.casefold()] = None
            else:
                named.update(dict.fromkeys(word[start:end] for start, end in find_marks(word, missing)))
    return tuple(named)


def held_weight(terms: Terms, text: str) -> float:
    """How much of the question's weight a text holds: each word by how rare it is."""
    held = holding(terms.shown(), text)
    return sum(
        group.weight * idf(terms.documents, group.df)
        for group in terms.groups
        if group.word in held or not held.isdisjoint(group.terms)
    )


def holding(words: Collection[str], text: str) -> set[str]:
    """Which of the words a text holds. A lone character stands anywhere in a run, not only where tokens are cut."""
    found = set(tokens(text))
    return {word for word in words if word in found or (_is_lone(word) and word in text)}


def _is_lone(word: str) -> bool:
    return len(word) == 1 and is_unspaced(word)


def _joined(word: str, one: TermGroup | None, more: TermGroup) -> TermGroup:
    if one is None:
        return more
    ids = tuple(dict.fromkeys(one.termids + more.termids))
    return TermGroup(word, ids, one.df + more.df)
