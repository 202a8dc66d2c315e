"""What an import makes of each record: known already, new under an id of this library, or not to be used.

Owns the merging: names through the aliases of here, ids mapped and the links between records with them, and that a project has
one active checkpoint and card (the later one) and one draft. Texts are cleaned and redacted like any other. Writes into the
change it is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from tray_app.errors import UsageError
from tray_app.library.memory.changing import Change
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
from tray_app.memory.census import Census
from tray_app.memory.memories import content_hash
from tray_app.memory.names import RESERVED, checked_name, name_key
from tray_app.records.memory import KINDS, STATES
from tray_app.text.clean import clean, fold_spaces
from tray_app.text.redact import redact

MOST_ID = 10**9
"""A larger id is given anew: it would use up those that follow."""
MOST_TIME = 253_402_300_799_999
"""The last millisecond of the year 9999."""
TIMES = ("created", "updated", "last_used", "start", "end", "archived", "indexed", "expires")
TEXTS = ("title", "content", "markdown", "summary", "heading", "text", "baseline", "goal", "doing")
LISTS = ("done", "next", "files", "open_questions")
ORIGINS = ("folder", "workspace", "memory")

R = TypeVar("R", bound=Row)
L = TypeVar("L", bound=CheckpointRow | CardRow)


class Line(NamedTuple):
    """A record of a file, from the line of this number (from 1)."""

    number: int
    type: str
    row: Row


class Incoming:
    """One import: `prepare` what was read, then `take` it into a change. Afterwards `taken` counts new records by their type, and
    `faults` are (line, reason)."""

    def __init__(self, census: Census) -> None:
        self._census = census
        self._change: Change
        self._sound_lines: dict[str, list[Line]] = {}
        self._names: dict[str, str] = {}
        self._ids: dict[type[Row], dict[int, int]] = {}
        """By kind: the id here of each id in the file."""
        self._next: dict[type[Row], int] = {}
        self.taken: Counter[str] = Counter()
        self.duplicates = 0
        self.faults: list[tuple[int, str]] = []

    def prepare(self, lines: Iterable[Line]) -> None:
        """Check and clean the records: what takes long is done before others wait for the change."""
        seen: set[tuple[str, int]] = set()
        for line in sorted(lines, key=lambda line: (line.row.id, line.number)):
            try:
                if line.row.id < 1 or (line.type, line.row.id) in seen:
                    raise ValueError("its id is none, or another record's.")
                sound = line._replace(row=self._sound(line.row))
            except (ValueError, UsageError) as fault:
                self.faults.append((line.number, fault.message if isinstance(fault, UsageError) else str(fault)))
            else:
                seen.add((line.type, line.row.id))
                self._sound_lines.setdefault(line.type, []).append(sound)

    def take(self, change: Change) -> None:
        """Merge what was prepared."""
        self._change = change
        steps: dict[str, Callable[[list[Line]], None]] = {
            "project": self._projects,
            "alias": self._aliases,
            "memory": self._memories,
            "checkpoint": lambda part: self._latest(part, CheckpointRow),
            "card": lambda part: self._latest(part, CardRow),
            "archive": self._archives,
            "page": self._pages,
            "paragraph": self._paragraphs,
            "changelog": self._changelogs,
        }
        for name, step in steps.items():
            step(self._sound_lines.get(name, []))

    # --- records -----------------------------------------------------------------------------------------------------------------
    def _projects(self, lines: list[Line]) -> None:
        known = {name_key(row.name) for row in self._change.rows(ProjectRow).values()}
        for line in lines:
            row = cast(ProjectRow, line.row)
            key = name_key(row.name)
            if key in known or key in RESERVED:
                self.duplicates += 1
            else:
                known.add(key)
                self._put(line, row)

    def _aliases(self, lines: list[Line]) -> None:
        known = {name_key(row.alias) for row in self._change.rows(AliasRow).values()}
        for line in lines:
            row = cast(AliasRow, line.row)
            key = name_key(row.alias)
            if key in known or key in RESERVED or key == name_key(row.project):
                self.duplicates += 1
            else:
                known.add(key)
                self._put(line, row)

    def _memories(self, lines: list[Line]) -> None:
        known: dict[Hashable, list[MemoryRow]] = {}
        for row in sorted(self._change.rows(MemoryRow).values(), key=lambda row: row.id):
            known.setdefault((name_key(row.project), row.kind, row.hash), []).append(row)
        new: list[Line] = []
        for line in lines:
            row = cast(MemoryRow, line.row)
            same = known.get((name_key(row.project), row.kind, row.hash))
            if same:
                twin = min(same, key=lambda one: (one.state != row.state, one.created != row.created, one.id))
                self._map(row, twin.id)
                self.duplicates += 1
            else:
                self._map(row, self._new_id(row))
                new.append(line)
        links = {row.id: row.superseded_by for line in new if (row := cast(MemoryRow, line.row)).superseded_by}
        active: set[Hashable] = set()
        for line in new:
            row = cast(MemoryRow, line.row)
            after = self._mapped(MemoryRow, row.superseded_by)
            if row.state in ("active", "draft"):
                links.pop(row.id, None)
                row, after = msgspec.structs.replace(row, superseded_by=0), 0
            if row.superseded_by and (not after or _is_circular(row.id, links)):
                self.faults.append((line.number, "what it says took its place is not in the file, or leads back to it."))
                links.pop(row.id, None)
                after = 0
            place = (name_key(row.project), row.kind, row.hash)
            state = "archived" if row.state == "active" and place in active else row.state
            if state == "active":
                active.add(place)
            self._put(line, msgspec.structs.replace(row, superseded_by=after, state=state))

    def _latest(self, lines: list[Line], kind: type[L]) -> None:
        """Checkpoints, or cards."""
        rows = {row.id: row for row in self._change.rows(kind).values()}
        known = {_likeness(row): row.id for row in rows.values()}
        new: dict[int, Line] = {}
        for line in lines:
            row = cast(L, line.row)
            if isinstance(row, CardRow):
                row = cast(L, msgspec.structs.replace(row, checkpoint=self._mapped(CheckpointRow, row.checkpoint)))
            twin = known.get(_likeness(row))
            if twin is not None:
                self._map(row, twin)
                self.duplicates += 1
            else:
                number = self._new_id(row)
                self._map(row, number)
                new[number] = line._replace(row=row)
        merged: list[tuple[int, L]] = [*rows.items(), *((number, cast(L, line.row)) for number, line in new.items())]
        then = {"active": "superseded", "draft": "archived"}
        ranked = sorted(merged, key=lambda one: (-(one[1].updated or one[1].created), -one[0]))
        held: set[tuple[str, str]] = set()
        for number, row in ranked:
            state = row.state
            if state in then:
                place = (name_key(row.project), state)
                if place in held:
                    state = then[state]
                held.add(place)
            if number in new:
                self._put(new[number], msgspec.structs.replace(row, state=state))
            elif state != row.state:
                self._change.put(msgspec.structs.replace(row, state=state))

    def _archives(self, lines: list[Line]) -> None:
        known = {(row.agent, row.session) for row in self._change.rows(ArchiveRow).values()}
        for line in lines:
            row = cast(ArchiveRow, line.row)
            if (row.agent, row.session) in known:
                self.duplicates += 1
                continue
            known.add((row.agent, row.session))
            memory, checkpoint = self._mapped(MemoryRow, row.memory), self._mapped(CheckpointRow, row.checkpoint)
            self._put(line, msgspec.structs.replace(row, memory=memory, checkpoint=checkpoint))

    def _pages(self, lines: list[Line]) -> None:
        known = {(name_key(row.project), row.path) for row in self._change.rows(PageRow).values()}
        for line in lines:
            row = cast(PageRow, line.row)
            if (name_key(row.project), row.path) in known:
                self.duplicates += 1
                continue
            known.add((name_key(row.project), row.path))
            self._map(row, self._new_id(row))
            self._put(line, row)

    def _paragraphs(self, lines: list[Line]) -> None:
        """Those of pages that are new."""
        for line in lines:
            row = cast(ParagraphRow, line.row)
            page = self._mapped(PageRow, row.page)
            if page:
                self._put(line, msgspec.structs.replace(row, page=page))

    def _changelogs(self, lines: list[Line]) -> None:
        known = {(name_key(row.project), row.path, row.entry_hash) for row in self._change.rows(ChangelogRow).values()}
        for line in lines:
            row = cast(ChangelogRow, line.row)
            entry = (name_key(row.project), row.path, row.entry_hash)
            if entry in known:
                self.duplicates += 1
                continue
            known.add(entry)
            self._put(line, msgspec.structs.replace(row, memory=self._mapped(MemoryRow, row.memory)))

    # --- fields ------------------------------------------------------------------------------------------------------------------
    def _sound(self, row: R) -> R:
        """The record as it would have been written here. Raises ValueError, UsageError for one that cannot be."""
        fields: dict[str, Any] = {}
        for name in row.__struct_fields__:
            value = getattr(row, name)
            if name == "project" or (name == "name" and isinstance(row, ProjectRow)):
                fields[name] = self._name(value)
            elif name == "alias":
                fields[name] = checked_name(value, any_ending=True)
            elif name in TEXTS:
                fields[name] = _without_secrets(value)
            elif name in LISTS:
                fields[name] = tuple(map(_without_secrets, value))
            elif name == "evidence":
                fields[name] = {key: _without_secrets(text) for key, text in value.items()}
            elif name in TIMES and not 0 <= value <= MOST_TIME:
                raise ValueError(f"its {name} is no time.")
        made = msgspec.structs.replace(row, **fields)
        state = getattr(made, "state", "active")
        if isinstance(made, ProjectRow):
            return cast(R, msgspec.structs.replace(made, state="present", origin=_origin(made)))
        if state not in STATES or (isinstance(made, CardRow) and state == "draft"):
            raise ValueError(f"{state!r} is no state.")
        if isinstance(made, MemoryRow):
            if made.kind not in KINDS:
                raise ValueError(f"{made.kind!r} is no kind.")
            if not fold_spaces(made.content):
                raise ValueError("it has no content.")
            return cast(R, msgspec.structs.replace(made, hash=content_hash(made.content), use_count=max(made.use_count, 0)))
        return made

    def _name(self, raw: str) -> str:
        """The project of here that a name in the file means."""
        name = self._names.get(raw)
        if name is None:
            folded = checked_name(raw, any_ending=True)
            project = self._census.find(folded)
            name = self._names[raw] = project.name if project is not None else self._census.aliased(folded)
        return name

    # --- ids ---------------------------------------------------------------------------------------------------------------------
    def _new_id(self, row: Row) -> int:
        """The same id where it was never given here, else the next one; in the order in which they are asked for."""
        kind = type(row)
        least = self._next.get(kind) or self._change.new_id(kind)
        number = row.id if least < row.id <= MOST_ID else least
        self._next[kind] = number + 1
        return number

    def _map(self, row: Row, number: int) -> None:
        self._ids.setdefault(type(row), {})[row.id] = number

    def _mapped(self, kind: type[Row], number: int) -> int:
        return self._ids.get(kind, {}).get(number, 0)

    def _put(self, line: Line, row: Row) -> None:
        number = self._mapped(type(row), line.row.id) or self._new_id(row)
        self._change.put(msgspec.structs.replace(row, id=number))
        self.taken[line.type] += 1


def _origin(row: ProjectRow) -> str:
    return row.origin if row.origin in ORIGINS else "memory"


def _likeness(row: CheckpointRow | CardRow) -> Hashable:
    """What two records have in common that are the same one."""
    if isinstance(row, CardRow):
        return name_key(row.project), row.created, row.markdown
    fields = (row.baseline, row.goal, row.done, row.doing, row.next, row.files, row.open_questions)
    return name_key(row.project), row.created, row.source_session, fields


def _without_secrets(text: str) -> str:
    return redact(clean(text))[0]


def _is_circular(number: int, links: dict[int, int]) -> bool:
    """Whether the links (of records in the file, by their ids there) lead back to where they begin."""
    at, steps = links.get(number, 0), 0
    while at and at != number and steps <= len(links):
        at, steps = links.get(at, 0), steps + 1
    return at == number
