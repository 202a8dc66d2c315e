"""A session as DSH v4 writes it: a header frame, then one checksummed zstd frame for each batch of events.

Injected text stands in messages of the harness's own sources, behind the prompt that they came with.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

from tray_app.demo import dsh_folder, dsh_frame
from tray_app.evaluation.native import NOISE, File, Names, Record, made_id, milliseconds, replies, short_id, to_json
from tray_app.evaluation.question_set import Message, Session

PROVIDER = {"provider": "deepseek-official", "model": "deepseek-v4-flash"}


def write(session: Session, names: Names) -> File:
    names.session = f"session-{session.native}"
    folder = Path(".dsh", "sessions", dsh_folder(session.cwd), names.session)
    batches = _Log(session, names).batches
    return File(folder / "session.v4.jsonl.zstd", b"".join(dsh_frame(batch) for batch in batches if batch))


class _Log:
    def __init__(self, session: Session, names: Names) -> None:
        self.session, self.names = session, names
        self.now = milliseconds(session.messages[0])
        header = {"type": "session", "version": 4, "id": names.session, "createdAt": self.now, "cwd": session.cwd}
        self.batches: list[list[Record]] = [[{**header, "isSeeded": False, "delegationDepth": 0}]]
        self.seq = self.turn = self.step = 0
        self.calls: deque[tuple[str, int]] = deque()
        self.held: list[Message] = []
        for role, messages in replies(session.messages):
            self.batches.append([])
            if role == "injected":
                self.held.append(messages[0])
                continue
            self.now = milliseconds(messages[0])
            if role == "user":
                self.prompt(messages[0])
            elif role == "reply":
                self.reply(messages)
            else:
                self.result(messages[0])
            self.reminders()
        self.reminders()
        self.end_turn()
        source = {"kind": "provider", "provider": "session-title-first-prompt-llm"}
        self.event("session/title", {"title": session.title, "messageSeqs": [4], "source": source})

    def event(self, kind: str, data: Record, **more: Any) -> int:
        self.batches[-1].append({"type": kind, "seq": self.seq, "time": self.now, "data": data, **more})
        self.seq += 1
        return self.seq - 1

    def reminders(self) -> None:
        for message in self.held:
            source = {"kind": "agent-instructions", "form": "instructions"}
            self.said(made_id(self.names.session, message.id), message.text, source)
        self.held = []

    def said(self, named: str, text: str, source: Record) -> None:
        content = [{"type": "text", "text": text}]
        self.event("user/message", {"content": content, "source": source, "role": "user", "id": named}, surfaceOp="append")

    def end_turn(self) -> None:
        if self.turn:
            self.event("step/end", {"turn": self.turn, "step": self.step})
            self.event("turn/end", {"turn": self.turn, "reason": {"kind": "completed"}})

    def prompt(self, message: Message) -> None:
        self.end_turn()
        self.turn, self.step = self.turn + 1, 1
        named, source = made_id(self.names.session, message.id), {"kind": "user"}
        queued = {"content": [{"type": "text", "text": message.text}], "source": source, "role": "user", "id": named}
        place = {"target": "next-turn", "start": 0}
        self.event("agent/inbox/spliced", {**place, "inserted": [queued]})
        self.event("turn/start", {"turn": self.turn})
        self.event("agent/inbox/spliced", {**place, "removedCount": 1, "inserted": []})
        self.event("step/start", {"turn": self.turn, "step": 1})
        if self.turn == 1:
            system = {"role": "system", "source": {"kind": "system-prompt"}, "content": [{"type": "text", "text": NOISE}]}
            data = {"turn": 1, "step": 1, "message": {"id": made_id(self.names.session, "system"), **system}}
            self.event("system/message", data, surfaceOp="append")
        self.said(named, message.text, source)
        self.names.put(message, named)

    def reply(self, messages: list[Message]) -> None:
        named = made_id(self.names.session, messages[0].id, "reply")
        blocks: list[Record] = []
        calls: list[tuple[Message, Record]] = []
        for message in messages:
            if message.role == "tool_call":
                call, tool = short_id("call_", self.names.session, message.id), message.tool or "bash"
                arguments = to_json({"command": message.text})
                blocks.append({"type": "tool-call", "id": call, "name": tool, "arguments": arguments})
                asked: Record = {"turn": self.turn, "step": self.step, "callId": call, "name": tool, "arguments": arguments}
                calls.append((message, asked))
                self.names.put(message, call)
            else:
                blocks.append({"type": "reasoning" if message.role == "reasoning" else "text", "text": message.text})
                if message.role == "assistant":
                    self.now = milliseconds(message)
                    self.names.put(message, named)
        stream = [
            {"type": "chunk", "time": self.now, "chunk": {"type": "block-end", "index": place, "block": block}}
            for place, block in enumerate(blocks)
        ]
        said = {"role": "assistant", "content": blocks, "source": {"kind": "model", **PROVIDER}, "id": named}
        usage = {"inputTokens": 640, "outputTokens": 150, "cacheReadTokens": 4096}
        data = {"turn": self.turn, "step": self.step, "message": said, "usage": usage, "stream": stream}
        self.event("assistant/message", data, surfaceOp="append")
        for message, asked in calls:
            self.now = milliseconds(message)
            self.calls.append((asked["callId"], self.event("tool/call", asked)))

    def result(self, message: Message) -> None:
        orphan = short_id("call_", self.names.session, message.id)
        call, asked = self.calls.popleft() if self.calls else (orphan, 0)
        said = {
            "role": "tool",
            "source": {"kind": "tool", "callId": call},
            "toolCallId": call,
            "content": [{"type": "text", "text": message.text}],
            "isError": False,
            "id": made_id(self.names.session, message.id),
        }
        data = {"turn": self.turn, "step": self.step, "message": said}
        self.event("tool/result", data, sourceEventSeqs=[asked], surfaceOp="append")
        self.names.put(message, call)
