"""Settings, Agents: a row for each agent that Backscroll's server and hook can be put into; the pointer; any other client.

Nothing is written unasked, and all file work is done on a thread. What is done and what is wrong is told in the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tray_app.agents.install import CLIENTS, Plan, State, apply, plan, snippet, state
from tray_app.errors import AppError
from tray_app.paths import Paths
from tray_app.ui import clipboard, theme, wording
from tray_app.ui.agent_change import ChangeDialog
from tray_app.ui.agent_rows import AgentRow
from tray_app.ui.agent_texts import texts
from tray_app.ui.controls import Glyph, Hairline, Label, PlainButton, Switch
from tray_app.ui.settings_rows import Page, SettingRow
from tray_app.ui.tasks import Tasks

COPIED_MS = 2_000


class AgentsPage(Page):
    changed = Signal(str, object)
    """A setting that holds at once."""
    faulted = Signal(object)

    def __init__(self, paths: Paths, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paths, self._tasks = paths, tasks
        self._states: list[State] = []
        self._rows: dict[str, AgentRow] = {}
        self._loaded = False
        self._said: dict[str, tuple[str, bool]] = {}
        """What came of the last change of an agent, and whether it failed. Goes when the page is opened anew."""
        self._busy: set[str] = set()
        self._changes = 0
        """Beginnings and ends of changes: what was looked at across one may be older than what is shown."""
        self._focus: tuple[str, str] = ("", "")
        self.copy = PlainButton("", self, glyph="copy")
        self.copy.clicked.connect(self._copy)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(self._name_copy)
        box = QWidget()
        self._list = QVBoxLayout(box)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self.add_row(box, line=False)
        self.pointer = Switch()
        self.pointer.clicked.connect(lambda on: self.changed.emit("agents.pointer", on))
        self.pointer_row = SettingRow(self.pointer)
        self.add_row(self.pointer_row)
        self.copy_row = SettingRow(self.copy)
        self.add_row(self.copy_row)
        self.retranslate()

    # --- what is true ------------------------------------------------------------------------------------------------
    def load(self, values: Mapping[str, Any]) -> None:
        self.pointer.setChecked(bool(values["agents.pointer"]))

    def look(self) -> None:
        """Look into the agents' configs anew; what is known stays on show meanwhile."""
        paths, changes = self._paths, self._changes

        def done(states: list[State]) -> None:
            self._show(states) if changes == self._changes else self.look()

        self._tasks.run(self, lambda: [state(paths, agent) for agent in CLIENTS], done, self.faulted.emit)

    def rows_shown(self) -> dict[str, AgentRow]:
        """By the agent's key, from top to bottom."""
        return dict(self._rows)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Agents"))
        self.sentence.setText(
            self.tr(
                "Agents can search what was said and read a project's pack. Their configs are changed only when you say so."
            )
        )
        self._name_copy()
        self.copy_row.set_texts(
            self.tr("Another client"),
            self.tr("The entry as most clients take an MCP server, to be put into its config by hand."),
        )
        self.pointer_row.set_texts(
            self.tr("Point new sessions to the pack"),
            self.tr("One line at the first prompt of a session, where the hook is installed. Never the pack itself."),
        )
        self._show(self._states, loaded=self._loaded)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._said.clear()
        self.look()

    # --- what the person does ----------------------------------------------------------------------------------------
    def act(self, agent: str) -> None:
        """The main button: put in what is usual, or take all of it out."""
        remove = bool(self._state(agent).there)
        self._carry_out(agent, "act", lambda: plan(self._paths, agent, remove=remove))

    def ask(self, agent: str) -> None:
        """Show what the main button would change, and do it if that is agreed to."""
        self._agree(agent, "ask", remove=bool(self._state(agent).there))

    def add(self, agent: str) -> None:
        """Show what would be put in beside what is there, or brought up to date."""
        self._agree(agent, "add", remove=False)

    def _agree(self, agent: str, button: str, *, remove: bool) -> None:
        agreed = ChangeDialog.ask(self._paths, self._tasks, self._state(agent), remove=remove, parent=self.window())
        if agreed is not None:
            self._carry_out(agent, button, lambda: agreed)

    def _carry_out(self, agent: str, button: str, make: Callable[[], Plan]) -> None:
        """Do what is planned; then tell it in the row, with where the copies are, or why not."""
        paths = self._paths

        def work() -> tuple[Plan, list[Path], State]:
            planned = make()
            copies = apply(paths, planned) if planned.changes else []
            return planned, copies, state(paths, agent)

        def done(answer: tuple[Plan, list[Path], State]) -> None:
            planned, copies, new = answer
            self._end(agent, texts.done(planned, copies), failed=False)
            self._show([new if one.client.key == agent else one for one in self._states])

        def failed(fault: AppError) -> None:
            self._end(agent, wording.error_text(fault), failed=True)
            self._show(self._states)
            self.look()

        self._busy.add(agent)
        self._changes += 1
        self._focus = (agent, button)
        if agent in self._rows:  # its folder may have gone while it was asked about
            self._rows[agent].set_busy(True)
        self._tasks.run(self, work, done, failed)

    def _end(self, agent: str, said: str, *, failed: bool) -> None:
        self._busy.discard(agent)
        self._changes += 1
        self._said[agent] = (said, failed)

    def _copy(self) -> None:
        def done(text: str) -> None:
            if clipboard.put(text + "\n"):
                self.copy.setText(self.tr("Copied"))
                self.copy.set_glyph("check")
                self._copied.start()

        self._tasks.run(self, snippet, done, self.faulted.emit)

    # --- what is shown -----------------------------------------------------------------------------------------------
    def _state(self, agent: str) -> State:
        return next(one for one in self._states if one.client.key == agent)

    def _show(self, states: list[State], *, loaded: bool = True) -> None:
        self._states, self._loaded = list(states), loaded
        focused = self._focused()
        while (item := self._list.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        here = [one for one in self._states if one.folder is not None or one.there]
        self._rows = {one.client.key: self._row(one) for one in here}
        for row in self._rows.values():
            self._list.addWidget(row)
            self._list.addWidget(Hairline())
        for note in self._notes(here):
            self._list.addWidget(_note(note))
            self._list.addWidget(Hairline())
        for place in range(self._list.count()):
            if (item := self._list.itemAt(place)) is not None and (widget := item.widget()) is not None:
                widget.show()  # now, not when the loop comes round: what is not shown takes no focus
        self._order_tab()
        again = self._rows.get(focused[0])
        if again is not None and self.isVisible():
            button = getattr(again, focused[1])
            (button if button.isVisibleTo(again) else again.act).setFocus()

    def _order_tab(self) -> None:
        """Have Tab meet the rows before what stands under them, though they were made after it."""
        before: QWidget | None = self.pointer.previousInFocusChain()
        while before is not None and before is not self.pointer and not before.focusPolicy() & Qt.FocusPolicy.TabFocus:
            before = before.previousInFocusChain()
        for row in self._rows.values():
            for button in (row.add, row.ask, row.act):
                if before is not None:
                    QWidget.setTabOrder(before, button)
                before = button

    def _notes(self, here: list[State]) -> list[str]:
        """What is said of agents that are not here."""
        if not here:
            return [self.tr("No agent was found on this machine.") if self._loaded else self.tr("Looking for agents…")]
        absent = [wording.agent_name(one.client.key) for one in self._states if one not in here]
        if not absent:
            return []
        names = self.tr(", ", "between names").join(absent)
        return [self.tr("Not found here: {names}. They will show up by themselves once they are used.").format(names=names)]

    def _row(self, one: State) -> AgentRow:
        agent = one.client.key
        said, failed = self._said.get(agent, ("", False))
        row = AgentRow(one, said=said, failed=failed)
        row.wanted.connect(self.act)
        row.asked.connect(self.ask)
        row.more.connect(self.add)
        row.set_busy(agent in self._busy)
        return row

    def _focused(self) -> tuple[str, str]:
        """The agent and the name of its button that has the focus, or that had it when its work began."""
        for agent, row in self._rows.items():
            for name in ("ask", "act", "add"):
                if getattr(row, name).hasFocus():
                    return agent, name
        agent, name = self._focus
        if agent and agent not in self._busy:
            self._focus = ("", "")
        return agent, name

    def _name_copy(self) -> None:
        self.copy.setText(self.tr("Copy entry"))
        self.copy.set_glyph("copy")


def _note(text: str) -> QWidget:
    box = QWidget()
    line = QHBoxLayout(box)
    now = theme.current()
    line.setContentsMargins(0, now.px(14), 0, now.px(14))
    line.setSpacing(now.px(10))
    line.addWidget(Glyph("info", 14, "text2", box))
    line.addWidget(Label(text, "detail", "text2", box, wrap=True), 1)
    return box
