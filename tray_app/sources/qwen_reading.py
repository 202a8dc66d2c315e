"""From the lines of one Qwen Code session to its facts, messages and token counts.

Owns what each kind of record means. Finds and opens no file.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tray_app.sources import gemini_words as words
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.gemini_words import text_of
from tray_app.sources.lines import Line
from tray_app.sources.qwen_log import LogReading, Memory

PERSON = "real_user"
SAID_BY_PERSON = frozenset({"", "mid_turn_user_message"})
_MID_TURN = "[User message received during tool execution]:"
_SNAPSHOT = "<state_snapshot>"
GATEWAY = "tool_call"
"""The tool through which servers' tools are called that the model was not shown: which one is meant says an argument."""


class Record(msgspec.Struct, rename="camel"):
    """A line of any kind. Fields typed Any are coerced where used: an odd one must not cost the words."""

    uuid: Any = None
    type: Any = None
    subtype: Any = None
    provenance: Any = None
    session_id: Any = None
    timestamp: Any = None
    cwd: Any = None
    version: Any = None
    git_branch: Any = None
    model: Any = None
    is_sidechain: Any = None
    agent_id: Any = None
    message: msgspec.Raw = msgspec.Raw()
    usage_metadata: msgspec.Raw = msgspec.Raw()
    system_payload: msgspec.Raw = msgspec.Raw()
    forked_from: msgspec.Raw = msgspec.Raw()


class Content(msgspec.Struct):
    role: Any = None
    parts: msgspec.Raw = msgspec.Raw()


class Payload(msgspec.Struct, rename="camel"):
    """`systemPayload`, as far as any subtype's is used."""

    display_text: Any = None
    custom_title: Any = None
    title_source: Any = None
    parent_session_id: Any = None
    phase: Any = None
    raw_command: Any = None
    sent_to_model: Any = None
    model_id: Any = None
    compressed_history: msgspec.Raw = msgspec.Raw()


class Origin(msgspec.Struct, rename="camel"):
    session_id: Any = None


class Passed(msgspec.Struct):
    """What the gateway is given."""

    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()


_RECORD = msgspec.json.Decoder(Record)
_CONTENT = msgspec.json.Decoder(Content)
_PAYLOAD = msgspec.json.Decoder(Payload)
_ORIGIN = msgspec.json.Decoder(Origin)
_PASSED = msgspec.json.Decoder(Passed)


class QwenMemory(Memory):
    """Beyond what every log needs: the version of the program that was last seen to mark who said something."""

    marked: str | None = None


class QwenReading(LogReading[QwenMemory]):
    """The records of one file, in the order of the file."""

    def take(self, line: Line) -> None:
        record = self.records.decode(line, _RECORD)
        if record is None:
            return
        kind, time = text_of(record.type), milliseconds(record.timestamp)
        if kind not in ("user", "assistant", "tool_result", "system"):
            self.unknown.met(record.type)
            return
        self.recognised += 1
        self._facts(record)
        if kind == "system":
            self._system(line, record, time)
            return
        content = words.inner(record.message, _CONTENT)
        parts = words.parts_of(content.parts) if content is not None else []
        if kind == "user":
            self._user(line, record, parts, time)
        elif kind == "assistant":
            self._assistant(line, record, parts, time)
        else:
            self._results(line, parts, time)
        self.at(time)

    def _facts(self, record: Record) -> None:
        memory = self.memory
        memory.headed = True
        if text_of(record.provenance):
            memory.marked = text_of(record.version)
        session = text_of(record.session_id)
        if self.unit.kind == "subagent":
            memory.parent = memory.parent or session
        elif session and not self.seq:
            memory.session = session
        memory.cwd = memory.cwd or text_of(record.cwd)
        memory.version = text_of(record.version) or memory.version
        memory.branch = text_of(record.git_branch) or memory.branch
        origin = words.inner(record.forked_from, _ORIGIN) if bytes(record.forked_from) else None
        if origin is not None and not memory.parent:
            parent = text_of(origin.session_id)
            memory.parent = parent if parent != memory.session else ""

    def _is_person(self, record: Record) -> bool:
        provenance = text_of(record.provenance)
        if provenance or self.memory.marked == text_of(record.version):
            return provenance == PERSON
        return text_of(record.subtype) in SAID_BY_PERSON

    def _user(self, line: Line, record: Record, parts: list[words.Part], time: int) -> None:
        if any(bytes(part.function_response) for part in parts):
            self._results(line, parts, time)
        side = self.unit.kind == "subagent" or record.is_sidechain is True or bool(text_of(record.agent_id))
        if not side and not self._is_person(record):
            return
        payload = words.inner(record.system_payload, _PAYLOAD) if bytes(record.system_payload) else None
        text = text_of(payload.display_text) if payload is not None else ""
        if not text:
            text = words.without_files(words.plain(parts)).strip().removeprefix(_MID_TURN)
        role = "note" if side or words.is_command(text.strip()) else "user"
        if not side and words.is_bare_command(text):
            return
        self.say(line, text_of(record.uuid), role, text.strip(), time)

    def _assistant(self, line: Line, record: Record, parts: list[words.Part], time: int) -> None:
        model, name = text_of(record.model), text_of(record.uuid) or f"{self.memory.session}:{line.number}"
        self.memory.model = model or self.memory.model
        self.count(words.usage_of(record.usage_metadata, name, time or self.memory.last, model))
        if self.limits.reasoning:
            self.say(line, f"{name}:thinking", "reasoning", words.thoughts(parts), time)
        self.say(line, name, "assistant", words.plain(parts), time)
        for part in parts:
            call = words.called(part)
            if call is not None:
                self.call(line, text_of(call.id), *_meant(text_of(call.name), call.args), time)

    def _results(self, line: Line, parts: list[words.Part], time: int) -> None:
        for part in parts:
            answer = words.answered(part)
            if answer is not None:
                tool = text_of(answer.name)
                tool = "" if tool == GATEWAY else tool  # then the call says which one it was
                self.result(line, text_of(answer.id), tool, words.answer_words(answer.response), time)

    def _system(self, line: Line, record: Record, time: int) -> None:
        subtype = text_of(record.subtype)
        if subtype not in ("custom_title", "parent_session", "slash_command", "chat_compression", "session_model"):
            return
        payload = words.inner(record.system_payload, _PAYLOAD)
        if payload is None:
            return
        if subtype == "custom_title":
            rank = words.RANK_MODEL if payload.title_source == "auto" else words.RANK_PERSON
            self.entitle(rank, text_of(payload.custom_title))
        elif subtype == "parent_session":
            self.memory.parent = text_of(payload.parent_session_id) or self.memory.parent
        elif subtype == "session_model":
            self.memory.model = text_of(payload.model_id) or self.memory.model
        elif subtype == "slash_command":
            command = text_of(payload.raw_command).strip()
            sent = payload.sent_to_model is True  # then it is a user record too
            if payload.phase == "invocation" and not sent and not words.is_bare_command(command):
                self.say(line, text_of(record.uuid), "note", command, time)
        else:
            self.say(line, text_of(record.uuid), "summary", _summary(payload.compressed_history), time)


def _summary(history: msgspec.Raw) -> str:
    """What a compaction made of the conversation before it; not the messages it kept."""
    texts = []
    for item in words.items_of(history):
        content = words.inner(item, _CONTENT)
        if content is not None:
            texts.append(words.plain(words.parts_of(content.parts)))
    return next((text for text in texts if _SNAPSHOT in text), next(iter(texts), ""))


def _meant(tool: str, arguments: msgspec.Raw) -> tuple[str, msgspec.Raw]:
    """The tool that is called, and with what: behind the gateway another one."""
    passed = words.inner(arguments, _PASSED) if tool == GATEWAY else None
    name = text_of(passed.name) if passed is not None else ""
    return (tool, arguments) if passed is None or not name else (name, passed.arguments)
