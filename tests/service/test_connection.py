"""Owners and clients in processes of their own: election, loss, take-over, nobody ever told of a lock."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from doubled import GUARD_S, Start, asked, said, tell, until
from engine_double import connect_double

import tray_app
from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths
from tray_app.records import Progress, SearchRequest
from tray_app.service import ownership, protocol, transport
from tray_app.service.connection import Connection, running_owner
from tray_app.service.memory_backend import MemoryBackend
from tray_app.settings import Settings


@pytest.fixture
def paths() -> Paths:
    return Paths.from_environment().ensure()


def test_first_is_owner_and_second_asks_it(paths: Paths) -> None:
    with connect_double("cli") as first, connect_double("mcp") as second:
        assert (first.is_owner, second.is_owner) == (True, False)
        assert second.owner.pid == os.getpid()
        assert asked(second)
        assert first.engine is not None
        assert first.engine.calls == ["search"]  # type: ignore[attr-defined]
    assert not ownership.note_file(paths).exists()
    assert not Path(ownership.address_of(paths)).exists()


def test_every_method_of_the_backend_crosses_the_socket() -> None:
    with connect_double() as first, connect_double() as second:
        seen: list[Progress] = []
        assert asked(second)
        assert second.index(all_sources=True, report=seen.append) == first.index(all_sources=True)
        assert seen[-1] == Progress(phase="finishing", done=2, total=2)
        assert second.show("0f", limit=5) == first.show("0f")
        assert second.sessions(project="shop") == first.sessions(project="shop")
        assert second.sources() == first.sources()
        assert second.set_source("dsh", True) == first.sources()
        assert second.add_folder("codex", "/x") == second.remove_folder("codex:/x")
        assert second.add_space("a", ["/a"]) == first.spaces()
        assert second.assign_folders("a", ["/b"])[1].folders == ("/a", "/b")
        assert second.unassign_folder("/b")[1].folders == ("/a",)
        assert second.rename_space("a", "b") == first.spaces() == second.spaces()
        assert second.remove_space("b")[1].removed
        assert second.restore_space("b") == first.spaces()
        assert second.show("0f", space="b") == second.show("0f", caller="/a")
        assert second.sessions(space="b") == second.sessions(caller="/a")
        assert second.kept() == first.kept()
        assert second.keep_now() == first.keep_now() != first.kept()
        assert second.write_out("0f3c", "/a/out", agent="claude_code") == ["/a/out/0f3c.jsonl"]
        gone = second.forget_session("0f3c", caller="/a")
        assert second.forgotten() == first.forgotten() == [gone]
        assert second.unforget("0f3c", agent="claude_code") == [gone]
        assert second.forgotten() == []
        assert second.pause(5).paused
        assert not second.resume().paused
        assert second.rebuild() is None
        assert second.clear_index() == second.status()
        assert second.problems() == first.problems()
        assert second.index_figures() == first.index_figures(caller="/a")
        assert second.doctor() == first.doctor()
        assert second.config() == first.config()
        assert second.set_config("index.days", "30") == 30
        assert not second.test_meaning({"backend": "openai", "dims": 512}).ok
        assert second.set_key("meaning", "a-key") == first.meaning() == second.meaning()
        assert second.test_meaning({"backend": "openai", "dims": 512}) == first.test_meaning({"dims": 512}, "another")
        assert second.download_model("small") == first.meaning().download
        assert second.cancel_download().state == "cancelled"
        assert second.topics(days=3) == first.topics() != second.topics(days=0) == []
        asked_for = set(first.engine.calls) | set(protocol.methods_of(MemoryBackend))  # type: ignore[union-attr]
        assert sorted(set(protocol.METHODS) - asked_for) == []


def test_errors_cross_the_socket(allow_log: Callable[[str], None]) -> None:
    with connect_double(), connect_double() as second:
        with pytest.raises(KnownError, match="No session 'zz' is known") as known:
            second.show("zz")
        assert (known.value.code, known.value.exit_code) == ("no_such_session", 2)
        with pytest.raises(UsageError, match="lies between 0 and 3650"):
            second.set_config("index.days", 5000)
        allow_log("ERROR tray_app.service.server: search failed")
        with pytest.raises(Exception, match="ValueError") as bug:
            second.search(SearchRequest(query="bug"))
        assert type(bug.value).__name__ == "BugError"
        assert asked(second)


def test_odd_text_crosses_the_socket() -> None:
    with connect_double() as first, connect_double() as second:
        second.search(SearchRequest(query="a\ud800b \0 \ud83d\ude00"))
        assert first.engine.queries[-1].query == "a\ufffdb \0 \U0001f600"  # type: ignore[union-attr]
        with pytest.raises(KnownError, match="too long to be sent"):
            second.search(SearchRequest(query="x" * protocol.REQUEST_BYTES))
        assert asked(second)


def test_of_five_starts_one_becomes_owner(start: Start) -> None:
    processes = [start("cli") for _ in range(5)]
    answers = [said(process).split() for process in processes]
    owners = [process.pid for process, (_, own) in zip(processes, answers, strict=True) if own == "True"]
    assert len(owners) == 1
    assert {pid for pid, _ in answers} == {str(owners[0])}


def test_killed_owner_is_replaced_at_the_next_call(start: Start) -> None:
    """Within two seconds, as `benchmarks/bench_service.py` shows."""
    owner = start("cli")
    assert said(owner) == f"{owner.pid} True"
    with connect_double("cli") as connection:
        assert asked(connection)
        assert not connection.is_owner
        owner.kill()
        owner.wait()
        assert asked(connection)
        assert connection.is_owner


def test_owner_killed_in_the_middle_of_a_pass(start: Start) -> None:
    owner = start("cli", "3600")
    said(owner)
    with connect_double("cli") as connection:
        report = connection.index(report=lambda progress: owner.kill())
        assert (report.stopped, connection.is_owner) == (False, True)


def test_what_may_not_be_done_twice_is_not_repeated(start: Start) -> None:
    owner = start("cli")
    said(owner)
    with connect_double() as second, pytest.raises(KnownError, match=r"ended before it answered\. See whether") as lost:
        second.add_folder("codex", "/dies")
    assert lost.value.code == "owner_lost"


def test_tray_takes_over_from_a_command_line(start: Start) -> None:
    cli = start("cli")
    said(cli)
    with connect_double("tray") as tray:
        assert tray.is_owner
        tell(cli, "search")
        assert said(cli) == "1 False"  # it goes on as the tray's client
        assert tray.engine.calls == ["search"]  # type: ignore[union-attr]


def test_tray_takes_over_in_the_middle_of_a_pass(start: Start) -> None:
    cli = start("cli", "3600")
    said(cli)
    tell(cli, "index")
    with connect_double("cli") as other:
        begun, thread_result = threading.Event(), list[bool]()
        thread = threading.Thread(target=lambda: thread_result.append(other.index(report=lambda progress: begun.set()).stopped))
        thread.start()
        assert begun.wait(GUARD_S)
        with connect_double("tray") as tray:
            assert tray.is_owner
            assert said(cli) == "stopped=False own=False"
            thread.join(GUARD_S)
            assert thread_result == [False]
            assert tray.engine.calls == ["index", "index"]  # type: ignore[union-attr]


def test_requests_under_way_are_finished_before_the_tray_takes_over() -> None:
    with connect_double("cli") as owner, connect_double("cli") as client:
        answers: list[int] = []
        threads = [
            threading.Thread(target=lambda who=who: answers.append(who.search(SearchRequest(query="slow")).hits))  # type: ignore[misc]
            for who in (owner, client)
        ]
        engine = owner.engine
        for thread in threads:
            thread.start()
        until(lambda: engine.calls == ["search", "search"])  # type: ignore[union-attr]
        with connect_double("tray") as tray:
            assert tray.is_owner
            for thread in threads:
                thread.join(GUARD_S)
            assert answers == [0, 0]
            assert engine.calls == ["search", "search"]  # type: ignore[union-attr]
            assert tray.engine.calls == []  # type: ignore[union-attr]


def test_who_looks_for_an_owner_can_be_closed_meanwhile(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that ends does not wait for a server that waits for somebody who opens the files."""
    monkeypatch.setattr("tray_app.service.connection.OPENING_S", 3600)
    with ownership.claim(paths) as claim:  # type: ignore[union-attr]
        claim.announce_opening("tray")
        looking = Connection(paths, Settings(paths.settings_file), "mcp")
        told: list[str] = []

        def ask() -> None:
            with pytest.raises(KnownError) as error:
                looking.status()
            told.append(error.value.code)

        read, looks = ownership.read_note, threading.Event()
        monkeypatch.setattr(ownership, "read_note", lambda where: (looks.set(), read(where))[1])
        thread = threading.Thread(target=ask)
        thread.start()
        assert looks.wait(GUARD_S)
        looking.close()
        thread.join(GUARD_S)
        assert told == ["closed"]


def test_idle_owner_lets_go(paths: Paths) -> None:
    with connect_double("mcp", idle_s=1) as mcp, connect_double("cli") as cli:
        assert asked(cli)
        until(lambda: ownership.read_note(paths) is None)
        assert not mcp.is_owner
        assert running_owner(paths, "cli") is None
        assert asked(cli)
        assert cli.is_owner
        assert asked(mcp)
        assert not mcp.is_owner


def test_stale_socket_and_note_are_no_hindrance(start: Start, paths: Paths) -> None:
    owner = start("cli")
    said(owner)
    owner.kill()
    owner.wait()
    assert Path(ownership.address_of(paths)).exists()
    assert ownership.note_file(paths).exists()
    with connect_double() as connection:
        assert connection.is_owner
        assert asked(connection)


def test_locked_database_is_waited_for(paths: Paths) -> None:
    with (paths.data / "double.lock").open("a+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        threading.Timer(0.4, lambda: fcntl.flock(lock, fcntl.LOCK_UN)).start()
        with connect_double() as connection:
            assert asked(connection)


def test_database_that_stays_locked(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.service.owning.LOCKED_S", 0.3)
    with (paths.data / "double.lock").open("a+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(KnownError, match="process 77") as error:
            connect_double()
        assert error.value.code == "index_locked"
    with connect_double() as connection:  # the right to own was given back
        assert connection.is_owner


def test_owner_that_takes_long_to_open_is_waited_for(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.service.connection.FIND_S", 1)
    claim = ownership.claim(paths)
    assert claim is not None
    claim.announce_opening("tray")
    assert running_owner(paths, "cli") is None  # nobody to be told anything yet
    threading.Timer(1.2, claim.announce, ["tray"]).start()  # and is some time from there to listening
    threading.Timer(1.25, claim.release).start()
    with connect_double("cli") as connection:
        assert connection.is_owner
    monkeypatch.setattr("tray_app.service.connection.OPENING_S", 0.2)
    claim = ownership.claim(paths)
    assert claim is not None
    claim.announce_opening("tray")
    with pytest.raises(KnownError, match=rf"process {os.getpid()}\) is still opening its files") as error:
        connect_double("cli")
    assert (error.value.code, error.value.hint) == ("owner_silent", "Wait a little, then try again.")
    claim.withdraw()
    with pytest.raises(KnownError, match="Another Backscroll holds the files"):
        connect_double("cli")
    claim.release()
    claim.withdraw()


def test_other_version_is_told_in_words(start: Start, monkeypatch: pytest.MonkeyPatch, paths: Paths) -> None:
    tray = start("tray")
    said(tray)
    monkeypatch.setattr(tray_app, "__version__", "0.0.9")
    with pytest.raises(KnownError, match=rf"process {tray.pid}\) is version .*, this is version 0\.0\.9") as error:
        connect_double("cli")
    assert error.value.code == "other_version"
    client = running_owner(paths, "cli")
    assert client is not None
    client.ask("quit", {})  # the way out works across versions
    with pytest.raises(KnownError, match="is version"):
        client.ask("status", {})
    client.close()
    assert (paths.data / "window.txt").read_text() == "quit\n"


def test_owner_that_hangs_is_told(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "STEP_S", 0.2)
    monkeypatch.setattr("tray_app.service.connection.FIND_S", 0.3)
    with ownership.claim(paths) as claim:  # type: ignore[union-attr]
        listener = transport.listen(claim.announce("tray").address)  # and never accepts
        with pytest.raises(KnownError, match=f"process {os.getpid()}\\) does not answer") as error:
            connect_double("cli")
        assert error.value.code == "owner_silent"
        listener.close()


def test_owner_that_was_stopped_is_woken(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-Z on an agent stops the server it started, too."""
    monkeypatch.setattr(transport, "STEP_S", 1)
    owner = start("mcp")
    said(owner)
    os.kill(owner.pid, signal.SIGSTOP)
    with connect_double("cli") as client:
        assert client.owner.pid == owner.pid
        monkeypatch.setattr("tray_app.service.client.ALIVE_S", 0.2)
        os.kill(owner.pid, signal.SIGSTOP)  # now in the middle of a question, on a connection there is
        assert asked(client)


def test_owner_that_works_for_long_is_waited_for(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.service.client.ALIVE_S", 0.05)
    with connect_double("tray"), connect_double("cli") as client:
        assert client.search(SearchRequest(query="slow")).hits == 0
        monkeypatch.setattr("tray_app.service.client.ANSWER_S", 0.1)
        with pytest.raises(KnownError, match="does not answer"):
            client.search(SearchRequest(query="slow"))


def test_a_report_that_fails_is_no_lost_owner() -> None:
    def broken(progress: Progress) -> None:
        raise BrokenPipeError("nobody reads the progress")

    with connect_double("tray") as tray, connect_double("cli") as client:
        with pytest.raises(BrokenPipeError):
            client.index(report=broken)
        assert tray.engine.calls == ["index"]  # type: ignore[union-attr]
        assert asked(client)


def test_eight_clients_with_fifty_calls_each() -> None:
    with connect_double("tray"):
        failures: list[BaseException] = []

        def ask() -> None:
            try:
                with connect_double("cli") as client:
                    for _ in range(50):
                        assert asked(client)
                        assert not client.is_owner
            except BaseException as fault:
                failures.append(fault)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(GUARD_S)
        assert failures == []


def test_data_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    paths = Paths(*[tmp_path / "file" / name for name in ("config", "data", "cache", "logs", "run")])
    with pytest.raises(KnownError, match="cannot be written") as error:
        connect_double("cli", paths)
    assert error.value.code == "data_unwritable"


def test_files_that_cannot_be_closed_do_not_keep_the_right_to_them(paths: Paths) -> None:
    with connect_double("cli") as first:
        engine = first.engine
        assert engine is not None
        close = engine.close

        def broken() -> None:
            close()
            raise OSError(28, "No space left on device")

        engine.close = broken  # type: ignore[method-assign]
        with pytest.raises(OSError, match="No space left"):
            first._give_way()
        with connect_double("cli") as second:
            assert second.is_owner
            assert asked(first)


def test_closed_connection_says_so(paths: Paths) -> None:
    connection = connect_double()
    connection.close()
    connection.close()
    with pytest.raises(KnownError, match="was closed"):
        connection.status()
    assert Settings(paths.settings_file).faults == []
