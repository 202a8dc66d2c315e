"""What is written down, and what never is."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tray_app import logs
from tray_app.paths import Paths

log = logging.getLogger("tray_app.test")


@pytest.fixture
def file() -> Iterator[Path]:
    level = logging.getLogger().level
    yield logs.setup(Paths.from_environment(), "cli")
    logs.shutdown()
    logging.getLogger().setLevel(level)


def test_records_are_written_with_their_process(file: Path) -> None:
    assert not file.exists()  # opened with the first record
    log.info("12 sessions")
    assert file.read_text().endswith("tray_app.test: 12 sessions\n")
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("open %s/x.jsonl", "open ~/x.jsonl"),
        ("api_key=abcdef123456 left", "api_key=[hidden] left"),
        ('{"token": "abcdef123456"}', '{"token": "[hidden]"}'),
        ("Authorization: Bearer abcdef123456", "Authorization: [hidden]"),
        ("got sk-abcdefgh12345", "got [hidden]"),
        ("https://me:secret@host/x", "https://[hidden]@host/x"),
        ("commit 0123456789abcdef0123456789abcdef01234567", "commit 0123456789abcdef0123456789abcdef01234567"),
    ],
)
def test_secrets_and_the_home_are_not(file: Path, said: str, written: str) -> None:
    log.info("%s", said.replace("%s", str(Path.home())))
    assert file.read_text().endswith(f": {written}\n")


def test_redactor_of_the_front_end_is_used() -> None:
    file = logs.setup(Paths.from_environment(), "cli", lambda text: text.replace("sesame", "[own]"))
    log.info("open sesame")
    logs.shutdown()
    assert file.read_text().endswith("open [own]\n")


def test_exceptions_are_cut(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    try:
        try:
            raise KeyError("first")
        except KeyError as fault:
            raise ValueError("x" * 1000) from fault
    except ValueError:
        log.exception("failed")
    text = file.read_text()
    assert "KeyError: 'first'\nthen:\n" in text
    assert text.endswith("ValueError: " + "x" * logs.EXCEPTION_CHARS + "\n")
    assert "test_exceptions_are_cut" in text


def test_files_rotate(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = next(handler for handler in logging.getLogger().handlers if isinstance(handler, logs.RotatingFile))
    monkeypatch.setattr(handler, "maxBytes", 500)
    for number in range(60):
        log.info("record %d %s", number, "x" * 60)
    names = sorted(path.name for path in file.parent.glob("cli.log*"))
    assert names == ["cli.log", "cli.log.1", "cli.log.2", "cli.log.3", "cli.log.4"]
    assert all(path.stat().st_size <= 500 for path in file.parent.glob("cli.log*"))


def test_log_that_cannot_be_written_stops_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file.mkdir()
    log.info("lost")
    assert capfd.readouterr().err == ""


def test_folder_that_cannot_be_made(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    paths = Paths(*[tmp_path / "file" / name for name in ("config", "data", "cache", "logs", "run")])
    logs.setup(paths, "cli")
    log.info("lost")
    logs.shutdown()
    assert "no crash file" in caplog.text


def test_uncaught_in_a_thread_is_logged(file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", logs._uncaught_in_thread)  # pytest puts its own in place
    thread = threading.Thread(target=lambda: 1 / 0, name="worker")
    thread.start()
    thread.join()
    assert "uncaught in thread worker" in file.read_text()
    assert "ZeroDivisionError: division by zero" in file.read_text()


def test_crashes_leave_their_traces() -> None:
    code = "import sys; from tray_app import logs; from tray_app.paths import Paths\n"
    code += "logs.setup(Paths.from_environment(), 'tray')\n"
    uncaught = subprocess.run([sys.executable, "-c", code + "{}['x']"], capture_output=True, text=True, check=False)
    assert uncaught.returncode == 1
    assert "KeyError: 'x'" in uncaught.stderr
    folder = Paths.from_environment().logs
    assert "KeyError: 'x'" in (folder / "tray.log").read_text()
    code += "import faulthandler, os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == -11
    assert "Segmentation fault" in (folder / "crash-tray.txt").read_text()
