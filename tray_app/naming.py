"""Having a chat model name what the days were about, library by library, between two passes.

Owns the order and the moments in which files are held; which days are asked about is `insight.topics`' business. Nothing is held
while the model is asked, so that files can be let go of at any time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from tray_app import clock
from tray_app.indexer import Indexer
from tray_app.insight.topics import Topics
from tray_app.libraries import Libraries, Library
from tray_app.library.store import Store
from tray_app.moments import Moments
from tray_app.sources.base import Stop, Stopped
from tray_app.territory import REST
from tray_app.text.dates import local_zone


class Naming:
    """`inside` keeps the files open for the length of a block, `closings` counts how often they were let go of."""

    def __init__(
        self,
        libraries: Libraries,
        indexer: Indexer,
        topics: Topics,
        inside: Callable[[], contextlib.AbstractContextManager[None]],
        closings: Callable[[], int],
    ) -> None:
        self._libraries, self._topics = libraries, topics
        self._moments, self._closings = Moments(indexer, inside), closings

    def run(self, stop: Stop) -> int:
        """Name a few days of each library; gives how many were. Asks the service for each, which may take long: not for a thread
        that somebody waits for. `stop` is asked between two days."""
        if not self._topics.chat:
            return 0
        begun, done = self._closings(), 0

        def must_end() -> bool:
            return stop() or self._closings() != begun

        for space in (REST, *(one.id for one in self._libraries.spaces.layout().in_use)):
            library = self._libraries.of(space)
            if library.file.exists() and not must_end():
                with contextlib.suppress(Stopped):
                    done += self._name(library, must_end)
        return done

    def _name(self, library: Library, stop: Stop) -> int:
        zone = local_zone()
        return self._topics.name(
            lambda: self._moments.reading(library, stop), lambda: self._writing(library, stop), zone, clock.now(zone), stop
        )

    @contextlib.contextmanager
    def _writing(self, library: Library, stop: Stop) -> Iterator[Store]:
        """No pass runs for the length of the block. Raises Stopped."""
        with self._moments.writing(library, stop, stop) as opened:
            store = Store(opened)
            try:
                yield store
            finally:
                store.close()
