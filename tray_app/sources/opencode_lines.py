"""What stands in the messages and parts of OpenCode, and of the programs that keep its shape.

Owns the typed shapes (only the fields that are used) and the pure functions that make text out of them. Knows nothing of
files, tables or earlier messages.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.sources.base import Usage
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.json_values import count_of, decoded, disjoint, plain, text_of


class Times(msgspec.Struct):
    created: Any = None
    updated: Any = None
    completed: Any = None
    start: Any = None
    archived: Any = None


class Semantics(msgspec.Struct, rename="camel"):
    """Who made a message, and who is to see it (ZCode)."""

    kind: Any = None
    origin: Any = None
    ui_visibility: Any = None
    transcript_visibility: Any = None


class MessageData(msgspec.Struct):
    """A message without its parts. Fields that may be of any shape stay raw."""

    id: Any = None
    role: Any = None
    model_id: Any = msgspec.field(default=None, name="modelID")
    model: msgspec.Raw = msgspec.Raw()
    summary: msgspec.Raw = msgspec.Raw()
    tokens: msgspec.Raw = msgspec.Raw()
    time: msgspec.Raw = msgspec.Raw()
    semantics: msgspec.Raw = msgspec.Raw()
    synthetic: Any = None
    visibility: Any = None


class ModelName(msgspec.Struct):
    model_id: Any = msgspec.field(default=None, name="modelID")
    id: Any = None


class Cache(msgspec.Struct):
    read: Any = None
    write: Any = None


class Tokens(msgspec.Struct):
    input: Any = None
    output: Any = None
    reasoning: Any = None
    total: Any = None
    cache: Cache | None = None


class ToolState(msgspec.Struct):
    status: Any = None
    input: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()
    time: msgspec.Raw = msgspec.Raw()


class Part(msgspec.Struct):
    """A part of a message, of any kind."""

    id: Any = None
    message_id: Any = msgspec.field(default=None, name="messageID")
    type: Any = None
    text: Any = None
    thinking: Any = None
    synthetic: Any = None
    ignored: Any = None
    tool: Any = None
    name: Any = None
    call_id: Any = msgspec.field(default=None, name="callID")
    tool_call_id: Any = msgspec.field(default=None, name="toolCallId")
    tool_use_id: Any = None
    state: msgspec.Raw = msgspec.Raw()
    input: msgspec.Raw = msgspec.Raw()
    content: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()
    mime: Any = None
    prompt: Any = None
    time: msgspec.Raw = msgspec.Raw()


class SessionData(msgspec.Struct):
    """A session's file in the older layout."""

    id: Any = None
    parent_id: Any = msgspec.field(default=None, name="parentID")
    directory: Any = None
    title: Any = None
    version: Any = None
    time: msgspec.Raw = msgspec.Raw()


MESSAGE = msgspec.json.Decoder(MessageData)
PART = msgspec.json.Decoder(Part)
SESSION = msgspec.json.Decoder(SessionData)
TIMES = msgspec.json.Decoder(Times)
SEMANTICS = msgspec.json.Decoder(Semantics)
STATE = msgspec.json.Decoder(ToolState)
_MODEL = msgspec.json.Decoder(ModelName)
_TOKENS = msgspec.json.Decoder(Tokens)

SILENT_PARTS = frozenset(
    {
        *("step-start", "step-finish", "snapshot", "patch", "agent", "compaction", "retry", "file", "image"),
        *("checkpoint", "timeline", "model-change", "todo", "goal"),
    }
)
"""Kinds of parts that are known and hold nothing said."""

_MADE_TITLE = re.compile(r"(?:New|Child) session - \d{4}-")
_SINGLE_QUOTE_INSIDE = re.compile(r'(?<!\\)"')


def time_of(raw: msgspec.Raw, field: str) -> int:
    """One of the moments in a `time` object, epoch milliseconds; 0 if it is missing."""
    times = decoded(raw, TIMES)
    return milliseconds(getattr(times, field)) if times is not None else 0


def unquoted(text: str) -> str:
    """A prompt that `opencode run` put in quotes because it has a blank, without them. It quotes each argument by itself."""
    inner = text[1:-1]
    if len(text) < 3 or text[0] != '"' or text[-1] != '"' or " " not in inner or _SINGLE_QUOTE_INSIDE.search(inner):
        return text
    return inner.replace('\\"', '"')


def model_of(message: MessageData) -> str:
    """The model's name, in whichever place the version keeps it."""
    named = text_of(message.model_id)
    if named:
        return named
    model = decoded(message.model, _MODEL)
    return text_of(model.model_id) or text_of(model.id) if model is not None else ""


def named_model(text: str) -> str:
    """The model of a session's row: a name, or a JSON object with one."""
    if not text.startswith("{"):
        return text
    model = decoded(text.encode("utf-8", "replace"), _MODEL)
    return text_of(model.id) or text_of(model.model_id) if model is not None else ""


def usage_of(key: str, message: MessageData, time: int) -> Usage | None:
    """Tokens of the model call that made this message."""
    tokens = decoded(message.tokens, _TOKENS)
    if tokens is None:
        return None
    cache = tokens.cache or Cache()
    counts = disjoint(
        count_of(tokens.input),
        count_of(tokens.output),
        count_of(cache.read),
        count_of(cache.write),
        count_of(tokens.total),
        count_of(tokens.reasoning),
    )
    return Usage(key, time, model_of(message), *counts)


def is_made_title(title: str) -> bool:
    """Whether the program made a title up before the model gave one."""
    return _MADE_TITLE.match(title) is not None


def tool_error(state: ToolState) -> str:
    return plain(state.error) if bytes(state.error) else ""
