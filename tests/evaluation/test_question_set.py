"""Sets as files: what is taken, what is refused and in which words, and the set that comes along."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_sets import QUESTIONS, SESSIONS, put, question, session

from tray_app.errors import AppError, KnownError, UsageError
from tray_app.evaluation import question_set
from tray_app.evaluation.question_set import HIDDEN, VISIBLE, Traps
from tray_app.paths import resource


def test_a_set_is_read(tmp_path: Path) -> None:
    sessions, questions = put(tmp_path)
    read = question_set.load(sessions, questions)
    assert [one.session for one in read.sessions] == ["glaze", "窑温", "shelf"]
    assert [[message.id for message in turn] for turn in read.sessions[1].rounds()] == [["m2", "m3", "m4", "m5"], ["m7", "m8"]]
    assert [(one.id, [gold.session for gold in one.gold]) for one in read.questions] == [
        ("e1", ["glaze"]),
        ("z1", ["窑温"]),
        ("t1", ["shelf"]),
        ("u1", []),
    ]
    assert len(question_set.load(sessions, questions, first=2).questions) == 2


def test_phrases_are_cut_where_none_are_given(tmp_path: Path) -> None:
    read = question_set.load(*put(tmp_path))
    assert read.traps.never_return.injected == (
        "Never speak of the porcelain auction.",
        "拍卖行的事情不要提起来",
        "Reminder: the porcelain auction must stay secret.",
        "Skills: porcelain auction catalogue writer.",
    )
    assert read.traps.never_return.reasoning == (
        "Maybe the bisque was fired too hot, who knows.",
        "Silicon carbide is probably out of budget here.",
    )
    assert read.traps.secrets == ()


def test_phrases_that_somebody_says_are_none(tmp_path: Path) -> None:
    said = session(
        "a", "codex", ("injected", "The load limit is twelve kilos"), ("user", "so the load limit\nis twelve kilos?")
    )
    said["messages"][1]["text"] = "I read: The load limit\n is twelve kilos"
    read = question_set.load(*put(tmp_path, [said], [question("q", "limit")]))
    assert read.traps == Traps()


def test_given_phrases_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "traps.json"
    file.write_text('{"never_return": {"injected": ["a  b"], "reasoning": ["c"]}, "secrets": ["d", " "]}', encoding="utf-8")
    read = question_set.load(*put(tmp_path), file)
    assert read.traps.phrases() == {"a b": "injected", "c": "reasoning", "d": "secret"}
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match=r"traps\.json"):
        question_set.load(*put(tmp_path), file)


def changed(row: dict[str, Any], **more: Any) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(row))
    return copied | more


def second(**more: Any) -> dict[str, Any]:
    """The first session with its second message changed."""
    row = changed(SESSIONS[0])
    row["messages"][1] |= more
    return row


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (changed(SESSIONS[0], session="shelf"), "this session stands twice"),
        (changed(SESSIONS[0], agent="vim"), "the agent is one of claude_code, codex, dsh, not 'vim'"),
        (changed(SESSIONS[0], messages=[]), "there are no messages"),
        (changed(SESSIONS[0], start="yesterday"), "not a time"),
        (changed(SESSIONS[0], start="2026-03-04T17:00:00"), "names no zone"),
        (changed(SESSIONS[0], title=7), "Expected `str`, got `int` - at `$.title`"),
        (second(id="m1"), "two messages have the same id"),
        (second(time="2026-03-04T09:01:00Z"), "the times of the messages must go up"),
        (second(time="0001-01-01T00:00:00Z"), "outside the years"),
        (second(role="narrator"), "there is no role 'narrator'"),
    ],
)
def test_a_bad_session_names_its_line(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    sessions, questions = put(tmp_path, [SESSIONS[2], row])
    text = sessions.read_text(encoding="utf-8")
    sessions.write_text("\n" + text, encoding="utf-8")  # blank lines count
    with pytest.raises(UsageError) as caught:
        question_set.load(sessions, questions)
    assert f"{sessions}, line 3: " in caught.value.message
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (changed(QUESTIONS[0], query="  "), "the query is empty"),
        (changed(QUESTIONS[0], asked_at="soon"), "not a time"),
        (changed(QUESTIONS[0], gold=[{"session": "x", "messages": ["m1"]}]), "there is no session 'x'"),
        (changed(QUESTIONS[0], gold=[{"session": "glaze", "messages": ["m1", "m99"]}]), "the session 'glaze' has no message 'm99'"),
        (changed(QUESTIONS[0], gold=[{"session": "glaze", "messages": []}]), "a gold without messages"),
        ([1, 2], "Expected `object`, got `array`"),
    ],
)  # fmt: skip
def test_a_bad_question_names_its_line(tmp_path: Path, row: Any, words: str) -> None:
    sessions, questions = put(tmp_path, questions=[QUESTIONS[1], row])
    with pytest.raises(UsageError) as caught:
        question_set.load(sessions, questions)
    assert f"{questions}, line 2: " in caught.value.message
    assert words in caught.value.message


def test_nothing_is_no_set(tmp_path: Path) -> None:
    sessions, questions = put(tmp_path, questions=[])
    with pytest.raises(UsageError, match="holds nothing"):
        question_set.load(sessions, questions)
    with pytest.raises(KnownError, match="cannot be read"):
        question_set.load(tmp_path / "none.jsonl", questions)


def test_a_mark_of_byte_order_is_passed_over(tmp_path: Path) -> None:
    sessions, questions = put(tmp_path)
    sessions.write_bytes(b"\xef\xbb\xbf" + sessions.read_bytes())
    assert len(question_set.load(sessions, questions).sessions) == 3


ROW = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*SESSIONS[0], *QUESTIONS[0]]), inner, max_size=4),
    max_leaves=6,
)  # fmt: skip


@given(
    st.binary(max_size=80)
    | st.dictionaries(st.sampled_from([*SESSIONS[0]]), ROW).map(lambda row: json.dumps(SESSIONS[0] | row).encode())
)
def test_any_line_is_taken_or_refused(tmp_path_factory: pytest.TempPathFactory, line: bytes) -> None:
    sessions, questions = put(tmp_path_factory.getbasetemp() / "any", [SESSIONS[0]], [QUESTIONS[0]])
    for file in (sessions, questions):
        whole = file.read_bytes()
        file.write_bytes(whole + line)
        try:
            question_set.load(sessions, questions)
        except AppError as fault:
            assert f"{file}, line " in fault.message
        file.write_bytes(whole)


# --- the set that comes along ----------------------------------------------------------------------------------------------
def test_the_shipped_set_is_whole() -> None:
    shipped = question_set.shipped()
    assert len(shipped.sessions) >= 40
    assert len(shipped.questions) >= 60
    assert Counter(session.agent for session in shipped.sessions).keys() == {"claude_code", "codex", "dsh"}
    kinds = Counter(one.category for one in shipped.questions)
    assert kinds["unanswerable"] >= 10
    assert min(kinds.values()) >= 5
    assert kinds.keys() == {
        *("exact", "identifier", "paraphrase", "cross", "time", "preference", "update", "tool_result", "short"),
        "unanswerable",
    }
    assert {one.lang for one in shipped.questions} == {"en", "zh", "mixed"}
    for one in shipped.questions:
        assert bool(one.gold) == (one.category != "unanswerable"), one.id
    assert len({one.id for one in shipped.questions}) == len(shipped.questions)
    for file in ("sessions.jsonl", "queries.jsonl"):
        assert resource(f"evaluation/{file}").stat().st_size < 250_000


def test_gold_of_the_shipped_set_is_talk() -> None:
    shipped = question_set.shipped()
    roles = {(one.session, message.id): message.role for one in shipped.sessions for message in one.messages}
    for one in shipped.questions:
        for gold in one.gold:
            assert len(set(gold.messages)) == len(gold.messages), one.id
            assert {roles[gold.session, name] for name in gold.messages} <= set(VISIBLE), one.id


def test_traps_of_the_shipped_set_stand_in_nobodys_talk() -> None:
    shipped = question_set.shipped()
    texts = [(message.role, " ".join(message.text.split())) for one in shipped.sessions for message in one.messages]
    for phrase, kind in shipped.traps.phrases().items():
        roles = {role for role, text in texts if phrase in text}
        assert roles, phrase
        assert roles <= set(HIDDEN) if kind != "secret" else roles <= set(VISIBLE), phrase


def test_no_query_of_the_shipped_set_gives_a_trap_away() -> None:
    shipped = question_set.shipped()
    for one in shipped.questions:
        assert not any(phrase in one.query for phrase in shipped.traps.phrases()), one.id
