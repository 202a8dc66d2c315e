"""Small DSH logs in the shape of every generation, made from one conversation.

Owns the shapes only: rows as dicts, lines as bytes, frames as DSH writes them (checksum, no content size). Version 0 comes in
two shapes: `"old"` is from before messages had ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import zstandard

Row = dict[str, Any]
GENERATIONS: tuple[int | str, ...] = ("old", 0, 1, 2, 3, 4, 5)
SESSION = "session-7d1f"
CWD = "/home/mira/garden planner"
START = 1_790_000_000_000
MODEL = "deepseek-v4-flash"


def number(generation: int | str) -> int:
    return 0 if generation == "old" else int(generation)


def name(generation: int | str, *, plain: bool = False) -> str:
    tag = f".v{number(generation)}" if number(generation) else ""
    return f"session{tag}.jsonl" + ("" if plain else ".zstd")


def text(words: str) -> Row:
    return {"type": "text", "text": words}


def header(generation: int | str = 4, session: str = SESSION, cwd: str | None = CWD, **more: Any) -> Row:
    row: Row = {"type": "session", "version": number(generation), "id": session, "createdAt": START, "delegationDepth": 0}
    if cwd is not None:
        row["cwd"] = cwd
    if number(generation) >= 2:
        row["isSeeded"] = False
    return row | more


class Log:
    """Collects the events of one log with dense `seq`; each method adds the rows that its name says."""

    def __init__(self, generation: int | str = 4, first: int = 0, start: int = START) -> None:
        self.generation, self.seq, self.start = generation, first, start
        self.rows: list[Row] = []
        self.turn = 0

    @property
    def old(self) -> bool:
        return self.generation == "old"

    @property
    def wrapped(self) -> bool:
        """Results stand in a `tool-result` block of a user's message, and injections name a plugin."""
        return number(self.generation) < 4

    def event(self, kind: str, data: Row, **more: Any) -> Log:
        self.rows.append({"type": kind, "seq": self.seq, "time": self.start + 1_000 * (self.seq + 1), "data": data, **more})
        self.seq += 1
        return self

    def ask(self, words: str, **source: Any) -> Log:
        self.turn += 1
        message: Row = {"content": [text(words)], "source": {"kind": "user", **source}}
        if not self.old:
            message |= {"role": "user", "id": f"ask-{self.seq}"}
        self.event("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [message]})
        self.event("turn/start", {"turn": self.turn})
        return self.event("user/message", message, surfaceOp="append")

    def inject(self, words: str, kind: str = "agent-instructions", **source: Any) -> Log:
        at: Row = {"kind": "plugin", "plugin": kind} if self.wrapped else {"kind": kind}
        return self.event(
            "user/message",
            {"id": f"in-{self.seq}", "role": "user", "content": [text(words)], "source": at | source},
            surfaceOp="append",
        )

    def answer(self, words: str, thoughts: str = "", calls: Sequence[Row] = (), usage: Row | None = None) -> Log:
        blocks = [{"type": "reasoning", "text": thoughts}] if thoughts else []
        blocks += [text(words)] if words else []
        blocks += list(calls)
        data: Row = {"turn": self.turn, "step": 1}
        if self.old:
            data |= {"content": blocks, "provenance": {"provider": "deepseek", "model": MODEL}}
        else:
            source = {"kind": "model", "provider": "deepseek", "model": MODEL}
            data["message"] = {"role": "assistant", "content": blocks, "source": source, "id": f"say-{self.seq}"}
        if number(self.generation) >= 2:
            data["stream"] = [{"type": "text-chunks", "time0": self.start, "dt": [1], "texts": [f"streamed {words}"]}]
        else:
            packed = {"turn": self.turn, "step": 1, "index": 0, "dt": [1, 1], "texts": ["streamed", words]}
            self.rows.append({"type": "text-chunks", "seq0": self.seq, "time0": self.start, "data": packed})
            self.seq += 2
        if usage is not None:
            data["usage"] = usage
        return self.event("assistant/message", data, surfaceOp="append")

    def tool(self, call: str, tool: str, arguments: str, result: str) -> Log:
        at: Row = {"turn": self.turn, "step": 1}
        self.event("tool/call", at | {"callId": call, "name": tool, "arguments": arguments})
        if self.old:
            return self.event("tool/result", at | {"callId": call, "content": [text(result)], "isError": False})
        source = {"kind": "tool", "callId": call}
        if self.wrapped:
            block = {"type": "tool-result", "toolCallId": call, "content": [text(result)], "isError": False}
            message: Row = {"role": "user", "content": [block], "source": source, "id": f"res-{self.seq}"}
        else:
            message = {"role": "tool", "toolCallId": call, "content": [text(result)], "source": source, "id": f"res-{self.seq}"}
        return self.event("tool/result", at | {"message": message}, surfaceOp="append")

    def title(self, words: str, kind: str = "fallback") -> Log:
        return self.event("session/title", {"title": words, "messageSeqs": [0], "source": {"kind": kind}})

    def compact(self, words: str, compaction: str = "compaction-1", *, with_summary: bool = True) -> Log:
        self.event("compaction/start", {"compactionId": compaction, "turn": None})
        if with_summary:
            usage = {"inputTokens": 300, "outputTokens": 60, "cacheReadTokens": 5_000}
            data = {"compactionId": compaction, "summary": [text(words)], "rawOutput": [text(words)]}
            self.event("compaction/summary", data | {"provider": "deepseek", "model": MODEL, "usage": usage})
        source: Row = {"kind": "plugin", "plugin": "compact"} if self.wrapped else {"kind": "compact-checkpoint"}
        blocks = [text("An earlier part was condensed.\n\n<compacted-summary>"), text(words), text("</compacted-summary>")]
        keys = ("start", "end") if number(self.generation) < 3 else ("startSeq", "endSeq")
        self.event(
            "user/message",
            {"id": f"cp-{self.seq}", "role": "user", "content": blocks, "source": source | {"compactionId": compaction}},
            surfaceOp={"op": "replace", keys[0]: 0, keys[1]: 1},
        )
        return self.event("compaction/end", {"compactionId": compaction, "turn": None})

    def end(self, reason: str = "completed") -> Log:
        return self.event("turn/end", {"turn": self.turn, "reason": {"kind": reason}})


def conversation(generation: int | str = 4) -> Log:
    """Two rounds: the first with a tool, the second after a compaction."""
    log = Log(generation)
    log.inject("House rules: never index me.")
    log.ask("Where do the tulips go? 郁金香种在哪里？").title("Where do the tulips go?")
    calls = [{"type": "tool-call", "id": "call-1", "name": "bash", "arguments": "{}"}]
    log.answer("I will look at the plan.", "The plan is a file.", calls, {"inputTokens": 100, "outputTokens": 20})
    log.tool("call-1", "bash", '{"command":"cat beds.txt","description":"Show the beds"}', "north bed: tulips")
    usage = {"inputTokens": 30, "outputTokens": 12, "cacheReadTokens": 90, "totalTokens": 132}
    log.answer("In the north bed.", usage=usage).end()
    log.compact("Tulips stand in the north bed.")
    log.ask("And the beans?").answer("South of the shed.").title("Beds and beans", "provider").end()
    return log


def line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def lines(rows: Iterable[Row]) -> bytes:
    return b"".join(map(line, rows))


def frame(data: bytes | Iterable[Row], **how: Any) -> bytes:
    content = data if isinstance(data, bytes) else lines(data)
    return zstandard.ZstdCompressor(write_checksum=True, write_content_size=False, **how).compress(content)


def frames(head: Row, rows: Sequence[Row], per_frame: int = 4) -> bytes:
    """The header's frame, then one for each `per_frame` rows."""
    return frame([head]) + b"".join(frame(rows[at : at + per_frame]) for at in range(0, len(rows), per_frame))


def put(home: Path, data: bytes, file: str = "session.v4.jsonl.zstd", session: str = SESSION, project: str = "--g--") -> Path:
    """Writes a log where DSH would: `home`/sessions/<project>/<session>/<file>."""
    path = home / "sessions" / project / session / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
