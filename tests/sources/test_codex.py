"""What is said in Codex' files of all generations, once each, and nothing that Codex put there itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from data import codex_files as made
from data.codex_files import CODEX, GENERATIONS, read, said, written

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Context, Limits, Session, Unit, Usage
from tray_app.sources.codex_words import person_words

NOT_SAID = [
    "sysprompty",
    "agentsfileword",
    "envword",
    "developerword",
    "unknownwrapperword",
    "noticeword",
    "hook",
    "harnessword",
    "turncontextword",
    "worldstateword",
    "replayedword",
]


def found_in(home: Path, root: Path | None = None) -> list[Unit]:
    problems: list[Problem] = []
    context = Context(home=SourcesHome(home, {}, confined=True))
    units = sorted(CODEX.discover(root or home / ".codex", context, problems.append), key=lambda unit: str(unit.path))
    assert problems == []
    return units


# --- the three generations -------------------------------------------------------------------------------------------
def test_generation_a(tmp_path: Path) -> None:
    reading = read(written(tmp_path, made.generation_a()), Limits(reasoning=True))
    assert said(reading) == [
        ("user", "prune the pear tree"),
        ("reasoning", "thinking of pears"),
        ("tool_call", "ls trees"),
        ("tool_result", "pear\nplum\n"),
        ("assistant", "the pear is pruned"),
        ("user", "go on"),
        ("user", "go on"),
    ]
    assert reading.session == Session(
        id=made.SESSION,
        cwd=made.CWD,
        title="prune the pear tree",
        start=made.millis(0),
        end=made.millis(0),
        branch="old",
    )
    assert [message.time for message in reading.messages] == [made.millis(0)] * 7
    assert [message.id for message in reading.messages] == [
        f"{made.SESSION}:0", "rs_1", "fc_1", "call_a", f"{made.SESSION}:4", f"{made.SESSION}:5", f"{made.SESSION}:6",
    ]  # fmt: skip
    assert (reading.records, reading.recognised, reading.skipped, reading.unknown) == (11, 11, 0, 0)


def test_generation_b(tmp_path: Path) -> None:
    reading = read(written(tmp_path, made.generation_b()))
    assert said(reading) == [
        ("user", "water the quince"),
        ("tool_call", "cat quince.txt"),
        ("tool_result", "dry soil"),
        ("assistant", "the quince is watered"),
        ("user", "go on"),
        ("assistant", "more water"),
        ("user", "go on"),
        ("assistant", "enough water"),
    ]
    assert [message.seq for message in reading.messages] == list(range(8))
    assert (reading.session.model, reading.session.version, reading.session.branch) == ("gpt-6-codex", "0.104.0", "main")
    first, asked, answered, *_ = reading.messages
    assert (first.id, first.identity, first.time) == (f"{made.SESSION}:0", f"{made.millis(2)}:user", made.millis(2))
    assert (asked.id, asked.identity, asked.tool) == ("call_b", "call_b:call", "exec_command")
    assert (answered.id, answered.identity, answered.tool) == ("call_b", "call_b:result", "exec_command")
    assert reading.usage == [
        Usage(
            key=f"{made.millis(4)}:110",
            time=made.millis(4),
            model="gpt-6-codex",
            input=60,
            output=10,
            cache_read=40,
        ),
        Usage(
            key=f"{made.millis(10)}:155",
            time=made.millis(10),
            model="gpt-6-codex",
            input=50,
            output=5,
            cache_read=0,
        ),
    ]
    assert reading.unknown == 0


def test_generation_c(tmp_path: Path) -> None:
    reading = read(written(tmp_path, made.generation_c()))
    assert said(reading) == [
        ("user", "graft the apple"),
        ("assistant", "the apple is grafted"),
        ("summary", "Summary: an apple was grafted."),
        ("tool_call", "*** Begin Patch\n*** Update File: tree/apple.py\n*** End Patch"),
        ("tool_result", "patched"),
        ("assistant", "all done"),
    ]
    assert [message.id for message in reading.messages] == ["msg_1", "msg_2", "msg_3", "call_c", "call_c", "msg_4"]
    assert reading.messages[3].files == ("tree/apple.py",)
    assert reading.session.model == "gpt-6-mini"
    assert [(usage.key, usage.input, usage.cache_read, usage.cache_write) for usage in reading.usage] == [("resp_1", 115, 7, 0)]


@pytest.mark.parametrize("generation", GENERATIONS)
def test_nothing_injected_is_read(tmp_path: Path, generation: str) -> None:
    reading = read(written(tmp_path, GENERATIONS[generation]()), Limits(reasoning=True))
    everything = " ".join(message.text for message in reading.messages)
    assert [word for word in NOT_SAID if word in everything] == []


def test_first_program_of_all_left_one_document(tmp_path: Path) -> None:
    document = {
        "session": {"timestamp": made.stamp(0), "id": "ts-1", "instructions": made.SYSTEM},
        "items": [
            {"type": "message", "role": "user", "content": [made.block("user", "plant a plum")]},
            {"type": "local_shell_call", "id": "ls_1", "call_id": "c1", "action": {"type": "exec", "command": ["ls", "a b"]}},
            {"type": "message", "id": "m2", "role": "assistant", "content": [made.block("assistant", "planted")]},
        ],
    }
    path = tmp_path / "rollout-2025-04-20-ts-1.json"
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    reading = read(path)
    assert said(reading) == [("user", "plant a plum"), ("tool_call", "ls 'a b'"), ("assistant", "planted")]
    assert (reading.session.id, reading.session.start, reading.checkpoint) == ("ts-1", made.millis(0), None)


# --- two copies of everything ----------------------------------------------------------------------------------------
TALK = [("user", "ask"), ("assistant", "one"), ("user", "go on"), ("assistant", "two"), ("user", "go on"), ("assistant", "x")]


@pytest.mark.parametrize("kinds", ["ie", "ei", "i", "e", "c"])
def test_each_message_once_whichever_copies_are_written(tmp_path: Path, kinds: str) -> None:
    makers = {"i": made.item, "e": made.event, "c": made.completed}
    rows = [made.meta()]
    for second, (role, text) in enumerate(TALK, 1):
        rows += [makers[kind](second, role, text) for kind in kinds]
    assert said(read(written(tmp_path, rows))) == TALK


def test_a_damaged_item_is_replaced_by_its_event(tmp_path: Path) -> None:
    path = written(tmp_path, made.generation_b())
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines):
        if b"response_item" in line and (b"water the quince" in line or b"more water" in line):
            lines[number] = line[:50]
    path.write_bytes(b"\n".join(lines))
    reading = read(path)
    texts = said(reading)
    assert ("user", "water the quince") in texts and ("assistant", "more water") in texts
    assert len(texts) == 8
    assert reading.skipped == 2


def test_lines_written_twice_count_once_and_real_repeats_stay(tmp_path: Path) -> None:
    doubled = [line for line in made.generation_b() for _ in range(2)]
    once = read(written(tmp_path / "one", made.generation_b()))
    twice = read(written(tmp_path / "two", doubled))
    assert said(twice) == said(once)
    assert twice.usage == once.usage
    assert twice.repeated == 16


# --- the person's words ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  plain  ", "plain"),
        (made.AGENTS, ""),
        (made.ENVIRONMENT, ""),
        (made.AGENTS + made.ENVIRONMENT + "\nreal", "real"),
        ("<environment_context>never closed", ""),
        ("<user_instructions>a </user_instructions> b</user_instructions>", ""),
        ("<permissions instructions>x</permissions instructions>", ""),
        ("<turn_aborted>x</turn_aborted>", ""),
        ('<skill name="a">x</skill>then do it', "then do it"),
        (made.HANDOVER + "rest", ""),
        ("# Context from my IDE setup:\nopen tabs: a.py\n\n## My request for Codex:\nrename it", "rename it"),
        ("# Context from my IDE setup:\nopen tabs: a.py", ""),
        ("# My own heading\ntext", "# My own heading\ntext"),
        ("<div>mine</div>", "<div>mine</div>"),
        ("<skillful>mine", "<skillful>mine"),
        ("<image name=[Image #1]>", ""),
    ],
)
def test_person_words(text: str, words: str) -> None:
    assert person_words(text) == words


def test_title_is_the_real_request(tmp_path: Path) -> None:
    wrapped = "# Context from my IDE setup:\ntabs\n\n## My request for Codex:\nrealask " + "very " * 60
    reading = read(written(tmp_path, [made.meta(), made.item(1, "user", made.AGENTS), made.item(2, "user", wrapped)]))
    assert reading.session.title.startswith("realask very very")
    assert len(reading.session.title) <= 120 and reading.session.title.endswith("…")


def test_title_from_the_index_and_from_the_file(tmp_path: Path) -> None:
    home = tmp_path / ".codex"
    named = made.row(9, "event_msg", {"type": "thread_name_updated", "thread_name": "Named in file"})
    path = written(home, [*made.generation_c(), named])
    session = read(path, root=home).session
    assert (session.title, session.title_rank) == ("Named in file", 2)
    index = home / "session_index.jsonl"
    index.write_text(f'broken\n{{"id":"{made.SESSION}","thread_name":"Orchard work"}}\n{{"id":5}}\n', encoding="utf-8")
    session = read(path, root=home).session
    assert (session.title, session.title_rank) == ("Orchard work", 2)


# --- tools -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"command": ["bash", "-lc", "ls -la"]}, "ls -la"),
        ({"command": ["git", "commit", "-m", "a b"]}, "git commit -m 'a b'"),
        ({"command": ["apply_patch", "*** Begin Patch"]}, "*** Begin Patch"),
        ({"cmd": "make", "workdir": "/x"}, "make"),
        ({"query": "pears"}, "pears"),
        ({"path": "a.py", "lines": [1, 2]}, "path: a.py\nlines: [1,2]"),
        ({}, "some_tool"),
    ],
)
def test_call_text(tmp_path: Path, arguments: made.Row, text: str) -> None:
    reading = read(written(tmp_path, [made.meta(), made.call(1, "c", "some_tool", arguments)]))
    assert said(reading) == [("tool_call", text)]


@pytest.mark.parametrize("output", ["out", [{"type": "input_text", "text": "out"}], {"content": "out", "success": True}])
def test_result_text(tmp_path: Path, output: Any) -> None:
    reading = read(written(tmp_path, [made.meta(), made.call(1, "c", "t", {"cmd": "x"}), made.result(2, "c", output)]))
    assert said(reading)[1] == ("tool_result", "out")


def test_own_recall_tools_and_switches(tmp_path: Path) -> None:
    rows = [
        made.meta(),
        made.item(1, "user", "look it up"),
        made.call(2, "own", "mcp__backscroll__search", {"query": "echo"}),
        made.result(3, "own", "echo of old talk"),
        made.call(4, "other", "read_file", {"path": "a.py"}),
        made.result(5, "other", "z" * 9000),
    ]
    path = written(tmp_path, rows)
    reading = read(path)
    assert [message.role for message in reading.messages] == ["user", "tool_call", "tool_result"]
    assert reading.messages[1].files == ("a.py",)
    assert len(reading.messages[2].text) <= 4000
    assert said(read(path, Limits(tools=False))) == [("user", "look it up")]


@pytest.mark.parametrize(
    ("tool", "more"), [("mcp__backscroll__handoff_pack", {}), ("handoff_pack", {"namespace": "mcp__backscroll"})]
)
def test_that_the_pack_was_asked_for_is_kept(tmp_path: Path, tool: str, more: made.Row) -> None:
    asked = made.call(2, "own", tool, {"project": "shop"})
    asked["payload"] |= more
    rows = [made.meta(), made.item(1, "user", "go on"), asked, made.result(3, "own", "INJECTED pack")]
    path = written(tmp_path, rows)
    (_, call) = read(path).messages
    assert (call.role, call.tool, call.text) == ("tool_call", "mcp__backscroll__handoff_pack", "shop")
    assert said(read(path, Limits(tools=False))) == [("user", "go on")]


def test_messages_between_agents(tmp_path: Path) -> None:
    def between(second: int, content: Any) -> made.Row:
        payload = {"type": "agent_message", "id": f"a{second}", "author": "root", "content": content}
        return made.row(second, "response_item", payload)

    hidden = [{"type": "encrypted_content", "encrypted_content": "gAAAAB"}]
    rows = [made.meta(), between(1, "gAAAAABsecret"), between(2, hidden), between(3, [made.block("user", "look at the roots")])]
    assert said(read(written(tmp_path, rows))) == [("note", "look at the roots")]


def test_compaction(tmp_path: Path) -> None:
    rows = [made.meta(), made.item(1, "user", "start"), made.event(1, "user", "start")]
    for second in range(2, 60, 2):
        rows += [made.compacted(second, f"summary {second}"), made.context(second), made.compacted(second, "")]
    reading = read(written(tmp_path, rows))
    assert said(reading) == [("user", "start"), *(("summary", f"summary {second}") for second in range(2, 60, 2))]


# --- identity and lineage -----------------------------------------------------------------------------------------------
def test_fork_keeps_its_own_id_and_names_its_parent(tmp_path: Path) -> None:
    copied = made.generation_c()[1:]
    rows = [made.meta(forked_from_id=made.PARENT), made.meta(made.PARENT), *copied, made.reply(20, "msg_9", "only here")]
    fork, parent = read(written(tmp_path, rows)), read(written(tmp_path, [made.meta(made.PARENT), *copied], made.PARENT))
    assert (fork.session.id, fork.session.parent, fork.session.kind) == (made.SESSION, made.PARENT, "main")
    assert [message.identity for message in fork.messages[:-1]] == [message.identity for message in parent.messages]
    assert fork.messages[-1].id == "msg_9"


def test_fork_whose_own_header_is_torn(tmp_path: Path) -> None:
    path = written(tmp_path, [made.meta(), made.meta(made.PARENT), made.item(1, "user", "hello")])
    head, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(head[:60] + b"\n" + rest)
    session = read(path).session
    assert (session.id, session.cwd, session.parent) == (made.SESSION, "", made.PARENT)


def test_torn_header(tmp_path: Path) -> None:
    path = written(tmp_path, made.generation_b())
    head, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(head[:60] + b"\n" + rest)
    reading = read(path)
    assert len(reading.messages) == 8
    assert [(problem.line, problem.kind) for problem in reading.problems] == [(1, "torn_header")]
    assert reading.session.id == made.SESSION


@pytest.mark.parametrize(
    "fields",
    [
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": made.PARENT, "depth": 1}}}},
        {"thread_source": "subagent", "parent_thread_id": made.PARENT},
    ],
)
def test_subagent(tmp_path: Path, fields: made.Row) -> None:
    reading = read(written(tmp_path, [made.meta(**fields), made.item(1, "user", "check the roots")]))
    assert (reading.session.kind, reading.session.parent) == ("subagent", made.PARENT)
    assert said(reading) == [("note", "check the roots")]  # the parent's model wrote it
    assert reading.session.title == "check the roots"


@pytest.mark.parametrize(
    ("session", "command"),
    [
        (Session(id="abc", cwd="/home/u/my project"), "cd '/home/u/my project' && codex resume abc"),
        (Session(id="abc"), "codex resume abc"),
        (Session(id="abc", cwd="C:\\Users\\u\\my project"), 'cd /d "C:\\Users\\u\\my project" && codex resume abc'),
        (Session(id="abc", cwd='C:\\x" & calc & "'), "codex resume abc"),
        (Session(id="abc", cwd="/x", archived=True), "cd /x && codex unarchive abc && codex resume abc"),
        (Session(id="a; rm -rf ~", cwd="/x'$(id)"), "cd '/x'\"'\"'$(id)' && codex resume 'a; rm -rf ~'"),
        (Session(id="abc", cwd="-x"), "cd ./-x && codex resume abc"),
        (Session(id=""), ""),
    ],
)
def test_resume_command(session: Session, command: str) -> None:
    assert CODEX.resume_command(session) == command


# --- finding files -----------------------------------------------------------------------------------------------------
def test_discover(tmp_path: Path) -> None:
    import zstandard

    home = tmp_path / ".codex"
    plain = written(home, made.generation_c())
    packed = made.rollout(home, made.PARENT, ".jsonl.zst")
    packed.write_bytes(zstandard.ZstdCompressor().compress(made.encode([made.meta(made.PARENT), made.item(1, "user", "cold")])))
    made.rollout(home, made.SESSION, ".jsonl.zst").write_bytes(b"")
    made.rollout(home, "0199c0de-3333-7abc-8def-000000000003", folder="archived_sessions").write_bytes(b"")
    (home / "sessions" / "old.json").write_bytes(b"{}")
    (home / "sessions" / "notes.txt").write_bytes(b"")
    (home / "history.jsonl").write_bytes(b"{}")
    units = found_in(tmp_path)
    assert [(unit.session, unit.preference, unit.archived) for unit in units] == [
        ("0199c0de-3333-7abc-8def-000000000003", 2, True),
        (made.SESSION, 3, False),
        (made.SESSION, 1, False),
        (made.PARENT, 1, False),
        ("old", 3, False),
    ]
    assert [unit.path for unit in units if unit.session == made.PARENT] == [packed]
    cold = CODEX.read(units[3], None, Limits(), lambda: False)
    assert (said(cold), cold.session.id, cold.checkpoint) == ([("user", "cold")], made.PARENT, None)
    assert [unit.path for unit in found_in(tmp_path, plain.parent)][:1] == [plain]


def test_roots(tmp_path: Path) -> None:
    assert CODEX.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".codex"]
    assert CODEX.roots(SourcesHome(tmp_path, {"CODEX_HOME": str(tmp_path / "c")})) == [tmp_path / "c"]
    assert found_in(tmp_path) == []
