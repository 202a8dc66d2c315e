"""Cursor's agent transcripts: files of JSON lines, and the text files that came before them.

Owns what the lines mean, the folder that a project's name stands for, and the memory of a checkpoint. There are no times in
these files: a message is given the time of its file when it was read.
"""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path

import msgspec

from tray_app.sources import cursor_words as words
from tray_app.sources.base import Checkpoint, Limits, NotReady, Reading, Session, Stop, Stopped, Unit
from tray_app.sources.json_values import text_of
from tray_app.sources.jsonl import Records
from tray_app.sources.talk import Talk, TalkMemory

FOLDER = "agent-transcripts"
KNOWN_LINES = frozenset({"turn_ended", "turn_started", "session_start", "session_end"})
TEXT_BYTES = 32 << 20
STOP_LINES = 1000
NAMES_LOOKED_AT = 5_000

_ROLE = re.compile(r"(user|assistant|system|tool|A):[ \t]*")
_TOOL = re.compile(r"\[Tool (call|result)\][ \t]*(\S.*)?")
_MARK = re.compile(r"\[Thinking\][ \t]*(.*)")


def read_lines(unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
    """A transcript of JSON lines, from the checkpoint if it still fits."""
    memory = _restored(checkpoint)
    time = unit.mtime_ns // 1_000_000
    with Records(unit.path, unit.agent, checkpoint if memory else None, limits, stop) as records:
        resumed = records.resumed and memory is not None
        talk = Talk(unit.session, limits, subagent=unit.kind == "subagent", memory=memory if resumed else None)
        recognised = unknown = 0
        for line in records:
            row = records.decode(line, words.ROW)
            if row is None:
                continue
            said = row.message or words.Said()
            role = text_of(row.role) or text_of(said.role)
            content = said.content if bytes(said.content) else row.content
            if role in ("user", "assistant", "tool"):
                recognised += 1
                unknown += words.tell(talk, role, content, time, offset=line.offset)
            elif role == "system" or text_of(row.type) in KNOWN_LINES:
                recognised += 1
            else:
                unknown += 1
        if not resumed and not records.records and not records.skipped:
            raise NotReady("no whole line yet")
        state = msgspec.msgpack.encode(talk.carry())
        return Reading(
            session=_session(unit, talk),
            messages=talk.collector.messages(),
            problems=records.problems,
            checkpoint=records.checkpoint(talk.memory.seq, state),
            bytes_read=records.bytes_read,
            records=records.records,
            recognised=recognised,
            skipped=records.skipped,
            unknown=unknown,
            truncated=talk.collector.truncated,
            resumed=resumed,
            growing=records.growing,
        )


def read_text(unit: Unit, limits: Limits, stop: Stop) -> Reading:
    """A transcript of text, always whole: `user:` and `assistant:` begin a message, marks in brackets a tool's part."""
    with unit.path.open("rb") as stream:
        data = stream.read(TEXT_BYTES + 1)
    if not data.strip(b" \t\r\n\x00"):
        raise NotReady("the file is empty")
    time = unit.mtime_ns // 1_000_000
    talk = Talk(unit.session, limits, subagent=unit.kind == "subagent")
    records = 0
    role = tool = ""
    held: list[str] = []
    asking = False

    def give() -> None:
        nonlocal records
        text = "\n".join(held).strip()
        held.clear()
        if not role:
            return
        records += 1
        if role == "call":
            talk.call(tool, text, (), time)
        elif role in ("result", "tool"):
            talk.result(text, time, tool=tool)
        elif role == "thought":
            talk.think(text, time)
        elif role == "user":
            talk.say("user", words.person_words(text), time)
        elif role == "assistant":
            talk.say("assistant", words.model_words(text), time)

    for number, raw in enumerate(data[:TEXT_BYTES].replace(b"\x00", b"").decode("utf-8", "replace").split("\n")):
        if number % STOP_LINES == 0 and stop():
            raise Stopped
        line = raw.rstrip("\r")
        if not asking:
            head, part, thought = _ROLE.fullmatch(line), _TOOL.fullmatch(line), _MARK.fullmatch(line)
            if head:
                give()
                role, tool = {"A": "assistant"}.get(head[1], head[1]), ""
                continue
            if part and role not in ("", "user"):
                give()
                role, tool = part[1], (part[2] or "").strip()
                continue
            if thought and role not in ("", "user"):
                give()
                role, line = "thought", thought[1]
            elif role == "thought" and not line.strip():
                give()
                role = "assistant"
                continue
        if role == "user":
            asking = (asking or "<user_query>" in line) and "</user_query>" not in line.rpartition("<user_query>")[2]
        held.append(line)
    give()
    return Reading(
        session=_session(unit, talk),
        messages=talk.collector.messages(),
        checkpoint=None,
        bytes_read=min(len(data), TEXT_BYTES),
        records=max(records, 1),
        recognised=records,
        unknown=int(not records),
        truncated=talk.collector.truncated or len(data) > TEXT_BYTES,
    )


def _session(unit: Unit, talk: Talk) -> Session:
    parts = unit.path.parts
    project = parts[parts.index(FOLDER) - 1] if FOLDER in parts[1:] else ""
    return Session(
        id=unit.session,
        cwd=folder_of(project) if project else "",
        title=talk.memory.title,
        start=talk.memory.start,
        end=talk.memory.end,
        kind=unit.kind,
        parent=unit.parent,
    )


def _restored(checkpoint: Checkpoint | None) -> TalkMemory | None:
    if checkpoint is None:
        return None
    try:
        return msgspec.msgpack.decode(checkpoint.state, type=TalkMemory)
    except (msgspec.MsgspecError, ValueError):
        return None


# --- the folder of a project --------------------------------------------------------------------------------------------
@functools.lru_cache(maxsize=256)
def folder_of(project: str) -> str:
    """The folder that a project's name was made from (every other character became a dash), if there is just one; else ''.

    Only folders whose names begin as the rest of the name does are looked into.
    """
    drive = re.match(r"([A-Za-z])-", project) if os.name == "nt" else None
    base = Path(f"{drive[1]}:\\") if drive else Path("/")
    rest = project[2:] if drive else project
    looked = 0
    found: list[str] = []
    waiting = [(base, rest)]
    while waiting and looked < NAMES_LOOKED_AT:
        folder, rest = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    looked += 1
                    name = re.sub(r"[^A-Za-z0-9]+", "-", entry.name).strip("-")
                    if not name or not (rest == name or rest.startswith(f"{name}-")) or not entry.is_dir():
                        continue
                    if rest == name:
                        found.append(os.path.join(folder, entry.name))
                    else:
                        waiting.append((folder / entry.name, rest[len(name) + 1 :]))
        except OSError:  # it cannot be looked into: then it is not known
            continue
    return found[0] if len(found) == 1 else ""
