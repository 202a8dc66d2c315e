"""What was forgotten never comes back: not by a pass, not by a rebuild, not through a fork; and can be had back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from data.claude_files import START, Chat, Row, encode, make_id, write
from hypothesis import given
from hypothesis import strategies as st

from tray_app.engine import Engine
from tray_app.errors import KnownError, UsageError
from tray_app.indexing.keeping import without_forgotten
from tray_app.indexing.prepare import CleanMessage, Prepared
from tray_app.paths import Paths
from tray_app.records import Progress, SearchRequest
from tray_app.settings import Settings
from tray_app.sources.base import Reading, Session, Unit
from tray_app.tombstones import Forgotten, Tombstone, Tombstones, packed, unpacked, words_hash

NOW = (START + timedelta(days=3)).isoformat()
AT = "2026-03-04T09:00:00.000Z"


def folder(home: Path) -> Path:
    return home / ".claude" / "projects" / "-made-up"


def chat_file(home: Path, label: str) -> Path:
    return folder(home) / f"{make_id(label)}.jsonl"


def talk(label: str, *said: str) -> list[Row | bytes]:
    chat = Chat(label)
    return [row for words in said for row in (chat.user(words), chat.answer(f"Noted: {words}"))]


@pytest.fixture
def engine(isolated: Path) -> Iterator[Engine]:
    write(chat_file(isolated, "first"), talk("first", "The heron stands in the pond.", "It caught a minnow."))
    write(chat_file(isolated, "second"), talk("second", "The otter swims below the weir."))
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    made.index(all_sources=True)
    yield made
    made.close()


def found(engine: Engine, query: str) -> list[str]:
    answer = engine.search(SearchRequest(query=query, now=NOW))
    return [session.session for session in answer.sessions]


def stone(session: str, **more: object) -> Tombstone:
    return Tombstone(agent="codex", session=session, time=AT, **more)  # type: ignore[arg-type]


# --- the file ----------------------------------------------------------------------------------------------------------------
def test_lines_are_added_and_taken_back(tmp_path: Path) -> None:
    stones = Tombstones(tmp_path / "data" / "tombstones.jsonl")
    assert not stones.forgotten()
    stones.add(stone("one-session", messages=packed([5, -7])))
    stones.add(stone("other-session"))
    again = Tombstones(stones.file)
    assert {one.session for one in again.all()} == {"one-session", "other-session"}
    assert again.forgotten().messages == {5, -7}
    assert [one.session for one in again.undo("one-se", None, AT)] == ["one-session"]
    assert [one.session for one in stones.all()] == ["other-session"]
    assert stones.undo("unknown", None, AT) == []
    assert len(stones.file.read_bytes().splitlines()) == 3


def test_a_torn_line_is_counted_and_the_next_one_stands_alone(tmp_path: Path) -> None:
    stones = Tombstones(tmp_path / "tombstones.jsonl")
    stones.add(stone("one"))
    with stones.file.open("ab") as stream:
        stream.write(b'{"agent": "cod')
    stones.add(stone("two"))
    assert {one.session for one in stones.all()} == {"one", "two"}
    assert stones.damaged == 1


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tombstones.jsonl").mkdir()
    with pytest.raises(KnownError) as caught:
        Tombstones(tmp_path / "tombstones.jsonl").forgotten()
    assert caught.value.code == "tombstones_unreadable"


def test_sub_agents_are_covered_and_forks_are_not() -> None:
    known = Forgotten([stone("one", also=("helper",), files=("file-one",))])
    assert known.covers("codex", "one", "main", "")
    assert known.covers("codex", "file-one", "main", "")
    assert known.covers("codex", "helper", "subagent", "one")
    assert known.covers("codex", "new-helper", "subagent", "one")
    assert not known.covers("codex", "fork", "main", "one")
    assert not known.covers("dsh", "one", "main", "")


@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1)))
def test_hashes_come_back_as_they_went(numbers: list[int]) -> None:
    assert unpacked(packed(numbers)) == numbers


# --- in the index --------------------------------------------------------------------------------------------------------------
def test_it_leaves_at_once_and_nothing_brings_it_back(engine: Engine, isolated: Path) -> None:
    content = chat_file(isolated, "first").read_bytes()
    view = engine.forget_session(make_id("first")[:8])
    assert (view.session, view.agent, view.messages, view.copies) == (make_id("first"), "claude_code", 4, 0)
    assert found(engine, "heron") == []
    engine.index()
    engine.index(full=True)
    chat = Chat("first")
    write(chat_file(isolated, "first"), [*talk("first", "The heron stands in the pond."), chat.user("The heron is back.", 90)])
    engine.index()
    assert found(engine, "heron") == []
    engine.clear_index()
    engine.resume()
    engine.index()
    assert found(engine, "heron") == []
    assert found(engine, "otter") == [make_id("second")]
    write(chat_file(isolated, "first"), [])
    chat_file(isolated, "first").write_bytes(content)
    assert [one.session for one in engine.forgotten()] == [make_id("first")]


def test_neither_the_list_nor_the_library_keeps_a_word_of_it(engine: Engine) -> None:
    engine.forget_session(make_id("first"))
    lines = (engine.paths.data / "tombstones.jsonl").read_text()
    assert "heron" not in lines.lower()
    assert set(json.loads(lines)) <= {"agent", "session", "time", "files", "also", "messages", "words", "undone"}
    engine.close()
    assert b"minnow" not in engine.paths.index_file.read_bytes()


def test_undone_it_comes_back_at_the_next_pass(engine: Engine) -> None:
    engine.forget_session(make_id("first"))
    engine.index()
    engine.unforget(make_id("first"))
    engine.index()
    assert found(engine, "heron") == [make_id("first")]
    assert engine.forgotten() == []
    with pytest.raises(UsageError) as caught:
        engine.unforget(make_id("first"))
    assert caught.value.code == "not_forgotten"


def fork(label: str, of: str, *said: str) -> list[Row | bytes]:
    """A session that begins with a copy of all lines of another, and goes on."""
    copied = [{**row, "sessionId": make_id(label)} for row in talk(of, *FIRST) if isinstance(row, dict)]
    chat = Chat(label)
    return [*copied, *(row for words in said for row in (chat.user(words, 60), chat.answer(f"Noted: {words}", 61)))]


FIRST = ("The heron stands in the pond.", "It caught a minnow.")


@pytest.mark.parametrize("before", [True, False], ids=["fork-known", "fork-comes-later"])
def test_copies_in_a_fork_leave_as_well(engine: Engine, isolated: Path, before: bool) -> None:
    path = chat_file(isolated, "fork")
    if before:
        write(path, fork("fork", "first", "The bittern booms."))
        engine.index()
        assert len(engine.show(make_id("fork")).messages) == 6
    view = engine.forget_session(make_id("first"))
    assert view.copies == (4 if before else 0)
    if before:
        assert found(engine, "heron") == []
        assert "heron" not in engine.show(make_id("fork")).title
    else:
        write(path, fork("fork", "first", "The bittern booms."))
    for full in (False, True):
        engine.index(full=full)
        assert found(engine, "heron") == []
        assert found(engine, "bittern") == [make_id("fork")]
        shown = engine.show(make_id("fork"))
        assert [message.text for message in shown.messages] == ["The bittern booms.", "Noted: The bittern booms."]
        assert shown.title == "The bittern booms."
    engine.unforget(make_id("first"))
    engine.index()
    assert len(engine.show(make_id("fork")).messages) == 6
    assert make_id("first") in found(engine, "heron")


def test_what_is_added_to_a_fork_brings_no_word_back(engine: Engine, isolated: Path) -> None:
    path = chat_file(isolated, "fork")
    write(path, fork("fork", "first"))
    engine.index()
    engine.forget_session(make_id("first"))
    engine.index()
    for minute, words in ((70, "The bittern booms."), (80, "The rail calls.")):
        with path.open("ab") as stream:
            stream.write(encode([Chat("fork", sessionId=make_id("fork")).user(words, minute, uuid=make_id(words))]))
        engine.index()
        shown = engine.show(make_id("fork"))
        assert shown.title == "The bittern booms."
    assert [message.text for message in shown.messages] == ["The bittern booms.", "The rail calls."]


@pytest.mark.parametrize(("alike", "left"), [(2, ["c"]), (1, ["a", "x", "c"])])
def test_a_fork_that_gives_new_ids_loses_its_beginning(alike: int, left: list[str]) -> None:
    texts = ["a", "b" if alike == 2 else "x", "c"]
    words = packed([words_hash("user", "a"), words_hash("user", "b"), words_hash("user", "z")])
    messages = [
        CleanMessage(native=text, role="user", text=text, time=0, seq=seq, offset=0, identity=seq, tool="", files="")
        for seq, text in enumerate(texts)
    ]
    session = Session(id="fork", parent="one", title="a")
    prepared = Prepared(
        unit=Unit(agent="codex", root=Path("/r"), path=Path("/r/f"), session="fork", size=1, mtime_ns=1, inode=1),
        file=None, reading=Reading(session=session, messages=[], checkpoint=None), session=session, messages=messages,
        redacted=0, adapter_version=1,
    )  # fmt: skip
    spared = without_forgotten(prepared, Forgotten([stone("one", words=words)]))
    assert spared is not None
    assert [message.text for message in spared.messages] == left
    assert spared.session.title == left[0]


def test_a_running_pass_makes_way_and_is_taken_up_again(engine: Engine, isolated: Path) -> None:
    write(chat_file(isolated, "third"), talk("third", "The kingfisher dives."))
    begun, made_way = threading.Event(), threading.Event()

    def report(progress: Progress) -> None:
        begun.set()
        made_way.wait(20)

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(engine.index_once, report, lambda: False)
        assert begun.wait(20)
        forgetting = pool.submit(engine.forget_session, make_id("first"))
        while not engine.keeping.in_the_way:
            time.sleep(0.01)
        made_way.set()
        assert forgetting.result(30).messages == 4
        assert running.result(30).stopped
    assert found(engine, "heron") == []
    assert engine.wake.is_set()
    engine.index()
    assert found(engine, "kingfisher") == [make_id("third")]
    assert found(engine, "heron") == []


@pytest.mark.parametrize("removed", [False, True])
def test_a_fork_in_a_space_loses_its_copies_too(engine: Engine, isolated: Path, removed: bool) -> None:
    rows = [{**row, "cwd": "/home/kim/client"} for row in fork("fork", "first", "The bittern booms.") if isinstance(row, dict)]
    write(chat_file(isolated, "fork"), rows)
    engine.index()
    (isolated / "client").mkdir()
    engine.add_space("client", ["/home/kim/client"])
    engine.index()
    space = engine.libraries.of(engine.libraries.spaces.layout().spaces[0].id)
    assert space.file.exists()
    if removed:
        engine.remove_space("client")
    engine.forget_session(make_id("first"))
    if removed:
        engine.restore_space("client")
    for _ in range(2):
        answer = engine.search(SearchRequest(query="heron", now=NOW, space="client"))
        assert answer.sessions == ()
        answer = engine.search(SearchRequest(query="bittern", now=NOW, space="client"))
        assert [one.session for one in answer.sessions] == [make_id("fork")]
        engine.index(full=True)
    engine.close()
    assert b"minnow" not in space.file.read_bytes()


def test_a_forgotten_fork_leaves_the_original_alone(engine: Engine, isolated: Path) -> None:
    write(chat_file(isolated, "fork"), fork("fork", "first", "The bittern booms."))
    engine.index()
    engine.forget_session(make_id("fork"))
    engine.index(full=True)
    assert found(engine, "heron") == [make_id("first")]
    assert len(engine.show(make_id("first")).messages) == 4
    assert found(engine, "bittern") == []


def test_sub_agents_go_with_it(engine: Engine, isolated: Path) -> None:
    helper = folder(isolated) / make_id("first") / "subagents" / "agent-a1b2c3d4.jsonl"
    chat = Chat("helper", sessionId=make_id("first"), isSidechain=True, agentId="a1b2c3d4")
    write(helper, [chat.user("Count the newts."), chat.answer("There are nine newts.")])
    engine.index()
    assert len(found(engine, "newts")) == 1
    view = engine.forget_session(make_id("first"))
    assert view.sub_agents == 1
    assert found(engine, "newts") == []
    late = helper.with_name("agent-ffff0000.jsonl")
    chat = Chat("late", sessionId=make_id("first"), isSidechain=True, agentId="ffff0000")
    write(late, [chat.user("Count the newts again."), chat.answer("Ten newts.")])
    engine.index(full=True)
    assert found(engine, "newts") == []


def test_our_copy_of_the_file_goes_and_no_other_is_made(engine: Engine) -> None:
    engine.set_config("keep.archive_after_days", 0)
    assert engine.keep_now().copied == 2
    assert engine.forget_session(make_id("first")).archived == 1
    assert engine.keep_now().copied == 0
    assert [copy.session for copy in engine.keeping.archive.copies()] == [make_id("second")]


def test_with_vanished_sessions_kept_it_leaves_all_the_same(engine: Engine, isolated: Path) -> None:
    engine.set_config("keep.gone", True)
    chat_file(isolated, "first").unlink()
    engine.index()
    engine.forget_session(make_id("first"))
    engine.index()
    assert found(engine, "heron") == []


def test_the_session_file_is_untouched(engine: Engine, isolated: Path) -> None:
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder(isolated).rglob("*.jsonl")}
    engine.forget_session(make_id("first"))
    engine.index()
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder(isolated).rglob("*.jsonl")} == before


def test_a_session_that_is_not_there_cannot_be_forgotten(engine: Engine) -> None:
    with pytest.raises(UsageError) as caught:
        engine.forget_session("no-such-session")
    assert caught.value.code == "no_such_session"
    assert engine.forgotten() == []


def test_nothing_is_taken_out_that_could_not_be_written_down(engine: Engine) -> None:
    (engine.paths.data / "tombstones.jsonl").mkdir()
    with pytest.raises(KnownError):
        engine.forget_session(make_id("first"))
    assert found(engine, "heron") == [make_id("first")]
