"""Whatever stands in the stores of ZCode, OpenCode, Cursor and Cline: nothing unforeseen is raised, and text is text."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from data import cline_files, cursor_files, opencode_files, zcode_files
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.sources.base import Adapter, Context, Limits, NotReady, Reading
from tray_app.sources.cline import ClineAdapter
from tray_app.sources.cursor import CursorAdapter
from tray_app.sources.opencode import OpenCodeAdapter
from tray_app.sources.zcode import ZCodeAdapter

LIMITS = Limits(reasoning=True, line_bytes=100_000)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["\ud83d", "<task>", "user"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """A sound value in which something holds something else, or is missing."""
    made = copy.deepcopy(value)
    for _ in range(draw(st.integers(0, 4))):
        place = made
        while isinstance(place, dict | list) and place:
            key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
            if not isinstance(place[key], dict | list) or draw(st.integers(0, 3)) == 0:
                if draw(st.booleans()):
                    place[key] = draw(JSON)
                else:
                    del place[key]
                break
            place = place[key]
    return made


def swept(adapter: Adapter, root: Path) -> list[Reading]:
    """Everything below the root, read; and once more from where each reading ended."""
    readings = []
    for unit in adapter.discover(root, Context(home=SourcesHome(root, {})), lambda problem: None):
        try:
            reading = adapter.read(unit, None, LIMITS, lambda: False)
            if reading.checkpoint is not None:
                again = adapter.read(unit, reading.checkpoint, LIMITS, lambda: False)
                assert again.resumed and again.messages == []
        except (NotReady, OSError):
            continue
        for message in reading.messages:
            for words in (message.id, message.text, message.identity, message.tool, *message.files):
                words.encode()
            assert message.text.strip() == message.text != "" and message.time >= 0
        assert [message.seq for message in reading.messages] == list(range(len(reading.messages)))
        assert reading.records >= reading.recognised >= 0 and reading.unknown >= 0
        reading.session.title.encode()
        adapter.resume_command(reading.session).encode()
        readings.append(reading)
    return readings


ROLLOUTS = [*zcode_files.history(3), *zcode_files.added(3)]
CALLS = [
    zcode_files.request(
        9,
        [zcode_files.called("I look.", "Bash", "c1", {"command": "ls"}), zcode_files.returned("c1", "Bash", "plums")],
        "So.",
        calls=[{"id": "c2", "name": "Read", "input": {"file_path": "/b"}}],
    )
]
PARTS = [
    opencode_files.text("plums"),
    opencode_files.tool("bash", "c", {"command": "ls"}, "plums"),
    {"type": "reasoning", "text": "hm", "time": {"start": 1}},
    {"type": "file", "mime": "image/png"},
    {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "plums"}]},
]
MESSAGES = [opencode_files.asked(1), opencode_files.answered(2), {**opencode_files.asked(3), **zcode_files.PERSON}]


@given(rows=changed([*ROLLOUTS, *CALLS]), tail=st.binary(max_size=40))
def test_request_logs(tmp_path_factory: pytest.TempPathFactory, rows: Any, tail: bytes) -> None:
    home = tmp_path_factory.mktemp("z")
    path = zcode_files.rollout(home, rows if isinstance(rows, list) else [rows])
    path.write_bytes(path.read_bytes() + tail)
    swept(ZCodeAdapter(), home / ".zcode")


@given(
    messages=changed(MESSAGES),
    parts=changed(PARTS),
    odd=st.none() | st.binary(max_size=9) | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5),
)
def test_session_tables(tmp_path_factory: pytest.TempPathFactory, messages: Any, parts: Any, odd: Any) -> None:
    home = tmp_path_factory.mktemp("o")
    with zcode_files.database(home) as zcode, opencode_files.Store(home / "opencode.db") as opencode:
        for store in (zcode, opencode):
            for table in ("session", "message", "part"):  # without the constraints any value may stand anywhere
                store.connection.execute(f"create table loose as select * from {table}")
                store.connection.execute(f"drop table {table}")
                store.connection.execute(f"alter table loose rename to {table}")
            store.session()
            for number, message in enumerate(messages if isinstance(messages, list) else [messages]):
                store.message(f"m{number}", number, message, *parts if isinstance(parts, list) else [parts])
            store.message("m0", 1, MESSAGES[0], PARTS[0])
            for table, column in (("session", "directory"), ("message", "data"), ("part", "time_created"), ("part", "id")):
                store.connection.execute(f"update {table} set {column} = ? where rowid % 2 = 0", (odd,))
            store.connection.execute("insert into session (id, title, time_updated) values (?, ?, ?)", (odd, odd, odd))
        swept(ZCodeAdapter(), home / ".zcode")
        swept(OpenCodeAdapter(), home)


@given(
    rows=changed(cursor_files.talk()),
    text=st.text("user:[Tool call] A\n<user_query>/", max_size=60),
    tail=st.binary(max_size=40),
)
def test_transcripts(tmp_path_factory: pytest.TempPathFactory, rows: Any, text: str, tail: bytes) -> None:
    root = tmp_path_factory.mktemp("c")
    path = cursor_files.transcript(root, rows if isinstance(rows, list) else [rows])
    path.write_bytes(path.read_bytes() + tail)
    cursor_files.transcript(root, cursor_files.TEXT[: len(text) * 9] + text, "a.txt")
    swept(CursorAdapter(), root)


@given(
    rows=changed(cursor_files.messages()),
    bubbles=changed(cursor_files.bubbles()),
    value=st.none() | st.binary(max_size=80) | JSON,
)
def test_chats_and_editor_state(tmp_path_factory: pytest.TempPathFactory, rows: Any, bubbles: Any, value: Any) -> None:
    root = tmp_path_factory.mktemp("s")
    path = cursor_files.chat(root, rows if isinstance(rows, list) else [rows])
    if isinstance(value, bytes):
        _put(path, value)
    with cursor_files.State(root / "globalStorage" / "state.vscdb") as state:
        state.composer(cursor_files.SESSION, cursor_files.bubbles(), fullConversationHeadersOnly=bubbles)
        state.composer(cursor_files.OTHER, cursor_files.bubbles(), conversation=bubbles)
        for number, bubble in enumerate(bubbles if isinstance(bubbles, list) else [bubbles], 1):
            state.put(f"bubbleId:{cursor_files.SESSION}:b{number}", bubble)
        made = value if isinstance(value, bytes) else json.dumps(value)
        state.put("composerData:odd", made)
        state.put("composer.composerHeaders", made, "ItemTable")
        state.put("workbench.panel.aichat.view.aichat.chatdata", made, "ItemTable")
        swept(CursorAdapter(), root)


def _put(path: Path, root: bytes) -> None:
    """Makes these bytes the root of a chat."""
    import sqlite3

    connection = sqlite3.connect(path)
    connection.execute("update blobs set data = ? where substr(data, 1, 1) != '{'", (root,))
    connection.commit()
    connection.close()


TASKS: list[Callable[[], Any]] = [cline_files.tagged, cline_files.native]


@given(
    rows=st.one_of([changed(make()) for make in TASKS]),
    shown=changed(cline_files.shown()),
    tail=st.binary(max_size=9) | st.none(),
)
def test_tasks(tmp_path_factory: pytest.TempPathFactory, rows: Any, shown: Any, tail: bytes | None) -> None:
    root = tmp_path_factory.mktemp("t")
    path = cline_files.task(root, json.dumps(rows))
    cline_files.put(path.with_name("ui_messages.json"), json.dumps(shown))
    cline_files.put(root / "state" / "taskHistory.json", json.dumps(shown))
    if tail is not None:
        path.write_bytes(path.read_bytes()[: -len(tail) - 1] + tail)
    swept(ClineAdapter(), root)


@given(data=st.binary(max_size=120), kind=st.integers(0, 5))
def test_any_bytes_as_any_file(tmp_path_factory: pytest.TempPathFactory, data: bytes, kind: int) -> None:
    root = tmp_path_factory.mktemp("b")
    names = [
        "cli/db/db.sqlite",
        f"cli/rollout/model-io-{zcode_files.SESSION}.jsonl",
        "opencode.db",
        "storage/session/p/ses_1.json",
        "projects/a/agent-transcripts/x.jsonl",
        "tasks/1/api_conversation_history.json",
    ]
    for name in (
        *names,
        "chats/a/b/store.db",
        "globalStorage/state.vscdb",
        "workspaceStorage/w/state.vscdb",
        "projects/a/agent-transcripts/y.txt",
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if kind % 2 else b"SQLite format 3\x00" + data)
    for adapter in (ZCodeAdapter(), OpenCodeAdapter(), CursorAdapter(), ClineAdapter()):
        swept(adapter, root)
