"""Guessing as values: paths first, then whole texts, then mentions."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.memory.guessing import guess

FOLDERS = [
    ("/home/kim/shop/packages/cart", "cart"),
    ("/home/kim/shop", "shop"),
    ("/home/kim/店铺", "店铺"),
    ("c:/users/kim/code/tool", "tool"),
    ("//nas/team/plan", "plan"),
]
NAMES = [
    *(("shop", "shop"), ("shop-api", "shop-api"), ("cart", "cart"), ("Backscroll", "Backscroll"), ("next.js", "next.js")),
    *(("店铺", "店铺"), ("店铺后台", "店铺后台"), ("图", "图"), ("tool", "tool"), ("plan", "plan"), ("scroll", "Backscroll")),
]


def guessed(text: str) -> tuple[str, bool]:
    found = guess(text, FOLDERS, NAMES)
    return found.project, found.sure


@pytest.mark.parametrize(
    ("text", "project"),
    [
        ("/home/kim/shop", "shop"),
        ("/home/kim/shop/", "shop"),
        ("/home/kim/shop/src/a.py", "shop"),
        ("/home/kim/shop/packages/cart/x.ts", "cart"),
        ("look at /home/kim/shop/README.md, please", "shop"),
        ("it is in /home/kim/shop.", "shop"),
        ("看看/home/kim/shop里的文件", "shop"),
        ("看看/home/kim/店铺里的文件", "店铺"),
        ('File "/home/kim/shop/a.py", line 3', "shop"),
        ("file:///home/kim/shop/a.py", "shop"),
        ("C:\\Users\\Kim\\code\\tool\\main.go", "tool"),
        ("file:///C:/Users/Kim/code/tool/main.go", "tool"),
        ("\\\\NAS\\team\\plan\\x.txt", "plan"),
        (unicodedata.normalize("NFD", "/home/kim/店铺/é"), "店铺"),
    ],
)
def test_a_path_is_sure(text: str, project: str) -> None:
    assert guessed(text) == (project, True)


@pytest.mark.parametrize(
    "text",
    [
        "/home/kim/shop-old/a",
        "/home/kim/shop.git/a",
        "/mnt/home/kim/shop",
        "/home/kim/shopping",
        "~/home/kim/shop",
        "/elsewhere/shop",
    ],
)
def test_a_path_beside_a_folder_is_none_of_it(text: str) -> None:
    assert guessed(text) == ("workspace", False)


@pytest.mark.parametrize(("folds", "project"), [(False, "workspace"), (True, "shop")])
def test_cases_are_the_same_where_the_system_says_so(monkeypatch: pytest.MonkeyPatch, folds: bool, project: str) -> None:
    monkeypatch.setattr("tray_app.memory.guessing.FOLDS_CASE", folds)
    assert guessed("/home/kim/Shop/x")[0] == project


def test_a_path_from_home() -> None:
    folder = str(Path.home() / "deep" / "thing").replace("\\", "/")
    found = guess("open ~/deep/thing/a.txt", [(folder, "thing")], [("thing", "thing")])
    assert (found.project, found.sure) == ("thing", True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop", ("shop", True)),
        (" SHOP ", ("shop", True)),
        ("scroll", ("Backscroll", True)),
        ("next.js", ("next.js", True)),
        ("店铺", ("店铺", True)),
        ("back", ("Backscroll", False)),
        ("店铺后", ("店铺后台", False)),
        ("sho", ("workspace", False)),
        ("b", ("workspace", False)),
        ("back.md", ("workspace", False)),
        ("shop.py", ("workspace", False)),
        ("nothing like it", ("workspace", False)),
        ("workspace", ("workspace", False)),
        ("", ("workspace", False)),
    ],
)
def test_a_text_that_is_a_name_or_its_beginning(text: str, expected: tuple[str, bool]) -> None:
    assert guessed(text) == expected


@pytest.mark.parametrize(
    ("text", "project"),
    [
        ("how does backscroll read sessions?", "Backscroll"),
        ("the shop's cart and the shop's till", "shop"),
        ("shop-api is down again", "shop-api"),
        ("shop and shop-api and shop-api", "shop-api"),
        ("shop and cart", "cart"),
        ("we use next.js here", "next.js"),
        ("把店铺的登录改一下", "店铺"),
        ("店铺后台打不开", "店铺后台"),
        ("请看backscroll的代码", "Backscroll"),
        ("图 怎么画", "图"),
        ("workshop about shopping", "workspace"),
        ("edit shop.py and cart/index.ts", "workspace"),
        ("src/shop/a and shop\\b", "workspace"),
        ("地图很大", "workspace"),
        ("shop_test @shop", "workspace"),
        ("come back soon, all of you", "workspace"),
    ],
)
def test_names_in_a_text(text: str, project: str) -> None:
    assert guessed(text) == (project, False)


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=12).filter(str.strip), max_size=8))
def test_only_what_is_known_is_guessed(text: str, names: list[str]) -> None:
    found = guess(text, [], [(name, name) for name in names])
    assert found.project in {*names, "workspace"}
    assert guess(text, [], [(name, name) for name in names]) == found


def test_a_long_text_is_quick() -> None:
    names = [(f"project-{number}", f"project-{number}") for number in range(300)]
    folders = [(f"/home/kim/work/project-{number}", f"project-{number}") for number in range(300)]
    assert guess("word " * 100_000 + "project-7", folders, names).project == "workspace"
    assert guess("see project-7 " * 100_000, folders, names).project == "project-7"
