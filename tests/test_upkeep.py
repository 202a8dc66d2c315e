"""Spaces on the real engine: separated by file, moved by assignment, kept when removed, refused to callers outside."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from data.claude_files import Chat, write
from spaces_world import CLIENT, INNER, SHOP, SpacesWorld, spaces_world

from tray_app.engine import Engine
from tray_app.errors import UsageError
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.service.connection import connect
from tray_app.settings import Settings

ALL = {"marzipan", "zeppelin", "quokka"}


@pytest.fixture
def world(isolated: Path) -> Iterator[SpacesWorld]:
    with spaces_world(isolated) as made:
        made.write_all()
        made.index()
        yield made


def refused(code: str, call: Callable[[], object]) -> UsageError:
    with pytest.raises(UsageError) as error:
        call()
    assert error.value.code == code
    return error.value


# --- separated by file -------------------------------------------------------------------------------------------------------
def test_each_library_has_its_own_and_nothing_else(world: SpacesWorld) -> None:
    assert world.held() == {"default": ALL}
    world.engine.add_space("client", [CLIENT])
    report = world.index()
    assert (report.totals.sessions, report.totals.files) == (9, 9)
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}
    assert [world.found("zeppelin"), world.found("zeppelin", "client"), world.found("marzipan", "client")] == [0, 3, 0]
    assert [(view.name, view.sessions, view.state) for view in world.engine.spaces()] == [
        ("default", 3, "ready"),
        ("client", 6, "ready"),
    ]


def test_a_new_session_goes_to_its_space_alone(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.index()
    world.write("late", CLIENT, "And the late one?")
    world.write("zeppelin-0", CLIENT, "Is it longer now?")
    report = world.index()
    assert (report.totals.sessions, report.totals.unchanged_files) == (10, 8)
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}
    assert world.found("zeppelin", "client") == 4


def test_growing_elsewhere_costs_nothing(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.index()
    world.write("marzipan-0", SHOP, "Is it longer now?")
    seen: list[str] = []
    original = world.engine.indexer.run

    def watched(*arguments: object, **more: object) -> object:
        done = original(*arguments, **more)  # type: ignore[arg-type]
        seen.append(f"{done.territory.space == 'default'} {len(done.read)} {sum(len(plan.work) for plan in done.plans)}")
        return done

    world.engine.indexer.run = watched  # type: ignore[method-assign, assignment]
    world.index()
    assert seen == ["True 1 1", "False 0 0"]


def test_the_longest_folder_decides(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.engine.add_space("inner", [INNER])
    world.index()
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin"}, "inner": {"quokka"}}


def test_memory_files_follow_their_folder(world: SpacesWorld, isolated: Path) -> None:
    folder = isolated / "work" / "client"
    folder.mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("# Notes\nThe zeppelin is blue.\n")
    (isolated / ".claude" / "CLAUDE.md").write_text("# Everywhere\nThe marzipan is sweet.\n")
    notes = isolated / ".claude" / "projects" / str(folder).replace("/", "-").replace("_", "-") / "memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("# Kept\nThe quokka is shy.\n")
    from spaces_world import claude

    chat = claude.Chat("notes", cwd=str(folder))
    claude.write(world.file_of("notes", str(folder)), [chat.user("Read the notes."), chat.answer("Done.")])
    world.engine.set_source("memory", True)
    world.engine.add_space("client", [str(folder), CLIENT])
    world.index()
    world.index()  # memory files of a workspace are looked for once a session has named it
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}
    assert [item.agent for item in world.engine.sessions(space="client")].count("memory") == 2


def test_what_a_session_started_goes_with_it(world: SpacesWorld) -> None:
    from spaces_world import claude

    parent = claude.make_id("zeppelin-0")
    side = world.file_of("zeppelin-0", CLIENT).with_suffix("") / "subagents" / "agent-a1.jsonl"
    chat = claude.Chat("zeppelin-0", cwd="", isSidechain=True, agentId="a1")
    rows = [chat.user("Does the zeppelin of a1 know?"), chat.answer("The zeppelin knows.")]
    claude.write(side, rows)
    world.index()
    child = next(item for item in world.engine.sessions() if item.kind == "subagent")
    assert (child.cwd, child.parent) == ("", parent)
    world.engine.add_space("client", [CLIENT])
    world.index()
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}
    chat = claude.Chat("zeppelin-0", cwd="", isSidechain=True, agentId="a2")
    claude.write(side.with_name("agent-a2.jsonl"), [chat.user("And the zeppelin of a2?"), chat.answer("The zeppelin, too.")])
    chat = claude.Chat("late", cwd="", isSidechain=True, agentId="a3")
    world.write("late", CLIENT)
    late_side = world.file_of("late", CLIENT).with_suffix("") / "subagents" / "agent-a3.jsonl"
    claude.write(late_side, [chat.user("And the zeppelin of a3?"), chat.answer("The zeppelin, too.")])
    world.index()
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}
    assert sum(item.kind == "subagent" for item in world.engine.sessions(space="client")) == 3
    world.engine.unassign_folder(CLIENT)
    world.index()
    assert sum(item.kind == "subagent" for item in world.engine.sessions()) == 3


# --- moving ------------------------------------------------------------------------------------------------------------------
def test_what_is_assigned_is_gone_from_the_old_library_at_once(world: SpacesWorld) -> None:
    world.engine.pause()
    views = world.engine.add_space("client", [CLIENT])
    assert [(view.name, view.sessions, view.state) for view in views] == [("default", 3, "waiting"), ("client", 0, "waiting")]
    assert [world.found("zeppelin"), world.found("quokka"), world.found("marzipan")] == [0, 0, 3]
    assert world.held() == {"default": {"marzipan"}, "client": set()}


def test_moving_both_ways(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.index()
    world.engine.unassign_folder(CLIENT)
    assert world.found("zeppelin", "client") == 0
    world.index()
    assert world.held() == {"default": ALL, "client": set()}
    assert world.found("zeppelin") == 3
    world.engine.add_space("inner", [INNER])
    world.engine.assign_folders("client", [CLIENT])
    world.index()
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin"}, "inner": {"quokka"}}
    world.engine.unassign_folder(INNER)
    world.index()
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}, "inner": set()}


def test_assigning_reads_only_what_moves(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    assert world.index().totals.bytes_read == sum(
        file.stat().st_size for file in world.home.rglob("*.jsonl") if "client" in str(file)
    )
    world.engine.assign_folders("client", [SHOP])
    assert world.index().totals.bytes_read == sum(
        file.stat().st_size for file in world.home.rglob("*.jsonl") if "shop" in str(file)
    )
    assert world.held() == {"default": set(), "client": ALL}


def test_renaming_reads_nothing(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.index()
    before = [(view.path, view.sessions, view.state) for view in world.engine.spaces()]
    views = world.engine.rename_space("client", "Acme 客户")
    assert [(view.path, view.sessions, view.state) for view in views] == before
    assert world.index().totals.bytes_read == 0
    assert world.found("zeppelin", "acme 客户") == 3
    assert world.engine.status().spaces == ("default", "Acme 客户")


def test_a_session_that_moves_by_itself_is_followed(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.index()
    from spaces_world import claude

    file = world.file_of("marzipan-0", SHOP)
    chat = claude.Chat("marzipan-0", cwd=CLIENT)
    claude.write(
        file, [chat.user("The zeppelin took over, quite another beginning."), chat.answer("The zeppelin it is, and no other.")]
    )
    world.index()
    assert [world.found("zeppelin"), world.found("zeppelin", "client"), world.found("marzipan")] == [0, 4, 2]
    chat = claude.Chat("marzipan-0", cwd=SHOP)
    claude.write(file, [chat.user("Back to the marzipan again, and longer than before."), chat.answer("The marzipan it is.")])
    world.index()
    assert [world.found("zeppelin", "client"), world.found("marzipan")] == [3, 3]
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}


# --- removing ----------------------------------------------------------------------------------------------------------------
def test_remove_and_restore(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.index()
    view = world.engine.remove_space("client")[1]
    assert (view.state, Path(view.path).exists()) == ("removed", True)
    refused("no_such_space", lambda: world.found("zeppelin", "client"))
    world.write("while away", CLIENT)
    assert world.index().totals.sessions == 3
    assert world.found("zeppelin") == 0
    assert world.engine.search(SearchRequest(query="marzipan", caller=CLIENT)).found  # there are no spaces any more
    views = world.engine.restore_space("client")
    assert (views[1].state, views[1].sessions) == ("ready", 6)
    world.index()
    assert world.found("zeppelin", "client") == 4
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}


def test_clearing_clears_all_libraries(world: SpacesWorld) -> None:
    world.engine.add_space("client", [CLIENT])
    world.engine.add_space("inner", [INNER])
    world.index()
    world.engine.remove_space("inner")
    world.engine.clear_index()
    assert world.held() == {"default": set(), "client": set(), "inner": set()}
    world.engine.resume()
    world.index()
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin"}, "inner": set()}


# --- callers -----------------------------------------------------------------------------------------------------------------
def test_callers_outside_are_refused_once_there_are_spaces(world: SpacesWorld) -> None:
    def ask(caller: str | None, space: str | None = None) -> int:
        return world.engine.search(SearchRequest(query="zeppelin", caller=caller, space=space)).hits

    assert ask(SHOP) > 0
    world.engine.add_space("client", [CLIENT])
    world.index()
    assert ask(CLIENT) > 0
    assert ask(f"{CLIENT}/deep/er") > 0
    assert ask(SHOP, "client") > 0
    assert [ask(None), ask(SHOP, "default"), ask(CLIENT, "default")] == [0, 0, 0]
    for caller in (SHOP, "/home/kim/client-b", "", "/"):
        error = refused("outside_spaces", lambda caller=caller: ask(caller))  # type: ignore[misc]
        assert "--space default" in error.hint
        refused("outside_spaces", lambda caller=caller: world.engine.sessions(caller=caller))  # type: ignore[misc]
        refused("outside_spaces", lambda caller=caller: world.engine.show("x", caller=caller))  # type: ignore[misc]
    refused("no_such_space", lambda: ask(CLIENT, "nothing"))
    assert len(world.engine.sessions(caller=CLIENT)) == 6
    assert len(world.engine.sessions()) == 3
    session = world.engine.sessions(space="client")[0].session
    assert world.engine.show(session, caller=CLIENT).session == session
    refused("no_such_session", lambda: world.engine.show(session))
    assert world.engine.status("client").totals.sessions == 6
    assert (world.engine.status().totals.sessions, world.engine.status().space) == (3, "default")


def test_folders_that_nobody_knows_are_refused(world: SpacesWorld) -> None:
    refused("no_such_folder", lambda: world.engine.add_space("a", ["/home/kim/cleint"]))
    refused("no_such_folder", lambda: world.engine.add_space("a", [CLIENT, "/home/kim/cli"]))
    assert len(world.engine.spaces()) == 1
    world.engine.add_space("a", ["/home/kim"])  # gone, but sessions were held in it
    finding = next(one for one in world.engine.doctor() if one.code == "space_folder_missing")
    assert finding.params == {"space": "a", "path": "/home/kim"}


# --- what may happen meanwhile -------------------------------------------------------------------------------------------------
def test_searches_go_on_through_the_service(world: SpacesWorld) -> None:
    world.engine.close()
    failures: list[BaseException] = []
    ended = threading.Event()
    settings = Settings(world.paths.settings_file)

    def ask() -> None:
        try:
            with connect(world.paths, settings, "cli") as client:
                while not ended.is_set():
                    answer = client.search(SearchRequest(query="marzipan", space="default"))
                    assert {one.workspace for one in answer.sessions} <= {SHOP}
                    assert len(answer.sessions) == 3
                    time.sleep(0.05)
        except BaseException as fault:
            failures.append(fault)

    with connect(world.paths, settings, "cli") as owner:
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(2):
            owner.add_space("client", [CLIENT])
            owner.index()
            assert len(owner.search(SearchRequest(query="zeppelin", caller=CLIENT)).sessions) == 3
            owner.unassign_folder(CLIENT)
            owner.index()
            owner.remove_space("client")
            owner.restore_space("client")
            owner.rename_space("client", f"old {time.monotonic_ns()}")
        ended.set()
        for thread in threads:
            thread.join(20)
    assert failures == []


def test_a_change_in_the_middle_of_a_round_begins_it_anew(world: SpacesWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.upkeep.LOOKED_S", 0.0)
    for number in range(40):
        world.write(f"more-{number}", CLIENT)
    begun = threading.Event()
    thread = threading.Thread(target=lambda: world.engine.index(report=lambda progress: begun.set()))
    thread.start()
    begun.wait(10)
    world.engine.add_space("client", [CLIENT])
    thread.join(60)
    world.index()
    assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}


@pytest.mark.skipif(sys.platform == "win32", reason="killed with a signal")
@pytest.mark.parametrize("seed", range(3))
def test_killed_while_sessions_move(isolated: Path, seed: int) -> None:
    with spaces_world(isolated) as world:
        world.write_all()
        for number in range(15):
            world.write(f"more-{number}", CLIENT, *("What else does it do there?" for _ in range(20)))
        world.index()
    script = Path(__file__).with_name("spaces_world.py")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(random.Random(seed).uniform(0.0, 1.5))
        process.kill()
    with spaces_world(isolated) as world:
        if len(world.engine.spaces()) == 1:
            world.engine.add_space("client", [CLIENT])
        world.index()
        assert world.held() == {"default": {"marzipan"}, "client": {"zeppelin", "quokka"}}
        assert [view.sessions for view in world.engine.spaces()] == [3, 21]


def test_memory_files_in_folders_just_met_are_read_in_the_same_round(isolated: Path, tmp_path: Path) -> None:
    workspace = isolated / "shop"
    workspace.mkdir()
    (workspace / "CLAUDE.md").write_text("# Rules\n\nAlways write kumquat in full.\n")
    chat = Chat("kumquat", cwd=str(workspace))
    rows = [chat.user("what do the rules say of fruit"), chat.answer("To write it in full.")]
    write(isolated / ".claude" / "projects" / "-shop" / f"{chat.id}.jsonl", rows)
    paths = Paths.from_environment()
    engine = Engine(paths, Settings(paths.settings_file))
    try:
        engine.folders.tick_found()
        engine.set_source("memory", True)
        report = engine.index()
        assert engine.search(SearchRequest(query="kumquat")).hits == 1
        assert report.totals.bytes_read > 0
        assert engine.index().totals.bytes_read == 0
    finally:
        engine.close()
