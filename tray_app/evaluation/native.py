"""The sessions of a set as their agents' own files, and by what names each message goes there.

Owns what the writers of all agents share: ids, times, the replies of a model, the texts of a harness that no search may ever
return. Writes only below the folder it is given; the same set gives the same files.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tray_app.evaluation.question_set import AGENTS, SPACE, Message, Session, moment

NOISE = "zq-harness-noise-4be1"
"""Stands in every text that the writers invent."""

Record = dict[str, Any]


@dataclass
class Names:
    """What the files call a session (`session`), and by which ids its messages may be named: native id to ids of the set."""

    key: str
    session: str
    agent: str
    messages: dict[str, set[str]] = field(default_factory=dict)

    def put(self, message: Message, *native: str) -> None:
        for name in native:
            self.messages.setdefault(name, set()).add(message.id)


@dataclass(frozen=True)
class File:
    """A session as a file below the home folder."""

    path: Path
    content: bytes


Writer = Callable[[Session, Names], File]


def write_home(home: Path, sessions: Sequence[Session]) -> list[Names]:
    """Write all sessions below `home` (made if missing); those that name no agent go to each in turn. OSError is passed on."""
    from tray_app.evaluation import claude_files, codex_files, dsh_files

    writers: dict[str, Writer] = dict(zip(AGENTS, (claude_files.write, codex_files.write, dsh_files.write), strict=True))
    home.mkdir(parents=True, exist_ok=True)
    written = []
    for place, session in enumerate(sessions):
        agent = session.agent or AGENTS[place % len(AGENTS)]
        names = Names(session.session, session.native, agent)
        file = writers[agent](session, names)
        target = home / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        last = session.messages[-1].moment.timestamp()
        os.utime(target, (last, last))
        written.append(names)
    codex = [session for session, names in zip(sessions, written, strict=True) if names.agent == "codex"]
    if codex:
        titles = ({"id": one.native, "thread_name": one.title, "updated_at": one.messages[-1].time} for one in codex)
        (home / ".codex" / "session_index.jsonl").write_bytes(json_lines(titles))
    return written


def replies(messages: Sequence[Message]) -> list[tuple[str, list[Message]]]:
    """The messages in their order, those of one reply of the model (thoughts, one text, calls of tools) together as 'reply'."""
    found: list[tuple[str, list[Message]]] = []
    reply: list[Message] | None = None
    for message in messages:
        if message.role not in ("reasoning", "assistant", "tool_call"):
            reply = None
            found.append((message.role, [message]))
            continue
        spoken = reply is not None and any(one.role != "reasoning" for one in reply)
        if reply is None or (spoken and message.role != "tool_call"):
            reply = []
            found.append(("reply", reply))
        reply.append(message)
    return found


def made_id(*parts: object) -> str:
    return str(uuid.uuid5(SPACE, "/".join(map(str, parts))))


def short_id(prefix: str, *parts: object) -> str:
    return f"{prefix}{made_id(*parts).replace('-', '')[:24]}"


def variant(count: int, *parts: object) -> int:
    """One of `count` ways to write something, always the same for the same parts."""
    return uuid.UUID(made_id("variant", *parts)).int % count


def milliseconds(message: Message) -> int:
    return round(message.moment.timestamp() * 1000)


def iso(ms: int) -> str:
    when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def begun(session: Session) -> datetime:
    """The first message's moment, in the person's zone."""
    return session.messages[0].moment.astimezone(moment(session.start).tzinfo)


def wrapped(text: str) -> str:
    """As a reminder that a harness puts in front of the person's words."""
    return text if text.lstrip().startswith("<system-reminder>") else f"<system-reminder>\n{text}\n</system-reminder>"


def to_json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def json_lines(records: Iterable[Record]) -> bytes:
    return "".join(to_json(record) + "\n" for record in records).encode()
