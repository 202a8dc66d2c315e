"""The owner keeps what hooks are told: after every change, in step with the packs, and never over the border of a space."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from spaces_world import CLIENT, INNER, SHOP, SpacesWorld, spaces_world

from tray_app.agents import pointers
from tray_app.engine import Engine
from tray_app.settings import Settings


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With sessions that were read. Nobody may change this one."""
    folder = tmp_path_factory.mktemp("pointing")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "BACKSCROLL_SOURCES_HOME"):
            patch.setenv(name, str(folder))
        patch.setenv("BACKSCROLL_HOME", str(folder / "backscroll"))
        with spaces_world(folder) as made:
            for key, value in (("meaning.backend", "off"), ("topics.maker", "off"), ("memory.archive", False)):
                made.engine.set_config(key, value)
            made.write_all()
            made.index()
    return folder


@pytest.fixture
def world(home: Path, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpacesWorld]:
    """The same sessions, and files of ours that are the test's own."""
    shutil.copytree(home / "backscroll", isolated / "backscroll")
    monkeypatch.setenv("BACKSCROLL_SOURCES_HOME", str(home))
    with spaces_world(home) as made:
        yield made


def content(world: SpacesWorld) -> dict[str, Any]:
    return pointers.read(world.paths.data / pointers.FILE)


def told(world: SpacesWorld, folder: str) -> str | None:
    pointer = pointers.find(content(world), folder)
    return None if pointer is None else pointer.project


def test_a_project_with_a_memory_is_told_in_step_with_its_pack(world: SpacesWorld) -> None:
    assert told(world, SHOP) is None
    world.engine.remember("shop", "decision", "Keep it small", "We keep the shop small.")
    pointer = pointers.find(content(world), f"{SHOP}/src")
    pack = world.engine.pack("shop")
    assert pointer == pointers.Pointer("shop", pack.version, pack.tokens)
    assert told(world, CLIENT) is None
    world.engine.put_checkpoint("shop", {"goal": "Open in May"})
    after, pack = pointers.find(content(world), SHOP), world.engine.pack("shop")
    assert after == pointers.Pointer("shop", pack.version, pack.tokens) != pointer


def test_what_only_reads_writes_nothing(world: SpacesWorld) -> None:
    world.engine.remember("shop", "decision", "Keep it small", "We keep the shop small.")
    world.index()
    file = world.paths.data / pointers.FILE
    before = file.stat().st_mtime_ns, file.stat().st_ino
    world.engine.memories()
    world.engine.pack("shop")
    world.index()
    world.engine.close()
    another = Engine(world.paths, Settings(world.paths.settings_file), kind="cli")
    another.projects()
    another.close()
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_a_project_in_another_is_told_apart(world: SpacesWorld) -> None:
    world.engine.remember("client", "fact", "One", "The client is one.")
    assert [told(world, folder) for folder in (CLIENT, INNER)] == ["client", None]
    world.engine.remember("inner", "fact", "Two", "The inner is two.")
    assert [told(world, folder) for folder in (CLIENT, f"{INNER}/x", SHOP)] == ["client", "inner", None]


def test_a_space_keeps_to_itself_from_the_moment_it_is_made(world: SpacesWorld) -> None:
    world.engine.remember("shop", "fact", "One", "The shop is one.")
    world.engine.remember("client", "fact", "Two", "The client is two.")
    assert [told(world, folder) for folder in (SHOP, CLIENT)] == ["shop", "client"]
    world.engine.add_space("work", [CLIENT])
    assert [told(world, folder) for folder in (SHOP, CLIENT)] == [None, None]
    world.index()
    world.engine.remember("client", "fact", "Three", "The client is three.", space="work")
    assert told(world, f"{CLIENT}/src") == "client"
    world.engine.remove_space("work")
    assert list(content(world)["libraries"]) == ["default"]
    kept_outside = pointers.find(content(world), CLIENT)  # what was never in the space
    assert kept_outside is not None and kept_outside.version == world.engine.pack("client").version


def test_the_size_of_the_pack_is_that_of_the_setting(world: SpacesWorld) -> None:
    for number in range(20):
        world.engine.remember(
            "shop", "fact", f"Fact {number}", f"The shop has {number} shelves, and each of them is full. " * 5
        )
    big = pointers.find(content(world), SHOP)
    world.engine.set_config("memory.pack_tokens", 300)
    world.engine.memories()
    small = pointers.find(content(world), SHOP)
    assert big is not None and small is not None and small.tokens <= 300 < big.tokens
    assert small.version == world.engine.pack("shop").version


def test_a_damaged_file_is_made_anew(world: SpacesWorld) -> None:
    for raw in (b"", b"{broken", b"[]", b'{"form": 1}', b'{"form": 1, "libraries": []}', b'{"form": 9}'):
        (world.paths.data / pointers.FILE).write_bytes(raw)
        world.engine.pointing._content = None
        world.engine.remember("shop", "fact", "Seen", f"Once it was {raw!r}.")
        assert told(world, SHOP) == "shop", raw


def test_a_write_that_fails_fails_no_call(world: SpacesWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, raw: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("tray_app.remembering.pointing.replace_file", full)
        world.engine.remember("shop", "fact", "One", "The shop is one.")
        assert told(world, SHOP) is None
    world.engine.memories()
    assert told(world, SHOP) == "shop"
