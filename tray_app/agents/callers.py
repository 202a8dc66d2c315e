"""Which session an agent's process holds now: noted by its hook, read by the server that the same process started.

What an agent tells its server about itself can be wrong (Claude Code gives a server of a resumed session an id that no session
has) or nothing; its hook is always told. Owns the folder `callers` in the data folder and how many files are in it: one for
each process of an agent, with the agent and the session, or no session where the process holds several at once and nobody can
tell which of them calls. Imports next to nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tray_app.agents.told import prune

FOLDER = "callers"
MOST, LEFT = 100, 50
"""With more files than MOST the oldest are removed, down to LEFT."""
AGENTS = frozenset({"claude_code", "gemini_cli", "kimi", "qwen"})
"""Those whose process holds one session, as a rule. Codex says in each request which one it is; DSH holds many."""
GOES_OVER = frozenset({"resume", "clear"})
"""Sources of a start at which a process leaves the one session it held for another one."""
EARLIER_S = 60.0
"""So long before its server a process may have noted its session. Where it is not known when a process began, an older note may
be that of another one that had the number before."""
SHELLS = frozenset({"sh", "dash", "bash", "zsh", "ksh", "fish"})


class Process(NamedTuple):
    """`began` is when, in the system's own count, '' where it is not told."""

    number: int
    began: str = ""

    @property
    def name(self) -> str:
        return f"{self.number}-{self.began}" if self.began else str(self.number)


def process(number: int) -> Process:
    return Process(number, _facts(number)[2])


def starter(agent: str = "", environ: Mapping[str, str] | None = None) -> Process:
    """The agent's process that started this one: some put a shell between. A hook of Claude Code is told its number."""
    said = (environ or {}).get("CLAUDE_PID", "") if agent == "claude_code" else ""
    if said.isascii() and said.isdigit() and len(said) < 20:
        return process(int(said))
    above = os.getppid()
    name, over, began = _facts(above)
    return process(over) if name in SHELLS else Process(above, began)


def note(folder: Path, holder: Process, agent: str, session: str, source: str = "") -> None:
    """The process holds this session now. Raises OSError."""
    if agent not in AGENTS or holder.number < 1:
        return
    file = folder / holder.name
    known = _read(file)
    several = known is not None and known != (agent, session) and not (known[1] and source in GOES_OVER)
    held = "" if several else session
    if known == (agent, held):
        os.utime(file)
        return
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
    fresh = folder / f"{holder.name}.{os.getpid()}.tmp"
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, f"{agent}\n{held}".encode("utf-8", "replace"))
    finally:
        os.close(handle)
    os.replace(fresh, file)
    prune(folder, MOST, LEFT)


def held_by(holder: Process, folder: Path, client: str, since: float) -> str:
    """The session that the process holds, which started the server at `since` (seconds since 1970) and calls itself `client`; ''
    where it is not known."""
    file = folder / holder.name
    known = _read(file)
    if known is None or not is_of(client, known[0]):
        return ""
    try:
        noted = file.stat().st_mtime
    except OSError:
        return ""
    return known[1] if holder.began or since - EARLIER_S <= noted <= time.time() + EARLIER_S else ""


def is_of(client: str, agent: str) -> bool:
    """Whether a client of the protocol is this agent, by the name it gives itself."""
    return _plain(agent) in _plain(client)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").lower()


def _read(file: Path) -> tuple[str, str] | None:
    try:
        agent, _, session = file.read_text("utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    return (agent, session) if agent in AGENTS else None


def _facts(number: int) -> tuple[str, int, str]:
    """Name, parent and beginning of a process, where the system has them as files."""
    try:
        with Path(f"/proc/{number}/stat").open("rb") as stream:
            said = stream.read(4_096).decode("utf-8", "replace")
        name, rest = said[said.index("(") + 1 : said.rindex(")")], said[said.rindex(")") + 1 :].split()
        return name, int(rest[1]), rest[19]
    except (OSError, ValueError, IndexError):
        return "", 0, ""
