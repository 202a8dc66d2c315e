"""When a session is finished, and what a run has before it."""

from __future__ import annotations

import pytest

from tray_app.library.memory.rows import ArchiveRow
from tray_app.library.rows import SessionRow
from tray_app.library.session_reading import SessionState
from tray_app.memory.finished import Due, Family, due, families

NOW = 1_790_000_000_000
MINUTE = 60_000


def state(
    number: int, *, said: int = NOW - 60 * MINUTE, written: int = 0, parent: str = "", agent: str = "codex", own: int = 2
) -> SessionState:
    kind = "subagent" if parent else "main"
    row = SessionRow(id=number, agent=agent, native=f"s{number}", kind=kind, parent=parent, end=said)
    return SessionState(row, written, said, 2, own, f"m{number}")


def ask(
    *found: SessionState, archived: tuple[ArchiveRow, ...] = (), baseline: int = 0, backfill: bool = False, force: bool = False
) -> Due:
    return due(
        families(found), archived, now=NOW, idle_minutes=5, baseline=baseline, backfill=backfill, force=force
    )  # fmt: skip


def names(found: Due) -> list[str]:
    return [family.main.row.native for family in found.ready]


@pytest.mark.parametrize(
    ("said", "written", "finished"),
    [
        (NOW - 5 * MINUTE, NOW - 5 * MINUTE, True),
        (NOW - 5 * MINUTE + 1, 0, False),
        (NOW - 60 * MINUTE, NOW - MINUTE, False),
        (NOW + MINUTE, 0, False),
        (NOW + 90 * MINUTE, NOW + 90 * MINUTE, True),
        (0, 0, True),
    ],
)
def test_idle_for_five_minutes(said: int, written: int, finished: bool) -> None:
    """A moment that lies ahead comes from a wrong clock; it keeps nothing from being finished for ever."""
    found = ask(state(1, said=said, written=written))
    assert (names(found), found.unfinished) == (["s1"], 0) if finished else ([], 1)


def test_subagents_of_subagents_and_circles() -> None:
    found = families(
        [
            state(1),
            state(2, parent="s1"),
            state(3, parent="s2"),
            state(4, parent="gone"),
            state(5, parent="s6"),
            state(6, parent="s5"),
        ]
    )
    assert [(one.main.row.native, [helper.row.native for helper in one.helpers]) for one in found] == [("s1", ["s2", "s3"])]
    assert found[0].fingerprint == "6:m1"


def test_the_same_id_of_another_agent_is_another_session() -> None:
    found = families([state(1, agent="codex"), state(1, agent="kimi"), state(2, agent="kimi", parent="s1")])
    assert [(one.key, len(one.helpers)) for one in found] == [(("codex", "s1"), 0), (("kimi", "s1"), 1)]


def test_files_of_notes_and_mere_copies_are_no_sessions() -> None:
    assert families([state(1, agent="memory")]) == []
    assert ask(state(2, own=0)) == Due((), 0, 0)


def test_what_is_due() -> None:
    old = ArchiveRow(id=1, agent="codex", session="s1", project="p", fingerprint="2:m1")
    grown = ArchiveRow(id=2, agent="codex", session="s2", project="p", fingerprint="1:m0")
    sessions = [state(1), state(2), state(3, said=NOW - 90 * MINUTE), state(4, said=NOW - 900 * MINUTE)]
    found = ask(*sessions, archived=(old, grown), baseline=NOW - 100 * MINUTE)
    assert (names(found), found.before_baseline) == (["s2", "s3"], 1)
    assert names(ask(*sessions, archived=(old, grown), baseline=NOW, backfill=True)) == ["s2", "s3", "s4"]
    assert names(ask(*sessions, archived=(old, grown), baseline=NOW, force=True)) == ["s1", "s2"]
    assert names(ask(*sessions, archived=(old, grown), backfill=True, force=True)) == ["s1", "s2", "s3", "s4"]


def test_where_no_message_has_a_time_the_file_has_one() -> None:
    assert Family(state(1, said=0, written=NOW - 7)).end == NOW - 7
