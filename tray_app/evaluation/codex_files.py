"""A session as Codex 0.171 writes it: items that say where each part of them comes from, each said twice.

Injected text stands in the messages of the harness, in the state of the world, and in front of the person's words.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

from tray_app.evaluation.native import (
    NOISE,
    File,
    Names,
    Record,
    begun,
    iso,
    json_lines,
    made_id,
    milliseconds,
    replies,
    short_id,
    to_json,
    variant,
)
from tray_app.evaluation.question_set import Message, Session

MODEL = "gpt-5.2-codex"
Part = tuple[str, str, str]
"""Text of a message, its kind, and whose it is."""


def write(session: Session, names: Names) -> File:
    start = begun(session)
    file = f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{session.native}.jsonl"
    folder = Path(".codex", "sessions", f"{start:%Y}", f"{start:%m}", f"{start:%d}")
    return File(folder / file, json_lines(_Rollout(session, names).records))


class _Rollout:
    def __init__(self, session: Session, names: Names) -> None:
        self.session, self.names = session, names
        self.records: list[Record] = []
        self.now = milliseconds(session.messages[0])
        self.turns = 0
        self.turn = ""
        self.last = ""
        self.calls: deque[tuple[str, str]] = deque()
        self.held: list[Part] = []
        steps = replies(session.messages)
        lead = next((place for place, (role, _) in enumerate(steps) if role != "injected"), len(steps))
        self.head([messages[0] for _, messages in steps[:lead]])
        for place in range(lead, len(steps)):
            role, messages = steps[place]
            self.now = milliseconds(messages[0])
            if role == "injected":
                self.injected(messages[0], place + 1 < len(steps) and steps[place + 1][0] == "user")
            elif role == "user":
                self.prompt(messages[0], steering=place > lead and steps[place - 1][0] == "user")
            elif role == "reply":
                for message in messages:
                    self.now = milliseconds(message)
                    self.reply(message)
            else:
                self.result(messages[0])
        self.close()

    def line(self, kind: str, payload: Record, **more: Any) -> None:
        stamp = {"timestamp": iso(self.now), "ordinal": len(self.records), "type": kind}
        self.records.append({**stamp, "payload": payload, **more})

    def item(self, payload: Record) -> None:
        metadata = {"history_sequence": len(self.records), "client_authored": False, "model_search_state": "unused"}
        self.line("response_item", payload, metadata=metadata)

    def done(self, item: Record) -> None:
        self.line("event_msg", {"type": "item_completed", "thread_id": self.names.session, "turn_id": self.turn, "item": item})

    def message(self, role: str, named: str, parts: list[Part]) -> None:
        note = {
            "turn_id": self.turn,
            "content_item_kinds": [kind for _, kind, _ in parts],
            "content_item_metadata": [{"provenance": {"type": author}} for _, _, author in parts],
        }
        content = [{"type": "input_text", "text": text} for text, _, _ in parts]
        said = {"type": "message", "id": named, "role": role, "content": content}
        self.item({**said, "internal_chat_message_metadata_passthrough": note})

    def head(self, lead: list[Message]) -> None:
        named, cwd = self.names.session, self.session.cwd
        meta = {
            "session_id": named,
            "id": named,
            "timestamp": iso(self.now),
            "cwd": cwd,
            "originator": "codex_cli_rs",
            "cli_version": "0.171.0",
            "source": "cli",
            "thread_source": "user",
            "model_provider": "openai",
            "base_instructions": {"text": f"You are a coding agent running in the Codex CLI. {NOISE}"},
            "history_mode": "paginated",
            "git": {"branch": "main"},
        }
        self.line("session_meta", meta)
        self.open()
        self.message("developer", f"msg_{made_id(named, 'developer')}", [(NOISE, "permissions.instructions", "harness")])
        rules = "\n\n".join(message.text for message in lead)
        place = f"<environment_context>\n  <cwd>{cwd}</cwd>\n  <note>{NOISE}</note>\n</environment_context>"
        parts = [(place, "environments.environment_context", "harness")]
        if rules:
            parts.insert(0, (rules, "agents_md.instructions", "agents_md"))
        self.message("user", f"msg_{made_id(named, 'context')}", parts)
        self.line("world_state", {"full": True, "state": {"agents_md": {"directory": cwd, "text": rules}, "model": MODEL}})

    def open(self) -> None:
        self.turns += 1
        self.turn = made_id(self.names.session, "turn", self.turns)
        self.line("event_msg", {"type": "task_started", "turn_id": self.turn, "model_context_window": 258_400})
        self.line("turn_context", {"turn_id": self.turn, "cwd": self.session.cwd, "model": MODEL})

    def close(self) -> None:
        self.line("event_msg", {"type": "task_complete", "turn_id": self.turn, "last_agent_message": self.last})

    def injected(self, message: Message, before_prompt: bool) -> None:
        part = (message.text, "harness.context", "harness")
        if before_prompt and variant(2, self.names.session, message.id):
            self.held.append(part)
        else:
            self.message("user", f"msg_{made_id(self.names.session, message.id)}", [part])

    def prompt(self, message: Message, *, steering: bool) -> None:
        if self.last and not steering:
            self.close()
            self.open()
        named, event = f"msg_{made_id(self.names.session, message.id)}", made_id(self.names.session, message.id, "event")
        self.message("user", named, [*self.held, (message.text, "user.text", "user")])
        self.held = []
        text = {"type": "text", "text": message.text, "text_elements": []}
        self.done({"type": "UserMessage", "id": event, "content": [text]})
        self.names.put(message, named, event)

    def reply(self, message: Message) -> None:
        note = {"turn_id": self.turn}
        if message.role == "tool_call":
            named, call = short_id("fc_", self.names.session, message.id), short_id("call_", self.names.session, message.id)
            asked = {"type": "function_call", "id": named, "name": "exec_command", "call_id": call}
            arguments = to_json({"cmd": message.text})
            self.item({**asked, "arguments": arguments, "internal_chat_message_metadata_passthrough": note})
            self.calls.append((call, message.text))
            self.names.put(message, named, call)
        elif message.role == "reasoning":
            named = short_id("rs_", self.names.session, message.id)
            self.done({"type": "Reasoning", "id": named, "summary_text": [message.text], "raw_content": []})
            summary = [{"type": "summary_text", "text": message.text}]
            self.item({"type": "reasoning", "id": named, "summary": summary, "content": None, "encrypted_content": "gAAAA"})
        else:
            named = short_id("msg_", self.names.session, message.id)
            self.done({"type": "AgentMessage", "id": named, "content": [{"type": "Text", "text": message.text}]})
            content = [{"type": "output_text", "text": message.text, "annotations": []}]
            kinds = {**note, "content_item_kinds": ["unknown"]}
            said = {"type": "message", "id": named, "role": "assistant", "content": content}
            self.item({**said, "internal_chat_message_metadata_passthrough": kinds})
            self.names.put(message, named)
            self.last = message.text

    def result(self, message: Message) -> None:
        orphan = short_id("call_", self.names.session, message.id)
        call, command = self.calls.popleft() if self.calls else (orphan, "")
        named = f"fco_{made_id(self.names.session, message.id)}"
        ran = {"type": "CommandExecution", "id": call, "command": ["bash", "-lc", command], "status": "completed"}
        self.done({**ran, "aggregated_output": message.text, "exit_code": 0})
        output = f"Chunk ID: 4be1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{message.text}"
        self.item({"type": "function_call_output", "id": named, "call_id": call, "output": output})
        self.names.put(message, named, call)
