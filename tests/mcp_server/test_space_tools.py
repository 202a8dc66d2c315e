"""Spaces and callers: an agent that stands in a space sees that library alone, and one outside is told what to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tool_world import BLOG, SHOP, ToolWorld, claude, pretended_now, tool_world

from tray_app.errors import UsageError
from tray_app.mcp_server import documents
from tray_app.mcp_server.catalogue import OUTSIDE, TOOLS
from tray_app.mcp_server.tending import APART

CLIENT, INSIDE = "/home/kim/client", "/home/kim/client/deep/down"
ARGUMENTS: dict[str, dict[str, Any]] = {
    "session_recall": {"query": "zeppelin"},
    "session_search": {"query": "zeppelin"},
    "recall": {"query": "zeppelin"},
    "remember": {"project": "client", "content": "A zeppelin from outside"},
    "memory_update": {"id": 1, "title": "Taken"},
    "handoff_pack": {"project": "client"},
    "handoff_get": {"project": "client"},
    "handoff_put": {"project": "client", "content": "Taken"},
    "checkpoint_put": {"project": "client", "goal": "Taken"},
    "checkpoint_get": {"project": "client"},
    "checkpoint_promote": {"project": "client"},
    "pages_index": {"project": "client"},
    "pages_search": {"query": "zeppelin"},
    "cleanup": {"apply": True},
}
"""What the tools are asked with; the others take nothing."""
KEPT_APART = [name for name, tool in TOOLS.items() if any(field.name == "space" for field in tool.takes)]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolWorld]:
    with tool_world(tmp_path_factory.mktemp("spaces")) as made, pretended_now():
        made.write("shop", ("Where is the marzipan?", "In the shop."))
        made.write("blog", ("Where is the marzipan post?", "In the blog."), folder=BLOG)
        made.write("client", ("Where does the zeppelin land?", "At the client's."), folder=CLIENT)
        made.index()  # a folder that is not there is given to a space once a session was held in it
        made.engine.add_space("client", [CLIENT])
        made.index()
        made.data("remember", project="client", content="The zeppelin lands at noon", folder=INSIDE)
        made.data("checkpoint_put", project="client", goal="Land the zeppelin", folder=CLIENT)
        made.data("remember", project="shop", content="The marzipan is sold", space="default")
        yield made


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    with pretended_now():
        yield


def test_every_tool_that_reads_a_library_takes_a_space() -> None:
    assert sorted(set(TOOLS) - set(KEPT_APART)) == ["doctor", "session_recall_config", "session_recall_reindex"]


@pytest.mark.parametrize("name", KEPT_APART)
def test_a_caller_outside_is_told_what_to_do(world: ToolWorld, name: str) -> None:
    for folder in (SHOP, "", "/home/kim/client-2"):
        outcome = world.ask(name, **ARGUMENTS.get(name, {}), folder=folder)
        assert outcome.failed
        assert outcome.data["error"]["code"] == "outside_spaces"
        assert outcome.texts[0].endswith(OUTSIDE)
        assert "zeppelin" not in json.dumps(outcome.data)
    memory = world.data("memory_recent", folder=CLIENT)["memories"]
    assert [(one["title"], one["content"]) for one in memory if one["kind"] == "note"] == [
        ("The zeppelin lands at noon", "The zeppelin lands at noon")
    ]


@pytest.mark.parametrize("folder", [CLIENT, INSIDE, CLIENT + "/"])
def test_a_caller_inside_sees_its_library_alone(world: ToolWorld, folder: str) -> None:
    (one,) = world.data("session_recall", query="where does the zeppelin land", folder=folder)["sessions"]
    assert one["session"] == claude.make_id("client")
    for tool in ("session_recall", "session_search"):
        assert world.data(tool, query="marzipan", folder=folder)["sessions"] == []
    assert world.refused("session_recall", session=claude.make_id("shop"), folder=folder).startswith("No such session: ")
    assert world.data("recall", query="marzipan", folder=folder)["memories"] == []
    assert world.data("recall", query="zeppelin", folder=folder)["memories"] != []
    assert world.data("session_recall_status", folder=folder)["sessions"] == 1
    assert world.data("session_index_stats", folder=folder)["by_session"] == [
        {"session": claude.make_id("client"), "agent": "claude_code", "documents": 1, "project": "client", "messages": 2}
    ]
    assert world.data("memory_stats", folder=folder)["by_project"] == {"client": 1}
    assert "Land the zeppelin" in world.data("handoff_pack", folder=folder)["pack"]


def test_a_space_by_its_name(world: ToolWorld) -> None:
    for name in ("client", "Client "):
        assert world.data("session_recall", query="zeppelin", space=name, folder=SHOP)["found"]
    rest = world.data("session_search", query="marzipan", space="default", folder=SHOP)
    assert {one["session"] for one in rest["sessions"]} == {claude.make_id("shop"), claude.make_id("blog")}
    assert world.data("session_search", query="zeppelin", space="default", folder=SHOP)["sessions"] == []
    assert world.data("session_recall_status", space="default", folder=SHOP)["sessions"] == 2
    assert world.data("memory_stats", space="default", folder=SHOP)["by_project"] == {"shop": 1}


@pytest.mark.parametrize("space", ["nope", "../..", "' or 1=1 --", "/etc", "a\0b", "\ud800"])
def test_a_space_that_is_none(world: ToolWorld, space: str) -> None:
    for name in KEPT_APART:
        outcome = world.ask(name, **ARGUMENTS.get(name, {}), space=space, folder=CLIENT)
        assert outcome.data["error"]["code"] == "no_such_space", name
        assert outcome.texts[0].endswith("There are: client.")


def test_the_check_up_names_nothing_of_other_spaces(world: ToolWorld) -> None:
    for space, name in (("default", "shop"), ("client", "client")):
        world.engine.put_checkpoint(name, {"goal": "Something"}, draft=True, space=space)
    outcome = world.ask("doctor", folder=CLIENT)
    assert outcome.data["note"] == APART
    drafts = next(finding for finding in outcome.data["findings"] if finding["code"] == "drafts_waiting")
    assert (drafts["detail"], drafts["params"]) == ("", {})
    assert drafts["title"] in outcome.texts[0]
    assert "shop" not in json.dumps(outcome.data)
    assert "shop" in str(world.engine.doctor())


def test_resources_follow_the_caller(world: ToolWorld) -> None:
    inside, outside = world.link(CLIENT), world.link(SHOP)
    assert [one.name for one in documents.projects(inside)] == ["client"]
    assert "Land the zeppelin" in documents.content(inside, documents.address("client", "pack"))
    assert documents.projects(outside) == documents.completed(outside, "") == []
    for part in documents.PARTS:
        with pytest.raises(UsageError) as error:
            documents.content(outside, documents.address("client", part))
        assert error.value.code == "outside_spaces"
