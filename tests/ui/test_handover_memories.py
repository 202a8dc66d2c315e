"""Memories: filtered, added, edited in place, archived and restored; what is typed is never lost."""

from __future__ import annotations

from handovers import TIDE, WORDS, HandoverDouble
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu
from waiting import wait_until

from tray_app.errors import UsageError
from tray_app.ui.handover_memories import OpenMemory
from tray_app.ui.handover_memory_list import MemoryModel
from tray_app.ui.handover_window import HandoverWindow

CTRL = Qt.KeyboardModifier.ControlModifier
TEXTS = [text for _kind, text in WORDS["en"]["memories"]]


def rows(window: HandoverWindow) -> list[str]:
    model = window.memories.list.rows
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def chips(window: HandoverWindow) -> list[str]:
    return [chip.accessibleName() for chip in window.memories.kinds.chips.values()]


def opened(window: HandoverWindow) -> OpenMemory:
    found = window.memories._open
    assert found is not None
    return found


def test_rows_and_kinds(handover: HandoverWindow) -> None:
    assert rows(handover)[:2] == [f"Decision, {TEXTS[0]}, 25 Nov", f"Pitfall, {TEXTS[1]}, 24 Nov"]
    assert chips(handover) == ["All 5", "Decisions 2", "Facts 2", "Pitfalls 1"]


def test_filter_by_kind(handover: HandoverWindow) -> None:
    handover.memories.kinds.chips["fact"].click()
    assert [row.split(",")[0] for row in rows(handover)] == ["Fact", "Fact"]
    fact = handover.memories.kinds.chips["fact"]
    fact.setFocus()
    QTest.keyClick(fact, Qt.Key.Key_Right)
    assert handover.memories.kinds.chips["pitfall"].hasFocus() and len(rows(handover)) == 1
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Left)
    assert len(rows(handover)) == 2
    handover.memories.kinds.chips[""].click()
    assert len(rows(handover)) == 5


def test_edit_in_place(handover: HandoverWindow, memory: HandoverDouble) -> None:
    view = handover.memories.list
    view.setFocus()
    view.setCurrentIndex(view.rows.index(1))
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = opened(handover).editor
    assert editor.text == TEXTS[1] and editor.edit.hasFocus()
    assert view.rowHeight(1) > 2 * view.rowHeight(0)
    QTest.keyClicks(editor.edit, " Always.")
    QTest.keyClick(editor.edit, Qt.Key.Key_Return, CTRL)
    wait_until(lambda: handover.strip.text == "Saved")
    assert memory.asked("update_memory") == [(2, "", TEXTS[1] + " Always.")]
    wait_until(lambda: TEXTS[1] + " Always." in rows(handover)[1])
    assert view.rowHeight(1) == view.rowHeight(0) and view.hasFocus()
    handover.undo()
    wait_until(lambda: handover.strip.text == "Taken back")
    wait_until(lambda: rows(handover)[1] == f"Pitfall, {TEXTS[1]}, 24 Nov")


def test_a_click_edits_and_esc_gives_up(handover: HandoverWindow, memory: HandoverDouble) -> None:
    view = handover.memories.list
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.rows.index(0)).center())
    QTest.keyClicks(opened(handover).editor.edit, "xx")
    QTest.keyClick(opened(handover).editor.edit, Qt.Key.Key_Escape)
    assert handover.memories._open is None and handover.isVisible()
    assert memory.asked("update_memory") == []


def test_add(handover: HandoverWindow, memory: HandoverDouble) -> None:
    QTest.keyClick(handover, Qt.Key.Key_N, CTRL)
    new = opened(handover)
    assert new.kind is not None and new.kind.currentText() == "Decision"
    new.kind.setCurrentIndex(new.kind.findData("pitfall"))
    QTest.keyClicks(new.editor.edit, "Ports below 1024 need root.")
    new.editor.save.click()
    wait_until(lambda: handover.strip.text == "Written down")
    assert memory.asked("remember") == [(TIDE, "pitfall", "", "Ports below 1024 need root.")]
    wait_until(lambda: rows(handover)[0] == "Pitfall, Ports below 1024 need root., today")
    handover.undo()
    wait_until(lambda: memory.asked("set_memory_state") == [(7, "archived")])
    wait_until(lambda: len(rows(handover)) == 5)


def test_what_is_known_is_not_kept_twice(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.memories.add.click()
    opened(handover).editor.edit.setPlainText(TEXTS[0])
    opened(handover).editor.submit()
    wait_until(lambda: handover.strip.text == "That was known already")
    assert len(rows(handover)) == 5


def test_an_empty_new_one_is_none(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.memories.add.click()
    assert len(rows(handover)) == 6
    opened(handover).editor.submit()
    assert memory.asked("remember") == [] and len(rows(handover)) == 5


def test_archive_and_restore(handover: HandoverWindow, memory: HandoverDouble) -> None:
    view = handover.memories.list
    view.setFocus()
    view.setCurrentIndex(view.rows.index(4))
    QTest.keyClick(view, Qt.Key.Key_Delete)
    wait_until(lambda: handover.strip.text == "Archived")
    wait_until(lambda: len(rows(handover)) == 4)
    states = handover.memories.states
    states.setCurrentIndex(states.findData("archived"))
    states.activated.emit(states.currentIndex())
    wait_until(lambda: sorted(rows(handover)) == [f"Decision, {TEXTS[4]}, 21 Nov", "Note, Old, An old note., 26 Nov"])
    assert handover.memories.add.isHidden()
    handover.memories.edit(5)
    assert opened(handover).editor.edit.isReadOnly() and opened(handover).away.text() == "Restore"
    opened(handover).away.click()
    wait_until(lambda: handover.strip.text == "Restored")
    assert memory.asked("set_memory_state") == [(5, "archived"), (5, "active")]
    wait_until(lambda: rows(handover) == ["Note, Old, An old note., 26 Nov"])


def test_the_menu_of_a_row(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.memories.list.menu_wanted.emit(1, QPoint(0, 0))
    menu = handover.memories.findChild(QMenu)
    assert isinstance(menu, QMenu)
    actions = {action.text(): action for action in menu.actions() if action.text()}
    assert list(actions) == ["Edit", "Copy", "Archive"]
    actions["Copy"].trigger()
    assert QApplication.clipboard().text() == TEXTS[0]
    actions["Archive"].trigger()
    wait_until(lambda: memory.asked("set_memory_state") == [(1, "archived")])
    menu.close()


def test_what_is_typed_is_saved_when_one_goes_elsewhere(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.memories.edit(1)
    opened(handover).editor.edit.setPlainText("Changed.")
    handover.choose("ledger")
    wait_until(lambda: memory.asked("update_memory") == [(1, "", "Changed.")])


def test_a_refused_text_is_there_again(handover: HandoverWindow, memory: HandoverDouble) -> None:
    memory.refuse["remember"] = UsageError("too_long", "Too long", "Far too long.")
    handover.memories.add.click()
    opened(handover).editor.edit.setPlainText("A long one.")
    opened(handover).editor.submit()
    wait_until(lambda: handover.memories._open is not None)
    assert opened(handover).editor.text == "A long one." and opened(handover).kind is not None
    assert handover.strip.text == "That is too long to be kept. Shorten it, or make several of it."


def test_news_waits_while_one_is_open(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.memories.edit(1)
    opened(handover).editor.edit.setPlainText("Half")
    memory.remember(TIDE, "fact", "", "An agent wrote this.")
    handover.flow.refresh()
    wait_until(lambda: len(handover.flow.memories) == 6)
    assert opened(handover).editor.text == "Half" and len(rows(handover)) == 5
    QTest.keyClick(opened(handover).editor.edit, Qt.Key.Key_Escape)
    assert len(rows(handover)) == 6


def test_the_panel_goes_with_the_tabs(handover: HandoverWindow) -> None:
    handover.memories.edit(1)
    handover.go_to("memories")
    assert handover.memories.isVisible() and opened(handover).editor.isVisible()
    handover.go_to("card")
    assert handover.card.isAncestorOf(handover.memories)


def test_none(handover: HandoverWindow) -> None:
    handover.choose("opening-hours")
    wait_until(lambda: not handover.memories.none.isHidden())
    assert chips(handover) == ["All 0"] or handover.memories.kinds.isHidden()


def test_the_model(app: QApplication, memory: HandoverDouble) -> None:
    model = MemoryModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_all(memory.remembered)
    model.begin_new()
    assert model.memory(0) is None and model.row_of(1) == 1
    model.end_new()
    model.set_kind("fact")
    assert model.row_of(1) == -1 and model.rowCount() == 2
    long = memory.remembered[0].content
    titled = type(memory.remembered[0])(
        id=9, project=TIDE, kind="note", state="active", title="ETag", content=long, created="", updated=""
    )
    assert model.lines(titled) == ("ETag", long)
