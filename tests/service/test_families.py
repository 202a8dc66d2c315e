"""Sub-agents under the sessions they worked for."""

from __future__ import annotations

from tray_app.records import SessionItem
from tray_app.service.families import families


def item(session: str, parent: str = "", kind: str = "", agent: str = "dsh") -> SessionItem:
    return SessionItem(
        session=session, agent=agent, title=session, cwd="", project="", start=None, end=None, end_date_text="", messages=1,
        resume_command="", kind=kind or ("subagent" if parent else "main"), parent=parent,
    )  # fmt: skip


def folded(*items: SessionItem) -> list[tuple[str, list[str]]]:
    return [(family.head.session, [member.session for member in family.members]) for family in families(items)]


def test_members_stand_with_their_head_wherever_they_were() -> None:
    given = (item("c1", "a"), item("b"), item("a"), item("c2", "a"), item("d", "c2"))
    assert folded(*given) == [("b", []), ("a", ["c1", "c2", "d"])]


def test_without_a_parent_there_a_subagent_stands_for_itself() -> None:
    assert folded(item("c", "gone"), item("x", "c"), item("y", kind="subagent")) == [("c", ["x"]), ("y", [])]


def test_forks_and_other_agents_are_no_family() -> None:
    assert folded(item("a"), item("fork", "a", "main"), item("c", "a", agent="codex")) == [("a", []), ("fork", []), ("c", [])]


def test_circles_are_left_as_they_are() -> None:
    assert folded(item("a", "b"), item("b", "a"), item("s", "s")) == [("a", []), ("b", []), ("s", [])]
