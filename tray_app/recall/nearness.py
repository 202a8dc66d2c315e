"""The leg of meaning: how near the passages of a library are to a question.

Owns when this leg answers and how its similarities become scores. Vectors are made elsewhere and lie in the library; without
them words answer alone, and the reason is told.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tray_app.embed.base import LATE, Asked, MeaningState
from tray_app.library.centring import Background
from tray_app.library.postings import Scores
from tray_app.library.reading import Reader
from tray_app.recall.scope import Scope

EMPTY = MeaningState("empty", "No passage has its vector yet: these are found by words.")
Ask = Callable[[str], Asked]
"""Who makes vectors of questions: begins at once, in the background."""


BY_CHANCE = 0.3
"""Of `Background.strength`."""


class Meant:
    """The leg's answer: a similarity for each passage that is admitted, by id."""

    def __init__(self, scores: Scores, floor: float, background: Background | None) -> None:
        self.scores, self.floor, self.background = scores, floor, background
        self.top = float(scores.values.max(initial=floor))

    def is_near(self, similarity: float) -> bool:
        """Nearer than by chance: what a name that nobody ever said here must be answered by, if by anything."""
        return self.background is not None and self.background.strength(similarity) >= BY_CHANCE

    def share(self, similarities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where similarities lie between what any passage has (0) and the best (1)."""
        width = self.top - self.floor
        return np.clip((similarities - self.floor) / width, 0.0, 1.0) if width > 0 else np.zeros(len(similarities))


def find_near(reader: Reader, asked: Asked, scope: Scope, patience_s: float) -> tuple[Meant | None, str, str]:
    """The passages by nearness, or None; how the leg stands, as in `Answer.meaning` and `Answer.meaning_note`.
    Neither the question's vector nor the passages' is waited for longer than `patience_s`."""
    vector = asked.wait(patience_s)
    if isinstance(vector, MeaningState):
        return None, vector.code, vector.note
    matrix = reader.matrix(vector.space, patience_s)
    if matrix is None:
        return None, LATE.code, LATE.note
    if not len(matrix):
        return None, EMPTY.code, EMPTY.note
    question = matrix.facts.question(vector.vector, vector.language)
    ids, values = matrix.best_by_chunk(matrix.scan(question))
    known = reader.passages().known
    there = ids < len(known)
    there[there] = known[ids[there]]
    floor = float(np.median(values[there])) if there.any() else 0.0
    if scope.mask is not None:
        there[there] = scope.mask[ids[there]]
    scores = Scores(ids[there].astype(np.int64), values[there].astype(np.float64))
    return Meant(scores, floor, matrix.facts.background), "on", ""
