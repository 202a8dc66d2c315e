"""The index proved by reading sessions once more: agreement of every kind of session, and each way in which it may differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from data.claude_files import Chat, make_id, write

from tray_app.engine import Engine
from tray_app.insight import proof
from tray_app.insight.proof import Proof, Ways
from tray_app.library import proving
from tray_app.library.migrations import FTS
from tray_app.paths import Paths
from tray_app.records import Finding
from tray_app.settings import Settings
from tray_app.sources.registry import adapter


def chat_file(home: Path, label: str) -> Path:
    return home / ".claude" / "projects" / "-made-up" / f"{make_id(label)}.jsonl"


def add(home: Path, label: str, *said: str, start: str = "") -> list[dict[str, object]]:
    chat = Chat(label)
    rows = [row for words in said for row in (chat.user(words), chat.answer(f"Noted: {words} {start}"))]
    write(chat_file(home, label), rows)
    return rows


@pytest.fixture
def engine(isolated: Path) -> Iterator[Engine]:
    for label in ("heron", "otter", "swift"):
        add(isolated, label, f"The {label} was seen.", "And again today.")
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    made.set_config("meaning.backend", "off")
    made.index(all_sources=True)
    yield made
    made.close()


@pytest.fixture
def prove(engine: Engine) -> Callable[..., Proof]:
    def act(seconds: float = 60) -> Proof:
        with engine._reading(engine.libraries.of()) as reader:
            sample = proof.picked(reader.cursor, random.Random(1))
        indexer = engine.indexer
        ways = Ways(adapter, engine.folders.home, indexer.rules(), indexer.limits(), indexer.tombstones.forgotten())
        return proof.prove(sample, ways, seconds)

    return act


def spoil(engine: Engine, *statements: str) -> None:
    """What no program of ours does to an index."""
    opened = engine.libraries.of().open()
    with opened.faults():
        cursor = opened.cursor()
        for statement in statements:
            cursor.execute(statement)
        cursor.close()


def found(engine: Engine) -> dict[str, Finding]:
    return {one.code: one for one in engine.doctor()}


def test_what_was_read_is_there(engine: Engine, prove: Callable[..., Proof]) -> None:
    assert prove() == Proof(sessions=3, messages=12, passages=6)
    one = found(engine)["index_proved"]
    assert (one.severity, one.params) == ("ok", {"count": "3", "messages": "12", "passages": "6"})


def test_a_copy_and_a_redacted_message_agree_too(engine: Engine, isolated: Path, prove: Callable[..., Proof]) -> None:
    write(chat_file(isolated, "copy"), add(isolated, "heron", "The heron was seen.", "And again today."))
    add(isolated, "secret", "The token is ghp_" + "a1B2" * 9, "   ", "\n")
    engine.index()
    assert prove().differing == ()
    assert prove().sessions == 5


def test_a_message_that_was_lost_is_named(engine: Engine, isolated: Path, prove: Callable[..., Proof]) -> None:
    spoil(engine, "delete from messages where text = 'The otter was seen.'")
    (one,) = prove().differing
    assert (one.agent, one.session, one.missing, one.beyond, one.astray) == ("claude_code", make_id("otter"), 1, 0, 1)
    told = found(engine)["index_differs"]
    assert (told.severity, told.params["count"], told.params["total"]) == ("warn", "1", "3")
    assert f"Claude Code {make_id('otter')[:13]}" in told.detail and "messages 1 missing" in told.detail
    assert "otter was" not in told.detail
    assert "index_proved" not in found(engine) and "all_in_order" not in found(engine)
    engine.rebuild()
    assert prove().differing == ()


def test_a_message_that_no_file_has(engine: Engine, prove: Callable[..., Proof]) -> None:
    spoil(engine, "update messages set identity = identity + 1 where text = 'The swift was seen.'")
    (one,) = prove().differing
    assert (one.session, one.missing, one.beyond, one.astray) == (make_id("swift"), 1, 1, 0)


def test_a_passage_that_was_lost(engine: Engine, prove: Callable[..., Proof]) -> None:
    spoil(engine, "delete from chunks where id = (select min(id) from chunks)")
    (one,) = prove().differing
    assert (one.missing, one.beyond, one.astray) == (0, 0, 2)
    told = found(engine)["index_uneven"]
    assert (told.severity, told.params) == ("warn", {"count": "5", "words": "6"})


def test_words_that_were_lost(engine: Engine) -> None:
    spoil(engine, f"delete from {FTS}.docs where docid = (select min(docid) from {FTS}.docs)")
    assert found(engine)["index_uneven"].params == {"count": "6", "words": "5"}
    with engine._reading(engine.libraries.of()) as reader:
        assert proving.sizes(reader.cursor) == proving.Sizes(6, 5, 0)


def test_rows_of_no_session(engine: Engine) -> None:
    spoil(engine, f"delete from sessions where native = '{make_id('heron')}'")
    with engine._reading(engine.libraries.of()) as reader:
        assert proving.sizes(reader.cursor) == proving.Sizes(6, 6, 6)


def test_what_changed_since_is_left_to_the_next_pass(engine: Engine, isolated: Path, prove: Callable[..., Proof]) -> None:
    with chat_file(isolated, "heron").open("ab") as file:
        file.write(b"\n")
    chat_file(isolated, "otter").unlink()
    assert prove() == Proof(sessions=1, messages=4, passages=2)


def test_by_other_rules_nothing_is_compared(engine: Engine) -> None:
    engine.set_config("privacy.redact", False)
    assert "index_proved" not in found(engine)


def test_the_time_ends_it(prove: Callable[..., Proof]) -> None:
    assert prove(seconds=-1) == Proof()


def test_of_many_files_some_are_read(engine: Engine, isolated: Path, prove: Callable[..., Proof]) -> None:
    for number in range(12):
        add(isolated, f"more{number}", "One line.")
    engine.index()
    assert prove().sessions == proof.NEWEST + proof.OTHERS
