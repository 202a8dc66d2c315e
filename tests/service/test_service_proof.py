"""The proof of the secret: both know it, or nobody gets further."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.service.proof import NONCE, Unproven, prove_to_caller, prove_to_owner

SECRET = b"5" * 64


class End:
    """One end of a wire in memory; what goes over it is kept in `sent`."""

    def __init__(self, reading: queue.Queue[bytes], writing: queue.Queue[bytes]) -> None:
        self._reading, self._writing, self.sent = reading, writing, list[bytes]()

    def send_bytes(self, buf: bytes) -> None:
        self.sent.append(buf)
        self._writing.put(buf)

    def recv_bytes(self, maxlength: int | None = None) -> bytes:
        try:
            said = self._reading.get(timeout=2)
        except queue.Empty:
            raise EOFError from None
        if maxlength is not None and len(said) > maxlength:
            raise OSError("bad message length")
        return said


def wire() -> tuple[End, End]:
    there: queue.Queue[bytes] = queue.Queue()
    back: queue.Queue[bytes] = queue.Queue()
    return End(back, there), End(there, back)


def both(of_owner: bytes, of_caller: bytes) -> tuple[list[type[Exception]], End, End]:
    """What each side raised, the owner first."""
    owner, caller = wire()
    raised: list[type[Exception]] = []

    def prove(side: Callable[..., None], end: End, secret: bytes) -> None:
        try:
            side(end, secret)
        except (Unproven, EOFError, OSError) as fault:
            raised.append(type(fault))
            end.send_bytes(b"")  # as a connection that ends

    thread = threading.Thread(target=prove, args=(prove_to_caller, owner, of_owner))
    thread.start()
    prove(prove_to_owner, caller, of_caller)
    thread.join(5)
    return raised, owner, caller


def test_both_know_it() -> None:
    raised, owner, caller = both(SECRET, SECRET)
    assert raised == []
    assert [len(message) for message in owner.sent + caller.sent] == [NONCE, NONCE, 2 * NONCE]
    assert SECRET not in b"".join(owner.sent + caller.sent)
    assert both(SECRET, SECRET)[1].sent != owner.sent  # never the same numbers


def test_a_caller_that_does_not_is_told_nothing() -> None:
    raised, owner, _ = both(SECRET, b"6" * 64)
    assert raised == [Unproven, Unproven]
    assert len(owner.sent) == 2
    assert owner.sent[1] == b""


def test_an_owner_that_does_not_is_found_out() -> None:
    """Somebody who took the owner's place and lets everybody in."""
    impostor, caller = wire()
    impostor.send_bytes(b"n" * NONCE)
    impostor.send_bytes(b"a" * NONCE)
    with pytest.raises(Unproven):
        prove_to_owner(caller, SECRET)


def test_an_answer_sent_back_proves_nothing() -> None:
    """What the caller said is no answer of the owner's, and what one caller said is none on another connection."""
    impostor, caller = wire()
    impostor.send_bytes(b"n" * NONCE)
    thread = threading.Thread(target=lambda: impostor.send_bytes(impostor.recv_bytes()[NONCE:]))
    thread.start()
    with pytest.raises(Unproven):
        prove_to_owner(caller, SECRET)
    thread.join()
    owner, replayed = wire()
    replayed.send_bytes(caller.sent[0])
    with pytest.raises(Unproven):
        prove_to_caller(owner, SECRET)


@given(st.binary(max_size=3 * NONCE))
def test_any_bytes_prove_nothing(junk: bytes) -> None:
    owner, caller = wire()
    caller.send_bytes(junk)
    with pytest.raises((Unproven, OSError)):
        prove_to_caller(owner, SECRET)
    owner, caller = wire()
    owner.send_bytes(junk)
    owner.send_bytes(junk)
    with pytest.raises((Unproven, OSError)):
        prove_to_owner(caller, SECRET)
