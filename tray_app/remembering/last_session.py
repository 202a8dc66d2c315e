"""The latest session of a project, as the advice beside its pack needs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tray_app.errors import UsageError
from tray_app.handoff.resume import LastSession
from tray_app.library.memory.rows import ArchiveRow
from tray_app.library.reading import Reader
from tray_app.library.session_reading import is_compacted
from tray_app.memory.names import name_key
from tray_app.recall.answer import session_facts
from tray_app.remembering.minds import Mind
from tray_app.sources.base import Session
from tray_app.sources.registry import adapter

NOTES = "memory"
"""The agent whose 'sessions' are files of notes."""


def last_session(
    mind: Mind,
    reader: Reader,
    project: str,
    resume: Callable[[str, Session], str],
    real: Callable[[str], str],
    *,
    but: str | None = None,
) -> LastSession | None:
    """None where the index knows no session of the project. `resume` gives the command that goes on with a session, `real` the
    folder that a session's folder is now. A session without a folder of a project is of the one it was archived under. `but`: the
    agent's id of a session that is not meant."""
    archived = {(row.agent, row.session): row.project for row in mind.store.rows(ArchiveRow).values()}
    projects: dict[str, str] = {}
    key = name_key(project)
    for row in reader.matching_sessions():
        if row.kind == "subagent" or row.agent == NOTES or row.native == but:
            continue
        name = archived.get((row.agent, row.native))
        if name is None:
            name = projects.get(row.cwd)
        if name is None:
            name = projects[row.cwd] = mind.projects.of_workspace(row.cwd)
        if name_key(name) != key:
            continue
        folder = real(row.cwd)
        return LastSession(
            agent=row.agent, agent_name=agent_name(row.agent), session=row.native, title=row.title, end=row.end,
            compacted=is_compacted(reader.cursor, row.id), command="" if row.gone else resume(row.agent, session_facts(row)),
            folder_gone=bool(folder) and not Path(folder).is_dir(),
        )  # fmt: skip
    return None


def agent_name(agent: str) -> str:
    """An agent as people call it."""
    try:
        return adapter(agent).name
    except UsageError:  # an index made by a program that knew more agents
        return agent
