"""Settings, Meaning: who names the topics of a day, and where that one is. Holds at once; nothing is made anew by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tray_app.ui import meaning_texts, theme
from tray_app.ui.meaning_key import KeyRow
from tray_app.ui.meaning_rows import Outcome
from tray_app.ui.meaning_services import ServiceFields
from tray_app.ui.settings_rows import Choice, SettingRow

MAKERS = ("words", "ollama", "openai", "off")


class TopicsBox(QWidget):
    """A row with the choice, and the fields of the chosen one under it."""

    changed = Signal(str, object)
    keyKept = Signal(str)
    keyRemoved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, Any] = {"topics.maker": "words", "topics.model": "", "topics.url": ""}
        self.maker = Choice(MAKERS, self)
        self.row = SettingRow(self.maker, self)
        self.ollama = ServiceFields(cloud=False, chat=True, parent=self)
        self.cloud = ServiceFields(cloud=True, chat=True, parent=self)
        self.key = KeyRow("BACKSCROLL_TOPICS_KEY", self)
        self._key_name = self.cloud.add_field(self.key)
        self.leaves = Outcome(self)
        self.leaves.setContentsMargins(0, 0, 0, theme.current().px(10))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.row, self.ollama, self.cloud, self.leaves):
            column.addWidget(widget)
        self.maker.chosen.connect(self._choose)
        self.ollama.finished.connect(lambda: self._finished(self.ollama))
        self.cloud.finished.connect(lambda: self._finished(self.cloud))
        for fields in (self.ollama, self.cloud):
            fields.edited.connect(self._tell)
        self.key.kept.connect(self.keyKept)
        self.key.removed.connect(self.keyRemoved)
        self.retranslate()

    def load(self, values: Mapping[str, Any]) -> None:
        self._values = {key: values[key] for key in self._values}
        self.maker.set_value(str(values["topics.maker"]))
        for fields in (self.ollama, self.cloud):
            fields.set_values(str(values["topics.url"]), str(values["topics.model"]))
        self._tell()

    def show_key(self, has: bool, source: str, fault: str) -> None:
        self.key.show_key(has, source, fault, in_force=True)

    def retranslate(self) -> None:
        self.row.set_texts(
            self.tr("Topics of a day"), self.tr("What stands beside the days while the field is empty, and in case of doubt.")
        )
        self.maker.set_words(
            {
                "words": self.tr("From the words, here"),
                "ollama": self.tr("By a model of Ollama"),
                "openai": self.tr("By a cloud service"),
                "off": self.tr("Off"),
            }
        )
        self._key_name.setText(self.tr("Key"))
        for part in (self.ollama, self.cloud, self.key):
            part.retranslate()
        self._tell()

    def _fields(self) -> ServiceFields | None:
        return {"ollama": self.ollama, "openai": self.cloud}.get(self.maker.value())

    def _choose(self, maker: str) -> None:
        """Another maker: kept at once where it needs nothing, else as soon as its fields are filled in."""
        self._tell()
        fields = self._fields()
        if fields is None or fields.good:
            self._keep(maker)
        elif maker == "openai":
            fields.service.setFocus()
        else:
            fields.model.setFocus()

    def _finished(self, fields: ServiceFields) -> None:
        if fields is self._fields() and fields.good:
            self._keep(self.maker.value())

    def _keep(self, maker: str) -> None:
        fields = self._fields()
        wanted: dict[str, Any] = {}
        if fields is not None:
            url, model, _dims = fields.values()
            wanted |= {"topics.url": url, "topics.model": model}
        wanted["topics.maker"] = maker
        for key, value in wanted.items():
            if self._values[key] != value:
                self._values[key] = value
                self.changed.emit(key, value)
        self._tell()

    def _tell(self) -> None:
        maker, fields = self.maker.value(), self._fields()
        self.ollama.setVisible(fields is self.ollama)
        self.cloud.setVisible(fields is self.cloud)
        if fields is None:
            self.leaves.say("")
            return
        url, model, _dims = fields.values()
        host = meaning_texts.sent_to(maker, url, model)
        if not fields.good:
            self.leaves.say(self.tr("Until address and model are written, topics come from the words."), "info", "text2")
        elif host:
            said = self.tr(
                "To name a day's topics, titles and beginnings of what you said go to {host}, without secrets; never what "
                "agents or tools said."
            )
            self.leaves.say(said.format(host=host), "cloud", "text2")
        else:
            self.leaves.say(self.tr("What was said on a day stays on this machine."), "lock", "text2")
