"""OpenCode: its database, the tree of JSON files that came before it, and the command that resumes a session.

Owns folders, names and ids. The tables are read in `opencode_database`; what messages and parts mean is in
`opencode_reading`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources import opencode_lines as shapes
from tray_app.sources.base import (
    Checkpoint,
    Context,
    Limits,
    NotReady,
    Reading,
    Report,
    Session,
    Stop,
    Stopped,
    Unit,
)
from tray_app.sources.json_values import decoded, text_of
from tray_app.sources.opencode_database import fold, knows_sessions, sessions
from tray_app.sources.opencode_reading import Rules, SessionFacts, SessionFold, StoredMessage, StoredPart
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.sqlite_files import Database, read_database
from tray_app.sources.walk import files_under, unreadable

DOCUMENT_BYTES = 8 << 20
LOOSE_PARTS = 20_000
NAMES = "opencode*.db"
"""Builds of other channels keep a database of their own beside the usual one."""


class OpenCodeAdapter:
    """Sessions of OpenCode, each a unit of its own. A session that is in the database is not read from the older tree."""

    agent = "opencode"
    name = "OpenCode"
    version = 1
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        return [home.agent_folder("XDG_DATA_HOME", ".local/share") / "opencode"]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """Sessions of every database, then those of the tree that no database has."""
        seen: set[str] = set()
        for path in sorted(root.glob(NAMES)):
            for unit in database_units(root, path, self.agent, report):
                seen.add(unit.session)
                yield unit
        for unit in self._files(root / "storage", root, report):
            if unit.session not in seen:
                yield unit

    def _files(self, storage: Path, root: Path, report: Report) -> Iterator[Unit]:
        for found in files_under(storage / "session", lambda name: name.endswith(".json"), report, self.agent, depth=2):
            session = _named(found.path, storage)
            sizes, times = [found.size], [found.mtime_ns]
            try:
                for path in _listed(storage / "message" / session):
                    info = path.stat()
                    sizes.append(info.st_size)
                    times.append(info.st_mtime_ns)
            except OSError as fault:
                report(unreadable(storage / "message" / session, fault, self.agent))
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=session,
                size=sum(sizes),
                mtime_ns=max(times),
                inode=found.inode,
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """The whole session, always: parts change where they stand."""
        if unit.path.suffix != ".json":

            def work(database: Database) -> Reading:
                return fold(database, unit.session, RULES, limits, unit.path, self.agent).reading()

            return read_database(unit.path, work, stop)
        return self._read_files(unit, limits, stop)

    def _read_files(self, unit: Unit, limits: Limits, stop: Stop) -> Reading:
        storage = unit.path.parent.parent.parent
        data = _document(unit.path)
        session = decoded(data or b"", shapes.SESSION)
        if session is None:
            raise NotReady("the session's file cannot be read yet")
        times = decoded(session.time, shapes.TIMES) or shapes.Times()
        parent = text_of(session.parent_id)
        folded = SessionFold(
            SessionFacts(
                id=unit.session,
                cwd=text_of(session.directory),
                title=text_of(session.title).strip(),
                version=text_of(session.version),
                parent=parent,
                subagent=bool(parent),
                created=times.created,
                updated=times.updated,
                archived=bool(times.archived),
            ),
            RULES,
            limits,
            str(unit.path),
            self.agent,
        )
        loose: dict[str, list[StoredPart]] | None = None
        for path in _listed(storage / "message" / unit.session):
            if stop():
                raise Stopped
            found = _document(path)
            message = decoded(found or b"", shapes.MESSAGE)
            name = (text_of(message.id) if message is not None else "") or path.stem
            parts = (
                [StoredPart(part.stem, 0, _document(part)) for part in _listed(storage / "part" / name)]
                if _is_name(name)
                else []
            )
            if not parts:
                loose = _loose_parts(storage / "part", stop) if loose is None else loose
                parts = loose.get(name, [])
            folded.take(StoredMessage(name, 0, found, parts))
        return folded.reading()

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && opencode -s <id>`: that of the parent for a sub-agent."""
        target = session.parent if session.kind == "subagent" and session.parent else session.id
        return in_folder(session.cwd, f"opencode -s {argument(target)}") if target else ""


def database_units(root: Path, path: Path, agent: str, report: Report) -> Iterator[Unit]:
    """A unit for each session of a database; one that cannot be read is reported. An empty file gives nothing."""
    try:
        if not path.is_file():
            return
        listed = read_database(path, lambda database: sessions(database) if knows_sessions(database) else None)
    except NotReady:
        return
    except OSError as fault:
        report(unreadable(path, fault, agent))
        return
    if listed is None:
        report(
            Problem(
                path=str(path), line=0, offset=0, kind="unreadable", reason="no table of sessions is known in it", agent=agent
            )
        )
        return
    for one in listed:
        yield Unit(
            agent=agent,
            root=root,
            path=path,
            session=one.id,
            size=one.size,
            mtime_ns=one.time * 1_000_000,
            inode=0,
            preference=1,
            archived=one.archived,
            kind=one.kind,
            parent=one.parent,
        )


def _speaker(message: shapes.MessageData) -> str:
    role = text_of(message.role)
    return "summary" if role == "assistant" and bytes(message.summary) == b"true" else role


RULES = Rules(_speaker, lambda text: shapes.unquoted(text.strip()))


def _named(path: Path, storage: Path) -> str:
    """A session's id by its file: the name of the folder that has its messages."""
    stem = path.stem
    bare = stem.removeprefix("ses_")
    return (
        bare if bare != stem and not (storage / "message" / stem).is_dir() and (storage / "message" / bare).is_dir() else stem
    )


def _is_name(name: str) -> bool:
    """Whether an id from a file may become part of a path."""
    return name not in (".", "..") and not any(mark in name for mark in "/\\\x00:")


def _listed(folder: Path) -> list[Path]:
    """JSON files of a folder by name (ids rise with time); none if there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted(folder / entry.name for entry in entries if entry.name.endswith(".json") and entry.is_file())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return []


def _loose_parts(folder: Path, stop: Stop) -> dict[str, list[StoredPart]]:
    """Parts that lie directly in the folder of parts, as early versions left them, by their message."""
    found: dict[str, list[StoredPart]] = {}
    for path in _listed(folder)[:LOOSE_PARTS]:
        if stop():
            raise Stopped
        data = _document(path)
        part = decoded(data or b"", shapes.PART)
        if part is not None:
            found.setdefault(text_of(part.message_id), []).append(StoredPart(path.stem, 0, data))
    return found


def _document(path: Path) -> bytes | None:
    """A small file's bytes; None if it is larger than any message is. Raises OSError if it cannot be read."""
    with path.open("rb") as stream:
        data = stream.read(DOCUMENT_BYTES + 1)
    return data if len(data) <= DOCUMENT_BYTES else None
