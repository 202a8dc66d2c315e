"""How sure we are, from the words alone.

`found` needs the question's rare words together in one passage: the share of the question's weight (each word by how rare
it is) that the best passage holds. Words nobody ever said weigh as the rarest. Wrongly sure is worse than unsure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from tray_app.library.postings import TermGroup, idf

CONFIDENT = 0.95
FEW = 3
"""Questions of fewer words than this need all of them."""


class Verdict(msgspec.Struct, frozen=True):
    """`word` is confident | likely | unsure | nothing."""

    word: str
    code: str
    reason: str

    @property
    def found(self) -> bool:
        return self.word in ("confident", "likely")


def share(words: Sequence[str], groups: Sequence[TermGroup], documents: int, held: Collection[str]) -> float:
    """Share of the question's weight held by a passage with the words `held`. 0 to 1."""
    df = {group.word: group.df for group in groups}
    weights = {word: idf(documents, df.get(word, 0)) for word in words}
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in held) / total if total else 0.0


def judge(words: Sequence[str], best: float, tier: str, missing: Sequence[str], threshold: float, *, phrases: bool) -> Verdict:
    """The verdict for the best passage's share of the words. `phrases`: quoted phrases were asked for and stand in it."""
    if phrases and not words:
        return Verdict("confident", "found_words", "The quoted words stand in this passage.")
    if tier not in ("words",):
        return Verdict("unsure", "weak_words", "Only words near to yours were found.")
    needed = 1.0 if len(words) < FEW else threshold
    if best >= max(needed, CONFIDENT) - 1e-9:
        return Verdict("confident", "found_words", "All words of the question stand in one passage.")
    if best >= needed - 1e-9:
        return Verdict("likely", "found_words", "The rare words of the question stand in one passage.")
    if missing:
        return Verdict("unsure", "missing_words", "Some words of the question were never said here.")
    return Verdict("unsure", "weak_words", "No one passage holds the rare words of the question together.")
