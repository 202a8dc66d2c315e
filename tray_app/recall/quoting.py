"""Whether an answer merely gives the question back: 'You asked: "…"'.

Such a passage holds every word of the question and answers nothing; it must not stand before the answer, nor count as evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tray_app.recall.candidates import Candidate
from tray_app.recall.words import holding

SHORTEST = 6
"""Characters of a quotation."""
QUOTED_LEAST = 0.5
"""Share of the question's weight that the quotations of an answer hold."""
BESIDE_MOST = 0.5
"""Share of that which the rest of the answer says, too, at most."""

_QUOTED = re.compile(
    r"“[^“”]{%d,600}”|「[^「」]{%d,600}」|『[^『』]{%d,600}』|\"[^\"\n]{%d,600}\"|^>[^\n]*(?:\n>[^\n]*)*" % ((SHORTEST,) * 4),  # noqa: UP031
    re.MULTILINE,
)


def quotes_question(candidate: Candidate, weights: Mapping[str, float]) -> bool:
    """Whether the assistant's messages of a passage give the question's words back as a quotation, and say little of them
    themselves. `weights`: what each word of the question weighs."""
    said = [text for message, text in candidate.parts if message.role == "assistant"]
    quoted = [quotation for text in said for quotation in _QUOTED.findall(text)]
    given_back = holding(weights, "\n".join(quoted)) if quoted else set()
    weight = sum(weights[word] for word in given_back)
    if not given_back or weight < QUOTED_LEAST * sum(weights.values()):
        return False
    beside = holding(given_back, "\n".join(_QUOTED.sub(" ", text) for text in said))
    return sum(weights[word] for word in beside) <= BESIDE_MOST * weight
