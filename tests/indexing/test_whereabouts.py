"""What libraries know of each other's files: who has one, who merely says so, and when neither is to be believed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tray_app.indexing.whereabouts import ELSEWHERE, Whereabouts
from tray_app.library.rows import FileRow
from tray_app.library.store import ASKED_ANEW
from tray_app.sources.base import Unit
from tray_app.territory import REST, Layout, Space, Territory

A, B = "a" * 8, "b" * 8
LAYOUT = Layout(spaces=(Space(id=A, name="a", folders=("/w/a",)), Space(id=B, name="b", folders=("/w/b",))))
UNIT = Unit(agent="codex", root=Path("/s"), path=Path("/s/one.jsonl"), session="one", size=10, mtime_ns=5, inode=7)
GROWN = msgspec.structs.replace(UNIT, size=30, mtime_ns=9)
SHRUNK = msgspec.structs.replace(UNIT, size=3, mtime_ns=9)
ANOTHER = msgspec.structs.replace(UNIT, size=30, inode=8)


def row(**facts: object) -> FileRow:
    given: dict[str, object] = {
        "id": 1, "path": "/s/one.jsonl", "agent": "codex", "root": "/s", "unit": "one", "size": 10, "mtime_ns": 5, "inode": 7,
    }  # fmt: skip
    return FileRow(**(given | facts))  # type: ignore[arg-type]


def said(owner: str, **facts: object) -> FileRow:
    return row(status=ELSEWHERE, reason=owner, pipeline_version=1, **facts)


@pytest.fixture
def where() -> Whereabouts:
    return Whereabouts()


def test_nothing_is_known_at_first(where: Whereabouts) -> None:
    assert where.owner(Territory(LAYOUT, A), UNIT) is None
    assert (where.doubted(A), where.strays(Territory(LAYOUT, A)), where.folder("codex", "", "x")) == (set(), [], "")


@pytest.mark.parametrize(("folder", "owner"), [("/w/a/x", A), ("/w/b", B), ("/w/c", REST), ("", REST)])
def test_who_has_a_file_as_it_is_now_knows(where: Whereabouts, folder: str, owner: str) -> None:
    where.note(REST, [row(session_id=3)], {3: ("one", folder, "")})
    assert where.owner(Territory(LAYOUT, A), UNIT) == owner
    assert [where.owner(Territory(LAYOUT, A), unit) for unit in (GROWN, SHRUNK, ANOTHER)] == [None, None, None]
    assert where.owner(Territory(LAYOUT), UNIT) is None  # not from oneself


def test_what_the_rest_says_holds_while_a_file_only_grows(where: Whereabouts) -> None:
    where.note(REST, [said(B)], {})
    territory = Territory(LAYOUT, A)
    assert [where.owner(territory, unit) for unit in (UNIT, GROWN, SHRUNK, ANOTHER)] == [B, B, None, None]
    where.note(REST, [said(B, path="/s/other.jsonl")], {})
    assert where.owner(territory, UNIT) is None
    where.note(B, [said(A)], {})
    assert where.owner(Territory(LAYOUT), UNIT) is None  # the rest asks nobody but who has it


def test_what_is_to_be_looked_at_anew_is_not_known(where: Whereabouts) -> None:
    stale = msgspec.structs.replace(said(B), pipeline_version=ASKED_ANEW)
    where.note(REST, [stale], {})
    where.note(B, [said(REST)], {})
    assert where.owner(Territory(LAYOUT, A), UNIT) is None
    assert (where.doubted(REST), where.doubted(B)) == (set(), set())


def test_libraries_that_point_at_each_other_are_doubted(where: Whereabouts) -> None:
    where.note(REST, [said(A)], {})
    assert where.doubted(REST) == set()  # a has not looked yet
    where.note(A, [said(REST)], {})
    where.note(B, [said(REST)], {})
    assert (where.doubted(REST), where.doubted(A), where.doubted(B)) == (
        {("codex", "one")},
        {("codex", "one")},
        {("codex", "one")},
    )
    where.note(A, [row(session_id=1)], {1: ("one", "/w/a", "")})
    assert (where.doubted(REST), where.doubted(A)) == (set(), set())


def test_a_session_without_a_folder_goes_where_its_parent_is(where: Whereabouts) -> None:
    child = row(id=2, unit="two", path="/s/two.jsonl", session_id=2)
    grandchild = row(id=3, unit="three", path="/s/three.jsonl", session_id=3)
    places = {2: ("two", "", "one"), 3: ("three", "", "two")}
    where.note(REST, [child, grandchild], places)
    assert where.strays(Territory(LAYOUT)) == []  # nothing is known of the parent
    where.note(A, [row(session_id=1)], {1: ("one", "/w/a", "")})
    assert where.folder("codex", "", "two") == "/w/a"
    assert where.folder("codex", "/w/own", "two") == "/w/own"
    assert where.folder("dsh", "", "two") == ""
    assert where.strays(Territory(LAYOUT)) == [(child, A), (grandchild, A)]
    where.note(REST, [child], {2: ("two", "", "three"), 3: ("three", "", "two")})
    assert where.strays(Territory(LAYOUT)) == []  # parents in a circle end the search
