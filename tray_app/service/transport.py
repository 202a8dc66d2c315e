"""Sockets and pipes: listening, dialling, who is at the other end, and ending a connection.

Owns everything that differs between systems here. Unix: a socket 0600 in a folder 0700. Windows: a named pipe of this
user, under a name nobody can guess. Frames are whole messages of bytes with a length limit. Every step before the secret is
proven has a time limit.
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
from typing import Protocol

from tray_app.errors import KnownError
from tray_app.service import proof

STEP_S = 2.0
"""Longest wait for a step of connecting: accept, each message of the proof, the hello."""
RECEIVE_S, SEND_S = 5, 30
"""Longest stop in the middle of a message; the other side may be short of processor time."""
WAKE_S = 1.0 if sys.platform == "win32" else None
"""A thread that waits for a request looks up so often. A pipe cannot be shut down under it as a socket can: closed by another
thread it would stay open for both sides until the wait ends, which is never."""


SOL_LOCAL, LOCAL_PEERCRED = 0, 1
"""Of macOS; Python has no names for them there. What they give begins with a version and the user."""


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
        try:
            if peer_uid(peer) not in (None, os.getuid()):
                peer.close()
                return None
            limit_waits(peer)
        except OSError:  # it has gone already
            peer.close()
            return None
        return Connection(peer.detach())

    def close(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.address)
        self._socket.close()

    def _bind(self) -> socket.socket:
        refuse_foreign_folder(Path(self.address).parent)
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
        """A cleaner of temporary folders may have taken the socket away: put it back. Where that cannot be done now, the old
        one is listened to until it can."""
        if os.path.lexists(self.address):
            return
        with contextlib.suppress(OSError, KnownError):
            Path(self.address).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            former, self._socket = self._socket, self._bind()
            former.close()


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
    """The owner's side: the caller proves first. Raises OSError, EOFError or proof.Unproven."""
    proof.prove_to_caller(Timed(channel), secret)


def prove_to_owner(channel: Channel, secret: bytes) -> None:
    """The client's side; raises the same."""
    proof.prove_to_owner(Timed(channel), secret)


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
    _shut(channel, socket.SHUT_RDWR)


def _shut(channel: Channel, how: int) -> None:
    if sys.platform == "win32":
        return
    try:
        with socket.socket(fileno=os.dup(channel.fileno())) as peer:
            peer.shutdown(how)
    except (OSError, ValueError):  # already closed, or the other side was faster
        return


def stop_hearing(channel: Channel) -> None:
    """Take no more requests on a connection. Its thread still reads what has arrived, then finds the end; whoever sends from
    now on learns that it was not sent. (On Windows the thread ends by itself, see `WAKE_S`.)"""
    _shut(channel, socket.SHUT_RD)


def peer_uid(peer: socket.socket) -> int | None:
    """The user at the other end, or None where the system does not tell (the 0700 folder and the secret guard alone)."""
    if sys.platform == "linux":
        _, uid, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        return int(uid)
    if sys.platform == "darwin":
        version, uid = struct.unpack("2I", peer.getsockopt(SOL_LOCAL, LOCAL_PEERCRED, struct.calcsize("2I")))
        return int(uid) if version == 0 else None
    return None


def refuse_foreign(address: str) -> None:
    """Raises KnownError unless the socket, when there is one, is this user's own and no link, in a folder of this user's.
    FileNotFoundError when there is none."""
    if sys.platform == "win32":
        return
    there = os.lstat(address)
    if there.st_uid != os.getuid() or not stat.S_ISSOCK(there.st_mode):
        raise foreign(address)
    refuse_foreign_folder(Path(address).parent)


def refuse_foreign_folder(folder: Path) -> None:
    """Raises KnownError for a folder in which another user may put something in the socket's place."""
    there = folder.stat()
    if there.st_uid != os.getuid() or there.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise KnownError(
            "socket_foreign",
            "Not our folder",
            f"{folder} belongs to another user, or can be written by one.",
            "Set its owner and mode (0700), or set BACKSCROLL_HOME to a folder of your own.",
        )


def foreign(address: str) -> KnownError:
    return KnownError(
        "socket_foreign",
        "Not our socket",
        f"{address} belongs to another user or is no socket.",
        "Remove it, or set BACKSCROLL_HOME to a folder of your own.",
    )
