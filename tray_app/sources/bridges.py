"""Talk with people that stands inside tool calls, read as talk.

An agent that is reached through a chat (WeChat, Slack, mail, ...) answers by a tool and is asked by another tool's result.
Here such a call becomes what our side said, and such a result one message for each that people sent. What is of no known
shape stays a tool call or result. Pure: opens nothing, and never raises for what is in the messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence

import msgspec

from tray_app.sources import chat_tools
from tray_app.sources.base import Message
from tray_app.sources.chat_words import Said, sent_text, talk_of
from tray_app.sources.jsonl import head_and_tail

TOOL_CHARS = 4_000


def bridge(
    messages: Sequence[Message],
    patterns: tuple[str, ...],
    *,
    but: Collection[str] = (),
    tools: bool = True,
    tool_chars: int = TOOL_CHARS,
) -> list[Message]:
    """The messages with those of chat tools replaced by what was said, in order.

    `patterns` as in `chat_tools`. Messages whose id is in `but` stay as they are. `tools` False: what stays a call or a
    result is left out. All that comes out of one result has its `seq`, and ids '<call id>#<n>'; a message of a chat keeps its
    `identity` however often it is fetched.
    """
    made: list[Message] = []
    asked: dict[str, str] = {}
    """Tool by call id, for results that do not name it."""
    sent: set[str] = set()
    for message in messages:
        talk: list[Message] | None = None
        if message.id in but:
            pass
        elif message.role == "tool_call":
            asked[message.id] = message.tool
            talk = _sent(message, patterns, sent)
        elif message.role == "tool_result":
            tool = message.tool or asked.get(message.id, "")
            if chat_tools.receives(tool, patterns):
                talk = list(_received(message, sent)) or None
        if talk is not None:
            made += talk
        elif message.role not in ("tool_call", "tool_result"):
            made.append(message)
        elif tools:
            made.append(_as_tool(message, tool_chars))
    return made


def concerns(messages: Sequence[Message], patterns: tuple[str, ...]) -> bool:
    """Whether any of the messages is of a chat tool."""
    return any(
        chat_tools.sends(message.tool, patterns) or chat_tools.receives(message.tool, patterns)
        for message in messages
        if message.tool
    )


def _as_tool(message: Message, tool_chars: int) -> Message:
    if not message.arguments and len(message.text) <= tool_chars:
        return message
    return msgspec.structs.replace(message, text=head_and_tail(message.text, tool_chars), arguments="")


def _sent(message: Message, patterns: tuple[str, ...], sent: set[str]) -> list[Message] | None:
    """What a call says to people; None if it says nothing."""
    if not message.arguments or not chat_tools.sends(message.tool, patterns):
        return None
    text = sent_text(message.arguments)
    if not text:
        return None
    sent.add(text)
    return [msgspec.structs.replace(message, role="assistant", text=text, tool="", arguments="")]


def _received(message: Message, sent: set[str]) -> Iterator[Message]:
    """The messages of a chat in a tool's result. What our side just sent is not said twice."""
    for number, said in enumerate(talk_of(message.text)):
        if said.ours and said.text in sent:
            continue
        text = said.text if said.ours or said.private or not said.sender else f"{said.sender}: {said.text}"
        yield Message(
            id=f"{message.id}#{number}",
            role="assistant" if said.ours else "user",
            text=text,
            time=said.time or message.time,
            seq=message.seq,
            offset=message.offset,
            identity=_identity(said, f"{message.id}#{number}"),
        )


def _identity(said: Said, made: str) -> str:
    """The chat's own id of a message, else its sender, time and text; without a time its place, which is no copy's."""
    if said.id:
        return f"chat:{said.id}"
    if not said.time:
        return f"chat:{made}"
    mark = hashlib.blake2b(f"{said.sender}\n{said.time}\n{said.text}".encode("utf-8", "replace"), digest_size=12)
    return f"chat:{mark.hexdigest()}"
