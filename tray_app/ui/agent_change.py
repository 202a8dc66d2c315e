"""What would change in an agent's configs, shown before anything is done; doing it is one button away.

Owns the window and the plan that it shows: what is agreed to is that very plan. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from tray_app.agents.install import Change, Plan, State, plan
from tray_app.errors import AppError
from tray_app.paths import Paths, shorten
from tray_app.ui import agent_diff, theme, wording
from tray_app.ui.agent_diff import ADDED, FILE, GAP, REMOVED, DiffLine
from tray_app.ui.agent_texts import texts
from tray_app.ui.controls import Glyph, Label, PrimaryButton, QuietButton, Tick
from tray_app.ui.meaning_rows import at_first_line
from tray_app.ui.tasks import Tasks

WIDTH, HEIGHT = 720, 520


class DiffText(QPlainTextEdit):
    """Lines of a change, to read and to copy from. Signs tell them apart, too."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._lines: tuple[DiffLine, ...] = ()
        self._look: theme.Theme | None = None

    def set_lines(self, lines: Sequence[DiffLine]) -> None:
        self._lines = tuple(lines)
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._look not in (None, theme.current()):
            self._write()  # giving it its font is such an event, too

    def _write(self) -> None:
        now = self._look = theme.current()
        self.setFont(now.font("code"))
        self.document().setDocumentMargin(now.px(8))
        self.clear()
        cursor = QTextCursor(self.document())
        for number, line in enumerate(self._lines):
            block, text = QTextBlockFormat(), QTextCharFormat()
            ink = {FILE: "text", ADDED: "sel_text", GAP: "text3"}.get(line.kind, "text2")
            text.setForeground(now[ink])
            text.setFontWeight(600 if line.kind == FILE else 400)
            if line.kind == ADDED:
                block.setBackground(now["sel"])
            elif line.kind == REMOVED:
                text.setForeground(now["text3"])
            if number:
                cursor.insertBlock()
            cursor.setBlockFormat(block)
            sign, words = line.shown[: len(line.shown) - len(line.text)], line.text
            blanks = len(words) - len(words.lstrip())
            cursor.insertText(sign + words[:blanks], text)
            text.setFontStrikeOut(line.kind == REMOVED)
            cursor.insertText(words[blanks:], text)
        self.moveCursor(QTextCursor.MoveOperation.Start)


class ChangeDialog(QDialog):
    """For one agent: put in, with a choice of parts, or take out. `plan` is what was agreed to."""

    def __init__(self, paths: Paths, tasks: Tasks, state: State, *, remove: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._paths, self._tasks, self._state, self._remove = paths, tasks, state, remove
        self._asked = 0
        self.plan: Plan | None = None
        called = wording.agent_name(state.client.key)
        title = self.tr("{agent}: what will change").format(agent=called)
        self.setWindowTitle(title)
        self.hook = Tick(self.tr("Hook: one line at the start of a session says where the project's pack is"), self)
        self.instructions = Tick(self.tr("Instructions: when to use which tool"), self)
        self.lines = DiffText(self)
        self.lines.setAccessibleName(title)
        self.fault_mark = Glyph("warn", 14, "warn", self)
        self.fault = Label("", "body", "text", self, wrap=True)
        self.cancel = QuietButton(self.tr("Cancel"), self)
        self.agree = PrimaryButton(self.tr("Remove") if remove else self.tr("Install"), self)
        if not remove and state.there:
            self.agree.setText(self.tr("Update"))
        self.agree.setDefault(True)
        self._choose()
        fault = QHBoxLayout()
        fault.setSpacing(now.px(8))
        fault.addLayout(at_first_line(self.fault_mark, "body"))
        fault.addWidget(self.fault, 1)
        foot = QHBoxLayout()
        foot.setSpacing(now.px(8))
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.agree)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(20), now.px(20), now.px(20), now.px(20))
        column.setSpacing(now.px(10))
        column.addWidget(Label(title, "title", "text", self))
        column.addWidget(Label(self._sentence(), "body", "text2", self, wrap=True))
        column.addWidget(self.hook)
        column.addWidget(self.instructions)
        column.addWidget(self.lines, 1)
        column.addLayout(fault)
        column.addLayout(foot)
        self.resize(now.px(WIDTH), now.px(HEIGHT))
        self._say(None)
        self.cancel.clicked.connect(self.reject)
        self.agree.clicked.connect(self.accept)
        self.hook.clicked.connect(self._look)
        self.instructions.clicked.connect(self._look)
        self._look()

    @classmethod
    def ask(cls, paths: Paths, tasks: Tasks, state: State, *, remove: bool, parent: QWidget | None = None) -> Plan | None:
        """The plan that the person agreed to, or None."""
        dialog = cls(paths, tasks, state, remove=remove, parent=parent)
        try:
            return dialog.plan if dialog.exec() == QDialog.DialogCode.Accepted else None
        finally:
            dialog.deleteLater()

    def _sentence(self) -> str:
        if self._remove:
            return self.tr("What Backscroll put in is taken out; all else stays as it is. A copy of each file is kept first.")
        return self.tr("Nothing is changed until you agree. All else stays as it is, and a copy of each file is kept first.")

    def _choose(self) -> None:
        """A part that is there stays; of what is not there, the hook alone comes by itself."""
        there = bool(self._state.there)
        for tick, has, usual in ((self.hook, self._state.hook, True), (self.instructions, self._state.instructions, False)):
            tick.setVisible(has is not None and not self._remove)
            tick.setChecked(bool(has) if there else usual and has is not None)
            tick.setEnabled(not has)

    def _look(self) -> None:
        """Ask what would change with what is ticked; an answer to what was ticked before is dropped."""
        self._asked += 1
        asked, hooks, instructions = self._asked, self.hook.isChecked(), self.instructions.isChecked()
        agent, remove = self._state.client.key, self._remove
        self.plan = None
        self.agree.setEnabled(False)

        def work() -> tuple[Plan, list[DiffLine]]:
            made = plan(self._paths, agent, remove=remove, hooks=hooks, instructions=instructions)
            return made, lines_of(made)

        def done(answer: tuple[Plan, list[DiffLine]]) -> None:
            if asked == self._asked:
                self._show(*answer)

        def failed(fault: AppError) -> None:
            if asked == self._asked:
                self.lines.set_lines(())
                self._say(wording.error_text(fault))

        self._tasks.run(self, work, done, failed)

    def _show(self, made: Plan, lines: list[DiffLine]) -> None:
        self.plan = made
        self.lines.set_lines(lines)
        self.agree.setEnabled(bool(made.changes))
        left = " ".join(texts.left_alone(one) for one in made.left)
        self._say(left or (None if made.changes else self.tr("Nothing is to be changed.")))

    def _say(self, sentence: str | None) -> None:
        self.fault.setText(sentence or "")
        for widget in (self.fault, self.fault_mark):
            widget.setVisible(bool(sentence))


def lines_of(made: Plan) -> list[DiffLine]:
    """All files of a plan, each under its path."""
    lines: list[DiffLine] = []
    for change in made.changes:
        if lines:
            lines.append(DiffLine(agent_diff.SAME, ""))
        lines += [DiffLine(FILE, _heading(change)), *agent_diff.lines_of(change.diff())]
    return lines


def _heading(change: Change) -> str:
    """The path, and whether the file is made or goes."""
    file = shorten(change.file)
    if change.original.raw is None:
        return QCoreApplication.translate("ChangeDialog", "{file} (new file)").format(file=file)
    if change.raw is None:
        return QCoreApplication.translate("ChangeDialog", "{file} (the file goes)").format(file=file)
    return file
