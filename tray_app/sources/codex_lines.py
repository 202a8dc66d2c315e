"""What a line of a Codex session file looks like, in all three generations, and the readable text of its parts.

Owns the typed shapes: only fields named here are ever decoded, so that system prompts, world states and replayed histories
that stand in the same lines cost nothing and cannot be indexed. Decides nothing about who said a thing.
"""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from typing import Any

import msgspec

from tray_app.sources.base import ARGUMENT_CHARS


class Block(msgspec.Struct, gc=False):
    """A content item, or an object around content items (`{"content": ..., "success": ...}`)."""

    type: str | None = None
    text: str | None = None
    content: str | list[Block | str | None] | None = None
    encrypted_content: str | None = None


class Provenance(msgspec.Struct, gc=False):
    type: str | None = None


class ItemNote(msgspec.Struct, gc=False):
    provenance: Provenance | None = None


class Passthrough(msgspec.Struct, gc=False):
    """Generation C: what each content item is, and who wrote it."""

    content_item_kinds: list[str | None] | None = None
    content_item_metadata: list[ItemNote | None] | None = None


class Named(msgspec.Struct, gc=False):
    name: str | None = None


class Action(msgspec.Struct, gc=False):
    """Of a local_shell_call or a web_search_call."""

    command: list[str] | str | None = None
    query: str | None = None
    queries: list[str] | None = None
    url: str | None = None
    pattern: str | None = None


class Item(msgspec.Struct, gc=False):
    """A response item: payload of a `response_item` line, or a bare line of generation A."""

    type: str | None = None
    id: str | None = None
    role: str | None = None
    content: str | list[Block | str | None] | Block | None = None
    message: str | None = None
    name: str | None = None
    namespace: str | None = None
    function: Named | None = None
    call_id: str | None = None
    arguments: msgspec.Raw = msgspec.Raw(b"")
    input: str | None = None
    output: str | list[Block | str | None] | Block | None = None
    result: msgspec.Raw = msgspec.Raw(b"")
    action: Action | None = None
    summary: list[Block | str | None] | str | None = None
    author: str | None = None
    model: str | None = None
    internal_chat_message_metadata_passthrough: Passthrough | None = None


class LineNote(msgspec.Struct, gc=False):
    compaction_output: bool | None = None


class Envelope(msgspec.Struct, gc=False):
    """Any line. Generation A has no payload: the line itself is the item or the header."""

    type: str | None = None
    timestamp: str | int | float | None = None
    created_at: str | int | float | None = None
    payload: msgspec.Raw = msgspec.Raw(b"")
    metadata: LineNote | None = None
    id: str | None = None
    role: str | None = None
    record_type: str | None = None


class Git(msgspec.Struct, gc=False):
    branch: str | None = None


class Meta(msgspec.Struct, gc=False):
    """The session's header: payload of `session_meta`, or the first bare line of generation A."""

    id: str | None = None
    session_id: str | None = None
    timestamp: str | int | float | None = None
    cwd: str | None = None
    cli_version: str | None = None
    source: Any = None
    thread_source: Any = None
    git: Git | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None

    def spawner(self) -> str:
        """The thread that started this one as a sub-agent, '' if none is named."""
        spawn = self._subagent()
        inner = spawn.get("thread_spawn") if isinstance(spawn, dict) else None
        named = inner.get("parent_thread_id") if isinstance(inner, dict) else None
        return named if isinstance(named, str) else ""

    def is_subagent(self) -> bool:
        return self.thread_source == "subagent" or self._subagent() is not None

    def _subagent(self) -> Any:
        return self.source.get("subagent") if isinstance(self.source, dict) else None


class TurnContext(msgspec.Struct, gc=False):
    cwd: str | None = None
    model: str | None = None


class Compacted(msgspec.Struct, gc=False):
    message: str | None = None


class Tokens(msgspec.Struct, gc=False):
    input_tokens: int = -1
    cached_input_tokens: int = -1
    cache_write_input_tokens: int = -1
    output_tokens: int = -1


class TokenInfo(msgspec.Struct, gc=False):
    total_token_usage: Tokens | None = None
    last_token_usage: Tokens | None = None
    model: str | None = None


class TokenRecord(msgspec.Struct, gc=False):
    """Payload of `token_usage_record` (generation C)."""

    response_id: str | None = None
    usage: Tokens | None = None
    thread_token_usage: Tokens | None = None


class Completed(msgspec.Struct, gc=False):
    """The item of an `item_completed` event."""

    type: str | None = None
    id: str | None = None
    content: str | list[Block | str | None] | None = None
    text: str | None = None


class Event(msgspec.Struct, gc=False):
    """Payload of `event_msg`. `info` and `item` are decoded only for the kinds that need them."""

    type: str | None = None
    message: msgspec.Raw = msgspec.Raw(b"")
    info: msgspec.Raw = msgspec.Raw(b"")
    item: msgspec.Raw = msgspec.Raw(b"")
    thread_name: str | None = None


class Document(msgspec.Struct, gc=False):
    """The whole file that the first Codex, written in TypeScript, left for a session."""

    items: list[msgspec.Raw]
    session: Meta | None = None


ENVELOPE = msgspec.json.Decoder(Envelope)
ITEM = msgspec.json.Decoder(Item)
META = msgspec.json.Decoder(Meta)
CONTEXT = msgspec.json.Decoder(TurnContext)
COMPACTED = msgspec.json.Decoder(Compacted)
EVENT = msgspec.json.Decoder(Event)
TOKEN_INFO = msgspec.json.Decoder(TokenInfo | None)
TOKEN_RECORD = msgspec.json.Decoder(TokenRecord)
COMPLETED = msgspec.json.Decoder(Completed | None)
WORDS = msgspec.json.Decoder(str | None)
DOCUMENT = msgspec.json.Decoder(Document)
_ANY = msgspec.json.Decoder()

CALLS = frozenset(
    ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call", "tool_call", "mcp_call")
)
RESULTS = frozenset(
    ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_result", "function_result")
)
SILENT_ITEMS = frozenset(
    ("tool_search_output", "image_generation_call", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction")
)
TURN_ENDS = frozenset(("task_complete", "turn_complete", "turn_aborted"))
SILENT_LINES = frozenset(("world_state", "inter_agent_communication_metadata"))
EVENT_STARTS = (
    "user_message", "task_", "turn_", "turn.", "token_count", "agent_", "exec_", "mcp_", "web_search_", "patch_", "context_compacted",
    "entered_", "exited_", "thread_", "item_", "sub_agent_", "collab_", "error", "warning", "stream_error", "background_",
    "view_image_", "image_generation_", "undo_", "dynamic_tool_", "plan_", "hook_", "model_", "guardian_", "session_",
    "skills_", "deprecation_", "shutdown_", "raw_response_", "account/", "codex/", "apply_patch_", "request_", "elicitation_",
)  # fmt: skip

_PATCHED = re.compile(r"^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)
_FILE_KEYS = ("path", "file_path", "filename", "target_file")
_OUTPUT_KEYS = ("output", "stdout", "stderr", "text", "content", "error")


def millis(value: str | int | float | None) -> int:
    """Epoch milliseconds of an ISO time or a number of seconds or milliseconds; 0 for anything else."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
            return max(0, round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000))
        except (ValueError, OverflowError):
            return 0
    if value is None or not 0 < value < 1e14:
        return 0
    return int(value if value > 1e11 else value * 1000)


def parts(content: str | list[Block | str | None] | Block | None) -> list[str]:
    """The texts of content items, one each, '' for one without text (an image), so that positions stay."""
    if content is None:
        return []
    if isinstance(content, str):
        return [content]
    if isinstance(content, Block):
        return [content.text] if content.text else parts(content.content)
    return [item if isinstance(item, str) else (item.text or "") if item is not None else "" for item in content]


def joined(content: str | list[Block | str | None] | Block | None) -> str:
    return "\n".join(text for text in parts(content) if text)


def call_text(item: Item) -> str:
    """What a tool was asked, as a person would read it: the command, the patch, the query, or the arguments by name."""
    return _asked(item) or (item.summary if isinstance(item.summary, str) else "")


def _asked(item: Item) -> str:
    if item.input is not None:
        return _argument_text(_value(item.input))
    if item.action is not None:
        action = item.action
        if action.command:
            return _command(action.command)
        asked = action.queries or [text for text in (action.query, action.url, action.pattern) if text]
        return "\n".join(asked)
    return _argument_text(_raw_value(item.arguments))


def raw_arguments(item: Item) -> str:
    """The arguments of a call as JSON, as they were written; '' where there are none."""
    if item.input is not None:
        return item.input[:ARGUMENT_CHARS]
    data = bytes(item.arguments)
    if data.startswith(b'"'):
        try:
            written = _ANY.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
            return ""
        return str(written)[:ARGUMENT_CHARS]
    return data[:ARGUMENT_CHARS].decode("utf-8", "replace")


def call_files(item: Item, text: str) -> tuple[str, ...]:
    """Files that a call names as its target: those of a patch, else a path among the arguments."""
    patched = tuple(dict.fromkeys(_PATCHED.findall(text)))
    if patched:
        return patched
    arguments = _value(item.input) if item.input is not None else _raw_value(item.arguments)
    if not isinstance(arguments, dict):
        return ()
    return tuple(value for key in _FILE_KEYS if isinstance(value := arguments.get(key), str) and value)


def result_text(item: Item) -> str:
    """What a tool answered. Codex up to 0.4x wrote a JSON string `{"output", "metadata"}`: its output alone."""
    if item.output is not None:
        value = _value(item.output) if isinstance(item.output, str) else None
        if isinstance(value, dict) and isinstance(value.get("output"), str):
            return str(value["output"])
        return joined(item.output)
    value = _raw_value(item.result)
    if isinstance(value, dict):
        return "\n".join(text for key in _OUTPUT_KEYS if isinstance(text := value.get(key), str) and text)
    return value if isinstance(value, str) else ""


def _raw_value(raw: msgspec.Raw) -> Any:
    data = bytes(raw)
    if not data:
        return None
    try:
        value = _ANY.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        return data.decode("utf-8", "replace")
    return _value(value) if isinstance(value, str) else value


def _value(text: str) -> Any:
    """The object or list that a text holds as JSON, else the text."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return _ANY.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        return text


def _command(command: list[Any] | str) -> str:
    if isinstance(command, str):
        return command
    words = [word for word in command if isinstance(word, str)]
    if len(words) == 3 and words[1] in ("-lc", "-c", "-Command", "/c", "/C"):
        return words[2]
    if len(words) == 2 and words[0] == "apply_patch":
        return words[1]
    return shlex.join(words)


def _argument_text(value: Any) -> str:
    if not isinstance(value, dict):
        return value if isinstance(value, str) else "" if value is None else msgspec.json.encode(value).decode()
    for key in ("command", "cmd"):
        command = value.get(key)
        if isinstance(command, (str, list)) and command:
            return _command(command)
    texts = [(key, text) for key, text in value.items() if text is not None and text != ""]
    if len(texts) == 1 and isinstance(texts[0][1], str):
        return texts[0][1]
    return "\n".join(f"{key}: {text if isinstance(text, str) else msgspec.json.encode(text).decode()}" for key, text in texts)


def is_id(text: str) -> bool:
    return bool(text) and len(text) <= 128 and all(letter.isalnum() or letter in "-_." for letter in text)


def unencrypted(content: str | list[Block | str | None] | Block | None) -> str:
    """The text of a message between agents; '' where it is encrypted."""
    if isinstance(content, list):
        content = [part for part in content if not (isinstance(part, Block) and part.encrypted_content)]
    text = joined(content).strip()
    return "" if text.startswith("gAAAA") else text
