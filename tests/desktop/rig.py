"""A virtual desktop for the tests marked `desktop`: screen, window manager, tray, session bus, each private to a test.

Needs Xvfb, openbox, tint2, xdotool, xclip and dbus-daemon. Ends exactly the processes that it started.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

START_S = 10.0


def wait_for(condition: Callable[[], object], seconds: float = START_S) -> None:
    """Until `condition` is true; fails the test when that takes too long."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"nothing happened within {seconds:g} s", pytrace=True)
        time.sleep(0.02)


class Rig:
    """The desktop: `environ` for programs that shall run on it, and verbs to act as a person does."""

    def __init__(self, folder: Path) -> None:
        self.environ = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
        for name in ("WAYLAND_DISPLAY", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE"):
            self.environ.pop(name, None)
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, *command: str, **more: str) -> subprocess.Popen[bytes]:
        if shutil.which(command[0]) is None:
            pytest.fail(f"{command[0]} is not installed; desktop tests need it")
        with (self._folder / f"{Path(command[0]).name}.log").open("ab") as log:
            process = subprocess.Popen(command, env={**self.environ, **more}, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self._started.append(process)
        return process

    def run(self, *command: str, check: bool = True, stdin: bytes | None = None) -> str:
        done = subprocess.run(command, env=self.environ, input=stdin, capture_output=True, timeout=20, check=False)
        if check and done.returncode:
            pytest.fail(f"{command} ended with {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode().strip()

    def screen(self) -> None:
        """An X server of its own number."""
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=(writing,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._started.append(process)
        os.close(writing)
        with os.fdopen(reading) as stream:
            self.environ["DISPLAY"] = ":" + stream.readline().strip()

    def bus(self) -> None:
        """A session bus without any service."""
        path = self._folder / "bus"
        self.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={path}"
        self.start("dbus-daemon", "--session", "--nofork", f"--address=unix:path={path}")
        wait_for(path.exists)

    def window_manager(self) -> None:
        self.start("openbox")
        wait_for(lambda: self.windows_known())

    def tray(self) -> None:
        self.start("tint2")
        wait_for(lambda: self.run("xdotool", "search", "--onlyvisible", "--class", "^tint2$", check=False))

    def windows_known(self) -> bool:
        return "window id" in self.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK", check=False)

    def visible(self, name: str) -> list[str]:
        """Ids of the visible windows whose name matches."""
        return self.run("xdotool", "search", "--onlyvisible", "--name", name, check=False).split()

    def key(self, *keys: str) -> None:
        self.run("xdotool", "key", *keys)

    def close(self) -> None:
        for process in reversed(self._started):
            if process.poll() is None:
                process.terminate()
        for process in reversed(self._started):
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)
