"""Finished sessions become memories, figures and drafts, each once."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from archive_world import DAY, ArchiveWorld, work_session
from data import claude_files as claude
from data import codex_files as codex
from data import dsh_files as dsh
from data.kimi_files import Wire, place

from tray_app.errors import KnownError
from tray_app.indexing.prepare import Rules
from tray_app.library.memory.rows import ArchiveRow, CardRow, CheckpointRow, MemoryRow, NoteRow, ProjectRow
from tray_app.memory import archiving
from tray_app.memory.archiving import forget, forget_sessions
from tray_app.records import ArchiveReport


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ArchiveWorld]:
    world = ArchiveWorld(tmp_path)
    yield world
    world.close()


def test_a_session_becomes_a_memory_figures_and_a_draft(world: ArchiveWorld) -> None:
    world.start()
    world.write("work", work_session())
    world.index()
    assert world.archive() == ArchiveReport(
        archived=1, drafts=1, projects=("shop",), baseline_date=claude.stamp(-10_000)
    )  # fmt: skip
    [memory] = world.memories
    session = claude.make_id("work")
    assert memory == MemoryRow(
        id=1, project="shop", kind="session", title="Add a discount to the cart.", hash=memory.hash, created=claude.epoch_ms(6),
        updated=world.now, source_agent="claude_code", source_session=session, source_message=claude.make_id("work/6"),
        content="## First request\n- Add a discount to the cart.\n\n## Files changed\n- src/cart.py\n\n"
        "## Last answer\n- Added the discount to src/cart.py.",
    )  # fmt: skip
    [draft] = world.drafts
    assert draft == CheckpointRow(
        id=1, project="shop", state="draft", created=world.now, updated=world.now, goal="Add a discount to the cart.",
        done=("Added the discount to src/cart.py.",), files=("src/cart.py",), source_agent="claude_code", source_session=session,
        evidence={"goal": "first request", "done": "answers after Edit, `pytest`", "files": "Edit calls"},
    )  # fmt: skip
    assert world.archived("work") == ArchiveRow(
        id=1, agent="claude_code", session=session, project="shop", memory=1, checkpoint=1, fingerprint=f"6:{claude.make_id('work/6')}",
        title="Add a discount to the cart.", start=claude.epoch_ms(1), end=claude.epoch_ms(6), archived=world.now, rounds=1, tokens_in=12,
        tokens_out=50, cache_read=400, cache_write=3, first_write_step=0, repeated_reads=0, read_pack=False,
    )  # fmt: skip
    assert [row.name for row in world.store.rows(ProjectRow).values()] == ["shop"]


def test_sessions_of_every_agent(world: ArchiveWorld) -> None:
    world.start()
    world.write("claude", work_session("claude", "/home/kim/a"))
    codex.written(
        world.home / ".codex",
        [
            codex.meta(),
            codex.item(5, "user", "Fix the parser fault."),
            codex.call(6, "c1", "exec_command", {"cmd": "cargo test"}),
            codex.result(7, "c1", "Process exited with code 101\nerror[E0277]: no Display"),
            codex.call(8, "c2", "apply_patch", {"input": "*** Begin Patch\n*** Update File: src/parser.rs\n@@\n*** End Patch"}),
            codex.result(9, "c2", "Success. Updated the following files"),
            codex.call(10, "c3", "exec_command", {"cmd": "cargo test"}),
            codex.result(11, "c3", "Process exited with code 0\n3 passed"),
            codex.tokens(12, 900, 900, 300, 20),
            codex.item(13, "assistant", "Fixed the fault in src/parser.rs."),
        ],
    )
    log = dsh.Log(4).ask("把队列迁移到 PostgreSQL").tool("t1", "write", '{"path":"queue.py","content":"x"}', "ok")
    log = (
        log.answer("已完成迁移。", usage={"inputTokens": 5, "outputTokens": 7, "cacheReadTokens": 9})
        .compact("## 目标\n迁移队列")
        .end()
    )
    dsh.put(world.home / ".dsh", dsh.frames(dsh.header(4), log.rows))
    wire = Wire()
    rows = [
        *wire.head(),
        *wire.asked("列一下目录"),
        *wire.tool("k1", "Shell", {"command": "ls"}, "a.py"),
        *wire.answer("只有 a.py。"),
    ]
    place(world.home / ".kimi-code", rows)
    world.index()
    for path in world.home.rglob("*.*"):
        world.touch(path, 0)
    world.now += 400 * DAY
    report = world.archive()
    assert (report.archived, report.skipped, report.waiting) == (4, (), 0)
    rows_by = {row.agent: row for row in world.store.rows(ArchiveRow).values()}
    contents = {row.source_agent: row.content for row in world.memories}
    assert "- `cargo test` — error[E0277]: no Display" in contents["codex"]
    assert "- src/parser.rs" in contents["codex"]
    assert contents["dsh"].startswith("## 代理自己的总结\n## 目标\n迁移队列")
    assert contents["kimi"] == "## 最初的请求\n- 列一下目录\n\n## 最后的回答\n- 只有 a.py。"
    assert (rows_by["dsh"].compactions, rows_by["dsh"].tokens_in, rows_by["dsh"].cache_read) == (1, 305, 5_009)
    assert (rows_by["codex"].first_write_step, rows_by["codex"].tokens_in, rows_by["codex"].cache_read) == (1, 600, 300)
    assert {row.source_agent for row in world.drafts if row.state == "draft"} == {"claude_code", "codex", "dsh"}


def test_nothing_is_archived_twice(world: ArchiveWorld) -> None:
    world.start()
    world.write("work", work_session())
    world.index()
    world.archive()
    seq = world.store._now().seq
    assert world.archive() == ArchiveReport(baseline_date=claude.stamp(-10_000))
    assert world.store._now().seq == seq


def test_history_is_only_taken_by_a_backfill(world: ArchiveWorld) -> None:
    world.write("work", work_session())
    world.index()
    first = world.archive()
    assert (first.archived, first.before_baseline, first.baseline_date) == (0, 1, claude.stamp(1_000))
    world.now += DAY
    assert world.archive().before_baseline == 1
    again = world.archive(backfill=True)
    assert (again.archived, again.before_baseline, again.baseline_date) == (1, 0, claude.stamp(1_000))
    assert world.archive(backfill=True).archived == 0
    forced = world.archive(backfill=True, force=True)
    assert (forced.archived, forced.again, len(world.memories), len(world.drafts)) == (0, 1, 1, 1)


def test_what_is_archived_already_is_archived_again_though_it_is_history(world: ArchiveWorld) -> None:
    world.write("work", work_session())
    world.index()
    world.archive()
    world.archive(backfill=True)
    chat = claude.Chat("work")
    chat.count = 6
    world.write("work", [*work_session(), chat.user("And a coupon.", 20), chat.answer("Tomorrow.", 21)])
    world.index()
    assert world.archive().again == 1


def test_a_baseline_that_cannot_be_read_is_set_anew(world: ArchiveWorld) -> None:
    with world.store.change() as change:
        change.put(NoteRow(id=change.new_id(NoteRow), key="archive_baseline", value="yesterday"))
    assert world.archive().baseline_date == claude.stamp(1_000)
    assert [row.value for row in world.store.rows(NoteRow).values()] == [claude.stamp(1_000)]


def test_greetings_make_no_memory_but_keep_their_figures(world: ArchiveWorld) -> None:
    world.start()
    chat = claude.Chat("hi")
    world.write("hi", [chat.user("hi"), chat.answer("Hello!", usage=claude.usage(5)) | {}])
    world.index()
    report = world.archive()
    assert (report.archived, report.drafts) == (1, 0)
    assert (world.memories, world.drafts) == ([], [])
    assert (world.archived("hi").memory, world.archived("hi").rounds) == (0, 1)
    chat.count = 2
    first = [claude.Chat("hi").user("hi"), chat.answer("Hello!", 2)]
    world.write("hi", [*first, chat.user("Which port is staging?", 30), chat.answer("8443.", 31)])
    world.index()
    assert world.archive().again == 1
    assert world.archived("hi").memory == world.memories[0].id


def test_subagents_belong_to_their_parent(world: ArchiveWorld) -> None:
    world.start()
    path = world.write("work", work_session())
    helper = claude.Chat("helper", cwd="/home/kim/shop", sessionId=claude.make_id("work"), isSidechain=True, agentId="abc123")
    child = claude.write(
        path.with_suffix("") / "subagents" / "agent-abc123.jsonl",
        [
            helper.line("Write the docs, please.", 4),
            helper.call("h-1", "Write", {"file_path": "/home/kim/shop/docs.md", "content": "x"}, 5, usage=claude.usage(30)),
            helper.result("h-1", "File created", 6),
            helper.answer("Wrote the docs.", 8),
        ],
    )
    world.touch(child, 0)
    world.index()
    assert world.archive().archived == 1
    row = world.archived("work")
    assert (row.tokens_out, row.cache_read, row.rounds, row.first_write_step) == (80, 800, 1, 0)
    assert row.fingerprint.startswith("10:")
    assert world.drafts[0].files == ("src/cart.py", "docs.md")
    assert world.drafts[0].evidence["files"] == "Edit, sub-agent calls"
    assert [memory.source_session for memory in world.memories] == [claude.make_id("work")]


def test_a_running_subagent_keeps_its_parent_from_being_finished(world: ArchiveWorld) -> None:
    world.start()
    path = world.write("work", work_session())
    helper = claude.Chat("helper", sessionId=claude.make_id("work"), isSidechain=True, agentId="abc123")
    child = claude.write(
        path.with_suffix("") / "subagents" / "agent-abc123.jsonl", [helper.line("Look.", 4), helper.answer("Yes.", 5)]
    )
    world.touch(child, 998)
    world.index()
    report = world.archive()
    assert (report.archived, report.unfinished) == (0, 1)


def test_projects_by_folder_then_by_what_was_written_then_by_words(world: ArchiveWorld) -> None:
    world.start()
    for name in ("harbour-api", "ledger"):
        (world.folder / "Projects" / name).mkdir(parents=True)
    loose = claude.Chat("words", cwd="")
    asked = [
        loose.user("Why is harbour-api slow today?", 1),
        loose.call("w1", "Write", {"file_path": "notes.md", "content": "x"}, 2),
    ]
    world.write("words", [*asked, loose.result("w1", "ok", 3)])
    paths = claude.Chat("paths", cwd="/home/kim")
    edited = str(world.folder / "Projects" / "ledger" / "a.py")
    world.write(
        "paths",
        [
            paths.user("Fix it there.", 1),
            paths.call("p1", "Write", {"file_path": edited, "content": "x"}, 2),
            paths.result("p1", "ok", 3),
        ],
    )
    nothing = claude.Chat("nothing", cwd="/home/kim")
    world.write("nothing", [nothing.user("Write a poem about rain.", 1), nothing.answer("Rain.", 2)])
    world.index()
    assert world.archive().projects == ("harbour-api", "ledger", "workspace")
    assert (world.archived("words").project, world.archived("words").checkpoint) == ("harbour-api", 0)
    assert (world.archived("paths").project, world.drafts[0].files) == ("ledger", ("a.py",))
    assert world.archived("nothing").project == "workspace"


def test_only_one_project(world: ArchiveWorld) -> None:
    world.start()
    world.write("a", work_session("a", "/home/kim/shop"))
    world.write("b", work_session("b", "/home/kim/blog"))
    world.index()
    report = world.archive(project="SHOP")
    assert (report.archived, report.projects, report.waiting) == (1, ("shop",), 0)
    assert world.archive().projects == ("blog",)


def test_no_more_than_asked_for_the_latest_first(world: ArchiveWorld) -> None:
    world.start()
    for number in range(4):
        world.write(f"s{number}", work_session(f"s{number}", f"/home/kim/p{number}", first=number * 20))
    world.index()
    seen: list[tuple[int, int]] = []
    report = world.archive(limit=3, report=lambda done, total: seen.append((done, total)))
    assert (report.archived, report.waiting, report.projects) == (3, 1, ("p1", "p2", "p3"))
    assert seen == [(1, 4), (2, 4), (3, 4)]
    by_update = sorted(world.memories, key=lambda row: -row.updated)
    assert [row.source_session for row in by_update] == [claude.make_id(name) for name in ("s3", "s2", "s1")]
    assert world.archive(limit=3).projects == ("p0",)


def test_stopping_between_two_sessions(world: ArchiveWorld) -> None:
    world.start()
    for number in range(3):
        world.write(f"s{number}", work_session(f"s{number}", f"/home/kim/p{number}"))
    world.index()
    asked = iter([False, True])
    report = world.archive(stop=lambda: next(asked))
    assert (report.archived, report.waiting) == (1, 2)
    assert world.archive().archived == 2


def test_a_session_that_cannot_be_told_stops_no_other(
    world: ArchiveWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world.start()
    world.write("a", work_session("a", first=50))
    world.write("b", work_session("b"))
    world.index()
    real = archiving.talk_of
    broken = iter([True])

    def talk_of(told: object) -> object:
        if next(broken, False):
            raise ValueError("secret words")
        return real(told)  # type: ignore[arg-type]

    with caplog.at_level(logging.CRITICAL):
        monkeypatch.setattr(archiving, "talk_of", talk_of)
        report = world.archive()
    assert (report.archived, report.skipped) == (1, (f"claude_code {claude.make_id('a')}: ValueError",))
    assert world.archive().archived == 1


def test_a_kill_in_the_middle_loses_nothing_and_doubles_nothing(world: ArchiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.start()
    for number in range(3):
        world.write(f"s{number}", work_session(f"s{number}", f"/home/kim/p{number}"))
    world.index()
    real, left = archiving.put_draft, [1]

    def put_draft(*given: object, **named: object) -> int:
        if not left:
            raise KnownError("disk_full", "Disk full", "There is no room.")
        left.pop()
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(archiving, "put_draft", put_draft)
    with pytest.raises(KnownError):
        world.archive()
    assert (len(world.memories), len(world.drafts), len(world.store.rows(ArchiveRow))) == (1, 1, 1)
    monkeypatch.undo()
    world.store.close()
    assert world.archive().archived == 2
    assert (len(world.memories), len(world.drafts), len(world.store.rows(ArchiveRow))) == (3, 3, 3)


def test_forgetting_takes_out_what_was_kept(world: ArchiveWorld) -> None:
    world.start()
    world.write("work", work_session())
    world.write("other", work_session("other", "/home/kim/blog"))
    world.index()
    world.archive()
    forget(world.store, "claude_code", claude.make_id("work"))
    assert {row.source_session for row in (*world.memories, *world.drafts)} == {claude.make_id("other")}
    assert [row.session for row in world.store.rows(ArchiveRow).values()] == [claude.make_id("other")]
    forget(world.store, "claude_code", "unknown")
    promoted = msgspec.structs.replace(world.drafts[0], state="archived")
    with world.store.change() as change:
        change.put(promoted)
        change.put(CardRow(id=1, project="blog", markdown="x", checkpoint=promoted.id))
    forget_sessions(world.store, [("claude_code", claude.make_id("other"))])
    assert (world.memories, world.drafts) == ([], [promoted])


def test_secrets_stay_out_even_where_the_index_keeps_them(world: ArchiveWorld) -> None:
    world.start()
    world.rules = Rules(redact=False)
    key = "sk-proj-" + "aB3dE5fG7h" * 4
    chat = claude.Chat("keys")
    world.write(
        "keys",
        [
            chat.user(f"Put the key {key} into the config.", 1),
            chat.call("k1", "Write", {"file_path": "/home/kim/shop/a.toml", "content": "x"}, 2),
            chat.result("k1", "File created", 3),
            chat.answer(f"Added {key} to the file a.toml.", 4),
        ],
    )
    world.index()
    world.archive()
    [memory], [draft] = world.memories, world.drafts
    assert key not in f"{memory} {draft} {world.archived('keys')}"
    assert (len(draft.done), draft.goal.startswith("Put the key [")) == (1, True)


def test_the_change_of_summer_time_does_not_matter(world: ArchiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    world.start()
    world.write("work", work_session(first=37_739))  # 2026-03-28 13:59 UTC; the clocks change that night
    world.index()
    world.now = claude.epoch_ms(37_748)
    assert world.archive().unfinished == 1
    world.now = claude.epoch_ms(37_749)
    assert world.archive().archived == 1
