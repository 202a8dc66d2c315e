from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tray_app.records import Problem
from tray_app.sources.walk import files_under, unreadable

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as on Unix")


def look(root: Path, **more: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """Paths found below the root, and the names and reasons of what was refused."""
    problems: list[Problem] = []
    found = files_under(root, lambda name: name.endswith(".jsonl"), problems.append, "made", **more)
    names = sorted(one.path.relative_to(root).as_posix() for one in found)
    assert {(problem.kind, problem.agent) for problem in problems} <= {("unreadable", "made")}
    return names, sorted((Path(problem.path).name, problem.reason) for problem in problems)


def put(path: Path, data: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_files_with_their_facts(tmp_path: Path) -> None:
    path = put(tmp_path / "a" / "b" / "one.jsonl", b"12345")
    put(tmp_path / "a" / "other.txt")
    (found,) = files_under(tmp_path, lambda name: name.endswith(".jsonl"), lambda problem: None, "made")
    facts = path.stat()
    assert (found.path, found.size, found.mtime_ns, found.inode) == (path, 5, facts.st_mtime_ns, facts.st_ino)


def test_a_missing_root_gives_nothing(tmp_path: Path) -> None:
    assert look(tmp_path / "gone") == ([], [])


def test_a_root_that_is_a_file_is_reported(tmp_path: Path) -> None:
    path = put(tmp_path / "file")
    names, problems = look(path)
    assert (names, [name for name, _ in problems]) == ([], ["file"])


@posix
def test_links_in_circles_end(tmp_path: Path) -> None:
    put(tmp_path / "root" / "p" / "one.jsonl")
    put(tmp_path / "elsewhere" / "two.jsonl")
    (tmp_path / "root" / "p" / "loop").symlink_to(".", target_is_directory=True)
    (tmp_path / "root" / "p" / "up").symlink_to("..", target_is_directory=True)
    (tmp_path / "root" / "p" / "self").symlink_to("self")
    (tmp_path / "root" / "q").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    names, problems = look(tmp_path / "root")
    assert names == ["p/one.jsonl", "q/two.jsonl"]
    assert [name for name, _ in problems] in ([], ["self"])


@posix
def test_one_file_under_two_names_is_found_once(tmp_path: Path) -> None:
    put(tmp_path / "one.jsonl")
    (tmp_path / "link.jsonl").symlink_to("one.jsonl")
    (tmp_path / "hard.jsonl").hardlink_to(tmp_path / "one.jsonl")
    names, problems = look(tmp_path)
    assert (len(names), problems) == (1, [])


@posix
def test_what_is_no_file_is_named_and_never_opened(tmp_path: Path) -> None:
    put(tmp_path / "good.jsonl")
    put(tmp_path / "folder.jsonl" / "inside.jsonl")
    (tmp_path / "gone.jsonl").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert look(tmp_path) == (
        ["good.jsonl"],
        [
            ("folder.jsonl", "not a regular file"),
            ("gone.jsonl", os.strerror(2)),
            ("pipe.jsonl", "not a regular file"),
        ],
    )


def test_a_refused_folder_does_not_stop_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "a" / "one.jsonl")
    put(tmp_path / "closed" / "two.jsonl")
    put(tmp_path / "z" / "three.jsonl")
    scandir = os.scandir

    def refuse(path: Path) -> Iterator[os.DirEntry[str]]:
        if Path(path).name == "closed":  # the tests may run as a user whom no mode stops
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert look(tmp_path) == (["a/one.jsonl", "z/three.jsonl"], [("closed", "Permission denied")])


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="modes stop no administrator")
def test_modes_of_a_real_folder(tmp_path: Path) -> None:
    put(tmp_path / "a" / "one.jsonl")
    closed = put(tmp_path / "closed" / "two.jsonl").parent
    closed.chmod(0)
    try:
        assert look(tmp_path) == (["a/one.jsonl"], [("closed", "Permission denied")])
    finally:
        closed.chmod(0o700)


def test_depth_and_the_folders_to_enter(tmp_path: Path) -> None:
    for name in ("one.jsonl", "a/two.jsonl", "a/b/three.jsonl", "skip/four.jsonl"):
        put(tmp_path / name)
    names, _ = look(tmp_path, depth=1, enter=lambda folder: folder.name != "skip")
    assert names == ["a/two.jsonl", "one.jsonl"]


def test_a_problem_without_a_system_text_names_its_kind() -> None:
    assert unreadable(Path("x"), OSError(), "made").reason == "OSError"
