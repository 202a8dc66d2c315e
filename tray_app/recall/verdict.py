"""Whether the best passages answer the question, said in four words: confident, likely, unsure, nothing.

`found` (confident or likely) needs evidence: the question's rare words together in one passage, or a nearness that is not met by
chance in this library (`Background`), borne out by some of the words or, where it is very near, by the time that was named.
Words nobody ever said weigh as the rarest. Wrongly sure is worse than unsure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from tray_app.library.postings import idf
from tray_app.recall.candidates import Candidate
from tray_app.recall.nearness import Meant
from tray_app.recall.words import Terms, holding
from tray_app.text.segment import fold_text, is_unspaced, iter_words, word_tokens

CONFIDENT = 0.95
FEW = 3
"""Questions of fewer words than this need all of them."""
SAID_LEAST = 0.3
"""Share that a passage must say itself before its session's title counts with it."""
NEAR, NEAR_LEAST, NEAR_MOST = 0.35, -0.5, 1.2
AGREED, IN_TIME = 0.2, 0.15
"""What nearness (so far as it counts), the agreement of both legs, and standing in the time that was named add to the share of
words. Set on the authored set, where no question that has no answer comes near `search.found_evidence`."""
SURELY = 1.0
SAID_AT_LEAST, VERY_NEAR = 0.25, 0.7
"""Nearness alone is no proof: some of the words must be there, too, unless the passage is nearer than nearly any stray one."""
CROSSED = 0.5
"""What a word counts that stands there in the other language."""
SENTENCE_ENDS = ".!?:;…"
"""After these a word has a capital letter and is no name for it. (Full-width ones are folded to them.)"""


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
    """How near the nearest of the first few is, against what is near here by chance (`Background.strength`). None: not known."""
    in_time: bool
    """A time was named, and the first passage stands in it."""
    agreed: bool
    """The first passage is among the first three of both legs."""
    quoted: bool
    """The first passage merely gives the question back."""
    unnamed: bool
    """A name in the question stands neither in the first passage nor in its session's title."""

    @property
    def is_borne_out(self) -> bool:
        """Whether nearness may count: near enough at all, by some of the words, with every name said, in an answer and not in the
        question given back."""
        said = max(self.first, self.held) >= SAID_AT_LEAST or (self.near is not None and self.near >= VERY_NEAR)
        near = self.near is not None and self.near >= NEAR_LEAST
        return near and said and not self.unnamed and not self.quoted

    @property
    def weight(self) -> float | None:
        """All of it as one figure, about 0 to 1.7; None: words alone."""
        if self.near is None:
            return None
        near = NEAR * min(max(self.near, NEAR_LEAST), NEAR_MOST)
        return max(self.first, self.held) + near + AGREED * self.agreed + IN_TIME * self.in_time

    @classmethod
    def of(
        cls,
        hits: Sequence[Candidate],
        weights: Mapping[str, float],
        terms: Terms,
        titles: Mapping[int, str],
        meant: Meant | None,
        text: str,
        *,
        timed: bool,
    ) -> Evidence:
        """`hits`: the first few, not none, with their texts; `titles`: of their sessions by id; `text`: of the question."""
        shares = [_shares(weights, terms, hit.text, titles.get(hit.session_id, "")) for hit in hits if not hit.quotes]
        first = hits[0]
        background = meant.background if meant else None
        near = background.strength(max(hit.similarity for hit in hits)) if background else None
        return cls(
            words=len(weights), held=max((held for held, _ in shares), default=0.0),
            first=_shares(weights, terms, first.text, titles.get(first.session_id, ""))[1], near=near,
            agreed=(first.words_rank or 99) <= 3 and (first.meaning_rank or 99) <= 3, quoted=first.quotes, in_time=timed and first.inside,
            unnamed=_leaves_unnamed(names(text), f"{first.text}\n{titles.get(first.session_id, '')}"),
        )  # fmt: skip


def weigh(words: Sequence[str], terms: Terms) -> dict[str, float]:
    """What each word of a question weighs: by how rare it is, the rarest where no passage holds it."""
    df = {group.word: group.df for group in terms.groups}
    return {word: idf(terms.documents, df.get(word, 0)) for word in words}


def names(text: str) -> set[str]:
    """Tokens of the words in a question that name something: Latin words with capitals beyond the first letter, with digits, with a
    capital inside a sentence, or any in a question that is not in Latin script."""
    folded = fold_text(text)
    words = [(word, at) for word, at in iter_words(folded) if not is_unspaced(word[0])]
    foreign = any(is_unspaced(character) for character in folded)
    found: set[str] = set()
    for word, at in words:
        before = folded[:at].rstrip()[-1:]
        capital = any(character.isupper() for character in (word if before and before not in SENTENCE_ENDS else word[1:]))
        if (
            (foreign and not word.isdecimal())
            or capital
            or (word[:1].isalpha() and any(character.isdecimal() for character in word))
        ):
            found.update(word_tokens(word))
    return found


def _leaves_unnamed(named: set[str], text: str) -> bool:
    return bool(named - holding(named, text))


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


def judge(evidence: Evidence, tier: str, missing: Sequence[str], share: float, enough: float, *, phrases: bool) -> Verdict:
    """The verdict on the evidence. `tier`: the nearest that words answered in; `share`: of the question's weight, that one passage must
    hold; `enough`: evidence of all kinds that does as well; `phrases`: quoted phrases were asked for and stand in it."""
    if phrases and not evidence.words:
        return Verdict("confident", "found_words", "The quoted words stand in this passage.")
    weight = evidence.weight
    if tier not in ("words", "translated") and weight is None:
        return Verdict("unsure", "weak_words", "Only words near to yours were found.")
    needed = 1.0 if evidence.words < FEW else share
    if evidence.held >= max(needed, CONFIDENT) - 1e-9:
        return Verdict("confident", "found_words", "All words of the question stand in one passage.")
    if evidence.held >= needed - 1e-9:
        return Verdict("likely", "found_words", "The rare words of the question stand in one passage.")
    if weight is not None and weight >= enough and evidence.is_borne_out:
        word = "confident" if weight >= max(SURELY, enough) and evidence.agreed else "likely"
        return Verdict(word, "found_meaning", "A passage says what was asked, partly in other words.")
    if evidence.quoted:
        return Verdict("unsure", "quoted_back", "The question itself was found, and no answer to it.")
    if missing:
        return Verdict("unsure", "missing_words", "Some words of the question were never said here.")
    if weight is not None:
        return Verdict("unsure", "weak_meaning", "Nothing here is near enough to the question.")
    return Verdict("unsure", "weak_words", "No one passage holds the rare words of the question together.")
