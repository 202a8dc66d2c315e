"""The spaces of this machine: which are there, and every change of them.

Owns `spaces.toml`; opens no library and reads no session. A space has an id that never changes and names its folder
(`<id>/index.duckdb`), and a name that may. Whose a folder is follows from `territory`.

Every change is written whole, and kept as a numbered copy beside: a damaged file is set aside and the newest copy takes its
place. A file that cannot be read at all is an error and never 'no spaces', since that would mix what was kept apart.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
import threading
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from tray_app.errors import KnownError, UsageError
from tray_app.settings import replace_file
from tray_app.territory import REST, Layout, Space, folded, plain_folder

log = logging.getLogger(__name__)

NAME_LENGTH = 60
COPIES = 10
"""Copies of the file that are kept."""
ID = re.compile(r"[0-9a-f]{8}")
HEAD = "# Which folders belong to which space. Change it with: backscroll spaces\n"


class Spaces:
    """The file. Safe to use from several threads; one process at a time changes it (the owner of the libraries). `folder`
    is where spaces lie."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.folder, self._now = folder, now
        self._lock = threading.RLock()
        self._read: tuple[tuple[int, int, int], Layout] | None = None

    @property
    def file(self) -> Path:
        return self.folder / "spaces.toml"

    @property
    def copies(self) -> Path:
        return self.folder / "copies"

    def index_file(self, space: str) -> Path:
        """Where the library of a space lies."""
        return self.folder / space / "index.duckdb"

    def layout(self) -> Layout:
        """The spaces as they stand. Raises KnownError `spaces_unreadable`."""
        with self._lock:
            mark = self._mark()
            if self._read is None or self._read[0] != mark or mark == _ABSENT:
                layout = self._load()
                self._read = (self._mark(), layout)
            return self._read[1]

    # --- changing ----------------------------------------------------------------------------------------------------------
    def add(self, name: str, folders: Sequence[str]) -> Space:
        """Make a space. Raises UsageError: `bad_space_name`, `space_exists`, `folder_taken`, `bad_folder`."""
        with self._lock:
            layout = self.layout()
            checked = _checked_name(layout, name)
            number = secrets.token_hex(4)
            while any(space.id == number for space in layout.spaces) or (self.folder / number).exists():
                number = secrets.token_hex(4)
            space = Space(id=number, name=checked)
            self._keep(_with_folders(Layout(revision=layout.revision, spaces=(*layout.spaces, space)), space, folders))
            return self.layout().named(number)

    def assign(self, name: str, folders: Sequence[str]) -> Space:
        """Give folders to a space. What a removed space held of them goes over. Raises UsageError like `add`."""
        with self._lock:
            layout = self.layout()
            space = layout.named(name)
            self._keep(_with_folders(layout, space, folders))
            return self.layout().named(space.id)

    def unassign(self, folder: str) -> Space:
        """Take a folder out of its space, a removed one too: what is in it is of the rest again. Gives the space. Raises
        UsageError `folder_not_assigned`."""
        with self._lock:
            layout = self.layout()
            leaving = {plain_folder(form) for form in _forms(_absolute(folder))}
            space = next((one for one in layout.spaces if leaving & set(map(plain_folder, one.folders))), None)
            if space is None:
                raise UsageError(
                    "folder_not_assigned",
                    "Not assigned",
                    f"{folder} is not one of the folders of a space.",
                    "See: backscroll spaces",
                )
            left = tuple(one for one in space.folders if plain_folder(one) not in leaving)
            self._keep(_replaced(layout, msgspec.structs.replace(space, folders=left)))
            return self.layout().named(space.id, removed=None)

    def rename(self, name: str, new: str) -> Space:
        """Another name; nothing else changes. Raises UsageError: `no_such_space`, `bad_space_name`, `space_exists`."""
        with self._lock:
            layout = self.layout()
            space = layout.named(name)
            others = Layout(spaces=tuple(one for one in layout.spaces if one.id != space.id))
            self._keep(_replaced(layout, msgspec.structs.replace(space, name=_checked_name(others, new))))
            return self.layout().named(space.id)

    def remove(self, name: str) -> Space:
        """Put a space away: its file and its folders stay with it. Raises UsageError `no_such_space`."""
        with self._lock:
            layout = self.layout()
            space = layout.named(name)
            moment = self._now().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            self._keep(_replaced(layout, msgspec.structs.replace(space, removed=moment)))
            return self.layout().named(space.id, removed=True)

    def restore(self, name: str) -> Space:
        """Take a removed space into use again. Raises UsageError `no_such_space`."""
        with self._lock:
            layout = self.layout()
            space = layout.named(name, removed=True)
            self._keep(_replaced(layout, msgspec.structs.replace(space, removed="")))
            return self.layout().named(space.id)

    # --- the file ------------------------------------------------------------------------------------------------------------
    def _mark(self) -> tuple[int, int, int]:
        try:
            facts = self.file.stat()
        except FileNotFoundError:
            return _ABSENT
        except OSError as fault:
            raise _unreadable(self.file, fault.strerror or type(fault).__name__) from fault
        return (facts.st_mtime_ns, facts.st_size, facts.st_ino)

    def _load(self) -> Layout:
        try:
            return _decoded(self.file.read_bytes())
        except FileNotFoundError:
            reason = "it is gone"
        except OSError as fault:
            raise _unreadable(self.file, fault.strerror or type(fault).__name__) from fault
        except ValueError as fault:
            reason = str(fault)
        numbered = self._numbered()
        if not numbered and not self.file.exists():
            return Layout()
        for _, copy in reversed(numbered):
            try:
                layout = _decoded(copy.read_bytes())
            except (OSError, ValueError):
                continue
            self._set_aside()
            log.warning("%s could not be used and was restored from %s", self.file.name, copy.name)
            self._write(self.file, layout)
            return layout
        raise _unreadable(self.file, reason)

    def _set_aside(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.replace(self.file, self.file.with_name(self.file.name + ".damaged"))

    def _keep(self, layout: Layout) -> None:
        """Write a changed layout: the copy first, so that one of the two is always whole and as new."""
        changed = msgspec.structs.replace(layout, revision=layout.revision + 1)
        copy = self.copies / f"spaces-{changed.revision:06}.toml"
        self._write(copy, changed)
        try:
            self._write(self.file, changed)
        except BaseException:
            copy.unlink(missing_ok=True)  # it must not be restored one day as if it had been done
            raise
        self._read = None
        for _, old in self._numbered()[:-COPIES]:
            old.unlink(missing_ok=True)

    def _numbered(self) -> list[tuple[int, Path]]:
        files = [(int(file.stem[7:]), file) for file in self.copies.glob("spaces-*.toml") if file.stem[7:].isdigit()]
        return sorted(files)

    def _write(self, file: Path, layout: Layout) -> None:
        import tomlkit

        document = tomlkit.document()
        document["revision"] = layout.revision
        tables = tomlkit.aot()
        for space in layout.spaces:
            table = tomlkit.table()
            table.update({"id": space.id, "name": space.name, "folders": list(space.folders)})
            if space.removed:
                table["removed"] = space.removed
            tables.append(table)
        document["space"] = tables
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(file, (HEAD + tomlkit.dumps(document)).encode())
        except OSError as fault:
            raise KnownError(
                "spaces_unwritable",
                "Spaces not saved",
                f"{file} cannot be written ({fault.strerror}).",
                "Make room, or give this user write access. Nothing was changed.",
            ) from fault


_ABSENT = (0, -1, 0)


def _with_folders(layout: Layout, space: Space, folders: Sequence[str]) -> Layout:
    """The layout with folders given to a space."""
    if not folders:
        raise UsageError("bad_folder", "No folder", "A space needs at least one folder.", "backscroll spaces add NAME FOLDER")
    forms = [form for folder in folders for form in _forms(_absolute(folder))]
    wanted = {plain_folder(form): form for form in forms}
    spaces = []
    for one in layout.spaces:
        shared = [folder for folder in one.folders if plain_folder(folder) in wanted]
        if one.id == space.id:
            own = {plain_folder(folder) for folder in one.folders}
            added = tuple(form for plain, form in wanted.items() if plain not in own)
            one = msgspec.structs.replace(one, folders=(*one.folders, *added))
        elif shared and not one.removed:
            raise UsageError(
                "folder_taken",
                "In another space",
                f"{shared[0]} belongs to {one.name}. A folder belongs to one space at most.",
                f"Take it out first: backscroll spaces unassign {shared[0]}",
            )
        elif shared:
            one = msgspec.structs.replace(one, folders=tuple(folder for folder in one.folders if folder not in shared))
        spaces.append(one)
    return Layout(revision=layout.revision, spaces=tuple(spaces))


def _replaced(layout: Layout, space: Space) -> Layout:
    return msgspec.structs.replace(layout, spaces=tuple(space if one.id == space.id else one for one in layout.spaces))


def _absolute(folder: str) -> str:
    path = Path(folder).expanduser()
    if not folder.strip() or "\0" in folder or not path.is_absolute():
        raise UsageError("bad_folder", "Not a folder", f"{folder!r} is no whole path.", "Give it from the root on.")
    return os.path.normpath(path)


def _forms(folder: str) -> tuple[str, ...]:
    """The folder, and where it really lies if it is reached by a link: agents write down either."""
    real = os.path.realpath(folder)
    return (folder,) if real == folder else (folder, real)


def _checked_name(layout: Layout, name: str) -> str:
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    odd = any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in kept)
    if not kept or len(kept) > NAME_LENGTH or odd or kept.startswith("-") or ID.fullmatch(kept):
        raise UsageError(
            "bad_space_name",
            "Not a name",
            f"A space is called by 1 to {NAME_LENGTH} visible characters that do not begin with a dash.",
        )
    if folded(kept) == REST or any(folded(kept) == folded(space.name) for space in layout.spaces):
        gone = any(folded(kept) == folded(space.name) and space.removed for space in layout.spaces)
        raise UsageError(
            "space_exists",
            "The name is taken",
            f"There is a space {kept!r} already.",
            f"It was removed. To have it back: backscroll spaces restore {kept!r}" if gone else "Choose another name.",
        )
    return kept


def _decoded(content: bytes) -> Layout:
    """Raises ValueError for what is no such file, or contradicts itself."""
    import tomllib

    class File(msgspec.Struct):
        revision: int
        space: list[Space] = []

    try:
        found = msgspec.convert(tomllib.loads(content.decode("utf-8-sig")), File)
    except RecursionError as fault:
        raise ValueError("nested too deeply") from fault
    seen: set[str] = set()
    for space in found.space:
        marks = [f"id {space.id}", f"name {folded(space.name)}", *(f"folder {plain_folder(one)}" for one in space.folders)]
        if not ID.fullmatch(space.id) or folded(space.name) in ("", REST):
            raise ValueError(f"{space.id!r} ({space.name!r}) is no space")
        twice = next((mark for mark in marks if mark in seen), "")
        if twice:
            raise ValueError(f"{twice} stands in it twice")
        seen.update(marks)
    return Layout(revision=found.revision, spaces=tuple(found.space))


def _unreadable(file: Path, reason: str) -> KnownError:
    return KnownError(
        "spaces_unreadable",
        "The spaces cannot be read",
        f"{file} says which folders are kept apart, and cannot be used ({reason}).",
        "Mend it, or remove the folder it lies in: then nothing is kept apart any more.",
    )
