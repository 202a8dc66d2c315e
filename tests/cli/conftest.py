"""The command line with the engine double of tests/service behind it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "service"))

from engine_double import EngineDouble
from outcomes import Outcome, Run

from tray_app import logs
from tray_app.cli.main import main
from tray_app.paths import Paths
from tray_app.settings import Settings


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, isolated: Path) -> EngineDouble:
    """The engine that every command of the test gets. `closed` between commands means nothing to it."""
    paths = Paths.from_environment().ensure()
    double = EngineDouble(paths, Settings(paths.settings_file), "cli")

    def make(paths: Paths, settings: Settings, kind: str) -> EngineDouble:
        double._closing.clear()
        return double

    monkeypatch.setattr("tray_app.service.connection.engine_of", make)
    return double


@pytest.fixture
def run(engine: EngineDouble, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """`run("search", "x")`: exit code, standard output, standard error."""

    def command(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        monkeypatch.setenv("COLUMNS", "90")
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    monkeypatch.setenv("TZ", "UTC")
    yield command
    logs.shutdown()
