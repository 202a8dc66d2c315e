"""`doctor --census`: what can be sent with a report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tray_app import __version__, demo, logs
from tray_app.cli.main import main

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Ask]:
    """`ask("codex")`: exit code and output on the made-up sessions."""
    for name, value in demo.make(tmp_path, NOW).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "90")

    def command(agent: str, *arguments: str) -> tuple[int, str, str]:
        code = main(["doctor", "--census", agent, *arguments])
        return code, *capsys.readouterr()

    yield command
    logs.shutdown()


def test_kinds_and_keys_with_counts(ask: Ask) -> None:
    code, out, err = ask("codex")
    assert code == 0
    assert out.startswith(f"Codex, reading 1, Backscroll {__version__}\n")
    assert "\nForms\n" in out and "\nKinds\n" in out and "\nKeys\n" in out
    assert "  type=response_item\n" in out and "  payload.content[].text\n" in out
    assert err == "Names and counts only, nothing that was said: safe to send.\n"


def test_as_json(ask: Ask) -> None:
    code, out, err = ask("claude_code", "--json")
    counted = json.loads(out)
    assert (code, err, counted["version"], counted["census"]["agent"]) == (0, "", __version__, "claude_code")
    assert counted["census"]["types"]["type=user"] > 0
    assert set(counted["census"]) == {
        *("agent", "adapter_version", "files", "files_left", "unreadable_files", "bytes", "records", "unreadable_records"),
        *("formats", "types", "keys"),
    }


def test_nothing_there(ask: Ask) -> None:
    code, out, err = ask("aider")
    assert (code, out) == (1, "")
    assert err.startswith("No files of Aider were found.")


def test_an_agent_that_is_none(ask: Ask) -> None:
    code, out, err = ask("codecs")
    assert (code, out) == (2, "")
    assert err.startswith("backscroll: No such agent: There is no agent 'codecs'.")
