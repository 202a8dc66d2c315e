"""The empty window's days and the topics beside a doubt: asked off the GUI thread, kept, opened by keys and by a click."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec
import pytest
import samples
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from waiting import wait_until

from tray_app.errors import KnownError
from tray_app.records import Topic, TopicCard
from tray_app.ui import days_view, i18n, search_flow
from tray_app.ui.search_window import SearchWindow

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
TOPICS = [
    "Upload: a 409 counts as done", "字幕工坊断点续传：先写临时文件再改名", "Opening hours: one table, not seven columns",
    "Importer counted rows twice: missing key", "Weekly report template", "Kiosk login on narrow screens", "Release notes for 0.9",
    "Backup before migration",
]  # fmt: skip


def press(window: SearchWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or window.bar.field, key, modifiers)
    QApplication.processEvents()


def titles(window: SearchWindow) -> list[str]:
    return [row.title for row in window.empty.days.rows if row.kind == days_view.SESSION]


def shown(window: SearchWindow) -> None:
    wait_until(lambda: len(window.empty.days.rows) > 1)


def test_days_with_their_topics(window: SearchWindow) -> None:
    shown(window)
    assert titles(window) == TOPICS
    first, fourth = window.empty.days.rows[1], window.empty.days.rows[4]
    assert (first.day, first.date, first.detail) == ("Today", "Mon 30 Nov", "tide-api · 9 turns")
    assert (fourth.day, fourth.detail) == ("Yesterday", "ledger · 12 turns")
    assert first.spoken == "Today, Mon 30 Nov, Upload: a 409 counts as done, tide-api · 9 turns, Claude Code"


def test_a_topic_opens_its_session_at_its_message(window: SearchWindow, backend: samples.StaticBackend) -> None:
    shown(window)
    press(window, Key.Key_Right)
    press(window, Key.Key_Down)
    press(window, Key.Key_Return)
    wait_until(lambda: window.pane.view is not None)
    assert backend.asked("show")[-1][:2] == ("r-2", "m-4")
    assert window.right.currentWidget() is window.pane
    press(window, Key.Key_Escape)
    assert window.right.currentWidget() is window.empty


def test_a_click_opens_it_too(window: SearchWindow, backend: samples.StaticBackend) -> None:
    shown(window)
    days = window.empty.days
    QTest.mouseClick(days.viewport(), Qt.MouseButton.LeftButton, pos=days.visualRect(days.model().index(4, 0)).center())
    wait_until(lambda: window.pane.view is not None)
    assert backend.asked("show")[-1][:2] == ("r-5", "m-8")


def test_left_goes_back_to_the_field(window: SearchWindow) -> None:
    shown(window)
    press(window, Key.Key_Right)
    assert window.empty.days.hasFocus()
    assert window.list.dimmed
    press(window, Key.Key_Left)
    assert window.bar.field.hasFocus()
    assert not window.list.dimmed
    assert window.empty.days.selectedIndexes() == []


def test_they_are_asked_for_once_while_the_index_is_the_same(window: SearchWindow, backend: samples.StaticBackend) -> None:
    shown(window)
    window.dismiss()
    window.present()
    QTest.qWait(60)
    assert backend.asked("topics") == [search_flow.TOPIC_DAYS]


def test_a_changed_index_asks_again_but_not_all_the_time(
    window: SearchWindow, backend: samples.StaticBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown(window)
    window.index_changed()
    QTest.qWait(60)
    assert len(backend.asked("topics")) == 1
    window.dismiss()
    window.present()
    wait_until(lambda: len(backend.asked("topics")) == 2)
    monkeypatch.setattr(search_flow, "TOPICS_REST_S", 0.0)
    window.index_changed()
    wait_until(lambda: len(backend.asked("topics")) == 3)
    wait_until(lambda: not window.flow._telling.busy)
    window.dismiss()
    window.index_changed()
    QTest.qWait(60)
    assert len(backend.asked("topics")) == 3


def test_new_cards_leave_the_selection_where_it_is(window: SearchWindow, backend: samples.StaticBackend) -> None:
    shown(window)
    press(window, Key.Key_Right)
    press(window, Key.Key_Down)
    window.empty.set_cards(backend.cards[1:])
    assert window.empty.days.hasFocus()
    window.empty.set_cards(backend.cards)
    press(window, Key.Key_Down)
    place = window.empty.days.currentIndex().row()
    chosen = window.empty.days.rows[place].title
    newer = [
        TopicCard(day="2026-12-01", date_text="2026-12-01", topics=(Topic(label="New", session="r-9"),), sessions=1, rounds=1),
        *backend.cards,
    ]
    window.empty.set_cards(newer)
    assert window.empty.days.rows[window.empty.days.currentIndex().row()].title == chosen


def slow(gate: threading.Event) -> Callable[[str, object], None]:
    return lambda name, _argument: (gate.wait(5) and None) if name == "topics" else None


def test_nothing_waits_for_them(app: QApplication, backend: samples.StaticBackend) -> None:
    gate = threading.Event()
    backend.before = slow(gate)
    window = SearchWindow(backend)
    window.present()
    wait_until(lambda: bool(window.flow.sessions))
    assert window.empty.shows_days and titles(window) == []
    gate.set()
    shown(window)
    assert titles(window) == TOPICS
    window.shut_down()
    window.deleteLater()


@pytest.mark.parametrize("why", ["none", "fault"])
def test_without_topics_the_sessions_stand_there(app: QApplication, backend: samples.StaticBackend, why: str) -> None:
    def fail(name: str, _argument: object) -> None:
        if name == "topics" and why == "fault":
            raise KnownError("index_locked", "In use", "Another program holds it.")

    backend.cards, backend.before = [], fail
    window = SearchWindow(backend)
    window.present()
    wait_until(lambda: bool(window.flow.sessions))
    shown(window)
    assert titles(window)[0] == "Upload worker drops the last part"
    press(window, Key.Key_Right)
    press(window, Key.Key_Return)
    wait_until(lambda: window.pane.view is not None)
    assert backend.asked("show")[-1][:2] == ("r-1", None)
    window.shut_down()
    window.deleteLater()


def test_in_chinese(window: SearchWindow, app: QApplication) -> None:
    shown(window)
    i18n.install(app, "zh_CN")
    app.processEvents()
    first = window.empty.days.rows[1]
    assert (first.day, first.date, first.detail) == ("今天", "11月30日 周一", "tide-api · 9 轮")


# --- doubt -----------------------------------------------------------------------------------------------------------
def doubting(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda request: samples.answer() if request.ignore_time else samples.doubt()
    window.bar.field.setText("what did we settle on about the font thing")
    wait_until(lambda: window.mode == "doubt")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_each_number_chooses_its_candidate(window: SearchWindow, backend: samples.StaticBackend, number: int) -> None:
    doubting(window, backend)
    topics = [row.title for row in window.empty.days.rows if row.kind == days_view.TOPIC]
    assert topics[0] == "Font for the receipts: decided, then reopened"
    press(window, Qt.Key(Key.Key_0.value + number), ALT)
    wait_until(lambda: window.pane.view is not None)
    assert backend.asked("show")[-1][:2] == (f"c-{number}", f"c-{number}-m")
    assert window.right.currentWidget() is window.pane


def test_the_first_candidate_is_chosen_whatever_was_before(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.items = [msgspec.structs.replace(item, session=f"c-{at}") for at, item in enumerate(backend.items, 1)]
    window.flow.refresh()
    wait_until(lambda: window.flow.sessions[0].session == "c-1")
    press(window, Key.Key_Down)
    press(window, Key.Key_Down)
    doubting(window, backend)
    row = window.list.current_row()
    assert row is not None and row.number == 1


@pytest.mark.parametrize("number", [5, 6, 7, 8, 9])
def test_a_number_without_a_candidate_does_nothing(window: SearchWindow, backend: samples.StaticBackend, number: int) -> None:
    doubting(window, backend)
    press(window, Qt.Key(Key.Key_0.value + number), ALT)
    assert backend.asked("show") == []
    assert window.right.currentWidget() is window.empty
    assert window.bar.field.text() == "what did we settle on about the font thing"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("weak_words", "No passage matches well enough to be called the answer."),
        ("weak_meaning", "What is nearest in meaning is not near enough to be called the answer."),
        ("quoted_back", "The agent only repeats the question there."),
        ("disagree", "The words and the meaning point to different passages."),
    ],
)
def test_why_we_are_not_sure(window: SearchWindow, backend: samples.StaticBackend, code: str, words: str) -> None:
    answer = samples.doubt()
    backend.answer = lambda _request: samples.answer(
        verdict="unsure", reason_code=code, sessions=(), fallback_menu=answer.fallback_menu, understood=answer.understood
    )
    window.bar.field.setText("what did we settle on about the font thing")
    wait_until(lambda: window.mode == "doubt")
    row = window.list.rows.rows[0]
    assert (row.title, row.detail) == ("Not sure. Is it one of these?", words)


def test_topics_of_a_doubt_are_words_only(window: SearchWindow, backend: samples.StaticBackend) -> None:
    doubting(window, backend)
    press(window, Key.Key_Right)
    assert window.right.currentWidget() is window.empty
    assert not window.empty.days.hasFocus()
    QTest.mouseClick(
        window.empty.days.viewport(),
        Qt.MouseButton.LeftButton,
        pos=window.empty.days.visualRect(window.empty.days.model().index(2, 0)).center(),
    )
    assert backend.asked("show") == []
    window.bar.field.clear()
    wait_until(lambda: window.mode == "recent")
    assert titles(window) == TOPICS


def test_narrow_doubt_opens_in_place(window: SearchWindow, backend: samples.StaticBackend) -> None:
    window.set_content_size(QSize(600, 560))
    doubting(window, backend)
    press(window, Key.Key_3, ALT)
    wait_until(lambda: window.pane.isVisible())
    assert not window.list.isVisible()
