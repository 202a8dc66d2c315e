"""One whole pass over the ticked sources.

Newest files first, in small transactions, so that what is in can be found at once. Stops within a second: what was read
but not written yet is read again next time. One source or file failing leaves the others alone; the reason is kept where
the person can see it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import tzinfo

from tray_app.indexing.keeping import FORGOTTEN, Keep, mark_gone, without_forgotten
from tray_app.indexing.merge import Merger, fingerprint, path_text
from tray_app.indexing.moving import ask_rewriting
from tray_app.indexing.plan import Source, SourcePlan, Work, plan_pass, same_file
from tray_app.indexing.prepare import PIPELINE_VERSION, Prepared, Rules, prepare
from tray_app.indexing.room import Budgets, Held, Room
from tray_app.indexing.whereabouts import ELSEWHERE, Key, Whereabouts
from tray_app.library.rows import FileRow, ProblemRow
from tray_app.library.store import Store
from tray_app.records import Progress
from tray_app.sources.base import Adapter, Context, Limits, NotReady, Reading, Stop, Stopped, Unit
from tray_app.territory import Layout, Territory
from tray_app.text.clean import clean

log = logging.getLogger(__name__)

BATCH_CHARS = 3_000_000
BATCH_FILES = 400
BATCH_SECONDS = 1.0
FIRST_BATCH_SECONDS = 0.3
DISCOVERY = -1
"""`file_id` of problems met while looking for files."""
NO_ROOM = "the budget of passages is full with newer ones"
TOO_OLD = "older than the window"


class Pass:
    """One pass. `run` may be called once. Afterwards `plans` says what was found, `bytes_read` what was read, by source."""

    def __init__(
        self,
        store: Store,
        adapters: Callable[[str], Adapter],
        context: Context,
        *,
        rules: Rules,
        limits: Limits,
        budgets: Budgets,
        zone: tzinfo,
        report: Callable[[Progress], None],
        stop: Stop,
        territory: Territory | None = None,
        where: Whereabouts | None = None,
        keep: Keep | None = None,
    ) -> None:
        """`territory` is what this library holds (None: everything), `where` what the others know, `keep` what stays or leaves
        whether its file is there or not."""
        self.keep = keep or Keep()
        self.territory, self.where = territory or Territory(Layout()), where or Whereabouts()
        self.store, self.adapters, self.context = store, adapters, context
        self.rules, self.limits, self.budgets = rules, limits, budgets
        self.report, self.stop = report, stop
        self.merger = Merger(store, zone, stop)
        self.plans: list[SourcePlan] = []
        self.bytes_read: dict[str, int] = {}
        self.read: set[Key] = set()
        """Files that were opened."""
        self.stopped = False
        self._batch: list[Prepared] = []
        self._chars = 0
        self._aside: list[FileRow] = []
        self._leaving: list[FileRow] = []
        self._last_write = time.monotonic()
        self._wrote = False
        self.room = Room(budgets, [])
        self._passages = 0
        self._was_full = False
        self._full: set[str] = set()
        """Agents for which a newer file found no room in this pass: older ones are not tried."""
        self._progress = Progress(phase="planning")
        self._started = time.monotonic()

    def run(self, sources: Sequence[Source]) -> None:
        """Bring the library up to date with these sources, and take out what belongs to none of them."""
        self.report(self._progress)
        known = {(row.agent, row.unit): row for row in self.store.files()}
        self._was_full = any(row.reason == NO_ROOM for row in known.values())
        self.plans = plan_pass(
            sources, self.adapters, known, self.context, self.budgets.oldest_ns, self.where.doubted(self.territory.space),
            self.keep.passes_over,
        )  # fmt: skip
        work = sorted((item for plan in self.plans for item in plan.work), key=lambda item: item.unit.mtime_ns, reverse=True)
        try:
            self._forget_what_left(known, sources)
            self._look_at_room()
            self._read_all(work)
            self._evict()
        except Stopped:
            self.stopped = True
        self._keep_problems()
        self.store.finish(tidy=not self.stopped)

    # --- reading ------------------------------------------------------------------------------------------------------------
    def _read_all(self, work: Sequence[Work]) -> None:
        total_bytes = sum(item.unit.size for item in work)
        done_bytes = 0
        for number, item in enumerate(work):
            if self.stop():
                raise Stopped
            self._say(number, len(work), done_bytes, total_bytes, item)
            self._read(item)
            done_bytes += item.unit.size
            patience = BATCH_SECONDS if self._wrote else FIRST_BATCH_SECONDS
            waiting = len(self._batch) + len(self._aside)
            if self._chars >= BATCH_CHARS or waiting >= BATCH_FILES or time.monotonic() - self._last_write > patience:
                self._flush()
        self._flush()
        self._progress = Progress(
            phase="finishing", done=len(work), total=len(work), bytes_done=done_bytes, bytes_total=total_bytes
        )
        self.report(self._progress)

    def _say(self, number: int, total: int, done: int, total_bytes: int, item: Work) -> None:
        passed = time.monotonic() - self._started
        eta = passed * (total_bytes - done) / done if done and passed > 2 else None
        self._progress = Progress(
            phase="reading", done=number, total=total, bytes_done=done, bytes_total=total_bytes, agent=item.unit.agent,
            chunks=self._passages, eta_s=eta,
        )  # fmt: skip
        self.report(self._progress)

    def _read(self, item: Work) -> None:
        adapter = self.adapters(item.unit.agent)
        known = self.where.owner(self.territory, item.unit) if item.file is None or item.file.session_id < 0 else None
        if known not in (None, self.territory.space):
            self._set_aside(item, adapter, ELSEWHERE, str(known))
            return
        if self._over_budget(item):
            return
        try:
            reading = self._reading(item, adapter)
            owner = self._owner(item, reading)
            if owner != self.territory.space:
                self._set_aside(item, adapter, ELSEWHERE, owner)
                return
            prepared = prepare(item.unit, item.file, reading, adapter.version, self.rules, self.stop)
        except Stopped:
            raise
        except NotReady as reason:
            self._set_aside(item, adapter, "not_ready", str(reason))
        except OSError as fault:
            self._set_aside(item, adapter, "quarantined", fault.strerror or type(fault).__name__)
        except Exception as fault:
            log.exception("reading a %s file failed", item.unit.agent)
            self._set_aside(item, adapter, "quarantined", f"could not be read ({type(fault).__name__})")
        else:
            if prepared is None:
                self._set_aside(item, adapter, "excluded", "in an excluded folder")
            elif (prepared := without_forgotten(prepared, self.keep.forgotten)) is None:
                self._set_aside(item, adapter, FORGOTTEN, "taken out for good")
            else:
                self._batch.append(prepared)
                self._chars += prepared.chars

    def _reading(self, item: Work, adapter: Adapter) -> Reading:
        """What a file gives. A continued one that seems to belong elsewhere now is read whole, which decides."""
        reading = adapter.read(item.unit, item.checkpoint, self.limits, self.stop)
        self.read.add((item.unit.agent, item.unit.session))
        self.bytes_read[item.source.id] = self.bytes_read.get(item.source.id, 0) + reading.bytes_read
        if reading.resumed and self._owner(item, reading) != self.territory.space:
            reading = adapter.read(item.unit, None, self.limits, self.stop)
            self.bytes_read[item.source.id] += reading.bytes_read
        return reading

    def _owner(self, item: Work, reading: Reading) -> str:
        """The space that a file belongs to. One that is here and says nothing of its folder stays."""
        agent, session = item.unit.agent, reading.session
        folder = self.where.folder(agent, clean(session.cwd), session.parent or item.unit.parent)
        here = not folder and item.file is not None and item.file.session_id >= 0
        return self.territory.space if here else self.territory.owner(agent, folder)

    def _over_budget(self, item: Work) -> bool:
        """Whether a file must stay out because newer ones fill the budget."""
        agent, file = item.unit.agent, item.file
        if file is not None and file.session_id >= 0:
            return False
        room = self.room.left(agent, item.unit.mtime_ns)
        same = file is not None and file.status == "over_budget" and file.reason == NO_ROOM and same_file(item.unit, file)
        if file is not None and same and file.over_budget > 1:  # how much it needs is known
            fits = file.over_budget <= room
        else:
            fits = room > 0 and agent not in self._full
        if fits:
            return False
        self._full.add(agent)
        if not same:
            self._set_aside(item, self.adapters(agent), "over_budget", NO_ROOM)
        return True

    def _flush(self) -> None:
        """Write what was read. Raises Stopped."""
        if self._leaving:
            ask_rewriting(self.store)
            self.merger.forget(self._leaving, keep_rows=True)
        if self._aside:
            problems = [
                ProblemRow(file_id=row.id, path=row.path, agent=row.agent, line=0, offset=0, kind=row.status, reason=row.reason)
                for row in self._aside
                if row.status == "quarantined"
            ]
            self.merger.remember(self._aside, problems)
        if self._batch:
            self.merger.apply(self._batch)
            self._wrote = True
        if self._batch or self._leaving:
            self._look_at_room()
        self._batch, self._chars, self._aside, self._leaving = [], 0, [], []
        self._last_write = time.monotonic()

    def _set_aside(self, item: Work, adapter: Adapter, status: str, reason: str) -> None:
        """Remember a file that gave nothing, so that it is tried again only when it changes. What was read of it earlier
        stays findable, unless it is excluded or belongs elsewhere now. What a space has nothing of and cannot read is not its
        business: it is the rest's to tell."""
        if status == "quarantined" and not self.territory.is_rest and (item.file is None or item.file.session_id < 0):
            status = "not_ready"
        row = self._row(item.unit, item.file, adapter.version, status, reason)
        if status in ("excluded", FORGOTTEN, ELSEWHERE) and row.session_id >= 0:
            self._leaving.append(row)
        else:
            self._aside.append(row)

    def _row(self, unit: Unit, file: FileRow | None, version: int, status: str, reason: str) -> FileRow:
        return FileRow(
            id=file.id if file else self.store.new_id("files"), path=path_text(unit.path), agent=unit.agent, root=path_text(unit.root),
            unit=unit.session, size=unit.size, mtime_ns=unit.mtime_ns, inode=unit.inode, others=fingerprint(unit.others),
            adapter_version=version, pipeline_version=PIPELINE_VERSION, status=status, reason=reason,
            session_id=file.session_id if file else -1, over_budget=int(status == "over_budget"),
        )  # fmt: skip

    # --- forgetting -----------------------------------------------------------------------------------------------------------
    def _forget_what_left(self, known: dict[tuple[str, str], FileRow], sources: Sequence[Source]) -> None:
        """Deleted sessions (where they are not kept), unticked sources, and what is older than the window leave the index.
        What moved to another source is read there."""
        ticked = {(source.agent, path_text(source.root)) for source in sources}
        staying = {row.id for plan in self.plans for item in plan.work if (row := item.file)}
        leaving = [row for row in known.values() if (row.agent, row.root) not in ticked and row.id not in staying]
        gone = [row for plan in self.plans for row in plan.gone]
        kept = self.keep.staying(gone, self.budgets.oldest_ns)
        mark_gone(self.store, kept, {number for plan in self.plans for number in plan.seen})
        still = {row.id for row in kept}
        self.merger.forget(leaving + [row for row in gone if row.id not in still])
        expired = [
            self._row(unit, row, self.adapters(unit.agent).version, "over_budget", TOO_OLD)
            for plan in self.plans
            for unit, row in plan.expired
        ]
        if self.territory.is_rest:  # a space does not know which of them would be its own
            self.merger.remember([row for row in expired if row.session_id < 0], [])
        self.merger.forget([row for row in expired if row.session_id >= 0], keep_rows=True)

    def _evict(self) -> None:
        """Take out the oldest sessions beyond the budgets; what was cut is counted. Heirs of what leaves may grow: again."""
        while beyond := self.room.beyond():
            files = [row for row in self.store.files() if row.session_id in beyond]
            for row in files:
                row.status, row.reason, row.over_budget = "over_budget", NO_ROOM, beyond[row.session_id]
            self.merger.forget(files, keep_rows=True)
            self._look_at_room()

    def _look_at_room(self) -> None:
        """Count what is in. File by file only where a budget may be full: that costs the number of files."""
        self._passages = self.store.count("chunks")
        tight = self._was_full or self._passages >= min(self.budgets.per_source, self.budgets.total)
        self.room = Room(self.budgets, [Held(*row) for row in self.store.held()] if tight else [])

    def _keep_problems(self) -> None:
        if not self.territory.is_rest:  # whose they are is not known
            return
        problems = [
            ProblemRow(
                file_id=DISCOVERY, path=problem.path, agent=plan.source.agent, line=problem.line, offset=problem.offset,
                kind=problem.kind, reason=problem.reason,
            )
            for plan in self.plans
            for problem in plan.problems
        ]  # fmt: skip
        with self.store.transaction():
            self.store.replace_problems([DISCOVERY], problems)
