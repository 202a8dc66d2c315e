"""CodeBuddy Code and WorkBuddy: where their session files lie, and the adapter that reads them.

Owns discovery, the `.meta.json` that names the session a fork came from, and the resume command. Both programs share one
runtime and one format; how lines become messages is in `codebuddy_reading`. The other stores of WorkBuddy (its database,
traces, memory) repeat or count what stands in these files and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.sources.base import Checkpoint, Context, Limits, Reading, Report, Session, Stop, Unit
from tray_app.sources.claude_lines import text_of
from tray_app.sources.codebuddy_lines import META
from tray_app.sources.codebuddy_reading import FileReading, Revised, remembered
from tray_app.sources.jsonl import Records
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.walk import files_under

PROJECTS = "projects"
SUBAGENTS = "subagents"
META_LIMIT = 64 * 1024
NOT_SESSIONS = frozenset({"history.jsonl"})
NOT_ENTERED = frozenset({"tool-results", "file-history", "plugins", "skills", "memory", "traces", "node_modules", ".git"})

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PLAIN_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]*")


class CodeBuddyAdapter:
    """Adapter for one of the two programs.

    CodeBuddy Code 2.117 was recorded. No file of WorkBuddy was: its rules (prompts in `<user_query>`, `user` messages
    without it are not the person's once one had it) come from programs that read such files. Choices: messages stand in
    the order of the file; what the parent model wrote to a sub-agent, and prompts of agents other than the main one, are
    notes; a slash command with arguments is a note, one without is left out; only the folder tells a sub-agent's parent.
    """

    version = 1

    def __init__(
        self,
        agent: str,
        name: str,
        confidence: str,
        places: tuple[tuple[str, str], ...],
        *,
        wraps: bool = False,
        command: str = "",
    ) -> None:
        """`places` are folders under the home, each with the variable that moves it ('': none); `wraps`: the program
        wraps prompts; `command` resumes a session ('': there is none)."""
        self.agent, self.name, self.confidence = agent, name, confidence
        self._places, self._wraps, self._command = places, wraps, command

    def roots(self, home: SourcesHome) -> list[Path]:
        folders = [home.agent_folder(variable, name) if variable else home.home / name for variable, name in self._places]
        return list(dict.fromkeys(folder / PROJECTS for folder in folders))

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        """All .jsonl files below `root`; in the side folder of a session only those of its sub-agents."""
        top = root / PROJECTS if (root / PROJECTS).is_dir() else root
        for found in files_under(top, _wanted, report, self.agent, enter=_entered):
            folder = found.path.parent
            is_agent = folder.name == SUBAGENTS
            inside = found.path.relative_to(top).parts[:-1]
            if not is_agent and any(_UUID.fullmatch(part) for part in inside):
                continue
            owner = folder.parent.name if is_agent else ""
            meta = found.path.with_suffix(".meta.json")
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=f"{owner}.{found.path.stem}" if owner else found.path.stem,
                size=found.size,
                mtime_ns=found.mtime_ns,
                inode=found.inode,
                others=(meta,) if meta.is_file() else (),
                kind="subagent" if is_agent else "main",
                parent=owner,
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """See `base.Adapter.read`. Read whole if a new line changes who the person is in this file."""
        try:
            return self._read(unit, checkpoint if remembered(checkpoint) is not None else None, limits, stop)
        except Revised:
            return self._read(unit, None, limits, stop)

    def _read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        with Records(unit.path, self.agent, checkpoint, limits, stop) as records:
            return FileReading(unit, records, limits, checkpoint, wraps=self._wraps).read(_forked_from(unit))

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && codebuddy --resume <id>`: that of the parent for a sub-agent; '' for WorkBuddy, which has none."""
        target = session.parent if session.kind == "subagent" else session.id
        if not self._command or not _PLAIN_ID.fullmatch(target):
            return ""
        return in_folder(session.cwd, f"{self._command} {argument(target)}")


CODEBUDDY = CodeBuddyAdapter(
    "codebuddy",
    "CodeBuddy Code",
    "recorded",
    (("CODEBUDDY_CONFIG_DIR", ".codebuddy"), ("", ".codebuddy-cn")),
    command="codebuddy --resume",
)
WORKBUDDY = CodeBuddyAdapter("workbuddy", "WorkBuddy", "readers", (("WORKBUDDY_HOME", ".workbuddy"),), wraps=True)


def _wanted(name: str) -> bool:
    return name.endswith(".jsonl") and name not in NOT_SESSIONS


def _entered(folder: Path) -> bool:
    return folder.name not in NOT_ENTERED


def _forked_from(unit: Unit) -> str:
    """The session that a fork was made from; '' where the file beside it does not say or cannot be read."""
    for path in unit.others:
        try:
            with path.open("rb") as stream:
                return text_of(META.decode(stream.read(META_LIMIT)).forked_from)
        except (OSError, ValueError, RecursionError):  # a side file: the session is read all the same
            continue
    return ""
