"""What the person took out of the index for good, so that it never comes back.

Owns `tombstones.jsonl` beside the index, which survives clearing and rebuilding. A tombstone names the session and keeps the
hashes of what was said in it, never a word: by these, copies of its messages in other sessions are known. Lines are only ever
added, each written through to the disk before the call returns. A file that cannot be read is an error and never 'nothing was
forgotten'; a line that cannot be is counted.
"""

from __future__ import annotations

import base64
import hashlib
import os
import threading
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tray_app.errors import KnownError

Key = tuple[str, str]
"""Agent and native id of a session."""


class Tombstone(msgspec.Struct, frozen=True, kw_only=True):
    """A session that was forgotten. `files` are the sessions as their files are named (its own and its sub-agents'), `also` the
    ids of its sub-agents; `messages` and `words` are packed hashes (see `packed`): of each of its messages, and of what it said
    from its beginning on. `time` is ISO 8601."""

    agent: str
    session: str
    time: str
    files: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    messages: str = ""
    words: str = ""
    undone: bool = False
    """True: the session may come back; such a line takes back the one before it."""


class Forgotten:
    """All tombstones in force at one moment, for asking quickly."""

    def __init__(self, stones: Iterable[Tombstone] = ()) -> None:
        self.sessions: set[Key] = set()
        self.files: set[Key] = set()
        self.messages: set[int] = set()
        self._words: dict[Key, list[int]] = {}
        for stone in stones:
            self.sessions.update((stone.agent, one) for one in (stone.session, *stone.also))
            self.files.update((stone.agent, one) for one in stone.files)
            self.messages.update(unpacked(stone.messages))
            self._words[stone.agent, stone.session] = unpacked(stone.words)

    def __bool__(self) -> bool:
        return bool(self.sessions)

    def covers(self, agent: str, name: str, kind: str, parent: str) -> bool:
        """Whether a session (by its id, or as its file is named), or the one it worked for as a sub-agent, was forgotten."""
        known = (agent, name) in self.sessions or (agent, name) in self.files
        return known or (kind == "subagent" and (agent, parent) in self.sessions)

    def beginning(self, agent: str, parent: str) -> Sequence[int]:
        """What the forgotten session that another began from said, as hashes of `words_hash`."""
        return self._words.get((agent, parent), [])


class Tombstones:
    """The file. Safe to use from several threads; the owner of the libraries alone writes it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.damaged = 0
        """Lines that could not be read."""
        self._lock = threading.Lock()
        self._known: tuple[tuple[int, int], dict[Key, Tombstone], Forgotten] | None = None

    def all(self) -> list[Tombstone]:
        """Those in force, newest first. Raises KnownError `tombstones_unreadable`."""
        with self._lock:
            return sorted(self._load()[0].values(), key=lambda stone: stone.time, reverse=True)

    def forgotten(self) -> Forgotten:
        """The same for asking. Raises KnownError `tombstones_unreadable`."""
        with self._lock:
            return self._load()[1]

    def add(self, stone: Tombstone) -> None:
        """Write one down for good. Raises KnownError."""
        with self._lock:
            self._append(stone)

    def undo(self, session: str, agent: str | None, time: str) -> list[Tombstone]:
        """Take back those of a session, by its id or the beginning of it. Gives what is in force no longer."""
        with self._lock:
            stones = [stone for stone in self._load()[0].values() if agent in (None, stone.agent)]
            exact = [stone for stone in stones if stone.session == session]
            meant = exact or [stone for stone in stones if len(session) >= 6 and stone.session.startswith(session)]
            if len(meant) == 1:
                self._append(Tombstone(agent=meant[0].agent, session=meant[0].session, time=time, undone=True))
            return meant

    def _load(self) -> tuple[dict[Key, Tombstone], Forgotten]:
        mark = self._mark()
        if self._known is None or self._known[0] != mark:
            known: dict[Key, Tombstone] = {}
            damaged = 0
            for line in self._lines():
                try:
                    stone = msgspec.json.decode(line, type=Tombstone)
                    unpacked(stone.messages), unpacked(stone.words)
                except (ValueError, msgspec.DecodeError):
                    damaged += 1
                    continue
                if stone.undone:
                    known.pop((stone.agent, stone.session), None)
                else:
                    known[stone.agent, stone.session] = stone
            self.damaged = damaged
            self._known = (mark, known, Forgotten(known.values()))
        return self._known[1], self._known[2]

    def _mark(self) -> tuple[int, int]:
        try:
            facts = self.file.stat()
        except OSError:
            return (-1, 0)
        return facts.st_size, facts.st_mtime_ns

    def _lines(self) -> list[bytes]:
        try:
            return [line for line in self.file.read_bytes().split(b"\n") if line.strip()]
        except FileNotFoundError:
            return []
        except OSError as fault:
            raise KnownError(
                "tombstones_unreadable", "The list of forgotten sessions cannot be read", f"{self.file} ({fault.strerror}).",
                "Nothing is read before it can be, since forgotten sessions would come back.",
            ) from fault  # fmt: skip

    def _append(self, stone: Tombstone) -> None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
            with os.fdopen(handle, "rb+") as stream:
                end = stream.seek(0, os.SEEK_END)
                torn = False
                if end:
                    stream.seek(end - 1)
                    torn = stream.read(1) != b"\n"  # the program was ended in the middle of a line
                stream.write(b"\n" * torn + msgspec.json.encode(stone) + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as fault:
            raise KnownError(
                "tombstones_unwritable", "Not forgotten", f"{self.file} cannot be written ({fault.strerror}).",
                "Nothing was changed. Make room, or mend the folder.",
            ) from fault  # fmt: skip
        self._known = None


def packed(numbers: Iterable[int]) -> str:
    """Signed 64-bit numbers as text."""
    return base64.b64encode(array("q", numbers).tobytes()).decode("ascii")


def unpacked(text: str) -> list[int]:
    """Raises ValueError for what is no such text."""
    numbers = array("q")
    numbers.frombytes(base64.b64decode(text, validate=True))
    return list(numbers)


def words_hash(role: str, text: str) -> int:
    """What was said by whom, whatever id it has."""
    digest = hashlib.blake2b(f"{role}\0{text}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
