"""Schemas made from records: flat, without a programmer's words, and true of the values that go with them."""

from __future__ import annotations

import json
from typing import Any

import jsonschema

from tray_app.mcp_server import shapes
from tray_app.records import CheckpointState, CheckpointView, Owner, PackLayer, PackView


def sent(value: Any) -> Any:
    """As it arrives."""
    return json.loads(json.dumps(value))


def test_a_record_as_a_schema() -> None:
    assert shapes.record(Owner) == {"type": "object", "properties": {"pid": {"type": "integer"}, "kind": {"type": "string"}}}
    assert shapes.record(Owner, ("kind",), more=shapes.SWITCH) == {
        "type": "object",
        "properties": {"kind": {"type": "string"}, "more": {"type": "boolean"}},
    }
    assert shapes.listed(shapes.TEXT) == shapes.TEXTS


def test_records_in_records_stand_in_place() -> None:
    shape = shapes.record(CheckpointState)
    assert "$ref" not in str(shape)
    assert "description" not in shape["properties"]["active"]
    value = CheckpointState(
        project="shop",
        active=CheckpointView(id=1, project="shop", state="active", created="", updated="", done=("a",), evidence={"a": "b"}),
    )
    jsonschema.validate(sent(shapes.plain(value)), shape)
    jsonschema.validate(sent(shapes.plain(CheckpointState(project="shop"))), shape)


def test_fields_are_picked_as_plain_values() -> None:
    view = PackView(project="p", pack="x", version="1", tokens=2, budget=3, layers=(PackLayer(name="facts", tokens=1),))
    assert sent(shapes.picked(view, ("layers", "pack"))) == {
        "layers": [{"name": "facts", "tokens": 1, "items": 0, "dropped": 0, "note": ""}],
        "pack": "x",
    }


def test_nothing_is_something_too() -> None:
    jsonschema.validate(None, shapes.either(shapes.record(Owner)))
    jsonschema.validate({"pid": 1, "kind": "cli"}, shapes.either(shapes.record(Owner)))
