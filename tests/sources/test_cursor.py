"""Cursor: three places, each thing said once, and only what was said."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from data.cursor_files import (
    CHILD,
    CWD,
    OTHER,
    SESSION,
    SLUG,
    STORE_TALK,
    TALK,
    TEXT,
    State,
    bubble,
    bubbles,
    chat,
    line,
    messages,
    talk,
    transcript,
)
from data.opencode_files import found, millis, read, said, snapshot

from tray_app.paths import SourcesHome
from tray_app.sources import cursor_transcripts
from tray_app.sources.base import Context, Limits, NotReady, Session, Stopped, Unit, Usage
from tray_app.sources.cursor import CursorAdapter
from tray_app.sources.cursor_store import path_of

CURSOR = CursorAdapter()
TIME = millis(100)


def one(root: Path) -> Unit:
    (unit,) = found(CURSOR, root)[0].values()
    return unit


def timed(path: Path, second: int = 100) -> Path:
    os.utime(path, ns=(0, millis(second) * 1_000_000))
    return path


# --- transcripts ---------------------------------------------------------------------------------------------------------
def test_lines(tmp_path: Path) -> None:
    path = timed(transcript(tmp_path, talk()))
    unit = one(tmp_path)
    assert (unit.session, unit.kind, unit.preference, unit.size) == (SESSION, "main", 1, path.stat().st_size)
    reading = read(CURSOR, unit)
    assert said(reading) == TALK
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (10, 9, 2, 0)
    assert {message.time for message in reading.messages} == {TIME}
    assert reading.messages[2].tool == "Shell"
    assert reading.session == Session(id=SESSION, title="Where do the plums go? 李子？", start=TIME, end=TIME)
    assert CURSOR.resume_command(reading.session) == f"cursor-agent --resume {SESSION}"
    roles = [role for role, _ in said(read(CURSOR, unit, Limits(tools=False, reasoning=True)))]
    assert roles == ["user", "reasoning", "assistant", "assistant", "user"]


def test_an_append_gives_only_what_is_new(tmp_path: Path) -> None:
    path = timed(transcript(tmp_path, talk()[:3]))
    first = read(CURSOR, one(tmp_path))
    with path.open("a", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in talk()[3:])
        stream.write('{"role": "us')
    timed(path, 200)
    second = CURSOR.read(one(tmp_path), first.checkpoint, Limits(), lambda: False)
    assert said(first) + said(second) == TALK
    assert (second.resumed, second.growing) == (True, True)
    assert [message.seq for message in second.messages] == [4, 5]
    assert {message.time for message in second.messages} == {millis(200)}
    assert (second.session.title, second.session.start, second.session.end) == (
        "Where do the plums go? 李子？",
        TIME,
        millis(200),
    )
    assert first.checkpoint is not None
    odd = msgspec.structs.replace(first.checkpoint, state=b"\x00")
    assert said(CURSOR.read(one(tmp_path), odd, Limits(), lambda: False)) == TALK


def test_sub_agents(tmp_path: Path) -> None:
    transcript(tmp_path, [line("user", "Count the beds."), line("assistant", "Four.")], SESSION, "subagents", f"{CHILD}.jsonl")
    unit = one(tmp_path)
    assert (unit.session, unit.kind, unit.parent) == (CHILD, "subagent", SESSION)
    reading = read(CURSOR, unit)
    assert said(reading) == [("note", "Count the beds."), ("assistant", "Four.")]
    assert (reading.session.title, reading.session.parent) == ("Count the beds.", SESSION)
    assert CURSOR.resume_command(reading.session) == f"cursor-agent --resume {SESSION}"


def test_text(tmp_path: Path) -> None:
    timed(transcript(tmp_path, TEXT, f"{SESSION}.txt"))
    unit = one(tmp_path)
    reading = read(CURSOR, unit)
    assert said(reading) == [
        ("user", "Where do the plums go?\nassistant:\nthat line was quoted"),
        ("assistant", "I look."),
        ("tool_call", "command: cat beds.txt"),
        ("tool_result", "south bed: plums"),
        ("assistant", "In the south bed."),
        ("user", "And the [Tool call] pears?"),
    ]
    assert [message.tool for message in reading.messages[2:4]] == ["Shell", "Shell"]
    assert (reading.checkpoint, reading.unknown, reading.messages[0].time) == (None, 0, TIME)
    thoughts = [text for role, text in said(read(CURSOR, unit, Limits(reasoning=True))) if role == "reasoning"]
    assert thoughts == ["thoughtword\nmore thought"]
    with pytest.raises(Stopped):
        read(CURSOR, unit, stop=lambda: True)
    unit.path.write_text("no marks at all")
    assert (read(CURSOR, unit).unknown, read(CURSOR, unit).messages) == (1, [])
    unit.path.write_text(" \n")
    with pytest.raises(NotReady):
        read(CURSOR, unit)


def test_other_files_are_no_transcripts(tmp_path: Path) -> None:
    for name in ("terminals/1.txt", "notes.txt", "agent-tools/x.txt"):
        path = tmp_path / "projects" / SLUG / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT)
    (tmp_path / "x.jsonl").write_text("{}\n")
    assert found(CURSOR, tmp_path) == ({}, [])


@pytest.mark.skipif(os.name == "nt", reason="a path of a POSIX system")
def test_the_folder_of_a_project(tmp_path: Path) -> None:
    cursor_transcripts.folder_of.cache_clear()
    folder = tmp_path / "my.beds_2026"
    (folder / "deep").mkdir(parents=True)
    slug = cursor_transcripts.re.sub(r"[^A-Za-z0-9]+", "-", str(folder)).strip("-")
    assert cursor_transcripts.folder_of(slug) == str(folder)
    assert cursor_transcripts.folder_of(f"{slug}-deep") == str(folder / "deep")
    assert cursor_transcripts.folder_of(f"{slug}-none") == ""
    cursor_transcripts.folder_of.cache_clear()
    (tmp_path / "my-beds-2026").mkdir()
    assert cursor_transcripts.folder_of(slug) == ""  # two folders have that name


# --- the command line's chats --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("listed", [True, False])
def test_a_chat(tmp_path: Path, listed: bool) -> None:
    path = timed(chat(tmp_path, messages(), listed=listed))
    before = snapshot(tmp_path)
    unit = one(tmp_path)
    reading = read(CURSOR, unit)
    assert snapshot(tmp_path) == before
    assert said(reading) == (STORE_TALK if listed else STORE_TALK[:-1])  # equal messages are one blob
    assert (reading.messages[0].time, reading.messages[1].time) == (millis(0), TIME)
    assert (unit.path, unit.preference, reading.unknown) == (path, 2, 0)
    assert reading.session == Session(
        id=SESSION,
        cwd=CWD if listed else "",
        title="Plums",
        title_rank=2,
        start=millis(0),
        end=TIME,
        model="sonnet-9",
    )


def test_a_chats_side_file(tmp_path: Path) -> None:
    path = chat(tmp_path, messages(), name="New Agent")
    assert read(CURSOR, one(tmp_path)).session.title == "Where do the plums go?"
    side = path.with_name("meta.json")
    side.write_text(
        json.dumps({"title": "Where plums go", "cwd": "/home/u/beds", "createdAtMs": millis(0), "isSubagent": True})
    )
    unit = one(tmp_path)
    assert unit.others == (side,)
    reading = read(CURSOR, unit)
    assert (reading.session.title, reading.session.cwd, reading.session.kind) == ("Where plums go", "/home/u/beds", "subagent")
    assert said(reading)[0] == ("note", "Where do the plums go?")


def test_blobs_that_are_missing_or_broken(tmp_path: Path) -> None:
    path = chat(tmp_path, messages())
    with written(path) as connection:
        connection.execute("delete from blobs where cast(data as text) like '%In the south bed%'")
        connection.execute("update blobs set data = '{' where cast(data as text) like '%tool-call%'")
    reading = read(CURSOR, one(tmp_path))
    assert [text for _, text in said(reading)] == ["Where do the plums go?", "south bed: plums", "continue", "continue"]
    assert (reading.skipped, sorted(problem.kind for problem in reading.problems)) == (2, ["bad_record", "oversize_line"])
    with written(path) as connection:
        connection.execute("drop table blobs")
    with pytest.raises(NotReady):
        read(CURSOR, one(tmp_path))


@contextmanager
def written(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path)
    yield connection
    connection.commit()
    connection.close()


# --- the editor's state --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_conversation_of_the_editor(tmp_path: Path, journal: str) -> None:
    with State(tmp_path / "globalStorage" / "state.vscdb", journal) as state:
        state.composer(SESSION, bubbles())
        state.composer(OTHER, [])
        state.put(f"composerData:{CHILD}", None)
        state.put("bubbleId:gone:b1", bubble("b1", 1, "orphanword", 1))
        state.put("checkpointId:x:y", "checkpointword")
        before = snapshot(tmp_path)
        units, problems = found(CURSOR, tmp_path)
        reading = read(CURSOR, units[SESSION])
        assert {name: value for name, value in snapshot(tmp_path).items() if "shm" not in name} == {
            name: value for name, value in before.items() if "shm" not in name
        }
    assert (list(units), problems) == ([SESSION], [])
    assert units[SESSION] == Unit(
        agent="cursor",
        root=tmp_path,
        path=state.path,
        session=SESSION,
        size=7 * 1024,
        mtime_ns=millis(9) * 1_000_000,
        inode=0,
        preference=3,
    )
    assert said(reading) == TALK
    assert [message.id for message in reading.messages] == ["b1", "b3", "c1", "c1", "b5", "b7"]
    assert [message.time for message in reading.messages] == [millis(second) for second in (1, 3, 3, 3, 5, 7)]
    assert reading.usage == [Usage("b3", millis(3), "sonnet-9", input=120, output=30)]
    assert reading.session == Session(
        id=SESSION, cwd=CWD, title="Plums", title_rank=2, start=millis(1), end=millis(7), model="sonnet-9"
    )
    assert (reading.records, reading.recognised, reading.unknown) == (7, 7, 0)


def test_lists_of_heads_tell_what_changed(tmp_path: Path) -> None:
    with State(tmp_path / "globalStorage" / "state.vscdb") as state:
        state.composer(SESSION, bubbles(), name="")
        state.composer(OTHER, bubbles()[:1])
        heads = [
            {
                "composerId": SESSION,
                "lastUpdatedAt": millis(50),
                "isArchived": True,
                "subagentInfo": {"parentComposerId": OTHER},
            }
        ]
        state.put("composer.composerHeaders", {"allComposers": heads}, "ItemTable")
        units, _ = found(CURSOR, tmp_path)
        child = units[SESSION]
        assert (child.mtime_ns, child.archived, child.kind, child.parent) == (millis(50) * 1_000_000, True, "subagent", OTHER)
        assert units[OTHER].mtime_ns == millis(9) * 1_000_000
        reading = read(CURSOR, child)
        assert reading.session.kind == "subagent"
        assert (reading.messages[0].role, reading.session.title) == ("note", "Where do the plums go? 李子？")
        state.connection.execute("create table composerHeaders (composerId text, createdAt integer, lastUpdatedAt integer)")
        state.connection.execute("insert into composerHeaders values (?, ?, ?)", (OTHER, millis(1), millis(60)))
        assert found(CURSOR, tmp_path)[0][OTHER].mtime_ns == millis(60) * 1_000_000


def test_older_conversations_hold_their_messages(tmp_path: Path) -> None:
    older = [{key: value for key, value in one.items() if key != "createdAt"} for one in bubbles()]
    with State(tmp_path / "state.vscdb") as state:
        state.put(f"composerData:{SESSION}", {"composerId": SESSION, "createdAt": millis(0), "conversation": older})
        units, _ = found(CURSOR, tmp_path)
        reading = read(CURSOR, units[SESSION])
        assert said(reading) == TALK
        assert {message.time for message in reading.messages} == {millis(0)}
        with pytest.raises(NotReady):
            read(CURSOR, msgspec.structs.replace(units[SESSION], session="gone"))


def test_the_folder_comes_from_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "workspaceStorage" / "abc"
    with State(tmp_path / "globalStorage" / "state.vscdb") as state:
        state.composer(SESSION, bubbles(), workspaceIdentifier=None)
        with State(workspace / "state.vscdb") as local:
            local.put("composer.composerData", {"allComposers": [{"composerId": SESSION}]}, "ItemTable")
            place = workspace / "workspace.json"
            place.write_text(json.dumps({"folder": "file://" + quote("/home/u/my beds")}))
            assert read(CURSOR, one(tmp_path)).session.cwd == path_of("file:///home/u/my%20beds") != ""
            place.unlink()
            assert read(CURSOR, one(tmp_path)).session.cwd == ""


def test_chats_of_the_oldest_versions(tmp_path: Path) -> None:
    workspace = tmp_path / "workspaceStorage" / "abc"
    tab = {
        "tabId": "tab1",
        "chatTitle": "Plums",
        "lastSendTime": millis(5),
        "bubbles": [
            {"type": "user", "id": "u", "text": "Plums?"},
            {"type": "ai", "id": "a", "rawText": "South."},
            {"type": "odd"},
        ],
    }
    with State(workspace / "state.vscdb") as state:
        state.put("workbench.panel.aichat.view.aichat.chatdata", {"tabs": [tab, {"tabId": "empty"}]}, "ItemTable")
        (workspace / "workspace.json").write_text(json.dumps({"folder": "file:///home/u/beds"}))
        unit = one(tmp_path)
        reading = read(CURSOR, unit)
        assert said(reading) == [("user", "Plums?"), ("assistant", "South.")]
        assert (reading.unknown, reading.session.title, reading.messages[0].time) == (1, "Plums", millis(5))
        with pytest.raises(NotReady):
            read(CURSOR, msgspec.structs.replace(unit, session="gone"))


def test_the_best_copy_is_preferred_and_bad_ones_reported(tmp_path: Path) -> None:
    transcript(tmp_path, talk())
    transcript(tmp_path, TEXT, f"{SESSION}.txt")
    chat(tmp_path, messages())
    with State(tmp_path / "globalStorage" / "state.vscdb") as state:
        state.composer(SESSION, bubbles())
        units = list(CURSOR.discover(tmp_path, Context(home=SourcesHome(tmp_path, {})), lambda problem: None))
    assert sorted((unit.preference, unit.path.suffix) for unit in units) == [
        (0, ".txt"),
        (1, ".jsonl"),
        (2, ".db"),
        (3, ".vscdb"),
    ]
    state.path.write_bytes(b"no database" * 50)
    other = tmp_path / "workspaceStorage" / "w" / "state.vscdb"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"nor this")
    _, problems = found(CURSOR, tmp_path)
    assert [(problem.path, problem.kind) for problem in problems] == [
        (str(state.path), "unreadable"),
        (str(other), "unreadable"),
    ]


def test_roots() -> None:
    roots = CURSOR.roots(SourcesHome(Path("/home/u"), {}))
    assert roots[0] == Path("/home/u/.cursor")
    assert [root.name for root in roots[1:]] == ["User", ".cursor-server"]


@pytest.mark.parametrize(
    ("uri", "path"),
    [("file:///c%3A/Users/u/beds", "c:\\Users\\u\\beds"), ("vscode-remote://ssh/x", ""), ("", ""), ("file://[", "")],
)
def test_path_of(uri: str, path: str) -> None:
    assert path_of(uri) == path
