"""Opening the memory: every row is read and compared with the journal; what is damaged is made anew from snapshot and journal.

Owns the order of these steps and the sentences that say what was mended. Nothing that was acknowledged is given up without
such a sentence.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tray_app.library.connection import died_opening, opening_note
from tray_app.library.memory import schema as schemas
from tray_app.library.memory import vectors
from tray_app.library.memory.faults import Damaged, world_faults
from tray_app.library.memory.file import MemoryFile, log_of, write_file
from tray_app.library.memory.journal import Journal, Reading, encoded, part_of
from tray_app.library.memory.snapshots import Snapshots
from tray_app.library.memory.state import State, difference

log = logging.getLogger(__name__)

ASIDE = 3
"""Damaged files of a kind that are kept, the newest ones."""


class Opened(NamedTuple):
    """`entries` are those in the journal, `length` its bytes; `mended` says what was done, '' if nothing had to be."""

    file: MemoryFile
    state: State
    entries: int
    length: int
    mended: str


class Places(NamedTuple):
    """Where the parts of a memory lie."""

    file: Path
    journal: Journal
    snapshots: Snapshots

    @classmethod
    def beside(cls, file: Path) -> Places:
        return cls(file, Journal(file.with_name(f"{file.stem}.journal.jsonl")), Snapshots(file.with_name("snapshots")))

    def any(self) -> bool:
        """Whether there is anything of a memory."""
        return self.file.exists() or log_of(self.file).exists() or self.journal.size >= 0 or bool(self.snapshots.listed())


def open_memory(places: Places, now: Callable[[], int]) -> Opened:
    """Raises KnownError (`index_locked`, `memory_newer`, `disk_full`, `memory_unwritable`, `memory_unopenable`), and Damaged
    where what was just written cannot be read."""
    path = places.file
    with world_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            _clear(places)
            unusable = "it could not be read" if died_opening(path) else ""
            return _Opening(places, now).run(unusable)
        finally:
            with contextlib.suppress(OSError):
                opening_note(path).unlink(missing_ok=True)


class _Opening:
    """One opening. Collects what had to be mended."""

    def __init__(self, places: Places, now: Callable[[], int]) -> None:
        self.places, self.now = places, now
        self.said: list[str] = []
        self.lost = 0
        self.unknown = False

    def run(self, unusable: str) -> Opened:
        fresh = not self.places.any()
        reading = self.places.journal.read()
        file, state = None, None
        if fresh or not unusable:
            file, state, unusable = self._read(fresh)
        try:
            wanted, sound = self._wanted(state, reading)
            if file is not None and state is not None:
                try:
                    with world_faults(self.places.file):
                        file = self._brought_up(file, state, wanted)
                except Damaged as fault:
                    file.close()
                    file, unusable = None, f"it was damaged ({fault})"
            if file is None:
                file = self._made_anew(wanted, unusable, reading)
            if sound:
                self._smooth(reading)
            else:
                wanted, reading = self._begun_anew(wanted, reading)
                file.note(wanted)
            file.spare_memory()
            return Opened(file, wanted, len(reading.entries), reading.size, self._sentence())
        except BaseException:
            if file is not None:
                file.close()
            raise

    def _read(self, fresh: bool) -> tuple[MemoryFile | None, State | None, str]:
        """The file as it is, or why it cannot be used."""
        path = self.places.file
        if fresh:
            write_file(path, State())
        elif not path.exists():
            return None, None, "it was gone"
        file = None
        try:
            with world_faults(path):
                file = MemoryFile(path)
                state = file.load()
                file.verify()
            return file, state, ""
        except Damaged as fault:
            if file is not None:
                file.close()
            return None, None, f"it was damaged ({fault})"
        except BaseException:
            if file is not None:
                file.close()
            raise

    def _wanted(self, state: State | None, reading: Reading) -> tuple[State, bool]:
        """What the file should hold, and whether the journal can bring any of the newest snapshots there."""
        if state is not None and reading.whole and reading.last == state.seq:
            wanted = state.after(reading.entries)  # every row it names is as it says, or the file is not what was written
            if not wanted.same_as(state):
                rows = difference(state, wanted).size
                self.said.append(
                    f"{rows} rows of the memory file were not those that were written; they were taken from the journal."
                )
            return wanted, True
        known = state.seq if state is not None else -1
        base = self.places.snapshots.newest_good(above=known) if known < max(reading.top, 1) else None
        base = base or state or State()
        following = reading.after(base.seq)
        self.lost = reading.missing(base.seq)
        self.unknown = state is None and not reading.there
        if state is not None and sum(not entry.only_use for entry in following) > 1:
            self.said.append(
                f"The newest {len(following)} changes were not in the memory file and were taken from the journal."
            )
        wanted = base.after(following)
        return wanted, reading.whole and not self.lost and reading.last == wanted.seq

    def _brought_up(self, file: MemoryFile, state: State, wanted: State) -> MemoryFile:
        """A file that can be read, with the rows, the schema and the words it should have. Raises duckdb.Error."""
        if file.schema != schemas.MEMORY_SCHEMA:
            kept = vectors.stored(file.cursor, wanted)
            file.close()
            self.places.snapshots.keep_copy(self.places.file, state, self.now())
            write_file(self.places.file, wanted, kept)
            return MemoryFile(self.places.file)
        if not wanted.same_as(state):
            file.apply(state, wanted, difference(state, wanted))
        if not file.words.fit(wanted):
            file.words.make_anew(wanted)
        file.note(wanted)
        return file

    def _made_anew(self, wanted: State, unusable: str, reading: Reading) -> MemoryFile:
        """A new file of what should be there; the old one is kept beside."""
        path = self.places.file
        aside = self._set_aside(path)
        sources = [name for name, there in (("snapshot", self.places.snapshots.listed()), ("journal", reading.there)) if there]
        source = f"from {' and '.join(sources)}" if sources else "and is empty"
        self.said.append(f"The memory file could not be used: {unusable}. It was made anew {source}.{aside}")
        write_file(path, wanted)
        return MemoryFile(path)

    def _smooth(self, reading: Reading) -> None:
        """A journal with all its lines, and nothing else in it."""
        journal = self.places.journal
        if reading.ragged:
            journal.rewrite(reading.lines)
            reading.size = sum(map(len, reading.lines))
        elif reading.torn:
            journal.truncate(reading.size)

    def _begun_anew(self, state: State, reading: Reading) -> tuple[State, Reading]:
        """A journal from which the memory can be made again: a line that holds everything closes what is missing in it."""
        journal = self.places.journal
        if reading.there:
            target = journal.file.with_name(f"{journal.file.stem}.damaged-{self._stamp()}.jsonl")
            what = f"{reading.damaged} lines of it could not be read" if reading.damaged else "it was not whole"
            self.said.append(f"The journal was damaged ({what}) and is kept as {target.name}.")
            journal.copy(target)
            _keep_newest(journal.file.parent.glob(f"{journal.file.stem}.damaged-*.jsonl"))
        else:
            self.said.append("The journal was missing and was begun anew.")
        entry = state.as_entry(self.now(), max(state.seq, reading.top) + 1)
        lines = [*reading.lines, encoded(entry)]
        journal.rewrite(lines)
        return state.at(entry.seq), Reading([*reading.entries, entry], lines, size=sum(map(len, lines)), there=True)

    def _set_aside(self, path: Path) -> str:
        """Keep a damaged file with its log under another name; says so."""
        target = path.with_name(f"{path.stem}.damaged-{self._stamp()}{path.suffix}")
        moved = [old.replace(new) for old, new in ((path, target), (log_of(path), log_of(target))) if old.exists()]
        _keep_newest(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}"))
        return f" The former file is kept as {target.name}." if moved else ""

    def _stamp(self) -> str:
        return datetime.fromtimestamp(self.now() / 1000, UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]

    def _sentence(self) -> str:
        if not self.said:
            return ""
        if self.lost:
            end = f"{self.lost} changes could not be read and are lost."
        elif self.unknown:
            end = "What was changed after the newest snapshot cannot be read any more."
        else:
            end = "Nothing was lost."
        sentence = " ".join([*self.said, end])
        log.error("memory mended: %s", sentence)
        return sentence


def _clear(places: Places) -> None:
    """Remove what a process that was killed had only half made."""
    for file in (places.file, places.journal.file):
        part = part_of(file)
        for leftover in (part, log_of(part)):
            leftover.unlink(missing_ok=True)


def _keep_newest(files: Iterable[Path]) -> None:
    """Of files set aside; their names rise with time."""
    for old in sorted(files)[:-ASIDE]:
        for path in (old, log_of(old)):
            path.unlink(missing_ok=True)
