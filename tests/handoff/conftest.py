"""A memory for each test of hand-over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from handover_world import HandoverWorld


@pytest.fixture
def world(tmp_path: Path) -> Iterator[HandoverWorld]:
    made = HandoverWorld(tmp_path)
    yield made
    made.close()
