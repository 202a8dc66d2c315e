"""A home with sessions of several agents, their index, and the memory they are archived into, at a moment that the test chooses."""

from __future__ import annotations

import os
from datetime import UTC
from pathlib import Path
from typing import Any

from data import claude_files as claude

from tray_app.indexing.passes import Pass
from tray_app.indexing.plan import Source
from tray_app.indexing.prepare import Rules
from tray_app.indexing.room import Budgets
from tray_app.library.connection import open_index
from tray_app.library.memory.rows import ArchiveRow, CheckpointRow, MemoryRow
from tray_app.library.memory.store import MemoryStore
from tray_app.library.reading import Reader
from tray_app.library.store import Store
from tray_app.memory.archiving import archive
from tray_app.memory.census import Seen
from tray_app.memory.projects import Projects
from tray_app.paths import SourcesHome
from tray_app.records import ArchiveReport
from tray_app.settings import Settings
from tray_app.sources.base import Context, Limits
from tray_app.sources.registry import adapter

ROOTS = {"claude_code": ".claude/projects", "codex": ".codex", "dsh": ".dsh", "kimi": ".kimi-code"}
MINUTE = 60_000
DAY = 86_400_000


class ArchiveWorld:
    """`now` is epoch ms; files count as written when their last message was said, unless the test says otherwise."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        self.opened = open_index(folder / "index.duckdb")
        self.reader = Reader(self.opened)
        self.store = MemoryStore(folder / "memory.duckdb")
        self.settings = Settings()
        self.settings._values["projects.root"] = str(folder / "Projects")
        self.projects = Projects(self.store, self.settings, self.workspaces)
        self.rules = Rules()
        self.now = claude.epoch_ms(1_000)

    def close(self) -> None:
        self.reader.close()
        self.opened.close()
        self.store.close()

    def workspaces(self) -> list[Seen]:
        rows = self.reader.cursor.execute('select cwd, project, count(*), max("end") from sessions group by 1, 2').fetchall()
        return [Seen(*row) for row in rows]

    def write(self, label: str, rows: list[Any], *, cwd: str = "-w", written: float | None = None) -> Path:
        """A Claude Code session; `written` is the minute of the file's time (None: long ago)."""
        path = claude.write(self.home / ".claude/projects" / cwd / f"{claude.make_id(label)}.jsonl", rows)
        self.touch(path, 0 if written is None else written)
        return path

    def touch(self, path: Path, minute: float) -> None:
        seconds = claude.epoch_ms(minute) / 1000
        os.utime(path, (seconds, seconds))

    def index(self) -> None:
        store = Store(self.opened)
        try:
            done = Pass(
                store, adapter, Context(home=SourcesHome(self.home, {}, confined=True)), rules=self.rules, limits=Limits(),
                budgets=Budgets(1 << 30, 1 << 30), zone=UTC, report=lambda progress: None, stop=lambda: False,
            )  # fmt: skip
            done.run([Source(agent, agent, self.home / root) for agent, root in ROOTS.items() if (self.home / root).exists()])
        finally:
            store.close()

    def archive(self, **more: Any) -> ArchiveReport:
        return archive(self.reader, self.store, self.projects, self.settings, self.now, **more)

    def start(self) -> ArchiveReport:
        """The first run, a long time before the sessions: all of them come after it."""
        then, self.now = self.now, claude.epoch_ms(-10_000)
        try:
            return self.archive()
        finally:
            self.now = then

    @property
    def memories(self) -> list[MemoryRow]:
        return sorted(self.store.rows(MemoryRow).values(), key=lambda row: row.id)

    @property
    def drafts(self) -> list[CheckpointRow]:
        return sorted(self.store.rows(CheckpointRow).values(), key=lambda row: row.id)

    def archived(self, label: str) -> ArchiveRow:
        return next(row for row in self.store.rows(ArchiveRow).values() if row.session == claude.make_id(label))


def work_session(label: str = "work", cwd: str = "/home/kim/shop", first: float = 1, file: str = "src/cart.py") -> list[Any]:
    """Six lines: a request, an edit, a test, a statement."""
    chat = claude.Chat(label, cwd=cwd)
    return [
        chat.user("Add a discount to the cart.", first),
        chat.call(f"{label}-1", "Edit", {"file_path": f"{cwd}/{file}", "old_string": "a", "new_string": "b"}, first + 1),
        chat.result(f"{label}-1", "The file has been updated.", first + 2),
        chat.call(f"{label}-2", "Bash", {"command": "pytest -q"}, first + 3, usage=claude.usage(50)),
        chat.result(f"{label}-2", "12 passed", first + 4),
        chat.answer(f"Added the discount to {file}.", first + 5),
    ]
