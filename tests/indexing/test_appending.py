"""Files that grow: however they are cut into passes, the library equals one that reads them whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from data import claude_files, codex_files, dsh_files
from hypothesis import given, settings
from hypothesis import strategies as st
from library_world import World

SECRET = "ghp_" + "a1B2" * 9


def claude(home: Path, version: int) -> tuple[Path, bytes]:
    rows = (claude_files.session_1_0, claude_files.session_2_0, claude_files.session_2_1)[version % 3]()
    chat = claude_files.Chat("long", cwd="/home/kim/shop")
    if version >= 3:
        rows = []
        for n in range(4):
            rows += [chat.user(f"step {n}: 第{n}步 check line_{n} of cart.py with {SECRET}")]
            rows += [
                chat.answer(
                    f"answer {n}.{part} about cart_{n}", message=f"msg_long_{n}", usage=claude_files.usage(n * 3 + part)
                )
                for part in range(3)
            ]
        rows.insert(9, {"type": "ai-title", "aiTitle": "A long walk", "sessionId": chat.id})
    return home / ".claude/projects/-home-kim-shop" / f"{claude_files.make_id(f'file{version}')}.jsonl", claude_files.encode(
        rows
    )


def codex(home: Path, version: int) -> tuple[Path, bytes]:
    rows = list(codex_files.GENERATIONS["abc"[version % 3]]())
    if version >= 3:
        rows += [codex_files.event(20 + n, "user" if n % 2 else "assistant", f"more {n} of the orchard") for n in range(8)]
    return codex_files.rollout(home / ".codex"), codex_files.encode(rows)


def dsh(home: Path, version: int) -> tuple[Path, bytes]:
    generation = dsh_files.GENERATIONS[version % len(dsh_files.GENERATIONS)]
    log = dsh_files.conversation(generation)
    data = dsh_files.frames(dsh_files.header(generation), log.rows, per_frame=1 + version % 3)
    path = home / ".dsh/sessions/--g--" / dsh_files.SESSION / dsh_files.name(generation)
    return path, data


AGENTS: dict[str, Callable[[Path, int], tuple[Path, bytes]]] = {"claude_code": claude, "codex": codex, "dsh": dsh}


def grow(path: Path, data: bytes, upto: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.stat().st_mtime_ns if path.exists() else 1_772_000_000_000_000_000
    had = path.stat().st_size if path.exists() else 0
    with path.open("ab") as file:
        file.write(data[had:upto])
    os.utime(path, ns=(before + 1_000_000, before + 1_000_000))


@pytest.mark.parametrize("agent", AGENTS)
@settings(max_examples=6)
@given(data=st.data())
def test_appended_equals_whole(agent: str, data: st.DataObject) -> None:
    version = data.draw(st.integers(0, 6))
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "home", Path(folder) / "index.duckdb")
        try:
            path, content = AGENTS[agent](world.home, version)
            cuts = sorted(data.draw(st.sets(st.integers(0, len(content)), min_size=1, max_size=5)))
            for cut in [*cuts, len(content)]:
                grow(path, content, cut)
                world.index()
                world.assert_sound()
            world.assert_like_fresh(Path(folder) / "fresh.duckdb")
            assert world.read_bytes() == 0
        finally:
            world.close()


@pytest.mark.parametrize("agent", AGENTS)
def test_every_message_border(tmp_path: Path, agent: str) -> None:
    """Line by line (frame by frame), each in a pass of its own; only what came is read."""
    world = World(tmp_path / "home", tmp_path / "index.duckdb")
    try:
        path, content = AGENTS[agent](world.home, 3)
        if agent == "dsh":
            cuts = [at for at in range(1, len(content)) if content[at : at + 4] == b"\x28\xb5\x2f\xfd"]
        else:
            cuts = [at + 1 for at, byte in enumerate(content) if byte == 10]
        for cut in [*cuts, len(content)]:
            grow(path, content, cut)
            world.index()
        world.assert_like_fresh(tmp_path / "fresh.duckdb")
    finally:
        world.close()


def test_an_append_costs_its_own_length(world: World) -> None:
    chat = claude_files.Chat("costly")
    rows = [line for n in range(150) for line in (chat.user(f"question {n} " + "word " * 200), chat.answer(f"yes {n}"))]
    path = claude_files.write(world.root("claude_code") / "-p" / f"{chat.id}.jsonl", rows)
    assert world.read_bytes() == path.stat().st_size
    line = claude_files.encode([chat.user("one more about quince")])
    grow(path, path.read_bytes() + line, path.stat().st_size + len(line))
    before = world.rows("select max(id) from chunks")[0][0]
    assert world.read_bytes() == len(line)
    assert world.rows("select count(*) from chunks where id > ?", before) <= [(2,)]
    assert world.find("quince") == [chat.id]


def test_a_half_line_waits_for_the_rest(world: World) -> None:
    chat = claude_files.Chat("half")
    path = claude_files.write(world.root("claude_code") / "-p" / f"{chat.id}.jsonl", [chat.user("first")])
    line = claude_files.encode([chat.user("late " * 20_000 + "quince")])
    whole = path.read_bytes() + line
    grow(path, whole, len(whole) // 2)
    world.index()
    assert world.find("quince") == []
    assert world.rows("select skipped, growing from files") == [(0, True)]
    grow(path, whole, len(whole))
    world.index()
    assert len(world.find("quince")) == 1
    assert len(world.texts()) == 2
