"""A back end tried with one sentence, and the key that it gets.

Owns no state and keeps nothing: what is tried is closed again.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tray_app.desktop import keys
from tray_app.embed.base import Embedder, EmbedFault
from tray_app.errors import KnownError
from tray_app.records import MeaningTest
from tray_app.web import ServiceFault, remote_host

TRIED = "Where did we fix the retry of failed uploads? 上次上传失败的重试是怎么修的？"
KEYRING_REST_S = 600.0
"""A locked keyring may ask the person each time."""

KeyOf = Callable[[str], str | None]


def try_out(make: Callable[[KeyOf], Embedder | None], key: str | None) -> MeaningTest:
    """What comes of one sentence; `make` gets where keys come from, which is `key`, or (None) the keyring."""
    host = ""
    try:
        embedder = make(kept_key if key is None else lambda url: key)
        if embedder is None:
            return MeaningTest(ok=False, code="embedding_off", message="No back end is chosen.")
        host = embedder.host
        try:
            embedder.space()
            started = time.monotonic()
            vector = embedder.query(TRIED)
            elapsed = time.monotonic() - started
        finally:
            embedder.close()
    except KnownError as fault:
        return MeaningTest(ok=False, host=host, code=fault.code, message=fault.message, hint=fault.hint)
    return MeaningTest(ok=True, dims=len(vector), elapsed_ms=round(elapsed * 1000, 1), host=host)


def service_host(url: str) -> str:
    """Where a service's address sends texts, by which its key is kept; '' for this machine. Raises ServiceFault for one that
    cannot be used."""
    return remote_host(url) if url.strip() else ""


def kept_key(url: str) -> str | None:
    """The key for a service by its address. Raises EmbedFault where the keyring cannot be used; a service on this machine needs
    none, and does without."""
    host = ""
    try:
        host = service_host(url)
        return keys.key_for("meaning", host).value or None
    except ServiceFault:  # the back end says so with its first question
        return None
    except KnownError as fault:
        if not host:
            return None
        raise EmbedFault("embedding_no_key", "No key", fault.message, fault.hint, retry_after=KEYRING_REST_S) from fault
