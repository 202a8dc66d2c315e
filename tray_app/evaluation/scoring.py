"""What an answer is worth: ranked passages against the messages that answer the question, summed over groups of questions.

A passage is right if it is of a gold session and holds one of its gold messages. Knows nothing of how answers are made.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from tray_app.evaluation.native import NOISE, Names
from tray_app.evaluation.question_set import Question, Traps, squeezed
from tray_app.records import Answer

FIRST = (1, 5, 10)


class Passage(NamedTuple):
    """A hit in terms of the set: its session, and those of its messages that it covers."""

    session: str
    messages: frozenset[str]


class Outcome(NamedTuple):
    """How a question was answered: passages best first, sessions best first, and whether it was said to be found."""

    found: bool
    verdict: str
    passages: tuple[Passage, ...]
    sessions: tuple[str, ...]
    texts: tuple[str, ...]
    """All that would be shown."""
    milliseconds: float


class Leak(msgspec.Struct, frozen=True):
    """Words that must not come back, and did."""

    question: str
    kind: str
    """injected | reasoning | secret | harness"""
    phrase: str


class Judged(msgspec.Struct, frozen=True):
    """One question. Ranks count from 1; None: not among the hits, or nothing answers it."""

    id: str
    category: str
    lang: str
    answerable: bool
    found: bool
    verdict: str
    rank: int | None
    session_rank: int | None
    recall: tuple[float, ...]
    """Share of the gold sessions that the first 1, 5, 10 passages hit."""
    session_recall: tuple[float, ...]
    """The same with the session alone, over the first 1, 5, 10 sessions."""
    first_right: bool
    hits: int
    milliseconds: float


class Figures(msgspec.Struct, frozen=True):
    """Means over a group; None where no question of the group counts for it."""

    n: int
    answerable: int
    recall_1: float | None
    recall_5: float | None
    recall_10: float | None
    session_1: float | None
    session_5: float | None
    mrr: float | None
    """Of the first right passage."""
    found: float | None
    """Of the questions that have an answer, the share of which that was said."""
    false_found: float | None
    """Of those that have none."""
    precision: float | None
    """Of the questions that were said to be found, the share whose first passage is right."""


class Latency(msgspec.Struct, frozen=True):
    """Milliseconds a question, in this process."""

    p50: float
    p95: float
    worst: float


class Recogniser:
    """Finds in the agents' own names what the set calls a session or a message."""

    def __init__(self, written: Iterable[Names]) -> None:
        self.sessions = {(names.agent, names.session): names for names in written}

    def outcome(self, answer: Answer, milliseconds: float) -> Outcome:
        """The answer in terms of the set. Sessions it does not know (which would be ours to explain) keep their own name."""
        ranked: list[tuple[int, Passage]] = []
        texts: list[str] = []
        for one in answer.sessions:
            names = self.sessions.get((one.agent, one.session))
            key = names.key if names else one.session
            texts += [one.title, one.parent_title]
            for hit in one.hits:
                ids = (hit.message_id, *hit.message_ids)
                covered = frozenset(own for name in ids for own in names.messages.get(name, ())) if names else frozenset()
                ranked.append((hit.rank, Passage(key, covered)))
                texts += [hit.text, hit.snippet]
        ranked.sort(key=lambda pair: pair[0])
        passages = tuple(passage for _, passage in ranked)
        if answer.fallback_menu is not None:
            for item in answer.fallback_menu.sessions:
                texts += [item.label, item.title, item.preview]
            texts += [topic for day in answer.fallback_menu.days for topic in day.topics]
        order = tuple(dict.fromkeys(passage.session for passage in passages))
        return Outcome(answer.found, answer.verdict, passages, order, tuple(texts), milliseconds)


def judge(question: Question, outcome: Outcome) -> Judged:
    gold = {one.session: frozenset(one.messages) for one in question.gold}
    right = [bool(passage.messages & gold.get(passage.session, frozenset())) for passage in outcome.passages]

    def recall(count: int) -> float:
        hit = {passage.session for passage, good in zip(outcome.passages[:count], right, strict=False) if good}
        return len(hit) / len(gold)

    def session_recall(count: int) -> float:
        return len(gold.keys() & set(outcome.sessions[:count])) / len(gold)

    return Judged(
        id=question.id,
        category=question.category,
        lang=question.lang,
        answerable=bool(gold),
        found=outcome.found,
        verdict=outcome.verdict,
        rank=right.index(True) + 1 if True in right else None,
        session_rank=next((place for place, session in enumerate(outcome.sessions, 1) if session in gold), None),
        recall=tuple(map(recall, FIRST)) if gold else (),
        session_recall=tuple(map(session_recall, FIRST)) if gold else (),
        first_right=right[:1] == [True],
        hits=len(outcome.passages),
        milliseconds=round(outcome.milliseconds, 3),
    )


def leaks(question: Question, outcome: Outcome, traps: Traps) -> Iterator[Leak]:
    """Each phrase that must not come back, once for a question."""
    shown = [squeezed(text) for text in outcome.texts]
    for phrase, kind in {**traps.phrases(), NOISE: "harness"}.items():
        if any(phrase in text for text in shown):
            yield Leak(question.id, kind, phrase)


def groups(judged: Sequence[Judged]) -> dict[str, Figures]:
    """Figures of all, of each category and of each language, in the order in which they come."""
    found: dict[str, list[Judged]] = {"all": list(judged)}
    for name in ("category", "lang"):
        for one in judged:
            found.setdefault(f"{name}:{getattr(one, name)}", []).append(one)
    return {name: figures(members) for name, members in found.items()}


def figures(judged: Sequence[Judged]) -> Figures:
    answerable = [one for one in judged if one.answerable]
    others = [one for one in judged if not one.answerable]
    return Figures(
        n=len(judged),
        answerable=len(answerable),
        recall_1=_mean(one.recall[0] for one in answerable),
        recall_5=_mean(one.recall[1] for one in answerable),
        recall_10=_mean(one.recall[2] for one in answerable),
        session_1=_mean(one.session_recall[0] for one in answerable),
        session_5=_mean(one.session_recall[1] for one in answerable),
        mrr=_mean(1 / one.rank if one.rank else 0.0 for one in answerable),
        found=_mean(one.found for one in answerable),
        false_found=_mean(one.found for one in others),
        precision=_mean(one.first_right for one in judged if one.found),
    )


def latency(judged: Sequence[Judged]) -> Latency:
    """Of at least one question; the rank of a percentile is rounded up."""
    times = sorted(one.milliseconds for one in judged)
    p50, p95 = (times[math.ceil(share * len(times)) - 1] for share in (0.5, 0.95))
    return Latency(p50, p95, times[-1])


def _mean(values: Iterable[float]) -> float | None:
    counted = list(values)
    return round(sum(counted) / len(counted), 4) if counted else None
