"""How fast session files become searchable, in megabytes of raw JSONL a second, beside FTS5 fed with the same text.

    python tests/benchmarks/bench_indexing.py [--passages 5000] [--appends 20]

Makes sessions in Claude Code's shape (see `bench_search`), reads them with a new engine, then a second time with nothing
changed, then appends a few lines to one file again and again. SQLite's FTS5 gets the words of the same passages, already read,
cleaned and cut, so its figure is a bound that no reader of files can meet. Prints wall and processor seconds, the size of the
index against its text, and peak memory. It gates nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.bench_search import fts5, vocabulary, write_sessions
from data.claude_files import Chat, encode

from tray_app.engine import Engine
from tray_app.paths import Paths
from tray_app.settings import Settings


def run(folder: Path, passages: int, appends: int) -> None:
    """The whole benchmark in one folder."""
    dice = random.Random(7)
    raw = write_sessions(folder, passages, vocabulary(dice), dice)
    os.environ.update(BACKSCROLL_SOURCES_HOME=str(folder), BACKSCROLL_HOME=str(folder / "backscroll"))
    paths = Paths.from_environment()
    engine = Engine(paths, Settings(paths.settings_file))
    engine.open_or_raise()
    started, used = time.perf_counter(), time.process_time()
    totals = engine.index(all_sources=True).totals
    wall, processor = time.perf_counter() - started, time.process_time() - used
    print(
        f"{raw / 1e6:,.1f} MB, {totals.chunks:,} passages: {wall:.2f} s, processor {processor:.2f} s, {raw / 1e6 / processor:.1f} MB/s"
    )

    started = time.perf_counter()
    engine.index()
    print(f"nothing changed: {(time.perf_counter() - started) * 1e3:,.0f} ms")

    file = next((folder / ".claude" / "projects" / "-bench").iterdir())
    chat = Chat(file.stem)
    taken = []
    for number in range(appends):
        with file.open("ab") as target:
            target.write(encode([chat.user(f"appended question {number}?"), chat.answer(f"appended answer {number}.")]))
        started = time.perf_counter()
        engine.index()
        taken.append((time.perf_counter() - started) * 1e3)
    print(f"two lines more: p50 {statistics.median(taken):,.0f} ms, most {max(taken):,.0f} ms")

    status = engine.status()
    print(f"index {status.index_bytes / 1e6:,.1f} MB, {status.index_bytes / max(status.text_bytes, 1):.2f} of its text")
    started = time.process_time()
    with engine._reading() as reader:
        fts5(reader)
    theirs = time.process_time() - started
    print(f"SQLite FTS5, the same words: {theirs:.2f} s, {raw / 1e6 / theirs:.1f} MB/s; ours / FTS5 {processor / theirs:.2f}")
    if sys.platform != "win32":
        import resource

        unit = 1e6 if sys.platform == "darwin" else 1e3
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit:,.0f} MB")
    engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--passages", type=int, default=5_000)
    parser.add_argument("--appends", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), given.passages, given.appends)


if __name__ == "__main__":
    main()
