"""JSON with comments: what is read, and edits that leave everything else as it was."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.agents.install import jsonc
from tray_app.agents.install.jsonc import Broken, Reading


def value_of(text: str) -> Any:
    reading = Reading(text)
    return reading.value(reading.root)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        (" // nothing\n", None),
        ("{}", {}),
        ('{"a": 1, // one\n "b": [1, 2,], /* c */ }', {"a": 1, "b": [1, 2]}),
        ('{"a": "// no comment", "b": "\\" /* nor this */"}', {"a": "// no comment", "b": '" /* nor this */'}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('\r\n{"\\u00e9": [true, false, null, -1.5e3, {}]}\r\n', {"é": [True, False, None, -1500.0, {}]}),
        ("[]", []),
        ('{"a": {"b": [1]}, "in": {"c": {}}, "d": [/* x */ 2,]}', {"a": {"b": [1]}, "in": {"c": {}}, "d": [2]}),
        ('{"a": [1, {"b": "\\ud800"}]}', {"a": [1, {"b": "\ud800"}]}),
    ],
)
def test_reading(text: str, value: Any) -> None:
    assert value_of(text) == value
    skimmed = Reading(text, ("in",))
    assert skimmed.value(skimmed.root) == value


def test_a_number_of_any_length_is_kept() -> None:
    for text in ('{"a": 1' + "0" * 5_000 + "}", '{"a": [1' + "0" * 5_000 + "]}"):
        for reading in (Reading(text), Reading(text, ())):
            assert reading.root is not None
            after = jsonc.added(reading, reading.root, "b", 1)
            assert after == text[:-1] + ', "b": 1}' and list(reading.value(reading.root)) == ["a"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", 1),
        ('{"a": 1\n "b": 2}', 2),
        ("{a: 1}", 1),
        ("{'a': 1}", 1),
        ('{"a" 1}', 1),
        ('{"a": 01}', 1),
        ('{"a": 1}\n\nx', 3),
        ("{ /* never ends", 1),
        ('{"a": "tab\tin it"}', 1),
        ("{,}", 1),
        ("[1,,2]", 1),
        ("[NaN]", 1),
        ('{"a": [NaN]}', 1),
        ('{"a": 1٣}', 1),
        ('{"a":\n{"b": [1,\n}}', 3),
        ("[" * 300, 1),
        ('{"a":\r\n\r\n}', 3),
    ],
)
def test_what_is_no_json_is_told_with_its_line(text: str, line: int) -> None:
    for inside in (None, ()):
        with pytest.raises(Broken, match=rf"^line {line}: ") as fault:
            Reading(text, inside)
        assert fault.value.line == line


# --- any text -----------------------------------------------------------------------------------------------------------------
blanks = st.sampled_from(["", " ", "\n", "\n    ", "\t", "\r\n  ", "\r ", " /* c, } */ ", " // } c\n  ", "\n  // d\n", "/**/"])
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)).map(json.dumps)


@st.composite
def documents(draw: st.DrawFn, depth: int = 3, *, must_be_object: bool = True) -> str:
    """An object or another value, with blanks and comments wherever they may stand."""
    if not must_be_object and (depth == 0 or draw(st.booleans())):
        return draw(scalars)
    is_object = must_be_object or draw(st.booleans())
    parts = []
    count = draw(st.integers(0, 3))
    for number in range(count):
        parts.append(draw(blanks))
        if is_object:
            parts += [json.dumps(draw(st.text(max_size=3)) + str(number)), draw(blanks), ":", draw(blanks)]
        parts += [draw(documents(depth - 1, must_be_object=False)), draw(blanks)]
        if number < count - 1 or draw(st.booleans()):
            parts.append(",")
    opening, closing = "{}" if is_object else "[]"
    return opening + "".join(parts) + draw(blanks) + closing


@given(blanks, documents(), blanks)
def test_an_item_is_put_in_and_taken_out_of_any_text(before: str, text: str, after: str) -> None:
    text = before + text + after
    old = value_of(text)
    reading = Reading(text)
    assert reading.root is not None
    with_ours = jsonc.added(reading, reading.root, "backscroll", {"command": "x", "args": ["a", "b"]})
    assert value_of(with_ours) == {**old, "backscroll": {"command": "x", "args": ["a", "b"]}}
    assert comments(with_ours) == comments(text)
    reading = Reading(with_ours)
    assert reading.root is not None
    without = jsonc.removed(reading, reading.root, reading.root.items[-1])
    assert value_of(without) == old
    if old:
        assert without == text


@given(blanks, documents(), st.sampled_from(["", "0", "1"]))
def test_what_is_not_taken_apart_reads_the_same(before: str, text: str, inside: str) -> None:
    whole, skimmed = Reading(before + text), Reading(before + text, (inside,))
    assert whole.root is not None and skimmed.root is not None
    assert skimmed.value(skimmed.root) == whole.value(whole.root)
    assert [(one.key, one.start, one.value.end, one.comma, one.lead) for one in skimmed.root.items] == [
        (one.key, one.start, one.value.end, one.comma, one.lead) for one in whole.root.items
    ]


@given(documents(), st.integers(0, 5))
def test_any_item_can_be_taken_out(text: str, which: int) -> None:
    reading = Reading(text)
    assert reading.root is not None
    old = reading.value(reading.root)
    if reading.root.items:
        item = reading.root.items[which % len(reading.root.items)]
        without = jsonc.removed(reading, reading.root, item)
        assert value_of(without) == {key: value for key, value in old.items() if key != item.key}
        assert len(comments(without)) == len(comments(text)) - len(comments(text[item.start : item.value.end]))


def comments(text: str) -> list[str]:
    strings_and_comments = re.findall(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', text, re.DOTALL)
    return [one for one in strings_and_comments if one[0] == "/"]


@given(st.text(alphabet='{}[]",:/*\n 1a\\t', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value_of(text)
    except Broken:
        return


# --- how it looks -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "k": {\n    "x": 1\n  }\n}\n'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": {\n\t\t"x": 1\n\t}\n}'),
        ('{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "k": {\r\n        "x": 1\r\n    }\r\n}'),
        ('{"a":1}', '{"a":1, "k": {"x": 1}}'),
        ("{}", '{\n  "k": {\n    "x": 1\n  }\n}'),
        ('{\n  "a": 1, // last\n}', '{\n  "a": 1, // last\n  "k": {\n    "x": 1\n  },\n}'),
        ('{\n  "a": 1 // last\n}', '{\n  "a": 1, // last\n  "k": {\n    "x": 1\n  }\n}'),
        ("{\n  // nothing yet\n}", '{\n  // nothing yet\n  "k": {\n    "x": 1\n  }\n}'),
    ],
)
def test_a_member_is_written_as_its_neighbours_are(text: str, after: str) -> None:
    reading = Reading(text)
    assert reading.root is not None
    assert jsonc.added(reading, reading.root, "k", {"x": 1}) == after


def test_a_value_is_exchanged_in_its_place() -> None:
    reading = Reading('{\n  "a": [1, 2], // two\n  "b": 3\n}')
    node = reading.at(("a",))
    assert node is not None
    assert jsonc.replaced(reading, node, ["x"]) == '{\n  "a": ["x"], // two\n  "b": 3\n}'
