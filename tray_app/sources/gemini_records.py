"""What one record of Gemini CLI's says: its shape, and the messages that it becomes.

Owns what is injected and what a person said. Knows nothing of files, nor of the records before and after.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.sources import gemini_words as words
from tray_app.sources.base import Limits, Usage
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.gemini_words import text_of
from tray_app.sources.jsonl import head_and_tail
from tray_app.text.own_marks import gives_pack

MODEL_TYPES = frozenset({"gemini", "model", "assistant", "qwen"})
SILENT_TYPES = frozenset({"info", "warning", "error", "system"})
"""What the program told the person: nobody said it."""
SNAPSHOT = "<state_snapshot>"
INJECTED = (
    "<session_context>",
    "<hook_context>",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "This is the Gemini CLI. We are setting up the context for our chat",
    "This is the Qwen Code. We are setting up the context for our chat",
    "System: Please continue",
)
_CONTEXT = ("session_context", "hook_context")
ACKNOWLEDGED = frozenset({"Got it. Thanks for the additional context!", "Got it. Thanks for the context!"})
"""What the program lets the model say to an injected context: the model never said it."""
_WORKSPACE = re.compile(r"(?:working in the directory|Workspace Director(?:y|ies)):\*{0,2}\s*(?:-\s*)?([^\r\n]+)")


class ToolCall(msgspec.Struct, rename="camel"):
    id: Any = None
    name: Any = None
    display_name: Any = None
    args: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    result_display: msgspec.Raw = msgspec.Raw()
    timestamp: Any = None


class Thought(msgspec.Struct):
    subject: Any = None
    description: Any = None


class Record(msgspec.Struct, rename="camel"):
    """A message, a header or a patch. Fields typed Any are coerced where used: an odd one must not cost the words."""

    id: Any = None
    type: Any = None
    role: Any = None
    timestamp: Any = None
    ts: Any = None
    content: msgspec.Raw = msgspec.Raw()
    parts: msgspec.Raw = msgspec.Raw()
    display_content: msgspec.Raw = msgspec.Raw()
    thoughts: msgspec.Raw = msgspec.Raw()
    tool_calls: msgspec.Raw = msgspec.Raw()
    tokens: msgspec.Raw = msgspec.Raw()
    model: Any = None
    session_id: Any = None
    project_hash: Any = None
    start_time: Any = None
    last_updated: Any = None
    kind: Any = None
    directories: Any = None
    summary: Any = None
    messages: msgspec.Raw = msgspec.Raw()
    set: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="$set")
    rewind_to: Any = msgspec.field(default=None, name="$rewindTo")


RECORD = msgspec.json.Decoder(Record)
_TOOL_CALL = msgspec.json.Decoder(ToolCall)
_THOUGHT = msgspec.json.Decoder(Thought)


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A message to be, without its number. `call` is the tool call it answers or is, '' for words. A piece without a role is
    a call of one of our tools: it and what answers it are left out."""

    id: str
    role: str
    text: str
    time: int
    identity: str
    tool: str = ""
    files: tuple[str, ...] = ()
    call: str = ""
    arguments: str = ""


def kind_of(record: Record) -> str:
    """user | gemini | silent, '' for a kind that is not known."""
    kind = text_of(record.type) or text_of(record.role)
    if kind in MODEL_TYPES:
        return "gemini"
    return kind if kind == "user" else "silent" if kind in SILENT_TYPES else ""


def pieces_of(record: Record, name: str, limits: Limits, *, side: bool) -> list[Piece]:
    """The messages of a record, in order. `name` is its id; `side`: in a sub-agent's file, where the parent model is the
    one who asks."""
    time = milliseconds(record.timestamp) or milliseconds(record.ts)
    kind = kind_of(record)
    parts = words.parts_of(record.content) or words.parts_of(record.parts)
    if kind == "user":
        return _asked(record, parts, name, time, side) + _answers(parts, name, time, limits)
    if kind != "gemini":
        return []
    pieces = []
    if limits.reasoning:
        text = _thoughts(record.thoughts) or words.thoughts(parts)
        pieces.append(Piece(f"{name}:thinking", "reasoning", text, time, words.lasting(f"{name}:thinking", time)))
    text = words.plain(parts)
    if text not in ACKNOWLEDGED:
        pieces.append(Piece(name, "assistant", text, time, words.lasting(name, time)))
    for place, raw in enumerate(words.items_of(record.tool_calls)):
        call = words.inner(raw, _TOOL_CALL)
        if call is not None:
            pieces += _tool(call, text_of(call.id) or f"{name}:{place}", milliseconds(call.timestamp) or time, limits)
    if not bytes(record.tool_calls):
        for place, part in enumerate(parts):
            given = words.called(part)
            if given is not None:
                call = ToolCall(id=given.id, name=given.name, args=given.args)
                pieces += _tool(call, text_of(given.id) or f"{name}:{place}", time, limits)
    return [piece for piece in pieces if piece.text.strip() or not piece.role]


def usage_of(record: Record, name: str) -> Usage | None:
    """The tokens of a record's model call, made disjoint."""
    return words.usage_of(record.tokens, name, milliseconds(record.timestamp), text_of(record.model))


def workspace_in(record: Record) -> str:
    """The workspace that an injected context names, '' if the record is none."""
    if kind_of(record) != "user":
        return ""
    text = words.plain(words.parts_of(record.content))[:20_000]
    if not text.lstrip().startswith(INJECTED):
        return ""
    found = _WORKSPACE.search(text)
    named = found[1].strip().strip("`*") if found else ""
    return named if named.startswith(("/", "\\\\")) or named[1:3] in (":\\", ":/") else ""


def _asked(record: Record, parts: list[words.Part], name: str, time: int, side: bool) -> list[Piece]:
    shown = words.plain(words.parts_of(record.display_content))
    text = words.without_blocks(shown or words.without_files(words.plain(parts)), _CONTEXT).strip()
    if not text or text.startswith(INJECTED):
        return []
    if text.startswith(SNAPSHOT):
        return [Piece(name, "summary", text, time, words.lasting(name, time))]
    if words.is_bare_command(text) and not side:
        return []
    role = "note" if side or words.is_command(text) else "user"
    return [Piece(name, role, text, time, words.lasting(name, time))]


def _answers(parts: list[words.Part], name: str, time: int, limits: Limits) -> list[Piece]:
    """Tool results that came back as a user record."""
    pieces = []
    for place, part in enumerate(parts):
        answer = words.answered(part)
        if answer is None or words.is_own(text_of(answer.name)) or not limits.wants(text_of(answer.name)):
            continue
        call, tool = text_of(answer.id) or f"{name}:{place}", text_of(answer.name)
        text = words.cut_result(words.answer_words(answer.response), tool, limits)
        if text.strip():
            pieces.append(Piece(call, "tool_result", text, time, f"{words.lasting(call, time)}:result", tool, (), call))
    return pieces


def _tool(call: ToolCall, name: str, time: int, limits: Limits) -> list[Piece]:
    tool = text_of(call.name)
    if words.is_own(tool, text_of(call.display_name)):  # the name of an MCP server may stand in the second alone
        asked = [_call(call, tool, name, time, limits)] if gives_pack(tool) and limits.wants(tool) else []
        return [*asked, Piece(name, "", "", time, name, call=name)]
    if not limits.wants(tool):
        return []
    pieces = [_call(call, tool, name, time, limits)]
    parts = words.parts_of(call.result)
    answers = [answer for part in parts if (answer := words.answered(part)) is not None]
    own = [answer for answer in answers if answer.id == call.id] or answers  # all answers of a turn may stand there
    texts = [words.answer_words(answer.response) for answer in own]
    result = "\n".join(texts) or words.plain(parts) or words.string(call.result_display)
    if result.strip():
        result = words.cut_result(result, tool, limits)
        pieces.append(Piece(name, "tool_result", result, time, f"{words.lasting(name, time)}:result", tool, (), name))
    return pieces


def _call(call: ToolCall, tool: str, name: str, time: int, limits: Limits) -> Piece:
    text, files = words.call_words(call.args)
    asked = head_and_tail(text or tool, limits.tool_chars)
    given, identity = words.raw_arguments(call.args, tool, limits), f"{words.lasting(name, time)}:call"
    return Piece(name, "tool_call", asked, time, identity, tool, files, name, given)


def _thoughts(raw: msgspec.Raw) -> str:
    texts = []
    for item in words.items_of(raw):
        thought = words.inner(item, _THOUGHT)
        if thought is not None:
            texts += [text_of(thought.subject), text_of(thought.description)]
    return "\n".join(text for text in texts if text)
