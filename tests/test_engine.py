"""The façade on real files: several threads, passes and questions at once, closing in the middle, clearing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from data.claude_files import START, Chat, make_id, write

from tray_app.engine import Engine
from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths
from tray_app.records import Progress, SearchRequest
from tray_app.settings import Settings

NOW = (START + timedelta(days=3)).isoformat()


def chat_file(home: Path, label: str) -> Path:
    return home / ".claude" / "projects" / "-made-up" / f"{make_id(label)}.jsonl"


def add(home: Path, label: str, *words: str) -> Path:
    """A session of Claude Code in which the person says these words and is answered."""
    chat = Chat(label)
    rows = [row for said in words for row in (chat.user(said), chat.answer(f"Noted: {label}."))]
    return write(chat_file(home, label), rows)


@pytest.fixture
def engine(isolated: Path) -> Iterator[Engine]:
    add(isolated, "first", "The heron stands in the pond.")
    add(isolated, "second", "The otter swims below the weir.")
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    yield made
    made.close()


def found(engine: Engine, query: str) -> list[str]:
    answer = engine.search(SearchRequest(query=query, now=NOW))
    return [session.session for session in answer.sessions]


def test_before_the_first_pass_there_is_nothing(engine: Engine) -> None:
    answer = engine.search(SearchRequest(query="heron"))
    assert (answer.reason_code, answer.snapshot, answer.indexing) == ("empty_index", "", False)
    assert engine.status().built_at is None
    assert engine.sessions() == []
    assert "no_sources" in found_by(engine)


def test_a_pass_makes_talk_searchable_and_the_next_one_reads_only_what_is_new(engine: Engine, isolated: Path) -> None:
    report = engine.index(all_sources=True)
    assert (report.totals.sessions, report.totals.messages, report.stopped) == (2, 4, False)
    assert found(engine, "heron") == [make_id("first")]
    answer = engine.search(SearchRequest(query="heron"))
    assert answer.snapshot == engine.status().built_at
    add(isolated, "third", "A kingfisher waits on the heron's branch.")
    assert found(engine, "kingfisher") == []
    report = engine.index()
    assert report.totals.unchanged_files == 2
    assert found(engine, "kingfisher") == [make_id("third")]
    assert set(found(engine, "heron")) == {make_id("first"), make_id("third")}
    assert engine.search(SearchRequest(query="heron")).snapshot > answer.snapshot


def test_what_is_taken_away_is_not_found_any_more(engine: Engine, isolated: Path) -> None:
    engine.index(all_sources=True)
    assert found(engine, "otter")
    chat_file(isolated, "second").unlink()
    engine.index()
    assert found(engine, "otter") == []
    assert found(engine, "heron")


def test_what_is_rewritten_is_found_by_its_new_words_alone(engine: Engine, isolated: Path) -> None:
    engine.index(all_sources=True)
    assert found(engine, "heron")
    add(isolated, "first", "The stork stands on the chimney.")
    engine.index(full=True)
    assert found(engine, "heron") == []
    assert found(engine, "stork") == [make_id("first")]


def test_show_leads_back_from_a_hit_to_the_conversation(engine: Engine) -> None:
    engine.index(all_sources=True)
    hit = engine.search(SearchRequest(query="otter")).sessions[0].hits[0]
    view = engine.show(make_id("second")[:8], around=hit.message_id)
    assert [message.role for message in view.messages] == ["user", "assistant"]
    assert (view.total, view.first, view.path) == (2, 0, hit.path)
    with pytest.raises(UsageError, match="no session"):
        engine.show("nothing-like-it")
    with pytest.raises(UsageError, match="no message"):
        engine.show(view.session, around="nothing-like-it")
    listed = engine.sessions(project="shop")
    assert {item.session for item in listed} == {make_id("first"), make_id("second")}
    assert [item.session for item in engine.sessions(limit=1, order="oldest")] == [engine.sessions(order="oldest")[0].session]


def test_questions_from_many_threads_while_a_pass_writes(engine: Engine, isolated: Path) -> None:
    engine.index(all_sources=True)
    for number in range(30):
        add(isolated, f"more-{number}", *(f"The heron number {number} said word{place}." for place in range(6)))
    stop = threading.Event()

    def ask(query: str) -> int:
        asked = 0
        while not stop.is_set():
            answer = engine.search(SearchRequest(query=query, now=NOW))
            assert answer.sessions
            assert all(hit.text for session in answer.sessions for hit in session.hits)
            asked += 1
        return asked

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask, query) for query in ("heron", "otter weir", '"in the pond"', "agent:claude heron")]
        for _ in range(3):
            engine.index(full=True)
        stop.set()
        assert all(task.result() > 0 for task in asking)
    assert engine.status().totals.sessions == 32
    assert engine.search(SearchRequest(query="heron", now=NOW, limit=200, dedupe=False)).hits == 181


def test_closing_while_questions_are_asked_breaks_none_of_them(engine: Engine) -> None:
    engine.index(all_sources=True)
    stop = threading.Event()

    def ask() -> int:
        asked = 0
        while not stop.is_set():
            assert found(engine, "heron") == [make_id("first")]
            asked += 1
        return asked

    with ThreadPoolExecutor(3) as pool:
        asking = [pool.submit(ask) for _ in range(3)]
        for _ in range(10):
            time.sleep(0.02)
            engine.close()
        stop.set()
        assert all(task.result() > 0 for task in asking)


def test_closing_ends_a_running_pass_and_the_next_one_goes_on(engine: Engine, isolated: Path) -> None:
    for number in range(40):
        add(isolated, f"more-{number}", f"The heron number {number}.")
    engine.folders.tick_found()
    reading = threading.Event()

    def report(progress: Progress) -> None:
        reading.set()

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.index_once, report, lambda: False)
        assert reading.wait(10)
        engine.close()
        done = running.result(10)
    again = engine.index()
    assert again.totals.sessions == 42
    assert done.stopped or done.totals.sessions == 42


def test_closing_twice_and_going_on(engine: Engine) -> None:
    engine.index(all_sources=True)
    engine.close()
    engine.close()
    assert found(engine, "heron")


def test_another_process_with_the_file_is_told(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(path: Path) -> object:
        raise KnownError("index_locked", "The index is in use", "Another process has it.")

    monkeypatch.setattr("tray_app.libraries.open_index", locked)
    for call in (engine.open_or_raise, engine.status, lambda: engine.search(SearchRequest(query="x"))):
        with pytest.raises(KnownError) as told:
            call()
        assert told.value.code == "index_locked"
    monkeypatch.undo()
    engine.open_or_raise()


def test_clearing_forgets_everything_and_pauses(engine: Engine, isolated: Path) -> None:
    engine.index(all_sources=True)
    before = chat_file(isolated, "first").read_bytes()
    status = engine.clear_index()
    assert (status.totals.sessions, status.paused, status.built_at) == (0, True, None)
    answer = engine.search(SearchRequest(query="heron"))
    assert (answer.reason_code, answer.snapshot) == ("empty_index", "")
    assert chat_file(isolated, "first").read_bytes() == before
    engine.resume()
    engine.index()
    assert found(engine, "heron")


def test_threads_that_end_leave_no_reader_behind(engine: Engine) -> None:
    engine.index(all_sources=True)
    for _ in range(5):
        thread = threading.Thread(target=found, args=(engine, "heron"))
        thread.start()
        thread.join()
    assert len(engine.libraries.of()._readers) <= 2


def test_status_counts_what_is_there(engine: Engine) -> None:
    engine.index(all_sources=True)
    status = engine.status()
    assert (status.totals.sessions, status.totals.messages) == (2, 4)
    assert status.totals.chunks == 2
    assert (status.owner.kind, status.indexing, status.problems, status.fts_extension) == ("cli", False, 0, True)
    assert status.index_bytes > 0
    assert 0 < status.text_bytes < 1_000
    assert status.oldest is not None
    assert status.oldest <= (status.newest or "")


def found_by(engine: Engine) -> list[str]:
    """What the check-up says of the library: nothing of the machine."""
    return [one.code for one in engine.doctor() if one.code not in ("no_tray", "versions") and "keyring" not in one.code]


def test_the_doctor_finds_all_in_order_and_then_what_changed(engine: Engine, isolated: Path) -> None:
    engine.index(all_sources=True)
    fine = ["backups_open", "index_proved", "all_in_order"]
    assert found_by(engine) == ["meaning_missing", *fine]
    engine.set_config("meaning.backend", "off")
    assert found_by(engine) == fine
    with chat_file(isolated, "first").open("ab") as file:
        file.write(b"\n")
    assert found_by(engine) == ["index_behind", *fine]
    (behind,) = [one for one in engine.doctor() if one.code == "index_behind"]
    assert (behind.severity, behind.params) == ("info", {"count": "1", "total": "2"})
    assert behind.remedy


def test_settings_wake_the_indexer_where_it_must_read_again(engine: Engine) -> None:
    assert engine.config()["search.limit"] == 50
    engine.wake.clear()
    assert engine.set_config("search.limit", 20) == 20
    assert not engine.wake.is_set()
    assert engine.set_config("index.tools", False) is False
    assert engine.wake.is_set()
    assert engine.set_config("search.limit", None) == 50


@pytest.mark.parametrize("call", [lambda engine: engine.pause(5), lambda engine: engine.pause()])
def test_pausing(engine: Engine, call: Callable[[Engine], object]) -> None:
    call(engine)
    assert engine.paused()[0]
    engine.resume()
    assert engine.paused() == (False, None)
