"""Changelogs taken into the memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from memory_world import MemoryWorld

from tray_app.errors import UsageError
from tray_app.library.memory.rows import ChangelogRow, MemoryRow, ProjectRow
from tray_app.memory.changelogs import A_RUN, is_due, take_in
from tray_app.records import ChangelogReport

NOW = 1_790_000_000_000
LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a right here")
TEXT = """# Changelog

## 1.2.0 - 2026-03-02

- Added dark mode.
- Rolled back the cache because it cost 2 s.
- 教训：先备份再迁移。
"""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[MemoryWorld]:
    made = MemoryWorld(tmp_path)
    made.project("Shop")
    yield made
    made.close()


def put(world: MemoryWorld, text: str | bytes, name: str = "CHANGELOG.md") -> Path:
    path = world.root / "Shop" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def run(world: MemoryWorld, *, everything: bool = False, day: str = "2026-09-21") -> ChangelogReport:
    return take_in(world.store, world.projects, world.settings, "shop", NOW, day, everything=everything)


def kept(world: MemoryWorld) -> list[tuple[str, str, str]]:
    return [
        (row.title, row.content, row.source_path)
        for row in sorted(world.store.rows(MemoryRow).values(), key=lambda row: row.id)
    ]


def test_only_what_carries_a_conclusion_is_taken_and_once(world: MemoryWorld) -> None:
    put(world, TEXT)
    assert run(world) == ChangelogReport(project="Shop", files=1, added=2, known=0, without_conclusion=1, left=0)
    assert kept(world) == [
        ("1.2.0 - 2026-03-02 · Rolled back the cache because it cost 2 s.", "- Rolled back the cache because it cost 2 s.", "CHANGELOG.md"),
        ("1.2.0 - 2026-03-02 · 教训：先备份再迁移。", "- 教训：先备份再迁移。", "CHANGELOG.md"),
    ]  # fmt: skip
    rows = list(world.store.rows(MemoryRow).values())
    assert {(row.project, row.kind, row.state, row.created) for row in rows} == {("Shop", "changelog", "active", NOW)}
    assert [row.memory for row in world.store.rows(ChangelogRow).values()] == [row.id for row in rows]
    assert [row.name for row in world.store.rows(ProjectRow).values()] == ["Shop"]
    assert [number for number, _ in world.store.find_memories(["备份"])] == [2]
    assert run(world) == ChangelogReport(project="Shop", files=1, added=0, known=2, without_conclusion=1, left=0)
    assert run(world, everything=True) == ChangelogReport(project="Shop", files=1, added=1, known=2, without_conclusion=0)
    assert kept(world)[-1][1] == "- Added dark mode."


def test_a_run_takes_ten_and_the_newest_first(world: MemoryWorld) -> None:
    put(world, "".join(f"## 2026-01-{day:02}\n\nLesson {day}.\n\n" for day in range(1, 24)))
    reports = [run(world) for _ in range(4)]
    assert [(report.added, report.known, report.left) for report in reports] == [
        (10, 0, 13),
        (10, 10, 3),
        (3, 20, 0),
        (0, 23, 0),
    ]
    assert [content for _, content, _ in kept(world)] == [f"Lesson {day}." for day in range(23, 0, -1)]
    assert A_RUN == 10


def test_an_edited_entry_is_new_and_a_removed_one_stays(world: MemoryWorld) -> None:
    put(world, "## 1.0.0\n- It cost 2 s.\n- A risk.\n")
    run(world)
    put(world, "## 1.1.0\n\n- It   cost 2 s.\n- It cost 3 s.\n")
    assert run(world) == ChangelogReport(project="Shop", files=1, added=1, known=1)
    assert [content for _, content, _ in kept(world)] == ["- It cost 2 s.", "- A risk.", "- It cost 3 s."]


def test_what_the_person_put_away_stays_away(world: MemoryWorld) -> None:
    put(world, "## 1.0.0\n- It cost 2 s.\n")
    run(world)
    world.memories.archive(1)
    assert run(world).added == 0
    put(world, "## 2.0.0\n- It cost 2 s.\n", "docs/CHANGELOG.md")
    assert run(world).added == 0
    assert world.memories.view(1).state == "archived"


def test_the_same_words_in_long_entries_are_one_memory(world: MemoryWorld) -> None:
    put(world, "## 1.0.0\n- Lesson " + "x " * 250 + "\n- Lesson " + "x " * 300 + "\n")
    assert run(world) == ChangelogReport(project="Shop", files=1, added=1, known=1)
    assert len(world.store.rows(ChangelogRow)) == 2
    assert run(world) == ChangelogReport(project="Shop", files=1, known=2)


def test_all_places_are_looked_at(world: MemoryWorld) -> None:
    put(world, "## 1\n- Lesson one.\n")
    put(world, "## 2026-01-01\n- Lesson two.\n", "docs/CHANGELOG.md")
    put(world, "## 2026-01-01\n- 教训三。\n", "变更记录.md")
    put(world, "## 教训四\n别再。\n", "docs/99-教训.md")
    put(world, "## 2026-01-01\n- Lesson five.\n", "docs/98-other.md")
    put(world, "## 2026-01-01\n- Lesson six.\n", "99-top.md")
    report = run(world)
    assert (report.files, report.added) == (4, 4)
    assert [path for _, _, path in kept(world)] == ["CHANGELOG.md", "docs/99-教训.md", "docs/CHANGELOG.md", "变更记录.md"]


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode("utf-16"),
        TEXT.encode("gb18030"),
    ],
)
def test_any_encoding_and_line_break(world: MemoryWorld, data: bytes) -> None:
    put(world, data)
    assert run(world).added == 2
    assert [content for _, content, _ in kept(world)] == [
        "- Rolled back the cache because it cost 2 s.",
        "- 教训：先备份再迁移。",
    ]


def test_no_secret_is_kept(world: MemoryWorld) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    put(world, f"## 1.0\n- Lesson: {token} was in the log.\n")
    run(world)
    assert token not in kept(world)[0][0] + kept(world)[0][1] and "[secret:" in kept(world)[0][1]


def test_the_first_four_hundred_characters_as_they_stand(world: MemoryWorld) -> None:
    entry = "- **Lesson**: " + "word  `code` " * 40
    put(world, f"## 1.0\n{entry}\n")
    run(world)
    assert kept(world)[0][1] == entry[:400].rstrip()


def test_what_cannot_be_read_is_told(world: MemoryWorld) -> None:
    put(world, b"\x89PNG\0" * 10)
    put(world, b"## 1.0\n- Lesson.\n" * 200_000, "docs/CHANGELOG.md")
    (world.root / "Shop" / "变更记录.md").mkdir()
    assert run(world) == ChangelogReport(
        project="Shop", faults=("docs/CHANGELOG.md is larger than 2 MB and was not read.", "CHANGELOG.md is no text.")
    )


@LINKS
def test_links_do_not_lead_out_of_the_project(world: MemoryWorld) -> None:
    outside = world.folder / "outside"
    outside.mkdir()
    (outside / "CHANGELOG.md").write_text("## 1.0\n- Lesson from outside.\n")
    (world.root / "Shop" / "CHANGELOG.md").symlink_to(outside / "CHANGELOG.md")
    (world.root / "Shop" / "docs").symlink_to(outside)
    assert run(world).files == 0
    (world.root / "Shop" / "docs").unlink()
    (world.root / "Shop" / "CHANGELOG.md").unlink()
    put(world, "## 1.0\n- Lesson from inside.\n", "docs/CHANGELOG.md")
    (world.root / "Shop" / "CHANGELOG.md").symlink_to("docs/CHANGELOG.md")
    (world.root / "Shop" / "变更记录.md").symlink_to("变更记录.md")
    report = run(world)
    assert (report.files, report.added) == (1, 1)
    assert kept(world)[0][2] == "docs/CHANGELOG.md"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_does_not_hold_it_up(world: MemoryWorld) -> None:
    os.mkfifo(world.root / "Shop" / "CHANGELOG.md")
    assert run(world).files == 0


def test_the_day_is_remembered(world: MemoryWorld) -> None:
    assert is_due(world.store, "Shop", "2026-09-21")
    run(world)
    assert not is_due(world.store, "shop", "2026-09-21")
    assert is_due(world.store, "Shop", "2026-09-22")
    run(world, day="2026-09-22")
    assert not is_due(world.store, "Shop", "2026-09-22")


def test_a_folder_that_is_away_is_tried_again(world: MemoryWorld) -> None:
    world.memories.remember("Gone", "fact", "", "It was here.")
    report = take_in(world.store, world.projects, world.settings, "Gone", NOW, "2026-09-21")
    assert report == ChangelogReport(project="Gone")
    assert is_due(world.store, "Gone", "2026-09-21")
    with pytest.raises(UsageError, match="no project"):
        take_in(world.store, world.projects, world.settings, "Never", NOW, "2026-09-21")


def test_what_is_excluded_is_not_opened(world: MemoryWorld) -> None:
    put(world, TEXT)
    world.settings.set("privacy.excluded_paths", ["*CHANGELOG.md"])
    assert run(world).files == 0
    world.settings.set("privacy.excluded_paths", [])
    world.settings.set("privacy.excluded_workspaces", [str(world.root)])
    assert run(world).files == 0
