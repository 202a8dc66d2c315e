"""The list: heads are skipped, the selection survives a new answer, heights never change by selecting."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
import samples
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from tray_app.ui import rows, theme
from tray_app.ui.results_view import ResultsView


@pytest.fixture
def view(app: QApplication) -> Iterator[ResultsView]:
    made = ResultsView()
    made.resize(400, 500)
    made.show()
    made.show_rows(rows.of_answer(samples.answer()))
    yield made
    made.deleteLater()


def here(view: ResultsView) -> str:
    row = view.current_row()
    return row.message_id or row.session if row is not None else ""


def test_the_model_keeps_its_promises(view: ResultsView) -> None:
    tester = QAbstractItemModelTester(view.rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
    view.show_rows(rows.of_sessions(samples.sessions()))
    view.show_rows([])
    assert view.current_row() is None
    view.show_rows(rows.of_answer(samples.answer()))
    tester.deleteLater()


def test_moving_skips_heads_and_stops_at_the_ends(view: ResultsView) -> None:
    seen = [here(view)]
    for _ in range(6):
        view.move_by(1)
        seen.append(here(view))
    assert seen == ["m-20", "m-22", "d-3", "k-9", "l-4", "l-4", "l-4"]
    view.move_by(-1)
    assert here(view) == "k-9"


def test_moving_by_session(view: ResultsView) -> None:
    view.move_by(1)
    view.move_by_session(1)
    assert here(view) == "d-3"
    view.move_by_session(-1)
    assert here(view) == "m-20"
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert here(view) == "d-3"
    QTest.keyClick(view, Qt.Key.Key_End)
    assert here(view) == "l-4"
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert here(view) != "l-4"


def test_the_selection_survives_typing(view: ResultsView) -> None:
    view.move_by(2)
    assert here(view) == "d-3"
    answer = samples.answer()
    view.show_rows(rows.of_answer(msgspec.structs.replace(answer, sessions=answer.sessions[1:])))
    assert here(view) == "d-3"
    view.show_rows(rows.of_answer(msgspec.structs.replace(answer, sessions=answer.sessions[:1])))
    assert here(view) == "m-20"  # it is gone: the first is chosen


def test_a_new_question_selects_its_first_row_unless_the_person_chose_one(view: ResultsView) -> None:
    answer = samples.answer()
    turned = rows.of_answer(msgspec.structs.replace(answer, sessions=answer.sessions[::-1]))
    first = here(view)
    view.show_rows(turned, keep=False)
    assert here(view) != first
    view.show_rows(rows.of_answer(answer), keep=True)
    assert here(view) != first  # the same question, answered anew: nothing jumps
    view.move_by(1)
    chosen = here(view)
    view.show_rows(turned, keep=False)
    assert here(view) == chosen


def test_selecting_changes_no_height(view: ResultsView) -> None:
    before = list(view.rows.heights)
    rects = [view.visualRect(view.rows.index(number)).height() for number in range(len(before))]
    view.move_by(3)
    assert view.rows.heights == before
    assert [view.visualRect(view.rows.index(number)).height() for number in range(len(before))] == rects == before


def test_a_click_on_a_head_selects_nothing(view: ResultsView) -> None:
    view.move_by(1)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, 20))
    assert here(view) == "m-22"
    target = view.visualRect(view.rows.index(view.rows.find("hit:s-parts:d-3"))).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=target)
    assert here(view) == "d-3"


def test_width_and_theme_lay_out_anew(view: ResultsView, app: QApplication) -> None:
    narrow = sum(view.rows.heights)
    view.resize(900, 500)
    app.processEvents()
    assert sum(view.rows.heights) < narrow
    view.move_by(1)
    theme.apply(app, "dark")
    assert here(view) == "m-22"
    assert not view.grab().isNull()


def test_screen_readers_get_a_sentence(view: ResultsView) -> None:
    index = view.rows.index(view.rows.find("hit:s-kiosk:k-9"))
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == (
        "Tool: FAILED test_upload.py::test_retry_gives_up, Kiosk sync on flaky wifi, 7 days ago, words, date"
    )


def test_candidates_open_by_number(view: ResultsView) -> None:
    answer = samples.doubt()
    assert answer.fallback_menu is not None
    view.show_rows(rows.of_menu(answer, answer.fallback_menu, further=True))
    opened: list[rows.Row] = []
    view.opened.connect(opened.append)
    assert view.choose_number(3)
    assert not view.choose_number(9)
    assert [row.title for row in opened] == ["PDF export shows boxes for Chinese"]
    assert here(view) == "c-3-m"
