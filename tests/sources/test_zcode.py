"""ZCode: the database first, request logs for the rest; each thing said once, and only what was said."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest
from data.opencode_files import found, millis, read, snapshot, text
from data.opencode_files import said as spoken
from data.zcode_files import (
    AGENT,
    CWD,
    PERSON,
    SESSION,
    SUBAGENT,
    SYSTEM,
    added,
    called,
    conversation,
    database,
    expected,
    history,
    lines,
    metadata,
    request,
    returned,
    rollout,
    said,
)

from tray_app.paths import SourcesHome
from tray_app.sources import zcode_rollout
from tray_app.sources.base import Checkpoint, Limits, NotReady, Reading, Session, Unit, Usage
from tray_app.sources.zcode import ZCodeAdapter
from tray_app.sources.zcode_lines import person_words

ZCODE = ZCodeAdapter()
TALK = [
    ("user", "Where do the plums go?"),
    ("assistant", "I look."),
    ("tool_call", "cat beds.txt"),
    ("tool_result", "plums"),
    ("assistant", "In the south bed."),
    ("note", "/water plums"),
    ("summary", "Summary: plums."),
    ("user", "And the pears?"),
]


def root(home: Path) -> Path:
    return home / ".zcode"


def only(home: Path) -> Unit:
    (unit,) = found(ZCODE, root(home))[0].values()
    return unit


def of(home: Path, rows: list[dict[str, object]], **limits: bool) -> Reading:
    rollout(home, rows)
    return read(ZCODE, only(home), Limits(**limits))  # type: ignore[arg-type]


# --- the database --------------------------------------------------------------------------------------------------------
def test_the_database(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        conversation(store)
        for key, status, total in (("u1", "completed", 412), ("u2", "error", 412)):
            store.insert(
                "model_usage",
                id=key,
                session_id=SESSION,
                model_id="glm-5",
                status=status,
                started_at=millis(3),
                input_tokens=400,
                output_tokens=12,
                cache_read_input_tokens=100,
                cache_creation_input_tokens=0,
                computed_total_tokens=total,
            )
    before = snapshot(tmp_path)
    unit = only(tmp_path)
    reading = read(ZCODE, unit)
    assert snapshot(tmp_path) == before
    assert spoken(reading) == TALK
    assert reading.usage == [Usage("u1", millis(3), "glm-5", input=300, output=12, cache_read=100, cache_write=0)]
    session = reading.session
    assert (session.id, session.cwd, session.title, session.title_rank) == (SESSION, CWD, "Plums", 2)
    assert (session.version, session.kind, unit.kind) == ("0.16.9", "main", "main")
    assert ZCODE.resume_command(session) == f"cd {CWD} && zcode --resume {SESSION}"


def test_without_numbers_times_give_the_order(tmp_path: Path) -> None:
    with database(tmp_path, sequence=False) as store:
        conversation(store)
        reading = read(ZCODE, only(tmp_path))
    assert spoken(reading)[0] == ("user", "And the pears?")
    assert len(reading.usage) == 3  # of the messages, where no table has them


def test_sub_agents_of_the_database(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        store.session(SUBAGENT, parent_id=SESSION, task_type="subagent_child")
        store.message("msg_1", 1, {"role": "user", **PERSON}, text("Count the beds."), session=SUBAGENT)
        store.message("msg_2", 2, {"role": "assistant", **AGENT}, text("Four."), session=SUBAGENT)
        store.session("sess_side", parent_id=SESSION, task_type="selection_side_chat")
        store.message("msg_3", 3, {"role": "user", **PERSON}, text("Only here?"), session="sess_side")
        units, _ = found(ZCODE, root(tmp_path))
        child, side = read(ZCODE, units[SUBAGENT]), read(ZCODE, units["sess_side"])
    assert spoken(child) == [("note", "Count the beds."), ("assistant", "Four.")]
    assert (child.session.kind, child.session.parent) == ("subagent", SESSION)
    assert ZCODE.resume_command(child.session) == f"cd {CWD} && zcode --resume {SESSION}"
    assert (spoken(side), side.session.kind) == ([("user", "Only here?")], "main")


def test_a_request_log_is_read_only_for_what_the_database_lacks(tmp_path: Path) -> None:
    rollout(tmp_path, history(1))
    rollout(tmp_path, history(2), "sess_other")
    (root(tmp_path) / "cli" / "rollout" / "zcode.log").write_text("no log of ours")
    with database(tmp_path) as store:
        conversation(store)
        units, problems = found(ZCODE, root(tmp_path))
    assert problems == []
    assert {name: unit.path.suffix for name, unit in units.items()} == {SESSION: ".sqlite", "sess_other": ".jsonl"}
    store.path.write_bytes(b"no database " * 100)
    units, problems = found(ZCODE, root(tmp_path))
    assert {name: unit.path.suffix for name, unit in units.items()} == {SESSION: ".jsonl", "sess_other": ".jsonl"}
    assert [(problem.path, problem.kind) for problem in problems] == [(str(store.path), "unreadable")]


# --- request logs --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rows", [history, added])
def test_each_thing_is_said_once(tmp_path: Path, rows: object) -> None:
    made = rows(12)  # type: ignore[operator]
    reading = of(tmp_path, made)
    assert spoken(reading) == expected(12)
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (12, 12, 0, 0)
    assert reading.session == Session(
        id=SESSION, cwd=CWD, title="prompt 1", start=millis(1), end=millis(12) + 500, model="glm-5"
    )
    assert [message.time for message in reading.messages[:3]] == [millis(1), millis(1) + 500, millis(2)]
    assert reading.usage[0] == Usage("req_1", millis(1) + 500, "glm-5", input=300, output=12, cache_read=100, cache_write=0)
    assert len(reading.usage) == 12
    assert len({message.identity for message in reading.messages}) == 24


@pytest.mark.parametrize("rows", [history, added])
def test_an_append_gives_only_what_is_new(tmp_path: Path, rows: object) -> None:
    made = rows(12)  # type: ignore[operator]
    whole = of(tmp_path, made)
    gathered = []
    checkpoint: Checkpoint | None = None
    for end in (3, 4, 8, 12):
        rollout(tmp_path, made[:end])
        reading = ZCODE.read(only(tmp_path), checkpoint, Limits(), lambda: False)
        assert reading.resumed == (checkpoint is not None)
        gathered += reading.messages
        checkpoint = reading.checkpoint
    assert gathered == whole.messages
    assert checkpoint is not None and len(checkpoint.state) < 2000
    again = ZCODE.read(only(tmp_path), checkpoint, Limits(), lambda: False)
    assert (again.messages, again.resumed, again.session.title) == ([], True, "prompt 1")


def test_a_rewritten_log_is_read_whole(tmp_path: Path) -> None:
    checkpoint = of(tmp_path, history(3)).checkpoint
    rollout(tmp_path, [{**row, "turnId": "other"} for row in history(4)])
    reading = ZCODE.read(only(tmp_path), checkpoint, Limits(), lambda: False)
    assert (spoken(reading), reading.resumed) == (expected(4), False)
    assert checkpoint is not None
    odd = msgspec.structs.replace(checkpoint, state=b"\xff")
    assert spoken(ZCODE.read(only(tmp_path), odd, Limits(), lambda: False)) == expected(4)


def test_a_log_with_too_much_to_remember_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zcode_rollout, "SEEN_MOST", 5)
    reading = of(tmp_path, history(4))
    assert (spoken(reading), reading.checkpoint) == (expected(4), None)


def test_tools(tmp_path: Path) -> None:
    ask = said("user", "Where do the plums go?")
    beds = {"command": "cat beds.txt"}
    own = [{"name": "mcp__backscroll__search", "input": {"query": "plums"}}]
    call = called("I look.", "Bash", "c1", beds)
    recall = {"role": "assistant", "content": "", "toolCalls": [{"id": "c2", **own[0]}]}
    rows = [
        request(1, [said("system", SYSTEM), ask], "I look.", calls=[{"name": "Bash", "input": beds}]),
        request(2, [ask, call, returned("c1", "Bash", "south bed: plums")], "", calls=own),
        request(
            3, [ask, call, returned("c1", "Bash", "south bed: plums"), recall, returned("c2", "", "recalledword")], "South."
        ),
    ]
    reading = of(tmp_path, rows)
    assert spoken(reading) == [
        ("user", "Where do the plums go?"),
        ("assistant", "I look."),
        ("tool_call", "cat beds.txt"),
        ("tool_result", "south bed: plums"),
        ("assistant", "South."),
    ]
    assert [message.tool for message in reading.messages] == ["", "", "Bash", "Bash", ""]
    assert [role for role, _ in spoken(of(tmp_path, rows, tools=False))] == ["user", "assistant", "assistant"]
    assert "thoughtword" in [words for _, words in spoken(of(tmp_path, rows, reasoning=True))]


def test_other_spellings_of_messages(tmp_path: Path) -> None:
    anthropic = [
        {"role": "user", "content": "Where do the plums go?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/b"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "plums"}]},
    ]
    responses = [
        *({"role": "developer", "content": "devword"}, {"role": "user", "content": [{"type": "input_text", "text": "Pears?"}]}),
        {"type": "function_call", "name": "Read", "call_id": "f", "arguments": '{"file_path": "/p"}'},
        {"type": "function_call_output", "call_id": "f", "output": "pears"},
    ]
    rows = [
        request(1, [], "South.", sent={"messages": None, "body": {"messages": anthropic}}),
        request(2, [], "North.", sent={"messages": None, "body": {"input": responses}}),
    ]
    reading = of(tmp_path, rows)
    assert spoken(reading) == [
        ("user", "Where do the plums go?"),
        ("tool_call", "/b"),
        ("tool_result", "plums"),
        ("assistant", "South."),
        ("user", "Pears?"),
        ("tool_call", "/p"),
        ("tool_result", "pears"),
        ("assistant", "North."),
    ]
    assert reading.messages[1].files == ("/b",)


def test_the_programs_own_calls_and_injected_text(tmp_path: Path) -> None:
    title = [said("user", "Make a title: titleword")]
    rows = [
        request(1, [said("system", "onlysystemword")], "onlysystemanswer"),
        request(2, title, "titleanswer", querySource="session_title"),
        request(3, title, "titleanswer", turnId="", sent={"toolNames": []}),
        request(
            4, [said("user", "<system-reminder>reminderword</system-reminder>\nPlums?")], "South.", querySource="main_turn"
        ),
        request(5, title, "titleanswer", sent={"toolNames": []}),
        request(6, [said("user", "<command-name>/x</command-name>"), said("user", "<task-notification>taskword")], ""),
        request(7, [said("user", "This session is being continued from a previous conversation. Plums.")], "So it is."),
    ]
    reading = of(tmp_path, rows)
    assert spoken(reading) == [
        ("user", "Plums?"),
        ("assistant", "South."),
        ("summary", "This session is being continued from a previous conversation. Plums."),
        ("assistant", "So it is."),
    ]
    assert (reading.records, reading.recognised) == (7, 7)


def test_attempts_and_errors(tmp_path: Path) -> None:
    ask = [said("user", "Plums?")]
    rows = [
        request(1, ask, "half an ans", error={"message": "quota"}),
        request(1, ask, "South.", attempt=2),
        request(1, ask, "South.", attempt=2),
        {"type": "model_event"},
        {"type": "model_io", "request": None},
        {"type": "model_io", "request": {"messages": "odd"}, "response": [1]},
    ]
    reading = of(tmp_path, rows)
    assert spoken(reading) == [("user", "Plums?"), ("assistant", "South.")]
    assert (reading.unknown, reading.repeated, len(reading.usage)) == (2, 1, 1)


def test_sub_agents_of_request_logs(tmp_path: Path) -> None:
    rollout(tmp_path, [request(1, [said("user", "Count the beds.")], "Four.", sessionId=SUBAGENT)], SUBAGENT)
    rollout(tmp_path, [request(1, [said("user", "Act.")], "Done.")], "sess_dwf-run-1-actor_2")
    units, _ = found(ZCODE, root(tmp_path))
    assert (units[SUBAGENT].kind, units[SUBAGENT].others) == ("subagent", ())
    side = metadata(tmp_path)
    units, _ = found(ZCODE, root(tmp_path))
    unit = units[SUBAGENT]
    assert (unit.parent, unit.others) == (SESSION, (side,))
    reading = read(ZCODE, unit)
    assert spoken(reading) == [("note", "Count the beds."), ("assistant", "Four.")]
    session = reading.session
    assert (session.kind, session.parent, session.cwd, session.title) == ("subagent", SESSION, CWD, "Count the beds")
    side.write_bytes(b"{")
    assert read(ZCODE, unit).session.title == "Count the beds."
    assert read(ZCODE, units["sess_dwf-run-1-actor_2"]).session.kind == "subagent"


def test_torn_lines(tmp_path: Path) -> None:
    path = rollout(tmp_path, history(3))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    reading = read(ZCODE, only(tmp_path))
    assert (spoken(reading), reading.growing) == (expected(2), True)
    path.write_bytes(whole)
    reading = ZCODE.read(only(tmp_path), reading.checkpoint, Limits(), lambda: False)
    assert (spoken(reading), reading.resumed) == (expected(3)[4:], True)
    path.write_bytes(b"\n{\n" + lines(history(1)) + b"[]\n")
    reading = read(ZCODE, only(tmp_path))
    assert (spoken(reading), reading.skipped) == (expected(1), 2)
    path.write_bytes(b"")
    with pytest.raises(NotReady):
        read(ZCODE, only(tmp_path))


@pytest.mark.parametrize("mark", ["<system-reminder ", "<task-notification>", "<system-reminder>", "Working directory: "])
def test_marks_without_an_end_take_no_time(mark: str) -> None:
    started = time.monotonic()
    person_words(mark * 50_000)
    assert time.monotonic() - started < 5


def test_roots_and_folders_added_by_hand(tmp_path: Path) -> None:
    assert ZCODE.roots(SourcesHome(tmp_path, {})) == [root(tmp_path)]
    assert ZCODE.roots(SourcesHome(tmp_path, {"ZCODE_HOME": str(tmp_path / "z")})) == [tmp_path / "z"]
    path = rollout(tmp_path, history(1))
    for folder in (root(tmp_path), root(tmp_path) / "cli", path.parent):
        assert list(found(ZCODE, folder)[0]) == [SESSION]
    assert found(ZCODE, tmp_path / "nothing") == ({}, [])
