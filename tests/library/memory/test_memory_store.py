"""The store: what is written is there, at once and again after closing; all or nothing; never an id twice."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from memory_content import assert_whole, content, filled, memory

from tray_app.errors import KnownError
from tray_app.library.memory.file import log_of
from tray_app.library.memory.rows import (
    TABLES,
    ArchiveRow,
    CheckpointRow,
    MemoryRow,
    NoteRow,
    ParagraphRow,
    ProjectRow,
)
from tray_app.library.memory.schema import MEMORY_SCHEMA
from tray_app.library.memory.store import MemoryStore
from tray_app.text.segment import query_tokens


def found(store: MemoryStore, question: str) -> list[int]:
    return [number for number, _ in store.find_memories(query_tokens(question))]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memory.duckdb"


@pytest.fixture
def store(file: Path):
    made = MemoryStore(file)
    yield made
    made.close()


def put(store: MemoryStore, *rows: object) -> None:
    with store.change() as change:
        for row in rows:
            change.put(row)


def test_reading_what_was_never_written_makes_no_file(store: MemoryStore, file: Path) -> None:
    assert dict(store.rows(MemoryRow)) == {}
    assert found(store, "word") == []
    assert store.find_paragraphs(["word"]) == []
    assert store.lacking("space") == []
    assert store.memories_of("p") == []
    assert store.backups() == []
    assert store.facts().journal_entries == 0
    with store.change():
        pass
    store.close()
    assert not file.parent.exists() or [path.name for path in file.parent.iterdir()] == []


def test_every_kind_of_row_is_there_again(store: MemoryStore, file: Path) -> None:
    rows = {
        "projects": ProjectRow(id=1, name="数据库", folder="/p", created=5),
        "memories": memory(1, source_agent="codex", last_used=9, use_count=2, superseded_by=7),
        "checkpoints": CheckpointRow(id=3, project="p", done=("a", "二"), next=(), evidence={"done": 'said "so"\n'}),
        "archives": ArchiveRow(id=2, agent="codex", session="s", project="p", read_pack=True, tokens_in=1 << 40),
        "paragraphs": ParagraphRow(id=1, page=1, project="p", heading="a > b", text="\0 nul, 'quotes', \\ and 🙂"),
    }
    others = [kind for name, kind in TABLES.items() if name not in rows]
    required = {"alias": "a", "project": "p", "markdown": "# x", "path": "x.md", "entry_hash": "h", "key": "k"}
    for kind in others:
        fields = {name: value for name, value in required.items() if name in kind.__struct_fields__}
        rows[next(name for name, known in TABLES.items() if known is kind)] = kind(id=1, **fields)
    put(store, *rows.values())
    wanted = {name: {row.id: row} for name, row in rows.items()}
    assert content(store) == wanted
    store.close()
    assert content(store) == wanted
    assert store.mended == ""


def test_text_that_no_file_can_keep_is_cleaned(store: MemoryStore) -> None:
    put(store, memory(1, "a \ud800 b"), CheckpointRow(id=1, project="p", done=["x\udfff"], evidence={"a\ud800": "b"}))
    assert store.rows(MemoryRow)[1].title == "a \ufffd b"
    assert store.rows(CheckpointRow)[1].done == ("x\ufffd",)
    assert store.rows(CheckpointRow)[1].evidence == {"a\ufffd": "b"}


@pytest.mark.parametrize("bad", [memory(1, use_count="many"), memory(1, title=5)])
def test_a_row_with_a_wrong_field_changes_nothing(store: MemoryStore, bad: MemoryRow) -> None:
    with pytest.raises(msgspec.ValidationError):
        put(store, NoteRow(id=1, key="a"), bad)
    assert dict(store.rows(NoteRow)) == {}
    with pytest.raises(ValueError, match="begin at 1"):
        put(store, memory(0))


def test_a_change_that_fails_changes_nothing(store: MemoryStore, file: Path) -> None:
    put(store, memory(1))
    before, size = content(store), store.places.journal.size
    with pytest.raises(RuntimeError), store.change() as change:
        change.put(memory(2))
        change.delete(MemoryRow, 1)
        raise RuntimeError
    assert content(store) == before
    assert store.places.journal.size == size
    assert assert_whole_after(store, file) == ""


def assert_whole_after(store: MemoryStore, file: Path) -> str:
    wanted = content(store)
    store.close()
    return assert_whole(file, wanted)


def test_a_number_too_large_for_the_file_changes_nothing(store: MemoryStore, file: Path) -> None:
    put(store, memory(1))
    with pytest.raises(OverflowError):
        put(store, memory(2, use_count=1 << 63))
    assert list(store.rows(MemoryRow)) == [1]
    assert assert_whole_after(store, file) == ""


def test_what_a_change_has_done_so_far(store: MemoryStore) -> None:
    put(store, memory(1), memory(2))
    with store.change() as change:
        change.delete(MemoryRow, 1)
        change.put(memory(3))
        assert sorted(change.rows(MemoryRow)) == [2, 3]
        assert change.get(MemoryRow, 1) is None
        assert sorted(store.rows(MemoryRow)) == [1, 2]
        change.put(memory(1, "back"))
    assert sorted(store.rows(MemoryRow)) == [1, 2, 3]
    assert store.rows(MemoryRow)[1].title == "back"


def test_a_change_within_a_change_is_a_part_of_it(store: MemoryStore) -> None:
    with store.change() as outer:
        outer.put(memory(1))
        with store.change() as inner:
            inner.put(memory(2))
        with pytest.raises(RuntimeError), store.change() as inner:
            inner.put(memory(1, "else"))
            inner.delete(MemoryRow, 2)
            inner.put(memory(3))
            raise RuntimeError
    assert {number: row.title for number, row in store.rows(MemoryRow).items()} == {1: "title 1", 2: "title 2"}
    assert store.facts().journal_entries == 1


def test_what_makes_no_difference_is_not_written(store: MemoryStore) -> None:
    put(store, memory(1))
    put(store, memory(1))
    with store.change() as change:
        change.delete(MemoryRow, 9)
    assert store.facts().journal_entries == 1


def test_an_id_is_never_given_twice(store: MemoryStore) -> None:
    with store.change() as change:
        first = change.new_id(MemoryRow)
        change.put(memory(first))
        change.put(memory(40))
        assert change.new_id(MemoryRow) == 41
        change.put(memory(41))
    with store.change() as change:
        for number in (1, 40, 41):
            change.delete(MemoryRow, number)
    store.close()
    with store.change() as change:
        assert change.new_id(MemoryRow) == 42
        assert change.new_id(CheckpointRow) == 1


def test_whoever_reads_keeps_what_he_read(store: MemoryStore) -> None:
    put(store, memory(1))
    rows = store.rows(MemoryRow)
    put(store, memory(2))
    assert list(rows) == [1]
    with pytest.raises(TypeError):
        rows[3] = memory(3)  # type: ignore[index]
    with pytest.raises(AttributeError):
        rows[1].title = "x"  # type: ignore[misc]


def test_memories_of_a_project(store: MemoryStore) -> None:
    put(
        store, memory(3), memory(1, kind="todo"), memory(2, state="archived"), memory(4, project="q"),
        memory(5, state="draft", kind="session"),
    )  # fmt: skip
    assert [row.id for row in store.memories_of("p")] == [1, 3]
    assert [row.id for row in store.memories_of("p", states=())] == [1, 2, 3, 5]
    assert [row.id for row in store.memories_of("p", kinds=("todo", "session"), states=("active", "draft"))] == [1, 5]
    assert store.memories_of("none") == []


def test_files_are_for_this_user_only(store: MemoryStore, file: Path) -> None:
    if os.name != "posix":
        pytest.skip("modes are of POSIX")
    old = os.umask(0o022)
    try:
        put(store, memory(1))
        store.backup()
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.rglob("*") if path.is_file()}
        assert set(modes.values()) == {0o600}
        assert {"memory.duckdb", "memory.journal.jsonl"} < set(modes)
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE((file.parent / "snapshots").stat().st_mode) == 0o700
    finally:
        os.umask(old)


def test_nothing_is_left_open_or_lying_about(store: MemoryStore, file: Path) -> None:
    filled(file)
    assert sorted(path.name for path in file.parent.iterdir()) == ["memory.duckdb", "memory.journal.jsonl", "snapshots"]


# --- words and vectors -----------------------------------------------------------------------------------------------------
def test_words_follow_the_rows(store: MemoryStore) -> None:
    put(store, memory(1, "Retry", "the upload of 数据库 failed with E0277"), memory(2, "other", "quince and medlar"))
    assert found(store, "e0277") == [1]
    assert found(store, "数据 quince medlar") == [2, 1]
    put(store, memory(1, "Retry", "now about pears"))
    assert found(store, "e0277") == []
    assert found(store, "pears") == [1]
    put(store, msgspec.structs.replace(store.rows(MemoryRow)[1], state="archived"))
    assert found(store, "pears") == []
    put(store, msgspec.structs.replace(store.rows(MemoryRow)[1], state="active"))
    assert found(store, "pears") == [1]
    with store.change() as change:
        change.delete(MemoryRow, 1)
    assert found(store, "pears") == []


def test_near_words_and_lone_characters(store: MemoryStore) -> None:
    put(store, memory(1, "a", "the PostgreSQL migration"), memory(2, "b", "重启数据库以后"))
    assert found(store, "postgr") == [1]
    assert found(store, "migratoin") == [1]
    assert found(store, "据") == [2]
    assert store.find_memories(["zzz", "", "'"]) == []


def test_paragraphs_are_found_apart_from_memories(store: MemoryStore) -> None:
    put(store, memory(1, "a", "price list"), ParagraphRow(id=7, page=1, project="p", heading="Costs > Price", text="12 euros"))
    assert [number for number, _ in store.find_paragraphs(["price"])] == [7]
    assert found(store, "price") == [1]


def test_words_that_do_not_fit_are_made_anew(store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, memory(1, "a", "quince"))
    store.close()
    monkeypatch.setattr("tray_app.library.memory.searching.tokens", lambda text: ["everything"])
    assert store.find_memories(["everything"])[0][0] == 1
    assert found(store, "quince") == []
    assert store.mended == ""


def test_vectors(store: MemoryStore) -> None:
    put(store, memory(1), memory(2), memory(3, state="draft"))
    assert [row.id for row in store.lacking("a")] == [2, 1]
    rows = dict(store.rows(MemoryRow))
    store.put_vectors("a", {1: np.array([3, 0, 4], np.float32), 3: np.ones(3, np.float32), 9: np.ones(3, np.float32)}, rows)
    ids, matrix = store.vectors("a")
    assert ids.tolist() == [1]
    assert np.allclose(matrix, [[0.6, 0, 0.8]], atol=1e-3)
    assert (ids.dtype, matrix.dtype) == (np.int32, np.float32)
    assert store.vectors("a").matrix is matrix
    assert [row.id for row in store.lacking("a")] == [2]
    assert [row.id for row in store.lacking("b")] == [2, 1]
    put(store, msgspec.structs.replace(rows[1], use_count=1, last_used=5))
    store.close()
    assert store.vectors("a").ids.tolist() == [1]
    put(store, memory(1, "another title"))
    assert store.vectors("a").ids.tolist() == []
    store.put_vectors("a", {1: np.ones(3, np.float32)}, rows)  # made of the text it had before
    assert store.vectors("a").ids.tolist() == []
    store.put_vectors("a", {1: np.ones(3, np.float32)})
    put(store, memory(3))
    assert store.vectors("a").ids.tolist() == [1, 3]
    store.put_vectors("a", {2: np.zeros(3, np.float32)})  # says nothing
    assert store.vectors("a").ids.tolist() == [1, 3]
    store.put_vectors("a", {2: np.array([0, 5], np.float32), 3: np.array([1e30, 0], np.float32)})  # of another length now
    assert store.vectors("a").matrix.tolist() == [[0, 1], [1, 0]]


def test_use_is_kept_by_the_journal_before_it_is_in_the_file(
    store: MemoryStore, file: Path, tmp_path: Path, allow_log: Callable[[str], None]
) -> None:
    put(store, memory(1), memory(2))
    put(store, msgspec.structs.replace(memory(2), use_count=1, last_used=1))  # takes the snapshot of the day
    stood = log_of(file).read_bytes() if log_of(file).exists() else b""
    for count in (1, 2, 3):
        put(store, msgspec.structs.replace(memory(1), use_count=count, last_used=count))
    assert (log_of(file).read_bytes() if log_of(file).exists() else b"") == stood
    copy = tmp_path / "killed" / file.name
    shutil.copytree(file.parent, copy.parent, ignore=shutil.ignore_patterns("killed"))
    killed = MemoryStore(copy)
    assert (killed.rows(MemoryRow)[1].use_count, killed.mended) == (3, "")
    killed.close()
    put(store, memory(2, "another title"))
    put(store, msgspec.structs.replace(memory(1), use_count=4, last_used=9))
    store.close()
    file.with_name("memory.journal.jsonl").unlink()  # the file alone has all of it now
    allow_log("ERROR tray_app.library.memory.opening: memory mended: The journal was missing")
    assert store.rows(MemoryRow)[1].use_count == 4
    assert store.rows(MemoryRow)[2].title == "another title"


def test_much_use_is_written_at_last(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.library.memory.store.MOST_UNWRITTEN", 2)
    put(store, memory(1), memory(2), memory(3), memory(4))
    for number in (4, 1, 2, 3):  # the first one takes the snapshot of the day
        put(store, msgspec.structs.replace(memory(number), use_count=1, last_used=number))
    assert not store._unwritten
    assert [row.use_count for row in store.rows(MemoryRow).values()] == [1, 1, 1, 1]


# --- the world -------------------------------------------------------------------------------------------------------------
def test_another_process_has_the_file(file: Path) -> None:
    filled(file, 2)
    code = f"""
        import sys
        from pathlib import Path
        from tray_app.library.memory.rows import MemoryRow
        from tray_app.library.memory.store import MemoryStore
        store = MemoryStore(Path({str(file)!r}))
        store.rows(MemoryRow)
        print("open", flush=True)
        sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        store = MemoryStore(file)
        for _ in range(3):
            with pytest.raises(KnownError) as caught:
                store.rows(MemoryRow)
            assert caught.value.code == "index_locked"
            assert f"PID {other.pid}" in caught.value.message
        other.kill()
    assert len(store.rows(MemoryRow)) == 2
    store.close()


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_cannot_be_written(file: Path) -> None:
    filled(file, 2)
    store = MemoryStore(file)
    file.parent.chmod(0o500)
    try:
        with pytest.raises(KnownError) as caught:
            store.rows(MemoryRow)
    finally:
        file.parent.chmod(0o700)
    assert caught.value.code == "memory_unwritable"
    assert len(store.rows(MemoryRow)) == 2
    store.close()


FULL = """
    import resource, signal, random
    from pathlib import Path
    from tray_app.errors import KnownError
    from tray_app.library.memory.rows import MemoryRow
    from tray_app.library.memory.store import MemoryStore
    file = Path({path!r})
    store = MemoryStore(file)
    dice = random.Random(1)
    def write(number):
        with store.change() as change:
            change.put(MemoryRow(id=number, project="p", kind="fact", title="t", content="%x" % dice.getrandbits(1_600_000)))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    write(1)
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
    done = 1
    try:
        for number in range(2, 200):
            write(number)
            done = number
        print("never full")
    except KnownError as fault:
        print(fault.code)
    for _ in range(2):
        try:
            write(300)
        except KnownError as fault:
            print(fault.code)
    assert sorted(store.rows(MemoryRow)) == list(range(1, done + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    write(301)
    assert sorted(store.rows(MemoryRow)) == [*range(1, done + 1), 301]
    store.close()
    assert sorted(store.rows(MemoryRow)) == [*range(1, done + 1), 301]
    print("whole", store.mended)
    store.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files there")
@pytest.mark.parametrize("limit", [2_000_000, 3_500_000])
def test_a_full_disk_changes_nothing_and_stops_nothing_for_good(file: Path, limit: int) -> None:
    code = textwrap.dedent(FULL).format(path=str(file), limit=limit)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.split("\n")[:4] == ["disk_full", "disk_full", "disk_full", "whole "], done.stdout + done.stderr


def test_a_database_that_takes_nothing_rolls_the_journal_back(
    store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    from tray_app.library.memory.file import MemoryFile

    put(store, memory(1))
    size = store.places.journal.size

    def refuse(*given: object) -> None:
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(MemoryFile, "apply", refuse)
        with pytest.raises(KnownError) as caught:
            put(store, memory(2))
        assert caught.value.code == "disk_full"
        assert store.places.journal.size == size
        assert list(store.rows(MemoryRow)) == [1]
        assert found(store, "content") == [1]
    put(store, memory(2))
    assert assert_whole_after(store, file) == ""


def test_a_journal_that_could_not_be_rolled_back_at_once(
    store: MemoryStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    from tray_app.library.memory.file import MemoryFile
    from tray_app.library.memory.journal import Journal

    put(store, memory(1))

    def refuse(*given: object) -> None:
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    def refuse_too(*given: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(MemoryFile, "apply", refuse)
        patch.setattr(Journal, "truncate", refuse_too)
        with pytest.raises(KnownError):
            put(store, memory(2))
    assert list(store.rows(MemoryRow)) == [1]
    put(store, memory(3))
    assert list(store.rows(MemoryRow)) == [1, 3]
    assert assert_whole_after(store, file) == ""


def test_a_journal_that_is_removed_while_it_is_in_use(store: MemoryStore, file: Path, allow_log) -> None:
    allow_log("ERROR tray_app.library.memory.opening: memory mended: The journal was missing")
    put(store, memory(1))
    store.places.journal.file.unlink()
    put(store, memory(2))
    assert "Nothing was lost" in store.mended
    wanted = content(store)
    store.close()
    file.unlink()  # the journal alone is enough again
    allow_log("ERROR tray_app.library.memory.opening: memory mended: The memory file could not be used: it was gone")
    assert "Nothing was lost" in assert_whole(file, wanted)


def test_reading_goes_on_while_others_write(store: MemoryStore) -> None:
    put(store, memory(1, "a", "quince"))
    failures: list[BaseException] = []
    ended = threading.Event()

    def read() -> None:
        try:
            while not ended.is_set():
                numbers = found(store, "quince")
                assert len(numbers) >= 1
                assert set(numbers) <= set(store.rows(MemoryRow))
        except BaseException as fault:
            failures.append(fault)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for number in range(2, 40):
            put(store, memory(number, "a", "quince " * (number % 5 + 1)))
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert len(found(store, "quince")) == 39


def test_others_wait_until_a_change_has_ended(store: MemoryStore) -> None:
    done: list[int] = []

    def write() -> None:
        with store.change() as change:
            number = change.new_id(MemoryRow)
            change.put(memory(number))
            done.append(number)

    threads = [threading.Thread(target=write) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [1, 2, 3, 4, 5]
    assert sorted(store.rows(MemoryRow)) == [1, 2, 3, 4, 5]


def test_export_says_every_row(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-11-30T10:00:00Z")
    put(store, memory(2), NoteRow(id=1, key="k", value="值"))
    lines = [msgspec.json.decode(line) for line in store.export_lines()]
    assert lines[0] == {"backscroll": "memory", "schema": MEMORY_SCHEMA, "exported": "2026-11-30T10:00:00.000Z"}
    assert [(line["table"], line["row"]["id"]) for line in lines[1:]] == [("memories", 2), ("notes", 1)]
    assert msgspec.convert(lines[1]["row"], MemoryRow) == store.rows(MemoryRow)[2]
