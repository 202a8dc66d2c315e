"""What stays in a library though its file is gone, and what never comes in again though its file is there.

Agents delete sessions by themselves: with `Keep.gone` these stay, marked. What the person forgot is passed over by every pass,
with its sub-agents, and so are copies of its messages in other sessions. Owns taking such a session out at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import tzinfo

import msgspec

from tray_app.indexing.merge import Merger
from tray_app.indexing.moving import ask_rewriting
from tray_app.indexing.prepare import TITLE_CHARS, CleanMessage, Prepared, one_line
from tray_app.library.keeping import gone_sessions, remove_copies, sessions_called
from tray_app.library.rows import FileRow, SessionRow
from tray_app.library.store import Store
from tray_app.library.topics import remove_cards_of
from tray_app.sources.base import Unit
from tray_app.tombstones import Forgotten, Tombstone, packed, unpacked, words_hash

FORGOTTEN = "forgotten"
"""Status of a file whose session was found to be a forgotten one only when it was read."""
FROM_FIRST_PROMPT = 0
"""Rank of a title that repeats what was said first."""
MOST = 1 << 31
LEAST_ALIKE = 2
"""So many messages in order must be those of the forgotten session for a fork's beginning to be taken for its."""


class Keep(msgspec.Struct, frozen=True):
    """`gone`: vanished sessions stay."""

    gone: bool = False
    forgotten: Forgotten = msgspec.field(default_factory=Forgotten)

    def passes_over(self, unit: Unit) -> bool:
        return self.forgotten.covers(unit.agent, unit.session, unit.kind, unit.parent)

    def staying(self, gone: Iterable[FileRow], oldest_ns: int) -> list[FileRow]:
        """Those of the vanished files whose sessions stay: all that have some, and are neither forgotten nor older than the
        window."""
        if not self.gone:
            return []
        return [
            row
            for row in gone
            if row.session_id >= 0 and row.mtime_ns >= oldest_ns and (row.agent, row.unit) not in self.forgotten.files
        ]


def mark_gone(store: Store, gone: Sequence[FileRow], seen: Collection[int]) -> None:
    """Mark the sessions of files that vanished; take the mark from those (`seen`, by id) whose file is there again."""
    marked = gone_sessions(store)
    wanted = {row.session_id for row in gone} - marked
    again = marked & set(seen)
    if wanted or again:
        with store.transaction():
            rows = store.sessions_by_id(wanted | again)
            for number, row in rows.items():
                row.gone = number in wanted
            store.write_sessions(list(rows.values()))


def without_forgotten(prepared: Prepared, forgotten: Forgotten) -> Prepared | None:
    """What a file gives without messages of forgotten sessions; None if its session is one of these, or all that was said in
    it was."""
    if not forgotten:
        return prepared
    agent, session = prepared.unit.agent, prepared.session
    parent = session.parent or prepared.unit.parent
    kind = "subagent" if "subagent" in (session.kind, prepared.unit.kind) else session.kind
    if forgotten.covers(agent, session.id, kind, parent):
        return None
    messages = [message for message in prepared.messages if message.identity not in forgotten.messages]
    if prepared.reading.resumed and session.title_rank == FROM_FIRST_PROMPT:
        # The prompt may be a forgotten one that an earlier reading left out. This rank gives way to any title that is known.
        session = msgspec.structs.replace(session, title=_first_prompt(messages), title_rank=-1)
        return msgspec.structs.replace(prepared, messages=messages, session=session)
    if not prepared.reading.resumed:
        messages = messages[_alike(messages, forgotten.beginning(agent, parent)) :]
    if len(messages) == len(prepared.messages):
        return prepared
    if session.title_rank == FROM_FIRST_PROMPT:
        session = msgspec.structs.replace(session, title=_first_prompt(messages))
    return msgspec.structs.replace(prepared, messages=messages, session=session)


def _alike(messages: Sequence[CleanMessage], beginning: Sequence[int]) -> int:
    """How many of the first messages are, one by one, those of a forgotten session: a fork gives them ids of its own."""
    count = 0
    for message, known in zip(messages, beginning, strict=False):
        if words_hash(message.role, message.text) != known:
            break
        count += 1
    return count if count >= LEAST_ALIKE else 0


def _first_prompt(messages: Sequence[CleanMessage]) -> str:
    return next((one_line(message.text)[:TITLE_CHARS] for message in messages if message.role == "user"), "")


class Striker(Merger):
    """Takes forgotten sessions out of one library. For one writing thread, while no pass runs."""

    def __init__(self, store: Store, zone: tzinfo) -> None:
        super().__init__(store, zone, lambda: False)

    def stone(self, agent: str, session: str, time: str) -> Tombstone:
        """What this library knows of a session and its sub-agents, to be remembered."""
        family = self._family(agent, [session])
        ids = {row.id for row in family}
        owned = [message.identity for rows in self.store.messages(ids).values() for message in rows]
        own = next((row.id for row in family if row.native == session), None)
        sequence = self.store.sequence(own, MOST) if own is not None else []
        return Tombstone(
            agent=agent, session=session, time=time,
            files=tuple(sorted(row.unit for row in self.store.files() if row.session_id in ids)),
            also=tuple(sorted(row.native for row in family if row.id != own)),
            messages=packed(owned), words=packed(words_hash(row.role, row.text) for row in sequence),
        )  # fmt: skip

    def strike(self, stone: Tombstone) -> int:
        """Take everything of it out: the session, its sub-agents, and copies of its messages in other sessions. Gives the
        number of these. Asks for the file to be written anew."""
        store = self.store
        ids = {row.id for row in self._family(stone.agent, [stone.session, *stone.also])}
        names = {(stone.agent, name) for name in stone.files}
        files = [row for row in store.files() if row.session_id in ids or (row.agent, row.unit) in names]
        copies = store.copied_from(ids)
        identities = unpacked(stone.messages)
        elsewhere = {session for _, session in store.owners(identities).values()} - ids
        if not ids and not files and not elsewhere:
            return 0
        ask_rewriting(store)
        with store.transaction():
            remove_copies(store, {message for _, message, _ in copies})
        self.forget(files)
        with store.transaction():
            self._drop_sessions(ids)
            left = {message for message, _ in store.owners(identities).values()}
            remove_copies(store, left)
            store.remove_messages(left)
            touched = {session for session, _, _ in copies} | elsewhere
            remove_cards_of(store.cursor, touched)
            rows = store.sessions_by_id(touched)
            for row in rows.values():
                if row.title_rank <= FROM_FIRST_PROMPT:
                    row.title, row.title_rank = "", -1  # it may repeat what was forgotten; the next reading makes another
            store.write_sessions(list(rows.values()))
            store.ask_anew(rows)
            self._rebuild(rows)
            store.postings.refresh_stats()
        store.finish(tidy=False)
        return len(copies) + len(left)

    def _family(self, agent: str, natives: Sequence[str]) -> list[SessionRow]:
        """Sessions with the sub-agents that worked for them, and for these."""
        found = {row.id: row for native in natives for row in sessions_called(self.store, agent, native)}
        names = list(natives)
        while names:
            children = [row for row in self.store.related(agent, names, []) if row.kind == "subagent" and row.id not in found]
            found.update((row.id, row) for row in children)
            names = [row.native for row in children]
        return list(found.values())
