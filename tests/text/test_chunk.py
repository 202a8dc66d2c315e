"""Chunks: nothing is lost, nothing is too long, and cuts are where a reader would make them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.chunk import OVERLAP, QUESTION_SIZE, TALK_SIZE, TOOL_SIZE, Chunk, ChunkMessage, Piece, chunk_round, rounds


def make_round(*messages: tuple[str, str]) -> list[ChunkMessage]:
    return [ChunkMessage(10 + at, role, text) for at, (role, text) in enumerate(messages)]


def read(messages: list[ChunkMessage], chunk: Chunk) -> list[str]:
    texts = {message.index: message.text for message in messages}
    return [texts[piece.index][piece.start : piece.end] for piece in chunk.pieces]


@pytest.mark.parametrize(
    ("roles", "ranges"),
    [
        ("", []),
        ("u", [(0, 1)]),
        ("uaua", [(0, 2), (2, 4)]),
        ("uuaua", [(0, 3), (3, 5)]),
        ("aua", [(0, 1), (1, 3)]),
        ("uctca", [(0, 5)]),
        ("nus", [(0, 1), (1, 3)]),
    ],
)
def test_rounds(roles: str, ranges: list[tuple[int, int]]) -> None:
    names = {"u": "user", "a": "assistant", "c": "tool_call", "t": "tool_result", "n": "note", "s": "summary"}
    assert rounds([names[role] for role in roles]) == ranges


def test_a_short_round_is_one_chunk() -> None:
    messages = make_round(("user", "why does it fail?\n"), ("assistant", "  because of the lock"))
    assert chunk_round(messages) == [Chunk("round", (Piece(10, 0, 17), Piece(11, 2, 21)))]


def test_calls_and_results_pair_up_in_order() -> None:
    messages = make_round(
        ("user", "go"),
        ("tool_call", "ls a"),
        ("tool_call", "ls b"),
        ("tool_result", "A"),
        ("tool_result", "B"),
        ("assistant", "done"),
    )
    chunks = chunk_round(messages)
    assert [(chunk.kind, read(messages, chunk)) for chunk in chunks] == [
        ("round", ["go", "done"]),
        ("tool", ["ls a", "A"]),
        ("tool", ["ls b", "B"]),
    ]


def test_other_kinds_stand_alone() -> None:
    messages = make_round(
        ("summary", "S"), ("user", "U"), ("reasoning", "R"), ("note", "N"), ("tool_result", "T"), ("assistant", " \n")
    )
    assert [(chunk.kind, read(messages, chunk)) for chunk in chunk_round(messages)] == [
        ("summary", ["S"]),
        ("round", ["U"]),
        ("reasoning", ["R"]),
        ("note", ["N"]),
        ("tool", ["T"]),
    ]


def test_later_passages_repeat_the_question_and_overlap() -> None:
    sentences = " ".join(f"Sentence number {number} says something." for number in range(100))
    messages = make_round(("user", "what about the cache?\nmore detail"), ("assistant", sentences))
    chunks = chunk_round(messages)
    assert len(chunks) == 4
    for earlier, later in pairwise(chunks):
        assert read(messages, later)[0] == "what about the cache?"
        assert 0 < earlier.pieces[-1].end - later.pieces[1].start <= OVERLAP
        assert read(messages, earlier)[-1].endswith(".")
        assert read(messages, later)[1].startswith("Sentence")


def test_chinese_is_cut_at_sentences() -> None:
    messages = make_round(("user", "迁移"), ("assistant", "我们先备份数据库，然后再切换。" * 200))
    for chunk in chunk_round(messages)[:-1]:
        assert read(messages, chunk)[-1].endswith("。")


def test_paragraphs_and_code_blocks_are_kept_whole() -> None:
    code = "```python\n" + "x = 1\n" * 100 + "```\n"
    text = "word " * 120 + "\n\n" + code + "\nafter " + "word " * 120
    messages = make_round(("assistant", text))
    parts = [read(messages, chunk)[-1] for chunk in chunk_round(messages)]
    assert sum("```python" in part and part.count("```") == 2 for part in parts) == 1


def test_a_long_code_block_is_cut_at_lines() -> None:
    code = "```\n" + "".join(f"value_{number} = compute({number})\n" for number in range(200)) + "```"
    messages = make_round(("assistant", code))
    for chunk in chunk_round(messages)[:-1]:
        assert read(messages, chunk)[-1].endswith(")")


def test_a_family_is_never_cut() -> None:
    messages = make_round(("assistant", "👨‍👩‍👧" * 1000))
    for chunk in chunk_round(messages):
        for part in read(messages, chunk):
            assert len(part) % 5 == 0 and part[0] == "👨"


ROLES = st.sampled_from(["user", "assistant", "tool_call", "tool_result", "reasoning", "summary", "note"])
TEXTS = st.lists(
    st.sampled_from(
        [
            "word ",
            "句子。",
            "\n",
            "\n\n",
            "```\n",
            "x" * 70,
            "数据" * 90,
            "end. ",
            " ",
            "👨‍👩‍👧",
            "🇺🇸",
            "e\u0301",
            "\r\n",
            "a" * 1300,
        ]
    ),
    max_size=60,
).map("".join)


@given(st.lists(st.tuples(ROLES, TEXTS), max_size=6))
def test_nothing_is_lost_and_sizes_are_bounded(parts: list[tuple[str, str]]) -> None:
    messages = make_round(*parts)
    chunks = chunk_round(messages)
    assert chunks == chunk_round(messages)
    covered = {message.index: [character.isspace() for character in message.text] for message in messages}
    for chunk in chunks:
        size = 0
        for piece in chunk.pieces:
            assert 0 <= piece.start < piece.end <= len(covered[piece.index])
            covered[piece.index][piece.start : piece.end] = [True] * (piece.end - piece.start)
            size += piece.end - piece.start
        assert size <= (TOOL_SIZE if chunk.kind == "tool" else TALK_SIZE)
    assert all(all(places) for places in covered.values())


def test_the_number_of_chunks_is_linear() -> None:
    messages = make_round(("user", "q" * 500), ("assistant", "word " * 100_000))
    assert len(chunk_round(messages)) < 500_000 / (TALK_SIZE - QUESTION_SIZE - OVERLAP) * 1.2
