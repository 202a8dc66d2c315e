"""Prepared files into the library: batches in transactions, sessions' facts, passages, and what is forgotten.

Owns the order of things inside a transaction. Who owns a message is `placement`'s business, how text is cut `passages`'.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from pathlib import Path

from tray_app.indexing.passages import Passages
from tray_app.indexing.placement import Placement, age
from tray_app.indexing.prepare import PIPELINE_VERSION, Prepared, project_of
from tray_app.library.rows import FileRow, MessageRow, ProblemRow, SessionRow, UsageRow
from tray_app.library.store import Store


class Merger:
    """Applies batches of prepared files. One for each writing thread."""

    def __init__(self, store: Store, zone: tzinfo) -> None:
        self.store = store
        self.passages = Passages(store, zone)
        self.reread: set[int] = set()
        """Sessions whose files must be read anew: an original they copied from has lost the message."""

    def apply(self, batch: Sequence[Prepared]) -> list[FileRow]:
        """Merge the files of a batch in one transaction; gives the file rows as written."""
        store = self.store
        with store.transaction():
            rows = self._session_rows(batch)
            pairs = list(zip(batch, rows, strict=True))
            retitled = {session.id for prepared, session in pairs if _merge_facts(session, prepared)}
            whole = {session.id for prepared, session in pairs if not prepared.reading.resumed}
            orphaned = store.copied_from(whole)
            store.clear_sessions(whole)
            owners = store.owners({message.identity for prepared in batch for message in prepared.messages})
            placement = Placement(store, {row.id: row for row in rows}, owners)
            for prepared, session in sorted(pairs, key=lambda pair: age(pair[1])):
                placement.place(prepared, session)
            self._settle(orphaned, placement)
            store.add_messages([row for own in placement.own.values() for row in own])
            store.add_copies(placement.copies)
            again = self._add_passages(pairs, placement, retitled)
            files = [
                _file_row(prepared, session, placement.repeated[session.id], self._file_id(prepared))
                for prepared, session in pairs
            ]
            self._add_sides(pairs, files)
            store.write_sessions(list({row.id: row for row in rows}.values()))
            store.write_files(files)
            self._rebuild(again | placement.losers)
            store.postings.refresh_stats()
        return files

    def forget(self, files: Sequence[FileRow], *, keep_rows: bool = False) -> None:
        """Take files and their sessions out of the index. Messages that other sessions hold too stay with those.
        `keep_rows` keeps the file rows (they say why there is no content: over budget, excluded)."""
        store = self.store
        sessions = [file.session_id for file in files if file.session_id >= 0]
        with store.transaction():
            heirs: dict[int, tuple[int, int, int]] = {}
            for copier, message, _ in store.copied_from(sessions):
                heirs.setdefault(message, (message, copier, 0))
            store.hand_over([(message, copier, store.place_of(copier, message)) for message, copier, _ in heirs.values()])
            store.remove_sessions(sessions)
            if keep_rows:
                for file in files:
                    file.session_id = -1
                store.write_files(files)
            else:
                store.remove_files(file.id for file in files)
            self._rebuild({copier for _, copier, _ in heirs.values()})
            store.postings.refresh_stats()

    def _session_rows(self, batch: Sequence[Prepared]) -> list[SessionRow]:
        known: dict[tuple[str, str], SessionRow] = {}
        for agent in {prepared.unit.agent for prepared in batch}:
            natives = [prepared.session.id for prepared in batch if prepared.unit.agent == agent]
            known.update(((agent, native), row) for native, row in self.store.sessions(agent, natives).items())
        rows = []
        for prepared in batch:
            key = (prepared.unit.agent, prepared.session.id)
            if key not in known:
                known[key] = SessionRow(id=self.store.new_id("sessions"), agent=key[0], native=key[1])
            rows.append(known[key])
        return rows

    def _file_id(self, prepared: Prepared) -> int:
        return prepared.file.id if prepared.file else self.store.new_id("files")

    def _settle(self, orphaned: Sequence[tuple[int, int, int]], placement: Placement) -> None:
        """Copies elsewhere whose original was written anew, or turned out to be a copy itself, point at the new rows."""
        changes: list[tuple[int, int, int | None]] = []
        for copier, old, identity in orphaned:
            known = placement.owners.get(identity)
            changes.append((copier, old, known[0] if known else None))
            if known is None:
                self.reread.add(copier)
        self.store.repoint_copies(changes)
        if placement.replaced:
            places = self.store.places(placement.replaced)
            for copy in placement.copies:
                for old, new in placement.replaced.items():
                    if copy.message_id == new and places.get(old, (None, 0))[0] == copy.session_id:
                        copy.seq = places[old][1]
            self.store.replace_messages(placement.replaced)

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
        self.store.replace_problems(renewed, problems)

    def _rebuild(self, sessions: Iterable[int]) -> None:
        """Make all passages of sessions again from their stored messages."""
        ids = list(sessions)
        if not ids:
            return
        store = self.store
        store.remove_chunks(ids)
        rows = store.sessions_by_id(ids)
        messages = store.messages(ids)
        for number, session in rows.items():
            own = messages.get(number, [])
            session.messages = len(own)
            made = self.passages.build(session, own)
            store.add_chunks(*made)
        store.write_sessions(list(rows.values()))


def _merge_facts(row: SessionRow, prepared: Prepared) -> bool:
    """What a reading says of its session, into the row. Returns whether title or project changed."""
    facts, resumed = prepared.session, prepared.reading.resumed
    before = (row.title, row.project)
    if facts.title and (not resumed or facts.title_rank >= row.title_rank):
        row.title, row.title_rank = facts.title, facts.title_rank
    if facts.cwd and (not resumed or not row.cwd):
        row.cwd, row.project = facts.cwd, project_of(facts.cwd)
    starts = [time for time in (facts.start, row.start if resumed else 0) if time]
    row.start = min(starts, default=0)
    row.end = max(facts.end, row.end if resumed else 0)
    row.model, row.branch = facts.model or row.model, facts.branch or row.branch
    row.version = facts.version or row.version
    row.kind = prepared.unit.kind if prepared.unit.kind != "main" else facts.kind
    row.parent = facts.parent or prepared.unit.parent or row.parent
    row.archived = facts.archived or prepared.unit.archived
    row.gone = False
    return before != (row.title, row.project)


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
    row.bytes = unit.size
    if prepared.excluded:
        row.status, row.reason = "excluded", "in an excluded folder"
    elif row.records and not row.recognised:
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
