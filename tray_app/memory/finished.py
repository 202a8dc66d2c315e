"""Which sessions are finished, so that they can be archived, and which of them are due.

Owns the rule of idleness, the counting of sub-agents to the session that started them, and the day from which archiving counts.
Reads states only; writes nothing but that day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from tray_app import clock
from tray_app.library.memory.rows import ArchiveRow, NoteRow
from tray_app.library.memory.store import MemoryStore
from tray_app.library.session_reading import SessionState

BASELINE = "archive_baseline"
"""Key of the note: the moment of the first run, ISO 8601."""
MINUTE_MS = 60_000
NOT_TALK = frozenset({"memory"})
"""Agents whose 'sessions' are files of notes."""


class Family(msgspec.Struct, frozen=True, gc=False):
    """A session with its sub-agents, theirs included."""

    main: SessionState
    helpers: tuple[SessionState, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return self.main.row.agent, self.main.row.native

    @property
    def end(self) -> int:
        """When something was last said in it, epoch ms; when its file was written, where no message has a time."""
        return max(self.main.row.end, self.main.said) or self.main.written

    @property
    def fingerprint(self) -> str:
        """Another one whenever something was added: number of messages, and the last one's id."""
        return f"{self.main.messages + sum(one.messages for one in self.helpers)}:{self.main.newest}"

    def is_idle(self, now: int, idle_ms: int) -> bool:
        """Whether nobody wrote for so long. A moment that lies further ahead than that comes from a wrong clock and says nothing."""
        moments = (moment for one in (self.main, *self.helpers) for moment in (one.written, one.said))
        return not any(abs(now - moment) < idle_ms for moment in moments)


class Due(msgspec.Struct, frozen=True, gc=False):
    """What a run has before it. `ready` the latest first;"""

    ready: tuple[Family, ...]
    unfinished: int
    before_baseline: int


def families(states: Iterable[SessionState]) -> list[Family]:
    """Sessions of people with their sub-agents. A sub-agent whose parent is not in the index belongs to nobody, and is left out."""
    talks = [one for one in states if one.row.agent not in NOT_TALK]
    mains = {(one.row.agent, one.row.native): one for one in talks if one.row.kind != "subagent"}
    above = {(one.row.agent, one.row.native): (one.row.agent, one.row.parent) for one in talks if one.row.kind == "subagent"}
    helpers: dict[tuple[str, str], list[SessionState]] = {}
    for one in talks:
        key = (one.row.agent, one.row.native)
        climbed: set[tuple[str, str]] = set()
        while key in above and key not in climbed:
            climbed.add(key)
            key = above[key]
        if one.row.kind == "subagent" and key in mains:
            helpers.setdefault(key, []).append(one)
    return [Family(main, tuple(helpers.get(key, ()))) for key, main in mains.items()]


def due(
    found: Sequence[Family],
    archived: Iterable[ArchiveRow],
    *,
    now: int,
    idle_minutes: int,
    baseline: int,
    backfill: bool,
    force: bool,
) -> Due:
    """Finished sessions that were not archived yet, or have grown since. `baseline` (epoch ms): what ended before is history, taken
    only by `backfill`; `force` takes what was archived again."""
    known = {(row.agent, row.session): row.fingerprint for row in archived}
    ready, unfinished, before = [], 0, 0
    for family in found:
        if not family.main.own:
            continue
        earlier = known.get(family.key)
        if earlier == family.fingerprint and not force:
            continue
        if not family.is_idle(now, idle_minutes * MINUTE_MS):
            unfinished += 1
        elif earlier is None and family.end < baseline and not backfill:
            before += 1
        else:
            ready.append(family)
    ready.sort(key=lambda family: (-family.end, family.main.row.id))
    return Due(tuple(ready), unfinished, before)


def baseline_of(store: MemoryStore, now: int) -> int:
    """The moment from which sessions are archived by themselves, epoch ms; this one, and kept, at the first run."""
    for row in store.rows(NoteRow).values():
        if row.key == BASELINE:
            try:
                return round(datetime.fromisoformat(row.value).timestamp() * 1000)
            except (ValueError, OverflowError):
                return _keep_baseline(store, now, row.id)
    return _keep_baseline(store, now, 0)


def _keep_baseline(store: MemoryStore, now: int, number: int) -> int:
    value = clock.iso(now) or datetime.fromtimestamp(0, UTC).isoformat()
    with store.change() as change:
        change.put(NoteRow(id=number or change.new_id(NoteRow), key=BASELINE, value=value))
    return now
