"""The card: its bytes, its language, its history, and the file it is written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from handover_world import PROJECT, HandoverWorld

from tray_app.errors import UsageError
from tray_app.handoff.card import render
from tray_app.handoff.export import CARD_NAME, card_file, file_name
from tray_app.library.memory.rows import CardRow, CheckpointRow

FULL = CheckpointRow(
    id=7, project=PROJECT, created=1, updated=2, baseline="HTTP service that stores tide gauge files.", goal="Uploads survive a dropped link.",
    done=("Part upload, 8 MB a part", "`409` counts as done"), doing="Resume after a restart", next=("Part list on disk", "One test a store"),
    files=("src/upload.py",), open_questions=("Is 8 MB right?",),
)  # fmt: skip
CARD = """\
# tide-api

## Baseline

HTTP service that stores tide gauge files.

## Goal

Uploads survive a dropped link.

## Done

- Part upload, 8 MB a part
- `409` counts as done

## Doing

Resume after a restart

## Next

1. Part list on disk
2. One test a store

## Files

- `src/upload.py`

## Open questions

- Is 8 MB right?
"""


def test_it_is_rendered() -> None:
    assert render(FULL) == CARD


def test_headings_are_in_the_language_of_the_text() -> None:
    chinese = CheckpointRow(
        id=1, project=PROJECT, goal="断线之后上传可以继续", done=("分片上传，每片 8 MB",), files=("src/upload.py",)
    )
    assert render(chinese) == (
        "# tide-api\n\n## 目标\n\n断线之后上传可以继续\n\n## 已完成\n\n- 分片上传，每片 8 MB\n\n## 文件\n\n- `src/upload.py`\n"
    )
    assert render(CheckpointRow(id=1, project=PROJECT)) == "# tide-api\n\nNothing is written down yet.\n"


def test_there_is_none_at_first(world: HandoverWorld) -> None:
    view = world.cards.view(PROJECT)
    assert (view.state, view.id, view.markdown, view.exported_to) == ("none", 0, "", "")
    with pytest.raises(UsageError) as fault:
        world.cards.view(PROJECT, 1)
    assert fault.value.code == "no_such_card"


def test_one_is_active_and_earlier_ones_can_be_read(world: HandoverWorld) -> None:
    for goal in ("one", "two", "three"):
        world.checkpoints.put(PROJECT, {"goal": goal})
    view = world.cards.view(PROJECT)
    assert view.markdown == "<!-- backscroll:card -->\n# tide-api\n\n## Goal\n\nthree\n<!-- /backscroll:card -->\n"
    assert (view.state, view.id, view.checkpoint, view.history) == ("active", 3, 3, (2, 1))
    earlier = world.cards.view(PROJECT, 1)
    assert (earlier.state, earlier.id, earlier.history) == ("superseded", 1, (2,))
    assert "\none\n" in earlier.markdown
    assert world.states(CardRow) == ["superseded", "superseded", "active"]


def test_one_can_be_written_by_hand(world: HandoverWorld) -> None:
    world.checkpoints.put(PROJECT, {"goal": "g"})
    view = world.cards.write(PROJECT, world.cards.view(PROJECT).markdown.replace("\ng\n", "\nmine\n"))
    assert view.markdown == "<!-- backscroll:card -->\n# tide-api\n\n## Goal\n\nmine\n<!-- /backscroll:card -->\n"
    assert (view.checkpoint, view.history) == (None, (1,))
    state = world.checkpoints.put(PROJECT, {"goal": "g"})
    assert state.active is not None and state.active.goal == "g"
    assert "mine" in world.cards.view(PROJECT).markdown
    world.checkpoints.put(PROJECT, {"doing": "d"})
    assert "mine" not in world.cards.view(PROJECT).markdown
    for text, code in (("  ", "empty_content"), ("x" * 40_001, "too_long")):
        with pytest.raises(UsageError) as fault:
            world.cards.write(PROJECT, text)
        assert fault.value.code == code


# --- the file ---------------------------------------------------------------------------------------------------------------
def test_it_is_written_into_our_data_folder(world: HandoverWorld) -> None:
    world.checkpoints.put(PROJECT, {"goal": "g"})
    view = world.cards.view(PROJECT)
    assert view.exported_to == str(world.base / "data" / "cards" / "tide-api.md")
    assert Path(view.exported_to).read_text() == view.markdown
    world.checkpoints.put(PROJECT, {"goal": "h"})
    assert Path(view.exported_to).read_text() == world.cards.view(PROJECT).markdown


def test_it_is_written_into_the_project_or_nowhere(world: HandoverWorld) -> None:
    world.where = "nowhere"
    world.checkpoints.put(PROJECT, {"goal": "g"})
    assert world.cards.view(PROJECT).exported_to == ""
    assert not (world.base / "data" / "cards").exists()
    world.where = "project"
    world.checkpoints.put(PROJECT, {"goal": "h"})
    view = world.cards.view(PROJECT)
    assert view.exported_to == str(world.folder / CARD_NAME)
    assert [path.name for path in world.folder.iterdir()] == [CARD_NAME]
    assert card_file("x", "", "project", world.base) is None


def test_a_file_that_is_not_ours_is_kept(world: HandoverWorld) -> None:
    world.where = "project"
    theirs = world.folder / CARD_NAME
    theirs.write_text("my own notes")
    state = world.checkpoints.put(PROJECT, {"goal": "g"})
    assert state.active is not None
    view = world.cards.view(PROJECT)
    assert theirs.read_text() == "my own notes"
    assert (view.exported_to, view.state) == ("", "active")
    assert "was not written by Backscroll" in view.export_error
    theirs.unlink()
    world.cards.export(PROJECT)
    assert world.cards.view(PROJECT).export_error == ""
    assert theirs.read_text() == view.markdown


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_are_not_followed(world: HandoverWorld) -> None:
    world.where = "project"
    secret = world.base / "elsewhere.md"
    secret.write_text("<!-- backscroll:card -->\nold\n")
    (world.folder / CARD_NAME).symlink_to(secret)
    world.checkpoints.put(PROJECT, {"goal": "g"})
    assert secret.read_text() == "<!-- backscroll:card -->\nold\n"
    assert "is no ordinary file" in world.cards.view(PROJECT).export_error
    world.where = "data"
    outside = world.base / "outside"
    outside.mkdir()
    (world.base / "data" / "cards").symlink_to(outside)
    world.checkpoints.put(PROJECT, {"goal": "h"})
    assert [path.name for path in outside.iterdir()] == ["tide-api.md"]  # our own data folder may lie on another disk
    claude = world.base / ".claude" / "projects"
    claude.mkdir(parents=True)
    world.where = "project"
    world.folder.rename(world.base / "kept")
    world.folder.symlink_to(claude)
    world.checkpoints.put(PROJECT, {"goal": "i"})
    assert "belongs to an agent" in world.cards.view(PROJECT).export_error
    assert list(claude.iterdir()) == []


def test_a_folder_that_is_gone_fails_nothing(world: HandoverWorld) -> None:
    world.where = "project"
    world.folder.rmdir()
    state = world.checkpoints.put(PROJECT, {"goal": "g"})
    assert state.active is not None
    assert "is not there" in world.cards.view(PROJECT).export_error
    assert not world.folder.exists()


def test_a_disk_that_refuses_fails_nothing(world: HandoverWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tray_app.handoff.export.replace_file", refuse)
    world.checkpoints.put(PROJECT, {"goal": "g"})
    assert "No space left on device" in world.cards.view(PROJECT).export_error


def test_any_name_makes_a_file_of_its_own(world: HandoverWorld) -> None:
    names = [
        "a",
        "A b",
        "字幕素材整理",
        "con",
        "NUL.x",
        "a/b",
        "a\\b",
        "a:b",
        "a_b",
        "..",
        ".",
        "x.",
        "x" * 300,
        "字" * 100,
        "?",
        "*",
    ]
    made = [file_name(name) for name in names]
    assert len(set(made)) == len(names)
    assert made[:3] == names[:3]
    for name in made:
        path = world.base / f"{name}.md"
        path.write_text("x")
        assert path.parent == world.base
        assert len(path.name.encode()) < 120
