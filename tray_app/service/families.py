"""Sessions with the sub-agents that worked for them: what front ends list as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tray_app.records import SessionItem


class Family(NamedTuple):
    """A session, and the sub-agents it started or these started in turn, in the order they were given."""

    head: SessionItem
    members: tuple[SessionItem, ...] = ()


def families(items: Sequence[SessionItem]) -> list[Family]:
    """The sessions in their order, sub-agents folded under theirs. One whose parent is not among them stands for itself."""
    known = {(item.agent, item.session): item for item in items}
    members: dict[tuple[str, str], list[SessionItem]] = {}
    heads = []
    for item in items:
        head = _head(item, known)
        if head is item:
            heads.append(item)
        else:
            members.setdefault((head.agent, head.session), []).append(item)
    return [Family(head, tuple(members.get((head.agent, head.session), ()))) for head in heads]


def _head(item: SessionItem, known: dict[tuple[str, str], SessionItem]) -> SessionItem:
    """The session that a sub-agent worked for in the end: itself for any other, and where parents go in a circle."""
    at, seen = item, {item.session}
    while at.kind == "subagent" and (parent := known.get((at.agent, at.parent))) is not None:
        if parent.session in seen:
            return item
        seen.add(parent.session)
        at = parent
    return at
