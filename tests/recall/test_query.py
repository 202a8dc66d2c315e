"""Questions as people type them: what is an operator, a phrase, an exclusion, and what stays a word."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.errors import UsageError
from tray_app.recall.query import MOST, ParsedQuery, moment, parse
from tray_app.records import SearchRequest

ZONE = timezone(timedelta(hours=8))


def parsed(query: str, **more: str) -> ParsedQuery:
    return parse(SearchRequest(query=query, **more), UTC)


def ms(year: int, month: int, day: int, hour: int = 0, zone: tzinfo = UTC) -> int:
    return int(datetime(year, month, day, hour, tzinfo=zone).timestamp() * 1000)


@pytest.mark.parametrize(
    ("query", "text", "filters"),
    [
        ("agent:codex pool", "pool", {"agent": "codex"}),
        ("pool Agent:Codex", "pool", {"agent": "Codex"}),
        ("project：书店 pool", "pool", {"project": "书店"}),
        ('project:"my shop" pool', "pool", {"project": "my shop"}),
        ("project:“my shop” pool", "pool", {"project": "my shop"}),
        ("role:user kind:tool session:abc", "", {"role": "user", "kind": "tool", "session": "abc"}),
        ("agent:codex agent:dsh", "", {"agent": "dsh"}),
        ("agent: codex", "agent: codex", {}),
        ('agent:"" pool', "pool", {}),
        ("xagent:codex", "xagent:codex", {}),
        ("https://example.org/project:x", "https://example.org/project:x", {}),
        ("a:b 12:30", "a:b 12:30", {}),
    ],
)
def test_operators(query: str, text: str, filters: dict[str, str]) -> None:
    found = parsed(query)
    assert (found.text, found.filters) == (text, filters)


@pytest.mark.parametrize(
    ("query", "text", "phrases", "excluded"),
    [
        ('"twelve connections" pool', "pool", ("twelve connections",), ()),
        ("那次说“幂等键”的事", "那次说 的事", ("幂等键",), ()),
        ("「幂等」『键』", "", ("幂等", "键"), ()),
        ('说"幂等键"的', "说 的", ("幂等键",), ()),
        ('don"t stop', 'don"t stop', (), ()),
        ('"unfinished', '"unfinished', (), ()),
        ('""', '""', (), ()),
        ("pool -oracle", "pool", (), ("oracle",)),
        ('pool -"big oracle"', "pool", (), ("big oracle",)),
        ("pool --force", "pool --force", (), ()),
        ("a - b", "a - b", (), ()),
        ("ask-codex", "ask-codex", (), ()),
        ("-rf", "-rf", (), ()),
        ("agent:codex -rf", "", (), ("rf",)),
        ('"a" -b', "", ("a",), ("b",)),
        ('"agent:codex -x"', "", ("agent:codex -x",), ()),
    ],
)
def test_phrases_and_exclusions(query: str, text: str, phrases: tuple[str, ...], excluded: tuple[str, ...]) -> None:
    found = parsed(query)
    assert (found.text, found.phrases, found.excluded) == (text, phrases, excluded)


def test_bounds_are_days_of_the_persons_zone() -> None:
    found = parse(SearchRequest(query="after:2026-09-01 before:2026-10 pool"), ZONE)
    assert (found.since, found.until) == (ms(2026, 9, 1, zone=ZONE), ms(2026, 10, 1, zone=ZONE))
    assert found.bounds == ("after:2026-09-01", "before:2026-10")
    found = parse(SearchRequest(query="pool", since="2026-09-01T10:00:00Z", until="2026-09-02T10:00"), ZONE)
    assert (found.since, found.until) == (ms(2026, 9, 1, 10), ms(2026, 9, 2, 10, zone=ZONE))
    assert found.bounds == ()


def test_a_bound_that_is_no_moment() -> None:
    assert parsed("before:lunch pool").text == "before:lunch pool"
    assert parsed("after:2026-02-31").text == "after:2026-02-31"
    with pytest.raises(UsageError, match="soon"):
        parsed("pool", until="soon")
    assert moment("9999999-01-01", UTC) is None


def test_only_the_beginning_of_a_very_long_question_is_looked_at() -> None:
    found = parsed("word " * 10_000)
    assert found.cut
    assert len(found.text) <= MOST


def test_nothing_the_database_cannot_hold_is_left() -> None:
    found = parsed("a\x00b \ud800c", project="x\udfff\x00")
    assert (found.text, found.filters) == ("a b ?c", {"project": "x? "})


NAMES = st.sampled_from(["agent", "project", "role", "kind", "session"])
VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters='"“”「」『』'), min_size=1, max_size=12)


@given(st.dictionaries(NAMES, VALUES), st.sampled_from(":："), st.sampled_from(['""', "“”", "「」", "『』"]))
def test_operators_come_back_as_they_were_written(filters: dict[str, str], colon: str, marks: str) -> None:
    query = " ".join(f"{name}{colon}{marks[0]}{value}{marks[1]}" for name, value in filters.items())
    found = parsed(query + " pool")
    assert (found.text, found.filters) == ("pool", filters)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_what_is_left_is_parsed_to_itself(query: str) -> None:
    left = parsed(query).text
    again = parsed(left)
    assert again.text == " ".join(left.split()) or again.phrases or again.excluded or again.filters or again.bounds
