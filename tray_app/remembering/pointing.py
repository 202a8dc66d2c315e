"""Keeps `pointers.json` (see `agents.pointers`) as the packs are: the part of the owner that hooks live on.

Owns when it is written: after a call that changed a memory, after a round, after folders were assigned otherwise. Only what may
have changed is made anew, so that a call that only reads costs nothing. What cannot be written is tried again the next time:
no call fails for it.
"""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Any

from tray_app.agents import pointers
from tray_app.errors import KnownError
from tray_app.handoff.pack import Sources, compose, sources_of
from tray_app.libraries import Libraries
from tray_app.library.memory.rows import CardRow, CheckpointRow, MemoryRow
from tray_app.memory.names import RESERVED, name_key
from tray_app.memory.projects import Projects
from tray_app.paths import is_within
from tray_app.remembering.minds import Mind
from tray_app.settings import Settings, replace_file
from tray_app.territory import REST

log = logging.getLogger(__name__)


class Pointing:
    """Safe from several threads."""

    def __init__(self, file: Path, libraries: Libraries, settings: Settings) -> None:
        self.file, self._libraries, self._settings = file, libraries, settings
        self._lock = threading.Lock()
        self._content: dict[str, Any] | None = None
        self._packs: dict[tuple[str, str], tuple[object, pointers.Pointer]] = {}

    def settle(self, mind: Mind, *, looked: bool = False) -> None:
        """Have the file as this library's memory is. `looked`: its folders may be others, too. Call it while the files are
        open."""
        revision, budget = mind.store.revision, int(self._settings["memory.pack_tokens"])
        if revision < 0:
            return
        space = REST if mind.library is self._libraries.of(REST) else mind.library.file.parent.name
        try:
            with self._lock:
                content = self._read()
                part = content["libraries"].get(space)
                if not looked and part and (part.get("revision"), part.get("budget")) == (revision, budget):
                    return
                made = {"revision": revision, "budget": budget, **self._part(mind, space, budget)}
                self._keep({**content, "libraries": {**content["libraries"], space: made}})
        except (KnownError, OSError) as fault:
            log.info("the pointers for hooks could not be kept (%s)", type(fault).__name__)

    def arrange(self) -> None:
        """Have the file as the spaces are: what belongs to a space is never told outside it."""
        try:
            with self._lock:
                content = self._read()
                known = {REST, *(space.id for space in self._libraries.spaces.layout().in_use)}
                self._keep({**content, "libraries": {key: part for key, part in content["libraries"].items() if key in known}})
        except (KnownError, OSError) as fault:
            log.info("the pointers for hooks could not be kept (%s)", type(fault).__name__)

    def _read(self) -> dict[str, Any]:
        if self._content is None:
            content = pointers.read(self.file)
            libraries = content.get("libraries")
            usable = isinstance(libraries, dict) and all(isinstance(part, dict) for part in libraries.values())
            self._content = content if usable else {"form": pointers.FORM, "spaces": [], "libraries": {}}
        return self._content

    def _keep(self, content: dict[str, Any]) -> None:
        layout = self._libraries.spaces.layout()
        used = {space.id for space in layout.in_use}
        content["spaces"] = [[folder, owner if owner in used else ""] for folder, owner in layout.claims] if used else []
        if content == self._content and self.file.exists():
            return
        replace_file(self.file, json.dumps(content, separators=(",", ":")).encode())
        self._content = content

    def _part(self, mind: Mind, space: str, budget: int) -> dict[str, Any]:
        """The packs there are, and the folders that tell which is meant."""
        store = mind.store
        named = {row.project for row in store.rows(MemoryRow).values() if row.state == "active"}
        named |= {row.project for row in store.rows(CardRow).values()} | {
            row.project for row in store.rows(CheckpointRow).values()
        }
        packs: list[pointers.Pointer] = []
        places: dict[str, int] = {}
        for name in sorted(named):
            if name_key(name) in RESERVED:
                continue
            sources = sources_of(store, name)
            if sources.baselines or sources.facts or sources.last or sources.checkpoint or sources.card:
                places[name_key(name)] = len(packs)
                packs.append(self._pack(space, sources, budget))
        return {"packs": [list(pack) for pack in packs], "folders": _folders(mind.projects, places) if packs else []}

    def _pack(self, space: str, sources: Sources, budget: int) -> pointers.Pointer:
        """As it was made the last time where nothing that is in it changed."""
        texts = tuple((row.id, row.kind, row.title, row.content) for row in (*sources.baselines, *sources.facts, *sources.last))
        mark = (budget, texts, sources.checkpoint, sources.card)
        held = self._packs.get((space, sources.project))
        if held is not None and held[0] == mark:
            return held[1]
        view = compose(sources, budget)
        pointer = pointers.Pointer(sources.project, view.version, view.tokens)
        self._packs[space, sources.project] = (mark, pointer)
        return pointer


def _folders(projects: Projects, places: dict[str, int]) -> list[list[Any]]:
    """Folders of projects that have a pack, and those in them that belong to others; none that says nothing new."""
    kept: dict[str, int] = {}
    for folder, project in sorted(projects.census().folders(), key=lambda pair: (len(pair[0]), pair[0])):
        around = [other for other in kept if is_within(folder, other)]
        place = places.get(name_key(project), -1)
        if place != (kept[max(around, key=len)] if around else -1):
            kept[folder] = place
    return [[folder, place] for folder, place in kept.items()]
