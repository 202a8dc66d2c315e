"""The methods of `MemoryBackend`, each turned into one call by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


class MemoryForwarding:
    """The part of `Forwarding` that knows of memory and hand-over."""

    def _ask(self, name: str, params: dict[str, Any], report: Callable[[Progress], None] | None = None) -> Any:
        """See `Forwarding`."""
        raise NotImplementedError

    def _ask_there(
        self,
        name: str,
        params: dict[str, Any],
        space: str | None,
        caller: str | None,
        report: Callable[[Progress], None] | None = None,
    ) -> Any:
        return self._ask(name, {**params, "space": space, "caller": caller}, report)

    def projects(self, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        found: list[ProjectView] = self._ask_there("projects", {}, space, caller)
        return found

    def guess_project(self, text: str, space: str | None = None, caller: str | None = None) -> ProjectGuess:
        found: ProjectGuess = self._ask_there("guess_project", {"text": text}, space, caller)
        return found

    def alias_project(self, alias: str, project: str, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        found: list[ProjectView] = self._ask_there("alias_project", {"alias": alias, "project": project}, space, caller)
        return found

    def prune_projects(self, confirm: list[str], space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        found: list[ProjectView] = self._ask_there("prune_projects", {"confirm": confirm}, space, caller)
        return found

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
        found: Remembered = self._ask_there(
            "remember",
            {"project": project, "kind": kind, "title": title, "content": content, "source": source, "supersedes": supersedes},
            space,
            caller,
        )
        return found

    def update_memory(
        self,
        id: int,  # noqa: A002
        title: str | None = None,
        content: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> Remembered:
        found: Remembered = self._ask_there("update_memory", {"id": id, "title": title, "content": content}, space, caller)
        return found

    def set_memory_state(self, id: int, state: str, space: str | None = None, caller: str | None = None) -> MemoryView:  # noqa: A002
        found: MemoryView = self._ask_there("set_memory_state", {"id": id, "state": state}, space, caller)
        return found

    def bring_back(self, kind: str, id: int, space: str | None = None, caller: str | None = None) -> None:  # noqa: A002
        self._ask_there("bring_back", {"kind": kind, "id": id}, space, caller)

    def memories(
        self,
        project: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        limit: int = 0,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        found: list[MemoryView] = self._ask_there(
            "memories", {"project": project, "kind": kind, "state": state, "limit": limit}, space, caller
        )
        return found

    def memory_stats(self, space: str | None = None, caller: str | None = None) -> MemoryStats:
        found: MemoryStats = self._ask_there("memory_stats", {}, space, caller)
        return found

    def recall_memories(
        self,
        query: str,
        project: str | None = None,
        limit: int = 8,
        kinds: list[str] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        found: list[MemoryView] = self._ask_there(
            "recall_memories", {"query": query, "project": project, "limit": limit, "kinds": kinds}, space, caller
        )
        return found

    def checkpoint(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        found: CheckpointState = self._ask_there("checkpoint", {"project": project}, space, caller)
        return found

    def put_checkpoint(
        self, project: str, fields: dict[str, Any], draft: bool = False, space: str | None = None, caller: str | None = None
    ) -> CheckpointState:
        found: CheckpointState = self._ask_there(
            "put_checkpoint", {"project": project, "fields": fields, "draft": draft}, space, caller
        )
        return found

    def promote_draft(
        self, project: str, fields: list[str] | None = None, space: str | None = None, caller: str | None = None
    ) -> CheckpointState:
        found: CheckpointState = self._ask_there("promote_draft", {"project": project, "fields": fields}, space, caller)
        return found

    def discard_draft(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        found: CheckpointState = self._ask_there("discard_draft", {"project": project}, space, caller)
        return found

    def card(self, project: str, id: int | None = None, space: str | None = None, caller: str | None = None) -> CardView:  # noqa: A002
        found: CardView = self._ask_there("card", {"project": project, "id": id}, space, caller)
        return found

    def put_card(self, project: str, markdown: str, space: str | None = None, caller: str | None = None) -> CardView:
        found: CardView = self._ask_there("put_card", {"project": project, "markdown": markdown}, space, caller)
        return found

    def pack(
        self,
        project: str,
        budget_tokens: int = 0,
        with_meta: bool = False,
        exclude_session: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> PackView:
        params = {
            "project": project,
            "budget_tokens": budget_tokens,
            "with_meta": with_meta,
            "exclude_session": exclude_session,
        }
        found: PackView = self._ask_there("pack", params, space, caller)
        return found

    def drafts(self, space: str | None = None, caller: str | None = None) -> list[DraftView]:
        found: list[DraftView] = self._ask_there("drafts", {}, space, caller)
        return found

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
        found: ArchiveReport = self._ask_there(
            "archive_sessions",
            {"project": project, "limit": limit, "backfill": backfill, "force": force},
            space,
            caller,
            report,
        )
        return found

    def cleanup(
        self,
        apply: bool = False,
        purge: bool = False,
        limits: dict[str, int] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> CleanupPlan:
        found: CleanupPlan = self._ask_there("cleanup", {"apply": apply, "purge": purge, "limits": limits}, space, caller)
        return found

    def changelog(
        self, project: str, everything: bool = False, space: str | None = None, caller: str | None = None
    ) -> ChangelogReport:
        found: ChangelogReport = self._ask_there("changelog", {"project": project, "everything": everything}, space, caller)
        return found

    def index_pages(self, project: str, space: str | None = None, caller: str | None = None) -> list[PageView]:
        found: list[PageView] = self._ask_there("index_pages", {"project": project}, space, caller)
        return found

    def pages(self, project: str | None = None, space: str | None = None, caller: str | None = None) -> list[PageView]:
        found: list[PageView] = self._ask_there("pages", {"project": project}, space, caller)
        return found

    def search_pages(
        self, query: str, project: str | None = None, limit: int = 8, space: str | None = None, caller: str | None = None
    ) -> list[ParagraphView]:
        found: list[ParagraphView] = self._ask_there(
            "search_pages", {"query": query, "project": project, "limit": limit}, space, caller
        )
        return found

    def cache_stats(
        self, project: str | None = None, limit: int = 20, space: str | None = None, caller: str | None = None
    ) -> CacheStats:
        found: CacheStats = self._ask_there("cache_stats", {"project": project, "limit": limit}, space, caller)
        return found

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
        found: str = self._ask_there(
            "snippet",
            {"session": session, "message": message, "form": form, "for_agent": for_agent, "agent": agent},
            space,
            caller,
        )
        return found

    def backup(self, space: str | None = None, caller: str | None = None) -> BackupView:
        found: BackupView = self._ask_there("backup", {}, space, caller)
        return found

    def backups(self, space: str | None = None, caller: str | None = None) -> list[BackupView]:
        found: list[BackupView] = self._ask_there("backups", {}, space, caller)
        return found

    def restore_backup(self, path: str, space: str | None = None, caller: str | None = None) -> BackupView:
        found: BackupView = self._ask_there("restore_backup", {"path": path}, space, caller)
        return found

    def export_memory(
        self, path: str, overwrite: bool = False, space: str | None = None, caller: str | None = None
    ) -> TransferReport:
        found: TransferReport = self._ask_there("export_memory", {"path": path, "overwrite": overwrite}, space, caller)
        return found

    def import_memory(self, path: str, space: str | None = None, caller: str | None = None) -> TransferReport:
        found: TransferReport = self._ask_there("import_memory", {"path": path}, space, caller)
        return found
