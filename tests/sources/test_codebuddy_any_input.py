"""Whatever the bytes are: CodeBuddy and WorkBuddy files give a reading or NotReady, never another error, and in time."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from data import codebuddy_files as files
from hypothesis import given
from hypothesis import strategies as st

from tray_app.sources.base import Checkpoint, Limits, NotReady, Reading, Unit
from tray_app.sources.codebuddy import CODEBUDDY, WORKBUDDY, CodeBuddyAdapter

ADAPTERS = st.sampled_from([CODEBUDDY, WORKBUDDY])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["user", "compact", "/x y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "agent", "content"]), inner),
    max_leaves=8,
)


def read(adapter: CodeBuddyAdapter, path: Path, checkpoint: Checkpoint | None = None) -> Reading | None:
    unit = Unit(agent="codebuddy", root=path.parent, path=path, session=path.stem, size=0, mtime_ns=0, inode=0)
    try:
        return adapter.read(unit, checkpoint, Limits(reasoning=True), lambda: False)
    except NotReady:
        return None


def check(adapter: CodeBuddyAdapter, data: bytes, cut: int = 0) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        path.write_bytes(data[:cut])
        first = read(adapter, path)
        path.write_bytes(data)
        whole, rest = read(adapter, path), read(adapter, path, first.checkpoint if first else None)
    if whole is None:
        return
    assert rest is not None
    assert whole.recognised + whole.unknown + whole.skipped >= whole.records
    told = [message.text for message in (first.messages if first and rest.resumed else [])] + [
        one.text for one in rest.messages
    ]
    assert told == [message.text for message in whole.messages]
    for message in whole.messages:
        message.text.encode()
        assert message.text.strip() and message.id and message.identity


@given(st.binary(max_size=400), ADAPTERS)
def test_any_bytes(data: bytes, adapter: CodeBuddyAdapter) -> None:
    check(adapter, data)


@given(st.data(), ADAPTERS)
def test_mutated_files(data: st.DataObject, adapter: CodeBuddyAdapter) -> None:
    raw = bytearray(files.encode(files.session()))
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=6))
    check(adapter, bytes(raw), data.draw(st.integers(0, len(raw))))


@given(st.data(), ADAPTERS)
def test_fields_of_any_kind(data: st.DataObject, adapter: CodeBuddyAdapter) -> None:
    rows: list[Any] = [dict(row) for row in files.session() if isinstance(row, dict)]
    for _ in range(data.draw(st.integers(1, 6))):
        row = data.draw(st.sampled_from(rows))
        row[data.draw(st.sampled_from(sorted(row)))] = data.draw(VALUES)
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    check(adapter, lines, data.draw(st.integers(0, len(lines))))


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"message","role":"user","content":' + b"[" * 200_000,
        b'{"type":"function_call","name":"x","arguments":"' + b"[" * 200_000 + b'"}',
        b'{"type":"function_call","name":"x","arguments":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
        b'{"type":"message","role":"user","content":"' + b"<user_query>" * 400_000 + b'"}',
        b'{"type":"message","role":"user","content":"' + b"<system-reminder></system-reminder>" * 150_000 + b'"}',
        b'{"type":"message","role":"user","content":"' + b"@skill:a " * 400_000 + b'"}',
        b'{"type":"message","role":"assistant","content":"' + b"<summary>" * 400_000 + b'","providerData":{"isSummary":true}}',
    ],
    ids=["nested", "nested-string", "nested-arguments", "queries", "reminders", "marks", "summaries"],
)
def test_hostile_lines_cost_little(tmp_path: Path, line: bytes) -> None:
    rows: list[Any] = [files.Chat("main").user(files.query("before")), line, files.Chat("more").user(files.query("after"))]
    path = files.write(tmp_path / "s.jsonl", rows)
    start = time.perf_counter()
    reading = read(WORKBUDDY, path)
    assert time.perf_counter() - start < 5
    assert reading is not None
    told = [message.text for message in reading.messages if message.role == "user" and len(message.text) < 50]
    assert told == ["before", "after"]


def test_a_line_of_24_megabytes_is_skipped(tmp_path: Path) -> None:
    chat = files.Chat("main")
    path = files.write(tmp_path / "s.jsonl", [chat.user("before"), chat.user("x" * (24 << 20)), chat.user("after")])
    reading = read(CODEBUDDY, path)
    assert reading is not None
    assert [message.text for message in reading.messages] == ["before", "after"]
    assert ([problem.kind for problem in reading.problems], reading.skipped) == (["oversize_line"], 1)
