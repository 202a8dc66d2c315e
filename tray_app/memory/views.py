"""Memories as front ends see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tray_app import clock
from tray_app.library.memory.rows import MemoryRow
from tray_app.records import MemoryView


def superseded_of(rows: Mapping[int, MemoryRow]) -> dict[int, tuple[int, ...]]:
    """For each memory the ids of those it supersedes, rising."""
    found: dict[int, list[int]] = {}
    for row in [row for row in rows.values() if row.superseded_by]:
        found.setdefault(row.superseded_by, []).append(row.id)
    return {number: tuple(sorted(ids)) for number, ids in found.items()}


def memory_view(
    row: MemoryRow, superseded: Mapping[int, tuple[int, ...]], score: float = 0.0, matched: Sequence[str] = ()
) -> MemoryView:
    """`superseded` as `superseded_of` gives it; `score` and `matched` of a recall."""
    return MemoryView(
        id=row.id,
        project=row.project,
        kind=row.kind,
        state=row.state,
        title=row.title,
        content=row.content,
        created=clock.iso(row.created) or "",
        updated=clock.iso(row.updated) or "",
        last_used=clock.iso(row.last_used),
        use_count=row.use_count,
        superseded_by=row.superseded_by or None,
        supersedes=superseded.get(row.id, ()),
        source_agent=row.source_agent,
        source_session=row.source_session,
        source_message=row.source_message,
        source_path=row.source_path,
        score=score,
        matched=tuple(matched),
    )


def memory_views(rows: Iterable[MemoryRow], known: Mapping[int, MemoryRow]) -> list[MemoryView]:
    """In the order of the rows; `known` are all memories."""
    superseded = superseded_of(known)
    return [memory_view(row, superseded) for row in rows]
