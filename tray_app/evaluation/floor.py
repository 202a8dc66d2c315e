"""The floor to compare with: plain BM25 (k1 1.2, b 0.75) over rounds, in memory, with our own splitting of words and nothing
else: no dates, no weights by who spoke, no stop words, no folding of copies.

It says 'found' where its best round holds enough of the question's rare words.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Sequence

from tray_app.evaluation.question_set import Session
from tray_app.evaluation.scoring import Outcome, Passage
from tray_app.text.segment import query_tokens, tokens

K1, B = 1.2, 0.75
COVERED = 0.6
"""Share of the question's weight (of its words' rarity) that the best round must hold for 'found'."""


class Floor:
    def __init__(self, sessions: Sequence[Session]) -> None:
        self.rounds: list[Passage] = []
        self.lengths: list[int] = []
        self.postings: dict[str, dict[int, int]] = defaultdict(dict)
        for session in sessions:
            for messages in session.rounds():
                words = Counter(word for message in messages for word in tokens(message.text))
                for word, count in words.items():
                    self.postings[word][len(self.rounds)] = count
                self.rounds.append(Passage(session.session, frozenset(message.id for message in messages)))
                self.lengths.append(words.total())
        self.mean = sum(self.lengths) / max(1, len(self.lengths))

    def rarity(self, word: str) -> float:
        known = len(self.postings.get(word, ()))
        return math.log(1 + (len(self.rounds) - known + 0.5) / (known + 0.5))

    def scores(self, query: str) -> list[tuple[float, int]]:
        """(score, place of the round), best first; equal ones in the order of the sessions."""
        found: dict[int, float] = defaultdict(float)
        for word in query_tokens(query):
            rarity = self.rarity(word)
            for place, count in self.postings.get(word, {}).items():
                share = self.lengths[place] / self.mean
                found[place] += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * share))
        return sorted(((score, place) for place, score in found.items()), key=lambda pair: (-pair[0], pair[1]))

    def ask(self, query: str, limit: int) -> Outcome:
        began = time.perf_counter()
        best = self.scores(query)[:limit]
        found = bool(best) and self.covered(query, best[0][1]) >= COVERED
        passages = tuple(self.rounds[place] for _, place in best)
        order = tuple(dict.fromkeys(passage.session for passage in passages))
        verdict = "found" if found else "unsure" if best else "nothing"
        return Outcome(found, verdict, passages, order, (), (time.perf_counter() - began) * 1000)

    def covered(self, query: str, place: int) -> float:
        """Share of the question's weight that stands in the round."""
        weights = {word: self.rarity(word) for word in query_tokens(query)}
        held = sum(weight for word, weight in weights.items() if place in self.postings.get(word, {}))
        return held / (sum(weights.values()) or 1.0)
