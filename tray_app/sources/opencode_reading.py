"""From the messages and parts of one session, in their order, to a Reading.

Owns what each kind of part means, for OpenCode and the programs that keep its shape; who may speak as the person is told
by a `Rules` object. Opens no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from tray_app.records import Problem
from tray_app.sources import opencode_lines as shapes
from tray_app.sources.base import Limits, Reading, Session, Usage
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.json_values import arguments, decoded, output, text_of
from tray_app.sources.talk import BY_MODEL, BY_PROMPT, Talk

T = TypeVar("T")

PROBLEMS_KEPT = 200


class Rules(msgspec.Struct, frozen=True):
    """What differs between the programs of this shape."""

    speaker: Callable[[shapes.MessageData], str]
    """The role a message's text is given: user | assistant | summary | note, or '' for what was injected."""
    words: Callable[[str], str]
    """The person's own words in one of their texts."""


class SessionFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    cwd: str = ""
    title: str = ""
    model: str = ""
    version: str = ""
    parent: str = ""
    subagent: bool = False
    created: object = None
    updated: object = None
    archived: bool = False


class StoredPart(msgspec.Struct, frozen=True):
    """`data` is None where it is larger than may be read."""

    id: str
    time: int
    data: bytes | None


class StoredMessage(msgspec.Struct, frozen=True):
    id: str
    time: int
    data: bytes | None
    parts: Iterable[StoredPart]


class SessionFold:
    """Takes messages in order; `reading` then gives the result. Used once."""

    def __init__(self, facts: SessionFacts, rules: Rules, limits: Limits, path: str, agent: str) -> None:
        self.facts, self.rules, self.limits, self.path, self.agent = facts, rules, limits, path, agent
        self.talk = Talk(facts.id, limits, subagent=facts.subagent)
        self.model = facts.model
        self.problems: list[Problem] = []
        self.records = self.recognised = self.skipped = self.bytes_read = 0
        self.unknown = UnknownKinds()

    def take(self, stored: StoredMessage) -> None:
        """One message with its parts."""
        message = self._decoded(stored.id, stored.data, shapes.MESSAGE)
        if message is None:
            return
        role = text_of(message.role)
        if role not in ("user", "assistant"):
            if role != "system":
                self.unknown.met(f"message/{role}")
            self.recognised += role == "system"
            return
        self.recognised += 1
        time = shapes.time_of(message.time, "created") or stored.time
        self.talk.mark(time)
        speaker = self.rules.speaker(message)
        if role == "assistant":
            self.model = shapes.model_of(message) or self.model
            usage = shapes.usage_of(stored.id, message, time)
            if usage is not None:
                self.talk.count(usage)
        said = 0
        for part in stored.parts:
            said += self._part(part, stored.id, role, speaker, time, said)

    def usage(self, usage: Usage) -> None:
        self.talk.count(usage)

    def _part(self, stored: StoredPart, message: str, role: str, speaker: str, time: int, said: int) -> bool:
        part = self._decoded(stored.id, stored.data, shapes.PART)
        if part is None:
            return False
        kind = text_of(part.type)
        moment = shapes.time_of(part.time, "start") if role == "assistant" else 0
        moment = moment or time or stored.time
        own = text_of(part.id) or stored.id
        self.recognised += 1
        if kind == "text":
            if part.synthetic is True or part.ignored is True or not speaker:
                return False
            text = text_of(part.text)
            if role == "user":
                text = self.rules.words(text)
            name = message if not said else f"{message}:{said}"
            return self.talk.say(speaker, text, moment, name=name, identity=f"{time}:{said}" if time else "")
        if kind in ("reasoning", "thinking"):
            self.talk.think(text_of(part.text) or text_of(part.thinking), moment, name=own)
        elif kind in ("tool", "tool_use", "tool-call", "tool_call"):
            self._tool(part, own, moment)
        elif kind in ("tool_result", "tool-result"):
            call = text_of(part.tool_use_id) or text_of(part.call_id) or text_of(part.tool_call_id)
            found = output(part.content) if bytes(part.content) else output(part.output)
            self.talk.result(found, moment, call=call, tool=text_of(part.name))
        elif kind == "subtask":
            self.talk.say("note", text_of(part.prompt), moment, name=own)
        elif kind in shapes.SILENT_PARTS:
            if kind in ("file", "image") and role == "user" and text_of(part.mime).startswith("image/"):
                self.talk.say(speaker, f"[image {text_of(part.mime)[6:18]}]" if speaker else "", moment, name=own)
        else:
            self.recognised -= 1
            self.unknown.met(f"part/{kind}")
        return False

    def _tool(self, part: shapes.Part, own: str, moment: int) -> None:
        tool = text_of(part.tool) or text_of(part.name)
        call = text_of(part.call_id) or text_of(part.tool_call_id) or own
        state = decoded(part.state, shapes.STATE) or shapes.ToolState()
        moment = shapes.time_of(state.time, "start") or moment
        text, files = arguments(state.input if bytes(state.input) else part.input)
        self.talk.call(tool, text, files, moment, call=call, given=state.input if bytes(state.input) else part.input)
        found = "\n".join(words for words in (output(state.output), shapes.tool_error(state)) if words)
        if found:
            self.talk.result(found, moment, call=call, tool=tool)

    def _decoded(self, name: str, data: bytes | None, decoder: msgspec.json.Decoder[T]) -> T | None:
        self.records += 1
        if data is None:
            self._skip(name, "oversize_line", f"a record larger than {self.limits.line_bytes >> 20} MB")
            return None
        self.bytes_read += len(data)
        value = decoded(data, decoder)
        if value is None:
            self._skip(name, "bad_record", "not a record of a known shape")
        return value

    def _skip(self, name: str, kind: str, reason: str) -> None:
        self.skipped += 1
        if len(self.problems) < PROBLEMS_KEPT:
            where = f"{self.path}#{name}" if name else self.path
            self.problems.append(Problem(path=where, line=0, offset=0, kind=kind, reason=reason, agent=self.agent))

    def reading(self) -> Reading:
        facts, talk = self.facts, self.talk
        title = "" if shapes.is_made_title(facts.title) else facts.title
        start, end = milliseconds(facts.created), milliseconds(facts.updated)
        return Reading(
            session=Session(
                id=facts.id,
                cwd=facts.cwd,
                title=title or talk.memory.title,
                title_rank=BY_MODEL if title else BY_PROMPT,
                start=talk.memory.start or start,
                end=talk.memory.end or end,
                model=self.model,
                version=facts.version,
                kind="subagent" if facts.subagent else "main",
                parent=facts.parent,
                archived=facts.archived,
            ),
            messages=talk.collector.messages(),
            usage=list(talk.usage.values()),
            problems=self.problems,
            checkpoint=None,
            bytes_read=self.bytes_read,
            records=self.records,
            recognised=self.recognised,
            skipped=self.skipped,
            unknown=self.unknown.total(),
            unknown_kinds=self.unknown,
            truncated=talk.collector.truncated,
        )
