"""The index proved by reading sessions once more: agreement of every kind of session, and each way in which it may differ."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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

LABELS = ("heron", "otter", "swift")


def chat_file(home: Path, label: str) -> Path:
    return home / ".claude" / "projects" / "-made-up" / f"{make_id(label)}.jsonl"


def add(home: Path, label: str, *said: str) -> list[dict[str, object]]:
    chat = Chat(label)
    rows = [row for words in said for row in (chat.user(words), chat.answer(f"Noted: {words}"))]
    write(chat_file(home, label), rows)
    return rows


def made_in(home: Path) -> Engine:
    """An engine on three sessions, which are read."""
    for label in LABELS:
        add(home, label, f"The {label} was seen.", "And again today.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKSCROLL_SOURCES_HOME", str(home))
        patch.setenv("BACKSCROLL_HOME", str(home / "backscroll"))
        paths = Paths.from_environment()
        made = Engine(paths, Settings(paths.settings_file))
    made.set_config("meaning.backend", "off")
    made.index(all_sources=True)
    return made


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = made_in(tmp_path_factory.mktemp("proof"))
    yield made
    made.close()


@contextmanager
def spoilt(engine: Engine, *statements: str) -> Iterator[Any]:
    """A cursor that sees what no program of ours does to an index; taken back afterwards."""
    cursor = engine.libraries.of().open().cursor()
    cursor.execute("begin")
    try:
        for statement in statements:
            cursor.execute(statement)
        yield cursor
    finally:
        cursor.execute("rollback")
        cursor.close()


def proved(engine: Engine, *statements: str, seconds: float = 60) -> Proof:
    with spoilt(engine, *statements) as cursor:
        sample = proof.picked(cursor, random.Random(1))
    indexer = engine.indexer
    ways = Ways(adapter, engine.folders.home, indexer.rules(), indexer.limits(), indexer.tombstones.forgotten())
    return proof.prove(sample, ways, seconds)


def sizes(engine: Engine, *statements: str) -> proving.Sizes:
    with spoilt(engine, *statements) as cursor:
        return proving.sizes(cursor)


def found(engine: Engine) -> dict[str, Finding]:
    return {one.code: one for one in engine.doctor()}


def test_what_was_read_is_there(engine: Engine) -> None:
    assert proved(engine) == Proof(sessions=3, messages=12, passages=6)
    assert sizes(engine) == proving.Sizes(6, 6, 0)
    one = found(engine)["index_proved"]
    assert (one.severity, one.params) == ("ok", {"count": "3", "messages": "12", "passages": "6"})


def test_a_message_that_was_lost(engine: Engine) -> None:
    (one,) = proved(engine, "delete from messages where text = 'The otter was seen.'").differing
    assert (one.agent, one.session, one.missing, one.beyond, one.astray) == ("claude_code", make_id("otter"), 1, 0, 1)


def test_a_message_that_no_file_has(engine: Engine) -> None:
    (one,) = proved(engine, "update messages set identity = identity + 1 where text = 'The swift was seen.'").differing
    assert (one.session, one.missing, one.beyond, one.astray) == (make_id("swift"), 1, 1, 0)


def test_passages_and_words_that_were_lost(engine: Engine) -> None:
    passage = "delete from chunks where id = (select min(id) from chunks)"
    (one,) = proved(engine, passage).differing
    assert (one.missing, one.beyond, one.astray) == (0, 0, 2)
    assert sizes(engine, passage) == proving.Sizes(5, 6, 0)
    assert sizes(engine, f"delete from {FTS}.docs where docid = (select min(docid) from {FTS}.docs)") == proving.Sizes(6, 5, 0)


def test_rows_of_no_session(engine: Engine) -> None:
    assert sizes(engine, f"delete from sessions where native = '{make_id('heron')}'") == proving.Sizes(6, 6, 6)


def test_the_time_ends_it(engine: Engine) -> None:
    assert proved(engine, seconds=-1) == Proof()


def test_by_other_rules_nothing_is_compared(engine: Engine) -> None:
    engine.set_config("privacy.redact", False)
    try:
        assert "index_proved" not in found(engine)
    finally:
        engine.set_config("privacy.redact", None)


def test_the_check_up_names_what_differs_and_reading_anew_mends_it(isolated: Path) -> None:
    engine = made_in(isolated)
    cursor = engine.libraries.of().open().cursor()
    cursor.execute("delete from messages where text = 'The otter was seen.'")
    cursor.execute("delete from chunks where id = (select min(id) from chunks)")
    cursor.close()
    told = found(engine)
    differs, uneven = told["index_differs"], told["index_uneven"]
    assert (differs.severity, differs.params["total"]) == ("warn", "3")
    assert f"Claude Code {make_id('otter')[:13]}" in differs.detail and "1 missing" in differs.detail
    assert "otter was" not in differs.detail
    assert (uneven.severity, uneven.params) == ("warn", {"count": "5", "words": "6"})
    assert {"index_proved", "all_in_order"}.isdisjoint(told)
    engine.rebuild()
    assert {"index_differs", "index_uneven"}.isdisjoint(found(engine))
    cursor = engine.libraries.of().open().cursor()
    cursor.execute(f"delete from sessions where native = '{make_id('heron')}'")
    cursor.close()
    assert sizes(engine).strays == 6
    engine.rebuild()
    assert sizes(engine) == proving.Sizes(6, 6, 0)

    # copies, secrets and blank lines are no difference; of many files some are read; what changed since is left out
    write(chat_file(isolated, "copy"), add(isolated, "heron", "The heron was seen.", "And again today."))
    add(isolated, "secret", "The token is ghp_" + "a1B2" * 9, "   ", "\n")
    engine.index()
    assert (proved(engine).sessions, proved(engine).differing) == (5, ())
    with chat_file(isolated, "swift").open("ab") as file:
        file.write(b"\n")
    chat_file(isolated, "otter").unlink()
    assert proved(engine).sessions == 3
    for number in range(9):
        add(isolated, f"more{number}", "One line.")
    engine.index()
    assert proved(engine).sessions == proof.NEWEST + proof.OTHERS
    engine.close()
