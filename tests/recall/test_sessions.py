"""Sessions as lists and as conversations, from an id, a beginning of it, or an anchor."""

from __future__ import annotations

import pytest
from data import claude_files, codex_files
from world import CHATS, World

from tray_app.errors import UsageError


def label_of(session: str) -> str:
    return next((label for label in CHATS if claude_files.make_id(label) == session), session)


def test_the_newest_first_and_the_oldest_first(world: World) -> None:
    newest = [item.session for item in world.engine.sessions()]
    assert len(newest) == 10
    assert label_of(newest[0]) == "ahead"
    assert [item.session for item in world.engine.sessions(order="oldest")] == newest[::-1]
    assert [item.session for item in world.engine.sessions(limit=3)] == newest[:3]


@pytest.mark.parametrize("agent", ["codex", "Codex"])
def test_of_one_agent_by_any_of_its_names(world: World, agent: str) -> None:
    assert [item.session for item in world.engine.sessions(agent=agent)] == [codex_files.SESSION]
    assert len(world.engine.sessions(agent="claude")) == len(CHATS)
    assert world.engine.sessions(agent="nobody") == []


def test_of_one_project(world: World) -> None:
    assert [label_of(item.session) for item in world.engine.sessions(project="blog")] == ["lint-1"]
    (item,) = world.engine.sessions(project="blog")
    assert (item.cwd, item.project, item.messages, item.end_date_text) == ("/home/kim/blog", "blog", 2, "2026-09-20")
    assert item.session in item.resume_command


def test_a_window_of_a_conversation(world: World) -> None:
    session = claude_files.make_id("pool")
    whole = world.engine.show(session)
    assert [message.role for message in whole.messages] == ["user", "assistant", "tool_call", "user", "assistant"]
    assert [message.kind for message in whole.messages] == ["message", "message", "tool", "message", "message"]
    assert [message.index for message in whole.messages] == [0, 1, 2, 3, 4]
    assert (whole.total, whole.first, whole.agent, whole.project) == (5, 0, "claude_code", "shop")
    last = world.engine.show(session, first=3)
    assert ([message.index for message in last.messages], last.total, last.first) == ([3, 4], 5, 3)
    middle = world.engine.show(session, around=whole.messages[2].message_id, limit=3)
    assert [message.index for message in middle.messages] == [1, 2, 3]
    end = world.engine.show(session, around=whole.messages[4].message_id, limit=3)
    assert [message.index for message in end.messages] == [2, 3, 4]
    assert world.engine.show(session, first=99).messages == ()


@pytest.mark.parametrize(("session", "agent"), [("", None), ("zzz", None), ("\ud800\x00", None), (codex_files.SESSION, "dsh")])
def test_a_session_that_is_not_there(world: World, session: str, agent: str | None) -> None:
    with pytest.raises(UsageError) as told:
        world.engine.show(session, agent=agent)
    assert told.value.code == "no_such_session"
