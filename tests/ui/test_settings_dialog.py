"""The settings: what a change does, what is said first, keys and names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from surroundings import Login, SettledBackend

from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.ui import i18n, settings_general
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.folder_dialog import FolderDialog
from tray_app.ui.hotkey.manager import HotkeyState
from tray_app.ui.settings_dialog import PAGES, SettingsDialog
from tray_app.ui.source_rows import SourceRow
from tray_app.ui.tasks import Tasks


@pytest.fixture
def settled() -> SettledBackend:
    return SettledBackend()


@pytest.fixture
def login() -> Login:
    return Login()


@pytest.fixture
def dialog(app: QApplication, qtbot: QtBot, settled: SettledBackend, login: Login, tmp_path: Path) -> Iterator[SettingsDialog]:
    tasks = Tasks()
    made = SettingsDialog(settled, tasks, Paths.from_environment({"BACKSCROLL_HOME": str(tmp_path)}), login)
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: len(made.findChildren(SourceRow)) == 5 and settled.asked("status") != [])
    qtbot.waitUntil(lambda: made.index.megabytes_field.value() == 16)
    yield made
    tasks.close()


def rows(dialog: SettingsDialog) -> dict[str, SourceRow]:
    return {row.source.id: row for row in dialog.findChildren(SourceRow) if not row.isHidden()}


def test_pages_by_key(dialog: SettingsDialog) -> None:
    for number, name in enumerate(PAGES):
        QTest.keyClick(dialog, Qt.Key(Qt.Key.Key_1.value + number), Qt.KeyboardModifier.ControlModifier)
        assert dialog.stack.currentWidget() is dialog.pages[name]
    names = [dialog.side.item(row).text() for row in range(dialog.side.count())]
    assert names == ["General", "Sources", "Privacy", "Index", "Meaning", "Agents", "Advanced"]


def test_a_choice_holds_at_once(dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot) -> None:
    choice = dialog.general.theme
    with qtbot.waitSignal(dialog.settingChanged) as kept:
        choice.setCurrentIndex(choice.findData("dark"))
        choice.activated.emit(choice.currentIndex())
    assert kept.args == ["general.theme", "dark"]
    assert settled.real["general.theme"] == "dark"


def test_pasting_is_offered_where_it_can_be(
    dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot, login: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dialog.general.paste_row.isHidden()
    monkeypatch.setattr(settings_general, "possible", lambda: True)
    tasks = Tasks()
    page = settings_general.GeneralPage(login, tasks)
    qtbot.addWidget(page)
    assert not page.paste_row.isHidden()
    page.changed.connect(dialog.keep)
    page.paste.click()
    qtbot.waitUntil(lambda: settled.real["general.paste"] is True)
    tasks.close()


def test_a_change_that_cannot_be_kept_is_told_and_taken_back(
    dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot
) -> None:
    def refuse(name: str, argument: Any) -> None:
        if name == "set_config":
            raise KnownError("settings_unwritable", "Settings not saved", "No.", "")

    settled.before = refuse
    dialog.general.blur.click()
    qtbot.waitUntil(lambda: dialog.fault.isVisible())
    assert dialog.fault.words.text() == "The settings file cannot be written. The change holds until you quit."
    qtbot.waitUntil(lambda: not dialog.general.blur.isChecked())


def test_login_is_read_from_the_system(dialog: SettingsDialog, login: Login, qtbot: QtBot) -> None:
    assert not dialog.general.login.isChecked()
    dialog.general.login.click()
    qtbot.waitUntil(lambda: login.on)
    login.on = False
    dialog.load()
    qtbot.waitUntil(lambda: not dialog.general.login.isChecked())


def test_login_that_the_system_refuses(dialog: SettingsDialog, login: Login, qtbot: QtBot) -> None:
    login.fault = KnownError("autostart_failed", "Not changed", "The folder cannot be written.", "Change it elsewhere.")
    dialog.general.login.click()
    qtbot.waitUntil(lambda: not dialog.general.login_state.isHidden())
    assert dialog.general.login_state.words.text() == "The folder cannot be written. Change it elsewhere."
    assert not dialog.general.login.isChecked()


@pytest.mark.parametrize(
    ("state", "sentence", "enabled", "key"),
    [
        (HotkeyState("active", "Ctrl+Alt+Space", "Ctrl+Alt+Space"), "Active.", True, "Ctrl + Alt + Space"),
        (HotkeyState("taken", "", "Ctrl+Alt+X", "taken"), "Ctrl+Alt+X is taken by another program.", True, "None"),
        (
            HotkeyState("active", "Ctrl+Alt+Space", "Ctrl+Alt+X", "taken"),
            "Ctrl+Alt+X is taken by another program. Ctrl+Alt+Space stays active.",
            True,
            "Ctrl + Alt + Space",
        ),
        (
            HotkeyState("unset"),
            "No key is set. Bind “backscroll toggle” in the system's settings, or set one here.",
            True,
            "None",
        ),
        (
            HotkeyState("unsupported", "", "Ctrl+Alt+Space", "no_portal"),
            "This desktop gives programs no global key. Bind “backscroll toggle” to a key in the system's settings instead.",
            False,
            "None",
        ),
        (
            HotkeyState("active", "Super+B", "Ctrl+Alt+Space", fixed=True),
            "Active. The desktop decides which key it is; change it in the system's settings.",
            False,
            "Super + B",
        ),
    ],
)
def test_the_hotkeys_states(dialog: SettingsDialog, state: HotkeyState, sentence: str, enabled: bool, key: str) -> None:
    dialog.set_hotkey(state)
    assert dialog.general.key_state.words.text() == sentence
    assert dialog.general.key.isEnabled() is enabled
    assert dialog.general.key.text() == key


def test_recording_a_key(dialog: SettingsDialog, qtbot: QtBot) -> None:
    dialog.set_hotkey(HotkeyState("active", "Ctrl+Alt+Space", "Ctrl+Alt+Space"))
    key = dialog.general.key
    key.setFocus()
    QTest.keyClick(key, Qt.Key.Key_Space)
    assert key.recording and key.text() == "Press a key…"
    QTest.keyPress(key, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    assert key.recording
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    with qtbot.waitSignal(dialog.keyWanted) as wanted:
        QTest.keyClick(key, Qt.Key.Key_B, both)
    assert wanted.args == ["Ctrl+Alt+B"]
    assert not key.recording
    QTest.keyClick(key, Qt.Key.Key_Return)
    QTest.keyClick(key, Qt.Key.Key_Escape)
    assert not key.recording and dialog.isVisible()
    QTest.keyClick(key, Qt.Key.Key_Return)
    with qtbot.waitSignal(dialog.keyWanted) as wanted:
        QTest.keyClick(key, Qt.Key.Key_Backspace)
    assert wanted.args == [""]


def test_a_key_that_navigates_can_be_recorded(dialog: SettingsDialog, qtbot: QtBot) -> None:
    key = dialog.general.key
    key.start()
    with qtbot.waitSignal(dialog.keyWanted) as wanted:
        QTest.keyClick(key, Qt.Key.Key_Tab, Qt.KeyboardModifier.AltModifier)
    assert wanted.args == ["Alt+Tab"]
    key.start()
    with qtbot.waitSignal(dialog.keyWanted) as wanted:
        QTest.keyClick(key, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert wanted.args == ["Ctrl+1"]
    assert dialog.side.currentRow() == 0


def test_sources_are_listed_with_why_they_are_off(dialog: SettingsDialog) -> None:
    found = rows(dialog)
    assert list(found) == ["claude_code", "codex", "kimi", "memory", "codex:/archive"]
    assert found["kimi"].switch.accessibleName() == "Kimi, 26 sessions, 12.0 MB, Off: not ticked"
    assert found["claude_code"].switch.isChecked() and not found["kimi"].switch.isChecked()


def test_switching_a_source(dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.sourcesChanged):
        rows(dialog)["kimi"].switch.click()
    assert settled.asked("set_source") == [("kimi", True)]
    assert rows(dialog)["kimi"].switch.isChecked()


def test_a_switch_that_fails_goes_back(dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot) -> None:
    def refuse(name: str, argument: Any) -> None:
        if name == "set_source":
            raise KnownError("settings_unwritable", "Settings not saved", "No.", "")

    settled.before = refuse
    rows(dialog)["kimi"].switch.click()
    qtbot.waitUntil(lambda: dialog.fault.isVisible())
    qtbot.waitUntil(lambda: not rows(dialog)["kimi"].switch.isChecked())


def test_adding_and_removing_a_folder(
    dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FolderDialog, "ask", classmethod(lambda cls, agents, parent=None: ("dsh", "/old")))
    with qtbot.waitSignal(dialog.sourcesChanged):
        dialog.sources.add.click()
    assert "dsh:/old" in rows(dialog)
    with qtbot.waitSignal(dialog.sourcesChanged):
        rows(dialog)["dsh:/old"].removed.emit("dsh:/old")
    assert settled.asked("remove_folder") == ["dsh:/old"]
    assert "dsh:/old" not in rows(dialog)


def test_what_reads_everything_again_is_said_first(dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot) -> None:
    dialog.side.setCurrentRow(3)
    assert not dialog.index.strip.isVisible()
    field = dialog.index.days_field
    assert field.text() == "Everything"
    field.setValue(90)
    field.editingFinished.emit()
    assert dialog.index.strip.isVisible()
    assert settled.asked("set_config") == []
    dialog.index.strip.undo.click()
    assert (field.value(), dialog.index.strip.isVisible()) == (0, False)
    field.setValue(30)
    field.editingFinished.emit()
    dialog.index.megabytes_field.setValue(8)
    dialog.index.megabytes_field.editingFinished.emit()
    with qtbot.waitSignal(dialog.rereadWanted):
        dialog.index.strip.apply.click()
    assert settled.asked("set_config") == [("index.days", 30), ("index.file_megabytes", 8)]
    assert not dialog.index.strip.isVisible()


def test_excluded_files_are_edited_as_lines(dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot) -> None:
    dialog.side.setCurrentRow(2)
    lines = dialog.privacy.paths.lines
    before = settled.real["privacy.excluded_paths"]
    assert lines.values() == before
    lines.appendPlainText("  *.secret \n\n")
    with qtbot.waitSignal(dialog.rereadWanted):
        dialog.privacy.strip.apply.click()
    assert settled.real["privacy.excluded_paths"] == [*before, "*.secret"]


def test_the_sweep_holds_at_once(dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.settingChanged):
        dialog.index.sweep_field.setValue(5)
        dialog.index.sweep_field.editingFinished.emit()
    assert settled.real["index.sweep_minutes"] == 5
    assert not dialog.index.strip.isVisible()


@pytest.mark.parametrize("agreed", [True, False])
def test_clearing_asks_first(
    dialog: SettingsDialog, settled: SettledBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    asked: list[tuple[str, ...]] = []

    def ask(cls: type, parent: QWidget, *texts: str) -> bool:
        asked.append(texts)
        return agreed

    monkeypatch.setattr(ConfirmDialog, "ask", classmethod(ask))
    if agreed:
        with qtbot.waitSignal(dialog.cleared):
            dialog.privacy.clear.click()
    else:
        dialog.privacy.clear.click()
        qtbot.wait(50)
    assert len(asked) == 1
    title, text, keep, lose = asked[0]
    assert (title, keep, lose) == ("Clear the whole index?", "Keep it", "Clear index")
    assert text.startswith("12,345 passages in 812 sessions are removed from the index.")
    assert len(settled.asked("clear_index")) == (1 if agreed else 0)


def test_the_safe_answer_has_the_focus(app: QApplication, qtbot: QtBot) -> None:
    question = ConfirmDialog("Clear?", "All of it.", "Keep it", "Clear index")
    qtbot.addWidget(question)
    question.show()
    qtbot.waitUntil(lambda: question.keep.hasFocus())
    QTest.keyClick(question, Qt.Key.Key_Return)
    assert question.result() == ConfirmDialog.DialogCode.Rejected


def test_every_control_has_a_name(dialog: SettingsDialog) -> None:
    kinds = (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit)
    for page in dialog.pages.values():
        for widget in page.findChildren(QWidget):
            if isinstance(widget, kinds) and widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.parent() is not None:
                if isinstance(widget, QLineEdit) and widget.objectName() == "qt_spinbox_lineedit":
                    continue
                face = QAccessible.queryAccessibleInterface(widget)
                assert face.text(QAccessible.Text.Name) != "", widget


def test_the_language_changes_without_a_restart(dialog: SettingsDialog, app: QApplication) -> None:
    i18n.install(app, "zh_CN")
    QApplication.processEvents()
    assert dialog.general.language.itemText(2) == "简体中文"
    i18n.install(app, "en")
    QApplication.processEvents()
    assert dialog.windowTitle() == "Settings"


def test_what_a_window_of_days_costs_is_said_as_it_is_chosen(dialog: SettingsDialog) -> None:
    assert dialog.index.cost.text().startswith("About 7,400 passages, 128 MB on disk and 2 min of reading")
    dialog.index.days_field.setValue(30)
    assert dialog.index.cost.text().startswith("About 2,300 passages, 39.5 MB on disk and 1 min of reading")


def test_secrets_hidden_so_far_are_counted(dialog: SettingsDialog, settled: SettledBackend) -> None:
    assert dialog.privacy.redact.help.text() == "Keys and passwords are replaced before anything is stored."
    state = settled.status()
    dialog.privacy.set_status(msgspec.structs.replace(state, totals=msgspec.structs.replace(state.totals, redacted=1_204)))
    counted = "Keys and passwords are replaced before anything is stored. 1,204 are hidden so far."
    assert dialog.privacy.redact.help.text() == counted


def test_the_trial_follows_the_switch_before_it_is_agreed_to(dialog: SettingsDialog) -> None:
    trial = dialog.privacy.trial
    dialog.side.setCurrentRow(PAGES.index("privacy"))
    trial.given.setPlainText("password: hunter2hunter2")
    trial.look()
    assert trial.stored.toPlainText() == "password: [secret: password]"
    dialog.privacy.redact.control.click()  # type: ignore[attr-defined]
    assert trial.stored.toPlainText() == "password: hunter2hunter2"
    dialog.side.setCurrentRow(0)
    assert trial.given.toPlainText() == ""


def test_escape_closes(dialog: SettingsDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_folder_is_checked_before_it_is_taken(app: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    asking = FolderDialog(["claude_code", "codex"])
    qtbot.addWidget(asking)
    asking.show()
    for text, says in (
        ("", "Choose a folder first."),
        ("sessions", "Write the whole path, from the beginning."),
        (str(tmp_path / "none"), "There is no such folder."),
    ):
        asking.path.setText(text)
        asking.add.click()
        assert asking.fault.text() == says
        assert asking.path.accessibleDescription() == says
    asking.path.setText(str(tmp_path))
    asking.add.click()
    assert asking.result() == FolderDialog.DialogCode.Accepted
    assert asking.agent.value() == "claude_code"
