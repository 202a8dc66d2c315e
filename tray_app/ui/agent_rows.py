"""One agent as a row of the settings: where it is, what of ours is in its configs, one button, and what came of it.

Owns how it is written; what the buttons do is the page's.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from tray_app.agents.install import State
from tray_app.paths import shorten
from tray_app.ui import theme, wording
from tray_app.ui.agent_texts import texts
from tray_app.ui.controls import ElidedLabel, Glyph, Label, LinkButton, PlainButton, QuietButton
from tray_app.ui.meaning_rows import at_first_line


class AgentRow(QWidget):
    """At least 60 px: mark, name, folder and parts, the buttons; under them a problem or what was done, where there is one."""

    wanted = Signal(str)
    """The main button: the agent's key. Whether it puts in or takes out, its state says."""
    asked = Signal(str)
    """What the main button would change."""
    more = Signal(str)
    """Put in what is missing, or bring up to date."""

    def __init__(self, state: State, parent: QWidget | None = None, *, said: str = "", failed: bool = False) -> None:
        super().__init__(parent)
        now = theme.current()
        self.state = state
        agent = state.client.key
        there = bool(state.there)
        called = wording.agent_name(agent)
        self.ask = QuietButton(self.tr("What will change…"), self)
        self.act = PlainButton("", self)
        hints = []
        for word in (self.tr("Install"), self.tr("Remove")):
            self.act.setText(word)
            hints.append(self.act.sizeHint().width())
        self.act.setText(self.tr("Remove") if there else self.tr("Install"))
        self.act.setMinimumWidth(max(hints))
        self.add = LinkButton(self.tr("Update…") if state.stale else self.tr("Add more…"), self)
        for button, signal in ((self.ask, self.asked), (self.act, self.wanted), (self.add, self.more)):
            button.setAccessibleName(self.tr("{agent}: {action}").format(agent=called, action=button.text()))
            button.setAccessibleDescription(texts.standing(state))
            button.clicked.connect(lambda _on, signal=signal: signal.emit(agent))
        self.add.setVisible(there and (state.stale or bool(state.lacking)))

        under = QHBoxLayout()
        under.setSpacing(now.px(12))
        path = ElidedLabel(shorten(state.folder or ""), "code", "text2", self, Qt.TextElideMode.ElideMiddle)
        path.setMaximumWidth(path.sizeHint().width())
        under.addWidget(path, 100)  # all of it before any of the room behind
        self.standing = Label(texts.standing(state), "detail", "text2" if there else "text3", self)
        under.addWidget(self.standing)
        under.addStretch(1)

        grid = QGridLayout(self)
        grid.setContentsMargins(0, now.px(9), now.px(4), now.px(9))
        grid.setHorizontalSpacing(now.px(12))
        grid.setVerticalSpacing(now.px(2))
        grid.addWidget(Glyph(agent, 16, "text", self, agent=True), 0, 0)
        grid.addWidget(Label(called, "row_strong", "text", self), 0, 1)
        grid.addLayout(under, 1, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(now.px(4))
        buttons.addWidget(self.add)
        buttons.addWidget(self.ask)
        buttons.addWidget(self.act)
        grid.addLayout(buttons, 0, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(1, 1)
        self.said = Label(said or texts.problem(state), "detail", "text", self, wrap=True)
        if self.said.text():
            line = QHBoxLayout()
            line.setSpacing(now.px(8))
            line.setContentsMargins(0, now.px(3), 0, 0)
            good = bool(said) and not failed
            mark = Glyph("check" if good else "warn", 14, "accent" if good else "warn", self)
            line.addLayout(at_first_line(mark, "detail"))
            line.addWidget(self.said, 1)
            grid.addLayout(line, 2, 1, 1, 2)
        else:
            self.said.hide()
        self.setMinimumHeight(now.size("source_row"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def set_busy(self, busy: bool) -> None:
        for button in (self.ask, self.act, self.add):
            button.setEnabled(not busy)
