"""The fields of a checkpoint: what may stand in them, and how a draft's are taken into the active one.

Pure. Every text is cleaned, redacted and limited; paths are written one way.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec

from tray_app.errors import UsageError
from tray_app.library.memory.rows import CheckpointRow
from tray_app.records.memory import FIELDS, LIST_FIELDS
from tray_app.text.clean import clean, fold_spaces
from tray_app.text.own_marks import strip_own
from tray_app.text.redact import redact

TEXT_CHARS = 4_000
"""Of a text field, and of each item of a list."""
LIST_ITEMS = 100

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_QUOTES = "`\"'"


def checked(fields: Mapping[str, Any], folder: str = "") -> dict[str, Any]:
    """The fields as they are kept: text fields as str, list fields as tuples without blank or repeated items. None clears; a
    list field given as one text is its lines. `folder` is the project's: paths in it become relative.

    Raises UsageError `bad_field` for an unknown name or another type, `too_long`."""
    kept: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in FIELDS:
            raise UsageError(
                "bad_field", "No such field", f"A checkpoint has no field {name!r}.", f"It has: {', '.join(FIELDS)}."
            )
        kept[name] = _list(name, value, folder) if name in LIST_FIELDS else _text(name, value)
    return kept


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names of fields in the order of a checkpoint. Raises UsageError `bad_field`."""
    wanted = set(names)
    checked(dict.fromkeys(wanted))
    return tuple(name for name in FIELDS if name in wanted)


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _bad_type(name, "a text")
    text = redact(strip_own(clean(value)))[0].strip()
    if len(text) > TEXT_CHARS:
        raise UsageError(
            "too_long", "Too long", f"{name} has at most {TEXT_CHARS:,} characters, not {len(text):,}.",
            "Say it shorter; details belong into memories.",
        )  # fmt: skip
    return text


def _list(name: str, value: Any, folder: str) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [re.sub(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+", "", line) for line in value.splitlines()]
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise _bad_type(name, "a list of texts")
    texts = (_text(name, part) for part in value)
    items = unique(path_of(text, folder) if name == "files" else text for text in texts if text)
    if len(items) > LIST_ITEMS:
        raise UsageError(
            "too_long", "Too many items", f"{name} has at most {LIST_ITEMS} items, not {len(items)}.", "Merge or drop some."
        )
    return items


def _bad_type(name: str, wanted: str) -> UsageError:
    return UsageError("bad_field", "Not a value", f"{name} takes {wanted}, or null to clear it.")


def path_of(text: str, folder: str = "") -> str:
    """A path as it is written in a checkpoint: no quotes, `./` or doubled slashes; relative where it lies in the folder;
    slashes also for Windows. What is a description rather than a path stays as it is."""
    path = " ".join(text.split()).strip(_QUOTES)
    windows = bool(_WINDOWS.match(path)) or ("\\" in path and "/" not in path and " " not in path)
    if windows:
        path = path.replace("\\", "/")
    if not path or "://" in path:
        return path
    lead = "//" if path.startswith("//") and windows else ""
    path = lead + posixpath.normpath(path).lstrip("/") if lead else posixpath.normpath(path)
    base = folder.replace("\\", "/").rstrip("/") if _WINDOWS.match(folder) else folder.rstrip("/")
    same = str.casefold if _WINDOWS.match(folder) else str
    if base and same(path).startswith(same(base + "/")):
        path = path[len(base) + 1 :]
    return path or "."


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """Without those that say the same, white space folded; the first stays."""
    known: dict[str, str] = {}
    for item in items:
        known.setdefault(fold_spaces(item), item)
    return tuple(known.values())


def _appended(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    return unique((*mine, *theirs))[-LIST_ITEMS:]


def _replaced(mine: Any, theirs: Any) -> Any:
    return theirs or mine


_MERGES: dict[str, Callable[[Any, Any], Any]] = {"done": _appended, "files": _appended}
"""The rest is replaced."""


def merged(active: CheckpointRow | None, draft: CheckpointRow, names: Collection[str] = FIELDS) -> dict[str, Any]:
    """What the named fields are once the draft's are taken over. A draft knows only what it has evidence for, so an empty field
    of it changes nothing. `done` and `files` grow at their end, without repeating (beyond `LIST_ITEMS` the oldest go); the
    others take the draft's place."""
    fields: dict[str, Any] = {}
    for name in FIELDS:
        if name in names:
            empty: Any = () if name in LIST_FIELDS else ""
            mine = empty if active is None else getattr(active, name)
            fields[name] = _MERGES.get(name, _replaced)(mine, getattr(draft, name))
    return fields


def differing(active: CheckpointRow | None, draft: CheckpointRow) -> tuple[str, ...]:
    """The fields that taking the draft over would change."""
    blank = CheckpointRow(id=1, project=draft.project)
    return tuple(name for name, value in merged(active, draft).items() if value != getattr(active or blank, name))


def is_empty(row: CheckpointRow) -> bool:
    return not any(getattr(row, name) for name in FIELDS)


def emptied(row: CheckpointRow, names: Iterable[str]) -> CheckpointRow:
    """Without these fields, and without their evidence."""
    gone = set(names)
    blank: dict[str, Any] = {name: () if name in LIST_FIELDS else "" for name in gone}
    evidence = {name: said for name, said in row.evidence.items() if name not in gone}
    return msgspec.structs.replace(row, evidence=evidence, **blank)
