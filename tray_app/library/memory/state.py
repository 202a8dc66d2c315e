"""All rows of one moment, held in memory.

Owns how a change makes the next state of one: tables are replaced, never changed in place, so that whoever holds a state
may read on. Knows no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import cast

import msgspec

from tray_app.library.memory.rows import NAMES, TABLES, MemoryRow, R, Row

Tables = dict[str, dict[int, Row]]
USED = ("last_used", "use_count")
"""Fields of a memory that change whenever it is read: not worth a whole row in the journal."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change, whole: `puts` new or changed rows, `deletes` ids, `used` (memory, last_used, use_count), `ids` the highest
    id ever given in a table. With `whole`, the tables afterwards hold what it puts and nothing else."""

    seq: int
    time: int
    puts: dict[str, tuple[Row, ...]] = {}
    deletes: dict[str, tuple[int, ...]] = {}
    used: tuple[tuple[int, int, int], ...] = ()
    ids: dict[str, int] = {}
    whole: bool = False

    @property
    def only_use(self) -> bool:
        """It says only that memories were used, which the file learns later than the journal."""
        return not (self.puts or self.deletes or self.whole)

    @property
    def size(self) -> int:
        """Rows it touches."""
        return sum(map(len, self.puts.values())) + sum(map(len, self.deletes.values())) + len(self.used)


class State:
    """Never changed after it was made."""

    def __init__(self, tables: Tables | None = None, ids: Mapping[str, int] | None = None, seq: int = 0) -> None:
        self.tables: Tables = {name: (tables or {}).get(name, {}) for name in TABLES}
        self.ids = dict(ids or {})
        self.seq = seq
        self._projects: dict[str, list[MemoryRow]] | None = None

    def rows(self, kind: type[R]) -> Mapping[int, R]:
        return MappingProxyType(cast("dict[int, R]", self.tables[NAMES[kind]]))

    def memories_of(self, project: str) -> list[MemoryRow]:
        """All memories of a project, by id."""
        if self._projects is None:
            grouped: dict[str, list[MemoryRow]] = {}
            for _, row in sorted(self.rows(MemoryRow).items()):
                grouped.setdefault(row.project, []).append(row)
            self._projects = grouped
        return self._projects.get(project, [])

    def after(self, entries: Iterable[Entry]) -> State:
        """The state that these changes lead to, in their order."""
        tables, ids, seq = dict(self.tables), dict(self.ids), self.seq
        fresh: set[str] = set()

        def own(name: str) -> dict[int, Row]:
            if name not in fresh:
                fresh.add(name)
                tables[name] = dict(tables[name])
            return tables[name]

        for entry in entries:
            if entry.whole:
                tables = {name: {} for name in TABLES}
                fresh = set(TABLES)
            for name, leaving in entry.deletes.items():
                for number in leaving:
                    own(name).pop(number, None)
            for name, rows in entry.puts.items():
                own(name).update((row.id, row) for row in rows)
            for number, last_used, use_count in entry.used:
                row = tables["memories"].get(number)
                if row is not None:
                    own("memories")[number] = msgspec.structs.replace(row, last_used=last_used, use_count=use_count)
            for name, top in entry.ids.items():
                ids[name] = max(ids.get(name, 0), top)
            seq = entry.seq
        for name in fresh:
            ids[name] = max(ids.get(name, 0), max(tables[name], default=0))
        return State(tables, ids, seq)

    def as_entry(self, time: int, seq: int | None = None) -> Entry:
        """Everything, as one change."""
        puts = {name: tuple(row for _, row in sorted(rows.items())) for name, rows in self.tables.items() if rows}
        return Entry(seq=self.seq if seq is None else seq, time=time, puts=puts, ids=dict(self.ids), whole=True)

    def at(self, seq: int) -> State:
        """The same, as it stands after a change that left it as it is."""
        return self if seq == self.seq else State(self.tables, self.ids, seq)

    def same_as(self, other: State) -> bool:
        """Whether both hold the same rows."""
        return self.tables == other.tables


def difference(before: State, after: State) -> Entry:
    """What makes one state the other, as one change."""
    puts, deletes = {}, {}
    for name, old in before.tables.items():
        new = after.tables[name]
        if old is not new:
            puts[name] = tuple(row for number, row in sorted(new.items()) if old.get(number) != row)
            deletes[name] = tuple(number for number in sorted(old) if number not in new)
    return Entry(seq=after.seq, time=0, puts=puts, deletes=deletes, ids=dict(after.ids))
