"""Letting the event loop run in a test."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QThread
from PySide6.QtWidgets import QApplication


def wait_until(true: Callable[[], bool], seconds: float = 30.0) -> None:
    """Let the event loop run until something holds; fails after the time given."""
    clock = QElapsedTimer()
    clock.start()
    while not true():
        assert clock.elapsed() < seconds * 1000, "waited in vain"
        QApplication.processEvents()
        QThread.msleep(2)
    QApplication.processEvents()
