"""What stands in one line of ZCode's request log, and whose words a message of its database holds.

Owns the typed shapes (only the fields that are used) and the pure functions that make text out of them. Knows nothing of
files, order or earlier lines.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.sources.base import Usage
from tray_app.sources.claude_lines import CONTINUED, said_by_person
from tray_app.sources.json_values import count_of, decoded, disjoint, output, text_of
from tray_app.sources.opencode_lines import SEMANTICS, MessageData
from tray_app.sources.opencode_reading import Rules


class Block(msgspec.Struct):
    """A content block: text, reasoning, a tool call or a tool result, in the spellings of several interfaces."""

    type: Any = None
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    tool_name: Any = msgspec.field(default=None, name="toolName")
    tool_call_id: Any = msgspec.field(default=None, name="toolCallId")
    tool_use_id: Any = None
    call_id: Any = None
    input: msgspec.Raw = msgspec.Raw()
    args: msgspec.Raw = msgspec.Raw()
    arguments: msgspec.Raw = msgspec.Raw()
    content: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()


class Function(msgspec.Struct):
    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()


class Call(msgspec.Struct):
    """A tool call, of a message or of the response."""

    id: Any = None
    name: Any = None
    tool_name: Any = msgspec.field(default=None, name="toolName")
    tool_call_id: Any = msgspec.field(default=None, name="toolCallId")
    input: msgspec.Raw = msgspec.Raw()
    args: msgspec.Raw = msgspec.Raw()
    arguments: msgspec.Raw = msgspec.Raw()
    function: Function | None = None


class Sent(msgspec.Struct):
    """A message of a request."""

    role: Any = None
    type: Any = None
    content: msgspec.Raw = msgspec.Raw()
    tool_calls: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="toolCalls")
    tool_calls_snake: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="tool_calls")
    tool_call_id: Any = msgspec.field(default=None, name="toolCallId")
    tool_call_id_snake: Any = msgspec.field(default=None, name="tool_call_id")
    tool_name: Any = msgspec.field(default=None, name="toolName")
    name: Any = None
    call_id: Any = None
    arguments: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()


class Body(msgspec.Struct):
    messages: msgspec.Raw = msgspec.Raw()
    input: msgspec.Raw = msgspec.Raw()


class Request(msgspec.Struct):
    messages: msgspec.Raw = msgspec.Raw()
    body: msgspec.Raw = msgspec.Raw()
    tool_names: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="toolNames")
    message_offset: Any = msgspec.field(default=None, name="messageOffset")
    messages_kind: Any = msgspec.field(default=None, name="messagesKind")


class Tokens(msgspec.Struct, rename="camel"):
    input_tokens: Any = None
    output_tokens: Any = None
    cache_read_tokens: Any = None
    cache_write_tokens: Any = None
    total_tokens: Any = None


class Response(msgspec.Struct, rename="camel"):
    text: Any = None
    reasoning_text: Any = None
    tool_calls: msgspec.Raw = msgspec.Raw()
    usage: msgspec.Raw = msgspec.Raw()


class Model(msgspec.Struct, rename="camel"):
    model_id: Any = None


class Entry(msgspec.Struct, rename="camel"):
    """A line of the log. The request stays raw until it is known that the line is one of the conversation."""

    type: Any = None
    session_id: Any = None
    request_id: Any = None
    attempt: Any = None
    turn_id: Any = None
    query_source: Any = None
    started_at: Any = None
    completed_at: Any = None
    model: msgspec.Raw = msgspec.Raw()
    request: Request | None = None
    response: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()


class AgentMeta(msgspec.Struct, rename="camel"):
    """The metadata.json of a sub-agent."""

    child_session_id: Any = None
    parent_session_id: Any = None
    description: Any = None
    cwd: Any = None


ENTRY = msgspec.json.Decoder(Entry)
RESPONSE = msgspec.json.Decoder(Response)
META = msgspec.json.Decoder(AgentMeta)
_BODY = msgspec.json.Decoder(Body)
_SENT = msgspec.json.Decoder(Sent)
_CALLS = msgspec.json.Decoder(list[Call])
_BLOCKS = msgspec.json.Decoder(list[Block | str])
_TEXT = msgspec.json.Decoder(str)
_VALUES = msgspec.json.Decoder(list[msgspec.Raw])
_MODEL = msgspec.json.Decoder(Model)
_TOKENS = msgspec.json.Decoder(Tokens)

HELPERS = ("title", "summar", "compact", "topic", "suggest", "naming", "classif", "quota", "probe")
"""In a `querySource`: calls by which the program helps itself. The conversation's own are main_turn and subagent."""

_REMINDER = re.compile(r"<(system-reminder|task-notification)\b[^>]{0,500}>.*?(?:</\1>|\Z)", re.DOTALL)
_FOLDER = re.compile(r"(?:Primary working directory|Working directory|工作目录)[ \t]*[:：][ \t]*(\S[^\r\n]*)")


def person_words(text: str) -> str:
    """The person's words in a user message, without what the program put around them."""
    return said_by_person(_REMINDER.sub("", text)).strip()


def speaker(message: MessageData) -> str:
    """Whose words a message of the database holds: user | assistant | summary | note, '' for what nobody said.

    The words are the person's where the message is marked as a real user's visible prompt; a message without marks is
    of an older version, in which the role must do.
    """
    role = text_of(message.role)
    if message.synthetic is True or message.visibility == "model-only":
        return ""
    marks = decoded(message.semantics, SEMANTICS)
    if marks is None:
        return role
    kind = text_of(marks.kind)
    if kind == "compact_summary":
        return "summary"
    if "hidden" in (marks.ui_visibility, marks.transcript_visibility) or marks.ui_visibility == "debug":
        return ""
    if role == "assistant":
        return "assistant" if kind in ("assistant_response", "") else ""
    if marks.origin != "real_user":
        return ""
    return {"user_prompt": "user", "slash_command": "note"}.get(kind, "")


RULES = Rules(speaker, person_words)


def messages_of(request: Request) -> list[msgspec.Raw]:
    """The messages of a request, wherever the version keeps them, not decoded yet: most were met before."""
    found = decoded(request.messages, _VALUES)
    if not found:
        body = decoded(request.body, _BODY)
        if body is not None:
            found = decoded(body.messages, _VALUES) or decoded(body.input, _VALUES)
    return found or []


def sent_of(raw: msgspec.Raw) -> Sent:
    """One of them; one without a role where it is of another shape."""
    return decoded(raw, _SENT) or Sent()


def has_tools(request: Request) -> bool | None:
    """Whether tools were offered; None if the line does not say."""
    names = decoded(request.tool_names, _VALUES)
    return None if names is None else bool(names)


def blocks_of(raw: msgspec.Raw) -> list[Block]:
    """Content as blocks; a string is one block of text."""
    text = decoded(raw, _TEXT) if bytes(raw).startswith(b'"') else None
    if text is not None:
        return [Block(type="text", text=text)]
    return [Block(type="text", text=one) if isinstance(one, str) else one for one in decoded(raw, _BLOCKS) or []]


def calls_of(*raws: msgspec.Raw) -> list[Call]:
    return [call for raw in raws for call in decoded(raw, _CALLS) or []]


def call_parts(call: Call | Block) -> tuple[str, str, msgspec.Raw]:
    """Name, id and raw arguments of a tool call."""
    function = call.function if isinstance(call, Call) and call.function is not None else Function()
    name = text_of(call.name) or text_of(call.tool_name) or text_of(function.name)
    named = text_of(call.id) or text_of(call.tool_call_id)
    given = next((raw for raw in (call.input, call.args, call.arguments, function.arguments) if bytes(raw)), msgspec.Raw())
    return name, named, given


def result_of(block: Block) -> tuple[str, str]:
    """Text and call id of a tool's result."""
    named = text_of(block.tool_use_id) or text_of(block.tool_call_id) or text_of(block.call_id)
    return next((output(raw) for raw in (block.content, block.output, block.result) if bytes(raw)), ""), named


def folder_in(sent: Sent) -> str:
    """The folder that a system prompt names."""
    for block in blocks_of(sent.content):
        found = _FOLDER.search(text_of(block.text))
        if found:
            return found[1].strip().strip("`'\"")
    return ""


def model_of(entry: Entry) -> str:
    model = decoded(entry.model, _MODEL)
    return text_of(model.model_id) if model is not None else decoded(entry.model, _TEXT) or ""


def usage_of(key: str, time: int, model: str, response: Response) -> Usage | None:
    tokens = decoded(response.usage, _TOKENS)
    if tokens is None:
        return None
    counts = disjoint(
        count_of(tokens.input_tokens),
        count_of(tokens.output_tokens),
        count_of(tokens.cache_read_tokens),
        count_of(tokens.cache_write_tokens),
        count_of(tokens.total_tokens),
    )
    return Usage(key, time, model, *counts)


def is_summary(text: str) -> bool:
    return text.lstrip().startswith(CONTINUED)
