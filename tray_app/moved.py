"""Projects that were moved: under which folder an old one is shown now. Values only; looks at no folder.

A rule says OLD=NEW: a session that was held in OLD, or below it, is shown under NEW. Nothing is written anew for that, since
the index keeps the folder that the agent wrote down. Folder borders are respected (`/a/shop` is not in `/a/sho`), the longest
OLD wins, and a folder that moved twice is followed through both rules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from tray_app.territory import is_within, plain_folder

_RULE = re.compile(r"(.+?)=((?:/|~|[A-Za-z]:[\\/]|\\\\).*)")
"""The new folder is a whole path of some system; it begins behind the first '=' that such a path follows."""


class Moved(msgspec.Struct, frozen=True, dict=True):
    """The rules as the person gave them."""

    rules: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rules)

    @cached_property
    def _pairs(self) -> list[tuple[str, str, str]]:
        """(old in its plain form, old, new), longest first."""
        pairs = []
        for rule in self.rules:
            parts = _RULE.fullmatch(rule.strip())
            if parts:
                old, new = (_trimmed(_at_home(part.strip())) for part in parts.groups())
                pairs.append((plain_folder(old), old, new))
        return sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0]))

    def real(self, folder: str) -> str:
        """The folder as it is now; the same where no rule fits."""
        unused = list(self._pairs)
        while folder:
            plain = plain_folder(folder)
            pair = next((one for one in unused if is_within(plain, one[0])), None)
            if pair is None:
                break
            unused.remove(pair)
            folder = _joined(pair[2], _parts(folder)[len(_parts(pair[1])) :])
        return folder

    def held_under(self, project: str, folders: Iterable[str]) -> list[str]:
        """Those of the folders that a rule moves to where the filter `project` finds them: a project's name, its folder or one
        above it, or how the path of its folder ends, case folded."""
        wanted = plain_folder(project).removeprefix("~/").lower()
        is_whole = wanted.startswith("/") or wanted[1:3] == ":/"
        found = []
        for folder in folders if wanted else ():
            real = self.real(folder)
            if real == folder:
                continue
            plain = plain_folder(real).lower()
            if plain == wanted or plain.endswith("/" + wanted.lstrip("/")) or (is_whole and is_within(plain, wanted)):
                found.append(folder)
        return found


def _at_home(folder: str) -> str:
    return os.path.expanduser("~") + folder[1:] if folder == "~" or folder[:2] in ("~/", "~\\") else folder  # noqa: PTH111


def _trimmed(folder: str) -> str:
    return folder.rstrip("/\\") or folder[:1]


def _parts(folder: str) -> list[str]:
    return [part for part in re.split(r"[/\\]", folder) if part and part != "."]


def _joined(folder: str, rest: Sequence[str]) -> str:
    """With the sign that the folder's own system puts between names."""
    sign = "\\" if "\\" in folder or (folder[1:2] == ":" and "/" not in folder) else "/"
    return sign.join([folder.rstrip("/\\"), *rest]) if rest else folder
