"""Whole lines of a log that is a row of zstd frames, or plain text: from an offset, whatever the bytes are.

Owns: finding frame ends by their structure (no decompression), decoding each frame alone and only after its checksum was
seen to hold, going on at the next magic number after damage, and the caps: window, decoded bytes held at once, decoded
bytes for what a frame weighs. Knows nothing about what the lines say. Never maps the file: its writer may cut it shorter
while it is read. Format: RFC 8878.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
import zstandard

from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Limits, NotReady, Stop, Stopped
from tray_app.sources.jsonl import GZIP_MAGIC, PROBLEMS_KEPT, STOP_EVERY, ZSTD_MAGIC
from tray_app.sources.lines import Line, LineReader, guard

WINDOW = 1 << 20
"""Compressed bytes kept in memory around the place that is looked at."""
PIECE = 256 << 10
HELD = 8 << 20
"""Decoded bytes of one frame that are held until its checksum is known; a larger frame is decoded twice instead."""
FREE = 64 << 20
RATIO = 200
"""A frame may decode to FREE plus RATIO times its own size; logs stay below 60 times, bombs reach 30,000 times."""
BOMBS = 8
"""Frames over that allowance after which the rest of the file is given up."""
BLOCK_MOST = 128 << 10
STEPS = 500_000
"""Blocks that are looked at in a file, beside one for each 8 bytes: sound files need far fewer, made-up ones go in circles."""
TANGLED = "the rest is a tangle of broken frames"
EMPTY_BLOCKS = 1_000
"""Empty blocks in a row that no writer makes, but a run of NUL bytes looks like."""
SKIPPABLE = b"\x2a\x4d\x18"
PLAUSIBLE = 64 << 10
"""How far from its start a compressed file with a broken beginning may have its first good frame."""


class Frame(msgspec.Struct, frozen=True, gc=False):
    """A stretch of the file. `kind`: data | skip | torn (the file ends inside it) | bad.

    `end` is meaningful for data and skip, and for bad where the structure still told it (else 0). `fault` and `reason`
    say why a frame cannot be decoded though its structure may be whole.
    """

    start: int
    end: int
    kind: str
    fault: str = ""
    reason: str = ""


class _Refused(Exception):
    def __init__(self, fault: str, reason: str) -> None:
        super().__init__(reason)
        self.fault, self.reason = fault, reason


class FrameWalker:
    """Finds frames in an open file of `size` bytes by their headers and block headers."""

    def __init__(self, stream: BinaryIO, size: int, window_bytes: int, stop: Stop) -> None:
        self.stream, self.size, self.window_bytes, self.stop = stream, size, window_bytes, stop
        self.steps_left = STEPS + size // 8
        self._at = 0
        self._held = b""

    def bytes_at(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes; fewer where the file ends. `count` is at most WINDOW."""
        inside = offset - self._at
        if inside < 0 or inside + count > len(self._held):
            self.stream.seek(offset)
            self._at, self._held = offset, self.stream.read(min(WINDOW, max(self.size - offset, 0)))
            inside = 0
        return self._held[inside : inside + count]

    def find(self, offset: int) -> int:
        """Where the next frame's magic number stands, -1 if nowhere."""
        while offset + len(ZSTD_MAGIC) <= self.size and self.bytes_at(offset, len(ZSTD_MAGIC)):
            if (cut := self._held.find(ZSTD_MAGIC, offset - self._at)) >= 0:
                return self._at + cut
            if self.stop():
                raise Stopped
            offset = max(self._at + len(self._held) - len(ZSTD_MAGIC) + 1, offset + 1)
        return -1

    def measure(self, start: int) -> Frame:
        """The frame that begins at `start`. Raises Stopped."""
        self.steps_left -= 8
        head = self.bytes_at(start, 18)
        if head[:4] != ZSTD_MAGIC:
            return self._skippable(start, head)
        if len(head) < 6:
            return Frame(start, 0, "torn")
        descriptor = head[4]
        if descriptor & 0x08:
            return Frame(start, 0, "bad", "bad_frame", "a reserved bit of the frame header is set")
        single, size_flag, dictionary_flag = bool(descriptor & 0x20), descriptor >> 6, descriptor & 3
        dictionary_at = 5 if single else 6
        dictionary_size = (0, 1, 2, 4)[dictionary_flag]
        size_at = dictionary_at + dictionary_size
        size_size = (1 << size_flag) if size_flag else int(single)
        if len(head) < size_at + size_size:
            return Frame(start, 0, "torn")
        dictionary = int.from_bytes(head[dictionary_at:size_at], "little")
        if single:
            window = int.from_bytes(head[size_at : size_at + size_size], "little") + (256 if size_flag == 1 else 0)
        else:
            base = 1 << (10 + (head[5] >> 3))
            window = base + (base >> 3) * (head[5] & 7)
        return self._blocks(start, start + size_at + size_size, bool(descriptor & 4), window, dictionary)

    def _skippable(self, start: int, head: bytes) -> Frame:
        if len(head) >= 4 and head[0] & 0xF0 == 0x50 and head[1:4] == SKIPPABLE:
            end = start + 8 + int.from_bytes(head[4:8], "little")
            if len(head) < 8 or end > self.size:
                return Frame(start, 0, "torn")
            return Frame(start, end, "skip")
        begun = ZSTD_MAGIC.startswith(head) or (head[0] & 0xF0 == 0x50 and SKIPPABLE.startswith(head[1:]))
        if len(head) < 4 and begun:
            return Frame(start, 0, "torn")
        return Frame(start, 0, "bad", "bad_frame", "bytes that belong to no frame")

    def _blocks(self, start: int, at: int, checksum: bool, window: int, dictionary: int) -> Frame:
        count = empty = repeated = 0
        while True:
            header = self.bytes_at(at, 3)
            if len(header) < 3:
                return Frame(start, 0, "torn")
            value = header[0] | header[1] << 8 | header[2] << 16
            last, kind, size = value & 1, value >> 1 & 3, value >> 3
            if kind == 3 or size > BLOCK_MOST:
                return Frame(start, 0, "bad", "bad_frame", "a block header that cannot be")
            if kind == 1:
                repeated += size
                if repeated > FREE + RATIO * (at - start):
                    return Frame(start, 0, "bad", "over_budget", f"decodes to more than {FREE >> 20} MiB of one repeated byte")
            at += 3 + (1 if kind == 1 else size)
            if at > self.size:
                return Frame(start, 0, "torn")
            if last:
                break
            empty = 0 if size else empty + 1
            if empty > EMPTY_BLOCKS:
                return Frame(start, 0, "bad", "bad_frame", "a run of empty blocks, as NUL bytes left by a crash look like")
            count += 1
            if count % 4096 == 0:
                self.steps_left -= 4096
                if self.stop():
                    raise Stopped
                if self.steps_left < 0:
                    return Frame(start, 0, "bad", "over_budget", TANGLED)
        self.steps_left -= count % 4096
        end = at + (4 if checksum else 0)
        if end > self.size:
            return Frame(start, 0, "torn")
        if dictionary:
            return Frame(start, end, "data", "needs_dictionary", f"needs dictionary {dictionary}, which is not here")
        if window > self.window_bytes:
            return Frame(start, end, "data", "window_too_large", f"needs {-(-window >> 20):,} MiB window")
        return Frame(start, end, "data")


class _Slice:
    """The compressed bytes of one frame, as something zstandard can read from."""

    def __init__(self, walker: FrameWalker, frame: Frame) -> None:
        self._walker, self._at, self._end = walker, frame.start, frame.end

    def read(self, count: int = -1) -> bytes:
        room = self._end - self._at
        data = self._walker.bytes_at(self._at, min(room if count < 0 else count, room, PIECE))
        self._at += len(data)
        return data


class LogLines:
    """The whole lines of one log, from the checkpoint where it still fits; as a context manager.

    Which kind of file it is, is told by its first bytes and not by its name. Iterating gives `Line`s whose `offset` is that
    of the frame they stand in (in a plain file, their own). Afterwards `end` is the offset behind the last whole frame or
    line, `number` the count of lines up to there, `growing` whether something unfinished stands behind it; `problems` and
    `skipped` tell what could not be read. Raises NotReady for an empty file, Stopped, and OSError as the system gives it.
    """

    def __init__(self, path: Path, agent: str, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> None:
        self.path, self.agent, self.limits, self.stop = path, agent, limits, stop
        self.problems: list[Problem] = []
        self.skipped = 0
        self.frames = 0
        self.growing = self.resumed = False
        self._bombs = 0
        self._stream = path.open("rb")
        try:
            self.size = self._stream.seek(0, io.SEEK_END)
            if not self.size:
                raise NotReady("the file is empty")
            if checkpoint is not None and 0 < checkpoint.offset <= self.size:
                self.resumed = guard(self._stream, checkpoint.offset) == checkpoint.guard
            self.end, self.number = (checkpoint.offset, checkpoint.lines) if checkpoint and self.resumed else (0, 0)
            self.begin = self.end
            self._walker = FrameWalker(self._stream, self.size, limits.window_bytes, stop)
            self._form = self._recognise()
        except BaseException:
            self._stream.close()
            raise
        self._decoder = zstandard.ZstdDecompressor(max_window_size=max(limits.window_bytes, 1 << 10))

    def __enter__(self) -> LogLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    @property
    def bytes_read(self) -> int:
        """Bytes of the file that were gone through, torn tail included."""
        return (self.size if self.growing else self.end) - self.begin

    def checkpoint(self, seq: int, state: bytes) -> Checkpoint:
        """Where the next reading may go on. Call before leaving the context."""
        return Checkpoint(self.end, guard(self._stream, self.end), self.number, seq, state)

    def note(self, line: int, offset: int, kind: str, reason: str, *, skip: bool = True) -> None:
        """Count something that could not be read, with its reason."""
        self.skipped += skip
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(
                Problem(path=str(self.path), line=line, offset=offset, kind=kind, reason=reason, agent=self.agent)
            )

    def _recognise(self) -> str:
        head = self._walker.bytes_at(0, 4)
        if head[:2] == GZIP_MAGIC:
            return "gzip"
        if self._walker.measure(0).kind != "bad" or head == ZSTD_MAGIC:
            return "frames"
        start = self._walker.bytes_at(0, PLAUSIBLE)
        plain = start.lstrip(b"\xef\xbb\xbf \t\r\n\x00").startswith(b"{")
        return "frames" if not plain and ZSTD_MAGIC in start else "plain"

    def __iter__(self) -> Iterator[Line]:
        if self._form == "gzip":
            self.note(0, 0, "not_recognised", "a gzip file, where zstd or plain lines were expected")
            self.end = self.size
            return
        for line in self._plain() if self._form == "plain" else self._framed():
            if line.number % STOP_EVERY == 0 and self.stop():
                raise Stopped
            if line.fault == "oversize_line":
                self.note(line.number, line.offset, line.fault, f"a line longer than {self.limits.line_bytes >> 20} MB")
                continue
            if line.fault:
                self.note(line.number, line.offset, line.fault, "a run of NUL bytes, left by a crash", skip=False)
            if line.data.strip():
                yield line

    def _plain(self) -> Iterator[Line]:
        self._stream.seek(self.end)
        reader = LineReader(self._stream, self.end, self.number, self.limits.line_bytes)
        for line in reader:
            self.end, self.number = reader.end, reader.number
            yield line
        self.growing = reader.growing

    def _framed(self) -> Iterator[Line]:
        while self.end < self.size:
            if self.stop():
                raise Stopped
            frame = self._walker.measure(self.end)
            if frame.kind == "torn":
                after = self._sound_after(frame.start)
                if after < 0:
                    self.growing = True
                    return
                frame = Frame(frame.start, after, "bad", "bad_frame", "a frame breaks off before the next one")
            if frame.kind == "data" and not frame.fault:
                try:
                    source = self._verified(frame)
                except zstandard.ZstdError as fault:
                    frame = msgspec.structs.replace(frame, kind="bad", fault="bad_frame", reason=_said(fault))
                except _Refused as fault:
                    frame = msgspec.structs.replace(frame, kind="bad", fault=fault.fault, reason=fault.reason)
                else:
                    self.frames += 1
                    yield from self._lines_of(frame, source)
            if frame.fault:
                self.note(0, frame.start, frame.fault, frame.reason)
                self._bombs += frame.fault == "over_budget"
            self.end = frame.end if frame.kind in ("data", "skip") else self._behind(frame)
            if self._bombs >= BOMBS or self._walker.steps_left < 0:
                if self.end < self.size:
                    self.note(0, self.end, "over_budget", TANGLED)
                self.end = self.size

    def _behind(self, bad: Frame) -> int:
        """Where to go on after damage: where its structure says if a frame is there, else at the next magic number."""
        if bad.end and (bad.end == self.size or self._walker.measure(bad.end).kind != "bad"):
            return bad.end
        following = self._walker.find(bad.start + 1)
        if following >= 0:
            return following
        tail = self._walker.bytes_at(max(self.size - 3, bad.start + 1), 3)
        keep = next((n for n in (3, 2, 1) if len(tail) >= n and ZSTD_MAGIC.startswith(tail[-n:])), 0)
        return self.size - keep

    def _sound_after(self, start: int) -> int:
        """Start of a whole frame behind a seemingly torn one, -1 if there is none (then it is truly the last)."""
        at = self._walker.find(start + 4)
        while at >= 0 and self._walker.steps_left >= 0:
            if self._walker.measure(at).kind == "data":
                return at
            at = self._walker.find(at + 4)
        return -1

    def _reader(self, frame: Frame) -> BinaryIO:
        reader = self._decoder.stream_reader(cast(BinaryIO, _Slice(self._walker, frame)), read_size=PIECE)
        return cast(BinaryIO, reader)

    def _verified(self, frame: Frame) -> BinaryIO:
        """What the frame decodes to, once it is known to decode to its end and its checksum to hold."""
        reader = self._reader(frame)
        allowance = FREE + RATIO * (frame.end - frame.start)
        pieces: list[bytes] = []
        total = 0
        while piece := reader.read(PIECE):
            total += len(piece)
            if total > allowance:
                raise _Refused("over_budget", f"decodes to more than {allowance >> 20:,} MiB")
            if total <= HELD:
                pieces.append(piece)
            else:
                pieces.clear()
            if self.stop():
                raise Stopped
        return io.BytesIO(b"".join(pieces)) if total <= HELD else self._reader(frame)

    def _lines_of(self, frame: Frame, source: BinaryIO) -> Iterator[Line]:
        reader = LineReader(source, 0, self.number, self.limits.line_bytes)
        try:
            for line in reader:
                yield Line(line.data, frame.start, line.number, line.fault)
        except zstandard.ZstdError as fault:  # it was sound a moment ago: the file is being changed under us
            self.note(0, frame.start, "bad_frame", _said(fault))
        self.number = reader.number
        if reader.growing:  # a frame without its last newline: the rest is a line all the same
            self.number += 1
            yield Line(reader.tail, frame.start, self.number, "" if reader.tail else "oversize_line")


def _said(fault: Exception) -> str:
    return f"a damaged frame ({str(fault).removeprefix('zstd decompress error: ')})"
