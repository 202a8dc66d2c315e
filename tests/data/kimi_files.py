"""Small session files in the shapes that Kimi Code and the older kimi-cli write, made up for the tests.

`Wire` gives the records of a wire.jsonl in file order, `place` puts them where Kimi keeps them. INJECTED stands in every text
that no person wrote and that must never be found.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]
START = 1_790_000_000_000
CWD = "/home/kim/shop"
BUCKET = "wd_shop_0123456789ab"
USER = {"kind": "user"}
REMINDER = "<system-reminder>\nINJECTED plan mode is active\n</system-reminder>"


def millis(second: int) -> int:
    return START + second * 1000


def session_id(number: int = 1) -> str:
    return f"session_00000000-0000-4000-8000-{number:012d}"


def encode(rows: list[Row | bytes]) -> bytes:
    """JSON lines; bytes go in as they are."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode()) + b"\n" for row in rows)


def write(path: Path, rows: list[Row | bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(rows))
    return path


def place(home: Path, rows: list[Row | bytes], session: str = "", agent: str = "main") -> Path:
    """A wire.jsonl where Kimi Code keeps it."""
    return write(home / "sessions" / BUCKET / (session or session_id()) / "agents" / agent / "wire.jsonl", rows)


def write_state(home: Path, session: str = "", **fields: Any) -> Path:
    path = home / "sessions" / BUCKET / (session or session_id()) / "state.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    state = {"id": session or session_id(), "version": 2, "cwd": CWD, "createdAt": millis(0), "archived": False, **fields}
    path.write_text(json.dumps(state), encoding="utf-8")
    return path


class Wire:
    """Writes the records of one agent, one second apart."""

    def __init__(self, agent: str = "main") -> None:
        self.agent, self.second, self.turns = agent, 0, 0

    def row(self, kind: str, /, **fields: Any) -> Row:
        self.second += 1
        return {"type": kind, "agentId": self.agent, "time": millis(self.second), **fields}

    def head(self) -> list[Row | bytes]:
        tools = [{"name": "Bash", "description": "INJECTED " * 200}]
        prompt = "INJECTED You are Kimi Code CLI"
        return [
            {"type": "metadata", "protocol_version": "1.5", "created_at": millis(0)},
            self.row("runtime.set_binding", workspaceId=BUCKET, runtimeId="local"),
            self.row("profile.bind", modelAlias="kimi-alias", systemPrompt=prompt, environmentDisclosure={"cwd": CWD}),
            self.row("config.update", systemPrompt=prompt),
            self.row("llm.tools_snapshot", tools=tools),
            self.row("llm.request", kind="loop", model="kimi-k2.7", modelAlias="kimi-alias"),
        ]

    def prompt(self, *texts: Any, kind: str = "turn.prompt", origin: Row | None = USER, named: bool = True) -> Row:
        self.turns += 1
        parts = [{"type": "text", "text": text} if isinstance(text, str) else text for text in texts]
        row = self.row(kind, input=parts, turnId=self.turns, promptId=f"msg_{self.turns}")
        return {name: value for name, value in row.items() if named or name != "promptId"} | (
            {"origin": origin} if origin else {}
        )

    def copy(self, prompt: Row) -> list[Row]:
        """The same prompt as it comes again in the context and in the events."""
        said = {"role": "user", "content": prompt["input"], "toolCalls": []}
        marked = said | {name: prompt[key] for name, key in (("id", "promptId"), ("origin", "origin")) if key in prompt}
        return [
            self.row("context.append_message", message=marked),
            self.row("agent.message.appended", kind="event", message={"message": said, "meta": {"source": "input"}}),
        ]

    def asked(self, *texts: Any, **more: Any) -> list[Row]:
        prompt = self.prompt(*texts, **more)
        return [prompt, *self.copy(prompt)]

    def said(self, role: str, text: str, **fields: Any) -> Row:
        content = [{"type": "text", "text": text}]
        return self.row("context.append_message", message={"role": role, "content": content, "toolCalls": [], **fields})

    def injected(self, kind: str = "injection", text: str = REMINDER) -> Row:
        return self.said("user", text, origin={"kind": kind, "variant": "x"})

    def event(self, kind: str, /, **fields: Any) -> Row:
        return self.row("context.append_loop_event", event={"type": kind, "turnId": str(self.turns), "step": 1, **fields})

    def answer(self, text: str, thought: str = "") -> list[Row]:
        rows = [self.event("step.begin", uuid=f"step-{self.second}")]
        if thought:
            rows.append(self.event("content.part", uuid=f"think-{self.second}", part={"type": "think", "think": thought}))
        rows.append(self.event("content.part", uuid=f"part-{self.second}", part={"type": "text", "text": text}))
        tokens = {"inputOther": 10, "output": 5, "inputCacheRead": 100, "inputCacheCreation": 0}
        rows.append(self.row("usage.record", model="kimi-alias", usage=tokens, usageScope="turn"))
        rows.append(self.event("step.end", uuid="x", usage=tokens, finishReason="end_turn"))
        return rows

    def tool(self, call: str, name: str, args: Row, output: Any) -> list[Row]:
        return [
            self.event("tool.call", uuid=call, toolCallId=call, name=name, args=args, description="INJECTED label"),
            self.event("tool.result", parentUuid=call, toolCallId=call, result={"output": output, "isError": False}),
        ]

    def undo(self, count: Any = 1) -> Row:
        return self.row("context.undo", count=count)


def session() -> list[Row | bytes]:
    """A session of Kimi Code 2.x with tools, injected texts, a steered turn and a compaction."""
    wire = Wire()
    rows: list[Row | bytes] = [*wire.head(), *wire.asked("请看看 cart.py 的折扣算得对不对")]
    rows += [wire.injected(), wire.injected("hook_result", "INJECTED by a hook")]
    rows += wire.answer("I will read it.", thought="the cart rounds twice")
    rows += wire.tool("Read_0", "Read", {"path": f"{CWD}/cart.py", "limit": 40}, "def discount(total):")
    steer = wire.prompt("also look at the tax", kind="turn.steer")
    rows += [steer, *wire.answer("It rounds twice."), *wire.copy(steer), *wire.answer("The tax is right.")]
    rows += [
        wire.row("full_compaction.begin", source="manual"),
        wire.row("context.apply_compaction", summary="The cart was fixed.", contextSummary="INJECTED", compactedCount=9),
        wire.injected("compaction_summary", "The cart was fixed."),
    ]
    rows += [*wire.asked("压缩之后继续"), *wire.answer("好的。")]
    return rows


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


# --- kimi-cli ---------------------------------------------------------------------------------------------------------
def old_user(text: Any) -> Row:
    return {"role": "user", "content": text}


def old_answer(text: str, *calls: tuple[str, str, Row]) -> Row:
    row: Row = {
        "role": "assistant",
        "content": [{"type": "think", "think": "hm", "encrypted": None}, {"type": "text", "text": text}],
    }
    if calls:
        made = [
            {"type": "function", "id": call, "function": {"name": name, "arguments": json.dumps(args)}}
            for call, name, args in calls
        ]
        row["tool_calls"] = made
    return row


def old_result(call: str, *texts: str) -> Row:
    return {"role": "tool", "content": [{"type": "text", "text": text} for text in texts], "tool_call_id": call}


def old_event(second: int, kind: str, **payload: Any) -> Row:
    return {"timestamp": millis(second) / 1000, "message": {"type": kind, "payload": payload}}


def old_context() -> list[Row | bytes]:
    return [
        {"role": "_system_prompt", "content": "INJECTED You are Kimi"},
        {"role": "_checkpoint", "id": 0},
        old_user("看看 cart.py"),
        {"role": "_checkpoint", "id": 1},
        old_user(REMINDER),
        old_user([{"type": "text", "text": "<system>INJECTED CHECKPOINT 1</system>"}]),
        {"role": "_usage", "token_count": 18},
        old_answer("I will read it.", ("ReadFile:0", "ReadFile", {"path": "cart.py"})),
        old_result("ReadFile:0", "<system>INJECTED 1 line read</system>", "def discount(total):"),
        old_answer("It rounds twice."),
        old_user(
            [{"type": "text", "text": "and this?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]
        ),
    ]


def old_wire() -> list[Row | bytes]:
    return [
        {"type": "metadata", "protocol_version": "1.8"},
        old_event(1, "TurnBegin", user_input="看看 cart.py"),
        old_event(2, "StepBegin", n=1),
        old_event(3, "ContentPart", type="text", text="I will read it."),
        old_event(4, "ToolCall", type="function", id="ReadFile:0", function={"name": "ReadFile", "arguments": "{}"}),
        old_event(
            5,
            "StatusUpdate",
            token_usage={"input_other": 18, "output": 3, "input_cache_read": 2, "input_cache_creation": 0},
            message_id="m1",
        ),
        old_event(6, "ToolResult", tool_call_id="ReadFile:0", return_value={"output": "INJECTED"}),
        old_event(7, "ContentPart", type="text", text="It rounds twice."),
        old_event(8, "TurnEnd"),
        old_event(9, "TurnBegin", user_input=[{"type": "text", "text": "and this?"}, {"type": "image_url"}]),
        old_event(10, "SubagentEvent", event={"type": "TurnBegin", "payload": {"user_input": "INJECTED"}}),
    ]


def place_old(home: Path, context: list[Row | bytes], wire: list[Row | bytes] | None = None, session: str = "old-1") -> Path:
    """A context.jsonl where kimi-cli keeps it, in the folder of CWD."""
    (home / "kimi.json").parent.mkdir(parents=True, exist_ok=True)
    (home / "kimi.json").write_text(json.dumps({"work_dirs": [{"path": "/other"}, {"path": CWD, "kaos": "local"}]}))
    folder = home / "sessions" / md5(CWD) / session
    if wire is not None:
        write(folder / "wire.jsonl", wire)
    return write(folder / "context.jsonl", context)
