"""What changed: lists by item, prose by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tray_app.ui.handover_diff import (
    ADDED,
    CODE,
    PLAIN,
    REMOVED,
    Line,
    Span,
    compare_items,
    compare_prose,
    item_lines,
    plain_lines,
    ticked,
)


def told(lines: tuple[Line, ...]) -> list[str]:
    """Each line with [-what went-] and {+what came+}."""
    signs = {PLAIN: "{}", CODE: "`{}`", ADDED: "{{+{}+}}", REMOVED: "[-{}-]"}
    return ["".join(signs[span.kind].format(span.text) for span in line.spans) for line in lines]


def test_words_of_prose() -> None:
    assert told(compare_prose("keep the part list in memory", "keep the part list on disk")) == [
        "keep the part list [-in memory-] {+on disk+}"
    ]
    assert told(compare_prose("one two", "one two three")) == ["one two {+three+}"]
    assert told(compare_prose("one two three", "one three")) == ["one [-two-] three"]


def test_chinese_by_character() -> None:
    assert told(compare_prose("分片清单写入磁盘", "分片清单已写入磁盘")) == ["分片清单{+已+}写入磁盘"]


def test_prose_that_has_little_in_common_is_replaced_whole() -> None:
    old, new = "Retry policy for failed parts.", "Resume after a restart: keep the list on disk."
    assert told(compare_prose(old, new)) == [f"[-{old}-] {{+{new}+}}"]


def test_prose_out_of_nothing_and_into_nothing() -> None:
    assert told(compare_prose("", "new")) == ["{+new+}"]
    assert told(compare_prose("old", "")) == ["[-old-]"]
    assert compare_prose(" \n", "") == ()


def test_long_prose_is_compared_by_sentence() -> None:
    old = "word " * 1_500 + "the end. Last one."
    new = "word " * 1_500 + "the end. Last two."
    (line,) = compare_prose(old, new)
    assert [span.text for span in line.spans if span.kind == ADDED] == ["Last two."]


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_is_lost_or_invented(old: str, new: str) -> None:
    lines = compare_prose(old, new)
    kept = "".join(span.text for line in lines for span in line.spans if span.kind != REMOVED)
    gone = "".join(span.text for line in lines for span in line.spans if span.kind != ADDED)
    bare = "".join(new.replace("`", "").split())
    assert "".join(kept.split()) == bare
    assert "".join(gone.split()) == "".join(old.replace("`", "").split())


def test_items_are_whole() -> None:
    assert told(compare_items(("a b", "c", "d"), ("a  b", "x", "d", "e"))) == ["a b", "[-c-]", "{+x+}", "d", "{+e+}"]
    assert compare_items((), ()) == ()


def test_code_in_backticks() -> None:
    assert ticked("`409` counts; `ETag` too") == (Span("409", CODE), Span(" counts; "), Span("ETag", CODE), Span(" too"))
    assert ticked("a lone ` stays") == (Span("a lone ` stays"),)
    assert told(plain_lines("one\ntwo")) == ["one", "two"]
    assert plain_lines("  ") == ()
    assert item_lines(("a\nb",)) == (Line((Span("a b"),), bullet=True),)
