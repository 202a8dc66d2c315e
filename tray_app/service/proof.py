"""The proof that both sides of a connection know the secret, which itself never goes over it.

Owns its three messages. Each side answers the other's random number together with its own, and says which side it is, so
that an answer serves once, on one connection, in one direction. The owner answers nothing before the caller has proven.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Protocol

NONCE = 32
"""Bytes of a random number, and of an answer (SHA-256)."""


class Unproven(Exception):
    """The other side does not know the secret, or does not keep to the proof."""


class Wire(Protocol):
    """Whole messages of bytes. Receiving raises OSError or EOFError, also for one that is longer than `maxlength`."""

    def send_bytes(self, buf: bytes) -> None: ...
    def recv_bytes(self, maxlength: int | None = None) -> bytes: ...


def prove_to_caller(wire: Wire, secret: bytes) -> None:
    """The owner's side. Raises OSError, EOFError or Unproven."""
    own = secrets.token_bytes(NONCE)
    wire.send_bytes(own)
    said = wire.recv_bytes(2 * NONCE)
    theirs, answer = said[:NONCE], said[NONCE:]
    if not hmac.compare_digest(answer, _answer(secret, b"caller", own, theirs)):
        raise Unproven("the caller does not know the secret")
    wire.send_bytes(_answer(secret, b"owner", own, theirs))


def prove_to_owner(wire: Wire, secret: bytes) -> None:
    """The client's side; raises the same."""
    theirs = wire.recv_bytes(NONCE)
    if len(theirs) != NONCE:
        raise Unproven("the owner does not keep to the proof")
    own = secrets.token_bytes(NONCE)
    wire.send_bytes(own + _answer(secret, b"caller", theirs, own))
    if not hmac.compare_digest(wire.recv_bytes(NONCE), _answer(secret, b"owner", theirs, own)):
        raise Unproven("the owner does not know the secret")


def _answer(secret: bytes, side: bytes, of_owner: bytes, of_caller: bytes) -> bytes:
    return hmac.new(secret, side + of_owner + of_caller, hashlib.sha256).digest()
