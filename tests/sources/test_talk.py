"""The messages of a session while they are gathered."""

from __future__ import annotations

import msgspec
import pytest

from tray_app.sources.base import Limits, Message, Usage
from tray_app.sources.talk import CALLS_KEPT, Talk, TalkMemory, one_line


def said(talk: Talk) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in talk.collector.messages()]


def test_messages() -> None:
    talk = Talk("s", Limits())
    assert talk.say("user", " Plums?\n", 20, name="m1", offset=7)
    assert not talk.say("assistant", " \n", 21)
    assert talk.say("assistant", "South.", 0)
    assert talk.collector.messages() == [
        Message("m1", "user", "Plums?", 20, 0, 7, "m1"),
        Message("s:1", "assistant", "South.", 20, 1, 0, "s:1"),
    ]
    talk.mark(5)
    assert (talk.memory.title, talk.memory.start, talk.memory.end, talk.memory.seq) == ("Plums?", 5, 20, 2)


def test_what_a_sub_agent_was_told_is_a_note() -> None:
    talk = Talk("s", Limits(), subagent=True)
    talk.say("user", "Count the beds.", 1)
    assert (said(talk), talk.memory.title) == ([("note", "Count the beds.")], "Count the beds.")


def test_tools() -> None:
    talk = Talk("s", Limits())
    assert talk.call("Bash", "ls", ("/a",), 1, call="c1")
    assert talk.call("Plan", "", (), 1)
    assert talk.result("beds", 2, call="c1")
    assert talk.result("more", 2, tool="Read")
    messages = talk.collector.messages()
    assert [(one.role, one.text, one.tool, one.identity) for one in messages] == [
        ("tool_call", "ls", "Bash", "c1"),
        ("tool_call", "Plan", "Plan", "s:1"),
        ("tool_result", "beds", "Bash", "c1:result"),
        ("tool_result", "more", "Read", "s:3"),
    ]
    assert messages[0].files == ("/a",)
    without = Talk("s", Limits(tools=False))
    assert not without.call("Bash", "ls", (), 1, call="c") and not without.result("beds", 2, call="c")


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("mcp__backscroll__search", ""),
        ("Backscroll_search", "query: plums"),
        ("use_mcp_tool", "server_name: backscroll\ntool_name: search"),
        ("CallMcpTool", "toolName: search\nserver: user-backscroll"),
    ],
)
@pytest.mark.parametrize("call", ["", "c1"])
def test_our_own_recall_is_left_out(tool: str, text: str, call: str) -> None:
    talk = Talk("s", Limits())
    assert not talk.call(tool, text, (), 1, call=call)
    assert not talk.result("recalledword", 2, call=call)
    talk.call("Bash", "ls ~/backscroll", (), 3)
    talk.result("beds", 4)
    assert said(talk) == [("tool_call", "ls ~/backscroll"), ("tool_result", "beds")]


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("mcp__backscroll__handoff_pack", "project: shop"),
        ("backscroll_handoff_pack", "project: shop"),
        ("use_mcp_tool", "server_name: backscroll\ntool_name: handoff_pack"),
        ("CallMcpTool", "toolName: handoff_pack\nserver: user-backscroll"),
    ],
)
def test_that_the_pack_was_asked_for_is_kept(tool: str, text: str) -> None:
    talk = Talk("s", Limits())
    assert talk.call(tool, text, (), 1, call="c1")
    assert not talk.result("recalledword", 2, call="c1")
    assert talk.call(tool, text, (), 3)
    assert not talk.result("recalledword", 4)
    assert said(talk) == [("tool_call", text), ("tool_call", text)]
    assert not Talk("s", Limits(tools=False)).call(tool, text, (), 1)


def test_other_servers_are_kept() -> None:
    talk = Talk("s", Limits())
    assert talk.call("use_mcp_tool", "server_name: files\narguments: /backscroll", (), 1)


def test_usage_and_reasoning() -> None:
    talk = Talk("s", Limits())
    talk.count(Usage("k", 1, "m", 0, 0, 0, 0))
    talk.count(Usage("k", 1, "m", 3, 4))
    talk.count(Usage("k", 1, "m", 3, 5))
    assert talk.usage == {"k": Usage("k", 1, "m", 3, 5)}
    talk.think("hm", 1)
    assert said(talk) == []
    aloud = Talk("s", Limits(reasoning=True))
    aloud.think("hm", 1)
    assert said(aloud) == [("reasoning", "hm")]


def test_memory() -> None:
    talk = Talk("s", Limits())
    talk.say("user", "Plums?", 5)
    for number in range(2 * CALLS_KEPT):
        talk.call("Bash", "ls", (), 6, call=f"c{number}")
    memory = msgspec.msgpack.decode(msgspec.msgpack.encode(talk.carry()), type=TalkMemory)
    assert len(memory.calls) == CALLS_KEPT
    again = Talk("s", Limits(), memory=memory)
    again.result("old", 7, call="c0")
    again.result("new", 7, call=f"c{2 * CALLS_KEPT - 1}")
    assert [one.tool for one in again.collector.messages()] == ["", "Bash"]
    assert (again.collector.messages()[-1].seq, again.memory.title) == (2 * CALLS_KEPT + 2, "Plums?")


def test_one_line() -> None:
    assert one_line(" a\n b ") == "a b"
    assert one_line("x" * 200) == "x" * 79 + "…"
