"""Which projects there are, what names and folders mean, and what became of their folders; on a real disk and memory."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_world import MemoryWorld

from tray_app.errors import KnownError, UsageError
from tray_app.library.memory.rows import ProjectRow
from tray_app.memory.census import Seen
from tray_app.memory.projects import Projects
from tray_app.records import ProjectView
from tray_app.settings import Settings


@pytest.fixture
def world(tmp_path: Path) -> Iterator[MemoryWorld]:
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


def shown(world: MemoryWorld) -> dict[str, ProjectView]:
    return {view.name: view for view in world.projects.views()}


def remember(world: MemoryWorld, project: str, content: str = "It is so.") -> int:
    return world.memories.remember(project, "fact", "", content).memory.id


# --- which there are -----------------------------------------------------------------------------------------------------------
def test_an_empty_machine_has_the_reserved_ones_only(world: MemoryWorld) -> None:
    assert [(view.name, view.state) for view in world.projects.views()] == [("unfiled", "reserved"), ("workspace", "reserved")]
    assert not world.store.file.exists()


def test_folders_below_the_root(world: MemoryWorld) -> None:
    for name in ("shop", "Café", "_drafts", ".cache", "商城"):
        world.project(name)
    (world.root / "notes.txt").write_text("no folder")
    views = shown(world)
    assert sorted(views) == sorted(["Café", "shop", "unfiled", "workspace", "商城"])
    assert views["shop"] == ProjectView(name="shop", folder=str(world.root / "shop"), state="present", origin="folder")


def test_names_of_a_mac_are_composed(world: MemoryWorld) -> None:
    world.project(unicodedata.normalize("NFD", "Café"))
    assert world.projects.resolve("café") == "Café"
    assert Path(world.projects.folder_of("CAFÉ")).is_dir()


def test_workspaces_are_repositories_or_their_own_folder(world: MemoryWorld) -> None:
    world.workspace("code/tool", git=True, sessions=2, last=1_000)
    inner = world.workspace("code/tool/src/deep", sessions=3, last=2_000)
    world.workspace("notes", sessions=1, last=3_000)
    views = shown(world)
    assert (views["tool"].sessions, views["tool"].last_activity, views["tool"].origin) == (
        5,
        "1970-01-01T00:00:02.000Z",
        "workspace",
    )
    assert views["notes"].folder == str(world.folder / "notes")
    assert world.projects.of_workspace(str(inner)) == "tool"
    assert [view.name for view in world.projects.views()][:2] == ["notes", "tool"]


def test_a_linked_worktree_is_its_repository(world: MemoryWorld) -> None:
    main = world.workspace("code/tool", git=True)
    (main / ".git" / "worktrees" / "fix").mkdir(parents=True)
    tree = world.workspace("trees/fix-1234")
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/fix\n")
    assert world.projects.of_workspace(str(tree / "src")) == "tool"
    module = world.workspace("code/tool/vendor/lib")
    (module / ".git").write_text("gitdir: ../../.git/modules/lib\n")
    world.renew()
    assert world.projects.of_workspace(str(module)) == "lib"
    assert sorted(shown(world)) == ["lib", "tool", "unfiled", "workspace"]


def test_below_the_root_the_first_folder_counts(world: MemoryWorld) -> None:
    (world.project("clients") / "acme" / ".git").mkdir(parents=True)
    world.saw(str(world.root / "clients" / "acme"))
    world.saw(str(world.root))
    views = shown(world)
    assert views["clients"].sessions == 1
    assert views["workspace"].sessions == 1
    assert "acme" not in views


def test_talk_at_home_belongs_to_no_project(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    home = world.workspace("home/kim", git=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    world.workspace("home/kim/.claude/projects/-x/memory")
    world.workspace("home/kim/shop")
    for cwd in ("", "/", "C:\\Users\\Kim", "/Users/kim"):
        world.saw(cwd)
    views = shown(world)
    assert sorted(views) == ["shop", "unfiled", "workspace"]
    assert views["workspace"].sessions == 6


def test_paths_of_windows_are_names_on_any_system(world: MemoryWorld) -> None:
    world.saw("C:\\Users\\Kim\\code\\Shop", 2)
    world.saw("c:/users/kim/code/shop", 1)
    if os.name == "posix":
        views = shown(world)
        assert (views["Shop"].sessions, views["Shop"].state) == (3, "present")
        assert world.projects.guess("C:\\Users\\Kim\\code\\Shop\\main.go").project == "Shop"
        assert world.projects.of_workspace("C:\\USERS\\KIM\\CODE\\SHOP") == "Shop"


def test_an_index_that_cannot_be_read_keeps_no_memory_from_being_written(
    world: MemoryWorld,
) -> None:
    tool = world.workspace("code/tool", git=True)
    assert "tool" in shown(world)

    def locked() -> list[Seen]:
        raise KnownError("index_locked", "Locked", "Another program holds it.")

    world.projects._workspaces = locked
    assert remember(world, "TOOL") == 1
    assert shown(world)["tool"].folder == str(tool)


def test_the_root_is_below_the_documents_unless_it_is_chosen(
    world: MemoryWorld, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    projects = Projects(world.store, Settings())
    assert projects.root == str(isolated / "Documents" / "Projects")
    monkeypatch.delenv("BACKSCROLL_SOURCES_HOME")
    monkeypatch.setattr("platformdirs.user_documents_path", lambda: isolated / "Dokumente")
    assert projects.root == str(isolated / "Dokumente" / "Projects")
    world.settings.set("projects.root", "~/code")
    assert world.projects.root == str(isolated / "code")


def test_worktrees_in_a_hidden_folder_belong_to_the_project_around_it(world: MemoryWorld) -> None:
    world.saw("/Users/kim/code/shop/.worktrees/streaming")
    world.saw("C:\\code\\tool\\.claude\\worktrees\\x")
    world.saw("[a word]")
    assert [world.projects.of_workspace(seen.cwd) for seen in world.seen] == ["shop", "tool", "workspace"]


# --- two of one name -------------------------------------------------------------------------------------------------------------
def test_two_folders_of_one_name_are_told_apart(world: MemoryWorld) -> None:
    world.project("api")
    work, home = world.workspace("work/api", git=True), world.workspace("private/api", git=True)
    world.workspace("more/work/api", git=True)
    assert sorted(shown(world)) == ["api", "api (private)", "api (work)", "api (work) 2", "unfiled", "workspace"]
    assert world.projects.of_workspace(str(home)) == "api (private)"
    assert world.projects.resolve("API (Private)") == "api (private)"
    assert world.projects.of_workspace(str(work)) == "api (work) 2"  # behind more/work/api, by the order of the paths
    assert world.projects.guess(str(home / "x.py")).project == "api (private)"


def test_a_registered_name_stays_with_its_folder(world: MemoryWorld) -> None:
    later = world.workspace("work/api", git=True)
    remember(world, world.projects.of_workspace(str(later)))
    earlier = world.workspace("before/api", git=True)
    world.project("api")
    world.renew()
    assert world.projects.of_workspace(str(later)) == "api"
    assert world.projects.of_workspace(str(earlier)) == "api (before)"
    assert shown(world)["api (Projects)"].folder == str(world.root / "api")


def test_a_folder_called_as_a_reserved_name_is_told_apart(world: MemoryWorld) -> None:
    world.project("workspace")
    assert shown(world)["workspace (Projects)"].folder == str(world.root / "workspace")
    assert world.projects.resolve("Workspace") == "workspace"


def test_folders_that_differ_in_case_alone(world: MemoryWorld) -> None:
    world.project("Shop")
    if (world.root / "shop").exists():
        pytest.skip("cases are the same here")
    world.project("shop")
    assert sorted(shown(world)) == ["Shop", "shop (Projects)", "unfiled", "workspace"]
    assert world.projects.of_workspace(str(world.root / "shop" / "src")) == "shop (Projects)"


def test_a_folder_nobody_saw_gets_the_name_it_would_have(world: MemoryWorld) -> None:
    world.project("api")
    (world.folder / "new" / "api" / ".git").mkdir(parents=True)
    (world.folder / "new" / "fresh").mkdir()
    assert world.projects.of_workspace(str(world.folder / "new" / "api" / "src")) == "api (new)"
    assert world.projects.of_workspace(str(world.folder / "new" / "fresh")) == "fresh"
    assert sorted(shown(world)) == ["api", "unfiled", "workspace"]


# --- gone and moved --------------------------------------------------------------------------------------------------------------
def test_a_folder_that_is_gone_is_an_orphan_only_with_memories(world: MemoryWorld) -> None:
    kept, left = world.workspace("work/kept"), world.workspace("work/left")
    remember(world, "kept")
    shutil.rmtree(kept)
    shutil.rmtree(left)
    world.renew()
    views = shown(world)
    assert (views["kept"].state, views["kept"].memories, views["kept"].sessions) == ("orphan", 1, 1)
    assert "left" not in views
    assert world.projects.folder_of("kept") == ""
    assert world.projects.of_workspace(str(left)) == "left"


def test_a_gone_folder_joins_the_one_of_its_name(world: MemoryWorld) -> None:
    world.workspace("code/tool", git=True)
    tree = world.workspace("trees/1a2b/tool")
    assert "tool (1a2b)" in shown(world)
    shutil.rmtree(tree)
    world.renew()
    assert shown(world)["tool"].sessions == 2
    assert world.projects.of_workspace(str(tree)) == "tool"


def test_a_project_that_was_moved_keeps_its_memories(world: MemoryWorld) -> None:
    old = world.workspace("old/shop", git=True)
    remember(world, "shop")
    (world.folder / "new").mkdir()
    old.rename(world.folder / "new" / "shop")
    world.saw(str(world.folder / "new" / "shop"))
    world.renew()
    view = shown(world)["shop"]
    assert (view.folder, view.state, view.memories, view.sessions) == (str(world.folder / "new" / "shop"), "present", 1, 2)
    remember(world, "shop", "And so.")
    (row,) = world.store.rows(ProjectRow).values()
    assert row.folder == str(world.folder / "new" / "shop")


def test_two_that_could_be_the_moved_one_are_not_taken_for_it(world: MemoryWorld) -> None:
    old = world.workspace("old/shop", git=True)
    remember(world, "shop")
    shutil.rmtree(old)
    for place in ("a", "b"):
        world.workspace(f"{place}/shop", git=True)
    world.renew()
    views = shown(world)
    assert (views["shop"].state, "shop (a)" in views, "shop (b)" in views) == ("orphan", True, True)


def test_a_rule_of_moved_folders_is_honoured(world: MemoryWorld) -> None:
    old = world.workspace("old/shop", git=True, sessions=2)
    remember(world, "shop")
    new = world.folder / "new" / "store"
    new.parent.mkdir()
    old.rename(new)
    world.settings.set("projects.moved", [f"{old}={new}"])
    world.saw(str(new / "src"))
    world.renew()
    view = shown(world)["shop"]
    assert (view.folder, view.state, view.sessions) == (str(new), "present", 3)
    assert world.projects.of_workspace(str(old / "src")) == "shop"
    assert world.projects.guess(f"see {old}/src/a.py").project == "shop"


def test_what_is_out_of_reach_is_no_orphan(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = world.folder / "media" / "disk"
    world.workspace("media/disk/shop", git=True)
    remember(world, "shop")
    world.project("inside")
    remember(world, "inside")
    shutil.rmtree(disk)
    shutil.rmtree(world.root)
    import re

    monkeypatch.setattr("tray_app.memory.places._MOUNTS", re.compile(re.escape(str(disk.parent))))
    world.renew()
    assert {name: view.state for name, view in shown(world).items() if view.memories} == {
        "shop": "present",
        "inside": "present",
    }
    assert world.projects.prune() == []


# --- names -------------------------------------------------------------------------------------------------------------------------
def test_resolving(world: MemoryWorld) -> None:
    world.project("Shop")
    world.project("next.js")
    remember(world, "Only Remembered")
    assert world.projects.resolve("  sHOP ") == "Shop"
    assert world.projects.resolve("NEXT.js") == "next.js"
    assert world.projects.resolve("only   remembered") == "Only Remembered"
    assert world.projects.resolve("Brand  New") == "Brand New"
    assert world.projects.resolve("WORKSPACE") == "workspace"
    for name in ("notes.md", "a/b", "", "\x07"):
        with pytest.raises(UsageError) as caught:
            world.projects.resolve(name)
        assert caught.value.code == "bad_project"


def test_a_filter_must_name_a_known_project(world: MemoryWorld) -> None:
    world.project("backscroll")
    assert world.projects.find("Backscroll") == "backscroll"
    with pytest.raises(UsageError) as caught:
        world.projects.find("backscrol")
    assert (caught.value.code, caught.value.hint) == ("no_such_project", "Did you mean 'backscroll'?")


def test_guessing_converges_and_makes_nothing(world: MemoryWorld) -> None:
    world.project("backscroll")
    world.workspace("code/tool", git=True)
    assert world.projects.guess("back").project == "backscroll"
    assert world.projects.guess(str(world.root / "backscroll" / "x" / "y.py")).sure
    assert world.projects.guess(str(world.root / "unheard" / "y.py")).project == "workspace"
    assert world.projects.guess("tool.py").project == "workspace"
    assert world.projects.guess("please fix the tool").project == "tool"
    assert not world.store.file.exists()


@given(text=st.text(max_size=60))
def test_guessing_never_makes_a_project(text: str) -> None:
    store = MemoryWorldDouble.store()
    projects = Projects(store, MemoryWorldDouble.settings(), lambda: [Seen("C:\\code\\shop")])
    assert projects.guess(text).project in {"workspace", "shop"}
    assert not store.file.exists()


@given(name=st.text(max_size=60) | st.sampled_from(["SHOP", "shop ", "Workspace", "x y", "İ", "ß", "ﬁ"]))
def test_resolving_again_changes_nothing(name: str) -> None:
    projects = Projects(MemoryWorldDouble.store(), MemoryWorldDouble.settings(), lambda: [Seen("C:\\code\\shop")])
    try:
        found = projects.resolve(name)
    except UsageError as fault:
        assert fault.code == "bad_project"
        return
    assert projects.resolve(found) == found


class MemoryWorldDouble:
    """Without any folder: for tests that run a hundred times."""

    @staticmethod
    def store() -> object:
        from tray_app.library.memory.store import MemoryStore

        return MemoryStore(Path.home() / "none" / "memory.duckdb")

    @staticmethod
    def settings() -> Settings:
        return Settings()
