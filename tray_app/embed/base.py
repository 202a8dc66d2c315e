"""What a back end for meaning is, and what can go wrong with one.

Owns the contract alone: no back end is imported here. Vectors are float32; where a back end's are not of unit length, `Space.normalised`
says so and whoever compares them makes them so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from tray_app.errors import KnownError

Vectors = NDArray[np.float32]
"""Shape (texts, dims), or (dims,) for one text."""


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """What makes vectors comparable. A query only ever meets vectors of its own space."""

    backend: str
    """builtin | fastembed | ollama | openai"""
    model: str
    """With its version or the folder's fingerprint, where the name alone does not say which weights."""
    dims: int
    prefix: str = ""
    """The rule by which texts are led in ('e5': 'query: ' and 'passage: '), '' for none."""
    normalised: bool = True

    @property
    def key(self) -> str:
        """As it is stored with every vector."""
        return "|".join((self.backend, self.model, str(self.dims), self.prefix, "unit" if self.normalised else "raw"))


class Embedder(Protocol):
    """A back end with a model chosen. Used from one thread at a time. Every call may raise EmbedFault.

    Nothing is loaded and nobody is asked before the first call; `close` gives the memory back, and the next call loads
    again.
    """

    backend: str
    model: str
    host: str
    """Where texts are sent, as host or host:port; '' when they stay in this process."""
    batch: int
    """Texts that one call of `documents` takes at most."""

    def space(self) -> Space:
        """The space of its vectors. May load the model, or embed a word to learn the length."""
        ...

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, in the order of the texts, which are not blank. One call, no splitting: raises TextFault where
        the texts are too many or one too long."""
        ...

    def query(self, text: str) -> Vectors:
        """The vector of one question."""
        ...

    def close(self) -> None: ...


class EmbedFault(KnownError):
    """A back end did not answer. `code` is one of: `embedding_off`, `embedding_offline` (BACKSCROLL_OFFLINE), `embedding_no_model`
    (not chosen, or not downloaded), `embedding_no_key`, `embedding_refused_key` (401, 403), `embedding_arrears`,
    `embedding_limited` (429), `embedding_unreachable`, `embedding_slow` (time limit), `embedding_busy` (5xx),
    `embedding_bad_answer` (NaN, wrong length, no JSON), `embedding_bad_model` (404, damaged files), `embedding_bad_address`
    (none set, or one that cannot be asked), `embedding_text` (TextFault).

    `final`: asking again is of no use before the person changes something. `retry_after`: seconds the service asked to wait,
    None if it said nothing. Texts never carry a key or what was to be embedded.
    """

    def __init__(
        self, code: str, title: str, message: str, hint: str = "", *, final: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(code, title, message, hint)
        self.final, self.retry_after = final, retry_after


class TextFault(EmbedFault):
    """The texts themselves were refused (too many, too long, unwelcome): fewer or shorter ones may pass, the same never."""


class QueryVector(msgspec.Struct, frozen=True, eq=False):
    """A question's vector (dims,) of length one, not centred; its space by key; its language as in `text.languages`."""

    space: str
    vector: Vectors
    language: int


class MeaningState(msgspec.Struct, frozen=True):
    """Why there is no vector. `code`: off | late | that of a fault; `note` says it in words, '' for off."""

    code: str
    note: str = ""


OFF = MeaningState("off")
LATE = MeaningState("late", "The meaning of the question was not there in time: these are found by words.")


class Asked(Protocol):
    """A question that is being embedded, or was before."""

    def wait(self, seconds: float) -> QueryVector | MeaningState:
        """Its vector, or why it is not there after so long."""
        ...
