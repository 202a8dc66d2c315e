"""Settings, Meaning: which back end, its fields and its key; what leaves the machine; how far the library is; topics.

Another back end or model is chosen first and used when the person agrees to what it means, in a strip at the foot. Every
call to the backend runs on a thread. No key is kept here or shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from tray_app.errors import AppError
from tray_app.records import Download, MeaningTest, MeaningView, Status
from tray_app.service.backend import Backend
from tray_app.ui import meaning_change, meaning_texts
from tray_app.ui.controls import Switch
from tray_app.ui.meaning_choice import MeaningChoice
from tray_app.ui.meaning_progress import FillingBox, LeavesBox
from tray_app.ui.settings_index import RebuildStrip
from tray_app.ui.settings_rows import Page, SettingRow
from tray_app.ui.tasks import Tasks
from tray_app.ui.topics_box import TopicsBox

POLL_MS = 1000
"""While something goes on that is shown here, it is asked for so often."""


class MeaningPage(Page):
    changed = Signal(str, object)
    """A setting that holds at once."""
    settingKept = Signal(str, object)
    """A setting that was kept here."""
    faulted = Signal(object)

    def __init__(self, backend: Backend, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._backend, self._tasks = backend, tasks
        self._kept: dict[str, Any] | None = None
        self._view: MeaningView | None = None
        self._passages = 0
        self._trial = 0
        self._asking = False
        self.choice = MeaningChoice()
        self.leaves = LeavesBox()
        self.filling = FillingBox()
        self.background = Switch()
        self.background_row = SettingRow(self.background)
        self.topics = TopicsBox()
        for row in (self.choice, self.leaves, self.filling, self.background_row, self.topics):
            self.add_row(row)
        self.strip = RebuildStrip(self)
        self.strip.hide()
        column = self.layout()
        assert column is not None
        column.addWidget(self.strip)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._look_again)
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        self.choice.edited.connect(self._edited)
        self.choice.tested.connect(self.test)
        self.choice.fetched.connect(lambda name: self._call(lambda: self._backend.download_model(name), self._fetching))
        self.choice.fetch_cancelled.connect(lambda: self._call(self._backend.cancel_download, self._fetching))
        self.choice.mirror_kept.connect(lambda url: self.changed.emit("meaning.mirror", url))
        self.choice.key.kept.connect(lambda key: self._set_key("meaning", key))
        self.choice.key.removed.connect(lambda: self._set_key("meaning", None))
        self.background.clicked.connect(lambda on: self.changed.emit("meaning.background", on))
        self.topics.changed.connect(self.changed)
        self.topics.keyKept.connect(lambda key: self._set_key("topics", key))
        self.topics.keyRemoved.connect(lambda: self._set_key("topics", None))
        self.strip.agreed.connect(self.use)
        self.strip.undone.connect(self.undo)

    # --- what is true ------------------------------------------------------------------------------------------------
    def load(self, values: Mapping[str, Any]) -> None:
        """The settings in force. What was chosen and is not in force yet stays, if there is something."""
        kept = meaning_change.of_config(values)
        if self._kept is None or not meaning_change.is_another(self._kept, self.choice.wanted()):
            self.choice.load(kept, str(values["meaning.mirror"]))
        self._kept = kept
        self.background.setChecked(bool(values["meaning.background"]))
        self.topics.load(values)
        self._tell()

    def set_status(self, status: Status) -> None:
        self._passages = status.totals.chunks
        self._tell()

    def look(self) -> None:
        """Ask how things stand; at most one question at a time."""
        if not self._asking:
            self._asking = True
            self._tasks.run(self, self._backend.meaning, self._show, self._not_shown)

    def _look_again(self) -> None:
        """How far it is: the whole view only for a download, as it looks into the keyring too."""
        if self._view is None or self._view.download.state == "running":
            self.look()
        elif not self._asking:
            self._asking = True
            self._tasks.run(self, self._backend.status, self._show_figures, self._not_shown)

    def _show_figures(self, status: Status) -> None:
        if self._view is not None:
            self._show(msgspec.structs.replace(self._view, embedding=status.embedding))

    def retranslate(self) -> None:
        self.title.setText(self.tr("Meaning"))
        self.sentence.setText(
            self.tr("Finds what was meant, not only what was written. Words always work, whatever you choose here.")
        )
        self.choice.retranslate()
        self.background_row.set_texts(
            self.tr("Work through the library by itself"),
            self.tr("Off: nothing is added to what can be found by meaning."),
        )
        self.topics.retranslate()
        self.strip.undo.setText(self.tr("Undo", "a choice that is not in force yet"))
        self.strip.apply.setText(self.tr("Use it"))
        if self._view is not None:
            self.filling.show_embedding(self._view.embedding)
        self._tell()

    # --- what the person does ----------------------------------------------------------------------------------------
    def test(self) -> None:
        """Try what is chosen, in force or not."""
        self._trial += 1
        trial, wanted, key = self._trial, self.choice.wanted(), self.choice.key_typed()
        self.choice.say_outcome(None, running=True)

        def done(outcome: MeaningTest) -> None:
            if trial == self._trial:
                self.choice.say_outcome(outcome)

        def failed(fault: AppError) -> None:
            if trial == self._trial:
                self.choice.say_outcome(None)
            self.faulted.emit(fault)

        self._tasks.run(self, lambda: self._backend.test_meaning(wanted, key), done, failed)

    def use(self) -> None:
        """Put in force what is chosen; then keep the key that was typed for it."""
        if self._kept is None or self.choice.missing():
            return
        steps = meaning_change.steps(self._kept, self.choice.wanted())
        key = self.choice.key_typed()

        def work() -> list[tuple[str, Any]]:
            kept = [(name, self._backend.set_config(name, value)) for name, value in steps]
            if key is not None:
                self._backend.set_key("meaning", key)
            return kept

        def done(kept: list[tuple[str, Any]]) -> None:
            self.choice.key.forget_typed()
            for name, value in kept:
                self.settingKept.emit(name, value)
            self._reload()

        def failed(fault: AppError) -> None:
            self.faulted.emit(fault)
            self._reload()

        self.strip.apply.setEnabled(False)
        self._tasks.run(self, work, done, failed)

    def undo(self) -> None:
        """Back to what is in force."""
        self.choice.key.forget_typed()
        self._kept = None
        self._reload()

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def hideEvent(self, event: QHideEvent) -> None:
        self._poll.stop()
        super().hideEvent(event)

    # --- answers -----------------------------------------------------------------------------------------------------
    def _call(self, work: Any, done: Any) -> None:
        self._tasks.run(self, work, done, self.faulted.emit)

    def _reload(self) -> None:
        def done(values: dict[str, Any]) -> None:
            self._kept = None
            self.load(values)
            self.look()

        self._call(self._backend.config, done)

    def _set_key(self, purpose: str, key: str | None) -> None:
        row = self.choice.key if purpose == "meaning" else self.topics.key

        def done(view: MeaningView) -> None:
            row.forget_typed()
            self._show(view)

        self._call(lambda: self._backend.set_key(purpose, key), done)

    def _fetching(self, _download: Download) -> None:
        self.look()

    def _show(self, view: MeaningView) -> None:
        self._asking = False
        self._view = view
        self.choice.show_view(view)
        self.topics.show_key(view.topics_key_kept, view.topics_key_from, view.keyring_fault)
        self.filling.show_embedding(view.embedding)
        self._tell()
        busy = view.download.state == "running" or view.embedding.state in ("filling", "waiting") or view.embedding.missing > 0
        if busy and self.isVisible():
            self._poll.start()
        else:
            self._poll.stop()

    def _not_shown(self, fault: AppError) -> None:
        self._asking = False
        self._poll.stop()
        self.faulted.emit(fault)

    def _edited(self) -> None:
        self._trial += 1  # what is being tried is not what stands there any more
        self._tell()

    def _tell(self) -> None:
        """What leaves the machine with what is chosen, and the strip, if that is not in force."""
        wanted, host = self.choice.wanted(), self.choice.host()
        backend = str(wanted["backend"])
        self.leaves.show_backend(backend, host)
        kept = self._kept
        another = kept is not None and meaning_change.is_another(kept, wanted)
        self.strip.setVisible(another)
        if kept is None or not another:
            return
        missing = self.choice.missing()
        remade = meaning_change.is_remade(kept, wanted)
        self.strip.apply.setEnabled(not missing)
        self.strip.words.setText(missing or meaning_texts.change(backend, host, self._passages, remade=remade))
