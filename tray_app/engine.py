"""The façade: everything a front end may ask, on the files of one person.

Owns which library a question goes to, the one writing round at a time, and what is paused. No front end reaches past it.
Implements `service.backend.Backend`.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tray_app import __version__, clock
from tray_app.errors import UsageError
from tray_app.examining import PROBLEMS, Examining
from tray_app.filling import Filling
from tray_app.folders import Folders
from tray_app.indexer import Indexer
from tray_app.indexing.prepare import PIPELINE_VERSION
from tray_app.insight import agreement, leaving, status
from tray_app.keeping import Keeping
from tray_app.libraries import Libraries, Library
from tray_app.library.migrations import SCHEMA
from tray_app.library.reading import Reader
from tray_app.meaning import Meaning
from tray_app.naming import Naming
from tray_app.paths import Paths, SourcesHome
from tray_app.recall.search import Searcher
from tray_app.recall.sessions import list_sessions, show_session
from tray_app.records import (
    Answer,
    IndexFigures,
    IndexReport,
    KeptView,
    Owner,
    Problem,
    SearchRequest,
    SessionItem,
    SessionView,
    SourceView,
    SpaceView,
    Status,
    TopicCard,
)  # fmt: skip
from tray_app.remembering import Remembering
from tray_app.settings import BY_KEY, Settings
from tray_app.sources.base import Session
from tray_app.sources.registry import adapter
from tray_app.spaces import Spaces
from tray_app.state import State
from tray_app.territory import REST
from tray_app.text.dates import local_zone
from tray_app.understanding import Say, Understanding
from tray_app.upkeep import Upkeep

SETTLE_S = 0.8
"""A model under way is waited for so long when the files are let go of: quitting takes less than a second."""


class Engine(Understanding, Remembering, Examining):
    """One person's library. `kind` is who owns it: tray | cli | mcp. Opens the files at the first call that needs them."""

    def __init__(self, paths: Paths, settings: Settings, *, kind: str = "cli") -> None:
        self.paths, self.settings, self.kind = paths.ensure(), settings, kind
        self.state = State(paths.state_file)
        self.folders = Folders(SourcesHome.from_environment(), settings)
        self.indexer = Indexer(settings, self.folders, self.state)
        self.libraries = Libraries(paths.index_file, Spaces(paths.data / "spaces"))
        self.upkeep = Upkeep(self.indexer, self.libraries)
        self.keeping = Keeping(paths.data, settings, self.folders, self.upkeep)
        self._gate = threading.Condition()
        self._inside = 0
        self._closing, self._closings = False, 0
        self._local = threading.local()
        self.sense = Meaning(settings, paths.cache)
        self.sense.on_idle = self._release_idle
        self.filling = Filling(self.libraries, self.indexer, self.sense, settings, self._using, lambda: self._closings)
        self.naming = Naming(self.libraries, self.indexer, self.upkeep.topics, self._using, lambda: self._closings)
        self._begin_remembering(lambda: self._closings)
        self._begin_examining()
        self._searcher = Searcher(self._resume_command, self._values, self.sense.begin)

    # --- opening and closing ---------------------------------------------------------------------------------------------
    def open_or_raise(self) -> None:
        """Open the index now. Raises KnownError (`index_locked` while another process has it)."""
        with self._using():
            self.libraries.of().open()

    def close(self) -> None:
        """Stop a running pass, let running reads finish, and let go of the files. Idempotent; the next call opens them
        again."""
        self.sense.settle(SETTLE_S)
        with self._shut():
            pass

    @contextlib.contextmanager
    def _shut(self) -> Iterator[None]:
        """Nobody is inside and the files are closed for the length of the block."""
        with self._gate:
            self._gate.wait_for(lambda: not self._closing)
            self._closing, self._closings = True, self._closings + 1
            self._gate.wait_for(lambda: not self._inside)
        try:
            with self.libraries.shut():
                yield
        finally:
            with self._gate:
                self._closing = False
                self._gate.notify_all()

    @contextlib.contextmanager
    def _using(self) -> Iterator[None]:
        """The files stay open for the length of the block. Waits while they are being let go of, save where the thread is
        inside already."""
        local = self._local
        depth: int = getattr(local, "depth", 0)
        if not depth:
            with self._gate:
                self._gate.wait_for(lambda: not self._closing)
                self._inside += 1
                local = self._local
        local.depth = depth + 1
        try:
            yield
        finally:
            local.depth = depth
            if not depth:
                with self._gate:
                    self._inside -= 1
                    self._gate.notify_all()

    @contextlib.contextmanager
    def _reading(self, library: Library) -> Iterator[Reader]:
        """The calling thread's reader of a library, on one moment of it."""
        with self._using(), library.reading(settled=not self.indexing) as reader:
            reader.moved = self.keeping.readout().moved
            yield reader

    def _asked(self, space: str | None, caller: str | None = None) -> Library:
        """The library that a question goes to. Raises UsageError: `no_such_space`, `outside_spaces`."""
        return self.libraries.of(self.libraries.spaces.layout().asked(space, caller))

    # --- finding ---------------------------------------------------------------------------------------------------------
    def search(self, request: SearchRequest) -> Answer:
        """Answer one question. Raises UsageError for a filter that cannot be meant."""
        if request.limit < 1 or request.max_sessions < 0 or request.mode not in ("auto", "words", "meaning"):
            raise UsageError("bad_request", "Not a question", "limit is at least 1 and mode is words, meaning or auto.")
        library = self._asked(request.space, request.caller)
        now = clock.now(local_zone(), request.now)
        with self._reading(library) as reader:
            answer = self._searcher.search(request, reader, now, snapshot=library.built_at(reader), indexing=self.indexing)
        return self.keeping.readout().of_answer(answer)

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
        with self._reading(self._asked(space, caller)) as reader:
            view = show_session(reader, self._resume_command, session, around=around, limit=limit, first=first, agent=agent)
        return self.keeping.readout().of_view(view)

    def sessions(
        self,
        agent: str | None = None,
        project: str | None = None,
        limit: int = 0,
        order: str = "newest",
        space: str | None = None,
        caller: str | None = None,
    ) -> list[SessionItem]:
        with self._reading(self._asked(space, caller)) as reader:
            items = list_sessions(
                reader, self._resume_command, local_zone(), agent=agent, project=project, limit=limit, order=order
            )
        return list(map(self.keeping.readout().of_item, items))

    def topics(self, days: int = 14, space: str | None = None, caller: str | None = None) -> list[TopicCard]:
        with self._reading(self._asked(space, caller)) as reader:
            cards = self.upkeep.topics.newest(reader, local_zone(), clock.now(local_zone()), days)
            return self.keeping.readout().of_cards(cards, reader.session_folders)

    def _resume_command(self, agent: str, session: Session) -> str:
        try:
            return adapter(agent).resume_command(self.keeping.readout().of_session(session))
        except UsageError:  # an index made by a program that knew more agents
            return ""

    # --- sources -----------------------------------------------------------------------------------------------------------
    def sources(self) -> list[SourceView]:
        return self._counted(self.folders.views(), self.libraries.of())

    def _counted(self, views: Sequence[SourceView], library: Library) -> list[SourceView]:
        with self._reading(library) as reader:
            return list(status.with_counts(views, reader))

    def set_source(self, source: str, enabled: bool) -> list[SourceView]:
        self.folders.tick(source, enabled)
        self.indexer.wake.set()
        return self.sources()

    def add_folder(self, agent: str, path: str) -> list[SourceView]:
        self.folders.add(agent, path)
        self.indexer.wake.set()
        return self.sources()

    def remove_folder(self, source: str) -> list[SourceView]:
        self.folders.remove(source)
        self.indexer.wake.set()
        return self.sources()

    # --- indexing ----------------------------------------------------------------------------------------------------------
    @property
    def indexing(self) -> bool:
        return self.indexer.writing.locked() and not self.filling.writing

    @property
    def wake(self) -> threading.Event:
        return self.indexer.wake

    def index(
        self, *, all_sources: bool = False, full: bool = False, vectors: bool = False, report: Say | None = None
    ) -> IndexReport:
        if all_sources:
            self.folders.tick_found()
        if full:
            self.indexer.ask_anew()
        say = report or (lambda progress: None)
        done = self.index_once(say, lambda: False)
        return self._filled(done, say) if vectors else done

    def index_once(self, report: Say, stop: Callable[[], bool]) -> IndexReport:
        """One pass over the ticked sources. `report` is called at most ten times a second, in this thread; `stop` is
        asked often and ends the pass within a second, losing nothing."""

        def must_end() -> bool:
            return stop() or self._closing or self.keeping.in_the_way

        with self._using(), self.indexer.writing:
            done = self.upkeep.run(report, must_end)
            if not done.stopped:
                self.keeping.after_pass(must_end)
            views = self.folders.views()
            problems = [one for space in done.passes for one in self._problems(self.libraries.of(space), PROBLEMS)]
            made = done.report(lambda space: self._counted(views, self.libraries.of(space)), problems[:PROBLEMS])
        if not done.stopped:
            self.rounds.after_pass(must_end)
        return made

    def embed_once(self, report: Say, stop: Callable[[], bool], *, asked: bool = False) -> bool:
        done = super().embed_once(report, stop, asked=asked)
        return self._tend_idle(stop, asked=asked) and done

    def pause(self, minutes: float | None = None) -> Status:
        self.indexer.pause(minutes)
        return self.status()

    def resume(self) -> Status:
        self.indexer.resume()
        return self.status()

    def paused(self) -> tuple[bool, str | None]:
        """Whether indexing is paused now, and until when (ISO, UTC; None: until it is resumed)."""
        return self.indexer.paused()

    def rebuild(self) -> None:
        self.indexer.ask_anew()
        if self.kind != "tray":
            self.index()

    def clear_index(self) -> Status:
        self.indexer.pause(None)
        libraries = [self.libraries.of(space) for space in (REST, *(one.id for one in self.libraries.spaces.layout().spaces))]
        with self._shut():
            for library in libraries:
                library.delete()
        return self.status()

    def watch(self, stop: Callable[[], bool], changed: Callable[[], None]) -> None:
        """See `Indexer.watch`."""
        self.indexer.watch(self.paths.folders, stop, changed)

    # --- spaces ------------------------------------------------------------------------------------------------------------
    def spaces(self) -> list[SpaceView]:
        with self._using():
            return self.upkeep.views()

    def add_space(self, name: str, folders: list[str]) -> list[SpaceView]:
        self.upkeep.check_folders(folders)
        return self._arranged(lambda spaces: spaces.add(name, folders))

    def assign_folders(self, space: str, folders: list[str]) -> list[SpaceView]:
        self.upkeep.check_folders(folders)
        return self._arranged(lambda spaces: spaces.assign(space, folders))

    def unassign_folder(self, folder: str) -> list[SpaceView]:
        return self._arranged(lambda spaces: spaces.unassign(folder))

    def rename_space(self, space: str, name: str) -> list[SpaceView]:
        self.libraries.spaces.rename(space, name)
        return self.spaces()

    def remove_space(self, space: str) -> list[SpaceView]:
        return self._arranged(lambda spaces: spaces.remove(space))

    def restore_space(self, space: str) -> list[SpaceView]:
        return self._arranged(lambda spaces: spaces.restore(space))

    def _arranged(self, change: Callable[[Spaces], object]) -> list[SpaceView]:
        """Change the spaces, and take out of every library what is no longer its own before this returns. A running round
        begins anew by itself; what belongs elsewhere now is read in the background."""
        with self._using():
            change(self.libraries.spaces)
            with self.indexer.writing:
                self._part_memory()
                self.upkeep.part()
            self.indexer.wake.set()
            return self.upkeep.views()

    # --- keeping --------------------------------------------------------------------------------------------------------
    def kept(self) -> KeptView:
        with self._using():
            return self.keeping.full_view(self.status())

    def keep_now(self) -> KeptView:
        with self._using():
            return self.keeping.copy_now(lambda: self._closing)

    def write_out(self, session: str, target: str, agent: str | None = None) -> list[str]:
        return self.keeping.write_out(session, target, agent)

    # --- status ------------------------------------------------------------------------------------------------------------
    def status(self, space: str | None = None, caller: str | None = None) -> Status:
        folders, layout, library = self.folders.views(), self.libraries.spaces.layout(), self._asked(space, caller)
        with self._reading(library) as reader:
            views = status.with_counts(folders, reader)
            oldest, newest, text = reader.span()
            totals = status.summed([status.counters(counts) for counts in reader.source_counts()])
            paused, until = self.paused()
            now = int(clock.now(local_zone()).timestamp() * 1000)
            vanishing, _, first = agreement.vanishing(reader.files_read("claude_code"), now)
            embedding = self.filling.view(reader)
            found = Status(
                totals=totals, sources=views, built_at=reader.meta("built_at") or None, oldest=clock.iso(oldest),
                newest=clock.iso(newest), index_bytes=library.size, text_bytes=text, memory_bytes=self.minds.of(library).size,
                embedding=embedding, spaces=(REST, *(one.name for one in layout.in_use)), version=__version__, schema=SCHEMA, pipeline_version=PIPELINE_VERSION,
                owner=Owner(pid=os.getpid(), kind=self.kind), indexing=self.indexing, paused=paused, paused_until=until,
                progress=self.indexer.progress, problems=reader.problem_count(), fts_extension=library.open().fts,
                watching=self.indexer.watching, last_error=self.indexer.last_error, space=layout.name_of(layout.asked(space, caller)),
                vanishing=vanishing, vanishing_first=clock.iso(first),
                topic_days=self.upkeep.topics.kept_days(reader), leaves=leaving.departures(embedding, self.upkeep.topics.host),
            )  # fmt: skip
        return self.keeping.of_status(found)

    def index_figures(self, space: str | None = None, caller: str | None = None) -> IndexFigures:
        with self._reading(self._asked(space, caller)) as reader:
            return status.index_figures(reader)

    def problems(self, limit: int = 500, space: str | None = None) -> list[Problem]:
        return self._problems(self._asked(space), limit)

    def _problems(self, library: Library, limit: int) -> list[Problem]:
        with self._reading(library) as reader:
            rows = reader.problems(limit)
        return [
            Problem(path=row.path, line=row.line, offset=row.offset, kind=row.kind, reason=row.reason, agent=row.agent)
            for row in rows
        ]

    def config(self) -> dict[str, Any]:
        return self.settings.as_dict()

    def set_config(self, key: str, value: Any) -> Any:
        """Set a setting; None gives its default back. What needs another reading is read in the background."""
        if value is None:
            self.settings.unset(key)
            kept = self.settings[key]
        else:
            kept = self.settings.set(key, value)
        if BY_KEY[key].rebuild or key.startswith(("sources.", "keep.", "topics.", "meaning.", "memory.")):
            self.indexer.wake.set()
        return kept
