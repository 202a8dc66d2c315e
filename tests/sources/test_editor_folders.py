"""Where VS Code and its forks keep their data, on each system."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tray_app.paths import SourcesHome
from tray_app.sources.editor_folders import settings_folder, user_folders

HOME = Path("/home/u")


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, HOME / ".config"),
        ("linux", {"XDG_CONFIG_HOME": "/c"}, Path("/c").absolute()),
        ("darwin", {}, HOME / "Library" / "Application Support"),
    ],
)
def test_settings_folder(monkeypatch: pytest.MonkeyPatch, platform: str, environ: dict[str, str], expected: Path) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert settings_folder(SourcesHome(HOME, environ)) == expected


def test_user_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    folders = user_folders(SourcesHome(HOME, {}))
    assert folders[0] == HOME / ".config" / "Code" / "User"
    assert folders[-1] == HOME / ".windsurf-server" / "data" / "User"
    assert len(folders) == len(set(folders))
