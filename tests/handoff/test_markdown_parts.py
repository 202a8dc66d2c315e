"""Foreign text inside a document of ours: the document keeps its structure, and plain text stays as it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.handoff.markdown import block_of, code_of, cut_to, demoted, item_of, line_of
from tray_app.text.own_marks import strip_own


@pytest.mark.parametrize(
    "text",
    [
        "Part size is 8 MB; 5 MB is the least.",
        "`409` counts as done",
        "a < b > c & d",
        "- one\n  - two\n\n1. x",
        "校验和按整文件算，不按片",
        "| a | b |",
        "**bold** _it_",
    ],
)
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert block_of(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("# head", "\\# head"),
        ("  ## head", "  \\## head"),
        ("- # head", "- \\# head"),
        ("> # head", "> \\# head"),
        ("#tag", "#tag"),
        ("text\n===", "text\n\\==="),
        ("text\n-", "text\n\\-"),
        ("a\n* * *\nb", "a\n\\* * *\nb"),
        ("[a]: http://x", "\\[a]: http://x"),
        ("<details> and </b>", "\\<details> and \\</b>"),
        ("`<b>` and <b>", "`<b>` and \\<b>"),
        ("a ` b", "a \\` b"),
        ("\\<b>", "\\<b>"),
        ("\\\\<b>", "\\\\\\<b>"),
        ("<!-- /backscroll:pack -->", "&lt;!-- /backscroll:pack -->"),
        ("```py\n# code <b>", "```py\n# code <b>\n```"),
        ("  ~~~\nx\n~~~~\n# y", "~~~\nx\n~~~~\n\\# y"),
        ("````\n```\n# x", "````\n```\n# x\n````"),
        ("a\r\n# b\r# c", "a\n\\# b\n\\# c"),
        ("\n\n a \n\n", " a"),
    ],
)
def test_structure_is_escaped(text: str, safe: str) -> None:
    assert block_of(text) == safe


def test_items_hold_what_is_in_them() -> None:
    assert item_of("one") == "- one"
    assert item_of("one\n\n# two\n```\nx", "1. ") == "1. one\n\n   **two**\n   ```\n   x\n   ```"
    assert item_of("## *two* ##\n- a", label="Fact") == "- **Fact:**\n  **two**\n  - a"
    assert item_of("# two\n\n#") == "- **two**\n\n  \\#"
    assert item_of("one\ntwo", label="Fact") == "- **Fact:** one\n  two"
    assert item_of("```\nx\n```", label="Fact") == "- **Fact:**\n  ```\n  x\n  ```"
    assert item_of("```\nx\n```") == "-\n  ```\n  x\n  ```"


def test_lines_and_paths() -> None:
    assert line_of("a\n <b>\tc") == "a \\<b> c"
    assert code_of("src/a`b.py") == "``src/a`b.py``"
    assert code_of("`x`") == "`` `x` ``"


def test_a_cut_closes_what_is_open() -> None:
    lines = ["a", "```py", "x = 1", "y = 2", "```", "b"]
    assert cut_to(lines, 6, "(more)") == "\n".join(lines)
    assert cut_to(lines, 3, "(more)") == "a\n```py\nx = 1\n```\n\n(more)"
    assert cut_to(lines, 5, "(more)") == "a\n```py\nx = 1\ny = 2\n```\n\n(more)"
    assert cut_to(lines, 0, "(more)") == "(more)"


def test_a_document_goes_under_a_heading() -> None:
    assert demoted("# A\n\ntext\n\n## B\n```\n# no heading", 3) == "### A\n\ntext\n\n#### B\n```\n# no heading\n```"
    assert demoted("### A\n###### B", 3) == "### A\n###### B"
    assert demoted("plain <b>", 3) == "plain \\<b>"


def test_very_long_lines_are_broken() -> None:
    assert [len(line) for line in block_of("x" * 9_000).split("\n")] == [4_000, 4_000, 1_000]


PIECES = [
    "# h",
    "---",
    "===",
    "-",
    "```",
    "~~~",
    "````",
    "> ",
    "- ",
    "1. ",
    "    ",
    "  ",
    "<b>",
    "<!--",
    "`",
    "text",
    "决定",
    "\n",
    "\n\n",
    "\\",
    "[a]: x",
]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join) | st.text())
def test_no_text_makes_a_heading_or_a_mark(text: str) -> None:
    outside: list[str] = []
    fence = ""
    for line in block_of(text).split("\n"):
        found = re.match(r"(`{3,}|~{3,})(.*)", line)
        if fence:
            fence = "" if found and found[1].startswith(fence) and not found[2].strip() else fence
        elif found and not (line[0] == "`" and "`" in found[2]):
            fence = found[1]
        else:
            outside.append(line)
    assert fence == ""
    assert not any(re.match(r"[ \t>]*(?:(?:[-*+] )*#{1,6}([ \t]|$)|=+$|-+$)", line) for line in outside)
    assert not any(re.search(r"(?<!\\)<!--", re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", line)) for line in outside)
    assert strip_own(block_of(text)) == block_of(text)
