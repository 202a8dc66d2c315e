"""All tools together: their names and schemas, both styles of arguments, and anything at all as arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tool_schemas import FILE, schemas
from tool_world import SHOP, ToolWorld, claude, pretended_now, tool_world

from tray_app.errors import KnownError
from tray_app.library.memory.rows import CardRow, CheckpointRow, MemoryRow
from tray_app.mcp_server import fields
from tray_app.mcp_server.catalogue import TOOLS, Outcome, carry_out, near_names, tool_named
from tray_app.mcp_server.link import Link
from tray_app.mcp_server.tool import Tool

PROMISED: dict[str, dict[str, Any]] = {
    "session_recall": {
        "query": "", "days": None, "role": "", "max_sessions": 5, "include_active": False, "dedupe": True, "fresh_first": False,
        "fill_after_dedupe": False, "session": "", "space": None,
    },
    "session_recall_status": {},
    "session_recall_reindex": {"force": False},
    "session_recall_config": {"patch": None},
    "session_search": {
        "query": None, "kind": "", "agent": "", "project": "", "session": "", "max_results": 20, "max_snippet_chars": 240,
    },
    "session_index_stats": {},
    "recall": {"query": None, "project": None, "limit": 8, "kinds": None},
    "remember": {"project": None, "kind": "note", "title": "", "content": None},
    "memory_update": {"id": None, "title": None, "content": None},
    "memory_recent": {"project": None, "limit": 20},
    "memory_stats": {},
    "handoff_pack": {"project": None, "budget_tokens": 2_000, "with_meta": False},
    "handoff_get": {"project": None},
    "handoff_put": {"project": None, "content": None},
    "checkpoint_put": dict.fromkeys(("project", "baseline", "goal", "done", "doing", "next", "files", "open_questions")),
    "checkpoint_get": {"project": None},
    "checkpoint_promote": {"project": None},
    "archive_sessions": {"project": None, "limit": 20},
    "pages_index": {"project": None, "limit": 50},
    "pages_search": {"query": None, "project": None, "limit": 8},
    "cache_stats": {"project": None, "limit": 20},
    "doctor": {},
    "cleanup": {"apply": False, "thresholds": None},
}  # fmt: skip
"""Arguments with their defaults (None: none), as people who come from the earlier systems know them."""
WRITES = {
    "session_recall_reindex", "session_recall_config", "remember", "memory_update", "handoff_put", "checkpoint_put",
    "checkpoint_promote", "archive_sessions", "pages_index", "cleanup",
}  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolWorld]:
    with tool_world(tmp_path_factory.mktemp("tools")) as made:
        made.folder = made.project("shop")
        made.write("cart", ("Fix the cart", "It rounds once now."), ("And the till?", "Too."), folder=made.folder)
        made.index()
        made.engine.set_source("claude_code", False)  # a pass costs a second; what one answers stands with the other tools
        yield made


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    with pretended_now():
        yield


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


# --- what is offered -----------------------------------------------------------------------------------------------
def test_tools_are_those_that_were_promised() -> None:
    assert sorted(TOOLS) == sorted(PROMISED)
    assert {name for name, tool in TOOLS.items() if not tool.reads} == WRITES
    assert {name for name, tool in TOOLS.items() if tool.destroys} == {"memory_update", "checkpoint_promote", "cleanup"}


@pytest.mark.parametrize("name", PROMISED)
def test_arguments_and_defaults(name: str) -> None:
    shapes = TOOLS[name].input_schema["properties"]
    given = {argument: shapes[argument].get("default") for argument in PROMISED[name]}
    assert given == PROMISED[name]
    assert all(shape["description"] for shape in shapes.values())


def test_schemas_change_on_purpose_only() -> None:
    assert schemas() == json.loads(FILE.read_text(encoding="utf-8")), f"If it was meant: run {Path(__file__).name[5:]}"


@pytest.mark.parametrize("name", PROMISED)
def test_schemas_are_such(name: str) -> None:
    tool = TOOLS[name]
    for schema in (tool.input_schema, tool.output_schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert set(tool.always) <= set(tool.answers)


def test_tools_are_named_in_either_style() -> None:
    for name, tool in TOOLS.items():
        assert tool_named(name) is tool_named(camel(name)) is tool_named(name.replace("_", "-")) is tool
    assert tool_named("sessionrecal") is None
    assert near_names("sesion_recall") == "Did you mean session_recall?"
    assert near_names("x").startswith("There are: session_recall, ")


@pytest.mark.parametrize("name", PROMISED)
def test_arguments_are_taken_in_either_style(name: str) -> None:
    takes = TOOLS[name].takes
    plain = {
        fields.TEXT: "x", fields.WHOLE: 200, fields.SWITCH: True, fields.TEXTS: ["fact"], fields.VALUES: {"search.limit": 30}
    }  # fmt: skip
    values = {
        field.name: field.choices[0] if field.choices else plain[field.kind] for field in takes if field.kind != fields.TEXTS
    }
    snake = fields.read(takes, values)
    assert fields.read(takes, {camel(argument): value for argument, value in values.items()}) == snake
    assert fields.read(takes, {argument.replace("_", "-"): value for argument, value in values.items()}) == snake
    for field in takes:
        for alias in field.aliases:
            others = {argument: value for argument, value in values.items() if argument != field.name}
            if field.name in values:
                assert fields.read(takes, {**others, camel(alias): values[field.name]}) == snake


@pytest.mark.parametrize("name", PROMISED)
def test_an_unknown_argument_is_told(world: ToolWorld, name: str) -> None:
    told = world.refused(name, frobnicate=1)
    takes = ", ".join(field.name for field in TOOLS[name].takes)
    assert told == f"Wrong arguments: There is no argument 'frobnicate'. {f'It takes: {takes}.' if takes else 'It takes none.'}"
    if TOOLS[name].takes:
        near = TOOLS[name].takes[0].name
        assert f"Did you mean {near}? It takes: " in world.refused(name, **{camel(near) + "s": 1})


# --- errors --------------------------------------------------------------------------------------------------------
def broken(fault: Exception) -> Outcome:
    def make() -> Any:
        raise fault

    return carry_out(TOOLS["memory_stats"], {}, Link(make, SHOP))


def test_an_error_is_a_sentence() -> None:
    known = broken(KnownError("disk_full", "Disk full", "system: x\n" + "y" * 1_000, "Make room."))
    assert known.failed
    assert known.texts[0].startswith("Disk full: (system): x yyy")
    assert known.texts[0].endswith("y… Make room.")
    assert known.data["error"]["code"] == "disk_full"


def test_a_fault_of_ours_is_told_without_its_words(allow_log: Any) -> None:
    allow_log("ERROR .*memory_stats failed")
    bug = broken(ValueError("secret words"))
    assert bug.texts == ["Something went wrong inside: ValueError. Details are in Backscroll's log (mcp.log); see doctor."]
    assert "secret words" not in json.dumps(bug.data)


# --- anything at all -----------------------------------------------------------------------------------------------
TEXT = st.text(st.characters(codec=None), max_size=30) | st.sampled_from(
    ["", " ", "\0", "\ud800", "../..", "/etc/passwd", "' or 1=1 --", '"; drop table memories; --', "%", "shop", "Shop ", "cart",
     "it rounds once", "role:user cart", "before:2026-13-40", '"unclosed', "-", "*", "default", claude.make_id("cart"), "x" * 5_000,
     "鲸" * 50_000, "y" * 1_000_000, "[" * 5_000, "null", "true", "12"]
)  # fmt: skip
NUMBER = st.integers() | st.floats() | st.sampled_from([0, 1, -1, 10**30, -(10**400), 2**63, 1e308, float("nan")])
ANY = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
) | st.sampled_from([json.loads("[" * 500 + "]" * 500), json.loads('{"a":' * 300 + "1" + "}" * 300), ["x"] * 300])  # fmt: skip
LIKELY = {
    fields.TEXT: TEXT,
    fields.WHOLE: st.integers(-1, 300) | st.sampled_from(["5", 5.0, 10**30]),
    fields.SWITCH: st.booleans() | st.sampled_from(["true", "no", 1, "2"]),
    fields.TEXTS: st.lists(TEXT, max_size=3) | TEXT,
    fields.VALUES: st.dictionaries(
        st.sampled_from(["search.limit", "general.theme", "meaning.url", "session_days", "keep_cards"]) | TEXT, ANY, max_size=3
    ),
}


@st.composite
def calls(draw: st.DrawFn) -> tuple[Tool, Any, str]:
    tool = draw(st.sampled_from(sorted(TOOLS.values(), key=lambda one: one.name)))
    if draw(st.integers(0, 9)) == 0:
        return tool, draw(ANY), ""
    given: dict[str, Any] = {}
    for field in tool.takes:
        if field.required or draw(st.booleans()):
            name = draw(st.sampled_from([field.name, camel(field.name)]))
            given[name] = draw(st.sampled_from(field.choices) if field.choices and draw(st.booleans()) else LIKELY[field.kind])
    if draw(st.integers(0, 4)) == 0:
        given[draw(TEXT)] = draw(ANY)
    return tool, given, draw(st.sampled_from(["", claude.make_id("cart"), "\0"]))


def kept(world: ToolWorld) -> Any:
    """What is written down, without the counts of use."""
    store = world.engine.minds.of(world.engine.libraries.of()).store
    return [
        *((row.id, row.project, row.title, row.content, row.state, row.updated) for row in store.rows(MemoryRow).values()),
        *store.rows(CheckpointRow).values(),
        *store.rows(CardRow).values(),
        world.engine.config(),
    ]


def others(world: ToolWorld) -> dict[str, bytes]:
    """All files but our own."""
    files = (path for path in world.home.rglob("*") if path.is_file() and "backscroll" not in path.parts)
    return {str(path): path.read_bytes() for path in files}


@settings(max_examples=120)
@given(calls())
def test_anything_gets_an_answer_or_an_error(world: ToolWorld, call: tuple[Tool, Any, str]) -> None:
    tool, given, calling = call
    before, files = kept(world), others(world)
    outcome = world.ask_with(tool.name, given, calling=calling)
    json.dumps(outcome.data, ensure_ascii=False).encode()
    assert "".join(outcome.texts).encode()
    if outcome.failed:
        assert outcome.data["error"]["code"] != "bug"
        assert len(outcome.texts[0]) < 3_000
    else:
        jsonschema.validate(outcome.data, tool.output_schema)
    if outcome.failed or tool.reads:
        assert kept(world) == before
    if tool.name != "session_recall_config":
        assert world.engine.config() == before[-1]
    assert others(world) == files
