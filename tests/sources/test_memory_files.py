"""Memory files: where they are looked for, and how they are cut into sections."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Context, Limits, Message, Reading, Session, Stopped, Unit
from tray_app.sources.memory_files import FILE_BYTES, MemoryFilesAdapter
from tray_app.text.own_marks import INSTRUCTIONS, closing, opening

MEMORY = MemoryFilesAdapter()


def write(path: Path, text: str | bytes = "# Note\ntext\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def found(home: SourcesHome, workspaces: tuple[str, ...] = (), root: Path | None = None) -> tuple[list[Path], list[Problem]]:
    problems: list[Problem] = []
    context = Context(home=home, workspaces=workspaces)
    units = list(MEMORY.discover(root or MEMORY.roots(home)[0], context, problems.append))
    assert all(unit.session == str(unit.path) and unit.agent == "memory" for unit in units)
    return [unit.path for unit in units], problems


def read(path: Path) -> Reading:
    facts = path.stat()
    unit = Unit(
        agent="memory",
        root=path.parent,
        path=path,
        session=str(path),
        size=facts.st_size,
        mtime_ns=facts.st_mtime_ns,
        inode=facts.st_ino,
    )
    return MEMORY.read(unit, None, Limits(), lambda: False)


def sections(text: str | bytes) -> list[tuple[int, str]]:
    with tempfile.TemporaryDirectory() as folder:
        reading = read(write(Path(folder) / "MEMORY.md", text))
    return [(message.offset, message.text) for message in reading.messages]


# --- finding -----------------------------------------------------------------------------------------------------------
def test_discover(tmp_path: Path) -> None:
    home = SourcesHome(tmp_path / "home", {}, confined=True)
    wanted = [
        write(home.home / ".claude" / "CLAUDE.md"),
        write(home.home / ".codex" / "AGENTS.md"),
        write(home.home / ".dsh" / "MEMORY.md"),
        write(home.home / ".gemini" / "GEMINI.md"),
        write(home.home / ".qwen" / "QWEN.md"),
        write(home.home / ".claude" / "projects" / "-home-u-orchard" / "memory" / "MEMORY.md"),
        write(home.home / ".claude" / "projects" / "-home-u-orchard" / "memory" / "pruning.md"),
        write(home.home / "orchard" / "CLAUDE.md"),
        write(home.home / "orchard" / "CLAUDE.local.md"),
    ]
    outside = write(tmp_path / "elsewhere" / "AGENTS.md")
    write(home.home / "orchard" / "README.md")
    write(home.home / "orchard" / "deep" / "CLAUDE.md")
    write(home.home / ".claude" / "projects" / "-home-u-orchard" / "other.md")
    workspaces = (
        str(home.home / "orchard"),
        str(home.home / "orchard"),
        str(outside.parent),
        "relative",
        "",
        "C:\\x",
        "/a\x00b",
    )
    assert found(home, workspaces) == (wanted, [])
    free = SourcesHome(home.home, {})
    assert found(free, workspaces) == ([*wanted, outside], [])
    assert found(SourcesHome(tmp_path / "nothing", {})) == ([], [])


def test_agents_own_variables_count(tmp_path: Path) -> None:
    note = write(tmp_path / "moved" / "AGENTS.md")
    home = SourcesHome(tmp_path / "home", {"CODEX_HOME": str(note.parent)})
    assert found(home) == ([note], [])


def test_a_folder_added_by_hand(tmp_path: Path) -> None:
    notes = sorted([write(tmp_path / "notes" / "a.md"), write(tmp_path / "notes" / "sub" / "B.MD")])
    write(tmp_path / "notes" / "c.txt")
    paths, problems = found(SourcesHome(tmp_path / "home", {}), root=tmp_path / "notes")
    assert (sorted(paths), problems) == (notes, [])


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of a POSIX system")
def test_links_and_odd_entries(tmp_path: Path) -> None:
    home = SourcesHome(tmp_path, {})
    work = tmp_path / "work"
    real = write(work / "CLAUDE.md")
    (work / "AGENTS.md").symlink_to(real)
    (work / "CLAUDE.local.md").symlink_to(tmp_path / "gone.md")
    os.mkfifo(work / "MEMORY.md")
    (tmp_path / ".codex" / "AGENTS.md").mkdir(parents=True)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    paths, problems = found(home, (str(work), str(loop)))
    assert paths == [real]
    assert {problem.path for problem in problems} >= {str(work / "MEMORY.md")}
    assert {problem.kind for problem in problems} == {"unreadable"}
    confined = SourcesHome(tmp_path, {}, confined=True)
    assert found(confined, (str(loop),))[0] == []


# --- reading -----------------------------------------------------------------------------------------------------------
def test_read(tmp_path: Path) -> None:
    path = write(tmp_path / "orchard" / "CLAUDE.md", "# Orchard\n\nPlums first.\n\n## Rules\n- prune in March\n")
    os.utime(path, ns=(0, 1_777_881_600_123_456_789))
    time = 1_777_881_600_123
    reading = read(path)
    assert reading.session == Session(
        id=str(path),
        cwd=str(path.parent),
        title="CLAUDE.md · orchard",
        title_rank=1,
        start=time,
        end=time,
    )
    first, second = f"{path}#0", f"{path}#1"
    assert reading.messages == [
        Message(id=first, role="note", text="# Orchard\n\nPlums first.", time=time, seq=0, offset=0, identity=first),
        Message(id=second, role="note", text="## Rules\n- prune in March", time=time, seq=1, offset=25, identity=second),
    ]
    assert (reading.checkpoint, reading.resumed, reading.records, reading.recognised) == (None, False, 2, 2)
    assert MEMORY.resume_command(reading.session) == ""


def test_project_memory_is_named_after_its_project(tmp_path: Path) -> None:
    path = write(tmp_path / ".claude" / "projects" / "-home-u-orchard" / "memory" / "MEMORY.md")
    assert read(path).session.title == "MEMORY.md · -home-u-orchard"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("no heading", [(0, "no heading")]),
        ("before\n# A\na", [(0, "before"), (7, "# A\na")]),
        ("# A\n\n## B\nb\n## C\nc", [(0, "# A\n\n## B\nb"), (12, "## C\nc")]),
        ("# A\ntext\n# B", [(0, "# A\ntext"), (9, "# B")]),
        ("# A\n```\n# no heading\n```\n# B\nb", [(0, "# A\n```\n# no heading\n```"), (25, "# B\nb")]),
        ("# A\n~~~~\n# no\n~~~\n# no\n~~~~\nx", [(0, "# A\n~~~~\n# no\n~~~\n# no\n~~~~\nx")]),
        ("#hashtag\n#!/bin/sh\n", [(0, "#hashtag\n#!/bin/sh")]),
        ("\ufeff# A\r\na\r\n# B\r\nb", [(3, "# A\r\na"), (11, "# B\r\nb")]),
        (b"# A\nbad \xff byte\x00\n", [(0, "# A\nbad \ufffd byte")]),
        ("# 果园\n先修梅子\n".encode("utf-16"), [(0, "# 果园\n先修梅子")]),
    ],
)
def test_sections(text: str | bytes, expected: list[tuple[int, str]]) -> None:
    assert sections(text) == expected


def test_large_file_is_cut(tmp_path: Path) -> None:
    path = write(tmp_path / "MEMORY.md", "# A\n" + "x" * (2 * FILE_BYTES))
    reading = read(path)
    assert reading.truncated
    assert len(reading.messages[0].text) == FILE_BYTES


def test_stop(tmp_path: Path) -> None:
    path = write(tmp_path / "MEMORY.md", "line\n" * 2000)
    unit = Unit(agent="memory", root=tmp_path, path=path, session="", size=0, mtime_ns=0, inode=0)
    with pytest.raises(Stopped):
        MEMORY.read(unit, None, Limits(), lambda: True)


@given(data=st.binary(max_size=200) | st.text("# `~\nab\r中", max_size=80).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    for _, text in sections(data):
        assert text.strip() == text != ""
        text.encode()


# --- our own instructions ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_the_installer_wrote_for_the_agent_is_left_out_and_all_around_it_stays(newline: str) -> None:
    ours = f"{opening(INSTRUCTIONS)}\n# Backscroll\n\nUse the tools.\n```\n## When\nAsk first.\n{closing(INSTRUCTIONS)}"
    text = f"# Mine\nbefore\n\n{ours}\n\nafter\n\n# 其他\nlast\n".replace("\n", newline)
    data = text.encode()
    kept = sections(text)
    assert [" ".join(part.split()) for _, part in kept] == ["# Mine before after", "# 其他 last"]
    assert [offset for offset, _ in kept] == [0, data.index("# 其他".encode())]
    assert sections(f"{ours}\n") == []


def test_half_of_our_marks_takes_nothing_away() -> None:
    for text in (f"# A\nx\n{opening(INSTRUCTIONS)}\ny", f"# A\nx\n{closing(INSTRUCTIONS)}\ny\n{opening(INSTRUCTIONS)}"):
        assert sections(text) == [(0, text)]
