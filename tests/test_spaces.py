"""Which folders belong to which space: the longest folder wins, no folder has two spaces, the file outlives damage."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tray_app.errors import KnownError, UsageError
from tray_app.spaces import Spaces
from tray_app.territory import REST, Territory

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)


@pytest.fixture
def spaces(tmp_path: Path) -> Spaces:
    return Spaces(tmp_path / "spaces", lambda: NOW)


def refused(code: str, call: Callable[..., object], *arguments: object) -> UsageError:
    with pytest.raises(UsageError) as error:
        call(*arguments)
    assert error.value.code == code
    return error.value


# --- changing ----------------------------------------------------------------------------------------------------
@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own there")
def test_a_link_counts_with_what_it_leads_to(spaces: Spaces, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    space = spaces.add("s", [str(tmp_path / "link")])
    assert space.folders == (str(tmp_path / "link"), os.path.realpath(tmp_path / "disk"))
    assert spaces.layout().owner_of(str(tmp_path / "disk" / "x")) == space.id
    assert spaces.unassign(str(tmp_path / "link")).folders == ()


def test_a_folder_has_one_space_at_most(spaces: Spaces) -> None:
    spaces.add("a", ["/w/a"])
    spaces.add("b", ["/w/b"])
    error = refused("folder_taken", spaces.assign, "b", ["/w/c", "/w/a/"])
    assert (error.message, error.hint) == (
        "/w/a belongs to a. A folder belongs to one space at most.",
        "Take it out first: backscroll spaces unassign /w/a",
    )
    assert spaces.layout().owner_of("/w/c") == REST  # nothing of it was done
    refused("folder_taken", spaces.add, "c", ["/w/b"])
    assert [space.name for space in spaces.layout().spaces] == ["a", "b"]
    assert spaces.assign("a", ["/w/a", "/w/d"]).folders == ("/w/a", "/w/d")


def test_unassign(spaces: Spaces) -> None:
    spaces.add("a", ["/w/a", "/w/b"])
    assert spaces.unassign("/w/a/").folders == ("/w/b",)
    refused("folder_not_assigned", spaces.unassign, "/w/a")
    refused("folder_not_assigned", spaces.unassign, "/w/b/c")
    assert spaces.layout().owner_of("/w/a") == REST


@pytest.mark.parametrize("folder", ["", " ", "relative/x", "/a\0b"])
def test_only_whole_paths_are_folders(spaces: Spaces, folder: str) -> None:
    refused("bad_folder", spaces.add, "a", [folder])
    assert not spaces.file.exists()


def test_a_space_needs_a_folder(spaces: Spaces) -> None:
    refused("bad_folder", spaces.add, "a", [])


@pytest.mark.parametrize("name", ["", "  ", "-a", "a\x1bb", "x" * 61, "a\u202eb", "0a1b2c3d"])
def test_names_that_are_none(spaces: Spaces, name: str) -> None:
    refused("bad_space_name", spaces.add, name, ["/w"])


@pytest.mark.parametrize("name", ["default", "Default ", "ＤＥＦＡＵＬＴ"])
def test_the_rest_has_its_name_for_itself(spaces: Spaces, name: str) -> None:
    refused("space_exists", spaces.add, name, ["/w"])


def test_names_are_compared_without_case(spaces: Spaces) -> None:
    space = spaces.add(" 客户  A ", ["/w/a"])
    assert space.name == "客户 A"
    refused("space_exists", spaces.add, "客户 a", ["/w/b"])
    layout = spaces.layout()
    assert layout.named("客户 a").id == layout.named(space.id).id == space.id
    error = refused("no_such_space", layout.named, "客户")
    assert error.hint == "There are: 客户 A."


def test_renaming_touches_nothing_else(spaces: Spaces) -> None:
    space = spaces.add("a", ["/w/a"])
    spaces.add("b", ["/w/b"])
    before = {one: Territory(spaces.layout(), one).mark for one in (space.id, REST)}
    renamed = spaces.rename("a", "A")
    assert (renamed.id, renamed.name, renamed.folders) == (space.id, "A", ("/w/a",))
    assert {one: Territory(spaces.layout(), one).mark for one in (space.id, REST)} == before
    assert spaces.index_file(space.id) == spaces.folder / space.id / "index.duckdb"
    refused("space_exists", spaces.rename, "A", "b")
    refused("no_such_space", spaces.rename, "x", "y")


def test_a_removed_space_keeps_its_folders(spaces: Spaces) -> None:
    space = spaces.add("a", ["/w/a", "/w/b"])
    spaces.add("b", ["/w/c"])
    rest = Territory(spaces.layout()).mark
    assert spaces.remove("a").removed == "2026-11-30T08:00:00Z"
    layout = spaces.layout()
    assert (layout.owner_of("/w/a/x"), layout.of_caller("/w/a/x"), [one.name for one in layout.in_use]) == (
        space.id,
        None,
        ["b"],
    )
    assert Territory(layout).mark == rest
    refused("no_such_space", layout.named, "a")
    refused("no_such_space", spaces.remove, "a")
    error = refused("space_exists", spaces.add, "a", ["/w/x"])
    assert "spaces restore 'a'" in error.hint
    spaces.assign("b", ["/w/b"])  # what a removed space holds may go elsewhere
    assert spaces.restore("a").folders == ("/w/a",)
    refused("no_such_space", spaces.restore, "a")
    assert spaces.layout().of_caller("/w/a/x") == spaces.layout().named("a")


# --- the file ------------------------------------------------------------------------------------------------------------------
def test_the_file_is_read_by_another_process(spaces: Spaces) -> None:
    space = spaces.add('say "hi" \\ 客户', ["/w/ö \\ x"])
    assert Spaces(spaces.folder).layout().spaces == (space,)
    assert sorted(path.name for path in spaces.folder.rglob("*")) == ["copies", "spaces-000001.toml", "spaces.toml"]


def test_a_change_by_another_process_is_seen(spaces: Spaces) -> None:
    spaces.add("a", ["/w/a"])
    assert len(spaces.layout().spaces) == 1
    Spaces(spaces.folder).add("b", ["/w/b"])
    assert [space.name for space in spaces.layout().spaces] == ["a", "b"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[[space]]\nid = 1\n", b'[[space]]\nid = "../../x"\nname = "a"\n'])
def test_a_damaged_file_is_restored(spaces: Spaces, content: bytes, allow_log: Callable[[str], None]) -> None:
    spaces.add("a", ["/w/a"])
    space = spaces.assign("a", ["/w/b"])
    spaces.file.write_bytes(content)
    allow_log("spaces.toml could not be used and was restored from spaces-000002.toml")
    assert Spaces(spaces.folder).layout().spaces == (space,)
    assert (spaces.folder / "spaces.toml.damaged").read_bytes() == content


def test_a_lost_file_is_restored(spaces: Spaces, allow_log: Callable[[str], None]) -> None:
    space = spaces.add("a", ["/w/a"])
    spaces.file.unlink()
    allow_log("spaces.toml could not be used and was restored from spaces-000001.toml")
    assert spaces.layout().spaces == (space,)


def test_what_cannot_be_read_is_never_taken_for_no_spaces(spaces: Spaces) -> None:
    spaces.add("a", ["/w/a"])
    spaces.file.write_bytes(b"[[[")
    for copy in spaces.copies.iterdir():
        copy.unlink()
    with pytest.raises(KnownError, match="kept apart, and cannot be used") as error:
        Spaces(spaces.folder).layout()
    assert error.value.code == "spaces_unreadable"


def test_a_file_by_hand_that_contradicts_itself_is_damaged(spaces: Spaces, allow_log: Callable[[str], None]) -> None:
    first = spaces.add("a", ["/w/a"])
    spaces.add("b", ["/w/b"])
    spaces.file.write_text(spaces.file.read_text().replace("/w/b", "/w/a/"))
    allow_log("restored from spaces-000002.toml")
    assert Spaces(spaces.folder).layout().spaces[0] == first


def test_ten_copies_are_kept(spaces: Spaces) -> None:
    spaces.add("a", ["/w/0"])
    for number in range(1, 14):
        spaces.assign("a", [f"/w/{number}"])
    assert sorted(file.name for file in spaces.copies.iterdir()) == [f"spaces-{number:06}.toml" for number in range(5, 15)]


def test_a_change_that_cannot_be_written_is_none(spaces: Spaces, monkeypatch: pytest.MonkeyPatch) -> None:
    spaces.add("a", ["/w/a"])
    from tray_app import settings

    def full(source: str, target: Path) -> None:
        if Path(target) == spaces.file:
            raise OSError(28, "No space left on device")
        Path(source).rename(target)

    monkeypatch.setattr(settings.os, "replace", full)
    with pytest.raises(KnownError, match="No space left on device") as error:
        spaces.assign("a", ["/w/b"])
    assert error.value.code == "spaces_unwritable"
    monkeypatch.undo()
    assert spaces.layout().named("a").folders == ("/w/a",)
    assert [file.name for file in spaces.copies.iterdir()] == ["spaces-000001.toml"]
