"""What stands in a message of Cursor's, wherever it is kept: the person's words, the model's, tools and their output.

Owns the typed shapes (only the fields that are used) and the pure functions that make text out of them. Knows nothing of
files, databases or earlier messages.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.sources.json_values import arguments, decoded, output, text_of
from tray_app.sources.talk import Talk


class Block(msgspec.Struct):
    """A content block, in the spellings of two interfaces."""

    type: Any = None
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    tool_name: Any = msgspec.field(default=None, name="toolName")
    tool_call_id: Any = msgspec.field(default=None, name="toolCallId")
    tool_use_id: Any = None
    input: msgspec.Raw = msgspec.Raw()
    args: msgspec.Raw = msgspec.Raw()
    content: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()


class Said(msgspec.Struct):
    """A message: of a transcript's line, or a blob."""

    id: Any = None
    role: Any = None
    content: msgspec.Raw = msgspec.Raw()


class Row(msgspec.Struct):
    """A line of a transcript."""

    role: Any = None
    type: Any = None
    message: Said | None = None
    content: msgspec.Raw = msgspec.Raw()


ROW = msgspec.json.Decoder(Row)
SAID = msgspec.json.Decoder(Said)
_TEXT = msgspec.json.Decoder(str)
_BLOCKS = msgspec.json.Decoder(list[Block | str])

TEXTS = frozenset({"text", "input_text", "output_text"})
THOUGHTS = frozenset({"thinking", "reasoning"})
CALLS = frozenset({"tool_use", "tool_call", "tool-call"})
RESULTS = frozenset({"tool_result", "tool-result"})
SILENT = frozenset({"redacted-reasoning", "redacted_thinking", "image", "file", "source"})
REDACTED = "[REDACTED]"

_QUERY = re.compile(r"<user_query>(.*?)(?:</user_query>|\Z)", re.DOTALL)
_INJECTED = re.compile(r"\s*<([a-z]+(?:[_-][a-z]+)+|rules|timestamp)\b[^>]{0,500}>.*?</\1>", re.DOTALL)


def person_words(text: str) -> str:
    """The person's words in a user message: what stands in the query's marks, else what follows the injected blocks."""
    queries = _QUERY.findall(text)
    if queries:
        return "\n".join(query.strip() for query in queries).strip()
    at = 0
    while match := _INJECTED.match(text, at):
        at = match.end()
    return text[at:].strip()


def model_words(text: str) -> str:
    """The model's words, without the mark that stands for what the program took out."""
    return "\n".join(line for line in text.split("\n") if line.strip() != REDACTED).strip()


def blocks_of(raw: msgspec.Raw) -> list[Block]:
    """Content as blocks; a string is one block of text."""
    text = decoded(raw, _TEXT) if bytes(raw).startswith(b'"') else None
    if text is not None:
        return [Block(type="text", text=text)]
    return [Block(type="text", text=one) if isinstance(one, str) else one for one in decoded(raw, _BLOCKS) or []]


def tell(talk: Talk, role: str, content: msgspec.Raw, time: int, *, offset: int = 0) -> int:
    """Give the blocks of one message to the talk. Returns how many were of a kind that is not known."""
    unknown = 0
    said: list[str] = []
    spoken = "user" if role == "user" else "assistant"

    def speak() -> None:
        talk.say(spoken, "\n".join(words for words in said if words), time, offset=offset)
        said.clear()

    for block in blocks_of(content):
        kind = text_of(block.type)
        if kind in TEXTS:
            text = text_of(block.text)
            said.append(person_words(text) if role == "user" else model_words(text))
        elif kind in THOUGHTS:
            talk.think(text_of(block.thinking) or text_of(block.text), time, offset=offset)
        elif kind in CALLS:
            speak()
            given = block.input if bytes(block.input) else block.args
            words, files = arguments(given)
            name = text_of(block.name) or text_of(block.tool_name)
            call = text_of(block.id) or text_of(block.tool_call_id)
            talk.call(name, words, files, time, call=call, offset=offset, given=given)
        elif kind in RESULTS:
            found = next((output(raw) for raw in (block.content, block.result, block.output) if bytes(raw)), "")
            call = text_of(block.tool_use_id) or text_of(block.tool_call_id)
            talk.result(found, time, call=call, tool=text_of(block.name) or text_of(block.tool_name), offset=offset)
        elif kind not in SILENT:
            unknown += 1
    speak()
    return unknown
