"""What the hand-over window asks and writes, off the GUI thread.

Owns the lanes, the project that is looked at, and what is known of it. Questions are dropped when a newer one comes;
writes never are: they go one after the other, and what they changed is asked for again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from tray_app.errors import AppError
from tray_app.records import CacheStats, CardView, CheckpointState, MemoryView, PackView, ProjectView, SpaceView
from tray_app.service.backend import Backend
from tray_app.ui.queries import Lane
from tray_app.ui.tasks import Tasks

T = TypeVar("T")
SLIDER_MS = 120
"""The pack is asked for so long after the slider's last move."""
CACHE_SESSIONS = 20


class HandoverFlow(QObject):
    """Signals come on the GUI thread and belong to `project`, the one that is looked at now."""

    spaces_came = Signal(list)
    projects_came = Signal(list)
    cache_came = Signal(object)
    mended = Signal(str)
    state_came = Signal(object)
    card_came = Signal(object)
    memories_came = Signal(list)
    pack_came = Signal(object)
    failed = Signal(object)
    """AppError of a question or a write."""
    wrote = Signal()

    def __init__(self, backend: Backend, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._backend = backend
        self._lanes = {name: Lane(f"handover-{name}", self) for name in ("list", "state", "memories", "pack", "cache")}
        self._writes = Tasks(self, threads=1)
        self.space: str | None = None
        self.projects: list[ProjectView] = []
        self.project = ""
        self.wanted = ""
        """The project that was asked for by a name it may be called by; taken by who shows it."""
        self.state: CheckpointState | None = None
        self.card: CardView | None = None
        self.pack: PackView | None = None
        self.memories: list[MemoryView] = []
        self.memory_state = "active"
        self.budget = 0
        self._keep_budget = False
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(SLIDER_MS)
        self._late.timeout.connect(self._ask_pack)

    def close(self) -> None:
        """No further answers. Writes that were asked for are still made."""
        self._late.stop()
        for lane in self._lanes.values():
            lane.close()
        self._writes.close(finish=True)

    def view(self) -> ProjectView | None:
        """The project that is looked at."""
        return next((one for one in self.projects if one.name == self.project), None)

    # --- asking ------------------------------------------------------------------------------------------------------
    def refresh(self, wanted: str = "") -> None:
        """Everything anew; what is known stays on show meanwhile. `wanted`: what somebody calls the project to be shown."""
        self.wanted = wanted or self.wanted
        self._ask_list()
        if self.project:
            self.ask_project()

        def figures() -> tuple[CacheStats, str]:
            stats = self._backend.cache_stats(limit=CACHE_SESSIONS, space=self.space)
            return stats, self._backend.memory_stats(space=self.space).mended

        self._lanes["cache"].ask(figures, self._figured, self.failed.emit)

    def _ask_list(self) -> None:
        space, budget, wanted = self.space, self.budget, self.wanted

        def call() -> tuple[list[SpaceView], list[ProjectView], int, str]:
            tokens = budget or int(self._backend.config().get("memory.pack_tokens", 0))
            projects = self._backend.projects(space=space)
            name = wanted
            if wanted and all(one.name != wanted for one in projects):
                name = self._backend.guess_project(wanted, space=space).project
            return self._backend.spaces(), projects, tokens, name

        self._lanes["list"].ask(call, self._listed, self.failed.emit)

    def _listed(self, found: tuple[list[SpaceView], list[ProjectView], int, str]) -> None:
        spaces, self.projects, self.budget, self.wanted = found
        self.spaces_came.emit(spaces)
        self.projects_came.emit(self.projects)

    def _figured(self, found: tuple[CacheStats, str]) -> None:
        self.cache_came.emit(found[0])
        self.mended.emit(found[1])

    def choose(self, project: str) -> None:
        """Look at another project."""
        if project != self.project:
            self.project = project
            self.state = self.card = self.pack = None
            self.memories = []
            for name in ("state", "memories", "pack"):
                self._lanes[name].drop()
        if project:
            self.ask_project()

    def choose_space(self, space: str | None) -> None:
        self.space = space
        self.choose("")
        self.refresh()

    def ask_project(self) -> None:
        project, space = self.project, self.space

        def call() -> tuple[CheckpointState, CardView]:
            return self._backend.checkpoint(project, space=space), self._backend.card(project, space=space)

        self._lanes["state"].ask(call, self._stated, self.failed.emit)
        self.ask_memories()
        self._ask_pack()

    def _stated(self, found: tuple[CheckpointState, CardView]) -> None:
        self.state, self.card = found
        self.card_came.emit(self.card)
        self.state_came.emit(self.state)

    def ask_memories(self, state: str = "") -> None:
        """Those of the project in one state, all kinds."""
        self.memory_state = state or self.memory_state
        project, space, wanted = self.project, self.space, self.memory_state

        def came(found: list[MemoryView]) -> None:
            self.memories = found
            self.memories_came.emit(found)

        self._lanes["memories"].ask(
            lambda: self._backend.memories(project=project, state=wanted, space=space), came, self.failed.emit
        )

    def set_budget(self, tokens: int) -> None:
        """Another size of the pack: it is asked for in a moment, and becomes the setting."""
        if tokens != self.budget:
            self.budget = tokens
            self._keep_budget = True
            self._late.start()

    def _ask_pack(self) -> None:
        project, space, budget, keep = self.project, self.space, self.budget, self._keep_budget
        if not project:
            return
        self._keep_budget = False
        if keep:
            self.write(lambda: self._backend.set_config("memory.pack_tokens", budget), again=False)

        def came(found: PackView) -> None:
            self.pack = found
            self.pack_came.emit(found)

        self._lanes["pack"].ask(lambda: self._backend.pack(project, budget_tokens=budget, space=space), came, self.failed.emit)

    # --- writing -----------------------------------------------------------------------------------------------------
    def write(
        self,
        call: Callable[[], T],
        done: Callable[[T], Any] | None = None,
        failed: Callable[[AppError], Any] | None = None,
        *,
        again: bool = True,
    ) -> None:
        """Run a call that changes something; then `done` with what it gave, and (`again`) what is on show is asked for."""

        def came(value: T) -> None:
            if done is not None:
                done(value)
            if again:
                self.wrote.emit()
                self._ask_list()
                if self.project:
                    self.ask_project()

        def refused(fault: AppError) -> None:
            if failed is not None:
                failed(fault)
            self.failed.emit(fault)

        self._writes.run(self, call, came, refused)

    def put_fields(
        self,
        fields: dict[str, Any],
        done: Callable[[CheckpointState], Any] | None = None,
        failed: Callable[[AppError], Any] | None = None,
        *,
        project: str = "",
        draft: bool = False,
    ) -> None:
        """Write fields of the checkpoint, or of its draft. Empty ones are cleared."""
        name, space = project or self.project, self.space
        given = {field: value or None for field, value in fields.items()}
        self.write(lambda: self._backend.put_checkpoint(name, given, draft=draft, space=space), done, failed)
