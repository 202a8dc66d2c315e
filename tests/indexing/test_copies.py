"""Forks, resumes, replays: every message is found once, with whoever said it first, in whatever order files are met."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from data import claude_files, codex_files, dsh_files
from data.claude_files import Chat, Row, make_id
from library_world import World

PARENT, CHILD = make_id("parent"), make_id("child")
OLD, NEW = 1_772_000_000_000_000_000, 1_772_100_000_000_000_000
"""File times (ns): the newer file is read first."""


def put(world: World, session: str, rows: list[Row | bytes], when: int, folder: str = "-home-kim-shop") -> Path:
    path = claude_files.write(world.root("claude_code") / folder / f"{session}.jsonl", rows)
    os.utime(path, ns=(when, when))
    return path


def parent_rows() -> list[Row | bytes]:
    chat = Chat("parent")
    return [
        chat.user("why does the cart round twice"),
        chat.answer("Because of discount().", message="msg_p1"),
        chat.user("fix the pomegranate"),
        chat.answer("Fixed the pomegranate.", message="msg_p2"),
    ]


def forked_rows() -> list[Row | bytes]:
    """All lines of the parent with their ids and times, under a new session id, and one round more."""
    chat = Chat("child")
    chat.count = 50
    copied = [{**row, "sessionId": CHILD} for row in parent_rows() if isinstance(row, dict)]
    return [*copied, chat.user("now the quince"), chat.answer("The quince is done.", message="msg_c1")]


def resumed_rows() -> list[Row | bytes]:
    """As a 1.x resume: the history again with new ids and times; only the model's message ids stay."""
    chat = Chat("child", version="1.0.44")
    chat.count = 50
    rows: list[Row | bytes] = []
    for row in parent_rows():
        assert isinstance(row, dict)
        fresh = chat._line(row["type"], None, {"message": row["message"]})
        rows.append(fresh)
    return [*rows, chat.user("now the quince"), chat.answer("The quince is done.", message="msg_c1")]


def codex_fork(world: World, first: str) -> list[tuple[str, Callable[[], Path]]]:
    """A parent and a fork with the parent's turns stamped anew, without ids."""
    parent = [codex_files.meta(codex_files.PARENT)]
    for second, words in ((2, "prune the pear"), (6, "water the pomegranate")):
        parent += [codex_files.event(second, "user", words), codex_files.event(second + 1, "assistant", f"done: {words}")]
    child = [
        codex_files.meta(codex_files.SESSION, 100, forked_from_id=codex_files.PARENT),
        codex_files.meta(codex_files.PARENT),
    ]
    for second, words in ((101, "prune the pear"), (101, "water the pomegranate")):
        child += [codex_files.event(second, "user", words), codex_files.event(second, "assistant", f"done: {words}")]
    child += [codex_files.event(110, "user", "now the quince"), codex_files.event(111, "assistant", "done: quince")]

    def write(rows: list[Any], session: str, when: int) -> Path:
        path = codex_files.written(world.root("codex"), rows, session)
        os.utime(path, ns=(when, when))
        return path

    return [
        ("parent", lambda: write(parent, codex_files.PARENT, OLD)),
        ("child", lambda: write(child, codex_files.SESSION, NEW)),
    ]


Steps = list[tuple[str, Callable[[], Path]]]


def fork(world: World) -> tuple[Steps, str, str]:
    steps: Steps = [
        ("parent", lambda: put(world, PARENT, parent_rows(), OLD)),
        ("child", lambda: put(world, CHILD, forked_rows(), NEW)),
    ]
    return steps, PARENT, CHILD


def resume(world: World) -> tuple[Steps, str, str]:
    steps: Steps = [
        ("parent", lambda: put(world, PARENT, parent_rows(), OLD)),
        ("child", lambda: put(world, CHILD, resumed_rows(), NEW)),
    ]
    return steps, PARENT, CHILD


def codex(world: World) -> tuple[Steps, str, str]:
    return codex_fork(world, ""), codex_files.PARENT, codex_files.SESSION


def dsh(world: World) -> tuple[Steps, str, str]:
    def write(session: str, when: int, seeded: bool) -> Path:
        log = dsh_files.Log(4)
        log.ask("prune the pear").answer("done: pear").end().ask("water the pomegranate").answer("done: pomegranate").end()
        head = dsh_files.header(4, session)
        if seeded:
            head |= {"parentSession": "session-parent", "isSeeded": True}
            log.event("session/end-seed", {"inherited": True})
            log.ask("now the quince").answer("done: quince").end()
        path = dsh_files.put(world.root("dsh"), dsh_files.frames(head, log.rows), session=session)
        os.utime(path, ns=(when, when))
        return path

    steps: Steps = [
        ("parent", lambda: write("session-parent", OLD, False)),
        ("child", lambda: write("session-child", NEW, True)),
    ]
    return steps, "session-parent", "session-child"


KINDS = {"fork": fork, "resume": resume, "codex": codex, "dsh": dsh}


@pytest.mark.parametrize("order", ["together", "parent first", "child first"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_message_once(world: World, tmp_path: Path, kind: str, order: str) -> None:
    steps, parent, child = KINDS[kind](world)
    for _, write in reversed(steps) if order == "child first" else steps:
        write()
        if order != "together":
            world.index()
            world.assert_sound()
    world.index()
    texts = world.texts()
    assert len(texts) == len(set(texts))
    assert set(world.find("pomegranate")) == {parent}
    assert set(world.find("quince")) == {child}
    talk = world.talk(child)
    if kind != "dsh" or talk[0][2]:
        assert [text for _, text, _ in talk][:4] == [text for _, text, _ in world.talk(parent)]
        assert [inherited for *_, inherited in talk] == [True] * 4 + [False] * 2
    assert [inherited for *_, inherited in world.talk(parent)] == [False] * 4
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_parent_leaves_stays_with_the_child(world: World, tmp_path: Path, kind: str) -> None:
    steps, _, child = KINDS[kind](world)
    paths = [write() for _, write in steps]
    world.index()
    whole = [(role, text) for role, text, _ in world.talk(child)]
    paths[0].unlink()
    world.index()
    world.assert_sound()
    assert world.rows("select native from sessions") == [(child,)]
    assert [(role, text) for role, text, _ in world.talk(child)] == whole
    assert set(world.find("quince")) == {child}
    if len(whole) == 6:
        assert set(world.find("pomegranate")) == {child}
    world.index()  # reads the heir, so that ids and offsets are those of its own file
    assert world.read_bytes() == 0
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


@pytest.mark.parametrize("kind", ["fork", "resume"])
def test_a_parent_that_is_rewritten(world: World, tmp_path: Path, kind: str) -> None:
    """What it no longer says stays with the child that still says it."""
    steps, _, child = KINDS[kind](world)
    for _, write in steps:
        write()
    world.index()
    whole = world.talk(child)
    put(world, PARENT, [*parent_rows()[:2], Chat("other").user("something else")], NEW + 1)
    world.index()
    world.assert_sound()
    assert [text for _, text, _ in world.talk(child)] == [text for _, text, _ in whole]
    assert set(world.find("pomegranate")) == {child}
    assert [inherited for *_, inherited in world.talk(child)] == [True, True, False, False, False, False]
    world.index()
    assert world.read_bytes() == 0
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_a_child_that_goes_on(world: World, tmp_path: Path) -> None:
    put(world, PARENT, parent_rows(), OLD)
    path = put(world, CHILD, forked_rows(), NEW)
    world.index()
    chat = Chat("child")
    chat.count = 90
    with path.open("ab") as file:
        file.write(claude_files.encode([chat.user("and the medlar"), chat.answer("The medlar too.", message="msg_c2")]))
    world.index()
    assert [inherited for *_, inherited in world.talk(CHILD)] == [True] * 4 + [False] * 4
    assert set(world.find("medlar")) == {CHILD}
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_a_parent_that_goes_on_after_the_fork(world: World, tmp_path: Path) -> None:
    """The copied answers of a 2.1.332 fork name the session they were given to: without that the later end would mislead."""
    path = put(world, PARENT, parent_rows(), OLD)
    rows = [
        {**row, "requestSessionId": PARENT} if isinstance(row, dict) and n < 4 else row for n, row in enumerate(forked_rows())
    ]
    put(world, CHILD, rows, NEW)
    world.index()
    chat = Chat("parent")
    chat.count = 90
    with path.open("ab") as file:
        file.write(
            claude_files.encode([chat.user("and the medlar", 400), chat.answer("The medlar too.", 401, message="msg_p3")])
        )
    world.index()
    assert set(world.find("medlar")) == {PARENT}
    assert set(world.find("pomegranate")) == {PARENT}
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_three_generations_in_any_order(world: World, tmp_path: Path, order: tuple[int, ...]) -> None:
    """A fork of a fork; each file in a pass of its own."""
    grandchild = make_id("grandchild")
    chat = Chat("grandchild")
    chat.count = 200
    last = [{**row, "sessionId": grandchild} for row in forked_rows() if isinstance(row, dict)]
    files = [(PARENT, parent_rows()), (CHILD, forked_rows()), (grandchild, [*last, chat.user("the fig at last", 500)])]
    for place in order:
        put(world, *files[place], OLD + place)
        world.index()
        world.assert_sound()
    assert set(world.find("pomegranate")) == {PARENT}
    assert set(world.find("quince")) == {CHILD}
    assert set(world.find("fig")) == {grandchild}
    assert len(world.talk(grandchild)) == 7
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


@pytest.mark.parametrize("order", ["together", "parent first", "agent first"])
def test_a_sub_agent_that_replays_its_parent(world: World, tmp_path: Path, order: str) -> None:
    side = Chat("parent", isSidechain=True, agentId="a1")
    side.count = 70
    replayed = [{**row, "isSidechain": True, "agentId": "a1"} for row in parent_rows()[:2] if isinstance(row, dict)]
    rows = [*replayed, side.answer("The helper found a medlar.", 300, message="msg_a1")]

    def agent() -> None:
        folder = world.root("claude_code") / "-home-kim-shop" / PARENT / "subagents"
        path = claude_files.write(folder / "agent-a1.jsonl", rows)
        os.utime(path, ns=(NEW, NEW))

    def main() -> None:
        put(world, PARENT, parent_rows(), OLD)

    for step in (agent, main) if order == "agent first" else (main, agent):
        step()
        if order != "together":
            world.index()
    world.index()
    texts = world.texts()
    assert len(texts) == len(set(texts)) == 5
    assert world.rows("select kind, parent from sessions where native <> ?", PARENT) == [("subagent", PARENT)]
    assert set(world.find("discount")) == {PARENT}
    assert PARENT not in world.find("medlar")
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_one_id_in_two_sessions_with_different_words(world: World) -> None:
    for label, words in (("one", "pinkfish"), ("two", "greenfish")):
        put(world, make_id(label), [{**Chat(label).user(words), "uuid": make_id("same")}], OLD)
    world.index()
    assert world.find("pinkfish") == [make_id("one")]
    assert world.find("greenfish") == [make_id("two")]


def test_a_repeated_record_is_one_message(world: World) -> None:
    chat = Chat("twice")
    first = chat.user("the keyhole")
    put(world, chat.id, [first, first, chat.answer("found the keyhole twice"), json.loads(json.dumps(first))], OLD)
    world.index()
    assert world.texts() == ["the keyhole", "found the keyhole twice"]
    assert world.statuses()[f"{chat.id}.jsonl"][0] == "ok"


def test_the_longer_of_two_homes_counts(world: World, tmp_path: Path) -> None:
    """One session in two folders of an agent: shown once, from the file that has more."""
    from tray_app.indexing.plan import Source

    other = Source("claude_code:other", "claude_code", world.home / "windows" / "projects")
    world.sources.append(other)
    put(world, PARENT, parent_rows()[:2], NEW)
    longer = claude_files.write(other.root / "C--shop" / f"{PARENT}.jsonl", parent_rows())
    world.index()
    assert len(world.talk(PARENT)) == 4
    assert world.read_bytes() == 0
    (world.home / "windows").rename(world.home / "away")
    world.index()  # offline: nothing goes, and the shorter one does not take its place
    assert len(world.talk(PARENT)) == 4
    (world.home / "away").rename(world.home / "windows")
    longer.unlink()
    world.index()
    world.sources.remove(other)
    world.index()
    assert len(world.talk(PARENT)) == 2
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def copied_by_hand_rows() -> list[Row | bytes]:
    """The parent's file saved under another name, and gone on with: the lines still say the parent's id."""
    chat = Chat("parent")
    chat.count = 80
    return [*parent_rows(), chat.user("and the persimmon"), chat.answer("The persimmon too.", message="msg_x1")]


@pytest.mark.parametrize("together", [True, False])
def test_a_further_file_with_the_same_session_id_takes_nothing_from_the_first(world: World, together: bool) -> None:
    put(world, PARENT, parent_rows(), OLD)
    if not together:
        world.index()
    put(world, "saved copy", copied_by_hand_rows(), NEW)
    world.index()
    world.index()
    assert [session for (session,) in world.rows("select native from sessions order by native")] == [
        PARENT,
        f"{PARENT}~saved copy",
    ]
    assert [text for _, text, _ in world.talk(PARENT)] == [text for _, text, _ in world.talk(f"{PARENT}~saved copy")][:4]
    assert len(world.texts()) == len(set(world.texts())) == 6
    assert world.find("pomegranate") == [PARENT]
    assert world.find("persimmon") == [f"{PARENT}~saved copy"]
    assert world.read_bytes() == 0
    world.assert_sound()
