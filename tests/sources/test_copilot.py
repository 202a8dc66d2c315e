"""Copilot CLI: what its events say, appending, any bytes, old documents, and where files are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data import copilot_files as made
from data.copilot_files import answer, completed, event, request, start, started, user
from data.gemini_files import check_growth, check_harmless, encode, millis, mutated, read, read_rows, said, stamp, unit_of
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources import copilot_document
from tray_app.sources.base import Context, Limits, NotReady, Session, Stopped, Usage
from tray_app.sources.copilot import CopilotCliAdapter

ADAPTER = CopilotCliAdapter()


def rows_read(folder: Path, rows: list[Any], limits: Limits | None = None, **more: Any) -> Any:
    return read_rows(ADAPTER, folder / "events.jsonl", rows, limits, **{"session": made.SESSION, **more})


def test_a_session(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, made.talk())
    assert said(reading) == [
        ("user", "count the 橘子"),
        ("assistant", "I look."),
        ("tool_call", "ls\nList"),
        ("tool_result", "a.txt\nb.txt"),
        ("assistant", "Two."),
        ("summary", "Oranges were counted."),
        ("note", "to the helper"),
    ]
    assert reading.session == Session(
        id=made.SESSION,
        cwd=made.CWD,
        title="count the 橘子",
        start=millis(0),
        end=millis(11),
        model=made.MODEL,
        branch="main",
        version="1.0.77",
    )
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (19, 19, 0, 0)
    call, result = reading.messages[2:4]
    assert (call.id, call.identity, call.tool) == ("call-0001-0001-0001", "call-0001-0001-0001:call", "bash")
    assert (result.id, result.identity, result.tool) == (call.id, "call-0001-0001-0001:result", "bash")
    assert reading.usage == [
        Usage(key="e5-0000-0000-0000-0000", time=millis(4), model=made.MODEL, output=12),
        Usage(key="e9-0000-0000-0000-0000", time=millis(7), model=made.MODEL, output=3),
        Usage(
            key="ei-0000-0000-0000-0000:gpt-5",
            time=millis(16),
            model=made.MODEL,
            input=180,
            output=45,
            cache_read=800,
            cache_write=20,
        ),
    ]
    thoughts = [one for one in said(rows_read(tmp_path, made.talk(), Limits(reasoning=True))) if one[0] == "reasoning"]
    assert thoughts == [("reasoning", "THOUGHT of oranges")]


def test_a_call_is_told_twice_in_either_order(tmp_path: Path) -> None:
    asked = answer("a", "", 2, [request("call_1", "view", {"path": "x.py"})])
    begun = started("b", "call_1", "view", {"path": "x.py"}, 3)
    done = completed("c", "call_1", "body", 4)
    for rows in ([asked, begun, done], [begun, asked, done], [begun, done]):
        reading = rows_read(tmp_path, [start(), *rows])
        assert said(reading) == [("tool_call", "x.py"), ("tool_result", "body")]
        assert reading.messages[0].files == ("x.py",)


def test_chats_with_people_keep_their_arguments(tmp_path: Path) -> None:
    rows = [
        start(),
        answer("a", "", 1, [request("k", "slack-send_message", '{"text": "hi"}'), request("l", "bash", {"command": "ls"})]),
        completed("b", "k", "sent", 2),
        completed("c", "l", "a.txt", 2),
    ]
    messages = rows_read(tmp_path, rows, Limits(tools=False, bridges=("send:*slack*send*",))).messages
    assert [(message.role, message.tool, message.text, message.arguments) for message in messages] == [
        ("tool_call", "slack-send_message", "text: hi", '{"text": "hi"}'),
        ("tool_result", "slack-send_message", "sent", ""),
    ]


def test_failed_and_foreign_results(tmp_path: Path) -> None:
    rows = [
        start(),
        event("tool.execution_complete", "a", 1, toolCallId="k", success=False, error={"message": "denied", "code": "x"}),
        event("tool.execution_complete", "b", 2, toolCallId="l", success=True, result="plain"),
        event(
            "tool.execution_complete", "c", 3, toolCallId="m", success=True, result={"content": [{"type": "text", "text": "p"}]}
        ),
        event("tool.execution_complete", "d", 4, toolCallId="n", success=True),
        event("tool.user_requested", "e", 5, toolCallId="o", toolName="bash", arguments={"command": "pwd"}),
    ]
    assert said(rows_read(tmp_path, rows)) == [
        ("tool_result", "denied"),
        ("tool_result", "plain"),
        ("tool_result", "p"),
        ("tool_call", "pwd"),
    ]


def test_commands_and_what_skills_put_in(tmp_path: Path) -> None:
    rows = [
        start(), user("a", "/help", 1), user("b", "/plan the orchard", 2), user("c", "by me", 3, source="user"),
        user("d", "INJECTED", 4, source="autopilot"), event("skill.invoked", "e", 5, content="INJECTED"),
    ]  # fmt: skip
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("note", "/plan the orchard"), ("user", "by me")]
    assert reading.session.title == "by me"


def test_sums_without_models(tmp_path: Path) -> None:
    details = {
        name: {"tokenCount": count} for name, count in (("input", 100), ("output", 15), ("cache_read", 5), ("cache_write", 0))
    }
    rows = [
        start(selectedModel=None),
        answer("a", "x", 1, outputTokens=12),
        event("session.shutdown", "b", 2, modelMetrics={"gpt-5": {"requests": 2}}, tokenDetails=details, currentModel="gpt-5"),
        event("session.shutdown", "c", 3, modelMetrics=5),
    ]
    assert [(one.key, one.input, one.output, one.cache_read) for one in rows_read(tmp_path, rows).usage] == [
        ("a-0000-0000-0000-0000", -1, 12, -1),
        ("b-0000-0000-0000-0000:gpt-5", 100, 3, 5),
    ]


def test_the_workspace_file_beside_the_events(tmp_path: Path) -> None:
    side = tmp_path / "workspace.yaml"
    side.write_text(made.WORKSPACE, encoding="utf-8")
    rows = [start(context=None), user("a", "hello", 1)]
    session = rows_read(tmp_path, rows, others=(side,)).session
    assert (session.cwd, session.branch, session.title, session.title_rank) == (made.CWD, "main", "Counting oranges", 2)
    side.write_text(made.WORKSPACE + "name: Named by me\n", encoding="utf-8")
    session = rows_read(tmp_path, rows, others=(side,)).session
    assert (session.title, session.title_rank) == ("Named by me", 3)
    for data in (b"", b"\xff\x00:\n- [", b"cwd: [1, 2]\n"):
        side.write_bytes(data)
        assert rows_read(tmp_path, rows, others=(side,)).session.title == "hello"
    side.unlink()
    assert rows_read(tmp_path, rows, others=(side,)).session.cwd == ""


def test_titles_and_folders_that_change(tmp_path: Path) -> None:
    rows = [
        start(),
        user("a", "hello", 1),
        event("session.title_changed", "b", 2, title="Oranges"),
        event("session.context_changed", "c", 3, cwd="/elsewhere", branch="side"),
        event("session.resume", "d", 4, selectedModel="gpt-6", context={"cwd": "/third"}),
    ]
    session = rows_read(tmp_path, rows).session
    assert (session.title, session.title_rank) == ("Oranges", 2)
    assert (session.cwd, session.branch, session.model) == (made.CWD, "side", "gpt-6")


def test_odd_lines(tmp_path: Path) -> None:
    rows = [b"null", b"{", event("novel.kind", "n", 1), {"foo": 1}, {"type": "user.message", "data": 5}, user("u", "x", 2)]
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "x")]
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (6, 1, 2, 3)
    assert reading.unknown_kinds == {"novel.kind": 1, "?": 1}
    torn = rows_read(tmp_path, [b'{"type":"session.start",', user("u", "x", 2)])
    assert (torn.session.id, [problem.kind for problem in torn.problems]) == (made.SESSION, ["torn_header"])


def test_every_line_border(tmp_path: Path) -> None:
    assert check_growth(ADAPTER, tmp_path / "events.jsonl", encode(made.talk()), session=made.SESSION) == 0


def test_not_ready_stopped_and_foreign_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    for data in (b"", b"\n\n", b'{"type":'):
        path.write_bytes(data)
        with pytest.raises(NotReady):
            read(ADAPTER, path)
    path.write_bytes(encode(made.talk() * 20))
    with pytest.raises(Stopped):
        ADAPTER.read(unit_of(ADAPTER, path), None, Limits(), lambda: True)
    whole = read(ADAPTER, path)
    assert len(whole.messages) == 7
    assert whole.checkpoint is not None
    again = read(ADAPTER, path, msgspec.structs.replace(whole.checkpoint, state=b"\xc1"))
    assert (again.resumed, len(again.messages)) == (False, 7)


# --- documents ----------------------------------------------------------------------------------------------------------
def document(folder: Path, content: Any) -> Any:
    path = folder / f"session_{made.SESSION}_1.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content, indent=1).encode())
    return read(ADAPTER, path, session=made.SESSION)


def test_a_document(tmp_path: Path) -> None:
    reading = document(tmp_path, made.document())
    assert said(reading) == [("user", "数一数"), ("tool_call", "ls"), ("tool_result", "a.txt"), ("assistant", "One.")]
    assert reading.session == Session(id=made.SESSION, title="数一数", start=millis(0), end=millis(6))
    assert (reading.checkpoint, reading.records, reading.recognised, reading.unknown) == (None, 6, 6, 0)


def test_a_document_without_a_timeline(tmp_path: Path) -> None:
    given = {"function": {"name": "bash", "arguments": '{"command": "ls"}'}, "id": "c1", "type": "function"}
    rows = [
        {"role": "system", "content": "INJECTED"},
        {"role": "user", "content": f"<current_datetime>{stamp(1)}</current_datetime>\n\nhello"},
        {"role": "assistant", "content": None, "tool_calls": [given]},
        {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
        {"role": "assistant", "content": [{"type": "text", "text": "one"}]},
        {"role": "novel"},
        7,
    ]
    reading = document(tmp_path, {"sessionId": made.SESSION, "chatMessages": rows})
    assert said(reading) == [("user", "hello"), ("tool_call", "ls"), ("tool_result", "a.txt"), ("assistant", "one")]
    assert reading.messages[2].tool == "bash"
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (7, 5, 1, 1)


def test_documents_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (b"", b" \n", b'{"timeline": [{"id"'):
        with pytest.raises(NotReady):
            document(tmp_path, data)
    for data in (b"{}", b'{"timeline": 5}', b'{"timeline": ' + b"[" * 9000 + b"}"):
        assert [problem.kind for problem in document(tmp_path, data).problems] == ["bad_json"]
    text = json.dumps(made.document(), ensure_ascii=False)
    assert len(document(tmp_path, text.encode("utf-16")).messages) == 4
    with pytest.raises(Stopped):
        ADAPTER.read(unit_of(ADAPTER, tmp_path / f"session_{made.SESSION}_1.json"), None, Limits(), lambda: True)
    monkeypatch.setattr(copilot_document, "DOCUMENT_BYTES", 10)
    assert [problem.kind for problem in document(tmp_path, made.document()).problems] == ["over_budget"]


# --- whatever the bytes are -------------------------------------------------------------------------------------------------
CHANGES = st.lists(st.tuples(st.integers(0, 1 << 16), st.binary(max_size=12), st.integers(0, 40)), max_size=6)


@given(data=st.binary(max_size=300), suffix=st.sampled_from([".jsonl", ".json"]))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes, suffix: str) -> None:
    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / f"fuzz{suffix}", data)


@given(changes=CHANGES, whole=st.booleans())
def test_damaged_files(tmp_path_factory: pytest.TempPathFactory, changes: list[Any], whole: bool) -> None:
    data = json.dumps(made.document()).encode() if whole else encode(made.talk())
    path = tmp_path_factory.getbasetemp() / f"fuzz.{'json' if whole else 'jsonl'}"
    check_harmless(ADAPTER, path, mutated(data, changes))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["content", "usage", "id"]), inner, max_size=3),
    max_leaves=6,
)
FIELDS = [
    "type",
    "id",
    "data",
    "content",
    "timestamp",
    "toolRequests",
    "arguments",
    "result",
    "modelMetrics",
    "usage",
    "context",
]


@given(field=st.sampled_from([*FIELDS, "outputTokens", "timeline", "text", "log"]), value=JSON, whole=st.booleans())
def test_any_shape_of_the_fields_that_are_used(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: Any, whole: bool
) -> None:
    def replaced(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: value if key == field else replaced(inner) for key, inner in node.items()}
        return [replaced(inner) for inner in node] if isinstance(node, list) else node

    rows = [made.document()] if whole else made.talk()
    path = tmp_path_factory.getbasetemp() / f"fuzz.{'json' if whole else 'jsonl'}"
    check_harmless(ADAPTER, path, encode([replaced(row) for row in rows]))


def test_long_lines_and_deep_nesting(tmp_path: Path) -> None:
    deep = b'{"type":"user.message","data":{"content":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
    rows = [start(), json.dumps(user("l", "x" * (12 << 20), 1)).encode(), deep, user("u", "after", 2)]
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "after")]
    assert reading.problems[0].kind == "oversize_line"


# --- files and folders ------------------------------------------------------------------------------------------------------
def test_discovery(tmp_path: Path) -> None:
    other = made.SESSION.replace("3c", "4c")
    wanted = {
        f"session-state/{made.SESSION}/events.jsonl": (made.SESSION, 2),
        f"session-state/{other}.jsonl": (other, 1),
        f"history-session-state/session_{other}_1759953016398.json": (other, 0),
    }
    side = f"session-state/{made.SESSION}/workspace.yaml"
    inner = f"session-state/{made.SESSION}/files/events.jsonl"
    for name in [*wanted, side, inner, f"session-state/{made.SESSION}/x.jsonl", "session-state/events.jsonl", "config.json"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    problems: list[Problem] = []
    context = Context(home=SourcesHome(tmp_path, {}))
    found = list(ADAPTER.discover(tmp_path, context, problems.append))
    units = {unit.path.relative_to(tmp_path).as_posix(): (unit.session, unit.preference) for unit in found}
    assert (units, problems) == (wanted, [])
    assert {unit.others for unit in found} == {(tmp_path / side,), ()}
    alone = ADAPTER.discover(tmp_path / "session-state", context, problems.append)
    assert sorted(unit.session for unit in alone) == sorted([made.SESSION, other])


def test_roots_and_resume_command(tmp_path: Path) -> None:
    assert ADAPTER.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".copilot"]
    assert ADAPTER.roots(SourcesHome(tmp_path, {"COPILOT_HOME": "/c"})) == [Path("/c").absolute()]
    assert ADAPTER.resume_command(Session(id=made.SESSION, cwd="/a b")) == f"cd '/a b' && copilot --resume {made.SESSION}"
    assert ADAPTER.resume_command(Session(id="$(x)", cwd="/a")) == ""
