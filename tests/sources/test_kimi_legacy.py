from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from data import kimi_files as files

from tray_app.paths import SourcesHome
from tray_app.sources.base import Context, Limits, NotReady, Reading, Stopped, Unit
from tray_app.sources.kimi import KimiAdapter

ADAPTER = KimiAdapter()


def discover(root: Path) -> dict[str, Unit]:
    units = list(ADAPTER.discover(root, Context(home=SourcesHome(root, {})), lambda problem: pytest.fail(str(problem))))
    return {unit.session: unit for unit in units}


def read(home: Path, session: str = "old-1", limits: Limits | None = None) -> Reading:
    return ADAPTER.read(discover(home)[session], None, limits or Limits(), lambda: False)


def test_a_session(tmp_path: Path) -> None:
    files.place_old(tmp_path, files.old_context(), files.old_wire())
    reading = read(tmp_path)
    assert [(message.role, message.text, message.time) for message in reading.messages] == [
        ("user", "看看 cart.py", files.millis(1)),
        ("assistant", "I will read it.", files.millis(3)),
        ("tool_call", "cart.py", files.millis(4)),
        ("tool_result", "def discount(total):", files.millis(6)),
        ("assistant", "It rounds twice.", files.millis(7)),
        ("user", "and this?\n[image]", files.millis(9)),
    ]
    call, result = reading.messages[2:4]
    assert (call.id, call.identity, call.tool, call.files) == ("ReadFile:0", "old-1:2", "ReadFile", ("cart.py",))
    assert (result.id, result.identity) == ("ReadFile:0", "old-1:3")
    session = reading.session
    assert (session.id, session.cwd, session.title, session.title_rank) == ("old-1", files.CWD, "看看 cart.py", 0)
    assert (session.start, session.end) == (files.millis(1), files.millis(10))
    assert [(one.input, one.output, one.cache_read, one.cache_write) for one in reading.usage] == [(18, 3, 2, 0)]
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (22, 22, 0, 0)
    assert (reading.checkpoint, reading.resumed) == (None, False)
    assert "INJECTED" not in str(reading.messages)
    assert ADAPTER.resume_command(session) == f"cd {files.CWD} && kimi -S old-1"


def test_limits(tmp_path: Path) -> None:
    files.place_old(tmp_path, files.old_context(), files.old_wire())
    roles = [message.role for message in read(tmp_path, limits=Limits(tools=False, reasoning=True)).messages]
    assert roles == ["user", "reasoning", "assistant", "reasoning", "assistant", "user"]


def test_our_own_tools_are_left_out(tmp_path: Path) -> None:
    rows = [
        files.old_user("what did we decide"),
        files.old_answer("", ("b:0", "backscroll_search", {"query": "x"}), ("s:1", "Shell", {"command": "ls"})),
        files.old_result("b:0", "INJECTED old words"),
        files.old_result("s:1", "<system>ERROR: blocked</system>"),
    ]
    files.place_old(tmp_path, rows)
    assert [(message.role, message.text) for message in read(tmp_path).messages] == [
        ("user", "what did we decide"),
        ("tool_call", "ls"),
        ("tool_result", "ERROR: blocked"),
    ]


def test_that_the_pack_was_asked_for_is_kept(tmp_path: Path) -> None:
    rows = [
        files.old_user("go on"),
        files.old_answer("", ("b:0", "backscroll_handoff_pack", {"project": "shop"})),
        files.old_result("b:0", "INJECTED pack"),
    ]
    files.place_old(tmp_path, rows)
    assert [(message.role, message.tool) for message in read(tmp_path).messages] == [
        ("user", ""),
        ("tool_call", "backscroll_handoff_pack"),
    ]


def test_chats_with_people_are_kept_without_tools(tmp_path: Path) -> None:
    rows = [
        files.old_answer("", ("m:0", "mail_send", {"text": "hi"}), ("s:1", "Shell", {"command": "ls"})),
        files.old_result("m:0", "sent"),
        files.old_result("s:1", "x"),
        {"role": "oracle", "content": "INJECTED"},
    ]
    files.place_old(tmp_path, rows)
    reading = read(tmp_path, limits=Limits(tools=False, bridges=("send:mail_send",)))
    assert [(one.role, one.tool, one.arguments) for one in reading.messages] == [
        ("tool_call", "mail_send", '{"text": "hi"}'),
        ("tool_result", "mail_send", ""),
    ]
    assert (reading.unknown, reading.unknown_kinds) == (1, {"oracle": 1})


def test_files_from_before_a_compaction_come_first(tmp_path: Path) -> None:
    before = files.old_context()
    summary = files.old_user(
        [
            {
                "type": "text",
                "text": f"{'<system>Previous context has been compacted. Here is the compaction output:'}</system>",
            },
            {"type": "text", "text": "The cart was fixed."},
        ]
    )
    kept = before[-2:]
    path = files.place_old(tmp_path, [summary, *kept, files.old_answer("It is a picture."), *kept[-1:]], files.old_wire())
    files.write(path.with_name("context_2.jsonl"), [*before, files.old_answer("x")][:6])
    files.write(path.with_name("context_10.jsonl"), before)
    files.write(path.with_name("context_draft.jsonl"), [files.old_user("INJECTED")])
    unit = discover(tmp_path)["old-1"]
    assert [other.name for other in unit.others] == ["context_2.jsonl", "context_10.jsonl", "wire.jsonl"]
    reading = read(tmp_path)
    assert [(message.role, message.text) for message in reading.messages] == [
        ("user", "看看 cart.py"),
        ("assistant", "I will read it."),
        ("tool_call", "cart.py"),
        ("tool_result", "def discount(total):"),
        ("assistant", "It rounds twice."),
        ("user", "and this?\n[image]"),
        ("summary", "The cart was fixed."),
        ("assistant", "It is a picture."),
        ("user", "and this?\n[image]"),
    ]
    assert reading.repeated == 5  # the third file repeats two; the second began again with three of the first
    assert len({message.identity for message in reading.messages}) == 9


def test_a_cleared_session_still_has_what_was_said(tmp_path: Path) -> None:
    path = files.place_old(tmp_path, [])
    with pytest.raises(NotReady):
        read(tmp_path)
    files.write(path.with_name("context_1.jsonl"), [files.old_user("before the clearing")])
    assert [message.text for message in read(tmp_path).messages] == ["before the clearing"]


@pytest.mark.parametrize(
    ("state", "title", "rank"),
    [
        ({"custom_title": "chosen"}, "chosen", 3),
        ({"custom_title": "看看 [...]"}, "看看 [...]", 1),
        ({"custom_title": "made", "title_generated": True}, "made", 2),
        ({"custom_title": None, "archived": True}, "看看 cart.py", 0),
    ],
)
def test_titles(tmp_path: Path, state: dict[str, Any], title: str, rank: int) -> None:
    path = files.place_old(tmp_path, files.old_context())
    path.with_name("state.json").write_text(json.dumps(state))
    session = read(tmp_path).session
    assert (session.title, session.title_rank, session.archived) == (title, rank, bool(state.get("archived")))
    path.with_name("state.json").write_bytes(b"{")
    assert read(tmp_path).session.title == "看看 cart.py"


def test_without_a_wire_the_last_writing_is_the_time(tmp_path: Path) -> None:
    path = files.place_old(tmp_path, files.old_context())
    session = read(tmp_path).session
    assert session.start == session.end == path.stat().st_mtime_ns // 1_000_000
    assert {message.time for message in read(tmp_path).messages} == {0}


def test_a_wire_that_says_only_when(tmp_path: Path) -> None:
    wire = [
        {"type": "hello"},
        {"timestamp": files.millis(5) / 1000, "message": {"type": "TurnBegin"}},
        b"{torn",
        {"message": 7},
    ]
    files.place_old(tmp_path, files.old_context(), wire)
    reading = read(tmp_path)
    assert (reading.session.start, reading.session.end, reading.skipped) == (files.millis(5), files.millis(5), 2)
    assert {message.time for message in reading.messages} == {files.millis(5)}


def test_layouts(tmp_path: Path) -> None:
    rows = [files.old_user("hello")]
    files.place_old(tmp_path, rows)
    bucket = tmp_path / "sessions" / files.md5(files.CWD)
    files.write(bucket / "bare-2.jsonl", rows)
    files.write(bucket / "bare-2_1.jsonl", [files.old_user("earlier")])
    files.write(bucket / "old-1.jsonl", [files.old_user("INJECTED the same, before it was moved")])
    files.write(tmp_path / "sessions" / f"kaos-box_{files.md5('/other')}" / "far-3" / "context.jsonl", rows)
    files.write(bucket / "old-1" / "subagents" / "a1b2" / "context.jsonl", rows)
    files.write(bucket / "old-1" / "context_sub.jsonl", rows)
    files.write(bucket / "old-1" / "context_sub_1.jsonl", rows)
    files.write(tmp_path / "sessions" / "notes" / "x.jsonl", rows)
    unit_list = list(ADAPTER.discover(tmp_path, Context(home=SourcesHome(tmp_path, {})), lambda problem: None))
    assert sorted((unit.session, unit.kind, unit.parent, unit.preference) for unit in unit_list) == [
        ("bare-2", "main", "", 0),
        ("far-3", "main", "", 1),
        ("old-1", "main", "", 0),
        ("old-1", "main", "", 1),
        ("old-1.a1b2", "subagent", "old-1", 1),
        ("old-1.context_sub", "subagent", "old-1", 1),
        ("old-1.context_sub_1", "subagent", "old-1", 1),
    ]
    assert [message.text for message in read(tmp_path, "bare-2").messages] == ["earlier", "hello"]
    assert (read(tmp_path, "bare-2").session.cwd, read(tmp_path, "far-3").session.cwd) == (files.CWD, "/other")
    agent = read(tmp_path, "old-1.a1b2")
    assert ([(message.role, message.text) for message in agent.messages], agent.session.cwd) == ([("note", "hello")], files.CWD)
    assert agent.session.parent == "old-1"


def test_giving_up(tmp_path: Path) -> None:
    files.place_old(tmp_path, files.old_context() * 40)
    unit = discover(tmp_path)["old-1"]
    with pytest.raises(Stopped):
        ADAPTER.read(unit, None, Limits(), lambda: True)
    unit.path.unlink()
    with pytest.raises(NotReady):
        ADAPTER.read(unit, None, Limits(), lambda: False)
