"""Index health: what was read, what was not and why, and what to do about it.

Owns the window; its words are `health_texts`'. All questions to the backend run on a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from tray_app.errors import AppError
from tray_app.records import Finding, Problem, Status
from tray_app.service.backend import Backend
from tray_app.ui import i18n, leaving_texts, screen_place, theme, wording
from tray_app.ui.controls import ElidedLabel, Glyph, Hairline, Label, PlainButton, QuietButton
from tray_app.ui.health_table import HealthTable
from tray_app.ui.health_texts import HealthTexts, Look
from tray_app.ui.problems_dialog import ProblemsDialog
from tray_app.ui.settings_advanced import VersionTexts, open_folder
from tray_app.ui.settings_rows import give_line
from tray_app.ui.tasks import Tasks

Checked = tuple[Status, list[Finding], list[Problem], int]


class LookRow(QWidget):
    """Glyph, what, consequence, and one button."""

    def __init__(self, look: Look, button: PlainButton | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.look, self.button = look, button
        grid = QGridLayout(self)
        grid.setContentsMargins(0, now.px(6), now.px(4), now.px(6))
        grid.setHorizontalSpacing(now.px(12))
        grid.setVerticalSpacing(0)
        grid.addWidget(Glyph(look.glyph, 16, "warn" if look.glyph == "warn" else "text2", self), 0, 0, 2, 1)
        grid.addWidget(give_line(Label(look.what, "row", "text", self, wrap=True), "row"), 0, 1)
        if look.is_path:
            under: QWidget = ElidedLabel(look.consequence, "code", "text2", self, Qt.TextElideMode.ElideMiddle)
        else:
            under = give_line(Label(look.consequence, "detail", "text2", self, wrap=True), "detail")
        grid.addWidget(under, 1, 1)
        if button is not None:
            button.setAccessibleDescription(look.what)
            grid.addWidget(button, 0, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(1, 1)


class Figure(QWidget):
    """A large figure over a word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = Label("", "query", "text", self)
        self.word = Label("", "detail", "text2", self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(give_line(self.figure, "query"))
        column.addWidget(give_line(self.word, "detail"))

    def say(self, figure: str, word: str) -> None:
        self.figure.setText(figure)
        self.word.setText(word)
        self.setAccessibleName(f"{figure} {word}")


class HealthWindow(QWidget):
    retryRequested = Signal()
    """Read once more what was set aside."""
    settingsRequested = Signal(str)
    draftsRequested = Signal(str)
    """A project that has one."""
    rebuildRequested = Signal()

    def __init__(self, backend: Backend, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._backend, self._tasks = backend, tasks
        self._texts = HealthTexts()
        self._checked: Checked | None = None
        self._when: datetime | None = None
        self._checking, self._due = False, False
        """Whether a check is under way, and another one is to follow it: one alone at a time."""
        self._looks: list[Look] = []
        self._notes: list[Look] = []
        self._good: list[Look] = []
        self._placed = False
        now = theme.current()
        side = now.px(24)
        self.heading = Label("", "display", "text", self)
        self.under = Label("", "body", "text2", self)
        self.copy = QuietButton("", self, glyph="copy")
        self.again = PlainButton("", self, glyph="refresh")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(give_line(self.heading, "display"))
        words.addWidget(give_line(self.under, "body"))
        head = QHBoxLayout()
        head.setContentsMargins(side, now.px(20), side, now.px(20))
        head.setSpacing(now.px(12))
        head.addLayout(words, 1)
        head.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.again, 0, Qt.AlignmentFlag.AlignTop)

        inner = QWidget()
        body = QVBoxLayout(inner)
        body.setContentsMargins(side, 0, side, now.px(20))
        body.setSpacing(0)
        body.addWidget(Hairline(inner))
        self.figures = [Figure(inner) for _ in range(4)]
        line = QHBoxLayout()
        line.setContentsMargins(0, now.px(8), 0, now.px(12))
        line.setSpacing(now.px(16))
        for number, figure in enumerate(self.figures):
            if number:
                line.addWidget(Hairline(inner, vertical=True))
            line.addWidget(figure, (2, 2, 3, 5)[number])
        body.addLayout(line)
        body.addWidget(Hairline(inner))
        self.needs = Label("", "label", "text2", inner)
        self.needs.setContentsMargins(0, now.px(20), 0, now.px(8))
        body.addWidget(self.needs)
        self.looks = QVBoxLayout()
        self.looks.setSpacing(0)
        body.addLayout(self.looks)
        self.good_to_know = Label("", "label", "text2", inner)
        self.good_to_know.setContentsMargins(0, now.px(20), 0, now.px(8))
        body.addWidget(self.good_to_know)
        self.good_to_know.hide()
        self.notes = QVBoxLayout()
        self.notes.setSpacing(0)
        body.addLayout(self.notes)
        body.addSpacing(now.px(16))
        self.table = HealthTable(inner)
        body.addWidget(self.table)
        self.in_order = Label("", "label", "text2", inner)
        self.in_order.setContentsMargins(0, now.px(20), 0, now.px(8))
        self.in_order.hide()
        body.addWidget(self.in_order)
        self.good = QVBoxLayout()
        self.good.setSpacing(0)
        body.addLayout(self.good)
        body.addStretch(1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        inner.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)

        self.leaves_mark = Glyph("lock", 14, "text2", self)
        self.leaves = Label("", "detail", "text2", self)
        self.versions = Label("", "detail", "text2", self)
        self.foot = QWidget(self)
        foot = QHBoxLayout(self.foot)
        foot.setContentsMargins(side, 0, side, 0)
        foot.setSpacing(now.px(8))
        foot.addWidget(self.leaves_mark)
        foot.addWidget(self.leaves, 1)
        foot.addWidget(self.versions)
        self.foot.setFixedHeight(now.px(40))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(area, 1)
        column.addWidget(Hairline(self))
        column.addWidget(self.foot)

        self.again.clicked.connect(self.check)
        self.copy.clicked.connect(self._copy)
        for keys in (QKeySequence(Qt.Key.Key_Escape), QKeySequence(QKeySequence.StandardKey.Close)):
            QShortcut(keys, self).activated.connect(self.close)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Refresh), self).activated.connect(self.check)
        # 'Checked 2 minutes ago' grows old while it is looked at.
        self._clock = QTimer(self)
        self._clock.setInterval(30_000)
        self._clock.timeout.connect(self._tell_age)
        self.retranslate()

    def open(self) -> None:
        if not self._placed:
            self._placed = True
            sizes = theme.current().measures["window"]["health"]
            scale = theme.current().px
            least = QSize(scale(sizes["min"][0]), scale(sizes["min"][1]))
            screen_place.open_centred(self, QSize(scale(sizes["default"][0]), scale(sizes["default"][1])), least)
        else:
            screen_place.bring_in(self)
        self.check()
        self._clock.start()
        self.show()
        self.raise_()
        self.activateWindow()

    def check(self) -> None:
        """Ask anew; what is known stays on show meanwhile. Asked while it asks, it asks once more afterwards."""
        if self._checking:
            self._due = True
            return
        self._checking = True

        def work() -> Checked:
            status, findings, problems = self._backend.status(), self._backend.doctor(), self._backend.problems()
            return status, findings, list(problems), int(self._backend.config()["index.days"])

        self.again.setEnabled(False)
        self._tasks.run(self, work, self._show, self._failed)

    def pass_ended(self, _report: object = None) -> None:
        """A pass ended: what it changed is shown, if somebody looks."""
        if self.isVisible():
            self.check()

    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(0, self.foot.y(), self.width(), self.foot.height()), theme.current()["sunken"])

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Index health"))
        self.copy.setText(self.tr("Copy report"))
        self.again.setText(self.tr("Check again"))
        self.needs.setText(self.tr("Needs a look"))
        self.good_to_know.setText(self.tr("Good to know"))
        self.in_order.setText(self.tr("In order"))
        self.table.setAccessibleName(self.tr("Sources"))
        if self._checked is None:
            self.heading.setText(self.tr("Looking…"))
        else:
            self._fill(self._checked)

    def _show(self, checked: Checked) -> None:
        self.again.setEnabled(True)
        first = self._checked is None
        self._checked, self._when = checked, i18n.now()
        self._fill(checked)
        buttons = [row.button for row in self.findChildren(LookRow) if row.button is not None]
        if first or not self.isActiveWindow():
            # What needs a look comes first, for the keyboard too.
            (buttons[0] if buttons else self.again).setFocus()
        self._go_on()

    def _failed(self, fault: AppError) -> None:
        self.again.setEnabled(True)
        self.heading.setText(fault.title)
        self.under.setText(wording.error_text(fault))
        self._go_on()

    def _go_on(self) -> None:
        """A check has ended: the next one begins if it is due, and somebody looks."""
        self._checking, due, self._due = False, self._due, False
        if due and self.isVisible():
            self.check()

    def _fill(self, checked: Checked) -> None:
        status, findings, problems, days = checked
        texts, totals = self._texts, status.totals
        self._looks, self._notes = texts.looks(findings, problems), [*texts.leaving(status), *texts.notes(findings, problems)]
        self._good = texts.good(findings)
        self.heading.setText(texts.heading(len(self._looks)))
        self._tell_age()
        self.figures[0].say(i18n.count(totals.chunks), self.tr("passages"))
        self.figures[1].say(i18n.count(totals.sessions), self.tr("sessions"))
        self.figures[2].say(i18n.byte_size(status.index_bytes), texts.disk(status))
        self.figures[3].say(texts.span(status), texts.span_words(days))
        self._fill_looks()
        self.table.set_rows([texts.row(source) for source in status.sources if source.found or source.counters.sessions])
        self.leaves_mark.set_glyph(leaving_texts.glyph(status.leaves))
        self.leaves.setText(leaving_texts.short(status.leaves) if status.leaves else leaving_texts.full(()))
        self.versions.setText(VersionTexts().line(status))

    def _fill_looks(self) -> None:
        focused = next((at for at, row in enumerate(self.findChildren(LookRow)) if row.button and row.button.hasFocus()), None)
        for head, column, shown in (
            (self.needs, self.looks, self._looks),
            (self.good_to_know, self.notes, self._notes),
            (self.in_order, self.good, self._good),
        ):
            while item := column.takeAt(0):
                widget = item.widget()
                if widget is not None:
                    widget.hide()
                    widget.setParent(None)
                    widget.deleteLater()
            head.setVisible(bool(shown))
            for number, look in enumerate(shown):
                if number:
                    column.addWidget(Hairline())
                column.addWidget(LookRow(look, self._button(look)))
        rows = self.findChildren(LookRow)
        chain: list[QWidget] = [self.again, *(row.button for row in rows if row.button), self.table]
        for before, after in pairwise(chain):
            QWidget.setTabOrder(before, after)
        if focused is not None and focused < len(rows) and (button := rows[focused].button):
            button.setFocus()

    def _button(self, look: Look) -> PlainButton | None:
        """What the look offers to do about it, if anything."""
        if not look.action:
            return None
        words: dict[str, tuple[str, Callable[[], object]]] = {
            "retry": (self.tr("Try again"), self.retryRequested.emit),
            "show": (self.tr("Show"), lambda: self._show_places(look)),
            "keep": (self.tr("Keep files…"), lambda: self.settingsRequested.emit("privacy")),
            "drafts": (self.tr("Drafts…"), lambda: self.draftsRequested.emit(look.place)),
            "rebuild": (self.tr("Rebuild index…"), self.rebuildRequested.emit),
            "folder": (self.tr("Open folder"), lambda: open_folder(Path(look.place))),
            "data": (self.tr("Data folder…"), lambda: self.settingsRequested.emit("advanced")),
            "sources": (self.tr("Sources…"), lambda: self.settingsRequested.emit("sources")),
            "index": (self.tr("Limits…"), lambda: self.settingsRequested.emit("index")),
            "meaning": (self.tr("Meaning…"), lambda: self.settingsRequested.emit("meaning")),
            "general": (self.tr("Hotkey…"), lambda: self.settingsRequested.emit("general")),
            "agents": (self.tr("Agents…"), lambda: self.settingsRequested.emit("agents")),
        }
        text, act = words[look.action]
        button = PlainButton(text)
        button.clicked.connect(lambda: act())
        return button

    def _show_places(self, look: Look) -> None:
        dialog = ProblemsDialog(look.what, look.problems, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _copy(self) -> None:
        if self._checked is not None:
            status, findings, problems, _days = self._checked
            QGuiApplication.clipboard().setText(self._texts.report(status, findings, problems))
            self.under.setText(self.tr("Copied. It holds counts and paths, nothing of what was said."))

    def _tell_age(self) -> None:
        if self._when is not None:
            self.under.setText(self._texts.under_heading(len(self._looks), self._when))
