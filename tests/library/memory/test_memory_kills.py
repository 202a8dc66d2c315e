"""Killed at any moment: everything that was acknowledged is there, and nothing is half done."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from memory_killing import trial


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_a_writer_killed_at_fifty_random_moments(tmp_path: Path) -> None:
    assert trial(tmp_path, kills=50, seed=1) > 50
