"""Opening the index: damage, locks, a newer schema, a folder that cannot be written, a full disk. Never an end at the start."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tray_app.errors import KnownError
from tray_app.library import connection, migrations
from tray_app.library.connection import open_index
from tray_app.library.rows import MessageRow, SessionRow
from tray_app.library.store import Store

Allow = Callable[[str], None]


def fill(path: Path, many: int = 2_000) -> None:
    """An index with some rows, checkpointed."""
    opened = open_index(path)
    store = Store(opened)
    with store.transaction():
        store.write_sessions([SessionRow(id=0, agent="codex", native="s")])
        store.add_messages(
            [
                MessageRow(
                    id=n, session_id=0, seq=n, native=f"m{n}", role="user", text=f"{n} {os.urandom(40).hex()}", identity=n
                )
                for n in range(many)
            ]
        )
    store.finish()
    store.close()
    opened.close()


def count(path: Path) -> int:
    opened = open_index(path)
    try:
        return int(opened.cursor().execute("select count(*), sum(length(text)) from messages").fetchall()[0][0])
    finally:
        opened.close()


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "data" / "index.duckdb"


def test_files_are_for_this_user_only(index: Path) -> None:
    old = os.umask(0o022)
    try:
        opened = open_index(index)
        store = Store(opened)
        with store.transaction():
            store.set_meta("a", "b")
        names = {path.name: stat.S_IMODE(path.stat().st_mode) for path in index.parent.iterdir() if path.is_file()}
        assert names == {"index.duckdb": 0o600, "index.duckdb.wal": 0o600}
        assert stat.S_IMODE(index.parent.stat().st_mode) == 0o700
        store.close()
        opened.close()
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(old)


def test_what_was_written_is_there_again(index: Path) -> None:
    fill(index)
    assert count(index) == 2_000
    assert sorted(path.name for path in index.parent.iterdir()) == ["index.duckdb"]


@pytest.mark.parametrize("damage", ["garbage", "empty header", "half", "cut to a page", "a flipped byte in the header"])
def test_a_damaged_file_is_set_aside(index: Path, damage: str, allow_log: Allow) -> None:
    allow_log("ERROR tray_app.library.connection: the index file was damaged")
    fill(index)
    data = bytearray(index.read_bytes())
    if damage == "garbage":
        data = bytearray(b"no database at all " * 1_000)
    elif damage == "empty header":
        data[: 4096 * 3] = bytes(4096 * 3)
    elif damage == "half":
        del data[len(data) // 2 :]
    elif damage == "cut to a page":
        del data[4096:]
    else:
        data[4096 + 24] ^= 0x10
        data[8192 + 24] ^= 0x10
    index.write_bytes(data)
    opened = open_index(index)
    aside = opened.set_aside
    opened.close()
    if aside is None:  # what is cut off was free
        assert damage == "half"
        return
    assert aside.name.startswith("index.duckdb.corrupt-")
    assert aside.read_bytes() == data
    assert count(index) == 0


def test_every_flipped_block_is_met_or_harmless(index: Path, allow_log: Allow) -> None:
    """A byte in each block of the file: opening, reading and writing never end in anything but 'damaged', and then the
    next opening makes a new file."""
    allow_log("ERROR tray_app.library.connection: the index file")
    fill(index, 15_000)
    whole = index.read_bytes()
    outcomes = []
    for at in range(3 * 4096 + 5_000, len(whole), len(whole) // 9):
        for path in index.parent.iterdir():
            path.unlink()
        data = bytearray(whole)
        data[at] ^= 0x55
        index.write_bytes(data)
        opened = open_index(index)
        if opened.set_aside:
            outcomes.append("set aside")
            opened.close()
            continue
        try:
            with opened.faults():
                opened.cursor().execute("select sum(length(text)), sum(identity) from messages").fetchall()
            outcomes.append("harmless")
            opened.close()
        except KnownError as fault:
            assert fault.code == "index_damaged"
            assert opened.set_aside is not None
            assert opened.cursor().execute("select count(*) from messages").fetchall() == [(0,)]
            opened.close()
            assert count(index) == 0
            outcomes.append("met later")
    assert set(outcomes) >= {"met later"}


@pytest.mark.parametrize("log", ["junk", "nothing", "truncated", "flipped"])
def test_a_log_that_cannot_be_replayed(index: Path, log: str, allow_log: Allow) -> None:
    allow_log("ERROR tray_app.library.connection: the index file was damaged")
    fill(index)
    wal = index.with_name("index.duckdb.wal")
    if log in ("truncated", "flipped"):
        opened = open_index(index)
        store = Store(opened)
        for number in range(20):
            with store.transaction():
                store.set_meta(f"key{number}", "value" * 500)
        data = bytearray(wal.read_bytes())
        copy = index.read_bytes()
        store.close()
        opened.close()
        index.write_bytes(copy)
        if log == "truncated":
            del data[len(data) * 6 // 10 :]
        else:
            data[len(data) // 2] ^= 0xFF
        wal.write_bytes(data)
    else:
        wal.write_bytes(b"junk" * 5_000 if log == "junk" else b"")
    for _ in range(3):
        assert count(index) in (0, 2_000)


def test_a_program_that_dies_while_it_opens_is_not_an_endless_loop(index: Path, allow_log: Allow) -> None:
    """Replay of a broken log may abort the whole process: the third start sets the file aside unopened."""
    allow_log("ERROR tray_app.library.connection: the index file could not be opened again and again")
    fill(index)
    code = f"""
        import os
        from pathlib import Path
        from tray_app.library import connection
        connection._open = lambda *given: os.abort()
        connection.open_index(Path({str(index)!r}))
    """
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], stderr=subprocess.DEVNULL)
        assert done.returncode != 0
    assert index.with_name("index.duckdb.opening").exists()
    opened = open_index(index)
    assert opened.set_aside is not None
    opened.close()
    assert count(index) == 0


def test_nothing_is_left_of_a_removed_index(index: Path, allow_log: Allow) -> None:
    allow_log("ERROR tray_app.library.connection: the index file was damaged")
    for number in range(2):  # of files set aside only the last one is kept
        index.parent.mkdir(exist_ok=True)
        index.write_bytes(b"garbage %d" % number * 1_000)
        assert count(index) == 0
    assert len(list(index.parent.iterdir())) == 2
    (index.parent / "neighbour").touch()
    connection.remove_index(index)
    assert [path.name for path in index.parent.iterdir()] == ["neighbour"]


def test_one_death_does_not_cost_the_index(index: Path) -> None:
    fill(index)
    index.with_name("index.duckdb.opening").write_text("999999999 1", "utf-8")
    assert count(index) == 2_000
    assert not index.with_name("index.duckdb.opening").exists()


def test_the_file_is_locked_by_another_process(index: Path) -> None:
    fill(index, 10)
    code = f"""
        import sys
        from pathlib import Path
        from tray_app.library.connection import open_index
        opened = open_index(Path({str(index)!r}))
        print("open", flush=True)
        sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        for _ in range(4):  # asking again and again does not count as dying
            with pytest.raises(KnownError) as caught:
                open_index(index)
            assert caught.value.code == "index_locked"
            assert f"PID {other.pid}" in caught.value.message
        other.kill()
    assert count(index) == 10


def test_a_newer_schema_is_refused_and_left_alone(index: Path) -> None:
    fill(index, 10)
    opened = open_index(index)
    opened.cursor().execute("update meta set value = ? where key = 'schema'", [str(migrations.SCHEMA + 1)])
    opened.close()
    with pytest.raises(KnownError) as caught:
        open_index(index)
    assert caught.value.code == "index_newer"
    assert sorted(path.name for path in index.parent.iterdir()) == ["index.duckdb"]


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_cannot_be_written(index: Path) -> None:
    index.parent.mkdir()
    index.parent.chmod(0o500)
    try:
        with pytest.raises(KnownError) as caught:
            open_index(index)
    finally:
        index.parent.chmod(0o700)
    assert caught.value.code == "index_unwritable"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (duckdb.IOException('IO Error: Cannot open file "{}": Permission denied'), "index_unwritable"),
        (duckdb.IOException('IO Error: Cannot open file "{}": Read-only file system'), "index_unwritable"),
        (duckdb.IOException('IO Error: Could not write file "{}": No space left on device'), "disk_full"),
        (duckdb.IOException('IO Error: Cannot open file "{}": Too many open files'), "index_unopenable"),
        (duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"), "index_unopenable"),
    ],
)
def test_the_worlds_faults_cost_no_file(index: Path, fault: duckdb.Error, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(index, 10)

    def refuse(*given: object) -> None:
        raise type(fault)(str(fault).format(index))

    with monkeypatch.context() as patch:
        patch.setattr(connection, "_open", refuse)
        with pytest.raises(KnownError) as caught:
            open_index(index)
    assert caught.value.code == code
    assert count(index) == 10


def test_a_folder_named_after_a_fault_is_no_fault(tmp_path: Path, allow_log: Allow) -> None:
    allow_log("ERROR tray_app.library.connection: the index file was damaged")
    index = tmp_path / "read-only No space left" / "index.duckdb"
    index.parent.mkdir()
    index.write_bytes(b"garbage" * 2_000)
    assert count(index) == 0


FULL = """
    import resource, signal
    from pathlib import Path
    from tray_app.errors import KnownError
    from tray_app.library.connection import open_index
    from tray_app.library.rows import MessageRow, SessionRow
    from tray_app.library.store import Store
    import random
    path = Path({path!r})
    opened = open_index(path)
    store = Store(opened)
    searching = opened.cursor()
    with store.transaction():
        store.write_sessions([SessionRow(id=0, agent="codex", native="s")])
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
    made = 0
    dice = random.Random(1)
    def write(number):
        rows = [MessageRow(id=store.new_id("messages"), session_id=0, seq=n, native="m", role="user",
                           text="%x" % dice.getrandbits(8000), identity=number * 1000 + n) for n in range(200)]
        with store.transaction():
            store.add_messages(rows)
    try:
        for made in range(200):
            write(made)
            if made % 5 == 4:
                store.finish()
        print("never full")
    except KnownError as fault:
        print(fault.code)
    found = searching.execute("select count(*), count(distinct identity) from messages").fetchall()[0]
    assert found[0] == found[1] and found[0] % 200 == 0 and found[0] >= made * 200 - 200 * 5, (found, made)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    write(500)
    store.finish()
    again = opened.cursor().execute("select count(*) from messages").fetchall()[0][0]
    assert again == found[0] + 200
    store.close(); opened.close()
    opened = open_index(path)
    assert opened.set_aside is None
    assert opened.cursor().execute("select count(*) from messages").fetchall()[0][0] == again
    print("goes on")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files there")
def test_a_full_disk_stops_nothing_for_good(index: Path) -> None:
    """Files may not grow beyond 4 MB: writing says 'disk_full', reading goes on, on the same cursor, and with room again
    writing too."""
    code = textwrap.dedent(FULL).format(path=str(index), limit=4_000_000)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.split("\n")[:2] == ["disk_full", "goes on"], done.stdout + done.stderr


def test_without_the_extension_the_same_tables(tmp_path: Path) -> None:
    with_it, without = open_index(tmp_path / "a.duckdb"), open_index(tmp_path / "b.duckdb", load_fts=False)
    try:
        assert with_it.fts
        assert (without.fts, without.fts_reason) == (False, "switched off")
        query = (
            "select schema_name, table_name, column_name from duckdb_columns() where database_name = 'library' and not internal "
            "and table_name <> 'passages' order by all"
        )
        assert set(without.cursor().execute(query).fetchall()) <= set(with_it.cursor().execute(query).fetchall())
    finally:
        with_it.close()
        without.close()
    again = open_index(tmp_path / "b.duckdb")  # and opened later where the extension is there
    assert again.fts
    again.close()
    shutil.copy(tmp_path / "a.duckdb", tmp_path / "c.duckdb")
    later = open_index(tmp_path / "c.duckdb", load_fts=False)
    later.close()


def test_an_older_file_is_made_anew(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(index, 10)
    monkeypatch.setattr(migrations, "SCHEMA", 1_000)
    monkeypatch.setattr(migrations, "REBUILD_BELOW", 1_000)
    assert count(index) == 0
    opened = open_index(index)
    assert opened.set_aside is None
    assert opened.cursor().execute("select value from meta where key = 'schema'").fetchall() == [("1000",)]
    opened.close()
