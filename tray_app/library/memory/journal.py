"""The journal: every change as one line of JSON with a checksum, on the disk before the change is acknowledged.

Owns the lines, their checks, and what is made of a file that was torn or damaged. Knows no database and keeps no file open,
so that a journal that somebody removes meanwhile is noticed at the next change instead of being written to in vain.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from tray_app.library.memory import schema as schemas
from tray_app.library.memory.rows import TABLES, Row
from tray_app.library.memory.schema import upgraded
from tray_app.library.memory.state import Entry
from tray_app.library.migrations import NewerSchema

_HEAD = b'{"sum":"'
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
    ragged: bool = False
    """Whether more stands in it than its lines."""
    size: int = 0
    """Bytes of the file without what is torn."""
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
    change = _ENCODER.encode({"seq": entry.seq, "time": entry.time, "schema": schemas.MEMORY_SCHEMA, **_parts(entry)})
    return _HEAD + _sum(change).encode() + b'","change":' + change + b"}\n"


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
    if change.schema > schemas.MEMORY_SCHEMA:
        raise NewerSchema(f"schema {change.schema}")
    return Entry(
        seq=change.seq, time=change.time, puts=_rows(change.puts, change.schema),
        deletes=change.deletes, used=change.used, ids=change.ids, whole=change.whole,
    )  # fmt: skip


def _take(found: Reading, line: bytes) -> None:
    """Add what a line holds; of a damaged one (two that run into each other, for example) all that is whole in it."""
    whole = _entry(line)
    for part, entry in [(line, whole)] if whole else [(part, _entry(part)) for part in _parts_of(line)]:
        if entry is None and _begins(part):
            found.damaged += 1
            found.tail += 1
        elif entry is not None and entry.seq > found.last:
            found.entries.append(entry)
            found.lines.append(part + b"\n")
            found.tail = 0
        found.ragged |= entry is None or part is not line


def _entry(line: bytes) -> Entry | None:
    try:
        return decoded(line)
    except ValueError:
        return None


def _parts_of(line: bytes) -> list[bytes]:
    """A damaged line cut where an entry begins, without what follows the end of each."""
    starts = [0]
    while (place := line.find(_HEAD, starts[-1] + 1)) >= 0:
        starts.append(place)
    parts = [line[start:end] for start, end in zip(starts, [*starts[1:], len(line)], strict=True)]
    return [part[: part.rfind(b"}}") + 2] if b"}}" in part else part for part in parts]


def _begins(part: bytes) -> bool:
    """Whether a damaged piece was the beginning of an entry, and not the rest of one that was cut in two."""
    return sum(one == other for one, other in zip(part, _HEAD, strict=False)) >= len(_HEAD) - 2


def _parts(entry: Entry) -> dict[str, Any]:
    parts = {name: getattr(entry, name) for name in ("puts", "deletes", "used", "ids", "whole")}
    return {name: part for name, part in parts.items() if part}


def _rows(puts: dict[str, list[msgspec.Raw]], schema: int) -> dict[str, tuple[Row, ...]]:
    if schema == schemas.MEMORY_SCHEMA:
        return {table: tuple(map(_ROWS[table].decode, rows)) for table, rows in puts.items()}
    made: dict[str, list[Row]] = {}
    for table, rows in puts.items():
        for row in rows:
            now = upgraded(table, msgspec.json.decode(row), schema)
            if now is not None:
                made.setdefault(now[0], []).append(now[1])
    return {table: tuple(some) for table, some in made.items()}


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
            _take(found, line)
        if rest and any(_entry(part) for part in _parts_of(rest)):  # only its end is damaged
            _take(found, rest)
            found.ragged, found.torn = True, 0
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

    def copy(self, target: Path) -> None:
        """Keep it as it is under another name as well. Raises OSError."""
        write_whole(target, lambda part: shutil.copyfile(self.file, part))

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Another content, whole or not at all. Raises OSError."""
        write_whole(self.file, lambda part: part.write_bytes(b"".join(lines)))


def part_of(file: Path) -> Path:
    """The name under which a file is made."""
    return file.with_name(file.name + ".part")


def write_whole(file: Path, make: Callable[[Path], object]) -> None:
    """Have a file made under another name, and give it its own when it is on the disk, for this user only."""
    part = part_of(file)
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
