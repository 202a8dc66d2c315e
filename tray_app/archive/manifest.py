"""What the archive holds: a line for every copy in `manifest.jsonl`, and the names of the files.

Lines are only added; one that says `dropped` takes back those before it. Where many are of no more use, the file is written
anew. A line that cannot be read names no copy: what it told of is copied again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tray_app.errors import KnownError
from tray_app.settings import replace_file

USELESS_LINES = 1_000
_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,119}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows gives to devices."""


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """A line. `file` is the copy's name below the archive, `path` where the original stood, `hash` the SHA-256 of its `size`
    bytes; `stored` bytes are on disk. `dropped`: it was removed again."""

    file: str
    agent: str
    session: str
    path: str
    size: int = 0
    mtime_ns: int = 0
    hash: str = ""
    stored: int = 0
    dropped: bool = False


class Manifest:
    """The file in an archive's folder. Used under the archive's lock."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "manifest.jsonl"
        self._known: dict[str, Copy] | None = None
        self._by_session: dict[tuple[str, str], list[Copy]] | None = None

    def of_session(self, agent: str, session: str) -> list[Copy]:
        """Copies of one session, the oldest first. Raises KnownError `archive_unreadable`."""
        if self._by_session is None:
            self._by_session = {}
            for copy in self.copies().values():
                self._by_session.setdefault((copy.agent, copy.session), []).append(copy)
        return self._by_session.get((agent, session), [])

    def copies(self) -> dict[str, Copy]:
        """Copies that are there, by file, the oldest first. Raises KnownError `archive_unreadable`."""
        if self._known is None:
            known: dict[str, Copy] = {}
            lines = [line for line in self._content().split(b"\n") if line]
            for line in lines:
                with contextlib.suppress(msgspec.DecodeError):
                    _take(known, msgspec.json.decode(line, type=Copy))
            self._known = {name: copy for name, copy in known.items() if (self.folder / name).is_file()}
            if len(lines) > 2 * len(self._known) + USELESS_LINES:
                with contextlib.suppress(OSError):  # it can be done another time
                    replace_file(self.file, b"".join(msgspec.json.encode(one) + b"\n" for one in self._known.values()))
        return self._known

    def note(self, copies: Sequence[Copy]) -> None:
        """Write lines through to the disk. Raises OSError."""
        if not copies:
            return
        known, self._by_session = self.copies(), None
        handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "ab") as stream:
            # Each line begins on one of its own, whatever the last writer left behind; empty ones are passed over.
            stream.write(b"".join(b"\n" + msgspec.json.encode(copy) for copy in copies) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        for copy in copies:
            _take(known, copy)

    def doubt(self) -> None:
        """Something could not be written: what is on disk counts."""
        self._known = self._by_session = None

    def free_name(self, agent: str, session: str) -> str:
        """A name that no copy has."""
        base, known, number = f"{agent}/{file_name(session)}", self.copies(), 1
        name = f"{base}.zst"
        while name in known:
            number += 1
            name = f"{base}+{number}.zst"
        return name

    def _content(self) -> bytes:
        try:
            return self.file.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as fault:
            raise KnownError(
                "archive_unreadable", "The archive cannot be read", f"{self.file} ({fault.strerror}).", "Mend the folder."
            ) from fault


def _take(known: dict[str, Copy], copy: Copy) -> None:
    known.pop(copy.file, None)
    if not copy.dropped:
        known[copy.file] = copy


def file_name(session: str) -> str:
    """A session's id as a file's name on any system; a hash tells apart what would be the same there."""
    if _PLAIN.fullmatch(session) and not _RESERVED.fullmatch(session) and not session.endswith("."):
        return session
    plain = re.sub(r"[^a-z0-9._-]+", "_", session.lower()).strip("._-")[-80:]
    return f"{plain or 'session'}~{hashlib.sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
