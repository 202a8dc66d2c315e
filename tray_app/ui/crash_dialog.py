"""What is shown when an error of ours came up, or when the last run ended by one: a report to copy, and the log folder."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from tray_app.logs import Discreet
from tray_app.ui import theme
from tray_app.ui.controls import Label, PlainButton, QuietButton
from tray_app.ui.settings_advanced import versions

TAIL = 20_000
"""Of a crash file so many characters are shown, from its end."""


def report_of(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> str:
    """Versions and traceback, without home folder and secrets."""
    text = Discreet().formatException((kind, fault, trace)) or "".join(traceback.format_exception_only(fault))
    return Discreet().discreet(f"{versions(None)}\n\n{text}\n")


def earlier_crash(file: Path, offered: str) -> tuple[str, str] | None:
    """What the last run left in its crash file, and the mark by which it is known; None when there is nothing new."""
    try:
        facts = file.stat()
        if not facts.st_size:
            return None
        mark = f"{facts.st_size}-{int(facts.st_mtime)}"
        if mark == offered:
            return None
        text = file.read_text(encoding="utf-8", errors="replace")[-TAIL:]
    except OSError:
        return None
    return Discreet().discreet(f"{versions(None)}\n\n{text}"), mark


class CrashDialog(QDialog):
    def __init__(self, report: str, logs: Path, parent: QWidget | None = None, *, earlier: bool = False) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setWindowTitle(self.tr("Backscroll met an error"))
        title = self.tr("The last run ended by an error") if earlier else self.tr("Backscroll met an error")
        says = self.tr("Your sessions and settings are not harmed. The report holds nothing of what was said.")
        self.text = QPlainTextEdit(report, self)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(now.font("code"))
        self.text.setAccessibleName(self.tr("Report"))
        self.copy = QuietButton(self.tr("Copy report"), self, glyph="copy")
        self.folder = QuietButton(self.tr("Open log folder"), self, glyph="open")
        close = PlainButton(self.tr("Close"), self)
        close.setDefault(True)
        foot = QHBoxLayout()
        foot.setSpacing(now.px(8))
        foot.addWidget(self.copy)
        foot.addWidget(self.folder)
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(20), now.px(20), now.px(20), now.px(20))
        column.setSpacing(now.px(8))
        column.addWidget(Label(title, "title", "text", self))
        column.addWidget(Label(says, "body", "text2", self, wrap=True))
        column.addSpacing(now.px(4))
        column.addWidget(self.text, 1)
        column.addSpacing(now.px(4))
        column.addLayout(foot)
        self.resize(now.px(640), now.px(400))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
        self.folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(logs))))
        close.clicked.connect(self.accept)
        close.setFocus()
