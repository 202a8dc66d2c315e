"""One session of the old kimi-cli: the history in its context files, with the times that its wire.jsonl knows.

Owns the fold of several files into one session: `context_1.jsonl` and so on are what stood in context.jsonl before a
compaction, a clearing or a step back, and the next file repeats the part of it that was kept. Such a session is read whole
each time: its context file is written anew by the program, and bears neither ids nor times.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from tray_app.records import Problem
from tray_app.sources import kimi_lines as lines
from tray_app.sources.base import Limits, Message, NotReady, Reading, Session, Stop, Unit, Usage
from tray_app.sources.claude_lines import text_of
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.json_values import decoded
from tray_app.sources.jsonl import Collector, Records
from tray_app.sources.lines import Line
from tray_app.text.own_marks import gives_pack

OWN_TOOL = "backscroll"
SILENT_ROLES = frozenset({"_system_prompt", "_checkpoint", "_usage", "system"})


def digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


class Clock:
    """When things were said, from a wire.jsonl: prompts and answers by their words, calls and results by their id."""

    def __init__(self) -> None:
        self.low = self.high = 0
        self.usage: dict[str, Usage] = {}
        self.records = self.recognised = self.skipped = self.bytes_read = 0
        self.problems: list[Problem] = []
        self._known: dict[tuple[str, bytes], deque[int]] = {}
        self._last = 0

    def read(self, path: Path, agent: str, limits: Limits, stop: Stop) -> None:
        """Raises Stopped, and OSError other than for a file that is not there."""
        try:
            with Records(path, agent, None, limits, stop) as records:
                for line in records:
                    self._take(line, records)
                self.problems = records.problems
                self.records, self.skipped, self.bytes_read = records.records, records.skipped, records.bytes_read
        except (NotReady, FileNotFoundError):
            return

    def _take(self, line: Line, records: Records) -> None:
        record = records.decode(line, lines.OLD_RECORD)
        if record is None:
            return
        self.recognised += 1
        if record.message is None:  # the header
            return
        time = milliseconds(record.timestamp)
        if time:
            self.low, self.high = min(self.low or time, time), max(self.high, time)
        payload = decoded(record.message.payload, lines.OLD_PAYLOAD)
        if payload is None:
            return
        kind = text_of(record.message.type)
        if kind == "TurnBegin":
            self._note("user", lines.unmarked_words(payload.user_input), time)
        elif kind == "ContentPart" and payload.type == "text":
            self._note("assistant", text_of(payload.text), time)
        elif kind == "ToolCall":
            self._note("tool_call", text_of(payload.id), time)
        elif kind == "ToolResult":
            self._note("tool_result", text_of(payload.tool_call_id), time)
        elif kind == "StatusUpdate":
            self._count(payload, time)

    def _note(self, role: str, what: str, time: int) -> None:
        if what and time:
            self._known.setdefault((role, digest(what)), deque()).append(time)

    def _count(self, payload: lines.OldPayload, time: int) -> None:
        tokens = decoded(payload.token_usage, lines.OLD_USAGE)
        if tokens is None:
            return
        counts = (tokens.input_other, tokens.output, tokens.input_cache_read, tokens.input_cache_creation)
        fresh, output, read, written = (-1 if count is None else count for count in counts)
        key = f"{text_of(payload.message_id)}:{time}"
        self.usage[key] = Usage(key, time, "", fresh, output, read, written)

    def time_of(self, role: str, *keys: str) -> int:
        """The next time known for one of the keys; the last one given where none is."""
        for key in keys:
            times = self._known.get((role, digest(key)))
            if times:
                self._last = times.popleft()
                return self._last
        return self._last or self.low


class LegacyReading:
    """Reads the context files of one session. Used once."""

    def __init__(self, unit: Unit, limits: Limits, stop: Stop) -> None:
        self.unit, self.limits, self.stop = unit, limits, stop
        self.clock = Clock()
        self.collector = Collector(limits)
        self.problems: list[Problem] = []
        self.prompt = ""
        """The first prompt: it may give the title."""
        self.seq = self.records = self.recognised = self.skipped = self.repeated = self.bytes_read = 0
        self.unknown = UnknownKinds()
        self.growing = False
        self._before: set[bytes] = set()
        self._kept = False
        self._left_out: set[str] = set()
        self._chats: dict[str, str] = {}

    def read(self, contexts: Iterable[Path], wire: Path) -> Reading:
        """The session from its context files, oldest first. Raises NotReady, Stopped, OSError."""
        self.clock.read(wire, self.unit.agent, self.limits, self.stop)
        for path in contexts:
            self._context(path)
        if not self.records and not self.skipped:
            raise NotReady("no whole row yet")
        clock = self.clock
        session = Session(id=self.unit.session, start=clock.low, end=clock.high, kind=self.unit.kind, parent=self.unit.parent)
        return Reading(
            session=session,
            messages=self.collector.messages(),
            usage=list(clock.usage.values()),
            problems=self.problems + clock.problems,
            checkpoint=None,
            bytes_read=self.bytes_read + clock.bytes_read,
            records=self.records + clock.records,
            recognised=self.recognised + clock.recognised,
            skipped=self.skipped + clock.skipped,
            unknown=self.unknown.total(),
            unknown_kinds=self.unknown,
            repeated=self.repeated,
            truncated=self.collector.truncated,
            growing=self.growing,
        )

    def _context(self, path: Path) -> None:
        earlier, self._before = self._before, set()
        self._kept = bool(earlier)
        try:
            with Records(path, self.unit.agent, None, self.limits, self.stop) as records:
                for line in records:
                    row = records.decode(line, lines.ROW)
                    if row is not None:
                        self._row(line, row, earlier)
                self.problems += records.problems
                self.records += records.records
                self.skipped += records.skipped
                self.bytes_read += records.bytes_read
                self.growing = records.growing
        except (NotReady, FileNotFoundError):  # cleared, or taken away since it was found
            return

    def _row(self, line: Line, row: lines.Row, earlier: set[bytes]) -> None:
        if row.role in SILENT_ROLES:
            self.recognised += 1
            return
        if row.role not in ("user", "assistant", "tool"):
            self.unknown.met(row.role)
            return
        self.recognised += 1
        texts = lines.texts(row.content)
        calls = [lines.call_parts(call) for call in row.tool_calls or ()]
        mark = digest("\n".join([row.role, text_of(row.tool_call_id), *(call for call, _, _ in calls), *texts]))
        self._before.add(mark)
        if row.role == "user" and texts and texts[0].startswith(lines.COMPACTED):
            self._emit(line, "summary", "\n".join(lines.without_blocks(text) for text in texts).strip())
            return
        self._kept = self._kept and mark in earlier
        if self._kept:
            self.repeated += 1
        elif row.role == "user":
            self._user(line, row)
        elif row.role == "assistant":
            self._answer(line, row, texts, calls)
        else:
            self._result(line, row)

    def _user(self, line: Line, row: lines.Row) -> None:
        words = lines.unmarked_words(row.content)
        role = "note" if self.unit.kind == "subagent" else "user"
        if words and not self.prompt:
            self.prompt = words
        self._emit(line, role, words, time=self.clock.time_of("user", words) if words else 0)

    def _answer(self, line: Line, row: lines.Row, texts: list[str], calls: list[lines.Call]) -> None:
        if self.limits.reasoning:
            self._emit(line, "reasoning", lines.thoughts(row.content))
        if texts:
            text = "\n".join(texts)
            self._emit(line, "assistant", text, time=self.clock.time_of("assistant", text, texts[0]))
        for call, tool, arguments in calls:
            if OWN_TOOL in tool.lower():
                self._left_out.add(call)
                if not gives_pack(tool):
                    continue
            if self.limits.wants(tool):
                words, files = lines.call_words(tool, arguments)
                time = self.clock.time_of("tool_call", call)
                given = ""
                if self.limits.is_chat(tool):
                    self._chats[call] = tool
                    given = lines.raw_arguments(arguments)
                self._emit(line, "tool_call", words or tool, named=call, tool=tool, files=files, arguments=given, time=time)

    def _result(self, line: Line, row: lines.Row) -> None:
        call = text_of(row.tool_call_id)
        chat = self._chats.get(call, "")
        if call not in self._left_out and (chat or self.limits.tools):
            time = self.clock.time_of("tool_result", call)
            self._emit(line, "tool_result", lines.output_words(row.content), named=call, tool=chat, time=time)

    def _emit(
        self,
        line: Line,
        role: str,
        text: str,
        *,
        named: str = "",
        tool: str = "",
        files: tuple[str, ...] = (),
        arguments: str = "",
        time: int | None = None,
    ) -> None:
        if not text.strip():
            return
        made = f"{self.unit.session}:{self.seq}"
        when = self.clock.time_of(role) if time is None else time
        self.collector.add(Message(named or made, role, text, when, self.seq, line.offset, made, tool, files, arguments))
        self.seq += 1
