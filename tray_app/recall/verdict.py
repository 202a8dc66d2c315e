"""Whether the best passages answer the question, said in four words: confident, likely, unsure, nothing.

`found` (confident or likely) needs evidence: the question's rare words together in one passage, or a nearness that questions
which were not made for this library do not reach (`Background`), borne out by words. Words nobody ever said weigh as the
rarest. Wrongly sure is worse than unsure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from tray_app.library.postings import idf
from tray_app.recall.candidates import Candidate
from tray_app.recall.nearness import Meant
from tray_app.recall.words import Terms, holding

CONFIDENT = 0.95
FEW = 3
"""Questions of fewer words than this need all of them."""
SAID_LEAST = 0.3
"""Share that a passage must say itself before its session's title counts with it."""
CROSSED = 0.5
"""What a word counts that stands there in the other language."""


class Verdict(msgspec.Struct, frozen=True):
    """`word` is confident | likely | unsure | nothing."""

    word: str
    code: str
    reason: str

    @property
    def found(self) -> bool:
        return self.word in ("confident", "likely")


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for the first hits. Shares are of the question's weight, 0 to 1."""

    words: int
    held: float
    """By the passage that holds most, of the first few."""
    first: float
    """By the first passage, words of the other language counting half."""
    near: float | None
    """How much nearer the nearest of the first few is than what a question that was not made for this library finds at best: 0 as
    near as the middle one of these, 1 as near as one in a hundred. None: not known."""
    agreed: bool
    """The first passage is among the first three of both legs."""
    quoted: bool
    """The first passage merely gives the question back."""

    @classmethod
    def of(
        cls,
        hits: Sequence[Candidate],
        weights: Mapping[str, float],
        terms: Terms,
        titles: Mapping[int, str],
        meant: Meant | None,
    ) -> Evidence:
        """`hits`: the first few, not none, with their texts; `titles`: of their sessions by id."""
        shares = [_shares(weights, terms, hit.text, titles.get(hit.session_id, "")) for hit in hits if not hit.quotes]
        first = hits[0]
        background = meant.background if meant else None
        near = None
        if background:
            width = max(background.top99 - background.top50, 1e-3)
            near = (max(hit.similarity for hit in hits) - background.top50) / width
        return cls(
            words=len(weights), held=max((held for held, _ in shares), default=0.0),
            first=_shares(weights, terms, first.text, titles.get(first.session_id, ""))[1], near=near,
            agreed=(first.words_rank or 99) <= 3 and (first.meaning_rank or 99) <= 3, quoted=first.quotes,
        )  # fmt: skip


def weigh(words: Sequence[str], terms: Terms) -> dict[str, float]:
    """What each word of a question weighs: by how rare it is, the rarest where no passage holds it."""
    df = {group.word: group.df for group in terms.groups}
    return {word: idf(terms.documents, df.get(word, 0)) for word in words}


def _shares(weights: Mapping[str, float], terms: Terms, text: str, title: str) -> tuple[float, float]:
    """The share of the question's weight that a passage holds, and the same with what it says in the other language. Its
    session's title counts with it, since that is what the passage is about, as long as the passage itself says a good part."""
    whole = sum(weights.values())
    if not whole:
        return 0.0, 0.0
    said = holding(weights, text)
    if title and sum(weights[word] for word in said) >= SAID_LEAST * whole:
        said |= holding(weights, title)
    crossed = terms.bridges.words(holding(terms.shown(), text)) if terms.bridges.found else frozenset()
    held = sum(weights[word] for word in said)
    more = sum(weights[word] for word in crossed if word in weights and word not in said)
    return held / whole, (held + CROSSED * more) / whole


def judge(evidence: Evidence, tier: str, missing: Sequence[str], threshold: float, *, phrases: bool) -> Verdict:
    """The verdict on the evidence. `tier`: the nearest that words answered in; `threshold`: the share that one passage must hold;
    `phrases`: quoted phrases were asked for and stand in it."""
    if phrases and not evidence.words:
        return Verdict("confident", "found_words", "The quoted words stand in this passage.")
    if tier not in ("words", "translated"):
        return Verdict("unsure", "weak_words", "Only words near to yours were found.")
    needed = 1.0 if evidence.words < FEW else threshold
    if evidence.held >= max(needed, CONFIDENT) - 1e-9:
        return Verdict("confident", "found_words", "All words of the question stand in one passage.")
    if evidence.held >= needed - 1e-9:
        return Verdict("likely", "found_words", "The rare words of the question stand in one passage.")
    if missing:
        return Verdict("unsure", "missing_words", "Some words of the question were never said here.")
    return Verdict("unsure", "weak_words", "No one passage holds the rare words of the question together.")
