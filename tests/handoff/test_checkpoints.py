"""Checkpoints: partial writes, one active and one draft, taking over and putting away."""

from __future__ import annotations

from typing import Any

import pytest
from handover_world import PROJECT, HandoverWorld

from tray_app.errors import UsageError
from tray_app.library.memory.rows import CardRow, CheckpointRow
from tray_app.records import CheckpointView
from tray_app.records.memory import FIELDS


def fields_of(view: CheckpointView | None) -> dict[str, Any]:
    assert view is not None
    return {name: value for name in FIELDS if (value := getattr(view, name))}


def code_of(world: HandoverWorld, *args: Any, **more: Any) -> str:
    with pytest.raises(UsageError) as fault:
        world.checkpoints.put(PROJECT, *args, **more)
    return fault.value.code


def test_only_named_fields_change_and_none_clears(world: HandoverWorld) -> None:
    put = world.checkpoints.put
    put(PROJECT, {"goal": "Uploads survive", "done": ["parts", "409"], "doing": "restart"})
    state = put(PROJECT, {"doing": None, "next": ["one test a store"]})
    assert fields_of(state.active) == {"goal": "Uploads survive", "done": ("parts", "409"), "next": ("one test a store",)}
    assert [fields_of(view) for view in state.history] == [
        {"goal": "Uploads survive", "done": ("parts", "409"), "doing": "restart"}
    ]
    assert world.states(CheckpointRow) == ["superseded", "active"]
    assert world.states(CardRow) == ["superseded", "active"]
    assert world.registered == [PROJECT, PROJECT]


def test_list_fields_are_replaced_as_given(world: HandoverWorld) -> None:
    world.checkpoints.put(PROJECT, {"done": ["a", "b"]})
    assert fields_of(world.checkpoints.put(PROJECT, {"done": ["c"]}).active) == {"done": ("c",)}
    lines = world.checkpoints.put(PROJECT, {"done": "- one\n2. two\n\n * three", "next": ["x ", "x", "", "y"]}).active
    assert fields_of(lines) == {"done": ("one", "two", "three"), "next": ("x", "y")}


def test_the_same_again_writes_nothing(world: HandoverWorld) -> None:
    first = world.checkpoints.put(PROJECT, {"goal": "g", "done": ["a"]})
    again = world.checkpoints.put(PROJECT, {"goal": " g ", "done": ["a", "a"]})
    assert again == first
    assert world.states(CheckpointRow) == ["active"]


def test_projects_are_told_apart_by_their_key(world: HandoverWorld) -> None:
    world.checkpoints.put(PROJECT, {"goal": "g"})
    world.checkpoints.put("other", {"goal": "o"})
    state = world.checkpoints.put("Tide-API", {"doing": "d"})
    assert fields_of(state.active) == {"goal": "g", "doing": "d"}
    assert fields_of(world.checkpoints.state("other").active) == {"goal": "o"}


def test_wrong_fields_are_refused_and_nothing_is_kept(world: HandoverWorld) -> None:
    assert code_of(world, {"goals": "x"}) == "bad_field"
    assert code_of(world, {"goal": 3}) == "bad_field"
    assert code_of(world, {"done": [1]}) == "bad_field"
    assert code_of(world, {"done": {"a": "b"}}) == "bad_field"
    assert code_of(world, {"goal": "x" * 4_001}) == "too_long"
    assert code_of(world, {"done": [str(number) for number in range(101)]}) == "too_long"
    assert code_of(world, {}) == "empty_content"
    assert code_of(world, {"goal": "  \n", "done": []}) == "empty_content"
    assert code_of(world, {"goal": None}, draft=True) == "empty_content"
    assert not world.store.rows(CheckpointRow)
    assert world.registered == []


def test_texts_are_cleaned_and_secrets_hidden(world: HandoverWorld) -> None:
    key = "sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN2pQ" * 4
    active = world.checkpoints.put(PROJECT, {"goal": f"\x1b[31mred\x1b[0m {key}", "next": [f"rotate {key}"]}).active
    assert active is not None
    assert active.goal.startswith("red [secret: ")
    assert key not in world.cards.view(PROJECT).markdown
    assert key not in str(active)


def test_files_are_written_one_way(world: HandoverWorld) -> None:
    given = ["./src/a.py", "src//a.py", "`src/b.py`", f"{world.folder}/src/c.py", r"src\win\d.py", "C:\\x\\..\\y", "two words"]
    active = world.checkpoints.put(PROJECT, {"files": given}).active
    assert active is not None
    assert active.files == ("src/a.py", "src/b.py", "src/c.py", "src/win/d.py", "C:/y", "two words")


def test_a_draft_stands_beside_the_active_one(world: HandoverWorld) -> None:
    world.checkpoints.put(PROJECT, {"goal": "g"})
    world.checkpoints.put(PROJECT, {"doing": "d"}, draft=True)
    state = world.checkpoints.put(PROJECT, {"next": ["n"]}, draft=True)
    assert fields_of(state.active) == {"goal": "g"}
    assert fields_of(state.draft) == {"doing": "d", "next": ("n",)}
    assert world.states(CheckpointRow) == ["active", "draft"]
    assert "d" not in world.cards.view(PROJECT).markdown.split()
    cleared = world.checkpoints.put(PROJECT, {"doing": None, "next": None}, draft=True)
    assert cleared.draft is None
    assert world.states(CheckpointRow) == ["active", "archived"]


def test_a_newer_draft_takes_the_place_of_an_older_one(world: HandoverWorld) -> None:
    world.draft(goal="first")
    world.draft(goal="second")
    assert fields_of(world.checkpoints.state(PROJECT).draft) == {"goal": "second"}
    assert world.states(CheckpointRow) == ["archived", "draft"]


def test_promoting_merges_and_keeps_evidence(world: HandoverWorld) -> None:
    world.checkpoints.put(
        PROJECT, {"baseline": "HTTP service", "goal": "g", "done": ["parts"], "doing": "old", "next": ["a"], "files": ["x.py"]}
    )
    number = world.draft(
        {"done": "said it", "files": "edited it"},
        done=("parts", "409"),
        doing="new",
        files=("y.py", "x.py"),
        open_questions=("q",),
    )
    state = world.checkpoints.promote(PROJECT)
    assert fields_of(state.active) == {
        "baseline": "HTTP service", "goal": "g", "done": ("parts", "409"), "doing": "new", "next": ("a",),
        "files": ("x.py", "y.py"), "open_questions": ("q",),
    }  # fmt: skip
    assert state.active is not None
    assert (state.active.id, state.active.source_agent, state.active.source_session) == (number, "claude_code", "s1")
    assert state.active.evidence == {"done": "said it", "files": "edited it"}
    assert state.draft is None
    assert world.states(CheckpointRow) == ["superseded", "active"]
    assert "409" in world.cards.view(PROJECT).markdown


def test_promoting_chosen_fields_leaves_the_rest_in_the_draft(world: HandoverWorld) -> None:
    world.checkpoints.put(PROJECT, {"goal": "g", "doing": "old"})
    number = world.draft({"doing": "e", "next": "f"}, doing="new", next=("n",))
    state = world.checkpoints.promote(PROJECT, ["doing"])
    assert fields_of(state.active) == {"goal": "g", "doing": "new"}
    assert fields_of(state.draft) == {"next": ("n",)}
    assert state.draft is not None and state.draft.evidence == {"next": "f"}
    last = world.checkpoints.promote(PROJECT, ["next"])
    assert fields_of(last.active) == {"goal": "g", "doing": "new", "next": ("n",)}
    assert last.active is not None and last.active.id == number
    assert last.active.evidence == {"doing": "e", "next": "f"}
    assert last.draft is None
    with pytest.raises(UsageError) as fault:
        world.checkpoints.promote(PROJECT)
    assert fault.value.code == "no_draft"


def test_the_first_checkpoint_may_be_a_draft(world: HandoverWorld) -> None:
    world.draft(goal="g")
    state = world.checkpoints.promote(PROJECT)
    assert fields_of(state.active) == {"goal": "g"}
    assert world.states(CardRow) == ["active"]


def test_what_the_person_wrote_loses_the_evidence(world: HandoverWorld) -> None:
    world.draft({"goal": "e", "doing": "f"}, goal="g", doing="d")
    world.checkpoints.promote(PROJECT)
    active = world.checkpoints.put(PROJECT, {"goal": "mine", "doing": "d"}).active
    assert active is not None and active.evidence == {"doing": "f"}
    assert active.source_agent == ""


def test_discarding_puts_it_away(world: HandoverWorld) -> None:
    world.draft(goal="g")
    assert world.checkpoints.discard(PROJECT).draft is None
    assert world.states(CheckpointRow) == ["archived"]
    with pytest.raises(UsageError) as fault:
        world.checkpoints.discard(PROJECT)
    assert fault.value.code == "no_draft"


def test_drafts_are_listed_with_what_they_would_change(world: HandoverWorld) -> None:
    world.checkpoints.put(PROJECT, {"goal": "g", "done": ["a"], "files": ["x.py"]})
    world.draft(goal="g", done=("a",), files=("y.py",), doing="d")
    (view,) = world.checkpoints.drafts()
    assert view.differs == ("doing", "files")
    assert view.active is not None and view.active.goal == "g"
    assert (view.draft.project, view.session_title) == (PROJECT, "")


def test_it_is_there_after_opening_again(world: HandoverWorld) -> None:
    before = world.checkpoints.put(PROJECT, {"goal": "g", "done": ["已完成"]})
    card = world.cards.view(PROJECT).markdown
    world.close()
    other = HandoverWorld(world.base)
    try:
        assert other.checkpoints.state(PROJECT) == before
        assert other.cards.view(PROJECT).markdown == card
    finally:
        other.close()
