"""The memory of one library: what front ends read and write, durable when a call has ended.

Owns the lock, the state that is read from, and the order of a change: a line in the journal on the disk, then the database,
then the state. What can be mended is mended at opening; what cannot be written changes nothing.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import TypeVar

import duckdb
import msgspec

from tray_app import clock
from tray_app.errors import KnownError
from tray_app.library.connection import DAMAGED, opening_note
from tray_app.library.memory import schema as schemas
from tray_app.library.memory import vectors
from tray_app.library.memory.changing import Change
from tray_app.library.memory.faults import Damaged, faults_in_use, of_system, world_faults
from tray_app.library.memory.file import MemoryFile, log_of, read_file
from tray_app.library.memory.journal import encoded
from tray_app.library.memory.opening import Opened, Places, open_memory
from tray_app.library.memory.rows import TABLES, MemoryRow, R
from tray_app.library.memory.snapshots import Facts, Snapshot
from tray_app.library.memory.state import Entry, State
from tray_app.library.memory.vectors import Floats, Held

log = logging.getLogger(__name__)

T = TypeVar("T")
MOST_UNWRITTEN = 256
MOST_JOURNAL = 32 << 20
"""Bytes from which on the journal keeps no more than the two newest snapshots need."""
DAY = 86_400_000


class MemoryStore:
    """One memory. Opens its files at the first call that needs them, makes them at the first change; safe for threads."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.places = Places.beside(file)
        self.mended = ""
        """What was found damaged at the last opening and how it was restored, '' if nothing."""
        self.snapshot_fault = ""
        """Why the last snapshot of a day could not be made, '' if it could."""
        self._lock = threading.RLock()
        self._file: MemoryFile | None = None
        self._state: State | None = None
        self._length = -1
        self._entries = 0
        self._unwritten: dict[int, tuple[int, int, int]] = {}
        """Use of memories that is in the journal and not in the file yet: rewriting rows for it would be most of a recall."""
        self._change: Change | None = None
        self._held: dict[str, Held] = {}

    # --- reading -----------------------------------------------------------------------------------------------------------
    def rows(self, kind: type[R]) -> Mapping[int, R]:
        """All rows of a kind by id, as they are now; never changes afterwards. Raises KnownError where the files cannot be
        opened (`index_locked`, `memory_newer`, `disk_full`, `memory_unwritable`, `memory_unopenable`)."""
        return self._now().rows(kind)

    @property
    def revision(self) -> int:
        """Another number after every change; -1 while the files are not open."""
        state = self._state
        return -1 if state is None else state.seq

    def memories_of(
        self, project: str, *, kinds: Collection[str] = (), states: Collection[str] = ("active",)
    ) -> list[MemoryRow]:
        """Memories of a project by id; of all kinds, of all states where none are named."""
        rows = self._now().memories_of(project)
        return [row for row in rows if (not kinds or row.kind in kinds) and (not states or row.state in states)]

    def find_memories(self, words: Sequence[str]) -> list[tuple[int, float]]:
        """Active memories that hold any of the words (`text.segment` tokens) in title or content, as (id, BM25), best
        first."""
        return self._find("memories", words)

    def find_paragraphs(self, words: Sequence[str]) -> list[tuple[int, float]]:
        """Paragraphs that hold any of the words in their heading or text, as (id, BM25), best first."""
        return self._find("paragraphs", words)

    def _find(self, table: str, words: Sequence[str]) -> list[tuple[int, float]]:
        """Only what `rows` has, too: a change that is just being written may be found already."""
        file = self._file  # not under the lock: who writes holds it
        found: list[tuple[int, float]] | None = None
        with contextlib.suppress(duckdb.Error):  # if it is damaged, that shows again below, where it is mended
            found = None if file is None else file.find(table, words)
        if found is None:
            found = self._using(lambda file, _: file.find(table, words), None)
        rows = self._now().tables[table]
        return [one for one in found or () if one[0] in rows]

    # --- changing ----------------------------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def change(self) -> Iterator[Change]:
        """All or nothing, and on the disk when the block has ended. Inside another, a part of it: what fails in it alone is
        taken back alone. Raises KnownError `disk_full`, `memory_unwritable`; then nothing is changed."""
        with self._lock:
            outer = self._change
            if outer is not None:
                before = outer.noted()
                try:
                    yield outer
                except BaseException:
                    outer.take_back(before)
                    raise
                return
            self._change = Change(self._now())
            try:
                yield self._change
                entry = self._change.entry(self._time())
            finally:
                self._change = None
            if entry is not None:
                self._commit(entry)

    def _commit(self, entry: Entry) -> None:
        try:
            self._write(entry)
        except Damaged:  # mended by opening it again; the change itself was taken back
            self._mending(lambda: self._write(entry))

    def _write(self, entry: Entry) -> None:
        file, before = self._open(), self._now()
        entry = msgspec.structs.replace(entry, seq=before.seq + 1)
        after, line = before.after([entry]), encoded(entry)
        self._settle_journal()
        try:
            self.places.journal.append(line)
        except OSError as fault:
            raise of_system(fault, self.file) from fault
        unwritten = self._unwritten | {used[0]: used for used in entry.used}
        if not entry.only_use or len(unwritten) > MOST_UNWRITTEN:
            try:
                with faults_in_use(self.file):
                    file.apply(before, after, msgspec.structs.replace(entry, used=tuple(unwritten.values())))
            except BaseException as fault:
                self._take_back(fault)
                raise
            unwritten = {}
        self._unwritten = unwritten
        self._length += len(line)
        self._entries += 1
        self._state = after
        if entry.whole or "memories" in entry.puts or "memories" in entry.deletes:
            self._held.clear()
        self._settle_file(file)
        self._snapshot_of_the_day(before)

    def _settle_journal(self) -> None:
        """Have the journal as it was left: the rest of a change that failed is cut off. Raises KnownError; Damaged where it is
        shorter than it was."""
        size = max(self.places.journal.size, 0)
        if size < self._length:
            self._shut()
            raise Damaged("another program changed the journal")
        if size > self._length:
            try:
                self.places.journal.truncate(self._length)
            except OSError as fault:
                raise of_system(fault, self.file) from fault

    def _take_back(self, fault: BaseException) -> None:
        """After a change that the database did not take."""
        with contextlib.suppress(OSError):  # then before the next change, see `_settle_journal`
            self.places.journal.truncate(self._length)
        if isinstance(fault, Damaged):
            self._note_damage(fault)
        if isinstance(fault, KnownError | Damaged):
            self._drop_file()

    def _settle_file(self, file: MemoryFile) -> None:
        """After a change that is kept: its failing must not look like the change's."""
        try:
            file.settle()
        except duckdb.TransactionException:  # somebody reads: the next change does it
            return
        except duckdb.Error as fault:
            log.warning("the memory's log could not be written into its file (%s)", type(fault).__name__)
            self._drop_file()

    def _time(self) -> int:
        return int(clock.now(UTC).timestamp() * 1000)

    # --- vectors -----------------------------------------------------------------------------------------------------------
    def vectors(self, space: str) -> Held:
        """Ids (rising) and unit rows of active memories that have a vector in this space."""

        def load(file: MemoryFile, state: State) -> Held:
            if space not in self._held:
                self._held[space] = vectors.held(file.cursor, state, space)
                file.spare_memory()
            return self._held[space]

        return self._using(load, vectors.NONE)

    def put_vectors(self, space: str, made: Mapping[int, Floats], rows: Mapping[int, MemoryRow] | None = None) -> None:
        """Keep vectors by memory id. `rows` are the memories as they were when their texts were read: those that changed
        since are left out."""

        def put(file: MemoryFile, state: State) -> None:
            vectors.put(file.cursor, state, space, made, rows or {})
            self._held.pop(space, None)

        self._using(put, None)

    def lacking(self, space: str) -> list[MemoryRow]:
        """Active memories without a vector in this space, newest first."""
        return vectors.lacking(self._now(), self.vectors(space))

    # --- snapshots ---------------------------------------------------------------------------------------------------------
    def backup(self, kind: str = "manual") -> Path:
        """Write a snapshot now (manual | daily | before). Raises KnownError."""
        with self._lock:
            self._open()
            return self._mending(lambda: self.places.snapshots.take(self._now(), kind, self._time()))

    def backups(self) -> list[Snapshot]:
        """Newest first."""
        with self._lock:
            return self.places.snapshots.listed()

    def restore(self, path: Path) -> Path:
        """Take back the state of a snapshot; gives the path of one that was made of the present state before. Raises
        KnownError `memory_damaged`, `memory_newer` for a file that cannot be used; then nothing is changed."""
        with self._lock:
            try:
                with world_faults(path):
                    state = read_file(path)
            except Damaged as fault:
                raise KnownError(
                    "memory_damaged",
                    "The backup cannot be used",
                    f"{path.name} cannot be read ({fault}).",
                    "Choose another one.",
                ) from fault
            former = self.backup("before")
            now = self._now()
            ids = {name: max(now.ids.get(name, 0), state.ids.get(name, 0)) for name in TABLES}
            entry = state.as_entry(self._time(), now.seq + 1)
            self._commit(msgspec.structs.replace(entry, ids={name: top for name, top in ids.items() if top}))
            return former

    def keep_daily(self) -> None:
        """The same for a day on which nothing may change any more: keep the present state, if the day has no snapshot yet and
        something changed since the newest one."""
        with self._lock:
            if self._state is not None or self.places.any():
                self._snapshot_of_the_day(self._now())

    def _snapshot_of_the_day(self, state: State) -> None:
        """Keep the state in which the last day ended, at the first change of a day."""
        try:
            taken = self.places.snapshots.listed()
            now = self._time()
            due = not any(one.kind == "daily" and one.created // DAY == now // DAY for one in taken)
            if state.seq and (due or self._length > MOST_JOURNAL) and (not taken or taken[0].seq < state.seq):
                self.places.snapshots.take(state, "daily", now)
                self._shorten()
            self.snapshot_fault = ""
        except (KnownError, Damaged, OSError) as fault:
            self.snapshot_fault = str(fault)
            log.warning("no snapshot of the memory could be made (%s)", type(fault).__name__)

    def _write_used(self) -> None:
        """Bring the file to where the journal is. Raises KnownError, Damaged."""
        if self._file is not None and self._state is not None and self._unwritten:
            entry = Entry(seq=self._state.seq, time=self._time(), used=tuple(self._unwritten.values()))
            with faults_in_use(self.file):
                self._file.apply(self._state, self._state, entry)
            self._unwritten = {}

    def _shorten(self) -> None:
        """Cut off what no snapshot needs of the journal. Raises OSError, KnownError, Damaged."""
        self._write_used()
        journal, snapshots = self.places.journal, self.places.snapshots
        needless = snapshots.prune()
        if self._length > MOST_JOURNAL and len(newest := snapshots.listed()[:2]) == 2:
            needless = newest[1].seq
        reading = journal.read()
        if needless and reading.whole and reading.size == self._length:
            lines = [line for entry, line in zip(reading.entries, reading.lines, strict=True) if entry.seq > needless]
            if len(lines) < len(reading.lines):
                journal.rewrite(lines)
                self._length, self._entries = sum(map(len, lines)), len(lines)

    def export_lines(self) -> Iterator[str]:
        """Everything as JSON lines: a head, then {"table": ..., "row": {...}} for each row."""
        state = self._now()
        yield msgspec.json.encode(
            {"backscroll": "memory", "schema": schemas.MEMORY_SCHEMA, "exported": clock.iso(self._time())}
        ).decode()
        for table, rows in state.tables.items():
            for number in sorted(rows):
                yield msgspec.json.encode({"table": table, "row": rows[number]}).decode()

    # --- the files ---------------------------------------------------------------------------------------------------------
    def facts(self) -> Facts:
        with self._lock:
            self._now()
            size = sum(path.stat().st_size for path in (self.file, log_of(self.file)) if path.exists())
            return Facts(self.file, size, schemas.MEMORY_SCHEMA, self._entries, self.places.snapshots.listed(), self.mended)

    def close(self) -> None:
        """Let go of the files; the next call opens them again."""
        with self._lock:
            with contextlib.suppress(KnownError, Damaged):  # then opening takes it from the journal
                self._write_used()
            self._shut()

    def _shut(self) -> None:
        self._drop_file()
        self._state, self._length = None, -1

    def _drop_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self._unwritten = {}
        self._held.clear()

    def _now(self) -> State:
        """The state, read from the files if it is not yet."""
        state = self._state
        if state is not None:
            return state
        with self._lock:
            if self._state is None:
                if not self.places.any():
                    self._state = State()
                    return self._state
                self._open()
            assert self._state is not None
            return self._state

    def _open(self) -> MemoryFile:
        """The open file; made where there is none yet."""
        if self._file is None:
            if self.places.journal.size > self._length >= 0:
                with contextlib.suppress(OSError):
                    self.places.journal.truncate(self._length)
            self._take(self._mending(lambda: open_memory(self.places, self._time)))
        assert self._file is not None
        return self._file

    def _take(self, opened: Opened) -> None:
        self._file, self._state, self._length, self._entries = opened.file, opened.state, opened.length, opened.entries
        self.mended = opened.mended or self.mended

    def _using(self, act: Callable[[MemoryFile, State], T], nothing: T) -> T:
        """Do something with the file; a damaged one is mended first. `nothing` where there is no memory yet."""

        def done() -> T:
            file = self._open()
            with faults_in_use(self.file):
                return act(file, self._now())

        with self._lock:
            if self._file is None and not self.places.any():
                return nothing
            try:
                return done()
            except Damaged as fault:
                self._note_damage(fault)
                self._drop_file()
                return self._mending(done)

    def _mending(self, act: Callable[[], T]) -> T:
        """Raises KnownError `memory_damaged` for damage that stays."""
        try:
            return act()
        except Damaged as fault:
            raise KnownError(
                "memory_damaged",
                "The memory cannot be read",
                f"{self.file.name} stays damaged, also when it is made anew ({fault}).",
                "Check the disk; the snapshots and the journal beside it are kept.",
            ) from fault

    def _note_damage(self, fault: Damaged) -> None:
        """Have the file set aside unread when it is opened again."""
        if fault.certain:
            with contextlib.suppress(OSError):
                opening_note(self.file).write_text(DAMAGED, "utf-8")
