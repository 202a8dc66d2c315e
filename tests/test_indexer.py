"""The indexer: rules that need another reading, pauses, what a pass reports, watching, and a window that stays alive."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from data import claude_files, codex_files
from data.claude_files import Chat

from tray_app.errors import KnownError
from tray_app.folders import Folders
from tray_app.indexer import Indexer
from tray_app.insight import status
from tray_app.libraries import Libraries
from tray_app.library.reading import Reader
from tray_app.paths import Paths, SourcesHome
from tray_app.records import IndexReport, Progress, SourceView
from tray_app.settings import Settings
from tray_app.spaces import Spaces
from tray_app.state import State
from tray_app.territory import REST
from tray_app.upkeep import Upkeep

SECRET = "ghp_" + "a1B2" * 9


class Desk:
    """An indexer with everything it needs, below one folder, and the rounds that drive it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.paths = Paths.from_environment({"BACKSCROLL_HOME": str(folder / "ours")}).ensure()
        self.settings = Settings(self.paths.settings_file)
        self.folders = Folders(SourcesHome(self.home, {}, confined=True), self.settings)
        self.state = State(self.paths.state_file)
        self.indexer = Indexer(self.settings, self.folders, self.state)
        self.libraries = Libraries(self.paths.index_file, Spaces(self.paths.data / "spaces"))
        self.said: list[Progress] = []
        self.settings.set("sources.enabled", ["claude_code", "codex"])

    def put(self, label: str, *words: str, cwd: str = "/home/kim/shop") -> Path:
        chat = Chat(label, cwd=cwd)
        rows: list[Any] = [chat.user(word) for word in words]
        return claude_files.write(self.home / ".claude/projects/-p" / f"{chat.id}.jsonl", rows)

    def restart(self) -> None:
        """The indexer of another process: what is kept in memory alone is lost."""
        self.close()
        self.indexer = Indexer(self.settings, self.folders, self.state)

    def close(self) -> None:
        with self.libraries.shut():
            pass

    def run(self, stop: Callable[[], bool] = lambda: False) -> IndexReport:
        with self.indexer.writing:
            done = Upkeep(self.indexer, self.libraries).run(self.said.append, stop)
        return done.report(self.views, [])

    def views(self, space: str) -> list[SourceView]:
        with self.reading(space) as reader:
            return list(status.with_counts(self.folders.views(), reader))

    def reading(self, space: str = REST) -> AbstractContextManager[Reader]:
        return self.libraries.of(space).reading(settled=True)

    def texts(self) -> list[str]:
        with self.reading() as reader:
            return [row[0] for row in reader.cursor.execute("select text from messages order by 1").fetchall()]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


# --- rules ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("privacy.redact", False),
        ("privacy.excluded_paths", ["*.txt"]),
        ("privacy.excluded_workspaces", ["/home/kim/client"]),
        ("index.tools", False),
        ("index.reasoning", True),
        ("index.file_megabytes", 32),
        ("sources.bridges", ["send:*pager*"]),
    ],
)
def test_a_rule_that_changes_what_is_stored_reads_all_anew(desk: Desk, key: str, value: Any) -> None:
    path = desk.put("one", "quince")
    assert desk.run().totals.bytes_read == path.stat().st_size
    assert desk.run().totals.bytes_read == 0
    desk.settings.set(key, value)
    assert desk.run().totals.bytes_read == path.stat().st_size
    assert desk.run().totals.bytes_read == 0


def test_budgets_and_days_read_nothing_anew(desk: Desk) -> None:
    desk.put("one", "quince")
    desk.run()
    for key, value in (("index.days", 3_000), ("index.chunks_per_source", 5_000), ("index.chunks_total", 6_000)):
        desk.settings.set(key, value)
        assert desk.run().totals.bytes_read == 0
    assert desk.texts() == ["quince"]


def test_switching_redaction_off_and_on(desk: Desk) -> None:
    desk.put("one", f"the token is {SECRET} here")
    assert desk.run().totals.redacted == 1
    assert SECRET not in desk.texts()[0]
    desk.settings.set("privacy.redact", False)
    assert desk.run().totals.redacted == 0
    assert SECRET in desk.texts()[0]
    desk.settings.set("privacy.redact", True)
    desk.run()
    assert SECRET not in desk.texts()[0]


def test_asking_for_all_anew_survives_a_stop_and_a_restart(desk: Desk) -> None:
    path = desk.put("one", "quince")
    desk.run()
    desk.indexer.ask_anew()
    assert desk.indexer.wake.is_set()
    assert desk.run(stop=lambda: True).stopped
    desk.restart()
    assert desk.run().totals.bytes_read == path.stat().st_size
    assert desk.run().totals.bytes_read == 0


# --- what is reported ------------------------------------------------------------------------------------------------------
def test_a_pass_reports_what_it_did_and_what_there_is(desk: Desk) -> None:
    desk.put("one", "quince", "medlar")
    codex_files.written(desk.home / ".codex", codex_files.generation_b())
    report = desk.run()
    claude, codex = report.sources
    assert (claude.agent, claude.state, claude.files, claude.sessions, claude.messages) == ("claude_code", "ok", 1, 1, 2)
    assert (codex.sessions, codex.state) == (1, "ok")
    assert report.totals.messages == len(desk.texts())
    assert report.totals.bytes_read > 0
    again = desk.run()
    assert (again.totals.unchanged_files, again.totals.bytes_read) == (2, 0)
    assert again.totals.messages == report.totals.messages
    assert {progress.phase for progress in desk.said} >= {"planning", "reading", "finishing"}
    assert desk.indexer.progress is None


def test_what_is_too_old_is_counted_once(desk: Desk) -> None:
    old = desk.put("old", "quince")
    desk.put("new", "medlar")
    desk.run()
    os.utime(old, (1_500_000_000, 1_500_000_000))
    desk.settings.set("index.days", 30)
    for _ in range(3):
        report = desk.run()
        assert (report.totals.over_budget_files, report.totals.sessions, report.totals.files) == (1, 1, 2)
        assert report.sources[0].state == "partial"


def test_a_failed_pass_says_why_and_the_next_one_works(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    from tray_app.library.store import Store

    desk.put("one", "quince")

    def full(*given: object) -> None:
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "add_messages", full)
        with pytest.raises(KnownError) as caught:
            desk.run()
    assert caught.value.code == "disk_full"
    assert desk.indexer.last_error.startswith("No space left: The disk that holds the index is full.")
    assert desk.texts() == []
    desk.run()
    assert (desk.texts(), desk.indexer.last_error) == (["quince"], "")


# --- pausing -----------------------------------------------------------------------------------------------------------------
def test_a_pause_survives_a_restart_and_ends_by_itself(desk: Desk) -> None:
    desk.indexer.pause(None)
    assert Indexer(desk.settings, desk.folders, desk.state).paused() == (True, None)
    desk.indexer.pause(60)
    paused, until = desk.indexer.paused()
    assert paused and until is not None
    desk.indexer.pause(-1)
    assert desk.indexer.paused() == (False, None)
    desk.indexer.pause(None)
    desk.indexer.resume()
    assert desk.indexer.paused() == (False, None)
    desk.state.change(paused=True, paused_until="no time at all")
    assert desk.indexer.paused() == (False, None)


# --- watching ----------------------------------------------------------------------------------------------------------------
class Watching:
    """The watch of an indexer in a thread of its own."""

    def __init__(self, desk: Desk, ours: tuple[Path, ...]) -> None:
        self.changes = threading.Semaphore(0)
        self.ended = threading.Event()
        self.over = False
        self.thread = threading.Thread(
            target=lambda: desk.indexer.watch(ours, lambda: self.over, self.changes.release), daemon=True
        )
        self.thread.start()

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *fault: object) -> None:
        self.over = True
        self.thread.join(10)
        assert not self.thread.is_alive()

    def wait(self, seconds: float) -> bool:
        return self.changes.acquire(timeout=seconds)


def touch_until(watching: Watching, write: Callable[[], object]) -> bool:
    """Writes until the watch says so: it needs a moment to begin."""
    for _ in range(20):
        write()
        if watching.wait(1.0):
            return True
    return False


def test_an_append_is_seen_and_becomes_findable(desk: Desk) -> None:
    path = desk.put("one", "quince")
    desk.run()
    line = claude_files.encode([Chat("one").user("medlar", 70)])

    def append() -> None:
        with path.open("ab") as file:
            file.write(line)

    with Watching(desk, desk.paths.folders) as watching:
        assert touch_until(watching, append)
        assert desk.indexer.watching
        desk.run()
        assert desk.texts() == ["medlar", "quince"]
    assert not desk.indexer.watching


def test_our_own_files_wake_nobody(desk: Desk) -> None:
    """Our data folder inside a watched one: writing the index must not start the next pass."""
    root = desk.home / ".claude/projects"
    ours = root / "backscroll"
    ours.mkdir(parents=True)
    neighbour = root / "backscroll-notes"
    neighbour.mkdir()
    with Watching(desk, (ours,)) as watching:
        assert touch_until(watching, lambda: (neighbour / "x.jsonl").write_text(str(time.monotonic()), "utf-8"))
        while watching.wait(1.5):
            pass
        for _ in range(5):
            (ours / "index.duckdb").write_text(str(time.monotonic()), "utf-8")
        assert not watching.wait(1.5)


def test_the_watch_ends_when_other_folders_are_ticked(desk: Desk) -> None:
    (desk.home / ".claude/projects").mkdir(parents=True)
    watching = Watching(desk, ())
    while not desk.indexer.watching:
        time.sleep(0.01)
    (desk.home / ".codex").mkdir()
    watching.thread.join(10)
    assert not watching.thread.is_alive()


# --- room for others ---------------------------------------------------------------------------------------------------------
def test_other_threads_get_their_turn(desk: Desk, record_property: Callable[[str, object], None]) -> None:
    """A window that draws sixty frames a second lives in the same process: nobody may hold the interpreter for long, not
    even over a message of megabytes."""
    words = "please look at shop/cart.py: getUserName() fails with E0277, 数据库连接失败 password: x\n"
    desk.put("long", "start", words * 30_000, "x" * 1_500_000, '{"a":1,"b":[2,3]},' * 60_000)
    worst = 0.0
    over = threading.Event()

    def tick() -> None:
        nonlocal worst
        while not over.is_set():
            before = time.perf_counter()
            time.sleep(0.005)
            worst = max(worst, time.perf_counter() - before - 0.005)

    gc.collect()
    gc.freeze()  # as the tray does after its start
    ticking = threading.Thread(target=tick)
    ticking.start()
    begun = time.perf_counter()
    try:
        desk.run()
    finally:
        whole = time.perf_counter() - begun
        over.set()
        ticking.join()
    record_property("longest_wait_ms", round(worst * 1000))
    print(f"longest wait {worst * 1000:.0f} ms of {whole * 1000:.0f}")
    assert worst < whole / 4
