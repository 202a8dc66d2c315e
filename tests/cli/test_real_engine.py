"""The command line on the real engine with the made-up sessions: from nothing read to an answer, and a locked index."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tray_app import demo, logs
from tray_app.cli.main import main
from tray_app.paths import Paths

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Ask]:
    """`ask("status")`: the exit code and the JSON object of a command on the made-up sessions."""
    for name, value in demo.make(tmp_path, NOW).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("BACKSCROLL_NOW", NOW.isoformat())

    def command(name: str, *arguments: str) -> tuple[int, Any]:
        code = main([name, "--json", *arguments])
        return code, json.loads(capsys.readouterr().out)

    yield command
    logs.shutdown()


def test_from_nothing_read_to_an_answer(ask: Ask) -> None:
    code, answer = ask("search", "SKIP LOCKED")
    assert (code, answer["verdict"], answer["reason_code"]) == (1, "nothing", "empty_index")
    code, report = ask("index", "--all-sources")
    assert code == 0
    memory_files = 2  # the person's own, and one in a folder that only the sessions of this very round name
    assert report["totals"]["sessions"] == report["totals"]["files"] == len(list(demo.stories())) + memory_files == 15
    assert report["totals"]["unchanged_files"] == 0
    code, answer = ask("search", "SKIP LOCKED")
    assert (code, answer["found"], answer["verdict"]) == (0, True, "confident")
    session = answer["sessions"][0]
    code, view = ask("show", session["session"][:12], "--around", session["hits"][0]["message_id"])
    assert view["session"] == session["session"]
    assert session["hits"][0]["message_id"] in [message["message_id"] for message in view["messages"]]
    _, status = ask("status")
    assert status["totals"] == report["totals"] | {"bytes_read": status["totals"]["bytes_read"]} | {
        "files": status["totals"]["files"],
        "unchanged_files": status["totals"]["unchanged_files"],
    }
    _, listed = ask("sessions")
    assert len(listed["sessions"]) == report["totals"]["sessions"]
    assert sum(item["agent"] == "memory" for item in listed["sessions"]) == memory_files
    _, again = ask("index")
    assert again["totals"] == report["totals"] | {"bytes_read": 0, "unchanged_files": report["totals"]["files"]}
    assert main(["show", "nothing-like-it"]) == 1


def test_index_in_another_program(ask: Ask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ask("index", "--all-sources", "--no-vectors")
    monkeypatch.setattr("tray_app.service.owning.LOCKED_S", 0.2)
    code = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    arguments = [sys.executable, "-c", code, str(Paths.from_environment().index_file)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        assert main(["search", "SKIP LOCKED"]) == 3
        said = capsys.readouterr().err
        assert str(holder.pid) in said
        assert said.count("\n") == 1
        holder.kill()
    assert ask("search", "SKIP LOCKED")[0] == 0


def test_demo_answers_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = dict(os.environ)
    try:
        assert main(["demo", "--json", "--", *demo.QUESTIONS[1].split()]) == 0
        assert json.loads(capsys.readouterr().out)["found"] is True
        assert main(["demo", "zyzzyva"]) == 1
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            monkeypatch.delenv(name, raising=False)
            before.pop(name, None)
        assert main(["demo"]) == 3
        assert "There is no screen here" in capsys.readouterr().err
    finally:
        logs.shutdown()
    assert list(tmp_path.iterdir()) == []
    assert dict(os.environ) == before
