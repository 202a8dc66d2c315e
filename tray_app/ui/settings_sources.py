"""Settings, Sources: a row for each source found, with a switch; folders added by hand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tray_app.records import SourceView
from tray_app.service.backend import Backend
from tray_app.ui import theme, wording
from tray_app.ui.controls import Glyph, Label, PlainButton
from tray_app.ui.folder_dialog import FolderDialog
from tray_app.ui.settings_rows import Page
from tray_app.ui.source_rows import SourceRow
from tray_app.ui.tasks import Tasks


class SourcesPage(Page):
    sourcesChanged = Signal()
    faulted = Signal(object)

    def __init__(self, backend: Backend, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._backend, self._tasks = backend, tasks
        self._sources: list[SourceView] = []
        self._loaded = False
        self.add = PlainButton("", self, glyph="plus")
        self.head_right.addWidget(self.add)
        self.add.clicked.connect(self._add)
        self.retranslate()

    def load(self) -> None:
        """Look at the folders anew; what is known stays on show meanwhile."""
        self._tasks.run(self, self._backend.sources, self._show, self.faulted.emit)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Sources"))
        self.sentence.setText(self.tr("Backscroll reads only what is on here. It never writes to these folders."))
        self.add.setText(self.tr("Add folder…"))
        self._show(self._sources, loaded=self._loaded)

    def _show(self, sources: list[SourceView], *, loaded: bool = True) -> None:
        self._sources, self._loaded = list(sources), loaded
        focused = next((row.source.id for row in self.findChildren(SourceRow) if row.switch.hasFocus()), "")
        self.clear_rows()
        here = [source for source in sources if source.found or ":" in source.id]
        if not here:
            text = self.tr("No agent's sessions were found on this machine.") if loaded else self.tr("Looking for sessions…")
            self.add_row(_note(text, "info"), line=False)
        for source in here:
            row = SourceRow(source)
            row.switched.connect(self._switch)
            row.removed.connect(self._remove)
            self.add_row(row)
            if source.id == focused:
                row.switch.setFocus()
        absent = [wording.agent_name(source.agent) for source in sources if not source.found and ":" not in source.id]
        if absent and loaded:
            names = self.tr(", ", "between names").join(dict.fromkeys(absent))
            text = self.tr("Not found here: {names}. They will show up by themselves once they are used.").format(names=names)
            self.add_row(_note(text, "info"), line=False)

    def _switch(self, source: str, enabled: bool) -> None:
        self._change(lambda: self._backend.set_source(source, enabled))

    def _remove(self, source: str) -> None:
        self._change(lambda: self._backend.remove_folder(source))

    def _add(self) -> None:
        agents = list(dict.fromkeys(source.agent for source in self._sources))
        answer = FolderDialog.ask(agents or sorted(wording.AGENTS), self.window())
        if answer:
            agent, path = answer
            self._change(lambda: self._backend.add_folder(agent, path))

    def _change(self, work: Callable[[], list[SourceView]]) -> None:
        def done(sources: list[SourceView]) -> None:
            self._show(sources)
            self.sourcesChanged.emit()

        def failed(fault: object) -> None:
            self.faulted.emit(fault)
            self.load()  # the switch goes back to what is true

        self._tasks.run(self, work, done, failed)


def _note(text: str, glyph: str) -> QWidget:
    box = QWidget()
    line = QHBoxLayout(box)
    now = theme.current()
    line.setContentsMargins(0, now.px(16), 0, now.px(8))
    line.setSpacing(now.px(10))
    mark = Glyph(glyph, 14, "text2", box)
    line.addWidget(mark)
    line.addWidget(Label(text, "detail", "text2", box, wrap=True), 1)
    return box
