"""The commands of memory on the real engine and real files: what they print, their JSON, and how they end."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_home import PROJECT, Home

from tray_app import logs
from tray_app.cli.memory_commands import MEMORY_COMMANDS

NOW = "2026-11-30T09:00:00+00:00"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Home]:
    made = Home(tmp_path, monkeypatch, capsys)
    made.at(NOW)
    with made.held():
        yield made
    logs.shutdown()


def remember(home: Home, content: str, *more: str) -> int:
    number: int = home.ask("remember", "--project", PROJECT, "--content", content, *more)["memory"]["id"]
    return number


def test_remembering_correcting_and_putting_away(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    done = home.run(
        "remember", "--project", "HARBOUR", "--kind", "decision", "--title", "No Redis", "--content", "Jobs stay in SQL."
    )
    assert (done.code, done.out, done.err) == (0, f"Remembered: 1  No Redis  ({PROJECT}, decision)\n", "")
    again = home.run("remember", "--project", PROJECT, "--kind", "decision", "--content", "Jobs  stay\nin SQL.")
    assert (again.code, again.out) == (0, f"Known already: 1  No Redis  ({PROJECT}, decision)\n")
    assert again.err == "It is known already, as memory 1.\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("从标准输入来\n".encode())))
    assert home.ask("remember", "--project", PROJECT, "--content", "-")["memory"]["kind"] == "note"
    changed = home.run("remember", "--id", "1", "--title", "Never Redis")
    assert (changed.code, changed.out) == (0, f"Changed: 1  Never Redis  ({PROJECT}, decision)\n")
    newer = home.ask(
        "remember", "--project", PROJECT, "--kind", "decision", "--content", "Jobs go to Valkey.", "--supersedes", "1"
    )
    assert (newer["superseded"], newer["memory"]["supersedes"]) == ([1], [1])
    assert home.ask("memories", "--state", "superseded")["memories"][0]["superseded_by"] == newer["memory"]["id"]
    assert home.run("memories", "--archive", "2").out == "Put away: 2  从标准输入来\n"
    assert [one["id"] for one in home.ask("memories", "--state", "active")["memories"]] == [3]
    assert home.run("restore", "2").out == "Back: 2  从标准输入来\n"
    assert home.ask("memories", "--stats")["by_state"] == {"active": 2, "superseded": 1}
    shown = home.run("memories", "--project", PROJECT, "--limit", "1")
    assert (shown.code, shown.err, len(shown.out.splitlines())) == (0, "", 2)


def test_what_is_recalled(home: Home) -> None:
    assert home.run("recall", "redis").code == 1
    assert home.ask("recall", "redis", code=1) == {"memories": []}
    remember(home, "Redis lost our jobs twice.", "--kind", "pitfall")
    remember(home, "The redis of staging runs on 6380.", "--kind", "fact")
    found = home.ask("recall", "--kinds", "fact,todo", "--project", PROJECT, "redis", "-x")["memories"]
    assert [(one["kind"], one["matched"], one["use_count"]) for one in found] == [("fact", ["redis"], 1)]
    assert home.run("recall", "--limit", "1", "lost", "jobs").out.splitlines()[1] == "     Redis lost our jobs twice."
    for wrong in (("recall",), ("recall", "--kinds", "gossip", "redis"), ("remember", "--project", PROJECT)):
        assert home.run(*wrong).code == 2
    assert home.run("recall", "--project", "nothing", "redis").code == 1


def test_wrong_use_is_told(home: Home) -> None:
    for code, arguments, words in (
        (2, ("remember", "--project", PROJECT, "--kind", "gossip", "--content", "x"), "There is no kind 'gossip'"),
        (2, ("remember", "--project", PROJECT, "--content", "  "), "A memory has a content"),
        (2, ("remember", "--id", "1"), "There is nothing to change"),
        (2, ("remember", "--id", "1", "--kind", "fact", "--content", "x"), "Only title and content"),
        (1, ("remember", "--id", "77", "--content", "x"), "There is no memory 77"),
        (2, ("remember", "--content", "x"), "The current folder belongs to no project"),
        (1, ("memories", "--project", "nothing"), "There is no project 'nothing'"),
        (2, ("memories", "--kind", "gossip"), "There is no kind"),
        (2, ("checkpoint",), "ACTION"),
        (2, ("checkpoint", "put", "--project", PROJECT), "No field was given"),
        (2, ("checkpoint", "put", "--project", PROJECT, "--goal", "x", "--clear", "goal"), "both written and emptied"),
        (1, ("checkpoint", "promote", "--project", PROJECT), "has no draft"),
        (1, ("card", "nothing"), "There is no project"),
        (1, ("pack", "nothing"), "There is no project"),
        (1, ("restore", "/nowhere.duckdb"), "is no backup"),
        (1, ("restore", "--kind", "card", "7"), "There is no archived card 7"),
        (2, ("import", "/nowhere.jsonl"), "is not there"),
        (2, ("prune", PROJECT, "--yes"), "is no project whose folder is gone"),
        (2, ("recall", "--space", "nowhere", "x"), "nowhere"),
        (2, ("pages", "search", " "), "There is no question"),
    ):
        done = home.run(*arguments)
        assert (done.code, done.out) == (code, ""), done
        assert words in done.err
        assert done.err.startswith("backscroll: ") and done.err.count("\n") == 1


def test_the_current_folder_names_the_project(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.project / "src").mkdir()
    monkeypatch.chdir(home.project / "src")
    assert home.ask("remember", "--content", "Seats are held for ten minutes.")["memory"]["project"] == PROJECT
    assert home.ask("checkpoint", "put", "--goal", "hold seats")["project"] == PROJECT
    assert home.ask("card")["project"] == home.ask("pack")["project"] == PROJECT
    guess = home.ask("projects", "guess", str(home.project / "src/a.py"))
    assert (guess["project"], guess["sure"]) == (PROJECT, True)
    assert home.ask("projects", "guess", "nothing", "like", "it", code=1)["project"] == "workspace"


def test_a_checkpoint_is_written_in_parts(home: Home) -> None:
    assert home.ask("checkpoint", "get", "--project", PROJECT, code=1)["active"] is None
    assert home.run("checkpoint", "get", "--project", PROJECT).code == 1
    lists = ("--done", "schema", "--done", "迁移", "--next", "load test", "--open-questions", "Which port?", "--files", "a.py")
    first = home.ask("checkpoint", "put", "--project", PROJECT, "--goal", "No deadlocks", "--doing", "retries", *lists)[
        "active"
    ]
    assert (first["done"], first["open_questions"], first["files"]) == (["schema", "迁移"], ["Which port?"], ["a.py"])
    second = home.ask("checkpoint", "put", "--project", PROJECT, "--next", "release", "--clear", "doing")
    assert (second["active"]["next"], second["active"]["doing"], second["active"]["done"]) == (
        ["release"],
        "",
        ["schema", "迁移"],
    )
    assert [one["id"] for one in second["history"]] == [first["id"]]
    home.ask("checkpoint", "put", "--project", PROJECT, "--draft", "--done", "tides", "--goal", "No waiting")
    shown = home.run("checkpoint", "get", "--project", PROJECT)
    assert [line for line in shown.out.splitlines() if not line.startswith(" ")] == [
        f"State of {PROJECT}  2026-11-30 09:00", "", f"Draft for {PROJECT}, not in force  2026-11-30 09:00",
    ]  # fmt: skip
    drafts = home.run("drafts")
    assert (drafts.code, "No waiting" in drafts.out, "checkpoint promote" in drafts.err) == (0, True, True)
    part = home.ask("checkpoint", "promote", "--project", PROJECT, "--fields", "done")
    assert (part["active"]["done"], part["active"]["goal"]) == (["schema", "迁移", "tides"], "No deadlocks")
    assert part["draft"]["goal"] == "No waiting"
    assert home.ask("checkpoint", "discard", "--project", PROJECT)["draft"] is None
    assert home.run("drafts").code == 1


def test_cards_and_packs_are_printed(home: Home, tmp_path: Path) -> None:
    remember(home, "\x1b[31mred \u202e alarm")
    empty = home.run("card", PROJECT)
    assert (empty.code, empty.out) == (1, "")
    home.run("checkpoint", "put", "--project", PROJECT, "--goal", "pay back")
    card = home.run("card", PROJECT)
    assert card.out == f"<!-- backscroll:card -->\n# {PROJECT}\n\n## Goal\n\npay back\n<!-- /backscroll:card -->\n"
    assert card.err.splitlines()[0] == "Card 1 of 2026-11-30 09:00"
    written = tmp_path / "card.md"
    written.write_text("# By hand\n", encoding="utf-8")
    assert home.ask("card", PROJECT, "--put", str(written))["id"] == 2
    assert home.ask("card", PROJECT, "--id", "1")["state"] == "superseded"
    assert home.run("card", PROJECT, "--id", "9").code == 1
    assert home.run("card", PROJECT, "--put", str(tmp_path / "gone.md")).code == 3
    pack = home.run("pack", PROJECT)
    assert pack.code == 0
    assert pack.err.splitlines()[0].startswith("Pack ") and "of 2,000 tokens." in pack.err.splitlines()[0]
    assert not any(character in pack.out for character in "\x1b\u202e")
    view = home.ask("pack", PROJECT, "--budget-tokens", "300")
    assert set(view) >= {"pack", "version", "tokens", "dropped", "resume"}
    assert view["budget"] == 300
    assert "## Ids and days" in home.ask("pack", "--with-meta", PROJECT)["pack"]


def test_projects_aliases_and_orphans(home: Home) -> None:
    remember(home, "Seats.")
    assert home.ask("projects", "alias", "港口", PROJECT)["projects"][0]["aliases"] == ["港口"]
    assert home.ask("memories", "--project", "港口")["memories"][0]["project"] == PROJECT
    assert home.run("projects").out.splitlines()[1].strip() == "also 港口"
    assert home.run("prune").code == 1
    home.project.rmdir()
    orphans = home.ask("prune")
    assert ([one["name"] for one in orphans["projects"]], orphans["deleted"]) == ([PROJECT], False)
    assert home.run("prune", PROJECT).code == 2  # nobody to ask
    gone = home.run("prune", "港口", "--yes")
    assert (gone.code, gone.out) == (0, f"Deleted: {PROJECT}\n")
    assert home.run("memories").code == 1
    newest = next(one for one in home.ask("restore")["backups"] if one["kind"] == "before")
    assert home.run("restore", newest["path"]).out.startswith("Restored from ")
    assert len(home.ask("memories")["memories"]) == 1


def test_backups_and_transfer(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert home.run("backup", "--list").code == 1
    remember(home, "One.")
    path = home.run("backup").out.strip()
    assert Path(path).is_file()
    remember(home, "Two.")
    listed = home.run("backup", "--list")
    assert (listed.code, path in listed.out, "manual" in listed.out) == (0, True, True)
    replaced = home.ask("restore", path)["replaced"]
    assert (replaced["memories"], replaced["kind"]) == (2, "before")
    assert [one["content"] for one in home.ask("memories")["memories"]] == ["One."]
    done = home.run("export", "out.jsonl")
    assert done.out.startswith("Written to ") and "1 memory" in done.out
    text = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text(text.replace('"kind":"note"', '"kind":"gossip"'), encoding="utf-8")
    assert home.run("import", "out.jsonl").code == 0
    partly = home.run("import", "bad.jsonl")
    assert (partly.code, "'gossip' is no kind" in partly.err) == (4, True)
    (tmp_path / "none.jsonl").write_text("hello\n", encoding="utf-8")
    assert home.run("import", "none.jsonl").code == 2


def test_archive_cleanup_and_documents(home: Home) -> None:
    assert home.run("cache").code == 1
    home.claude_works()
    home.run("index", "--all-sources")
    told = home.run("archive")
    assert told.out == "0 sessions archived, 1 from before 2026-11-30 (--backfill takes them).\n"
    told = home.run("archive", "--backfill", "--project", PROJECT)
    assert told.out == f"1 session archived, 1 draft to review (backscroll drafts).\nProjects: {PROJECT}\n"
    assert home.ask("archive", "--force")["again"] == 1
    figures = home.run("cache", "--project", PROJECT)
    assert figures.code == 0
    assert "claude_code" in figures.out and "not enough sessions yet" in figures.err
    assert home.run("cleanup").out == "There is nothing to clean up.\n"
    home.at("2027-03-30T09:00:00+00:00")
    plan = home.run("cleanup")
    assert (plan.code, len(plan.out.splitlines()), "Nothing was done" in plan.err) == (0, 2, True)
    assert "Archived 2, deleted 0" in home.run("cleanup", "--apply").out
    assert home.ask("cleanup", "--purge")["items"] == []
    assert home.run("changelog", PROJECT).code == 1
    (home.project / "CHANGELOG.md").write_text(
        "## 2\n\nRolled back the queue: too risky.\n\n## 1\n\nBegan.\n", encoding="utf-8"
    )
    assert (
        home.run("changelog", PROJECT).out
        == f"{PROJECT}: 1 memory added, 0 known already, 1 without a conclusion (--all takes them)\n"
    )
    assert home.ask("changelog", "--all", PROJECT)["added"] == 1
    (home.project / "docs").mkdir()
    (home.project / "docs/queue.md").write_text(
        "# Queue\n\nHow orders wait.\n\n## Retries\n\nThree retries.\n", encoding="utf-8"
    )
    assert home.run("pages").code == 1
    page = next(one for one in home.ask("pages", "index", PROJECT)["pages"] if one["path"] == "docs/queue.md")
    assert (page["title"], page["summary"]) == ("Queue", "How orders wait.")
    assert len(home.ask("pages", "list", "--project", PROJECT)["pages"]) == len(home.ask("pages")["pages"]) == 1
    found = home.ask("pages", "search", "three", "retries")["paragraphs"]
    assert (found[0]["path"], found[0]["heading"]) == ("docs/queue.md", "Queue > Retries")
    assert "Three retries." in home.run("pages", "search", "retries").out
    assert home.ask("pages", "search", "nothinglikeit", code=1) == {"paragraphs": []}


def test_status_and_doctor_know_of_memory(home: Home) -> None:
    remember(home, "One.")
    home.run("checkpoint", "put", "--project", PROJECT, "--draft", "--goal", "x")
    assert home.ask("status")["memory_bytes"] > 4_096
    findings = {one["code"]: one for one in home.ask("doctor")["findings"]}
    assert findings["drafts_waiting"]["params"]["projects"] == PROJECT


@pytest.mark.parametrize("name", MEMORY_COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from tray_app.cli.main import main

    assert main([name, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: backscroll {name} ")
    assert "--json" in said
