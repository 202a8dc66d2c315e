"""Lines and messages: any bytes in any pieces, what is a message to a patient reader, and whose number a bad one carries."""

from __future__ import annotations

import json

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.mcp_server import lines
from tray_app.mcp_server.lines import Unreadable, frame_of, understood, whole_lines

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    pieces = []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    return [piece for piece in (*pieces, data) if piece]


def lines_of(pieces: list[bytes]) -> list[bytes]:
    coming = iter(pieces)
    return list(whole_lines(lambda: next(coming, b"")))


@given(st.lists(st.binary(max_size=20)), st.lists(st.integers(1, 9)))
def test_lines_come_whole_however_they_are_cut(given: list[bytes], sizes: list[int]) -> None:
    data = b"\n".join(given)
    assert lines_of(cut(data, sizes)) == [line for line in data.split(b"\n") if line.strip()]


def test_of_a_line_that_is_too_long_both_ends_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_BYTES", 3_000)
    long = b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"' + b"y" * 50_000 + b'"}}'
    kept, next_line = lines_of(cut(long + b"\n{}\n", [100] * 600))
    assert len(kept) <= 3_100
    assert kept.startswith(long[: lines.ENDS_BYTES] + b"\n")
    assert kept.endswith(long[-lines.ENDS_BYTES :])
    assert understood(kept) == Unreadable("it is too long", 7)
    assert next_line == b"{}"


@given(st.binary())
def test_any_line_is_a_message_or_says_why_not(line: bytes) -> None:
    assert isinstance(understood(line.replace(b"\n", b"")), Unreadable)


@given(VALUES)
def test_any_value_can_be_an_argument(value: object) -> None:
    """Halves of characters too; whole numbers that no agent can mean are refused under their number."""
    line = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "x", "params": {"value": value}}).encode()
    message = understood(line)
    assert isinstance(message, types.JSONRPCRequest)
    assert message.id == 5
    again = understood(frame_of(message).rstrip(b"\n"))
    assert frame_of(again) == frame_of(message)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b'{"jsonrpc":"2.0","id":12,"method":"x","params":[', 12),
        (b' { "jsonrpc" : "2.0" , "id" : "a-1" , "method":"x"', "a-1"),
        (b'{"id":3,"jsonrpc":"2.0","method":"x","params":{', 3),
        (b'{"method":"x","params":{"id":9,"t":"\x01"},"jsonrpc":"2.0","id":4}', 4),
        (b'{"method":"x","params":{"t":"\x01","id":9}}', None),
        (b'{"method":"x","params":{"t":"\x01","id":9},"jsonrpc":"2.0"}', None),
        (b'{"jsonrpc":"2.0","method":"x","params":{"id":9,"t":', None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"x","params":[', None),
        (b'{"jsonrpc":"2.0","id":true,"method":7}', None),
    ],
)
def test_only_the_number_of_the_request_itself_is_answered(line: bytes, number: int | str | None) -> None:
    found = understood(line)
    assert isinstance(found, Unreadable)
    assert found.number == number


def test_names_that_are_no_text_can_be_told() -> None:
    reply = types.JSONRPCResponse(jsonrpc="2.0", id=1, result={"cwd": "/home/\udcff", "title": "潮汐"})
    assert json.loads(frame_of(reply)) == {"jsonrpc": "2.0", "id": 1, "result": {"cwd": "/home/\ufffd", "title": "潮汐"}}
