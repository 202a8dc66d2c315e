"""The part of the small engine in memory that knows of memory and hand-over: projects, memories and one checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tray_app.errors import UsageError
from tray_app.records import (
    ArchiveReport,
    BackupView,
    CacheGroup,
    CacheStats,
    CardView,
    ChangelogReport,
    CheckpointState,
    CheckpointView,
    CleanupItem,
    CleanupPlan,
    DraftView,
    MemoryStats,
    MemoryView,
    PackLayer,
    PackView,
    PageView,
    ParagraphView,
    Progress,
    ProjectGuess,
    ProjectView,
    Remembered,
    ResumeAdvice,
    TransferReport,
)
from tray_app.records.memory import FIELDS, LIST_FIELDS

AT = "2026-11-29T08:00:00Z"
BACKUP = BackupView(path="/d/snapshots/20261129T080000Z-manual.jsonl", bytes=1_200, memories=1, created=AT)
RESUME = ResumeAdvice(
    advice="pack", text="Start a new session from the pack.", agent="claude_code", session="0f3c", title="退款 webhook",
    date_text="2026-11-29", compacted=True, command="cd /home/a/shop && claude --resume 0f3c",
)  # fmt: skip


class MemoryPart:
    """Two projects: `shop`, with a directory, and `old`, whose directory is gone."""

    def __init__(self) -> None:
        self.names = ["shop", "old"]
        self.aliases: dict[str, str] = {}
        self.known: list[MemoryView] = []
        self.states: dict[str, CheckpointState] = {}
        self.written_cards: dict[str, str] = {}
        self.kept_backups: list[BackupView] = []
        self.page = PageView(
            id=1, project="shop", path="docs/queue.md", title="Queue", summary="How orders wait.", paragraphs=1, updated=AT
        )

    def _open(self, name: str) -> None:
        raise NotImplementedError

    # --- projects ---------------------------------------------------------------------------------------------------------
    def projects(self, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        self._open("projects")
        return [
            ProjectView(
                name=name,
                folder=f"/home/a/{name}",
                state="orphan" if name == "old" else "present",
                aliases=tuple(alias for alias, meant in self.aliases.items() if meant == name),
                memories=sum(one.project == name for one in self.known),
                sessions=2 if name == "shop" else 0,
                last_activity=AT if name == "shop" else None,
                has_card=bool(self._state(name).active),
                has_draft=bool(self._state(name).draft),
            )
            for name in self.names
        ]

    def guess_project(self, text: str, space: str | None = None, caller: str | None = None) -> ProjectGuess:
        self._open("guess_project")
        name = next((name for name in self.names if name in text), "workspace")
        return ProjectGuess(
            project=name, reason="named" if name != "workspace" else "nothing converges", sure=name != "workspace"
        )

    def alias_project(self, alias: str, project: str, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        self._open("alias_project")
        self.aliases[alias] = self._project(project)
        return self.projects()

    def prune_projects(self, confirm: list[str], space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        self._open("prune_projects")
        orphans = [view for view in self.projects() if view.state == "orphan" and (not confirm or view.name in confirm)]
        if confirm:
            self.names = [name for name in self.names if name not in confirm]
        return orphans

    def _project(self, name: str) -> str:
        meant = self.aliases.get(name, name)
        if meant not in self.names:
            raise UsageError("no_such_project", "No such project", f"No project {name!r} is known.", "See: backscroll projects")
        return meant

    # --- memories ---------------------------------------------------------------------------------------------------------
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
        self._open("remember")
        name = self._project(project)
        same = [one for one in self.known if (one.project, one.kind, one.content) == (name, kind, content)]
        if same:
            return Remembered(memory=same[0], created=False, duplicate=True)
        gone = tuple(supersedes or ())
        fields = {f"source_{key}": value for key, value in (source or {}).items()}
        memory = MemoryView(
            id=len(self.known) + 1, project=name, kind=kind, state="active", title=title, content=content, created=AT, updated=AT,
            supersedes=gone, **fields,
        )  # fmt: skip
        self.known = [
            msgspec.structs.replace(one, state="superseded", superseded_by=memory.id) if one.id in gone else one
            for one in self.known
        ] + [memory]
        return Remembered(memory=memory, created=True, superseded=gone)

    def update_memory(
        self,
        id: int,  # noqa: A002
        title: str | None = None,
        content: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> Remembered:
        self._open("update_memory")
        changed = {name: value for name, value in (("title", title), ("content", content)) if value is not None}
        return Remembered(memory=self._changed(id, **changed), created=False)

    def set_memory_state(
        self,
        id: int,  # noqa: A002
        state: str,
        space: str | None = None,
        caller: str | None = None,
    ) -> MemoryView:
        self._open("set_memory_state")
        return self._changed(id, state=state)

    def _changed(self, number: int, **fields: Any) -> MemoryView:
        for place, one in enumerate(self.known):
            if one.id == number:
                self.known[place] = msgspec.structs.replace(one, **fields)
                return self.known[place]
        raise UsageError("no_such_memory", "No such memory", f"There is no memory {number}.", "See: backscroll memories")

    def bring_back(
        self,
        kind: str,
        id: int,  # noqa: A002
        space: str | None = None,
        caller: str | None = None,
    ) -> None:
        self._open("bring_back")
        if kind != "card" or id != 1:
            raise UsageError("no_such_memory", "No such memory", f"There is no archived {kind} {id}.")

    def memories(
        self,
        project: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        limit: int = 0,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        self._open("memories")
        name = None if project is None else self._project(project)
        found = [
            one
            for one in reversed(self.known)
            if name in (None, one.project)
            and kind in (None, one.kind)
            and (one.state == state if state else one.state != "archived")
        ]
        return found[:limit] if limit else found

    def memory_stats(self, space: str | None = None, caller: str | None = None) -> MemoryStats:
        self._open("memory_stats")
        return MemoryStats(
            by_kind={}, by_state={"active": len(self.known)}, by_project={}, missing_vectors=0, schema=1, backend="off",
            memory_bytes=12_288, journal_entries=len(self.known), snapshots=0, newest_snapshot=None, path="/d/memory.duckdb",
        )  # fmt: skip

    def recall_memories(
        self,
        query: str,
        project: str | None = None,
        limit: int = 8,
        kinds: list[str] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        self._open("recall_memories")
        words = query.split()
        found = [
            msgspec.structs.replace(one, score=0.5, matched=tuple(word for word in words if word in one.content))
            for one in self.known
            if one.state == "active" and (kinds is None or one.kind in kinds) and any(word in one.content for word in words)
        ]
        return found[:limit]

    # --- checkpoint, card, pack -------------------------------------------------------------------------------------------
    def _state(self, project: str) -> CheckpointState:
        return self.states.get(project, CheckpointState(project=project))

    def checkpoint(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        self._open("checkpoint")
        return self._state(self._project(project))

    def put_checkpoint(
        self,
        project: str,
        fields: dict[str, Any],
        draft: bool = False,
        space: str | None = None,
        caller: str | None = None,
    ) -> CheckpointState:
        self._open("put_checkpoint")
        name = self._project(project)
        odd = next((field for field in fields if field not in FIELDS), None)
        if odd is not None:
            raise UsageError("bad_field", "No such field", f"A checkpoint has no field {odd!r}.")
        state = self._state(name)
        former = state.draft if draft else state.active
        given = {
            field: (tuple(value or ()) if field in LIST_FIELDS else value or "") for field, value in fields.items()
        }  # fmt: skip
        number = len(state.history) + 1 + bool(former)
        fresh = msgspec.structs.replace(
            former or CheckpointView(id=number, project=name, state="draft" if draft else "active", created=AT, updated=AT), id=number, **given
        )  # fmt: skip
        if draft:
            self.states[name] = msgspec.structs.replace(state, draft=fresh)
        else:
            history = (former, *state.history) if former else state.history
            self.states[name] = msgspec.structs.replace(state, active=fresh, history=history)
        return self.states[name]

    def promote_draft(
        self,
        project: str,
        fields: list[str] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> CheckpointState:
        self._open("promote_draft")
        draft = self._draft(project)
        named = [field for field in fields or FIELDS if getattr(draft, field)]
        state = self.put_checkpoint(project, {field: getattr(draft, field) for field in named})
        self.states[state.project] = msgspec.structs.replace(state, draft=None)
        return self.states[state.project]

    def discard_draft(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        self._open("discard_draft")
        draft = self._draft(project)
        self.states[draft.project] = msgspec.structs.replace(self._state(draft.project), draft=None)
        return self.states[draft.project]

    def _draft(self, project: str) -> CheckpointView:
        draft = self._state(self._project(project)).draft
        if draft is None:
            raise UsageError("no_draft", "No draft", f"No draft of {project} waits for review.")
        return draft

    def card(
        self,
        project: str,
        id: int | None = None,  # noqa: A002
        space: str | None = None,
        caller: str | None = None,
    ) -> CardView:
        self._open("card")
        name = self._project(project)
        active = self._state(name).active
        if name in self.written_cards:
            return CardView(project=name, id=id or 9, state="active", markdown=self.written_cards[name], created=AT)
        if active is None:
            return CardView(project=name)
        return CardView(
            project=name, id=id or active.id, state="active", markdown=f"# {name}\n\n{active.goal}\n", created=AT, checkpoint=active.id
        )  # fmt: skip

    def put_card(self, project: str, markdown: str, space: str | None = None, caller: str | None = None) -> CardView:
        self._open("put_card")
        self.written_cards[self._project(project)] = markdown
        return self.card(project)

    def pack(
        self,
        project: str,
        budget_tokens: int = 0,
        with_meta: bool = False,
        exclude_session: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> PackView:
        self._open("pack")
        name = self._project(project)
        facts = [one for one in self.known if one.project == name and one.state == "active"]
        text = "\n".join([f"# {name}", *(f"- {one.content}" for one in facts)]) + "\n"
        layer = PackLayer(name="facts", tokens=len(text) // 4, items=len(facts))
        return PackView(
            project=name, pack=text, version="ab12cd34", tokens=len(text) // 4, budget=budget_tokens or 2_000, layers=(layer,), resume=RESUME
        )  # fmt: skip

    # --- drafts, archive, upkeep ------------------------------------------------------------------------------------------
    def drafts(self, space: str | None = None, caller: str | None = None) -> list[DraftView]:
        self._open("drafts")
        return [
            DraftView(
                draft=state.draft,
                active=state.active,
                session_title="退款 webhook",
                differs=tuple(field for field in FIELDS if getattr(state.draft, field) != getattr(state.active, field, None)),
            )
            for state in self.states.values()
            if state.draft is not None
        ]

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
        self._open("archive_sessions")
        if report is not None:
            report(Progress(phase="archiving", done=1, total=1, agent="claude_code"))
        return ArchiveReport(
            archived=1, drafts=1, projects=("shop",), baseline_date="2026-11-28", before_baseline=0 if backfill else 3
        )

    def cleanup(
        self,
        apply: bool = False,
        purge: bool = False,
        limits: dict[str, int] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> CleanupPlan:
        self._open("cleanup")
        items = tuple(
            CleanupItem(
                id=one.id, project=one.project, kind=one.kind, title=one.title, reason="older than 90 days", action="archive"
            )
            for one in self.known
            if one.kind == "session" and one.state == "active"
        )
        if apply:
            for item in items:
                self._changed(item.id, state="archived")
        done = len(items) if apply else 0
        return CleanupPlan(items=items, applied=apply, backup=BACKUP.path if apply and items else "", archived=done)

    def changelog(
        self, project: str, everything: bool = False, space: str | None = None, caller: str | None = None
    ) -> ChangelogReport:
        self._open("changelog")
        return ChangelogReport(project=self._project(project), files=1, added=2 if everything else 1, without_conclusion=1)

    def index_pages(self, project: str, space: str | None = None, caller: str | None = None) -> list[PageView]:
        self._open("index_pages")
        return [self.page] if self._project(project) == "shop" else []

    def pages(self, project: str | None = None, space: str | None = None, caller: str | None = None) -> list[PageView]:
        self._open("pages")
        return [self.page] if project in (None, "shop") else []

    def search_pages(
        self,
        query: str,
        project: str | None = None,
        limit: int = 8,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[ParagraphView]:
        self._open("search_pages")
        found = ParagraphView(
            page=1, project="shop", path="docs/queue.md", title="Queue", heading="Queue > Retries", text="An order retries three times.",
            score=1.0, matched=("retries",),
        )  # fmt: skip
        return [found] if "retries" in query else []

    def cache_stats(
        self, project: str | None = None, limit: int = 20, space: str | None = None, caller: str | None = None
    ) -> CacheStats:
        self._open("cache_stats")
        group = CacheGroup(name="claude_code", sessions=2, tokens_in=9_000, cache_read=81_000, cache_write=7_000, hit_rate=0.9)
        return CacheStats(by_agent=(group,), note="not enough sessions yet")

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
        self._open("snippet")
        return f"> {session} {message or form}\n"

    # --- backups and transfer ---------------------------------------------------------------------------------------------
    def backup(self, space: str | None = None, caller: str | None = None) -> BackupView:
        self._open("backup")
        self.kept_backups.append(BACKUP)
        return BACKUP

    def backups(self, space: str | None = None, caller: str | None = None) -> list[BackupView]:
        self._open("backups")
        return list(reversed(self.kept_backups))

    def restore_backup(self, path: str, space: str | None = None, caller: str | None = None) -> BackupView:
        self._open("restore_backup")
        if not any(one.path == path for one in self.kept_backups):
            raise UsageError("no_such_backup", "No such backup", f"There is no backup {path}.", "See: backscroll restore")
        return msgspec.structs.replace(BACKUP, kind="before")

    def export_memory(
        self, path: str, overwrite: bool = False, space: str | None = None, caller: str | None = None
    ) -> TransferReport:
        self._open("export_memory")
        if path == "/a/taken.jsonl" and not overwrite:
            raise UsageError("file_exists", "Not written", f"{path} is there already.")
        return TransferReport(path=path, projects=len(self.names), memories=len(self.known))

    def import_memory(self, path: str, space: str | None = None, caller: str | None = None) -> TransferReport:
        self._open("import_memory")
        return TransferReport(path=path, duplicates=len(self.known))
