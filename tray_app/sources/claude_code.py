"""Claude Code: where its session files lie, and the adapter that reads one.

Owns discovery (three generations of file layout), a sub-agent's title from the .meta.json beside it, and the resume
command. How lines become messages is in `claude_reading`; what a line may hold is in `claude_lines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tray_app.paths import SourcesHome
from tray_app.sources.base import Checkpoint, Context, Limits, Reading, Report, Session, Stop, Unit
from tray_app.sources.claude_lines import AgentMeta, one_line, text_of
from tray_app.sources.claude_reading import BY_MODEL, UUID, FileReading
from tray_app.sources.jsonl import Records
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import files_under

AGENT_FILE = re.compile(r"agent-[0-9A-Za-z_-]+\.jsonl")
META_LIMIT = 64 * 1024
NOT_SESSIONS = frozenset({"history.jsonl"})
NOT_ENTERED = frozenset({"tool-results", "subagent-artifacts", "file-history", "plugins", "node_modules", ".git"})

_META = msgspec.json.Decoder(AgentMeta)


class ClaudeCodeAdapter:
    """Adapter for the files that Claude Code 1.x and 2.x write, also where they are continued by another version.

    Choices that the format leaves open: messages stand in the order of the file, and all branches of a rewind are kept;
    what the parent model wrote to a sub-agent is a note, in sub-agent files and in the sidechains of 1.x alike; a slash
    command with arguments is a note '/name args', one without is left out.
    """

    agent = "claude_code"
    name = "Claude Code"
    version = 1
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        """The folder of CLAUDE_CONFIG_DIR or ~/.claude first, then that of ~/.config/claude."""
        usual = home.agent_folder("CLAUDE_CONFIG_DIR", ".claude") / "projects"
        other = home.home / ".config" / "claude" / "projects"
        return [usual] if usual == other else [usual, other]

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        """All .jsonl files below `root`; in the side folder of a session (`<uuid>/`) only those of its sub-agents."""
        for found in files_under(root, _wanted, report, self.agent, enter=_entered):
            owner = _owner(found.path, root)
            is_agent = AGENT_FILE.fullmatch(found.path.name) is not None
            if owner and not (is_agent and "subagents" in found.path.relative_to(root).parts):
                continue
            meta = found.path.with_suffix(".meta.json")
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=found.path.stem,
                size=found.size,
                mtime_ns=found.mtime_ns,
                inode=found.inode,
                others=(meta,) if is_agent and meta.is_file() else (),
                kind="subagent" if is_agent else "main",
                parent=owner,
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """See `base.Adapter.read`. A sub-agent's title is the description in its .meta.json, if there is one."""
        with Records(unit.path, self.agent, checkpoint, limits, stop) as records:
            reading = FileReading(unit, records, limits, checkpoint).read()
        description, kind = _meta_of(unit)
        session = reading.session
        if description:
            session = msgspec.structs.replace(session, title=description, title_rank=BY_MODEL)
        elif kind and session.title and not session.title_rank:
            session = msgspec.structs.replace(session, title=one_line(f"{kind}: {session.title}"))
        return msgspec.structs.replace(reading, session=session)

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && claude --resume <id>`: that of the parent for a sub-agent, which cannot be resumed itself."""
        target = session.parent if session.kind == "subagent" else session.id
        return in_folder(session.cwd, f"claude --resume {argument(target)}") if UUID.fullmatch(target) else ""


def _wanted(name: str) -> bool:
    return name.endswith(".jsonl") and name not in NOT_SESSIONS


def _entered(folder: Path) -> bool:
    return folder.name not in NOT_ENTERED


def _owner(path: Path, root: Path) -> str:
    """The session in whose side folder a file lies, '' if in none."""
    for part in reversed(path.relative_to(root).parts[:-1]):
        if UUID.fullmatch(part):
            return part
    return ""


def _meta_of(unit: Unit) -> tuple[str, str]:
    """Description and kind of a sub-agent; '' where the file beside it does not say or cannot be read."""
    for path in unit.others:
        try:
            with path.open("rb") as stream:
                meta = _META.decode(stream.read(META_LIMIT))
        except (OSError, ValueError, RecursionError):  # a side file: the session is read all the same
            continue
        return one_line(text_of(meta.description)), one_line(text_of(meta.agent_type))
    return "", ""
