"""Small session files in the shape that Copilot CLI writes, made up for the tests. Events are dicts in file order."""

from __future__ import annotations

from typing import Any

from data.gemini_files import Row, stamp

SESSION = "3c1c2d3e-4a5b-4c6d-8e7f-00aa11bb22cc"
CWD = "/home/kim/orchard"
MODEL = "gpt-5"


def event(kind: str, name: str, second: int, **data: Any) -> Row:
    return {"type": kind, "data": data, "id": f"{name}-0000-0000-0000-0000", "timestamp": stamp(second), "parentId": None}


def start(**more: Any) -> Row:
    place = {"cwd": CWD, "gitRoot": CWD, "branch": "main"}
    facts = {"copilotVersion": "1.0.77", "startTime": stamp(0), "selectedModel": MODEL, "context": place, **more}
    return event("session.start", "e0", 1, sessionId=SESSION, **facts)


def user(name: str, text: str, second: int, **more: Any) -> Row:
    wrapped = f"<current_datetime>INJECTED</current_datetime>\n\n{text}"
    return event("user.message", name, second, content=text, transformedContent=wrapped, attachments=[], **more)


def answer(name: str, text: str, second: int, requests: list[Row] | None = None, **more: Any) -> Row:
    return event("assistant.message", name, second, content=text, toolRequests=requests or [], **more)


def request(call: str, tool: str, arguments: Any) -> Row:
    return {"toolCallId": call, "name": tool, "arguments": arguments, "type": "function", "intentionSummary": "look"}


def started(name: str, call: str, tool: str, arguments: Row, second: int, **more: Any) -> Row:
    return event("tool.execution_start", name, second, toolCallId=call, toolName=tool, arguments=arguments, **more)


def completed(name: str, call: str, content: str, second: int, **more: Any) -> Row:
    return event("tool.execution_complete", name, second, toolCallId=call, success=True, result={"content": content}, **more)


def talk() -> list[Row | bytes]:
    """A session as the program writes it."""
    look, own = "call-0001-0001-0001", "call-0002-0002-0002"
    spent = {"inputTokens": 1000, "outputTokens": 60, "cacheReadTokens": 800, "cacheWriteTokens": 20}
    return [
        start(),
        event("session.info", "e1", 2, infoType="folder_trust", message="INJECTED trusted"),
        event("system.message", "e2", 2, content="INJECTED prompt", role="system"),
        user("e3", "count the 橘子", 3),
        event("assistant.turn_start", "e4", 3, turnId="0"),
        answer(
            "e5", "I look.", 4, [request(look, "bash", '{"command":"ls","description":"List"}')], model=MODEL, outputTokens=12
        ),
        started("e6", look, "bash", {"command": "ls"}, 5),
        completed("e7", look, "a.txt\nb.txt", 6),
        event("assistant.reasoning", "e8", 7, reasoningId="r", content="THOUGHT of oranges"),
        answer("e9", "Two.", 7, reasoningText="THOUGHT of oranges", model=MODEL, outputTokens=3),
        event("assistant.turn_end", "ea", 8, turnId="0"),
        user("eb", "INJECTED skill", 9, source="skill-pdf"),
        event("session.compaction_complete", "ec", 10, success=True, summaryContent="Oranges were counted."),
        user("ed", "to the helper", 11, parentAgentTaskId="task-1"),
        started("ee", own, "session_recall", {"query": "INJECTED"}, 12, mcpServerName="backscroll"),
        completed("ef", own, "INJECTED old words", 13),
        event("session.model_change", "eg", 14, newModel="gpt-5-mini"),
        event("system.notification", "eh", 15, content="INJECTED done"),
        event(
            "session.shutdown", "ei", 16, modelMetrics={MODEL: {"requests": {"count": 2}, "usage": spent}}, currentModel=MODEL
        ),
    ]


def document() -> Row:
    """What the first versions left for a session."""
    look = {"callId": "c1", "name": "bash", "arguments": {"command": "ls"}}
    own = {"callId": "c2", "name": "backscroll-recall", "arguments": {"query": "INJECTED"}}
    return {
        "sessionId": SESSION,
        "startTime": stamp(0),
        "chatMessages": [{"role": "user", "content": "INJECTED the same again"}],
        "timeline": [
            {"id": "t0", "type": "info", "text": "INJECTED welcome", "timestamp": stamp(1)},
            {"id": "t1", "type": "user", "text": "数一数", "expandedText": "INJECTED wrapped", "timestamp": stamp(2)},
            {"id": "t2", "type": "tool_call_requested", **look, "timestamp": stamp(3)},
            {
                "id": "t2",
                "type": "tool_call_completed",
                **look,
                "result": {"type": "success", "log": "a.txt"},
                "timestamp": stamp(4),
            },
            {"id": "t3", "type": "tool_call_completed", **own, "result": {"log": "INJECTED"}, "timestamp": stamp(5)},
            {"id": "t4", "type": "copilot", "text": "One.", "timestamp": stamp(6)},
        ],
    }


WORKSPACE = f"""id: {SESSION}
cwd: {CWD}
git_root: {CWD}
branch: main
summary: |-
  Counting oranges
summary_count: 0
"""
