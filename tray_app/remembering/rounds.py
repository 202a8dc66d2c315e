"""What is done for memory by itself: after a round of indexing, and while nothing is to be read.

Owns the order and the moments: finished sessions are archived, changelogs taken in once a day, a snapshot kept once a day, hooks
told where the packs are, and vectors made for memories that have none. Nothing of it holds up a search or fails the round; what
goes wrong is kept to be told.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from tray_app import clock
from tray_app.errors import AppError, KnownError
from tray_app.libraries import Libraries, Library
from tray_app.library.memory.rows import MemoryRow
from tray_app.library.memory.store import MemoryStore
from tray_app.library.memory.vectors import Floats
from tray_app.meaning import Meaning
from tray_app.memory import changelogs
from tray_app.memory.archiving import A_ROUND, archive
from tray_app.memory.filling import fill_vectors
from tray_app.memory.projects import now_ms
from tray_app.records import ArchiveReport
from tray_app.remembering.minds import Mind, Minds
from tray_app.remembering.pointing import Pointing
from tray_app.settings import Settings
from tray_app.sources.base import Stop, Stopped
from tray_app.territory import REST
from tray_app.text.dates import local_zone

log = logging.getLogger(__name__)

Step = Callable[[Mind, Stop], None]


class Rounds:
    """`inside` keeps the files open for the length of a block, `closings` counts how often they were let go of."""

    def __init__(
        self,
        libraries: Libraries,
        minds: Minds,
        sense: Meaning,
        settings: Settings,
        inside: Callable[[], contextlib.AbstractContextManager[None]],
        closings: Callable[[], int],
        pointing: Pointing,
    ) -> None:
        self._libraries, self._minds, self._sense, self._settings = libraries, minds, sense, settings
        self._inside, self._closings, self._pointing = inside, closings, pointing
        self._one = threading.Lock()
        self._filling = threading.Lock()
        self._due: float | None = None
        """When a session that was still going on may be finished."""
        self._days: dict[Library, str] = {}
        """On which day the changelogs of a library were looked at."""
        self.faults: dict[str, str] = {}
        """Why a step could not be taken the last time, by its name."""

    # --- after a round ---------------------------------------------------------------------------------------------------------
    def after_pass(self, stop: Stop) -> None:
        """Tend every memory in use. Raises nothing for what cannot be done: it is tried again after the next round."""
        steps: dict[str, Step] = {
            "archive": self._archive,
            "changelogs": self._take_changelogs,
            "snapshot": self._keep_snapshot,
        }
        self._run({**steps, "pointers": self._point}, stop)

    def idle(self, stop: Stop) -> None:
        """The same for sessions alone that were not finished at the last round and may be now."""
        if self._due is not None and time.monotonic() >= self._due:
            self._run({"archive": self._archive, "pointers": self._point}, stop)

    def _run(self, steps: dict[str, Step], stop: Stop) -> None:
        if not self._one.acquire(blocking=False):
            return  # another thread does it now
        closed = self.until_closed()

        def must_end() -> bool:
            return stop() or closed()

        try:
            self._due = None
            for name, step in steps.items():
                self._take(name, step, must_end)
        finally:
            self._one.release()

    def until_closed(self) -> Stop:
        """Says stop when the files are let go of."""
        begun = self._closings()
        return lambda: self._closings() != begun

    def _take(self, name: str, step: Step, stop: Stop) -> None:
        said = ""
        for library in self.in_use():
            try:
                with self._inside():
                    if stop():
                        return
                    step(self._minds.of(library), stop)
            except Stopped:
                return
            except AppError as fault:
                log.info("memory: %s could not be done (%s)", name, fault.code)
                said = str(fault)
            except Exception as fault:
                log.exception("memory: %s failed", name)
                said = f"{type(fault).__name__}. See the log."
        if said:
            self.faults[name] = said
        else:
            self.faults.pop(name, None)

    def in_use(self) -> list[Library]:
        """The libraries there are, the rest first."""
        order = [REST, *(space.id for space in self._libraries.spaces.layout().in_use)]
        return [library for library in map(self._libraries.of, order) if library.file.exists()]

    def _archive(self, mind: Mind, stop: Stop) -> None:
        if not self._settings["memory.archive"]:
            return
        with mind.library.reading(settled=False) as reader:
            if not reader.count("sessions"):
                return
        report = self.archive(mind, stop, limit=A_ROUND)
        if report.waiting or report.unfinished:
            rest = 0.0 if report.waiting else 60.0 * self._settings["memory.idle_minutes"]
            self._due = min(time.monotonic() + rest, math.inf if self._due is None else self._due)

    def archive(
        self,
        mind: Mind,
        stop: Stop,
        *,
        project: str | None = None,
        limit: int = 0,
        backfill: bool = False,
        force: bool = False,
        report: Callable[[int, int], None] = lambda done, total: None,
    ) -> ArchiveReport:
        """See `memory.archiving.archive`; on one moment of the library."""
        with mind.library.reading(settled=False) as reader:
            return archive(
                reader, mind.store, mind.projects, self._settings, now_ms(),
                project=project, limit=limit, backfill=backfill, force=force, report=report, stop=stop,
            )  # fmt: skip

    def _take_changelogs(self, mind: Mind, stop: Stop) -> None:
        """Once a day, of projects of which something is known."""
        day = today()
        if not self._settings["memory.changelogs"] or self._days.get(mind.library) == day:
            return
        for view in mind.projects.views():
            known = view.sessions or view.memories
            if known and view.folder and view.state == "present" and changelogs.is_due(mind.store, view.name, day):
                if stop():
                    return
                changelogs.take_in(mind.store, mind.projects, self._settings, view.name, now_ms(), day)
        self._days[mind.library] = day

    def _point(self, mind: Mind, stop: Stop) -> None:
        self._pointing.settle(mind, looked=True)

    def _keep_snapshot(self, mind: Mind, stop: Stop) -> None:
        mind.store.keep_daily()

    # --- while nothing is to be read -------------------------------------------------------------------------------------------
    def fill(self, stop: Stop, *, asked: bool = False) -> bool:
        """Make vectors for memories; False: it was stopped, or the back end has a rest, and there is more to do. `asked`: even
        where the settings leave it. What cannot be written is kept to be told, and tried again at the next call."""
        if not self._sense.is_on or not (asked or self._settings["meaning.background"]):
            return True
        if not self._filling.acquire(blocking=False):
            return False
        try:
            closed = self.until_closed()
            done = [self._fill(library, closed, stop) for library in self.in_use()]
            self.faults.pop("vectors", None)
            return all(done)
        except KnownError as fault:
            log.info("memory: vectors could not be kept (%s)", fault.code)
            self.faults["vectors"] = str(fault)
            return True
        finally:
            self._filling.release()

    def _fill(self, library: Library, closed: Stop, stop: Stop) -> bool:
        if rest := self._sense.rest():
            return rest == math.inf
        mind = self._minds.of(library)
        held = _Held(mind.store, self._inside, closed)
        try:
            return fill_vectors(held, self._sense, lambda: stop() or closed(), mind.refused)
        except Stopped:
            return False


def today() -> str:
    """The local day, ISO."""
    return clock.now(local_zone()).date().isoformat()


class _Held:
    """A memory whose files are not opened again once they were let go of."""

    def __init__(
        self, store: MemoryStore, inside: Callable[[], contextlib.AbstractContextManager[None]], gone: Callable[[], bool]
    ) -> None:
        self._store, self._inside, self._gone = store, inside, gone

    def lacking(self, space: str) -> list[MemoryRow]:
        with self._kept():
            return self._store.lacking(space)

    def put_vectors(self, space: str, made: Mapping[int, Floats], rows: Mapping[int, MemoryRow] | None = None) -> None:
        with self._kept():
            self._store.put_vectors(space, made, rows)

    @contextlib.contextmanager
    def _kept(self) -> Iterator[None]:
        with self._inside():
            if self._gone():
                raise Stopped
            yield
