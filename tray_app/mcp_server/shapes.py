"""JSON schemas of what tools answer, made from the records.

Owns the flattening: references are put in place, and the words of docstrings left out, since they are for programmers.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
SWITCH = {"type": "boolean"}
TEXTS = {"type": "array", "items": TEXT}


def record(kind: type[msgspec.Struct], only: Collection[str] = (), **more: Any) -> dict[str, Any]:
    """The schema of a record, or of these fields of it, with further ones."""
    (root,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    shape: dict[str, Any] = _flat(root, parts)
    kept = {name: value for name, value in shape["properties"].items() if not only or name in only}
    return {"type": "object", "properties": {**kept, **more}}


def listed(shape: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": shape}


def either(shape: dict[str, Any]) -> dict[str, Any]:
    """That, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


def picked(value: msgspec.Struct, only: Collection[str]) -> dict[str, Any]:
    """These fields of a record as plain values."""
    return {name: msgspec.to_builtins(getattr(value, name)) for name in only}


def plain(value: Any) -> Any:
    """Records as plain values."""
    return msgspec.to_builtins(value)


def _flat(shape: Any, parts: dict[str, Any]) -> Any:
    if isinstance(shape, list):
        return [_flat(item, parts) for item in shape]
    if not isinstance(shape, dict):
        return shape
    if "$ref" in shape:
        return _flat(parts[shape["$ref"]], parts)
    if "properties" in shape:
        return {"type": "object", "properties": {name: _flat(item, parts) for name, item in shape["properties"].items()}}
    return {
        key: _flat(item, parts) for key, item in shape.items() if key not in ("title", "description", "default", "required")
    }
