from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data import claude_files as files
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Session, Stopped, Unit
from tray_app.sources.claude_code import ClaudeCodeAdapter
from tray_app.sources.claude_lines import said_by_person, without_wrappers
from tray_app.sources.claude_times import Bounds, milliseconds

ADAPTER = ClaudeCodeAdapter()
HOUR = 3_600_000


def unit_of(path: Path, **more: Any) -> Unit:
    facts = {"kind": "subagent" if path.name.startswith("agent-") else "main", **more}
    return Unit(agent="claude_code", root=path.parent, path=path, session=path.stem, size=0, mtime_ns=0, inode=0, **facts)


def read(path: Path, checkpoint: Checkpoint | None = None, limits: Limits | None = None, **more: Any) -> Reading:
    return ADAPTER.read(unit_of(path, **more), checkpoint, limits or Limits(), lambda: False)


def read_rows(folder: Path, rows: list[Any], label: str = "made", limits: Limits | None = None) -> Reading:
    return read(files.write(folder / f"{files.make_id(label)}.jsonl", rows), limits=limits)


def said(reading: Reading, role: str = "user") -> list[str]:
    return [message.text for message in reading.messages if message.role == role]


def test_session_of_2_1(tmp_path: Path) -> None:
    reading = read_rows(tmp_path, files.session_2_1(), "modern")
    assert [(message.role, message.text) for message in reading.messages] == [
        ("user", "请看看 shop/cart.py 的折扣算得对不对"),
        ("assistant", "I will read the file."),
        ("tool_call", "/home/kim/shop/cart.py\nlimit: 40"),
        ("tool_result", "def discount(total):\n[image]"),
        ("user", "also look at the tax"),
        ("assistant", "It rounds twice."),
        ("summary", "This session is being continued from a previous conversation. The cart was fixed."),
        ("note", "/compact keep the cart"),
        ("user", "now write a test"),
    ]
    session = reading.session
    assert (session.id, session.cwd, session.title, session.title_rank) == (
        files.make_id("modern"),
        "/home/kim/shop",
        "Cart discount rounding",
        2,
    )
    assert (session.branch, session.version, session.model, session.kind) == ("main", "2.1.332", files.MODEL, "main")
    assert (session.start, session.end) == (files.epoch_ms(1), files.epoch_ms(14))
    assert (reading.records, reading.recognised, reading.skipped, reading.unknown) == (25, 25, 0, 0)
    call, result = reading.messages[2:4]
    assert (call.id, call.identity, call.tool, call.files) == ("toolu_1", "toolu_1", "Read", ("/home/kim/shop/cart.py",))
    assert (result.id, result.identity) == ("toolu_1", "toolu_1:result")
    assert reading.messages[1].identity == "msg_1"
    assert reading.messages[1].id == files.make_id("modern/5")


def test_usage_counts_each_model_call_once(tmp_path: Path) -> None:
    reading = read_rows(tmp_path, files.session_2_1(), "modern")
    counted = [(one.key, one.input, one.output, one.cache_read, one.cache_write) for one in reading.usage]
    assert counted == [("msg_1", 12, 31, 400, 3), ("msg_2", 12, 4, 400, 3)]


def test_session_of_2_0_by_prefixes(tmp_path: Path) -> None:
    reading = read_rows(tmp_path, files.session_2_0(), "middle")
    assert said(reading) == ["rename the exporter", "go on", "go on"]
    assert said(reading, "assistant") == ["Renamed.", "Done."]
    assert not any("INJECTED" in message.text for message in reading.messages)
    assert (reading.session.title, reading.session.title_rank) == ("rename the exporter", 0)


def test_session_of_1_0_with_sidechain(tmp_path: Path) -> None:
    reading = read_rows(tmp_path, files.session_1_0(), "early")
    assert said(reading) == ["send someone to look at parser.py"]
    assert said(reading, "note") == ["Read parser.py"]
    assert said(reading, "assistant") == ["I send a helper.", "It has two functions.", "Both are fine."]
    assert said(reading, "tool_call") == ["Look\nRead parser.py"]
    assert (reading.session.title, reading.session.title_rank) == ("Parser review", 1)


@pytest.mark.parametrize("make", [files.session_2_1, files.session_2_0, files.session_1_0])
def test_reading_line_by_line_gives_the_same(tmp_path: Path, make: Any) -> None:
    rows = make()
    path = tmp_path / f"{files.make_id('grown')}.jsonl"
    whole = read(files.write(path, rows))
    path.unlink()
    checkpoint, messages, title = None, [], ("", -1)
    for count in range(1, len(rows) + 1):
        files.write(path, rows[:count])
        part = read(path, checkpoint)
        assert part.resumed == (checkpoint is not None)
        checkpoint = part.checkpoint
        messages += part.messages
        if part.session.title and part.session.title_rank >= title[1]:
            title = part.session.title, part.session.title_rank
    assert messages == whole.messages
    assert msgspec.structs.replace(part.session, title="", title_rank=0) == msgspec.structs.replace(
        whole.session, title="", title_rank=0
    )
    assert title == (whole.session.title, whole.session.title_rank)


def test_nothing_new_costs_nothing_and_a_rewritten_file_is_read_whole(tmp_path: Path) -> None:
    chat = files.Chat("again")
    path = files.write(tmp_path / f"{chat.id}.jsonl", [chat.user("first"), chat.answer("one")])
    first = read(path)
    again = read(path, first.checkpoint)
    assert (again.resumed, again.messages, again.bytes_read, again.session.cwd) == (True, [], 0, "/home/kim/shop")
    other = files.Chat("other")
    files.write(path, [other.user("edited and longer than before"), other.answer("two"), other.user("three")])
    anew = read(path, first.checkpoint)
    assert (anew.resumed, said(anew)) == (False, ["edited and longer than before", "three"])


def test_a_torn_last_line_waits(tmp_path: Path) -> None:
    chat = files.Chat("torn")
    rows = files.encode([chat.user("first"), chat.user("尾巴" * 40_000)])
    path = tmp_path / f"{chat.id}.jsonl"
    path.write_bytes(rows[:-50_001])
    first = read(path)
    assert (said(first), first.growing, first.skipped) == (["first"], True, 0)
    path.write_bytes(rows)
    assert said(read(path, first.checkpoint)) == ["尾巴" * 40_000]


def test_marks_decide_for_their_version_and_later(tmp_path: Path) -> None:
    old, new, newer = files.Chat("a", version="2.0.30"), files.Chat("b"), files.Chat("c", version="2.2.0")
    rows = [
        old.user("old prompt"),
        new.user("new prompt"),
        new.line("unmarked"),
        newer.line("unmarked too"),
        old.user("old again"),
    ]
    assert said(read_rows(tmp_path, rows)) == ["old prompt", "new prompt", "old again"]


def test_what_came_before_the_first_mark_of_its_version_is_taken_back(tmp_path: Path) -> None:
    chat = files.Chat("late")
    rows = [chat.line("written by a plugin", uuid="same"), chat.answer("yes", uuid="same"), chat.user("really asked")]
    reading = read_rows(tmp_path, rows)
    assert [message.text for message in reading.messages] == ["yes", "really asked"]
    assert reading.session.title == "really asked"


def test_a_checkpoint_remembers_that_marks_are_used(tmp_path: Path) -> None:
    chat = files.Chat("kept")
    path = files.write(tmp_path / f"{chat.id}.jsonl", [chat.user("asked")])
    first = read(path)
    with path.open("ab") as stream:
        stream.write(files.encode([chat.line("written by a plugin")]))
    assert read(path, first.checkpoint).messages == []


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/clear</command-name>",
        "<command-message>init is running</command-message>",
        "<local-command-stdout>x</local-command-stdout>",
        "<local-command-caveat>x</local-command-caveat>",
        "Caveat: The messages below were generated by the user while running local commands. DO NOT",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>",
        "<system-reminder>x</system-reminder>",
        "<system-reminder>never closed",
        "<task-notification>x</task-notification>",
        '<teammate-message from="a">x</teammate-message>',
        "[Request interrupted by user for tool use]",
        "Stop hook feedback:\nx",
        "  \n",
    ],
)
@pytest.mark.parametrize("as_blocks", [False, True])
def test_what_is_not_said(tmp_path: Path, text: str, as_blocks: bool) -> None:
    chat = files.Chat("not said", version="2.0.30")
    content = [{"type": "text", "text": text}] if as_blocks else text
    assert read_rows(tmp_path, [chat.user("real"), chat.line(content)]).messages[1:] == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<system-reminder>a</system-reminder>\n\n<ide_selection>b</ide_selection> fix it", "fix it"),
        ("look at <system-reminder> in the log", "look at <system-reminder> in the log"),
        ("<ide_opened_file>/a.py</ide_opened_file>修一下", "修一下"),
        ("<system-reminders> is a tag of ours", "<system-reminders> is a tag of ours"),
        ("caveat: it is slow", "caveat: it is slow"),
    ],
)
def test_wrappers_are_taken_off_and_the_rest_is_kept(text: str, kept: str) -> None:
    assert said_by_person(text) == kept


def test_many_wrappers_take_linear_time() -> None:
    assert without_wrappers("<system-reminder>x</system-reminder>\n" * 100_000 + "end") == "end"


@pytest.mark.parametrize("flag", ["isMeta", "isVisibleInTranscriptOnly"])
def test_flags_that_leave_a_line_out(tmp_path: Path, flag: str) -> None:
    chat = files.Chat("flags", version="2.0.30")
    assert read_rows(tmp_path, [chat.line("injected", **{flag: True})]).messages == []


def test_errors_of_the_program_are_not_the_models_words(tmp_path: Path) -> None:
    chat = files.Chat("error")
    rows = [
        chat.user("hi"),
        chat.answer("API Error: 529", isApiErrorMessage=True, usage=files.usage(1)),
        chat.answer("No response requested.", model="<synthetic>"),
    ]
    reading = read_rows(tmp_path, rows)
    assert (said(reading, "assistant"), reading.usage, reading.session.model) == ([], [], "")


def test_queued_words_are_kept_once(tmp_path: Path) -> None:
    chat = files.Chat("queue")
    rows = [
        chat.user("start"),
        chat.queued("and the tests"),
        chat.user("and the tests", promptSource="queued"),
        chat.user("then commit", promptSource="queued"),
        chat.queued("then commit"),
        chat.queued("<task-notification>x</task-notification>"),
        chat.queued("from a helper", attachment={"origin": {"kind": "agent", "from": "a1"}}),
        chat.queued([{"type": "text", "text": "push"}], uuid=files.make_id("q")),
        chat.user("push"),
    ]
    reading = read_rows(tmp_path, rows)
    assert said(reading) == ["start", "and the tests", "then commit", "push", "push"]
    assert reading.repeated == 2
    assert reading.messages[1].id == read_rows(tmp_path / "copy", rows).messages[1].id
    assert reading.messages[3].id == files.make_id("q")


def test_an_image_is_a_placeholder(tmp_path: Path) -> None:
    chat = files.Chat("image")
    data = "QUJD" * (1 << 20)
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    rows = [
        chat.user([{"type": "text", "text": "see the crash"}, image]),
        chat.result("t", [image, {"type": "text", "text": "ok"}]),
    ]
    reading = read_rows(tmp_path, rows)
    assert [message.text for message in reading.messages] == ["see the crash\n[image png 3 MB]", "[image png 3 MB]\nok"]


def test_reasoning_and_tools_by_the_limits(tmp_path: Path) -> None:
    both = read_rows(tmp_path, files.session_2_1(), limits=Limits(reasoning=True, tools=False))
    assert said(both, "reasoning") == ["the cart rounds twice"]
    assert said(both, "tool_call") + said(both, "tool_result") == []


def test_titles_by_rank(tmp_path: Path) -> None:
    chat = files.Chat("title")
    first = chat.user("a first prompt\nof two lines " + "x" * 100)
    rows: list[Any] = [first]
    reading = read_rows(tmp_path, rows)
    assert (reading.session.title, reading.session.title_rank) == ("a first prompt of two lines " + "x" * 51 + "…", 0)
    rows.append({"type": "summary", "summary": "By summary", "leafUuid": first["uuid"]})
    assert read_rows(tmp_path, rows).session.title == "By summary"
    rows.append({"type": "ai-title", "aiTitle": "By model"})
    assert read_rows(tmp_path, rows).session.title == "By model"
    rows += [{"type": "custom-title", "customTitle": "By me"}, {"type": "ai-title", "aiTitle": "By model again"}]
    reading = read_rows(tmp_path, rows)
    assert (reading.session.title, reading.session.title_rank) == ("By me", 3)


def test_a_summary_that_stands_before_its_leaf(tmp_path: Path) -> None:
    chat = files.Chat("early summary", version="1.0.44")
    first = chat.user("hello")
    rows = [{"type": "summary", "summary": "Found", "leafUuid": first["uuid"]}, first]
    assert read_rows(tmp_path, rows).session.title == "Found"


def test_head_of_unknown_and_empty_lines(tmp_path: Path) -> None:
    chat = files.Chat("drift")
    rows: list[Any] = [{"type": "queue-operation"}, {"type": "file-history-snapshot"}] * 20
    rows += [{"type": "brand-new"}, {}, b'{"torn":', b"   ", b"null", b"[1]", chat.user("real"), chat.answer("yes")]
    reading = read_rows(tmp_path, rows)
    assert [message.text for message in reading.messages] == ["real", "yes"]
    assert (reading.session.title, reading.session.cwd) == ("real", "/home/kim/shop")
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (47, 42, 2, 3)
    assert [(problem.line, problem.kind) for problem in reading.problems] == [
        (43, "bad_json"),
        (45, "bad_record"),
        (46, "bad_record"),
    ]


def test_a_broken_parent_chain_and_odd_fields_lose_nothing(tmp_path: Path) -> None:
    chat = files.Chat("chain")
    rows = [
        chat.user("one", parentUuid="never written"),
        chat.answer("two", gitBranch=7, cwd=["x"], version=None),
        chat.user("three", timestamp="yesterday", uuid=12),
        chat.blocks("four", timestamp=1_772_442_000_000),
    ]
    reading = read_rows(tmp_path, rows, "chain")
    assert [(message.text, message.time) for message in reading.messages] == [
        ("one", files.epoch_ms(1)),
        ("two", files.epoch_ms(2)),
        ("three", 0),
        ("four", 1_772_442_000_000),
    ]
    assert reading.messages[2].id == f"{chat.id}:3"


def test_repeated_lines_are_counted_and_kept_once(tmp_path: Path) -> None:
    chat = files.Chat("twice")
    rows = [chat.user("one"), chat.answer("two")]
    reading = read_rows(tmp_path, [row for row in rows for _ in range(2)])
    assert ([message.text for message in reading.messages], reading.repeated) == (["one", "two"], 2)


def test_one_id_with_two_texts_keeps_both(tmp_path: Path) -> None:
    chat = files.Chat("same id")
    rows = [chat.user("pinkfish", uuid="same"), chat.user("greenfish", uuid="same")]
    assert said(read_rows(tmp_path, rows)) == ["pinkfish", "greenfish"]


def test_a_fork_keeps_ids_and_names_its_parent(tmp_path: Path) -> None:
    parent, child = files.Chat("parent"), files.Chat("child")
    rows = [parent.user("shared"), parent.answer("also shared")]
    copies = [{**row, "sessionId": child.id} for row in rows]
    copies[1]["requestSessionId"] = parent.id
    original = read_rows(tmp_path, rows, "parent")
    fork = read_rows(tmp_path, [*copies, child.user("new")], "child")
    assert [message.identity for message in fork.messages[:2]] == [message.identity for message in original.messages]
    assert (fork.session.parent, fork.session.id, original.session.parent) == (parent.id, child.id, "")


def test_the_id_of_an_odd_name_comes_from_the_lines(tmp_path: Path) -> None:
    chat = files.Chat("odd")
    path = files.write(tmp_path / "small.jsonl", [{"type": "mode", "mode": "x"}, chat.user("hi")])
    assert read(path).session.id == chat.id
    files.write(path, [{"type": "user", "message": {"content": "hi"}}])
    reading = read(path)
    assert (reading.session.id, reading.messages[0].id) == ("small", "small:1")
    files.write(path, [{"type": "user", "message": {"content": "hi"}}, chat.user("more")])
    assert read(path, reading.checkpoint).session.id == "small"


def test_subagent_of_2_1(tmp_path: Path) -> None:
    chat = files.Chat("owner")
    agent = files.Chat("helper", isSidechain=True, agentId="a1", sessionId=chat.id)
    rows = [agent.line("Search for the exporter"), agent.answer("Found it.")]
    path = files.write(tmp_path / "-p" / chat.id / "subagents" / "agent-a1.jsonl", rows)
    files.write(tmp_path / "-p" / f"{chat.id}.jsonl", [chat.user("find the exporter")])
    files.write(tmp_path / "-p" / chat.id / "tool-results" / "x.jsonl", rows)
    files.write(tmp_path / "-p" / chat.id / "copies" / "agent-a1.jsonl", rows)
    files.write(tmp_path / "history.jsonl", rows)
    path.with_suffix(".meta.json").write_text(json.dumps({"agentType": "Explore", "description": "Find exporter"}))
    units = {unit.path.name: unit for unit in found(tmp_path)}
    assert set(units) == {f"{chat.id}.jsonl", "agent-a1.jsonl"}
    unit = units["agent-a1.jsonl"]
    assert (unit.kind, unit.parent, unit.session, unit.others) == (
        "subagent",
        chat.id,
        "agent-a1",
        (path.with_suffix(".meta.json"),),
    )
    reading = ADAPTER.read(unit, None, Limits(), lambda: False)
    assert [(message.role, message.text) for message in reading.messages] == [
        ("note", "Search for the exporter"),
        ("assistant", "Found it."),
    ]
    session = reading.session
    assert (session.id, session.kind, session.parent, session.title) == ("agent-a1", "subagent", chat.id, "Find exporter")
    assert ADAPTER.resume_command(session) == f"cd /home/kim/shop && claude --resume {chat.id}"
    path.with_suffix(".meta.json").write_bytes(b'{"agentType":"Explore"}')
    assert ADAPTER.read(unit, None, Limits(), lambda: False).session.title == "Explore: Search for the exporter"
    path.with_suffix(".meta.json").write_bytes(b"\xff{")
    assert ADAPTER.read(unit, None, Limits(), lambda: False).session.title == "Search for the exporter"


def test_flat_subagents_of_2_0_and_warm_ups(tmp_path: Path) -> None:
    agent = files.Chat("flat", version="2.0.30", isSidechain=True, sessionId=files.make_id("owner"))
    path = files.write(tmp_path / "-p" / "agent-1a2b3c4d.jsonl", [agent.line("Look"), agent.answer("Seen.")])
    (unit,) = found(tmp_path)
    reading = ADAPTER.read(unit, None, Limits(), lambda: False)
    assert (unit.kind, reading.session.parent, said(reading, "note")) == ("subagent", files.make_id("owner"), ["Look"])
    files.write(path, [agent.line("Warmup"), agent.answer("I am ready.", usage=files.usage(7))])
    reading = ADAPTER.read(unit, None, Limits(), lambda: False)
    assert (reading.messages, len(reading.usage), reading.session.title) == ([], 1, "")


def found(root: Path, problems: list[Problem] | None = None) -> list[Unit]:
    report = (lambda problem: None) if problems is None else problems.append
    return sorted(ADAPTER.discover(root, Context(home=SourcesHome(root, {})), report), key=lambda unit: unit.path)


@pytest.mark.skipif(sys.platform == "win32", reason="links as on Unix")
def test_discovery_names_what_it_cannot_take(tmp_path: Path) -> None:
    chat = files.Chat("ok")
    path = files.write(tmp_path / "-p" / f"{chat.id}.jsonl", [chat.user("x")])
    (tmp_path / "-p" / "folder.jsonl").mkdir()
    (tmp_path / "-p" / "loop").symlink_to(tmp_path / "-p", target_is_directory=True)
    (tmp_path / "-p" / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    problems: list[Problem] = []
    assert [unit.path for unit in found(tmp_path, problems)] == [path]
    assert sorted((Path(problem.path).name, problem.kind, problem.agent) for problem in problems) == [
        ("folder.jsonl", "unreadable", "claude_code"),
        ("gone.jsonl", "unreadable", "claude_code"),
    ]
    assert found(tmp_path / "missing") == []


def test_roots(tmp_path: Path) -> None:
    other = tmp_path / ".config" / "claude" / "projects"
    assert ADAPTER.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".claude" / "projects", other]
    moved = SourcesHome(tmp_path, {"CLAUDE_CONFIG_DIR": str(tmp_path / "x")})
    assert ADAPTER.roots(moved) == [tmp_path / "x" / "projects", other]
    same = SourcesHome(tmp_path, {"CLAUDE_CONFIG_DIR": str(tmp_path / ".config" / "claude")})
    assert ADAPTER.roots(same) == [other]


@pytest.mark.parametrize(
    ("cwd", "command"),
    [
        ("/home/kim/my shop", "cd '/home/kim/my shop' && claude --resume {id}"),
        ("/home/kim/$(rm -rf x)'", "cd '/home/kim/$(rm -rf x)'\"'\"'' && claude --resume {id}"),
        ("D:\\桌面\\资料", 'cd /d "D:\\桌面\\资料" && claude --resume {id}'),
        ("", "claude --resume {id}"),
    ],
)
def test_resume_command(cwd: str, command: str) -> None:
    name = files.make_id("r")
    assert ADAPTER.resume_command(Session(id=name, cwd=cwd)) == command.format(id=name)


def test_resume_command_only_for_real_ids() -> None:
    assert ADAPTER.resume_command(Session(id="small; rm -rf ~", cwd="/x")) == ""


def test_one_wild_clock_does_not_stretch_the_session(tmp_path: Path) -> None:
    chat = files.Chat("wild")
    minutes = [0, 2, 4, 6, 8, -480, 10, 12, 14, 16, 18]
    reading = read_rows(tmp_path, [chat.user(f"m{at}", at) for at in minutes])
    assert (reading.session.start, reading.session.end) == (files.epoch_ms(0), files.epoch_ms(18))


@pytest.mark.parametrize(
    ("minutes", "span"),
    [
        ([0, 1, 2], (0, 2)),
        ([0, 1, 1440, 1441], (0, 1441)),
        ([0, 1440], (0, 1440)),
        ([0, 1, 2, 3, 1440], (0, 1440)),
        ([-480, 0, 1, 2, 3], (-480, 3)),
        ([480, 0, 1, 2, 3], (0, 3)),
        ([0, 1, 2, 3, 480, 4, 5], (0, 5)),
        ([0, -480, 1, 2, 3], (0, 3)),
        ([0, 1, 2, 3, -480], (0, 3)),
        ([0, 90, -480, 180, 181, 182], (0, 182)),
        ([], (None, None)),
    ],
)
def test_bounds(minutes: list[int], span: tuple[int | None, int | None]) -> None:
    bounds = Bounds()
    for minute in minutes:
        bounds.add(files.epoch_ms(minute))
    assert bounds.span() == tuple(0 if at is None else files.epoch_ms(at) for at in span)


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=30), st.data())
def test_bounds_of_times_in_order_are_their_ends_however_they_are_read(minutes: list[int], data: st.DataObject) -> None:
    minutes.sort()
    cut = data.draw(st.integers(0, len(minutes)))
    first = Bounds()
    for minute in minutes[:cut]:
        first.add(files.epoch_ms(minute))
    second = Bounds(*first.carry())
    for minute in minutes[cut:]:
        second.add(files.epoch_ms(minute))
    assert second.span() == (files.epoch_ms(minutes[0]), files.epoch_ms(minutes[-1]))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-02T09:00:00.000Z", files.epoch_ms(0)),
        ("2026-03-02T17:00:00+08:00", files.epoch_ms(0)),
        ("2026-03-02T09:00:00", files.epoch_ms(0)),
        (files.epoch_ms(0), files.epoch_ms(0)),
        (files.epoch_ms(0) / 1000, files.epoch_ms(0)),
        ("0001-01-01T00:00:00Z", 0),
        ("soon", 0),
        (True, 0),
        (-5, 0),
        (1e300, 0),
        (None, 0),
        ([], 0),
    ],
)
def test_milliseconds(value: object, expected: int) -> None:
    assert milliseconds(value) == expected


def test_empty_files_are_not_ready_and_a_stop_is_obeyed(tmp_path: Path) -> None:
    for name, data in (("a.jsonl", b""), ("b.jsonl", b"\n\n  \n"), ("c.jsonl", b'{"type":"user"')):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(NotReady):
            read(tmp_path / name)
    chat = files.Chat("long")
    path = files.write(tmp_path / "d.jsonl", [chat.user(f"m{at}") for at in range(500)])
    with pytest.raises(Stopped):
        ADAPTER.read(unit_of(path), None, Limits(), lambda: True)


def test_a_checkpoint_of_another_program_version_starts_a_fresh_memory(tmp_path: Path) -> None:
    chat = files.Chat("state")
    path = files.write(tmp_path / f"{chat.id}.jsonl", [chat.user("one")])
    checkpoint = read(path).checkpoint
    assert checkpoint is not None
    with path.open("ab") as stream:
        stream.write(files.encode([chat.user("two")]))
    for state in (b"", b"\xc1", msgspec.msgpack.encode({"session": 5})):
        reading = read(path, msgspec.structs.replace(checkpoint, state=state))
        assert (said(reading), reading.session.cwd) == (["two"], "/home/kim/shop")


VALID = files.encode([*files.session_2_1(), *files.session_1_0()])


@given(data=st.binary(max_size=400))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    harmless(tmp_path_factory, data)


@given(st.data())
def test_mutations_of_a_valid_file(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    changed = bytearray(VALID)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(changed)))
        changed[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=8))
    harmless(tmp_path_factory, bytes(changed))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "content", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.data())
def test_any_shape_of_the_fields_that_are_used(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    rows = [row for row in files.session_2_1() + files.session_1_0() if isinstance(row, dict)]
    row = json.loads(json.dumps(data.draw(st.sampled_from(rows))))
    inner = row
    for part in ("message", "attachment"):
        if isinstance(row.get(part), dict) and data.draw(st.booleans()):
            inner = row[part]
    if isinstance(inner.get("content"), list) and data.draw(st.booleans()):
        inner = inner["content"][0]
    inner[data.draw(st.sampled_from(sorted(inner)))] = data.draw(JSON)
    harmless(tmp_path_factory, files.encode([row]))


def harmless(folders: pytest.TempPathFactory, data: bytes) -> None:
    """Reading gives a result or one of the named errors, and nothing that a database would refuse."""
    path = folders.getbasetemp() / "fuzz.jsonl"
    path.write_bytes(data)
    for limits in (Limits(), Limits(reasoning=True, file_chars=50, line_bytes=200)):
        try:
            reading = read(path, limits=limits)
        except NotReady:
            continue
        for message in reading.messages:
            message.text.encode()
            message.id.encode()
        assert reading.recognised + reading.unknown <= reading.records
        if reading.checkpoint is not None:
            assert read(path, reading.checkpoint, limits).messages == []
