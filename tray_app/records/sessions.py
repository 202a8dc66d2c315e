"""Reading sessions: one of them with its messages, and the list of all."""

from __future__ import annotations

from tray_app.records.base import Record


class MessageView(Record, frozen=True, kw_only=True):
    message_id: str
    seq: int
    time: str | None
    role: str
    kind: str
    text: str
    tool: str = ""
    index: int = 0
    """Position in the session, from 0."""
    inherited: bool = False
    """Copied from the session this one was forked or resumed from."""


class SessionView(Record, frozen=True, kw_only=True):
    session: str
    agent: str
    title: str
    cwd: str
    project: str
    start: str | None
    end: str | None
    resume_command: str
    messages: tuple[MessageView, ...]
    total: int = 0
    """Messages in the whole session; `messages` may be a window of it."""
    first: int = 0
    """Index of the first message in the window."""
    kind: str = "main"
    parent: str = ""
    model: str = ""
    path: str = ""
    gone: bool = False
    cwd_exists: bool = True
    archived: bool = False
    """The file is gone, and `path` is that of our copy."""


class SessionItem(Record, frozen=True, kw_only=True):
    session: str
    agent: str
    title: str
    cwd: str
    project: str
    start: str | None
    end: str | None
    end_date_text: str
    messages: int
    resume_command: str
    kind: str = "main"
    parent: str = ""
    parent_title: str = ""
    gone: bool = False
