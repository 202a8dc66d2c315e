"""Other names of projects, and the pruning of those whose folder is gone; on a real disk and memory."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from memory_world import MemoryWorld

from tray_app.errors import UsageError
from tray_app.library.memory.rows import AliasRow, ArchiveRow, CardRow, CheckpointRow, MemoryRow, PageRow, ProjectRow
from tray_app.records import ProjectView


@pytest.fixture
def world(tmp_path: Path) -> Iterator[MemoryWorld]:
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


def shown(world: MemoryWorld) -> dict[str, ProjectView]:
    return {view.name: view for view in world.projects.views()}


def remember(world: MemoryWorld, project: str, content: str = "It is so.") -> int:
    return world.memories.remember(project, "fact", "", content).memory.id


# --- aliases -------------------------------------------------------------------------------------------------------------------------
def test_an_alias_means_its_project(world: MemoryWorld) -> None:
    world.project("shop")
    views = {view.name: view for view in world.projects.alias("The Store", "SHOP")}
    assert views["shop"].aliases == ("The Store",)
    assert world.projects.resolve("the store") == "shop"
    assert world.projects.guess("in the store today").project == "shop"
    assert remember(world, "THE STORE") == remember(world, "shop")
    world.projects.alias("the store", "")
    assert world.projects.resolve("the store") == "the store"
    assert world.store.rows(AliasRow) == {}


def test_an_alias_takes_what_was_kept_under_that_name(world: MemoryWorld) -> None:
    world.project("shop")
    old = world.workspace("old/store", git=True)
    first, twin = remember(world, "store"), remember(world, "store", "Both know it.")
    mine = remember(world, "shop", "Both  know it.")
    with world.store.change() as change:
        change.put(CheckpointRow(id=1, project="shop", created=1, updated=5))
        change.put(CheckpointRow(id=2, project="store", created=1, updated=9))
        change.put(CheckpointRow(id=3, project="store", state="draft", created=1, updated=9))
        change.put(CardRow(id=1, project="shop", markdown="a", created=9))
        change.put(CardRow(id=2, project="store", markdown="b", created=5))
        change.put(ArchiveRow(id=1, agent="codex", session="s", project="store", compactions=2))
        change.put(PageRow(id=1, project="shop", path="a.md"))
        change.put(PageRow(id=2, project="store", path="a.md"))
    shutil.rmtree(old)
    world.renew()
    world.projects.alias("store", "shop")
    view = shown(world)["shop"]
    assert (view.memories, view.sessions, view.compactions, view.has_card, view.has_draft) == (2, 1, 2, True, True)
    rows = world.store.rows(MemoryRow)
    assert [(rows[number].project, rows[number].state, rows[number].superseded_by) for number in (first, twin, mine)] == [
        *(("shop", "active", 0), ("shop", "superseded", mine), ("shop", "active", 0))
    ]
    assert {row.id: row.state for row in world.store.rows(CheckpointRow).values()} == {1: "superseded", 2: "active", 3: "draft"}
    assert {row.id: row.state for row in world.store.rows(CardRow).values()} == {1: "active", 2: "superseded"}
    assert list(world.store.rows(PageRow)) == [1]
    assert [row.name for row in world.store.rows(ProjectRow).values()] == ["shop"]


def test_an_alias_of_an_alias_leads_to_the_end(world: MemoryWorld) -> None:
    for name in ("c",):
        world.project(name)
    remember(world, "b")
    world.projects.alias("a", "b")
    world.projects.alias("b", "c")
    assert [world.projects.resolve(name) for name in ("a", "b", "c")] == ["c", "c", "c"]
    assert sorted((row.alias, row.project) for row in world.store.rows(AliasRow).values()) == [("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("alias", "project", "code"),
    [
        ("there", "shop", "bad_project"),
        ("shop", "SHOP", "bad_project"),
        ("workspace", "shop", "bad_project"),
        ("x", "workspace", "bad_project"),
        ("a/b", "shop", "bad_project"),
        ("x", "unknown", "no_such_project"),
        ("x", "", "no_such_project"),
    ],
)
def test_what_cannot_be_an_alias(world: MemoryWorld, alias: str, project: str, code: str) -> None:
    world.project("shop")
    world.project("there")
    with pytest.raises(UsageError) as caught:
        world.projects.alias(alias, project)
    assert caught.value.code == code
    assert world.store.rows(AliasRow) == {}


def test_aliases_in_a_circle_end(world: MemoryWorld) -> None:
    with world.store.change() as change:
        change.put(AliasRow(id=1, alias="a", project="b"))
        change.put(AliasRow(id=2, alias="b", project="a"))
    assert [world.projects.resolve(name) for name in ("a", "b")] == ["a", "b"]


# --- pruning -------------------------------------------------------------------------------------------------------------------------
def test_pruning_reports_and_deletes_what_is_named_after_a_backup(world: MemoryWorld) -> None:
    for name in ("one", "two"):
        folder = world.workspace(f"work/{name}")
        remember(world, name)
        shutil.rmtree(folder)
    world.project("alive")
    remember(world, "alive")
    session = remember(world, "one", "A session.")
    with world.store.change() as change:
        change.put(ArchiveRow(id=1, agent="codex", session="s", project="one", memory=session))
        change.put(CardRow(id=1, project="one", markdown="x"))
        change.put(AliasRow(id=1, alias="uno", project="one"))
    world.renew()
    assert {view.name for view in world.projects.prune()} == {"one", "two"}
    assert [one.kind for one in world.store.backups() if one.kind == "before"] == []
    for names in (["alive"], ["one", "alive"], ["one", "unheard"]):
        with pytest.raises(UsageError) as caught:
            world.projects.prune(names)
        assert caught.value.code == "no_such_project"
    assert len(world.store.rows(MemoryRow)) == 4
    assert [(view.name, view.memories) for view in world.projects.prune(["UNO"])] == [("one", 2)]
    assert [one.kind for one in world.store.backups() if one.kind == "before"] == ["before"]
    assert sorted(row.project for row in world.store.rows(MemoryRow).values()) == ["alive", "two"]
    assert (world.store.rows(CardRow), world.store.rows(AliasRow)) == ({}, {})
    assert [(row.session, row.memory) for row in world.store.rows(ArchiveRow).values()] == [("s", 0)]
    assert [view.name for view in world.projects.prune()] == ["two"]
