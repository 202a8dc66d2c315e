"""Filters: which passages and which speakers a question admits.

Owns the names people may give in `agent:`, `project:`, `role:`, `kind:` and `session:`, and says which of them is unknown.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tray_app.library.kept import Passages
from tray_app.library.reading import Reader
from tray_app.recall.query import ParsedQuery

_AGENTS = {"claude": "claude_code", "cc": "claude_code", "claudecode": "claude_code", "deepseek": "dsh"}
_TOOLS = ("tool_call", "tool_result")
_ROLES = {
    **{role: (role,) for role in ("user", "assistant", "reasoning", "summary", "note", *_TOOLS)},
    "tool": _TOOLS,
    "tools": _TOOLS,
    "person": ("user",),
    "me": ("user",),
    "human": ("user",),
    "agent": ("assistant",),
    "ai": ("assistant",),
}
_KIND_OF_ROLE = {"user": "round", "assistant": "round", "tool_call": "tool", "tool_result": "tool"}
_KINDS = {
    **{kind: kind for kind in ("round", "tool", "summary", "note", "reasoning")},
    "talk": "round",
    "message": "round",
    "tools": "tool",
    "tool_call": "tool",
    "tool_result": "tool",
}


class Scope(msgspec.Struct, frozen=True):
    """What may be shown. `mask` says it by passage id (None: everything); `roles` whose messages (empty: everybody's).

    `unknown` names a filter whose value is not in the index; `apart` says that each is known and no session fits all.
    """

    mask: NDArray[np.bool_] | None = None
    roles: frozenset[str] = frozenset()
    unknown: str = ""
    apart: bool = False

    def within(self, passages: Passages, span: tuple[int, int] | None) -> NDArray[np.bool_]:
        """Passages admitted, inside a half-open time where one is given."""
        mask = passages.known if self.mask is None else self.mask
        return mask & (passages.time >= span[0]) & (passages.time < span[1]) if span else mask


def scope_of(parsed: ParsedQuery, reader: Reader, exclude_session: str | None) -> Scope:
    """The filters and hard times of a question on this library."""
    given = parsed.filters
    role, kind = given.get("role", "").lower(), given.get("kind", "").lower()
    roles = _ROLES.get(role, ())
    if role and not roles:
        return Scope(unknown="role")
    if kind and kind not in _KINDS:
        return Scope(unknown="kind")
    passages = reader.passages()
    masks: list[NDArray[np.bool_]] = []
    wanted = {name: value for name in ("agent", "project", "session") if (value := given.get(name))}
    if wanted:
        ids = _sessions(reader, wanted)
        if not ids:
            alone = next((name for name, value in wanted.items() if not _sessions(reader, {name: value})), "")
            return Scope(unknown=alone, apart=not alone)
        masks.append(_of_sessions(passages, ids))
    if exclude_session and (ids := reader.session_ids(native=exclude_session)):
        masks.append(~_of_sessions(passages, ids))
    kinds = {_KINDS[kind]} if kind else {_KIND_OF_ROLE.get(one, one) for one in roles}
    if kinds:
        masks.append(np.isin(passages.kind, [place for place, name in enumerate(passages.kinds) if name in kinds]))
    if parsed.since is not None:
        masks.append(passages.time >= parsed.since)
    if parsed.until is not None:
        masks.append((passages.time < parsed.until) & (passages.time > 0))
    mask = np.logical_and.reduce([passages.known, *masks]) if masks else None
    return Scope(mask, frozenset(roles))


def _sessions(reader: Reader, wanted: dict[str, str]) -> list[int]:
    return reader.session_ids(
        agent=agent_name(wanted.get("agent")), project=wanted.get("project"), native=wanted.get("session")
    )


def _of_sessions(passages: Passages, ids: list[int]) -> NDArray[np.bool_]:
    chosen = np.zeros(max(int(passages.session.max(initial=0)), *ids) + 1, np.bool_)
    chosen[ids] = True
    return np.asarray(chosen[passages.session], np.bool_)


def agent_name(name: str | None) -> str | None:
    """Agents as people write them: claude, claude-code, 'Claude Code'."""
    if not name:
        return None
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    return _AGENTS.get(plain, plain)
