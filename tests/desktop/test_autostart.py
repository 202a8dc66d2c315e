"""Starting at login: the files that are written, and the truth read back from them."""

from __future__ import annotations

import configparser
import plistlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tray_app.desktop import autostart
from tray_app.desktop.autostart import DesktopEntry, LaunchAgent, RunKey
from tray_app.errors import KnownError


def exec_line(file: Path) -> str:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(file.read_text())
    return parser["Desktop Entry"]["Exec"]


def test_desktop_entry_round_trip(tmp_path: Path) -> None:
    entry = DesktopEntry(tmp_path / "autostart", ["/usr/bin/backscroll-tray", "--background"])
    assert entry.enabled() is False
    entry.set(True)
    assert entry.file.name == "io.github.backscroll.Backscroll.desktop"
    assert exec_line(entry.file) == '"/usr/bin/backscroll-tray" "--background"'
    assert entry.enabled() is True
    entry.set(True)
    entry.set(False)
    assert entry.enabled() is False
    assert list((tmp_path / "autostart").iterdir()) == []
    entry.set(False)


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false", "Hidden = True"])
def test_what_the_desktop_switched_off_is_off(tmp_path: Path, line: str) -> None:
    entry = DesktopEntry(tmp_path, ["x"])
    entry.set(True)
    lines = [text for text in entry.file.read_text().splitlines() if not text.startswith(line.split("=")[0].strip())]
    entry.file.write_text("\n".join([*lines, line]) + "\n")
    assert entry.enabled() is False


def test_exec_is_quoted(tmp_path: Path) -> None:
    entry = DesktopEntry(tmp_path, ["/opt/my apps/100%/back$scroll", 'a"b', "c\\d"])
    entry.set(True)
    assert exec_line(entry.file) == '"/opt/my apps/100%%/back\\\\$scroll" "a\\\\"b" "c\\\\\\\\d"'


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("a file where the folder should be")
    with pytest.raises(KnownError) as caught:
        DesktopEntry(tmp_path / "autostart", ["x"]).set(True)
    assert caught.value.code == "autostart_failed"


def test_launch_agent_round_trip(tmp_path: Path) -> None:
    agent = LaunchAgent(tmp_path, ["/Applications/Backscroll.app/Contents/MacOS/Backscroll", "--background"])
    assert agent.enabled() is False
    agent.set(True)
    entry = plistlib.loads(agent.file.read_bytes())
    assert entry["Label"] == "io.github.backscroll.Backscroll"
    assert entry["ProgramArguments"] == ["/Applications/Backscroll.app/Contents/MacOS/Backscroll", "--background"]
    assert entry["RunAtLoad"] is True
    assert agent.enabled() is True
    agent.file.write_bytes(plistlib.dumps({**entry, "Disabled": True}))
    assert agent.enabled() is False
    agent.set(False)
    assert agent.enabled() is False
    agent.file.write_bytes(b"no plist")
    with pytest.raises(KnownError):
        agent.enabled()


class Registry:
    """As much of winreg as is used."""

    HKEY_CURRENT_USER, REG_SZ, KEY_SET_VALUE = 1, 1, 2

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, Any]] = {}

    @contextmanager
    def OpenKey(self, root: int, path: str, reserved: int = 0, access: int = 0) -> Iterator[dict[str, Any]]:
        if path not in self.keys:
            raise FileNotFoundError(path)
        yield self.keys[path]

    @contextmanager
    def CreateKey(self, root: int, path: str) -> Iterator[dict[str, Any]]:
        yield self.keys.setdefault(path, {})

    def QueryValueEx(self, key: dict[str, Any], name: str) -> tuple[Any, int]:
        if name not in key:
            raise FileNotFoundError(name)
        return key[name], 1

    def SetValueEx(self, key: dict[str, Any], name: str, reserved: int, kind: int, value: Any) -> None:
        key[name] = value

    def DeleteValue(self, key: dict[str, Any], name: str) -> None:
        if name not in key:
            raise FileNotFoundError(name)
        del key[name]


def test_run_key_round_trip() -> None:
    registry = Registry()
    key = RunKey([r"C:\Program Files\Backscroll\Backscroll.exe", "--background"], registry)
    assert key.enabled() is False
    key.set(True)
    assert registry.keys[autostart.RUN_KEY]["Backscroll"] == r'"C:\Program Files\Backscroll\Backscroll.exe" --background'
    assert key.enabled() is True
    # Task Manager: the first byte's lowest bit says disabled.
    registry.keys[autostart.APPROVED_KEY] = {"Backscroll": bytes([3]) + bytes(11)}
    assert key.enabled() is False
    key.set(True)
    assert key.enabled() is True
    key.set(False)
    assert key.enabled() is False
    assert registry.keys[autostart.RUN_KEY] == {}
    key.set(False)


def test_the_system_decides_which(tmp_path: Path) -> None:
    if sys.platform in ("win32", "darwin"):
        pytest.skip("the XDG folders are Linux's")
    found = autostart.for_this_system({"XDG_CONFIG_HOME": str(tmp_path / "c")}, tmp_path)
    assert isinstance(found, DesktopEntry)
    assert found.file.parent == tmp_path / "c" / "autostart"
    assert found.command[-1] == "--background"
    relative = autostart.for_this_system({"XDG_CONFIG_HOME": "rel"}, tmp_path)
    assert isinstance(relative, DesktopEntry)
    assert relative.file.parent == tmp_path / ".config" / "autostart"


def test_the_command_exists() -> None:
    command = autostart.launch_command()
    assert Path(command[0]).exists()
