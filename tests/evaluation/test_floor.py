"""Plain BM25, against the formula worked out by hand."""

from __future__ import annotations

import math

import msgspec
import pytest
from small_sets import SESSIONS, session

from tray_app.evaluation.floor import COVERED, Floor
from tray_app.evaluation.question_set import Session
from tray_app.evaluation.scoring import Passage


def told(*rows: object) -> list[Session]:
    return [msgspec.convert(row, Session) for row in rows]


def test_scores_are_those_of_the_formula() -> None:
    rounds = told(
        session("a", "codex", ("user", "kiln kiln glaze"), ("user", "glaze")),
        session("b", "codex", ("user", "clay"), ("assistant", "clay clay kiln")),
    )
    floor = Floor(rounds)
    assert (floor.lengths, floor.mean) == ([3, 1, 4], 8 / 3)
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert floor.rarity("kiln") == pytest.approx(rarity)
    first = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / (8 / 3)))
    second = rarity * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / (8 / 3)))
    scores, places = zip(*floor.scores("kiln"), strict=True)
    assert scores == pytest.approx((first, second))
    assert places == (0, 2)
    assert floor.scores("saucer") == []


def test_found_where_the_rare_words_stand_together() -> None:
    floor = Floor(told(*SESSIONS))
    sure = floor.ask("celadon crawls", 20)
    assert (sure.found, sure.verdict, sure.passages[0]) == (
        True,
        "found",
        Passage("glaze", frozenset({"m2", "m4", "m5", "m6"})),
    )
    doubtful = floor.ask("celadon raku burner manifold", 20)
    assert (doubtful.found, doubtful.verdict, doubtful.passages) == (False, "unsure", sure.passages[:1])
    assert floor.covered("celadon raku burner manifold", 0) < COVERED
    nothing = floor.ask("raku burner", 20)
    assert (nothing.found, nothing.verdict, nothing.passages) == (False, "nothing", ())


def test_what_is_nobodys_talk_is_not_in_it() -> None:
    floor = Floor(told(*SESSIONS))
    assert floor.scores("porcelain auction") == []
    assert floor.scores("silicon carbide budget") == []


def test_the_limit_counts_rounds() -> None:
    floor = Floor(told(*SESSIONS))
    assert len(floor.ask("kilnctl", 2).passages) == 2
    assert len(floor.ask("kilnctl", 20).passages) == 3
