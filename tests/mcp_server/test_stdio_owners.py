"""Several servers and a tray on the same files: who owns them comes and goes, and no agent ever notices."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from stdio_world import GUARD_S, PROJECT, Asked, Clients, Pipes, World, words_of

import tray_app
from tray_app.engine import Engine
from tray_app.paths import Paths
from tray_app.records import IndexReport, Progress
from tray_app.service.connection import Connection, connect
from tray_app.settings import Settings

pytestmark = pytest.mark.timeout(600)  # a guard against hanging alone: programs are slow to start on a busy machine

VERSION = tray_app.__version__
Make = Callable[[Paths, Settings, str], Engine]


@contextmanager
def owned(world: World, make: Make | None = None) -> Iterator[Connection]:
    """This process as the tray is: it owns the files of a world."""
    with world.in_force():
        settings = Settings(world.paths.settings_file)
        with connect(world.paths, settings, "tray", make=make) as tray:
            assert tray.is_owner
            yield tray


@contextmanager
def another_version(world: World) -> Iterator[None]:
    """A tray of another version owns them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tray_app, "__version__", "9.8.7")
        with owned(world):
            yield


def owner_of(asked: Asked) -> tuple[str, int]:
    owner = asked.told("session_recall_status")[1]["owner"]
    return owner["kind"], owner["pid"]


def remember(asked: Asked, content: str) -> None:
    assert asked.told("remember", kind="fact", content=content)[1]["created"] is True


def remembered(asked: Asked) -> set[str]:
    return {one["content"] for one in asked.told("memory_recent", project=PROJECT)[1]["memories"]}


def test_servers_and_a_tray_come_and_go(world: World, start: Clients) -> None:
    """Every change of owner there can be, with the same two servers all along."""
    one, other = start.start(world), start.start(world)
    before = {"The ledger rounds once, on the invoice, to avoid cents that differ."}
    with another_version(world):
        for asked in (one, other):
            said = asked.refused("recall", query="rounding")
            assert "is version 9.8.7" in said
            assert f"this is version {VERSION}" in said
        with pytest.raises(MCPError, match=r"^Another version is running: ") as refused:
            one.do("list_resources")
        assert refused.value.error.code == types.INTERNAL_ERROR
    with owned(world) as tray:
        assert owner_of(one) == owner_of(other) == ("tray", os.getpid())
        remember(one, "The pier has lamps.")
        assert remembered(other) == before | {"The pier has lamps."}
        tray.remember(PROJECT, "fact", "Crane", "The crane lifts two tonnes.", caller=str(world.project))
        assert remembered(one) == before | {"The pier has lamps.", "The crane lifts two tonnes."}

    kind, first = owner_of(other)  # the tray has gone: who asks first owns
    assert (kind, owner_of(one)) == ("mcp", ("mcp", first))
    remember(one, "The buoy is red.")
    assert "The buoy is red." in remembered(other)

    with owned(world):  # a tray that comes takes over
        assert owner_of(one) == owner_of(other) == ("tray", os.getpid())
        at_once(
            lambda: remember(one, "Ropes are blue."), lambda: remember(other, "Nets are green."), lambda: remembered(one),
            lambda: other.told("session_recall", query="moorings"), lambda: one.told("session_recall_reindex"),
        )  # fmt: skip
    at_once(lambda: remember(one, "The quay is dry."), lambda: remember(other, "The dock is wet."))
    assert remembered(one) == remembered(other)
    assert len(remembered(one)) == 8

    _, killed = owner_of(one)  # `one` asks first, so it may own or not: the other is left either way
    remember(one, "The bell rings at noon.")
    os.kill(killed, signal.SIGKILL)
    left = next(asked for asked in (one, other) if asked.pid != killed)
    remember(left, "The bell was mended.")
    assert remembered(left) >= {"The bell rings at noon.", "The bell was mended."}
    assert left.told("session_recall", query="moorings")[1]["found"] is True
    assert owner_of(left) == ("mcp", left.pid)
    assert "lock" not in world.text_of_logs()


def at_once(*acts: Callable[[], object]) -> None:
    """Carry out all of them at the same time; raises what one of them raised."""
    faults: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(GUARD_S)
    if faults:
        raise faults[0]


class Patient(Engine):
    """The real engine, whose passes tell of steps and then wait."""

    STEPS = (1, 3, 2, 3, 5)

    def prepare(self) -> Patient:
        self.begun, self.go_on = threading.Event(), threading.Event()
        return self

    def index(self, *, report: Callable[[Progress], None] | None = None, **more: bool) -> IndexReport:  # type: ignore[override]
        if more.get("full"):
            for done in self.STEPS:
                if report is not None:
                    report(Progress(phase="archiving", done=done, total=9))
            self.begun.set()
            assert self.go_on.wait(GUARD_S)
        return super().index(report=report, **more)


def test_a_long_call_tells_of_its_progress_and_can_be_cancelled(world: World, start: Clients) -> None:
    engines: list[Patient] = []

    def make(paths: Paths, settings: Settings, kind: str) -> Engine:
        engines.append(Patient(paths, settings, kind=kind).prepare())
        return engines[-1]

    steps: list[tuple[float, float | None, str | None]] = []
    told = threading.Event()

    async def progress(done: float, total: float | None, message: str | None) -> None:
        steps.append((done, total, message))
        if done == 5:
            told.set()

    with owned(world, make):
        asked = start.start(world)
        call = asked.begin("call_tool", "session_recall_reindex", {"force": True}, progress_callback=progress)
        (engine,) = engines
        assert engine.begun.wait(GUARD_S)
        assert told.wait(GUARD_S)
        assert steps == [(1, 9, "archiving"), (3, 9, "archiving"), (5, 9, "archiving")]
        at_once(
            lambda: asked.told("session_recall", query="moorings"), lambda: remember(asked, "The fog lifts at ten."),
            lambda: asked.do("list_resources"), lambda: asked.do("list_prompts"),
        )  # fmt: skip
        assert not call.done()
        call.cancel()
        assert asked.told("session_recall", query="moorings")[1]["found"] is True
        with Pipes(world) as pipes:  # the end of input ends a server whose call still waits
            pipes.greet()
            pipes.call("memory_stats")
            engine.begun.clear()
            pipes.send("tools/call", name="session_recall_reindex", arguments={"force": True})
            assert engine.begun.wait(GUARD_S)
            assert pipes.end()[0] == 0
        engine.go_on.set()
        again = asked.call("session_recall_reindex", force=True)
        assert words_of(again).startswith("Everything was read anew: 2 sessions")
        assert len(steps) == 3
