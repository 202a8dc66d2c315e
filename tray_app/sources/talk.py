"""The messages of one session while they are gathered: numbers, ids, bounds in time, a title, and the calls of tools.

Owns what is the same for every agent whose session is folded from records: what is empty is left out, our own
tools and their results are left out (but not that one gave the pack), the first prompt gives a title. Knows no format and opens no file.
"""

from __future__ import annotations

import re

import msgspec

from tray_app.sources.base import ARGUMENT_CHARS, Limits, Message, Usage
from tray_app.sources.json_values import plain
from tray_app.sources.jsonl import Collector
from tray_app.text.own_marks import gives_pack

OWN_TOOL = "backscroll"
_OWN_SERVER = re.compile(r"^(?:server|server_name|serverName|serverIdentifier): \S*backscroll", re.MULTILINE | re.IGNORECASE)
_GATEWAYS = frozenset({"use_mcp_tool", "access_mcp_resource", "call_mcp_tool", "callmcptool", "mcp", "mcp_tool"})
"""Tools of some agents behind which all servers stand: which one is meant says an argument."""
TITLE_CHARS = 80
CALLS_KEPT = 256
BY_PROMPT, BY_AGENT, BY_MODEL, BY_PERSON = range(4)


class TalkMemory(msgspec.Struct):
    """What a checkpoint carries of a talk."""

    seq: int = 0
    start: int = 0
    end: int = 0
    title: str = ""
    calls: dict[str, str] = {}
    """Tool by call id, for results to come; '' for calls that are left out."""
    own: str = ""
    """The last call, if it was one of ours: a result that names no call belongs to it."""


class Talk:
    """Gathers messages in order. `subagent`: what stands as the person's words was written by the parent's model."""

    def __init__(self, session: str, limits: Limits, *, subagent: bool = False, memory: TalkMemory | None = None) -> None:
        self.session, self.limits, self.subagent = session, limits, subagent
        self.memory = memory or TalkMemory()
        self.collector = Collector(limits)
        self.usage: dict[str, Usage] = {}

    def say(
        self,
        role: str,
        text: str,
        time: int,
        *,
        name: str = "",
        identity: str = "",
        offset: int = 0,
        tool: str = "",
        files: tuple[str, ...] = (),
        arguments: str = "",
    ) -> bool:
        """Add a message unless there is nothing in it. True if it was added. `name` is the agent's own id, if it has one."""
        text = text.strip()
        if not text:
            return False
        memory = self.memory
        if role == "user" and self.subagent:
            role = "note"
        if role == "user" or (role == "note" and self.subagent):
            memory.title = memory.title or one_line(text)
        self.mark(time)
        made = name or f"{self.session}:{memory.seq}"
        own, moment = identity or made, time or memory.end
        self.collector.add(Message(made, role, text, moment, memory.seq, offset, own, tool, files, arguments))
        memory.seq += 1
        return True

    def think(self, text: str, time: int, *, name: str = "", identity: str = "", offset: int = 0) -> None:
        """What the model thought, where it is wanted."""
        if self.limits.reasoning:
            self.say("reasoning", text, time, name=name, identity=identity, offset=offset)

    def call(
        self,
        tool: str,
        text: str,
        files: tuple[str, ...],
        time: int,
        *,
        call: str = "",
        identity: str = "",
        offset: int = 0,
        given: msgspec.Raw | bytes = b"",
    ) -> bool:
        """A tool call; `call` is the id that its result will name, `given` its arguments as JSON. True if it was added."""
        own = self.is_own(tool) or (tool.lower() in _GATEWAYS and _OWN_SERVER.search(text) is not None)
        self.memory.own = tool if own else ""
        if call:
            self.memory.calls[call] = "" if own else tool or "?"
        if (own and not gives_pack(f"{tool}\n{text}" if tool.lower() in _GATEWAYS else tool)) or not self.limits.wants(tool):
            return False
        kept = plain(given)[:ARGUMENT_CHARS] if self.limits.is_chat(tool) else ""
        mark = identity or call
        return self.say(
            "tool_call", text or tool, time, name=call, identity=mark, offset=offset, tool=tool, files=files, arguments=kept
        )

    def result(self, text: str, time: int, *, call: str = "", tool: str = "", identity: str = "", offset: int = 0) -> bool:
        """A tool's output. True if it was added."""
        known = self.memory.calls.pop(call, None) if call else None
        ours = known is None and self.memory.own and tool in ("", self.memory.own)
        named = tool or ("" if known in (None, "?") else known or "")
        if known == "" or ours or self.is_own(tool) or not self.limits.wants(named):
            return False
        mark = identity or (f"{call}:result" if call else "")
        return self.say("tool_result", text, time, name=call, identity=mark, offset=offset, tool=named)

    @staticmethod
    def is_own(tool: str) -> bool:
        """Whether a tool is our own recall: what it found is in the index already."""
        return OWN_TOOL in tool.lower()

    def count(self, usage: Usage) -> None:
        """Tokens of a model call, once for each key: a later record of the same call replaces the earlier one."""
        if max(usage.input, usage.output, usage.cache_read, usage.cache_write) > 0:
            self.usage[usage.key] = usage

    def mark(self, time: int) -> None:
        """A moment at which the session took place."""
        if time:
            self.memory.start = min(self.memory.start or time, time)
            self.memory.end = max(self.memory.end, time)

    def carry(self) -> TalkMemory:
        """The memory for a checkpoint, with only the newest open calls."""
        self.memory.calls = dict(list(self.memory.calls.items())[-CALLS_KEPT:])
        return self.memory


def one_line(text: str) -> str:
    """The beginning of a prompt as a title: one line of at most 80 characters."""
    words = " ".join(text[:2000].split())
    return words if len(words) <= TITLE_CHARS else words[: TITLE_CHARS - 1].rstrip() + "…"
