"""One thread for long calls."""

from __future__ import annotations

import threading

import pytest

from tray_app import worker as module
from tray_app.worker import Job, Worker


def test_a_call_gives_its_value_or_raises_its_fault() -> None:
    worker = Worker("test")
    good, bad = worker.submit(Job(lambda: 7)), worker.submit(Job(lambda: 1 // 0))
    assert good.wait(5)
    assert bad.wait(5)
    assert good.result() == 7
    with pytest.raises(ZeroDivisionError):
        bad.result()


def test_the_newest_comes_first_and_the_oldest_beyond_the_limit_never() -> None:
    worker, gate, begun, done = Worker("test", most=2), threading.Event(), threading.Event(), []

    def first() -> None:
        begun.set()
        gate.wait(5)

    worker.submit(Job(first))
    assert begun.wait(5)
    jobs = [worker.submit(Job(lambda number=number: done.append(number))) for number in range(3)]
    gate.set()
    assert jobs[1].wait(5)
    assert done == [2, 1]
    assert not jobs[0].done


def test_what_is_given_up_does_something_else_instead() -> None:
    worker, gate, begun = Worker("test", most=1), threading.Event(), threading.Event()

    def first() -> str:
        begun.set()
        gate.wait(5)
        return "done"

    running = worker.submit(Job(first))
    assert begun.wait(5)
    jobs = [worker.submit(Job(lambda: "done", lambda: "given up")) for _ in range(2)]
    assert jobs[0].done
    assert jobs[0].result() == "given up"
    assert not worker.settle(0)
    assert jobs[1].result() == "given up"
    gate.set()
    assert worker.settle(5)
    assert running.result() == "done"


def test_an_idle_thread_ends_and_the_next_job_starts_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.01)
    worker = Worker("short", low=True)
    names = []
    for _ in range(2):
        job = worker.submit(Job(lambda: names.append(threading.current_thread())))
        assert job.wait(5)
        names[-1].join(5)
        assert not names[-1].is_alive()
    assert names[0] is not names[1]
