"""What a tool takes: its arguments declared once, their JSON schema, and the check of what an agent really sent.

Owns the reading of arguments. Names are taken in camelCase, snake_case and kebab-case alike, and a value in any form that can
only mean one thing ("5" for 5, "true", one text for a list of one, its lines for a list of some), because models write them so.
Null is what was not given: clients fill in all that was left out with it. What cannot be meant is a UsageError that says what
would be right.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tray_app.errors import UsageError
from tray_app.service.protocol import clean

TEXT, WHOLE, SWITCH, TEXTS, VALUES = "text", "whole", "switch", "texts", "values"
NAME_CHARS, QUERY_CHARS = 200, 2_000
MOST_BYTES = 1 << 19
"""Of all arguments of a call, as JSON: half of what the owner takes in one request."""
MOST_DEPTH = 20
LIST_ITEMS = 100
_LISTED = re.compile(r"\A\s*(?:[-*+]|\d{1,3}[.)])\s+")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One argument. `least` and `most` bound a whole number, which is brought inside where `caps`; `chars` bounds a text or
    each text of a list; `aliases` are further names that earlier systems gave it. `shown` is a default that the schema names
    and somebody else fills in."""

    name: str
    kind: str
    help: str
    default: Any = None
    shown: Any = None
    required: bool = False
    least: int = 0
    most: int = 1_000_000_000
    caps: bool = False
    choices: tuple[str, ...] = ()
    chars: int = NAME_CHARS
    aliases: tuple[str, ...] = ()
    partial: bool = False
    """Whether it is not among the values where it was not given, so that this differs from an empty text or list."""


def schema_of(fields: Sequence[Field]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments, an object at its root. It allows further names, for they may be written in
    another style; `read` refuses those that mean nothing."""
    schema: dict[str, Any] = {"type": "object", "properties": {field.name: _property(field) for field in fields}}
    required = [field.name for field in fields if field.required]
    return {**schema, "required": required} if required else schema


def read(fields: Sequence[Field], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Every field's value: what was given, else its default; a partial field is there only if it was given. Raises
    UsageError `bad_arguments`."""
    if given is not None and not isinstance(given, Mapping):
        raise bad(f"The arguments are an object, not {_kind(given)}.")
    given = given or {}
    _check_size(given)
    known = {_plain(name): field for field in fields for name in (field.name, *field.aliases)}
    found: dict[str, Any] = {}
    for name, value in given.items():
        field = known.get(_plain(str(name)))
        if field is None:
            raise _unknown(str(clean(name)), fields)
        if value is None or (isinstance(value, str) and not value.strip() and field.kind not in (TEXT, TEXTS)):
            continue
        if field.name in found and found[field.name] != value:
            raise bad(f"{field.name} was given twice, with different values.")
        found[field.name] = value
    values: dict[str, Any] = {}
    for field in fields:
        if field.name in found:
            values[field.name] = _READERS[field.kind](field, clean(found[field.name]))
        elif field.required:
            raise bad(f"{field.name} is missing: {field.help}")
        elif not field.partial:
            values[field.name] = field.default
    return values


def _check_size(given: Mapping[str, Any]) -> None:
    """Raises UsageError for what is nested too deeply or too long."""
    level: list[Any] = [given]
    for _ in range(MOST_DEPTH):
        held = (inner for one in level for inner in (one.values() if isinstance(one, Mapping) else one))
        level = [inner for inner in held if isinstance(inner, (Mapping, list, tuple))]
        if not level:
            break
    else:
        raise bad(f"The arguments are nested too deeply (at most {MOST_DEPTH} levels).")
    try:
        size = len(json.dumps(given, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    except ValueError as fault:  # numbers of more digits than Python writes
        raise bad("The arguments hold a number that is too long.") from fault
    if size > MOST_BYTES:
        raise bad(f"The arguments are too long ({size:,} bytes; at most {MOST_BYTES:,}).", "Shorten them.")


def bad(message: str, hint: str = "") -> UsageError:
    return UsageError("bad_arguments", "Wrong arguments", message, hint)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _unknown(name: str, fields: Sequence[Field]) -> UsageError:
    names = [field.name for field in fields]
    meant = {_plain(form): field.name for field in fields for form in (field.name, *field.aliases)}
    near = [meant[form] for form in difflib.get_close_matches(_plain(name[:NAME_CHARS]), meant, 1)]
    takes = f"It takes: {', '.join(names)}." if names else "It takes none."
    return bad(f"There is no argument {name[:60]!r}.", f"Did you mean {near[0]}? {takes}" if near else takes)


def _property(field: Field) -> dict[str, Any]:
    if field.kind == WHOLE:
        shape: dict[str, Any] = {"type": "integer", "minimum": field.least, "maximum": field.most}
    elif field.kind == SWITCH:
        shape = {"type": "boolean"}
    elif field.kind == VALUES:
        shape = {"type": "object", "additionalProperties": True}
    else:
        text: dict[str, Any] = {"type": "string", "maxLength": field.chars}
        if field.choices:
            text = {"type": "string", "enum": list(field.choices)}
        shape = text if field.kind == TEXT else {"type": "array", "items": text, "maxItems": LIST_ITEMS}
    shape["description"] = field.help
    default = field.default if field.shown is None else field.shown
    if default is not None:
        shape["default"] = default
    return shape


def _text(field: Field, value: Any) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise bad(f"{field.name} is a text, not {_kind(value)}.")
    if len(value) > field.chars:
        raise bad(f"{field.name} has at most {field.chars:,} characters, not {len(value):,}.", "Shorten it.")
    if not field.choices:
        return value
    chosen = next((choice for choice in field.choices if choice == value.strip().lower()), None)
    if chosen is None:
        raise bad(f"{field.name} is one of {', '.join(field.choices)}, not {value[:60]!r}.")
    return chosen


def _whole(field: Field, value: Any) -> int:
    number: int | None = None
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal() and len(value) < 20:
        number = int(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    said = f"from {field.least} to {field.most:,}" if field.most < 1_000_000_000 else f"of at least {field.least}"
    if number is None:
        raise bad(f"{field.name} is a whole number {said}, not {_kind(value)}.")
    if field.caps and number > field.most:
        return field.most
    if not field.least <= number <= field.most:
        raise bad(f"{field.name} is a whole number {said}, not {str(number)[:20]}.")
    return number


def _switch(field: Field, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, (str, int)) else ""
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise bad(f"{field.name} is true or false, not {_kind(value)}.")


def _texts(field: Field, value: Any) -> list[str]:
    if isinstance(value, str):
        value = _listed(field, value)
    if not isinstance(value, list):
        raise bad(f"{field.name} is a list of texts, not {_kind(value)}.")
    if len(value) > LIST_ITEMS:
        raise bad(f"{field.name} has at most {LIST_ITEMS} items, not {len(value):,}.", "Merge or drop some.")
    return [_text(field, item) for item in value]


def _listed(field: Field, value: str) -> Any:
    """A list that was written as one text: as JSON, as names with commas, or an item a line."""
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    parts = value.split(",") if field.choices else [_LISTED.sub("", line) for line in value.splitlines()]
    return [part.strip() for part in parts if part.strip()]


def _values(field: Field, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as fault:
            raise bad(f'{field.name} is an object such as {{"search.limit": 30}}.') from fault
    if not isinstance(value, dict):
        raise bad(f"{field.name} is an object, not {_kind(value)}.")
    return value


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return repr(value[:60])
    names = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), "that")


_READERS = {TEXT: _text, WHOLE: _whole, SWITCH: _switch, TEXTS: _texts, VALUES: _values}
