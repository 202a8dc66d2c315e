"""Whatever the bytes are: Kimi's files give a reading or NotReady, never another error, and in time."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from data import kimi_files as files
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading
from tray_app.sources.kimi import KimiAdapter

ADAPTER = KimiAdapter()
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["user", "text", "tool.call"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "kind", "text", "role", "content"]), inner)
    ),
    max_leaves=8,
)


def read(home: Path, checkpoint: Checkpoint | None = None) -> Reading | None:
    (unit,) = ADAPTER.discover(home, Context(home=SourcesHome(home, {})), lambda problem: None)
    try:
        return ADAPTER.read(unit, checkpoint, Limits(reasoning=True), lambda: False)
    except NotReady:
        return None


def check(data: bytes, cut: int = 0, state: bytes = b"") -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = files.place(home, [])
        (path.parents[2] / "state.json").write_bytes(state)
        path.write_bytes(data[:cut])
        first = read(home)
        path.write_bytes(data)
        whole, rest = read(home), read(home, first.checkpoint if first else None)
    if whole is None:
        return
    assert rest is not None
    told = [message.text for message in (first.messages if first and rest.resumed else [])] + [
        one.text for one in rest.messages
    ]
    assert told == [message.text for message in whole.messages]
    for message in whole.messages:
        message.text.encode()
        assert message.text.strip() and message.id and message.identity


def rows_of_all() -> list[Any]:
    wire = files.Wire()
    rows = [*files.session(), *wire.asked("one more"), wire.undo(), wire.row("context.clear")]
    splice = wire.row("context.splice", start=0, deleteCount=0, messages=[wire.said("user", "spliced")["message"]])
    return [*rows, wire.said("assistant", "folded"), splice, *wire.asked("last"), wire.undo()]


@given(st.binary(max_size=400), st.binary(max_size=60))
def test_any_bytes(data: bytes, state: bytes) -> None:
    check(data, 0, state)


@given(st.data())
def test_mutated_files(data: st.DataObject) -> None:
    raw = bytearray(files.encode(rows_of_all()))
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=6))
    check(bytes(raw), data.draw(st.integers(0, len(raw))))


@given(st.data())
def test_fields_of_any_kind(data: st.DataObject) -> None:
    rows = [dict(row) for row in rows_of_all()]
    for _ in range(data.draw(st.integers(1, 6))):
        row = data.draw(st.sampled_from(rows))
        inner = next((row[name] for name in ("message", "event") if isinstance(row.get(name), dict)), row)
        target = data.draw(st.sampled_from([row, inner])) or row
        target[data.draw(st.sampled_from(sorted(target)))] = data.draw(VALUES)
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    state = json.dumps(data.draw(st.dictionaries(st.sampled_from(["title", "cwd", "custom", "forkedFrom"]), VALUES))).encode()
    check(lines, data.draw(st.integers(0, len(lines))), state)


@given(st.data())
def test_old_sessions(data: st.DataObject) -> None:
    context, wire = bytearray(files.encode(files.old_context() * 2)), bytearray(files.encode(files.old_wire()))
    for raw in (context, wire):
        for _ in range(data.draw(st.integers(0, 6))):
            at = data.draw(st.integers(0, len(raw) - 1))
            raw[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=6))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = files.place_old(home, [])
        path.write_bytes(bytes(context))
        path.with_name("context_1.jsonl").write_bytes(bytes(context[: data.draw(st.integers(0, len(context)))]))
        path.with_name("wire.jsonl").write_bytes(bytes(wire))
        path.with_name("state.json").write_bytes(data.draw(st.binary(max_size=40)))
        (home / "kimi.json").write_bytes(data.draw(st.binary(max_size=40)))
        reading = read(home)
    assert reading is None or [message.seq for message in reading.messages] == list(range(len(reading.messages)))


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"turn.prompt","input":' + b"[" * 200_000,
        b'{"type":"context.append_message","message":' + b'{"a":' * 200_000,
        b'{"type":"context.append_loop_event","event":{"type":"tool.call","args":' + b"[" * 90_000 + b"]" * 90_000 + b"}}",
        b'{"type":"turn.prompt","input":"' + b"<system></system>" * 300_000 + b'"}',
        b'{"type":"context.append_message","message":{"role":"tool","content":"' + b"<system>" * 500_000 + b'"}}',
    ],
    ids=["nested", "nested-message", "nested-args", "blocks", "remarks"],
)
def test_hostile_lines_cost_little(tmp_path: Path, line: bytes) -> None:
    files.place(tmp_path, [*files.Wire().asked("before"), line, *files.Wire("x").asked("after", named=False)])
    start = time.perf_counter()
    reading = read(tmp_path)
    assert time.perf_counter() - start < 5
    assert reading is not None
    assert [message.text for message in reading.messages if message.role == "user"] == ["before", "after"]


def test_many_undos_cost_no_square(tmp_path: Path) -> None:
    wire = files.Wire()
    rows = [row for number in range(3000) for row in (*wire.asked(f"prompt {number}"), *wire.answer("x"))]
    rows += [row for _ in range(2999) for row in (wire.undo(), wire.undo(9999))]
    files.place(tmp_path, rows)
    start = time.perf_counter()
    reading = read(tmp_path)
    assert time.perf_counter() - start < 10
    assert reading is not None
    assert [message.text for message in reading.messages] == ["prompt 0", "x"]


def test_a_line_of_24_megabytes_is_skipped(tmp_path: Path) -> None:
    wire = files.Wire()
    files.place(tmp_path, [*wire.asked("before"), wire.prompt("x" * (24 << 20)), *wire.asked("after")])
    reading = read(tmp_path)
    assert reading is not None
    assert [message.text for message in reading.messages] == ["before", "after"]
    assert ([problem.kind for problem in reading.problems], reading.skipped) == (["oversize_line"], 1)
