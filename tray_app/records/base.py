"""What all records have in common. Owns the base class alone."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base: keyword-only, immutable."""
