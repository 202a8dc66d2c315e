"""What the agents logged of their model calls, as sums for each session, and what each compaction cost.

Reads on the cursor of a `Reader`, never writes. Counts are disjoint (see `sources.base.Usage`): `input` missed the cache; -1 means that
the agent did not say, and such calls are left out of what needs the figure.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tray_app.library.connection import Connection


class SessionUsage(msgspec.Struct, frozen=True, gc=False):
    """Sums over the calls of one session. `input`, `cache_read` and `cache_write` only over calls that told what came from the cache
    (`counted` of them); `all_input` over all. A cache write that was not told counts as none: some providers write by themselves."""

    session_id: int
    calls: int
    counted: int
    input: int
    cache_read: int
    cache_write: int
    output: int
    all_input: int


class Compacted(msgspec.Struct, frozen=True, gc=False):
    """The compactions of one session. `measured` of them lie between two calls that told what came from the cache; `thrown_away` are
    the tokens of the prompts before them that the first calls after them no longer read from the cache."""

    session_id: int
    compactions: int
    measured: int
    thrown_away: int


def usage_of_sessions(cursor: Connection) -> dict[int, SessionUsage]:
    """By session, for all that have any."""
    told = "filter (cache_read >= 0 and input >= 0)"
    rows = cursor.execute(
        f"""
        select session_id, count(*), count(*) {told}, coalesce(sum(input) {told}, 0), coalesce(sum(cache_read) {told}, 0),
            coalesce(sum(greatest(cache_write, 0)) {told}, 0), coalesce(sum(greatest(output, 0)), 0), coalesce(sum(greatest(input, 0)), 0)
        from usage group by session_id
        """
    ).fetchall()
    return {int(row[0]): SessionUsage(*(int(value) for value in row)) for row in rows}


def compactions_of_sessions(cursor: Connection) -> dict[int, Compacted]:
    """By session, for all that hold a summary of their own. Summaries between the same two calls are one compaction more than they
    are measured: the prefix was thrown away once."""
    rows = cursor.execute(
        """
        with summaries as (
            select session_id, time, id from messages where role = 'summary'),
        calls as (
            select session_id, time, max(input + cache_read + greatest(cache_write, 0)) as prompt, min(cache_read) as hit
            from usage where cache_read >= 0 and input >= 0 and time > 0 and session_id in (select session_id from summaries)
            group by session_id, time),
        before as (
            select s.session_id, s.id, s.time, c.time as call, c.prompt
            from summaries s asof join calls c on s.session_id = c.session_id and s.time >= c.time where s.time > 0),
        around as (
            select b.session_id, b.call, c.time as next, any_value(b.prompt) as prompt, any_value(c.hit) as hit
            from before b asof join calls c on b.session_id = c.session_id and b.time < c.time
            group by b.session_id, b.call, c.time),
        cost as (
            select session_id, count(*) as measured, sum(greatest(prompt - hit, 0)) as lost from around group by session_id)
        select s.session_id, count(*), coalesce(any_value(c.measured), 0), coalesce(any_value(c.lost), 0)
        from summaries s left join cost c on c.session_id = s.session_id group by s.session_id
        """
    ).fetchall()
    return {int(row[0]): Compacted(*(int(value) for value in row)) for row in rows}


def added_up(session_ids: Iterable[int], usage: dict[int, SessionUsage]) -> SessionUsage | None:
    """The calls of several sessions as those of the first; None where none has any."""
    ids = list(session_ids)
    parts = [msgspec.structs.astuple(usage[number])[1:] for number in ids if number in usage]
    return SessionUsage(ids[0], *(sum(column) for column in zip(*parts, strict=True))) if parts else None
