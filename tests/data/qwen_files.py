"""Small session files in the shape that Qwen Code writes, made up for the tests. Records are dicts in file order."""

from __future__ import annotations

from typing import Any

from data.gemini_files import Row, stamp

SESSION = "7b1c2d3e-4a5b-4c6d-8e7f-00aa11bb22cc"
PARENT = "7b1c2d3e-4a5b-4c6d-8e7f-00aa11bb22dd"
CWD = "/home/kim/orchard"
MODEL = "qwen4-coder"


def record(kind: str, name: str, second: int, provenance: str | None, **more: Any) -> Row:
    facts = {"sessionId": SESSION, "cwd": CWD, "version": "0.24.4", "gitBranch": "main"}
    line = {"uuid": f"{name}-0000-0000-0000-000000000000", "timestamp": stamp(second), "type": kind, **facts, **more}
    return line if provenance is None else {**line, "provenance": provenance}


def user(name: str, text: str, second: int, provenance: str | None = "real_user", **more: Any) -> Row:
    return record("user", name, second, provenance, message={"role": "user", "parts": [{"text": text}]}, **more)


def answer(name: str, parts: list[Row], second: int, **more: Any) -> Row:
    said = {"role": "model", "parts": parts}
    return record("assistant", name, second, "assistant_output", model=MODEL, message=said, **more)


def result(name: str, call: str, tool: str, output: str, second: int) -> Row:
    part = {"functionResponse": {"id": call, "name": tool, "response": {"output": output}}}
    shown = {"callId": call, "resultDisplay": {"output": "shown twice"}}
    return record("tool_result", name, second, "tool_result", message={"role": "user", "parts": [part]}, toolCallResult=shown)


def system(name: str, subtype: str, payload: Row, second: int) -> Row:
    return record("system", name, second, "system", subtype=subtype, systemPayload=payload)


def call(name: str, tool: str, given: Row) -> Row:
    return {"functionCall": {"id": name, "name": tool, "args": given}}


def tokens(sent: int, answered: int, cached: int, thoughts: int, total: int) -> Row:
    counted = {"promptTokenCount": sent, "candidatesTokenCount": answered, "cachedContentTokenCount": cached}
    return {"usageMetadata": {**counted, "thoughtsTokenCount": thoughts, "totalTokenCount": total}}


def talk() -> list[Row | bytes]:
    """A session as the program writes it."""
    event = {"event.name": "qwen-code.api_response", "response_text": "INJECTED shown twice"}
    snapshot = "<state_snapshot>the plums are counted</state_snapshot>"
    history = [
        {"role": "user", "parts": [{"text": snapshot}]},
        {"role": "user", "parts": [{"text": "kept tail, not the summary"}]},
    ]
    return [
        user("u1", "看看 plum.py", 1),
        system("s1", "attribution_snapshot", {"snapshot": {"text": "INJECTED"}}, 1),
        system("s2", "ui_telemetry", {"uiEvent": event}, 2),
        answer(
            "a1",
            [
                {"text": "THOUGHT of plums", "thought": True},
                {"text": "I read it."},
                call("call-0001-0001-0001", "read_file", {"absolute_path": f"{CWD}/plum.py", "limit": 5}),
            ],
            3,
            **tokens(147, 30, 7, 8, 177),
        ),
        result("t1", "call-0001-0001-0001", "read_file", "def plum(): ...", 4),
        answer("a2", [{"text": "It has one function."}], 5, **tokens(100, 10, 0, 4, 114)),
        user("n1", "INJECTED task finished", 6, "system", subtype="notification"),
        user(
            "u2",
            "\n[User message received during tool execution]: count too",
            7,
            subtype="mid_turn_user_message",
            systemPayload={"displayText": "count too"},
        ),
        system("c1", "chat_compression", {"info": {}, "compressedHistory": history}, 8),
        system("t2", "custom_title", {"customTitle": "Plum functions", "titleSource": "auto"}, 9),
        system("k1", "slash_command", {"phase": "invocation", "rawCommand": "/compress keep plums"}, 10),
        system("k2", "slash_command", {"phase": "invocation", "rawCommand": "/about"}, 11),
        answer("a3", [{"text": "Five."}, call("own-0001-0001-0001", "mcp__backscroll__recall", {"query": "INJECTED"})], 12),
        result("t3", "own-0001-0001-0001", "mcp__backscroll__recall", "INJECTED old words", 13),
    ]
