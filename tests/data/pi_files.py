"""Small session files in the shape that pi writes, made up for the tests. Entries are dicts in file order."""

from __future__ import annotations

from typing import Any

from data.gemini_files import Row, millis, stamp

SESSION = "01a22acc-e733-76f3-aa0b-80fabcba6fc1"
NAME = f"2026-04-01T09-00-00-000Z_{SESSION}.jsonl"
PARENT = "01a22acc-0000-76f3-aa0b-80fabcba6fc0"
CWD = "/home/kim/orchard"
MODEL = "claude-sonnet-4-5"


def header(**more: Any) -> Row:
    return {"type": "session", "version": 3, "id": SESSION, "timestamp": stamp(0), "cwd": CWD, **more}


def entry(kind: str, name: str, second: int, /, **more: Any) -> Row:
    return {"type": kind, "id": name, "parentId": None, "timestamp": stamp(second), **more}


def message(name: str, second: int, role: str, content: Any = None, **more: Any) -> Row:
    said: Row = {"role": role, "timestamp": millis(second), **more}
    if content is not None:
        said["content"] = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return entry("message", name, second, message=said)


def answer(name: str, second: int, content: Any, **more: Any) -> Row:
    return message(name, second, "assistant", content, model=MODEL, provider="p", **more)


def call(name: str, tool: str, given: Row) -> Row:
    return {"type": "toolCall", "id": name, "name": tool, "arguments": given}


def tokens(sent: int, answered: int, read: int, written: int) -> Row:
    counted = {"input": sent, "output": answered, "cacheRead": read, "cacheWrite": written}
    return {"usage": {**counted, "totalTokens": sum(counted.values()), "cost": {"total": 0.1}}}


def talk() -> list[Row | bytes]:
    """A session as the third version writes it."""
    thinking = {"type": "thinking", "thinking": "THOUGHT of pears", "thinkingSignature": "x"}
    read = call("toolu_0001_0001_0001", "read", {"path": "pear.py", "limit": 3})
    own = call("toolu_0002_0002_0002", "backscroll_recall", {"query": "INJECTED"})
    return [
        header(parentSession=f"/home/kim/.pi/agent/sessions/--home-kim-orchard--/2026-03-31T09-00-00-000Z_{PARENT}.jsonl"),
        entry("model_change", "0a000001", 1, provider="p", modelId=MODEL),
        entry("thinking_level_change", "0a000002", 1, thinkingLevel="off"),
        entry("custom_message", "0a000003", 2, customType="x", content="INJECTED by an extension", display=True),
        message("0a000004", 3, "user", "看看 pear.py"),
        answer(
            "0a000005", 4, [thinking, {"type": "text", "text": "I read it."}, read], responseId="resp_1", **tokens(10, 5, 7, 2)
        ),
        message("0a000006", 5, "toolResult", "def pear(): ...", toolCallId="toolu_0001_0001_0001", toolName="read"),
        answer("0a000007", 6, "It has one function.", **tokens(20, 6, 0, 0)),
        message("0a000008", 7, "bashExecution", command="ls", output="pear.py", exitCode=0),
        message("0a000009", 8, "custom", "INJECTED too", customType="y", display=False),
        entry("compaction", "0a00000a", 9, summary="Pears were read.", firstKeptEntryId="0a000007", tokensBefore=5),
        message("0a00000b", 10, "user", [{"type": "text", "text": "and this"}, image()]),
        answer("0a00000c", 11, [own]),
        message(
            "0a00000d", 12, "toolResult", "INJECTED old words", toolCallId="toolu_0002_0002_0002", toolName="backscroll_recall"
        ),
        entry("branch_summary", "0a00000e", 13, summary="A branch about quinces.", fromId="0a000004"),
        entry("session_info", "0a00000f", 14, name="Pear work"),
        entry("label", "0a000010", 15, targetId="0a000004", label="INJECTED"),
    ]


def image() -> Row:
    return {"type": "image", "mimeType": "image/png", "data": "A" * 4096}


def first_version() -> list[Row | bytes]:
    """The same kind of session without ids, as the first version wrote it."""
    rows = [row for row in talk() if isinstance(row, dict)]
    return [
        {"type": "session", "id": SESSION, "timestamp": stamp(0), "cwd": CWD, "provider": "p", "modelId": "old-model"},
        *({name: value for name, value in row.items() if name not in ("id", "parentId")} for row in rows[4:8]),
    ]
