"""What the check-up says of the owner: whether other programs of this user can find and reach it, and nobody else can.

Looks at the note and the socket from outside, as a caller would; proves no secret and changes nothing.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from tray_app.errors import KnownError
from tray_app.insight.findings import finding
from tray_app.paths import Paths, shorten
from tray_app.records import Finding
from tray_app.service import ownership, transport
from tray_app.service.ownership import Note

AGAIN = "Start it again: backscroll quit, then backscroll"


def findings(paths: Paths, note: Note) -> list[Finding]:
    """Of the owner that announced itself by this note. Waits for a socket at most as long as any caller does."""
    fault = _unreachable(paths, note)
    if fault:
        return [finding("owner_unreachable", "warn", "Other programs cannot reach this one", fault, AGAIN, reason=fault)]
    exposed = _exposed(paths, note)
    if exposed is not None:
        return [
            finding(
                "socket_exposed", "warn", "Other users of this machine can see the owner's socket or note", f"{shorten(exposed)} is not closed to them.",
                f"chmod 600 '{exposed}'", path=str(exposed),
            )
        ]  # fmt: skip
    where = note.address if sys.platform == "win32" else shorten(note.address)
    return [
        finding(
            "owner_answers", "ok", "One process owns the files, and answers the others", f"Process {note.pid} ({note.kind}), at {where}.",
            "", pid=str(note.pid), kind=note.kind, path=note.address,
        )
    ]  # fmt: skip


def _unreachable(paths: Paths, note: Note) -> str:
    """Why others cannot reach the owner, '' where they can."""
    file = ownership.note_file(paths)
    try:
        told = ownership.read_note(paths)
    except KnownError as fault:
        return fault.message
    if told is None:
        return f"{shorten(file)}, which says where it listens, is gone or cannot be read."
    if (told.address, told.secret) != (note.address, note.secret):
        return f"{shorten(file)} speaks of another process ({told.pid})."
    try:
        transport.dial(note.address).close()
    except KnownError as fault:
        return fault.message
    except OSError as fault:
        return f"Nobody answers at {shorten(note.address)} ({fault.strerror or type(fault).__name__})."
    return ""


def _exposed(paths: Paths, note: Note) -> Path | None:
    """A file through which others could meddle."""
    if sys.platform == "win32":
        return None
    for file in (ownership.note_file(paths), ownership.lock_file(paths), Path(note.address)):
        facts = os.lstat(file)
        if facts.st_uid != os.getuid() or stat.S_IMODE(facts.st_mode) & 0o077:
            return file
    return None
