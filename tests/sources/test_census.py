"""Counts of kinds and keys: what is in them, and above all what never is."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import zstandard
from data import claude_files, codex_files, dsh_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.sources import census as module
from tray_app.sources.base import Stopped
from tray_app.sources.census import Census, census, files_of
from tray_app.sources.registry import ADAPTERS, adapter


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(claude_files.encode(list(rows)))
    return path


def of_lines(tmp_path: Path, *rows: Any) -> Census:
    return census([write(tmp_path / "s.jsonl", *rows)], "claude_code")


def test_lines(tmp_path: Path) -> None:
    counted = of_lines(
        tmp_path,
        {"type": "user", "message": {"role": "user", "content": "Where is the berth list?"}},
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": "Here."}, {"type": "tool_use", "input": {"path": 1}}],
            },
        },
        {"type": "vision-frame", "payload": {"type": "new_thing", "deep": {"deeper": {"deepest": 1}}}},
        b"not json",
    )
    assert counted == Census(
        agent="claude_code", files=1, bytes=counted.bytes, records=3, unreadable_records=1, formats={"lines": 1},
        types={
            "message.content[].type=text": 1, "message.content[].type=tool_use": 1, "message.role=assistant": 1, "message.role=user": 1,
            "payload.type=new_thing": 1, "type=assistant": 1, "type=user": 1, "type=vision-frame": 1,
        },
        keys={
            "message": 2, "message.content": 2, "message.content[].input": 1, "message.content[].text": 1, "message.content[].type": 2,
            "message.role": 2, "payload": 1, "payload.deep": 1, "payload.deep.deeper": 1, "payload.type": 1, "type": 3,
        },
    )  # fmt: skip


def test_a_document_a_text_and_something_else(tmp_path: Path) -> None:
    document = tmp_path / "chat.json"
    document.write_text(json.dumps({"sessionId": "7", "messages": [{"type": "gemini", "content": "x"}]}), encoding="utf-8")
    lines = tmp_path / "lines.json"
    lines.write_bytes(b'{"type":"a"}\n{"type":"b"}\n')
    note = tmp_path / "MEMORY.md"
    note.write_text("# What I think\n", encoding="utf-8")
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    counted = census([document, lines, note, empty, tmp_path / "gone.jsonl"], "x")
    assert counted.formats == {"document": 1, "lines": 1, "text": 1}
    assert (counted.files, counted.unreadable_files, counted.records) == (5, 2, 3)
    assert counted.types == {"messages[].type=gemini": 1, "type=a": 1, "type=b": 1}
    assert counted.keys == {"messages": 1, "messages[].content": 1, "messages[].type": 1, "sessionId": 1, "type": 2}


def test_frames(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl.zstd"
    rows = [dsh_files.header(), {"type": "user/message", "seq": 0, "data": {"content": []}}]
    path.write_bytes(b"".join(zstandard.ZstdCompressor().compress(claude_files.encode([row])) for row in rows))
    counted = census([path], "dsh")
    assert (counted.records, counted.types) == (2, {"type=session": 1, "type=user/message": 1})


def test_a_database(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table part(id text, data text, type text, 'Mira''s notes' text)")
        connection.execute("create table empty(a, b)")
        connection.executemany(
            "insert into part values (?, ?, ?, ?)",
            [
                ("p1", '{"type":"text","text":"secret words","state":{"input":{"x":1}}}', "text", "n"),
                ("p2", "{broken", None, None),
            ],
        )
    connection.close()
    counted = census([path], "opencode")
    assert counted.keys == {
        "part.*": 1, "part.data": 2, "part.data.state": 1, "part.data.state.input": 1, "part.data.text": 1, "part.data.type": 1,
        "part.id": 2, "part.type": 1,
    }  # fmt: skip
    assert counted.types == {"part.data.type=text": 1, "part.type=text": 1}
    assert (counted.records, counted.unreadable_records, counted.formats) == (2, 1, {"database": 1})


def test_what_is_no_name_is_not_shown(tmp_path: Path) -> None:
    row = {
        "type": "words of mine", "kind": "2026-11-30", "role": "x" * 49,
        "/home/mira/berths.py": 1, "密": 2, "f3a9c1e2": 3, "session-20261130": 4, "": 5, "a b": 6,
        "toolUseResult": {"Mira": {"type": "private"}}, "args": {"name": 1},
    }  # fmt: skip
    counted = of_lines(tmp_path, row)
    assert counted.types == {"kind=*": 1, "role=*": 1, "type=*": 1}
    assert counted.keys == {"*": 6, "args": 1, "kind": 1, "role": 1, "toolUseResult": 1, "type": 1}


def test_names_that_are_too_many_are_data(tmp_path: Path) -> None:
    letters = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(300)]
    counted = of_lines(tmp_path, {"byFile": dict.fromkeys(letters, 1)}, *({"type": name} for name in letters))
    assert counted.keys == {"byFile": 1, "byFile.*": 300, "type": 300}
    assert counted.types == {"type=*": 300}


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write(tmp_path / f"{number}.jsonl", {"type": "a"}, {"type": "a"}) for number in range(4)]
    monkeypatch.setattr(module, "FILES_MOST", 3)
    assert (census(paths, "x").files, census(paths, "x").files_left) == (3, 1)
    monkeypatch.setattr(module, "BYTES_MOST", 20)
    counted = census(paths, "x")
    assert (counted.files, counted.files_left, counted.records) == (1, 3, 2)


def test_it_can_be_stopped(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", *({"type": "a"} for _ in range(1_000)))
    with pytest.raises(Stopped):
        census([path], "x", stop=lambda: True)


def test_files_are_found_newest_first_even_under_new_names(tmp_path: Path) -> None:
    home = SourcesHome(tmp_path, {}, confined=True)
    root = tmp_path / ".codex"
    assert files_of(adapter("codex"), [root], home) == []
    moved = write(root / "threads" / "new-name.sqlite.jsonl", {"type": "a"})
    assert files_of(adapter("codex"), [root], home) == [moved]
    older = write(root / "sessions" / f"rollout-{codex_files.SESSION}.jsonl", codex_files.meta())
    newer = write(root / "sessions" / f"rollout-{codex_files.PARENT}.jsonl", codex_files.meta())
    import os

    os.utime(older, (1, 1))
    assert files_of(adapter("codex"), [root], home) == [newer, older]


@pytest.mark.parametrize("agent", sorted(ADAPTERS))
def test_every_agent_has_a_census(agent: str, tmp_path: Path) -> None:
    one = adapter(agent)
    home = SourcesHome(tmp_path, {}, confined=True)
    assert census(files_of(one, one.roots(home), home), agent).files == 0


MARKER = "zq密"
VALUES = st.text(max_size=6).map(lambda text: f"{MARKER}{text}{MARKER}") | st.integers() | st.booleans() | st.none()
NAMES = st.sampled_from(["type", "role", "message", "payload", "content", "data", "input", "kind", "x"]) | VALUES.map(str)
RECORDS = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=30
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(RECORDS, max_size=4), st.sampled_from(["jsonl", "json", "db"]))
def test_no_value_leaks(tmp_path: Path, records: list[Any], form: str) -> None:
    path = tmp_path / f"s.{form}"
    path.unlink(missing_ok=True)
    if form == "db":
        with sqlite3.connect(path) as connection:
            connection.execute("create table t(a, type)")
            connection.executemany("insert into t values (?, ?)", [(json.dumps(record), f"{MARKER}") for record in records])
        connection.close()
    elif form == "json":
        path.write_text(json.dumps(records), encoding="utf-8")
    else:
        path.write_bytes(claude_files.encode([json.dumps(record).encode() for record in records]))
    counted = census([path], "x")
    shown = json.dumps([counted.types, counted.keys], ensure_ascii=False)
    assert MARKER not in shown and "zq" not in shown
    assert all(name.count(".") < 5 for name in counted.keys)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["jsonl", "json", "db", "zst", "md"]))
def test_any_bytes(tmp_path: Path, data: bytes, form: str) -> None:
    path = tmp_path / f"s.{form}"
    path.write_bytes(data)
    assert census([path], "x").files == 1
