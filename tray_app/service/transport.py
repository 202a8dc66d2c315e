"""Sockets and pipes: listening, dialling, and the proof that both sides know the secret.

Owns everything that differs between systems here. Unix: a socket 0600 in a folder 0700. Windows: a named pipe of this
user. Frames are whole messages of bytes with a length limit. Every step before the secret is proven has a time limit.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import struct
import sys
from multiprocessing import connection as mp
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from tray_app.errors import KnownError

STEP_S = 2.0
"""Longest wait for a step of connecting: accept, each message of the proof, the hello."""
RECEIVE_S, SEND_S = 5, 30
"""Longest stop in the middle of a message; the other side may be short of processor time."""


class Channel(Protocol):
    """The part of `multiprocessing.connection.Connection` that is used (bytes only: nothing is unpickled)."""

    def send_bytes(self, buf: bytes) -> None: ...
    def recv_bytes(self, maxlength: int | None = None) -> bytes: ...
    def poll(self, timeout: float | None = 0.0) -> bool: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class Listener(Protocol):
    def accept(self) -> Channel | None:
        """The next caller, or None when none came for a while or the caller is of another user."""
        ...

    def close(self) -> None: ...


class UnixListener:
    """Listens at a path that the caller owns by holding the lock file, so that a stale socket is simply removed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = self._bind()

    def accept(self) -> Channel | None:
        try:
            peer, _ = self._socket.accept()
        except TimeoutError:
            self._mend()
            return None
        if peer_uid(peer) not in (None, os.getuid()):
            peer.close()
            return None
        limit_waits(peer)
        return Connection(peer.detach())

    def close(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.address)
        self._socket.close()

    def _bind(self) -> socket.socket:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.address)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(self.address)
            Path(self.address).chmod(0o600)  # the folder is 0700 already, so that there is no moment in between
            listening.listen(64)
            listening.settimeout(STEP_S)
        except BaseException:
            listening.close()
            raise
        return listening

    def _mend(self) -> None:
        """A cleaner of temporary folders may have taken the socket away: put it back."""
        if not os.path.lexists(self.address):
            with contextlib.suppress(OSError):
                Path(self.address).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._socket.close()
                self._socket = self._bind()


class PipeListener:
    def __init__(self, address: str) -> None:
        self._listener = mp.Listener(address, family="AF_PIPE")

    def accept(self) -> Channel | None:
        return self._listener.accept()

    def close(self) -> None:
        self._listener.close()


def listen(address: str) -> Listener:
    """Raises OSError when the address cannot be used."""
    return PipeListener(address) if sys.platform == "win32" else UnixListener(address)


def dial(address: str) -> Channel:
    """Raises OSError: FileNotFoundError or ConnectionRefusedError when nobody listens there; KnownError when what is there
    belongs to another user."""
    if sys.platform == "win32":
        return mp.Client(address, family="AF_PIPE")
    refuse_foreign(address)
    caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        caller.settimeout(STEP_S)
        caller.connect(address)
        caller.settimeout(None)
        if peer_uid(caller) not in (None, os.getuid()):
            raise foreign(address)
        limit_waits(caller)
    except BaseException:
        caller.close()
        raise
    return Connection(caller.detach())


def prove_to_caller(channel: Channel, secret: bytes) -> None:
    """The owner's side: the caller proves first. Raises OSError, EOFError or mp.AuthenticationError."""
    timed: Any = Timed(channel)
    mp.deliver_challenge(timed, secret)
    mp.answer_challenge(timed, secret)


def prove_to_owner(channel: Channel, secret: bytes) -> None:
    """The client's side; raises the same."""
    timed: Any = Timed(channel)
    mp.answer_challenge(timed, secret)
    mp.deliver_challenge(timed, secret)


class Timed:
    """A channel whose every receiving is given up after `STEP_S`."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def send_bytes(self, buf: bytes) -> None:
        self._channel.send_bytes(buf)

    def recv_bytes(self, maxlength: int | None = None) -> bytes:
        if not self._channel.poll(STEP_S):
            raise TimeoutError("the other side says nothing")
        return self._channel.recv_bytes(maxlength)


def limit_waits(peer: socket.socket) -> None:
    """A message that has begun must go on: a peer that stops in the middle cannot hold a thread for ever."""
    if sys.platform != "win32":
        peer.setblocking(True)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", RECEIVE_S, 0))
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_S, 0))


def hang_up(channel: Channel) -> None:
    """End a connection that another thread may be waiting on, so that the thread wakes up."""
    if sys.platform == "win32":
        channel.close()
        return
    try:
        with socket.socket(fileno=os.dup(channel.fileno())) as peer:
            peer.shutdown(socket.SHUT_RDWR)
    except (OSError, ValueError):  # already closed, or the other side was faster
        return


def peer_uid(peer: socket.socket) -> int | None:
    """The user at the other end, or None where the system does not tell (the 0700 folder and the secret guard alone)."""
    if sys.platform != "linux":
        return None
    _, uid, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return int(uid)


def refuse_foreign(address: str) -> None:
    """Raises KnownError unless the socket, when there is one, is this user's own and no link."""
    if sys.platform == "win32":
        return
    there = os.lstat(address)
    if there.st_uid != os.getuid() or not stat.S_ISSOCK(there.st_mode):
        raise foreign(address)


def foreign(address: str) -> KnownError:
    return KnownError(
        "socket_foreign",
        "Not our socket",
        f"{address} belongs to another user or is no socket.",
        "Remove it, or set BACKSCROLL_HOME to a folder of your own.",
    )
