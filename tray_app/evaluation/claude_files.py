"""A session as Claude Code 2.1 writes it: a chain of lines, one for each block, amid lines that only repeat or describe.

Injected text stands where that version puts it: as an attachment, as a meta line, or in front of the person's words.
"""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path
from typing import Any

from tray_app.evaluation.native import (
    NOISE,
    File,
    Names,
    Record,
    iso,
    json_lines,
    made_id,
    milliseconds,
    replies,
    short_id,
    variant,
    wrapped,
)
from tray_app.evaluation.question_set import Message, Session

MODEL = "claude-sonnet-4-5"
TOOLS = {"bash": "Bash", "shell": "Bash", "exec_command": "Bash", "grep": "Grep", "read": "Read", "edit": "Edit"}
ARGUMENTS = {"Bash": "command", "Grep": "pattern", "Read": "file_path", "Edit": "file_path"}


def write(session: Session, names: Names) -> File:
    folder = re.sub(r"[^A-Za-z0-9-]", "-", session.cwd)
    return File(Path(".claude", "projects", folder, f"{session.native}.jsonl"), json_lines(_Log(session, names).records))


class _Log:
    def __init__(self, session: Session, names: Names) -> None:
        self.session, self.names = session, names
        self.records: list[Record] = []
        self.parent: str | None = None
        self.turn = 0
        self.calls: deque[tuple[str, str]] = deque()
        self.held: list[str] = []
        steps = replies(session.messages)
        for place, (role, messages) in enumerate(steps):
            before_prompt = place + 1 < len(steps) and steps[place + 1][0] == "user"
            if role == "injected":
                self.injected(messages[0], before_prompt)
            elif role == "user":
                self.prompt(messages[0])
            elif role == "reply":
                self.reply(messages)
            else:
                self.result(messages[0])
        self.aside("ai-title", aiTitle=session.title)

    def aside(self, kind: str, **more: Any) -> None:
        self.records.append({"type": kind, **more, "sessionId": self.names.session})

    def chain(self, kind: str, about: Message, /, **more: Any) -> str:
        line = made_id(self.names.session, about.id, kind)
        facts = {
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.session.cwd,
            "sessionId": self.names.session,
            "version": "2.1.332",
            "gitBranch": "main",
        }
        stamp = iso(milliseconds(about))
        head = {"parentUuid": self.parent, "isSidechain": False, "type": kind, "uuid": line, "timestamp": stamp}
        self.records.append({**head, **more, **facts})
        self.parent = line
        return line

    def injected(self, message: Message, before_prompt: bool) -> None:
        way = variant(3, self.names.session, message.id)
        if way == 0 and before_prompt:
            self.held.append(wrapped(message.text))
        elif way == 1:
            said = {"role": "user", "content": wrapped(message.text)}
            self.chain("user", message, message=said, isMeta=True, rowSource="harness")
        else:
            self.chain(
                "attachment",
                message,
                attachment={"type": "instructions", "files": [{"path": "CLAUDE.md", "content": message.text}]},
                rendered=[{"content": wrapped(message.text)}],
            )

    def prompt(self, message: Message) -> None:
        self.turn += 1
        self.aside("queue-operation", operation="enqueue", timestamp=iso(milliseconds(message)), content=message.text)
        content = "\n".join([*self.held, message.text])
        self.held = []
        line = self.chain(
            "user",
            message,
            message={"role": "user", "content": content},
            promptId=made_id(self.names.session, "turn", self.turn),
            permissionMode="default",
            promptSource="typed",
            rowSource="local",
            turnOrigin="user",
            turnPosition={"promptIndex": 0, "turnIndex": self.turn},
        )
        self.names.put(message, line)
        logged = [{"type": "text", "text": wrapped(NOISE)}, {"type": "text", "text": message.text}]
        self.aside("api-request-blob", message={"role": "user", "content": logged})
        system = [{"type": "text", "text": f"You are an interactive agent. {NOISE}"}]
        self.aside("api-request-shape", shape={"system": system, "tools": []})
        self.aside("last-prompt", lastPrompt=message.text[:200])

    def reply(self, messages: list[Message]) -> None:
        shared = short_id("msg_", self.names.session, messages[0].id)
        calls = any(message.role == "tool_call" for message in messages)
        for message in messages:
            call = short_id("toolu_", self.names.session, message.id)
            if message.role == "reasoning":
                block: Record = {"type": "thinking", "thinking": message.text, "signature": "c2lnbmVk"}
            elif message.role == "assistant":
                block = {"type": "text", "text": message.text}
            else:
                tool = TOOLS.get((message.tool or "bash").lower(), message.tool or "Bash")
                block = {"type": "tool_use", "id": call, "name": tool, "input": {ARGUMENTS.get(tool, "command"): message.text}}
            said = {
                "id": shared,
                "type": "message",
                "role": "assistant",
                "model": MODEL,
                "content": [block],
                "stop_reason": "tool_use" if calls else "end_turn",
                "usage": {"input_tokens": 700, "cache_read_input_tokens": 4200, "output_tokens": 90},
            }
            line = self.chain("assistant", message, message=said, requestId=short_id("req_", shared))
            if message.role == "tool_call":
                self.calls.append((call, line))
                self.names.put(message, line, call)
            elif message.role == "assistant":
                self.names.put(message, line)

    def result(self, message: Message) -> None:
        call, owner = self.calls.popleft() if self.calls else (short_id("toolu_", self.names.session, message.id), None)
        block = {"tool_use_id": call, "type": "tool_result", "content": message.text, "is_error": False}
        line = self.chain(
            "user",
            message,
            message={"role": "user", "content": [block]},
            toolUseResult={"stdout": message.text, "stderr": "", "interrupted": False, "isImage": False},
            sourceToolAssistantUUID=owner,
        )
        self.names.put(message, line, call)
