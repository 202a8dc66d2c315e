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

from tray_app.indexing.merge import Merger, fingerprint, path_text
from tray_app.indexing.plan import Source, SourcePlan, Work, plan_source, same_file
from tray_app.indexing.prepare import PIPELINE_VERSION, Prepared, Rules, prepare
from tray_app.library.rows import FileRow, ProblemRow
from tray_app.library.store import Store
from tray_app.records import Progress
from tray_app.sources.base import Adapter, Context, Limits, NotReady, Stop, Stopped

log = logging.getLogger(__name__)

BATCH_CHARS = 3_000_000
BATCH_FILES = 400
BATCH_SECONDS = 1.0
FIRST_BATCH_SECONDS = 0.3
DISCOVERY = -1
"""`file_id` of problems met while looking for files."""


class Budgets:
    """How much is kept. Counts of passages; `oldest_ns` is the border of the window of days, 0 for none."""

    def __init__(self, per_source: int, total: int, oldest_ns: int) -> None:
        self.per_source, self.total, self.oldest_ns = per_source, total, oldest_ns


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
    ) -> None:
        self.store, self.adapters, self.context = store, adapters, context
        self.rules, self.limits, self.budgets = rules, limits, budgets
        self.report, self.stop = report, stop
        self.merger = Merger(store, zone)
        self.plans: list[SourcePlan] = []
        self.bytes_read: dict[str, int] = {}
        self.stopped = False
        self._batch: list[Prepared] = []
        self._chars = 0
        self._last_write = time.monotonic()
        self._wrote = False
        self._counts: dict[str, int] = {}
        self._progress = Progress(phase="planning")
        self._started = time.monotonic()

    def run(self, sources: Sequence[Source], *, full: bool = False, reread: frozenset[int] = frozenset()) -> None:
        """Bring the library up to date with these sources, and take out what belongs to none of them."""
        self.report(self._progress)
        known = {(row.agent, row.unit): row for row in self.store.files()}
        taken: set[tuple[str, str]] = set()
        for source in sources:
            self.plans.append(
                plan_source(
                    source, self.adapters(source.agent), known, self.context,
                    oldest_ns=self.budgets.oldest_ns, full=full, reread=reread, taken=taken,
                )
            )  # fmt: skip
        self._forget_what_left(known, sources)
        self._counts = self.store.chunk_counts()
        work = sorted((item for plan in self.plans for item in plan.work), key=lambda item: item.unit.mtime_ns, reverse=True)
        try:
            self._read_all(work)
        except Stopped:
            self.stopped = True
        self._keep_problems()
        if not self.stopped:
            self._evict()
            if self.merger.reread and not reread:
                self._second_round(sources)
        self.store.finish()

    def _second_round(self, sources: Sequence[Source]) -> None:
        """Sessions that copied what their original has lost meanwhile are read once more."""
        again = Pass(
            self.store, self.adapters, self.context, rules=self.rules, limits=self.limits, budgets=self.budgets,
            zone=self.merger.passages.zone, report=self.report, stop=self.stop,
        )  # fmt: skip
        again.run(sources, reread=frozenset(self.merger.reread))

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
            if self._chars >= BATCH_CHARS or len(self._batch) >= BATCH_FILES or time.monotonic() - self._last_write > patience:
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
            chunks=sum(self._counts.values()), eta_s=eta,
        )  # fmt: skip
        self.report(self._progress)

    def _read(self, item: Work) -> None:
        if self._over_budget(item):
            return
        adapter = self.adapters(item.unit.agent)
        try:
            reading = adapter.read(item.unit, item.checkpoint, self.limits, self.stop)
            prepared = prepare(item.unit, item.file, reading, adapter.version, self.rules)
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
            self.bytes_read[item.source.id] = self.bytes_read.get(item.source.id, 0) + reading.bytes_read
            self._batch.append(prepared)
            self._chars += prepared.chars

    def _over_budget(self, item: Work) -> bool:
        """Whether older files must stay out because the newer ones fill the budget."""
        agent = item.unit.agent
        full = self._counts.get(agent, 0) >= self.budgets.per_source or sum(self._counts.values()) >= self.budgets.total
        if full and (item.file is None or item.file.session_id < 0):
            if item.file is not None and item.file.status == "over_budget" and same_file(item.unit, item.file):
                return True
            self._set_aside(item, self.adapters(agent), "over_budget", "the budget of passages is full with newer ones")
            return True
        return False

    def _flush(self) -> None:
        if self._batch:
            files = self.merger.apply(self._batch)
            excluded = [file for file in files if file.status == "excluded"]
            if excluded:
                self.merger.forget(excluded, keep_rows=True)
            self._counts = self.store.chunk_counts()
            self._wrote = True
        self._batch, self._chars = [], 0
        self._last_write = time.monotonic()

    def _set_aside(self, item: Work, adapter: Adapter, status: str, reason: str) -> None:
        """Remember a file that gave nothing, so that it is tried again only when it changes."""
        unit, file = item.unit, item.file
        if file is not None and file.session_id >= 0 and status != "over_budget":
            session = file.session_id  # what was read of it earlier stays findable
        else:
            session = -1
        row = FileRow(
            id=file.id if file else self.store.new_id("files"), path=path_text(unit.path), agent=unit.agent, root=path_text(unit.root),
            unit=unit.session, size=unit.size, mtime_ns=unit.mtime_ns, inode=unit.inode, others=fingerprint(unit.others),
            adapter_version=adapter.version, pipeline_version=PIPELINE_VERSION, status=status, reason=reason, session_id=session,
            over_budget=int(status == "over_budget"),
        )  # fmt: skip
        problem = ProblemRow(file_id=row.id, path=row.path, agent=row.agent, line=0, offset=0, kind=status, reason=reason)
        with self.store.transaction():
            self.store.write_files([row])
            self.store.replace_problems([row.id], [problem] if status == "quarantined" else [])

    # --- forgetting -----------------------------------------------------------------------------------------------------------
    def _forget_what_left(self, known: dict[tuple[str, str], FileRow], sources: Sequence[Source]) -> None:
        """Deleted sessions, unticked sources, and what is older than the window leave the index."""
        ticked = {(source.agent, path_text(source.root)) for source in sources}
        leaving = [row for row in known.values() if (row.agent, row.root) not in ticked]
        leaving += [row for plan in self.plans for row in plan.gone]
        if leaving:
            self.merger.forget(leaving)
        expired = [row for plan in self.plans for row in plan.expired]
        if expired:
            for row in expired:
                row.status, row.reason, row.over_budget = "over_budget", "older than the window", 1
            self.merger.forget(expired, keep_rows=True)

    def _evict(self) -> None:
        """Take out the oldest sessions beyond the budgets; what was cut is counted."""
        beyond: set[int] = set()
        for agent, count in self._counts.items():
            if count > self.budgets.per_source:
                beyond.update(self.store.oldest_beyond(agent, self.budgets.per_source))
        if sum(self._counts.values()) > self.budgets.total:
            beyond.update(self.store.oldest_beyond(None, self.budgets.total))
        if beyond:
            files = [row for row in self.store.files() if row.session_id in beyond]
            for row in files:
                row.status, row.reason, row.over_budget = "over_budget", "the budget of passages is full with newer ones", 1
            self.merger.forget(files, keep_rows=True)

    def _keep_problems(self) -> None:
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
