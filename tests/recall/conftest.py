"""The made-up libraries, read once for all tests of a run: one for words alone, one that is searched by meaning, too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from concepts import ConceptEmbedder
from world import NOW, World, fill, make_engine


def opened(factory: pytest.TempPathFactory, embedder: ConceptEmbedder | None) -> World:
    home = factory.mktemp("meant" if embedder else "world")
    fill(home, more=embedder is not None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        patch.setenv("BACKSCROLL_NOW", NOW.isoformat())
        patch.setenv("BACKSCROLL_SOURCES_HOME", str(home))
        patch.setenv("BACKSCROLL_HOME", str(home / "backscroll"))
        engine = make_engine(home, embedder)
        report = engine.index(all_sources=True)
    assert report.totals.sessions == (16 if embedder else 10)
    assert report.totals.quarantined_files == 0
    return World(engine, home, embedder)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = opened(tmp_path_factory, None)
    yield made
    made.engine.close()


@pytest.fixture(scope="session")
def meant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = opened(tmp_path_factory, ConceptEmbedder())
    assert made.engine.embed_once(lambda progress: None, lambda: False)
    yield made
    made.engine.close()
