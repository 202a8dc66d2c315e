"""The estimate of tokens, against what real tokenizers counted in the same texts."""

from __future__ import annotations

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st
from token_samples import DEEPSEEK, O200K, SAMPLES

from tray_app.text.token_count import estimate


@pytest.mark.parametrize("kind", SAMPLES)
def test_it_is_near_a_real_tokenizer(kind: str) -> None:
    assert O200K[kind] >= 300
    assert estimate(SAMPLES[kind]) == pytest.approx(O200K[kind], rel=0.15)


def test_all_kinds_together_are_nearer_still() -> None:
    assert estimate("".join(SAMPLES.values())) == pytest.approx(sum(O200K.values()), rel=0.05)


def test_other_tokenizers_lie_around_it() -> None:
    for kind, count in DEEPSEEK.items():
        assert 0.75 * count < estimate(SAMPLES[kind]) < 1.4 * count, kind


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("   ", 0),
        ("a", 1),
        ("好", 1),
        ("决定把分片清单写到磁盘", 9),
        ("readResumeToken", 4),
        ("1234567890", 4),
        ("\n", 1),
        ("🙂", 3),
    ],
)
def test_small_texts(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@given(st.text(), st.text(), st.text())
def test_a_text_that_grows_never_counts_less(before: str, text: str, after: str) -> None:
    assert estimate(before + text + after) >= estimate(text)


@given(st.text(), st.text())
def test_two_texts_count_no_more_together(one: str, other: str) -> None:
    assert estimate(one + other) <= estimate(one) + estimate(other) + 2


def test_the_time_is_linear() -> None:
    assert grows_with_length_only(estimate, "".join(SAMPLES.values()), 20_000)


@given(st.text(alphabet=st.characters()))
def test_any_text_has_a_size(text: str) -> None:
    assert estimate(text) >= 0
    assert estimate("\ud800" + text) >= estimate(text)
