"""What is kept of a project goes to another one, or away. Writes into the change it is given."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import (
    AliasRow,
    ArchiveRow,
    CardRow,
    ChangelogRow,
    CheckpointRow,
    MemoryRow,
    PageRow,
    ParagraphRow,
    ProjectRow,
    Row,
)
from tray_app.memory.names import name_key

R = TypeVar("R", bound=Row)
L = TypeVar("L", bound=CheckpointRow | CardRow)


def absorb(change: Change, old: str, new: str) -> None:
    """Everything of a project becomes another's. Of two active checkpoints or cards the later one stays so, and of two drafts;
    a memory that the other has already is superseded by that; a page that it has already goes."""
    _absorb_memories(change, old, new)
    _absorb_latest(change, CheckpointRow, old, new)
    _absorb_latest(change, CardRow, old, new)
    paths = {row.path for row in _of(change, PageRow, new)}
    doubled = {row.id for row in _of(change, PageRow, old) if row.path in paths}
    for page in _of(change, PageRow, old):
        if page.id in doubled:
            change.delete(PageRow, page.id)
        else:
            change.put(msgspec.structs.replace(page, project=new))
    for paragraph in _of(change, ParagraphRow, old):
        if paragraph.page in doubled:
            change.delete(ParagraphRow, paragraph.id)
        else:
            change.put(msgspec.structs.replace(paragraph, project=new))
    for archived in _of(change, ArchiveRow, old):
        change.put(msgspec.structs.replace(archived, project=new))
    for entry in _of(change, ChangelogRow, old):
        change.put(msgspec.structs.replace(entry, project=new))
    for row in _registered(change, old):
        change.delete(ProjectRow, row.id)


def _absorb_memories(change: Change, old: str, new: str) -> None:
    known = {(row.kind, row.hash): row.id for row in _of(change, MemoryRow, new) if row.state == "active"}
    for row in _of(change, MemoryRow, old):
        twin = known.get((row.kind, row.hash)) if row.state == "active" else None
        if twin is None:
            change.put(msgspec.structs.replace(row, project=new))
        else:
            change.put(msgspec.structs.replace(row, project=new, state="superseded", superseded_by=twin))


def _absorb_latest(change: Change, kind: type[L], old: str, new: str) -> None:
    mine, others = _of(change, kind, new), _of(change, kind, old)
    moved = {row.id: msgspec.structs.replace(row, project=new) for row in others}
    for state, then in (("active", "superseded"), ("draft", "archived")):
        rows = [row for row in (*mine, *moved.values()) if row.state == state]
        for row in sorted(rows, key=lambda row: (row.updated or row.created, row.id))[:-1]:
            moved[row.id] = msgspec.structs.replace(row, state=then)
    for row in moved.values():
        change.put(row)


def remove(change: Change, name: str) -> None:
    """Delete all that is kept of a project. Its sessions stay known as archived, so that they do not come back by themselves."""
    gone = {row.id for row in _of(change, MemoryRow, name)}
    for kind in (MemoryRow, CheckpointRow, CardRow, PageRow, ParagraphRow, ChangelogRow):
        for row in _of(change, kind, name):
            change.delete(kind, row.id)
    for memory in list(change.rows(MemoryRow).values()):
        if memory.superseded_by in gone and memory.id not in gone:
            change.put(msgspec.structs.replace(memory, superseded_by=0))
    for archived in _of(change, ArchiveRow, name):
        change.put(msgspec.structs.replace(archived, memory=0, checkpoint=0))
    for project in _registered(change, name):
        change.delete(ProjectRow, project.id)
    for alias in list(change.rows(AliasRow).values()):
        if name_key(alias.project) == name_key(name):
            change.delete(AliasRow, alias.id)


def _registered(change: Change, name: str) -> list[ProjectRow]:
    return [row for row in change.rows(ProjectRow).values() if name_key(row.name) == name_key(name)]


def _of(change: Change, kind: type[R], project: str) -> list[R]:
    """Rows of a project, by id."""
    key = name_key(project)
    rows = (row for row in change.rows(kind).values() if name_key(getattr(row, "project", "")) == key)
    return sorted(rows, key=lambda row: row.id)
