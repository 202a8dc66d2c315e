"""Who calls: which agent, and from which of its sessions. The agent says so in the request, its hook noted it, or it stands in the
environment the server was started with, where it can be out of date."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tray_app.agents import callers

VARIABLES = {
    "CLAUDE_CODE_SESSION_ID": "claude_code", "CLAUDE_SESSION_ID": "claude_code", "CODEX_THREAD_ID": "codex",
    "CODEX_SESSION_ID": "codex", "DSH_SESSION_ID": "dsh", "QWEN_CODE_SESSION_ID": "qwen",
}  # fmt: skip
"""Of which agent each is: one that was started inside another has those of the other, too."""
KNOWN = (*dict.fromkeys(VARIABLES.values()), "gemini_cli", "kimi", "opencode", "cursor")
KEYS = frozenset({"sessionid", "threadid", "conversationid"})
MOST_CHARS = 200
BOTH = ("kimi", "qwen")
"""Seen with Kimi Code 2.1 and Qwen Code 0.24. Claude Code and Codex pass on the data alone, Gemini CLI and OpenCode the texts alone."""


def calling_session(meta: Mapping[str, Any] | None, environ: Mapping[str, str], client: str = "", held: str = "") -> str:
    """The session's id as its agent keeps it, '' where it is not said. `meta`: `_meta` of the request; `client`: the name the
    agent gives itself; `held`: what its hook noted."""
    return _in(meta or {}, 0) or held or _set_in(environ, client)


def _set_in(environ: Mapping[str, str], client: str) -> str:
    others = [agent for agent in KNOWN if callers.is_of(client, agent)]
    own = (name for name, agent in VARIABLES.items() if not others or agent in others)
    return next((found for name in own if (found := environ.get(name, "").strip())), "")


class Starter:
    """The process that started this server. Make it at the start: later it may be gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process, self._since = callers.starter(), time.time()

    def session(self, client: str) -> str:
        """The session that it holds now, as its hook noted it; '' where none did. `client`: the name it gives itself."""
        return callers.held_by(self._process, self._folder, client, self._since)


def reads_both(client: str) -> bool:
    """Whether this agent gives its model the texts of an answer and the data too, so that each would cost twice."""
    return any(callers.is_of(client, agent) for agent in BOTH)


def _in(value: Mapping[str, Any], depth: int) -> str:
    for key, item in value.items():
        if isinstance(item, str) and _plain(key) in KEYS and 0 < len(item) <= MOST_CHARS:
            return item
    for item in value.values():
        if isinstance(item, Mapping) and depth < 2 and (found := _in(item, depth + 1)):
            return found
    return ""


def _plain(key: object) -> str:
    return str(key).rsplit("/", 1)[-1].replace("_", "").replace("-", "").lower()
