"""Sentences and what they do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.memory.sentences import (
    asks_openly,
    decides,
    is_request,
    joined,
    reports_done,
    said_by_person,
    sentences,
    shortened,
    statements,
)


def test_sentences_come_out_as_they_were_said() -> None:
    text = (
        "## Plan\n- **First**, move it. then test, e.g. with curl.\n1. 金额用 DECIMAL(18,2)，不要用浮点。好的！\n"
        "```py\nx = 1  # We decided.\n```\n| a | b |\n> quoted\nok"
    )
    assert list(sentences(text)) == [
        "Plan", "First, move it.", "then test, e.g. with curl.", "金额用 DECIMAL(18,2)，不要用浮点。",
    ]  # fmt: skip


def test_statements_draw_together_what_belongs_together() -> None:
    text = "Done. The timeout now reads from the environment.\nAdded:\n- a parser\n- its test\nNothing else:"
    assert list(statements(text)) == [
        "Done. The timeout now reads from the environment.",
        "Added: a parser; its test",
        "Nothing else:",
    ]


@pytest.mark.parametrize(
    "words", ["Fix the login bug", "帮我看看这个报错", "/etc/hosts is wrong", "why?!", "[image]\nwhat is this", "hello world"]
)
def test_requests(words: str) -> None:
    assert is_request(words)


@pytest.mark.parametrize(
    "words",
    ["hi", "Hello!", "你好", "在吗？", "ok", "yes.", "继续", "好的", "A", "/compact", "/model opus", "/", "[image png 3 KB]", "…", "", "thanks!"],
)  # fmt: skip
def test_no_requests(words: str) -> None:
    assert not is_request(words)


@pytest.mark.parametrize(
    ("sentence", "by_person"),
    [
        ("Decision: we keep empty string, never null.", True),
        ("let's use apple container instead of docker proper.", True),
        ("We agreed on port 8443 for staging.", False),
        ("I went with SQLite; we settled on WAL mode.", False),
        ("决定：金额字段统一用 DECIMAL。", True),
        ("就用 DuckDB 吧。", True),
        ("Decision 11 replaces decision 7: jobs live in Postgres.", True),
        ("Rule for later: every webhook handler must be idempotent.", True),
        ("约定：时间一律按港口当地时区显示。", False),
        ("把接口改成 REST。", True),
        ("按方案二做。", True),
        ("推翻之前的设计，换成队列。", True),
        ("改用 PostgreSQL，因为要并发写。", False),
        ("不要用浮点，用 DECIMAL，因为有误差。", True),
    ],
)
def test_decisions(sentence: str, by_person: bool) -> None:
    assert decides(sentence, by_person=by_person)


@pytest.mark.parametrize(
    ("sentence", "by_person"),
    [
        ("What port did we agree on for staging?", True),
        ("which one we decided on", True),
        ("昨天的决定是什么", True),
        ("You need to decide which one to take.", False),
        ("We haven't decided on the name yet.", False),
        ("Let's use grep to find it:", False),
        ("It fails because the file is gone.", True),
        ("还没决定用哪个。", False),
        ("超过 8 次就标红，人工决定是否拉黑。", False),
    ],
)
def test_no_decisions(sentence: str, by_person: bool) -> None:
    assert not decides(sentence, by_person=by_person)


@pytest.mark.parametrize(
    "sentence",
    [
        "Added tests/invoices.spec.ts with a customer that has no address.",
        "Done. The timeout now reads from the environment.",
        "I've fixed the crash in the parser.",
        "The whole suite passes (14 tests).",
        "已修复登录时的空指针。",
        "deploy/staging.toml now has port 8443.",
        "Decision 11 is written and decision 7 is marked as superseded.",
        "4,500 runs were made and all pass, none failed.",
        "我把金额字段改好了，并且测试全部通过。",
        "添加了每周汇总报表。",
    ],
)
def test_reports_of_something_done(sentence: str) -> None:
    assert reports_done(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Done!",
        "Updated:",
        "I will add a test for it.",
        "Let me check what was changed there.",
        "The tests added yesterday still fail.",
        "It is not fixed yet, sorry.",
        "Once it is merged we can go on.",
        "Have you added the key?",
        "Looks like the logs were already removed there.",
        "接下来将修复登录问题。",
        "测试没有通过。",
        "已删的笔记保留 30 天。",
        "Built-in themes are not watched.",
    ],
)
def test_no_reports(sentence: str) -> None:
    assert not reports_done(sentence)


def test_open_questions_are_not_offers() -> None:
    assert asks_openly("Should the port be 8443 or 9443?")
    assert asks_openly("端口用 8443 还是 9443？")
    assert not asks_openly("Is there anything else I can help with?")
    assert not asks_openly("还有什么需要我帮忙的吗？")
    assert not asks_openly("Tell me the port.")


def test_a_request_is_quoted_up_to_what_was_pasted() -> None:
    assert said_by_person("why does this fail in ci?\n\n$ npm run check\n> check\nerror TS1", 80) == "why does this fail in ci?"
    assert said_by_person("❯ ./run.sh\nBuilding", 80) == "❯ ./run.sh Building"
    assert said_by_person("看看这个：\n```\nboom\n```\n谢谢", 80) == "看看这个： 谢谢"


def test_shortening_keeps_whole_words() -> None:
    assert shortened("one two  three\nfour", 40) == "one two three four"
    assert shortened("one two three four", 14) == "one two three…"
    assert shortened("没有空格的一句很长的话", 6) == "没有空格的…"


def test_joining_marks_where_no_end_mark_stands() -> None:
    assert joined(["First thing", "second.", "third", "第四。", "第五"]) == "First thing · second. third · 第四。第五"


@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    for sentence in [*sentences(text), *statements(text)]:
        assert sentence.strip()
        decides(sentence, by_person=True)
        reports_done(sentence)
        asks_openly(sentence)
    is_request(text)
    assert len(said_by_person(text, 50)) <= 50
