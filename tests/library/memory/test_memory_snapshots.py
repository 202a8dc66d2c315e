"""Snapshots and schemas: what is kept for how long, what the journal is cut by, taking an earlier state back, migrating."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from memory_content import Content, assert_whole, content, copied, filled, memory

from tray_app.errors import KnownError
from tray_app.library.memory import schema
from tray_app.library.memory.faults import full
from tray_app.library.memory.rows import CheckpointRow, MemoryRow, NoteRow
from tray_app.library.memory.snapshots import Snapshots
from tray_app.library.memory.store import MemoryStore

Allow = Callable[[str], None]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memory.duckdb"


@pytest.fixture
def store(file: Path):
    made = MemoryStore(file)
    yield made
    made.close()


def days(store: MemoryStore, monkeypatch: pytest.MonkeyPatch, first: int, last: int) -> Content:
    """Two changes on each of these days of a month."""
    for day in range(first, last + 1):
        for hour in (9, 18):
            monkeypatch.setenv("BACKSCROLL_NOW", f"2026-03-{day:02}T{hour:02}:00:00Z")
            with store.change() as change:
                number = change.new_id(MemoryRow)
                change.put(memory(number, content=f"content of day {day}"))
                if number > 2:
                    change.put(msgspec.structs.replace(change.rows(MemoryRow)[number - 2], title=f"changed on day {day}"))
    return content(store)


@pytest.fixture(scope="module")
def ten_days(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Content]:
    """A memory that lies closed after ten days, with a backup that the person made at the beginning."""
    folder = tmp_path_factory.mktemp("made") / "data"
    store = MemoryStore(folder / "memory.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKSCROLL_NOW", "2026-03-01T08:00:00Z")
        with store.change() as change:
            change.put(NoteRow(id=1, key="a"))
        store.backup()
        wanted = days(store, patch, 1, 10)
    store.close()
    return folder, wanted


def test_a_snapshot_of_every_day_and_the_newest_seven(ten_days: tuple[Path, Content]) -> None:
    store = MemoryStore(ten_days[0] / "memory.duckdb")
    taken = store.backups()
    assert [(one.kind, one.seq, one.memories) for one in taken] == [
        *(("daily", 1 + 2 * day, 2 * day) for day in range(9, 2, -1)), ("manual", 1, 0),
    ]  # fmt: skip
    assert all(one.bytes == one.path.stat().st_size for one in taken)
    assert [entry.seq for entry in store.places.journal.read().entries] == list(range(8, 22))


@pytest.mark.parametrize("without", [0, 1, 2, 6])
def test_a_cut_journal_is_enough_for_every_snapshot(
    ten_days: tuple[Path, Content], tmp_path: Path, allow_log: Allow, without: int
) -> None:
    allow_log("ERROR tray_app.library.memory")
    file = copied(ten_days[0], tmp_path / "data")
    for one in MemoryStore(file).backups()[:without]:
        one.path.write_bytes(b"garbage")
    file.unlink()
    assert "Nothing was lost" in assert_whole(file, ten_days[1])


def test_a_long_journal_keeps_what_the_two_newest_need(
    store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch, allow_log: Allow
) -> None:
    allow_log("ERROR tray_app.library.memory")
    monkeypatch.setattr("tray_app.library.memory.store.MOST_JOURNAL", 2_000)
    wanted = days(store, monkeypatch, 1, 5)
    newest = store.backups()[:2]
    assert store.places.journal.read().entries[0].seq == newest[1].seq + 1
    assert store.places.journal.size < 4_000
    newest[0].path.write_bytes(b"garbage")
    store.close()
    file.write_bytes(b"garbage")
    assert "Nothing was lost" in assert_whole(file, wanted)


def test_a_snapshot_that_cannot_be_made_fails_no_change(
    store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch, allow_log: Allow
) -> None:
    allow_log("WARNING tray_app.library.memory.store: no snapshot of the memory could be made")

    def refuse(*given: object) -> None:
        raise full(file)

    with monkeypatch.context() as patch:
        patch.setattr(Snapshots, "take", refuse)
        days(store, monkeypatch, 1, 2)
        assert "No space left" in store.snapshot_fault
        with pytest.raises(KnownError) as caught:
            store.backup()
        assert caught.value.code == "disk_full"
    wanted = days(store, monkeypatch, 3, 3)
    assert len(wanted["memories"]) == 6
    assert store.snapshot_fault == ""
    assert [one.seq for one in store.backups()] == [4]


def test_an_earlier_state_is_taken_back(store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    early = days(store, monkeypatch, 1, 1)
    path = store.backup()
    late = days(store, monkeypatch, 2, 2)
    with store.change() as change:
        change.put(CheckpointRow(id=5, project="p"))
        late = content(store)
    before = store.restore(path)
    assert content(store) == early
    assert sorted(number for number, _ in store.find_memories(["content"])) == sorted(early["memories"])
    with store.change() as change:
        assert change.new_id(MemoryRow) == max(late["memories"]) + 1
        assert change.new_id(CheckpointRow) == 6
    assert [one.kind for one in store.backups() if one.path == before] == ["before"]
    store.close()
    assert content(store) == early
    store.restore(before)
    late["checkpoints"][5] = CheckpointRow(id=5, project="p")
    assert content(store) == late
    store.close()
    assert assert_whole(file, late) == ""


def test_the_last_state_is_kept_though_nothing_follows(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.keep_daily()
    assert not store.file.parent.exists()
    days(store, monkeypatch, 1, 2)
    assert [one.seq for one in store.backups()] == [2, 1]
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-03-03T09:00:00Z")
    for _ in range(2):
        store.keep_daily()
        assert [(one.kind, one.seq) for one in store.backups()] == [("daily", 4), ("daily", 2), ("daily", 1)]


@pytest.mark.parametrize("damage", ["garbage", "gone", "cut"])
def test_what_is_no_snapshot_restores_nothing(store: MemoryStore, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    known = days(store, monkeypatch, 1, 1)
    path = store.backup()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(b"garbage" * 1_000 if damage == "garbage" else path.read_bytes()[:200_000])
    with pytest.raises(KnownError) as caught:
        store.restore(path)
    assert caught.value.code == "memory_damaged"
    assert content(store) == known


def test_before_a_clean_up_the_newest_five_are_kept(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(1, 8):
        days(store, monkeypatch, day, day)
        store.backup("before")
    days(store, monkeypatch, 8, 8)
    made = [datetime.fromtimestamp(one.created / 1000, UTC).day for one in store.backups() if one.kind == "before"]
    assert made == [7, 6, 5, 4, 3]


def test_strangers_in_the_folder_are_left_alone(store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = file.parent / "snapshots"
    folder.mkdir(parents=True)
    (folder / "memory-of-mine.duckdb").write_bytes(b"mine")
    (folder / "memory-20260301-090000-daily-1-1.duckdb.part").write_bytes(b"left by a kill")
    days(store, monkeypatch, 1, 3)
    assert (folder / "memory-of-mine.duckdb").read_bytes() == b"mine"
    assert list(folder.glob("*.part")) == []


# --- schemas ---------------------------------------------------------------------------------------------------------------
def raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of the next schema: projects are written large, notes are no more, checkpoints have their goal in front."""

    def step(table: str, fields: schema.Fields) -> tuple[str, schema.Fields] | None:
        if table == "notes":
            return None
        if table == "checkpoints":
            fields = {**fields, "goal": f"goal: {fields['goal']}"}
        return table, {name: value.upper() if name == "project" else value for name, value in fields.items()}

    monkeypatch.setattr(schema, "MEMORY_SCHEMA", schema.MEMORY_SCHEMA + 1)
    monkeypatch.setitem(schema.STEPS, schema.MEMORY_SCHEMA - 1, step)


def migrated(wanted: Content) -> Content:
    replace = msgspec.structs.replace
    return {
        **wanted,
        "memories": {number: replace(row, project="P") for number, row in wanted["memories"].items()},
        "checkpoints": {
            number: replace(row, project="P", goal=f"goal: {row.goal}") for number, row in wanted["checkpoints"].items()
        },
        "notes": {},
    }  # fmt: skip


@pytest.mark.parametrize("what", ["all is well", "the log is gone", "the file is gone", "the file and a snapshot are gone"])
def test_an_older_memory_becomes_one_of_today(file: Path, monkeypatch: pytest.MonkeyPatch, allow_log: Allow, what: str) -> None:
    allow_log("ERROR tray_app.library.memory")
    wanted = migrated(filled(file))
    old = file.read_bytes()
    if what == "the file and a snapshot are gone":
        newest = max((file.parent / "snapshots").iterdir(), key=lambda path: int(path.stem.split("-")[4]))
        newest.write_bytes(b"garbage")
    if "gone" in what and "file" in what:
        file.unlink()
    raised(monkeypatch)
    store = MemoryStore(file)
    assert content(store) == wanted
    assert store.facts().schema == schema.MEMORY_SCHEMA
    before = [one.path.read_bytes() for one in store.backups() if one.kind == "before"]
    assert before == ([] if "file" in what else [old])
    store.close()
    store = MemoryStore(file)
    assert content(store) == wanted  # rows in the journal are of the older schema still, and take the steps again
    assert store.mended == ""
    with store.change() as change:
        change.put(msgspec.structs.replace(store.rows(MemoryRow)[1], title="newer"))
    after = content(store)
    store.close()
    file.unlink()
    store = MemoryStore(file)
    assert content(store) == after
    store.close()


def test_an_older_snapshot_can_be_restored(store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = migrated(filled(file))
    path = store.backup()
    store.close()
    raised(monkeypatch)
    with store.change() as change:
        change.put(memory(99))
    store.restore(path)
    assert content(store) == wanted


def test_an_older_program_refuses_what_a_newer_one_made(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:
        raised(patch)
        with store.change() as change:
            change.put(memory(1))
        path = store.backup()
        store.close()
    with pytest.raises(KnownError) as caught:
        store.rows(MemoryRow)
    assert caught.value.code == "memory_newer"
    other = MemoryStore(tmp_path / "other" / "memory.duckdb")
    with pytest.raises(KnownError) as caught:
        other.restore(path)
    assert caught.value.code == "memory_newer"
