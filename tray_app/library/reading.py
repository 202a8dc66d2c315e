"""Reading the index: what the search, the session view and the status need. Never writes; one cursor a thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tray_app.library.connection import Connection, OpenedIndex, quoted
from tray_app.library.rows import ProblemRow, SessionRow
from tray_app.library.store import decode_pieces


class ChunkView(msgspec.Struct, gc=False):
    """A passage without its text. `pieces` are (message id, start, end)."""

    id: int
    session_id: int
    round: int
    kind: str
    time: int
    pieces: tuple[tuple[int, int, int], ...]


class MessageText(msgspec.Struct, gc=False):
    """A message with its text, as stored."""

    id: int
    session_id: int
    seq: int
    native: str
    role: str
    tool: str
    time: int
    text: str
    offset: int


class SourceCounts(msgspec.Struct):
    """Counts of one source folder as they stand in the index."""

    agent: str
    root: str
    files: int
    sessions: int
    messages: int
    chunks: int
    skipped: int
    unknown: int
    repeated: int
    redacted: int
    quarantined: int
    truncated: int
    over_budget: int
    gone: int
    bytes: int
    newest: int
    not_recognised: int


_SESSION = ", ".join(f's."{name}"' for name in SessionRow.__struct_fields__)
_MESSAGE = ", ".join(f'm."{name}"' for name in MessageText.__struct_fields__)


class Reader:
    """Queries on one cursor. Make one for each thread."""

    def __init__(self, opened: OpenedIndex) -> None:
        self.cursor: Connection = opened.cursor()

    def close(self) -> None:
        self.cursor.close()

    # --- sessions --------------------------------------------------------------------------------------------------------
    def sessions(self, ids: Iterable[int]) -> dict[int, SessionRow]:
        wanted = ", ".join(str(int(number)) for number in ids)
        if not wanted:
            return {}
        rows = self.cursor.execute(f"select {_SESSION} from sessions s where s.id in ({wanted})").fetchall()
        return {row[0]: SessionRow(**dict(zip(SessionRow.__struct_fields__, row, strict=True))) for row in rows}

    def matching_sessions(
        self, *, agent: str | None = None, project: str | None = None, native: str | None = None
    ) -> list[SessionRow]:
        """Sessions by filter, newest first. `project` matches the project's name or its folder, case folded; `native` the
        id or a beginning of it of at least 6 characters."""
        conditions: list[str] = ["true"]
        values: list[object] = []
        if agent:
            conditions.append("s.agent = ?")
            values.append(agent)
        if project:
            conditions.append("(lower(s.project) = lower(?) or lower(s.cwd) = lower(?))")
            values += [project, project.rstrip("/\\") or project]
        if native:
            conditions.append(
                "(s.native = ? or (length(?) >= 6 and (starts_with(s.native, ?) or starts_with(s.native, 'session-' || ?))))"
            )
            values += [native, native, native, native]
        rows = self.cursor.execute(
            f'select {_SESSION} from sessions s where {" and ".join(conditions)} order by s."end" desc, s.id desc', values
        ).fetchall()
        found = [SessionRow(**dict(zip(SessionRow.__struct_fields__, row, strict=True))) for row in rows]
        exact = [row for row in found if row.native == native]
        return exact or found

    def message_counts(self) -> dict[int, int]:
        """Messages of each session, inherited ones too."""
        rows = self.cursor.execute(
            "select session_id, count(*) from (select session_id from messages union all select session_id from copies) group by 1"
        ).fetchall()
        return {int(row[0]): int(row[1]) for row in rows}

    def agents(self) -> set[str]:
        return {row[0] for row in self.cursor.execute("select distinct agent from sessions").fetchall()}

    def session_path(self, session_id: int) -> tuple[str, str]:
        """Path and status of the file a session was read from; '' if none."""
        row = self.cursor.execute(f"select path, status from files where session_id = {int(session_id)} limit 1").fetchone()
        return (row[0], row[1]) if row else ("", "")

    def paths(self, session_ids: Iterable[int]) -> dict[int, str]:
        wanted = ", ".join(str(int(number)) for number in session_ids)
        if not wanted:
            return {}
        return dict(self.cursor.execute(f"select session_id, path from files where session_id in ({wanted})").fetchall())

    # --- messages ----------------------------------------------------------------------------------------------------------
    def order(self, session_id: int) -> list[tuple[int, int, bool, str]]:
        """All messages of a session in order: (message id, seq, inherited, native id)."""
        return self.cursor.execute(
            f"select id, seq, false, native from messages where session_id = {int(session_id)} union all "
            "select c.message_id, c.seq, true, m.native from copies c join messages m on m.id = c.message_id "
            f"where c.session_id = {int(session_id)} order by 2, 1"
        ).fetchall()

    def messages(self, ids: Iterable[int]) -> dict[int, MessageText]:
        wanted = ", ".join(str(int(number)) for number in ids)
        if not wanted:
            return {}
        rows = self.cursor.execute(f"select {_MESSAGE} from messages m where m.id in ({wanted})").fetchall()
        return {row[0]: MessageText(*row) for row in rows}

    def copies_of(self, ids: Iterable[int]) -> dict[int, list[int]]:
        """Further sessions that hold these messages: message id -> session ids."""
        wanted = ", ".join(str(int(number)) for number in ids)
        found: dict[int, list[int]] = {}
        if wanted:
            for message, session in self.cursor.execute(
                f"select message_id, session_id from copies where message_id in ({wanted})"
            ).fetchall():
                found.setdefault(message, []).append(session)
        return found

    # --- passages ----------------------------------------------------------------------------------------------------------
    def chunks(self, ids: Iterable[int]) -> dict[int, ChunkView]:
        wanted = ", ".join(str(int(number)) for number in ids)
        if not wanted:
            return {}
        rows = self.cursor.execute(
            f"select id, session_id, round, kind, time, pieces from chunks where id in ({wanted})"
        ).fetchall()
        return {row[0]: ChunkView(row[0], row[1], row[2], row[3], row[4], decode_pieces(row[5])) for row in rows}

    def latest_chunks(self, limit: int, condition: str = "true", values: Sequence[object] = ()) -> list[int]:
        """Passages by time, newest first; `condition` is SQL over chunks (alias c)."""
        rows = self.cursor.execute(
            f"select c.id from chunks c where {condition} order by c.time desc, c.id desc limit {int(limit)}", list(values)
        ).fetchall()
        return [int(row[0]) for row in rows]

    def containing(self, text: str, limit: int, condition: str = "true", values: Sequence[object] = ()) -> list[int]:
        """Passages with a message that holds `text` literally, case folded, newest first. Scans all text: the last tier."""
        ids = self.cursor.execute(
            "select id, session_id from messages where contains(lower(text), lower(?)) order by time desc limit ?",
            [text, limit * 4],
        ).fetchall()
        if not ids:
            return []
        wanted = {int(row[0]) for row in ids}
        sessions = ", ".join(sorted({str(int(row[1])) for row in ids}))
        rows = self.cursor.execute(
            f"select c.id, c.pieces from chunks c where c.session_id in ({sessions}) and {condition} order by c.time desc, c.id desc",
            list(values),
        ).fetchall()
        return [int(row[0]) for row in rows if any(piece[0] in wanted for piece in decode_pieces(row[1]))][: limit * 4]

    # --- status ------------------------------------------------------------------------------------------------------------
    def meta(self, key: str) -> str:
        row = self.cursor.execute(f"select value from meta where key = {quoted(key)}").fetchone()
        return str(row[0]) if row else ""

    def count(self, table: str) -> int:
        row = self.cursor.execute(f"select count(*) from {table}").fetchone()
        return int(row[0]) if row else 0

    def span(self) -> tuple[int, int, int]:
        """Oldest and newest message time, and characters of text held."""
        row = self.cursor.execute(
            "select coalesce(min(nullif(time, 0)), 0), coalesce(max(time), 0), (select coalesce(sum(size), 0) from chunks) from messages"
        ).fetchone()
        return (int(row[0]), int(row[1]), int(row[2])) if row else (0, 0, 0)

    def source_counts(self) -> list[SourceCounts]:
        rows = self.cursor.execute(
            """
            with per_session as (
                select s.id, s."end", (select count(*) from messages m where m.session_id = s.id) as n,
                       (select count(*) from chunks c where c.session_id = s.id) as k,
                       (select count(*) from copies y where y.session_id = s.id) as y, s.gone
                from sessions s)
            select f.agent, f.root, count(*), count(p.id) filter (p.n + p.y > 0),
                   coalesce(sum(p.n), 0), coalesce(sum(p.k), 0), sum(f.skipped), sum(f.unknown), sum(f.repeated), sum(f.redacted),
                   count(*) filter (f.status = 'quarantined'), count(*) filter (f.truncated), sum(f.over_budget),
                   count(*) filter (p.gone), sum(f.bytes), coalesce(max(p."end"), 0), count(*) filter (f.status = 'not_recognised')
            from files f left join per_session p on p.id = f.session_id
            group by f.agent, f.root
            """
        ).fetchall()
        return [SourceCounts(row[0], row[1], *(int(value) for value in row[2:])) for row in rows]

    def problems(self, limit: int) -> list[ProblemRow]:
        names = ", ".join(f'"{name}"' for name in ProblemRow.__struct_fields__)
        rows = self.cursor.execute(f'select {names} from problems order by file_id desc, "offset" limit ?', [limit]).fetchall()
        return [ProblemRow(**dict(zip(ProblemRow.__struct_fields__, row, strict=True))) for row in rows]

    def workspaces(self) -> list[str]:
        """Folders that sessions name, most recent first."""
        rows = self.cursor.execute(
            "select cwd from sessions where cwd <> '' and agent <> 'memory' group by cwd order by max(\"end\") desc"
        ).fetchall()
        return [row[0] for row in rows]
