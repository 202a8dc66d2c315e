"""Why a passage is there: asked for on demand, said in a panel that never changes its height, and to screen readers."""

from __future__ import annotations

import msgspec
import samples
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from waiting import wait_until

from tray_app.records import Answer, Explanation, SearchRequest
from tray_app.ui import i18n, rows
from tray_app.ui.search_window import SearchWindow
from tray_app.ui.why_texts import texts

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
GIVEN = Explanation(
    words_rank=1, words_score=1.0, meaning_rank=3, meaning_score=0.64, similarity=0.58, neighbour=0.04, kind_weight=0.95,
    inside_time=True, words=("stopped", "upload"), translated=("上传",),
)  # fmt: skip


def explained(request: SearchRequest) -> Answer:
    answer = samples.answer(engine="hybrid")
    if not request.explain:
        return answer
    groups = tuple(
        msgspec.structs.replace(group, hits=tuple(msgspec.structs.replace(hit, explain=GIVEN) for hit in group.hits))
        for group in answer.sessions
    )
    return msgspec.structs.replace(answer, sessions=groups)


def press(window: SearchWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or window.bar.field, key, modifiers)
    QApplication.processEvents()


def ask(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = explained
    window.bar.field.setText("why did we stop retrying the upload last week")
    wait_until(lambda: window.flow.answer is not None and window.pane.view is not None)


def test_ctrl_i_asks_for_it_and_says_it(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window, backend)
    assert not backend.asked("search")[-1].explain
    press(window, Key.Key_I, CTRL)
    wait_until(lambda: "rank 1" in window.why.text)
    assert backend.asked("search")[-1].explain
    assert window.bar.field.hasFocus()
    assert window.why.text == (
        "Words: rank 1 · 100 %; In it: stopped, retrying, upload · translated: 上传; Meaning: rank 3 · 64 % · likeness 0.58; "
        "Date: within “last week”; Place: 1 of 5 · score 1.00 · kind ×0.95 · beside +0.04"
    )
    assert window.why.accessibleDescription() == window.why.text
    spoken = window.list.model().data(window.list.currentIndex(), Qt.ItemDataRole.AccessibleDescriptionRole)
    assert spoken.startswith("Words: rank 1 · 100 %\nIn it: ")


def test_it_follows_the_selection_without_moving_the_list(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window, backend)
    press(window, Key.Key_I, CTRL)
    wait_until(lambda: "rank 1" in window.why.text)
    height = window.why.height()
    for _ in range(4):
        press(window, Key.Key_Down)
        assert window.why.height() == height
    assert "outside “last week”" in window.why.text
    rect = window.list.visualRect(window.list.currentIndex())
    assert window.list.viewport().rect().contains(rect.topLeft() + QPoint(1, 1))


def test_esc_takes_the_panel_away_first(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window, backend)
    press(window, Key.Key_I, CTRL)
    assert window.why.isVisible()
    press(window, Key.Key_Escape)
    assert not window.why.isVisible()
    assert window.bar.field.text() != ""
    backend.calls.clear()
    window.flow.ask()
    wait_until(lambda: backend.asked("search") != [])
    assert not backend.asked("search")[0].explain


def test_ctrl_i_again_or_another_view_takes_it_away(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window, backend)
    press(window, Key.Key_I, CTRL)
    press(window, Key.Key_I, CTRL)
    assert not window.why.isVisible()
    press(window, Key.Key_I, CTRL)
    window.bar.field.clear()
    wait_until(lambda: window.mode == "recent")
    assert not window.why.isVisible()
    press(window, Key.Key_I, CTRL)
    assert not window.why.isVisible()


def test_in_a_narrow_window_it_stands_under_the_list(window: SearchWindow, backend: samples.StaticBackend) -> None:
    window.set_content_size(QSize(600, 560))
    ask(window, backend)
    press(window, Key.Key_I, CTRL)
    wait_until(lambda: "rank 1" in window.why.text)
    assert window.list.isVisible() and window.list.height() > 120


def test_what_is_not_known_is_a_dash() -> None:
    hit = samples.answer().sessions[0].hits[0]
    assert [said for _glyph, _name, said in texts.lines(hit, 5)] == ["–", "–", "–", "–", "1 of 5 · score 1.00"]
    assert texts.sentence(hit) == ""
    quoted = msgspec.structs.replace(hit, explain=Explanation(quotes_question=True))
    assert "held back: repeats the question" in texts.sentence(quoted)


def test_in_chinese(app: QApplication) -> None:
    hit = msgspec.structs.replace(samples.answer("zh_CN").sessions[0].hits[0], explain=GIVEN)
    i18n.install(app, "zh_CN")
    assert texts.sentence(hit, 5, "「上周」").startswith("词语: 第 1 位 · 100 %\n其中: 不再重试 · 译为：上传")
    assert texts.title("hybrid") == "为何在此：按词语和语义"


def test_translated_words_are_marked_like_found_ones() -> None:
    answer = samples.answer()
    understood = msgspec.structs.replace(answer.understood, translated=("校验和", "key"))
    made = rows.of_answer(msgspec.structs.replace(answer, understood=understood))
    row = next(row for row in made if row.message_id == "d-3")
    assert "校验和" in [row.text[start:end] for start, end in row.marks]
    assert rows.find_marks("monkey keys, 密key", (), ("key",)) == ((7, 10), (14, 17))
