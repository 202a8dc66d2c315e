"""The journal: every change as one line of JSON with a checksum, on the disk before the change is acknowledged.

Owns the lines, their checks, and what is made of a file that was torn or damaged. Knows no database and keeps no file open,
so that a journal that somebody removes meanwhile is noticed at the next change instead of being written to in vain.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from tray_app.library.memory.rows import TABLES, Row
from tray_app.library.memory.schema import MEMORY_SCHEMA, upgraded
from tray_app.library.memory.state import Entry
from tray_app.library.migrations import NewerSchema

_ENCODER = msgspec.json.Encoder()


class _Line(msgspec.Struct):
    sum: str
    change: msgspec.Raw


class _Change(msgspec.Struct):
    """An entry as it is written; rows are read when it is known which schema they are of."""

    seq: int
    time: int
    schema: int
    puts: dict[str, list[msgspec.Raw]] = {}
    deletes: dict[str, tuple[int, ...]] = {}
    used: tuple[tuple[int, int, int], ...] = ()
    ids: dict[str, int] = {}
    whole: bool = False


_LINES, _CHANGES = msgspec.json.Decoder(_Line), msgspec.json.Decoder(_Change)
_ROWS: dict[str, msgspec.json.Decoder[Row]] = {name: msgspec.json.Decoder(kind) for name, kind in TABLES.items()}


class Reading(msgspec.Struct):
    """What a journal holds. `lines` are the entries as they stand in it, parallel to `entries` (their seq rises)."""

    entries: list[Entry]
    lines: list[bytes]
    damaged: int = 0
    """Lines in it that cannot be used."""
    tail: int = 0
    """How many of them follow the last that can."""
    torn: int = 0
    """Bytes after the last whole line: a change that was never acknowledged."""
    size: int = 0
    """Bytes of the file without these."""
    there: bool = False

    @property
    def last(self) -> int:
        """The last change that can be read."""
        return self.entries[-1].seq if self.entries else 0

    @property
    def top(self) -> int:
        """The last change there was, as far as can be told."""
        return self.last + self.tail

    @property
    def whole(self) -> bool:
        """Whether no change is missing between the first (or the last whole state) and the last one."""
        known = self.after(0)
        return not self.damaged and (not known or self.last - known[0].seq + 1 == len(known))

    def after(self, seq: int) -> list[Entry]:
        """What follows a state. A whole state takes the place of all before it."""
        following = [entry for entry in self.entries if entry.seq > seq]
        for place in range(len(following) - 1, -1, -1):
            if following[place].whole:
                return following[place:]
        return following

    def missing(self, seq: int) -> int:
        """Changes after `seq` that are neither here nor made good by a whole state after them."""
        following = self.after(seq)
        begin = following[0].seq - 1 if following and following[0].whole else seq
        return max(self.top - begin - len(following), 0)


def encoded(entry: Entry) -> bytes:
    """An entry as its line. Raises UnicodeEncodeError, OverflowError for what JSON cannot hold."""
    change = _ENCODER.encode({"seq": entry.seq, "time": entry.time, "schema": MEMORY_SCHEMA, **_parts(entry)})
    return b'{"sum":"' + _sum(change).encode() + b'","change":' + change + b"}\n"


def decoded(line: bytes) -> Entry:
    """Raises ValueError for a line that is damaged, NewerSchema for one that a newer program wrote."""
    try:
        outer = _LINES.decode(line)
        raw = bytes(outer.change)
        if outer.sum != _sum(raw):
            raise ValueError("checksum")
        change = _CHANGES.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise ValueError("no entry") from fault
    if change.schema > MEMORY_SCHEMA:
        raise NewerSchema(f"schema {change.schema}")
    return Entry(
        seq=change.seq, time=change.time, puts={name: _rows(name, rows, change.schema) for name, rows in change.puts.items()},
        deletes=change.deletes, used=change.used, ids=change.ids, whole=change.whole,
    )  # fmt: skip


def _parts(entry: Entry) -> dict[str, Any]:
    parts = {name: getattr(entry, name) for name in ("puts", "deletes", "used", "ids", "whole")}
    return {name: part for name, part in parts.items() if part}


def _rows(table: str, rows: Iterable[msgspec.Raw], schema: int) -> tuple[Row, ...]:
    if schema == MEMORY_SCHEMA:
        return tuple(map(_ROWS[table].decode, rows))
    made = (upgraded(table, msgspec.json.decode(row), schema) for row in rows)
    return tuple(row for row in made if row is not None)


def _sum(change: bytes) -> str:
    return hashlib.blake2b(change, digest_size=8).hexdigest()


class Journal:
    """One file. Not safe for threads: the store's lock is held around every call."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @property
    def size(self) -> int:
        """Bytes, -1 where there is no file."""
        try:
            return self.file.stat().st_size
        except FileNotFoundError:
            return -1

    def read(self) -> Reading:
        """Raises OSError, NewerSchema."""
        try:
            content = self.file.read_bytes()
        except FileNotFoundError:
            return Reading([], [])
        *lines, rest = content.split(b"\n")
        found = Reading([], [], torn=len(rest), size=len(content) - len(rest), there=True)
        for line in lines:
            if not line:
                continue
            try:
                entry = decoded(line)
            except ValueError:
                found.damaged += 1
                found.tail += 1
                continue
            if entry.seq <= found.last:  # a copy of what is known
                found.damaged += 1
                continue
            found.tail = 0
            found.entries.append(entry)
            found.lines.append(line + b"\n")
        return found

    def append(self, line: bytes) -> int:
        """Add a line and wait until it is on the disk; gives the length before. Raises OSError: then the file is as it was,
        or `truncate` must still make it so."""
        fresh = not self.file.exists()
        handle = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            before = os.fstat(handle).st_size
            try:
                written = 0
                while written < len(line):
                    written += os.write(handle, line[written:])
                os.fsync(handle)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(handle, before)
                    os.fsync(handle)
                raise
        finally:
            os.close(handle)
        if fresh:
            sync_folder(self.file.parent)
        return before

    def truncate(self, size: int) -> None:
        """Take back what was added. Raises OSError."""
        with self.file.open("r+b") as stream:
            stream.truncate(size)
            os.fsync(stream.fileno())

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Another content, whole or not at all. Raises OSError."""
        write_whole(self.file, lambda part: part.write_bytes(b"".join(lines)))


def write_whole(file: Path, make: Callable[[Path], object]) -> None:
    """Have a file made under another name, and give it its own when it is on the disk, for this user only."""
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    mask = os.umask(0o077)
    try:
        make(part)
        with part.open("r+b") as stream:
            os.fsync(stream.fileno())
        os.replace(part, file)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    finally:
        os.umask(mask)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in it on the disk; systems without it keep them in order by themselves."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
