"""Windows under test: one application, the theme and language put back after each test, a backend of samples."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"  # "as the system says" means English, whoever runs the tests
os.environ.pop("LANGUAGE", None)
sys.path.insert(0, str(Path(__file__).parent))

import pytest
import samples
from handovers import TIDE, HandoverDouble
from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QApplication
from waiting import wait_until

from tray_app.settings import Settings
from tray_app.state import State
from tray_app.ui import i18n, theme
from tray_app.ui.handover_window import HandoverWindow
from tray_app.ui.search_window import SearchWindow


@pytest.fixture(autouse=True)
def _moment() -> Iterator[None]:
    """The samples' moment of asking, in UTC wherever the tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKSCROLL_NOW", samples.NOW)
        if hasattr(time, "tzset"):
            patch.setenv("TZ", "UTC")
            time.tzset()
        yield
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application, light and English."""
    theme.apply(qapp, "light")
    i18n.install(qapp, "en")
    yield qapp
    theme.apply(qapp, "light")
    i18n.install(qapp, "en")
    qapp.clipboard().clear()


@pytest.fixture
def backend() -> samples.StaticBackend:
    """Answers from `samples`, in English."""
    return samples.StaticBackend()


@pytest.fixture
def window(app: QApplication, backend: samples.StaticBackend, tmp_path: Path) -> Iterator[SearchWindow]:
    """The search window with the sample backend, 960 × 640, shown, its first answers in."""
    made = SearchWindow(backend, State(tmp_path / "state.json"), Settings())
    made.present()
    made.set_content_size(QSize(960, 640))
    wait_until(lambda: bool(made.flow.sessions) and made.flow.status is not None)
    yield made
    made.shut_down()
    made.hide()
    made.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def memory() -> HandoverDouble:
    """Projects, a card, a draft and memories, in English."""
    return HandoverDouble()


@pytest.fixture
def handover(app: QApplication, memory: HandoverDouble) -> Iterator[HandoverWindow]:
    """The hand-over window at 1200 × 760 on `tide-api`, its first answers in."""
    made = HandoverWindow(memory)
    made.open()
    made.resize(1200, 760)
    wait_until(lambda: made.flow.pack is not None and made.flow.state is not None and bool(made.flow.memories))
    assert made.flow.project == TIDE
    made.column.filter.setFocus()
    yield made
    made.shut_down()
    made.hide()
    made.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
