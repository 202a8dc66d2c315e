"""Which rows an answer, the sessions, and a menu of candidates make."""

from __future__ import annotations

import msgspec
import pytest
import samples

from tray_app.records import SessionItem
from tray_app.ui import days_view, rows

pytestmark = pytest.mark.usefixtures("app")


def test_an_answer_is_grouped_and_what_lies_outside_comes_last() -> None:
    made = rows.of_answer(samples.answer())
    kinds = [row.kind for row in made]
    assert kinds == ["head", "passage", "passage", "head", "passage", "head", "passage", "outside", "head", "passage"]
    assert [row.title for row in made if row.kind == "outside"] == ["Outside last week"]
    assert [row.lines for row in made if row.kind == "passage"] == [3, 2, 3, 3, 3]
    head = made[0]
    assert (head.title, head.detail, head.age) == (
        "Upload worker drops the last part",
        "Claude Code · tide-api · Wed 25 Nov",
        "5 days ago",
    )
    assert [row.first for row in made if row.kind == "head"] == [True, False, False, True]


def test_a_row_is_spoken_as_one_sentence() -> None:
    made = rows.of_answer(samples.answer())
    assert made[2].spoken == (
        "You: So no retry at all? What about a 503 in the middle of the upload?, Upload worker drops the last part, "
        "5 days ago, words, date"
    )


def test_sessions_are_headed_by_their_days() -> None:
    made = rows.of_sessions(samples.sessions())
    assert [row.title for row in made if row.kind == "day"] == [
        "Today",
        "Yesterday",
        "Friday 27 November",
        "Thursday 26 November",
    ]
    assert made[2].title == "Upload worker drops the last part"
    assert made[2].detail == "Claude Code · tide-api · 38 messages"
    assert made[2].age == "12 min ago"
    assert rows.of_sessions([]) == []


def test_candidates_are_numbered_and_marked() -> None:
    answer = samples.doubt()
    assert answer.fallback_menu is not None
    made = rows.of_menu(answer, answer.fallback_menu, further=True)
    assert [row.number for row in made if row.kind == "candidate"] == [1, 2, 3, 4]
    first = made[1]
    assert [first.text[start:end] for start, end in first.marks] == ["font"]
    assert (made[0].title, made[-1].kind, made[-1].number) == ("Not sure. Is it one of these?", "further", 4)
    assert rows.of_menu(answer, answer.fallback_menu, further=False)[-1].kind == "choose"


def test_titles_cannot_break_a_row() -> None:
    assert rows.session_title("  one\ntwo\u202e\x07 ") == "one two"
    assert rows.session_title(" \n") == "Session without a title"


def test_the_timeline_shows_a_day_once() -> None:
    made = days_view.timeline(samples.sessions(), "By day")
    assert [row.day for row in made if row.day] == ["Today", "Yesterday", "Friday", "Thursday"]
    assert [row.date for row in made if row.day] == ["Mon 30 Nov", "Sun 29 Nov", "27 Nov", "26 Nov"]
    assert [row.kind for row in made] == ["title", *["session"] * 8]


def test_topics_are_words_only() -> None:
    menu = samples.doubt().fallback_menu
    assert menu is not None
    made = days_view.topics(menu.days, "Then")
    assert [row.kind for row in made] == ["title", "day", "topic", "topic", "day", "topic", "topic"]
    assert all(not row.session for row in made)


def helpers() -> list[SessionItem]:
    """The first of the made-up sessions with two sub-agents, one of which had one of its own, and one of a parent that is
    not there."""
    head, *others = samples.sessions()
    made = [
        msgspec.structs.replace(head, session=name, title=title, kind="subagent", parent=parent, parent_title=above)
        for name, title, parent, above in (
            ("a-1", "Count the parts", head.session, head.title),
            ("a-2", "Read the log", head.session, head.title),
            ("a-3", "Read it again", "a-2", "Read the log"),
            ("a-4", "Lost", "gone", ""),
        )
    ]
    return [made[0], head, *made[1:], *others]


def test_subagents_are_folded_under_their_sessions() -> None:
    made = [row for row in rows.of_sessions(helpers()) if row.kind == "recent"]
    assert [row.title for row in made[:3]] == ["Upload worker drops the last part", "Lost", "给字幕工坊加上断点续传"]
    assert made[0].detail == "Claude Code · tide-api · 38 messages · 3 sub-agents"
    assert made[1].detail == "Claude Code · tide-api · sub-agent · 38 messages"
    days = days_view.timeline(helpers(), "By day")
    assert [row.title for row in days[1:4]] == ["Upload worker drops the last part", "Lost", "给字幕工坊加上断点续传"]
    assert [row.detail for row in days[1:3]] == ["tide-api · 38 messages · 3 sub-agents", "tide-api · sub-agent · 38 messages"]


def test_a_subagent_that_is_found_is_marked() -> None:
    answer = samples.answer()
    first = msgspec.structs.replace(answer.sessions[0], kind="subagent", parent="p", parent_title="Upload worker\ndrops a part")
    head = rows.of_answer(msgspec.structs.replace(answer, sessions=(first,)))[0]
    assert head.detail == "Claude Code · tide-api · sub-agent of “Upload worker drops a part” · Wed 25 Nov"
