"""Small session files in the shapes that Claude Code writes, made up for the tests.

Each function gives records (dicts) in file order; `write` puts them down as JSON lines. Ids are derived from labels, so
that a run can be repeated and a continued file meets its own ids.
"""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Row = dict[str, Any]
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MODEL = "claude-sonnet-4-5"


def make_id(label: str) -> str:
    """A UUID that belongs to a label."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, label))


def stamp(minute: float) -> str:
    return (START + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def epoch_ms(minute: float) -> int:
    return int((START + timedelta(minutes=minute)).timestamp() * 1000)


def encode(rows: list[Row | bytes]) -> bytes:
    """JSON lines; bytes go in as they are."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode()) + b"\n" for row in rows)


def write(path: Path, rows: list[Row | bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(rows))
    return path


class Chat:
    """Writes the lines of one session, each with the facts that its version puts in."""

    def __init__(self, label: str, version: str = "2.1.332", cwd: str = "/home/kim/shop", **facts: Any) -> None:
        self.label, self.version, self.id = label, version, make_id(label)
        self.marks = version.startswith("2.1.3")
        self.facts: Row = {"cwd": cwd, "sessionId": self.id, "version": version, "isSidechain": False, **facts}
        self.count = 0

    def _line(self, kind: str, minute: float | None, more: Row) -> Row:
        self.count += 1
        at = self.count if minute is None else minute
        line = {"type": kind, "uuid": make_id(f"{self.label}/{self.count}"), "timestamp": stamp(at), **self.facts, **more}
        return {name: value for name, value in line.items() if value is not None}

    def user(self, content: Any, minute: float | None = None, **more: Any) -> Row:
        """A prompt typed by the person."""
        marks = {"promptSource": "typed", "turnOrigin": "user"} if self.marks else {}
        return self.line(content, minute, **{**marks, **more})

    def line(self, content: Any, minute: float | None = None, **more: Any) -> Row:
        """A user line without any mark."""
        return self._line("user", minute, {"message": {"role": "user", "content": content}, **more})

    def result(self, call: str, content: Any, minute: float | None = None, **more: Any) -> Row:
        block = {"type": "tool_result", "tool_use_id": call, "content": content}
        return self.line([block], minute, toolUseResult={"stdout": "copied twice", "text": "copied twice"}, **more)

    def blocks(
        self,
        content: Any,
        minute: float | None = None,
        message: str = "",
        usage: Row | None = None,
        model: str = MODEL,
        **more: Any,
    ) -> Row:
        said = {"id": message or f"msg_{self.label}_{self.count}", "role": "assistant", "model": model, "content": content}
        if usage is not None:
            said["usage"] = usage
        return self._line("assistant", minute, {"message": said, **more})

    def answer(self, text: str, minute: float | None = None, **more: Any) -> Row:
        return self.blocks([{"type": "text", "text": text}], minute, **more)

    def call(self, call: str, tool: str, given: Row, minute: float | None = None, **more: Any) -> Row:
        return self.blocks([{"type": "tool_use", "id": call, "name": tool, "input": given}], minute, **more)

    def queued(self, prompt: Any, minute: float | None = None, **more: Any) -> Row:
        """Words typed while a tool ran: an attachment, without an id of its own unless one is given."""
        held = {"type": "queued_command", "commandMode": "prompt", "prompt": prompt}
        return self._line("attachment", minute, {"uuid": None, **more, "attachment": {**held, **more.get("attachment", {})}})

    def attachment(self, kind: str, **held: Any) -> Row:
        return self._line("attachment", None, {"attachment": {"type": kind, **held}})


def usage(output: int) -> Row:
    return {
        "input_tokens": 12,
        "output_tokens": output,
        "cache_creation_input_tokens": 3,
        "cache_read_input_tokens": 400,
        "server_tool_use": {"web_search_requests": 0},
    }


def side_lines(session: str) -> list[Row | bytes]:
    """Lines of every kind that repeats or describes, but holds nothing new; INJECTED must never be found."""
    words = "INJECTED the prompt again"
    return [
        {
            "type": "api-request-shape",
            "sessionId": session,
            "shape": {"system": [{"type": "text", "text": words}], "tools": []},
        },
        {
            "type": "api-request-blob",
            "sessionId": session,
            "message": {"role": "user", "content": [{"type": "text", "text": words}]},
        },
        {"type": "api-request", "sessionId": session, "params": {"model": MODEL}, "tail": [words]},
        {"type": "api-request-resumed", "sessionId": session},
        {"type": "queue-operation", "operation": "enqueue", "content": words, "sessionId": session},
        {"type": "last-prompt", "lastPrompt": words, "sessionId": session},
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {"trackedFileBackups": {}}},
        {"type": "progress", "data": {"message": {"type": "user", "message": {"content": words}}}},
        {"type": "mode", "mode": "default", "sessionId": session},
        {"type": "system", "subtype": "compact_boundary", "content": words, "uuid": make_id("boundary")},
    ]


def session_2_1(label: str = "modern") -> list[Row | bytes]:
    """A session of a 2026 version: request log, injected attachments, one line a block, marks on the prompts."""
    chat = Chat(label, gitBranch="main")
    text = "INJECTED house rules"
    return [
        *side_lines(chat.id),
        chat.user("请看看 shop/cart.py 的折扣算得对不对"),
        chat.attachment("instructions", content=text, rendered=text),
        chat.attachment("prompt_snapshot", system=[{"type": "text", "text": text}]),
        chat.blocks([{"type": "thinking", "thinking": "the cart rounds twice"}], message="msg_1", usage=usage(5)),
        chat.answer("I will read the file.", message="msg_1", usage=usage(9)),
        chat.call("toolu_1", "Read", {"file_path": "/home/kim/shop/cart.py", "limit": 40}, message="msg_1", usage=usage(31)),
        chat.result(
            "toolu_1", [{"type": "text", "text": "def discount(total):"}, {"type": "image", "source": {"type": "url"}}]
        ),
        chat.queued("also look at the tax"),
        chat.answer("It rounds twice.", message="msg_2", usage=usage(4)),
        chat.line(
            "<task-notification>\n<task-id>a1</task-id>\n</task-notification>",
            promptSource="system",
            turnOrigin="task_notification",
        ),
        chat.line("INJECTED by a hook", rowSource="harness"),
        chat.line("This session is being continued from a previous conversation. The cart was fixed.", isCompactSummary=True),
        chat.line("<command-name>/compact</command-name>\n<command-args>keep the cart</command-args>"),
        chat.user("now write a test"),
        {"type": "ai-title", "aiTitle": "Cart discount rounding", "sessionId": chat.id},
    ]


def session_2_0(label: str = "middle") -> list[Row | bytes]:
    """A session of a version without marks: only prefixes tell what the person said."""
    chat = Chat(label, version="2.0.30")
    return [
        {"type": "summary", "summary": "Another session's title", "leafUuid": make_id("elsewhere")},
        chat.line("Caveat: The messages below were generated by the user while running local commands. Do not", isMeta=True),
        chat.line(
            "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>"
        ),
        chat.line("<local-command-stdout>INJECTED</local-command-stdout>"),
        chat.user(
            [
                {"type": "text", "text": "<ide_opened_file>INJECTED /a.py</ide_opened_file>"},
                {"type": "text", "text": "<system-reminder>INJECTED\n</system-reminder>\nrename the exporter"},
            ]
        ),
        chat.answer("Renamed."),
        chat.line([{"type": "text", "text": "[Request interrupted by user]"}]),
        chat.line("Stop hook feedback:\nINJECTED"),
        chat.line("<bash-input>ls</bash-input>"),
        chat.user("go on"),
        chat.answer("Done."),
        chat.user("go on"),
    ]


def session_1_0(label: str = "early") -> list[Row | bytes]:
    """A session of 1.x: several blocks a line, a sidechain in the file, its own summary with the leaf."""
    chat = Chat(label, version="1.0.44")
    side = {"isSidechain": True}
    last = chat.answer("Both are fine.", 9)
    return [
        chat.user("send someone to look at parser.py", 1),
        chat.blocks(
            [
                {"type": "text", "text": "I send a helper."},
                {
                    "type": "tool_use",
                    "id": "toolu_task",
                    "name": "Task",
                    "input": {"description": "Look", "prompt": "Read parser.py"},
                },
            ],
            2,
        ),
        chat.line("Read parser.py", 3, parentUuid=None, **side),
        chat.answer("It has two functions.", 4, **side),
        chat.result("toolu_task", "It has two functions.", 5),
        last,
        {"type": "summary", "summary": "Parser review", "leafUuid": last["uuid"]},
    ]
