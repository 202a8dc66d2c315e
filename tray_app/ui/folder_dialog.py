"""Adding a folder by hand: which agent wrote it, and where it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from tray_app.ui import theme, wording
from tray_app.ui.controls import Field, Label, PlainButton, PrimaryButton, QuietButton
from tray_app.ui.settings_rows import Choice

WIDTH = 480


class FolderDialog(QDialog):
    def __init__(self, agents: list[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        title = self.tr("Add a folder")
        self.setWindowTitle(title)
        self.agent = Choice(agents)
        self.agent.set_words({agent: wording.agent_name(agent) for agent in agents})
        self.agent.setAccessibleName(self.tr("Agent"))
        self.path = Field(self.tr("Folder"))
        self.path.setAccessibleName(self.tr("Folder"))
        self.browse = PlainButton(self.tr("Browse…"))
        self.fault = Label("", "detail", "danger", self, wrap=True)
        self.add = PrimaryButton(self.tr("Add folder"))
        self.add.setDefault(True)
        cancel = QuietButton(self.tr("Cancel"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(now.px(12))
        grid.setVerticalSpacing(now.px(12))
        for row, (word, field) in enumerate(((self.tr("Agent"), self.agent), (self.tr("Folder"), self.path))):
            label = Label(word, "body", "text2", self)
            label.setBuddy(field)  # on Linux a chooser has its name from its label alone
            grid.addWidget(label, row, 0)
        grid.addWidget(self.agent, 0, 1)
        place = QHBoxLayout()
        place.setSpacing(now.px(8))
        place.addWidget(self.path, 1)
        place.addWidget(self.browse, 0, Qt.AlignmentFlag.AlignVCenter)
        grid.addLayout(place, 1, 1)
        grid.addWidget(self.fault, 2, 1)
        grid.setColumnStretch(1, 1)
        foot = QHBoxLayout()
        foot.setSpacing(now.px(8))
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(20), now.px(20), now.px(20), now.px(20))
        column.setSpacing(now.px(8))
        column.addWidget(Label(title, "title", "text", self))
        says = self.tr("A folder in the shape this agent writes its sessions in. It is read, never written to.")
        column.addWidget(Label(says, "body", "text2", self, wrap=True))
        column.addSpacing(now.px(8))
        column.addLayout(grid)
        column.addSpacing(now.px(8))
        column.addLayout(foot)
        self.setFixedWidth(now.px(WIDTH))
        self.fault.hide()
        self.browse.clicked.connect(self._browse)
        self.add.clicked.connect(self._check)
        cancel.clicked.connect(self.reject)
        self.path.textEdited.connect(lambda _text: self._say(""))

    @classmethod
    def ask(cls, agents: list[str], parent: QWidget | None = None) -> tuple[str, str] | None:
        """The agent's id and the folder's path, or None."""
        dialog = cls(agents, parent)
        try:
            if dialog.exec() != QDialog.DialogCode.Accepted:
                return None
            return dialog.agent.value(), str(dialog.folder())
        finally:
            dialog.deleteLater()

    def folder(self) -> Path:
        return Path(self.path.text().strip()).expanduser()

    def _browse(self) -> None:
        found = QFileDialog.getExistingDirectory(self, self.tr("Folder with sessions"), self.path.text())
        if found:
            self.path.setText(found)
            self._say("")

    def _check(self) -> None:
        text = self.path.text().strip()
        if not text:
            self._say(self.tr("Choose a folder first."))
        elif not self.folder().is_absolute():
            self._say(self.tr("Write the whole path, from the beginning."))
        elif not self.folder().is_dir():
            self._say(self.tr("There is no such folder."))
        else:
            self.accept()

    def _say(self, sentence: str) -> None:
        self.path.set_error(sentence)
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        if sentence:
            self.path.setFocus()
