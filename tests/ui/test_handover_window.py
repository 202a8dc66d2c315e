"""The hand-over window: projects, card, history, pack, copies, upkeep; what is typed is never lost."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from handovers import PACK, TIDE, HandoverDouble
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from waiting import wait_until

from tray_app.errors import KnownError, UsageError
from tray_app.records import SpaceView
from tray_app.ui import i18n, theme
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.handover_cleanup import CleanupDialog
from tray_app.ui.handover_window import HandoverWindow

CTRL = Qt.KeyboardModifier.ControlModifier


def tab_words(window: HandoverWindow) -> list[str]:
    row = window.tabs
    return [
        row.tabText(at) + (f" {row.tabData(at)}" if row.tabData(at) else "")
        for at in range(row.count())
        if row.isTabVisible(at)
    ]


def card_words(window: HandoverWindow) -> dict[str, str]:
    return {name: row.text.text for name, row in window.card.rows.items() if not row.isHidden()}


def settled(window: HandoverWindow, memory: HandoverDouble) -> None:
    """Everything that was asked has come."""
    wait_until(lambda: not any(lane.busy for lane in window.flow._lanes.values()))


# --- what is shown ---------------------------------------------------------------------------------------------------
def test_what_is_shown_at_first(handover: HandoverWindow) -> None:
    assert handover.windowTitle() == "Hand-over"
    assert handover.head.name.text() == "tide-api"
    assert handover.head.figures.text() == "12 sessions · 3 compactions"
    assert handover.head.last.text() == "Last session: Claude Code, 12 min ago"
    assert tab_words(handover) == ["Card", "Draft 1", "History", "Memories 41"]
    assert handover.card.when.text() == "Saved 26 Nov from a Claude Code session"
    assert card_words(handover) == {
        "goal": "Uploads survive a dropped link, on every store.",
        "done": "Part upload, 8 MB a part\n409 counts as done; the ETag is kept",
        "doing": "Resume after a restart: the part list goes to disk",
        "next": "One resume test for each store",
        "files": "src/upload.py src/parts.py",
    }
    assert handover.column.cache.text() == "Cache 83%, 20 sessions"
    assert handover.column.cache.toolTip().split("\n") == [
        "Claude Code: 88% of the input came from the cache, 12 sessions",
        "Codex: 65% of the input came from the cache, 8 sessions",
        "3 compactions; 48,000 tokens were read anew after them",
        "Steps to the first change: 3.4 with the pack, 7.8 without",
    ]


def test_the_pack(handover: HandoverWindow) -> None:
    pane = handover.pack
    assert (pane.tokens.text(), pane.of.text()) == ("3,412", "of 4,000 tokens")
    assert {name: (row.accessibleName()) for name, row in pane.layers.items()} == {
        "baseline": "Baseline, 620",
        "facts": "Facts, 2 oldest left out, 1,904",
        "state": "Current state, 888",
        "next": "Next, stands in the card, 0",
    }
    assert pane.advice.text == "Better go on in the last session (Claude Code, 30 Nov): it was never compacted."
    assert pane.text.toPlainText() == PACK
    assert (pane.least.text(), pane.most.text()) == ("1,000", "7,000")


def test_projects_and_their_states(handover: HandoverWindow) -> None:
    model = handover.column.model
    spoken = [str(model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]
    assert spoken[0] == "tide-api, Draft waiting, 41 memories, 12 sessions, 3 compactions, last active 12 min ago"
    assert [line.split(", ")[1] for line in spoken[1:5]] == ["Card", "Card", "Draft waiting", "No card"]
    assert spoken[6] == "invoice-tool, Folder gone, kept, 9 memories, last active 6 months ago"
    assert spoken[7] == "workspace, Loose sessions, 0 memories"


def test_the_filter(handover: HandoverWindow) -> None:
    column = handover.column
    QTest.keyClicks(column.filter, "subtitles")
    assert [one.name for one in column.model.rows] == ["字幕素材整理"]
    assert handover.flow.project == TIDE
    QTest.keyClick(column.filter, Qt.Key.Key_Return)
    assert handover.flow.project == "字幕素材整理" and column.list.hasFocus()
    column.filter.setFocus()
    QTest.keyClick(column.filter, Qt.Key.Key_Escape)
    assert column.filter.text() == "" and handover.isVisible()
    QTest.keyClicks(column.filter, "zzz")
    assert not column.none.isHidden()


def test_another_project(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.column.list.setFocus()
    QTest.keyClick(handover.column.list, Qt.Key.Key_End)
    assert handover.flow.project == "workspace"
    handover.choose("opening-hours")
    wait_until(lambda: handover.flow.pack is not None and not handover.card.empty.isHidden())
    settled(handover, memory)
    assert card_words(handover) == {}
    assert handover.pack.tokens.text() == "0"
    assert handover.pack.advice.isHidden() or handover.pack.advice.text
    buttons = handover.foot
    assert [button.isEnabled() for button in (buttons.card, buttons.export, buttons.pack, buttons.chat, buttons.folder)] == [
        False, False, False, False, True,
    ]  # fmt: skip


def test_a_stale_answer_is_dropped(handover: HandoverWindow, memory: HandoverDouble) -> None:
    def slow(name: str, argument: Any) -> None:
        if name == "checkpoint" and argument == "ledger":
            time.sleep(0.05)

    memory.before = slow
    handover.choose("ledger")
    handover.choose(TIDE)
    wait_until(lambda: handover.flow.state is not None)
    settled(handover, memory)
    assert handover.flow.state is not None and handover.flow.state.project == TIDE
    assert card_words(handover)["goal"].startswith("Uploads")


def test_opening_on_a_project_by_another_name(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.open("subtitles")
    wait_until(lambda: handover.flow.project == "字幕素材整理")
    assert memory.asked("guess_project") == ["subtitles"]


def test_no_projects(handover: HandoverWindow, memory: HandoverDouble) -> None:
    memory.known = []
    handover.flow.refresh()
    wait_until(lambda: handover.shows_empty)
    assert handover.nothing.text() == "No projects yet"
    memory.known = HandoverDouble().known
    handover.look_again.click()
    wait_until(lambda: not handover.shows_empty and handover.flow.state is not None)


def test_memory_that_was_mended_is_told(handover: HandoverWindow, memory: HandoverDouble) -> None:
    memory.mending = "The memory was damaged and was made anew."
    handover.flow.refresh()
    wait_until(lambda: handover.notice.words != "")
    assert handover.notice.words == "Memory was damaged and has been restored from its journal."
    assert handover.notice.toolTip() == memory.mending


def test_spaces_where_there_are_some(handover: HandoverWindow, memory: HandoverDouble) -> None:
    assert handover.column.spaces.isHidden()
    memory.space_list += [SpaceView(id="acme", name="Acme"), SpaceView(id="old", name="Old", state="removed")]
    handover.flow.refresh()
    wait_until(lambda: not handover.column.spaces.isHidden())
    chooser = handover.column.spaces
    assert [chooser.itemText(at) for at in range(chooser.count())] == ["No space", "Acme"]
    chooser.setCurrentIndex(1)
    chooser.activated.emit(1)
    wait_until(lambda: "acme" in memory.asked("projects") and handover.flow.state is not None)


# --- editing the card ------------------------------------------------------------------------------------------------
def test_a_field_in_place_by_keys(handover: HandoverWindow, memory: HandoverDouble) -> None:
    row = handover.card.rows["next"]
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_F2)
    assert row.editor is not None and row.editor.edit.hasFocus()
    QTest.keyClick(row.editor.edit, Qt.Key.Key_Return)
    QTest.keyClicks(row.editor.edit, "Lock the list")
    QTest.keyClick(row.editor.edit, Qt.Key.Key_Return, CTRL)
    wait_until(lambda: handover.strip.text == "Saved")
    written = ("One resume test for each store", "Lock the list")
    assert memory.asked("put_checkpoint") == [(TIDE, {"next": written}, False)]
    assert row.editor is None and row.hasFocus()
    wait_until(lambda: card_words(handover)["next"] == "\n".join(written))
    QTest.keyClick(handover, Qt.Key.Key_Z, CTRL)
    wait_until(lambda: handover.strip.text == "Taken back")
    wait_until(lambda: card_words(handover)["next"] == "One resume test for each store")


def test_esc_gives_up_and_does_not_close_the_window(handover: HandoverWindow, memory: HandoverDouble) -> None:
    row = handover.card.rows["goal"]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton)
    assert row.editor is not None
    QTest.keyClicks(row.editor.edit, "xx")
    QTest.keyClick(row.editor.edit, Qt.Key.Key_Escape)
    assert row.editor is None and handover.isVisible()
    assert memory.asked("put_checkpoint") == []
    QTest.keyClick(handover, Qt.Key.Key_Escape)
    assert not handover.isVisible()


def test_all_fields_at_once(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.card.edit.click()
    editors = {name: row.editor for name, row in handover.card.rows.items()}
    assert all(editor is not None for editor in editors.values())
    assert handover.memories.isHidden() and handover.card.edits_all
    baseline, goal = editors["baseline"], editors["goal"]
    assert baseline is not None and goal is not None
    baseline.edit.setPlainText("HTTP service.")
    goal.edit.setPlainText("  ")
    handover.card.save_key.click()
    wait_until(lambda: handover.strip.text == "Saved")
    assert memory.asked("put_checkpoint") == [(TIDE, {"baseline": "HTTP service.", "goal": None}, False)]
    assert not handover.memories.isHidden()
    wait_until(lambda: list(card_words(handover))[:2] == ["baseline", "done"])


def test_the_first_card(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.choose("opening-hours")
    wait_until(lambda: not handover.card.empty.isHidden())
    handover.card.first.click()
    goal = handover.card.rows["goal"].editor
    assert goal is not None and goal.edit.hasFocus()
    QTest.keyClicks(goal.edit, "Hours by branch")
    QTest.keyClick(goal.edit, Qt.Key.Key_Return, CTRL)
    wait_until(lambda: card_words(handover) == {"goal": "Hours by branch"} and handover.foot.card.isEnabled())
    assert handover.card.when.text() == "Saved today"


def test_what_is_being_typed_is_saved_when_one_goes_elsewhere(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.card.edit_field("doing")
    editor = handover.card.rows["doing"].editor
    assert editor is not None
    editor.edit.setPlainText("Something else")
    handover.choose("ledger")
    wait_until(lambda: len(memory.asked("put_checkpoint")) == 1)
    assert memory.asked("put_checkpoint") == [(TIDE, {"doing": "Something else"}, False)]


def test_what_is_being_typed_is_saved_at_the_end(handover: HandoverWindow, memory: HandoverDouble) -> None:
    memory.before = lambda name, _argument: time.sleep(0.05) if name == "update_memory" else None
    handover.memories.edit(1)
    assert handover.memories._open is not None
    handover.memories._open.editor.edit.setPlainText("First.")
    handover.memories._open.editor.submit()
    handover.card.edit_field("doing")
    editor = handover.card.rows["doing"].editor
    assert editor is not None
    editor.edit.setPlainText("Second.")
    handover.shut_down()
    wait_until(lambda: memory.asked("put_checkpoint") == [(TIDE, {"doing": "Second."}, False)])


def test_news_waits_while_a_field_is_open(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.card.edit_field("doing")
    editor = handover.card.rows["doing"].editor
    assert editor is not None
    editor.edit.setPlainText("Half a sent")
    memory.put_checkpoint(TIDE, {"goal": "Changed by an agent"})
    handover.flow.refresh()
    settled(handover, memory)
    assert handover.card.rows["doing"].editor is editor and editor.text == "Half a sent"
    handover.card.cancel()
    assert card_words(handover)["goal"] == "Changed by an agent"


def test_a_refused_write_gives_the_text_back(handover: HandoverWindow, memory: HandoverDouble) -> None:
    memory.refuse["put_checkpoint"] = KnownError("memory_unwritable", "Not written", "No.", "")
    handover.card.edit_field("doing")
    editor = handover.card.rows["doing"].editor
    assert editor is not None
    editor.edit.setPlainText("Kept")
    editor.submit()
    wait_until(lambda: handover.card.editing)
    again = handover.card.rows["doing"].editor
    assert again is not None and again.text == "Kept"
    assert handover.strip.text == "Memory cannot be written, so nothing was kept. Look at the folder's permissions."


# --- history ---------------------------------------------------------------------------------------------------------
def test_history(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.go_to("history")
    tab = handover.history
    model = tab.list.model()
    assert [str(model.index(row, 0).data()) for row in range(3)] == [
        "26 Nov 10:00, Claude Code", "24 Nov 09:30, Written by hand", "20 Nov 09:30, Written by hand",
    ]  # fmt: skip
    assert tab.heading.text() == "Changed on 26 Nov 10:00" and tab.back.isHidden()
    shown = {name: text.accessibleName() for name, text in tab.fields.items() if not text.isHidden()}
    assert shown["done"] == "Part upload, 8 MB a part; added: 409 counts as done; the ETag is kept"
    assert shown["files"] == "src/upload.py; added: src/parts.py"
    assert list(shown) == ["done", "doing", "files"]
    QTest.keyClick(tab.list, Qt.Key.Key_End)
    assert tab.heading.text() == "The first that is kept"
    tab.back.click()
    wait_until(lambda: handover.strip.text == "Put back")
    (_project, fields, _draft) = memory.asked("put_checkpoint")[0]
    assert fields["next"] == ("Part upload, 8 MB a part",) and fields["doing"] is None
    wait_until(lambda: len(tab.versions) == 4)
    handover.undo()
    wait_until(lambda: handover.strip.text == "Taken back")


def test_no_history(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.go_to("history")
    handover.choose("opening-hours")
    wait_until(lambda: not handover.history.none.isHidden())
    assert handover.history.versions == []


# --- the pack --------------------------------------------------------------------------------------------------------
def test_the_slider(handover: HandoverWindow, memory: HandoverDouble) -> None:
    slider = handover.pack.slider
    slider.setFocus()
    for key, value in (
        (Qt.Key.Key_Right, 4_100), (Qt.Key.Key_PageUp, 4_600), (Qt.Key.Key_Left, 4_500), (Qt.Key.Key_PageDown, 4_000),
        (Qt.Key.Key_End, 7_000), (Qt.Key.Key_Home, 1_000), (Qt.Key.Key_Up, 1_100),
    ):  # fmt: skip
        QTest.keyClick(slider, key)
        assert slider.value() == value
    assert handover.pack.of.text() == "of 1,100 tokens"
    wait_until(lambda: (TIDE, 1_100) in memory.asked("pack") and memory.real["memory.pack_tokens"] == 1_100)
    assert (TIDE, 4_600) not in memory.asked("pack")


# --- copies and files ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("button", "text", "said"),
    [
        ("pack", PACK, "Pack copied"),
        ("card", "# tide-api\n\nUploads survive a dropped link, on every store.\n", "Card copied"),
        ("resume", "cd ~/Projects/tide-api && claude --resume s-upload", "Resume command copied"),
        ("chat", PACK, "Copied. Go to the chat and paste it there."),
    ],
)
def test_copies(handover: HandoverWindow, button: str, text: str, said: str) -> None:
    getattr(handover.foot, button).click()
    assert QApplication.clipboard().text() == text
    assert handover.strip.text == said
    QTest.keyClick(handover.column.filter, Qt.Key.Key_A)
    assert handover.strip.text == ""


def test_nothing_to_copy_is_said(handover: HandoverWindow, memory: HandoverDouble) -> None:
    handover.choose("opening-hours")
    settled(handover, memory)
    for name, said in (
        ("card", "There is no card to copy yet"),
        ("pack", "There is nothing in the pack yet"),
        ("resume", "There is no session to resume"),
        ("chat", "There is nothing in the pack yet"),
        ("export", "There is no card to export yet"),
    ):
        handover.actions_.do(name)
        assert handover.strip.text == said


def test_keys_of_the_copies(handover: HandoverWindow) -> None:
    QTest.keyClick(handover, Qt.Key.Key_P, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert handover.strip.text == "Pack copied"
    QTest.keyClick(handover, Qt.Key.Key_R, CTRL)
    assert handover.strip.text == "Resume command copied"


def test_export(handover: HandoverWindow, tmp_path: Path) -> None:
    handover.foot.export.click()
    dialog = handover.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    target = tmp_path / "card.md"
    dialog.fileSelected.emit(str(target))
    assert target.read_text(encoding="utf-8") == "# tide-api\n\nUploads survive a dropped link, on every store.\n"
    assert handover.strip.text == "Saved as card.md"
    dialog.reject()
    handover.actions_.save("x", str(target / "card.md"))
    assert handover.strip.text == "Not saved: File exists"


def test_open_folder(handover: HandoverWindow, memory: HandoverDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda url: bool(opened.append(url.toLocalFile()) or True)))
    handover.foot.folder.click()
    assert handover.strip.text == "The folder is not there any more"
    handover.flow.projects = [msgspec.structs.replace(memory.known[0], folder=str(tmp_path))]
    handover.foot.folder.click()
    assert opened == [str(tmp_path)]


# --- upkeep ----------------------------------------------------------------------------------------------------------
def choose_in_menu(window: HandoverWindow, name: str) -> None:
    next(action for action in window.foot.menu().actions() if action.objectName() == name).trigger()


def test_archiving(handover: HandoverWindow, memory: HandoverDouble) -> None:
    choose_in_menu(handover, "archive")
    wait_until(lambda: handover.strip.text == "5 sessions archived, 2 drafts to review.")
    assert memory.asked("archive_sessions") == [False]


@pytest.mark.parametrize("agreed", [True, False])
def test_archiving_earlier_sessions_asks_first(
    handover: HandoverWindow, memory: HandoverDouble, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    monkeypatch.setattr(ConfirmDialog, "ask", classmethod(lambda cls, *texts: agreed))
    choose_in_menu(handover, "backfill")
    if agreed:
        wait_until(lambda: memory.asked("archive_sessions") == [True])
        wait_until(lambda: handover.strip.text.startswith("5 sessions"))
    else:
        assert memory.asked("archive_sessions") == []


def test_changelog_and_backup(handover: HandoverWindow, memory: HandoverDouble) -> None:
    choose_in_menu(handover, "changelog")
    wait_until(lambda: handover.strip.text == "3 entries taken from the changelogs.")
    choose_in_menu(handover, "backup")
    wait_until(lambda: handover.strip.text == "Backed up: one.jsonl, 2.4 KB")


def test_a_failed_upkeep_is_told_and_can_be_tried_again(handover: HandoverWindow, memory: HandoverDouble) -> None:
    memory.refuse["archive_sessions"] = UsageError("no_such_space", "No such space", "It is gone.")
    choose_in_menu(handover, "archive")
    wait_until(lambda: handover.strip.text == "It is gone.")
    assert all(action.isEnabled() for action in handover.foot.menu().actions() if action.objectName())


def test_the_plan_of_a_clean_up_comes_first(handover: HandoverWindow, memory: HandoverDouble) -> None:
    choose_in_menu(handover, "cleanup")
    dialog = handover.findChild(CleanupDialog)
    assert isinstance(dialog, CleanupDialog)
    wait_until(lambda: dialog.plan.rowCount() == 3)
    assert dialog.heading.text() == "2 entries to clean up"
    assert [str(dialog.plan.index(row).data()) for row in range(3)] == [
        "Put away, Session, Upload worker drops the last part, tide-api, summary of a session, 93 days old",
        "Put away, Card, ledger, ledger, replaced, and not among the last 3",
        "Only told, Note, Ports used by the stub, tide-api, not used for 120 days",
    ]
    assert memory.asked("cleanup") == [(False, False)] and dialog.keep.hasFocus()
    dialog.purge.click()
    wait_until(lambda: memory.asked("cleanup")[-1] == (False, True) and dialog.apply.isEnabled())
    assert dialog.apply.text() == "Clean up 2 entries"
    dialog.apply.click()
    wait_until(lambda: dialog.heading.text() == "2 put away")
    assert memory.asked("cleanup")[-1] == (True, True)
    assert dialog.under.text() == "A backup was made first. What was put away can be restored."
    assert dialog.keep.text() == "Close" and not dialog.apply.isEnabled()
    dialog.keep.click()
    again = CleanupDialog(memory, None, handover)
    wait_until(lambda: again.heading.text() == "Nothing to clean up")
    assert again.under.text() == "Everything is in use."
    again.reject()


# --- how it lies -----------------------------------------------------------------------------------------------------
def test_resize_rules(handover: HandoverWindow) -> None:
    px = theme.current().px
    handover.resize(px(1_079), 700)
    assert tab_words(handover)[-1] == "Pack" and handover.side.isHidden()
    assert handover.foot.resume.isHidden() and not handover.foot.export.isHidden()
    assert "Copy resume command" in [action.text() for action in handover.foot.menu().actions()]
    QTest.keyClick(handover, Qt.Key.Key_5, CTRL)
    assert handover.tab == "pack" and handover.pack.isVisible()
    assert handover.minimumWidth() <= px(880)
    handover.resize(px(919), 700)
    assert handover.column.isHidden() and handover.head.name.isHidden()
    chooser = handover.head.chooser
    assert chooser.currentText() == TIDE
    chooser.setCurrentIndex(2)
    chooser.activated.emit(2)
    assert handover.flow.project == "ledger"
    handover.resize(px(1_200), 700)
    assert tab_words(handover) == ["Card", "Draft", "History", "Memories"] and handover.tab == "card"
    assert handover.pack.isVisible() and handover.column.isVisible()


def test_tabs_by_keys(handover: HandoverWindow) -> None:
    for key, tab in ((Qt.Key.Key_2, "draft"), (Qt.Key.Key_3, "history"), (Qt.Key.Key_4, "memories"), (Qt.Key.Key_1, "card")):
        QTest.keyClick(handover, key, CTRL)
        assert handover.tab == tab
    QTest.keyClick(handover, Qt.Key.Key_5, CTRL)
    assert handover.tab == "card"


def test_both_languages(handover: HandoverWindow, app: QApplication) -> None:
    i18n.install(app, "zh_CN")
    app.processEvents()
    assert handover.windowTitle() == "交接"
    assert tab_words(handover) == ["卡片", "草稿 1", "历史", "记忆 41"]
    assert handover.card.when.text() == "11月26日保存，来自 Claude Code 会话"
    assert handover.column.cache.text() == "缓存 83%，20 个会话"
    assert handover.pack.advice.text == "最好接着最近的会话（Claude Code，11月30日）继续：它没有被压缩过。"
    assert handover.head.last.text() == "最近会话：Claude Code，12 分钟前"


def test_painting_in_both_themes(handover: HandoverWindow, app: QApplication) -> None:
    for name in ("dark", "light"):
        theme.apply(app, name)
        for tab in ("card", "draft", "history", "memories"):
            handover.go_to(tab)
            app.processEvents()
            assert not handover.grab().isNull()


def test_opening_costs_little_with_much_in_it(app: QApplication, memory: HandoverDouble) -> None:
    """300 projects, 10,000 memories: processor time of this thread, to be independent of the machine's load."""
    memory.known = [msgspec.structs.replace(memory.known[0], name=f"p-{number}" if number else TIDE) for number in range(300)]
    one = memory.remembered[0]
    memory.remembered = [msgspec.structs.replace(one, id=number) for number in range(1, 10_001)]
    window = HandoverWindow(memory)
    window.open()
    wait_until(lambda: len(window.memories.list.rows.rows) == 10_000 and window.flow.pack is not None)
    window.hide()
    begin = time.thread_time()
    window.open()
    app.processEvents()
    assert time.thread_time() - begin < 0.15
    begin = time.thread_time()
    window.memories.edit(5_000)
    app.processEvents()
    assert time.thread_time() - begin < 0.15
    window.shut_down()
    window.hide()
    window.deleteLater()
