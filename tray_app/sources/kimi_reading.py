"""One wire.jsonl of Kimi Code: a journal of what was done to a conversation, folded into what was said in it.

Owns what needs earlier records: prompts that come again in the context, exchanges that were undone, repetitions, the model.
Where the session's folder and title are told is `kimi_facts`' business.
"""

from __future__ import annotations

import hashlib

import msgspec

from tray_app.sources import kimi_lines as lines
from tray_app.sources.base import Checkpoint, Limits, Message, NotReady, Reading, Session, Unit, Usage
from tray_app.sources.claude_lines import one_line, text_of
from tray_app.sources.claude_times import Bounds, milliseconds
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.json_values import decoded
from tray_app.sources.jsonl import Collector, Records
from tray_app.sources.kimi_memory import Anchor, Memory, Pending, packed, remembered
from tray_app.sources.lines import Line
from tray_app.text.own_marks import gives_pack

OWN_TOOL = "backscroll"
RECENT_KEPT = 256
PENDING_KEPT = 32
CHATS_KEPT = 64
MARK = 8
READ_KINDS = frozenset(
    {
        *("metadata", "turn.prompt", "turn.steer", "config.update", "profile.bind", "llm.request", "usage.record"),
        *("context.append_message", "context.append_loop_event", "context.splice"),
        *("context.apply_compaction", "context.clear", "context.undo"),
    }
)


class Revised(Exception):
    """A record behind the checkpoint takes back what was given out before it: the file must be read whole."""


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=MARK).hexdigest()


class WireReading:
    """Reads the records of one file into messages. Used once."""

    def __init__(self, unit: Unit, records: Records, limits: Limits, checkpoint: Checkpoint | None) -> None:
        self.unit, self.records, self.limits = unit, records, limits
        memory = remembered(checkpoint) if records.resumed else None
        self.memory = memory or Memory()
        self.seq = checkpoint.seq if memory is not None and checkpoint is not None else 0
        self.collector = Collector(limits)
        self.usage: dict[str, Usage] = {}
        self.bounds = Bounds(self.memory.low, self.memory.high, self.memory.times)
        self.prompts: list[tuple[int, str]] = []
        """Seq and beginning of prompts, for the title: the first that is not undone."""
        self.anchors: list[Anchor] = []
        self.live: list[int] = []
        """Numbers of messages that an undo could still reach."""
        self.marks: dict[int, bytes] = {}
        self.undone: set[int] = set()
        recent = self.memory.recent
        self.seen = dict.fromkeys(recent[at : at + MARK] for at in range(0, len(recent), MARK))
        self.recognised = self.repeated = 0
        self.unknown = UnknownKinds()

    # --- records ----------------------------------------------------------------------------------------------------
    def read(self) -> Reading:
        """All records, as a Reading whose session has what this file tells.

        Raises Revised, NotReady, and what `Records` raises.
        """
        for line in self.records:
            look = self.records.decode(line, lines.LOOK)
            if look is None:
                continue
            if look.type in READ_KINDS:
                record = self.records.decode(line, lines.RECORD)
                if record is not None:
                    self.recognised += 1
                    self._record(line, record)
            elif lines.known_kind(look.type):
                self.recognised += 1
            else:
                self.unknown.met(look.type)
        return self._finish()

    def _record(self, line: Line, record: lines.Record) -> None:
        kind, time = record.type, milliseconds(record.time)
        repeated, seq = self.repeated, self.seq
        if kind in ("turn.prompt", "turn.steer"):
            self._turn(line, record, time)
        elif kind == "context.append_message":
            self._appended(line, self.records.decode(_part(line, record.message), lines.SAID), time)
        elif kind == "context.append_loop_event":
            self._event(line, self.records.decode(_part(line, record.event), lines.EVENT), time)
        elif kind == "context.splice":
            self._spliced(line, record, time)
        elif kind == "context.apply_compaction":
            self._summary(line, lines.summary_words(record), time)
        elif kind == "context.clear":
            self._close()
        elif kind == "context.undo":
            self._undo(record.count)
        elif kind == "usage.record":
            self._count(record, time)
        else:
            self._facts(record)
        if self.repeated > repeated:  # counted by record: one that brought something new is no repetition
            self.repeated = repeated + int(self.seq == seq)

    def _facts(self, record: lines.Record) -> None:
        memory = self.memory
        disclosed = decoded(record.environment_disclosure, lines.DISCLOSURE)
        found = text_of(record.cwd) or (text_of(disclosed.cwd) if disclosed is not None else "")
        memory.cwd = memory.cwd or found
        memory.created = memory.created or milliseconds(record.created_at)
        memory.alias = text_of(record.model_alias) or memory.alias
        memory.model = text_of(record.model) or memory.model or memory.alias

    # --- the person ---------------------------------------------------------------------------------------------------
    def _turn(self, line: Line, record: lines.Record, time: int) -> None:
        origin = decoded(record.origin, lines.ORIGIN)
        named = text_of(record.prompt_id)
        seq = self._prompt(line, origin, record.input, named, time)
        if lines.by_person(origin) or lines.by_slash(origin):
            mark = digest("\n".join(lines.texts(record.input)))
            self.memory.pending = [*self.memory.pending[1 - PENDING_KEPT :], Pending(named, mark, seq)]

    def _prompt(self, line: Line, origin: lines.Origin | None, content: lines.Content, named: str, time: int) -> int:
        """Give out a prompt as far as it is the person's (for a sub-agent: its parent's). Its number, -1 if nothing was."""
        role = "note" if self.unit.kind == "subagent" else "user"
        if lines.by_person(origin):
            marked = origin is not None and origin.kind == "user"
            skip = lines.bundled(origin) if origin is not None else 0
            words = "\n".join(lines.texts(content, skip=skip)) if marked else lines.unmarked_words(content)
        elif origin is not None and lines.by_slash(origin):
            role, words = "note", lines.slash_label(origin)
        elif origin is not None and origin.kind == "system_trigger" and self.unit.kind == "subagent":
            role, words = "note", lines.unmarked_words(content)
        else:
            return -1
        if not self._emit(line, role, words, time, named=named, identity=named or f"{time}:prompt"):
            return -1
        if role == "user" or self.unit.kind == "subagent":
            self.prompts.append((self.seq - 1, one_line(words)))
        return self.seq - 1

    def _appended(self, line: Line, said: lines.Said | None, time: int) -> None:
        if said is None:
            return
        role = text_of(said.role)
        if role == "user":
            self._appended_prompt(line, said, time)
        elif role == "assistant":
            self._answer(line, said, time)
        elif role == "tool":
            self._result(line, text_of(said.tool_call_id), lines.output_words(said.content), time)

    def _appended_prompt(self, line: Line, said: lines.Said, time: int) -> None:
        origin = decoded(said.origin, lines.ORIGIN)
        if origin is not None and origin.kind == "compaction_summary":
            self._summary(line, "\n".join(lines.texts(said.content)), time)
        elif lines.by_person(origin) or lines.by_slash(origin):
            named, mark = text_of(said.id), digest("\n".join(lines.texts(said.content)))
            known = next((one for one in self.memory.pending if named and one.named == named), None)
            known = known or next((one for one in self.memory.pending if one.mark == mark), None)
            if known is None:
                own = self._prompt(line, origin, said.content, named, time)
            else:
                own = known.seq
                self.memory.pending = [one for one in self.memory.pending if one is not known]
            self.anchors.append(Anchor(own, self.seq))

    # --- history that is changed --------------------------------------------------------------------------------------
    def _undo(self, count: object) -> None:
        """Take back the last exchanges, as the program does: not behind a compaction, and none if there are too few."""
        if not isinstance(count, int) or isinstance(count, bool) or count <= 0:
            return
        if self.records.resumed:
            raise Revised
        if count > len(self.anchors):
            return
        taken = self.anchors[-count:]
        del self.anchors[-count:]
        gone = {anchor.own for anchor in taken}
        while self.live and self.live[-1] >= taken[0].behind:
            gone.add(self.live.pop())
        for seq in gone:  # what is sent again after an undo, maybe under the same id, is no repetition
            self.seen.pop(self.marks.get(seq, b""), None)
        self.undone |= gone
        self.memory.pending = []

    def _close(self) -> None:
        """What was said so far stays, out of reach of an undo."""
        self.anchors.clear()
        self.live.clear()
        self.marks.clear()

    def _summary(self, line: Line, text: str, time: int) -> None:
        mark = digest(text)
        if mark == self.memory.summary:
            self.repeated += 1
        elif self._emit(line, "summary", text, time, identity=f"{time}:summary"):
            self.memory.summary = mark
        self._close()

    def _spliced(self, line: Line, record: lines.Record, time: int) -> None:
        """The history's oldest way of changing: what is put in is taken, what is cut out stays."""
        removing = isinstance(record.delete_count, int) and record.delete_count > 0
        for said in decoded(record.messages, lines.SAID_LIST) or ():
            origin = decoded(said.origin, lines.ORIGIN)
            if not removing or (origin is not None and origin.kind == "compaction_summary"):
                self._appended(line, said, time)

    # --- the model and its tools --------------------------------------------------------------------------------------
    def _event(self, line: Line, event: lines.Event | None, time: int) -> None:
        if event is None:
            return
        kind = text_of(event.type)
        if kind == "content.part" and event.part is not None:
            uuid = text_of(event.uuid)
            identity = f"{uuid}:{time}" if uuid else ""
            self._emit(line, "assistant", "\n".join(lines.texts(event.part)), time, named=uuid, identity=identity)
            self._thought(line, lines.thoughts(event.part), time, uuid, identity)
        elif kind == "tool.call":
            self._call(line, text_of(event.tool_call_id), text_of(event.name), event.args, time)
        elif kind == "tool.result":
            result = decoded(event.result, lines.RESULT)
            output = lines.output_words(result.output) if result is not None else ""
            self._result(line, text_of(event.tool_call_id), output, time)
        elif not kind.startswith(("step.", "content.", "tool.")):
            self.recognised -= 1
            self.unknown.met(f"event/{kind}")

    def _answer(self, line: Line, said: lines.Said, time: int) -> None:
        named = text_of(said.id)
        identity = named or f"{time}:assistant"
        self._thought(line, lines.thoughts(said.content), time, named, identity)
        self._emit(line, "assistant", "\n".join(lines.texts(said.content)), time, named=named, identity=identity)
        for call in said.tool_calls or ():
            self._call(line, *lines.call_parts(call), time)

    def _thought(self, line: Line, text: str, time: int, named: str, identity: str) -> None:
        if self.limits.reasoning:
            self._emit(line, "reasoning", text, time, named=named, identity=identity)

    def _call(self, line: Line, call: str, tool: str, arguments: msgspec.Raw, time: int) -> None:
        if OWN_TOOL in tool.lower():
            self.memory.left_out = [*self.memory.left_out[-63:], call]
            if not gives_pack(tool):
                return
        if self.limits.wants(tool):
            text, files = lines.call_words(tool, arguments)
            given = ""
            if self.limits.is_chat(tool):
                self.memory.chats = dict([*self.memory.chats.items(), (call, tool)][-CHATS_KEPT:])
                given = lines.raw_arguments(arguments)
            made = f"{time}:{call}"
            self._emit(
                line, "tool_call", text or tool, time, named=call, identity=made, tool=tool, files=files, arguments=given
            )

    def _result(self, line: Line, call: str, text: str, time: int) -> None:
        if call in self.memory.left_out:
            self.memory.left_out = [other for other in self.memory.left_out if other != call]
            return
        chat = self.memory.chats.get(call, "")
        if chat or self.limits.tools:
            self._emit(line, "tool_result", text, time, named=call, identity=f"{time}:{call}:result", tool=chat)

    def _count(self, record: lines.Record, time: int) -> None:
        tokens = decoded(record.usage, lines.TOKENS)
        if tokens is None:
            return
        counts = (tokens.input_other, tokens.output, tokens.input_cache_read, tokens.input_cache_creation)
        fresh, output, read, written = (-1 if count is None else count for count in counts)
        named = text_of(record.model)
        model = self.memory.model if named in ("", self.memory.alias) and self.memory.model else named
        key = f"{time}:{fresh}:{output}:{read}"
        self.usage[key] = Usage(key, time, model, fresh, output, read, written)

    # --- making messages ------------------------------------------------------------------------------------------------
    def _emit(
        self,
        line: Line,
        role: str,
        text: str,
        time: int,
        *,
        named: str = "",
        identity: str = "",
        tool: str = "",
        files: tuple[str, ...] = (),
        arguments: str = "",
    ) -> bool:
        """Add a message unless it is empty or repeats one of this file. True if it was added.

        Ids of calls are counted anew in each session, so the time, which a fork keeps, belongs to the identity.
        """
        if not text.strip():
            return False
        made = f"{self.unit.session}:{line.number}"
        mark = hashlib.blake2b(f"{role}\n{identity or made}\n{text}".encode("utf-8", "replace"), digest_size=MARK).digest()
        if mark in self.seen:
            self.repeated += 1
            return False
        self.seen[mark] = None
        self.bounds.add(time)
        own = identity or made
        self.collector.add(Message(named or made, role, text, time, self.seq, line.offset, own, tool, files, arguments))
        self.live.append(self.seq)
        self.marks[self.seq] = mark
        self.seq += 1
        return True

    def _finish(self) -> Reading:
        records, memory = self.records, self.memory
        if not records.records and not records.skipped and not records.resumed:
            raise NotReady("no whole record yet")
        title = "" if memory.titled else next((text for seq, text in self.prompts if seq not in self.undone), "")
        memory.titled = memory.titled or bool(title)
        start, end = self.bounds.span()
        memory.recent = b"".join(list(self.seen)[-RECENT_KEPT:])
        memory.low, memory.high, memory.times = self.bounds.carry()
        session = Session(
            id=self.unit.session,
            cwd=memory.cwd,
            title=title,
            start=start or memory.created,
            end=end or memory.created,
            model=memory.model,
            kind=self.unit.kind,
            parent=self.unit.parent,
        )
        return Reading(
            session=session,
            messages=[message for message in self.collector.messages() if message.seq not in self.undone],
            usage=list(self.usage.values()),
            problems=records.problems,
            checkpoint=records.checkpoint(self.seq, packed(memory)),
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


def _part(line: Line, raw: msgspec.Raw) -> Line:
    """A part of a line that was left raw, as a line of its own: if it cannot be read, that is said of this line."""
    return Line(bytes(raw) or b"null", line.offset, line.number)
