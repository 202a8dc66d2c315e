"""Recall: two lists joined, log-like kinds held back, use counted; on a real store with small deterministic vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hash_embedder import hashed
from hypothesis import given
from hypothesis import strategies as st
from memory_world import MemoryWorld

from tray_app.embed.asked import Question
from tray_app.embed.base import LATE, Asked, MeaningState, QueryVector
from tray_app.errors import KnownError, UsageError
from tray_app.library.memory.rows import MemoryRow
from tray_app.memory import recalling
from tray_app.memory.recalling import in_order, joined, recall
from tray_app.records import MemoryView

NOW = "2026-03-01T10:00:00.000Z"
SPACE = "test|hash|64||unit"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryWorld]:
    monkeypatch.setenv("BACKSCROLL_NOW", NOW)
    made = MemoryWorld(tmp_path)
    made.project("shop")
    yield made
    made.close()


def keep(world: MemoryWorld, content: str, kind: str = "fact", project: str = "shop", title: str = "A note") -> int:
    return world.memories.remember(project, kind, title, content).memory.id


def begin(text: str) -> Asked:
    return Question(None, QueryVector(SPACE, hashed(text), 0))


def fill(world: MemoryWorld) -> None:
    rows = world.store.lacking(SPACE)
    world.store.put_vectors(SPACE, {row.id: hashed(f"{row.title}\n{row.content}") for row in rows})


def asked(world: MemoryWorld, query: str, **named: object) -> list[MemoryView]:
    return recall(world.store, world.projects, query, **named)  # type: ignore[arg-type]


def ids(views: list[MemoryView]) -> list[int]:
    return [view.id for view in views]


# --- words ---------------------------------------------------------------------------------------------------------------------
def test_words_find_by_themselves(world: MemoryWorld) -> None:
    pool = keep(world, "The connection pool holds ten connections.")
    keep(world, "Buttons are blue.")
    (view,) = asked(world, "how large is the connection pool?")
    assert (view.id, view.matched, view.score) == (pool, ("connection", "pool", "connections"), 1 / 61)


def test_chinese_is_found_by_parts(world: MemoryWorld) -> None:
    keep(world, "按钮是蓝色的。")
    number = keep(world, "数据库连接池最多十个连接。")
    (view,) = asked(world, "连接池有多大")
    assert (view.id, view.matched) == (number, ("连接池", "连接"))
    assert ids(asked(world, "蓝")) == [number - 1]


def test_the_other_language_is_found_by_the_glossary(world: MemoryWorld) -> None:
    chinese = keep(world, "数据库每晚备份。")
    english = keep(world, "The database is small.")
    keep(world, "Buttons are blue.")
    assert ids(asked(world, "database")) == [english, chinese]
    assert ids(asked(world, "数据库")) == [chinese, english]
    assert asked(world, "数据库")[1].matched == ("database",)


@pytest.mark.parametrize("query", ["", "  ", "?!…", "zebra quagga"])
def test_nothing_is_found_by_nothing(world: MemoryWorld, query: str) -> None:
    keep(world, "Buttons are blue.")
    assert asked(world, query) == []
    assert asked(world, "blue", limit=0) == []


# --- meaning -------------------------------------------------------------------------------------------------------------------
def test_meaning_finds_beside_words(world: MemoryWorld) -> None:
    both = keep(world, "retry payment webhook")
    words = keep(world, "webhook " + "filler words about nothing at all " * 10)
    fill(world)
    found = asked(world, "payment webhook retry", begin=begin)
    assert ids(found)[0] == both
    assert found[0].score == 2 / 61
    assert words in ids(found)


@pytest.mark.parametrize("state", [LATE, MeaningState("off"), MeaningState("embedding_unreachable", "x")])
def test_without_a_vector_words_answer(world: MemoryWorld, state: MeaningState) -> None:
    number = keep(world, "retry payment webhook")
    fill(world)
    assert ids(asked(world, "webhook", begin=lambda text: Question(None, state))) == [number]


def test_vectors_of_another_space_are_not_met(world: MemoryWorld) -> None:
    number = keep(world, "retry payment webhook")
    fill(world)
    other: Callable[[str], Asked] = lambda text: Question(None, QueryVector("other", hashed(text), 0))  # noqa: E731
    short: Callable[[str], Asked] = lambda text: Question(None, QueryVector(SPACE, np.ones(3, np.float32), 0))  # noqa: E731
    for ask in (other, short):
        assert ids(asked(world, "webhook", begin=ask)) == [number]
        assert asked(world, "zebra", begin=ask) == []


# --- what counts ---------------------------------------------------------------------------------------------------------------
def test_only_active_memories_are_found(world: MemoryWorld) -> None:
    old, gone = keep(world, "webhook one"), keep(world, "webhook two")
    active = world.memories.remember("shop", "fact", "", "webhook three", supersedes=[old]).memory.id
    world.memories.archive(gone)
    with world.store.change() as change:
        change.put(MemoryRow(id=99, project="shop", kind="fact", state="draft", title="t", content="webhook four"))
    fill(world)
    assert ids(asked(world, "webhook", begin=begin)) == [active]


def test_a_project_by_any_of_its_names(world: MemoryWorld) -> None:
    mine, other = keep(world, "webhook one"), keep(world, "webhook two", project="other")
    world.projects.alias("store", "shop")
    assert ids(asked(world, "webhook", project="STORE")) == [mine]
    assert ids(asked(world, "webhook", project="Other")) == [other]
    assert sorted(ids(asked(world, "webhook"))) == [mine, other]
    with pytest.raises(UsageError) as caught:
        asked(world, "webhook", project="nobody")
    assert caught.value.code == "no_such_project"


def test_kinds(world: MemoryWorld) -> None:
    fact, todo = keep(world, "webhook one"), keep(world, "webhook two", "todo")
    assert ids(asked(world, "webhook", kinds=["todo"])) == [todo]
    assert sorted(ids(asked(world, "webhook", kinds=["todo", "fact"]))) == [fact, todo]
    with pytest.raises(UsageError) as caught:
        asked(world, "webhook", kinds=["opinion"])
    assert caught.value.code == "bad_kind"


# --- the order -----------------------------------------------------------------------------------------------------------------
def row(number: int, kind: str) -> MemoryRow:
    return MemoryRow(id=number, project="p", kind=kind, title="t", content="c")


def test_reciprocal_ranks() -> None:
    assert joined([5, 7], [7, 9]) == {5: 1 / 61, 7: 1 / 62 + 1 / 61, 9: 1 / 62}


def test_log_like_kinds_weigh_less() -> None:
    rows = {1: row(1, "changelog"), 2: row(2, "session"), 3: row(3, "fact"), 4: row(4, "fact")}
    scores = dict.fromkeys(rows, 1.0)
    assert in_order(scores, rows, 8, weighed=True) == [4, 3, 2, 1]
    assert scores == {1: 0.78, 2: 0.88, 3: 1.0, 4: 1.0}
    assert in_order(dict.fromkeys(rows, 1.0), rows, 8, weighed=False) == [4, 3, 2, 1]


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (2, 1), (3, 1), (5, 1), (6, 2), (8, 2), (9, 3)])
def test_a_log_like_kind_is_a_third_at_most(limit: int, most: int) -> None:
    rows = {
        number: row(number, "changelog" if number <= 20 else "session" if number <= 40 else "fact") for number in range(1, 61)
    }
    scores = {number: 100.0 - number for number in rows}
    for number in range(41, 61):
        scores[number] = 1.0
    chosen = [rows[number].kind for number in in_order(dict(scores), rows, limit, weighed=True)]
    assert len(chosen) == limit
    assert chosen.count("changelog") == min(most, limit)
    assert chosen.count("session") == min(most, limit - chosen.count("changelog"))
    unweighed = in_order(dict(scores), rows, limit, weighed=False)
    assert unweighed == list(range(1, limit + 1))


def test_held_back_in_a_real_recall(world: MemoryWorld) -> None:
    for number in range(12):
        keep(world, f"webhook entry {number}", "changelog")
    fact = keep(world, "The webhook is retried, and other things are said here too.")
    found = asked(world, "webhook", limit=6)
    assert ids(found).index(fact) == 0
    assert [view.kind for view in found] == ["fact", "changelog", "changelog"]
    assert len(asked(world, "webhook", limit=6, kinds=["changelog"])) == 6


def test_the_pool_is_three_times_the_limit_and_24_at_least(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    with world.store.change() as change:
        for number in range(1, 101):
            change.put(MemoryRow(id=number, project="shop", kind="fact", title="t", content="webhook", hash=str(number)))
    pools: list[int] = []
    real = recalling.joined

    def noted(*lists: list[int]) -> dict[int, float]:
        pools.append(len(lists[0]))
        return real(*lists)

    monkeypatch.setattr(recalling, "joined", noted)
    for limit in (1, 8, 9, 20):
        asked(world, "webhook", limit=limit)
    assert pools == [24, 24, 27, 60]


# --- use -------------------------------------------------------------------------------------------------------------------------
def test_use_is_counted_only_for_what_is_handed_out(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [keep(world, f"webhook {place}") for place in range(3)]
    entries = world.store.facts().journal_entries
    first = asked(world, "webhook", limit=2)
    assert [(view.use_count, view.last_used) for view in first] == [(1, NOW)] * 2
    assert world.store.facts().journal_entries == entries + 1
    (left,) = set(numbers) - set(ids(first))
    assert world.memories.view(left).use_count == 0
    world.memories.listing()
    assert world.memories.view(first[0].id).use_count == 1
    assert world.memories.view(first[0].id).updated == NOW
    assert asked(world, "zebra") == []
    assert world.store.facts().journal_entries == entries + 1


def test_an_answer_comes_even_where_nothing_can_be_written(
    world: MemoryWorld, monkeypatch: pytest.MonkeyPatch, allow_log: Callable[[str], None]
) -> None:
    number = keep(world, "webhook")

    def full() -> object:
        raise KnownError("disk_full", "Disk full", "There is no room.")

    monkeypatch.setattr(world.store, "change", full)
    allow_log("WARNING tray_app.memory.recalling: the use of memories was not counted: disk_full")
    assert [(view.id, view.use_count) for view in asked(world, "webhook")] == [(number, 0)]


def test_the_same_memories_give_the_same_answer(world: MemoryWorld) -> None:
    for place in range(30):
        keep(world, f"webhook {'payment ' * (place % 4)}{place % 7}", ("fact", "session", "changelog", "todo")[place % 4])
    fill(world)
    first = asked(world, "payment webhook 3", begin=begin)
    for _ in range(3):
        again = asked(world, "payment webhook 3", begin=begin)
        assert [(view.id, view.score) for view in again] == [(view.id, view.score) for view in first]


@given(query=st.text(max_size=80))
def test_any_question_is_answered(tmp_path_factory: pytest.TempPathFactory, query: str) -> None:
    world = _kept(tmp_path_factory)
    assert {view.id for view in asked(world, query, begin=begin)} <= {1, 2}


_WORLDS: list[MemoryWorld] = []


def _kept(factory: pytest.TempPathFactory) -> MemoryWorld:
    if not _WORLDS:
        _WORLDS.append(MemoryWorld(factory.mktemp("recall")))
        keep(_WORLDS[0], "数据库 webhook a 1.2.3 don't")
        keep(_WORLDS[0], "Buttons are blue \U0001f600.")
        fill(_WORLDS[0])
    return _WORLDS[0]


@pytest.fixture(autouse=True, scope="module")
def closed() -> Iterator[None]:
    yield
    while _WORLDS:
        _WORLDS.pop().close()
