"""What the agents' files say is what the set says: read back by the real adapters, and named by ids that lead back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from small_sets import SESSIONS, session

from tray_app.evaluation import native, question_set
from tray_app.evaluation.native import NOISE, Names
from tray_app.evaluation.question_set import Session
from tray_app.paths import SourcesHome
from tray_app.sources.base import Context, Limits, Reading
from tray_app.sources.registry import ADAPTERS

SMALL = [msgspec.convert(row, Session) for row in SESSIONS]
SHIPPED = question_set.shipped().sessions


def read_back(home: Path, agent: str, *, reasoning: bool = False) -> dict[str, Reading]:
    """All sessions of an agent below a home, by the id that the file gives them."""
    place = SourcesHome(home, {}, confined=True)
    problems: list[object] = []
    found = {}
    for root in ADAPTERS[agent].roots(place):
        for unit in ADAPTERS[agent].discover(root, Context(home=place), problems.append):
            reading = ADAPTERS[agent].read(unit, None, Limits(reasoning=reasoning), lambda: False)
            assert (reading.problems, reading.skipped, reading.unknown, reading.truncated) == ([], 0, 0, False)
            found[reading.session.id] = reading
    assert problems == []
    return found


def check(given: Session, names: Names, reading: Reading) -> None:
    """Every message of the session is in the reading, in its order, with its words, its time and an id that leads back to it."""
    wanted = [message for message in given.messages if message.role in question_set.VISIBLE]
    assert [message.role for message in reading.messages] == [message.role for message in wanted]
    for read, told in zip(reading.messages, wanted, strict=True):
        assert told.id in names.messages[read.id]
        assert {one.role for one in given.messages if one.id in names.messages[read.id]} <= {
            told.role,
            "tool_call",
            "tool_result",
        }
        assert read.text == told.text if told.role in ("user", "assistant") else told.text in read.text
        assert read.time == native.milliseconds(told)
    assert reading.session.cwd == given.cwd
    assert reading.session.title == given.title


@pytest.mark.parametrize("sessions", [SMALL, SHIPPED], ids=["small", "shipped"])
def test_the_adapters_read_exactly_what_the_set_says(tmp_path: Path, sessions: Sequence[Session]) -> None:
    written = native.write_home(tmp_path, sessions)
    read = {agent: read_back(tmp_path, agent) for agent in question_set.AGENTS}
    assert sum(map(len, read.values())) == len(sessions)
    for given, names in zip(sessions, written, strict=True):
        check(given, names, read[names.agent][names.session])


def test_nobodys_talk_is_in_the_files_but_is_not_read(tmp_path: Path) -> None:
    native.write_home(tmp_path, SMALL)
    for agent, word in (("claude_code", "auction"), ("codex", "auction"), ("dsh", "auction")):
        for reading in read_back(tmp_path, agent, reasoning=False).values():
            assert not any(word in message.text or NOISE in message.text for message in reading.messages)
    plain = "".join(file.read_text(encoding="utf-8") for file in tmp_path.rglob("*.jsonl"))
    for given in SMALL[:2]:
        for message in given.messages:
            assert native.to_json(message.text)[1:-1] in plain
    assert NOISE in plain


def test_thoughts_are_thoughts(tmp_path: Path) -> None:
    native.write_home(tmp_path, SMALL)
    thoughts = [
        message.text
        for agent in question_set.AGENTS
        for reading in read_back(tmp_path, agent, reasoning=True).values()
        for message in reading.messages
        if message.role == "reasoning"
    ]
    assert sorted(thoughts) == [
        "Maybe the bisque was fired too hot, who knows.",
        "Silicon carbide is probably out of budget here.",
    ]


@pytest.mark.parametrize("agent", question_set.AGENTS)
def test_unusual_orders_are_read_too(tmp_path: Path, agent: str) -> None:
    given = session(
        "odd",
        agent,
        ("assistant", "An agent that speaks first."),
        ("user", "one prompt"),
        ("user", "and another before any answer"),
        ("tool_result", "a result that nobody asked for"),
        ("tool_call", "first of two"),
        ("tool_call", "second of two"),
        ("tool_result", "result of the first"),
        ("tool_result", "result of the second"),
        ("injected", "# AGENTS.md\nnever shown"),
        ("user", 'with <tags> & "quotes"\n\n```py\nprint(1)\n```\n  and 缩进'),
        ("injected", "never shown either"),
    )
    told = msgspec.convert(given, Session)
    (names,) = native.write_home(tmp_path, [told])
    check(told, names, read_back(tmp_path, agent)[names.session])


def test_sessions_without_an_agent_go_to_each_in_turn(tmp_path: Path) -> None:
    sessions = [msgspec.structs.replace(SMALL[0], session=f"s{number}", agent="") for number in range(5)]
    assert [names.agent for names in native.write_home(tmp_path, sessions)] == [
        *("claude_code", "codex", "dsh"),
        *("claude_code", "codex"),
    ]


def test_the_same_set_gives_the_same_files(tmp_path: Path) -> None:
    for place in ("one", "two"):
        native.write_home(tmp_path / place, SMALL)
    files = {place: sorted((tmp_path / place).rglob("*")) for place in ("one", "two")}
    assert [file.relative_to(tmp_path / "one") for file in files["one"]] == [
        file.relative_to(tmp_path / "two") for file in files["two"]
    ]
    for one, two in zip(files["one"], files["two"], strict=True):
        assert one.is_dir() or one.read_bytes() == two.read_bytes()


def test_files_are_as_old_as_their_last_message(tmp_path: Path) -> None:
    native.write_home(tmp_path, SMALL)
    ages = {
        file.stat().st_mtime for pattern in ("*.jsonl.zstd", "rollout-*", "projects/*/*") for file in tmp_path.rglob(pattern)
    }
    assert ages == {given.messages[-1].moment.timestamp() for given in SMALL}


def test_a_session_lies_under_its_local_day(tmp_path: Path) -> None:
    late = session("late", "codex", ("user", "after midnight"))
    late["start"] = "2026-03-05T00:09:00+08:00"
    late["messages"][0]["time"] = "2026-03-04T16:10:00Z"
    native.write_home(tmp_path, [msgspec.convert(late, Session)])
    (file,) = tmp_path.rglob("rollout-*.jsonl")
    assert file.parent == tmp_path / ".codex" / "sessions" / "2026" / "03" / "05"
    assert file.name.startswith("rollout-2026-03-05T00-10-00-")


def test_ids_that_are_uuids_are_kept() -> None:
    own = "3d0b7c55-1b1f-4a55-8f07-4c3a5d1e9b02"
    assert msgspec.structs.replace(SMALL[0], session=own).native == own
    assert SMALL[0].native == msgspec.structs.replace(SMALL[0]).native != SMALL[1].native


def test_replies_hold_one_text_and_what_it_calls() -> None:
    told = msgspec.convert(
        session(
            "r", "dsh", ("user", "u"), ("reasoning", "r"), ("assistant", "a"), ("tool_call", "c"), ("tool_call", "d"),
            ("assistant", "b"), ("tool_result", "o"), ("tool_call", "e"),
        ),
        Session,
    )  # fmt: skip
    assert [(role, "".join(message.text for message in messages)) for role, messages in native.replies(told.messages)] == [
        ("user", "u"),
        ("reply", "racd"),
        ("reply", "b"),
        ("tool_result", "o"),
        ("reply", "e"),
    ]


def test_times_are_in_milliseconds() -> None:
    moment = datetime.fromisoformat("2026-03-04T09:01:00.250+00:00")
    assert native.iso(round(moment.timestamp() * 1000)) == "2026-03-04T09:01:00.250Z"
