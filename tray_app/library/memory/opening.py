"""Opening the memory: every row is read and compared with the journal; what is damaged is made anew from snapshot and journal.

Owns the order of these steps and the sentence that says what was mended. Nothing that was acknowledged is given up without
that sentence saying so.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tray_app.library.connection import died_opening, opening_note
from tray_app.library.memory import vectors
from tray_app.library.memory.faults import Damaged, world_faults
from tray_app.library.memory.file import MemoryFile, write_file
from tray_app.library.memory.journal import Journal, Reading, encoded
from tray_app.library.memory.schema import MEMORY_SCHEMA
from tray_app.library.memory.snapshots import Snapshots
from tray_app.library.memory.state import State

log = logging.getLogger(__name__)

ASIDE = 3
"""Damaged files that are kept, the newest ones."""


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
        return self.file.exists() or self.journal.size >= 0 or bool(self.snapshots.listed())


def open_memory(places: Places, now: Callable[[], int]) -> Opened:
    """Raises KnownError: `index_locked`, `memory_newer`, `disk_full`, `memory_unwritable`, `memory_unopenable`."""
    path = places.file
    with world_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            reason = "the program ended each time it opened it" if died_opening(path) else ""
            return _Opening(places, now).run(reason)
        finally:
            with contextlib.suppress(OSError):
                opening_note(path).unlink(missing_ok=True)


class _Opening:
    """One opening. Collects what had to be mended."""

    def __init__(self, places: Places, now: Callable[[], int]) -> None:
        self.places, self.now = places, now
        self.said: list[str] = []
        self.lost = 0

    def run(self, reason: str) -> Opened:
        fresh = not self.places.any()
        reading = self.places.journal.read()
        file, state = None, None
        if not reason:
            file, state, reason = self._read(fresh)
        try:
            wanted, sound = self._wanted(state, reading)
            if file is None or state is None or not wanted.same_as(state):
                pending = state is not None and wanted.same_as(state.after(reading.after(state.seq)))
                file = self._made_anew(file, wanted, reason, reading, caught_up=pending)
            elif wanted.seq != state.seq:
                file.note_ids(wanted)
            file = self._migrated(file, wanted)
            if not file.words.fit(wanted):
                file.words.make_anew(wanted)
            reading = self._journal_mended(file, wanted, reading, sound or fresh)
            last = max(wanted.seq, reading.last)
            return Opened(file, wanted.at(last), len(reading.entries), reading.size, self._sentence())
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
        """What the file should hold, and whether the journal needs no mending."""
        base = state
        known = state.seq if state is not None else -1
        if known < reading.top:  # a snapshot may stand later than a file whose log is gone
            snapshot = self.places.snapshots.newest_good(above=known)
            base = snapshot if snapshot is not None else base
        base = State() if base is None else base
        whole = reading.whole
        if state is base and whole and reading.last <= state.seq:
            return state.after(reading.entries).at(state.seq), reading.there and reading.last == state.seq
        self.lost = reading.missing(base.seq)
        wanted = base.after(reading.after(base.seq))
        return wanted, reading.there and whole and not self.lost and reading.last == wanted.seq

    def _made_anew(
        self, file: MemoryFile | None, wanted: State, reason: str, reading: Reading, *, caught_up: bool
    ) -> MemoryFile:
        """A new file of what should be there."""
        path = self.places.file
        kept = None
        if file is not None:
            kept = vectors.stored(file.cursor, wanted)
            file.close()
        if not caught_up:
            aside = self._set_aside(path)
            what = reason or "its rows were not those that were written"
            self.said.append(f"The memory file could not be used: {what}. It was restored from {self._sources()}" + aside)
        write_file(path, wanted, kept)
        return MemoryFile(path)

    def _sources(self) -> str:
        return "the newest good snapshot and the journal."

    def _migrated(self, file: MemoryFile, state: State) -> MemoryFile:
        """An older file, written anew in the schema of today; the old one stays as a snapshot."""
        if file.schema == MEMORY_SCHEMA:
            return file
        kept = vectors.stored(file.cursor, state)
        file.close()
        self.places.snapshots.keep_copy(self.places.file, state, self.now())
        write_file(self.places.file, state, kept)
        return MemoryFile(self.places.file)

    def _journal_mended(self, file: MemoryFile, state: State, reading: Reading, sound: bool) -> Reading:
        """A journal from which the memory can be made again: what is damaged in it is kept beside, and a line with everything
        closes the gap."""
        journal = self.places.journal
        if sound and not reading.damaged:
            if reading.torn:
                journal.truncate(reading.size)
            return reading
        if reading.there and (reading.damaged or self.lost):
            aside = journal.file.with_name(f"{self.places.file.stem}.journal.damaged-{self._stamp()}.jsonl")
            journal.file.replace(aside)
            self.said.append(f"{reading.damaged} lines of the journal could not be read; it is kept as {aside.name}.")
        elif not reading.there:
            self.said.append("The journal beside the memory was missing and was begun anew.")
        entry = state.as_entry(self.now(), max(state.seq, reading.top) + 1)
        line = encoded(entry)
        journal.rewrite([*reading.lines, line])
        file.note_ids(state.at(entry.seq))
        lines = [*reading.lines, line]
        return Reading([*reading.entries, entry], lines, size=sum(map(len, lines)), there=True)

    def _set_aside(self, path: Path) -> str:
        """Keep a damaged file with its log under another name; says so."""
        target = path.with_name(f"{path.stem}.damaged-{self._stamp()}{path.suffix}")
        found = False
        for suffix in ("", ".wal"):
            old = path.with_name(path.name + suffix)
            if old.exists():
                old.replace(target.with_name(target.name + suffix))
                found = True
        for older in sorted(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}"))[:-ASIDE]:
            older.unlink(missing_ok=True)
            older.with_name(older.name + ".wal").unlink(missing_ok=True)
        return f" The damaged file is kept as {target.name}." if found else ""

    def _stamp(self) -> str:
        return time.strftime("%Y%m%d-%H%M%S", time.gmtime(self.now() / 1000))

    def _sentence(self) -> str:
        if not self.said:
            return ""
        end = f"{self.lost} changes could not be read and are lost." if self.lost else "Nothing was lost."
        sentence = " ".join([*self.said, end])
        log.error("memory mended: %s", sentence)
        return sentence
