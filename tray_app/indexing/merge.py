"""Prepared files into the library: batches in transactions, sessions' facts, passages, and what is forgotten.

Owns the order of things inside a transaction. Who owns a message is `placement`'s business, how text is cut `passages`'.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from pathlib import Path

import msgspec

from tray_app.indexing.passages import Passages
from tray_app.indexing.placement import Placement, age
from tray_app.indexing.prepare import PIPELINE_VERSION, Prepared, project_of
from tray_app.library import drift
from tray_app.library.rows import COPY_MARK, FileRow, MessageRow, ProblemRow, SessionRow, UsageRow
from tray_app.library.store import Store
from tray_app.sources.base import Stop, Stopped

FORGOTTEN_AT_ONCE = 1_000
REBUILT_AT_ONCE = 20


class Merger:
    """Applies batches of prepared files. One for each writing thread. `stop` is asked between passages: a batch that is
    given up leaves nothing behind."""

    def __init__(self, store: Store, zone: tzinfo, stop: Stop) -> None:
        self.store, self.stop = store, stop
        self.passages = Passages(store, zone, stop)
        self._heirs_to_read: set[int] = set()
        """Sessions that inherited messages in this pass. What these know of a message (ids, place in the file) is the old
        owner's: their files are read anew."""

    def apply(self, batch: Sequence[Prepared]) -> None:
        """Merge the files of a batch in one transaction. Raises Stopped."""
        store = self.store
        with store.transaction():
            rows = self._session_rows(batch)
            pairs = list(zip(batch, rows, strict=True))
            retitled = {session.id for prepared, session in pairs if _merge_facts(session, prepared)}
            sessions = {row.id: row for row in rows}
            emptied = {session.id for prepared, session in pairs if not prepared.reading.resumed}
            held = store.copied_from(emptied)
            store.clear_sessions(emptied, but=(message for _, message, _ in held))
            placement = self._placement(batch, sessions, emptied, {message for _, message, _ in held})
            for prepared, session in _parents_first(pairs):
                placement.place(prepared, session)
            placement.settle()
            store.add_messages([row for own in placement.own.values() for row in own])
            store.replace_messages(placement.replaced)
            store.add_copies(placement.copies)
            again = self._let_go_of_lost(held, placement)
            again |= self._add_passages(pairs, placement, retitled)
            files = [_file_row(*pair, placement.repeated[pair[1].id], self._file_id(pair[0])) for pair in pairs]
            self._add_sides(pairs, files)
            store.write_sessions(list(sessions.values()))
            store.write_files(files)
            self._heirs_to_read -= emptied
            left = {prepared.file.session_id for prepared in batch if prepared.file} - sessions.keys() - {-1}
            again |= self._drop_sessions(left)
            store.ask_anew(self._heirs_to_read)
            self._rebuild(again | placement.losers)
            store.postings.refresh_stats()

    def forget(self, files: Sequence[FileRow], *, keep_rows: bool = False) -> None:
        """Take files and their sessions out of the index. Messages that other sessions hold too stay with those.
        `keep_rows` keeps the file rows (they say why there is no content: over budget, excluded). Raises Stopped between
        transactions."""
        store = self.store
        youngest_first = sorted(files, key=lambda file: file.mtime_ns, reverse=True)  # heirs are younger: none inherits in vain
        for start in range(0, len(youngest_first), FORGOTTEN_AT_ONCE):
            if self.stop():
                raise Stopped
            some = youngest_first[start : start + FORGOTTEN_AT_ONCE]
            sessions = {file.session_id for file in some if file.session_id >= 0}
            with store.transaction():
                if keep_rows:
                    store.write_files([msgspec.structs.replace(file, session_id=-1, continuable=False) for file in some])
                    store.replace_problems((file.id for file in some), [])
                else:
                    store.remove_files(file.id for file in some)
                heirs = self._drop_sessions(sessions)
                store.ask_anew(heirs)
                self._rebuild(heirs)
                store.postings.refresh_stats()

    def remember(self, rows: Sequence[FileRow], problems: Sequence[ProblemRow]) -> None:
        """Write down files that gave nothing, with the reason."""
        if rows:
            with self.store.transaction():
                self.store.write_files(rows)
                self.store.replace_problems((row.id for row in rows), problems)

    def _drop_sessions(self, sessions: set[int]) -> set[int]:
        """Sessions whose file is gone. Those that another file gives too are read anew from that one. Gives the sessions
        that inherited something."""
        if not sessions:
            return set()
        store = self.store
        shared = store.sessions_with_files(sessions)
        if shared:
            store.ask_anew(shared)
        leaving = sessions - shared
        heirs = self._bequeath(store.copied_from(leaving))
        store.remove_sessions(leaving)
        self._heirs_to_read -= leaving
        return heirs

    def _bequeath(self, held: Iterable[tuple[int, int, int]]) -> set[int]:
        """Give messages whose owner lost them to the oldest of the sessions that hold copies. Gives these sessions."""
        holders: dict[int, list[int]] = {}
        for copier, message, _ in held:
            holders.setdefault(message, []).append(copier)
        if not holders:
            return set()
        rows = self.store.sessions_by_id({copier for copiers in holders.values() for copier in copiers})
        heirs = {message: min(copiers, key=lambda one: age(rows[one])) for message, copiers in holders.items()}
        self.store.hand_over(heirs)
        self._heirs_to_read.update(heirs.values())
        return set(heirs.values())

    def _let_go_of_lost(self, held: Sequence[tuple[int, int, int]], placement: Placement) -> set[int]:
        """Copies elsewhere of messages that were read anew point at the new rows; what is there no longer goes to a session
        that still has it. Gives the sessions that inherited something."""
        store = self.store
        renewed: dict[int, int] = {}
        lost = []
        for copier, old, identity in held:
            known = placement.owner(identity)
            if known:
                renewed[old] = known[0]
            else:
                lost.append((copier, old, identity))
        renewed.update(self._said_again({old for _, old, _ in lost}, placement))
        lost = [entry for entry in lost if entry[1] not in renewed]
        store.repoint_copies(renewed)
        heirs = self._bequeath(lost)
        store.remove_messages(renewed)
        return heirs

    def _said_again(self, lost: set[int], placement: Placement) -> dict[int, int]:
        """Lost messages whose session says the same words again under another id, each paired with one new message."""
        again: dict[int, int] = {}
        fresh: dict[tuple[int, str, str], list[int]] = {}
        if lost:
            for session, own in placement.own.items():
                for row in own:
                    fresh.setdefault((session, row.role, row.text), []).append(row.id)
        for row in self.store.messages_by_id(lost):
            same = fresh.get((row.session_id, row.role, row.text))
            if same:
                again[row.id] = same.pop(0)
        return again

    def _session_rows(self, batch: Sequence[Prepared]) -> list[SessionRow]:
        known: dict[tuple[str, str], SessionRow] = {}
        for agent in {prepared.unit.agent for prepared in batch}:
            natives = [prepared.session.id for prepared in batch if prepared.unit.agent == agent]
            known.update(((agent, native), row) for native, row in self.store.sessions(agent, natives).items())
        claimed = self.store.claimants(row.id for row in known.values())
        rows: dict[int, SessionRow] = {}
        taken: set[int] = set()
        for place in sorted(range(len(batch)), key=lambda place: batch[place].unit.session != batch[place].session.id):
            prepared = batch[place]
            key = (prepared.unit.agent, prepared.session.id)
            row = known.get(key)
            mine = prepared.file.id if prepared.file else -1
            others = [unit for file, unit in claimed.get(row.id, []) if file != mine] if row else []
            if row is not None and (others or row.id in taken):
                key = (key[0], f"{key[1]}{COPY_MARK}{prepared.unit.session}")
                row = known.get(key) or self.store.sessions(*key[:1], [key[1]]).get(key[1])
            if row is None:
                row = SessionRow(id=self.store.new_id("sessions"), agent=key[0], native=key[1])
            known[key] = rows[place] = row
            taken.add(row.id)
        return [rows[place] for place in range(len(batch))]

    def _placement(
        self, batch: Sequence[Prepared], sessions: dict[int, SessionRow], emptied: set[int], held: set[int]
    ) -> Placement:
        related: list[SessionRow] = []
        for agent in {row.agent for row in sessions.values()}:
            whole = [sessions[number] for number in emptied if sessions[number].agent == agent]
            related += self.store.related(agent, [row.native for row in whole], [row.parent for row in whole if row.parent])
        identities = {message.identity for prepared in batch for message in prepared.messages}
        return Placement(self.store, sessions, emptied, held, related, self.store.owners(identities, but=held))

    def _file_id(self, prepared: Prepared) -> int:
        return prepared.file.id if prepared.file else self.store.new_id("files")

    def _add_passages(self, pairs: Sequence[tuple[Prepared, SessionRow]], placement: Placement, retitled: set[int]) -> set[int]:
        """Passages of the new messages. Gives the sessions whose passages must all be made again."""
        store = self.store
        resumed = [session.id for prepared, session in pairs if prepared.reading.resumed and placement.own.get(session.id)]
        earlier = store.open_rounds(resumed)
        rows, words = [], []
        again = set()
        for prepared, session in pairs:
            own = sorted(placement.own.get(session.id, []), key=lambda row: row.seq)
            session.messages = session.messages + len(own) if prepared.reading.resumed else len(own)
            if prepared.reading.resumed and session.id in retitled:
                again.add(session.id)
            elif own:
                before: list[MessageRow] = []
                if prepared.reading.resumed:
                    before = [row for row in earlier.get(session.id, []) if row.seq < own[0].seq]
                    store.remove_chunks([session.id], session.open_round)
                made = self.passages.build(session, before + own)
                rows += made[0]
                words += made[1]
        store.add_chunks(rows, words)
        return again

    def _add_sides(self, pairs: Sequence[tuple[Prepared, SessionRow]], files: Sequence[FileRow]) -> None:
        self.store.add_usage(
            [
                UsageRow(
                    session_id=session.id, key=u.key, time=u.time, model=u.model, input=u.input, output=u.output,
                    cache_read=u.cache_read, cache_write=u.cache_write,
                )
                for prepared, session in pairs
                for u in prepared.reading.usage
            ]
        )  # fmt: skip
        problems = [
            ProblemRow(
                file_id=file.id, path=problem.path, agent=prepared.unit.agent, line=problem.line, offset=problem.offset,
                kind=problem.kind, reason=problem.reason,
            )
            for (prepared, _), file in zip(pairs, files, strict=True)
            for problem in prepared.reading.problems
        ]  # fmt: skip
        renewed = [file.id for (prepared, _), file in zip(pairs, files, strict=True) if not prepared.reading.resumed]
        problems += self._drift([(prepared, file) for (prepared, _), file in zip(pairs, files, strict=True)])
        self.store.replace_problems(renewed, problems)

    def _drift(self, read: Sequence[tuple[Prepared, FileRow]]) -> list[ProblemRow]:
        """Unknown kinds of records by name, with what earlier readings of the same files met; files nothing came out of."""
        grown = [file.id for prepared, file in read if prepared.reading.resumed and prepared.reading.unknown_kinds]
        before = drift.take(self.store.cursor, grown)
        rows = []
        for prepared, file in read:
            kinds = drift.summed(before.get(file.id, {}), prepared.reading.unknown_kinds)
            said = [(drift.UNKNOWN, drift.sentence(kind, times)) for kind, times in kinds.items()]
            if file.status == "not_recognised":
                said.append((file.status, file.reason))
            rows += [
                ProblemRow(file_id=file.id, path=file.path, agent=file.agent, line=0, offset=0, kind=kind, reason=reason)
                for kind, reason in said
            ]
        return rows

    def _rebuild(self, sessions: Iterable[int]) -> None:
        """Make all passages of sessions again from their stored messages."""
        store = self.store
        ids = sorted(sessions)
        for start in range(0, len(ids), REBUILT_AT_ONCE):
            some = ids[start : start + REBUILT_AT_ONCE]
            store.remove_chunks(some)
            rows = store.sessions_by_id(some)
            messages = store.messages(some)
            for number, session in rows.items():
                own = messages.get(number, [])
                session.messages = len(own)
                store.add_chunks(*self.passages.build(session, own))
            store.write_sessions(list(rows.values()))


def _parents_first(pairs: Sequence[tuple[Prepared, SessionRow]]) -> list[tuple[Prepared, SessionRow]]:
    """The files of a batch with every parent before its children, else the oldest session first."""
    waiting = {(session.agent, session.native): (prepared, session) for prepared, session in pairs}
    if len(waiting) < len(pairs):  # two files of one session
        return sorted(pairs, key=lambda pair: age(pair[1]))
    ordered: list[tuple[Prepared, SessionRow]] = []
    for _, session in sorted(pairs, key=lambda pair: age(pair[1])):
        line = []
        name = (session.agent, session.native)
        while name in waiting:
            line.append(waiting.pop(name))
            name = (session.agent, line[-1][1].parent)
        ordered += reversed(line)
    return ordered


def _merge_facts(row: SessionRow, prepared: Prepared) -> bool:
    """What a reading says of its session, into the row. Returns whether title, project or beginning changed."""
    facts, unit = prepared.session, prepared.unit
    before = (row.title, row.project, row.start)
    if not prepared.reading.resumed:
        row.title, row.title_rank, row.cwd = facts.title, facts.title_rank, facts.cwd
        row.model, row.branch, row.version = facts.model, facts.branch, facts.version
        row.kind, row.parent, row.start, row.end, row.open_round = "main", "", 0, 0, 0
    elif facts.title and (facts.title_rank >= row.title_rank or not row.title):
        row.title, row.title_rank = facts.title, max(facts.title_rank, 0)
    row.cwd = row.cwd or facts.cwd
    row.project = project_of(row.cwd)
    row.start = min((time for time in (facts.start, row.start) if time), default=0)
    row.end = max(facts.end, row.end)
    row.model, row.branch, row.version = facts.model or row.model, facts.branch or row.branch, facts.version or row.version
    row.kind = next((kind for kind in (unit.kind, facts.kind, row.kind) if kind != "main"), "main")
    row.parent = facts.parent or unit.parent or row.parent
    row.archived = facts.archived or unit.archived
    row.gone = False
    return before != (row.title, row.project, row.start)


def _file_row(prepared: Prepared, session: SessionRow, repeated: int, number: int) -> FileRow:
    unit, reading = prepared.unit, prepared.reading
    row = FileRow(
        id=number, path=path_text(unit.path), agent=unit.agent, root=path_text(unit.root), unit=unit.session, size=unit.size,
        mtime_ns=unit.mtime_ns, inode=unit.inode, others=fingerprint(unit.others), session_id=session.id,
        adapter_version=prepared.adapter_version, pipeline_version=PIPELINE_VERSION,
    )  # fmt: skip
    if reading.checkpoint is not None:
        mark = reading.checkpoint
        row.offset, row.guard, row.lines, row.seq, row.state = mark.offset, mark.guard, mark.lines, mark.seq, mark.state
        row.continuable = True
    before = prepared.file if reading.resumed and prepared.file else FileRow(id=number, path="", agent="", root="", unit="")
    row.skipped = before.skipped + reading.skipped
    row.unknown = before.unknown + reading.unknown
    row.repeated = before.repeated + reading.repeated + repeated
    row.redacted = before.redacted + prepared.redacted
    row.truncated = before.truncated or reading.truncated
    row.records = before.records + reading.records
    row.recognised = before.recognised + reading.recognised
    row.growing = reading.growing
    row.shift = prepared.shift
    row.bytes = unit.size
    if row.records and not row.recognised:
        row.status, row.reason = "not_recognised", f"0 of {row.records} records recognised"
    else:
        row.status = "partial" if row.skipped or row.truncated else "ok"
    return row


def path_text(path: object) -> str:
    """A path as it is kept: names that are no UTF-8 have their odd bytes replaced, since no database takes them."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def fingerprint(paths: Iterable[object]) -> str:
    """Sizes and times of further files of a session, as one string."""
    parts = []
    for path in paths:
        try:
            info = Path(str(path)).stat()
            parts.append(f"{path_text(path)}:{info.st_size}:{info.st_mtime_ns}")
        except OSError:
            parts.append(f"{path_text(path)}:-")
    return "|".join(parts)
