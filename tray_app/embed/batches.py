"""Many texts into vectors, so that one bad text costs that text alone.

Owns the order, the splitting and the check of every vector. Knows no back end and never waits: how long to rest after a fault
is `rests`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

import msgspec

from tray_app.embed.base import Embedder, EmbedFault, Space, TextFault, Vectors
from tray_app.embed.vectors import flaw, unit

SHORTEST_CUT = 300
"""Characters. A text this short is not refused for its length."""


class Refusal(msgspec.Struct, frozen=True):
    """A text that gets no vector. `reason`: blank | refused (by the back end, and its beginning too) | not_finite | zero |
    length (what came is no vector of this space)."""

    reason: str


Outcome = list[tuple[int, Vectors | Refusal]]
"""Of one call: the text's index, and its vector (shape (dims,), unit length where the space says so) or why there is none."""


def embed_batches(embedder: Embedder, texts: Sequence[str], stop: Callable[[], bool] = lambda: False) -> Iterator[Outcome]:
    """Every text once, handed out as soon as it is there; short texts first. Ends early, between two calls, when `stop` says so.

    EmbedFault comes through when its turn comes: what was handed out before stays good. Texts that a call refuses are halved
    in number down to the one; that one is tried with its beginning alone, since a vector of the beginning is better than none.
    """
    blank: Outcome = [(index, Refusal("blank")) for index, text in enumerate(texts) if not text.strip()]
    if blank:
        yield blank
    order = sorted((index for index, text in enumerate(texts) if text.strip()), key=lambda index: (len(texts[index]), index))
    if order and not stop():
        yield from _Run(embedder, texts, stop).all_of(order)


class _Run:
    def __init__(self, embedder: Embedder, texts: Sequence[str], stop: Callable[[], bool]) -> None:
        self._embedder, self._texts, self._stop = embedder, texts, stop
        self._space: Space = embedder.space()
        self._ceiling = len(texts)
        """Texts that a call takes, as learned from refusals: services do not say, or say it too late."""

    def all_of(self, order: Sequence[int]) -> Iterator[Outcome]:
        start = 0
        while start < len(order) and not self._stop():
            part = order[start : start + max(1, min(self._embedder.batch, self._ceiling))]
            yield from self._part(part)
            start += len(part)

    def _part(self, part: Sequence[int]) -> Generator[Outcome, None, bool]:
        """Texts of one call, split as far as it takes. True when all of them passed."""
        if self._stop():
            return False
        try:
            outcome = self._asked(part, [self._texts[index] for index in part])
        except TextFault:
            if len(part) == 1:
                beginning = self._beginning(part[0])
                if beginning is not None:
                    yield [(part[0], beginning)]
                return False
            size = max(1, min((len(part) + 1) // 2, self._embedder.batch))  # which may have learned its limit just now
            passed = True
            for start in range(0, len(part), size):
                passed = (yield from self._part(part[start : start + size])) and passed
            if passed:  # no text was to blame, so it was their number
                self._ceiling = min(self._ceiling, size)
            return passed
        yield outcome
        return True

    def _beginning(self, index: int) -> Vectors | Refusal | None:
        """The vector of a refused text's beginning: half of it, and half again while that is still long. Tool results have
        6,000 characters, and some models read 512 tokens. None when told to stop before it is known."""
        text = self._texts[index]
        while not self._stop():
            text = text[: len(text) // 2]
            if not text.strip():
                return Refusal("refused")
            try:
                return self._asked([index], [text])[0][1]
            except TextFault:
                if len(text) <= SHORTEST_CUT:
                    return Refusal("refused")
        return None

    def _asked(self, part: Sequence[int], texts: Sequence[str]) -> Outcome:
        rows = self._embedder.documents(texts)
        if len(rows) != len(texts):
            raise EmbedFault(
                "embedding_bad_answer",
                "Answer not understood",
                f"{len(rows)} vectors came for {len(texts)} texts.",
                "Try again later.",
            )
        return [(index, self._checked(row)) for index, row in zip(part, rows, strict=True)]

    def _checked(self, row: Vectors) -> Vectors | Refusal:
        reason = flaw(row, self._space.dims)
        if reason:
            return Refusal(reason)
        return unit(row) if self._space.normalised else row
