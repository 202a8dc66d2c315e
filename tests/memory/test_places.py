"""Looking at the disk: what is there, what is gone, what does not answer."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tray_app.memory import places
from tray_app.memory.places import Place, Places


def test_what_is_there_and_where_its_repository_begins(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "a" / ".git").mkdir()
    (tmp_path / "file").write_text("x")
    folders = [str(deep), str(tmp_path / "a"), str(tmp_path), str(tmp_path / "a" / "gone" / "x"), str(tmp_path / "file" / "x")]
    found = Places().look([*folders, "C:\\x" if os.name == "posix" else "/x", ""])
    top = str(tmp_path / "a")
    assert [found[folder] for folder in folders] == [
        *(Place(True, top), Place(True, top), Place(True, ""), Place(False, top), Place(False, ""))
    ]
    assert list(found.values())[5:] == [Place(), Place()]


def test_a_pointer_that_leads_nowhere_is_a_repository_of_its_own(tmp_path: Path) -> None:
    for name, pointer in (("a", "gitdir: /nowhere/.git/worktrees/a"), ("b", "nonsense"), ("c", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".git").write_text(pointer)
    found = Places().look([str(tmp_path / name) for name in "abc"])
    assert [place.top for place in found.values()] == [str(tmp_path / name) for name in "abc"]


def test_folders_of_a_folder(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
    (tmp_path / "c").write_text("x")
    assert Places().folders_in(str(tmp_path)) == ("a", "b")
    assert Places().folders_in(str(tmp_path / "none")) is None


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[threading.Event]:
    """A mount that does not answer before the event is set."""
    answer = threading.Event()
    mount = str(tmp_path / "mount")
    real_stat, real_scan = os.stat, os.scandir

    def stat(path: object, *rest: object, **named: object) -> object:
        if str(path).startswith(mount) and threading.current_thread().name == "places":
            answer.wait(20)
        return real_stat(path, *rest, **named)  # type: ignore[arg-type]

    def scandir(path: object) -> object:
        if str(path).startswith(mount) and threading.current_thread().name == "places":
            answer.wait(20)
        return real_scan(path)  # type: ignore[call-overload]

    monkeypatch.setattr(places.os, "stat", stat)
    monkeypatch.setattr(places.os, "scandir", scandir)
    monkeypatch.setattr(places, "_mounts", lambda: [mount])
    monkeypatch.setattr(places.sys, "platform", "linux")
    monkeypatch.setattr(places, "PATIENCE_S", 0.05)
    (tmp_path / "mount" / "x").mkdir(parents=True)
    (tmp_path / "mount" / "y").mkdir()
    (tmp_path / "near").mkdir()
    yield answer
    answer.set()


def test_a_mount_that_hangs_delays_nobody_for_long(hanging: threading.Event, tmp_path: Path) -> None:
    held = Places()
    folders = [str(tmp_path / "near"), str(tmp_path / "mount" / "x"), str(tmp_path / "mount" / "y"), str(tmp_path)]
    began = time.monotonic()
    found = held.look(folders)
    assert [place.there for place in found.values()] == [True, None, None, True]
    again = time.monotonic()
    assert [place.there for place in held.look(folders).values()] == [True, None, None, True]
    assert time.monotonic() - began < 5
    assert time.monotonic() - again < 2
    assert held.folders_in(str(tmp_path / "mount")) is None
    assert held.folders_in(str(tmp_path / "mount")) is None
    hanging.set()
    for _ in range(200):
        if held.folders_in(str(tmp_path / "mount")) == ("x", "y") and held.look(folders)[folders[1]].there:
            break
        time.sleep(0.02)
    assert [place.there for place in held.look(folders).values()] == [True, True, True, True]
