"""What there is of each project: how many memories and sessions, and when something happened last. Counts only."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from tray_app.library.memory.rows import ArchiveRow, CardRow, CheckpointRow, MemoryRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.census import Seen


class Figures(msgspec.Struct):
    """Of one project. `last` is epoch ms."""

    memories: int = 0
    """Active ones."""
    kept: int = 0
    """Memories of any state, checkpoints and cards."""
    sessions: int = 0
    compactions: int = 0
    last: int = 0
    has_card: bool = False
    has_draft: bool = False


class _Tally(dict[str, Figures]):
    def __missing__(self, key: str) -> Figures:
        made = self[key] = Figures()
        return made


class _Keys(dict[str, str]):
    """The key of each name, found once."""

    def __init__(self, key_of: Callable[[str], str]) -> None:
        super().__init__()
        self._key_of = key_of

    def __missing__(self, name: str) -> str:
        made = self[name] = self._key_of(name)
        return made


def count(store: MemoryStore, sessions: Iterable[tuple[str, Seen]], key_of: Callable[[str], str]) -> dict[str, Figures]:
    """By the key of the project's name; `sessions` come with the name of their project."""
    keys, found = _Keys(key_of), _Tally()
    for name, seen in sessions:
        figure = found[keys[name]]
        figure.sessions += seen.sessions
        figure.last = max(figure.last, seen.last)
    for memory in store.rows(MemoryRow).values():
        figure = found[keys[memory.project]]
        figure.kept += 1
        figure.memories += memory.state == "active"
        figure.last = max(figure.last, memory.updated)
    for checkpoint in store.rows(CheckpointRow).values():
        figure = found[keys[checkpoint.project]]
        figure.kept += 1
        figure.has_draft = figure.has_draft or checkpoint.state == "draft"
        figure.last = max(figure.last, checkpoint.updated)
    for card in store.rows(CardRow).values():
        figure = found[keys[card.project]]
        figure.kept += 1
        figure.has_card = figure.has_card or card.state == "active"
    for archived in store.rows(ArchiveRow).values():
        found[keys[archived.project]].compactions += archived.compactions
    return dict(found)
