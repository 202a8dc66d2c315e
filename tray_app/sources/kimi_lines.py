"""What the records of Kimi Code's wire.jsonl, and of the older kimi-cli's context.jsonl, may hold, and their parts in words.

Owns the shapes (only the fields that are used, so that a tool snapshot of 75 KB costs one look) and pure functions on them:
the person's words, a tool call in words, a tool's output. Knows nothing of files, order or earlier lines.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tray_app.sources.base import ARGUMENT_CHARS
from tray_app.sources.claude_lines import Block, text_of, tool_call
from tray_app.sources.json_values import decoded


class Kind(msgspec.Struct, gc=False):
    """The first look at a record."""

    type: str = ""


class Part(msgspec.Struct):
    type: Any = None
    text: Any = None
    think: Any = None


Content = str | list[Part | str] | Part | None


class Origin(msgspec.Struct, rename="camel"):
    """Where the text of a turn or of a `user` message came from."""

    kind: Any = None
    name: Any = None
    trigger: Any = None
    skill_name: Any = None
    skill_args: Any = None
    plugin_id: Any = None
    command_name: Any = None
    command_args: Any = None
    skill_activations: msgspec.Raw = msgspec.Raw()


class Function(msgspec.Struct):
    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()


class ToolCall(msgspec.Struct):
    """A call inside an assistant message: flat, or (older) with a `function`."""

    id: Any = None
    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()
    function: Function | None = None


class Said(msgspec.Struct, rename="camel"):
    """The message of a `context.append_message`."""

    role: Any = None
    content: Content = None
    id: Any = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: Any = None
    origin: msgspec.Raw = msgspec.Raw()


class Event(msgspec.Struct, rename="camel"):
    """The event of a `context.append_loop_event`."""

    type: Any = None
    uuid: Any = None
    part: Part | None = None
    tool_call_id: Any = None
    name: Any = None
    args: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()


class Result(msgspec.Struct):
    output: Content = None


class Disclosure(msgspec.Struct):
    cwd: Any = None


class Tokens(msgspec.Struct, rename="camel", gc=False):
    """Already disjoint: `inputOther` is what missed the cache."""

    input_other: int | None = None
    output: int | None = None
    input_cache_read: int | None = None
    input_cache_creation: int | None = None


class Record(msgspec.Struct, rename="camel"):
    """A record of any kind of a wire.jsonl. Fields typed Any are coerced where used."""

    type: str = ""
    time: Any = None
    created_at: Any = msgspec.field(default=None, name="created_at")
    input: Content = None
    origin: msgspec.Raw = msgspec.Raw()
    prompt_id: Any = None
    message: msgspec.Raw = msgspec.Raw()
    messages: msgspec.Raw = msgspec.Raw()
    delete_count: Any = None
    event: msgspec.Raw = msgspec.Raw()
    summary: msgspec.Raw = msgspec.Raw()
    context_summary: Any = None
    count: Any = None
    model: Any = None
    model_alias: Any = None
    cwd: Any = None
    environment_disclosure: msgspec.Raw = msgspec.Raw()
    usage: msgspec.Raw = msgspec.Raw()


class Row(msgspec.Struct):
    """A line of kimi-cli's context.jsonl."""

    role: str = ""
    content: Content = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: Any = None


class OldUsage(msgspec.Struct, gc=False):
    input_other: int | None = None
    output: int | None = None
    input_cache_read: int | None = None
    input_cache_creation: int | None = None


class OldPayload(msgspec.Struct):
    """What an event of kimi-cli's wire.jsonl carries, of any kind."""

    type: Any = None
    user_input: Content = None
    text: Any = None
    id: Any = None
    tool_call_id: Any = None
    token_usage: msgspec.Raw = msgspec.Raw()
    message_id: Any = None


class OldEvent(msgspec.Struct):
    type: Any = None
    payload: msgspec.Raw = msgspec.Raw()


class OldRecord(msgspec.Struct):
    """A line of kimi-cli's wire.jsonl: a time in seconds and an event."""

    timestamp: Any = None
    message: OldEvent | None = None


FAMILIES = frozenset(
    {
        *("metadata", "forked", "turn", "context", "config", "permission", "profile", "runtime", "tools", "usage", "llm"),
        *("full_compaction", "micro_compaction", "plan_mode", "swarm_mode", "goal", "mcp", "plugin", "prompt", "agent"),
        *("token_counting", "context_size", "background", "task", "todo", "skill", "cron", "hook", "session"),
    }
)
"""What stands before the dot in the kinds of a wire.jsonl."""

LOOK = msgspec.json.Decoder(Kind)
RECORD = msgspec.json.Decoder(Record)
SAID = msgspec.json.Decoder(Said)
SAID_LIST = msgspec.json.Decoder(list[Said])
EVENT = msgspec.json.Decoder(Event)
ORIGIN = msgspec.json.Decoder(Origin | None)
RESULT = msgspec.json.Decoder(Result)
TOKENS = msgspec.json.Decoder(Tokens)
DISCLOSURE = msgspec.json.Decoder(Disclosure)
ROW = msgspec.json.Decoder(Row)
OLD_RECORD = msgspec.json.Decoder(OldRecord)
OLD_PAYLOAD = msgspec.json.Decoder(OldPayload)
OLD_USAGE = msgspec.json.Decoder(OldUsage)
_STRING = msgspec.json.Decoder(str)
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_CONTENT = msgspec.json.Decoder(Content)


def known_kind(kind: str) -> bool:
    return kind.partition(".")[0] in FAMILIES


# --- texts ----------------------------------------------------------------------------------------------------------
def texts(content: Content, *, skip: int = 0) -> list[str]:
    """The texts of a content without its first `skip` parts, placeholders for what is no text; thoughts are left out."""
    if content is None:
        return []
    items = content if isinstance(content, list) else [content]
    found = []
    for item in items[skip:]:
        if isinstance(item, str):
            found.append(item)
        elif (kind := text_of(item.type)) == "text":
            found.append(text_of(item.text))
        elif kind.partition("_")[0] in ("image", "audio", "video"):
            found.append(f"[{kind.partition('_')[0]}]")
    return [text for text in found if text]


def thoughts(content: Content) -> str:
    items = content if isinstance(content, list) else [content]
    return "\n".join(text_of(item.think) for item in items if isinstance(item, Part) and item.type == "think")


_AROUND = ("system-reminder", "git-context", "system")
_NOT_SAID = (
    "<notification",
    "<task-notification",
    "<kimi-skill-loaded",
    "<cron-fire",
    "<hook_result",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<local-command-",
    "User activated the skill ",
)
COMPACTED = "<system>Previous context has been compacted."


def without_blocks(text: str) -> str:
    """A text without the program's blocks in front; '' if such a block does not end."""
    at = 0
    while True:
        while text[at : at + 1].isspace():
            at += 1
        name = next((name for name in _AROUND if text.startswith((f"<{name}>", f"<{name} "), at)), "")
        if not name:
            return text[at:].strip()
        closed = text.find(f"</{name}>", at)
        if closed < 0:
            return ""
        at = closed + len(name) + 3


def unmarked_words(content: Content) -> str:
    """The person's words in a `user` message that bears no origin: told from injected text by how that begins."""
    said = [without_blocks(text) for text in texts(content)]
    return "\n".join(text for text in said if text and not text.startswith(_NOT_SAID))


def output_words(content: Content) -> str:
    """A tool's output: without the program's own remark in front, or that remark where it is all there is."""
    remarks, output = [], []
    for text in texts(content):
        remark, end, rest = text.partition("</system>")
        if end and remark.startswith("<system>"):
            remarks.append(remark.removeprefix("<system>"))
            output.append(rest)
        else:
            output.append(text)
    said = "\n".join(text for text in output if text.strip())
    return said or "\n".join(remarks)


# --- origins --------------------------------------------------------------------------------------------------------
def bundled(origin: Origin) -> int:
    """How many parts in front of a prompt are bodies of skills that were sent with it."""
    activations = decoded(origin.skill_activations, _LIST)
    return len(activations) if activations is not None else 0


def by_person(origin: Origin | None) -> bool:
    return origin is None or origin.kind in (None, "user")


def by_slash(origin: Origin | None) -> bool:
    """Whether the person called a skill or a plugin's command: what follows is its text, not theirs."""
    return origin is not None and origin.kind in ("skill_activation", "plugin_command") and origin.trigger == "user-slash"


def slash_label(origin: Origin) -> str:
    """'/name args' of such a call; '' without arguments."""
    if origin.kind == "skill_activation":
        name, given = text_of(origin.skill_name), text_of(origin.skill_args).strip()
    else:
        parts = (text_of(origin.plugin_id), text_of(origin.command_name))
        name, given = ":".join(part for part in parts if part), text_of(origin.command_args).strip()
    return f"/{name} {given}" if given else ""


# --- tools ----------------------------------------------------------------------------------------------------------
_FILE_TOOLS = frozenset({"Read", "Write", "Edit", "ReadMediaFile", "ReadFile", "WriteFile", "StrReplaceFile"})


def _given(arguments: msgspec.Raw) -> tuple[str, bytes]:
    """The arguments of a call as they were written: an object, or (older) a string that holds one."""
    given = decoded(arguments, _STRING)
    return (given, given.encode("utf-8", "replace")) if given is not None else ("", bytes(arguments))


def call_words(tool: str, arguments: msgspec.Raw) -> tuple[str, tuple[str, ...]]:
    """A tool call in words, and the files it names."""
    given, data = _given(arguments)
    values = decoded(data, _OBJECT)
    if values is None:
        return given.strip(), ()
    text, files = tool_call(Block(input=msgspec.Raw(data)))
    path = decoded(values["path"], _STRING) if tool in _FILE_TOOLS and "path" in values else None
    return text, files or ((path,) if path else ())


def raw_arguments(arguments: msgspec.Raw) -> str:
    """The arguments as JSON, for whoever knows the tool."""
    return _given(arguments)[1][:ARGUMENT_CHARS].decode("utf-8", "replace")


Call = tuple[str, str, msgspec.Raw]


def call_parts(call: ToolCall) -> Call:
    """Id, tool and arguments of a call inside a message."""
    function = call.function or Function(call.name, call.arguments)
    return text_of(call.id), text_of(function.name) or text_of(call.name), function.arguments


def summary_words(record: Record) -> str:
    """The summary of a compaction: its own text before what was put around it for the model; once it was a message."""
    plain = decoded(record.summary, _STRING)
    if plain is not None:
        return plain.strip()
    message = decoded(record.summary, SAID)
    return "\n".join(texts(message.content)).strip() if message is not None else text_of(record.context_summary).strip()
