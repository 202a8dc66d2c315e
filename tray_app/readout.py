"""What the index says of sessions, as it is now: folders that were moved, sessions whose file is gone.

Applied to every answer, view and list on its way out, so that a rule changes what is shown without anything being read anew.
Owns no rule; looks at the disk only for whether a session's folder is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from tray_app.indexing.prepare import project_of
from tray_app.moved import Moved
from tray_app.records import Answer, MenuSession, SessionHits, SessionItem, SessionView, Topic, TopicCard
from tray_app.sources.base import Session


class Readout:
    """`anchor` gives the path of our copy of a session's file ('' if there is none), by agent and id."""

    def __init__(self, moved: Moved, anchor: Callable[[str, str], str]) -> None:
        self.moved, self.anchor = moved, anchor

    def of_session(self, session: Session) -> Session:
        """For a resume command: in the folder where the project is now."""
        return msgspec.structs.replace(session, cwd=self.moved.real(session.cwd)) if self.moved else session

    def of_answer(self, answer: Answer) -> Answer:
        if not self.moved and not any(session.gone for session in answer.sessions):
            return answer
        sessions = tuple(map(self._of_hits, answer.sessions))
        menu = answer.fallback_menu
        if menu is not None:
            projects = {(session.agent, session.session): session.project for session in sessions}
            menu = msgspec.structs.replace(menu, sessions=tuple(_of_menu(menu.sessions, projects)))
        return msgspec.structs.replace(answer, sessions=sessions, fallback_menu=menu)

    def _of_hits(self, session: SessionHits) -> SessionHits:
        folder, project = self._place(session.workspace, session.project)
        session = msgspec.structs.replace(session, workspace=folder, project=project)
        if not session.gone:
            return session
        path = self.anchor(session.agent, session.session)
        hits = tuple(msgspec.structs.replace(hit, path=path or hit.path) for hit in session.hits)
        return msgspec.structs.replace(session, resume_command="", hits=hits)

    def of_view(self, view: SessionView) -> SessionView:
        folder, project = self._place(view.cwd, view.project)
        view = msgspec.structs.replace(view, cwd=folder, project=project, cwd_exists=not folder or Path(folder).is_dir())
        if not view.gone:
            return view
        path = self.anchor(view.agent, view.session)
        return msgspec.structs.replace(view, resume_command="", path=path or view.path, archived=bool(path))

    def of_item(self, item: SessionItem) -> SessionItem:
        if not self.moved and not item.gone:
            return item
        folder, project = self._place(item.cwd, item.project)
        resume = "" if item.gone else item.resume_command
        return msgspec.structs.replace(item, cwd=folder, project=project, resume_command=resume)

    def of_cards(
        self, cards: list[TopicCard], folders: Callable[[set[tuple[str, str]]], dict[tuple[str, str], str]]
    ) -> list[TopicCard]:
        """`folders` gives the folders of sessions, by agent and id."""
        if not self.moved:
            return cards
        known = folders({(topic.agent, topic.session) for card in cards for topic in card.topics})

        def moved(topic: Topic) -> Topic:
            folder = known.get((topic.agent, topic.session), "")
            return msgspec.structs.replace(topic, project=self._place(folder, topic.project)[1])

        return [msgspec.structs.replace(card, topics=tuple(map(moved, card.topics))) for card in cards]

    def _place(self, folder: str, project: str) -> tuple[str, str]:
        real = self.moved.real(folder) if self.moved else folder
        return (real, project) if real == folder else (real, project_of(real))


def _of_menu(sessions: Iterable[MenuSession], projects: dict[tuple[str, str], str]) -> Iterable[MenuSession]:
    for one in sessions:
        yield msgspec.structs.replace(one, project=projects.get((one.agent, one.session), one.project))
