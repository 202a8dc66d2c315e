"""Where VS Code and its forks keep their settings and the storage of extensions.

Owns the names. Looks at no disk.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tray_app.paths import SourcesHome

EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Trae", "Kiro")
SERVERS = (".vscode-server", ".cursor-server", ".windsurf-server")
"""Folders in the home of a machine that is edited from another one."""


def settings_folder(home: SourcesHome) -> Path:
    """The folder in which programs of this system keep their settings, each in one of its own name."""
    if sys.platform == "darwin":
        return home.home / "Library" / "Application Support"
    if os.name == "nt":
        return home.agent_folder("APPDATA", "AppData/Roaming")
    return home.agent_folder("XDG_CONFIG_HOME", ".config")


def user_folders(home: SourcesHome) -> list[Path]:
    """The `User` folder of every editor, existing or not, the most usual first."""
    here = settings_folder(home)
    return [here / editor / "User" for editor in EDITORS] + [home.home / server / "data" / "User" for server in SERVERS]
