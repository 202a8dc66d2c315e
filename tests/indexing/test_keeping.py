"""Sessions that their agent deleted: they stay where that is wanted, marked, and leave again; and copies of files after a pass."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from data.claude_files import START, Chat, make_id, write

from tray_app.engine import Engine
from tray_app.errors import UsageError
from tray_app.paths import Paths
from tray_app.records import SearchRequest, SessionItem
from tray_app.settings import Settings

NOW = (START + timedelta(days=3)).isoformat()
DAY = 86_400


def chat_file(home: Path, label: str) -> Path:
    return home / ".claude" / "projects" / "-made-up" / f"{make_id(label)}.jsonl"


def add(home: Path, label: str, said: str, *, idle_days: float = 0) -> Path:
    chat = Chat(label)
    path = write(chat_file(home, label), [chat.user(said), chat.answer(f"Noted: {label}.")])
    moment = time.time() - idle_days * DAY
    os.utime(path, (moment, moment))
    return path


@pytest.fixture
def engine(isolated: Path) -> Iterator[Engine]:
    add(isolated, "first", "The heron stands in the pond.", idle_days=10)
    add(isolated, "second", "The otter swims below the weir.")
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    made.index(all_sources=True)
    yield made
    made.close()


def listed(engine: Engine) -> dict[str, SessionItem]:
    return {item.session: item for item in engine.sessions()}


def test_without_the_setting_a_deleted_session_leaves(engine: Engine, isolated: Path) -> None:
    chat_file(isolated, "first").unlink()
    engine.index()
    assert set(listed(engine)) == {make_id("second")}


def test_with_it_the_session_stays_and_says_that_its_file_is_gone(engine: Engine, isolated: Path) -> None:
    engine.set_config("keep.gone", True)
    chat_file(isolated, "first").unlink()
    for _ in range(2):
        report = engine.index()
        assert report.totals.gone_sessions == 1
    items = listed(engine)
    assert (items[make_id("first")].gone, items[make_id("first")].resume_command) == (True, "")
    assert not items[make_id("second")].gone
    assert items[make_id("second")].resume_command
    (found,) = engine.search(SearchRequest(query="heron", now=NOW)).sessions
    assert (found.gone, found.resume_command) == (True, "")
    assert found.hits[0].path == str(chat_file(isolated, "first"))
    view = engine.show(make_id("first"))
    assert (view.gone, view.resume_command, view.archived) == (True, "", False)
    findings = {finding.code: finding for finding in engine.doctor()}
    assert findings["gone_kept"].params == {"count": "1"}
    assert "index_behind" not in findings
    assert engine.kept().gone == 1


def test_a_session_that_comes_back_is_no_longer_marked(engine: Engine, isolated: Path, tmp_path: Path) -> None:
    engine.set_config("keep.gone", True)
    away = tmp_path / "away.jsonl"
    shutil.move(chat_file(isolated, "first"), away)
    engine.index()
    shutil.move(away, chat_file(isolated, "first"))
    report = engine.index()
    item = listed(engine)[make_id("first")]
    assert (item.gone, bool(item.resume_command), report.totals.gone_sessions) == (False, True, 0)


def test_turned_off_again_it_leaves_at_the_next_pass(engine: Engine, isolated: Path) -> None:
    engine.set_config("keep.gone", True)
    chat_file(isolated, "first").unlink()
    engine.index()
    engine.wake.clear()
    engine.set_config("keep.gone", False)
    assert engine.wake.is_set()
    engine.index()
    assert set(listed(engine)) == {make_id("second")}


def test_it_survives_a_rebuild_and_leaves_with_its_source(engine: Engine, isolated: Path) -> None:
    engine.set_config("keep.gone", True)
    chat_file(isolated, "first").unlink()
    engine.index()
    engine.index(full=True)
    assert listed(engine)[make_id("first")].gone
    engine.set_source("claude_code", False)
    engine.index()
    assert listed(engine) == {}


def test_what_is_older_than_the_window_leaves_all_the_same(engine: Engine, isolated: Path) -> None:
    engine.set_config("keep.gone", True)
    chat_file(isolated, "first").unlink()
    engine.index()
    engine.set_config("index.days", 5)
    engine.index()
    assert set(listed(engine)) == {make_id("second")}


# --- the archive ---------------------------------------------------------------------------------------------------------
def test_files_are_copied_after_a_pass_where_that_is_wanted(engine: Engine, isolated: Path) -> None:
    assert engine.kept().sessions == 0
    engine.set_config("keep.archive", True)
    engine.index()
    kept, status = engine.kept(), engine.status()
    assert (kept.on, kept.sessions, kept.bytes) == (True, 1, chat_file(isolated, "first").stat().st_size)
    assert (status.archive_on, status.archived_sessions, status.archive_bytes) == (True, 1, kept.stored)
    assert [copy.session for copy in engine.keeping.archive.copies()] == [make_id("first")]


def test_the_copy_is_the_anchor_of_a_session_that_is_gone(engine: Engine, isolated: Path, tmp_path: Path) -> None:
    source = chat_file(isolated, "first")
    content = source.read_bytes()
    assert engine.keep_now().copied == 1
    engine.set_config("keep.gone", True)
    source.unlink()
    engine.index()
    copy = str(engine.paths.data / "archive" / "claude_code" / f"{make_id('first')}.zst")
    view = engine.show(make_id("first"))
    assert (view.path, view.archived) == (copy, True)
    assert engine.search(SearchRequest(query="heron", now=NOW)).sessions[0].hits[0].path == copy
    (path,) = engine.write_out(make_id("first")[:8], str(tmp_path / "out"))
    assert Path(path).read_bytes() == content
    assert Path(path).name == source.name


@pytest.mark.parametrize("target", [".claude/projects/-made-up", ".claude/projects/new", ".codex/sessions", "link/below"])
def test_nothing_is_written_into_an_agents_folder(engine: Engine, isolated: Path, target: str) -> None:
    engine.keep_now()
    (isolated / ".codex").mkdir(exist_ok=True)
    (isolated / "link").symlink_to(isolated / ".claude" / "projects", target_is_directory=True)
    with pytest.raises(UsageError) as caught:
        engine.write_out(make_id("first"), str(isolated / target))
    assert caught.value.code == "agents_folder"


def test_excluded_and_unticked_sessions_are_not_copied(engine: Engine, isolated: Path) -> None:
    engine.set_config("privacy.excluded_workspaces", ["/home/kim/shop"])
    engine.index()
    assert engine.keep_now().copied == 0
    engine.set_config("privacy.excluded_workspaces", [])
    engine.set_source("claude_code", False)
    engine.index()
    assert engine.keep_now().copied == 0


def test_what_goes_wrong_with_copies_leaves_the_pass_good(engine: Engine, isolated: Path) -> None:
    (engine.paths.data / "archive").write_text("in the way")
    engine.set_config("keep.archive", True)
    add(isolated, "third", "The kingfisher dives.")
    report = engine.index()
    assert (report.stopped, report.totals.sessions) == (False, 3)
    assert engine.status().archive_error
    assert "archive_failed" in {finding.code for finding in engine.doctor()}


def test_what_vanishes_when_is_told(engine: Engine, isolated: Path) -> None:
    add(isolated, "old", "The crane leaves.", idle_days=27)
    engine.index()
    status = engine.status()
    assert status.vanishing == 1
    assert status.vanishing_first is not None
    first = time.time() + 3 * DAY
    assert abs(datetime.fromisoformat(status.vanishing_first).timestamp() - first) < 120
    assert "retention" in {finding.code for finding in engine.doctor()}
