"""What to read next: files found on disk against files known, newest first.

A file is left alone when its size, time, inode and side files are as remembered, and the rules that read it are the same.
A missing file is gone only if its folder could really be looked at: an unmounted root, or one that lists nothing at all,
takes nothing out of the index.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tray_app.indexing.merge import fingerprint, path_text
from tray_app.indexing.prepare import PIPELINE_VERSION
from tray_app.library.rows import FileRow
from tray_app.records import Problem
from tray_app.sources.base import Adapter, Checkpoint, Context, Unit


class Source(msgspec.Struct, frozen=True):
    """One ticked folder of one agent."""

    id: str
    agent: str
    root: Path


class Work(msgspec.Struct, frozen=True):
    """A file to read: from its checkpoint where the row has a usable one."""

    source: Source
    unit: Unit
    file: FileRow | None
    checkpoint: Checkpoint | None


class SourcePlan(msgspec.Struct):
    """The plan for one source. `state`: idle | offline | failed."""

    source: Source
    work: list[Work] = []
    unchanged: int = 0
    files: int = 0
    gone: list[FileRow] = []
    expired: list[FileRow] = []
    """Content that is now older than the window."""
    too_old: int = 0
    problems: list[Problem] = []
    state: str = "idle"
    error: str = ""


def plan_source(
    source: Source,
    adapter: Adapter,
    known: dict[tuple[str, str], FileRow],
    context: Context,
    *,
    oldest_ns: int,
    full: bool,
    reread: frozenset[int],
    taken: set[tuple[str, str]],
) -> SourcePlan:
    """Plan one source. `known` are the file rows by (agent, unit); `oldest_ns` is the border of the window (0: none);
    `reread` names sessions whose files must be read whole; `taken` collects units planned so far over all sources."""
    plan = SourcePlan(source)
    if not source.root.exists():
        plan.state = "offline"
        return plan
    try:
        units = _one_each(adapter.discover(source.root, context, plan.problems.append))
    except OSError as fault:
        plan.state, plan.error = "failed", fault.strerror or type(fault).__name__
        return plan
    for unit in units:
        key = (unit.agent, unit.session)
        if key in taken:
            continue
        taken.add(key)
        plan.files += 1
        row = known.get(key)
        if oldest_ns and unit.mtime_ns < oldest_ns:
            plan.too_old += 1
            if row and row.session_id >= 0:
                plan.expired.append(row)
            continue
        if row and not full and row.session_id not in reread and _unchanged(unit, row, adapter):
            plan.unchanged += 1
            continue
        plan.work.append(Work(source, unit, row, None if full else _checkpoint(row, unit, adapter, reread)))
    mine = [
        row
        for key, row in known.items()
        if row.agent == source.agent and row.root == path_text(source.root) and key not in taken
    ]
    if mine and (plan.files or _lists_anything(source.root)):
        unseen = [problem.path for problem in plan.problems if problem.kind == "unreadable"]
        plan.gone = [row for row in mine if not _below(row.path, unseen)]
    elif mine:
        plan.state = "offline"
    return plan


def _one_each(units: Iterable[Unit]) -> list[Unit]:
    """One unit a session: the preferred, then the larger, then the newer file. Newest first."""
    best: dict[str, Unit] = {}
    for unit in units:
        other = best.get(unit.session)
        if other is None or _worth(unit) > _worth(other):
            best[unit.session] = unit
    return sorted(best.values(), key=lambda unit: (unit.mtime_ns, unit.session), reverse=True)


def _worth(unit: Unit) -> tuple[int, int, int, str]:
    return (unit.preference, unit.size, unit.mtime_ns, str(unit.path))


def _unchanged(unit: Unit, row: FileRow, adapter: Adapter) -> bool:
    return (
        row.status != "over_budget"
        and same_file(unit, row)
        and row.adapter_version == adapter.version
        and row.pipeline_version == PIPELINE_VERSION
    )


def same_file(unit: Unit, row: FileRow) -> bool:
    """Whether the file is as it was when the row was written."""
    return (
        row.path == path_text(unit.path)
        and row.size == unit.size
        and row.mtime_ns == unit.mtime_ns
        and row.inode == unit.inode
        and row.others == fingerprint(unit.others)
    )


def _checkpoint(row: FileRow | None, unit: Unit, adapter: Adapter, reread: frozenset[int]) -> Checkpoint | None:
    if row is None or not row.continuable or row.session_id < 0 or row.session_id in reread:
        return None
    if row.path != path_text(unit.path) or unit.size < row.offset:
        return None
    if row.adapter_version != adapter.version or row.pipeline_version != PIPELINE_VERSION:
        return None
    return Checkpoint(row.offset, row.guard, row.lines, row.seq, row.state)


def _lists_anything(root: Path) -> bool:
    try:
        with os.scandir(root) as entries:
            return next(entries, None) is not None
    except OSError:
        return False


def _below(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/\\") + os.sep) for folder in folders)
