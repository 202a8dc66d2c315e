"""The methods of `Backend`, each turned into one call by name. Owns nothing else; who answers is decided by `_ask`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tray_app.records import (
    Answer,
    Download,
    Finding,
    ForgottenView,
    IndexFigures,
    IndexReport,
    KeptView,
    MeaningTest,
    MeaningView,
    Problem,
    Progress,
    SearchRequest,
    SessionItem,
    SessionView,
    SourceView,
    SpaceView,
    Status,
    TopicCard,
)
from tray_app.service.memory_forwarding import MemoryForwarding


class Forwarding(MemoryForwarding):
    """A `Backend` whose every method goes through `_ask`."""

    def _ask(self, name: str, params: dict[str, Any], report: Callable[[Progress], None] | None = None) -> Any:
        """The result of the method `name` of whoever answers. Raises AppError."""
        raise NotImplementedError

    def search(self, request: SearchRequest) -> Answer:
        answer: Answer = self._ask("search", {"request": request})
        return answer

    def show(
        self,
        session: str,
        around: str | None = None,
        limit: int = 200,
        first: int | None = None,
        agent: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> SessionView:
        params = {"session": session, "around": around, "limit": limit, "first": first, "agent": agent}
        view: SessionView = self._ask("show", {**params, "space": space, "caller": caller})
        return view

    def sessions(
        self,
        agent: str | None = None,
        project: str | None = None,
        limit: int = 0,
        order: str = "newest",
        space: str | None = None,
        caller: str | None = None,
    ) -> list[SessionItem]:
        params = {"agent": agent, "project": project, "limit": limit, "order": order}
        items: list[SessionItem] = self._ask("sessions", {**params, "space": space, "caller": caller})
        return items

    def sources(self) -> list[SourceView]:
        views: list[SourceView] = self._ask("sources", {})
        return views

    def set_source(self, source: str, enabled: bool) -> list[SourceView]:
        views: list[SourceView] = self._ask("set_source", {"source": source, "enabled": enabled})
        return views

    def add_folder(self, agent: str, path: str) -> list[SourceView]:
        views: list[SourceView] = self._ask("add_folder", {"agent": agent, "path": path})
        return views

    def remove_folder(self, source: str) -> list[SourceView]:
        views: list[SourceView] = self._ask("remove_folder", {"source": source})
        return views

    def index(
        self,
        *,
        all_sources: bool = False,
        full: bool = False,
        vectors: bool = False,
        report: Callable[[Progress], None] | None = None,
    ) -> IndexReport:
        outcome: IndexReport = self._ask("index", {"all_sources": all_sources, "full": full, "vectors": vectors}, report)
        return outcome

    def pause(self, minutes: float | None = None) -> Status:
        status: Status = self._ask("pause", {"minutes": minutes})
        return status

    def resume(self) -> Status:
        status: Status = self._ask("resume", {})
        return status

    def rebuild(self) -> None:
        self._ask("rebuild", {})

    def clear_index(self) -> Status:
        status: Status = self._ask("clear_index", {})
        return status

    def spaces(self) -> list[SpaceView]:
        return self._ask_spaces("spaces", {})

    def add_space(self, name: str, folders: list[str]) -> list[SpaceView]:
        return self._ask_spaces("add_space", {"name": name, "folders": folders})

    def assign_folders(self, space: str, folders: list[str]) -> list[SpaceView]:
        return self._ask_spaces("assign_folders", {"space": space, "folders": folders})

    def unassign_folder(self, folder: str) -> list[SpaceView]:
        return self._ask_spaces("unassign_folder", {"folder": folder})

    def rename_space(self, space: str, name: str) -> list[SpaceView]:
        return self._ask_spaces("rename_space", {"space": space, "name": name})

    def remove_space(self, space: str) -> list[SpaceView]:
        return self._ask_spaces("remove_space", {"space": space})

    def restore_space(self, space: str) -> list[SpaceView]:
        return self._ask_spaces("restore_space", {"space": space})

    def _ask_spaces(self, name: str, params: dict[str, Any]) -> list[SpaceView]:
        views: list[SpaceView] = self._ask(name, params)
        return views

    def kept(self) -> KeptView:
        view: KeptView = self._ask("kept", {})
        return view

    def keep_now(self) -> KeptView:
        view: KeptView = self._ask("keep_now", {})
        return view

    def write_out(self, session: str, target: str, agent: str | None = None) -> list[str]:
        paths: list[str] = self._ask("write_out", {"session": session, "target": target, "agent": agent})
        return paths

    def forget_session(
        self, session: str, agent: str | None = None, space: str | None = None, caller: str | None = None
    ) -> ForgottenView:
        params = {"session": session, "agent": agent, "space": space, "caller": caller}
        view: ForgottenView = self._ask("forget_session", params)
        return view

    def forgotten(self) -> list[ForgottenView]:
        views: list[ForgottenView] = self._ask("forgotten", {})
        return views

    def unforget(self, session: str, agent: str | None = None) -> list[ForgottenView]:
        views: list[ForgottenView] = self._ask("unforget", {"session": session, "agent": agent})
        return views

    def meaning(self) -> MeaningView:
        view: MeaningView = self._ask("meaning", {})
        return view

    def test_meaning(self, values: dict[str, Any], key: str | None = None) -> MeaningTest:
        outcome: MeaningTest = self._ask("test_meaning", {"values": values, "key": key})
        return outcome

    def set_key(self, purpose: str, key: str | None) -> MeaningView:
        view: MeaningView = self._ask("set_key", {"purpose": purpose, "key": key})
        return view

    def download_model(self, model: str) -> Download:
        download: Download = self._ask("download_model", {"model": model})
        return download

    def cancel_download(self) -> Download:
        download: Download = self._ask("cancel_download", {})
        return download

    def topics(self, days: int = 14, space: str | None = None, caller: str | None = None) -> list[TopicCard]:
        cards: list[TopicCard] = self._ask("topics", {"days": days, "space": space, "caller": caller})
        return cards

    def status(self, space: str | None = None, caller: str | None = None) -> Status:
        status: Status = self._ask("status", {"space": space, "caller": caller})
        return status

    def index_figures(self, space: str | None = None, caller: str | None = None) -> IndexFigures:
        found: IndexFigures = self._ask("index_figures", {"space": space, "caller": caller})
        return found

    def problems(self, limit: int = 500, space: str | None = None) -> list[Problem]:
        found: list[Problem] = self._ask("problems", {"limit": limit, "space": space})
        return found

    def doctor(self) -> list[Finding]:
        findings: list[Finding] = self._ask("doctor", {})
        return findings

    def config(self) -> dict[str, Any]:
        values: dict[str, Any] = self._ask("config", {})
        return values

    def set_config(self, key: str, value: Any) -> Any:
        return self._ask("set_config", {"key": key, "value": value})
