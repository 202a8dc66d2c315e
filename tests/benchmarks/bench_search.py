"""Questions to a library of made-up sessions, beside SQLite's FTS5 over the same passages in the same run.

    python tests/benchmarks/bench_search.py [--passages 5000] [--questions 100] [--limit 20] [--data FOLDER]

Makes sessions in Claude Code's shape in a throw-away folder (words by Zipf's law, English and Chinese), reads them with the
engine, puts the text of every passage into an FTS5 table (its words cut as ours are, since FTS5 knows no Chinese), and asks
both the same questions of one to six words. Prints wall and processor milliseconds at the 50th and 95th of a hundred, and
their ratio. FTS5 only lists the best rows; the engine's figure is for the whole answer: filters, verdict, marks and snippets.
`--data` keeps the library there and uses it again. It gates nothing: figures belong to the machine they were taken on.
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from data.claude_files import START, Chat, make_id, write

from tray_app.engine import Engine
from tray_app.library.reading import Reader
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.settings import Settings
from tray_app.text.segment import query_tokens, tokens

SYLLABLES = ("ba", "con", "de", "fi", "gra", "ho", "in", "jo", "ka", "lu", "mo", "ne", "or", "pi", "qua", "re", "su", "ti")
CHARACTERS = "数据库迁移方案连接池超时重试队列消息幂等键索引缓存失效部署回滚日志监控权限登录会话令牌测试覆盖接口返回参数"
ROUNDS = 12
"""Rounds a session."""


def vocabulary(dice: random.Random, size: int = 20_000) -> list[str]:
    """Words, the commonest first; every fourth is Chinese."""
    words: dict[str, None] = {}
    while len(words) < size:
        if len(words) % 4:
            word = "".join(dice.choice(SYLLABLES) for _ in range(dice.randint(1, 4)))
        else:
            word = "".join(dice.choice(CHARACTERS) for _ in range(dice.randint(2, 4)))
        words[word] = None
    return list(words)


def write_sessions(home: Path, passages: int, words: Sequence[str], dice: random.Random) -> int:
    """Sessions with about so many passages. Returns their bytes."""
    weights = [1 / (place + 2) for place in range(len(words))]
    size = 0
    for number in range(max(passages // ROUNDS, 1)):
        chat = Chat(f"bench-{number}", cwd=f"/home/kim/project-{number % 40}")
        rows: list[object] = []
        for minute in range(ROUNDS):
            at = number * 60 % 80_000 + minute
            said = dice.choices(words, weights, k=dice.randint(40, 130))
            rows.append(chat.user(" ".join(said[:12]) + "?", at))
            rows.append(chat.answer(" ".join(said[12:]) + ".", at))
        path = home / ".claude" / "projects" / "-bench" / f"{make_id(chat.label)}.jsonl"
        size += write(path, rows).stat().st_size  # type: ignore[arg-type]
    return size


def questions(words: Sequence[str], count: int, dice: random.Random) -> list[str]:
    """One to six words, common and rare ones mixed."""
    weights = [1 / (place + 40) for place in range(len(words))]
    return [" ".join(dice.choices(words, weights, k=dice.randint(1, 6))) for _ in range(count)]


def fts5(reader: Reader) -> sqlite3.Connection:
    """All passages in an FTS5 table in memory."""
    table = sqlite3.connect(":memory:")
    table.execute("create virtual table passages using fts5(words, content='')")
    ids = [row[0] for row in reader.cursor.execute("select id from chunks order by id").fetchall()]
    for start in range(0, len(ids), 2_000):
        pieces = reader.pieces(ids[start : start + 2_000])
        messages = reader.messages({piece[0] for parts in pieces.values() for piece in parts})
        rows = [
            (number, " ".join(token for at, first, last in parts for token in tokens(messages[at].text[first:last])))
            for number, parts in pieces.items()
        ]
        table.executemany("insert into passages(rowid, words) values (?, ?)", rows)
    return table


def timed(ask: Callable[[str], object], asked: Sequence[str]) -> tuple[list[float], list[float]]:
    """Wall and processor milliseconds of each question."""
    wall, processor = [], []
    for question in asked:
        started, used = time.perf_counter(), time.process_time()
        ask(question)
        wall.append((time.perf_counter() - started) * 1e3)
        processor.append((time.process_time() - used) * 1e3)
    return wall, processor


def told(name: str, wall: Sequence[float], processor: Sequence[float]) -> tuple[float, float]:
    """Print the middle and the 95th of a hundred; return those of the wall clock."""
    middle, late = statistics.median(wall), statistics.quantiles(wall, n=20)[-1]
    used, used_late = statistics.median(processor), statistics.quantiles(processor, n=20)[-1]
    print(f"{name:28} wall p50 {middle:7.2f}  p95 {late:7.2f}   processor p50 {used:7.2f}  p95 {used_late:7.2f} ms")
    return middle, late


def run(folder: Path, passages: int, count: int, limit: int) -> None:
    """The whole benchmark in one folder."""
    dice = random.Random(7)
    words = vocabulary(dice)
    if not (folder / ".claude").exists():
        print(f"{write_sessions(folder, passages, words, dice) / 1e6:,.0f} MB of sessions written")
    os.environ.update(BACKSCROLL_SOURCES_HOME=str(folder), BACKSCROLL_HOME=str(folder / "backscroll"))
    paths = Paths.from_environment()
    engine = Engine(paths, Settings(paths.settings_file))
    totals = engine.index(all_sources=True).totals
    print(f"{totals.sessions:,} sessions, {totals.chunks:,} passages")
    asked = questions(words, count, random.Random(11))
    now = (START + timedelta(days=70)).astimezone(UTC).isoformat()

    def ask(question: str) -> object:
        return engine.search(SearchRequest(query=question, limit=limit, now=now))

    with engine._reading() as reader:
        table = fts5(reader)

    def match(question: str) -> object:
        wanted = " OR ".join(f'"{token}"' for token in query_tokens(question))
        return table.execute(
            "select rowid, rank from passages where passages match ? order by rank limit ?", (wanted, limit)
        ).fetchall()

    ask(asked[0])
    match(asked[0])
    ours = told("whole answer", *timed(ask, asked))
    told("the same questions again", *timed(ask, asked))
    theirs = told("SQLite FTS5, rows alone", *timed(match, asked))
    print(f"ours / FTS5: p50 {ours[0] / theirs[0]:.2f}, p95 {ours[1] / theirs[1]:.2f}")
    engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--passages", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--data", type=Path)
    given = parser.parse_args()
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    if given.data:
        given.data.mkdir(parents=True, exist_ok=True)
        run(given.data, given.passages, given.questions, given.limit)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), given.passages, given.questions, given.limit)


if __name__ == "__main__":
    main()
