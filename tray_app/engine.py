"""The façade: everything a front end may ask, on the files of one person.

Owns the open index, the readers of each thread, the one writing pass at a time, and what is paused. No front end reaches
past it. Implements `service.backend.Backend`.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tray_app import __version__, clock
from tray_app.errors import UsageError
from tray_app.folders import Folders
from tray_app.indexer import Indexer, report_of
from tray_app.indexing.prepare import PIPELINE_VERSION
from tray_app.insight import agreement, doctor, status
from tray_app.library.connection import OpenedIndex, open_index, remove_index
from tray_app.library.kept import Kept
from tray_app.library.migrations import SCHEMA
from tray_app.library.reading import Reader
from tray_app.paths import Paths, SourcesHome
from tray_app.recall.search import Searcher
from tray_app.recall.sessions import list_sessions, show_session
from tray_app.records import (
    Answer,
    Embedding,
    Finding,
    IndexReport,
    Owner,
    Problem,
    Progress,
    SearchRequest,
    SessionItem,
    SessionView,
    SourceView,
    Status,
)  # fmt: skip
from tray_app.settings import BY_KEY, Settings
from tray_app.sources.base import Session
from tray_app.sources.registry import adapter
from tray_app.state import State
from tray_app.text.dates import local_zone

PROBLEMS = 1_000


class Engine:
    """One person's library. `kind` is who owns it: tray | cli | mcp. Opens the files at the first call that needs them."""

    def __init__(self, paths: Paths, settings: Settings, *, kind: str = "cli") -> None:
        self.paths, self.settings, self.kind = paths.ensure(), settings, kind
        self.state = State(paths.state_file)
        self.folders = Folders(SourcesHome.from_environment(), settings)
        self.indexer = Indexer(settings, self.folders, self.state)
        self._opened: OpenedIndex | None = None
        self._opening = threading.Lock()
        self._gate = threading.Condition()
        self._inside = 0
        self._closing = False
        self._local = threading.local()
        self._readers: weakref.WeakSet[Reader] = weakref.WeakSet()
        self._state_of_index = 0
        self._kept = (self._state_of_index, Kept())
        self._built_at: str | None = None
        self._searcher = Searcher(self._resume_command, lambda: float(settings["search.found_share"]))

    # --- opening and closing ---------------------------------------------------------------------------------------------
    def open_or_raise(self) -> None:
        """Open the index now. Raises KnownError (`index_locked` while another process has it)."""
        with self._using():
            self._open()

    def close(self) -> None:
        """Stop a running pass, let running reads finish, and let go of the files. Idempotent; the next call opens them
        again."""
        with self._shut():
            pass

    @contextlib.contextmanager
    def _shut(self) -> Iterator[None]:
        """Nobody is inside and the files are closed for the length of the block."""
        with self._gate:
            self._gate.wait_for(lambda: not self._closing)
            self._closing = True
            self._gate.wait_for(lambda: not self._inside)
        try:
            with self._opening:
                for reader in list(self._readers):
                    reader.close()
                self._readers.clear()
                self._local = threading.local()
                if self._opened is not None:
                    self._opened.close()
                    self._opened = None
                self._changed()
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

    def _open(self) -> OpenedIndex:
        with self._opening:
            if self._opened is None:
                self._opened = open_index(self.paths.index_file)
            return self._opened

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Reader]:
        """The calling thread's reader, on one moment of the index."""
        with self._using():
            reader = self._reader()
            if getattr(self._local, "reading", False):
                yield reader
                return
            self._local.reading = True
            try:
                reader.kept = self._keep()
                with reader.snapshot():
                    yield reader
            finally:
                self._local.reading = False

    def _reader(self) -> Reader:
        opened = self._open()
        reader: Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = Reader(opened)
            self._local.reader = reader
            with self._opening:
                self._readers.add(reader)
        return reader

    def _keep(self) -> Kept:
        """What searches may keep in memory: nothing while a pass writes, all of it from one pass to the next."""
        state = self._state_of_index
        if self.indexing:
            return Kept()
        kept_for, kept = self._kept
        if kept_for != state:
            kept = Kept()
            self._kept = (state, kept)  # one assignment: another thread may be here too
        kept.make_room()
        return kept

    def _changed(self) -> None:
        """The index is another than it was: forget what was kept of it."""
        self._state_of_index += 1
        self._built_at = None

    # --- finding ---------------------------------------------------------------------------------------------------------
    def search(self, request: SearchRequest) -> Answer:
        """Answer one question. Raises UsageError for a filter that cannot be meant."""
        if request.limit < 1 or request.max_sessions < 0 or request.mode not in ("auto", "words", "meaning"):
            raise UsageError("bad_request", "Not a question", "limit is at least 1 and mode is words, meaning or auto.")
        if request.space not in (None, "", "default"):
            raise UsageError("no_such_space", "No such space", f"There is no space {request.space!r}.")
        now = clock.now(local_zone(), request.now)
        with self._reading() as reader:
            return self._searcher.search(request, reader, now, snapshot=self._snapshot(reader), indexing=self.indexing)

    def _snapshot(self, reader: Reader) -> str:
        """When the last whole pass ended; kept, since every answer says it."""
        if self._built_at is None:
            self._built_at = reader.meta("built_at")
        return self._built_at

    def show(
        self, session: str, around: str | None = None, limit: int = 200, first: int | None = None, agent: str | None = None
    ) -> SessionView:
        with self._reading() as reader:
            return show_session(reader, self._resume_command, session, around=around, limit=limit, first=first, agent=agent)

    def sessions(
        self, agent: str | None = None, project: str | None = None, limit: int = 0, order: str = "newest"
    ) -> list[SessionItem]:
        with self._reading() as reader:
            return list_sessions(
                reader, self._resume_command, local_zone(), agent=agent, project=project, limit=limit, order=order
            )

    def _resume_command(self, agent: str, session: Session) -> str:
        try:
            return adapter(agent).resume_command(session)
        except UsageError:  # an index made by a program that knew more agents
            return ""

    # --- sources -----------------------------------------------------------------------------------------------------------
    def sources(self) -> list[SourceView]:
        views = self.folders.views()
        with self._reading() as reader:
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
        return self.indexer.writing.locked()

    @property
    def wake(self) -> threading.Event:
        return self.indexer.wake

    def index(
        self, *, all_sources: bool = False, full: bool = False, report: Callable[[Progress], None] | None = None
    ) -> IndexReport:
        if all_sources:
            self.folders.tick_found()
        if full:
            self.indexer.ask_anew()
        return self.index_once(report or (lambda progress: None), lambda: False)

    def index_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> IndexReport:
        """One pass over the ticked sources. `report` is called at most ten times a second, in this thread; `stop` is
        asked often and ends the pass within a second, losing nothing."""
        with self._using(), self.indexer.writing:
            opened = self._open()
            self._changed()
            with self._reading() as reader:
                workspaces = tuple(reader.workspaces())
            try:
                done, seconds = self.indexer.run(opened, workspaces, report, lambda: stop() or self._closing)
            finally:
                self._changed()
            return report_of(done, self.sources(), self.problems(PROBLEMS), seconds)

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
        with self._shut():
            remove_index(self.paths.index_file)
        return self.status()

    def watch(self, stop: Callable[[], bool], changed: Callable[[], None]) -> None:
        """See `Indexer.watch`."""
        self.indexer.watch(self.paths.folders, stop, changed)

    # --- status ------------------------------------------------------------------------------------------------------------
    def status(self) -> Status:
        folders = self.folders.views()
        with self._reading() as reader:
            views = status.with_counts(folders, reader)
            oldest, newest, text = reader.span()
            totals = status.summed([status.counters(counts) for counts in reader.source_counts()])
            paused, until = self.paused()
            return Status(
                totals=totals, sources=views, built_at=reader.meta("built_at") or None, oldest=clock.iso(oldest),
                newest=clock.iso(newest), index_bytes=_size(self.paths.index_file), text_bytes=text, memory_bytes=0,
                embedding=Embedding(), spaces=("default",), version=__version__, schema=SCHEMA, pipeline_version=PIPELINE_VERSION,
                owner=Owner(pid=os.getpid(), kind=self.kind), indexing=self.indexing, paused=paused, paused_until=until,
                progress=self.indexer.progress, problems=reader.count("problems"), fts_extension=self._open().fts,
                watching=self.indexer.watching, last_error=self.indexer.last_error,
            )  # fmt: skip

    def problems(self, limit: int = 500) -> list[Problem]:
        with self._reading() as reader:
            rows = reader.problems(limit)
        return [
            Problem(path=row.path, line=row.line, offset=row.offset, kind=row.kind, reason=row.reason, agent=row.agent)
            for row in rows
        ]

    def doctor(self) -> list[Finding]:
        with self._using():
            opened = self._open()
            aside = opened.set_aside.name if opened.set_aside else ""
            with self._reading() as reader:
                marks = reader.files_read()
            now = int(clock.now(local_zone()).timestamp() * 1000)
            return doctor.examine(
                self.status(), self.problems(PROBLEMS), self.paths.data, opened.fts_reason, list(self.settings.faults), aside,
                agreement.examine(marks, now),
            )  # fmt: skip

    def config(self) -> dict[str, Any]:
        return self.settings.as_dict()

    def set_config(self, key: str, value: Any) -> Any:
        """Set a setting; None gives its default back. What needs another reading is read in the background."""
        if value is None:
            self.settings.unset(key)
            kept = self.settings[key]
        else:
            kept = self.settings.set(key, value)
        if BY_KEY[key].rebuild or key.startswith("sources."):
            self.indexer.wake.set()
        return kept


def _size(file: Path) -> int:
    total = 0
    for suffix in ("", ".wal"):
        with contextlib.suppress(OSError):
            total += Path(f"{file}{suffix}").stat().st_size
    return total
