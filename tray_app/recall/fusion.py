"""Two lists into one: what words and what meaning say of a passage, its neighbours, its session, its kind and its time.

Owns the weights and the order; sees no text. Scores are shares of the best of their own leg, 0 to 1, so that they can be
added: reciprocal ranks at k = 60 are worse than words alone where the vectors are weak (measured).
"""

from __future__ import annotations

from collections.abc import Sequence

from tray_app.recall.candidates import Candidate

NEIGHBOUR = 0.25
"""Share of a passage's score that the passages beside it in its session get."""
SESSION = 0.3
"""Share of the mean of its session's best passages that a passage gets: r@5 +.02 on both sets, by words alone too."""
SESSION_BEST = 3
KIND_WEIGHTS = {"round": 1.0, "summary": 0.9, "note": 0.9, "tool": 0.9, "reasoning": 0.6}
INSIDE_TIME = 2.5
"""What lies inside an understood time ranks above all that lies outside, whose scores stay below this with all that is added: 2.05."""
WEEK_MS = 7 * 86_400_000
AFTERWARDS = 0.08
"""Share of it for the week after."""
UNSURE_TIME = 0.4
"""The same where the time words may as well tell what the talk was about (九月毛利): a help, no border."""
LATELY, LATELY_FROM = 0.3, 0.55
"""Where it is asked how something is now, what answers about as well as the best gains this much by being the newest of them: a
decision that was taken back is older than the one that holds."""
SWAY = 0.2
COVERED_NONE, COVERED_WELL = 0.05, 0.35
"""Shares of the most that BM25 could give: a question whose words hardly stand anywhere is left to meaning, one whose rare words
stand together to words. Both sets show it, and without it each wants another balance."""
QUOTED = 0.6
"""What is left to an answer that merely gives the question back."""
NEAR_EQUAL = 0.01
"""Scores nearer to each other than this say nothing: the newer comes first."""
FRESH_SHARE = 0.5
"""Share of the best score from which on the freshest may be put first."""


def words_share(meaning: float, coverage: float) -> float:
    """What words count, 0 to 1. `meaning` is the setting: what meaning counts for a question that is covered middling; at 0 and
    at 1 it alone decides. `coverage`: the best BM25 as a share of the most there could be."""
    if not 0 < meaning < 1:
        return 1 - meaning
    place = (coverage - COVERED_NONE) / (COVERED_WELL - COVERED_NONE)
    return min(max(1 - meaning + SWAY * (2 * min(max(place, 0.0), 1.0) - 1), 0.0), 1.0)


def adjust(
    candidates: Sequence[Candidate],
    span: tuple[int, int] | None,
    share: float = 1.0,
    *,
    sure: bool = True,
    lately: bool = False,
) -> list[Candidate]:
    """Fuse both legs at this share of words, spread to neighbours and sessions, weigh kinds, put what lies inside the understood
    time first (unless it is not `sure` that it is one). Best first; where scores say nothing the newer first. `lately`: it is
    asked how something is now."""
    fused = {one.id: share * one.words_score + (1 - share) * one.meaning_score for one in candidates}
    by_id = {one.id: one for one in candidates}
    of_session: dict[int, list[float]] = {}
    for one in candidates:
        of_session.setdefault(one.session_id, []).append(fused[one.id])
    support = {
        number: SESSION * sum(sorted(scores, reverse=True)[:SESSION_BEST]) / SESSION_BEST
        for number, scores in of_session.items()
    }
    for one in candidates:
        beside = (by_id.get(one.id - 1), by_id.get(one.id + 1))
        one.neighbour = NEIGHBOUR * max(
            (fused[other.id] for other in beside if other and other.session_id == one.session_id), default=0.0
        )
        one.score = KIND_WEIGHTS.get(one.kind, 1.0) * (fused[one.id] + one.neighbour + support[one.session_id])
    if lately:
        _prefer_new(candidates)
    if span:
        start, end = span
        inside = INSIDE_TIME if sure else UNSURE_TIME
        for one in candidates:
            one.inside = start <= one.time < end
            one.outside = sure and not one.inside
            if one.inside:
                one.score += inside
            elif end <= one.time < end + WEEK_MS:
                one.score += inside * AFTERWARDS
    return in_order(candidates)


def _prefer_new(candidates: Sequence[Candidate]) -> None:
    top = max((one.score for one in candidates), default=0.0)
    good = sorted(
        (one for one in candidates if one.score >= LATELY_FROM * top and not one.ahead), key=lambda one: (one.time, one.id)
    )
    for place, one in enumerate(good):
        one.score += LATELY * place / max(len(good) - 1, 1)


def hold_back(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The same with what merely quotes the question lowered, in order again."""
    for one in candidates:
        if one.quotes:
            one.score -= _without_tier(one) * (1 - QUOTED)
    return in_order(candidates)


def in_order(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Best first, and within each stretch of nearly equal scores the newer first, what is dated ahead last."""
    ranked = sorted(candidates, key=lambda one: (-one.score, -one.id))
    ordered: list[Candidate] = []
    start = 0
    while start < len(ranked):
        end = start + 1
        while end < len(ranked) and ranked[end].score >= ranked[start].score * (1 - NEAR_EQUAL):
            end += 1
        ordered += sorted(ranked[start:end], key=by_freshness)
        start = end
    return ordered


def freshest_first(ranked: Sequence[Candidate]) -> list[Candidate]:
    """What answers about as well as the best, by time; what answers worse stays behind it as it was. What lies outside an
    understood time stays behind all that lies inside."""
    ordered: list[Candidate] = []
    for outside in (False, True):
        tier = [one for one in ranked if one.outside is outside]
        least = FRESH_SHARE * max((_without_tier(one) for one in tier), default=0.0)
        ordered += sorted((one for one in tier if _without_tier(one) >= least), key=by_freshness)
        ordered += [one for one in tier if _without_tier(one) < least]
    return ordered


def _without_tier(one: Candidate) -> float:
    """Its score without what it has for standing inside an understood time."""
    return one.score - INSIDE_TIME if one.score >= INSIDE_TIME else one.score


def by_freshness(candidate: Candidate) -> tuple[bool, int, int]:
    """Sorts the newer first, what is dated ahead last."""
    return candidate.ahead, -candidate.time, -candidate.id
