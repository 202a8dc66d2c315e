"""JSON as people write it (comments, trailing commas), with the place of everything in the text, so that one member can be put
in or taken out while all other characters stay.

Owns reading and the smallest edits. Knows no file and no agent. What is read is what RFC 8259 says, with `//` and `/* */`
comments and a comma after the last item; anything else is an error with its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 200

_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
    r"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null"
)
_SPACE = " \t\r\n"
_BLANKS = re.compile(r"[ \t\r\n]+")


def _refuse(name: str) -> Any:
    raise ValueError(name)


_PLAIN = json.JSONDecoder(parse_constant=_refuse)  # NaN and the infinities are no JSON


class Broken(ValueError):
    """The text is not JSON; the message says where, `line` too, from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line


@dataclass(slots=True)
class Node:
    """A value from `start` to `end`. `last` is the end of the last comma, comment or item before the closing bracket. One that
    is `whole` was not taken apart: it has no items."""

    kind: str
    """object | array | scalar"""
    start: int
    end: int = 0
    items: list[Item] = field(default_factory=list)
    last: int = 0
    whole: bool = False


@dataclass(slots=True)
class Item:
    """A member of an object, or an item of an array (`key` ''). `lead` is the end of what stands before it (bracket, comma,
    comment), `in_line_comment` says that this is a `//` comment; `comma` is the place of the comma behind it, -1 for none."""

    key: str
    lead: int
    in_line_comment: bool
    start: int
    value: Node
    comma: int = -1


class Reading:
    """A text and what is in it. `root` is None for a text of nothing but blanks and comments. With `inside`, only those members
    of an object at the root are taken apart: some agents keep megabytes of other things in their configs."""

    def __init__(self, text: str, inside: Container[str] | None = None) -> None:
        self.text = text
        self._inside = inside
        self._at = 0
        self._lead, self._in_line_comment = 0, False
        self._skip()
        self.root: Node | None = None if self._at == len(text) else self._value(0)
        if self.root is not None:
            self._skip()
            if self._at != len(text):
                raise self._fault("something follows the end")

    # --- asking ------------------------------------------------------------------------------------------------------------
    def value(self, node: Node | None) -> Any:
        """As Python has it; of a key that stands twice the last counts."""
        if node is None:
            return None
        if node.kind == "object" and not node.whole:
            return {item.key: self.value(item.value) for item in node.items}
        if node.kind == "array" and not node.whole:
            return [self.value(item.value) for item in node.items]
        shown = self.text[node.start : node.end]
        try:
            return json.loads(shown)
        except ValueError:  # a number of thousands of digits
            return shown

    def at(self, path: tuple[str, ...]) -> Node | None:
        """The node that a path of keys leads to."""
        node = self.root
        for key in path:
            node = None if node is None else member(node, key)
        return node

    # --- reading -----------------------------------------------------------------------------------------------------------
    def _value(self, depth: int) -> Node:
        text = self.text
        opening = text[self._at : self._at + 1]
        if opening not in ("{", "["):
            match = _SCALAR.match(text, self._at)
            if match is None:
                raise self._fault("no value is read there")
            node = Node("scalar", self._at, match.end())
            self._at = match.end()
            return node
        if depth >= DEEPEST:
            raise self._fault("it is nested too deeply")
        node = Node("object" if opening == "{" else "array", self._at)
        self._at += 1
        closing = "}" if opening == "{" else "]"
        self._begin_gap()
        self._skip()
        while text[self._at : self._at + 1] != closing:
            if node.items and node.items[-1].comma < 0:
                raise self._fault(f"a comma or {closing} is missing")
            node.items.append(self._item(node.kind, depth))
            self._begin_gap()
            self._skip()
            if text[self._at : self._at + 1] == ",":
                node.items[-1].comma = self._at
                self._at += 1
                self._begin_gap()
                self._skip()
        node.last = self._lead
        self._at += 1
        node.end = self._at
        return node

    def _item(self, kind: str, depth: int) -> Item:
        lead, in_line_comment, start, key = self._lead, self._in_line_comment, self._at, ""
        if kind == "object":
            match = _SCALAR.match(self.text, start)
            if match is None or self.text[start] != '"':
                raise self._fault("a name in quotes is missing")
            key = json.loads(match[0])
            self._at = match.end()
            self._skip()
            if self.text[self._at : self._at + 1] != ":":
                raise self._fault("a colon is missing")
            self._at += 1
            self._skip()
        whole = self._whole() if depth == 0 and self._inside is not None and key not in self._inside else None
        return Item(key, lead, in_line_comment, start, whole or self._value(depth + 1))

    def _whole(self) -> Node | None:
        """An object or array in one go; None where it is none, or not of the plain kind that the library reads."""
        start = self._at
        kind = {"{": "object", "[": "array"}.get(self.text[start : start + 1])
        if kind is None:
            return None
        try:
            _, end = _PLAIN.raw_decode(self.text, start)
        except (ValueError, RecursionError):
            return None
        self._at = end
        return Node(kind, start, end, whole=True)

    def _begin_gap(self) -> None:
        self._lead, self._in_line_comment = self._at, False

    def _skip(self) -> None:
        """Over blanks and comments."""
        text = self.text
        while self._at < len(text):
            if text[self._at] in _SPACE:
                match = _BLANKS.match(text, self._at)
                assert match is not None
                self._at = match.end()
                continue
            if text[self._at] != "/":
                return
            if text.startswith("//", self._at):
                ends = [end for mark in "\r\n" if (end := text.find(mark, self._at)) >= 0]
                self._at = min(ends, default=len(text))
                self._lead, self._in_line_comment = self._at, True
            elif text.startswith("/*", self._at):
                end = text.find("*/", self._at + 2)
                if end < 0:
                    raise self._fault("a comment does not end")
                self._at = end + 2
                self._lead, self._in_line_comment = self._at, False
            else:
                return

    def _fault(self, what: str) -> Broken:
        return Broken(line_number(self.text, self._at), what)


def member(node: Node, key: str) -> Node | None:
    return next((item.value for item in reversed(node.items) if node.kind == "object" and item.key == key), None)


def line_number(text: str, at: int) -> int:
    return len(re.findall(r"\r\n|\r|\n", text[:at])) + 1


# --- edits ---------------------------------------------------------------------------------------------------------------------
Edit = tuple[int, int, str]
"""From, to, and what stands there instead."""


def edited(text: str, edits: list[Edit]) -> str:
    """The text with edits that do not overlap; of several at one place the first comes first."""
    parts, at = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[0]):
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def added(reading: Reading, node: Node, key: str, value: Any) -> str:
    """The text with one more item at the end of an object, or of an array (`key` '')."""
    text = reading.text
    if not _is_open(reading, node):
        shown = _shown(key, value, None, "", "\n")
        blank = " " if node.items or node.last > node.start + 1 else ""
        tail, closing = "", ""
    else:
        newline, unit = style(reading)
        around = _indent_of_line(text, node.start)
        indent = _indent_before(text, node.items[0]) if node.items else None
        if indent is None:
            indent = around + unit
        shown = _shown(key, value, unit, indent, newline)
        blank = newline + indent
        tail = text[node.last : node.end - 1]
        closing = "" if "\n" in tail or "\r" in tail else newline + around
    if not node.items:
        if node.last == node.start + 1:  # nothing in it but blanks
            return edited(text, [(node.start + 1, node.end - 1, blank + shown + (closing or tail))])
        return edited(text, [(node.last, node.last, blank + shown + closing)])
    before = node.items[-1]
    if before.comma >= 0:
        return edited(text, [(node.last, node.last, blank + shown + ",")])
    return edited(text, [(before.value.end, before.value.end, ","), (node.last, node.last, blank + shown)])


def removed(reading: Reading, node: Node, item: Item) -> str:
    """The text without an item; comments around it stay."""
    text = reading.text
    start, end = item.lead, item.value.end
    edits: list[Edit] = []
    index = next(number for number, one in enumerate(node.items) if one is item)
    if item.comma >= 0:
        between = text[end : item.comma]
        if between.strip(_SPACE):
            edits.append((item.comma, item.comma + 1, ""))
        else:
            end = item.comma + 1
    elif index:
        comma = node.items[index - 1].comma
        if comma + 1 == start:
            start = comma
        else:
            edits.append((comma, comma + 1, ""))
    if item.in_line_comment and text[end : end + 1] not in ("\r", "\n"):
        start += 2 if text.startswith("\r\n", start) else 1
    return edited(text, [*edits, (start, end, "")])


def replaced(reading: Reading, node: Node, value: Any) -> str:
    """The text with another value in the place of one; written as the one before was, in one line or in several."""
    old = reading.text[node.start : node.end]
    newline, unit = style(reading)
    several = "\n" in old or "\r" in old
    shown = _shown("", value, unit if several else None, _indent_of_line(reading.text, node.start), newline)
    return edited(reading.text, [(node.start, node.end, shown)])


def style(reading: Reading) -> tuple[str, str]:
    """How lines end, and by what a level is indented."""
    text = reading.text
    first = re.search(r"\r\n|\r|\n", text)
    newline = first[0] if first else "\n"
    root = reading.root
    indent = _indent_before(text, root.items[0]) if root is not None and root.items else None
    return newline, indent or "  "


def _is_open(reading: Reading, node: Node) -> bool:
    """Whether it is written over several lines; an empty one: whether the text is, or it is all there is."""
    text = reading.text
    if not node.items:
        return node is reading.root or bool(re.search(r"[\r\n]", text.strip(_SPACE)))
    first, last = text[node.items[0].lead : node.items[0].start], text[node.items[-1].value.end : node.end]
    return bool(re.search(r"[\r\n]", first + last))


def _indent_before(text: str, item: Item) -> str | None:
    """What an item that begins a line is indented by; None for one that does not."""
    match = re.search(r"[\r\n]([ \t]*)\Z", text[item.lead : item.start])
    return match[1] if match else None


def _indent_of_line(text: str, at: int) -> str:
    line = re.split(r"[\r\n]", text[:at])[-1]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _shown(key: str, value: Any, unit: str | None, indent: str, newline: str) -> str:
    dumped = json.dumps(value, ensure_ascii=False, indent=unit)
    if unit is not None:
        dumped = dumped.replace("\n", newline + indent)
    return f"{json.dumps(key, ensure_ascii=False)}: {dumped}" if key else dumped
