"""Long documents: their titles, what they are about, their paragraphs."""

from __future__ import annotations

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.blocks import FORMS, blocks
from tray_app.text.clean import clean
from tray_app.text.document import (
    PARAGRAPH_CHARS,
    SUMMARY_CHARS,
    TITLE_CHARS,
    heading_path,
    plain_inline,
    read_document,
)

GUIDE = """---
title: Not this one
tags: [a, b]
---

[![build](https://ci/x.svg)](https://ci) ![logo](logo.png)

# Deploying the *shop*

Everything runs on **one** machine; see [the plan](docs/plan.md) and `make deploy`.
It takes ten minutes.

- a list says nothing here
  and neither does its second line

> Quotes count, as [agreed](x.md).
> - but not a list in one

| host | port |
| ---- | ---- |
| a    | 80   |

```sh
# not a heading
make deploy
```

## Before you start ##

Stop the queue.

### Backups

Take one.

Rolling back
------------

Restore it.
"""

CHINESE = """# 部署手册

> 本文说明如何把商城部署到
> 一台机器上。

先停队列，再备份。
不要在周五部署。

1. 列表不算
2. 也不算

##  步骤

停队列。

##回滚

恢复备份。
"""


def paragraphs(text: str, form: str = "markdown") -> list[tuple[tuple[str, ...], str]]:
    return [(one.headings, text[one.start : one.end]) for one in read_document(text, form).paragraphs]


def test_a_guide() -> None:
    document = read_document(GUIDE)
    assert document.title == "Deploying the shop"
    assert document.summary == (
        "Everything runs on one machine; see the plan and make deploy. It takes ten minutes. Quotes count, as agreed."
    )
    found = paragraphs(GUIDE)
    top = ("Deploying the shop",)
    assert [headings for headings, _ in found] == [
        (), top, (*top, "Before you start"), (*top, "Before you start", "Backups"), (*top, "Rolling back")
    ]  # fmt: skip
    assert found[1][1].startswith("Everything runs on **one** machine") and found[1][1].endswith("make deploy\n```")
    assert [words for _, words in found[2:]] == ["Stop the queue.", "Take one.", "Restore it."]


def test_a_chinese_guide() -> None:
    document = read_document(CHINESE)
    assert document.title == "部署手册"
    assert document.summary == "本文说明如何把商城部署到一台机器上。先停队列，再备份。不要在周五部署。"
    assert [headings for headings, _ in paragraphs(CHINESE)] == [("部署手册",), ("部署手册", "步骤"), ("部署手册", "回滚")]


@pytest.mark.parametrize(
    ("text", "form", "title", "summary"),
    [
        ("", "markdown", "", ""),
        ("Only prose.\nTwo lines.", "markdown", "", "Only prose. Two lines."),
        ("## Second\n\nText.\n\n## Third\n\nMore.", "markdown", "Second", "Text."),
        ("# One\n\n## Two\n\nNo prose before it.", "markdown", "One", ""),
        ('---\ntitle: "From the front"\n---\nText.\n\n## Two\nMore.', "markdown", "From the front", "Text."),
        ("---\n\nA rule, no front matter.\n\n---\n", "markdown", "", "A rule, no front matter."),
        ('<h1 align="center">Shop <b>2</b></h1>\n\n<p align="center">\nSells things.\n</p>', "markdown", "Shop 2", "Sells things."),
        ("Title\n=====\n\nText.\n\nPart\n----\nMore.", "markdown", "Title", "Text."),
        ("# T\n<!-- a\ncomment -->\n[x]: http://x\nText.", "markdown", "T", "Text."),
        ("#tag is none\n#5 neither", "markdown", "", "#tag is none #5 neither"),
        ("# T\n[Docs](a.md) • [Chat](https://b)\n\nSee [this](a) and [that](b).", "markdown", "T", "See this and that."),
        ("# T\n> [!NOTE]\n> Mind this.", "markdown", "T", "Mind this."),
        ("# T\na | b\n--|--\n1 | 2\n\nText.", "markdown", "T", "Text."),
        ("=====\nShop\n=====\n\n:Author: Kim\n\nSells `things <x.html>`_ and ``code``.\n\n.. note::\n\n   Hidden.\n\nPart\n----\n\nMore.",
         "rst", "Shop", "Sells things and code."),
        ("Shop\n----\n\nText.\n\nPart\n~~~~\n\nMore.", "rst", "Shop", "Text."),
        ("Notes\n=====\n\n# not a heading here\n", "plain", "Notes", "# not a heading here"),
        ("1. first\n2. second", "plain", "", ""),
    ],
)  # fmt: skip
def test_titles_and_summaries(text: str, form: str, title: str, summary: str) -> None:
    document = read_document(text, form)
    assert (document.title, document.summary) == (title, summary)


def test_what_is_too_long_ends_with_a_sentence_or_an_ellipsis() -> None:
    document = read_document("# " + "word " * 60 + "\n\n" + "A sentence of six words here. " * 20)
    assert document.title.endswith("word…") and len(document.title) <= TITLE_CHARS
    assert document.summary == ("A sentence of six words here. " * 8).strip() and len(document.summary) <= SUMMARY_CHARS
    assert read_document("没有标点的长句" * 60).summary == ("没有标点的长句" * 60)[: SUMMARY_CHARS - 1] + "…"


def test_long_blocks_are_cut_behind_sentences_or_lines() -> None:
    prose = "A sentence that says a little more than nothing. " * 20
    parts = [words for _, words in paragraphs(prose)]
    assert len(parts) == 3 and all(words.endswith("nothing.") for words in parts)
    code = "```\n" + "\n".join(f"line {number} of the program" for number in range(60)) + "\n```"
    parts = [words for _, words in paragraphs(code)]
    assert len(parts) == 4 and all(words.endswith("program") for words in parts[:-1])


def test_small_blocks_share_a_paragraph_below_one_heading() -> None:
    text = "# T\n\none\n\ntwo\n\n## S\n\nthree\n\n---\n\nfour"
    assert [words for _, words in paragraphs(text)] == ["one\n\ntwo", "three", "four"]


def test_paths_of_headings() -> None:
    assert heading_path("T", ("T", "S")) == "T > S"
    assert heading_path("T", ("S",)) == "T > S"
    assert heading_path("T", ()) == "T"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**a** and *b* and __c__ and ~~d~~ `e`", "a and b and c and d e"),
        ("snake_case and 2*3*4 and a * b", "snake_case and 2*3*4 and a * b"),
        ("[a](b(c)) ![p](q) [r][s] <https://x.y> <br/>", "a r https://x.y"),
        (":ref:`a <b>` :doc:`c` :x:`A <A_<B>>` \\*d\\* NAME_<CONFIG>", "a c A *d* NAME_<CONFIG>"),
    ],
)
def test_words_without_marks(text: str, plain: str) -> None:
    assert plain_inline(text) == plain


LINES = st.one_of(
    st.sampled_from([
        "# One", "## Two", "##三", "- item", "  more", "1. first", "> said", "> - item", "| a | b |", "|---|---|", "```", "~~~~", "---", "===",
        "-----", "+++", "", "", "<!-- x", "-->", "<!-- y -->", ".. note::", ":a: b", "[r]: u", "    code", "Text. More text!", "中文句子。还有一句！",
        "<h1>T</h1>", "title: x", "+--+--+", "==== ====", "…", "~~~", "\t", "\ufeff", "é" * 50, "👩‍👩‍👧 " * 30, "w" * 900, "字" * 900,
    ]),
    st.text(max_size=60),
)  # fmt: skip
TEXTS = st.one_of(st.lists(LINES, max_size=40).map("\n".join), st.text(max_size=500)).map(clean)


@given(TEXTS, st.sampled_from(sorted(set(FORMS.values()))))
def test_any_text_is_a_document_and_nothing_of_it_is_lost(text: str, form: str) -> None:
    document = read_document(text, form)
    assert len(document.title) <= TITLE_CHARS and len(document.summary) <= SUMMARY_CHARS
    assert "\n" not in document.title + document.summary
    covered = bytearray(len(text))
    last = 0
    for one in document.paragraphs:
        assert last <= one.start < one.end <= len(text) and one.end - one.start <= PARAGRAPH_CHARS
        assert text[one.start : one.end].strip()
        last = one.end
        covered[one.start : one.end] = b"\1" * (one.end - one.start)
    at = 0
    for part in blocks(text, form):
        assert at <= part.start < part.end <= len(text) and not text[at : part.start].strip()
        assert (part.kind == "heading") == (part.level > 0)
        at = part.end
        if part.kind in ("heading", "hidden", "rule"):
            assert not any(covered[part.start : part.end])
        else:
            assert all(covered[place] or text[place].isspace() for place in range(part.start, part.end))
    assert not text[at:].strip()


@pytest.mark.parametrize(
    "piece",
    ["# h\n\ntext. \n\n", "- a\n", "|a|b\n", "a" * 50, "# ", "  ", "> ", "`", "```\n", "<!-- \n", ".. a\n   b\n", "Ab\n--\n", "[a", "*a ", "<a ", "a\n", "\\", "🇩🇪"],
)  # fmt: skip
@pytest.mark.parametrize("form", ["markdown", "rst", "plain"])
def test_the_time_is_linear(piece: str, form: str) -> None:
    assert grows_with_length_only(lambda text: read_document(text, form), piece, 4_000)
