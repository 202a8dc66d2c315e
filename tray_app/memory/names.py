"""Names of projects as text: their one form, what cannot be one, and what a folder would be called.

Pure strings: looks at no disk. Paths of every system are taken as they are written, so that a Windows folder has its name on
Linux, too.
"""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata

from tray_app.errors import UsageError
from tray_app.territory import plain_folder
from tray_app.text.graphemes import cut_before

LOOSE, UNFILED = "workspace", "unfiled"
RESERVED = (LOOSE, UNFILED)
"""Sessions that belong to no project, and memories that do not."""
NAME_CHARS = 120

_EXTENSION = re.compile(r".\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,8}\Z", re.DOTALL)
"""`plan.md`, `a.tar.gz`, `x.7z`; not `shop 2.0`, and not `.dotfiles`."""
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_LOOSE = re.compile(
    r"(?:(?:[a-z]:|/mnt/[a-z])?(?:/(?:home|users)(?:/[^/]+(?:/(?:desktop|documents|downloads))?)?)?"
    r"|/root|/(?:private/)?(?:var/)?tmp|//[^/]+(?:/[^/]+)?|/?)",
    re.IGNORECASE,
)
"""Folders in which people start an agent for anything: a home and what every home has, a drive, a share, the temporary folder."""


def fold_name(name: str) -> str:
    """Trimmed, white space folded, composed characters."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def name_key(name: str) -> str:
    """What two names have in common that mean the same project."""
    return unicodedata.normalize("NFC", fold_name(name).casefold())


def checked_name(name: str, *, any_ending: bool = False) -> str:
    """The folded name. Raises UsageError `bad_project` for what cannot be one; `any_ending` allows what looks like a file."""
    if _UNFIT.search(name.strip()):
        raise _bad("A project's name holds no control characters.")
    folded = fold_name(name)
    if not folded or folded in (".", ".."):
        raise _bad("A project has a name.")
    if "/" in folded or "\\" in folded:
        raise _bad("A project's name is no path.", "Name the project alone, such as the name of its folder.")
    if len(folded) > NAME_CHARS:
        raise _bad(f"A project's name has at most {NAME_CHARS} characters, not {len(folded)}.")
    if not any_ending and has_extension(folded):
        raise _bad(f"{folded!r} looks like a file, not like a project.", "Name the project, not a file in it.")
    return folded


def has_extension(name: str) -> bool:
    return _EXTENSION.search(name) is not None


def folder_name(folder: str) -> str:
    """What a folder is called, whichever system wrote the path; '' for a drive or a root."""
    return _name_of(_parts(folder)[-1:])


def told_apart(name: str, folder: str) -> str:
    """The name with that of the folder above: `api (work)`."""
    above = _name_of(_parts(folder)[-2:-1]) or "root"
    return _cut(f"{name} ({above})")


def numbered(name: str, number: int) -> str:
    return f"{_cut(name, NAME_CHARS - 8)} {number}"


def is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def is_loose(folder: str) -> bool:
    """Whether what is said in this folder belongs to no project: no folder, a home, a drive."""
    path = posixpath.normpath(folder.replace("\\", "/")) if folder else ""
    return _LOOSE.fullmatch(path) is not None or plain_folder(folder) == plain_folder(os.path.expanduser("~"))  # noqa: PTH111


def is_whole(folder: str) -> bool:
    """Whether it is a path from the root of some system, and not a word that stands where a folder should."""
    return re.match(r"/|[A-Za-z]:[\\/]|\\\\", folder) is not None


def as_written(path: str, folder: str) -> str:
    """A path with forward slashes in the spelling of the system that wrote `folder`."""
    return path.replace("/", "\\") if "\\" in folder else path


def outside_hidden(folder: str) -> str:
    """The folder that holds the first hidden one on the way to this, where agents put worktrees and notes; the same where none
    is hidden."""
    parts = posixpath.normpath(folder.replace("\\", "/")).split("/")
    hidden = next((place for place, part in enumerate(parts) if part.startswith(".") and part != "."), None)
    return folder if hidden is None else as_written("/".join(parts[:hidden]) or "/", folder)


def is_foreign(folder: str) -> bool:
    """Whether this system cannot look at a folder: another system's path, one that is not whole, or one whose look-up would
    start a virtual machine."""
    plain = folder.replace("\\", "/")
    if os.name == "nt":
        return not re.match(r"[A-Za-z]:/|//", plain) or bool(re.match(r"//wsl(?:\$|\.localhost)/", plain, re.IGNORECASE))
    return not folder.startswith("/") or folder.startswith("//") or "\0" in folder


def _parts(folder: str) -> list[str]:
    windows = "\\" in folder or folder[1:2] == ":"
    parts = [part for part in re.split(r"[/\\]" if windows else "/", folder) if part not in ("", ".")]
    return parts[1:] if windows and parts and parts[0][1:2] == ":" else parts


def _name_of(parts: list[str]) -> str:
    return _cut(fold_name(_UNFIT.sub("\ufffd", parts[0]))) if parts else ""


def _cut(name: str, most: int = NAME_CHARS) -> str:
    return name if len(name) <= most else name[: cut_before(name, most)].rstrip()


def _bad(message: str, hint: str = "") -> UsageError:
    return UsageError("bad_project", "Not a project's name", message, hint)
