from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from data import kimi_files as files

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Session, Stopped, Unit
from tray_app.sources.kimi import KimiAdapter
from tray_app.sources.lines import guard

ADAPTER = KimiAdapter()


def discover(root: Path) -> dict[str, Unit]:
    problems: list[Problem] = []
    units = list(ADAPTER.discover(root, Context(home=SourcesHome(root, {})), problems.append))
    assert problems == []
    return {unit.session: unit for unit in units}


def read(home: Path, checkpoint: Checkpoint | None = None, session: str = "", limits: Limits | None = None) -> Reading:
    unit = discover(home)[session or files.session_id()]
    return ADAPTER.read(unit, checkpoint, limits or Limits(), lambda: False)


def read_rows(home: Path, rows: list[Any], limits: Limits | None = None) -> Reading:
    files.place(home, rows)
    return read(home, limits=limits)


def said(reading: Reading, role: str = "user") -> list[str]:
    return [message.text for message in reading.messages if message.role == role]


def test_a_session(tmp_path: Path) -> None:
    reading = read_rows(tmp_path, files.session())
    assert [(message.role, message.text) for message in reading.messages] == [
        ("user", "请看看 cart.py 的折扣算得对不对"),
        ("assistant", "I will read it."),
        ("tool_call", f"{files.CWD}/cart.py\nlimit: 40"),
        ("tool_result", "def discount(total):"),
        ("user", "also look at the tax"),
        ("assistant", "It rounds twice."),
        ("assistant", "The tax is right."),
        ("summary", "The cart was fixed."),
        ("user", "压缩之后继续"),
        ("assistant", "好的。"),
    ]
    assert reading.session == Session(
        id=files.session_id(),
        cwd=files.CWD,
        title="请看看 cart.py 的折扣算得对不对",
        start=reading.messages[0].time,
        end=reading.messages[-1].time,
        model="kimi-k2.7",
    )
    assert reading.messages[0].time == files.millis(6)
    assert (reading.records, reading.recognised, reading.skipped, reading.unknown) == (39, 39, 0, 0)
    prompt, answer, call, result = reading.messages[:4]
    assert (prompt.id, prompt.identity) == ("msg_1", "msg_1")
    assert answer.identity == f"{answer.id}:{answer.time}"
    assert (call.id, call.identity, call.tool, call.files) == (
        "Read_0",
        f"{call.time}:Read_0",
        "Read",
        (f"{files.CWD}/cart.py",),
    )
    assert (result.id, result.identity) == ("Read_0", f"{result.time}:Read_0:result")
    assert "INJECTED" not in str(reading.messages) + reading.session.title


def test_tokens(tmp_path: Path) -> None:
    usage = read_rows(tmp_path, files.session()).usage
    assert [(one.model, one.input, one.output, one.cache_read, one.cache_write) for one in usage] == [
        ("kimi-k2.7", 10, 5, 100, 0)
    ] * 4
    assert len({one.key for one in usage}) == 4
    row = files.Wire().row("usage.record", model="other", usage={"output": 3})
    assert [(one.model, one.input, one.output) for one in read_rows(tmp_path, [row]).usage] == [("other", -1, 3)]


def test_thoughts_and_tools_as_the_limits_say(tmp_path: Path) -> None:
    rows = files.session()
    assert said(read_rows(tmp_path, rows), "reasoning") == []
    assert said(read(tmp_path, limits=Limits(reasoning=True)), "reasoning") == ["the cart rounds twice"]
    assert said(read(tmp_path, limits=Limits(tools=False)), "tool_result") == []


def test_our_own_tools_are_left_out(tmp_path: Path) -> None:
    wire = files.Wire()
    call, result = wire.tool("mcp_0", "mcp__backscroll__search", {"query": "x"}, "INJECTED old words")
    rows = [
        *wire.asked("what did we decide"),
        call,
        result,
        *wire.tool("Bash_1", "Bash", {"command": "ls"}, [{"type": "text", "text": "a"}]),
    ]
    assert said(read_rows(tmp_path, rows), "tool_call") == ["ls"]
    assert said(read(tmp_path), "tool_result") == ["a"]
    files.place(tmp_path, rows[:4])
    first = read(tmp_path)
    files.place(tmp_path, rows)
    assert said(read(tmp_path, first.checkpoint), "tool_result") == ["a"]


def test_that_the_pack_was_asked_for_is_kept(tmp_path: Path) -> None:
    wire = files.Wire()
    rows = [*wire.asked("go on"), *wire.tool("mcp_0", "mcp__backscroll__handoff_pack", {"project": "shop"}, "INJECTED pack")]
    called = [message for message in read_rows(tmp_path, rows).messages if message.role.startswith("tool_")]
    assert [(message.role, message.tool) for message in called] == [("tool_call", "mcp__backscroll__handoff_pack")]


def test_chats_with_people_are_kept_without_tools(tmp_path: Path) -> None:
    wire = files.Wire()
    limits = Limits(tools=False, bridges=("send:slack_send", "receive:slack_read"))
    rows = [*wire.tool("a", "slack_send", {"text": "hi"}, "sent"), *wire.tool("b", "Bash", {"command": "ls"}, "x")]
    rows += wire.tool("c", "slack_read", {"n": 2}, "kim: hello")
    expected = [
        ("tool_call", "slack_send", '{"text":"hi"}'),
        ("tool_result", "slack_send", ""),
        ("tool_call", "slack_read", '{"n":2}'),
        ("tool_result", "slack_read", ""),
    ]
    reading = read_rows(tmp_path, rows, limits)
    assert [(one.role, one.tool, one.arguments.replace(" ", "")) for one in reading.messages] == expected
    files.place(tmp_path, rows[:5])
    first = read(tmp_path, limits=limits)
    files.place(tmp_path, rows)
    assert [one.tool for one in read(tmp_path, first.checkpoint, limits=limits).messages] == ["slack_read"]


@pytest.mark.parametrize(
    "kind",
    [
        "injection",
        "system_trigger",
        "hook_result",
        "background_task",
        "task",
        "cron_job",
        "cron_missed",
        "shell_command",
        "retry",
    ],
)
def test_what_others_started_is_not_the_person(tmp_path: Path, kind: str) -> None:
    wire = files.Wire()
    rows = [*wire.asked("INJECTED words", origin={"kind": kind}), wire.injected(kind, "INJECTED"), *wire.asked("go on")]
    assert [(message.role, message.text) for message in read_rows(tmp_path, rows).messages] == [("user", "go on")]


def test_skills_and_commands(tmp_path: Path) -> None:
    wire = files.Wire()
    skill = {"kind": "skill_activation", "trigger": "user-slash", "skillName": "review", "skillArgs": "src/app.ts"}
    rows = [
        *wire.asked("INJECTED skill body", origin=skill),
        *wire.asked("INJECTED body", origin=skill | {"skillArgs": None}),
        *wire.asked("INJECTED body", origin=skill | {"trigger": "model-tool"}),
        *wire.asked(
            "INJECTED",
            origin={"kind": "plugin_command", "trigger": "user-slash", "pluginId": "p", "commandName": "c", "commandArgs": "a"},
        ),
        *wire.asked(
            "INJECTED bundled body",
            "请用它",
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            origin={"kind": "user", "skillActivations": [{"activationId": "1", "skillName": "pdf"}]},
        ),
    ]
    reading = read_rows(tmp_path, rows)
    assert said(reading, "note") == ["/review src/app.ts", "/p:c a"]
    assert said(reading) == ["请用它\n[image]"]
    assert "INJECTED" not in str(reading.messages)


def test_the_same_words_twice_are_said_twice(tmp_path: Path) -> None:
    wire = files.Wire()
    first, second = wire.prompt("hi", named=False), wire.prompt("hi", named=False)
    steer = wire.prompt("stop", kind="turn.steer", named=False)
    rows = [first, *wire.copy(first), wire.row("turn.cancel"), steer, second, *wire.copy(second), *wire.copy(steer)]
    assert said(read_rows(tmp_path, rows)) == ["hi", "stop", "hi"]


def test_messages_without_origin_or_turn(tmp_path: Path) -> None:
    """Wire 1.1, folded answers of 1.4, and migrated sessions: the context is all there is."""
    wire = files.Wire()
    call = {"type": "function", "id": "c1", "function": {"name": "Bash", "arguments": '{"command": "pwd"}'}}
    rows = [
        wire.said("user", "before"),
        wire.said("user", files.REMINDER),
        wire.said("user", "<notification>INJECTED</notification>"),
        wire.said(
            "assistant", "folded", id="a1", toolCalls=[call, {"id": "c2", "name": "Read", "arguments": '{"path": "x.py"}'}]
        ),
        wire.said("tool", "<system>ERROR: blocked</system>", toolCallId="c1"),
        wire.said("tool", "<system>note</system>/home", toolCallId="c2"),
        wire.said("oracle", "INJECTED"),
    ]
    reading = read_rows(tmp_path, rows)
    assert [(message.role, message.text, message.tool) for message in reading.messages] == [
        ("user", "before", ""),
        ("assistant", "folded", ""),
        ("tool_call", "pwd", "Bash"),
        ("tool_call", "x.py", "Read"),
        ("tool_result", "ERROR: blocked", ""),
        ("tool_result", "/home", ""),
    ]
    assert (reading.messages[1].id, reading.messages[3].files) == ("a1", ("x.py",))
    assert reading.messages[0].id == f"{files.session_id()}:1"


def test_spliced_histories(tmp_path: Path) -> None:
    wire = files.Wire()
    one = wire.said("user", "one")["message"]
    summary = wire.said("user", "in short", origin={"kind": "compaction_summary"})["message"]
    rows = [
        wire.row("context.splice", start=0, deleteCount=0, messages=[one]),
        wire.row("context.splice", start=0, deleteCount=1, messages=[summary, one]),
        wire.row("context.splice", start=0, deleteCount=1, messages="?"),
    ]
    assert [(message.role, message.text) for message in read_rows(tmp_path, rows).messages] == [
        ("user", "one"),
        ("summary", "in short"),
    ]


def test_a_summary_that_is_a_message(tmp_path: Path) -> None:
    wire = files.Wire()
    message = {"role": "assistant", "content": [{"type": "text", "text": "as a message"}]}
    rows = [
        wire.row("context.apply_compaction", summary=message, count=2),
        wire.row("context.apply_compaction", contextSummary="for the model", compactedCount=2),
    ]
    assert said(read_rows(tmp_path, rows), "summary") == ["as a message", "for the model"]


# --- history that is changed --------------------------------------------------------------------------------------------
def test_an_undone_exchange_is_not_given_out(tmp_path: Path) -> None:
    wire = files.Wire()
    rows = [*wire.asked("one"), *wire.answer("first"), *wire.asked("two"), wire.injected(), *wire.answer("second")]
    rows += [*wire.tool("Bash_0", "Bash", {"command": "rm"}, "gone"), wire.undo()]
    rows += [*wire.asked("three"), *wire.answer("third")]
    reading = read_rows(tmp_path, rows)
    assert [message.text for message in reading.messages] == ["one", "first", "three", "third"]
    assert reading.session.title == "one"
    rows += [wire.undo(2), *wire.asked("four")]
    reading = read_rows(tmp_path, rows)
    assert ([message.text for message in reading.messages], reading.session.title) == (["four"], "four")


def test_an_undone_prompt_may_be_sent_again_under_its_id(tmp_path: Path) -> None:
    wire = files.Wire()
    asked = wire.asked("again?")
    rows = [*asked, *wire.answer("no"), wire.undo(), *asked, *wire.answer("yes")]
    reading = read_rows(tmp_path, rows)
    assert ([message.text for message in reading.messages], reading.repeated) == (["again?", "yes"], 0)


def test_an_undone_steer_is_taken_back_too(tmp_path: Path) -> None:
    wire = files.Wire()
    steer = wire.prompt("stop", kind="turn.steer")
    rows = [*wire.asked("one"), steer, *wire.answer("still going"), *wire.copy(steer), *wire.answer("stopped")]
    assert [message.text for message in read_rows(tmp_path, [*rows, wire.undo()]).messages] == ["one", "still going"]


@pytest.mark.parametrize("count", [0, -1, 3, True, "1", None, 10**20])
def test_an_undo_that_cannot_be_changes_nothing(tmp_path: Path, count: Any) -> None:
    wire = files.Wire()
    rows = [*wire.asked("one"), *wire.asked("two"), wire.undo(count)]
    assert said(read_rows(tmp_path, rows)) == ["one", "two"]


def test_undo_stops_at_clear_and_compaction(tmp_path: Path) -> None:
    wire = files.Wire()
    rows = [*wire.asked("one"), wire.row("context.clear"), wire.undo(), *wire.asked("two")]
    rows += [wire.row("context.apply_compaction", summary="short"), wire.undo(), *wire.asked("three"), wire.undo(1)]
    assert [message.text for message in read_rows(tmp_path, rows).messages] == ["one", "two", "short"]


def test_an_undo_behind_the_checkpoint_means_reading_whole(tmp_path: Path) -> None:
    wire = files.Wire()
    rows = [*wire.asked("one"), *wire.asked("two")]
    first = read_rows(tmp_path, rows)
    rows.append(wire.undo())
    files.place(tmp_path, rows)
    second = read(tmp_path, first.checkpoint)
    assert (second.resumed, said(second)) == (False, ["one"])
    files.place(tmp_path, [*rows, *wire.asked("three")])
    third = read(tmp_path, second.checkpoint)
    assert (third.resumed, said(third), third.messages[0].seq) == (True, ["three"], 2)


# --- appending --------------------------------------------------------------------------------------------------------
def changed() -> list[Any]:
    wire = files.Wire()
    rows = [*wire.head(), *wire.asked("one"), *wire.answer("first"), *wire.asked("two"), *wire.answer("second"), wire.undo()]
    return [*rows, *wire.asked("three"), wire.row("context.clear"), *wire.asked("four", named=False), wire.undo()]


@pytest.mark.parametrize("rows", [files.session(), changed()], ids=["session", "changed"])
def test_appended_readings_are_the_whole(tmp_path: Path, rows: list[Any]) -> None:
    whole = read_rows(tmp_path, rows)
    for cut in range(1, len(rows)):
        files.place(tmp_path, rows[:cut])
        first = read(tmp_path)
        files.place(tmp_path, rows)
        second = read(tmp_path, first.checkpoint)
        if second.resumed:
            assert first.messages + second.messages == whole.messages
            assert second.bytes_read == len(files.encode(rows[cut:]))
            assert first.recognised + second.recognised == whole.recognised
            assert first.usage + second.usage == whole.usage
        else:
            assert (second.messages, second.usage) == (whole.messages, whole.usage)
        assert (second.session.title or first.session.title) == whole.session.title
        assert (second.session.start, second.session.end, second.session.model, second.session.cwd) == (
            whole.session.start,
            whole.session.end,
            whole.session.model,
            whole.session.cwd,
        )


def test_a_rewritten_file_or_an_odd_checkpoint_is_read_whole(tmp_path: Path) -> None:
    first = read_rows(tmp_path, files.session())
    path = files.place(tmp_path, [files.Wire().row("forked"), *files.session()])
    second = read(tmp_path, first.checkpoint)
    assert (second.resumed, len(second.messages)) == (False, 10)
    with path.open("rb") as stream:
        odd = Checkpoint(10, guard(stream, 10), 1, 5, b"\xc1 not ours")
    third = read(tmp_path, odd)
    assert (third.resumed, third.messages) == (False, second.messages)


# --- what stands beside ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("state", "title", "rank"),
    [
        ({"title": "chosen", "isCustomTitle": True}, "chosen", 3),
        ({"title": "chosen", "titleKind": "custom"}, "chosen", 3),
        ({"title": "made", "titleKind": "generated"}, "made", 2),
        ({"title": "hi", "titleKind": "replaceable"}, "hi", 1),
        ({"title": f"Fork: {files.session_id(2)}", "titleKind": "replaceable"}, "请看看 cart.py 的折扣算得对不对", 0),
        ({"title": 7}, "请看看 cart.py 的折扣算得对不对", 0),
        ({}, "请看看 cart.py 的折扣算得对不对", 0),
    ],
)
def test_titles(tmp_path: Path, state: dict[str, Any], title: str, rank: int) -> None:
    files.write_state(tmp_path, **state)
    session = read_rows(tmp_path, files.session()).session
    assert (session.title, session.title_rank) == (title, rank)


def test_a_title_given_later_is_met_without_reading_again(tmp_path: Path) -> None:
    first = read_rows(tmp_path, files.session())
    assert discover(tmp_path)[files.session_id()].others == ()
    state = files.write_state(tmp_path, title="chosen", isCustomTitle=True, archived=True)
    assert discover(tmp_path)[files.session_id()].others == (state,)
    second = read(tmp_path, first.checkpoint)
    assert (second.resumed, second.messages, second.bytes_read) == (True, [], 0)
    assert (second.session.title, second.session.title_rank, second.session.archived) == ("chosen", 3, True)


def test_forks_and_migrated_sessions_name_their_parent(tmp_path: Path) -> None:
    files.place(tmp_path, files.session(), files.session_id(2))
    rows = [*files.session(), files.Wire().row("forked")]
    files.write_state(tmp_path, forkedFrom=files.session_id(2))
    fork, origin = read_rows(tmp_path, rows), read(tmp_path, session=files.session_id(2))
    assert (fork.session.parent, fork.recognised) == (files.session_id(2), 40)
    assert [message.identity for message in fork.messages] == [message.identity for message in origin.messages]
    files.write_state(tmp_path, custom={"kimi_cli_session_id": "old-1", "archived": True})
    session = read(tmp_path).session
    assert (session.parent, session.archived) == ("old-1", True)
    files.write_state(tmp_path, custom=[1], title="still read")
    assert read(tmp_path).session.title == "still read"


def test_folders(tmp_path: Path) -> None:
    rows = files.Wire().asked("hi")
    assert read_rows(tmp_path, rows).session.cwd == ""
    spaces = {"workspaces": {files.BUCKET: {"root": "/by/workspaces", "name": "shop"}}}
    (tmp_path / "workspaces.json").write_text(json.dumps(spaces))
    assert read(tmp_path).session.cwd == "/by/workspaces"
    lines = [b"torn", {"sessionId": files.session_id(), "sessionDir": "/x", "workDir": "/by/index"}]
    files.write(tmp_path / "session_index.jsonl", lines)
    assert read(tmp_path).session.cwd == "/by/index"
    units = list(ADAPTER.discover(tmp_path / "sessions", Context(home=SourcesHome(tmp_path, {})), lambda problem: None))
    assert ADAPTER.read(units[0], None, Limits(), lambda: False).session.cwd == "/by/index"
    files.place(tmp_path, [files.Wire().row("config.update", cwd="/by/wire"), *rows])
    assert read(tmp_path).session.cwd == "/by/wire"
    files.write_state(tmp_path, cwd=None, workDir="/by/state")
    assert read(tmp_path).session.cwd == "/by/state"
    for name in ("workspaces.json", "session_index.jsonl"):
        (tmp_path / name).write_bytes(b"[" * 50_000)
    assert read(tmp_path).session.cwd == "/by/state"


def test_sub_agents_are_found_by_their_folder(tmp_path: Path) -> None:
    wire = files.Wire("agent-0")
    task = "<git-context>\nINJECTED\n</git-context>\nCount the files."
    rows = [*wire.head(), *wire.asked(task, origin={"kind": "system_trigger", "name": "subagent"}), *wire.answer("3")]
    rows += wire.asked("by a resumed call")
    files.place(tmp_path, files.session())
    files.place(tmp_path, rows, agent="agent-0")
    files.write_state(tmp_path, cwd="/by/state", title="the main one's", archived=True)
    files.write(tmp_path / "sessions" / files.BUCKET / files.session_id() / "logs" / "x.jsonl", [])
    files.write(tmp_path / "sessions" / files.BUCKET / files.session_id() / "wire.jsonl", [])
    units = discover(tmp_path)
    assert set(units) == {files.session_id(), f"{files.session_id()}.agent-0"}
    unit = units[f"{files.session_id()}.agent-0"]
    assert (unit.kind, unit.parent, unit.others) == ("subagent", files.session_id(), ())
    reading = ADAPTER.read(unit, None, Limits(), lambda: False)
    assert [(message.role, message.text) for message in reading.messages] == [
        ("note", "Count the files."),
        ("assistant", "3"),
        ("note", "by a resumed call"),
    ]
    session = reading.session
    assert (session.title, session.title_rank, session.cwd, session.archived) == ("Count the files.", 0, "/by/state", True)
    assert ADAPTER.resume_command(session) == f"cd /by/state && kimi -S {files.session_id()}"


def test_roots_and_resume_commands(tmp_path: Path) -> None:
    plain = ADAPTER.roots(SourcesHome(tmp_path, {}))
    assert plain[:2] == [tmp_path / ".kimi-code", tmp_path / ".kimi"]
    assert plain[2].is_relative_to(tmp_path / "Library")
    moved = SourcesHome(tmp_path, {"KIMI_CODE_HOME": "/a", "KIMI_SHARE_DIR": "/b"})
    assert ADAPTER.roots(moved)[:2] == [Path("/a"), Path("/b")]
    assert ADAPTER.resume_command(Session(id="session_1", cwd="/my shop")) == "cd '/my shop' && kimi -S session_1"
    assert ADAPTER.resume_command(Session(id="$(x)", cwd="/")) == ""
    assert (ADAPTER.agent, ADAPTER.name, ADAPTER.confidence) == ("kimi", "Kimi", "recorded")
    assert discover(tmp_path / "nowhere") == {}


def test_what_cannot_be_read_yet(tmp_path: Path) -> None:
    for data in (b"", b'{"type": "meta'):
        path = files.place(tmp_path, [])
        path.write_bytes(data)
        with pytest.raises(NotReady):
            read(tmp_path)
    files.place(tmp_path, files.session() * 10)
    with pytest.raises(Stopped):
        ADAPTER.read(discover(tmp_path)[files.session_id()], None, Limits(), lambda: True)


def test_unknown_and_damaged_records_are_counted(tmp_path: Path) -> None:
    wire = files.Wire()
    rows = [
        wire.row("teleport.begin"),
        wire.event("quantum.leap"),
        wire.row("context.append_message"),
        wire.row("context.append_loop_event", event={"type": "content.part", "part": {"type": "image"}}),
        b"{broken",
        b"\x00\x00",
        *wire.asked("\U0001f600 go on"),
        b'{"type":"turn.prompt","origin":{"kind":"user"},"input":"\\ud83d alone","time":1790000099000}',
    ]
    reading = read_rows(tmp_path, rows)
    assert said(reading) == ["\U0001f600 go on", "� alone"]
    assert (reading.records, reading.unknown, reading.skipped) == (9, 2, 2)
    assert reading.unknown_kinds == {"teleport.begin": 1, "event/quantum.leap": 1}
    assert [problem.kind for problem in reading.problems] == ["bad_record", "bad_json", "nul_run"]
