"""Vectors for memories that have none yet, made in the background.

Owns the batches and which texts are not asked for again. Knows no model and waits for no fault to pass: whoever calls comes
again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tray_app.embed.asked import Embedded
from tray_app.embed.base import Space, Vectors
from tray_app.embed.batches import Refusal
from tray_app.library.memory.rows import MemoryRow
from tray_app.library.memory.vectors import Floats

BATCH = 64
LOOK_S = 0.05
LEAVE_S = 0.8
"""So long a call under way is waited for when somebody says stop."""

Refused = set[tuple[str, int, str]]
"""Texts that a model would not take: space, memory, and what tells whether it is worded anew."""


class Store(Protocol):
    """A memory, as `library.memory.store.MemoryStore`."""

    def lacking(self, space: str) -> list[MemoryRow]: ...

    def put_vectors(self, space: str, made: Mapping[int, Floats], rows: Mapping[int, MemoryRow] | None = None) -> None: ...


class Sense(Protocol):
    """What makes vectors, as `tray_app.meaning.Meaning`."""

    def space(self) -> Space | None: ...

    def embed(self, texts: Sequence[str]) -> Embedded: ...


def fill_vectors(store: Store, sense: Sense, stop: Callable[[], bool], refused: Refused | None = None) -> bool:
    """Make the vectors that memories lack in the space in use, newest memory first. True: none is lacking but of what was
    refused; False: `stop` said so, or the model had a fault, and there is more to do. `refused` is the caller's to keep, so that
    the same text is not sent again and again. Raises KnownError where the file cannot be written."""
    refused = set() if refused is None else refused
    space = sense.space()
    key = space.key if space is not None else ""
    while not stop():
        rows = [row for row in store.lacking(key) if _mark(key, row) not in refused]
        if not rows:
            return True
        batch = rows[: BATCH if key else 1]  # the first text tells which space it is, and may have its vector there
        embedded = sense.embed([passage_text(row) for row in batch])
        if not _finished(embedded, stop) or embedded.space is None or not embedded.outcomes:
            return False
        key = embedded.space.key
        made: dict[int, Vectors] = {}
        for place, outcome in embedded.outcomes.items():
            if isinstance(outcome, Refusal):
                refused.add(_mark(key, batch[place]))
            else:
                made[batch[place].id] = outcome
        if made:
            store.put_vectors(key, made, {row.id: row for row in batch})
        if embedded.fault is not None:
            return False
    return False


def passage_text(row: MemoryRow) -> str:
    """What stands for a memory."""
    return f"{row.title}\n{row.content}"


def _mark(key: str, row: MemoryRow) -> tuple[str, int, str]:
    return key, row.id, f"{row.title}\n{row.hash}"


def _finished(embedded: Embedded, stop: Callable[[], bool]) -> bool:
    while not embedded.wait(LOOK_S):
        if stop():
            embedded.leave()
            return embedded.wait(LEAVE_S)
    return True
