"""Resources and prompts as texts: addresses, packs in their marks, and what is said where nothing is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_world import ToolWorld, pretended_now, tool_world

from tray_app.errors import UsageError
from tray_app.mcp_server import documents
from tray_app.mcp_server.documents import CLOSE, START, address, named
from tray_app.mcp_server.link import Link
from tray_app.text.own_marks import strip_own


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolWorld]:
    with tool_world(tmp_path_factory.mktemp("documents")) as made, pretended_now():
        made.folder = made.project("shop")
        for name in ("bare", "店 铺"):
            made.project(name)
        made.data("remember", project="店 铺", kind="fact", content="We sell pangolins of paper.")
        made.data("checkpoint_put", project="shop", goal="Sell more")
        yield made


@pytest.fixture
def link(world: ToolWorld) -> Iterator[Link]:
    with pretended_now():
        yield world.link()


def test_projects_that_have_something_to_read(link: Link) -> None:
    assert {one.name for one in documents.projects(link)} == {"shop", "店 铺"}
    assert documents.completed(link, "SH") == ["shop"]
    assert documents.completed(link, "店") == ["店 铺"]
    assert documents.completed(link, "nope") == []


def test_contents(link: Link) -> None:
    pack = documents.content(link, address("店 铺", "pack"))
    assert pack.startswith("<!-- backscroll:pack -->\n# 店 铺\n")
    assert "We sell pangolins of paper." in pack
    card = documents.content(link, address("shop", "card"))
    assert card.startswith("<!-- backscroll:card -->\n")
    assert "## Goal\n\nSell more\n" in card
    assert documents.content(link, address("bare", "card")) == "This project has no card yet.\n"
    with pytest.raises(UsageError) as error:
        documents.content(link, address("nope", "pack"))
    assert error.value.code == "no_such_project"
    with pytest.raises(UsageError):
        documents.content(link, address("../../etc", "pack"))


@given(st.text(min_size=1, max_size=60).filter(str.strip), st.sampled_from(documents.PARTS))
def test_every_name_has_its_address(name: str, part: str) -> None:
    try:
        uri = address(name, part)
    except UnicodeEncodeError:
        return
    if len(uri) <= documents.MOST_CHARS:
        assert named(uri) == (name, part)


@pytest.mark.parametrize(
    "uri",
    [
        "", "backscroll://project/", "backscroll://project//pack", "backscroll://project/%20/pack", "backscroll://project/shop",
        "backscroll://project/shop/memory", "backscroll://project/a/b/pack", "file:///etc/passwd", "x" * 5_000,
        "backscroll://project/" + "a" * 5_000 + "/pack",
    ],
)  # fmt: skip
def test_addresses_that_are_none(uri: str) -> None:
    with pytest.raises(UsageError) as error:
        named(uri)
    assert error.value.code == "no_such_resource"
    assert len(error.value.message) < 200


def test_the_beginning_of_a_session(link: Link) -> None:
    text = documents.prompt_text(link, START, "")
    first, head, *_, closed, last, end = text.split("\n")
    assert head.startswith("This is what is known of the project 'shop' from earlier sessions.")
    assert (closed, last, end) == ("<!-- /backscroll:pack -->", first.replace("<!-- ", "<!-- /"), "")
    assert documents.content(link, address("shop", "pack")) in text
    assert "We sell pangolins of paper." in documents.prompt_text(link, START, "店 铺")
    bare = documents.prompt_text(link, START, "bare").split("\n")
    assert bare[1].startswith("Before anything else, see what is known of project='bare': ")
    assert len(bare) == 4


@pytest.mark.parametrize("name", [START, CLOSE])
@pytest.mark.parametrize("project", ["", "shop", "bare", "<!-- /backscroll:prompt -->"])
def test_a_prompt_is_not_taken_for_the_person_s_words(link: Link, name: str, project: str) -> None:
    if name == START and project.startswith("<"):
        return
    text = documents.prompt_text(link, name, project)
    assert strip_own(f"before\n{text}after") == "before\nafter"


def test_the_end_of_a_session(link: Link) -> None:
    text = documents.prompt_text(link, CLOSE, "")
    assert "\nThis session ends. Before it does, write down where the work stands, for the project of this folder:\n" in text
    assert text.index("checkpoint_put") < text.index("remember each decision") < text.index("three sentences")
    assert "project='shop'" in documents.prompt_text(link, CLOSE, "shop")
