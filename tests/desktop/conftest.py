"""The virtual desktop as a fixture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """Nothing runs yet: a test starts what it needs."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    made = Rig(folder)
    try:
        yield made
    finally:
        made.close()
