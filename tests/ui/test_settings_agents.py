"""The page Agents: nothing is written unasked, what is shown is what is done, and every outcome is told in the row."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from surroundings import Login, SettledBackend
from test_accessibility import as_read, by_tab, nameless
from waiting import wait_until

from tray_app.agents.install import CLIENTS, ConfigFault, Plan, State, apply, plan, program, state
from tray_app.errors import KnownError
from tray_app.paths import Paths, SourcesHome
from tray_app.ui import i18n, theme, wording
from tray_app.ui.agent_change import ChangeDialog
from tray_app.ui.agent_diff import ADDED, FILE, REMOVED
from tray_app.ui.agent_texts import texts
from tray_app.ui.settings_agents import AgentsPage
from tray_app.ui.settings_dialog import SettingsDialog
from tray_app.ui.tasks import Tasks

HERE = (".claude", ".codex", ".cursor")


@pytest.fixture
def paths(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """Three agents were used here."""
    for folder in HERE:
        (isolated / folder).mkdir()
    monkeypatch.setattr(program, "program", lambda: ["/opt/backscroll"])
    monkeypatch.setattr("tray_app.agents.install.clients.program", lambda: ["/opt/backscroll"])
    return Paths.from_environment().ensure()


@pytest.fixture
def tasks() -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


@pytest.fixture
def dialog(app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks) -> SettingsDialog:
    made = SettingsDialog(SettledBackend(), tasks, paths, Login())
    qtbot.addWidget(made)
    made.open("agents")
    wait_until(lambda: len(made.agents.rows_shown()) == len(HERE))
    return made


@pytest.fixture
def page(app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks) -> AgentsPage:
    """The page alone: the whole window takes longer."""
    made = AgentsPage(paths, tasks)
    qtbot.addWidget(made)
    made.resize(640, 600)
    made.show()
    made.activateWindow()
    wait_until(lambda: len(made.rows_shown()) == len(HERE))
    return made


def config(isolated: Path) -> Path:
    return isolated / ".cursor" / "mcp.json"


def tree(isolated: Path) -> dict[str, bytes]:
    files = (one for folder in HERE for one in (isolated / folder).rglob("*") if one.is_file())
    return {str(one.relative_to(isolated)): one.read_bytes() for one in (*files, *isolated.glob(".claude.json"))}


def said(page: AgentsPage, agent: str) -> str:
    return page.rows_shown()[agent].said.text()


def looked(page: AgentsPage) -> None:
    """Look anew, and wait until it is shown."""
    before = page._states
    page.look()
    wait_until(lambda: page._states is not before)


# --- what is there ------------------------------------------------------------------------------------------------------------
def test_a_row_for_each_agent_that_is_here(page: AgentsPage, isolated: Path) -> None:
    rows = page.rows_shown()
    assert list(rows) == ["claude_code", "codex", "cursor"]
    assert [row.act.text() for row in rows.values()] == ["Install"] * 3
    assert {row.standing.text() for row in rows.values()} == {"Not installed"}
    assert all(row.add.isHidden() and row.said.isHidden() for row in rows.values())
    labels = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert "~/.claude" in " ".join(label.accessibleName() or label.text() for label in page.findChildren(QLabel))
    assert (
        "Not found here: DSH, Kimi, Gemini CLI, Qwen Code, OpenCode. They will show up by themselves once they are used."
        in labels
    )
    assert tree(isolated) == {}


def test_without_any_agent_it_says_so(app: QApplication, qtbot: QtBot, isolated: Path, tasks: Tasks) -> None:
    made = AgentsPage(Paths.from_environment().ensure(), tasks)
    qtbot.addWidget(made)
    assert "Looking for agents…" in [label.text() for label in made.findChildren(QLabel)]
    made.show()
    wait_until(lambda: len(made._states) == len(CLIENTS))
    assert "No agent was found on this machine." in [label.text() for label in made.findChildren(QLabel) if label.isVisible()]


def test_names_keys_and_the_order_of_reading(dialog: SettingsDialog, paths: Paths) -> None:
    page = dialog.agents
    apply(paths, plan(paths, "codex"))
    looked(page)
    assert nameless(dialog) == []
    order = by_tab(dialog)
    assert order[1:] == [name for name in as_read(dialog) if name != "Pages"]
    assert order[1:] == [
        "Claude Code: What will change…", "Claude Code: Install", "Codex: Add more…", "Codex: What will change…", "Codex: Remove",
        "Cursor: What will change…", "Cursor: Install", "Point new sessions to the pack", "Another client",
    ]  # fmt: skip
    assert page.rows_shown()["codex"].act.accessibleDescription() == "MCP server, hook"


# --- the button ---------------------------------------------------------------------------------------------------------------
def test_install_and_remove(page: AgentsPage, isolated: Path, paths: Paths) -> None:
    config(isolated).write_text('{"mcpServers": {}}')
    row = page.rows_shown()["cursor"]
    row.act.setFocus()
    QTest.keyClick(row.act, Qt.Key.Key_Space)
    assert not row.act.isEnabled()
    wait_until(lambda: page.rows_shown()["cursor"].act.text() == "Remove")
    assert json.loads(config(isolated).read_text())["mcpServers"]["backscroll"]["command"] == "/opt/backscroll"
    assert said(page, "cursor") == (
        "Put into ~/.cursor/mcp.json. How it was before is kept in ~/backscroll/data/backups/agents/cursor."
    )
    row = page.rows_shown()["cursor"]
    assert row.act.hasFocus() and row.standing.text() == "MCP server" and row.add.isHidden()
    row.act.click()
    wait_until(lambda: page.rows_shown()["cursor"].act.text() == "Install")
    assert config(isolated).read_text() == '{"mcpServers": {}}'
    assert said(page, "cursor").startswith("Taken out of ~/.cursor/mcp.json. ")


def test_what_has_to_be_known_is_said(page: AgentsPage) -> None:
    page.rows_shown()["codex"].act.click()
    wait_until(lambda: page.rows_shown()["codex"].act.text() == "Remove")
    assert said(page, "codex") == (
        "Put into ~/.codex/config.toml, ~/.codex/hooks.json. Codex runs a new hook only after you trusted it: it asks at its next start, "
        "or type /hooks. Older versions know no hooks."
    )
    assert page.rows_shown()["codex"].add.text() == "Add more…"


def test_every_note_of_an_agent_has_words_in_chinese(app: QApplication, paths: Paths, isolated: Path) -> None:
    i18n.install(app, "zh_CN")
    for agent in CLIENTS:
        for folder in CLIENTS[agent].folders(SourcesHome.from_environment()):
            folder.mkdir(parents=True, exist_ok=True)
        planned = plan(paths, agent)
        assert bool(planned.notes) == (agent in ("claude_code", "codex", "dsh", "kimi"))
        assert not {*texts.notes(planned)} & {*planned.notes}
    assert plan(paths, "codex", hooks=False).notes == plan(paths, "codex", remove=True).notes == []


def test_a_file_with_a_mistake_is_told_with_its_line(page: AgentsPage, isolated: Path) -> None:
    config(isolated).write_text('{\n  "a" 1\n}')
    looked(page)
    sentence = "~/.cursor/mcp.json, line 2: a mistake in the file. It was left as it is; mend it, and try again."
    assert said(page, "cursor") == sentence
    page.rows_shown()["cursor"].act.click()
    wait_until(lambda: page.rows_shown()["cursor"].act.isEnabled())
    assert said(page, "cursor") == sentence
    assert config(isolated).read_text() == '{\n  "a" 1\n}'


def test_a_page_that_is_opened_anew_says_what_is_true_now(page: AgentsPage, isolated: Path) -> None:
    page.rows_shown()["cursor"].act.click()
    wait_until(lambda: page.rows_shown()["cursor"].act.text() == "Remove")
    config(isolated).unlink()
    page.hide()
    page.show()
    wait_until(lambda: page.rows_shown()["cursor"].act.text() == "Install")
    assert page.rows_shown()["cursor"].said.isHidden()


# --- what will change ---------------------------------------------------------------------------------------------------------
def opened(qtbot: QtBot, paths: Paths, tasks: Tasks, agent: str, *, remove: bool = False) -> ChangeDialog:
    made = ChangeDialog(paths, tasks, state(paths, agent), remove=remove)
    qtbot.addWidget(made)
    made.show()
    wait_until(lambda: made.plan is not None)
    return made


def kinds(made: ChangeDialog) -> dict[str, list[str]]:
    return {kind: [line.text for line in made.lines._lines if line.kind == kind] for kind in (FILE, ADDED, REMOVED)}


def test_the_change_is_shown_and_nothing_is_done(
    app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks, isolated: Path
) -> None:
    config(isolated).write_text('{\n  "a": 1\n}\n')
    before = tree(isolated)
    made = opened(qtbot, paths, tasks, "cursor")
    shown = kinds(made)
    assert shown[FILE] == ["~/.cursor/mcp.json"] and shown[REMOVED] == ['  "a": 1']
    assert shown[ADDED][:3] == ['  "a": 1,', '  "mcpServers": {', '    "backscroll": {']
    text = made.lines.toPlainText().split("\n")
    assert text[:4] == ["~/.cursor/mcp.json", "  {", '-   "a": 1', '+   "a": 1,']
    assert made.agree.text() == "Install" and made.agree.isDefault() and made.agree.isEnabled()
    assert made.hook.isHidden() and made.instructions.isHidden()
    assert nameless(made) == []
    QTest.keyClick(made, Qt.Key.Key_Escape)
    assert not made.isVisible() and tree(isolated) == before


def test_parts_can_be_chosen(app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks) -> None:
    made = opened(qtbot, paths, tasks, "codex")
    assert (made.hook.isChecked(), made.instructions.isChecked()) == (True, False)
    assert kinds(made)[FILE] == ["~/.codex/config.toml (new file)", "~/.codex/hooks.json (new file)"]
    made.hook.click()
    made.instructions.click()
    assert made.plan is None and not made.agree.isEnabled()
    wait_until(lambda: made.plan is not None)
    assert kinds(made)[FILE] == ["~/.codex/config.toml (new file)", "~/.codex/AGENTS.md (new file)"]


def test_what_is_there_stays_ticked(app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks) -> None:
    apply(paths, plan(paths, "codex", hooks=False, instructions=True))
    made = opened(qtbot, paths, tasks, "codex")
    assert [(tick.isChecked(), tick.isEnabled()) for tick in (made.hook, made.instructions)] == [(False, True), (True, False)]
    assert made.agree.text() == "Update" and not made.agree.isEnabled()
    assert made.fault.text() == "Nothing is to be changed."
    made.hook.click()
    wait_until(lambda: made.plan is not None)
    assert kinds(made)[FILE] == ["~/.codex/hooks.json (new file)"] and made.agree.isEnabled() and made.fault.isHidden()


def test_removing_is_shown_too(app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks) -> None:
    apply(paths, plan(paths, "codex"))
    made = opened(qtbot, paths, tasks, "codex", remove=True)
    assert made.agree.text() == "Remove" and made.hook.isHidden()
    shown = kinds(made)
    assert sorted(shown[FILE]) == ["~/.codex/config.toml (the file goes)", "~/.codex/hooks.json (the file goes)"]
    assert shown[ADDED] == [] and "[mcp_servers.backscroll]" in shown[REMOVED]


def test_a_refusal_is_said_in_place(app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks, isolated: Path) -> None:
    config(isolated).write_text('{"mcpServers": {"backscroll": {"command": "other"}}}')
    made = ChangeDialog(paths, tasks, state(paths, "cursor"), remove=False)
    qtbot.addWidget(made)
    made.show()
    wait_until(made.fault.isVisible)
    assert made.fault.text() == (
        "~/.cursor/mcp.json, line 1: an entry called “backscroll” is there that is not this program. It was left."
    )
    assert not made.agree.isEnabled() and made.plan is None


def test_both_looks_have_the_colours_of_their_theme(app: QApplication, qtbot: QtBot, paths: Paths, tasks: Tasks) -> None:
    made = opened(qtbot, paths, tasks, "cursor")
    seen = []
    for look in ("light", "dark"):
        if look == "dark":
            theme.apply(app, look)
            QApplication.processEvents()
        block = made.lines.document().findBlockByNumber(1)
        assert block.text().startswith("+ ")
        seen.append(block.blockFormat().background().color())
        assert seen[-1] == theme.current()["sel"]
    assert seen[0] != seen[1]


def test_what_is_agreed_to_is_what_is_done(page: AgentsPage, isolated: Path, paths: Paths) -> None:
    def press() -> None:
        made = next(one for one in QApplication.topLevelWidgets() if isinstance(one, ChangeDialog) and one.isVisible())
        wait_until(lambda: made.plan is not None)
        made.agree.click()

    QTimer.singleShot(0, press)
    page.rows_shown()["cursor"].ask.click()
    wait_until(lambda: page.rows_shown()["cursor"].act.text() == "Remove")
    assert "backscroll" in config(isolated).read_text()


def test_what_was_seen_before_a_change_is_not_shown_after_it(page: AgentsPage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that is slow, a change that is quick: the row must not go back to how it was."""
    begun, free = threading.Event(), threading.Event()

    def slow(paths: Paths, agent: str) -> State:
        seen = state(paths, agent)
        if agent == "cursor" and not begun.is_set():
            begun.set()
            assert free.wait(60)
        return seen

    monkeypatch.setattr("tray_app.ui.settings_agents.state", slow)
    page.look()
    assert begun.wait(60)
    page.rows_shown()["cursor"].act.click()
    wait_until(lambda: page.rows_shown()["cursor"].act.text() == "Remove")
    before = page._states
    free.set()
    wait_until(lambda: page._states is not before)
    assert page.rows_shown()["cursor"].act.text() == "Remove"


def test_another_programs_change_between_is_not_written_over(
    page: AgentsPage, isolated: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    def agree(*_given: object, **_more: object) -> Plan:
        planned = plan(paths, "cursor")
        config(isolated).write_text('{"theirs": 1}')
        return planned

    monkeypatch.setattr(ChangeDialog, "ask", agree)
    page.rows_shown()["cursor"].ask.click()
    wait_until(lambda: said(page, "cursor") != "")
    assert said(page, "cursor") == "~/.cursor/mcp.json was changed by another program meanwhile. Try again."
    assert config(isolated).read_text() == '{"theirs": 1}'


def test_nothing_is_done_where_it_is_not_agreed_to(page: AgentsPage, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChangeDialog, "ask", lambda *given, **more: None)
    page.rows_shown()["cursor"].ask.click()
    assert page.rows_shown()["cursor"].act.isEnabled() and tree(isolated) == {}


def test_an_entry_of_a_program_that_moved_is_brought_up_to_date(
    page: AgentsPage, isolated: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    config(isolated).write_text(
        '{"mcpServers": {"backscroll": {"command": "/gone/backscroll", "args": ["mcp"], "disabled": true}}}'
    )
    looked(page)
    row = page.rows_shown()["cursor"]
    assert row.standing.text() == "MCP server (switched off there): out of date"
    assert (row.act.text(), row.add.text(), row.add.isVisible()) == ("Remove", "Update…", True)
    monkeypatch.setattr(ChangeDialog, "ask", lambda *given, remove, **more: None if remove else plan(paths, "cursor"))
    row.add.click()
    wait_until(lambda: said(page, "cursor") != "")
    entry = json.loads(config(isolated).read_text())["mcpServers"]["backscroll"]
    assert (entry["command"], entry["disabled"]) == ("/opt/backscroll", True)
    assert page.rows_shown()["cursor"].standing.text() == "MCP server (switched off there)"


# --- the rest of the page -----------------------------------------------------------------------------------------------------
def test_the_pointer_is_a_setting(dialog: SettingsDialog, qtbot: QtBot) -> None:
    page = dialog.agents
    wait_until(page.pointer.isChecked)
    with qtbot.waitSignal(dialog.settingChanged) as kept:
        page.pointer.click()
    assert kept.args == ["agents.pointer", False]


def test_the_entry_for_another_client_is_copied(page: AgentsPage) -> None:
    page.copy.click()
    wait_until(lambda: page.copy.text() == "Copied")
    assert json.loads(QApplication.clipboard().text())["mcpServers"]["backscroll"]["args"] == ["mcp"]
    page._copied.timeout.emit()
    assert page.copy.text() == "Copy entry"


def test_in_chinese(app: QApplication, page: AgentsPage, paths: Paths, isolated: Path) -> None:
    apply(paths, plan(paths, "codex"))
    config(isolated).write_text("{")
    i18n.install(app, "zh_CN")
    looked(page)
    assert page.rows_shown()["codex"].standing.text() == "MCP 服务、钩子"
    assert [row.act.text() for row in page.rows_shown().values()] == ["安装", "移除", "安装"]
    assert said(page, "cursor") == "~/.cursor/mcp.json 第 1 行：文件有错误，已保持原样。请修正后重试。"
    assert page.pointer_row.name.text() == "在新会话中提示上下文包"


def test_every_refusal_names_the_file_in_both_languages(app: QApplication, isolated: Path) -> None:
    codes = (
        "config_broken", "config_invalid", "config_taken", "config_unreadable", "config_foreign", "config_encoding",
        "config_readonly", "config_changed", "config_unwritable",
    )  # fmt: skip
    file = isolated / ".codex" / "config.toml"
    faults = {code: ConfigFault(code, file, "English.", "Do it by hand.", 7) for code in codes}
    english = {code: wording.error_text(fault) for code, fault in faults.items()}
    for code, said in english.items():
        assert said.startswith("~/.codex/config.toml, line 7") and "English." not in said, code
    i18n.install(app, "zh_CN")
    chinese = {code: wording.error_text(fault) for code, fault in faults.items()}
    for code, said in chinese.items():
        assert said.startswith("~/.codex/config.toml 第 7 行"), code
    assert len({*english.values()}) == len({*chinese.values()}) == len(codes)


def test_every_other_fault_has_words(app: QApplication) -> None:
    codes = ("agent_missing", "no_such_agent", "no_instructions", "no_mcp", "backup_failed")
    faults = {code: KnownError(code, "T", "English of the engine.", "Hint.") for code in codes}
    english = {code: wording.error_text(fault) for code, fault in faults.items()}
    assert "English of the engine. Hint." not in english.values()
    i18n.install(app, "zh_CN")
    for code, fault in faults.items():
        assert wording.error_text(fault) != english[code], code
