"""Memories: written, corrected, superseded, put away and listed.

Owns what a memory may be (kinds, lengths, no secrets), that the same is kept once, and the links from what was superseded to
what took its place, which never form a circle: only an active memory takes a place. Checkpoints and hand-over cards are written
by `handoff`; recall is `recalling`'s.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from tray_app.errors import UsageError
from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import MemoryRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.names import UNFILED, name_key
from tray_app.memory.projects import Projects, now_ms
from tray_app.memory.views import memory_view, memory_views, superseded_of
from tray_app.records import MemoryView, Remembered
from tray_app.records.memory import KINDS, STATES
from tray_app.text.clean import clean, fold_spaces
from tray_app.text.graphemes import cut_before
from tray_app.text.redact import redact

TITLE_CHARS, CONTENT_CHARS = 200, 20_000
MADE_TITLE_CHARS = 80
HANDOFF_KINDS = ("checkpoint", "handoff")
SOURCES = ("agent", "session", "message", "path")
"""Keys of a memory's source."""
SOURCE_CHARS = 4_096


class Written(msgspec.Struct, frozen=True):
    """A title and content as they are kept, and how many secrets were hidden in them."""

    title: str
    content: str
    hidden: int

    @property
    def note(self) -> str:
        if not self.hidden:
            return ""
        return f"{self.hidden} secret{'s were' if self.hidden > 1 else ' was'} hidden in it."


class Memories:
    """The memories of one library. Safe from several threads, as the store is. Every writing call raises KnownError
    `memory_unwritable` or `disk_full` where it cannot be kept."""

    def __init__(self, store: MemoryStore, projects: Projects) -> None:
        self.store, self.projects = store, projects

    # --- writing -----------------------------------------------------------------------------------------------------------------
    def remember(
        self,
        project: str,
        kind: str,
        title: str,
        content: str,
        *,
        source: Mapping[str, str] | None = None,
        supersedes: Iterable[int] = (),
    ) -> Remembered:
        """Keep a memory. What the project has already of this kind (white space folded) is not kept twice, and comes back if it
        was archived. `supersedes`: ids of memories whose place it takes, each with what took their place before; `source`: agent,
        session, message and path it comes from. A blank title is made from the content; no project is `unfiled`.

        Raises UsageError: `bad_kind`, `bad_project`, `bad_field`, `empty_content`, `too_long`, `no_such_memory`."""
        if kind in HANDOFF_KINDS:
            raise UsageError(
                "bad_kind", "Not written here", f"Memories of the kind {kind!r} are made from checkpoints.",
                "Write the state with a checkpoint: the card is rendered from it.",
            )  # fmt: skip
        check_kind(kind)
        checked_source(source)
        written = checked_text(title, content)
        name = self.projects.resolve(project) if project.strip() else UNFILED
        with self.store.change() as change:
            put = put_memory(change, name, kind, written, source=source, supersedes=supersedes)
            self.projects.register(change, name)
        return self._remembered(
            put.row.id,
            created=put.created,
            duplicate=not put.created,
            superseded=put.superseded,
            notes=(written.note, *put.notes),
        )

    def update(self, number: int, title: str | None = None, content: str | None = None) -> Remembered:
        """Correct a memory in its place; its words and its vector follow. Raises UsageError as `remember`, and `duplicate` where
        another memory says the new content already."""
        if title is None and content is None:
            raise UsageError("bad_field", "Nothing to change", "Give a new title, a new content, or both.")
        with self.store.change() as change:
            rows = change.rows(MemoryRow)
            row = _row(rows, number)
            if row.kind in HANDOFF_KINDS:
                raise UsageError("bad_kind", "Not written here", f"Memory {number} is made from a checkpoint.", "Change that.")
            written = checked_text(row.title if title is None else title, row.content if content is None else content)
            made = content_hash(written.content)
            twin = _known(rows, row.project, row.kind, made)
            if made != row.hash and twin is not None and twin.id != number:
                raise _duplicate(twin)
            notes = [written.note]
            if (written.title, written.content) == (row.title, row.content):
                notes.append("Nothing was changed.")
            else:
                change.put(
                    msgspec.structs.replace(
                        row, title=written.title, content=written.content, hash=made, updated=now_ms()
                    )
                )  # fmt: skip
        return self._remembered(number, notes=notes)

    def archive(self, number: int) -> MemoryView:
        """Put a memory away; it is found nowhere until it is restored. Raises UsageError `no_such_memory`."""
        return self._moved(number, lambda row, rows: "archived")

    def restore(self, number: int) -> MemoryView:
        """Bring an archived memory back to what it was: active, or superseded. Raises UsageError `no_such_memory`, `duplicate`."""

        def restored(row: MemoryRow, rows: Mapping[int, MemoryRow]) -> str:
            if row.state != "archived":
                return row.state
            if row.superseded_by:
                return "superseded"
            twin = _known(rows, row.project, row.kind, row.hash)
            if twin is not None and twin.id != row.id and twin.state == "active":
                raise _duplicate(twin)
            return "active"

        return self._moved(number, restored)

    def _moved(self, number: int, state: Callable[[MemoryRow, Mapping[int, MemoryRow]], str]) -> MemoryView:
        with self.store.change() as change:
            rows = change.rows(MemoryRow)
            row = _row(rows, number)
            new = state(row, rows)
            if new != row.state:
                change.put(msgspec.structs.replace(row, state=new, updated=now_ms()))
        return self.view(number)

    def _remembered(
        self,
        number: int,
        *,
        created: bool = False,
        duplicate: bool = False,
        superseded: tuple[int, ...] = (),
        notes: Sequence[str] = (),
    ) -> Remembered:
        note = " ".join(filter(None, notes))
        return Remembered(
            memory=self.view(number), created=created, duplicate=duplicate, superseded=superseded, note=note
        )  # fmt: skip

    # --- reading -----------------------------------------------------------------------------------------------------------------
    def view(self, number: int) -> MemoryView:
        """One memory. Raises UsageError `no_such_memory`."""
        rows = self.store.rows(MemoryRow)
        return memory_view(_row(rows, number), superseded_of(rows))

    def recent(self, project: str | None = None, limit: int = 20) -> list[MemoryView]:
        """The active memories that were written or corrected last. Raises UsageError `no_such_project`."""
        return self.listing(project, state="active", limit=limit)

    def listing(
        self, project: str | None = None, kind: str | None = None, state: str | None = None, limit: int = 0
    ) -> list[MemoryView]:
        """Memories, the last changed first; all states but the archived ones unless `state` names one. limit 0: all. Raises
        UsageError `no_such_project`, `bad_kind`, `bad_field`."""
        if kind is not None:
            check_kind(kind)
        if state is not None and state not in STATES:
            raise UsageError("bad_field", "Not a state", f"A memory is {', '.join(STATES)}, not {state!r}.")
        key = name_key(self.projects.find(project)) if project else ""
        rows = self.store.rows(MemoryRow)
        found = [
            row
            for row in rows.values()
            if (kind is None or row.kind == kind)
            and (row.state == state if state is not None else row.state != "archived")
            and (not key or name_key(row.project) == key)
        ]
        found.sort(key=lambda row: (-row.updated, -row.id))
        return memory_views(found[:limit] if limit > 0 else found, rows)


def _row(rows: Mapping[int, MemoryRow], number: int) -> MemoryRow:
    row = rows.get(number)
    if row is None:
        hint = "See which there are: backscroll memories"
        raise UsageError("no_such_memory", "No such memory", f"There is no memory {number}.", hint)
    return row


def _known(rows: Mapping[int, MemoryRow], project: str, kind: str, content: str) -> MemoryRow | None:
    """The active memory of this project and kind that says this, else the archived one."""
    key = name_key(project)
    same = [
        row
        for row in rows.values()
        if row.hash == content and row.kind == kind and row.state in ("active", "archived") and name_key(row.project) == key
    ]
    return min(same, key=lambda row: (row.state != "active", row.id), default=None)


class Put(msgspec.Struct, frozen=True):
    """What came of putting a memory into a change: the row as it stands there, the ids that gave their place, and sentences."""

    row: MemoryRow
    created: bool
    superseded: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def put_memory(
    change: Change,
    project: str,
    kind: str,
    written: Written,
    *,
    source: Mapping[str, str] | None = None,
    supersedes: Iterable[int] = (),
) -> Put:
    """Keep a memory in an open change, by the rules of `Memories.remember`; the project's name is resolved. Raises UsageError
    `no_such_memory`, `bad_field`."""
    rows = change.rows(MemoryRow)
    replaced = tuple(dict.fromkeys(supersedes))
    for number in replaced:
        _row(rows, number)
    made, now = content_hash(written.content), now_ms()
    known = _known(rows, project, kind, made)
    notes: list[str] = []
    if known is None:
        row = MemoryRow(
            id=change.new_id(MemoryRow), project=project, kind=kind, title=written.title, content=written.content, hash=made,
            created=now, updated=now,
        )  # fmt: skip
        row = change.put(msgspec.structs.replace(row, **checked_source(source)))
    elif known.state == "archived":
        row = change.put(msgspec.structs.replace(known, state="active", superseded_by=0, updated=now))
        notes.append("It was known and archived, and is active again.")
    else:
        row = known
        notes.append(f"It is known already, as memory {known.id}.")
    taken = _supersede(change, rows, replaced, row, notes)
    return Put(row, known is None, taken, tuple(notes))


def _supersede(
    change: Change, rows: Mapping[int, MemoryRow], replaced: Sequence[int], row: MemoryRow, notes: list[str]
) -> tuple[int, ...]:
    """Let memories give their place to an active one. What gave it already leads to what has it now."""
    taken: dict[int, None] = {}
    for number in replaced:
        old = rows[number]
        seen = {number}
        while old.superseded_by in rows and old.superseded_by not in seen and old.id != row.id:
            old = rows[old.superseded_by]
            seen.add(old.id)
        if old.id == row.id or old.id in taken:
            continue
        if old.id != number:
            notes.append(f"Memory {number} was superseded before: {old.id} had its place.")
        change.put(msgspec.structs.replace(old, state="superseded", superseded_by=row.id))
        taken[old.id] = None
    return tuple(taken)


def checked_text(title: str, content: str) -> Written:
    """A title and a content as they are kept: cleaned, without secrets. Raises UsageError `empty_content`, `too_long`."""
    if len(title) > 4 * TITLE_CHARS or len(content) > 4 * CONTENT_CHARS:
        raise _too_long(len(title), len(content))
    head, body = fold_spaces(clean(title)), clean(content).strip()
    if not fold_spaces(body):
        raise UsageError("empty_content", "Nothing to remember", "A memory has a content.")
    head, in_head = redact(head)
    body, in_body = redact(body)
    if len(head) > TITLE_CHARS or len(body) > CONTENT_CHARS:
        raise _too_long(len(head), len(body))
    return Written(head or _made_title(body), body, in_head + in_body)


def content_hash(content: str) -> str:
    """The same for contents that differ in white space alone."""
    return hashlib.blake2b(fold_spaces(content).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise UsageError("bad_kind", "Not a kind", f"There is no kind {kind!r}.", f"Kinds are: {', '.join(KINDS)}.")


def _made_title(content: str) -> str:
    """The first line of a content, without the signs that make it a heading or an item."""
    first = next(line for line in content.splitlines() if line.strip())
    head = fold_spaces(first.lstrip(" \t#*->")) or fold_spaces(first)
    return head if len(head) <= MADE_TITLE_CHARS else head[: cut_before(head, MADE_TITLE_CHARS - 1)].rstrip() + "…"


def checked_source(source: Mapping[str, str] | None) -> dict[str, str]:
    """The fields of a row."""
    for key, value in (source or {}).items():
        if key not in SOURCES or not isinstance(value, str) or len(value) > SOURCE_CHARS:
            raise UsageError("bad_field", "Not a source", f"A source has {', '.join(SOURCES)}, each a short text.")
    return {f"source_{key}": fold_spaces(clean(value)) for key, value in (source or {}).items()}


def _too_long(title: int, content: int) -> UsageError:
    return UsageError(
        "too_long", "Too long",
        f"A title has at most {TITLE_CHARS} characters and a content {CONTENT_CHARS:,}; these have {title:,} and {content:,}.",
        "Keep the one statement that will matter; a long document is a page.",
    )  # fmt: skip


def _duplicate(twin: MemoryRow) -> UsageError:
    return UsageError(
        "duplicate", "Known already", f"Memory {twin.id} says the same ({twin.state}).", "Correct, restore or archive that one."
    )
