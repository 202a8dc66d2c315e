"""The check-up: every finding true, with a remedy, worst first."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tray_app.errors import KnownError
from tray_app.insight.agreement import Agreement
from tray_app.insight.doctor import examine, of_clock, of_topics
from tray_app.insight.topics import TopicFault
from tray_app.records import Counters, Embedding, Owner, Problem, SourceView, Status


def source(**facts: Any) -> SourceView:
    given = {
        "id": "codex",
        "agent": "codex",
        "name": "Codex",
        "path": "/x/.codex",
        "found": True,
        "enabled": True,
        "state": "ok",
    }
    return SourceView(**{**given, **facts})


def status(*sources: SourceView, **facts: Any) -> Status:
    made = Status(
        totals=Counters(), sources=sources or (source(),), built_at=None, oldest=None, newest=None, index_bytes=0, text_bytes=0,
        memory_bytes=0, embedding=Embedding(), spaces=("default",), version="1", schema=1, pipeline_version=1,
        owner=Owner(pid=1, kind="cli"),
    )  # fmt: skip
    return msgspec.structs.replace(made, **facts)


def findings(of: Status, data: Path, *, problems: list[Problem] | None = None, **more: Any) -> dict[str, Any]:
    given = {"fts_reason": "", "setting_faults": [], "set_aside": "", "disk": Agreement()}
    found = examine(of, problems or [], data, **{**given, **more})
    assert all(finding.remedy for finding in found if finding.code != "all_in_order")
    severities = [("error", "warn", "info", "ok").index(finding.severity) for finding in found]
    assert severities == sorted(severities)
    return {finding.code: finding for finding in found}


def test_in_order(tmp_path: Path) -> None:
    assert list(findings(status(), tmp_path)) == ["all_in_order"]


@pytest.mark.parametrize(
    ("view", "code", "severity"),
    [
        (source(found=False), "source_offline", "warn"),
        (source(counters=Counters(quarantined_files=2)), "files_set_aside", "warn"),
        (source(counters=Counters(skipped_records=3)), "records_skipped", "info"),
        (source(counters=Counters(over_budget_files=4)), "over_budget", "info"),
        (source(state="partial", counters=Counters(files=5)), "not_recognised", "error"),
        (source(enabled=False, found=False), "no_sources", "info"),
    ],
)
def test_what_a_source_shows(tmp_path: Path, view: SourceView, code: str, severity: str) -> None:
    found = findings(status(view), tmp_path)
    assert found[code].severity == severity
    assert ("all_in_order" in found) == (severity == "info")


def test_what_is_not_read_is_no_finding(tmp_path: Path) -> None:
    assert "source_offline" not in findings(status(source(), source(id="dsh", found=False, enabled=False)), tmp_path)


def test_faults_of_the_library_itself(tmp_path: Path) -> None:
    unreadable = Problem(path="/x/locked", line=0, offset=0, kind="unreadable", reason="Permission denied")
    found = findings(
        status(last_error="disk I/O error"), tmp_path, problems=[unreadable], fts_reason="not installed",
        setting_faults=["search.limit: not a number"], set_aside="index.duckdb.corrupt-1",
    )  # fmt: skip
    assert list(found) == ["last_error", "fts_missing", "index_set_aside", "unreadable", "setting_fault"]
    assert found["unreadable"].params == {"count": "1", "path": "/x/locked"}


def test_how_the_index_agrees_with_the_files(tmp_path: Path) -> None:
    found = findings(status(), tmp_path, disk=Agreement(looked_at=40, changed=2, missing=1))
    assert (found["index_behind"].severity, found["index_behind"].params) == ("info", {"count": "3", "total": "40"})
    assert "agrees" not in found["all_in_order"].detail
    assert "agrees" in findings(status(), tmp_path)["all_in_order"].detail
    paused = findings(status(paused=True), tmp_path, disk=Agreement(looked_at=40, changed=2))
    assert "Resume" in paused["index_behind"].remedy
    assert "index_behind" not in findings(status(indexing=True), tmp_path, disk=Agreement(looked_at=40, changed=2))


def test_what_claude_code_will_delete(tmp_path: Path) -> None:
    found = findings(status(), tmp_path, disk=Agreement(looked_at=40, vanishing=7, days=30))
    assert (found["retention"].severity, found["retention"].params) == ("info", {"count": "7", "days": "30"})


def test_little_space_and_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 123_000_000}))
    assert findings(status(), tmp_path)["disk_low"].params == {"count": "123"}
    monkeypatch.undo()
    with pytest.raises(KnownError, match="data folder"):
        findings(status(), tmp_path / "gone")


NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"built_at": "2026-11-30T12:30:00Z"}, None),
        ({"built_at": "2026-11-30T13:30:00Z"}, "clock_back"),
        ({"newest": "2026-12-01T11:00:00Z"}, None),
        ({"newest": "2026-12-02T11:00:00Z"}, "times_ahead"),
        ({"built_at": "2027-01-01T00:00:00Z", "newest": "2027-01-01T00:00:00Z"}, "clock_back"),
    ],
)
def test_a_clock_that_jumped(facts: dict[str, str], code: str | None) -> None:
    assert [one.code for one in of_clock(status(**facts), NOW)] == ([code] if code else [])


def test_a_chat_model_that_names_nothing() -> None:
    assert of_topics(None) == []
    (one,) = of_topics(TopicFault("service_key", "The key was refused.", "Replace it."))
    assert (one.code, one.severity, one.remedy) == ("topics_stopped", "warn", "Replace it.")
