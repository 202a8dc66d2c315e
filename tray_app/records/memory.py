"""Memory and hand-over: projects, memories, checkpoints, cards, packs, drafts, and what became of them.

Lists are tuples, times ISO 8601 in UTC with a trailing Z, ids whole numbers that are never given twice.
"""

from __future__ import annotations

from tray_app.records.base import Record

KINDS = ("baseline", "decision", "fact", "pitfall", "todo", "note", "session", "changelog", "checkpoint", "handoff")
STATES = ("active", "superseded", "draft", "archived")


class MemoryView(Record, frozen=True, kw_only=True):
    """One lasting statement about a project."""

    id: int
    project: str
    kind: str
    state: str
    title: str
    content: str
    created: str
    updated: str
    last_used: str | None = None
    use_count: int = 0
    superseded_by: int | None = None
    supersedes: tuple[int, ...] = ()
    source_agent: str = ""
    source_session: str = ""
    source_message: str = ""
    source_path: str = ""
    """Of a changelog entry: the file, relative to the project."""
    score: float = 0.0
    """Of a recall only."""
    matched: tuple[str, ...] = ()


class Remembered(Record, frozen=True, kw_only=True):
    """What came of writing a memory."""

    memory: MemoryView
    created: bool
    """False: the same was known already (`duplicate`), or an existing one was changed."""
    duplicate: bool = False
    superseded: tuple[int, ...] = ()
    note: str = ""


class MemoryStats(Record, frozen=True, kw_only=True):
    by_kind: dict[str, int]
    by_state: dict[str, int]
    by_project: dict[str, int]
    missing_vectors: int
    schema: int
    backend: str
    memory_bytes: int
    journal_entries: int
    snapshots: int
    newest_snapshot: str | None
    path: str
    mended: str = ""
    """What was found damaged at opening and how it was restored, '' if nothing."""


class ProjectView(Record, frozen=True, kw_only=True):
    """A body of work, normally one directory."""

    name: str
    folder: str = ""
    state: str = "present"
    """present | orphan (its directory is gone, memories are kept) | reserved"""
    aliases: tuple[str, ...] = ()
    memories: int = 0
    sessions: int = 0
    compactions: int = 0
    last_activity: str | None = None
    has_card: bool = False
    has_draft: bool = False
    origin: str = "folder"
    """folder (below the projects root) | workspace (seen in sessions) | memory (only its memories name it) | reserved"""


class ProjectGuess(Record, frozen=True, kw_only=True):
    """Which project a text or a path means. `project` is 'workspace' where nothing converges."""

    project: str
    reason: str
    sure: bool


FIELDS = ("baseline", "goal", "done", "doing", "next", "files", "open_questions")
LIST_FIELDS = ("done", "next", "files", "open_questions")


class CheckpointView(Record, frozen=True, kw_only=True):
    """The structured state of a project. Text fields are '' and list fields () where nothing is known."""

    id: int
    project: str
    state: str
    """active | draft | superseded | archived"""
    created: str
    updated: str
    baseline: str = ""
    goal: str = ""
    done: tuple[str, ...] = ()
    doing: str = ""
    next: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    source_agent: str = ""
    source_session: str = ""
    evidence: dict[str, str] = {}
    """Of a draft: for each field that is filled, what says so."""


class CheckpointState(Record, frozen=True, kw_only=True):
    project: str
    active: CheckpointView | None = None
    draft: CheckpointView | None = None
    history: tuple[CheckpointView, ...] = ()
    """Earlier ones, newest first."""


class CardView(Record, frozen=True, kw_only=True):
    """A checkpoint rendered for people."""

    project: str
    id: int = 0
    state: str = "none"
    """active | superseded | archived | none (nothing was checkpointed yet)"""
    markdown: str = ""
    created: str | None = None
    checkpoint: int | None = None
    exported_to: str = ""
    export_error: str = ""
    history: tuple[int, ...] = ()
    """Ids of earlier cards, newest first."""


class ResumeAdvice(Record, frozen=True, kw_only=True):
    """Whether to go on in the last session or to start from the pack."""

    advice: str
    """resume | pack | none"""
    text: str
    agent: str = ""
    session: str = ""
    title: str = ""
    date_text: str = ""
    compacted: bool = False
    command: str = ""


class PackLayer(Record, frozen=True, kw_only=True):
    name: str
    """baseline | facts | state | next"""
    tokens: int
    items: int = 0
    dropped: int = 0
    """Items, or 1 for text that was shortened."""
    note: str = ""


class PackView(Record, frozen=True, kw_only=True):
    """What a new session reads first. `pack` is the text; the rest stands beside it."""

    project: str
    pack: str
    version: str
    """Hash of the text: the same memories give the same."""
    tokens: int
    budget: int
    layers: tuple[PackLayer, ...] = ()
    dropped: tuple[str, ...] = ()
    """What was left out, in words."""
    resume: ResumeAdvice | None = None


class DraftView(Record, frozen=True, kw_only=True):
    """A checkpoint made from a finished session, waiting for review, beside the active one."""

    draft: CheckpointView
    active: CheckpointView | None = None
    session_title: str = ""
    differs: tuple[str, ...] = ()
    """Fields in which it differs from the active one."""


class ArchiveReport(Record, frozen=True, kw_only=True):
    archived: int = 0
    again: int = 0
    """Sessions that had grown."""
    drafts: int = 0
    waiting: int = 0
    """Finished sessions left for the next run."""
    unfinished: int = 0
    before_baseline: int = 0
    """History that only a back-fill takes."""
    projects: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    baseline_date: str | None = None


class SessionFigures(Record, frozen=True, kw_only=True):
    """What is kept of a session when it is archived."""

    agent: str
    session: str
    project: str
    title: str
    end: str | None
    rounds: int
    compactions: int
    tokens_in: int
    tokens_out: int
    cache_read: int
    cache_write: int
    first_write_step: int | None
    repeated_reads: int
    read_pack: bool
    hit_rate: float | None = None
    """As of `CacheGroup`."""
    thrown_away: int | None = None
    """As of `CacheStats`; None where it had no compaction whose cost was logged."""


class CacheGroup(Record, frozen=True, kw_only=True):
    name: str
    sessions: int
    tokens_in: int
    cache_read: int
    cache_write: int
    hit_rate: float | None
    """Share of input tokens that came from the cache; None where nothing was logged."""


class CacheStats(Record, frozen=True, kw_only=True):
    by_agent: tuple[CacheGroup, ...] = ()
    by_project: tuple[CacheGroup, ...] = ()
    sessions: tuple[SessionFigures, ...] = ()
    compactions: int = 0
    thrown_away: int = 0
    """Tokens that compactions cost: the cached prefix that had to be read anew after them."""
    measured_compactions: int = 0
    """Those of them whose cost the agents logged."""
    with_pack: int = 0
    without_pack: int = 0
    first_write_with: float | None = None
    first_write_without: float | None = None
    repeated_with: float | None = None
    repeated_without: float | None = None
    note: str = ""
    """'not enough sessions yet' where that is the truth."""


class CleanupItem(Record, frozen=True, kw_only=True):
    id: int
    project: str
    kind: str
    title: str
    reason: str
    action: str
    """archive | report | delete"""


class CleanupPlan(Record, frozen=True, kw_only=True):
    items: tuple[CleanupItem, ...] = ()
    applied: bool = False
    backup: str = ""
    archived: int = 0
    deleted: int = 0
    reported: int = 0


class ChangelogReport(Record, frozen=True, kw_only=True):
    project: str
    files: int = 0
    added: int = 0
    known: int = 0
    without_conclusion: int = 0
    left: int = 0
    """For the next run: more than one run takes."""
    faults: tuple[str, ...] = ()


class PageView(Record, frozen=True, kw_only=True):
    """One long document. `outdated` says why it may be out of date, '' when it is not."""

    id: int
    project: str
    path: str
    title: str
    summary: str
    paragraphs: int
    updated: str
    expires: str | None = None
    about: str = "other"
    """prices | versions | policies | other: what its age is judged by."""
    outdated: str = ""


class ParagraphView(Record, frozen=True, kw_only=True):
    page: int
    project: str
    path: str
    title: str
    heading: str
    """Path of headings, joined by ' > '."""
    text: str
    score: float
    matched: tuple[str, ...] = ()
    about: str = "other"
    """As of its page."""
    outdated: str = ""


class BackupView(Record, frozen=True, kw_only=True):
    path: str
    bytes: int
    memories: int
    created: str
    kind: str = "manual"
    """manual | daily | before (a migration, a clean-up, a restore)"""


class TransferReport(Record, frozen=True, kw_only=True):
    """What an export wrote or an import took."""

    path: str
    projects: int = 0
    memories: int = 0
    checkpoints: int = 0
    cards: int = 0
    duplicates: int = 0
    faults: tuple[str, ...] = ()
