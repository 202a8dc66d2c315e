"""The libraries of this process: the rest's and one for each space, opened when first asked for.

Owns who is inside one, so that files are let go of, or exchanged, only while nobody reads them; the readers of each thread;
and what searches keep from one state of a library to the next. Beside each index lies the memory of the same space, which is
let go of with it and never cleared with it. Decides nothing about what is in them.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

from tray_app.library import rewriting, vectors
from tray_app.library.connection import OpenedIndex, open_index, remove_index
from tray_app.library.kept import Kept
from tray_app.library.matrices import Matrices
from tray_app.library.matrix import Matrix
from tray_app.library.memory.store import MemoryStore
from tray_app.library.reading import Reader
from tray_app.spaces import Spaces
from tray_app.territory import REST

MEMORY_FILE = "memory.duckdb"


class Library:
    """One index file, with the memory beside it. Everything that reads the index does so inside `reading`; `memory` keeps its
    own order, and opens its file when it is first used."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.memory = MemoryStore(file.with_name(MEMORY_FILE))
        self._opened: OpenedIndex | None = None
        self._opening = threading.RLock()
        self._gate = threading.Condition()
        self._inside = 0
        self._alone = False
        self._local = threading.local()
        self._readers: weakref.WeakSet[Reader] = weakref.WeakSet()
        self._state = 0
        self._kept = (self._state, Kept())
        self._built_at: str | None = None
        self.matrices = Matrices(self._load)

    @property
    def is_open(self) -> bool:
        return self._opened is not None

    @property
    def size(self) -> int:
        """Bytes on disk, with the log."""
        total = 0
        for suffix in ("", ".wal"):
            with contextlib.suppress(OSError):
                total += Path(f"{self.file}{suffix}").stat().st_size
        return total

    def open(self) -> OpenedIndex:
        """The open file. Raises KnownError (`index_locked`, `disk_full`, ...)."""
        with self._opening:
            if self._opened is None:
                self._opened = open_index(self.file)
            return self._opened

    @contextlib.contextmanager
    def reading(self, *, settled: bool) -> Iterator[Reader]:
        """The calling thread's reader, on one moment of the library; inside another, the same. `settled`: no pass writes, so
        that what is looked up may be kept."""
        local = self._local
        if getattr(local, "reading", False):
            yield local.reader
            return
        with self._gate:
            self._gate.wait_for(lambda: not self._alone)
            self._inside += 1
        local = self._local  # another, if the files were let go of meanwhile
        try:
            reader = self._reader(local)
            local.reading = True
            reader.kept = self._keep() if settled else Kept()
            reader.matrices = self.matrices
            with reader.snapshot():
                yield reader
        finally:
            local.reading = False
            with self._gate:
                self._inside -= 1
                self._gate.notify_all()

    def _reader(self, local: threading.local) -> Reader:
        reader: Reader | None = getattr(local, "reader", None)
        if reader is None:
            reader = Reader(self.open())
            local.reader = reader
            with self._opening:
                self._readers.add(reader)
        return reader

    def _keep(self) -> Kept:
        state = self._state
        kept_for, kept = self._kept
        if kept_for != state:
            kept = Kept()
            self._kept = (state, kept)  # one assignment: another thread may be here too
        kept.make_room()
        return kept

    def changed(self) -> None:
        """The library is another than it was: forget what was kept of it."""
        self._state += 1
        self._built_at = None
        self.matrices.outdated()

    @property
    def state(self) -> int:
        """Another number whenever the library may be another than it was."""
        return self._state

    def _load(self, key: str, former: Matrix | None) -> Matrix | None:
        """For `matrices`, in a thread of theirs. None where the file is closed."""
        with self._if_open() as opened:
            if opened is None:
                return None
            with opened.faults(), contextlib.closing(opened.cursor()) as cursor:
                cursor.execute("begin")
                return vectors.load(cursor, key, former, lambda: self._alone)

    def release_idle(self, seconds: float) -> bool:
        """Give back the memory of vectors, if nobody asked for them in so long, and what was read on the way to them; whether
        vectors are still held. Not while a pass writes."""
        before = self.matrices.holds
        held = self.matrices.release_idle(seconds)
        if before and not held:
            with self._if_open() as opened:
                if opened is not None:
                    opened.spare_memory()
        return held

    @contextlib.contextmanager
    def _if_open(self) -> Iterator[OpenedIndex | None]:
        """The file stays open for the length of the block; None where it is closed, or is to be: it is not opened for this."""
        with self._gate:
            opened = None if self._alone else self._opened
            self._inside += opened is not None
        try:
            yield opened
        finally:
            with self._gate:
                self._inside -= opened is not None
                self._gate.notify_all()

    def built_at(self, reader: Reader) -> str:
        """When the last whole pass ended ('' if none did); kept, since every answer says it."""
        if self._built_at is None:
            self._built_at = reader.meta("built_at")
        return self._built_at

    @contextlib.contextmanager
    def shut(self) -> Iterator[None]:
        """Nobody reads and the file is closed for the length of the block; not to be entered from inside `reading`."""
        with self._gate:
            self._gate.wait_for(lambda: not self._alone)
            self._alone = True
            self._gate.wait_for(lambda: not self._inside)
        try:
            self._close()
            yield
        finally:
            with self._gate:
                self._alone = False
                self._gate.notify_all()

    def _close(self) -> None:
        with self._opening:
            for reader in list(self._readers):
                reader.close()
            self._readers.clear()
            self._local = threading.local()
            if self._opened is not None:
                self._opened.close()
                self._opened = None
            self.memory.close()
            self.changed()

    def rewrite(self) -> bool:
        """Write the file anew without what was taken out of it; nobody may write meanwhile. False: it could not be done now.
        Raises KnownError."""
        target = rewriting.copy_out(self.open())
        with self.shut():
            return rewriting.exchange(target, self.file)

    def delete(self) -> None:
        """Remove the index with all that may hold words from it, inside `shut`; the next call that opens it makes an empty
        one. The memory stays: no reading brings it back."""
        remove_index(self.file)
        self.matrices.drop()


class Libraries:
    """All of them by the id of their space. Made when first named."""

    def __init__(self, index_file: Path, spaces: Spaces) -> None:
        self.index_file, self.spaces = index_file, spaces
        self._lock = threading.Lock()
        self._known: dict[str, Library] = {}

    def of(self, space: str = REST) -> Library:
        with self._lock:
            if space not in self._known:
                self._known[space] = Library(self.index_file if space == REST else self.spaces.index_file(space))
            return self._known[space]

    def known(self) -> list[Library]:
        with self._lock:
            return list(self._known.values())

    def release_idle(self, seconds: float) -> bool:
        """See `Library.release_idle`; whether any library still holds some."""
        held = [library.release_idle(seconds) for library in self.known()]
        return any(held)

    @contextlib.contextmanager
    def shut(self) -> Iterator[None]:
        """All files are closed for the length of the block."""
        with contextlib.ExitStack() as stack:
            for library in self.known():
                stack.enter_context(library.shut())
            yield
