"""Memory in the running engine: which library's it is, what is done by itself, and what goes wrong beside it."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from meaning_world import MeaningWorld
from spaces_world import CLIENT, SHOP, SpacesWorld, spaces_world

from tray_app.errors import KnownError, UsageError
from tray_app.library.memory.rows import ArchiveRow, MemoryRow
from tray_app.records import Finding, Remembered

BEFORE, AFTER = "2026-03-01T00:00:00+00:00", "2026-03-03T00:00:00+00:00"
"""Of the sessions of the world, which were held on 2 March 2026."""


@pytest.fixture
def world(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpacesWorld]:
    monkeypatch.setenv("BACKSCROLL_NOW", AFTER)
    with spaces_world(isolated) as made:
        made.engine.set_config("meaning.backend", "off")
        made.engine.set_config("topics.maker", "off")
        yield made


def written_then(world: SpacesWorld, moment: float = 1_772_442_300.0) -> None:
    """All session files were written on 2 March 2026, so that nobody is at work in them."""
    for file in (world.home / ".claude").rglob("*.jsonl"):
        os.utime(file, (moment, moment))


def found(findings: list[Finding], code: str) -> list[Finding]:
    return [one for one in findings if one.code == code]


def test_a_round_archives_what_is_finished(world: SpacesWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_NOW", BEFORE)
    assert world.engine.archive_sessions().baseline_date == "2026-03-01T00:00:00.000Z"
    monkeypatch.setenv("BACKSCROLL_NOW", AFTER)
    world.write("a", SHOP)
    written_then(world)
    world.index()
    (summary,) = world.engine.memories(kind="session")
    assert (summary.project, summary.source_agent, "marzipan" in summary.content) == ("shop", "claude_code", True)
    world.index()
    assert len(world.engine.memories(kind="session")) == 1
    view = next(one for one in world.engine.projects() if one.name == "shop")
    assert (view.sessions, view.memories, view.origin) == (1, 1, "workspace")


def test_history_is_left_to_a_back_fill(world: SpacesWorld) -> None:
    for number in range(3):
        world.write(str(number), SHOP)
    written_then(world)
    world.index()
    assert world.engine.memories() == []
    assert world.engine.archive_sessions().before_baseline == 3
    seen: list[tuple[int, int]] = []
    report = world.engine.archive_sessions(
        "shop", limit=2, backfill=True, report=lambda progress: seen.append((progress.done, progress.total))
    )
    assert (report.archived, report.waiting, seen) == (2, 1, [(1, 3), (2, 3)])
    assert world.engine.archive_sessions(backfill=True).archived == 1
    with pytest.raises(UsageError, match="There is no project 'nothing'"):
        world.engine.archive_sessions("nothing")


def test_the_setting_keeps_archiving_away(world: SpacesWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.engine.set_config("memory.archive", False)
    monkeypatch.setenv("BACKSCROLL_NOW", BEFORE)
    world.engine.archive_sessions()
    monkeypatch.setenv("BACKSCROLL_NOW", AFTER)
    world.write("a", SHOP)
    written_then(world)
    world.index()
    assert world.engine.memories() == []


def test_a_session_that_goes_on_is_archived_when_it_is_idle(world: SpacesWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_NOW", BEFORE)
    world.engine.archive_sessions()
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-03-02T09:04:00+00:00")
    world.write("a", SHOP)
    written_then(world)
    world.index()
    assert world.engine.memories() == []
    moments = [10_000.0]
    monkeypatch.setattr("tray_app.remembering.rounds.time.monotonic", lambda: moments[0])
    world.index()
    monkeypatch.setenv("BACKSCROLL_NOW", AFTER)
    for after, many in ((299.0, 0), (301.0, 1)):
        moments[0] = 10_000.0 + after
        world.engine.embed_once(lambda progress: None, lambda: False)
        assert len(world.engine.memories()) == many


def test_changelogs_once_a_day(world: SpacesWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = world.home / "Documents/Projects/harbour"
    folder.mkdir(parents=True)
    log = folder / "CHANGELOG.md"
    log.write_text("# Changelog\n\n## 1.1\n\nWe rolled back the cache because it lost seats.\n", encoding="utf-8")
    world.engine.remember("harbour", "fact", "", "The harbour has 12 moorings.")
    world.write("a", SHOP)
    world.index()
    (entry,) = world.engine.memories("harbour", "changelog")
    assert (entry.source_path, "rolled back" in entry.content) == ("CHANGELOG.md", True)
    with log.open("a", encoding="utf-8") as stream:
        stream.write("\n## 1.0\n\nDecided against Redis because of its cost.\n")
    world.index()
    assert len(world.engine.memories("harbour", "changelog")) == 1
    assert world.engine.changelog("harbour").added == 1
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-03-04T00:00:00+00:00")
    with log.open("a", encoding="utf-8") as stream:
        stream.write("\n## 0.9\n\nLesson: never again a Friday release.\n")
    world.index()
    assert len(world.engine.memories("harbour", "changelog")) == 3
    kinds = [one.kind for one in world.engine.backups()]
    assert kinds.count("daily") == 2


def test_each_space_has_its_own_memory(world: SpacesWorld) -> None:
    engine = world.engine
    world.write_all()
    world.index()
    engine.add_space("client", [CLIENT])
    world.index()
    engine.remember("shop", "fact", "", "Marzipan is sold here.")
    engine.remember("client", "fact", "", "Zeppelins are built here.", caller=CLIENT)
    assert [one.project for one in engine.memories()] == ["shop"]
    assert [one.project for one in engine.memories(space="client")] == ["client"]
    assert [one.content for one in engine.recall_memories("zeppelins", caller=f"{CLIENT}/inner")] == [
        "Zeppelins are built here."
    ]
    assert engine.recall_memories("zeppelins") == []
    with pytest.raises(UsageError, match="There is no project 'client'"):
        engine.pack("client")
    assert "Zeppelins" in engine.pack("client", space="client").pack
    path = Path(engine.memory_stats(space="client").path)
    assert path.parent == Path(engine.spaces()[1].path).parent
    engine.remove_space("client")
    assert path.is_file()
    engine.restore_space("client")
    assert len(engine.memories(space="client")) == 1


def test_what_was_kept_of_sessions_goes_with_their_folder(world: SpacesWorld) -> None:
    engine = world.engine
    world.write_all()
    written_then(world)
    world.index()
    engine.archive_sessions(backfill=True)
    assert engine.memory_stats().by_project == {"client": 3, "inner": 3, "shop": 3}
    engine.add_space("client", [CLIENT])
    assert engine.memory_stats().by_project == {"shop": 3}
    assert engine.recall_memories("zeppelin quokka") == []
    assert engine.memory_stats(space="client").by_project == {"client": 3, "inner": 3}
    assert "zeppelin" in engine.recall_memories("zeppelin", space="client")[0].content
    world.index()
    assert engine.archive_sessions(space="client").archived == 0
    assert engine.archive_sessions(space="client", backfill=True).archived == 0
    engine.unassign_folder(CLIENT)
    assert engine.memory_stats().by_project == {"client": 3, "inner": 3, "shop": 3}
    assert engine.memories(space="client") == []


def test_clearing_the_index_leaves_memory(world: SpacesWorld) -> None:
    world.write("a", SHOP)
    world.index()
    made = world.engine.remember("shop", "decision", "", "Marzipan stays.")
    world.engine.clear_index()
    assert world.engine.memories() == [made.memory]
    assert world.engine.status().memory_bytes > 0


def test_closing_lets_go_of_memory_and_opens_it_again(world: SpacesWorld) -> None:
    made = world.engine.remember("shop", "decision", "", "Marzipan stays.")
    world.engine.close()
    other = SpacesWorld(world.home)
    try:
        assert other.engine.memories() == [made.memory]
    finally:
        other.engine.close()
    assert world.engine.memories() == [made.memory]


def test_forgetting_a_session_forgets_its_summary(world: SpacesWorld) -> None:
    world.write("a", SHOP)
    world.write("b", SHOP)
    written_then(world)
    world.index()
    world.engine.archive_sessions(backfill=True)
    mine = world.engine.remember("shop", "fact", "", "Marzipan is sold here.")
    session = world.engine.memories(kind="session")[0].source_session
    world.engine.forget_session(session)
    left = world.engine.memories()
    assert mine.memory in left
    assert session not in [one.source_session for one in left]
    store = world.engine.libraries.of().memory
    assert [row.session == session for row in store.rows(ArchiveRow).values()] == [False]


def test_eight_threads_write_at_once(world: SpacesWorld) -> None:
    faults: list[BaseException] = []
    begin = threading.Barrier(8)

    def work(number: int) -> None:
        try:
            begin.wait(10)
            for place in range(12):
                world.engine.remember(f"p{number % 3}", "fact", "", f"Thread {number} says {place}.")
                if place % 4 == 0:
                    world.engine.recall_memories(f"thread {number}")
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    said = {f"Thread {number} says {place}." for number in range(8) for place in range(12)}
    views = world.engine.memories()
    assert (len(views), {one.content for one in views}, len({one.id for one in views})) == (96, said, 96)
    world.engine.close()
    assert {one.content for one in world.engine.memories()} == said
    rows = world.engine.libraries.of().memory.rows(MemoryRow)
    assert sorted(rows) == list(range(1, 97))


def test_what_cannot_be_kept_fails_no_round(
    world: SpacesWorld, monkeypatch: pytest.MonkeyPatch, allow_log: Callable[[str], None]
) -> None:
    world.write("a", SHOP)

    def refuse(*_: object, **__: object) -> None:
        raise KnownError("memory_unwritable", "Memory not written", "The disk is read-only.")

    monkeypatch.setattr("tray_app.remembering.rounds.archive", refuse)
    report = world.index()
    assert (report.stopped, report.totals.sessions) == (False, 1)
    (told,) = found(world.engine.doctor(), "memory_untended")
    assert (told.params["what"], told.severity) == ("archive", "warn")
    allow_log("ERROR tray_app.remembering.rounds: memory: archive failed")
    monkeypatch.setattr("tray_app.remembering.rounds.archive", lambda *_, **__: 1 / 0)
    world.index()
    (told,) = found(world.engine.doctor(), "memory_untended")
    assert told.params["reason"] == "ZeroDivisionError. See the log."
    monkeypatch.undo()
    monkeypatch.setenv("BACKSCROLL_NOW", AFTER)


def test_drafts_and_damage_are_told(world: SpacesWorld, allow_log: Callable[[str], None]) -> None:
    allow_log("ERROR tray_app.library.memory.opening: memory mended")
    engine = world.engine
    world.write("a", SHOP)
    world.index()
    engine.put_checkpoint("shop", {"goal": "sell marzipan"}, draft=True)
    (drafts,) = found(engine.doctor(), "drafts_waiting")
    assert drafts.params == {"count": "1", "projects": "shop", "day": AFTER[:10]}
    assert found(engine.doctor(), "memory_mended") == []
    path = Path(engine.memory_stats().path)
    engine.close()
    path.write_bytes(b"no database at all" * 400)
    (mended,) = found(engine.doctor(), "memory_mended")
    assert mended.severity == "warn"
    draft = engine.checkpoint("shop").draft
    assert draft is not None and draft.goal == "sell marzipan"
    assert engine.memory_stats().mended == mended.params["reason"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_told(world: SpacesWorld) -> None:
    world.write("a", SHOP)
    world.index()
    world.engine.remember("shop", "fact", "", "Marzipan.")
    folder = world.paths.data
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(KnownError):
            world.engine.remember("shop", "fact", "", "More marzipan.")
    finally:
        folder.chmod(stat.S_IRWXU)


def test_what_is_handed_over(world: SpacesWorld) -> None:
    engine = world.engine
    world.write("a", SHOP)
    world.index()
    view = engine.show(engine.sessions()[0].session)
    said = view.messages[-1]
    plain = engine.snippet(view.session, said.message_id)
    assert plain.startswith("The marzipan goes home.\n\n— Claude Code · shop · 2026-03-02 · ")
    fenced = engine.snippet(view.session, for_agent=True)
    assert fenced.startswith("<!-- backscroll:quote:") and "> Where does the marzipan of a go?" in fenced
    assert "## You" in engine.snippet(view.session, form="session")
    with pytest.raises(UsageError, match="no message 'zz'"):
        engine.snippet(view.session, "zz")
    engine.remember("shop", "fact", "", "Marzipan is sold here.")
    advice = engine.pack("shop").resume
    assert advice is not None
    assert (advice.advice, advice.session, advice.agent) == ("pack", view.session, "claude_code")  # /home/kim is not there
    assert "its folder is gone" in advice.text
    written: Remembered = engine.update_memory(1, title="Sweets")
    assert written.memory.title == "Sweets"
    assert engine.put_card("shop", "# By hand").markdown.splitlines()[1] == "# By hand"
    assert engine.card("shop").checkpoint is None


@pytest.fixture
def meaning(isolated: Path) -> Iterator[MeaningWorld]:
    made = MeaningWorld(isolated)
    yield made
    made.close()


def test_vectors_of_memories_are_made_while_nothing_is_read(meaning: MeaningWorld) -> None:
    meaning.write("a", "why is the queue slow")
    meaning.index()
    for number in range(3):
        meaning.engine.remember("shop", "fact", "", f"The queue holds {number} orders.")
    assert meaning.engine.memory_stats().missing_vectors == 3
    assert not meaning.fill(lambda: True)
    assert meaning.fill()
    assert meaning.engine.memory_stats().missing_vectors == 0
    meaning.engine.update_memory(1, content="The queue holds no orders.")
    assert meaning.engine.memory_stats().missing_vectors == 1
    meaning.settings.set("meaning.background", False)
    assert meaning.fill()
    assert meaning.engine.memory_stats().missing_vectors == 1
    meaning.index()  # who waits for it, has it done
    meaning.engine.index(vectors=True)
    assert meaning.engine.memory_stats().missing_vectors == 0
    meaning.settings.set("meaning.backend", "off")
    assert (meaning.fill(), meaning.engine.memory_stats().missing_vectors) == (True, 0)


def test_vectors_that_cannot_be_kept_are_told(meaning: MeaningWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    meaning.write("a", "why is the queue slow")
    meaning.index()
    meaning.engine.remember("shop", "fact", "", "The queue holds orders.")
    store = meaning.engine.libraries.of().memory

    def refuse(*_: object) -> None:
        raise KnownError("disk_full", "The disk is full", "No room for vectors.")

    with monkeypatch.context() as patch:
        patch.setattr(store, "put_vectors", refuse)
        assert meaning.fill()
    assert found(meaning.engine.doctor(), "memory_untended")[0].params["what"] == "vectors"
    assert meaning.fill()
    assert found(meaning.engine.doctor(), "memory_untended") == []


def test_files_that_were_let_go_of_are_not_opened_for_vectors(meaning: MeaningWorld) -> None:
    meaning.write("a", "why is the queue slow")
    meaning.index()
    meaning.fill()
    meaning.engine.remember("shop", "fact", "", "The queue holds orders.")
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        if len(asked) == 1:
            threading.Thread(target=meaning.engine.close).start()
            deadline = 200
            while not meaning.engine._closings and deadline:
                deadline -= 1
                threading.Event().wait(0.01)
        return False

    assert not meaning.engine.rounds.fill(stop)
    assert meaning.engine.memory_stats().missing_vectors == 1
    assert meaning.fill()
    assert meaning.engine.memory_stats().missing_vectors == 0
