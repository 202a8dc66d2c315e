"""What is kept where not all can be: the newest, counted, and settled after one pass."""

from __future__ import annotations

import os
from pathlib import Path

from data import claude_files
from data.claude_files import Chat, make_id
from hypothesis import given
from hypothesis import strategies as st
from library_world import PLENTY, World

from tray_app.indexing.passes import NO_ROOM, TOO_OLD
from tray_app.indexing.room import Budgets, Held, Room

DAY = 86_400 * 10**9
START = 1_772_000_000_000_000_000


def put(world: World, day: int, rounds: int = 4) -> str:
    """A session of a day, of so many passages."""
    chat = Chat(f"day{day}")
    rows = []
    for number in range(rounds):
        rows += [chat.user(f"day{day} question {number}"), chat.answer("words " * 150 + f"{number}")]
    path = claude_files.write(world.root("claude_code") / "-p" / f"{chat.id}.jsonl", rows)
    os.utime(path, ns=(START + day * DAY, START + day * DAY))
    return chat.id


def kept(world: World) -> set[str]:
    return {row[0] for row in world.rows("select native from sessions")}


def test_lowering_takes_out_the_oldest_and_raising_reads_them_again(world: World, tmp_path: Path) -> None:
    for day in range(6):
        put(world, day)
    world.index()
    each = world.rows("select count(*) from chunks")[0][0] // 6
    whole = world.content()
    world.budgets = Budgets(each * 3, PLENTY)
    world.index()
    assert kept(world) == {make_id(f"day{day}") for day in (3, 4, 5)}
    assert world.rows("select reason, over_budget from files where session_id < 0") == [(NO_ROOM, each)] * 3
    assert world.read_bytes() == 0
    world.assert_sound()
    world.budgets = Budgets(each * 4, PLENTY)
    world.index()
    assert kept(world) == {make_id(f"day{day}") for day in (2, 3, 4, 5)}
    world.budgets = Budgets(PLENTY, each * 2)
    world.index()
    assert kept(world) == {make_id(f"day{day}") for day in (4, 5)}
    world.budgets = Budgets(PLENTY, PLENTY)
    world.index()
    world.assert_like_fresh(tmp_path / "fresh.duckdb")
    assert {name: value for name, value in world.content().items() if name != "files"} == {
        name: value for name, value in whole.items() if name != "files"
    }


def test_a_full_library_takes_what_is_new(world: World) -> None:
    """The newest session comes in, the oldest goes: also when the budget was full before."""
    for day in range(4):
        put(world, day)
    world.budgets = Budgets(10, PLENTY)
    world.index()
    world.index()
    assert world.read_bytes() == 0
    before = kept(world)
    newest = put(world, 9)
    world.index()
    assert newest in kept(world)
    assert kept(world) < before | {newest}
    assert world.rows("select count(*) from chunks")[0][0] <= 10
    world.index()
    assert world.read_bytes() == 0
    world.assert_sound()


def test_a_budget_that_is_full_reads_no_more(world: World) -> None:
    for day in range(30):
        put(world, day)
    world.budgets = Budgets(8, PLENTY)
    world.index()
    counted = world.rows("select count(*) from files where over_budget > 0")[0][0]
    assert counted == 30 - len(kept(world))
    world.index()
    assert world.read_bytes() == 0
    assert make_id("day29") in kept(world)


def test_a_session_larger_than_the_budget_is_kept_if_it_is_the_newest(world: World) -> None:
    put(world, 1)
    put(world, 2, rounds=30)
    world.budgets = Budgets(5, PLENTY)
    world.index()
    assert kept(world) == {make_id("day2")}
    assert world.read_bytes() == 0


def test_the_window_of_days_both_ways(world: World, tmp_path: Path) -> None:
    for day in range(5):
        put(world, day)
    world.budgets = Budgets(PLENTY, PLENTY, START + 3 * DAY)
    world.index()
    assert kept(world) == {make_id("day3"), make_id("day4")}
    assert world.rows("select status, reason, over_budget from files where session_id < 0") == [("over_budget", TOO_OLD, 1)] * 3
    assert world.read_bytes() == 0
    world.budgets = Budgets(PLENTY, PLENTY, 0)
    world.index()
    assert len(kept(world)) == 5
    world.assert_like_fresh(tmp_path / "fresh.duckdb")
    world.budgets = Budgets(PLENTY, PLENTY, START + 4 * DAY)
    world.index()
    assert kept(world) == {make_id("day4")}
    assert world.rows("select count(*) from files where over_budget > 0") == [(4,)]
    world.assert_sound()


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 50), st.integers(1, 30)), max_size=20),
    st.integers(1, 60),
    st.integers(1, 90),
)
def test_what_is_kept_fits_and_what_is_out_does_not(files: list[tuple[str, int, int]], per_source: int, total: int) -> None:
    budgets = Budgets(per_source, total)
    held = [Held(n, *one) for n, one in enumerate(sorted(files, key=lambda one: -one[1]))]
    out = Room(budgets, held).beyond()
    stay = [one for one in held if one.session_id not in out]
    room = Room(budgets, stay)
    assert room.beyond() == {}
    for one in held:
        if one.session_id in out:
            assert one.passages > room.left(one.agent, one.mtime_ns)
    for agent in "ab":
        mine = [one.passages for one in stay if one.agent == agent]
        assert len(mine) <= 1 or sum(mine) <= per_source
    assert len(stay) <= 1 or sum(one.passages for one in stay) <= total
