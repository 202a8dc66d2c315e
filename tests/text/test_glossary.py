"""The glossary: the form of its file, and which terms are found in a question."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import resource
from tray_app.text import stop_words
from tray_app.text.glossary import FILE, MOST, Concept, Glossary, Term, expand, parse
from tray_app.text.segment import UNSPACED, fold_text, query_tokens

TEXT = resource(FILE).read_text(encoding="utf-8")
CONCEPTS = parse(TEXT)
UNAMBIGUOUS = {"慢", "删", "锁", "栈", "帧", "税"}
STOPS = {*stop_words.CHINESE.split(), *stop_words.ENGLISH.split()}

SMALL = Glossary(
    parse(
        "部署|上线\tdeploy|deployment|roll out\n"
        "自动部署\tcontinuous deployment\n"
        "自动\tautomatic\n"
        "竞态|竞态条件\trace condition|race\n"
        "密钥\tkey|secret\n"
        "按键\tkey|keystroke\n"
        "登录\tlog in|login\n"
        "日志\tlog\n"
        "线上\tproduction\n"
        "在线\tonline\n"
        "决定\tdecide\n"
        "删\tdelete\n"
        "缓存\tcache\n"
        "快取\tcache\n"
    )
)


def found(text: str, glossary: Glossary = SMALL) -> dict[str, list[str]]:
    """Terms of a text with their forms in the other language."""
    return {term.source: [form.text for form in term.foreign] for term in glossary.expand(text)}


def only(text: str) -> Term:
    (term,) = SMALL.expand(text)
    return term


# --- the file --------------------------------------------------------------------------------------------------------------
def test_the_file_is_lines_of_chinese_and_english_forms() -> None:
    lines = TEXT.splitlines()
    assert TEXT.endswith("\n")
    assert "\r" not in TEXT
    chinese = rf"[{UNSPACED}]+"
    english = r"[a-z0-9]+(?: [a-z0-9]+)*"
    line = re.compile(rf"{chinese}(?:\|{chinese})*\t{english}(?:\|{english})*")
    assert [text for text in lines if not line.fullmatch(text)] == []
    assert len(CONCEPTS) == len(lines) >= 1_450


def test_the_file_is_sorted_by_the_first_english_form() -> None:
    keys = [(concept.english[0], concept.chinese[0]) for concept in CONCEPTS]
    assert keys == sorted(keys)


def test_no_two_forms_are_paired_twice() -> None:
    pairs = Counter((chinese, english) for concept in CONCEPTS for chinese in concept.chinese for english in concept.english)
    assert [pair for pair, times in pairs.items() if times > 1] == []
    assert [concept for concept in CONCEPTS if len(set(concept.chinese)) < len(concept.chinese)] == []


def test_forms_are_folded_as_questions_are_and_can_be_segmented() -> None:
    forms = [form for concept in CONCEPTS for form in (*concept.chinese, *concept.english)]
    assert [form for form in forms if fold_text(form).lower() != form] == []
    assert [form for form in forms if not query_tokens(form)] == []


def test_single_characters_are_terms_only_where_they_mean_one_thing() -> None:
    assert {form for concept in CONCEPTS for form in concept.chinese if len(form) == 1} == UNAMBIGUOUS


def test_every_form_finds_its_concept() -> None:
    missed = []
    for concept in CONCEPTS:
        for form, others in [(form, concept.english) for form in concept.chinese] + [
            (form, concept.chinese) for form in concept.english
        ]:
            if form in STOPS:
                continue
            term = expand(form)[0]
            wanted = {other for other in others if not set(other.split()) <= STOPS and len(other) > 1}
            tokens = {other.tokens for other in term.foreign}
            if term.source != form or not all(
                any(set(kept) <= set(query_tokens(other)) for kept in tokens) for other in wanted
            ):
                missed.append(form)
    assert missed == []


# --- what is found ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("生产部署失败", ["部署"]),
        ("自动部署好了吗", ["自动部署", "自动", "部署"]),  # the longest, and what it is made of
        ("竞态条件", ["竞态条件", "竞态"]),
        ("现在线上", ["线上"]),  # 现在 is a stop word: no 在线 across the border
        ("我在线", ["在线"]),
        ("決定上線", ["上线"]),  # traditional; and nobody asks for 'decide'
        ("資料被刪", ["删"]),
        ("deployed", ["deployed"]),
        ("Deploying, deployments", ["deploying", "deployments"]),
        ("race conditions", ["race conditions", "race"]),
        ("the race of conditions", ["race"]),
        ("race, condition", ["race"]),  # a sentence lies between
        ("rolled out", ["rolled out"]),
        ("roll-out", ["roll-out"]),
        ("race-condition", ["race-condition", "race"]),
        ("logging in", ["logging in"]),  # not about logs
        ("log/key", ["log", "key"]),
        ("ＤＥＰＬＯＹ", ["deploy"]),
        ("部署deploy按键", ["部署", "deploy", "按键"]),
        ("deploy_key getKey key.py a/deploy.log", []),  # code
        ("decide", []),
        ("", []),
    ],
)
def test_terms_of_a_question(text: str, sources: list[str]) -> None:
    assert [term.source for term in SMALL.expand(text)] == sources


def test_forms_of_the_other_language_and_of_the_same() -> None:
    term = only("上线")
    assert [(form.text, form.tokens, form.size) for form in term.foreign] == [
        ("deploy", ("deploy",), 1),
        ("deployment", ("deployment",), 1),
        ("roll out", ("roll",), 2),  # 'out' is a stop word: what is left is half of the form
    ]
    assert [form.text for form in term.alike] == ["部署"]
    term = only("deploying")
    assert (term.tokens, [form.text for form in term.foreign]) == (("deploy",), ["部署", "上线"])
    assert [form.text for form in term.alike] == ["deployment", "roll out"]


def test_a_long_form_is_its_pairs() -> None:
    (term, part) = SMALL.expand("race condition")
    assert [(form.text, form.tokens, form.size) for form in term.foreign] == [
        ("竞态", ("竞态",), 1),
        ("竞态条件", ("竞态", "态条", "条件"), 3),
    ]
    assert part.source == "race"


def test_all_senses_are_given_and_single_characters_are_not() -> None:
    assert found("key") == {"key": ["密钥", "按键"]}
    assert found("cache") == {"cache": ["缓存", "快取"]}
    assert found("deletes") == {"deletes": []}


def test_a_term_is_given_once_and_spans_are_places_in_the_folded_text() -> None:
    text = "ﬁx 竞态, 部署 then redeploy and 部署"
    assert [(term.source, term.span) for term in SMALL.expand(text)] == [("竞态", (4, 6)), ("部署", (8, 10))]
    assert fold_text(text)[4:6] == "竞态"


def test_a_letter_that_lower_case_makes_longer_moves_no_span() -> None:
    (term,) = SMALL.expand("DİLİTE DEPLÖY")
    assert (term.source, term.span) == ("deplöy", (7, 13))
    (term,) = SMALL.expand("KEYSTROKE LOGİN.")[1:]
    assert (term.source, term.span) == ("logi\u0307n", (10, 15))


def test_what_the_real_file_says() -> None:
    forms = {term.source: {form.text for form in term.foreign} for term in expand("記憶體洩漏, root cause of the timeouts?")}
    assert "memory leak" not in forms  # 記憶體 and 洩漏 are terms of their own
    assert "memory" in forms["记忆体"]
    assert "leak" in forms["泄漏"]
    assert "根因" in forms["root cause"]
    assert "超时" in forms["timeouts"]


def test_a_pasted_text_is_bounded_in_terms_and_time() -> None:
    text = " ".join(f"{concept.english[0]} {concept.chinese[0]}" for concept in CONCEPTS[:400])
    assert len(expand(text)) == MOST
    assert grows_with_length_only(expand, "生产环境部署失败 why deployment nginx rolled back ")


@given(st.text() | st.text("部署上线竞态自动deploy race-/_ 'key’ﬁ\u0301決"))
def test_any_text_is_taken_and_spans_lie_in_it(text: str) -> None:
    folded = fold_text(text)
    for glossary in (SMALL, Glossary(CONCEPTS[:50])):
        terms = glossary.expand(text)
        assert len({term.source for term in terms}) == len(terms)
        for term in terms:
            start, end = term.span
            assert 0 <= start < end <= len(folded)
            assert folded[start:end].lower() == term.source
            assert term.tokens
            assert all(form.tokens and form.size >= len(form.tokens) for form in (*term.foreign, *term.alike))


@given(st.lists(st.sampled_from(CONCEPTS), min_size=1, max_size=4))
def test_terms_with_commas_between_are_all_found(concepts: list[Concept]) -> None:
    forms = [form for concept in concepts for form in (concept.chinese[0], concept.english[0]) if form not in STOPS]
    assert {term.source for term in expand(", ".join(forms))} >= set(forms)
