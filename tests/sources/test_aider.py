"""Aider: where histories are looked for, and how one is cut into runs and into what each said."""

from __future__ import annotations

import itertools
import os
import sys
from datetime import datetime
from pathlib import Path

import pytest
from data.aider_files import FIRST, NEXT, RUN, SECOND, TALK, begun, history, prompt
from data.opencode_files import found, read, said, snapshot
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.sources.aider import AiderAdapter
from tray_app.sources.aider_runs import runs_of
from tray_app.sources.base import NotReady, Session, Stopped, Unit, Usage

AIDER = AiderAdapter()


def local(stamp: str) -> int:
    return round(datetime.fromisoformat(stamp).timestamp() * 1000)


def runs(folder: Path) -> list[Unit]:
    return list(found(AIDER, folder)[0].values())


def test_runs(tmp_path: Path) -> None:
    path = history(tmp_path)
    before = snapshot(tmp_path)
    first, second = runs(tmp_path)
    reading = read(AIDER, first)
    assert snapshot(tmp_path) == before
    assert (first.session, second.session) == (f"{path}#2026-05-04T08:00:00", f"{path}#2026-05-05T09:30:00")
    assert first.size + second.size == path.stat().st_size - 1
    assert said(reading) == TALK
    time = local(FIRST)
    assert {message.time for message in reading.messages} == {time}
    assert reading.session == Session(
        id=first.session,
        cwd=str(tmp_path),
        title="Where do the plums go? 李子？",
        start=time,
        end=time,
        model="sonnet-9",
        version="0.86.1",
    )
    assert [(one.input, one.output, one.cache_read, one.cache_write) for one in reading.usage] == [(3000, 512, 1300, -1)]
    assert isinstance(reading.usage[0], Usage) and reading.usage[0].model == "sonnet-9"
    assert (reading.records, reading.recognised, reading.unknown) == (6, 6, 0)
    assert said(read(AIDER, second)) == [("user", "And the pears?"), ("assistant", "Beside them.")]
    assert AIDER.resume_command(reading.session).endswith(" && aider --restore-chat-history")
    data = path.read_bytes()
    assert data[reading.messages[1].offset :].startswith(b"#### Where do the plums go?")


def test_only_the_run_that_grows_looks_changed(tmp_path: Path) -> None:
    path = history(tmp_path)
    first, second = runs(tmp_path)
    with path.open("a") as stream:
        stream.write(prompt("And cherries?"))
    again = runs(tmp_path)
    assert again[0] == first
    assert (again[1].session, again[1].size) == (second.session, second.size + len(prompt("And cherries?")))
    with path.open("a") as stream:
        stream.write(begun("2026-05-06 10:00:00"))
    assert len(runs(tmp_path)) == 2  # a run in which nothing was said yet


def test_odd_histories(tmp_path: Path) -> None:
    history(tmp_path, "before\n" + begun(FIRST) + "a\n" + begun(FIRST) + "b\n" + begun("2026-99-99 99:99:99") + "c\n")
    units = runs(tmp_path)
    assert [unit.session.rpartition("#")[2] for unit in units] == [
        "0",
        "2026-05-04T08:00:00",
        "2026-05-04T08:00:00-2",
        "2026-99-99T99:99:99",
    ]
    assert [said(read(AIDER, unit))[0][1] for unit in units] == ["before", "a", "b", "c"]
    assert read(AIDER, units[3]).messages[0].time == units[3].mtime_ns // 1_000_000 > 0
    path = history(tmp_path, RUN)
    with pytest.raises(NotReady):
        read(
            AIDER,
            units[1].__class__(
                **{**{name: getattr(units[1], name) for name in units[1].__struct_fields__}, "session": f"{path}#x"}
            ),
        )
    with pytest.raises(Stopped):
        read(AIDER, runs(tmp_path)[0], stop=lambda: True)
    history(tmp_path, "")
    assert runs(tmp_path) == []


def test_where_the_blanks_at_the_ends_are_gone(tmp_path: Path) -> None:
    trimmed = "\n".join(line.rstrip() for line in (RUN + NEXT).split("\n"))
    history(tmp_path, trimmed)
    first, second = runs(tmp_path)
    assert said(read(AIDER, first)) == TALK
    assert said(read(AIDER, second)) == [("user", "And the pears?"), ("assistant", "Beside them.")]
    history(tmp_path, begun(SECOND) + "#### one\nanswer\n\n#### two\nanswer\n")
    assert [role for role, _ in said(read(AIDER, runs(tmp_path)[0]))] == ["user", "assistant", "user", "assistant"]


def test_discover(tmp_path: Path) -> None:
    home = SourcesHome(tmp_path / "home", {}, confined=True)
    root = AIDER.roots(home)[0]
    inside, outside = history(home.home / "beds"), history(tmp_path / "elsewhere")
    history(home.home)
    history(home.home / "beds" / "deep")
    workspaces = (
        str(inside.parent),
        str(inside.parent),
        str(outside.parent),
        "relative",
        "",
        "/a\x00b",
        str(tmp_path / "none"),
    )
    assert root == tmp_path / "home" / ".aider"
    units, problems = found(AIDER, root, home=home, workspaces=workspaces)
    assert ({unit.path for unit in units.values()}, problems) == ({home.home / inside.name, inside}, [])
    free = SourcesHome(home.home, {})
    units, _ = found(AIDER, root, home=free, workspaces=workspaces)
    assert {unit.path for unit in units.values()} == {home.home / inside.name, inside, outside}
    units, _ = found(AIDER, home.home / "beds", home=home)
    assert len({unit.path for unit in units.values()}) == 2  # added by hand: its folders too


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of a POSIX system")
def test_links_and_odd_entries(tmp_path: Path) -> None:
    home = SourcesHome(tmp_path, {})
    real = history(tmp_path / "work")
    (tmp_path / "link").symlink_to(tmp_path / "work")
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / real.name)
    workspaces = tuple(str(tmp_path / name) for name in ("work", "link", "pipe"))
    units, problems = found(AIDER, AIDER.roots(home)[0], home=home, workspaces=workspaces)
    assert {unit.path for unit in units.values()} == {real}
    assert [problem.reason for problem in problems] == ["not a regular file"]


def test_utf16(tmp_path: Path) -> None:
    path = history(tmp_path)
    path.write_bytes((RUN + NEXT).encode("utf-16"))
    assert said(read(AIDER, runs(tmp_path)[0])) == TALK


@given(data=st.binary(max_size=200) | st.text("#> `a\n\r /", max_size=120).map(str.encode))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("aider")
    path = history(folder)
    path.write_bytes(begun(FIRST).encode() + data)
    for unit in runs(folder):
        for message in read(AIDER, unit).messages:
            message.text.encode()
    spans = list(runs_of(path.read_bytes()))
    assert all(one.end <= two.start for one, two in itertools.pairwise(spans))
