"""The leg of meaning: shares between floor and best, and how it stands where it cannot answer."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from concepts import KEY
from hypothesis import given
from hypothesis import strategies as st
from world import PATIENCE_MS, World

from tray_app.embed.base import LATE, OFF, MeaningState, QueryVector
from tray_app.library.centring import Background
from tray_app.library.postings import Scores, best
from tray_app.library.reading import Reader
from tray_app.recall.candidates import NOTHING
from tray_app.recall.nearness import BY_CHANCE, EMPTY, Meant, find_near
from tray_app.recall.scope import Scope

PATIENCE_S = PATIENCE_MS / 1000
QUESTION = "storm broke window"


class Answered:
    """A question whose vector, or the reason why there is none, is known; it says how long it would have been waited for."""

    def __init__(self, known: QueryVector | MeaningState) -> None:
        self.known, self.patience = known, -1.0

    def wait(self, seconds: float) -> QueryVector | MeaningState:
        self.patience = seconds
        return self.known


def made(values: list[float], floor: float) -> Meant:
    return Meant(Scores(np.arange(len(values)), np.array(values, np.float64)), floor, None)


# --- shares ----------------------------------------------------------------------------------------------------------------
def test_shares_lie_between_what_any_passage_has_and_the_best() -> None:
    meant = made([0.1, 0.2, 0.6, 0.3], 0.2)
    assert meant.top == 0.6
    assert meant.share(np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7])) == pytest.approx([0.0, 0.0, 0.25, 0.5, 1.0, 1.0])


@pytest.mark.parametrize("values", [[], [0.2, 0.2], [0.1]])
def test_where_nothing_is_nearer_than_any_passage_all_shares_are_none(values: list[float]) -> None:
    meant = made(values, 0.2)
    assert meant.top == 0.2
    assert meant.share(np.array([0.0, 0.2, 0.9])).tolist() == [0.0, 0.0, 0.0]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=20), st.floats(-1, 1))
def test_shares_rise_with_nearness_from_nothing_to_one(values: list[float], floor: float) -> None:
    shares = made(values, floor).share(np.array(sorted(values)))
    assert all(0 <= share <= 1 for share in shares)
    assert sorted(shares) == shares.tolist()
    assert shares[-1] == (1.0 if max(values) > floor else 0.0)


def test_what_is_nearer_than_by_chance() -> None:
    background = Background(top50=0.3, top99=0.5, size=100)
    meant = Meant(NOTHING, 0.0, background)
    least = 0.3 + BY_CHANCE * 0.2
    assert [meant.is_near(similarity) for similarity in (0.0, least - 0.001, least + 0.001, 1.0)] == [False, False, True, True]
    assert not Meant(NOTHING, 0.0, None).is_near(1.0)  # nothing is known of chance


# --- a real library --------------------------------------------------------------------------------------------------------
def vector(meant: World, text: str = QUESTION) -> QueryVector:
    found = meant.engine.sense.begin(text).wait(PATIENCE_S)
    assert isinstance(found, QueryVector)
    return found


def near(
    meant: World, known: QueryVector | MeaningState, scope: Scope | None = None, patience: float = PATIENCE_S
) -> tuple[Meant | None, str, str]:
    with meant.engine._reading(meant.engine.libraries.of()) as reader:
        return find_near(reader, Answered(known), scope or Scope(), patience)


def first_texts(reader: Reader, meant: Meant, count: int) -> list[str]:
    found = []
    for number, _ in best(meant.scores, count):
        messages = reader.messages(piece[0] for piece in reader.pieces([number])[number])
        found.append(" ".join(message.text for message in messages.values()))
    return found


def test_every_passage_has_its_nearness_and_what_means_the_same_is_nearest(meant: World) -> None:
    with meant.engine._reading(meant.engine.libraries.of()) as reader:
        asked = Answered(vector(meant))
        found, state, note = find_near(reader, asked, Scope(), PATIENCE_S)
        assert found is not None
        assert (state, note, asked.patience) == ("on", "", PATIENCE_S)
        passages = reader.passages()
        assert found.scores.ids.tolist() == np.flatnonzero(passages.known).tolist()
        assert found.floor == pytest.approx(float(np.median(found.scores.values)))
        assert found.top == found.scores.values.max() > found.floor
        assert found.background is not None
        assert found.background.size == len(found.scores.ids)
        texts = first_texts(reader, found, 3)
    assert sum("暴风" in text for text in texts) == 1
    assert sum("gale" in text for text in texts) == 2


def test_only_what_is_admitted_is_scored_and_the_floor_is_that_of_all(meant: World) -> None:
    with meant.engine._reading(meant.engine.libraries.of()) as reader:
        asked, passages = Answered(vector(meant)), reader.passages()
        everything, _, _ = find_near(reader, asked, Scope(), PATIENCE_S)
        early = passages.known & (passages.time < int(np.median(passages.time[passages.known])))
        some, state, _ = find_near(reader, asked, Scope(early), PATIENCE_S)
        none, none_state, _ = find_near(reader, asked, Scope(np.zeros_like(early)), PATIENCE_S)
    assert everything is not None
    assert some is not None
    assert none is not None
    assert (state, none_state) == ("on", "on")
    assert some.scores.ids.tolist() == np.flatnonzero(early).tolist()
    assert 0 < len(some.scores.ids) < len(everything.scores.ids)
    assert (some.floor, none.floor) == (everything.floor, everything.floor)
    assert some.top < everything.top
    assert (len(none.scores.ids), none.top) == (0, none.floor)


def test_off_says_nothing(meant: World) -> None:
    assert near(meant, OFF) == (None, "off", "")


def test_a_vector_that_is_late(meant: World) -> None:
    assert near(meant, LATE) == (None, "late", LATE.note)
    assert LATE.note


def test_a_fault_is_told_by_its_code_and_in_words(meant: World) -> None:
    assert near(meant, MeaningState("embedding_busy", "It is busy. Later.")) == (None, "embedding_busy", "It is busy. Later.")


def test_vectors_that_are_not_loaded_yet_are_late(meant: World) -> None:
    asked = vector(meant)
    meant.engine.libraries.of().matrices.drop()
    assert near(meant, asked, patience=0.0) == (None, "late", LATE.note)
    assert near(meant, asked)[1] == "on"


def test_a_space_without_vectors_is_empty(meant: World) -> None:
    other = msgspec.structs.replace(vector(meant), space=KEY.replace("concepts", "other"))
    assert near(meant, other) == (None, "empty", EMPTY.note)
    assert EMPTY.note
    assert near(meant, vector(meant))[1] == "on"


def test_a_reader_of_no_library_has_no_vectors(meant: World) -> None:
    with meant.engine._reading(meant.engine.libraries.of()) as reader:
        held, reader.matrices = reader.matrices, None
        try:
            assert find_near(reader, Answered(vector(meant)), Scope(), 0.0)[1] == "late"
        finally:
            reader.matrices = held


def test_nothing_is_nothing() -> None:
    assert len(NOTHING.ids) == len(NOTHING.values) == 0
