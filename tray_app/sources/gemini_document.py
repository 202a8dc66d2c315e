"""A session that was written as one JSON document: Gemini CLI before its JSON lines, and Qwen Code then.

Owns the limits of reading a file at once, and what the document is made of. Such a file is rewritten as a whole: there is
no checkpoint.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tray_app.records import Problem
from tray_app.sources import gemini_words as words
from tray_app.sources.base import Limits, NotReady, Reading, Stop, Stopped, Unit
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.gemini_fold import Fold, Memory, is_message
from tray_app.sources.gemini_folders import folder_of
from tray_app.sources.gemini_records import RECORD, Record
from tray_app.sources.gemini_words import text_of
from tray_app.sources.jsonl import STOP_EVERY, mended
from tray_app.sources.lines import utf16_text

DOCUMENT_BYTES = 64 << 20
"""A larger document is not read: it would have to stand in memory several times over."""


class Meta(msgspec.Struct):
    model: Any = None


class Document(msgspec.Struct, rename="camel"):
    """`messages` of Gemini CLI, `history` of the first attempts at keeping sessions."""

    session_id: Any = None
    project_hash: Any = None
    start_time: Any = None
    started: Any = msgspec.field(default=None, name="start_time")
    kind: Any = None
    directories: Any = None
    summary: Any = None
    messages: list[msgspec.Raw] | None = None
    history: list[msgspec.Raw] | None = None
    meta: msgspec.Raw = msgspec.Raw()


_DOCUMENT = msgspec.json.Decoder(Document)
_META = msgspec.json.Decoder(Meta)


def read_document(unit: Unit, limits: Limits, stop: Stop) -> Reading:
    """Read the whole file. Raises NotReady for an empty or half-written document, Stopped, OSError."""
    size = unit.path.stat().st_size
    memory = Memory()
    if size > DOCUMENT_BYTES:
        return _not_read(unit, "over_budget", f"a document of more than {DOCUMENT_BYTES >> 20} MB", 0)
    data = unit.path.read_bytes()
    if codec := utf16_text(data[:2]):
        data = data[2:].decode(codec, "replace").encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n\x00")
    if not data:
        raise NotReady("the file is empty")
    if stop():
        raise Stopped
    document = _decoded(data)
    if document is None:
        if not data.endswith(b"}"):
            raise NotReady("the document is not written to its end yet")
        return _not_read(unit, "bad_json", "not a document of a known shape", len(data))
    fold = Fold(unit, limits, memory, 0, resumed=False)
    fold.facts(
        Record(
            session_id=document.session_id,
            project_hash=document.project_hash,
            start_time=document.start_time or document.started,
            kind=document.kind,
            directories=document.directories,
            summary=document.summary,
        ),
        header=True,
    )
    meta = words.inner(document.meta, _META) if bytes(document.meta) else None
    memory.model = text_of(meta.model) if meta is not None else ""
    items = document.messages if document.messages is not None else document.history or []
    recognised = skipped = 0
    unknown = UnknownKinds()
    for number, raw in enumerate(items):
        if number % STOP_EVERY == 0 and stop():
            raise Stopped
        record = words.inner(raw, RECORD)
        if record is None:
            skipped += 1
        elif is_message(record):
            recognised += 1
            fold.message(record, text_of(record.id) or f"{unit.session}:{number}", 0)
        else:
            unknown.met(record.type)
    messages = fold.messages()
    return Reading(
        session=fold.session(folder_of(unit.path, unit.root, memory.digest)),
        messages=messages,
        usage=list(fold.usage.values()),
        checkpoint=None,
        bytes_read=size,
        records=len(items),
        recognised=recognised,
        skipped=skipped,
        unknown=unknown.total(),
        unknown_kinds=unknown,
        repeated=fold.repeated,
        truncated=fold.truncated,
    )


def _decoded(data: bytes) -> Document | None:
    """The document, None if it is none. Its bytes are mended only where that is needed."""
    try:
        document = _DOCUMENT.decode(data)
    except (ValueError, RecursionError):
        try:
            document = _DOCUMENT.decode(mended(data))
        except (ValueError, RecursionError):
            return None
    return None if document.messages is None and document.history is None else document


def _not_read(unit: Unit, kind: str, reason: str, count: int) -> Reading:
    problem = Problem(path=str(unit.path), line=0, offset=0, kind=kind, reason=reason, agent=unit.agent)
    fold = Fold(unit, Limits(), Memory(), 0, resumed=False)
    messages = fold.messages()
    return Reading(
        session=fold.session(""),
        messages=messages,
        problems=[problem],
        checkpoint=None,
        bytes_read=count,
        records=1,
        skipped=1,
    )
