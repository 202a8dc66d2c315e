"""Records of a JSON-lines file: opening, checkpoint, decoding, and counting what could not be read.

Owns what is the same for every agent that writes JSON lines. It knows nothing of any agent's fields: the adapter hands in
a typed msgspec decoder, so that fields it does not name cost nothing and are never indexed.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import msgspec

from tray_app.records import Problem
from tray_app.sources.base import CHAT_CHARS, Checkpoint, Limits, Message, NotReady, Stop, Stopped
from tray_app.sources.lines import Line, LineReader, guard, utf16_text

T = TypeVar("T")

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
GZIP_MAGIC = b"\x1f\x8b"
STOP_EVERY = 200
UTF16_LIMIT = 64 << 20
EXPANDED_LIMIT = 1 << 30
"""Bytes taken out of one compressed file: a bomb of a few kilobytes must not keep a core busy for hours."""
PROBLEMS_KEPT = 200
"""Problems listed for one file; the rest is only counted."""

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
"""Escapes of a JSON text, taken from left to right so that an escaped backslash is not mistaken for the start of one. A
surrogate that is no part of a pair is group 1."""


class Records:
    """The good lines of one file, from the checkpoint where it still fits, with the counts that a `Reading` needs.

    Use as a context manager; iterate it for `Line`s; `decode` each. `resumed` says whether the checkpoint was used.
    Raises NotReady for an empty file, Stopped when asked to stop, OSError as the system gives it.
    """

    def __init__(self, path: Path, agent: str, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> None:
        self.path, self.agent, self.limits, self.stop = path, agent, limits, stop
        self.problems: list[Problem] = []
        self.skipped = self.records = 0
        self.resumed = False
        self.continuable = True
        self._stream = path.open("rb")
        head = self._stream.read(4)
        if not head:
            self._stream.close()
            raise NotReady("the file is empty")
        self._source: BinaryIO = self._stream
        start, number = 0, 0
        if head == ZSTD_MAGIC or head[:2] == GZIP_MAGIC:
            self.continuable = False
            self._stream.seek(0)
            self._source = _decompressed(self._stream, head, limits)
        elif codec := utf16_text(head):
            self.continuable = False
            self._stream.seek(2)
            self._source = io.BytesIO(self._stream.read(UTF16_LIMIT).decode(codec, "replace").encode("utf-8", "replace"))
        elif checkpoint is not None and checkpoint.offset <= path.stat().st_size:
            self.resumed = guard(self._stream, checkpoint.offset) == checkpoint.guard
            if self.resumed:
                start, number = checkpoint.offset, checkpoint.lines
        if self.continuable:
            self._stream.seek(start)
        self._reader = LineReader(self._source, start, number, limits.line_bytes, self._pulse)

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def __iter__(self) -> Iterator[Line]:
        for line in self._lines():
            if self._reader.number % STOP_EVERY == 0 and self.stop():
                raise Stopped
            if line.fault == "oversize_line":
                self.skip(line, line.fault, f"a line longer than {self.limits.line_bytes >> 20} MB")
                continue
            if line.fault:
                self.note(line, line.fault, "a run of NUL bytes, left by a crash")
            if line.data.strip():
                self.records += 1
                yield line

    def _pulse(self) -> None:
        if self.stop():
            raise Stopped
        if not self.continuable and self._reader.bytes_read > EXPANDED_LIMIT:
            raise EOFError("over the limit")

    def _lines(self) -> Iterator[Line]:
        try:
            yield from self._reader
        except (EOFError, OSError, ValueError, zlib.error) as fault:  # a compressed stream that ends or breaks in the middle
            if self.continuable:
                raise
            self._problem(0, 0, "bad_frame", f"the compressed file breaks off ({type(fault).__name__})")
            self.skipped += 1
        except Exception as fault:
            if self.continuable or type(fault).__name__ != "ZstdError":
                raise
            self._problem(0, 0, "bad_frame", f"the compressed file breaks off ({fault})")
            self.skipped += 1
        rest = self._reader.tail
        if rest and not self.continuable:  # a compressed or re-saved file is complete as it is
            yield Line(rest, self._reader.end, self._reader.number + 1)

    def decode(self, line: Line, decoder: msgspec.json.Decoder[T]) -> T | None:
        """The record, or None after counting the line as skipped. Never raises for what is in the line."""
        try:
            return decoder.decode(line.data)
        except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as fault:
            problem: Exception = fault
        if not isinstance(problem, RecursionError):
            try:
                return decoder.decode(mended(line.data))
            except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
                pass
        kind = "bad_record" if isinstance(problem, msgspec.ValidationError) else "bad_json"
        self.skip(line, kind, "not a record of a known shape" if kind == "bad_record" else "not valid JSON")
        return None

    def skip(self, line: Line, kind: str, reason: str) -> None:
        """Count a line as skipped, with its reason."""
        self.skipped += 1
        self.note(line, kind, reason)

    def note(self, line: Line, kind: str, reason: str) -> None:
        self._problem(line.number, line.offset, kind, reason)

    def _problem(self, line: int, offset: int, kind: str, reason: str) -> None:
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(
                Problem(path=str(self.path), line=line, offset=offset, kind=kind, reason=reason, agent=self.agent)
            )

    @property
    def bytes_read(self) -> int:
        return self._reader.bytes_read

    @property
    def growing(self) -> bool:
        return self.continuable and self._reader.growing

    def checkpoint(self, seq: int, state: bytes = b"") -> Checkpoint | None:
        """Where the next reading may go on; None if this file cannot be continued. Call before leaving the context."""
        if not self.continuable:
            return None
        end = self._reader.end
        return Checkpoint(end, guard(self._stream, end), self._reader.number, seq, state)


def mended(data: bytes) -> bytes:
    """Invalid UTF-8 and lone surrogate escapes replaced by U+FFFD: what json would let through, DuckDB and Qt would not."""
    text = data.decode("utf-8", "replace").encode("utf-8")
    return _ESCAPE.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], text)


def _decompressed(stream: BinaryIO, head: bytes, limits: Limits) -> BinaryIO:
    if head[:2] == GZIP_MAGIC:
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=limits.window_bytes)
    return cast(BinaryIO, decompressor.stream_reader(stream, read_across_frames=True))


class Collector:
    """Messages of one file within its text budget: when it is full, the oldest go."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.truncated = False
        self._kept: deque[Message] = deque()
        self._chars = 0

    def add(self, message: Message) -> None:
        if message.role in ("tool_call", "tool_result"):
            chat = self.limits.is_chat(message.tool)
            most = CHAT_CHARS if chat and message.role == "tool_result" else self.limits.tool_chars
            if len(message.text) > most:
                message = msgspec.structs.replace(message, text=head_and_tail(message.text, most))
            if message.arguments and not chat:
                message = msgspec.structs.replace(message, arguments="")
        self._kept.append(message)
        self._chars += len(message.text) + len(message.arguments)
        while self._chars > self.limits.file_chars and len(self._kept) > 1:
            left = self._kept.popleft()
            self._chars -= len(left.text) + len(left.arguments)
            self.truncated = True

    def messages(self) -> list[Message]:
        return list(self._kept)


def head_and_tail(text: str, most: int) -> str:
    """A text cut to `most` code points: two thirds of its head, one third of its tail, and how much is missing between."""
    if len(text) <= most:
        return text
    gap = f"\n[… {len(text) - most:,} characters left out …]\n"
    room = max(most - len(gap), 2)
    head = room * 2 // 3
    return text[:head] + gap + text[len(text) - (room - head) :]
