"""Sockets as the system has them: half-closed, cleaned away, refused."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from engine_double import connect_double

from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.service import ownership, server, transport
from tray_app.service.connection import Connection
from tray_app.service.transport import Channel, UnixListener

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sockets with a path")


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[UnixListener]:
    listening = UnixListener(str(tmp_path / "s"))
    yield listening
    listening.close()


def pair(listener: UnixListener) -> tuple[Channel, Channel]:
    caller = transport.dial(listener.address)
    accepted = listener.accept()
    assert accepted is not None
    return caller, accepted


def test_what_arrived_before_is_still_heard(listener: UnixListener) -> None:
    """And who sends afterwards knows that it was not sent; answers still go the other way."""
    caller, owner = pair(listener)
    caller.send_bytes(b"in time")
    transport.stop_hearing(owner)
    if sys.platform == "linux":  # elsewhere it may be thrown away, and the caller sees the end
        assert owner.recv_bytes() == b"in time"
    with pytest.raises(OSError, match=r"Broken pipe|Connection"):
        caller.send_bytes(b"too late")
    owner.send_bytes(b"answer")
    assert caller.recv_bytes() == b"answer"
    with pytest.raises(EOFError):
        owner.recv_bytes()
    caller.close()
    owner.close()


def test_a_thread_that_waits_is_woken(listener: UnixListener) -> None:
    for end in (transport.stop_hearing, transport.hang_up):
        caller, owner = pair(listener)
        waiting = threading.Thread(target=owner.poll, args=(None,))
        waiting.start()
        end(owner)
        waiting.join(5)
        assert not waiting.is_alive()
        caller.close()
        owner.close()
        end(owner)  # closed already: no matter


def test_socket_that_cannot_be_put_back_now_is_later(listener: UnixListener, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old one is kept meanwhile: it was closed first once, and then the owner could never be called again."""
    monkeypatch.setattr(transport, "STEP_S", 0.02)
    again = UnixListener(listener.address)
    Path(listener.address).unlink()
    bind = UnixListener._bind
    monkeypatch.setattr(UnixListener, "_bind", lambda self: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert again.accept() is None
    assert again.accept() is None
    monkeypatch.setattr(UnixListener, "_bind", bind)
    assert again.accept() is None
    caller, owner = pair(again)
    for channel in (caller, owner, again):
        channel.close()


def test_caller_that_has_gone_before_it_was_let_in(listener: UnixListener, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(peer: socket.socket) -> int:
        raise OSError(107, "Transport endpoint is not connected")

    caller = transport.dial(listener.address)
    monkeypatch.setattr(transport, "peer_uid", gone)
    assert listener.accept() is None
    monkeypatch.undo()
    with pytest.raises(EOFError):
        caller.recv_bytes()
    caller.close()


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="the system does not tell")
def test_the_system_says_who_is_at_the_other_end() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    assert transport.peer_uid(one) == os.getuid()
    one.close()
    other.close()


def test_an_owner_short_of_threads_says_so_once_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin = server.Server._begin
    short = threading.Event()
    short.set()

    def begin_or_not(self: server.Server, channel: Channel) -> None:
        if short.is_set():
            self._leave(channel)
            raise RuntimeError("can't start new thread")
        begin(self, channel)

    monkeypatch.setattr(server.Server, "_begin", begin_or_not)
    with connect_double("tray"):
        address = ownership.address_of(Paths.from_environment())
        for _ in range(3):
            refused = transport.dial(address)
            with pytest.raises((EOFError, OSError)):
                refused.recv_bytes()
            refused.close()
        short.clear()
        with connect_double("cli") as client:
            assert client.search(SearchRequest(query="webhook")).hits == 1
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [
        "a caller could not be let in: can't start new thread"
    ]


@pytest.mark.parametrize("leave", [lambda owner: owner._give_way(), lambda owner: owner.close()], ids=["gives way", "closes"])
def test_what_may_not_be_done_twice_is_not_lost_when_an_owner_lets_go(leave: Callable[[Connection], object]) -> None:
    """Whatever moment it lets go at, clients know whether they were heard: none of them is told to look for itself."""
    stop, faults, done = threading.Event(), list[BaseException](), [0, 0]

    def write(which: int) -> None:
        try:
            with connect_double("cli") as client:
                while not stop.is_set():
                    client.add_folder("codex", "/x")
                    done[which] += 1
        except BaseException as fault:
            faults.append(fault)

    with contextlib.ExitStack() as stack:
        owner = stack.enter_context(connect_double("mcp"))
        threads = [threading.Thread(target=write, args=(which,)) for which in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(6):
            before = list(done)
            deadline = time.monotonic() + 20
            while not all(now > then for now, then in zip(done, before, strict=True)) and not faults:
                assert time.monotonic() < deadline
                time.sleep(0.002)
            leave(owner)
            owner = stack.enter_context(connect_double("tray"))
        stop.set()
        for thread in threads:
            thread.join(20)
    assert faults == []
