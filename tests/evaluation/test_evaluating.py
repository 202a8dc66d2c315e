"""`backscroll eval`: what it prints, what it leaves, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_sets import QUESTIONS, put

from tray_app import logs
from tray_app.cli import evaluating
from tray_app.cli.commands import parse
from tray_app.cli.main import main
from tray_app.paths import Paths
from tray_app.settings import Settings

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Run]:
    """`run("--json")`: exit code, standard output, standard error. Throw-away folders are made in `tmp_path`/temporary."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["eval", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    yield command
    logs.shutdown()


@pytest.fixture
def small(tmp_path: Path) -> tuple[str, ...]:
    sessions, questions = put(tmp_path / "set")
    return "--sessions", str(sessions), "--queries", str(questions), "--mode", "words"


def test_the_table(run: Run, small: tuple[str, ...], tmp_path: Path) -> None:
    code, out, err = run(*small, "--floor")
    assert (code, err) == (0, "3 sessions are written; they are indexed now.\n4 questions are asked.\n")
    lines = out.splitlines()
    assert lines[0] == "3 sessions, 15 messages, 4 rounds; 4 questions; mode words, 20 passages each"
    assert re.fullmatch(r"Answered by fts \(4\); indexed in \d+\.\d s; meaning: off", lines[1])
    assert lines[3].split() == ["n", "r@1", "r@5", "r@10", "s@1", "s@5", "MRR", "found", "false", "precision"]
    assert lines[4].split() == ["all", "4", *["1.000"] * 7, "0.000", "1.000"]
    assert "category:unanswerable  1  -      -      -      -      -      -      -      0.000  -" in lines
    assert "Plain BM25 over rounds, for comparison" in lines
    assert "Text that must not come back: 0 times" in lines
    assert list((tmp_path / "temporary").iterdir()) == []


def test_one_object(run: Run, small: tuple[str, ...]) -> None:
    code, out, _ = run(*small, "--json", "--first", "2", "--limit", "5")
    result = json.loads(out)
    assert code == 0
    assert (result["questions"], result["limit"], result["floor"], result["leaks"]) == (2, 5, None, [])
    assert result["scores"]["groups"]["lang:zh"]["recall_1"] == 1.0
    assert [one["id"] for one in result["scores"]["questions"]] == ["e1", "z1"]


def test_leaks_are_shown(run: Run, small: tuple[str, ...], tmp_path: Path) -> None:
    traps = tmp_path / "traps.json"
    traps.write_text('{"secrets": ["specific gravity"]}', encoding="utf-8")
    _, out, _ = run(*small, "--traps", str(traps))
    assert "Text that must not come back: 1 time\n  e1: secret: specific gravity\n" in out


def test_a_named_folder_is_kept_and_must_be_empty(run: Run, small: tuple[str, ...], tmp_path: Path) -> None:
    assert run(*small, "--home", str(tmp_path / "kept"))[0] == 0
    assert {file.name for file in (tmp_path / "kept").iterdir()} == {"home", "backscroll"}
    code, _, err = run(*small, "--home", str(tmp_path / "kept"))
    assert code == 2
    assert "is not an empty folder" in err
    assert run(*small, "--home", str(tmp_path / "set" / "queries.jsonl"))[0] == 2


def test_the_shipped_set_without_arguments(run: Run) -> None:
    code, out, _ = run("--first", "3", "--backend", "off", "--json")
    result = json.loads(out)
    assert (code, result["sessions"], result["questions"], result["mode"]) == (0, 48, 3, "auto")
    assert result["meaning"]["backend"] == "off"


def test_the_persons_settings_are_taken_and_left_alone(run: Run, small: tuple[str, ...]) -> None:
    file = Paths.from_environment().ensure().settings_file
    Settings(file).set("search.found_share", 1.0)
    before = file.read_bytes()
    assert run(*small)[0] == 0
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "meaning"),
    [
        ([], ("openai", "embedding-3", "https://api.example/v1", 256)),
        (["--model", "other"], ("openai", "other", "https://api.example/v1", 256)),
        (["--backend", "openai"], ("openai", "embedding-3", "https://api.example/v1", 256)),
        (["--backend", "fastembed", "--model", "small"], ("fastembed", "small", "", 0)),
        (["--mode", "words", "--backend", "openai"], ("off", "", "", 0)),
    ],
)
def test_meaning_is_the_persons_unless_told_otherwise(given: list[str], meaning: tuple[object, ...]) -> None:
    values = Settings().as_dict() | {
        "meaning.backend": "openai",
        "meaning.model": "embedding-3",
        "meaning.url": "https://api.example/v1",
        "meaning.dims": 256,
    }
    chosen = evaluating.chosen_meaning(values, parse("eval", given))
    assert tuple(chosen[f"meaning.{name}"] for name in ("backend", "model", "url", "dims")) == meaning


def test_words_alone_where_meaning_cannot_answer(run: Run, small: tuple[str, ...]) -> None:
    code, out, _ = run(*small[:-2], "--backend", "ollama")  # no model is named, so nobody is asked
    assert code == 4
    assert re.fullmatch(
        r".*; meaning: ollama, 0 vectors, \d+ missing in \d\.\d s, embedding_no_model \(4\)", out.splitlines()[1]
    )
    assert out.splitlines()[2].startswith("Meaning: No model")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--traps", "t.json"], "--traps belongs to --sessions and --queries."),
        (["--sessions", "s.jsonl"], "--sessions and --queries belong together."),
        (["--queries", "q.jsonl"], "--sessions and --queries belong together."),
        (["--limit", "0"], "whole number above 0"),
        (["--backend", "abacus"], "invalid choice"),
    ],
)
def test_wrong_use(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_a_bad_line_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    sessions, questions = put(tmp_path / "set", questions=[*QUESTIONS, {"id": "x"}])
    code, out, err = run("--sessions", str(sessions), "--queries", str(questions))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{questions}, line 5: Object missing required field `query`." in err
    assert list((tmp_path / "temporary").iterdir()) == []
    code, _, err = run("--sessions", str(tmp_path / "none.jsonl"), "--queries", str(questions))
    assert (code, "cannot be read" in err) == (3, True)
