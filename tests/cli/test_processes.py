"""The command line as real processes: what is loaded, encodings, pipes, one owner among several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from engine_double import connect_double

import tray_app


def command(*arguments: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "tray_app.cli.main", *arguments], capture_output=True, check=False, timeout=30, **more
    )


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_load_nothing_heavy(option: str) -> None:
    code = "import sys; from tray_app.cli.main import main; main([sys.argv[1]]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, option], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert not loaded & {
        "PySide6",
        "duckdb",
        "numpy",
        "msgspec",
        "zstandard",
        "multiprocessing",
        "logging",
        "tomlkit",
        "keyring",
    }
    assert tray_app.__version__ in done.stdout or option == "--help"


def test_search_on_an_owner_loads_no_database() -> None:
    code = "import sys; from tray_app.cli.main import main; main(['search', 'webhook']); print(*sys.modules, file=sys.stderr)"
    with connect_double("tray"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "also in 1 other place" in done.stdout
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert not loaded & {"PySide6", "duckdb", "numpy", "zstandard", "tomlkit", "keyring", "fastembed"}


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONUTF8": "0", "LC_ALL": "POSIX"}])
def test_output_is_utf_8_whatever_the_locale(locale: dict[str, str]) -> None:
    with connect_double("tray"):
        done = command("search", "webhook", "退款", env={**os.environ, **locale})
    assert done.stdout.decode("utf-8").startswith("退款 webhook\n")
    assert done.returncode == 0


def test_broken_pipe_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with connect_double("tray"):
        done = subprocess.run(
            [sys.executable, "-m", "tray_app.cli.main", "search", "webhook"],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_words_that_are_no_text_are_a_question_all_the_same() -> None:
    with connect_double("tray") as tray:
        done = command("search", "--json", os.fsdecode(b"webhook \xff"))
        assert json.loads(done.stdout)["found"] is True
        assert tray.engine.queries[-1].query == "webhook \ufffd"  # type: ignore[union-attr]


def test_version_is_that_of_the_package() -> None:
    done = command("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"backscroll {tray_app.__version__}\n")
    assert not Path(os.environ["BACKSCROLL_HOME"]).exists()  # nothing was made for it
