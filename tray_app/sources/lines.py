"""Physical lines of a JSON-lines file, from an offset, whatever the bytes are.

Owns: cutting at `\\n` (never at U+2028 or \\x0b, which may stand inside JSON), the byte-order mark, UTF-16 files, NUL runs
left by a crash, lines over the cap (skipped without being held in memory), and the torn tail: a last line without its
newline is not given out and does not move the offset. Also the guard by which a checkpoint is recognised.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

BLOCK = 1 << 20
GUARD_WHOLE = 1 << 20
GUARD_PIECE = 16 * 1024
GUARD_PIECES = 12


class Line(msgspec.Struct, frozen=True, gc=False):
    """A whole line without its newline. `number` counts from 1, `offset` is where it starts in the file.

    `fault` is '' for a good line, 'oversize_line' (then `data` is empty) or 'nul_run' (NULs were stripped off; `data` is
    what stood before or behind them, maybe nothing). A NUL run inside a line, where a crash cut one record off and the
    next was appended without a newline, parts it in two, of which the second has no fault.
    """

    data: bytes
    offset: int
    number: int
    fault: str = ""


class LineReader:
    """Iterates the whole lines of an open binary file from `offset`.

    After the loop `end` is the offset behind the last whole line, `number` the count of lines up to there, and `growing`
    says whether bytes stand behind it (a line that is still being written); `tail` holds those bytes unless they are over
    the cap. `pulse` is called after each block of a mebibyte, so that a line without an end can be given up too.
    """

    def __init__(
        self,
        stream: BinaryIO,
        offset: int = 0,
        number: int = 0,
        cap: int = 8 << 20,
        pulse: Callable[[], None] = lambda: None,
    ) -> None:
        self.stream, self.cap, self.pulse = stream, cap, pulse
        self.end, self.number = offset, number
        self.bytes_read = 0
        self.growing = False
        self.tail = b""

    def __iter__(self) -> Iterator[Line]:
        pending: list[bytes] = []
        held = 0
        dropped = 0
        while block := self.stream.read(BLOCK):
            self.bytes_read += len(block)
            self.pulse()
            start = 0
            while (cut := block.find(b"\n", start)) >= 0:
                length = dropped + held + cut - start
                if length > self.cap:
                    lines = [Line(b"", self.end, self.number + 1, "oversize_line")]
                else:
                    data = b"".join((*pending, block[start:cut])) if pending else block[start:cut]
                    lines = _lines(data, self.end, self.number + 1)
                pending, held, dropped = [], 0, 0
                self.end += length + 1
                self.number += 1
                start = cut + 1
                yield from lines
            rest = block[start:]
            if dropped or held + len(rest) > self.cap:
                dropped += held + len(rest)
                pending, held = [], 0
            elif rest:
                pending.append(rest)
                held += len(rest)
        self.growing = bool(held or dropped)
        self.tail = b"".join(pending)


def _lines(data: bytes, offset: int, number: int) -> list[Line]:
    if data.endswith(b"\r"):
        data = data[:-1]
    if offset == 0 and data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if b"\x00" not in data:
        return [Line(data, offset, number)]
    kept = data.strip(b"\x00")
    before, cut, _ = kept.partition(b"\x00")
    if not cut:
        return [Line(kept, offset, number, "nul_run")]
    behind = kept.rpartition(b"\x00")[2]
    return [Line(before, offset, number, "nul_run"), Line(behind, offset + data.rindex(behind), number)]


def utf16_text(head: bytes) -> str | None:
    """The codec of a file that a Windows editor saved as UTF-16, by its byte-order mark; None for anything else."""
    if head.startswith(b"\xff\xfe"):
        return "utf-16-le"
    return "utf-16-be" if head.startswith(b"\xfe\xff") else None


def guard(stream: BinaryIO, offset: int) -> bytes:
    """A 16-byte hash over what stands before `offset`.

    Everything up to 1 MiB; beyond that the length, the first and last 16 KiB and ten pieces between, so that an append to
    a file of a gigabyte still costs its own length.
    """
    digest = hashlib.blake2b(str(offset).encode(), digest_size=16)
    if offset <= GUARD_WHOLE:
        stream.seek(0)
        digest.update(stream.read(offset))
    else:
        step = (offset - GUARD_PIECE) / (GUARD_PIECES - 1)
        for piece in range(GUARD_PIECES):
            stream.seek(int(step * piece))
            digest.update(stream.read(GUARD_PIECE))
    return digest.digest()


def guard_holds(path: Path, offset: int, expected: bytes) -> bool:
    """Whether the file still begins with the bytes that the checkpoint was made from."""
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        return size >= offset and guard(stream, offset) == expected
