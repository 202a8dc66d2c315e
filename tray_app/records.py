"""What the engine and the front ends say to each other.

Frozen structs only, made of plain values, so that the same object goes through the local socket as JSON. Names and
shapes follow the stable interface (commands with --json print these fields). Times are ISO 8601 in UTC with a trailing
Z; `date_text` fields are local days (YYYY-MM-DD). Text offsets are in code points.
"""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base: keyword-only, immutable."""


# --- searching -----------------------------------------------------------------------------------------------------
class SearchRequest(Record, frozen=True, kw_only=True):
    """One question. `query` may hold operators (agent:, project:, role:, kind:, session:, before:, after:), "phrases"
    and -words; the fields below are the same filters given apart. `limit` counts hits over all sessions."""

    query: str
    limit: int = 20
    max_sessions: int = 0
    """0: as many as the hits need."""
    mode: str = "auto"
    """words | meaning | auto"""
    agent: str | None = None
    project: str | None = None
    role: str | None = None
    kind: str | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None
    space: str | None = None
    """Name of the space to search, or 'default' for what belongs to none."""
    caller: str | None = None
    """The folder the asker stands in, which names the space where `space` does not. None: the person's own window."""
    exclude_session: str | None = None
    fresh_first: bool = False
    dedupe: bool = True
    ignore_time: bool = False
    """Take time words as ordinary words (the person removed the time chip)."""
    now: str | None = None
    """The moment of asking, ISO 8601 with zone; else BACKSCROLL_NOW, else the clock."""


class TimeRange(Record, frozen=True, kw_only=True):
    """A half-open range of time that was understood. `words` is what in the question said so."""

    words: str
    start: str | None
    end: str | None
    first_day: str | None
    """Local day of `start`, and the last local day inside: what a chip shows."""
    last_day: str | None
    hard: bool
    """True: nothing outside is shown (operators). False: hits inside come first."""


class Understood(Record, frozen=True, kw_only=True):
    query: str
    """The question without operators and time words."""
    words: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    time: TimeRange | None = None
    filters: dict[str, str] = {}


class Hit(Record, frozen=True, kw_only=True):
    rank: int
    score: float
    time: str | None
    date_text: str
    date_human: str
    """English, such as 'yesterday' or '5 days ago'; the window says it in its own language from age_days."""
    age_days: int
    is_recent: bool
    role: str
    """user | assistant | tool_call | tool_result | reasoning | summary | note: that of the best message."""
    kind: str
    """round | tool | summary | note | reasoning"""
    message_id: str
    message_ids: tuple[str, ...]
    seq: int
    text: str
    """The whole passage, cleaned and redacted."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where found words stand in `text`."""
    snippet: str = ""
    """A cut of `text` of at most about 240 code points around the best words."""
    snippet_marks: tuple[tuple[int, int], ...] = ()
    matched: tuple[str, ...] = ()
    tool: str = ""
    reasons: tuple[str, ...] = ()
    """words | meaning | date"""
    path: str = ""
    offset: int = 0
    duplicate_count: int = 0
    """Further places with the same content that were folded into this hit."""
    duplicate_times: tuple[str, ...] = ()
    duplicate_sessions: tuple[str, ...] = ()
    restored_by_fill: bool = False
    outside_time: bool = False
    """True: outside the time that was understood (shown below the others)."""


class SessionHits(Record, frozen=True, kw_only=True):
    session: str
    agent: str
    workspace: str
    project: str
    title: str
    start: str | None
    end: str | None
    start_date_text: str
    end_date_text: str
    score: float
    resume_command: str
    hits: tuple[Hit, ...]
    kind: str = "main"
    """main | subagent"""
    parent: str = ""
    parent_title: str = ""
    """Of a sub-agent's parent, where that is in the index."""
    gone: bool = False
    """The agent has deleted the source file; only the index still has it."""
    messages: int = 0


class MenuSession(Record, frozen=True, kw_only=True):
    """A numbered candidate, offered when we are not sure."""

    index: int
    label: str
    session: str
    agent: str
    project: str
    title: str
    date_text: str
    preview: str
    message_id: str


class MenuDay(Record, frozen=True, kw_only=True):
    date_text: str
    topics: tuple[str, ...]
    sessions: int


class FallbackMenu(Record, frozen=True, kw_only=True):
    question: str
    sessions: tuple[MenuSession, ...] = ()
    days: tuple[MenuDay, ...] = ()


class Answer(Record, frozen=True, kw_only=True):
    found: bool
    verdict: str
    """confident | likely | unsure | nothing"""
    reason: str
    reason_code: str
    """Stable key for `reason`, for translations: found_words | weak_words | missing_words | no_words | nothing_matches |
    nothing_in_time | excluded_all | empty_index | filter_unknown | too_long | recent"""
    missing: tuple[str, ...] = ()
    """Words of the question that stand in no hit."""
    engine: str = "fts"
    tier: str = "words"
    """words | parts | prefix | close | substring | none: which tier of the lexical ladder answered"""
    understood: Understood
    snapshot: str = ""
    """When the index was last brought up to date (ISO), '' if never."""
    sessions: tuple[SessionHits, ...] = ()
    hits: int = 0
    fallback_menu: FallbackMenu | None = None
    elapsed_ms: float = 0.0
    indexing: bool = False


# --- reading sessions ----------------------------------------------------------------------------------------------
class MessageView(Record, frozen=True, kw_only=True):
    message_id: str
    seq: int
    time: str | None
    role: str
    kind: str
    text: str
    tool: str = ""
    index: int = 0
    """Position in the session, from 0."""
    inherited: bool = False
    """Copied from the session this one was forked or resumed from."""


class SessionView(Record, frozen=True, kw_only=True):
    session: str
    agent: str
    title: str
    cwd: str
    project: str
    start: str | None
    end: str | None
    resume_command: str
    messages: tuple[MessageView, ...]
    total: int = 0
    """Messages in the whole session; `messages` may be a window of it."""
    first: int = 0
    """Index of the first message in the window."""
    kind: str = "main"
    parent: str = ""
    model: str = ""
    path: str = ""
    gone: bool = False
    cwd_exists: bool = True


class SessionItem(Record, frozen=True, kw_only=True):
    session: str
    agent: str
    title: str
    cwd: str
    project: str
    start: str | None
    end: str | None
    end_date_text: str
    messages: int
    resume_command: str
    kind: str = "main"
    parent: str = ""
    parent_title: str = ""
    gone: bool = False


# --- sources, status, doctor -----------------------------------------------------------------------------------------
class Problem(Record, frozen=True, kw_only=True):
    """Something that could not be read. `line` from 1, `offset` in bytes; 0 where it concerns the whole file."""

    path: str
    line: int
    offset: int
    kind: str
    """bad_json | oversize_line | nul_run | torn_header | bad_frame | needs_dictionary | window_too_large | unreadable |
    not_recognised | unknown_record | not_utf8 | over_budget | ..."""
    reason: str
    agent: str = ""


class Counters(Record, frozen=True, kw_only=True):
    """Counts for a source, or summed over all."""

    files: int = 0
    sessions: int = 0
    messages: int = 0
    chunks: int = 0
    bytes_read: int = 0
    unchanged_files: int = 0
    skipped_records: int = 0
    unknown_records: int = 0
    repeated_messages: int = 0
    quarantined_files: int = 0
    truncated_files: int = 0
    over_budget_files: int = 0
    gone_sessions: int = 0
    redacted: int = 0


class SourceView(Record, frozen=True, kw_only=True):
    """One agent's folder, found on this machine or added by hand."""

    id: str
    """Stable: `agent` for the default folder, `agent:path` for one added by hand."""
    agent: str
    name: str
    """'Claude Code', 'Codex', 'DSH', 'Memory files'"""
    path: str
    found: bool
    enabled: bool
    sessions: int = 0
    """Session files on disk now (a cheap count, not the index's)."""
    bytes: int = 0
    newest: str | None = None
    why_off: str = ""
    """'' | not_found | not_ticked | excluded | unreadable"""
    confidence: str = ""
    """recorded | fixtures | readers: what the adapter was tested on"""
    adapter_version: int = 0
    state: str = "idle"
    """idle | reading | partial | failed | offline"""
    counters: Counters = Counters()
    error: str = ""


class SourceReport(Record, frozen=True, kw_only=True):
    """What one pass did with one source."""

    agent: str
    path: str
    state: str
    files: int = 0
    sessions: int = 0
    messages: int = 0
    chunks: int = 0
    bytes_read: int = 0
    unchanged_files: int = 0
    skipped_records: int = 0
    unknown_records: int = 0
    repeated_messages: int = 0
    quarantined_files: int = 0
    truncated_files: int = 0
    over_budget_files: int = 0
    gone_sessions: int = 0
    redacted: int = 0
    error: str = ""


class IndexReport(Record, frozen=True, kw_only=True):
    """The outcome of one whole pass."""

    totals: Counters
    sources: tuple[SourceReport, ...]
    problems: tuple[Problem, ...]
    elapsed_s: float
    stopped: bool = False


class Progress(Record, frozen=True, kw_only=True):
    """Sent while a pass runs, at most ten times a second. `total` is 0 while it is not known yet."""

    phase: str
    """planning | reading | finishing | idle"""
    done: int = 0
    total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0
    agent: str = ""
    chunks: int = 0
    sessions: int = 0
    skipped: int = 0
    eta_s: float | None = None


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


class Embedding(Record, frozen=True, kw_only=True):
    backend: str = "off"
    model: str = ""
    dims: int = 0
    vectors: int = 0
    missing: int = 0
    state: str = "off"
    sends_text_to_cloud: bool = False
    host: str = ""


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
