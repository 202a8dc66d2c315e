"""Progress that is sent beside the work."""

from __future__ import annotations

import threading

import pytest
from engine_double import connect_double

from tray_app.paths import Paths
from tray_app.records import Progress, SearchRequest
from tray_app.service import ownership, protocol, telling, transport
from tray_app.service.client import Client
from tray_app.service.telling import Telling


def steps(count: int, phase: str = "archiving") -> list[Progress]:
    return [Progress(phase=phase, done=done, total=count) for done in range(count)]


def test_all_of_it_arrives_in_order() -> None:
    sent: list[Progress] = []
    with Telling(sent.append) as tell:
        for progress in steps(50):
            tell(progress)
    assert sent == steps(50)


def test_reading_is_told_of_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "GAP_S", 3600)
    sent: list[Progress] = []
    with Telling(sent.append) as tell:
        for progress in [*steps(50, "reading"), Progress(phase="finishing", done=50, total=50)]:
            tell(progress)
    assert sent == [steps(50, "reading")[0], Progress(phase="finishing", done=50, total=50)]


def test_nothing_told_needs_no_thread() -> None:
    before = threading.active_count()
    with Telling(lambda progress: None):
        assert threading.active_count() == before


def test_work_goes_on_beside_a_caller_that_does_not_read() -> None:
    """The newest of what waits is sent when it reads again."""
    reads, sent = threading.Event(), list[Progress]()

    def send(progress: Progress) -> None:
        assert reads.wait(20)
        sent.append(progress)

    with Telling(send) as tell:
        for progress in steps(1000):
            tell(progress)
        reads.set()
    assert sent[1:] == steps(1000)[-telling.WAITING :] or sent == steps(1000)[-telling.WAITING :]


def test_a_caller_that_has_gone_is_no_matter() -> None:
    def send(progress: Progress) -> None:
        raise BrokenPipeError

    with Telling(send) as tell:
        for progress in steps(10):
            tell(progress)


def test_what_fails_goes_on() -> None:
    sent: list[Progress] = []
    with pytest.raises(ValueError, match="the work"), Telling(sent.append) as tell:
        tell(steps(1)[0])
        raise ValueError("the work failed")
    assert sent == steps(1)


def test_a_pass_ends_though_who_asked_for_it_reads_nothing() -> None:
    """A terminal that is held (text is being selected in it) holds its program, and that must not hold the owner."""
    with connect_double("tray") as tray:
        note = ownership.read_note(Paths.from_environment())
        assert note is not None
        engine = tray.engine
        index = engine.index  # type: ignore[union-attr]
        done = threading.Event()

        def talkative(**more: object) -> object:
            report = more["report"]
            for number in range(20_000):  # more than a socket holds
                report(Progress(phase="archiving", done=number, total=20_000, agent="x" * 200))  # type: ignore[operator]
            done.set()
            return index(**more)  # type: ignore[arg-type]

        engine.index = talkative  # type: ignore[union-attr, method-assign]
        client = Client(note, "cli")
        channel = client._open()
        channel.send_bytes(protocol.encode(protocol.Request(1, "index")))
        assert done.wait(20)
        with connect_double("cli") as other:
            assert other.search(SearchRequest(query="webhook")).hits == 1
        transport.hang_up(channel)
        channel.close()
