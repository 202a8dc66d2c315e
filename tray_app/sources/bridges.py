"""Talk with people that stands inside tool calls, read as talk.

An agent that is reached through a chat (WeChat, Slack, mail, ...) answers by a tool and is asked by another tool's result.
Here such a call becomes what our side said, and such a result one message for each that people sent. What is of no known
shape stays a tool call or result. Pure: opens nothing, and never raises for what is in the messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

from tray_app.sources import chat_tools
from tray_app.sources.base import Message
from tray_app.sources.chat_words import Said, sent_text, talk_of
from tray_app.sources.jsonl import head_and_tail

TOOL_CHARS = 4_000
OWN_BYTES = 12
"""What our side says of at least this length is one message in a session, whether it is sent or found in the history later:
both have the same identity. Shorter words may be said more than once."""


class Bridged(NamedTuple):
    """The messages, and by how much the numbers of those that follow must be raised."""

    messages: list[Message]
    shift: int


def bridge(
    messages: Sequence[Message],
    patterns: tuple[str, ...],
    *,
    but: Collection[str] = (),
    tools: bool = True,
    tool_chars: int = TOOL_CHARS,
    session: str = "",
    shift: int = 0,
) -> Bridged:
    """The messages with those of chat tools replaced by what was said, in order.

    `patterns` as in `chat_tools`. Messages whose id is in `but` stay as they are. `tools` False: what stays a call or a
    result is left out. What comes out of one result has ids '<call id>#<n>' and numbers in a row: every `seq` is raised by
    `shift`, which grows with each result that became several. A message of a chat keeps its `identity` however often it is
    fetched.
    """
    made: list[Message] = []
    asked: dict[str, str] = {}
    """Tool by call id, for results that do not name it."""
    for message in messages:
        talk: list[Message] | None = None
        size = 1
        if message.id in but:
            pass
        elif message.role == "tool_call":
            asked[message.id] = message.tool
            talk = _sent(message, patterns, session)
        elif message.role == "tool_result":
            tool = message.tool or asked.get(message.id, "")
            said = talk_of(message.text) if chat_tools.receives(tool, patterns) else []
            if said:
                talk, size = list(_received(message, said, session)), len(said)
        if talk is None:
            kept = tools or message.role not in ("tool_call", "tool_result")
            talk = [_plain(message, tool_chars)] if kept else []
        made += [msgspec.structs.replace(one, seq=one.seq + shift) for one in talk] if shift else talk
        shift += size - 1
    return Bridged(made, shift)


def concerns(messages: Sequence[Message], patterns: tuple[str, ...]) -> bool:
    """Whether any of the messages is of a chat tool."""
    return any(
        chat_tools.sends(message.tool, patterns) or chat_tools.receives(message.tool, patterns)
        for message in messages
        if message.tool
    )


def _plain(message: Message, tool_chars: int) -> Message:
    """A message that stays what it is: without arguments, a call or a result cut to its usual size."""
    tool = message.role in ("tool_call", "tool_result")
    if not tool or (not message.arguments and len(message.text) <= tool_chars):
        return message
    return msgspec.structs.replace(message, text=head_and_tail(message.text, tool_chars), arguments="")


def _sent(message: Message, patterns: tuple[str, ...], session: str) -> list[Message] | None:
    """What a call says to people; None if it says nothing."""
    if not message.arguments or not chat_tools.sends(message.tool, patterns):
        return None
    text = sent_text(message.arguments)
    if not text:
        return None
    own = _own(session, text) or message.identity
    return [msgspec.structs.replace(message, role="assistant", text=text, tool="", identity=own, arguments="")]


def _received(message: Message, talk: Sequence[Said], session: str) -> Iterator[Message]:
    """The messages of a chat in a tool's result, numbered in a row."""
    for number, said in enumerate(talk):
        text = said.text if said.ours or said.private or not said.sender else f"{said.sender}: {said.text}"
        yield Message(
            id=f"{message.id}#{number}",
            role="assistant" if said.ours else "user",
            text=text,
            time=said.time or message.time,
            seq=message.seq + number,
            offset=message.offset,
            identity=(_own(session, text) if said.ours else "") or _identity(said, f"{message.id}#{number}"),
        )


def _identity(said: Said, made: str) -> str:
    """The chat's own id of a message, else its sender, time and text; without a time its place, which is no copy's."""
    if said.id:
        return f"chat:{said.id}"
    if not said.time:
        return f"chat:{made}"
    return f"chat:{_mark(said.sender, str(said.time), said.text)}"


def _own(session: str, text: str) -> str:
    """What our side's longer words are known by in a session; '' for short ones."""
    return f"ours:{_mark(session, text)}" if len(text.encode("utf-8", "replace")) >= OWN_BYTES else ""


def _mark(*parts: str) -> str:
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()
