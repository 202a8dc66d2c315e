"""Whose a folder is: the rules of spaces, as values. Reads no file and looks at no folder.

A session belongs to the space that has the longest of the folders its own lies in; what belongs to none is the rest, in the
ordinary library. A session that names no folder is of the rest. A space that was removed still holds its folders, so that
nothing of it comes up elsewhere before somebody says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from tray_app.errors import UsageError
from tray_app.paths import FOLDS_CASE as FOLDS_CASE
from tray_app.paths import is_within as is_within
from tray_app.paths import plain_folder as plain_folder

REST = "default"
"""Id and name of what no space holds. No space can be called so."""
_MEMORY = re.compile(r"/projects/([^/]+)/memory$")


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """One space. `folders` as the person gave them; `removed` says when it was removed (ISO 8601), '' while it is in use."""

    id: str
    name: str
    folders: tuple[str, ...] = ()
    removed: str = ""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """All spaces at one moment, in the order they were made. `revision` rises with every change."""

    revision: int = 0
    spaces: tuple[Space, ...] = ()

    @property
    def in_use(self) -> tuple[Space, ...]:
        return tuple(space for space in self.spaces if not space.removed)

    @property
    def claims(self) -> list[tuple[str, str]]:
        """Every folder that any space holds, in its plain form, with the id of the space; longest first."""
        pairs = [(plain_folder(folder), space.id) for space in self.spaces for folder in space.folders]
        return sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0]))

    def owner_of(self, folder: str) -> str:
        """The id of the space that a folder belongs to, removed ones too; REST if none."""
        wanted = plain_folder(folder)
        return next((owner for claimed, owner in self.claims if is_within(wanted, claimed)), REST)

    def of_caller(self, folder: str) -> Space | None:
        """The space in use that somebody who stands in this folder belongs to."""
        owner = self.owner_of(folder)
        return next((space for space in self.in_use if space.id == owner), None)

    def asked(self, space: str | None, caller: str | None = None) -> str:
        """The id of the library that a question goes to: that of the space it names, else that of the folder the asker stands
        in; the rest's where there are no spaces, or where the person's own window asks (`caller` None). Raises UsageError:
        `no_such_space`, `outside_spaces`."""
        if space and folded(space) != REST:
            return self.named(space).id
        if space or caller is None or not self.in_use:
            return REST
        found = self.of_caller(caller)
        if found is None:
            raise UsageError(
                "outside_spaces",
                "Outside all spaces",
                f"{caller or 'The folder this was asked in'} belongs to no space, and what is in one is not shown outside.",
                "Say which is meant (--space NAME, or --space default for what belongs to none), or give a space the folder: "
                "backscroll spaces assign NAME FOLDER",
            )
        return found.id

    def name_of(self, space: str) -> str:
        """What the library of this id is called."""
        return next((one.name for one in self.spaces if one.id == space), REST)

    def named(self, name: str, *, removed: bool | None = False) -> Space:
        """A space by its name, or its id. `removed`: one in use (False), a removed one (True), either (None). Raises
        UsageError `no_such_space`."""
        for space in self.spaces:
            if (folded(name) == folded(space.name) or name == space.id) and removed in (None, bool(space.removed)):
                return space
        known = [space.name for space in self.spaces if removed in (None, bool(space.removed))]
        what = "removed space" if removed else "space"
        hint = f"There are: {', '.join(known)}." if known else "Make one: backscroll spaces add NAME FOLDER"
        raise UsageError(
            "no_such_space", "No such space", f"There is no {what} {name!r}.", "" if removed and not known else hint
        )


class Territory:
    """What one library holds. `space` is the id of its space, or REST; `workspaces` are the folders that sessions name,
    which tell whose an agent's own notes on a folder are."""

    def __init__(self, layout: Layout, space: str = REST, workspaces: Iterable[str] = ()) -> None:
        self.layout, self.space = layout, space
        self._claims = layout.claims
        self._encoded: dict[str, set[str]] = {}
        if self._claims:
            for workspace in workspaces:
                self._encoded.setdefault(_as_claude_names(workspace), set()).add(layout.owner_of(workspace))

    @property
    def is_rest(self) -> bool:
        return self.space == REST

    def owner(self, agent: str, folder: str) -> str:
        """The id of the space (or REST) that a session of this agent in this folder belongs to."""
        if not self._claims or not folder:
            return REST
        if agent == "memory" and (notes := _MEMORY.search(folder.replace("\\", "/"))):
            return self._owner_of_notes(notes.group(1))
        return self.layout.owner_of(folder)

    def holds(self, agent: str, folder: str) -> bool:
        return self.owner(agent, folder) == self.space

    @property
    def mark(self) -> str:
        """Changes when this library must let go of something or may have gained something; never by a name. '' for the
        rest while there are no spaces."""
        claims = self._claims
        if self.is_rest:
            kept = [
                folder for folder, _ in claims if not any(folder != other and is_within(folder, other) for other, _ in claims)
            ]
            return "\n".join(sorted(set(kept)))
        own = [folder for folder, owner in claims if owner == self.space]
        near = [
            f"{'+' if owner == self.space else '-'}{folder}"
            for folder, owner in claims
            if owner == self.space or any(is_within(folder, mine) for mine in own)
        ]
        return "\n".join(sorted(near)) or "-"

    def _owner_of_notes(self, name: str) -> str:
        """Claude Code keeps notes on a folder in one named after it, with everything but letters and digits as dashes."""
        owners = self._encoded.get(name)
        if owners:
            return min(owners, key=lambda owner: (owner == REST, owner != self.space, owner))
        for folder, owner in self._claims:
            encoded = _as_claude_names(folder)
            if name.lower() == encoded.lower() or name.lower().startswith(encoded.lower() + "-"):
                return owner
        return REST


def folded(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def _as_claude_names(folder: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", folder)
