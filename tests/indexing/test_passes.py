"""Whole passes: nothing twice, nothing left behind, nothing taken out that is still there, nothing that stops the rest."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from data import claude_files, codex_files, dsh_files
from data.claude_files import Chat, make_id
from library_world import World

from tray_app.indexing import passes
from tray_app.indexing.plan import Source
from tray_app.indexing.prepare import LEFT_OUT, Rules
from tray_app.sources.base import Adapter, Limits, Reading
from tray_app.sources.registry import adapter

TIME = 1_772_000_000_000_000_000


def put(world: World, label: str, *words: str, folder: str = "-p", when: int = TIME, cwd: str = "/home/kim/shop") -> Path:
    """A Claude session of one round for each word."""
    chat = Chat(label, cwd=cwd)
    rows: list[Any] = [line for word in words for line in (chat.user(f"about {word}"), chat.answer(f"yes, {word} it is"))]
    path = claude_files.write(world.root("claude_code") / folder / f"{chat.id}.jsonl", rows)
    os.utime(path, ns=(when, when))
    return path


def fill(world: World) -> list[Path]:
    """Sessions of three agents."""
    return [
        put(world, "one", "quince", "medlar"),
        codex_files.written(world.root("codex"), codex_files.generation_b()),
        dsh_files.put(world.root("dsh"), dsh_files.frames(dsh_files.header(4), dsh_files.conversation(4).rows)),
    ]


# --- nothing twice -------------------------------------------------------------------------------------------------------
def test_a_second_pass_changes_nothing_and_reads_nothing(world: World) -> None:
    fill(world)
    first = world.index()
    assert sum(first.bytes_read.values()) > 0
    before, ids = world.content(), world.rows("select id from chunks order by id")
    second = world.index()
    assert second.bytes_read == {}
    assert [plan.unchanged for plan in second.plans] == [1, 1, 1]
    assert (world.content(), world.rows("select id from chunks order by id")) == (before, ids)


def test_only_the_time_of_a_file_changed(world: World) -> None:
    path = put(world, "one", "quince", "medlar")
    world.index()
    before, ids = world.content(), world.rows("select id from messages order by id")
    os.utime(path, ns=(TIME + 10**9, TIME + 10**9))
    world.index()
    assert (world.content(), world.rows("select id from messages order by id")) == (before, ids)
    assert world.read_bytes() == 0


@pytest.mark.parametrize("change", ["rewritten", "shrunk", "replaced", "edited in place"])
def test_a_file_that_is_no_continuation(world: World, tmp_path: Path, change: str) -> None:
    path = put(world, "one", "quince", "medlar")
    world.index()
    data = path.read_bytes()
    chat = Chat("one")
    if change == "rewritten":  # and longer than before
        path.write_bytes(claude_files.encode([chat.user("about fig " + "filler " * 400), chat.answer("fig")]))
    elif change == "shrunk":
        path.write_bytes(data.splitlines(keepends=True)[0].replace(b"quince", b"fig"))
    elif change == "replaced":
        fresh = path.with_suffix(".new")
        fresh.write_bytes(data.replace(b"quince", b"fig").replace(b"medlar", b"fig"))
        fresh.replace(path)
    else:
        path.write_bytes(
            data.replace(b"quince", b"the fig").replace(b"medlar", b"fig") + claude_files.encode([chat.user("more", 90)])
        )
    world.index()
    assert world.find("quince", "medlar") == []
    assert set(world.find("fig")) == {chat.id}
    assert world.rows("select count(*) from sessions") == [(1,)]
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_a_session_that_is_archived_keeps_its_place(world: World, tmp_path: Path) -> None:
    path = codex_files.written(world.root("codex"), codex_files.generation_c())
    world.index()
    session = world.rows("select id from sessions")
    moved = codex_files.rollout(world.root("codex"), folder="archived_sessions")
    path.rename(moved)
    world.index()
    assert world.rows("select id, archived from sessions") == [(session[0][0], True)]
    assert world.statuses().keys() == {moved.name}
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


@pytest.mark.parametrize("order", ["from first", "to first"])
def test_a_session_that_moves_to_another_source(world: World, tmp_path: Path, order: str) -> None:
    other = Source("claude_code:b", "claude_code", world.home / "b")
    world.sources = [*world.sources, other] if order == "from first" else [other, *world.sources]
    other.root.mkdir(parents=True)
    path = put(world, "one", "quince")
    put(world, "stays", "fig")
    world.index()
    path.rename(other.root / path.name)
    with (other.root / path.name).open("ab") as file:
        file.write(claude_files.encode([Chat("one").user("about medlar", 70)]))
    world.index()
    assert set(world.find("quince")) == set(world.find("medlar")) == {make_id("one")}
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_a_file_whose_session_becomes_another(world: World, tmp_path: Path) -> None:
    """The id inside counts: what the file held before is not left behind."""
    path = dsh_files.put(world.root("dsh"), dsh_files.frames(dsh_files.header(4), dsh_files.conversation(4).rows))
    world.index()
    log = dsh_files.Log(4).ask("about quince").answer("quince").end()
    path.write_bytes(dsh_files.frames(dsh_files.header(4, "session-other"), log.rows))
    world.index()
    assert world.rows("select native from sessions") == [("session-other",)]
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


# --- what leaves ---------------------------------------------------------------------------------------------------------
def test_a_deleted_session_leaves_nothing(world: World, tmp_path: Path) -> None:
    paths = fill(world)
    put(world, "stays", "fig")
    world.index()
    for path in paths:
        path.unlink()
    done = world.index()
    assert sum(len(plan.gone) for plan in done.plans) == 3
    assert world.find("quince") == []
    assert world.rows("select native from sessions") == [(make_id("stays"),)]
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_an_unticked_source_leaves(world: World, tmp_path: Path) -> None:
    fill(world)
    world.index()
    world.sources = world.sources[1:]
    world.index()
    assert world.rows("select distinct agent from sessions order by 1") == [("codex",), ("dsh",)]
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_the_folder_of_the_deleted_is_still_there(world: World) -> None:
    path = codex_files.written(world.root("codex"), codex_files.generation_b())
    world.index()
    path.unlink()
    world.index()
    assert world.rows("select count(*) from sessions") == [(0,)]
    assert world.rows("select count(*) from files") == [(0,)]


@pytest.mark.parametrize("how", ["gone", "empty", "dangling", "unreadable", "unreadable below", "raises"])
def test_what_cannot_be_looked_at_takes_nothing_out(
    world: World, how: str, monkeypatch: pytest.MonkeyPatch, allow_log: Callable[[str], None]
) -> None:
    put(world, "one", "quince")
    put(world, "two", "medlar", folder="-q")
    codex_files.written(world.root("codex"), codex_files.generation_b())
    world.index()
    root = world.root("claude_code")
    before = world.content()
    if how == "gone":
        root.rename(root.with_name("away"))
    elif how == "empty":
        root.rename(root.with_name("away"))
        root.mkdir()
    elif how == "dangling":
        for folder in list(root.iterdir()):
            folder.rename(world.home / folder.name)
            folder.symlink_to(world.home / "not mounted" / folder.name)
    elif how == "raises":
        allow_log("ERROR tray_app.indexing.plan")

        class Broken:
            def __getattr__(self, name: str) -> Any:
                if name == "discover":
                    raise RuntimeError("a bug")
                return getattr(adapter("claude_code"), name)

        world.adapters = lambda agent: Broken() if agent == "claude_code" else adapter(agent)  # type: ignore[return-value]
    else:
        hidden = root if how == "unreadable" else root / "-q"
        scandir = os.scandir

        def refuse(path: Any) -> Any:
            if Path(path) == hidden:
                raise PermissionError(13, "Permission denied", str(path))
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
    codex_files.written(
        world.root("codex"), [codex_files.meta(make_id("x")), codex_files.event(1, "user", "about fig")], make_id("x")
    )
    done = world.index()
    assert done.plans[0].state == {"gone": "offline", "empty": "offline", "unreadable": "offline", "raises": "failed"}.get(
        how, "idle"
    )
    assert [row for row in world.content()["sessions"] if row[0] == "claude_code"] == [
        row for row in before["sessions"] if row[0] == "claude_code"
    ]
    assert world.find("fig") == [make_id("x")]
    world.assert_sound()


def test_an_excluded_workspace_leaves_and_comes_back(world: World, tmp_path: Path) -> None:
    put(world, "open", "quince")
    put(world, "secret", "medlar", cwd="/home/kim/client/site")
    world.index()
    world.rules = Rules(excluded_workspaces=("/home/kim/client",))
    world.index(anew=True)
    assert world.find("medlar") == []
    assert world.rows("select native from sessions") == [(make_id("open"),)]
    assert world.statuses()[f"{make_id('secret')}.jsonl"] == ("excluded", "in an excluded folder")
    assert "client" not in str(world.rows("select cwd, title from sessions"))
    world.assert_like_fresh(tmp_path / "fresh.duckdb")
    assert world.read_bytes() == 0
    world.rules = Rules()
    world.index(anew=True)
    assert world.find("medlar") == [make_id("secret")]


def test_calls_that_touch_an_excluded_path_are_left_out(world: World) -> None:
    chat = Chat("env")
    rows: list[Any] = [
        chat.user("look at the settings"),
        chat.call("toolu_1", "Read", {"file_path": "/home/kim/shop/.env"}),
        chat.result("toolu_1", "quince=medlar"),
    ]
    claude_files.write(world.root("claude_code") / "-p" / f"{chat.id}.jsonl", rows)
    world.rules = Rules(excluded_paths=(".env",))
    world.index()
    assert world.texts() == ["look at the settings", LEFT_OUT, LEFT_OUT]
    assert world.find("quince") == []


# --- what cannot be read -------------------------------------------------------------------------------------------------
class Refusing:
    """An adapter whose reading fails for one file until told otherwise."""

    def __init__(self, inner: Adapter, fault: Exception) -> None:
        self.inner, self.fault, self.name, self.asked = inner, fault, "", 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def read(self, unit: Any, checkpoint: Any, limits: Limits, stop: Any) -> Reading:
        if unit.path.name == self.name:
            self.asked += 1
            raise self.fault
        return self.inner.read(unit, checkpoint, limits, stop)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [(PermissionError(13, "Permission denied"), "Permission denied"), (ValueError("x"), "could not be read (ValueError)")],
)
def test_a_file_that_fails_is_tried_again_when_it_changes(
    world: World, fault: Exception, reason: str, allow_log: Callable[[str], None]
) -> None:
    allow_log("ERROR tray_app.indexing.passes")
    path = put(world, "one", "quince")
    put(world, "two", "medlar")
    refusing = Refusing(adapter("claude_code"), fault)
    refusing.name = path.name
    world.adapters = lambda agent: refusing if agent == "claude_code" else adapter(agent)  # type: ignore[return-value]
    world.index()
    assert world.find("medlar") == [make_id("two")]
    assert world.statuses()[path.name] == ("quarantined", reason)
    assert world.rows("select path, kind, reason from problems") == [(str(path), "quarantined", reason)]
    world.index()
    assert refusing.asked == 1
    refusing.name = ""
    world.index()
    assert world.find("quince") == []
    os.utime(path, ns=(TIME + 1, TIME + 1))
    world.index()
    assert world.find("quince") == [make_id("one")]
    assert world.rows("select count(*) from problems") == [(0,)]
    world.assert_sound()


def test_what_was_read_stays_when_the_file_fails_later(world: World, tmp_path: Path) -> None:
    path = put(world, "one", "quince")
    world.index()
    refusing = Refusing(adapter("claude_code"), OSError(5, "Input/output error"))
    refusing.name = path.name
    world.adapters = lambda agent: refusing if agent == "claude_code" else adapter(agent)  # type: ignore[return-value]
    with path.open("ab") as file:
        file.write(claude_files.encode([Chat("one").user("about medlar", 70)]))
    world.index()
    assert world.find("quince") == [make_id("one")]
    assert world.statuses()[path.name][0] == "quarantined"
    refusing.name = ""
    os.utime(path, ns=(TIME + 2, TIME + 2))
    world.index()
    assert world.find("medlar") == [make_id("one")]
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_bad_lines_are_counted_and_the_rest_is_read(world: World) -> None:
    chat = Chat("broken")
    rows = [chat.user("alpha1"), chat.answer("alpha2"), b'{"type":"user","mess', chat.answer("alpha4"), chat.user("alpha5")]
    path = claude_files.write(world.root("claude_code") / "-p" / f"{chat.id}.jsonl", rows)
    world.index()
    assert world.texts() == ["alpha1", "alpha2", "alpha4", "alpha5"]
    assert world.statuses()[path.name][0] == "partial"
    offset = path.read_bytes().index(rows[2])
    assert world.rows('select line, "offset" from problems') == [(3, offset)]
    with path.open("ab") as file:
        file.write(b"not json\n" + claude_files.encode([chat.user("alpha6")]))
    world.index()
    assert world.rows("select skipped from files") == [(2,)]
    assert world.rows("select line from problems order by line") == [(3,), (6,)]


def test_files_without_a_word_are_no_sessions(world: World) -> None:
    empty = world.root("claude_code") / "-p" / f"{make_id('empty')}.jsonl"
    empty.parent.mkdir(parents=True)
    empty.touch()
    codex_files.written(world.root("codex"), [codex_files.meta()])
    dsh_files.put(world.root("dsh"), dsh_files.frame([dsh_files.header(4)]))
    world.index()
    assert world.texts() == []
    assert world.rows("select count(*) from sessions where messages > 0") == [(0,)]
    assert world.read_bytes() == 0
    empty.write_bytes(claude_files.encode([Chat("empty").user("about quince")]))
    world.index()
    assert world.find("quince") == [make_id("empty")]


def test_a_format_nobody_knows_is_said_aloud(world: World) -> None:
    path = world.root("claude_code") / "-p" / f"{make_id('odd')}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"kind":"talk","says":"quince"}\n' * 7)
    world.index()
    assert world.statuses()[path.name] == ("not_recognised", "0 of 7 records recognised")


# --- versions ------------------------------------------------------------------------------------------------------------
def test_a_new_pipeline_reads_all_anew(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(world)
    size = world.read_bytes()
    for module in ("merge", "passes", "plan"):
        monkeypatch.setattr(f"tray_app.indexing.{module}.PIPELINE_VERSION", 1_000)
    assert world.read_bytes() == size
    assert world.read_bytes() == 0
    world.assert_sound()


def test_a_new_adapter_reads_its_own_anew(world: World) -> None:
    path, *_ = fill(world)
    world.index()

    class Newer:
        version = 1_000

        def __getattr__(self, name: str) -> Any:
            return getattr(adapter("claude_code"), name)

    world.adapters = lambda agent: Newer() if agent == "claude_code" else adapter(agent)  # type: ignore[return-value]
    assert world.index().bytes_read == {"claude_code": path.stat().st_size}
    assert world.read_bytes() == 0


# --- stopping ------------------------------------------------------------------------------------------------------------
def test_a_stopped_pass_leaves_nothing_half_written(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at every place where it is asked; each time the library is sound, and the next pass goes on."""
    monkeypatch.setattr(passes, "BATCH_FILES", 2)
    for number in range(5):
        put(world, f"s{number}", "quince", f"word{number}", when=TIME + number)
    asked = 0
    stops = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > limit

    world.stop = stop
    for limit in range(0, 200, 3):
        asked = 0
        stops += world.index().stopped
        world.assert_sound()
        if not asked > limit:
            break
    assert stops > 3
    assert world.rows("select count(*) from sessions") == [(5,)]
    world.stop = lambda: False
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_a_rebuild_that_is_interrupted_goes_on_where_it_stopped(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "BATCH_FILES", 1)
    for number in range(6):
        put(world, f"s{number}", "quince", when=TIME + number)
    whole = world.read_bytes()
    written = world.rows("select max(id) from messages")[0][0]
    world.stop = lambda: world.rows("select max(id) from messages")[0][0] > written + 5
    first = world.index(anew=True)
    world.stop = lambda: False
    second = world.index()
    assert first.stopped
    assert 0 < sum(second.bytes_read.values()) < whole
    assert world.read_bytes() == 0
    world.assert_sound()


# --- only reading ----------------------------------------------------------------------------------------------------------
def test_nothing_under_the_agents_folders_changes(world: World) -> None:
    fill(world)

    def tree() -> list[tuple[str, int, int, int, bytes]]:
        found = []
        for path in sorted(world.home.rglob("*")):
            info = path.stat()
            found.append(
                (str(path), info.st_mode, info.st_size, info.st_mtime_ns, path.read_bytes() if path.is_file() else b"")
            )
        return found

    before = tree()
    world.index()
    world.index(anew=True)
    assert tree() == before


# --- without the extension -------------------------------------------------------------------------------------------------
def test_without_the_extension_the_same_words(world: World, tmp_path: Path) -> None:
    """DuckDB's own full-text part only lends its layout: what is stored, and so what is found, is the same without it."""
    from tray_app.library.connection import open_index

    fill(world)
    world.index()
    bare = World(world.home, tmp_path / "bare.duckdb")
    bare.opened.close()
    bare.file.unlink()
    bare.opened = open_index(bare.file, load_fts=False)
    try:
        bare.index()
        bare.assert_sound()
        assert not bare.opened.fts
        assert bare.content() == world.content()
    finally:
        bare.close()
