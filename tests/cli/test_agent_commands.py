"""`install`, `uninstall` and `hook` as a person calls them."""

from __future__ import annotations

import json
import tomllib
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
    codex = run("install", "codex", "--print")
    assert tomllib.loads(codex.out)["mcp_servers"]["backscroll"]["args"][-1] == "mcp"
    assert codex.err == "For Codex this belongs into ~/.codex/config.toml, beside what is there.\n"
    assert list(json.loads(run("install", "opencode", "--print").out)["mcp"]) == ["backscroll"]
    assert run("install", "nobody", "--print").code == 2


def test_parts_can_be_chosen(run: Run, isolated: Path) -> None:
    (isolated / ".claude").mkdir()
    done = json.loads(run("install", "claude_code", "--no-hook", "--instructions", "--json").out)
    assert [(Path(one["file"]).name, one["parts"]) for one in done["changes"]] == [
        (".claude.json", ["mcp"]), ("SKILL.md", ["instructions"]),
    ]  # fmt: skip
    assert done["note"] and done["copies"] == []
    wrong = run("install", "--dry-run")
    assert wrong.code == 2 and "No agent was named" in wrong.err


def test_what_cannot_be_changed_says_why_where_and_what_to_do(run: Run, isolated: Path) -> None:
    (isolated / ".cursor").mkdir()
    file = isolated / ".cursor" / "mcp.json"
    file.write_text('{\n  "mcpServers": {,}\n}')
    done = run("install", "cursor")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        "backscroll: Not changed: ~/.cursor/mcp.json was left as it is: it is no valid JSON (line 2: a name in quotes is missing). "
        "To add it by hand: backscroll install AGENT --print\n"
    )
    listed = next(line for line in run("install").out.splitlines() if line.startswith("cursor"))
    assert listed.split(maxsplit=1)[1].startswith("nothing of ours (~/.cursor/mcp.json was left as it is: it is no valid JSON")
    missing = run("install", "codex")
    assert missing.code == 3 and "Codex was never used here: there is no ~/.codex." in missing.err
    cursor = run("install", "cursor", "--instructions")
    assert cursor.code == 2 and "Cursor reads no instructions from a file." in cursor.err


def test_the_list_says_what_is_off_and_what_is_old(run: Run, isolated: Path) -> None:
    (isolated / ".cursor").mkdir()
    entry = {"command": "/gone/backscroll", "args": ["mcp"], "disabled": True}
    (isolated / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"backscroll": entry}}))
    (listed,) = (line for line in run("install").out.splitlines() if line.startswith("cursor"))
    assert listed.split(maxsplit=1)[1] == (
        "the MCP server (switched off there); written for another place of this program, or an older one: backscroll install cursor"
    )
    (known,) = (one for one in json.loads(run("install", "--json").out)["agents"] if one["agent"] == "cursor")
    assert (known["mcp"], known["off"], known["outdated"], known["problem"]) == (True, ["mcp"], True, "")


def test_copies_are_named(run: Run, isolated: Path) -> None:
    (isolated / ".cursor").mkdir()
    (isolated / ".cursor" / "mcp.json").write_text("{}")
    done = run("install", "cursor")
    assert "How it was before is kept in ~/backscroll/data/backups/agents/cursor\n" in done.err
    dry = run("uninstall", "cursor", "--dry-run")
    assert "-{" in dry.out or "-  " in dry.out
    assert "backscroll" in (isolated / ".cursor" / "mcp.json").read_text()
    (copy,) = json.loads(run("uninstall", "cursor", "--json").out)["copies"]
    assert "backscroll" in Path(copy).read_text() and (isolated / ".cursor" / "mcp.json").read_text() == "{}"


def test_wrong_use_of_the_hook_is_silent_and_its_help_is_not(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "DEADLINE_S", 600)
    monkeypatch.setattr(hook, "_input", lambda: b"")
    done = run("hook")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "EVENT" in run("hook", "--help").out
