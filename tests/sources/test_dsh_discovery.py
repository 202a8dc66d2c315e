"""Which files are DSH sessions, what they are called, and which of them are archived."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from data.dsh_files import SESSION, frames, header, put

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Context, Limits, Unit
from tray_app.sources.dsh import DshAdapter, session_name

DSH = DshAdapter()


def units(home: Path, problems: list[Problem] | None = None) -> list[Unit]:
    context = Context(home=SourcesHome(home, {}))
    found = list(DSH.discover(home, context, (problems if problems is not None else []).append))
    return sorted(found, key=lambda unit: unit.session)


def test_discovery_takes_canonical_names_only(tmp_path: Path) -> None:
    data = frames(header(), [])
    for file in (
        "session.v0.jsonl.zstd",
        "session.v04.jsonl",
        "session.V4.jsonl",
        "session.lock",
        "session.jsonl.zstd.0123456789ab.tmp",
        "session.migration.0011aabbccddeeff.jsonl.zstd.tmp",
        "session.v4.jsonl.zstd\n" if os.name == "posix" else "session.v4.jsonl.bak",
    ):
        put(tmp_path, data, file)
    (tmp_path / "sessions" / "session.jsonl").write_bytes(b"{}\n")
    assert units(tmp_path) == []
    path = put(tmp_path, data, session="session-1~0020~D83C~DF37")
    (unit,) = units(tmp_path)
    assert (unit.path, unit.session, unit.root, unit.agent) == (path, "session-1 🌷", tmp_path, "dsh")
    assert (unit.size, unit.mtime_ns) == (path.stat().st_size, path.stat().st_mtime_ns)
    (moved,) = units(tmp_path / "sessions")
    assert moved.path == path
    assert units(tmp_path / "nowhere") == []


def test_folder_names_are_unescaped_whatever_they_are() -> None:
    assert session_name("~002E~002E") == ".."
    assert session_name("plain-~5C0F~6797") == "plain-小林"
    assert session_name("~D83C alone ~12 ~zzzz") == "\ufffd alone ~12 ~zzzz"


def registry(home: Path, content: str) -> None:
    path = home / "storages" / "workspace.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")


def test_archived_sessions_are_those_of_the_registry(tmp_path: Path) -> None:
    put(tmp_path, frames(header(), []))
    put(tmp_path, frames(header(4, "other"), []), session="other")
    registry(tmp_path, json.dumps({"unit": {}, "global": {"archivedSessionIds": ["other"], "workspaceIds": []}}))
    assert [(unit.session, unit.archived) for unit in units(tmp_path)] == [("other", True), (SESSION, False)]
    assert [unit.archived for unit in units(tmp_path / "sessions")] == [True, False]
    assert DSH.read(units(tmp_path)[0], None, Limits(), lambda: False).session.archived is True


@pytest.mark.parametrize("content", ["", "{", '{"global":{"archivedSessionIds":[7]}}', "[]", "[" * 100_000])
def test_a_malformed_registry_is_reported_and_stops_nothing(tmp_path: Path, content: str) -> None:
    put(tmp_path, frames(header(), []))
    registry(tmp_path, content)
    problems: list[Problem] = []
    assert [unit.archived for unit in units(tmp_path, problems)] == [False]
    assert [(Path(problem.path).name, problem.kind) for problem in problems] == [("workspace.json", "bad_json")]


def test_a_registry_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    put(tmp_path, frames(header(), []))
    (tmp_path / "storages" / "workspace.json").mkdir(parents=True)
    problems: list[Problem] = []
    assert [unit.archived for unit in units(tmp_path, problems)] == [False]
    assert [(Path(problem.path).name, problem.kind) for problem in problems] == [("workspace.json", "unreadable")]


def test_the_usual_folder_is_asked_of_the_environment(tmp_path: Path) -> None:
    assert DSH.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".dsh"]
    assert DSH.roots(SourcesHome(tmp_path, {"DSH_HOME": str(tmp_path / "d")})) == [tmp_path / "d"]
    assert DSH.roots(SourcesHome(tmp_path, {"DSH_HOME": "  "})) == [tmp_path / ".dsh"]
