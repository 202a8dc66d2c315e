"""JSON of any shape: what is asked for, or nothing; never an exception."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.sources.json_values import arguments, count_of, decoded, disjoint, output, plain, text_of

NUMBERS = msgspec.json.Decoder(list[int])


def raw(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def test_decoded() -> None:
    assert decoded(b"[1, 2]", NUMBERS) == [1, 2]
    assert decoded(msgspec.Raw(b"[1]"), NUMBERS) == [1]
    assert [decoded(data, NUMBERS) for data in (b"", b"{}", b"[1", b"\xff", b"[" * 5000)] == [None] * 5
    words = msgspec.json.Decoder(str)
    assert decoded(b'"a\xff\\ud83d"', words) == "a\ufffd\ufffd"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"description": "List", "command": "ls", "timeout": 5}, ("ls\nList\ntimeout: 5", ())),
        ({"filePath": "/a", "path": "/b", "content": "plums"}, ("/a\n/b\ncontent: plums", ("/a", "/b"))),
        ('{"path": "/a"}', ("/a", ("/a",))),
        ("plain words", ("plain words", ())),
        ({"empty": "", "none": None, "list": [1, {"a": 2}]}, ('list: [1, {"a": 2}]', ())),
        ([1], ("", ())),
        (None, ("", ())),
    ],
)
def test_arguments(value: Any, expected: tuple[str, tuple[str, ...]]) -> None:
    assert arguments(raw(value)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plums", "plums"),
        ([{"type": "text", "text": "a"}, "b", {"type": "image"}], "a\nb\n[image]"),
        ({"type": "text", "value": "a"}, "a"),
        ({"text": "a"}, "a"),
        ({"lines": 3}, '{"lines": 3}'),
        ([1, 2], "[1, 2]"),
        ([], ""),
        (None, ""),
        (7, "7"),
    ],
)
def test_output(value: Any, expected: str) -> None:
    assert output(raw(value)) == expected


def test_fields() -> None:
    assert [text_of(value) for value in ("a", 1, None)] == ["a", "", ""]
    assert [count_of(value) for value in (3, 0, -1, True, "3", 1 << 60, None)] == [3, 0, -1, -1, -1, -1, -1]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((400, 12, 4096, 0, 4508, -1), (400, 12, 4096, 0)),  # the total says: input is what missed the cache
        ((400, 12, 100, 0, 412, -1), (300, 12, 100, 0)),  # the total says: input includes it
        ((400, 12, 100, 0, -1, -1), (300, 12, 100, 0)),
        ((100, 12, 400, 0, -1, -1), (100, 12, 400, 0)),
        ((147, 30, 7, 0, 194, 10), (147, 40, 7, 0)),  # the total says: reasoning is not in the output
        ((147, 30, 7, 0, 184, 10), (147, 30, 7, 0)),
        ((-1, 30, 7, -1, -1, -1), (-1, 30, 7, -1)),
        ((5, -1, -1, -1, 5, -1), (5, -1, -1, -1)),
    ],
)
def test_disjoint(counts: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert disjoint(*counts) == expected


@given(data=st.binary(max_size=60) | st.text('[]{}":, \\ud8ntf1', max_size=40).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    for made in (arguments(data)[0], output(data), plain(data)):
        made.encode()
