"""What stands beside Kimi's session files: title, folder, where a session came from.

Owns the reading of `state.json`, `session_index.jsonl` and `workspaces.json` (Kimi Code) and of `kimi.json` (kimi-cli). All
of these are side files: one that is missing or damaged only leaves its facts unknown.
"""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec

from tray_app.sources.claude_lines import one_line, text_of
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.json_values import decoded

STATE_BYTES = 1 << 20
INDEX_BYTES = 16 << 20
BY_PROMPT, BY_AGENT, BY_MODEL, BY_PERSON = range(4)

_FORK_TITLE = re.compile(r"Fork: session_\S+")
_SHORTENED = re.compile(r"\s*(…|\.\.\.|\[\.\.\.\])$")


class Custom(msgspec.Struct):
    """What a migration from kimi-cli left in a state."""

    kimi_cli_session_id: Any = None
    archived: Any = None


class State(msgspec.Struct, rename="camel"):
    """`state.json` of either generation."""

    title: Any = None
    is_custom_title: Any = None
    title_kind: Any = None
    cwd: Any = None
    work_dir: Any = None
    archived: Any = None
    forked_from: Any = None
    created_at: Any = None
    custom: msgspec.Raw = msgspec.Raw()
    custom_title: Any = msgspec.field(default=None, name="custom_title")
    title_generated: Any = msgspec.field(default=None, name="title_generated")


class _Indexed(msgspec.Struct, rename="camel"):
    session_id: str
    work_dir: str


class _Workspace(msgspec.Struct):
    root: Any = None


class _Workspaces(msgspec.Struct):
    workspaces: dict[str, _Workspace] = {}


class _WorkDir(msgspec.Struct):
    path: Any = None


class _WorkDirs(msgspec.Struct):
    work_dirs: list[_WorkDir] = []


_CUSTOM = msgspec.json.Decoder(Custom)
_STATE = msgspec.json.Decoder(State)
_INDEXED = msgspec.json.Decoder(_Indexed)
_WORKSPACES = msgspec.json.Decoder(_Workspaces)
_WORK_DIRS = msgspec.json.Decoder(_WorkDirs)


def state_of(path: Path) -> State:
    """A session's state; an empty one where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return decoded(stream.read(STATE_BYTES), _STATE) or State()
    except OSError:
        return State()


# --- Kimi Code ------------------------------------------------------------------------------------------------------
def title_of(state: State) -> tuple[str, int]:
    """Title and rank. A fork's 'Fork: session_…' is none."""
    title = one_line(text_of(state.title))
    if not title or _FORK_TITLE.fullmatch(title):
        return "", BY_PROMPT
    kind = text_of(state.title_kind)
    if state.is_custom_title is True or kind == "custom":
        return title, BY_PERSON
    return title, BY_MODEL if kind == "generated" else BY_AGENT


def folder_of(home: Path, session: str, workspace: str) -> str:
    """The folder of a session by the lists in Kimi's own folder; '' if they do not know it."""
    return _index(*_stamp(home / "session_index.jsonl")).get(session) or _spaces(*_stamp(home / "workspaces.json")).get(
        workspace, ""
    )


def _custom(state: State) -> Custom:
    return decoded(state.custom, _CUSTOM) or Custom()


def cwd_of(state: State) -> str:
    return text_of(state.cwd) or text_of(state.work_dir)


def parent_of(state: State) -> str:
    """The session that this one was forked or migrated from."""
    return text_of(state.forked_from) or text_of(_custom(state).kimi_cli_session_id)


def is_archived(state: State) -> bool:
    return state.archived is True or _custom(state).archived is True


def created(state: State) -> int:
    return milliseconds(state.created_at)


# --- kimi-cli -------------------------------------------------------------------------------------------------------
def old_title_of(state: State, prompt: str) -> tuple[str, int]:
    """Title and rank of an old session. Its 'custom' title is the beginning of the first prompt unless one was chosen."""
    title = one_line(text_of(state.custom_title))
    if not title:
        return one_line(prompt), BY_PROMPT
    if state.title_generated is True:
        return title, BY_MODEL
    beginning = _SHORTENED.sub("", title)
    return title, BY_AGENT if " ".join(prompt.split()).startswith(beginning) else BY_PERSON


def old_folder_of(home: Path, bucket: str) -> str:
    """The folder whose hash names the bucket (`<md5>` or `kaos-<name>_<md5>`); '' if kimi.json does not know it."""
    return _buckets(*_stamp(home / "kimi.json")).get(bucket.rpartition("_")[2], "")


def _stamp(path: Path) -> tuple[Path, int, int]:
    try:
        facts = path.stat()
        return path, facts.st_mtime_ns, facts.st_size
    except OSError:
        return path, 0, -1


def _content(path: Path, size: int) -> bytes:
    if size < 0:
        return b""
    try:
        with path.open("rb") as stream:
            return stream.read(INDEX_BYTES)
    except OSError:
        return b""


@functools.lru_cache(maxsize=8)
def _index(path: Path, mtime_ns: int, size: int) -> dict[str, str]:
    """Folders by session, of one state of the file (so that ten thousand sessions cost one reading of it)."""
    found = {}
    for line in _content(path, size).split(b"\n"):
        entry = decoded(line, _INDEXED) if line else None
        if entry is not None:
            found[entry.session_id] = entry.work_dir
    return found


@functools.lru_cache(maxsize=8)
def _spaces(path: Path, mtime_ns: int, size: int) -> dict[str, str]:
    known = decoded(_content(path, size), _WORKSPACES)
    return {name: text_of(space.root) for name, space in known.workspaces.items()} if known is not None else {}


@functools.lru_cache(maxsize=8)
def _buckets(path: Path, mtime_ns: int, size: int) -> dict[str, str]:
    known = decoded(_content(path, size), _WORK_DIRS)
    folders = [text_of(one.path) for one in known.work_dirs] if known is not None else []
    return {hashlib.md5(folder.encode("utf-8", "replace"), usedforsecurity=False).hexdigest(): folder for folder in folders}
