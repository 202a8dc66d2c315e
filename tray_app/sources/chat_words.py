"""Chat messages in the arguments and results of tools: whose they are, when they were sent, and their words.

Owns the names that chat programs give to such fields, and the form of lines like `[09:12] Mira: text`. Only named fields
are looked at, a few levels deep; a value of another shape than expected counts as absent. Never raises for what it is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

MESSAGES_MOST = 2_000
"""Messages taken out of one result."""
DEPTH = 6
NAME_CHARS = 40
LATEST = 253_402_300_799_000

_TEXTS = ("text", "message", "content", "body", "markdown", "reply", "msg", "snippet")
_INSIDE = ("data", "post", "payload", "params", "elements", "segments", "input")
_LISTS = (
    "messages",
    "items",
    "data",
    "history",
    "result",
    "results",
    "replies",
    "emails",
    "records",
    "list",
    "content",
    "text",
)
_SENDERS = (
    "sender",
    "from",
    "user",
    "author",
    "sender_name",
    "senderName",
    "from_name",
    "nickname",
    "username",
    "talker",
    "name",
)
_NAMES = ("name", "nickname", "card", "display_name", "displayName", "real_name", "username", "first_name", "email", "id")
_TIMES = ("time", "timestamp", "date", "created_at", "createTime", "create_time", "createdAt", "sent_at", "datetime", "ts")
_IDS = ("message_id", "messageId", "msg_id", "msgId", "msgid", "client_msg_id", "event_id", "id", "ts")
_OURS = ("is_self", "isSelf", "from_me", "fromMe", "is_from_me", "isFromMe", "outgoing", "is_bot", "isBot", "bot", "self")
_OUR_NAMES = frozenset({"self", "bot", "assistant", "me", "myself", "agent", "app", "我", "自己", "机器人", "助手"})
_PRIVATE = frozenset({"private", "p2p", "dm", "direct", "single", "im", "personal"})

_TIME = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[ T]\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d)?|\d{1,2}:\d\d(?::\d\d)?"
_LINE = re.compile(
    rf"(?:[-*•] )?(?:[\[(（【](?P<stamp>{_TIME})[\])）】]\s*|(?P<bare>{_TIME})[ ,|-]+)?"
    rf"(?P<name>[^\s:：{{}}\[\]<>\"=/\\][^:：{{}}\[\]<>\"=/\\\n]{{0,{NAME_CHARS - 1}}}?)\s?(?::\s|：\s?)(?P<text>\S.*)"
)
_TIMED = re.compile(r"\AWall time: [^\n]{1,60}\n(?:Output:\n)?")
"""What Codex writes above the output of tools."""
_LABELS = """
    error warning status note notes result results count total ok success chat channel room id time date from to subject info
    message messages text page limit cursor unread summary hint output usage next title url link type name
    错误 状态 群聊 会话 总数 时间 主题 发件人 收件人
"""
_NO_NAMES = frozenset(_LABELS.split())
"""Words before a colon that name no person."""


class Said(msgspec.Struct, frozen=True):
    """One message of a chat. `time` in epoch milliseconds, 0 where not told; `id` is the chat's own."""

    sender: str
    text: str
    time: int = 0
    id: str = ""
    ours: bool = False
    private: bool = False
    """Known to be between two: the sender need not be named."""


def sent_text(arguments: str) -> str:
    """What a sending tool was given to say, the subject of a mail above it; '' if there is none."""
    value = _decoded(arguments)
    if isinstance(value, str):
        return "" if value.lstrip()[:1] in ("{", "[") else value.strip()
    if not isinstance(value, dict):
        return ""
    text = _words(value)
    subject = value.get("subject")
    return f"{subject.strip()}\n{text}" if text and isinstance(subject, str) and subject.strip() else text


def talk_of(result: str) -> list[Said]:
    """The messages in a receiving tool's result, in its order; empty if it is of no known shape."""
    found: list[Said] = []
    for said in _talk(_decoded(_TIMED.sub("", result, count=1)), DEPTH, private=False):
        found.append(said)
        if len(found) == MESSAGES_MOST:
            break
    return found


def _talk(value: Any, depth: int, *, private: bool) -> Iterator[Said]:
    if depth < 0:
        return
    if isinstance(value, str):
        inner = _decoded(value)
        yield from _lines(value) if isinstance(inner, str) else _talk(inner, depth - 1, private=private)
    elif isinstance(value, list):
        for item in value:
            said = _said(item, private) if isinstance(item, dict) else None
            if said is not None:
                yield said
            elif isinstance(item, (dict, str)):
                yield from _talk(item, depth - 1, private=private)
    elif isinstance(value, dict):
        private = private or _is_private(value)
        said = _said(value, private)
        if said is not None:
            yield said
            return
        for key in _LISTS:
            if isinstance(value.get(key), (list, dict, str)):
                given = list(_talk(value[key], depth - 1, private=private))
                if given:
                    yield from given
                    return


def _said(item: dict[str, Any], private: bool) -> Said | None:
    """One message; None for an object that is none: it has no sender, or nothing in words."""
    if isinstance(item.get("messages"), list) or isinstance(item.get("items"), list):
        return None
    sender, ours = _sender(item)
    if not sender and not ours:
        return None
    text = _words(item)
    subject = item.get("subject")
    if isinstance(subject, str) and subject.strip():
        text = f"{subject.strip()}\n{text}".strip()
    if not text:
        return None
    own = next((str(item[key]) for key in _IDS if isinstance(item.get(key), (str, int)) and item[key] not in ("", 0)), "")
    time = next((time for key in _TIMES if (time := _milliseconds(item.get(key)))), 0)
    return Said(sender[:NAME_CHARS], text, time, own[:200], ours, private or _is_private(item))


def _sender(item: dict[str, Any]) -> tuple[str, bool]:
    """Name of who sent a message ('' if it is not told), and whether that is our side."""
    ours = any(item.get(key) is True for key in _OURS) or item.get("role") in ("assistant", "bot")
    ours = ours or bool(item.get("bot_id")) or item.get("direction") in ("out", "outgoing", "outbound", "sent")
    name = ""
    for key in _SENDERS:
        value = item.get(key)
        if isinstance(value, dict):
            ours = ours or any(value.get(flag) is True for flag in _OURS)
            ours = ours or value.get("sender_type") == "app" or value.get("type") == "bot"
            value = next((value[part] for part in _NAMES if isinstance(value.get(part), (str, int)) and value[part] != ""), "")
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
            name = " ".join(str(value).split())
            break
    if not name and item.get("role") == "user":
        name = "user"
    return name, ours or name.casefold() in _OUR_NAMES


def _is_private(item: dict[str, Any]) -> bool:
    kinds = (item.get(key) for key in ("chat_type", "chatType", "message_type", "channel_type", "conversation_type"))
    return any(isinstance(kind, str) and kind.lower() in _PRIVATE for kind in kinds)


def _words(value: Any, depth: int = 4) -> str:
    """The text in a value: itself, or what stands in its fields of that meaning, parts one after the other."""
    if isinstance(value, str):
        inner = _decoded(value)
        return value.strip() if isinstance(inner, str) else _words(inner, depth - 1) or value.strip()
    if depth <= 0:
        return ""
    if isinstance(value, list):
        return "\n".join(part for item in value[:MESSAGES_MOST] if (part := _words(item, depth - 1)))
    if isinstance(value, dict):
        for key in (*_TEXTS, *_INSIDE):
            if isinstance(value.get(key), (str, list, dict)) and (text := _words(value[key], depth - 1)):
                return text
    return ""


def _decoded(text: str) -> Any:
    """What a text holds as JSON, if that is an object or a list; else the text."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        value = msgspec.json.decode(text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError, ValueError):
        return text
    return value if isinstance(value, (dict, list)) else text


def _lines(text: str) -> Iterator[Said]:
    """Messages written as lines `Name: text`, with a time in front or not; lines without a name go on with the message
    before. Nothing, if that is not what the text begins with (up to two lines of heading aside)."""
    name, words, time = "", [""], 0
    heading = 0
    for line in text.split("\n"):
        found = _LINE.fullmatch(line.strip()[:4_000])
        if found and found["name"].strip().casefold() not in _NO_NAMES and not found["name"].strip().isdigit():
            if name:
                yield _line(name, words, time)
            name, words = found["name"].strip(), [found["text"]]
            time = _milliseconds(found["stamp"] or found["bare"])
        elif name:
            words.append(line.rstrip())
        elif line.strip():
            heading += 1
            if heading > 2:
                return
    if name:
        yield _line(name, words, time)


def _line(name: str, words: list[str], time: int) -> Said:
    return Said(name, "\n".join(words).strip(), time, ours=name.casefold() in _OUR_NAMES)


def _milliseconds(value: Any) -> int:
    """Epoch milliseconds of a number (seconds to microseconds), of digits, or of a written time with its day (local unless it
    says otherwise); 0 for anything else."""
    if isinstance(value, str):
        text = value.strip()
        if re.fullmatch(r"\d{9,16}(\.\d{1,9})?", text, re.ASCII):
            value = float(text)
        else:
            try:
                found = datetime.fromisoformat(re.sub(r"[/.](?=\d{1,2}[/. T])", "-", text, count=2))
                value = found.timestamp() * 1000
            except (ValueError, OverflowError, OSError):
                return 0
            return int(value) if 0 < value <= LATEST else 0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 1e8 < value < 1e17:
        return 0
    moment = value * 1000 if value < 1e11 else value if value < 1e14 else value / 1000
    return int(moment) if moment <= LATEST else 0
