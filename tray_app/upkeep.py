"""Rounds over all libraries: the rest first, then each space in use, each with what belongs to it alone.

Owns the order of a round, the parting when folders were assigned otherwise, the rewriting of files that something was taken
out of, and the one report of it all. When and by which rules is `indexer`'s business, what a file gives `indexing`'s.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from tray_app import clock
from tray_app.errors import UsageError
from tray_app.indexer import Indexer, report_of
from tray_app.indexing.merge import path_text
from tray_app.indexing.moving import WAITING, part, send_away
from tray_app.indexing.passes import Pass
from tray_app.indexing.plan import SourcePlan
from tray_app.indexing.whereabouts import Whereabouts
from tray_app.insight import status
from tray_app.insight.topics import Topics
from tray_app.libraries import Libraries, Library
from tray_app.library.rewriting import WANTED
from tray_app.library.store import Store
from tray_app.records import Counters, IndexReport, Problem, Progress, SourceReport, SourceView, SpaceView
from tray_app.sources.base import Adapter, Checkpoint, Context, Limits, Reading, Report, Session, Stop, Stopped, Unit
from tray_app.sources.registry import adapter
from tray_app.territory import REST, Layout, Territory, is_within, plain_folder
from tray_app.text.dates import local_zone

LOOKED_S = 0.2
"""How often a running round looks whether the spaces have changed."""


class Upkeep:
    """The one who writes in all libraries. The caller holds `indexer.writing` around every call."""

    def __init__(self, indexer: Indexer, libraries: Libraries) -> None:
        self.indexer, self.libraries, self.spaces = indexer, libraries, libraries.spaces
        self.topics = Topics(indexer.settings)

    # --- a round -------------------------------------------------------------------------------------------------------------
    def run(self, report: Callable[[Progress], None], stop: Stop) -> Round:
        """Bring every library up to date. A change of the spaces in the middle begins anew with the spaces as they are then.
        Folders that sessions name for the first time are looked into at once, where a ticked source keeps files in them.
        `stop` ends it within a second, losing nothing."""
        started = time.monotonic()
        self.indexer.wake.clear()
        earlier: Round | None = None
        while True:
            layout = self.spaces.layout()
            known = set(self._workspaces(layout))
            done = self._round(layout, report, self._until_changed(layout, stop))
            if earlier is not None:
                done.follow(earlier)
            if not done.stopped and self.indexer.folders.look_into_workspaces() and set(self._workspaces(layout)) - known:
                earlier = done
                continue
            if not done.stopped or stop():
                done.seconds = time.monotonic() - started
                return done

    def part(self) -> None:
        """Take out of every library, at once, what belongs to it no longer. What was taken out is gone from the files after
        the next round; where indexing is paused, now."""
        layout = self.spaces.layout()
        for space in in_use(layout):
            library = self.libraries.of(space)
            if library.file.exists():
                self._part(library, Territory(layout, space, self._workspaces(layout)), lambda: False)
                if self.indexer.paused()[0]:
                    self._rewrite(library)
        for removed in layout.spaces:
            if removed.removed and self.libraries.of(removed.id).is_open:
                with self.libraries.of(removed.id).shut():
                    pass  # nobody asks for it any more: its file is the person's to copy or to move

    # --- what there is -------------------------------------------------------------------------------------------------------
    def views(self) -> list[SpaceView]:
        """The rest, then every space in the order they were made. Needs no holding of `indexer.writing`."""
        layout = self.spaces.layout()
        found = [self._view(SpaceView(id=REST, name=REST))]
        for space in layout.spaces:
            gone = tuple(folder for folder in space.folders if not Path(folder).is_dir())
            known = SpaceView(id=space.id, name=space.name, folders=space.folders, missing=gone, removed=space.removed or None)
            found.append(self._view(known))
        return found

    def _view(self, known: SpaceView) -> SpaceView:
        library = self.libraries.of(known.id)
        facts = {"path": str(library.file), "index_bytes": library.size}
        if known.removed:
            return msgspec.structs.replace(known, state="removed", **facts)
        if not library.file.exists():
            return msgspec.structs.replace(known, state="waiting", **facts)
        with library.reading(settled=False) as reader:
            built_at = reader.meta("built_at")
            return msgspec.structs.replace(
                known,
                sessions=reader.count("sessions"),
                messages=reader.count("messages"),
                chunks=reader.count("chunks"),
                built_at=built_at or None,
                state="waiting" if not built_at or reader.meta(WAITING) else "ready",
                **facts,
            )

    def check_folders(self, folders: Sequence[str]) -> None:
        """Raises UsageError `no_such_folder` for one that is not there and that no session names: a slip of the pen would
        leave with the others what was to be kept apart."""
        gone = [folder for folder in folders if not Path(folder).expanduser().is_dir()]
        if gone:
            layout = self.spaces.layout()
            known = [plain_folder(workspace) for workspace in self._workspaces(layout)] + [one for one, _ in layout.claims]
            for folder in gone:
                wanted = plain_folder(str(Path(folder).expanduser()))
                if layout.owner_of(wanted) == REST and not any(is_within(one, wanted) for one in known):
                    raise UsageError(
                        "no_such_folder", "No such folder", f"{folder} is not there, and no session was held in it."
                    )

    def _round(self, layout: Layout, report: Callable[[Progress], None], stop: Stop) -> Round:
        order, done = in_use(layout), Round()
        workspaces = self._workspaces(layout)
        territories = {space: Territory(layout, space, workspaces) for space in order}
        where = Whereabouts()
        adapters = Looked() if len(order) > 1 else adapter

        def note(space: str) -> None:
            if len(order) > 1:
                self._note(where, space)

        def pass_over(space: str) -> bool:
            library = self.libraries.of(space)
            library.changed()
            try:
                one = self.indexer.run(
                    library.open(), workspaces, report, stop, territory=territories[space], where=where, adapters=adapters
                )
            finally:
                library.changed()
            done.passes.setdefault(space, []).append(one)
            if one.stopped:
                done.stopped = True
                return False
            self._refresh_topics(library, stop)
            self._rewrite(library)
            note(space)
            return True

        try:
            self._begin(territories, stop)
            for space in order:
                note(space)
            self._send_strays(where, territories, stop)
            if all(pass_over(space) for space in order):
                self._send_strays(where, territories, stop)
                all(pass_over(space) for space in order if where.doubted(space))
        except Stopped:
            done.stopped = True
        return done

    def _begin(self, territories: dict[str, Territory], stop: Stop) -> None:
        """Part what was assigned otherwise, and note what is to be read anew, in all libraries before anything is read."""
        anew, self.indexer.anew = self.indexer.anew, False
        try:
            for space, territory in territories.items():
                self._part(self.libraries.of(space), territory, stop, anew=anew)
        except BaseException:
            self.indexer.anew = self.indexer.anew or anew
            raise

    def _part(self, library: Library, territory: Territory, stop: Stop, *, anew: bool | None = None) -> None:
        store = Store(library.open())
        try:
            if part(store, territory, local_zone(), stop):
                store.finish(tidy=False)
                library.changed()
            if anew is not None:
                self.indexer.note_rules(store, anew=anew)
        finally:
            store.close()

    def _send_strays(self, where: Whereabouts, territories: dict[str, Territory], stop: Stop) -> None:
        """Sessions that name no folder and were started by one of another library go after it."""
        for space, territory in territories.items():
            if strays := where.strays(territory):
                library = self.libraries.of(space)
                store = Store(library.open())
                try:
                    send_away(store, strays, local_zone(), stop)
                finally:
                    store.close()
                    library.changed()
                self._note(where, space)

    def _note(self, where: Whereabouts, space: str) -> None:
        store = Store(self.libraries.of(space).open())
        try:
            where.note(space, store.files(), store.folders())
        finally:
            store.close()

    def _refresh_topics(self, library: Library, stop: Stop) -> None:
        """Before the file is written anew: cards of what left it are not to be in it."""
        store = Store(library.open())
        try:
            self.topics.refresh(store, local_zone(), clock.now(local_zone()), stop)
        finally:
            store.close()

    def _rewrite(self, library: Library) -> None:
        with library.reading(settled=False) as reader:
            wanted = reader.meta(WANTED)
        if wanted:
            library.rewrite()

    def _workspaces(self, layout: Layout) -> tuple[str, ...]:
        """Folders that sessions of any library name, most recent first in each."""
        found: dict[str, None] = {}
        for space in in_use(layout):
            library = self.libraries.of(space)
            if space == REST or library.file.exists():
                with library.reading(settled=False) as reader:
                    found.update(dict.fromkeys(reader.workspaces()))
        return tuple(found)

    def _until_changed(self, layout: Layout, stop: Stop) -> Stop:
        looked = [time.monotonic()]
        changed = [False]

        def must_end() -> bool:
            moment = time.monotonic()
            if moment - looked[0] > LOOKED_S:
                looked[0] = moment
                changed[0] = self.spaces.layout().revision != layout.revision
            return changed[0] or stop()

        return must_end


class Round:
    """What a round did: the passes over each library (two where files were found to have moved), and how long it took."""

    def __init__(self) -> None:
        self.passes: dict[str, list[Pass]] = {}
        self.seconds = 0.0
        self.stopped = False

    def follow(self, earlier: Round) -> None:
        """Count an earlier round with this one."""
        for space, passes in earlier.passes.items():
            self.passes[space] = passes + self.passes.get(space, [])

    def report(self, views: Callable[[str], list[SourceView]], problems: list[Problem]) -> IndexReport:
        """The figures of all libraries together, by source; `views` gives the sources as they stand in one library."""
        if not self.passes:  # stopped before anything was looked at
            return IndexReport(totals=Counters(), sources=(), problems=tuple(problems), elapsed_s=self.seconds, stopped=True)
        rest = report_of(self.passes[REST][-1], views(REST), problems, self.seconds)
        if set(self.passes) == {REST} and len(self.passes[REST]) == 1:
            return msgspec.structs.replace(rest, stopped=rest.stopped or self.stopped)
        others = [report_of(passes[-1], views(space), [], 0.0) for space, passes in self.passes.items() if space != REST]
        sources = [self._summed(source, others) for source in rest.sources]
        totals = [Counters(**{name: getattr(one, name) for name in Counters.__struct_fields__}) for one in sources]
        return msgspec.structs.replace(rest, sources=tuple(sources), totals=status.summed(totals), stopped=self.stopped)

    def _summed(self, rest: SourceReport, others: Sequence[IndexReport]) -> SourceReport:
        """One source over all libraries. Every pass goes over the same files: these are counted once, and as unchanged where
        none read them."""
        same = [one for report in others for one in report.sources if (one.agent, one.path) == (rest.agent, rest.path)]
        figures = {name: sum(getattr(one, name) for one in (rest, *same)) for name in status.COUNTED if name != "files"}
        last = self.passes[REST][-1]
        changed = {key_of(item.unit) for plan in plans_of(last, rest) for item in plan.work}
        read = {
            key_of(item.unit)
            for passes in self.passes.values()
            for one in passes
            for plan in plans_of(one, rest)
            for item in plan.work
            if key_of(item.unit) in one.read
        }
        bytes_read = sum(
            one.bytes_read.get(plan.source.id, 0)
            for passes in self.passes.values()
            for one in passes
            for plan in plans_of(one, rest)
        )
        state = "partial" if rest.state == "ok" and any(one.state == "partial" for one in same) else rest.state
        unchanged = max(rest.unchanged_files - len(read - changed), 0)
        return msgspec.structs.replace(rest, **figures, bytes_read=bytes_read, unchanged_files=unchanged, state=state)


class Looked:
    """The adapters, each folder of which is looked through once for all libraries of a round."""

    def __init__(self) -> None:
        self._made: dict[str, Adapter] = {}

    def __call__(self, agent: str) -> Adapter:
        if agent not in self._made:
            self._made[agent] = _Once(adapter(agent))
        return self._made[agent]


class _Once:
    """An adapter that remembers what it found under a root, with the problems it met there."""

    def __init__(self, real: Adapter) -> None:
        self._real = real
        self.agent, self.name, self.version, self.confidence = real.agent, real.name, real.version, real.confidence
        self._found: dict[Path, tuple[list[Unit], list[Problem]]] = {}

    def roots(self, home: object) -> list[Path]:
        return self._real.roots(home)  # type: ignore[arg-type]

    def discover(self, root: Path, context: Context, report: Report) -> Iterator[Unit]:
        if root not in self._found:
            problems: list[Problem] = []
            self._found[root] = (list(self._real.discover(root, context, problems.append)), problems)
        units, problems = self._found[root]
        for problem in problems:
            report(problem)
        yield from units

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        return self._real.read(unit, checkpoint, limits, stop)

    def resume_command(self, session: Session) -> str:
        return self._real.resume_command(session)


def in_use(layout: Layout) -> list[str]:
    """The libraries that are kept up to date, the rest first."""
    return [REST, *(space.id for space in layout.in_use)]


def key_of(unit: Unit) -> tuple[str, str]:
    return unit.agent, unit.session


def plans_of(one: Pass, source: SourceReport) -> list[SourcePlan]:
    """What a pass planned for one source."""
    return [plan for plan in one.plans if (plan.source.agent, path_text(plan.source.root)) == (source.agent, source.path)]
