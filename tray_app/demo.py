"""A made-up home full of small sessions, for somebody who has none yet and for trying things out.

Owns the turning of the readable stories in resources/demo into session files as three agents write them (Claude Code and
Codex as JSON lines, DSH as zstd frames), dated over the weeks before `now`. Writes only under the folder it is given.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from tray_app.paths import resource

QUESTIONS: tuple[str, ...] = (
    "why did we move the job queue off Redis",
    "SKIP LOCKED",
    "夏令时 差一小时",
    "ECONNRESET charged twice",
    "which port does staging use yesterday",
    "白屏 QuotaExceededError",
    "restic locked agent:dsh",
    "40P01",
)
"""Questions whose answers show what the product does, best first."""

STEP = timedelta(seconds=40)
"""Between two things that are said or done."""
SPACE = uuid.UUID("6f0c5a52-5a3e-4f43-9d0b-3a1f5d3c7e11")


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing in a story: the person's words, the agent's, or a tool with what it was asked and answered."""

    you: str | list[str] = ""
    agent: str | list[str] = ""
    tool: str = ""
    input: dict[str, str] = {}
    output: str | list[str] = ""
    error: bool = False


class Story(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session to be written. It begins `days_ago` at the local time `at`, or `minutes_ago`."""

    agent: str
    folder: str
    title: str
    talk: list[Part]
    days_ago: int = 0
    at: str = ""
    minutes_ago: int = 0


def make(folder: Path, now: datetime) -> dict[str, str]:
    """Write the made-up home under `folder` (made if missing) and give the environment that points Backscroll at it.

    `now` is aware; sessions are dated in its zone, none after it. The same arguments give the same files. OSError is
    passed on.
    """
    home = folder.absolute() / "home"
    told = list(stories())
    for name, story in told:
        workspace = home / "projects" / story.folder
        workspace.mkdir(parents=True, exist_ok=True)
        WRITERS[story.agent](home, str(workspace), name, story, _start(story, now))
    named = [{"id": _id(name), "thread_name": story.title} for name, story in told if story.agent == "codex"]
    _write_lines(home / ".codex" / "session_index.jsonl", named)
    _write(home / ".claude" / "CLAUDE.md", resource("demo/memory-global.md").read_bytes())
    _write(home / "projects" / "harbour-api" / "CLAUDE.md", resource("demo/memory-harbour-api.md").read_bytes())
    return {"BACKSCROLL_HOME": str(folder.absolute() / "backscroll"), "BACKSCROLL_SOURCES_HOME": str(home)}


def stories() -> Iterator[tuple[str, Story]]:
    """The stories with their names, in the order of their dates."""
    for file in sorted(resource("demo").glob("*.json")):
        yield file.stem, msgspec.json.decode(file.read_bytes(), type=Story)


def words(text: str | list[str]) -> str:
    """Text of a story: one line, or a list of lines."""
    return text if isinstance(text, str) else "\n".join(text)


def _start(story: Story, now: datetime) -> datetime:
    if story.minutes_ago:
        return now - timedelta(minutes=story.minutes_ago)
    hour, minute = (int(part) for part in story.at.split(":"))
    return (now - timedelta(days=story.days_ago)).replace(hour=hour, minute=minute, second=0, microsecond=0)


def _id(*parts: object) -> str:
    return str(uuid.uuid5(SPACE, "/".join(str(part) for part in parts)))


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def _ms(time: datetime) -> int:
    return round(time.timestamp() * 1000)


def _json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _write_lines(file: Path, records: list[dict[str, Any]]) -> None:
    _write(file, "".join(_json(record) + "\n" for record in records).encode())


# --- Claude Code 2.1: a chain of lines, one for each content block ---------------------------------------------------------
def _claude_code(home: Path, cwd: str, name: str, story: Story, start: datetime) -> None:
    session = _id(name)
    records: list[dict[str, Any]] = []
    parent: str | None = None
    turn = 0

    def add(index: int, suffix: str, kind: str, message: dict[str, Any], **more: Any) -> None:
        nonlocal parent
        line = _id(name, index, suffix)
        records.append(
            {
                "parentUuid": parent,
                "isSidechain": False,
                "type": kind,
                "message": message,
                "uuid": line,
                "timestamp": _iso(start + index * STEP),
                **more,
                "userType": "external",
                "entrypoint": "cli",
                "cwd": cwd,
                "sessionId": session,
                "version": "2.1.332",
                "gitBranch": "main",
            }
        )
        parent = line

    def answer(index: int, block: dict[str, Any]) -> None:
        message = {
            "id": f"msg_{_id(name, index, 'answer').replace('-', '')[:24]}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [block],
            "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 900,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 4200,
                "output_tokens": 180,
            },
        }
        add(index, "answer", "assistant", message, requestId=f"req_{_id(name, index, 'request').replace('-', '')[:24]}")

    for index, part in enumerate(story.talk):
        if part.you:
            turn += 1
            position = {"promptIndex": 0, "turnIndex": turn}
            add(
                index,
                "prompt",
                "user",
                {"role": "user", "content": words(part.you)},
                promptId=_id(name, index, "promptId"),
                permissionMode="default",
                promptSource="typed",
                rowSource="local",
                turnOrigin="user",
                turnPosition=position,
            )
        elif part.tool:
            call, output = f"toolu_{_id(name, index, 'call').replace('-', '')[:24]}", words(part.output)
            answer(index, {"type": "tool_use", "id": call, "name": part.tool, "input": part.input})
            result = {"tool_use_id": call, "type": "tool_result", "content": output, "is_error": part.error}
            copy = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
            add(
                index,
                "result",
                "user",
                {"role": "user", "content": [result]},
                toolUseResult=copy,
                sourceToolAssistantUUID=parent,
            )
        else:
            answer(index, {"type": "text", "text": words(part.agent)})
    records.append({"type": "ai-title", "aiTitle": story.title, "sessionId": session})
    folder = re.sub(r"[^A-Za-z0-9-]", "-", cwd)
    _write_lines(home / ".claude" / "projects" / folder / f"{session}.jsonl", records)


# --- Codex 0.171 (generation C): ordinals, items with their provenance ----------------------------------------------------
def _codex(home: Path, cwd: str, name: str, story: Story, start: datetime) -> None:
    session = _id(name)
    records: list[dict[str, Any]] = []
    turn = ""

    def add(index: int, kind: str, payload: dict[str, Any], **more: Any) -> None:
        time = _iso(start + index * STEP)
        records.append({"timestamp": time, "ordinal": len(records), "type": kind, "payload": payload, **more})

    def add_item(index: int, payload: dict[str, Any]) -> None:
        metadata = {"history_sequence": len(records), "client_authored": False, "model_search_state": "unused"}
        add(index, "response_item", payload, metadata=metadata)

    def say(index: int, role: str, text: str) -> None:
        person = role == "user"
        note: dict[str, Any] = {"turn_id": turn, "content_item_kinds": ["user.text" if person else "unknown"]}
        if person:
            note["content_item_metadata"] = [{"provenance": {"type": "user"}}]
        item = {"type": "input_text", "text": text} if person else {"type": "output_text", "text": text, "annotations": []}
        add_item(
            index,
            {
                "type": "message",
                "id": f"msg_{_id(name, index, 'item')}",
                "role": role,
                "content": [item],
                "internal_chat_message_metadata_passthrough": note,
            },
        )
        block = {"type": "text", "text": text, "text_elements": []} if person else {"type": "Text", "text": text}
        event = {"type": "UserMessage" if person else "AgentMessage", "id": _id(name, index, "event"), "content": [block]}
        add(index, "event_msg", {"type": "item_completed", "thread_id": session, "turn_id": turn, "item": event})

    add(
        0,
        "session_meta",
        {
            "session_id": session,
            "id": session,
            "timestamp": _iso(start),
            "cwd": cwd,
            "originator": "codex_cli_rs",
            "cli_version": "0.171.0",
            "source": "cli",
            "thread_source": "user",
            "model_provider": "openai",
            "base_instructions": {"text": "You are a coding agent running in the Codex CLI."},
            "history_mode": "paginated",
            "git": {"branch": "main"},
        },
    )
    for index, part in enumerate(story.talk):
        if part.you:
            turn = _id(name, index, "turn")
            add(index, "event_msg", {"type": "task_started", "turn_id": turn, "model_context_window": 258400})
            add(index, "turn_context", {"turn_id": turn, "cwd": cwd, "model": "gpt-5.1-codex", "approval_policy": "on-request"})
            say(index, "user", words(part.you))
        elif part.tool:
            _codex_tool(add_item, name, index, part, turn)
        else:
            say(index, "assistant", words(part.agent))
            add(index, "event_msg", {"type": "task_complete", "turn_id": turn, "last_agent_message": words(part.agent)})
    day = start.strftime("%Y/%m/%d")
    file = f"rollout-{start.strftime('%Y-%m-%dT%H-%M-%S')}-{session}.jsonl"
    _write_lines(home / ".codex" / "sessions" / day / file, records)


def _codex_tool(add_item: Any, name: str, index: int, part: Part, turn: str) -> None:
    call = f"call_{_id(name, index, 'call').replace('-', '')[:24]}"
    note = {"internal_chat_message_metadata_passthrough": {"turn_id": turn}}
    output = words(part.output)
    if part.tool == "apply_patch":
        patch = {
            "type": "custom_tool_call",
            "status": "completed",
            "call_id": call,
            "name": part.tool,
            "input": part.input["input"],
        }
        add_item(index, {**patch, **note})
        add_item(index, {"type": "custom_tool_call_output", "call_id": call, "output": output, **note})
    else:
        add_item(index, {"type": "function_call", "name": part.tool, "arguments": _json(part.input), "call_id": call, **note})
        add_item(index, {"type": "function_call_output", "call_id": call, "output": output, **note})


# --- DSH v4: a header frame, then one checksummed frame for each batch of events -------------------------------------------
def _dsh(home: Path, cwd: str, name: str, story: Story, start: datetime) -> None:
    session = f"session-{_id(name)}"
    header = {
        "type": "session",
        "version": 4,
        "id": session,
        "createdAt": _ms(start),
        "cwd": cwd,
        "isSeeded": False,
        "delegationDepth": 0,
    }
    batches: list[list[dict[str, Any]]] = [[header]]
    seq = turn = step = 0

    def add(index: int, kind: str, data: dict[str, Any], **more: Any) -> int:
        nonlocal seq
        batches[-1].append({"type": kind, "seq": seq, "time": _ms(start + index * STEP), "data": data, **more})
        seq += 1
        return seq - 1

    def answer(index: int, block: dict[str, Any]) -> None:
        source = {"kind": "model", "provider": "deepseek-official", "model": "deepseek-v4-flash"}
        message = {"role": "assistant", "content": [block], "source": source, "id": _id(name, index, "answer")}
        usage = {"inputTokens": 640, "outputTokens": 150, "cacheReadTokens": 4096}
        stream = [
            {"type": "chunk", "time": _ms(start + index * STEP), "chunk": {"type": "block-end", "index": 0, "block": block}}
        ]
        data = {"turn": turn, "step": step, "message": message, "usage": usage, "stream": stream}
        add(index, "assistant/message", data, surfaceOp="append")

    for index, part in enumerate(story.talk):
        batches.append([])
        if part.you:
            turn, step = turn + 1, 1
            prompt = {
                "content": [{"type": "text", "text": words(part.you)}],
                "source": {"kind": "user"},
                "role": "user",
                "id": _id(name, index, "prompt"),
            }
            queue = {"target": "next-turn", "start": 0}
            add(index, "agent/inbox/spliced", {**queue, "inserted": [prompt]})
            add(index, "turn/start", {"turn": turn})
            add(index, "agent/inbox/spliced", {**queue, "removedCount": 1, "inserted": []})
            add(index, "step/start", {"turn": turn, "step": step})
            add(index, "user/message", prompt, surfaceOp="append")
        elif part.tool:
            call, arguments = f"call_{_id(name, index, 'call').replace('-', '')[:16]}", _json(part.input)
            answer(index, {"type": "tool-call", "id": call, "name": part.tool, "arguments": arguments})
            asked = add(
                index,
                "tool/call",
                {"turn": turn, "step": step, "callId": call, "name": part.tool, "arguments": arguments},
            )
            message = {
                "role": "tool",
                "source": {"kind": "tool", "callId": call},
                "toolCallId": call,
                "content": [{"type": "text", "text": words(part.output)}],
                "isError": part.error,
                "id": _id(name, index, "result"),
            }
            data = {"turn": turn, "step": step, "message": message}
            add(index, "tool/result", data, sourceEventSeqs=[asked], surfaceOp="append")
            add(index, "step/end", {"turn": turn, "step": step})
            step += 1
            add(index, "step/start", {"turn": turn, "step": step})
        else:
            answer(index, {"type": "text", "text": words(part.agent)})
            add(index, "step/end", {"turn": turn, "step": step})
            add(index, "turn/end", {"turn": turn, "reason": {"kind": "completed"}})
    by_model = {"kind": "provider", "provider": "session-title-first-prompt-llm"}
    add(len(story.talk), "session/title", {"title": story.title, "messageSeqs": [4], "source": by_model})
    file = home / ".dsh" / "sessions" / dsh_folder(cwd) / session / "session.v4.jsonl.zstd"
    _write(file, b"".join(dsh_frame(batch) for batch in batches))


def dsh_folder(cwd: str) -> str:
    """The folder DSH keeps sessions of a workspace in: separators as one '-', other characters as ~ and their UTF-16 units."""
    slug = re.sub(r"[/\\:]+", "-", cwd).lstrip("-") or "root"

    def escape(match: re.Match[str]) -> str:
        units = match.group().encode("utf-16-be")
        return "".join(f"~{units[i] << 8 | units[i + 1]:04X}" for i in range(0, len(units), 2))

    return f"--{re.sub(r'[^A-Za-z0-9._-]', escape, slug)[:251]}--"


def dsh_frame(records: list[dict[str, Any]]) -> bytes:
    """Records as one checksummed zstd frame of a DSH log."""
    import zstandard

    content = "".join(_json(record) + "\n" for record in records).encode()
    return zstandard.ZstdCompressor(write_checksum=True, write_content_size=False).compress(content)


WRITERS = {"claude_code": _claude_code, "codex": _codex, "dsh": _dsh}
