"""Entries of ours in agents' configs: every agent, every odd file, there and back again to the byte."""

from __future__ import annotations

import json
import os
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tray_app.agents.install import CLIENTS, apply, plan, program, snippet, state
from tray_app.agents.install.files import Original
from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths

FOLDERS = {
    "claude_code": ".claude",
    "codex": ".codex",
    "dsh": ".dsh",
    "kimi": ".kimi-code",
    "gemini_cli": ".gemini",
    "qwen": ".qwen",
    "opencode": ".config/opencode",
    "cursor": ".cursor",
}
SERVERS = {
    "claude_code": ".claude.json",
    "codex": ".codex/config.toml",
    "dsh": ".dsh/cordis.patch.yml",
    "kimi": ".kimi-code/mcp.json",
    "gemini_cli": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "cursor": ".cursor/mcp.json",
}
HOOKS = {
    "claude_code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "dsh": ".dsh/cordis.patch.yml",
    "kimi": ".kimi-code/config.toml",
}
INSTRUCTED = [agent for agent in CLIENTS if agent != "cursor"]
JSON_SERVERS = ["claude_code", "kimi", "gemini_cli", "qwen", "opencode", "cursor"]


@pytest.fixture
def paths(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """Every agent was used here."""
    for folder in FOLDERS.values():
        (isolated / folder).mkdir(parents=True)
    monkeypatch.setattr(program, "program", lambda: ["/opt/back scroll/backscroll"])
    monkeypatch.setattr("tray_app.agents.install.clients.program", lambda: ["/opt/back scroll/backscroll"])
    return Paths.from_environment().ensure()


def install(paths: Paths, agent: str, **more: Any) -> int:
    """Gives how many files were changed."""
    planned = plan(paths, agent, **more)
    if planned.changes:
        apply(paths, planned)
    return len(planned.changes)


def uninstall(paths: Paths, agent: str) -> int:
    return install(paths, agent, remove=True)


def tree(home: Path) -> dict[str, bytes | None]:
    """Everything below the home but what is ours."""
    found: dict[str, bytes | None] = {}
    for one in sorted(home.rglob("*")):
        name = one.relative_to(home).as_posix()
        if not name.startswith("backscroll"):
            found[name] = one.read_bytes() if one.is_file() else None
    return found


def servers(text: str, file: str) -> dict[str, Any]:
    """The MCP servers that an agent finds in a file."""
    if file.endswith(".toml"):
        return dict(tomllib.loads(text).get("mcp_servers", {}))
    if file.endswith(".yml"):
        rows = [row for patch in loaded_yaml(text) for row in patch.get("insert", ())]
        return {row["config"]["serverName"]: row["config"] for row in rows if row["name"] == "@deepseek-ai/dsh-mcp-client"}
    content = json.loads(text)
    return dict(content.get("mcpServers") or content.get("mcp") or {})


def loaded_yaml(text: str) -> Any:
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_multi_constructor("tag:yaml.org,2002:js", lambda loader, suffix, node: f"js {node.value}")
    return yaml.load(text, Loader) or []


# --- every agent --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("agent", CLIENTS)
def test_there_and_back_where_nothing_was(paths: Paths, isolated: Path, agent: str) -> None:
    before = tree(isolated)
    assert install(paths, agent, instructions=agent in INSTRUCTED) > 0
    entry = servers((isolated / SERVERS[agent]).read_text(), SERVERS[agent])["backscroll"]
    words = entry["command"] if agent == "opencode" else [entry["command"], *entry["args"]]
    assert words == ["/opt/back scroll/backscroll", "mcp"]
    after = tree(isolated)
    assert install(paths, agent, instructions=agent in INSTRUCTED) == 0
    assert tree(isolated) == after
    assert uninstall(paths, agent) > 0
    assert tree(isolated) == before
    assert uninstall(paths, agent) == 0


@pytest.mark.parametrize("agent", CLIENTS)
def test_state_says_what_is_there(paths: Paths, isolated: Path, agent: str) -> None:
    has_hook, has_text = (True if agent in HOOKS else None), (True if agent in INSTRUCTED else None)
    nothing = (True, False, False if has_hook else None, False if has_text else None, "")
    assert state(paths, agent)[1:] == nothing
    install(paths, agent, hooks=False)
    assert state(paths, agent)[1:] == (True, True, False if has_hook else None, False if has_text else None, "")
    install(paths, agent, instructions=agent in INSTRUCTED)
    assert state(paths, agent)[1:] == (True, True, has_hook, has_text, "")
    uninstall(paths, agent)
    assert state(paths, agent)[1:] == nothing


def test_the_server_finds_our_files_and_hooks_do_too(paths: Paths, isolated: Path) -> None:
    home = os.environ["BACKSCROLL_HOME"]
    install(paths, "claude_code")
    assert json.loads((isolated / ".claude.json").read_text())["mcpServers"]["backscroll"] == {
        "type": "stdio",
        "command": "/opt/back scroll/backscroll",
        "args": ["mcp"],
        "env": {"BACKSCROLL_HOME": home},
    }
    hooks = json.loads((isolated / ".claude/settings.json").read_text())["hooks"]
    assert list(hooks) == ["SessionStart", "UserPromptSubmit"]
    assert hooks["SessionStart"] == [
        {
            "hooks": [
                {
                    "type": "command",
                    "command": f"'/opt/back scroll/backscroll' hook claude_code SessionStart --home {home}",
                    "timeout": 5,
                }
            ]
        }
    ]


def test_nothing_is_said_of_a_home_that_is_the_usual_one(paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BACKSCROLL_HOME")
    planned = plan(paths, "codex")
    texts = [(change.raw or b"").decode() for change in planned.changes]
    assert not any("home" in text.lower() for text in texts)


def test_an_agent_that_was_never_used_gets_nothing(paths: Paths, isolated: Path) -> None:
    (isolated / ".codex").rmdir()
    with pytest.raises(KnownError, match=r"Codex was never used here: there is no ~/\.codex\.") as fault:
        plan(paths, "codex")
    assert fault.value.code == "agent_missing"
    assert not (isolated / ".codex").exists()


def test_names_of_agents(paths: Paths) -> None:
    assert plan(paths, "Claude-Code").client.key == plan(paths, "Claude Code").client.key == "claude_code"
    with pytest.raises(UsageError, match="Nothing is known of an agent 'nobody'"):
        plan(paths, "nobody")
    with pytest.raises(UsageError, match="Cursor reads no instructions from a file"):
        plan(paths, "cursor", instructions=True)


def test_their_own_variables_move_them(paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BACKSCROLL_SOURCES_HOME")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    install(paths, "claude_code")
    install(paths, "codex")
    assert sorted(one.name for one in tmp_path.iterdir()) == [".claude.json", "config.toml", "hooks.json", "settings.json"]


def test_the_old_name_of_claudes_file_goes_first(paths: Paths, isolated: Path) -> None:
    (isolated / ".claude/.config.json").write_text("{}")
    install(paths, "claude_code", hooks=False)
    assert "backscroll" in (isolated / ".claude/.config.json").read_text()
    assert not (isolated / ".claude.json").exists()


def test_opencode_goes_on_with_the_file_it_has(paths: Paths, isolated: Path) -> None:
    (isolated / ".config/opencode/opencode.jsonc").write_text('// mine\n{ "theme": "x" }\n')
    install(paths, "opencode")
    assert [one.name for one in (isolated / ".config/opencode").iterdir()] == ["opencode.jsonc"]


def test_a_snippet_for_any_other_client(paths: Paths) -> None:
    entry = {
        "command": "/opt/back scroll/backscroll",
        "args": ["mcp"],
        "env": {"BACKSCROLL_HOME": os.environ["BACKSCROLL_HOME"]},
    }
    assert json.loads(snippet()) == {"mcpServers": {"backscroll": entry}}


# --- files as they are met ----------------------------------------------------------------------------------------------------
ODD_JSON = [
    b"",
    b"\n",
    b"{}",
    b"{}\n",
    b"{ }",
    b'{"mcpServers": {}, "mcp": {}, "hooks": {}}',
    b'{\n  "mcpServers": {\n  },\n  "mcp": {},\n  "hooks": {"SessionStart": []}\n}',
    b'{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"other": {"command": "x"}\r\n\t}\r\n}\r\n',
    b'\xef\xbb\xbf{\n    "a": "\xe4\xb8\xad\xe6\x96\x87"\n}\n',
    b'// top\n{\n  /* servers */ "mcpServers": { // here\n    "other": {"url": "http://x"}, // last\n  },\n}\n// end',
    b'{"a":[1,2,{"b":null}],"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"x"}]}],"Stop":[]}}',
    b'{ "a": 1\n }',
    b"// nothing but this\n",
]


@pytest.mark.parametrize("raw", ODD_JSON)
@pytest.mark.parametrize("agent", [*JSON_SERVERS, "codex"])
def test_odd_json_comes_back_to_the_byte(paths: Paths, isolated: Path, agent: str, raw: bytes) -> None:
    files = {isolated / SERVERS[agent], isolated / HOOKS.get(agent, SERVERS[agent])}
    for file in files:
        if file.suffix == ".json":
            file.write_bytes(raw)
    before = tree(isolated)
    assert install(paths, agent) == len(files)
    assert install(paths, agent) == 0
    uninstall(paths, agent)
    assert tree(isolated) == before


@pytest.mark.parametrize("raw", ODD_JSON)
@pytest.mark.parametrize("agent", ["claude_code", "gemini_cli"])
def test_it_comes_back_where_others_changed_the_file_since(paths: Paths, isolated: Path, agent: str, raw: bytes) -> None:
    file = isolated / HOOKS.get(agent, SERVERS[agent])
    file.write_bytes(raw)
    install(paths, agent)
    file.write_bytes(file.read_bytes() + b" \n")
    uninstall(paths, agent)
    assert file.read_bytes() == raw + b" \n" or (not raw.strip() and not file.read_bytes().strip())


ODD_TOML = [
    b"",
    b"# mine\n",
    b'model = "x"',
    b'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "y"\r\n',
    b'[mcp_servers]\n[mcp_servers.other]\nargs = [\n  "a", # one\n  "[mcp_servers.backscroll]",\n]\n\n[tui]\nx = 1',
    b"text = \"\"\"\n[mcp_servers.backscroll]\n[[hooks]]\n\"\"\"\nother = '''\n[x]'''\n",
    b'[[hooks]]\nevent = "Stop"\ncommand = "x"\n\n\n# the end\n',
    b'[projects."/a b"]\ntrust_level = "trusted"\nwhen = 2026-11-30T10:00:00Z\nn = nan\n\n',
]


@pytest.mark.parametrize("raw", ODD_TOML)
@pytest.mark.parametrize(("agent", "name"), [("codex", ".codex/config.toml"), ("kimi", ".kimi-code/config.toml")])
def test_odd_toml_comes_back_to_the_byte(paths: Paths, isolated: Path, agent: str, name: str, raw: bytes) -> None:
    file = isolated / name
    file.write_bytes(raw)
    before = tree(isolated)
    install(paths, agent)
    assert file.read_bytes().startswith(raw)
    assert install(paths, agent) == 0
    uninstall(paths, agent)
    assert tree(isolated) == before
    install(paths, agent)
    file.write_bytes(file.read_bytes() + b"\n[last]\nx = 1\n")
    uninstall(paths, agent)
    assert b"backscroll hook" not in file.read_bytes() and b"[last]\nx = 1\n" in file.read_bytes()
    assert file.read_bytes().startswith(raw)


ODD_YAML = [
    b"",
    b"# patches of mine\n",
    b"[]\n",
    b"---\n[] # none yet\n",
    b"- id: a\n  name: x",
    b"- id: a\r\n  config:\r\n    when: !!js (process.env.X ?? 'y') + '#'\r\n",
    b"# first\n  - insert:\n      - id: other\n        name: '@deepseek-ai/dsh-mcp-client'\n        config: { serverName: other }\n  - id: b\n",
    b"- id: a\n  text: |\n    - insert:\n      # no comment\n",
    b"-\n  id: a\n\n\n",
]


@pytest.mark.parametrize("raw", ODD_YAML)
def test_odd_yaml_comes_back_to_the_byte(paths: Paths, isolated: Path, raw: bytes) -> None:
    file = isolated / SERVERS["dsh"]
    file.write_bytes(raw)
    before, old = tree(isolated), loaded_yaml(raw.decode())
    install(paths, "dsh")
    new = loaded_yaml(file.read_text())
    assert new[:-1] == old
    assert [row["id"] for row in new[-1]["insert"]] == ["backscroll-mcp", "backscroll-hooks"]
    hooks = Path(new[-1]["insert"][1]["config"]["configPath"])
    assert hooks == paths.data / "agents" / "dsh-hooks.json" and list(json.loads(hooks.read_text())["hooks"])
    assert install(paths, "dsh") == 0
    assert install(paths, "dsh", hooks=False) == 0
    uninstall(paths, "dsh")
    assert tree(isolated) == before and not hooks.exists()
    install(paths, "dsh")
    file.write_bytes(file.read_bytes() + b"# later\n")
    uninstall(paths, "dsh")
    assert loaded_yaml(file.read_text()) == old


@pytest.mark.parametrize("agent", [agent for agent in INSTRUCTED if agent != "claude_code"])
@pytest.mark.parametrize("raw", [b"", b"# Rules", b"# Rules\r\n\r\nBe kind.\r\n", b"\xef\xbb\xbf# Rules\n\n"])
def test_instructions_are_a_block_of_their_own(paths: Paths, isolated: Path, agent: str, raw: bytes) -> None:
    (part,) = CLIENTS[agent].instructions(plan_setup(paths))
    part.file.write_bytes(raw)
    before = tree(isolated)
    install(paths, agent, instructions=True)
    text = part.file.read_bytes()
    assert text.startswith(raw) and text.count(b"handoff_pack") == 1
    assert text.count(b"\n") == text.count(b"\r\n") or b"\r\n" not in raw
    assert install(paths, agent, instructions=True) == 0
    uninstall(paths, agent)
    assert tree(isolated) == before
    install(paths, agent, instructions=True)
    part.file.write_bytes(part.file.read_bytes() + b"More.\n")
    uninstall(paths, agent)
    assert (
        part.file.read_bytes().removeprefix(b"\xef\xbb\xbf")
        == raw.removeprefix(b"\xef\xbb\xbf") + (b"\n" if raw and not raw.endswith(b"\n") else b"") + b"More.\n"
    )


def plan_setup(paths: Paths) -> Any:
    from tray_app.agents.install.clients import Setup

    return Setup.of_this_program(paths)


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
    assert planned.left == ["~/.cursor/mcp.json: its MCP server called backscroll is not this program."]


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


def test_windows_commands_suit_every_shell() -> None:
    words = [r"C:\Program Files\Back\backscroll.exe", "hook", "codex", "Stop"]
    assert program.shell_line(words, windows=True) == '"C:/Program Files/Back/backscroll.exe" hook codex Stop'


def test_the_instructions_are_short() -> None:
    from tray_app.agents.install.clients import text

    assert len(text().splitlines()) <= 60
    for tool in ("session_recall", "session_search", "handoff_pack", "checkpoint_put", "remember", "recall", "fallback_menu"):
        assert f"`{tool}`" in text()
