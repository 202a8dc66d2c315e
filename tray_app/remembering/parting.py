"""When folders are assigned otherwise: what was kept of their sessions goes to the memory of the library they belong to now.

Owns the moving of summaries, figures and drafts, which come from sessions. What a person wrote stays where they wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from tray_app.library.memory.rows import ArchiveRow, CheckpointRow, MemoryRow, NoteRow
from tray_app.memory.archiving import forget
from tray_app.memory.finished import BASELINE
from tray_app.remembering.minds import Mind
from tray_app.territory import Layout


def part(minds: Iterable[tuple[str, Mind]], mind_of: Callable[[str], Mind], layout: Layout) -> None:
    """Move what is not a library's own any more; before its index is parted, which knows the folders. `minds` come with the ids of
    their spaces; `mind_of` gives the memory of a space, removed ones too. Raises KnownError."""
    for space, mind in minds:
        for owner, rows in _leaving(space, mind, layout).items():
            _take_over(mind, mind_of(owner), rows)
            for row in rows:
                forget(mind.store, row.agent, row.session)


def _leaving(space: str, mind: Mind, layout: Layout) -> dict[str, list[ArchiveRow]]:
    """Archived sessions by the space that they belong to now."""
    rows = list(mind.store.rows(ArchiveRow).values())
    found: dict[str, list[ArchiveRow]] = {}
    if not rows:
        return found
    folders: dict[tuple[str, str], str] = {}
    if mind.library.file.exists():
        with mind.library.reading(settled=False) as reader:
            folders = reader.session_folders((row.agent, row.session) for row in rows)
    for row in rows:
        folder = folders.get((row.agent, row.session)) or mind.projects.folder_of(row.project)
        owner = layout.owner_of(folder) if folder else space
        if owner != space:
            found.setdefault(owner, []).append(row)
    return found


def _take_over(source: Mind, target: Mind, rows: list[ArchiveRow]) -> None:
    """Write what is not there yet; under the names that projects have there."""
    memories, checkpoints = source.store.rows(MemoryRow), source.store.rows(CheckpointRow)
    names = {row.project: target.projects.resolve(row.project) for row in rows}
    baseline = next((note for note in source.store.rows(NoteRow).values() if note.key == BASELINE), None)
    with target.store.change() as change:
        known = {(row.agent, row.session) for row in change.rows(ArchiveRow).values()}
        if baseline is not None and not any(note.key == BASELINE for note in change.rows(NoteRow).values()):
            change.put(msgspec.structs.replace(baseline, id=change.new_id(NoteRow)))
        for row in rows:
            if (row.agent, row.session) in known:
                continue
            name, memory, draft = names[row.project], memories.get(row.memory), checkpoints.get(row.checkpoint)
            memory_id = checkpoint_id = 0
            if memory is not None:
                memory_id = change.new_id(MemoryRow)
                change.put(msgspec.structs.replace(memory, id=memory_id, project=name, superseded_by=0))
            if draft is not None and draft.state == "draft":
                checkpoint_id = change.new_id(CheckpointRow)
                change.put(msgspec.structs.replace(draft, id=checkpoint_id, project=name))
            change.put(
                msgspec.structs.replace(
                    row, id=change.new_id(ArchiveRow), project=name, memory=memory_id, checkpoint=checkpoint_id
                )
            )
            target.projects.register(change, name)
