"""How long a back end is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.embed.base import EmbedFault
from tray_app.embed.rests import LONGEST_S, rest_after


def fault(*, final: bool = False, retry_after: float | None = None) -> EmbedFault:
    return EmbedFault("embedding_busy", "Busy", "It is busy.", final=final, retry_after=retry_after)


@pytest.mark.parametrize(
    ("failures", "low", "high"),
    [(1, 1, 2), (2, 2, 4), (5, 16, 32), (9, 256, 512), (10, 300, 600), (1_000_000, 300, 600), (0, 1, 2)],
)
def test_it_doubles_and_shakes(failures: int, low: float, high: float) -> None:
    assert rest_after(fault(), failures, lambda: 0.0) == low
    assert rest_after(fault(), failures, lambda: 1.0) == high


@pytest.mark.parametrize(("asked", "low", "high"), [(20, 20, 22), (0, 0.5, 0.55), (3_600, 600, 600), (590, 590, 600)])
def test_what_the_service_asks_for_counts(asked: float, low: float, high: float) -> None:
    assert rest_after(fault(retry_after=asked), 9, lambda: 0.0) == low
    assert rest_after(fault(retry_after=asked), 9, lambda: 1.0) == pytest.approx(high)


def test_a_final_fault_is_not_tried_again() -> None:
    assert rest_after(fault(final=True, retry_after=3), 1) is None


@given(st.integers(0, 10**9), st.none() | st.floats(0, 1e9))
def test_it_is_always_a_time_one_can_wait(failures: int, asked: float | None) -> None:
    rest = rest_after(fault(retry_after=asked), failures)
    assert rest is not None
    assert 0.5 <= rest <= LONGEST_S
