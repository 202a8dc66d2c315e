"""How a call gets to the memory it means. Owns nothing of it: the part of `Engine` that the calls on memory stand on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from tray_app.agents import pointers
from tray_app.folders import Folders
from tray_app.indexer import Indexer
from tray_app.keeping import Keeping
from tray_app.libraries import Libraries, Library
from tray_app.library.reading import Reader
from tray_app.meaning import Meaning
from tray_app.paths import Paths
from tray_app.records import SessionView
from tray_app.remembering.minds import Mind, Minds
from tray_app.remembering.pointing import Pointing
from tray_app.remembering.rounds import Rounds
from tray_app.settings import Settings
from tray_app.sources.base import Session
from tray_app.territory import REST


class Reach:
    """A part of `Engine`, which has these."""

    paths: Paths
    settings: Settings
    kind: str
    keeping: Keeping
    folders: Folders
    libraries: Libraries
    indexer: Indexer
    sense: Meaning
    minds: Minds
    rounds: Rounds
    pointing: Pointing

    def _asked(self, space: str | None, caller: str | None = None) -> Library:
        raise NotImplementedError

    def _using(self) -> contextlib.AbstractContextManager[None]:
        raise NotImplementedError

    def _resume_command(self, agent: str, session: Session) -> str:
        raise NotImplementedError

    def show(
        self,
        session: str,
        around: str | None = None,
        limit: int = 200,
        first: int | None = None,
        agent: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> SessionView:
        raise NotImplementedError

    def _reading(self, library: Library) -> contextlib.AbstractContextManager[Reader]:
        raise NotImplementedError

    @contextlib.contextmanager
    def _mind(self, space: str | None, caller: str | None) -> Iterator[Mind]:
        """The memory that a call means; its files stay open for the length of the block. Raises UsageError: `no_such_space`,
        `outside_spaces`."""
        library = self._asked(space, caller)
        with self._using():
            mind = self.minds.of(library)
            yield mind
            self.pointing.settle(mind)

    def _minds(self, *, removed: bool = False) -> list[Mind]:
        """Those of the libraries in use, the rest's first; then (`removed`) of spaces that were put away."""
        layout = self.libraries.spaces.layout()
        spaces = [*layout.in_use, *(one for one in layout.spaces if one.removed and removed)]
        return [self.minds.of(library) for library in map(self.libraries.of, (REST, *(one.id for one in spaces)))]

    def _begin_remembering(self, closings: Callable[[], int]) -> None:
        """Make what the calls stand on; `closings` counts how often the files were let go of."""
        self.minds = Minds(self.settings, lambda: [source.root for source in self.folders.all()])
        self.pointing = Pointing(self.paths.data / pointers.FILE, self.libraries, self.settings)
        self.rounds = Rounds(self.libraries, self.minds, self.sense, self.settings, self._using, closings, self.pointing)
