"""Readable text out of raw values: parts, arguments, answers, tokens, and what surrounds the person's words."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.sources import gemini_words as words
from tray_app.sources.base import Limits, Usage


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(value if isinstance(value, bytes) else json.dumps(value).encode())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"command": "ls", "description": "list"}, ("ls\nlist", ())),
        ({"limit": 3, "file_path": "a.py"}, ("a.py\nlimit: 3", ("a.py",))),
        ({"path": "a", "file_path": "a", "absolute_path": "b"}, ("a\nb\na", ("a", "b"))),
        ('{"path": "a.py"}', ("a.py", ("a.py",))),
        ("{ not json", ("{ not json", ())),
        ("free text", ("free text", ())),
        ({"a": None, "b": "", "c": [1, {"d": 2}], "e": True}, ('c: [1, {"d": 2}]\ne: true', ())),
        ([1, 2], ("", ())),
        (5, ("", ())),
        (b"", ("", ())),
        (b'{"command": "\\ud800 x"}', ("\ufffd x", ())),
    ],
)
def test_call_words(arguments: Any, expected: tuple[str, tuple[str, ...]]) -> None:
    assert words.call_words(raw(arguments)) == expected


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ({"output": "out"}, "out"),
        ({"error": "bad", "output": "some"}, "some\nbad"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}]}, "a\n[image]"),
        ({"result": {"output": "inner"}}, "inner"),
        ({"rows": [1, 2], "x": "y"}, "rows: [1, 2]\nx: y"),
        ("plain", "plain"),
        ([{"text": "a"}, "b", 5, None], "a\nb"),
        ({}, ""),
        (None, ""),
        (b"", ""),
    ],
)
def test_answer_words(response: Any, text: str) -> None:
    assert words.answer_words(raw(response)) == text


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"input": 10, "output": 5, "cached": 4, "thoughts": 2, "tool": 1, "total": 18}, (7, 7, 4)),
        ({"input": 10, "output": 5, "thoughts": 2, "total": 15}, (10, 5, -1)),
        ({"input": 10, "output": 5, "thoughts": 2}, (10, 7, -1)),
        ({"promptTokenCount": 10, "candidatesTokenCount": 5, "cachedContentTokenCount": 20}, (0, 5, 20)),
        ({"output": 5}, (-1, 5, -1)),
        ({"input": -9, "output": 5}, (-1, 5, -1)),
    ],
)
def test_tokens_are_disjoint(counts: Any, expected: tuple[int, int, int]) -> None:
    sent, answered, cached = expected
    usage = Usage(key="k", time=1, model="m", input=sent, output=answered, cache_read=cached)
    assert words.usage_of(raw(counts), "k", 1, "m") == usage


@pytest.mark.parametrize("counts", [{}, {"total": 5}, None, [], {"input": "x"}, b""])
def test_no_tokens(counts: Any) -> None:
    assert words.usage_of(raw(counts), "k", 1, "m") is None


FILES, END = "--- Content from referenced files ---", "--- End of content ---"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  as it is ", "  as it is "),
        (f"see @a\n{FILES}\nbody\n{END}", "see @a"),
        (f"see @a\n{FILES}\nbody\n{END}\nand more", "see @a\nand more"),
        (f"see @a {FILES} body", "see @a"),
        (f"{FILES}a{END}one{FILES}b{END}", "one"),
    ],
)
def test_without_files(text: str, expected: str) -> None:
    assert words.without_files(text).strip("\n") == expected


def test_without_blocks() -> None:
    assert words.without_blocks("<a>x</a> mine <b>y</b><b>open", ("a", "b")) == " mine <b>open"
    assert words.without_blocks("</a><a>", ("a",)) == "</a><a>"


@pytest.mark.parametrize(
    ("text", "command", "bare"),
    [
        ("/help", True, True),
        ("/chat save x", True, False),
        ("?", False, False),
        ("/home/kim is full", False, False),
        ("/", False, False),
        ("no", False, False),
    ],
)
def test_commands(text: str, command: bool, bare: bool) -> None:
    assert (words.is_command(text), words.is_bare_command(text)) == (command, bare)


def test_placeholders_and_titles() -> None:
    assert words.media("image/svg+xml", 4096) == "[image svg 3 KB]"
    assert words.media("application/pdf", 4 << 20) == "[document pdf 3 MB]"
    assert words.media("", 0) == "[document 1 KB]"
    assert words.one_line("a  b\n" + "c" * 100) == "a b " + "c" * 75 + "…"
    assert words.lasting("0a1b2c3d", 5) == "0a1b2c3d:5"
    assert words.lasting("0a1b2c3d", 0) == "0a1b2c3d"


def test_arguments_of_chats() -> None:
    chats = Limits(bridges=("send:*slack*send*",))
    assert words.raw_arguments(raw({"text": "hi"}), "slack_send", chats) == '{"text": "hi"}'
    assert words.raw_arguments(raw('{"text": "hi"}'), "slack_send", chats) == '{"text": "hi"}'
    assert words.raw_arguments(raw({"text": "hi"}), "ls", chats) == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "output", "content", "functionCall", "inlineData", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_value(value: Any) -> None:
    given_value = raw(value)
    texts = [words.call_words(given_value)[0], words.answer_words(given_value), words.plain(words.parts_of(given_value))]
    for text in texts:
        text.encode()
    words.usage_of(given_value, "k", 0, "")
