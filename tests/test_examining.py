"""The check-up of a whole engine: what others tell it, what memory shows, and that nothing it asks holds it up."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from data.claude_files import Chat, make_id, write
from hash_embedder import HashEmbedder

from tray_app.engine import Engine
from tray_app.insight.looking import Looks
from tray_app.paths import Paths
from tray_app.records import Finding
from tray_app.settings import Settings

PROJECT = "tide"


def engine_on(home: Path, ours: Path) -> Engine:
    """An engine of the tray's on the sessions of a home, with its own files elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKSCROLL_SOURCES_HOME", str(home))
        patch.setenv("BACKSCROLL_HOME", str(ours))
        paths = Paths.from_environment()
        return Engine(paths, Settings(paths.settings_file), kind="tray")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With one session, which was read, in the folder of a project."""
    made = tmp_path_factory.mktemp("examining")
    folder = made / "work" / PROJECT
    folder.mkdir(parents=True)
    chat = Chat("first", cwd=str(folder))
    file = made / ".claude" / "projects" / "-tide" / f"{make_id('first')}.jsonl"
    write(file, [chat.user("The tide turns."), chat.answer("Noted.")])
    engine = engine_on(made, made / "backscroll")
    engine.set_config("meaning.backend", "off")
    engine.index(all_sources=True)
    engine.close()
    return made


@pytest.fixture
def engine(home: Path, isolated: Path) -> Iterator[Engine]:
    shutil.copytree(home / "backscroll", isolated / "backscroll")
    made = engine_on(home, isolated / "backscroll")
    yield made
    made.close()


@pytest.fixture(scope="module")
def lasting(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """One for all tests that leave it as it was."""
    ours = tmp_path_factory.mktemp("lasting") / "backscroll"
    shutil.copytree(home / "backscroll", ours)
    made = engine_on(home, ours)
    yield made
    made.close()


def told_by(engine: Engine) -> list[Finding]:
    made = engine.doctor()
    assert all(one.remedy for one in made if one.severity != "ok")
    return made


def found(engine: Engine) -> dict[str, Finding]:
    return {one.code: one for one in told_by(engine)}


def test_what_only_others_know_is_asked(lasting: Engine) -> None:
    assert "no_tray" not in found(lasting)
    taken = Finding(code="hotkey_refused", severity="warn", title="T", detail="D", remedy="R")
    lasting.also_look("tray", lambda: [taken])
    assert lasting.doctor()[0] == taken
    lasting.also_look("tray", list)
    lasting.kind = "cli"
    assert found(lasting)["no_tray"].severity == "info"
    lasting.kind = "tray"


def test_what_hangs_or_breaks_holds_nothing_up(lasting: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    def hang() -> list[Finding]:
        free.wait(60)
        return []

    lasting._looks = Looks(2.0)
    lasting.also_look("tray", hang)
    try:
        told = told_by(lasting)
        assert "tray" in [one.params["what"] for one in told if one.code == "not_checked"]
        codes = {one.code for one in told}
        assert "versions" in codes and "all_in_order" not in codes
    finally:
        free.set()
        lasting._looks = Looks()
        lasting.also_look("tray", list)


def test_drafts_and_backups(engine: Engine) -> None:
    engine.remember(PROJECT, "fact", "Tides", "Twice a day.")
    engine.put_checkpoint(PROJECT, {"goal": "Draw the tide."}, draft=True)
    told = found(engine)
    waiting = told["drafts_waiting"]
    assert (waiting.severity, waiting.params["count"], waiting.params["projects"]) == ("info", "1", PROJECT)
    assert waiting.title == "1 draft waits for review" and waiting.params["day"] in waiting.detail
    made = Path(engine.backup().path)
    assert found(engine)["backups_open"].severity == "ok"
    made.write_bytes(made.read_bytes()[:5_000] + bytes(4_000))
    bad = found(engine)["backup_unreadable"]
    assert (bad.severity, bad.params["path"]) == ("warn", str(made))


def test_a_project_whose_folder_is_gone(engine: Engine, home: Path) -> None:
    engine.remember(PROJECT, "fact", "Tides", "Twice a day.")
    assert "orphan_projects" not in found(engine)
    folder = home / "work" / PROJECT
    folder.rmdir()
    engine.close()
    engine.minds._known.clear()  # what the disk said is believed for a moment
    try:
        gone = found(engine)["orphan_projects"]
    finally:
        folder.mkdir()
    assert (gone.severity, gone.params) == ("info", {"count": "1", "projects": PROJECT})


def test_memories_that_meaning_does_not_know_yet(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.remember(PROJECT, "fact", "Tides", "Twice a day.")
    assert "memories_without_vectors" not in found(engine)
    engine.sense._make = lambda values, *, cache, key: HashEmbedder()
    engine.set_config("meaning.backend", "builtin")
    assert engine.sense.embed(["tide"]).wait(60)
    lacking = found(engine)["memories_without_vectors"]
    assert (lacking.severity, lacking.params, lacking.title) == (
        "info",
        {"count": "1"},
        "1 memory cannot be found by meaning yet",
    )
    engine.embed_once(lambda progress: None, lambda: False, asked=True)
    assert "memories_without_vectors" not in found(engine)


def test_a_memory_without_any_backup(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in ("2026-11-01", "2026-11-02"):
        monkeypatch.setenv("BACKSCROLL_NOW", f"{day}T10:00:00Z")
        engine.remember(PROJECT, "fact", "Tides", f"Said on {day}.")
    for one in engine.backups():
        Path(one.path).unlink()
    assert "stale_backup" not in found(engine)
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-11-20T10:00:00Z")
    stale = found(engine)["stale_backup"]
    assert (stale.severity, stale.params["day"]) == ("warn", "never")
    engine.backup()
    assert "stale_backup" not in found(engine)


def test_the_files_are_let_go_of_while_something_is_waited_for(lasting: Engine) -> None:
    asked, free = threading.Event(), threading.Event()

    def hang() -> list[Finding]:
        asked.set()
        free.wait(60)
        return []

    lasting.also_look("service", hang)
    checking = threading.Thread(target=lasting.doctor)
    checking.start()
    assert asked.wait(60)
    lasting.close()
    assert not lasting.libraries.of().is_open and checking.is_alive()
    free.set()
    checking.join(60)
    assert not checking.is_alive()
    lasting.also_look("service", list)


def test_a_clock_that_was_put_back(lasting: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-10-01T10:00:00Z")
    assert found(lasting)["clock_back"].severity == "warn"
