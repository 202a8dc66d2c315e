"""What a library knows of a space of vectors: the mean of each language, and how like its passages are to any question.

Pure mathematics on arrays; no database. An embedding model keeps languages apart, so that a question in one finds nothing in
another; with each language's mean taken away from its vectors, what is left is the meaning. Questions have means of their
own, taken from fixed ones, since a library holds none.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tray_app.text.languages import LANGUAGES

Floats = NDArray[np.float32]
Codes = NDArray[np.int8]

WEIGHT = 200
"""So many passages the fixed statements count for: a library with few of a language trusts these."""
SHORTEST = np.float32(0.05)
"""A vector that is nearer to its language's mean than this has no direction of its own."""
_TINY = np.float32(1e-6)
LEAST_WIDTH = 0.05
SAMPLE, FEWEST = 300, 40
"""Passages that are compared with all others for a background, and so many at least."""


class Means:
    """A mean vector for each language: `rows` (LANGUAGES, dims) float32, zeros where `counts` is 0. Never changed."""

    def __init__(self, counts: NDArray[np.int64], rows: Floats) -> None:
        self.counts, self.rows = counts, rows

    @classmethod
    def none(cls, dims: int) -> Means:
        return cls(np.zeros(LANGUAGES, np.int64), np.zeros((LANGUAGES, dims), np.float32))

    @classmethod
    def of(cls, vectors: Floats, languages: Codes) -> Means:
        """Of these vectors (n, dims), each in its language."""
        return cls.none(vectors.shape[1]).joined(vectors, languages)

    def joined(self, vectors: Floats, languages: Codes) -> Means:
        """With further vectors counted in."""
        counts, rows = self.counts.copy(), self.rows.astype(np.float64)
        for language in range(LANGUAGES):
            found = vectors[languages == language]
            if len(found):
                total = counts[language] + len(found)
                rows[language] += (found.mean(axis=0, dtype=np.float64) - rows[language]) * (len(found) / total)
                counts[language] = total
        return Means(counts, rows.astype(np.float32))

    def filled(self) -> Means:
        """A language that has none gets the mean of those that have."""
        known = self.counts > 0
        if not known.any() or known.all():
            return self
        rows = self.rows.copy()
        rows[~known] = rows[known].mean(axis=0)
        return Means(self.counts, rows)

    def shrunk(self, towards: Means, weight: float = WEIGHT) -> Means:
        """Drawn towards other means, the more the fewer vectors a language has."""
        share = (self.counts / (self.counts + weight)).astype(np.float32)[:, None]
        return Means(self.counts, self.rows * share + towards.rows * (1 - share))


def unit(vectors: Floats, shortest: np.float32 = _TINY) -> Floats:
    """Of length one, as float32; what is shorter than `shortest` stays shorter than one, zeros stay zeros."""
    found = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(found, axis=-1, keepdims=True)
    made: Floats = found / np.maximum(lengths, shortest)
    return made


def centre(vectors: Floats, languages: Codes, means: Means) -> Floats:
    """Vectors (n, dims) without the mean of their language, of length one."""
    return unit(vectors - means.rows[languages], SHORTEST)


class Calibration(msgspec.Struct, frozen=True, eq=False):
    """Vectors of the fixed questions and statements, of length one, and their languages."""

    questions: Floats
    question_languages: Codes
    statements: Floats
    statement_languages: Codes

    def packed(self) -> bytes:
        """As it is stored."""
        parts = (self.questions, self.question_languages, self.statements, self.statement_languages)
        return msgspec.msgpack.encode([_bytes(part) for part in parts])

    @classmethod
    def unpacked(cls, blob: bytes | None, dims: int) -> Calibration:
        """The stored one; without any questions where there is none."""
        if not blob:
            none, codeless = np.zeros((0, dims), np.float32), np.zeros(0, np.int8)
            return cls(none, codeless, none, codeless)
        parts = msgspec.msgpack.decode(blob, type=list[bytes])
        vectors = [np.frombuffer(parts[n], "<f2").reshape(-1, dims).astype(np.float32) for n in (0, 2)]
        codes = [np.frombuffer(parts[n], np.int8) for n in (1, 3)]
        return cls(vectors[0], codes[0], vectors[1], codes[1])


class Background(msgspec.Struct, frozen=True):
    """How like the passages of this library are to questions that were not made for it: cosines of centred vectors.

    `top50` and `top99` are quantiles, over the questions, of the best that each found. `size`: vectors there were. `apart50` and
    `apart99` are the same quantiles for passages of the library itself, each compared with those of other sessions; None where
    there are too few to say.
    """

    top50: float
    top99: float
    size: int
    apart50: float | None = None
    apart99: float | None = None

    def strength(self, similarity: float) -> float:
        """How near something is: 0 as the nearest stray passage mostly is, 1 as it is once in a hundred times. What is stray is told
        by the library itself, where it can be: talk of one thing only is alike throughout."""
        low, high = (self.top50, self.top99) if self.apart50 is None or self.apart99 is None else (self.apart50, self.apart99)
        return (similarity - low) / max(high - low, LEAST_WIDTH)


class Facts:
    """All of it for one space. `documents`: the means of the vectors that are in, as they were added."""

    def __init__(self, documents: Means, calibration: Calibration, background: Background | None = None) -> None:
        self.documents, self.calibration, self.background = documents, calibration, background
        statements = Means.of(calibration.statements, calibration.statement_languages).filled()
        self.means = documents.shrunk(statements) if statements.counts.any() else documents.filled()
        """What is taken away from passages."""
        self.question_means = Means.of(calibration.questions, calibration.question_languages).filled()
        """What is taken away from questions."""

    @property
    def dims(self) -> int:
        return int(self.documents.rows.shape[1])

    @property
    def calibrated(self) -> bool:
        return len(self.calibration.questions) > 0

    def question(self, vector: Floats, language: int) -> Floats:
        """A question's vector (dims,) centred, of length one, as `Matrix.scan` takes it."""
        return unit(unit(vector) - self.question_means.rows[language])

    def questions(self) -> Floats:
        """The fixed questions centred (n, dims)."""
        return centre(self.calibration.questions, self.calibration.question_languages, self.question_means)

    def having(self, documents: Means) -> Facts:
        return Facts(documents, self.calibration, self.background)

    def against(self, background: Background | None) -> Facts:
        return Facts(self.documents, self.calibration, background)

    def packed(self) -> bytes:
        """As it is stored, without the calibration, which never changes."""
        return msgspec.msgpack.encode(_Stored(self.documents.counts.tolist(), self.documents.rows.tobytes(), self.background))

    @classmethod
    def unpacked(cls, blob: bytes | None, calibration: bytes | None, dims: int) -> Facts:
        held = Calibration.unpacked(calibration, dims)
        if not blob:
            return cls(Means.none(dims), held)
        stored = msgspec.msgpack.decode(blob, type=_Stored)
        rows = np.frombuffer(stored.rows, "<f4").reshape(LANGUAGES, dims)
        return cls(Means(np.array(stored.counts, np.int64), rows), held, stored.background)


class _Stored(msgspec.Struct):
    counts: list[int]
    rows: bytes
    background: Background | None = None


class Survey:
    """Makes a background from all vectors of a library, a block at a time. `sample`: some of these vectors (n, dims), with their
    languages and sessions, to be compared with those of other sessions."""

    def __init__(self, facts: Facts, sample: Floats, languages: Codes, sessions: NDArray[np.int32]) -> None:
        self._facts = facts
        self._sample, self._sessions = centre(sample, languages, facts.means), sessions
        self._apart = np.full(len(sample), -np.inf, np.float32)
        self._questions = facts.questions()
        self._best = np.full(len(self._questions), -np.inf, np.float32)
        self._size = 0

    def add(self, vectors: Floats, languages: Codes, sessions: NDArray[np.int32]) -> None:
        centred = centre(vectors, languages, self._facts.means)
        if len(self._sample):
            others = centred @ self._sample.T
            others[sessions[:, None] == self._sessions[None, :]] = -np.inf
            np.maximum(self._apart, others.max(axis=0, initial=-np.inf), out=self._apart)
        found = centred @ self._questions.T
        np.maximum(self._best, found.max(axis=0), out=self._best)
        self._size += len(vectors)

    def background(self) -> Background | None:
        """None where there was nothing to compare."""
        if not self._size or not len(self._questions):
            return None
        half, hundredth = (float(value) for value in np.quantile(self._best, (0.5, 0.99)))
        apart = self._apart[np.isfinite(self._apart)]
        middle, far = (float(value) for value in np.quantile(apart, (0.5, 0.99))) if len(apart) >= FEWEST else (None, None)
        return Background(half, hundredth, self._size, middle, far)


def _bytes(part: NDArray[Any]) -> bytes:
    return part.astype("<f2").tobytes() if part.dtype == np.float32 else part.tobytes()
