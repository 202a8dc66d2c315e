"""A draft is decided field by field: accept, edit, discard, and each of them taken back."""

from __future__ import annotations

import msgspec
import pytest
from handovers import TIDE, WORDS, HandoverDouble
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from waiting import wait_until

from tray_app.errors import KnownError
from tray_app.records import CheckpointView
from tray_app.ui.handover_draft import DraftTab
from tray_app.ui.handover_draft_row import ChoiceButton
from tray_app.ui.handover_fields import proposed
from tray_app.ui.handover_window import HandoverWindow

EN = WORDS["en"]


@pytest.fixture
def tab(handover: HandoverWindow) -> DraftTab:
    handover.go_to("draft")
    handover.draft.begin()
    return handover.draft


def press(key: Qt.Key) -> None:
    focus = QApplication.focusWidget()
    assert isinstance(focus, QWidget)
    QTest.keyClick(focus, key)


def active(memory: HandoverDouble) -> CheckpointView:
    found = memory.states[TIDE].active
    assert found is not None
    return found


def waiting(tab: DraftTab) -> list[str]:
    return [name for name, row in tab.rows.items() if row.waiting]


def test_what_is_shown(tab: DraftTab) -> None:
    assert (tab.active_head.text(), tab.draft_head.text()) == ("Active, 26 Nov", "Draft, today 14:02")
    assert waiting(tab) == ["done", "doing", "next", "files"]
    shown = {name: row.new.accessibleName() for name, row in tab.rows.items() if not row.isHidden()}
    assert shown == {
        "goal": "Unchanged",
        "done": "Part upload, 8 MB a part; 409 counts as done; the ETag is kept; added: Retries stop after three attempts",
        "doing": "Resume after a restart: the part list removed: goes to disk added: is on disk, its lock is not",
        "next": "One resume test for each store; added: Lock the part list",
        "files": "src/upload.py; src/parts.py; added: tests/test_upload.py",
    }


def test_the_row_in_focus_has_real_buttons_and_says_its_evidence(tab: DraftTab) -> None:
    real = [name for name, row in tab.rows.items() if all(choice.real for choice in row.choices)]
    assert real == ["done"]
    assert tab.rows["done"].accept_button.hasFocus()
    assert tab.evidence.text() == "Done: message 41: “it gives up after three”"
    assert tab.rows["done"].new.toolTip() == "message 41: “it gives up after three”"
    height = tab.rows["doing"].height()
    press(Qt.Key.Key_Down)
    assert tab.rows["doing"].accept_button.hasFocus() and tab.rows["doing"].height() == height
    assert tab.evidence.text() == "Each line of the draft has evidence in the session."
    press(Qt.Key.Key_Up)
    assert tab.rows["done"].accept_button.hasFocus()
    tab.rows["next"].edit_button.setFocus()
    assert all(choice.real for choice in tab.rows["next"].choices)


def test_accept_by_key_goes_on_to_the_next_and_can_be_taken_back(
    tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble
) -> None:
    press(Qt.Key.Key_A)
    wait_until(lambda: memory.asked("promote_draft") == [(TIDE, ["done"])] and handover.strip.text == "Accepted")
    row = tab.rows["done"]
    assert row.decided.text() == "Accepted" and not row.accept_button.isVisible()
    assert tab.rows["doing"].accept_button.hasFocus()
    wait_until(lambda: handover.card.rows["done"].value == (*EN["done"], *EN["draft_done"]))
    assert waiting(tab) == ["doing", "next", "files"] and row.decision == "accepted"
    row.undo_link.click()
    wait_until(lambda: active(memory).done == EN["done"])
    wait_until(lambda: handover.strip.text == "Taken back")
    assert waiting(tab) == ["done", "doing", "next", "files"]
    draft = memory.states[TIDE].draft
    assert draft is not None and draft.done == EN["draft_done"]


def test_discard_and_undo_by_keys(tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble) -> None:
    press(Qt.Key.Key_D)
    wait_until(lambda: handover.strip.text == "Discarded")
    assert active(memory).done == EN["done"] and tab.rows["done"].decided.text() == "Discarded"
    press(Qt.Key.Key_Up)
    assert tab.rows["done"].undo_link.hasFocus()
    press(Qt.Key.Key_U)
    wait_until(lambda: handover.strip.text == "Taken back")
    assert tab.rows["done"].accept_button.hasFocus()
    draft = memory.states[TIDE].draft
    assert draft is not None and draft.done == EN["draft_done"]


def test_edit_then_accept(tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble) -> None:
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_E)
    focus = QApplication.focusWidget()
    assert isinstance(focus, QWidget) and not isinstance(focus, ChoiceButton)
    QTest.keyClicks(focus, " yet")
    QTest.keyClick(focus, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_until(lambda: active(memory).doing == EN["draft_doing"] + " yet")
    draft = memory.states[TIDE].draft
    assert draft is not None and draft.doing == "" and draft.next == EN["draft_next"]
    wait_until(lambda: handover.strip.text == "Accepted")
    assert tab.rows["doing"].decision == "accepted"
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_U)
    wait_until(lambda: active(memory).doing == EN["doing"])


def test_esc_in_the_field_leaves_the_field(tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble) -> None:
    press(Qt.Key.Key_E)
    press(Qt.Key.Key_Escape)
    assert handover.isVisible() and tab.rows["done"].accept_button.hasFocus()
    assert memory.asked("put_checkpoint") == []


def test_the_last_decision_puts_the_draft_away(tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble) -> None:
    for name in ("done", "doing", "next", "files"):
        tab.rows[name].discard()
    wait_until(lambda: memory.asked("discard_draft") == [TIDE] and memory.states[TIDE].draft is None)
    wait_until(lambda: handover.flow.state is not None and handover.flow.state.draft is None)
    assert not tab.area.isHidden(), "what was decided can still be taken back"
    assert tab.rows["files"].undo_link.hasFocus() and tab.waiting == 0
    assert handover.tabs.tabData(1) is None


def test_all_at_once_and_back(tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble) -> None:
    tab.accept_all.click()
    wait_until(lambda: handover.strip.text == "Draft accepted" and not tab.none.isHidden())
    assert active(memory).next == EN["draft_next"] and active(memory).files == (*EN["files"], *EN["draft_files"])
    handover.undo()
    wait_until(lambda: handover.strip.text == "Taken back" and not tab.area.isHidden())
    assert active(memory).next == EN["next"] and active(memory).files == EN["files"]
    tab.discard_all.click()
    wait_until(lambda: handover.strip.text == "Draft discarded" and memory.states[TIDE].draft is None)
    handover.undo()
    wait_until(lambda: memory.states[TIDE].draft is not None)
    draft = memory.states[TIDE].draft
    assert draft is not None and draft.doing == EN["draft_doing"]


def test_a_refused_decision_waits_again(tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble) -> None:
    memory.refuse["promote_draft"] = KnownError("disk_full", "Disk full", "The disk is full.", "")
    press(Qt.Key.Key_A)
    wait_until(lambda: waiting(tab) == ["done", "doing", "next", "files"])
    assert handover.strip.text.startswith("The disk is full.")


def test_another_draft_replaces_the_one_on_show(tab: DraftTab, handover: HandoverWindow, memory: HandoverDouble) -> None:
    state = memory.states[TIDE]
    assert state.draft is not None
    fresh = msgspec.structs.replace(state.draft, id=77, goal="Another goal", done=(), next=(), files=())
    memory.states[TIDE] = msgspec.structs.replace(state, draft=fresh)
    handover.flow.refresh()
    wait_until(lambda: waiting(tab) == ["goal", "doing"])


def test_the_session_of_the_draft(tab: DraftTab, handover: HandoverWindow) -> None:
    wanted: list[tuple[str, str]] = []
    handover.session_wanted.connect(lambda agent, session: wanted.append((agent, session)))
    tab.session.click()
    assert wanted == [("codex", "r-2")]


def test_no_draft(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.go_to("draft")
    handover.choose("opening-hours")
    wait_until(lambda: not handover.draft.none.isHidden())
    assert handover.draft.nothing.text() == "No draft waits"


def test_what_a_field_becomes() -> None:
    assert proposed("done", ("a b",), ("a  b", "c")) == ("a b", "c")
    assert proposed("next", ("a",), ("b",)) == ("b",)
    assert proposed("goal", "old", "") == "old"
