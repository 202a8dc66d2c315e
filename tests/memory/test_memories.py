"""Memories as they are written, corrected, superseded and put away; on a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_world import MemoryWorld

from tray_app.errors import UsageError
from tray_app.library.memory.rows import MemoryRow, ProjectRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.memories import CONTENT_CHARS, TITLE_CHARS, Memories, checked_text, content_hash
from tray_app.memory.projects import Projects
from tray_app.records import MemoryView
from tray_app.settings import Settings

NOW = "2026-03-01T10:00:00.000Z"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryWorld]:
    monkeypatch.setenv("BACKSCROLL_NOW", NOW)
    made = MemoryWorld(tmp_path)
    made.project("shop")
    yield made
    made.close()


def code_of(caught: pytest.ExceptionInfo[UsageError]) -> str:
    return caught.value.code


def test_a_memory_is_kept_with_where_it_comes_from(world: MemoryWorld) -> None:
    source = {"agent": "codex", "session": "s1", "message": "m1", "path": "CHANGELOG.md"}
    made = world.memories.remember("SHOP", "decision", " Use  SQLite ", "\nWe use SQLite.\n", source=source)
    assert (made.created, made.duplicate, made.superseded, made.note) == (True, False, (), "")
    assert made.memory == MemoryView(
        id=1, project="shop", kind="decision", state="active", title="Use SQLite", content="We use SQLite.", created=NOW, updated=NOW,
        source_agent="codex", source_session="s1", source_message="m1", source_path="CHANGELOG.md",
    )  # fmt: skip
    assert world.memories.view(1) == made.memory
    (row,) = world.store.rows(ProjectRow).values()
    assert (row.name, row.folder, row.origin) == ("shop", str(world.root / "shop"), "folder")


@pytest.mark.parametrize("kind", ["checkpoint", "handoff"])
def test_checkpoints_and_cards_are_not_written_here(world: MemoryWorld, kind: str) -> None:
    with pytest.raises(UsageError, match="made from checkpoints") as caught:
        world.memories.remember("shop", kind, "t", "c")
    assert code_of(caught) == "bad_kind"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("shop", "opinion", "t", "c"), "bad_kind"),
        (("shop", "fact", "t", " \n\t "), "empty_content"),
        (("shop", "fact", "t", "\u200b\u200b"), "empty_content"),
        (("shop", "fact", "x" * (TITLE_CHARS + 1), "c"), "too_long"),
        (("shop", "fact", "t", "x " * (CONTENT_CHARS // 2) + "yz"), "too_long"),
        (("shop", "fact", "t", "x" * 10_000_000), "too_long"),
        (("a/b", "fact", "t", "c"), "bad_project"),
        (("notes.md", "fact", "t", "c"), "bad_project"),
    ],
)
def test_what_is_refused_leaves_nothing(world: MemoryWorld, arguments: tuple[str, str, str, str], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        world.memories.remember(*arguments)
    assert code_of(caught) == code
    assert not world.store.rows(MemoryRow)


@pytest.mark.parametrize("source", [{"agent": 1}, {"model": "x"}, {"path": "x" * 5_000}])
def test_a_source_has_four_texts(world: MemoryWorld, source: dict[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        world.memories.remember("shop", "fact", "t", "c", source=source)
    assert code_of(caught) == "bad_field"


def test_lengths_to_the_last_character(world: MemoryWorld) -> None:
    made = world.memories.remember(
        "shop", "fact", "x" * TITLE_CHARS, ("word " * CONTENT_CHARS)[: CONTENT_CHARS - 1] + "."
    ).memory
    assert (len(made.title), len(made.content)) == (TITLE_CHARS, CONTENT_CHARS)


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("## Use SQLite\n\nIt is enough.", "Use SQLite"),
        ("- 数据库用 SQLite", "数据库用 SQLite"),
        ("word " * 40, "word " * 15 + "word…"),
        ("***", "***"),
    ],
)
def test_a_blank_title_is_made_from_the_content(content: str, title: str) -> None:
    assert checked_text(" ", content).title == title


def test_secrets_are_hidden_and_noise_is_cleaned(world: MemoryWorld) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    made = world.memories.remember("shop", "fact", "key \x1b[31mred\x1b[0m", f"The token is {key}\x00.")
    assert made.memory.title == "key red"
    assert key not in made.memory.content
    assert "[secret" in made.memory.content
    assert made.note == "1 secret was hidden in it."


def test_no_project_is_unfiled(world: MemoryWorld) -> None:
    assert world.memories.remember(" ", "note", "", "Loose.").memory.project == "unfiled"
    assert not world.store.rows(ProjectRow)


# --- the same ------------------------------------------------------------------------------------------------------------------
def test_the_same_content_is_one_memory(world: MemoryWorld) -> None:
    first = world.memories.remember("shop", "fact", "one", "It  is\nso.").memory
    again = world.memories.remember("Shop", "fact", "two", " It is so. ")
    assert (again.created, again.duplicate, again.memory, again.note) == (
        False,
        True,
        first,
        "It is known already, as memory 1.",
    )
    assert world.memories.remember("shop", "pitfall", "", "It is so.").created
    assert world.memories.remember("other", "fact", "", "It is so.").created
    assert world.memories.remember("shop", "fact", "", "it is so.").created
    assert len(world.store.rows(MemoryRow)) == 4


def test_what_was_archived_comes_back(world: MemoryWorld) -> None:
    number = world.memories.remember("shop", "fact", "", "It is so.").memory.id
    assert world.memories.archive(number).state == "archived"
    again = world.memories.remember("shop", "fact", "", "It is so.")
    assert (again.created, again.duplicate, again.memory.id, again.memory.state) == (False, True, number, "active")
    assert again.note == "It was known and archived, and is active again."


def test_what_was_superseded_is_a_new_memory_when_it_is_said_again(world: MemoryWorld) -> None:
    old = world.memories.remember("shop", "decision", "", "Use SQLite.").memory.id
    new = world.memories.remember("shop", "decision", "", "Use DuckDB.", supersedes=[old]).memory.id
    back = world.memories.remember("shop", "decision", "", "Use SQLite.", supersedes=[new])
    assert (back.created, back.superseded) == (True, (new,))
    assert [world.memories.view(number).superseded_by for number in (old, new, back.memory.id)] == [new, back.memory.id, None]


# --- superseding ---------------------------------------------------------------------------------------------------------------
def test_a_memory_takes_the_place_of_others(world: MemoryWorld) -> None:
    one, two = (world.memories.remember("shop", "fact", "", text).memory.id for text in ("One.", "Two."))
    made = world.memories.remember("shop", "fact", "", "Both.", supersedes=[two, one, two])
    assert (made.superseded, made.memory.supersedes) == ((two, one), (one, two))
    assert [(view.state, view.superseded_by) for view in map(world.memories.view, (one, two))] == [("superseded", 3)] * 2


def test_what_was_superseded_before_leads_to_what_has_its_place(world: MemoryWorld) -> None:
    first = world.memories.remember("shop", "fact", "", "First.").memory.id
    second = world.memories.remember("shop", "fact", "", "Second.", supersedes=[first]).memory.id
    third = world.memories.remember("shop", "fact", "", "Third.", supersedes=[first])
    assert (third.superseded, third.note) == ((second,), "Memory 1 was superseded before: 2 had its place.")
    assert world.memories.view(first).superseded_by == second


def test_nothing_takes_its_own_place(world: MemoryWorld) -> None:
    first = world.memories.remember("shop", "fact", "", "First.").memory.id
    second = world.memories.remember("shop", "fact", "", "Second.", supersedes=[first]).memory.id
    again = world.memories.remember("shop", "fact", "", "Second.", supersedes=[first, second])
    assert (again.superseded, again.memory.state, again.memory.superseded_by) == ((), "active", None)


def test_what_comes_back_has_no_successor(world: MemoryWorld) -> None:
    first = world.memories.remember("shop", "fact", "", "First.").memory.id
    second = world.memories.remember("shop", "fact", "", "Second.", supersedes=[first]).memory.id
    world.memories.archive(first)
    back = world.memories.remember("shop", "fact", "", "First.", supersedes=[second])
    assert (back.memory.id, back.memory.superseded_by, back.superseded) == (first, None, (second,))
    assert world.memories.view(second).superseded_by == first


def test_only_known_memories_are_superseded(world: MemoryWorld) -> None:
    with pytest.raises(UsageError) as caught:
        world.memories.remember("shop", "fact", "", "New.", supersedes=[9])
    assert code_of(caught) == "no_such_memory"
    assert not world.store.rows(MemoryRow)


class _Bare:
    """A store without folders around it."""

    def __init__(self, folder: Path) -> None:
        self.store = MemoryStore(folder / "memory.duckdb")
        self.memories = Memories(self.store, Projects(self.store, Settings()))


@settings(max_examples=20)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from("abcd"), st.lists(st.integers(1, 6), max_size=3), st.sampled_from("raux")), max_size=12
    )
)
def test_links_never_form_a_circle(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, list[int], str]]) -> None:
    bare = _Bare(tmp_path_factory.mktemp("memory"))
    try:
        for content, others, act in steps:
            ids = list(bare.store.rows(MemoryRow))
            known = [number for number in others if number in ids]
            try:
                if act == "r" or not known:
                    bare.memories.remember("p", "fact", "", content, supersedes=known)
                elif act == "a":
                    bare.memories.archive(known[0])
                elif act == "u":
                    bare.memories.update(known[0], content=content)
                else:
                    bare.memories.restore(known[0])
            except UsageError as fault:
                assert fault.code == "duplicate"
        rows = bare.store.rows(MemoryRow)
        for row in rows.values():
            seen = set()
            at = row
            while at.superseded_by:
                assert at.id not in seen
                seen.add(at.id)
                at = rows[at.superseded_by]
        active = [row.hash for row in rows.values() if row.state == "active"]
        assert len(active) == len(set(active))
        assert all(row.superseded_by for row in rows.values() if row.state == "superseded")
        assert not any(row.superseded_by for row in rows.values() if row.state == "active")
    finally:
        bare.store.close()


# --- correcting, putting away -----------------------------------------------------------------------------------------------------
def test_correcting_redoes_words_and_vector(world: MemoryWorld) -> None:
    number = world.memories.remember("shop", "fact", "Old title", "It says kangaroo.").memory.id
    import numpy as np

    world.store.put_vectors("space", {number: np.ones(4, np.float32)})
    assert world.memories.update(number, title="Old  title").note == "Nothing was changed."
    assert len(world.store.vectors("space").ids) == 1
    made = world.memories.update(number, content="It says wombat.")
    assert (made.created, made.duplicate, made.memory.title, made.memory.content) == (
        False,
        False,
        "Old title",
        "It says wombat.",
    )
    assert world.store.rows(MemoryRow)[number].hash == content_hash("It says wombat.")
    assert [found for found, _ in world.store.find_memories(["wombat"])] == [number]
    assert world.store.find_memories(["kangaroo"]) == []
    assert [row.id for row in world.store.lacking("space")] == [number]


def test_correcting_cannot_make_two_of_one(world: MemoryWorld) -> None:
    one, two = (world.memories.remember("shop", "fact", "", text).memory.id for text in ("One.", "Two."))
    for arguments, code in (
        ((two, None, "One."), "duplicate"),
        ((two, None, " "), "empty_content"),
        ((two, "x" * 201, None), "too_long"),
        ((two, None, None), "bad_field"),
        ((9, "t", None), "no_such_memory"),
    ):
        with pytest.raises(UsageError) as caught:
            world.memories.update(*arguments)
        assert code_of(caught) == code
    world.memories.archive(two)
    world.memories.update(one, content="Three.")
    with pytest.raises(UsageError):
        world.memories.update(one, content="Two.")
    assert world.memories.view(one).content == "Three."


def test_cards_are_not_corrected_here(world: MemoryWorld) -> None:
    with world.store.change() as change:
        change.put(MemoryRow(id=1, project="shop", kind="handoff", title="t", content="c"))
    with pytest.raises(UsageError) as caught:
        world.memories.update(1, content="d")
    assert code_of(caught) == "bad_kind"


def test_putting_away_and_bringing_back(world: MemoryWorld) -> None:
    first = world.memories.remember("shop", "fact", "", "First.").memory.id
    second = world.memories.remember("shop", "fact", "", "Second.", supersedes=[first]).memory.id
    for number in (first, second):
        assert world.memories.archive(number).state == "archived"
        assert world.memories.archive(number).state == "archived"
    assert [world.memories.restore(number).state for number in (first, second)] == ["superseded", "active"]
    assert world.memories.restore(second).state == "active"
    with pytest.raises(UsageError) as caught:
        world.memories.restore(99)
    assert code_of(caught) == "no_such_memory"


# --- listing -----------------------------------------------------------------------------------------------------------------------
def test_listing(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, (project, kind) in enumerate(
        [("shop", "fact"), ("shop", "todo"), ("other", "fact"), ("shop", "fact"), ("shop", "note")], 1
    ):
        monkeypatch.setenv("BACKSCROLL_NOW", f"2026-03-01T1{place}:00:00Z")
        world.memories.remember(project, kind, "", f"Memory {place}.")
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-03-01T20:00:00Z")
    world.memories.update(1, title="Changed")
    world.memories.archive(4)

    def ids(*arguments: str | None, limit: int = 0) -> list[int]:
        return [view.id for view in world.memories.listing(*arguments, limit=limit)]

    assert ids() == [1, 5, 3, 2]
    assert ids("SHOP") == [1, 5, 2]
    assert ids("shop", "fact") == [1]
    assert ids(None, "fact", "archived") == [4]
    assert ids(None, None, None, limit=2) == [1, 5]
    assert [view.id for view in world.memories.recent("shop", limit=2)] == [1, 5]
    assert [view.id for view in world.memories.recent()] == [1, 5, 3, 2]
    for arguments, code in ((("nobody",), "no_such_project"), ((None, "x"), "bad_kind"), ((None, None, "x"), "bad_field")):
        with pytest.raises(UsageError) as caught:
            world.memories.listing(*arguments)
        assert code_of(caught) == code
