"""Starting at login, by each system's own means; the truth is read from the system each time, never from our settings.

Owns one small file or registry value of ours. No Qt, no shell.
"""

from __future__ import annotations

import os
import plistlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from tray_app.errors import KnownError
from tray_app.paths import APP_ID

NAME = "Backscroll"
RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED_KEY = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"


class Autostart(Protocol):
    def enabled(self) -> bool:
        """What the system will really do at the next login."""
        ...

    def set(self, enabled: bool) -> None:
        """Raises KnownError('autostart_failed') when the system does not let us."""
        ...


def launch_command() -> list[str]:
    """How this installation is started: the frozen program, the installed script, or the module."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    script = Path(sys.executable).with_name("backscroll-tray.exe" if sys.platform == "win32" else "backscroll-tray")
    return [str(script)] if script.exists() else [sys.executable, "-m", "tray_app"]


def for_this_system(environ: Mapping[str, str] | None = None, home: Path | None = None) -> Autostart:
    env = os.environ if environ is None else environ
    base = home or Path.home()
    command = [*launch_command(), "--background"]
    if sys.platform == "win32":
        return RunKey(command)
    if sys.platform == "darwin":
        return LaunchAgent(base / "Library" / "LaunchAgents", command)
    given = env.get("XDG_CONFIG_HOME", "").strip()
    config = Path(given) if given and Path(given).is_absolute() else base / ".config"
    return DesktopEntry(config / "autostart", command)


class DesktopEntry:
    """Linux and BSD: `autostart/<app id>.desktop` (XDG autostart specification)."""

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        self.file = folder / f"{APP_ID}.desktop"
        self.command = list(command)

    def enabled(self) -> bool:
        try:
            lines = self.file.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return False
        except OSError as fault:
            raise _failed(self.file, fault) from fault
        fields = {key.strip(): value.strip().lower() for key, _, value in (line.partition("=") for line in lines)}
        return fields.get("Hidden") != "true" and fields.get("X-GNOME-Autostart-enabled") != "false"

    def set(self, enabled: bool) -> None:
        text = (
            "[Desktop Entry]\nType=Application\n"
            f"Name={NAME}\n"
            f"Exec={' '.join(_quoted(part) for part in self.command)}\n"
            f"Icon={APP_ID}\nTerminal=false\nX-GNOME-Autostart-enabled=true\n"
        )
        _write(self.file, text.encode() if enabled else None)


class LaunchAgent:
    """macOS: a property list in ~/Library/LaunchAgents. Not tested on a Mac; its file is."""

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        self.file = folder / f"{APP_ID}.plist"
        self.command = list(command)

    def enabled(self) -> bool:
        try:
            entry: dict[str, Any] = plistlib.loads(self.file.read_bytes())
        except FileNotFoundError:
            return False
        except (OSError, ValueError) as fault:
            raise _failed(self.file, fault) from fault
        return bool(entry.get("RunAtLoad")) and not entry.get("Disabled", False)

    def set(self, enabled: bool) -> None:
        entry = {"Label": APP_ID, "ProgramArguments": self.command, "RunAtLoad": True, "ProcessType": "Interactive"}
        _write(self.file, plistlib.dumps(entry) if enabled else None)


class RunKey:
    """Windows: a value under HKCU\\…\\Run. Task Manager's own switch (StartupApproved) is read and, when the person
    turns it on here, cleared. `registry` is the winreg module, or what a test puts in its place."""

    def __init__(self, command: Sequence[str], registry: Any = None) -> None:
        if registry is None:
            import winreg

            registry = winreg
        self.registry: Any = registry
        self.command = list(command)

    def enabled(self) -> bool:
        if self._read(RUN_KEY) is None:
            return False
        approved = self._read(APPROVED_KEY)
        return not (isinstance(approved, bytes) and approved[:1] and approved[0] & 1)

    def set(self, enabled: bool) -> None:
        import subprocess

        try:
            if enabled:
                with self.registry.CreateKey(self.registry.HKEY_CURRENT_USER, RUN_KEY) as key:
                    line = subprocess.list2cmdline(self.command)
                    self.registry.SetValueEx(key, NAME, 0, self.registry.REG_SZ, line)
            else:
                self._delete(RUN_KEY)
            self._delete(APPROVED_KEY)
        except OSError as fault:
            raise _failed(RUN_KEY, fault) from fault

    def _read(self, path: str) -> Any:
        try:
            with self.registry.OpenKey(self.registry.HKEY_CURRENT_USER, path) as key:
                return self.registry.QueryValueEx(key, NAME)[0]
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise _failed(path, fault) from fault

    def _delete(self, path: str) -> None:
        try:
            with self.registry.OpenKey(self.registry.HKEY_CURRENT_USER, path, 0, self.registry.KEY_SET_VALUE) as key:
                self.registry.DeleteValue(key, NAME)
        except FileNotFoundError:
            return


def _quoted(part: str) -> str:
    """One argument of an Exec line (Desktop Entry Specification: quote, escape, and double the percent sign)."""
    for character in '\\"`$':
        part = part.replace(character, "\\" + character)
    part = part.replace("%", "%%")
    # The value is a string of the file format first, so each backslash is written twice.
    return '"' + part.replace("\\", "\\\\") + '"'


def _write(file: Path, content: bytes | None) -> None:
    try:
        if content is None:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".tmp")
        fresh.write_bytes(content)
        os.replace(fresh, file)
    except OSError as fault:
        raise _failed(file, fault) from fault


def _failed(where: Path | str, fault: Exception) -> KnownError:
    return KnownError(
        "autostart_failed",
        "Start at login not changed",
        f"{where} could not be read or written ({fault}).",
        "Change it in the system's own settings.",
    )
