"""A census of an agent's files: which kinds of records and which keys are in them, and how often. No other value, ever.

What a person sends when an agent's new version is not understood, so it must be safe to send: names and counts alone. A
value is shown only where a field says what kind a record is, and only if it looks like an identifier; a key only if it
looks like one that a program made up; nothing below tools' arguments and results. What is left out is counted as `*`.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tray_app.paths import SourcesHome
from tray_app.sources.base import Adapter, Context, Limits, NotReady, Stop
from tray_app.sources.drift import IDENTIFIER
from tray_app.sources.jsonl import GZIP_MAGIC, ZSTD_MAGIC, Records
from tray_app.sources.sqlite_files import MAGIC, Database, read_database
from tray_app.sources.walk import files_under

FILES_MOST = 2_000
BYTES_MOST = 64 << 20
DEPTH = 3
ROWS_MOST = 2_000
"""Rows looked at in one table."""
LIST_MOST = 1_000
"""Elements looked at in one list."""
NAMES_MOST = 200
"""Different names under one key, or values of one kind field; with more of them these are data, and counted together."""
PATHS_MOST = 20_000
OTHER = "*"

KIND_FIELDS = frozenset({"type", "subtype", "kind", "event", "role", "record_type", "recordType", "record-type"})
FREE = frozenset(
    {"input", "arguments", "args", "parameters", "params", "env", "headers", "output", "result", "toolUseResult", "tool_input"}
    | {"structuredContent", "structured_content", "tool_result", "toolInput", "rawInput", "rawOutput", "variables"}
)
"""Fields whose inside is not the agent's but a tool's or the person's."""
_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]{0,47}")
_NUMBERED = re.compile(r"\d{4}|(?=[A-Fa-f-]*\d)[0-9A-Fa-f-]{8}")
"""In a key: a date, an id, a hash."""
_WORDS = (".md", ".txt", ".log")
_LOOKED_FOR = (".jsonl", ".json", ".zst", ".zstd", ".db", ".sqlite", ".vscdb")
_ANY = msgspec.json.Decoder()


class Census(msgspec.Struct, frozen=True, kw_only=True):
    """The count. `types` by 'path=value', `keys` by path: levels parted by dots, `[]` behind what holds a list. In databases
    the first two levels are table and column."""

    agent: str
    adapter_version: int = 0
    files: int = 0
    files_left: int = 0
    """Beyond the bounds, so not looked at; the newest were."""
    unreadable_files: int = 0
    bytes: int = 0
    records: int = 0
    unreadable_records: int = 0
    formats: dict[str, int] = {}
    """Files by form: lines | document | database | text."""
    types: dict[str, int] = {}
    keys: dict[str, int] = {}


def files_of(adapter: Adapter, roots: Iterable[Path], home: SourcesHome) -> list[Path]:
    """The agent's session files, newest first; where the adapter finds none, any file of a likely form in its folders."""
    found: dict[Path, int] = {}
    for root in roots:
        for unit in adapter.discover(root, Context(home=home), lambda problem: None):
            for path in (unit.path, *unit.others):
                found.setdefault(path, unit.mtime_ns)
    if not found:
        for root in roots:
            for file in files_under(
                root, lambda name: name.endswith(_LOOKED_FOR), lambda problem: None, adapter.agent, depth=6
            ):
                found.setdefault(file.path, file.mtime_ns)
    return sorted(found, key=lambda path: found[path], reverse=True)


def census(paths: Iterable[Path], agent: str, *, adapter_version: int = 0, stop: Stop = lambda: False) -> Census:
    """Count what is in these files, until the bounds are reached. Raises Stopped; a file that cannot be read is counted."""
    tally = Tally(agent, stop)
    left = 0
    for path in paths:
        if tally.files >= FILES_MOST or tally.bytes >= BYTES_MOST:
            left += 1
        else:
            tally.take(path)
    return Census(
        agent=agent, adapter_version=adapter_version, files=tally.files, files_left=left, unreadable_files=tally.unreadable_files,
        bytes=tally.bytes, records=tally.records, unreadable_records=tally.unreadable, formats=dict(sorted(tally.formats.items())),
        types=_folded(tally.types, "=", 1), keys=_folded(tally.keys, "."),
    )  # fmt: skip


class Tally:
    """Counts file after file."""

    def __init__(self, agent: str, stop: Stop) -> None:
        self.agent, self.stop = agent, stop
        self.files = self.unreadable_files = self.bytes = self.records = self.unreadable = 0
        self.formats: Counter[str] = Counter()
        self.types: Counter[str] = Counter()
        self.keys: Counter[str] = Counter()

    def take(self, path: Path) -> None:
        """One file, whatever it is."""
        self.files += 1
        try:
            with path.open("rb") as stream:
                head = stream.read(16)
            if head.startswith(MAGIC):
                form = "database"
                read_database(path, self._database, self.stop)
            elif path.name.endswith(_WORDS):
                form = "text"
                self.bytes += path.stat().st_size
            elif path.suffix == ".json" and self._document(path):
                form = "document"
            else:
                form = "lines"
                self._lines(path, compressed=head.startswith((ZSTD_MAGIC, GZIP_MAGIC)))
            self.formats[form] += 1
        except (OSError, NotReady, sqlite3.Error):
            self.unreadable_files += 1

    def _document(self, path: Path) -> bool:
        """A file that is one JSON value; False if it is none, or too large."""
        size = path.stat().st_size
        if size > BYTES_MOST:
            return False
        try:
            value = _ANY.decode(path.read_bytes())
        except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
            return False
        self.bytes += size
        self._record(value)
        return True

    def _lines(self, path: Path, *, compressed: bool) -> None:
        with Records(path, self.agent, None, Limits(), self.stop) as records:
            for line in records:
                self.bytes += len(line.data)
                value = records.decode(line, _ANY)
                if value is not None:
                    self._record(value)
                if self.bytes >= BYTES_MOST:
                    break
            self.unreadable += records.skipped

    def _database(self, database: Database) -> None:
        names = [str(row[0]) for row in database.rows("select name from sqlite_master where type = 'table'")]
        for name in filter(database.has, names):
            shown = _key(name)
            columns = sorted(database.columns(name))
            listed = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
            quoted = name.replace('"', '""')
            for row in database.rows(f'select {listed} from "{quoted}" limit {ROWS_MOST}'):
                self.records += 1
                for column, value in zip(columns, row, strict=True):
                    self._column(f"{shown}.{_key(column)}", column, value)
                if self.bytes >= BYTES_MOST:
                    return

    def _column(self, path: str, column: str, value: object) -> None:
        if value is None:
            return
        self._count(path)
        if isinstance(value, (str, bytes)):
            self.bytes += len(value)
            data = value.encode("utf-8", "replace") if isinstance(value, str) else value
            if data.lstrip()[:1] in (b"{", b"[") and column not in FREE:
                try:
                    self._walk(_ANY.decode(data), f"{path}.", DEPTH)
                except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
                    self.unreadable += 1
            elif column in KIND_FIELDS:
                self._kind(path, value)

    def _record(self, value: object) -> None:
        self.records += 1
        self._walk(value, "", DEPTH)

    def _walk(self, value: object, lead: str, depth: int) -> None:
        """Count the keys of a value; `lead` is the path up to it, with its dot."""
        if isinstance(value, list):
            inside = f"{lead.removesuffix('.')}[]."
            for item in value[:LIST_MOST]:
                if isinstance(item, dict):
                    self._walk(item, inside, depth)
        elif isinstance(value, dict):
            for name, inner in value.items():
                path = f"{lead}{_key(name)}"
                self._count(path)
                if name in KIND_FIELDS and isinstance(inner, str):
                    self._kind(path, inner)
                elif depth > 1 and name not in FREE and isinstance(inner, (dict, list)):
                    self._walk(inner, f"{path}.", depth - 1)

    def _kind(self, path: str, value: object) -> None:
        shown = value if isinstance(value, str) and IDENTIFIER.fullmatch(value) and not _NUMBERED.search(value) else OTHER
        if len(self.types) < PATHS_MOST or f"{path}={shown}" in self.types:
            self.types[f"{path}={shown}"] += 1

    def _count(self, path: str) -> None:
        if len(self.keys) < PATHS_MOST or path in self.keys:
            self.keys[path] += 1


def _key(name: object) -> str:
    """A key as it may be shown."""
    return name if isinstance(name, str) and _KEY.fullmatch(name) and not _NUMBERED.search(name) else OTHER


def _folded(counts: Counter[str], border: str, first: int = 0) -> dict[str, int]:
    """The counts by name, with those under one key together that are too many to be names a program made up. Levels before
    `first` are left as they are."""
    parted = [(tuple(path.split(border)), count) for path, count in counts.items()]
    names: dict[tuple[str, ...], set[str]] = {}
    for parts, _ in parted:
        for place in range(first, len(parts)):
            names.setdefault(parts[:place], set()).add(parts[place])
    crowded = {lead for lead, known in names.items() if len(known) > NAMES_MOST}
    folded: Counter[str] = Counter()
    for parts, count in parted:
        folded[border.join(OTHER if parts[:place] in crowded else part for place, part in enumerate(parts))] += count
    return dict(sorted(folded.items()))
