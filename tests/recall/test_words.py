"""The words of a question in the dictionary of the made-up library."""

from __future__ import annotations

import pytest
from world import World

from tray_app.recall.words import MOST_WORDS, as_typed, find_terms, holding


def test_words_that_are_there_and_words_that_are_not(world: World) -> None:
    with world.engine._reading(world.engine.libraries.of()) as reader:
        terms = find_terms(reader, ["pool", "size", "zanzibar"])
    assert [group.word for group in terms.groups] == ["pool", "size"]
    assert (terms.missing, terms.tier, terms.impossible) == (("zanzibar",), "words", False)
    assert terms.shown() == {"pool", "size"}


def test_near_words_are_shown_as_what_they_are_near_to(world: World) -> None:
    with world.engine._reading(world.engine.libraries.of()) as reader:
        terms = find_terms(reader, ["heatr"])
    assert (terms.tier, terms.missing) == ("close", ())
    assert terms.shown() == {"heatr", "heater"}


def test_of_a_very_long_question_the_rarest_words_are_ranked_by(world: World) -> None:
    with world.engine._reading(world.engine.libraries.of()) as reader:
        every = [row[0] for row in reader.cursor.execute("select term from fts_main_passages.dict order by df desc").fetchall()]
        terms = find_terms(reader, every, ["pool size"])
    assert len(terms.groups) == MOST_WORDS
    assert {"pool", "size"} <= {group.word for group in terms.groups}
    assert len(terms.required) == 2


def test_a_phrase_with_a_word_nobody_said_is_impossible(world: World) -> None:
    with world.engine._reading(world.engine.libraries.of()) as reader:
        assert find_terms(reader, ["pool", "zanzibar"], ["pool zanzibar"]).impossible


@pytest.mark.parametrize(
    ("text", "missing", "typed"),
    [
        ("Deploying the oracles", ["oracl"], ("oracles",)),
        ("getUserName and path/to/file.py", ["getusernam", "path/to/file.py"], ("getusername", "path/to/file.py")),
        ("消息丢弃物", ["丢弃", "弃物"], ("丢弃物",)),
        ("消息丢弃", [], ()),
        ("ＦＵＬＬ 數據", ["full", "数据"], ("full", "数据")),
    ],
)
def test_missing_words_are_named_as_they_were_typed_in_lower_case(
    text: str, missing: list[str], typed: tuple[str, ...]
) -> None:
    assert as_typed([text], missing) == typed


def test_a_lone_character_is_held_anywhere_in_a_run() -> None:
    assert holding(["库", "pool", "x"], "这个数据库的 pool") == {"库", "pool"}
    assert holding(["据"], "数据库") == {"据"}
