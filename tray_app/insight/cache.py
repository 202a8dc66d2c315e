"""Cache figures: what came from the agents' prompt caches, what compactions cost, and whether handing over helps.

Owns the arithmetic and what may be said of it. Sessions in the index count with what their calls logged now, those that have left it
with what was kept when they were archived. Calls that did not say what came from the cache are in no rate. Whether hand-over helps is
told from archived sessions alone, by medians (one session that reads for hours before it writes says nothing of the others), and only
where both sides have `ENOUGH` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

import msgspec

from tray_app import clock
from tray_app.library.memory.rows import ArchiveRow
from tray_app.library.memory.store import MemoryStore
from tray_app.library.reading import Reader
from tray_app.library.session_reading import session_states, told_in
from tray_app.library.usage_reading import (
    Compacted,
    added_up,
    compactions_of_sessions,
    usage_of_sessions,
)
from tray_app.memory.finished import Family, families
from tray_app.memory.names import name_key
from tray_app.memory.work import Figures, figures_of, steps_of
from tray_app.records import CacheGroup, CacheStats, SessionFigures

ENOUGH = 5
"""Sessions that a side of a comparison needs."""
NOT_ENOUGH = "not enough sessions yet"


class _Session(msgspec.Struct, frozen=True, gc=False):
    """One session with its sub-agents. `counted`: its calls told what came from the cache; `family` is None when it has left the index,
    `archived` while it was not archived."""

    agent: str
    session: str
    project: str
    title: str
    end: int
    counted: bool
    tokens_in: int
    tokens_out: int
    cache_read: int
    cache_write: int
    compactions: int
    measured: int
    thrown_away: int
    family: Family | None
    archived: ArchiveRow | None
    all_in: int


def cache_stats(
    reader: Reader,
    store: MemoryStore,
    project_of: Callable[[str], str],
    project: str | None = None,
    limit: int = 20,
) -> CacheStats:
    """All figures. `project_of` gives the project of a session's folder; `project` (its own name) leaves out all others; `limit`:
    sessions listed, the latest first. Inside `Reader.snapshot`, so that all is of one moment. Raises KnownError where the memory cannot be opened."""
    key = name_key(project) if project else ""
    archived = {(row.agent, row.session): row for row in store.rows(ArchiveRow).values()}
    found = _indexed(reader, archived, project_of)
    met = {(one.agent, one.session) for one in found}
    found += [_kept(row) for place, row in archived.items() if place not in met]
    sessions = [one for one in found if not key or name_key(one.project) == key]
    sessions.sort(key=lambda one: (-one.end, one.agent, one.session))
    listed = tuple(_figures(reader, one) for one in sessions[: max(limit, 0)])
    by_agent = _groups(sessions, lambda one: one.agent)
    by_project = _groups(sessions, lambda one: one.project)
    stats = CacheStats(
        by_agent=by_agent,
        by_project=by_project,
        sessions=listed,
        compactions=sum(one.compactions for one in sessions),
        measured_compactions=sum(one.measured for one in sessions),
        thrown_away=sum(one.thrown_away for one in sessions),
    )
    return _compared(stats, [one.archived for one in sessions if one.archived is not None])


def hit_rate(tokens_in: int, cache_read: int, cache_write: int) -> float | None:
    """Share of what was sent that came from the cache; None where nothing was sent."""
    sent = tokens_in + cache_read + cache_write
    return cache_read / sent if sent else None


def _indexed(
    reader: Reader, archived: Mapping[tuple[str, str], ArchiveRow], project_of: Callable[[str], str]
) -> list[_Session]:
    usage, compacted = usage_of_sessions(reader.cursor), compactions_of_sessions(reader.cursor)
    projects: dict[str, str] = {}
    found = []
    for family in families(session_states(reader.cursor)):
        row, kept = family.main.row, archived.get(family.key)
        spent = added_up([row.id, *(one.row.id for one in family.helpers)], usage)
        if spent is None:
            found += [_kept(kept)] if kept else []
            continue
        if row.cwd not in projects:
            projects[row.cwd] = project_of(row.cwd)
        cost = compacted.get(row.id, Compacted(row.id, 0, 0, 0))
        found.append(
            _Session(
                agent=row.agent, session=row.native, project=kept.project if kept else projects[row.cwd],
                title=row.title or (kept.title if kept else ""), end=family.end, counted=spent.counted > 0,
                tokens_in=spent.input, tokens_out=spent.output, cache_read=spent.cache_read, cache_write=spent.cache_write,
                compactions=cost.compactions, measured=cost.measured, thrown_away=cost.thrown_away, family=family, archived=kept,
                all_in=spent.all_input,
            )
        )  # fmt: skip
    return found


def _kept(row: ArchiveRow) -> _Session:
    """A session that only its figures are left of. Where these hold nothing of a cache, its agent may not have told."""
    counted = row.cache_read + row.cache_write > 0
    return _Session(
        agent=row.agent, session=row.session, project=row.project, title=row.title, end=row.end, counted=counted,
        tokens_in=row.tokens_in if counted else 0, tokens_out=row.tokens_out, cache_read=row.cache_read, cache_write=row.cache_write,
        compactions=row.compactions, measured=0, thrown_away=0, family=None, archived=row, all_in=row.tokens_in,
    )  # fmt: skip


def _figures(reader: Reader, one: _Session) -> SessionFigures:
    row = one.archived
    if row is not None:
        made, rounds = Figures(row.first_write_step, row.repeated_reads, row.read_pack), row.rounds
    else:
        assert one.family is not None  # who is not archived is in the index
        told = told_in(reader.cursor, one.family.main.row.id)
        made, rounds = figures_of(steps_of(told)), sum(message.role == "user" for message in told)
    return SessionFigures(
        agent=one.agent, session=one.session, project=one.project, title=one.title, end=clock.iso(one.end), rounds=rounds,
        compactions=one.compactions, tokens_in=one.all_in, tokens_out=one.tokens_out, cache_read=one.cache_read,
        cache_write=one.cache_write, first_write_step=made.first_write_step if made.first_write_step >= 0 else None,
        repeated_reads=made.repeated_reads, read_pack=made.read_pack,
        hit_rate=hit_rate(one.tokens_in, one.cache_read, one.cache_write) if one.counted else None,
        thrown_away=one.thrown_away if one.measured else None,
    )  # fmt: skip


def _groups(sessions: Iterable[_Session], name: Callable[[_Session], str]) -> tuple[CacheGroup, ...]:
    """The most sent first."""
    grouped: dict[str, list[_Session]] = {}
    for one in sessions:
        grouped.setdefault(name(one), []).append(one)
    made = [_group(label, members) for label, members in grouped.items()]
    return tuple(sorted(made, key=lambda group: (-(group.tokens_in + group.cache_read + group.cache_write), group.name)))


def _group(name: str, members: Sequence[_Session]) -> CacheGroup:
    told = [one for one in members if one.counted]
    hit, written = sum(one.cache_read for one in told), sum(one.cache_write for one in told)
    return CacheGroup(
        name=name,
        sessions=len(members),
        tokens_in=sum(one.all_in for one in members),
        cache_read=hit,
        cache_write=written,
        hit_rate=hit_rate(sum(one.tokens_in for one in told), hit, written),
    )


def _compared(stats: CacheStats, rows: Sequence[ArchiveRow]) -> CacheStats:
    sides = {read: [row for row in rows if row.read_pack is read] for read in (True, False)}
    writing = {read: [row for row in side if row.first_write_step >= 0] for read, side in sides.items()}
    enough = all(len(side) >= ENOUGH for side in sides.values())
    wrote = enough and all(len(side) >= ENOUGH for side in writing.values())

    def repeated(read: bool) -> float | None:
        return float(median(row.repeated_reads for row in sides[read])) if enough else None

    def steps(read: bool) -> float | None:
        return float(median(row.first_write_step for row in writing[read])) if wrote else None

    return msgspec.structs.replace(
        stats,
        with_pack=len(sides[True]),
        without_pack=len(sides[False]),
        first_write_with=steps(True),
        first_write_without=steps(False),
        repeated_with=repeated(True),
        repeated_without=repeated(False),
        note="" if wrote else NOT_ENOUGH,
    )
