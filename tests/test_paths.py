"""Where things lie: our folders by the environment, agents' folders by theirs."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tray_app.paths import Paths, SourcesHome, resource, shorten


def test_one_folder_for_everything(tmp_path: Path) -> None:
    paths = Paths.from_environment({"BACKSCROLL_HOME": f" {tmp_path}/b "})
    assert {folder.parent for folder in paths.folders} == {tmp_path / "b"}
    assert paths.index_file == tmp_path / "b" / "data" / "index.duckdb"
    assert not (tmp_path / "b").exists()


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_folders_are_for_this_user_only(tmp_path: Path) -> None:
    (tmp_path / "b" / "data").mkdir(parents=True, mode=0o755)
    paths = Paths.from_environment({"BACKSCROLL_HOME": str(tmp_path / "b")}).ensure()
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in paths.folders} == {0o700}
    assert paths.ensure() is paths


def test_the_systems_folders_are_below_the_users_own(monkeypatch: pytest.MonkeyPatch, isolated: Path) -> None:
    monkeypatch.delenv("BACKSCROLL_HOME")
    paths = Paths.from_environment()
    assert all(folder.is_relative_to(isolated) for folder in paths.folders)


def test_a_relative_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Paths.from_environment({"BACKSCROLL_HOME": "b"}).data == tmp_path / "b" / "data"
    assert SourcesHome.from_environment({"BACKSCROLL_SOURCES_HOME": "h"}).home == tmp_path / "h"


def test_agents_own_variables_count_unless_a_home_was_given(tmp_path: Path) -> None:
    env = {"CODEX_HOME": str(tmp_path / "c"), "DSH_HOME": "  "}
    free = SourcesHome.from_environment(env)
    assert free.agent_folder("CODEX_HOME", ".codex") == tmp_path / "c"
    assert free.agent_folder("DSH_HOME", ".dsh") == free.home / ".dsh"
    assert not free.confined
    confined = SourcesHome.from_environment({**env, "BACKSCROLL_SOURCES_HOME": str(tmp_path)})
    assert confined.agent_folder("CODEX_HOME", ".codex") == tmp_path / ".codex"
    assert confined.confined


def test_the_home_is_shown_as_a_tilde() -> None:
    home = os.sep + os.path.join("home", "kim")
    assert shorten(os.path.join(home, "a"), home) == f"~{os.sep}a"
    assert shorten(home, home) == "~"
    assert shorten(home + "berly", home) == home + "berly"
    assert shorten("elsewhere", home) == "elsewhere"


def test_resources_are_found_or_named() -> None:
    assert resource("demo").is_dir()
    with pytest.raises(FileNotFoundError, match="no-such-thing"):
        resource("no-such-thing")
