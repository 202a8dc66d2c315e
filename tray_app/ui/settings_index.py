"""Settings, Privacy and Index: what is read of a session, how far back, how much; and what happens to the index.

A change here reads all sessions again, so it is collected and said first, in a strip at the foot of the page; nothing is
done before the person agrees to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from tray_app.records import Departure, Status
from tray_app.ui import leaving_texts, theme, wording
from tray_app.ui.controls import DangerButton, Glyph, Label, PlainButton, PrimaryButton, QuietButton, Switch
from tray_app.ui.reading_cost import CostTexts, estimate
from tray_app.ui.redaction_box import RedactionBox
from tray_app.ui.settings_rows import Number, Page, SettingRow, give_line


class Lines(QPlainTextEdit):
    """A list of patterns or folders, one a line."""

    ring_radius = 6
    is_field = True
    entered = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFont(now.font("code"))
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFixedHeight(now.px(96))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._silent = False
        self.textChanged.connect(self._changed)

    def set_values(self, values: list[str]) -> None:
        if values != self.values():
            self._silent = True
            self.setPlainText("\n".join(values))
            self._silent = False

    def values(self) -> list[str]:
        return [line.strip() for line in self.toPlainText().splitlines() if line.strip()]

    def _changed(self) -> None:
        if not self._silent:
            self.entered.emit(self.values())


class LinesRow(QWidget):
    """A name and its consequence over a field of lines that has the whole width."""

    def __init__(self, lines: Lines, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.lines = lines
        self.name = Label("", "row", "text", self)
        self.name.setBuddy(lines)
        self.help = Label("", "detail", "text2", self, wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(10), now.px(4), now.px(12))
        column.setSpacing(0)
        column.addWidget(give_line(self.name, "row"))
        column.addWidget(give_line(self.help, "detail"))
        column.addSpacing(now.px(8))
        column.addWidget(lines)

    def set_texts(self, name: str, help_text: str) -> None:
        self.name.setText(name)
        self.help.setText(help_text)
        self.lines.setAccessibleName(name)
        self.lines.setAccessibleDescription(help_text)


class RebuildStrip(QWidget):
    """What the changes made so far will cause, with the button that agrees to it."""

    agreed = Signal()
    undone = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.words = Label("", "body", "text", self, wrap=True)
        self.undo = QuietButton("", self)
        self.apply = PrimaryButton("", self)
        line = QHBoxLayout(self)
        line.setContentsMargins(now.px(28), now.px(12), now.px(28), now.px(12))
        line.setSpacing(now.px(8))
        line.addWidget(Glyph("info", 16, "text2", self))
        line.addWidget(self.words, 1)
        line.addWidget(self.undo)
        line.addWidget(self.apply)
        self.setAutoFillBackground(True)
        self.undo.clicked.connect(self.undone)
        self.apply.clicked.connect(self.agreed)
        self._ground()
        theme.notifier().changed.connect(self._ground)

    def _ground(self) -> None:
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme.current()["sunken"])
        self.setPalette(palette)


class RereadPage(Page):
    """A page whose changes are collected until the person agrees to the re-reading."""

    changed = Signal(str, object)
    """A setting that holds at once."""
    rereadWanted = Signal(dict)
    """Settings that re-read everything, all at once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, Any] = {}
        self._pending: dict[str, Any] = {}
        self._setters: dict[str, Callable[[Any], None]] = {}
        self._fields: list[tuple[str, SettingRow | LinesRow]] = []
        self.strip = RebuildStrip(self)
        self.strip.hide()
        self.strip.agreed.connect(self._agree)
        self.strip.undone.connect(self._undo)
        column = self.layout()
        assert column is not None
        column.addWidget(self.strip)

    def add_switch(self, key: str, *, at_once: bool = False) -> SettingRow:
        control = Switch()
        control.clicked.connect(lambda value: self.changed.emit(key, value) if at_once else self._collect(key, value))
        self._setters[key] = control.setChecked
        row = SettingRow(control)
        self.add_row(row)
        return row

    def add_number(
        self, key: str, least: int, most: int, step: int = 1, *, at_once: bool = False, below: QWidget | None = None
    ) -> tuple[SettingRow, Number]:
        control = Number(least, most, step)
        control.entered.connect(lambda value: self.changed.emit(key, value) if at_once else self._collect(key, value))
        self._setters[key] = control.set_number
        row = SettingRow(control, below=below)
        self.add_row(row)
        return row, control

    def add_lines(self, key: str) -> LinesRow:
        control = Lines()
        control.entered.connect(lambda values: self._collect(key, values))
        self._setters[key] = control.set_values
        row = LinesRow(control)
        self.add_row(row)
        return row

    def load(self, values: dict[str, Any]) -> None:
        self._values = dict(values)
        for key, setter in self._setters.items():
            setter(self._pending.get(key, values[key]))
        self._tell()

    def retranslate(self) -> None:
        self.strip.undo.setText(self.tr("Undo", "changes of settings"))
        self.strip.apply.setText(self.tr("Read again"))
        self.strip.words.setText(
            self.tr("This change reads all sessions again, in the background. Search goes on with what is in.")
        )

    def _collect(self, key: str, value: Any) -> None:
        if value == self._values.get(key):
            self._pending.pop(key, None)
        else:
            self._pending[key] = value
        self._tell()

    def _agree(self) -> None:
        wanted, self._pending = self._pending, {}
        self._values.update(wanted)
        self._tell()
        self.rereadWanted.emit(wanted)

    def _undo(self) -> None:
        self._pending = {}
        self.load(self._values)

    def _tell(self) -> None:
        self.strip.setVisible(bool(self._pending))


class PrivacyPage(RereadPage):
    clearWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stays = Label("", "body", "text", self, wrap=True)
        box = QWidget()
        line = QHBoxLayout(box)
        now = theme.current()
        line.setContentsMargins(0, now.px(12), 0, now.px(12))
        line.setSpacing(now.px(10))
        self.stays_mark = Glyph("lock", 16, "text2", box)
        line.addWidget(self.stays_mark)
        line.addWidget(self.stays, 1)
        self.add_row(box)
        self.redact = self.add_switch("privacy.redact")
        self.trial = RedactionBox()
        self.add_row(self.trial)
        self._hidden = 0
        self._leaves: tuple[Departure, ...] | None = None
        """None while it is not known."""
        self.tools = self.add_switch("index.tools")
        self.reasoning = self.add_switch("index.reasoning")
        self.paths = self.add_lines("privacy.excluded_paths")
        self.workspaces = self.add_lines("privacy.excluded_workspaces")
        self.gone = self.add_switch("keep.gone", at_once=True)
        self.archive = self.add_switch("keep.archive", at_once=True)
        self.after, self.after_field = self.add_number("keep.archive_after_days", 0, 365, at_once=True)
        self.clear = DangerButton("")
        self.clear_row = SettingRow(self.clear)
        self.add_row(self.clear_row)
        self.clear.clicked.connect(self.clearWanted)
        self.retranslate()

    def retranslate(self) -> None:
        super().retranslate()
        self.title.setText(self.tr("Privacy"))
        self.sentence.setText(self.tr("What is kept of your sessions, and what is not."))
        self.stays_mark.setVisible(self._leaves is not None)
        self.stays_mark.set_glyph(leaving_texts.glyph(self._leaves or ()))
        self.stays.setText("" if self._leaves is None else leaving_texts.full(self._leaves))
        replaced = self.tr("Keys and passwords are replaced before anything is stored.")
        if self._hidden:
            replaced = wording.two_sentences(replaced, self.tr("%Ln are hidden so far.", "", self._hidden))
        self.redact.set_texts(self.tr("Hide secrets"), replaced)
        self.trial.retranslate()
        self.tools.set_texts(self.tr("Tool calls and results"), self.tr("What tools were asked and answered can be found."))
        self.reasoning.set_texts(self.tr("Reasoning"), self.tr("What the model thought before it answered can be found."))
        self.paths.set_texts(
            self.tr("Excluded files"), self.tr("Text of these files is never indexed. One pattern a line, such as *.pem")
        )
        self.workspaces.set_texts(
            self.tr("Excluded folders"), self.tr("Sessions that were held in these folders are not read. One folder a line.")
        )
        self.gone.set_texts(
            self.tr("Keep deleted sessions"), self.tr("Sessions that their agent deletes can still be found, and are marked.")
        )
        self.archive.set_texts(
            self.tr("Copy session files"),
            self.tr("Copies are kept before agents delete the files. They are as the agent wrote them, secrets too."),
        )
        self.after.set_texts(self.tr("Copy after"), self.tr("Files that were not touched for so long are copied."))
        self.after_field.setSuffix(self.tr(" days"))
        self.clear.setText(self.tr("Clear index…"))
        self.clear_row.set_texts(
            self.tr("Clear index"), self.tr("Removes all that was read from the index. Your session files are not touched.")
        )
        self.clear.setAccessibleName(self.tr("Clear index…"))

    def set_status(self, status: Status) -> None:
        self._hidden = status.totals.redacted
        self._leaves = status.leaves
        self.retranslate()

    def _tell(self) -> None:
        super()._tell()
        control = self.redact.control
        assert isinstance(control, Switch)
        self.trial.set_hiding(control.isChecked())


class IndexPage(RereadPage):
    rebuildWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: Status | None = None
        self._speed: float | None = None
        self.cost = Label("", "detail", "text2", self, wrap=True)
        self.days, self.days_field = self.add_number("index.days", 0, 3650, below=self.cost)
        self.per_source, _ = self.add_number("index.chunks_per_source", 1_000, 2_000_000, 10_000)
        self.in_all, self.in_all_field = self.add_number("index.chunks_total", 1_000, 5_000_000, 10_000)
        for field in (self.days_field, self.in_all_field):
            field.valueChanged.connect(lambda _value: self._tell_cost())
        self.megabytes, self.megabytes_field = self.add_number("index.file_megabytes", 1, 512)
        self.watch_control = Switch()
        self.watch_control.clicked.connect(lambda value: self.changed.emit("index.watch", value))
        self._setters["index.watch"] = self.watch_control.setChecked
        self.watch = SettingRow(self.watch_control)
        self.add_row(self.watch)
        self.sweep, self.sweep_field = self.add_number("index.sweep_minutes", 1, 1440, at_once=True)
        self.rebuild = PlainButton("")
        self.rebuild_row = SettingRow(self.rebuild)
        self.add_row(self.rebuild_row)
        self.rebuild.clicked.connect(self.rebuildWanted)
        self.retranslate()

    def retranslate(self) -> None:
        super().retranslate()
        self.title.setText(self.tr("Index"))
        self.sentence.setText(self.tr("How much is read, and when. What is cut is counted, and Index health shows it."))
        self.days.set_texts(self.tr("Days back"), self.tr("Older sessions are not read."))
        self.days_field.setSpecialValueText(self.tr("Everything"))
        self.days_field.setSuffix(self.tr(" days"))
        self.per_source.set_texts(self.tr("Passages for each source"), self.tr("The newest are kept."))
        self.in_all.set_texts(self.tr("Passages in all"), self.tr("The newest are kept."))
        self.megabytes.set_texts(self.tr("Text of one session file"), self.tr("Of a larger one the newest part is read."))
        self.megabytes_field.setSuffix(" MB")
        self.watch.set_texts(self.tr("Read new talk at once"), self.tr("Off: only the sweep finds it."))
        self.sweep.set_texts(
            self.tr("Sweep"), self.tr("All sources are looked at this often, in case the system missed a change.")
        )
        self.sweep_field.setSuffix(self.tr(" min"))
        self.rebuild_row.set_texts(
            self.tr("Rebuild index"), self.tr("Reads every session anew, in the background. Search goes on with what is in.")
        )
        self._tell_cost()
        self.rebuild.setText(self.tr("Rebuild index…"))
        self.rebuild.setAccessibleName(self.tr("Rebuild index…"))

    def set_status(self, status: Status, speed: float | None) -> None:
        """How the index stands, and how fast this machine reads (bytes a second; None: not known)."""
        self._status, self._speed = status, speed
        self._tell_cost()

    def _tell(self) -> None:
        super()._tell()
        self._tell_cost()

    def _tell_cost(self) -> None:
        if self._status is None:
            self.cost.setText("")
            return
        ticked = [source for source in self._status.sources if source.enabled]
        window, most = int(self._values.get("index.days", 0)), self.in_all_field.value()
        cost = estimate(self.days_field.value(), ticked, self._status, window=window, most=most, speed=self._speed)
        self.cost.setText(CostTexts().sentence(cost))
