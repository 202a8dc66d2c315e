"""Databases of other programs: what is read is what was written, and nothing beside the file ever changes."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from data.opencode_files import snapshot
from hypothesis import given, settings
from hypothesis import strategies as st

from tray_app.sources import sqlite_files
from tray_app.sources.base import NotReady, Stopped
from tray_app.sources.sqlite_files import Database, read_database

HELD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("pragma wal_autocheckpoint = 0")
for statement in sys.argv[2:]:
    connection.execute(statement)
print("ready", flush=True)
sys.stdin.readline()
"""


def make(path: Path, journal: str = "wal", rows: int = 3) -> Path:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"pragma journal_mode = {journal}")
    connection.execute("create table plum (id integer primary key, name text)")
    connection.execute("begin")
    connection.executemany("insert into plum (name) values (?)", [(f"plum {number}",) for number in range(rows)])
    connection.execute("commit")
    connection.close()
    return path


def names(database: Database) -> list[str]:
    return [row[0] for row in database.rows("select name from plum order by id")]


def holder(path: Path, *statements: str) -> subprocess.Popen[str]:
    """Another program that has the database open, after these statements."""
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, str(path), *statements], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def crash(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


@pytest.mark.parametrize("journal", ["wal", "delete", "persist"])
def test_a_database_nobody_has_open(tmp_path: Path, journal: str) -> None:
    path = make(tmp_path / "a b%20ü.db", journal)
    before = snapshot(tmp_path)
    assert read_database(path, names) == ["plum 0", "plum 1", "plum 2"]
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_database_that_is_open_and_after_a_crash(tmp_path: Path, journal: str) -> None:
    path = make(tmp_path / "a.db", journal)
    process = holder(path, "insert into plum (name) values ('late')")
    before = snapshot(tmp_path)
    for _ in range(2):
        assert read_database(path, names)[-1] == "late"
    assert snapshot(tmp_path) == before
    crash(process)
    before = snapshot(tmp_path)
    assert read_database(path, names)[-1] == "late"
    assert snapshot(tmp_path) == before


def test_the_owner_may_write_while_we_read(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db")
    with sqlite3.connect(path, isolation_level=None) as owner:
        owner.execute("insert into plum (name) values ('one')")

        def work(database: Database) -> int:
            first = len(names(database))
            owner.execute("insert into plum (name) values ('two')")
            assert len(names(database)) == first  # one reading sees one state
            return first

        assert read_database(path, work) == 4
        assert len(read_database(path, names)) == 5
    owner.close()


def test_a_log_without_its_index_is_read_from_a_copy(tmp_path: Path) -> None:
    live, moved = tmp_path / "live", tmp_path / "moved"
    live.mkdir()
    process = holder(make(live / "a.db"), "insert into plum (name) values ('late')")
    shutil.copytree(live, moved)
    crash(process)
    (moved / "a.db-shm").unlink()
    before = snapshot(moved)
    copies = len(list(Path(sqlite_files.tempfile.gettempdir()).glob("backscroll-*")))
    for _ in range(3):
        assert read_database(moved / "a.db", names)[-1] == "late"
    assert snapshot(moved) == before
    sqlite_files._kept.cache_clear()
    assert len(list(Path(sqlite_files.tempfile.gettempdir()).glob("backscroll-*"))) == copies


def test_a_journal_left_by_a_crash_is_played_back_in_a_copy(tmp_path: Path) -> None:
    live, moved = tmp_path / "live", tmp_path / "moved"
    live.mkdir()
    process = holder(
        make(live / "a.db", "delete", rows=3000),
        "pragma cache_size = 1",
        "begin immediate",
        "update plum set name = 'half written'",
    )
    shutil.copytree(live, moved)
    crash(process)
    assert (moved / "a.db-journal").stat().st_size > 512
    before = snapshot(moved)
    assert read_database(moved / "a.db", names)[0] == "plum 0"
    assert snapshot(moved) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db")
    tmp_path.chmod(0o500)
    try:
        assert len(read_database(path, names)) == 3
    finally:
        tmp_path.chmod(0o700)


def test_a_change_meanwhile_is_noticed(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db")
    counts: list[int] = []

    def work(database: Database) -> int:
        counts.append(len(names(database)))
        if len(counts) == 1:
            owner = sqlite3.connect(path, isolation_level=None)
            owner.execute("insert into plum (name) values ('late')")
            owner.close()
        return counts[-1]

    assert read_database(path, work) == 4
    assert counts == [3, 4]


def test_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_files, "BUSY_SECONDS", 0.01)
    path = make(tmp_path / "a.db", "delete")
    process = holder(path, "begin exclusive")
    with pytest.raises(OSError) as caught:
        read_database(path, names)
    assert caught.value.strerror == "the database is locked by its program"
    crash(process)


def test_what_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(FileNotFoundError):
        read_database(path, names)
    path.write_bytes(b"")
    with pytest.raises(NotReady):
        read_database(path, names)
    path.write_bytes(b"plums" * 1000)
    with pytest.raises(OSError) as caught:
        read_database(path, names)
    assert caught.value.strerror == "not a SQLite database"
    path.write_bytes(sqlite_files.MAGIC + b"plums" * 1000)
    with pytest.raises(OSError) as caught:
        read_database(path, names)
    assert caught.value.strerror == "the database is damaged"
    make(tmp_path / "b.db")
    with pytest.raises(OSError) as caught:
        read_database(tmp_path / "b.db", lambda database: list(database.rows("select pear from plum")))
    assert caught.value.strerror == "the database has another shape than known"


def test_too_large_to_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_files, "COPY_BYTES", 10)
    path = make(tmp_path / "a.db")
    (tmp_path / "a.db-wal").write_bytes(b"x" * 100)
    with pytest.raises(OSError) as caught:
        read_database(path, names)
    assert caught.value.strerror == "the database is too large to be copied"


def test_stop(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", rows=5000)
    endless = "select count(*) from plum a, plum b, plum c, plum d"
    with pytest.raises(Stopped):
        read_database(path, lambda database: list(database.rows(endless)), stop=lambda: True)


def test_tables(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db")
    with sqlite3.connect(path) as owner:
        owner.execute("create view pear as select id, name from plum")
        owner.execute('create table "odd""name" (x)')
        owner.execute("insert into plum (name) values (cast(x'61ff62' as text))")
    owner.close()

    def work(database: Database) -> None:
        assert database.has("plum", "id", "name") and not database.has("plum", "colour")
        assert not database.has("pear") and database.columns("pear") == frozenset()
        assert database.columns('odd"name') == {"x"}
        assert names(database)[-1] == "a\ufffdb"

    read_database(path, work)


@settings(max_examples=60)
@given(data=st.data())
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = make(tmp_path_factory.mktemp("db") / "a.db", data.draw(st.sampled_from(["wal", "delete"])))
    bytes_ = bytearray(path.read_bytes())
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, len(bytes_) - 1), st.integers(0, 255)), max_size=30)):
        bytes_[place] = value
    path.write_bytes(bytes_[: data.draw(st.integers(0, len(bytes_)))] if data.draw(st.booleans()) else bytes_)
    for suffix in ("-wal", "-shm", "-journal"):
        if beside := data.draw(st.binary(max_size=64)):
            path.with_name(path.name + suffix).write_bytes(beside)
    before = snapshot(path.parent)
    with contextlib.suppress(NotReady, OSError):
        read_database(path, names)
    assert snapshot(path.parent) == before
