"""Writing the index: bulk operations in transactions, on one cursor in one thread.

Owns ids and the order of deletes and inserts. What to write is the indexer's business.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import duckdb
import msgspec
import numpy as np

from tray_app.library.connection import OpenedIndex, insert, registered
from tray_app.library.postings import PostingsWriter
from tray_app.library.rows import ChunkRow, CopyRow, FileRow, MessageRow, ProblemRow, SessionRow, UsageRow
from tray_app.library.topics import remove_cards_of

R = TypeVar("R", bound=msgspec.Struct)

_NUMBERS: dict[str, type] = {"int": np.int64, "bool": np.bool_}
ASKED_ANEW = -1
"""As a file's pipeline version: read it whole, whatever it looks like."""
_PIECES = msgspec.msgpack.Encoder()
_DECODE_PIECES = msgspec.msgpack.Decoder(tuple[tuple[int, int, int], ...])


def decode_pieces(blob: bytes) -> tuple[tuple[int, int, int], ...]:
    """The (message id, start, end) of a chunk as they are stored."""
    return _DECODE_PIECES.decode(blob)


class Store:
    """The one writer. Make it in the thread that writes and close it there."""

    def __init__(self, opened: OpenedIndex) -> None:
        self.opened = opened
        self.cursor = opened.cursor()
        self.postings = PostingsWriter(self.cursor)
        self._ids = {table: self._top(table) for table in ("files", "sessions", "messages", "chunks")}

    def close(self) -> None:
        self.cursor.close()

    def _top(self, table: str) -> int:
        row = self.cursor.execute(f"select coalesce(max(id), -1) + 1 from {table}").fetchone()
        return int(row[0]) if row else 0

    def new_id(self, table: str) -> int:
        """Ids rise. One is given again only by a later writer, after everything that bore it is gone."""
        number = self._ids[table]
        self._ids[table] = number + 1
        return number

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. Raises KnownError `disk_full` or `index_damaged` for what these are."""
        with self.opened.faults():
            self.cursor.execute("begin")
            try:
                yield
                self.cursor.execute("commit")
            except BaseException:
                with contextlib.suppress(duckdb.Error):
                    self.cursor.execute("rollback")
                self.postings.forget()
                raise
            self.opened.guard_files()

    # --- reading what is needed for writing --------------------------------------------------------------------------
    def files(self) -> list[FileRow]:
        return self._rows(FileRow, "files")

    def sessions(self, agent: str, natives: Sequence[str]) -> dict[str, SessionRow]:
        """Known sessions of an agent by native id."""
        if not natives:
            return {}
        with registered(self.cursor, "wanted", {"native": list(natives)}):
            rows = self._rows(SessionRow, "sessions", "where agent = ? and native in (select native from wanted)", [agent])
        return {row.native: row for row in rows}

    def sessions_by_id(self, ids: Iterable[int]) -> dict[int, SessionRow]:
        with self._ids_registered(ids):
            return {row.id: row for row in self._rows(SessionRow, "sessions", "where id in (select id from wanted_ids)")}

    def owners(self, identities: Iterable[int], but: Container[int] = ()) -> dict[int, tuple[int, int]]:
        """Which of these identities are in the index: identity -> (message id, session id); leaves out messages `but`."""
        wanted = np.fromiter(identities, np.int64)
        if not len(wanted):
            return {}
        with registered(self.cursor, "wanted", {"identity": wanted}):
            rows = self.cursor.execute(
                "select m.identity, m.id, m.session_id from messages m where m.identity in (select identity from wanted)"
            ).fetchall()
        return {row[0]: (row[1], row[2]) for row in rows if row[1] not in but}

    def related(self, agent: str, natives: Sequence[str], parents: Sequence[str]) -> list[SessionRow]:
        """Sessions of an agent that are one of `parents`, or that name one of `natives` as theirs."""
        if not natives and not parents:
            return []
        with (
            registered(self.cursor, "wanted", {"native": list(natives) or [""]}),
            registered(self.cursor, "wanted_too", {"native": list(parents) or [""]}),
        ):
            return self._rows(
                SessionRow,
                "sessions",
                "where agent = ? and ((parent <> '' and parent in (select native from wanted)) "
                "or (native <> '' and native in (select native from wanted_too)))",
                [agent],
            )

    def messages(self, session_ids: Iterable[int]) -> dict[int, list[MessageRow]]:
        """Messages that these sessions own, in order."""
        grouped: dict[int, list[MessageRow]] = {}
        with self._ids_registered(session_ids):
            for row in self._rows(
                MessageRow, "messages", "where session_id in (select id from wanted_ids) order by session_id, seq"
            ):
                grouped.setdefault(row.session_id, []).append(row)
        return grouped

    def messages_by_id(self, ids: Iterable[int]) -> list[MessageRow]:
        with self._ids_registered(ids):
            return self._rows(MessageRow, "messages", "where id in (select id from wanted_ids) order by session_id, seq")

    def open_rounds(self, session_ids: Iterable[int]) -> dict[int, list[MessageRow]]:
        """Messages of the last, still open round of each session."""
        grouped: dict[int, list[MessageRow]] = {}
        names = _columns(MessageRow, "m")
        with self._ids_registered(session_ids):
            rows = self.cursor.execute(
                f"select {names} from messages m join sessions s on s.id = m.session_id "
                f"where m.session_id in (select id from wanted_ids) and m.seq >= s.open_round order by m.session_id, m.seq"
            ).fetchall()
        for row in (_made(MessageRow, values) for values in rows):
            grouped.setdefault(row.session_id, []).append(row)
        return grouped

    def sequence(self, session_id: int, most: int) -> list[MessageRow]:
        """The first messages of a session in order, inherited ones too (their `session_id` is the owner's)."""
        names = _columns(MessageRow, "m")
        rows = self.cursor.execute(
            f"select {names}, m.seq as place from messages m where m.session_id = $1 union all "
            f"select {names}, c.seq as place from copies c join messages m on m.id = c.message_id where c.session_id = $1 "
            f"order by place limit $2",
            [session_id, most],
        ).fetchall()
        return [_made(MessageRow, row[:-1]) for row in rows]

    def copied_from(self, session_ids: Iterable[int]) -> list[tuple[int, int, int]]:
        """Copies elsewhere of messages these sessions own, as (copying session, message id, identity)."""
        with self._ids_registered(session_ids):
            return self.cursor.execute(
                "select c.session_id, c.message_id, m.identity from copies c join messages m on m.id = c.message_id "
                "where m.session_id in (select id from wanted_ids) and c.session_id not in (select id from wanted_ids)"
            ).fetchall()

    def folders(self) -> dict[int, tuple[str, str, str]]:
        """Native id, folder and parent of each session ('' where it names none)."""
        return {row[0]: row[1:] for row in self.cursor.execute("select id, native, cwd, parent from sessions").fetchall()}

    def count(self, table: str) -> int:
        row = self.cursor.execute(f"select count(*) from {table}").fetchone()
        return int(row[0]) if row else 0

    def held(self) -> list[tuple[int, str, int, int]]:
        """Files whose sessions have passages, newest first: (session id, agent, time of the file in ns, passages)."""
        return self.cursor.execute(
            "select f.session_id, any_value(f.agent), max(f.mtime_ns) as newest, any_value(c.n) from files f "
            "join (select session_id, count(*) as n from chunks group by session_id) c on c.session_id = f.session_id "
            "group by f.session_id order by newest desc, f.session_id desc"
        ).fetchall()

    def claimants(self, session_ids: Iterable[int]) -> dict[int, list[tuple[int, str]]]:
        """Files that give these sessions: session id -> (file id, unit)."""
        found: dict[int, list[tuple[int, str]]] = {}
        with self._ids_registered(session_ids):
            rows = self.cursor.execute(
                "select session_id, id, unit from files where session_id in (select id from wanted_ids)"
            ).fetchall()
        for session, file, unit in rows:
            found.setdefault(session, []).append((file, unit))
        return found

    def sessions_with_files(self, session_ids: Iterable[int]) -> set[int]:
        """Those of these sessions that a file row points at."""
        with self._ids_registered(session_ids):
            rows = self.cursor.execute(
                "select distinct session_id from files where session_id in (select id from wanted_ids)"
            ).fetchall()
        return {int(row[0]) for row in rows}

    def meta(self, key: str) -> str:
        row = self.cursor.execute("select value from meta where key = ?", [key]).fetchone()
        return str(row[0]) if row else ""

    # --- writing (inside `transaction`) -----------------------------------------------------------------------------------
    def clear_sessions(self, session_ids: Iterable[int], but: Iterable[int] = ()) -> None:
        """Take out all content of sessions: messages (save those in `but`), copies they hold, passages, usage. Their rows
        stay."""
        ids = list(session_ids)
        if not ids:
            return
        self.remove_chunks(ids)
        with self._ids_registered(ids), registered(self.cursor, "kept_ids", {"id": np.fromiter(but, np.int64)}):
            for table in ("copies", "usage"):
                self.cursor.execute(f"delete from {table} where session_id in (select id from wanted_ids)")
            self.cursor.execute(
                "delete from messages where session_id in (select id from wanted_ids) and id not in (select id from kept_ids)"
            )

    def remove_messages(self, ids: Iterable[int]) -> None:
        with self._ids_registered(ids):
            self.cursor.execute("delete from messages where id in (select id from wanted_ids)")

    def remove_chunks(self, session_ids: Iterable[int], from_round: int = 0) -> None:
        """Take passages out, from the round that begins at `from_round` on."""
        with self._ids_registered(session_ids):
            leaving = self.cursor.execute(
                f"select id from chunks where session_id in (select id from wanted_ids) and round >= {int(from_round)}"
            ).fetchnumpy()["id"]
        if not len(leaving):
            return
        self.postings.remove(leaving)
        with self._ids_registered(leaving):
            self.cursor.execute("delete from vectors where chunk_id in (select id from wanted_ids)")
            self.cursor.execute("delete from refused where chunk_id in (select id from wanted_ids)")
            self.cursor.execute("delete from chunks where id in (select id from wanted_ids)")

    def remove_sessions(self, session_ids: Iterable[int]) -> None:
        """Forget sessions altogether, rows too, and the topics of their days."""
        ids = list(session_ids)
        if not ids:
            return
        remove_cards_of(self.cursor, ids)
        self.clear_sessions(ids)
        with self._ids_registered(ids):
            self.cursor.execute("delete from sessions where id in (select id from wanted_ids)")

    def hand_over(self, heirs: Mapping[int, int]) -> None:
        """Give messages to sessions that hold copies of them, at the place they have there: message id -> new owner."""
        if not heirs:
            return
        columns = {"message": np.fromiter(heirs, np.int64), "heir": np.fromiter(heirs.values(), np.int64)}
        with registered(self.cursor, "moves", columns):
            self.cursor.execute(
                "update messages set session_id = c.session_id, seq = c.seq from moves m join copies c "
                "on c.message_id = m.message and c.session_id = m.heir where messages.id = m.message"
            )
            self.cursor.execute(
                "delete from copies using moves m where copies.message_id = m.message and copies.session_id = m.heir"
            )

    def places(self, ids: Iterable[int]) -> dict[int, int]:
        """The seq of messages where they stand: id -> seq."""
        with self._ids_registered(ids):
            rows = self.cursor.execute("select id, seq from messages where id in (select id from wanted_ids)").fetchall()
        return {int(row[0]): int(row[1]) for row in rows}

    def replace_messages(self, replaced: Mapping[int, int]) -> None:
        """Drop messages whose place new ones took; copies of the old become copies of the new."""
        self.repoint_copies(replaced)
        self.remove_messages(replaced)

    def repoint_copies(self, replaced: Mapping[int, int]) -> None:
        """Copies whose original was written anew: old message id -> new id. None stays where the original itself stands."""
        if not replaced:
            return
        columns = {"old": np.fromiter(replaced, np.int64), "new": np.fromiter(replaced.values(), np.int64)}
        with registered(self.cursor, "moves", columns):
            self.cursor.execute("update copies set message_id = m.new from moves m where copies.message_id = m.old")
            self.cursor.execute(
                "delete from copies using moves, messages where copies.message_id = moves.new and messages.id = moves.new "
                "and messages.session_id = copies.session_id"
            )

    def ask_anew(self, session_ids: Iterable[int] | None = None) -> None:
        """Have the files of these sessions (None: all files) read whole at the next pass, changed or not."""
        which = "true" if session_ids is None else "session_id in (select id from wanted_ids)"
        with self._ids_registered(session_ids or ()):
            self.cursor.execute(f"update files set pipeline_version = {ASKED_ANEW} where {which}")

    def write_sessions(self, rows: Sequence[SessionRow]) -> None:
        self._replace("sessions", rows)

    def write_files(self, rows: Sequence[FileRow]) -> None:
        self._replace("files", rows)

    def remove_files(self, ids: Iterable[int]) -> None:
        with self._ids_registered(ids):
            self.cursor.execute("delete from files where id in (select id from wanted_ids)")
            self.cursor.execute("delete from problems where file_id in (select id from wanted_ids)")

    def add_messages(self, rows: Sequence[MessageRow]) -> None:
        self._append("messages", rows)

    def add_copies(self, rows: Sequence[CopyRow]) -> None:
        """Those that are there already stay as they are."""
        if rows:
            with registered(self.cursor, "incoming_copies", _as_columns(rows)):
                self.cursor.execute(
                    "insert into copies by name select session_id, message_id, seq from incoming_copies n "
                    "where not exists (select 1 from copies c where c.session_id = n.session_id and c.message_id = n.message_id)"
                )

    def add_usage(self, rows: Sequence[UsageRow]) -> None:
        """The last word on a call counts: rows with the same session and key take each other's place, at the first's time."""
        if not rows:
            return
        latest = {(row.session_id, row.key): row for row in rows}
        columns = _as_columns(list(latest.values()))
        with registered(self.cursor, "counted", {"session_id": columns["session_id"], "key": columns["key"]}):
            for session, key, time in self.cursor.execute(
                "select u.session_id, u.key, u.time from usage u join counted n on u.session_id = n.session_id and u.key = n.key"
            ).fetchall():
                latest[session, key].time = time or latest[session, key].time
            self.cursor.execute("delete from usage using counted n where usage.session_id = n.session_id and usage.key = n.key")
        insert(self.cursor, "usage", _as_columns(list(latest.values())))

    def replace_problems(self, file_ids: Iterable[int], rows: Sequence[ProblemRow]) -> None:
        """Drop what was known of `file_ids`, and add problems (of these, or of files that were only continued)."""
        with self._ids_registered(file_ids):
            self.cursor.execute("delete from problems where file_id in (select id from wanted_ids)")
        self._append("problems", rows)

    def add_chunks(self, rows: Sequence[ChunkRow], tokens: Sequence[tuple[Sequence[str], int]]) -> None:
        """Passages with the words they are found by, and how many of these were said in them."""
        if not rows:
            return
        columns: dict[str, Any] = {
            "id": np.array([row.id for row in rows], np.int64),
            "session_id": np.array([row.session_id for row in rows], np.int64),
            "round": np.array([row.round for row in rows], np.int64),
            "kind": [row.kind for row in rows],
            "time": np.array([row.time for row in rows], np.int64),
            "pieces": [_PIECES.encode(row.pieces) for row in rows],
            "size": np.array([row.size for row in rows], np.int64),
        }
        insert(self.cursor, "chunks", columns)
        self.postings.add([(row.id, words, length) for row, (words, length) in zip(rows, tokens, strict=True)])

    def set_meta(self, key: str, value: str) -> None:
        self.cursor.execute("insert or replace into meta values (?, ?)", [key, value])

    def finish(self, *, tidy: bool = True) -> None:
        """After a pass: tidy the postings when worth it, write everything to the file, let go of memory."""
        with self.opened.faults():
            if tidy:
                self.postings.tidy()
            self.postings.forget()
            with contextlib.suppress(duckdb.TransactionException):  # a search holds an older snapshot: the next pass does it
                self.cursor.execute("checkpoint")
            self.opened.guard_files()

    # --- plumbing ----------------------------------------------------------------------------------------------------------
    def _ids_registered(self, ids: Iterable[int]) -> contextlib.AbstractContextManager[None]:
        return registered(self.cursor, "wanted_ids", {"id": np.fromiter(ids, np.int64)})

    def _rows(self, kind: type[R], table: str, rest: str = "", values: Sequence[object] = ()) -> list[R]:
        rows = self.cursor.execute(f"select {_columns(kind)} from {table} {rest}", list(values)).fetchall()
        return [_made(kind, row) for row in rows]

    def _append(self, table: str, rows: Sequence[msgspec.Struct]) -> None:
        if rows:
            insert(self.cursor, table, _as_columns(rows))

    def _replace(self, table: str, rows: Sequence[Any]) -> None:
        if not rows:
            return
        with self._ids_registered(row.id for row in rows):
            self.cursor.execute(f"delete from {table} where id in (select id from wanted_ids)")
        self._append(table, rows)


def _columns(kind: type[msgspec.Struct], alias: str = "") -> str:
    lead = f"{alias}." if alias else ""
    return ", ".join(f'{lead}"{name}"' for name in kind.__struct_fields__)


def _made(kind: type[R], values: Sequence[Any]) -> R:
    return kind(**dict(zip(kind.__struct_fields__, values, strict=True)))


def _as_columns(rows: Sequence[msgspec.Struct]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for field in msgspec.structs.fields(type(rows[0])):
        values = [getattr(row, field.name) for row in rows]
        kind = np.uint64 if field.name == "inode" else _NUMBERS.get(field.type.__name__)
        columns[field.name] = values if kind is None else np.array(values, kind)
    return columns
