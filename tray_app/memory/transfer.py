"""All that is remembered as one readable file of JSON lines, out and in.

The first line says what the file is, of which schema, and how many records of each kind follow; then every record is one line,
`type` first, kinds in a fixed order and each by id, so that the same memory gives the same bytes. Owns the file; what becomes of
what it holds is `incoming`'s. Never half an import: all that is taken is taken in one change.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tray_app.errors import KnownError, UsageError
from tray_app.library.memory.rows import (
    AliasRow,
    ArchiveRow,
    CardRow,
    ChangelogRow,
    CheckpointRow,
    MemoryRow,
    PageRow,
    ParagraphRow,
    ProjectRow,
    Row,
)
from tray_app.library.memory.schema import MEMORY_SCHEMA, upgraded
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.incoming import Incoming, Line
from tray_app.memory.projects import Projects
from tray_app.records import TransferReport
from tray_app.settings import replace_file

FORMAT = "memory"
TYPES: dict[str, tuple[str, type[Row]]] = {
    "project": ("projects", ProjectRow),
    "alias": ("aliases", AliasRow),
    "memory": ("memories", MemoryRow),
    "checkpoint": ("checkpoints", CheckpointRow),
    "card": ("cards", CardRow),
    "archive": ("archives", ArchiveRow),
    "page": ("pages", PageRow),
    "paragraph": ("paragraphs", ParagraphRow),
    "changelog": ("changelogs", ChangelogRow),
}
"""Every kind of record with its table, in the order of the file. What the library notes about itself stays with it."""
NAMES = {table: name for name, (table, _) in TYPES.items()}
MOST_BYTES = 1 << 30
MOST_FAULTS = 100
"""Faulty lines that are named; the rest is counted."""


class _Header(msgspec.Struct):
    backscroll: str
    schema: int
    counts: dict[str, int]


def export_memory(store: MemoryStore, path: Path, *, overwrite: bool = False) -> TransferReport:
    """Write everything into a file, whole or not at all, readable by this user only. Raises UsageError `file_exists` unless
    `overwrite`, `no_such_folder`; KnownError `disk_full`, `export_unwritable`."""
    if not path.parent.is_dir():
        raise UsageError("no_such_folder", "No such folder", f"{path.parent} is not there.", "Choose a folder that is.")
    if path.is_dir() or (path.exists() and not overwrite):
        raise UsageError(
            "file_exists", "Not written", f"{path} is there already.", "Choose another name, or say that it may be replaced."
        )
    rows = _moment(store)
    content = b"".join(_lines(rows))
    try:
        replace_file(path, content)
    except OSError as fault:
        code = "disk_full" if fault.errno in (28, 122) else "export_unwritable"
        raise KnownError(
            code, "Not exported", f"{path} cannot be written ({fault.strerror}).", "Free some space, or choose another folder."
        ) from fault
    return TransferReport(
        path=str(path),
        projects=len(rows["project"]),
        memories=len(rows["memory"]),
        checkpoints=len(rows["checkpoint"]),
        cards=len(rows["card"]),
    )


def _moment(store: MemoryStore) -> dict[str, list[Row]]:
    """All records by type and id, of one moment: read again where something was written meanwhile."""
    while True:
        tables = {name: store.rows(kind) for name, (_, kind) in TYPES.items()}
        if all(store.rows(kind) == tables[name] for name, (_, kind) in TYPES.items()):
            return {name: [row for _, row in sorted(rows.items())] for name, rows in tables.items()}


def _lines(rows: dict[str, list[Row]]) -> Iterator[bytes]:
    encode = msgspec.json.Encoder().encode
    header = {"backscroll": FORMAT, "schema": MEMORY_SCHEMA, "counts": {name: len(found) for name, found in rows.items()}}
    yield encode(header) + b"\n"
    for name, found in rows.items():
        for row in found:
            yield encode({"type": name, **msgspec.structs.asdict(row)}) + b"\n"


def import_memory(store: MemoryStore, projects: Projects, path: Path) -> TransferReport:
    """Take in what an exported file holds and is not known yet. Lines that cannot be used are named and left out. Raises
    UsageError `no_such_file`, `not_an_export`, `damaged_export` (it ends too early), KnownError `newer_export`,
    `export_unreadable`: then nothing is changed."""
    lines, faults = read_export(path)
    incoming = Incoming(projects.census())
    incoming.prepare(lines)
    with store.change() as change:
        incoming.take(change)
    named = sorted([*faults, *incoming.faults])
    shown = [f"Line {number}: {reason}" for number, reason in named[:MOST_FAULTS]]
    if len(named) > MOST_FAULTS:
        shown.append(f"{len(named) - MOST_FAULTS} more lines could not be used.")
    taken = incoming.taken
    return TransferReport(
        path=str(path),
        projects=taken["project"],
        memories=taken["memory"],
        checkpoints=taken["checkpoint"],
        cards=taken["card"],
        duplicates=incoming.duplicates,
        faults=tuple(shown),
    )


def read_export(path: Path) -> tuple[list[Line], list[tuple[int, str]]]:
    """The records of a file, and the lines (from 1) that are none, with why. Raises as `import_memory`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _unfit("not_an_export", f"{path} is larger than any export ({MOST_BYTES >> 20} MB).")
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError) as fault:
        raise UsageError("no_such_file", "No such file", f"{path} is not there, or is no file.") from fault
    except OSError as fault:
        raise KnownError("export_unreadable", "Not imported", f"{path} cannot be read ({fault.strerror}).") from fault
    first, *rest = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    header = _header(first, path)
    lines: list[Line] = []
    faults: list[tuple[int, str]] = []
    for number, raw in enumerate(rest, 2):
        if not raw.strip():
            continue
        try:
            line = _line(number, raw, header.schema)
        except (ValueError, OverflowError) as fault:
            faults.append((number, str(fault)))
        else:
            if line is not None:
                lines.append(line)
    promised = sum(header.counts.values())
    if len(lines) + len(faults) < promised and header.schema == MEMORY_SCHEMA:
        raise _unfit("damaged_export", f"{path} ends too early: it holds {len(lines) + len(faults)} of {promised} records.")
    return lines, faults


def _header(first: bytes, path: Path) -> _Header:
    try:
        header = msgspec.json.decode(first, type=_Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise _unfit("not_an_export", f"{path} does not begin as an export does.") from fault
    if header.backscroll != FORMAT or header.schema < 1:
        raise _unfit("not_an_export", f"{path} is no export of memory.")
    if header.schema > MEMORY_SCHEMA:
        raise KnownError(
            "newer_export", "Not imported", f"{path} was written by a newer version of this program.", "Update this one first."
        )
    return header


def _line(number: int, raw: bytes, schema: int) -> Line | None:
    """A record, None for one that this schema has no more. Raises ValueError with a sentence."""
    try:
        fields: Any = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise ValueError("no JSON.") from fault
    name = fields.pop("type", None) if isinstance(fields, dict) else None
    if not isinstance(name, str) or name not in TYPES:
        raise ValueError("no record that is known.")
    try:
        made = upgraded(TYPES[name][0], fields, schema)
    except msgspec.ValidationError as fault:
        raise ValueError(f"no {name} ({fault}).") from fault
    if made is None or made[0] not in NAMES:
        return None
    return Line(number, NAMES[made[0]], made[1])


def _unfit(code: str, message: str) -> UsageError:
    return UsageError(code, "Not imported", f"{message} Nothing was changed.", "Export it again, and copy it whole.")
