"""Settings, Meaning: nothing is in force before it is agreed to, keys are never shown, downloads and tests run beside."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import meanings
import msgspec
import pytest
import samples
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot
from surroundings import Login, SettledBackend

from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.records import Departure, Download, MeaningTest, MeaningView
from tray_app.ui import i18n, settings_meaning
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.meaning_services import PRESETS, texts
from tray_app.ui.settings_dialog import SettingsDialog
from tray_app.ui.settings_index import PrivacyPage
from tray_app.ui.settings_meaning import MeaningPage
from tray_app.ui.tasks import Tasks

CLOUD = {"meaning.backend": "openai", "meaning.url": "https://api.siliconflow.cn/v1", "meaning.model": "BAAI/bge-m3"}
SECRET = "sk-a-secret-of-the-person"


class Stage:
    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot, self.folder = qtbot, folder
        self.backend, self.tasks = SettledBackend(), Tasks()
        self.kept: list[tuple[str, Any]] = []

    def open(self, **settings: Any) -> SettingsDialog:
        for key, value in settings.items():
            self.backend.real.set(key, value)
        self.dialog = SettingsDialog(
            self.backend, self.tasks, Paths.from_environment({"BACKSCROLL_HOME": str(self.folder)}), Login()
        )
        self.qtbot.addWidget(self.dialog)
        self.dialog.settingChanged.connect(lambda key, value: self.kept.append((key, value)))
        self.dialog.open("meaning")
        self.wait(lambda: self.page._view is not None and self.page._kept is not None and self.page._passages == 12_345)
        return self.dialog

    @property
    def page(self) -> MeaningPage:
        return self.dialog.meaning

    def wait(self, condition: Any) -> None:
        self.qtbot.waitUntil(condition, timeout=3000)

    def choose(self, backend: str) -> None:
        self.page.choice.rows[backend].radio.click()


@pytest.fixture
def stage(app: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(qtbot, tmp_path)
    yield made
    made.tasks.close()


def shown_texts(stage: Stage) -> str:
    labels = [label.text() for label in stage.dialog.findChildren(QLabel)]
    names = [widget.accessibleName() + widget.accessibleDescription() for widget in stage.dialog.findChildren(QLineEdit)]
    return " ".join((*labels, *names))


# --- choosing --------------------------------------------------------------------------------------------------------
def test_what_is_in_force_is_chosen_and_nothing_is_to_be_agreed_to(stage: Stage) -> None:
    stage.open(**CLOUD)
    choice = stage.page.choice
    assert choice.backend == "openai"
    assert choice.cloud.isVisible() and not choice.ollama.isVisible()
    assert choice.cloud.values() == ("https://api.siliconflow.cn/v1", "BAAI/bge-m3", 0)
    assert choice.cloud.service.value() == "siliconflow"
    assert not stage.page.strip.isVisible()


def test_another_back_end_is_said_first_and_used_when_agreed_to(stage: Stage) -> None:
    stage.open(**CLOUD)
    stage.choose("builtin")
    page = stage.page
    assert page.strip.words.text() == (
        "12,345 passages are worked through anew, in the background. Words find everything meanwhile."
    )
    assert page.leaves.leaves.text() == "Nothing."
    assert stage.backend.real["meaning.backend"] == "openai"
    page.strip.apply.click()
    stage.wait(lambda: stage.kept == [("meaning.backend", "builtin")])
    stage.wait(lambda: not page.strip.isVisible())
    assert stage.backend.real["meaning.url"] == CLOUD["meaning.url"]


def test_undo_goes_back_to_what_is_in_force(stage: Stage) -> None:
    stage.open(**{"meaning.backend": "builtin"})
    stage.choose("openai")
    stage.page.choice.key.field.setText(SECRET)
    stage.page.strip.undo.click()
    stage.wait(lambda: stage.page.choice.backend == "builtin")
    assert not stage.page.strip.isVisible()
    assert stage.page.choice.key.field.text() == ""
    assert stage.backend.asked("set_config") == []


def test_a_service_is_filled_in_tried_and_used_with_its_key(stage: Stage) -> None:
    stage.open(**{"meaning.backend": "builtin"})
    stage.choose("openai")
    page, cloud = stage.page, stage.page.choice.cloud
    assert (page.strip.words.text(), page.strip.apply.isEnabled()) == ("Write address and model first.", False)
    cloud.service.setCurrentIndex(cloud.service.findData("zhipu"))
    cloud.service.activated.emit(cloud.service.currentIndex())
    assert cloud.values() == ("https://open.bigmodel.cn/api/paas/v4", "embedding-3", 0)
    page.choice.key.field.setText(SECRET)
    assert page.leaves.leaves.text().endswith("to open.bigmodel.cn.")
    assert page.strip.words.text().startswith("12,345 passages are sent to open.bigmodel.cn")
    page.choice.try_cloud.button.click()
    stage.wait(lambda: page.choice.try_cloud.outcome.text == "Answered in 210 ms, 1,024 dimensions.")
    values, key = stage.backend.asked("test_meaning")[0]
    assert (values["backend"], values["url"], values["model"], values["dims"], key) == (
        "openai", "https://open.bigmodel.cn/api/paas/v4", "embedding-3", 0, SECRET,
    )  # fmt: skip
    assert stage.backend.asked("set_key") == []
    page.strip.apply.click()
    stage.wait(lambda: stage.backend.keys == {"meaning": SECRET})
    assert stage.backend.asked("set_config") == [
        ("meaning.backend", "off"),
        ("meaning.model", "embedding-3"),
        ("meaning.url", "https://open.bigmodel.cn/api/paas/v4"),
        ("meaning.backend", "openai"),
    ]
    stage.wait(lambda: page.choice.key.words.isVisible())
    assert page.choice.key.field.text() == ""
    assert SECRET not in shown_texts(stage)


def test_what_was_tried_is_void_once_it_was_changed(stage: Stage) -> None:
    stage.open(**CLOUD)
    gate = threading.Event()
    stage.backend.before = lambda name, _argument: gate.wait(5) and None if name == "test_meaning" else None
    trial = stage.page.choice.try_cloud
    trial.button.click()
    assert (trial.outcome.text, trial.button.isEnabled()) == ("Trying…", False)
    gate.set()
    stage.wait(lambda: trial.outcome.text.startswith("Answered"))
    QTest.keyClicks(stage.page.choice.cloud.model, "x")
    assert trial.outcome.text == ""


def test_an_answer_that_comes_after_a_change_is_dropped(stage: Stage) -> None:
    stage.open(**CLOUD)
    gate = threading.Event()
    stage.backend.before = lambda name, _argument: gate.wait(5) and None if name == "test_meaning" else None
    trial = stage.page.choice.try_cloud
    trial.button.click()
    QTest.keyClicks(stage.page.choice.cloud.model, "x")
    gate.set()
    stage.wait(lambda: len(stage.backend.asked("test_meaning")) == 1)
    QTest.qWait(60)
    assert (trial.outcome.text, trial.button.isEnabled()) == ("", True)


def test_a_fault_says_what_to_do(stage: Stage) -> None:
    stage.open(**CLOUD)
    stage.backend.outcome = MeaningTest(ok=False, code="embedding_bad_model", message="In English.")
    stage.page.choice.try_cloud.button.click()
    stage.wait(
        lambda: (
            stage.page.choice.try_cloud.outcome.text
            == "The model is not there or is damaged. See how the model is written, or download it again."
        )
    )


def test_a_change_that_cannot_be_kept_is_told(stage: Stage) -> None:
    stage.open(**CLOUD)

    def refuse(name: str, _argument: Any) -> None:
        if name == "set_config":
            raise KnownError("settings_unwritable", "Not saved", "No.")

    stage.backend.before = refuse
    stage.choose("off")
    assert stage.page.strip.words.text() == "Search goes by words alone then, and no text is sent anywhere."
    stage.page.strip.apply.click()
    stage.wait(lambda: stage.dialog.fault.isVisible())
    stage.wait(lambda: stage.page.choice.backend == "openai")


def test_arrow_keys_choose_without_using(stage: Stage) -> None:
    stage.open(**CLOUD)
    stage.page.choice.rows["openai"].radio.setFocus()
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
    assert stage.page.choice.backend == "builtin"
    assert stage.backend.asked("set_config") == []


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("api.example.com/v1", "Begin with http:// or https://"),
        ("https://", "This address cannot be read."),
        ("https://a b/v1", "This address cannot be read."),
        ("https://host:99999/v1", "This address cannot be read."),
        ("https://me:secret@host/v1", "Leave name and password out: the address is kept in a file."),
        ("https://api.example.com/v1", ""),
        ("", ""),
    ],
)
def test_addresses(stage: Stage, url: str, wrong: str) -> None:
    stage.open(**CLOUD)
    cloud = stage.page.choice.cloud
    cloud.url.setText(url)
    cloud.url.editingFinished.emit()
    assert (cloud.url.error, cloud.wrong.text) == (wrong, wrong)
    assert stage.page.strip.apply.isEnabled() is bool(url and not wrong)


def test_presets_are_good_addresses() -> None:
    assert {texts.wrong_address(preset.url) for preset in PRESETS.values()} == {""}
    assert set(PRESETS) < set(texts.names())


# --- the key ---------------------------------------------------------------------------------------------------------
def test_a_key_is_kept_at_once_for_the_service_in_force(stage: Stage) -> None:
    stage.open(**CLOUD)
    key = stage.page.choice.key
    assert key.field.echoMode() == QLineEdit.EchoMode.Password
    assert not key.keep.isEnabled()
    QTest.keyClicks(key.field, SECRET)
    key.keep.click()
    stage.wait(lambda: key.words.isVisible())
    assert (key.words.text(), stage.backend.keys) == ("Set, kept in the system keyring", {"meaning": SECRET})
    assert key.field.text() == ""
    key.replace.click()
    assert key.field.isVisible() and key.field.hasFocus() and key.back.isVisible()
    key.back.click()
    assert key.words.isVisible()


def test_removing_a_key_asks_first(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.backend.view = MeaningView(
        embedding=meanings.embedding("ready", "openai"), models=meanings.MODELS, key_kept=True, key_from="keyring"
    )
    stage.open(**CLOUD)
    answers = [False, True]
    monkeypatch.setattr(ConfirmDialog, "ask", lambda *_words: answers.pop(0))
    key = stage.page.choice.key
    key.remove.click()
    assert stage.backend.asked("set_key") == []
    key.remove.click()
    stage.wait(lambda: stage.backend.asked("set_key") == [("meaning", None)])
    stage.wait(lambda: key.field.isVisible())


def test_a_key_of_the_environment_cannot_be_removed_here(stage: Stage) -> None:
    stage.backend.view = MeaningView(
        embedding=meanings.embedding("ready", "openai"), key_kept=True, key_from="environment", keyring_fault="No keyring."
    )
    stage.open(**CLOUD)
    key = stage.page.choice.key
    assert (key.words.text(), key.remove.isVisible(), key.note.text) == ("Set in the environment", False, "")


def test_a_keyring_that_cannot_be_used_is_said_with_the_way_around(stage: Stage) -> None:
    stage.backend.view = MeaningView(embedding=meanings.embedding("ready", "openai"), keyring_fault="No keyring is running.")
    stage.open(**CLOUD)
    key = stage.page.choice.key
    key.field.setText(SECRET)
    assert key.note.text == (
        "The system keyring cannot be used: No keyring is running. Set BACKSCROLL_MEANING_KEY in the environment instead."
    )
    assert not key.keep.isEnabled()
    QTest.keyClick(key.field, Qt.Key.Key_Return)
    assert stage.backend.asked("set_key") == []


def test_a_key_that_is_refused_by_the_keyring_is_told(stage: Stage) -> None:
    stage.open(**CLOUD)
    stage.backend.keyring_works = False
    stage.page.choice.key.field.setText(SECRET)
    stage.page.choice.key.keep.click()
    stage.wait(lambda: stage.dialog.fault.isVisible())
    assert stage.dialog.fault.words.text().startswith("The system keyring cannot be used")
    assert stage.page.choice.key.field.text() == SECRET


def test_a_typed_key_is_forgotten_with_the_page(stage: Stage) -> None:
    stage.open(**CLOUD)
    stage.page.choice.key.field.setText(SECRET)
    stage.dialog.side.setCurrentRow(0)
    assert stage.page.choice.key.field.text() == ""


# --- models ----------------------------------------------------------------------------------------------------------
def test_models_are_listed_and_the_one_that_is_here_is_suggested(stage: Stage) -> None:
    stage.open(**{"meaning.backend": "builtin"})
    stage.choose("fastembed")
    models = stage.page.choice.models
    rows = models.rows
    assert list(rows) == [*(model.name for model in meanings.MODELS), ""]
    assert rows["jinaai/jina-embeddings-v2-base-zh"].details.text() == (
        "recommended · 640 MB · Chinese and English · Apache-2.0"
    )
    assert rows["intfloat/multilingual-e5-large"].details.text() == "finds best · 2.2 GB · many languages · MIT"
    assert models.value() == "BAAI/bge-small-zh-v1.5"
    assert rows["BAAI/bge-small-zh-v1.5"].here.isVisible()
    assert stage.page.strip.apply.isEnabled()
    stage.page.strip.apply.click()
    stage.wait(lambda: stage.backend.real["meaning.model"] == "BAAI/bge-small-zh-v1.5")
    assert stage.backend.real["meaning.backend"] == "fastembed"


def test_a_model_is_downloaded_with_a_bar_and_can_be_cancelled(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_meaning, "POLL_MS", 20)
    stage.open(**{"meaning.backend": "builtin"})
    stage.page._poll.setInterval(20)
    stage.choose("fastembed")
    name = "jinaai/jina-embeddings-v2-base-zh"
    row = stage.page.choice.models.rows[name]
    row.radio.click()
    assert (stage.page.strip.words.text(), stage.page.strip.apply.isEnabled()) == ("Download the model first.", False)
    row.fetch.click()
    stage.wait(lambda: row.bar.isVisible())
    assert stage.backend.asked("download_model") == [name]
    assert not row.fetch.isVisible() and not stage.page.choice.models.rows["intfloat/multilingual-e5-large"].fetch.isEnabled()
    running = Download(model=name, state="running", done=320_000_000, total=640_000_000)
    stage.backend.view = msgspec.structs.replace(stage.backend.view, download=running)
    stage.wait(lambda: row.amount.text() == "320 MB of 640 MB")
    row.cancel.click()
    stage.wait(lambda: row.fetch.isVisible() and row.fetch.isEnabled())
    row.fetch.click()
    stage.wait(lambda: row.bar.isVisible())
    here = tuple(msgspec.structs.replace(model, downloaded=True) for model in meanings.MODELS)
    stage.backend.view = msgspec.structs.replace(stage.backend.view, models=here, download=Download(model=name, state="done"))
    stage.wait(lambda: row.here.isVisible())
    assert stage.page.choice.models.rows[name] is row
    stage.wait(stage.page.strip.apply.isEnabled)


def test_a_download_that_failed_says_why(stage: Stage) -> None:
    name = meanings.MODELS[0].name
    stage.backend.view = msgspec.structs.replace(
        stage.backend.view, download=Download(model=name, state="failed", error="The disk is full.")
    )
    stage.open(**{"meaning.backend": "fastembed", "meaning.model": name})
    row = stage.page.choice.models.rows[name]
    assert row.radio.isChecked()
    assert row.details.text() == "The download failed: The disk is full."


def test_a_folder_of_ones_own(stage: Stage, tmp_path: Path) -> None:
    stage.open(**{"meaning.backend": "builtin"})
    stage.choose("fastembed")
    stage.page.choice.models.take_folder(str(tmp_path))
    assert stage.page.choice.wanted()["model"] == str(tmp_path)
    assert stage.page.strip.apply.isEnabled()
    stage.page.strip.apply.click()
    stage.wait(lambda: stage.backend.real["meaning.model"] == str(tmp_path))
    stage.wait(lambda: not stage.page.strip.isVisible())
    assert stage.page.choice.models.value() == str(tmp_path)


def test_the_mirror_holds_at_once(stage: Stage) -> None:
    stage.open(**{"meaning.backend": "fastembed", "meaning.model": "BAAI/bge-small-zh-v1.5"})
    mirror = stage.page.choice.mirror
    mirror.setText("hf-mirror.example")
    mirror.editingFinished.emit()
    assert mirror.error == "Begin with http:// or https://"
    mirror.setText("https://hf-mirror.example/")
    mirror.editingFinished.emit()
    stage.wait(lambda: stage.kept == [("meaning.mirror", "https://hf-mirror.example")])


# --- progress, background, topics ------------------------------------------------------------------------------------
def test_progress_is_figures_a_bar_and_sentences(stage: Stage) -> None:
    stage.backend.view = MeaningView(embedding=meanings.embedding("filling", refused=3))
    stage.open(**{"meaning.backend": "builtin"})
    filling = stage.page.filling
    assert filling.heading.text() == "Working through the library"
    assert filling.figures.text() == "4,120 of 12,345 passages, about 9 min left"
    assert filling.bar.isVisible() and filling.bar.value() == 334
    assert filling.sentence.text().startswith("914 a minute.")


@pytest.mark.parametrize(
    ("state", "heading", "trouble"),
    [
        ("ready", "All is in", ""),
        ("waiting", "Waiting, goes on by itself", "The service cannot be reached."),
        ("stopped", "Stopped", "The service cannot be reached."),
    ],
)
def test_other_states_say_so(stage: Stage, state: str, heading: str, trouble: str) -> None:
    code = "embedding_unreachable" if trouble else ""
    stage.backend.view = MeaningView(embedding=meanings.embedding(state, "openai", error_code=code))
    stage.open(**CLOUD)
    assert stage.page.filling.heading.text() == heading
    assert stage.page.filling.trouble.text.startswith(trouble)


def test_polling_ends_with_the_work_and_never_looks_into_the_keyring(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.backend.view = MeaningView(embedding=meanings.embedding("filling"))
    stage.backend.state = msgspec.structs.replace(stage.backend.state, embedding=meanings.embedding("filling"))
    stage.open(**{"meaning.backend": "builtin"})
    stage.page._poll.setInterval(20)
    before = len(stage.backend.asked("status"))
    stage.wait(lambda: len(stage.backend.asked("status")) > before + 2)
    assert len(stage.backend.asked("meaning")) == 1
    stage.backend.state = msgspec.structs.replace(stage.backend.state, embedding=meanings.embedding("ready"))
    stage.wait(lambda: not stage.page._poll.isActive())
    assert stage.page.filling.heading.text() == "All is in"


def test_background_is_a_switch_that_holds_at_once(stage: Stage) -> None:
    stage.open(**{"meaning.backend": "builtin"})
    assert stage.page.background.isChecked()
    stage.page.background.click()
    stage.wait(lambda: stage.kept == [("meaning.background", False)])


def test_topics_by_a_service_are_kept_when_its_fields_are_there(stage: Stage) -> None:
    stage.open(**{"meaning.backend": "builtin"})
    box = stage.page.topics
    box.maker.setCurrentIndex(box.maker.findData("openai"))
    box.maker.activated.emit(box.maker.currentIndex())
    assert box.cloud.isVisible()
    assert box.leaves.text == "Until address and model are written, topics come from the words."
    assert stage.backend.asked("set_config") == []
    box.cloud.service.setCurrentIndex(box.cloud.service.findData("siliconflow"))
    box.cloud.service.activated.emit(box.cloud.service.currentIndex())
    stage.wait(lambda: stage.backend.real["topics.model"] == PRESETS["siliconflow"].chat)
    stage.wait(lambda: stage.backend.real["topics.maker"] == "openai")
    stage.wait(lambda: stage.backend.real["topics.url"] == "https://api.siliconflow.cn/v1")
    assert "what you said go to api.siliconflow.cn" in box.leaves.text
    box.key.field.setText(SECRET)
    box.key.keep.click()
    stage.wait(lambda: stage.backend.keys == {"topics": SECRET})
    box.maker.setCurrentIndex(box.maker.findData("off"))
    box.maker.activated.emit(box.maker.currentIndex())
    stage.wait(lambda: stage.backend.real["topics.maker"] == "off")
    assert box.leaves.text == ""


def test_privacy_promises_nothing_before_it_is_known(app: QApplication) -> None:
    page = PrivacyPage()
    assert page.stays.text() == "" and page.stays_mark.isHidden()
    page.set_status(samples.status())
    assert page.stays.text() == "Nothing leaves this machine. Words and meaning are worked out here."
    assert not page.stays_mark.isHidden()
    page.deleteLater()


def test_privacy_says_where_passages_go(stage: Stage) -> None:
    leaves = (Departure(what="meaning", host="api.siliconflow.cn"), Departure(what="topics", host="api.example.com"))
    stage.backend.state = msgspec.structs.replace(stage.backend.state, leaves=leaves)
    stage.open(**CLOUD)
    assert stage.dialog.privacy.stays.text() == (
        "Passages, memories and questions are sent to api.siliconflow.cn, as chosen under Meaning. "
        "Titles and beginnings of what you said are sent to api.example.com, which names what days were about."
    )


def test_in_chinese(stage: Stage, app: QApplication) -> None:
    stage.open(**CLOUD)
    stage.choose("builtin")
    i18n.install(app, "zh_CN")
    app.processEvents()
    assert stage.page.choice.rows["builtin"].name.text() == "在本机计算"
    assert stage.page.strip.words.text() == "将在后台重新处理 12,345 段。期间按词语仍能找到全部内容。"
