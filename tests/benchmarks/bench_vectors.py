"""Vectors at size: writing, loading, refreshing and scanning 100,000 of 512 dimensions. Prints, gates nothing.

python tests/benchmarks/bench_vectors.py [passages] [dims]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tray_app.library import vectors
from tray_app.library.connection import Connection, insert, open_index
from tray_app.library.matrix import Matrix
from tray_app.library.vectors import Found, VectorWriter

WRITTEN = 512


def resident() -> int:
    """MB of this process; 0 where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return 0
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024


def milliseconds(work: Callable[[], object], times: int = 15) -> str:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    taken.sort()
    return f"{taken[times // 2]:6.1f} ms (least {taken[0]:.1f}, most {taken[-1]:.1f})"


def add_passages(cursor: Connection, first: int, count: int) -> None:
    ids = np.arange(first, first + count, dtype=np.int32)
    insert(cursor, "chunks", {
        "id": ids, "session_id": ids // 50, "round": ids // 5, "kind": ["round" if number % 3 else "tool" for number in ids],
        "time": ids.astype(np.int64) * 1000, "pieces": [b"\x90"] * count, "size": ids,
    })  # fmt: skip


def add_vectors(writer: VectorWriter, ids: np.ndarray, dims: int, dice: np.random.Generator) -> float:
    """Seconds that writing took."""
    space, taken = writer.open_space("bench", dims), 0.0
    for start in range(0, len(ids), WRITTEN):
        some = [int(number) for number in ids[start : start + WRITTEN]]
        rows = vectors.passage_rows(writer.cursor, some)
        made = dice.standard_normal((len(some), dims), dtype=np.float32) + 0.6
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        found = [Found(number, rows[number], number % 2, made[place : place + 1]) for place, number in enumerate(some)]
        begun = time.perf_counter()
        writer.add(space, found, ())
        taken += time.perf_counter() - begun
    return taken


def load(cursor: Connection, former: Matrix | None = None, exact: int = vectors.EXACT_BYTES) -> Matrix:
    cursor.execute("begin")
    try:
        made = vectors.load(cursor, "bench", former, lambda: False, exact=exact)
    finally:
        cursor.execute("rollback")
    assert made is not None
    return made


def main(count: int, dims: int) -> None:
    dice = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "index.duckdb")
        opened = open_index(file)
        add_passages(opened.cursor(), 0, count)
        with VectorWriter(opened) as writer:
            seconds = add_vectors(writer, np.arange(count), dims, dice)
        print(f"write {count:,} x {dims} in {WRITTEN}s: {count / seconds:,.0f} a second")
        opened.close()
        opened = open_index(file)
        print(f"file: {file.stat().st_size / 1e6:.0f} MB")
        cursor = opened.cursor()
        before = resident()
        begun = time.perf_counter()
        matrix = load(cursor)  # as bytes, at this size
        print(f"load: {time.perf_counter() - begun:.2f} s, +{resident() - before} MB, vectors {matrix.nbytes / 1e6:.0f} MB")
        query = matrix.facts.question(dice.standard_normal(dims).astype(np.float32), 1)
        print("scan:          ", milliseconds(lambda: matrix.scan(query)))
        scores = matrix.scan(query)
        print("best by chunk: ", milliseconds(lambda: matrix.best_by_chunk(scores)))
        print("amounts:       ", milliseconds(lambda: vectors.amounts(cursor, "bench")))
        print("missing:       ", milliseconds(lambda: vectors.missing(cursor, 0)))
        some = [int(number) for number in dice.choice(count, 200, replace=False)]
        print("standing (200):", milliseconds(lambda: vectors.standing(cursor, matrix, some)))
        add_passages(opened.cursor(), count, 1_000)
        with VectorWriter(opened) as writer:
            add_vectors(writer, np.arange(count, count + 1_000), dims, dice)
        opened.cursor().execute("delete from vectors where chunk_id between 100 and 149")
        begun = time.perf_counter()
        newer = load(cursor, matrix)
        print(f"refresh, 1,000 new and 50 gone: {(time.perf_counter() - begun) * 1000:.0f} ms, {len(newer):,} vectors")
        begun = time.perf_counter()
        exactly = load(cursor, None, 1 << 40)
        print(f"load as float32: {time.perf_counter() - begun:.2f} s, vectors {exactly.nbytes / 1e6:.0f} MB")
        print("scan float32:  ", milliseconds(lambda: exactly.scan(query)))
        exact, near = exactly.best_by_chunk(exactly.scan(query)), newer.best_by_chunk(newer.scan(query))
        top = [set(ids[np.argsort(-values)[:50]].tolist()) for ids, values in (exact, near)]
        print(f"best 50 the same: {len(top[0] & top[1])}; largest difference {np.abs(exact[1] - near[1]).max():.4f}")
        opened.close()


if __name__ == "__main__":
    main(
        *(int(value) for value in [*sys.argv[1:], "100000", "512"][:2])
        if len(sys.argv) > 2
        else (int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, 512)
    )
