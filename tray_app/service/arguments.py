"""Whether the arguments of a call can be meant at all, in words, before anybody acts on them.

Their types are checked where they are read (`protocol`); here it is what no type says: how large a number may be, how deep
something may be nested, what the system takes for a path. Knows the names of parameters, not what is done with them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tray_app.errors import UsageError

LARGEST = 1 << 53
"""Of any number: what JSON carries exactly everywhere, and the database takes."""
COUNTS = frozenset({"limit", "first", "days", "budget_tokens"})
MOST = 1 << 31
MINUTES = 10 * 366 * 24 * 60
PATHS = frozenset({"path", "target", "folder", "folders"})
PATH_BYTES, NAME_BYTES = 4_000, 255
"""What Linux and macOS take. Windows counts characters, and says itself of which there are too many."""
DEEPEST = 32


def check(params: Mapping[str, Any]) -> None:
    """Raises UsageError `bad_argument` for one that cannot be meant."""
    for name, value in params.items():
        for leaf in _leaves(name, value, 0):
            if isinstance(leaf, (int, float)) and not abs(leaf) <= LARGEST:
                raise _unfit(f"{name} holds a number that is too large.")
        if name in COUNTS and value is not None and not 0 <= value <= MOST:
            raise _unfit(f"{name} lies between 0 and {MOST}, and is not {value}.")
        if name == "minutes" and value is not None and not 0 <= value <= MINUTES:
            raise _unfit(f"minutes lie between 0 and {MINUTES} (ten years), and are not {value:g}.")
        if name in PATHS:
            for path in [value] if isinstance(value, str) else value:
                _check_path(name, path)
        if name == "values":
            _check_back_end(value)


def _leaves(name: str, value: Any, depth: int) -> Iterator[Any]:
    """All that is no container, at any depth."""
    if depth > DEEPEST:
        raise _unfit(f"{name} is nested too deeply.")
    if isinstance(value, msgspec.Struct):
        value = [getattr(value, field) for field in value.__struct_fields__]
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _leaves(name, one, depth + 1)
    else:
        yield value


def _check_path(name: str, path: str) -> None:
    raw = path.encode("utf-8", "surrogatepass")
    if "\0" in path:
        raise _unfit(f"{name} holds a character that no path holds.")
    names = raw.split(b"/") if os.name == "posix" else []
    if len(raw) > PATH_BYTES or any(len(one) > NAME_BYTES for one in names):
        raise _unfit(f"{name} is longer than a path can be.")


def _check_back_end(values: Mapping[str, Any]) -> None:
    """The settings that are to be tried."""
    for name, value in values.items():
        if not isinstance(value, int if name == "dims" else str) or isinstance(value, bool):
            raise _unfit(f"{name} is a {'whole number' if name == 'dims' else 'text'}, and not {value!r}.")


def _unfit(message: str) -> UsageError:
    return UsageError("bad_argument", "Not to be meant", message[:1].upper() + message[1:])
