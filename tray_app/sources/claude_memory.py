"""What the reading of a Claude Code file remembers from one reading to the next, as a checkpoint carries it."""

from __future__ import annotations

import msgspec

from tray_app.sources.base import Checkpoint
from tray_app.sources.claude_times import Group


class Memory(msgspec.Struct):
    """What a checkpoint carries from one reading to the next."""

    session: str = ""
    parent: str = ""
    cwd: str = ""
    model: str = ""
    branch: str = ""
    version: str = ""
    marked_from: tuple[int, ...] | None = None
    """The lowest version whose lines mark the person's prompts in this file; None: none seen yet."""
    titled: bool = False
    """A prompt has given the session its title."""
    said: str = ""
    """How and what the person said last: 'line:' or 'queue:' and a hash of it."""
    warming: bool = False
    """The side conversation being read is a warm-up of the program's own."""
    last_uuid: str = ""
    summaries: dict[str, str] = {}
    """Titles whose leaf was not met yet."""
    recent: bytes = b""
    """Eight bytes for each of the last messages, to know a repetition."""
    low: int = 0
    high: int = 0
    times: list[Group] = []
    chats: dict[str, str] = {}
    """Tool by call id, of the tools that are chats with people: their results are read as talk."""


_DECODER = msgspec.msgpack.Decoder(Memory)
_ENCODER = msgspec.msgpack.Encoder()


def remembered(checkpoint: Checkpoint | None) -> Memory:
    """The memory in a checkpoint; a fresh one if there is none or it does not fit this program's version."""
    if checkpoint is not None and checkpoint.state:
        try:
            return _DECODER.decode(checkpoint.state)
        except (msgspec.MsgspecError, ValueError):
            pass
    return Memory()


def packed(memory: Memory) -> bytes:
    """The memory as a checkpoint's state."""
    return _ENCODER.encode(memory)
