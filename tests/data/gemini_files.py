"""Small session files in the shape that Gemini CLI writes, made up for the tests.

Records are dicts in file order; `encode` makes JSON lines of them. Also owns the steps that the tests of Gemini CLI, Qwen
Code, pi and Copilot CLI take in common.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tray_app.sources.base import Adapter, Checkpoint, Limits, NotReady, Reading, Unit

Row = dict[str, Any]

SESSION = "1f0c2d3e-4a5b-4c6d-8e7f-001122334455"
NAME = "session-2026-04-01T09-00-1f0c2d3e.jsonl"
CWD = "/home/kim/orchard"
MODEL = "gemini-3-pro"
BASE = 1_775_034_000_000
CONTEXT = f"<session_context>\nINJECTED This is the Gemini CLI.\n- **Workspace Directories:**\n  - {CWD}\n</session_context>"


def stamp(second: float) -> str:
    return f"2026-04-01T09:{int(second) // 60:02d}:{int(second) % 60:02d}.000Z"


def millis(second: int) -> int:
    return BASE + second * 1000


def encode(rows: list[Row | bytes]) -> bytes:
    """JSON lines; bytes go in as they are."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode()) + b"\n" for row in rows)


def header(**more: Any) -> Row:
    start = {"startTime": stamp(0), "lastUpdated": stamp(0)}
    return {"sessionId": SESSION, "projectHash": "ab" * 32, **start, "kind": "main", **more}


def user(name: str, content: Any, second: int, **more: Any) -> Row:
    content = [{"text": content}] if isinstance(content, str) else content
    return {"id": name, "timestamp": stamp(second), "type": "user", "content": content, **more}


def answer(name: str, text: str, second: int, **more: Any) -> Row:
    return {"id": name, "timestamp": stamp(second), "type": "gemini", "content": text, "model": MODEL, **more}


def call(name: str, tool: str, given: Row, result: str | None = None, **more: Any) -> Row:
    """A tool call as it stands in `toolCalls`, with its result where it has one."""
    made: Row = {"id": name, "name": tool, "args": given, "status": "success" if result is not None else "executing", **more}
    if result is not None:
        made["result"] = [response(name, tool, result)]
    return made


def response(name: str, tool: str, output: str) -> Row:
    return {"functionResponse": {"id": name, "name": tool, "response": {"output": output}}}


def tokens(sent: int, answered: int, cached: int = 0, thoughts: int = 0) -> Row:
    total = sent + answered + thoughts
    return {"input": sent, "output": answered, "cached": cached, "thoughts": thoughts, "tool": 0, "total": total}


def talk() -> list[Row | bytes]:
    """A session as the program writes it: a message grows by being written again, facts change by patches."""
    listed = call("list-0001-0001-0001", "run_shell_command", {"command": "ls orchard"}, "apple\npear")
    pending = call("list-0001-0001-0001", "run_shell_command", {"command": "ls orchard"})
    thoughts = [{"subject": "Trees", "description": "THOUGHT about trees", "timestamp": stamp(11)}]
    return [
        header(),
        {"$set": {"messages": [user("ctx", CONTEXT, 1)], "lastUpdated": stamp(1)}},
        {"id": "i1", "timestamp": stamp(2), "type": "info", "content": "INJECTED update available"},
        user("u1-0000-0000-0000-0000", "count the 苹果 trees", 10),
        {"$set": {"lastUpdated": stamp(10)}},
        answer("g1-0000-0000-0000-0000", "I look.", 11, thoughts=thoughts),
        answer("g1-0000-0000-0000-0000", "I look.", 11, thoughts=thoughts, tokens=tokens(100, 20, 40, 5)),
        answer("g1-0000-0000-0000-0000", "I look.", 11, thoughts=thoughts, tokens=tokens(100, 20, 40, 5), toolCalls=[pending]),
        answer("g1-0000-0000-0000-0000", "I look.", 11, thoughts=thoughts, tokens=tokens(100, 20, 40, 5), toolCalls=[listed]),
        user("r1", [response("list-0001-0001-0001", "run_shell_command", "apple\npear")], 13),
        answer("g2-0000-0000-0000-0000", "There are two.", 14, tokens=tokens(150, 8, 90)),
        {"$set": {"summary": "Counting apple trees", "lastUpdated": stamp(15)}},
        user("u2-0000-0000-0000-0000", "water them", 20),
        answer("g3-0000-0000-0000-0000", "Watered.", 21),
        {"id": "w1", "timestamp": stamp(22), "type": "warning", "content": "INJECTED low memory"},
        user("u3-0000-0000-0000-0000", "/chat save INJECTED-NOT the orchard", 23),
        user("u4-0000-0000-0000-0000", "/help", 24),
    ]


def unit_of(adapter: Adapter, path: Path, **more: Any) -> Unit:
    facts = {"root": path.parent, "session": path.stem, **more}
    return Unit(agent=adapter.agent, path=path, size=0, mtime_ns=0, inode=0, **facts)


def read(
    adapter: Adapter, path: Path, checkpoint: Checkpoint | None = None, limits: Limits | None = None, **more: Any
) -> Reading:
    return adapter.read(unit_of(adapter, path, **more), checkpoint, limits or Limits(), lambda: False)


def read_rows(adapter: Adapter, path: Path, rows: list[Row | bytes], limits: Limits | None = None, **more: Any) -> Reading:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(rows))
    return read(adapter, path, limits=limits, **more)


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in reading.messages]


def check_growth(adapter: Adapter, path: Path, data: bytes, **more: Any) -> int:
    """Whether reading at each line border, from the checkpoint before, gives what one reading gives. Returns how often the
    file had to be read whole again."""
    limits = Limits(reasoning=True)
    path.write_bytes(data)
    whole = read(adapter, path, limits=limits, **more)
    checkpoint, messages, usage, anew = None, [], {}, 0
    for border in [at + 1 for at, byte in enumerate(data) if byte == 10]:
        path.write_bytes(data[: border + 7])  # with the beginning of the next line
        part = read(adapter, path, checkpoint, limits, **more)
        if not part.resumed and checkpoint is not None:
            anew += 1
        if not part.resumed:
            messages, usage = [], {}
        assert checkpoint is None or not part.resumed or part.bytes_read <= border + 7 - checkpoint.offset
        messages += part.messages
        usage |= {one.key: one for one in part.usage}
        checkpoint = part.checkpoint
    assert messages == whole.messages
    assert usage == {one.key: one for one in whole.usage}
    assert part.session == whole.session
    assert part.checkpoint is not None and whole.checkpoint is not None
    assert (part.checkpoint.offset, part.checkpoint.seq) == (whole.checkpoint.offset, whole.checkpoint.seq)
    return anew


def check_harmless(adapter: Adapter, path: Path, data: bytes) -> None:
    """Reading gives a result or one of the named errors, and nothing that a database would refuse."""
    path.write_bytes(data)
    for limits in (Limits(), Limits(reasoning=True, file_chars=60, line_bytes=300, tool_chars=40)):
        try:
            reading = read(adapter, path, limits=limits)
        except NotReady:
            continue
        session = reading.session
        for text in (session.id, session.title, session.cwd, session.model, session.branch, session.version, session.parent):
            text.encode()
        for message in reading.messages:
            for text in (message.id, message.text, message.identity, message.tool, *message.files):
                text.encode()
        numbers = [message.seq for message in reading.messages]
        assert numbers == sorted(set(numbers))
        assert reading.recognised + reading.unknown <= reading.records
        adapter.resume_command(session).encode()
        if reading.checkpoint is not None:
            again = read(adapter, path, reading.checkpoint, limits)
            assert again.messages == [] or not again.resumed


def mutated(data: bytes, changes: list[tuple[int, bytes, int]]) -> bytes:
    """Bytes with some replaced: (where, by what, how many)."""
    for at, put, removed in changes:
        at %= len(data) + 1
        data = data[:at] + put + data[at + removed :]
    return data
