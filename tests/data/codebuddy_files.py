"""Small session files in the shapes that CodeBuddy Code and WorkBuddy write, made up for the tests.

`Chat` gives records (dicts) in file order; `write` puts them down as JSON lines. Ids are derived from labels, so that a fork
keeps the ids of what it copied. INJECTED stands in every text that no person wrote and that must never be found.
"""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

Row = dict[str, Any]
START = 1_790_000_000_000
CWD = "/home/kim/shop"
MODEL = "hunyuan-3"
REMINDER = "<system-reminder>\nINJECTED today is a Monday\n</system-reminder>"


def make_id(label: str) -> str:
    """A UUID that belongs to a label."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, label))


def millis(second: int) -> int:
    return START + second * 1000


def encode(rows: list[Row | bytes]) -> bytes:
    """JSON lines; bytes go in as they are."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode()) + b"\n" for row in rows)


def write(path: Path, rows: list[Row | bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(rows))
    return path


def query(text: str) -> str:
    """A prompt as WorkBuddy wraps it."""
    return f"{REMINDER}\n<user_query>\n{text}\n</user_query>"


class Chat:
    """Writes the lines of one session."""

    def __init__(self, label: str, agent: str = "cli", cwd: str = CWD) -> None:
        self.label, self.agent, self.cwd, self.id = label, agent, cwd, make_id(label)
        self.count = 0

    def row(self, kind: str, provider: Row | None = None, **fields: Any) -> Row:
        self.count += 1
        row = {
            "id": make_id(f"{self.label}/{self.count}"),
            "parentId": make_id(f"{self.label}/{self.count - 1}"),
            "timestamp": millis(self.count),
            "type": kind,
            "providerData": {"agent": self.agent, **(provider or {})},
            "sessionId": self.id,
            "cwd": self.cwd,
        }
        return row | fields

    def user(self, *texts: str, provider: Row | None = None, **fields: Any) -> Row:
        content = [{"type": "input_text", "text": text} for text in texts]
        return self.row("message", provider, role="user", **{"content": content, **fields})

    def answer(self, text: str, response: str, provider: Row | None = None, **fields: Any) -> Row:
        content = [{"type": "output_text", "text": text, "providerData": {"annotations": []}}] if text else []
        more = {"messageId": make_id(response), "model": MODEL, **(provider or {})}
        return self.row(
            "message", more, **{"role": "assistant", "status": "completed", "id": response, "content": content, **fields}
        )

    def thought(self, text: str, response: str) -> Row:
        more = {"messageId": make_id(response), "model": MODEL}
        return self.row("reasoning", more, content=[], rawContent=[{"type": "reasoning_text", "text": text}])

    def call(self, call: str, name: str, arguments: Any, response: str, provider: Row | None = None) -> Row:
        more = {"messageId": make_id(response), "model": MODEL, "reasoning": "INJECTED thought again", **(provider or {})}
        given = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        return self.row("function_call", more, callId=call, name=name, arguments=given, id=response)

    def result(self, call: str, name: str, text: str, **fields: Any) -> Row:
        copy = {"toolResult": {"content": text, "renderer": {"type": "text", "value": "INJECTED copy"}}}
        output = {"output": {"type": "text", "text": text}}
        return self.row("function_call_result", copy, callId=call, name=name, status="completed", **(output | fields))

    def snapshot(self) -> Row:
        row = self.row("file-history-snapshot", snapshot={"messageId": "x", "trackedFileBackups": {"INJECTED": {}}})
        return {name: value for name, value in row.items() if name not in ("sessionId", "parentId", "providerData")}


def usage(prompt: int, output: int, cached: int) -> Row:
    """What the program writes about the tokens of one answer, three times over."""
    return {
        "rawUsage": {
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "total_tokens": prompt + output,
            "prompt_tokens_details": {"cached_tokens": cached},
        },
        "usage": {
            "requests": 1,
            "inputTokens": prompt,
            "outputTokens": output,
            "inputTokensDetails": [{"cached_tokens": cached}],
        },
    }


def compaction(chat: Chat, typed: str = "/compact") -> list[Row]:
    """The instruction and the answer that a compaction leaves in the file."""
    text = "INJECTED **IMPORTANT CONSTRAINTS:** Your ONLY output should be the <conversation_history_summary> structure"
    part = {"type": "input_text", "text": text, "providerData": {"content": typed}}
    said = "<conversation_history_summary>\n<summary>\nThe cart was fixed.\n</summary>\n</conversation_history_summary>"
    return [
        chat.user(provider={"agent": "compact"}, content=[part]),
        chat.thought("INJECTED", "resp_compact") | {"providerData": {"agent": "compact"}},
        chat.answer(said, "resp_compact", provider={"agent": "compact", **usage(900, 40, 0)}),
    ]


def session(label: str = "main") -> list[Row | bytes]:
    """A session of CodeBuddy Code with tools, a compaction, and commands."""
    chat = Chat(label)
    rows: list[Row | bytes] = [
        chat.user("请看看 cart.py 的折扣算得对不对"),
        chat.snapshot(),
        chat.thought("the cart rounds twice", "resp_1"),
        chat.answer("I will read it.", "resp_1"),
        chat.call("call_1", "Read", {"file_path": f"{CWD}/cart.py", "limit": 40}, "resp_1", usage(137, 30, 7)),
        chat.call("call_2", "Bash", {"command": "ls -la", "description": "List files"}, "resp_1", usage(137, 30, 7)),
        chat.result("call_1", "Read", "def discount(total):"),
        chat.result("call_2", "Bash", "cart.py"),
        chat.answer("It rounds twice.", "resp_2", usage(150, 12, 100)),
        chat.user("<local-command-stdout>INJECTED switched</local-command-stdout>", provider={"skipRun": True}),
        chat.user("INJECTED by a hook", provider={"isMeta": True}),
        chat.user("<task-notification>\nINJECTED done\n</task-notification>"),
        chat.user(f"{REMINDER}\nalso look at the tax\n\n{REMINDER}"),
        chat.answer("", "resp_3"),
        chat.answer("The tax is right.", "resp_4"),
    ]
    rows += compaction(chat)
    rows += [chat.user("压缩之后继续"), chat.answer("好的。", "resp_5")]
    return rows
