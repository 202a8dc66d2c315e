"""One session file of CodeBuddy Code or WorkBuddy, read line by line in the order of the file.

Owns what needs earlier lines: whether this file wraps the person's prompts, titles, the model, repetitions, and the memory
that a checkpoint carries. parentId chains are not followed: all branches of a rewind are kept.
"""

from __future__ import annotations

import hashlib

import msgspec

from tray_app.sources import codebuddy_lines as lines
from tray_app.sources import codebuddy_words as words
from tray_app.sources.base import Checkpoint, Limits, NotReady, Reading, Session, Unit, Usage
from tray_app.sources.base import Message as Said
from tray_app.sources.claude_lines import one_line, text_of
from tray_app.sources.claude_times import Bounds, Group, milliseconds
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.jsonl import Collector, Records
from tray_app.sources.lines import Line
from tray_app.text.own_marks import gives_pack

OWN_TOOL = "backscroll"
RECENT_KEPT = 256
MARK = 8
BY_PROMPT, BY_AGENT, BY_MODEL, BY_PERSON = range(4)


class Revised(Exception):
    """A line behind the checkpoint changes what was given out before it: the file must be read whole."""


class Memory(msgspec.Struct):
    """What a checkpoint carries from one reading to the next."""

    cwd: str = ""
    model: str = ""
    titled: bool = False
    """A prompt has given the session its title."""
    queried: bool = False
    """This file wraps the person's prompts: a message without the wrapper is not theirs."""
    doubted: bool = False
    """A prompt without wrapper was given out before any wrapper was seen."""
    own_lines: bool = False
    foreign: str = ""
    """The session whose lines were copied to the beginning of this file."""
    left_out: list[str] = []
    """Calls of our own tools that have no result yet."""
    summary: str = ""
    """Mark of the last summary."""
    counted: str = ""
    """The answer whose tokens were counted last."""
    recent: bytes = b""
    """Eight bytes for each of the last messages, to know a repetition."""
    low: int = 0
    high: int = 0
    times: list[Group] = []


_MEMORY_IN = msgspec.msgpack.Decoder(Memory)
_MEMORY_OUT = msgspec.msgpack.Encoder()


def remembered(checkpoint: Checkpoint | None) -> Memory | None:
    """The memory in a checkpoint; None if there is none or another version of us wrote it."""
    if checkpoint is None:
        return None
    try:
        return _MEMORY_IN.decode(checkpoint.state)
    except (msgspec.MsgspecError, ValueError):
        return None


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=MARK).hexdigest()


class FileReading:
    """Reads the lines of one file; `wraps` says whether this agent's program wraps prompts. Used once."""

    def __init__(self, unit: Unit, records: Records, limits: Limits, checkpoint: Checkpoint | None, *, wraps: bool) -> None:
        self.unit, self.records, self.limits, self.wraps = unit, records, limits, wraps
        memory = remembered(checkpoint) if records.resumed else None
        self.memory = memory or Memory()
        self.seq = checkpoint.seq if memory is not None and checkpoint is not None else 0
        self.collector = Collector(limits)
        self.usage: dict[str, Usage] = {}
        self.bounds = Bounds(self.memory.low, self.memory.high, self.memory.times)
        self.titles: dict[int, str] = {}
        self.first_prompts: list[tuple[int, str]] = []
        """Seq and text of prompts that may give the title, up to the first that is certain."""
        self.doubtful: set[int] = set()
        recent = self.memory.recent
        self.seen = dict.fromkeys(recent[at : at + MARK] for at in range(0, len(recent), MARK))
        self.recognised = self.repeated = 0
        self.unknown = UnknownKinds()

    # --- lines ------------------------------------------------------------------------------------------------------
    def read(self, forked_from: str) -> Reading:
        """All lines; `forked_from` is the session that the file beside this one names, if any.

        Raises Revised, NotReady, and what `Records` raises.
        """
        for line in self.records:
            look = self.records.decode(line, lines.LOOK)
            if look is None:
                continue
            if look.type in lines.SILENT_KINDS:
                self.recognised += 1
            elif look.type in lines.SPOKEN_KINDS or look.type in lines.TITLE_KINDS:
                self._entry(line, look.type)
            else:
                self.unknown.met(look.type)
        return self._finish(forked_from)

    def _entry(self, line: Line, kind: str) -> None:
        entry = self.records.decode(line, lines.ENTRY)
        if entry is None:
            return
        if kind in lines.TITLE_KINDS:
            self.recognised += 1
            self._title(entry)
            return
        provider = lines.provider_of(entry)
        self._facts(entry, provider)
        repeated, seq = self.repeated, self.seq
        if kind == "message":
            self._message(line, entry, provider)
        else:
            self.recognised += 1
            if kind == "reasoning":
                self._reasoning(line, entry)
            elif kind == "function_call":
                self._call(line, entry)
            else:
                self._result(line, entry, provider)
        self._count(line, entry, provider)
        if self.repeated > repeated:  # counted by record: one that brought something new is no repetition
            self.repeated = repeated + int(self.seq == seq)

    def _facts(self, entry: lines.Entry, provider: lines.Provider) -> None:
        memory = self.memory
        memory.cwd = memory.cwd or text_of(entry.cwd)
        memory.model = text_of(provider.model) or memory.model
        owner = text_of(entry.session_id)
        if owner == self.unit.path.stem:
            memory.own_lines = True
        elif not memory.own_lines:
            memory.foreign = owner or memory.foreign

    # --- what was said ------------------------------------------------------------------------------------------------
    def _message(self, line: Line, entry: lines.Entry, provider: lines.Provider) -> None:
        role = text_of(entry.role)
        if role not in ("user", "assistant", "system"):
            self.unknown.met(f"message/{role}")
            return
        self.recognised += 1
        text = lines.plain(entry.content)
        if role == "user":
            self._user(line, entry, provider, text)
        elif role == "assistant":
            if text_of(provider.agent) == words.COMPACT or words.is_summary(provider, text):
                self._summary(line, entry, text)
            elif "".join(text.split()) != "".join(lines.error_words(provider).split()):
                self._emit(line, entry, "assistant", text)

    def _user(self, line: Line, entry: lines.Entry, provider: lines.Provider, text: str) -> None:
        agent = text_of(provider.agent)
        if words.is_summary(provider, text):
            self._summary(line, entry, text)
            return
        prompt = words.prompt_of(lines.parts_of(entry.content), wraps=self.wraps)
        if prompt.command:
            self._emit(line, entry, "note", prompt.command)
            return
        if agent == words.COMPACT or words.injected(provider):
            return
        if self.unit.kind == "subagent":
            task = prompt.words or words.task_words(text)
            if self._emit(line, entry, "note", task) and not self.memory.titled:
                self._heard(task)
            return
        if not prompt.words or words.from_another(provider):
            return
        if prompt.queried and self.wraps and not self.memory.queried:
            if self.memory.doubted and self.records.resumed:
                raise Revised
            self.memory.queried = True
        if not prompt.queried and self.memory.queried:
            return
        if not prompt.queried and agent not in words.MAIN_AGENTS:
            self._emit(line, entry, "note", prompt.words)
        elif self._emit(line, entry, "user", prompt.words):
            if self.wraps and not prompt.queried:
                self.memory.doubted = True
                self.doubtful.add(self.seq - 1)
            if not self.memory.titled:
                self._heard(prompt.words)

    def _heard(self, prompt: str) -> None:
        self.first_prompts.append((self.seq - 1, prompt))
        self.memory.titled = self.seq - 1 not in self.doubtful

    def _summary(self, line: Line, entry: lines.Entry, text: str) -> None:
        said = words.summary_words(text)
        mark = digest(said)
        if mark == self.memory.summary:  # the model's answer, then the same again as the new beginning
            self.repeated += 1
        elif self._emit(line, entry, "summary", said):
            self.memory.summary = mark

    def _reasoning(self, line: Line, entry: lines.Entry) -> None:
        if self.limits.reasoning:
            self._emit(line, entry, "reasoning", lines.thoughts(entry))

    # --- tools --------------------------------------------------------------------------------------------------------
    def _call(self, line: Line, entry: lines.Entry) -> None:
        tool, call = text_of(entry.name), text_of(entry.call_id)
        if OWN_TOOL in tool.lower():
            self.memory.left_out = [*self.memory.left_out[-63:], call]
            if not gives_pack(tool):
                return
        if self.limits.wants(tool):
            text, files = lines.call_words(entry)
            given = lines.raw_arguments(entry) if self.limits.is_chat(tool) else ""
            self._emit(line, entry, "tool_call", text or tool, call=call, tool=tool, files=files, arguments=given)

    def _result(self, line: Line, entry: lines.Entry, provider: lines.Provider) -> None:
        tool, call = text_of(entry.name), text_of(entry.call_id)
        if OWN_TOOL in tool.lower() or call in self.memory.left_out:
            self.memory.left_out = [other for other in self.memory.left_out if other != call]
        elif self.limits.wants(tool):
            self._emit(line, entry, "tool_result", lines.result_words(entry, provider), call=call, tool=tool)

    def _count(self, line: Line, entry: lines.Entry, provider: lines.Provider) -> None:
        tokens = lines.tokens_of(entry, provider)
        key = text_of(provider.message_id) or text_of(entry.id) or f"{self.unit.session}:{line.number}"
        if tokens is None or key == self.memory.counted or key in self.usage:  # every call of an answer repeats its count
            return
        self.memory.counted = key
        fresh, output, read, written = tokens
        time = milliseconds(entry.timestamp)
        self.usage[key] = Usage(key, time, text_of(provider.model) or self.memory.model, fresh, output, read, written)

    # --- titles -------------------------------------------------------------------------------------------------------
    def _title(self, entry: lines.Entry) -> None:
        found = (
            (BY_PERSON, entry.custom_title),
            (BY_MODEL, entry.ai_title),
            (BY_AGENT, entry.topic),
            (BY_AGENT, entry.summary),
        )
        for rank, text in found:
            if title := one_line(text_of(text)):
                self.titles[rank] = title

    def _best_title(self, wrong: set[int]) -> tuple[str, int]:
        first = next((prompt for seq, prompt in self.first_prompts if seq not in wrong), "")
        if first:
            self.titles[BY_PROMPT] = one_line(first)
            self.memory.titled = True
        rank = max(self.titles, default=BY_PROMPT)
        return self.titles.get(rank, ""), rank

    # --- making messages ------------------------------------------------------------------------------------------------
    def _emit(
        self,
        line: Line,
        entry: lines.Entry,
        role: str,
        text: str,
        *,
        call: str = "",
        tool: str = "",
        files: tuple[str, ...] = (),
        arguments: str = "",
    ) -> bool:
        """Add a message unless it is empty or repeats one of this file. True if it was added.

        A message and the calls of one answer share their id, so kind and call belong to what is kept in a fork.
        """
        if not text.strip():
            return False
        named = text_of(entry.id) or f"{self.unit.session}:{line.number}"
        identity = f"{named}:{entry.type}:{call}" if call else f"{named}:{entry.type}"
        mark = hashlib.blake2b(f"{role}\n{identity}\n{text}".encode("utf-8", "replace"), digest_size=MARK).digest()
        if mark in self.seen:
            self.repeated += 1
            return False
        self.seen[mark] = None
        time = milliseconds(entry.timestamp)
        self.bounds.add(time)
        self.collector.add(Said(call or named, role, text, time, self.seq, line.offset, identity, tool, files, arguments))
        self.seq += 1
        return True

    def _finish(self, forked_from: str) -> Reading:
        records, memory = self.records, self.memory
        if not records.records and not records.skipped and not records.resumed:
            raise NotReady("no whole record yet")
        wrong = self.doubtful if memory.queried else set[int]()
        title, rank = self._best_title(wrong)
        start, end = self.bounds.span()
        memory.recent = b"".join(list(self.seen)[-RECENT_KEPT:])
        memory.low, memory.high, memory.times = self.bounds.carry()
        session = Session(
            id=self.unit.session,
            cwd=memory.cwd,
            title=title,
            title_rank=rank,
            start=start,
            end=end,
            model=memory.model,
            kind=self.unit.kind,
            parent=self.unit.parent or forked_from or (memory.foreign if memory.own_lines else ""),
        )
        return Reading(
            session=session,
            messages=[message for message in self.collector.messages() if message.seq not in wrong],
            usage=list(self.usage.values()),
            problems=records.problems,
            checkpoint=records.checkpoint(self.seq, _MEMORY_OUT.encode(memory)),
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
