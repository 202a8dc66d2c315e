"""From the rows of one DSH log to a session's facts, messages and usage.

Owns what a row means: who said it, what is a repetition, what was inherited from a parent, what is only machinery. What the
person said is told by a positive mark (`source.kind` is `user`, no `form`), never by the absence of others. Opens nothing;
`Memory` is what it must know of the rows before the checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from tray_app.sources import dsh_events as shape
from tray_app.sources.base import Limits, Message, Session, Usage
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.dsh_events import Event, milliseconds, texts
from tray_app.sources.frames import LogLines
from tray_app.sources.jsonl import Collector, mended
from tray_app.sources.lines import Line
from tray_app.text.own_marks import gives_pack

T = TypeVar("T")

OPEN_CALLS = 256
"""Tool calls without a result yet that are remembered; a log that leaves more open is damaged anyway."""
ID_MOST = 256
TITLE_RANKS = {"fallback": 1, "provider": 2, "user": 3}


class Reread(Exception):
    """What was read before turns out to be the parent's: the log has to be read from its start."""


class Memory(msgspec.Struct):
    """Facts of the rows read so far, kept in the checkpoint."""

    file: str = ""
    others: dict[str, tuple[int, int]] = {}
    """Size and mtime of the generations that were not chosen."""
    id: str = ""
    has_header: bool = False
    cwd: str = ""
    parent: str = ""
    origin: str = ""
    seed_length: int = 0
    start: int = 0
    end: int = 0
    model: str = ""
    rows: int = 0
    calls: dict[str, str] = {}
    """Name by call id, for calls whose result has not come yet."""
    goal: str = ""
    summarised: str = ""
    """Compaction whose summary was given out already, so that its checkpoint is a repetition."""


def _decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    return msgspec.json.Decoder(kind)


_EVENT, _HEADER = _decoder(Event), _decoder(shape.Header)
_SAID, _ANSWER = _decoder(shape.Said), _decoder(shape.Answer)
_CALL, _RESULT = _decoder(shape.Call), _decoder(shape.Result)
_SUMMARY, _TITLE, _GOAL = _decoder(shape.Summary), _decoder(shape.Title), _decoder(shape.GoalChange)
_END_SEED, _REQUEST = _decoder(shape.EndSeed), _decoder(shape.RequestHeader)


class Fold:
    """Takes the lines of a log one after the other; then `session` and the lists are what they came to.

    `seq` is the number of the next message. Raises Reread from `take` when a resumed reading meets the end of an
    inherited prefix.
    """

    def __init__(self, log: LogLines, memory: Memory, seq: int, limits: Limits) -> None:
        self.log, self.memory, self.seq, self.limits = log, memory, seq, limits
        self.resumed = log.resumed
        self.collected = Collector(limits)
        self.usage: list[Usage] = []
        self.title, self.title_rank = "", 0
        self.position = 0
        """Place in the log of the row at hand: its `seq`, or a count where rows have none."""
        self.records = self.recognised = self.repeated = 0
        self.unknown = UnknownKinds()
        self._spoken: dict[str, Callable[[Event, Line], None]] = {
            "user/message": self._user,
            "steering/message": self._user,
            "assistant/message": self._assistant,
            "compaction/summary": self._summary,
            "compact/summary": self._summary,
            "session/title": self._title,
            "goal/change": self._goal,
            "session/end-seed": self._end_seed,
            "request/header": self._request,
            "tool/call": self._call,
            "tool/result": self._result,
        }

    def session(self, archived: bool) -> Session:
        memory = self.memory
        return Session(
            id=memory.id,
            cwd=memory.cwd,
            title=self.title,
            title_rank=self.title_rank,
            start=memory.start,
            end=memory.end,
            model=memory.model,
            kind="subagent" if memory.origin == "subagent" else "main",
            parent=memory.parent,
            archived=archived,
        )

    def take(self, line: Line) -> None:
        """One whole line. Never raises for what is in it, but for Reread."""
        self.records += 1
        event = self._decode(_EVENT, line.data, line)
        if event is None:
            return
        if event.type not in shape.KNOWN:
            self.unknown.met(event.type)
        else:
            self.recognised += 1
        if event.type == "session":
            self._header(line)
            return
        known = shape.count(event.seq)
        self.position = self.memory.rows if known < 0 else known
        self.memory.rows = max(self.memory.rows, self.position) + 1
        if event.type in shape.ROWS_OF_CHUNKS:
            return
        inherited = self.position < self.memory.seed_length
        if not inherited and (time := milliseconds(event.time)):
            self.memory.start = self.memory.start or time
            self.memory.end = max(self.memory.end, time)
        handle = self._spoken.get(event.type)
        if handle is not None and (not inherited or event.type in ("session/title", "request/header")):
            handle(event, line)

    def _decode(self, decoder: msgspec.json.Decoder[T], data: bytes | msgspec.Raw, line: Line) -> T | None:
        try:
            return decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as fault:
            problem: Exception = fault
        if not isinstance(problem, RecursionError):
            try:
                return decoder.decode(mended(bytes(data)))
            except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
                pass
        known = isinstance(problem, msgspec.ValidationError)
        reason = "not a record of a known shape" if known else "not valid JSON"
        self.log.note(line.number, line.offset, "bad_record" if known else "bad_json", reason)
        return None

    def _header(self, line: Line) -> None:
        if self.memory.has_header:
            return
        header = self._decode(_HEADER, line.data, line)
        if header is None:
            return
        memory = self.memory
        memory.has_header = True
        if 0 < len(header.id) <= ID_MOST:
            memory.id = header.id
        memory.cwd, memory.parent = header.cwd or "", header.parent_session or ""
        memory.origin, memory.start = header.origin or "", milliseconds(header.created_at)
        memory.end = max(memory.end, memory.start)
        memory.seed_length = max(shape.count(header.seed_length), 0)

    def _add(self, event: Event, line: Line, role: str, text: str, key: str, identity: str = "", tool: str = "") -> None:
        if text:
            self._give(
                Message(
                    id=key,
                    role=role,
                    text=text,
                    time=milliseconds(event.time),
                    seq=self.seq,
                    offset=line.offset,
                    identity=identity or key,
                    tool=tool,
                )
            )

    def _give(self, message: Message) -> None:
        self.collected.add(message)
        self.seq += 1

    def _made_id(self) -> str:
        """For rows from before messages had ids: the session and the place in its log, which never changes."""
        return f"{self.memory.id}#{self.position}"

    def _user(self, event: Event, line: Line) -> None:
        said = self._decode(_SAID, event.data, line)
        if said is None:
            return
        said = said.message or said
        source = said.source
        if source is None:
            return
        if source.kind == "compact-checkpoint" or (source.kind == "plugin" and source.plugin == "compact"):
            if self.memory.summarised:
                self.repeated += 1
            else:
                self._add(event, line, "summary", shape.checkpoint_text(said.content), said.id or self._made_id())
            self.memory.summarised = ""
        elif source.kind == "user" and source.form is None:
            if event.replaces:
                self.repeated += 1
            else:
                self._add(event, line, "user", texts(said.content), said.id or self._made_id())

    def _assistant(self, event: Event, line: Line) -> None:
        answer = self._decode(_ANSWER, event.data, line)
        if answer is None:
            return
        said = answer.message
        content = said.content if said else answer.content
        source = (said.source if said else None) or answer.provenance
        key = (said.id if said else None) or self._made_id()
        if source is not None and source.model:
            self.memory.model = source.model
        if event.replaces:
            self.repeated += 1
            return
        if self.limits.reasoning:
            self._add(event, line, "reasoning", texts(content, "reasoning"), key, f"{key}:reasoning")
        self._add(event, line, "assistant", texts(content), key)
        self._count(event, answer.usage, key, source.model if source else None)

    def _count(self, event: Event, tokens: shape.Tokens | None, key: str, model: str | None) -> None:
        if tokens is not None:
            self.usage.append(
                Usage(
                    key=key,
                    time=milliseconds(event.time),
                    model=model or self.memory.model,
                    input=shape.count(tokens.input_tokens),
                    output=shape.count(tokens.output_tokens),
                    cache_read=shape.count(tokens.cache_read_tokens),
                    cache_write=shape.count(tokens.cache_write_tokens),
                )
            )

    def _summary(self, event: Event, line: Line) -> None:
        summary = self._decode(_SUMMARY, event.data, line)
        if summary is None:
            return
        key = summary.compaction_id or self._made_id()
        text = texts(summary.summary)
        self._add(event, line, "summary", text, key)
        self.memory.summarised = key if text else ""
        self._count(event, summary.usage, f"{key}:summary", summary.model)

    def _title(self, event: Event, line: Line) -> None:
        title = self._decode(_TITLE, event.data, line)
        if title is None or not title.title.strip():
            return
        rank = TITLE_RANKS.get(title.source.kind if title.source else "", 1)
        if self.position < self.memory.seed_length:
            rank = 1
        if rank >= self.title_rank:
            self.title, self.title_rank = title.title.strip(), rank

    def _goal(self, event: Event, line: Line) -> None:
        change = self._decode(_GOAL, event.data, line)
        if change is None or change.goal is None:
            return
        goal = change.goal
        if goal.objective.strip() and goal.objective != self.memory.goal:
            self.memory.goal = goal.objective
            revision = shape.count(goal.revision)
            key = f"{goal.id}:{revision}" if goal.id and revision >= 0 else self._made_id()
            self._add(event, line, "note", goal.objective.strip(), key)

    def _end_seed(self, event: Event, line: Line) -> None:
        seed = self._decode(_END_SEED, event.data, line)
        if seed is None or seed.inherited is not True:
            return
        if self.resumed:
            raise Reread
        self.collected, self.usage, self.seq = Collector(self.limits), [], 0
        self.title_rank = min(self.title_rank, 1)  # the parent's title holds until the fork gets any of its own
        memory = self.memory
        memory.calls, memory.goal, memory.summarised = {}, "", ""
        memory.end = milliseconds(event.time) or memory.end

    def _request(self, event: Event, line: Line) -> None:
        request = self._decode(_REQUEST, event.data, line)
        if request and request.header and request.header.config and request.header.config.model:
            self.memory.model = request.header.config.model

    def _call(self, event: Event, line: Line) -> None:
        call = self._decode(_CALL, event.data, line)
        if call is None:
            return
        key = call.call_id or self._made_id()
        calls = self.memory.calls
        calls[key] = call.name
        if len(calls) > OPEN_CALLS:
            del calls[next(iter(calls))]
        if not self.limits.wants(call.name) or (call.name.startswith(shape.OWN_TOOLS) and not gives_pack(call.name)):
            return
        text, files = shape.call_text(call.arguments)
        self._give(
            Message(
                id=key,
                role="tool_call",
                text=text or call.name,
                time=milliseconds(event.time),
                seq=self.seq,
                offset=line.offset,
                identity=f"{key}:call",
                tool=call.name,
                files=files,
                arguments=shape.raw_arguments(call.arguments) if self.limits.is_chat(call.name) else "",
            )
        )

    def _result(self, event: Event, line: Line) -> None:
        result = self._decode(_RESULT, event.data, line)
        if result is None:
            return
        said = result.message
        named, text = shape.result_of(said.content if said else result.content)
        source = said.source if said else None
        key = result.call_id or (said and said.tool_call_id) or named or (source and source.call_id) or self._made_id()
        if event.replaces:
            self.repeated += 1
            return
        tool = self.memory.calls.pop(key, "")
        if self.limits.wants(tool) and not tool.startswith(shape.OWN_TOOLS):
            self._add(event, line, "tool_result", text, key, f"{key}:result", tool)
