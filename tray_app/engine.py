"""The façade: everything a front end may ask, on the files of one person.

Owns the open index, the readers of each thread, the one writing pass at a time, and what is paused. No front end reaches
past it. Implements `service.backend.Backend`.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tray_app import __version__, clock
from tray_app.errors import KnownError, UsageError
from tray_app.folders import Folders
from tray_app.indexing.passes import Budgets, Pass
from tray_app.indexing.prepare import PIPELINE_VERSION, Rules
from tray_app.insight import doctor, status
from tray_app.library.connection import OpenedIndex, open_index
from tray_app.library.migrations import SCHEMA
from tray_app.library.reading import Reader
from tray_app.library.store import Store
from tray_app.paths import Paths, SourcesHome
from tray_app.recall.answer import iso
from tray_app.recall.search import Searcher
from tray_app.recall.sessions import list_sessions, show_session
from tray_app.records import (
    Answer,
    Counters,
    Embedding,
    Finding,
    IndexReport,
    Owner,
    Problem,
    Progress,
    SearchRequest,
    SessionItem,
    SessionView,
    SourceReport,
    SourceView,
    Status,
)
from tray_app.settings import BY_KEY, Settings
from tray_app.sources.base import Context, Limits, Session
from tray_app.sources.registry import adapter
from tray_app.state import State
from tray_app.text.dates import local_zone

log = logging.getLogger(__name__)

PROBLEMS = 1_000
REPORTS_A_SECOND = 10


class Engine:
    """One person's library. `kind` is who owns it: tray | cli | mcp. Opens the files at the first call that needs them."""

    def __init__(self, paths: Paths, settings: Settings, *, kind: str = "cli") -> None:
        self.paths, self.settings, self.kind = paths.ensure(), settings, kind
        self.state = State(paths.state_file)
        self.folders = Folders(SourcesHome.from_environment(), settings)
        self.wake = threading.Event()
        """Set when a pass is wanted at once: a source was ticked, a rule changed, a rebuild was asked for."""
        self._opened: OpenedIndex | None = None
        self._opening = threading.Lock()
        self._writing = threading.Lock()
        self._closing = threading.Event()
        self._local = threading.local()
        self._readers: list[Reader] = []
        self._full_wanted = False
        self._progress: Progress | None = None
        self._last_error = ""
        self._built_at: str | None = None
        self.watching = False
        self._searcher = Searcher(self._resume_command, lambda: float(settings["search.found_share"]))

    # --- opening and closing ---------------------------------------------------------------------------------------------
    def open_or_raise(self) -> None:
        """Open the index now. Raises KnownError (`index_locked` while another process has it)."""
        self._open()

    def close(self) -> None:
        """Stop a running pass and let go of the files. Idempotent; the next call opens them again."""
        self._closing.set()
        try:
            with self._writing, self._opening:
                for reader in self._readers:
                    reader.close()
                self._readers.clear()
                self._local = threading.local()
                if self._opened is not None:
                    self._opened.close()
                    self._opened = None
        finally:
            self._closing.clear()

    def _open(self) -> OpenedIndex:
        with self._opening:
            if self._opened is None:
                self._opened = open_index(self.paths.index_file)
            return self._opened

    def _reader(self) -> Reader:
        """The calling thread's reader."""
        opened = self._open()
        reader: Reader | None = getattr(self._local, "reader", None)
        if reader is None or getattr(self._local, "opened", None) is not opened:
            reader = Reader(opened)
            self._local.reader, self._local.opened = reader, opened
            with self._opening:
                self._readers.append(reader)
        return reader

    # --- finding ---------------------------------------------------------------------------------------------------------
    def search(self, request: SearchRequest) -> Answer:
        """Answer one question. Raises UsageError for a filter that cannot be meant."""
        if request.limit < 1 or request.mode not in ("auto", "words", "meaning"):
            raise UsageError("bad_request", "Not a question", "limit is at least 1 and mode is words, meaning or auto.")
        if request.space not in (None, "", "default"):
            raise UsageError("no_such_space", "No such space", f"There is no space {request.space!r}.")
        reader = self._reader()
        now = clock.now(local_zone(), request.now)
        return self._searcher.search(request, reader, now, snapshot=self._snapshot(reader), indexing=self.indexing)

    def _snapshot(self, reader: Reader) -> str:
        """When the last whole pass ended; kept, since every answer says it."""
        if self._built_at is None:
            self._built_at = reader.meta("built_at")
        return self._built_at

    def show(
        self, session: str, around: str | None = None, limit: int = 200, first: int | None = None, agent: str | None = None
    ) -> SessionView:
        return show_session(self._reader(), self._resume_command, session, around=around, limit=limit, first=first, agent=agent)

    def sessions(
        self, agent: str | None = None, project: str | None = None, limit: int = 0, order: str = "newest"
    ) -> list[SessionItem]:
        return list_sessions(
            self._reader(), self._resume_command, local_zone(), agent=agent, project=project, limit=limit, order=order
        )

    def _resume_command(self, agent: str, session: Session) -> str:
        try:
            return adapter(agent).resume_command(session)
        except UsageError:  # an index made by a program that knew more agents
            return ""

    # --- sources -----------------------------------------------------------------------------------------------------------
    def sources(self) -> list[SourceView]:
        return list(status.with_counts(self.folders.views(), self._reader()))

    def set_source(self, source: str, enabled: bool) -> list[SourceView]:
        self.folders.tick(source, enabled)
        self.wake.set()
        return self.sources()

    def add_folder(self, agent: str, path: str) -> list[SourceView]:
        self.folders.add(agent, path)
        self.wake.set()
        return self.sources()

    def remove_folder(self, source: str) -> list[SourceView]:
        self.folders.remove(source)
        self.wake.set()
        return self.sources()

    # --- indexing ----------------------------------------------------------------------------------------------------------
    @property
    def indexing(self) -> bool:
        return self._writing.locked()

    def index(
        self, *, all_sources: bool = False, full: bool = False, report: Callable[[Progress], None] | None = None
    ) -> IndexReport:
        if all_sources:
            self.folders.tick_found()
        if full:
            self._full_wanted = True
        return self.index_once(report or (lambda progress: None), lambda: False)

    def index_once(self, report: Callable[[Progress], None], stop: Callable[[], bool]) -> IndexReport:
        """One pass over the ticked sources. `report` is called at most ten times a second, in this thread; `stop` is
        asked often and ends the pass within a second, losing nothing."""
        with self._writing:
            started = time.monotonic()
            self.wake.clear()
            store = Store(self._open())
            full, self._full_wanted = self._full_wanted or self._rules_changed(store), False
            try:
                done = self._pass(store, self._throttled(report), lambda: stop() or self._closing.is_set())
                done.run(self.folders.ticked(), full=full)
                with store.transaction():
                    if not done.stopped:
                        store.set_meta("built_at", iso(int(clock.now(UTC).timestamp() * 1000)) or "")
                if not done.stopped:
                    with store.transaction():
                        store.set_meta("rules", self._rules_mark())
                elif full:
                    self._full_wanted = True
                self._last_error = ""
            except KnownError as fault:
                self._last_error = str(fault)
                self._full_wanted = full
                raise
            except Exception as fault:
                self._last_error = f"{type(fault).__name__}: {fault}"
                self._full_wanted = full
                raise
            finally:
                self._progress = None
                self._built_at = None
                store.close()
            return self._report(done, time.monotonic() - started)

    def _pass(self, store: Store, report: Callable[[Progress], None], stop: Callable[[], bool]) -> Pass:
        values = self.settings
        days = values["index.days"]
        oldest = clock.now(UTC) - timedelta(days=days)
        return Pass(
            store,
            adapter,
            Context(home=self.folders.home, workspaces=tuple(self._reader().workspaces())),
            rules=Rules(
                redact=values["privacy.redact"],
                excluded_paths=tuple(values["privacy.excluded_paths"]),
                excluded_workspaces=tuple(values["privacy.excluded_workspaces"]),
            ),
            limits=Limits(
                file_chars=values["index.file_megabytes"] << 20,
                tools=values["index.tools"],
                reasoning=values["index.reasoning"],
            ),
            budgets=Budgets(
                values["index.chunks_per_source"], values["index.chunks_total"], int(oldest.timestamp() * 1e9) if days else 0
            ),
            zone=local_zone(),
            report=report,
            stop=stop,
        )

    def _throttled(self, report: Callable[[Progress], None]) -> Callable[[Progress], None]:
        moments, phases = [0.0], [""]

        def say(progress: Progress) -> None:
            self._progress = progress
            moment = time.monotonic()
            if progress.phase != phases[0] or moment - moments[0] >= 1 / REPORTS_A_SECOND:
                moments[0], phases[0] = moment, progress.phase
                report(progress)

        return say

    def _rules_mark(self) -> str:
        return repr(
            sorted((key, self.settings[key]) for key, setting in BY_KEY.items() if setting.rebuild and _reads_anew(key))
        )

    def _rules_changed(self, store: Store) -> bool:
        row = store.cursor.execute("select value from meta where key = 'rules'").fetchone()
        return row is not None and row[0] != self._rules_mark()

    def _report(self, done: Pass, seconds: float) -> IndexReport:
        views = {(view.agent, view.path): view for view in self.sources()}
        reports = []
        for plan in done.plans:
            view = views.get((plan.source.agent, str(plan.source.root)))
            figures = view.counters if view else Counters()
            state = plan.state if plan.state in ("offline", "failed") else view.state if view else "idle"
            reports.append(
                SourceReport(
                    agent=plan.source.agent, path=str(plan.source.root), state=state, files=plan.files,
                    bytes_read=done.bytes_read.get(plan.source.id, 0), unchanged_files=plan.unchanged,
                    error=plan.error, over_budget_files=figures.over_budget_files + plan.too_old,
                    **{
                        name: getattr(figures, name)
                        for name in status.COUNTED
                        if name not in ("files", "over_budget_files")
                    },
                )
            )  # fmt: skip
        totals = status.summed(
            [Counters(**{name: getattr(one, name) for name in Counters.__struct_fields__}) for one in reports]
        )
        return IndexReport(
            totals=totals, sources=tuple(reports), problems=tuple(self.problems(PROBLEMS)), elapsed_s=round(seconds, 3),
            stopped=done.stopped,
        )  # fmt: skip

    def pause(self, minutes: float | None = None) -> Status:
        until = None if minutes is None else (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()
        self.state.change(paused=True, paused_until=until)
        self.wake.set()
        return self.status()

    def resume(self) -> Status:
        self.state.change(paused=False, paused_until=None)
        self.wake.set()
        return self.status()

    def paused(self) -> tuple[bool, str | None]:
        """Whether indexing is paused now, and until when (ISO, UTC; None: until it is resumed)."""
        memory = self.state.read()
        if not memory.paused or memory.paused_until is None:
            return memory.paused, None
        try:
            over = datetime.fromisoformat(memory.paused_until) <= datetime.now(UTC)
        except (ValueError, TypeError):
            over = True
        return not over, None if over else memory.paused_until

    def rebuild(self) -> None:
        self._full_wanted = True
        self.wake.set()
        if self.kind != "tray":
            self.index()

    def clear_index(self) -> Status:
        self.pause()
        self.close()
        with self._writing, self._opening:
            for suffix in ("", ".wal"):
                self.paths.index_file.with_name(self.paths.index_file.name + suffix).unlink(missing_ok=True)
        return self.status()

    def watch(self, stop: Callable[[], bool], changed: Callable[[], None]) -> None:
        """Call `changed` when something below a ticked folder changes; returns when `stop` says so or the ticked folders
        are others. Raises OSError where the system cannot watch (then only the sweep brings news)."""
        from watchfiles import watch

        roots = [source.root for source in self.folders.ticked() if source.agent != "memory" and source.root.exists()]
        ours = str(self.paths.data)
        asked = self.folders.mark()
        if not roots:
            return
        self.watching = True
        try:
            for changes in watch(
                *roots,
                debounce=600,
                step=100,
                rust_timeout=500,
                yield_on_timeout=True,
                raise_interrupt=False,
                ignore_permission_denied=True,
            ):
                if stop() or self.folders.mark() != asked:
                    return
                if any(not path.startswith(ours) for _, path in changes):
                    changed()
        finally:
            self.watching = False

    # --- status ------------------------------------------------------------------------------------------------------------
    def status(self) -> Status:
        reader = self._reader()
        views = tuple(self.sources())
        oldest, newest, text = reader.span()
        totals = status.summed([status.counters(counts) for counts in reader.source_counts()])
        paused, until = self.paused()
        return Status(
            totals=totals, sources=views, built_at=reader.meta("built_at") or None, oldest=iso(oldest), newest=iso(newest),
            index_bytes=_size(self.paths.index_file), text_bytes=text, memory_bytes=0,
            embedding=Embedding(), spaces=("default",), version=__version__, schema=SCHEMA, pipeline_version=PIPELINE_VERSION,
            owner=Owner(pid=os.getpid(), kind=self.kind), indexing=self.indexing, paused=paused,
            paused_until=until, progress=self._progress, problems=reader.count("problems"),
            fts_extension=self._open().fts, watching=self.watching, last_error=self._last_error,
        )  # fmt: skip

    def problems(self, limit: int = 500) -> list[Problem]:
        return [
            Problem(path=row.path, line=row.line, offset=row.offset, kind=row.kind, reason=row.reason, agent=row.agent)
            for row in self._reader().problems(limit)
        ]

    def doctor(self) -> list[Finding]:
        opened = self._open()
        aside = opened.set_aside.name if opened.set_aside else ""
        return doctor.examine(
            self.status(), self.problems(PROBLEMS), self.paths.data, opened.fts_reason, list(self.settings.faults), aside
        )

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
            self.wake.set()
        return kept


def _reads_anew(key: str) -> bool:
    """Budgets and days act on whole files without a new reading; the other rules change what is stored."""
    return key not in ("index.days", "index.chunks_per_source", "index.chunks_total")


def _size(file: Path) -> int:
    total = 0
    for suffix in ("", ".wal"):
        with contextlib.suppress(OSError):
            total += Path(f"{file}{suffix}").stat().st_size
    return total
