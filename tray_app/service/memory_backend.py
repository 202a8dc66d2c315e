"""What a front end may ask about memory and hand-over: the part of `backend.Backend` that knows of projects.

In all of them, `space` names the library whose memory is meant, and `caller` is the folder somebody asks from: it decides
where no space is named, as in `SearchRequest`. A project may be named as a person would: in any case, by an alias.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tray_app.records import (
    ArchiveReport,
    BackupView,
    CacheStats,
    CardView,
    ChangelogReport,
    CheckpointState,
    CleanupPlan,
    DraftView,
    MemoryStats,
    MemoryView,
    PackView,
    PageView,
    ParagraphView,
    Progress,
    ProjectGuess,
    ProjectView,
    Remembered,
    TransferReport,
)


class MemoryBackend(Protocol):
    """All may raise UsageError (`no_such_project`, `no_such_space`, ...) for what cannot be meant, and KnownError
    (`memory_unwritable`, `memory_damaged`, `disk_full`) for what the disk does. What is acknowledged is durable."""

    def projects(self, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        """All projects: those with a directory, those that only memories name, the reserved ones last."""
        ...

    def guess_project(self, text: str, space: str | None = None, caller: str | None = None) -> ProjectGuess:
        """Which project a text or a path means."""
        ...

    def alias_project(self, alias: str, project: str, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        """Have another name mean a project."""
        ...

    def prune_projects(self, confirm: list[str], space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        """Projects whose directory is gone. Those named in `confirm` are deleted with their memories, after a backup, and
        given; with none named, all such projects are only reported."""
        ...

    def remember(
        self,
        project: str,
        kind: str,
        title: str,
        content: str,
        source: dict[str, str] | None = None,
        supersedes: list[int] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> Remembered:
        """Write one memory; the same content of a kind twice is one. `source`: agent, session, message, path. Raises
        UsageError: `bad_kind`, `empty_content`, `too_long`, `no_such_memory`."""
        ...

    def update_memory(
        self,
        id: int,  # noqa: A002
        title: str | None = None,
        content: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> Remembered:
        """Correct one. None leaves a field as it is."""
        ...

    def set_memory_state(
        self,
        id: int,  # noqa: A002
        state: str,
        space: str | None = None,
        caller: str | None = None,
    ) -> MemoryView:
        """Put a memory away (archived) or take it back (active)."""
        ...

    def bring_back(
        self,
        kind: str,
        id: int,  # noqa: A002
        space: str | None = None,
        caller: str | None = None,
    ) -> None:
        """Take back what was archived: a memory, a checkpoint (or its draft) or a card. Raises UsageError `bad_kind`,
        `no_such_memory`."""
        ...

    def memories(
        self,
        project: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        limit: int = 0,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        """The last changed first; limit 0: all. Without a `state`: all but the archived ones."""
        ...

    def memory_stats(self, space: str | None = None, caller: str | None = None) -> MemoryStats: ...

    def recall_memories(
        self,
        query: str,
        project: str | None = None,
        limit: int = 8,
        kinds: list[str] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        """The memories that bear on a question, best first; each is counted as used."""
        ...

    def checkpoint(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        """The active checkpoint, the draft if there is one, and earlier ones."""
        ...

    def put_checkpoint(
        self,
        project: str,
        fields: dict[str, Any],
        draft: bool = False,
        space: str | None = None,
        caller: str | None = None,
    ) -> CheckpointState:
        """Write the state: fields that are not named stay, None clears one (see `records.memory.FIELDS`). The card is rendered
        again. `draft`: beside the active one, for review. Raises UsageError `bad_field`."""
        ...

    def promote_draft(
        self,
        project: str,
        fields: list[str] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> CheckpointState:
        """Merge the draft, or only these fields of it, into the active checkpoint. Raises UsageError `no_draft`."""
        ...

    def discard_draft(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState: ...

    def card(
        self,
        project: str,
        id: int | None = None,  # noqa: A002
        space: str | None = None,
        caller: str | None = None,
    ) -> CardView:
        """The hand-over card, or an earlier one by its id."""
        ...

    def put_card(self, project: str, markdown: str, space: str | None = None, caller: str | None = None) -> CardView:
        """Write one by hand. Raises UsageError `empty_content`, `too_long`."""
        ...

    def pack(
        self,
        project: str,
        budget_tokens: int = 0,
        with_meta: bool = False,
        exclude_session: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> PackView:
        """What a new session reads first. A budget of 0: that of the settings. `exclude_session`: that of who asks, which nobody
        is advised to resume."""
        ...

    def drafts(self, space: str | None = None, caller: str | None = None) -> list[DraftView]:
        """Drafts waiting for review, newest first."""
        ...

    def archive_sessions(
        self,
        project: str | None = None,
        limit: int = 0,
        backfill: bool = False,
        force: bool = False,
        space: str | None = None,
        caller: str | None = None,
        report: Callable[[Progress], None] | None = None,
    ) -> ArchiveReport:
        """Archive sessions that are finished, the latest first, `limit` of them at most (0: all). `backfill`: also those from
        before the baseline date; `force`: those that were archived already, again."""
        ...

    def cleanup(
        self,
        apply: bool = False,
        purge: bool = False,
        limits: dict[str, int] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> CleanupPlan:
        """What a clean-up would do; with `apply` it is done, after a backup. `purge`: delete what was archived long ago.
        `limits`: settings of `memory` that are others for this once, by their name there. Raises UsageError
        `setting_unknown`, `setting_value`."""
        ...

    def changelog(
        self, project: str, everything: bool = False, space: str | None = None, caller: str | None = None
    ) -> ChangelogReport:
        """Take in entries of the project's changelogs, those that carry a conclusion or (`everything`) all."""
        ...

    def index_pages(self, project: str, space: str | None = None, caller: str | None = None) -> list[PageView]:
        """Read the project's long documents; gives its catalogue."""
        ...

    def pages(self, project: str | None = None, space: str | None = None, caller: str | None = None) -> list[PageView]:
        """The catalogue as it was read."""
        ...

    def search_pages(
        self,
        query: str,
        project: str | None = None,
        limit: int = 8,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[ParagraphView]: ...

    def cache_stats(
        self, project: str | None = None, limit: int = 20, space: str | None = None, caller: str | None = None
    ) -> CacheStats:
        """What the agents logged of their prompt caches, and whether hand-over helps. `limit`: sessions listed."""
        ...

    def snippet(
        self,
        session: str,
        message: str | None = None,
        form: str = "passage",
        for_agent: bool = False,
        agent: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> str:
        """A passage with its citation, or (`form` session) what a session was about, to be pasted into a chat. `for_agent`:
        fenced, so that old text is not taken for orders."""
        ...

    def backup(self, space: str | None = None, caller: str | None = None) -> BackupView: ...

    def backups(self, space: str | None = None, caller: str | None = None) -> list[BackupView]:
        """Newest first."""
        ...

    def restore_backup(self, path: str, space: str | None = None, caller: str | None = None) -> BackupView:
        """Have memory as it was then. Gives the backup that was made of what is replaced. Raises UsageError
        `no_such_backup`."""
        ...

    def export_memory(
        self, path: str, overwrite: bool = False, space: str | None = None, caller: str | None = None
    ) -> TransferReport:
        """Write everything as JSON lines. Raises UsageError `file_exists` unless `overwrite`, `no_such_folder`."""
        ...

    def import_memory(self, path: str, space: str | None = None, caller: str | None = None) -> TransferReport:
        """Take in what an export wrote; what is known already stays one."""
        ...
