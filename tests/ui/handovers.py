"""Memory and hand-over for tests of the windows: projects, a card, a draft, memories and a pack, in both languages; and a
backend that keeps them in variables, with the engine's rules for drafts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from surroundings import SettledBackend

from tray_app.errors import AppError, UsageError
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
    MemoryStats,
    MemoryView,
    PackLayer,
    PackView,
    Progress,
    ProjectGuess,
    ProjectView,
    Remembered,
    ResumeAdvice,
    SessionFigures,
    SpaceView,
)
from tray_app.records.memory import FIELDS, LIST_FIELDS

AT = "2026-11-26T10:00:00Z"
JUST = "2026-11-30T13:52:00Z"
TIDE = "tide-api"

WORDS = {
    "en": {
        "goal": "Uploads survive a dropped link, on every store.",
        "done": ("Part upload, 8 MB a part", "`409` counts as done; the ETag is kept"),
        "doing": "Resume after a restart: the part list goes to disk",
        "next": ("One resume test for each store",),
        "files": ("src/upload.py", "src/parts.py"),
        "draft_done": ("Retries stop after three attempts",),
        "draft_doing": "Resume after a restart: the part list is on disk, its lock is not",
        "draft_next": ("One resume test for each store", "Lock the part list"),
        "draft_files": ("tests/test_upload.py",),
        "memories": (
            ("decision", "A 409 on a part counts as done; keep the ETag."),
            ("pitfall", "Never send the same part twice: the checksum of the file breaks."),
            ("fact", "校验和按整文件算，不按片；流式更新，内存恒定。"),
            ("fact", "Part size is 8 MB; 5 MB is the least the store takes."),
            ("decision", "Back up before every migration."),
        ),
    },
    "zh_CN": {
        "goal": "任何存储上，断线后上传都能续。",
        "done": ("分片上传，每片 8 MB", "`409` 视为已完成，保留 ETag"),
        "doing": "重启后续传：分片清单写入磁盘",
        "next": ("每种存储各一个续传测试",),
        "files": ("src/upload.py", "src/parts.py"),
        "draft_done": ("三次之后不再重试",),
        "draft_doing": "重启后续传：分片清单已写入磁盘，还没有加锁",
        "draft_next": ("每种存储各一个续传测试", "给分片清单加锁"),
        "draft_files": ("tests/test_upload.py",),
        "memories": (
            ("decision", "分片返回 409 视为已完成，保留 ETag。"),
            ("pitfall", "同一片不要发两次，整个文件的校验和会坏。"),
            ("fact", "校验和按整文件算，不按片；流式更新，内存恒定。"),
            ("fact", "每片 8 MB；存储端最小 5 MB。"),
            ("decision", "每次迁移前先备份。"),
        ),
    },
}
PACK = """# tide-api

## Baseline
HTTP service that stores tide gauge files.
Python 3.12, DuckDB, no ORM.

## Facts
(2 older left out; search "tide-api facts")
- Part size is 8 MB.
- A 409 on a part counts as done.
- 校验和按整文件算，不按片。
- Back up before every migration.

## Current state
Goal: uploads survive a dropped link.
Done: 409 handling, tests.
Doing: resume after restart.
Next: 1. keep the part list on disk
      2. one resume test per store
Open: is 8 MB right for slow links?

Files: src/upload.py
       src/parts.py
       tests/test_upload.py
"""


def projects() -> list[ProjectView]:
    rows: tuple[tuple[str, dict[str, Any]], ...] = (
        (TIDE, {"has_card": True, "has_draft": True, "memories": 41, "sessions": 12, "compactions": 3, "last_activity": JUST}),
        ("subtitle-forge", {"has_card": True, "sessions": 4, "last_activity": "2026-11-30T08:00:00Z"}),
        ("ledger", {"has_card": True, "sessions": 7, "last_activity": "2026-11-28T08:00:00Z"}),
        ("kiosk-menu", {"has_draft": True, "sessions": 2, "last_activity": "2026-11-20T08:00:00Z"}),
        ("opening-hours", {"sessions": 1, "last_activity": "2026-11-11T08:00:00Z"}),
        ("字幕素材整理", {"memories": 2, "aliases": ("subtitles",)}),
        ("invoice-tool", {"state": "orphan", "memories": 9, "last_activity": "2026-05-11T08:00:00Z"}),
        ("workspace", {"state": "reserved", "folder": "", "origin": "reserved"}),
    )
    return [ProjectView(**{"name": name, "folder": f"/home/lin/Projects/{name}", **more}) for name, more in rows]


class HandoverDouble(SettledBackend):
    """`tide-api` has everything; the others have nothing. `refuse` raises for a call by its name."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language
        words = WORDS[language]
        self.known = projects()
        self.number = 9
        self.states: dict[str, CheckpointState] = {
            TIDE: CheckpointState(
                project=TIDE,
                active=CheckpointView(
                    id=3, project=TIDE, state="active", created=AT, updated=AT, source_agent="claude_code", source_session="s-upload",
                    **{name: words[name] for name in ("goal", "done", "doing", "next", "files")},
                ),
                draft=CheckpointView(
                    id=4, project=TIDE, state="draft", created=JUST, updated="2026-11-30T14:02:00Z", source_agent="codex",
                    source_session="r-2", done=words["draft_done"], doing=words["draft_doing"], next=words["draft_next"],
                    files=words["draft_files"],
                    evidence={"done": "message 41: “it gives up after three”", "files": "3 changed by apply_patch"},
                ),
                history=(
                    CheckpointView(
                        id=2, project=TIDE, state="superseded", created="2026-11-24T09:30:00Z", updated=AT, goal=words["goal"],
                        done=words["done"][:1], doing=words["doing"][:-6], next=words["next"], files=words["files"][:1],
                    ),
                    CheckpointView(
                        id=1, project=TIDE, state="superseded", created="2026-11-20T09:30:00Z", updated=AT, goal=words["goal"],
                        next=words["done"][:1],
                    ),
                ),
            )
        }  # fmt: skip
        self.remembered = [
            MemoryView(
                id=number, project=TIDE, kind=kind, state="active", title=text, content=text, created=AT,
                updated=f"2026-11-{26 - number:02d}T10:00:00Z",
            )
            for number, (kind, text) in enumerate(words["memories"], 1)
        ]  # fmt: skip
        self.remembered.append(
            MemoryView(
                id=6, project=TIDE, kind="note", state="archived", title="Old", content="An old note.", created=AT, updated=AT
            )
        )
        self.packed = 3_412
        self.resume_advice: ResumeAdvice | None = ResumeAdvice(
            advice="resume", text="Resume it.", agent="claude_code", session="s-upload", title="Upload worker",
            date_text="2026-11-30", command="cd ~/Projects/tide-api && claude --resume s-upload",
        )  # fmt: skip
        self.mending = ""
        self.space_list: list[SpaceView] = [SpaceView(id="default", name="default")]
        self.plan = [
            CleanupItem(id=11, project=TIDE, kind="session", title="Upload worker drops the last part",
                        reason="session summary, 93 days old", action="archive"),
            CleanupItem(id=12, project="ledger", kind="card", title="ledger", reason="superseded, beyond the last 3", action="archive"),
            CleanupItem(id=13, project=TIDE, kind="note", title="Ports used by the stub",
                        reason="never used in 120 days", action="report"),
        ]  # fmt: skip
        self.refuse: dict[str, AppError] = {}
        self.before = self._refuse
        self.real.set("memory.pack_tokens", 4_000)

    def _refuse(self, name: str, _argument: Any) -> None:
        if name in self.refuse:
            raise self.refuse.pop(name)

    def spaces(self) -> list[SpaceView]:
        return list(self.space_list)

    def projects(self, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        self._called("projects", space)
        return list(self.known)

    def guess_project(self, text: str, space: str | None = None, caller: str | None = None) -> ProjectGuess:
        self._called("guess_project", text)
        named = next((one.name for one in self.known if text in one.aliases), "workspace")
        return ProjectGuess(project=named, reason="an alias", sure=named != "workspace")

    def cache_stats(
        self, project: str | None = None, limit: int = 20, space: str | None = None, caller: str | None = None
    ) -> CacheStats:
        self._called("cache_stats", limit)
        one = SessionFigures(
            agent="codex", session="r-1", project=TIDE, title="", end=AT, rounds=3, compactions=1, tokens_in=900, tokens_out=30,
            cache_read=700, cache_write=100, first_write_step=4, repeated_reads=1, read_pack=True,
        )  # fmt: skip
        groups = (
            CacheGroup(name="claude_code", sessions=12, tokens_in=8_000, cache_read=7_000, cache_write=500, hit_rate=0.875),
            CacheGroup(name="codex", sessions=8, tokens_in=2_000, cache_read=1_300, cache_write=0, hit_rate=0.65),
            CacheGroup(name="kimi", sessions=1, tokens_in=0, cache_read=0, cache_write=0, hit_rate=None),
        )
        return CacheStats(
            by_agent=groups,
            sessions=(one,) * 20,
            compactions=3,
            thrown_away=48_000,
            first_write_with=3.4,
            first_write_without=7.8,
        )

    def memory_stats(self, space: str | None = None, caller: str | None = None) -> MemoryStats:
        return MemoryStats(
            by_kind={}, by_state={}, by_project={}, missing_vectors=0, schema=1, backend="off", memory_bytes=9, journal_entries=1,
            snapshots=0, newest_snapshot=None, path="/d/memory.duckdb", mended=self.mending,
        )  # fmt: skip

    # --- checkpoints -------------------------------------------------------------------------------------------------
    def _state(self, project: str) -> CheckpointState:
        return self.states.get(project, CheckpointState(project=project))

    def checkpoint(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        self._called("checkpoint", project)
        return self._state(project)

    def put_checkpoint(
        self, project: str, fields: dict[str, Any], draft: bool = False, space: str | None = None, caller: str | None = None
    ) -> CheckpointState:
        self._called("put_checkpoint", (project, fields, draft))
        given = {name: (tuple(value or ()) if name in LIST_FIELDS else value or "") for name, value in fields.items()}
        state = self._state(project)
        self.number += 1
        fresh = CheckpointView(
            id=self.number, project=project, state="draft" if draft else "active", created=JUST, updated=JUST
        )
        if draft:
            made = msgspec.structs.replace(state.draft or fresh, **given)
            self.states[project] = msgspec.structs.replace(state, draft=made)
            return self.states[project]
        made = msgspec.structs.replace(
            state.active or fresh, id=self.number, created=JUST, updated=JUST, source_agent="", **given
        )
        old = (msgspec.structs.replace(state.active, state="superseded"),) if state.active is not None else ()
        self.states[project] = msgspec.structs.replace(state, active=made, history=(*old, *state.history))
        return self.states[project]

    def promote_draft(
        self, project: str, fields: list[str] | None = None, space: str | None = None, caller: str | None = None
    ) -> CheckpointState:
        self._called("promote_draft", (project, fields))
        state = self._state(project)
        if state.draft is None:
            raise UsageError("no_draft", "No draft", "None waits.")
        taken: dict[str, Any] = {}
        for name in fields or FIELDS:
            value = getattr(state.draft, name)
            if value:
                grows = name in ("done", "files") and state.active is not None
                taken[name] = (*getattr(state.active, name), *value) if grows else value
        self.put_checkpoint(project, taken)
        state = self.put_checkpoint(project, dict.fromkeys(taken), draft=True)
        assert state.draft is not None
        if not any(getattr(state.draft, name) for name in FIELDS):
            self.states[project] = msgspec.structs.replace(state, draft=None)
        return self.states[project]

    def discard_draft(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        self._called("discard_draft", project)
        self.states[project] = msgspec.structs.replace(self._state(project), draft=None)
        return self.states[project]

    def card(
        self,
        project: str,
        id: int | None = None,  # noqa: A002
        space: str | None = None,
        caller: str | None = None,
    ) -> CardView:
        active = self._state(project).active
        if active is None:
            return CardView(project=project)
        return CardView(project=project, id=1, state="active", markdown=f"# {project}\n\n{active.goal}\n", created=AT)

    def pack(
        self,
        project: str,
        budget_tokens: int = 0,
        with_meta: bool = False,
        space: str | None = None,
        caller: str | None = None,
    ) -> PackView:
        self._called("pack", (project, budget_tokens))
        if project != TIDE:
            return PackView(project=project, pack="", version="0", tokens=0, budget=budget_tokens)
        layers = (
            PackLayer(name="baseline", tokens=620),
            PackLayer(name="facts", tokens=1_904, items=12, dropped=2),
            PackLayer(name="state", tokens=888),
            PackLayer(name="next", tokens=0),
        )
        return PackView(
            project=project,
            pack=PACK,
            version="a",
            tokens=self.packed,
            budget=budget_tokens,
            layers=layers,
            resume=self.resume_advice,
        )

    # --- memories ----------------------------------------------------------------------------------------------------
    def memories(
        self,
        project: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        limit: int = 0,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        self._called("memories", (project, state))
        return [one for one in self.remembered if one.project == project and one.state == (state or "active")]

    def remember(self, project: str, kind: str, title: str, content: str, **more: Any) -> Remembered:
        self._called("remember", (project, kind, title, content))
        same = [one for one in self.remembered if (one.kind, one.content) == (kind, content)]
        if same:
            return Remembered(memory=same[0], created=False, duplicate=True)
        made = MemoryView(
            id=len(self.remembered) + 1, project=project, kind=kind, state="active", title=content[:80], content=content,
            created=JUST, updated=JUST,
        )  # fmt: skip
        self.remembered.insert(0, made)
        return Remembered(memory=made, created=True)

    def update_memory(self, id: int, title: str | None = None, content: str | None = None, **more: Any) -> Remembered:  # noqa: A002
        self._called("update_memory", (id, title, content))
        return Remembered(memory=self._changed(id, content=content, title=title or content), created=False)

    def set_memory_state(self, id: int, state: str, **more: Any) -> MemoryView:  # noqa: A002
        self._called("set_memory_state", (id, state))
        return self._changed(id, state=state)

    def _changed(self, number: int, **fields: Any) -> MemoryView:
        self.remembered = [msgspec.structs.replace(one, **fields) if one.id == number else one for one in self.remembered]
        return next(one for one in self.remembered if one.id == number)

    # --- upkeep ------------------------------------------------------------------------------------------------------
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
        self._called("archive_sessions", backfill)
        if report is not None:
            report(Progress(phase="archiving", done=3, total=20))
        return ArchiveReport(archived=5, drafts=2)

    def cleanup(
        self, apply: bool = False, purge: bool = False, space: str | None = None, caller: str | None = None
    ) -> CleanupPlan:
        self._called("cleanup", (apply, purge))
        done = sum(item.action == "archive" for item in self.plan)
        plan = CleanupPlan(items=tuple(self.plan), applied=apply, backup="/d/b" if apply else "", archived=done, reported=1)
        if apply:
            self.plan = []
        return plan

    def changelog(
        self, project: str, everything: bool = False, space: str | None = None, caller: str | None = None
    ) -> ChangelogReport:
        self._called("changelog", project)
        return ChangelogReport(project=project, files=1, added=3)

    def backup(self, space: str | None = None, caller: str | None = None) -> BackupView:
        self._called("backup")
        return BackupView(path="/d/snapshots/one.jsonl", bytes=2_400, memories=5, created=JUST)
