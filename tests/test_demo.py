"""The made-up sessions, read by the real adapters."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tray_app import demo
from tray_app.engine import Engine
from tray_app.paths import Paths, SourcesHome
from tray_app.records import SearchRequest
from tray_app.settings import Settings
from tray_app.sources.base import Context, Limits
from tray_app.sources.registry import ADAPTERS

NOW = datetime(2026, 3, 9, 15, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


def files(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_environment_points_into_the_folder(tmp_path: Path) -> None:
    assert demo.make(tmp_path, NOW) == {
        "BACKSCROLL_HOME": str(tmp_path / "backscroll"),
        "BACKSCROLL_SOURCES_HOME": str(tmp_path / "home"),
    }
    assert [child.name for child in tmp_path.iterdir()] == ["home"]


def test_the_same_moment_gives_the_same_files(tmp_path: Path) -> None:
    demo.make(tmp_path / "demo", NOW)
    before = files(tmp_path / "demo")
    demo.make(tmp_path / "demo", NOW)
    assert files(tmp_path / "demo") == before


def test_three_agents_two_languages_a_dozen_sessions() -> None:
    told = dict(demo.stories())
    assert len(told) >= 12
    assert {story.agent for story in told.values()} == set(demo.WRITERS)
    assert sum(name.endswith("-zh") for name in told) >= 3
    assert len({story.folder for story in told.values()}) >= 3


def test_stories_are_in_order_and_begin_with_the_person() -> None:
    starts = [demo._start(story, NOW) for _, story in demo.stories()]
    assert starts == sorted(starts)
    for _, story in demo.stories():
        assert story.talk[0].you and story.talk[-1].agent
        for part in story.talk:
            assert sum(map(bool, (part.you, part.agent, part.tool))) == 1


@pytest.mark.parametrize("hour", [0, 6, 12, 18, 23])
def test_nothing_is_dated_after_now(tmp_path: Path, hour: int) -> None:
    now = NOW.replace(hour=hour, minute=1)
    for _, story in demo.stories():
        start = demo._start(story, now)
        assert now - timedelta(days=40) < start
        assert start + demo.STEP * len(story.talk) <= now


@pytest.mark.parametrize("name", ["claude_code", "codex", "dsh"])
def test_the_adapter_reads_exactly_what_was_said(tmp_path: Path, name: str) -> None:
    home = SourcesHome(Path(demo.make(tmp_path, NOW)["BACKSCROLL_SOURCES_HOME"]), {}, confined=True)
    adapter = ADAPTERS[name]
    problems: list[object] = []
    read = {}
    for root in adapter.roots(home):
        for unit in adapter.discover(root, Context(home=home), problems.append):
            reading = adapter.read(unit, None, Limits(), lambda: False)
            assert reading.problems == []
            assert (reading.skipped, reading.unknown, reading.repeated, reading.truncated) == (0, 0, 0, False)
            read[reading.session.start] = reading
    assert problems == []

    told = [(key, story) for key, story in demo.stories() if story.agent == name]
    assert len(read) == len(told)
    for (_, story), (start, reading) in zip(told, sorted(read.items()), strict=True):
        begun = demo._start(story, NOW)
        assert start == round(begun.timestamp() * 1000)
        assert reading.session.cwd == str(tmp_path / "home" / "projects" / story.folder)
        assert reading.session.title == story.title
        expected: list[tuple[str, str]] = []
        for part in story.talk:
            if part.you:
                expected.append(("user", demo.words(part.you)))
            elif part.agent:
                expected.append(("assistant", demo.words(part.agent)))
        said = [(message.role, message.text) for message in reading.messages if message.role in ("user", "assistant")]
        assert said == expected
        calls = [message for message in reading.messages if message.role == "tool_call"]
        results = [message for message in reading.messages if message.role == "tool_result"]
        tools = [part for part in story.talk if part.tool]
        assert [message.tool for message in calls] == [part.tool for part in tools]
        for part, result in zip(tools, results, strict=True):
            assert demo.words(part.output) in result.text
        assert all(message.id for message in reading.messages)
        assert len({(message.role, message.id) for message in reading.messages}) == len(reading.messages)
        last = begun + demo.STEP * len(story.talk)
        assert all(start <= message.time <= last.timestamp() * 1000 for message in reading.messages)


def test_the_memory_files_are_read(tmp_path: Path) -> None:
    demo.make(tmp_path, NOW)
    home = SourcesHome(tmp_path / "home", {}, confined=True)
    workspaces = tuple(sorted({str(tmp_path / "home" / "projects" / story.folder) for _, story in demo.stories()}))
    context = Context(home=home, workspaces=workspaces)
    adapter = ADAPTERS["memory"]
    units = [unit for root in adapter.roots(home) for unit in adapter.discover(root, context, lambda problem: None)]
    notes = {unit.path.parent.name: adapter.read(unit, None, Limits(), lambda: False).messages for unit in units}
    assert set(notes) == {".claude", "harbour-api"}
    assert "decision 11, replaces decision 7" in notes["harbour-api"][0].text


def test_the_questions_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way: made, indexed, asked. The right session stands first, and we are sure of it."""
    for name, value in demo.make(tmp_path, NOW).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("BACKSCROLL_NOW", NOW.isoformat())
    paths = Paths.from_environment()
    engine = Engine(paths, Settings(paths.settings_file))
    try:
        report = engine.index(all_sources=True)
        assert report.problems == ()
        answers = {question: engine.search(SearchRequest(query=question)) for question in demo.QUESTIONS}
    finally:
        engine.close()
    assert {question: (answer.found, answer.sessions[0].title) for question, answer in answers.items()} == {
        "why did we move the job queue off Redis": (True, "Move the job queue from Redis Streams to Postgres"),
        "SKIP LOCKED": (True, "Move the job queue from Redis Streams to Postgres"),
        "夏令时 差一小时": (True, "夏令时切换后潮汐时间差一小时"),
        "ECONNRESET charged twice": (True, "Webhook retries charge customers twice"),
        "which port does staging use yesterday": (True, "Staging server: port, rate limit, seed data"),
        "白屏 QuotaExceededError": (True, "iOS Safari 白屏：QuotaExceededError"),
        "restic locked agent:dsh": (True, "Nightly restic backup fails: repository is already locked"),
        "40P01": (True, "Deadlock in group bookings"),
    }
    assert report.totals.redacted == 1


def test_dates_follow_the_zone_of_now(tmp_path: Path) -> None:
    demo.make(tmp_path / "shanghai", NOW)
    demo.make(tmp_path / "utc", NOW.astimezone(UTC))
    first = {}
    for place in ("shanghai", "utc"):
        file = next((tmp_path / place).rglob("rollout-*.jsonl"))
        first[place] = datetime.fromisoformat(json.loads(file.read_text(encoding="utf-8").splitlines()[0])["timestamp"])
    assert first["utc"] - first["shanghai"] == timedelta(hours=8)


@pytest.mark.parametrize(
    ("cwd", "folder"),
    [
        ("/home/alex/projects/harbour-api", "--home-alex-projects-harbour-api--"),
        ("C:\\work\\agent", "--C-work-agent--"),
        ("/srv/小 林", "--srv-~5C0F~0020~6797--"),
        ("/srv/😀", "--srv-~D83D~DE00--"),
        ("/", "--root--"),
    ],
)
def test_dsh_folder_names(cwd: str, folder: str) -> None:
    assert demo.dsh_folder(cwd) == folder
