"""A session of Copilot CLI's first versions: one JSON document in `history-session-state`.

Owns its two lists: the timeline that the person saw, and the messages as the model saw them, which are read only where
there is no timeline. Such a file is rewritten as a whole: there is no checkpoint.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tray_app.records import Problem
from tray_app.sources import gemini_words as words
from tray_app.sources.base import Limits, Message, NotReady, Reading, Session, Stop, Stopped, Unit
from tray_app.sources.claude_times import Bounds, milliseconds
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.gemini_words import text_of
from tray_app.sources.jsonl import STOP_EVERY, Collector, mended
from tray_app.sources.lines import utf16_text
from tray_app.text.own_marks import gives_pack

DOCUMENT_BYTES = 64 << 20
"""A larger document is not read: it would have to stand in memory several times over."""
_WRAPPERS = ("current_datetime", "reminder", "system_reminder", "tagged_files")
_CALLS = frozenset({"tool_call_requested", "tool_call_completed"})
_SAID = {"user": "user", "copilot": "assistant", "assistant": "assistant"}
_SILENT = frozenset({"info", "warning", "error", "system", "developer", "tool_call_progress"})


class Document(msgspec.Struct, rename="camel"):
    session_id: Any = None
    start_time: Any = None
    selected_model: Any = None
    timeline: list[msgspec.Raw] | None = None
    chat_messages: list[msgspec.Raw] | None = None


class Asked(msgspec.Struct):
    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()


class Call(msgspec.Struct):
    id: Any = None
    function: Asked | None = None


class Item(msgspec.Struct, rename="camel"):
    """An item of either list. `expandedText` is what the program made of a prompt, and is never read."""

    id: Any = None
    type: Any = None
    timestamp: Any = None
    text: Any = None
    call_id: Any = None
    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    role: Any = None
    content: msgspec.Raw = msgspec.Raw()
    tool_calls: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="tool_calls")
    tool_call_id: Any = msgspec.field(default=None, name="tool_call_id")


class Log(msgspec.Struct):
    log: Any = None
    content: Any = None


_DOCUMENT = msgspec.json.Decoder(Document)
_ITEM = msgspec.json.Decoder(Item)
_CALL = msgspec.json.Decoder(Call)
_LOG = msgspec.json.Decoder(Log)


def read_document(unit: Unit, limits: Limits, stop: Stop) -> Reading:
    """Read the whole file. Raises NotReady for an empty or half-written document, Stopped, OSError."""
    size = unit.path.stat().st_size
    if size > DOCUMENT_BYTES:
        return _not_read(unit, "over_budget", f"a document of more than {DOCUMENT_BYTES >> 20} MB")
    data = unit.path.read_bytes()
    if codec := utf16_text(data[:2]):
        data = data[2:].decode(codec, "replace").encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n\x00")
    if not data:
        raise NotReady("the file is empty")
    document = _decoded(data)
    if document is None:
        if not data.endswith(b"}"):
            raise NotReady("the document is not written to its end yet")
        return _not_read(unit, "bad_json", "not a document of a known shape")
    reading = _DocumentReading(unit, limits, document)
    for number, raw in enumerate(document.timeline or document.chat_messages or []):
        if number % STOP_EVERY == 0 and stop():
            raise Stopped
        reading.take(raw, number)
    return reading.finish(size)


class _DocumentReading:
    def __init__(self, unit: Unit, limits: Limits, document: Document) -> None:
        self.limits = limits
        self.session = text_of(document.session_id) or unit.session
        self.model = text_of(document.selected_model)
        self.collector = Collector(limits)
        self.bounds = Bounds()
        self.bounds.add(milliseconds(document.start_time))
        self.calls: dict[str, str] = {}
        self.title = ""
        self.seq = self.last = 0
        self.records = self.recognised = self.skipped = 0
        self.unknown = UnknownKinds()

    def take(self, raw: msgspec.Raw, number: int) -> None:
        self.records += 1
        item = words.inner(raw, _ITEM)
        if item is None:
            self.skipped += 1
            return
        kind = text_of(item.type) or text_of(item.role)
        time = milliseconds(item.timestamp)
        name = text_of(item.id) or f"{self.session}:{number}"
        if kind in _SAID:
            text = text_of(item.text) or words.plain(words.parts_of(item.content))
            self._said(name, _SAID[kind], text, time)
            for place, call in enumerate(words.items_of(item.tool_calls)):
                self._asked(call, f"{name}:{place}", time)
        elif kind in _CALLS:
            self._called(text_of(item.call_id) or name, text_of(item.name), item.arguments, time)
            if kind == "tool_call_completed":
                self._answered(text_of(item.call_id) or name, text_of(item.name), _logged(item.result), time)
        elif kind == "tool":
            self._answered(text_of(item.tool_call_id) or name, "", words.plain(words.parts_of(item.content)), time)
        elif kind not in _SILENT:
            self.unknown.met(kind)
            return
        self.recognised += 1

    def _said(self, name: str, role: str, text: str, time: int) -> None:
        if role == "user":
            text = words.without_blocks(text, _WRAPPERS).strip()
            if words.is_bare_command(text):
                return
            role = "note" if words.is_command(text) else "user"
            self.title = self.title or (words.one_line(text) if role == "user" else "")
        self._emit(name, role, text, time, words.lasting(name, time))

    def _asked(self, raw: msgspec.Raw, name: str, time: int) -> None:
        call = words.inner(raw, _CALL)
        if call is not None and call.function is not None:
            self._called(text_of(call.id) or name, text_of(call.function.name), call.function.arguments, time)

    def _called(self, call: str, tool: str, arguments: msgspec.Raw, time: int) -> None:
        if call in self.calls:
            return
        self.calls[call] = "" if words.is_own(tool) else tool or "?"
        if self.limits.wants(tool) and (self.calls[call] or gives_pack(tool)):
            text, files = words.call_words(arguments)
            identity, given = f"{words.lasting(call, time)}:call", words.raw_arguments(arguments, tool, self.limits)
            self._emit(call, "tool_call", text or tool, time, identity, tool, files, given)

    def _answered(self, call: str, tool: str, text: str, time: int) -> None:
        known = self.calls.get(call, "?")
        tool = tool or ("" if known == "?" else known)
        if known and not words.is_own(tool) and self.limits.wants(tool):
            self._emit(call, "tool_result", text, time, f"{words.lasting(call, time)}:result", tool)

    def _emit(
        self,
        name: str,
        role: str,
        text: str,
        time: int,
        identity: str,
        tool: str = "",
        files: tuple[str, ...] = (),
        arguments: str = "",
    ) -> None:
        if text.strip():
            self.bounds.add(time)
            self.last = time or self.last
            self.collector.add(Message(name, role, text, self.last, self.seq, 0, identity, tool, files, arguments))
            self.seq += 1

    def finish(self, size: int) -> Reading:
        start, end = self.bounds.span()
        return Reading(
            session=Session(id=self.session, title=self.title, start=start, end=end, model=self.model),
            messages=self.collector.messages(),
            checkpoint=None,
            bytes_read=size,
            records=self.records,
            recognised=self.recognised,
            skipped=self.skipped,
            unknown=self.unknown.total(),
            unknown_kinds=self.unknown,
            truncated=self.collector.truncated,
        )


def _logged(raw: msgspec.Raw) -> str:
    result = words.inner(raw, _LOG) if bytes(raw).startswith(b"{") else None
    return words.string(raw) if result is None else text_of(result.log) or text_of(result.content)


def _decoded(data: bytes) -> Document | None:
    """The document, None if it is none. Its bytes are mended only where that is needed."""
    try:
        document = _DOCUMENT.decode(data)
    except (ValueError, RecursionError):
        try:
            document = _DOCUMENT.decode(mended(data))
        except (ValueError, RecursionError):
            return None
    return None if document.timeline is None and document.chat_messages is None else document


def _not_read(unit: Unit, kind: str, reason: str) -> Reading:
    problem = Problem(path=str(unit.path), line=0, offset=0, kind=kind, reason=reason, agent=unit.agent)
    return Reading(session=Session(id=unit.session), messages=[], problems=[problem], checkpoint=None, records=1, skipped=1)
