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
    """Whether an assistant's message of a passage gives the question's words back as a quotation, and says little of them
    itself. `weights`: what each word of the question weighs."""
    whole = sum(weights.values())
    if not whole:
        return False
    for message, text in candidate.parts:
        if message.role != "assistant":
            continue
        quoted = " \n".join(_QUOTED.findall(text))
        if not quoted:
            continue
        given_back = holding(weights, quoted)
        said = holding(weights, _QUOTED.sub(" ", text))
        weight = sum(weights[word] for word in given_back)
        if weight >= QUOTED_LEAST * whole and sum(weights[word] for word in given_back & said) <= BESIDE_MOST * weight:
            return True
    return False
