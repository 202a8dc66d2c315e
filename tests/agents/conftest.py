"""A home in which every agent was used."""

from __future__ import annotations

from pathlib import Path

import pytest
from installs import FOLDERS

from tray_app.agents.install import program
from tray_app.paths import Paths


@pytest.fixture
def agents_home(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """Our own folders, beside those of the agents."""
    for folder in FOLDERS.values():
        (isolated / folder).mkdir(parents=True)
    monkeypatch.setattr(program, "program", lambda: ["/opt/back scroll/backscroll"])
    monkeypatch.setattr("tray_app.agents.install.clients.program", lambda: ["/opt/back scroll/backscroll"])
    return Paths.from_environment().ensure()
