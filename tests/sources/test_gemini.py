"""Gemini CLI: what its records say, what changes earlier ones, and where files are found."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from data import gemini_files as made
from data.gemini_files import answer, header, millis, read, read_rows, said, user

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources import gemini_document
from tray_app.sources.base import Context, Limits, NotReady, Session, Stopped, Usage
from tray_app.sources.gemini import GeminiCliAdapter
from tray_app.sources.gemini_folders import folder_of

ADAPTER = GeminiCliAdapter()

TALK = [
    ("user", "count the 苹果 trees"),
    ("assistant", "I look."),
    ("tool_call", "ls orchard"),
    ("tool_result", "apple\npear"),
    ("assistant", "There are two."),
    ("user", "water them"),
    ("assistant", "Watered."),
    ("note", "/chat save INJECTED-NOT the orchard"),
]


def rows_read(folder: Path, rows: list[Any], limits: Limits | None = None, **more: Any) -> Any:
    return read_rows(ADAPTER, folder / made.NAME, rows, limits, **more)


def test_a_session(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, made.talk())
    assert said(reading) == TALK
    assert reading.session == Session(
        id=made.SESSION,
        cwd=made.CWD,
        title="Counting apple trees",
        title_rank=2,
        start=millis(0),
        end=millis(23),
        model=made.MODEL,
    )
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (17, 17, 0, 0)
    asked, result = reading.messages[2:4]
    assert (asked.id, asked.identity, asked.tool) == (
        "list-0001-0001-0001", "list-0001-0001-0001:call", "run_shell_command",
    )  # fmt: skip
    assert (result.id, result.identity, result.tool) == (asked.id, "list-0001-0001-0001:result", "run_shell_command")
    assert [message.seq for message in reading.messages] == list(range(8))
    first = made.encode(made.talk()).index(b'{"id": "u1')
    assert reading.messages[0].offset == first
    assert reading.usage == [
        Usage(key="g1-0000-0000-0000-0000", time=millis(11), model=made.MODEL, input=60, output=25, cache_read=40),
        Usage(key="g2-0000-0000-0000-0000", time=millis(14), model=made.MODEL, input=60, output=8, cache_read=90),
    ]


def test_thoughts_only_when_wanted(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, made.talk(), Limits(reasoning=True))
    assert said(reading)[1] == ("reasoning", "Trees\nTHOUGHT about trees")
    assert said(rows_read(tmp_path, made.talk(), Limits(tools=False))) == [one for one in TALK if "tool" not in one[0]]


def test_the_same_id_again_the_last_wins(tmp_path: Path) -> None:
    rows = [header(), user("u", "first words", 1), answer("g", "draft", 2), user("u2", "more", 3), answer("g", "final", 2)]
    assert said(rows_read(tmp_path, rows)) == [("user", "first words"), ("assistant", "final"), ("user", "more")]


def test_rewind_takes_out_what_follows(tmp_path: Path) -> None:
    rows = [header(), user("u1", "keep", 1), answer("g1", "kept", 2), user("u2", "undo", 3), answer("g2", "undone", 4)]
    rows += [{"$rewindTo": "u2"}, user("u3", "instead", 5), {"$rewindTo": "nobody"}]
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "keep"), ("assistant", "kept"), ("user", "instead")]
    assert reading.session.end == millis(5)


def test_set_messages_changes_and_adds_but_takes_nothing_out(tmp_path: Path) -> None:
    snapshot = "<state_snapshot>the orchard is counted</state_snapshot>"
    rows = [
        header(),
        user("u1", "long ago", 1),
        answer("g1", "answered", 2),
        user("u2", "masked", 3),
        answer("g2", "newest", 4),
        {
            "$set": {
                "messages": [
                    user("s", snapshot, 9),
                    answer("k", "Got it. Thanks for the additional context!", 9),
                    user("u2", "unmasked", 3),
                    answer("other-id", "newest", 4),
                ]
            }
        },
        answer("other-id", "newest, again", 4),
    ]
    assert said(rows_read(tmp_path, rows)) == [
        ("user", "long ago"),
        ("assistant", "answered"),
        ("summary", snapshot),
        ("user", "unmasked"),
        ("assistant", "newest, again"),
    ]


def test_masked_tool_results_stay_as_they_were(tmp_path: Path) -> None:
    full = answer("g", "look", 2, toolCalls=[made.call("c", "t", {"command": "ls"}, "the whole output")])
    masked = answer("g", "look again", 2, toolCalls=[made.call("c", "t", {"command": "ls"}, "[masked]")])
    reading = rows_read(tmp_path, [header(), full, {"$set": {"messages": [masked]}}])
    assert said(reading) == [("assistant", "look again"), ("tool_call", "ls"), ("tool_result", "the whole output")]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("  plain  ", [("user", "plain")]),
        (made.CONTEXT, []),
        (made.CONTEXT + "\nand my words", [("user", "and my words")]),
        ("<hook_context>x</hook_context> do it", [("user", "do it")]),
        ("Here is the user's editor context as a JSON object: {}", []),
        ("/stats", []),
        ("/var/x is broken", [("user", "/var/x is broken")]),
        ([{"text": "see @a.py"}, {"text": "\n--- Content from referenced files ---"}, {"text": "secret body"}], [("user", "see @a.py")]),
        ([{"text": "look"}, {"inlineData": {"mimeType": "image/png", "data": "A" * 4096}}], [("user", "look\n[image png 3 KB]")]),
        ({"text": "one part"}, [("user", "one part")]),
        ([5, None, ["x"], {"text": "odd parts"}], [("user", "odd parts")]),
        ("", []),
    ],
)  # fmt: skip
def test_the_persons_words(tmp_path: Path, content: Any, expected: list[tuple[str, str]]) -> None:
    assert said(rows_read(tmp_path, [header(), user("u", content, 1)])) == expected


def test_what_was_typed_is_preferred_to_what_was_sent(tmp_path: Path) -> None:
    row = user("u", "expanded INJECTED text", 1, displayContent=[{"text": "typed"}])
    assert said(rows_read(tmp_path, [header(), row])) == [("user", "typed")]


def test_our_own_tools_and_their_results_are_left_out(tmp_path: Path) -> None:
    ours = [
        made.call("a", "mcp_backscroll_recall", {"query": "INJECTED"}, "INJECTED"),
        made.call("b", "recall", {"query": "INJECTED"}, displayName="recall (backscroll MCP Server)"),
    ]
    rows = [header(), answer("g", "ok", 1, toolCalls=ours), user("r", [made.response("b", "recall", "INJECTED")], 2)]
    assert said(rows_read(tmp_path, rows)) == [("assistant", "ok")]


@pytest.mark.parametrize(
    ("tool", "more"),
    [("mcp_backscroll_handoff_pack", {}), ("handoff_pack", {"displayName": "handoff_pack (backscroll MCP Server)"})],
)
def test_that_the_pack_was_asked_for_is_kept(tmp_path: Path, tool: str, more: dict[str, str]) -> None:
    ours = [made.call("a", tool, {"project": "shop"}, "INJECTED", **more)]
    rows = [header(), answer("g", "ok", 1, toolCalls=ours), user("r", [made.response("a", tool, "INJECTED")], 2)]
    reading = rows_read(tmp_path, rows)
    assert [(message.role, message.tool, message.text) for message in reading.messages] == [
        ("assistant", "", "ok"),
        ("tool_call", tool, "project: shop"),
    ]


def test_chats_with_people_keep_their_arguments(tmp_path: Path) -> None:
    calls = [
        made.call("a", "slack_send_message", {"text": "hi"}, "sent"),
        made.call("b", "slack_list_messages", {"n": 1}, "y" * 9000),
        made.call("c", "ls", {"path": "x"}, "z"),
    ]
    chats = Limits(tools=False, bridges=("send:*slack*send*", "receive:*slack*list*"))
    messages = rows_read(tmp_path, [header(), answer("g", "", 1, toolCalls=calls)], chats).messages
    assert [(message.tool, message.arguments, len(message.text)) for message in messages] == [
        ("slack_send_message", '{"text": "hi"}', 8),
        ("slack_send_message", "", 4),
        ("slack_list_messages", '{"n": 1}', 4),
        ("slack_list_messages", "", 9000),
    ]


def test_tool_results_of_every_kind(tmp_path: Path) -> None:
    calls = [
        {"id": "a", "name": "t", "args": {}, "result": [{"functionResponse": {"id": "a", "response": {"error": "no such file"}}}]},
        {"id": "b", "name": "t", "args": {"file_path": "x.py"}, "result": [{"text": "plain"}]},
        {"id": "c", "name": "t", "args": {"n": 1}, "result": None, "resultDisplay": "shown"},
        {"id": "d", "name": "t", "args": {}, "result": [made.response("d", "t", "mine"), made.response("e", "t", "another's")]},
        {"name": "t", "args": {"b": [1, 2]}, "resultDisplay": {"fileDiff": "x"}},
    ]  # fmt: skip
    reading = rows_read(
        tmp_path, [header(), answer("g", "", 1, toolCalls=calls), user("r", [made.response("a", "t", "again")], 2)]
    )
    assert said(reading) == [
        ("tool_call", "t"),
        ("tool_result", "no such file"),
        ("tool_call", "x.py"),
        ("tool_result", "plain"),
        ("tool_call", "n: 1"),
        ("tool_result", "shown"),
        ("tool_call", "t"),
        ("tool_result", "mine"),
        ("tool_call", "b: [1, 2]"),
    ]
    assert reading.messages[2].files == ("x.py",)
    long = made.call("z", "t", {"command": "x" * 9000}, "y" * 9000)
    cut = rows_read(tmp_path, [header(), answer("g", "", 1, toolCalls=[long])])
    assert [len(message.text) for message in cut.messages] == [4000, 4000]


def test_sub_agents(tmp_path: Path) -> None:
    rows = [header(sessionId="worker-1", kind="subagent"), user("u", "find the pears", 1), answer("g", "found", 2)]
    path = tmp_path / "chats" / made.SESSION / "worker-1.jsonl"
    reading = read_rows(ADAPTER, path, rows, kind="subagent", parent=made.SESSION)
    assert said(reading) == [("note", "find the pears"), ("assistant", "found")]
    session = reading.session
    assert (session.id, session.parent, session.kind, session.title) == ("worker-1", made.SESSION, "subagent", "find the pears")
    older = rows_read(tmp_path, [header(kind="subagent"), user("u", "find the pears", 1)])
    assert (older.session.id, older.session.parent) == (made.NAME[:-6], made.SESSION)
    assert ADAPTER.resume_command(older.session) == f"gemini --resume {made.SESSION}"


def test_odd_lines(tmp_path: Path) -> None:
    rows: list[Any] = [header(), b"null", b"[]", b"12", b"{", {"id": "x", "type": "novel"}, {"foo": 1}, user("u", "after", 1)]
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "after")]
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (8, 2, 2, 4)
    assert reading.unknown_kinds == {"novel": 1, "?": 1}
    assert [problem.kind for problem in reading.problems] == ["bad_record"] * 3 + ["bad_json"]


def test_a_damaged_header_is_told(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, [b'{"sessionId": "1f0c', user("u", "still here", 1)])
    assert (said(reading), reading.session.id) == ([("user", "still here")], made.NAME[:-6])
    assert [problem.kind for problem in reading.problems] == ["torn_header"]
    resumed = rows_read(tmp_path, [b'{"sessionId": "1f0c', {"$set": {"sessionId": made.SESSION}}, user("u", "still here", 1)])
    assert (resumed.session.id, [problem.kind for problem in resumed.problems]) == (made.SESSION, ["torn_header"])


def test_more_text_than_may_be_given(tmp_path: Path) -> None:
    rows = [header(), *(user(f"u{number}", f"{number:03d}" + "x" * 97, number) for number in range(20))]
    reading = rows_read(tmp_path, rows, Limits(file_chars=350))
    assert [message.text[:3] for message in reading.messages] == ["017", "018", "019"]
    assert [message.seq for message in reading.messages] == [17, 18, 19]
    assert reading.truncated


def test_not_ready_and_stopped(tmp_path: Path) -> None:
    path = tmp_path / made.NAME
    for data in (b"", b"\n\n", b'{"sessionId":'):
        path.write_bytes(data)
        with pytest.raises(NotReady):
            read(ADAPTER, path)
    path.write_bytes(made.encode([{"$set": {"lastUpdated": "x"}}] * 400))
    with pytest.raises(Stopped):
        ADAPTER.read(made.unit_of(ADAPTER, path), None, Limits(), lambda: True)


# --- documents ----------------------------------------------------------------------------------------------------------
def document(path: Path, content: Any) -> Any:
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content, indent=2).encode())
    return read(ADAPTER, path)


def test_a_document(tmp_path: Path) -> None:
    facts = {name: value for name, value in header(summary="Counting").items() if name != "kind"}
    rows = [user("u", "hello", 1), answer("g", "hi", 2, tokens=made.tokens(10, 5, 4)), {"type": "info", "content": "INJECTED"}]
    reading = document(tmp_path / "session-a.json", {**facts, "messages": [*rows, {"type": "novel"}, 5]})
    assert said(reading) == [("user", "hello"), ("assistant", "hi")]
    assert (reading.session.id, reading.session.title, reading.session.start) == (made.SESSION, "Counting", millis(0))
    assert (reading.checkpoint, reading.resumed) == (None, False)
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (5, 3, 1, 1)
    assert [(one.key, one.input, one.output, one.cache_read) for one in reading.usage] == [("g", 6, 5, 4)]
    parts = [{"role": "user", "parts": [{"text": "old"}], "ts": 1_775_034_001}, {"role": "model", "parts": [{"text": "older"}]}]
    older = document(tmp_path / "session-b.json", {"history": parts, "meta": {"model": "m"}, "start_time": made.stamp(0)})
    assert said(older) == [("user", "old"), ("assistant", "older")]
    assert (older.session.model, older.session.start, older.session.end) == ("m", millis(0), millis(1))


def test_documents_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "session-a.json"
    for data in (b"", b" \n", b'{"sessionId": "x", "messages": [{"id"', b"[1, 2"):
        with pytest.raises(NotReady):
            document(path, data)
    for data in (b"{}", b'{"messages": 5}', b'[{"a": 1}', b'{"messages": [' + b"[" * 9000 + b"}"):
        reading = document(path, data)
        assert ([problem.kind for problem in reading.problems], reading.records, reading.recognised) == (["bad_json"], 1, 0)
    monkeypatch.setattr(gemini_document, "DOCUMENT_BYTES", 10)
    assert [problem.kind for problem in document(path, {"messages": []}).problems] == ["over_budget"]
    monkeypatch.undo()
    many = {"messages": [user(f"u{number}", "x", 1) for number in range(400)]}
    path.write_text(json.dumps(many), encoding="utf-8")
    with pytest.raises(Stopped):
        ADAPTER.read(made.unit_of(ADAPTER, path), None, Limits(), lambda: True)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_documents_saved_by_an_editor(tmp_path: Path, encoding: str) -> None:
    text = json.dumps({"sessionId": "s", "messages": [user("u", "编辑过", 1)]}, ensure_ascii=False)
    assert said(document(tmp_path / "session-a.json", text.encode(encoding))) == [("user", "编辑过")]


# --- files and folders ------------------------------------------------------------------------------------------------------
def test_discovery(tmp_path: Path) -> None:
    root = tmp_path / "tmp"
    wanted = [
        f"orchard/chats/{made.NAME}",
        "orchard/chats/session-2025-01-01T00-00-aaaaaaaa.json",
        f"orchard/chats/{made.SESSION}/worker-1.jsonl",
    ]
    for name in [*wanted, "orchard/logs.json", "orchard/checkpoints/a.json", "orchard/chats/notes.txt", "orchard/other.json"]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    problems: list[Problem] = []
    home = SourcesHome(tmp_path, {})
    units = {
        str(unit.path.relative_to(root).as_posix()): unit
        for unit in ADAPTER.discover(root, Context(home=home), problems.append)
    }
    assert sorted(units) == sorted(wanted)
    assert problems == []
    side = units[wanted[2]]
    assert (side.kind, side.parent, side.session) == ("subagent", made.SESSION, "worker-1")
    main = units[wanted[0]]
    assert (main.kind, main.session, main.preference, main.size) == ("main", made.NAME[:-6], 1, 2)


def test_roots(tmp_path: Path) -> None:
    assert ADAPTER.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".gemini" / "tmp"]
    moved = SourcesHome(tmp_path, {"GEMINI_CLI_HOME": str(tmp_path / "moved")})
    assert ADAPTER.roots(moved) == [tmp_path / "moved" / ".gemini" / "tmp"]


def test_the_workspace_of_a_folder(tmp_path: Path) -> None:
    root = tmp_path / ".gemini" / "tmp"
    digest = hashlib.sha256(b"/home/kim/hashed").hexdigest()
    paths = {name: root / name / "chats" / made.NAME for name in ("slug", "rooted", digest, "nobody")}
    for path in paths.values():
        path.parent.mkdir(parents=True)
    (root / "rooted" / ".project_root").write_text("/home/kim/rooted\n", encoding="utf-8")
    projects = {"/home/kim/slugged": "slug", "/home/kim/hashed": "other", "/odd": 5}
    (root.parent / "projects.json").write_text(json.dumps({"projects": projects}), encoding="utf-8")
    assert folder_of(paths["slug"], root) == "/home/kim/slugged"
    assert folder_of(paths["rooted"], root) == "/home/kim/rooted"
    assert folder_of(paths[digest], root) == "/home/kim/hashed"
    assert folder_of(paths["nobody"], root) == ""
    assert folder_of(paths["nobody"], root, digest) == "/home/kim/hashed"
    assert folder_of(tmp_path / "alone.json", tmp_path) == ""
    for data in (b"{", b"[]", b'{"projects": []}', b"\xff"):
        (root.parent / "projects.json").write_bytes(data)
        assert folder_of(paths["slug"], root) == ""
    assert read_rows(ADAPTER, paths["rooted"], made.talk(), root=root).session.cwd == "/home/kim/rooted"


@pytest.mark.parametrize(
    ("session", "command"),
    [
        (Session(id=made.SESSION, cwd="/a b"), f"cd '/a b' && gemini --resume {made.SESSION}"),
        (Session(id=made.SESSION), f"gemini --resume {made.SESSION}"),
        (Session(id="x; rm -rf ~", cwd="/a"), ""),
        (Session(id="w", kind="subagent", parent=made.SESSION, cwd="/a"), f"cd /a && gemini --resume {made.SESSION}"),
    ],
)
def test_resume_command(session: Session, command: str) -> None:
    assert ADAPTER.resume_command(session) == command
