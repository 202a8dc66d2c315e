"""A small library of made-up talk of three agents, read by the real engine, and the moment it is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from data import claude_files, codex_files, dsh_files

from tray_app.engine import Engine
from tray_app.paths import Paths
from tray_app.records import Answer, Hit, SearchRequest
from tray_app.settings import Settings

NOW = datetime(2026, 10, 1, 9, tzinfo=UTC)
"""A Thursday."""
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


def fill(home: Path) -> None:
    """Write all files below a home."""
    for label, (cwd, start, said) in CHATS.items():
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


def make_engine(home: Path) -> Engine:
    """An engine on the files of a home; nothing is read yet. Needs the environment to point there."""
    paths = Paths.from_environment()
    return Engine(paths, Settings(paths.settings_file))


class World:
    """The engine, and questions in few words."""

    def __init__(self, engine: Engine, home: Path) -> None:
        self.engine, self.home = engine, home

    def ask(self, query: str, **more: object) -> Answer:
        return self.engine.search(SearchRequest(query=query, **{"now": NOW.isoformat(), **more}))  # type: ignore[arg-type]

    def sessions(self, query: str, **more: object) -> list[str]:
        """Labels of the sessions found, best first; ids where there is no label."""
        names = {claude_files.make_id(label): label for label in CHATS}
        names |= {codex_files.SESSION: "codex", dsh_files.SESSION: "dsh"}
        return [names.get(session.session, session.session) for session in self.ask(query, **more).sessions]

    def hits(self, query: str, **more: object) -> list[Hit]:
        """All hits by rank."""
        answer = self.ask(query, **more)
        return sorted((hit for session in answer.sessions for hit in session.hits), key=lambda hit: hit.rank)
