"""Tidying up: what a clean-up would put away, report and delete, and doing it.

Owns the table of ages and counts. Archives softly: what was archived can be brought back. Deletes only what has lain archived for long, only
when asked, after a backup. The plan is made of the rows as they are, so that a second one right after applying is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

import msgspec

from tray_app.errors import UsageError
from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import ArchiveRow, CardRow, CheckpointRow, MemoryRow, NoteRow, ProjectRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.drafts import carded, draft_in, put_away
from tray_app.memory.names import name_key
from tray_app.records import CleanupItem, CleanupPlan, ProjectView

DAY_MS = 86_400_000
REPORTED = "cleanup_reported"
"""Key of the note: when what was merely reported was shown to the person, by 'kind id' (epoch ms, JSON)."""
RESTORABLE = ("memory", "checkpoint", "card")
_ALWAYS_READ = frozenset({"baseline", "session", "checkpoint", "handoff"})
"""Kinds whose use is not counted by recalls (the pack holds them), or that have a rule of their own."""


class Limits(Protocol):
    """The settings of `memory`, by their keys: those in force, or others."""

    def __getitem__(self, key: str, /) -> Any: ...


State = TypeVar("State", CheckpointRow, CardRow)


def plan(
    store: MemoryStore, settings: Limits, now: int, *, purge: bool = False, orphans: Iterable[ProjectView] = ()
) -> CleanupPlan:
    """What a clean-up would do now (epoch ms). `orphans`: projects whose folder is gone; `purge`: show what would be deleted, too.

    An item's `kind` is a memory's own kind, or checkpoint | draft | card | project. Changes nothing."""
    memories, checkpoints = store.rows(MemoryRow), store.rows(CheckpointRow)
    items = [
        *_sessions(memories, checkpoints, settings, now),
        *_beyond(store.rows(CardRow).values(), "card", int(settings["memory.keep_cards"])),
        *_beyond(checkpoints.values(), "checkpoint", int(settings["memory.keep_checkpoints"])),
        *_unconfirmed(memories, checkpoints, settings, now),
        *_not_reported(store, [*_unused(memories, settings, now), *_orphans(store, orphans, settings, now)], settings, now),
    ]
    if purge:
        items += _long_archived(store, settings, now)
    return _planned(items)


def apply(
    store: MemoryStore, settings: Limits, now: int, *, purge: bool = False, orphans: Iterable[ProjectView] = ()
) -> CleanupPlan:
    """Do what `plan` says, in one change, after a backup. What is only reported is reported once in `memory.unused_days`. Raises
    KnownError where the backup or the change cannot be written; then nothing is done."""
    gone = tuple(orphans)
    if not plan(store, settings, now, purge=purge, orphans=gone).items:
        return CleanupPlan(applied=True)
    with store.change() as change:
        made = plan(store, settings, now, purge=purge, orphans=gone)
        touches = any(item.action != "report" for item in made.items)
        backup = str(store.backup("before")) if touches else ""
        for item in made.items:
            if item.action == "archive":
                _archive(change, item, now)
            elif item.action == "delete":
                _delete(change, item)
        _note_reported(store, change, [item for item in made.items if item.action == "report"], now)
    return msgspec.structs.replace(made, applied=True, backup=backup)


def restore(store: MemoryStore, kind: str, number: int, now: int) -> None:
    """Bring an archived memory, checkpoint or card back: a memory as active or superseded, a draft as draft (where none waits),
    the others as superseded.
    `kind`: memory | checkpoint | card. Raises UsageError `bad_kind`, `no_such_memory`."""
    if kind not in RESTORABLE:
        raise UsageError("bad_kind", "Not a kind", f"What can be restored is {', '.join(RESTORABLE)}, not {kind!r}.")
    with store.change() as change:
        rows: Mapping[int, MemoryRow | CheckpointRow | CardRow]
        rows = change.rows(MemoryRow) if kind == "memory" else change.rows(CheckpointRow if kind == "checkpoint" else CardRow)
        row = rows.get(number)
        if row is None or row.state != "archived":
            raise UsageError("no_such_memory", "No such memory", f"There is no archived {kind} {number}.")
        state = "superseded"
        if isinstance(row, MemoryRow):
            state = "superseded" if row.superseded_by else "active"
        elif isinstance(row, CheckpointRow) and number not in carded(change.rows(CardRow).values()):
            waits = draft_in(change.rows(CheckpointRow).values(), row.project)
            state = "superseded" if waits else "draft"
        change.put(msgspec.structs.replace(row, state=state, updated=now))


# --- the rules ------------------------------------------------------------------------------------------------------------------
def _sessions(
    memories: Mapping[int, MemoryRow], checkpoints: Mapping[int, CheckpointRow], settings: Limits, now: int
) -> list[CleanupItem]:
    checked = {name_key(row.project) for row in checkpoints.values() if row.state == "active"}
    with_one, without = int(settings["memory.session_days_with_checkpoint"]), int(settings["memory.session_days"])
    found = []
    for row in _by_id(memories):
        if row.kind != "session" or row.state != "active":
            continue
        age = _days(now, row.updated)
        if age >= without:
            found.append(_of_memory(row, f"session summary, {age} days old", "archive"))
        elif age >= with_one and name_key(row.project) in checked:
            found.append(_of_memory(row, f"session summary, {age} days old, and the project has a checkpoint", "archive"))
    return found


def _beyond(rows: Iterable[State], kind: str, keep: int) -> list[CleanupItem]:
    """Superseded ones behind the newest `keep` of their project."""
    seen: dict[str, int] = {}
    found = []
    for row in sorted((one for one in rows if one.state == "superseded"), key=lambda one: -one.id):
        key = name_key(row.project)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > keep:
            title = row.goal if isinstance(row, CheckpointRow) else _first_line(row.markdown)
            found.append(_item(row.id, row.project, kind, title, f"superseded, beyond the last {keep}", "archive"))
    return sorted(found, key=lambda item: item.id)


def _unconfirmed(
    memories: Mapping[int, MemoryRow], checkpoints: Mapping[int, CheckpointRow], settings: Limits, now: int
) -> list[CleanupItem]:
    days = int(settings["memory.draft_days"])
    found = [
        _item(
            row.id, row.project, "draft", row.goal, f"draft that nobody confirmed for {_days(now, row.updated)} days", "archive"
        )
        for row in _by_id(checkpoints)
        if row.state == "draft" and _days(now, row.updated) >= days
    ]
    return found + [
        _of_memory(row, f"draft that nobody confirmed for {_days(now, row.updated)} days", "archive")
        for row in _by_id(memories)
        if row.state == "draft" and _days(now, row.updated) >= days
    ]


def _unused(memories: Mapping[int, MemoryRow], settings: Limits, now: int) -> list[CleanupItem]:
    days = int(settings["memory.unused_days"])
    return [
        _of_memory(row, f"never used in {_days(now, row.updated)} days", "report")
        for row in _by_id(memories)
        if row.state == "active" and row.kind not in _ALWAYS_READ and not row.use_count and _days(now, row.updated) >= days
    ]


def _orphans(store: MemoryStore, orphans: Iterable[ProjectView], settings: Limits, now: int) -> list[CleanupItem]:
    days = int(settings["memory.unused_days"])
    ids = {name_key(row.name): row.id for row in store.rows(ProjectRow).values()}
    found = []
    for view in orphans:
        touched = round(datetime.fromisoformat(view.last_activity).timestamp() * 1000) if view.last_activity else 0
        if view.state == "orphan" and _days(now, touched) >= days:
            age = f"untouched for {_days(now, touched)} days" if touched else "never touched"
            reason = f"its folder is gone, {age}"
            found.append(_item(ids.get(name_key(view.name), 0), view.name, "project", view.name, reason, "report"))
    return found


def _long_archived(store: MemoryStore, settings: Limits, now: int) -> list[CleanupItem]:
    days = int(settings["memory.purge_days"])
    found = []
    for row in _by_id(store.rows(MemoryRow)):
        if row.state == "archived" and _days(now, row.updated) >= days:
            found.append(_of_memory(row, f"archived for {_days(now, row.updated)} days", "delete"))
    active_once = carded(store.rows(CardRow).values())
    for point in _by_id(store.rows(CheckpointRow)):
        if point.state == "archived" and _days(now, point.updated) >= days:
            kind = "checkpoint" if point.id in active_once else "draft"
            reason = f"archived for {_days(now, point.updated)} days"
            found.append(_item(point.id, point.project, kind, point.goal, reason, "delete"))
    for card in _by_id(store.rows(CardRow)):
        since = card.updated or card.created
        if card.state == "archived" and _days(now, since) >= days:
            reason = f"archived for {_days(now, since)} days"
            found.append(_item(card.id, card.project, "card", _first_line(card.markdown), reason, "delete"))
    return found


# --- what was reported ----------------------------------------------------------------------------------------------------------
def _not_reported(store: MemoryStore, items: Sequence[CleanupItem], settings: Limits, now: int) -> list[CleanupItem]:
    """Without those that the person was told of at a clean-up not long ago."""
    told = _reported(store.rows(NoteRow).values())
    days = int(settings["memory.unused_days"])
    return [item for item in items if _days(now, told.get(_key(item), 0)) >= days]


def _note_reported(store: MemoryStore, change: Change, items: Sequence[CleanupItem], now: int) -> None:
    if not items:
        return
    note = next((row for row in store.rows(NoteRow).values() if row.key == REPORTED), None)
    told = _reported([note] if note else [])
    told.update({_key(item): now for item in items})
    value = msgspec.json.encode(told).decode()
    change.put(NoteRow(id=note.id if note else change.new_id(NoteRow), key=REPORTED, value=value))


def _reported(notes: Iterable[NoteRow]) -> dict[str, int]:
    for row in notes:
        if row.key == REPORTED:
            try:
                return msgspec.json.decode(row.value, type=dict[str, int])
            except (msgspec.DecodeError, UnicodeError):
                return {}
    return {}


def _key(item: CleanupItem) -> str:
    return f"{item.kind} {item.id or item.project}"


# --- doing it -------------------------------------------------------------------------------------------------------------------
def _archive(change: Change, item: CleanupItem, now: int) -> None:
    if item.kind == "card":
        change.put(msgspec.structs.replace(change.rows(CardRow)[item.id], state="archived", updated=now))
    elif item.kind == "draft":
        put_away(change, change.rows(CheckpointRow)[item.id], now)
    elif item.kind == "checkpoint":
        change.put(msgspec.structs.replace(change.rows(CheckpointRow)[item.id], state="archived", updated=now))
    else:
        change.put(msgspec.structs.replace(change.rows(MemoryRow)[item.id], state="archived", updated=now))


def _delete(change: Change, item: CleanupItem) -> None:
    """Links to it are taken out with it; a session stays known as archived, so that it does not come back by itself."""
    if item.kind in ("draft", "checkpoint"):
        change.delete(CheckpointRow, item.id)
        for archived in list(change.rows(ArchiveRow).values()):
            if archived.checkpoint == item.id:
                change.put(msgspec.structs.replace(archived, checkpoint=0))
        return
    if item.kind == "card":
        change.delete(CardRow, item.id)
        return
    change.delete(MemoryRow, item.id)
    for memory in list(change.rows(MemoryRow).values()):
        if memory.superseded_by == item.id:
            change.put(msgspec.structs.replace(memory, superseded_by=0))
    for archived in list(change.rows(ArchiveRow).values()):
        if archived.memory == item.id:
            change.put(msgspec.structs.replace(archived, memory=0))


def _days(now: int, then: int) -> int:
    """Whole days of 24 hours since, 0 for what lies ahead."""
    return max(now - then, 0) // DAY_MS


def _of_memory(row: MemoryRow, reason: str, action: str) -> CleanupItem:
    return _item(row.id, row.project, row.kind, row.title, reason, action)


def _item(number: int, project: str, kind: str, title: str, reason: str, action: str) -> CleanupItem:
    return CleanupItem(id=number, project=project, kind=kind, title=title, reason=reason, action=action)


def _first_line(markdown: str) -> str:
    return next((line.strip("# ").strip() for line in markdown.split("\n") if line.strip("# ").strip()), "")


def _planned(items: Sequence[CleanupItem]) -> CleanupPlan:
    done = [item.action for item in items]
    return CleanupPlan(
        items=tuple(items), archived=done.count("archive"), deleted=done.count("delete"), reported=done.count("report")
    )


R = TypeVar("R", MemoryRow, CheckpointRow, CardRow)


def _by_id(rows: Mapping[int, R]) -> list[R]:
    return [row for _, row in sorted(rows.items())]
