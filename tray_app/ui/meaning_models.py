"""The models that can be used on this machine: a row for each, with its download; or a folder of one's own.

Says what the person chose and wants fetched; fetches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from tray_app.paths import shorten
from tray_app.records import Download, ModelView
from tray_app.ui import i18n, theme
from tray_app.ui.controls import Bar, ElidedLabel, Glyph, Label, PlainButton, QuietButton, Radio

FOLDER = ""
"""What the row of the folder is called among the models."""


class ModelTexts:
    @staticmethod
    def tr(text: str, comment: str = "") -> str:
        return QCoreApplication.translate("ModelTexts", text, comment)

    def details(self, model: ModelView) -> str:
        """'recommended · 640 MB · Chinese and English · Apache-2.0'"""
        languages = {
            "zh": self.tr("Chinese"),
            "en": self.tr("English"),
            "zh+en": self.tr("Chinese and English"),
            "many": self.tr("many languages"),
        }.get(model.languages, model.languages)
        note = {"recommended": self.tr("recommended"), "light": self.tr("light"), "best": self.tr("finds best")}.get(
            model.note, ""
        )
        size = f"{i18n.count(model.megabytes)} MB" if model.megabytes < 1000 else i18n.byte_size(model.megabytes * 1_000_000)
        parts = (note, size, languages, model.licence)
        return " · ".join(part for part in parts if part)

    def amount(self, download: Download) -> str:
        """'120 of 640 MB'"""
        if not download.total:
            return i18n.byte_size(download.done)
        return self.tr("{done} of {total}", "bytes").format(
            done=i18n.byte_size(download.done), total=i18n.byte_size(download.total)
        )

    def failed(self, download: Download) -> str:
        return self.tr("The download failed: {reason}").format(reason=download.error)


texts = ModelTexts()


class ModelRow(QWidget):
    """A radio button, name over details, and at the right: Downloaded, a button, or how far the download is."""

    fetched = Signal(str)
    cancelled = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.name = name
        self.radio = Radio("", self)
        self.title = ElidedLabel(name, "row", "text", self, Qt.TextElideMode.ElideMiddle)
        self.details = ElidedLabel("", "detail", "text2", self)
        self.bar = Bar(self)
        self.amount = Label("", "detail", "text2", self)
        self.tick = Glyph("check", 14, "accent_text", self)
        self.here = Label("", "detail", "text2", self)
        self.fetch = PlainButton("", self)
        self.cancel = QuietButton("", self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, now.px(4), now.px(4), now.px(4))
        grid.setHorizontalSpacing(now.px(8))
        grid.setVerticalSpacing(0)
        grid.addWidget(self.radio, 0, 0, 2, 1)
        grid.addWidget(self.title, 0, 1)
        grid.addWidget(self.details, 1, 1)
        grid.setColumnStretch(1, 1)
        right = QHBoxLayout()
        right.setSpacing(now.px(8))
        progress = QVBoxLayout()
        progress.setSpacing(now.px(4))
        progress.addStretch(1)
        progress.addWidget(self.amount, 0, Qt.AlignmentFlag.AlignRight)
        progress.addWidget(self.bar)
        progress.addStretch(1)
        right.addLayout(progress)
        for widget in (self.tick, self.here, self.fetch, self.cancel):
            right.addWidget(widget)
        grid.addLayout(right, 0, 2, 2, 1)
        self.radio.toggled.connect(lambda on: self.title.set_look(face="row_strong" if on else "row"))
        self.fetch.clicked.connect(lambda: self.fetched.emit(self.name))
        self.cancel.clicked.connect(self.cancelled)

    def set_plain(self) -> None:
        """A row that is never downloaded."""
        unused: tuple[QWidget, ...] = (self.bar, self.amount, self.cancel, self.tick, self.here)
        for widget in unused:
            widget.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.radio.setFocus(Qt.FocusReason.MouseFocusReason)
            self.radio.click()


class ModelList(QWidget):
    """Rows of models and the row of a folder. `chosen` comes only when the person chose."""

    chosen = Signal()
    fetched = Signal(str)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._models: tuple[ModelView, ...] = ()
        self._download = Download()
        self._wanted = ""
        self._folder = ""
        self._rows: dict[str, ModelRow] = {}
        self._group = QButtonGroup(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._own = self._add(FOLDER)
        self._own.fetched.connect(self._choose_folder)
        self.retranslate()

    @property
    def rows(self) -> dict[str, ModelRow]:
        """By the model's name; '' is the folder."""
        return dict(self._rows)

    @property
    def stops(self) -> list[QWidget]:
        """What Tab stops at, in order."""
        return [stop for row in self._rows.values() for stop in (row.radio, row.fetch, row.cancel)]

    def value(self) -> str:
        """The name of the chosen model, or the path of the chosen folder; '' for none."""
        name = next((name for name, row in self._rows.items() if row.radio.isChecked()), "")
        return name or (self._folder if self._own.radio.isChecked() else "")

    def set_value(self, value: str) -> None:
        self._wanted = value
        if value and value not in self._rows and _is_path(value):
            self._folder = value
            self._own.radio.setChecked(True)
        elif value in self._rows and value != FOLDER:
            self._rows[value].radio.setChecked(True)
        self.retranslate()

    def is_here(self) -> bool:
        """The chosen one can be used as it is."""
        value = self.value()
        model = next((model for model in self._models if model.name == value), None)
        return bool(value) and (model is None or model.downloaded)

    def suggest(self) -> None:
        """Choose for the person: what is there already, else what is recommended."""
        order = sorted(self._models, key=lambda model: (not model.downloaded, model.note != "recommended"))
        if order:
            self.set_value(order[0].name)

    def show_models(self, models: Sequence[ModelView], download: Download) -> None:
        """What there is now; rows stay the same widgets while their models do."""
        self._models, self._download = tuple(models), download
        names = [model.name for model in models]
        if names != [name for name in self._rows if name != FOLDER]:
            before = self.value() or self._wanted
            for name in [name for name in self._rows if name != FOLDER]:
                row = self._rows.pop(name)
                self._group.removeButton(row.radio)
                row.hide()
                row.deleteLater()
            for place, name in enumerate(names):
                self._add(name, place)
            self._rows[FOLDER] = self._rows.pop(FOLDER)
            self.set_value(before)
        self.retranslate()

    def retranslate(self) -> None:
        running = self._download.state == "running"
        for model in self._models:
            row = self._rows[model.name]
            coming = running and self._download.model == model.name
            failed = self._download.state == "failed" and self._download.model == model.name
            row.details.setText(texts.failed(self._download) if failed else texts.details(model))
            row.radio.setAccessibleName(model.name)
            row.radio.setAccessibleDescription(row.details.text())
            for widget in (row.bar, row.amount, row.cancel):
                widget.setVisible(coming)
            row.bar.setVisible(coming and self._download.total > 0)
            if coming:
                row.bar.set_share(self._download.done, self._download.total)
                row.amount.setText(texts.amount(self._download))
                row.bar.setAccessibleName(row.amount.text())
            for sign in (row.tick, row.here):
                sign.setVisible(model.downloaded and not coming)
            row.here.setText(self.tr("Downloaded"))
            row.fetch.setVisible(not model.downloaded and not coming)
            row.fetch.setEnabled(not running)
            row.fetch.setText(self.tr("Download"))
            row.fetch.setAccessibleName(self.tr("Download {model}").format(model=model.name))
            row.cancel.setText(self.tr("Cancel"))
            row.cancel.setAccessibleName(self.tr("Cancel the download of {model}").format(model=model.name))
        own = self._own
        own.title.setText(self.tr("A folder of my own"))
        own.details.setText(shorten(self._folder) if self._folder else self.tr("With an ONNX model and its tokenizer."))
        own.radio.setAccessibleName(own.title.text())
        own.radio.setAccessibleDescription(own.details.text())
        own.set_plain()
        own.cancel.setText(self.tr("Cancel"))
        own.fetch.setText(self.tr("Choose…"))
        own.fetch.setAccessibleName(self.tr("Choose the folder of a model"))

    def take_folder(self, path: str) -> None:
        """The person chose a folder."""
        self._folder = path
        self._own.radio.setChecked(True)
        self.retranslate()
        self.chosen.emit()

    def _add(self, name: str, place: int = -1) -> ModelRow:
        row = ModelRow(name, self)
        self._rows[name] = row
        self._group.addButton(row.radio)
        self._column.insertWidget(place, row)
        row.radio.clicked.connect(self.chosen)
        if name != FOLDER:
            row.fetched.connect(self.fetched)
            row.cancelled.connect(self.cancelled)
        return row

    def _choose_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self.window(), self.tr("The folder of a model"), self._folder)
        if path:
            self.take_folder(path)


def _is_path(value: str) -> bool:
    return value.startswith(("/", "~", "\\\\", ".")) or value[1:2] == ":"
