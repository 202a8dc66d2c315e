"""Who owns the files: the lock, the address, and the note that tells others where the owner listens.

The lock on `owner.lock` in the data folder decides, and the system drops it when its holder ends in whatever way: so of
any number of simultaneous starts exactly one becomes owner, and nothing stale can block a start. `owner.json` beside it,
readable by this user only, holds the owner's address and the secret that a caller must know.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import signal
import stat
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

import tray_app
from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.settings import replace_file

SOCKET_BYTES = 100
"""Longest path that a Unix socket takes everywhere (104 on macOS, 108 on Linux, with the final NUL)."""
READ_S = 2.0
"""How long others may be reading the former note on Windows, where it cannot be replaced meanwhile."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What `owner.json` says. `address` is '' while the owner opens the files and does not listen yet."""

    address: str
    secret: str
    pid: int
    kind: str
    version: str


class Claim:
    """The right to own the files, for as long as it is held."""

    def __init__(self, paths: Paths, lock: IO[bytes]) -> None:
        self._paths, self._lock = paths, lock
        self._guard = threading.Lock()

    def announce(self, kind: str) -> Note:
        """Choose address and secret, and write them down for others. The listening itself is the caller's."""
        return self._write(kind, address_of(self._paths), secrets.token_hex(32))

    def announce_opening(self, kind: str) -> Note:
        """Write down that this process is about to be the owner, and does not listen yet: others wait for it."""
        return self._write(kind, "", "")

    def withdraw(self) -> None:
        """Take the note away, because this process is about to let go: others wait for their chance. One that cannot be taken
        away is no hindrance."""
        with self._guard, contextlib.suppress(OSError):
            if not self._lock.closed:
                note_file(self._paths).unlink()

    def _write(self, kind: str, address: str, secret: str) -> Note:
        note = Note(address=address, secret=secret, pid=os.getpid(), kind=kind, version=tray_app.__version__)
        deadline = time.monotonic() + READ_S
        while True:
            try:
                replace_file(note_file(self._paths), msgspec.json.encode(note))
            except OSError as fault:
                if not _is_being_read(fault) or time.monotonic() > deadline:
                    raise unwritable(self._paths.data, fault) from fault
                time.sleep(0.01)
            else:
                return note

    def release(self) -> None:
        """Let another process become owner. Can be called twice."""
        with self._guard:
            if self._lock.closed:
                return
            with contextlib.suppress(OSError):  # a note that stays is no hindrance; a lock that stays would be
                note_file(self._paths).unlink()
            try:
                _unlock(self._lock)
            finally:
                self._lock.close()

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.release()


def claim(paths: Paths) -> Claim | None:
    """Become the owner, or None when another process is. Raises KnownError when the data folder cannot be used or is another
    user's."""
    try:
        paths.ensure()
        if sys.platform != "win32" and paths.data.stat().st_uid != os.getuid():
            raise _foreign_data(paths.data)  # under sudo, for example: files of root's would shut the person out later
        lock = lock_file(paths).open("a+b")
    except OSError as fault:
        raise unwritable(paths.data, fault) from fault
    try:
        if sys.platform != "win32":
            os.fchmod(lock.fileno(), 0o600)
        if _try_lock(lock):
            return Claim(paths, lock)
    except OSError as fault:
        lock.close()
        raise unwritable(paths.data, fault) from fault
    lock.close()
    return None


def read_note(paths: Paths) -> Note | None:
    """Where the owner listens, or None when none has said so. Raises KnownError for a note of another user's."""
    file = note_file(paths)
    try:
        with file.open("rb") as stream:
            if sys.platform != "win32":
                facts = os.fstat(stream.fileno())
                if facts.st_uid != os.getuid() or stat.S_IMODE(facts.st_mode) & 0o077:
                    raise KnownError(
                        "socket_foreign",
                        "Not our note",
                        f"{file} belongs to, or can be read by, another user.",
                        "Remove it, or set BACKSCROLL_HOME to a folder of your own.",
                    )
            return msgspec.json.decode(stream.read(1 << 16), type=Note)
    except (FileNotFoundError, NotADirectoryError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    except OSError as fault:
        if _is_being_read(fault):
            return None
        raise unwritable(paths.data, fault) from fault


def lock_file(paths: Paths) -> Path:
    return paths.data / "owner.lock"


def note_file(paths: Paths) -> Path:
    return paths.data / "owner.json"


def address_of(paths: Paths) -> str:
    """The socket's path, or the pipe's name. A runtime folder whose path is too long is replaced by a short one."""
    digest = hashlib.sha256(os.fsencode(paths.data)).hexdigest()[:16]
    if sys.platform == "win32":
        return rf"\\.\pipe\backscroll-{digest}-{secrets.token_hex(8)}"
    wanted = paths.runtime / "owner.sock"
    if len(os.fsencode(wanted)) <= SOCKET_BYTES:
        return str(wanted)
    for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108 - the folder made in it is checked to be this user's alone
        folder = Path(base) / f"backscroll-{os.getuid()}-{digest}"
        if len(os.fsencode(folder / "owner.sock")) <= SOCKET_BYTES:
            return str(private(folder) / "owner.sock")
    raise KnownError(
        "socket_path", "No place for the socket", f"{paths.runtime} is too long for a socket.", "Set TMPDIR to a short path."
    )


def private(folder: Path) -> Path:
    """A folder in a place that everybody may write: made for this user only, or refused."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    facts = folder.lstat()
    if sys.platform != "win32" and (not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid()):
        raise KnownError("socket_foreign", "Not our folder", f"{folder} belongs to another user.", "Remove it, or set TMPDIR.")
    folder.chmod(0o700)
    return folder


def wake(note: Note) -> None:
    """Have an owner go on that was stopped, by Ctrl-Z for example, on itself or on the agent whose server it is. Any other
    process is told nothing by it."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.kill(note.pid, signal.SIGCONT)


def _is_being_read(fault: OSError) -> bool:
    """Windows replaces and removes no file that somebody reads or replaces at the moment."""
    return sys.platform == "win32" and isinstance(fault, PermissionError)


def _foreign_data(folder: Path) -> KnownError:
    return KnownError(
        "data_foreign",
        "Another user's folder",
        f"{folder} belongs to another user than the one this runs as.",
        "Run it as that user (without sudo), or set BACKSCROLL_HOME to a folder of your own.",
    )


def unwritable(folder: Path, fault: OSError) -> KnownError:
    return KnownError(
        "data_unwritable",
        "Folder cannot be used",
        f"{folder} cannot be written ({fault.strerror or fault}).",
        "Check its owner, its mode and the space left, or set BACKSCROLL_HOME.",
    )


if sys.platform == "win32":
    import msvcrt

    def _try_lock(lock: IO[bytes]) -> bool:
        lock.seek(0)
        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _unlock(lock: IO[bytes]) -> None:
        lock.seek(0)
        msvcrt.locking(lock.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(lock: IO[bytes]) -> bool:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(lock: IO[bytes]) -> None:
        fcntl.flock(lock, fcntl.LOCK_UN)
