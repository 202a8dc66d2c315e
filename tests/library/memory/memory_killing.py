"""Killing a process that writes memories at random moments, and counting what it said was kept.

Owns the loop: start a program that changes a memory again and again and says so after each change, kill it, open the memory
in another, and see that everything it said is there.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec

from tray_app.library.memory.rows import CheckpointRow, MemoryRow, NoteRow
from tray_app.library.memory.store import MemoryStore
from tray_app.text.segment import query_tokens

MARK = 1
"""The note that counts the changes."""


def work(file: Path, seed: int, to: int) -> None:
    """Changes without an end: new memories, reworded ones, uses, checkpoints, backups. Says the number of each when it is
    done; the number stands in a note of the same change."""
    dice = random.Random(seed)
    store = MemoryStore(file)
    note = store.rows(NoteRow).get(MARK)
    count = int(note.value) if note else 0
    os.write(to, b"open\n")
    while True:
        count += 1
        with store.change() as change:
            memories = change.rows(MemoryRow)
            if memories and dice.random() < 0.4:
                number = dice.choice(sorted(memories))
                change.put(
                    msgspec.structs.replace(memories[number], content=f"changed{count} " + "words " * dice.randrange(300))
                )
            if memories and dice.random() < 0.3:
                for number in dice.sample(sorted(memories), min(3, len(memories))):
                    change.put(msgspec.structs.replace(change.rows(MemoryRow)[number], use_count=count))
            if len(memories) > 60:
                change.delete(MemoryRow, min(memories))
            new = change.new_id(MemoryRow)
            change.put(
                MemoryRow(id=new, project="p", kind="fact", title=f"t{count}", content=f"number{count} 数据库 " + "x " * 400)
            )
            change.put(CheckpointRow(id=1, project="p", goal=f"goal {count}"))
            change.put(NoteRow(id=MARK, key="count", value=str(count)))
        os.write(to, b"%d\n" % count)
        if dice.random() < 0.05:
            store.backup("daily")


def trial(folder: Path, kills: int, seed: int) -> int:
    """Kill so many times; gives how many changes were made altogether. Raises AssertionError with what was found wrong."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    done = subprocess.run(
        [sys.executable, str(Path(__file__)), str(folder / "data" / "memory.duckdb"), str(kills), str(seed)],
        capture_output=True, env=environment, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1])


def kill_again_and_again(file: Path, kills: int, seed: int) -> int:
    """The loop, in a process of its own that never opens the memory itself: what is killed, and what looks afterwards, are
    forks of it, so that only opening and writing cost time."""
    dice = random.Random(seed)
    said = unchecked = 0
    for step in range(kills):
        reader, writer = os.pipe()
        child = _forked(lambda to=writer, way=seed * 1000 + step: work(file, way, to))
        os.close(writer)
        told = b""
        with os.fdopen(reader, "rb") as lines:
            if dice.random() < 0.9:  # else it may die while it opens
                for _ in range(1 + dice.randrange(4)):  # "open", and so many changes
                    told += lines.readline()
            time.sleep(dice.random() * 0.08)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            told += lines.read()
        said = max([said, *(int(line) for line in told.split() if line.isdigit())])
        unchecked += 1
        if step % 5 == 4 or step == kills - 1:  # the next program opens it as well, and goes on counting from what it finds
            reader, writer = os.pipe()
            looking = _forked(lambda to=writer, least=said, most=said + unchecked: _check(file, least, most, to))
            os.close(writer)
            with os.fdopen(reader, "rb") as found:
                assert os.waitpid(looking, 0)[1] == 0
                said, unchecked = int(found.read()), 0
    return said


def _forked(act: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        act()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _check(file: Path, least: int, most: int, to: int) -> None:
    """Every change that was acknowledged is there; of each that was cut off, all or nothing."""
    store = MemoryStore(file)
    try:
        note = store.rows(NoteRow).get(MARK)
        count = int(note.value) if note else 0
        assert least <= count <= most, (least, count, most)
        assert store.mended == "" or store.mended.endswith("Nothing was lost."), store.mended
        if count:
            assert store.rows(CheckpointRow)[1].goal == f"goal {count}"
            newest = max(store.rows(MemoryRow))
            assert store.rows(MemoryRow)[newest].title == f"t{count}"
            found = [number for number, _ in store.find_memories(query_tokens("数据库"))]
            wanted = [row.id for row in store.memories_of("p") if "数据库" in row.content]
            assert sorted(found) == wanted
        os.write(to, str(count).encode())
    finally:
        store.close()


if __name__ == "__main__":
    print(kill_again_and_again(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
