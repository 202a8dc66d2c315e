"""Which session a call comes from, where the agent says so: in the request, or in the environment it started us with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VARIABLES = (
    "CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "DSH_SESSION_ID", "QWEN_CODE_SESSION_ID",
)  # fmt: skip
KEYS = frozenset({"sessionid", "threadid", "conversationid"})
MOST_CHARS = 200


def calling_session(meta: Mapping[str, Any] | None, environ: Mapping[str, str]) -> str:
    """The session's id as its agent keeps it, '' where it is not said. `meta`: `_meta` of the request."""
    return _in(meta or {}, 0) or next((found for name in VARIABLES if (found := environ.get(name, "").strip())), "")


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
