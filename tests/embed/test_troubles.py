"""What keeps us from asking a back end, and for how long."""

from __future__ import annotations

import math

import pytest

from tray_app.embed.base import EmbedFault
from tray_app.embed.troubles import PASSAGES, QUESTIONS, Troubles


def fault(*, final: bool = False, after: float | None = None) -> EmbedFault:
    return EmbedFault("embedding_busy", "Busy", "Later.", final=final, retry_after=after)


def test_questions_and_passages_rest_apart() -> None:
    now = [100.0]
    troubles = Troubles(lambda: now[0])
    assert troubles.rest(PASSAGES) == 0
    rest = troubles.note(PASSAGES, fault(after=10))
    assert 10 <= rest <= 11
    assert troubles.rest(PASSAGES) == pytest.approx(rest)
    assert troubles.resting(PASSAGES) is not None
    assert troubles.resting(QUESTIONS) is None
    now[0] += 11
    assert troubles.rest(PASSAGES) == 0
    assert troubles.resting(PASSAGES) is None


def test_each_further_fault_rests_longer_until_it_passes() -> None:
    troubles = Troubles(lambda: 0.0)
    rests = [troubles.note(QUESTIONS, fault()) for _ in range(6)]
    assert 32 <= rests[-1] <= 64
    troubles.passed(QUESTIONS)
    assert troubles.rest(QUESTIONS) == 0
    assert troubles.note(QUESTIONS, fault()) <= 2


def test_what_the_person_must_mend_keeps_both_away() -> None:
    troubles = Troubles(lambda: 0.0)
    assert troubles.note(QUESTIONS, fault(final=True)) == math.inf
    assert troubles.rest(PASSAGES) == math.inf
    assert troubles.resting(PASSAGES) is troubles.resting(QUESTIONS)
