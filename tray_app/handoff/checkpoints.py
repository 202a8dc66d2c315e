"""Checkpoints: the state of a project as it was last written down, the draft that waits beside it, and what came before.

One is active for each project, and at most one is a draft. Writing one puts the last away as superseded and renders the card
again, in the same change. Owns these transitions; drafts from sessions are put down by `memory.drafts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from tray_app import clock
from tray_app.errors import UsageError
from tray_app.handoff import fields as parts
from tray_app.handoff.card import Cards, active_card, cards_of, put_card, render
from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import ArchiveRow, CardRow, CheckpointRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.drafts import draft_in, put_draft
from tray_app.memory.names import name_key
from tray_app.memory.projects import now_ms
from tray_app.records import CheckpointState, CheckpointView, DraftView
from tray_app.records.memory import FIELDS

Register = Callable[[Change, str], None]


class Checkpoints:
    """The checkpoints of one library, by the names of projects as `Projects.resolve` gives them. `folder` gives a project's
    folder ('' for none), `register` notes a project inside a change. Every writing call may raise KnownError
    `memory_unwritable`, `disk_full`."""

    def __init__(self, store: MemoryStore, cards: Cards, folder: Callable[[str], str], register: Register) -> None:
        self.store, self.cards, self._folder, self._register = store, cards, folder, register

    # --- reading -----------------------------------------------------------------------------------------------------------
    def state(self, project: str) -> CheckpointState:
        """The active one, the draft, and earlier ones, newest first."""
        rows = _of(self.store.rows(CheckpointRow), project)
        active, draft = active_of(rows), draft_in(rows, project)
        earlier = sorted(
            (row for row in rows if row.state == "superseded"), key=lambda row: (row.updated, row.id), reverse=True
        )
        return CheckpointState(
            project=project,
            active=None if active is None else view_of(active),
            draft=None if draft is None else view_of(draft),
            history=tuple(map(view_of, earlier)),
        )

    def drafts(self) -> list[DraftView]:
        """All drafts that wait for review, newest first."""
        rows = list(self.store.rows(CheckpointRow).values())
        titles = {row.checkpoint: row.title for row in self.store.rows(ArchiveRow).values() if row.checkpoint}
        waiting = sorted((row for row in rows if row.state == "draft"), key=lambda row: (row.updated, row.id), reverse=True)
        views: list[DraftView] = []
        seen: set[str] = set()
        for row in waiting:
            if name_key(row.project) in seen:
                continue
            seen.add(name_key(row.project))
            active = active_of(_of(rows, row.project))
            views.append(
                DraftView(
                    draft=view_of(row),
                    active=None if active is None else view_of(active),
                    session_title=titles.get(row.id, ""),
                    differs=parts.differing(active, row),
                )
            )
        return views

    # --- writing -----------------------------------------------------------------------------------------------------------
    def put(
        self, project: str, fields: Mapping[str, Any], *, draft: bool = False, agent: str = "", session: str = ""
    ) -> CheckpointState:
        """Change the named fields of the active checkpoint, or of the draft; the others stay, and None clears. What changes
        nothing writes nothing. Raises UsageError `bad_field`, `too_long`, `empty_content` (no fields, or a first one without
        any content)."""
        kept = parts.checked(fields, self._folder(project))
        if not kept:
            raise UsageError(
                "empty_content", "Nothing to write", "No field is given.", f"A checkpoint has: {', '.join(FIELDS)}."
            )
        with self.store.change() as change:
            if draft:
                self._put_draft(change, project, kept, agent, session)
            else:
                self._put_active(change, project, kept, agent, session)
            self._register(change, project)
        if not draft:
            self.cards.export(project)
        return self.state(project)

    def _put_active(self, change: Change, project: str, kept: Mapping[str, Any], agent: str, session: str) -> None:
        active = active_of(_of(change.rows(CheckpointRow), project))
        base = active or CheckpointRow(id=1, project=project)
        changed = {name: value for name, value in kept.items() if value != getattr(base, name)}
        if active is not None and not changed:
            if active_card(cards_of(change.rows(CardRow), project)) is None:
                put_card(change, project, render(active), active.id, now_ms())
            return
        made = msgspec.structs.replace(parts.emptied(base, changed), **changed)
        if active is None and parts.is_empty(made):
            raise _nothing()
        self._become_active(change, project, made, change.new_id(CheckpointRow), agent, session)

    def _put_draft(self, change: Change, project: str, kept: Mapping[str, Any], agent: str, session: str) -> None:
        waiting = draft_in(change.rows(CheckpointRow).values(), project)
        if waiting is not None:
            made = msgspec.structs.replace(waiting, **kept)
            if made != waiting:
                state = "archived" if parts.is_empty(made) else "draft"
                change.put(msgspec.structs.replace(made, state=state, updated=now_ms()))
            return
        if not any(kept.values()):
            raise _nothing()
        put_draft(change, project, kept, evidence={}, now=now_ms(), agent=agent, session=session)

    def promote(self, project: str, names: Iterable[str] | None = None) -> CheckpointState:
        """Take the draft, or the named fields of it, over into the active checkpoint (`fields.merged` says how). What was taken
        leaves the draft; when nothing is left in it, the draft itself becomes the active one, with its source and evidence.
        Raises UsageError `no_draft`, `bad_field`."""
        wanted = FIELDS if names is None else parts.check_names(names)
        with self.store.change() as change:
            draft = self._draft(change, project)
            active = active_of(_of(change.rows(CheckpointRow), project))
            rest = parts.emptied(draft, wanted)
            whole = names is None or parts.is_empty(rest)
            base = active or CheckpointRow(id=1, project=project)
            said = {name: text for name, text in draft.evidence.items() if name in wanted and getattr(draft, name)}
            made = msgspec.structs.replace(base, evidence={**base.evidence, **said}, **parts.merged(active, draft, wanted))
            number = draft.id if whole else change.new_id(CheckpointRow)
            if not whole:
                change.put(msgspec.structs.replace(rest, updated=now_ms()))
            self._become_active(change, project, made, number, draft.source_agent, draft.source_session)
        self.cards.export(project)
        return self.state(project)

    def discard(self, project: str) -> CheckpointState:
        """Put the draft away; its session makes no other one. Raises UsageError `no_draft`."""
        with self.store.change() as change:
            change.put(msgspec.structs.replace(self._draft(change, project), state="archived", updated=now_ms()))
        return self.state(project)

    def _draft(self, change: Change, project: str) -> CheckpointRow:
        draft = draft_in(change.rows(CheckpointRow).values(), project)
        if draft is None:
            raise UsageError("no_draft", "No draft", f"{project} has no draft that waits for review.", "Nothing was changed.")
        return draft

    def _become_active(self, change: Change, project: str, made: CheckpointRow, number: int, agent: str, session: str) -> None:
        now = now_ms()
        for row in _of(change.rows(CheckpointRow), project):
            if row.state == "active" and row.id != number:
                change.put(msgspec.structs.replace(row, state="superseded", updated=now))
        kept = msgspec.structs.replace(
            made,
            id=number,
            project=project,
            state="active",
            created=now,
            updated=now,
            source_agent=agent,
            source_session=session,
        )
        put_card(change, project, render(change.put(kept)), number, now)


def active_of(rows: Iterable[CheckpointRow]) -> CheckpointRow | None:
    return max((row for row in rows if row.state == "active"), key=lambda row: (row.updated, row.id), default=None)


def view_of(row: CheckpointRow) -> CheckpointView:
    return CheckpointView(
        id=row.id, project=row.project, state=row.state, created=clock.iso(row.created) or "", updated=clock.iso(row.updated) or "",
        source_agent=row.source_agent, source_session=row.source_session, evidence=dict(row.evidence),
        **{name: getattr(row, name) for name in FIELDS},
    )  # fmt: skip


def _of(rows: Mapping[int, CheckpointRow] | Iterable[CheckpointRow], project: str) -> list[CheckpointRow]:
    key = name_key(project)
    found = rows.values() if isinstance(rows, Mapping) else rows
    return [row for row in found if name_key(row.project) == key]


def _nothing() -> UsageError:
    return UsageError("empty_content", "Nothing to write", "A checkpoint without any content is none.", "Fill a field.")
