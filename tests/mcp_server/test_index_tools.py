"""Status, settings and figures of the index by tool, and what an agent must not be able to change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tool_world import BLOG, ToolWorld, claude, pretended_now, tool_world

import tray_app
from tray_app.declared import DECLARED
from tray_app.mcp_server.indexing import OPEN

MINE = {setting.key: setting for setting in DECLARED if setting.key not in OPEN}
"""What only the person changes, as it is now. Who adds a setting decides here whose it is."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolWorld]:
    with tool_world(tmp_path_factory.mktemp("index")) as made:
        made.write("one", ("Fix the cart", "Done."), ("And the till", "Done too."))
        made.write("two", ("Write the post", "Written."), folder=BLOG)
        made.index()
        yield made


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    with pretended_now():
        yield


def test_status(world: ToolWorld) -> None:
    outcome = world.ask("session_recall_status")
    data = outcome.data
    owner = data.pop("owner")
    assert (owner["kind"], data.pop("size_bytes") > 0) == ("cli", True)
    assert "leaves" in data["leaves_machine"]
    built = data.pop("built_at")
    assert built.endswith("Z")
    assert data == {
        "chunks": 3,
        "sessions": 2,
        "messages": 6,
        "dims": 0,
        "vectors": 0,
        "missing_vectors": 0,
        "building": False,
        "paused": False,
        "embedding": "off",
        "embedding_ready": False,
        "topic_days": 1,
        "leaves_machine": data["leaves_machine"],
        "version": tray_app.__version__,
        "snapshot": f"as of {built}",
        "last_error": "",
        "hint": "",
    }
    assert outcome.texts[0].splitlines()[0] == f"2 sessions, 6 messages, 3 passages; as of {built}"
    assert data["leaves_machine"] in outcome.texts[0]


def test_figures_by_kind_agent_and_session(world: ToolWorld) -> None:
    data = world.data("session_index_stats")
    assert data.pop("built_at").endswith("Z")
    assert data == {
        "documents": 3,
        "messages": 6,
        "sessions": 2,
        "by_kind": {"round": 3},
        "by_agent": {"claude_code": {"sessions": 2, "documents": 3}},
        "by_session": [
            {"session": claude.make_id("one"), "agent": "claude_code", "documents": 2, "project": "shop", "messages": 4},
            {"session": claude.make_id("two"), "agent": "claude_code", "documents": 1, "project": "blog", "messages": 2},
        ],
        "by_session_kind": {"main": 2},
        "skipped": 0,
        "unknown": 0,
        "quarantined": 0,
        "truncated": 0,
        "over_budget": 0,
        "redacted": 0,
        "problems": 0,
    }


def test_what_is_new_is_read(world: ToolWorld) -> None:
    world.write("three", ("Feed the okapi", "Fed."))
    outcome = world.ask("session_recall_reindex")
    assert (outcome.data["state"], outcome.data["rebuilt"], outcome.data["totals"]["sessions"]) == ("done", False, 3)
    assert outcome.texts[0].startswith("The index was brought up to date: 3 sessions, 8 messages, 4 passages in ")
    assert world.data("session_recall", query="okapi")["found"]
    anew = world.ask("session_recall_reindex", force="true")
    assert (anew.data["rebuilt"], anew.data["totals"]["unchanged_files"]) == (True, 0)
    assert anew.texts[0].startswith("Everything was read anew: 3 sessions")
    world.engine.set_source("claude_code", False)
    try:
        assert world.refused("session_recall_reindex").startswith("Nothing to read: No source is ticked. The person chooses")
        assert world.data("session_recall_status")["hint"].startswith("No source is ticked.")
    finally:
        world.engine.set_source("claude_code", True)


# --- settings ------------------------------------------------------------------------------------------------------
def test_settings_are_shown(world: ToolWorld) -> None:
    outcome = world.ask("session_recall_config")
    assert outcome.data["changed"] == {}
    assert list(outcome.data["settings"]) == [setting.key for setting in DECLARED]
    assert "search.limit = 50" in outcome.texts[0]


def test_a_key_in_an_address_is_not_shown(world: ToolWorld) -> None:
    world.engine.set_config("meaning.url", "https://kim:hunter2secret@example.org/v1?api_key=abcdef0123456789abcdef")
    try:
        outcome = world.ask("session_recall_config")
        assert outcome.data["settings"]["meaning.url"] == (
            "https://kim:[secret: url password]@example.org/v1?api_key=[secret: api key]"
        )
        assert "hunter2secret" not in outcome.texts[0]
    finally:
        world.engine.set_config("meaning.url", None)


def test_settings_are_changed_and_that_is_said(world: ToolWorld) -> None:
    outcome = world.ask("session_recall_config", patch='{"search.limit": "30", "memory.archive": "off"}')
    assert outcome.texts == ["Changed: search.limit = 30 (was 50), memory.archive = False (was True)"]
    assert outcome.data["changed"] == {"search.limit": 30, "memory.archive": False}
    assert world.engine.config()["search.limit"] == outcome.data["settings"]["search.limit"] == 30
    same = world.ask("session_recall_config", patch={"search.limit": 30})
    assert (same.texts, same.data["changed"]) == (["Nothing was changed: it is so already."], {})


def test_what_an_agent_may_change() -> None:
    assert set(OPEN) <= {setting.key for setting in DECLARED}
    assert not any(MINE.get(key) for key in OPEN)
    groups = ("sources.", "privacy.", "keep.", "projects.", "agents.", "topics.")
    assert [key for key in OPEN if key.startswith(groups)] == []
    assert [key for key in OPEN if key.startswith("meaning.")] == ["meaning.share"]
    assert "memory.changelogs" not in OPEN  # it is about what is read
    assert [setting.key for setting in DECLARED if setting.rebuild and setting.key in OPEN] == []
    assert {"memory.purge_days", "general.paste", "index.reasoning", "index.days"} <= set(MINE)


@pytest.mark.parametrize("key", sorted(MINE))
def test_what_is_the_person_s_own(world: ToolWorld, key: str) -> None:
    setting = MINE[key]
    value = "https://example.org" if "http" in setting.form else "/a=/b" if "=" in setting.form else setting.default
    before = world.engine.config()
    told = world.refused(
        "session_recall_config", patch={"search.limit": 77, key: [value] if setting.form.startswith("[^") else value}
    )
    assert told == (
        f"Nothing was changed: {key}: what is read, hidden, kept or sent elsewhere is for the person to decide. "
        f"Ask the person to change it in the settings window, or with: backscroll config set {key} VALUE"
    )
    assert world.engine.config() == before


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ({"search.limit": 20, "nope": 1}, "No such setting: There is no setting 'nope'."),
        ({"serch.limit": 20}, "No such setting: There is no setting 'serch.limit'. Did you mean search.limit?"),
        ({"search.limit": 9_999}, "Not a value: search.limit lies between 5 and 200, not 9999."),
        ({"search.limit": None}, "Not a value: search.limit takes a int, not None."),
        ({"general.theme": "pink"}, "Not a value: general.theme is one of system, light, dark, not 'pink'."),
        ({"general.theme": {"a": ["x" * 50_000]}}, "Not a value: general.theme takes a str, not {'a': ['xxx"),
        ({"x" * 50_000: 1}, "No such setting: There is no setting 'xxx"),
        ("search.limit=3", "Wrong arguments: patch is an object such as"),
        ([], "Wrong arguments: patch is an object, not a list."),
    ],
)
def test_settings_that_cannot_be_meant(world: ToolWorld, patch: object, said: str) -> None:
    before = world.engine.config()
    told = world.refused("session_recall_config", patch=patch)
    assert told.startswith(said)
    assert len(told) < 1_000
    assert world.engine.config() == before
