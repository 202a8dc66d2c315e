"""The conversation: nothing in it can load, run or lead anywhere; found words are where they are marked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import samples
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from tray_app.records import MessageView, SessionView
from tray_app.ui import theme
from tray_app.ui.transcript import Transcript


@pytest.fixture
def reader(app: QApplication) -> Iterator[Transcript]:
    made = Transcript()
    made.resize(540, 500)
    made.show()
    yield made
    made.deleteLater()


def view_of(*texts: str, role: str = "assistant", **more: object) -> SessionView:
    messages = tuple(
        MessageView(message_id=f"x-{index}", seq=index, time=None, role=role, kind="round", text=text, index=index)
        for index, text in enumerate(texts)
    )
    view = samples.StaticBackend().show("s")
    return msgspec.structs.replace(view, messages=messages, total=len(messages), first=0, **more)


def text_of(reader: Transcript) -> str:
    return reader.toPlainText()


def hrefs(document: QTextDocument) -> set[str]:
    found = set()
    block = document.begin()
    while block.isValid():
        walk = block.begin()
        while not walk.atEnd():
            found.add(walk.fragment().charFormat().anchorHref())
            walk += 1
        block = block.next()
    return found - {""}


def test_html_is_shown_as_it_is_and_swallows_nothing(reader: Transcript) -> None:
    reader.show_session(view_of('before <script>alert(1)</script> <img src="x"> after'), "", ())
    assert "<script>alert(1)</script>" in text_of(reader)
    assert text_of(reader).rstrip().endswith("after")


def test_images_are_named_and_never_loaded(reader: Transcript, tmp_path: Path) -> None:
    file = tmp_path / "real.png"
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    assert image.save(str(file))
    reader.show_session(view_of(f"see ![alt]({file}) and ![b](http://127.0.0.1:9/x.png)"), "", ())
    assert text_of(reader).count("[image]") == 2
    assert "\ufffc" not in text_of(reader)
    shot = reader.grab().toImage()
    assert not any(shot.pixelColor(x, y) == QColor("red") for x in range(0, 540, 7) for y in range(0, 500, 7))
    loaded = reader.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl.fromLocalFile(str(file)))
    assert isinstance(loaded, QImage)
    assert loaded.width() == 1


def test_links_are_words_with_their_address(reader: Transcript) -> None:
    reader.show_session(view_of("[bank](http://evil.example) and https://plain.example/a [x](fold:x-0)"), "", ())
    assert "bank (http://evil.example)" in text_of(reader)
    assert text_of(reader).count("https://plain.example/a") == 1
    assert hrefs(reader.document()) == set()


def test_only_our_links_do_anything(reader: Transcript) -> None:
    copied: list[str] = []
    reader.copy_wanted.connect(copied.append)
    reader.show_session(view_of("```python\nx = 1\n```"), "", ())
    assert hrefs(reader.document()) == {"copy:0"}
    reader.anchorClicked.emit(QUrl("copy:0"))
    reader.anchorClicked.emit(QUrl("copy:7"))
    reader.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert copied == ["x = 1"]
    assert reader.source().isEmpty()


def test_markdown_becomes_words(reader: Transcript) -> None:
    text = "# Head\n\npara **bold** `code` ~~gone~~\n\n1. one\n2. two\n\n- [x] done\n- [ ] open\n\n> quote\n\n| a | 词 |\n|--|--|\n| 1 | 2 |\n"
    reader.show_session(view_of(text), "", ())
    lines = [line for line in text_of(reader).split("\n") if line.strip()]
    assert lines[1:] == [
        "Head", "para bold code gone", "1.  one", "2.  two", "☑  done", "☐  open", "quote", "\tCopy", "a  词", "1  2",
    ]  # fmt: skip


def test_a_long_line_of_code_goes_on_further_in_than_it_began(reader: Transcript) -> None:
    code = "    return " + " + ".join(f"value_{number}" for number in range(40))
    reader.show_session(view_of(f"```python\n{code}\nshort\n```"), "", ())
    reader.document().documentLayout().documentSize()
    block = reader.document().begin()
    while not block.text().startswith("    return"):
        block = block.next()
    layout = block.layout()
    assert layout.lineCount() > 1
    first, second = (layout.lineAt(index) for index in (0, 1))
    indented = QFontMetricsF(theme.current().font("code")).horizontalAdvance("0" * 6)
    assert abs(second.x() - first.x() - indented) < 1
    assert second.x() + second.naturalTextWidth() <= reader.viewport().width()
    assert (block.text(), block.next().text()) == (code, "short")


def test_what_the_person_wrote_keeps_its_lines(reader: Transcript) -> None:
    reader.show_session(view_of("first\nsecond *not italic*", role="user"), "", ())
    assert text_of(reader).endswith("first\nsecond *not italic*")
    assert text_of(reader).startswith("You")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_marks_stand_on_the_found_words(reader: Transcript, language: str) -> None:
    words = ("retrying", "upload") if language == "en" else ("不再重试", "上传")
    view = samples.StaticBackend(language).show("s", around="m-20", limit=7)
    reader.show_session(view, "m-20", words)
    found = set()
    for number, marks in reader.marks.items():
        units = reader.document().findBlockByNumber(number).text().encode("utf-16-le")
        for start, length in marks:
            found.add(units[2 * start : 2 * (start + length)].decode("utf-16-le").casefold())
    assert found == set(words)


def test_marks_after_emoji_and_growing_letters(reader: Transcript) -> None:
    reader.show_session(view_of("🚀🚀 İİ ﬁﬁ then fix and FIX"), "x-0", ("fix",))
    ((number, marks),) = reader.marks.items()
    units = reader.document().findBlockByNumber(number).text().encode("utf-16-le")
    assert [units[2 * start : 2 * (start + length)].decode("utf-16-le") for start, length in marks] == ["fix", "FIX"]


def test_the_hit_begins_a_third_down_and_has_a_bar(reader: Transcript, app: QApplication) -> None:
    reader.show_session(samples.StaticBackend().show("s", around="m-20", limit=200), "m-20", ("retrying",))
    app.processEvents()
    hit = next(section for section in reader.sections if section.is_hit)
    top = reader._grounds.top_of(hit) - reader.verticalScrollBar().value()
    assert top == pytest.approx(reader.viewport().height() / 3, abs=2)
    shot = reader.grab().toImage()
    assert shot.pixelColor(1, int(top) + 20) == theme.current()["accent"]
    assert shot.pixelColor(1, int(top) - 10) != theme.current()["accent"]


def test_the_hit_stays_put_when_the_size_changes(reader: Transcript, app: QApplication) -> None:
    reader.show_session(samples.StaticBackend().show("s", around="m-20", limit=200), "m-20", ())
    reader.resize(800, 620)
    app.processEvents()
    reader.rebuild()
    hit = next(section for section in reader.sections if section.is_hit)
    top = reader._grounds.top_of(hit) - reader.verticalScrollBar().value()
    assert top == pytest.approx(reader.viewport().height() / 3, abs=2)


def test_calls_are_folded_with_their_results(reader: Transcript) -> None:
    reader.show_session(samples.StaticBackend().show("s", around="m-20", limit=8), "m-20", ())
    folded = [section for section in reader.sections if section.kind == "fold"]
    assert folded[0].ids == ("m-17", "m-18")
    assert folded[0].failed == "exit 1"
    assert "1 failed" not in text_of(reader)
    reader.toggle("m-17")
    assert "1 failed\nexit code: 1" in text_of(reader)
    reader.toggle("m-17")
    assert "1 failed" not in text_of(reader)


def test_a_hit_in_a_folded_result_is_shown_open(reader: Transcript) -> None:
    reader.show_session(samples.StaticBackend().show("s", around="m-18", limit=8), "m-18", ("failed",))
    assert "1 failed" in text_of(reader)


def test_another_window_keeps_what_is_read_in_its_place(reader: Transcript, app: QApplication) -> None:
    backend = samples.StaticBackend()
    backend.messages = samples.conversation(total=600)
    reader.show_session(backend.show("s", first=200, limit=121), "m-260", ())
    reader.scroll_to("m-215")
    reader._scrolled()
    asked: list[int] = []
    reader.edge_reached.connect(asked.append)
    anchor, offset = reader._top_message()
    reader.show_window(backend.show("s", first=160, limit=121))
    assert reader._top_message()[0] == anchor
    assert reader._top_message()[1] == pytest.approx(offset, abs=2)
    reader.verticalScrollBar().setValue(0)
    assert asked == [120]
    reader.verticalScrollBar().setValue(5)
    assert asked == [120]  # once, until the answer comes
    reader.show_window(backend.show("s", first=120, limit=121))
    reader.verticalScrollBar().setValue(reader.verticalScrollBar().maximum())
    assert asked == [120, 160]


def test_a_copy_is_plain_text_with_lf(reader: Transcript) -> None:
    reader.show_session(view_of("a\n\nb\u00a0c"), "", ())
    reader.selectAll()
    data = reader.createMimeDataFromSelection()
    assert data.formats() == ["text/plain"]
    assert data.text().endswith("a\nb c")


def test_a_huge_message_is_shown_around_the_found_word(reader: Transcript) -> None:
    lines = "\n".join(f"line {number} of the log" for number in range(60_000))
    view = view_of(lines.replace("line 50000 ", "needle 50000 "), role="user")
    reader.show_session(view, "x-0", ("needle",))
    text = text_of(reader)
    assert "needle 50000 of the log" in text
    assert len(text) < 25_000
    assert text.count("more characters") == 2
    assert reader.marks
    reader.anchorClicked.emit(QUrl("fold:x-0"))
    assert len(text_of(reader)) > 400_000


def test_a_window_of_huge_messages_stays_small(reader: Transcript) -> None:
    view = view_of(*["word " * 20_000 for _ in range(60)])
    reader.show_session(view, "x-59", ())
    assert len(text_of(reader)) < 900_000


def test_theme_change_keeps_the_place(reader: Transcript, app: QApplication) -> None:
    reader.show_session(samples.StaticBackend().show("s", around="m-20", limit=200), "m-20", ())
    reader._scrolled()
    reader.verticalScrollBar().setValue(300)
    before = reader._top_message()
    theme.apply(app, "dark")
    assert reader._top_message()[0] == before[0]
    cursor = QTextCursor(reader.document())
    cursor.movePosition(QTextCursor.MoveOperation.Right)
    assert cursor.charFormat().foreground().color() == theme.current()["text"]


@given(st.text(st.sampled_from("# *_`~|>-[](){}!<>\\\n\tab词🚀1.:/&;\"'=+\u202e\x00\x1b") | st.characters(), max_size=120))
def test_any_text_is_shown_without_objects_or_links(text: str) -> None:
    reader = Transcript()
    reader.resize(400, 300)
    reader.show_session(view_of(text, text[::-1], role="assistant"), "x-0", ("a词",))
    assert "\ufffc" not in reader.document().toRawText()
    assert "\u202e" not in reader.document().toRawText()
    assert all(href.startswith("copy:") for href in hrefs(reader.document()))
    reader.deleteLater()
