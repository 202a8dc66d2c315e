"""From the lines of one Codex session to its facts, messages and token counts.

Owns what each kind of line means, and the memory that lets a reading go on behind a checkpoint. Opens no file.
"""

from __future__ import annotations

import hashlib
from typing import TypeVar

import msgspec

from tray_app.sources import codex_lines as shapes
from tray_app.sources.base import CHAT_CHARS, Limits, Message, Session, Usage
from tray_app.sources.codex_turns import OpenTurn, Turn, text_key
from tray_app.sources.codex_words import environment_folder, item_words, looks_wrapped, person_words, summary_words
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.jsonl import Collector, Records, head_and_tail
from tray_app.sources.lines import Line
from tray_app.text.own_marks import gives_pack

T = TypeVar("T")

OWN_TOOL = "backscroll"
TITLE_CHARS = 120
SEEN_KEPT = 64
CALLS_KEPT = 128


class Memory(msgspec.Struct):
    """What a reading must know of everything before its checkpoint."""

    id: str = ""
    """The session's id: from the file's name, else from the first header."""
    sure: bool = False
    header: bool = False
    """The session's own header was read."""
    copied: bool = False
    """Another session's header was read: what it said is copied into this file."""
    cwd: str = ""
    title: str = ""
    name: str = ""
    """A title given to the thread, in the file."""
    start: int = 0
    end: int = 0
    model: str = ""
    branch: str = ""
    version: str = ""
    kind: str = "main"
    parent: str = ""
    total: int = -1
    """Tokens counted so far, as of the last count."""
    turn: OpenTurn = msgspec.field(default_factory=OpenTurn)
    seen: list[bytes] = []
    calls: dict[str, str] = {}
    """Tool by call id, for the results to come; '' for calls that are left out."""
    summary: bytes = b""
    """Key of the last summary or answer, so that a summary is not given twice."""


class CodexReading:
    """Takes lines in order; afterwards `session()`, the collector's messages and `usage` hold what they said."""

    def __init__(self, memory: Memory, records: Records, limits: Limits, seq: int, time: int) -> None:
        self.memory, self.records, self.limits = memory, records, limits
        self.seq, self.time = seq, time
        self.collector = Collector(limits)
        self.usage: list[Usage] = []
        self.recognised = self.repeated = 0
        self.unknown = UnknownKinds()
        self._turn = Turn(memory.turn)
        self._seen = dict.fromkeys(memory.seen)

    def take(self, line: Line) -> None:
        """One line, of whatever generation."""
        envelope = self.records.decode(line, shapes.ENVELOPE)
        if envelope is None:
            return
        stamp = shapes.millis(envelope.timestamp if envelope.timestamp is not None else envelope.created_at)
        kind = envelope.type or ""
        if not bytes(envelope.payload):
            self._bare(line, envelope, kind, stamp)
            self._give()
            return
        if stamp:
            self._time(stamp)
        payload = Line(bytes(envelope.payload), line.offset, line.number)
        if kind == "response_item":
            compaction = envelope.metadata is not None and bool(envelope.metadata.compaction_output)
            self._item(payload, stamp, compaction)
        elif kind == "event_msg":
            self._event(payload, stamp)
        elif kind == "session_meta":
            self._meta(self._known(payload, shapes.META))
        elif kind == "turn_context":
            self._context(self._known(payload, shapes.CONTEXT))
        elif kind == "compacted":
            self._compacted(self._known(payload, shapes.COMPACTED), line, stamp)
        elif kind == "token_usage_record":
            self._token_record(self._known(payload, shapes.TOKEN_RECORD), stamp)
        elif kind in shapes.SILENT_LINES:
            self.recognised += 1
        else:
            self.unknown.met(kind)
        self._give()

    def finish(self) -> bytes:
        """End of what there is: give out what is open. Returns the memory for a checkpoint."""
        self._turn.pause()
        self._give()
        memory = self.memory
        memory.seen = list(self._seen)[-SEEN_KEPT:]
        memory.calls = dict(list(memory.calls.items())[-CALLS_KEPT:])
        return msgspec.msgpack.encode(memory)

    def session(self, indexed_title: str, archived: bool) -> Session:
        memory = self.memory
        title = indexed_title or memory.name
        return Session(
            id=memory.id,
            cwd=memory.cwd,
            title=title or memory.title,
            title_rank=2 if title else 0,
            start=memory.start or self.time,
            end=memory.end or memory.start or self.time,
            model=memory.model,
            branch=memory.branch,
            version=memory.version,
            kind=memory.kind,
            parent=memory.parent,
            archived=archived,
        )

    # --- kinds of lines --------------------------------------------------------------------------------------------------
    def _bare(self, line: Line, envelope: shapes.Envelope, kind: str, stamp: int) -> None:
        if stamp:
            self._time(stamp)
        if kind or envelope.role:
            self._item(line, stamp, False)
        elif envelope.record_type is not None:
            self.recognised += 1
        elif envelope.id is not None:
            self._meta(self._known(line, shapes.META))
        else:
            self.unknown.met(kind)

    def _meta(self, meta: shapes.Meta | None) -> None:
        memory = self.memory
        named = meta.id or meta.session_id if meta is not None else None
        if meta is None or not named:
            return
        if memory.id != named and (memory.sure or memory.header):
            memory.copied = True
            if not memory.parent and shapes.is_id(named):
                memory.parent = named
            return
        memory.id, memory.sure = named, True
        if not memory.header:
            memory.header = True
            memory.start = shapes.millis(meta.timestamp) or memory.start
            memory.cwd = meta.cwd or memory.cwd
        memory.version = meta.cli_version or memory.version
        memory.branch = (meta.git.branch if meta.git else None) or memory.branch
        parent = meta.spawner() or meta.parent_thread_id or meta.forked_from_id or ""
        if shapes.is_id(parent) and parent != named:
            memory.parent = parent
        if meta.is_subagent():
            memory.kind = "subagent"

    def _context(self, context: shapes.TurnContext | None) -> None:
        if context is not None:
            self.memory.cwd = context.cwd or self.memory.cwd
            self.memory.model = context.model or self.memory.model

    def _compacted(self, compacted: shapes.Compacted | None, line: Line, stamp: int) -> None:
        text = summary_words(compacted.message or "") if compacted is not None else ""
        if text and text_key(text) != self.memory.summary:
            self._summary(self._message("", "summary", text, stamp, line.offset, f"{stamp}:summary" if stamp else ""))

    def _summary(self, message: Message | None) -> None:
        if message is not None:
            self.memory.summary = text_key(message.text)
            self._turn.other(message, tool=False)

    def _item(self, payload: Line, stamp: int, compaction: bool) -> None:
        item = self.records.decode(payload, shapes.ITEM)
        if item is None:
            return
        kind = item.type or ("message" if item.role else "")
        if kind == "message":
            self.recognised += 1
            self._said(item, payload.offset, stamp, compaction)
        elif kind in shapes.CALLS:
            self.recognised += 1
            self._call(item, kind, payload.offset, stamp)
        elif kind in shapes.RESULTS:
            self.recognised += 1
            self._result(item, payload.offset, stamp)
        elif kind == "reasoning":
            self.recognised += 1
            text = shapes.joined(item.summary) if self.limits.reasoning else ""
            self._turn.other(
                self._message(item.id, "reasoning", text, stamp, payload.offset) if text else None,
                tool=self.memory.turn.after_tool,
            )
        elif kind == "agent_message":
            self.recognised += 1
            text = shapes.unencrypted(item.content)
            self._turn.other(self._message(item.id, "note", text, stamp, payload.offset) if text else None, tool=False)
        elif kind in shapes.SILENT_ITEMS:
            self.recognised += 1
        else:
            self.unknown.met(f"response_item/{kind}")

    def _said(self, item: shapes.Item, offset: int, stamp: int, compaction: bool) -> None:
        if item.model:
            self.memory.model = item.model
        if item.role == "user":
            self.memory.cwd = self.memory.cwd or environment_folder(item)
            words, vouched = item_words(item)
            message = self._message(item.id, "user", words, stamp, offset) if words else None
            if message is not None:
                self._turn.prompt(message, event=False, vouched=vouched, doubtful=looks_wrapped(words))
        elif item.role == "assistant":
            text = shapes.joined(item.content) or item.message or ""
            if not text.strip():
                return
            message = self._message(item.id, "summary" if compaction else "assistant", text, stamp, offset)
            if message is None:
                return
            if compaction:
                self._summary(message)
                return
            self.memory.summary = text_key(text)
            self._turn.answer(message, event=False)

    def _call(self, item: shapes.Item, kind: str, offset: int, stamp: int) -> None:
        tool = item.name or (item.function.name if item.function else None) or kind.removesuffix("_call")
        if item.namespace and not tool.startswith(item.namespace):
            tool = f"{item.namespace.rstrip('_')}__{tool}" if item.namespace.startswith("mcp__") else tool
        own = OWN_TOOL in tool.lower() or OWN_TOOL in (item.namespace or "").lower()
        if item.call_id:
            self.memory.calls[item.call_id] = "" if own else tool
        message = None
        if self.limits.wants(tool) and (not own or gives_pack(tool)):
            text = shapes.call_text(item)
            files = shapes.call_files(item, text)
            message = self._tool(item, "call", text or tool, tool, offset, stamp, files)
            if message is not None and self.limits.is_chat(tool):
                message = msgspec.structs.replace(message, arguments=shapes.raw_arguments(item))
        self._turn.other(message, tool=True)

    def _result(self, item: shapes.Item, offset: int, stamp: int) -> None:
        tool = self.memory.calls.pop(item.call_id or "", item.name or "?")
        message = None
        if tool and self.limits.wants(tool) and OWN_TOOL not in tool.lower():
            text = shapes.result_text(item)
            message = self._tool(item, "result", text, "" if tool == "?" else tool, offset, stamp, ()) if text else None
        self._turn.other(message, tool=True)

    def _tool(
        self, item: shapes.Item, part: str, text: str, tool: str, offset: int, stamp: int, files: tuple[str, ...]
    ) -> Message | None:
        named = item.id or item.call_id or ""
        identity = f"{named}:{part}" if named else ""
        most = CHAT_CHARS if part == "result" and self.limits.is_chat(tool) else self.limits.tool_chars
        message = self._message(named, f"tool_{part}", head_and_tail(text, most), stamp, offset, identity)
        return None if message is None else msgspec.structs.replace(message, tool=tool, files=files)

    def _event(self, payload: Line, stamp: int) -> None:
        event = self.records.decode(payload, shapes.EVENT)
        if event is None:
            return
        kind = event.type or ""
        if kind.startswith(shapes.EVENT_STARTS):
            self.recognised += 1
        else:
            self.unknown.met(f"event_msg/{kind}")
        if kind in ("user_message", "agent_message"):
            words = self._part(payload, event.message, shapes.WORDS)
            self._told(kind == "user_message", words or "", "", stamp, payload.offset)
        elif kind == "item_completed":
            item = self._part(payload, event.item, shapes.COMPLETED)
            if item is not None and item.type in ("UserMessage", "AgentMessage"):
                words = shapes.joined(item.content) or item.text or ""
                self._told(item.type == "UserMessage", words, item.id or "", stamp, payload.offset)
        elif kind == "token_count":
            self._token_count(self._part(payload, event.info, shapes.TOKEN_INFO), stamp)
        elif kind == "thread_name_updated" and event.thread_name:
            self.memory.name = one_line(event.thread_name)
        elif kind in shapes.TURN_ENDS:
            self._turn.close()

    def _told(self, by_person: bool, words: str, named: str, stamp: int, offset: int) -> None:
        text = person_words(words) if by_person else words
        if not text.strip():
            return
        role = "user" if by_person else "assistant"
        message = self._message(named, role, text, stamp, offset, copy="event")
        if message is None:
            return
        if by_person:
            self._turn.prompt(message, event=True, vouched=True)
        else:
            self._turn.answer(message, event=True)

    def _token_count(self, info: shapes.TokenInfo | None, stamp: int) -> None:
        if info is None or info.last_token_usage is None:
            return
        total = info.total_token_usage
        counted = total.input_tokens + total.output_tokens if total is not None else -1
        if counted >= 0 and counted == self.memory.total:  # sent again at the start of each turn
            return
        self.memory.total = counted
        self._count(f"{stamp}:{counted}", info.model or self.memory.model, info.last_token_usage, stamp)

    def _token_record(self, record: shapes.TokenRecord | None, stamp: int) -> None:
        if record is None or record.usage is None:
            return
        total = record.thread_token_usage
        counted = total.input_tokens + total.output_tokens if total is not None else -1
        self.memory.total = counted
        self._count(record.response_id or f"{stamp}:{counted}", self.memory.model, record.usage, stamp)

    def _count(self, key: str, model: str, tokens: shapes.Tokens, stamp: int) -> None:
        if self._repeats(f"tokens:{key}"):
            return
        cached = max(tokens.cached_input_tokens, 0) + max(tokens.cache_write_input_tokens, 0)
        self.usage.append(
            Usage(
                key=key,
                time=stamp or self.memory.end or self.time,
                model=model,
                input=max(tokens.input_tokens - cached, 0) if tokens.input_tokens >= 0 else -1,
                output=tokens.output_tokens,
                cache_read=tokens.cached_input_tokens,
                cache_write=tokens.cache_write_input_tokens,
            )
        )

    # --- making messages -------------------------------------------------------------------------------------------------
    def _message(
        self, named: str | None, role: str, text: str, stamp: int, offset: int, identity: str = "", copy: str = "item"
    ) -> Message | None:
        """A message without its number yet; None if it repeats one of this file (a line written twice)."""
        identity = identity or named or (f"{stamp}:{role}" if stamp else "")
        if identity and self._repeats(f"{copy}\n{role}\n{identity}\n{stamp}\n{text}"):
            self.repeated += 1
            return None
        time = stamp or self.memory.end or self.memory.start or self.time
        return Message(id=named or "", role=role, text=text, time=time, seq=0, offset=offset, identity=identity)

    def _repeats(self, what: str) -> bool:
        key = hashlib.blake2b(what.encode("utf-8", "replace"), digest_size=8).digest()
        if key in self._seen:
            return True
        self._seen[key] = None
        return False

    def _give(self) -> None:
        memory = self.memory
        for message in self._turn.take():
            name = message.id or f"{memory.id}:{self.seq}"
            role = message.role
            if role == "user" and memory.kind == "subagent" and not memory.copied:
                role = "note"  # the parent model wrote it; in a copied history the person's own words cannot be told apart
            self.collector.add(
                msgspec.structs.replace(message, id=name, role=role, identity=message.identity or name, seq=self.seq)
            )
            self.seq += 1
            if not memory.title and (role == "user" or (role == "note" and memory.kind == "subagent")):
                memory.title = one_line(message.text)

    def _known(self, payload: Line, decoder: msgspec.json.Decoder[T]) -> T | None:
        record = self.records.decode(payload, decoder)
        self.recognised += record is not None
        return record

    def _part(self, payload: Line, raw: msgspec.Raw, decoder: msgspec.json.Decoder[T]) -> T | None:
        return self.records.decode(Line(bytes(raw), payload.offset, payload.number), decoder) if bytes(raw) else None

    def _time(self, stamp: int) -> None:
        self.memory.start = self.memory.start or stamp
        self.memory.end = max(self.memory.end, stamp)


def one_line(text: str) -> str:
    """A title from a text: its words in one line, cut to a readable length."""
    words = " ".join(text[: TITLE_CHARS * 8].split())
    return words if len(words) <= TITLE_CHARS else words[: TITLE_CHARS - 1].rstrip() + "…"
