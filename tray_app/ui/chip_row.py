"""The row of chips: what was understood, which filters are set, and how to add one.

Owns the chips' keys (←→ between them, Delete removes) and the menu of filters. It says what the person wants; what that
means for the question is the window's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from tray_app.ui import icons, painting, theme, wording
from tray_app.ui.buttons import QuietButton
from tray_app.ui.elided import KeyCap, Label

GLYPHS = {"time": "day", "agent": "reply", "project": "project", "role": "you", "session": "history", "kind": "filter"}
ROLES = ("user", "assistant", "tool_call", "tool_result")


@dataclass(frozen=True)
class ChipFacts:
    """One chip. `key` is time, agent, project, role, …; `origin` is understood | query | filter."""

    key: str
    words: str
    detail: str = ""
    value: str = ""
    origin: str = "filter"


class Chip(QuietButton):
    """A chip with its x. Pressing it, or Delete, removes what it says."""

    removed = Signal(object)
    stepped = Signal(object, int)

    def __init__(self, facts: ChipFacts, parent: QWidget | None = None) -> None:
        super().__init__(facts.words, parent)
        self.facts = facts
        self.clicked.connect(lambda: self.removed.emit(self.facts))
        self.retranslate()

    def retranslate(self) -> None:
        what = f"{self.facts.words} {self.facts.detail}".strip()
        self.setAccessibleName(self.tr("{filter}, remove").format(filter=what))
        self.setToolTip(self.tr("Remove {filter}").format(filter=what))

    def sizeHint(self) -> QSize:
        now = theme.current()
        width = now.px(10 + 14 + 6 + 8 + 10 + 10) + painting.text_width(now, "detail", self.facts.words, 600)
        if self.facts.detail:
            width += painting.text_width(now, "detail", self.facts.detail) + now.px(6)
        return QSize(int(width) + 1, now.size("chip"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self.facts)
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(self, 1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        ground = now["track"] if self.isDown() or self._over else now["hover"]
        painting.fill_rounded(painter, QRectF(self.rect()), now.radii["control"], ground)
        side = now.px(14)
        middle = (self.height() - side) / 2
        top = (self.height() - now.face("detail").line) / 2
        x = float(now.px(10))
        if self.facts.key == "agent" and self.facts.value:
            icons.draw_mark(painter, self.facts.value, x, middle, side, now["text2"])
        else:
            icons.draw_glyph(painter, GLYPHS.get(self.facts.key, "filter"), x, middle, side, now["text2"])
        x += side + now.px(6)
        x += painting.draw_text(painter, x, top, "detail", self.facts.words, now["text"], weight=600)
        if self.facts.detail:
            painting.draw_text(painter, x + now.px(6), top, "detail", self.facts.detail, now["text2"])
        cross = now.px(10)
        icons.draw_glyph(painter, "close", self.width() - cross - now.px(8), (self.height() - cross) / 2, cross, now["text2"])


class ChipRow(QWidget):
    """The row of 40 px. Hidden while there is nothing to say, unless it was opened by hand."""

    removed = Signal(object)
    filter_chosen = Signal(str, str)
    """key (agent, project, role, since) and its value"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFixedHeight(now.size("chip_row"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(now.px(20), 0, now.px(16), 0)
        self._row.setSpacing(now.px(8))
        self._label = Label("", "detail", "text2")
        self._add = AddFilter()
        self._cap = KeyCap("Tab")
        self.count = Label("", "detail", "text2")
        self._row.addWidget(self._label)
        self._row.addWidget(self._add)
        self._row.addWidget(self._cap)
        self._row.addStretch(1)
        self._row.addWidget(self.count)
        self._chips: list[Chip] = []
        self._narrow = False
        self.after: QWidget | None = None
        """What comes before the chips in the order of focus."""
        self._agents: Sequence[str] = ()
        self._projects: Sequence[str] = ()
        self._today = date(2000, 1, 1)
        self._add.clicked.connect(self.open_menu)
        self._add.stepped.connect(self._step)
        self.retranslate()

    @property
    def facts(self) -> list[ChipFacts]:
        return [chip.facts for chip in self._chips]

    @property
    def add_button(self) -> QuietButton:
        return self._add

    @property
    def chips(self) -> list[Chip]:
        return list(self._chips)

    def set_chips(self, facts: Sequence[ChipFacts]) -> None:
        """Show these chips; a chip that stays the same keeps its focus."""
        if list(facts) == self.facts:
            return
        focused = next((chip.facts.key for chip in self._chips if chip.hasFocus()), "")
        for chip in self._chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for place, one in enumerate(facts):
            chip = Chip(one)
            chip.removed.connect(self.removed)
            chip.stepped.connect(self._step)
            self._row.insertWidget(1 + place, chip)
            self._chips.append(chip)
            if one.key == focused:
                chip.setFocus()
        self.set_narrow(self._narrow)
        before = self.after
        for stop in (*self._chips, self._add):
            if before is not None:
                QWidget.setTabOrder(before, stop)
            before = stop

    def set_choices(self, agents: Sequence[str], projects: Sequence[str], today: date) -> None:
        """What the filters' menu offers."""
        self._agents, self._projects, self._today = agents, projects, today

    def set_narrow(self, narrow: bool) -> None:
        """Under 700 px the count of passages stands here, and the words around the chips go."""
        self._narrow = narrow
        self.count.setVisible(narrow)
        self._cap.setVisible(not narrow)
        self._label.setVisible(not narrow and any(one.origin == "understood" for one in self.facts))

    def focus_first(self) -> None:
        (self._chips[0] if self._chips else self._add).setFocus(Qt.FocusReason.TabFocusReason)

    def retranslate(self) -> None:
        self._label.setText(self.tr("Understood"))
        self._add.setText(self.tr("Add filter"))
        self._add.setAccessibleName(self.tr("Add filter"))
        for chip in self._chips:
            chip.retranslate()

    def open_menu(self) -> None:
        """The menu of filters, under its button."""
        menu = self.build_menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setActiveAction(menu.actions()[0])
        menu.popup(self._add.mapToGlobal(QPoint(0, self._add.height() + 4)))

    def build_menu(self) -> QMenu:
        """Agents, projects, who spoke, and times, as sub-menus."""
        menu = QMenu(self)
        agents = menu.addMenu(self.tr("Agent"))
        for agent in self._agents:
            self._offer(agents, wording.agent_name(agent), "agent", agent)
        agents.setEnabled(bool(self._agents))
        projects = menu.addMenu(self.tr("Project"))
        for project in self._projects:
            self._offer(projects, project.replace("&", "&&"), "project", project)
        projects.setEnabled(bool(self._projects))
        roles = menu.addMenu(self.tr("Said by"))
        for role in ROLES:
            self._offer(roles, wording.filter_value("role", role), "role", role)
        times = menu.addMenu(self.tr("Time"))
        monday = self._today - timedelta(days=self._today.weekday())
        for words, first in (
            (self.tr("Today"), self._today),
            (self.tr("Since yesterday"), self._today - timedelta(days=1)),
            (self.tr("Since Monday"), monday),
            (self.tr("Last 7 days"), self._today - timedelta(days=6)),
            (self.tr("Last 30 days"), self._today - timedelta(days=29)),
            (self.tr("Last 90 days"), self._today - timedelta(days=89)),
            (self.tr("This year"), self._today.replace(month=1, day=1)),
        ):
            self._offer(times, words, "since", first.isoformat())
        return menu

    def _offer(self, menu: QMenu, words: str, key: str, value: str) -> None:
        menu.addAction(words).triggered.connect(lambda: self.filter_chosen.emit(key, value))

    def _step(self, chip: object, step: int) -> None:
        stops: list[QWidget] = [*self._chips, self._add]
        for place, stop in enumerate(stops):
            if stop is chip:
                stops[min(max(place + step, 0), len(stops) - 1)].setFocus(Qt.FocusReason.TabFocusReason)
                return

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


class AddFilter(QuietButton):
    """+ Add filter. ↓ and Enter open the menu, ← goes back to the chips."""

    stepped = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, glyph="plus")

    def sizeHint(self) -> QSize:
        now = theme.current()
        return QSize(int(painting.text_width(now, "detail", self.text()) + now.px(34)), now.size("chip"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        if self._over or self.isDown():
            painting.fill_rounded(
                painter, QRectF(self.rect()), now.radii["control"], now["track" if self.isDown() else "hover"]
            )
        side = now.px(14)
        icons.draw_glyph(painter, "plus", now.px(6), (self.height() - side) / 2, side, now["text2"])
        top = (self.height() - now.face("detail").line) / 2
        painting.draw_text(painter, now.px(26), top, "detail", self.text(), now["text2"])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Down):
            self.click()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(self, 1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)
