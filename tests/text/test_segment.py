"""Words: one rule set for documents and questions."""

from __future__ import annotations

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text import segment
from tray_app.text.segment import STOP_WORDS, content_tokens, query_tokens, split_word, tokens
from tray_app.text.stemming import stem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserName", "getusernam get user name"),
        ("HTTPServer readJSON", "httpserver http server readjson read json"),
        ("snake_case_name", "snake_case_name snak case name"),
        ("a/b/c.py", "a/b/c.py c.py py"),
        ("tray_app/text/segment.py", "tray_app/text/segment.py tray_app tray app text segment.py segment py"),
        ("src\\Foo\\barBaz.tsx", "src/foo/barbaz.tsx src foo barbaz.tsx barbaz bar baz tsx"),
        ("v1.2.3 3.11.7 3.11", "v1.2.3 1.2.3 1.2 3.11.7 3.11 11 3.11 11"),
        ("E0277", "e0277 0277"),
        ("0x80070005 0x7ffe", "0x80070005 0x7ffe"),
        ("CVE-2026-1234", "cve-2026-1234 cve 2026 1234"),
        ("#4815", "#4815 4815"),
        ("127.0.0.1:3111", "127.0.0.1:3111 127.0.0.1 3111"),
        ("9f1c2e7ab4", "9f1c2e7ab4"),
        ("123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000 123e4567"),
        ("ask-codex", "ask-codex ask codex"),
        ("--error-on-warnings", "error-on-warnings error on warn"),
        ("don't don’t", "don't dont don don't dont don"),
        ("the user's IDs", "the user id"),
        ("3 GB/s", "3 gb/s gb"),
        ("C++ and C# or i++", "c++ and c# or i++"),
        ("100% of a_b", "100% 100 of a_b"),
        ("2026-11-25 2026-11-25T10:30:00Z", "2026-11-25 2026-11 2026-11-25 2026-11 10:30"),
        ("bar.py:12", "bar.py bar py 12"),
        ("café naïve Straße", "cafe naiv strass"),
        ("ﬁle ＡＢＣ", "file abc"),
        ("___ -- ::", ""),
        ("Привет Ελλάδα שלום", "привет ελλαδα שלום"),
        ("", ""),
    ],
)
def test_words_and_identifiers(text: str, expected: str) -> None:
    assert tokens(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数据库", "数 数据 据库 库"),
        ("库", "库"),
        ("重建FTS索引", "重 重建 建 fts 索 索引 引"),
        ("資料庫遷移", "资 资料 料库 库迁 迁移 移"),
        ("데이터", "데 데이 이터 터"),
        ("データ", "デ デー ータ タ"),
        ("ﾃﾞｰﾀ", "デ デー ータ タ"),
        ("ฐาน", "ฐ ฐา าน น"),
        ("中，文", "中 文"),
    ],
)
def test_unspaced_scripts_become_pairs(text: str, expected: str) -> None:
    assert tokens(text) == expected.split()


@pytest.mark.parametrize("emoji", ["🚀", "🇺🇸", "👨‍👩‍👧", "👍🏽", "🏳️‍🌈", "✅"])
def test_a_picture_is_one_token(emoji: str) -> None:
    assert len(tokens(f"deploy {emoji} done")) == 3
    assert query_tokens(emoji) == tokens(f"done{emoji}")[1:]


def test_a_picture_is_found_with_and_without_its_selector() -> None:
    assert tokens("❤️") == tokens("❤") == ["❤"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("数据库 数据", ["数据", "据库"]),
        ("库", ["库"]),
        ("retry Retries retried", ["retry"]),
        ("FTS索引", ["fts", "索引"]),
        (" ", []),
    ],
)
def test_questions_give_each_token_once(query: str, expected: list[str]) -> None:
    assert query_tokens(query) == expected


DOCUMENTS = {
    "zh": "昨天我们讨论了数据库迁移方案，决定先备份再切换",
    "ja": "データベースの移行は来週の月曜日に行う",
    "ko": "데이터베이스를 다음 주에 옮기기로 했다",
    "th": "เราจะย้ายฐานข้อมูลสัปดาห์หน้า",
    "mix": "重建FTS索引后DuckDB报错",
}


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("数据库", "zh"),
        ("迁移", "zh"),
        ("資料", ""),
        ("データ", "ja"),
        ("데이터", "ko"),
        ("데이터베이스를", "ko"),
        ("ฐานข้อมูล", "th"),
        ("FTS索引", "mix"),
        ("duckdb", "mix"),
    ],
)
def test_a_phrase_inside_a_run_is_found_by_all_its_tokens(query: str, document: str) -> None:
    found = {name for name, text in DOCUMENTS.items() if set(query_tokens(query)) <= set(tokens(text))}
    assert found == ({document} if document else set())


@pytest.mark.parametrize(
    "forms",
    [
        "retry retries retried retrying",
        "decide decides decided deciding",
        "cache caches cached caching",
        "use uses used using",
        "file files filed filing",
        "stop stops stopped stopping",
        "control controls controlled controlling",
        "install installs installed installing",
        "process processes processed processing",
        "index indexes indexed indexing",
        "note notes noted noting",
        "create creates created creating",
        "fix fixes fixed fixing",
        "queue queues queued queuing",
        "setting settings set",
        "quick quickly",
        "automatic automatically",
        "possible possibly",
        "status statuses",
        "database databases",
        "error errors",
        "cookie cookies",
        "deploy deploys deployed deploying",
    ],
)
def test_forms_of_a_word_share_a_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("not", "note"),
        ("string", "str"),
        ("need", "ne"),
        ("status", "state"),
        ("apply", "app"),
        ("redis", "red"),
        ("https", "http"),
        ("embed", "emb"),
        ("plan", "planet"),
    ],
)
def test_different_words_keep_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_long_tokens_are_cut() -> None:
    assert tokens("x" * 500) == ["x" * 64]
    assert all(len(token) <= 64 for token in tokens("/".join(["directory"] * 40) + " " + "0a" * 200))


@pytest.mark.parametrize(
    ("query", "kept", "ignored"),
    [
        ("what did we decide about the retries", ["retry"], ["what", "did", "we", "decide", "about", "the"]),
        ("我们上次怎么修的迁移", ["修", "迁移"], ["我们", "上次", "怎么", "的"]),
        ("迁移的目的", ["迁移", "目的"], ["的"]),
        ("what did we decide", ["what", "did", "we", "decid"], []),
        ("怎么的", ["怎么", "么的"], []),
        ("user id", ["user", "id"], []),
        ("", [], []),
    ],
)
def test_stop_words_are_ignored_and_named(query: str, kept: list[str], ignored: list[str]) -> None:
    assert content_tokens(query) == (kept, ignored)


def test_stop_words_of_both_languages() -> None:
    assert {"what", "decid", "我们", "上次", "怎么", "的", "了", "那个", "don't", "dont"} <= STOP_WORDS
    assert not {"id", "error", "数据", "wed", "ill"} & STOP_WORDS


ALPHABET = st.one_of(
    st.characters(exclude_categories=["Cs"]), st.sampled_from("aZ09_-./\\'’@:#%+ 数據库データ가กé\u0301İﬁß\u200d🇺👨")
)


@given(st.text(alphabet=ALPHABET, max_size=80))
def test_every_question_token_is_one_a_document_has(text: str) -> None:
    found = tokens(text)
    assert set(query_tokens(text)) <= set(found)
    assert all(found) and not any(" " in token or "\n" in token or len(token) > 64 for token in found)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=120))
def test_the_short_way_for_ascii_is_the_same(text: str) -> None:
    assert segment._ASCII.findall(text) == segment._ANY.findall(text)


@given(st.from_regex(segment._ANY, fullmatch=True))
def test_parts_stand_inside_their_word(word: str) -> None:
    assert all(0 <= start < end <= len(word) for _, start, end in split_word(word))


def test_the_cache_stays_bounded() -> None:
    cache = segment._Cache()
    cache.LIMIT = 10  # type: ignore[misc]
    for number in range(100):
        assert cache[f"word{number}x"]
    assert len(cache) <= 10


@pytest.mark.parametrize(
    "unit", ["a", "a.", "a/", "a-b_", "aB", "'a", "1:", "#1", "数", "👨\u200d", "🇺", "x+", "1%", "e\u0301", "0", ".", "_"]
)
def test_time_grows_with_the_length_only(unit: str) -> None:
    assert grows_with_length_only(tokens, unit)
