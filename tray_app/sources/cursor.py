"""Cursor: where its conversations lie, which of several copies of one is read, and the command that resumes a chat.

Owns folders, names and ids. There are three places: agent transcripts and the command line's chats in the agent's folder,
and the editor's state. The readers are `cursor_transcripts`, `cursor_store` and `cursor_state`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Report, Session, Stop, Unit
from tray_app.sources.cursor_state import Listed, composers, read_composer, read_tab, tabs
from tray_app.sources.cursor_store import read_store
from tray_app.sources.cursor_transcripts import FOLDER, read_lines, read_text
from tray_app.sources.editor_folders import settings_folder
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.sqlite_files import facts, read_database
from tray_app.sources.walk import files_under, unreadable

STATE, STORE = "state.vscdb", "store.db"
BY_TEXT, BY_LINES, BY_STORE, BY_STATE = range(4)
"""Preference among copies of one conversation: what has more times, names and tools."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class CursorAdapter:
    """Conversations of Cursor's editor and command line. Transcripts have no times: theirs is that of the file."""

    agent = "cursor"
    name = "Cursor"
    version = 1
    confidence = "fixtures"

    def roots(self, home: SourcesHome) -> list[Path]:
        """The agent's folder, then the editor's state (here, and as the server of a remote window keeps it)."""
        return [
            home.home / ".cursor",
            settings_folder(home) / "Cursor" / "User",
            home.home / ".cursor-server",
        ]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """What is found in any of the three places below the root."""
        yield from self._transcripts(root, report)
        yield from self._chats(root, report)
        yield from self._state(root, root / STATE, report)
        for user in (root, root / "data" / "User"):
            yield from self._state(root, user / "globalStorage" / STATE, report)
            for path in sorted((user / "workspaceStorage").glob(f"*/{STATE}")):
                try:
                    for one in tabs(path):
                        yield self._listed(root, path, one, BY_TEXT)
                except OSError as fault:
                    report(unreadable(path, fault, self.agent))

    def _transcripts(self, root: Path, report: Report) -> Iterator[Unit]:
        folder = root / "projects"
        if root.name == "projects" or FOLDER in root.parts or (root / FOLDER).is_dir():
            folder = root
        for found in files_under(folder, _is_transcript, report, self.agent, depth=6, enter=_entered):
            parts = found.path.relative_to(root).parts
            if FOLDER not in (*parts, root.name):
                continue
            inside = parts[parts.index(FOLDER) + 1 : -1] if FOLDER in parts else parts[:-1]
            subagent = "subagents" in inside
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=found.path.stem,
                size=found.size,
                mtime_ns=found.mtime_ns,
                inode=found.inode,
                preference=BY_TEXT if found.path.suffix == ".txt" else BY_LINES,
                kind="subagent" if subagent else "main",
                parent=inside[inside.index("subagents") - 1] if subagent and inside[0] != "subagents" else "",
            )

    def _chats(self, root: Path, report: Report) -> Iterator[Unit]:
        for found in files_under(root / "chats", lambda name: name == STORE, report, self.agent, depth=3):
            try:
                state = facts(found.path)
            except OSError as fault:
                report(unreadable(found.path, fault, self.agent))
                continue
            side = found.path.with_name("meta.json")
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=found.path.parent.name,
                size=state[0][0] + max(state[1][0], 0),
                mtime_ns=max(state[0][1], state[1][1]),
                inode=found.inode,
                others=(side,) if side.is_file() else (),
                preference=BY_STORE,
            )

    def _state(self, root: Path, path: Path, report: Report) -> Iterator[Unit]:
        try:
            if not path.is_file():
                return
            listed = read_database(path, composers)
        except NotReady:
            return
        except OSError as fault:
            report(unreadable(path, fault, self.agent))
            return
        for one in listed:
            yield self._listed(root, path, one, BY_STATE)

    def _listed(self, root: Path, path: Path, one: Listed, preference: int) -> Unit:
        return Unit(
            agent=self.agent,
            root=root,
            path=path,
            session=one.id,
            size=one.size,
            mtime_ns=one.time * 1_000_000,
            inode=0,
            preference=preference,
            archived=one.archived,
            kind="subagent" if one.parent else "main",
            parent=one.parent,
        )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """A transcript of lines from its checkpoint, everything else whole."""
        if unit.path.name == STORE:
            return read_store(unit, limits, stop)
        if unit.path.name == STATE:
            return read_tab(unit, limits, stop) if unit.preference == BY_TEXT else read_composer(unit, limits, stop)
        if unit.path.suffix == ".txt":
            return read_text(unit, limits, stop)
        return read_lines(unit, checkpoint, limits, stop)

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && cursor-agent --resume <id>`: that of the parent for a sub-agent."""
        target = session.parent if session.kind == "subagent" else session.id
        return in_folder(session.cwd, f"cursor-agent --resume {argument(target)}") if _UUID.fullmatch(target) else ""


def _is_transcript(name: str) -> bool:
    return name.endswith((".jsonl", ".txt"))


def _entered(folder: Path) -> bool:
    return folder.name not in ("terminals", "agent-tools", "mcps", "node_modules", ".git", "worktrees")
