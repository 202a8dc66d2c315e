"""Reading the index: what the search, the session view and the status need. Never writes; one cursor a thread.

Numbers and quoted text go into SQL as literals where a search passes: binding a value makes DuckDB look for pandas each
time, 0.3 ms where it is not installed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from tray_app.library import drift, postings, topics, vectors
from tray_app.library.connection import Connection, OpenedIndex, quoted
from tray_app.library.kept import Kept, Passages
from tray_app.library.matrices import Matrices
from tray_app.library.matrix import Matrix
from tray_app.library.postings import Scores, TermGroup
from tray_app.library.rows import ProblemRow, SessionRow
from tray_app.library.store import decode_pieces
from tray_app.moved import Moved
from tray_app.records import TopicCard


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


class FileMark(msgspec.Struct, gc=False):
    """A file as it was when it was read."""

    path: str
    agent: str
    root: str
    size: int
    mtime_ns: int


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
SHORTEST_ID = 6
"""Characters of a session's id that may stand for it."""


class Reader:
    """Queries on one cursor. Make one for each thread. `kept` is what may be kept from search to search."""

    def __init__(self, opened: OpenedIndex, kept: Kept | None = None) -> None:
        self.cursor: Connection = opened.cursor()
        self.moved = Moved()
        """Where projects were moved to: a filter finds them by the old folder and by the new one."""
        self.kept = kept or Kept()
        self.matrices: Matrices | None = None

    def close(self) -> None:
        self.cursor.close()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside belongs to one moment, whatever is written meanwhile. Not to be nested."""
        self.cursor.execute("begin")
        try:
            yield
        finally:
            self.cursor.execute("rollback")

    # --- words -----------------------------------------------------------------------------------------------------------
    def statistics(self) -> tuple[int, float]:
        """Number of passages and their mean length in words."""
        if self.kept.statistics is None:
            self.kept.statistics = postings.statistics(self.cursor)
        return self.kept.statistics

    def lookup(self, words: Sequence[str]) -> dict[str, TermGroup]:
        """The words that any passage holds."""
        kept = self.kept.words
        lacking = [word for word in words if word not in kept]
        found = {word: group for word in words if (group := kept.get(word))}
        if lacking:
            fresh = postings.lookup(self.cursor, lacking)
            kept.update((word, fresh.get(word)) for word in lacking)
            found.update(fresh)
        return found

    def near(self, word: str, *, prefix: bool, slips: int) -> tuple[TermGroup | None, str]:
        """See `postings.near`."""
        key = (word, prefix, slips)
        if key not in self.kept.near:
            self.kept.near[key] = postings.near(self.cursor, word, prefix=prefix, slips=slips)
        return self.kept.near[key]

    def containing_character(self, character: str) -> TermGroup | None:
        """See `postings.containing`."""
        if character not in self.kept.containing:
            self.kept.containing[character] = postings.containing(self.cursor, character)
        return self.kept.containing[character]

    def weigh(self, groups: Sequence[TermGroup], required: Iterable[int] = ()) -> Scores:
        """See `postings.weigh`; passages of this moment only."""
        found = postings.weigh(self.cursor, groups, self.statistics(), frozenset(required))
        known = self.passages().known
        there = found.ids < len(known)
        there[there] = known[found.ids[there]]
        return Scores(found.ids[there], found.values[there])

    # --- meaning -----------------------------------------------------------------------------------------------------------
    def matrix(self, space: str, wait_s: float = 0.0) -> Matrix | None:
        """The vectors of a space by its key, as they were a moment ago; None while they are not loaded. See `Matrices.of`."""
        return self.matrices.of(space, wait_s) if self.matrices else None

    def standing(self, matrix: Matrix, ids: Sequence[int]) -> set[int]:
        """See `vectors.standing`."""
        return vectors.standing(self.cursor, matrix, ids)

    # --- sessions --------------------------------------------------------------------------------------------------------
    def sessions(self, ids: Iterable[int]) -> dict[int, tuple[SessionRow, str]]:
        """Sessions with the path of the file each was read from ('' if none)."""
        wanted = set(ids)
        kept = self.kept.sessions
        found = {number: pair for number in wanted if (pair := kept.get(number))}
        lacking = ", ".join(str(int(number)) for number in wanted - found.keys())
        if lacking:
            rows = self.cursor.execute(f"select {_SESSION} from sessions s where s.id in ({lacking})").fetchall()
            paths = self.paths(lacking)
            fresh = {row[0]: (_session(row), paths.get(row[0], "")) for row in rows}
            kept.update(fresh)
            found.update(fresh)
        return found

    def paths(self, listed: str) -> dict[int, str]:
        """Files of sessions, their ids listed with commas."""
        return dict(
            self.cursor.execute(
                f"select session_id, path from files where session_id in ({listed}) order by id desc"
            ).fetchall()
        )

    def matching_sessions(
        self, *, agent: str | None = None, project: str | None = None, native: str | None = None
    ) -> list[SessionRow]:
        """Sessions by filter, newest first. `project` is its name, its folder or one below it, or how a folder's path ends,
        case folded; `native` the id or a beginning of it of at least 6 characters."""
        rows = self.cursor.execute(
            f'select {_SESSION} from sessions s where {self._matching(agent, project, native)} order by s."end" desc, s.id desc'
        ).fetchall()
        found = [_session(row) for row in rows]
        exact = [row for row in found if row.native == native]
        return exact or found

    def session_ids(self, *, agent: str | None = None, project: str | None = None, native: str | None = None) -> list[int]:
        """The same sessions by id alone."""
        rows = self.cursor.execute(
            f"select s.id, s.native from sessions s where {self._matching(agent, project, native)}"
        ).fetchall()
        return [row[0] for row in rows if row[1] == native] or [row[0] for row in rows]

    def _matching(self, agent: str | None, project: str | None, native: str | None) -> str:
        moved = self.moved.held_under(project, self.workspaces()) if project and self.moved else []
        return _matching(agent, project, native, moved)

    def message_counts(self) -> dict[int, int]:
        """Messages of each session, inherited ones too."""
        rows = self.cursor.execute(
            "select session_id, count(*) from (select session_id from messages union all select session_id from copies) group by 1"
        ).fetchall()
        return {int(row[0]): int(row[1]) for row in rows}

    def agents(self) -> set[str]:
        return {row[0] for row in self.cursor.execute("select distinct agent from sessions").fetchall()}

    def session_path(self, session_id: int) -> str:
        """Path of the file a session was read from; '' if none."""
        return self.paths(str(int(session_id))).get(session_id, "")

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
        found: dict[int, list[int]] = {}
        if self.kept.copies is None:
            self.kept.copies = self.count("copies") > 0
        wanted = ", ".join(str(int(number)) for number in ids) if self.kept.copies else ""
        if wanted:
            for message, session in self.cursor.execute(
                f"select message_id, session_id from copies where message_id in ({wanted})"
            ).fetchall():
                found.setdefault(message, []).append(session)
        return found

    # --- passages ----------------------------------------------------------------------------------------------------------
    def passages(self) -> Passages:
        """The facts of all passages (4 ms for 100,000)."""
        if self.kept.passages is None:
            names = [row[0] for row in self.cursor.execute("select distinct kind from chunks order by kind").fetchall()]
            cases = " ".join(f"when {quoted(name)} then {place}" for place, name in enumerate(names))
            columns = self.cursor.execute(
                f"select id, session_id, time, case kind {cases or 'when null then 0'} end::tinyint as kind from chunks"
            ).fetchnumpy()
            ids = np.asarray(columns["id"])
            size = int(ids.max()) + 1 if len(ids) else 0
            known, session = np.zeros(size, np.bool_), np.zeros(size, np.int32)
            time, kind = np.zeros(size, np.int64), np.zeros(size, np.int8)
            known[ids], session[ids], time[ids], kind[ids] = True, columns["session_id"], columns["time"], columns["kind"]
            self.kept.passages = Passages(known, session, time, kind, tuple(names))
        return self.kept.passages

    def pieces(self, ids: Iterable[int]) -> dict[int, tuple[tuple[int, int, int], ...]]:
        """What passages are made of: (message id, start, end) by passage."""
        wanted = ", ".join(str(int(number)) for number in ids)
        if not wanted:
            return {}
        rows = self.cursor.execute(f"select id, pieces from chunks where id in ({wanted})").fetchall()
        return {row[0]: decode_pieces(row[1]) for row in rows}

    def containing(self, text: str, limit: int) -> list[int]:
        """Passages with a message that holds `text` literally, case folded, newest first. Scans all text: the last tier."""
        ids = self.cursor.execute(
            f"select id, session_id from messages where contains(lower(text), lower({_literal(text)})) order by time desc "
            f"limit {int(limit)}"
        ).fetchall()
        if not ids:
            return []
        wanted = {int(row[0]) for row in ids}
        sessions = ", ".join(sorted({str(int(row[1])) for row in ids}))
        rows = self.cursor.execute(
            f"select c.id, c.pieces from chunks c where c.session_id in ({sessions}) order by c.time desc, c.id desc"
        ).fetchall()
        return [int(row[0]) for row in rows if any(piece[0] in wanted for piece in decode_pieces(row[1]))][: int(limit)]

    def topic_cards(self, days: Sequence[int]) -> dict[int, TopicCard]:
        """What these local days (proleptic ordinals) were about, of those with a card that is kept; makes none."""
        return {day: card.card for day, card in topics.cards(self.cursor, days).items()}

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
                   count(*) filter (f.status = 'quarantined'), count(*) filter (f.truncated), count(*) filter (f.over_budget > 0),
                   count(*) filter (p.gone), sum(f.bytes), coalesce(max(p."end"), 0), count(*) filter (f.status = 'not_recognised')
            from files f left join per_session p on p.id = f.session_id
            where f.status <> 'elsewhere'
            group by f.agent, f.root
            """
        ).fetchall()
        return [SourceCounts(row[0], row[1], *(int(value) for value in row[2:])) for row in rows]

    def files_read(self, agent: str | None = None) -> list[FileMark]:
        """Files (of an agent) that were read and not known to be gone, newest first."""
        only = f"and agent = {_literal(agent)} " if agent else ""
        rows = self.cursor.execute(
            "select path, agent, root, size, mtime_ns from files where status in ('ok', 'partial', 'empty') "
            f"{only}and session_id not in (select id from sessions where gone) order by mtime_ns desc"
        ).fetchall()
        return [FileMark(*row) for row in rows]

    def problems(self, limit: int) -> list[ProblemRow]:
        """Newest files first; what is merely new to us stands behind what is broken."""
        names = ", ".join(f'"{name}"' for name in ProblemRow.__struct_fields__)
        rows = self.cursor.execute(
            f"select {names} from problems order by kind = '{drift.UNKNOWN}', file_id desc, \"offset\", reason limit ?", [limit]
        ).fetchall()
        return [ProblemRow(**dict(zip(ProblemRow.__struct_fields__, row, strict=True))) for row in rows]

    def problem_count(self) -> int:
        """Problems without the kinds of records that are merely new to us."""
        row = self.cursor.execute(f"select count(*) from problems where kind <> '{drift.UNKNOWN}'").fetchone()
        return int(row[0]) if row else 0

    def drifts(self) -> list[drift.Drift]:
        """See `drift.drifts`."""
        return drift.drifts(self.cursor)

    def titles(self, sessions: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Titles of sessions by agent and native id, of those that are in the index."""
        return self._texts(sessions, "title")

    def session_folders(self, sessions: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """The same of their folders."""
        return self._texts(sessions, "cwd")

    def _texts(self, sessions: Iterable[tuple[str, str]], column: str) -> dict[tuple[str, str], str]:
        wanted = ", ".join(f"({_literal(agent)}, {_literal(native)})" for agent, native in set(sessions))
        if not wanted:
            return {}
        rows = self.cursor.execute(
            f"select agent, native, {column} from sessions where (agent, native) in ({wanted})"
        ).fetchall()
        return {(row[0], row[1]): row[2] for row in rows}

    def workspaces(self) -> list[str]:
        """Folders that sessions name, most recent first."""
        rows = self.cursor.execute(
            "select cwd from sessions where cwd <> '' and agent <> 'memory' group by cwd order by max(\"end\") desc"
        ).fetchall()
        return [row[0] for row in rows]


def _session(row: Sequence[object]) -> SessionRow:
    return SessionRow(**dict(zip(SessionRow.__struct_fields__, row, strict=True)))  # type: ignore[arg-type]


def _literal(text: str) -> str:
    """Anything a person or a program may give, as an SQL literal: no NUL, no half of a surrogate pair."""
    return quoted(text.replace("\0", "").encode("utf-8", "replace").decode("utf-8"))


def _matching(agent: str | None, project: str | None, native: str | None, folders: Sequence[str]) -> str:
    """SQL over sessions (alias s); `folders` are of the project as well."""
    conditions = ["true"]
    if agent:
        conditions.append(f"s.agent = {_literal(agent)}")
    if project:
        listed = ", ".join(map(_literal, folders))
        conditions.append(f"({_in_project(project)} or s.cwd in ({listed}))" if folders else _in_project(project))
    if native:
        given = _literal(native)
        begins = f" or starts_with(s.native, {given}) or starts_with(s.native, 'session-' || {given})"
        conditions.append(f"(s.native = {given}{begins if len(native) >= SHORTEST_ID else ''})")
    return " and ".join(conditions)


def _in_project(project: str) -> str:
    """SQL over sessions (alias s): a project's name, its folder or one below it, or how the path of its folder ends."""
    path = project.replace("\\", "/").removeprefix("~/").rstrip("/") or project
    folder = "lower(replace(s.cwd, '\\', '/'))"
    given = f"lower({_literal(path)})"
    below = f"starts_with({folder}, {given} || '/')" if path.startswith("/") or path[1:3] == ":/" else "false"
    return f"(lower(s.project) = {given} or {folder} = {given} or {below} or ends_with({folder}, '/' || {given}))"
