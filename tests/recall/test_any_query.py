"""Any string is a question: never an exception, always an answer that says why."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from world import World

from tray_app.records import Answer

CODES = {
    *("found_words", "weak_words", "missing_words", "no_words", "nothing_matches", "nothing_in_time", "excluded_all"),
    *("filter_unknown", "too_long", "recent", "found_meaning", "weak_meaning", "quoted_back"),
}
PIECES = st.sampled_from(
    [
        *(
            "pool",
            "the",
            "重试",
            "幂",
            "E0277",
            "🚀",
            "-pool",
            '"',
            "“",
            "”",
            "「幂等",
            "'",
            "%",
            "_",
            "\\",
            "(",
            "[x,",
            "*",
            ";--",
            "\x00",
        ),
        *(
            "agent:codex",
            "project:shop",
            "role:user",
            "kind:tool",
            "session:",
            "before:2026-10-01",
            "after:",
            "yesterday",
            "昨天",
        ),
        *(
            "NOT",
            "AND",
            "a:b",
            "C++",
            "don't",
            "kubern",
            "\ud800",
            "\u202e",
            "ﬁ",
            "İ",
            "#",
            "：",
            "-",
            "--",
            '"twelve connections"',
            "storm",
            "天窗",
            "九月",
            "现在",
            "Which catamaran crosses the fjord around midnight?",
            "session:02de9458",
            "-天窗",
        ),
    ]
)
QUERIES = st.one_of(
    st.text(st.characters(), max_size=80), st.lists(PIECES, max_size=8).map(" ".join), st.lists(PIECES, max_size=5).map("".join)
)


@pytest.fixture(scope="session", params=["world", "meant"])
def library(request: pytest.FixtureRequest) -> World:
    """By words alone, and by meaning, too."""
    found: World = request.getfixturevalue(request.param)
    return found


def check(answer: Answer) -> None:
    assert answer.reason_code in CODES
    assert answer.reason.endswith(".")
    assert answer.verdict in ("confident", "likely", "unsure", "nothing")
    assert answer.found == (answer.verdict in ("confident", "likely"))
    assert answer.found <= bool(answer.sessions)
    assert (answer.verdict == "nothing") == (not answer.sessions)
    assert answer.hits == sum(len(session.hits) for session in answer.sessions)
    assert (answer.engine, answer.meaning) in (("fts", "off"), ("hybrid", "on"), ("vector", "on"))
    assert answer.meaning_note == ""
    assert not (answer.found and answer.fallback_menu)
    ranked = sorted((hit for session in answer.sessions for hit in session.hits), key=lambda hit: hit.rank)
    assert [hit.rank for hit in ranked] == list(range(1, len(ranked) + 1))
    assert all(first.score > second.score for first, second in pairwise(ranked))
    for session in answer.sessions:
        for hit in session.hits:
            assert set(hit.reasons) <= {"words", "meaning", "date"}
            assert all(0 <= start < end <= len(hit.text) for start, end in hit.marks)
            assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.snippet_marks)
    assert msgspec.json.decode(msgspec.json.encode(answer), type=Answer) == answer


MODES = st.sampled_from(["auto", "words", "meaning"])
WAYS = st.fixed_dictionaries(
    {}, optional={
        "mode": MODES, "limit": st.integers(1, 30), "max_sessions": st.integers(0, 3), "fresh_first": st.booleans(), "dedupe": st.booleans(),
        "fill_after_dedupe": st.booleans(), "explain": st.booleans(), "ignore_time": st.booleans(),
    },
)  # fmt: skip


@given(QUERIES, WAYS)
@settings(max_examples=150)
def test_any_string_has_an_answer(library: World, query: str, way: dict[str, object]) -> None:
    answer = library.ask(query, **way)
    check(answer)
    assert answer.hits <= way.get("limit", 20)  # type: ignore[operator]
    explained = [hit.explain is not None for session in answer.sessions for hit in session.hits]
    assert set(explained) <= {way.get("explain", False)}


@given(MODES, st.fixed_dictionaries({}, optional={name: st.text(st.characters(), max_size=12) for name in ("agent", "project", "role", "kind", "session", "exclude_session")}))  # fmt: skip
@settings(max_examples=60)
def test_any_string_may_be_a_filter(library: World, mode: str, filters: dict[str, str]) -> None:
    check(library.ask("pool storm window", mode=mode, **filters))


@pytest.mark.parametrize(
    "query",
    [
        "word " * 2_000,
        "汉字测试" * 2_500,
        "x" * 10_000,
        '"' * 10_000,
        "-" * 10_000,
        "🚀" * 5_000,
        "a'b" * 3_000,
        "(" * 5_000,
        "agent:" * 2_000,
        "'; DROP TABLE chunks; --",
        "' OR 1=1 --",
        "\\d+",
        "%",
        "_",
        "*",
        "(x",
        "[y",
        "NOT",
        "GB/s",
        "don't",
        "--error-on-warnings",
        "\x00",
        "\ud83d",
        "\udc00\ud800",
        "👨‍👩‍👧",
        "🇺🇸",
        "库",
    ],
)
def test_hostile_questions(library: World, query: str) -> None:
    before = library.engine.status().totals
    check(library.ask(query))
    assert library.engine.status().totals == before


def test_a_question_that_was_cut_says_so(library: World) -> None:
    answer = library.ask("zanzibar pool " * 1_000)
    assert (answer.found, answer.reason_code) == (False, "too_long")
    assert answer.sessions
