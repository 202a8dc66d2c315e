"""First run: four short steps, each of which can be skipped.

Owns the questions; the answers are the application's to carry out. Nothing is ticked or read before
the last step or `Skip` is chosen, but for a folder that the person adds by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from tray_app.records import SourceView, Status
from tray_app.service.backend import Backend
from tray_app.ui import painting, screen_place, theme, wording
from tray_app.ui.controls import Glyph, Hairline, Label, PlainButton, PrimaryButton, QuietButton
from tray_app.ui.first_run_steps import KeyStep, SourcesStep, Step, TimeStep, WhatStep
from tray_app.ui.folder_dialog import FolderDialog
from tray_app.ui.hotkey.manager import HotkeyState
from tray_app.ui.settings_rows import give_line
from tray_app.ui.tasks import Tasks


@dataclass(frozen=True)
class Choices:
    """What the person decided; None for a step that was skipped. `sources` are ids; `days` 0 means everything."""

    sources: tuple[str, ...] | None = None
    days: int | None = None
    login: bool | None = None


class Dashes(QWidget):
    """Four dashes, the steps done in the accent."""

    def __init__(self, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count, self._at = count, 0
        now = theme.current()
        self.setFixedSize(now.px(24) * count + now.px(4) * (count - 1), now.px(4))

    def set_step(self, number: int) -> None:
        self._at = number
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        for number in range(self._count):
            rect = QRectF(number * now.px(28), 0, now.px(24), self.height())
            painting.fill_rounded(painter, rect, now.radii["bar"], now["accent" if number <= self._at else "track"])


class FirstRun(QWidget):
    """640 × 592, fixed. Enter goes on, Esc skips."""

    finished = Signal(object)
    """Choices"""
    keyWanted = Signal(str)
    faulted = Signal(object)

    def __init__(self, backend: Backend, tasks: Tasks, parent: QWidget | None = None, *, speed: float | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window | Qt.WindowType.CustomizeWindowHint | Qt.WindowType.WindowTitleHint
                         | Qt.WindowType.WindowCloseButtonHint)  # fmt: skip
        self._backend, self._tasks, self._speed = backend, tasks, speed
        self._done = False
        self._passed = 0
        """Steps that were gone on from."""
        now = theme.current()
        side = now.px(40)
        self.what = WhatStep()
        self.found = SourcesStep()
        self.time = TimeStep()
        self.key = KeyStep()
        self.steps: Sequence[Step] = (self.what, self.found, self.time, self.key)
        self.step_words = Label("", "body", "text2", self)
        self.dashes = Dashes(len(self.steps), self)
        top = QHBoxLayout()
        top.addWidget(self.step_words)
        top.addStretch(1)
        top.addWidget(self.dashes)
        self.title = Label("", "display", "text", self)
        self.sentence = Label("", "body", "text2", self, wrap=True)
        head = QVBoxLayout()
        head.setContentsMargins(side, now.px(24), side, now.px(16))
        head.setSpacing(0)
        head.addLayout(top)
        head.addSpacing(now.px(8))
        head.addWidget(give_line(self.title, "display"))
        head.addWidget(give_line(self.sentence, "body"))
        self.stack = QStackedWidget(self)
        for step in self.steps:
            area = QScrollArea()
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setWidgetResizable(True)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setWidget(step)
            area.viewport().setAutoFillBackground(False)
            step.setAutoFillBackground(False)
            self.stack.addWidget(area)
        self.lock = Label("", "detail", "text2", self)
        self.skip = QuietButton("", self)
        self.back = PlainButton("", self)
        self.go_on = PrimaryButton("", self)
        self.foot = QWidget(self)
        foot = QHBoxLayout(self.foot)
        foot.setContentsMargins(side, 0, side, 0)
        foot.setSpacing(now.px(8))
        foot.addWidget(Glyph("lock", 14, "text2", self.foot))
        foot.addWidget(self.lock, 1)
        foot.addWidget(self.skip)
        foot.addWidget(self.back)
        foot.addWidget(self.go_on)
        self.foot.setFixedHeight(now.size("dialog_foot"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.stack, 1)
        column.addWidget(Hairline(self))
        column.addWidget(self.foot)
        self.skip.clicked.connect(self._skip)
        self.back.clicked.connect(lambda: self._go(self.stack.currentIndex() - 1))
        self.go_on.clicked.connect(self._continue)
        self.found.chosenChanged.connect(self._tell_cost)
        self.found.addWanted.connect(self._add_folder)
        self.key.keyWanted.connect(self.keyWanted)
        size = now.measures["window"]["first_run"]["fixed"]
        self._size = QSize(now.px(size[0]), now.px(size[1]))
        self.retranslate()
        self._go(0)

    def open(self) -> None:
        screen_place.open_centred(self, self._size, self._size)
        self.setFixedSize(self.size())
        self._tasks.run(self, self._backend.sources, self._show_sources, self.faulted.emit)
        self._tasks.run(
            self,
            lambda: (self._backend.status(), self._backend.config()),
            self._show_figures,
            self.faulted.emit,
        )
        self.show()
        self.raise_()
        self.activateWindow()

    def set_hotkey(self, state: HotkeyState) -> None:
        self.key.set_hotkey(state)

    def choices(self) -> Choices:
        """What was agreed to: the answers of the steps that were gone on from."""
        passed = self._passed
        return Choices(
            self.found.chosen() if passed > self.steps.index(self.found) else None,
            self.time.days() if passed > self.steps.index(self.time) else None,
            self.key.login.isChecked() if passed > self.steps.index(self.key) else None,
        )

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Welcome to Backscroll"))
        self.lock.setText(self.tr("All of it stays on this machine"))
        self.skip.setText(self.tr("Skip"))
        self.back.setText(self.tr("Back"))
        self.found.retranslate()
        self.time.retranslate()
        self.what.retranslate()
        self.key.retranslate()
        self._head()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._continue()
        elif event.key() == Qt.Key.Key_Escape:
            self._skip()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._finish()
        super().closeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(0, self.foot.y(), self.width(), self.foot.height()), theme.current()["sunken"])

    def _show_sources(self, sources: list[SourceView]) -> None:
        self.found.set_sources(sources)
        self._tell_cost()

    def _show_figures(self, figures: tuple[Status, dict[str, Any]]) -> None:
        status, values = figures
        self.time.set_figures(status, int(values["index.days"]), int(values["index.chunks_total"]), self._speed)

    def _tell_cost(self) -> None:
        self.time.set_sources(self.found.chosen_views())

    def _add_folder(self) -> None:
        answer = FolderDialog.ask(self.found.agents() or sorted(wording.AGENTS), self)
        if answer:
            agent, path = answer
            self._tasks.run(self, lambda: self._backend.add_folder(agent, path), self._show_sources, self.faulted.emit)

    def _go(self, number: int) -> None:
        self.stack.setCurrentIndex(max(0, min(number, len(self.steps) - 1)))
        self._head()
        self.go_on.setFocus()

    def _head(self) -> None:
        at = self.stack.currentIndex()
        step = self.steps[at]
        self.step_words.setText(self.tr("Step {number} of {count}").format(number=at + 1, count=len(self.steps)))
        self.dashes.set_step(at)
        self.title.setText(step.title())
        self.sentence.setText(step.sentence())
        self.back.setEnabled(at > 0)
        self.go_on.setText(self.tr("Continue") if at < len(self.steps) - 1 else self.tr("Start"))
        self.go_on.updateGeometry()
        self.setAccessibleDescription(f"{self.step_words.text()}. {step.title()} {step.sentence()}")

    def _continue(self) -> None:
        self._passed = max(self._passed, self.stack.currentIndex() + 1)
        if self.stack.currentIndex() < len(self.steps) - 1:
            self._go(self.stack.currentIndex() + 1)
        else:
            self._finish()
            self.close()

    def _skip(self) -> None:
        self._finish()
        self.close()

    def _finish(self) -> None:
        if not self._done:
            self._done = True
            self.finished.emit(self.choices())


def carry_out(backend: Backend, choices: Choices, known: Sequence[SourceView]) -> None:
    """Keep what was chosen: days, then the ticked sources. Runs on a thread; raises AppError. Nothing is ticked for a
    person who skipped that step: nothing was agreed to."""
    if choices.days is not None:
        backend.set_config("index.days", choices.days)
    if choices.sources is not None:
        for source in known:
            wanted = source.id in choices.sources
            if source.enabled != wanted:
                backend.set_source(source.id, wanted)
