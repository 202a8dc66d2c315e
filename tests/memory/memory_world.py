"""A real memory with real folders, for the tests of what is built on it."""

from __future__ import annotations

import itertools
from pathlib import Path

from tray_app.library.memory.store import MemoryStore
from tray_app.memory.census import Seen
from tray_app.memory.memories import Memories
from tray_app.memory.projects import Projects
from tray_app.settings import Settings


class MemoryWorld:
    """`folder` holds everything: the memory itself in `data`, projects below `Documents/Projects`, other folders as a test makes them."""

    numbers = itertools.count()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "Documents" / "Projects"
        self.settings = Settings(folder / "settings.toml")
        self.settings.set("projects.root", str(self.root))
        self.seen: list[Seen] = []
        self.store = MemoryStore(folder / "data" / "memory.duckdb")
        self.store.file.parent.mkdir(parents=True, exist_ok=True)
        self.store._snapshot_of_the_day = lambda state: None  # type: ignore[method-assign]  # half the time of a test
        self.renew()

    def renew(self) -> None:
        """What the disk says now: nothing that was found before is believed."""
        self.projects = Projects(self.store, self.settings, lambda: self.seen)
        self.memories = Memories(self.store, self.projects)

    def project(self, name: str) -> Path:
        """A folder below the root."""
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def workspace(self, path: str, *, git: bool = False, sessions: int = 1, last: int = 0) -> Path:
        """A folder in which there were sessions."""
        folder = self.folder / path
        folder.mkdir(parents=True, exist_ok=True)
        if git:
            (folder / ".git").mkdir(exist_ok=True)
        self.saw(str(folder), sessions, last)
        return folder

    def saw(self, cwd: str, sessions: int = 1, last: int = 0) -> None:
        self.seen.append(Seen(cwd, "", sessions, last))

    def close(self) -> None:
        self.store.close()
