"""Answers that merely give the question back, and such that answer."""

from __future__ import annotations

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.library.reading import MessageText
from tray_app.recall.candidates import Candidate
from tray_app.recall.quoting import SHORTEST, quotes_question
from tray_app.text.segment import query_tokens

ENGLISH = "which catamaran crosses the fjord at midnight"
CHINESE = "重试队列为什么会丢消息"


def quotes(*said: tuple[str, str], question: str = ENGLISH) -> bool:
    made = Candidate(1, 1, 1, "round", 1.0)
    made.parts = [(MessageText(n, 1, n, f"m{n}", role, "", 1, text, 0), text) for n, (role, text) in enumerate(said)]
    return quotes_question(made, dict.fromkeys(query_tokens(question), 1.0))


@pytest.mark.parametrize("marks", ["“”", "「」", "『』", '""'])
@pytest.mark.parametrize("question", [ENGLISH, CHINESE])
def test_a_question_in_any_quotation_marks_is_given_back(marks: str, question: str) -> None:
    start, end = marks
    assert quotes(("assistant", f"You asked: {start}{question}{end}, and I found nothing."), question=question)
    assert not quotes(("assistant", f"You asked: {question}, and I found nothing."), question=question)


@pytest.mark.parametrize(
    "text",
    [
        f"> {ENGLISH}",
        f"The question was\n\n> {ENGLISH}\n\nand nothing was found.",
        "The question was\n> which catamaran\n> crosses the fjord\n> at midnight",
        f">{ENGLISH}\nNothing.",
    ],
)
def test_a_block_that_is_quoted(text: str) -> None:
    assert quotes(("assistant", text))


def test_what_the_person_said_is_no_answer_that_gives_it_back() -> None:
    assert not quotes(("user", f"Look up “{ENGLISH}” please."))
    assert not quotes(("tool_result", f'"{ENGLISH}"'))
    assert quotes(("user", "Please look it up."), ("assistant", f"“{ENGLISH}”: nothing."))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (f"“{ENGLISH}”: the catamaran that crosses the fjord around midnight is the Petrel.", ENGLISH),
        (f"> {ENGLISH}\n\nThe Petrel: it is the one catamaran that crosses the fjord by midnight.", ENGLISH),
        (f"你问的是「{CHINESE}」。重试队列会丢消息，因为确认发生在处理之前。", CHINESE),
    ],
)
def test_an_answer_that_says_most_of_it_again_answers(text: str, question: str) -> None:
    assert not quotes(("assistant", text), question=question)


def test_an_answer_that_says_little_of_it_again_does_not() -> None:
    assert quotes(("assistant", f"“{ENGLISH}”: there is nothing about a fjord."))


def test_an_answer_may_come_in_a_later_message() -> None:
    answer = "The catamaran that crosses the fjord around midnight is the Petrel, as far as I can see."
    assert not quotes(("assistant", f"“{ENGLISH}”: let me see."), ("tool_call", "grep"), ("assistant", answer))
    assert quotes(("assistant", f"“{ENGLISH}”: let me see."), ("tool_call", answer), ("assistant", "Nothing."))


def test_no_quotation_begins_in_one_message_and_ends_in_another() -> None:
    assert not quotes(("assistant", "“which catamaran crosses"), ("assistant", "the fjord at midnight”"))


def test_a_quotation_of_something_else_or_of_a_small_part_is_none() -> None:
    assert not quotes(("assistant", "“the ferry sails on Sundays only” is what the timetable says of the fjord."))
    assert not quotes(("assistant", "“fjord fjord fjord” it says."))


def test_marks_around_a_word_or_two_are_no_quotation() -> None:
    assert not quotes(("assistant", '"a b" "c d"'), question="a b c d")
    shortest = "ab cd ef"
    assert len(shortest) >= SHORTEST > len("ab cd")
    assert quotes(("assistant", f'"{shortest}"'), question=shortest)
    assert not quotes(("assistant", '"ab cd"'), question="ab cd")


def test_quotation_marks_of_code_do_not_reach_over_lines() -> None:
    assert not quotes(("assistant", f'say "\n{ENGLISH}\n" there'))


def test_a_question_of_no_weight_is_never_given_back() -> None:
    assert not quotes(("assistant", f"“{ENGLISH}”"), question="?!")
    assert not quotes()


# --- any text --------------------------------------------------------------------------------------------------------------
PIECES = st.sampled_from(["“", "”", "「", "」", "『", "』", '"', "\n", "\n>", "> ", "catamaran ", "fjord ", "midnight ", "重试队列", "x" * 7, "\x00", "\ud800"])  # fmt: skip


@given(st.one_of(st.text(st.characters(), max_size=200), st.lists(PIECES, max_size=60).map("".join)))
def test_any_text_is_one_or_is_none(text: str) -> None:
    assert quotes(("assistant", text)) in (True, False)
    assert not quotes(("user", text))


@pytest.mark.parametrize(
    "piece",
    ["“", "「", "『", '"', ">", "\n>", ">\n", "“「『", "“x", '"x', "\n>“", "“”", '""', "“" + "x" * 599, '"' + "x" * 601, "「“" * 7 + "x"],
)  # fmt: skip
def test_hostile_texts_are_looked_through_once(piece: str) -> None:
    assert grows_with_length_only(lambda text: quotes(("assistant", text)), piece, 25_000)
