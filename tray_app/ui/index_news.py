"""What the indexer says, made visible: the tray's state and figures, the window's progress, and the two notes it is worth.

Owns the figures last known and what needs the person. Decides nothing about indexing.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from tray_app.errors import AppError
from tray_app.records import IndexReport, Progress, Status
from tray_app.service.backend import Backend
from tray_app.ui import meaning_texts, wording
from tray_app.ui.indexer_thread import IndexerThread
from tray_app.ui.search_window import SearchWindow
from tray_app.ui.tasks import Tasks
from tray_app.ui.tray import Tray

MEANING_MS = 30_000
"""While the library is worked through for meaning, figures are asked for so often: no pass tells of it."""
STATUS_MS = 1500
"""Figures are asked for at most this often while a pass runs."""


class IndexNews(QObject):
    readFirst = Signal(str, str)
    """The first index is finished: title and text of a note."""
    troubled = Signal(str, str)
    """A pass failed in a way that was not told yet: title and text of a note."""

    def __init__(
        self,
        indexer: IndexerThread,
        backend: Backend,
        tasks: Tasks,
        tray: Tray,
        window: SearchWindow,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._indexer, self._backend, self._tasks = indexer, backend, tasks
        self._tray, self._window = tray, window
        self._status: Status | None = None
        self._attention: AppError | None = None
        self._stopped = ""
        """Why meaning has stopped, where the person must do something about it."""
        self._first = False
        self._passages = -1
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.timeout.connect(self.ask_status)
        indexer.progressed.connect(self._progressed)
        indexer.passed.connect(self._passed)
        indexer.failed.connect(self._failed)
        indexer.state_changed.connect(self._state_is)
        indexer.watching_changed.connect(self._watching_is)

    def close(self) -> None:
        self._refresh.stop()

    def ask_status(self) -> None:
        self._tasks.run(self, self._backend.status, self.status_is)

    def status_is(self, status: Status) -> None:
        """Figures that came, from here or from a call that gives them."""
        if self._status is None:
            self._first = status.built_at is None
        self._status = status
        totals, embedding = status.totals, status.embedding
        stopped = meaning_texts.state(embedding) if embedding.state == "stopped" else ""
        if stopped != self._stopped:
            self._stopped = stopped
            self._tray.set_facts(attention=self._attention_text(), state=self._shown(self._indexer.state))
        if embedding.backend != "off" and (embedding.missing or embedding.state == "waiting") and not self._refresh.isActive():
            self._refresh.start(MEANING_MS)
        self._tray.set_facts(
            passages=totals.chunks,
            sessions=totals.sessions,
            skipped=totals.skipped_records + totals.quarantined_files,
            paused_until=status.paused_until,
            leaves=status.leaves,
        )

    def _progressed(self, progress: Progress) -> None:
        self._tray.set_facts(progress=progress)
        self._window.set_progress(progress)
        if not self._refresh.isActive() or self._refresh.remainingTime() > STATUS_MS:
            self._refresh.start(STATUS_MS)

    def _passed(self, report: IndexReport) -> None:
        self._attention = None
        self._tray.set_facts(progress=None, attention=self._attention_text())
        self._state_is(self._indexer.state)
        self._window.set_progress(None)
        # A pass that found nothing new leaves what is on show alone.
        if report.totals.chunks != self._passages or any(source.bytes_read for source in report.sources):
            self._window.index_changed()
        self._passages = report.totals.chunks
        self.ask_status()
        if self._first and not report.stopped and report.totals.chunks:
            self._first = False
            figures = wording.passages_in_sessions(report.totals.chunks, report.totals.sessions)
            self.readFirst.emit(self.tr("All is read"), self.tr("{figures} can be searched now.").format(figures=figures))

    def _failed(self, fault: AppError) -> None:
        known = self._attention is not None and self._attention.code == fault.code
        self._attention = fault
        text = wording.error_text(fault)
        self._tray.set_facts(progress=None, attention=text)
        self._window.set_progress(None)
        self._state_is(self._indexer.state)
        if not known:
            self.troubled.emit(fault.title, text)

    def _state_is(self, state: str) -> None:
        self._tray.set_facts(state=self._shown(state))
        if state in ("paused", "idle"):
            self.ask_status()

    def _shown(self, state: str) -> str:
        """The state of the tray for one of the indexer. Paused is shown even if something failed before: the menu offers to
        resume by it."""
        troubled = self._attention is not None or bool(self._stopped) or state == "failed"
        return "attention" if troubled and state in ("idle", "failed", "") else state or "idle"

    def _attention_text(self) -> str:
        return wording.error_text(self._attention) if self._attention is not None else self._stopped

    def _watching_is(self, watching: bool) -> None:
        self._tray.set_facts(watching=watching)
