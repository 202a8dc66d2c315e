"""Entries of ours in agents' configs: every agent, every odd file, there and back again to the byte."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from installs import FOLDERS, HOOKS, INSTRUCTED, JSON_SERVERS, SERVERS, install, loaded_yaml, servers, tree, uninstall

from tray_app.agents.install import CLIENTS, plan, program, snippet, state
from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths
from tray_app.text.own_marks import strip_own


@pytest.fixture
def paths(agents_home: Paths) -> Paths:
    return agents_home


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
    folder = isolated / FOLDERS[agent]

    def parts() -> tuple[bool | None, bool | None, bool | None]:
        known = state(paths, agent)
        assert (known.folder, known.off, known.stale, known.fault) == (folder, (), False, None)
        return known.mcp, known.hook, known.instructions

    nothing = (False, False if has_hook else None, False if has_text else None)
    assert parts() == nothing
    install(paths, agent, hooks=False)
    assert parts() == (True, False if has_hook else None, False if has_text else None)
    install(paths, agent, instructions=agent in INSTRUCTED)
    assert parts() == (True, has_hook, has_text)
    uninstall(paths, agent)
    assert parts() == nothing
    folder.rmdir()
    assert state(paths, agent).folder is None


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


def test_windows_commands_suit_every_shell() -> None:
    words = [r"C:\Program Files\Back\backscroll.exe", "hook", "codex", "Stop"]
    assert program.shell_line(words, windows=True) == '"C:/Program Files/Back/backscroll.exe" hook codex Stop'


def test_the_instructions_are_short() -> None:
    from tray_app.agents.install.clients import text

    assert len(text().splitlines()) <= 60
    for tool in ("session_recall", "session_search", "handoff_pack", "checkpoint_put", "remember", "recall", "fallback_menu"):
        assert f"`{tool}`" in text()


def test_each_agent_gets_the_time_limit_of_its_hook_in_its_own_unit(paths: Paths, isolated: Path) -> None:
    for agent, limit in (("claude_code", 5), ("qwen", 5), ("gemini_cli", 5_000)):
        install(paths, agent)
        (group,) = json.loads((isolated / HOOKS[agent]).read_text())["hooks"]["SessionStart"]
        assert group["hooks"][0]["timeout"] == limit


@pytest.mark.parametrize("agent", ["codex", "gemini_cli", "qwen"])
def test_our_instructions_are_known_as_ours_where_they_are_read_back(paths: Paths, isolated: Path, agent: str) -> None:
    file = next(change.file for change in plan(paths, agent, instructions=True).changes if "instructions" in change.labels)
    file.write_text("# Mine\n")
    install(paths, agent, instructions=True)
    file.write_text(file.read_text() + "mine as well\n")
    assert strip_own(file.read_text()) == "# Mine\n\nmine as well\n"
