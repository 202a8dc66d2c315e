"""Damage of any kind: the memory opens again, and nothing that was acknowledged is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from memory_content import Content, assert_whole, content, copied, filled, memory

from tray_app.errors import KnownError
from tray_app.library.memory.rows import MemoryRow
from tray_app.library.memory.store import MemoryStore

Allow = Callable[[str], None]
Made = tuple[Path, Content]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A memory that lies closed, with a snapshot that is not the newest state; and what is in it."""
    folder = tmp_path_factory.mktemp("made") / "data"
    return folder, filled(folder / "memory.duckdb")


@pytest.fixture(autouse=True)
def mending_is_told(allow_log: Allow) -> None:
    allow_log("ERROR tray_app.library.memory.opening: memory mended: ")


def flipped(path: Path, at: int, bits: int = 0x55) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= bits
    path.write_bytes(data)


@pytest.mark.parametrize("place", range(14))
def test_a_flipped_byte_in_the_file(made: Made, tmp_path: Path, place: int) -> None:
    """The headers, and something in every part of the file."""
    file = copied(made[0], tmp_path / "data")
    size = file.stat().st_size
    at = (
        [8, 12, 4096 + 16, 4096 + 24, 8192 + 16, 8192 + 24][place] if place < 6 else 12_288 + (size - 12_288) * (place - 6) // 8
    )
    flipped(file, at)
    mended = assert_whole(file, made[1])
    assert mended == "" or ("Nothing was lost" in mended and "lost." in mended)
    if mended:
        assert [path.name for path in file.parent.glob("memory.damaged-*.duckdb")] != []


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.7, 0.9999])
def test_a_file_that_was_cut_off(made: Made, tmp_path: Path, share: float) -> None:
    file = copied(made[0], tmp_path / "data")
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * share)])
    assert "Nothing was lost" in assert_whole(file, made[1])


@pytest.mark.parametrize("content", [b"garbage" * 5_000, bytes(200_000)])
def test_a_file_of_something_else(made: Made, tmp_path: Path, content: bytes) -> None:
    file = copied(made[0], tmp_path / "data")
    file.write_bytes(content)
    assert "Nothing was lost" in assert_whole(file, made[1])
    aside = list(file.parent.glob("memory.damaged-*.duckdb"))
    assert [path.read_bytes() for path in aside] == [content]


def test_a_file_that_was_removed(made: Made, tmp_path: Path) -> None:
    file = copied(made[0], tmp_path / "data")
    file.unlink()
    assert "it was gone" in assert_whole(file, made[1])


def test_what_a_killed_process_had_half_made_goes(made: Made, tmp_path: Path) -> None:
    file = copied(made[0], tmp_path / "data")
    for name in ("memory.duckdb.part", "memory.duckdb.part.wal", "memory.journal.jsonl.part"):
        file.with_name(name).write_bytes(b"half")
    file.with_name("memory-spill").mkdir()
    (file.with_name("memory-spill") / "duckdb_temp_storage-0.tmp").write_bytes(b"text")
    assert assert_whole(file, made[1]) == ""
    assert sorted(path.name for path in file.parent.iterdir()) == ["memory.duckdb", "memory.journal.jsonl", "snapshots"]


def test_a_log_without_its_file(made: Made, tmp_path: Path) -> None:
    file = copied(made[0], tmp_path / "data")
    file.replace(file.with_name("memory.duckdb.wal"))
    assert "Nothing was lost" in assert_whole(file, made[1])


@pytest.mark.parametrize("what", ["removed", "cut", "flipped", "garbage"])
def test_a_log_that_is_gone_or_damaged(made: Made, tmp_path: Path, what: str) -> None:
    """As after a kill: the newest changes are in the log beside the file only."""
    file = copied(made[0], tmp_path / "live")
    store = MemoryStore(file)
    for step in range(6):
        with store.change() as change:
            change.put(memory(change.new_id(MemoryRow), content=f"newest {step} content"))
    wanted = content(store)
    killed = copied(file.parent, tmp_path / "data")
    store.close()
    log = killed.with_name("memory.duckdb.wal")
    data = bytearray(log.read_bytes())
    assert len(data) > 1_000
    if what == "removed":
        log.unlink()
    elif what == "cut":
        log.write_bytes(data[: len(data) * 6 // 10])
    elif what == "flipped":
        data[len(data) // 2] ^= 0xFF
        log.write_bytes(data)
    else:
        log.write_bytes(b"junk" * 5_000)
    assert "Nothing was lost" in assert_whole(killed, wanted)


@pytest.mark.parametrize("cut", [1, 30, 1_000])
def test_a_torn_end_of_the_journal_was_never_acknowledged(made: Made, tmp_path: Path, cut: int) -> None:
    """A change of which only a part was written before the machine died: the database never heard of it."""
    file = copied(made[0], tmp_path / "data")
    other = copied(made[0], tmp_path / "other")
    store = MemoryStore(other)
    with store.change() as change:
        change.put(memory(900, content="never acknowledged " * 100))
    store.close()
    journal = file.with_name("memory.journal.jsonl")
    before = journal.read_bytes()
    line = store.places.journal.file.read_bytes()[len(before) :]
    journal.write_bytes(before + line[:-1][:cut])
    assert assert_whole(file, made[1]) == ""


@pytest.mark.parametrize("place", range(7))
def test_a_flipped_byte_in_the_journal(made: Made, tmp_path: Path, place: int) -> None:
    file = copied(made[0], tmp_path / "data")
    journal = file.with_name("memory.journal.jsonl")
    size = journal.stat().st_size
    flipped(journal, size - 1 if place == 6 else size * place // 6 + place * 3)
    assert "lost." in (assert_whole(file, made[1]) or "lost.")
    file.unlink()  # and what was made of it is enough when the file goes too
    store = MemoryStore(file)
    assert {number: row for number, row in store.rows(MemoryRow).items() if row.title != "one more"} == made[1]["memories"]
    store.close()


@pytest.mark.parametrize("content", [None, b"", b"garbage\n" * 50, b"\0" * 5_000])
def test_a_journal_that_is_gone(made: Made, tmp_path: Path, content: bytes | None) -> None:
    file = copied(made[0], tmp_path / "data")
    journal = file.with_name("memory.journal.jsonl")
    journal.unlink()
    if content is not None:
        journal.write_bytes(content)
    assert "Nothing was lost" in assert_whole(file, made[1])
    file.unlink()
    assert "it was gone" in assert_whole(file, _with_one_more(made[1]))


def _with_one_more(wanted: Content) -> Content:
    number = max(wanted["memories"]) + 1
    return {**wanted, "memories": {**wanted["memories"], number: memory(number, "one more", "quince content")}}


def test_an_older_journal_does_not_take_newer_rows_back(made: Made, tmp_path: Path) -> None:
    """The end of the journal is gone at a line's end: the database knows better."""
    file = copied(made[0], tmp_path / "data")
    journal = file.with_name("memory.journal.jsonl")
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-3]))
    assert "Nothing was lost" in assert_whole(file, made[1])


def test_a_damaged_line_after_a_damaged_file_is_told(made: Made, tmp_path: Path) -> None:
    """Both at once: all but this one change is there, and it is said that one is lost."""
    file = copied(made[0], tmp_path / "data")
    journal = file.with_name("memory.journal.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[-2] = lines[-2].replace(b'"time"', b'"tame"')
    journal.write_bytes(b"".join(lines))
    file.write_bytes(b"garbage" * 1_000)
    store = MemoryStore(file)
    rows = store.rows(MemoryRow)
    assert "1 changes could not be read and are lost." in store.mended
    assert len(made[1]["memories"]) - len(rows) in (0, 1)
    assert list(store.rows(type(made[1]["notes"][1])).values()) == list(made[1]["notes"].values())
    store.close()


@pytest.mark.parametrize("bad", [1, 2])
def test_snapshots_that_are_damaged_too(made: Made, tmp_path: Path, allow_log: Allow, bad: int) -> None:
    """The journal was never cut before the oldest: it makes good for all of them."""
    allow_log("ERROR tray_app.library.memory.snapshots: the snapshot memory-.* cannot be read")
    file = copied(made[0], tmp_path / "data")
    snapshots = sorted((file.parent / "snapshots").iterdir())
    for snapshot in snapshots[-bad:]:
        snapshot.write_bytes(snapshot.read_bytes()[:100_000])
    file.write_bytes(b"")
    assert "Nothing was lost" in assert_whole(file, made[1])


def test_only_the_snapshots_are_left(made: Made, tmp_path: Path) -> None:
    file = copied(made[0], tmp_path / "data")
    file.unlink()
    file.with_name("memory.journal.jsonl").unlink()
    store = MemoryStore(file)
    assert 0 < len(store.rows(MemoryRow)) < len(made[1]["memories"])
    assert "What was changed after the newest snapshot cannot be read any more." in store.mended
    store.close()


def test_rows_that_somebody_else_changed_are_put_right(made: Made, tmp_path: Path) -> None:
    import duckdb

    file = copied(made[0], tmp_path / "data")
    with duckdb.connect(str(file)) as connection:
        connection.execute("update memories set title = 'forged' where id = 1")
        connection.execute("delete from notes")
    assert "2 rows of the memory file were not those that were written" in assert_whole(file, made[1])


def test_a_newer_file_is_refused_and_left_alone(made: Made, tmp_path: Path) -> None:
    import duckdb

    file = copied(made[0], tmp_path / "data")
    with duckdb.connect(str(file)) as connection:
        connection.execute("update meta set value = '99' where key = 'schema'")
    before = {path.name: path.read_bytes() for path in file.parent.rglob("*") if path.is_file()}
    store = MemoryStore(file)
    for _ in range(2):
        with pytest.raises(KnownError) as caught:
            store.rows(MemoryRow)
        assert caught.value.code == "memory_newer"
        with pytest.raises(KnownError), store.change() as change:
            change.put(memory(1))
    store.close()
    assert {path.name: path.read_bytes() for path in file.parent.rglob("*") if path.is_file()} == before


def test_a_newer_journal_is_refused(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = copied(made[0], tmp_path / "data")
    file.unlink()
    monkeypatch.setattr("tray_app.library.memory.schema.MEMORY_SCHEMA", 0)
    with pytest.raises(KnownError) as caught:
        MemoryStore(file).rows(MemoryRow)
    assert caught.value.code == "memory_newer"


def test_damage_that_shows_while_it_is_open(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words' index is read only when it is asked: the file is made anew, and the question answered."""
    import duckdb

    from tray_app.library.memory.file import MemoryFile

    file = copied(made[0], tmp_path / "data")
    store = MemoryStore(file)
    store.rows(MemoryRow)
    find, apply, faults = MemoryFile.find, MemoryFile.apply, [1, 1]

    def damaged() -> None:
        if faults:
            faults.pop()
            raise duckdb.IOException("IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2")

    def failing_find(self: MemoryFile, *given: object) -> object:
        damaged()
        return find(self, *given)

    def failing_apply(self: MemoryFile, *given: object) -> None:
        damaged()
        apply(self, *given)

    monkeypatch.setattr(MemoryFile, "find", failing_find)
    assert len(store.find_memories(["retry"])) > 0
    assert "Nothing was lost" in store.mended
    faults.append(1)
    monkeypatch.setattr(MemoryFile, "apply", failing_apply)
    with store.change() as change:
        change.put(memory(500))
    wanted = content(store)
    assert 500 in wanted["memories"]
    store.close()
    assert assert_whole(file, wanted) == ""
    assert len(list(file.parent.glob("memory.damaged-*.duckdb"))) == 2


def test_a_mistake_of_ours_costs_no_file(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    from tray_app.library.memory.file import MemoryFile

    def mistaken(*given: object) -> None:
        raise duckdb.BinderException("Binder Error: no such column")

    file = copied(made[0], tmp_path / "data")
    store = MemoryStore(file)
    with monkeypatch.context() as patch:
        patch.setattr(MemoryFile, "find", mistaken)
        with pytest.raises(duckdb.BinderException):
            store.find_memories(["retry"])
        patch.setattr(MemoryFile, "apply", mistaken)
        with pytest.raises(duckdb.BinderException), store.change() as change:
            change.put(memory(500))
    store.close()
    assert assert_whole(file, made[1]) == ""


def test_of_damaged_files_the_newest_three_are_kept(made: Made, tmp_path: Path) -> None:
    file = copied(made[0], tmp_path / "data")
    for number in range(4):
        file.write_bytes(b"garbage %d" % number * 1_000)
        store = MemoryStore(file)
        assert content(store) == made[1]
        store.close()
    assert sorted(path.read_bytes()[:9] for path in file.parent.glob("memory.damaged-*.duckdb")) == [
        b"garbage 1", b"garbage 2", b"garbage 3",
    ]  # fmt: skip


def test_a_program_that_dies_while_it_opens_is_not_an_endless_loop(made: Made, tmp_path: Path) -> None:
    """A log whose replay aborts the process: the third start does not touch it."""
    file = copied(made[0], tmp_path / "data")
    file.with_name("memory.duckdb.opening").write_text("999999999 2", "utf-8")
    assert "it could not be read" in assert_whole(file, made[1])
    assert not file.with_name("memory.duckdb.opening").exists()
    other = tmp_path / "other" / "memory.duckdb"
    other.parent.mkdir()
    other.with_name("memory.duckdb.opening").write_text("999999999 2", "utf-8")
    store = MemoryStore(other)  # it never came so far as to make one: nothing is to be mended
    with store.change() as change:
        change.put(memory(1))
    assert store.mended == ""
    store.close()
