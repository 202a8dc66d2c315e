"""Small Codex session files of each generation's shape, made up for tests.

A: bare lines without times. B: `{timestamp, type, payload}`, everything said twice (item and event). C: items with ids and
provenance, `item_completed` events, world states, token records. The talk is invented.
Also owns the few steps that every test of the adapter takes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tray_app.sources.base import Limits, Reading, Unit
from tray_app.sources.codex import CodexAdapter

Row = dict[str, Any]

SESSION = "0199c0de-1111-7abc-8def-000000000001"
PARENT = "0199c0de-2222-7abc-8def-000000000002"
CWD = "/home/u/orchard"
SYSTEM = "You are a coding agent. sysprompty " * 40
AGENTS = f"# AGENTS.md instructions for {CWD}\n\n<INSTRUCTIONS>\nagentsfileword\n</INSTRUCTIONS>"
ENVIRONMENT = f"<environment_context>\n  <cwd>{CWD}</cwd>\n  <shell>envword</shell>\n</environment_context>"
HANDOVER = "Another language model started to solve this problem and produced a summary of its thinking process.\n"


def stamp(second: int) -> str:
    return f"2026-05-04T08:{second // 60:02d}:{second % 60:02d}.000Z"


def millis(second: int) -> int:
    return 1_777_881_600_000 + second * 1000


def row(second: int, kind: str, payload: Row, **more: Any) -> Row:
    return {"timestamp": stamp(second), "type": kind, "payload": payload, **more}


def meta(session: str = SESSION, second: int = 0, **fields: Any) -> Row:
    payload = {
        "id": session,
        "timestamp": stamp(second),
        "cwd": CWD,
        "originator": "codex_cli_rs",
        "cli_version": "0.171.0",
        "source": "cli",
        "base_instructions": {"text": SYSTEM},
        "git": {"branch": "main"},
        **fields,
    }
    return row(second, "session_meta", payload)


def context(second: int, model: str = "gpt-6-codex", cwd: str = CWD) -> Row:
    return row(second, "turn_context", {"turn_id": "t", "cwd": cwd, "model": model, "user_instructions": "turncontextword"})


def block(role: str, text: str) -> Row:
    return {"type": "output_text" if role == "assistant" else "input_text", "text": text}


def item(second: int, role: str, *texts: str) -> Row:
    """A message of generation B."""
    content = [block(role, text) for text in texts]
    return row(second, "response_item", {"type": "message", "role": role, "content": content})


def event(second: int, role: str, text: str) -> Row:
    """The second copy of a message in generation B."""
    kind = "user_message" if role == "user" else "agent_message"
    return row(second, "event_msg", {"type": kind, "message": text, "images": []})


def proven(second: int, named: str, *parts: tuple[str, str]) -> Row:
    """A user message of generation C; parts are (kind of content, text)."""
    note = {
        "turn_id": "t",
        "content_item_kinds": [kind for kind, _ in parts],
        "content_item_metadata": [
            {"provenance": {"type": "user" if kind == "user.text" else "harness"}} for kind, _ in parts
        ],
    }  # fmt: skip
    payload = {
        "type": "message",
        "id": named,
        "role": "user",
        "content": [block("user", text) for _, text in parts],
        "internal_chat_message_metadata_passthrough": note,
    }
    return row(second, "response_item", payload)


def reply(second: int, named: str, text: str, compaction: bool = False) -> Row:
    """An answer of generation C."""
    payload = {"type": "message", "id": named, "role": "assistant", "content": [block("assistant", text)]}
    return row(second, "response_item", payload, metadata={"client_authored": False, "compaction_output": compaction})


def completed(second: int, role: str, text: str) -> Row:
    """The second copy of a message in generation C."""
    kind, inner = ("UserMessage", "text") if role == "user" else ("AgentMessage", "Text")
    said = {"type": kind, "id": f"copy-{second}", "content": [{"type": inner, "text": text}]}
    return row(second, "event_msg", {"type": "item_completed", "turn_id": "t", "item": said})


def call(second: int, named: str, tool: str, arguments: Row) -> Row:
    payload = {"type": "function_call", "name": tool, "arguments": json.dumps(arguments), "call_id": named}
    return row(second, "response_item", payload)


def result(second: int, named: str, output: Any) -> Row:
    return row(second, "response_item", {"type": "function_call_output", "call_id": named, "output": output})


def compacted(second: int, summary: str) -> Row:
    history = [{"type": "message", "role": "user", "content": [block("user", "replayedword")]}]
    return row(second, "compacted", {"message": HANDOVER + summary if summary else "", "replacement_history": history})


def tokens(second: int, total: int, last: int, cached: int, output: int) -> Row:
    usage = {"input_tokens": last, "cached_input_tokens": cached, "output_tokens": output}
    info = {"total_token_usage": {**usage, "input_tokens": total}, "last_token_usage": usage}
    return row(second, "event_msg", {"type": "token_count", "info": info})


def token_record(second: int, named: str, total: int, last: int, cached: int, output: int) -> Row:
    usage = {"input_tokens": last, "cached_input_tokens": cached, "cache_write_input_tokens": 0, "output_tokens": output}
    payload = {"response_id": named, "usage": usage, "thread_token_usage": {**usage, "input_tokens": total}}
    return row(second, "token_usage_record", payload)


def world_state(second: int) -> Row:
    return row(second, "world_state", {"full": True, "state": {"agents_md": {"text": "worldstateword"}}})


def generation_a() -> list[Row]:
    return [
        {"id": SESSION, "timestamp": stamp(0), "instructions": SYSTEM, "git": {"branch": "old"}},
        {"record_type": "state"},
        {"type": "message", "id": None, "role": "user", "content": [block("user", ENVIRONMENT)]},
        {"type": "message", "id": None, "role": "user", "content": [block("user", "prune the pear tree")]},
        {"record_type": "state"},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "thinking of pears"}]},
        {
            "type": "function_call",
            "id": "fc_1",
            "name": "shell",
            "arguments": json.dumps({"command": ["bash", "-lc", "ls trees"]}),
            "call_id": "call_a",
        },
        {
            "type": "function_call_output",
            "call_id": "call_a",
            "output": json.dumps({"output": "pear\nplum\n", "metadata": {"exit_code": 0}}),
        },
        {"type": "message", "id": None, "role": "assistant", "content": [block("assistant", "the pear is pruned")]},
        {"type": "message", "id": None, "role": "user", "content": [block("user", "go on")]},
        {"type": "message", "id": None, "role": "user", "content": [block("user", "go on")]},
    ]


def generation_b() -> list[Row]:
    return [
        meta(cli_version="0.104.0"),
        item(1, "developer", "<permissions instructions>developerword</permissions instructions>"),
        item(1, "user", AGENTS),
        item(1, "user", ENVIRONMENT),
        item(1, "user", "<house_rules>unknownwrapperword</house_rules>"),
        item(2, "user", "water the quince"),
        event(2, "user", "water the quince"),
        context(3),
        tokens(4, 100, 100, 40, 10),
        call(5, "call_b", "exec_command", {"cmd": "cat quince.txt"}),
        result(6, "call_b", "dry soil"),
        item(7, "user", "<subagent_notification>noticeword</subagent_notification>"),
        item(7, "user", "plain text that a hook put between"),
        tokens(8, 100, 100, 40, 10),
        event(9, "assistant", "the quince is watered"),
        item(9, "assistant", "the quince is watered"),
        tokens(10, 150, 50, 0, 5),
        row(11, "event_msg", {"type": "task_complete", "last_agent_message": "the quince is watered"}),
        item(12, "user", "go on"),
        event(12, "user", "go on"),
        event(13, "assistant", "more water"),
        item(13, "assistant", "more water"),
        item(14, "user", "go on"),
        event(14, "user", "go on"),
        event(15, "assistant", "enough water"),
        item(15, "assistant", "enough water"),
    ]


def generation_c() -> list[Row]:
    return [
        meta(thread_source="user", history_mode="paginated"),
        proven(1, "msg_env", ("agents_md.instructions", AGENTS), ("environments.environment_context", ENVIRONMENT)),
        world_state(1),
        context(1),
        proven(2, "msg_1", ("environments.environment_context", "harnessword"), ("user.text", "graft the apple")),
        completed(2, "user", "graft the apple"),
        token_record(3, "resp_1", 122, 122, 7, 30),
        tokens(3, 122, 122, 7, 30),
        completed(4, "assistant", "the apple is grafted"),
        reply(4, "msg_2", "the apple is grafted"),
        reply(5, "msg_3", "Summary: an apple was grafted.", compaction=True),
        compacted(6, "Summary: an apple was grafted."),
        world_state(6),
        context(6, model="gpt-6-mini"),
        call(7, "call_c", "apply_patch", {"input": "*** Begin Patch\n*** Update File: tree/apple.py\n*** End Patch"}),
        result(8, "call_c", [{"type": "input_text", "text": "patched"}]),
        completed(9, "assistant", "all done"),
        reply(9, "msg_4", "all done"),
    ]


def encode(rows: list[Row]) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in rows)


def rollout(home: Path, session: str = SESSION, suffix: str = ".jsonl", folder: str = "sessions/2026/05/04") -> Path:
    """The path of a session's file in a Codex home; its folder is made."""
    place = home / folder
    place.mkdir(parents=True, exist_ok=True)
    return place / f"rollout-2026-05-04T08-00-00-{session}{suffix}"


GENERATIONS = {"a": generation_a, "b": generation_b, "c": generation_c}
CODEX = CodexAdapter()


def unit_of(path: Path, root: Path | None = None, archived: bool = False) -> Unit:
    facts = path.stat()
    return Unit(
        agent="codex",
        root=root or path.parent,
        path=path,
        session="",
        size=facts.st_size,
        mtime_ns=facts.st_mtime_ns,
        inode=facts.st_ino,
        archived=archived,
    )


def read(path: Path, limits: Limits | None = None, **fields: Any) -> Reading:
    return CODEX.read(unit_of(path, **fields), None, limits or Limits(), lambda: False)


def written(home: Path, rows: list[Row], session: str = SESSION) -> Path:
    path = rollout(home, session)
    path.write_bytes(encode(rows))
    return path


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in reading.messages]
