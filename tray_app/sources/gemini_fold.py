"""The state of one Gemini CLI session, as its records make it: the same id again, patches, rewinds.

Owns the order of messages and what a later record changes in earlier ones; opens no file and decodes no line. All records
of a reading are folded first; messages are made at the end.

Choices: a record that is written again stands where it stood first, and its parts that did not change keep the place in the
file where they were first written. `$set.messages` is what the program then sent to its model: it changes and adds, but
does not take out what was said before a compaction, nor the tool results that it masks. `$rewindTo` takes out, since the
person did that.
"""

from __future__ import annotations

import hashlib
from collections import deque

import msgspec

from tray_app.sources import gemini_words as words
from tray_app.sources.base import Limits, Message, Session, Unit, Usage
from tray_app.sources.claude_times import Bounds, Group, milliseconds
from tray_app.sources.gemini_records import RECORD, Piece, Record, kind_of, pieces_of, usage_of, workspace_in
from tray_app.sources.gemini_words import text_of
from tray_app.sources.jsonl import Collector

MARK = 8
TOOLS_KEPT = 256


class Revised(Exception):
    """What was appended changes messages that an earlier reading gave: the file must be read whole."""


class Memory(msgspec.Struct):
    """What a checkpoint carries from one reading to the next."""

    session: str = ""
    headed: bool = False
    kind: str = "main"
    parent: str = ""
    cwd: str = ""
    digest: str = ""
    """Hash of the workspace's path."""
    model: str = ""
    title: str = ""
    title_rank: int = -1
    ids: bytes = b""
    """Eight bytes for each record's id: to know one that is written again."""
    tail: str = ""
    """Id of the last record, which may be written again with more in it."""
    given: list[bytes] = []
    """Marks of the messages that were made of it."""
    tools: list[str] = []
    """Role and call id of the last tool calls and results: a result may be written in two records."""
    last: int = 0
    low: int = 0
    high: int = 0
    times: list[Group] = []


class Entry(msgspec.Struct):
    """A record that stands, with the place in the file where each of its messages was first written."""

    name: str
    pieces: list[Piece]
    offsets: list[int]
    given: list[bytes] = []
    """What an earlier reading gave already; `pieces` come behind it."""


def digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=MARK).digest()


def mark(piece: Piece) -> bytes:
    return hashlib.blake2b(msgspec.msgpack.encode(piece), digest_size=MARK).digest()


class Fold:
    """Takes records in order; afterwards `messages()` and `session()` hold what stands. Raises Revised, see there."""

    def __init__(self, unit: Unit, limits: Limits, memory: Memory, seq: int, *, resumed: bool) -> None:
        self.unit, self.limits, self.memory, self.seq, self.resumed = unit, limits, memory, seq, resumed
        memory.parent = memory.parent or unit.parent
        memory.kind = unit.kind if unit.kind != "main" else memory.kind
        self.entries: dict[str, Entry] = {}
        self.aliases: dict[str, str] = {}
        self.known = {memory.ids[at : at + MARK] for at in range(0, len(memory.ids), MARK)}
        if resumed and memory.tail:
            self.entries[memory.tail] = Entry(memory.tail, [], [], memory.given)
        self.usage: dict[str, Usage] = {}
        self.repeated = 0
        self.truncated = False
        self._bounds = Bounds(memory.low, memory.high, memory.times)
        self._chars = 0
        self._left_out = 0
        self._oldest: deque[str] = deque()
        self._said: dict[bytes, str] = {}
        """Name of the last record that said something, by what it said."""

    # --- records ----------------------------------------------------------------------------------------------------------
    def facts(self, record: Record, *, header: bool) -> None:
        """What a header (or a document), or else a `$set`, says of the session."""
        memory = self.memory
        if text_of(record.kind) == "subagent":
            memory.kind = "subagent"
        memory.session = memory.session or text_of(record.session_id)
        memory.digest = memory.digest or text_of(record.project_hash)
        start = milliseconds(record.start_time)
        if header and not memory.headed:
            self._bounds.add(start)
            memory.headed = True
        self._entitle(words.RANK_MODEL, text_of(record.summary))
        if not memory.cwd and isinstance(record.directories, list) and record.directories:
            memory.cwd = text_of(record.directories[0])

    def message(self, record: Record, name: str, offset: int) -> None:
        """A message, new or written again."""
        memory = self.memory
        name = self.aliases.get(name, name)
        entry = self.entries.get(name)
        if entry is None and digest(name) in self.known:
            raise Revised
        pieces = self._made(record, name)
        if entry is None:
            self.entries[name] = entry = Entry(name, [], [])
            self._oldest.append(name)
        else:
            self.repeated += 1
        self._update(entry, pieces, offset)
        memory.cwd = memory.cwd or workspace_in(record)

    def merge(self, raw: msgspec.Raw, offset: int) -> None:
        """`$set.messages`: the list of all messages as the model then saw it."""
        given = []
        for place, item in enumerate(words.items_of(raw)):
            record = words.inner(item, RECORD)
            if record is not None:
                given.append((text_of(record.id) or f"{self.unit.session}:{offset}:{place}", record))
        if not given:
            return
        if self.resumed:
            raise Revised
        listed = {self.aliases.get(name, name) for name, _ in given}
        added: dict[str, list[Entry]] = {}
        following = ""
        for name, record in reversed(given):
            self.memory.cwd = self.memory.cwd or workspace_in(record)
            name = self.aliases.get(name, name)
            entry = self.entries.get(name)
            pieces = self._made(record, name)
            twin = self._twin(pieces, listed) if entry is None else ""
            if entry is not None:
                self._update(entry, _unmasked(pieces, entry.pieces), offset)
                following = name
            elif twin:  # the same message under another id
                self.aliases[name] = twin
                listed.add(twin)
                following = twin
            else:
                entry = Entry(name, [], [])
                self._update(entry, pieces, offset)
                added.setdefault(following, []).insert(0, entry)
        if added:
            self._insert(added)

    def rewind(self, name: str) -> None:
        """Take out a message and all behind it. One that is not known (its line was damaged) takes nothing with it."""
        name = self.aliases.get(name, name)
        if name not in self.entries:
            if digest(name) in self.known:
                raise Revised
            return
        if self.resumed and name == self.memory.tail:
            raise Revised
        last = ""
        while last != name:
            last, entry = self.entries.popitem()
            self._chars -= _size(entry.pieces)
        if self.aliases:
            self.aliases = {alias: target for alias, target in self.aliases.items() if target in self.entries}

    def _made(self, record: Record, name: str) -> list[Piece]:
        self.memory.model = text_of(record.model) or self.memory.model
        usage = usage_of(record, name)
        if usage is not None:
            self.usage[name] = usage
        return pieces_of(record, name, self.limits, side=self.memory.kind == "subagent")

    def _update(self, entry: Entry, pieces: list[Piece], offset: int) -> None:
        count = len(entry.given)
        if [mark(piece) for piece in pieces[:count]] != entry.given:
            raise Revised
        pieces = pieces[count:]
        before = {mark(piece): place for piece, place in zip(entry.pieces, entry.offsets, strict=True)}
        self._chars += _size(pieces) - _size(entry.pieces)
        key = _key(pieces)
        if key:
            self._said[key] = entry.name
        entry.pieces, entry.offsets = pieces, [before.get(mark(piece), offset) for piece in pieces]
        while self._chars > self.limits.file_chars and len(self._oldest) > 1:  # never more in memory than may be given
            old = self.entries.get(self._oldest.popleft())
            if old is not None and old is not entry and old.pieces:
                self._chars -= _size(old.pieces)
                self._left_out += len(old.pieces)
                self.truncated = True
                old.pieces, old.offsets = [], []

    def _twin(self, pieces: list[Piece], listed: set[str]) -> str:
        """The standing record that says the same, and is not in a list itself; '' if there is none."""
        key = _key(pieces)
        name = self._said.get(key, "") if key else ""
        entry = self.entries.get(name)
        return name if entry is not None and name not in listed and _key(entry.pieces) == key else ""

    def _insert(self, added: dict[str, list[Entry]]) -> None:
        at_end = added.pop("", [])
        self._oldest.extend(new.name for news in (*added.values(), at_end) for new in news)
        if added:
            entries: dict[str, Entry] = {}
            for name, entry in self.entries.items():
                entries.update((new.name, new) for new in added.get(name, ()))
                entries[name] = entry
            self.entries = entries
        self.entries.update((new.name, new) for new in at_end)

    # --- the end ------------------------------------------------------------------------------------------------------------
    def messages(self) -> list[Message]:
        """What stands, in order. Afterwards the memory is that of a checkpoint."""
        memory = self.memory
        collector = Collector(self.limits)
        tools = dict.fromkeys(memory.tools)
        self.seq += self._left_out
        for entry in self.entries.values():
            for piece, offset in zip(entry.pieces, entry.offsets, strict=True):
                if not piece.role:
                    tools |= {f"tool_call:{piece.call}": None, f"tool_result:{piece.call}": None}
                    continue
                if piece.call:
                    once = f"{piece.role}:{piece.call}"
                    if once in tools:
                        self.repeated += 1
                        continue
                    tools[once] = None
                memory.last = piece.time or memory.last
                self._bounds.add(piece.time)
                if piece.role == "user" or (piece.role == "note" and memory.kind == "subagent"):
                    self._entitle(words.RANK_PROMPT, piece.text)
                at, own, given = memory.last, piece.identity, piece.arguments
                collector.add(
                    Message(piece.id, piece.role, piece.text, at, self.seq, offset, own, piece.tool, piece.files, given)
                )
                self.seq += 1
        self.truncated = self.truncated or collector.truncated
        self._remember(list(tools))
        return collector.messages()

    def _remember(self, tools: list[str]) -> None:
        memory = self.memory
        names = {digest(name) for name in (*self.entries, *self.aliases)}
        memory.ids = b"".join(sorted(names | self.known))
        tail = next(reversed(self.entries.values()), None)
        memory.tail = tail.name if tail is not None else ""
        memory.given = [*tail.given, *(mark(piece) for piece in tail.pieces)] if tail is not None else []
        memory.tools = tools[-TOOLS_KEPT:]
        memory.low, memory.high, memory.times = self._bounds.carry()

    def session(self, folder: str) -> Session:
        """The session's facts; call behind `messages`. `folder`: the workspace as the files around this one tell it."""
        memory = self.memory
        start, end = self._bounds.span()
        own, parent = memory.session or self.unit.session, memory.parent
        if memory.kind == "subagent" and not parent and own != self.unit.session:
            own, parent = self.unit.session, own  # older versions gave a sub-agent the id of the session it served
        return Session(
            id=own,
            cwd=folder or memory.cwd,
            title=memory.title,
            title_rank=max(memory.title_rank, words.RANK_PROMPT),
            start=start,
            end=end,
            model=memory.model,
            kind=memory.kind,
            parent=parent if parent != own else "",
        )

    def _entitle(self, rank: int, text: str) -> None:
        title = words.one_line(text)
        memory = self.memory
        if title and (rank > memory.title_rank or (rank == memory.title_rank and rank > words.RANK_PROMPT)):
            memory.title, memory.title_rank = title, rank


def _unmasked(pieces: list[Piece], before: list[Piece]) -> list[Piece]:
    """Pieces with the tool results that stood before: the list for the model has old ones replaced by a short remark."""
    results = {piece.call: piece for piece in before if piece.role == "tool_result"}
    return [results.get(piece.call, piece) if piece.role == "tool_result" else piece for piece in pieces]


def _size(pieces: list[Piece]) -> int:
    return sum(len(piece.text) + len(piece.arguments) for piece in pieces)


def _key(pieces: list[Piece]) -> bytes:
    """What makes two records the same message, whatever their ids: who said what first. b'' if nobody said anything."""
    for piece in pieces:
        if not piece.call and piece.role != "reasoning":
            return digest(f"{piece.role}\n{piece.text}")
    return b""


def is_message(record: Record) -> bool:
    """Whether a record is a message of a known kind."""
    return bool(kind_of(record))
