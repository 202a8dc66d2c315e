"""A made-up home, a real index file, and what stands in it, told without ids so that two libraries can be compared.

Owns the running of passes for the tests of indexing. The strongest check is `assert_like_fresh`: whatever happened before,
the library must equal one that reads the same files from nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from typing import Any

from tray_app.indexing.passes import Pass
from tray_app.indexing.plan import Source
from tray_app.indexing.prepare import Rules
from tray_app.indexing.room import Budgets
from tray_app.library.connection import OpenedIndex, open_index
from tray_app.library.migrations import FTS
from tray_app.library.store import Store, decode_pieces
from tray_app.paths import SourcesHome
from tray_app.sources.base import Adapter, Context, Limits
from tray_app.sources.registry import adapter
from tray_app.text.segment import tokens

ROOTS = {"claude_code": ".claude/projects", "codex": ".codex", "dsh": ".dsh"}
PLENTY = 1 << 30


class World:
    """`home` holds the agents' folders; `file` is the index. Settings of a pass are plain attributes."""

    def __init__(self, home: Path, file: Path) -> None:
        self.home, self.file = home, file
        self.opened: OpenedIndex = open_index(file)
        self.sources = [Source(agent, agent, home / root) for agent, root in ROOTS.items()]
        self.rules = Rules()
        self.limits = Limits()
        self.budgets = Budgets(PLENTY, PLENTY)
        self.adapters: Callable[[str], Adapter] = adapter
        self.stop: Callable[[], bool] = lambda: False

    def close(self) -> None:
        self.opened.close()

    def root(self, agent: str) -> Path:
        return next(source.root for source in self.sources if source.agent == agent)

    def index(self, *, anew: bool = False) -> Pass:
        """One pass. `anew` has all read whole."""
        store = Store(self.opened)
        try:
            if anew:
                with store.transaction():
                    store.ask_anew()
            done = Pass(
                store, self.adapters, Context(home=SourcesHome(self.home, {}, confined=True)), rules=self.rules,
                limits=self.limits, budgets=self.budgets, zone=UTC, report=lambda progress: None, stop=self.stop,
            )  # fmt: skip
            done.run(self.sources)
        finally:
            store.close()
        return done

    def read_bytes(self) -> int:
        """Bytes that a pass reads now."""
        return sum(self.index().bytes_read.values())

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        cursor = self.opened.cursor()
        try:
            yield cursor
        finally:
            cursor.close()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self.cursor() as cursor:
            return cursor.execute(query, list(values)).fetchall()

    # --- what stands in it -----------------------------------------------------------------------------------------------
    def texts(self, session: str | None = None) -> list[str]:
        """Texts of messages, each once; of one session its own."""
        if session is None:
            return [row[0] for row in self.rows("select text from messages order by session_id, seq")]
        return [
            row[0]
            for row in self.rows(
                "select m.text from messages m join sessions s on s.id = m.session_id where s.native = ? order by m.seq",
                session,
            )
        ]

    def talk(self, session: str) -> list[tuple[str, str, bool]]:
        """A session as it is shown: (role, text, inherited)."""
        rows = self.rows(
            "with s as (select id from sessions where native = ?) select role, text, inherited from ("
            "select m.role, m.text, false as inherited, m.seq from messages m join s on s.id = m.session_id union all "
            "select m.role, m.text, true, c.seq from copies c join s on s.id = c.session_id join messages m on m.id = c.message_id"
            ") order by seq",
            session,
        )
        return [(role, text, inherited) for role, text, inherited in rows]

    def find(self, *words: str) -> list[str]:
        """Native ids of the sessions whose passages hold any of the words, one for each passage."""
        rows = self.rows(
            f"select distinct c.id, s.native from {FTS}.dict d join {FTS}.post p on p.termid = d.termid "
            "join chunks c on c.id = p.docid join sessions s on s.id = c.session_id where list_contains(?, d.term) order by s.native",
            [token for word in words for token in tokens(word)],
        )
        return [native for _, native in rows]

    def statuses(self) -> dict[str, tuple[str, str]]:
        """Status and reason of each file, by name."""
        return {Path(row[0]).name: (row[1], row[2]) for row in self.rows("select path, status, reason from files")}

    def content(self) -> dict[str, Any]:
        """Everything that can be seen, without ids."""
        sessions = {
            row[0]: (row[1], row[2])
            for row in self.rows("select id, agent, native from sessions where id in (select session_id from files)")
        }
        facts = self.rows(
            'select agent, native, title, cwd, project, start, "end", kind, parent, model, branch, version, messages from sessions order by 1, 2'
        )
        messages = {
            row[0]: (sessions[row[1]], *row[2:])
            for row in self.rows("select id, session_id, seq, native, role, tool, time, text, identity, files from messages")
        }
        terms = defaultdict(list)
        for doc, term, tf, length in self.rows(
            f"select p.docid, d.term, p.tf, p.len from {FTS}.post p join {FTS}.dict d on d.termid = p.termid"
        ):
            terms[doc].append((term, tf, length))
        chunks = [
            (sessions[session], kind, time, size,
             tuple((messages[number][0], messages[number][1], start, end) for number, start, end in decode_pieces(pieces)),
             tuple(sorted(terms[number_])))
            for number_, session, kind, time, size, pieces in self.rows("select id, session_id, kind, time, size, pieces from chunks")
        ]  # fmt: skip
        return {
            "sessions": facts,
            "messages": sorted(messages.values()),
            "copies": sorted(
                (sessions[row[0]], messages[row[1]][0], messages[row[1]][1], row[2])
                for row in self.rows("select session_id, message_id, seq from copies")
            ),
            "chunks": sorted(chunks),
            "words": sorted(self.rows(f"select term, df from {FTS}.dict where df > 0")),
            "stats": self.rows(f"select num_docs, avgdl from {FTS}.stats"),
            "usage": sorted(
                (sessions[row[0]], *row[1:])
                for row in self.rows("select session_id, key, time, model, input, output, cache_read, cache_write from usage")
            ),
            "files": sorted(
                self.rows("select unit, status, skipped, unknown, redacted, truncated, records, recognised from files")
            ),
            "problems": sorted(self.rows('select path, line, "offset", kind from problems')),
        }

    def assert_sound(self) -> None:
        """Nothing points nowhere, and the counts of the dictionary are those of the passages."""
        assert_sound(self)

    def assert_like_fresh(self, where: Path) -> None:
        """The library equals one that reads the same files from nothing."""
        self.assert_sound()
        fresh = World(self.home, where)
        try:
            fresh.sources, fresh.rules, fresh.limits, fresh.adapters = self.sources, self.rules, self.limits, self.adapters
            fresh.index()
            fresh.assert_sound()
            mine, theirs = self.content(), fresh.content()
            for name in theirs:
                assert mine[name] == theirs[name], name
        finally:
            fresh.close()
            where.unlink()


def assert_sound(world: World) -> None:
    def none(query: str) -> None:
        rows = world.rows(query)
        assert rows == [], query

    none("select id from messages where session_id not in (select id from sessions)")
    none("select id from messages group by id having count(*) > 1")
    none("select identity from messages group by identity having count(*) > 1")
    none("select session_id from copies where session_id not in (select id from sessions)")
    none("select message_id from copies where message_id not in (select id from messages)")
    none("select c.message_id from copies c join messages m on m.id = c.message_id where m.session_id = c.session_id")
    none("select session_id, message_id from copies group by all having count(*) > 1")
    none(
        "select session_id, seq from (select session_id, seq from messages union all select session_id, seq from copies) group by all having count(*) > 1"
    )
    none("select id from chunks where session_id not in (select id from sessions)")
    none("select session_id from usage where session_id not in (select id from sessions)")
    none("select file_id from problems where file_id >= 0 and file_id not in (select id from files)")
    none("select id from sessions where id not in (select session_id from files)")
    none("select id from files where session_id >= 0 and session_id not in (select id from sessions)")
    none("select id from files group by id having count(*) > 1")
    none(f"select docid from {FTS}.docs where docid not in (select id from chunks)")
    none(f"select id from chunks where id not in (select docid from {FTS}.docs)")
    none(f"select docid from {FTS}.post where docid not in (select docid from {FTS}.docs)")
    none(f"select d.docid from {FTS}.docs d join {FTS}.post p on p.docid = d.docid where p.len <> d.len")
    none(
        f"select d.termid, d.df, p.n from {FTS}.dict d left join (select termid, count(*) n from {FTS}.post group by termid) p "
        "on p.termid = d.termid where d.df <> coalesce(p.n, 0)"
    )
    none(f"select termid from {FTS}.post where termid not in (select termid from {FTS}.dict)")
    none(f"select term from {FTS}.dict group by term having count(*) > 1")
    count, mean = world.rows(f"select count(*), avg(len) from {FTS}.docs")[0]
    kept, kept_mean = world.rows(f"select num_docs, avgdl from {FTS}.stats")[0]
    assert kept == count
    assert (kept_mean or 0) == (mean or 0) or abs(kept_mean - mean) < 1e-9
    texts = dict(world.rows("select id, text from messages"))
    owners = dict(world.rows("select id, session_id from messages"))
    covered: Counter[int] = Counter()
    for session, pieces in world.rows("select session_id, pieces from chunks"):
        for number, start, end in decode_pieces(pieces):
            assert owners[number] == session
            assert 0 <= start < end <= len(texts[number])
            covered[number] += 1
    missing = [texts[number][:40] for number in texts if not covered[number]]
    assert missing == []
