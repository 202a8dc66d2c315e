"""What of a passage is embedded, the fixed texts, and when a library is surveyed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from data.claude_files import Chat, write
from library_world import World

from tray_app.indexing.embedding import TITLE_CHARS, calibrated, calibration_texts, is_due, passage_text, read_passages, survey
from tray_app.library import vectors
from tray_app.library.centring import Background, Calibration, Facts, Means, centre, unit
from tray_app.library.reading import Reader
from tray_app.library.vectors import Found, VectorWriter
from tray_app.text.languages import CHINESE, OTHER, language_of

DIMS = 8


def test_a_passage_stands_under_its_title() -> None:
    assert passage_text(["What is a heron?", "A bird."], "About\n herons") == "About herons\nWhat is a heron?\n\nA bird."
    assert passage_text(["What is a heron?"], "  ") == "What is a heron?"
    assert passage_text([], "") == ""
    assert passage_text(["x"], "long " * 99) == ("long " * 99)[:TITLE_CHARS] + "\nx"


def test_passages_are_read_as_they_are_shown(tmp_path: Path) -> None:
    world = World(tmp_path / "home", tmp_path / "index.duckdb")
    try:
        chat = Chat("one")
        rows = [
            chat.user("缓存为什么失效了"),
            chat.answer("因为键里没有语言。"),
            chat.user("And the heron?"),
            chat.answer("It stands."),
        ]
        write(world.root("claude_code") / "-p" / f"{chat.id}.jsonl", rows)
        world.index()
        reader = Reader(world.opened)
        with reader.snapshot():
            ids = [row[0] for row in reader.cursor.execute("select id from chunks order by id").fetchall()]
            found = read_passages(reader, [ids[1], 10_000, ids[0]])
        reader.close()
    finally:
        world.close()
    assert [passage.id for passage in found] == [ids[1], ids[0]]
    assert [passage.language for passage in found] == [OTHER, CHINESE]
    assert found[1].text == "缓存为什么失效了\n缓存为什么失效了\n\n因为键里没有语言。"
    assert found[0].text == "缓存为什么失效了\nAnd the heron?\n\nIt stands."


def test_the_fixed_texts_are_many_different_and_of_both_languages_by_turns() -> None:
    texts = calibration_texts()
    for said in (texts.questions, texts.statements):
        assert len(said) >= 200
        assert len(set(said)) == len(said)
        assert [language_of(text) for text in said] == [OTHER, CHINESE] * (len(said) // 2)
    assert max(map(len, texts.questions)) < 100
    assert max(map(len, texts.statements)) < 250


def test_what_the_model_refused_of_the_fixed_texts_is_left_out() -> None:
    texts = calibration_texts()
    row = np.ones(DIMS, np.float32)
    made = calibrated(texts, {0: row, 3: row * 2}, {5: row, 1: row, 2: row})
    assert made.statement_languages.tolist() == [OTHER, CHINESE]
    assert made.question_languages.tolist() == [CHINESE, OTHER, CHINESE]
    assert np.allclose(np.linalg.norm(made.statements, axis=1), 1, atol=1e-6)


def facts(size: int | None, *, calibrated: bool = True) -> Facts:
    one, code = np.ones((1, DIMS), np.float32), np.zeros(1, np.int8)
    known = Calibration(one, code, one, code) if calibrated else Calibration.unpacked(None, DIMS)
    return Facts(Means.none(DIMS), known, None if size is None else Background(0, 0, size))


@pytest.mark.parametrize(
    ("known", "count", "complete", "due"),
    [
        (facts(None), 99, False, False),
        (facts(None), 100, False, True),
        (facts(None), 1, True, True),
        (facts(None), 0, True, False),
        (facts(None, calibrated=False), 500, True, False),
        (facts(100), 149, True, False),
        (facts(100), 150, False, True),
    ],
)
def test_a_library_is_surveyed_when_it_has_grown(known: Facts, count: int, complete: bool, due: bool) -> None:
    assert is_due(known, count, complete=complete) is due


def test_a_survey_counts_anew_from_all_vectors(tmp_path: Path) -> None:
    world = World(tmp_path / "home", tmp_path / "index.duckdb")
    try:
        chat = Chat("one")
        rows = [row for turn in range(12) for row in (chat.user(f"heron {turn}"), chat.answer("It stands."))]
        write(world.root("claude_code") / "-p" / f"{chat.id}.jsonl", rows)
        world.index()
        dice = np.random.default_rng(1)
        with VectorWriter(world.opened) as writer:
            space = writer.open_space("a|m|8||unit", DIMS)
            two = np.array([0, 1] * 5, np.int8)
            questions = unit(dice.standard_normal((10, DIMS)).astype(np.float32))
            writer.calibrate(space, Calibration(questions, two, questions, two))
            ids = vectors.missing(writer.cursor, space.id).tolist()
            rows_now = vectors.passage_rows(writer.cursor, ids)
            made = unit(dice.standard_normal((len(ids), DIMS)).astype(np.float32) + np.float32(1))
            writer.add(space, [Found(one, rows_now[one], one % 2, made[place][None]) for place, one in enumerate(ids)], ())
            writer.cursor.execute("delete from vectors where chunk_id = ?", [ids[0]])  # as a pass does
            fresh = survey(writer.cursor, space, lambda: False)
            assert survey(writer.cursor, space, lambda: True) is None
    finally:
        world.close()
    languages = np.array([one % 2 for one in ids[1:]], np.int8)
    expected = Means.of(made[1:], languages)
    assert fresh is not None
    assert fresh.documents.counts.tolist() == expected.counts.tolist()
    assert np.allclose(fresh.documents.rows, expected.rows, atol=1e-3)
    pairs = centre(made[1:], languages, fresh.means) @ fresh.questions().T
    assert fresh.background is not None
    assert fresh.background.size == len(ids) - 1
    assert fresh.background.top50 == pytest.approx(float(np.median(pairs.max(axis=0))), abs=5e-3)
