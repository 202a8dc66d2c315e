"""What sessions of an agent come to, through the engine with its settings as they are: sub-agents, chats, new kinds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from data import claude_files
from data.claude_files import Chat

from tray_app.engine import Engine
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.settings import Settings


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setenv("BACKSCROLL_SOURCES_HOME", str(tmp_path))
    monkeypatch.setenv("BACKSCROLL_HOME", str(tmp_path / "backscroll"))
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    yield made
    made.close()


def put(home: Path, chat: Chat, *rows: object, name: str = "") -> None:
    claude_files.write(home / ".claude" / "projects" / "-p" / (name or f"{chat.id}.jsonl"), list(rows))  # type: ignore[arg-type]


def test_subagents_are_found_and_name_their_parent(engine: Engine, tmp_path: Path) -> None:
    chat = Chat("main")
    put(tmp_path, chat, chat.user("mend the harbour crane"), chat.answer("I send a helper."))
    helper = Chat("main", isSidechain=True, agentId="a1")
    rows = [helper.line("count the quinces"), helper.answer("There are nine quinces.")]
    put(tmp_path, chat, *rows, name=f"{chat.id}/subagents/agent-a1.jsonl")
    engine.index(all_sources=True)
    listed = {item.kind: item for item in engine.sessions()}
    assert (listed["subagent"].parent, listed["subagent"].parent_title) == (chat.id, "mend the harbour crane")
    assert listed["main"].parent_title == ""
    (group,) = [group for group in engine.search(SearchRequest(query="nine quinces")).sessions if group.kind == "subagent"]
    assert group.parent_title == "mend the harbour crane"


def test_chats_are_talk_and_the_setting_turns_it_off(engine: Engine, tmp_path: Path) -> None:
    chat = Chat("main")
    answer = json.dumps([{"id": "m1", "sender": "Mira", "text": "Is the medlar ripe?"}])
    call = chat.call("t1", "mcp__slack__slack_get_channel_history", {"channel": "C1"})
    put(tmp_path, chat, chat.user("what is new"), call, chat.result("t1", answer))
    engine.index(all_sources=True)
    said = [(message.role, message.text) for message in engine.show(chat.id).messages]
    assert said[0] == ("user", "what is new")
    assert said[-1] == ("user", "Mira: Is the medlar ripe?")
    engine.set_config("sources.bridges", [])
    engine.index()
    assert engine.show(chat.id).messages[-1].role == "tool_result"


def test_new_kinds_are_named_by_the_check_up(engine: Engine, tmp_path: Path) -> None:
    chat = Chat("main")
    put(tmp_path, chat, chat.user("about quince"), {"type": "vision-frame"}, {"type": "vision-frame"})
    report = engine.index(all_sources=True)
    assert [(problem.kind, problem.reason) for problem in report.problems] == [
        ("unknown_record", "kind 'vision-frame', 2 times")
    ]
    found = {finding.code: finding for finding in engine.doctor()}
    assert found["unknown_kinds"].severity == "warn"
    assert found["unknown_kinds"].params["kinds"] == "vision-frame (2)"
    assert engine.status().problems == 0
