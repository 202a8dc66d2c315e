"""The report of an error, and what the last run left."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tray_app.ui.crash_dialog import CrashDialog, earlier_crash, report_of


def test_the_report_has_neither_home_nor_secrets(app: QApplication) -> None:
    try:
        raise ValueError(f"token=abcdefgh12345678 at {Path.home()}/secret/place")
    except ValueError as fault:
        report = report_of(type(fault), fault, fault.__traceback__)
    assert "ValueError" in report
    assert "abcdefgh12345678" not in report
    assert str(Path.home()) not in report
    assert f"Python {sys.version_info[0]}.{sys.version_info[1]}" in report


def test_an_earlier_crash_is_offered_once(app: QApplication, tmp_path: Path) -> None:
    file = tmp_path / "crash-tray.txt"
    assert earlier_crash(file, "") is None
    file.write_text("")
    assert earlier_crash(file, "") is None
    file.write_text("Fatal Python error: Segmentation fault\n")
    found = earlier_crash(file, "")
    assert found is not None
    report, mark = found
    assert "Segmentation fault" in report
    assert earlier_crash(file, mark) is None
    file.write_text("Fatal Python error: Segmentation fault\nFatal Python error: Aborted\n")
    assert earlier_crash(file, mark) is not None


def test_it_can_be_copied(app: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = CrashDialog("the report", tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.copy.click()
    assert QApplication.clipboard().text() == "the report"
