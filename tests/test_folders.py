"""Which folders are read, and that a folder stays the same source whether it is there or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from data import claude_files, codex_files
from data.claude_files import Chat

from tray_app import folders as module
from tray_app.errors import UsageError
from tray_app.folders import Folders
from tray_app.paths import SourcesHome
from tray_app.settings import Settings
from tray_app.sources.registry import ADAPTERS, adapter


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    monkeypatch.setattr(module, "FRESH_SECONDS", 0.0)
    return Folders(SourcesHome(tmp_path, {}, confined=True), Settings())


def claude(root: Path, label: str = "one") -> Path:
    chat = Chat(label)
    return claude_files.write(root / "-p" / f"{chat.id}.jsonl", [chat.user("quince")])


def test_nothing_is_ticked_by_itself(folders: Folders, tmp_path: Path) -> None:
    claude(tmp_path / ".claude/projects")
    assert folders.ticked() == []
    views = {view.id: view for view in folders.views()}
    assert set(views) >= set(ADAPTERS)
    assert (views["claude_code"].found, views["claude_code"].why_off, views["claude_code"].sessions) == (True, "not_ticked", 1)
    assert (views["codex"].found, views["codex"].why_off) == (False, "not_found")


def test_ticking(folders: Folders, tmp_path: Path) -> None:
    claude(tmp_path / ".claude/projects")
    codex_files.written(tmp_path / ".codex", codex_files.generation_b())
    folders.tick_found()
    assert [source.id for source in folders.ticked()] == ["claude_code", "codex"]
    mark = folders.mark()
    folders.tick("codex", False)
    folders.tick("codex", False)
    assert [source.id for source in folders.ticked()] == ["claude_code"]
    assert folders.mark() != mark
    with pytest.raises(UsageError) as caught:
        folders.tick("nobody", True)
    assert caught.value.code == "no_such_source"


def test_memory_files_come_last(folders: Folders) -> None:
    for name in ("memory", "claude_code", "dsh"):
        folders.tick(name, True)
    assert [source.agent for source in folders.ticked()][-1] == "memory"


def test_a_ticked_folder_stays_ticked_while_it_is_away(folders: Folders, tmp_path: Path) -> None:
    """A second home on a disk that is not mounted is the same source, not an unticked one."""
    usual, other = tmp_path / ".claude/projects", tmp_path / ".config/claude/projects"
    claude(usual)
    claude(other, "two")
    folders.tick_found()
    before = [(source.id, source.root) for source in folders.ticked()]
    assert [root for _, root in before] == [usual, other]
    for root in (usual, other):
        root.rename(tmp_path / "away")
        assert [(source.id, source.root) for source in folders.ticked()] == before
        assert {view.id for view in folders.views()} >= {name for name, _ in before}
        (tmp_path / "away").rename(root)
    folders.tick(before[1][0], False)
    assert [source.root for source in folders.ticked()] == [usual]


def test_an_agent_that_lives_in_its_other_folder(folders: Folders, tmp_path: Path) -> None:
    claude(tmp_path / ".config/claude/projects")
    assert [view.path for view in folders.views() if view.agent == "claude_code"] == [str(tmp_path / ".config/claude/projects")]
    folders.tick_found()
    assert [source.root for source in folders.ticked() if source.agent == "claude_code"] == [
        tmp_path / ".config/claude/projects"
    ]


def test_a_folder_added_by_hand(folders: Folders, tmp_path: Path) -> None:
    root = tmp_path / "old disk = 2024"
    claude(root)
    folders.add("claude_code", str(root))
    folders.add("claude_code", str(root))
    assert folders.settings["sources.folders"] == [f"claude_code={root}"]
    assert [source.root for source in folders.ticked()] == [root]
    source = folders.ticked()[0].id
    assert next(view for view in folders.views() if view.id == source).sessions == 1
    folders.remove(source)
    assert folders.ticked() == []
    assert folders.settings["sources.folders"] == []
    for agent, path in (("claude_code", tmp_path / "missing"), ("nobody", root)):
        with pytest.raises(UsageError):
            folders.add(agent, str(path))


def test_one_adapter_that_fails_leaves_the_others(
    folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allow_log: Callable[[str], None]
) -> None:
    allow_log("ERROR tray_app.folders: counting codex files failed")
    claude(tmp_path / ".claude/projects")
    (tmp_path / ".codex").mkdir()

    class Broken:
        def __getattr__(self, name: str) -> Any:
            if name == "discover":
                raise RuntimeError("a bug")
            return getattr(adapter("codex"), name)

    monkeypatch.setattr(module, "adapter", lambda agent: Broken() if agent == "codex" else adapter(agent))
    views = {view.id: view for view in folders.views()}
    assert views["claude_code"].sessions == 1
    assert (views["codex"].why_off, views["codex"].error) == ("unreadable", "could not be looked through (RuntimeError)")


def test_a_folder_that_may_not_be_read(folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    claude(tmp_path / ".claude/projects")
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if Path(path) == tmp_path / ".claude/projects":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    folders.tick("claude_code", True)
    view = next(view for view in folders.views() if view.id == "claude_code")
    assert (view.found, view.enabled, view.why_off, view.error) == (True, True, "unreadable", "Permission denied")
