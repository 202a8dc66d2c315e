"""What searches keep in memory while nothing is written: figures, dictionary look-ups, facts of passages and sessions.

Owns no table and decides nothing. One object belongs to one state of the index: the engine makes a new one when a pass
begins or ends, so that nothing here is ever older than the last pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tray_app.library.postings import TermGroup
from tray_app.library.rows import SessionRow

MOST_WORDS = 5_000
"""Look-ups kept at most: a search as you type makes a few for each key."""


class Passages(NamedTuple):
    """Facts of all passages by id (`known[id]` says whether there is one): session, time in epoch ms, place of its kind in
    `kinds`. About 15 bytes a passage."""

    known: NDArray[np.bool_]
    session: NDArray[np.int32]
    time: NDArray[np.int64]
    kind: NDArray[np.int8]
    kinds: tuple[str, ...]


class Kept:
    """Filled by `reading.Reader`. Shared by the threads that search; a value made twice is merely made twice."""

    def __init__(self) -> None:
        self.statistics: tuple[int, float] | None = None
        self.copies: bool | None = None
        self.passages: Passages | None = None
        self.words: dict[str, TermGroup | None] = {}
        self.near: dict[tuple[str, bool, int], tuple[TermGroup | None, str]] = {}
        self.containing: dict[str, TermGroup | None] = {}
        self.sessions: dict[int, tuple[SessionRow, str]] = {}
        """With the path of the file each was read from."""

    def make_room(self) -> None:
        """Forget what was looked up when it has become much."""
        for kept in (self.words, self.near, self.containing, self.sessions):
            if len(kept) > MOST_WORDS:
                kept.clear()
