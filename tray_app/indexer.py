"""Passes over the ticked sources: one at a time, when, by which rules, and what came of them.

Owns what is paused, what must be read anew, and the progress of the running pass. The engine gives it the open library.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tray_app import clock
from tray_app.errors import KnownError
from tray_app.folders import Folders, is_there
from tray_app.indexing.keeping import Keep
from tray_app.indexing.merge import path_text
from tray_app.indexing.moving import WAITING
from tray_app.indexing.passes import Pass
from tray_app.indexing.prepare import Rules
from tray_app.indexing.room import Budgets
from tray_app.indexing.whereabouts import Whereabouts
from tray_app.insight import status
from tray_app.library.connection import OpenedIndex
from tray_app.library.store import Store
from tray_app.library.sweeping import sweep
from tray_app.records import Counters, IndexReport, Problem, Progress, SourceReport, SourceView
from tray_app.settings import BY_KEY, Settings
from tray_app.sources.base import Adapter, Context, Limits
from tray_app.sources.registry import adapter
from tray_app.state import State
from tray_app.territory import Territory
from tray_app.text.dates import local_zone
from tray_app.tombstones import Tombstones

REPORTS_A_SECOND = 10
KEPT_RULES = ("index.days", "index.chunks_per_source", "index.chunks_total")
"""Budgets and days act on whole files without a new reading; the other rules change what is stored."""


class Indexer:
    """The one writer of a library. `wake` is set when a pass is wanted at once: a source was ticked, a rule changed, a
    rebuild was asked for."""

    def __init__(self, settings: Settings, folders: Folders, state: State) -> None:
        self.settings, self.folders, self.state = settings, folders, state
        self.tombstones = Tombstones(state.file.with_name("tombstones.jsonl"))
        self.wake = threading.Event()
        self.writing = threading.Lock()
        """Held by the running pass."""
        self.progress: Progress | None = None
        self.last_error = ""
        self.watching = False
        self.anew = False
        """Every file is to be read anew; the round that has noted it in all libraries takes it back."""

    def ask_anew(self) -> None:
        """Read every file anew at the next pass."""
        self.anew = True
        self.wake.set()

    def run(
        self,
        opened: OpenedIndex,
        workspaces: tuple[str, ...],
        report: Callable[[Progress], None],
        stop: Callable[[], bool],
        *,
        territory: Territory | None = None,
        where: Whereabouts | None = None,
        adapters: Callable[[str], Adapter] = adapter,
    ) -> Pass:
        """One pass over one library, in this thread. The caller holds `writing`. `territory` is what the library holds (None:
        everything), `where` what the others know."""
        store = Store(opened)
        try:
            with opened.faults():
                done = self._pass(store, workspaces, self._throttled(report), stop, adapters, territory, where)
                done.run(self.folders.ticked())
            if not done.stopped:
                with store.transaction():
                    store.set_meta("built_at", clock.iso(int(clock.now(UTC).timestamp() * 1000)) or "")
                    store.set_meta(WAITING, "")
            self.last_error = ""
        except Exception as fault:
            self.last_error = str(fault) if isinstance(fault, KnownError) else f"{type(fault).__name__}: {fault}"
            raise
        finally:
            self.progress = None
            store.close()
        return done

    def note_rules(self, store: Store, *, anew: bool = False) -> None:
        """Where all is to be read anew, every file is marked so: a pass that is interrupted goes on where it stopped."""
        mark, before = self._rules_mark(), store.meta("rules")
        if mark != before or anew:
            with store.transaction():
                if before or anew:
                    sweep(store)
                    store.ask_anew()
                store.set_meta("rules", mark)

    def _pass(
        self,
        store: Store,
        workspaces: tuple[str, ...],
        report: Callable[[Progress], None],
        stop: Callable[[], bool],
        adapters: Callable[[str], Adapter],
        territory: Territory | None,
        where: Whereabouts | None,
    ) -> Pass:
        values = self.settings
        days = values["index.days"]
        oldest = clock.now(UTC) - timedelta(days=days)
        return Pass(
            store,
            adapters,
            Context(home=self.folders.home, workspaces=workspaces),
            rules=self.rules(),
            limits=self.limits(),
            budgets=Budgets(
                values["index.chunks_per_source"], values["index.chunks_total"], int(oldest.timestamp() * 1e9) if days else 0
            ),
            zone=local_zone(),
            report=report,
            stop=stop,
            territory=territory,
            where=where,
            keep=Keep(values["keep.gone"], self.tombstones.forgotten()),
        )

    def rules(self) -> Rules:
        """What must not get in, as things are set."""
        values = self.settings
        return Rules(
            redact=values["privacy.redact"],
            excluded_paths=tuple(values["privacy.excluded_paths"]),
            excluded_workspaces=tuple(values["privacy.excluded_workspaces"]),
            tools=values["index.tools"],
            bridges=tuple(values["sources.bridges"]),
        )

    def limits(self) -> Limits:
        """How much of a file is read, as things are set."""
        values = self.settings
        return Limits(
            file_chars=values["index.file_megabytes"] << 20,
            tools=values["index.tools"],
            reasoning=values["index.reasoning"],
            bridges=tuple(values["sources.bridges"]),
        )

    def _throttled(self, report: Callable[[Progress], None]) -> Callable[[Progress], None]:
        moments, phases = [0.0], [""]

        def say(progress: Progress) -> None:
            self.progress = progress
            moment = time.monotonic()
            if progress.phase != phases[0] or moment - moments[0] >= 1 / REPORTS_A_SECOND:
                moments[0], phases[0] = moment, progress.phase
                report(progress)

        return say

    def rules_hold(self, mark: str) -> bool:
        """Whether a library with this mark was read by the rules as they are now; else it is read anew."""
        return mark == self._rules_mark()

    def _rules_mark(self) -> str:
        rules = [(key, self.settings[key]) for key, setting in BY_KEY.items() if setting.rebuild and key not in KEPT_RULES]
        return repr(sorted(rules))

    # --- pausing and watching ------------------------------------------------------------------------------------------------
    def pause(self, minutes: float | None) -> None:
        """For some minutes, or (None) until `resume`. Survives a restart."""
        until = None if minutes is None else (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()
        self.state.change(paused=True, paused_until=until)
        self.wake.set()

    def resume(self) -> None:
        self.state.change(paused=False, paused_until=None)
        self.wake.set()

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

    def watch(self, ours: Sequence[Path], stop: Callable[[], bool], changed: Callable[[], None]) -> None:
        """Call `changed` when something below a ticked folder changes, save in our own folders `ours`; returns when `stop`
        says so or the folders to watch are others. Raises OSError where the system cannot watch (then only the sweep brings
        news)."""
        from watchfiles import watch

        roots = self._watched()
        if not roots:
            return
        own = tuple(os.path.realpath(folder) + os.sep for folder in ours)
        self.watching = True
        try:
            for changes in watch(
                *roots, debounce=600, step=100, rust_timeout=500, yield_on_timeout=True, raise_interrupt=False,
                ignore_permission_denied=True,
            ):  # fmt: skip
                if stop() or self._watched() != roots:
                    return
                if any(not os.path.realpath(path).startswith(own) for _, path in changes):
                    changed()
        finally:
            self.watching = False

    def _watched(self) -> list[Path]:
        """Ticked folders that are there. Memory files stand all over the home folder: the sweep finds these."""
        return [source.root for source in self.folders.ticked() if source.agent != "memory" and is_there(source.root)]


def report_of(done: Pass, views: list[SourceView], problems: list[Problem], seconds: float) -> IndexReport:
    """What a pass did, with the figures of its sources as they stand afterwards."""
    by_root = {(view.agent, view.path): view for view in views}
    reports = []
    for plan in done.plans:
        view = by_root.get((plan.source.agent, path_text(plan.source.root)))
        figures = view.counters if view else Counters()
        state = plan.state if plan.state in ("offline", "failed") else view.state if view else "idle"
        standing = {name: getattr(figures, name) for name in status.COUNTED}
        standing["files"] = plan.files
        reports.append(
            SourceReport(
                agent=plan.source.agent, path=path_text(plan.source.root), state=state, error=plan.error,
                bytes_read=done.bytes_read.get(plan.source.id, 0), unchanged_files=plan.unchanged, **standing,
            )
        )  # fmt: skip
    totals = [Counters(**{name: getattr(one, name) for name in Counters.__struct_fields__}) for one in reports]
    return IndexReport(
        totals=status.summed(totals), sources=tuple(reports), problems=tuple(problems), elapsed_s=round(seconds, 3),
        stopped=done.stopped,
    )  # fmt: skip
