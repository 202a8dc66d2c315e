"""What one reading of a Kimi journal hands to the next: the state in its checkpoint.

Owns the shapes and their packing. What they mean is in `kimi_reading`.
"""

from __future__ import annotations

import msgspec

from tray_app.sources.base import Checkpoint
from tray_app.sources.claude_times import Group


class Pending(msgspec.Struct, array_like=True):
    """A prompt whose copy in the context has not come yet. `seq` is -1 where nothing was given out for it."""

    named: str
    mark: str
    seq: int


class Anchor(msgspec.Struct, array_like=True):
    """Where an undo may cut: the prompt's own message (-1: none) and the first number behind it."""

    own: int
    behind: int


class Memory(msgspec.Struct):
    """What a checkpoint carries from one reading to the next."""

    cwd: str = ""
    model: str = ""
    alias: str = ""
    created: int = 0
    titled: bool = False
    summary: str = ""
    pending: list[Pending] = []
    left_out: list[str] = []
    """Calls of our own tools that have no result yet."""
    chats: dict[str, str] = {}
    """Tools by call id, of the calls to chats with people."""
    recent: bytes = b""
    """Eight bytes for each of the last messages, to know a repetition."""
    low: int = 0
    high: int = 0
    times: list[Group] = []


_MEMORY_IN = msgspec.msgpack.Decoder(Memory)
_MEMORY_OUT = msgspec.msgpack.Encoder()


def packed(memory: Memory) -> bytes:
    """The memory as a checkpoint keeps it."""
    return _MEMORY_OUT.encode(memory)


def remembered(checkpoint: Checkpoint | None) -> Memory | None:
    """The memory in a checkpoint; None if there is none or another version of us wrote it."""
    if checkpoint is None:
        return None
    try:
        return _MEMORY_IN.decode(checkpoint.state)
    except (msgspec.MsgspecError, ValueError):
        return None
