"""The cards that are kept, and the talk they are made of: by day, without tools, without what was forgotten."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, date
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
sys.path.insert(0, str(Path(__file__).parents[1] / "indexing"))

import claude_files as claude
from library_world import World

from tray_app.indexing.merge import Merger
from tray_app.library import topics
from tray_app.library.reading import Reader
from tray_app.library.store import Store
from tray_app.library.topics import Card
from tray_app.records import Topic, TopicCard

MONDAY = date(2026, 3, 2).toordinal()
DAY = 24 * 60


def add(world: World, label: str, *said: tuple[str, float], **facts: object) -> None:
    """A session in which the person said these things, each at a minute after the start, and was answered."""
    chat = claude.Chat(label, **facts)  # type: ignore[arg-type]
    rows: list[claude.Row | bytes] = []
    for place, (words, minute) in enumerate(said):
        rows += [chat.user(words, minute), chat.answer("Done.", minute + 0.2)]
        rows.append(chat.call(f"call-{place}", "Bash", {"command": f"grep {label}"}, minute + 0.4))
    claude.write(world.home / ".claude/projects/x" / f"{chat.id}.jsonl", rows)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "home", tmp_path / "index" / "index.duckdb")
    add(made, "tide", ("Where do the tide tables come from?", 0), ("And the harbour list?", 5))
    add(made, "kiln", ("Glaze the kiln shelves", DAY), ("Cone nine, please", DAY + 3))
    made.index()
    yield made
    made.close()


def card(day: int, label: str, mark: str = "m", maker: str = "words") -> Card:
    text = date.fromordinal(day).isoformat()
    return Card(day, mark, maker, TopicCard(day=text, date_text=text, topics=(Topic(label=label),), sessions=1, rounds=1))


def keep(world: World, *cards: Card) -> None:
    store = Store(world.opened)
    with store.transaction():
        topics.replace_cards(store.cursor, cards)
    store.close()


def test_cards_are_kept_and_replaced(world: World) -> None:
    assert Reader(world.opened).topic_cards([MONDAY]) == {}
    keep(world, card(MONDAY, "Tide's “tables”"), card(MONDAY + 1, "窑"))
    keep(world, card(MONDAY + 1, "Kiln", "n", "ollama:qwen3"))
    reader = Reader(world.opened)
    assert reader.topic_cards([MONDAY, MONDAY + 1, MONDAY + 2]) == {
        MONDAY: card(MONDAY, "Tide's “tables”").card,
        MONDAY + 1: card(MONDAY + 1, "Kiln").card,
    }
    assert reader.topic_cards([]) == {}
    assert topics.marks(reader.cursor) == {MONDAY: ("m", "words"), MONDAY + 1: ("n", "ollama:qwen3")}
    assert sorted(topics.cards(reader.cursor)) == [MONDAY, MONDAY + 1]
    reader.close()


def test_cards_are_removed(world: World) -> None:
    keep(world, card(MONDAY, "a"), card(MONDAY + 1, "b"))
    store = Store(world.opened)
    with store.transaction():
        topics.remove_cards(store.cursor, [])
        topics.remove_cards(store.cursor, [MONDAY])
    assert list(topics.marks(store.cursor)) == [MONDAY + 1]
    store.close()


def test_a_session_that_leaves_takes_the_cards_of_its_days_along(world: World) -> None:
    """Also those of the days beside them, since the zone in which they were counted is not known here."""
    add(world, "moss", ("Moss on the roof", 9 * DAY))
    world.index()
    keep(world, *(card(MONDAY + number, "x") for number in (0, 1, 2, 3, 8, 9, 10, 11)))
    store = Store(world.opened)
    gone = {claude.make_id("moss")}
    Merger(store, UTC, lambda: False).forget([row for row in store.files() if row.unit in gone])
    assert sorted(topics.marks(store.cursor)) == [MONDAY, MONDAY + 1, MONDAY + 2, MONDAY + 3, MONDAY + 11]
    gone = {claude.make_id("tide")}
    Merger(store, UTC, lambda: False).forget([row for row in store.files() if row.unit in gone])
    assert sorted(topics.marks(store.cursor)) == [MONDAY + 2, MONDAY + 3, MONDAY + 11]
    store.close()


def test_talk_is_what_was_said_in_order_of_time(world: World) -> None:
    reader = Reader(world.opened)
    talk = topics.talk(reader.cursor)
    assert talk.time.tolist() == [claude.epoch_ms(minute) for minute in (0, 5, DAY, DAY + 3)]
    assert topics.talk(reader.cursor, since=claude.epoch_ms(5), until=claude.epoch_ms(DAY)).time.tolist() == [
        claude.epoch_ms(5)
    ]
    assert [one.text for one in topics.said(reader.cursor, talk.id.tolist(), 10, 100)] == [
        "Where do the tide tables come from?",
        "And the harbour list?",
        "Glaze the kiln shelves",
        "Cone nine, please",
    ]
    assert [one.text for one in topics.said(reader.cursor, talk.id.tolist(), 2, 9)] == ["Where do ", "Glaze the"]
    assert topics.said(reader.cursor, [], 10, 100) == []
    reader.close()


def test_sessions_and_their_marks(world: World) -> None:
    reader = Reader(world.opened)
    found = topics.speakers(reader.cursor, topics.talk(reader.cursor).session.tolist())
    assert {one.native: (one.agent, one.project, one.kind) for one in found.values()} == {
        claude.make_id("tide"): ("claude_code", "shop", "main"),
        claude.make_id("kiln"): ("claude_code", "shop", "main"),
    }
    assert len({one.mark for one in found.values()}) == 2
    assert topics.speakers(reader.cursor, []) == {}
    assert topics.parents(reader.cursor) == {}
    reader.close()


def test_rarity(world: World) -> None:
    reader = Reader(world.opened)
    found = topics.rarity(reader.cursor, ["harbour", "tide", "shop", "zeppelin"])
    assert found["harbour"] == 1.0
    assert 0.0 <= found["shop"] < 0.1  # in every passage, since it is the project
    assert 0.1 < found["tide"] < 1.0
    assert set(found) == {"harbour", "tide", "shop"}
    assert topics.sessions_with(reader.cursor, ["tide", "tabl"]) == 1
    assert topics.sessions_with(reader.cursor, ["tide", "kiln"]) == 0
    assert topics.sessions_with(reader.cursor, ["zeppelin"]) == 0
    reader.close()


def test_an_empty_library(tmp_path: Path) -> None:
    world = World(tmp_path / "home", tmp_path / "index" / "index.duckdb")
    reader = Reader(world.opened)
    assert topics.talk(reader.cursor).time.tolist() == []
    assert topics.rarity(reader.cursor, ["tide"]) == {}
    reader.close()
    world.close()
