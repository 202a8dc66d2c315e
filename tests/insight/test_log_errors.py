"""Errors of late in the log, as the program writes them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tray_app import logs
from tray_app.insight import log_errors
from tray_app.paths import Paths


@pytest.fixture
def folder() -> Iterator[Path]:
    paths = Paths.from_environment().ensure()
    logs.setup(paths, "tray")
    yield paths.logs
    logs.shutdown()


def test_no_log_and_a_log_without_errors(folder: Path, tmp_path: Path) -> None:
    logging.getLogger("tray_app.x").info("all is well, no ERROR here")
    assert log_errors.findings(folder, datetime.now()) == []
    assert log_errors.findings(tmp_path / "nothing", datetime.now()) == []


def test_errors_are_counted_and_the_newest_is_told(folder: Path, allow_log: Callable[[str], None]) -> None:
    allow_log("the disk|again")
    log = logging.getLogger("tray_app.x")
    log.error("the disk went away")
    log.error("and again")
    (one,) = log_errors.findings(folder, datetime.now())
    assert (one.code, one.severity, one.params["count"], one.params["reason"]) == (
        "log_errors",
        "info",
        "2",
        "tray_app.x: and again",
    )
    assert one.params["path"] == str(folder / "tray.log")
    assert log_errors.findings(folder, datetime.now() + timedelta(days=8)) == []


def test_what_nobody_caught_needs_a_look(folder: Path, allow_log: Callable[[str], None]) -> None:
    allow_log("uncaught")
    logging.getLogger("tray_app").critical("uncaught")
    assert log_errors.findings(folder, datetime.now())[0].severity == "warn"


def test_only_the_end_of_a_long_log_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime.now()
    line = f"{now:%Y-%m-%d %H:%M:%S},123 ERROR 77 tray_app.x: odd\n"
    (folder / "mcp.log").write_text("2026-99-99 00:00:00,000 ERROR 77 no day\n" + line * 5 + "\xff\n", encoding="latin-1")
    assert log_errors.findings(folder, now)[0].params["count"] == "5"
    monkeypatch.setattr(log_errors, "MOST_BYTES", 2 * len(line) + 10)
    assert log_errors.findings(folder, now)[0].params["count"] == "2"
