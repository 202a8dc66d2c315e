"""Cursor's chats of the command line: one database each, of blobs named by their hash.

Owns the little that is known of it: the entry of `meta` (hexadecimal JSON) names the newest root, and the root (a protocol
buffer) lists the blobs with the messages, in their order. A root that cannot be read leaves all blobs that are messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import msgspec

from tray_app.records import Problem
from tray_app.sources import cursor_words as words
from tray_app.sources.base import Limits, NotReady, Reading, Session, Stop, Unit
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.json_values import decoded, text_of
from tray_app.sources.sqlite_files import Database, read_database
from tray_app.sources.talk import BY_MODEL, BY_PROMPT, Talk, one_line

MESSAGE_FIELD, FOLDER_FIELD = 1, 9
ID_BYTES = 32
SIDE_BYTES = 64 * 1024
UNNAMED = ("", "New Agent", "New Chat", "Untitled Session")


class Meta(msgspec.Struct, rename="camel"):
    name: Any = None
    created_at: Any = None
    created_at_ms: Any = None
    last_used_model: Any = None
    latest_root_blob_id: Any = None
    title: Any = None
    cwd: Any = None
    is_subagent: Any = None


_META = msgspec.json.Decoder(Meta)


def read_store(unit: Unit, limits: Limits, stop: Stop) -> Reading:
    """One chat, always whole."""
    return read_database(unit.path, lambda database: _read(database, unit, limits), stop)


def _read(database: Database, unit: Unit, limits: Limits) -> Reading:
    if not database.has("blobs", "id", "data"):
        raise NotReady("no table of messages in it yet")
    meta = _meta(database)
    side = _side(unit.others)
    root = _blob(database, text_of(meta.latest_root_blob_id), limits)
    listed, folder = _root(root or b"")
    time = unit.mtime_ns // 1_000_000
    created = milliseconds(meta.created_at) or milliseconds(side.created_at_ms)
    talk = Talk(unit.session, limits, subagent=side.is_subagent is True)
    talk.mark(created)
    problems: list[Problem] = []
    records = recognised = unknown = skipped = size = 0
    for name, data in _messages(database, listed, limits):
        said = decoded(data, words.SAID) if data is not None else None
        records += 1
        if said is None:
            skipped += 1
            problems.append(
                Problem(
                    path=f"{unit.path}#{name[:16]}",
                    line=0,
                    offset=0,
                    kind="bad_record" if data is not None else "oversize_line",
                    reason="not a message of a known shape" if data is not None else "a message that is missing or too large",
                    agent=unit.agent,
                )
            )
            continue
        size += len(data or b"")
        role = text_of(said.role)
        if role in ("user", "assistant", "tool"):
            recognised += 1
            moment = created if created and not talk.memory.seq else time
            unknown += words.tell(talk, role, said.content, moment)
        else:
            recognised += role == "system"
            unknown += role != "system"
    title = one_line(text_of(side.title) or text_of(meta.name))
    named = title not in UNNAMED
    return Reading(
        session=Session(
            id=unit.session,
            cwd=text_of(side.cwd) or folder,
            title=title if named else talk.memory.title,
            title_rank=BY_MODEL if named else BY_PROMPT,
            start=talk.memory.start,
            end=talk.memory.end,
            model=text_of(meta.last_used_model),
            kind="subagent" if talk.subagent else "main",
        ),
        messages=talk.collector.messages(),
        problems=problems[:200],
        checkpoint=None,
        bytes_read=size,
        records=records,
        recognised=recognised,
        skipped=skipped,
        unknown=unknown,
        truncated=talk.collector.truncated,
    )


def _meta(database: Database) -> Meta:
    if database.has("meta", "key", "value"):
        for (value,) in database.rows("select value from meta where key = '0'"):
            raw = value.encode("utf-8", "replace") if isinstance(value, str) else value if isinstance(value, bytes) else b""
            try:
                return decoded(bytes.fromhex(raw.decode("ascii")), _META) or Meta()
            except ValueError:
                return decoded(raw, _META) or Meta()
    return Meta()


def _side(paths: tuple[Path, ...]) -> Meta:
    for path in paths:
        try:
            with path.open("rb") as stream:
                return decoded(stream.read(SIDE_BYTES), _META) or Meta()
        except OSError:  # a side file: the chat is read all the same
            continue
    return Meta()


def _messages(database: Database, listed: list[str], limits: Limits) -> Iterator[tuple[str, bytes | None]]:
    """Id and bytes of each message; None for one that is missing or too large."""
    if listed:
        for name in listed:
            yield name, _blob(database, name, limits)
        return
    data = "case when length(data) <= ? then cast(data as blob) end"
    for name, value in database.rows(f"select id, {data} from blobs order by rowid", limits.line_bytes):
        if isinstance(value, bytes) and value.startswith(b'{"') and b'"role"' in value[:400]:
            yield str(name), value


def _blob(database: Database, name: str, limits: Limits) -> bytes | None:
    data = "case when length(data) <= ? then cast(data as blob) end"
    row = next(database.rows(f"select {data} from blobs where id = ?", limits.line_bytes, name), None)
    return row[0] if row is not None else None


def _root(data: bytes) -> tuple[list[str], str]:
    """The messages' blobs that a root lists, and the folder it names; nothing where it is not what is expected."""
    listed: list[str] = []
    folder = ""
    for field, value in _fields(data):
        if field == MESSAGE_FIELD and len(value) == ID_BYTES:
            listed.append(value.hex())
        elif field == FOLDER_FIELD and value.startswith(b"file:"):
            folder = path_of(value.decode("utf-8", "replace"))
    return listed, folder


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each length-delimited field; ends where the bytes are no protocol buffer."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            _, at = _varint(data, at)
        elif kind == 2:
            length, at = _varint(data, at)
            if at < 0 or length > len(data) - at:
                return
            yield tag >> 3, data[at : at + length]
            at += length
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        else:
            return
        if at < 0:
            return


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends; (0, -1) if it does not end."""
    value = 0
    for shift in range(0, 70, 7):
        if at < 0 or at >= len(data):
            break
        value |= (data[at] & 0x7F) << shift
        at += 1
        if not data[at - 1] & 0x80:
            return value, at
    return 0, -1


def path_of(uri: str) -> str:
    """The path of a file URI; '' for any other."""
    try:
        parts = urlsplit(uri)
        if parts.scheme != "file":
            return ""
        path = url2pathname(parts.path) if parts.path else ""
    except ValueError:
        return ""
    drive = unquote(parts.path)
    return drive[1:].replace("/", "\\") if len(drive) > 3 and drive[2] == ":" else path
