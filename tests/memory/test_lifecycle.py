"""Cleaning up: the plan, doing it, and bringing things back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tray_app.errors import UsageError
from tray_app.library.memory.rows import ArchiveRow, CardRow, CheckpointRow, MemoryRow, NoteRow, ProjectRow, Row
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.lifecycle import apply, plan, restore
from tray_app.records import CleanupPlan, ProjectView
from tray_app.settings import Settings

DAY = 86_400_000
NOW = 1_790_000_000_000
SETTINGS = Settings()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    store = MemoryStore(tmp_path / "memory.duckdb")
    yield store
    store.close()


def put(store: MemoryStore, *rows: Row) -> None:
    with store.change() as change:
        for row in rows:
            change.put(row)


def memory(number: int, age: float, kind: str = "session", project: str = "shop", **more: Any) -> MemoryRow:
    return MemoryRow(
        id=number, project=project, kind=kind, title=f"{kind} {number}", content=f"about {number}", updated=int(NOW - age * DAY), **more
    )  # fmt: skip


def told(made: CleanupPlan) -> list[tuple[str, int, str, str]]:
    return [(item.kind, item.id, item.action, item.reason) for item in made.items]


def test_session_summaries_by_age(store: MemoryStore) -> None:
    put(
        store,
        memory(1, 29.9), memory(2, 30), memory(3, 90),
        memory(4, 89.9, project="blog"), memory(5, 90, project="blog"), memory(6, 400, project="blog", state="archived"),
        CheckpointRow(id=1, project="Shop", updated=NOW), CheckpointRow(id=2, project="blog", state="superseded"),
    )  # fmt: skip
    assert told(plan(store, SETTINGS, NOW)) == [
        ("session", 2, "archive", "session summary, 30 days old, and the project has a checkpoint"),
        ("session", 3, "archive", "session summary, 90 days old"),
        ("session", 5, "archive", "session summary, 90 days old"),
    ]


def test_superseded_cards_and_checkpoints_beyond_the_last(store: MemoryStore) -> None:
    cards = [CardRow(id=n, project="shop", markdown=f"# Card {n}\n", state="superseded", created=NOW) for n in range(1, 6)]
    points = [CheckpointRow(id=n, project="shop", goal=f"goal {n}", state="superseded", updated=NOW) for n in range(1, 8)]
    put(store, *cards, *points, CardRow(id=6, project="shop", markdown="x"), CheckpointRow(id=8, project="shop"))
    put(store, CardRow(id=7, project="blog", markdown="x", state="superseded"))
    made = plan(store, SETTINGS, NOW)
    assert [(item.kind, item.id, item.title, item.reason) for item in made.items] == [
        ("card", 1, "Card 1", "superseded, beyond the last 3"),
        ("card", 2, "Card 2", "superseded, beyond the last 3"),
        ("checkpoint", 1, "goal 1", "superseded, beyond the last 5"),
        ("checkpoint", 2, "goal 2", "superseded, beyond the last 5"),
    ]
    assert (made.archived, made.reported, made.deleted, made.applied) == (4, 0, 0, False)


def test_drafts_that_nobody_confirmed(store: MemoryStore) -> None:
    put(
        store,
        CheckpointRow(id=1, project="shop", state="draft", goal="g", updated=NOW - 7 * DAY),
        CheckpointRow(id=2, project="blog", state="draft", updated=NOW - 7 * DAY + 1),
        memory(3, 7, "note", state="draft"),
        ArchiveRow(id=1, agent="dsh", session="s", project="shop", checkpoint=1),
    )
    assert told(plan(store, SETTINGS, NOW)) == [
        ("draft", 1, "archive", "draft that nobody confirmed for 7 days"),
        ("note", 3, "archive", "draft that nobody confirmed for 7 days"),
    ]
    apply(store, SETTINGS, NOW)
    assert [(row.id, row.state) for row in store.rows(CheckpointRow).values()] == [(1, "archived"), (2, "draft")]
    assert store.rows(ArchiveRow)[1].checkpoint == 0


def test_what_was_never_used_is_reported_only(store: MemoryStore) -> None:
    put(
        store,
        memory(1, 90, "fact"), memory(2, 89, "fact"), memory(3, 90, "decision", use_count=1), memory(4, 90, "baseline"),
        memory(5, 95, "changelog", state="superseded"),
    )  # fmt: skip
    made = apply(store, SETTINGS, NOW)
    assert told(made) == [("fact", 1, "report", "never used in 90 days")]
    assert (made.applied, made.backup, made.reported) == (True, "", 1)
    assert [one for one in store.backups() if one.kind == "before"] == []
    assert store.rows(MemoryRow)[1].state == "active"
    assert plan(store, SETTINGS, NOW).items == ()
    assert told(plan(store, SETTINGS, NOW + 90 * DAY))[0] == ("fact", 1, "report", "never used in 180 days")


def test_orphans_are_reported_only(store: MemoryStore) -> None:
    put(store, ProjectRow(id=4, name="old-site"))
    views = [
        ProjectView(name="old-site", state="orphan", last_activity="2026-01-01T00:00:00.000Z"),
        ProjectView(name="no-date", state="orphan"),
        ProjectView(name="fresh", state="orphan", last_activity="2026-09-20T00:00:00.000Z"),
        ProjectView(name="there", state="present", last_activity="2020-01-01T00:00:00.000Z"),
    ]
    made = plan(store, SETTINGS, NOW, orphans=views)
    assert [(item.kind, item.id, item.project, item.action, item.reason) for item in made.items] == [
        ("project", 4, "old-site", "report", "its folder is gone, untouched for 263 days"),
        ("project", 0, "no-date", "report", "its folder is gone, never touched"),
    ]
    apply(store, SETTINGS, NOW, orphans=views)
    assert plan(store, SETTINGS, NOW, orphans=views).items == ()


def full(store: MemoryStore) -> None:
    put(
        store,
        memory(1, 100), memory(2, 100, "fact"), memory(3, 300, "note", state="archived"),
        memory(4, 10, "fact", state="superseded", superseded_by=3),
        *(CardRow(id=n, project="shop", markdown=f"# {n}", state="superseded", created=NOW - 400 * DAY) for n in range(1, 5)),
        CardRow(id=5, project="shop", markdown="# 5", state="archived", created=NOW - 400 * DAY, updated=NOW - 10 * DAY),
        CardRow(id=6, project="shop", markdown="# 6", state="archived", created=NOW - 400 * DAY, checkpoint=3),
        CheckpointRow(id=1, project="shop", state="draft", updated=NOW - 8 * DAY, evidence={"goal": "first request"}),
        CheckpointRow(id=2, project="shop", state="archived", updated=NOW - 180 * DAY, evidence={"goal": "x"}),
        CheckpointRow(id=3, project="shop", state="archived", updated=NOW - 179 * DAY),
        ArchiveRow(id=1, agent="dsh", session="s", project="shop", memory=3, checkpoint=2),
    )  # fmt: skip


def test_applying_archives_softly_after_a_backup_and_a_second_plan_is_empty(store: MemoryStore) -> None:
    full(store)
    wanted = plan(store, SETTINGS, NOW)
    made = apply(store, SETTINGS, NOW)
    assert (made.items, made.archived, made.reported, made.deleted, made.applied) == (wanted.items, 3, 1, 0, True)
    assert [(Path(made.backup) == one.path, one.kind) for one in store.backups() if one.kind == "before"] == [(True, "before")]
    assert store.rows(MemoryRow)[1].state == "archived"
    assert store.rows(MemoryRow)[1].updated == NOW
    assert [row.state for row in store.rows(CardRow).values()][:4] == ["archived", "superseded", "superseded", "superseded"]
    assert plan(store, SETTINGS, NOW) == CleanupPlan()
    assert apply(store, SETTINGS, NOW) == CleanupPlan(applied=True)
    assert len([one for one in store.backups() if one.kind == "before"]) == 1


def test_purging_deletes_what_was_archived_for_long(store: MemoryStore) -> None:
    full(store)
    assert [(item.kind, item.id) for item in plan(store, SETTINGS, NOW, purge=True).items if item.action == "delete"] == [
        ("note", 3), ("draft", 2), ("card", 6),
    ]  # fmt: skip
    made = apply(store, SETTINGS, NOW, purge=True)
    assert (made.deleted, bool(made.backup)) == (3, True)
    assert 3 not in store.rows(MemoryRow)
    assert store.rows(MemoryRow)[4].superseded_by == 0
    assert (store.rows(ArchiveRow)[1].memory, store.rows(ArchiveRow)[1].checkpoint) == (0, 0)
    assert sorted(store.rows(CheckpointRow)) == [1, 3]
    assert sorted(store.rows(CardRow)) == [1, 2, 3, 4, 5]
    assert plan(store, SETTINGS, NOW, purge=True) == CleanupPlan()
    store.restore(Path(made.backup))
    assert 3 in store.rows(MemoryRow)


def test_what_was_archived_can_be_brought_back_and_stays(store: MemoryStore) -> None:
    full(store)
    apply(store, SETTINGS, NOW)
    later = NOW + DAY
    restore(store, "memory", 1, later)
    restore(store, "memory", 3, later)
    restore(store, "card", 1, later)
    restore(store, "checkpoint", 1, later)
    restore(store, "checkpoint", 2, later)
    restore(store, "checkpoint", 3, later)
    assert [store.rows(MemoryRow)[number].state for number in (1, 3)] == ["active", "active"]
    assert store.rows(CardRow)[1].state == "superseded"
    assert [store.rows(CheckpointRow)[number].state for number in (1, 2, 3)] == ["draft", "superseded", "superseded"], (
        "one draft a project"
    )
    assert [item.kind for item in plan(store, SETTINGS, later).items] == ["card"]


@pytest.mark.parametrize(
    ("kind", "number", "code"), [("page", 1, "bad_kind"), ("memory", 99, "no_such_memory"), ("card", 2, "no_such_memory")]
)
def test_what_cannot_be_brought_back(store: MemoryStore, kind: str, number: int, code: str) -> None:
    full(store)
    with pytest.raises(UsageError) as fault:
        restore(store, kind, number, NOW)
    assert fault.value.code == code


def test_a_superseded_memory_comes_back_as_such(store: MemoryStore) -> None:
    put(store, memory(1, 1, "fact"), memory(2, 1, "fact", state="archived", superseded_by=1))
    restore(store, "memory", 2, NOW)
    assert store.rows(MemoryRow)[2].state == "superseded"


def test_a_note_that_cannot_be_read_is_written_anew(store: MemoryStore) -> None:
    put(store, memory(1, 100, "fact"), NoteRow(id=1, key="cleanup_reported", value="[broken"))
    assert apply(store, SETTINGS, NOW).reported == 1
    assert store.rows(NoteRow)[1].value == f'{{"fact 1":{NOW}}}'


def test_a_clock_that_went_back_harms_nothing(store: MemoryStore) -> None:
    put(store, memory(1, -400), memory(2, -400, "fact"), CheckpointRow(id=1, project="shop", state="draft", updated=NOW + DAY))
    assert plan(store, SETTINGS, NOW, purge=True) == CleanupPlan()


def test_an_empty_memory(store: MemoryStore, tmp_path: Path) -> None:
    assert apply(store, SETTINGS, NOW) == CleanupPlan(applied=True)
    assert list(tmp_path.iterdir()) == []
