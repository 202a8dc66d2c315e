"""What answers are worth, on outcomes whose figures can be counted by hand."""

from __future__ import annotations

import msgspec
import pytest

from tray_app.evaluation import scoring
from tray_app.evaluation.native import NOISE, Names
from tray_app.evaluation.question_set import Gold, Phrases, Question, Traps
from tray_app.evaluation.scoring import Figures, Judged, Latency, Leak, Outcome, Passage, Recogniser
from tray_app.records import Answer, FallbackMenu, Hit, MenuDay, MenuSession, SessionHits, Understood


def asked(*gold: tuple[str, str], name: str = "q", category: str = "exact", lang: str = "en") -> Question:
    places = tuple(Gold(session, tuple(ids.split())) for session, ids in gold)
    return Question(name, "words", "2026-03-20T10:00:00+08:00", category, lang, places)


def answered(*passages: tuple[str, str], found: bool = True, texts: tuple[str, ...] = (), ms: float = 2.0) -> Outcome:
    told = tuple(Passage(session, frozenset(ids.split())) for session, ids in passages)
    order = tuple(dict.fromkeys(session for session, _ in passages))
    return Outcome(found, "likely" if found else "unsure", told, order, texts, ms)


def test_right_session_and_right_message_count_apart() -> None:
    judged = scoring.judge(asked(("a", "m1 m2")), answered(("a", "m9"), ("b", "m1"), ("a", "m2 m3")))
    assert judged == Judged(
        id="q",
        category="exact",
        lang="en",
        answerable=True,
        found=True,
        verdict="likely",
        rank=3,
        session_rank=1,
        recall=(0.0, 1.0, 1.0),
        session_recall=(1.0, 1.0, 1.0),
        first_right=False,
        hits=3,
        milliseconds=2.0,
    )


def test_recall_is_the_share_of_gold_sessions() -> None:
    question = asked(("a", "m1"), ("b", "m1"), ("c", "m1"))
    judged = scoring.judge(question, answered(("a", "m1"), ("a", "m1"), ("b", "m1"), ("c", "m7")))
    assert judged.recall == pytest.approx((1 / 3, 2 / 3, 2 / 3))
    assert judged.session_recall == pytest.approx((1 / 3, 1.0, 1.0))
    assert (judged.rank, judged.first_right) == (1, True)


def test_the_sixth_passage_is_too_late_for_five() -> None:
    judged = scoring.judge(asked(("a", "m1")), answered(*[("b", f"m{n}") for n in range(5)], ("a", "m1")))
    assert (judged.recall, judged.rank) == ((0.0, 0.0, 1.0), 6)
    assert (judged.session_recall, judged.session_rank) == ((0.0, 1.0, 1.0), 2)


def test_a_question_without_an_answer_has_no_recall() -> None:
    judged = scoring.judge(asked(), answered(("a", "m1"), found=False))
    assert (judged.answerable, judged.found, judged.recall, judged.rank, judged.first_right) == (False, False, (), None, False)


def test_figures_of_groups() -> None:
    judged = [
        scoring.judge(asked(("a", "m1"), name="1"), answered(("a", "m1"), ms=1)),
        scoring.judge(asked(("a", "m1"), name="2", lang="zh"), answered(("b", "m1"), ("a", "m1"), ms=5)),
        scoring.judge(asked(("a", "m1"), name="3", category="time"), answered(found=False, ms=3)),
        scoring.judge(asked(name="4", category="unanswerable"), answered(("a", "m1"), ms=9)),
        scoring.judge(asked(name="5", category="unanswerable"), answered(("a", "m1"), found=False, ms=4)),
    ]
    found = scoring.groups(judged)
    assert list(found) == ["all", "category:exact", "category:time", "category:unanswerable", "lang:en", "lang:zh"]
    assert found["all"] == Figures(
        n=5, answerable=3, recall_1=0.3333, recall_5=0.6667, recall_10=0.6667, session_1=0.3333, session_5=0.6667,
        mrr=0.5, found=0.6667, false_found=0.5, precision=0.3333,
    )  # fmt: skip
    assert found["category:time"] == Figures(1, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, None, None)
    assert found["category:unanswerable"] == Figures(2, 0, None, None, None, None, None, None, None, 0.5, 0.0)
    assert found["lang:zh"] == Figures(1, 1, 0.0, 1.0, 1.0, 0.0, 1.0, 0.5, 1.0, None, 0.0)
    assert scoring.latency(judged) == Latency(4, 9, 9)
    assert scoring.latency(judged[:1]) == Latency(1, 1, 1)


def test_percentiles_round_the_rank_up() -> None:
    one = scoring.judge(asked(), answered())
    judged = [msgspec.structs.replace(one, milliseconds=float(n)) for n in range(20, 0, -1)]
    assert scoring.latency(judged) == Latency(10, 19, 20)


def test_leaks_are_found_across_white_space() -> None:
    traps = Traps(Phrases(injected=("porcelain  auction",), reasoning=("too hot",)), secrets=("Fake-Lamp-77",))
    outcome = answered(texts=("the porcelain\n auction", "it is too\thot", f"x {NOISE}", "Fake-Lamp-7"))
    assert list(scoring.leaks(asked(), outcome, traps)) == [
        Leak("q", "injected", "porcelain auction"),
        Leak("q", "reasoning", "too hot"),
        Leak("q", "harness", NOISE),
    ]


def hit(rank: int, *ids: str, text: str = "text") -> Hit:
    return Hit(
        rank=rank, score=1 / rank, time=None, date_text="", date_human="", age_days=0, is_recent=False, role="user",
        kind="round", message_id=ids[0], message_ids=ids, seq=0, text=text, snippet=f"cut {text}",
    )  # fmt: skip


def hits_of(agent: str, session: str, *hits: Hit) -> SessionHits:
    return SessionHits(
        session=session, agent=agent, workspace="", project="", title=f"title {session}", start=None, end=None,
        start_date_text="", end_date_text="", score=1, resume_command="", hits=hits,
    )  # fmt: skip


def test_an_answer_in_terms_of_the_set() -> None:
    known = Names("a", "native-a", "codex", {"item1": {"m1"}, "call1": {"m2", "m3"}})
    menu = FallbackMenu(
        question="which?",
        sessions=(MenuSession(index=1, label="label", session="s", agent="codex", project="", title="menu title", date_text="", preview="preview", message_id=""),),
        days=(MenuDay(day="2026-03-04", date_text="", topics=("topic",), sessions=1),),
    )  # fmt: skip
    answer = Answer(
        found=False,
        verdict="unsure",
        reason="",
        reason_code="",
        understood=Understood(query="words that were asked"),
        sessions=(
            hits_of("codex", "native-a", hit(3, "item1"), hit(1, "call1", "unknown")),
            hits_of("claude_code", "native-a", hit(2, "item1")),
        ),
        fallback_menu=menu,
    )
    outcome = Recogniser([known]).outcome(answer, 4.25)
    assert outcome.passages == (
        Passage("a", frozenset({"m2", "m3"})),
        Passage("native-a", frozenset()),  # the same id, but of another agent
        Passage("a", frozenset({"m1"})),
    )
    assert outcome.sessions == ("a", "native-a")
    assert (outcome.found, outcome.verdict, outcome.milliseconds) == (False, "unsure", 4.25)
    assert {"title native-a", "text", "cut text", "label", "menu title", "preview", "topic"} <= set(outcome.texts)
    assert "words that were asked" not in outcome.texts
