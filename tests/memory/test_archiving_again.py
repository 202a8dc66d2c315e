"""Sessions that grew after they were archived, and what the person did meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from archive_world import ArchiveWorld, work_session
from data import claude_files as claude

from tray_app.library.memory.rows import CheckpointRow


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ArchiveWorld]:
    world = ArchiveWorld(tmp_path)
    yield world
    world.close()


def grow(world: ArchiveWorld, label: str = "work", minute: float = 30) -> None:
    chat = claude.Chat(label)
    chat.count = 6
    more = [
        chat.user("Add a coupon as well.", minute),
        chat.call(f"{label}-9", "Write", {"file_path": "/home/kim/shop/src/coupon.py", "content": "x"}, minute + 1),
        chat.result(f"{label}-9", "File created", minute + 2),
        chat.answer("Added the coupon in coupon.py.", minute + 3),
    ]
    world.write(label, [*work_session(label), *more])
    world.index()


def test_a_session_that_grew_is_archived_again_in_its_place(world: ArchiveWorld) -> None:
    world.start()
    world.write("work", work_session())
    world.index()
    world.archive()
    grow(world)
    world.now += 5
    report = world.archive()
    assert (report.archived, report.again, report.drafts) == (0, 1, 1)
    [memory], [draft] = world.memories, world.drafts
    assert (memory.id, draft.id, draft.state) == (1, 1, "draft")
    assert "src/coupon.py" in memory.content
    assert (draft.files, draft.created, draft.updated) == (("src/cart.py", "src/coupon.py"), world.now - 5, world.now)
    row = world.archived("work")
    assert (row.id, row.rounds, row.end, row.archived) == (1, 2, claude.epoch_ms(33), world.now)
    assert row.fingerprint == f"10:{claude.make_id('work/10')}"


@pytest.mark.parametrize(("state", "drafts"), [("archived", ["archived"]), ("superseded", ["superseded", "draft"])])
def test_a_draft_that_was_settled_stays_as_it_is(world: ArchiveWorld, state: str, drafts: list[str]) -> None:
    """Discarded: no other one comes. Promoted: what was done since is offered again."""
    world.start()
    world.write("work", work_session())
    world.index()
    world.archive()
    with world.store.change() as change:
        change.put(msgspec.structs.replace(world.drafts[0], state=state))
    world.archive(backfill=True, force=True)
    assert [row.state for row in world.drafts] == [state]
    grow(world)
    world.archive()
    assert [row.state for row in world.drafts] == drafts
    assert world.drafts[0].files == ("src/cart.py",)


def test_a_draft_that_is_being_edited_is_left_alone(world: ArchiveWorld) -> None:
    world.start()
    world.write("work", work_session())
    world.index()
    world.archive()
    mine = msgspec.structs.replace(world.drafts[0], goal="My own goal.", updated=world.now + 1)
    with world.store.change() as change:
        change.put(mine)
    grow(world)
    world.now += 5
    assert (world.archive().drafts, world.drafts) == (0, [mine])


def test_a_checkpoint_that_is_newer_keeps_drafts_away(world: ArchiveWorld) -> None:
    world.start()
    with world.store.change() as change:
        change.put(CheckpointRow(id=1, project="Shop", updated=claude.epoch_ms(7)))
    world.write("work", work_session())
    world.index()
    assert world.archive().drafts == 0
    grow(world)
    assert world.archive().drafts == 1


def test_one_draft_a_project_that_of_the_latest_session(world: ArchiveWorld) -> None:
    world.start()
    world.write("early", work_session("early", first=1))
    world.write("late", work_session("late", first=40, file="late.py"))
    world.index()
    assert world.archive().drafts == 1
    assert [(row.state, row.source_session) for row in world.drafts] == [("draft", claude.make_id("late"))]
    grow(world, "early", 80)
    assert world.archive().drafts == 1
    assert [(row.state, row.source_session) for row in world.drafts] == [
        ("archived", claude.make_id("late")), ("draft", claude.make_id("early")),
    ]  # fmt: skip
    assert world.archived("late").checkpoint == 0
    chat = claude.Chat("late")
    chat.count = 6
    world.write("late", [*work_session("late", first=40, file="late.py"), chat.user("Once more, please.", 200)])
    world.index()
    assert world.archive().drafts == 1, "what another draft has displaced was not discarded"


def test_a_memory_that_the_person_corrected_is_left_alone(world: ArchiveWorld) -> None:
    world.start()
    world.write("work", work_session())
    world.index()
    world.archive()
    mine = msgspec.structs.replace(world.memories[0], content="My own words.", updated=world.now + 5)
    with world.store.change() as change:
        change.put(mine)
    world.now += 10
    world.archive(backfill=True, force=True)
    assert world.memories == [mine]
    mine = msgspec.structs.replace(mine, updated=world.now + 5)
    with world.store.change() as change:
        change.put(mine)
    grow(world)
    world.now += 10
    world.archive()
    assert [row.content == "My own words." for row in world.memories] == [True, False]
    assert world.archived("work").memory == 2


def test_an_archived_memory_comes_back_when_its_session_grows(world: ArchiveWorld) -> None:
    world.start()
    world.write("work", work_session())
    world.index()
    world.archive()
    put_away = msgspec.structs.replace(world.memories[0], state="archived", use_count=3, last_used=77, updated=world.now + 1)
    with world.store.change() as change:
        change.put(put_away)
    world.now += 10
    world.archive(backfill=True, force=True)
    assert [row.state for row in world.memories] == ["archived"]
    grow(world)
    world.archive()
    [memory] = world.memories
    assert (memory.state, memory.use_count, memory.last_used) == ("active", 3, 77)
