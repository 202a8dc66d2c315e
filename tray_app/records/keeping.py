"""Keeping and forgetting: the copies of session files, and the sessions that were taken out for good."""

from __future__ import annotations

from tray_app.records.base import Record


class KeptView(Record, frozen=True, kw_only=True):
    """The archive of session files as it stands, and what the round did that was asked for."""

    on: bool
    """Whether new files are copied by themselves."""
    folder: str
    sessions: int = 0
    bytes: int = 0
    """Of the session files that are in."""
    stored: int = 0
    """Of disk that the copies take."""
    after_days: int = 3
    error: str = ""
    """Why the last round was not finished; '' if it was."""
    copied: int = 0
    left: int = 0
    """Files that wait for the next round."""
    failed: int = 0
    """Files that could not be read, or changed while they were."""
    gone: int = 0
    """Sessions in the index whose agent has deleted them."""
    vanishing: int = 0
    """Sessions that their agent deletes within days."""
    vanishing_first: str | None = None
    """When the first of these goes (ISO)."""


class ForgottenView(Record, frozen=True, kw_only=True):
    """A session that was taken out of the index and never comes back."""

    session: str
    agent: str
    time: str
    """When (ISO)."""
    messages: int = 0
    sub_agents: int = 0
    copies: int = 0
    """Copies of its messages in other sessions that were taken out with it."""
    archived: int = 0
    """Files of it that were removed from the archive."""
