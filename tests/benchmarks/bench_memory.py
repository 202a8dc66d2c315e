"""Memory at size: 10,000 memories of 300 projects with vectors; remembering, recall, the list of projects. Prints, gates nothing.

python tests/benchmarks/bench_memory.py [memories] [projects]
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "memory"))

from memory_world import MemoryWorld

from tray_app.embed.asked import Question
from tray_app.embed.base import Asked, QueryVector
from tray_app.library.memory.rows import MemoryRow
from tray_app.memory.memories import content_hash
from tray_app.memory.recalling import recall
from tray_app.memory.transfer import export_memory, import_memory

SPACE, DIMS = "bench|none|384||unit", 384
SAID = (
    "The connection pool holds ten connections, since the database allows no more than twelve of them at once.",
    "数据库每晚两点备份，失败时发一封邮件给值班的人。",
    "Retry a webhook five times with growing pauses; then it goes to the dead letter queue and somebody looks at it.",
    "Never run the migration of the orders table by day: it locks the table for eleven minutes.",
    "登录令牌十五分钟后过期，刷新令牌三十天，存放在密钥环里。",
    "The cache of rendered pages is keyed by language and theme; a release empties it.",
)
ASKED = (
    "how large is the connection pool",
    "数据库什么时候备份",
    "webhook retry",
    "orders migration lock",
    "令牌过期 多久",
    "page cache",
)
KINDS = ("decision", "fact", "pitfall", "todo", "session", "changelog")


def percentiles(work: Callable[[], object], times: int) -> str:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    taken.sort()
    return f"{taken[times // 2]:6.1f} ms, p95 {taken[int(times * 0.95)]:.1f}"


def fill(world: MemoryWorld, memories: int, projects: int) -> np.ndarray:
    dice = np.random.default_rng(7)
    for number in range(projects):
        world.project(f"project-{number}")
        world.saw(str(world.root / f"project-{number}" / "src"), sessions=3, last=number)
    with world.store.change() as change:
        for number in range(1, memories + 1):
            said = " ".join(SAID[at] for at in dice.integers(0, len(SAID), 4)) + f" Ticket {number}."
            row = MemoryRow(
                id=number, project=f"project-{number % projects}", kind=KINDS[number % len(KINDS)], title=said[:60], content=said,
                hash=content_hash(said), created=number, updated=number,
            )  # fmt: skip
            change.put(row)
    vectors = dice.standard_normal((memories, DIMS)).astype(np.float32)
    world.store.put_vectors(SPACE, dict(zip(range(1, memories + 1), vectors, strict=True)))
    return vectors


def main() -> None:
    memories, projects = (int(word) for word in (*sys.argv[1:], "10000", "300")[:2])
    with tempfile.TemporaryDirectory() as folder:
        world = MemoryWorld(Path(folder))
        start = time.perf_counter()
        vectors = fill(world, memories, projects)
        print(f"{memories:,} memories of {projects} projects, written in {time.perf_counter() - start:.1f} s")

        def begin(text: str) -> Asked:
            vector = vectors[len(text)]
            return Question(None, QueryVector(SPACE, vector / np.linalg.norm(vector), 0))

        queries, numbers = itertools.cycle(ASKED), itertools.count()
        print("recall in all       ", percentiles(lambda: recall(world.store, world.projects, next(queries), begin=begin), 60))
        print(
            "recall in a project ",
            percentiles(lambda: recall(world.store, world.projects, next(queries), project="project-7", begin=begin), 60),
        )
        print("recall by words     ", percentiles(lambda: recall(world.store, world.projects, next(queries)), 60))
        print(
            "remember            ",
            percentiles(lambda: world.memories.remember("project-7", "fact", "", f"New {next(numbers)}."), 40),
        )
        print("projects            ", percentiles(world.projects.views, 40))
        print("resolve a name      ", percentiles(lambda: world.projects.resolve("PROJECT-9"), 40))
        print(
            "guess from a text   ", percentiles(lambda: world.projects.guess("what about project-9 and its cart? " * 100), 40)
        )
        print("list a project      ", percentiles(lambda: world.memories.listing("project-9"), 40))
        path = Path(folder) / "out.jsonl"
        print("export              ", percentiles(lambda: export_memory(world.store, path, overwrite=True), 3))
        print("import, all known   ", percentiles(lambda: import_memory(world.store, world.projects, path), 3))
        world.close()


if __name__ == "__main__":
    main()
