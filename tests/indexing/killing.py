"""Killing an indexing process at random moments, for the tests and for `benchmarks/kill_trials.py`.

Owns a small growing corpus and the loop: start a program that indexes it again and again while files grow, kill it, open the
index here, check that it is sound. At the end a pass must bring it to what a fresh library has.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from data import claude_files, codex_files
from data.claude_files import Chat, make_id
from library_world import World

WORDS = ["quince", "medlar", "fig", "pear", "apple", "数据库", "上传失败", "cart.py", "discount", "E0277", "retry", "timeout"]


def grow(home: Path, step: int, dice: random.Random) -> None:
    """Files that are new, that go on, that are written anew, that vanish."""
    root = home / ".claude/projects/-p"
    for number in range(4):
        label = f"s{(step * 3 + number) % 40}"
        chat = Chat(label)
        chat.count = step * 100
        rows = [
            line
            for turn in range(6)
            for line in (
                chat.user(f"{label} {step} {turn} " + " ".join(dice.choices(WORDS, k=30)), step),
                chat.answer(" ".join(dice.choices(WORDS, k=80)), step, message=f"msg_{label}_{step}_{turn}"),
            )
        ]
        path = root / f"{chat.id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb" if dice.random() < 0.2 else "ab") as file:
            file.write(claude_files.encode(rows))
    if dice.random() < 0.4:
        codex_files.written(home / ".codex", codex_files.generation_b(), make_id(f"codex{step}"))
    if dice.random() < 0.3:
        victims = sorted(root.glob("*.jsonl"))
        victims[dice.randrange(len(victims))].unlink()


def work(home: Path, file: Path) -> None:
    """What the killed program does: passes without an end, with re-sorting and rebuilding in between."""
    world = World(home, file)
    print("open", flush=True)
    number = 0
    while True:
        world.index(anew=number % 3 == 2)
        number += 1


def trial(folder: Path, kills: int, seed: int) -> int:
    """Kill so many times; returns how often the index had been set aside as damaged (should be 0)."""
    dice = random.Random(seed)
    home, file = folder / "home", folder / "data" / "index.duckdb"
    aside = 0
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    for step in range(kills):
        grow(home, step, dice)
        child = subprocess.Popen(
            [sys.executable, str(Path(__file__)), str(home), str(file)], stdout=subprocess.PIPE, env=environment
        )
        assert child.stdout is not None
        if dice.random() < 0.8:
            assert child.stdout.readline() == b"open\n"
        time.sleep(dice.random() * 0.7)
        child.kill()
        child.wait()
        child.stdout.close()
        world = World(home, file)
        try:
            aside += world.opened.set_aside is not None
            world.assert_sound()
        finally:
            world.close()
    world = World(home, file)
    try:
        world.index()
        world.assert_like_fresh(folder / "fresh.duckdb")
    finally:
        world.close()
    return aside


if __name__ == "__main__":
    work(Path(sys.argv[1]), Path(sys.argv[2]))
