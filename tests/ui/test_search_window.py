"""The search window as a person uses it: by keys, never blocked, never showing a stale answer."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest
import samples
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLineEdit, QTextBrowser, QWidget
from waiting import wait_until

from tray_app.errors import KnownError, UsageError
from tray_app.records import Progress, SearchRequest, Understood
from tray_app.settings import Settings
from tray_app.state import State
from tray_app.ui import i18n, theme
from tray_app.ui.search_window import SearchWindow

Key = Qt.Key
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def ask(window: SearchWindow, text: str = "why did we stop retrying the upload last week") -> None:
    """Type a question and wait for its answer and its conversation."""
    window.bar.field.setText(text)
    wait_until(lambda: window.flow.answer is not None and not window.flow._search.busy and not window.flow._typing.isActive())
    wait_until(lambda: not window.pane._lane.busy)


def press(window: SearchWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or window.bar.field, key, modifiers)
    QApplication.processEvents()


def chosen(window: SearchWindow) -> str:
    row = window.list.current_row()
    return row.message_id or row.session if row is not None else ""


def copied() -> str:
    return QApplication.clipboard().text()


# --- the empty window ------------------------------------------------------------------------------------------------
def test_opens_with_the_latest_sessions_and_the_days(window: SearchWindow) -> None:
    assert window.bar.field.hasFocus()
    assert chosen(window) == "r-1"
    assert window.right.currentWidget() is window.empty
    assert window.empty.shows_days
    assert window.foot.text == (
        "Nothing leaves this machine · 12,345 passages in 812 sessions · 3 skipped · Updated 4 s ago · Meaning off"
    )
    assert not window.chips.isVisible()
    assert window.notice.words == ""


def test_enter_reads_a_recent_session_and_esc_comes_back(window: SearchWindow) -> None:
    press(window, Key.Key_Down)
    press(window, Key.Key_Return)
    wait_until(lambda: window.pane.view is not None)
    assert window.right.currentWidget() is window.pane
    assert window.pane.transcript.hasFocus()
    press(window, Key.Key_Escape)
    assert window.right.currentWidget() is window.empty
    assert window.isVisible()
    press(window, Key.Key_Escape)
    assert not window.isVisible()


def test_right_goes_to_the_days_and_left_comes_back(window: SearchWindow, backend: samples.StaticBackend) -> None:
    wait_until(lambda: len(window.empty.days.rows) > 1)
    press(window, Key.Key_Right)
    assert window.empty.days.hasFocus()
    press(window, Key.Key_Down)
    press(window, Key.Key_Left)
    assert window.bar.field.hasFocus()
    press(window, Key.Key_Right)
    press(window, Key.Key_Return)
    wait_until(lambda: window.pane.view is not None)
    assert backend.asked("show")[-1][:2] == ("r-1", "m-20")


def test_few_sessions_say_how_far_reading_is(app: QApplication, backend: samples.StaticBackend) -> None:
    backend.items = backend.items[:1]
    backend.state = samples.status(indexing=True)
    window = SearchWindow(backend)
    window.present()
    wait_until(lambda: window.flow.status is not None and bool(window.flow.sessions))
    assert not window.empty.shows_days
    assert window.empty.words.text() == "214 of 812 sessions · about 3 min left"
    window.shut_down()
    window.deleteLater()


# --- searching -------------------------------------------------------------------------------------------------------
def test_a_question_is_asked_once_after_the_last_key(window: SearchWindow, backend: samples.StaticBackend) -> None:
    QTest.keyClicks(window.bar.field, "retry upload")
    wait_until(lambda: window.flow.answer is not None)
    assert [request.query for request in backend.asked("search")] == ["retry upload"]
    assert window.bar.count.text() == "5 passages in 4 sessions"
    assert chosen(window) == "m-20"
    assert window.pane.head.hits.text() == "Hit 1 of 2"


def test_a_stale_answer_is_never_shown(window: SearchWindow, backend: samples.StaticBackend) -> None:
    gate = threading.Event()
    backend.before = lambda name, argument: gate.wait(5) if name == "search" and argument.query == "old" else None
    backend.answer = lambda request: samples.answer(hits=1 if request.query == "old" else 5)
    seen: list[int] = []
    window.flow.answered.connect(lambda answer: seen.append(answer.hits))
    window.bar.field.setText("old")
    wait_until(lambda: bool(backend.asked("search")))
    window.bar.field.setText("new")
    QTest.qWait(120)
    gate.set()
    wait_until(lambda: bool(seen))
    QTest.qWait(50)
    assert seen == [5]


def test_the_window_never_waits_for_the_backend(window: SearchWindow, backend: samples.StaticBackend) -> None:
    gate = threading.Event()
    backend.before = lambda _name, _argument: gate.wait(5) and None
    window.bar.field.setText("slow")
    QTest.qWait(150)
    QTest.keyClicks(window.bar.field, " typing")
    press(window, Key.Key_Down)
    assert window.bar.field.text() == "slow typing"
    gate.set()


def test_emptying_the_field_drops_what_is_being_asked(window: SearchWindow, backend: samples.StaticBackend) -> None:
    gate = threading.Event()
    backend.before = lambda name, _argument: gate.wait(5) if name == "search" else None
    window.bar.field.setText("x y")
    wait_until(lambda: bool(backend.asked("search")))
    window.bar.field.clear()
    gate.set()
    QTest.qWait(80)
    assert window.flow.answer is None
    assert chosen(window) == "r-1"


def test_composing_searches_nothing_and_keeps_its_keys(window: SearchWindow, backend: samples.StaticBackend) -> None:
    field = window.bar.field
    QApplication.sendEvent(field, QInputMethodEvent("shang chuan", []))
    assert field.composing
    press(window, Key.Key_Escape)
    press(window, Key.Key_Return)
    assert window.isVisible()
    assert window.right.currentWidget() is window.empty
    commit = QInputMethodEvent()
    commit.setCommitString("上传")
    QApplication.sendEvent(field, commit)
    wait_until(lambda: window.flow.answer is not None)
    assert [request.query for request in backend.asked("search")] == ["上传"]


def test_a_new_answer_keeps_the_selection(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window)
    press(window, Key.Key_Down)
    press(window, Key.Key_Down)
    assert chosen(window) == "d-3"
    answer = samples.answer()
    backend.answer = lambda _request: msgspec.structs.replace(answer, sessions=answer.sessions[1:])
    window.index_changed()
    wait_until(lambda: len(window.flow.answer.sessions) == 3 if window.flow.answer is not None else False)
    assert chosen(window) == "d-3"
    assert window.bar.field.hasFocus()


def test_a_growing_index_moves_nothing_that_is_read(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window)
    bar = window.pane.transcript.verticalScrollBar()
    window.pane.transcript._scrolled()
    bar.setValue(bar.value() + 120)
    before, asked = bar.value(), len(backend.asked("show"))
    window.index_changed()
    wait_until(lambda: len(backend.asked("search")) == 2 and not window.flow._search.busy)
    assert (bar.value(), len(backend.asked("show"))) == (before, asked)
    press(window, Key.Key_Return)
    assert bar.value() != before  # Enter brings the hit back


def test_tab_goes_from_the_field_over_the_chips_to_the_list(window: SearchWindow) -> None:
    ask(window)
    order = []
    for _ in range(5):
        press(window, Key.Key_Tab)
        order.append(QApplication.focusWidget())
    assert order[:4] == [window.chips.chips[0], window.chips.add_button, window.list, window.pane.transcript]


def test_next_hit_moves_the_list_too(window: SearchWindow) -> None:
    ask(window)
    window.pane.head.after.click()
    wait_until(lambda: not window.pane._lane.busy)
    assert chosen(window) == "m-22"
    assert window.pane.head.hits.text() == "Hit 2 of 2"
    assert not window.pane.head.after.isEnabled()


def test_an_error_is_said_and_goes_with_the_next_answer(window: SearchWindow, backend: samples.StaticBackend) -> None:
    def fail(name: str, _argument: object) -> None:
        if name == "search":
            raise KnownError("disk_full", "Disk full", "No room.")

    backend.before = fail
    window.bar.field.setText("anything")
    wait_until(lambda: bool(window.notice.words))
    assert window.notice.words == "The disk is full. Nothing more is read until there is room."
    backend.before = lambda _name, _argument: None
    ask(window, "again")
    assert window.notice.words == ""


# --- chips and the speaking line -------------------------------------------------------------------------------------
def test_what_was_understood_can_be_taken_out(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window)
    assert [(chip.facts.words, chip.facts.detail) for chip in window.chips.chips] == [("Last week", "23 – 29 Nov")]
    press(window, Key.Key_Tab)
    assert window.chips.chips[0].hasFocus()
    press(window, Key.Key_Delete)
    wait_until(lambda: len(backend.asked("search")) == 2)
    assert backend.asked("search")[-1].ignore_time
    assert window.bar.field.hasFocus()


def test_tab_opens_the_filters_by_hand(window: SearchWindow, backend: samples.StaticBackend) -> None:
    press(window, Key.Key_Tab)
    assert window.chips.isVisible()
    assert window.chips.add_button.hasFocus()
    menu = window.chips.build_menu()
    agents, projects, roles, times = (action.menu() for action in menu.actions())
    assert [action.text() for action in agents.actions()] == [
        "Claude Code", "DSH", "Codex", "WorkBuddy", "Kimi", "ZCode",
    ]  # fmt: skip
    assert len(projects.actions()) == 6
    agents.actions()[2].trigger()
    roles.actions()[0].trigger()
    times.actions()[3].trigger()
    ask(window)
    asked: SearchRequest = backend.asked("search")[-1]
    assert (asked.agent, asked.role, asked.since) == ("codex", "user", "2026-11-24")
    assert [chip.facts.words for chip in window.chips.chips] == ["Codex", "said by you", "since 24 Nov"]
    menu.deleteLater()


def test_operators_in_the_question_are_chips_that_edit_it(window: SearchWindow, backend: samples.StaticBackend) -> None:
    understood = msgspec.structs.replace(samples.answer().understood, filters={"agent": "codex"}, time=None)
    backend.answer = lambda _request: samples.answer(understood=understood)
    ask(window, 'retry agent:codex project:"my app"')
    (chip,) = window.chips.chips
    assert chip.accessibleName() == "Codex, remove"
    chip.click()
    assert window.bar.field.text() == 'retry project:"my app"'


def test_arrows_move_between_chips(window: SearchWindow, backend: samples.StaticBackend) -> None:
    window.flow.filters = {"agent": "codex", "project": "tide-api"}
    ask(window)
    press(window, Key.Key_Tab)
    press(window, Key.Key_Right)
    assert window.chips.chips[1].hasFocus()
    press(window, Key.Key_Right)
    press(window, Key.Key_Right)
    assert window.chips.add_button.hasFocus()
    press(window, Key.Key_Left)
    assert window.chips.chips[2].hasFocus()


def test_nothing_found_offers_the_one_filter_to_drop(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda request: samples.answer() if request.ignore_time else samples.nothing()
    ask(window)
    assert window.notice.words == "Nothing matches in that time."
    assert window.notice.link.text() == "Search all time"
    window.notice.link.click()
    wait_until(lambda: bool(window.flow.answer and window.flow.answer.sessions))
    assert chosen(window) == "m-20"
    assert window.notice.words == ""


def test_missing_words_are_said(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda _request: samples.answer(verdict="likely", reason_code="missing_words", missing=("redis",))
    ask(window)
    assert window.notice.words == "No passage has “redis”."


def test_words_only_says_why_and_leads_to_the_settings(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda _request: samples.answer(meaning="embedding_refused_key", meaning_note="In English.")
    ask(window)
    wanted: list[bool] = []
    window.meaningRequested.connect(lambda: wanted.append(True))
    assert window.notice.link.text() == "Open settings"
    window.notice.link.click()
    assert (window.notice.words, wanted) == ("Words only: the key was refused.", [True])


@pytest.mark.parametrize("meaning", ["off", "on", "late", "empty"])
def test_meaning_that_took_no_part_is_not_spoken_of(window: SearchWindow, backend: samples.StaticBackend, meaning: str) -> None:
    backend.answer = lambda _request: samples.answer(meaning=meaning, meaning_note="A note.")
    ask(window)
    assert window.notice.words == ""


def test_meaning_that_was_late_is_asked_once_more(window: SearchWindow, backend: samples.StaticBackend) -> None:
    window.flow._late.setInterval(20)
    backend.answer = lambda _request: samples.answer(meaning="late", meaning_note="Too late.")
    ask(window)
    press(window, Key.Key_Down)
    wait_until(lambda: len(backend.asked("search")) == 2)
    QTest.qWait(80)
    assert len(backend.asked("search")) == 2
    assert (chosen(window), window.notice.words) == ("m-22", "")
    window.bar.field.setText("something else")
    wait_until(lambda: len(backend.asked("search")) == 4)


def test_doubt_comes_before_words_only(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda _request: samples.answer(
        verdict="likely", reason_code="missing_words", missing=("redis",), meaning="embedding_unreachable"
    )
    ask(window)
    assert window.notice.words == "No passage has “redis”."


def test_progress_is_said_in_three_places(window: SearchWindow) -> None:
    ask(window)
    window.set_progress(Progress(phase="reading", done=214, total=812, eta_s=170.0))
    assert window.notice.words == "Still reading. What is in already can be found already."
    assert "214 of 812 sessions" in window.foot.text
    assert "about 3 min left" in window.foot.text
    window.set_progress(Progress(phase="reading", sessions=214))
    assert "Reading, 214 sessions so far" in window.foot.text
    window.set_progress(Progress(phase="idle"))
    assert (window.notice.words, "Updated 4 s ago" in window.foot.text) == ("", True)


def test_skipped_leads_to_index_health(window: SearchWindow) -> None:
    wanted: list[bool] = []
    window.healthRequested.connect(lambda: wanted.append(True))
    window.foot.skipped.click()
    assert wanted == [True]


def test_what_leaves_the_machine_is_named(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.state = samples.status(cloud=True)
    window.flow.refresh_status()
    wait_until(lambda: window.foot.text.startswith("Sends"))
    assert window.foot.text.startswith("Sends text to api.example.com")
    assert window.bar.leaves.accessibleName() == "Sends text to api.example.com"


# --- doubt -----------------------------------------------------------------------------------------------------------
def test_candidates_are_chosen_by_number(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda _request: samples.doubt()
    ask(window, "the font thing")
    assert window.right.currentWidget() is window.empty
    assert [row.kind for row in window.list.rows.rows] == ["doubt", *["candidate"] * 4, "choose"]
    press(window, Key.Key_2, ALT)
    wait_until(lambda: window.pane.view is not None)
    assert window.right.currentWidget() is window.pane
    assert backend.asked("show")[-1][:2] == ("c-2", "c-2-m")
    press(window, Key.Key_9, ALT)
    assert backend.asked("show")[-1][0] == "c-2"


def test_without_topics_the_chosen_candidate_is_read(window: SearchWindow, backend: samples.StaticBackend) -> None:
    answer = samples.doubt()
    assert answer.fallback_menu is not None
    menu = msgspec.structs.replace(answer.fallback_menu, days=())
    backend.answer = lambda _request: msgspec.structs.replace(answer, fallback_menu=menu)
    ask(window, "the font thing")
    wait_until(lambda: window.pane.view is not None)
    assert window.right.currentWidget() is window.pane
    assert backend.asked("show")[-1][:2] == ("c-1", "c-1-m")


def test_key_words_show_passages_with_the_doubt_above(window: SearchWindow, backend: samples.StaticBackend) -> None:
    doubt = msgspec.structs.replace(
        samples.doubt(),
        sessions=samples.answer().sessions,
        understood=Understood(query="font receipt", words=("font", "receipt")),
    )
    backend.answer = lambda _request: doubt
    ask(window, "font receipt")
    assert window.mode == "results"
    assert window.notice.words == "No passage matches well enough to be called the answer."


def test_none_of_these_shows_the_weak_passages(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda _request: msgspec.structs.replace(samples.doubt(), sessions=samples.answer().sessions)
    ask(window, "the font thing")
    assert window.list.rows.rows[-1].title == "None of these: look further"
    press(window, Key.Key_PageDown)
    press(window, Key.Key_Return)
    assert window.mode == "results"
    assert chosen(window) == "m-20"
    assert window.notice.words == "No passage matches well enough to be called the answer."


# --- taking things out -----------------------------------------------------------------------------------------------
def test_ctrl_c_copies_the_passage_with_its_citation(window: SearchWindow) -> None:
    ask(window)
    press(window, Key.Key_C, CTRL)
    assert copied() == (
        "We stopped retrying on 409 because the part is already stored: a second upload of the same part makes the checksum of "
        "the whole file fail.\n\n— Claude Code · tide-api · 2026-11-25 · “Upload worker drops the last part”\n"
        "  cd /home/lin/tide-api && claude --resume s-upload\n"
    )
    assert window.foot.text == "Nothing leaves this machine · Copied, with its citation"
    press(window, Key.Key_Down)
    assert "Copied" not in window.foot.text


def test_ctrl_c_copies_what_is_selected_in_the_field(window: SearchWindow) -> None:
    ask(window, "some words")
    window.bar.field.selectAll()
    press(window, Key.Key_C, CTRL)
    assert copied() == "some words"


def test_copies_for_the_chat_and_the_resume_command(window: SearchWindow, backend: samples.StaticBackend) -> None:
    ask(window)
    press(window, Key.Key_Return, CTRL)
    wait_until(lambda: "quotation" in window.foot.text)
    assert copied() == "fenced m-20 of s-upload\n"
    assert backend.asked("snippet") == [("s-upload", "m-20", True, "claude_code")]
    press(window, Key.Key_R, CTRL)
    assert copied() == "cd /home/lin/tide-api && claude --resume s-upload"
    assert window.bar.field.text() == "why did we stop retrying the upload last week"


def test_without_the_engine_the_passage_is_only_quoted(window: SearchWindow, backend: samples.StaticBackend) -> None:
    def refuse(name: str, _argument: object) -> None:
        if name == "snippet":
            raise UsageError("no_such_message", "No such message", "It is gone.")

    ask(window)
    backend.before = refuse
    press(window, Key.Key_Return, CTRL)
    wait_until(lambda: "quotation" in window.foot.text)
    assert copied().startswith("> We stopped retrying on 409")


def test_the_hand_over_of_the_chosen_project(window: SearchWindow) -> None:
    wanted: list[str] = []
    window.handoverRequested.connect(wanted.append)
    press(window, Key.Key_H, CTRL)
    ask(window)
    press(window, Key.Key_H, CTRL)
    window.pane.head.card.click()
    assert wanted[1:] == ["tide-api", "tide-api"] and wanted[0] != ""
    assert window.bar.field.text() == "why did we stop retrying the upload last week"


def test_a_recent_session_gives_its_resume_command(window: SearchWindow) -> None:
    press(window, Key.Key_Down)
    press(window, Key.Key_R, CTRL)
    assert copied() == "cd /home/lin/subtitle-forge && dsh resume r-2"


def test_nothing_to_copy_says_so(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.answer = lambda _request: samples.nothing()
    ask(window)
    press(window, Key.Key_C, CTRL)
    assert "Nothing is chosen to copy" in window.foot.text


def test_export_writes_the_whole_session(window: SearchWindow, backend: samples.StaticBackend, tmp_path: Path) -> None:
    view = backend.show("s-upload", first=0, limit=1000)
    window.copies.save(view, str(tmp_path / "out.md"))
    text = (tmp_path / "out.md").read_bytes()
    assert text.startswith(b"# Upload worker drops the last part\n")
    assert text.count(b"\n## ") == 38
    assert "Saved as out.md" in window.foot.text
    window.copies.save(view, str(tmp_path / "out.md" / "no.md"))
    assert "Not saved:" in window.foot.text


# --- keys and forms --------------------------------------------------------------------------------------------------
def test_typing_anywhere_goes_to_the_field(window: SearchWindow) -> None:
    ask(window, "retry")
    press(window, Key.Key_Return)
    assert window.pane.transcript.hasFocus()
    press(window, Key.Key_X)
    assert window.bar.field.hasFocus()
    assert window.bar.field.text() == "retryx"


def test_find_inside_goes_through_the_whole_session(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.messages = samples.conversation(total=500)
    ask(window)
    press(window, Key.Key_F, CTRL)
    assert window.pane.find_bar.field.hasFocus()
    QTest.keyClicks(window.pane.find_bar.field, "part 399")
    wait_until(lambda: window.pane.find_bar.count_text == "1 of 1")
    wait_until(lambda: window.pane.view is not None and window.pane.view.first > 300)
    assert any(section.is_hit and "m-399" in section.ids for section in window.pane.transcript.sections)
    press(window, Key.Key_Escape)
    assert not window.pane.find_bar.isVisible()
    assert window.isVisible()
    assert window.bar.field.text() != ""


def test_settings_and_keys(window: SearchWindow) -> None:
    wanted: list[bool] = []
    window.settingsRequested.connect(lambda: wanted.append(True))
    press(window, Key.Key_Comma, CTRL)
    assert wanted == [True]
    press(window, Key.Key_F1)
    assert window.overlay.isVisible()
    assert "Copy the resume command" in window.overlay.accessibleDescription()
    press(window, Key.Key_Escape)
    assert not window.overlay.isVisible()
    assert window.isVisible()
    assert window.bar.field.hasFocus()


def test_narrow_swaps_list_and_conversation(window: SearchWindow, app: QApplication) -> None:
    window.set_content_size(QSize(600, 640))
    ask(window)
    assert window.list.isVisible()
    assert not window.right.isVisible()
    assert not window.bar.count.isVisible()
    assert window.chips.count.text() == "5 passages"
    press(window, Key.Key_Right)
    assert window.pane.isVisible()
    assert not window.list.isVisible()
    press(window, Key.Key_Left)
    assert window.list.isVisible()
    assert window.bar.field.hasFocus()
    window.set_content_size(QSize(960, 640))
    app.processEvents()
    assert window.list.isVisible()
    assert window.right.isVisible()


def test_one_line_grows_downwards(app: QApplication, backend: samples.StaticBackend, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.toml")
    settings.set("general.window_form", "line")
    window = SearchWindow(backend, State(tmp_path / "state.json"), settings)
    window.present()
    app.processEvents()
    assert window.one_line
    assert window.content_size().height() == theme.current().size("query_row")
    corner, width = window.pos(), window.width()
    press(window, Key.Key_Down)
    assert not window.one_line
    assert (window.pos(), window.width()) == (corner, width)
    assert window.content_size().height() > 300
    window.dismiss()
    window.present()
    assert window.one_line
    QTest.keyClicks(window.bar.field, "r")
    assert not window.one_line
    window.shut_down()
    window.deleteLater()


def test_esc_clears_then_hides_and_toggle_brings_it_back(window: SearchWindow) -> None:
    gone: list[bool] = []
    window.dismissed.connect(lambda: gone.append(True))
    window.flow.filters = {"agent": "codex"}
    ask(window)
    press(window, Key.Key_Escape)
    assert window.isVisible()
    assert (window.bar.field.text(), window.flow.filters) == ("", {})
    press(window, Key.Key_Escape)
    assert (window.isVisible(), gone) == (False, [True])
    window.toggle()
    assert window.isVisible()
    assert window.focusWidget() is window.bar.field


def test_toggle_hides_the_window_that_has_the_keyboard(window: SearchWindow) -> None:
    assert window.isActiveWindow()
    window.toggle()
    assert not window.isVisible()


def test_the_size_is_kept_for_the_screen(app: QApplication, backend: samples.StaticBackend, tmp_path: Path) -> None:
    state = State(tmp_path / "state.json")
    for expected in (None, QSize(700, 500)):
        window = SearchWindow(backend, state)
        window.present()
        if expected is None:
            window.set_content_size(QSize(700, 500))
        else:
            assert window.content_size() == expected
        window.dismiss()
        window.shut_down()
        window.deleteLater()


def test_language_changes_without_a_restart(window: SearchWindow, app: QApplication) -> None:
    ask(window)
    i18n.install(app, "zh_CN")
    app.processEvents()
    assert window.bar.field.placeholderText() == "想找哪段对话？"
    assert window.foot.text == "内容不离开本机 · 812 个会话，12,345 段 · 跳过 3 · 4 秒前更新 · 语义搜索已关闭"
    assert window.list.rows.rows[0].age == "5 天前"
    assert window.pane.head.hits.text() == "第 1 / 2 处"
    assert window.pane.transcript.toPlainText().count("你") > 0


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_control_is_named(window: SearchWindow, app: QApplication, name: str) -> None:
    theme.apply(app, name)
    ask(window)
    nameless = [
        part
        for kind in (QAbstractButton, QAbstractItemView, QLineEdit, QTextBrowser)
        for part in window.findChildren(kind)
        if part.isVisible() and not (part.accessibleName() or (isinstance(part, QAbstractButton) and part.text()))
    ]
    assert nameless == []
    assert not window.grab().isNull()


def test_hides_when_another_window_takes_over_if_asked_to(
    app: QApplication, backend: samples.StaticBackend, tmp_path: Path
) -> None:
    settings = Settings(tmp_path / "settings.toml")
    other = QWidget()
    for wanted in (False, True):
        settings.set("general.hide_on_blur", wanted)
        window = SearchWindow(backend, None, settings)
        window.present()
        wait_until(window.isActiveWindow)
        other.show()
        other.activateWindow()
        wait_until(other.isActiveWindow)
        assert window.isVisible() is not wanted
        window.shut_down()
        window.deleteLater()
        other.hide()
    other.deleteLater()


def test_edges_resize_and_the_middle_does_not(window: SearchWindow) -> None:
    area = window.body.geometry()
    assert window.edges_at(QPoint(area.right() + 2, area.center().y())) == Qt.Edge.RightEdge
    assert window.edges_at(QPoint(area.left(), area.bottom())) == Qt.Edge.LeftEdge | Qt.Edge.BottomEdge
    assert window.edges_at(area.center()) == Qt.Edge(0)
    assert window.edges_at(QPoint(2, 2)) == Qt.Edge(0)


def test_without_a_compositor_the_window_is_opaque(app: QApplication, backend: samples.StaticBackend) -> None:
    window = SearchWindow(backend, composited=False)
    window.present()
    app.processEvents()
    shot = window.grab().toImage()
    ratio = shot.devicePixelRatio()
    assert not window.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert shot.pixelColor(0, int(100 * ratio)) == theme.current()["control"]
    assert window.corner() == 0
    window.shut_down()
    window.deleteLater()
