"""The projects of one library: which there are, which one a name, a text or a folder means, and what became of their folders.

Owns the asking of the disk and of the store, and keeps what it found for a moment; the rules themselves are in `census` and
`guessing`. Makes no project by guessing, and deletes nothing but what is named in `prune`.
"""

from __future__ import annotations

import difflib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC
from pathlib import Path
from typing import NamedTuple

import msgspec

from tray_app import clock
from tray_app.errors import KnownError, UsageError
from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import (
    AliasRow,
    ArchiveRow,
    CardRow,
    CheckpointRow,
    MemoryRow,
    PageRow,
    ProjectRow,
    R,
)
from tray_app.library.memory.store import MemoryStore
from tray_app.memory import guessing, moving
from tray_app.memory.census import Census, Project, Registered, Seen
from tray_app.memory.figures import Figures, count
from tray_app.memory.names import LOOSE, RESERVED, checked_name, is_hidden, name_key, outside_hidden
from tray_app.memory.places import Place, Places
from tray_app.moved import Moved
from tray_app.paths import SourcesHome
from tray_app.records import ProjectGuess, ProjectView
from tray_app.settings import Settings
from tray_app.territory import is_within, plain_folder

log = logging.getLogger(__name__)

KEPT = (MemoryRow, CheckpointRow, CardRow, ArchiveRow, PageRow)
"""What names a project."""
NAMED = 10
"""Projects that an error lists at most."""
KEPT_S = 2.0
"""So long what the disk said is believed, while nothing else changed."""


class _Held(NamedTuple):
    """What was found, of what, and until when it is believed."""

    mark: object
    until: float
    census: Census


class Projects:
    """Safe from several threads. `workspaces` gives the folders of all sessions of the library; it is asked often, and keeps its
    own answer."""

    def __init__(self, store: MemoryStore, settings: Settings, workspaces: Callable[[], Iterable[Seen]] = tuple) -> None:
        self.store, self._settings, self._workspaces = store, settings, workspaces
        self._places = Places()
        self._lock = threading.Lock()
        self._held: _Held | None = None
        self._last_seen: tuple[Seen, ...] = ()

    # --- what there is -----------------------------------------------------------------------------------------------------------
    @property
    def root(self) -> str:
        """The folder whose folders are projects."""
        chosen = str(self._settings["projects.root"]).strip()
        return os.path.abspath(os.path.expanduser(chosen)) if chosen else str(_documents() / "Projects")  # noqa: PTH100, PTH111

    @property
    def _moved(self) -> Moved:
        return Moved(tuple(self._settings["projects.moved"]))

    def _seen(self) -> tuple[Seen, ...]:
        """The workspaces; what was known of them before where the index cannot be read now: memories do not depend on it."""
        try:
            self._last_seen = tuple(self._workspaces())
        except KnownError as fault:
            log.info("the workspaces of sessions are not known now: %s", fault.code)
        return self._last_seen

    def census(self) -> Census:
        """All projects now."""
        store, moved, root = self.store, self._moved, self.root
        roots = self._places.folders_in(root)
        folders = tuple(sorted({moved.real(seen.cwd) for seen in self._seen() if seen.cwd}))
        register = tuple(Registered(row.name, moved.real(row.folder)) for row in _by_id(store.rows(ProjectRow).values()))
        aliases = {name_key(row.alias): row.project for row in _by_id(store.rows(AliasRow).values())}
        named = frozenset(row.project for kind in KEPT for row in store.rows(kind).values())  # type: ignore[attr-defined]
        mark = (root, roots, folders, register, aliases, named, moved)
        held = self._held
        if held is not None and held.mark == mark and time.monotonic() < held.until:
            return held.census
        around = (outside_hidden(folder) for folder in folders)
        places = self._places.look([*folders, *around, *(row.folder for row in register if row.folder)])
        for place in list(places.values()):
            if place.top:
                places.setdefault(place.top, Place(True, place.top))
        shown = [os.path.join(root, name) for name in roots or () if not is_hidden(name) and _is_text(name)]
        for folder in shown:
            places.setdefault(folder, Place(True))
        if roots is None:  # the root is not there: what was in it is not gone, but out of reach
            for folder, place in places.items():
                if place.there is False and is_within(plain_folder(folder), plain_folder(root)):
                    places[folder] = Place(None, place.top)
        census = Census(root, shown, register, folders, named, aliases, places)
        with self._lock:
            self._held = _Held(mark, time.monotonic() + KEPT_S, census)
        return census

    def views(self) -> list[ProjectView]:
        """All projects, the last active first, reserved ones last. A folder that is gone is shown only where something is kept
        of its project."""
        census = self.census()
        moved = self._moved
        sessions = ((census.of_folder(moved.real(seen.cwd)), seen) for seen in self._seen())
        figures = count(self.store, sessions, lambda name: name_key(census.aliased(name)))
        aliases: dict[str, list[str]] = {}
        for row in _by_id(self.store.rows(AliasRow).values()):
            aliases.setdefault(name_key(census.aliased(row.alias)), []).append(row.alias)
        made = []
        for key, project in census.projects.items():
            figure = figures.get(key, Figures())
            state = _state_of(project)
            if state == "orphan" and not figure.kept and key not in aliases:
                continue
            view = ProjectView(
                name=project.name,
                folder=project.folder,
                state=state,
                aliases=tuple(aliases.get(key, ())),
                memories=figure.memories,
                sessions=figure.sessions,
                compactions=figure.compactions,
                last_activity=clock.iso(figure.last),
                has_card=figure.has_card,
                has_draft=figure.has_draft,
                origin=project.origin,
            )
            made.append((state == "reserved", -figure.last, key, view))
        return [view for *_, view in sorted(made, key=lambda one: one[:3])]

    def folder_of(self, name: str) -> str:
        """The folder of a project, '' where none is known or it is gone."""
        project = self.census().find(checked_name(name, any_ending=True))
        return project.folder if project is not None and project.there is not False else ""

    # --- names -------------------------------------------------------------------------------------------------------------------
    def resolve(self, name: str) -> str:
        """The project that a name means, in its own spelling; a name nobody knows as it would be kept. Raises UsageError
        `bad_project`."""
        folded = checked_name(name, any_ending=True)
        census = self.census()
        project = census.find(folded)
        return project.name if project is not None else checked_name(census.aliased(folded))

    def find(self, name: str) -> str:
        """The same for a name that must be known. Raises UsageError `no_such_project`, `bad_project`."""
        folded = checked_name(name, any_ending=True)
        census = self.census()
        project = census.find(folded)
        if project is not None:
            return project.name
        known = {key: one.name for key, one in census.projects.items()}
        near = difflib.get_close_matches(name_key(folded), known, 1)
        some = sorted(one.name for one in census.projects.values() if one.origin != "reserved")
        listed = f"There are: {', '.join(some[:NAMED])}{' …' if len(some) > NAMED else ''}." if some else ""
        hint = f"Did you mean {known[near[0]]!r}?" if near else listed
        raise UsageError("no_such_project", "No such project", f"There is no project {folded!r}.", hint)

    def of_workspace(self, cwd: str) -> str:
        """The project of what is said in a folder: LOOSE ('workspace') for none. A folder seen for the first time gets the name
        that it would have."""
        folder = self._moved.real(cwd)
        if not folder:
            return LOOSE
        census = self.census()
        if not census.knows(folder):
            census.learn(self._places.look([folder, outside_hidden(folder)]))
        return census.of_folder(folder)

    def guess(self, text: str) -> ProjectGuess:
        """The project that a text or a path means, of those there are; LOOSE where it converges on none."""
        census, moved = self.census(), self._moved
        former = [
            (plain_folder(seen.cwd), census.of_folder(moved.real(seen.cwd)))
            for seen in (self._seen() if moved else ())
            if moved.real(seen.cwd) != seen.cwd
        ]
        folders = sorted([*census.folders(), *former], key=lambda pair: (-len(pair[0]), pair[0]))
        names = [(project.name, project.name) for project in census.projects.values() if project.origin != "reserved"]
        names += [(key, census.aliased(key)) for key in census.aliases]
        return guessing.guess(text, [pair for pair in folders if pair[1] not in RESERVED], names)

    # --- changing ----------------------------------------------------------------------------------------------------------------
    def register(self, change: Change, name: str) -> None:
        """Have a project in the register, with the folder it has now: whoever keeps something under its name does so, in the same
        change. From then on the name stays with the folder. The name is resolved before the change: nothing is looked at here,
        where nobody else can write."""
        key = name_key(name)
        if key in RESERVED:
            return
        project = self._held.census.find(name) if self._held is not None else None
        folder = project.folder if project is not None and _is_text(project.folder) else ""
        origin = project.origin if project is not None else "memory"
        row = next((row for row in change.rows(ProjectRow).values() if name_key(row.name) == key), None)
        if row is None:
            change.put(ProjectRow(id=change.new_id(ProjectRow), name=name, folder=folder, origin=origin, created=now_ms()))
        elif folder and self._moved.real(row.folder) != folder:
            change.put(msgspec.structs.replace(row, folder=folder, origin=origin))

    def alias(self, alias: str, project: str) -> list[ProjectView]:
        """Let another name mean a project; '' takes the other name away. What was kept under that name belongs to the project
        from then on. Raises UsageError: `bad_project` for what cannot be a name or is a project with a folder of its own,
        `no_such_project`."""
        other = checked_name(alias)
        key = name_key(other)
        known = [row for row in self.store.rows(AliasRow).values() if name_key(row.alias) == key]
        if not project.strip():
            if not known:
                raise UsageError("no_such_project", "No such name", f"{other!r} is no other name of any project.")
            with self.store.change() as change:
                for row in known:
                    change.delete(AliasRow, row.id)
            return self.views()
        target = self.find(project)
        census = self.census()
        own = None if known else census.projects.get(key)
        if key == name_key(target):
            raise UsageError("bad_project", "The same name", f"{other!r} is the project's own name.")
        if key in RESERVED or name_key(target) in RESERVED:
            raise UsageError("bad_project", "A reserved name", f"{' and '.join(RESERVED)} are no projects.")
        if own is not None and own.folder and own.there is not False:
            raise UsageError(
                "bad_project", "A project itself", f"{own.name!r} is a project with a folder of its own ({own.folder}).",
                "Choose another name, or tell where the folder went: backscroll config projects.moved OLD=NEW",
            )  # fmt: skip
        with self.store.change() as change:
            moving.absorb(change, own.name if own else other, target)
            for row in known:
                change.delete(AliasRow, row.id)
            for row in list(change.rows(AliasRow).values()):
                if name_key(row.project) == key:
                    change.put(msgspec.structs.replace(row, project=target))
            change.put(AliasRow(id=change.new_id(AliasRow), alias=other, project=target))
            self.register(change, target)
        return self.views()

    def prune(self, confirm: Iterable[str] = ()) -> list[ProjectView]:
        """Without names: the orphans. With names: delete all that is kept of these orphans, after a backup, and give them as they
        were. Raises UsageError `no_such_project`, and then nothing is deleted."""
        orphans = {name_key(view.name): view for view in self.views() if view.state == "orphan"}
        wanted = {name_key(self.find(name)): name for name in confirm}
        for key, name in wanted.items():
            if key not in orphans:
                raise UsageError(
                    "no_such_project", "Not an orphan", f"{name!r} is not a project whose folder is gone.",
                    "Only these can be pruned: see the list without names.",
                )  # fmt: skip
        if not wanted:
            return list(orphans.values())
        self.store.backup("before")
        with self.store.change() as change:
            for key in wanted:
                moving.remove(change, orphans[key].name)
        return [orphans[key] for key in wanted]


def _state_of(project: Project) -> str:
    if project.origin == "reserved":
        return "reserved"
    return "orphan" if project.folder and project.there is False else "present"


def _by_id(rows: Iterable[R]) -> list[R]:
    return sorted(rows, key=lambda row: row.id)


def _is_text(name: str) -> bool:
    """Whether a name can be kept: not one that is no UTF-8."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _documents() -> Path:
    home = SourcesHome.from_environment()
    if home.confined:
        return home.home / "Documents"
    import platformdirs

    return platformdirs.user_documents_path()


def now_ms() -> int:
    return int(clock.now(UTC).timestamp() * 1000)
