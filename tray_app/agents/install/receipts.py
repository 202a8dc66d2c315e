"""What was done to which file, and copies of how files were before.

Owns `backups/agents` in the data folder: a copy of every file before each change, and `receipts.json`. A receipt that is lost or
damaged costs nothing but exactness: our entry is still found and taken out.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import logging
from datetime import datetime
from pathlib import Path

import msgspec

from tray_app.agents.install.files import Original
from tray_app.agents.install.parts import Undo
from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.settings import replace_file

log = logging.getLogger(__name__)

MOST_COPIES = 20
"""Of one agent, beside those that receipts name."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """`copy` is the file's copy from before, '' if it was not there. `after` is the hash of what we left, '' where others had
    changed it between two changes of ours: then the copy is not what it has to be again. `made`: folders made for it."""

    agent: str
    copy: str = ""
    absent: bool = False
    after: str = ""
    undo: Undo = {}
    made: tuple[str, ...] = ()


class Receipts:
    def __init__(self, paths: Paths) -> None:
        self.folder = paths.data / "backups" / "agents"
        self.file = self.folder / "receipts.json"
        self._known = self._read()

    def of(self, original: Original) -> Receipt | None:
        return self._known.get(str(original.target))

    def undo(self, original: Original) -> Undo:
        receipt = self.of(original)
        return dict(receipt.undo) if receipt is not None else {}

    def former(self, original: Original) -> tuple[bool, bytes | None]:
        """Whether the file is as we left it, so that it is known how it was before; and that: None if it was not there."""
        receipt = self.of(original)
        if receipt is None or original.raw is None or not receipt.after or receipt.after != digest(original.raw):
            return False, None
        if receipt.absent:
            return True, None
        with contextlib.suppress(OSError):
            return True, (self.folder / receipt.agent / receipt.copy).read_bytes()
        return False, None

    def copied(self, agent: str, original: Original) -> str:
        """Keep a copy of a file; gives its name, '' where there is no file. Raises KnownError `backup_failed`."""
        if original.raw is None:
            return ""
        folder = self.folder / agent
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")  # local: for a person to read
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number in itertools.count():
                name = f"{stamp}-{number:02d}-{original.target.name.lstrip('.')}"
                if not (folder / name).exists():
                    break
            replace_file(folder / name, original.raw)
        except OSError as fault:
            raise KnownError(
                "backup_failed", "Not changed", f"No copy of {original.file.name} could be kept ({fault.strerror}).",
                "Nothing is changed without one.",
            ) from fault  # fmt: skip
        return name

    def note(self, agent: str, original: Original, copy: str, raw: bytes, undo: Undo, made: list[Path]) -> None:
        """After a change of ours."""
        known = self.of(original)
        if known is None:
            new = Receipt(
                agent=agent, copy=copy, absent=original.raw is None, after=digest(raw), undo=undo, made=tuple(map(str, made))
            )
        else:
            whole = original.raw is not None and known.after == digest(original.raw)
            new = msgspec.structs.replace(known, after=digest(raw) if whole else "", undo=undo)
        self._known[str(original.target)] = new
        self._write()

    def forget(self, original: Original) -> None:
        """After our entry was taken out; folders that were made for it go where nothing else is in them."""
        known = self._known.pop(str(original.target), None)
        for folder in known.made if known is not None else ():
            with contextlib.suppress(OSError):
                Path(folder).rmdir()
        self._write()

    def held(self) -> dict[str, Receipt]:
        """All of them, for `hold`."""
        return dict(self._known)

    def hold(self, receipts: dict[str, Receipt]) -> None:
        """Have them as they were."""
        self._known = receipts
        self._write()

    def tidy(self, agent: str) -> None:
        """Remove the oldest copies."""
        named = {receipt.copy for receipt in self._known.values() if receipt.agent == agent}
        with contextlib.suppress(OSError):
            spare = sorted(one for one in (self.folder / agent).iterdir() if one.name not in named)
            for one in spare[:-MOST_COPIES]:
                one.unlink()

    def _read(self) -> dict[str, Receipt]:
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=dict[str, Receipt])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as fault:
            log.info("the receipts of installations cannot be read (%s)", type(fault).__name__)
            return {}

    def _write(self) -> None:
        """What cannot be written is told in the log alone: the entry itself stands."""
        try:
            replace_file(self.file, msgspec.json.format(msgspec.json.encode(self._known), indent=1))
        except OSError as fault:
            log.warning("the receipts of installations cannot be written (%s)", fault.strerror)


def digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
