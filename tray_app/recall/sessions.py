"""Sessions as lists and as conversations, from an id or an anchor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from pathlib import Path

from tray_app.clock import iso
from tray_app.errors import UsageError
from tray_app.library.reading import Reader
from tray_app.library.rows import SessionRow
from tray_app.recall.answer import parent_titles, session_facts
from tray_app.recall.scope import agent_name
from tray_app.records import MessageView, SessionItem, SessionView
from tray_app.sources.base import Session
from tray_app.text.dates import date_text

Resume = Callable[[str, Session], str]
KINDS = {"user": "message", "assistant": "message", "tool_call": "tool", "tool_result": "tool"}


def list_sessions(
    reader: Reader, resume: Resume, zone: tzinfo, *, agent: str | None, project: str | None, limit: int, order: str
) -> list[SessionItem]:
    """Sessions with at least one message. `order`: newest | oldest."""
    counts = reader.message_counts()
    rows = [row for row in reader.matching_sessions(agent=agent_name(agent), project=project) if counts.get(row.id)]
    if order == "oldest":
        rows.reverse()
    rows = rows[:limit] if limit else rows
    above = parent_titles(reader, rows)
    return [_item(row, counts[row.id], resume, zone, above.get((row.agent, row.parent), "")) for row in rows]


def show_session(
    reader: Reader,
    resume: Resume,
    session: str,
    *,
    around: str | None,
    limit: int,
    first: int | None,
    agent: str | None,
) -> SessionView:
    """A window of a session's messages in order. Raises UsageError if the id names none or several."""
    row = one_session(reader, session, agent)
    order = reader.order(row.id)
    start = 0 if first is None else min(max(first, 0), len(order))
    if around is not None:
        place = next((place for place, entry in enumerate(order) if entry[3] == around), None)
        if place is None:
            raise UsageError("no_such_message", "No such message", f"Session {row.native} has no message {around!r}.")
        start = max(0, min(place - limit // 2, len(order) - limit))
    window = order[start : start + limit]
    messages = reader.messages(entry[0] for entry in window)
    path = reader.session_path(row.id)
    views = []
    for place, (number, seq, inherited, native) in enumerate(window, start):
        message = messages[number]
        views.append(
            MessageView(
                message_id=native, seq=seq, time=iso(message.time), role=message.role, kind=KINDS.get(message.role, message.role),
                text=message.text, tool=message.tool, index=place, inherited=inherited,
            )
        )  # fmt: skip
    return SessionView(
        session=row.native, agent=row.agent, title=row.title, cwd=row.cwd, project=row.project, start=iso(row.start),
        end=iso(row.end), resume_command=resume(row.agent, session_facts(row)), messages=tuple(views), total=len(order), first=start,
        kind=row.kind, parent=row.parent, model=row.model, path=path, gone=row.gone, cwd_exists=not row.cwd or Path(row.cwd).is_dir(),
    )  # fmt: skip


def one_session(reader: Reader, session: str, agent: str | None) -> SessionRow:
    """The session of an id or an unambiguous beginning of it. Raises UsageError if it names none or several."""
    rows = reader.matching_sessions(native=session, agent=agent_name(agent)) if session else []
    if not rows:
        raise UsageError("no_such_session", "No such session", f"There is no session {session!r} in the index.")
    if len({(row.agent, row.native) for row in rows}) > 1 and rows[0].native != session:
        raise UsageError(
            "several_sessions", "Several sessions", f"{len(rows)} sessions begin with {session!r}.", "Give more of the id."
        )
    return rows[0]


def _item(row: SessionRow, messages: int, resume: Resume, zone: tzinfo, above: str) -> SessionItem:
    return SessionItem(
        session=row.native, agent=row.agent, title=row.title, cwd=row.cwd, project=row.project, start=iso(row.start), end=iso(row.end),
        end_date_text=date_text(row.end, zone) if row.end else "", messages=messages,
        resume_command=resume(row.agent, session_facts(row)), kind=row.kind, parent=row.parent,
        parent_title=above, gone=row.gone,
    )  # fmt: skip
