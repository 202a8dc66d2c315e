"""Records nobody knows: their kinds are kept by name, one row a kind and file, and what is known is in all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from data import claude_files, codex_files
from data.claude_files import Chat
from library_world import World

from tray_app.library.drift import Drift, drifts
from tray_app.library.reading import Reader


def put(world: World, rows: list[Any], label: str = "one") -> Path:
    return claude_files.write(world.root("claude_code") / "-p" / f"{claude_files.make_id(label)}.jsonl", rows)


def kept(world: World) -> list[tuple[str, str]]:
    return world.rows("select kind, reason from problems order by reason")


def drift(world: World) -> list[Drift]:
    with world.cursor() as cursor:
        return drifts(cursor)


def test_kinds_are_kept_and_added_up(world: World) -> None:
    chat = Chat("one")
    rows: list[Any] = [chat.user("about quince"), chat.answer("yes"), {"type": "vision-frame"}, {"type": "vision-frame"}]
    path = put(world, rows)
    world.index()
    assert kept(world) == [("unknown_record", "kind 'vision-frame', 2 times")]
    rows += [{"type": "vision-frame"}, {"type": "hologram"}, b"not json", chat.answer("it is ripe")]
    path.write_bytes(claude_files.encode(rows))
    world.index()
    again = [
        ("unknown_record", "kind 'hologram', 1 time"), ("unknown_record", "kind 'vision-frame', 3 times"), ("bad_json", "not valid JSON"),
    ]  # fmt: skip
    assert kept(world) == again
    assert world.texts(chat.id) == ["about quince", "yes", "it is ripe"]
    world.index(anew=True)
    assert kept(world) == again
    (found,) = drift(world)
    assert (found.agent, found.files, found.records, found.kinds) == ("claude_code", 1, 4, {"vision-frame": 3, "hologram": 1})


def test_few_of_many_are_no_drift(world: World) -> None:
    chat = Chat("one")
    put(world, [chat.user("a"), *(chat.answer(f"b{number}") for number in range(9)), {"type": "vision-frame"}])
    world.index()
    assert [(found.files, found.different) for found in drift(world)] == [(0, 1)]


def test_a_file_that_nothing_came_out_of_is_a_problem(world: World) -> None:
    path = codex_files.written(
        world.root("codex"), [codex_files.row(1, "ledger", {"a": 1}), codex_files.row(2, "ledger", {"a": 2})]
    )
    world.index()
    assert world.statuses()[path.name] == ("not_recognised", "0 of 2 records recognised")
    assert kept(world) == [("not_recognised", "0 of 2 records recognised"), ("unknown_record", "kind 'ledger', 2 times")]
    path.unlink()
    world.index()
    assert kept(world) == [] and drift(world) == []


def test_the_list_of_problems_names_what_is_broken_first(world: World) -> None:
    chat = Chat("one")
    put(world, [{"type": f"kind-{letter}"} for letter in "abcdef"] + [chat.user("a"), b"not json"])
    world.index()
    reader = Reader(world.opened)
    try:
        assert [row.kind for row in reader.problems(2)] == ["bad_json", "unknown_record"]
        assert reader.problem_count() == 1
    finally:
        reader.close()
