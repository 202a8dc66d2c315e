"""Which projects there are, and which folder is whose: the rules of naming, as values.

Owns the order of authority (register, folders below the root, workspaces of sessions, names in memories) and how two folders
of one name are told apart. Reads no file and looks at no folder: what was found there is given to it.

The rules. A folder in the register keeps the name it has there. A folder below the root has its own name, and a workspace that
of its git repository or its own; what lies in a hidden folder is of the folder around it. Where that name is another folder's,
the folder above is put behind it: `api (work)`, and a number where even that is taken; the register, then the root, then the
order of the paths decide who has the plain name. Only folders that are there are told apart: one that is gone has the plain
name, and so belongs to whoever bears it. A registered folder that is gone gives its name to the only folder of this name that
is there: it was moved.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from tray_app.memory.names import (
    LOOSE,
    RESERVED,
    as_written,
    folder_name,
    is_hidden,
    is_loose,
    is_whole,
    name_key,
    numbered,
    outside_hidden,
    told_apart,
)
from tray_app.memory.places import Place
from tray_app.territory import is_within, plain_folder


class Seen(NamedTuple):
    """A folder in which sessions were held: as the agents wrote it, its project as the index has it, how many sessions, and
    when the last of them was (epoch ms)."""

    cwd: str
    project: str = ""
    sessions: int = 0
    last: int = 0


class Registered(NamedTuple):
    """A project in the register; `folder` where it is now, '' if it has none."""

    name: str
    folder: str


class Project(msgspec.Struct):
    """A body of work. `folder` as it is written, '' if none is known; `there`: None where that cannot be told."""

    name: str
    folder: str = ""
    origin: str = "folder"
    there: bool | None = None


class Census:
    """All projects at one moment. `roots` are the folders directly below the root (of the form they are written in)."""

    def __init__(
        self,
        root: str,
        roots: Sequence[str],
        register: Iterable[Registered],
        workspaces: Iterable[str],
        named: Iterable[str],
        aliases: Mapping[str, str],
        places: Mapping[str, Place],
    ) -> None:
        self.root = plain_folder(root)
        self.aliases = {key: target for key in aliases if (target := _followed(aliases, key)) is not None}
        """Project by the key of its alias."""
        self._places = dict(places)
        self.projects: dict[str, Project] = {name: Project(name, origin="reserved", there=True) for name in RESERVED}
        """By the key of the name, reserved ones too."""
        self._owners: dict[str, str] = {}
        """Name by the plain form of the folder."""
        homes = {folder: self.home_of(folder) for folder in dict.fromkeys(workspaces)}
        tops = [top for top in dict.fromkeys(homes.values()) if top]
        self._take_register(list(register), [*roots, *tops])
        for folder in sorted(roots, key=plain_folder):
            self._take(folder, "folder", there=True)
        there = {folder: self._place(folder).there for folder in tops}
        for folder in sorted(tops, key=lambda one: (there[one] is False, plain_folder(one))):
            self._take(folder, "workspace", there=there[folder])
        for name in sorted(set(named)):
            self._add(self.aliased(name), Project(name, origin="memory", there=None))
        self._homes = homes

    # --- building --------------------------------------------------------------------------------------------------------------
    def _take_register(self, rows: list[Registered], found: Sequence[str]) -> None:
        holders: dict[str, list[str]] = {}
        taken = {plain_folder(row.folder) for row in rows if row.folder and self._place(row.folder).there is not False}
        for folder in dict.fromkeys(found):
            if plain_folder(folder) not in taken and (self._is_below_root(folder) or self._place(folder).there):
                holders.setdefault(name_key(folder_name(folder)), []).append(folder)
        for row in rows:
            key, folder = name_key(row.name), row.folder
            if key in self.aliases or key in self.projects:
                continue
            place = self._place(folder) if folder else Place()
            origin = "folder" if self._is_below_root(folder) else "workspace" if folder else "memory"
            if folder:
                self._owners[plain_folder(folder)] = row.name
            heirs = holders.get(key, [])
            if len(heirs) == 1 and (not folder or place.there is False):
                folder, place = heirs[0], Place(True)
                origin = "folder" if self._is_below_root(folder) else "workspace"
                self._owners[plain_folder(folder)] = row.name
            self.projects[key] = Project(row.name, folder, origin, place.there)

    def _take(self, folder: str, origin: str, *, there: bool | None) -> None:
        """Give a folder its project."""
        plain = plain_folder(folder)
        if plain in self._owners:
            return
        own = folder_name(folder)
        alias = self.aliases.get(name_key(own))
        if alias is not None:
            self._owners[plain] = alias
            self._add(alias, Project(alias, folder, origin, there))
            return
        name = own
        if there is not False or name_key(own) in RESERVED:
            name = self._free(own, folder)
        known = self.projects.get(name_key(name))
        self._owners[plain] = known.name if known else name
        self._add(name, Project(name, folder, origin, there))

    def _free(self, own: str, folder: str) -> str:
        """The first name that no other folder has. A project without a folder is joined."""
        apart = told_apart(own, folder)
        for name in (own, apart, *(numbered(apart, number) for number in range(2, 10_000))):
            known = self.projects.get(name_key(name))
            if known is None or (not known.folder and known.origin != "reserved"):
                return known.name if known else name
        return apart

    def _add(self, name: str, project: Project) -> None:
        known = self.projects.get(name_key(name))
        if known is None:
            project.name = name
            self.projects[name_key(name)] = project
        elif not known.folder and project.folder and known.origin != "reserved":
            known.folder, known.origin, known.there = project.folder, project.origin, project.there

    def _place(self, folder: str) -> Place:
        return self._places.get(folder, Place())

    def _is_below_root(self, folder: str) -> bool:
        return self._below_root(plain_folder(folder)) != ""

    def _below_root(self, plain: str) -> str:
        """The folder directly below the root that a plain folder is or lies in, '' if none that counts."""
        if not self.root or plain == self.root or not is_within(plain, self.root):
            return ""
        base = self.root.rstrip("/")
        first = plain[len(base) + 1 :].split("/", 1)[0]
        return "" if is_hidden(first) else f"{base}/{first}"

    # --- asking ----------------------------------------------------------------------------------------------------------------
    def home_of(self, folder: str) -> str:
        """The folder that is the project's of what is said in this one; '' where that is none."""
        plain = plain_folder(folder)
        below = self._below_root(plain)
        if below:
            return as_written(posixpath.normpath(folder.replace("\\", "/"))[: len(below)], folder)
        if plain == self.root:
            return ""
        top = self._place(folder).top
        if top and not is_loose(top) and not is_within(self.root, plain_folder(top)):
            return top
        folder = outside_hidden(folder)
        return "" if is_loose(folder) or not is_whole(folder) or not folder_name(folder) else folder

    def knows(self, folder: str) -> bool:
        """Whether it was looked at."""
        return folder in self._places

    def learn(self, places: Mapping[str, Place]) -> None:
        """More that was found on the disk."""
        self._places.update(places)

    def of_folder(self, folder: str) -> str:
        """The name of the project that a folder belongs to: LOOSE if none. A folder nobody knows gets the name it would have."""
        plain = plain_folder(folder)
        if plain in self._owners:
            return self._owners[plain]
        home = self._homes[folder] if folder in self._homes else self.home_of(folder)
        if not home:
            return LOOSE
        owner = self._owners.get(plain_folder(home))
        if owner is None:
            own = folder_name(home)
            alias = self.aliases.get(name_key(own))
            known = self.projects.get(name_key(own))
            if alias is not None:
                owner = alias
            elif known is not None and known.origin != "reserved" and home == folder and self._place(folder).there is False:
                owner = known.name
            else:
                owner = self._free(own, home)
        return owner

    def aliased(self, name: str) -> str:
        """The name that an alias stands for; the same if it is none."""
        return self.aliases.get(name_key(name), name)

    def find(self, name: str) -> Project | None:
        """The project of a folded name, or of an alias of it."""
        return self.projects.get(name_key(self.aliased(name)))

    def folders(self) -> list[tuple[str, str]]:
        """All folders that are known to be a project's, in their plain form, with its name; longest first."""
        pairs = [(folder, name) for folder, name in self._owners.items() if folder]
        return sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0]))


def _followed(aliases: Mapping[str, str], key: str) -> str | None:
    """What an alias means in the end, None where it leads in a circle."""
    seen = {key}
    target = aliases[key]
    while name_key(target) in aliases:
        if name_key(target) in seen:
            return None
        seen.add(name_key(target))
        target = aliases[name_key(target)]
    return target
