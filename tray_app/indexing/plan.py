"""What to read next: files found on disk against files known, newest first.

A file is left alone when its size, time, inode and side files are as remembered, and the rules that read it are the same.
A missing file is gone only if its folder could really be looked at: an unmounted root, or one that lists nothing at all,
takes nothing out of the index.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from pathlib import Path

import msgspec

from tray_app.indexing.merge import fingerprint, path_text
from tray_app.indexing.prepare import PIPELINE_VERSION
from tray_app.indexing.whereabouts import ELSEWHERE, has_only_grown
from tray_app.library.rows import FileRow
from tray_app.library.store import ASKED_ANEW
from tray_app.records import Problem
from tray_app.sources.base import Adapter, Checkpoint, Context, Unit

log = logging.getLogger(__name__)


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
    seen: set[int] = set()
    """Sessions that are known of files that are there."""
    expired: list[tuple[Unit, FileRow | None]] = []
    """Files older than the window that are not known as such yet."""
    problems: list[Problem] = []
    state: str = "idle"
    error: str = ""


def plan_pass(
    sources: Sequence[Source],
    adapters: Callable[[str], Adapter],
    known: Mapping[tuple[str, str], FileRow],
    context: Context,
    oldest_ns: int,
    doubted: Collection[tuple[str, str]] = (),
    passed_over: Callable[[Unit], bool] = lambda unit: False,
) -> list[SourcePlan]:
    """Plan all sources together: a session that stands in several is read where it is most. `known` are the file rows by
    (agent, session as the file is named); `oldest_ns` is the border of the window (0: none); `doubted` files are read even if
    they were taken for another library's and are as they were; `passed_over` ones count as not there."""
    plans = [SourcePlan(source) for source in sources]
    found = [_discover(plan, adapters, context, passed_over) for plan in plans]
    chosen: dict[tuple[str, str], int] = {}
    for number, units in enumerate(found):
        for key, unit in units.items():
            if key not in chosen or _worth(unit) > _worth(found[chosen[key]][key]):
                chosen[key] = number
    unseen = {(plan.source.agent, path_text(plan.source.root)) for plan in plans if plan.state != "idle"}
    for number, (plan, units) in enumerate(zip(plans, found, strict=True)):
        mine = {key: unit for key, unit in units.items() if chosen[key] == number}
        _plan_source(plan, mine, adapters, known, oldest_ns, unseen, doubted)
    for plan in plans:
        if plan.state == "idle":
            _find_gone(plan, known, chosen)
    return plans


def _discover(
    plan: SourcePlan, adapters: Callable[[str], Adapter], context: Context, passed_over: Callable[[Unit], bool]
) -> dict[tuple[str, str], Unit]:
    """The units of a source, one a session: the preferred, then the larger, then the newer file."""
    source = plan.source
    best: dict[tuple[str, str], Unit] = {}
    try:
        if not source.root.exists():
            plan.state = "offline"
            return {}
        for unit in adapters(source.agent).discover(source.root, context, plan.problems.append):
            key = (unit.agent, unit.session)
            if not passed_over(unit) and (key not in best or _worth(unit) > _worth(best[key])):
                best[key] = unit
    except OSError as fault:
        plan.state, plan.error = "failed", fault.strerror or type(fault).__name__
        return {}
    except Exception as fault:
        log.exception("looking for %s files failed", source.agent)
        plan.state, plan.error = "failed", f"could not be looked through ({type(fault).__name__})"
        return {}
    return best


def _plan_source(
    plan: SourcePlan,
    units: Mapping[tuple[str, str], Unit],
    adapters: Callable[[str], Adapter],
    known: Mapping[tuple[str, str], FileRow],
    oldest_ns: int,
    unseen: set[tuple[str, str]],
    doubted: Collection[tuple[str, str]],
) -> None:
    plan.files = len(units)
    for key, unit in units.items():
        row = known.get(key)
        plan.seen.update({row.session_id} if row else ())
        if oldest_ns and unit.mtime_ns < oldest_ns:
            if row is None or row.session_id >= 0 or not (row.over_budget or row.status == ELSEWHERE):
                plan.expired.append((unit, row))
            continue
        adapter = adapters(unit.agent)
        elsewhere = row is not None and row.root != path_text(unit.root) and (row.agent, row.root) in unseen
        if row and (elsewhere or (_unchanged(unit, row, adapter) and key not in doubted)):
            plan.unchanged += 1
        else:
            plan.work.append(Work(plan.source, unit, row, _checkpoint(row, unit, adapter)))


def _find_gone(plan: SourcePlan, known: Mapping[tuple[str, str], FileRow], chosen: Container[tuple[str, str]]) -> None:
    """Known files of a source that are no longer anywhere. A root that lists nothing at all is one that is not mounted, and
    so is a link in it that leads nowhere."""
    source = plan.source
    root = path_text(source.root)
    missing = [row for key, row in known.items() if row.agent == source.agent and row.root == root and key not in chosen]
    if missing and not plan.files and not _lists_anything(source.root):
        plan.state = "offline"
        return
    unseen = [path_text(problem.path) for problem in plan.problems if problem.kind == "unreadable"]
    unseen += _dangling(source.root)
    plan.gone = [row for row in missing if not _below(row.path, unseen)]


def _worth(unit: Unit) -> tuple[int, int, int, str]:
    return (unit.preference, unit.size, unit.mtime_ns, str(unit.path))


def _unchanged(unit: Unit, row: FileRow, adapter: Adapter) -> bool:
    if row.status == ELSEWHERE:  # what it says is of no interest here, so that its growing costs nothing
        same = has_only_grown(unit, row) and row.pipeline_version != ASKED_ANEW
        return same and row.adapter_version == adapter.version
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


def _checkpoint(row: FileRow | None, unit: Unit, adapter: Adapter) -> Checkpoint | None:
    if row is None or not row.continuable or row.session_id < 0:
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


def _dangling(root: Path) -> list[str]:
    """Links in a root whose target is not there: a folder on a disk that is not mounted."""
    with os.scandir(root) as entries:
        return [path_text(entry.path) for entry in entries if entry.is_symlink() and not Path(entry.path).exists()]


def _below(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/\\") + os.sep) for folder in folders)
