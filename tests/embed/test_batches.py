"""Many texts into vectors: whatever a back end refuses, every text gets a vector or a reason, and the rest are not held up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.embed.base import Embedder, EmbedFault, Space, TextFault, Vectors
from tray_app.embed.batches import Outcome, Refusal, embed_batches

DIMS = 4


def row_of(text: str) -> list[float]:
    return [float(len(text)), float(sum(map(ord, text)) % 97 + 1), 1.0, 2.0]


class Fake:
    """A back end whose refusals a test chooses. `calls` holds the texts of every call."""

    backend, model, host = "builtin", "fake", ""

    def __init__(
        self,
        *,
        batch: int = 8,
        refuses: Callable[[Sequence[str]], bool] = lambda _texts: False,
        row: Callable[[str], Sequence[float]] = row_of,
        normalised: bool = True,
    ) -> None:
        self.batch, self._refuses, self._row, self._normalised = batch, refuses, row, normalised
        self.calls: list[list[str]] = []
        self.fault: EmbedFault | None = None
        self.spaces = 0

    def space(self) -> Space:
        self.spaces += 1
        return Space(backend=self.backend, model=self.model, dims=DIMS, normalised=self._normalised)

    def documents(self, texts: Sequence[str]) -> Vectors:
        assert 0 < len(texts) <= self.batch
        assert all(text.strip() for text in texts)
        self.calls.append(list(texts))
        if self.fault is not None:
            raise self.fault
        if self._refuses(texts):
            raise TextFault("embedding_text", "Texts refused", "They are refused.")
        return np.array([self._row(text) for text in texts], dtype=np.float32)

    def query(self, text: str) -> Vectors:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is open."""


def all_of(embedder: Embedder, texts: Sequence[str]) -> dict[int, Vectors | Refusal]:
    pairs = [pair for outcome in embed_batches(embedder, texts) for pair in outcome]
    assert len({index for index, _ in pairs}) == len(pairs)
    return dict(pairs)


def unit_of(text: str) -> Vectors:
    row = np.array(row_of(text))
    return (row / np.linalg.norm(row)).astype(np.float32)


def test_every_text_gets_its_vector_short_ones_first() -> None:
    fake = Fake(batch=2)
    texts = ["ccc", "a", "dddd", "bb", "e"]
    made = all_of(fake, texts)
    assert fake.calls == [["a", "e"], ["bb", "ccc"], ["dddd"]]
    for index, text in enumerate(texts):
        vector = made[index]
        assert isinstance(vector, np.ndarray)
        assert vector.dtype == np.float32
        np.testing.assert_array_equal(vector, unit_of(text))


def test_vectors_stay_as_they_are_where_the_space_is_raw() -> None:
    vector = all_of(Fake(normalised=False), ["abc"])[0]
    np.testing.assert_array_equal(vector, np.array(row_of("abc"), dtype=np.float32))


@pytest.mark.parametrize("texts", [[], ["", " \n\t", "\u3000"]])
def test_blank_texts_ask_nobody(texts: list[str]) -> None:
    fake = Fake()
    assert all_of(fake, texts) == {index: Refusal("blank") for index in range(len(texts))}
    assert (fake.calls, fake.spaces) == ([], 0)


def test_bad_vectors_cost_their_text_alone() -> None:
    rows = {"nan": [math.nan] * DIMS, "inf": [1.0, math.inf, 0, 0], "zero": [0.0] * DIMS, "good": [3.0, 0, 4.0, 0]}
    made = all_of(Fake(row=rows.__getitem__), list(rows))
    assert [made[0], made[1], made[2]] == [Refusal("not_finite"), Refusal("not_finite"), Refusal("zero")]
    np.testing.assert_allclose(made[3], [0.6, 0, 0.8, 0])


def test_vectors_of_another_length_are_refused() -> None:
    assert all_of(Fake(row=lambda _text: [1.0, 2.0]), ["a", "b"]) == {0: Refusal("length"), 1: Refusal("length")}


def test_the_wrong_number_of_vectors_is_a_fault() -> None:
    fake = Fake()
    fake.documents = lambda texts: np.ones((len(texts) + 1, DIMS), dtype=np.float32)  # type: ignore[method-assign]
    with pytest.raises(EmbedFault) as caught:
        list(embed_batches(fake, ["a", "b"]))
    assert caught.value.code == "embedding_bad_answer"


def test_a_refused_text_is_tried_with_its_beginning() -> None:
    fake = Fake(refuses=lambda texts: any(len(text) > 50 for text in texts))
    made = all_of(fake, ["a", "x" * 80, "b"])
    np.testing.assert_array_equal(made[1], unit_of("x" * 40))
    np.testing.assert_array_equal(made[0], unit_of("a"))


def test_a_long_text_is_halved_until_it_passes() -> None:
    fake = Fake(refuses=lambda texts: any(len(text) > 400 for text in texts))
    np.testing.assert_array_equal(all_of(fake, ["字" * 6_000])[0], unit_of("字" * 375))
    assert [len(texts[0]) for texts in fake.calls] == [6_000, 3_000, 1_500, 750, 375]


def test_an_unwelcome_text_is_given_up_after_its_beginning() -> None:
    fake = Fake(refuses=lambda texts: any("bad" in text for text in texts))
    made = all_of(fake, ["bad " * 20, "good"])
    assert made[0] == Refusal("refused")
    assert [text for texts in fake.calls if len(texts) == 1 for text in texts].count("bad " * 10) == 1
    np.testing.assert_array_equal(made[1], unit_of("good"))


@pytest.mark.parametrize("text", ["x", "  \n x"])
def test_nothing_is_left_of_a_text_that_is_cut_too_far(text: str) -> None:
    fake = Fake(refuses=lambda _texts: True)
    assert all_of(fake, [text]) == {0: Refusal("refused")}
    assert fake.calls == [[text]]


@pytest.mark.parametrize("limit", [1, 3, 20, 63])
def test_a_limit_that_nobody_told_is_learned(limit: int) -> None:
    fake = Fake(batch=64, refuses=lambda texts: len(texts) > limit)
    made = all_of(fake, [f"text {number}" for number in range(250)])
    assert not any(isinstance(vector, Refusal) for vector in made.values())
    assert len(made) == 250
    refused = [len(texts) for texts in fake.calls if len(texts) > limit]
    assert len(refused) <= 64 / limit * 2
    assert fake.calls[-1] == [f"text {number}" for number in range(250)][-len(fake.calls[-1]) :]


def test_the_sum_of_a_batch_may_be_limited_too() -> None:
    fake = Fake(batch=20, refuses=lambda texts: sum(map(len, texts)) > 120 or any(len(text) > 80 for text in texts))
    texts = ["t" * (number % 30 + 1) for number in range(98)] + ["x" * 100, " "]
    made = all_of(fake, texts)
    assert [index for index, vector in made.items() if isinstance(vector, Refusal)] == [99]
    np.testing.assert_array_equal(made[98], unit_of("x" * 50))


def test_what_was_done_before_a_fault_is_handed_over() -> None:
    fake = Fake(batch=2)
    done: Outcome = []
    fault = EmbedFault("embedding_limited", "Limit reached", "Wait.", retry_after=3)
    with pytest.raises(EmbedFault) as caught:
        for outcome in embed_batches(fake, ["", "a", "bb", "ccc", "dddd"]):
            done += outcome
            if len(fake.calls) == 1:
                fake.fault = fault
    assert caught.value is fault
    assert [index for index, _ in done] == [0, 1, 2]


def test_a_fault_in_the_middle_of_halving_comes_through_at_once() -> None:
    fake = Fake(refuses=lambda texts: len(texts) > 1)
    done: Outcome = []
    with pytest.raises(EmbedFault, match="Busy"):
        for outcome in embed_batches(fake, list("abcd")):
            done += outcome
            fake.fault = EmbedFault("embedding_busy", "Busy", "Later.")
    assert [index for index, _ in done] == [0]


def test_stop_is_asked_between_calls() -> None:
    fake = Fake(batch=2)
    outcomes = list(embed_batches(fake, list("abcdef"), lambda: len(fake.calls) >= 2))
    assert [[index for index, _ in outcome] for outcome in outcomes] == [[0, 1], [2, 3]]
    assert list(embed_batches(Fake(), ["a"], lambda: True)) == []


def test_stopped_while_halving_nothing_is_called_refused() -> None:
    fake = Fake(refuses=lambda _texts: True)
    assert list(embed_batches(fake, ["x" * 100, "y" * 100], lambda: len(fake.calls) >= 2)) == []
    assert len(fake.calls) == 2


# --- any back end ----------------------------------------------------------------------------------------------------------
@given(
    texts=st.lists(st.text(max_size=12), max_size=60),
    bad=st.sets(st.integers(0, 59)),
    odd=st.sets(st.integers(0, 59)),
    batch=st.integers(1, 17),
)
def test_any_pattern_of_refusals(texts: list[str], bad: set[int], odd: set[int], batch: int) -> None:
    """Texts that are never taken, and texts whose vectors are none, wherever they stand."""
    marked = [
        f"{index}:{text}" + ("\x00bad" if index in bad else "\x00odd" if index in odd else "") if text.strip() else text
        for index, text in enumerate(texts)
    ]
    beginnings: set[str] = set()

    def refuses(asked: Sequence[str]) -> bool:
        beginnings.update(text for text in asked if text not in marked)
        return any(text.endswith("\x00bad") or text not in marked for text in asked)

    fake = Fake(
        batch=batch,
        refuses=refuses,
        row=lambda text: [math.nan] * DIMS if text.endswith("\x00odd") else row_of(text),
    )
    made = all_of(fake, marked)
    assert sorted(made) == list(range(len(texts)))
    for index, text in enumerate(marked):
        vector = made[index]
        if not text.strip():
            assert vector == Refusal("blank")
        elif text.endswith("\x00bad"):
            assert vector == Refusal("refused")
        elif text.endswith("\x00odd"):
            assert vector == Refusal("not_finite")
        else:
            assert isinstance(vector, np.ndarray)
            np.testing.assert_array_equal(vector, unit_of(text))
    asked = sum(bool(text.strip()) for text in marked)
    refused = sum(text.endswith("\x00bad") for text in marked)
    needed = math.ceil(asked / batch)
    assert len(fake.calls) <= needed + refused * (2 * math.ceil(math.log2(batch) if batch > 1 else 0) + 2)
    assert len(beginnings) <= refused


@given(lengths=st.lists(st.integers(1, 300), max_size=40), most=st.integers(1, 9), longest=st.integers(20, 200))
def test_any_limits_of_number_and_length(lengths: list[int], most: int, longest: int) -> None:
    fake = Fake(batch=16, refuses=lambda texts: len(texts) > most or any(len(text) > longest for text in texts))
    texts = ["z" * length for length in lengths]
    made = all_of(fake, texts)
    assert sorted(made) == list(range(len(texts)))
    for index, length in enumerate(lengths):
        if length <= longest:
            np.testing.assert_array_equal(made[index], unit_of(texts[index]))
        elif length // 2 <= longest:
            np.testing.assert_array_equal(made[index], unit_of("z" * (length // 2)))
        else:
            assert made[index] == Refusal("refused")
    assert len(fake.calls) <= 6 * len(texts) + 1
