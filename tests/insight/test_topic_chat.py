"""What a chat model is told of a day, and that no answer whatever breaks the reading of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.insight.topic_chat import SENT, Line, question, read_answer
from tray_app.insight.topic_words import MOST, Part, Round
from tray_app.library.topics import Said, Speaker
from tray_app.text.key_phrases import COLUMNS, columns, take_apart
from tray_app.text.prose import prose


def part(title: str, *said: str, project: str = "shop") -> Part:
    speaker = Speaker(1, "codex", title or "none", title, 2, project, 0, "main", "")
    rounds = [Round(1, at, Said(1, at, f"m{at}", at, text), take_apart(prose(text))) for at, text in enumerate(said)]
    return Part(speaker, [*rounds, Round(1, len(said))])


def test_what_is_sent_is_bounded_and_only_what_the_person_said() -> None:
    system, user = question(
        [part("Tide tables", "Where do the\n\ntables come from?", "x" * 900), part("", "潮汐", project="潮")]
    )
    assert (system.role, user.role) == ("system", "user")
    assert user.content == "A. shop: Tide tables\n- Where do the tables come from?\n- " + "x" * 200 + "\n\nB. 潮: \n- 潮汐"
    many = question(
        [part(f"Session {number}", *[f"{number} {line} " + "words " * 60 for line in range(80)]) for number in range(40)]
    )
    assert len(many[1].content) <= SENT
    assert "L. shop: Session 11" in many[1].content
    assert "Session 12" not in many[1].content


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("A: Move the job queue\nB: 夏令时差一小时的报表", [("Move the job queue", 0), ("夏令时差一小时的报表", 1)]),
        ("Here are the topics:\n\n1. A: **Move the queue**\n2. B：“报表”。", [("Move the queue", 0), ("报表", 1)]),
        ("1) Move the queue\n2) Fix E0499", [("Move the queue", None), ("Fix E0499", None)]),
        ("- [A] Move the queue\n- Session B: Fix E0499.", [("Move the queue", 0), ("Fix E0499", 1)]),
        ("<think>A: not this\n</think>\nA: This", [("This", 0)]),
        ("A: This\n<think>and now", [("This", 0)]),
        ('```json\n["A: One thing", "Another thing"]\n```', [("One thing", 0), ("Another thing", None)]),
        ('{"topics": [{"session": "B", "label": "One thing"}, {"title": "Another"}, 3]}', [("One thing", 1), ("Another", None)]),
        ('{"A": "One thing", "B": "Another"}', [("One thing", 0), ("Another", 1)]),
        ("Z: beyond the sessions", [("Z: beyond the sessions", None)]),
        ("A: Same thing\nB: same thing", [("Same thing", 0)]),
        ("A: " + "long label of many words " * 4, [("long label of many words long label of…", 0)]),
        ("", []),
        ("\n \n…\n---\n**\nA:", []),
        ("I am sorry, but as a language model I cannot name what was talked about without knowing more about this day, its talk, and you.", []),
        ("\n".join(f"A: Topic number {number}" for number in range(9)), [(f"Topic number {number}", 0) for number in range(MOST)]),
    ],
)  # fmt: skip
def test_answers_of_many_shapes(answer: str, lines: list[tuple[str, int | None]]) -> None:
    assert read_answer(answer, 2) == [Line(label, place) for label, place in lines]


def test_a_secret_in_an_answer_is_hidden() -> None:
    (line,) = read_answer("A: Key ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5", 1)
    assert "ghp_" not in line.label


SCRAPS = st.sampled_from(
    ['{"', '"]', "[", "A: ", "1. ", "- ", "<think>", "</think>", "```json", "\n", "**", "潮汐", ": ", "label"]
)


@given(
    st.one_of(st.text(max_size=300), st.lists(st.one_of(SCRAPS, st.text(max_size=8)), max_size=40).map("".join)),
    st.integers(1, 14),
)
def test_any_answer_can_be_read(answer: str, parts: int) -> None:
    lines = read_answer(answer, parts)
    assert len(lines) <= MOST
    for line in lines:
        assert line.label == line.label.strip()
        assert 0 < columns(line.label) <= COLUMNS
        assert line.part is None or 0 <= line.part < parts
