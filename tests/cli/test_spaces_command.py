"""`backscroll spaces`: what it prints, what it asks the engine for, and how the current folder decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from engine_double import EngineDouble
from outcomes import Run


def test_nothing_kept_apart_yet(run: Run) -> None:
    done = run("spaces")
    assert (done.code, done.out) == (0, "default  2 sessions  4.2 MB\n")
    assert done.err == "There is one library, with everything in it. To keep folders apart: backscroll spaces add NAME FOLDER\n"


def test_a_space_is_made_and_read(run: Run, engine: EngineDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("spaces", "add", "客户 A", "client", "/w/other")
    assert done.code == 0
    assert done.out == (
        f"default  2 sessions  4.2 MB\n客户 A   0 sessions  0 B     not read yet\n    {tmp_path / 'client'}\n    /w/other\n"
    )
    assert engine.calls == ["add_space", "spaces", "sources", "status", "sources", "index", "spaces"]


def test_as_json(run: Run, engine: EngineDouble) -> None:
    done = run("spaces", "add", "--json", "a", "/w/a")
    found = json.loads(done.out)
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    assert [(space["name"], space["folders"], space["state"]) for space in found["spaces"]] == [
        ("default", [], "ready"),
        ("a", ["/w/a"], "waiting"),
    ]
    assert json.loads(run("spaces", "--json").out) == found


def test_paused_or_unticked_nothing_is_read(run: Run, engine: EngineDouble) -> None:
    engine.paused = True
    done = run("spaces", "add", "a", "/w/a")
    assert done.err == "Indexing is paused: what belongs elsewhere now is read after: backscroll resume\n"
    engine.paused, engine.ticked = False, set()
    assert run("spaces", "assign", "a", "/w/b").err == ""
    assert "index" not in engine.calls


def test_the_other_actions(run: Run, engine: EngineDouble) -> None:
    run("spaces", "add", "a", "/w/a")
    assert "/w/b" in run("spaces", "assign", "a", "/w/b").out
    assert "/w/b" not in run("spaces", "unassign", "/w/b/").out
    engine.calls.clear()
    assert run("spaces", "rename", "a", "b").out.splitlines()[1].startswith("b ")
    assert engine.calls == ["rename_space", "spaces"]
    done = run("spaces", "remove", "b")
    assert done.out.splitlines()[1].split() == ["b", "0", "B", "removed"]
    assert done.err == (
        "Its index is kept as /d/spaces/a/index.duckdb. Its sessions are not read any more, and come up nowhere else.\n"
        "To have it back: backscroll spaces restore 'b'\n"
        "To have its sessions among the others: backscroll spaces unassign '/w/a'\n"
    )
    assert "removed" not in run("spaces", "restore", "b").out


@pytest.mark.parametrize(
    "arguments",
    [["add"], ["add", "a"], ["assign", "a"], ["unassign"], ["rename", "a"], ["remove"], ["restore"], ["split", "a"]],
)
def test_wrong_use(run: Run, arguments: list[str]) -> None:
    done = run("spaces", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("backscroll: Wrong use: ")


def test_what_the_engine_refuses_is_told(run: Run) -> None:
    run("spaces", "add", "a", "/w/a")
    done = run("spaces", "add", "a", "/w/b")
    assert (done.code, done.err) == (2, "backscroll: The name is taken: There is a space 'a' already.\n")


def test_the_current_folder_goes_with_every_question(
    run: Run, engine: EngineDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("search", "webhook")
    assert (engine.queries[-1].caller, engine.queries[-1].space) == (str(tmp_path), None)
    run("search", "--space", "default", "webhook")
    assert (engine.queries[-1].caller, engine.queries[-1].space) == (str(tmp_path), "default")
    run("search", "--serve", stdin=b'{"query": "webhook"}\n{"query": "webhook", "caller": "/w/a", "space": "s"}\n')
    assert [(asked.caller, asked.space) for asked in engine.queries[-2:]] == [(str(tmp_path), None), ("/w/a", "s")]

    def gone() -> str:  # a folder that was removed under the shell
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("os.getcwd", gone)
    run("search", "webhook")
    assert engine.queries[-1].caller == ""


def test_show_and_sessions_take_a_space(
    run: Run, engine: EngineDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[object] = []
    show, sessions, status = engine.show, engine.sessions, engine.status
    monkeypatch.setattr(engine, "show", lambda *a, **k: (asked.append((k["space"], k["caller"])), show(*a, **k))[1])
    monkeypatch.setattr(engine, "sessions", lambda *a, **k: (asked.append((k["space"], k["caller"])), sessions(*a, **k))[1])
    monkeypatch.setattr(engine, "status", lambda space=None, **k: (asked.append(space), status(space, **k))[1])
    for arguments in (
        ["show", "0f3c"],
        ["show", "0f3c", "--space", "s"],
        ["sessions", "--space", "s"],
        ["status", "--space", "s"],
    ):
        run(*arguments)
    assert asked == [(None, str(tmp_path)), ("s", str(tmp_path)), ("s", str(tmp_path)), "s"]
