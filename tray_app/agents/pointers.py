"""`pointers.json`: which project a folder belongs to, and how its pack stands. All that a hook has to know.

Owns the form of the file. The owner of the libraries writes it whenever a pack may have changed (`remembering.pointing`); a
hook reads it, since loading what asks the owner takes longer than the whole hook may. Imports next to nothing.

    {"form": 1,
     "spaces": [[folder, id of the space, '' of a removed one], ...],
     "libraries": {id: {"revision": n, "budget": tokens,
                        "packs": [[project, version, tokens], ...],
                        "folders": [[folder, index of a pack, -1 for none], ...]}}}

Folders are in their plain form (`paths.plain_folder`); the longest that a folder lies in counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tray_app.paths import is_within, plain_folder

FORM = 1
FILE = "pointers.json"
MOST_BYTES = 4 << 20
DEEPEST = 64
"""Folders above a folder in which the beginning of a repository is looked for."""
ORDINARY = "default"
"""The id of the library that belongs to no space."""


class Pointer(NamedTuple):
    """A project's pack: its version (a hash of its text) and its size in tokens."""

    project: str
    version: str
    tokens: int


def read(file: Path) -> dict[str, Any]:
    """What the file holds; {} where it is not there, too large, or not of this form. Raises OSError."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
        content = json.loads(raw) if len(raw) <= MOST_BYTES else None
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and content.get("form") == FORM else {}


def find(content: dict[str, Any], folder: str) -> Pointer | None:
    """The pack of the project that a folder lies in; None where there is none, or the folder is outside all spaces."""
    if not folder:
        return None
    try:
        found = _looked_up(content, plain_folder(folder))
        if found is not None:
            return found if found.project else None
        main = _main_repository(folder)
        found = _looked_up(content, plain_folder(main)) if main else None
    except (LookupError, TypeError, ValueError, AttributeError):  # written by a hand, or cut off
        return None
    return found if found is not None and found.project else None


def _looked_up(content: dict[str, Any], plain: str) -> Pointer | None:
    """None where the folder is not known; a pointer without a project where it is known to have none."""
    spaces = content.get("spaces", [])
    library = ORDINARY
    if any(space for _, space in spaces):
        library = _longest(plain, spaces) or ""
    held = content["libraries"].get(library)
    at = _longest(plain, held["folders"]) if held else None
    if at is None:
        return None
    return Pointer("", "", 0) if at < 0 else Pointer(*held["packs"][at])


def _longest(plain: str, pairs: Iterable[list[Any]]) -> Any:
    around = [(len(folder), value) for folder, value in pairs if is_within(plain, folder)]
    return max(around, key=lambda one: one[0])[1] if around else None


def _main_repository(folder: str) -> str:
    """The folder of the repository of which a folder lies in a linked worktree; '' if it lies in none."""
    if not os.path.isabs(folder):  # noqa: PTH117
        return ""
    for _ in range(DEEPEST):
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):  # noqa: PTH112
            return ""
        if os.path.isfile(git):  # noqa: PTH113
            with Path(git).open("rb") as stream:
                said = os.fsdecode(stream.read(4_096)).strip().replace("\\", "/")
            head, mark, _ = said.removeprefix("gitdir:").strip().partition("/.git/worktrees/")
            return os.path.normpath(os.path.join(folder, head)) if mark else ""
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return ""
        folder = above
    return ""
