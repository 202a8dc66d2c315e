"""What installing leaves as it is, and says why; and an entry that is there already."""

from __future__ import annotations

import json
import os
import stat
import sys
import tomllib
from pathlib import Path

import pytest
from installs import HOOKS, SERVERS, install, tree, uninstall

from tray_app.agents.install import apply, plan
from tray_app.agents.install.files import Original
from tray_app.errors import KnownError
from tray_app.paths import Paths


@pytest.fixture
def paths(agents_home: Paths) -> Paths:
    return agents_home


# --- refused ------------------------------------------------------------------------------------------------------------------
BROKEN: list[tuple[str, str, bytes, str]] = [
    ("gemini_cli", ".gemini/settings.json", b"{broken", r"no valid JSON \(line 1: "),
    ("gemini_cli", ".gemini/settings.json", b"[]", "it holds no object"),
    ("gemini_cli", ".gemini/settings.json", b'{"mcpServers": []}', "mcpServers in it is not an object"),
    ("gemini_cli", ".gemini/settings.json", b'{"a": "\xff"}', "is not UTF-8"),
    ("gemini_cli", ".gemini/settings.json", '{"a": 1}'.encode("utf-16-le"), "is not text"),
    ("gemini_cli", ".gemini/settings.json", b'{"mcpServers": {"backscroll": {"command": "x"}}}', "that is not this program"),
    ("claude_code", ".claude/settings.json", b'{"hooks": {"SessionStart": {}}}', "hooks.SessionStart in it is not a list"),
    ("claude_code", ".claude/settings.json", b'{"hooks": 1}', "hooks in it is not an object"),
    ("codex", ".codex/config.toml", b"a = ", r"no valid TOML \("),
    ("codex", ".codex/config.toml", b'mcp_servers = { other = { command = "x" } }', "cannot be changed safely|no valid TOML"),
    ("codex", ".codex/config.toml", b'[mcp_servers.backscroll]\ncommand = "x"', "that is not this program"),
    ("kimi", ".kimi-code/config.toml", b"hooks = []\n", "cannot be changed safely|no valid TOML"),
    ("dsh", ".dsh/cordis.patch.yml", b"a: 1\n", "not a list with an item in each line"),
    ("dsh", ".dsh/cordis.patch.yml", b"[{id: a}]\n", "not a list with an item in each line"),
    ("dsh", ".dsh/cordis.patch.yml", b"- a\n---\n- b\n", "more than one document"),
    ("dsh", ".dsh/cordis.patch.yml", b"- insert:\n    - id: backscroll-mcp\n", "that this program did not write"),
    ("dsh", ".dsh/cordis.patch.yml", b"# backscroll: begin\n- a\n", "do not match"),
]


@pytest.mark.parametrize(("agent", "name", "raw", "why"), BROKEN)
def test_what_cannot_be_changed_is_left_with_a_sentence(
    paths: Paths, isolated: Path, agent: str, name: str, raw: bytes, why: str
) -> None:
    (isolated / name).write_bytes(raw)
    before = tree(isolated)
    with pytest.raises(KnownError, match=why) as fault:
        install(paths, agent)
    assert fault.value.hint and str(isolated) not in fault.value.message
    assert tree(isolated) == before


def test_a_foreign_entry_is_left_when_ours_is_taken_out(paths: Paths, isolated: Path) -> None:
    (isolated / SERVERS["cursor"]).write_text('{"mcpServers": {"backscroll": {"command": "x"}}}')
    planned = plan(paths, "cursor", remove=True)
    assert planned.changes == []
    assert planned.left == ["~/.cursor/mcp.json: its MCP server called backscroll is not this program (line 1)."]


def test_a_skill_of_that_name_is_left(paths: Paths, isolated: Path) -> None:
    skill = isolated / ".claude/skills/backscroll/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine")
    with pytest.raises(KnownError, match="did not write"):
        install(paths, "claude_code", instructions=True)
    assert not (isolated / ".claude.json").exists()
    assert install(paths, "claude_code") == 2
    uninstall(paths, "claude_code")
    assert skill.read_text() == "mine"


def test_a_write_protected_file_is_left(paths: Paths, isolated: Path) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text("{}")
    file.chmod(0o400)
    with pytest.raises(KnownError, match=r"~/\.cursor/mcp\.json is write-protected") as fault:
        install(paths, "cursor")
    assert (fault.value.code, file.read_text()) == ("config_readonly", "{}")


def test_a_hard_link_is_not_cut(paths: Paths, isolated: Path) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text("{}")
    os.link(file, isolated / "other.json")
    with pytest.raises(KnownError, match="hard link"):
        install(paths, "cursor")


def test_a_folder_in_its_place_is_left(paths: Paths, isolated: Path) -> None:
    (isolated / SERVERS["cursor"]).mkdir()
    with pytest.raises(KnownError, match="is no file"):
        install(paths, "cursor")


def test_a_link_is_followed_and_stays_one(paths: Paths, isolated: Path) -> None:
    real, link = isolated / "dotfiles" / "mcp.json", isolated / SERVERS["cursor"]
    real.parent.mkdir()
    real.write_text('{"a": 1}')
    real.chmod(0o640)
    link.symlink_to(real)
    install(paths, "cursor")
    assert link.is_symlink() and "backscroll" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    uninstall(paths, "cursor")
    assert link.is_symlink() and real.read_text() == '{"a": 1}'


def test_what_changed_meanwhile_is_not_written_over(paths: Paths, isolated: Path) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text("{}")
    planned = plan(paths, "cursor")
    file.write_text('{"new": 1}')
    with pytest.raises(KnownError) as fault:
        apply(paths, planned)
    assert (fault.value.code, file.read_text()) == ("config_changed", '{"new": 1}')


def test_all_files_or_none(paths: Paths, isolated: Path) -> None:
    before = tree(isolated)
    planned = plan(paths, "claude_code")
    (isolated / ".claude/settings.json").write_text("{}")  # the second file is another than was planned
    with pytest.raises(KnownError):
        apply(paths, planned)
    (isolated / ".claude/settings.json").unlink()
    assert tree(isolated) == before
    assert not list(isolated.rglob("*.tmp"))
    assert install(paths, "claude_code") == 2


def test_nothing_is_changed_without_a_copy(paths: Paths, isolated: Path) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text("{}")
    (paths.data / "backups").mkdir(parents=True, exist_ok=True)
    (paths.data / "backups" / "agents").write_text("a file where a folder has to be")
    planned = plan(paths, "cursor")
    with pytest.raises(KnownError) as fault:
        apply(paths, planned)
    assert (fault.value.code, file.read_text()) == ("backup_failed", "{}")


def test_the_copy_is_the_file_as_it_was(paths: Paths, isolated: Path) -> None:
    (isolated / SERVERS["cursor"]).write_text('{"token": 1}')
    (copy,) = apply(paths, plan(paths, "cursor"))
    assert copy.read_text() == '{"token": 1}' and copy.parent == paths.data / "backups" / "agents" / "cursor"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_copies_are_bounded(paths: Paths, isolated: Path) -> None:
    (isolated / SERVERS["cursor"]).write_text("{}")
    for _ in range(14):
        install(paths, "cursor")
        uninstall(paths, "cursor")
    assert len(list((paths.data / "backups" / "agents" / "cursor").iterdir())) == 20


# --- an entry that is there already -------------------------------------------------------------------------------------------
def test_a_moved_program_is_corrected_and_what_was_added_stays(
    paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for agent in ("claude_code", "codex", "kimi"):
        install(paths, agent)
    servers_file, table = isolated / ".claude.json", isolated / ".codex/config.toml"
    servers_file.write_text(servers_file.read_text().replace('"type": "stdio",', '"type": "stdio", "timeout": 9,'))
    table.write_text(table.read_text() + "startup_timeout_sec = 20 # slow\n")
    for name in ("tray_app.agents.install.program.program", "tray_app.agents.install.clients.program"):
        monkeypatch.setattr(name, lambda: [sys.executable, "-m", "tray_app.cli.main"])
    for agent in ("claude_code", "codex", "kimi"):
        assert install(paths, agent) == 2
        assert install(paths, agent) == 0
    entry = json.loads(servers_file.read_text())["mcpServers"]["backscroll"]
    assert (entry["command"], entry["args"], entry["timeout"]) == (sys.executable, ["-m", "tray_app.cli.main", "mcp"], 9)
    known = tomllib.loads(table.read_text())["mcp_servers"]["backscroll"]
    assert (known["command"], known["args"], known["startup_timeout_sec"]) == (
        sys.executable,
        ["-m", "tray_app.cli.main", "mcp"],
        20,
    )
    assert "20 # slow\n" in table.read_text()
    settings = (isolated / ".claude/settings.json").read_text()
    assert settings.count(" hook claude_code SessionStart") == 1 and "/opt" not in settings
    for agent in ("claude_code", "codex", "kimi"):
        uninstall(paths, agent)
    assert [file for file, raw in tree(isolated).items() if raw is not None and b"backscroll" in raw] == []


def test_switched_off_by_the_person_stays_so(paths: Paths, isolated: Path) -> None:
    install(paths, "opencode")
    file = isolated / SERVERS["opencode"]
    file.write_text(file.read_text().replace('"enabled": true', '"enabled": false'))
    assert install(paths, "opencode") == 0


def test_hooks_of_others_in_the_same_group_stay(paths: Paths, isolated: Path) -> None:
    install(paths, "claude_code")
    file = isolated / HOOKS["claude_code"]
    content = json.loads(file.read_text())
    content["hooks"]["SessionStart"][0]["hooks"].append({"type": "command", "command": "mine"})
    file.write_text(json.dumps(content))
    uninstall(paths, "claude_code")
    assert json.loads(file.read_text()) == {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}]}}


def test_an_agent_that_writes_its_file_anew_loses_nothing(paths: Paths, isolated: Path) -> None:
    """As Claude Code does all the time."""
    file = isolated / SERVERS["claude_code"]
    file.write_text('{"a":1}')
    install(paths, "claude_code")
    file.write_text(json.dumps({**json.loads(file.read_text()), "b": [1, 2]}))
    assert install(paths, "claude_code") == 0
    uninstall(paths, "claude_code")
    assert json.loads(file.read_text()) == {"a": 1, "b": [1, 2]}


def test_a_lost_receipt_costs_exactness_alone(paths: Paths, isolated: Path) -> None:
    (isolated / SERVERS["cursor"]).write_text("{}")
    install(paths, "cursor")
    (paths.data / "backups" / "agents" / "receipts.json").write_text("{broken")
    uninstall(paths, "cursor")
    assert json.loads((isolated / SERVERS["cursor"]).read_text()) == {"mcpServers": {}}


def test_a_dry_run_shows_a_diff_and_changes_nothing(paths: Paths, isolated: Path) -> None:
    (isolated / SERVERS["cursor"]).write_text('{\n  "a": 1\n}')
    before = tree(isolated)
    (change,) = plan(paths, "cursor").changes
    assert change.diff().splitlines()[:7] == [
        "--- ~/.cursor/mcp.json",
        "+++ ~/.cursor/mcp.json",
        "@@ -1,3 +1,14 @@",
        " {",
        '-  "a": 1',
        '+  "a": 1,',
        '+  "mcpServers": {',
    ]
    assert change.diff().endswith(" }\n\\ No newline at end of file\n")
    assert tree(isolated) == before and isinstance(change.original, Original)
