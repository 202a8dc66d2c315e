"""What tests of installations share: the agents' files, doing it and undoing it, and all that lies in a home."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import yaml

from tray_app.agents.install import CLIENTS, apply, plan
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
    "gemini_cli": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
}
INSTRUCTED = [agent for agent in CLIENTS if agent != "cursor"]
JSON_SERVERS = ["claude_code", "kimi", "gemini_cli", "qwen", "opencode", "cursor"]


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
