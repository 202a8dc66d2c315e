"""A small library of made-up talk of three agents, read by the real engine, and the moment it is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from concepts import ConceptEmbedder
from data import claude_files, codex_files, dsh_files

from tray_app.engine import Engine
from tray_app.paths import Paths
from tray_app.records import Answer, Hit, SearchRequest
from tray_app.settings import Settings

NOW = datetime(2026, 10, 1, 9, tzinfo=UTC)
"""A Thursday."""
PATIENCE_MS = 20_000
"""Far more than a vector takes: what is found depends on no clock."""
Said = tuple[str, str]
"""Who (user | assistant | tool) and what."""

REPEATED = "Always run the linter before you commit anything to the main branch of this repository, please."

CHATS: dict[str, tuple[str, datetime, Sequence[Said]]] = {
    "pool": (
        "/home/kim/shop",
        datetime(2026, 9, 14, 8, tzinfo=UTC),
        [
            ("user", "Which connection pool size did we pick for PostgreSQL?"),
            ("assistant", "We settled on twelve connections, because PgBouncer sits in front. The ceiling is max_connections."),
            ("tool", "grep -rn max_connections deploy/values.yaml"),
            ("user", "And the statement timeout?"),
            ("assistant", "Thirty seconds; the nightly export is exempt."),
        ],
    ),
    "queue": (
        "/home/kim/shop/worker",
        datetime(2026, 9, 30, 10, tzinfo=UTC),
        [
            ("user", "重试队列为什么会丢消息？"),
            ("assistant", "因为确认发生在处理之前，而且幂等键没有写入数据库。把确认挪到提交之后就好了。"),
            ("user", "deploy 🚀 done, the café menu is naïve"),
            ("assistant", "Good: the rollout took 30 % less time (see C++ notes, a:b and GB/s)."),
        ],
    ),
    "lint-1": ("/home/kim/blog", datetime(2026, 9, 20, 8, tzinfo=UTC), [("user", REPEATED), ("assistant", "Noted.")]),
    "lint-2": ("/home/kim/wiki", datetime(2026, 9, 22, 8, tzinfo=UTC), [("user", REPEATED), ("assistant", "Noted.")]),
    "lint-3": ("/home/kim/site", datetime(2026, 9, 24, 8, tzinfo=UTC), [("user", REPEATED), ("assistant", "Noted.")]),
    "ahead": (
        "/home/kim/clock",
        NOW + timedelta(days=400),
        [("user", "The futureword stands in a file from a wrong clock."), ("assistant", "So it does.")],
    ),
    "behind": (
        "/home/kim/clock",
        NOW - timedelta(days=3),
        [("user", "The futureword stands in a file from a right clock."), ("assistant", "So it does.")],
    ),
    "snow": (
        "/home/kim/garden",
        datetime(2026, 8, 5, 8, tzinfo=UTC),
        [("user", "Does the frostfree shed need a kubernetes heater?"), ("assistant", "No: the shed is insulated with straw.")],
    ),
}

MEANT: dict[str, tuple[str, datetime, Sequence[Said]]] = {
    "weather": (
        "/home/kim/greenhouse",
        datetime(2026, 9, 12, 8, tzinfo=UTC),
        [
            ("user", "Did the tempest harm the skylight of the greenhouse?"),
            ("assistant", "Yes: the gale tore off two panes, so plywood is nailed over them."),
        ],
    ),
    "weather-new": (
        "/home/kim/cottage",
        datetime(2026, 9, 30, 12, tzinfo=UTC),
        [
            ("user", "Another gale hit the cottage, was the skylight smashed?"),
            ("assistant", "The tempest tore one pane."),
            ("user", "Order a glazier for Friday."),
            ("assistant", "Ordered."),
        ],
    ),
    "weather-zh": (
        "/home/kim/greenhouse",
        datetime(2026, 9, 18, 8, tzinfo=UTC),
        [("user", "暴风把天窗砸坏了吗"), ("assistant", "砸坏了两块，已经用胶合板钉上。")],
    ),
    "lamp": (
        "/home/kim/lighthouse",
        datetime(2026, 9, 5, 8, tzinfo=UTC),
        [("user", "The lighthouse lamp flickers."), ("assistant", "It flickers at dusk, because its lens is cracked.")],
    ),
    "lamp-echo": (
        "/home/kim/lighthouse",
        datetime(2026, 9, 25, 8, tzinfo=UTC),
        [
            ("user", "Please look up what was said about it."),
            ("assistant", "You asked: “Why does the lighthouse lamp flicker at dusk?” There is nothing about that yet."),
        ],
    ),
    "fjord-echo": (
        "/home/kim/harbour",
        datetime(2026, 9, 26, 8, tzinfo=UTC),
        [
            ("user", "And the other thing?"),
            ("assistant", "You asked: “Which catamaran crosses the fjord around midnight?” There is nothing about that yet."),
        ],
    ),
}
"""More talk, of the library that is also searched by meaning."""


def chat_rows(label: str, cwd: str, start: datetime, said: Sequence[Said]) -> list[claude_files.Row | bytes]:
    """The lines of a Claude Code session, a minute for each thing said."""
    chat = claude_files.Chat(label, cwd=cwd)
    first = (start - claude_files.START) / timedelta(minutes=1)
    rows: list[claude_files.Row | bytes] = []
    for place, (who, words) in enumerate(said):
        if who == "user":
            rows.append(chat.user(words, first + place))
        elif who == "tool":
            rows.append(chat.call(f"call-{label}-{place}", "Bash", {"command": words}, first + place))
        else:
            rows.append(chat.answer(words, first + place))
    return rows


def claude_file(home: Path, label: str) -> Path:
    return home / ".claude" / "projects" / "-made-up" / f"{claude_files.make_id(label)}.jsonl"


def add_chat(home: Path, label: str, cwd: str, start: datetime, said: Sequence[Said]) -> Path:
    return claude_files.write(claude_file(home, label), chat_rows(label, cwd, start, said))


def fill(home: Path, *, more: bool = False) -> None:
    """Write all files below a home."""
    for label, (cwd, start, said) in (CHATS | MEANT if more else CHATS).items():
        add_chat(home, label, cwd, start, said)
    codex_files.written(
        home / ".codex",
        [
            codex_files.meta(),
            codex_files.item(5, "user", "The nightly build fails with E0277 in src/parser.rs"),
            codex_files.item(9, "assistant", "Implement Display for ParseFault; version 3.11.7 is not to blame."),
        ],
    )
    log = dsh_files.conversation(4)
    dsh_files.put(home / ".dsh", dsh_files.frames(dsh_files.header(4), log.rows))


def make_engine(home: Path, embedder: ConceptEmbedder | None = None) -> Engine:
    """An engine on the files of a home; nothing is read yet. Needs the environment to point there. Without a back end for
    meaning words answer alone."""
    paths = Paths.from_environment()
    engine = Engine(paths, Settings(paths.settings_file))
    engine.settings.set("meaning.backend", "builtin" if embedder else "off")
    engine.sense._make = lambda values, *, cache, key: None if values["meaning.backend"] == "off" else embedder
    return engine


class World:
    """The engine, and questions in few words."""

    def __init__(self, engine: Engine, home: Path, embedder: ConceptEmbedder | None = None) -> None:
        self.engine, self.home, self._embedder = engine, home, embedder

    @property
    def embedder(self) -> ConceptEmbedder:
        assert self._embedder is not None
        return self._embedder

    def ask(self, query: str, **more: object) -> Answer:
        given = {"now": NOW.isoformat(), "patience_ms": PATIENCE_MS, **more}
        return self.engine.search(SearchRequest(query=query, **given))  # type: ignore[arg-type]

    def sessions(self, query: str, **more: object) -> list[str]:
        """Labels of the sessions found, best first; ids where there is no label."""
        names = {claude_files.make_id(label): label for label in CHATS | MEANT}
        names |= {codex_files.SESSION: "codex", dsh_files.SESSION: "dsh"}
        return [names.get(session.session, session.session) for session in self.ask(query, **more).sessions]

    def hits(self, query: str, **more: object) -> list[Hit]:
        """All hits by rank."""
        answer = self.ask(query, **more)
        return sorted((hit for session in answer.sessions for hit in session.hits), key=lambda hit: hit.rank)
