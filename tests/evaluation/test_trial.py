"""Whole trials with the real engine: exact figures on a tiny set, the person's files out of reach, floors for the shipped set."""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path

import pytest
from small_sets import QUESTIONS, SESSIONS, put, question, session

from tray_app.errors import KnownError
from tray_app.evaluation import question_set, trial
from tray_app.evaluation.scoring import Leak
from tray_app.paths import Paths
from tray_app.settings import Settings

WORDS = {"meaning.backend": "off"}


def everything(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))


def test_a_tiny_set_in_figures(tmp_path: Path) -> None:
    told: list[str] = []
    given = question_set.load(*put(tmp_path / "set"))
    result = trial.run(given, tmp_path / "run", WORDS, mode="words", with_floor=True, report=told.append)
    assert (result.sessions, result.messages, result.rounds, result.questions) == (3, 15, 4, 4)
    assert (result.mode, result.limit, result.missing_sessions, result.leaks) == ("words", 20, 0, ())
    assert result.engines == {"fts": 4}
    assert result.meaning.backend == "off"
    assert result.floor is not None
    for scores in (result.scores, result.floor):
        figures = scores.groups["all"]
        assert (figures.n, figures.answerable) == (4, 3)
        assert (figures.recall_1, figures.recall_5, figures.session_1, figures.mrr) == (1.0, 1.0, 1.0, 1.0)
        assert (figures.found, figures.false_found, figures.precision) == (1.0, 0.0, 1.0)
        assert [(one.id, one.rank) for one in scores.questions] == [("e1", 1), ("z1", 1), ("t1", 1), ("u1", None)]
        assert list(scores.groups)[1:] == [
            "category:exact",
            "category:tool_result",
            "category:unanswerable",
            "lang:en",
            "lang:zh",
        ]
    assert told == ["3 sessions are written; they are indexed now.", "4 questions are asked."]


def test_what_comes_back_and_must_not_is_told(tmp_path: Path) -> None:
    traps = tmp_path / "traps.json"
    traps.write_text('{"never_return": {"injected": ["specific gravity"]}, "secrets": ["porcelain auction"]}', encoding="utf-8")
    given = question_set.load(*put(tmp_path / "set"), traps)
    result = trial.run(given, tmp_path / "run", WORDS)
    assert result.leaks == (Leak("e1", "injected", "specific gravity"),)


def test_the_moment_of_asking_and_the_zone_are_the_sets(tmp_path: Path) -> None:
    """00:30 of the 8th where the person is, and still the 7th in UTC."""
    night = session("night", "dsh", ("user", "the damper sticks"), ("assistant", "File the pin of the damper."), day=7)
    night["start"] = "2026-03-08T00:30:00+08:00"
    for number, one in enumerate(night["messages"], 30):
        one["time"] = f"2026-03-07T16:{number}:00Z"
    day = session("day", "dsh", ("user", "the damper sticks again"), ("assistant", "Replace the pin of the damper."), day=7)
    asked = question("t", "the damper yesterday", ("night", "1 2"), category="time") | {"asked_at": "2026-03-09T08:00:00+08:00"}
    given = question_set.load(*put(tmp_path / "set", [night, day], [asked]))
    result = trial.run(given, tmp_path / "run", WORDS)
    assert [one.rank for one in result.scores.questions] == [1]


def test_nothing_of_the_persons_is_touched(tmp_path: Path, isolated: Path) -> None:
    paths = Paths.from_environment().ensure()
    settings = Settings(paths.settings_file)
    settings.set("search.found_share", 0.4)
    settings.set("sources.enabled", ["claude_code"])
    put(isolated / ".claude" / "projects" / "mine", SESSIONS, [])
    before, environment, zone = everything(isolated), dict(os.environ), time.tzname
    result = trial.run(question_set.load(*put(tmp_path / "set")), tmp_path / "run", settings.as_dict() | WORDS)
    assert everything(isolated) == before
    assert dict(os.environ) == environment
    assert time.tzname == zone
    assert result.missing_sessions == 0
    taken = Settings(tmp_path / "run" / "backscroll" / "config" / "settings.toml")
    assert (taken["search.found_share"], taken["meaning.backend"]) == (0.4, "off")
    assert "claude_code" in taken["sources.enabled"]
    assert len(taken["sources.enabled"]) > 1  # what is ticked there is what the trial ticked


def test_the_environment_is_put_back_after_a_fault(tmp_path: Path) -> None:
    given = question_set.load(*put(tmp_path / "set"))
    environment = dict(os.environ)
    with pytest.raises(RuntimeError), trial.isolated(tmp_path, given):
        assert os.environ["BACKSCROLL_HOME"] == str(tmp_path / "backscroll")
        assert os.environ["BACKSCROLL_NOW"] == "2026-03-20T10:00:00+08:00"
        raise RuntimeError
    assert dict(os.environ) == environment


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(KnownError, match="cannot be written"):
        trial.run(question_set.load(*put(tmp_path / "set")), tmp_path / "file", WORDS)


@pytest.mark.parametrize(
    ("moment", "rule"),
    [
        ("2026-03-04T00:00:00+08:00", "Etc/GMT-8"),
        ("2026-03-04T00:00:00-05:00", "Etc/GMT+5"),
        ("2026-03-04T00:00:00Z", "Etc/GMT"),
        ("2026-03-04T00:00:00+05:30", "<+0530>-05:30"),
        ("2026-03-04T00:00:00-03:30", "<-0330>+03:30"),
    ],
)
def test_zones_by_offset(moment: str, rule: str) -> None:
    assert trial.zone_rule(datetime.fromisoformat(moment)) == rule


def test_a_session_that_says_nothing_is_missing(tmp_path: Path) -> None:
    silent = session("silent", "dsh", ("injected", "only the harness speaks"))
    given = question_set.load(*put(tmp_path / "set", [*SESSIONS, silent], QUESTIONS))
    assert trial.run(given, tmp_path / "run", WORDS).missing_sessions == 1


def test_floors_of_the_shipped_set_with_words_alone(tmp_path: Path) -> None:
    """Held out: nothing is tuned on it. The floors stand a few points below what is reached, so that a loss is seen."""
    result = trial.run(question_set.shipped(), tmp_path, WORDS, mode="words", with_floor=True)
    assert result.floor is not None
    groups, plain = result.scores.groups, result.floor.groups
    figures = groups["all"]
    assert result.missing_sessions == 0
    assert result.leaks == ()
    assert figures.false_found == 0
    floors = {
        "recall_1": 0.45,
        "recall_5": 0.7,
        "recall_10": 0.75,
        "session_1": 0.6,
        "session_5": 0.75,
        "mrr": 0.58,
        "found": 0.42,
    }
    reached = {name: getattr(figures, name) for name in floors}
    assert {name: value for name, value in reached.items() if value < floors[name]} == {}
    assert figures.precision is not None
    assert figures.precision >= 0.8
    for name in ("exact", "identifier", "tool_result", "short", "time"):
        assert (groups[f"category:{name}"].recall_5 or 0) >= 0.9, name
    assert (groups["category:time"].session_1 or 0) >= 0.8
    for name in ("recall_5", "recall_10", "session_1", "session_5", "mrr"):
        assert getattr(figures, name) > getattr(plain["all"], name), name


def test_vectors_are_waited_for(tmp_path: Path) -> None:
    told: list[str] = []
    given = question_set.load(*put(tmp_path / "set"))
    result = trial.run(given, tmp_path / "run", {"meaning.backend": "builtin"}, cache=tmp_path / "none", report=told.append)
    assert told[1] == "Vectors are made."
    assert (result.meaning.backend, result.meaning.missing, result.meaning.error_code) == ("builtin", 0, "")
    assert result.meaning.vectors > 0
    assert result.meanings == {"on": 4}
    assert result.embed_s > 0
    figures = result.scores.groups["all"]
    assert (figures.recall_5, figures.false_found) == (1.0, 0.0)
    assert (tmp_path / "run" / "backscroll" / "cache").is_dir()
    assert not (tmp_path / "none").exists()


def test_a_back_end_that_is_not_there_leaves_it_to_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "PATIENCE_S", 0.1)
    monkeypatch.setattr(trial, "RETRY_S", 0.05)
    monkeypatch.setenv("BACKSCROLL_MEANING_KEY", "none")  # no keyring is asked
    given = question_set.load(*put(tmp_path / "set"))
    settings = {"meaning.backend": "ollama", "meaning.model": "m", "meaning.url": "http://127.0.0.1:9"}
    result = trial.run(given, tmp_path / "run", settings)
    assert result.engines == {"fts": 4}
    assert result.meaning.error_code == "embedding_unreachable"
    assert result.meaning.missing > 0
    assert result.scores.groups["all"].recall_1 == 1.0
