from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from data import codebuddy_files as files

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Session, Stopped, Unit
from tray_app.sources.codebuddy import CODEBUDDY, WORKBUDDY, CodeBuddyAdapter
from tray_app.sources.codebuddy_words import prompt_of, queries, summary_words, without_blocks
from tray_app.sources.lines import guard

HOUR = 3_600_000


def unit_of(path: Path, **more: Any) -> Unit:
    facts = {"session": path.stem, **more}
    return Unit(agent="codebuddy", root=path.parent, path=path, size=0, mtime_ns=0, inode=0, **facts)


def read(
    path: Path,
    checkpoint: Checkpoint | None = None,
    adapter: CodeBuddyAdapter = CODEBUDDY,
    limits: Limits | None = None,
    **more: Any,
) -> Reading:
    return adapter.read(unit_of(path, **more), checkpoint, limits or Limits(), lambda: False)


def read_rows(folder: Path, rows: list[Any], label: str = "main", **more: Any) -> Reading:
    return read(files.write(folder / f"{files.make_id(label)}.jsonl", rows), **more)


def said(reading: Reading, role: str = "user") -> list[str]:
    return [message.text for message in reading.messages if message.role == role]


def test_a_session(tmp_path: Path) -> None:
    reading = read_rows(tmp_path, files.session())
    assert [(message.role, message.text) for message in reading.messages] == [
        ("user", "请看看 cart.py 的折扣算得对不对"),
        ("assistant", "I will read it."),
        ("tool_call", f"{files.CWD}/cart.py\nlimit: 40"),
        ("tool_call", "ls -la\nList files"),
        ("tool_result", "def discount(total):"),
        ("tool_result", "cart.py"),
        ("assistant", "It rounds twice."),
        ("user", "also look at the tax"),
        ("assistant", "The tax is right."),
        ("summary", "The cart was fixed."),
        ("user", "压缩之后继续"),
        ("assistant", "好的。"),
    ]
    session = reading.session
    assert session == Session(
        id=files.make_id("main"),
        cwd=files.CWD,
        title="请看看 cart.py 的折扣算得对不对",
        start=files.millis(1),
        end=files.millis(20),
        model=files.MODEL,
    )
    assert (reading.records, reading.recognised, reading.skipped, reading.unknown, reading.repeated) == (20, 20, 0, 0, 0)
    call, result = reading.messages[2], reading.messages[4]
    assert (call.id, call.identity, call.tool, call.files) == (
        "call_1",
        "resp_1:function_call:call_1",
        "Read",
        (f"{files.CWD}/cart.py",),
    )
    assert (result.id, result.tool) == ("call_1", "Read")
    assert (reading.messages[1].id, reading.messages[1].identity) == ("resp_1", "resp_1:message")
    assert reading.messages[0].time == files.millis(1)
    assert [message.seq for message in reading.messages] == list(range(12))
    assert "INJECTED" not in str(reading.messages)


def test_tokens_of_each_answer_count_once_and_are_disjoint(tmp_path: Path) -> None:
    counted = [
        (one.key, one.model, one.input, one.output, one.cache_read, one.cache_write)
        for one in read_rows(tmp_path, files.session()).usage
    ]
    assert counted == [
        (files.make_id("resp_1"), files.MODEL, 130, 30, 7, -1),
        (files.make_id("resp_2"), files.MODEL, 50, 12, 100, -1),
        (files.make_id("resp_compact"), files.MODEL, 900, 40, 0, -1),
    ]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"rawUsage": {"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}}, (6, 2, 4, -1)),
        ({"rawUsage": {"prompt_tokens": 10, "prompt_tokens_details": [{"cached_tokens": 3}, {}]}}, (7, -1, 3, -1)),
        ({"rawUsage": {"prompt_tokens": 5, "completion_tokens": 1, "prompt_cache_hit_tokens": 9}}, (0, 1, 9, -1)),
        ({"usage": {"inputTokens": 10, "outputTokens": 2}}, (10, 2, -1, -1)),
        ({"usage": {"inputTokens": "many"}, "rawUsage": [1]}, None),
    ],
)
def test_tokens_in_the_forms_of_different_builds(
    tmp_path: Path, more: dict[str, Any], expected: tuple[int, ...] | None
) -> None:
    reading = read_rows(tmp_path, [files.Chat("main").answer("x", "resp_1", more)])
    assert [(one.input, one.output, one.cache_read, one.cache_write) for one in reading.usage] == (
        [expected] if expected else []
    )


def test_tokens_of_the_message_alone(tmp_path: Path) -> None:
    counts = {"input_tokens": 20, "output_tokens": 3, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 4}
    reading = read_rows(tmp_path, [files.Chat("main").answer("x", "resp_1", message={"usage": counts})])
    assert [(one.input, one.output, one.cache_read, one.cache_write) for one in reading.usage] == [(11, 3, 5, 4)]


def test_thoughts_only_if_asked_for(tmp_path: Path) -> None:
    rows = files.session()
    assert said(read_rows(tmp_path, rows), "reasoning") == []
    assert said(read_rows(tmp_path, rows, limits=Limits(reasoning=True)), "reasoning")[0] == "the cart rounds twice"
    assert said(read_rows(tmp_path, rows, limits=Limits(tools=False)), "tool_call") == []


def test_our_own_tools_are_left_out(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows = [
        chat.user("what did we decide"),
        chat.call("call_1", "mcp__Backscroll__search", {"query": "decided"}, "resp_1"),
        chat.call("call_2", "Bash", "not json", "resp_1"),
        chat.result("call_1", "", "INJECTED old words"),
        chat.result("call_3", "mcp__backscroll__show", "INJECTED old words"),
        chat.result("call_2", "Bash", ""),
        chat.result("call_2", "Bash", "", output="plain"),
    ]
    reading = read_rows(tmp_path, rows)
    assert [(message.role, message.text) for message in reading.messages] == [
        ("user", "what did we decide"),
        ("tool_call", "not json"),
        ("tool_result", "plain"),
    ]
    path = tmp_path / f"{files.make_id('main')}.jsonl"
    path.write_bytes(files.encode(rows[:3]))
    first = read(path)
    path.write_bytes(files.encode(rows))
    assert said(read(path, first.checkpoint), "tool_result") == ["plain"]


def test_that_the_pack_was_asked_for_is_kept(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows = [
        chat.user("go on"),
        chat.call("call_1", "mcp__backscroll__handoff_pack", {"project": "shop"}, "resp_1"),
        chat.result("call_1", "", "INJECTED pack"),
    ]
    assert [(message.role, message.tool) for message in read_rows(tmp_path, rows).messages] == [
        ("user", ""),
        ("tool_call", "mcp__backscroll__handoff_pack"),
    ]


def test_chats_with_people_are_kept_without_tools(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows = [
        chat.call("c1", "mcp__wecom__send_message", {"text": "hi"}, "r"),
        chat.result("c1", "mcp__wecom__send_message", "sent"),
        chat.call("c2", "Bash", {"command": "ls"}, "r"),
        chat.result("c2", "Bash", "x"),
    ]
    reading = read_rows(tmp_path, rows, limits=Limits(tools=False, bridges=("send:*wecom*send*",)))
    assert [(one.role, one.id, one.arguments) for one in reading.messages] == [
        ("tool_call", "c1", '{"text": "hi"}'),
        ("tool_result", "c1", ""),
    ]


def test_titles(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows: list[Any] = [chat.user("fix the cart")]
    assert (read_rows(tmp_path, rows).session.title, read_rows(tmp_path, rows).session.title_rank) == ("fix the cart", 0)
    for kind, field, rank in (
        ("topic", "topic", 1),
        ("summary", "summary", 1),
        ("ai-title", "aiTitle", 2),
        ("custom-title", "customTitle", 3),
    ):
        rows.append({"type": kind, field: f"by {kind}"})
        session = read_rows(tmp_path, rows).session
        assert (session.title, session.title_rank) == (f"by {kind}", rank)
    rows.append({"type": "ai-title", "aiTitle": "later"})
    reading = read_rows(tmp_path, rows)
    assert (reading.session.title, reading.recognised, reading.unknown) == ("by custom-title", 6, 0)


def test_commands_and_skill_bodies(tmp_path: Path) -> None:
    chat = files.Chat("main")
    expansion = {"type": "input_text", "text": "INJECTED review prompt", "providerData": {"content": "/review the cart"}}
    bare = {"type": "input_text", "text": "INJECTED", "providerData": {"content": "/init"}}
    path = {"type": "input_text", "text": "/etc/hosts is wrong", "providerData": {"content": "/etc/hosts is wrong"}}
    rows = [
        chat.user("", content=[path]),
        chat.user("", content=[expansion]),
        chat.user("", content=[bare]),
        chat.user("<command-name>/model</command-name><command-args>fast</command-args>", provider={"skipRun": True}),
        chat.user("<command-message>x</command-message> <command-name>/x</command-name>", "INJECTED skill body"),
        chat.user("@skill:pdf @skill:docx make a report"),
        *files.compaction(chat, "/compact keep the cart"),
    ]
    reading = read_rows(tmp_path, rows)
    assert said(reading, "note") == ["/review the cart", "/model fast", "/compact keep the cart"]
    assert said(reading) == ["/etc/hosts is wrong", "make a report"]
    assert "INJECTED" not in str(reading.messages)


def test_summaries_of_automatic_compactions(tmp_path: Path) -> None:
    chat = files.Chat("main")
    text = "<cb_summary>\nwe chose DuckDB\n</cb_summary>"
    flags = {"isCompactInternal": True, "isCompacted": True, "compactType": "pre-message-auto"}
    rows = [
        chat.user(text, provider=flags),
        chat.answer("<conversation_history_summary>we chose DuckDB</conversation_history_summary>", "r", {"agent": "compact"}),
        chat.user("INJECTED Please continue", provider={"isCompactInternal": True}),
        chat.user("and an open tag", provider={"isSummary": True}),
    ]
    reading = read_rows(tmp_path, rows)
    assert [(message.role, message.text) for message in reading.messages] == [
        ("summary", "we chose DuckDB"),
        ("summary", "and an open tag"),
    ]
    assert reading.repeated == 1


def test_prompts_of_other_agents_are_notes_and_failures_are_nothing(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows = [
        chat.user("plan it", provider={"agent": "planner"}),
        chat.user("by a colleague", provider={"teammateMessage": {"from": "x"}}),
        chat.answer("429 too many\n requests", "r1", {"error": {"message": "429 too many requests"}}),
        chat.answer("half an answer", "r2", {"error": {"message": "stream broke"}}),
        chat.row("message", role="system", content="INJECTED"),
        chat.row("message", role="oracle", content="INJECTED"),
        chat.row("teleport"),
    ]
    reading = read_rows(tmp_path, rows)
    assert [(message.role, message.text) for message in reading.messages] == [
        ("note", "plan it"),
        ("assistant", "half an answer"),
    ]
    assert (reading.records, reading.recognised, reading.unknown) == (7, 5, 2)
    assert reading.unknown_kinds == {"message/oracle": 1, "teleport": 1}


def test_pictures_are_placeholders(tmp_path: Path) -> None:
    parts = [{"type": "input_text", "text": "see"}, {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}, "there"]
    reading = read_rows(tmp_path, [files.Chat("main").user(content=parts), files.Chat("more").user(content="just a string")])
    assert said(reading) == ["see\n[image]\nthere", "just a string"]


# --- WorkBuddy --------------------------------------------------------------------------------------------------------
def workbuddy_rows() -> list[Any]:
    chat = files.Chat("main", agent="craft")
    merged = [
        {"type": "input_text", "text": files.query("first")},
        {"type": "input_text", "text": "<user_query>second</user_query>"},
    ]
    return [
        chat.user("INJECTED skill instructions of an old turn", provider={"agent": "cli"}),
        chat.user(files.query("帮我做一个报表")),
        chat.answer("好的", "r1"),
        chat.user("INJECTED plain text that it did not wrap", provider={"agent": "cli"}),
        chat.user(f"<selected>INJECTED</selected>\n{files.query('and a chart')}"),
        chat.user("", content=merged),
        chat.user(files.query("INJECTED compact"), provider={"agent": "compact"}),
        chat.user(files.query("INJECTED meta"), provider={"isMeta": True}),
    ]


def test_workbuddy_keeps_only_what_was_wrapped(tmp_path: Path) -> None:
    reading = read_rows(tmp_path, workbuddy_rows(), adapter=WORKBUDDY)
    assert said(reading) == ["帮我做一个报表", "and a chart", "first\nsecond"]
    assert (reading.session.title, reading.session.title_rank) == ("帮我做一个报表", 0)
    assert "INJECTED" not in str(reading.messages) + reading.session.title


def test_workbuddy_without_wrappers_is_taken_as_it_is(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows = [chat.user(f"{files.REMINDER}老版本的话"), chat.user("<craft_mode>INJECTED</craft_mode>")]
    reading = read_rows(tmp_path, rows, adapter=WORKBUDDY)
    assert (said(reading), reading.session.title) == (["老版本的话"], "老版本的话")


def test_a_wrapper_behind_the_checkpoint_means_reading_whole(tmp_path: Path) -> None:
    rows = workbuddy_rows()
    path = files.write(tmp_path / f"{files.make_id('main')}.jsonl", rows[:1])
    first = read(path, adapter=WORKBUDDY)
    assert len(said(first)) == 1
    files.write(path, rows)
    second = read(path, first.checkpoint, WORKBUDDY)
    assert (second.resumed, said(second)) == (False, ["帮我做一个报表", "and a chart", "first\nsecond"])


def test_a_person_who_writes_of_the_wrapper_is_not_cut(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows = [chat.user("what is <user_query>x</user_query> in the log?"), chat.user("and this?")]
    assert said(read_rows(tmp_path, rows)) == ["what is <user_query>x</user_query> in the log?", "and this?"]
    assert said(read_rows(tmp_path, [chat.user(files.query("from the IDE"))])) == ["from the IDE"]


# --- words ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{files.REMINDER}\n go on", "go on"),
        (f"go on\n{files.REMINDER}{files.REMINDER}", "go on"),
        ("<system-reminder data-role='x'>a</system-reminder>go on", "go on"),
        ("<system-reminder>never ends, go on", ""),
        ("go on </system-reminder>", "go on </system-reminder>"),
        ("see <system-reminder>this</system-reminder> tag", "see <system-reminder>this</system-reminder> tag"),
        ("<system-reminders>x</system-reminder>", "<system-reminders>x</system-reminder>"),
        ("", ""),
    ],
)
def test_blocks_around_a_prompt(text: str, expected: str) -> None:
    assert without_blocks(text) == expected


def test_queries() -> None:
    assert queries("<user_query>a</user_query> x <user_query> b </user_query><user_query></user_query>") == ["a", "b"]
    assert queries("<user_query>never ends") == ["never ends"]
    assert queries("none") == []
    assert prompt_of([], wraps=True).words == ""


def test_summary_words() -> None:
    assert summary_words("<summary>a</summary>") == "a"
    assert summary_words('<cb_summary data-x="1">never ends') == "never ends"
    assert summary_words("plain") == "plain"


def test_many_blocks_cost_no_square(tmp_path: Path) -> None:
    many = "<system-reminder>x</system-reminder>" * 30_000
    assert without_blocks(many + "go on" + many) == "go on"
    assert without_blocks("</system-reminder>" * 60_000) == "</system-reminder>" * 60_000
    assert len(queries("<user_query>" * 200_000)) == 1


# --- appending --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("adapter", [CODEBUDDY, WORKBUDDY], ids=["codebuddy", "workbuddy"])
@pytest.mark.parametrize("rows", [files.session(), workbuddy_rows()], ids=["session", "wrapped"])
def test_appended_readings_are_the_whole(tmp_path: Path, adapter: CodeBuddyAdapter, rows: list[Any]) -> None:
    whole = read_rows(tmp_path, rows, adapter=adapter)
    path = tmp_path / f"{files.make_id('main')}.jsonl"
    for cut in range(1, len(rows)):
        files.write(path, rows[:cut])
        first = read(path, adapter=adapter)
        files.write(path, rows)
        second = read(path, first.checkpoint, adapter)
        if second.resumed:
            assert first.messages + second.messages == whole.messages
            assert second.bytes_read == len(files.encode(rows[cut:]))
            assert first.recognised + second.recognised == whole.recognised
        else:
            assert second.messages == whole.messages
        usage = {one.key: one for one in (*first.usage, *second.usage)}
        assert usage == {one.key: one for one in whole.usage}
        assert second.session == whole.session or second.session.title == ""
        assert (second.session.title or first.session.title) == whole.session.title


def test_a_half_written_line_waits(tmp_path: Path) -> None:
    data = files.encode(files.session())
    path = tmp_path / f"{files.make_id('main')}.jsonl"
    path.write_bytes(data[:-20])
    first = read(path)
    assert (first.growing, said(first)[-1], said(first, "assistant")[-1]) == (True, "压缩之后继续", "The tax is right.")
    path.write_bytes(data)
    second = read(path, first.checkpoint)
    assert (second.resumed, said(second, "assistant"), second.growing) == (True, ["好的。"], False)


def test_a_rewritten_file_or_an_odd_checkpoint_is_read_whole(tmp_path: Path) -> None:
    rows = files.session()
    path = files.write(tmp_path / f"{files.make_id('main')}.jsonl", rows)
    first = read(path)
    assert first.checkpoint is not None
    files.write(path, [files.Chat("main").user("other"), *rows])
    second = read(path, first.checkpoint)
    assert (second.resumed, said(second)[0], len(second.messages)) == (False, "other", 13)
    with path.open("rb") as stream:
        odd = Checkpoint(10, guard(stream, 10), 1, 5, b"\xc1 not ours")
    third = read(path, odd)
    assert (third.resumed, third.messages) == (False, second.messages)


def test_a_line_written_twice_counts_once(tmp_path: Path) -> None:
    row = files.Chat("main").user("once")
    reading = read_rows(tmp_path, [row, row])
    assert (said(reading), reading.repeated, reading.recognised) == (["once"], 1, 2)


# --- forks, sub-agents, discovery ---------------------------------------------------------------------------------------
def discover(root: Path, adapter: CodeBuddyAdapter = CODEBUDDY) -> dict[str, Unit]:
    problems: list[Problem] = []
    units = list(adapter.discover(root, Context(home=SourcesHome(root, {})), problems.append))
    assert problems == []
    return {unit.session: unit for unit in units}


def test_a_fork_names_its_parent_and_keeps_identities(tmp_path: Path) -> None:
    projects = tmp_path / "projects" / "home-kim-shop"
    rows = files.session()
    fork, parent = files.Chat("fork"), files.make_id("main")
    copied = [*rows[:9], fork.user("换一个方案"), fork.answer("另一个答案", "resp_fork")]
    files.write(projects / f"{parent}.jsonl", rows)
    path = files.write(projects / f"{fork.id}.jsonl", copied)
    units = discover(tmp_path)
    old, new = (CODEBUDDY.read(units[name], None, Limits(), lambda: False) for name in (parent, fork.id))
    assert (new.session.id, new.session.parent, old.session.parent) == (fork.id, parent, "")  # from the copied lines
    assert [message.identity for message in new.messages[:7]] == [message.identity for message in old.messages[:7]]
    assert said(new) == ["请看看 cart.py 的折扣算得对不对", "换一个方案"]
    path.with_suffix(".meta.json").write_text(json.dumps({"forkedFrom": "from-the-side-file"}))
    unit = discover(tmp_path)[fork.id]
    assert unit.others == (path.with_suffix(".meta.json"),)
    assert CODEBUDDY.read(unit, None, Limits(), lambda: False).session.parent == "from-the-side-file"
    path.with_suffix(".meta.json").write_bytes(b"[" * 70_000)
    assert CODEBUDDY.read(unit, None, Limits(), lambda: False).session.parent == parent


def test_a_file_named_otherwise_than_its_lines_has_no_parent(tmp_path: Path) -> None:
    path = files.write(tmp_path / "store-id.jsonl", files.session())
    assert (read(path).session.id, read(path).session.parent) == ("store-id", "")


def test_sub_agents_are_found_by_their_folder(tmp_path: Path) -> None:
    parent = files.make_id("main")
    slug = tmp_path / "projects" / "home-kim-shop"
    agent = files.Chat("own id of the agent", agent="general-purpose")
    files.write(slug / f"{parent}.jsonl", files.session())
    files.write(slug / parent / "subagents" / "agent-1a2b.jsonl", [agent.user("Look at the cart."), agent.answer("Done.", "r")])
    files.write(slug / parent / "tool-results" / "call_1.jsonl", [agent.user("INJECTED")])
    files.write(slug / parent / "other.jsonl", [agent.user("INJECTED")])
    files.write(tmp_path / "history.jsonl", [agent.user("INJECTED")])
    units = discover(tmp_path)
    assert set(units) == {parent, f"{parent}.agent-1a2b"} == set(discover(tmp_path / "projects"))
    unit = units[f"{parent}.agent-1a2b"]
    assert (unit.kind, unit.parent, unit.agent) == ("subagent", parent, "codebuddy")
    reading = CODEBUDDY.read(unit, None, Limits(), lambda: False)
    assert [(message.role, message.text) for message in reading.messages] == [
        ("note", "Look at the cart."),
        ("assistant", "Done."),
    ]
    assert (reading.session.id, reading.session.parent, reading.session.title) == (unit.session, parent, "Look at the cart.")
    assert CODEBUDDY.resume_command(reading.session) == f"cd {files.CWD} && codebuddy --resume {parent}"


def test_tasks_of_a_team_are_notes(tmp_path: Path) -> None:
    agent = files.Chat("worker", agent="worker")
    rows = [
        agent.user('<teammate-message teammate_id="lead">\nCheck the tax.\n</teammate-message>', provider={"isSubAgent": True}),
        agent.user("<teammate-message>never ends"),
        agent.user("<bash-stdout>INJECTED</bash-stdout>", provider={"skipRun": True}),
    ]
    path = files.write(tmp_path / "subagents" / "agent-1.jsonl", rows)
    reading = read(path, kind="subagent", parent="p")
    assert ([message.role for message in reading.messages], said(reading, "note")) == (
        ["note", "note"],
        ["Check the tax.", "never ends"],
    )
    assert (reading.session.title, reading.session.parent) == ("Check the tax.", "p")
    assert read(path).messages == []  # in a main file such a message is nobody's we know


def test_roots_and_resume_commands(tmp_path: Path) -> None:
    home = SourcesHome(tmp_path, {"CODEBUDDY_CONFIG_DIR": str(tmp_path / "moved")})
    assert CODEBUDDY.roots(home) == [tmp_path / "moved" / "projects", tmp_path / ".codebuddy-cn" / "projects"]
    assert CODEBUDDY.roots(SourcesHome(tmp_path, {}))[0] == tmp_path / ".codebuddy" / "projects"
    assert WORKBUDDY.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".workbuddy" / "projects"]
    assert (WORKBUDDY.agent, WORKBUDDY.confidence) == ("workbuddy", "readers")
    assert (CODEBUDDY.agent, CODEBUDDY.confidence) == ("codebuddy", "recorded")
    session = Session(id="abc-1", cwd="/home/kim/my shop")
    assert CODEBUDDY.resume_command(session) == "cd '/home/kim/my shop' && codebuddy --resume abc-1"
    assert WORKBUDDY.resume_command(session) == ""
    assert CODEBUDDY.resume_command(Session(id="; rm -rf ~", cwd="/")) == ""
    assert list(CODEBUDDY.discover(tmp_path / "nowhere", Context(home=home), lambda problem: None)) == []


def test_what_cannot_be_read_yet(tmp_path: Path) -> None:
    with pytest.raises(NotReady):
        read(files.write(tmp_path / "a.jsonl", []))
    torn = tmp_path / "b.jsonl"
    torn.write_bytes(b'{"type": "mess')
    with pytest.raises(NotReady):
        read(torn)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.jsonl")
    path = files.write(tmp_path / "c.jsonl", [files.Chat("main").user("x")] * 500)
    with pytest.raises(Stopped):
        CODEBUDDY.read(unit_of(path), None, Limits(), lambda: True)


def test_damaged_lines_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    chat = files.Chat("main")
    rows = [b"\xef\xbb\xbf" + files.encode([chat.user("one")]).strip(), b"{broken", b"", b'{"type": 7}', b"[1]", b'"x"']
    rows += [b'{"type":"message","role":"user","content":"\\ud83d alone","providerData":null}', b"\x00\x00\x00"]
    rows += [files.encode([chat.user("two")]).strip() + b"\r"]
    reading = read_rows(tmp_path, rows)
    assert said(reading) == ["one", "� alone", "two"]
    assert [(problem.kind, problem.line) for problem in reading.problems] == [
        ("bad_json", 2),
        ("bad_record", 4),
        ("bad_record", 5),
        ("bad_record", 6),
        ("nul_run", 8),
    ]
    assert (reading.skipped, reading.session.start, reading.session.end) == (4, files.millis(1), files.millis(2))
