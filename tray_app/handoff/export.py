"""The card as a markdown file: in the project, in the data folder, or nowhere.

Owns where it is written and what is never written to: an agent's folder, a file that is not ours, whatever a link leads to. Made
whole or not at all; a fault is a sentence, never an exception, since the card itself is kept already.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from tray_app.paths import shorten
from tray_app.settings import replace_file
from tray_app.text import own_marks

CARD_NAME = "BACKSCROLL.md"
"""In a project: a name that no agent reads as instructions."""
PROJECT, DATA = "project", "data"
NAME_BYTES = 80
_UNFIT = re.compile(r"[<>:\"/\\|?*\x00-\x1f]|[. ]+\Z|\A[. ]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)
_MARK = own_marks.opening(own_marks.CARD).encode()


class CardFile:
    """One project's file. `inside` is the folder it may not leave, which `make` allows to be made; `barred` are folders of
    agents."""

    def __init__(self, path: Path, inside: Path, barred: Iterable[Path] = (), *, make: bool = False) -> None:
        self.path, self.inside, self.barred, self.make = path, inside, tuple(barred), make

    def write(self, text: str) -> str:
        """Give the file this text. Returns why it could not be done, '' if it was."""
        try:
            fault = self._fault()
            if not fault and not self.holds(text):
                replace_file(self.path, text.encode("utf-8", "replace"))
            return fault
        except OSError as error:
            return f"{shorten(self.path)} could not be written ({error.strerror or type(error).__name__})."

    def holds(self, text: str) -> bool:
        """Whether the file has exactly this text."""
        data = text.encode("utf-8", "replace")
        try:
            facts = self.path.lstat()
            return stat.S_ISREG(facts.st_mode) and facts.st_size == len(data) and self.path.read_bytes() == data
        except OSError:
            return False

    def _fault(self) -> str:
        if self.make:
            self.inside.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self.inside.is_dir():
            return f"The folder {shorten(self.inside)} is not there."
        folder = Path(os.path.realpath(self.path.parent))
        if folder != Path(os.path.realpath(self.inside)):
            return f"{shorten(self.path)} lies elsewhere, behind a link."
        if any(folder.is_relative_to(os.path.realpath(agent)) for agent in self.barred):
            return f"{shorten(self.inside)} belongs to an agent, and nothing is written there."
        try:
            facts = self.path.lstat()
        except FileNotFoundError:
            return ""
        if not stat.S_ISREG(facts.st_mode):
            return f"{shorten(self.path)} is no ordinary file."
        with self.path.open("rb") as stream:
            if facts.st_size and not stream.read(len(_MARK) + 3).removeprefix(b"\xef\xbb\xbf").startswith(_MARK):
                return f"{shorten(self.path)} is there already and was not written by Backscroll."
        return ""


def card_file(project: str, folder: str, where: str, data: Path, barred: Iterable[Path] = ()) -> CardFile | None:
    """Where the card of a project is written. `folder`: the project's, '' where it has none (then nowhere, if it was to be
    there); `where`: the setting `projects.card_file`; `data`: our data folder; `barred`: folders of agents."""
    if where == PROJECT and folder:
        return CardFile(Path(folder) / CARD_NAME, Path(folder), barred)
    if where == DATA:
        return CardFile(data / "cards" / f"{file_name(project)}.md", data / "cards", make=True)
    return None


def file_name(project: str) -> str:
    """A project's name as that of a file on every system; what had to be changed is told apart by a hash."""
    plain = _UNFIT.sub("_", project)
    while len(plain.encode("utf-8", "replace")) > NAME_BYTES:
        plain = plain[:-1]
    if plain == project and plain and not _RESERVED.match(plain):
        return plain
    return f"{plain}-{hashlib.blake2b(project.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"
