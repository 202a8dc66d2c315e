"""The whole application on a virtual desktop, as a person meets it: start, key, second start, no tray, quit, kill.

The program runs as a process of its own with the real engine on a small library.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from rig import Rig, wait_for

pytestmark = [pytest.mark.desktop, pytest.mark.timeout(90)]
WINDOW = "^Backscroll$"


class Program:
    """Backscroll with a home of its own, which holds one session of Claude Code."""

    def __init__(self, rig: Rig, home: Path, *, first_run: bool = False) -> None:
        self.rig, self.home = rig, home
        self.base = home / "backscroll"
        rig.environ.update(HOME=str(home), BACKSCROLL_HOME=str(self.base), BACKSCROLL_SOURCES_HOME=str(home))
        folder = home / ".claude" / "projects" / "-home-lin-tide"
        folder.mkdir(parents=True)
        session = "11111111-1111-4111-8111-111111111111"
        with (folder / f"{session}.jsonl").open("w") as stream:
            for number, role in enumerate(("user", "assistant") * 6):
                record = {
                    "type": role,
                    "uuid": f"u{number}",
                    "sessionId": session,
                    "timestamp": f"2026-11-29T10:{number:02d}:00.000Z",
                    "cwd": "/home/lin/tide",
                    "message": {"role": role, "content": f"part {number} of the upload keeps its checksum"},
                }
                stream.write(json.dumps(record) + "\n")
        if not first_run:
            (self.base / "data").mkdir(parents=True)
            (self.base / "data" / "state.json").write_text('{"first_run_done": true}')
            (self.base / "config").mkdir(parents=True)
            (self.base / "config" / "settings.toml").write_text('[sources]\nenabled = ["claude_code"]\n')

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        return self.rig.start(sys.executable, "-m", "tray_app", *options)

    def command(self, *words: str) -> str:
        return self.rig.run(sys.executable, "-m", "tray_app.cli.main", *words)

    def shown(self) -> bool:
        return bool(self.rig.visible(WINDOW))

    def in_tray(self) -> bool:
        """The icon is a window of its own in the tray; from then on the program is up."""
        return bool(self.rig.run("xdotool", "search", "--class", "backscroll", check=False))

    def output(self) -> str:
        return (self.rig._folder / f"{Path(sys.executable).name}.log").read_text()


@pytest.fixture
def desktop(rig: Rig) -> Rig:
    rig.screen()
    rig.bus()
    rig.window_manager()
    return rig


@pytest.fixture
def program(desktop: Rig, tmp_path: Path) -> Program:
    return Program(desktop, tmp_path / "home")


def ended(process: subprocess.Popen[bytes], seconds: float = 10.0) -> int:
    """The exit code, within the time that a quit may take on a busy machine."""
    return process.wait(seconds)


def test_key_window_and_quit(program: Program) -> None:
    program.rig.tray()
    process = program.start()
    wait_for(program.shown)
    wait_for(lambda: "12 messages" in program.command("status"))
    program.rig.key("Escape")
    wait_for(lambda: not program.shown())
    program.rig.key("ctrl+alt+space")
    wait_for(program.shown)
    wait_for(lambda: program.rig.run("xdotool", "getactivewindow", "getwindowname", check=False) == "Backscroll", 3)
    time.sleep(0.3)
    program.rig.key("ctrl+alt+space")
    wait_for(lambda: not program.shown(), 3)
    program.command("toggle")
    wait_for(program.shown)
    program.command("quit")
    assert ended(process) == 0
    assert not (program.base / "data" / "owner.json").exists()
    assert program.output() == ""


def test_into_the_window_one_came_from(program: Program) -> None:
    rig, told = program.rig, program.home / "told.jsonl"
    with (program.base / "config" / "settings.toml").open("a") as stream:
        stream.write("[general]\npaste = true\n")
    target = str(Path(__file__).with_name("paste_target.py"))
    rig.start(sys.executable, target, "editor", str(told), QT_QPA_PLATFORM="xcb")
    wait_for(lambda: rig.run("xdotool", "getactivewindow", "getwindowname", check=False) == "Target", 20)
    process = program.start("--background")
    wait_for(lambda: "12 messages" in program.command("status"))
    time.sleep(0.3)
    rig.key("ctrl+alt+space")
    wait_for(program.shown)
    wait_for(lambda: rig.run("xdotool", "getactivewindow", "getwindowname", check=False) == "Backscroll", 3)
    rig.run("xdotool", "type", "checksum")
    time.sleep(1.5)
    rig.key("ctrl+Return")
    wait_for(lambda: not program.shown(), 5)
    wait_for(lambda: "keeps its checksum" in told.read_text(), 5)
    assert rig.run("xdotool", "getactivewindow", "getwindowname") == "Target"
    pressed = [value[0] for kind, value in map(json.loads, told.read_text().splitlines()) if kind == "key"]
    modifiers = range(0x01000020, 0x01000024)  # those of the hotkey come through
    assert [key for key in pressed if key not in modifiers] == [0x56]  # V, never Enter
    program.command("quit")
    assert ended(process) == 0
    assert program.output() == ""


def test_five_starts_are_one(program: Program) -> None:
    program.rig.tray()
    processes = [program.start("--background") for _ in range(5)]
    wait_for(lambda: sum(process.poll() is None for process in processes) == 1, 20)
    assert sorted(process.poll() or 0 for process in processes) == [0, 0, 0, 0, 0]
    assert not program.shown()
    begin = time.monotonic()
    second = program.start()
    assert ended(second, 5) == 0
    assert time.monotonic() - begin < 3
    wait_for(program.shown)
    (running,) = [process for process in processes if process.poll() is None]
    running.terminate()
    assert ended(running) == 0


def test_starts_after_a_kill(program: Program) -> None:
    process = program.start("--background")
    wait_for((program.base / "data" / "owner.json").exists)
    process.kill()
    process.wait()
    again = program.start()
    wait_for(program.shown)
    again.send_signal(signal.SIGINT)
    assert ended(again) == 0


def test_first_run_then_the_window(desktop: Rig, tmp_path: Path) -> None:
    program = Program(desktop, tmp_path / "home", first_run=True)
    desktop.tray()
    process = program.start()
    wait_for(lambda: desktop.visible("Welcome"))
    time.sleep(0.5)
    for _ in range(4):
        desktop.key("Return")
        time.sleep(0.2)
    wait_for(program.shown)
    wait_for(lambda: "12 messages" in program.command("status"), 20)
    assert json.loads((program.base / "data" / "state.json").read_text())["first_run_done"] is True
    desktop.key("Escape")
    process.terminate()
    assert ended(process) == 0
    again = program.start("--background")
    wait_for(program.in_tray)
    time.sleep(0.5)
    assert desktop.visible("Welcome") == []
    again.terminate()
    assert ended(again) == 0


def test_first_run_skipped_reads_nothing(desktop: Rig, tmp_path: Path) -> None:
    program = Program(desktop, tmp_path / "home", first_run=True)
    process = program.start()
    wait_for(lambda: desktop.visible("Welcome"))
    time.sleep(0.5)
    desktop.key("Escape")
    wait_for(program.shown)
    time.sleep(1)
    assert json.loads(program.command("status", "--json"))["totals"]["sessions"] == 0
    process.terminate()
    assert ended(process) == 0


def test_the_key_is_taken_by_another_program(qtbot: QtBot, program: Program) -> None:
    import xcffib
    import xcffib.xproto

    from tray_app.ui.hotkey.base import parse
    from tray_app.ui.hotkey.x11 import X11Hotkey

    other = X11Hotkey(lambda: xcffib.connect(display=program.rig.environ["DISPLAY"]))
    other.grab(parse("Ctrl+Alt+Space"), lambda press: None, lambda outcome: None)
    program.rig.tray()
    process = program.start("--background")
    wait_for(program.in_tray)
    program.command("toggle")
    wait_for(program.shown)
    process.terminate()
    assert ended(process) == 0
    other.close()


def test_a_tray_that_comes_later(program: Program) -> None:
    process = program.start("--background")
    wait_for((program.base / "data" / "owner.json").exists)
    time.sleep(1)
    program.rig.tray()
    wait_for(program.in_tray)
    process.terminate()
    assert ended(process) == 0


def test_no_libraries_no_screen_no_traceback(tmp_path: Path) -> None:
    environ = {
        name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    environ["BACKSCROLL_HOME"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "tray_app"], env=environ, capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 3
    assert done.stderr.startswith("There is no screen here")
    assert "Traceback" not in done.stderr
