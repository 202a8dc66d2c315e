"""What front ends ask about handing over: checkpoints, cards, packs, drafts, and snippets for a chat."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tray_app.handoff.pack import build
from tray_app.handoff.resume import advise
from tray_app.handoff.snippets import PASSAGE, SESSION, snippet
from tray_app.memory.projects import now_ms
from tray_app.records import CardView, CheckpointState, DraftView, PackView
from tray_app.remembering.last_session import agent_name, last_session
from tray_app.remembering.reach import Reach
from tray_app.text.dates import local_zone

WHOLE, BEGINNING = 1_000_000, 200
"""Messages of a session that are looked at: all of them, or those among which something was said first."""


class Handing(Reach):
    """A part of `Engine`. Owns no state."""

    def checkpoint(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        with self._mind(space, caller) as mind:
            return mind.checkpoints.state(mind.projects.find(project))

    def put_checkpoint(
        self,
        project: str,
        fields: dict[str, Any],
        draft: bool = False,
        space: str | None = None,
        caller: str | None = None,
    ) -> CheckpointState:
        with self._mind(space, caller) as mind:
            return mind.checkpoints.put(mind.projects.resolve(project), fields, draft=draft)

    def promote_draft(
        self,
        project: str,
        fields: list[str] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> CheckpointState:
        with self._mind(space, caller) as mind:
            return mind.checkpoints.promote(mind.projects.find(project), fields)

    def discard_draft(self, project: str, space: str | None = None, caller: str | None = None) -> CheckpointState:
        with self._mind(space, caller) as mind:
            return mind.checkpoints.discard(mind.projects.find(project))

    def drafts(self, space: str | None = None, caller: str | None = None) -> list[DraftView]:
        with self._mind(space, caller) as mind:
            return mind.checkpoints.drafts()

    def card(
        self,
        project: str,
        id: int | None = None,  # noqa: A002
        space: str | None = None,
        caller: str | None = None,
    ) -> CardView:
        with self._mind(space, caller) as mind:
            return mind.cards.view(mind.projects.find(project), id)

    def put_card(self, project: str, markdown: str, space: str | None = None, caller: str | None = None) -> CardView:
        with self._mind(space, caller) as mind:
            return mind.cards.write(mind.projects.resolve(project), markdown)

    def pack(
        self,
        project: str,
        budget_tokens: int = 0,
        with_meta: bool = False,
        exclude_session: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> PackView:
        with self._mind(space, caller) as mind:
            name = mind.projects.find(project)
            budget = budget_tokens or int(self.settings["memory.pack_tokens"])
            with self._reading(mind.library) as reader:
                real = self.keeping.readout().moved.real
                last = last_session(mind, reader, name, self._resume_command, real, but=exclude_session)
            active = mind.checkpoints.state(name).active
            written = round(datetime.fromisoformat(active.updated).timestamp() * 1000) if active else 0
            advice = advise(last, now_ms(), local_zone(), written)
            return build(mind.store, name, budget, with_meta=with_meta, resume=advice)

    def snippet(
        self,
        session: str,
        message: str | None = None,
        form: str = "passage",
        for_agent: bool = False,
        agent: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> str:
        limit = WHOLE if form == SESSION else 1 if message is not None else BEGINNING
        view = self.show(
            session, around=message if form == PASSAGE else None, limit=limit, agent=agent, space=space, caller=caller
        )
        return snippet(view, agent_name, local_zone(), message=message, form=form, for_agent=for_agent)
