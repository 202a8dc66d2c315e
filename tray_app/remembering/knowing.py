"""What front ends ask about projects and memories, and how these are kept safe and carried elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tray_app import clock
from tray_app.errors import UsageError
from tray_app.library.memory.rows import MemoryRow
from tray_app.library.memory.snapshots import Snapshot
from tray_app.memory import lifecycle
from tray_app.memory.projects import now_ms
from tray_app.memory.recalling import recall
from tray_app.memory.transfer import export_memory, import_memory
from tray_app.records import (
    BackupView,
    MemoryStats,
    MemoryView,
    ProjectGuess,
    ProjectView,
    Remembered,
    TransferReport,
)
from tray_app.remembering.minds import Mind
from tray_app.remembering.reach import Reach

SETTABLE = ("active", "archived")


class Knowing(Reach):
    """A part of `Engine`. Owns no state."""

    # --- projects ----------------------------------------------------------------------------------------------------------
    def projects(self, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        with self._mind(space, caller) as mind:
            return mind.projects.views()

    def guess_project(self, text: str, space: str | None = None, caller: str | None = None) -> ProjectGuess:
        with self._mind(space, caller) as mind:
            return mind.projects.guess(text)

    def alias_project(self, alias: str, project: str, space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        with self._mind(space, caller) as mind:
            return mind.projects.alias(alias, project)

    def prune_projects(self, confirm: list[str], space: str | None = None, caller: str | None = None) -> list[ProjectView]:
        with self._mind(space, caller) as mind:
            return mind.projects.prune(confirm)

    # --- memories ----------------------------------------------------------------------------------------------------------
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
        with self._mind(space, caller) as mind:
            return mind.memories.remember(project, kind, title, content, source=source, supersedes=supersedes or ())

    def update_memory(
        self,
        id: int,  # noqa: A002
        title: str | None = None,
        content: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> Remembered:
        with self._mind(space, caller) as mind:
            return mind.memories.update(id, title, content)

    def set_memory_state(
        self,
        id: int,  # noqa: A002
        state: str,
        space: str | None = None,
        caller: str | None = None,
    ) -> MemoryView:
        if state not in SETTABLE:
            raise UsageError("bad_field", "Not a state", f"A memory is made {' or '.join(SETTABLE)}, not {state!r}.")
        with self._mind(space, caller) as mind:
            return mind.memories.archive(id) if state == "archived" else mind.memories.restore(id)

    def bring_back(
        self,
        kind: str,
        id: int,  # noqa: A002
        space: str | None = None,
        caller: str | None = None,
    ) -> None:
        with self._mind(space, caller) as mind:
            lifecycle.restore(mind.store, kind, id, now_ms())

    def memories(
        self,
        project: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        limit: int = 0,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        with self._mind(space, caller) as mind:
            return mind.memories.listing(project, kind, state, limit)

    def memory_stats(self, space: str | None = None, caller: str | None = None) -> MemoryStats:
        with self._mind(space, caller) as mind:
            facts = mind.store.facts()
            rows = list(mind.store.rows(MemoryRow).values())
            active = [row for row in rows if row.state == "active"]
            newest = facts.snapshots[0].created if facts.snapshots else 0
            return MemoryStats(
                by_kind=_counted(row.kind for row in active), by_state=_counted(row.state for row in rows),
                by_project=_counted(row.project for row in active), missing_vectors=self._lacking(mind, len(active)),
                schema=facts.schema, backend=self.settings["meaning.backend"], memory_bytes=facts.bytes,
                journal_entries=facts.journal_entries, snapshots=len(facts.snapshots), newest_snapshot=clock.iso(newest),
                path=str(facts.path), mended=facts.mended,
            )  # fmt: skip

    def _lacking(self, mind: Mind, active: int) -> int:
        """Memories that cannot be found by meaning yet; none where that is off, all where the back end is not known yet."""
        if not self.sense.is_on:
            return 0
        space = self.sense.space()
        return len(mind.store.lacking(space.key)) if space else active

    def recall_memories(
        self,
        query: str,
        project: str | None = None,
        limit: int = 8,
        kinds: list[str] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[MemoryView]:
        with self._mind(space, caller) as mind:
            return recall(
                mind.store, mind.projects, query, project=project, limit=limit, kinds=kinds or (),
                begin=self.sense.begin if self.sense.is_on else None,
            )  # fmt: skip

    # --- kept safe, and carried elsewhere ----------------------------------------------------------------------------------
    def backup(self, space: str | None = None, caller: str | None = None) -> BackupView:
        with self._mind(space, caller) as mind:
            path = mind.store.backup()
            return _backup_view(mind, path)

    def backups(self, space: str | None = None, caller: str | None = None) -> list[BackupView]:
        with self._mind(space, caller) as mind:
            return list(map(_view, mind.store.backups()))

    def restore_backup(self, path: str, space: str | None = None, caller: str | None = None) -> BackupView:
        with self._mind(space, caller) as mind:
            wanted = Path(path)
            known = {one.path.name: one.path for one in mind.store.backups()}
            file = wanted if wanted.is_file() else known.get(wanted.name)
            if file is None:
                raise UsageError(
                    "no_such_backup", "No such backup", f"{path} is no backup of this memory.", "See: backscroll backup --list"
                )
            return _backup_view(mind, mind.store.restore(file))

    def export_memory(
        self, path: str, overwrite: bool = False, space: str | None = None, caller: str | None = None
    ) -> TransferReport:
        with self._mind(space, caller) as mind:
            return export_memory(mind.store, Path(path), overwrite=overwrite)

    def import_memory(self, path: str, space: str | None = None, caller: str | None = None) -> TransferReport:
        with self._mind(space, caller) as mind:
            return import_memory(mind.store, mind.projects, Path(path))


def _counted(names: Iterable[str]) -> dict[str, int]:
    """The most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))


def _view(one: Snapshot) -> BackupView:
    return BackupView(
        path=str(one.path), bytes=one.bytes, memories=one.memories, created=clock.iso(one.created) or "", kind=one.kind
    )


def _backup_view(mind: Mind, path: Path) -> BackupView:
    return next(_view(one) for one in mind.store.backups() if one.path == path)
