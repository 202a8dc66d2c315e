"""The four steps of first run: what it does, which sources, how far back, key and login.

Owns what stands in each; the window around them and what is done with the answers are `first_run`'s.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from tray_app.records import SourceView, Status
from tray_app.ui import theme
from tray_app.ui.controls import Glyph, Hairline, Label, QuietButton, Radio, Switch
from tray_app.ui.hotkey.manager import HotkeyState
from tray_app.ui.hotkey_texts import HotkeyTexts
from tray_app.ui.key_recorder import KeyRecorder
from tray_app.ui.reading_cost import CostTexts, estimate
from tray_app.ui.settings_general import StateLine
from tray_app.ui.settings_rows import SettingRow
from tray_app.ui.source_rows import SourceTick, texts

DAYS = (0, 365, 90, 30)


class Step(QWidget):
    def __init__(self) -> None:
        super().__init__()
        now = theme.current()
        self.column = QVBoxLayout(self)
        # 4 px at each side keep focus rings whole; with them, text stands at the window's own 40.
        self.column.setContentsMargins(now.px(36), 0, now.px(36), now.px(8))
        self.column.setSpacing(0)

    def line(self) -> None:
        self.column.addWidget(Hairline(self))

    def title(self) -> str:
        raise NotImplementedError

    def sentence(self) -> str:
        raise NotImplementedError

    def retranslate(self) -> None:
        raise NotImplementedError


class WhatStep(Step):
    GLYPHS = ("search", "sources", "lock", "privacy")

    def __init__(self) -> None:
        super().__init__()
        now = theme.current()
        self._labels: list[Label] = []
        for glyph in self.GLYPHS:
            self.line()
            row = QHBoxLayout()
            row.setContentsMargins(now.px(4), now.px(12), now.px(4), now.px(12))
            row.setSpacing(now.px(16))
            label = Label("", "body", "text", self, wrap=True)
            row.addWidget(Glyph(glyph, 16, "text2", self), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(label, 1)
            self._labels.append(label)
            self.column.addLayout(row)
        self.line()
        self.column.addStretch(1)

    def title(self) -> str:
        return self.tr("Find what was said")

    def sentence(self) -> str:
        return self.tr("Everything you and your coding agents ever said on this machine, in one search.")

    def retranslate(self) -> None:
        sentences = (
            self.tr("Type what you remember. You get the passage, and the whole conversation around it."),
            self.tr("Sessions of your agents are read where they lie. Nothing is ever written to them."),
            self.tr("All of it stays on this machine. Nothing is sent anywhere."),
            self.tr("Keys and passwords are replaced before anything is stored."),
        )
        for label, sentence in zip(self._labels, sentences, strict=True):
            label.setText(sentence)


class SourcesStep(Step):
    chosenChanged = Signal()
    addWanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        now = theme.current()
        self._ticks: list[SourceTick] = []
        self._known: list[SourceView] = []
        self._loaded = False
        self.line()
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self.column.addLayout(self._list)
        self._note = Label("", "body", "text2", self, wrap=True)
        self._note.setContentsMargins(now.px(4), now.px(12), now.px(4), now.px(12))
        self.column.addWidget(self._note)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, now.px(8), now.px(4), now.px(8))
        self.add = QuietButton("", self, glyph="plus", flush=True)
        self.sum = Label("", "row_strong", "text", self)
        foot.addWidget(self.add)
        foot.addStretch(1)
        foot.addWidget(self.sum)
        self.column.addLayout(foot)
        self.column.addStretch(1)
        self.add.clicked.connect(self.addWanted)

    def title(self) -> str:
        return self.tr("What may Backscroll read?")

    def sentence(self) -> str:
        return self.tr("These were found on this machine. Only ticked ones are read, and nothing is ever written to them.")

    def set_sources(self, sources: list[SourceView]) -> None:
        """Show what was found; new ones are ticked, the others keep their tick."""
        before = {tick.source.id: tick.isChecked() for tick in self._ticks}
        self._known, self._loaded = list(sources), True
        while item := self._list.takeAt(0):
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._ticks = []
        for source in sources:
            if not source.found:
                continue
            tick = SourceTick(source)
            tick.setChecked(before.get(source.id, True))
            tick.toggled.connect(self._changed)
            self._list.addWidget(tick)
            self._list.addWidget(Hairline())
            self._ticks.append(tick)
        self._changed()

    def agents(self) -> list[str]:
        return list(dict.fromkeys(source.agent for source in self._known))

    def chosen_views(self) -> list[SourceView]:
        return [tick.source for tick in self._ticks if tick.isChecked()]

    def chosen(self) -> tuple[str, ...]:
        return tuple(source.id for source in self.chosen_views())

    def known(self) -> list[SourceView]:
        return list(self._known)

    def retranslate(self) -> None:
        self.add.setText(self.tr("Add a folder…"))
        self._changed()

    def _changed(self) -> None:
        self.sum.setText(texts.sum(self.chosen_views()) if self._ticks else "")
        nothing = self.tr("No sessions were found. Add a folder, or go on: they show up by themselves once an agent is used.")
        self._note.setText(nothing if self._loaded else self.tr("Looking for sessions…"))
        self._note.setVisible(not self._ticks)
        self.chosenChanged.emit()


class TimeStep(Step):
    def __init__(self) -> None:
        super().__init__()
        now = theme.current()
        self._sources: list[SourceView] = []
        self._status: Status | None = None
        self._window = 0
        self._most: int | None = None
        self._speed: float | None = None
        self._group = QButtonGroup(self)
        self._radios: dict[int, Radio] = {}
        self._words: dict[int, Label] = {}
        for days in DAYS:
            self.line()
            row = QHBoxLayout()
            row.setContentsMargins(now.px(4), now.px(11), now.px(4), now.px(11))
            row.setSpacing(now.px(16))
            radio = Radio("", self)
            radio.setMinimumWidth(now.px(150))
            words = Label("", "detail", "text2", self, wrap=True)
            row.addWidget(radio)
            row.addWidget(words, 1)
            self._group.addButton(radio, days)
            self._radios[days], self._words[days] = radio, words
            self.column.addLayout(row)
        self.line()
        self.cost = Label("", "body", "text", self, wrap=True)
        self.cost.setContentsMargins(now.px(4), now.px(16), now.px(4), 0)
        self.column.addWidget(self.cost)
        self.column.addStretch(1)
        self._radios[0].setChecked(True)
        self._group.idToggled.connect(lambda _days, _on: self._tell())

    def title(self) -> str:
        return self.tr("How far back?")

    def sentence(self) -> str:
        return self.tr("It can be changed later; what is older is then read, or left out.")

    def days(self) -> int:
        return self._group.checkedId()

    def set_sources(self, sources: list[SourceView]) -> None:
        self._sources = sources
        self._tell()

    def set_figures(self, status: Status, window: int, most: int, speed: float | None) -> None:
        """What an index that is there already tells, read `window` days back; `most` passages are kept; the speed is in bytes
        a second."""
        self._status, self._window, self._most, self._speed = status, window, most, speed
        self._tell()

    def retranslate(self) -> None:
        for days, name, words in (
            (0, self.tr("Everything"), self.tr("All sessions that are there.")),
            (365, self.tr("One year"), self.tr("Older ones are not read.")),
            (90, self.tr("90 days"), self.tr("Older ones are not read.")),
            (30, self.tr("30 days"), self.tr("The least, for a first look.")),
        ):
            self._radios[days].setText(name)
            self._radios[days].setAccessibleDescription(words)
            self._radios[days].updateGeometry()
            self._words[days].setText(words)
        self._tell()

    def _tell(self) -> None:
        cost = estimate(self.days(), self._sources, self._status, window=self._window, most=self._most, speed=self._speed)
        self.cost.setText(CostTexts().sentence(cost))


class KeyStep(Step):
    keyWanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        now = theme.current()
        self._state = HotkeyState("unset")
        self._texts = HotkeyTexts()
        self.key = KeyRecorder()
        self.key_state = StateLine()
        self.login = Switch()
        self.key_row = SettingRow(self.key, below=self.key_state)
        self.login_row = SettingRow(self.login)
        for row in (self.key_row, self.login_row):
            self.line()
            row.setContentsMargins(now.px(4), 0, 0, 0)
            self.column.addWidget(row)
        self.line()
        self.column.addStretch(1)
        self.key.recorded.connect(self.keyWanted)

    def title(self) -> str:
        return self.tr("One key to find it")

    def sentence(self) -> str:
        return self.tr("Then the search window opens, and what is read already can be found already.")

    def set_hotkey(self, state: HotkeyState) -> None:
        self._state = state
        self.key.set_key(state.text or (state.wanted if state.name == "waiting" else ""))
        self.key.setEnabled(not state.fixed and state.name != "unsupported")
        self.key_state.say(self._texts.sentence(state), warning=self._texts.needs_a_look(state))

    def retranslate(self) -> None:
        self.key_row.set_texts(self.tr("Hotkey"), self.tr("Opens and hides the search window from anywhere."))
        self.login_row.set_texts(
            self.tr("Start at login"), self.tr("Starts in the background, so that the index is up to date.")
        )
        self.set_hotkey(self._state)
