"""Services that can be asked: well-known addresses, and the fields of an address, a model and a length.

Owns the fields; says what is wrong with an address as soon as it is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from tray_app.ui.controls import Field, Label
from tray_app.ui.meaning_rows import Fields, Outcome
from tray_app.ui.settings_rows import Choice, Number

OLLAMA_URL = "http://127.0.0.1:11434"
OTHER = "other"


@dataclass(frozen=True)
class Preset:
    """A service with an address that works, and a model of it for embeddings and one for talk ('': none known)."""

    url: str
    model: str
    chat: str = ""


PRESETS = {
    "siliconflow": Preset("https://api.siliconflow.cn/v1", "BAAI/bge-m3", "Qwen/Qwen2.5-7B-Instruct"),
    "zhipu": Preset("https://open.bigmodel.cn/api/paas/v4", "embedding-3", "glm-4-flash"),
    "alibaba": Preset("https://dashscope.aliyuncs.com/compatible-mode/v1", "text-embedding-v4", "qwen-flash"),
    "openai": Preset("https://api.openai.com/v1", "text-embedding-3-small", "gpt-4o-mini"),
}


class ServiceTexts:
    @staticmethod
    def tr(text: str) -> str:
        return QCoreApplication.translate("ServiceTexts", text)

    def names(self) -> dict[str, str]:
        return {
            "siliconflow": self.tr("SiliconFlow"),
            "zhipu": self.tr("Zhipu AI"),
            "alibaba": self.tr("Alibaba Cloud"),
            "openai": "OpenAI",
            OTHER: self.tr("Another one"),
        }

    def wrong_address(self, url: str) -> str:
        """What is wrong with an address; '' for none and for a good one."""
        if not url:
            return ""
        if not url.startswith(("http://", "https://")):
            return self.tr("Begin with http:// or https://")
        try:
            parts = urlsplit(url)
            good = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            good = False
        if not good or any(char.isspace() for char in url):
            return self.tr("This address cannot be read.")
        if "@" in parts.netloc:
            return self.tr("Leave name and password out: the address is kept in a file.")
        return ""


texts = ServiceTexts()


class ServiceFields(Fields):
    """Address and model; for the cloud (`cloud`) also which service it is, and the length of vectors (`lengths`).
    `chat`: the models of the services are those for talk."""

    edited = Signal()
    """Something was changed by the person, at each key."""
    finished = Signal()
    """A field was left, or a service chosen."""

    def __init__(self, *, cloud: bool, lengths: bool = False, chat: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cloud, self._chat = cloud, chat
        self.service = Choice([*PRESETS, OTHER], self)
        self.url = Field("", self)
        self.model = Field("", self)
        self.wrong = Outcome(self)
        self.dims = Number(0, 8_192, 256, self)
        self._service_name = self.add_field(self.service, wide=-1) if cloud else None
        self._url_name = self.add_field(self.url)
        self.add_under(self.wrong)
        self._model_name = self.add_field(self.model)
        self._dims_name: Label | None = None
        self.dims_hint = Label("", "detail", "text2", self, wrap=True)
        if lengths:
            self._dims_name = self.add_field(self.dims, self.dims_hint, wide=1)
        for widget, shown in ((self.service, cloud), (self.dims, lengths), (self.dims_hint, lengths)):
            widget.setVisible(shown)
        self.service.chosen.connect(self._choose)
        for field in (self.url, self.model):
            field.textEdited.connect(self._edited)
            field.editingFinished.connect(self._left)
        self.dims.entered.connect(lambda _value: self._left())
        self.retranslate()

    def set_values(self, url: str, model: str, dims: int = 0) -> None:
        """Show these, unless they are shown already: what is being typed stays."""
        for field, value in ((self.url, url), (self.model, model)):
            if field.text().strip() != value:
                field.setText(value)
        self.dims.set_number(dims)
        self._tell()

    def values(self) -> tuple[str, str, int]:
        """Address, model, length (0: the model's own)."""
        return self.url.text().strip().rstrip("/"), self.model.text().strip(), self.dims.value()

    @property
    def good(self) -> bool:
        """All that is needed is there."""
        url, model, _dims = self.values()
        return bool(model) and (bool(url) or not self._cloud) and not texts.wrong_address(url)

    def retranslate(self) -> None:
        self.service.set_words(texts.names())
        if self._service_name is not None:
            self._service_name.setText(self.tr("Service"))
        self._url_name.setText(self.tr("Address"))
        self._model_name.setText(self.tr("Model"))
        self.service.setAccessibleName(self.tr("Service"))
        self.url.setAccessibleName(self.tr("Address"))
        self.model.setAccessibleName(self.tr("Model"))
        self.url.setPlaceholderText(self.tr("https://… up to /v1") if self._cloud else OLLAMA_URL)
        self._tell()
        if self._dims_name is not None:
            self._dims_name.setText(self.tr("Length"))
            self.dims.setAccessibleName(self.tr("Length of vectors"))
            self.dims.setSpecialValueText(self.tr("Model's own"))
            self.dims_hint.setText(self.tr("Some services can shorten them."))

    def _choose(self, name: str) -> None:
        if name in PRESETS:
            preset = PRESETS[name]
            known = {model for one in PRESETS.values() for model in (one.model, one.chat)}
            self.url.setText(preset.url)
            if self.model.text().strip() in known | {""}:
                self.model.setText(preset.chat if self._chat else preset.model)
        else:
            self.url.clear()
            self.url.setFocus()
        self._edited()
        self.finished.emit()

    def _edited(self) -> None:
        if self.url.error:
            self._say_wrong()
        self._tell()
        self.edited.emit()

    def _left(self) -> None:
        self._say_wrong()
        self._tell()
        self.edited.emit()
        self.finished.emit()

    def _say_wrong(self) -> None:
        sentence = texts.wrong_address(self.url.text().strip())
        self.url.set_error(sentence)
        self.wrong.say(sentence, "warn", "danger")

    def _tell(self) -> None:
        url = self.url.text().strip().rstrip("/")
        self.service.set_value(next((name for name, preset in PRESETS.items() if preset.url == url), OTHER))
        if self._cloud:
            preset = PRESETS.get(self.service.value())
            example = (preset.chat if self._chat else preset.model) if preset else ""
            self.model.setPlaceholderText(example)
        else:
            self.model.setPlaceholderText("qwen3:4b" if self._chat else "bge-m3")
