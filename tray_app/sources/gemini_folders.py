"""Which workspace a folder of Gemini CLI's belongs to.

Owns `.project_root`, `projects.json`, and folders named by the hash of the workspace's path. Reads those small files only;
what cannot be read tells nothing.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

import msgspec

SMALL = 1 << 20


class Projects(msgspec.Struct):
    projects: dict[str, Any] = {}


_PROJECTS = msgspec.json.Decoder(Projects)


def folder_of(path: Path, root: Path, digest: str = "") -> str:
    """The workspace of a session file, '' if nothing tells it. `digest` is the hash of the workspace's path, if the session
    says it."""
    holder = _holder(path)
    if holder is None:
        return ""
    named = _first_line(holder / ".project_root")
    if named:
        return named
    by_folder = _projects(root) or _projects(root.parent) or _projects(holder.parent.parent)
    for folder, slug in by_folder.items():
        if slug == holder.name:
            return folder
    hashes = {name for name in (digest, holder.name) if len(name) == 64}
    if hashes:
        for folder in by_folder:
            if hashlib.sha256(folder.encode("utf-8", "replace")).hexdigest() in hashes:
                return folder
    return ""


def _holder(path: Path) -> Path | None:
    """The project's folder: that in which `chats` lies."""
    for folder in list(path.parents)[:3]:
        if folder.name == "chats":
            return folder.parent
    return None


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            lines = stream.read(8192).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return lines[0].strip() if lines else ""


def _projects(root: Path) -> dict[str, str]:
    path = root / "projects.json"
    try:
        facts = path.stat()
        return _read_projects(path, facts.st_mtime_ns, facts.st_size)
    except OSError:
        return {}


@functools.lru_cache(maxsize=4)
def _read_projects(path: Path, mtime_ns: int, size: int) -> dict[str, str]:
    """Slug by workspace, of one state of the file (so that a thousand sessions cost one reading of it)."""
    with path.open("rb") as stream:
        data = stream.read(SMALL)
    try:
        given = _PROJECTS.decode(data).projects
    except (ValueError, RecursionError):
        return {}
    return {folder: slug for folder, slug in given.items() if isinstance(slug, str)}
