"""Killed at any moment: the index opens, is sound, and the next pass brings it up to date."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from killing import trial


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_killed_at_random_moments(tmp_path: Path) -> None:
    assert trial(tmp_path, kills=8, seed=1) == 0
