"""The list of agents: complete, lazy, and clear about names it does not know."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tray_app.errors import UsageError
from tray_app.sources.registry import ADAPTERS, adapter

AGENTS = [
    *(
        "dsh",
        "claude_code",
        "codex",
        "gemini_cli",
        "qwen",
        "pi",
        "copilot_cli",
        "zcode",
        "opencode",
        "cursor",
        "cline",
        "aider",
    ),
    *("workbuddy", "codebuddy", "kimi", "memory"),
]


def test_agents() -> None:
    assert list(ADAPTERS) == AGENTS
    assert len(ADAPTERS) == len(AGENTS)
    assert "codex" in ADAPTERS and "nobody" not in ADAPTERS


@pytest.mark.parametrize("agent", AGENTS)
def test_each_adapter(agent: str) -> None:
    found = adapter(agent)
    assert found.agent == agent
    assert found.name and found.version >= 1
    assert found.confidence in ("recorded", "fixtures", "readers")
    assert found is ADAPTERS[agent]


def test_unknown_agent() -> None:
    with pytest.raises(UsageError) as caught:
        adapter("codexx")
    assert caught.value.code == "agent_unknown"
    assert ", ".join(AGENTS) in caught.value.hint


def test_naming_agents_loads_no_adapter() -> None:
    code = (
        "import sys; from tray_app.sources.registry import ADAPTERS; list(ADAPTERS); 'codex' in ADAPTERS;"
        "print(*(name for name in sys.modules if name in ('zstandard', 'tray_app.sources.codex', 'tray_app.sources.dsh')))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (answer.stdout.strip(), answer.stderr) == ("", "")


def test_adapters_load_no_zstandard_until_they_read() -> None:
    code = "import sys, tray_app.sources.codex, tray_app.sources.memory_files; print('zstandard' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (answer.stdout.strip(), answer.stderr) == ("False", "")
