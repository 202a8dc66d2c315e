"""The places that could not be read, one by one: file, line, why. Nothing of what the file says is shown."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from tray_app.paths import shorten
from tray_app.records import Problem
from tray_app.ui import i18n, theme
from tray_app.ui.controls import Label, PlainButton, QuietButton
from tray_app.ui.text_layout import tip

PATH_ROLE = Qt.ItemDataRole.UserRole
UNKNOWN_KIND = re.compile(r"kind '(.*)', (\d+) times?")
"""How the engine keeps a kind of record that nobody knows."""


class ProblemsDialog(QDialog):
    def __init__(self, title: str, problems: tuple[Problem, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setWindowTitle(title)
        self.places = QListWidget(self)
        self.places.setFont(now.font("code"))
        self.places.setFrameShape(QListWidget.Shape.NoFrame)
        self.places.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.places.setAccessibleName(title)
        for problem in problems:
            at = self.tr("line {number}").format(number=problem.line) if problem.line else ""
            text = "  ".join(part for part in (shorten(problem.path), at, self._why(problem)) if part)
            item = QListWidgetItem(text)
            item.setToolTip(tip(text))
            item.setData(PATH_ROLE, problem.path)
            self.places.addItem(item)
        self.places.setCurrentRow(0)
        self.show_file = QuietButton(self.tr("Open folder"), self, glyph="open")
        self.copy = QuietButton(self.tr("Copy list"), self, glyph="copy")
        close = PlainButton(self.tr("Close"), self)
        close.setDefault(True)
        foot = QHBoxLayout()
        foot.setSpacing(now.px(8))
        foot.addWidget(self.show_file)
        foot.addWidget(self.copy)
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(20), now.px(20), now.px(20), now.px(20))
        column.setSpacing(now.px(12))
        column.addWidget(Label(title, "title", "text", self, wrap=True))
        column.addWidget(self.places, 1)
        column.addLayout(foot)
        self.resize(now.px(720), now.px(380))
        self.show_file.clicked.connect(self._open)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        close.clicked.connect(self.accept)

    def _why(self, problem: Problem) -> str:
        """The reason; of records of an unknown kind its name and how often: 'event_msg/new × 3'."""
        kind = UNKNOWN_KIND.fullmatch(problem.reason) if problem.kind == "unknown_record" else None
        if kind is None:
            return problem.reason
        name = kind[1] if kind[1] != "?" else self.tr("kinds without a name")
        return f"{name} × {i18n.count(int(kind[2]))}"

    def text(self) -> str:
        return "\n".join(self.places.item(row).text() for row in range(self.places.count())) + "\n"

    def _open(self) -> None:
        item = self.places.currentItem()
        if item is not None:
            folder = str(item.data(PATH_ROLE)).rpartition("/")[0] or str(item.data(PATH_ROLE)).rpartition("\\")[0]
            QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
