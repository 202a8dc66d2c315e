"""A world for each test of indexing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from library_world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "home", tmp_path / "index" / "index.duckdb")
    yield made
    made.close()
