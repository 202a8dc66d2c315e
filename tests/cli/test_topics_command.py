"""`topics`: the days with what they were about, for reading and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tray_app import demo, logs
from tray_app.cli.main import main

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in demo.make(tmp_path, NOW).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("BACKSCROLL_NOW", NOW.isoformat())
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("COLUMNS", "100")
    yield
    logs.shutdown()


def test_days_and_topics(capsys: Capture) -> None:
    assert main(["topics"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "No topics. They are made when sessions are read (backscroll index), unless topics.maker is off.\n"
    main(["config", "set", "meaning.backend", "off"])
    main(["index", "--all-sources"])
    capsys.readouterr()
    assert main(["topics", "--days", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.rsplit("  ", 1)[0] if line.startswith(" ") else line for line in lines] == [
        "2026-11-30  1 session · 2 rounds",
        "     Flaky test: test_seat_hold_expires  harbour-api",
        "",
        "2026-11-29  1 session · 2 rounds",
        "     Staging server: port, rate limit  harbour-api",
    ]
    assert main(["topics", "--json", "--days", "4"]) == 0
    days = json.loads(capsys.readouterr().out)["days"]
    assert [(day["date_text"], [topic["label"] for topic in day["topics"]], day["made_by"]) for day in days[2:]] == [
        ("2026-11-28", ["Deadlock in group bookings"], "words"),
        ("2026-11-27", ["发版脚本签名失败"], "words"),
    ]
