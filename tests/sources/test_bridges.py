"""Chats with people inside tool calls, read as talk."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tray_app.declared import CHAT_TOOLS
from tray_app.sources import chat_tools
from tray_app.sources.base import Limits, Message
from tray_app.sources.bridges import bridge, concerns
from tray_app.sources.chat_words import Said, sent_text, talk_of
from tray_app.sources.jsonl import Collector

SEND, GET = "mcp__wechat__send_message", "mcp__wechat__get_messages"
NINE = 1_790_000_000_000


def call(arguments: Any, tool: str = SEND, name: str = "c1") -> Message:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return Message(name, "tool_call", "as shown", NINE, 4, 70, f"{name}:call", tool, (), written)


def result(answer: Any, tool: str = GET, name: str = "r1") -> Message:
    written = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return Message(name, "tool_result", written, NINE, 5, 90, f"{name}:result", tool)


def made(*messages: Message, **more: Any) -> list[Message]:
    return bridge(messages, CHAT_TOOLS, **more).messages


def lines(*messages: Message) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in made(*messages)]


# --- which tools -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "tool",
    [
        *(
            "mcp__wechat__send_message",
            "mcp__weixin__reply",
            "mcp__feishu__im_v1_message_create",
            "mcp__lark-mcp__im_v1_message_reply",
        ),
        *(
            "mcp__slack__slack_post_message",
            "mcp__slack__slack_reply_to_thread",
            "telegram_send_message",
            "discord.send-message",
        ),
        *("mcp__qq__send_group_msg", "dingtalk-sendTextMessage", "mcp__matrix__send-message", "mcp__whatsapp__send_message"),
        *("mcp__gmail__send_email", "mcp__mail__reply", "MCP__Slack__Post_Message"),
    ],
)
def test_tools_that_send(tool: str) -> None:
    assert chat_tools.sends(tool, CHAT_TOOLS)


@pytest.mark.parametrize(
    "tool",
    [
        *(
            "mcp__wechat__get_messages",
            "mcp__weixin__get_chat_history",
            "mcp__lark-mcp__im_v1_message_list",
            "mcp__feishu__list_messages",
        ),
        *("mcp__slack__slack_get_channel_history", "mcp__slack__slack_get_thread_replies", "telegram_read_messages"),
        *(
            "discord.read-messages",
            "mcp__qq__get_group_msg_history",
            "mcp__matrix__get-room-messages",
            "mcp__gmail__read_email",
        ),
        *("mcp__whatsapp__list_messages", "mcp__dingtalk__receive_message", "mcp__gmail__search_emails"),
    ],
)
def test_tools_that_receive(tool: str) -> None:
    assert chat_tools.receives(tool, CHAT_TOOLS)


@pytest.mark.parametrize(
    "tool", ["Bash", "Read", "mcp__backscroll__search", "mcp__github__get_issue", "send", "SendMessage", ""]
)
def test_other_tools_are_left_alone(tool: str) -> None:
    assert not chat_tools.sends(tool, CHAT_TOOLS)
    assert not chat_tools.receives(tool, CHAT_TOOLS)


def test_patterns_of_ones_own() -> None:
    patterns = ("send:mcp__pager__(page|nudge)?*", "receive:x(y", "bogus")
    assert chat_tools.sends("mcp__pager__nudge1", patterns)
    assert not chat_tools.sends("mcp__pager__nudge", patterns)
    assert chat_tools.receives("X(Y", patterns)
    assert not chat_tools.sends(SEND, ())


def test_a_careless_pattern_takes_no_time() -> None:
    assert not chat_tools.sends("a" * 5_000, (f"send:{'*' * 50}b",))
    assert not chat_tools.sends("slackget" * 500, CHAT_TOOLS)


@given(st.text(), st.text())
def test_any_pattern_and_any_name(glob: str, tool: str) -> None:
    chat_tools.sends(tool, (f"send:{glob}", glob))


# --- sending -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"chat": "wxid_7", "text": " Done, it is live. "}, "Done, it is live."),
        ({"to": "Mira", "message": "明天九点发布"}, "明天九点发布"),
        ({"data": {"content": '{"text":"in feishu\'s way"}'}}, "in feishu's way"),
        ({"receive_id": "oc_1", "content": {"text": "nested"}}, "nested"),
        ({"message": [{"type": "at", "data": {"qq": "1"}}, {"type": "text", "data": {"text": "in parts"}}]}, "in parts"),
        ({"markdown": "**bold**"}, "**bold**"),
        ({"to": "a@example.org", "subject": "Harbour", "body": "The berth is free."}, "Harbour\nThe berth is free."),
        ("plain words", "plain words"),
        ({"chat": "wxid_7", "image": "a.png"}, ""),
        ('{"text": "cut of', ""),
        ("[1, 2]", ""),
    ],
)
def test_what_is_sent(arguments: Any, text: str) -> None:
    assert sent_text(arguments if isinstance(arguments, str) else json.dumps(arguments)) == text


def test_a_call_becomes_what_our_side_said() -> None:
    assert made(call({"text": "Done."})) == [Message("c1", "assistant", "Done.", NINE, 4, 70, "c1:call")]


def test_a_call_without_words_stays() -> None:
    assert made(call({"image": "a.png"})) == [Message("c1", "tool_call", "as shown", NINE, 4, 70, "c1:call", SEND)]
    assert made(call({"text": "Done."}, tool="Bash")) == [
        Message("c1", "tool_call", "as shown", NINE, 4, 70, "c1:call", "Bash")
    ]


# --- receiving ----------------------------------------------------------------------------------------------------------
def test_a_result_becomes_a_message_each() -> None:
    answer = {"messages": [
        {"id": "m1", "sender": "Mira", "text": "Is it live?", "timestamp": 1_789_000_000},
        {"id": "m2", "sender": {"name": "Jo"}, "content": "好像还没有", "timestamp": "2026-09-10T08:00:00Z"},
        {"id": "m3", "sender": "bot", "text": "It is."},
    ]}  # fmt: skip
    assert made(result(answer)) == [
        Message("r1#0", "user", "Mira: Is it live?", 1_789_000_000_000, 5, 90, "chat:m1"),
        Message("r1#1", "user", "Jo: 好像还没有", 1_789_027_200_000, 6, 90, "chat:m2"),
        Message("r1#2", "assistant", "It is.", NINE, 7, 90, "chat:m3"),
    ]


def test_numbers_stay_in_order_over_several_readings() -> None:
    def said(number: int, role: str = "user") -> Message:
        return Message(f"u{number}", role, "hi", NINE, number)

    three = msgspec.structs.replace(result("Mira: a\nJo: b\nMira: c"), seq=1)
    messages, shift = bridge([said(0), three, said(2)], CHAT_TOOLS)
    assert ([message.seq for message in messages], shift) == ([0, 1, 2, 3, 4], 2)
    messages, shift = bridge([said(3), msgspec.structs.replace(three, seq=4), said(5)], CHAT_TOOLS, shift=shift)
    assert ([message.seq for message in messages], shift) == ([5, 6, 7, 8, 9], 4)


def test_history_fetched_twice_has_the_same_identities() -> None:
    answer = [{"msg_id": 7, "from": "Mira", "msg": "one"}, {"from": "Mira", "msg": "two", "time": "2026-09-10 08:00:00"}]
    first, second = (
        made(result(answer, name="r1")),
        made(result([{"from": "Jo", "msg": "new", "msg_id": 9}, *answer], name="r2")),
    )
    assert [message.identity for message in first] == [message.identity for message in second[1:]]
    assert [message.id for message in second] == ["r2#0", "r2#1", "r2#2"]


def test_messages_without_id_and_time_are_no_copies_of_each_other() -> None:
    answer = "Mira: ok\nMira: ok"
    assert len({message.identity for message in made(result(answer))}) == 2


def test_between_two_nobody_needs_a_name() -> None:
    answer = {"chat_type": "p2p", "items": [{"sender": "Mira", "text": "Only us."}]}
    assert lines(result(answer)) == [("user", "Only us.")]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            {"code": 0, "data": {"items": [
                {"message_id": "om_1", "create_time": "1789000000000", "sender": {"id": "ou_4", "sender_type": "user"},
                 "body": {"content": '{"text":"from feishu"}'}},
                {"message_id": "om_2", "sender": {"id": "cli_1", "sender_type": "app"}, "body": {"content": '{"text":"ours"}'}},
            ]}},
            [Said("ou_4", "from feishu", 1_789_000_000_000, "om_1"), Said("cli_1", "ours", 0, "om_2", True)],
        ),
        (
            {"ok": True, "messages": [{"type": "message", "user": "U7", "text": "slack", "ts": "1789000000.000200"}]},
            [Said("U7", "slack", 1_789_000_000_000, "1789000000.000200")],
        ),
        (
            [{"id": "9", "content": "discord", "author": {"username": "mira", "bot": False}, "timestamp": "2026-09-10T00:26:40+00:00"}],
            [Said("mira", "discord", 1_789_000_000_000, "9")],
        ),
        (
            {"ok": True, "result": [{"message": {"x": 1}, "from": {"first_name": "Mira", "is_bot": False}, "date": 1_789_000_000, "text": "tg"}]},
            [Said("Mira", "tg", 1_789_000_000_000)],
        ),
        (
            {"emails": [{"id": "e1", "from": "Mira <m@example.org>", "subject": "Berth", "body": "Free from Monday.", "date": "2026-09-10T00:26:40Z"}]},
            [Said("Mira <m@example.org>", "Berth\nFree from Monday.", 1_789_000_000_000, "e1")],
        ),
        ([{"type": "text", "text": '[{"nickname": "米拉", "message": "套了两层"}]'}], [Said("米拉", "套了两层")]),
        ([{"is_self": True, "text": "ours by a flag"}], [Said("", "ours by a flag", ours=True)]),
        ({"messages": [{"sender": "Mira", "image": "a.png"}]}, []),
        ({"messages": []}, []),
        ({"count": 3, "channels": ["a", "b"]}, []),
        (["a", "b"], []),
        ('Wall time: 0.2 seconds\nOutput:\n[{"sender": "Mira", "text": "by Codex"}]', [Said("Mira", "by Codex")]),
        ("No new messages.", []),
        ("Error: not logged in", []),
        ("", []),
    ],
)  # fmt: skip
def test_shapes_of_answers(answer: Any, said: list[Said]) -> None:
    assert talk_of(answer if isinstance(answer, str) else json.dumps(answer)) == said


def test_lines_of_a_chat() -> None:
    answer = (
        "Messages in #harbour:\n\n[2026-09-10T00:26:40Z] Mira: Is the berth free?\nFrom Monday, I mean.\n"
        "[08:30] 小林：周一可以\nbot: It is.\nSee https://example.org: all of it."
    )
    assert talk_of(answer) == [
        Said("Mira", "Is the berth free?\nFrom Monday, I mean.", 1_789_000_000_000),
        Said("小林", "周一可以"),
        Said("bot", "It is.\nSee https://example.org: all of it.", ours=True),
    ]


def test_prose_is_no_chat() -> None:
    assert talk_of("one\ntwo\nthree\nMira: four") == []


def test_a_result_of_no_known_shape_stays_cut_as_others_are() -> None:
    long = "x" * 9_000
    (left,) = made(result(long), tool_chars=100)
    assert (left.role, left.tool, len(left.text) <= 100) == ("tool_result", GET, True)


def test_longer_words_of_ours_are_one_in_a_session_whenever_they_are_heard() -> None:
    text = "The berth is free from Monday on."
    answer = json.dumps([{"id": "m1", "sender": "bot", "text": text}, {"id": "m2", "sender": "bot", "text": "ok"}])
    (sent,) = bridge([call({"text": text})], CHAT_TOOLS, session="s1").messages
    heard, short = bridge([result(answer)], CHAT_TOOLS, session="s1").messages
    assert sent.identity == heard.identity != "c1:call"
    assert short.identity == "chat:m2"
    assert bridge([result(answer)], CHAT_TOOLS, session="s2").messages[0].identity != sent.identity


def test_a_result_that_names_no_tool_is_known_by_its_call() -> None:
    asked = call({"limit": 3}, tool=GET, name="r1")
    answer = result("Mira: hello", tool="")
    assert lines(asked, answer) == [("tool_call", "as shown"), ("user", "Mira: hello")]


def test_what_is_barred_and_what_tools_are_off_for() -> None:
    other = Message("b1", "tool_call", "ls", NINE, 1, tool="Bash")
    talk = Message("u1", "user", "hi", NINE, 0)
    assert made(talk, other, call({"text": "Done."}), tools=False) == [talk, *made(call({"text": "Done."}))]
    assert [message.role for message in made(call({"text": "Done."}), but={"c1"})] == ["tool_call"]


def test_only_files_with_a_chat_are_concerned() -> None:
    assert concerns([call({"text": "Done."})], CHAT_TOOLS)
    assert not concerns([call({"text": "Done."}, tool="Bash")], CHAT_TOOLS)
    assert not concerns([call({"text": "Done."})], ())


def test_a_collector_keeps_arguments_and_long_results_of_chats_alone() -> None:
    long = "y" * 9_000
    kept = Collector(Limits(bridges=CHAT_TOOLS))
    for message in (call({"text": "hi"}), call({"command": "ls"}, tool="Bash"), result(long), result(long, tool="Bash")):
        kept.add(message)
    assert [(message.arguments != "", len(message.text) > 4_000) for message in kept.messages()] == [
        (True, False),
        (False, False),
        (False, True),
        (False, False),
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["text", "messages", "sender", "from", "content", "data", "time", "id", "role", "x"]), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=120)
@given(st.one_of(st.text(), JSON.map(lambda value: json.dumps(value))))
def test_any_result_and_any_arguments(text: str) -> None:
    for message in made(call(text), result(text)):
        assert message.role in ("tool_call", "tool_result", "assistant", "user")
        assert message.role.startswith("tool") or message.text.strip()
        assert message.time >= 0


def test_deep_and_wide_answers_take_no_time() -> None:
    assert talk_of("[" * 100_000) == []
    assert talk_of('{"data":' * 500 + "1" + "}" * 500) == []
    many = json.dumps([{"sender": "Mira", "text": str(number)} for number in range(5_000)])
    assert len(talk_of(many)) == 2_000
