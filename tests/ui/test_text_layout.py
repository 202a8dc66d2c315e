"""Passages: marks in code points become UTF-16, stay on their words, and the first of them is in view."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter
from samples import marked

from tray_app.ui import rows, text_layout, theme

pytestmark = pytest.mark.usefixtures("app")
TEXTS = st.text(st.sampled_from("ab 词🚀İﬁ\u202e\n\t👩\u200d💻é.") | st.characters(), max_size=80)


def words(passage: text_layout.Passage) -> list[str]:
    units = passage.text.encode("utf-16-le")
    return [units[2 * start : 2 * (start + length)].decode("utf-16-le") for start, length in passage.marks]


@pytest.mark.parametrize(
    "text",
    [
        "结论：🚀🚀 409 直接当作成功，不再⟦重试⟧；只有 503 和超时才⟦退避⟧。",
        "👨‍👩‍👧 family then ⟦deploy⟧ 🇺🇸 done ⟦部署⟧",
        "İstanbul ﬁle ⟦ﬁx⟧ after İ ⟦İstanbul⟧",
        "שלום src/app.py ⟦upload⟧ مرحبا",
    ],
)
@pytest.mark.parametrize("width", [120.0, 340.0, 2000.0])
def test_marks_stand_on_their_words(text: str, width: float) -> None:
    plain, marks = marked(text)
    wanted = [plain[start:end] for start, end in marks]
    found = words(text_layout.lay_out(theme.current(), plain, marks, width, "body", 30))
    assert found == wanted


def test_neighbouring_words_share_a_mark() -> None:
    plain, marks = marked("We ⟦stopped⟧ ⟦retrying⟧ on 409")
    assert words(text_layout.lay_out(theme.current(), plain, marks, 800, "body", 2)) == ["stopped retrying"]


def test_no_more_lines_than_asked_for_and_an_ellipsis() -> None:
    long = "one part after the other was sent again " * 20
    passage = text_layout.lay_out(theme.current(), long, (), 300, "body", 2)
    assert passage.lines == passage.layout.lineCount() == 2
    assert passage.text.endswith("…")
    last = passage.layout.lineAt(1)
    assert last.textStart() + last.textLength() == len(passage.text)
    assert last.naturalTextWidth() <= 300


def test_the_first_found_word_is_in_the_first_two_lines() -> None:
    plain, marks = marked("filler words come first here " * 30 + "then ⟦upload⟧ at last " + "and more " * 30)
    passage = text_layout.lay_out(theme.current(), plain, marks, 300, "body", 3)
    line = passage.layout.lineForTextPosition(passage.marks[0][0])
    assert line.lineNumber() < 2
    assert passage.text.startswith("… ")
    assert words(passage) == ["upload"]


def test_mark_grounds_are_where_the_words_are_drawn() -> None:
    plain, marks = marked("because a second ⟦upload⟧ of the same part")
    now = theme.current()
    passage = text_layout.lay_out(now, plain, marks, 800, "body", 2)
    (rect,) = text_layout.mark_rects(passage, now, 0)
    line = passage.layout.lineAt(0)
    first, last = line.cursorToX(marks[0][0])[0], line.cursorToX(marks[0][1])[0]
    assert (rect.left(), rect.right()) == pytest.approx((first - 1, last + 1))
    image = QImage(800, 30, QImage.Format.Format_ARGB32)
    image.fill(now["bg"])
    painter = QPainter(image)
    text_layout.draw_passage(painter, now, passage, 0, 0, now["text"])
    painter.end()
    assert image.pixelColor(int(rect.center().x()), int(rect.bottom() - 1)) == now["accent"]
    assert image.pixelColor(int(rect.right()) + 3, int(rect.bottom() - 1)) == now["bg"]


def test_a_mark_that_wraps_covers_no_blank_at_the_line_end() -> None:
    plain, marks = marked("⟦alpha beta gamma delta epsilon zeta eta theta iota⟧")
    passage = text_layout.lay_out(theme.current(), plain, marks, 120, "body", 9)
    assert passage.lines > 1
    for index in range(passage.lines):
        line = passage.layout.lineAt(index)
        ((_left, right),) = text_layout.spans(line, passage.text, passage.marks)
        assert right <= line.naturalTextWidth() + 0.5


def test_controls_and_bidi_overrides_cannot_turn_a_row() -> None:
    assert text_layout.one_line("safe\u202egnp.exe\x1b[31m\nnext") == "safegnp.exe[31m next"
    assert text_layout.one_line("👨\u200d👩\u200d👧") == "👨\u200d👩\u200d👧"


def test_code_fences_are_no_words() -> None:
    plain, marks = marked("so:\n```ts\nconst ⟦clock⟧ = 1\n```\ndone")
    flat, moved = text_layout.flatten(plain, marks)
    assert flat == "so: ts const clock = 1 done"
    assert [flat[start:end] for start, end in moved] == ["clock"]


@given(TEXTS, st.lists(st.tuples(st.integers(-2, 90), st.integers(-2, 90)), max_size=5))
def test_any_text_and_marks_lay_out(text: str, marks: list[tuple[int, int]]) -> None:
    passage = text_layout.lay_out(theme.current(), text, tuple(marks), 140, "body", 2)
    size = len(passage.text.encode("utf-16-le", "surrogatepass")) // 2
    assert passage.layout.lineCount() <= 2
    assert all(start >= 0 and length > 0 and start + length <= size for start, length in passage.marks)


@given(TEXTS, st.integers(0, 79), st.integers(1, 12))
def test_a_flattened_mark_keeps_its_characters(text: str, start: int, length: int) -> None:
    end = min(start + length, len(text))
    if start >= end:
        return
    flat, moved = text_layout.flatten(text, ((start, end),))
    wanted = text_layout.one_line(text[start:end]).replace(" ", "")
    got = flat[moved[0][0] : moved[0][1]].replace(" ", "") if moved else ""
    assert got == wanted


@given(TEXTS, st.text(st.sampled_from("ab词İﬁé"), min_size=1, max_size=3))
def test_found_words_equal_the_word_folded(text: str, word: str) -> None:
    for start, end in rows.find_words(text, [word]):
        assert word.casefold() in text[start:end].casefold()


def test_a_tooltip_shows_what_looks_like_html_as_it_is() -> None:
    assert text_layout.tip("a < b & c") == "a < b & c"
    assert text_layout.tip("<img src='file:///x.png'>") == (
        "<p style='white-space: pre-wrap'>&lt;img src=&#x27;file:///x.png&#x27;&gt;</p>"
    )
