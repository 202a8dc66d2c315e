"""`install`, `uninstall` and `hook` as a person calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from outcomes import Run

from tray_app.agents import hook


def test_install_lists_the_agents(run: Run, isolated: Path) -> None:
    (isolated / ".codex").mkdir()
    done = run("install")
    lines = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert (lines["codex"], lines["cursor"], done.code) == ("nothing of ours", "not found here", 0)
    run("install", "codex", "--instructions")
    (codex,) = (one for one in json.loads(run("install", "--json").out)["agents"] if one["agent"] == "codex")
    assert [codex[key] for key in ("found", "mcp", "hook", "instructions", "problem")] == [True, True, True, True, ""]


def test_install_and_uninstall_say_what_they_did(run: Run, isolated: Path) -> None:
    (isolated / ".codex").mkdir()
    dry = run("install", "codex", "--dry-run")
    assert "+[mcp_servers.backscroll]\n" in dry.out and "nothing was changed" in dry.err
    assert list((isolated / ".codex").iterdir()) == []
    done = run("install", "codex")
    assert done.out == "Codex: the MCP server put in: ~/.codex/config.toml\nCodex: the hook put in: ~/.codex/hooks.json\n"
    assert "/hooks" in done.err
    assert run("install", "codex").err == "Codex: nothing to change.\n"
    removed = json.loads(run("uninstall", "codex", "--json").out)
    assert (removed["agent"], removed["removed"], len(removed["changes"]), len(removed["copies"])) == ("codex", True, 2, 2)
    assert list((isolated / ".codex").iterdir()) == []


def test_install_of_what_is_not_there(run: Run, isolated: Path) -> None:
    assert run("install", "codex").code == 3
    assert run("install", "nobody").code == 2
    assert run("uninstall").code == 2
    done = run("uninstall", "codex")
    assert (done.code, done.err) == (0, "Codex: nothing to change.\n")


def test_print_gives_a_snippet(run: Run) -> None:
    assert list(json.loads(run("install", "--print").out)["mcpServers"]) == ["backscroll"]


def test_wrong_use_of_the_hook_is_silent_and_its_help_is_not(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "DEADLINE_S", 600)
    monkeypatch.setattr(hook, "_input", lambda: b"")
    done = run("hook")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "EVENT" in run("hook", "--help").out
