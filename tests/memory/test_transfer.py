"""Everything out into one file and in again: nothing lost, nothing twice, nothing half."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_world import MemoryWorld
from transfer_rows import FULL, all_rows, memory, out, put, take

from tray_app.errors import KnownError, UsageError
from tray_app.library.memory.rows import (
    ArchiveRow,
    CardRow,
    ChangelogRow,
    CheckpointRow,
    MemoryRow,
    NoteRow,
    PageRow,
    ParagraphRow,
    ProjectRow,
)
from tray_app.memory.memories import content_hash
from tray_app.memory.transfer import export_memory
from tray_app.records import TransferReport


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[tuple[MemoryWorld, MemoryWorld]]:
    pair = MemoryWorld(tmp_path / "one"), MemoryWorld(tmp_path / "two")
    yield pair
    for world in pair:
        world.close()


# --- out -----------------------------------------------------------------------------------------------------------------------
def test_the_file_is_readable(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    world, _ = worlds
    put(world, *FULL, NoteRow(id=1, key="baseline", value="2026-01-01"))
    path = world.folder / "out.jsonl"
    report = export_memory(world.store, path)
    assert report == TransferReport(path=str(path), projects=2, memories=4, checkpoints=3, cards=1)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert lines[0] == {
        "backscroll": "memory", "schema": 1,
        "counts": {"project": 2, "alias": 1, "memory": 4, "checkpoint": 3, "card": 1, "archive": 1, "page": 1, "paragraph": 1, "changelog": 1},
    }  # fmt: skip
    assert [(line["type"], line["id"]) for line in lines[1:]] == [
        *(("project", 2), ("project", 5), ("alias", 3), ("memory", 4), ("memory", 7), ("memory", 9), ("memory", 11)),
        *(("checkpoint", 1), ("checkpoint", 6), ("checkpoint", 8), ("card", 2), ("archive", 4), ("page", 3), ("paragraph", 6)),
        ("changelog", 2),
    ]
    assert "数据库用 SQLite。" in path.read_text("utf-8")
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


def test_nothing_is_overwritten_unless_it_is_said(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    world, _ = worlds
    path = world.folder / "mine.txt"
    path.write_text("precious")
    with pytest.raises(UsageError) as caught:
        export_memory(world.store, path)
    assert (caught.value.code, path.read_text()) == ("file_exists", "precious")
    with pytest.raises(UsageError) as caught:
        export_memory(world.store, world.folder, overwrite=True)
    assert caught.value.code == "file_exists"
    with pytest.raises(UsageError) as caught:
        export_memory(world.store, world.folder / "none" / "x.jsonl")
    assert caught.value.code == "no_such_folder"
    export_memory(world.store, path, overwrite=True)
    assert path.read_text().startswith('{"backscroll":"memory"')


def test_a_full_disk_leaves_no_half_file(worlds: tuple[MemoryWorld, MemoryWorld], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tray_app.memory.transfer.replace_file", full)
    with pytest.raises(KnownError) as caught:
        export_memory(worlds[0].store, worlds[0].folder / "x.jsonl")
    assert caught.value.code == "disk_full"
    assert not (worlds[0].folder / "x.jsonl").exists()


# --- in ------------------------------------------------------------------------------------------------------------------------
def test_out_in_out_is_the_same_to_the_byte(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *FULL)
    first = out(one)
    report = take(two, first)
    assert report == TransferReport(path=str(first), projects=2, memories=4, checkpoints=3, cards=1)
    assert out(two).read_bytes() == first.read_bytes()
    assert all_rows(two) == all_rows(one)
    assert two.projects.resolve("商店") == "shop"


def test_the_same_file_again_changes_nothing(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *FULL)
    first = out(one)
    take(two, first)
    before = all_rows(two)
    report = take(two, first)
    assert (report.projects, report.memories, report.checkpoints, report.cards, report.duplicates) == (0, 0, 0, 0, 14)
    assert all_rows(two) == before


def test_ids_are_mapped_and_links_kept(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *FULL)
    with two.store.change() as change:
        for number in range(1, 31):
            change.put(memory(number, f"Here {number}.", project="other"))
        change.put(CheckpointRow(id=20, project="other", goal="x"))
        change.put(PageRow(id=20, project="other", path="p"))
    report = take(two, out(one))
    assert report.memories == 4
    rows = two.store.rows(MemoryRow)
    by_content = {row.content: row for row in rows.values()}
    first, second = by_content["First: 数据库用 SQLite。"], by_content["Second."]
    assert (first.id, first.superseded_by, second.id) == (31, 33, 33)
    (card,), (archived,) = two.store.rows(CardRow).values(), two.store.rows(ArchiveRow).values()
    assert two.store.rows(CheckpointRow)[card.checkpoint].goal == "h"
    assert (archived.memory, archived.checkpoint) == (by_content["Archived."].id, 23)
    (paragraph,), (entry,) = two.store.rows(ParagraphRow).values(), two.store.rows(ChangelogRow).values()
    assert (paragraph.page, entry.memory) == (21, second.id)


def test_ids_that_were_given_before_are_not_given_again(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, memory(1, "One."))
    put(two, memory(5, "Gone."))
    with two.store.change() as change:
        change.delete(MemoryRow, 5)
    take(two, out(one))
    assert list(two.store.rows(MemoryRow)) == [6]


def test_the_same_content_is_a_duplicate_and_ours_stays(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(
        one,
        memory(1, "It  is so.", title="Theirs"),
        memory(2, "New.", superseded_by=0),
        memory(3, "Old.", state="superseded", superseded_by=1),
    )
    put(two, memory(8, "It is so.", title="Ours", state="archived"))
    report = take(two, out(one))
    assert (report.memories, report.duplicates) == (2, 1)
    rows = two.store.rows(MemoryRow)
    assert (rows[8].title, rows[8].state) == ("Ours", "archived")
    assert [(row.content, row.superseded_by) for row in rows.values() if row.id != 8] == [("New.", 0), ("Old.", 8)]


def test_names_converge_on_those_of_here(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    two.project("Shop")
    two.project("store")
    two.projects.alias("next.js".replace(".js", ""), "store")
    put(one, ProjectRow(id=1, name="shop", folder="/elsewhere/shop"), memory(1, "One."), memory(2, "Two.", project="next"))
    take(two, out(one))
    assert sorted(row.project for row in two.store.rows(MemoryRow).values()) == ["Shop", "store"]


def test_the_later_checkpoint_stays_active(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *FULL)
    put(
        two,
        CheckpointRow(id=1, project="shop", goal="ours", created=1, updated=1),
        CardRow(id=1, project="shop", markdown="ours", created=9),
    )
    put(two, CheckpointRow(id=2, project="shop", state="draft", goal="ours", created=9, updated=9))
    take(two, out(one))
    assert sorted((row.goal, row.state) for row in two.store.rows(CheckpointRow).values()) == [
        *(("", "archived"), ("g", "superseded"), ("h", "active"), ("ours", "draft"), ("ours", "superseded"))
    ]
    assert sorted((row.markdown, row.state) for row in two.store.rows(CardRow).values()) == [
        ("# Shop\n", "superseded"),
        ("ours", "active"),
    ]


def test_secrets_do_not_come_in(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    put(
        one,
        memory(1, f"token {key}"),
        CardRow(id=1, project="shop", markdown=key),
        CheckpointRow(id=1, project="shop", next=(key,)),
    )
    take(two, out(one))
    assert key.encode() not in out(two).read_bytes()
    (row,) = two.store.rows(MemoryRow).values()
    assert row.hash == content_hash(row.content)


TEXT = st.text(max_size=30)


@settings(max_examples=5)
@given(
    contents=st.lists(
        st.tuples(TEXT, TEXT, st.sampled_from(["shop", "Café", "商城"]), st.sampled_from(["active", "archived", "draft"])),
        max_size=6,
    )
)
def test_any_memories_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, contents: list[tuple[str, str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("transfer")
    one, two = MemoryWorld(folder / "one"), MemoryWorld(folder / "two")
    try:
        for title, content, project, state in contents:
            try:
                made = one.memories.remember(project, "note", title, content).memory
            except UsageError as fault:
                assert fault.code == "empty_content"
                continue
            with one.store.change() as change:
                change.put(msgspec.structs.replace(one.store.rows(MemoryRow)[made.id], state=state))
        first = out(one)
        assert take(two, first).faults == ()
        assert out(two).read_bytes() == first.read_bytes()
    finally:
        one.close()
        two.close()
