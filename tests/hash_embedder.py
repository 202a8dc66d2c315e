"""A small deterministic back end for tests: words hashed to places of a vector; faults and slowness where a test wants them."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Sequence

import numpy as np

from tray_app.embed.base import Space, TextFault, Vectors
from tray_app.text.segment import tokens

DIMS = 64


def hashed(text: str, dims: int = DIMS) -> Vectors:
    """A bag of words as a vector of length one; a text without words points to the first place."""
    vector = np.zeros(dims, np.float32)
    for word in tokens(text):
        place = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest(), "little")
        vector[place % dims] += 1.0 if place & 1 << 20 else -1.0
    if not vector.any():
        vector[0] = 1.0
    return vector / np.linalg.norm(vector)


class HashEmbedder:
    """See `Embedder`. `fault` is raised by the next calls while it is set; texts that hold `refuses` are refused."""

    host = ""
    batch = 8

    def __init__(self, backend: str = "builtin", model: str = "hash", dims: int = DIMS) -> None:
        self.backend, self.model, self.dims = backend, model, dims
        self.fault: Exception | None = None
        self.refuses = ""
        self.slow_s = 0.0
        self.hold: threading.Event | None = None
        """Calls that make vectors wait for it."""
        self.documented: list[str] = []
        self.asked: list[str] = []
        self.closed = 0

    def space(self) -> Space:
        if self.fault is not None:
            raise self.fault
        return Space(backend=self.backend, model=self.model, dims=self.dims)

    def documents(self, texts: Sequence[str]) -> Vectors:
        self._pass()
        if self.refuses and any(self.refuses in text for text in texts):
            raise TextFault("embedding_limited", "Texts refused", "Too long.")
        self.documented += texts
        return np.stack([hashed(text, self.dims) for text in texts])

    def query(self, text: str) -> Vectors:
        self._pass()
        self.asked.append(text)
        return hashed(text, self.dims)

    def close(self) -> None:
        self.closed += 1

    def _pass(self) -> None:
        if self.hold is not None:
            assert self.hold.wait(20)
        if self.slow_s:
            time.sleep(self.slow_s)
        if self.fault is not None:
            raise self.fault
