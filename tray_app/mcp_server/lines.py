"""The protocol on standard input and output: one JSON message a line, both taken over for as long as the server runs.

Owns the two descriptors and the threads that wait on them. They are daemons: neither a client that keeps its end open without
a word nor one that reads nothing holds up the end of the process. What is printed meanwhile goes to standard error. A line that
is no message is answered where it says which request it is, so that nobody waits for an answer that never comes, and passed
over otherwise.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import queue
import re
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from tray_app.mcp_server.link import soon
from tray_app.service.protocol import clean

log = logging.getLogger(__name__)

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]
LINE_BYTES = 32 << 20
"""Longest line that is kept whole: far more than the arguments of a call may have."""
ENDS_BYTES = 512
"""Of both ends of a longer one, where its number stands."""
CHUNK_BYTES = 1 << 16
FLUSH_S = 1.0
"""How long a client may take to read what was still to be said at the end."""
_NUMBER = rb'"id"\s*:\s*(\d{1,15}|"[\w.:/-]{1,100}")\s*'
_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _NUMBER + rb",")
_LAST = re.compile(rb"[{,]\s*" + _NUMBER + rb"\}\s*\Z")


@asynccontextmanager
async def stdio_lines() -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Messages in and out. Input ends where the client closed it, and where it does not read any more."""
    with _taken() as (source, sink):
        async with lines_of(source, sink) as streams:
            yield streams


@asynccontextmanager
async def lines_of(source: io.RawIOBase, sink: io.RawIOBase) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The same on any pair of blocking streams."""
    loop = asyncio.get_running_loop()
    said, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, to_say = anyio.create_memory_object_stream[SessionMessage](0)
    answers = outgoing.clone()
    frames: queue.SimpleQueue[tuple[bytes, asyncio.Future[OSError | None]]] = queue.SimpleQueue()

    def waited(doing: Coroutine[Any, Any, None]) -> bool:
        """Have the loop do something, from a thread; whether there is still somebody to do it for."""
        try:
            asyncio.run_coroutine_threadsafe(doing, loop).result()
        except (RuntimeError, CancelledError, anyio.ClosedResourceError, anyio.BrokenResourceError):  # all has ended
            doing.close()
            return False
        return True

    def read() -> None:
        for line in whole_lines(lambda: _chunk(source)):
            message = understood(line)
            if not isinstance(message, Unreadable):
                going = waited(said.send(SessionMessage(message)))
            else:
                log.info("a line of %d bytes was no message: %s", len(line), message.why)
                going = message.number is None or waited(answers.send(SessionMessage(message.answer(message.number))))
            if not going:
                return
        waited(said.aclose())

    def write() -> None:
        while True:
            frame, written = frames.get()
            fault = _write(sink, frame)
            soon(loop, partial(_settle, written, fault))

    async def say() -> None:
        async with to_say:
            async for message in to_say:
                written: asyncio.Future[OSError | None] = loop.create_future()
                frames.put((frame_of(message.message), written))
                if fault := await written:
                    log.info("the client does not read any more: %s", fault.strerror)
                    await said.aclose()
                    return

    for name, work in (("mcp-lines-in", read), ("mcp-lines-out", write)):
        threading.Thread(target=work, name=name, daemon=True).start()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(say)
        try:
            yield incoming, outgoing
        finally:
            answers.close()
            outgoing.close()
            tasks.cancel_scope.deadline = anyio.current_time() + FLUSH_S


# --- lines and messages ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Unreadable:
    """A line that is no message. `number` is that of the request it was meant to be, None where it says none."""

    why: str
    number: int | str | None = None
    code: int = types.PARSE_ERROR

    def answer(self, number: int | str) -> types.JSONRPCError:
        fault = types.ErrorData(code=self.code, message=f"This message cannot be read: {self.why}.")
        return types.JSONRPCError(jsonrpc="2.0", id=number, error=fault)


def whole_lines(chunk: Callable[[], bytes]) -> Iterator[bytes]:
    """Lines that are not blank, the last one too where its end is missing. Of one that is longer than `LINE_BYTES` both ends
    are given, with a line feed in between. `chunk` gives bytes as they come, none at the end."""
    held = bytearray()
    while more := chunk():
        *ended, rest = more.split(b"\n")
        for part in ended:
            held += part
            if held.strip():
                yield bytes(held)
            held.clear()
        held += rest
        if len(held) > LINE_BYTES:
            held[ENDS_BYTES:-ENDS_BYTES] = b"\n"
    if held.strip():
        yield bytes(held)


def understood(line: bytes) -> types.JSONRPCMessage | Unreadable:
    """The message of a line. Halves of characters, as JavaScript programs send them, are replaced."""
    if b"\n" in line:
        return Unreadable("it is too long", _number_in(line))
    text = line.decode("utf-8", "replace")
    try:
        return types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        pass  # it may still be one to a more patient reader
    try:
        value = clean(json.loads(text))
    except RecursionError:
        return Unreadable("it is nested too deeply", _number_in(line))
    except ValueError:
        return Unreadable("it is no JSON", _number_in(line))
    try:
        return types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValueError:
        given = value.get("id") if isinstance(value, dict) and "method" in value else None
        number = given if isinstance(given, (int, str)) and not isinstance(given, bool) else None
        return Unreadable("it is no request of JSON-RPC 2.0", number, types.INVALID_REQUEST)


def frame_of(message: types.JSONRPCMessage) -> bytes:
    """A message as a line."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:  # a name of a file that is no text
        text = json.dumps(clean(message.model_dump(by_alias=True, exclude_unset=True)), ensure_ascii=False)
    return text.encode() + b"\n"


def _number_in(line: bytes) -> int | str | None:
    """The number of a request that cannot be read whole: it stands first or last."""
    found = _FIRST.match(line) or _LAST.search(line[-ENDS_BYTES:])
    number: int | str | None = json.loads(found[1]) if found else None
    return number


# --- descriptors -------------------------------------------------------------------------------------------------------
@contextmanager
def _taken() -> Iterator[tuple[io.RawIOBase, io.RawIOBase]]:
    """Standard input and output for us alone; others meanwhile read nothing, and print to standard error. The streams are never
    closed, since a thread may still wait on them."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    try:
        yield io.FileIO(source, "rb", closefd=False), io.FileIO(sink, "wb", closefd=False)
    finally:
        os.dup2(source, 0)
        os.dup2(sink, 1)


def _chunk(source: io.RawIOBase) -> bytes:
    try:
        return source.read(CHUNK_BYTES) or b""
    except OSError as fault:
        log.info("standard input ended: %s", fault.strerror)
        return b""


def _write(sink: io.RawIOBase, frame: bytes) -> OSError | None:
    """Write all of it; gives what was in the way."""
    rest = memoryview(frame)
    try:
        while rest:
            rest = rest[sink.write(rest) or 0 :]
    except OSError as fault:
        return fault
    return None


def _settle(written: asyncio.Future[OSError | None], fault: OSError | None) -> None:
    if not written.done():
        written.set_result(fault)
