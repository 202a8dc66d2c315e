"""The other side of the socket: a backend whose owner is another process.

Owns the connections to one owner. Several threads may ask at once: each call takes an idle connection or makes another.
Says precisely how a call was lost (`Lost`), so that `connection` can decide whether to repeat it; decides nothing itself.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from tray_app.errors import KnownError
from tray_app.records import Progress
from tray_app.service import protocol, transport
from tray_app.service.ownership import Note, wake
from tray_app.service.proof import Unproven
from tray_app.service.transport import Channel

SPARE = 4
"""Idle connections kept."""
ALIVE_S = 10.0
"""After so long without a word it is asked, on another connection, whether the owner still answers at all."""
ANSWER_S = 900.0
"""Longest wait for an answer of an owner that is alive. What tells its progress has no limit."""


class Lost(Exception):
    """The owner cannot be asked. `asked`: it may have begun with the request; `silent`: it is there but says nothing;
    `yields`: it makes way for a tray."""

    def __init__(self, reason: str, *, asked: bool = False, silent: bool = False, yields: bool = False) -> None:
        super().__init__(reason)
        self.asked, self.silent, self.yields = asked, silent, yields


class Client:
    """Asks the owner that `note` names."""

    def __init__(self, note: Note, kind: str) -> None:
        self.note, self._kind = note, kind
        self.owner = protocol.Hello(protocol=protocol.PROTOCOL, version=note.version, pid=note.pid, kind=note.kind)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._idle: list[Channel] = []
        self._closed = False

    def greet(self) -> protocol.Hello:
        """Make a first connection; an owner that was stopped is woken for it. Raises Lost, or KnownError (socket_foreign)."""
        self._give_back(self._open_awake())
        return self.owner

    @property
    def same_version(self) -> bool:
        return protocol.same_version(self.owner)

    def ask(self, name: str, params: dict[str, Any], report: Callable[[Progress], None] | None = None) -> Any:
        """Call a method or a control. Raises the owner's AppError, or Lost."""
        method = protocol.METHODS.get(name)
        if method is not None and not self.same_version:
            raise protocol.other_version(self.owner)
        frame = protocol.encode(protocol.Request(next(self._numbers), name, msgspec.Raw(protocol.encode(params))))
        if len(frame) > protocol.REQUEST_BYTES:
            raise KnownError("request_too_large", "Too long", "What was asked is too long to be sent.", "Shorten it.")
        channel, fresh = self._take()
        try:
            channel.send_bytes(frame)
        except OSError as fault:
            channel.close()
            if fresh:
                raise Lost("the owner hung up") from fault
            self._drop_idle()  # they are as old as the one that broke
            return self.ask(name, params, report)
        try:
            reply = self._await(channel, name, report)
        except BaseException:
            channel.close()  # the answer is still to come: this connection cannot be used again
            raise
        self._give_back(channel)
        if reply.error is not None:
            if reply.error.code in (protocol.YIELDING, protocol.ENDING):
                raise Lost("the owner lets go", yields=reply.error.code == protocol.YIELDING)
            raise protocol.error_of(reply.error)
        result: Any = method.result if method is not None else protocol.Yielding if name == "yield_ownership" else Any
        return protocol.decode(reply.body, result)

    def close(self) -> None:
        self._closed = True
        self._drop_idle()

    def _await(self, channel: Channel, name: str, report: Callable[[Progress], None] | None) -> protocol.Reply:
        endless = name in protocol.METHODS and protocol.METHODS[name].progress
        deadline = time.monotonic() + ANSWER_S
        while True:
            try:
                reply = _next_reply(channel)
            except (OSError, EOFError, ValueError) as fault:
                raise Lost("the owner ended while it was asked", asked=True) from fault
            if reply is None:
                self._check_alive()
                if not endless and time.monotonic() > deadline:
                    raise Lost("the owner does not answer", asked=True, silent=True)
            elif not reply.progress:
                return reply
            elif report is not None:  # what it raises is its own, and no sign of the owner
                report(protocol.decode(reply.body, Progress))

    def _check_alive(self) -> None:
        """Raises Lost when the owner answers nobody. One that hangs up or refuses is found out by the waiting itself."""
        try:
            self._open_awake().close()
        except Lost as lost:
            if lost.silent:
                raise Lost("the owner does not answer", asked=True, silent=True) from lost

    def _take(self) -> tuple[Channel, bool]:
        with self._lock:
            if self._idle:
                return self._idle.pop(), False
        return self._open_awake(), True

    def _open_awake(self) -> Channel:
        """A connection to the owner, which is woken when it was stopped."""
        try:
            return self._open()
        except Lost as lost:
            if not lost.silent:
                raise
        wake(self.note)
        return self._open()

    def _open(self) -> Channel:
        """A connection on which both sides have proven themselves and said hello."""
        try:
            channel = transport.dial(self.note.address)
        except TimeoutError as fault:
            raise Lost("the owner does not answer", silent=True) from fault
        except OSError as fault:
            raise Lost(f"nobody listens ({fault.strerror or fault})") from fault
        try:
            transport.prove_to_owner(channel, self.note.secret.encode())
            channel.send_bytes(protocol.encode(protocol.Request(0, "hello", msgspec.Raw(protocol.encode(self._hello())))))
            if not channel.poll(transport.STEP_S):
                raise TimeoutError
            reply = protocol.decode(channel.recv_bytes(protocol.REQUEST_BYTES), protocol.Reply)
            if reply.error is not None:
                raise protocol.error_of(reply.error)
            self.owner = protocol.decode(reply.body, protocol.Hello)
        except BaseException as fault:
            channel.close()
            if isinstance(fault, (TimeoutError, BlockingIOError)):
                raise Lost("the owner does not answer", silent=True) from fault
            if isinstance(fault, (OSError, EOFError, ValueError, Unproven)):
                raise Lost(f"the owner refused ({type(fault).__name__})") from fault
            raise
        return channel

    def _hello(self) -> protocol.Hello:
        return protocol.own_hello(self._kind)

    def _give_back(self, channel: Channel) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < SPARE:
                self._idle.append(channel)
                return
        channel.close()

    def _drop_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for channel in idle:
            channel.close()


def _next_reply(channel: Channel) -> protocol.Reply | None:
    """None when none came for a while. Raises OSError, EOFError, ValueError."""
    if not channel.poll(ALIVE_S):
        return None
    reply: protocol.Reply = protocol.decode(channel.recv_bytes(protocol.REPLY_BYTES), protocol.Reply)
    return reply
