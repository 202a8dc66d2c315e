"""Small rules about vectors that every back end shares: unit length, and which are none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tray_app.embed.base import Vectors

TINY = 1e-12


def flaw(row: Vectors, dims: int) -> str:
    """Why a row of any back end is not a vector that can be compared: length | not_finite | zero, '' if it is one."""
    if row.shape != (dims,):
        return "length"
    if not np.isfinite(row).all():
        return "not_finite"
    return "zero" if norm(row) < TINY else ""


def norm(row: Vectors) -> float:
    """In float64: squares of large float32 numbers are infinite."""
    return float(np.linalg.norm(row.astype(np.float64)))


def unit(row: Vectors) -> Vectors:
    """A sound row, at length 1, as float32."""
    made: NDArray[np.float32] = (row.astype(np.float64) / norm(row)).astype(np.float32)
    return made
