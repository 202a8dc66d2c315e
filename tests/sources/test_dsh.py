"""Every generation of DSH logs gives the same conversation; the person's words are told from the machine's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data import dsh_files as made
from data.dsh_files import GENERATIONS, Log, conversation, frame, frames, header, line, lines, put

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Session, Stopped, Unit
from tray_app.sources.dsh import DshAdapter
from tray_app.sources.dsh_events import call_text

DSH = DshAdapter()
ALL = Limits(reasoning=True)
SPOKEN = [
    ("user", "Where do the tulips go? 郁金香种在哪里？"),
    ("reasoning", "The plan is a file."),
    ("assistant", "I will look at the plan."),
    ("tool_call", "cat beds.txt"),
    ("tool_result", "north bed: tulips"),
    ("assistant", "In the north bed."),
    ("summary", "Tulips stand in the north bed."),
    ("user", "And the beans?"),
    ("assistant", "South of the shed."),
]


def never() -> bool:
    return False


def units(home: Path, problems: list[Problem] | None = None) -> list[Unit]:
    context = Context(home=SourcesHome(home, {}))
    found = list(DSH.discover(home, context, (problems if problems is not None else []).append))
    return sorted(found, key=lambda unit: unit.session)


def read(home: Path, checkpoint: Checkpoint | None = None, limits: Limits = ALL) -> Reading:
    """Reads the only session under `home`."""
    (unit,) = units(home)
    return DSH.read(unit, checkpoint, limits, never)


def spoken(reading: Reading) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in reading.messages]


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_generation_gives_the_same_conversation(tmp_path: Path, generation: int | str, plain: bool) -> None:
    log = conversation(generation)
    data = lines([header(generation), *log.rows]) if plain else frames(header(generation), log.rows)
    path = put(tmp_path, data, made.name(generation, plain=plain))
    reading = read(tmp_path)
    assert spoken(reading) == SPOKEN
    assert reading.session == Session(
        id=made.SESSION,
        cwd=made.CWD,
        title="Beds and beans",
        title_rank=2,
        start=made.START,
        end=log.rows[-1]["time"],
        model=made.MODEL,
    )
    assert [(u.input, u.output, u.cache_read, u.cache_write) for u in reading.usage] == [
        (100, 20, -1, -1),
        (30, 12, 90, -1),
        (300, 60, 5_000, -1),
    ]
    assert (reading.problems, reading.skipped, reading.unknown, reading.growing) == ([], 0, 0, False)
    assert reading.records == reading.recognised == len(log.rows) + 1
    assert reading.repeated == 1
    assert reading.bytes_read == path.stat().st_size


def test_ids_are_the_agents_own_and_places_those_of_frames(tmp_path: Path) -> None:
    put(tmp_path, frames(header(), conversation().rows))
    messages = read(tmp_path).messages
    assert [message.seq for message in messages] == list(range(9))
    assert [(m.id, m.identity, m.tool) for m in messages[:5]] == [
        ("ask-1", "ask-1", ""),
        ("say-5", "say-5:reasoning", ""),
        ("say-5", "say-5", ""),
        ("call-1", "call-1:call", "bash"),
        ("call-1", "call-1:result", "bash"),
    ]
    assert messages[0].offset == len(frame([header()]))
    assert messages[0].time == made.START + 4_000


def test_logs_without_message_ids_get_ids_that_stay(tmp_path: Path) -> None:
    log = conversation("old")
    put(tmp_path, frames(header("old"), log.rows, 4), "session.jsonl.zstd")
    first = read(tmp_path).messages
    assert [message.id for message in first[:2]] == [f"{made.SESSION}#3", f"{made.SESSION}#7"]
    assert len({message.identity for message in first}) == len(first)
    put(tmp_path, frames(header("old"), log.rows, 50), "session.jsonl.zstd")
    assert [message.id for message in read(tmp_path).messages] == [message.id for message in first]
    bare = [{key: value for key, value in row.items() if key not in ("seq", "time")} for row in log.rows]
    put(tmp_path, lines([header("old"), *bare]), "session.jsonl.zstd")
    unnumbered = read(tmp_path)
    assert spoken(unnumbered) == SPOKEN
    assert len({message.identity for message in unnumbered.messages}) == len(first)
    assert unnumbered.session.end == made.START


def test_only_positively_marked_words_are_the_persons(tmp_path: Path) -> None:
    log = Log().ask("mine", rpcId="7", clientTimeZone="Asia/Shanghai").ask("a relay", form="relay")
    for kind in ("skill-catalog", "goal", "session-reference", "coordinator", "plugin:what", "never heard of"):
        log.inject(f"not mine: {kind}", kind)
    log.event("user/message", {"id": "x", "content": [made.text("no source")]})
    log.event("developer/message", {"message": {"content": [made.text("machinery")]}})
    log.event("steering/message", {"content": [made.text("steering")], "source": {"kind": "user"}})
    put(tmp_path, frames(header(), log.rows))
    assert spoken(read(tmp_path)) == [("user", "mine"), ("user", "steering")]


def test_images_leave_no_text_and_odd_blocks_do_not_lose_the_message(tmp_path: Path) -> None:
    log = Log().ask("look at this")
    content = [{"type": "image", "attachment": {"attachmentId": "sha256:00"}}, {"type": "plugin:new", "text": {"deep": 1}}]
    log.rows[-1]["data"]["content"] += [*content, {"type": "text", "text": None}]
    put(tmp_path, frames(header(), log.rows))
    assert spoken(read(tmp_path)) == [("user", "look at this")]


def test_a_checkpoint_whose_summary_was_lost_gives_the_summary(tmp_path: Path) -> None:
    log = Log().compact("first", "one").compact("second", "two", with_summary=False)
    put(tmp_path, frames(header(), log.rows))
    reading = read(tmp_path)
    assert [(m.role, m.text, m.id) for m in reading.messages] == [("summary", "first", "one"), ("summary", "second", "cp-5")]
    assert reading.repeated == 1


def test_replaced_rows_are_repetitions(tmp_path: Path) -> None:
    log = Log().ask("q").tool("c", "bash", '{"command":"ls"}', "a very long result")
    log.event("compaction/prune", {"compactionId": "p"})
    shortened = {"message": {"role": "tool", "toolCallId": "c", "content": [made.text("a very")]}}
    log.event("tool/result", shortened, surfaceOp={"op": "replace", "startSeq": 4, "endSeq": 4})
    put(tmp_path, frames(header(), log.rows))
    reading = read(tmp_path)
    assert spoken(reading) == [("user", "q"), ("tool_call", "ls"), ("tool_result", "a very long result")]
    assert reading.repeated == 1


def test_limits_leave_out_tools_and_thoughts(tmp_path: Path) -> None:
    put(tmp_path, frames(header(), conversation().rows))
    reading = read(tmp_path, limits=Limits(tools=False))
    assert [role for role, _ in spoken(reading)] == ["user", "assistant", "assistant", "summary", "user", "assistant"]
    short = read(tmp_path, limits=Limits(file_chars=40))
    assert short.truncated
    assert spoken(short)[-1] == ("assistant", "South of the shed.")


def test_our_own_recall_tools_are_not_indexed_even_across_readings(tmp_path: Path) -> None:
    log = Log().ask("q").tool("c1", "mcp__backscroll__search", '{"query":"x"}', "old words")
    log.tool("c2", "mcp__session-search__recall", "{}", "older words").tool("c3", "mcp__other__search", "{}", "kept")
    put(tmp_path, frames(header(), log.rows[:4], 50))
    first = read(tmp_path)
    put(tmp_path, frames(header(), log.rows[:4], 50) + frame(log.rows[4:]))
    rest = read(tmp_path, first.checkpoint)
    assert rest.resumed
    assert spoken(first) == [("user", "q")]
    assert spoken(rest) == [("tool_call", "mcp__other__search"), ("tool_result", "kept")]


def test_that_the_pack_was_asked_for_is_kept(tmp_path: Path) -> None:
    log = Log().ask("q").tool("c1", "mcp__backscroll__handoff_pack", '{"project":"shop"}', "INJECTED pack")
    put(tmp_path, frames(header(), log.rows, 50))
    (_, call) = read(tmp_path).messages
    assert (call.role, call.tool, call.text) == ("tool_call", "mcp__backscroll__handoff_pack", "shop")


@pytest.mark.parametrize(
    ("arguments", "expected", "files"),
    [
        ('{"command":"pytest -q\\necho done","description":"Run"}', "pytest -q\necho done", ()),
        ('{"command":["git","status"]}', "git status", ()),
        ('{"file_path":"src/a.py","offset":3}', "src/a.py", ("src/a.py",)),
        ('{"pattern":"def main","path":"src"}', "def main src", ("src",)),
        ('{"query":"tulips in winter"}', "tulips in winter", ()),
        ('{"b":1,"a":["ü"]}', '{"b":1,"a":["ü"]}', ()),
        ('{"command": "not js', '{"command": "not js', ()),
        ({"command": "already decoded"}, "already decoded", ()),
        ("{}", "", ()),
        ("null", "", ()),
        ("[" * 100_000, "[" * 100_000, ()),
        ('{"n":99999999999999999999999999,"m":1}', '{"n":99999999999999999999999999,"m":1}', ()),
        ('{"n":' + "9" * 5_000 + "}", '{"n":' + "9" * 5_000 + "}", ()),
    ],
)
def test_calls_are_readable(arguments: Any, expected: str, files: tuple[str, ...]) -> None:
    assert call_text(arguments) == (expected, files)


def test_a_goal_is_noted_once_for_each_wording(tmp_path: Path) -> None:
    log = Log()
    for revision, (objective, phase) in enumerate(
        [("Plant beans", "active"), ("Plant beans", "done"), ("Plant peas", "active")]
    ):
        log.event("goal/change", {"goal": {"id": "g", "revision": revision, "objective": objective, "phase": phase}})
    log.event("goal/change", {"operation": "clear"})
    put(tmp_path, frames(header(), log.rows))
    assert [(m.role, m.id, m.text) for m in read(tmp_path).messages] == [
        ("note", "g:0", "Plant beans"),
        ("note", "g:2", "Plant peas"),
    ]


def test_a_title_by_the_person_stays_above_later_ones(tmp_path: Path) -> None:
    log = Log().title("first words").title("By the model", "provider").title("Mine", "user").title("Again", "provider")
    put(tmp_path, frames(header(), log.rows))
    session = read(tmp_path).session
    assert (session.title, session.title_rank) == ("Mine", 3)


@pytest.mark.parametrize("generation", [0, 2, 4])
def test_a_fork_gives_its_own_words_only(tmp_path: Path, generation: int) -> None:
    parent = conversation(generation)
    seeded: dict[str, Any] = {"isSeeded": True} if generation >= 2 else {"seedLength": parent.seq}
    log = Log(generation, first=parent.seq, start=made.START + 90_000_000)
    if generation >= 2:
        log.event("session/end-seed", {"inherited": True})
    log.ask("In the fork").answer("Yes.", usage={"inputTokens": 1, "outputTokens": 2})
    head = header(generation, "session-fork", parentSession=made.SESSION, createdAt=log.start, **seeded)
    put(tmp_path, frames(head, [*parent.rows, *log.rows], 50), made.name(generation))
    reading = read(tmp_path)
    assert spoken(reading) == [("user", "In the fork"), ("assistant", "Yes.")]
    assert [message.seq for message in reading.messages] == [0, 1]
    assert [(usage.input, usage.output) for usage in reading.usage] == [(1, 2)]
    session = reading.session
    assert (session.parent, session.kind, session.start) == (made.SESSION, "main", log.start)
    assert (session.title, session.title_rank) == ("Beds and beans", 1)
    assert session.end == log.rows[-1]["time"]


def test_a_seed_that_ends_behind_the_checkpoint_is_withdrawn(tmp_path: Path) -> None:
    parent = conversation()
    head = header(4, "session-fork", parentSession=made.SESSION, isSeeded=True)
    put(tmp_path, frames(head, parent.rows))
    first = read(tmp_path)
    assert len(first.messages) == 9
    log = Log(first=parent.seq).event("session/end-seed", {"inherited": True}).ask("Mine")
    put(tmp_path, frames(head, parent.rows) + frame(log.rows))
    second = read(tmp_path, first.checkpoint)
    assert (second.resumed, spoken(second)) == (False, [("user", "Mine")])


def test_a_resumed_session_keeps_its_words(tmp_path: Path) -> None:
    log = conversation().event("session/end-seed", {})
    put(tmp_path, frames(header(), log.rows))
    assert spoken(read(tmp_path)) == SPOKEN


def test_a_sub_agent_is_marked_and_linked(tmp_path: Path) -> None:
    head = header(4, "child", parentSession="session-parent", origin="subagent", delegationDepth=1)
    put(tmp_path, frames(head, Log().ask("Task by the parent").inject("report", "coordinator").answer("Done.").rows))
    reading = read(tmp_path)
    assert (reading.session.kind, reading.session.parent) == ("subagent", "session-parent")
    assert spoken(reading) == [("user", "Task by the parent"), ("assistant", "Done.")]
    assert DSH.resume_command(reading.session) == ""


def test_unknown_events_are_counted_and_passed_over(tmp_path: Path) -> None:
    log = Log().ask("q").event("plugin:future/thing", {"x": 1}, ignorable=True).event("brand/new", {"user": "secret"})
    put(tmp_path, frames(header(7), log.rows), "session.v7.jsonl.zstd")
    reading = read(tmp_path)
    assert spoken(reading) == [("user", "q")]
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (6, 4, 2, 0)


def test_odd_rows_cost_only_themselves(tmp_path: Path) -> None:
    good = [line(row) for row in Log().ask("one").answer("two").rows]
    odd = [
        b"[" * 200_000 + b"]" * 200_000,
        b'{"type":"user/message","seq":' + b"9" * 5_000 + b"}",
        b'{"type":"user/message","data":{"content":NaN}}',
        b"null",
        b"[1]",
        b'"text"',
        b'{"type":',
        b'{"type":"user/message","seq":1,"data":{"content":7}}',
        b'{"type":"assistant/message","data":[]}',
    ]
    content = line(header()) + b"".join(good[:3]) + b"\n".join(odd) + b"\n\n   \n" + b"".join(good[3:])
    put(tmp_path, frame(content))
    reading = read(tmp_path)
    assert spoken(reading) == [("user", "one"), ("assistant", "two")]
    assert reading.skipped == len(odd)
    assert {problem.kind for problem in reading.problems} == {"bad_json", "bad_record"}
    assert reading.problems[0].line == 5


def test_bytes_that_are_no_text_are_mended(tmp_path: Path) -> None:
    row = line(Log().ask("naive @ end").rows[-1])
    broken = row.replace(b"@", b"\xff\xfe"), row.replace(b"@", b"\\ud83d").replace(b"ask-2", b"ask-9")
    put(tmp_path, frame(line(header()) + b"".join(broken)))
    assert [text for _, text in spoken(read(tmp_path))] == ["naive \ufffd\ufffd end", "naive \ufffd end"]


def test_a_lost_header_does_not_lose_the_session(tmp_path: Path) -> None:
    broken = bytearray(frame([header()]))
    broken[-1] ^= 1
    put(tmp_path, bytes(broken) + frame(conversation().rows), session="a~002Fb")
    reading = read(tmp_path)
    assert (reading.session.id, reading.session.cwd) == ("a/b", "")
    assert spoken(reading) == SPOKEN
    assert [problem.kind for problem in reading.problems] == ["bad_frame", "torn_header"]


@pytest.mark.parametrize("data", [b"", frame([header()])[:40], b"\n \n\n", line(header())[:-1], b"\x28\xb5"])
def test_what_holds_nothing_whole_is_not_ready(tmp_path: Path, data: bytes) -> None:
    put(tmp_path, data)
    with pytest.raises(NotReady):
        read(tmp_path)


def test_a_header_alone_is_an_empty_session(tmp_path: Path) -> None:
    put(tmp_path, frame([header()]))
    reading = read(tmp_path)
    assert (reading.messages, reading.session.start, reading.session.end) == ([], made.START, made.START)


@pytest.mark.parametrize("plain", [False, True])
def test_what_was_appended_costs_its_own_length_and_makes_the_same_whole(tmp_path: Path, plain: bool) -> None:
    rows = conversation().rows
    pieces = [[header()], rows[:4], rows[4:9], rows[9:10], rows[10:]]
    data, got, checkpoint = b"", [], None
    for piece in pieces:
        added = lines(piece) if plain else frame(piece)
        data += added
        put(tmp_path, data)
        reading = read(tmp_path, checkpoint)
        assert reading.resumed == (checkpoint is not None)
        assert reading.bytes_read == len(added)
        got += reading.messages
        checkpoint = reading.checkpoint
    whole = read(tmp_path)
    assert got == whole.messages
    assert checkpoint == whole.checkpoint
    assert reading.session.id == made.SESSION
    assert (reading.session.cwd, reading.session.start, reading.session.end) == (
        made.CWD,
        whole.session.start,
        whole.session.end,
    )


def test_a_torn_tail_is_read_when_it_is_whole(tmp_path: Path) -> None:
    rows = conversation().rows
    start, last = frames(header(), rows[:8], 50), frame(rows[8:])
    put(tmp_path, start + last[:-9])
    first = read(tmp_path)
    assert (first.growing, first.skipped, len(first.messages)) == (True, 0, 5)
    put(tmp_path, start + last)
    second = read(tmp_path, first.checkpoint)
    assert (second.resumed, second.growing) == (True, False)
    assert spoken(first) + spoken(second) == SPOKEN


def test_a_repaired_and_shorter_or_rewritten_log_is_read_anew(tmp_path: Path) -> None:
    rows = conversation().rows
    put(tmp_path, frames(header(), rows))
    first = read(tmp_path)
    put(tmp_path, frames(header(), rows[:8]))
    shorter = read(tmp_path, first.checkpoint)
    assert (shorter.resumed, len(shorter.messages)) == (False, 5)
    other = Log().ask("Something else entirely").answer("Indeed, and at some length, to be larger than before").rows
    put(tmp_path, frames(header(), other * 20, 1))
    rewritten = read(tmp_path, first.checkpoint)
    assert (rewritten.resumed, spoken(rewritten)[0]) == (False, ("user", "Something else entirely"))
    assert first.checkpoint is not None
    foreign = Checkpoint(first.checkpoint.offset, first.checkpoint.guard, 1, 1, b"\xc1 made by another version")
    put(tmp_path, frames(header(), rows))
    assert spoken(read(tmp_path, foreign)) == SPOKEN


def test_the_generation_that_went_on_counts_and_not_the_highest_number(tmp_path: Path) -> None:
    rows = conversation(0).rows
    put(tmp_path, frames(header(3), conversation(3).rows[:8]), "session.v3.jsonl.zstd")
    put(tmp_path, frames(header(0), rows), "session.jsonl.zstd")
    put(tmp_path, b"", "session.v4.jsonl.zstd")
    (unit,) = units(tmp_path)
    assert unit.path.name == "session.v4.jsonl.zstd"
    assert [path.name for path in unit.others] == ["session.v3.jsonl.zstd", "session.jsonl.zstd"]
    first = read(tmp_path)
    assert spoken(first) == SPOKEN
    more = Log(0, first=200).ask("Later")
    put(tmp_path, frames(header(0), rows) + frame(more.rows), "session.jsonl.zstd")
    second = read(tmp_path, first.checkpoint)
    assert (second.resumed, spoken(second)) == (True, [("user", "Later")])
    put(tmp_path, frames(header(4), conversation(4).rows + Log(4, first=300).ask("Migrated").rows), "session.v4.jsonl.zstd")
    third = read(tmp_path, second.checkpoint)
    assert (third.resumed, spoken(third)[-1]) == (False, ("user", "Migrated"))


def test_a_generation_that_cannot_be_read_is_told_and_the_others_are_not_lost(tmp_path: Path) -> None:
    put(tmp_path, frames(header(0), conversation(0).rows), "session.jsonl.zstd")
    gone = put(tmp_path, frames(header(3), []), "session.v3.jsonl.zstd")
    (unit,) = units(tmp_path)
    gone.unlink()
    reading = DSH.read(unit, None, ALL, never)
    assert spoken(reading) == SPOKEN
    assert [(problem.path, problem.kind) for problem in reading.problems] == [(str(gone), "unreadable")]


def test_equal_generations_are_read_once_from_the_highest(tmp_path: Path) -> None:
    for generation in (3, 4):
        put(tmp_path, frames(header(generation), conversation(3).rows), made.name(generation))
    first = read(tmp_path)
    assert spoken(first) == SPOKEN
    assert b"session.v4.jsonl.zstd" in (first.checkpoint.state if first.checkpoint else b"")
    for generation in (3, 4):
        put(tmp_path, b"", made.name(generation))
    with pytest.raises(NotReady):
        read(tmp_path)


def test_the_resume_command_is_quoted() -> None:
    session = Session(id="session-1", cwd="/home/a b/$(x)")
    assert DSH.resume_command(session) == "cd '/home/a b/$(x)' && dsh --profile tui --resume session-1"
    assert DSH.resume_command(Session(id="a;b")) == "dsh --profile tui --resume 'a;b'"


def test_reading_changes_nothing_under_the_folder_and_hears_a_stop(tmp_path: Path) -> None:
    put(tmp_path, frames(header(), conversation().rows))
    put(tmp_path, frames(header(3), conversation(3).rows), "session.v3.jsonl.zstd")

    def tree() -> list[tuple[str, int, int, bytes]]:
        files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
        return [(str(p), p.stat().st_size, p.stat().st_mtime_ns, p.read_bytes()) for p in files]

    before = tree()
    folders = sorted((str(p), p.stat().st_mtime_ns) for p in tmp_path.rglob("*") if p.is_dir())
    read(tmp_path)
    assert tree() == before
    assert sorted((str(p), p.stat().st_mtime_ns) for p in tmp_path.rglob("*") if p.is_dir()) == folders
    with pytest.raises(Stopped):
        DSH.read(units(tmp_path)[0], None, ALL, lambda: True)


def test_a_file_that_went_away_is_the_systems_error(tmp_path: Path) -> None:
    path = put(tmp_path, frames(header(), []))
    (unit,) = units(tmp_path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        DSH.read(unit, None, ALL, never)
