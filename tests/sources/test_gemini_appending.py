"""Going on where a reading of a Gemini CLI file ended, and whatever bytes a file may hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data import gemini_files as made
from data.gemini_files import answer, check_growth, check_harmless, header, read, said, user
from hypothesis import given, settings
from hypothesis import strategies as st

from tray_app.sources.base import Limits
from tray_app.sources.gemini import GeminiCliAdapter

ADAPTER = GeminiCliAdapter()


def test_every_line_border(tmp_path: Path) -> None:
    # read whole again: for the injected context by $set, and where a call that stood without a result was written anew
    anew = check_growth(ADAPTER, tmp_path / made.NAME, made.encode(made.talk()))
    assert anew == 1


def test_a_message_that_only_grows_costs_its_own_length(tmp_path: Path) -> None:
    grown = answer("g", "text", 2, toolCalls=[made.call("c", "t", {"command": "ls"}, "out")])
    rows: list[Any] = [header(), user("u", "hello " * 5000, 1), answer("g", "text", 2), grown, answer("h", "next", 3)]
    assert check_growth(ADAPTER, tmp_path / made.NAME, made.encode(rows)) == 0


@pytest.mark.parametrize(
    "row",
    [
        answer("g", "changed", 2),
        user("u", "changed", 1),
        {"$rewindTo": "u"},
        {"$rewindTo": "g"},
        {"$set": {"messages": [user("s", "<state_snapshot>x</state_snapshot>", 3)]}},
    ],
)
def test_what_changes_earlier_messages_causes_a_whole_reading(tmp_path: Path, row: Any) -> None:
    path = tmp_path / made.NAME
    rows: list[Any] = [header(), user("u", "asked", 1), answer("g", "said", 2)]
    path.write_bytes(made.encode(rows))
    first = read(ADAPTER, path)
    path.write_bytes(made.encode([*rows, row]))
    again = read(ADAPTER, path, first.checkpoint)
    assert not again.resumed
    assert again.messages == read(ADAPTER, path).messages


@pytest.mark.parametrize(
    "row", [{"$set": {"summary": "T"}}, {"$rewindTo": "unknown"}, answer("g", "said", 2), user("v", "more", 3)]
)
def test_what_changes_nothing_earlier_is_continued(tmp_path: Path, row: Any) -> None:
    path = tmp_path / made.NAME
    rows: list[Any] = [header(), user("u", "asked", 1), answer("g", "said", 2)]
    path.write_bytes(made.encode(rows))
    first = read(ADAPTER, path)
    path.write_bytes(made.encode([*rows, row]))
    again = read(ADAPTER, path, first.checkpoint)
    assert again.resumed
    assert said(again) == ([("user", "more")] if row.get("id") == "v" else [])
    assert again.session == read(ADAPTER, path).session


def test_foreign_checkpoints_and_rewritten_files_are_read_whole(tmp_path: Path) -> None:
    path = tmp_path / made.NAME
    path.write_bytes(made.encode(made.talk()))
    checkpoint = read(ADAPTER, path).checkpoint
    assert checkpoint is not None
    foreign = msgspec.structs.replace(checkpoint, state=b"\xc1")
    assert (read(ADAPTER, path, foreign).resumed, len(read(ADAPTER, path, foreign).messages)) == (False, 8)
    path.write_bytes(path.read_bytes().replace(b"water them", b"prune them"))
    again = read(ADAPTER, path, checkpoint)
    assert (again.resumed, len(again.messages)) == (False, 8)


IDS = st.sampled_from(["a", "b", "c", "d"])
ROWS = st.one_of(
    st.builds(lambda name, text: user(name, text, 5), IDS, st.sampled_from(["one", "two", "/x", ""])),
    st.builds(lambda name, text: answer(name, text, 6), IDS, st.sampled_from(["three", "four"])),
    st.builds(
        lambda name, call, out: answer(name, "three", 6, toolCalls=[made.call(call, "t", {"command": "ls"}, out)]),
        IDS,
        st.sampled_from(["k", "l"]),
        st.sampled_from([None, "out"]),
    ),
    st.builds(lambda name, call: user(name, [made.response(call, "t", "out")], 7), IDS, st.sampled_from(["k", "l"])),
    st.builds(lambda name: {"$rewindTo": name}, IDS),
    st.builds(lambda name, other: {"$set": {"messages": [user(name, "one", 5), answer(other, "three", 6)]}}, IDS, IDS),
    st.just({"$set": {"summary": "S"}}),
    st.just({"id": "w", "type": "info", "content": "INJECTED"}),
)


@settings(max_examples=200)
@given(rows=st.lists(ROWS, min_size=1, max_size=12))
def test_appending_equals_reading_whole(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    check_growth(ADAPTER, tmp_path_factory.getbasetemp() / made.NAME, made.encode([header(), *rows]))


# --- whatever the bytes are -------------------------------------------------------------------------------------------------
CHANGES = st.lists(st.tuples(st.integers(0, 1 << 16), st.binary(max_size=12), st.integers(0, 40)), max_size=6)
DOCUMENT = json.dumps(
    {"sessionId": "s", "messages": [row for row in made.talk() if isinstance(row, dict) and "id" in row]}
).encode()


@given(data=st.binary(max_size=300), suffix=st.sampled_from([".jsonl", ".json"]))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes, suffix: str) -> None:
    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / f"session-fuzz{suffix}", data)


@given(changes=CHANGES, whole=st.booleans())
def test_damaged_files(tmp_path_factory: pytest.TempPathFactory, changes: list[Any], whole: bool) -> None:
    data = DOCUMENT if whole else made.encode(made.talk())
    path = tmp_path_factory.getbasetemp() / f"session-fuzz.{'json' if whole else 'jsonl'}"
    check_harmless(ADAPTER, path, made.mutated(data, changes))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "functionCall", "functionResponse", "response", "id", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
FIELDS = ["id", "type", "timestamp", "content", "thoughts", "toolCalls", "tokens", "args", "result", "messages", "$set", "kind"]


@given(field=st.sampled_from(FIELDS), value=JSON)
def test_any_shape_of_the_fields_that_are_used(tmp_path_factory: pytest.TempPathFactory, field: str, value: Any) -> None:
    def replaced(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: value if key == field else replaced(inner) for key, inner in node.items()}
        return [replaced(inner) for inner in node] if isinstance(node, list) else node

    rows = [replaced(row) if number % 2 else row for number, row in enumerate(made.talk())]
    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / "session-fuzz.jsonl", made.encode(rows))


def test_long_lines_and_deep_nesting(tmp_path: Path) -> None:
    path = tmp_path / made.NAME
    deep = b'{"id":"d","type":"user","content":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    deeper = (
        b'{"id":"e","type":"gemini","toolCalls":[{"id":"k","name":"t","args":{"a":'
        + b'{"a":' * 5000
        + b"1"
        + b"}" * 5003
        + b"]}"
    )
    long = json.dumps(user("l", "x" * (24 << 20), 1)).encode()
    path.write_bytes(made.encode([header(), long, deep, deeper, user("u", "after", 2)]))
    reading = read(ADAPTER, path, limits=Limits(reasoning=True))
    assert said(reading)[-1] == ("user", "after")
    assert reading.problems[0].kind == "oversize_line"
