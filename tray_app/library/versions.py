"""Which database this is, and which extension is installed for it. The two are pinned as a pair."""

from __future__ import annotations

from importlib import metadata

import duckdb

EXTENSION = "duckdb-extension-fts"


def database() -> str:
    return str(duckdb.__version__)


def extension() -> str:
    """Version of the packaged full-text extension, '' where it is not installed, or comes without its particulars (frozen)."""
    try:
        return metadata.version(EXTENSION)
    except metadata.PackageNotFoundError:
        return ""
