"""Cache figures from a real index and a real memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tray_app import clock
from tray_app.insight.cache import NOT_ENOUGH, cache_stats
from tray_app.library.connection import open_index
from tray_app.library.memory.rows import ArchiveRow
from tray_app.library.memory.store import MemoryStore
from tray_app.library.reading import Reader
from tray_app.library.rows import MessageRow, SessionRow, UsageRow
from tray_app.library.store import Store
from tray_app.library.usage_reading import Compacted, compactions_of_sessions, usage_of_sessions
from tray_app.records import CacheGroup, CacheStats, SessionFigures

START = 1_790_000_000_000
MINUTE = 60_000
Call = tuple[float, int, int, int, int]
"""Minute, input, output, cache read, cache write."""


class Library:
    """An index that holds what a test says, and the memory beside it."""

    def __init__(self, folder: Path) -> None:
        self.opened = open_index(folder / "index.duckdb")
        self.reader = Reader(self.opened)
        self.memory = MemoryStore(folder / "memory.duckdb")

    def session(
        self,
        native: str,
        *calls: Call,
        agent: str = "claude_code",
        project: str = "shop",
        said: tuple[tuple[float, str, str, str, str], ...] = (),
        parent: str = "",
        end: float = 0.0,
    ) -> int:
        """A session with its calls, and beside a first request what was `said`: minute, role, tool, text, path."""
        store = Store(self.opened)
        try:
            with store.transaction():
                number = store.new_id("sessions")
                row = SessionRow(
                    id=number, agent=agent, native=native, title=f"Title of {native}", cwd=f"/home/kim/{project}" if project else "",
                    start=START, end=START + int(end * MINUTE), kind="subagent" if parent else "main", parent=parent, messages=1 + len(said),
                )  # fmt: skip
                store.write_sessions([row])
                messages = []
                for seq, (minute, role, tool, text, path) in enumerate(((0, "user", "", f"Do {native}", ""), *said)):
                    identity = store.new_id("messages")
                    messages.append(
                        MessageRow(
                            id=identity, session_id=number, seq=seq, native=f"{native}-{seq}", role=role, text=text, identity=identity,
                            time=START + int(minute * MINUTE), tool=tool, files=path,
                        )
                    )  # fmt: skip
                store.add_messages(messages)
                store.add_usage(
                    [
                        UsageRow(
                            session_id=number, key=f"call-{place}", time=START + int(minute * MINUTE), model="m", input=fresh, output=output,
                            cache_read=read, cache_write=written,
                        )
                        for place, (minute, fresh, output, read, written) in enumerate(calls)
                    ]
                )  # fmt: skip
        finally:
            store.close()
        return number

    def archived(self, native: str, **fields: int | bool | str) -> None:
        with self.memory.change() as change:
            made = {"agent": "claude_code", "project": "shop", "title": f"Title of {native}", "end": START} | fields
            change.put(ArchiveRow(id=change.new_id(ArchiveRow), session=native, **made))  # type: ignore[arg-type]

    def stats(self, project: str | None = None, limit: int = 20) -> CacheStats:
        return cache_stats(self.reader, self.memory, lambda cwd: cwd.rpartition("/")[2] or "workspace", project, limit)

    def close(self) -> None:
        self.reader.close()
        self.opened.close()
        self.memory.close()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    made.close()


def test_nothing_logged(library: Library) -> None:
    assert library.stats() == CacheStats(note=NOT_ENOUGH)
    library.session("a")
    assert library.stats() == CacheStats(note=NOT_ENOUGH)


def test_hit_rates_by_session_project_and_agent(library: Library) -> None:
    library.session("a", (1, 100, 10, 0, 900), (2, 100, 20, 900, 0), end=2)
    library.session("b", (1, 300, 5, 700, -1), agent="codex", project="blog", end=1)
    library.session("c", (1, 500, 7, -1, -1), agent="aider", end=3)
    found = library.stats()
    assert found.by_agent == (
        CacheGroup(name="claude_code", sessions=1, tokens_in=200, cache_read=900, cache_write=900, hit_rate=0.45),
        CacheGroup(name="codex", sessions=1, tokens_in=300, cache_read=700, cache_write=0, hit_rate=0.7),
        CacheGroup(name="aider", sessions=1, tokens_in=500, cache_read=0, cache_write=0, hit_rate=None),
    )
    assert found.by_project == (
        CacheGroup(name="shop", sessions=2, tokens_in=700, cache_read=900, cache_write=900, hit_rate=0.45),
        CacheGroup(name="blog", sessions=1, tokens_in=300, cache_read=700, cache_write=0, hit_rate=0.7),
    )
    assert [(one.session, one.hit_rate) for one in found.sessions] == [("c", None), ("a", 0.45), ("b", 0.7)]
    assert found.sessions[1] == SessionFigures(
        agent="claude_code", session="a", project="shop", title="Title of a", end=clock.iso(START + 2 * MINUTE), rounds=1, compactions=0,
        tokens_in=200, tokens_out=30, cache_read=900, cache_write=900, first_write_step=None, repeated_reads=0, read_pack=False,
        hit_rate=0.45,
    )  # fmt: skip
    assert library.stats("Blog").by_agent == found.by_agent[1:2]
    assert [one.session for one in library.stats(limit=1).sessions] == ["c"]
    assert library.stats("nowhere") == CacheStats(note=NOT_ENOUGH)


def test_calls_that_did_not_say_are_in_no_rate(library: Library) -> None:
    number = library.session("a", (1, 100, 10, 100, 0), (2, 1_000, -1, -1, -1), (3, -1, 5, 300, 0))
    assert library.stats().by_agent == (
        CacheGroup(name="claude_code", sessions=1, tokens_in=1_100, cache_read=100, cache_write=0, hit_rate=0.5),
    )
    usage = usage_of_sessions(library.reader.cursor)[number]
    assert (usage.calls, usage.counted, usage.input, usage.output, usage.all_input) == (3, 1, 100, 15, 1_100)


def test_a_cache_that_was_asked_and_held_nothing_is_a_rate_of_zero(library: Library) -> None:
    library.session("a", (1, 100, 10, 0, 0))
    assert library.stats().by_agent[0].hit_rate == 0.0


def test_sub_agents_count_to_the_session_that_started_them(library: Library) -> None:
    library.session("a", (1, 100, 10, 100, 0))
    library.session("helper", (1, 100, 1, 700, 0), parent="a")
    library.session("lost", (1, 5, 5, 5, 5), parent="nobody")
    found = library.stats()
    assert [(one.session, one.tokens_in, one.hit_rate) for one in found.sessions] == [("a", 200, 0.8)]
    assert found.by_agent[0].sessions == 1


def test_what_compactions_threw_away(library: Library) -> None:
    summary = ("summary", "", "What was done so far.", "")
    number = library.session(
        "a", (1, 10, 1, 40_000, 2_000), (2, 8, 1, 42_000, 3_000), (4, 2_000, 1, 12_000, 500), (6, 5, 1, 14_500, 100), (8, 900, 1, 12_000, 0),
        said=((3, *summary), (3.5, *summary), (7, *summary), (9, *summary)),
    )  # fmt: skip
    assert compactions_of_sessions(library.reader.cursor) == {
        number: Compacted(number, 4, 2, (8 + 42_000 + 3_000 - 12_000) + (5 + 14_500 + 100 - 12_000))
    }
    found = library.stats()
    assert (found.compactions, found.measured_compactions, found.thrown_away) == (4, 2, 35_613)
    assert (found.sessions[0].compactions, found.sessions[0].thrown_away) == (4, 35_613)


def test_a_compaction_whose_calls_did_not_say_costs_nothing_known(library: Library) -> None:
    said = ((3.0, "summary", "", "So far.", ""),)
    library.session("a", (1, 10, 1, -1, -1), (4, 10, 1, -1, -1), said=said)
    library.session("b", (4, 10, 1, 0, 0), said=said)
    library.session("c", (1, 100, 1, 0, 0), (4, 10, 1, 500, 0), said=said)
    found = library.stats()
    assert (found.compactions, found.measured_compactions, found.thrown_away) == (3, 1, 0)
    assert {one.session: one.thrown_away for one in found.sessions} == {"a": None, "b": None, "c": 0}


def test_steps_of_a_session_that_was_not_archived(library: Library) -> None:
    said = (
        (1.0, "tool_call", "Bash", "backscroll pack shop", ""), (1.0, "tool_result", "Bash", "…", ""),
        (2.0, "tool_call", "Read", "/s/a.py", "/s/a.py"), (2.0, "tool_result", "Read", "x", ""),
        (3.0, "tool_call", "Read", "/s/a.py", "/s/a.py"), (3.0, "tool_result", "Read", "x", ""),
        (4.0, "tool_call", "Edit", "/s/a.py", "/s/a.py"), (4.0, "tool_result", "Edit", "ok", ""),
    )  # fmt: skip
    library.session("a", (1, 10, 1, 10, 0), said=said)
    one = library.stats().sessions[0]
    assert (one.rounds, one.first_write_step, one.repeated_reads, one.read_pack) == (1, 3, 1, True)
    assert library.stats().with_pack == 0  # the comparison is of archived sessions


def test_sessions_that_left_the_index_count_with_what_was_kept(library: Library) -> None:
    library.session("a", (1, 100, 10, 100, 0))
    library.archived(
        "a", tokens_in=1, cache_read=999, rounds=7, first_write_step=2, repeated_reads=3, read_pack=True, project="renamed"
    )
    library.archived("gone", tokens_in=100, cache_read=300, tokens_out=8, compactions=2, end=START - MINUTE, rounds=4)
    library.archived("mute", tokens_in=50, end=START - 2 * MINUTE)
    found = library.stats()
    assert [(one.session, one.project, one.tokens_in, one.hit_rate, one.rounds, one.first_write_step) for one in found.sessions] == [
        ("a", "renamed", 100, 0.5, 7, 2), ("gone", "shop", 100, 0.75, 4, None), ("mute", "shop", 50, None, 0, None),
    ]  # fmt: skip
    assert (found.compactions, found.measured_compactions) == (2, 0)
    assert found.by_agent == (
        CacheGroup(name="claude_code", sessions=3, tokens_in=250, cache_read=400, cache_write=0, hit_rate=400 / 600),
    )
    assert (found.with_pack, found.without_pack, found.note) == (1, 2, NOT_ENOUGH)


@pytest.mark.parametrize(("with_pack", "without"), [(4, 9), (9, 4), (0, 20)])
def test_few_sessions_are_not_compared(library: Library, with_pack: int, without: int) -> None:
    for number in range(with_pack + without):
        library.archived(f"s{number}", first_write_step=1, read_pack=number < with_pack)
    found = library.stats()
    assert (found.with_pack, found.without_pack, found.note) == (with_pack, without, "not enough sessions yet")
    assert [found.first_write_with, found.first_write_without, found.repeated_with, found.repeated_without] == [None] * 4


def test_with_and_without_the_pack(library: Library) -> None:
    for number, steps in enumerate((2, 3, 4, 5, 300)):
        library.archived(f"with{number}", first_write_step=steps, repeated_reads=number, read_pack=True)
    for number, steps in enumerate((10, 12, 14, 16, 18, 20, -1)):
        library.archived(f"without{number}", first_write_step=steps, repeated_reads=2 * number)
    library.archived("other", first_write_step=1, read_pack=True, project="blog")
    found = library.stats("shop")
    assert (found.with_pack, found.without_pack, found.note) == (5, 7, "")
    assert (found.first_write_with, found.first_write_without) == (4.0, 15.0)
    assert (found.repeated_with, found.repeated_without) == (2.0, 6.0)


def test_reads_are_compared_where_too_few_wrote(library: Library) -> None:
    for number in range(10):
        library.archived(f"s{number}", first_write_step=1 if number else -1, repeated_reads=number, read_pack=number < 5)
    found = library.stats()
    assert (found.first_write_with, found.first_write_without, found.note) == (None, None, NOT_ENOUGH)
    assert (found.repeated_with, found.repeated_without) == (2.0, 7.0)
