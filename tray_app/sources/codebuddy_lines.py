"""What a line of a CodeBuddy Code or WorkBuddy session file may hold, field by field, and the parts of it in words.

Owns the shapes (only the fields that are used, so that nothing else is ever decoded or indexed) and pure functions on them:
text of contents, tool calls and results in words, token counts made disjoint. Knows nothing of files or earlier lines; whose
words a text is, is decided in `codebuddy_words`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tray_app.sources.base import ARGUMENT_CHARS
from tray_app.sources.claude_lines import Block, text_of, tool_call
from tray_app.sources.json_values import decoded


class Kind(msgspec.Struct, gc=False):
    """The first look at a line."""

    type: str = ""


class PartNote(msgspec.Struct):
    """Beside a part's text: what the person typed where the text is the expansion of a slash command."""

    content: Any = None


class Part(msgspec.Struct, rename="camel"):
    """A part of a content, or an output."""

    type: Any = None
    text: Any = None
    provider_data: msgspec.Raw = msgspec.Raw()


Content = str | list[Part | str] | Part | None


class Provider(msgspec.Struct, rename="camel"):
    """What the program notes beside a record. Flags count only where they are exactly true."""

    agent: Any = None
    model: Any = None
    message_id: Any = None
    agent_purpose: Any = None
    skip_run: Any = None
    is_meta: Any = None
    is_compact: Any = None
    is_compact_internal: Any = None
    is_compacted: Any = None
    is_summary: Any = None
    is_sub_agent: Any = None
    is_teammate_message: Any = None
    teammate_message: Any = None
    error: msgspec.Raw = msgspec.Raw()
    usage: msgspec.Raw = msgspec.Raw()
    raw_usage: msgspec.Raw = msgspec.Raw()
    tool_result: msgspec.Raw = msgspec.Raw()


class Entry(msgspec.Struct, rename="camel"):
    """A line of any kind. Fields typed Any are coerced where used: an odd one must not cost the words."""

    type: str = ""
    id: Any = None
    timestamp: Any = None
    session_id: Any = None
    cwd: Any = None
    role: Any = None
    content: Content = None
    raw_content: msgspec.Raw = msgspec.Raw()
    name: Any = None
    call_id: Any = None
    arguments: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()
    provider_data: msgspec.Raw = msgspec.Raw()
    message: msgspec.Raw = msgspec.Raw()
    ai_title: Any = None
    custom_title: Any = None
    topic: Any = None
    summary: Any = None


class Fault(msgspec.Struct):
    message: Any = None


class ToolResult(msgspec.Struct):
    content: msgspec.Raw = msgspec.Raw()


class Cached(msgspec.Struct, gc=False):
    cached_tokens: int | None = None


class RawUsage(msgspec.Struct):
    """`rawUsage`: as the model's server said it; the prompt includes what came from the cache."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_cache_hit_tokens: int | None = None
    prompt_cache_write_tokens: int | None = None
    prompt_tokens_details: Cached | list[Cached] | None = None


class OwnUsage(msgspec.Struct, rename="camel"):
    """`usage`: the same in the runtime's own names."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: Cached | list[Cached] | None = None


class MessageUsage(msgspec.Struct):
    """`message.usage`: the same once more; here too the input includes the cache."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class Envelope(msgspec.Struct):
    usage: MessageUsage | None = None


class AgentMeta(msgspec.Struct, rename="camel"):
    """The .meta.json beside a session's file."""

    forked_from: Any = None


SPOKEN_KINDS = frozenset({"message", "reasoning", "function_call", "function_call_result"})
TITLE_KINDS = frozenset({"ai-title", "custom-title", "topic", "summary"})
SILENT_KINDS = frozenset({"file-history-snapshot"})

LOOK = msgspec.json.Decoder(Kind)
ENTRY = msgspec.json.Decoder(Entry)
META = msgspec.json.Decoder(AgentMeta)
_PROVIDER = msgspec.json.Decoder(Provider)
_NOTE = msgspec.json.Decoder(PartNote)
_CONTENT = msgspec.json.Decoder(Content)
_FAULT = msgspec.json.Decoder(Fault)
_TOOL_RESULT = msgspec.json.Decoder(ToolResult)
_STRING = msgspec.json.Decoder(str)
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_RAW_USAGE = msgspec.json.Decoder(RawUsage)
_OWN_USAGE = msgspec.json.Decoder(OwnUsage)
_ENVELOPE = msgspec.json.Decoder(Envelope)


def provider_of(entry: Entry) -> Provider:
    return decoded(entry.provider_data, _PROVIDER) or Provider()


def parts_of(content: Content) -> list[Part]:
    """A content as parts, whatever form it has."""
    if content is None:
        return []
    items = content if isinstance(content, list) else [content]
    return [Part(type="text", text=item) if isinstance(item, str) else item for item in items]


def part_text(part: Part) -> str:
    """A part's text, a placeholder where it is a picture; never what a picture holds."""
    kind = text_of(part.type)
    if "image" in kind:
        return "[image]"
    return text_of(part.text)


def typed(part: Part) -> str:
    """What the person typed, where the part's text was put in its place; '' where that is not said."""
    note = decoded(part.provider_data, _NOTE)
    return text_of(note.content).strip() if note is not None else ""


def plain(content: Content) -> str:
    return "\n".join(text for part in parts_of(content) if (text := part_text(part)))


def thoughts(entry: Entry) -> str:
    """What the model thought: `rawContent` as a rule, the content where that is empty."""
    return plain(decoded(entry.raw_content, _CONTENT)) or plain(entry.content)


def error_words(provider: Provider) -> str:
    """The words of the failure that a record stands for; '' if it stands for none."""
    fault = decoded(provider.error, _FAULT)
    return text_of(fault.message).strip() if fault is not None else ""


# --- tools ----------------------------------------------------------------------------------------------------------
def _given(entry: Entry) -> tuple[str, bytes]:
    """The arguments of a call as they were written: a string that holds JSON as a rule, or the JSON itself."""
    given = decoded(entry.arguments, _STRING)
    return (given, given.encode("utf-8", "replace")) if given is not None else ("", bytes(entry.arguments))


def call_words(entry: Entry) -> tuple[str, tuple[str, ...]]:
    """A tool call in words, and the files it names."""
    given, data = _given(entry)
    if decoded(data, _OBJECT) is None:
        return given.strip(), ()
    return tool_call(Block(input=msgspec.Raw(data)))


def raw_arguments(entry: Entry) -> str:
    """The arguments as JSON, for whoever knows the tool."""
    return _given(entry)[1][:ARGUMENT_CHARS].decode("utf-8", "replace")


def result_words(entry: Entry, provider: Provider) -> str:
    """A tool's output; its copy beside it only where the output itself is not there."""
    said = plain(decoded(entry.output, _CONTENT))
    if said:
        return said
    copy = decoded(provider.tool_result, _TOOL_RESULT)
    return plain(decoded(copy.content, _CONTENT)) if copy is not None else ""


# --- tokens ---------------------------------------------------------------------------------------------------------
def _cached(details: Cached | list[Cached] | None) -> int | None:
    counts = details if isinstance(details, list) else [details]
    known = [one.cached_tokens for one in counts if one is not None and one.cached_tokens is not None]
    return sum(known) if known else None


def _first(*counts: int | None) -> int:
    return next((max(count, 0) for count in counts if count is not None), -1)


def tokens_of(entry: Entry, provider: Provider) -> tuple[int, int, int, int] | None:
    """Fresh input, output, read from and written to the cache; -1 where not said. None if the record counts nothing."""
    raw = decoded(provider.raw_usage, _RAW_USAGE) or RawUsage()
    own = decoded(provider.usage, _OWN_USAGE) or OwnUsage()
    envelope = decoded(entry.message, _ENVELOPE)
    other = (envelope.usage if envelope is not None else None) or MessageUsage()
    prompt = _first(raw.prompt_tokens, own.input_tokens, other.input_tokens)
    output = _first(raw.completion_tokens, own.output_tokens, other.output_tokens)
    if prompt < 0 and output < 0:
        return None
    hits = (raw.prompt_cache_hit_tokens, _cached(raw.prompt_tokens_details), _cached(own.input_tokens_details))
    said = [count for count in (*hits, other.cache_read_input_tokens) if count is not None]
    read = max(said, default=-1)  # builds fill different ones of these, and leave the others at 0
    written = _first(raw.prompt_cache_write_tokens, other.cache_creation_input_tokens)
    fresh = max(prompt - max(read, 0) - max(written, 0), 0) if prompt >= 0 else -1
    return fresh, output, read, written
