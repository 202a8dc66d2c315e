"""From the lines of one pi session to its facts, messages and token counts.

Owns what each kind of entry means. Finds and opens no file.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.sources.base import Usage
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.gemini_words import RANK_PERSON, inner, items_of, media, string, text_of
from tray_app.sources.lines import Line
from tray_app.sources.qwen_log import LogReading, Memory

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]{0,127}")
_NAMED = re.compile(r"_([0-9A-Za-z][0-9A-Za-z.-]*)\.jsonl$")
_SKILL = re.compile(r'<skill name="[^"]*"[^>]*>\n.*?\n</skill>', re.DOTALL)
_FILE = re.compile(r'\s*<file name="[^"]*"(?:\s*/>|>.*?</file>)', re.DOTALL)

SILENT = frozenset({"thinking_level_change", "custom", "custom_message", "label", "leaf", "active_tools_change"})
"""Entries that hold nothing anyone said. `custom_message` is what an extension put into the context."""


class Entry(msgspec.Struct, rename="camel"):
    """A line of any kind. Fields typed Any are coerced where used: an odd one must not cost the words."""

    type: Any = None
    id: Any = None
    timestamp: Any = None
    message: msgspec.Raw = msgspec.Raw()
    cwd: Any = None
    parent_session: Any = None
    branched_from: Any = None
    model_id: Any = None
    summary: Any = None
    name: Any = None


class Said(msgspec.Struct, rename="camel"):
    """The message of an entry, of any role."""

    role: Any = None
    content: msgspec.Raw = msgspec.Raw()
    timestamp: Any = None
    model: Any = None
    usage: msgspec.Raw = msgspec.Raw()
    response_id: Any = None
    tool_call_id: Any = None
    tool_name: Any = None
    command: msgspec.Raw = msgspec.Raw()
    output: Any = None
    summary: Any = None


class Block(msgspec.Struct, rename="camel"):
    type: Any = None
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()
    mime_type: Any = None
    data: msgspec.Raw = msgspec.Raw()


class Tokens(msgspec.Struct, rename="camel", gc=False):
    input: int = -1
    output: int = -1
    cache_read: int = -1
    cache_write: int = -1


_ENTRY = msgspec.json.Decoder(Entry)
_SAID = msgspec.json.Decoder(Said)
_BLOCK = msgspec.json.Decoder(Block)
_TOKENS = msgspec.json.Decoder(Tokens)


class PiMemory(Memory):
    """Nothing beyond what every log needs."""


class PiReading(LogReading[PiMemory]):
    """The entries of one file. The first version has no ids: its messages are named by session and line."""

    has_header = True

    def take(self, line: Line) -> None:
        entry = self.records.decode(line, _ENTRY)
        if entry is None:
            return
        kind, time = text_of(entry.type), milliseconds(entry.timestamp)
        self.recognised += 1
        if kind == "message":
            said = self.records.decode(Line(bytes(entry.message), line.offset, line.number), _SAID)
            if said is None:
                self.recognised -= 1
                return
            self._message(line, entry, said, milliseconds(said.timestamp) or time)
        elif kind == "session":
            self._header(entry, time)
        elif kind in ("compaction", "branch_summary"):
            name = self._name(line, entry)
            self.say(line, name, "summary", text_of(entry.summary), time, identity=self._identity(entry, time, kind))
        elif kind == "model_change":
            self.memory.model = text_of(entry.model_id) or self.memory.model
        elif kind == "session_info":
            self.entitle(RANK_PERSON, text_of(entry.name))
        elif kind not in SILENT:
            self.recognised -= 1
            self.unknown.met(kind)
        self.at(time)

    def _header(self, entry: Entry, time: int) -> None:
        memory = self.memory
        if memory.headed:
            return
        memory.headed = True
        if is_id(text_of(entry.id)) and not self.seq:
            memory.session = text_of(entry.id)
        memory.cwd = text_of(entry.cwd)
        memory.model = text_of(entry.model_id) or memory.model
        origin = text_of(entry.parent_session) or text_of(entry.branched_from)
        parent = named_id(origin) or (origin if is_id(origin) else "")
        memory.parent = parent if parent != memory.session else ""
        self.bounds.add(time)

    def _message(self, line: Line, entry: Entry, said: Said, time: int) -> None:
        role, name = text_of(said.role), self._name(line, entry)
        if role == "user":
            self.say(line, name, "user", person_words(plain(said.content)), time, identity=self._identity(entry, time, role))
        elif role == "assistant":
            self._assistant(line, entry, said, name, time)
        elif role == "toolResult":
            self.result(line, text_of(said.tool_call_id), text_of(said.tool_name), plain(said.content), time)
        elif role == "bashExecution":
            self.call(line, name, "bash", said.command, time)
            self.result(line, name, "bash", text_of(said.output), time)
        elif role in ("branchSummary", "compactionSummary"):
            self.say(line, name, "summary", text_of(said.summary), time, identity=self._identity(entry, time, role))
        elif role not in ("custom", "hookMessage", "system", "developer"):
            self.recognised -= 1
            self.unknown.met(f"message.{role}")

    def _assistant(self, line: Line, entry: Entry, said: Said, name: str, time: int) -> None:
        self.memory.model = text_of(said.model) or self.memory.model
        self._count(said, name, time)
        identity = self._identity(entry, time, "assistant")
        texts = 0
        for raw in items_of(said.content):
            block = Block(type="text", text=string(raw)) if bytes(raw).startswith(b'"') else inner(raw, _BLOCK)
            if block is None:
                continue
            if block.type == "text" and text_of(block.text).strip():
                mark = f":{texts}" if texts else ""
                texts += 1
                self.say(line, name + mark, "assistant", text_of(block.text), time, identity=identity and identity + mark)
            elif block.type == "thinking" and self.limits.reasoning:
                self.say(line, f"{name}:thinking", "reasoning", text_of(block.thinking), time)
            elif block.type == "toolCall":
                self.call(line, text_of(block.id), text_of(block.name), block.arguments, time)

    def _count(self, said: Said, name: str, time: int) -> None:
        tokens = inner(said.usage, _TOKENS)
        if tokens is None or max(tokens.input, tokens.output, tokens.cache_read, tokens.cache_write) <= 0:
            return  # nothing was said, or the call failed
        self.count(
            Usage(
                key=text_of(said.response_id) or name,
                time=time or self.memory.last,
                model=text_of(said.model),
                input=max(tokens.input, -1),
                output=max(tokens.output, -1),
                cache_read=max(tokens.cache_read, -1),
                cache_write=max(tokens.cache_write, -1),
            )
        )

    def _name(self, line: Line, entry: Entry) -> str:
        return text_of(entry.id) or f"{self.memory.session}:{line.number}"

    def _identity(self, entry: Entry, time: int, kind: str) -> str:
        """What a fork copies. The first version has no ids: who spoke when takes their place."""
        return "" if text_of(entry.id) or not time else f"{kind}:{time}"


def named_id(path: str) -> str:
    """The session's id in a file name `<time>_<id>.jsonl`; '' if there is none."""
    found = _NAMED.search(path)
    return found[1] if found else ""


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def plain(content: msgspec.Raw) -> str:
    """All text of a message, images as placeholders."""
    texts = []
    for raw in items_of(content):
        if bytes(raw).startswith(b'"'):
            texts.append(string(raw))
            continue
        block = inner(raw, _BLOCK)
        if block is None:
            continue
        if block.type == "image":
            texts.append(media(text_of(block.mime_type) or "image", len(bytes(block.data)) - 2))
        else:
            texts.append(text_of(block.text))
    return "\n".join(text for text in texts if text)


def person_words(text: str) -> str:
    """A prompt without what pi puts in front: the text of a skill that was called, the contents of files given with @."""
    if text.startswith("<skill "):
        skill = _SKILL.match(text)
        return text[skill.end() :].strip() if skill else ""
    at = 0
    while block := _FILE.match(text, at):
        at = block.end()
    return text[at:].strip()
