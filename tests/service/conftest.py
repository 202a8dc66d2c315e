"""One home for all tests of the real engine behind the service, and programs on the small one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubled import Start, starting
from traffic import furnish, real


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With sessions that were read. Nobody may change this one."""
    folder = tmp_path_factory.mktemp("furnished")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "BACKSCROLL_SOURCES_HOME"):
            patch.setenv(name, str(folder))
        patch.setenv("BACKSCROLL_HOME", str(folder / "backscroll"))
        furnish(folder)
        with real("cli") as connection:
            connection.index(all_sources=True)
    return folder


@pytest.fixture
def home(furnished: Path, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same sessions, and files of ours that are the test's own."""
    shutil.copytree(furnished / "backscroll", isolated / "backscroll")
    monkeypatch.setenv("BACKSCROLL_SOURCES_HOME", str(furnished))
    return isolated


@pytest.fixture
def start() -> Iterator[Start]:
    """`start(kind)`: another process that connects; the first line it prints is '<pid of the owner> <is it itself>'."""
    with starting("engine_double.py") as begin:
        yield begin
