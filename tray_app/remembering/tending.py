"""What front ends ask about looking after memory: archiving, cleaning up, documents, figures."""

from __future__ import annotations

from collections.abc import Callable

from tray_app.insight import cache
from tray_app.memory import changelogs, lifecycle, pages
from tray_app.memory.projects import now_ms
from tray_app.records import ArchiveReport, CacheStats, ChangelogReport, CleanupPlan, Finding, PageView, ParagraphView, Progress
from tray_app.remembering import parting
from tray_app.remembering.findings import findings
from tray_app.remembering.reach import Reach
from tray_app.remembering.rounds import today
from tray_app.settings import checked
from tray_app.territory import REST


class Tending(Reach):
    """A part of `Engine`. Owns no state."""

    def archive_sessions(
        self,
        project: str | None = None,
        limit: int = 0,
        backfill: bool = False,
        force: bool = False,
        space: str | None = None,
        caller: str | None = None,
        report: Callable[[Progress], None] | None = None,
    ) -> ArchiveReport:
        def say(done: int, total: int) -> None:
            if report is not None:
                report(Progress(phase="archiving", done=done, total=total))

        with self._mind(space, caller) as mind:
            name = mind.projects.find(project) if project is not None else None
            return self.rounds.archive(
                mind, self.rounds.until_closed(), project=name, limit=limit, backfill=backfill, force=force, report=say
            )

    def _tend_idle(self, stop: Callable[[], bool], *, asked: bool) -> bool:
        """What is done for memory while nothing is to be read; whether nothing is left to do."""
        self.rounds.idle(stop)
        return self.rounds.fill(stop, asked=asked)

    def _part_memory(self) -> None:
        """Folders were assigned otherwise: what was kept of their sessions goes with them."""
        layout = self.libraries.spaces.layout()
        spaces = [REST, *(one.id for one in layout.in_use)]
        parting.part(zip(spaces, self._minds(), strict=True), lambda space: self.minds.of(self.libraries.of(space)), layout)
        for mind in self._minds():
            self.pointing.settle(mind, looked=True)
        self.pointing.arrange()

    def _memory_findings(self) -> list[Finding]:
        return findings(self._minds(), self.rounds.faults)

    def changelog(
        self, project: str, everything: bool = False, space: str | None = None, caller: str | None = None
    ) -> ChangelogReport:
        with self._mind(space, caller) as mind:
            return changelogs.take_in(
                mind.store, mind.projects, self.settings, project, now_ms(), today(), everything=everything
            )

    def index_pages(self, project: str, space: str | None = None, caller: str | None = None) -> list[PageView]:
        with self._mind(space, caller) as mind:
            stop = self.rounds.until_closed()
            return list(pages.index_pages(mind.store, mind.projects, self.settings, project, now_ms(), stop=stop).views)

    def pages(self, project: str | None = None, space: str | None = None, caller: str | None = None) -> list[PageView]:
        with self._mind(space, caller) as mind:
            return pages.views(mind.store, mind.projects.find(project) if project is not None else None, now_ms())

    def search_pages(
        self,
        query: str,
        project: str | None = None,
        limit: int = 8,
        space: str | None = None,
        caller: str | None = None,
    ) -> list[ParagraphView]:
        with self._mind(space, caller) as mind:
            name = mind.projects.find(project) if project is not None else None
            return pages.search(mind.store, query, name, now_ms(), limit)

    def cache_stats(
        self, project: str | None = None, limit: int = 20, space: str | None = None, caller: str | None = None
    ) -> CacheStats:
        with self._mind(space, caller) as mind, self._reading(mind.library) as reader:
            name = mind.projects.find(project) if project is not None else None
            return cache.cache_stats(reader, mind.store, mind.projects.of_workspace, name, limit)

    def cleanup(
        self,
        apply: bool = False,
        purge: bool = False,
        limits: dict[str, int] | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> CleanupPlan:
        others = {f"memory.{name}": value for name, value in (limits or {}).items()}
        values = self.settings.as_dict() | {key: checked(key, value) for key, value in others.items()}
        with self._mind(space, caller) as mind:
            act = lifecycle.apply if apply else lifecycle.plan
            return act(mind.store, values, now_ms(), purge=purge, orphans=mind.projects.prune())
