"""What a DSH log's rows look like, as far as we use them, in every generation, and how a row becomes text.

Owns the typed shapes (by shape, never by version number), the list of known event names, and the readable form of tool
calls. Holds no state and opens nothing.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.sources.base import ARGUMENT_CHARS

OWN_TOOLS = ("mcp__backscroll__", "mcp__session-search__")
"""Our own recall tools: what they gave stands in the index already."""

ROWS_OF_CHUNKS = frozenset({"text-chunks", "reasoning-chunks", "tool-call-chunks"})
_EVENTS = """
    session agent-preset/selected agent/inbox/spliced approval/asked approval/decided approval/policy assistant/attempt
    assistant/message assistant/chunk command/run command/done compaction/start compaction/summary compaction/end
    compaction/prune deliverables/presented developer/message feedback/record feedback/message-put feedback/message-delete
    goal/change hook/invoked hook/result image/offload llm/retry llm/retry-started model/selection permission/preset
    plan/mode request/header request/context sandbox/mode schedule/change session-log-deepseek/delivery-accepted
    session/end-seed session/title session/title-llm-request step/start step/end subagent/catalog subagent/descriptor
    subagent/model-selection-policy system/message team/member team/task team/message/queued team/message/delivered
    todo/write tool-workflow/run-start tool-workflow/run-end tool-workflow/agent-start tool-workflow/agent-end tool/call
    tool/result tool/ptc-dispatch tool/ptc-dispatch-start tool/code-dispatch tool/code-dispatch-start turn/start turn/end
    user/message web/deepseek-search-llm-request workspace/changes workspace/home automation/start steering/message
    compact/start compact/summary compact/end compact/prune
"""
KNOWN = ROWS_OF_CHUNKS | frozenset(_EVENTS.split())

_FILE_KEYS = ("file_path", "filePath", "path", "notebook_path")
_WANTED_KEYS = ("pattern", "query", "glob")
_SUMMARY_TAG = re.compile(r"</?compacted-summary>")
_LATEST = 253_402_300_799_000
"""The last millisecond of the year 9999; a time beyond it is no time."""

_COUNTABLE = 1 << 53


class Event(msgspec.Struct, frozen=True, gc=False):
    """A row: the envelope alone. `data` stays undecoded until its type is one that we read."""

    type: str = ""
    seq: int | None = None
    time: int | float | None = None
    data: msgspec.Raw = msgspec.Raw(b"{}")
    surface: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="surfaceOp")

    @property
    def replaces(self) -> bool:
        """True where the row takes the place of others that stay in the log."""
        return bytes(self.surface).lstrip().startswith(b"{")


class Glance(msgspec.Struct, frozen=True, gc=False):
    """As much of a row as the choice between generations needs."""

    type: str = ""
    time: int | float | None = None


class Header(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    type: str = ""
    id: str = ""
    created_at: int | float | None = None
    cwd: str | None = None
    parent_session: str | None = None
    origin: str | None = None
    seed_length: int | None = None


class Source(msgspec.Struct, frozen=True, gc=False):
    kind: str = ""
    plugin: str | None = None
    form: Any = None
    provider: str | None = None
    model: str | None = None
    call_id: str | None = msgspec.field(default=None, name="callId")


class Block(msgspec.Struct, frozen=True, gc=False):
    """One content block. The fields are undecided until `type` says what they are."""

    type: str = ""
    text: Any = None
    tool_call_id: Any = msgspec.field(default=None, name="toolCallId")
    content: msgspec.Raw = msgspec.Raw(b"[]")


Content = list[Block] | str | None


class Said(msgspec.Struct, frozen=True, gc=False):
    """A message: the data of `user/message`, or the `message` in that of others."""

    id: str | None = None
    content: Content = None
    source: Source | None = None
    tool_call_id: str | None = msgspec.field(default=None, name="toolCallId")
    message: Said | None = None


class Tokens(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """Disjoint counts: `input_tokens` missed the cache. None: not reported, which is not 0."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


class Answer(msgspec.Struct, frozen=True, gc=False):
    """`assistant/message`: with `message`, or (before messages had ids) with `content` and `provenance` directly."""

    message: Said | None = None
    content: Content = None
    provenance: Source | None = None
    usage: Tokens | None = None


class Call(msgspec.Struct, frozen=True, gc=False):
    name: str = ""
    call_id: str = msgspec.field(default="", name="callId")
    arguments: Any = ""


class Result(msgspec.Struct, frozen=True, gc=False):
    """`tool/result`: with `message`, or (before messages had ids) with `callId` and `content` directly."""

    message: Said | None = None
    call_id: str | None = msgspec.field(default=None, name="callId")
    content: Content = None


class Summary(msgspec.Struct, frozen=True, gc=False):
    compaction_id: str = msgspec.field(default="", name="compactionId")
    summary: Content = None
    provider: str | None = None
    model: str | None = None
    usage: Tokens | None = None


class TitleSource(msgspec.Struct, frozen=True, gc=False):
    kind: str = ""


class Title(msgspec.Struct, frozen=True, gc=False):
    title: str = ""
    source: TitleSource | None = None


class Goal(msgspec.Struct, frozen=True, gc=False):
    id: str = ""
    revision: int | None = None
    objective: str = ""


class GoalChange(msgspec.Struct, frozen=True, gc=False):
    goal: Goal | None = None


class EndSeed(msgspec.Struct, frozen=True, gc=False):
    inherited: Any = None


class Config(msgspec.Struct, frozen=True, gc=False):
    model: str | None = None


class RequestHead(msgspec.Struct, frozen=True, gc=False):
    config: Config | None = None


class RequestHeader(msgspec.Struct, frozen=True, gc=False):
    header: RequestHead | None = None


_BLOCKS = msgspec.json.Decoder(list[Block] | str | None)


def count(value: int | None) -> int:
    """A number of tokens or rows that can be kept, -1 for none and for what cannot be one."""
    return value if value is not None and 0 <= value < _COUNTABLE else -1


def milliseconds(value: int | float | None) -> int:
    """A row's time as whole milliseconds, 0 for none and for what is no time."""
    return int(value) if value is not None and 0 <= value <= _LATEST else 0


def texts(content: Content, kind: str = "text") -> str:
    """The text of the blocks of one kind, a line break between them. '' if there is none but white space."""
    if isinstance(content, str):
        joined = content if kind == "text" else ""
    else:
        joined = "\n".join(block.text for block in content or [] if block.type == kind and isinstance(block.text, str))
    return joined if joined.strip() else ""


def result_of(content: Content) -> tuple[str, str]:
    """Call id ('' if the blocks do not tell) and text of a tool's result, the `tool-result` wrapper taken off."""
    if not isinstance(content, str):
        for block in content or []:
            if block.type == "tool-result":
                call = block.tool_call_id if isinstance(block.tool_call_id, str) else ""
                return call, texts(_BLOCKS.decode(block.content))
    return "", texts(content)


def checkpoint_text(content: Content) -> str:
    """The summary out of a compaction's checkpoint message: without its preamble and its tags."""
    whole = texts(content)
    parts = _SUMMARY_TAG.split(whole)
    return (parts[1] if len(parts) > 1 else whole).strip()


def call_text(arguments: Any) -> tuple[str, tuple[str, ...]]:
    """A tool call's arguments as a person reads them, and the file paths among them.

    A shell's command, a file tool's path (behind what it looks for there), a lone text argument as it is; anything else
    as compact JSON. Arguments that are no JSON are given as they stand.
    """
    value = arguments
    if isinstance(arguments, str):
        try:
            value = msgspec.json.decode(arguments)
        except (msgspec.DecodeError, RecursionError, ValueError):
            return arguments.strip(), ()
    if not isinstance(value, dict):
        return _compact(value), ()
    files = tuple(path for key in _FILE_KEYS if isinstance(path := value.get(key), str) and path)
    command = value.get("command", value.get("cmd"))
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        command = " ".join(command)
    if isinstance(command, str) and command.strip():
        return command.strip(), files
    if files:
        wanted = [word for key in _WANTED_KEYS if isinstance(word := value.get(key), str) and word]
        return " ".join((*wanted, files[0])), files
    if len(value) == 1 and isinstance(only := next(iter(value.values())), str) and only.strip():
        return only.strip(), ()
    return (_compact(value) if value else ""), ()


def raw_arguments(arguments: Any) -> str:
    """The arguments of a call as JSON, as they were written."""
    return (arguments if isinstance(arguments, str) else _compact(arguments))[:ARGUMENT_CHARS]


def _compact(value: Any) -> str:
    return msgspec.json.encode(value).decode() if value is not None else ""
