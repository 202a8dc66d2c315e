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
from tray_app.library.reading import Reader
from tray_app.library.store import Store
from tray_app.sources.base import Stop, Stopped
from tray_app.territory import REST
from tray_app.text.dates import local_zone

LOOK_S = 0.1


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
        self._libraries, self._indexer, self._topics = libraries, indexer, topics
        self._inside, self._closings = inside, closings

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
            lambda: self._reading(library, stop), lambda: self._writing(library, stop), zone, clock.now(zone), stop
        )

    @contextlib.contextmanager
    def _reading(self, library: Library, stop: Stop) -> Iterator[Reader]:
        """Raises Stopped where the files were let go of: they are not opened again for this."""
        with self._inside():
            if stop():
                raise Stopped
            with library.reading(settled=False) as reader:
                yield reader

    @contextlib.contextmanager
    def _writing(self, library: Library, stop: Stop) -> Iterator[Store]:
        """No pass runs for the length of the block. Raises Stopped."""
        while not self._indexer.writing.acquire(timeout=LOOK_S):
            if stop():
                raise Stopped
        try:
            with self._inside():
                if stop():
                    raise Stopped
                store = Store(library.open())
                try:
                    yield store
                finally:
                    store.close()
        finally:
            self._indexer.writing.release()
