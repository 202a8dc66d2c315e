"""The agents that an entry can be put into: where their configs are, and what they look like.

Owns the list. How sure each is: Claude Code, Gemini CLI, Qwen Code, OpenCode and Cursor document their MCP entries, Codex its MCP
table and its hooks (which it asks a person to trust once), Kimi Code its `mcp.json` and `[[hooks]]`; the rows of DSH follow its
source of 0.1 and are not promised to stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tray_app.agents.install.json_parts import Hooks, McpServer
from tray_app.agents.install.parts import Part
from tray_app.agents.install.program import environment, hook_command, program
from tray_app.agents.install.text_parts import DshPatch, Instructions, Skill
from tray_app.agents.install.toml_parts import HookTable, McpTable
from tray_app.paths import Paths, SourcesHome, resource

EVENTS = ("SessionStart", "UserPromptSubmit")
SKILL_HEAD = """---
name: backscroll
description: Search everything said in earlier sessions, read a project's hand-over pack, and write down what must last. Use it at \
the start of work on a project, when somebody refers to earlier talk or decisions, and before a session is closed.
---

"""


class Setup(NamedTuple):
    """What parts are made of: the homes of the agents and of ours, the program, its environment."""

    home: SourcesHome
    paths: Paths
    command: list[str]
    env: dict[str, str]

    @classmethod
    def of_this_program(cls, paths: Paths, home: SourcesHome | None = None) -> Setup:
        return cls(home or SourcesHome.from_environment(), paths, program(), environment())

    def server(self, *, kind: bool = False, lists: bool = False) -> dict[str, Any]:
        """An MCP entry. `kind`: with its type; `lists`: as OpenCode has it, one list and another name of the environment."""
        words = [*self.command, "mcp"]
        if lists:
            entry: dict[str, Any] = {"type": "local", "command": words, "enabled": True}
            return {**entry, "environment": self.env} if self.env else entry
        entry = {"type": "stdio"} if kind else {}
        entry |= {"command": words[0], "args": words[1:]}
        return {**entry, "env": self.env} if self.env else entry


class Client(NamedTuple):
    """`folders`: it is there when one of these is. `mcp`, `hooks`, `instructions`: the parts of an installation, in order."""

    key: str
    name: str
    folders: Callable[[SourcesHome], list[Path]]
    mcp: Callable[[Setup], list[Part]]
    hooks: Callable[[Setup], list[Part]] = lambda setup: []
    instructions: Callable[[Setup], list[Part]] = lambda setup: []
    note: str = ""
    """What a person has to know afterwards."""
    hook_note: str = ""
    """The same, where the hook is new or another."""


def commands(agent: str, events: tuple[str, ...] = EVENTS) -> dict[str, str]:
    return {event: hook_command(agent, event) for event in events}


def text() -> str:
    """What agents are told about the tools."""
    return resource("agents/backscroll.md").read_text(encoding="utf-8")


# --- where they are ------------------------------------------------------------------------------------------------------------
def _claude(home: SourcesHome) -> Path:
    return home.agent_folder("CLAUDE_CONFIG_DIR", ".claude")


def _claude_servers(home: SourcesHome) -> Path:
    """Where Claude Code keeps the servers of a person: beside its folder, or in it where that was moved; an old name of the file
    goes first if it is there."""
    old = _claude(home) / ".config.json"
    if old.exists():
        return old
    return (_claude(home) if home.environ.get("CLAUDE_CONFIG_DIR", "").strip() else home.home) / ".claude.json"


def _codex(home: SourcesHome) -> Path:
    return home.agent_folder("CODEX_HOME", ".codex")


def _dsh(home: SourcesHome) -> Path:
    return home.agent_folder("DSH_HOME", ".dsh")


def _dsh_hooks(setup: Setup) -> Path:
    """DSH's bridge reads hooks from any file: this one is in our own folder."""
    return setup.paths.data / "agents" / "dsh-hooks.json"


def _kimi(home: SourcesHome) -> Path:
    return home.agent_folder("KIMI_CODE_HOME", ".kimi-code")


def _gemini(home: SourcesHome) -> Path:
    return home.agent_folder("GEMINI_CLI_HOME", ".") / ".gemini"


def _qwen(home: SourcesHome) -> Path:
    return home.agent_folder("QWEN_HOME", ".qwen")


def _opencode(home: SourcesHome) -> Path:
    return home.agent_folder("XDG_CONFIG_HOME", ".config") / "opencode"


def _opencode_file(home: SourcesHome) -> Path:
    folder = _opencode(home)
    return next(
        (folder / name for name in ("opencode.jsonc", "opencode.json") if (folder / name).exists()), folder / "opencode.json"
    )


def _opencode_folders(home: SourcesHome) -> list[Path]:
    return [_opencode(home), home.agent_folder("XDG_DATA_HOME", ".local/share") / "opencode"]


def _cursor(home: SourcesHome) -> Path:
    return home.home / ".cursor"


# --- the list ------------------------------------------------------------------------------------------------------------------
_ALL = (
    Client(
        "claude_code", "Claude Code", lambda home: [_claude(home)],
        mcp=lambda setup: [McpServer(_claude_servers(setup.home), "mcpServers", setup.server(kind=True))],
        hooks=lambda setup: [Hooks(_claude(setup.home) / "settings.json", "claude_code", commands("claude_code"))],
        instructions=lambda setup: [Skill(_claude(setup.home) / "skills" / "backscroll" / "SKILL.md", SKILL_HEAD + text())],
        note="It counts for sessions that are started from now on.",
    ),
    Client(
        "codex", "Codex", lambda home: [_codex(home)],
        mcp=lambda setup: [McpTable(_codex(setup.home) / "config.toml", [*setup.command, "mcp"], setup.env)],
        hooks=lambda setup: [Hooks(_codex(setup.home) / "hooks.json", "codex", commands("codex"))],
        instructions=lambda setup: [Instructions(_codex(setup.home) / "AGENTS.md", text())],
        hook_note="Codex runs a new hook only after you trusted it: it asks at its next start, or type /hooks. Older versions know no hooks.",
    ),
    Client(
        "dsh", "DeepSeek Harness", lambda home: [_dsh(home)],
        mcp=lambda setup: [DshPatch(_dsh(setup.home) / "cordis.patch.yml", [*setup.command, "mcp"], setup.env, None)],
        hooks=lambda setup: [
            Hooks(_dsh_hooks(setup), "dsh", commands("dsh")),
            DshPatch(_dsh(setup.home) / "cordis.patch.yml", [*setup.command, "mcp"], setup.env, _dsh_hooks(setup)),
        ],
        instructions=lambda setup: [Instructions(_dsh(setup.home) / "AGENTS.md", text())],
        note="It counts for all profiles. DSH is still changing: see whether the tools are there.",
    ),
    Client(
        "kimi", "Kimi Code", lambda home: [_kimi(home)],
        mcp=lambda setup: [McpServer(_kimi(setup.home) / "mcp.json", "mcpServers", setup.server())],
        hooks=lambda setup: [HookTable(_kimi(setup.home) / "config.toml", "kimi", commands("kimi", EVENTS[1:]))],
        instructions=lambda setup: [Instructions(_kimi(setup.home) / "AGENTS.md", text())],
        note="It counts for sessions that are started from now on.",
    ),
    Client(
        "gemini_cli", "Gemini CLI", lambda home: [_gemini(home)],
        mcp=lambda setup: [McpServer(_gemini(setup.home) / "settings.json", "mcpServers", setup.server())],
        hooks=lambda setup: [
            Hooks(_gemini(setup.home) / "settings.json", "gemini_cli", commands("gemini_cli", EVENTS[:1]), timeout=5_000)
        ],
        instructions=lambda setup: [Instructions(_gemini(setup.home) / "GEMINI.md", text())],
    ),
    Client(
        "qwen", "Qwen Code", lambda home: [_qwen(home)],
        mcp=lambda setup: [McpServer(_qwen(setup.home) / "settings.json", "mcpServers", setup.server())],
        hooks=lambda setup: [Hooks(_qwen(setup.home) / "settings.json", "qwen", commands("qwen"))],
        instructions=lambda setup: [Instructions(_qwen(setup.home) / "QWEN.md", text())],
    ),
    Client(
        "opencode", "OpenCode", _opencode_folders,
        mcp=lambda setup: [McpServer(_opencode_file(setup.home), "mcp", setup.server(lists=True))],
        instructions=lambda setup: [Instructions(_opencode(setup.home) / "AGENTS.md", text())],
    ),
    Client(
        "cursor", "Cursor", lambda home: [_cursor(home)],
        mcp=lambda setup: [McpServer(_cursor(setup.home) / "mcp.json", "mcpServers", setup.server())],
    ),
)  # fmt: skip
CLIENTS = {client.key: client for client in _ALL}


def snippet(client: Client | None = None) -> str:
    """What adds the server by hand: to a client's own file, where one is given; else the entry as nearly all clients take it."""
    if client is not None:
        (part,) = client.mcp(Setup.of_this_program(Paths.from_environment()))
        return part.put("", {}).rstrip("\n")
    words = [*program(), "mcp"]
    entry: dict[str, Any] = {"command": words[0], "args": words[1:]}
    if env := environment():
        entry["env"] = env
    return json.dumps({"mcpServers": {"backscroll": entry}}, ensure_ascii=False, indent=2)
