"""Cline and Roo Code: the person's words among what the program puts around them, and tools in two spellings."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from data.cline_files import CWD, TALK, TASK, native, put, shown, tagged, task, text
from data.opencode_files import found, millis, read, said, snapshot

from tray_app.paths import SourcesHome
from tray_app.sources.base import Limits, NotReady, Session, Stopped, Unit, Usage
from tray_app.sources.cline import ClineAdapter
from tray_app.sources.cline_words import folder_in, output_words, person_words, pieces_of, result_in

CLINE = ClineAdapter()


def one(root: Path) -> Unit:
    (unit,) = found(CLINE, root)[0].values()
    return unit


def test_tools_as_tags(tmp_path: Path) -> None:
    path = task(tmp_path, tagged())
    side = put(path.with_name("ui_messages.json"), shown())
    put(tmp_path / "state" / "taskHistory.json", [{"id": TASK, "ts": millis(0), "task": "t", "modelId": "sonnet-9"}])
    before = snapshot(tmp_path)
    unit = one(tmp_path)
    reading = read(CLINE, unit)
    assert snapshot(tmp_path) == before
    assert (unit.session, unit.path, unit.others, unit.size) == (TASK, path, (side,), path.stat().st_size)
    assert said(reading) == TALK
    times = [(message.time - millis(0)) // 1000 for message in reading.messages]
    assert times == [1, 2, 2, 2, 6, 6, 7, 8, 9, 10, 10]
    assert reading.messages[2].files == ("beds.txt",)
    assert [message.tool for message in reading.messages[2:6]] == [
        "read_file",
        "read_file",
        "execute_command",
        "execute_command",
    ]
    assert reading.usage[0] == Usage(f"{TASK}:0", millis(2), "sonnet-9", input=120, output=30, cache_read=40, cache_write=0)
    assert reading.session == Session(
        id=TASK, cwd=CWD, title="Where do the plums go? 李子？", start=millis(1), end=millis(10), model="sonnet-9"
    )
    assert (reading.records, reading.recognised, reading.unknown, reading.checkpoint) == (12, 12, 0, None)
    assert CLINE.resume_command(reading.session) == ""
    thoughts = [words for role, words in said(read(CLINE, unit, Limits(reasoning=True))) if role == "reasoning"]
    assert thoughts == ["thoughtword"]


def test_calls_of_the_models_own_kind(tmp_path: Path) -> None:
    path = task(tmp_path, native())
    put(path.with_name("history_item.json"), {"id": TASK, "workspace": "/home/u/beds", "task": "t"})
    put(path.with_name("task_metadata.json"), {"model_usage": [{"model_id": "older-model"}]})
    reading = read(CLINE, one(tmp_path))
    assert said(reading) == [
        ("user", "Plums?"),
        ("assistant", "I look."),
        ("tool_call", "beds.txt"),
        ("tool_result", "south: plums"),
        ("assistant", "In the south bed."),
        ("user", "Thank you"),
        ("summary", "Summary: plums."),
    ]
    assert [message.time for message in reading.messages] == [millis(second) for second in (1, 2, 2, 3, 4, 5, 6)]
    assert reading.messages[2].files == ("beds.txt",)
    assert (reading.session.cwd, reading.session.model) == ("/home/u/beds", "sonnet-9")
    assert (reading.records, reading.recognised, reading.unknown) == (9, 8, 2)


def test_a_task_that_another_started(tmp_path: Path) -> None:
    path = task(tmp_path, native()[:1])
    put(path.with_name("history_item.json"), {"id": TASK, "parentTaskId": "1"})
    reading = read(CLINE, one(tmp_path))
    assert (said(reading), reading.session.kind, reading.session.parent) == ([("note", "Plums?")], "subagent", "1")


def test_without_times_a_task_has_that_of_its_name(tmp_path: Path) -> None:
    task(tmp_path, [{"role": "user", "content": "<task>Plums?</task>"}])
    assert read(CLINE, one(tmp_path)).messages[0].time == millis(0)
    put(one(tmp_path).path.with_name("ui_messages.json"), "[broken")
    put(one(tmp_path).path.with_name("task_metadata.json"), "{}")
    assert read(CLINE, one(tmp_path)).messages[0].time == millis(0)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = task(tmp_path, "{not a list")
    reading = read(CLINE, one(tmp_path))
    assert (reading.messages, reading.skipped, [problem.kind for problem in reading.problems]) == ([], 1, ["bad_json"])
    path.write_text(" \n")
    with pytest.raises(NotReady):
        read(CLINE, one(tmp_path))
    task(tmp_path, tagged())
    with pytest.raises(Stopped):
        read(CLINE, one(tmp_path), stop=lambda: True)


def test_roots() -> None:
    home = SourcesHome(Path("/home/u"), {})
    roots = CLINE.roots(home)
    assert roots[0].parts[-4:] == ("Code", "User", "globalStorage", "saoudrizwan.claude-dev")
    assert roots[-1] == Path("/home/u/.cline/data")
    assert len(roots) == len(set(roots))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("<task>\na\n</task>", "a"),
        ("<task>never closed", "never closed"),
        ("x <feedback>a</feedback> y <user_message>b</user_message>", "a\nb"),
        ("<environment_details><task>no</task></environment_details>", ""),
        ("<environment_details><task>no", ""),
        ("plain words", ""),
    ],
)
def test_person_words(given: str, expected: str) -> None:
    assert person_words(given) == expected


def test_tags_inside_an_argument_are_content() -> None:
    text = "<write_to_file><path>a.html</path><content><br><p>plums</p></content></write_to_file>"
    (_, call, _) = pieces_of(text)
    assert (call.text, call.files) == ("a.html\ncontent: <br><p>plums</p>", ("a.html",))
    (_, call, _) = pieces_of("<write_to_file><path>a</path><content>cut <br> off")
    assert call.text == "a\ncontent: cut <br> off"


@pytest.mark.parametrize("mark", ["<br>", "<task>", "<environment_details ", "<thinking>", "<read_file>", "feedback "])
def test_marks_without_an_end_take_no_time(mark: str) -> None:
    text = "<write_to_file><content>" + mark * 100_000
    started = time.monotonic()
    pieces_of(text)
    person_words(text)
    output_words(text)
    assert time.monotonic() - started < 5


def test_words() -> None:
    assert result_in("[list_files for 'a'] Result:\nb") == ("list_files", "b")
    assert result_in("[browser_action] Result:\n") == ("browser_action", "")
    assert result_in("no result") == ("", "")
    assert folder_in("# Current Workspace Directory (/a (b)) Files\n") == "/a (b)"
    assert folder_in(text("nothing")["text"]) == ""
    assert [(piece.kind, piece.text) for piece in pieces_of("a <read_file><path>p</path></read_file> b")] == [
        ("said", "a"),
        ("call", "p"),
        ("said", "b"),
    ]
