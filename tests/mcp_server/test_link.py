"""The way to the owner: connected once and again after a failure, what is new read where no tray does it, and the threads."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from tray_app.errors import KnownError
from tray_app.mcp_server.link import FRESH_S, Link, Workers
from tray_app.records import Owner

GUARD_S = 30.0


class Backend:
    """As much of one as the link asks. `kind` is that of the owner."""

    def __init__(self, kind: str, *, paused: bool = False, ticked: bool = True) -> None:
        self.kind, self.paused, self.ticked = kind, paused, ticked
        self.passes = 0
        self.closed = 0

    def sources(self) -> list[Any]:
        return [SimpleNamespace(enabled=self.ticked)]

    def status(self) -> Any:
        return SimpleNamespace(owner=Owner(pid=1, kind=self.kind), paused=self.paused, sources=self.sources())

    def index(self, *, vectors: bool) -> None:
        assert vectors
        self.passes += 1

    def close(self) -> None:
        self.closed += 1


def link_to(backend: Backend) -> Link:
    return Link(lambda: backend, "/home/kim")  # type: ignore[arg-type, return-value]


def settle() -> None:
    for thread in threading.enumerate():
        if thread.name == "mcp-reading":
            thread.join(GUARD_S)


def test_connected_at_the_first_call_and_again_after_a_failure() -> None:
    backend = Backend("mcp")
    answers: list[Any] = [KnownError("owner_silent", "No answer", "It says nothing."), backend, Backend("mcp")]

    def make() -> Any:
        answer = answers.pop(0)
        if isinstance(answer, KnownError):
            raise answer
        return answer

    link = Link(make, "")
    link.close()
    assert len(answers) == 3
    with pytest.raises(KnownError, match="It says nothing"):
        link.backend()
    assert link.backend() is link.backend() is backend
    link.close()
    link.close()
    assert backend.closed == 1


def test_the_end_does_not_wait_for_an_owner_that_is_still_looked_for() -> None:
    looking, found = threading.Event(), threading.Event()

    def make() -> Any:
        looking.set()
        found.wait(GUARD_S)
        return Backend("mcp")

    link = Link(make, "")
    asking = threading.Thread(target=link.backend)
    asking.start()
    assert looking.wait(GUARD_S)
    link.close()
    assert asking.is_alive()
    found.set()
    asking.join(GUARD_S)


@pytest.mark.parametrize(
    ("backend", "passes"),
    [
        (Backend("mcp"), 1),
        (Backend("cli"), 1),
        (Backend("tray"), 0),
        (Backend("mcp", paused=True), 0),
        (Backend("mcp", ticked=False), 0),
    ],
    ids=["mcp", "cli", "tray", "paused", "nothing ticked"],
)
def test_what_is_new_is_read_where_no_tray_does_it(backend: Backend, passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000.0]
    monkeypatch.setattr("tray_app.mcp_server.link.time", SimpleNamespace(monotonic=lambda: now[0]))
    link = link_to(backend)
    for _ in range(3):
        link.keep_fresh(link.backend())
    settle()
    assert backend.passes == passes
    now[0] += FRESH_S + 1
    link.warm()
    settle()
    assert backend.passes == 2 * passes


def test_an_index_that_was_never_read_is_read_beside_a_tray_too() -> None:
    tray = Backend("tray")
    link = link_to(tray)
    link.keep_fresh(link.backend())
    assert link.first_reading() is True
    settle()
    assert tray.passes == 1
    assert link_to(Backend("mcp", ticked=False)).first_reading() is False


def test_what_fails_in_the_background_is_told_in_the_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    def make() -> Any:
        raise KnownError("index_locked", "Locked", "Another process holds it.")

    caplog.set_level("INFO")
    Link(make, "").warm()
    assert [record.getMessage() for record in caplog.records] == ["not connected yet: index_locked"]


def test_calls_that_wait_do_not_keep_others_waiting() -> None:
    workers, go_on, done = Workers(most=4), threading.Event(), threading.Semaphore(0)

    def wait() -> None:
        go_on.wait(GUARD_S)
        done.release()

    for _ in range(3):
        workers.begin(wait)
    workers.begin(done.release)
    assert done.acquire(timeout=GUARD_S)
    for _ in range(9):  # more than there may be threads: they wait for their turn
        workers.begin(wait)
    go_on.set()
    for _ in range(12):
        assert done.acquire(timeout=GUARD_S)
    assert sum(thread.name.startswith("mcp-call-") for thread in threading.enumerate()) <= 4
