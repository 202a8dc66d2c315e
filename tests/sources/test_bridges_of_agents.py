"""What each adapter keeps of a chat's tools, so that bridges can read it as talk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from data import claude_files, codex_files, dsh_files

from tray_app.declared import CHAT_TOOLS
from tray_app.sources.base import Adapter, Checkpoint, Limits, Message, Reading, Unit
from tray_app.sources.bridges import bridge
from tray_app.sources.claude_code import ClaudeCodeAdapter
from tray_app.sources.codex import CodexAdapter
from tray_app.sources.dsh import DshAdapter
from tray_app.sources.talk import Talk

SEND, GET = "mcp__wechat__send_message", "mcp__wechat__get_messages"
LONG = "长" * 6_000
ANSWER = json.dumps([{"id": "m1", "sender": "Mira", "text": "Is it live?"}, {"id": "m2", "sender": "Jo", "text": LONG}])
SENT = {"chat": "harbour", "text": "It is live."}


def claude(folder: Path) -> Path:
    chat = claude_files.Chat("bridge")
    rows = [
        chat.user("keep an eye on the chat"),
        chat.call("toolu_1", GET, {"limit": 5}),
        chat.result("toolu_1", [{"type": "text", "text": ANSWER}]),
        chat.call("toolu_2", SEND, SENT),
        chat.call("toolu_3", "Bash", {"command": "ls"}),
    ]
    return claude_files.write(folder / "s.jsonl", rows)


def codex(folder: Path) -> Path:
    rows = [
        codex_files.meta(),
        codex_files.item(1, "user", "keep an eye on the chat"),
        codex_files.call(2, "call_1", GET, {"limit": 5}),
        codex_files.result(3, "call_1", ANSWER),
        codex_files.call(4, "call_2", SEND, SENT),
        codex_files.call(5, "call_3", "shell", {"command": ["ls"]}),
    ]
    return claude_files.write(folder / "rollout.jsonl", list(rows))


def dsh(folder: Path) -> Path:
    log = dsh_files.Log().ask("keep an eye on the chat")
    log.tool("call-1", GET, '{"limit":5}', ANSWER).tool("call-2", SEND, json.dumps(SENT), "ok").tool(
        "call-3", "bash", '{"command":"ls"}', "a"
    )
    path = folder / "session.v4.jsonl"
    path.write_bytes(dsh_files.lines([dsh_files.header(), *log.rows]))
    return path


AGENTS = [(ClaudeCodeAdapter(), claude), (CodexAdapter(), codex), (DshAdapter(), dsh)]


def read(adapter: Adapter, path: Path, limits: Limits, checkpoint: Checkpoint | None = None) -> Reading:
    facts = path.stat()
    unit = Unit(
        agent=adapter.agent, root=path.parent, path=path, session="s1", size=facts.st_size, mtime_ns=facts.st_mtime_ns,
        inode=facts.st_ino,
    )  # fmt: skip
    return adapter.read(unit, checkpoint, limits, lambda: False)


def talk(messages: list[Message]) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages if message.role in ("user", "assistant")]


@pytest.mark.parametrize(("adapter", "make"), AGENTS, ids=lambda value: getattr(value, "agent", ""))
def test_a_chat_is_read_as_talk(adapter: Adapter, make: object, tmp_path: Path) -> None:
    assert callable(make)
    path = make(tmp_path)
    reading = read(adapter, path, Limits(bridges=CHAT_TOOLS))
    assert talk(bridge(reading.messages, CHAT_TOOLS).messages) == [
        ("user", "keep an eye on the chat"),
        ("user", "Mira: Is it live?"),
        ("user", f"Jo: {LONG}"),
        ("assistant", "It is live."),
    ]
    assert [message.tool for message in reading.messages if message.arguments] == [GET, SEND]


@pytest.mark.parametrize(("adapter", "make"), AGENTS, ids=lambda value: getattr(value, "agent", ""))
def test_also_where_tools_are_off(adapter: Adapter, make: object, tmp_path: Path) -> None:
    assert callable(make)
    reading = read(adapter, make(tmp_path), Limits(bridges=CHAT_TOOLS, tools=False))
    assert [message.role for message in reading.messages if message.tool not in (GET, SEND)] == ["user"]
    assert len(talk(bridge(reading.messages, CHAT_TOOLS, tools=False).messages)) == 4


@pytest.mark.parametrize(("adapter", "make"), AGENTS, ids=lambda value: getattr(value, "agent", ""))
def test_without_patterns_nothing_is_kept_for_them(adapter: Adapter, make: object, tmp_path: Path) -> None:
    assert callable(make)
    reading = read(adapter, make(tmp_path), Limits())
    assert all(not message.arguments and len(message.text) <= 4_000 for message in reading.messages)


@pytest.mark.parametrize(("adapter", "make"), AGENTS, ids=lambda value: getattr(value, "agent", ""))
def test_a_result_that_is_appended_later_is_read_too(adapter: Adapter, make: object, tmp_path: Path) -> None:
    assert callable(make)
    path: Path = make(tmp_path)
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    cut = next(place for place, line in enumerate(lines) if b"Is it live?" in line)
    path.write_bytes(b"".join(lines[:cut]))
    limits = Limits(bridges=CHAT_TOOLS)
    first = read(adapter, path, limits)
    path.write_bytes(data)
    rest = read(adapter, path, limits, first.checkpoint)
    assert rest.resumed
    assert ("user", "Mira: Is it live?") in talk(bridge(rest.messages, CHAT_TOOLS).messages)


def test_a_talk_keeps_what_a_chat_needs() -> None:
    def told(limits: Limits) -> list[Message]:
        made = Talk("s1", limits)
        made.say("user", "keep an eye on the chat", 1)
        made.call(GET, "5", (), 2, call="c1", given=b'{"limit":5}')
        made.result(ANSWER, 3, call="c1")
        made.call(SEND, "It is live.", (), 4, call="c2", given=json.dumps(json.dumps(SENT)).encode())
        made.call("bash", "ls", (), 5, call="c3", given=b'{"command":"ls"}')
        return made.collector.messages()

    given = told(Limits(bridges=CHAT_TOOLS))
    assert [message.arguments != "" for message in given] == [False, True, False, True, False]
    said = [
        ("user", "keep an eye on the chat"),
        ("user", "Mira: Is it live?"),
        ("user", f"Jo: {LONG}"),
        ("assistant", "It is live."),
    ]
    assert talk(bridge(given, CHAT_TOOLS).messages) == said
    without = told(Limits(bridges=CHAT_TOOLS, tools=False))
    assert [message.tool for message in without] == ["", GET, GET, SEND]
