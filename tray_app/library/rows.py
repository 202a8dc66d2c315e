"""The rows of the index, as the indexer writes them and the search reads them. Times are epoch milliseconds, 0 unknown."""

from __future__ import annotations

import msgspec

COPY_MARK = "~"
"""Between a session's id and the name of a further file that says it is the same session (a copy made by hand, a second
home): each file is a session of its own, and the messages they share are one."""


class FileRow(msgspec.Struct, kw_only=True):
    """What is remembered of one session file. `status`: ok | partial | empty | not_ready | quarantined | over_budget |
    excluded | elsewhere (in another library) | not_recognised | forgotten. `others` fingerprints further files of the session."""

    id: int
    path: str
    agent: str
    root: str
    unit: str
    size: int = -1
    mtime_ns: int = 0
    inode: int = 0
    others: str = ""
    offset: int = 0
    guard: bytes = b""
    lines: int = 0
    seq: int = 0
    state: bytes = b""
    continuable: bool = False
    adapter_version: int = 0
    pipeline_version: int = 0
    status: str = "ok"
    reason: str = ""
    session_id: int = -1
    skipped: int = 0
    unknown: int = 0
    repeated: int = 0
    redacted: int = 0
    truncated: bool = False
    over_budget: int = 0
    """Passages that are left out of the index because there is no room or they are too old; 1 where it is not known how many."""
    records: int = 0
    recognised: int = 0
    growing: bool = False
    shift: int = 0
    """By how much the numbers of messages that are appended are raised."""
    bytes: int = 0


class SessionRow(msgspec.Struct, kw_only=True):
    """One session. `native` is the agent's own id. `open_round` is the seq at which its last round begins."""

    id: int
    agent: str
    native: str
    title: str = ""
    title_rank: int = -1
    cwd: str = ""
    project: str = ""
    start: int = 0
    end: int = 0
    model: str = ""
    branch: str = ""
    version: str = ""
    kind: str = "main"
    parent: str = ""
    archived: bool = False
    gone: bool = False
    messages: int = 0
    open_round: int = 0


class MessageRow(msgspec.Struct, kw_only=True, gc=False):
    """One message in the session that owns it. `identity` is a 64-bit hash that a copy of it shares."""

    id: int
    session_id: int
    seq: int
    native: str
    role: str
    text: str
    identity: int
    time: int = 0
    tool: str = ""
    offset: int = 0
    files: str = ""


class ChunkRow(msgspec.Struct, kw_only=True, gc=False):
    """One passage. `pieces` are (message id, start, end) in code points of the messages' texts."""

    id: int
    session_id: int
    round: int
    kind: str
    time: int
    pieces: tuple[tuple[int, int, int], ...]
    size: int


class CopyRow(msgspec.Struct, kw_only=True, gc=False):
    """A message of another session that stands in this one as well (fork, resume, replay)."""

    session_id: int
    message_id: int
    seq: int


class UsageRow(msgspec.Struct, kw_only=True, gc=False):
    session_id: int
    key: str
    time: int
    model: str
    input: int
    output: int
    cache_read: int
    cache_write: int


class ProblemRow(msgspec.Struct, kw_only=True, gc=False):
    file_id: int
    path: str
    agent: str
    line: int
    offset: int
    kind: str
    reason: str
