"""Arguments that no type or nobody can mean, for every method there is: an error in words, and the owner goes on."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_double import connect_double
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from traffic import real

from tray_app.errors import BugError, KnownError, UsageError
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.service import arguments, ownership, protocol
from tray_app.service.client import Client

ODD: dict[type, Any] = {
    str: ["x"], int: "7", float: "7", bool: "yes", list: {"a": 1}, tuple: 5, dict: [1], type(None): object, SearchRequest: "webhook",
}  # fmt: skip
"""For each type a value that is not of it."""
TEXTS = [
    "",
    "a",
    "x" * 5000,
    "\0",
    "orchard",
    "../../etc/passwd",
    "'; drop table memories; --",
    "退款",
    "%s",
    "\u202e",
    "~",
    "*",
    '"',
]
TEXTS += [
    "-1",
    "2026-99-99",
    "a\nb",
    "\x1b[31m",
    "C:\\x",
    "/",
    "fact",
    "default",
    "last week",
    "\ufffe",
    "index.days",
    "(((" * 50,
]
NUMBERS = [0, 1, -1, 7, 2**31 - 1, 2**31, -(2**31), 2**53, 2**63 - 1, -(2**63), 2**64, 10**30]
FLOATS = [0.0, -1.0, 0.5, 5e15, 1e308, -1e308, 1e-308]
APART = {"set_key", "download_model", "test_meaning"}
"""What would ask the keyring or the network."""
SLOW = {"index", "rebuild", "clear_index", "doctor", "backup", "status", "meaning"}
"""What takes no value that could be odd, and long."""


@pytest.fixture
def client() -> Iterator[Client]:
    with connect_double("cli"):
        yield asking()


def asking() -> Client:
    note = ownership.read_note(Paths.from_environment())
    assert note is not None
    client = Client(note, "cli")
    client.greet()
    return client


def kinds(hint: Any) -> tuple[Any, ...]:
    """What a value of this type may be, None left out."""
    parts = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    return tuple(typing.get_origin(part) or part for part in parts if part is not type(None))


def test_wrong_types_of_every_argument_are_told_in_words(client: Client) -> None:
    checked = 0
    for name, method in protocol.METHODS.items():
        for field in msgspec.structs.fields(method.params):
            kind = kinds(field.type)[0]
            if kind is Any:
                continue
            with pytest.raises(UsageError) as error:
                client.ask(name, {field.name: ODD[kind]})
            assert error.value.code == "params"
            assert error.value.message.startswith(f"{name}: Expected ")
            assert f"`$.{field.name}`" in error.value.message
            checked += 1
        with pytest.raises(UsageError, match="unknown field `surprise`"):
            client.ask(name, {"surprise": 1})
    assert checked > 100
    client.close()


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("sessions", {"limit": -1}, "Limit lies between 0 and 2147483648, and is not -1."),
        ("topics", {"days": 1 << 40}, "Days lies between 0 and 2147483648, and is not 1099511627776."),
        ("card", {"project": "a", "id": 10**30}, "Id holds a number that is too large."),
        ("search", {"request": {"query": "a", "limit": 1 << 60}}, "Request holds a number that is too large."),
        ("put_checkpoint", {"project": "a", "fields": {"done": [[1 << 60]]}}, "Fields holds a number that is too large."),
        ("pause", {"minutes": 1e15}, "Minutes lie between 0 and 5270400 (ten years), and are not 1e+15."),
        ("pause", {"minutes": -1}, "Minutes lie between 0 and 5270400 (ten years), and are not -1."),
        ("add_space", {"name": "a", "folders": ["/a", "/b\0c"]}, "Folders holds a character that no path holds."),
        ("export_memory", {"path": "/a/" + "数" * 90}, "Path is longer than a path can be."),
        ("write_out", {"session": "a", "target": "/a" * 2100}, "Target is longer than a path can be."),
        ("test_meaning", {"values": {"dims": "many"}}, "Dims is a whole number, and not 'many'."),
        ("test_meaning", {"values": {"url": True}}, "Url is a text, and not True."),
    ],
)
def test_what_cannot_be_meant_is_told_in_words(method: str, params: dict[str, Any], message: str) -> None:
    with connect_double("cli") as owner, connect_double("cli"):
        client = asking()
        with pytest.raises(UsageError) as error:
            client.ask(method, params)
        assert (error.value.code, error.value.message) == ("bad_argument", message)
        client.close()
        given = protocol.decode(protocol.encode(params), protocol.METHODS[method].params)
        with pytest.raises(UsageError) as here:  # the same where no socket is in between
            getattr(owner, method)(**{name: getattr(given, name) for name in params})
        assert here.value.message == message
        assert owner.engine.calls == []  # type: ignore[union-attr]


def test_folders_with_long_names_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between backslashes, and in Chinese, where each character is three bytes."""
    path = "D:\\" + "\\".join(["数据库迁移与备份"] * 15)
    monkeypatch.setattr(arguments, "os", types.SimpleNamespace(name="nt"))
    arguments.check({"path": path})
    with pytest.raises(UsageError, match="longer than a path can be"):
        arguments.check({"path": path * 20})


def test_what_is_nested_too_deeply(client: Client) -> None:
    for depth in (40, 900):
        deep: Any = "end"
        for _ in range(depth):
            deep = [deep]
        with pytest.raises(UsageError, match="Value is nested too deeply"):
            client.ask("set_config", {"key": "index.days", "value": deep})
    client.close()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from(["value", "fields", "key"]), ANYTHING, max_size=3))
def test_checking_itself_never_fails(params: dict[str, Any]) -> None:
    try:
        arguments.check(params)
    except UsageError as error:
        assert error.code == "bad_argument"


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of this type, odd ones among them, as they are sent."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(values_of, inner))
    if origin in (list, tuple):
        return st.lists(values_of(inner[0]), max_size=2)
    if origin is dict:
        names = st.sampled_from([*TEXTS, "goal", "done", "next", "files", "agent", "session"])
        return st.dictionaries(names, values_of(inner[1]), max_size=3)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return params_of(hint)
    known: dict[Any, st.SearchStrategy[Any]] = {
        str: st.sampled_from(TEXTS), int: st.sampled_from(NUMBERS), float: st.sampled_from(FLOATS), bool: st.booleans(),
        type(None): st.none(), Any: st.sampled_from([None, True, 0, 10**30, 1e308, "", "\0", [], [1, [2]], {"a": {"b": [None]}}]),
    }  # fmt: skip
    return known[hint]


def params_of(struct: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    fields = msgspec.structs.fields(struct)
    required = {field.name: values_of(field.type) for field in fields if field.required}
    return st.fixed_dictionaries(
        required, optional={field.name: values_of(field.type) for field in fields if not field.required}
    )


CALLS = st.sampled_from([name for name in protocol.METHODS if name not in APART | SLOW]).flatmap(
    lambda name: st.tuples(st.just(name), params_of(protocol.METHODS[name].params))
)


def test_odd_values_for_every_method_of_the_real_engine(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked, the answer is one, or an error that is not ours."""
    monkeypatch.chdir(home)  # a path that is relative lies there
    with real("cli"):
        client = asking()

        @settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None, database=None)
        @given(CALLS)
        def ask(call: tuple[str, dict[str, Any]]) -> None:
            name, params = call
            assume(params.get("path") != "/")
            try:
                client.ask(name, params)
            except BugError as error:
                pytest.fail(f"{name}: {error}")
            except KnownError as error:
                assert error.message

        ask()
        assert client.ask("status", {}).version
        client.close()
