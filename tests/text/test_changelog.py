"""Changelogs as entries, in both languages and the shapes people keep them in."""

from __future__ import annotations

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.changelog import ENTRY_CHARS, TITLE_CHARS, concludes, entries, entry_title, taken
from tray_app.text.clean import clean

KEEP = """# Changelog

All notable changes are kept here, because people ask.

## [Unreleased]

- Dark mode.

## [1.2.0] - 2026-03-02

### Added

- Export as CSV.
  With a head.
  - nested item
* Import.

### Fixed

1. Rolled back the cache because it cost 2 s.

A closing paragraph.

## 1.1.0 (2026-01-10) [YANKED]

- First.

[1.2.0]: https://example.com
"""

DIARY = """# 变更记录

## 2026-07-20 换掉消息队列

旧队列丢消息，值得记住：先对账再切换。

## 2026-07-21

- 修复拼写
- 回滚了缓存

## 不要在周五部署

教训：没人值班。
"""


def read(text: str, form: str = "markdown") -> list[tuple[str, str]]:
    return [(entry_title(text, entry), taken(text, entry)) for entry in entries(text, form)]


def test_keep_a_changelog() -> None:
    assert read(KEEP) == [
        ("[Unreleased] · Dark mode.", "- Dark mode."),
        ("[1.2.0] - 2026-03-02 · Export as CSV.", "- Export as CSV.\n  With a head.\n  - nested item"),
        ("[1.2.0] - 2026-03-02 · Import.", "* Import."),
        ("[1.2.0] - 2026-03-02 · Rolled back the cache because it cost 2 s.", "1. Rolled back the cache because it cost 2 s."),
        ("[1.2.0] - 2026-03-02 · A closing paragraph.", "A closing paragraph."),
        ("1.1.0 (2026-01-10) [YANKED] · First.", "- First."),
    ]


def test_a_diary_is_told_newest_first() -> None:
    assert read(DIARY) == [
        ("不要在周五部署", "## 不要在周五部署\n\n教训：没人值班。"),
        ("2026-07-21 · 回滚了缓存", "- 回滚了缓存"),
        ("2026-07-21 · 修复拼写", "- 修复拼写"),
        ("2026-07-20 换掉消息队列", "## 2026-07-20 换掉消息队列\n\n旧队列丢消息，值得记住：先对账再切换。"),
    ]


def test_a_long_entry_is_told_in_its_parts() -> None:
    text = "## 2026-07-20 The switch\n\n" + "Words. " * 70 + "\n\n- Lesson: reconcile first.\n"
    assert read(text) == [
        ("2026-07-20 The switch · " + ("Words. " * 70).strip()[: TITLE_CHARS - 25].rstrip() + "…", ("Words. " * 70)[:ENTRY_CHARS].rstrip()),
        ("2026-07-20 The switch · Lesson: reconcile first.", "- Lesson: reconcile first."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("# Changelog\n\nNothing yet.", ["Nothing yet."]),
        ("2026-07-20: Moved because of cost.\n2026-07-19: Typo.\n", ["2026-07-20: Moved because of cost.", "2026-07-19: Typo."]),
        ("**2026年7月20日** 换队列\n细节在这里\n2026年7月19日 改名", ["**2026年7月20日** 换队列\n细节在这里", "2026年7月19日 改名"]),
        ("2026-07-20\n- a\n- b\n\n2026-07-19\nplain words\n", ["- a", "- b", "plain words"]),
        ("| 日期 | 版本 | 说明 |\n| --- | --- | --- |\n| 2026-07-20 | v1.2 | 回滚缓存 |\n| 2026-07-19 | v1.1 | 拼写 |",
         ["| 2026-07-20 | v1.2 | 回滚缓存 |", "| 2026-07-19 | v1.1 | 拼写 |"]),
        ("- one\n- two\n", ["- one", "- two"]),
        ("# v2.0.0\n- a\n# v1.0.0\n- b", ["- a", "- b"]),
        ("## v2 because the old one broke\n", ["## v2 because the old one broke"]),
        ("### 1.0.1\n* Fixed.\n### 1.0.0\nFirst release.\n", ["* Fixed.", "First release."]),
        ("## 1.0.0\n\n```\n## not a heading\n```\n", ["```\n## not a heading\n```"]),
    ],
)  # fmt: skip
def test_shapes(text: str, found: list[str]) -> None:
    assert [content for _, content in read(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "Lesson: never again.", "We DECIDED to stay.", "Slower, because it locks.", "Rolled back.", "rollback of the index", "It cost two days.",
        "A risk remains", "Reverted the switch.", "It turned out to be DNS.", "Root cause: a clock.", "教训：先备份", "结论是不换", "踩坑", "值得",
        "别再用它", "回滚到旧版", "代价很大", "有风险", "因为太慢", "決定回滾", "教訓",
    ],
)  # fmt: skip
def test_conclusions(text: str) -> None:
    assert concludes(text)


@pytest.mark.parametrize(
    "text",
    [
        "Added dark mode.",
        "New costume.",
        "An asterisk.",
        "brisk",
        "accosted",
        "blessons",
        "Undecidedly",
        "becauseway",
        "修复拼写",
        "新增导出",
    ],
)
def test_no_conclusions(text: str) -> None:
    assert not concludes(text)


LINES = st.one_of(
    st.sampled_from([
        "# Changelog", "## 1.0.0", "## [2.0.0] - 2026-01-02", "### Fixed", "## Lessons", "- item", "  - nested", "1. one", "2026-01-02 did", "2026年1月2日",
        "", "", "| a | 2026-01-02 |", "|---|---|", "```", "> q", "---", "<!--", "-->", "words because words", "教训", "w" * 500, "字" * 500, "  more",
    ]),
    st.text(max_size=40),
)  # fmt: skip


@given(st.one_of(st.lists(LINES, max_size=30).map("\n".join), st.text(max_size=300)).map(clean))
def test_entries_of_any_text_are_ranges_of_it(text: str) -> None:
    found = entries(text)
    ordered = sorted(found, key=lambda entry: entry.start)
    assert found in (ordered, ordered[::-1])
    last = 0
    for entry in ordered:
        assert last <= entry.start < entry.end <= len(text)
        last = entry.end
        content = taken(text, entry)
        assert content and len(content) <= ENTRY_CHARS and text.startswith(content, entry.start)
        assert len(entry_title(text, entry)) <= TITLE_CHARS


@given(st.lists(st.sampled_from(["words", "字", "more because", "a `b`"]), min_size=1, max_size=20))
def test_nothing_under_a_version_is_lost(items: list[str]) -> None:
    text = "## 1.0.0\n\n" + "\n".join(f"- {item} {place}" for place, item in enumerate(items))
    assert [taken(text, entry) for entry in entries(text)] == text.split("\n")[2:]


@pytest.mark.parametrize(
    "piece",
    ["- a\n", "## 1.0\n- a\n", "2026-01-02 a\n", "1.", "2026-", "| a | b |\n", "v1 ", " ", "jan 1 ", "(", "## \n", "a\n\n"],
)
def test_the_time_is_linear(piece: str) -> None:
    def read(text: str) -> None:
        for entry in entries("## " + text):
            concludes(text[entry.start : entry.end])

    assert grows_with_length_only(read, piece, 4_000)
