"""Readable text out of the values that agents' records hold: message parts, a tool's arguments, a tool's answer, tokens.

Owns pure functions on JSON values that were left raw, for Gemini CLI and those that write parts as it does (Qwen Code), and
for the tool calls of pi and Copilot CLI. Whatever a value holds, nothing is raised: an odd part is no reason to lose the
rest. Knows nothing of files, order or earlier records.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from tray_app.sources.base import ARGUMENT_CHARS, CHAT_CHARS, Limits, Usage
from tray_app.sources.jsonl import head_and_tail, mended

T = TypeVar("T")

TITLE_CHARS = 80
OWN_TOOL = "backscroll"
"""In the name of a tool: one of our own. What it found must not be found again."""
LONG_ID = 16
RANK_PROMPT, RANK_AGENT, RANK_MODEL, RANK_PERSON = range(4)
"""Ranks of a title, see `base.Session`."""


class Blob(msgspec.Struct, rename="camel"):
    mime_type: Any = None
    data: msgspec.Raw = msgspec.Raw()


class Call(msgspec.Struct):
    id: Any = None
    name: Any = None
    args: msgspec.Raw = msgspec.Raw()
    response: msgspec.Raw = msgspec.Raw()


class Part(msgspec.Struct, rename="camel"):
    """A part of a message: text, a thought, a tool call, a tool's answer, or a file."""

    type: Any = None
    text: Any = None
    thought: Any = None
    function_call: msgspec.Raw = msgspec.Raw()
    function_response: msgspec.Raw = msgspec.Raw()
    inline_data: msgspec.Raw = msgspec.Raw()


class Counts(msgspec.Struct, rename="camel", gc=False):
    """Tokens as the Gemini API counts them, under the names of Gemini CLI's files and of the API itself."""

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    thoughts: int | None = None
    tool: int | None = None
    total: int | None = None
    prompt_token_count: int | None = None
    candidates_token_count: int | None = None
    cached_content_token_count: int | None = None
    thoughts_token_count: int | None = None
    tool_use_prompt_token_count: int | None = None
    total_token_count: int | None = None


_BLOB = msgspec.json.Decoder(Blob)
_CALL = msgspec.json.Decoder(Call)
_PART = msgspec.json.Decoder(Part)
_COUNTS = msgspec.json.Decoder(Counts)
_STRING = msgspec.json.Decoder(str)
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def inner(raw: msgspec.Raw, decoder: msgspec.json.Decoder[T]) -> T | None:
    """A value that was left raw; None if it is absent or of another shape (then there is nothing in it for us)."""
    data = bytes(raw)
    if not data:
        return None
    try:
        return decoder.decode(data)
    except (ValueError, RecursionError):
        pass
    try:
        return decoder.decode(mended(data))
    except (ValueError, RecursionError):
        return None


def text_of(value: object) -> str:
    """A field that should be text; '' for anything else."""
    return value if isinstance(value, str) else ""


def string(raw: msgspec.Raw) -> str:
    """A raw value that should be text; '' for anything else."""
    return (inner(raw, _STRING) or "") if bytes(raw).startswith(b'"') else ""


def one_line(text: str) -> str:
    """The beginning of a text as a title: one line of at most 80 characters."""
    words = " ".join(text[:2000].split())
    return words if len(words) <= TITLE_CHARS else words[: TITLE_CHARS - 1].rstrip() + "…"


def lasting(name: str, time: int) -> str:
    """What a message keeps in a copy of its session. Short ids (eight digits, `call_1`) recur in other sessions: there the
    time belongs to them."""
    return name if len(name) >= LONG_ID or not time else f"{name}:{time}"


def is_own(*names: str) -> bool:
    """Whether a tool (its name, its server's name) is one of ours."""
    return any(OWN_TOOL in name.lower() for name in names)


# --- parts ------------------------------------------------------------------------------------------------------------
def items_of(raw: msgspec.Raw) -> list[msgspec.Raw]:
    """The items of a raw list, or the one thing that stands there instead of a list."""
    data = bytes(raw)
    if not data or data == b"null":
        return []
    return (inner(raw, _ITEMS) or []) if data.startswith(b"[") else [raw]


def parts_of(raw: msgspec.Raw) -> list[Part]:
    """The parts of a message: written as a text, one part, or a list of both."""
    parts = []
    for item in items_of(raw):
        part = Part(text=string(item)) if bytes(item).startswith(b'"') else inner(item, _PART)
        if part is not None:
            parts.append(part)
    return parts


def called(part: Part) -> Call | None:
    """The tool call that a part is, if it is one."""
    return inner(part.function_call, _CALL) if bytes(part.function_call) else None


def answered(part: Part) -> Call | None:
    """The tool's answer that a part is, if it is one."""
    return inner(part.function_response, _CALL) if bytes(part.function_response) else None


def plain(parts: list[Part]) -> str:
    """All text of parts, files as placeholders; without thoughts, tool calls and answers."""
    texts = (text_of(part.text) or placeholder(part) for part in parts if part.thought is not True)
    return "\n".join(text for text in texts if text)


def thoughts(parts: list[Part]) -> str:
    texts = (text_of(part.text) for part in parts if part.thought is True)
    return "\n".join(text for text in texts if text)


def placeholder(part: Part) -> str:
    """'[image png 3 MB]': what was pasted, never its content; '' for a part that is no file."""
    blob = inner(part.inline_data, _BLOB)
    if blob is None:
        return "[image]" if part.type == "image" else ""
    return media(text_of(blob.mime_type), len(bytes(blob.data)) - 2)


def media(mime: str, encoded: int) -> str:
    """A placeholder by media type and length of the base64 text."""
    family, _, kind = mime.lower().partition("/")
    family = family if family in ("image", "audio", "video") else "document"
    kind = re.sub(r"[^a-z0-9]", "", kind.partition("+")[0])[:12]
    size = max(encoded, 0) * 3 // 4
    amount = f"{round(size / 1048576)} MB" if size >= 1 << 20 else f"{max(round(size / 1024), 1)} KB"
    return " ".join(part for part in (f"[{family}", kind, amount) if part) + "]"


# --- what a program puts around the person's words ----------------------------------------------------------------------
_FILES, _FILES_END = "--- Content from referenced files ---", "--- End of content ---"
_COMMAND = re.compile(r"[/?][A-Za-z][\w:.-]*(?=\s|$)")


def without_files(text: str) -> str:
    """A prompt without the contents of the files that it names with @, up to their end mark or to its own end."""
    kept, at = [], 0
    while (start := text.find(_FILES, at)) >= 0:
        kept.append(text[at:start].strip())
        end = text.find(_FILES_END, start)
        at = len(text) if end < 0 else end + len(_FILES_END)
    return "\n".join((*kept, text[at:].strip())).strip() if kept else text


def without_blocks(text: str, names: tuple[str, ...]) -> str:
    """A text without the blocks `<name>…</name>`. One that does not end stays."""
    for name in names:
        kept, at = [], 0
        while (start := text.find(f"<{name}>", at)) >= 0 and (end := text.find(f"</{name}>", start)) >= 0:
            kept.append(text[at:start])
            at = end + len(name) + 3
        text = "".join((*kept, text[at:])) if kept else text
    return text


def is_command(text: str) -> bool:
    """Whether a prompt is a slash command of the program."""
    return _COMMAND.match(text) is not None


def is_bare_command(text: str) -> bool:
    """Whether a prompt is a slash command without any words of the person's."""
    return _COMMAND.fullmatch(text.strip()) is not None


# --- tools --------------------------------------------------------------------------------------------------------------
_FIRST = ("command", "file_path", "absolute_path", "notebook_path", "path", "pattern", "url", "query", "description", "prompt")
_TARGETS = ("file_path", "absolute_path", "notebook_path", "path")
_ANSWERS = ("output", "error", "stdout", "stderr", "text", "content", "message", "result")


def call_words(arguments: msgspec.Raw) -> tuple[str, tuple[str, ...]]:
    """A tool call's arguments in words, and the files they name: what it is about first, then the rest by name.

    Arguments may also be an object written as a text; any other text stands for itself.
    """
    text = string(arguments)
    if text:
        if not text.lstrip().startswith("{"):
            return text, ()
        arguments = msgspec.Raw(text.encode("utf-8", "replace"))
    given = inner(arguments, _FIELDS)
    if given is None:
        return text, ()
    values = {name: _value(raw) for name, raw in given.items()}
    lines = [values[name] for name in _FIRST if values.get(name)]
    lines += [f"{name}: {value}" for name, value in values.items() if name not in _FIRST and value]
    return "\n".join(lines), tuple(dict.fromkeys(values[name] for name in _TARGETS if values.get(name)))


def raw_arguments(arguments: msgspec.Raw, tool: str, limits: Limits) -> str:
    """A tool call's arguments as JSON, as they were written, where the tool is a chat with people; else ''."""
    if not limits.is_chat(tool):
        return ""
    text = string(arguments) or bytes(arguments)[:ARGUMENT_CHARS].decode("utf-8", "replace")
    return text[:ARGUMENT_CHARS]


def cut_result(text: str, tool: str, limits: Limits) -> str:
    """A tool's result, cut to what is kept of it."""
    return head_and_tail(text, CHAT_CHARS if limits.is_chat(tool) else limits.tool_chars)


def answer_words(response: msgspec.Raw) -> str:
    """What a tool answered: a text, the known fields of an object, or its fields by name."""
    data = bytes(response)
    if not data.startswith(b"{"):
        return plain(parts_of(response))
    fields = inner(response, _FIELDS) or {}
    texts = []
    for name in _ANSWERS:
        raw = fields.get(name)
        if raw is not None:
            texts.append(answer_words(raw) if bytes(raw).startswith(b"{") else plain(parts_of(raw)))
    return "\n".join(text for text in texts if text) or call_words(response)[0]


def _value(raw: msgspec.Raw) -> str:
    data = bytes(raw)
    if data.startswith(b'"'):
        return string(raw)
    return "" if data == b"null" else data.decode("utf-8", "replace")


# --- tokens -------------------------------------------------------------------------------------------------------------
def usage_of(raw: msgspec.Raw, key: str, time: int, model: str) -> Usage | None:
    """The tokens of one model call, made disjoint; None where nothing was counted.

    The prompt's count holds the cached tokens. Thoughts stand beside the answer where the sum says so (the Gemini API),
    and inside it where it does not (other models behind the same interface).
    """
    counts = inner(raw, _COUNTS) if bytes(raw).startswith(b"{") else None
    if counts is None or not key:
        return None
    sent = _first(counts.input, counts.prompt_token_count)
    answer = _first(counts.output, counts.candidates_token_count)
    cached = _first(counts.cached, counts.cached_content_token_count)
    thought = _first(counts.thoughts, counts.thoughts_token_count)
    tool = _first(counts.tool, counts.tool_use_prompt_token_count)
    total = _first(counts.total, counts.total_token_count)
    if sent < 0 and answer < 0:
        return None
    if answer >= 0 and thought > 0 and not 0 <= total < max(sent, 0) + answer + thought:
        answer += thought
    if sent >= 0:
        sent = max(sent - max(cached, 0), 0) + max(tool, 0)
    return Usage(key=key, time=time, model=model, input=sent, output=answer, cache_read=cached)


def _first(*values: int | None) -> int:
    return next((max(value, -1) for value in values if value is not None), -1)
