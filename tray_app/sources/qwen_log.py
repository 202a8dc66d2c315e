"""A session that its agent only appends to: what the readings of Qwen Code, pi and Copilot CLI have in common.

Owns the memory that a checkpoint carries, repetitions within the file, tool calls and their results, the title, the
session's bounds, and the `Reading` at the end. Knows no agent's fields: each agent's own module takes the lines apart.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import msgspec

from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Limits, Message, NotReady, Reading, Session, Stop, Unit, Usage
from tray_app.sources.claude_times import Bounds, Group
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.gemini_words import (
    RANK_PROMPT,
    call_words,
    is_bare_command,
    is_own,
    lasting,
    one_line,
    raw_arguments,
)
from tray_app.sources.jsonl import Collector, Records
from tray_app.sources.lines import Line
from tray_app.text.own_marks import gives_pack

RECENT_KEPT = 256
CALLS_KEPT = 128
MARK = 8


class Memory(msgspec.Struct):
    """What a checkpoint carries from one reading to the next."""

    session: str = ""
    headed: bool = False
    """The session's own header was read (in formats that have one)."""
    parent: str = ""
    cwd: str = ""
    model: str = ""
    branch: str = ""
    version: str = ""
    kind: str = "main"
    title: str = ""
    title_rank: int = -1
    calls: dict[str, str] = {}
    """Tool by call id, for the results to come; '' for calls that are left out."""
    recent: bytes = b""
    """Eight bytes for each of the last messages, to know a repetition."""
    last: int = 0
    """Time of the last record that had one."""
    low: int = 0
    high: int = 0
    times: list[Group] = []


M = TypeVar("M", bound=Memory)


class LogReading(ABC, Generic[M]):
    """Reads the lines of one file into messages. Used once: `run`."""

    has_header = False
    """Whether the format has a header, whose loss is told."""

    def __init__(self, unit: Unit, records: Records, limits: Limits, memory: M, seq: int) -> None:
        self.unit, self.records, self.limits, self.memory, self.seq = unit, records, limits, memory, seq
        memory.session = memory.session or unit.session
        memory.parent = memory.parent or unit.parent
        memory.kind = unit.kind if unit.kind != "main" else memory.kind
        self.collector = Collector(limits)
        self.usage: dict[str, Usage] = {}
        self.bounds = Bounds(memory.low, memory.high, memory.times)
        recent = memory.recent
        self.seen = dict.fromkeys(recent[at : at + MARK] for at in range(0, len(recent), MARK))
        """The mark of each message of this file, in order: of all that this reading gave, and the last ones before."""
        self.recognised = self.repeated = 0
        self.unknown = UnknownKinds()

    @abstractmethod
    def take(self, line: Line) -> None:
        """One line; counts it as recognised or unknown unless it could not be decoded."""

    def run(self) -> Reading:
        for line in self.records:
            self.take(line)
        return self._finish()

    # --- for the agents' own readings -----------------------------------------------------------------------------------
    def say(
        self,
        line: Line,
        message_id: str,
        role: str,
        text: str,
        time: int,
        *,
        identity: str = "",
        tool: str = "",
        files: tuple[str, ...] = (),
        arguments: str = "",
    ) -> bool:
        """Add a message unless it is empty or repeats one of this file. True if it was added."""
        if not text.strip():
            return False
        message_id = message_id or f"{self.memory.session}:{line.number}"
        identity = identity or lasting(message_id, time)
        mark = hashlib.blake2b(f"{role}\n{identity}\n{text}".encode("utf-8", "replace"), digest_size=MARK).digest()
        if mark in self.seen:
            self.repeated += 1
            return False
        self.seen[mark] = None
        self.at(time)
        self.bounds.add(time)
        time = time or self.memory.last
        self.collector.add(Message(message_id, role, text, time, self.seq, line.offset, identity, tool, files, arguments))
        self.seq += 1
        if (role == "user" or (role == "note" and self.memory.kind == "subagent")) and not is_bare_command(text):
            self.entitle(RANK_PROMPT, text)
        return True

    def call(self, line: Line, call_id: str, tool: str, arguments: msgspec.Raw, time: int, server: str = "") -> None:
        """A tool call; ours are left out, with their results. `arguments`: an object, or a text that says all."""
        own = is_own(tool, server)
        if call_id:
            self.memory.calls[call_id] = "" if own else tool or "?"
        if self.limits.wants(tool) and (not own or gives_pack(tool)):
            text, files = call_words(arguments)
            given = raw_arguments(arguments, tool, self.limits)
            name = call_id or f"{self.memory.session}:{line.number}:{tool}"
            identity = f"{lasting(name, time)}:call"
            self.say(line, name, "tool_call", text or tool, time, identity=identity, tool=tool, files=files, arguments=given)

    def result(self, line: Line, call_id: str, tool: str, text: str, time: int) -> None:
        """A tool's result. `tool` is its name where the result says it."""
        known = self.memory.calls.get(call_id)
        tool = tool or ("" if known is None or known == "?" else known)
        if known == "" or is_own(tool) or not self.limits.wants(tool):
            return
        name = call_id or f"{self.memory.session}:{line.number}:{tool}"
        self.say(line, name, "tool_result", text, time, identity=f"{lasting(name, time)}:result", tool=tool)

    def entitle(self, rank: int, text: str) -> None:
        """A title: the higher rank wins, then the later one; of prompts the first."""
        title = one_line(text)
        memory = self.memory
        if title and (rank > memory.title_rank or (rank == memory.title_rank and rank > RANK_PROMPT)):
            memory.title, memory.title_rank = title, rank

    def count(self, usage: Usage | None) -> None:
        """The last word on a model call counts."""
        if usage is not None:
            self.usage[usage.key] = usage

    def at(self, time: int) -> None:
        self.memory.last = time or self.memory.last

    # --- the end --------------------------------------------------------------------------------------------------------
    def _finish(self) -> Reading:
        records, memory = self.records, self.memory
        if not records.records and not records.skipped and not records.resumed:
            raise NotReady("no whole record yet")
        memory.recent = b"".join(list(self.seen)[-RECENT_KEPT:])
        memory.calls = dict(list(memory.calls.items())[-CALLS_KEPT:])
        memory.low, memory.high, memory.times = self.bounds.carry()
        start, end = self.bounds.span()
        session = Session(
            id=memory.session,
            cwd=memory.cwd,
            title=memory.title,
            title_rank=max(memory.title_rank, RANK_PROMPT),
            start=start,
            end=end,
            model=memory.model,
            branch=memory.branch,
            version=memory.version,
            kind=memory.kind,
            parent=memory.parent,
        )
        return Reading(
            session=session,
            messages=self.collector.messages(),
            usage=list(self.usage.values()),
            problems=[self._about_header(problem) for problem in records.problems],
            checkpoint=records.checkpoint(self.seq, msgspec.msgpack.encode(memory)),
            bytes_read=records.bytes_read,
            records=records.records,
            recognised=self.recognised,
            skipped=records.skipped,
            unknown=self.unknown.total(),
            unknown_kinds=self.unknown,
            repeated=self.repeated,
            truncated=self.collector.truncated,
            resumed=records.resumed,
            growing=records.growing,
        )

    def _about_header(self, problem: Problem) -> Problem:
        """A first line that cannot be read is the session's header: said as such."""
        if not self.has_header or self.memory.headed or problem.line != 1 or problem.kind not in ("bad_json", "bad_record"):
            return problem
        reason = "the session's header is damaged: its folder is unknown"
        return msgspec.structs.replace(problem, kind="torn_header", reason=reason)


def read_log(
    unit: Unit,
    checkpoint: Checkpoint | None,
    limits: Limits,
    stop: Stop,
    memory_type: type[M],
    reading_type: type[LogReading[M]],
) -> Reading:
    """Read a file from the checkpoint where it fits, else whole. A checkpoint that another version of us wrote does not."""
    memory = None
    if checkpoint is not None:
        try:
            memory = msgspec.msgpack.decode(checkpoint.state, type=memory_type)
        except (msgspec.MsgspecError, ValueError):
            checkpoint = None
    with Records(unit.path, unit.agent, checkpoint, limits, stop) as records:
        if checkpoint is None or memory is None or not records.resumed:
            return reading_type(unit, records, limits, memory_type(), 0).run()
        return reading_type(unit, records, limits, memory, checkpoint.seq).run()
