"""Many threads at once: one memory of one content, no use uncounted, no circle of locks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from memory_world import MemoryWorld

from tray_app.library.memory.rows import MemoryRow, ProjectRow
from tray_app.memory.recalling import recall


@pytest.fixture
def world(tmp_path: Path) -> Iterator[MemoryWorld]:
    made = MemoryWorld(tmp_path)
    made.project("shop")
    yield made
    made.close()


def at_once(*calls: Callable[[], object]) -> None:
    faults: list[BaseException] = []

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert faults == []


def test_the_same_from_many_is_one(world: MemoryWorld) -> None:
    at_once(*[lambda: world.memories.remember("shop", "fact", "", "It is so.")] * 6)
    assert len(world.store.rows(MemoryRow)) == 1
    assert [row.name for row in world.store.rows(ProjectRow).values()] == ["shop"]


def test_every_use_is_counted(world: MemoryWorld) -> None:
    world.memories.remember("shop", "fact", "", "The webhook is retried.")
    at_once(
        *[lambda: recall(world.store, world.projects, "webhook")] * 6,
        *[world.projects.views] * 3,
        lambda: world.projects.guess("shop"),
    )
    assert world.memories.view(1).use_count == 6


def test_no_folder_is_looked_at_while_others_cannot_write(world: MemoryWorld) -> None:
    """The list of workspaces comes from the index, which others may hold: nobody may wait for it inside a change."""
    inside: list[bool] = []

    def seen() -> list[object]:
        def free() -> None:
            with world.store.change():
                inside.append(True)

        thread = threading.Thread(target=free)
        thread.start()
        thread.join(10)
        assert not thread.is_alive()
        return []

    world.projects._workspaces = seen  # type: ignore[assignment]
    number = world.memories.remember("shop", "fact", "", "It is so.").memory.id
    world.memories.update(number, content="It was so.")
    world.memories.archive(number)
    world.memories.restore(number)
    recall(world.store, world.projects, "so", project="shop")
    world.projects.alias("store", "shop")
    assert inside
