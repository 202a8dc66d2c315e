"""Whole sessions as they stand in the index: how each one is at this moment, what was said in it, what it cost.

What archiving needs. Reads on the cursor of a `Reader`, never writes.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tray_app.library.connection import Connection
from tray_app.library.rows import SessionRow


class SessionState(msgspec.Struct, frozen=True, gc=False):
    """A session and the moment of its last sign of life. Times in epoch ms, 0 unknown.

    `written` is when its files were last written, `said` the time of its newest message; `messages` counts inherited ones
    too, `own` leaves them out; `newest` is the agent's id of the last message.
    """

    row: SessionRow
    written: int
    said: int
    messages: int
    own: int
    newest: str


class Told(msgspec.Struct, frozen=True, gc=False):
    """One message of a session in order. `files` are the paths a tool call names; `inherited`: it was said in the session that
    this one was forked from."""

    native: str
    role: str
    tool: str
    time: int
    text: str
    files: tuple[str, ...]
    inherited: bool = False


class Tokens(msgspec.Struct, frozen=True, gc=False):
    """Sums over model calls; calls that did not say count as nothing."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


_SESSION = ", ".join(f's."{name}"' for name in SessionRow.__struct_fields__)


def session_states(cursor: Connection) -> list[SessionState]:
    """Every session that holds a message, by id."""
    rows = cursor.execute(
        f"""
        with said as (
            select session_id, seq, id, native, time, true as own from messages
            union all
            select c.session_id, c.seq, m.id, m.native, m.time, false from copies c join messages m on m.id = c.message_id),
        held as (
            select session_id, count(*) as n, count(*) filter (own) as own, max(time) as said, max_by(native, row(seq, id)) as newest
            from said group by session_id),
        written as (select session_id, max(mtime_ns) // 1000000 as ms from files where session_id >= 0 group by session_id)
        select {_SESSION}, coalesce(w.ms, 0), coalesce(h.said, 0), h.n, h.own, h.newest
        from sessions s join held h on h.session_id = s.id left join written w on w.session_id = s.id
        order by s.id
        """
    ).fetchall()
    found = []
    for *facts, written, said, messages, own, newest in rows:
        row = SessionRow(**dict(zip(SessionRow.__struct_fields__, facts, strict=True)))
        found.append(SessionState(row, int(written), int(said), int(messages), int(own), str(newest)))
    return found


def told_in(cursor: Connection, session_id: int) -> list[Told]:
    """All messages of a session in order."""
    number = int(session_id)
    rows = cursor.execute(
        f"""
        select native, role, tool, time, text, files, false, seq, id from messages where session_id = {number}
        union all
        select m.native, m.role, m.tool, m.time, m.text, m.files, true, c.seq, m.id
        from copies c join messages m on m.id = c.message_id where c.session_id = {number}
        order by 8, 9
        """
    ).fetchall()
    return [
        Told(row[0], row[1], row[2] or "", int(row[3] or 0), row[4] or "", tuple((row[5] or "").split("\n")) if row[5] else (), row[6])
        for row in rows
    ]  # fmt: skip


def tokens_of(cursor: Connection, session_ids: Iterable[int]) -> Tokens:
    """What the model calls of these sessions cost together."""
    wanted = ", ".join(str(int(number)) for number in session_ids)
    if not wanted:
        return Tokens()
    sums = ", ".join(f"coalesce(sum(greatest({name}, 0)), 0)" for name in ("input", "output", "cache_read", "cache_write"))
    row = cursor.execute(f"select {sums} from usage where session_id in ({wanted})").fetchone()
    return Tokens(*(int(value) for value in row)) if row else Tokens()


def passages_by(cursor: Connection) -> list[tuple[str, str, str, int]]:
    """How many passages there are by agent, session (the agent's id) and kind."""
    rows = cursor.execute(
        "select s.agent, s.native, c.kind, count(*) from chunks c join sessions s on s.id = c.session_id group by 1, 2, 3"
    ).fetchall()
    return [(str(agent), str(native), str(kind), int(count)) for agent, native, kind, count in rows]


def folders_of(cursor: Connection) -> list[tuple[str, str, int, int]]:
    """Folders in which sessions were held, with their project, how many sessions of people, and when the last one was (epoch
    ms), most recent first."""
    rows = cursor.execute(
        "select cwd, project, count(*) filter (kind <> 'subagent'), max(\"end\") from sessions "
        "where cwd <> '' and agent <> 'memory' group by cwd, project order by 4 desc, cwd, project"
    ).fetchall()
    return [(str(cwd), str(project or ""), int(count), int(last or 0)) for cwd, project, count, last in rows]


def is_compacted(cursor: Connection, session_id: int) -> bool:
    """Whether a summary took the place of what was said in a session, or in the one it was forked from."""
    number = int(session_id)
    row = cursor.execute(
        f"""
        select exists(select 1 from messages where session_id = {number} and role = 'summary')
            or exists(select 1 from copies c join messages m on m.id = c.message_id where c.session_id = {number} and m.role = 'summary')
        """
    ).fetchone()
    return bool(row and row[0])
