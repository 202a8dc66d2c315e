"""The memory of each library with what works on it.

Owns one `Mind` for each library, and the folders of its sessions as far as projects are told by them. Opens no file itself.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from tray_app.handoff.card import Cards
from tray_app.handoff.checkpoints import Checkpoints
from tray_app.handoff.export import CardFile, card_file
from tray_app.libraries import Library
from tray_app.library.memory.store import MemoryStore
from tray_app.library.session_reading import folders_of
from tray_app.memory.census import Seen
from tray_app.memory.memories import Memories
from tray_app.memory.projects import Projects
from tray_app.settings import Settings


class Mind:
    """What is known in one library."""

    def __init__(self, library: Library, settings: Settings, barred: Callable[[], Iterable[Path]]) -> None:
        self.library, self._settings, self._barred = library, settings, barred
        self.store: MemoryStore = library.memory
        self.projects = Projects(self.store, settings, self.folders)
        self.memories = Memories(self.store, self.projects)
        self.cards = Cards(self.store, self._card_file)
        self.checkpoints = Checkpoints(self.store, self.cards, self.projects.folder_of, self.projects.register)
        self.refused: set[tuple[str, int, str]] = set()
        """Texts that the model in use would not take; see `memory.filling`."""
        self._seen: tuple[int, tuple[Seen, ...]] = (-1, ())

    def folders(self) -> tuple[Seen, ...]:
        """The folders in which sessions were held; read anew when the library is another than it was."""
        state, seen = self._seen
        if state == self.library.state:
            return seen
        state = self.library.state
        if not self.library.file.exists():
            return ()
        with self.library.reading(settled=False) as reader:
            found = tuple(Seen(*row) for row in folders_of(reader.cursor))
        self._seen = (state, found)
        return found

    def _card_file(self, project: str) -> CardFile | None:
        where = str(self._settings["projects.card_file"])
        return card_file(project, self.projects.folder_of(project), where, self.library.file.parent, self._barred())

    @property
    def size(self) -> int:
        """Bytes on disk: the database with its log, and the journal. Opens nothing."""
        file, total = self.store.file, 0
        for path in (file, file.with_name(f"{file.name}.wal"), self.store.places.journal.file):
            with contextlib.suppress(OSError):
                total += path.stat().st_size
        return total


class Minds:
    """By library. Made when first asked for. `barred` gives the folders of agents, in which nothing is written."""

    def __init__(self, settings: Settings, barred: Callable[[], Iterable[Path]]) -> None:
        self._settings, self._barred = settings, barred
        self._lock = threading.Lock()
        self._known: dict[Library, Mind] = {}

    def of(self, library: Library) -> Mind:
        with self._lock:
            mind = self._known.get(library)
            if mind is None:
                mind = self._known[library] = Mind(library, self._settings, self._barred)
            return mind
