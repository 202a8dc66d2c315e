"""One Claude Code session file, read line by line in the order of the file.

Owns what needs earlier lines: who the person is in this file, titles, the model, sidechains, doubled prompts. parentUuid
chains are not followed: they break after a compaction, and rewound branches
are wanted too.
"""

from __future__ import annotations

import hashlib
import re

import msgspec

from tray_app.sources import claude_lines as lines
from tray_app.sources.base import Checkpoint, Limits, Message, NotReady, Reading, Session, Unit, Usage
from tray_app.sources.claude_memory import Memory, packed, remembered
from tray_app.sources.claude_times import Bounds, milliseconds
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.jsonl import Collector, Records
from tray_app.sources.lines import Line

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
WARM_UP = "Warmup"
NOT_THE_PERSON = ("task_notification", "hook", "system", "teammate")
"""`turnOrigin` of turns that a program started."""
SUMMARIES_KEPT = 16
RECENT_KEPT = 256
CHATS_KEPT = 64
MARK = 8
BY_PROMPT, BY_AGENT, BY_MODEL, BY_PERSON = range(4)

_KIND = msgspec.json.Decoder(lines.Kind)
_CHAIN = msgspec.json.Decoder(lines.Chain)
_LOOK = msgspec.json.Decoder(lines.AttachmentLook)
_QUEUED = msgspec.json.Decoder(lines.QueuedLine)
_TITLE = msgspec.json.Decoder(lines.TitleLine)


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=MARK).hexdigest()


class FileReading:
    """Reads the lines of one file into messages; `finish` makes the Reading. Used once."""

    def __init__(self, unit: Unit, records: Records, limits: Limits, checkpoint: Checkpoint | None) -> None:
        self.unit, self.records, self.limits = unit, records, limits
        resumed = records.resumed and checkpoint is not None
        self.memory = remembered(checkpoint) if resumed else Memory()
        self.seq = checkpoint.seq if resumed and checkpoint is not None else 0
        self.memory.parent = self.memory.parent or unit.parent
        if UUID.fullmatch(unit.session) or unit.kind == "subagent":
            self.memory.session = unit.session
        self.collector = Collector(limits)
        self.usage: dict[str, Usage] = {}
        self.bounds = Bounds(self.memory.low, self.memory.high, self.memory.times)
        self.titles: dict[int, str] = {}
        self.leaves: set[str] = {self.memory.last_uuid} - {""}
        recent = self.memory.recent
        self.seen = dict.fromkeys(recent[at : at + MARK] for at in range(0, len(recent), MARK))
        """The mark of each message of this file, in order: of all that this reading gave, and the last ones before."""
        self.doubtful: dict[int, object] = {}
        """Version of each prompt, by its seq, that was taken for the person's before any mark was seen."""
        self.first_prompts: list[tuple[int, str]] = []
        """Seq and text of prompts that may give the title, up to the first that is certain."""
        self.recognised = self.repeated = 0
        self.unknown = UnknownKinds()

    # --- lines ------------------------------------------------------------------------------------------------------
    def read(self) -> Reading:
        for line in self.records:
            look = self.records.decode(line, _KIND)
            if look is None:
                continue
            kind = look.type
            if kind in ("user", "assistant", ""):
                self._chain(line, kind)
                continue
            if not lines.known_kind(kind):
                self.unknown.met(kind)
                continue
            self.recognised += 1
            if kind == "attachment":
                self._attachment(line)
            elif kind in ("summary", "ai-title", "custom-title", "relocated"):
                self._title(line)
        return self._finish()

    def _chain(self, line: Line, kind: str) -> None:
        entry = self.records.decode(line, _CHAIN)
        if entry is None:
            return
        role = kind or (lines.text_of(entry.message.role) if entry.message else "")
        if role not in ("user", "assistant"):
            self.unknown.met(kind)
            return
        self.recognised += 1
        self._facts(entry)
        uuid = lines.text_of(entry.uuid)
        if uuid:
            self.leaves.add(uuid)
            self.memory.last_uuid = uuid
        if entry.message is None:
            return
        repeated, seq = self.repeated, self.seq
        if role == "user":
            self._user(line, entry, entry.message)
        else:
            self._assistant(line, entry, entry.message)
        if self.repeated > repeated:  # counted by record: one that brought something new is no repetition
            self.repeated = repeated + int(self.seq == seq)

    def _facts(self, entry: lines.Chain | lines.QueuedLine) -> None:
        memory = self.memory
        memory.session = memory.session or lines.text_of(entry.session_id)
        memory.cwd = memory.cwd or lines.text_of(entry.cwd)
        memory.branch = lines.text_of(entry.git_branch) or memory.branch
        memory.version = lines.text_of(entry.version) or memory.version
        if not memory.parent:
            owner = lines.text_of(entry.session_id)
            asked = lines.text_of(entry.request_session_id) if isinstance(entry, lines.Chain) else ""
            if self.unit.kind == "subagent":
                memory.parent = owner
            elif asked and asked != memory.session:
                memory.parent = asked

    # --- the person -------------------------------------------------------------------------------------------------
    def _user(self, line: Line, entry: lines.Chain, said: lines.Said) -> None:
        time = milliseconds(entry.timestamp)
        self._results(line, entry, said, time)
        text = lines.plain(said.content)
        if entry.is_compact_summary is True or text.startswith(lines.CONTINUED):
            self._emit(line, self._id(line, entry.uuid), "summary", text, time, side=entry.is_sidechain is True)
            return
        if entry.is_meta is True or entry.is_visible_in_transcript_only is True:
            return
        prompt = lines.spoken(said.content)
        if not prompt:
            label = "" if entry.prompt_source == "system" else lines.command_label(text)
            self._emit(line, self._id(line, entry.uuid), "note", label, time)
            return
        source = entry.prompt_source if isinstance(entry.prompt_source, str) else None
        if source is not None:
            found = lines.version_of(entry.version)
            self.memory.marked_from = found if self.memory.marked_from is None else min(self.memory.marked_from, found)
            if source == "system" or entry.turn_origin in NOT_THE_PERSON or lines.from_another(entry.origin):
                return
        elif entry.is_sidechain is True or self.unit.kind == "subagent":
            self._instructed(line, entry, prompt, time)
            return
        elif self._marks_expected(entry.version) or entry.row_source == "harness" or lines.from_another(entry.origin):
            return
        mark = digest(prompt)
        doubled = source in (None, "queued") and self.memory.said == f"queue:{mark}"
        self.memory.said = f"line:{mark}" if source in (None, "queued") else ""
        if doubled:
            self.repeated += 1
            return
        if self._emit(line, self._id(line, entry.uuid), "user", prompt, time):
            self._heard(self.seq - 1, prompt, entry.version, certain=source is not None)

    def _instructed(self, line: Line, entry: lines.Chain, prompt: str, time: int) -> None:
        """What the parent model wrote to a sub-agent, in its own file or (1.x) in a sidechain of this one: a note."""
        self.memory.warming = prompt == WARM_UP
        added = self._emit(line, self._id(line, entry.uuid), "note", prompt, time, side=True)
        if added and self.unit.kind == "subagent" and not self.memory.titled:
            self.first_prompts.append((-1, prompt))
            self.memory.titled = True

    def _marks_expected(self, version: object) -> bool:
        """Whether a prompt by the person would carry its mark in a line of this version."""
        if self.memory.marked_from is None:
            return False
        return not lines.version_of(version) or lines.version_of(version) >= self.memory.marked_from

    def _heard(self, seq: int, prompt: str, version: object, *, certain: bool) -> None:
        """Remember a prompt for the title, and as doubtful if only the absence of marks speaks for it."""
        if not certain and self.memory.marked_from is None:
            self.doubtful[seq] = version
        if not self.memory.titled:
            self.first_prompts.append((seq, prompt))
            self.memory.titled = seq not in self.doubtful

    def _attachment(self, line: Line) -> None:
        look = self.records.decode(line, _LOOK)
        if look is None or look.attachment is None or look.attachment.type != "queued_command":
            return
        entry = self.records.decode(line, _QUEUED)
        if entry is None or entry.attachment is None:
            return
        self._facts(entry)
        queued = entry.attachment
        if queued.is_meta is True or queued.command_mode == "task-notification" or lines.from_another(queued.origin):
            return
        prompt = lines.spoken(queued.prompt)
        if not prompt:
            return
        time = milliseconds(entry.timestamp) or milliseconds(queued.timestamp)
        mark = digest(prompt)
        doubled = self.memory.said == f"line:{mark}" or lines.text_of(queued.source_uuid) in self.leaves
        self.memory.said = f"queue:{mark}"
        if doubled:
            self.repeated += 1
            return
        made = f"queued-{digest(f'{time or line.number}:{prompt}')}"
        message_id = lines.text_of(entry.uuid) or made
        role = "note" if self.unit.kind == "subagent" or entry.is_sidechain is True else "user"
        if self._emit(line, message_id, role, prompt, time, side=role == "note") and role == "user":
            self._heard(self.seq - 1, prompt, entry.version, certain=True)

    # --- the model and its tools --------------------------------------------------------------------------------------
    def _assistant(self, line: Line, entry: lines.Chain, said: lines.Said) -> None:
        model = lines.text_of(said.model)
        if entry.is_api_error_message is True or model == "<synthetic>":
            return
        self.memory.model = model or self.memory.model
        time = milliseconds(entry.timestamp)
        message_id, own_id = self._id(line, entry.uuid), lines.text_of(said.id)
        self._count(said, own_id or lines.text_of(entry.uuid), time, model)
        side = entry.is_sidechain is True or self.unit.kind == "subagent"
        content = [said.content] if isinstance(said.content, str) else said.content or []
        texts = 0
        for block in content:
            if isinstance(block, str) or block.type == "text":
                text = block if isinstance(block, str) else lines.text_of(block.text)
                if text.strip():
                    name = message_id if not texts else f"{message_id}:{texts}"
                    texts += 1
                    self._emit(line, name, "assistant", text, time, identity=own_id or name, side=side)
            elif block.type == "thinking" and self.limits.reasoning:
                text = lines.text_of(block.thinking)
                name = f"{message_id}:thinking"
                self._emit(line, name, "reasoning", text, time, identity=own_id or name, side=side)
            elif block.type in ("tool_use", "server_tool_use") and self.limits.wants(lines.text_of(block.name)):
                text, files = lines.tool_call(block)
                tool = lines.text_of(block.name)
                name = lines.text_of(block.id) or f"{message_id}:{tool}"
                given = ""
                if self.limits.is_chat(tool):
                    self.memory.chats[name] = tool
                    given = lines.raw_arguments(block)
                self._emit(line, name, "tool_call", text or tool, time, tool=tool, files=files, arguments=given, side=side)

    def _results(self, line: Line, entry: lines.Chain, said: lines.Said, time: int) -> None:
        if isinstance(said.content, str) or not said.content or not (self.limits.tools or self.memory.chats):
            return
        side = entry.is_sidechain is True or self.unit.kind == "subagent"
        for place, block in enumerate(said.content):
            if isinstance(block, str) or block.type != "tool_result":
                continue
            name = lines.text_of(block.tool_use_id) or f"{self._id(line, entry.uuid)}:{place}"
            chat = self.memory.chats.get(name, "")
            if chat or self.limits.tools:
                text, mark = lines.tool_result(block), f"{name}:result"
                self._emit(line, name, "tool_result", text, time, identity=mark, tool=chat, side=side)

    def _count(self, said: lines.Said, key: str, time: int, model: str) -> None:
        tokens = lines.tokens_of(said) if key else None
        if tokens is None:
            return
        known = self.usage.get(key)
        output = -1 if tokens.output_tokens is None else tokens.output_tokens
        if known is not None and known.output >= output:
            return
        counts = (tokens.input_tokens, tokens.cache_read_input_tokens, tokens.cache_creation_input_tokens)
        fresh, read, written = (-1 if count is None else count for count in counts)
        start = known.time if known is not None and known.time else time
        self.usage[key] = Usage(key, start, model, fresh, output, read, written)

    # --- titles -------------------------------------------------------------------------------------------------------
    def _title(self, line: Line) -> None:
        entry = self.records.decode(line, _TITLE)
        if entry is None:
            return
        self.memory.session = self.memory.session or lines.text_of(entry.session_id)
        self.memory.cwd = lines.text_of(entry.relocated_cwd) or self.memory.cwd
        for rank, text in ((BY_PERSON, entry.custom_title), (BY_MODEL, entry.ai_title)):
            if title := lines.one_line(lines.text_of(text)):
                self.titles[rank] = title
        leaf, summary = lines.text_of(entry.leaf_uuid), lines.one_line(lines.text_of(entry.summary))
        if leaf and summary:
            self.memory.summaries.pop(leaf, None)
            self.memory.summaries[leaf] = summary

    def _best_title(self, wrong: set[int]) -> tuple[str, int]:
        for leaf in [leaf for leaf in self.memory.summaries if leaf in self.leaves]:
            self.titles[BY_AGENT] = self.memory.summaries.pop(leaf)
        self.memory.summaries = dict(list(self.memory.summaries.items())[-SUMMARIES_KEPT:])
        for seq, prompt in self.first_prompts:
            if seq not in wrong:
                self.titles[BY_PROMPT] = lines.one_line(prompt)
                self.memory.titled = True
                break
        rank = max(self.titles, default=BY_PROMPT)
        return self.titles.get(rank, ""), rank

    # --- making messages ------------------------------------------------------------------------------------------------
    def _id(self, line: Line, uuid: object) -> str:
        return lines.text_of(uuid) or f"{self.unit.session}:{line.number}"

    def _emit(
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
        side: bool = False,
    ) -> bool:
        """Add a message unless it is empty, a repetition within the file, or of a warm-up. True if it was added."""
        if not text.strip() or (side and self.memory.warming):
            return False
        mark = hashlib.blake2b(f"{role}\n{message_id}\n{text}".encode("utf-8", "replace"), digest_size=MARK).digest()
        if mark in self.seen:
            self.repeated += 1
            return False
        self.seen[mark] = None
        self.bounds.add(time)
        own = identity or message_id
        self.collector.add(Message(message_id, role, text, time, self.seq, line.offset, own, tool, files, arguments))
        self.seq += 1
        return True

    def _finish(self) -> Reading:
        records, memory = self.records, self.memory
        if not records.records and not records.skipped and not records.resumed:
            raise NotReady("no whole record yet")
        if self.seq:  # the id that messages were given out under must not change any more
            memory.session = memory.session or self.unit.session
        wrong = {seq for seq, version in self.doubtful.items() if self._marks_expected(version)}
        messages = [message for message in self.collector.messages() if message.seq not in wrong]
        title, rank = self._best_title(wrong)
        start, end = self.bounds.span()
        memory.recent = b"".join(list(self.seen)[-RECENT_KEPT:])
        memory.low, memory.high, memory.times = self.bounds.carry()
        memory.chats = dict(list(memory.chats.items())[-CHATS_KEPT:])
        session = Session(
            id=memory.session or self.unit.session,
            cwd=memory.cwd,
            title=title,
            title_rank=rank,
            start=start,
            end=end,
            model=memory.model,
            branch=memory.branch,
            version=memory.version,
            kind=self.unit.kind,
            parent=memory.parent,
        )
        return Reading(
            session=session,
            messages=messages,
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
