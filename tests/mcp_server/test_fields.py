"""Arguments as agents write them: both styles, loose values, and what is refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tray_app.errors import UsageError
from tray_app.mcp_server.fields import LIST_ITEMS, MOST_DEPTH, SWITCH, TEXT, TEXTS, VALUES, WHOLE, Field, read, schema_of

FIELDS = (
    Field(name="query", kind=TEXT, help="What.", required=True, chars=50),
    Field(name="max_results", kind=WHOLE, help="How many.", default=20, least=1, most=100, caps=True, aliases=("limit",)),
    Field(name="days", kind=WHOLE, help="Days.", least=1, most=30),
    Field(name="dedupe", kind=SWITCH, help="Fold.", default=True),
    Field(name="kinds", kind=TEXTS, help="Kinds.", choices=("fact", "todo")),
    Field(name="files", kind=TEXTS, help="Files.", chars=10, partial=True),
    Field(name="patch", kind=VALUES, help="Settings."),
    Field(name="budget", kind=WHOLE, help="Tokens.", default=0, shown=2_000, least=200),
)
DEFAULTS = {"query": "q", "max_results": 20, "days": None, "dedupe": True, "kinds": None, "patch": None, "budget": 0}


def test_defaults_and_what_was_not_given() -> None:
    assert read(FIELDS, {"query": "q"}) == DEFAULTS
    assert read((), None) == {}
    for nothing in (None, "", "  "):
        given = {"days": nothing, "dedupe": nothing, "patch": nothing, "budget": nothing}
        assert read(FIELDS, {"query": "q", **given}) == DEFAULTS
    assert read(FIELDS, dict.fromkeys(("days", "dedupe", "kinds", "files", "patch")) | {"query": "q"}) == DEFAULTS
    assert read(FIELDS, {"query": "q", "files": ""})["files"] == []


@pytest.mark.parametrize("name", ["max_results", "maxResults", "MaxResults", "max-results", "limit"])
def test_both_styles_of_names(name: str) -> None:
    assert read(FIELDS, {"query": "q", name: 7})["max_results"] == 7


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("max_results", "7", 7),
        ("max_results", 7.0, 7),
        ("max_results", 5_000, 100),
        ("dedupe", "false", False),
        ("dedupe", 0, False),
        ("dedupe", "Yes", True),
        ("kinds", "fact, todo", ["fact", "todo"]),
        ("kinds", '["fact"]', ["fact"]),
        ("kinds", ["FACT"], ["fact"]),
        ("files", "a.py", ["a.py"]),
        ("files", "a,b", ["a,b"]),
        ("files", "- a.py\n2. b.py\n\n c d ", ["a.py", "b.py", "c d"]),
        ("files", "a - b", ["a - b"]),
        ("files", "[a", ["[a"]),
        ("files", [], []),
        ("patch", '{"a": 1}', {"a": 1}),
        ("query", 42, "42"),
        ("query", "\ud83d\ude00 \ud800", "😀 \ufffd"),
    ],
)
def test_values_as_models_write_them(name: str, value: Any, meant: Any) -> None:
    assert read(FIELDS, {"query": "q", name: value})[name] == meant


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "query is missing: What."),
        ({"query": "q", "quer": 1}, "There is no argument 'quer'. Did you mean query?"),
        ({"query": "q", "day": 1}, "Did you mean days?"),
        (
            {"query": "q", "maxResult": 1},
            "There is no argument 'maxResult'. Did you mean max_results? It takes: query, max_results,",
        ),
        ({"query": "q", "limits": 1}, "Did you mean max_results?"),
        ({"query": "q", "\ud800" * 500: 1}, "There is no argument '" + "\ufffd" * 60 + "'."),
        ({"query": None}, "query is missing: What."),
        ([["query", "q"]], "The arguments are an object, not a list."),
        ("query=q", "The arguments are an object, not 'query=q'."),
        ({"query": "q", "days": 10**5_000}, "The arguments hold a number that is too long."),
        ({"query": "q" * 51}, "query has at most 50 characters, not 51."),
        ({"query": ["q"]}, "query is a text, not a list."),
        ({"query": True}, "query is a text, not true or false."),
        ({"query": "q", "days": 0}, "days is a whole number from 1 to 30, not 0."),
        ({"query": "q", "days": 31}, "days is a whole number from 1 to 30, not 31."),
        ({"query": "q", "days": "soon"}, "days is a whole number from 1 to 30, not 'soon'."),
        ({"query": "q", "days": 1.5}, "days is a whole number from 1 to 30, not a number."),
        ({"query": "q", "days": True}, "days is a whole number from 1 to 30, not true or false."),
        ({"query": "q", "days": "²"}, "not '²'."),
        ({"query": "q", "dedupe": "perhaps"}, "dedupe is true or false, not 'perhaps'."),
        ({"query": "q", "kinds": ["poem"]}, "kinds is one of fact, todo, not 'poem'."),
        ({"query": "q", "kinds": {"a": 1}}, "kinds is a list of texts, not an object."),
        ({"query": "q", "files": ["a"] * (LIST_ITEMS + 1)}, "files has at most 100 items, not 101."),
        ({"query": "q", "patch": "a=1"}, "patch is an object such as"),
        ({"query": "q", "patch": [1]}, "patch is an object, not a list."),
        ({"query": "q", "limit": 1, "maxResults": 2}, "max_results was given twice, with different values."),
        ({"query": "q", "patch": {"a": "x" * 600_000}}, "The arguments are too long (600,0"),
        ({"query": "q", "patch": {"鲸" * 200_000: 1}}, "The arguments are too long (600,0"),
    ],
)
def test_what_cannot_be_meant(given: Any, said: str) -> None:
    with pytest.raises(UsageError) as error:
        read(FIELDS, given)
    assert said in str(error.value)


def test_text_of_many_bytes_is_taken() -> None:
    assert read(FIELDS, {"query": "q", "patch": {"a": "鲸" * 170_000}})["patch"] == {"a": "鲸" * 170_000}


def test_nesting_has_an_end() -> None:
    value: Any = 1
    for _ in range(MOST_DEPTH - 2):
        value = [value] if isinstance(value, dict) else {"a": value}
    assert read(FIELDS, {"query": "q", "patch": {"a": value}})["patch"] == {"a": value}
    with pytest.raises(UsageError) as error:
        read(FIELDS, {"query": "q", "patch": {"a": [value]}})
    assert error.value.message == f"The arguments are nested too deeply (at most {MOST_DEPTH} levels)."


def test_deep_nesting_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UsageError, match="nested too deeply"):
        read(FIELDS, {"query": deep})
    with pytest.raises(UsageError):
        read(FIELDS, {"query": "q", "patch": "[" * 100_000})


def test_schema() -> None:
    schema = schema_of(FIELDS)
    assert schema["type"] == "object"
    assert schema["required"] == ["query"]
    assert schema["properties"]["max_results"] == {
        "type": "integer", "minimum": 1, "maximum": 100, "description": "How many.", "default": 20
    }  # fmt: skip
    assert schema["properties"]["budget"]["default"] == 2_000
    assert schema["properties"]["kinds"]["items"] == {"type": "string", "enum": ["fact", "todo"]}
    assert "required" not in schema_of(())


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from([field.name for field in FIELDS]) | st.text()


@settings(max_examples=60)
@given(st.dictionaries(NAMES, VALUE, max_size=6))
def test_any_arguments_are_read_or_refused(given: dict[str, Any]) -> None:
    try:
        values = read(FIELDS, given)
    except UsageError as error:
        assert error.message
    else:
        assert 1 <= values["max_results"] <= 100
        assert isinstance(values["query"], str)
        values["query"].encode()
