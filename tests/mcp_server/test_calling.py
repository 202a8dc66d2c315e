"""Who calls: the session in the request goes before that which a hook noted, and that before the environment's; and which agents
read an answer twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from stdio_world import CLAUDE_ID, Pipes, World

from tray_app.agents import callers
from tray_app.mcp_server.calling import MOST_CHARS, Starter, calling_session, reads_both

STALE = {"CLAUDE_CODE_SESSION_ID": "provisional"}


def test_the_request_goes_first_then_the_note_then_the_environment() -> None:
    assert calling_session({"x/threadId": "asked"}, STALE, "claude-code", "noted") == "asked"
    assert calling_session({"progressToken": 3}, STALE, "claude-code", "noted") == "noted"
    assert calling_session(None, STALE, "claude-code") == "provisional"
    assert calling_session({}, {}) == ""


def test_the_session_around_an_agent_is_not_its_own() -> None:
    """An agent that was started from the shell of another has its variables, too."""
    both = {**STALE, "QWEN_CODE_SESSION_ID": "q"}
    asked = [
        "gemini-cli-mcp-client",
        "opencode",
        "qwen-cli-mcp-client-backscroll",
        "claude-code",
        "a client of no name we know",
    ]
    assert [calling_session({}, both, client) for client in asked] == ["", "", "q", "provisional", "provisional"]


@pytest.mark.parametrize(
    "meta",
    [
        {"session_id": "s"},
        {"example.org/session-id": "s"},
        {"x-codex-turn-metadata": {"turn": {"conversationId": "s"}, "sandbox": True}},
        {"session_id": "", "more": {"thread_id": "s"}},
        {"sessionId": 5, "threadId": "x" * (MOST_CHARS + 1), "more": {"sessionId": "s"}},
    ],
)
def test_a_session_is_found_in_the_request(meta: dict[str, object]) -> None:
    assert calling_session(meta, STALE) == "s"


def test_the_session_of_the_starting_process(tmp_path: Path) -> None:
    folder = tmp_path / callers.FOLDER
    starter = Starter(folder)
    assert starter.session("claude-code") == ""
    callers.note(folder, callers.starter(), "claude_code", "noted")
    assert starter.session("claude-code") == "noted"
    assert starter.session("cursor-vscode") == ""


def test_which_agents_read_texts_and_data() -> None:
    both = ("kimi-code", "qwen-cli-mcp-client-backscroll")
    one = ("", "claude-code", "codex-mcp-client", "gemini-cli-mcp-client", "opencode", "a test")
    assert [reads_both(client) for client in (*both, *one)] == [True] * 2 + [False] * 6


def test_an_agent_that_would_read_both_gets_the_texts_alone(world: World) -> None:
    with Pipes(world) as pipes:
        pipes.greet("kimi-code")
        tools = pipes.ask("tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools if "outputSchema" in tool] == []
        answer = pipes.call("handoff_pack")
        assert "structuredContent" not in answer
        assert "Open the harbour in June" in answer["content"][0]["text"]
        refused = pipes.call("recall")
        assert (refused["isError"], "structuredContent" in refused) == (True, False)
        assert f"Session {CLAUDE_ID}" in recalled(pipes)
        callers.note(world.paths.data / callers.FOLDER, callers.process(os.getpid()), "kimi", CLAUDE_ID)
        assert f"Session {CLAUDE_ID}" not in recalled(pipes)
        pipes.end()


def recalled(pipes: Pipes) -> str:
    text: str = pipes.call("session_recall", query="潮汐表从哪里来")["content"][0]["text"]
    return text
