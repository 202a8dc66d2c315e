"""Going on where a reading of a Codex file ended, and whatever bytes a file may hold."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from data import codex_files as made
from data.codex_files import CODEX, GENERATIONS, read, unit_of, written
from hypothesis import given, settings
from hypothesis import strategies as st

from tray_app.sources.base import Limits, Message, NotReady, Stopped


@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_line_border(tmp_path: Path, generation: str) -> None:
    data = made.encode(GENERATIONS[generation]())
    path = made.rollout(tmp_path)
    path.write_bytes(data)
    whole = read(path, Limits(reasoning=True))
    anew = 0
    for border in [at + 1 for at, byte in enumerate(data[:-1]) if byte == 10]:
        path.write_bytes(data[: border + 9])  # with the beginning of the next line
        first = read(path, Limits(reasoning=True))
        assert first.growing
        path.write_bytes(data)
        second = CODEX.read(unit_of(path), first.checkpoint, Limits(reasoning=True), lambda: False)
        assert second.session == whole.session
        if not second.resumed:
            anew += 1
            assert second.messages == whole.messages
            continue
        assert first.messages + second.messages == whole.messages
        assert first.usage + second.usage == whole.usage
        assert second.bytes_read < len(data)
    assert anew == (2 if generation == "b" else 0)  # the first event, which tells words from wrappers, comes after both


def lines_of_all() -> st.SearchStrategy[list[made.Row]]:
    pool = [
        made.event(30, "user", "typed"),
        made.item(31, "user", "typed"),
        made.completed(32, "assistant", "the quince is watered"),
    ]
    for make in GENERATIONS.values():
        pool += make()
    return st.lists(st.sampled_from(pool), min_size=1, max_size=25)


@settings(max_examples=150)
@given(rows=lines_of_all(), cuts=st.lists(st.integers(0, 25), max_size=4))
def test_appending_equals_reading_whole(rows: list[made.Row], cuts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = made.rollout(Path(folder))
        messages: list[Message] = []
        checkpoint = None
        for cut in [*sorted(cut for cut in cuts if 0 < cut < len(rows)), len(rows)]:
            path.write_bytes(made.encode(rows[:cut]))
            reading = CODEX.read(unit_of(path), checkpoint, Limits(), lambda: False)
            messages = (messages if reading.resumed else []) + reading.messages
            checkpoint = reading.checkpoint
        whole = read(path)
        assert messages == whole.messages
        assert reading.session == whole.session


def test_rewritten_file_and_foreign_checkpoint_are_read_whole(tmp_path: Path) -> None:
    import msgspec

    path = written(tmp_path, made.generation_b())
    checkpoint = read(path).checkpoint
    assert checkpoint is not None
    foreign = msgspec.structs.replace(checkpoint, state=b"\xc1")
    again = CODEX.read(unit_of(path), foreign, Limits(), lambda: False)
    assert (again.resumed, len(again.messages)) == (False, 8)
    path.write_bytes(path.read_bytes().replace(b"quince", b"cherry"))
    again = CODEX.read(unit_of(path), checkpoint, Limits(), lambda: False)
    assert (again.resumed, len(again.messages)) == (False, 8)


# --- whatever the bytes are ------------------------------------------------------------------------------------------------
def test_nothing_yet(tmp_path: Path) -> None:
    path = made.rollout(tmp_path)
    for data in (b"", b"\n\n\n", b'{"timestamp":'):
        path.write_bytes(data)
        with pytest.raises(NotReady):
            read(path)


def test_stop(tmp_path: Path) -> None:
    path = written(tmp_path, [made.world_state(1)] * 400)
    with pytest.raises(Stopped):
        CODEX.read(unit_of(path), None, Limits(), lambda: True)


def test_unknown_kinds_are_counted(tmp_path: Path) -> None:
    rows = [made.row(1, "turn_started_v9", {"text": "new"}), made.row(2, "response_item", {"type": "speech"}), {"foo": 1}]
    reading = read(written(tmp_path, rows))
    assert (reading.records, reading.recognised, reading.unknown) == (3, 0, 3)
    assert reading.session.id == made.SESSION
    assert reading.session.start == made.millis(1)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200)
@given(
    generation=st.sampled_from(sorted(GENERATIONS)),
    suffix=st.sampled_from([".jsonl", ".jsonl.zst", ".json"]),
    changes=st.lists(st.tuples(st.integers(0, 1 << 16), st.binary(max_size=12), st.integers(0, 40)), max_size=5),
    field=st.sampled_from(["id", "text", "content", "payload", "timestamp", "role", "arguments", "output", "source", "info"]),
    value=JSON,
)
def test_damaged_files(generation: str, suffix: str, changes: list[Any], field: str, value: Any) -> None:
    def replaced(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: value if key == field else replaced(inner) for key, inner in node.items()}
        return [replaced(inner) for inner in node] if isinstance(node, list) else node

    rows = [replaced(line) if number % 2 else line for number, line in enumerate(GENERATIONS[generation]())]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in rows)
    for at, put, removed in changes:
        at %= len(data) + 1
        data = data[:at] + put + data[at + removed :]
    readable(data, suffix)


@settings(max_examples=100)
@given(data=st.binary(max_size=300), suffix=st.sampled_from([".jsonl", ".jsonl.zst", ".json"]))
def test_any_bytes(data: bytes, suffix: str) -> None:
    readable(data, suffix)


def readable(data: bytes, suffix: str) -> None:
    """Read it and look that what comes out can be stored."""
    with tempfile.TemporaryDirectory() as folder:
        path = made.rollout(Path(folder), suffix=suffix)
        path.write_bytes(data)
        try:
            reading = read(path, Limits(reasoning=True))
        except NotReady:
            return
        for message in reading.messages:
            message.text.encode()
            message.id.encode()
        assert [message.seq for message in reading.messages] == list(range(len(reading.messages)))
