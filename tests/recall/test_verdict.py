"""When an answer is called one."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.library.centring import Background
from tray_app.library.postings import Scores, TermGroup
from tray_app.library.reading import MessageText
from tray_app.recall.candidates import Candidate
from tray_app.recall.crossing import Bridge, Bridges
from tray_app.recall.nearness import Meant
from tray_app.recall.verdict import (
    AGREED,
    CONFIDENT,
    CROSSED,
    IN_TIME,
    NEAR,
    NEAR_LEAST,
    NEAR_MOST,
    SAID_AT_LEAST,
    SURELY,
    VERY_NEAR,
    Evidence,
    judge,
    names,
    weigh,
)
from tray_app.recall.words import Terms

BACKGROUND = Background(top50=0.3, top99=0.5, size=100)
ENOUGH = 0.6
SHARE = 0.75


# --- names -----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", set()),
        ("which pool", set()),
        ("Which pool", set()),
        ("Postgres pool", set()),  # any first word has a capital letter
        ("the Postgres pool", {"postgr"}),
        ("(Postgres)", {"postgr"}),
        ("which pool does PgBouncer use", {"pgbouncer", "pg", "bouncer"}),
        ("PostgreSQL pool", {"postgresql", "postgr", "sql"}),
        ("getUserName fails", {"getusernam", "get", "user", "name"}),
        ("error E0277", {"e0277", "0277"}),
        ("k8s rollout", {"k8s"}),
        ("version 3.11.7", set()),
        ("the budget of 2026", set()),
        ("It broke. Restarting helped? Waiting did not! And then: Nothing", set()),
        ("Did Kim say so", {"kim"}),
        ("重试队列", set()),
        ("重试 redis 队列", {"redis"}),
        ("重试 2026 年的队列", set()),
        ("重试。Redis 队列", {"redis"}),
        ("the ＦＵＬＬ width", {"full"}),
    ],
)
def test_what_names_something(text: str, found: set[str]) -> None:
    assert names(text) == found


@given(st.text(st.characters(), max_size=80))
def test_any_text_has_names_or_none(text: str) -> None:
    assert all(isinstance(name, str) and name for name in names(text))


# --- weights ---------------------------------------------------------------------------------------------------------------
def terms(**df: int) -> Terms:
    """Of 1,000 passages; a word with 0 stands nowhere."""
    groups = tuple(TermGroup(word, (place,), count) for place, (word, count) in enumerate(df.items()) if count)
    return Terms(groups, tuple(word for word, count in df.items() if not count), "words", documents=1000)


def test_rare_words_weigh_more_and_unsaid_ones_most() -> None:
    found = weigh(["never", "rare", "common", "everywhere"], terms(rare=2, common=900, everywhere=1000, never=0))
    assert found["never"] > found["rare"] > found["common"] > found["everywhere"] > 0
    assert list(found) == ["never", "rare", "common", "everywhere"]
    assert weigh([], terms()) == {}


# --- evidence --------------------------------------------------------------------------------------------------------------
def said(text: str, role: str = "assistant", *, session: int = 1, **more: object) -> Candidate:
    made = Candidate(1, session, 1, "round", 1.0, **more)  # type: ignore[arg-type]
    made.parts = [(MessageText(1, session, 0, "m", role, "", 1, text, 0), text)]
    return made


def meant(background: Background | None = BACKGROUND) -> Meant:
    return Meant(Scores(np.arange(2), np.array([0.1, 0.9])), 0.1, background)


def evidence(
    hits: list[Candidate],
    known: Terms | None = None,
    *,
    titles: dict[int, str] | None = None,
    near: Meant | None = None,
    text: str = "",
    timed: bool = False,
) -> Evidence:
    weights = {"heron": 2.0, "pond": 1.0, "reed": 1.0}
    return Evidence.of(hits, weights, known or terms(heron=1, pond=5, reed=5), titles or {}, near, text, timed=timed)


@pytest.mark.parametrize(
    ("texts", "held", "first"),
    [
        (["the heron in the pond's reed"], 1.0, 1.0),
        (["the heron"], 0.5, 0.5),
        (["a reed", "the heron in the pond"], 0.75, 0.25),
        (["nothing", "a heron", "a reed in a pond"], 0.5, 0.0),
        (["nothing"], 0.0, 0.0),
    ],
)
def test_what_one_passage_holds_and_the_first(texts: list[str], held: float, first: float) -> None:
    found = evidence([said(text) for text in texts])
    assert (found.words, found.held, found.first) == (3, held, first)


def test_the_title_counts_with_a_passage_that_says_a_good_part() -> None:
    assert evidence([said("the heron")], titles={1: "pond and reed"}).held == 1.0
    assert evidence([said("a reed")], titles={1: "the heron"}).held == 0.25  # too little of its own
    assert evidence([said("the heron", session=2)], titles={1: "pond and reed"}).held == 0.5


def test_what_stands_there_in_the_other_language_counts_half_and_only_for_the_first() -> None:
    known = msgspec.structs.replace(
        terms(heron=1, pond=5, reed=5),
        groups=(*terms(heron=1, pond=5, reed=5).groups, TermGroup("苍鹭", (9,), 3, 0.5)),
        bridges=Bridges((Bridge("heron", ("heron",), "苍鹭", ("苍鹭",), True),)),
        others=1,
    )
    found = evidence([said("苍鹭 in the pond")], known)
    assert (found.held, found.first) == (0.25, 0.25 + CROSSED * 0.5)
    assert evidence([said("苍鹭, the heron")], known).first == 0.5  # once is enough


def test_what_gives_the_question_back_proves_nothing() -> None:
    found = evidence([said("“the heron in the pond's reed”", quotes=True), said("a reed")])
    assert (found.quoted, found.held) == (True, 0.25)
    found = evidence([said("a reed"), said("“the heron in the pond's reed”", quotes=True)])
    assert (found.quoted, found.held, found.first) == (False, 0.25, 0.25)
    assert evidence([said("heron", quotes=True)]).held == 0.0


@pytest.mark.parametrize(("similarities", "near"), [([0.3], 0.0), ([0.5], 1.0), ([0.2, 0.4], 0.5), ([0.1], -1.0), ([0.9], 3.0)])
def test_nearness_is_that_of_the_nearest_against_what_is_near_by_chance(similarities: list[float], near: float) -> None:
    hits = [said("x", similarity=similarity) for similarity in similarities]
    assert evidence(hits, near=meant()).near == pytest.approx(near)
    assert evidence(hits, near=meant(None)).near is None
    assert evidence(hits).near is None


@pytest.mark.parametrize(
    ("words_rank", "meaning_rank", "agreed"),
    [(1, 1, True), (3, 3, True), (4, 1, False), (1, 4, False), (None, 1, False), (1, None, False)],
)
def test_both_legs_agree_where_the_first_is_among_the_first_three_of_each(
    words_rank: int | None, meaning_rank: int | None, agreed: bool
) -> None:
    assert evidence([said("x", words_rank=words_rank, meaning_rank=meaning_rank)]).agreed is agreed


def test_the_first_stands_in_the_time_that_was_named() -> None:
    assert evidence([said("x", inside=True)], timed=True).in_time
    assert not evidence([said("x"), said("y", inside=True)], timed=True).in_time
    assert not evidence([said("x", inside=True)]).in_time


@pytest.mark.parametrize(
    ("text", "unnamed"),
    [
        ("the heron in the pond", False),
        ("what does Zanzibar say of the heron", True),
        ("what does zanzibar say of the heron", False),  # a missing word, but perhaps not a name
        ("鹭 zanzibar", True),
    ],
)
def test_a_name_that_stands_nowhere(text: str, unnamed: bool) -> None:
    assert evidence([said("heron")], terms(heron=1, zanzibar=0), text=text).unnamed is unnamed


# --- all of it as one figure -----------------------------------------------------------------------------------------------
def made(**more: object) -> Evidence:
    plain = {
        "words": 4,
        "held": 0.0,
        "first": 0.0,
        "near": None,
        "in_time": False,
        "agreed": False,
        "quoted": False,
        "unnamed": False,
    }
    return Evidence(**{**plain, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "weight"),
    [
        ({"held": 0.5, "near": 0.0}, 0.5),
        ({"held": 0.5, "first": 0.7, "near": 0.0}, 0.7),
        ({"near": 1.0}, NEAR),
        ({"near": 9.0}, NEAR * NEAR_MOST),
        ({"near": -9.0, "held": 0.5}, 0.5 + NEAR * NEAR_LEAST),
        ({"near": 0.0, "agreed": True}, AGREED),
        ({"near": 0.0, "in_time": True}, IN_TIME),
        ({"near": 9.0, "held": 1.0, "agreed": True, "in_time": True}, 1 + NEAR * NEAR_MOST + AGREED + IN_TIME),
        ({"held": 1.0, "agreed": True, "in_time": True}, None),
    ],
)
def test_the_weight_of_all(more: dict[str, object], weight: float | None) -> None:
    assert made(**more).weight == (None if weight is None else pytest.approx(weight))


@pytest.mark.parametrize(
    ("more", "borne_out"),
    [
        ({"near": 0.0, "held": SAID_AT_LEAST}, True),
        ({"near": 0.0, "first": SAID_AT_LEAST}, True),
        ({"near": 0.0, "held": SAID_AT_LEAST - 0.01}, False),
        ({"near": VERY_NEAR}, True),
        ({"near": VERY_NEAR - 0.01}, False),
        ({"near": NEAR_LEAST, "held": 0.9}, True),
        ({"near": NEAR_LEAST - 0.01, "held": 0.9}, False),
        ({"held": 0.9}, False),
        ({"near": 9.0, "held": 0.9, "unnamed": True}, False),
        ({"near": 9.0, "held": 0.9, "quoted": True}, False),
    ],
)
def test_what_bears_nearness_out(more: dict[str, object], borne_out: bool) -> None:
    assert made(**more).is_borne_out is borne_out


# --- verdicts --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("more", "tier", "missing", "verdict", "code"),
    [
        # words alone
        ({"held": 1.0}, "words", (), "confident", "found_words"),
        ({"held": CONFIDENT}, "words", (), "confident", "found_words"),
        ({"held": 0.8}, "words", (), "likely", "found_words"),
        ({"held": SHARE}, "words", ("c",), "likely", "found_words"),
        ({"held": 0.5}, "words", (), "unsure", "weak_words"),
        ({"held": 0.5}, "words", ("c",), "unsure", "missing_words"),
        ({"held": 1.0, "words": 2}, "words", (), "confident", "found_words"),
        ({"held": 0.99, "words": 2}, "words", (), "unsure", "weak_words"),  # few words: all of them
        ({"held": 0.8, "words": 3}, "words", (), "likely", "found_words"),
        ({"held": 1.0}, "prefix", (), "unsure", "weak_words"),
        ({"held": 1.0}, "close", (), "unsure", "weak_words"),
        ({"held": 1.0}, "substring", (), "unsure", "weak_words"),
        ({"held": 0.0, "first": 0.5}, "translated", (), "unsure", "weak_words"),
        # with meaning
        ({"held": 1.0, "near": -1.0}, "words", (), "confident", "found_words"),
        ({"held": 0.5, "near": 1.0}, "words", (), "likely", "found_meaning"),
        ({"held": 0.5, "near": 1.0, "agreed": True}, "words", (), "confident", "found_meaning"),
        ({"held": 0.5, "near": 1.0, "agreed": True, "in_time": True}, "words", (), "confident", "found_meaning"),
        ({"held": 0.4, "near": 0.0, "agreed": True}, "words", (), "likely", "found_meaning"),
        ({"held": 0.7, "near": 9.0, "in_time": True}, "words", (), "likely", "found_meaning"),  # much, but the legs disagree
        ({"held": 0.3, "near": 0.5}, "words", (), "unsure", "weak_meaning"),
        ({"held": 0.3, "near": 0.5}, "words", ("c",), "unsure", "missing_words"),
        ({"held": 0.2, "near": VERY_NEAR, "agreed": True, "in_time": True}, "none", (), "likely", "found_meaning"),
        ({"held": 0.2, "near": VERY_NEAR - 0.01, "agreed": True, "in_time": True}, "none", (), "unsure", "weak_meaning"),
        ({"held": 0.5, "near": 1.0}, "prefix", (), "likely", "found_meaning"),
        ({"held": 0.2, "near": 0.0}, "prefix", (), "unsure", "weak_meaning"),
        # never
        ({"held": 0.7, "near": 9.0, "agreed": True, "unnamed": True}, "words", ("c",), "unsure", "missing_words"),
        ({"first": 1.0, "near": 9.0, "agreed": True, "quoted": True}, "words", (), "unsure", "quoted_back"),
        ({"first": 1.0, "quoted": True}, "words", ("c",), "unsure", "quoted_back"),
    ],
)
def test_verdicts(more: dict[str, object], tier: str, missing: tuple[str, ...], verdict: str, code: str) -> None:
    found = judge(made(**more), tier, missing, SHARE, ENOUGH, phrases=False)
    assert (found.word, found.code) == (verdict, code)
    assert found.found == (verdict in ("confident", "likely"))
    assert found.reason.endswith(".")


def test_enough_may_be_set_above_what_is_sure() -> None:
    held = {"held": 0.6, "near": 1.0, "agreed": True}
    weight = made(**held).weight
    assert weight is not None
    assert weight > SURELY
    assert judge(made(**held), "words", (), SHARE, weight, phrases=False).word == "confident"
    assert judge(made(**held), "words", (), SHARE, weight + 0.01, phrases=False).word == "unsure"
    assert judge(made(**held), "words", (), SHARE, 2.0, phrases=False).code == "weak_meaning"


def test_a_phrase_of_signs_that_stands_there_is_found() -> None:
    assert judge(made(words=0), "substring", (), SHARE, ENOUGH, phrases=True).word == "confident"
    assert judge(made(words=1), "substring", (), SHARE, ENOUGH, phrases=True).word == "unsure"


RATES = st.floats(0, 1)
ANY = st.builds(
    Evidence, words=st.integers(0, 9), held=RATES, first=RATES, near=st.none() | st.floats(-3, 3), in_time=st.booleans(),
    agreed=st.booleans(), quoted=st.booleans(), unnamed=st.booleans(),
)  # fmt: skip
TIERS = st.sampled_from(["words", "translated", "prefix", "close", "substring", "none"])


@given(ANY, TIERS, st.sampled_from([(), ("x",)]), st.floats(0.3, 1), st.floats(0.3, 2))
def test_nothing_is_found_while_a_name_is_unsaid_or_the_question_is_given_back_unless_words_prove_it(
    found: Evidence, tier: str, missing: tuple[str, ...], share: float, enough: float
) -> None:
    verdict = judge(found, tier, missing, share, enough, phrases=False)
    by_words = found.held >= (1.0 if found.words < 3 else share) - 1e-9
    assert verdict.word in ("confident", "likely", "unsure")
    if verdict.found and not by_words:
        assert verdict.code == "found_meaning"
        assert not found.unnamed
        assert not found.quoted
        assert found.near is not None
    if by_words and tier in ("words", "translated"):
        assert verdict.found


@given(ANY, TIERS, RATES, st.floats(0.3, 1), st.floats(0.3, 2))
def test_more_words_never_make_it_less_sure(found: Evidence, tier: str, more: float, share: float, enough: float) -> None:
    order = ["unsure", "likely", "confident"]
    better = msgspec.structs.replace(found, held=min(found.held + more, 1.0))
    before = judge(found, tier, (), share, enough, phrases=False)
    after = judge(better, tier, (), share, enough, phrases=False)
    if before.code == after.code:
        assert order.index(after.word) >= order.index(before.word)
    assert after.found >= before.found
