"""The vectors of a library in memory, compared with a question one by one.

Pure arrays; no database, no thread. A matrix never changes: a newer one shares the blocks that stayed as they were. Measured
with 100,000 vectors of 512 on two cores: float32 8 to 14 ms and 205 MB, but 45 to 200 ms beside other programs, since each scan
reads all of it; bytes 19 ms and 52 MB, 28 ms beside others, cosines off by .002 at most; float16, as the file holds them, 75 ms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tray_app.library.centring import SHORTEST, Codes, Facts, Floats

ROWS = 8_192
"""Of a block."""
EXACT_BYTES = 32 << 20
"""Of vectors in memory: as float32 up to here, beyond it as bytes."""
MOST_BYTES = 256 << 20
"""Of vectors in memory as bytes; beyond it only those of the newest passages."""
TINY = np.float32(1e-9)
WIDENED = 512
"""Rows of bytes that are widened at a time: they stay in the cache."""

Ids = NDArray[np.int32]
Marks = NDArray[np.int64]


class Labels(NamedTuple):
    """Which passage, and which part of it, each vector is of; its language; its mark. All of one length."""

    ids: Ids
    parts: NDArray[np.int8]
    languages: Codes
    marks: Marks

    def chosen(self, which: NDArray[np.bool_]) -> Labels:
        return Labels(self.ids[which], self.parts[which], self.languages[which], self.marks[which])

    @classmethod
    def none(cls) -> Labels:
        return cls(np.zeros(0, np.int32), np.zeros(0, np.int8), np.zeros(0, np.int8), np.zeros(0, np.int64))

    @classmethod
    def joined(cls, many: list[Labels]) -> Labels:
        if not many:
            return cls.none()
        ids, parts = np.concatenate([one.ids for one in many]), np.concatenate([one.parts for one in many])
        return cls(ids, parts, np.concatenate([one.languages for one in many]), np.concatenate([one.marks for one in many]))


class _Block(NamedTuple):
    """`rows` is a view of the first rows of `room`, in which the next ones may be written."""

    room: NDArray[np.float32] | NDArray[np.int8]
    filled: int
    scales: Floats
    squares: Floats

    @property
    def rows(self) -> NDArray[np.float32] | NDArray[np.int8]:
        return self.room[: self.filled]


class Matrix:
    """All vectors of one space of one library. `space` is its number in the file."""

    def __init__(self, space: int, labels: Labels, facts: Facts, base: Floats | None, blocks: list[_Block]) -> None:
        self.space, self.labels, self.facts, self.base, self.blocks = space, labels, facts, base, blocks
        self._lengths = np.zeros(0, np.float32)
        """1 / length of each vector without the mean of its language."""
        self._shift = facts.means.rows
        self._grouped: tuple[Ids, NDArray[np.intp], NDArray[np.intp] | None] | None = None
        self._sorted_marks: Marks | None = None
        self._measure()

    @classmethod
    def none(cls, facts: Facts, space: int = -1) -> Matrix:
        return cls(space, Labels.none(), facts, None, [])

    def __len__(self) -> int:
        return len(self.labels.ids)

    @property
    def ids(self) -> Ids:
        return self.labels.ids

    @property
    def parts(self) -> NDArray[np.int8]:
        return self.labels.parts

    @property
    def languages(self) -> Codes:
        return self.labels.languages

    @property
    def nbytes(self) -> int:
        return sum(block.rows.nbytes for block in self.blocks)

    def scan(self, query: Floats) -> Floats:
        """Cosines (n,) of all vectors, each without its language's mean, with a centred question of length one (dims,)."""
        query = np.ascontiguousarray(query, np.float32)
        found = np.empty(len(self), np.float32)
        at = 0
        for block in self.blocks:
            _multiply(block, query, found[at : at + block.filled])
            at += block.filled
        found -= (self._shift @ query)[self.languages]
        found *= self._lengths
        return found

    def best_by_chunk(self, scores: Floats) -> tuple[Ids, Floats]:
        """Of each passage its best part: (ids rising, values)."""
        if self._grouped is None:
            order = np.argsort(self.ids, kind="stable")
            ids = self.ids[order]
            firsts = np.flatnonzero(np.diff(ids, prepend=ids[:1] - 1)) if len(ids) else np.zeros(0, np.intp)
            self._grouped = (ids[firsts], order, None if len(firsts) == len(ids) else firsts)
        ids, order, starts = self._grouped
        values = scores[order]
        return ids, values if starts is None else np.maximum.reduceat(values, starts)

    def holds(self, marks: Marks) -> NDArray[np.bool_]:
        """Which of these marks are those of a vector in it."""
        if self._sorted_marks is None:
            self._sorted_marks = np.sort(self.labels.marks)
        return among(marks, self._sorted_marks)

    def _measure(self) -> None:
        means = self.facts.means.rows
        self._shift = means if self.base is None else means - self.base
        squares = np.einsum("ij,ij->i", self._shift, self._shift)
        moved = bool(squares.any())
        self._lengths = np.empty(len(self), np.float32)
        at = 0
        for block in self.blocks:
            here = slice(at, at + block.filled)
            at += block.filled
            languages = self.languages[here]
            along = np.zeros(block.filled, np.float32)
            for language in np.unique(languages) if moved else ():
                rows = languages == language
                found = np.empty(block.filled, np.float32)
                _multiply(block, self._shift[language], found)
                along[rows] = found[rows]
            left = block.squares - 2 * along + squares[languages]
            self._lengths[here] = 1 / np.maximum(np.sqrt(np.maximum(left, 0)), SHORTEST)


class Draft:
    """A matrix in the making: what stays of a former one, and vectors that are new. One at a time for each former matrix."""

    def __init__(
        self, space: int, facts: Facts, *, small: bool, former: Matrix | None = None, stays: NDArray[np.bool_] | None = None
    ) -> None:
        self.space, self.facts = space, facts
        self.base = facts.means.rows if small else None
        self._labels: list[Labels] = []
        self._blocks: list[_Block] = []
        if former is not None and stays is not None:
            self.base = former.base
            self._keep(former, stays)

    def _keep(self, former: Matrix, stays: NDArray[np.bool_]) -> None:
        at = 0
        for block in former.blocks:
            here = stays[at : at + block.filled]
            at += block.filled
            if here.all():
                self._blocks.append(block)
            elif here.any():
                rows = block.rows[here]
                self._blocks.append(_Block(rows, len(rows), block.scales[here], block.squares[here]))
        self._labels.append(former.labels.chosen(stays))

    def add(self, labels: Labels, vectors: Floats) -> None:
        """Vectors (n, dims) of length one."""
        self._labels.append(labels)
        if self.base is None:
            self._append(vectors, np.ones(len(vectors), np.float32), np.einsum("ij,ij->i", vectors, vectors))
            return
        rows, scales, squares = (
            np.empty(vectors.shape, np.int8),
            np.empty(len(vectors), np.float32),
            np.empty(len(vectors), np.float32),
        )
        for start in range(0, len(vectors), WIDENED):
            here = slice(start, start + WIDENED)
            rest = vectors[here] - self.base[labels.languages[here]]
            squares[here] = np.einsum("ij,ij->i", rest, rest)
            widest = np.maximum(np.maximum(rest.max(axis=1), -rest.min(axis=1)), TINY)
            scales[here] = widest / np.float32(127)
            rest *= (np.float32(127) / widest)[:, None]
            rows[here] = np.rint(rest, out=rest)
        self._append(rows, scales, squares)

    def _append(self, rows: NDArray[np.float32] | NDArray[np.int8], scales: Floats, squares: Floats) -> None:
        at = 0
        while at < len(rows):
            last = self._blocks[-1] if self._blocks else None
            if last is None or last.filled >= len(last.room):
                room = np.empty((ROWS, rows.shape[1]), rows.dtype)
                last = _Block(room, 0, np.zeros(0, np.float32), np.zeros(0, np.float32))
                self._blocks.append(last)
            taken = slice(at, at + min(len(last.room) - last.filled, len(rows) - at))
            count = last.filled + taken.stop - taken.start
            last.room[last.filled : count] = rows[taken]
            self._blocks[-1] = _Block(
                last.room, count, np.concatenate((last.scales, scales[taken])), np.concatenate((last.squares, squares[taken]))
            )
            at = taken.stop

    def finished(self) -> Matrix:
        return Matrix(self.space, Labels.joined(self._labels), self.facts, self.base, self._blocks)


def among(marks: Marks, known: Marks) -> NDArray[np.bool_]:
    """Which of these marks are in `known`, which rises."""
    if not len(known):
        return np.zeros(len(marks), np.bool_)
    places = np.minimum(np.searchsorted(known, marks), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == marks
    return found


def _multiply(block: _Block, query: Floats, found: Floats) -> None:
    """Inner products of a block's rows with a vector, written into `found`."""
    rows = block.rows
    if rows.dtype == np.float32:
        np.dot(rows, query, out=found)
        return
    wide = np.empty((WIDENED, rows.shape[1]), np.float32)
    for start in range(0, len(rows), WIDENED):
        part = rows[start : start + WIDENED]
        np.copyto(wide[: len(part)], part)
        np.dot(wide[: len(part)], query, out=found[start : start + len(part)])
    found *= block.scales
