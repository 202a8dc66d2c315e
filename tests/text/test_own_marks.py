"""Our own text is found in what agents wrote down, and taken out; everything else stays."""

from __future__ import annotations

import json

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.own_marks import (
    PACK,
    UNCLOSED_CHARS,
    bare,
    closing,
    defused,
    enclosed,
    gives_pack,
    is_own_tool,
    opening,
    random_digits,
    strip_own,
)

OPEN, CLOSE = opening(PACK), closing(PACK)
FRESH = "recall:0f1e2d3c"


def test_a_pasted_pack_goes_and_the_words_around_it_stay() -> None:
    text = f"please read this:\n{enclosed('# tide-api' + chr(10) + 'Part size is 8 MB.', PACK)}and then go on"
    assert strip_own(text) == "please read this:\nand then go on"


def test_a_message_of_nothing_but_ours_is_empty() -> None:
    assert strip_own(enclosed("x", PACK)) == ""
    assert strip_own(f"{opening(FRESH)}\nfound\n{closing(FRESH)}") == ""


def test_a_result_that_was_cut_is_taken_to_its_end() -> None:
    assert strip_own(f"before\n{OPEN}\n# tide\nmore and") == "before\n"
    long = f"{OPEN}\n" + "x" * UNCLOSED_CHARS + "told by the person"
    assert strip_own(long) == long[len(OPEN) + UNCLOSED_CHARS :]


def test_a_lone_end_goes_alone() -> None:
    assert strip_own(f"what I said\n{CLOSE}\nand this") == "what I said\nand this"


def test_one_inside_another_goes_with_it() -> None:
    inner = f"{opening(FRESH)}\ninner\n{closing(FRESH)}"
    assert strip_own(f"a\n{OPEN}\n{inner}\nrest\n{CLOSE}\nb") == "a\nb"
    assert strip_own(f"a\n{opening(FRESH)}\n{OPEN}\nx\n{closing(FRESH)}\nb\n{CLOSE}\nc") == "a\nb\nc"


def test_the_end_of_another_one_ends_nothing() -> None:
    text = f"a\n{opening(FRESH)}\nx\n{closing('recall:ffffffff')}\n{closing(FRESH)}\nb"
    assert strip_own(text) == "a\nb"


@pytest.mark.parametrize("lead", ["", "> ", "    ", "     1→", "12\t", "  3: ", "+ ", "| "])
def test_it_is_found_where_a_tool_has_set_something_before_each_line(lead: str) -> None:
    lines = [OPEN, "# tide-api", "Part size is 8 MB.", CLOSE]
    assert strip_own("read it\n" + "".join(f"{lead}{line}\n" for line in lines) + "done") == "read it\ndone"


def test_it_is_found_in_json() -> None:
    text = json.dumps({"content": [{"type": "text", "text": enclosed("# tide\n\nhidden", PACK)}], "more": "kept"})
    assert "hidden" not in strip_own(text)
    assert json.loads(strip_own(text)) == {"content": [{"type": "text", "text": "\n"}], "more": "kept"}
    escaped = text.replace("<", "\\u003c").replace(">", "\\u003e")
    assert json.loads(strip_own(escaped)) == json.loads(strip_own(text))
    assert "hidden" not in strip_own(json.dumps(text))


@pytest.mark.parametrize(
    "text",
    [
        f"The pack begins with `{OPEN}` and ends with `{CLOSE}`.",
        f"It writes {OPEN}\nat its beginning",
        f'OPEN = "{OPEN}"\nprint(OPEN)',
        "<!-- backscroll:<kind> -->\nx",
        "<!-- other:pack -->\nx\n<!-- /other:pack -->",
        "<!-- backscroll:pack:12 -->\nx",
    ],
)
def test_who_writes_about_the_marks_keeps_it(text: str) -> None:
    assert strip_own(text) == text


@given(st.text())
def test_a_text_without_marks_is_the_same_object(text: str) -> None:
    assert strip_own(text) is text or "backscroll:" in text


PIECES = st.lists(
    st.sampled_from([OPEN, CLOSE, opening(FRESH), closing(FRESH), "\n", "\n\n", " ", "word", '"', "\\n", "`", "1→", "决定"]),
    max_size=30,
).map("".join)


@given(PIECES)
def test_nothing_is_added_and_what_stays_keeps_its_order(text: str) -> None:
    left = iter(text)
    assert all(character in left for character in strip_own(text))


@given(st.text(alphabet="ab\n决"), st.text(), st.text(alphabet="ab\n决"))
def test_whatever_is_between_the_marks_goes(before: str, inside: str, after: str) -> None:
    assert strip_own(f"{before}\n{enclosed(defused(inside), PACK)}{after}") == f"{before}\n{after}"


@given(PIECES)
def test_what_is_defused_holds_no_mark(text: str) -> None:
    safe = defused(text)
    assert strip_own(safe) is safe or strip_own(safe) == safe
    assert defused(safe) == safe


def test_bare_takes_the_outer_marks_only() -> None:
    assert bare(enclosed("# tide\n\nx", PACK)) == "# tide\n\nx\n"
    for text in ("# tide\n", "", OPEN, f"{OPEN}\nx", f"a\n{enclosed('x', PACK)}"):
        assert bare(text) == text


def test_random_digits_stand_nowhere_in_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    given_ = iter(["aaaaaaaa", "bbbbbbbb"])
    monkeypatch.setattr("tray_app.text.own_marks.secrets.token_hex", lambda size: next(given_))
    assert random_digits("has aaaaaaaa in it") == "bbbbbbbb"


def test_our_tools_are_known_by_name() -> None:
    assert is_own_tool("mcp__backscroll__session_recall")
    assert is_own_tool("backscroll.recall")
    assert is_own_tool("Backscroll-handoff_pack")
    assert gives_pack("Backscroll-handoff_pack") and not gives_pack("mcp__backscroll__handoff_get")
    assert not is_own_tool("mcp__backscroller__x")
    assert not is_own_tool("scroll_back")
    assert not is_own_tool("")


@pytest.mark.parametrize(
    "piece", [f"{OPEN}\n", f"{CLOSE}\n", f"{OPEN}{CLOSE}", f"{opening(FRESH)}\nx\n", "1→<!-- backscroll:", f"word {OPEN} "]
)
def test_the_time_is_linear(piece: str) -> None:
    assert grows_with_length_only(strip_own, piece, 40_000)
