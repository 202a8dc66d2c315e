"""Qwen Code: who said what, appending, any bytes, and where files are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data import qwen_files as made
from data.gemini_files import check_growth, check_harmless, encode, millis, mutated, read, read_rows, said, stamp, unit_of
from data.qwen_files import answer, record, system, user
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Context, Limits, NotReady, Session, Stopped, Usage
from tray_app.sources.qwen import QwenAdapter

ADAPTER = QwenAdapter()
SNAPSHOT = "<state_snapshot>the plums are counted</state_snapshot>"


def rows_read(folder: Path, rows: list[Any], limits: Limits | None = None, **more: Any) -> Any:
    return read_rows(ADAPTER, folder / f"{made.SESSION}.jsonl", rows, limits, **more)


def test_a_session(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, made.talk())
    assert said(reading) == [
        ("user", "看看 plum.py"),
        ("assistant", "I read it."),
        ("tool_call", f"{made.CWD}/plum.py\nlimit: 5"),
        ("tool_result", "def plum(): ..."),
        ("assistant", "It has one function."),
        ("user", "count too"),
        ("summary", SNAPSHOT),
        ("note", "/compress keep plums"),
        ("assistant", "Five."),
    ]
    assert reading.session == Session(
        id=made.SESSION,
        cwd=made.CWD,
        title="Plum functions",
        title_rank=2,
        start=millis(1),
        end=millis(12),
        model=made.MODEL,
        branch="main",
        version="0.24.4",
    )
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (14, 14, 0, 0)
    first, _, call, result = reading.messages[:4]
    assert first.id == first.identity == "u1-0000-0000-0000-000000000000"
    assert (call.id, call.identity, call.tool, call.files) == (
        "call-0001-0001-0001", "call-0001-0001-0001:call", "read_file", (f"{made.CWD}/plum.py",),
    )  # fmt: skip
    assert (result.id, result.identity, result.tool) == (call.id, "call-0001-0001-0001:result", "read_file")
    assert reading.usage == [
        Usage(key="a1-0000-0000-0000-000000000000", time=millis(3), model=made.MODEL, input=140, output=30, cache_read=7),
        Usage(key="a2-0000-0000-0000-000000000000", time=millis(5), model=made.MODEL, input=100, output=14, cache_read=0),
    ]
    assert ("reasoning", "THOUGHT of plums") in said(rows_read(tmp_path, made.talk(), Limits(reasoning=True)))


def test_titles_by_rank(tmp_path: Path) -> None:
    rows = [user("u", "first prompt", 1), user("v", "second prompt", 2)]
    titled = system("t", "custom_title", {"customTitle": "by the person"}, 3)
    auto = system("s", "custom_title", {"customTitle": "by the model", "titleSource": "auto"}, 4)
    assert rows_read(tmp_path, rows).session.title == "first prompt"
    assert rows_read(tmp_path, [*rows, auto]).session.title_rank == 2
    session = rows_read(tmp_path, [*rows, titled, auto]).session
    assert (session.title, session.title_rank) == ("by the person", 3)


def test_records_older_than_the_mark(tmp_path: Path) -> None:
    rows = [
        user("u", "older words", 1, None, version="0.5.0"),
        user("n", "INJECTED", 2, None, version="0.5.0", subtype="notification"),
        user("c", "INJECTED", 3, None, version="0.5.0", subtype="cron"),
        user("m", "\n[User message received during tool execution]: and this", 4, None, subtype="mid_turn_user_message"),
        answer("a", [{"text": "answered"}], 5),
        user("x", "INJECTED unmarked where marks are", 6, None),
        user("y", "resumed with an older program", 7, None, version="0.5.0"),
    ]
    assert said(rows_read(tmp_path, rows)) == [
        ("user", "older words"),
        ("user", "and this"),
        ("assistant", "answered"),
        ("user", "resumed with an older program"),
    ]


@pytest.mark.parametrize("provenance", ["system", "goal_control", "goal_runtime", "assistant_output", "tool_result"])
def test_only_the_person_is_the_person(tmp_path: Path, provenance: str) -> None:
    assert said(rows_read(tmp_path, [user("u", "INJECTED", 1, provenance), user("v", "mine", 2)])) == [("user", "mine")]


def test_words_that_were_typed(tmp_path: Path) -> None:
    hooked = user("u", "expanded\n<hook>INJECTED</hook>", 1, systemPayload={"displayText": "typed", "hookContext": "INJECTED"})
    files = user("v", "see @a.py\n--- Content from referenced files ---\nINJECTED\n--- End of content ---", 2)
    command = user("w", "/review the plums", 3)
    bare = user("x", "/help", 4)
    assert said(rows_read(tmp_path, [hooked, files, command, bare])) == [
        ("user", "typed"),
        ("user", "see @a.py"),
        ("note", "/review the plums"),
    ]


def test_forks_and_sub_sessions(tmp_path: Path) -> None:
    fork = user("u", "copied", 1, forkedFrom={"sessionId": made.PARENT, "messageUuid": "u"})
    assert rows_read(tmp_path, [fork]).session.parent == made.PARENT
    child = system("p", "parent_session", {"parentSessionId": made.PARENT}, 1)
    assert rows_read(tmp_path, [child, user("u", "x", 2)]).session.parent == made.PARENT


def test_sub_agents(tmp_path: Path) -> None:
    rows = [user("u", "look for plums", 1, None, isSidechain=True, agentId="explore-1"), answer("a", [{"text": "found"}], 2)]
    path = tmp_path / "subagents" / made.SESSION / "agent-explore-1.jsonl"
    reading = read_rows(ADAPTER, path, rows, kind="subagent", parent=made.SESSION)
    assert said(reading) == [("note", "look for plums"), ("assistant", "found")]
    session = reading.session
    assert (session.id, session.kind, session.parent) == ("agent-explore-1", "subagent", made.SESSION)
    assert ADAPTER.resume_command(session) == f"cd {made.CWD} && qwen --resume {made.SESSION}"


def test_odd_lines(tmp_path: Path) -> None:
    rows = [
        b"null",
        b"{",
        record("novel", "n", 1, "system"),
        {"type": "user"},
        {"type": "assistant", "message": 5},
        user("u", "x", 2),
    ]
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "x")]
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (6, 3, 1, 2)


def test_the_documents_of_the_first_versions(tmp_path: Path) -> None:
    path = tmp_path / "tmp" / "ab" / "chats" / "session-1.json"
    path.parent.mkdir(parents=True)
    rows = [
        {"id": "1", "type": "user", "content": "old words", "timestamp": stamp(1)},
        {"id": "2", "type": "qwen", "content": "old answer", "timestamp": stamp(2)},
    ]
    path.write_text(json.dumps({"sessionId": made.SESSION, "messages": rows}), encoding="utf-8")
    reading = read(ADAPTER, path)
    assert (said(reading), reading.checkpoint) == ([("user", "old words"), ("assistant", "old answer")], None)
    assert reading.session.id == made.SESSION


def test_every_line_border(tmp_path: Path) -> None:
    assert check_growth(ADAPTER, tmp_path / f"{made.SESSION}.jsonl", encode(made.talk())) == 0


def test_not_ready_stopped_and_foreign_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / f"{made.SESSION}.jsonl"
    for data in (b"", b"\n\n", b'{"uuid":'):
        path.write_bytes(data)
        with pytest.raises(NotReady):
            read(ADAPTER, path)
    path.write_bytes(encode(made.talk() * 30))
    with pytest.raises(Stopped):
        ADAPTER.read(unit_of(ADAPTER, path), None, Limits(), lambda: True)
    whole = read(ADAPTER, path)
    assert (len(whole.messages), whole.repeated) == (9, 9 * 29)
    assert whole.checkpoint is not None
    again = read(ADAPTER, path, msgspec.structs.replace(whole.checkpoint, state=b"\xc1"))
    assert (again.resumed, len(again.messages)) == (False, 9)


CHANGES = st.lists(st.tuples(st.integers(0, 1 << 16), st.binary(max_size=12), st.integers(0, 40)), max_size=6)


@given(data=st.binary(max_size=300))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / "fuzz.jsonl", data)


@given(changes=CHANGES)
def test_damaged_files(tmp_path_factory: pytest.TempPathFactory, changes: list[Any]) -> None:
    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / "fuzz.jsonl", mutated(encode(made.talk()), changes))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "parts", "id", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = [
    "uuid",
    "type",
    "message",
    "parts",
    "systemPayload",
    "usageMetadata",
    "timestamp",
    "args",
    "response",
    "compressedHistory",
]


@given(field=st.sampled_from(FIELDS), value=JSON)
def test_any_shape_of_the_fields_that_are_used(tmp_path_factory: pytest.TempPathFactory, field: str, value: Any) -> None:
    def replaced(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: value if key == field else replaced(inner) for key, inner in node.items()}
        return [replaced(inner) for inner in node] if isinstance(node, list) else node

    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / "fuzz.jsonl", encode([replaced(row) for row in made.talk()]))


def test_long_lines_and_deep_nesting(tmp_path: Path) -> None:
    deep = b'{"type":"assistant","message":{"parts":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
    rows = [json.dumps(user("l", "x" * (24 << 20), 1)).encode(), deep, user("u", "after", 2)]
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "after")]
    assert reading.problems[0].kind == "oversize_line"


# --- files and folders ------------------------------------------------------------------------------------------------------
def test_discovery(tmp_path: Path) -> None:
    wanted = [
        f"projects/-home-kim/chats/{made.SESSION}.jsonl",
        f"projects/-home-kim/subagents/{made.SESSION}/agent-1.jsonl",
        "tmp/ab/chats/session-1.json",
    ]
    side = f"projects/-home-kim/subagents/{made.SESSION}/agent-1.meta.json"
    for name in [*wanted, side, "projects/-home-kim/notes.jsonl", "tmp/ab/logs.json", "settings.json"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    problems: list[Problem] = []
    found = ADAPTER.discover(tmp_path, Context(home=SourcesHome(tmp_path, {})), problems.append)
    units = {unit.path.relative_to(tmp_path).as_posix(): unit for unit in found}
    assert (sorted(units), problems) == (sorted(wanted), [])
    agent = units[wanted[1]]
    assert (agent.kind, agent.parent, agent.session) == ("subagent", made.SESSION, "agent-1")
    alone = ADAPTER.discover(
        tmp_path / "projects" / "-home-kim" / "chats", Context(home=SourcesHome(tmp_path, {})), problems.append
    )
    assert [unit.session for unit in alone] == [made.SESSION]


def test_roots_and_resume_command(tmp_path: Path) -> None:
    assert ADAPTER.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".qwen"]
    assert ADAPTER.roots(SourcesHome(tmp_path, {"QWEN_HOME": "/q"})) == [Path("/q").absolute()]
    assert ADAPTER.resume_command(Session(id=made.SESSION, cwd="/a b")) == f"cd '/a b' && qwen --resume {made.SESSION}"
    assert ADAPTER.resume_command(Session(id="$(x)", cwd="/a")) == ""


def test_tools_behind_the_gateway_count_as_themselves_and_ours_are_left_out(tmp_path: Path) -> None:
    def through(name: str, tool: Any, given: Any) -> Any:
        return made.call(name, "tool_call", {"name": tool, "arguments": given})

    rows = [
        made.user("u1", "where were we?", 1),
        made.answer("a1", [through("own-0001-0001-0001", "mcp__backscroll__session_recall", {"query": "INJECTED"})], 2),
        made.result("t1", "own-0001-0001-0001", "tool_call", "INJECTED old words", 3),
        made.answer("a0", [through("own-0001-0001-0002", "mcp__backscroll__handoff_pack", {"project": "shop"})], 3),
        made.result("t0", "own-0001-0001-0002", "tool_call", "INJECTED pack", 3),
        made.answer("a2", [through("other-0001-0001-01", "mcp__weather__today", {"place": "Leeds"})], 4),
        made.result("t2", "other-0001-0001-01", "tool_call", "rain", 5),
        made.answer("a3", [through("odd-00001-0001-001", 7, {}), made.call("odd-00001-0001-002", "tool_call", {})], 6),
        made.result("t3", "odd-00001-0001-001", "tool_call", "no such tool", 7),
    ]
    reading = rows_read(tmp_path, rows)
    assert [(message.role, message.tool, message.text) for message in reading.messages] == [
        ("user", "", "where were we?"),
        ("tool_call", "mcp__backscroll__handoff_pack", "project: shop"),
        ("tool_call", "mcp__weather__today", "place: Leeds"),
        ("tool_result", "mcp__weather__today", "rain"),
        ("tool_call", "tool_call", "name: 7\narguments: {}"),
        ("tool_call", "tool_call", "tool_call"),
        ("tool_result", "tool_call", "no such tool"),
    ]
