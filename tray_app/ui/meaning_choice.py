"""The five back ends of meaning as radio rows, with the fields of the chosen one under it.

Owns what the person has chosen and typed so far; nothing of it is in force. The page keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from tray_app.records import MeaningTest, MeaningView
from tray_app.ui import meaning_texts
from tray_app.ui.controls import Field
from tray_app.ui.meaning_key import KeyRow
from tray_app.ui.meaning_models import ModelList
from tray_app.ui.meaning_rows import Fields, Outcome, RadioRow, TrialRow
from tray_app.ui.meaning_services import ServiceFields
from tray_app.ui.meaning_services import texts as service_texts

BACKENDS = ("off", "builtin", "fastembed", "ollama", "openai")
MARKS = {"builtin": "lock", "fastembed": "lock", "openai": "cloud"}


class MeaningChoice(QWidget):
    edited = Signal()
    """Another choice, or another text in its fields."""
    tested = Signal()
    fetched = Signal(str)
    fetch_cancelled = Signal()
    mirror_kept = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: MeaningView | None = None
        self._kept: Mapping[str, Any] = {"backend": "off", "model": "", "url": "", "dims": 0}
        self._mirror_kept = ""
        self._tested: MeaningTest | None = None
        self.group = QButtonGroup(self)
        self.rows: dict[str, RadioRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._sections: dict[str, Fields] = {}
        for backend in BACKENDS:
            row = RadioRow(backend, MARKS.get(backend, ""), self)
            self.rows[backend] = row
            self.group.addButton(row.radio)
            column.addWidget(row)
            section = self._section(backend)
            if section is not None:
                self._sections[backend] = section
                column.addWidget(section)
            row.radio.clicked.connect(self._chose)
        self.retranslate()
        self._show_section()

    def _section(self, backend: str) -> Fields | None:
        if backend == "builtin":
            builtin = Fields(self)
            self.try_builtin = TrialRow(builtin)
            builtin.add_field(self.try_builtin)
            self.try_builtin.button.clicked.connect(self.tested)
            return builtin
        if backend == "fastembed":
            chosen = Fields(self)
            self.models = ModelList(chosen)
            self.mirror = Field("https://huggingface.co", chosen)
            self.mirror_wrong = Outcome(chosen)
            self.try_fastembed = TrialRow(chosen)
            chosen.add_under(self.models, whole=True)
            self._mirror_name = chosen.add_field(self.mirror)
            chosen.add_under(self.mirror_wrong)
            chosen.add_field(self.try_fastembed)
            self.models.chosen.connect(self._edited)
            self.models.fetched.connect(self.fetched)
            self.models.cancelled.connect(self.fetch_cancelled)
            self.mirror.editingFinished.connect(self._mirror_left)
            self.try_fastembed.button.clicked.connect(self.tested)
            return chosen
        if backend == "ollama":
            self.ollama = ServiceFields(cloud=False, parent=self)
            self.try_ollama = TrialRow(self.ollama)
            self.ollama.add_field(self.try_ollama)
            self.try_ollama.button.clicked.connect(self.tested)
            self.ollama.edited.connect(self._edited)
            return self.ollama
        if backend == "openai":
            self.cloud = ServiceFields(cloud=True, lengths=True, parent=self)
            self.key = KeyRow("BACKSCROLL_MEANING_KEY", self.cloud)
            self._key_name = self.cloud.add_field(self.key)
            self.try_cloud = TrialRow(self.cloud)
            self.cloud.add_field(self.try_cloud)
            self.try_cloud.button.clicked.connect(self.tested)
            self.cloud.edited.connect(self._edited)
            self.key.edited.connect(self._edited)
            return self.cloud
        return None

    # --- what is shown and chosen ------------------------------------------------------------------------------------
    @property
    def backend(self) -> str:
        return next((name for name, row in self.rows.items() if row.radio.isChecked()), "off")

    def wanted(self) -> dict[str, Any]:
        """The settings as chosen and typed, without their group."""
        backend = self.backend
        made = {**self._kept, "backend": backend}
        if backend == "fastembed":
            made["model"] = self.models.value()
        elif backend in ("ollama", "openai"):
            url, model, dims = (self.ollama if backend == "ollama" else self.cloud).values()
            made |= {"url": url, "model": model, "dims": dims if backend == "openai" else 0}
        return made

    def key_typed(self) -> str | None:
        return self.key.typed() if self.backend == "openai" else None

    def host(self) -> str | None:
        """Where texts would be sent; '' for nowhere, None while that is not known."""
        wanted = self.wanted()
        return meaning_texts.sent_to(str(wanted["backend"]), str(wanted["url"]), str(wanted["model"]))

    def missing(self) -> str:
        """What has to be done before it can be used, a sentence; '' for nothing."""
        backend = self.backend
        if backend == "fastembed" and not self.models.value():
            return self.tr("Choose a model first.")
        if backend == "fastembed" and not self.models.is_here():
            return self.tr("Download the model first.")
        if backend == "ollama" and not self.ollama.good:
            return self.tr("Write the model first.")
        if backend == "openai" and not self.cloud.good:
            return self.tr("Write address and model first.")
        return ""

    def load(self, kept: Mapping[str, Any], mirror: str) -> None:
        """Show the settings in force, in place of what was chosen."""
        self._kept = dict(kept)
        backend = str(kept["backend"])
        self.rows[backend].radio.setChecked(True)
        url, model, dims = str(kept["url"]), str(kept["model"]), int(kept["dims"])
        if backend == "fastembed":
            self.models.set_value(model)
        elif backend == "ollama":
            self.ollama.set_values(url, model)
        elif backend == "openai":
            self.cloud.set_values(url, model, dims)
        self._mirror_kept = mirror
        if not self.mirror.hasFocus():
            self.mirror.setText(mirror)
        self._show_section()

    def show_view(self, view: MeaningView) -> None:
        self._view = view
        before = self.models.stops
        self.models.show_models(view.models, view.download)
        if self.models.stops != before:
            # rows that are made late come last for Tab, wherever they stand
            chain = [self.rows["fastembed"].radio, *self.models.stops, self.mirror, self.try_fastembed.button]
            for one, two in pairwise([*chain, self.rows["ollama"].radio]):
                QWidget.setTabOrder(one, two)
        self._show_key()

    def say_outcome(self, test: MeaningTest | None, *, running: bool = False) -> None:
        """What a test said, beside its button; None: nothing. `running`: it is under way."""
        self._tested = test
        for trial in self._trials():
            outcome = trial.outcome
            trial.button.setEnabled(not running)
            if running:
                outcome.say(self.tr("Trying…"), "info", "text2")
            elif test is None:
                outcome.say("")
            elif test.ok:
                outcome.say(meaning_texts.outcome(test), "check", "accent_text")
            else:
                outcome.say(meaning_texts.outcome(test), "warn", "warn")

    def retranslate(self) -> None:
        for backend, name, consequence in (
            ("off", self.tr("Off"), self.tr("Words only.")),
            ("builtin", self.tr("On this machine"), self.tr("Works at once, offline. Nothing leaves this machine.")),
            (
                "fastembed",
                self.tr("Another model"),
                self.tr("Downloaded once, then offline. Finds better, takes more room."),
            ),
            ("ollama", self.tr("Ollama"), self.tr("A model that your own Ollama serves.")),
            ("openai", self.tr("Cloud service"), self.tr("Any OpenAI-compatible address. Sends text away.")),
        ):
            self.rows[backend].set_texts(name, consequence)
        name_at_least = max(row.name_width() for row in self.rows.values())
        for row in self.rows.values():
            row.set_name_width(name_at_least)
        for section in self._sections.values():
            section.set_name_width(name_at_least)
        self._mirror_name.setText(self.tr("Mirror"))
        self._key_name.setText(self.tr("Key"))
        self.mirror.setAccessibleName(self.tr("Where models are downloaded from"))
        for trial in self._trials():
            trial.button.setText(self.tr("Test"))
            trial.button.setAccessibleName(self.tr("Test this model"))
        for part in (self.models, self.ollama, self.cloud, self.key):
            part.retranslate()
        self.say_outcome(self._tested)

    def _trials(self) -> tuple[TrialRow, ...]:
        return (self.try_builtin, self.try_fastembed, self.try_ollama, self.try_cloud)

    def _show_section(self) -> None:
        for backend, section in self._sections.items():
            section.setVisible(backend == self.backend)
        self._show_key()

    def _show_key(self) -> None:
        view, wanted = self._view, self.wanted()
        in_force = self._kept["backend"] == "openai" and self._kept["url"] == wanted["url"] and bool(wanted["url"])
        if view is not None:
            self.key.show_key(view.key_kept, view.key_from, view.keyring_fault, in_force=in_force)

    def _chose(self) -> None:
        if self.backend == "fastembed" and not self.models.value():
            self.models.suggest()
        self._show_section()
        self._edited()

    def _edited(self) -> None:
        self._show_key()
        self.say_outcome(None)
        self.edited.emit()

    def _mirror_left(self) -> None:
        text = self.mirror.text().strip().rstrip("/")
        wrong = service_texts.wrong_address(text)
        self.mirror.set_error(wrong)
        self.mirror_wrong.say(wrong, "warn", "danger")
        if not wrong and text != self._mirror_kept:
            self._mirror_kept = text
            self.mirror_kept.emit(text)
