"""Writing the index: bulk operations in transactions, on one cursor in one thread.

Owns ids and the order of deletes and inserts. What to write is the indexer's business.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import duckdb
import msgspec
import numpy as np

from tray_app.library.connection import OpenedIndex, disk_full, insert, registered
from tray_app.library.postings import PostingsWriter
from tray_app.library.rows import ChunkRow, CopyRow, FileRow, MessageRow, ProblemRow, SessionRow, UsageRow

R = TypeVar("R", bound=msgspec.Struct)

_NUMBERS: dict[str, type] = {"int": np.int64, "bool": np.bool_}
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
        """Ids rise for ever and are never used twice in a file."""
        number = self._ids[table]
        self._ids[table] = number + 1
        return number

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. A full disk becomes KnownError `disk_full`."""
        self.cursor.execute("begin")
        try:
            yield
            self.cursor.execute("commit")
        except BaseException as fault:
            with contextlib.suppress(duckdb.Error):
                self.cursor.execute("rollback")
            self.postings.forget()
            if isinstance(fault, duckdb.Error) and ("No space left" in str(fault) or "space left on" in str(fault)):
                raise disk_full(self.opened.path, fault) from fault
            raise

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

    def owners(self, identities: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Which of these identities are in the index: identity -> (message id, session id)."""
        wanted = np.fromiter(identities, np.int64)
        if not len(wanted):
            return {}
        with registered(self.cursor, "wanted", {"identity": wanted}):
            rows = self.cursor.execute(
                "select m.identity, m.id, m.session_id from messages m where m.identity in (select identity from wanted)"
            ).fetchall()
        return {row[0]: (row[1], row[2]) for row in rows}

    def messages(self, session_ids: Iterable[int]) -> dict[int, list[MessageRow]]:
        """Messages that these sessions own, in order."""
        grouped: dict[int, list[MessageRow]] = {}
        with self._ids_registered(session_ids):
            for row in self._rows(
                MessageRow, "messages", "where session_id in (select id from wanted_ids) order by session_id, seq"
            ):
                grouped.setdefault(row.session_id, []).append(row)
        return grouped

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

    def sequence(self, session_id: int) -> list[MessageRow]:
        """All messages of a session in order, inherited ones too (their `session_id` is the owner's)."""
        names = _columns(MessageRow, "m")
        rows = self.cursor.execute(
            f"select {names}, m.seq as place from messages m where m.session_id = $1 union all "
            f"select {names}, c.seq as place from copies c join messages m on m.id = c.message_id where c.session_id = $1 "
            f"order by place",
            [session_id],
        ).fetchall()
        return [_made(MessageRow, row[:-1]) for row in rows]

    def copied_from(self, session_ids: Iterable[int]) -> list[tuple[int, int, int]]:
        """Copies elsewhere of messages these sessions own, as (copying session, message id, identity)."""
        with self._ids_registered(session_ids):
            return self.cursor.execute(
                "select c.session_id, c.message_id, m.identity from copies c join messages m on m.id = c.message_id "
                "where m.session_id in (select id from wanted_ids) and c.session_id not in (select id from wanted_ids)"
            ).fetchall()

    def chunk_counts(self) -> dict[str, int]:
        """Passages by agent."""
        rows = self.cursor.execute(
            "select s.agent, count(*) from chunks c join sessions s on s.id = c.session_id group by s.agent"
        ).fetchall()
        return {row[0]: int(row[1]) for row in rows}

    def oldest_beyond(self, agent: str | None, most: int) -> list[int]:
        """Sessions whose passages lie beyond the newest `most`, of one agent or of all."""
        rows = self.cursor.execute(
            'select id from (select s.id, sum(count(*)) over (order by s."end" desc, s.id desc) as so_far, count(*) as n '
            "from chunks c join sessions s on s.id = c.session_id where $1 is null or s.agent = $1 "
            'group by s.id, s."end") where so_far - n >= $2 or (so_far > $2 and n < $2)',
            [agent, most],
        ).fetchall()
        return [int(row[0]) for row in rows]

    def meta(self, key: str) -> str:
        row = self.cursor.execute("select value from meta where key = ?", [key]).fetchone()
        return str(row[0]) if row else ""

    # --- writing (inside `transaction`) -----------------------------------------------------------------------------------
    def clear_sessions(self, session_ids: Iterable[int]) -> None:
        """Take out all content of sessions: messages, copies they hold, passages, usage. Their rows stay."""
        ids = list(session_ids)
        self.remove_chunks(ids)
        with self._ids_registered(ids):
            for table in ("messages", "copies", "usage"):
                self.cursor.execute(f"delete from {table} where session_id in (select id from wanted_ids)")

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
            self.cursor.execute("delete from embeddings where chunk_id in (select id from wanted_ids)")
            self.cursor.execute("delete from chunks where id in (select id from wanted_ids)")

    def remove_sessions(self, session_ids: Iterable[int]) -> None:
        """Forget sessions altogether, rows too."""
        ids = list(session_ids)
        self.clear_sessions(ids)
        with self._ids_registered(ids):
            self.cursor.execute("delete from sessions where id in (select id from wanted_ids)")

    def hand_over(self, moves: Sequence[tuple[int, int, int]]) -> None:
        """Give messages to sessions that hold copies of them: (message id, new owner, seq there)."""
        for message, session, seq in moves:
            self.cursor.execute("update messages set session_id = ?, seq = ? where id = ?", [session, seq, message])
            self.cursor.execute("delete from copies where session_id = ? and message_id = ?", [session, message])

    def place_of(self, session: int, message: int) -> int:
        """The seq of a copied message in the session that copied it."""
        row = self.cursor.execute(
            "select seq from copies where session_id = ? and message_id = ?", [session, message]
        ).fetchone()
        return int(row[0]) if row else 0

    def places(self, ids: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Owner and seq of messages: id -> (session id, seq)."""
        with self._ids_registered(ids):
            rows = self.cursor.execute(
                "select id, session_id, seq from messages where id in (select id from wanted_ids)"
            ).fetchall()
        return {row[0]: (row[1], row[2]) for row in rows}

    def replace_messages(self, replaced: dict[int, int]) -> None:
        """Drop messages whose place new ones took; copies of the old become copies of the new."""
        for old, new in replaced.items():
            self.cursor.execute("update copies set message_id = ? where message_id = ?", [new, old])
        with self._ids_registered(replaced):
            self.cursor.execute("delete from messages where id in (select id from wanted_ids)")

    def repoint_copies(self, changes: Sequence[tuple[int, int, int | None]]) -> None:
        """Copies whose original was written anew: (copying session, old message id, new id or None)."""
        for session, old, new in changes:
            if new is None:
                self.cursor.execute("delete from copies where session_id = ? and message_id = ?", [session, old])
            else:
                self.cursor.execute(
                    "update copies set message_id = ? where session_id = ? and message_id = ?", [new, session, old]
                )

    def write_sessions(self, rows: Sequence[SessionRow]) -> None:
        self._replace("sessions", rows)

    def write_files(self, rows: Sequence[FileRow]) -> None:
        self._replace("files", rows)

    def remove_files(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        with self._ids_registered(ids):
            self.cursor.execute("delete from files where id in (select id from wanted_ids)")
            self.cursor.execute("delete from problems where file_id in (select id from wanted_ids)")

    def add_messages(self, rows: Sequence[MessageRow]) -> None:
        self._append("messages", rows)

    def add_copies(self, rows: Sequence[CopyRow]) -> None:
        self._append("copies", rows)

    def add_usage(self, rows: Sequence[UsageRow]) -> None:
        self._append("usage", rows)

    def replace_problems(self, file_ids: Iterable[int], rows: Sequence[ProblemRow], *, keep: bool = False) -> None:
        """Set the problems of files; `keep` adds to those there are (an appended file)."""
        if not keep:
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

    def finish(self) -> None:
        """After a pass: tidy the postings when worth it, write everything to the file, let go of memory."""
        self.postings.tidy()
        with contextlib.suppress(duckdb.TransactionException):  # a search holds an older snapshot: the next pass does it
            self.cursor.execute("checkpoint")

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
