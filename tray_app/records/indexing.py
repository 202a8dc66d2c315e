"""What is read and how it went: sources, counts, problems, the outcome of a pass and how far it is."""

from __future__ import annotations

from tray_app.records.base import Record


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
    """planning | reading | finishing | embedding | archiving | idle"""
    done: int = 0
    total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0
    agent: str = ""
    chunks: int = 0
    sessions: int = 0
    skipped: int = 0
    eta_s: float | None = None
