"""The foot says how meaning stands, in every width, and the one-line form what needs the person."""

from __future__ import annotations

import meanings
import pytest
import samples
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from waiting import wait_until

from tray_app.records import Embedding, Progress
from tray_app.ui import i18n, search_flow
from tray_app.ui.foot import Foot
from tray_app.ui.search_window import SearchWindow

STATES = {
    "off": Embedding(),
    "ready": meanings.embedding(),
    "filling": meanings.embedding("filling"),
    "waiting": meanings.embedding("waiting", "openai", error_code="embedding_unreachable"),
    "stopped": meanings.embedding("stopped", "openai", error_code="embedding_refused_key"),
}


def made(state: str, width: int = 960) -> Foot:
    foot = Foot()
    foot.resize(width, foot.height())
    foot.set_width(width)
    foot.show_keys([("↵", "Open"), ("F1", "Keys")])
    foot.show_status(samples.status(embedding=STATES[state]))
    foot.show()
    QApplication.processEvents()
    return foot


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("off", "Nothing leaves this machine · 12,345 passages in 812 sessions · 3 skipped · Updated 4 s ago · Meaning off"),
        ("ready", "Nothing leaves this machine · 12,345 passages in 812 sessions · 3 skipped · Updated 4 s ago · Meaning on"),
        ("filling", "Nothing leaves this machine · 4,120 of 12,345 passages · 3 skipped · about 9 min left"),
        ("waiting", "Sends text to api.siliconflow.cn · 12,345 passages in 812 sessions · 3 skipped · Updated 4 s ago · Meaning waits"),
        ("stopped", "Sends text to api.siliconflow.cn · 12,345 passages in 812 sessions · 3 skipped · Updated 4 s ago · Meaning stopped"),
    ],
)  # fmt: skip
def test_every_state(app: QApplication, state: str, words: str) -> None:
    foot = made(state, 1200)
    assert foot.text == words
    assert foot.meaning.isVisible()
    assert foot.meaning.toolTip() == foot.meaning.accessibleName() != ""


def test_nothing_is_promised_before_it_is_known(app: QApplication) -> None:
    """A library that is just being mended tells nothing for a while, and texts may go out all the same."""
    foot = Foot()
    foot.set_width(960)
    foot.show()
    assert foot.text == "" and foot._lock.isHidden()
    foot.answer("Copied")
    assert foot.text == "Copied"
    foot.show_status(samples.status())
    assert foot.text == "Nothing leaves this machine · Copied" and foot._lock.isVisible()


def test_indexing_comes_before_filling(app: QApplication) -> None:
    foot = made("filling")
    foot.show_progress(Progress(phase="reading", done=214, total=812, eta_s=170.0))
    assert "214 of 812 sessions" in foot.text and "12,345" not in foot.text
    foot.show_progress(None)
    assert "4,120 of 12,345 passages" in foot.text


def test_a_copy_is_answered_in_place_of_it(app: QApplication) -> None:
    foot = made("stopped")
    foot.answer("Copied")
    assert foot.text == "Sends text to api.siliconflow.cn · Copied"
    foot.answer("")
    assert foot.text.endswith("Meaning stopped")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("width", [560, 640, 700, 840, 960, 1400])
@pytest.mark.parametrize("state", list(STATES))
def test_nothing_is_cut(app: QApplication, language: str, width: int, state: str) -> None:
    i18n.install(app, language)
    foot = made(state, width)
    for part in foot.findChildren(QWidget):
        if part.isVisible() and isinstance(part, QLabel):
            assert part.width() >= part.sizeHint().width() - 1, part.text()
    right = max(part.mapTo(foot, part.rect().topRight()).x() for part in foot.findChildren(QWidget) if part.isVisible())
    assert right < width
    assert foot.skipped.isVisible()
    assert foot.meaning.isVisible() or (state != "stopped")
    if STATES[state].sends_text_to_cloud:
        assert "api.siliconflow.cn" in foot.text


def test_it_leads_to_the_settings(window: SearchWindow, backend: samples.StaticBackend) -> None:
    wanted: list[bool] = []
    window.meaningRequested.connect(lambda: wanted.append(True))
    window.foot.meaning.click()
    assert wanted == [True]


@pytest.mark.parametrize(
    ("state", "glyph"), [("off", False), ("ready", False), ("filling", True), ("waiting", True), ("stopped", True)]
)
def test_the_one_line_form_has_a_glyph_for_what_is_worth_one(
    window: SearchWindow, backend: samples.StaticBackend, state: str, glyph: bool
) -> None:
    backend.state = samples.status(embedding=STATES[state])
    window.flow.refresh_status()
    wait_until(lambda: window.flow.status is not None and window.flow.status.embedding == STATES[state])
    window.set_form(one_line=True)
    assert window.bar.meaning.isVisible() is glyph
    assert bool(window.bar.meaning.toolTip())
    assert window.bar.meaning.accessibleName() == window.bar.meaning.toolTip()


def test_figures_are_asked_for_while_the_library_is_worked_through(
    window: SearchWindow, backend: samples.StaticBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_flow, "FILLING_MS", 20)
    backend.state = samples.status(embedding=STATES["filling"])
    window.flow.refresh_status()
    wait_until(lambda: len(backend.asked("status")) > 4)
    backend.state = samples.status(embedding=STATES["ready"])
    wait_until(lambda: "Meaning on" in window.foot.text)
    assert not window.flow._looking.isActive()
    backend.state = samples.status(embedding=STATES["filling"])
    window.dismiss()
    window.flow.refresh_status()
    wait_until(lambda: window.flow.status is not None and window.flow.status.embedding.state == "filling")
    assert not window.flow._looking.isActive()


def test_narrow_windows_keep_what_needs_the_person(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.state = samples.status(embedding=STATES["stopped"])
    window.flow.refresh_status()
    wait_until(lambda: "stopped" in window.foot.text)
    window.set_content_size(QSize(560, 500))
    QApplication.processEvents()
    assert window.foot.meaning.isVisible()
    assert window.foot.text.startswith("Sends text to api.siliconflow.cn")


def test_an_answer_without_meaning_asks_how_it_stands(window: SearchWindow, backend: samples.StaticBackend) -> None:
    backend.state = samples.status(embedding=STATES["ready"])
    window.flow.refresh_status()
    wait_until(lambda: "Meaning on" in window.foot.text)
    backend.state = samples.status(embedding=STATES["stopped"])
    backend.answer = lambda _request: samples.answer(meaning="embedding_refused_key")
    window.bar.field.setText("upload")
    wait_until(lambda: "Meaning stopped" in window.foot.text)
    backend.state = samples.status(embedding=STATES["ready"])
    backend.answer = lambda _request: samples.answer(meaning="on")
    window.bar.field.setText("uploads")
    wait_until(lambda: "Meaning on" in window.foot.text)
