"""Talk with people inside tool calls, through whole passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from data import claude_files
from data.claude_files import Chat
from library_world import World

from tray_app.declared import CHAT_TOOLS
from tray_app.indexing.prepare import LEFT_OUT, Rules
from tray_app.sources.base import Limits

SEND, GET = "mcp__wechat__send_message", "mcp__wechat__get_messages"
FIRST = [
    {"id": "m1", "sender": "Mira", "text": "Is the medlar ripe?"},
    {"id": "m2", "sender": "Jo", "text": "Not yet, I think."},
]
LATER = [
    *FIRST,
    {"id": "m3", "sender": "bot", "text": "It is ripe, and it is sweet."},
    {"id": "m4", "sender": "Mira", "text": "Then pick it."},
]


def with_chats(world: World, *, tools: bool = True) -> World:
    world.rules = Rules(bridges=CHAT_TOOLS, tools=tools)
    world.limits = Limits(bridges=CHAT_TOOLS, tools=tools)
    return world


def rows_of(chat: Chat) -> list[Any]:
    return [
        chat.user("keep an eye on the chat"),
        chat.call("t1", GET, {"limit": 5}),
        chat.result("t1", json.dumps(FIRST)),
        chat.call("t2", SEND, {"text": "It is ripe, and it is sweet."}),
        chat.result("t2", "sent"),
        chat.answer("I told them."),
        chat.call("t3", GET, {"limit": 9}),
        chat.result("t3", json.dumps(LATER)),
        chat.answer("Mira will pick it."),
    ]


def put(world: World, rows: list[Any], label: str = "chat") -> Path:
    return claude_files.write(world.root("claude_code") / "-p" / f"{claude_files.make_id(label)}.jsonl", rows)


TALK = [
    ("user", "keep an eye on the chat"),
    ("user", "Mira: Is the medlar ripe?"),
    ("user", "Jo: Not yet, I think."),
    ("assistant", "It is ripe, and it is sweet."),
    ("assistant", "I told them."),
    ("user", "Mira: Then pick it."),
    ("assistant", "Mira will pick it."),
]


def talk(world: World, chat: Chat) -> list[tuple[str, str]]:
    return [(role, text) for role, text, _ in world.talk(chat.id) if role in ("user", "assistant")]


def test_it_is_talk_and_history_is_kept_once(world: World, tmp_path: Path) -> None:
    chat = Chat("chat")
    put(with_chats(world), rows_of(chat))
    world.index()
    assert talk(world, chat) == TALK
    assert len(world.find("medlar")) >= 1
    assert [row[0] for row in world.rows("select native from messages where text = 'Mira: Then pick it.'")] == ["t3#3"]
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_what_is_appended_goes_on_behind_it(world: World, tmp_path: Path) -> None:
    chat = Chat("chat")
    rows = rows_of(chat)
    path = put(with_chats(world), rows[:2])
    for count in range(3, len(rows) + 1):
        path.write_bytes(claude_files.encode(rows[:count]))
        world.index()
        world.assert_sound()
    assert talk(world, chat) == TALK
    world.assert_like_fresh(tmp_path / "fresh.duckdb")


def test_with_tools_off_the_talk_stays(world: World) -> None:
    chat = Chat("chat")
    put(with_chats(world, tools=False), rows_of(chat))
    world.index()
    assert [(role, text) for role, text, _ in world.talk(chat.id)] == TALK


def test_without_patterns_they_are_tools(world: World) -> None:
    chat = Chat("chat")
    put(world, rows_of(chat))
    world.index()
    assert [role for role, _, _ in world.talk(chat.id)].count("tool_result") == 3


def test_secrets_and_barred_paths_stay_out(world: World) -> None:
    chat = Chat("chat")
    key = "sk-ant-api03-" + "a1B2" * 22
    rows = [
        chat.user("look"),
        chat.call("t1", GET, {"limit": 5}),
        chat.result("t1", json.dumps([{"id": "m1", "sender": "Mira", "text": f"the key is {key}"}])),
        chat.call("t2", SEND, {"text": "see the file", "file_path": "/home/kim/.env"}),
    ]
    put(with_chats(world), rows)
    world.rules = Rules(bridges=CHAT_TOOLS, excluded_paths=(".env",))
    world.index()
    texts = world.texts(chat.id)
    assert all(key not in text for text in texts) and any(text.startswith("Mira: the key is ") for text in texts)
    assert texts[-1] == LEFT_OUT
