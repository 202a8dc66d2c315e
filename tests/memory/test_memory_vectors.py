"""Vectors for memories: in batches, only what is lacking, and quiet when a model fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hash_embedder import HashEmbedder
from memory_world import MemoryWorld

from tray_app.embed.asked import Embedded
from tray_app.embed.base import EmbedFault, Space
from tray_app.embed.batches import embed_batches
from tray_app.library.memory.rows import MemoryRow
from tray_app.memory.filling import BATCH, fill_vectors


class Sense:
    """What `Meaning` is to `fill_vectors`, in the calling thread: `known` says whether its space is known before it was asked."""

    def __init__(self, embedder: HashEmbedder, *, known: bool = True) -> None:
        self.embedder, self.known = embedder, known
        self.calls: list[int] = []

    def space(self) -> Space | None:
        return self.embedder.space() if self.known else None

    def embed(self, texts: Sequence[str]) -> Embedded:
        self.calls.append(len(texts))
        embedded = Embedded()
        try:
            embedded.space = self.embedder.space()
            for outcome in embed_batches(self.embedder, texts, lambda: embedded.leaving):
                embedded.outcomes.update(outcome)
        except EmbedFault as fault:
            embedded.fault = fault
        embedded.end()
        return embedded


@pytest.fixture
def world(tmp_path: Path) -> Iterator[MemoryWorld]:
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


def put(world: MemoryWorld, count: int) -> None:
    with world.store.change() as change:
        for number in range(1, count + 1):
            change.put(
                MemoryRow(
                    id=number, project="p", kind="fact", title=f"Title {number}", content=f"Memory {number}", hash=str(number)
                )
            )


def never() -> bool:
    return False


def test_what_lacks_a_vector_gets_one(world: MemoryWorld) -> None:
    put(world, BATCH + 6)
    sense = Sense(HashEmbedder())
    assert fill_vectors(world.store, sense, never)
    assert sense.calls == [BATCH, 6]
    key = sense.embedder.space().key
    assert world.store.vectors(key).ids.tolist() == list(range(1, BATCH + 7))
    assert world.store.lacking(key) == []
    assert fill_vectors(world.store, sense, never)
    assert len(sense.calls) == 2
    with world.store.change() as change:
        change.put(MemoryRow(id=3, project="p", kind="fact", title="Title 3", content="Another", hash="x"))
    assert fill_vectors(world.store, sense, never)
    assert sense.embedder.documented[-1] == "Title 3\nAnother"


def test_a_space_that_is_not_known_yet_costs_one_text(world: MemoryWorld) -> None:
    put(world, 5)
    sense = Sense(HashEmbedder(), known=False)
    assert fill_vectors(world.store, sense, never)
    assert sense.calls == [1, 4]
    assert fill_vectors(world.store, sense, never)
    assert sense.calls == [1, 4, 1]


def test_a_fault_ends_it_quietly(world: MemoryWorld) -> None:
    put(world, 5)
    sense = Sense(HashEmbedder(), known=False)
    sense.embedder.fault = EmbedFault("embedding_limited", "Limited", "Too many.")
    assert not fill_vectors(world.store, sense, never)
    sense.embedder.fault = None
    assert fill_vectors(world.store, sense, never)


def test_what_was_refused_is_not_sent_again_until_it_is_worded_anew(world: MemoryWorld) -> None:
    put(world, 4)
    sense, refused = Sense(HashEmbedder()), set[tuple[str, int, str]]()
    sense.embedder.refuses = "Title 2"
    assert fill_vectors(world.store, sense, never, refused)
    key = sense.embedder.space().key
    assert [row.id for row in world.store.lacking(key)] == [2]
    calls = len(sense.calls)
    assert fill_vectors(world.store, sense, never, refused)
    assert len(sense.calls) == calls
    world.memories.update(2, title="Something else")
    assert fill_vectors(world.store, sense, never, refused)
    assert world.store.lacking(key) == []


def test_it_stops_when_it_is_told_to(world: MemoryWorld) -> None:
    put(world, 3)
    sense = Sense(HashEmbedder())
    assert not fill_vectors(world.store, sense, lambda: True)
    assert sense.calls == []
    stop = threading.Event()

    class Slow(Sense):
        def embed(self, texts: Sequence[str]) -> Embedded:
            stop.set()
            embedded = Embedded()
            threading.Timer(0.2, embedded.end).start()
            return embedded

    assert not fill_vectors(world.store, Slow(HashEmbedder()), stop.is_set)
    assert world.store.vectors(sense.embedder.space().key).ids.tolist() == []


def test_a_memory_that_changes_meanwhile_keeps_no_old_vector(world: MemoryWorld) -> None:
    put(world, 2)

    class Meddling(Sense):
        def embed(self, texts: Sequence[str]) -> Embedded:
            if not self.calls:
                world.memories.update(1, content="Changed while it was embedded.")
            return super().embed(texts)

    sense = Meddling(HashEmbedder())
    assert fill_vectors(world.store, sense, never)
    assert sense.calls == [2, 1]
    assert "Title 1\nChanged while it was embedded." in sense.embedder.documented
