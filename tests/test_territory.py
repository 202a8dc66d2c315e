"""Whose a folder is: the longest folder wins, borders are respected, and only what is concerned has another mark."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.errors import UsageError
from tray_app.spaces import Spaces
from tray_app.territory import REST, Layout, Space, Territory, is_within, plain_folder

A = Space(id="a" * 8, name="Acme", folders=("/w/a",))
B = Space(id="b" * 8, name="b", folders=("/w/b",), removed="2026-11-30T08:00:00Z")


@pytest.fixture
def spaces(tmp_path: Path) -> Spaces:
    return Spaces(tmp_path / "spaces", lambda: datetime(2026, 11, 30, 8, tzinfo=UTC))


# --- whose a folder is -----------------------------------------------------------------------------------------------------
def test_without_spaces_everything_is_the_rest(spaces: Spaces) -> None:
    layout = spaces.layout()
    assert layout == Layout()
    assert layout.owner_of("/home/kim/shop") == REST
    assert (Territory(layout).mark, Territory(layout).holds("codex", "/x"), Territory(layout).holds("codex", "")) == (
        "",
        True,
        True,
    )
    assert not spaces.folder.exists()


@pytest.mark.parametrize(
    ("folder", "owner"),
    [
        ("/home/kim/client", "client"),
        ("/home/kim/client/", "client"),
        ("/home/kim/client/web/api", "client"),
        ("/home/kim/client/private", "own"),
        ("/home/kim/client/private/x", "own"),
        ("/home/kim/client-b", REST),
        ("/home/kim/client/../other", REST),
        ("/home/kim/other/../client", "client"),
        ("/home/kim", REST),
        ("", REST),
        ("client", REST),
    ],
)
def test_the_longest_folder_decides(spaces: Spaces, folder: str, owner: str) -> None:
    ids = {
        spaces.add("client", ["/home/kim/client"]).id: "client",
        spaces.add("own", ["/home/kim/client/private"]).id: "own",
        REST: REST,
    }
    assert ids[spaces.layout().owner_of(folder)] == owner


def test_windows_folders_are_compared_as_windows_does() -> None:
    space = Space(id="0" * 8, name="w", folders=("C:\\Jobs\\Client", "\\\\Server\\Share"))
    layout = Layout(spaces=(space,))
    assert layout.owner_of("c:/jobs/client/API") == space.id
    assert layout.owner_of("\\\\SERVER\\share\\x") == space.id
    assert layout.owner_of("C:\\Work\\Clients") == REST


def test_a_whole_root_may_be_a_space() -> None:
    layout = Layout(
        spaces=(Space(id="0" * 8, name="all", folders=("/",)), Space(id="1" * 8, name="kim", folders=("/home/kim",)))
    )
    assert [layout.owner_of(folder) for folder in ("/", "/etc", "/home/kim/x", "")] == ["0" * 8, "0" * 8, "1" * 8, REST]


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    plain, within = plain_folder(one), plain_folder(other)
    assert plain_folder(plain) == plain
    assert is_within(plain, plain)
    if is_within(plain, within) and is_within(within, plain):
        assert plain == within


# --- what changes with it ----------------------------------------------------------------------------------------------------
def test_only_the_libraries_concerned_have_another_mark(spaces: Spaces) -> None:
    a, b = spaces.add("a", ["/w/a"]).id, spaces.add("b", ["/w/b", "/w/a/deep"]).id

    def marks() -> dict[str, str]:
        return {name: Territory(spaces.layout(), one).mark for name, one in (("a", a), ("b", b), ("rest", REST))}

    first = marks()
    spaces.assign("a", ["/w/c"])
    second = marks()
    assert [name for name in first if first[name] != second[name]] == ["a", "rest"]
    spaces.assign("b", ["/w/c/inner"])  # from a to b: nothing to the rest
    third = marks()
    assert [name for name in first if second[name] != third[name]] == ["a", "b"]
    spaces.unassign("/w/a/deep")
    assert [name for name in first if third[name] != marks()[name]] == ["a", "b"]


def test_a_space_without_folders_holds_nothing(spaces: Spaces) -> None:
    space = spaces.add("a", ["/w/a"])
    spaces.unassign("/w/a")
    territory = Territory(spaces.layout(), space.id)
    assert (territory.holds("codex", "/w/a"), territory.holds("codex", ""), territory.mark) == (False, False, "-")


@pytest.mark.parametrize(
    ("notes", "workspaces", "owner"),
    [
        ("-w-client", (), "client"),
        ("-w-client-web", (), "client"),
        ("-w-client-web", ("/w/client-web",), REST),
        ("-w-client-web", ("/w/client/web",), "client"),
        ("-w-client-web", ("/w/client-web", "/w/client/web"), "client"),
        ("-w-clients", (), REST),
        ("-w-other", ("/w/other",), REST),
    ],
)
def test_notes_of_claude_code_follow_the_folder_they_are_on(
    spaces: Spaces, notes: str, workspaces: tuple[str, ...], owner: str
) -> None:
    space = spaces.add("client", ["/w/client"])
    territory = Territory(spaces.layout(), REST, workspaces)
    folder = f"/home/kim/.claude/projects/{notes}/memory"
    assert territory.owner("memory", folder) == (space.id if owner == "client" else REST)
    assert territory.owner("codex", folder) == REST
    assert territory.owner("memory", "/home/kim/.claude") == REST


# --- which library a question goes to ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("space", "caller", "library"),
    [
        (None, None, REST),
        ("", None, REST),
        (" Default", "/w/a", REST),
        ("acme", None, A.id),
        ("ACME", "/elsewhere", A.id),
        (A.id, "", A.id),
        (None, "/w/a/deep", A.id),
    ],
)
def test_questions_that_are_answered(space: str | None, caller: str | None, library: str) -> None:
    assert Layout(spaces=(A, B)).asked(space, caller) == library


@pytest.mark.parametrize(
    ("space", "caller", "code"),
    [
        (None, "/w", "outside_spaces"),
        (None, "", "outside_spaces"),
        ("", "/w/ab", "outside_spaces"),
        (None, "/w/b/deep", "outside_spaces"),
        ("b", None, "no_such_space"),
        ("c", "/w/a", "no_such_space"),
    ],
)
def test_questions_that_are_refused(space: str | None, caller: str, code: str) -> None:
    with pytest.raises(UsageError) as error:
        Layout(spaces=(A, B)).asked(space, caller)
    assert error.value.code == code
    assert "Acme" not in error.value.message


def test_where_all_spaces_are_removed_everybody_is_answered() -> None:
    layout = Layout(spaces=(B,))
    assert (layout.asked(None, "/w/b"), layout.asked(None, "/w")) == (REST, REST)
    assert not Territory(layout).holds("codex", "/w/b/x")


def test_libraries_are_called_by_the_names_of_their_spaces() -> None:
    assert [Layout(spaces=(A, B)).name_of(one) for one in (REST, A.id, B.id, "0" * 8)] == ["default", "Acme", "b", "default"]
