"""Marks and snippets: the right places, in code points of the text as it is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.graphemes import is_inside
from tray_app.text.segment import query_tokens, tokens
from tray_app.text.snippet import find_marks, snippet


def marked(text: str, query: str) -> list[str]:
    return [text[start:end] for start, end in find_marks(text, query_tokens(query))]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("we retried it, then retries again", "retry", ["retried", "retries"]),
        ("call getUserName() now", "user", ["User"]),
        ("call getUserName() now", "getusername", ["getUserName"]),
        ("see src/text/chunk.py:12", "chunk.py", ["chunk.py"]),
        ("昨天讨论了数据库迁移方案", "数据库", ["数据库"]),
        ("昨天讨论了数据库迁移方案", "数据库 方案", ["数据库", "方案"]),
        ("数据库里的库", "库", ["库", "库"]),
        ("資料庫遷移", "资料库", ["資料庫"]),
        ("deploy 🚀 done 👨‍👩‍👧", "👨‍👩‍👧", ["👨‍👩‍👧"]),
        ("İstanbul ﬁle ＡＢＣ end", "file", ["ﬁle"]),
        ("İstanbul ﬁle ＡＢＣ end", "abc istanbul", ["İstanbul", "ＡＢＣ"]),
        ("İİİİ ﬁﬁﬁ target", "target", ["target"]),
        ("㍿ ﬃx cafe\u0301 x", "café", ["cafe\u0301"]),
        ("ﾃﾞｰﾀﾍﾞｰｽ の移行", "データ", ["ﾃﾞｰﾀ"]),
        ("C++ and C, don't", "c++ don't", ["C++", "don't"]),
        ("nothing here", "absent", []),
        ("", "x", []),
        ("text", "", []),
    ],
)
def test_marks(text: str, query: str, expected: list[str]) -> None:
    assert marked(text, query) == expected


TEXTS = st.text(
    alphabet=st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("abcXY_-./ \n数据库İﬁＡ\u0301ﾃﾞ\u200d👨🇺🇸")),
    max_size=120,
)


@given(TEXTS, TEXTS)
def test_marks_are_ordered_ranges_inside_the_text(text: str, query: str) -> None:
    marks = find_marks(text, query_tokens(query))
    assert all(0 <= start < end <= len(text) for start, end in marks)
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(marks))


@given(TEXTS)
def test_whatever_has_tokens_is_marked(text: str) -> None:
    assert bool(find_marks(text, query_tokens(text))) == bool(tokens(text))


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    text = "first line\n\n  second retry line\n"
    assert snippet(text, find_marks(text, ["retry"])) == ("first line second retry line", [(18, 23)])


def test_the_densest_place_is_shown_in_the_first_third() -> None:
    text = "cache " + "filler words " * 100 + "the cache keeps the retry queue " + "more filler " * 100
    line, marks = snippet(text, find_marks(text, query_tokens("cache retry queue")), width=120)
    assert len(line) <= 120
    assert line[0] == line[-1] == "…"
    assert [line[start:end] for start, end in marks] == ["cache", "retry", "queue"]
    assert marks[0][0] <= 45
    assert not line[1:].startswith(" ")


def test_without_marks_the_beginning_is_shown() -> None:
    line, marks = snippet("word " * 100, [], width=50)
    assert line.startswith("word word") and line.endswith("…") and len(line) <= 50
    assert marks == []


def test_chinese_near_the_end() -> None:
    text = "前言内容很长" * 60 + "最后决定数据库迁移" + "İ" * 5
    line, marks = snippet(text, find_marks(text, query_tokens("数据库")), width=40)
    assert [line[start:end] for start, end in marks] == ["数据库"]
    assert len(line) <= 40


@given(TEXTS, st.sampled_from(["abc", "数据", "库", "👨", "x"]), st.integers(12, 60))
def test_marks_move_with_the_snippet(text: str, query: str, width: int) -> None:
    marks = find_marks(text, query_tokens(query))
    line, moved = snippet(text, marks, width)
    assert len(line) <= max(width, 12) + 1
    assert "\n" not in line
    shown = {"".join(text[start:end].split()) for start, end in marks}
    for start, end in moved:
        assert 0 <= start < end <= len(line)
        piece = "".join(line[start:end].split())
        assert any(piece in whole for whole in shown)
    if marks and len(text) > width:
        assert moved


@given(st.integers(0, 400), st.integers(20, 60))
def test_a_family_is_never_cut(lead: int, width: int) -> None:
    text = "👨‍👩‍👧 🇺🇸" * 40 + "x" * (lead % 7) + " target " + "👨‍👩‍👧 🇺🇸" * 40
    line, _ = snippet(text, find_marks(text, ["target"]), width)
    inner = line.strip("…")
    at = text.replace("  ", " ").find(inner)
    assert at >= 0
    assert at == 0 or not is_inside(text, at)
    assert at + len(inner) == len(text) or not is_inside(text, at + len(inner))
