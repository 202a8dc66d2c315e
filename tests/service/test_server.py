"""The owner's side against callers that do not behave: no secret, junk, silence, too many."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_double import connect_double
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.service import ownership, protocol, server, transport
from tray_app.service.client import Client, Lost
from tray_app.service.connection import Connection
from tray_app.service.ownership import Note
from tray_app.service.proof import Unproven
from tray_app.service.transport import Channel

WAIT_S = 30.0
"""Nothing takes so long; it is there so that nothing hangs."""


@pytest.fixture
def owner() -> Iterator[Connection]:
    with connect_double("cli") as connection:
        yield connection


@pytest.fixture
def note(owner: Connection) -> Note:
    found = ownership.read_note(Paths.from_environment())
    assert found is not None
    return found


def proven(note: Note) -> Channel:
    channel = transport.dial(note.address)
    transport.prove_to_owner(channel, note.secret.encode())
    return channel


def greeted(note: Note) -> Channel:
    channel = proven(note)
    hello = msgspec.Raw(protocol.encode(protocol.own_hello("cli")))
    channel.send_bytes(protocol.encode(protocol.Request(0, "hello", hello)))
    assert channel.poll(WAIT_S)
    reply = protocol.decode(channel.recv_bytes(), protocol.Reply)
    assert protocol.decode(reply.body, protocol.Hello) == protocol.own_hello("cli")
    return channel


def exchange(channel: Channel, frame: bytes) -> protocol.Reply:
    channel.send_bytes(frame)
    assert channel.poll(WAIT_S)
    reply: protocol.Reply = protocol.decode(channel.recv_bytes(), protocol.Reply)
    return reply


def hung_up(channel: Channel, wait: float = WAIT_S) -> bool:
    """Whether the owner has ended this connection."""
    if not channel.poll(wait):
        return False
    try:
        channel.recv_bytes()
    except (EOFError, OSError):
        return True
    return False


def still_answers(note: Note) -> bool:
    client = Client(note, "cli")
    client.greet()
    hits = client.ask("search", {"request": SearchRequest(query="webhook")}).hits
    client.close()
    return bool(hits == 1)


def test_socket_and_note_are_for_this_user_only(note: Note) -> None:
    paths = Paths.from_environment()
    socket_file = Path(note.address)
    assert socket_file == paths.runtime / "owner.sock"
    assert stat.S_IMODE(socket_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(socket_file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(ownership.note_file(paths).stat().st_mode) == 0o600
    assert stat.S_IMODE(ownership.lock_file(paths).stat().st_mode) == 0o600
    assert len(note.secret) == 64


def test_wrong_secret_is_refused(note: Note) -> None:
    channel = transport.dial(note.address)
    with pytest.raises((Unproven, EOFError, OSError)):
        transport.prove_to_owner(channel, b"0" * 64)
    channel.close()
    wrong = msgspec.structs.replace(note, secret="0" * 64)
    with pytest.raises(Lost, match="refused"):
        Client(wrong, "cli").greet()
    assert still_answers(note)


def test_silent_callers_block_no_one(note: Note, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "STEP_S", 3600)  # they are not given up
    silent = [transport.dial(note.address) for _ in range(server.CONNECTIONS)]
    assert still_answers(note)
    monkeypatch.undo()
    for channel in silent:
        channel.close()


def test_connections_are_bounded(note: Note, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was idle for the longest makes room; its client sees that its next request was not sent."""
    monkeypatch.setattr(server, "CONNECTIONS", 3)
    client = Client(note, "cli")
    client.greet()
    kept = [greeted(note) for _ in range(3)]
    assert [hung_up(channel, 0.2) for channel in kept] == [False] * 3
    assert client.ask("add_folder", {"agent": "codex", "path": "/x"}) == client.ask("sources", {})
    assert hung_up(kept[0])
    assert not hung_up(kept[1], 0)
    for channel in kept:
        channel.close()
    client.close()


def test_connections_that_are_being_answered_are_not_cut(
    owner: Connection, note: Note, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CONNECTIONS", 2)
    engine = owner.engine
    assert engine is not None
    problems, all_in, free = engine.problems, threading.Barrier(3), threading.Event()

    def held(**given: Any) -> list[Any]:
        all_in.wait(WAIT_S)
        assert free.wait(WAIT_S)
        return problems(**given)

    monkeypatch.setattr(engine, "problems", held)
    asking = [greeted(note) for _ in range(2)]
    for channel in asking:
        channel.send_bytes(b'{"id":1,"method":"problems"}')
    all_in.wait(WAIT_S)
    with pytest.raises((EOFError, OSError)):
        proven(note)
    free.set()
    for channel in asking:
        assert channel.poll(WAIT_S)
        assert protocol.decode(channel.recv_bytes(), protocol.Reply).error is None
        channel.close()
    assert still_answers(note)


def test_half_a_message_ends_its_connection_only(note: Note, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "RECEIVE_S", 1)
    channel = greeted(note)
    os.write(channel.fileno(), b"\x00\x00\x01\x00abc")  # announces 256 bytes
    assert still_answers(note)
    assert hung_up(channel)
    channel.close()


def test_oversized_frame_ends_its_connection_only(note: Note) -> None:
    channel = greeted(note)
    with contextlib.suppress(OSError):  # hung up while it is still being sent
        channel.send_bytes(b" " * (protocol.REQUEST_BYTES + 1))
    assert hung_up(channel)
    channel.close()
    assert still_answers(note)


def test_reply_that_is_too_large(note: Note, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = greeted(note)
    monkeypatch.setattr(protocol, "REPLY_BYTES", 300)
    reply = exchange(channel, b'{"id":4,"method":"status"}')
    assert reply.error is not None
    assert (reply.id, reply.error.code) == (4, "reply_too_large")
    channel.close()


@pytest.mark.parametrize(
    ("frame", "code", "message"),
    [
        (b'{"id":1,"method":"rm"}', "method_unknown", "'rm' cannot be asked."),
        (b'{"id":1,"method":"__init__"}', "method_unknown", "'__init__' cannot be asked."),
        (b'{"id":1,"method":"close"}', "method_unknown", "'close' cannot be asked."),
        (b'{"id":1,"method":"show","params":{"session":5}}', "params", "show: Expected `str`, got `int` - at `$.session`."),
        (b'{"id":1,"method":"status","params":{"x":1}}', "params", "status: Object contains unknown field `x`."),
        (b'{"id":1,"method":"show"}', "params", "show: Object missing required field `session`."),
        (b'{"id":1,"method":"show","params":[]}', "params", "show: Expected `object`, got `array`."),
    ],
)
def test_wrong_requests_are_answered_in_words(note: Note, frame: bytes, code: str, message: str) -> None:
    channel = greeted(note)
    reply = exchange(channel, frame)
    assert reply.error is not None
    assert (reply.error.code, reply.error.message) == (code, message)
    assert type(protocol.error_of(reply.error)) is UsageError
    assert exchange(channel, b'{"id":2,"method":"status"}').error is None  # the connection goes on
    channel.close()


@pytest.mark.parametrize("hello", [{"protocol": 9, "version": "3.0"}, {"protocol": 1, "version": "0.0.1", "more": [1]}])
def test_other_version_may_use_the_controls_only(note: Note, hello: dict[str, object]) -> None:
    channel = proven(note)
    hello = {"pid": 1, "kind": "cli", **hello}
    reply = exchange(channel, protocol.encode({"id": 0, "method": "hello", "params": hello}))
    assert protocol.decode(reply.body, protocol.Hello) == protocol.own_hello("cli")
    refused = exchange(channel, b'{"id":1,"method":"status"}').error
    assert refused is not None
    assert refused.code == "other_version"
    allowed = exchange(channel, b'{"id":2,"method":"show_window"}').error
    assert allowed is not None
    assert allowed.code == "not_running"
    channel.close()


def test_connection_begins_with_a_hello(note: Note) -> None:
    channel = proven(note)
    error = exchange(channel, b'{"id":0,"method":"status"}').error
    assert error is not None
    assert error.message == "The first request on a connection is hello."
    assert hung_up(channel)
    channel.close()


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(st.binary(min_size=1, max_size=300))
def test_junk_on_the_bare_socket(note: Note, junk: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(note.address)
        caller.sendall(junk)
    assert still_answers(note)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.recursive(
            st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
        ).map(lambda value: protocol.encode({"id": 1, "method": "search", "params": value})),
        st.integers(1, 5000).map(lambda depth: b"[" * depth),
    )
)
def test_junk_after_the_hello(note: Note, junk: bytes) -> None:
    channel = greeted(note)
    channel.send_bytes(junk)
    assert channel.poll(WAIT_S)  # an error in words, or the end of this connection
    try:
        reply = protocol.decode(channel.recv_bytes(), protocol.Reply)
    except (EOFError, OSError):
        pass
    else:
        assert reply.error is not None
    channel.close()
    assert still_answers(note)


HUGE = b"9" * 900_000


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (b"[" * 1_000_000, None),
        (b"\0" * 1_000_000, None),
        (b'{"id":' + HUGE + b',"method":"status"}', None),
        (b'{"id":1,"method":"\xff\xfe"}', None),
        (b'{"id":1,"method":"set_config","params":{"key":"a","value":' + b"[" * 400_000 + b"]" * 400_000 + b"}}", None),
        (b'{"id":1,"method":"sessions","params":{"limit":' + HUGE + b"}}", "sessions: Integer value out of range"),
        (
            b'{"id":1,"method":"set_config","params":{"key":"a","value":' + HUGE + b"}}",
            "set_config: Integer value out of range",
        ),
        (b'{"id":1,"method":"pause","params":{"minutes":1e999}}', "pause: Number out of range"),
        (b'{"id":1,"method":"show","params":{"session":"\\ud800\\ud800"}}', None),
    ],
    ids=["open lists", "zeros", "huge id", "no UTF-8", "deep value", "huge limit", "huge value", "huge number", "surrogates"],
)
def test_frames_that_are_made_to_hurt(note: Note, frame: bytes, told: str | None) -> None:
    """Told in words, or (what is no request) the end of this connection; nobody else notices."""
    channel = greeted(note)
    channel.send_bytes(frame)
    if told is None:
        assert hung_up(channel)
    else:
        assert channel.poll(WAIT_S)
        error = protocol.decode(channel.recv_bytes(), protocol.Reply).error
        assert error is not None
        assert error.message.startswith(told)
    channel.close()
    assert still_answers(note)


def test_socket_that_was_cleaned_away_comes_back(note: Note) -> None:
    Path(note.address).unlink()
    deadline = time.monotonic() + WAIT_S
    while not Path(note.address).exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert still_answers(note)


def test_socket_of_another_user_is_refused(note: Note, monkeypatch: pytest.MonkeyPatch) -> None:
    own = os.getuid()
    monkeypatch.setattr("tray_app.service.transport.os.getuid", lambda: own + 1)
    with pytest.raises(KnownError, match="belongs to another user") as error:
        transport.dial(note.address)
    assert error.value.code == "socket_foreign"
