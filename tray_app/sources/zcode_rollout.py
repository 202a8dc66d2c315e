"""ZCode's request log: from requests that repeat the conversation to the conversation, once.

Owns what needs earlier lines: which messages of a request were met before, whole histories and added pieces alike, and the
memory that a checkpoint carries. Opens no file.

A message is known by the hash of its role and its words, and by how many equal ones stood before it in the same history.
What a response said is given out at once and counted as met, so that the next request does not bring it again.
"""

from __future__ import annotations

import hashlib
from collections import Counter

import msgspec

from tray_app.sources import zcode_lines as shapes
from tray_app.sources.base import Checkpoint, Limits, Session
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.json_values import arguments, decoded, output, text_of
from tray_app.sources.jsonl import Records
from tray_app.sources.lines import Line
from tray_app.sources.talk import Talk, TalkMemory

MARK = 8
SEEN_MOST = 16_384
"""Distinct messages whose marks a checkpoint carries (about 200 kB); a longer log is read whole each time."""
REQUESTS_KEPT = 512
AWAITED_KEPT = 256
SYSTEM_MOST = 4
"""Messages of a request that may all be instructions."""


Tool = tuple[str, str, tuple[str, ...]]
"""Of a tool call: its name, its id, the files it names. Of a result: name and id."""
_NO_TOOL: Tool = ("", "", ())


class Memory(msgspec.Struct):
    """What a reading must know of everything before its checkpoint."""

    talk: TalkMemory = msgspec.field(default_factory=TalkMemory)
    seen: dict[bytes, int] = {}
    """How often each message was given out."""
    awaited: dict[bytes, int] = {}
    """What responses said and no later request has brought yet."""
    reached: int = 0
    """Messages of the history that were looked at, counted by their place in it."""
    answered: list[bytes] = []
    """Requests whose response was given out."""
    tools: bool = False
    """A request that offered tools was seen: one without is the program's own."""
    cwd: str = ""
    model: str = ""


def restored(checkpoint: Checkpoint | None) -> Memory | None:
    """The memory that a checkpoint carries; None if there is none, or another version of us wrote it."""
    if checkpoint is None:
        return None
    try:
        return msgspec.msgpack.decode(checkpoint.state, type=Memory)
    except (msgspec.MsgspecError, ValueError):
        return None


class RolloutReading:
    """Takes lines in order; afterwards `session()`, `talk` and the counts hold what they said."""

    def __init__(self, session: str, records: Records, limits: Limits, memory: Memory, *, subagent: bool) -> None:
        self.id, self.records, self.limits, self.memory, self.subagent = session, records, limits, memory, subagent
        self.talk = Talk(session, limits, subagent=subagent, memory=memory.talk)
        self.recognised = self.unknown = self.repeated = 0
        self._met: dict[bytes, tuple[bytes, ...]] = {}
        """Marks of what a message of the requests says, by the hash of its bytes: a whole history is read once, not at
        every request."""
        self._line = Line(b"", 0, 0)
        self._time = 0

    def take(self, line: Line) -> None:
        entry = self.records.decode(line, shapes.ENTRY)
        if entry is None:
            return
        if entry.type != "model_io" or entry.request is None:
            self.unknown += 1
            return
        self.recognised += 1
        self._line = line
        sent = shapes.messages_of(entry.request)
        if self._is_helper(entry, entry.request, sent):
            return
        self.memory.model = shapes.model_of(entry) or self.memory.model
        before, again = self.talk.memory.seq, self.repeated
        started, ended = milliseconds(entry.started_at), milliseconds(entry.completed_at)
        self._time = started or ended
        self._history(entry.request, sent)
        self._time = ended or started
        self._response(entry)
        self.repeated = again + int(self.talk.memory.seq == before and self.repeated > again)

    def _is_helper(self, entry: shapes.Entry, request: shapes.Request, sent: list[msgspec.Raw]) -> bool:
        """Whether the program asked for itself: a title, a summary, a check."""
        source = text_of(entry.query_source).lower()
        if any(word in source for word in shapes.HELPERS):
            return True
        tools = shapes.has_tools(request)
        if tools:
            self.memory.tools = True
        if 0 < len(sent) <= SYSTEM_MOST and all(text_of(shapes.sent_of(one).role) == "system" for one in sent):
            return True
        return tools is False and not source and (self.memory.tools or not text_of(entry.turn_id))

    # --- the request ------------------------------------------------------------------------------------------------------
    def _history(self, request: shapes.Request, sent: list[msgspec.Raw]) -> None:
        offset = request.message_offset if isinstance(request.message_offset, int) else 0
        whole = offset <= 0 and request.messages_kind not in ("delta", "tail")
        if not whole and request.message_offset is None:
            offset = self.memory.reached
        here: Counter[bytes] = Counter()
        for place, raw in enumerate(sent, max(offset, 0)):
            name = hashlib.blake2b(bytes(raw), digest_size=MARK).digest()
            if whole and self._passed(name, here):
                continue
            one = shapes.sent_of(raw)
            role = text_of(one.role) or {"function_call": "assistant", "function_call_output": "tool"}.get(
                text_of(one.type), ""
            )
            if role in ("system", "developer"):
                self.memory.cwd = self.memory.cwd or shapes.folder_in(one)
                self._met[name] = ()
                continue
            marks: list[bytes] = []
            fresh = not whole and place >= self.memory.reached
            for kind, text, made in self._parts(role, one):
                mark = _mark(kind, text)
                here[mark] += 1
                marks.append(mark)
                if whole:
                    met = here[mark] <= self.memory.seen.get(mark, 0)
                elif fresh:
                    met = self._expected(mark)
                else:
                    met = mark in self.memory.seen
                if met:
                    self.repeated += 1
                    self._note_call(made)
                else:
                    self._give(mark, kind, text, made)
            self._met[name] = tuple(marks)
        self.memory.reached = offset + len(sent) if not whole else len(sent)
        if whole:
            self.memory.awaited = {}

    def _passed(self, name: bytes, here: Counter[bytes]) -> bool:
        """Whether a message is one that was met, with all that it says, and counts it as such if so."""
        marks = self._met.get(name)
        if marks is None or any(here[mark] + marks.count(mark) > self.memory.seen.get(mark, 0) for mark in marks):
            return False
        here.update(marks)
        self.repeated += len(marks)
        return True

    def _parts(self, role: str, one: shapes.Sent) -> list[tuple[str, str, Tool]]:
        """What a message says: kind, words, and of a tool (name, call id, files)."""
        parts: list[tuple[str, str, Tool]] = []
        kind = text_of(one.type)
        if kind == "function_call":
            text, files = arguments(one.arguments)
            return [("tool_call", text, (text_of(one.name), text_of(one.call_id), files))]
        if role in ("tool", "function"):
            raw = one.content if bytes(one.content) else one.output
            named = text_of(one.tool_call_id) or text_of(one.tool_call_id_snake) or text_of(one.call_id)
            blocks = [block for block in shapes.blocks_of(raw) if text_of(block.type) in ("tool-result", "tool_result")]
            if not blocks:
                return [("tool_result", output(raw), (text_of(one.tool_name) or text_of(one.name), named, ()))]
            for block in blocks:
                text, call = shapes.result_of(block)
                parts.append(("tool_result", text, (text_of(block.tool_name) or text_of(block.name), call or named, ())))
            return parts
        said: list[str] = []
        for block in shapes.blocks_of(one.content):
            sort = text_of(block.type)
            if sort in ("text", "input_text", "output_text"):
                text = text_of(block.text)
                said.append(shapes.person_words(text) if role == "user" else text)
            elif sort in ("reasoning", "thinking"):
                parts.append(("reasoning", text_of(block.text) or text_of(block.thinking), _NO_TOOL))
            elif sort in ("tool_use", "tool-call", "tool_call"):
                name, call, raw = shapes.call_parts(block)
                text, files = arguments(raw)
                parts.append(("tool_call", text, (name, call, files)))
            elif sort in ("tool_result", "tool-result"):
                text, call = shapes.result_of(block)
                parts.append(("tool_result", text, (text_of(block.tool_name), call, ())))
        words = "\n".join(text for text in said if text.strip())
        speaker = "summary" if role == "user" and shapes.is_summary(words) else role
        place = 1 if parts and parts[0][0] == "reasoning" else 0
        if speaker in ("user", "assistant", "summary"):
            parts.insert(place, (speaker, words, _NO_TOOL))
        for found in shapes.calls_of(one.tool_calls, one.tool_calls_snake):
            name, call, raw = shapes.call_parts(found)
            text, files = arguments(raw)
            parts.append(("tool_call", text, (name, call, files)))
        return [part for part in parts if (part[1].strip() or part[2][0]) and self._wanted(part[0])]

    # --- the response -----------------------------------------------------------------------------------------------------
    def _response(self, entry: shapes.Entry) -> None:
        response = decoded(entry.response, shapes.RESPONSE)
        request = text_of(entry.request_id)
        key = _mark("request", request)
        if response is None or bytes(entry.error) not in (b"", b"null", b"false", b'""'):
            return
        if request and key in self.memory.answered:
            return
        if request:
            self.memory.answered = [*self.memory.answered[1 - REQUESTS_KEPT :], key]
        usage = shapes.usage_of(request or f"{self.id}:{self._line.number}", self._time, self.memory.model, response)
        if usage is not None:
            self.talk.count(usage)
        parts: list[tuple[str, str, Tool]] = [
            ("reasoning", text_of(response.reasoning_text), _NO_TOOL),
            ("assistant", text_of(response.text), _NO_TOOL),
        ]
        for call in shapes.calls_of(response.tool_calls):
            name, named, raw = shapes.call_parts(call)
            text, files = arguments(raw)
            parts.append(("tool_call", text, (name, named, files)))
        for kind, text, made in parts:
            if (text.strip() or made[0]) and self._wanted(kind):
                mark = _mark(kind, text)
                self._give(mark, kind, text, made)
                self.memory.awaited[mark] = self.memory.awaited.get(mark, 0) + 1

    def _wanted(self, kind: str) -> bool:
        return kind != "reasoning" or self.limits.reasoning

    # --- giving out -------------------------------------------------------------------------------------------------------
    def _expected(self, mark: bytes) -> bool:
        """Whether an added message is what a response said already."""
        number = self.memory.awaited.get(mark, 0)
        if number > 1:
            self.memory.awaited[mark] = number - 1
        elif number:
            del self.memory.awaited[mark]
        return number > 0

    def _note_call(self, made: Tool) -> None:
        """A call that the response gave without its id is met again with it: its result will name that id."""
        name, call, _ = made
        if call and name and call not in self.talk.memory.calls:
            self.talk.memory.calls[call] = "" if self.talk.is_own(name) else name

    def _give(self, mark: bytes, kind: str, text: str, made: Tool) -> None:
        number = self.memory.seen.get(mark, 0) + 1
        self.memory.seen[mark] = number
        name, call, files = made
        identity = f"{self.id}:{mark.hex()}:{number}"
        if kind == "tool_call":
            self.talk.call(name, text, files, self._time, call=call, identity=identity, offset=self._line.offset)
        elif kind == "tool_result":
            self.talk.result(text, self._time, call=call, tool=name, identity=identity, offset=self._line.offset)
        elif kind == "reasoning":
            self.talk.think(text, self._time, identity=identity, offset=self._line.offset)
        else:
            self.talk.say(kind, text, self._time, identity=identity, offset=self._line.offset)

    # --- the end ----------------------------------------------------------------------------------------------------------
    def checkpoint(self) -> Checkpoint | None:
        """Where to go on; None if there is too much to remember. Call before the records are closed."""
        if len(self.memory.seen) > SEEN_MOST:
            return None
        self.memory.talk = self.talk.carry()
        self.memory.awaited = dict(list(self.memory.awaited.items())[-AWAITED_KEPT:])
        return self.records.checkpoint(self.talk.memory.seq, msgspec.msgpack.encode(self.memory))

    def session(self, title: str, rank: int, cwd: str, parent: str) -> Session:
        talk = self.talk.memory
        return Session(
            id=self.id,
            cwd=cwd or self.memory.cwd,
            title=title or talk.title,
            title_rank=rank if title else 0,
            start=talk.start,
            end=talk.end,
            model=self.memory.model,
            kind="subagent" if self.subagent else "main",
            parent=parent,
        )


def _mark(kind: str, text: str) -> bytes:
    words = " ".join(text.split())
    return hashlib.blake2b(f"{kind}\n{words}".encode("utf-8", "replace"), digest_size=MARK).digest()
