"""The tables session, message and part, as OpenCode's database has them: which sessions there are, and one of them.

Owns the queries, for OpenCode and the programs that keep its tables; every column but the ids is looked for before it is
used. What the rows mean is in `opencode_reading`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from tray_app.sources.base import Limits, NotReady
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.json_values import text_of
from tray_app.sources.opencode_lines import named_model
from tray_app.sources.opencode_reading import Rules, SessionFacts, SessionFold, StoredMessage, StoredPart
from tray_app.sources.sqlite_files import Database

MESSAGE_BYTES = 1024
"""What a message counts for in a session's size, which only has to change when the session does."""


class Listed(msgspec.Struct, frozen=True):
    """A session in the database. `time` in epoch milliseconds, 0 unknown."""

    id: str
    parent: str
    kind: str
    time: int
    size: int
    archived: bool


def knows_sessions(database: Database) -> bool:
    """Whether the tables are there, with the columns that nothing can be read without."""
    return (
        database.has("session", "id")
        and database.has("message", "id", "session_id", "data")
        and database.has("part", "id", "message_id", "session_id", "data")
    )


def sessions(database: Database) -> list[Listed]:
    """All sessions, with what tells whether one has changed: when it was touched last, and how many rows it has."""
    counts: dict[str, tuple[int, int]] = {}
    touched = "max(time_updated)" if database.has("message", "time_updated") else "max(0)"
    for name, number, last in database.rows(f"select session_id, count(*), {touched} from message group by session_id"):
        counts[str(name)] = (number * MESSAGE_BYTES, milliseconds(last))
    for name, number in database.rows("select session_id, count(*) from part group by session_id"):
        size, last = counts.get(str(name), (0, 0))
        counts[str(name)] = (size + number, last)
    names = ("id", *_present(database, "session", "parent_id", "task_type", "time_updated", "time_created", "time_archived"))
    listed = []
    for row in database.rows(f"select {', '.join(names)} from session"):
        found = dict(zip(names, row, strict=True))
        name = text_of(found["id"])
        if not name or name not in counts:
            continue
        size, last = counts[name]
        time = max(milliseconds(found.get("time_updated")), last) or milliseconds(found.get("time_created"))
        parent = text_of(found.get("parent_id"))
        kind = "subagent" if is_subagent(name, parent, text_of(found.get("task_type"))) else "main"
        listed.append(Listed(name, parent, kind, time, size, bool(found.get("time_archived"))))
    return listed


def is_subagent(session: str, parent: str, task: str) -> bool:
    """Whether a session was started by another one's tool, and not by the person."""
    return session.startswith("sess_subagent_") or task == "subagent_child" or (bool(parent) and not task)


def fold(database: Database, session: str, rules: Rules, limits: Limits, path: Path, agent: str) -> SessionFold:
    """One session, folded. Raises NotReady if it is not there (any more)."""
    names = (
        "id",
        *_present(
            database,
            "session",
            *("parent_id", "task_type", "directory", "title", "version", "model"),
            *("time_created", "time_updated", "time_archived"),
        ),
    )
    row = next(database.rows(f"select {', '.join(names)} from session where id = ?", session), None)
    if row is None:
        raise NotReady("the session is no longer in the database")
    found = dict(zip(names, row, strict=True))
    parent = text_of(found.get("parent_id"))
    folded = SessionFold(
        SessionFacts(
            id=session,
            cwd=text_of(found.get("directory")),
            title=text_of(found.get("title")).strip(),
            model=named_model(text_of(found.get("model"))),
            version=text_of(found.get("version")),
            parent=parent,
            subagent=is_subagent(session, parent, text_of(found.get("task_type"))),
            created=found.get("time_created"),
            updated=found.get("time_updated"),
            archived=bool(found.get("time_archived")),
        ),
        rules,
        limits,
        str(path),
        agent,
    )
    for message in _messages(database, session, limits):
        folded.take(message)
    return folded


def _messages(database: Database, session: str, limits: Limits) -> Iterator[StoredMessage]:
    first = _order(database, "message", "m")
    second = _order(database, "part", "p")
    parts = groupby(
        database.rows(
            f"select m.rowid, p.id, {_time(database, 'part', 'p')}, {_data('p')} from message m join part p on p.message_id = m.id"
            f" where m.session_id = ? order by {first}, m.rowid, {second}",
            limits.line_bytes,
            session,
        ),
        key=lambda row: row[0],
    )
    group = next(parts, None)
    rows = database.rows(
        f"select m.rowid, m.id, {_time(database, 'message', 'm')}, {_data('m')} from message m"
        f" where m.session_id = ? order by {first}, m.rowid",
        limits.line_bytes,
        session,
    )
    for number, name, time, data in rows:
        if group is not None and group[0] == number:
            yield StoredMessage(str(name), milliseconds(time), data, map(_part, group[1]))
            group = next(parts, None)
        else:
            yield StoredMessage(str(name), milliseconds(time), data, ())


def _part(row: tuple[Any, ...]) -> StoredPart:
    _, name, time, data = row
    return StoredPart(str(name), milliseconds(time), data)


def _order(database: Database, table: str, alias: str) -> str:
    """Newer schemas number the rows; older ones have only times and ids that rise."""
    return ", ".join(f"{alias}.{name}" for name in (*_present(database, table, "sequence", "time_created"), "id"))


def _time(database: Database, table: str, alias: str) -> str:
    return f"{alias}.time_created" if database.has(table, "time_created") else "0"


def _data(alias: str) -> str:
    return f"case when length({alias}.data) <= ? then cast({alias}.data as blob) end"


def _present(database: Database, table: str, *names: str) -> tuple[str, ...]:
    return tuple(name for name in names if database.has(table, name))
