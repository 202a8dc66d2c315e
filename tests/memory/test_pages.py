"""Pages: the catalogue, what is read again, what can be found and how long it can be trusted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memory_world import MemoryWorld

from tray_app import clock
from tray_app.library.memory.rows import PageRow, ParagraphRow
from tray_app.memory import pages, project_files
from tray_app.memory.page_age import DAY_MS, page_about
from tray_app.memory.pages import Catalogue, index_pages, search, views
from tray_app.records import PageView

NOW = 1_790_000_000_000
"""2026-09-21."""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[MemoryWorld]:
    made = MemoryWorld(tmp_path)
    made.project("Shop")
    yield made
    made.close()


def put(world: MemoryWorld, name: str, text: str = "# Title\n\nProse.\n", age_days: float = 0) -> Path:
    path = world.root / "Shop" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    touch(path, age_days)
    return path


def touch(path: Path, age_days: float) -> None:
    moment = int((NOW - age_days * DAY_MS) * 1_000_000)
    os.utime(path, ns=(moment, moment))


def index(world: MemoryWorld, now: int = NOW) -> Catalogue:
    return index_pages(world.store, world.projects, world.settings, "shop", now)


def counts(catalogue: Catalogue) -> tuple[int, int, int, int]:
    return catalogue.read, catalogue.unchanged, catalogue.gone, catalogue.cut


def test_the_catalogue(world: MemoryWorld) -> None:
    put(world, "README.md", "# Shop\n\nSells things.\n\n## Install\n\nRun it.\n")
    put(world, "docs/部署.md", "# 部署\n\n> 停队列。\n\n## 步骤\n\n先备份。\n", age_days=1)
    put(world, "docs/deep/notes.txt", "Plain words.\n")
    put(world, "docs/guide.rst", "Guide\n=====\n\nHow to.\n")
    found = index(world)
    assert counts(found) == (4, 0, 0, 0) and not found.faults
    assert [(view.path, view.title, view.summary, view.paragraphs) for view in found.views] == [
        ("README.md", "Shop", "Sells things.", 2),
        ("docs/deep/notes.txt", "notes", "Plain words.", 1),
        ("docs/guide.rst", "Guide", "How to.", 1),
        ("docs/部署.md", "部署", "停队列。", 2),
    ]
    assert found.views[0] == PageView(
        id=found.views[0].id, project="Shop", path="README.md", title="Shop", summary="Sells things.", paragraphs=2,
        updated=clock.iso(NOW) or "", expires=clock.iso(NOW + 180 * DAY_MS), about="other",
    )  # fmt: skip
    assert views(world.store, None, NOW) == list(found.views) == views(world.store, "SHOP", NOW)
    assert views(world.store, "Other", NOW) == []


def test_what_is_no_document_is_left_alone(world: MemoryWorld) -> None:
    for name in (
        "notes.txt", "main.py", "src/inner.md", "node_modules/x/README.md", "docs/node_modules/a.md", "docs/.hidden/a.md", "docs/.a.md",
        "docs/build/a.md", "docs/venv/a.md", "docs/dist/a.md", ".git/a.md", "CHANGELOG.md", "docs/CHANGELOG.md", "变更记录.md", "docs/99-log.md",
        "docs/picture.png",
    ):  # fmt: skip
        put(world, name)
    put(world, "docs/empty.md", "\n\n---\n")
    put(world, "docs/large.md", "# Large\n\n" + "words " * 400_000)
    (world.root / "Shop" / "docs" / "binary.md").write_bytes(b"# A\0B")
    found = index(world)
    assert found.views == ()
    assert sorted(found.faults) == ["docs/binary.md is no text.", "docs/large.md is larger than 2 MB and was not read."]


def test_paragraphs_keep_their_headings(world: MemoryWorld) -> None:
    put(world, "docs/a.md", "# Shop\n\nOne.\n\n## Deploy\n\n### Rollback\n\nTwo.\n\n" + "A sentence of words. " * 30)
    put(world, "docs/b.md", "## Only second\n\nThree.\n")
    index(world)
    rows = sorted(world.store.rows(ParagraphRow).values(), key=lambda row: (row.page, row.place))
    assert [(row.heading, row.text[:12], row.place, row.project) for row in rows] == [
        ("Shop", "One.", 0, "Shop"), ("Shop > Deploy > Rollback", "Two.", 1, "Shop"), ("Shop > Deploy > Rollback", "A sentence o", 2, "Shop"),
        ("Shop > Deploy > Rollback", "A sentence o", 3, "Shop"), ("Only second", "Three.", 0, "Shop"),
    ]  # fmt: skip
    assert all(len(row.text) <= 400 for row in rows)


def test_unchanged_files_are_not_read_again(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    put(world, "docs/a.md", "# A\n\nOne.\n")
    path = put(world, "docs/b.md", "# B\n\nTwo.\n")
    index(world)
    before = dict(world.store.rows(PageRow))
    opened: list[str] = []
    read = pages.read_text
    monkeypatch.setattr(pages, "read_text", lambda file: opened.append(file.name) or read(file))
    entries = world.store.facts().journal_entries
    assert counts(index(world)) == (0, 2, 0, 0) and opened == []
    assert world.store.facts().journal_entries == entries
    touch(path, 3)
    assert counts(index(world)) == (0, 2, 0, 0) and opened == ["docs/b.md"]
    row = next(row for row in world.store.rows(PageRow).values() if row.path == "docs/b.md")
    assert (row.indexed, row.hash, row.expires) == (NOW, before[row.id].hash, NOW + 177 * DAY_MS)
    assert world.store.facts().journal_entries == entries + 1
    path.write_text("# B\n\nSix.\n")  # of the same size
    assert counts(index(world)) == (1, 1, 0, 0)
    assert [found.text for found in search(world.store, "six", None, NOW)] == ["Six."]
    assert search(world.store, "two", None, NOW) == []


def test_only_what_changed_in_a_page_is_written(world: MemoryWorld) -> None:
    parts = [f"## Part {number}\n\nText {number}.\n\n" for number in range(6)]
    put(world, "docs/a.md", "# A\n\n" + "".join(parts))
    index(world)
    before = {row.text: row.id for row in world.store.rows(ParagraphRow).values()}
    put(world, "docs/a.md", "# A\n\n" + "".join([parts[5], *parts[:2], "## New\n\nNew text.\n\n", *parts[3:5]]), age_days=1)
    index(world)
    rows = sorted(world.store.rows(ParagraphRow).values(), key=lambda row: row.place)
    assert [row.text for row in rows] == ["Text 5.", "Text 0.", "Text 1.", "New text.", "Text 3.", "Text 4."]
    assert [row.id for row in rows if row.text != "New text."] == [before[row.text] for row in rows if row.text != "New text."]
    assert max(before.values()) < next(row.id for row in rows if row.text == "New text.")


def test_what_is_gone_leaves_and_a_folder_that_is_away_keeps_its_pages(world: MemoryWorld) -> None:
    put(world, "README.md", "# Shop\n\nHere.\n")
    put(world, "docs/a.md", "# A\n\nGone soon.\n")
    index(world)
    (world.root / "Shop" / "docs" / "a.md").unlink()
    assert counts(index(world)) == (0, 1, 1, 0)
    assert [view.path for view in views(world.store, None, NOW)] == ["README.md"]
    assert [row.text for row in world.store.rows(ParagraphRow).values()] == ["Here."]
    (world.root / "Shop").rename(world.folder / "away")
    world.renew()
    found = index(world)
    assert [view.path for view in found.views] == ["README.md"] and found.gone == 0


def test_a_folder_that_cannot_be_read_keeps_its_pages(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    put(world, "docs/in/a.md")
    put(world, "docs/inner.md")
    index(world)
    (world.root / "Shop" / "docs" / "inner.md").unlink()
    scandir = os.scandir

    def refusing(folder: str) -> Any:
        if Path(folder).name == "in":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(project_files.os, "scandir", refusing)
    found = index(world)
    assert [view.path for view in found.views] == ["docs/in/a.md"]
    assert found.faults == ("docs/in could not be read (Permission denied).",)


def test_a_file_that_cannot_be_read_keeps_its_page(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(world, "docs/a.md")
    index(world)

    def refused(file: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(pages, "read_text", refused)
    touch(path, 1)
    found = index(world)
    assert [view.path for view in found.views] == ["docs/a.md"]
    assert found.faults == ("docs/a.md could not be read (Permission denied).",)


def test_the_newest_are_kept_and_what_was_cut_is_told(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_PAGES", 3)
    for number in range(5):
        put(world, f"docs/{number}.md", f"# {number}\n\nText.\n", age_days=number)
    assert counts(index(world)) == (3, 0, 0, 2)
    assert [view.title for view in views(world.store, None, NOW)] == ["0", "1", "2"]
    touch(world.root / "Shop" / "docs" / "4.md", -1)
    assert counts(index(world)) == (1, 2, 1, 2)
    assert [view.title for view in views(world.store, None, NOW)] == ["0", "1", "4"]


def test_paragraphs_have_limits_too(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_OF_A_PAGE", 3)
    monkeypatch.setattr(pages, "MOST_PARAGRAPHS", 5)
    for number in range(3):
        put(world, f"docs/{number}.md", "# T\n\n" + "".join(f"## {part}\n\nText.\n\n" for part in range(6)), age_days=number)
    found = index(world)
    assert [view.paragraphs for view in found.views] == [3, 2]
    assert (found.cut, found.shortened) == (1, ("docs/0.md", "docs/1.md"))
    again = index(world)
    assert (counts(again), again.views) == ((0, 2, 0, 1), found.views)


def test_links_do_not_lead_out_or_in_circles(world: MemoryWorld) -> None:
    if sys.platform == "win32":
        pytest.skip("links need a right here")
    outside = world.folder / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n")
    put(world, "docs/a.md", "# A\n\nText.\n")
    docs = world.root / "Shop" / "docs"
    (docs / "out").symlink_to(outside)
    (docs / "out.md").symlink_to(outside / "secret.md")
    (docs / "circle").symlink_to(docs)
    (docs / "twice.md").symlink_to(docs / "a.md")
    assert [view.path for view in index(world).views] == ["docs/a.md"]


def test_search_by_words_of_both_languages_and_headings(world: MemoryWorld) -> None:
    put(
        world,
        "docs/queue.md",
        "# Queue\n\nThe broker keeps messages for a day.\n\n## Retries\n\nThree times, then the dead letters.\n",
    )
    put(world, "docs/部署.md", "# 部署手册\n\n先停消息队列，再备份数据库。\n\n## 回滚\n\n恢复昨天的备份。\n", age_days=200)
    index(world)
    found = search(world.store, "how many retries", None, NOW)
    assert [(one.path, one.title, one.heading, one.matched, one.outdated) for one in found] == [
        ("docs/queue.md", "Queue", "Queue > Retries", ("retries",), "")
    ]
    found = search(world.store, "数据库备份", "shop", NOW)
    assert [(one.text, one.matched) for one in found] == [
        ("先停消息队列，再备份数据库。", ("备份数据库",)), ("恢复昨天的备份。", ("备份",))
    ]  # fmt: skip
    assert found[0].score > found[1].score > 0
    assert {one.outdated for one in found} == {
        "May be out of date: last changed on 2026-03-05. Pages are trusted for 180 days."
    }  # fmt: skip
    assert search(world.store, "回滚", None, NOW)[0].heading == "部署手册 > 回滚"
    assert len(search(world.store, "备份", None, NOW, limit=1)) == 1
    assert (
        search(world.store, "备份", "Other", NOW)
        == search(world.store, "", None, NOW)
        == search(world.store, "备份", None, NOW, 0)
        == []
    )


@pytest.mark.parametrize(
    ("name", "text", "about", "days"),
    [
        ("docs/pricing.md", "# Plans\n\nText.\n", "prices", 14),
        ("docs/a.md", "# 价格\n\n每百万个 token 两元。\n", "prices", 14),
        ("docs/a.md", "# Vendors\n\nThe large one takes $20 per month.\n", "prices", 14),
        ("docs/a.md", "# Notes\n\nThe API costs 3 元 a call.\n", "prices", 14),
        ("docs/a.md", "# Upgrade to 2\n\nText.\n", "versions", 30),
        ("docs/a.md", "# 数据库迁移\n\n步骤。\n", "versions", 30),
        ("docs/a.md", "# Notes\n\nWorks with DuckDB 1.5.5 only.\n", "versions", 30),
        ("docs/a.md", "# 隐私政策\n\n正文。\n", "policies", 180),
        ("docs/privacy_policy.md", "# Notes\n\nText.\n", "policies", 180),
        ("docs/a.md", "# Notes\n\nText at 10.0.0.1 for $1 and `$HOME`.\n", "other", 180),
        (
            "docs/a.md",
            "# Guide\n\n" + "".join(f"## Part {n}\n\nText.\n\n" for n in range(9)) + "## Versions\n\n1.2.3 is out.\n",
            "other",
            180,
        ),
    ],
)
def test_expiry_by_content(world: MemoryWorld, name: str, text: str, about: str, days: int) -> None:
    put(world, name, text, age_days=days - 0.5)
    view = index(world).views[0]
    assert (view.about, view.outdated) == (about, "")
    assert view.expires == clock.iso(NOW + DAY_MS // 2)
    late = views(world.store, None, NOW + DAY_MS // 2)[0]
    what = {"prices": "Prices", "versions": "Versions and migrations", "policies": "Policies", "other": "Pages"}[about]
    assert late.outdated.endswith(f"{what} are trusted for {days} days.")


def test_a_quarter_of_the_paragraphs_decides() -> None:
    assert page_about("a.md", "A", ["text"] * 3 + ["the price"]) == "prices"
    assert page_about("a.md", "A", ["text"] * 4 + ["the price"]) == "other"
    assert page_about("a.md", "A", ["a version", "the price"]) == "prices"
    assert page_about("a.md", "A", []) == "other"


def test_no_secret_is_kept(world: MemoryWorld) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    put(world, "docs/a.md", f"# {token}\n\nUse {token} here.\n")
    view = index(world).views[0]
    texts = view.title + view.summary + "".join(row.heading + row.text for row in world.store.rows(ParagraphRow).values())
    assert token not in texts and "[secret:" in view.summary


def test_our_own_card_is_no_page(world: MemoryWorld) -> None:
    put(world, "HANDOVER.md", "<!-- backscroll:card -->\n# Shop\n\nNext: deploy.\n<!-- /backscroll:card -->\n")
    assert index(world).views == ()


def test_excluded_files_leave(world: MemoryWorld) -> None:
    put(world, "docs/credentials.md")
    put(world, "docs/a.md")
    assert [view.path for view in index(world).views] == ["docs/a.md"]
    world.settings.set("privacy.excluded_workspaces", [str(world.root / "Shop")])
    assert index(world).views == () and world.store.rows(ParagraphRow) == {}


def test_stopping_keeps_what_was_done_and_what_was_there(world: MemoryWorld) -> None:
    for number in range(4):
        put(world, f"docs/{number}.md", age_days=number)
    asked = iter([False, False, True])
    index_pages(world.store, world.projects, world.settings, "Shop", NOW, stop=lambda: next(asked))
    assert len(world.store.rows(PageRow)) == 2
    assert counts(index(world)) == (2, 2, 0, 0)


def test_of_a_thousand_unchanged_files_none_is_read(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_PAGES", 1_000)
    with world.store.change():
        for number in range(1_000):
            put(world, f"docs/{number % 20}/{number}.md", f"# Page {number}\n\nText.\n\n## Part\n\nMore.\n")
        index(world)
    read: list[str] = []
    monkeypatch.setattr(pages, "read_text", lambda file: read.append(file.path))
    assert (counts(index(world)), read) == ((0, 1_000, 0, 0), [])
