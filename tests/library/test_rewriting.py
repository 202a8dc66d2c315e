"""A file written anew holds the same and nothing of what was taken out; it is never exchanged for one that is not whole."""

from __future__ import annotations

import sys
from datetime import UTC
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
sys.path.insert(0, str(Path(__file__).parents[1] / "indexing"))

import claude_files as claude
from library_world import World

from tray_app.errors import KnownError
from tray_app.indexing.merge import Merger
from tray_app.library import rewriting
from tray_app.library.connection import open_index
from tray_app.library.store import Store


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Five sessions, two of which are taken out again."""
    world = World(tmp_path / "home", tmp_path / "index" / "index.duckdb")
    for label in ("marzipan", "nougat", "praline", "zeppelin", "quokka"):
        chat = claude.Chat(label)
        lines = [chat.user(f"Where does the {label} go?"), chat.answer(f"The {label} goes home, 回家.")]
        claude.write(world.home / ".claude/projects/x" / f"{chat.id}.jsonl", lines)
    world.index()
    store = Store(world.opened)
    gone = {claude.make_id("zeppelin"), claude.make_id("quokka")}
    Merger(store, UTC, lambda: False).forget([row for row in store.files() if row.unit in gone])
    with store.transaction():
        store.set_meta(rewriting.WANTED, "1")
    store.close()
    return world


def test_the_same_and_no_more(world: World) -> None:
    before = world.content()
    assert world.rows("select count(*) from fts_main_passages.dict where term in ('zeppelin', 'quokka')") == [(2,)]
    target = rewriting.copy_out(world.opened)
    assert world.content() == before  # it is still read from meanwhile
    world.opened.close()
    assert rewriting.exchange(target, world.file)
    raw = world.file.read_bytes()
    assert (b"zeppelin" in raw, b"quokka" in raw) == (False, False)
    assert [path.name for path in world.file.parent.iterdir()] == ["index.duckdb"]
    assert world.file.stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    world.opened = open_index(world.file)
    assert world.content() == before
    world.assert_sound()
    assert world.rows("select count(*) from fts_main_passages.dict where term in ('zeppelin', 'quokka')") == [(0,)]
    assert world.rows("select value from meta where key = ?", rewriting.WANTED) == []
    assert len(world.find("marzipan")) == 1
    chat = claude.Chat("later")
    claude.write(
        world.home / ".claude/projects/x" / f"{chat.id}.jsonl", [chat.user("And the later one?"), chat.answer("Later.")]
    )
    world.index()
    world.assert_like_fresh(world.file.parent / "like.duckdb")
    world.close()


def test_a_file_that_was_not_closed_whole_stays(world: World) -> None:
    target = rewriting.copy_out(world.opened)
    world.opened.close()
    content = world.file.read_bytes()
    log = world.file.with_name("index.duckdb.wal")
    log.write_bytes(b"left by a kill")
    assert not rewriting.exchange(target, world.file)
    assert (world.file.read_bytes(), log.read_bytes(), target.exists()) == (content, b"left by a kill", False)


def test_damaged_copies_and_spilled_rows_go_too(world: World) -> None:
    target = rewriting.copy_out(world.opened)
    world.opened.close()
    (world.file.parent / "index.duckdb.corrupt-20261130-080000").write_bytes(b"zeppelin")
    (world.file.parent / "spill").mkdir(exist_ok=True)
    (world.file.parent / "spill" / "duckdb_temp_block-1.block").write_bytes(b"zeppelin")
    assert rewriting.exchange(target, world.file)
    assert [path.name for path in world.file.parent.rglob("*") if path.is_file()] == ["index.duckdb"]


def test_a_copy_that_fails_leaves_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(cursor: object) -> None:
        raise rewriting.duckdb.IOException("Could not write file: No space left on device")

    monkeypatch.setattr(rewriting, "_copy_tables", full)
    with pytest.raises(KnownError) as error:
        rewriting.copy_out(world.opened)
    assert error.value.code == "disk_full"
    assert not rewriting.fresh_file(world.file).exists()
    assert world.rows("select count(*) from sessions") == [(3,)]
    world.close()
