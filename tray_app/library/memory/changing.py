"""A change while it is put together: rows that are put and ids that leave, over the state it began with. Touches no file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from tray_app.library.memory.rows import NAMES, TABLES, MemoryRow, R, Row, settled
from tray_app.library.memory.state import USED, Entry, State


class Noted(NamedTuple):
    puts: dict[str, dict[int, Row]]
    deletes: dict[str, set[int]]


class Change:
    """Made by `MemoryStore.change`; used in its block only."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._puts: dict[str, dict[int, Row]] = {}
        self._deletes: dict[str, set[int]] = {}
        self._ids: dict[str, int] = {}

    def put(self, row: R) -> R:
        """A new or changed row, whole; gives it as it will be read. Raises ValueError for an id below 1."""
        if row.id < 1:
            raise ValueError("ids begin at 1")
        kept, table = settled(row), NAMES[type(row)]
        self._puts.setdefault(table, {})[row.id] = kept
        self._deletes.get(table, set()).discard(row.id)
        if row.id > self._top(table):
            self._ids[table] = row.id
        return kept

    def delete(self, kind: type[R], number: int) -> None:
        """One that is not there is no matter."""
        table = NAMES[kind]
        self._puts.get(table, {}).pop(number, None)
        if number in self._state.tables[table]:
            self._deletes.setdefault(table, set()).add(number)

    def new_id(self, kind: type[R]) -> int:
        """The next id of a table. It is never given again once the change is kept."""
        table = NAMES[kind]
        self._ids[table] = self._top(table) + 1
        return self._ids[table]

    def get(self, kind: type[R], number: int) -> R | None:
        """The row as this change leaves it."""
        return self.rows(kind).get(number)

    def rows(self, kind: type[R]) -> Mapping[int, R]:
        """All rows of a kind as this change leaves them, so far."""
        table = NAMES[kind]
        rows, puts, deletes = self._state.tables[table], self._puts.get(table), self._deletes.get(table)
        if puts or deletes:
            rows = {number: row for number, row in rows.items() if not deletes or number not in deletes} | (puts or {})
        return cast("dict[int, R]", rows)

    def entry(self, time: int) -> Entry | None:
        """All of it as one entry; None where nothing is different afterwards."""
        puts: dict[str, tuple[Row, ...]] = {}
        used: list[tuple[int, int, int]] = []
        for table in TABLES:
            old = self._state.tables[table]
            changed = []
            for number, row in sorted(self._puts.get(table, {}).items()):
                former = old.get(number)
                if former == row:
                    continue
                if isinstance(row, MemoryRow) and isinstance(former, MemoryRow) and _only_used(former, row):
                    used.append((number, row.last_used, row.use_count))
                else:
                    changed.append(row)
            if changed:
                puts[table] = tuple(changed)
        deletes = {table: tuple(sorted(leaving)) for table, leaving in self._deletes.items() if leaving}
        if not puts and not deletes and not used:
            return None
        return Entry(seq=self._state.seq + 1, time=time, puts=puts, deletes=deletes, used=tuple(used), ids=dict(self._ids))

    def noted(self) -> Noted:
        """What was put and deleted so far, for `take_back`."""
        return Noted(
            {table: dict(rows) for table, rows in self._puts.items()}, {t: set(ids) for t, ids in self._deletes.items()}
        )

    def take_back(self, noted: Noted) -> None:
        self._puts, self._deletes = noted

    def _top(self, table: str) -> int:
        return self._ids.get(table, max(self._state.ids.get(table, 0), 0))


def _only_used(former: MemoryRow, row: MemoryRow) -> bool:
    return all(getattr(former, name) == getattr(row, name) for name in row.__struct_fields__ if name not in USED)
