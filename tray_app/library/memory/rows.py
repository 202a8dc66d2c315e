"""What a person's memory consists of: one frozen row for each kind of record, and the tables they lie in.

Owns the fields (a column each, in this order), how a row becomes columns, and the cleaning of text that no file can keep.
Times are epoch milliseconds, 0 where there is none; ids begin at 1 and are never given twice, so 0 means 'none'.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
import numpy as np


class Row(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Any of them. Change one with `msgspec.structs.replace`."""

    id: int


R = TypeVar("R", bound=Row)


class ProjectRow(Row, frozen=True, kw_only=True, gc=False):
    """`origin` and `state` as in `records.memory.ProjectView`."""

    name: str
    folder: str = ""
    origin: str = "folder"
    created: int = 0
    state: str = "present"


class AliasRow(Row, frozen=True, kw_only=True, gc=False):
    """Another name of a project (by its name)."""

    alias: str
    project: str


class MemoryRow(Row, frozen=True, kw_only=True, gc=False):
    """One lasting statement. `hash` is of the content after folding, `superseded_by` an id or 0."""

    project: str
    kind: str
    title: str
    content: str
    state: str = "active"
    hash: str = ""
    created: int = 0
    updated: int = 0
    last_used: int = 0
    use_count: int = 0
    superseded_by: int = 0
    source_agent: str = ""
    source_session: str = ""
    source_message: str = ""
    source_path: str = ""


class CheckpointRow(Row, frozen=True, kw_only=True, gc=False):
    """The structured state of a project; `evidence` says for each field of a draft where it stands."""

    project: str
    state: str = "active"
    created: int = 0
    updated: int = 0
    baseline: str = ""
    goal: str = ""
    done: tuple[str, ...] = ()
    doing: str = ""
    next: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    source_agent: str = ""
    source_session: str = ""
    evidence: dict[str, str] = {}


class CardRow(Row, frozen=True, kw_only=True, gc=False):
    """A checkpoint as people read it."""

    project: str
    markdown: str
    state: str = "active"
    created: int = 0
    updated: int = 0
    checkpoint: int = 0


class ArchiveRow(Row, frozen=True, kw_only=True, gc=False):
    """A session that was archived. `memory` is the id of its session memory, `checkpoint` of its draft, or 0."""

    agent: str
    session: str
    project: str
    memory: int = 0
    checkpoint: int = 0
    fingerprint: str = ""
    title: str = ""
    start: int = 0
    end: int = 0
    archived: int = 0
    rounds: int = 0
    compactions: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cache_read: int = 0
    cache_write: int = 0
    first_write_step: int = -1
    repeated_reads: int = 0
    read_pack: bool = False


class PageRow(Row, frozen=True, kw_only=True, gc=False):
    """One long document. `mtime_ns` is the file's, `expires` epoch ms."""

    project: str
    path: str
    title: str = ""
    summary: str = ""
    hash: str = ""
    mtime_ns: int = 0
    indexed: int = 0
    expires: int = 0
    outdated_kind: str = ""


class ParagraphRow(Row, frozen=True, kw_only=True, gc=False):
    """A piece of a page, the `place`th; `heading` is its path of headings."""

    page: int
    project: str
    place: int = 0
    heading: str = ""
    text: str = ""


class ChangelogRow(Row, frozen=True, kw_only=True, gc=False):
    """An entry of a changelog that was taken, and the memory it became."""

    project: str
    path: str
    entry_hash: str
    memory: int = 0


class NoteRow(Row, frozen=True, kw_only=True, gc=False):
    """What the space remembers about itself, by key."""

    key: str
    value: str = ""


TABLES: dict[str, type[Row]] = {
    "projects": ProjectRow,
    "aliases": AliasRow,
    "memories": MemoryRow,
    "checkpoints": CheckpointRow,
    "cards": CardRow,
    "archives": ArchiveRow,
    "pages": PageRow,
    "paragraphs": ParagraphRow,
    "changelogs": ChangelogRow,
    "notes": NoteRow,
}
NAMES: dict[type[Row], str] = {kind: name for name, kind in TABLES.items()}

_ENCODER = msgspec.json.Encoder()
_DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in TABLES.items()}
_SQL = {"int": "bigint", "str": "varchar", "bool": "boolean"}
"""Of the plain fields; lists and mappings are JSON text."""


def settled(row: R) -> R:
    """The row as it will be read again: tuples for lists, text that UTF-8 can hold (a lone surrogate becomes U+FFFD).

    Raises msgspec.ValidationError for a field of another type, OverflowError for a number of more than 64 bits.
    """
    decoder = _DECODERS[NAMES[type(row)]]
    try:
        return decoder.decode(_ENCODER.encode(row))  # type: ignore[return-value]
    except UnicodeEncodeError:
        fields = {name: _clean(getattr(row, name)) for name in row.__struct_fields__}
        return decoder.decode(_ENCODER.encode(type(row)(**fields)))  # type: ignore[return-value]


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {_clean(key): _clean(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_clean(part) for part in value)
    return value


def declarations(table: str) -> str:
    """The columns of a table, as SQL."""
    return ", ".join(f'"{name}" {_SQL.get(kind, "varchar")} not null' for name, kind in _fields(TABLES[table]))


def as_columns(table: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Rows as `connection.insert` takes them."""
    columns: dict[str, Any] = {}
    for name, kind in _fields(TABLES[table]):
        values = [getattr(row, name) for row in rows]
        if kind == "int":
            columns[name] = np.array(values, np.int64)
        elif kind == "bool":
            columns[name] = np.array(values, np.bool_)
        elif kind == "str":
            columns[name] = values
        else:
            columns[name] = [_ENCODER.encode(value).decode() for value in values]
    return columns


def from_columns(table: str, names: Sequence[str]) -> Callable[[Sequence[Any]], dict[str, Any]]:
    """What makes the fields of a row, by name, out of the values of these columns."""
    kinds = dict(_fields(TABLES[table])) if table in TABLES else {}
    structured = [place for place, name in enumerate(names) if kinds.get(name, "str") not in _SQL]

    def made(values: Sequence[Any]) -> dict[str, Any]:
        if structured:
            values = list(values)
            for place in structured:
                values[place] = msgspec.json.decode(values[place])
        return dict(zip(names, values, strict=True))

    return made


@cache
def _fields(kind: type[Row]) -> tuple[tuple[str, str], ...]:
    """Names of the fields, with the name of their type."""
    return tuple((field.name, getattr(field.type, "__name__", "")) for field in msgspec.structs.fields(kind))
