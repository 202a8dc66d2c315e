"""The made-up library, read once for all tests of a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from world import World, fill, make_engine


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("world")
    fill(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        patch.setenv("BACKSCROLL_SOURCES_HOME", str(home))
        patch.setenv("BACKSCROLL_HOME", str(home / "backscroll"))
        engine = make_engine(home)
        report = engine.index(all_sources=True)
    assert report.totals.sessions == 10
    assert report.totals.quarantined_files == 0
    yield World(engine, home)
    engine.close()
