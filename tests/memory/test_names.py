"""Names as text: their one form, what is refused, what folders are called."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.errors import UsageError
from tray_app.memory.names import (
    checked_name,
    fold_name,
    folder_name,
    has_extension,
    is_foreign,
    is_loose,
    is_whole,
    name_key,
    numbered,
    outside_hidden,
    told_apart,
)


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("shop", "shop"),
        ("  shop  ", "shop"),
        ("\tmy  big \u3000 shop\n", "my big shop"),
        (unicodedata.normalize("NFD", "Café"), "Café"),
        ("商城 项目", "商城 项目"),
        ("shop 2.0", "shop 2.0"),
        ("v1.2", "v1.2"),
        (".dotfiles", ".dotfiles"),
        ("C#", "C#"),
        ("x" * 120, "x" * 120),
    ],
)
def test_a_name_has_one_form(name: str, folded: str) -> None:
    assert checked_name(name) == folded


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        ".",
        "..",
        "a/b",
        "a\\b",
        "/home/kim/shop",
        "shop\x00",
        "sh\nop",
        "a\x1bb",
        "x" * 121,
        "README.md",
        "计划.md",
        "a.tar.gz",
        "x.7z",
        "\ud800",
    ],
)
def test_what_cannot_be_a_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked_name(name)
    assert caught.value.code == "bad_project"


def test_a_folder_may_look_like_a_file() -> None:
    assert checked_name("next.js", any_ending=True) == "next.js"
    assert has_extension("next.js")
    assert not has_extension(".bashrc")
    assert not has_extension("shop.")


def test_names_that_mean_the_same() -> None:
    assert name_key(" SHOP ") == name_key("shop")
    assert name_key(unicodedata.normalize("NFD", "ÉCOLE")) == name_key("école")
    assert name_key("Straße") == name_key("STRASSE")
    assert name_key("shop") != name_key("shop-api")


@given(st.text(max_size=40))
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold_name(fold_name(text)) == fold_name(text)
    assert name_key(name_key(text)) == name_key(text)
    try:
        name = checked_name(text)
    except UsageError:
        return
    assert checked_name(name) == name


@pytest.mark.parametrize(
    ("folder", "name", "apart"),
    [
        ("/home/kim/work/api", "api", "api (work)"),
        ("/home/kim/work/api/", "api", "api (work)"),
        ("C:\\Users\\Kim\\code\\Shop", "Shop", "Shop (code)"),
        ("c:/Users/Kim/code/Shop", "Shop", "Shop (code)"),
        ("\\\\nas\\team\\shop", "shop", "shop (team)"),
        ("D:\\桌面\\资料", "资料", "资料 (桌面)"),
        ("/srv", "srv", "srv (root)"),
        ("C:\\", "", " (root)"),
        ("/", "", " (root)"),
        ("/a/" + unicodedata.normalize("NFD", "Café"), "Café", "Café (a)"),
        ("/a/two  words", "two words", "two words (a)"),
    ],
)
def test_what_a_folder_is_called(folder: str, name: str, apart: str) -> None:
    assert folder_name(folder) == name
    assert told_apart(name, folder) == apart


def test_a_long_name_is_cut_where_it_may_be() -> None:
    name = folder_name("/a/" + "é" * 100 + "e\u0301" * 100)
    assert len(name) == 120
    assert checked_name(numbered(name, 12)).endswith(" 12")
    assert len(numbered(name, 12)) <= 120


@pytest.mark.parametrize(
    ("folder", "loose"),
    [
        ("", True),
        ("/", True),
        ("/home/kim", True),
        ("/home/kim/", True),
        ("/Users/kim/Desktop", True),
        ("/home/kim/Downloads", True),
        ("C:\\Users\\Kim", True),
        ("c:/users/kim/documents", True),
        ("D:\\", True),
        ("/mnt/c", True),
        ("/mnt/c/Users/Kim", True),
        ("/root", True),
        ("/tmp", True),
        ("\\\\nas\\team", True),
        ("/home/kim/shop", False),
        ("/home/kim/Desktop/shop", False),
        ("C:\\code", False),
        ("/tmp/shop", False),
        ("/srv/shop", False),
        ("/workspace", False),
    ],
)
def test_where_talk_belongs_to_no_project(folder: str, loose: bool) -> None:
    assert is_loose(folder) is loose


@pytest.mark.parametrize(
    ("folder", "outside"),
    [
        ("/home/kim/shop/.worktrees/fix/src", "/home/kim/shop"),
        ("C:\\code\\shop\\.claude\\worktrees\\x", "C:\\code\\shop"),
        ("/home/kim/.claude/projects/x", "/home/kim"),
        ("/.cache/x", "/"),
        ("/home/kim/shop/src", "/home/kim/shop/src"),
        ("/home/kim/./shop", "/home/kim/./shop"),
    ],
)
def test_what_is_hidden_belongs_to_what_holds_it(folder: str, outside: str) -> None:
    assert outside_hidden(folder) == outside


def test_a_word_is_no_folder() -> None:
    assert [is_whole(text) for text in ("/a", "C:\\a", "c:/a", "\\\\nas\\a", "a", "[trimmed]", "", "~/a", "C:a")] == [
        *(True, True, True, True, False, False, False, False, False)
    ]


def test_paths_of_other_systems_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.memory.names.os.name", "posix")
    assert [is_foreign(path) for path in ("/home/kim", "C:\\code", "code", "\\\\nas\\x", "//nas/x", "/a\0b", "")] == [
        *(False, True, True, True, True, True, True)
    ]
    monkeypatch.setattr("tray_app.memory.names.os.name", "nt")
    assert [
        is_foreign(path)
        for path in ("C:\\code", "c:/code", "\\\\nas\\x", "/home/kim", "\\\\wsl$\\Ubuntu\\home", "//wsl.localhost/U")
    ] == [*(False, False, False, True, True, True)]
