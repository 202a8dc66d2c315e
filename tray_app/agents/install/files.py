"""Config files of agents: read, kept a copy of, and written whole or not at all.

Owns every byte that goes into an agent's folder, and what a file must be to be changed: a regular file of this user's, writable,
UTF-8, not larger than a config is. Links are followed to what they mean, which is changed in its place.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple

from tray_app.errors import KnownError
from tray_app.paths import shorten

MOST_BYTES = 16 << 20
BOM = "\ufeff"


class Original(NamedTuple):
    """A file as it was read. `target` is what links lead to, `raw` is None where there is none, `mark` tells whether it is still
    the same."""

    file: Path
    target: Path
    raw: bytes | None
    mark: tuple[int, int, int] | None
    mode: int

    @property
    def text(self) -> str:
        """Without the byte order mark."""
        return (self.raw or b"").decode().removeprefix(BOM)

    def encoded(self, text: str) -> bytes:
        """A text as this file holds it."""
        bom = BOM if (self.raw or b"").startswith(BOM.encode()) else ""
        return (bom + text).encode()


def read(file: Path) -> Original:
    """Raises KnownError `config_unreadable`, `config_foreign`, `config_encoding`."""
    target = Path(os.path.realpath(file))
    try:
        facts = target.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise _refused("config_foreign", file, "is no file")
        if facts.st_size > MOST_BYTES:
            raise _refused("config_foreign", file, "is far too large for a config")
        raw = target.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Original(file, target, None, None, 0o600)
    except OSError as fault:
        raise _refused("config_unreadable", file, f"cannot be read ({fault.strerror})") from fault
    try:
        raw.decode()
    except UnicodeDecodeError as fault:
        raise _refused("config_encoding", file, "is not UTF-8") from fault
    if b"\0" in raw:
        raise _refused("config_encoding", file, "is not text")
    return Original(file, target, raw, _mark(facts), stat.S_IMODE(facts.st_mode))


def check_writable(original: Original) -> None:
    """Raises KnownError `config_readonly`, `config_foreign`."""
    if original.raw is None:
        return
    facts = original.target.stat()
    if not original.mode & 0o222 or not os.access(original.target, os.W_OK):
        raise _refused("config_readonly", original.file, "is write-protected", "Take the protection off, and try again.")
    if hasattr(os, "getuid") and facts.st_uid != os.getuid():
        raise _refused("config_foreign", original.file, "belongs to another user")
    if facts.st_nlink > 1:
        raise _refused("config_foreign", original.file, "has another name elsewhere (a hard link), which would be cut off")


def write(original: Original, raw: bytes | None) -> list[Path]:
    """Have other bytes in the place of a file, or (None) no file. Gives the folders that were made for it. Raises KnownError
    `config_changed` where somebody else wrote it since, `config_unwritable`; then it is as it was."""
    target = original.target
    try:
        if raw is None:
            _check_same(original)
            target.unlink(missing_ok=True)
            return []
        made = _make_folders(target.parent)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(raw)
                stream.flush()
                if os.name == "posix":
                    os.fchmod(stream.fileno(), original.mode)
                os.fsync(stream.fileno())
            _check_same(original)
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as fault:
        raise _refused("config_unwritable", original.file, f"cannot be written ({fault.strerror})") from fault
    return made


def _make_folders(folder: Path) -> list[Path]:
    made = []
    while not folder.exists():
        made.append(folder)
        folder = folder.parent
    for one in reversed(made):
        one.mkdir(mode=0o700)
    return made


def _check_same(original: Original) -> None:
    try:
        now = _mark(original.target.stat())
    except FileNotFoundError:
        now = None
    if now != original.mark:
        raise _refused("config_changed", original.file, "was changed by another program meanwhile", "Try again.")


def _mark(facts: os.stat_result) -> tuple[int, int, int]:
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _refused(code: str, file: Path, what: str, hint: str = "") -> KnownError:
    return KnownError(
        code, "Not changed", f"{shorten(file)} {what}.", hint or "To add it by hand: backscroll install AGENT --print"
    )
