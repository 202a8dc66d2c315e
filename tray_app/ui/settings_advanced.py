"""Settings, Advanced: where things lie, and versions."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QUrl, Signal, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

import tray_app
from tray_app.paths import Paths, shorten
from tray_app.records import Status
from tray_app.ui import theme
from tray_app.ui.controls import ElidedLabel, Label, PlainButton, QuietButton
from tray_app.ui.settings_rows import Page, SettingRow, give_line


class PlaceRow(QWidget):
    """What lies where, with a button that opens the folder."""

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.path = path
        self.name = Label("", "row", "text", self)
        self.where = ElidedLabel(shorten(path), "code", "text2", self, Qt.TextElideMode.ElideMiddle)
        self.open = PlainButton("", self)
        self.open.clicked.connect(self._open)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(give_line(self.name, "row"))
        words.addWidget(self.where)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, now.px(10), now.px(4), now.px(10))
        line.setSpacing(now.px(24))
        line.addLayout(words, 1)
        line.addWidget(self.open)

    def set_texts(self, name: str, button: str) -> None:
        self.name.setText(name)
        self.open.setText(button)
        self.open.setAccessibleName(f"{button}: {name}")

    def _open(self) -> None:
        open_folder(self.path)


def open_folder(path: Path) -> None:
    """A folder, or that of a file, in the system's own program for them."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path if path.is_dir() else path.parent)))


class AdvancedPage(Page):
    healthWanted = Signal()

    def __init__(self, paths: Paths, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: Status | None = None
        self.data = PlaceRow(paths.data)
        self.config = PlaceRow(paths.settings_file)
        self.logs = PlaceRow(paths.logs)
        self.health = PlainButton("")
        self.health_row = SettingRow(self.health)
        self.copy = QuietButton("", glyph="copy")
        self.versions_row = SettingRow(self.copy)
        for row in (self.data, self.config, self.logs, self.health_row, self.versions_row):
            self.add_row(row)
        self.health.clicked.connect(self.healthWanted)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(versions(self._status)))
        self.retranslate()

    def set_status(self, status: Status) -> None:
        self._status = status
        self.versions_row.help.setText(VersionTexts().line(status))

    def retranslate(self) -> None:
        self.title.setText(self.tr("Advanced"))
        self.sentence.setText(self.tr("Where things lie, and what to send with a report."))
        show = self.tr("Open folder")
        self.data.set_texts(self.tr("Index and memory"), show)
        self.config.set_texts(self.tr("Settings file"), show)
        self.logs.set_texts(self.tr("Logs"), show)
        self.health.setText(self.tr("Index health…"))
        self.health_row.set_texts(self.tr("Index health"), self.tr("What was read, what was skipped, and why."))
        self.health.setAccessibleName(self.tr("Index health…"))
        self.copy.setText(self.tr("Copy"))
        self.versions_row.set_texts(self.tr("Versions"), VersionTexts().line(self._status))
        self.copy.setAccessibleName(self.tr("Copy versions"))


class VersionTexts:
    @staticmethod
    def tr(text: str) -> str:
        return QCoreApplication.translate("VersionTexts", text)

    def line(self, status: Status | None) -> str:
        """'Backscroll 1.0 · text rules 7 · index 3', in the language of the windows."""
        parts = [f"Backscroll {tray_app.__version__}"]
        if status is not None:
            parts.append(self.tr("text rules {number}").format(number=status.pipeline_version))
            parts.append(self.tr("index {number}").format(number=status.schema))
        return " · ".join(parts)


def versions(status: Status | None) -> str:
    """For reports, in English: 'Backscroll 1.0 · index 3 · text rules 7 · Python 3.12.1 · Qt 6.11.3 · Linux 6.1'."""
    parts = [f"Backscroll {tray_app.__version__}"]
    if status is not None:
        parts += [f"index {status.schema}", f"text rules {status.pipeline_version}"]
    python = ".".join(str(part) for part in sys.version_info[:3])
    parts += [f"Python {python}", f"Qt {qVersion()}", f"{platform.system()} {platform.release()}"]
    return " · ".join(parts)
