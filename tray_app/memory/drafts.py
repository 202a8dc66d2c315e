"""Drafts of checkpoints: written beside the active one, waiting for review, at most one a project.

Owns which draft of a project stays when another one comes. Promoting and discarding is `handoff`'s; this only puts them down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import ArchiveRow, CardRow, CheckpointRow
from tray_app.memory.names import name_key


def draft_in(rows: Iterable[CheckpointRow], project: str) -> CheckpointRow | None:
    """The draft of a project that waits for review."""
    key = name_key(project)
    found = [row for row in rows if row.state == "draft" and name_key(row.project) == key]
    return max(found, key=lambda row: (row.updated, row.id), default=None)


def put_draft(
    change: Change,
    project: str,
    fields: Mapping[str, str | tuple[str, ...]],
    *,
    evidence: Mapping[str, str],
    now: int,
    agent: str = "",
    session: str = "",
    replaces: int = 0,
) -> int:
    """Write a draft and give its id. `fields` by the names of `records.memory.FIELDS`, those that are not named are empty; `replaces`
    is the id of a draft whose place it takes. Every other draft of the project is archived, so that one is to be reviewed."""
    rows = change.rows(CheckpointRow)
    former = rows.get(replaces)
    created = former.created if former is not None and former.state == "draft" else now
    number = former.id if former is not None and former.state == "draft" else change.new_id(CheckpointRow)
    made = CheckpointRow(
        id=number, project=project, state="draft", created=created, updated=now, source_agent=agent, source_session=session,
        evidence=dict(evidence),
    )  # fmt: skip
    key = name_key(project)
    for row in list(rows.values()):
        if row.state == "draft" and row.id != number and name_key(row.project) == key:
            put_away(change, row, now)
    change.put(msgspec.structs.replace(made, **fields))
    return number


def put_away(change: Change, draft: CheckpointRow, now: int) -> None:
    """Archive a draft that nobody confirmed. Its session, if it grows, may have another one: only what the person has discarded stays
    away."""
    change.put(msgspec.structs.replace(draft, state="archived", updated=now))
    for row in list(change.rows(ArchiveRow).values()):
        if row.checkpoint == draft.id:
            change.put(msgspec.structs.replace(row, checkpoint=0))


def carded(cards: Iterable[CardRow]) -> Collection[int]:
    """Ids of checkpoints that were active once: each of these has a card. An archived one that has none was a draft."""
    return {card.checkpoint for card in cards}
