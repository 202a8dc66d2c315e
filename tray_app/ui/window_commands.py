"""What reaches the application from outside the GUI thread: commands of other processes, and how the engine is paused."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from tray_app.ui.indexer_thread import IndexSource
from tray_app.ui.topic_namer import NameSource


def pause_left(paused: bool, until: str | None) -> float:
    """Seconds until a pause ends; 0: there is none, inf: it ends when the person says so."""
    if not paused:
        return 0.0
    if until is None:
        return math.inf
    return max((datetime.fromisoformat(until.replace("Z", "+00:00")) - datetime.now(UTC)).total_seconds(), 0.0)


class Indexing(IndexSource, NameSource, Protocol):
    """The engine as the application needs it beside the backend."""

    def paused(self) -> tuple[bool, str | None]:
        """Whether indexing is paused, and until when (ISO; None: until it is resumed)."""
        ...

    def warm(self) -> None:
        """Somebody is about to ask: what a question needs is loaded, in the background."""
        ...


class WindowCommands(QObject):
    """What other processes ask of the window. Called on a thread of the server: only emits, and the receiver's thread
    does the rest."""

    toggleAsked = Signal()
    showAsked = Signal()
    quitAsked = Signal()

    def toggle(self) -> None:
        self.toggleAsked.emit()

    def show(self) -> None:
        self.showAsked.emit()

    def quit(self) -> None:
        self.quitAsked.emit()
