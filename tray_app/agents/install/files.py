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

MOST_BYTES = 64 << 20
BOM = "\ufeff"


class ConfigFault(KnownError):
    """A config that was left as it is. `file` as it is shown; `line` from 1, 0 where no line is to blame."""

    def __init__(self, code: str, file: Path, message: str, hint: str, line: int = 0) -> None:
        super().__init__(code, "Not changed", message, hint)
        self.file, self.line = shorten(file), line


BY_HAND = "To add it by hand: backscroll install AGENT --print"
PROTECTED = "Take the protection off, and try again."


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
    """Raises ConfigFault `config_unreadable`, `config_foreign`, `config_encoding`."""
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
        line = raw.count(b"\n", 0, fault.start) + 1
        raise _refused("config_encoding", file, f"is not UTF-8 (line {line})", line=line) from fault
    if b"\0" in raw:
        raise _refused("config_encoding", file, "is not text")
    return Original(file, target, raw, _mark(facts), stat.S_IMODE(facts.st_mode))


def check_writable(original: Original) -> None:
    """Raises ConfigFault `config_readonly`, `config_foreign`."""
    folder = next(one for one in original.target.parents if one.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _refused("config_readonly", original.file, "is in a folder that is write-protected", PROTECTED)
    if original.raw is None:
        return
    facts = original.target.stat()
    if hasattr(os, "getuid") and facts.st_uid != os.getuid():
        raise _refused("config_foreign", original.file, "belongs to another user")
    if not original.mode & 0o222 or not os.access(original.target, os.W_OK):
        raise _refused("config_readonly", original.file, "is write-protected", PROTECTED)
    if facts.st_nlink > 1:
        raise _refused("config_foreign", original.file, "has another name elsewhere (a hard link), which would be cut off")


def write(original: Original, raw: bytes | None) -> list[Path]:
    """Have other bytes in the place of a file, or (None) no file. Gives the folders that were made for it. Raises ConfigFault
    `config_changed` where somebody else wrote it since, `config_unwritable`; then it is as it was."""
    target = original.target
    try:
        _check_same(original)
        if raw is None:
            target.unlink(missing_ok=True)
            return []
        made = _make_folders(target.parent)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(raw)
                stream.flush()
                if os.name == "posix":
                    _keep_owner(stream.fileno(), original)
                os.fsync(stream.fileno())
            _check_same(original)
            os.replace(name, target)
            _sync_folder(target.parent)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as fault:
        raise _refused("config_unwritable", original.file, f"cannot be written ({fault.strerror})") from fault
    return made


def _keep_owner(handle: int, original: Original) -> None:
    """Have the mode and the group of the file that it takes the place of. Raises OSError."""
    if original.raw is not None:
        group = original.target.stat().st_gid
        if os.fstat(handle).st_gid != group:
            os.fchown(handle, -1, group)
    os.fchmod(handle, original.mode)


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk, too. Where a file system does not do that, the file is whole all the same."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


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


def _refused(code: str, file: Path, what: str, hint: str = BY_HAND, *, line: int = 0) -> ConfigFault:
    return ConfigFault(code, file, f"{shorten(file)} {what}.", hint, line)
