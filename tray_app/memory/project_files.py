"""Text files of a project: its changelogs and its long documents, found and read without leaving its folder.

Owns which files count as what, and the caution: links out of the folder are not followed, what is no regular file or too large is left
alone, what the person has excluded is not opened. Opens for reading only. What cannot be looked at is told, and what lies there is
not taken for gone.
"""

from __future__ import annotations

import fnmatch
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from tray_app.settings import Settings
from tray_app.territory import is_within, plain_folder
from tray_app.text.blocks import FORMS
from tray_app.text.clean import clean
from tray_app.text.decoding import decode
from tray_app.text.own_marks import strip_own

FILE_BYTES = 2 << 20
DEPTH = 12
MOST_ENTRIES = 50_000
"""Names in the folders of documents that are looked at."""
DOCUMENT_FOLDERS = frozenset({"docs", "doc", "documentation", "文档"})
TOP_LEVEL = frozenset({".md", ".markdown", ".rst"})
"""Of documents that lie in the project's folder itself; a text file there is mostly none."""
SKIPPED_FOLDERS = frozenset(
    {"node_modules", "dist", "build", "venv", "env", "__pycache__", "target", "vendor", "site-packages"}
)
CHANGELOGS = frozenset({"changelog.md", "变更记录.md"})


class ProjectFile(msgspec.Struct, frozen=True):
    """`name`: its path below the project's folder, with forward slashes. `size` in bytes."""

    name: str
    path: Path
    size: int
    mtime_ns: int

    @property
    def form(self) -> str:
        return FORMS.get(self.path.suffix.lower(), "plain")


class Listing(msgspec.Struct, frozen=True):
    """What was found, in the order of names. `unseen`: names of folders and files that could not be looked at, '' for all; `there`:
    whether the project's folder was; `faults` in words."""

    files: tuple[ProjectFile, ...] = ()
    unseen: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    there: bool = True

    def hides(self, name: str) -> bool:
        """Whether a file of this name may be there, and could not be seen."""
        return not self.there or any(not one or name == one or name.startswith(one + "/") for one in self.unseen)


class Excluded:
    """What the person does not want read."""

    def __init__(self, settings: Settings) -> None:
        self._paths = tuple(settings["privacy.excluded_paths"])
        self._folders = tuple(settings["privacy.excluded_workspaces"])

    def holds_folder(self, folder: str) -> bool:
        plain = plain_folder(folder)
        return any(is_within(plain, plain_folder(one)) or fnmatch.fnmatchcase(plain, one) for one in self._folders)

    def holds(self, path: Path) -> bool:
        plain = path.as_posix()
        return any(fnmatch.fnmatch(path.name, one) or fnmatch.fnmatch(plain, one) for one in self._paths)


def changelogs_in(folder: str, excluded: Excluded) -> Listing:
    """The project's changelogs: CHANGELOG.md and 变更记录.md in it and in docs, and docs/99-*.md."""
    return _Look(folder, excluded).run(("docs",), _is_changelog, deep=False)


def documents_in(folder: str, excluded: Excluded) -> Listing:
    """The project's documents: markdown and reStructuredText directly in it; these and text below docs. No changelogs."""
    return _Look(folder, excluded).run(sorted(DOCUMENT_FOLDERS), _is_document, deep=True)


def read_text(file: ProjectFile) -> str | None:
    """The text, cleaned (not yet redacted), without what we wrote into it ourselves; None where it is none. Raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(os.open(file.path, flags), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return None
        text = decode(stream.read(FILE_BYTES))
    return None if text is None else strip_own(clean(text))


def _is_changelog(name: str) -> bool:
    folder, _, last = name.casefold().rpartition("/")
    if folder not in ("", "docs"):
        return False
    return last in CHANGELOGS or (folder == "docs" and last.startswith("99-") and last.endswith(".md"))


def _is_document(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    ending = os.path.splitext(last)[1].lower()  # noqa: PTH122 - names, not paths
    return ending in (FORMS if folder else TOP_LEVEL) and not _is_changelog(name) and not last.startswith(".")


class _Look:
    """One look at a project's folder."""

    def __init__(self, folder: str, excluded: Excluded) -> None:
        self._excluded = excluded
        self._folder = folder
        self._root = os.path.realpath(folder) if folder else ""
        self._found: dict[str, ProjectFile] = {}
        """By where they really are, so that a link beside its target counts once."""
        self._unseen: list[str] = []
        self._top: list[os.DirEntry[str]] = []
        self._faults: list[str] = []
        self._left = MOST_ENTRIES

    def run(self, folders: Sequence[str], wanted: Callable[[str], bool], *, deep: bool) -> Listing:
        """`wanted`: whether a file of this name counts."""
        try:
            there = bool(self._root) and Path(self._root).is_dir()
        except (OSError, ValueError):
            there = False
        if not there:
            return Listing(there=False, faults=("The project's folder is not there.",) if self._root else ())
        if self._excluded.holds_folder(self._folder) or self._excluded.holds_folder(self._root):
            return Listing()
        self._top = self._entries("")
        for name in self._existing(folders):
            for found in self._files(name, DEPTH if deep and name else 0):
                if wanted(found):
                    self._take(found)
        files = tuple(sorted(self._found.values(), key=lambda file: file.name))
        return Listing(files, tuple(self._unseen), tuple(self._faults))

    def _existing(self, folders: Sequence[str]) -> list[str]:
        """Those of the folders that are there, under the names they have."""
        wanted = {folder.casefold() for folder in folders}
        return ["", *(entry.name for entry in self._top if _composed(entry.name).casefold() in wanted and _is_folder(entry))]

    def _files(self, folder: str, depth: int) -> Iterator[str]:
        waiting = [(folder, depth)]
        seen = set()
        while waiting:
            here, left = waiting.pop()
            real = os.path.realpath(os.path.join(self._root, here))
            if real in seen or not self._is_inside(real):
                continue
            seen.add(real)
            for entry in self._entries(here) if here else self._top:
                name = f"{here}/{entry.name}" if here else entry.name
                try:
                    is_folder = entry.is_dir(follow_symlinks=False)
                except OSError as fault:
                    self._cannot(name, fault)
                    continue
                if not is_folder:
                    yield name
                elif left and not entry.name.startswith(".") and entry.name.casefold() not in SKIPPED_FOLDERS:
                    waiting.append((name, left - 1))

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self._root, folder)) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as fault:
            self._cannot(folder, fault)
            return []
        if len(entries) > self._left:
            self._faults.append(f"{folder or '.'} holds too many files; some were not looked at.")
            self._unseen.append(folder)
        entries = entries[: self._left]
        self._left -= len(entries)
        return entries

    def _take(self, name: str) -> None:
        path = Path(self._root, name)
        try:
            name.encode()
            real = os.path.realpath(path)
            facts = Path(real).stat()
        except UnicodeEncodeError:
            return
        except FileNotFoundError:  # a link to nothing
            return
        except OSError as fault:
            self._cannot(name, fault)
            return
        if not stat.S_ISREG(facts.st_mode) or not self._is_inside(real):
            return
        if self._excluded.holds(path) or self._excluded.holds(Path(real)):
            return
        if facts.st_size > FILE_BYTES:
            self._faults.append(f"{name} is larger than {FILE_BYTES >> 20} MB and was not read.")
            return
        known = self._found.get(real)
        if known is None or (known.name != self._below(real) and name == self._below(real)):
            self._found[real] = ProjectFile(_composed(name), Path(real), facts.st_size, facts.st_mtime_ns)

    def _cannot(self, name: str, fault: OSError) -> None:
        self._unseen.append(name)
        shown = name.encode("utf-8", "replace").decode()
        self._faults.append(f"{shown or '.'} could not be read ({fault.strerror or type(fault).__name__}).")

    def _is_inside(self, real: str) -> bool:
        return is_within(plain_folder(real), plain_folder(self._root))

    def _below(self, real: str) -> str:
        return os.path.relpath(real, self._root).replace(os.sep, "/")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a loop of links
        return False


def _composed(name: str) -> str:
    """As names are typed: macOS keeps them apart."""
    return unicodedata.normalize("NFC", name)
