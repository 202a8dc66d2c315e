"""Which library has which file: what one of them knows, so that the others need not read it.

Every library passes over the same sources and holds only what belongs to it. A file is read by the rest first; the others
believe what it found, and read what is theirs. Lives as long as one round over all libraries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tray_app.indexing.merge import path_text
from tray_app.library.rows import FileRow
from tray_app.library.store import ASKED_ANEW
from tray_app.sources.base import Unit
from tray_app.territory import REST, Territory

ELSEWHERE = "elsewhere"
"""Status of a file that belongs to another library; its reason is the id of that space, or REST."""
Key = tuple[str, str]
"""Agent, and session as the file is named."""


class Place(NamedTuple):
    """Where a session was held: its folder, or the session that started it."""

    folder: str = ""
    parent: str = ""


class Whereabouts:
    """`note` what each library has, then ask."""

    def __init__(self) -> None:
        self._held: dict[str, dict[Key, tuple[FileRow, Place]]] = {}
        self._said: dict[str, dict[Key, FileRow]] = {}
        self._places: dict[str, dict[Key, Place]] = {}

    def note(self, space: str, rows: Iterable[FileRow], places: Mapping[int, tuple[str, str, str]]) -> None:
        """The files that a library knows now; `places` as `Store.folders` gives them. What it knew before is forgotten, and what
        it is to look at anew is not known."""
        held: dict[Key, tuple[FileRow, Place]] = {}
        known: dict[Key, Place] = {}
        said: dict[Key, FileRow] = {}
        for row in rows:
            if row.status == ELSEWHERE:
                if row.pipeline_version != ASKED_ANEW:
                    said[row.agent, row.unit] = row
            elif row.session_id in places:
                native, folder, parent = places[row.session_id]
                held[row.agent, row.unit] = (row, Place(folder, parent))
                known[row.agent, native] = Place(folder, parent)
        self._held[space], self._said[space], self._places[space] = held, said, known

    def folder(self, agent: str, folder: str, parent: str) -> str:
        """The folder a session was held in: its own, else that of the session it was started by; '' where that is not known."""
        seen = set()
        place = Place(folder, parent)
        while not place.folder and place.parent and place.parent not in seen:
            seen.add(place.parent)
            key = (agent, place.parent)
            place = next((known[key] for known in self._places.values() if key in known), Place())
        return place.folder

    def strays(self, territory: Territory) -> list[tuple[FileRow, str]]:
        """Files of sessions that a library has, name no folder and were started from another library's, with its id."""
        found = []
        for (agent, _), (row, place) in self._held.get(territory.space, {}).items():
            if not place.folder and (folder := self.folder(agent, "", place.parent)):
                owner = territory.owner(agent, folder)
                if owner != territory.space:
                    found.append((row, owner))
        return found

    def owner(self, territory: Territory, unit: Unit) -> str | None:
        """Whose a file is, as another library found it that has it as it is now, or said so; None: it must be read."""
        key = (unit.agent, unit.session)
        for space, held in self._held.items():
            if space != territory.space and key in held and is_same(unit, held[key][0]):
                place = held[key][1]
                return territory.owner(unit.agent, self.folder(unit.agent, place.folder, place.parent))
        row = self._said.get(REST, {}).get(key) if not territory.is_rest else None
        return row.reason if row is not None and has_only_grown(unit, row) else None

    def doubted(self, space: str) -> set[Key]:
        """Files that this library takes for another's, which takes them for none of its own either."""
        return {key for key, row in self._said.get(space, {}).items() if key in self._said.get(row.reason, {})}


def is_same(unit: Unit, row: FileRow) -> bool:
    return (row.path, row.size, row.mtime_ns, row.inode) == (path_text(unit.path), unit.size, unit.mtime_ns, unit.inode)


def has_only_grown(unit: Unit, row: FileRow) -> bool:
    """Whether the file is the one it was, with more in it or not: what folder it names has not changed then."""
    return row.path == path_text(unit.path) and row.inode == unit.inode and unit.size >= row.size
