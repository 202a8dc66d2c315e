"""Which sessions were told already: one empty file for each, made once.

Owns the folder `hooks` in the data folder and how many files are in it. Two hooks of one session at the same moment: exactly
one of them makes the file.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL first: a tenth of the whole hook
except ImportError:
    from hashlib import blake2b

MOST, LEFT = 500, 400
"""With more files than MOST the oldest are removed, down to LEFT."""


class Mark:
    """The file of a session. Its name tells neither the session nor anything of it."""

    def __init__(self, folder: Path, agent: str, session: str) -> None:
        digest = blake2b(f"{agent}\0{session}".encode("utf-8", "replace"), digest_size=16).hexdigest()
        self.folder, self.file = folder, folder / digest

    def take(self) -> bool:
        """Whether this call was the first. Raises OSError where nothing can be kept."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)  # noqa: PTH103
        try:
            os.close(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return False
        prune(self.folder, MOST, LEFT)
        return True


def prune(folder: Path, most: int, left: int) -> None:
    """Have no more than `most` files in a folder: with more, the oldest are removed, down to `left`. Raises OSError."""
    with os.scandir(folder) as entries:
        there = list(entries)
    if len(there) <= most:
        return
    ages = []
    for entry in there:
        with contextlib.suppress(OSError):  # another hook removes it, too
            ages.append((entry.stat().st_mtime, entry.path))
    for _, path in sorted(ages)[: len(there) - left]:
        with contextlib.suppress(OSError):
            os.unlink(path)
