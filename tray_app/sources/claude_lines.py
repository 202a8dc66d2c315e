"""What stands in one line of a Claude Code session file.

Owns the typed shapes (only the fields that are used; nothing is searched for recursively) and the pure functions that make
text out of them: the person's words without what the program put around them, a tool call in words, a tool's output, an
image as a placeholder. Knows nothing of files, order or earlier lines.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from tray_app.sources.base import ARGUMENT_CHARS
from tray_app.sources.jsonl import mended

T = TypeVar("T")


class Kind(msgspec.Struct, gc=False):
    """The first look at a line: which kind it is. Large request logs cost no more than this."""

    type: str = ""


class Source(msgspec.Struct):
    type: Any = None
    media_type: Any = None
    data: msgspec.Raw = msgspec.Raw()


class Block(msgspec.Struct):
    """A content block of any kind. Fields that differ between kinds stay raw until the kind is known."""

    type: Any = None
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    input: msgspec.Raw = msgspec.Raw()
    tool_use_id: Any = None
    content: msgspec.Raw = msgspec.Raw()
    source: msgspec.Raw = msgspec.Raw()


Content = str | list[Block | str] | None


class Tokens(msgspec.Struct, gc=False):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class Said(msgspec.Struct):
    """The message inside a user or assistant line."""

    id: Any = None
    role: Any = None
    model: Any = None
    content: Content = None
    usage: msgspec.Raw = msgspec.Raw()


class Origin(msgspec.Struct):
    kind: Any = None
    sender: Any = msgspec.field(default=None, name="from")


class Chain(msgspec.Struct, rename="camel"):
    """A user or assistant line. Fields typed Any are coerced where used: an odd one must not cost the words."""

    type: str = ""
    message: Said | None = None
    uuid: Any = None
    session_id: Any = None
    request_session_id: Any = None
    timestamp: Any = None
    cwd: Any = None
    git_branch: Any = None
    version: Any = None
    is_sidechain: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    is_visible_in_transcript_only: Any = None
    is_api_error_message: Any = None
    prompt_source: Any = None
    turn_origin: Any = None
    row_source: Any = None
    origin: msgspec.Raw = msgspec.Raw()


class AttachmentKind(msgspec.Struct, gc=False):
    type: Any = None


class AttachmentLook(msgspec.Struct):
    attachment: AttachmentKind | None = None


class Queued(msgspec.Struct, rename="camel"):
    """`queued_command`: words that the person typed while a tool ran."""

    prompt: Content = None
    command_mode: Any = None
    source_uuid: Any = msgspec.field(default=None, name="source_uuid")
    timestamp: Any = None
    is_meta: Any = None
    origin: msgspec.Raw = msgspec.Raw()


class QueuedLine(msgspec.Struct, rename="camel"):
    attachment: Queued | None = None
    uuid: Any = None
    session_id: Any = None
    timestamp: Any = None
    cwd: Any = None
    git_branch: Any = None
    version: Any = None
    is_sidechain: Any = None


class TitleLine(msgspec.Struct, rename="camel"):
    """`summary`, `ai-title`, `custom-title` and `relocated` lines."""

    summary: Any = None
    leaf_uuid: Any = None
    ai_title: Any = None
    custom_title: Any = None
    relocated_cwd: Any = None
    session_id: Any = None


class AgentMeta(msgspec.Struct, rename="camel"):
    """The .meta.json beside a sub-agent's file."""

    agent_type: Any = None
    description: Any = None


TITLE_CHARS = 80
LABEL_CHARS = 8_000

SIDE_KINDS = frozenset(
    {
        *("system", "attachment", "summary", "ai-title", "custom-title", "agent-name", "agent-setting", "agent-color"),
        *("tag", "last-prompt", "pr-link", "frame-link", "mode", "permission-mode", "worktree-state", "queue-operation"),
        *("file-history-snapshot", "progress", "cost-state", "tools-used", "atis-latch", "bridge-session", "relocated"),
        *("started", "result", "fork-context-ref", "content-replacement"),
    }
)


def known_kind(kind: str) -> bool:
    """Whether this adapter knows what a line of this kind is, even if it holds nothing for us."""
    return kind in ("user", "assistant") or kind in SIDE_KINDS or kind.startswith("api-request")


_SOURCE = msgspec.json.Decoder(Source)
_CONTENT = msgspec.json.Decoder(Content)
_INPUT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_STRING = msgspec.json.Decoder(str)
_TOKENS = msgspec.json.Decoder(Tokens)
_ORIGIN = msgspec.json.Decoder(Origin)


def _inner(raw: msgspec.Raw, decoder: msgspec.json.Decoder[T]) -> T | None:
    """A part that was left raw; None if it is absent or of another shape (then there is nothing in it for us)."""
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


def one_line(text: str) -> str:
    """The beginning of a prompt as a title: one line of at most 80 characters."""
    words = " ".join(text[:2000].split())
    return words if len(words) <= TITLE_CHARS else words[: TITLE_CHARS - 1].rstrip() + "…"


def version_of(value: object) -> tuple[int, ...]:
    """'2.1.332' as (2, 1, 332); () if it is no version."""
    return tuple(int(part) for part in re.findall(r"\d{1,9}", text_of(value))[:4])


def tokens_of(said: Said) -> Tokens | None:
    return _inner(said.usage, _TOKENS)


# --- the person's words ---------------------------------------------------------------------------------------------
WRAPPERS = (
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "user-prompt-submit-hook",
    "session-start-hook",
)
"""What the program puts in front of a prompt: taken off, the rest is kept."""

NOT_SAID = (
    "<command-",
    "<local-command-",
    "Caveat: The messages below were generated by the user while running local commands",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<teammate-message",
    "[Request interrupted",
    "Stop hook feedback:",
)
CONTINUED = "This session is being continued from a previous conversation"
_COMMAND = re.compile(r"<command-(name|args)>(.*?)</command-\1>", re.DOTALL)
_OTHERS = frozenset({"task-notification", "hook", "system", "agent", "teammate", "channel", "coordinator", "harness"})


def without_wrappers(text: str) -> str:
    """The text without the program's blocks in front; '' if such a block does not end."""
    at = 0
    while True:
        while text[at : at + 1].isspace():
            at += 1
        name = next((name for name in WRAPPERS if text.startswith((f"<{name}>", f"<{name} "), at)), "")
        if not name:
            return text[at:].strip()
        closed = text.find(f"</{name}>", at)
        if closed < 0:
            return ""
        at = closed + len(name) + 3


def said_by_person(text: str) -> str:
    """The person's part of one text block; '' if it is all the program's."""
    text = without_wrappers(text)
    return "" if text.startswith(NOT_SAID) else text


def command_label(text: str) -> str:
    """'/name args' of a slash command that was given words; '' otherwise. Those words are the person's, but not a prompt."""
    text = without_wrappers(text)[:LABEL_CHARS]
    if not text.startswith("<command-"):
        return ""
    parts = {match[1]: match[2].strip() for match in _COMMAND.finditer(text)}
    return f"{parts.get('name', '')} {parts['args']}".strip() if parts.get("args") else ""


def from_another(raw: msgspec.Raw) -> bool:
    """Whether a line's `origin` says that a program or another agent sent it."""
    origin = _inner(raw, _ORIGIN)
    return origin is not None and (text_of(origin.kind) in _OTHERS or bool(text_of(origin.sender)))


def spoken(content: Content) -> str:
    """All that the person said in a message, with placeholders for images and documents; '' if nothing."""
    if isinstance(content, str):
        return said_by_person(content)
    parts = []
    for block in content or ():
        if isinstance(block, str):
            parts.append(said_by_person(block))
        elif block.type == "text":
            parts.append(said_by_person(text_of(block.text)))
        elif block.type in ("image", "document"):
            parts.append(placeholder(block))
    return "\n".join(part for part in parts if part)


def plain(content: Content) -> str:
    """All text of a message, as it stands."""
    if isinstance(content, str):
        return content
    parts = []
    for block in content or ():
        if isinstance(block, str):
            parts.append(block)
        elif block.type == "text":
            parts.append(text_of(block.text))
        elif block.type in ("image", "document"):
            parts.append(placeholder(block))
    return "\n".join(part for part in parts if part)


def placeholder(block: Block) -> str:
    """'[image png 3 MB]': what was pasted, never its content. The size comes from the length of the base64 text."""
    source = _inner(block.source, _SOURCE)
    if source is None or source.type != "base64":
        return f"[{block.type}]"
    size = max(len(bytes(source.data)) - 2, 0) * 3 // 4
    kind = re.sub(r"[^a-z0-9]", "", text_of(source.media_type).rpartition("/")[2].partition("+")[0].lower())[:12]
    amount = f"{round(size / 1048576)} MB" if size >= 1 << 20 else f"{max(round(size / 1024), 1)} KB"
    return " ".join(part for part in (f"[{block.type}", kind, amount) if part) + "]"


# --- tools ----------------------------------------------------------------------------------------------------------
_FIRST = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description", "prompt")
_TARGETS = ("file_path", "notebook_path")


def tool_call(block: Block) -> tuple[str, tuple[str, ...]]:
    """A tool call in words, and the files it names: what it is about first, then the other arguments, each by its name."""
    given = _inner(block.input, _INPUT)
    if given is None:
        return "", ()
    values: dict[str, str] = {}
    for name, raw in given.items():
        data = bytes(raw)
        values[name] = (_inner(raw, _STRING) or "") if data.startswith(b'"') else data.decode("utf-8", "replace")
    lines = [values[name] for name in _FIRST if values.get(name)]
    lines += [f"{name}: {value}" for name, value in values.items() if name not in _FIRST and value]
    return "\n".join(lines), tuple(values[name] for name in _TARGETS if values.get(name))


def raw_arguments(block: Block) -> str:
    """A tool call's arguments as they were written, for whoever knows the tool."""
    return bytes(block.input)[:ARGUMENT_CHARS].decode("utf-8", "replace")


def tool_result(block: Block) -> str:
    """The text of a tool's output, images as placeholders."""
    return plain(_inner(block.content, _CONTENT))
