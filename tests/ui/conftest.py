"""Windows under test: one application, the theme and language put back after each test, a backend of samples."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parent))

import pytest
import samples
from PySide6.QtWidgets import QApplication

from tray_app.ui import i18n, theme


@pytest.fixture(autouse=True)
def _moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples' moment of asking."""
    monkeypatch.setenv("BACKSCROLL_NOW", samples.NOW)


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
