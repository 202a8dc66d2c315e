"""Keys in a real Secret Service, on a session bus of the test's own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import Rig, wait_for

pytestmark = [pytest.mark.keyring, pytest.mark.skipif(shutil.which("gnome-keyring-daemon") is None, reason="no gnome-keyring")]

CALLS = """
import sys
from tray_app.desktop.keys import forget_key, keep_key, key_for
from tray_app.errors import KnownError
try:
    print(eval(sys.argv[1]))
except KnownError as fault:
    print(fault.code, fault.message)
"""


class Keyring:
    """gnome-keyring on the rig's bus; `ask` evaluates a call of `keys` in a process of its own."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        rig.bus()
        self._rig = rig
        self.folder = folder
        self.environ = {name: value for name, value in rig.environ.items() if not name.startswith("BACKSCROLL_")}
        self.environ.update(XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder), XDG_CACHE_HOME=str(folder))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *more: str) -> None:
        command = ["gnome-keyring-daemon", "--foreground", "--components=secrets", *more]
        self._process = subprocess.Popen(
            command, env=self.environ, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert self._process.stdin is not None
        self._process.stdin.write(b"password\n")
        self._process.stdin.close()
        wait_for(lambda: "org.freedesktop.secrets" in self._names())

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(5)
            self._process = None

    def ask(self, call: str) -> str:
        command = [sys.executable, "-W", "error", "-c", CALLS, call]
        done = subprocess.run(command, env=self.environ, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _names(self) -> str:
        return self._rig.run(
            *("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"),
            "org.freedesktop.DBus.ListNames",
            check=False,
        )


@pytest.fixture
def keyring(rig: Rig, tmp_path: Path) -> Iterator[Keyring]:
    folder = tmp_path / "keyrings"
    folder.mkdir()
    made = Keyring(rig, folder)
    try:
        yield made
    finally:
        made.stop()


def test_a_key_is_kept_across_processes(keyring: Keyring) -> None:
    keyring.start("--unlock")
    assert keyring.ask("key_for('meaning', 'h')") == "Key(from nowhere)"
    assert keyring.ask("keep_key('meaning', 'h', 'sk-KEYKEYKEY')") == "None"
    assert keyring.ask("key_for('meaning', 'h').value") == "sk-KEYKEYKEY"
    assert keyring.ask("key_for('topics', 'h').value") == ""
    assert not any(b"KEYKEYKEY" in file.read_bytes() for file in keyring.folder.rglob("*") if file.is_file())
    assert keyring.ask("forget_key('meaning', 'h')") == "True"
    assert keyring.ask("key_for('meaning', 'h')") == "Key(from nowhere)"


def test_a_locked_keyring(keyring: Keyring) -> None:
    keyring.start("--unlock")
    keyring.ask("keep_key('meaning', 'h', 'sk-KEYKEYKEY')")
    keyring.stop()
    keyring.start()
    assert keyring.ask("key_for('meaning', 'h', 2)").startswith("keyring_unusable The keyring")


def test_no_secret_service(keyring: Keyring) -> None:
    assert keyring.ask("key_for('meaning', 'h')") in (
        "keyring_unusable This system has no keyring.",
        "keyring_unusable The keyring cannot be opened.",  # where the bus knows one to start, and that finds no desktop
    )


def test_no_session_bus(keyring: Keyring) -> None:
    keyring.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={keyring.folder / 'nothing'}"
    assert keyring.ask("keep_key('meaning', 'h', 'sk-KEYKEYKEY')") == "keyring_unusable This system has no keyring."
