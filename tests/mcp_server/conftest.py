"""One home for all tests of the server over pipes; each module that changes it works on a copy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stdio_world import Clients, World, clients, make_world


@pytest.fixture(scope="session")
def made_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Nobody may change this one."""
    return make_world(tmp_path_factory.mktemp("stdio"))


@pytest.fixture(scope="module")
def module_world(made_world: World, tmp_path_factory: pytest.TempPathFactory) -> World:
    return made_world.copied(tmp_path_factory.mktemp("module") / "ours")


@pytest.fixture
def world(made_world: World, tmp_path_factory: pytest.TempPathFactory) -> World:
    return made_world.copied(tmp_path_factory.mktemp("copy") / "ours")


@pytest.fixture(scope="module")
def module_clients() -> Iterator[Clients]:
    with clients() as started:
        yield started


@pytest.fixture
def start() -> Iterator[Clients]:
    with clients() as started:
        yield started
