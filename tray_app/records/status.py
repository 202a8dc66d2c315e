"""How things stand: the owner, spaces, the status of a library, and what the check-up found."""

from __future__ import annotations

from tray_app.records.base import Record
from tray_app.records.indexing import Counters, Progress, SourceView
from tray_app.records.meaning import Embedding


class Owner(Record, frozen=True, kw_only=True):
    pid: int
    kind: str
    """tray | cli | mcp"""


class SpaceView(Record, frozen=True, kw_only=True):
    """One isolated library. The first is always the rest: what belongs to no space, named 'default'."""

    id: str
    name: str
    folders: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Those of the folders that are not there."""
    path: str = ""
    """The library's file."""
    sessions: int = 0
    messages: int = 0
    chunks: int = 0
    index_bytes: int = 0
    built_at: str | None = None
    state: str = "ready"
    """ready | waiting (its folders were changed and it was not read since) | removed"""
    removed: str | None = None
    """When it was removed (ISO)."""


class Departure(Record, frozen=True, kw_only=True):
    """Text that leaves this machine. `what`: meaning (passages, memories and questions, for their vectors) | topics (titles and
    beginnings of what the person said, to name what a day was about)."""

    what: str
    host: str
    """Where it is sent: host, or host:port."""


class Status(Record, frozen=True, kw_only=True):
    totals: Counters
    sources: tuple[SourceView, ...]
    built_at: str | None
    """When the last whole pass ended."""
    oldest: str | None
    newest: str | None
    index_bytes: int
    text_bytes: int
    memory_bytes: int
    embedding: Embedding
    spaces: tuple[str, ...]
    """Names of the libraries in use, 'default' first."""
    version: str
    schema: int
    pipeline_version: int
    owner: Owner
    indexing: bool = False
    paused: bool = False
    paused_until: str | None = None
    progress: Progress | None = None
    problems: int = 0
    fts_extension: bool = True
    watching: bool = False
    last_error: str = ""
    space: str = "default"
    """Which library the figures are of."""
    archive_on: bool = False
    """Whether session files are copied before their agents delete them."""
    archived_sessions: int = 0
    archive_bytes: int = 0
    """Of disk that the copies take."""
    archive_error: str = ""
    """Why the last round of copying was not finished."""
    vanishing: int = 0
    """Sessions that their agent deletes within days, the first of them then:"""
    vanishing_first: str | None = None
    topic_days: int = 0
    """Days of which a topic card is kept."""
    leaves: tuple[Departure, ...] = ()
    """What leaves the machine as things are set, by where to; empty: nothing does."""


class SessionPassages(Record, frozen=True, kw_only=True):
    session: str
    agent: str
    passages: int


class IndexFigures(Record, frozen=True, kw_only=True):
    """How many passages of what a library holds."""

    by_kind: dict[str, int]
    """round, tool, summary, note, reasoning: the most first."""
    by_agent: dict[str, int]
    sessions: tuple[SessionPassages, ...]
    """Those with the most."""


class Finding(Record, frozen=True, kw_only=True):
    """One thing the check-up found, with what to do about it."""

    code: str
    severity: str
    """ok | info | warn | error"""
    title: str
    detail: str
    remedy: str
    params: dict[str, str] = {}
    """What the translated text needs: counts, paths, agent names."""
