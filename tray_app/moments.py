"""Reading and writing a library for moments, by work that goes on behind: nothing is held in between.

Owns the order in which the files and the right to write are taken. Knows no model and no service.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from tray_app.indexer import Indexer
from tray_app.libraries import Library
from tray_app.library.connection import OpenedIndex
from tray_app.library.reading import Reader
from tray_app.sources.base import Stop, Stopped

LOOK_S = 0.1


class Moments:
    """`inside` keeps the files open for the length of a block."""

    def __init__(self, indexer: Indexer, inside: Callable[[], contextlib.AbstractContextManager[None]]) -> None:
        self._indexer, self._inside = indexer, inside

    @contextlib.contextmanager
    def reading(self, library: Library, stop: Stop) -> Iterator[Reader]:
        """Raises Stopped where the files were let go of: they are not opened again for this."""
        with self._inside():
            if stop():
                raise Stopped
            with library.reading(settled=False) as reader:
                yield reader

    @contextlib.contextmanager
    def writing(self, library: Library, stop: Stop, is_over: Stop) -> Iterator[OpenedIndex]:
        """No pass runs for the length of the block. `stop` ends the waiting for one; `is_over` says that nothing may be written any
        more. Raises Stopped.

        The files first, the right to write second, as passes take them: the other way round this would hold the right while it
        waits for files that are being let go of, for which a pass that wants the right is waited for.
        """
        with self._inside():
            while not self._indexer.writing.acquire(timeout=LOOK_S):
                if stop():
                    raise Stopped
            try:
                if is_over():
                    raise Stopped
                yield library.open()
            finally:
                self._indexer.writing.release()
