"""The plain values of a workspace.yaml, and no more of YAML than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.sources.copilot_yaml import plain_values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("cwd: /home/kim\nbranch: main\n", {"cwd": "/home/kim", "branch": "main"}),
        ("\ufeffcwd: C:\\work\\a b\r\nid: 5\r\n", {"cwd": "C:\\work\\a b", "id": "5"}),
        ("name: it's # a comment\n", {"name": "it's"}),
        ("name: a#b: c\n", {"name": "a#b: c"}),
        ("name: 'it''s # no comment'  # one\n", {"name": "it's # no comment"}),
        ('name: "a \\"b\\" \\u6a58\\n\\U0001F34A\\x41\\q"\n', {"name": 'a "b" 橘\n🍊Aq'}),
        ('name: "\\ud83c\\udf4a \\ud83c"\n', {"name": "🍊 \ufffd"}),
        ('name: "never closed\n', {}),
        ("name: 'never closed\n", {}),
        ("summary: |-\n  one\n  two\nid: x\n", {"summary": "one\ntwo", "id": "x"}),
        ("summary: >\n  one\n  two\n\nid: x\n", {"summary": "one two", "id": "x"}),
        ("summary: one\n  two\n  three\n", {"summary": "one two three"}),
        ("summary:\n  one\n", {"summary": "one"}),
        ("list:\n  - a\n  - b\nmap:\n  a: b\nid: x\n", {"id": "x"}),
        ("flow: [a, b]\nother: {a: b}\nanchor: &a x\nnothing: null\ntilde: ~\n", {}),
        ("---\n# comment\n- x\n  y: z\nid: 1\nid: 2\n...\n", {"id": "2"}),
    ],
)
def test_values(text: str, values: dict[str, str]) -> None:
    assert plain_values(text) == values


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["a: ", "'", '"', "\\", "|", ">", "\n", "  ", "- ", "#", "x"])).map("".join)
)
def test_any_text(text: str) -> None:
    for value in plain_values(text).values():
        value.encode("utf-8", "surrogatepass")
