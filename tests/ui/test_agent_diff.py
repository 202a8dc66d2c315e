"""What a change of config files looks like: signs, long lines around where they differ, long changes cut."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from tray_app.ui.agent_diff import ADDED, AROUND, GAP, LONGEST, MOST_LINES, REMOVED, SAME, DiffLine, lines_of


def diff(before: list[str], after: list[str], end: str = "\n") -> str:
    lines = difflib.unified_diff([line + end for line in before], [line + end for line in after], "a", "b")
    return "".join(lines)


def test_lines_with_their_signs() -> None:
    lines = lines_of(diff(["{", '  "a": 1', "}"], ["{", '  "a": 1,', '  "b": 2', "}"]))
    assert lines == [
        DiffLine(SAME, "{"),
        DiffLine(REMOVED, '  "a": 1'),
        DiffLine(ADDED, '  "a": 1,'),
        DiffLine(ADDED, '  "b": 2'),
        DiffLine(SAME, "}"),
    ]
    assert [line.shown for line in lines] == ["  {", '-   "a": 1', '+   "a": 1,', '+   "b": 2', "  }"]


def test_line_ends_and_the_missing_one_are_no_text() -> None:
    assert lines_of(diff(["x"], ["y"], "\r\n")) == [DiffLine(REMOVED, "x"), DiffLine(ADDED, "y")]
    text = "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n"
    assert lines_of(text) == [DiffLine(REMOVED, "x"), DiffLine(ADDED, "y")]


def test_what_is_between_two_places_is_a_gap() -> None:
    before = [str(number) for number in range(30)]
    lines = lines_of(diff(before, ["new", *before, "last"]))
    assert [line.kind for line in lines] == [ADDED, SAME, SAME, SAME, GAP, SAME, SAME, SAME, ADDED]
    assert lines[4].shown == "⋯"


def test_a_file_of_one_line_shows_where_it_differs() -> None:
    before = '{"a": "' + "x" * 5_000 + '", "servers": {}}'
    after = before[:-2] + '"ours": 1}}'
    gone, came = lines_of(diff([before], [after]))
    assert gone.text == "…" + before[-2 - AROUND :]
    assert came.text == "…" + before[-2 - AROUND : -2] + '"ours": 1}}'


def test_a_long_line_that_has_no_pair_is_cut_in_the_middle() -> None:
    (line,) = lines_of(diff([], ["x" * 300 + "y" * 300]))
    assert line.text == "x" * LONGEST + " … " + "y" * LONGEST


def test_a_change_of_thousands_of_lines_is_cut() -> None:
    lines = lines_of(diff([], [str(number) for number in range(5_000)]))
    assert len(lines) == MOST_LINES + 1 and lines[MOST_LINES // 2].kind == GAP
    assert (lines[0].text, lines[-1].text) == ("0", "4999")


@given(st.lists(st.text("ab ,\t", max_size=500), max_size=6), st.lists(st.text("ab ,\t", max_size=500), max_size=6))
def test_any_change_is_shown_in_lines_of_bounded_length(before: list[str], after: list[str]) -> None:
    for line in lines_of(diff(before, after)):
        assert len(line.text) <= 2 * LONGEST + 3
